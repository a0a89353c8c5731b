//! A model of any kind, and how work is compiled for each.

use crate::dve::{Dve, DveSystem};
use crate::etf::{Etf, EtfSystem};
use crate::kripke::Kripke;
use crate::petri::{self, Net};
use crate::system::{Fault, System};
use sempre_ltl::interrupt::{self, Interrupt};
use std::time::Instant;

/// Work that is to be done on a system, whatever its kind.
pub trait Task {
    /// What the work results in.
    type Output;

    /// Does the work. It is done again from the beginning if a value turned out to need more bits.
    ///
    /// # Errors
    /// If the system has a [fault](Fault).
    fn run<S: System>(&mut self, system: &S) -> Result<Self::Output, Fault>;
}

/// A model of any kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Model {
    /// A model in the DVE language.
    Dve(Dve),
    /// Tables of transitions.
    Etf(Etf),
    /// A Kripke structure.
    Kripke(Kripke),
    /// A place/transition net.
    Net(Net),
}

impl Model {
    /// Finds out what all work on the model uses: [bounds](Net::bounds) of places. If that takes
    /// too long, the work is done without.
    pub fn prepare(&self, deadline: Option<Instant>) {
        if let Model::Net(net) = self {
            let found = interrupt::run(&Interrupt::default(), deadline, || net.bounds());
            if found.is_err() {
                net.forgo_bounds();
            }
        }
    }

    /// Does some work on the system that the model describes.
    ///
    /// Counts of tokens are packed into as few bits as seem to be enough; if they turn out not to
    /// be, the work is done again with more.
    ///
    /// # Errors
    /// If the system has a fault that more bits cannot mend.
    pub fn run<T: Task>(&self, task: &mut T) -> Result<T::Output, Fault> {
        match self {
            Model::Dve(dve) => task.run(&DveSystem::new(dve)),
            Model::Etf(etf) => task.run(&EtfSystem::new(etf)),
            Model::Kripke(kripke) => task.run(kripke),
            Model::Net(net) => petri::run(net, task),
        }
    }

    /// As [`Model::run`], for work that may end before all states have been seen: nets that are
    /// unbounded are not refused.
    ///
    /// # Errors
    /// As for [`Model::run`].
    pub fn run_on_the_fly<T: Task>(&self, task: &mut T) -> Result<T::Output, Fault> {
        match self {
            Model::Net(net) => petri::run_on_the_fly(net, task),
            _ => self.run(task),
        }
    }
}
