//! Events: changes of states.
//!
//! An event reads and writes few variables and leaves the others unchanged. It has one of three
//! forms. A conjunction of [`Rule`]s, one for each variable (the Kronecker form), needs only one
//! lookup of each value. A *relation* lists values before and after. A *table* is a relation that a
//! function computes for values when they first occur.

use std::ops::RangeInclusive;
use std::rc::Rc;

/// The guard and the effect of an event on a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The smallest value with which the event is enabled.
    pub least: u32,
    /// The greatest value with which the event is enabled.
    pub most: u32,
    /// The effect on the value.
    pub update: Update,
}

/// The effect on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Update {
    /// Adds a number, which may be negative; results below 0 disable the event.
    Add(i64),
    /// Replaces the value.
    Set(u32),
}

impl Rule {
    /// Always enabled, without effect.
    pub const ANY: Rule = Rule { least: 0, most: u32::MAX, update: Update::Add(0) };

    /// Returns the value after the event; `None` if it is disabled.
    pub(crate) fn apply(self, value: u32) -> Option<u32> {
        if value < self.least || value > self.most {
            return None;
        }
        match self.update {
            Update::Add(difference) => u32::try_from(i64::from(value) + difference).ok(),
            Update::Set(value) => Some(value),
        }
    }

    /// True if it decreases values.
    pub(crate) fn falls(self) -> bool {
        matches!(self.update, Update::Add(difference) if difference < 0)
    }
}

/// The role of a variable in a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The value before, which does not change.
    Read,
    /// The value after, for any value before.
    Write,
    /// The values before and after.
    Change,
}

impl Access {
    /// Returns the number of values in a row of a relation.
    pub(crate) fn columns(self) -> usize {
        match self {
            Access::Read | Access::Write => 1,
            Access::Change => 2,
        }
    }
}

/// Reports the values after an event for values before it, in the order of its levels: none, one or
/// several.
pub type TableFunction<'f> = dyn Fn(&[u32], &mut dyn FnMut(&[u32])) + 'f;

/// A guard and an update over few variables, to be added to a [`Manager`](crate::Manager).
///
/// Variables are named by their levels: the lowest variable has level 1. Functions of tables may
/// borrow data for `'f`.
#[derive(Clone)]
pub struct Event<'f>(pub(crate) Form<'f>);

#[derive(Clone)]
pub(crate) enum Form<'f> {
    /// Rules by level, from the top.
    Rules(Vec<(u32, Rule)>),
    /// A function of the variables at the given levels, from the top.
    Table(Vec<u32>, Rc<TableFunction<'f>>),
    /// A relation between the variables at the given levels, from the top.
    Relation(Relation),
}

/// Rows of values, with one or two columns for each level.
#[derive(Clone)]
pub(crate) struct Relation {
    pub(crate) levels: Vec<(u32, Access)>,
    pub(crate) rows: Rc<[u32]>,
    /// Further levels that are only read: each must have one of these values, for every row.
    pub(crate) among: Vec<(u32, Rc<[u32]>)>,
}

impl Relation {
    pub(crate) fn columns(&self) -> usize {
        self.levels.iter().map(|(_, access)| access.columns()).sum()
    }
}

impl Default for Event<'_> {
    fn default() -> Self {
        Event::new()
    }
}

impl<'f> Event<'f> {
    /// Creates the event that is always enabled and changes nothing.
    pub fn new() -> Self {
        Event(Form::Rules(Vec::new()))
    }

    /// Creates an event from a function of the variables at `levels`, which must be descending.
    ///
    /// # Panics
    /// If the levels are empty, not descending, or below 1.
    pub fn table(
        levels: impl Into<Vec<u32>>,
        function: impl Fn(&[u32], &mut dyn FnMut(&[u32])) + 'f,
    ) -> Self {
        let levels = levels.into();
        assert!(
            levels.is_sorted_by(|a, b| a > b) && levels.last().is_some_and(|&level| level > 0),
            "levels of a table go down, and end above 0"
        );
        Event(Form::Table(levels, Rc::new(function)))
    }

    /// Creates an event from consecutive rows of values: for each of `levels`, which must be
    /// descending, the values that [`Access`] specifies.
    ///
    /// # Panics
    /// If the levels are empty, not descending, or below 1, or if the last row is incomplete.
    pub fn relation(levels: Vec<(u32, Access)>, rows: impl Into<Rc<[u32]>>) -> Self {
        assert!(
            levels.is_sorted_by(|a, b| a.0 > b.0) && levels.last().is_some_and(|last| last.0 > 0),
            "levels of a relation go down, and end above 0"
        );
        let relation = Relation { levels, rows: rows.into(), among: Vec::new() };
        assert_eq!(relation.rows.len() % relation.columns(), 0, "values make whole rows");
        Event(Form::Relation(relation))
    }

    /// Restricts an event given by rows: the variable at `level`, not among its own, must have one
    /// of these ascending values.
    ///
    /// # Panics
    /// If the event is not given by rows, has this variable, or the values are not ascending.
    #[must_use]
    pub fn among(mut self, level: u32, values: impl Into<Rc<[u32]>>) -> Self {
        let values = values.into();
        let touches = self.support().contains(&level);
        let Form::Relation(relation) = &mut self.0 else {
            panic!("only relations have further conditions");
        };
        assert!(level > 0 && !touches, "level {level} is not free");
        assert!(values.is_sorted_by(|a, b| a < b), "values go up");
        relation.among.push((level, values));
        relation.among.sort_unstable_by_key(|(level, _)| std::cmp::Reverse(*level));
        self
    }

    /// Requires that the variable at `level` has a value in `range` before the event.
    ///
    /// # Panics
    /// If the event is a table or a relation.
    #[must_use]
    pub fn guard(self, level: u32, range: RangeInclusive<u32>) -> Self {
        self.compose(level, |rule| {
            rule.least = rule.least.max(*range.start());
            rule.most = rule.most.min(*range.end());
        })
    }

    /// Adds `difference` to the variable at `level`, after its previous updates.
    ///
    /// # Panics
    /// If the event is a table or a relation.
    #[must_use]
    pub fn add(self, level: u32, difference: i64) -> Self {
        self.compose(level, |rule| match &mut rule.update {
            Update::Add(before) => *before += difference,
            Update::Set(value) => match u32::try_from(i64::from(*value) + difference) {
                Ok(sum) => *value = sum,
                // No value is below 0, so the event is never enabled.
                Err(_) => rule.most = 0,
            },
        })
    }

    /// Sets the variable at `level`, instead of its previous updates.
    ///
    /// # Panics
    /// If the event is a table or a relation.
    #[must_use]
    pub fn set(self, level: u32, value: u32) -> Self {
        self.compose(level, |rule| rule.update = Update::Set(value))
    }

    /// Returns events that together do what this one does, where the variable at `level` has one of
    /// the allowed values afterwards: those whose place in `allowed` is true. If the event does not
    /// change the variable, it is returned as it is. `None` for a table with this variable.
    pub fn landing(&self, level: u32, allowed: &[bool]) -> Option<Vec<Self>> {
        let is_allowed = |value: u32| allowed.get(value as usize).copied().unwrap_or(false);
        Some(match &self.0 {
            Form::Rules(rules) => {
                let place = rules.iter().position(|(other, _)| *other == level);
                match place.map(|place| rules[place].1.update) {
                    None | Some(Update::Add(0)) => vec![self.clone()],
                    Some(Update::Set(value)) if is_allowed(value) => vec![self.clone()],
                    Some(Update::Set(_)) => Vec::new(),
                    Some(Update::Add(difference)) => ranges(allowed)
                        .into_iter()
                        .filter_map(|(least, most)| {
                            let before = |after: u32| i64::from(after) - difference;
                            let most = u32::try_from(before(most)).ok()?;
                            let least = u32::try_from(before(least).max(0)).ok()?;
                            Some(self.clone().guard(level, least..=most))
                        })
                        .collect(),
                }
            }
            Form::Table(levels, _) if levels.contains(&level) => return None,
            Form::Table(..) => vec![self.clone()],
            Form::Relation(relation) => {
                let mut column = 0;
                for (other, access) in &relation.levels {
                    column += access.columns();
                    if *other == level && *access != Access::Read {
                        let all = relation.rows.chunks_exact(relation.columns());
                        let rows = all.filter(|row| is_allowed(row[column - 1])).flatten().copied();
                        let rows: Rc<[u32]> = rows.collect();
                        let is_possible = !rows.is_empty();
                        let event = Event(Form::Relation(Relation { rows, ..relation.clone() }));
                        return Some(is_possible.then_some(event).into_iter().collect());
                    }
                }
                vec![self.clone()]
            }
        })
    }

    fn compose(mut self, level: u32, change: impl FnOnce(&mut Rule)) -> Self {
        assert!(level > 0, "level 0 has no variable");
        let Form::Rules(rules) = &mut self.0 else {
            panic!("tables and relations have no rules");
        };
        let position = match rules.binary_search_by(|(other, _)| level.cmp(other)) {
            Ok(position) => position,
            Err(position) => {
                rules.insert(position, (level, Rule::ANY));
                position
            }
        };
        change(&mut rules[position].1);
        self
    }

    /// Returns the levels of the variables that the event may read or write, from the top.
    pub fn support(&self) -> Vec<u32> {
        match &self.0 {
            Form::Rules(rules) => rules.iter().map(|&(level, _)| level).collect(),
            Form::Table(levels, _) => levels.clone(),
            Form::Relation(relation) => {
                let own = relation.levels.iter().map(|(level, _)| *level);
                let mut all: Vec<u32> =
                    own.chain(relation.among.iter().map(|(level, _)| *level)).collect();
                all.sort_unstable_by_key(|level| std::cmp::Reverse(*level));
                all
            }
        }
    }
}

/// The ranges of places that are true.
fn ranges(allowed: &[bool]) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for value in (0..allowed.len()).filter(|value| allowed[*value]).map(|value| value as u32) {
        match ranges.last_mut() {
            Some((_, most)) if *most + 1 == value => *most = value,
            _ => ranges.push((value, value)),
        }
    }
    ranges
}
