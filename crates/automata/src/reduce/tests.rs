use super::*;
use crate::arbitrary;
use crate::test_language::same_language;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn reductions_keep_the_language(automaton in arbitrary::automaton()) {
        for level in [Level::Low, Level::Medium, Level::High] {
            let reduced = reduce(&automaton, level);
            prop_assert!(same_language(&automaton, &reduced), "{level:?}");
            prop_assert!(reduced.state_count() <= automaton.state_count());
            let again = reduce(&reduced, level);
            prop_assert_eq!(size(&again), size(&reduced));
        }
    }
}
