//! The token game by the letter.

use super::net::{Net, PlaceId, TransitionId};
use crate::plain::{Meaning, NamedSteps, Plain, Step, Undefined};

/// A transition is enabled if its input places have enough tokens and its inhibitor places few; it
/// takes tokens from inputs and adds tokens to outputs.
impl Plain for &Net {
    fn variables(&self) -> Vec<String> {
        self.places().map(|place| self.place_name(place).to_owned()).collect()
    }

    fn initial(&self) -> Vec<Vec<i64>> {
        vec![self.places().map(|place| i64::from(Net::initial(self, place))).collect()]
    }

    fn successors(
        &self,
        state: &[i64],
        visit: &mut dyn FnMut(&Step, &[i64]),
    ) -> Result<(), Undefined> {
        let tokens = |place: PlaceId| state[place.0 as usize];
        let mut next = state.to_vec();
        for transition in self.transitions() {
            let enough = |&(place, weight): &(PlaceId, u32)| tokens(place) >= i64::from(weight);
            let few = |&(place, least): &(PlaceId, u32)| tokens(place) < i64::from(least);
            let is_enabled = self.inputs(transition).iter().all(enough)
                && self.inhibitors(transition).iter().all(few);
            if !is_enabled {
                continue;
            }
            for &(place, weight) in self.inputs(transition) {
                next[place.0 as usize] -= i64::from(weight);
            }
            for &(place, weight) in self.outputs(transition) {
                let tokens = &mut next[place.0 as usize];
                *tokens = tokens.saturating_add(i64::from(weight));
                if *tokens > i64::from(u32::MAX) {
                    let place = self.place_name(place);
                    return Err(Undefined(format!("`{place}` gets 2^32 tokens or more")));
                }
            }
            visit(&Step::by(transition.0), &next);
            next.copy_from_slice(state);
        }
        Ok(())
    }

    fn meaning(&self, name: &str) -> Option<Meaning> {
        let variable = |place: &PlaceId| place.0 as usize;
        if let Some(group) = self.place_group(name) {
            return Some(Meaning::Sum(group.iter().map(variable).collect()));
        }
        let place = self.place(name).or_else(|| self.place_alias(name))?;
        Some(Meaning::Sum(vec![variable(&place)]))
    }

    fn steps(&self, name: &str) -> Option<NamedSteps<'_>> {
        let one = |name: &str| self.transition(name).or_else(|| self.transition_alias(name));
        let named: Vec<TransitionId> = match self.transition_group(name) {
            Some(group) => group.to_vec(),
            None => vec![one(name)?],
        };
        Some(Box::new(move |step| named.contains(&TransitionId(step.transitions[0]))))
    }

    fn transition_count(&self) -> usize {
        Net::transition_count(self)
    }
}
