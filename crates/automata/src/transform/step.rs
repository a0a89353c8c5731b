//! Transformations with options and operands, and sequences of them.

use super::{Claims, Language, Properties, Property, Registry, Run, Transformation, Unary};
use crate::{Automaton, Error};
use sempre_ltl::options::{self, Call, Settings};
use std::fmt;
use std::sync::Arc;

/// A transformation with its options and its operand.
#[derive(Clone, Debug)]
pub struct Step {
    row: &'static Transformation,
    settings: Settings,
    operand: Option<Arc<Automaton>>,
}

impl Step {
    /// Creates a step of a row.
    ///
    /// # Errors
    /// If a mandatory option is missing, or the operand is missing or superfluous.
    pub fn new(
        row: &'static Transformation,
        settings: Settings,
        operand: Option<Arc<Automaton>>,
    ) -> Result<Step, Error> {
        if let Some(missing) = settings.missing(&row.parameters()) {
            return Err(Error::new(format!("{} needs a value of {}", row.name, missing.name())));
        }
        match (row.takes_operand(), operand.is_some()) {
            (true, false) => Err(Error::new(format!("{} needs another automaton", row.name))),
            (false, true) => Err(Error::new(format!("{} takes no other automaton", row.name))),
            _ => Ok(Step { row, settings, operand }),
        }
    }

    /// Parses a name with options, such as `degeneralize(tb)`, for a row without operand.
    ///
    /// # Errors
    /// If the row or the option is unknown, or the row takes an operand.
    pub fn read(registry: &Registry, text: &str) -> Result<Step, Error> {
        let plain = |error: sempre_ltl::Error| Error::new(format!("{text}: {error}"));
        let call = Call::read(text).map_err(plain)?;
        let row = registry.find(call.name)?;
        let settings = Settings::read(&row.parameters(), call.options).map_err(plain)?;
        Step::new(row, settings, None)
    }

    /// Returns a step for each row and each value of its options, one option at a time; rows with
    /// an operand get `operand`.
    pub fn all(registry: &Registry, operand: &Arc<Automaton>) -> Vec<Step> {
        let mut steps = vec![];
        for row in registry.rows() {
            for settings in options::variations(&row.parameters()) {
                let operand = row.takes_operand().then(|| operand.clone());
                steps.push(Step { row, settings, operand });
            }
        }
        steps
    }

    /// Returns the row.
    pub fn row(&self) -> &'static Transformation {
        self.row
    }

    /// Returns the options.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the claims about results.
    pub fn claims(&self) -> Claims {
        (self.row.claims)(&self.settings)
    }

    /// Transforms an automaton. Removes its name if the language changes.
    ///
    /// # Errors
    /// If the transformation is not possible; the error does not name it.
    pub fn run(&self, automaton: &Automaton) -> Result<Automaton, Error> {
        self.run_keeping(automaton, Properties::NONE)
    }

    /// Transforms an automaton and preserves these properties, if a variant can.
    fn run_keeping(&self, automaton: &Automaton, kept: Properties) -> Result<Automaton, Error> {
        let result = match (self.keeping(kept), self.row.run, &self.operand) {
            (Some((property, run)), ..) if property.holds(automaton) => {
                run(automaton, &self.settings)
            }
            (_, Run::Unary(run), _) => run(automaton, &self.settings),
            (_, Run::Binary(run), Some(operand)) => run(automaton, operand, &self.settings),
            (_, Run::Binary(_), None) => Err(Error::new("there is no other automaton")),
        }?;
        if self.claims().language == Language::Same || result.name().is_none() {
            return Ok(result);
        }
        let mut builder = result.edit();
        builder.clear_name();
        Ok(builder.build())
    }

    /// Returns the variant that preserves one of these properties.
    fn keeping(&self, kept: Properties) -> Option<(Property, Unary)> {
        self.row.keeping.iter().find(|(property, _)| kept.contains(*property)).copied()
    }
}

/// The name with its options: `reduce(low)`.
impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.settings.call(self.row.name, &self.row.parameters()))
    }
}

/// A sequence of steps.
#[derive(Clone, Debug, Default)]
pub struct Steps(
    /// The steps.
    pub Vec<Step>,
);

impl Steps {
    /// Parses names with options, separated by spaces; see [`Step::read`].
    ///
    /// # Errors
    /// The first error of a step.
    pub fn read(registry: &Registry, text: &str) -> Result<Steps, Error> {
        text.split_whitespace()
            .map(|step| Step::read(registry, step))
            .collect::<Result<_, _>>()
            .map(Steps)
    }

    /// Returns the claims about the result of all steps.
    pub fn claims(&self) -> Claims {
        self.0.iter().fold(Claims::default(), |claims, step| {
            let mut next = step.claims();
            if let Some((property, _)) = step.keeping(claims.yields) {
                next = next.keeps(&[property]);
            }
            claims.then(next)
        })
    }

    /// Runs all steps.
    ///
    /// # Errors
    /// The first error of a step, with its name.
    pub fn run(&self, automaton: &Automaton) -> Result<Automaton, Error> {
        self.try_run(automaton).map_err(|(step, error)| {
            Error::new(format!("{} is not possible: {error}", step.row.name))
        })
    }

    /// Runs all steps. Later steps preserve properties that earlier ones yield, if a variant can.
    ///
    /// # Errors
    /// The first failing step, with its error.
    pub fn try_run(&self, automaton: &Automaton) -> Result<Automaton, (&Step, Error)> {
        let mut current = automaton.clone();
        let mut wanted = Properties::NONE;
        for step in &self.0 {
            current = step.run_keeping(&current, wanted).map_err(|error| (step, error))?;
            wanted = wanted.union(step.claims().yields);
        }
        Ok(current)
    }
}
