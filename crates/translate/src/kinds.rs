//! Conversion of generalized Büchi automata to other kinds.

use crate::choices::{Effort, Kind};
use crate::postprocess::{self, Language};
use sempre_automata::degeneralize::Degeneralizer;
use sempre_automata::reduce::{self, Level};
use sempre_automata::{
    Automaton, GeneralizedBuchi, Marks, Named, Sccs, complement, determinize, state_based,
};

/// Converts a generalized Büchi automaton to an automaton of this kind for the same language.
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
        // These are translated from formulas.
        Kind::Det | Kind::Dpa | Kind::Dra | Kind::Dgra => automaton,
        Kind::Sdba | Kind::Sdtba | Kind::Sdtgba | Kind::Cdba | Kind::Cdtba | Kind::Cdtgba => {
            automaton
        }
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

/// Converts an unambiguous generalized Büchi automaton to this kind and preserves unambiguity: the
/// word read so far determines the copy of a state, so the number of runs does not change.
pub(crate) fn unambiguous_of_kind(
    automaton: Automaton,
    kind: Kind,
    language: &mut Language<'_>,
) -> Automaton {
    let degeneralizer = Degeneralizer::default();
    match kind {
        Kind::Tba if automaton.acceptance().marks() != 1 => {
            degeneralizer.transition_based(&GeneralizedBuchi::from(&automaton))
        }
        Kind::Ba => degeneralizer.state_based(&GeneralizedBuchi::from(&automaton)),
        // The conversion keeps the edges, or the result is deterministic.
        _ => of_kind(automaton, kind, Effort::Low, language),
    }
}

/// Returns a Büchi automaton with marks on transitions.
fn transition_based(automaton: Automaton) -> Automaton {
    if automaton.acceptance().marks() == 1 {
        return automaton;
    }
    let degeneralized =
        Degeneralizer::default().transition_based(&GeneralizedBuchi::from(&automaton));
    let reduced = reduce::reduce(&degeneralized, Level::Medium);
    if reduced.acceptance().marks() == 1 { reduced } else { degeneralized }
}

/// Returns the smallest deterministic automaton for the words whose every prefix is a prefix of an
/// accepted word.
fn monitor(automaton: &Automaton) -> Automaton {
    // All states of the closure have infinite runs, so those of the same language are bisimilar.
    reduce::bisimulation::quotient(&determinize::safety_closure(automaton))
}

/// Marks the states of accepting components for Büchi acceptance, if no component has both
/// accepting and rejecting cycles.
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

/// Marks the edges of rejecting components for co-Büchi acceptance, if no component has both
/// accepting and rejecting cycles.
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

/// Complements a deterministic Büchi automaton.
fn deterministic_to_co_buchi(negation: &Automaton) -> Option<Automaton> {
    let complement = complement::deterministic(negation).ok()?;
    (*complement.acceptance() == Named::CoBuchi.acceptance()).then_some(complement)
}
