//! Managers: where diagrams live.

use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;

use crate::event::Event;
use crate::events::Known;
use crate::nodes::{EMPTY, NodeId, UNIT};
use crate::saturate::ALL;
use crate::set::Set;
use crate::store::Store;

/// How much a manager may use, and what it calls while it works.
#[derive(Clone)]
pub struct Options<'f> {
    /// The bytes for nodes and caches; beyond them, operations are [`Exhausted`].
    pub memory: usize,
    /// Called now and then in the middle of operations. It may unwind, which abandons the
    /// operation and leaves the manager as it was.
    pub poll: Option<Rc<dyn Fn(&Usage) + 'f>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { memory: 2 << 30, poll: None }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Options").field("memory", &self.memory).finish_non_exhaustive()
    }
}

/// The current and the peak size of a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The nodes that are stored, dead ones that were not collected yet included.
    pub nodes: usize,
    /// The peak number of stored nodes.
    pub peak_nodes: usize,
    /// The bytes of nodes, caches and events.
    pub bytes: usize,
    /// The peak number of bytes.
    pub peak_bytes: usize,
    /// How often dead nodes were collected.
    pub collections: usize,
    /// How many nodes were asked for, known ones included: a measure of work.
    pub steps: u64,
}

/// The memory of a manager does not suffice for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl Exhausted {
    /// Operators have no way to fail, so what exceeds the memory unwinds to
    /// [`Manager::attempt`].
    pub(crate) fn unwind() -> ! {
        panic::resume_unwind(Box::new(Exhausted))
    }
}

/// More steps were taken than [`Manager::within`] allows.
pub(crate) struct OutOfSteps;

impl OutOfSteps {
    pub(crate) fn unwind() -> ! {
        panic::resume_unwind(Box::new(OutOfSteps))
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the memory for decision diagrams is exhausted")
    }
}

impl std::error::Error for Exhausted {}

/// How the reachable states are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Local fixpoints from the lowest variables up.
    Saturation,
    /// Each event is applied to all that is known, its results included, until nothing is new.
    Chaining,
    /// All events are applied to the newest states.
    BreadthFirst,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 3] =
        [Strategy::Saturation, Strategy::Chaining, Strategy::BreadthFirst];
}

/// Holds nodes, and remembers results of operations. Cloning gives a second handle to the same
/// manager; it is freed with the last of its handles and sets. Functions of its events may borrow
/// what lives for `'f`.
#[derive(Clone)]
pub struct Manager<'f> {
    pub(crate) store: Rc<RefCell<Store<'f>>>,
}

impl<'f> Manager<'f> {
    /// A manager without any nodes.
    pub fn new(options: Options<'f>) -> Self {
        Manager { store: Rc::new(RefCell::new(Store::new(options))) }
    }

    pub(crate) fn handle(
        &self,
        arity: u32,
        operation: impl FnOnce(&mut Store<'f>) -> NodeId,
    ) -> Set<'f> {
        let root = {
            let mut store = self.store.borrow_mut();
            store.begin();
            let root = operation(&mut store);
            store.hold(root);
            root
        };
        Set { manager: self.clone(), root, arity }
    }

    /// The empty set of tuples of `arity` values.
    pub fn empty(&self, arity: u32) -> Set<'f> {
        self.handle(arity, |_| EMPTY)
    }

    /// The set of one tuple, given from the top.
    pub fn tuple(&self, values: &[u32]) -> Set<'f> {
        self.handle(values.len() as u32, |store| store.tuple(values))
    }

    /// The set of all given tuples of `arity` values each, which lie one after another.
    ///
    /// # Panics
    /// If the number of values is no multiple of `arity`.
    pub fn tuples(&self, arity: u32, values: &[u32]) -> Set<'f> {
        if arity == 0 {
            return self.handle(0, |_| UNIT);
        }
        assert_eq!(values.len() % arity as usize, 0, "values make whole tuples");
        self.handle(arity, |store| store.build(values, arity as usize))
    }

    /// Makes an event known, so that it can be fired.
    pub fn event(&self, event: &Event<'f>) -> EventId<'f> {
        let mut store = self.store.borrow_mut();
        store.begin();
        EventId { manager: self.clone(), event: store.event(event) }
    }

    /// A set of events, with which states are saturated.
    ///
    /// # Panics
    /// If an event belongs to another manager.
    pub fn group<'a>(&self, events: impl IntoIterator<Item = &'a EventId<'f>>) -> Group<'f>
    where
        'f: 'a,
    {
        let events: Vec<EventId<'f>> =
            events.into_iter().inspect(|event| self.own(&event.manager)).cloned().collect();
        let known = events.iter().map(|event| event.event).collect();
        Group { group: self.store.borrow_mut().events.group(known), events }
    }

    /// Runs something that may exceed the memory.
    ///
    /// # Errors
    /// If it does. The manager and its sets can be used as before.
    pub fn attempt<T>(&self, work: impl FnOnce() -> T) -> Result<T, Exhausted> {
        panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
            match payload.downcast::<Exhausted>() {
                Ok(exhausted) => *exhausted,
                Err(other) => panic::resume_unwind(other),
            }
        })
    }

    /// Runs something that is given up if it takes many more than `steps` steps (see
    /// [`Usage::steps`]). The manager and its sets can be used as before.
    pub fn within<T>(&self, steps: u64, work: impl FnOnce() -> T) -> Option<T> {
        let limit = |most| std::mem::replace(&mut self.store.borrow_mut().most_steps, most);
        let now = self.usage().steps;
        let before = limit(now.saturating_add(steps));
        let result = panic::catch_unwind(AssertUnwindSafe(work));
        limit(before);
        match result {
            Ok(result) => Some(result),
            Err(payload) if payload.is::<OutOfSteps>() => None,
            Err(payload) => panic::resume_unwind(payload),
        }
    }

    /// Removes the nodes that no set refers to. This happens by itself when there are many.
    pub fn collect(&self) {
        let mut store = self.store.borrow_mut();
        store.begin();
        store.collect();
    }

    /// Forgets the results of operations, which would make the next ones faster, and collects.
    pub fn forget(&self) {
        self.store.borrow_mut().cache.clear();
        self.collect();
    }

    /// The current and the peak size of the manager.
    pub fn usage(&self) -> Usage {
        self.store.borrow().usage()
    }

    pub(crate) fn own(&self, other: &Manager<'f>) {
        assert!(
            Rc::ptr_eq(&self.store, &other.store),
            "sets and events of different managers do not mix"
        );
    }
}

/// An event that a manager knows.
#[derive(Clone)]
pub struct EventId<'f> {
    manager: Manager<'f>,
    event: Known,
}

impl<'f> EventId<'f> {
    /// The states that the event leads to from `set`.
    pub fn image(&self, set: &Set<'f>) -> Set<'f> {
        self.manager.own(&set.manager);
        self.manager.handle(set.arity, |store| store.image(self.event, set.root, ALL, set.arity))
    }

    /// The states of `within` from which the event leads into `target`.
    pub fn preimage(&self, target: &Set<'f>, within: &Set<'f>) -> Set<'f> {
        self.manager.own(&target.manager);
        target.same_kind(within);
        self.manager.handle(target.arity, |store| {
            store.preimage(self.event, target.root, within.root, target.arity)
        })
    }

    /// The levels of the variables that the event may change, from the top.
    pub fn changed(&self) -> Vec<u32> {
        self.manager.store.borrow().events.changed(self.event)
    }

    /// The states of `set` in which the event is enabled.
    pub fn enabled(&self, set: &Set<'f>) -> Set<'f> {
        self.manager.own(&set.manager);
        self.manager.handle(set.arity, |store| store.enabling(self.event, set.root, set.arity))
    }
}

/// A set of events.
#[derive(Clone)]
pub struct Group<'f> {
    group: u32,
    events: Vec<EventId<'f>>,
}

impl<'f> Group<'f> {
    /// The events, as they were given.
    pub fn events(&self) -> &[EventId<'f>] {
        &self.events
    }

    /// The states that one of the events leads to from `set`.
    pub fn image(&self, set: &Set<'f>) -> Set<'f> {
        self.own(set);
        let manager = &set.manager;
        let found =
            manager.handle(set.arity, |store| store.images(self.group, set.root, set.arity));
        if self.has_idle_event(manager) { found | set } else { found }
    }

    /// The states of `within` from which one of the events leads into `target`.
    pub fn preimage(&self, target: &Set<'f>, within: &Set<'f>) -> Set<'f> {
        self.own(target);
        target.same_kind(within);
        let manager = &target.manager;
        let found = manager.handle(target.arity, |store| {
            store.preimages(self.group, target.root, within.root, target.arity)
        });
        if self.has_idle_event(manager) { found | (target & within) } else { found }
    }

    /// Whether one of the events has no variables: it is always enabled and changes nothing.
    fn has_idle_event(&self, manager: &Manager<'f>) -> bool {
        self.events.iter().any(|event| manager.store.borrow().events.top(event.event) == 0)
    }

    /// The states of `set` in which none of the events is enabled.
    pub fn deadlocks(&self, set: &Set<'f>) -> Set<'f> {
        self.own(set);
        let manager = &set.manager;
        if self.has_idle_event(manager) {
            return manager.empty(set.arity);
        }
        manager.handle(set.arity, |store| store.dead(self.group, set.root, set.arity))
    }

    fn own(&self, set: &Set<'f>) {
        self.events.iter().for_each(|event| set.manager.own(&event.manager));
    }

    /// The least set that contains `from` and is closed under the events.
    pub fn reach(&self, from: &Set<'f>, strategy: Strategy) -> Set<'f> {
        self.closure(from, None, strategy)
    }

    /// The least set that contains the states of `from` in `within` and is closed under the
    /// events, as long as they stay in `within`.
    pub fn reach_within(&self, from: &Set<'f>, within: &Set<'f>, strategy: Strategy) -> Set<'f> {
        self.closure(&(from & within), Some(within), strategy)
    }

    fn closure(&self, from: &Set<'f>, within: Option<&Set<'f>>, strategy: Strategy) -> Set<'f> {
        let (manager, arity) = (&from.manager, from.arity);
        self.own(from);
        let bounds = within.map_or(ALL, |within| within.root);
        let image = |event: &EventId<'f>, set: &Set<'f>| {
            manager.handle(arity, |store| store.image(event.event, set.root, bounds, arity))
        };
        let mut reached = from.clone();
        match strategy {
            Strategy::Saturation => {
                manager.handle(arity, |store| store.saturate(self.group, from.root, bounds, arity))
            }
            Strategy::Chaining => loop {
                let before = reached.clone();
                for event in &self.events {
                    reached |= image(event, &reached);
                }
                if reached == before {
                    return reached;
                }
            },
            Strategy::BreadthFirst => {
                let mut new = from.clone();
                while !new.is_empty() {
                    let mut next = manager.empty(arity);
                    for event in &self.events {
                        next |= image(event, &new);
                    }
                    new = next - &reached;
                    reached |= &new;
                }
                reached
            }
        }
    }
}
