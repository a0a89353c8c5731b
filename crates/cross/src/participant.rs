//! Who takes part in a comparison.

use std::time::{Duration, Instant};

use sempre_automata::Automaton;
use sempre_automata::transform::{self, Language, Properties, Property};
use sempre_ltl::Formula;

/// Something that turns formulas into automata.
pub trait Tool: Send + Sync {
    /// An automaton that accepts the words that satisfy `formula`.
    ///
    /// # Errors
    /// Says how the tool failed; a tool that fails never ends the comparison.
    fn translate(&self, formula: &Formula, limits: &Limits) -> Result<Automaton, Failure>;

    /// Says why the tool cannot be used at all, if it cannot.
    ///
    /// # Errors
    /// The missing program.
    fn ready(&self) -> Result<(), String> {
        Ok(())
    }

    /// Whether the tool knows all operators of `formula`.
    fn supports(&self, formula: &Formula) -> bool {
        let _ = formula;
        true
    }
}

/// Something that turns automata into other automata.
pub trait Transformer: Send + Sync {
    /// Applies the tool to `automaton`.
    ///
    /// # Errors
    /// Says how the tool failed; a tool that fails never ends the comparison.
    fn transform(&self, automaton: &Automaton, limits: &Limits) -> Result<Automaton, Failure>;

    /// The claims about results besides their language, which are tested.
    fn claims(&self) -> Option<transform::Claims> {
        None
    }
}

/// A tool that takes part, under a name.
pub struct Participant {
    /// How reports call it.
    pub name: String,
    /// The implementation.
    pub tool: Box<dyn Tool>,
    /// The claims about its automata, which are tested.
    pub claims: Claims,
    /// Whether its automata are taken to be right.
    pub reference: bool,
}

impl Participant {
    /// A participant of which nothing is claimed.
    pub fn new(name: impl Into<String>, tool: impl Tool + 'static) -> Self {
        Participant {
            name: name.into(),
            tool: Box::new(tool),
            claims: Claims::default(),
            reference: false,
        }
    }

    /// Translates `formula`, and measures how long that takes.
    pub fn translate(&self, formula: &Formula, limits: &Limits) -> Translation {
        let start = Instant::now();
        let result = if self.tool.supports(formula) {
            self.tool.translate(formula, limits)
        } else {
            Err(Failure::new(FailureKind::Unsupported, "an operator is not supported"))
        };
        Translation { result, time: start.elapsed() }
    }
}

/// The claims about all automata of a participant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// The properties that they have.
    pub properties: Properties,
    /// Their languages are stutter-invariant wherever the formula has no `X`.
    pub stutter_invariant: bool,
}

impl Claims {
    /// Claims these properties, and nothing else.
    pub const fn of(properties: &[Property]) -> Self {
        Claims { properties: Properties::exactly(properties), stutter_invariant: false }
    }

    /// Returns the claims that remain after steps with these claims.
    #[must_use]
    pub fn after(self, steps: transform::Claims) -> Claims {
        let same = matches!(steps.language, Language::Same | Language::Complement);
        Claims {
            properties: steps.properties(self.properties),
            stutter_invariant: self.stutter_invariant && same,
        }
    }
}

/// How much one translation may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of address space; for programs only.
    pub memory: Option<u64>,
}

/// The answer of a participant for one formula.
#[derive(Debug)]
pub struct Translation {
    /// The automaton, or why there is none.
    pub result: Result<Automaton, Failure>,
    /// How long it took.
    pub time: Duration,
}

/// Why a participant gave no automaton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Failure {
    /// The kind of failure: reports count them.
    pub kind: FailureKind,
    /// The details, on one line.
    pub message: String,
    /// The last lines that a program wrote to standard error.
    pub log: String,
}

impl Failure {
    /// A failure with its details.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Failure { kind, message: message.into(), log: String::new() }
    }
}

/// The kinds of failures that reports distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum FailureKind {
    /// The program was ended by a signal, or the method panicked.
    #[error("crash")]
    Crash,
    /// An assertion of the program was violated.
    #[error("assertion")]
    Assertion,
    /// The answer is in no known format, or breaks its rules.
    #[error("format")]
    Format,
    /// The memory limit was exceeded.
    #[error("memory")]
    Memory,
    /// More time was taken than allowed.
    #[error("time")]
    Time,
    /// The program ended with a code other than 0.
    #[error("exit code")]
    ExitCode,
    /// There is no answer.
    #[error("no output")]
    Missing,
    /// The formula has operators that the tool does not know.
    #[error("unsupported")]
    Unsupported,
    /// The program could not be started.
    #[error("not started")]
    NotStarted,
}
