//! The corpora of the fuzz targets go through the same checks as under fuzzing.

#[path = "../../../../fuzz/fuzz_targets/formats.rs"]
mod fuzzed;

use sempre_automata::formats::Format;
use std::path::Path;

fn replay(format: Format) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut files = 0;
    for entry in std::fs::read_dir(corpus.join(format.name())).expect("the corpus") {
        fuzzed::check(&std::fs::read(entry.expect("a file").path()).expect("a file"), format);
        files += 1;
    }
    assert!(files > 0, "no corpus for {format}");
}

#[test]
fn never_corpus() {
    replay(Format::Never);
}

#[test]
fn lbtt_corpus() {
    replay(Format::Lbtt);
}

#[test]
fn dstar_corpus() {
    replay(Format::Dstar);
}

#[test]
fn ats_corpus() {
    replay(Format::Ats);
}
