//! Invariants for every text that is given to the readers of Kripke structures.

use sempre_models::kripke::{Kripke, hoa, text};

/// Errors lie within the text, and what is read stays the same when it is written and read again.
pub(crate) fn check(input: &str) {
    for parsed in [text::parse(input), hoa::parse(input)] {
        match parsed {
            Ok(kripke) => check_structure(&kripke),
            Err(error) => {
                assert!(error.span().is_none_or(|span| input.get(span).is_some()), "{error:?}");
            }
        }
    }
}

fn check_structure(kripke: &Kripke) {
    let written = text::write(kripke);
    let again = text::parse(&written).expect("what was written is read");
    assert_eq!(again.state_count(), kripke.state_count());
    assert_eq!(again.edge_count(), kripke.edge_count());
    // States are numbered as they are mentioned, so only the second time is the order the same.
    let written = text::write(&again);
    let third = text::parse(&written).expect("what was written is read");
    assert_eq!(sorted(&text::write(&third)), sorted(&written));
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split(";\n").collect();
    lines.sort_unstable();
    lines
}
