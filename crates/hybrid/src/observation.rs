//! A system of which some propositions are observed, as operations on any set of states.
//!
//! Nothing here needs the set of all reachable states: closures start from the states that are given.
//! Events that cannot change a proposition are *silent* for it, the others are *loud*. A closure
//! under steps that leave valuations as they are saturates with the silent events, filters the image
//! of the loud ones, and repeats.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Label, StateId};
use sempre_check::Deadlock;
use sempre_diagrams::{EventId, Group, Manager, Set, Strategy};
use sempre_ltl::interrupt;
use sempre_models::Fault;
use sempre_models::proposition::Propositions;
use sempre_symbolic::Encoding;
use sempre_testing::ChangeGraph;

use crate::steps::Steps;

/// A system, the propositions that are observed, and the meaning of deadlocks. Valuations and sets of
/// propositions are bits, in the order of the propositions.
pub struct Observation<'e, 's> {
    encoding: &'e Encoding<'s>,
    propositions: Propositions,
    deadlock: Deadlock,
    /// The propositions that depend on whether a state is a deadlock.
    about_deadlocks: u64,
    /// For each proposition the levels of the variables that it reads.
    reads: Vec<Vec<u32>>,
    /// For each event whether it only asks for intervals and adds numbers.
    rules: Vec<bool>,
    /// For each event whether it is external though it may be silent.
    external: Vec<bool>,
    /// For each proposition that reads one variable, its level and the values with which it holds.
    by_value: Vec<Option<(u32, Vec<bool>)>>,
    groups: RefCell<FxHashMap<u64, Rc<Groups<'s>>>>,
    /// For a valuation of the propositions in a mask, the events that keep it.
    keeping: RefCell<FxHashMap<(u64, u64), Rc<Keeping<'s>>>>,
    /// Sets that are closed under steps that change nothing observed, by what they were made of.
    stuttering: RefCell<FxHashMap<Set<'s>, Set<'s>>>,
}

/// The events of a system, by what they may change.
pub struct Groups<'s> {
    /// Those that change none of some propositions.
    pub silent: Group<'s>,
    /// The others.
    pub loud: Group<'s>,
    /// The numbers of the others among all events.
    loud_events: Rc<[usize]>,
}

/// The events of a system, by what is known of them where a valuation is to be kept.
struct Keeping<'s> {
    /// They keep it: those that change none of the propositions, and the parts of others that lead to
    /// values with which the valuation is the same.
    sure: Group<'s>,
    /// The others.
    open: Group<'s>,
}

/// The number of valuations for which events are split.
const MAX_SPLITS: usize = 1 << 8;

/// The number of closures that are kept.
const MAX_CLOSURES: usize = 1 << 12;

impl<'e, 's> Observation<'e, 's> {
    /// Observes propositions of a system that has been encoded.
    pub fn new(encoding: &'e Encoding<'s>, propositions: Propositions, deadlock: Deadlock) -> Self {
        let numbers = 0..propositions.len();
        let by_value = |number: usize| encoding.by_value(propositions.expression(number, false));
        let by_value: Vec<_> = numbers.clone().map(by_value).collect();
        let depends = |number: usize| {
            propositions.expression(number, true) != propositions.expression(number, false)
        };
        let about_deadlocks = numbers.clone().filter(|number| depends(*number));
        let about_deadlocks = about_deadlocks.fold(0, |bits, number| bits | 1 << number);
        let reads = numbers.map(|number| encoding.levels(propositions.footprint(number))).collect();
        let external = vec![false; encoding.events.events().len()];
        let events = encoding.system().events();
        let is_rule = |origin: &usize| events.is_some_and(|e| e.demands(*origin).is_some());
        let rules = encoding.origins().iter().map(is_rule).collect();
        Observation {
            encoding,
            propositions,
            deadlock,
            about_deadlocks,
            reads,
            rules,
            external,
            by_value,
            groups: RefCell::default(),
            keeping: RefCell::default(),
            stuttering: RefCell::default(),
        }
    }

    /// The same, in which these events of the system are loud.
    #[must_use]
    pub fn with_external(mut self, events: &[usize]) -> Self {
        let origins = self.encoding.origins().iter();
        self.external = origins.map(|origin| events.contains(origin)).collect();
        self
    }

    /// The encoding of the system.
    pub fn encoding(&self) -> &'e Encoding<'s> {
        self.encoding
    }

    /// The meaning of deadlocks.
    pub fn deadlock(&self) -> Deadlock {
        self.deadlock
    }

    /// The propositions.
    pub fn propositions(&self) -> &Propositions {
        &self.propositions
    }

    /// All propositions, as bits.
    pub fn all(&self) -> u64 {
        (0..self.propositions.len()).fold(0, |bits, number| bits | 1 << number)
    }

    fn manager(&self) -> &Manager<'s> {
        self.encoding.initial.manager()
    }

    /// The empty set of states.
    pub fn none(&self) -> Set<'s> {
        self.manager().empty(self.encoding.initial.arity())
    }

    /// The initial states.
    pub fn initial(&self) -> &Set<'s> {
        &self.encoding.initial
    }

    /// The events, split by whether they may change one of these propositions. External events are
    /// loud for all.
    pub fn groups(&self, mask: u64) -> Rc<Groups<'s>> {
        if let Some(groups) = self.groups.borrow().get(&mask) {
            return groups.clone();
        }
        let chosen = (0..self.propositions.len()).filter(|number| mask >> number & 1 == 1);
        let read: Vec<u32> = chosen.flat_map(|number| &self.reads[number]).copied().collect();
        let events = self.encoding.events.events().iter().enumerate();
        let is_silent = |(number, event): &(usize, &EventId<'s>)| {
            // Every event may lead to a deadlock.
            mask & self.about_deadlocks == 0
                && !self.external[*number]
                && event.changed().iter().all(|level| !read.contains(level))
        };
        let (silent, loud): (Vec<_>, Vec<_>) = events.partition(is_silent);
        let loud_events = loud.iter().map(|(number, _)| *number).collect();
        let group = |events: Vec<(usize, &EventId<'s>)>| {
            self.manager().group(events.into_iter().map(|(_, event)| event))
        };
        let (silent, loud) = (group(silent), group(loud));
        let groups = Rc::new(Groups { silent, loud, loud_events });
        self.groups.borrow_mut().insert(mask, groups.clone());
        groups
    }

    /// The events, split by whether they are known to keep a valuation of the propositions in the
    /// mask. With them, a closure is one saturation.
    fn keeping(&self, valuation: u64, mask: u64) -> Rc<Keeping<'s>> {
        if let Some(keeping) = self.keeping.borrow().get(&(mask, valuation)) {
            return keeping.clone();
        }
        let groups = self.groups(mask);
        let is_full = self.keeping.borrow().len() >= MAX_SPLITS;
        if is_full || mask & self.about_deadlocks != 0 {
            let (sure, open) = (groups.silent.clone(), groups.loud.clone());
            return Rc::new(Keeping { sure, open });
        }
        let mut allowed: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
        let mut others: Vec<u32> = Vec::new();
        for number in (0..self.propositions.len()).filter(|number| mask >> number & 1 == 1) {
            let wanted = valuation >> number & 1 == 1;
            match &self.by_value[number] {
                Some((level, holds)) => {
                    let known = allowed.entry(*level).or_insert_with(|| vec![true; holds.len()]);
                    let values = known.iter_mut().zip(holds);
                    values.for_each(|(known, holds)| *known &= *holds == wanted);
                }
                None => others.extend(&self.reads[number]),
            }
        }
        let allowed: Vec<(u32, Vec<bool>)> = allowed.into_iter().collect();
        let events = self.encoding.events.events();
        let (mut sure, mut open) = (groups.silent.events().to_vec(), Vec::new());
        for &number in groups.loud_events.iter() {
            interrupt::poll();
            let event = &events[number];
            let is_open = event.changed().iter().any(|level| others.contains(level));
            let parts = (!is_open).then(|| self.encoding.landing(number, &allowed)).flatten();
            match parts {
                Some(parts) => sure.extend(parts),
                None => open.push(event.clone()),
            }
        }
        let (sure, open) = (self.manager().group(&sure), self.manager().group(&open));
        let keeping = Rc::new(Keeping { sure, open });
        self.keeping.borrow_mut().insert((mask, valuation), keeping.clone());
        keeping
    }

    /// The numbers of the events that may change a proposition or are external.
    pub fn loud_events(&self) -> Rc<[usize]> {
        self.groups(self.all()).loud_events.clone()
    }

    /// True if an event of the encoding is external by choice.
    pub fn is_marked_external(&self, event: usize) -> bool {
        self.external[event]
    }

    /// True if an event only asks for intervals and adds numbers, as those of nets do.
    pub fn is_rule(&self, event: usize) -> bool {
        self.rules[event]
    }

    /// Checks that a set of states was computed without a fault of the system.
    ///
    /// # Errors
    /// With the fault; also if a value of a successor does not fit.
    pub fn check(&self, set: Set<'s>) -> Result<Set<'s>, Fault> {
        interrupt::poll();
        self.encoding.check(&set)?;
        Ok(set)
    }

    /// The states of a set without successors.
    pub fn dead(&self, set: &Set<'s>) -> Set<'s> {
        self.encoding.events.deadlocks(set)
    }

    /// The states of a set that are their own successors because they have no other.
    pub fn pausing(&self, set: &Set<'s>) -> Set<'s> {
        match self.deadlock {
            Deadlock::Stutter => self.dead(set),
            Deadlock::Ignore | Deadlock::Report => self.none(),
        }
    }

    /// The states of a set in which a proposition holds.
    ///
    /// # Errors
    /// If it has no meaning in one of them.
    pub fn satisfying(&self, set: &Set<'s>, number: usize) -> Result<Set<'s>, Fault> {
        let alive = self.propositions.expression(number, false);
        if self.about_deadlocks >> number & 1 == 0 {
            return self.encoding.satisfying(set, alive);
        }
        let dead = self.dead(set);
        let holding = self.encoding.satisfying(&(set - &dead), alive)?;
        let dead = self.encoding.satisfying(&dead, self.propositions.expression(number, true))?;
        Ok(holding | dead)
    }

    /// Splits a set by the valuations of the propositions in the mask; parts are not empty, and in
    /// the order of their valuations.
    ///
    /// # Errors
    /// If a proposition has no meaning in a state.
    pub fn classes(&self, set: &Set<'s>, mask: u64) -> Result<Vec<(u64, Set<'s>)>, Fault> {
        let mut classes = vec![(0, set.clone())];
        for number in (0..self.propositions.len()).filter(|number| mask >> number & 1 == 1) {
            let mut next = Vec::with_capacity(classes.len());
            for (valuation, states) in classes {
                interrupt::poll();
                let holding = self.satisfying(&states, number)?;
                next.push((valuation, &states - &holding));
                next.push((valuation | 1 << number, holding));
            }
            next.retain(|(_, states)| !states.is_empty());
            classes = next;
        }
        classes.retain(|(_, states)| !states.is_empty());
        classes.sort_by_key(|(valuation, _)| *valuation);
        Ok(classes)
    }

    /// The states of a set with a valuation of the propositions in the mask.
    ///
    /// # Errors
    /// If a proposition has no meaning in a state.
    pub fn with_valuation(
        &self,
        set: &Set<'s>,
        valuation: u64,
        mask: u64,
    ) -> Result<Set<'s>, Fault> {
        let mut rest = set.clone();
        for number in (0..self.propositions.len()).filter(|number| mask >> number & 1 == 1) {
            if rest.is_empty() {
                break;
            }
            let holding = self.satisfying(&rest, number)?;
            rest = if valuation >> number & 1 == 1 { holding } else { rest - holding };
        }
        Ok(rest)
    }

    /// The states of a set whose valuation satisfies a label.
    ///
    /// # Errors
    /// If a proposition has no meaning in a state.
    pub fn labelled(
        &self,
        set: &Set<'s>,
        alphabet: &Alphabet,
        label: Label,
    ) -> Result<Set<'s>, Fault> {
        if label == alphabet.tt() {
            return Ok(set.clone());
        }
        let classes = self.classes(set, support(alphabet, label))?;
        let able = classes.iter().filter(|(one, _)| alphabet.satisfied(label, *one));
        Ok(able.fold(self.none(), |sum, (_, states)| sum | states))
    }

    /// The successors of a set; a deadlock that stutters is one of its own.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn image(&self, set: &Set<'s>) -> Result<Set<'s>, Fault> {
        self.check(self.encoding.events.image(set) | self.pausing(set))
    }

    /// The least superset of `set` that is closed under silent events and under further steps: `more`
    /// returns the states that these lead to from new states. It is given all states as well, to
    /// leave them out.
    pub(crate) fn grow(
        &self,
        set: &Set<'s>,
        silent: &Group<'s>,
        mut more: impl FnMut(&Set<'s>, &Set<'s>) -> Result<Set<'s>, Fault>,
    ) -> Result<Set<'s>, Fault> {
        let mut closed = silent.reach(set, Strategy::Saturation);
        let mut new = closed.clone();
        loop {
            interrupt::poll();
            let more = more(&new, &closed)?;
            if more.is_empty() {
                return self.check(closed);
            }
            let before = closed.clone();
            closed = silent.reach(&(closed | more), Strategy::Saturation);
            new = &closed - &before;
        }
    }

    /// The least superset of `set` that is closed under steps to states with this valuation of the
    /// propositions in the mask. All states of `set` must have it.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn closure(&self, set: &Set<'s>, valuation: u64, mask: u64) -> Result<Set<'s>, Fault> {
        let Keeping { sure, open } = &*self.keeping(valuation, mask);
        self.grow(set, sure, |new, closed| {
            self.with_valuation(&(open.image(new) - closed), valuation, mask)
        })
    }

    /// The least superset of `set` that is closed under silent events.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn silent_closure(&self, set: &Set<'s>) -> Result<Set<'s>, Fault> {
        self.check(self.groups(self.all()).silent.reach(set, Strategy::Saturation))
    }

    /// The least superset of `set` that is closed under steps from states that satisfy a label.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn source_closure(
        &self,
        set: &Set<'s>,
        alphabet: &Alphabet,
        label: Label,
    ) -> Result<Set<'s>, Fault> {
        if label == alphabet.ff() {
            return Ok(set.clone());
        }
        if label == alphabet.tt() {
            return self.check(self.encoding.events.reach(set, Strategy::Saturation));
        }
        let mask = support(alphabet, label);
        let loud = &self.groups(mask).loud;
        let able = |states: &Set<'s>| -> Result<Vec<(u64, Set<'s>)>, Fault> {
            let mut classes = self.classes(states, mask)?;
            classes.retain(|(valuation, _)| alphabet.satisfied(label, *valuation));
            Ok(classes)
        };
        let mut found = set.clone();
        let mut active = self.none();
        let mut next = able(set)?;
        while !next.is_empty() {
            let mut image = self.none();
            for (valuation, states) in next {
                interrupt::poll();
                let new = self.closure(&states, valuation, mask)? - &active;
                image |= loud.image(&new);
                active |= new;
            }
            found = found | &active | &image;
            next = able(&(image - &active))?;
        }
        self.check(found)
    }

    /// The least superset of `set` that is closed under steps that change no proposition. It is found
    /// once for each set.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn stuttering_closure(&self, set: &Set<'s>) -> Result<Set<'s>, Fault> {
        if let Some(known) = self.stuttering.borrow().get(set) {
            return Ok(known.clone());
        }
        let mut closed = self.none();
        for (valuation, states) in self.classes(set, self.all())? {
            interrupt::poll();
            closed |= self.closure(&states, valuation, self.all())?;
        }
        let mut kept = self.stuttering.borrow_mut();
        if kept.len() >= MAX_CLOSURES {
            kept.clear();
        }
        kept.insert(set.clone(), closed.clone());
        Ok(closed)
    }

    /// The states that a step leads to from `set` whose change of valuation satisfies a label.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn change_image(
        &self,
        set: &Set<'s>,
        alphabet: &Alphabet,
        label: Label,
    ) -> Result<Set<'s>, Fault> {
        if label == alphabet.tt() {
            return self.image(set);
        }
        let mask = support(alphabet, label);
        let Groups { silent, loud, .. } = &*self.groups(mask);
        let mut found = self.none();
        if alphabet.satisfied(label, 0) {
            found = silent.image(set) | self.pausing(set);
        }
        for (before, states) in self.classes(set, mask)? {
            interrupt::poll();
            for (after, states) in self.classes(&loud.image(&states), mask)? {
                interrupt::poll();
                if alphabet.satisfied(label, before ^ after) {
                    found |= states;
                }
            }
        }
        self.check(found)
    }

    /// The steps between two sets whose change of valuation satisfies a label.
    ///
    /// # Errors
    /// If a proposition has no meaning in a state.
    pub(crate) fn change_steps(
        &self,
        from: &Set<'s>,
        to: &Set<'s>,
        alphabet: &Alphabet,
        label: Label,
    ) -> Result<Steps<'s>, Fault> {
        if label == alphabet.tt() {
            return Ok(Steps::between(from, to));
        }
        let mask = support(alphabet, label);
        let mut pairs = Vec::new();
        let after = self.classes(to, mask)?;
        for (before, from) in self.classes(from, mask)? {
            interrupt::poll();
            let able = after.iter().filter(|(after, _)| alphabet.satisfied(label, before ^ after));
            pairs.extend(able.map(|(_, to)| (from.clone(), to.clone())));
        }
        Ok(Steps(pairs))
    }

    /// The initial states in which runs of an automaton that reads changes begin with its state; all
    /// if it reads valuations.
    ///
    /// # Errors
    /// If a proposition has no meaning in a state.
    pub(crate) fn entry(
        &self,
        changes: Option<&ChangeGraph>,
        state: StateId,
    ) -> Result<Set<'s>, Fault> {
        match changes {
            None => Ok(self.initial().clone()),
            Some(graph) => self.labelled(self.initial(), graph.alphabet(), graph.first(state)),
        }
    }

    /// The least superset of `set` that is closed under steps whose change satisfies a label; no
    /// change must satisfy it.
    ///
    /// # Errors
    /// If the system has a fault there.
    pub fn change_closure(
        &self,
        set: &Set<'s>,
        alphabet: &Alphabet,
        label: Label,
    ) -> Result<Set<'s>, Fault> {
        if label == alphabet.tt() {
            return self.check(self.encoding.events.reach(set, Strategy::Saturation));
        }
        let mut closed = self.stuttering_closure(set)?;
        if alphabet.implies(label, sempre_testing::changes::stuttering(alphabet)) {
            return Ok(closed);
        }
        let mut new = closed.clone();
        loop {
            let more = self.change_image(&new, alphabet, label)? - &closed;
            if more.is_empty() {
                return Ok(closed);
            }
            new = self.stuttering_closure(&more)? - &closed;
            closed |= &new;
        }
    }
}

/// The propositions on which a label depends, as bits.
pub(crate) fn support(alphabet: &Alphabet, label: Label) -> u64 {
    alphabet.support(label).into_iter().fold(0, |bits, number| bits | 1 << number)
}
