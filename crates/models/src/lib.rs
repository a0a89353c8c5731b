//! Systems to be checked: Petri nets, DVE models, tables of transitions and Kripke structures, as
//! generators of packed states.

pub mod dve;
pub mod etf;
pub mod expression;
pub mod generate;
pub mod kripke;
pub mod layout;
mod model;
mod nearest;
mod open;
mod partial;
pub mod petri;
pub mod property;
pub mod proposition;
mod system;
mod xml;

pub use model::{Model, Task};
pub use nearest::nearest;
pub use open::ModelFormat;
pub use partial::{Attempt, PartialState};
pub use sempre_ltl::Error;
pub use system::{ActionId, Condition, Demand, Fault, Meaning, Scope, System, VariableId};
