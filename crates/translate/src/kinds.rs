//! From generalised Büchi automata to automata of other kinds.

use crate::choices::{Effort, Kind};
use crate::postprocess::{self, Language};
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::reduce::{self, Level};
use sempre_automata::{Automaton, Marks, Named, Sccs, complement, determinize, state_based};

/// An automaton of that kind for the language of a generalised Büchi automaton.
pub(crate) fn of_kind(
    automaton: Automaton,
    kind: Kind,
    effort: Effort,
    language: &mut Language<'_>,
) -> Automaton {
    match kind {
        Kind::Tgba if effort == Effort::High => postprocess::with_fewer_marks(automaton, language),
        Kind::Tgba => automaton,
        Kind::Tba => transition_based(automaton),
        Kind::Ba => postprocess::state_based(&automaton, language),
        Kind::Gba if automaton.is_state_based() => automaton,
        Kind::Gba => state_based(&automaton),
        Kind::Monitor => monitor(&automaton),
        // They are made from formulas.
        Kind::Det | Kind::Dpa | Kind::Dra | Kind::Dgra => automaton,
        Kind::CoBuchi => weak_to_co_buchi(&automaton)
            .or_else(|| {
                let negation = language.complement()?.clone();
                deterministic_to_co_buchi(&transition_based(negation))
            })
            .unwrap_or(automaton),
        Kind::Weak | Kind::Terminal => {
            let wanted = |weak: &Automaton| kind.includes(weak);
            let direct = weak(&automaton).filter(wanted);
            direct
                .or_else(|| {
                    let minimal = postprocess::deterministic(&automaton, || None, language)?;
                    weak(&minimal).filter(wanted)
                })
                .unwrap_or(automaton)
        }
    }
}

/// An automaton of that kind for the language of an unambiguous generalised Büchi automaton, in
/// which every word still has at most one accepting run: copies of states are told apart by what
/// has been read, so that there are as many runs as before.
pub(crate) fn unambiguous_of_kind(
    automaton: Automaton,
    kind: Kind,
    language: &mut Language<'_>,
) -> Automaton {
    let degeneralizer = Degeneralizer::default();
    let degeneralized = match kind {
        Kind::Tba if automaton.acceptance().marks() != 1 => {
            degeneralizer.transition_based(&automaton)
        }
        Kind::Ba => degeneralizer.state_based(&automaton),
        // Edges stay, or the result is deterministic.
        _ => return of_kind(automaton, kind, Effort::Low, language),
    };
    degeneralized.unwrap_or_else(|_| unreachable!("constructions give generalised Büchi automata"))
}

/// A Büchi automaton with marks on transitions.
fn transition_based(automaton: Automaton) -> Automaton {
    if automaton.acceptance().marks() == 1 {
        return automaton;
    }
    let degeneralized = Degeneralizer::default()
        .transition_based(&automaton)
        .unwrap_or_else(|_| unreachable!("constructions give generalised Büchi automata"));
    let reduced = reduce::reduce(&degeneralized, Level::Medium);
    if reduced.acceptance().marks() == 1 { reduced } else { degeneralized }
}

/// The smallest deterministic automaton that accepts the words all of whose prefixes can be
/// continued to an accepted word.
fn monitor(automaton: &Automaton) -> Automaton {
    // All states of the closure can go on for ever, so that those of the same language are
    // bisimilar.
    reduce::bisimulation::quotient(&determinize::safety_closure(automaton))
}

/// The automaton with Büchi acceptance and the states of accepting components marked, if no
/// component has accepting and rejecting cycles.
fn weak(automaton: &Automaton) -> Option<Automaton> {
    if !automaton.is_inherently_weak() {
        return None;
    }
    let sccs = Sccs::of(automaton);
    let accepting = sccs.accepting(automaton);
    let mut builder = automaton.edit();
    builder.acceptance(Named::Buchi.acceptance());
    builder.retain_edges(|source, edge| {
        let accepts = sccs.component(source).is_some_and(|scc| accepting[scc.index()]);
        edge.marks = if accepts { Marks::from_iter([0]) } else { Marks::EMPTY };
        true
    });
    Some(builder.build())
}

/// The automaton with the edges of rejecting components marked as not to be seen for ever, if no
/// component has accepting and rejecting cycles.
fn weak_to_co_buchi(automaton: &Automaton) -> Option<Automaton> {
    if !automaton.is_inherently_weak() {
        return None;
    }
    let sccs = Sccs::of(automaton);
    let accepting = sccs.accepting(automaton);
    let mut builder = automaton.edit();
    builder.acceptance(Named::CoBuchi.acceptance());
    builder.retain_edges(|source, edge| {
        let accepts = sccs.component(source).is_some_and(|scc| accepting[scc.index()]);
        let rejects = sccs.is_inside(source, edge.target) && !accepts;
        edge.marks = if rejects { Marks::from_iter([0]) } else { Marks::EMPTY };
        true
    });
    Some(builder.build())
}

/// The complement of a deterministic Büchi automaton.
fn deterministic_to_co_buchi(negation: &Automaton) -> Option<Automaton> {
    let complement = complement::deterministic(negation).ok()?;
    (*complement.acceptance() == Named::CoBuchi.acceptance()).then_some(complement)
}
