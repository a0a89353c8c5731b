//! Invariants for all bytes that are given to the reader of certificates.

use sempre_certificate::{Deadlocks, Fair, check as accept, read};
use sempre_ltl::{Formula, interrupt};
use sempre_models::{Model, kripke, plain};

/// The limit on work, counted in calls of the clock.
const BUDGET: u64 = 2000;

/// Bytes are read or refused, and nothing is accepted that is wrong about a small model: it violates
/// `F on`, `G off` and `X on`, whatever counts as a run.
pub(crate) fn check(bytes: &[u8]) {
    let lamp = "init off; state off -> off on; state on: lit -> off;";
    let model = Model::from(kripke::text::parse(lamp).expect("a structure"));
    let plain = plain::of(&model).expect("an interpreter");
    // A property may have many alternatives.
    let _ = interrupt::within(BUDGET, || {
        let Ok(mut certificate) = read(bytes) else { return };
        assert!(certificate.rank_count() <= certificate.node_count());
        let first = accept(&certificate, &*plain, 1);
        assert_eq!(first.is_ok(), accept(&certificate, &*plain, 2).is_ok());
        let formulas = certificate.claim.obligations().formula_count() as u32;
        for wrong in ["F on", "G off", "X on"] {
            certificate.claim.property = wrong.parse::<Formula>().expect("a formula");
            certificate.claim.fair = Fair::All;
            let count = certificate.claim.obligations().formula_count() as u32;
            let fits = |set: &[u32]| set.iter().all(|formula| *formula < formulas.min(count));
            if certificate.sets.iter().all(|set| fits(set)) {
                for (_, deadlocks) in Deadlocks::NAMES {
                    certificate.claim.deadlocks = deadlocks;
                    assert!(accept(&certificate, &*plain, 1).is_err(), "{wrong} was accepted");
                }
            }
        }
    });
}
