//! The compilation of a net: its transitions are filed under places and become checks and changes
//! of words.

use super::{Change, Check, File, Limit, NetSystem, Rule};
use crate::layout::Field;
use crate::petri::bounds::Bounds;
use crate::petri::net::{Net, PlaceId, TransitionId};

impl NetSystem {
    /// Files the transitions and compiles them, file by file.
    pub(super) fn compile(&mut self, bounds: &Bounds) {
        let net = &*self.net.clone();
        let mut filed: Vec<Vec<TransitionId>> = vec![Vec::new(); net.place_count()];
        let mut unfiled = Vec::new();
        let inputs = input_counts(net);
        for transition in net.transitions().filter(|t| !is_dead(net, *t)) {
            // A place with few tokens on few transitions is most often empty.
            let key = |(place, weight): &(PlaceId, u32)| {
                (*weight == 1, net.initial(*place) > 0, inputs[place.0 as usize], *place)
            };
            match net.inputs(transition).iter().min_by_key(|arc| key(arc)) {
                Some((place, _)) => filed[place.0 as usize].push(transition),
                None => unfiled.push(transition),
            }
        }
        for transition in &unfiled {
            self.compile_transition(*transition, None, bounds);
        }
        self.always = 0..self.rules.len() as u32;
        for (place, transitions) in net.places().zip(&filed) {
            if transitions.is_empty() {
                continue;
            }
            let field = self.fields[place.0 as usize];
            let first = self.rules.len() as u32;
            for transition in transitions {
                self.compile_transition(*transition, Some(place), bounds);
            }
            let mask = field.mask() << field.shift();
            self.filing[field.word()] |= mask;
            let end = self.rules.len() as u32;
            for bit in (0..32).filter(|bit| mask >> bit & 1 != 0) {
                self.files[field.word() * 32 + bit] = File { mask, first, end };
            }
        }
        self.push_rule(u32::MAX);
    }

    fn push_rule(&mut self, transition: u32) {
        self.rules.push(Rule {
            transition,
            at_least: self.checks.len() as u32,
            less: self.checks.len() as u32,
            changes: self.changes.len() as u32,
            limits: self.limits.len() as u32,
        });
    }

    /// Compiles a transition, unless it needs more tokens than a place has before it overflows.
    fn compile_transition(
        &mut self,
        transition: TransitionId,
        file: Option<PlaceId>,
        bounds: &Bounds,
    ) {
        let net = &*self.net.clone();
        let most = |place: PlaceId| match bounds.of_place(place) {
            Some(bound) => bound,
            None => self.field(place).greatest() as u32,
        };
        if net.inputs(transition).iter().any(|(place, weight)| *weight > most(*place)) {
            return;
        }
        self.push_rule(transition.0);
        let from = self.checks.len();
        for (place, weight) in net.inputs(transition) {
            if *weight == 1 && Some(*place) == file {
                continue; // It has tokens: that is why the transition is looked at.
            }
            let field = self.fields[place.0 as usize];
            let check = check(field, *weight);
            let same = |other: &&mut Check| {
                other.word == check.word && other.mask == other.bits && check.mask == check.bits
            };
            match self.checks[from..].iter_mut().find(same) {
                Some(other) => {
                    other.mask |= check.mask;
                    other.bits |= check.bits;
                }
                None => self.checks.push(check),
            }
        }
        self.rules.last_mut().expect("the rule of the transition").less = self.checks.len() as u32;
        for (place, threshold) in net.inhibitors(transition) {
            let field = self.fields[place.0 as usize];
            if i64::from(*threshold) <= field.greatest() {
                self.checks.push(check(field, *threshold));
            }
        }
        let from = self.changes.len();
        for (place, plus) in effect(net, transition) {
            let field = self.fields[place.0 as usize];
            let (word, bits) = (field.word() as u32, (plus as u32) << field.shift());
            match self.changes[from..].iter_mut().find(|change| change.word == word) {
                Some(change) => change.plus = change.plus.wrapping_add(bits),
                None => self.changes.push(Change { word, plus: bits }),
            }
            if plus > 0 && bounds.of_place(place).is_none() {
                let most = (field.greatest() - plus) as u32;
                self.limits.push(Limit { check: check(field, most), place });
            }
        }
    }
}

/// The comparison of a place with a number of tokens.
fn check(field: Field, tokens: u32) -> Check {
    let mask = field.mask() << field.shift();
    Check { word: field.word() as u32, mask, bits: tokens << field.shift() }
}

/// Returns the number of output transitions of each place.
fn input_counts(net: &Net) -> Vec<u32> {
    let mut counts = vec![0; net.place_count()];
    for transition in net.transitions() {
        for (place, _) in net.inputs(transition) {
            counts[place.0 as usize] += 1;
        }
    }
    counts
}

/// True if no marking enables the transition, because of its inhibitor arcs.
fn is_dead(net: &Net, transition: TransitionId) -> bool {
    net.inhibitors(transition).iter().any(|(place, threshold)| {
        let inputs = net.inputs(transition);
        let taken = inputs.binary_search_by_key(place, |arc| arc.0).map_or(0, |arc| inputs[arc].1);
        taken >= *threshold
    })
}

/// The effect of firing a transition, place by place in ascending order.
pub(in crate::petri) fn effect(net: &Net, transition: TransitionId) -> Vec<(PlaceId, i64)> {
    let minus = net.inputs(transition).iter().map(|(place, weight)| (*place, -i64::from(*weight)));
    let plus = net.outputs(transition).iter().map(|(place, weight)| (*place, i64::from(*weight)));
    let mut changes: Vec<(PlaceId, i64)> = minus.chain(plus).collect();
    changes.sort_by_key(|(place, _)| *place);
    changes.dedup_by(|next, change| {
        let same = next.0 == change.0;
        change.1 += if same { next.1 } else { 0 };
        same
    });
    changes.retain(|(_, plus)| *plus != 0);
    changes
}
