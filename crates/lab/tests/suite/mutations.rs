//! Tests the list of mutations, and the page of their results.

use sempre_lab::mutate::{instrumented, list, page};
use std::path::Path;

#[test]
fn each_mutation_fits_its_file() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let all = list::read(&workspace).unwrap();
    assert!(all.len() >= 125, "{} mutations", all.len());
    for mutation in &all {
        assert_ne!(mutation.before, mutation.after, "{}", mutation.name);
        assert!(!mutation.tests.is_empty(), "{}", mutation.name);
    }
    let files = instrumented(&workspace, &all).unwrap();
    let switches = files.iter().map(|(_, text)| text.matches("if crate::mutation::is(").count());
    assert_eq!(switches.sum::<usize>(), all.len());
}

#[test]
fn the_page_of_mutations_is_made_of_its_rows() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let all = list::read(&workspace).unwrap();
    assert!(page::is_current(&workspace, &all).unwrap(), "run `sempre-lab mutate` again");
}
