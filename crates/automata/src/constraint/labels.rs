//! Shorter labels under a constraint.
//!
//! Letters that violate the constraint do not occur, so a label may contain them or not. Any label
//! between `label & constraint` and `label | !constraint` will do. The algorithm of Minato and
//! Morreale covers it by cubes, and the shortest of several such labels is taken.

use crate::{Alphabet, Automaton, Error, Label};
use rustc_hash::FxHashMap;
use sempre_ltl::{Formula, interrupt};

/// The maximal number of cubes of a label that is considered.
const MAX_CUBES: usize = 4096;

/// Returns the number of occurrences of propositions in all labels, each written as an irredundant
/// sum of cubes.
pub fn label_length(automaton: &Automaton) -> usize {
    let mut known: FxHashMap<Label, usize> = FxHashMap::default();
    let lengths = automaton.edges().iter().map(|edge| {
        let length = || length(automaton.alphabet(), edge.label);
        *known.entry(edge.label).or_insert_with(length)
    });
    lengths.fold(0, usize::saturating_add)
}

/// Replaces each label by the shortest one found that has the same letters among those that satisfy
/// a Boolean constraint. States and edges stay the same; the language may gain or lose words that
/// violate the constraint. No label becomes longer.
///
/// States whose edges have disjoint labels keep them disjoint, so a deterministic or
/// semi-deterministic automaton stays so.
///
/// # Errors
/// If the constraint has temporal operators, or no valuation satisfies it.
pub fn simplify_labels(automaton: &Automaton, constraint: &Formula) -> Result<Automaton, Error> {
    let alphabet = automaton.alphabet();
    let allowed = super::label(alphabet, constraint)?;
    let mut labels: Vec<Label> = automaton.edges().iter().map(|edge| edge.label).collect();
    for state in automaton.states() {
        interrupt::poll();
        let range = automaton.edge_range(state);
        let is_disjoint = alphabet.pairwise_disjoint(labels[range.clone()].iter().copied());
        for edge in range.clone() {
            let others = match is_disjoint {
                true => alphabet.any_of(range.clone().filter(|i| *i != edge).map(|i| labels[i])),
                false => alphabet.ff(),
            };
            labels[edge] = shortest(alphabet, labels[edge], allowed, others);
        }
    }
    let mut labels = labels.into_iter();
    let mut builder = automaton.edit();
    builder.clear_name().retain_edges(|_, edge| {
        edge.label = labels.next().unwrap_or(edge.label);
        true
    });
    Ok(builder.build())
}

/// Returns a short label that agrees with `label` on the allowed letters, disjoint from `others`.
fn shortest(alphabet: &Alphabet, label: Label, allowed: Label, others: Label) -> Label {
    let lower = alphabet.and(label, allowed);
    // An edge that no allowed letter takes is kept: edges do not change.
    if lower == alphabet.ff() {
        return label;
    }
    let upper = alphabet.minus(alphabet.or(label, alphabet.not(allowed)), others);
    let direct = alphabet.between(lower, upper, MAX_CUBES);
    let opposite = alphabet.between(alphabet.not(upper), alphabet.not(lower), MAX_CUBES);
    let candidates = [direct, opposite.map(|label| alphabet.not(label)), Some(lower)];
    let mut best = (length(alphabet, label), label);
    for candidate in candidates.into_iter().flatten() {
        let length = length(alphabet, candidate);
        if length < best.0 {
            best = (length, candidate);
        }
    }
    best.1
}

/// Returns the number of literals of the cover of a label; `usize::MAX` if it has too many cubes.
fn length(alphabet: &Alphabet, label: Label) -> usize {
    let cubes = alphabet.cubes_up_to(label, MAX_CUBES);
    cubes.map_or(usize::MAX, |cubes| cubes.iter().map(Vec::len).sum())
}
