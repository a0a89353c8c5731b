//! Nets as sources of systems, in as few bits as seem enough.
//!
//! Places without a proven bound have four bits at first, and twice as many whenever the number of
//! their tokens does not fit. Before each step, and before work on the whole state space begins, a
//! bounded search looks for a proof that the net is unbounded.

use super::net::{Net, PlaceId};
use super::system::NetSystem;
use super::unbounded::{Pump, pump};
use crate::description::Description;
use crate::model::{Extent, Source, Width};
use crate::system::{ActionId, Fault, System, VariableId};
use sempre_ltl::interrupt::{self, Interrupt};
use std::sync::Arc;
use std::time::Instant;

/// The bits of places without a proven bound at first; twice as many after each overflow.
const FIRST: Width = Width(4);

/// On the fly, a net is refused as unbounded only after a place did not fit in that many bits.
const LATE: u32 = 16;

/// The steps of the [search](pump) for a proof that a net is unbounded, before the work begins and
/// after the tokens of a place did not fit in that many bits.
const BUDGET: [(u32, u64); 4] =
    [(0, 2_000_000), (4, 2_000_000), (8, 20_000_000), (16, 100_000_000)];

impl Source for Net {
    fn system(self: Arc<Self>, width: Width) -> Arc<dyn System> {
        let net = self.clone();
        Arc::new(NetSystem::new(self, net.bounds(), width.0))
    }

    fn first_width(&self, extent: Extent) -> Result<Width, Fault> {
        if extent == Extent::Whole {
            refuse_unbounded(self, 0)?;
        }
        Ok(FIRST)
    }

    fn wider(&self, width: Width, variable: VariableId, extent: Extent) -> Result<Width, Fault> {
        let Width(bits) = width;
        if bits >= 32 {
            let place = self.place_name(PlaceId(variable.0));
            let message = format!("the place `{place}` gets 2^32 tokens or more");
            return Err(Fault::Undefined { action: None, message });
        }
        if extent == Extent::Whole || bits >= LATE {
            refuse_unbounded(self, bits)?;
        }
        Ok(Width(bits * 2))
    }

    fn prepare(&self, deadline: Option<Instant>) {
        if interrupt::run(&Interrupt::default(), deadline, || self.bounds()).is_err() {
            self.forgo_bounds();
        }
    }

    fn name(&self) -> Option<&str> {
        Net::name(self)
    }

    fn describe(&self) -> Description {
        Net::describe(self)
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
