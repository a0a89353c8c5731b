//! The race of variable orders: each candidate gets a budget of steps that grows by rounds, until
//! the work completes with one of them. Steps are node lookups, so the winner does not depend on
//! the clock.

use std::sync::Arc;

use sempre_diagrams::Manager;
use sempre_models::{Fault, System, VariableId};

use crate::encoding::{Encoding, Order};
use crate::structure::Structure;

/// The number of steps of each order in the first round: per variable that an event touches, and in
/// total. Most models of a few hundred variables need fewer.
const FIRST_STEPS: (u64, u64) = (50, 20_000);

/// The factor by which the number of steps grows in each round.
const MORE_STEPS: u64 = 4;

/// Runs some work with several variable orders, and returns the encoding of the first that
/// completes, with the result. Orders keep the variables `together` close to each other. Further
/// candidates, which take time to compute, join in the second round.
///
/// # Errors
/// If the system has no events, or the work meets a fault of the system.
pub fn race<'s, T>(
    manager: &Manager<'s>,
    system: &Arc<dyn System>,
    together: &[VariableId],
    mut work: impl FnMut(&Encoding<'s>) -> Result<T, Fault>,
) -> Result<(Encoding<'s>, T), Fault> {
    let structure = Structure::new(&**system)?.keeping_together(together);
    let with = |order: &Order, form| Encoding::with(manager, system, &structure, order, form);
    let (mut candidates, touched) = structure.candidates();
    let mut encodings: Vec<Encoding<'s>> = Vec::with_capacity(candidates.len());
    let mut steps = FIRST_STEPS.0 * touched as u64 + FIRST_STEPS.1;
    let mut is_first_round = true;
    loop {
        for (number, (order, form)) in candidates.iter().enumerate() {
            if encodings.len() == number {
                encodings.push(with(order, *form));
            }
            if let Some(done) = manager.within(steps, || work(&encodings[number])) {
                return Ok((encodings.swap_remove(number), done?));
            }
            manager.collect();
        }
        if std::mem::take(&mut is_first_round) {
            let mut later = match system.events() {
                Some(events) => structure.later_candidates(events),
                None => Vec::new(),
            };
            later.retain(|other| !candidates.contains(other));
            encodings.splice(0..0, later.iter().map(|(order, form)| with(order, *form)));
            candidates.splice(0..0, later);
        }
        steps = steps.saturating_mul(MORE_STEPS);
    }
}
