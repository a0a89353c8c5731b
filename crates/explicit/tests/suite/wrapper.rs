//! Wraps a system in about thirty lines; every search works on the result.

use sempre_check::{Control, Deadlock, Engine, Question, Verdict};
use sempre_explicit::explore::{Limits, breadth_first, depth_first};
use sempre_explicit::store::{Arena, Store, Tree};
use sempre_explicit::{ExplicitEngine, Options};
use sempre_models::{Expander, Fault, Model, Names, Successors, System, generate};
use std::sync::Arc;

/// A system with a clock, which counts steps modulo a number.
struct Clocked {
    inner: Arc<dyn System>,
    hours: u32,
}

impl System for Clocked {
    fn words(&self) -> usize {
        self.inner.words() + 1
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        let states = self.inner.initial()?;
        Ok(states.iter().map(|state| [&**state, &[0]].concat().into()).collect())
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let (inner, buffer) = (self.inner.expander(), Successors::new(self.inner.words()));
        Box::new(Ticking { inner, buffer, hours: self.hours })
    }

    fn names(&self) -> &dyn Names {
        self.inner.names()
    }
}

struct Ticking<'a> {
    inner: Box<dyn Expander + 'a>,
    buffer: Successors,
    hours: u32,
}

impl Expander for Ticking<'_> {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        let (inner, clock) = state.split_at(state.len() - 1);
        self.buffer.clear();
        self.inner.expand(inner, &mut self.buffer)?;
        for (action, next) in self.buffer.iter() {
            successors.push(action, &[next, &[(clock[0] + 1) % self.hours]].concat());
        }
        Ok(())
    }
}

/// A counter of three bits runs through its 8 values. With a clock of 6 hours, the joint state
/// repeats after 24 steps.
#[test]
fn a_counter_has_a_clock_beside_it() {
    let counter = Model::from(generate::family("counter").unwrap().net(3).unwrap()).system();
    let clocked = Clocked { inner: counter.clone(), hours: 6 };
    let systems: [(Arc<dyn System>, usize); 2] = [(counter, 8), (Arc::new(clocked), 24)];
    for (system, states) in systems {
        let (limits, quiet) = (Limits::default(), |_: &_| ());
        let wide =
            breadth_first(&*system, &mut Arena::new(system.words()), &limits, quiet).unwrap();
        let deep = depth_first(&*system, &mut Tree::new(system.words()), &limits, quiet).unwrap();
        for counts in [wide.counts, deep.counts] {
            assert_eq!((counts.states, counts.transitions), (states as u64, states as u64));
        }
        let mut engine = ExplicitEngine::new(Options::default());
        for (formula, verdict) in [("G F one_2", Verdict::Holds), ("F G !one_2", Verdict::Violated)]
        {
            let formula = formula.parse().unwrap();
            let question = Question::new(system.clone(), &formula, Deadlock::Stutter).unwrap();
            // The counterexamples were judged.
            let outcome = engine.check(&question, &Control::default()).unwrap();
            assert_eq!(outcome.verdict, verdict);
            if let Some(run) = outcome.counterexample() {
                assert_eq!(run.cycle.len(), states);
            }
        }
    }
}
