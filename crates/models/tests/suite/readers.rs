//! The corpora of the fuzz targets, and what becomes of them when a few bytes change, go through
//! the same checks as under fuzzing.

#[path = "../../../../fuzz/fuzz_targets/coloured_nets.rs"]
mod coloured_nets;
#[path = "../../../../fuzz/fuzz_targets/mcc_properties.rs"]
mod mcc_properties;

use proptest::prelude::*;
use proptest::sample::Index;
use std::path::Path;

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no corpus for {name}");
    files.iter().map(|file| std::fs::read(file).expect("a file")).collect()
}

#[test]
fn coloured_corpus() {
    corpus("coloured").iter().for_each(|text| coloured_nets::check(text));
}

#[test]
fn mcc_corpus() {
    for text in corpus("mcc") {
        mcc_properties::check(std::str::from_utf8(&text).expect("text"));
    }
}

/// Replaces pieces of a text by other pieces of the corpus.
fn mutated(
    corpus: &[Vec<u8>],
    file: &Index,
    edits: &[(Index, usize, Index, Index, usize)],
) -> Vec<u8> {
    let mut text = file.get(corpus).clone();
    for (at, length, from, start, copied) in edits {
        let at = at.index(text.len() + 1);
        let end = (at + length).min(text.len());
        let source = from.get(corpus);
        let start = start.index(source.len());
        let piece = source[start..(start + copied).min(source.len())].to_vec();
        text.splice(at..end, piece);
    }
    text
}

fn edits() -> impl Strategy<Value = Vec<(Index, usize, Index, Index, usize)>> {
    let edit = (any::<Index>(), 0..40_usize, any::<Index>(), any::<Index>(), 0..40_usize);
    proptest::collection::vec(edit, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_coloured_nets(file: Index, edits in edits()) {
        coloured_nets::check(&mutated(&corpus("coloured"), &file, &edits));
    }

    #[test]
    fn mutated_mcc_properties(file: Index, edits in edits()) {
        if let Ok(text) = String::from_utf8(mutated(&corpus("mcc"), &file, &edits)) {
            mcc_properties::check(&text);
        }
    }
}
