//! Runs the checks of the fuzz target for certificates on its corpus, and on changed copies of it.

#[path = "../../../../fuzz/fuzz_targets/certificate_check.rs"]
mod certificate_check;

use proptest::prelude::*;
use sempre_certificate_sets::file;
use std::fs;
use std::path::Path;

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/certificate");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

#[test]
fn the_corpus_is_read() {
    for bytes in corpus() {
        match file::is_one(&bytes) {
            true => assert!(sempre_certificate_sets::read(&bytes).is_ok()),
            false => assert!(sempre_certificate::read(&bytes).is_ok()),
        }
        certificate_check::check(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_files_are_read_or_refused(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(),
    ) {
        let mut bytes = file.get(&corpus()).clone();
        for (place, byte) in &changes {
            let place = place.index(bytes.len());
            bytes[place] = *byte;
        }
        certificate_check::check(&bytes);
        certificate_check::check(&bytes[..end.index(bytes.len())]);
    }
}
