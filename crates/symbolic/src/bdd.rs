//! The same encodings with binary decision diagrams, by [oxidd](oxidd::bdd): for comparison and as
//! an oracle.
//!
//! A variable becomes the bits of its field, the highest at the top, in the order of the encoding;
//! each bit is followed by its copy after an event. An event is a relation over the bits that it
//! touches. Its image is a relational product over these and a renaming; untouched bits are left
//! out. Events that test intervals and add numbers become comparators and adders; the relations of
//! others grow as partial states appear (Blom and van de Pol 2008).

use std::cell::RefCell;
use std::panic;
use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::{One, Zero};
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::OutOfMemory;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel,
    Manager, ManagerRef, Subst,
};
use rustc_hash::FxHashMap;
use sempre_diagrams::Exhausted;
use sempre_models::layout::Footprint;
use sempre_models::{Demand, Fault, Successors, System};

use crate::encoding::{Encoding, Place, put, raw};
use crate::images::{Images, States};

/// A set of states as a binary decision diagram. Operations need sets of the same manager.
#[derive(Clone, PartialEq, Eq)]
pub struct BddSet {
    function: BDDFunction,
    /// For each variable from the top, its first bit and its number of bits.
    bits: std::rc::Rc<[(u32, u32)]>,
}

/// Unwinds to [`Manager::attempt`](sempre_diagrams::Manager::attempt) if the manager is out of
/// nodes, as other diagrams do.
fn or_unwind<T>(result: Result<T, OutOfMemory>) -> T {
    result.unwrap_or_else(|_| panic::resume_unwind(Box::new(Exhausted)))
}

impl BddSet {
    fn with(&self, function: BDDFunction) -> BddSet {
        BddSet { function, bits: self.bits.clone() }
    }
}

impl States for BddSet {
    fn union(&self, other: &Self) -> Self {
        self.with(or_unwind(self.function.or(&other.function)))
    }

    fn intersection(&self, other: &Self) -> Self {
        self.with(or_unwind(self.function.and(&other.function)))
    }

    fn difference(&self, other: &Self) -> Self {
        self.with(or_unwind(other.function.imp_strict(&self.function)))
    }

    fn is_empty(&self) -> bool {
        !self.function.satisfiable()
    }

    fn count(&self) -> BigUint {
        let all = self.bits.last().map_or(0, |(first, count)| first + count);
        let bit = |function: &BDDFunction| bit_of(function).unwrap_or(all);
        // For each node, the number of valuations of the bits from its own on that satisfy it.
        #[expect(
            clippy::mutable_key_type,
            reason = "what changes inside is no part of the identity"
        )]
        let mut counts: FxHashMap<BDDFunction, BigUint> = FxHashMap::default();
        let mut stack = vec![self.function.clone()];
        while let Some(function) = stack.last() {
            if counts.contains_key(function) {
                stack.pop();
                continue;
            }
            let Some((high, low)) = function.cofactors() else {
                let count = if function.valid() { BigUint::one() } else { BigUint::zero() };
                counts.insert(function.clone(), count);
                stack.pop();
                continue;
            };
            match (counts.get(&high), counts.get(&low)) {
                (Some(above), Some(below)) => {
                    let own = bit(function) + 1;
                    let sum = (above << (bit(&high) - own)) + (below << (bit(&low) - own));
                    counts.insert(function.clone(), sum);
                    stack.pop();
                }
                _ => stack.extend([high, low]),
            }
        }
        &counts[&self.function] << bit(&self.function)
    }

    fn nodes(&self) -> usize {
        // Two nodes are terminals, unless the function is constant.
        self.function.node_count().saturating_sub(2)
    }

    fn contains(&self, tuple: &[u32]) -> bool {
        assert_eq!(tuple.len(), self.bits.len(), "a number for each variable");
        if self.bits.iter().zip(tuple).any(|((_, count), number)| !fits(*number, *count)) {
            return false;
        }
        let valued = self.bits.iter().zip(tuple).flat_map(|((first, count), number)| {
            (0..*count).flat_map(move |bit| {
                let value = number >> (count - 1 - bit) & 1 == 1;
                // The value of the copy is irrelevant, but required.
                [(2 * (first + bit), value), (2 * (first + bit) + 1, false)]
            })
        });
        self.function.eval(valued)
    }
}

fn fits(number: u32, bits: u32) -> bool {
    u64::from(number) < 1 << bits
}

/// Returns the bit at the root, if there is one.
fn bit_of(function: &BDDFunction) -> Option<u32> {
    function.with_manager_shared(|manager, edge| match manager.get_node(edge) {
        oxidd::Node::Inner(node) => Some(node.level() / 2),
        oxidd::Node::Terminal(_) => None,
    })
}

/// An event as a relation.
struct Event {
    number: usize,
    /// The variables that it touches, from the top.
    places: Vec<Place>,
    /// The first bit of each.
    first: Vec<u32>,
    /// The bits of these variables before the event, as a conjunction.
    before: BDDFunction,
    /// The bits of all other variables, likewise; for events with tables only.
    others: Option<BDDFunction>,
    /// The renaming of copies to bits.
    renaming: Subst<BDDFunction>,
    relation: RefCell<BDDFunction>,
    /// The partial states for which the relation is known; for events with tables only.
    known: RefCell<BDDFunction>,
}

/// An [`Encoding`] with binary decision diagrams.
pub struct BddEncoding {
    system: Arc<dyn System>,
    manager: BDDManagerRef,
    capacity: usize,
    initial: BddSet,
    events: Vec<Event>,
    fault: RefCell<Option<Fault>>,
    peak: RefCell<usize>,
}

impl BddEncoding {
    /// Encodes the same system in the same order, with at most `nodes` nodes.
    ///
    /// # Errors
    /// If an initial value is undefined.
    pub fn new(encoding: &Encoding<'_>, nodes: usize) -> Result<Self, Fault> {
        let system = Arc::clone(encoding.system());
        let manager = new_manager(nodes, nodes / 4, 1);
        let places = encoding.touched(&Footprint::all(system.words()));
        let mut bits = Vec::with_capacity(places.len());
        let mut next = 0;
        for place in &places {
            let count = u32::BITS - place.field.mask().leading_zeros();
            bits.push((next, count));
            next += count;
        }
        let (yes, no) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(2 * next);
            (BDDFunction::t(manager), BDDFunction::f(manager))
        });
        let circuits = Circuits { manager: &manager, yes, no };
        let mut initial = circuits.no.clone();
        for state in system.initial()? {
            let numbers = places.iter().map(|place| raw(place.field, &state));
            let one = circuits.tuple(&bits, numbers, 0);
            initial = or_unwind(initial.or(&one));
        }
        let position = |level: u32| places.len() - level as usize;
        let mut events = Vec::with_capacity(encoding.events().event_count());
        for number in 0..encoding.events().event_count() {
            let places = encoding.touched(&encoding.events().footprint(number));
            let own: Vec<(u32, u32)> =
                places.iter().map(|place| bits[position(place.level)]).collect();
            let touched: Vec<u32> =
                own.iter().flat_map(|(first, count)| *first..first + count).collect();
            let demands = encoding.events().demands(number);
            let (relation, others) = match &demands {
                Some(demands) => (circuits.relation(demands, &places, &own), None),
                None => {
                    let rest = (0..next).filter(|bit| touched.binary_search(bit).is_err());
                    (circuits.no.clone(), Some(circuits.all(rest.map(|bit| 2 * bit))))
                }
            };
            events.push(Event {
                number,
                first: own.iter().map(|(first, _)| *first).collect(),
                before: circuits.all(touched.iter().map(|bit| 2 * bit)),
                others,
                renaming: Subst::new(
                    touched.iter().map(|bit| 2 * bit + 1).collect(),
                    touched.iter().map(|bit| circuits.bit(2 * bit)).collect(),
                ),
                relation: RefCell::new(relation),
                known: RefCell::new(circuits.no.clone()),
                places,
            });
        }
        let initial = BddSet { function: initial, bits: bits.into() };
        let (fault, peak) = (RefCell::new(None), RefCell::new(0));
        Ok(BddEncoding { system, manager, capacity: nodes, initial, events, fault, peak })
    }

    /// Returns the set of one state, given by its numbers from the top.
    ///
    /// # Panics
    /// If a number does not fit into its field.
    pub fn tuple(&self, tuple: &[u32]) -> BddSet {
        let bits = &self.initial.bits;
        assert!(bits.iter().zip(tuple).all(|((_, count), number)| fits(*number, *count)));
        self.initial.with(self.circuits().tuple(bits, tuple.iter().copied(), 0))
    }

    /// Returns the empty set.
    pub fn empty(&self) -> BddSet {
        self.initial.with(self.circuits().no)
    }

    /// Returns the maximal number of nodes after an image, dead ones included.
    pub fn peak_nodes(&self) -> usize {
        *self.peak.borrow()
    }

    /// Checks that the system has been defined in all requested states.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), Fault> {
        self.fault.borrow_mut().take().map_or(Ok(()), Err)
    }

    fn circuits(&self) -> Circuits<'_> {
        let (yes, no) = (self.manager)
            .with_manager_shared(|manager| (BDDFunction::t(manager), BDDFunction::f(manager)));
        Circuits { manager: &self.manager, yes, no }
    }

    /// Computes the successors of partial states that are new to an event.
    fn learn(&self, event: &Event, others: &BDDFunction, set: &BDDFunction) {
        let circuits = self.circuits();
        let parts = or_unwind(set.exists(others));
        let mut known = event.known.borrow_mut();
        let new = or_unwind(known.imp_strict(&parts));
        if !new.satisfiable() {
            return;
        }
        let own: Vec<(u32, u32)> = (event.first.iter().zip(&event.places))
            .map(|(first, place)| (*first, u32::BITS - place.field.mask().leading_zeros()))
            .collect();
        let mut successors = Successors::new(self.system.words());
        let mut state = vec![0; self.system.words()];
        let mut relation = event.relation.borrow_mut();
        for_each_tuple(&new, &own, |numbers| {
            for (place, number) in event.places.iter().zip(numbers) {
                put(place.field, &mut state, *number);
            }
            let before = circuits.tuple(&own, numbers.iter().copied(), 0);
            successors.clear();
            let events = self.system.events().expect("encoded systems have events");
            if let Err(fault) = events.fire(event.number, &state, &mut successors) {
                self.fault.borrow_mut().get_or_insert(fault);
                return;
            }
            for (_, after) in successors.iter() {
                let numbers = event.places.iter().map(|place| raw(place.field, after));
                let after = circuits.tuple(&own, numbers, 1);
                *relation = or_unwind(relation.or(&or_unwind(before.and(&after))));
            }
        });
        *known = or_unwind(known.or(&new));
    }
}

impl Images for BddEncoding {
    type Set = BddSet;

    fn initial(&self) -> BddSet {
        self.initial.clone()
    }

    fn event_count(&self) -> usize {
        self.events.len()
    }

    fn image(&self, event: usize, set: &BddSet) -> BddSet {
        let event = &self.events[event];
        if let Some(others) = &event.others {
            self.learn(event, others, &set.function);
        }
        let relation = event.relation.borrow();
        let after = set.function.apply_exists(BooleanOperator::And, &relation, &event.before);
        let image = or_unwind(or_unwind(after).substitute(&event.renaming));
        self.manager.with_manager_shared(|manager| {
            let nodes = manager.num_inner_nodes();
            let mut peak = self.peak.borrow_mut();
            *peak = nodes.max(*peak);
            if nodes > self.capacity / 2 {
                manager.gc();
            }
        });
        set.with(image)
    }
}

/// Calls `visit` with the numbers of each tuple in a function of the given bits.
fn for_each_tuple(function: &BDDFunction, bits: &[(u32, u32)], mut visit: impl FnMut(&[u32])) {
    let order: Vec<(usize, u32)> = (bits.iter().enumerate())
        .flat_map(|(variable, (first, count))| {
            (*first..first + count).map(move |bit| (variable, bit))
        })
        .collect();
    let mut stack = vec![(function.clone(), 0, vec![0; bits.len()])];
    while let Some((function, depth, numbers)) = stack.pop() {
        sempre_ltl::interrupt::poll();
        if !function.satisfiable() {
            continue;
        }
        let Some(&(variable, bit)) = order.get(depth) else {
            visit(&numbers);
            continue;
        };
        let (high, low) = match bit_of(&function) == Some(bit) {
            true => function.cofactors().expect("an inner node has two"),
            false => (function.clone(), function),
        };
        let shifted = |value: u32| {
            let mut numbers = numbers.clone();
            numbers[variable] = numbers[variable] << 1 | value;
            numbers
        };
        stack.extend([(high, depth + 1, shifted(1)), (low, depth + 1, shifted(0))]);
    }
}

/// Builds functions.
struct Circuits<'m> {
    manager: &'m BDDManagerRef,
    yes: BDDFunction,
    no: BDDFunction,
}

impl Circuits<'_> {
    fn bit(&self, variable: u32) -> BDDFunction {
        self.manager.with_manager_shared(|manager| or_unwind(BDDFunction::var(manager, variable)))
    }

    /// Returns the function that a bit has a value.
    fn is(&self, variable: u32, value: bool) -> BDDFunction {
        self.manager.with_manager_shared(|manager| {
            or_unwind(match value {
                true => BDDFunction::var(manager, variable),
                false => BDDFunction::not_var(manager, variable),
            })
        })
    }

    /// Returns the conjunction of bits, given in ascending order.
    fn all(&self, bits: impl DoubleEndedIterator<Item = u32>) -> BDDFunction {
        bits.rev().fold(self.yes.clone(), |all, bit| or_unwind(self.bit(bit).and(&all)))
    }

    /// Returns the function that variables have these numbers, before (0) or after (1) an event.
    fn tuple(
        &self,
        bits: &[(u32, u32)],
        numbers: impl IntoIterator<Item = u32>,
        copy: u32,
    ) -> BDDFunction {
        let mut literals = Vec::new();
        for ((first, count), number) in bits.iter().zip(numbers) {
            literals.extend(
                (0..*count)
                    .map(|bit| (2 * (first + bit) + copy, number >> (count - 1 - bit) & 1 == 1)),
            );
        }
        let literals = literals.into_iter().rev();
        literals
            .fold(self.yes.clone(), |all, (bit, value)| or_unwind(self.is(bit, value).and(&all)))
    }

    /// Returns the relation of demands: all are met, and their numbers added.
    fn relation(&self, demands: &[Demand], places: &[Place], bits: &[(u32, u32)]) -> BDDFunction {
        let mut relation = self.yes.clone();
        // From the bottom, so that the existing part is not traversed again.
        for (place, bits) in places.iter().zip(bits).rev() {
            let demand = demands.iter().find(|demand| demand.variable == place.variable);
            let Some(Demand { least, greatest, added, .. }) = demand else { continue };
            let met = or_unwind(self.at_most(*bits, *greatest).and(&self.at_least(*bits, *least)));
            let one = or_unwind(met.and(&self.sum(*bits, *added)));
            relation = or_unwind(one.and(&relation));
        }
        relation
    }

    fn at_most(&self, (first, count): (u32, u32), number: u32) -> BDDFunction {
        if !fits(number, count) {
            return self.yes.clone();
        }
        (0..count).rev().fold(self.yes.clone(), |lower, bit| {
            let zero = self.is(2 * (first + bit), false);
            or_unwind(match number >> (count - 1 - bit) & 1 {
                1 => zero.or(&lower),
                _ => zero.and(&lower),
            })
        })
    }

    fn at_least(&self, bits: (u32, u32), number: u32) -> BDDFunction {
        match number.checked_sub(1) {
            Some(less) => or_unwind(self.at_most(bits, less).not()),
            None => self.yes.clone(),
        }
    }

    /// Returns the function that the number after is the number before plus `added`, without
    /// overflow: an adder from the highest bit to the lowest. The carry out of the highest bit
    /// shows an overflow.
    fn sum(&self, (first, count): (u32, u32), added: i64) -> BDDFunction {
        if added.unsigned_abs() >= 1 << count {
            return self.no.clone();
        }
        // From the lowest bits, without (0) or with (1) a carry.
        let mut by_carry = match added < 0 {
            // Subtraction adds the complement, which carries if there is no underflow.
            true => [self.no.clone(), self.yes.clone()],
            false => [self.yes.clone(), self.no.clone()],
        };
        for bit in 0..count {
            let addend = (added >> (count - 1 - bit) & 1) as usize;
            let (before, after) = (2 * (first + bit), 2 * (first + bit) + 1);
            let step = |carry: usize| {
                let mut either = self.no.clone();
                for value in [0, 1] {
                    let sum = value + addend + carry;
                    let here =
                        or_unwind(self.is(before, value == 1).and(&self.is(after, sum & 1 == 1)));
                    let all = or_unwind(here.and(&by_carry[sum >> 1]));
                    either = or_unwind(either.or(&all));
                }
                either
            };
            by_carry = [step(0), step(1)];
        }
        by_carry[0].clone()
    }
}
