//! The corpora of the fuzz targets for Petri nets, through the same checks.

#[path = "../../../../fuzz/fuzz_targets/nets.rs"]
mod fuzzed;

use std::fs;
use std::path::Path;

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let files = fs::read_dir(folder).expect("the corpus is part of the repository");
    files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn corpus_of_pnml() {
    let corpus = corpus("pnml");
    assert!(!corpus.is_empty());
    corpus.iter().for_each(|bytes| fuzzed::check_pnml(bytes));
}

#[test]
fn corpus_of_the_text_format() {
    let corpus = corpus("net");
    assert!(!corpus.is_empty());
    corpus.iter().filter_map(|bytes| std::str::from_utf8(bytes).ok()).for_each(fuzzed::check_text);
}
