//! The parts of a net, for people.

use super::net::{Net, PlaceId, TransitionId};
use crate::description::{Description, OtherName, Transition, Variable};
use crate::proposition::{quoted, written};
use crate::system::Origin;

impl Net {
    /// Describes the net.
    pub(super) fn describe(&self) -> Description {
        let bounds = self.bounds();
        let variables = self.places().map(|place| Variable {
            name: self.place_name(place).to_owned(),
            kind: "place",
            least: Some(0),
            greatest: bounds.of_place(place).map(i64::from),
            initial: vec![self.initial(place).to_string()],
            ..Variable::default()
        });
        let transitions = self.transitions().map(|transition| Transition {
            name: self.transition_name(transition).to_owned(),
            origin: self.origin(transition),
        });
        let place = self.places().next().map(|place| written(self.place_name(place)).into_owned());
        let transition = self.transitions().next();
        let transition = transition.map(|one| quoted(self.transition_name(one)).into_owned());
        let mut propositions: Vec<String> = Vec::new();
        if let Some(place) = &place {
            propositions.extend([place.clone(), format!("{place} >= 2")]);
        }
        if let Some(transition) = &transition {
            propositions
                .extend([format!("fireable({transition})"), format!("fired({transition})")]);
        }
        propositions.push("deadlock".to_owned());
        Description {
            kind: "Petri net",
            variables: variables.collect(),
            transitions: transitions.collect(),
            others: self.other_names(),
            propositions,
            ..Description::default()
        }
    }

    /// The names by which places and transitions are known besides their own.
    fn other_names(&self) -> Vec<OtherName> {
        let place = |place: &PlaceId| self.place_name(*place).to_owned();
        let transition = |transition: &TransitionId| self.transition_name(*transition).to_owned();
        let other = |name: &str, is_transition, stands_for| OtherName {
            name: name.to_owned(),
            is_transition,
            stands_for,
        };
        let mut others = vec![];
        for name in self.place_group_names() {
            let group = self.place_group(name).into_iter().flatten();
            others.push(other(name, false, group.map(place).collect()));
        }
        for name in self.place_alias_names() {
            let alias = self.place_alias(name).iter().map(place).collect();
            others.push(other(name, false, alias));
        }
        for name in self.transition_group_names() {
            let group = self.transition_group(name).into_iter().flatten();
            others.push(other(name, true, group.map(transition).collect()));
        }
        for name in self.transition_alias_names() {
            let alias = self.transition_alias(name).iter().map(transition).collect();
            others.push(other(name, true, alias));
        }
        others
    }

    /// The definition of a transition: what it needs, and what it changes.
    pub(super) fn origin(&self, transition: TransitionId) -> Origin {
        let name = |place: super::PlaceId| written(self.place_name(place)).into_owned();
        let inputs = self.inputs(transition).iter();
        let needs = inputs.map(|(place, weight)| format!("{} >= {weight}", name(*place)));
        let inhibitors = self.inhibitors(transition).iter();
        let lacks = inhibitors.map(|(place, threshold)| format!("{} < {threshold}", name(*place)));
        let change = |demand: crate::system::Demand| {
            let place = name(super::PlaceId(demand.variable.0));
            match demand.added {
                0 => None,
                added if added < 0 => Some(format!("{place} -= {}", -added)),
                added => Some(format!("{place} += {added}")),
            }
        };
        let changes: Vec<String> =
            self.demands(transition).into_iter().filter_map(change).collect();
        Origin {
            line: self.line(transition),
            guard: needs.chain(lacks).collect::<Vec<_>>().join(", "),
            effect: changes.join(", "),
            ..Origin::default()
        }
    }
}
