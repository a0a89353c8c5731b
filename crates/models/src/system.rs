//! What a model is to everything that explores it: a generator of packed states.

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
    /// The model does something that has no meaning: it divides by zero, an index is out of range,
    /// an assertion fails.
    Undefined {
        /// The action that does it, if it is an action.
        action: Option<ActionId>,
        /// What it does.
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
            Fault::Undefined { message, .. } | Fault::Unbounded { message, .. } => {
                out.write_str(message)
            }
        }
    }
}

impl std::error::Error for Fault {}

/// What an event asks of a variable, and what it adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The variable.
    pub variable: VariableId,
    /// The least value with which the event can happen.
    pub least: u32,
    /// The greatest value with which the event can happen.
    pub greatest: u32,
    /// What is added.
    pub added: i64,
    /// Whether it is known that the sum fits into the field of the variable.
    pub fits: bool,
}

/// What an event asks of a variable, whatever the values of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Where the variable lies.
    pub field: Field,
    /// What the field may hold, in order.
    pub among: Vec<u32>,
}

/// A transition system whose states are packed into words.
///
/// Everything that explores a system is compiled for it: no call in the inner loop is dynamic, and
/// no state is allocated. States of the same system have the same number of words, and two states
/// are the same exactly if their words are.
pub trait System: Scope + Sync {
    /// What a thread needs to compute successors: buffers, in the main.
    type Scratch: Send;

    /// How many words a state has; at least one.
    fn words(&self) -> usize;

    /// New buffers for a thread.
    fn scratch(&self) -> Self::Scratch;

    /// The initial states; there is at least one.
    ///
    /// # Errors
    /// If an initial value has no meaning or does not fit.
    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault>;

    /// Calls `visit` with every successor of the state and the action that leads there, in an order
    /// that depends on the state alone. A state may be visited several times, by several actions.
    ///
    /// # Errors
    /// If the model does something without a meaning in this state, or a value does not fit.
    fn successors(
        &self,
        state: &[u32],
        scratch: &mut Self::Scratch,
        visit: impl FnMut(ActionId, &[u32]),
    ) -> Result<(), Fault>;

    /// True if the state has no successor.
    ///
    /// # Errors
    /// As for [`System::successors`].
    fn is_deadlock(&self, state: &[u32], scratch: &mut Self::Scratch) -> Result<bool, Fault> {
        let mut none = true;
        self.successors(state, scratch, |_, _| none = false)?;
        Ok(none)
    }

    /// True if values that do not fit would hardly fit in more bits either, because they seem to grow
    /// without end.
    fn is_widest(&self) -> bool {
        true
    }

    /// The name of an action, as people know it.
    fn action_name(&self, action: ActionId) -> String;

    /// Into how many events the actions fall. An event is what symbolic methods look at by itself:
    /// the smaller the part of the state that it touches, the better.
    fn event_count(&self) -> usize {
        1
    }

    /// What an event may read or write of a state.
    fn footprint(&self, event: usize) -> Footprint {
        let _ = event;
        Footprint::all(self.words())
    }

    /// As [`System::successors`], but by one event only, and for a state of which only what the
    /// event touches need be right. All events together have the successors of the state.
    ///
    /// # Errors
    /// As for [`System::successors`].
    fn fire(
        &self,
        event: usize,
        state: &[u32],
        scratch: &mut Self::Scratch,
        visit: impl FnMut(ActionId, &[u32]),
    ) -> Result<(), Fault> {
        let _ = event;
        self.successors(state, scratch, visit)
    }

    /// Lets an event happen in a state of which not everything is known, if it leads to one
    /// successor at most, and if its [conditions](System::conditions) hold. It reads at least one
    /// variable.
    fn try_fire(
        &self,
        event: usize,
        state: &mut PartialState,
        scratch: &mut Self::Scratch,
    ) -> Attempt {
        let _ = (event, state, scratch);
        Attempt::Unsupported
    }

    /// What an event asks beside what [`System::try_fire`] looks at. It does not write the
    /// variables.
    fn conditions(&self, event: usize) -> Vec<Condition> {
        let _ = event;
        Vec::new()
    }

    /// What an event asks of single variables and adds to them, if that is all it does.
    fn demands(&self, event: usize) -> Option<Vec<Demand>> {
        let _ = event;
        None
    }

    /// Sets of variables that depend on each other, whatever happens: not all combinations of their
    /// values can be reached, as some sum of them never changes.
    fn invariants(&self) -> Vec<Vec<VariableId>> {
        Vec::new()
    }

    /// Where a variable lies in the state; nothing if its value follows from those of others, or
    /// if the system does not tell.
    fn field(&self, variable: VariableId) -> Option<Field> {
        let _ = variable;
        None
    }

    /// How many variables there are; their numbers are those below.
    fn variable_count(&self) -> usize;

    /// The name of a variable.
    fn variable_name(&self, variable: VariableId) -> String;

    /// The value of a variable.
    fn value(&self, state: &[u32], variable: VariableId) -> i64;

    /// The value of a variable, as people know it.
    fn value_text(&self, state: &[u32], variable: VariableId) -> String {
        self.value(state, variable).to_string()
    }
}

/// The names that propositions about a system can use.
pub trait Scope {
    /// What a name stands for.
    fn resolve(&self, name: &str) -> Option<Meaning>;

    /// True exactly in the states in which one of the actions of that name can happen.
    fn fireable(&self, name: &str) -> Option<Expr>;

    /// All names of values, for suggestions.
    fn names(&self) -> Vec<String>;

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

/// What a name in a proposition stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// A number, or a truth value as 0 or 1.
    Value(Expr),
    /// An array, which is to be followed by an index.
    Array(crate::layout::Array),
    /// Numbers that do not change, of which an index chooses one.
    Table(Arc<[i64]>),
}
