//! Invariants for all bytes that are given to the reader of certificates.

use sempre_certificate::{Deadlocks, Fair, check as accept, read};
use sempre_certificate_sets::{check as accept_sets, file};
use sempre_ltl::{Formula, interrupt};
use sempre_models::petri::text;
use sempre_models::{Model, kripke, plain};

/// The limit on work, counted in calls of the clock.
const BUDGET: u64 = 2000;

/// Bytes are read or refused, as a certificate of either form.
pub(crate) fn check(bytes: &[u8]) {
    match file::is_one(bytes) {
        true => check_sets(bytes),
        false => check_table(bytes),
    }
}

/// Nothing is accepted that is wrong about a small net: a token goes from `p` to `q` and back.
fn check_sets(bytes: &[u8]) {
    let net = text::parse("pl p (1)\ntr t p -> q\ntr u q -> p").expect("a net");
    let _ = interrupt::within(BUDGET, || {
        let Ok(mut certificate) = sempre_certificate_sets::read(bytes) else { return };
        let _ = accept_sets(&certificate, &net, 1 << 12);
        let formulas = certificate.claim.obligations().formula_count() as u32;
        for wrong in ["G p", "F(p & q)", "G(q -> X q)"] {
            certificate.claim.property = wrong.parse::<Formula>().expect("a formula");
            certificate.claim.fair = Fair::All;
            let count = certificate.claim.obligations().formula_count() as u32;
            let fits = |set: &[u32]| set.iter().all(|formula| *formula < formulas.min(count));
            if certificate.sets.iter().all(|set| fits(set)) {
                assert!(accept_sets(&certificate, &net, 1 << 12).is_err(), "{wrong} was accepted");
            }
        }
    });
}

/// Nothing is accepted that is wrong about a small model: it violates
/// `F on`, `G off` and `X on`, whatever counts as a run.
fn check_table(bytes: &[u8]) {
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
