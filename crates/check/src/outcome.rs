//! The answer of an engine.

use crate::control::Reason;
use crate::counterexample::{Counterexample, Rejected};
use crate::parts::PartCheck;
use crate::path::Failure;
use crate::provenance::Provenance;
use crate::question::Question;
use num_bigint::BigUint;
use sempre_models::{Error, Fault, System};
use std::fmt;
use std::sync::Arc;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No run of the system violates the property.
    Holds,
    /// A run violates it.
    Violated,
    /// Not decided, with the reason.
    Unknown(Unknown),
}

impl Verdict {
    /// Returns the name in output.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// True if the property is known to hold or to be violated.
    pub fn is_decided(&self) -> bool {
        !matches!(self, Verdict::Unknown(_))
    }

    /// True if the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        *self == Verdict::Unknown(Unknown::Limit(Reason::Interrupt))
    }
}

/// Why a verdict is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// A limit was reached.
    Limit(Reason),
    /// The model has a fault, or is unbounded.
    Fault(Failure),
    /// The deadline passed while the model was read.
    NotLoaded,
}

impl fmt::Display for Unknown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Limit(reason) => reason.fmt(out),
            Unknown::Fault(failure) => failure.fmt(out),
            Unknown::NotLoaded => write!(out, "{} while the model was being read", Reason::Time),
        }
    }
}

/// The proof of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// A run that violates the property; the judge has replayed it.
    Run(Counterexample),
    /// An assertion of the model fails, whatever the property says; with the path to the state.
    Assertion(Failure),
}

/// The cost of a check. A field is `None` if the engine does not count it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The number of states of the system.
    pub states: Option<BigUint>,
    /// The number of transitions of the system.
    pub transitions: Option<u64>,
    /// The number of product states that were stored.
    pub stored: Option<u64>,
    /// The number of product transitions that were visited, counted each time.
    pub visited: Option<u64>,
    /// The memory of the state space, in bytes.
    pub bytes: usize,
    /// The maximal number of diagram nodes.
    pub peak_nodes: Option<usize>,
    /// Sets of states that were nodes of a graph.
    pub aggregates: Option<u64>,
    /// Edges between such sets.
    pub aggregate_edges: Option<u64>,
    /// The checks of the parts, if the automaton was split, the weakest part first.
    pub parts: Vec<PartCheck>,
}

/// The verdict with its evidence, provenance and cost.
#[derive(Clone)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The evidence; present for each violation.
    pub evidence: Option<Evidence>,
    /// The system of the states and actions in the evidence, or in the path to a fault.
    pub system: Arc<dyn System>,
    /// How the verdict was found.
    pub provenance: Provenance,
    /// The cost of the check.
    pub cost: Cost,
}

impl fmt::Debug for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { verdict, evidence, provenance, cost, .. } = self;
        out.debug_struct("Outcome")
            .field("verdict", verdict)
            .field("evidence", evidence)
            .field("provenance", provenance)
            .field("cost", cost)
            .finish_non_exhaustive()
    }
}

impl Outcome {
    /// Makes an outcome without a verdict or counts.
    pub fn unknown(question: &Question, engine: &'static str, reason: Unknown) -> Self {
        Outcome {
            verdict: Verdict::Unknown(reason),
            evidence: None,
            system: question.system().clone(),
            provenance: Provenance { engine, ..Provenance::default() },
            cost: Cost::default(),
        }
    }

    /// Makes the outcome for a model that has a fault: an assertion that fails is a violation, of
    /// which the path is the evidence; after other faults, and without the path, nothing is known.
    pub fn of_failure(question: &Question, engine: &'static str, failure: Failure) -> Self {
        let is_violation =
            matches!(failure.fault, Fault::Assertion { .. }) && failure.path.is_some();
        let outcome = Outcome::unknown(question, engine, Unknown::Fault(failure.clone()));
        match is_violation {
            true => Outcome {
                verdict: Verdict::Violated,
                evidence: Some(Evidence::Assertion(failure)),
                ..outcome
            },
            false => outcome,
        }
    }

    /// Returns the counterexample, if there is one.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        match &self.evidence {
            Some(Evidence::Run(run)) => Some(run),
            Some(Evidence::Assertion(_)) | None => None,
        }
    }

    /// Returns the assertion that fails, with the path to the state, if that is the evidence.
    pub fn assertion(&self) -> Option<&Failure> {
        match &self.evidence {
            Some(Evidence::Assertion(failure)) => Some(failure),
            Some(Evidence::Run(_)) | None => None,
        }
    }
}

/// Why an engine cannot answer a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

/// Why a check has no outcome.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CheckError {
    /// A proposition of the formula has no meaning in the model. The position in the error refers
    /// to the text of the proposition.
    #[error("{error}")]
    Proposition {
        /// The proposition.
        name: String,
        /// The error in it.
        error: Error,
    },
    /// The engine cannot answer the question.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The model has a fault.
    #[error("{0}")]
    Fault(Failure),
    /// A limit was reached before any result.
    #[error("{0}")]
    Limit(Reason),
    /// A search returned a run that is no counterexample: an error of the engine.
    #[error(transparent)]
    Rejected(#[from] Rejected),
}

impl CheckError {
    /// Converts a limit into an outcome.
    ///
    /// # Errors
    /// Any other error, unchanged.
    pub fn or_unknown(self, question: &Question, engine: &'static str) -> Result<Outcome, Self> {
        match self {
            CheckError::Limit(reason) => {
                Ok(Outcome::unknown(question, engine, Unknown::Limit(reason)))
            }
            error => Err(error),
        }
    }

    /// Returns the variable that overflowed, if this is an overflow.
    pub fn overflow(&self) -> Option<sempre_models::VariableId> {
        match self {
            CheckError::Fault(failure) => failure.overflow(),
            _ => None,
        }
    }
}

impl From<Reason> for CheckError {
    fn from(reason: Reason) -> Self {
        CheckError::Limit(reason)
    }
}

impl From<Fault> for CheckError {
    fn from(fault: Fault) -> Self {
        CheckError::Fault(fault.into())
    }
}

impl From<Failure> for CheckError {
    fn from(failure: Failure) -> Self {
        CheckError::Fault(failure)
    }
}
