//! Compares the sizes of the classic tableau with published ones.

use sempre_lab::page::Finding;
use sempre_lab::record::{Record, folder};
use sempre_lab::settings::Settings;
use sempre_lab::{registry, run};

/// With fewer formulas than the report's thousand, the means vary more, within their errors.
#[test]
fn mean_sizes_are_the_published_ones() {
    let out = tempfile::tempdir().unwrap();
    for name in ["translator-testing/e1", "translator-testing/e2"] {
        let experiment = registry::experiment(name).unwrap();
        let about = experiment.about();
        let given = ["formulas=500", "compared=0", "seed=1"].map(str::to_owned);
        let settings = Settings::new(&about, false, &given).unwrap();
        run::run(experiment, settings, None, out.path()).unwrap();
        let record = Record::load(about, &folder(out.path(), &about)).unwrap();
        let page = experiment.page(&record);
        let sizes = &page.conclusions()[0];
        assert_eq!(sizes.finding, Finding::Confirmed, "{name}: {}", sizes.figure);
        assert_eq!(sizes.figure, "16 of 16 means agree");
    }
}
