//! Models in the DVE language, the one of the BEEM collection.
//!
//! A model consists of processes that step one at a time, two at a time if they meet at a channel,
//! or all simultaneously, over global and local variables. DVE is the language of DiVinE, whose
//! grammar and whose semantics, as the collection's published state spaces show them, hold here:
//!
//! - A `byte` wraps around at 8 bits, without a sign, an `int` at 16 bits, with a sign. Terms are
//!   evaluated with 64 bits; `and`, `or` and `imply` only as far as needed.
//! - `or` and `and` bind alike: `a or b and c` is `(a or b) and c`.
//! - When two processes meet, both guards hold before, and the values are those of the state
//!   before. They are assigned first; then the receiver goes to its next state, and its effects
//!   happen in their order, then those of the sender.
//! - `channel {byte, int} c[4];` keeps up to four messages of two parts; values wrap around as the
//!   parts say. A receiver may take fewer values than there are, but not more.
//! - While some process is in a committed state, only processes that are in one step; two that
//!   meet must both be.
//! - `assert state: condition;` is a claim for whenever the process is in the state: that it fails
//!   is a violation, reported as a [fault](crate::Fault). Divisions by zero and indices out of range
//!   are faults, too.
//! - A `property`, accepting states and the weights of probabilistic transitions have no
//!   influence; [`Dve::notes`] lists them.
//! - In a `system sync` all processes step simultaneously, each by a transition enabled before; a
//!   state in which one has none is a deadlock. Each computes its effects from the state before,
//!   and no two may assign the same variable. Channels and committed states have no influence
//!   there.
//!
//! The text is [read](parse) and its names are looked up; then the possible
//! ranges of variables give them their places in the packed state, and guards and effects are
//! compiled for these places.
//!
//! ```
//! use sempre_models::{Model, dve};
//! let text = "
//!     byte turn;
//!     process P { state wait, work; init wait;
//!       trans wait -> work { guard turn == 0; },
//!             work -> wait { effect turn = 1 - turn; }; }
//!     process Q { state wait, work; init wait;
//!       trans wait -> work { guard turn == 1; },
//!             work -> wait { effect turn = 1 - turn; }; }
//!     system async;";
//! let system = Model::from(dve::parse(text).unwrap()).system();
//! let initial = system.initial().unwrap();
//! let successors = system.successors(&initial[0]).unwrap();
//! let name = |action| system.names().action_name(action);
//! let names: Vec<String> = successors.iter().map(|(action, _)| name(action)).collect();
//! assert_eq!(names, ["P: wait -> work"]);
//! ```

mod actions;
mod compile;
mod describe;
mod effect;
mod events;
mod joint;
mod lexer;
mod model;
mod parser;
mod places;
mod plain;
mod ranges;
mod resolve;
mod scope;
mod syntax;
mod system;
mod term;
#[cfg(test)]
mod tests;

pub use model::Dve;
pub use plain::PlainDve;
pub use system::DveSystem;

use sempre_ltl::Error;

/// Reads a model.
///
/// # Errors
/// If the text is not a model: where, and what would have been right there.
pub fn parse(text: &str) -> Result<Dve, Error> {
    resolve::resolve(parser::file(text)?)
}
