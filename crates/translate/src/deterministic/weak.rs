//! Minimal deterministic weak automata of obligations, from after-formulas.
//!
//! The states are the classes of after-formulas. In an obligation all cycles of one component agree,
//! so that one word for each component, judged by the semantics of the formula, tells whether it is
//! accepting (the idea of Dax, Eisinger and Klaedtke, ATVA 2007, who have it for powersets). Then the
//! automaton is minimized (Löding, IPL 2001). There may be doubly exponentially many classes.

use super::explore::{Bounds, Explored, explore};
use crate::after::{Class, Space};
use sempre_automata::wdba::Minimizer;
use sempre_automata::{Automaton, Label, Marks, Named, SccId, Sccs, StateId};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Word, interrupt};

/// The minimal deterministic weak automaton of an obligation, over the alphabet of a space and
/// within bounds. For other formulas the result has another language.
pub(crate) fn minimal_in(
    space: &mut Space,
    formula: &Formula,
    bounds: Bounds,
) -> Option<Automaton> {
    let Explored { automaton, .. } = classes(space, formula, bounds)?;
    let judged = judged(&automaton, formula);
    Minimizer::new().minimize_obligation(&judged).minimal()
}

/// The classes of after-formulas as states, without marks; false is left out.
pub(crate) fn classes(
    space: &mut Space,
    formula: &Formula,
    bounds: Bounds,
) -> Option<Explored<Class>> {
    let alphabet = space.alphabet().clone();
    let start = space.class(formula);
    explore(&alphabet, Named::All.acceptance(), start, bounds, |class, found| {
        for (label, rest) in space.steps(*class).iter() {
            let next = space.after(*rest);
            if next != Class::FALSE {
                found.push((*label, Marks::EMPTY, next));
            }
        }
        (!space.is_exhausted()).then_some(())
    })
}

/// The automaton with Büchi acceptance, in which the edges of a component are marked if one word
/// that stays in it satisfies the formula.
fn judged(automaton: &Automaton, formula: &Formula) -> Automaton {
    let sccs = Sccs::of(automaton);
    let evaluator = Evaluator::new(formula);
    let lassos = Lassos::of(automaton, &sccs);
    let accepting: Vec<bool> = sccs
        .iter()
        .map(|scc| {
            !sccs.is_trivial(scc) && {
                interrupt::poll();
                evaluator.holds(&lassos.word(scc))
            }
        })
        .collect();
    let mut builder = automaton.edit();
    builder.acceptance(Named::Buchi.acceptance());
    builder.retain_edges(|source, edge| {
        let scc = sccs.component(source).filter(|_| sccs.is_inside(source, edge.target));
        let accepts = scc.is_some_and(|scc| accepting[scc.index()]);
        edge.marks = if accepts { Marks::from_iter([0]) } else { Marks::EMPTY };
        true
    });
    builder.build()
}

/// Words that lead to components and stay there.
struct Lassos<'a> {
    automaton: &'a Automaton,
    sccs: &'a Sccs,
    /// How each state was first reached.
    parents: Vec<Option<(StateId, Label)>>,
}

impl<'a> Lassos<'a> {
    fn of(automaton: &'a Automaton, sccs: &'a Sccs) -> Self {
        let mut parents = vec![None; automaton.state_count()];
        let starts = automaton.initial().to_vec();
        search(
            automaton,
            starts,
            |_| true,
            |state, step| {
                parents[state.index()] = Some(step);
                false
            },
        );
        Lassos { automaton, sccs, parents }
    }

    /// A word whose run stays in a component that has a cycle.
    fn word(&self, scc: SccId) -> Word {
        let start = self.sccs.states(scc)[0];
        let prefix = self.path(&self.parents, start, None);
        let mut parents = vec![None; self.automaton.state_count()];
        let mut last = None;
        let inside = |state: StateId| self.sccs.component(state) == Some(scc);
        search(self.automaton, vec![start], inside, |state, step| {
            if state == start {
                last = Some(step);
                return true;
            }
            parents[state.index()] = Some(step);
            false
        });
        let mut cycle = vec![];
        if let Some((source, label)) = last {
            cycle = self.path(&parents, source, Some(start));
            cycle.push(label);
        }
        let alphabet = self.automaton.alphabet();
        let letter = |label: &Label| alphabet.some_valuation(*label).unwrap_or_default();
        let letters: Vec<Vec<usize>> = prefix.iter().chain(&cycle).map(letter).collect();
        let props = alphabet.props().iter().cloned();
        Word::from_fn(props, prefix.len(), cycle.len(), |position, prop| {
            letters[position].contains(&prop)
        })
        .unwrap_or_else(|_| unreachable!("a component with an edge has a cycle"))
    }

    /// The labels on the way to a state that the parents tell, from the first state.
    fn path(
        &self,
        parents: &[Option<(StateId, Label)>],
        end: StateId,
        from: Option<StateId>,
    ) -> Vec<Label> {
        let mut labels = vec![];
        let mut here = end;
        while Some(here) != from
            && !(from.is_none() && self.automaton.initial().contains(&here))
            && let Some((source, label)) = parents[here.index()]
        {
            labels.push(label);
            here = source;
        }
        labels.reverse();
        labels
    }
}

/// Searches breadth first, inside a part of the automaton, and reports the first step to each state
/// but the starts, and each step to these; ends when `found` returns true.
fn search(
    automaton: &Automaton,
    starts: Vec<StateId>,
    inside: impl Fn(StateId) -> bool,
    mut found: impl FnMut(StateId, (StateId, Label)) -> bool,
) {
    let mut seen = vec![false; automaton.state_count()];
    starts.iter().for_each(|start| seen[start.index()] = true);
    let is_start: Vec<StateId> = starts.clone();
    let mut queue = starts;
    let mut next = 0;
    while let Some(&state) = queue.get(next) {
        next += 1;
        for edge in automaton.edges_from(state).iter().filter(|edge| inside(edge.target)) {
            let fresh = !seen[edge.target.index()];
            if (fresh || is_start.contains(&edge.target)) && found(edge.target, (state, edge.label))
            {
                return;
            }
            if fresh {
                seen[edge.target.index()] = true;
                queue.push(edge.target);
            }
        }
    }
}
