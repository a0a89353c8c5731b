//! The places and transitions that propositions observe.

use crate::expression::Expr;
use crate::layout::{Field, Layout};
use crate::petri::net::{Net, PlaceId, TransitionId};
use crate::proposition::Propositions;
use crate::system::{Actions, Meaning, Scope};
use rustc_hash::FxHashSet;
use sempre_ltl::Error;
use std::cell::RefCell;

/// The places and transitions of a net that some propositions are about.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Places whose tokens are counted.
    pub places: FxHashSet<PlaceId>,
    /// Transitions of which it is asked whether they are enabled.
    pub transitions: FxHashSet<TransitionId>,
    /// Transitions of which it is asked whether they happen: they stay as they are.
    pub fired: FxHashSet<TransitionId>,
}

impl Observed {
    /// True if the transition must stay as it is.
    pub(super) fn keeps(&self, transition: TransitionId) -> bool {
        self.transitions.contains(&transition) || self.fired.contains(&transition)
    }

    /// The observed places and transitions; none for deadlocks, which observe the whole net.
    ///
    /// # Errors
    /// If a proposition is wrong, or there are too many.
    pub fn by<'a>(
        net: &Net,
        propositions: impl IntoIterator<Item = &'a str>,
    ) -> Result<Option<Self>, Error> {
        let field = Layout::default().field(0, i64::from(u32::MAX));
        let observer = Observer { net, field, observed: RefCell::default() };
        let propositions = Propositions::compile(&observer, propositions)?;
        Ok((!propositions.is_about_deadlocks()).then(|| observer.observed.into_inner()))
    }
}

/// Records the requested names. The meanings that it returns are placeholders.
struct Observer<'net> {
    net: &'net Net,
    field: Field,
    observed: RefCell<Observed>,
}

impl Scope for Observer<'_> {
    fn resolve(&self, name: &str) -> Option<Meaning> {
        let places = &mut self.observed.borrow_mut().places;
        match self.net.place_group(name) {
            Some(group) => places.extend(group),
            None => {
                places.insert(self.net.place(name).or_else(|| self.net.place_alias(name))?);
            }
        }
        Some(Meaning::Value(Expr::Value(self.field)))
    }

    fn fireable(&self, name: &str) -> Option<Expr> {
        let net = self.net;
        let transitions = &mut self.observed.borrow_mut().transitions;
        match net.transition_group(name) {
            Some(group) => transitions.extend(group),
            None => {
                transitions.insert(net.transition(name).or_else(|| net.transition_alias(name))?);
            }
        }
        Some(Expr::Value(self.field))
    }

    fn fired(&self, name: &str) -> Option<Actions> {
        let net = self.net;
        let fired = &mut self.observed.borrow_mut().fired;
        match net.transition_group(name) {
            Some(group) => fired.extend(group),
            None => {
                fired.insert(net.transition(name).or_else(|| net.transition_alias(name))?);
            }
        }
        Some(Actions::new(|_| false))
    }

    // Names are suggested where systems are asked for them.
    fn value_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn action_names(&self) -> Vec<String> {
        Vec::new()
    }
}
