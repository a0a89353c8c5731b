//! A state machine written in Rust, checked for a liveness property.
//!
//! Two threads share a lock. One that finds it busy goes to sleep, and whoever releases it wakes the
//! other. The bug is a lost wakeup: a thread that has decided to sleep, but does not sleep yet, is
//! not woken.

use sempre::prelude::*;

/// Where a thread can be.
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
            let action = match (values[me], values[2]) {
                (START, 0) => {
                    (next[me], next[2]) = (CRITICAL, 1);
                    0
                }
                (START, _) => {
                    next[me] = SLEEPY;
                    1
                }
                (SLEEPY, _) => {
                    next[me] = ASLEEP;
                    2
                }
                (CRITICAL, _) => {
                    (next[me], next[2]) = (DONE, 0);
                    if next[other] == ASLEEP {
                        next[other] = START;
                    }
                    3
                }
                _ => continue,
            };
            successors.push(ActionId(4 * me as u32 + action), &self.0.pack(&next));
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let steps = ["acquires", "finds it busy", "sleeps", "releases"];
    let actions = ["first", "second"].map(|thread| steps.map(|step| format!("{thread} {step}")));
    let variables = [("first", 0..=4), ("second", 0..=4), ("held", 0..=1)];
    let lock = Lock(Vocabulary::new(variables, actions.concat()));

    let mut checker = Checker::of_system(lock);
    let safe = checker.check(r#"G !("first = 3" & "second = 3")"#)?;
    println!("mutual exclusion: {}", safe.verdict.name());
    let live = checker.check(r#"F "first = 4""#)?;
    println!("the first thread is done at last: {}", live.verdict.name());
    if let Some(run) = live.counterexample() {
        for step in run.prefix.iter().filter_map(|step| step.action) {
            println!("  {}", live.system.names().action_name(step));
        }
    }
    Ok(())
}
