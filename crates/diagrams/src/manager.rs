//! Managers: owners of diagrams.

use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;

use crate::event::Event;
use crate::events::EventRef;
use crate::nodes::{EMPTY, NodeId, UNIT};
use crate::saturate::ALL;
use crate::set::Set;
use crate::store::Store;

/// A callback for the size of a manager.
pub type Poll<'f> = Rc<dyn Fn(&Usage) + 'f>;

/// How much a manager may use, and what it calls while it works.
#[derive(Clone)]
pub struct Options<'f> {
    /// The bytes for nodes and caches; beyond them, operations are [`Exhausted`].
    pub memory: usize,
    /// Called now and then in the middle of operations. It may unwind, which abandons the
    /// operation and leaves the manager as it was.
    pub poll: Option<Poll<'f>>,
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
    /// The number of stored nodes, including dead ones that are not collected yet.
    pub nodes: usize,
    /// The peak number of stored nodes.
    pub peak_nodes: usize,
    /// The bytes of nodes, caches and events.
    pub bytes: usize,
    /// The peak number of bytes.
    pub peak_bytes: usize,
    /// The number of garbage collections.
    pub collections: usize,
    /// The number of requested nodes, including existing ones: a measure of work.
    pub steps: u64,
}

/// An operation exceeds the memory limit of a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl Exhausted {
    /// Operators cannot return errors, so exceeding the memory limit unwinds to
    /// [`Manager::attempt`].
    pub(crate) fn unwind() -> ! {
        panic::resume_unwind(Box::new(Exhausted))
    }
}

/// The step limit of [`Manager::within`] is exceeded.
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

/// The strategy for computing reachable states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Local fixpoints from the lowest variables up.
    Saturation,
    /// Applies each event to all known states, including its own results, until nothing changes.
    Chaining,
    /// Applies all events to the newest states.
    BreadthFirst,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 3] =
        [Strategy::Saturation, Strategy::Chaining, Strategy::BreadthFirst];
}

/// Owns nodes and caches results of operations. Clones are handles to the same manager; it is freed
/// with the last of its handles and sets. Functions of its events may borrow data for `'f`.
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

    /// Returns the set of one tuple, given from the top.
    pub fn tuple(&self, values: &[u32]) -> Set<'f> {
        self.handle(values.len() as u32, |store| store.tuple(values))
    }

    /// Returns the set of consecutive tuples of `arity` values each.
    ///
    /// # Panics
    /// If the number of values is not a multiple of `arity`.
    pub fn tuples(&self, arity: u32, values: &[u32]) -> Set<'f> {
        if arity == 0 {
            return self.handle(0, |_| UNIT);
        }
        assert_eq!(values.len() % arity as usize, 0, "values make whole tuples");
        self.handle(arity, |store| store.build(values, arity as usize))
    }

    /// Registers an event, so that it can be fired.
    pub fn event(&self, event: &Event<'f>) -> EventId<'f> {
        let mut store = self.store.borrow_mut();
        store.begin();
        EventId { manager: self.clone(), event: store.event(event) }
    }

    /// Returns a group of events for saturation.
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

    /// Runs a function that may exceed the memory limit.
    ///
    /// # Errors
    /// If it does. The manager and its sets remain usable.
    pub fn attempt<T>(&self, work: impl FnOnce() -> T) -> Result<T, Exhausted> {
        panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
            match payload.downcast::<Exhausted>() {
                Ok(exhausted) => *exhausted,
                Err(other) => panic::resume_unwind(other),
            }
        })
    }

    /// Runs a function; `None` if it takes many more than `steps` steps (see [`Usage::steps`]). The
    /// manager and its sets remain usable.
    pub fn within<T>(&self, steps: u64, work: impl FnOnce() -> T) -> Option<T> {
        let limit = |most| std::mem::replace(&mut self.store.borrow_mut().max_steps, most);
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

    /// Removes the nodes that no set uses. Runs automatically when there are many.
    pub fn collect(&self) {
        let mut store = self.store.borrow_mut();
        store.begin();
        store.collect();
    }

    /// Removes the nodes that no set uses, if there are many. Between two tasks that have little in
    /// common, this costs little and keeps the cache of results small.
    pub fn tidy(&self) {
        let mut store = self.store.borrow_mut();
        store.begin();
        store.tidy();
    }

    /// Clears the cache of results, and collects.
    pub fn forget(&self) {
        self.store.borrow_mut().cache.clear();
        self.collect();
    }

    /// The current and the peak size of the manager.
    pub fn usage(&self) -> Usage {
        self.store.borrow().usage()
    }

    /// Forgets earlier peaks: the next are those of later work.
    pub fn restart_peak(&self) {
        self.store.borrow_mut().restart_peak();
    }

    pub(crate) fn own(&self, other: &Manager<'f>) {
        assert!(
            Rc::ptr_eq(&self.store, &other.store),
            "sets and events of different managers do not mix"
        );
    }
}

/// A registered event.
#[derive(Clone)]
pub struct EventId<'f> {
    manager: Manager<'f>,
    event: EventRef,
}

impl<'f> EventId<'f> {
    /// Returns the successors of `set` by the event.
    pub fn image(&self, set: &Set<'f>) -> Set<'f> {
        self.manager.own(&set.manager);
        self.manager.handle(set.arity, |store| store.image(self.event, set.root, ALL, set.arity))
    }

    /// Returns the states of `within` from which the event leads into `target`.
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
    /// Returns the events in their given order.
    pub fn events(&self) -> &[EventId<'f>] {
        &self.events
    }

    /// Returns the successors of `set` by the events.
    pub fn image(&self, set: &Set<'f>) -> Set<'f> {
        self.own(set);
        let manager = &set.manager;
        let found =
            manager.handle(set.arity, |store| store.images(self.group, set.root, set.arity));
        if self.has_idle_event(manager) { found | set } else { found }
    }

    /// Returns the states of `within` from which one of the events leads into `target`.
    pub fn preimage(&self, target: &Set<'f>, within: &Set<'f>) -> Set<'f> {
        self.own(target);
        target.same_kind(within);
        let manager = &target.manager;
        let found = manager.handle(target.arity, |store| {
            store.preimages(self.group, target.root, within.root, target.arity)
        });
        if self.has_idle_event(manager) { found | (target & within) } else { found }
    }

    /// True if one of the events has no variables: it is always enabled and changes nothing.
    fn has_idle_event(&self, manager: &Manager<'f>) -> bool {
        self.events.iter().any(|event| manager.store.borrow().events.top(event.event) == 0)
    }

    /// Returns the states of `set` in which none of the events is enabled.
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

    /// Returns the least superset of `from` that is closed under the events.
    pub fn reach(&self, from: &Set<'f>, strategy: Strategy) -> Set<'f> {
        self.closure(from, None, strategy)
    }

    /// Returns the least set that contains the states of `from` in `within` and is closed under the
    /// events inside `within`.
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
