//! The interface between models and searches: a system generates packed states.

use crate::expression::Expr;
use crate::layout::{Field, Footprint};
use crate::partial::{Attempt, PartialState};
use std::fmt;
use std::sync::Arc;

/// The number of an action of a system: a transition of a net, a step of a process, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// The number of a variable of a system, as it is shown to people: a place of a net, a variable
/// or the location of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// Why the successors or the valuation of a state cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The value of a variable is too large for its place in the packed state; with more bits the
    /// exploration could go on (see [`Model::run`](crate::Model::run)).
    Overflow(VariableId),
    /// An assertion of the model fails in the state.
    Assertion {
        /// Which assertion, and where.
        message: String,
    },
    /// The model does something that has no meaning: it divides by zero, an index is out of range.
    Undefined {
        /// The action that does it, if it is an action.
        action: Option<ActionId>,
        /// The description of the fault.
        message: String,
    },
    /// A value grows without end: the states cannot be enumerated.
    Unbounded {
        /// Actions from an initial state.
        prefix: Vec<ActionId>,
        /// Actions that can be repeated after those for ever, and make the value grow each time.
        cycle: Vec<ActionId>,
        /// Which value that is, and by which actions.
        message: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Overflow(_) => out.write_str("a value is too large for its place in the state"),
            Fault::Assertion { message }
            | Fault::Undefined { message, .. }
            | Fault::Unbounded { message, .. } => out.write_str(message),
        }
    }
}

impl std::error::Error for Fault {}

/// The guard of an event on a variable, and its summand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The variable.
    pub variable: VariableId,
    /// The least value with which the event can happen.
    pub least: u32,
    /// The greatest value with which the event can happen.
    pub greatest: u32,
    /// The summand.
    pub added: i64,
    /// Whether it is known that the sum fits into the field of the variable.
    pub fits: bool,
}

/// The guard of an event on a variable, independent of other variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Where the variable lies.
    pub field: Field,
    /// The admitted values of the field, in order.
    pub among: Vec<u32>,
}

/// A transition system whose states are packed into words: the part that every search needs.
///
/// States of the same system have the same number of words, and two states are the same exactly if
/// their words are. A search makes one dynamic call per state that it expands
/// ([`Expander::expand`]); all loops behind that call are compiled for the system.
pub trait System: Send + Sync {
    /// Returns the number of words of a state; at least one.
    fn words(&self) -> usize;

    /// Returns the initial states; there is at least one.
    ///
    /// # Errors
    /// If an initial value has no meaning or does not fit.
    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault>;

    /// Makes an expander, which owns the buffers of one thread.
    fn expander(&self) -> Box<dyn Expander + '_>;

    /// Returns the names that people use: variables, actions, propositions.
    fn names(&self) -> &dyn Names;

    /// Returns the actions as events, for symbolic engines; `None` if the system cannot be taken
    /// apart.
    fn events(&self) -> Option<&dyn Events> {
        None
    }

    /// True if values that do not fit would hardly fit in more bits either, because they seem to grow
    /// without end.
    fn is_widest(&self) -> bool {
        true
    }
}

/// Computes successors of states, one state at a time.
pub trait Expander {
    /// Appends all successors of the state, each with the action that leads there, in an order that
    /// depends on the state alone. A state may be appended several times, by several actions.
    ///
    /// # Errors
    /// If the model does something without a meaning in this state, or a value does not fit; the
    /// content of the buffer is undefined then.
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault>;

    /// True if the state has no successor.
    ///
    /// # Errors
    /// As for [`Expander::expand`].
    fn is_deadlock(&mut self, state: &[u32]) -> Result<bool, Fault> {
        let mut successors = Successors::new(state.len());
        self.expand(state, &mut successors)?;
        Ok(successors.is_empty())
    }
}

impl dyn System + '_ {
    /// Returns the successors of one state. Makes an expander for this one call: searches keep
    /// theirs.
    ///
    /// # Errors
    /// As for [`Expander::expand`].
    pub fn successors(&self, state: &[u32]) -> Result<Successors, Fault> {
        let mut successors = Successors::new(self.words());
        self.expander().expand(state, &mut successors)?;
        Ok(successors)
    }

    /// True if the state has no successor; as [`System::successors`](#method.successors), for single
    /// calls.
    ///
    /// # Errors
    /// As for [`Expander::expand`].
    pub fn is_deadlock(&self, state: &[u32]) -> Result<bool, Fault> {
        self.expander().is_deadlock(state)
    }
}

/// A buffer of successors: their words consecutively, and their actions.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    width: usize,
    actions: Vec<ActionId>,
    words: Vec<u32>,
}

impl Successors {
    /// Makes an empty buffer for states of this number of words.
    pub fn new(words: usize) -> Self {
        Successors { width: words, actions: Vec::new(), words: Vec::new() }
    }

    /// Removes all successors and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.actions.clear();
        self.words.clear();
    }

    /// Appends a successor.
    #[inline]
    pub fn push(&mut self, action: ActionId, state: &[u32]) {
        debug_assert_eq!(state.len(), self.width, "a state of the system");
        self.actions.push(action);
        append(&mut self.words, state);
    }

    /// Appends a copy of a state and returns it, to be changed into the successor.
    #[inline]
    pub fn push_copy(&mut self, action: ActionId, state: &[u32]) -> &mut [u32] {
        self.push(action, state);
        let start = self.words.len() - state.len();
        &mut self.words[start..]
    }

    /// Removes the last successor: the action turned out to be impossible.
    #[inline]
    pub fn pop(&mut self) {
        self.actions.pop();
        self.words.truncate(self.words.len() - self.width);
    }

    /// Returns the number of successors.
    #[inline]
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// True if there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Returns the words of all successors, one state after the other.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the action of each successor.
    #[inline]
    pub fn actions(&self) -> &[ActionId] {
        &self.actions
    }

    /// Returns one successor.
    ///
    /// # Panics
    /// If there are not that many.
    #[inline]
    pub fn state(&self, number: usize) -> &[u32] {
        &self.words[number * self.width..][..self.width]
    }

    /// Iterates over actions and successors.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ActionId, &[u32])> {
        (0..self.len()).map(|number| (self.actions[number], self.state(number)))
    }
}

/// Appends a state. Narrow ones are copied word by word, which is faster than a call.
#[inline]
fn append(states: &mut Vec<u32>, state: &[u32]) {
    match *state {
        [first] => states.push(first),
        [first, second] => states.extend_from_slice(&[first, second]),
        [first, second, third] => states.extend_from_slice(&[first, second, third]),
        [first, second, third, fourth] => {
            states.extend_from_slice(&[first, second, third, fourth]);
        }
        _ => states.extend_from_slice(state),
    }
}

/// The actions of a system as events, for symbolic methods and reductions.
///
/// An event is what such a method looks at by itself: the smaller the part of the state that it
/// touches, the better.
pub trait Events: Sync {
    /// Returns the number of events.
    fn event_count(&self) -> usize;

    /// Returns the bits of a state that an event may read or write.
    fn footprint(&self, event: usize) -> Footprint;

    /// Appends the successors by one event, for a state of which only the footprint of the event
    /// need be right. All events together have the successors of the state.
    ///
    /// # Errors
    /// As for [`Expander::expand`].
    fn fire(&self, event: usize, state: &[u32], successors: &mut Successors) -> Result<(), Fault>;

    /// Fires an event in a partially known state, if it has at most one successor and its
    /// [conditions](Events::conditions) hold. It reads at least one variable.
    fn try_fire(&self, event: usize, state: &mut PartialState) -> Attempt {
        let _ = (event, state);
        Attempt::Unsupported
    }

    /// Returns the conditions of an event besides those that [`Events::try_fire`] looks at. The event
    /// does not write their variables.
    fn conditions(&self, event: usize) -> Vec<Condition> {
        let _ = event;
        Vec::new()
    }

    /// Returns the tests and increments of single variables, if the event has no other effect.
    fn demands(&self, event: usize) -> Option<Vec<Demand>> {
        let _ = event;
        None
    }

    /// Returns sets of variables that depend on each other in every reachable state: some weighted
    /// sum of them never changes.
    fn invariants(&self) -> Vec<Vec<VariableId>> {
        Vec::new()
    }

    /// Returns the place of a variable in the state; `None` if its value follows from those of
    /// others.
    fn field(&self, variable: VariableId) -> Option<Field>;
}

/// The names that people use for the parts of a system.
pub trait Names: Scope {
    /// Returns the name of an action.
    fn action_name(&self, action: ActionId) -> String;

    /// Returns the number of variables; their numbers are those below.
    fn variable_count(&self) -> usize;

    /// Returns the name of a variable.
    fn variable_name(&self, variable: VariableId) -> String;

    /// Returns the value of a variable.
    fn value(&self, state: &[u32], variable: VariableId) -> i64;

    /// Returns the value of a variable as people write it.
    fn value_text(&self, state: &[u32], variable: VariableId) -> String {
        self.value(state, variable).to_string()
    }

    /// Returns the parts of the model's text that define an action: one for each process that takes
    /// part in it. None if the text says no more than the name.
    fn origins(&self, action: ActionId) -> Vec<Origin> {
        let _ = action;
        Vec::new()
    }

    /// Returns the names of the processes; none if the model has no processes.
    fn processes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the processes that make a step together by this action, as indices of
    /// [`Names::processes`].
    fn processes_of(&self, action: ActionId) -> Vec<u32> {
        let _ = action;
        Vec::new()
    }

    /// Returns the numbers of the transitions that happen together by this action.
    fn transitions_of(&self, action: ActionId) -> Vec<u32> {
        vec![action.0]
    }
}

/// The part of a model's text that defines a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The process, if the model has processes.
    pub process: Option<String>,
    /// The line in the text, from 1; none if it is not known.
    pub line: Option<usize>,
    /// The condition under which the step can happen; empty if there is none.
    pub guard: String,
    /// The communication that is part of the step; empty if there is none.
    pub sync: String,
    /// The changes that the step makes; empty if there is none.
    pub effect: String,
}

/// The names that propositions about a system can use.
pub trait Scope {
    /// The meaning of a name.
    fn resolve(&self, name: &str) -> Option<Meaning>;

    /// True exactly in the states in which one of the actions of that name can happen.
    fn fireable(&self, name: &str) -> Option<Expr>;

    /// The actions of that name; nothing if no action has it, or the actions have no names that
    /// propositions can use.
    fn fired(&self, name: &str) -> Option<Actions> {
        let _ = name;
        None
    }

    /// All names of values, for suggestions.
    fn value_names(&self) -> Vec<String>;

    /// All names of actions, for suggestions.
    fn action_names(&self) -> Vec<String>;

    /// The number of a value that has a name when it is compared with what another name stands
    /// for.
    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        let _ = (name, value);
        None
    }

    /// All names of such values, for suggestions.
    fn constants(&self, name: &str) -> Vec<String> {
        let _ = name;
        Vec::new()
    }
}

/// A set of actions.
#[derive(Clone)]
pub struct Actions(Arc<dyn Fn(ActionId) -> bool + Send + Sync>);

impl Actions {
    /// Makes the set of the actions for which the condition is true.
    pub fn new(is_in: impl Fn(ActionId) -> bool + Send + Sync + 'static) -> Self {
        Actions(Arc::new(is_in))
    }

    /// True if the action belongs to the set.
    pub fn contains(&self, action: ActionId) -> bool {
        (self.0)(action)
    }
}

impl FromIterator<ActionId> for Actions {
    fn from_iter<I: IntoIterator<Item = ActionId>>(actions: I) -> Self {
        let mut actions: Vec<ActionId> = actions.into_iter().collect();
        actions.sort_unstable();
        Actions::new(move |action| actions.binary_search(&action).is_ok())
    }
}

impl fmt::Debug for Actions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Actions")
    }
}

/// The meaning of a name in a proposition.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A number, or a truth value as 0 or 1.
    Value(Expr),
    /// The number of a value that has a name, such as the location of a process: it is only
    /// compared with [names](Scope::constants).
    Named(Expr),
    /// An array, which is to be followed by an index.
    Array(crate::layout::Array),
    /// Numbers that do not change, of which an index chooses one.
    Table(Arc<[i64]>),
}
