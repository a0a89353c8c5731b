//! The behaviour of a few variables, whatever the others do.
//!
//! A projection has the values that some variables take together, and the steps between these
//! values. It overapproximates the system: all other variables may have any value of their domain.
//! Domains are overapproximated first, for each variable by itself. Events are fired on partially
//! known states; the values of further variables that they read are enumerated. All work is counted
//! in fired events, and abandoned beyond a budget.

use crate::layout::{Field, Footprint};
use crate::partial::{Attempt, PartialState};
use crate::system::{Demand, Events, Successors, System, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::interrupt;

/// The maximal number of values that are enumerated.
const MAX_NODES: usize = 1 << 12;

/// A raw value for each variable, in the order of the variables.
pub(super) type Values = Vec<u32>;

/// The reachable values of some variables, with the steps between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Projection {
    /// The values; those of initial states come first.
    pub(super) nodes: Vec<Values>,
    /// The number of values in initial states.
    pub(super) initial: usize,
    /// For each node its successors.
    pub(super) successors: Vec<Vec<usize>>,
}

/// The events of a system, prepared for projections.
pub(super) struct Analysis<'a> {
    system: &'a dyn System,
    events: &'a dyn Events,
    initial: Vec<Box<[u32]>>,
    /// The places of all variables.
    fields: Vec<Field>,
    /// For each event the bits that it touches.
    footprints: Vec<Footprint>,
    /// The values of each field, once they are computed; an error if that took too long.
    domains: Option<Result<Domains, OutOfBudget>>,
    budget: u64,
}

/// The work took more than the budget, or an event cannot be fired on a partial state.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutOfBudget;

/// The values of each field, by its place.
type Domains = FxHashMap<(usize, u32), Vec<u32>>;

fn place(field: Field) -> (usize, u32) {
    (field.word(), field.shift())
}

fn raw(field: Field, state: &[u32]) -> u32 {
    state[field.word()] >> field.shift() & field.mask()
}

impl<'a> Analysis<'a> {
    /// Prepares the events of a system. `None` if it has none, or has too many for the budget.
    pub(super) fn new(system: &'a dyn System, budget: u64) -> Option<Self> {
        let events = system.events()?;
        let initial = system.initial().ok()?;
        let count = events.event_count();
        let variables = system.names().variable_count();
        if count as u64 > budget || variables as u64 > budget {
            return None;
        }
        let fields = (0..variables as u32).filter_map(|number| events.field(VariableId(number)));
        let footprints = (0..count).map(|event| events.footprint(event));
        Some(Analysis {
            system,
            events,
            initial,
            fields: fields.collect(),
            footprints: footprints.collect(),
            domains: None,
            budget,
        })
    }

    /// Returns the initial states.
    pub(super) fn initial(&self) -> &[Box<[u32]>] {
        &self.initial
    }

    /// Returns a state in which some variables have these values, and the others arbitrary ones.
    pub(super) fn state(&self, fields: &[Field], values: &[u32]) -> Box<[u32]> {
        let mut state = self.initial[0].clone();
        for (field, value) in fields.iter().zip(values) {
            let word = &mut state[field.word()];
            *word = *word & !(field.mask() << field.shift()) | value << field.shift();
        }
        state
    }

    /// Projects the system to some variables; `None` beyond the budget, or if a value might not fit
    /// into its field.
    pub(super) fn project(&mut self, fields: &[Field]) -> Option<Projection> {
        let mut projection = Projection::default();
        let mut numbers: FxHashMap<Values, usize> = FxHashMap::default();
        let mut number = |projection: &mut Projection, values: Values| {
            *numbers.entry(values).or_insert_with_key(|values| {
                projection.nodes.push(values.clone());
                projection.successors.push(Vec::new());
                projection.nodes.len() - 1
            })
        };
        for state in &self.initial {
            number(&mut projection, fields.iter().map(|field| raw(*field, state)).collect());
        }
        projection.initial = projection.nodes.len();
        let touching: Vec<usize> = (0..self.footprints.len())
            .filter(|event| fields.iter().any(|field| self.footprints[*event].touches(*field)))
            .collect();
        let mut next = 0;
        while let Some(values) = projection.nodes.get(next).cloned() {
            interrupt::poll();
            if projection.nodes.len() > MAX_NODES {
                return None;
            }
            let mut found: FxHashSet<Values> = FxHashSet::default();
            for event in &touching {
                self.fire(*event, fields, &values, &mut found).ok()?;
            }
            let mut found: Vec<Values> = found.into_iter().collect();
            found.sort_unstable();
            for values in found {
                let target = number(&mut projection, values);
                projection.successors[next].push(target);
            }
            next += 1;
        }
        Some(projection)
    }

    /// Adds the values after an event.
    fn fire(
        &mut self,
        event: usize,
        fields: &[Field],
        values: &[u32],
        found: &mut FxHashSet<Values>,
    ) -> Result<(), OutOfBudget> {
        self.spend()?;
        if let Some(demands) = self.events.demands(event) {
            return self.add(&demands, fields, values, found);
        }
        let is_whole = self.fields.iter().all(|field| {
            !self.footprints[event].touches(*field)
                || fields.iter().any(|known| place(*known) == place(*field))
        });
        if is_whole {
            let mut successors = Successors::new(self.system.words());
            let state = self.state(fields, values);
            // A fault ends the run.
            if self.events.fire(event, &state, &mut successors).is_ok() {
                for (_, after) in successors.iter() {
                    found.insert(fields.iter().map(|field| raw(*field, after)).collect());
                }
            }
            return Ok(());
        }
        let conditions = self.events.conditions(event);
        let is_met = |(field, value): (&Field, &u32)| {
            let mut own = conditions.iter().filter(|condition| condition.field == *field);
            own.all(|condition| condition.among.contains(value))
        };
        if !fields.iter().zip(values).all(is_met) {
            return Ok(());
        }
        self.prepare()?;
        let known: Vec<(Field, u32)> = fields.iter().copied().zip(values.iter().copied()).collect();
        let (events, words) = (self.events, self.system.words());
        let Some(Ok(domains)) = self.domains.take() else { return Err(OutOfBudget) };
        let mut trial = Trial { events, event, state: PartialState::new(words), known: &known };
        let mut budget = self.budget;
        let result = trial.run(
            &mut budget,
            |field, number| domains.get(&place(field))?.get(number).copied(),
            |state| {
                let after = fields.iter().zip(values);
                found.insert(
                    after.map(|(field, value)| state.written(*field).unwrap_or(*value)).collect(),
                );
            },
        );
        self.budget = budget;
        self.domains = Some(Ok(domains));
        result
    }

    /// Adds the values after an event that adds numbers.
    fn add(
        &self,
        demands: &[Demand],
        fields: &[Field],
        values: &[u32],
        found: &mut FxHashSet<Values>,
    ) -> Result<(), OutOfBudget> {
        let mut after = values.to_vec();
        for demand in demands {
            let Some(own) = self.events.field(demand.variable) else { return Err(OutOfBudget) };
            let Some(number) = fields.iter().position(|field| place(*field) == place(own)) else {
                continue;
            };
            let value = i64::from(values[number]) + own.least();
            if !(i64::from(demand.least)..=i64::from(demand.greatest)).contains(&value) {
                return Ok(());
            }
            let sum = value + demand.added;
            if !(own.least()..=own.greatest()).contains(&sum) {
                // Such a value is not reachable if the bound of the variable is known.
                return if demand.fits { Ok(()) } else { Err(OutOfBudget) };
            }
            after[number] = (sum - own.least()) as u32;
        }
        found.insert(after);
        Ok(())
    }

    fn spend(&mut self) -> Result<(), OutOfBudget> {
        self.budget = self.budget.checked_sub(1).ok_or(OutOfBudget)?;
        Ok(())
    }

    /// Computes the domains of all fields.
    fn prepare(&mut self) -> Result<(), OutOfBudget> {
        if self.domains.is_none() {
            self.domains = Some(self.fill());
        }
        match self.domains {
            Some(Err(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns the values of each variable, treated as independent of the others.
    fn fill(&mut self) -> Result<Domains, OutOfBudget> {
        let mut domains: Domains = FxHashMap::default();
        for field in &self.fields {
            let values = domains.entry(place(*field)).or_default();
            for state in &self.initial {
                let value = raw(*field, state);
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        let touched: Vec<Vec<Field>> = (self.footprints.iter())
            .map(|footprint| {
                self.fields.iter().copied().filter(|field| footprint.touches(*field)).collect()
            })
            .collect();
        // Half of the budget is left for projections.
        let mut budget = self.budget / 2;
        let mut is_waiting = vec![true; touched.len()];
        while let Some(event) = is_waiting.iter().position(|waits| *waits) {
            interrupt::poll();
            is_waiting[event] = false;
            let mut grown: Vec<Field> = Vec::new();
            let state = PartialState::new(self.system.words());
            let mut trial = Trial { events: self.events, event, state, known: &[] };
            let cell = std::cell::RefCell::new(&mut domains);
            trial.run(
                &mut budget,
                |field, number| cell.borrow().get(&place(field))?.get(number).copied(),
                |state| {
                    for field in &touched[event] {
                        let Some(value) = state.written(*field) else { continue };
                        let mut domains = cell.borrow_mut();
                        let Some(values) = domains.get_mut(&place(*field)) else { continue };
                        if !values.contains(&value) {
                            values.push(value);
                            grown.push(*field);
                        }
                    }
                },
            )?;
            for (other, fields) in touched.iter().enumerate() {
                is_waiting[other] |= grown.iter().any(|field| fields.contains(field));
            }
        }
        self.budget -= self.budget / 2 - budget;
        Ok(domains)
    }
}

/// Fires one event for all values of the variables that it reads.
struct Trial<'a> {
    events: &'a dyn Events,
    event: usize,
    state: PartialState,
    known: &'a [(Field, u32)],
}

impl Trial<'_> {
    /// Calls `done` with each state after the event. `value` returns the values of a field by
    /// number, `None` after the last.
    fn run(
        &mut self,
        budget: &mut u64,
        value: impl Fn(Field, usize) -> Option<u32>,
        mut done: impl FnMut(&PartialState),
    ) -> Result<(), OutOfBudget> {
        let mut read: Vec<(Field, usize)> = Vec::new();
        loop {
            *budget = budget.checked_sub(1).ok_or(OutOfBudget)?;
            self.state.clear();
            for (field, value) in self.known {
                self.state.know(*field, *value);
            }
            for (field, number) in &read {
                self.state.know(*field, value(*field, *number).ok_or(OutOfBudget)?);
            }
            match self.events.try_fire(self.event, &mut self.state) {
                Attempt::Needs(field) => {
                    read.push((field, 0));
                    continue;
                }
                Attempt::Done => done(&self.state),
                Attempt::Disabled | Attempt::Fault => {}
                Attempt::Unsupported => return Err(OutOfBudget),
            }
            loop {
                let Some((field, number)) = read.pop() else { return Ok(()) };
                if value(field, number + 1).is_some() {
                    read.push((field, number + 1));
                    break;
                }
            }
        }
    }
}
