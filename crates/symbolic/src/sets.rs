//! Checks of any number of formulas, for which the states of a system are found once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sempre_diagrams::{Exhausted, Manager, Strategy};
use sempre_explicit::explore::{Limits, Reason};
use sempre_explicit::{Refusal, Verdict};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Prop};
use sempre_models::proposition::Propositions;
use sempre_models::{Fault, System};

use crate::check::{MEMORY, Options, Outcome, refuse};
use crate::encoding::Order;
use crate::space::Space;

/// A system, and the set of its states once that is known.
pub struct Sets {
    system: Arc<dyn System>,
    manager: Manager<'static>,
    /// How all states were looked for, and what came of it.
    search: Option<(Order, Strategy, Search)>,
}

/// What became of the search for all states.
enum Search {
    Found(Box<Space<'static>>),
    /// The system has a fault in one of them.
    Fault(Fault),
    /// The time was over after so long.
    TooLong(Duration),
    /// They need more memory.
    TooLarge,
}

/// Checks a system against a formula: the counterexample, if there is one, was replayed on the
/// system and evaluated.
///
/// # Errors
/// If the model has a fault, a proposition has no meaning in it, or the fixpoint or the steps that
/// are asked for do not fit the automaton.
pub fn verify(
    system: &Arc<dyn System>,
    formula: &Formula,
    options: &Options,
    limits: &Limits,
) -> Result<Outcome, Refusal> {
    Sets::new(system, limits.bytes).verify(formula, options, limits)
}

impl Sets {
    /// Nothing is known of the system's states yet. Diagrams may take as many bytes.
    pub fn new(system: &Arc<dyn System>, bytes: Option<usize>) -> Self {
        let memory = bytes.unwrap_or(MEMORY);
        let poll: Option<fn(&_)> = Some(|_| interrupt::poll_now());
        let manager = Manager::new(sempre_diagrams::Options { memory, poll });
        Sets { system: Arc::clone(system), manager, search: None }
    }

    /// As [`verify`](verify()), with the limits but for that on memory. If the states were not
    /// found for an earlier formula, and there is no more time for this one, that is told at once.
    ///
    /// # Errors
    /// As [`verify`](verify()).
    pub fn verify(
        &mut self,
        formula: &Formula,
        options: &Options,
        limits: &Limits,
    ) -> Result<Outcome, Refusal> {
        // What is wrong with the formula is to be told before anything takes long.
        Propositions::compile(self.system.names(), formula.props().iter().map(Prop::name))?;
        let raised = limits.interrupt.clone().unwrap_or_default();
        self.prepare(options, &raised, limits.deadline);
        let late = || match raised.is_raised() {
            true => Reason::Interrupt,
            false => Reason::Time,
        };
        let answer = match &self.search {
            Some((.., Search::Found(space))) => {
                let work = || self.manager.attempt(|| space.verify(formula, options));
                match interrupt::run(&raised, limits.deadline, work) {
                    Ok(Ok(answer)) => answer?,
                    Ok(Err(Exhausted)) => unknown(Reason::Memory, "fixpoint"),
                    Err(_) => unknown(late(), "fixpoint"),
                }
            }
            Some((.., Search::Fault(fault))) => return Err(refuse(fault.clone())),
            Some((.., Search::TooLarge)) => unknown(Reason::Memory, "reachability"),
            Some((.., Search::TooLong(_))) | None => unknown(late(), "reachability"),
        };
        let (verdict, engine) = answer;
        let states = match &self.search {
            Some((.., Search::Found(space))) => Some(space.count()),
            _ => None,
        };
        Ok(Outcome { verdict, engine, states, usage: self.manager.usage() })
    }

    /// Whether the states of the system are known.
    pub(crate) fn are_found(&self) -> bool {
        matches!(self.search, Some((.., Search::Found(_))))
    }

    /// Finds the states of the system, unless it is known what comes of that.
    pub(crate) fn prepare(
        &mut self,
        options: &Options,
        interrupt: &Interrupt,
        deadline: Option<Instant>,
    ) {
        let strategy = match options.saturate {
            true => Strategy::Saturation,
            false => Strategy::BreadthFirst,
        };
        let start = Instant::now();
        if let Some((order, by, search)) = &self.search
            && (order, *by) == (&options.order, strategy)
        {
            let is_worth_a_trial = match search {
                Search::TooLong(spent) => deadline.is_none_or(|end| end - start > *spent),
                _ => false,
            };
            if !is_worth_a_trial {
                return;
            }
        }
        let work = || {
            let find = || Space::find(&self.manager, &self.system, &options.order, strategy);
            self.manager.attempt(find)
        };
        let search = match interrupt::run(interrupt, deadline, work) {
            Ok(Ok(Ok(space))) => Search::Found(Box::new(space)),
            Ok(Ok(Err(fault))) => Search::Fault(fault),
            Ok(Err(Exhausted)) => Search::TooLarge,
            Err(_) if interrupt.is_raised() => return,
            Err(_) => Search::TooLong(start.elapsed()),
        };
        self.search = Some((options.order.clone(), strategy, search));
    }
}

/// An answer that says why there is none, and what was being computed.
fn unknown(reason: Reason, what: &str) -> (Verdict, String) {
    (Verdict::Unknown(reason), what.to_owned())
}
