//! Doing some work on the markings of a net, in as few bits as seem enough.

use super::bounds::Bounds;
use super::net::{Net, PlaceId};
use super::system::NetSystem;
use crate::model::Task;
use crate::system::Fault;

/// How many bits places without a proven bound have at first; twice as many after each overflow.
const FIRST_BITS: u32 = 4;

/// Does some work on the token game of a net.
///
/// Places without a proven bound get more bits whenever they turn out to need them, and the work is
/// done again from the beginning.
///
/// # Errors
/// If the work fails, or a place gets 2^32 tokens or more.
pub fn run<T: Task>(net: &Net, task: &mut T) -> Result<T::Output, Fault> {
    let bounds = Bounds::of(net);
    let mut bits = FIRST_BITS;
    loop {
        match task.run(&NetSystem::new(net, &bounds, bits)) {
            Err(Fault::Overflow(_)) if bits < 32 => bits *= 2,
            Err(Fault::Overflow(variable)) => {
                let place = net.place_name(PlaceId(variable.0));
                let message = format!("the place `{place}` gets 2^32 tokens or more");
                return Err(Fault::Undefined { action: None, message });
            }
            outcome => return outcome,
        }
    }
}
