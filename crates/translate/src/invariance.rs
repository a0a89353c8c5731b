//! Stutter-invariance of formulas.

use crate::Translator;
use sempre_automata::stutter::{self, Invariance, StutteringWords};
use sempre_ltl::{Formula, Traits};
use std::error::Error;
use std::fmt;

/// A property is not stutter-invariant: it distinguishes words that differ in repeated letters only.
/// The accepted word is the correct one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StutterSensitive(pub Box<StutteringWords>);

impl fmt::Display for StutterSensitive {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StutteringWords { accepted, rejected } = &*self.0;
        write!(
            out,
            "the property is not stutter-invariant: of the stutter-equivalent words {accepted} and \
             {rejected} only the first satisfies it"
        )
    }
}

impl Error for StutterSensitive {}

/// Checks that a property is stutter-invariant. A formula without X is; otherwise the languages of
/// the formula and its negation decide.
///
/// ```
/// use sempre_translate::require_invariance;
/// assert!(require_invariance(&"F(a & X !a)".parse()?).is_ok());
/// let words = require_invariance(&"F(a & X a)".parse()?).unwrap_err().0;
/// assert_eq!(words.accepted.to_string(), "a; a; cycle{!a}");
/// assert_eq!(words.rejected.to_string(), "a; cycle{!a}");
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
///
/// # Errors
/// If it is not, with two words that differ only in repetitions and of which one satisfies the
/// formula.
pub fn require_invariance(formula: &Formula) -> Result<(), StutterSensitive> {
    if formula.is(Traits::NEXT_FREE) {
        return Ok(());
    }
    let mut translator = Translator::new();
    let automaton = translator.translate(formula);
    let negation = translator.translate(&Formula::not(formula));
    match stutter::invariance_given_complement(&automaton, &negation) {
        Invariance::Invariant => Ok(()),
        Invariance::Sensitive(words) => Err(StutterSensitive(Box::new(words))),
    }
}
