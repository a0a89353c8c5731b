//! The names that propositions about a net can use.

use super::NetSystem;
use crate::expression::{Binary, Expr};
use crate::petri::net::{PlaceId, TransitionId};
use crate::system::{ActionId, Actions, Meaning, Scope};

/// Places by their names and aliases; the names of a coloured net stand for the sum of the tokens
/// on all instances of a place, and for all instances of a transition.
impl Scope for NetSystem {
    fn resolve(&self, name: &str) -> Option<Meaning> {
        if let Some(group) = self.net.place_group(name) {
            let terms = group.iter().map(|place| (1, self.field(*place))).collect();
            return Some(Meaning::Value(Expr::Sum(0, terms)));
        }
        let place = self.net.place(name).or_else(|| self.net.place_alias(name))?;
        Some(Meaning::Value(Expr::Value(self.field(place))))
    }

    fn fireable(&self, name: &str) -> Option<Expr> {
        if let Some(group) = self.net.transition_group(name) {
            return Some(Expr::Any(group.iter().map(|t| self.is_fireable(*t)).collect()));
        }
        let transition = self.net.transition(name).or_else(|| self.net.transition_alias(name))?;
        Some(self.is_fireable(transition))
    }

    fn fired(&self, name: &str) -> Option<Actions> {
        let group = self.net.transition_group(name).map(<[TransitionId]>::to_vec);
        let transitions = group.or_else(|| {
            let transition = self.net.transition(name);
            Some(vec![transition.or_else(|| self.net.transition_alias(name))?])
        })?;
        Some(transitions.into_iter().map(|transition| ActionId(transition.0)).collect())
    }

    fn value_names(&self) -> Vec<String> {
        let net = &self.net;
        let others = [net.place_group_names(), net.place_alias_names()].concat();
        net.places().map(|place| net.place_name(place)).chain(others).map(str::to_owned).collect()
    }

    fn action_names(&self) -> Vec<String> {
        let net = &self.net;
        let others = [net.transition_group_names(), net.transition_alias_names()].concat();
        let names = net.transitions().map(|transition| net.transition_name(transition));
        names.chain(others).map(str::to_owned).collect()
    }
}

impl NetSystem {
    /// True exactly in the markings that enable the transition.
    fn is_fireable(&self, transition: TransitionId) -> Expr {
        let tokens = |place: &PlaceId| Expr::Value(self.field(*place));
        let number = |tokens: &u32| Expr::Constant(i64::from(*tokens));
        let enough = self.net.inputs(transition).iter().map(|(place, weight)| {
            Expr::binary(Binary::LessOrEqual, number(weight), tokens(place))
        });
        let few =
            self.net.inhibitors(transition).iter().map(|(place, threshold)| {
                Expr::binary(Binary::Less, tokens(place), number(threshold))
            });
        Expr::All(enough.chain(few).collect())
    }
}
