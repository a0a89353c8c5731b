//! Lanes: the variables of a run by process, so that each process has a column or row of its own.
//!
//! Processes are those that actions name: `P: a -> b`. A variable `P.x` belongs to the process P,
//! as does the location `P`. If no action names a process, the number at the end of a name is its
//! process: `eats_0` belongs to 0. All other variables share a lane.

use crate::trace::RunTrace;
use std::collections::BTreeSet;

/// The lanes of a run: only variables that change have one.
#[derive(Debug)]
pub(crate) struct Lanes {
    /// The names of the lanes; the shared one comes last.
    pub(crate) names: Vec<String>,
    /// The processes that actions name.
    processes: BTreeSet<String>,
}

/// The name of the lane of all variables that belong to no process.
const SHARED: &str = "shared";

impl Lanes {
    pub(crate) fn new(run: &RunTrace) -> Self {
        let actions = run.steps().filter_map(|step| step.action.as_deref());
        let named = actions.flat_map(|action| action.split(", "));
        let processes =
            named.filter_map(|part| part.split_once(": ")).map(|(name, _)| name.to_owned());
        let mut lanes = Lanes { names: Vec::new(), processes: processes.collect() };
        for change in run.steps().flat_map(|step| &step.changes) {
            let lane = lanes.process(&change.variable).unwrap_or(SHARED).to_owned();
            if !lanes.names.contains(&lane) {
                lanes.names.push(lane);
            }
        }
        lanes.names.sort_by_key(|name| {
            (name == SHARED, name.parse::<u64>().unwrap_or(u64::MAX), name.clone())
        });
        lanes
    }

    /// The process of a variable.
    fn process<'a>(&self, name: &'a str) -> Option<&'a str> {
        if !self.processes.is_empty() {
            let process = name.split('.').next()?;
            return self.processes.contains(process).then_some(process);
        }
        let stem = name.trim_end_matches(|character: char| character.is_ascii_digit());
        let number = &name[stem.len()..];
        (!number.is_empty() && stem.ends_with('_')).then_some(number)
    }

    /// The number of the lane of a variable that changes.
    pub(crate) fn of(&self, name: &str) -> usize {
        let own = self.process(name).unwrap_or(SHARED);
        self.names.iter().position(|lane| lane == own).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Change, TraceStep, Values};

    fn lanes(names: &[&str], action: Option<&str>) -> Lanes {
        let change = |name: &&str| Change {
            variable: (*name).to_owned(),
            before: "0".to_owned(),
            after: "1".to_owned(),
        };
        let changes = names.iter().map(change).collect();
        let action = action.map(str::to_owned);
        let step = TraceStep { action, source: Vec::new(), changes };
        let initial = Values::default();
        let (prefix, cycle) = (vec![step], vec![]);
        Lanes::new(&RunTrace { initial, prefix, cycle, open: false, bad_state: None })
    }

    #[test]
    fn variables_have_the_lane_of_their_process() {
        let actions = Some("P0: a -> b, P1: c -> d");
        let dve = lanes(&["turn", "P1.x", "P0", "P0.y", "P1"], actions);
        assert_eq!(dve.names, ["P0", "P1", "shared"]);
        assert_eq!(["turn", "P1.x", "P0"].map(|name| dve.of(name)), [2, 1, 0]);
        let net = lanes(&["eats_10", "fork_2", "turn"], None);
        assert_eq!(net.names, ["2", "10", "shared"]);
        assert_eq!(["eats_10", "turn"].map(|name| net.of(name)), [1, 2]);
        assert_eq!(lanes(&["slots", "items"], None).names, ["shared"]);
    }
}
