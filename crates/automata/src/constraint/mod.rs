//! Refinement of automata by facts about a system.
//!
//! A constraint is a Boolean formula that each valuation of a system satisfies, such as "`a` and
//! `b` exclude each other". Words that violate it do not matter for the product with that system.
//! An automaton may drop them ([`restrict`]), or accept them where that makes labels shorter
//! ([`simplify_labels`]). An assumption is any language that contains all words of the system,
//! given as an automaton ([`assume`]). Blahoudek: Automata for Formal Methods: Little Steps Towards
//! Perfection, 2018, chapter 4; assumptions are our generalization.
//!
//! ```
//! use sempre_automata::{constraint, hoa};
//! let text = r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0) --BODY--
//!     State: 0 [!0&1] 1 State: 1 [t] 1 {0} --END--"#;
//! let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
//! let exclusive = "!(a & b)".parse().unwrap();
//! let shorter = constraint::simplify_labels(&automaton, &exclusive)?;
//! assert_eq!(constraint::label_length(&automaton), 2);
//! assert_eq!(constraint::label_length(&shorter), 1);
//! // No word is left if b is always false.
//! let never = "!b".parse().unwrap();
//! assert_eq!(constraint::restrict(&automaton, &never)?.state_count(), 0);
//! # Ok::<(), sempre_automata::Error>(())
//! ```

mod assume;
mod labels;
#[cfg(test)]
mod tests;

pub use assume::assume;
pub use labels::{label_length, simplify_labels};

use crate::reduce::{self, Level};
use crate::{Alphabet, Automaton, Error, Label, prune};
use sempre_ltl::Formula;

/// Intersects the label of each edge with a Boolean constraint, and removes the states that are on
/// no accepting run. The language loses the words with a letter that violates the constraint. Works
/// for any acceptance condition; a deterministic automaton stays deterministic. Linear in the
/// edges.
///
/// Propositions that the automaton does not read are quantified existentially: their values are not
/// known.
///
/// # Errors
/// If the constraint has temporal operators, or no valuation satisfies it.
pub fn restrict(automaton: &Automaton, constraint: &Formula) -> Result<Automaton, Error> {
    let alphabet = automaton.alphabet().clone();
    let allowed = label(&alphabet, constraint)?;
    let mut builder = automaton.edit();
    builder.clear_name().retain_edges(|_, edge| {
        edge.label = alphabet.and(edge.label, allowed);
        edge.label != alphabet.ff()
    });
    Ok(prune::trim(&builder.build()))
}

/// [Restricts](restrict) an automaton and reduces the result. The result is never larger than the
/// input, and a deterministic automaton stays deterministic.
///
/// # Errors
/// As for [`restrict`].
pub fn refine(
    automaton: &Automaton,
    constraint: &Formula,
    level: Level,
) -> Result<Automaton, Error> {
    Ok(reduced(&restrict(automaton, constraint)?, level))
}

/// Reduces an automaton and keeps it deterministic. Returns the input if the result is larger.
pub fn reduced(automaton: &Automaton, level: Level) -> Automaton {
    let result = match automaton.is_deterministic() {
        true => reduce::deterministic::reduce(automaton, level),
        false => reduce::reduce(automaton, level),
    };
    match size(&result) <= size(automaton) {
        true => result,
        false => automaton.clone(),
    }
}

/// Returns the numbers by which automata are compared: states, edges, transitions.
pub fn size(automaton: &Automaton) -> (usize, usize, u128) {
    let alphabet = automaton.alphabet();
    let transitions = automaton.edges().iter().map(|edge| alphabet.count(edge.label));
    (automaton.state_count(), automaton.edge_count(), transitions.fold(0, u128::saturating_add))
}

/// Converts a constraint to a label over an alphabet. Propositions that the alphabet lacks are
/// quantified existentially.
///
/// # Errors
/// If the constraint has temporal operators, or no valuation satisfies it.
pub fn label(alphabet: &Alphabet, constraint: &Formula) -> Result<Label, Error> {
    let own = Alphabet::new(constraint.props())?;
    let mut label = own.from_formula(constraint)?;
    if label == own.ff() {
        return Err(Error::new(format!(
            "the constraints contradict each other: no valuation satisfies {constraint}"
        )));
    }
    let places = own.props().iter().enumerate().map(|(number, prop)| {
        let place = alphabet.index_of(prop);
        if place.is_none() {
            label = own.exists(label, number);
        }
        // The label no longer depends on the others.
        place.unwrap_or(0)
    });
    let places: Vec<usize> = places.collect();
    Ok(own.translate(label, alphabet, &places))
}
