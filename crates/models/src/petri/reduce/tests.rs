//! Each rule on a net where it applies, and on one where a side condition fails.

use super::{Observed, PropertyClass, Reduction, reduce};
use crate::petri::text;

/// The names of the places and the numbers of steps that are left, if something is removed.
fn left(net: &str, observed: &str, kept: PropertyClass) -> Option<(Vec<String>, Vec<usize>)> {
    let net = text::parse(net).unwrap();
    let observed = Observed::by(&net, observed.split(',')).unwrap().unwrap();
    let Reduction { net, steps } = reduce(&net, &observed, kept)?;
    let places = net.places().map(|place| net.place_name(place).to_owned()).collect();
    Some((places, steps.iter().map(Vec::len).collect()))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Whether a place remains if steps may be joined.
fn remains(net: &str, observed: &str, place: &str) -> bool {
    let left = left(net, observed, PropertyClass::StutterInvariant);
    left.is_none_or(|(places, _)| places.iter().any(|other| other == place))
}

#[test]
fn what_never_happens_is_removed() {
    let net = "pl a (1) pl never (0)  tr t a -> b  tr u b never -> a";
    assert_eq!(left(net, "a,b", PropertyClass::All), Some((names(&["a", "b"]), vec![1])));
    assert_eq!(left(net, "a,b,never,fireable(u)", PropertyClass::All), None);
    // A step cannot happen if it needs the tokens that inhibit it.
    let net = "pl a (2)  tr t a*2 a?-2 -> b*2  tr u a*2 -> a b";
    assert_eq!(left(net, "a,b", PropertyClass::All), Some((names(&["a", "b"]), vec![1])));
    let net = "pl a (2)  tr t a a?-2 -> b  tr u a*2 -> a b";
    assert_eq!(left(net, "a,b", PropertyClass::All), None);
}

#[test]
fn places_that_disable_nothing_are_removed() {
    let net = "pl a (1) pl lock (1)  tr t a lock -> b lock  tr u b -> a done";
    assert_eq!(left(net, "a,b", PropertyClass::All), Some((names(&["a", "b"]), vec![1, 1])));
    // Two locks are needed, so nothing ever happens.
    let net = "pl a (1) pl lock (1)  tr t a lock*2 -> b lock*2  tr u b -> a";
    assert_eq!(left(net, "a,b", PropertyClass::All), Some((names(&["a", "b"]), vec![])));
    // Of two locks one is lost each time, or they come later.
    for net in [
        "pl a (1) pl lock (2)  tr t a lock*2 -> b lock  tr u b -> a",
        "pl a (1)  tr t a lock -> b lock  tr u b -> a  tr v a -> b lock",
    ] {
        assert_eq!(left(net, "a,b", PropertyClass::All), None, "{net}");
    }
}

#[test]
fn places_that_another_one_implies_are_removed() {
    let net = "pl a (1) pl c (2)  tr t a c -> b  tr u b -> a c";
    assert_eq!(left(net, "a,b", PropertyClass::All), Some((names(&["a", "b"]), vec![1, 1])));
    assert_eq!(left(net, "a,b,c", PropertyClass::All), None);
    // With as many tokens as `a` it must not need more, and with fewer it needs too much.
    let net = "pl a (1) pl c (1)  tr t a c -> b  tr u b -> a c";
    assert_eq!(left(net, "a,b", PropertyClass::All), Some((names(&["a", "b"]), vec![1, 1])));
    for net in [
        "pl a (2) pl c (2)  tr t a c*2 -> b c  tr u b -> a c",
        "pl a (2) pl c (1)  tr t a c -> b  tr u b -> a c",
    ] {
        assert_eq!(left(net, "a,b", PropertyClass::All), None, "{net}");
    }
}

#[test]
fn the_least_demanding_of_equal_transitions_is_kept() {
    let net = "pl a (2)  tr t a -> b  tr u a*2 -> a b  tr back b -> a";
    assert_eq!(left(net, "a,b", PropertyClass::All), Some((names(&["a", "b"]), vec![1, 1])));
    assert_eq!(left(net, "fireable(u),fireable(t),b", PropertyClass::All), None);
    let net = "pl a (2)  tr u a*2 -> a b  tr t a -> b  tr back b -> a";
    assert_eq!(left(net, "fireable(u),b", PropertyClass::All), None);
    // Of two steps each may need something that the other one does not.
    let net = "pl a (1) pl e (1)  tr t a e -> b e  tr u a c -> b c  tr v e -> c  \
               tr w c -> e  tr back b -> a";
    assert_eq!(left(net, "a,b,c,e", PropertyClass::All), None);
    // The transition that is inhibited earlier demands more.
    let net = "pl a (3)  tr t a a?-2 -> b  tr u a a?-3 -> b";
    assert_eq!(left(net, "a,b", PropertyClass::All), Some((names(&["a", "b"]), vec![1])));
    let net = "pl a (3)  tr t a a?-3 -> b  tr u a b?-2 -> b";
    assert_eq!(left(net, "a,b", PropertyClass::All), None);
    let net = "pl a (3)  tr t a*2 a?-3 -> a b  tr u a a?-2 -> b";
    assert_eq!(left(net, "a,b", PropertyClass::All), None);
}

#[test]
fn only_places_disappear_that_are_empty_between_steps() {
    let net = "pl a (1)  tr t a -> b  tr u b -> c  tr v c -> a";
    assert!(!remains(net, "a", "b"));
    for net in [
        "pl a (1) pl b (1)  tr t a -> b  tr u b -> c  tr v c -> a",
        "pl a (1)  tr t a -> b  tr s b -> b d  tr u b -> c  tr v c -> a  tr w d*2 -> c",
        "pl a (1)  tr t a -> b*2  tr u b -> c  tr v c*2 -> a",
        "pl a (1)  tr t a -> b*2  tr s a -> b  tr u b*2 -> c  tr v c -> a",
    ] {
        assert!(remains(net, "a", "b"), "{net}");
    }
}

#[test]
fn steps_that_are_asked_for_or_need_more_are_not_joined() {
    let net = "pl a (1)  tr t a -> b  tr u b -> c  tr v c -> a";
    for observed in ["a,b", "a,fireable(t)", "a,fireable(u)"] {
        assert!(remains(net, observed, "b"), "{observed}");
    }
    // It is seen when `u` can happen.
    let net = "pl d (1)  tr s d -> e  tr t e -> b  tr u b -> d";
    assert!(remains(net, "d,fireable(u)", "e"));
    // The second step must not come too soon, or the first one too late.
    let net = "pl a (1)  tr t a -> b  tr u b d?-1 -> c  tr v c -> a  tr w c -> a d  tr x d -> e";
    assert!(remains(net, "a", "b"));
    let waits = "pl e (1) pl i (1)  tr t i -> b  tr u b e -> f  tr w f -> e i";
    assert!(!remains(waits, "e,f", "b"));
    let waits = "pl e (1) pl i (1)  tr t i f?-1 -> b  tr u b e -> f  tr w f -> e i";
    assert!(remains(waits, "e,f", "b"));
    let waits = "pl e (1) pl i (1)  tr t i -> b g  tr u b e -> f  tr w f g -> e i";
    assert!(remains(waits, "e,f", "b"));
    // Without an input it may happen for ever, and nothing else.
    let waits = "pl e (1)  tr t -> b  tr u b g -> c  tr w e -> f  tr x f -> e g";
    assert!(remains(waits, "e,f", "b"));
}

#[test]
fn joined_steps_need_what_both_need() {
    let net =
        text::parse("pl a (1) pl i (1)  tr t i -> b  tr u b a d?-1 -> d  tr w d -> a i").unwrap();
    let observed = Observed::by(&net, ["a"]).unwrap().unwrap();
    let Reduction { net, steps } =
        reduce(&net, &observed, PropertyClass::StutterInvariant).unwrap();
    assert_eq!(steps.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2]);
    let joined = net.transitions().last().unwrap();
    assert_eq!(net.inhibitors(joined).len(), 1);
    let net = text::parse("pl a (1)  tr t a d?-1 -> b  tr u b -> d  tr w d -> a").unwrap();
    let observed = Observed::by(&net, ["a"]).unwrap().unwrap();
    assert!(reduce(&net, &observed, PropertyClass::StutterInvariant).is_none());
    let net =
        text::parse("pl a (1)  tr t a d?-1 -> b  tr u b -> c  tr w c -> d a  tr x d -> e").unwrap();
    let observed = Observed::by(&net, ["a"]).unwrap().unwrap();
    let Reduction { net, steps } =
        reduce(&net, &observed, PropertyClass::StutterInvariant).unwrap();
    let first = steps.iter().position(|parts| parts.len() == 2).unwrap();
    assert_eq!(net.inhibitors(net.transitions().nth(first).unwrap()).len(), 1);
    // Weights that are too large for a sum.
    let net =
        "pl a (1)  tr t a -> b x*3000000000  tr u b -> c x*3000000000  tr v c -> a  tr w x*2 -> c";
    assert!(remains(net, "a", "b"));
    assert!(!remains(&net.replace("3000000000", "3"), "a", "b"));
}

#[test]
fn steps_follow_at_once_if_nothing_can_keep_them_from_it() {
    let net = "pl a (1)  tr t a -> b  tr u b -> c  tr v c -> a";
    assert_eq!(
        left(net, "a", PropertyClass::StutterInvariant),
        Some((names(&["a", "c"]), vec![1, 2]))
    );
    assert_eq!(left(net, "a", PropertyClass::All), None);
    // The second step needs something else, and the first one takes what is observed.
    let net = "pl a (1) pl e (1)  tr t a -> b  tr u b e -> c  tr v c -> a  tr w e -> f tr x f -> e";
    assert_eq!(left(net, "a,c,e,f", PropertyClass::StutterInvariant), None);
}

#[test]
fn steps_wait_if_nobody_else_wants_their_tokens() {
    let net = "pl a (1) pl d (1) pl e (1)  tr s a -> i  tr r d -> j  tr t i j -> b  \
               tr u b e -> a d e  tr w e -> f  tr x f -> e";
    let found = left(net, "a,d,e,f", PropertyClass::StutterInvariant);
    assert_eq!(found, Some((names(&["a", "d", "e", "i", "j", "f"]), vec![1, 1, 1, 1, 2])));
    // With a rival for the token on `i`, the step is a choice.
    let net = format!("{net}  tr q i -> a");
    assert_eq!(left(&net, "a,d,e,f", PropertyClass::StutterInvariant), None);
}

#[test]
fn questions_about_deadlocks_forbid_everything() {
    let net = text::parse("pl a (1)  tr t a -> b").unwrap();
    assert!(Observed::by(&net, ["deadlock"]).unwrap().is_none());
    assert!(Observed::by(&net, ["nothing"]).is_err());
}
