//! The classic tableau has the sizes that were published for it.

use sempre_ltl::generate::OperatorSet;
use sempre_translate::classic::sizes::{FORMULA_SIZES, measure, published};

/// The binary `gpvw-sizes` does the same with more formulas. Fewer than the report's thousand
/// make the means vary more, and those of transitions much more: few formulas have most of them.
#[test]
fn mean_sizes_are_the_published_ones() {
    for operators in [OperatorSet::Op1, OperatorSet::Op2] {
        for size in FORMULA_SIZES {
            let (states, edges) = measure(operators, size, 400, 1).unwrap();
            let (wanted_states, wanted_edges) = published(operators, size).unwrap();
            assert!(states.agrees_with(wanted_states, 0.15), "{operators:?} {size}: {states:?}");
            assert!(edges.agrees_with(wanted_edges, 0.4), "{operators:?} {size}: {edges:?}");
        }
    }
}
