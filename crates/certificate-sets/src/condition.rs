//! Propositions as sets of states.

use crate::space::{Event, Space, States};
use oxidd::BooleanFunction;
use oxidd::util::AllocResult;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use sempre_models::plain::Step;
use sempre_models::proposition::{Algebra, LinearSum};

/// The sets of states in which propositions hold.
pub(crate) struct Conditions<'a> {
    pub(crate) space: &'a Space,
    pub(crate) events: &'a [Event],
    /// The deadlocks among the states of the certificate.
    pub(crate) dead: &'a States,
}

impl Algebra for Conditions<'_> {
    type Truth = AllocResult<States>;

    fn constant(&mut self, truth: bool) -> Self::Truth {
        Ok(if truth { self.space.all() } else { self.space.none() })
    }

    fn not(&mut self, operand: Self::Truth) -> Self::Truth {
        operand?.not()
    }

    fn and(&mut self, left: Self::Truth, right: Self::Truth) -> Self::Truth {
        left?.and(&right?)
    }

    fn is_zero(&mut self, sum: &LinearSum) -> Self::Truth {
        self.compare(sum, &|least, greatest| match (least, greatest) {
            (0, 0) => Some(true),
            _ => (least > 0 || greatest < 0).then_some(false),
        })
    }

    fn is_negative(&mut self, sum: &LinearSum) -> Self::Truth {
        self.compare(sum, &|least, greatest| match (least < 0, greatest < 0) {
            (_, true) => Some(true),
            (false, _) => Some(false),
            _ => None,
        })
    }

    fn fireable(&mut self, is_named: &dyn Fn(&Step) -> bool) -> Self::Truth {
        let mut some = self.space.none();
        for (number, event) in self.events.iter().enumerate() {
            if is_named(&Step::by(number as u32)) {
                some = some.or(&event.enabled)?;
            }
        }
        Ok(some)
    }

    fn deadlock(&mut self) -> Self::Truth {
        Ok(self.dead.clone())
    }
}

/// A decision about a number between two bounds, if they allow one.
type Decision<'d> = &'d dyn Fn(i128, i128) -> Option<bool>;

/// The variables of a sum with their factors, and from each place on the bounds of the rest.
type Terms<'t> = (&'t [(usize, i128)], &'t [(i128, i128)]);

impl Conditions<'_> {
    /// Returns the states in which a sum is decided positively.
    fn compare(&self, sum: &LinearSum, decide: Decision<'_>) -> AllocResult<States> {
        let order = self.space.order().iter();
        let terms: Vec<(usize, i128)> = order
            .filter_map(|variable| Some((*variable, i128::from(*sum.terms.get(variable)?))))
            .collect();
        // For each term, the least and the greatest sum of it and those after it.
        let mut bounds = vec![(0, 0)];
        for (variable, factor) in terms.iter().rev() {
            let (least, greatest) = bounds[bounds.len() - 1];
            let most = factor * i128::from(self.space.span(*variable).greatest());
            bounds.push((least + most.min(0), greatest + most.max(0)));
        }
        bounds.reverse();
        let mut known = FxHashMap::default();
        self.rest((&terms, &bounds), 0, i128::from(sum.constant), decide, &mut known)
    }

    /// Returns the states in which the terms from a place on, added to a number, are decided
    /// positively. Recurses as deep as there are terms.
    fn rest(
        &self,
        sums: Terms<'_>,
        place: usize,
        before: i128,
        decide: Decision<'_>,
        known: &mut FxHashMap<(usize, i128), States>,
    ) -> AllocResult<States> {
        interrupt::poll();
        let (least, greatest) = sums.1[place];
        match decide(before + least, before + greatest) {
            Some(true) => return Ok(self.space.all()),
            Some(false) => return Ok(self.space.none()),
            None => {}
        }
        if let Some(states) = known.get(&(place, before)) {
            return Ok(states.clone());
        }
        let (variable, factor) = sums.0[place];
        let mut cases = Vec::new();
        for value in 0..=self.space.span(variable).greatest() {
            let sum = before + factor * i128::from(value);
            cases.push((value as u32, self.rest(sums, place + 1, sum, decide, known)?));
        }
        let states = self.space.choose(variable, &cases)?;
        known.insert((place, before), states.clone());
        Ok(states)
    }
}
