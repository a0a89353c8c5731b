//! Structural reductions: smaller nets with the same verdict for a property.
//!
//! [`reduce`] removes places and transitions that the [observations](Observed) do not depend on.
//! Each transition of the reduced net represents a sequence of transitions of the original net, so
//! that counterexamples refer to the original net.
//!
//! Some rules preserve the reachable markings and steps, apart from unobserved places; they are
//! sound for all properties of runs. Others join consecutive transitions of which one changes no
//! observation: the runs remain the same up to stuttering (Berthelot: Checking properties of nets
//! using transformations, 1985; Haddad and Pradat-Peyre: New efficient Petri nets reductions for
//! parallel programs verification, 2006). Infinite runs remain infinite. From a deadlock of the
//! reduced net, the original net reaches a deadlock by any sequence of unobserved steps.
//!
//! A round of all rules costs about the size of the net; rounds are repeated while they have an
//! effect.

mod agglomerate;
mod draft;
mod observed;
mod redundant;
#[cfg(test)]
mod tests;

pub use observed::Observed;

use super::net::{Net, TransitionId};
use draft::Draft;

/// A net in place of another one.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The smaller net. Places and transitions that are observed have the names that they had.
    pub net: Net,
    /// For each transition of the smaller net the transitions that it stands for, one after the
    /// other. Between them nothing changes that is observed but by one of them.
    pub steps: Vec<Vec<TransitionId>>,
}

/// The class of properties that a reduction preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyClass {
    /// All properties of maximal runs in linear time.
    All,
    /// Those that do not depend on repetitions: a run satisfies them if and only if it does when
    /// markings are repeated finitely often.
    StutterInvariant,
}

/// Reduces the net for the observations; `None` if no rule applies.
///
/// ```
/// use sempre_models::petri::reduce::{PropertyClass, Observed, reduce};
/// use sempre_models::petri::{TransitionId, text};
/// let net = text::parse("pl a (1)  tr begin a -> b  tr work b -> c  tr end c -> a")?;
/// let observed = Observed::by(&net, ["a"])?.expect("nothing about deadlocks");
/// let reduction = reduce(&net, &observed, PropertyClass::StutterInvariant).expect("something smaller");
/// assert_eq!((reduction.net.place_count(), reduction.net.transition_count()), (2, 2));
/// assert_eq!(reduction.steps, [vec![TransitionId(2)], vec![TransitionId(0), TransitionId(1)]]);
/// assert!(reduce(&net, &observed, PropertyClass::All).is_none());
/// # Ok::<(), sempre_models::Error>(())
/// ```
pub fn reduce(net: &Net, observed: &Observed, kept: PropertyClass) -> Option<Reduction> {
    let mut draft = Draft::new(net, observed);
    loop {
        let mut removed = redundant::remove(&mut draft);
        if kept == PropertyClass::StutterInvariant {
            removed |= agglomerate::join(&mut draft);
        }
        if !removed {
            break;
        }
    }
    match draft.is_changed() {
        true => draft.finish(net, observed),
        false => None,
    }
}
