//! Writes any model as tables of transitions, in the enumerated table format (ETF).
//!
//! The table of an event has its effect on the touched part of each reachable state, by projections
//! of the set of reachable states. So the tables have the same states and as many transitions. The
//! cost is that of the projections, and one call of [`Events::fire`](sempre_models::Events::fire)
//! for each partial state.

use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::interrupt;
use sempre_models::etf::{Declaration, Etf, Map, Sort, Table};
use sempre_models::layout::Footprint;
use sempre_models::{ActionId, Fault, Successors, VariableId};

use crate::encoding::{Place, put, raw};
use crate::space::Space;

/// Returns the tables of a system.
///
/// Slots are the variables. A variable with values other than natural numbers gets its own sort,
/// with the values that occur. The only edge label is the name of the action. If the state has a
/// single slot, variables that depend on it become state labels.
///
/// ```
/// use sempre_diagrams::{Manager, Options, Strategy};
/// use sempre_models::Model;
/// use sempre_models::kripke::text::parse;
/// use sempre_symbolic::{Encoding, Order, Space, tabulate};
///
/// let lamp = parse("init off; state off -> on; state on: bright -> off;")?;
/// let manager = Manager::new(Options::default());
/// let encoding = Encoding::new(&manager, &Model::from(lamp).system(), &Order::Best).unwrap();
/// let etf = tabulate(&Space::new(encoding, Strategy::Saturation).unwrap()).unwrap();
/// assert_eq!(etf.tables[0].columns, [0]);
/// assert_eq!(etf.tables[0].rows, [0, 1, 0, 1, 0, 1]);
/// assert_eq!(etf.maps[0].label.name, "bright");
/// # Ok::<(), sempre_models::Error>(())
/// ```
///
/// # Errors
/// If the system has a fault, several initial states, or no variables.
pub fn tabulate(space: &Space<'_>) -> Result<Etf, Fault> {
    let system = space.encoding.system();
    let refused = |message: String| Fault::Undefined { action: None, message };
    let initial = system.initial()?;
    let [initial] = &initial[..] else {
        let count = initial.len();
        return Err(refused(format!("the model has {count} initial states, tables have one")));
    };
    let mut tables =
        Tables { space, etf: Etf::default(), sorts: FxHashSet::default(), slots: vec![] };
    tables.slots(initial);
    if tables.slots.is_empty() {
        return Err(refused("the model has no variables, tables have at least one".to_owned()));
    }
    tables.labels();
    tables.relations()?;
    Ok(tables.etf)
}

/// A variable, and the mapping of its raw values to numbers in the tables.
struct Slot {
    place: Place,
    /// The raw values in order; the index is the number. Empty if the raw value is the number.
    numbers: Option<Vec<u32>>,
}

impl Slot {
    fn number(&self, state: &[u32]) -> u32 {
        match &self.numbers {
            // The value is found, since states are reachable.
            Some(numbers) => {
                numbers.partition_point(|number| *number < raw(self.place.field, state)) as u32
            }
            None => self.place.field.get(state) as u32,
        }
    }
}

struct Tables<'a, 's> {
    space: &'a Space<'s>,
    etf: Etf,
    /// The names of sorts.
    sorts: FxHashSet<String>,
    /// By the numbers of the variables.
    slots: Vec<Slot>,
}

impl Tables<'_, '_> {
    fn sort(&mut self, name: &str, values: Vec<Box<[u8]>>) -> usize {
        let name = unused(name.to_owned(), &mut self.sorts);
        self.etf.sorts.push(Sort { name, values });
        self.etf.sorts.len() - 1
    }

    /// Computes the slots from the ranges of variables.
    fn slots(&mut self, initial: &[u32]) {
        let system = self.space.encoding.system();
        let names_of = system.names();
        let mut places = self.space.encoding.touched(&Footprint::all(system.words()));
        places.sort_unstable_by_key(|place| place.variable);
        let mut names = FxHashSet::default();
        let mut plain = None;
        for place in places {
            let variable = place.variable;
            let reached = self.space.reached.project(&[place.level]);
            let numbers: Vec<u32> = reached.iter().flatten().collect();
            let mut state = initial.to_vec();
            let texts: Vec<String> = (numbers.iter())
                .map(|number| {
                    put(place.field, &mut state, *number);
                    names_of.value_text(&state, variable)
                })
                .collect();
            let values = numbers.iter().map(|number| i64::from(*number) + place.field.least());
            let is_plain = (values.zip(&texts))
                .all(|(value, text)| u32::try_from(value).is_ok() && value.to_string() == *text);
            let name = match names_of.variable_name(variable) {
                name if name.is_empty() => format!("_{}", variable.0),
                name => name,
            };
            let name = unused(name, &mut names);
            let sort = match is_plain {
                true => *plain.get_or_insert_with(|| self.sort("int", Vec::new())),
                false => {
                    let values = texts.into_iter().map(|text| text.into_bytes().into()).collect();
                    self.sort(&name, values)
                }
            };
            let slot = Slot { place, numbers: (!is_plain).then_some(numbers) };
            self.etf.initial.push(slot.number(initial));
            self.etf.slots.push(Declaration { name, sort: Some(sort) });
            self.slots.push(slot);
        }
    }

    /// Computes the labels: variables that depend on the only slot.
    fn labels(&mut self) {
        let (names, events) = (self.space.encoding.system().names(), self.space.encoding.events());
        let variables = (0..names.variable_count() as u32).map(VariableId);
        let derived: Vec<VariableId> =
            variables.filter(|variable| events.field(*variable).is_none()).collect();
        if self.slots.len() != 1 || derived.is_empty() {
            return;
        }
        let bool = self.sort("bool", vec![Box::from(*b"false"), Box::from(*b"true")]);
        for variable in derived {
            let mut rows = Vec::new();
            let mut is_truth = true;
            for tuple in self.space.reached.iter() {
                let state = self.space.encoding.state(&tuple);
                let value = names.value(&state, variable);
                is_truth &= (0..=1).contains(&value);
                rows.extend([self.slots[0].number(&state), u32::try_from(value).unwrap_or(0)]);
            }
            if is_truth {
                let label = Declaration { name: names.variable_name(variable), sort: Some(bool) };
                self.etf.maps.push(Map { label, columns: vec![0], rows });
            }
        }
    }

    fn relations(&mut self) -> Result<(), Fault> {
        let Tables { space, slots, .. } = &*self;
        let system = space.encoding.system();
        let events = space.encoding.events();
        let mut successors = Successors::new(system.words());
        let mut actions: FxHashMap<ActionId, u32> = FxHashMap::default();
        let mut names: FxHashMap<String, u32> = FxHashMap::default();
        let mut tables = Vec::new();
        for event in 0..events.event_count() {
            let places = space.encoding.touched(&events.footprint(event));
            let mut columns: Vec<usize> = (places.iter())
                .map(|place| slots.partition_point(|slot| slot.place.variable < place.variable))
                .collect();
            columns.sort_unstable();
            let levels: Vec<u32> = places.iter().map(|place| place.level).collect();
            let mut rows = Vec::new();
            let mut state = vec![0; system.words()];
            let mut is_empty = true;
            for part in space.reached.project(&levels).iter() {
                interrupt::poll();
                for (place, number) in places.iter().zip(part) {
                    put(place.field, &mut state, number);
                }
                successors.clear();
                events.fire(event, &state, &mut successors)?;
                for (action, after) in successors.iter() {
                    let label = *actions.entry(action).or_insert_with(|| {
                        let count = names.len() as u32;
                        *names.entry(system.names().action_name(action)).or_insert(count)
                    });
                    rows.extend(columns.iter().map(|column| slots[*column].number(&state)));
                    rows.extend(columns.iter().map(|column| slots[*column].number(after)));
                    rows.push(label);
                    is_empty = false;
                }
            }
            if !is_empty {
                tables.push(Table { columns, rows });
            }
        }
        let mut values: Vec<(u32, String)> =
            names.into_iter().map(|(name, number)| (number, name)).collect();
        values.sort_unstable();
        let values = values.into_iter().map(|(_, name)| name.into_bytes().into()).collect();
        let sort = self.sort("action", values);
        self.etf.labels.push(Declaration { name: "action".to_owned(), sort: Some(sort) });
        self.etf.tables = tables;
        Ok(())
    }
}

/// Returns the name, or a similar one if it is used.
fn unused(mut name: String, names: &mut FxHashSet<String>) -> String {
    while !names.insert(name.clone()) {
        name.push('\'');
    }
    name
}
