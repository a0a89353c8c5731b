//! Formulas that are shown along a walk, and breakpoints.
//!
//! A formula without temporal operators has the value of the state. Of any other, a monitor says
//! whether the walk so far decides it: `true` or `false` whatever comes next, else `open`.

use anyhow::{Result, anyhow};
use sempre::check::Monitor;
use sempre::ltl::semantics::holds;
use sempre::ltl::{Formula, Prop, Syntax, Traits, Word, syntax};
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
    /// Reads a formula about a system.
    pub(super) fn new(text: &str, system: &dyn System) -> Result<Self> {
        let formula = syntax::parse(text, Syntax::Auto).map_err(|error| anyhow!("{error}"))?;
        let props: Vec<Prop> = formula.props();
        let compiled = Propositions::compile(system.names(), props.iter().map(Prop::name));
        let propositions = compiled.map_err(|error| anyhow!("{error}"))?;
        let monitors = match formula.is(Traits::BOOLEAN) {
            true => None,
            false => {
                let monitor = Monitor::new(&formula);
                Some(vec![monitor.ok_or_else(|| anyhow!("the formula is too large to watch"))?])
            }
        };
        Ok(Watch { formula, props, propositions, monitors })
    }

    /// A breakpoint: a formula about single states.
    pub(super) fn predicate(text: &str, system: &dyn System) -> Result<Self> {
        let watch = Watch::new(text, system)?;
        match watch.monitors {
            None => Ok(watch),
            Some(_) => Err(anyhow!("a breakpoint is about states: it has no temporal operators")),
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
