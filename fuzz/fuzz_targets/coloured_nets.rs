//! Invariants for every coloured net: the reader does not panic, its errors lie within the text,
//! and the unfolding of what it reads is as small as it should be and consistent.

use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::petri::colour::{self, Limits};
use sempre_models::petri::pnml;
use std::time::{Duration, Instant};

/// Panics if the text shows an error in the reader or the unfolding.
pub(crate) fn check(text: &[u8]) {
    let inside = |error: &sempre_ltl::Error| {
        assert!(!error.message().is_empty());
        if let Some(span) = error.span() {
            assert!(span.start <= span.end && span.end <= text.len(), "{error}: {span:?}");
        }
    };
    // A few bytes can describe a net with as many bindings as there are atoms; these are for people
    // with more time.
    let soon = Instant::now() + Duration::from_millis(200);
    let _ = interrupt::run(&Interrupt::default(), Some(soon), || {
        let net = match colour::read(text) {
            Ok(net) => net,
            Err(error) => return inside(&error),
        };
        let limits = Limits { places: 2_000, transitions: 2_000, arcs: 20_000 };
        let unfolded = match net.unfold(&limits) {
            Ok(unfolded) => unfolded,
            Err(error) => return inside(&error),
        };
        assert!(unfolded.place_count() <= limits.places.max(1));
        assert!(unfolded.transition_count() <= limits.transitions);
        let again = colour::read(text).and_then(|net| net.unfold(&limits)).expect("the same");
        assert_eq!(pnml::write(&unfolded), pnml::write(&again));
        pnml::read(pnml::write(&unfolded).as_bytes()).expect("what was written can be read");
        // The reader of all nets also wants the whole file to be in order.
        if let Err(error) = pnml::read(text) {
            inside(&error);
        }
    });
}
