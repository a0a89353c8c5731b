//! Regression tests: the corpus of the fuzz target `hoa`.

#[path = "../../../../fuzz/fuzz_targets/hoa_round_trip.rs"]
mod hoa_round_trip;

use std::path::Path;

#[test]
fn the_corpus_is_read_and_written() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/hoa");
    let mut files = 0;
    for entry in std::fs::read_dir(corpus).expect("the corpus is there") {
        let bytes = std::fs::read(entry.expect("the corpus can be listed").path());
        hoa_round_trip::check(&bytes.expect("the corpus can be read"));
        files += 1;
    }
    assert!(files > 0);
}
