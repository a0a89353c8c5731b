//! Compares the committed pages with their rows.

use sempre_lab::record::{Record, folder};
use sempre_lab::{registry, run, tables};
use std::fs;
use std::path::Path;

#[test]
fn pages_in_the_documentation_are_made_of_their_rows() {
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/experiments");
    let mut all = vec![];
    for experiment in registry::experiments() {
        let about = experiment.about();
        let folder = folder(&out, &about);
        if !folder.join("rows.csv").exists() {
            all.push((about, None));
            continue;
        }
        let record = Record::load(about, &folder).unwrap();
        let page = experiment.page(&record);
        assert!(page.faults().is_empty(), "{}: {:?}", about.name, page.faults());
        let files = page.figures().iter().map(|(file, text)| (file.as_str(), text.clone()));
        for (file, text) in files.chain([(run::PAGE, page.text(&record))]) {
            let found = fs::read_to_string(folder.join(file)).expect(file);
            assert!(
                found == text,
                "{}/{file} is not what its rows give; make it again with \
                 `cargo run -p sempre-lab -- page -o docs/experiments`",
                about.name
            );
        }
        all.push((about, Some(page)));
    }
    let tables = tables::text(&all).unwrap();
    let pages: Vec<_> = all.into_iter().filter_map(|(about, page)| Some((about, page?))).collect();
    assert!(pages.len() >= 10, "{} pages", pages.len());
    assert_eq!(fs::read_to_string(out.join(run::PAGE)).unwrap(), run::index(&pages));
    assert_eq!(fs::read_to_string(out.join(tables::TABLES)).unwrap(), tables);
}
