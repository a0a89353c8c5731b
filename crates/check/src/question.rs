//! A question: does a system satisfy a property?

use crate::control::Control;
use crate::counterexample::{Counterexample, Rejected};
use crate::fairness::{Components, Fairness};
use crate::outcome::{CheckError, Unsupported};
use crate::property::{Property, Specification};
use crate::refine::{Refine, refined};
use sempre_ltl::{Formula, Prop};
use sempre_models::System;
use sempre_models::facts::Fact;
use sempre_models::proposition::Propositions;
use sempre_translate::NegationKind;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The treatment of deadlocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Deadlock {
    /// Repeat the last state for ever.
    #[default]
    Stutter,
    /// Ignore finite runs: only infinite ones violate a property.
    Ignore,
    /// Report each reachable deadlock as a violation.
    Report,
}

impl Deadlock {
    /// All treatments.
    pub const ALL: [Deadlock; 3] = [Deadlock::Stutter, Deadlock::Ignore, Deadlock::Report];

    /// Returns the name in options and output.
    pub fn name(self) -> &'static str {
        match self {
            Deadlock::Stutter => "stutter",
            Deadlock::Ignore => "ignore",
            Deadlock::Report => "report",
        }
    }
}

/// The automata of the negated property computed so far, each with its kind.
type Negations = Vec<(Box<dyn Any + Send>, Arc<dyn Any + Send + Sync>)>;

/// A system, a property that all its runs must satisfy, and the treatment of deadlocks.
#[derive(Clone)]
pub struct Question {
    system: Arc<dyn System>,
    property: Property,
    deadlock: Deadlock,
    fairness: Option<Fairness>,
    /// The propositions of the property, in the order of [`Specification::props`].
    names: Arc<[Prop]>,
    propositions: Propositions,
    negations: Arc<Mutex<Negations>>,
    /// Facts about the propositions, and how they refine the automata.
    facts: Arc<[Fact]>,
    refine: Refine,
}

impl fmt::Debug for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { property, deadlock, .. } = self;
        out.debug_struct("Question")
            .field("property", &property.to_string())
            .field("deadlock", deadlock)
            .finish_non_exhaustive()
    }
}

impl Question {
    /// Asks whether all runs of a system satisfy a formula.
    ///
    /// # Errors
    /// If a proposition of the formula has no meaning in the system, even if simplification would
    /// drop it.
    pub fn new(
        system: Arc<dyn System>,
        formula: &Formula,
        deadlock: Deadlock,
    ) -> Result<Self, CheckError> {
        Question::of(system, formula.clone().into(), deadlock)
    }

    /// Asks whether all runs of a system satisfy a property.
    ///
    /// # Errors
    /// As for [`Question::new`].
    pub fn of(
        system: Arc<dyn System>,
        property: Property,
        deadlock: Deadlock,
    ) -> Result<Self, CheckError> {
        let names: Arc<[Prop]> = property.props().into();
        let propositions = compile(&*system, &names)?;
        let (fairness, negations) = (None, Arc::default());
        let (facts, refine) = (Arc::default(), Refine::Off);
        let question = Question {
            system,
            property,
            deadlock,
            fairness,
            names,
            propositions,
            negations,
            facts,
            refine,
        };
        Ok(question)
    }

    /// Refines the automata by facts that each run of the system satisfies, about propositions of the
    /// formula.
    #[must_use]
    pub fn refined(self, facts: impl Into<Arc<[Fact]>>, refine: Refine) -> Self {
        Question { facts: facts.into(), refine, negations: Arc::default(), ..self }
    }

    /// Returns the facts by which automata are refined.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// Asks about the fair runs only.
    ///
    /// # Errors
    /// If the model does not have the components.
    pub fn fair(self, fairness: Fairness) -> Result<Self, Unsupported> {
        let of_processes = fairness.components == Components::Processes;
        if of_processes && self.system.names().processes().is_empty() {
            let text = "the model has no processes to be fair to: ask for :transition";
            return Err(Unsupported(text.to_owned()));
        }
        Ok(Question { fairness: Some(fairness), ..self })
    }

    /// Asks the same about another system, such as one with wider states or a reduced net. Shares
    /// the automata.
    ///
    /// # Errors
    /// As for [`Question::new`].
    pub fn about(&self, system: Arc<dyn System>) -> Result<Self, CheckError> {
        let propositions = compile(&*system, &self.names)?;
        Ok(Question { system, propositions, ..self.clone() })
    }

    /// Returns the system.
    pub fn system(&self) -> &Arc<dyn System> {
        &self.system
    }

    /// Returns the property.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// Returns the formula, if the property is one.
    pub fn formula(&self) -> Option<&Formula> {
        self.property.formula()
    }

    /// Returns the propositions of the property.
    pub fn props(&self) -> &[Prop] {
        &self.names
    }

    /// Returns the treatment of deadlocks.
    pub fn deadlock(&self) -> Deadlock {
        self.deadlock
    }

    /// Returns which runs count, if not all do.
    pub fn fairness(&self) -> Option<Fairness> {
        self.fairness
    }

    /// Refuses questions about steps, for engines that see states only.
    ///
    /// # Errors
    /// If a proposition is about steps, or only fair runs count.
    pub fn require_states(&self, engine: &str) -> Result<(), Unsupported> {
        let reason = match (self.fairness, self.propositions.is_about_steps()) {
            (Some(_), _) => "be fair",
            (None, true) => "read `fired(…)`",
            (None, false) => return Ok(()),
        };
        let help = "the explicit engine can, with --automaton auto, tgba, ba or det";
        Err(Unsupported(format!("{engine} cannot {reason}: {help}")))
    }

    /// True if the answer depends on steps, not on states only.
    pub fn is_about_steps(&self) -> bool {
        self.fairness.is_some() || self.propositions.is_about_steps()
    }

    /// Judges a run as a counterexample, also for fairness; see [`Counterexample::judge`].
    ///
    /// # Errors
    /// If it is none.
    pub fn judge(&self, run: &Counterexample) -> Result<(), Rejected> {
        run.judge(&*self.system, &self.property, self.deadlock)?;
        match self.fairness {
            Some(fairness) => fairness.judge(run, &*self.system),
            None => Ok(()),
        }
    }

    /// Returns those propositions of the property, in that order, compiled for the system.
    ///
    /// # Panics
    /// If one of them does not occur in the property.
    pub fn propositions(&self, props: &[Prop]) -> Propositions {
        let number = |prop: &Prop| {
            self.names.iter().position(|name| name == prop).expect("a proposition of the property")
        };
        self.propositions.select(props.iter().map(number))
    }

    /// Returns the automaton of the negated property, computed once for all engines.
    ///
    /// # Errors
    /// If no automaton of this kind exists, or a limit was reached.
    pub fn negation<K: NegationKind>(
        &self,
        kind: K,
        control: &Control<'_>,
    ) -> Result<Arc<K::Negation>, CheckError> {
        let known = |list: &Negations| {
            let made = list.iter().find(|(other, _)| other.downcast_ref() == Some(&kind));
            made.and_then(|(_, negation)| negation.clone().downcast().ok())
        };
        let list = || self.negations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(negation) = known(&list()) {
            return Ok(negation);
        }
        let made = control.limits.run(|| self.make_negation(kind))??;
        let mut list = list();
        if let Some(negation) = known(&list) {
            return Ok(negation);
        }
        let made = Arc::new(made);
        list.push((Box::new(kind), made.clone()));
        Ok(made)
    }

    fn make_negation<K: NegationKind>(&self, kind: K) -> Result<K::Negation, Unsupported> {
        let refused = |error: K::Error| Unsupported(error.to_string());
        match &self.property {
            Property::Formula(formula) => {
                let made = kind.of_formula(formula).map_err(refused)?;
                Ok(refined(made, formula, kind, &self.facts, self.refine))
            }
            Property::Automaton(property) => {
                let erroneous = property.erroneous();
                let erroneous = erroneous.map_err(|error| Unsupported(error.to_string()))?;
                if kind.requires_invariance() {
                    let invariance = property.require_invariance();
                    invariance.map_err(|error| Unsupported(error.to_string()))?;
                }
                kind.of_automaton(erroneous).map_err(refused)
            }
        }
    }
}

fn compile(system: &dyn System, names: &[Prop]) -> Result<Propositions, CheckError> {
    let mut propositions = Propositions::default();
    for name in names {
        propositions
            .push(system.names(), name.name())
            .map_err(|error| CheckError::Proposition { name: name.name().to_owned(), error })?;
    }
    Ok(propositions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre_automata::Automaton;
    use sempre_models::languages;
    use sempre_translate::{Kind, Translator};

    /// A kind as another crate may define it.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum OwnKind {
        Buchi,
        Nothing,
    }

    impl NegationKind for OwnKind {
        type Negation = Automaton;
        type Error = &'static str;

        fn of_formula(self, property: &Formula) -> Result<Automaton, &'static str> {
            let negation = Formula::not(property.clone());
            match self {
                OwnKind::Buchi => Ok(Translator::new().kind(Kind::Ba).translate(&negation)),
                OwnKind::Nothing => Err("no property has an automaton of this kind"),
            }
        }

        fn of_automaton(self, erroneous: &Automaton) -> Result<Automaton, &'static str> {
            Ok(erroneous.clone())
        }

        fn requires_invariance(self) -> bool {
            false
        }

        fn over_valuations(self) -> Option<Kind> {
            Some(Kind::Ba)
        }

        fn valuations(negation: &Automaton) -> Option<&Automaton> {
            Some(negation)
        }
    }

    #[test]
    fn the_automaton_of_each_kind_is_made_once() {
        let lamp = languages::named("kripke").unwrap();
        let lamp = lamp.read("init on; state on: lit -> on;").unwrap();
        let formula = "G F lit".parse().unwrap();
        let question = Question::new(lamp.system(), &formula, Deadlock::Stutter).unwrap();
        let control = Control::default();
        let made = question.negation(OwnKind::Buchi, &control).unwrap();
        assert!(made.is_state_based());
        let about_the_same = question.about(lamp.system()).unwrap();
        let again = about_the_same.negation(OwnKind::Buchi, &control).unwrap();
        assert!(Arc::ptr_eq(&made, &again));
        let refused = question.negation(OwnKind::Nothing, &control).unwrap_err();
        assert_eq!(refused.to_string(), "no property has an automaton of this kind");
    }
}
