//! A system written in Rust, checked for a liveness property.
//!
//! Two threads share a lock. A thread that finds it busy goes to sleep; the thread that releases it
//! wakes the other. The bug is a lost wakeup: a thread that has decided to sleep, but does not
//! sleep yet, is not woken.

use sempre::prelude::*;
use std::io::{self, Write};

/// The locations of a thread.
const START: i64 = 0;
const SLEEPY: i64 = 1;
const ASLEEP: i64 = 2;
const CRITICAL: i64 = 3;
const DONE: i64 = 4;

struct Lock(Vocabulary);

impl System for Lock {
    fn words(&self) -> usize {
        self.0.words()
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        Ok(vec![self.0.pack(&[START, START, 0])])
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(self)
    }

    fn names(&self) -> &dyn Names {
        &self.0
    }
}

impl Expander for &Lock {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        let values = self.0.unpack(state);
        for (me, other) in [(0, 1), (1, 0)] {
            let mut next = values.clone();
            let (action, place, held) = match (values[me], values[2]) {
                (START, 0) => (0, CRITICAL, 1),
                (START, _) => (1, SLEEPY, 1),
                (SLEEPY, held) => (2, ASLEEP, held),
                (CRITICAL, _) => (3, DONE, 0),
                _ => continue,
            };
            (next[me], next[2]) = (place, held);
            if place == DONE && next[other] == ASLEEP {
                next[other] = START;
            }
            successors.push(ActionId(4 * me as u32 + action), &self.0.pack(&next));
        }
        Ok(())
    }
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let steps = ["acquires", "finds it busy", "sleeps", "releases"];
    let actions = ["first", "second"].map(|thread| steps.map(|step| format!("{thread} {step}")));
    let variables = [("first", 0..=4), ("second", 0..=4), ("held", 0..=1)];
    let mut checker = Checker::of_system(Lock(Vocabulary::new(variables, actions.concat())));

    let safe = checker.check(r#"G !("first = 3" & "second = 3")"#)?;
    writeln!(out, "mutual exclusion: {}", safe.verdict.name())?;
    let live = checker.check(r#"F "first = 4""#)?;
    writeln!(out, "the first thread is done at last: {}", live.verdict.name())?;
    for step in live.counterexample().iter().flat_map(|run| &run.prefix) {
        let name = step.action.map(|action| live.system.names().action_name(action));
        writeln!(out, "  {}", name.as_deref().unwrap_or("nothing happens"))?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&mut io::stdout())
}
