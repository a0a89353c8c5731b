//! Invariants for every file with a Petri net: readers do not panic, their errors lie within the
//! text, a net that one of them reads is the same after it was written and read again, and its
//! initial marking has successors or is refused with a reason.

#![allow(dead_code, reason = "each target checks one format")]

use sempre_models::petri::bounds::Bounds;
use sempre_models::petri::{Net, NetSystem, pnml, text};
use sempre_models::{Error, System};

/// Panics if the bytes show an error in the reader or writer of PNML.
pub(crate) fn check_pnml(bytes: &[u8]) {
    let _ = pnml::net_type(bytes);
    match pnml::read(bytes) {
        Ok(net) => check(&net),
        Err(error) => check_error(&error, bytes.len()),
    }
}

/// Panics if the text shows an error in the reader or writer of the text format.
pub(crate) fn check_text(input: &str) {
    match text::parse(input) {
        Ok(net) => check(&net),
        Err(error) => {
            check_error(&error, input.len());
            assert!(error.span().is_none_or(|span| input.get(span).is_some()), "{error:?}");
        }
    }
}

fn check_error(error: &Error, length: usize) {
    assert!(!error.message().is_empty());
    let is_within = |span: std::ops::Range<usize>| span.start <= span.end && span.end <= length;
    assert!(error.span().is_none_or(is_within), "{error:?} is not in the text");
}

fn check(net: &Net) {
    let written = text::write(net);
    let again = text::parse(&written).expect("what was written can be read");
    assert_eq!(text::write(&again), written);
    assert_eq!(again.place_count(), net.place_count());
    assert_eq!(again.transition_count(), net.transition_count());
    let written = pnml::write(net);
    let again = pnml::read(written.as_bytes()).expect("what was written can be read");
    assert_eq!(again.place_count(), net.place_count());
    assert_eq!(again.transition_count(), net.transition_count());

    let system = NetSystem::new(net.clone(), &Bounds::of(net), 4);
    let initial = system.initial().expect("an initial marking");
    if let Ok(successors) = (&system as &dyn System).successors(&initial[0]) {
        assert_eq!(successors.words().len(), successors.len() * system.words());
    }
}
