//! Propositions that options name and no input has, such as misspelt ones: a note, not an error.

use crate::report;
use sempre::ltl::Prop;

/// The propositions of options that no formula or automaton had so far.
pub(crate) struct Unread {
    missing: Vec<Prop>,
    has_input: bool,
}

impl Unread {
    /// Begins with all propositions that the options name; repetitions count once.
    pub(crate) fn new(named: impl IntoIterator<Item = Prop>) -> Self {
        let mut missing = Vec::new();
        for prop in named {
            if !missing.contains(&prop) {
                missing.push(prop);
            }
        }
        Unread { missing, has_input: false }
    }

    /// Removes the propositions of an input.
    pub(crate) fn see(&mut self, props: &[Prop]) {
        self.has_input = true;
        self.missing.retain(|prop| !props.contains(prop));
    }

    /// Prints a note if there was input and it lacks some of them; `inputs` is its kind.
    pub(crate) fn report(&self, inputs: &str) {
        if !self.has_input || self.missing.is_empty() {
            return;
        }
        let names: Vec<String> =
            self.missing.iter().map(|prop| format!("`{}`", prop.name())).collect();
        report::note(&format!("the constraints name {}, which no {inputs} has", names.join(", ")));
    }
}
