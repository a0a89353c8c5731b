//! Encodes systems as decision diagrams: one level per variable, and events of the system as events
//! of the diagram.
//!
//! The value of a variable is the raw value of its field: the distance from its minimum. Events
//! that only test intervals and add numbers (all events of Petri nets) become rules. Others become
//! relations if there are not too many values ([`relations`](crate::relations)). Otherwise they
//! become tables, which compute successors of partial states as values appear.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use sempre_diagrams::order::{self, Heuristic};
use sempre_diagrams::{Access, Event, EventId, Group, Manager, Set};
use sempre_ltl::interrupt;
use sempre_models::layout::{Field, Footprint};
use sempre_models::{Demand, Events, Fault, Successors, System, VariableId};

use crate::relations::{Part, Relations};
use crate::structure::{Form, Structure};

/// The variable order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The heuristic order that completes first, see [`Space::find`](crate::Space::find).
    #[default]
    Best,
    /// The order of a heuristic.
    By(Heuristic),
    /// This order, from the top; missing variables follow by number.
    Given(Vec<VariableId>),
}

/// A system whose states are tuples of a diagram.
pub struct Encoding<'s> {
    system: Arc<dyn System>,
    /// The variables of a state, from the top.
    variables: Vec<(VariableId, Field)>,
    /// The initial states.
    pub initial: Set<'s>,
    /// One or several events for each event of the system; they agree with it on all reachable
    /// states.
    pub events: Group<'s>,
    /// The same events, before they were added to the manager.
    forms: Vec<Event<'s>>,
    /// For each of these events, the number of the event of the system that it is a part of.
    origins: Vec<usize>,
    /// For each event, the maximal increments of variables, which may overflow.
    growth: Vec<(usize, Demand)>,
    /// The first fault of a table.
    fault: Rc<RefCell<Option<Fault>>>,
    /// The states where events of the system are undefined, as events that are enabled there.
    faults: Vec<(usize, EventId<'s>)>,
}

impl<'s> Encoding<'s> {
    /// Encodes a system.
    ///
    /// # Errors
    /// If an initial value of the system is undefined, or the system has no events.
    pub fn new(
        manager: &Manager<'s>,
        system: &Arc<dyn System>,
        order: &Order,
    ) -> Result<Self, Fault> {
        Ok(Encoding::with(manager, system, &Structure::new(&**system)?, order, Form::Relations))
    }

    /// Encodes a system with a known structure.
    pub(crate) fn with(
        manager: &Manager<'s>,
        system: &Arc<dyn System>,
        structure: &Structure,
        order: &Order,
        form: Form,
    ) -> Self {
        let Structure { fields, initial: states, relations, supports, .. } = structure;
        let positions = positions(order, fields, supports);
        let variables: Vec<(VariableId, Field)> = positions.iter().map(|i| fields[*i]).collect();
        let mut levels = vec![0; fields.len()];
        for (position, variable) in positions.iter().enumerate() {
            levels[*variable] = (positions.len() - position) as u32;
        }
        let tuple = |state: &[u32]| -> Vec<u32> {
            variables.iter().map(|(_, field)| raw(*field, state)).collect()
        };
        let mut initial = manager.empty(variables.len() as u32);
        for state in states {
            initial |= manager.tuple(&tuple(state));
        }
        let mut encoding = Encoding {
            system: Arc::clone(system),
            variables,
            initial,
            events: manager.group([]),
            forms: Vec::new(),
            origins: Vec::new(),
            growth: Vec::new(),
            fault: Rc::new(RefCell::new(None)),
            faults: Vec::new(),
        };
        encoding.forms = match relations.as_ref().filter(|_| form == Form::Relations) {
            Some(Relations { parts, faults }) => {
                let event = |part: &Part| {
                    interrupt::poll();
                    relation(part, &levels)
                };
                let fault = |part: &Part| (part.event, manager.event(&event(part)));
                encoding.faults = faults.iter().map(fault).collect();
                encoding.origins = parts.iter().map(|part| part.event).collect();
                parts.iter().map(event).collect()
            }
            None => encoding.rules_and_tables(structure, &levels),
        };
        let add = |event: &Event<'s>| {
            interrupt::poll();
            manager.event(event)
        };
        let events: Vec<EventId<'s>> = encoding.forms.iter().map(add).collect();
        encoding.events = manager.group(&events);
        encoding
    }

    /// Returns the events of a system whose relations are not known.
    fn rules_and_tables(
        &mut self,
        Structure { fields, supports, .. }: &Structure,
        levels: &[u32],
    ) -> Vec<Event<'s>> {
        let system = &self.system;
        let mut events = Vec::with_capacity(supports.len());
        for (number, support) in supports.iter().enumerate() {
            interrupt::poll();
            let event = match events_of(&**system).demands(number) {
                Some(demands) => {
                    let growing = demands.iter().filter(|demand| demand.added > 0 && !demand.fits);
                    self.growth.extend(growing.map(|demand| (number, *demand)));
                    let place = |variable| fields.partition_point(|(other, _)| *other < variable);
                    rules(&demands, |variable| (levels[place(variable)], fields[place(variable)].1))
                }
                None => {
                    let mut places: Vec<(u32, Field)> =
                        support.iter().map(|i| (levels[*i], fields[*i].1)).collect();
                    places.sort_unstable_by_key(|(level, _)| Reverse(*level));
                    if places.is_empty() {
                        continue;
                    }
                    table(system, number, places, Rc::clone(&self.fault))
                }
            };
            events.push(event);
            self.origins.push(number);
        }
        events
    }

    /// Returns the system.
    pub fn system(&self) -> &Arc<dyn System> {
        &self.system
    }

    /// Returns the events of the system.
    pub(crate) fn events(&self) -> &dyn Events {
        events_of(&*self.system)
    }

    /// Returns the variables from the top.
    pub fn order(&self) -> impl ExactSizeIterator<Item = VariableId> + '_ {
        self.variables.iter().map(|(variable, _)| *variable)
    }

    /// Returns the state of a tuple.
    pub fn state(&self, tuple: &[u32]) -> Box<[u32]> {
        let mut state = vec![0; self.system.words()].into_boxed_slice();
        for ((_, field), value) in self.variables.iter().zip(tuple) {
            put(*field, &mut state, *value);
        }
        state
    }

    /// Returns the tuple of a state.
    pub fn tuple(&self, state: &[u32]) -> Vec<u32> {
        self.variables.iter().map(|(_, field)| raw(*field, state)).collect()
    }

    /// Returns, for each of the events, the number of the event of the system that
    /// it is a part of.
    pub fn origins(&self) -> &[usize] {
        &self.origins
    }

    /// Returns events that together do what an event does, where the variables that it changes have
    /// allowed values afterwards: for each of these levels, the raw values whose places are true.
    /// `None` if the effects of the event are computed as values appear.
    pub fn landing(&self, event: usize, allowed: &[(u32, Vec<bool>)]) -> Option<Vec<EventId<'s>>> {
        let mut events = vec![self.forms[event].clone()];
        for (level, allowed) in allowed {
            let parts: Option<Vec<Vec<Event<'s>>>> =
                events.iter().map(|event| event.landing(*level, allowed)).collect();
            events = parts?.concat();
        }
        Some(events.iter().map(|event| self.initial.manager().event(event)).collect())
    }

    /// Returns the levels of the variables that a footprint touches, from the top.
    pub fn levels(&self, footprint: &Footprint) -> Vec<u32> {
        self.touched(footprint).iter().map(|place| place.level).collect()
    }

    /// Converts ranges of raw values, given from the top, into ranges of variables.
    pub(crate) fn values(&self, ranges: &[(u32, u32)]) -> Vec<(VariableId, (i64, i64))> {
        let all = self.variables.iter().zip(ranges);
        all.map(|((variable, field), (least, most))| {
            let value = |number: u32| i64::from(number) + field.least();
            (*variable, (value(*least), value(*most)))
        })
        .collect()
    }

    /// Checks that the computed states are those of the system.
    ///
    /// # Errors
    /// A fault of the system in a visited state, or an overflow when an event adds to a value of a
    /// state in `reached`.
    pub fn check(&self, reached: &Set<'s>) -> Result<(), Fault> {
        if let Some(fault) = self.fault.borrow_mut().take() {
            return Err(fault);
        }
        for (number, event) in &self.faults {
            let met = event.enabled(reached);
            if let Some(tuple) = met.pick() {
                let mut successors = Successors::new(self.system.words());
                self.events().fire(*number, &self.state(&tuple), &mut successors)?;
            }
        }
        if self.growth.is_empty() {
            return Ok(());
        }
        let Some(ranges) = reached.ranges() else { return Ok(()) };
        for (event, Demand { variable, added, .. }) in &self.growth {
            interrupt::poll();
            let position = self.variables.iter().position(|(other, _)| other == variable);
            let Some(position) = position else { continue };
            let most = i64::from(self.variables[position].1.mask()) - added;
            if i64::from(ranges[position].1) <= most {
                continue;
            }
            // A state has this value: is the event enabled there?
            let demands = self.events().demands(*event).unwrap_or_default();
            let levels = |variable: VariableId| {
                let position = self.variables.iter().position(|(other, _)| *other == variable);
                position.map_or(0, |position| (self.variables.len() - position) as u32)
            };
            let mut blocked = Event::new();
            for demand in &demands {
                let least = if demand.variable == *variable {
                    demand.least.max(u32::try_from(most + 1).unwrap_or_default())
                } else {
                    demand.least
                };
                blocked = blocked.guard(levels(demand.variable), least..=demand.greatest);
            }
            let blocked = reached.manager().event(&blocked);
            if !blocked.enabled(reached).is_empty() {
                return Err(Fault::Overflow(*variable));
            }
        }
        Ok(())
    }

    /// Returns the variables of a footprint, from the top.
    pub(crate) fn touched(&self, footprint: &Footprint) -> Vec<Place> {
        let all = self.variables.iter().zip((1..=self.variables.len() as u32).rev());
        all.filter(|((_, field), _)| footprint.touches(*field))
            .map(|((variable, field), level)| Place { variable: *variable, field: *field, level })
            .collect()
    }

    /// Returns the states of a set that satisfy a predicate which reads only a footprint. Evaluates
    /// it once for all states with equal values there.
    ///
    /// # Errors
    /// If the predicate is undefined in a state.
    pub(crate) fn filter(
        &self,
        set: &Set<'s>,
        footprint: &Footprint,
        mut predicate: impl FnMut(&[u32]) -> Result<bool, Fault>,
    ) -> Result<Set<'s>, Fault> {
        let places = self.touched(footprint);
        let levels: Vec<u32> = places.iter().map(|place| place.level).collect();
        let mut state = vec![0; self.system.words()];
        let mut failure = None;
        let chosen = set.filter(&levels, |values| {
            interrupt::poll();
            for (place, value) in places.iter().zip(values) {
                put(place.field, &mut state, *value);
            }
            predicate(&state).unwrap_or_else(|fault| {
                failure.get_or_insert(fault);
                false
            })
        });
        failure.map_or(Ok(chosen), Err)
    }
}

/// Returns the events of an encoded system.
fn events_of(system: &dyn System) -> &dyn Events {
    system.events().expect("systems without events have no structure")
}

/// The place of a variable in states and in diagrams.
pub(crate) struct Place {
    pub(crate) variable: VariableId,
    pub(crate) field: Field,
    pub(crate) level: u32,
}

/// Returns the variable order as indices of the list of fields.
fn positions(order: &Order, fields: &[(VariableId, Field)], supports: &[Vec<usize>]) -> Vec<usize> {
    match order {
        Order::Best => order::candidates(fields.len(), supports, &interrupt::poll).swap_remove(0),
        Order::By(heuristic) => heuristic.order(fields.len(), supports, &interrupt::poll),
        Order::Given(variables) => {
            let mut rest = vec![true; fields.len()];
            let places: FxHashMap<VariableId, usize> = fields
                .iter()
                .enumerate()
                .map(|(place, (variable, _))| (*variable, place))
                .collect();
            let mut positions: Vec<usize> = Vec::with_capacity(fields.len());
            for variable in variables {
                let place = places.get(variable).copied();
                if let Some(place) = place.filter(|place| std::mem::take(&mut rest[*place])) {
                    positions.push(place);
                }
            }
            positions.extend((0..fields.len()).filter(|place| rest[*place]));
            positions
        }
    }
}

/// Returns the raw value of a field.
pub(crate) fn raw(field: Field, state: &[u32]) -> u32 {
    (field.get(state) - field.least()) as u32
}

/// Sets the raw value of a field, which must fit.
pub(crate) fn put(field: Field, state: &mut [u32], value: u32) {
    field.set(state, i64::from(value) + field.least());
}

/// Makes an event that tests intervals and adds numbers. It is disabled where the sum would
/// overflow; [`Encoding::check`] searches for such states.
fn rules<'s>(demands: &[Demand], place: impl Fn(VariableId) -> (u32, Field)) -> Event<'s> {
    let mut event = Event::new();
    for demand in demands {
        let (level, field) = place(demand.variable);
        // If no sum fits, the range is empty.
        let fits = match demand.fits {
            true => Ok(u32::MAX),
            false => u32::try_from(i64::from(field.mask()) - demand.added),
        };
        let (least, most) = fits.map_or((1, 0), |fits| (0, fits));
        event = event
            .guard(level, demand.least.max(least)..=demand.greatest.min(most))
            .add(level, demand.added);
    }
    event
}

/// Makes an event with known rows, at the levels of variables.
fn relation<'s>(part: &Part, levels: &[u32]) -> Event<'s> {
    let Part { reads, writes, rows, conditions, .. } = part;
    let mut variables: Vec<usize> = reads.iter().chain(writes).copied().collect();
    variables.sort_unstable_by_key(|variable| Reverse(levels[*variable]));
    variables.dedup();
    // The columns of each row, in the order of levels.
    let mut columns = Vec::with_capacity(reads.len() + writes.len());
    let support = variables.iter().map(|variable| {
        let read = reads.binary_search(variable).ok();
        let written = writes.binary_search(variable).ok().map(|number| reads.len() + number);
        columns.extend(read.into_iter().chain(written));
        let access = match (read, written) {
            (Some(_), Some(_)) => Access::Change,
            (Some(_), None) => Access::Read,
            (None, _) => Access::Write,
        };
        (levels[*variable], access)
    });
    let support: Vec<(u32, Access)> = support.collect();
    let ordered = rows.chunks_exact(columns.len());
    let rows: Vec<u32> =
        ordered.flat_map(|row| columns.iter().map(|column| row[*column])).collect();
    let event = Event::relation(support, rows);
    conditions
        .iter()
        .fold(event, |event, (variable, among)| event.among(levels[*variable], Rc::clone(among)))
}

/// Makes an event that computes successors of partial states by the system.
fn table<'s>(
    system: &Arc<dyn System>,
    event: usize,
    places: Vec<(u32, Field)>,
    fault: Rc<RefCell<Option<Fault>>>,
) -> Event<'s> {
    let levels: Vec<u32> = places.iter().map(|(level, _)| *level).collect();
    let system = Arc::clone(system);
    let words = system.words();
    let buffers = RefCell::new((Successors::new(words), vec![0; words], vec![0; places.len()]));
    Event::table(levels, move |values, give| {
        let (successors, state, after) = &mut *buffers.borrow_mut();
        for ((_, field), value) in places.iter().zip(values) {
            put(*field, state, *value);
        }
        successors.clear();
        if let Err(met) = events_of(&*system).fire(event, state, successors) {
            fault.borrow_mut().get_or_insert(met);
            return;
        }
        for (_, next) in successors.iter() {
            for ((_, field), value) in places.iter().zip(&mut *after) {
                *value = raw(*field, next);
            }
            give(after);
        }
    })
}
