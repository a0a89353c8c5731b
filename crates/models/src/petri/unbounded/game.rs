//! The token game of a net on one marking that changes, forth and back.
//!
//! A step costs what the transition touches, and the enabled transitions are found among those that
//! are filed under marked places, so large nets of which a small part is marked are no burden.

use crate::petri::net::{Net, PlaceId, TransitionId};
use crate::petri::system::effect;

/// A marking, and how to go on from it.
pub(super) struct Game<'net> {
    net: &'net Net,
    /// By how much each transition changes places.
    effects: Vec<(PlaceId, i64)>,
    /// For each transition the first of its effects; one more at the end.
    first_effect: Vec<usize>,
    /// For each place the transitions that are looked at when it is marked: each transition has one
    /// such place.
    filed: Vec<Vec<TransitionId>>,
    /// The transitions without inputs.
    always: Vec<TransitionId>,
    marking: Vec<u32>,
    /// The marked places under which transitions are filed, in any order.
    active: Vec<PlaceId>,
    /// For each place its position there, if it is one of them.
    position: Vec<usize>,
    /// For each place a number: the sum of these times the tokens there stands for the marking.
    keys: Vec<u64>,
    sum: u64,
}

/// No position.
const NOWHERE: usize = usize::MAX;

impl<'net> Game<'net> {
    /// The initial marking.
    pub(super) fn new(net: &'net Net) -> Self {
        let mut consumers = vec![0u32; net.place_count()];
        for transition in net.transitions() {
            for (place, _) in net.inputs(transition) {
                consumers[place.0 as usize] += 1;
            }
        }
        let (mut effects, mut first_effect) = (Vec::new(), Vec::new());
        let (mut filed, mut always) = (vec![Vec::new(); net.place_count()], Vec::new());
        for transition in net.transitions() {
            first_effect.push(effects.len());
            effects.extend(effect(net, transition));
            // A place that few transitions take tokens from, and that is not marked from the start,
            // is most often empty.
            let key = |place: &PlaceId| (net.initial(*place) > 0, consumers[place.0 as usize]);
            let inputs = net.inputs(transition).iter().map(|(place, _)| *place);
            match inputs.min_by_key(key) {
                Some(place) => filed[place.0 as usize].push(transition),
                None => always.push(transition),
            }
        }
        first_effect.push(effects.len());
        // Odd multiples of a number without a pattern in its bits.
        let keys = (1..=net.place_count() as u64)
            .map(|index| (2 * index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .map(|key| key ^ key >> 29)
            .collect();
        let mut game = Game {
            net,
            effects,
            first_effect,
            filed,
            always,
            marking: vec![0; net.place_count()],
            active: Vec::new(),
            position: vec![NOWHERE; net.place_count()],
            keys,
            sum: 0,
        };
        for place in net.places() {
            game.add(place, i64::from(net.initial(place)));
        }
        game
    }

    pub(super) fn net(&self) -> &'net Net {
        self.net
    }

    /// By how much the transition changes places.
    pub(super) fn effect(&self, transition: TransitionId) -> &[(PlaceId, i64)] {
        let index = transition.0 as usize;
        &self.effects[self.first_effect[index]..self.first_effect[index + 1]]
    }

    /// The number that stands for what a transition does to the marking, on some of the places.
    pub(super) fn effect_sum(
        &self,
        transition: TransitionId,
        mut on: impl FnMut(PlaceId) -> bool,
    ) -> u64 {
        let changes = self.effect(transition).iter().filter(|(place, _)| on(*place));
        changes.fold(0, |sum, (place, plus)| {
            sum.wrapping_add(self.keys[place.0 as usize].wrapping_mul(*plus as u64))
        })
    }

    /// The number that stands for the marking: others have others, most likely.
    pub(super) fn sum(&self) -> u64 {
        self.sum
    }

    fn add(&mut self, place: PlaceId, plus: i64) {
        let index = place.0 as usize;
        let after = i64::from(self.marking[index]) + plus;
        self.marking[index] = after as u32;
        self.sum = self.sum.wrapping_add(self.keys[index].wrapping_mul(plus as u64));
        if self.filed[index].is_empty() {
            return;
        }
        match (after > 0, self.position[index]) {
            (true, NOWHERE) => {
                self.position[index] = self.active.len();
                self.active.push(place);
            }
            (false, position) if position != NOWHERE => {
                self.active.swap_remove(position);
                self.position[index] = NOWHERE;
                if let Some(moved) = self.active.get(position) {
                    self.position[moved.0 as usize] = position;
                }
            }
            _ => {}
        }
    }

    fn is_enabled(&self, transition: TransitionId) -> bool {
        let tokens = |place: &PlaceId| self.marking[place.0 as usize];
        self.net.inputs(transition).iter().all(|(place, weight)| tokens(place) >= *weight)
            && self.net.inhibitors(transition).iter().all(|(place, least)| tokens(place) < *least)
    }

    /// Adds the enabled transitions, in the order of their numbers; returns how many were looked at.
    pub(super) fn enabled(&self, enabled: &mut Vec<TransitionId>) -> usize {
        let mut looked_at = self.always.len() + self.active.len();
        enabled.extend(self.always.iter().filter(|transition| self.is_enabled(**transition)));
        for place in &self.active {
            let filed = &self.filed[place.0 as usize];
            looked_at += filed.len();
            enabled.extend(filed.iter().filter(|transition| self.is_enabled(**transition)));
        }
        enabled.sort_unstable();
        looked_at
    }

    /// Fires an enabled transition; false, and no change, if a number of tokens would be 2^32 or
    /// more.
    pub(super) fn fire(&mut self, transition: TransitionId) -> bool {
        let fits = |(place, plus): &(PlaceId, i64)| {
            u32::try_from(i64::from(self.marking[place.0 as usize]) + plus).is_ok()
        };
        let fits = self.effect(transition).iter().all(fits);
        if fits {
            self.change(transition, 1);
        }
        fits
    }

    /// Takes back the transition that was fired last.
    pub(super) fn take_back(&mut self, transition: TransitionId) {
        self.change(transition, -1);
    }

    fn change(&mut self, transition: TransitionId, times: i64) {
        let index = transition.0 as usize;
        for entry in self.first_effect[index]..self.first_effect[index + 1] {
            let (place, plus) = self.effects[entry];
            self.add(place, plus * times);
        }
    }
}
