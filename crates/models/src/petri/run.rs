//! Doing some work on the markings of a net, in as few bits as seem enough.

use super::bounds::Bounds;
use super::net::{Net, PlaceId};
use super::system::NetSystem;
use super::unbounded::{Pump, pump};
use crate::model::Task;
use crate::system::{ActionId, Fault};

/// How many bits places without a proven bound have at first; twice as many after each overflow.
const FIRST_BITS: u32 = 4;

/// What may be spent on [looking for a proof](pump) that a net is unbounded, before the work begins
/// and when a place has more tokens than can be counted in that many bits.
const BUDGET: [(u32, u64); 4] =
    [(0, 2_000_000), (4, 2_000_000), (8, 20_000_000), (16, 100_000_000)];

/// Does some work on the token game of a net.
///
/// Places without a proven bound get more bits whenever they turn out to need them, and the work is
/// done again from the beginning.
///
/// # Errors
/// If the work fails, the net is found to be unbounded, or a place gets 2^32 tokens or more.
pub fn run<T: Task>(net: &Net, task: &mut T) -> Result<T::Output, Fault> {
    let bounds = Bounds::of(net);
    refuse_unbounded(net, &bounds, 0)?;
    let mut bits = FIRST_BITS;
    loop {
        match task.run(&NetSystem::new(net, &bounds, bits)) {
            Err(Fault::Overflow(_)) if bits < 32 => {
                refuse_unbounded(net, &bounds, bits)?;
                bits *= 2;
            }
            Err(Fault::Overflow(variable)) => {
                let place = net.place_name(PlaceId(variable.0));
                let message = format!("the place `{place}` gets 2^32 tokens or more");
                return Err(Fault::Undefined { action: None, message });
            }
            outcome => return outcome,
        }
    }
}

fn refuse_unbounded(net: &Net, bounds: &Bounds, bits: u32) -> Result<(), Fault> {
    let budget = BUDGET.iter().find(|(after, _)| *after == bits).map_or(0, |(_, budget)| *budget);
    match pump(net, bounds, budget) {
        Some(found) => Err(unbounded(net, &found)),
        None => Ok(()),
    }
}

fn unbounded(net: &Net, pump: &Pump) -> Fault {
    let actions = |transitions: &[super::TransitionId]| {
        transitions.iter().map(|transition| ActionId(transition.0)).collect()
    };
    Fault::Unbounded {
        prefix: actions(&pump.prefix),
        cycle: actions(&pump.cycle),
        message: pump.describe(net),
    }
}
