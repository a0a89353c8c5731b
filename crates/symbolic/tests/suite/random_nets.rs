//! Random nets, for the tests of this crate and of hybrid engines.

use proptest::prelude::*;
use sempre_models::petri::{Net, NetBuilder};

/// Returns a net of four places whose transitions preserve the number of tokens, so that it is
/// bounded; some take no tokens, and some are inhibited.
pub(crate) fn net() -> impl Strategy<Value = Net> {
    let arc = || (0..4_usize, 0..4_usize);
    let transition = (prop::collection::vec(arc(), 0..3), prop::option::of((0..4_usize, 1..3_u32)));
    (prop::collection::vec(0..3_u32, 4), prop::collection::vec(transition, 1..6)).prop_map(
        |(marking, transitions)| {
            let mut builder = NetBuilder::default();
            let places: Vec<_> = (marking.iter().enumerate())
                .map(|(number, tokens)| builder.place(format!("p{number}"), *tokens))
                .collect();
            for (number, (moves, inhibitor)) in transitions.iter().enumerate() {
                let transition = builder.transition(format!("t{number}"));
                for (from, to) in moves {
                    builder.input(transition, places[*from], 1).unwrap();
                    builder.output(transition, places[*to], 1).unwrap();
                }
                if let Some((place, threshold)) = inhibitor {
                    builder.inhibitor(transition, places[*place], *threshold);
                }
            }
            builder.build().unwrap()
        },
    )
}
