//! Symbolic model checking: sets of states as decision diagrams.
//!
//! ```
//! use sempre_diagrams::{Manager, Options, Strategy};
//! use sempre_models::{Model, generate};
//! use sempre_symbolic::{Order, Space};
//!
//! let system = Model::from(generate::family("philosophers")?.net(20)?).system();
//! let manager = Manager::new(Options::default());
//! let space = Space::find(&manager, &system, &Order::Best, Strategy::Saturation).unwrap();
//! assert_eq!(space.count(), 21_934_066_839_826_u64.into());
//! assert_eq!(space.deadlocks().count(), 2_u32.into());
//! # Ok::<(), sempre_models::Error>(())
//! ```

mod attempt;
#[cfg(feature = "oxidd")]
pub mod bdd;
mod check;
mod conditions;
mod emptiness;
mod encoding;
mod images;
mod lasso;
mod layers;
mod product;
mod race;
mod relations;
mod rings;
mod sets;
mod space;
mod steps;
mod structure;
mod tabulate;

pub use attempt::attempt;
pub use check::{Kind, MEMORY, Options};
pub use emptiness::Fixpoint;
pub use encoding::{Encoding, Order};
pub use images::{Images, States};
pub use layers::{Layer, NoLayers};
pub use race::race;
pub use sets::{Sets, SymbolicEngine};
pub use space::Space;
pub use steps::Steps;
pub use tabulate::tabulate;
