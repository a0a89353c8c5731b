//! Systems to be checked: Petri nets, DVE models, tables of transitions and Kripke structures, as
//! generators of packed states.

pub mod description;
pub mod dve;
pub mod etf;
pub mod expression;
pub mod facts;
pub mod generate;
pub mod kripke;
pub mod languages;
pub mod layout;
mod model;
mod partial;
pub mod petri;
pub mod plain;
pub mod property;
pub mod proposition;
mod system;
mod vocabulary;
mod xml;

pub use languages::{Language, Languages};
pub use model::{Extent, Model, Source, Systems, Width};
pub use partial::{Attempt, PartialState};
pub use sempre_ltl::Error;
pub(crate) use sempre_ltl::nearest;
pub use sempre_ltl::nearest::nearest;
pub use system::{
    ActionId, Actions, Condition, Demand, Events, Expander, Fault, Meaning, Names, Origin, Scope,
    Successors, System, VariableId,
};
pub use vocabulary::Vocabulary;
