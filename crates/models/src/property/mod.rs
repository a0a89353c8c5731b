//! Properties of models: formulas whose propositions are texts about states.

use sempre_ltl::Formula;

pub mod mcc;

/// A formula with a name.
///
/// Its propositions are texts such as `"p1 + 'p 2' <= 3"` or `"fireable(t1, t2)"`, in the grammar
/// of propositions over models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name, as in the file it comes from.
    pub name: String,
    /// The formula that all runs must satisfy.
    pub formula: Formula,
}
