//! Formulas that are shown along a walk, and breakpoints.
//!
//! A formula without temporal operators has the value of the state. Of any other, a monitor says
//! whether the walk so far decides it: `true` or `false` whatever comes next, else `open`.

use crate::input::in_formula;
use crate::models::ModelInput;
use sempre::check::Monitor;
use sempre::ltl::semantics::holds;
use sempre::ltl::{Error, Formula, Prop, Syntax, Traits, Word, syntax};
use sempre::models::proposition::Propositions;
use sempre::models::{Fault, System};

/// A formula about the walk.
pub(super) struct Watch {
    formula: Formula,
    props: Vec<Prop>,
    propositions: Propositions,
    /// A monitor before each state of the walk that it has read, if the formula is temporal.
    monitors: Option<Vec<Monitor>>,
}

impl Watch {
    /// Reads a formula about the system of a model.
    pub(super) fn new(text: &str, system: &dyn System, model: &ModelInput) -> Result<Self, Error> {
        Watch::read(text, system).map_err(|error| model.explained(system, text, error))
    }

    fn read(text: &str, system: &dyn System) -> Result<Self, Error> {
        let formula = syntax::parse(text, Syntax::Auto)?;
        let props: Vec<Prop> = formula.props();
        let mut propositions = Propositions::default();
        for prop in &props {
            let pushed = propositions.push_about_states(system.names(), prop.name());
            pushed.map_err(|error| in_formula(text, Syntax::Auto, prop.name(), error))?;
        }
        let monitors = match formula.is(Traits::BOOLEAN) {
            true => None,
            false => {
                let monitor = Monitor::new(&formula);
                let large = || Error::new("the formula is too large to watch");
                Some(vec![monitor.ok_or_else(large)?])
            }
        };
        Ok(Watch { formula, props, propositions, monitors })
    }

    /// A breakpoint: a formula about single states.
    pub(super) fn predicate(
        text: &str,
        system: &dyn System,
        model: &ModelInput,
    ) -> Result<Self, Error> {
        let watch = Watch::new(text, system, model)?;
        let temporal = "a breakpoint is about states: it has no temporal operators";
        match watch.monitors {
            None => Ok(watch),
            Some(_) => Err(Error::new(temporal)),
        }
    }

    /// The formula as it is shown.
    pub(super) fn text(&self) -> String {
        self.formula.to_string()
    }

    /// The value after these states; none if it is open.
    pub(super) fn value(
        &mut self,
        system: &dyn System,
        states: &[&[u32]],
    ) -> Result<Option<bool>, Fault> {
        let mut expander = system.expander();
        let Some(monitors) = &mut self.monitors else {
            let Some(last) = states.last() else { return Ok(None) };
            let valuation = self.propositions.valuation(&mut *expander, last)?;
            let word = Word::from_valuations(self.props.clone(), &[], &[valuation]);
            return Ok(word.ok().map(|word| holds(&self.formula, &word)));
        };
        monitors.truncate(states.len() + 1);
        while monitors.len() <= states.len() {
            let mut next = monitors[monitors.len() - 1].clone();
            let valuation =
                self.propositions.valuation(&mut *expander, states[monitors.len() - 1])?;
            let value = |prop: &Prop| {
                let number = self.props.iter().position(|other| other == prop);
                number.is_some_and(|number| valuation >> number & 1 == 1)
            };
            next.read(value);
            monitors.push(next);
        }
        Ok(monitors[states.len()].verdict())
    }

    /// Forgets all states of the walk after that many.
    pub(super) fn truncate(&mut self, states: usize) {
        if let Some(monitors) = &mut self.monitors {
            monitors.truncate(states + 1);
        }
    }
}
