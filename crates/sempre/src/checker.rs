//! Checks a model against formulas, with settings.

use crate::check::combine::AnyEngine;
use crate::check::{
    CheckError, Control, Deadlock, Engine, Outcome, Property, Question, Refine, Unsupported,
};
use crate::engines::{Engines, Settings};
use crate::ltl::Formula;
use crate::models::facts::{self, Fact};
use crate::models::{Error, Languages, Model, Source, System, Width};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Checks a model against formulas, and reuses the visited states for the next formula.
///
/// ```no_run
/// use sempre::prelude::*;
/// let mut checker = Checker::open("peterson.dve")?;
/// let outcome = checker.check("G !(P0.critical & P1.critical)")?;
/// assert_eq!(outcome.verdict, Verdict::Holds);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Checker {
    model: Model,
    system: Arc<dyn System>,
    settings: Settings,
    engines: Engines,
    engine: Option<AnyEngine>,
}

/// Why a formula was not checked.
#[derive(Clone, Debug)]
pub enum CheckerError {
    /// The text is no formula.
    Syntax(Error),
    /// The formula cannot be checked.
    Check(CheckError),
}

impl fmt::Display for CheckerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckerError::Syntax(error) => error.fmt(out),
            CheckerError::Check(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for CheckerError {}

impl Checker {
    /// Opens a model; recognizes its language by the file name or the beginning of the text.
    ///
    /// # Errors
    /// If the file is no model; the error has the position in the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Checker::new(Languages::default().open(path, None)?))
    }

    /// Makes a checker for a model.
    pub fn new(model: Model) -> Self {
        let (system, settings) = (model.system(), Settings::default());
        Checker { model, system, settings, engines: Engines::default(), engine: None }
    }

    /// Makes a checker for a system of your own.
    pub fn of_system(system: impl System + 'static) -> Self {
        Checker::new(Model::from(Own(Arc::new(system))))
    }

    /// Changes the settings.
    ///
    /// # Errors
    /// If settings exclude each other.
    pub fn with(self, settings: Settings) -> Result<Self, Unsupported> {
        self.engines.choose(&settings)?;
        Ok(Checker { settings, engine: None, ..self })
    }

    /// Changes the set of engines.
    #[must_use]
    pub fn with_engines(self, engines: Engines) -> Self {
        Checker { engines, engine: None, ..self }
    }

    /// Returns a checker with the same model and the same meaning of formulas. It searches
    /// explicitly, on one thread, without reducing the model.
    pub fn explicit(&self) -> Checker {
        let settings = self.settings.explicit_alone();
        let (model, system) = (self.model.clone(), self.system.clone());
        Checker { model, system, settings, engines: self.engines.clone(), engine: None }
    }

    /// Sets the meaning of states without successors.
    #[must_use]
    pub fn meaning(mut self, deadlock: Deadlock) -> Self {
        self.settings.deadlock = deadlock;
        self.engine = None;
        self
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets everything that was learned about the states.
    pub fn forget(&mut self) {
        self.engine = None;
    }

    /// Returns the model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the system of the model, with the narrowest states.
    pub fn system(&self) -> &Arc<dyn System> {
        &self.system
    }

    /// Finds facts about the propositions of a formula, within a bound on steps. The model
    /// satisfies them whatever the formula says.
    pub fn facts(&self, formula: &Formula) -> Vec<Fact> {
        facts::find(&self.model, &*self.system, &formula.props(), facts::STEPS)
    }

    /// Checks a formula given as text.
    ///
    /// # Errors
    /// If the text is no formula, or as for [`Checker::check_formula`].
    pub fn check(&mut self, formula: &str) -> Result<Outcome, CheckerError> {
        let formula: Formula = formula.parse().map_err(CheckerError::Syntax)?;
        self.check_formula(&formula, &Control::default()).map_err(CheckerError::Check)
    }

    /// Checks a formula under a control. Reaching a limit or a fault of the model gives an outcome
    /// without a verdict.
    ///
    /// # Errors
    /// If a proposition has no meaning in the model, the settings do not suit the formula, or the
    /// judge rejects a counterexample.
    pub fn check_formula(
        &mut self,
        formula: &Formula,
        control: &Control<'_>,
    ) -> Result<Outcome, CheckError> {
        self.check_property(&formula.clone().into(), control)
    }

    /// Checks a property under a control: a formula, or an automaton of erroneous or of correct
    /// behaviours.
    ///
    /// # Errors
    /// As for [`Checker::check_formula`]; also if an automaton cannot be complemented.
    pub fn check_property(
        &mut self,
        property: &Property,
        control: &Control<'_>,
    ) -> Result<Outcome, CheckError> {
        let (system, deadlock) = (self.system.clone(), self.settings.deadlock);
        let question = Question::of(system, property.clone(), deadlock)?;
        let question = match self.settings.fairness {
            Some(fairness) => question.fair(fairness.of(&*self.system))?,
            None => question,
        };
        let question = match (self.settings.refine, property) {
            (Refine::Off, _) | (_, Property::Automaton(_)) => question,
            (refine, Property::Formula(formula)) => {
                let facts = control.limits.run(|| self.facts(formula))?;
                question.refined(facts, refine)
            }
        };
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => {
                let row = self.engines.choose(&self.settings)?;
                none.insert((row.make)(&self.model, &self.settings)?)
            }
        };
        engine.supports(&question)?;
        let name = engine.name();
        match engine.check(&question, control) {
            Err(CheckError::Fault(failure)) => Ok(Outcome::of_failure(&question, name, failure)),
            outcome => outcome.or_else(|error| error.or_unknown(&question, name)),
        }
    }
}

/// A system that serves as its own model.
struct Own(Arc<dyn System>);

impl Source for Own {
    fn system(self: Arc<Self>, _: Width) -> Arc<dyn System> {
        self.0.clone()
    }
}
