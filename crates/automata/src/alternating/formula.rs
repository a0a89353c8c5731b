//! Translation of linear alternating automata to formulas.
//!
//! F. Blahoudek, Automata for formal methods (2018), Section 5.3. For states that are neither may
//! nor must: C. Löding and W. Thomas, Alternating automata and logics over infinite words (TCS
//! 2000). A state becomes `stay U leave` or `stay W leave`. May/must automata become formulas of
//! LTL(Fs,Gs). The formula shares subformulas; as a tree it may be exponential.

use super::{AlternatingAutomaton, UniversalEdge};
use crate::error::Error;
use crate::index::StateId;
use sempre_ltl::{Formula, Op, interrupt};

impl AlternatingAutomaton {
    /// Returns a formula for the language of the automaton.
    ///
    /// # Errors
    /// If the automaton is not linear, or self-loops of a state have different marks.
    pub fn to_ltl(&self) -> Result<Formula, Error> {
        let order = self.bottom_up().ok_or_else(|| {
            Error::new(
                "the automaton has a cycle through several states: no formula is known for it",
            )
        })?;
        let mut formulas = vec![Formula::ff(); self.state_count()];
        for state in order {
            interrupt::poll();
            let stays = self.may_stay(state).ok_or_else(|| {
                Error::new("looping edges of a state have different marks: no formula is known")
            })?;
            let step = |edge: &UniversalEdge| {
                let others = edge.targets.iter().filter(|target| **target != state);
                let later = others.map(|target| next(&formulas[target.index()]));
                conjunction(later.chain([self.alphabet.to_formula(edge.label)]))
            };
            let (looping, leaving): (Vec<_>, Vec<_>) =
                self.edges_from(state).iter().partition(|edge| edge.targets.contains(&state));
            // The state alone may follow itself, whatever other targets a looping edge has.
            let alone = looping.iter().filter(|edge| edge.targets[..] == [state]);
            let anywhere = self.alphabet.any_of(alone.map(|edge| edge.label)) == self.alphabet.tt();
            let stay = match anywhere {
                true => Formula::tt(),
                false => disjunction(looping.into_iter().map(step)),
            };
            let leave = disjunction(leaving.into_iter().map(step));
            formulas[state.index()] = match stays {
                _ if stay.is_false() => leave,
                true if stay.is_true() => Formula::tt(),
                true if leave.is_false() => Formula::globally(stay),
                true => Formula::weak_until(stay, leave),
                false if leave.is_false() => Formula::ff(),
                false if stay.is_true() => Formula::finally(leave),
                false => Formula::until(stay, leave),
            };
        }
        let start = |states: &super::Conjunction| {
            conjunction(states.iter().map(|state: &StateId| formulas[state.index()].clone()))
        };
        Ok(disjunction(self.initial.iter().map(start)))
    }
}

/// Builds `X f`, with strict operators where possible.
fn next(formula: &Formula) -> Formula {
    match (formula.op(), formula.children()) {
        (Op::True | Op::False, _) => formula.clone(),
        (Op::Finally, [body]) => Formula::strict_finally(body.clone()),
        (Op::Globally, [body]) => Formula::strict_globally(body.clone()),
        _ => Formula::next(formula.clone()),
    }
}

fn conjunction(operands: impl Iterator<Item = Formula>) -> Formula {
    let operands: Vec<Formula> = operands.filter(|operand| !operand.is_true()).collect();
    match &operands[..] {
        [] => Formula::tt(),
        [single] => single.clone(),
        _ if operands.iter().any(Formula::is_false) => Formula::ff(),
        _ => Formula::and(operands),
    }
}

fn disjunction(operands: impl Iterator<Item = Formula>) -> Formula {
    let operands: Vec<Formula> = operands.filter(|operand| !operand.is_false()).collect();
    match &operands[..] {
        [] => Formula::ff(),
        [single] => single.clone(),
        _ if operands.iter().any(Formula::is_true) => Formula::tt(),
        _ => Formula::or(operands),
    }
}
