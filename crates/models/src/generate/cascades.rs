//! Biochemistry: the mitogen-activated protein kinase cascade.
//!
//! C.-Y. F. Huang and J. E. Ferrell, Ultrasensitivity in the mitogen-activated protein kinase
//! cascade (PNAS 1996); the amounts are those of A. Levchenko, J. Bruck and P. W. Sternberg (PNAS
//! 2000) as M. Heiner, D. Gilbert and R. Donaldson (SFM 2008) have made levels of them.

use super::draft::Draft;
use crate::petri::{Net, PlaceId};
use sempre_ltl::Error;

/// Three proteins, of which each becomes active by phosphates, the second and the third by two, and
/// then gives phosphates to the next; three phosphatases take them off again. Each of these ten
/// reactions has three steps: the enzyme binds, and lets go either of what it found or of what it
/// has made of it.
pub(super) fn mapk(amount: u32) -> Result<Net, Error> {
    let mut net = Draft::new("mapk", amount);
    let mut proteins = |names: &[&str], amount| {
        let place = |(state, name): (usize, &&str)| {
            let place = net.place(name, if state == 0 { amount } else { 0 });
            ((*name).to_owned(), place)
        };
        names.iter().enumerate().map(place).collect::<Vec<_>>()
    };
    let raf = proteins(&["Raf", "RafP"], 4 * amount);
    let mek = proteins(&["MEK", "MEKP", "MEKPP"], 2 * amount);
    let erk = proteins(&["ERK", "ERKP", "ERKPP"], 3 * amount);
    let signal = proteins(&["RasGTP"], amount);
    let [first, second, third] = [("Phase1", 3), ("Phase2", 2), ("Phase3", 3)]
        .map(|(name, share)| proteins(&[name], share * amount).remove(0));
    let activated = [(&raf, &signal[0]), (&mek, &raf[1]), (&erk, &mek[2])];
    for ((protein, kinase), phosphatase) in activated.into_iter().zip([&first, &second, &third]) {
        for states in protein.windows(2) {
            reaction(&mut net, kinase, &states[0], &states[1])?;
            reaction(&mut net, phosphatase, &states[1], &states[0])?;
        }
    }
    net.finish()
}

/// An enzyme makes one thing of another.
fn reaction(
    net: &mut Draft,
    (enzyme_name, enzyme): &(String, PlaceId),
    (from_name, from): &(String, PlaceId),
    (to_name, to): &(String, PlaceId),
) -> Result<(), Error> {
    let name = format!("{from_name}_{enzyme_name}");
    let bound = net.place(&name, 0);
    net.step(format!("bind_{name}"), &[*enzyme, *from], &[bound])?;
    net.step(format!("release_{name}"), &[bound], &[*enzyme, *from])?;
    net.step(format!("make_{to_name}_of_{name}"), &[bound], &[*enzyme, *to])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::token_game::{Graph, markings, play};
    use super::*;

    /// Published: 24065 markings for 1, and 6110643 for 2, which the tests of other crates know.
    #[test]
    fn mapk_has_the_published_markings() {
        assert_eq!(markings("mapk", [1]), [24_065]);
        let net = mapk(1).unwrap();
        assert_eq!((net.place_count(), net.transition_count()), (22, 30));
    }

    /// Without any signal, nothing ever happens.
    #[test]
    fn mapk_needs_a_signal() {
        assert_eq!(play(&mapk(0).unwrap()), Graph { markings: 1, firings: 0, deadlocks: 1 });
        assert_eq!(play(&mapk(1).unwrap()).deadlocks, 0);
    }
}
