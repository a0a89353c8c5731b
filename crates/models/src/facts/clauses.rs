//! Facts that follow from the set of valuations that occur.

use sempre_ltl::rewrite::{ExclusiveSet, conjunction};
use sempre_ltl::{Formula, Prop};
use std::collections::BTreeSet;

/// A proposition by its number, or its negation.
pub(super) type Literal = (usize, bool);

/// The valuations that occur, of some propositions: bit i is the value of the i-th one.
#[derive(Clone, Debug, Default)]
pub(super) struct Valuations(pub(super) BTreeSet<u64>);

impl Valuations {
    /// True if some valuation satisfies all literals.
    pub(super) fn satisfy(&self, literals: &[Literal]) -> bool {
        let holds =
            |valuation: u64, (number, value): Literal| (valuation >> number & 1 == 1) == value;
        self.0.iter().any(|valuation| literals.iter().all(|literal| holds(*valuation, *literal)))
    }

    /// Returns the minimal sets of at most `most` literals that no valuation satisfies together.
    pub(super) fn contradictions(&self, count: usize, most: usize) -> Vec<Vec<Literal>> {
        let mut found: Vec<Vec<Literal>> = Vec::new();
        let mut open: Vec<Vec<Literal>> = vec![Vec::new()];
        for _ in 0..most {
            let mut longer = Vec::new();
            for set in &open {
                let first = set.last().map_or(0, |(number, _)| number + 1);
                for literal in (first..count).flat_map(|number| [(number, true), (number, false)]) {
                    let mut set = set.clone();
                    set.push(literal);
                    if found.iter().any(|less| less.iter().all(|literal| set.contains(literal))) {
                        continue;
                    }
                    match self.satisfy(&set) {
                        true => longer.push(set),
                        false => found.push(set),
                    }
                }
            }
            open = longer;
        }
        found
    }
}

/// Returns the constraint that the literals never hold together, as an implication where that reads
/// better.
pub(super) fn exclusion(props: &[Prop], literals: &[Literal]) -> Formula {
    let of = |(number, value): Literal| {
        let prop = Formula::from(&props[number]);
        if value { prop } else { Formula::not(prop) }
    };
    let opposite = |(number, value): Literal| of((number, !value));
    let (positive, negative): (Vec<Literal>, Vec<Literal>) =
        literals.iter().copied().partition(|(_, value)| *value);
    match (&positive[..], &negative[..]) {
        ([], [one]) => opposite(*one),
        ([], _) => Formula::or(negative.into_iter().map(opposite)),
        ([one], []) => opposite(*one),
        (_, []) => Formula::not(Formula::and(positive.into_iter().map(of))),
        (_, [one]) => Formula::implies(conjunction(positive.into_iter().map(of)), opposite(*one)),
        _ => Formula::implies(
            conjunction(positive.into_iter().map(of)),
            Formula::or(negative.into_iter().map(opposite)),
        ),
    }
}

/// Groups pairs of propositions that exclude each other into sets in which any two do. Each pair is
/// in one of these sets. Greedy.
pub(super) fn cliques(pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let is_pair = |a: usize, b: usize| pairs.contains(&(a.min(b), a.max(b)));
    let mut covered: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut cliques = Vec::new();
    for (left, right) in pairs {
        if covered.contains(&(*left, *right)) {
            continue;
        }
        let mut clique = vec![*left, *right];
        let mut candidates: Vec<usize> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        candidates.sort_unstable();
        candidates.dedup();
        for candidate in candidates {
            if !clique.contains(&candidate) && clique.iter().all(|own| is_pair(*own, candidate)) {
                clique.push(candidate);
            }
        }
        clique.sort_unstable();
        for (place, a) in clique.iter().enumerate() {
            covered.extend(clique[place + 1..].iter().map(|b| (*a, *b)));
        }
        cliques.push(clique);
    }
    cliques
}

/// Returns the set of the propositions with these numbers.
pub(super) fn exclusive(props: &[Prop], numbers: &[usize]) -> ExclusiveSet {
    ExclusiveSet::new(numbers.iter().map(|number| props[*number].clone()))
}
