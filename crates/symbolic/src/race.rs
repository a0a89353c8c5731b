//! The race of orders of variables: each candidate gets a budget of steps that grows by rounds, until
//! some work ends with one of them. Steps are node lookups, so the winner does not depend on the clock.

use std::sync::Arc;

use sempre_diagrams::Manager;
use sempre_models::{Fault, System, VariableId};

use crate::encoding::{Encoding, Order};
use crate::structure::Structure;

/// How many steps each order gets at first, for each variable that an event touches and in all.
/// Most models of a few hundred variables take fewer.
const FIRST_STEPS: (u64, u64) = (50, 20_000);

/// How many times more it gets in the next round.
const MORE_STEPS: u64 = 4;

/// Does some work with the order of variables with which it ends first, and returns the encoding with
/// the result. Orders keep the variables `together` close to each other. Further candidates, which
/// take time to be found, join in the second round.
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
