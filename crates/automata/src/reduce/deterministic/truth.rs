//! Acceptance conditions by their truth tables: by set of marks, whether it is accepted.

use crate::acceptance::{Acceptance, Condition};
use crate::marks::Marks;

/// The maximal number of marks of a truth table.
pub(super) const MAX_MARKS: u32 = 4;

/// Returns the disjunction of few conjunctions of few terms with this truth table.
pub(super) fn acceptance(marks: u32, accepts: impl Fn(u64) -> bool) -> Acceptance {
    let sets = 0..1u64 << marks;
    let covers = |(fin, inf): (u64, u64), set: u64| set & fin == 0 && set & inf == inf;
    let pairs = sets.clone().flat_map(|fin| sets.clone().map(move |inf| (fin, inf)));
    let mut cubes: Vec<(u64, u64)> = pairs
        .filter(|&(fin, inf)| fin & inf == 0)
        .filter(|cube| sets.clone().all(|set| !covers(*cube, set) || accepts(set)))
        .collect();
    // Among cubes that cover as many open sets, the first one is taken.
    cubes.sort_by_key(|(fin, inf)| (fin.count_ones() + inf.count_ones(), *fin, *inf));
    let mut open: Vec<u64> = sets.filter(|set| accepts(*set)).collect();
    let mut disjuncts = vec![];
    while !open.is_empty() {
        let gain = |cube: &(u64, u64)| open.iter().filter(|set| covers(*cube, **set)).count();
        let best = cubes.iter().rev().max_by_key(|cube| gain(cube)).copied();
        let (fin, inf) = best.unwrap_or_else(|| unreachable!("an accepted set is a cube"));
        open.retain(|set| !covers((fin, inf), *set));
        let fin_terms = Marks::from_bits(fin);
        let inf_terms = Marks::from_bits(inf);
        let terms = inf_terms.iter().map(Condition::Inf);
        disjuncts.push(Condition::and(terms.chain(fin_terms.iter().map(Condition::Fin))));
    }
    Acceptance::new(marks, Condition::or(disjuncts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_their_truth_tables() {
        for marks in 0..=3 {
            let sets = 1u64 << marks;
            for table in 0..1u64 << sets {
                let found = acceptance(marks, |set| table >> set & 1 == 1);
                for set in 0..sets {
                    let accepted = found.accepts(&Marks::from_bits(set));
                    assert_eq!(accepted, table >> set & 1 == 1, "{found:?} on {set:b}");
                }
            }
        }
        let parity = acceptance(3, |set| set != 0 && set.trailing_zeros() % 2 == 0);
        assert_eq!(parity.condition().to_string(), "Inf(0) | (Inf(2) & Fin(1))");
    }
}
