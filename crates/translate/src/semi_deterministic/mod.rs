//! Semi-deterministic and cut-deterministic automata of formulas.
//!
//! Several routes lead to them: semi-determinization of small and of deterministic automata, the
//! deterministic automata of [`deterministic`] with any acceptance condition, whose `Fin` parts
//! become the second part, and limit-deterministic automata straight from the formula. All
//! are tried within bounds on steps, and the result with the fewest states, then marks, then edges
//! wins.

pub(crate) mod ldba;
#[cfg(test)]
mod tests;

use crate::deterministic::{self, BOUNDS, simplified, size, workshop_of};
use ldba::Form;
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::semi_determinize::SemiDeterminizer;
use sempre_automata::{Automaton, Condition, convert, prune};
use sempre_ltl::Formula;

/// Where the marks of the automaton are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Placement {
    /// On edges, for a generalized Büchi condition.
    #[default]
    Generalized,
    /// On edges, for a Büchi condition.
    Edges,
    /// On states, for a Büchi condition.
    States,
}

/// A kind of semi-deterministic automata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemiDeterministicKind {
    /// Whether it is to be cut-deterministic.
    pub cut_deterministic: bool,
    /// Where its marks are.
    pub placement: Placement,
}

impl SemiDeterministicKind {
    /// True if the automaton is of that kind.
    pub fn includes(&self, automaton: &Automaton) -> bool {
        let marks = automaton.acceptance().marks();
        let placed = match self.placement {
            Placement::Generalized => true,
            Placement::Edges => marks <= 1,
            Placement::States => marks <= 1 && automaton.is_state_based(),
        };
        placed
            && match self.cut_deterministic {
                true => automaton.is_cut_deterministic(),
                false => automaton.is_semi_deterministic(),
            }
    }

    fn determinizer(&self) -> SemiDeterminizer {
        SemiDeterminizer::new().cut_deterministic(self.cut_deterministic)
    }
}

/// Deterministic automata beyond the smallest few are not tried.
const MAX_DETERMINISTIC: usize = 4;

/// Conditions with more disjuncts are not converted: each disjunct may copy the automaton.
const MAX_DISJUNCTS: usize = 1 << 8;

/// Edges that semi-determinization of one automaton may make, if there is another result already:
/// that many times those of the result, and that many more.
const BOUND: (usize, usize) = (4, 64);

/// Starts with more states than that many times the best result, and that many more, are not tried.
const FAR_LARGER: (usize, usize) = (8, 64);

/// The effort for each start.
const EFFORT: usize = 1 << 20;

/// A semi-deterministic automaton of a formula: the smallest that the routes find, given some
/// automata of it with generalized Büchi acceptance.
pub fn translate(
    formula: &Formula,
    wanted: SemiDeterministicKind,
    given: &[Automaton],
) -> Automaton {
    let mut best: Option<Automaton> = None;
    let mut starts: Vec<Automaton> = given.to_vec();
    let few = |condition: &Condition| condition.disjunct_count() <= MAX_DISJUNCTS;
    let candidates = deterministic::candidates(formula).into_iter();
    let candidates = candidates
        .filter(|found| few(found.automaton.acceptance().condition()))
        .take(MAX_DETERMINISTIC);
    starts.extend(
        candidates.map(|found| convert::to_generalized_buchi(&found.automaton).into_automaton()),
    );
    starts.extend(limit_deterministic(formula));
    starts.sort_by_key(size);
    for start in &starts {
        if best.as_ref().is_some_and(|best| best.state_count() <= 1) {
            break;
        }
        attempt(start, wanted, &mut best);
    }
    best.unwrap_or_else(|| {
        let start = given.first().map_or_else(|| crate::tableau::translate(formula), Clone::clone);
        let found = wanted.determinizer().steps(usize::MAX).run(&start);
        let found = found.unwrap_or_else(|error| unreachable!("there is no limit: {error}"));
        placed(found, wanted)
    })
}

/// The limit-deterministic automata of a formula, in all forms that are found within bounds. They
/// are cut-deterministic.
pub fn limit_deterministic(formula: &Formula) -> Vec<Automaton> {
    let mut workshop = workshop_of(formula, BOUNDS);
    let simple = simplified(&mut workshop, formula);
    let found = Form::ALL.into_iter().filter_map(|form| {
        let automaton = ldba::automaton(&mut workshop, &simple, form)?;
        Some(prune::trim(&automaton))
    });
    found.collect()
}

/// Makes a start semi-deterministic, and keeps the result if it is the smallest so far.
fn attempt(start: &Automaton, wanted: SemiDeterministicKind, best: &mut Option<Automaton>) {
    let mut way = wanted.determinizer().effort(EFFORT);
    if let Some(best) = best {
        if start.state_count() > FAR_LARGER.0 * best.state_count() + FAR_LARGER.1 {
            return;
        }
        way = way.steps(BOUND.0 * best.edge_count() + BOUND.1);
    }
    let Ok(found) = way.run(start) else { return };
    let found = placed(way.reduce(&found), wanted);
    if best.as_ref().is_none_or(|best| size(&found) < size(best)) {
        *best = Some(found);
    }
}

/// The automaton with its marks where they are wanted, reduced as far as its kind allows.
fn placed(automaton: Automaton, wanted: SemiDeterministicKind) -> Automaton {
    if wanted.placement == Placement::Generalized {
        return automaton;
    }
    let degeneralizer = Degeneralizer::default();
    let degeneralize = |automaton: &Automaton| {
        let generalized = convert::to_generalized_buchi(automaton);
        match wanted.placement {
            Placement::States => degeneralizer.state_based(&generalized),
            _ => degeneralizer.transition_based(&generalized),
        }
    };
    let mut best = if wanted.includes(&automaton) { automaton } else { degeneralize(&automaton) };
    loop {
        let reduced = wanted.determinizer().reduce(&best);
        let next = if wanted.includes(&reduced) { reduced } else { degeneralize(&reduced) };
        if size(&next) >= size(&best) || !wanted.includes(&next) {
            return best;
        }
        best = next;
    }
}
