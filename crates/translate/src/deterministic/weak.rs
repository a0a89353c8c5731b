//! Minimal deterministic weak automata of obligations, from after-formulas.
//!
//! The states are the classes of after-formulas. In an obligation all cycles of a component have
//! the same verdict. So one word for each component, judged by the semantics of the formula,
//! decides whether it is accepting (after Dax, Eisinger and Klaedtke, ATVA 2007, for powersets).
//! Then the automaton is minimized (Löding, IPL 2001). The number of classes may be doubly
//! exponential.

use super::explore::{Bounds, Explored, explore};
#[cfg(test)]
use crate::after::fixpoints;
use crate::after::{Class, Space};
use sempre_automata::wdba::Minimizer;
use sempre_automata::{Automaton, Label, Marks, Named, SccId, Sccs, StateId};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Word, interrupt};

/// Returns the minimal deterministic weak automaton of an obligation, over the alphabet of a space
/// and within limits. For other formulas the result has another language.
pub(crate) fn minimal_in(
    space: &mut Space,
    formula: &Formula,
    bounds: Bounds,
) -> Option<Automaton> {
    let Explored { automaton, .. } = classes(space, formula, bounds)?;
    let judged = judged(&automaton, formula);
    Minimizer::new().minimize_obligation(&judged).minimal()
}

/// As [`minimal_in`], but a component is accepting if greatest fixpoints are true and least ones and
/// literals false in one of its formulas: wrong, for tests.
#[cfg(test)]
pub(crate) fn minimal_by_fixpoints(
    space: &mut Space,
    formula: &Formula,
    bounds: Bounds,
) -> Option<Automaton> {
    let Explored { automaton, states } = classes(space, formula, bounds)?;
    let mut verdict = |atom: &Formula| match fixpoints::is_greatest(atom.op()) {
        true => Formula::tt(),
        false => Formula::ff(),
    };
    let accepting: Vec<bool> = states
        .iter()
        .map(|class| space.replaced_next(*class, &mut verdict) == Class::TRUE)
        .collect();
    let judged = marked(&automaton, |source, _| accepting[source.index()]);
    Minimizer::new().minimize_obligation(&judged).minimal()
}

/// Builds the automaton of the classes of after-formulas, without marks and without false.
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

/// Adds Büchi acceptance: the edges of a component are marked if a word that stays in it satisfies
/// the formula.
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
    marked(automaton, |source, target| {
        let scc = sccs.component(source).filter(|_| sccs.is_inside(source, target));
        scc.is_some_and(|scc| accepting[scc.index()])
    })
}

/// Marks some edges, by source and target, and sets Büchi acceptance.
fn marked(automaton: &Automaton, accepts: impl Fn(StateId, StateId) -> bool) -> Automaton {
    let mut builder = automaton.edit();
    builder.acceptance(Named::Buchi.acceptance());
    builder.retain_edges(|source, edge| {
        let accepts = accepts(source, edge.target);
        edge.marks = if accepts { Marks::from_iter([0]) } else { Marks::EMPTY };
        true
    });
    builder.build()
}

/// Words that lead to components and stay there.
struct Lassos<'a> {
    automaton: &'a Automaton,
    sccs: &'a Sccs,
    /// By state, its parent in a breadth-first search.
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

    /// Returns a word whose run stays in a component with a cycle.
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

    /// Returns the labels on the path to a state by the parents, from the first state.
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

/// Runs a breadth-first search inside a part of the automaton. Reports the first step to each new
/// state, and each step to a start; ends when `found` returns true.
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
