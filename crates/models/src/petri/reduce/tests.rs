//! Each rule on a net where it applies, and on one where a side condition fails.

use super::{Kept, Observed, Reduction, reduce};
use crate::petri::text;

/// The names of the places and the numbers of steps that are left, if something is removed.
fn left(net: &str, observed: &str, kept: Kept) -> Option<(Vec<String>, Vec<usize>)> {
    let net = text::parse(net).unwrap();
    let observed = Observed::by(&net, observed.split(',')).unwrap().unwrap();
    let Reduction { net, steps } = reduce(&net, &observed, kept)?;
    let places = net.places().map(|place| net.place_name(place).to_owned()).collect();
    Some((places, steps.iter().map(Vec::len).collect()))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_never_happens_is_removed() {
    let net = "pl a (1) pl never (0)  tr t a -> b  tr u b never -> a";
    assert_eq!(left(net, "a,b", Kept::All), Some((names(&["a", "b"]), vec![1])));
    assert_eq!(left(net, "a,b,never,fireable(u)", Kept::All), None);
}

#[test]
fn places_that_disable_nothing_are_removed() {
    let net = "pl a (1) pl lock (1)  tr t a lock -> b lock  tr u b -> a done";
    assert_eq!(left(net, "a,b", Kept::All), Some((names(&["a", "b"]), vec![1, 1])));
    // Two locks are needed, so nothing ever happens.
    let net = "pl a (1) pl lock (1)  tr t a lock*2 -> b lock*2  tr u b -> a";
    assert_eq!(left(net, "a,b", Kept::All), Some((names(&["a", "b"]), vec![])));
}

#[test]
fn places_that_another_one_implies_are_removed() {
    let net = "pl a (1) pl c (2)  tr t a c -> b  tr u b -> a c";
    assert_eq!(left(net, "a,b", Kept::All), Some((names(&["a", "b"]), vec![1, 1])));
    assert_eq!(left(net, "a,b,c", Kept::All), None);
}

#[test]
fn the_least_demanding_of_equal_transitions_is_kept() {
    let net = "pl a (2)  tr t a -> b  tr u a*2 -> a b  tr back b -> a";
    assert_eq!(left(net, "a,b", Kept::All), Some((names(&["a", "b"]), vec![1, 1])));
    assert_eq!(left(net, "fireable(u),fireable(t),b", Kept::All), None);
}

#[test]
fn steps_follow_at_once_if_nothing_can_keep_them_from_it() {
    let net = "pl a (1)  tr t a -> b  tr u b -> c  tr v c -> a";
    assert_eq!(left(net, "a", Kept::StutterInvariant), Some((names(&["a", "c"]), vec![1, 2])));
    // The second step needs something else, and the first one takes what is observed.
    let net = "pl a (1) pl e (1)  tr t a -> b  tr u b e -> c  tr v c -> a  tr w e -> f tr x f -> e";
    assert_eq!(left(net, "a,c,e,f", Kept::StutterInvariant), None);
}

#[test]
fn steps_wait_if_nobody_else_wants_their_tokens() {
    let net = "pl a (1) pl d (1) pl e (1)  tr s a -> i  tr r d -> j  tr t i j -> b  \
               tr u b e -> a d e  tr w e -> f  tr x f -> e";
    let found = left(net, "a,d,e,f", Kept::StutterInvariant);
    assert_eq!(found, Some((names(&["a", "d", "e", "i", "j", "f"]), vec![1, 1, 1, 1, 2])));
    // With a rival for the token on `i`, the step is a choice.
    let net = format!("{net}  tr q i -> a");
    assert_eq!(left(&net, "a,d,e,f", Kept::StutterInvariant), None);
}

#[test]
fn questions_about_deadlocks_forbid_everything() {
    let net = text::parse("pl a (1)  tr t a -> b").unwrap();
    assert!(Observed::by(&net, ["deadlock"]).unwrap().is_none());
    assert!(Observed::by(&net, ["nothing"]).is_err());
}
