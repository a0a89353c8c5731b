//! Computes events as relations before the search.
//!
//! The values of each variable are overapproximated. An event is tried for all combinations of
//! known values of the variables that it reads, one variable after the other. The values that it
//! writes are added, until a fixpoint. The variables that an event reads may depend on values
//! already read, such as an index. So the trials of an event form a tree; its leaves are grouped
//! into parts that read and write the same variables. A part becomes an event of the diagram, with
//! fewer variables than the whole.
//!
//! The overapproximation treats variables as independent, so it may have too many values; then
//! events become tables, computed as values appear.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::interrupt;
use sempre_models::layout::Field;
use sempre_models::{Attempt, Events, PartialState, VariableId};

/// The limit of trials of all events together, about half a second.
const TRIALS: usize = 500_000;

/// The cases of an event that read the same variables and write the same variables.
pub(crate) struct Part {
    pub(crate) event: usize,
    /// Indices of variables in the list of fields, in order.
    pub(crate) reads: Vec<usize>,
    pub(crate) writes: Vec<usize>,
    /// For each case, the values read, then the values written.
    pub(crate) rows: Vec<u32>,
    /// Further variables, with their required values.
    pub(crate) conditions: Vec<(usize, Rc<[u32]>)>,
}

impl Part {
    /// Returns the variables that the part touches, in order.
    pub(crate) fn support(&self) -> Vec<usize> {
        let further = self.conditions.iter().map(|(variable, _)| variable);
        let mut all: Vec<usize> =
            self.reads.iter().chain(&self.writes).chain(further).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the variables that are written without being read.
    fn blind(&self) -> impl Iterator<Item = usize> {
        self.writes.iter().copied().filter(|variable| self.reads.binary_search(variable).is_err())
    }

    /// Merges the cases of parts that read the same variables, and write the same variables among
    /// those that they do not read.
    fn unite(mut parts: Vec<Part>) -> Option<Part> {
        let mut writes: Vec<usize> = parts.iter().flat_map(|part| &part.writes).copied().collect();
        writes.sort_unstable();
        writes.dedup();
        let mut rows = Vec::new();
        for part in &parts {
            let written = |variable| {
                let column = part.writes.binary_search(variable);
                let column = column.map(|number| part.reads.len() + number);
                column.or_else(|_| part.reads.binary_search(variable)).ok()
            };
            let columns: Vec<usize> =
                (0..part.reads.len()).chain(writes.iter().filter_map(written)).collect();
            for row in part.rows.chunks_exact(part.reads.len() + part.writes.len()) {
                rows.extend(columns.iter().map(|column| row[*column]));
            }
        }
        Some(Part { writes, rows, ..parts.pop()? })
    }

    /// Removes writes that never change a value.
    fn simplify(&mut self) {
        let (reads, width) = (self.reads.len(), self.reads.len() + self.writes.len());
        let is_kept = |number: usize| match self.reads.binary_search(&self.writes[number]) {
            Ok(read) => self.rows.chunks_exact(width).any(|row| row[read] != row[reads + number]),
            Err(_) => true,
        };
        let kept: Vec<usize> = (0..self.writes.len()).filter(|number| is_kept(*number)).collect();
        if kept.len() < self.writes.len() {
            let columns = || (0..reads).chain(kept.iter().map(|number| reads + number));
            let rows = self.rows.chunks_exact(width);
            self.rows = rows.flat_map(|row| columns().map(|column| row[column])).collect();
            self.writes = kept.iter().map(|number| self.writes[*number]).collect();
        }
    }
}

/// The relations of all events of a system.
pub(crate) struct Relations {
    /// The parts.
    pub(crate) parts: Vec<Part>,
    /// The cases where an event is undefined; these write nothing.
    pub(crate) faults: Vec<Part>,
}

impl Relations {
    /// Tries all events; `None` if they cannot be tried, or if the limit of trials is reached.
    pub(crate) fn new(
        (words, events): (usize, &dyn Events),
        fields: &[(VariableId, Field)],
        supports: &[Vec<usize>],
        initial: &[Box<[u32]>],
    ) -> Option<Self> {
        let mut trials = Trials::new((words, events), fields, supports);
        for state in initial {
            for (variable, (_, field)) in fields.iter().enumerate() {
                trials.add(variable, crate::encoding::raw(*field, state));
            }
        }
        trials.run()?;
        let collect = |parts: FxHashMap<Kind, Vec<u32>>| {
            let parts = parts.into_iter().map(|((event, reads, writes), rows)| {
                interrupt::poll();
                let conditions = trials.conditions[event].iter();
                let conditions =
                    conditions.filter(|(variable, _)| reads.binary_search(variable).is_err());
                let conditions = conditions.cloned().collect();
                let mut part = Part { event, reads, writes, rows, conditions };
                part.simplify();
                part
            });
            let mut parts: Vec<Part> = parts.collect();
            let key = |part: &Part| (part.event, part.reads.clone(), part.writes.clone());
            parts.sort_by_cached_key(key);
            parts
        };
        let (done, faulty) = (std::mem::take(&mut trials.done), std::mem::take(&mut trials.faulty));
        Some(Relations { parts: merge(collect(done)), faults: collect(faulty) })
    }
}

/// Merges parts that touch the same variables and read the same ones; unwritten variables keep the
/// value read.
fn merge(parts: Vec<Part>) -> Vec<Part> {
    let mut alike: Vec<Vec<Part>> = Vec::new();
    let mut places = FxHashMap::default();
    for part in parts {
        interrupt::poll();
        let blind: Vec<usize> = part.blind().collect();
        let key = (part.reads.clone(), blind, part.conditions.clone());
        let place = *places.entry(key).or_insert(alike.len());
        if place == alike.len() {
            alike.push(Vec::new());
        }
        alike[place].push(part);
    }
    alike.into_iter().filter_map(Part::unite).collect()
}

/// The event, its read variables, and its written variables.
type Kind = (usize, Vec<usize>, Vec<usize>);

/// A variable that is read after others.
struct Branch {
    event: usize,
    variable: usize,
    /// The previous branch, and the value taken there.
    parent: Option<(usize, u32)>,
    /// The number of values tried.
    tried: usize,
    is_waiting: bool,
}

struct Trials<'a> {
    events: &'a dyn Events,
    fields: &'a [(VariableId, Field)],
    supports: &'a [Vec<usize>],
    /// The indices of variables, by word and shift.
    places: FxHashMap<(usize, u32), usize>,
    conditions: Vec<Vec<(usize, Rc<[u32]>)>>,
    /// For each variable its known values, in the order of discovery and as a set.
    values: Vec<Vec<u32>>,
    known: Vec<FxHashSet<u32>>,
    branches: Vec<Branch>,
    /// For each variable, the branches that read it.
    readers: Vec<Vec<usize>>,
    waiting: VecDeque<usize>,
    done: FxHashMap<Kind, Vec<u32>>,
    faulty: FxHashMap<Kind, Vec<u32>>,
    state: PartialState,
    count: usize,
}

impl<'a> Trials<'a> {
    fn new(
        (words, events): (usize, &'a dyn Events),
        fields: &'a [(VariableId, Field)],
        supports: &'a [Vec<usize>],
    ) -> Self {
        let place = |field: Field| (field.word(), field.shift());
        let places: FxHashMap<(usize, u32), usize> =
            fields.iter().enumerate().map(|(i, (_, field))| (place(*field), i)).collect();
        let conditions = (0..events.event_count()).map(|event| {
            interrupt::poll();
            let all = events.conditions(event).into_iter();
            all.map(|condition| (places[&place(condition.field)], condition.among.into())).collect()
        });
        Trials {
            events,
            fields,
            supports,
            conditions: conditions.collect(),
            places,
            values: vec![Vec::new(); fields.len()],
            known: vec![FxHashSet::default(); fields.len()],
            branches: Vec::new(),
            readers: vec![Vec::new(); fields.len()],
            waiting: VecDeque::new(),
            done: FxHashMap::default(),
            faulty: FxHashMap::default(),
            state: PartialState::new(words),
            count: 0,
        }
    }

    /// Adds a value, which branches must try.
    fn add(&mut self, variable: usize, value: u32) {
        if !self.known[variable].insert(value) {
            return;
        }
        self.values[variable].push(value);
        for branch in &self.readers[variable] {
            if !std::mem::replace(&mut self.branches[*branch].is_waiting, true) {
                self.waiting.push_back(*branch);
            }
        }
    }

    fn run(&mut self) -> Option<()> {
        for event in 0..self.events.event_count() {
            self.attempt(event, None)?;
        }
        while let Some(number) = self.waiting.pop_front() {
            interrupt::poll();
            self.branches[number].is_waiting = false;
            let Branch { event, variable, .. } = self.branches[number];
            let condition = self.conditions[event].iter().find(|(other, _)| *other == variable);
            let among = condition.map(|(_, among)| Rc::clone(among));
            while let Some(&value) = self.values[variable].get(self.branches[number].tried) {
                self.branches[number].tried += 1;
                if among.as_ref().is_none_or(|among| among.binary_search(&value).is_ok()) {
                    self.attempt(event, Some((number, value)))?;
                }
            }
        }
        Some(())
    }

    /// Tries an event with the values read up to a branch, and the value taken there.
    fn attempt(&mut self, event: usize, parent: Option<(usize, u32)>) -> Option<()> {
        interrupt::poll();
        self.count += 1;
        if self.count > TRIALS {
            return None;
        }
        self.state.clear();
        let mut path = parent;
        let mut read = Vec::new();
        while let Some((branch, value)) = path {
            let Branch { variable, parent, .. } = self.branches[branch];
            self.state.know(self.fields[variable].1, value);
            read.push((variable, value));
            path = parent;
        }
        match self.events.try_fire(event, &mut self.state) {
            Attempt::Unsupported => return None,
            Attempt::Disabled => {}
            Attempt::Needs(field) => {
                let variable = self.places[&(field.word(), field.shift())];
                let number = self.branches.len();
                self.branches.push(Branch { event, variable, parent, tried: 0, is_waiting: true });
                self.readers[variable].push(number);
                self.waiting.push_back(number);
            }
            Attempt::Done => {
                let fields = self.supports[event].iter().copied();
                let written: Vec<(usize, u32)> = fields
                    .filter_map(|i| Some((i, self.state.written(self.fields[i].1)?)))
                    .collect();
                for (variable, value) in &written {
                    self.add(*variable, *value);
                }
                keep(&mut self.done, event, read, &written);
            }
            Attempt::Fault => keep(&mut self.faulty, event, read, &[]),
        }
        Some(())
    }
}

fn keep(
    parts: &mut FxHashMap<Kind, Vec<u32>>,
    event: usize,
    mut read: Vec<(usize, u32)>,
    written: &[(usize, u32)],
) {
    read.sort_unstable();
    let variables = |pairs: &[(usize, u32)]| pairs.iter().map(|(variable, _)| *variable).collect();
    let rows = parts.entry((event, variables(&read), variables(written))).or_default();
    rows.extend(read.iter().chain(written).map(|(_, value)| value));
}
