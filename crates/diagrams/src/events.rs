//! The events of a manager.
//!
//! At a level below its top, saturation fires the remaining part of an event: a *residue*. Residues
//! of rules are hash-consed lists; residues of relations are nodes of the diagram. These have two
//! levels for each variable, before and after, or one if the variable is only read or only written
//! (Meijer, Kant, Blom and van de Pol 2014).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::event::{Access, Rule, TableFunction, Update};
use crate::nodes::{EMPTY, NodeId};

/// The remaining part of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Residue {
    /// No remaining part.
    Done,
    /// A rule and the list of those after it.
    Rules(u32),
    /// A relation over the levels of a support.
    Relation(u32, NodeId),
}

/// A rule, its level, and the rest of the list.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) level: u32,
    pub(crate) rule: Rule,
    pub(crate) next: u32,
}

/// A list of levels: the first one and the rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Support {
    pub(crate) level: u32,
    pub(crate) access: Access,
    pub(crate) rest: u32,
}

/// The empty list of rules, and the empty support.
pub(crate) const NONE: u32 = 0;

/// A table with its known part.
struct Table<'f> {
    support: u32,
    function: Rc<TableFunction<'f>>,
    /// The values before, for which the function has been called.
    known: NodeId,
    /// Pairs of values before and after.
    relation: NodeId,
}

/// An event of a manager.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum EventRef {
    Rules(u32),
    Table(u32),
    Relation(u32),
}

/// A set of events that are saturated together, by the level of their topmost variables.
pub(crate) struct Group {
    pub(crate) by_level: Vec<Rc<[EventRef]>>,
}

/// The events of a manager.
pub(crate) struct Events<'f> {
    steps: Vec<Step>,
    step_index: FxHashMap<Step, u32>,
    supports: Vec<Support>,
    support_index: FxHashMap<Support, u32>,
    tables: Vec<Table<'f>>,
    /// The supports of relations, and their nodes.
    relations: Vec<(u32, NodeId)>,
    relation_index: FxHashMap<(u32, NodeId), u32>,
    groups: Vec<Group>,
    group_index: FxHashMap<Vec<EventRef>, u32>,
}

impl<'f> Events<'f> {
    pub(crate) fn new() -> Self {
        let mut events = Events {
            // Number 0 is the end of every list.
            steps: vec![Step { level: 0, rule: Rule::ANY, next: NONE }],
            step_index: FxHashMap::default(),
            supports: vec![Support { level: 0, access: Access::Read, rest: NONE }],
            support_index: FxHashMap::default(),
            tables: Vec::new(),
            relations: Vec::new(),
            relation_index: FxHashMap::default(),
            groups: Vec::new(),
            group_index: FxHashMap::default(),
        };
        let none = events.group(Vec::new());
        debug_assert_eq!(none, NONE);
        events
    }

    pub(crate) fn add_rules(&mut self, rules: &[(u32, Rule)]) -> EventRef {
        let mut next = NONE;
        for &(level, rule) in rules.iter().rev() {
            next = self.step(Step { level, rule, next });
        }
        EventRef::Rules(next)
    }

    pub(crate) fn add_table(
        &mut self,
        levels: &[u32],
        function: &Rc<TableFunction<'f>>,
    ) -> EventRef {
        let levels = levels.iter().map(|level| (*level, Access::Change));
        let support = self.support_of(levels);
        let function = Rc::clone(function);
        self.tables.push(Table { support, function, known: EMPTY, relation: EMPTY });
        EventRef::Table((self.tables.len() - 1) as u32)
    }

    pub(crate) fn add_relation(&mut self, support: u32, node: NodeId) -> EventRef {
        let number = *self.relation_index.entry((support, node)).or_insert_with(|| {
            self.relations.push((support, node));
            (self.relations.len() - 1) as u32
        });
        EventRef::Relation(number)
    }

    fn step(&mut self, step: Step) -> u32 {
        *self.step_index.entry(step).or_insert_with(|| {
            self.steps.push(step);
            (self.steps.len() - 1) as u32
        })
    }

    /// Returns the number of a list of descending levels.
    pub(crate) fn support_of(
        &mut self,
        levels: impl DoubleEndedIterator<Item = (u32, Access)>,
    ) -> u32 {
        let mut rest = NONE;
        for (level, access) in levels.rev() {
            let support = Support { level, access, rest };
            rest = *self.support_index.entry(support).or_insert_with(|| {
                self.supports.push(support);
                (self.supports.len() - 1) as u32
            });
        }
        rest
    }

    #[inline]
    pub(crate) fn get_step(&self, step: u32) -> Step {
        self.steps[step as usize]
    }

    #[inline]
    pub(crate) fn get_support(&self, support: u32) -> Support {
        self.supports[support as usize]
    }

    /// Returns the level of the topmost variable of an event; 0 if it has none.
    pub(crate) fn top(&self, event: EventRef) -> u32 {
        match event {
            EventRef::Rules(step) => self.get_step(step).level,
            EventRef::Table(table) => self.get_support(self.tables[table as usize].support).level,
            EventRef::Relation(number) => self.get_support(self.relations[number as usize].0).level,
        }
    }

    /// Returns the levels of the variables that an event may change, from the top.
    pub(crate) fn changed(&self, event: EventRef) -> Vec<u32> {
        let mut levels = Vec::new();
        let mut rest = match event {
            EventRef::Rules(mut step) => {
                while step != NONE {
                    let Step { level, rule, next } = self.get_step(step);
                    if rule.update != Update::Add(0) {
                        levels.push(level);
                    }
                    step = next;
                }
                return levels;
            }
            EventRef::Table(table) => self.tables[table as usize].support,
            EventRef::Relation(number) => self.relations[number as usize].0,
        };
        while rest != NONE {
            let support = self.get_support(rest);
            if support.access != Access::Read {
                levels.push(support.level);
            }
            rest = support.rest;
        }
        levels
    }

    /// Returns the currently known residue of an event.
    pub(crate) fn residue(&self, event: EventRef) -> Residue {
        match event {
            EventRef::Rules(NONE) => Residue::Done,
            EventRef::Rules(step) => Residue::Rules(step),
            EventRef::Table(table) => {
                let table = &self.tables[table as usize];
                Residue::Relation(table.support, table.relation)
            }
            EventRef::Relation(number) => {
                let (support, node) = self.relations[number as usize];
                Residue::Relation(support, node)
            }
        }
    }

    /// Returns the support of a table, and its known values.
    pub(crate) fn known(&self, table: u32) -> (u32, NodeId) {
        let table = &self.tables[table as usize];
        (table.support, table.known)
    }

    pub(crate) fn relation(&self, table: u32) -> NodeId {
        self.tables[table as usize].relation
    }

    pub(crate) fn learn(&mut self, table: u32, known: NodeId, relation: NodeId) {
        let table = &mut self.tables[table as usize];
        table.known = known;
        table.relation = relation;
    }

    pub(crate) fn function(&self, table: usize) -> Rc<TableFunction<'f>> {
        Rc::clone(&self.tables[table].function)
    }

    /// Returns the number of a set of events.
    pub(crate) fn group(&mut self, mut events: Vec<EventRef>) -> u32 {
        events.sort_unstable();
        events.dedup();
        if let Some(&group) = self.group_index.get(&events) {
            return group;
        }
        let mut by_level: Vec<Vec<EventRef>> = Vec::new();
        for &event in &events {
            let top = self.top(event) as usize;
            // An event without variables changes nothing.
            if top > 0 {
                if by_level.len() <= top {
                    by_level.resize(top + 1, Vec::new());
                }
                by_level[top].push(event);
            }
        }
        let group = Group { by_level: by_level.into_iter().map(Rc::from).collect() };
        self.groups.push(group);
        let number = (self.groups.len() - 1) as u32;
        self.group_index.insert(events, number);
        number
    }

    /// Returns the events of a set whose topmost variable is at `level`.
    #[inline]
    pub(crate) fn at(&self, group: u32, level: u32) -> Option<Rc<[EventRef]>> {
        let events = self.groups[group as usize].by_level.get(level as usize)?;
        (!events.is_empty()).then(|| Rc::clone(events))
    }

    pub(crate) fn roots(&self) -> impl Iterator<Item = NodeId> + '_ {
        let tables = self.tables.iter().flat_map(|table| [table.known, table.relation]);
        tables.chain(self.relations.iter().map(|(_, node)| *node))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.steps.capacity() * 3 * size_of::<Step>()
            + self.supports.capacity() * 3 * size_of::<Support>()
            + self.tables.capacity() * size_of::<Table<'_>>()
            + self.relations.capacity() * 3 * size_of::<(u32, NodeId)>()
    }
}
