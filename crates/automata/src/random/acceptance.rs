//! Random acceptance conditions.

use crate::acceptance::{Acceptance, Condition, Named};
use sempre_ltl::generate::Rng;

/// The acceptance condition of random automata.
#[derive(Clone, Debug)]
pub enum RandomAcceptance {
    /// The same condition for all automata.
    Fixed(Acceptance),
    /// A random condition over this number of marks for each automaton.
    Condition(u32),
}

impl From<Named> for RandomAcceptance {
    fn from(name: Named) -> Self {
        RandomAcceptance::Fixed(name.acceptance())
    }
}

impl RandomAcceptance {
    pub(super) fn draw(&self, rng: &mut Rng) -> Acceptance {
        match self {
            RandomAcceptance::Fixed(acceptance) => acceptance.clone(),
            RandomAcceptance::Condition(marks) => Acceptance::new(*marks, condition(rng, *marks)),
        }
    }
}

/// Returns a condition with each mark once, as `Inf` or as `Fin`. Starting from terms in random
/// order, it joins random neighbours by `&` or `|` until one condition remains. Without marks the
/// result is `t` or `f`.
pub fn condition(rng: &mut Rng, marks: u32) -> Condition {
    let mut parts: Vec<Condition> = (0..marks)
        .map(|mark| if rng.chance(0.5) { Condition::Inf(mark) } else { Condition::Fin(mark) })
        .collect();
    if parts.is_empty() {
        return if rng.chance(0.5) { Condition::True } else { Condition::False };
    }
    while parts.len() > 1 {
        let left = parts.swap_remove(rng.index(parts.len()));
        let place = rng.index(parts.len());
        let right = std::mem::replace(&mut parts[place], Condition::True);
        parts[place] = match rng.chance(0.5) {
            true => Condition::and([left, right]),
            false => Condition::or([left, right]),
        };
    }
    parts.swap_remove(0)
}
