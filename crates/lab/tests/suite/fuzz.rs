//! A slice of the fuzz runs, by seed.

use sempre_lab::fuzz::{Corpus, run, targets};
use std::path::Path;

#[test]
fn readers_make_no_mistake_on_changed_files() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for target in &targets::ALL {
        let corpus = Corpus::read(&workspace, target).unwrap();
        let found = run(target, &corpus, 1, 60, None);
        assert_eq!(found.finding, None, "{}", target.name);
    }
}
