//! The registry of transformations of automata, by name.
//!
//! A [`Transformation`] is a row: its name, a line of help, its [options](sempre_ltl::options),
//! typed [`Claims`] about the language and the properties of results, and a function. A
//! [`Registry`] is a collection of rows; [`Registry::built_in`] has those of this library, and
//! [`Registry::with`] adds one. The command line, the tests of participants and all other users
//! take names, help texts, values and claims from the rows. One test runs every row on random
//! automata and checks every claim.
//!
//! ```
//! use sempre_automata::transform::{Language, Property, Registry, Steps};
//! use sempre_automata::hoa;
//!
//! let text = r#"HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
//!     State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--"#;
//! let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
//! let steps = Steps::read(&Registry::built_in(), "determinize complement degeneralize(tb)")?;
//! let claims = steps.claims();
//! assert_eq!(claims.language, Language::Complement);
//! assert!(claims.yields.contains(Property::Buchi));
//! let result = steps.run(&automaton)?;
//! assert!(result.is_deterministic());
//! # Ok::<(), sempre_automata::Error>(())
//! ```

mod claims;
mod property;
mod registry;
mod rows;
mod step;

pub use claims::{Claims, Language};
pub use property::{Properties, Property};
pub use registry::Registry;
pub use step::{Step, Steps};

use crate::{Automaton, Error};
use sempre_ltl::options::{Parameter, Settings, Takes};

/// A transformation: a row of the [`Registry`].
#[derive(Debug)]
pub struct Transformation {
    /// The name, in lower case with hyphens.
    pub name: &'static str,
    /// A line of help in the imperative, without a full stop.
    pub help: &'static str,
    /// The option given with the name, as in `reduce=low`, if there is one.
    pub value: Option<&'static dyn Parameter>,
    /// Options with names.
    pub options: &'static [&'static dyn Parameter],
    /// Returns the claims about all results with these options.
    pub claims: fn(&Settings) -> Claims,
    /// The function.
    pub run: Run,
    /// Variants that preserve a property that the default function may lose. They run after a step
    /// that yields the property.
    pub keeping: &'static [(Property, Unary)],
}

/// A transformation of one automaton.
pub type Unary = fn(&Automaton, &Settings) -> Result<Automaton, Error>;

/// The function of a transformation.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// Transforms an automaton.
    Unary(Unary),
    /// Transforms an automaton with another one, the operand.
    Binary(fn(&Automaton, &Automaton, &Settings) -> Result<Automaton, Error>),
}

impl Transformation {
    /// Returns a line with the help and the values of its option.
    pub fn description(&self) -> String {
        let mut text = self.help.to_owned();
        let Some(value) = self.value else { return text };
        let Takes::Names(names) = value.takes() else { return text };
        let mut before = ": ";
        for (name, help) in names.into_iter().filter(|(_, help)| !help.is_empty()) {
            text.push_str(before);
            let default = if value.default() == Some(name) { ", default" } else { "" };
            text.push_str(&format!("{name} ({help}{default})"));
            before = ", ";
        }
        text
    }

    /// Returns all its options; the one given with the name comes first.
    pub fn parameters(&self) -> Vec<&'static dyn Parameter> {
        self.value.iter().chain(self.options).copied().collect()
    }

    /// True if it needs an operand.
    pub fn takes_operand(&self) -> bool {
        matches!(self.run, Run::Binary(_))
    }
}
