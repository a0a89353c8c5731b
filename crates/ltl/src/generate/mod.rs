//! Formulas for tests: random ones, scalable families, and patterns from the literature.
//!
//! * [`random`]: random formulas of a given tree size, from operator [`Priorities`];
//! * [`distribution`]: the expected number of each operator in them, and the search for priorities
//!   that make all operators equally frequent;
//! * [`observed`]: the numbers of operators in given formulas;
//! * [`family`]: parametric formulas such as `GFa1 & … & GFan`;
//! * [`patterns`]: the specification patterns and benchmark formulas of the literature, by name.
//!
//! All randomness comes from one generator, [`Rng`], whose numbers depend only on the seed.
//!
//! ```
//! use sempre_ltl::generate::random::RandomFormulas;
//!
//! let mut formulas = RandomFormulas::over(["a", "b"]).size(7).seed(1).generate().unwrap();
//! assert_eq!(formulas.next().unwrap().unwrap().size(), 7);
//! ```

pub mod distribution;
pub mod family;
pub mod observed;
pub mod patterns;
mod priorities;
pub mod random;
mod rng;

pub use priorities::{OperatorSet, Priorities};
pub use rng::Rng;
