//! The explicit-state engine.

use super::{Options, verify};
use crate::state_space::{Explored, StateSpace};
use crate::store::{Arena, Store, Tree};
use sempre_check::{CheckError, Control, Engine, Outcome, Question};
use sempre_models::System;
use std::sync::Arc;

/// The kind of state store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// Plain.
    #[default]
    Arena,
    /// Compressed.
    Tree,
}

impl StoreKind {
    /// All kinds.
    pub const ALL: [StoreKind; 2] = [StoreKind::Arena, StoreKind::Tree];

    /// Returns the name in options and output.
    pub fn name(self) -> &'static str {
        match self {
            StoreKind::Arena => "arena",
            StoreKind::Tree => "tree",
        }
    }
}

/// The explicit-state engine: searches the product of the system and the automaton on the fly.
///
/// ```
/// use sempre_check::{Control, Deadlock, Engine, Question, Verdict};
/// use sempre_explicit::{ExplicitEngine, Options};
/// use sempre_models::languages;
/// let net = languages::named("net").unwrap().read("pl p (1)  tr get p -> q  tr put q -> p")?;
/// let (system, mut engine) = (net.system(), ExplicitEngine::new(Options::default()));
/// for formula in ["G F q", "G !(p & q)"] {
///     let question = Question::new(system.clone(), &formula.parse()?, Deadlock::Stutter)?;
///     let outcome = engine.check(&question, &Control::default())?;
///     assert_eq!(outcome.verdict, Verdict::Holds);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ExplicitEngine {
    options: Options,
    store: StoreKind,
    is_shared: bool,
    known: Option<(Arc<dyn System>, ExploredStates)>,
}

/// The explored states, in one of the stores.
enum ExploredStates {
    Arena(Explored<Arena>),
    Tree(Explored<Tree>),
}

impl ExplicitEngine {
    /// Makes an engine that reuses the state space for later questions.
    pub fn new(options: Options) -> Self {
        ExplicitEngine { options, store: StoreKind::default(), is_shared: true, known: None }
    }

    /// Uses a store of this kind.
    #[must_use]
    pub fn store(self, store: StoreKind) -> Self {
        ExplicitEngine { store, ..self }
    }

    /// Stores no data that only later questions would need.
    #[must_use]
    pub fn for_one_question(self) -> Self {
        ExplicitEngine { is_shared: false, ..self }
    }

    /// Answers a question in a state space, and stores the explored part.
    fn run<T: Store>(
        &self,
        explored: Explored<T>,
        question: &Question,
        control: &Control<'_>,
    ) -> (Result<Outcome, CheckError>, Explored<T>) {
        let mut space = StateSpace::resume(&**question.system(), explored);
        let outcome = verify(&mut space, question, &self.options, control);
        (outcome, space.into_explored())
    }
}

impl Engine for ExplicitEngine {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        let system = question.system();
        let (words, is_shared) = (system.words(), self.is_shared);
        let known = match self.known.take() {
            Some((of, known)) if Arc::ptr_eq(&of, system) && is_shared => known,
            _ => match self.store {
                StoreKind::Arena => ExploredStates::Arena(Explored::new(words, is_shared)),
                StoreKind::Tree => ExploredStates::Tree(Explored::new(words, is_shared)),
            },
        };
        let (outcome, known) = match known {
            ExploredStates::Arena(explored) => {
                let (outcome, explored) = self.run(explored, question, control);
                (outcome, ExploredStates::Arena(explored))
            }
            ExploredStates::Tree(explored) => {
                let (outcome, explored) = self.run(explored, question, control);
                (outcome, ExploredStates::Tree(explored))
            }
        };
        self.known = Some((system.clone(), known));
        outcome.or_else(|error| error.or_unknown(question, self.name()))
    }
}
