//! The three constructions agree, as they are and from end to end; the binary `translation-agreement` tries many more formulas.

use proptest::prelude::*;
use sempre_ltl::arbitrary;
use sempre_ltl::generate::Rng;
use sempre_translate::agreement::{CONSTRUCTIONS, TRANSLATORS, disagreement};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn all_constructions_agree(formula in arbitrary::formula(12), seed in any::<u64>()) {
        for constructions in [CONSTRUCTIONS, TRANSLATORS] {
            let found = disagreement(&formula, &constructions, 10, &mut Rng::new(seed));
            prop_assert!(found.is_none(), "{}", found.unwrap());
        }
    }
}
