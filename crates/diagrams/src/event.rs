//! Events: how states change.
//!
//! An event reads and writes few variables and leaves the others as they are. It is either a
//! conjunction of [`Rule`]s, one for each variable that it touches (the Kronecker form: firing
//! needs no more than one look at each value), or a *relation* between values before and values
//! after, or a *table* from values of its variables to values of its variables, a relation that is
//! computed as values appear.

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
    /// It grows by a number, or shrinks; results below 0 disable the event.
    Add(i64),
    /// It is replaced.
    Set(u32),
}

impl Rule {
    /// Enabled always, and changes nothing.
    pub const ANY: Rule = Rule { least: 0, most: u32::MAX, update: Update::Add(0) };

    /// The value after the event, if it is enabled.
    pub(crate) fn apply(self, value: u32) -> Option<u32> {
        if value < self.least || value > self.most {
            return None;
        }
        match self.update {
            Update::Add(difference) => u32::try_from(i64::from(value) + difference).ok(),
            Update::Set(value) => Some(value),
        }
    }

    /// True if it makes values smaller.
    pub(crate) fn falls(self) -> bool {
        matches!(self.update, Update::Add(difference) if difference < 0)
    }
}

/// The role of a variable in a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The value before, which stays.
    Read,
    /// The value after, whatever it was before.
    Write,
    /// The value before and that after.
    Change,
}

impl Access {
    /// How many values there are in a row of a relation.
    pub(crate) fn columns(self) -> usize {
        match self {
            Access::Read | Access::Write => 1,
            Access::Change => 2,
        }
    }
}

/// Gives the values after an event for values before it, in the order of its levels; it may
/// give none, or several.
pub type TableFunction<'f> = dyn Fn(&[u32], &mut dyn FnMut(&[u32])) + 'f;

/// A guard and an update over few variables, to be added to a [`Manager`](crate::Manager).
///
/// Variables are named by their levels: the lowest variable has level 1. Functions of tables may
/// borrow what lives for `'f`.
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
    /// Further levels that are read: whatever the row, one of these values is asked for.
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
    /// The event that is always enabled and changes nothing.
    pub fn new() -> Self {
        Event(Form::Rules(Vec::new()))
    }

    /// An event that is computed from the values of the variables at `levels`, which go down.
    ///
    /// # Panics
    /// If the levels do not go down to 1 at most, or if there are none.
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

    /// An event that is given by rows of values, which lie one after another: for each of `levels`,
    /// which go down, the values that [`Access`] specifies.
    ///
    /// # Panics
    /// If the levels do not go down to 1 at most, or if there are none, or if the rows are not
    /// whole.
    pub fn relation(levels: Vec<(u32, Access)>, rows: impl Into<Rc<[u32]>>) -> Self {
        assert!(
            levels.is_sorted_by(|a, b| a.0 > b.0) && levels.last().is_some_and(|last| last.0 > 0),
            "levels of a relation go down, and end above 0"
        );
        let relation = Relation { levels, rows: rows.into(), among: Vec::new() };
        assert_eq!(relation.rows.len() % relation.columns(), 0, "values make whole rows");
        Event(Form::Relation(relation))
    }

    /// Asks of an event that is given by rows that the variable at `level`, which is none of its
    /// own, has one of these values, which go up.
    ///
    /// # Panics
    /// If the event is not given by rows, or touches that variable, or if the values do not go up.
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

    /// Asks that the variable at `level` has a value in `range` before the event.
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

    /// Adds `difference` to the variable at `level`, after what was said of it before.
    ///
    /// # Panics
    /// If the event is a table or a relation.
    #[must_use]
    pub fn add(self, level: u32, difference: i64) -> Self {
        self.compose(level, |rule| match &mut rule.update {
            Update::Add(before) => *before += difference,
            Update::Set(value) => match u32::try_from(i64::from(*value) + difference) {
                Ok(sum) => *value = sum,
                // Nothing is below 0: the event is never enabled.
                Err(_) => rule.most = 0,
            },
        })
    }

    /// Gives the variable at `level` a value, whatever was said of its value before.
    ///
    /// # Panics
    /// If the event is a table or a relation.
    #[must_use]
    pub fn set(self, level: u32, value: u32) -> Self {
        self.compose(level, |rule| rule.update = Update::Set(value))
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

    /// The levels of the variables that the event may read or write, from the top.
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
