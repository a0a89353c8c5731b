//! The corpora of the fuzz targets for Kripke structures, tables and propositions, through the same
//! checks.

#[path = "../../../../fuzz/fuzz_targets/etf_round_trip.rs"]
mod etf_round_trip;
#[path = "../../../../fuzz/fuzz_targets/kripke_round_trip.rs"]
mod kripke_round_trip;
#[path = "../../../../fuzz/fuzz_targets/proposition_check.rs"]
mod proposition_check;

use std::fs;
use std::path::Path;

/// Calls `check` with every text of a corpus.
fn for_each(corpus: &str, check: impl Fn(&str)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(corpus);
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        if let Ok(text) = std::str::from_utf8(&bytes) {
            check(text);
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn kripke_structures() {
    for_each("kripke", kripke_round_trip::check);
}

#[test]
fn tables() {
    for_each("etf", etf_round_trip::check);
}

#[test]
fn propositions() {
    for_each("proposition", proposition_check::check);
}
