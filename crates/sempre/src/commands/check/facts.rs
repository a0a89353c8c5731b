//! The facts of the model that refine a property, and whether they alone decide it.

use super::{Check, Loaded};
use crate::schema::described;
use crate::signals::GracefulStop;
use anyhow::Result;
use sempre::check::{Refine, Sanity};
use sempre::ltl::Formula;
use sempre::ltl::interrupt;
use sempre::models::facts::Fact;
use std::io::{self, Write};

/// The facts about the propositions of a property.
pub(super) struct Facts {
    facts: Vec<Fact>,
    sanity: Sanity,
}

described! {
    /// A fact about the propositions of the property, found in the model.
    pub(super) struct FactShape {
        /// The detector: locations, values, implied, incompatible, data-flow, invariant, initial,
        /// monotone or order.
        kind: &'static str,
        /// The formula that each run satisfies.
        formula: String,
        /// The reason.
        reason: String,
    }
}

impl Check {
    /// Finds the facts about a formula, if they refine it or are asked for.
    pub(super) fn facts(&self, loaded: &Loaded, formula: &Formula) -> Result<Option<Facts>> {
        if self.refine == Refine::Off && !self.explain {
            return Ok(None);
        }
        let found = GracefulStop::run(|stop| {
            interrupt::run(&stop.rest, None, || {
                let facts = loaded.checker.facts(formula);
                let sanity = Sanity::of(formula, &facts);
                Facts { facts, sanity }
            })
        })?;
        // The verdict stands whatever becomes of the facts.
        Ok(found.ok())
    }
}

impl Facts {
    /// The facts for programs.
    pub(super) fn shapes(&self) -> Vec<FactShape> {
        let shape = |fact: &Fact| FactShape {
            kind: fact.kind.name(),
            formula: fact.assumption().to_string(),
            reason: fact.reason.clone(),
        };
        self.facts.iter().map(shape).collect()
    }

    /// The word for programs, if the facts alone decide the property.
    pub(super) fn word(&self) -> Option<&'static str> {
        match self.sanity {
            Sanity::Open => None,
            Sanity::Valid => Some("valid"),
            Sanity::Unsatisfiable => Some("unsatisfiable"),
        }
    }

    /// Writes a warning if the facts alone decide the property.
    pub(super) fn write_warning(&self, out: &mut impl Write) -> io::Result<()> {
        match self.sanity {
            Sanity::Open => Ok(()),
            Sanity::Valid => {
                writeln!(out, "  warning: the property is valid under the facts alone")
            }
            Sanity::Unsatisfiable => {
                writeln!(out, "  warning: the property is unsatisfiable under the facts alone")
            }
        }
    }

    /// Writes the facts.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.facts.is_empty() {
            return Ok(());
        }
        writeln!(out, "facts: the model satisfies these formulas, whatever the property is")?;
        for fact in &self.facts {
            let formula = fact.assumption();
            writeln!(out, "  {}: {formula} ({})", fact.kind.name(), fact.reason)?;
        }
        Ok(())
    }
}
