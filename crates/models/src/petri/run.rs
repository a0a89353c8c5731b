//! Doing some work on the markings of a net, in as few bits as seem enough.

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
    refuse_unbounded(net, 0)?;
    run_unless(net, task, |bits| refuse_unbounded(net, bits))
}

/// As [`run`], for work that may end although the net is unbounded: it is refused for that only
/// when the work has got to a marking with very many tokens.
///
/// # Errors
/// As for [`run`].
pub fn run_on_the_fly<T: Task>(net: &Net, task: &mut T) -> Result<T::Output, Fault> {
    run_unless(net, task, |bits| if bits < 16 { Ok(()) } else { refuse_unbounded(net, bits) })
}

/// Does the work unless it is refused when so many bits are not enough.
fn run_unless<T: Task>(
    net: &Net,
    task: &mut T,
    refuse: impl Fn(u32) -> Result<(), Fault>,
) -> Result<T::Output, Fault> {
    let mut bits = FIRST_BITS;
    loop {
        match task.run(&NetSystem::new(net, net.bounds(), bits)) {
            Err(Fault::Overflow(_)) if bits < 32 => {
                refuse(bits)?;
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

fn refuse_unbounded(net: &Net, bits: u32) -> Result<(), Fault> {
    let budget = BUDGET.iter().find(|(after, _)| *after == bits).map_or(0, |(_, budget)| *budget);
    match pump(net, net.bounds(), budget) {
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
