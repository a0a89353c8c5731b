//! Lanes: the variables of a run by process, so that each process has a column or row of its own.
//!
//! A variable `P.x` belongs to the process P, as does the location `P`. If no name has a dot, numbers
//! at the end of names are the processes: `eats_0` belongs to 0. All other variables share a lane.

use crate::trace::RunTrace;
use std::collections::BTreeSet;

/// The lanes of a run: only variables that change have one.
#[derive(Debug)]
pub(crate) struct Lanes {
    /// The names of the lanes; the shared one comes last.
    pub(crate) names: Vec<String>,
    by_dot: bool,
}

/// The name of the lane of all variables that belong to no process.
const SHARED: &str = "shared";

impl Lanes {
    pub(crate) fn new(run: &RunTrace) -> Self {
        let changed: Vec<&str> =
            run.steps().flat_map(|step| &step.changes).map(|change| &*change.variable).collect();
        let all: BTreeSet<&str> =
            run.initial.0.iter().map(|(name, _)| &**name).chain(changed.iter().copied()).collect();
        let by_dot = all.iter().any(|name| name.contains('.'));
        let mut lanes = Lanes { names: Vec::new(), by_dot };
        for name in changed {
            let lane = lanes.process(name, &all).unwrap_or(SHARED).to_owned();
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
    fn process<'a>(&self, name: &'a str, all: &BTreeSet<&str>) -> Option<&'a str> {
        if self.by_dot {
            let is_process =
                |process: &str| all.iter().any(|other| other.starts_with(&format!("{process}.")));
            return match name.split_once('.') {
                Some((process, _)) => Some(process),
                None => is_process(name).then_some(name),
            };
        }
        let number = name.trim_end_matches(|character: char| character.is_ascii_digit());
        let process = &name[number.len()..];
        (!process.is_empty() && number.ends_with('_')).then_some(process)
    }

    /// The number of the lane of a variable; that of the shared lane if it has none of its own.
    pub(crate) fn of(&self, name: &str) -> usize {
        let own = match self.by_dot {
            true => name.split('.').next(),
            false => name.rsplit_once('_').map(|(_, number)| number),
        };
        let found = own.and_then(|own| self.names.iter().position(|lane| lane == own));
        let shared = || self.names.iter().position(|lane| lane == SHARED);
        found.or_else(shared).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Change, TraceStep, Values};

    fn lanes(names: &[&str]) -> Lanes {
        let change = |name: &&str| Change {
            variable: (*name).to_owned(),
            before: "0".to_owned(),
            after: "1".to_owned(),
        };
        let step = TraceStep {
            action: None,
            source: Vec::new(),
            changes: names.iter().map(change).collect(),
        };
        let initial = Values::default();
        let (prefix, cycle) = (vec![step], vec![]);
        Lanes::new(&RunTrace { initial, prefix, cycle, open: false, bad_state: None })
    }

    #[test]
    fn variables_have_the_lane_of_their_process() {
        let dve = lanes(&["turn", "P1.x", "P0", "P0.y", "P1"]);
        assert_eq!(dve.names, ["P0", "P1", "shared"]);
        assert_eq!(["turn", "P1.x", "P0"].map(|name| dve.of(name)), [2, 1, 0]);
        let net = lanes(&["eats_10", "fork_2", "turn"]);
        assert_eq!(net.names, ["2", "10", "shared"]);
        assert_eq!(["eats_10", "turn"].map(|name| net.of(name)), [1, 2]);
        assert_eq!(lanes(&["slots", "items"]).names, ["shared"]);
    }
}
