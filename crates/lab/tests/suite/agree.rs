//! Agreement runs with small counts.

use sempre_lab::bench::Meter;
use sempre_lab::registry;

#[test]
fn all_subjects_agree() {
    // Spin has to compile a program for each pair; its own test is among those for installed programs.
    for subject in registry::subjects().iter().filter(|subject| subject.name != "spin") {
        let agreement = (subject.run)(3, 40, &mut Meter::new()).unwrap();
        assert!(agreement.disagreements.is_empty(), "{}: {agreement:?}", subject.name);
        assert!(agreement.summary.starts_with("40 "), "{}: {}", subject.name, agreement.summary);
        // The same seed gives the same inputs.
        let again = (subject.run)(3, 40, &mut Meter::new()).unwrap();
        assert!(again.disagreements.is_empty(), "{}: {again:?}", subject.name);
        assert_eq!(again.summary, agreement.summary, "{}", subject.name);
    }
}
