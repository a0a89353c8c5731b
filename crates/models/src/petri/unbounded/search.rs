//! Depth-first searches and random walks for a marking that covers an earlier one of its path.

use super::Pump;
use super::game::Game;
use crate::petri::bounds::Bounds;
use crate::petri::net::{Net, PlaceId, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of earlier markings of a path that are compared with the next one, latest first.
const MAX_COMPARED: usize = 200;

/// How long random walks are.
const WALK: usize = 5000;

/// Which transitions are tried first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Preference {
    /// Those by which the number of tokens grows most.
    Growth,
    /// Those that take the tokens that came last; of these, those by which most tokens come.
    Recent,
}

/// A marking on the current path.
struct Step {
    /// The transition by which it was reached.
    by: Option<TransitionId>,
    /// The number that represents the tokens on the bounded places.
    rest: u64,
    /// Enabled transitions that have not been tried, the best one last.
    untried: Vec<TransitionId>,
    /// How many of them are equally recent, at the end.
    recent: usize,
    /// The places that got tokens, with the step by which they had got some before.
    filled: Vec<(PlaceId, usize)>,
}

/// The path of a search, and its remaining budget.
pub(super) struct Search<'net> {
    game: Game<'net>,
    can_grow: Vec<bool>,
    /// By how much each transition adds tokens to places that can grow.
    growth: Vec<i64>,
    budget: u64,
    path: Vec<Step>,
    /// The steps of the path by their `rest`.
    by_rest: FxHashMap<u64, Vec<usize>>,
    /// For each place the last step of the path by which it got tokens.
    filled_by: Vec<usize>,
    /// For each place by how much the end of a path changes it; 0 between searches.
    change: Vec<i64>,
    /// The places that are changed there.
    changed: Vec<PlaceId>,
}

impl<'net> Search<'net> {
    pub(super) fn new(net: &'net Net, bounds: &Bounds) -> Self {
        let can_grow: Vec<bool> =
            net.places().map(|place| bounds.of_place(place).is_none()).collect();
        let game = Game::new(net);
        let growth = |transition| {
            let changes = game.effect(transition).iter();
            let growing = changes.filter(|(place, _)| can_grow[place.0 as usize]);
            growing.map(|(_, plus)| *plus).sum()
        };
        let growth = net.transitions().map(growth).collect();
        Search {
            game,
            can_grow,
            growth,
            budget: 0,
            path: Vec::new(),
            by_rest: FxHashMap::default(),
            filled_by: vec![0; net.place_count()],
            change: vec![0; net.place_count()],
            changed: Vec::new(),
        }
    }

    /// Adds to the budget of the next search.
    pub(super) fn allow(&mut self, steps: u64) {
        self.budget += steps;
    }

    /// True if a search may still cost something.
    pub(super) fn is_allowed(&self) -> bool {
        self.budget > 0
    }

    fn spend(&mut self, steps: usize) {
        sempre_ltl::interrupt::poll();
        self.budget = self.budget.saturating_sub(steps as u64);
    }

    /// Goes back to the initial marking.
    fn restart(&mut self, preference: Preference) {
        while !self.path.is_empty() {
            self.pop();
        }
        self.by_rest.clear();
        self.push(None, 0, Vec::new(), preference);
    }

    /// Fires an enabled transition, unless a number of tokens is too large then or `skip` says, of
    /// what stands for the marking, that it is of no interest. Finds a proof if that completes one.
    fn advance(
        &mut self,
        transition: TransitionId,
        preference: Preference,
        skip: impl FnOnce(u64) -> bool,
    ) -> Result<bool, Pump> {
        self.spend(self.game.effect(transition).len());
        if !self.game.fire(transition) {
            return Ok(false);
        }
        if skip(self.game.sum()) {
            self.game.take_back(transition);
            return Ok(false);
        }
        let can_grow = &self.can_grow;
        let plus = self.game.effect_sum(transition, |place| !can_grow[place.0 as usize]);
        let before = self.path.last().map_or(0, |step| step.rest);
        let rest = before.wrapping_add(plus);
        let length = self.path.len();
        let filled: Vec<(PlaceId, usize)> = (self.game.effect(transition).iter())
            .filter(|(_, plus)| *plus > 0)
            .map(|(place, _)| {
                (*place, std::mem::replace(&mut self.filled_by[place.0 as usize], length))
            })
            .collect();
        self.push(Some(transition), rest, filled, preference);
        match self.proof() {
            Some(found) => Err(found),
            None => Ok(true),
        }
    }

    /// Adds the current marking to the path.
    fn push(
        &mut self,
        by: Option<TransitionId>,
        rest: u64,
        filled: Vec<(PlaceId, usize)>,
        preference: Preference,
    ) {
        let mut untried = Vec::new();
        let cost = self.game.enabled(&mut untried);
        let growth = |transition: &TransitionId| self.growth[transition.0 as usize];
        let recent = match preference {
            Preference::Growth => {
                untried.sort_by_key(growth);
                untried.len()
            }
            Preference::Recent => {
                let net = self.game.net();
                let last = |transition: &TransitionId| {
                    let inputs = net.inputs(*transition).iter();
                    inputs.map(|(place, _)| self.filled_by[place.0 as usize]).max()
                };
                untried.sort_by_key(|transition| (last(transition), growth(transition)));
                let most = untried.last().and_then(last);
                untried.iter().rev().take_while(|transition| last(transition) == most).count()
            }
        };
        self.spend(cost + 4 * untried.len());
        self.by_rest.entry(rest).or_default().push(self.path.len());
        self.path.push(Step { by, rest, untried, recent, filled });
    }

    /// Goes back by one step.
    fn pop(&mut self) {
        let Some(step) = self.path.pop() else { return };
        self.by_rest.get_mut(&step.rest).expect("a step of the path").pop();
        for (place, before) in step.filled {
            self.filled_by[place.0 as usize] = before;
        }
        if let Some(transition) = step.by {
            self.game.take_back(transition);
        }
    }

    /// Looks for a marking of the path that the last one covers, from the last one back.
    fn proof(&mut self) -> Option<Pump> {
        let rest = self.path.last()?.rest;
        let same = &self.by_rest[&rest];
        // The last one is itself among them.
        let oldest = same[same.len().saturating_sub(MAX_COMPARED + 1)];
        let (mut grown, mut shrunk, mut cost) = (0usize, 0usize, 0);
        let mut found = None;
        for index in (oldest + 1..self.path.len()).rev() {
            let by = self.path[index].by.expect("only the first marking is reached by nothing");
            for (place, plus) in self.game.effect(by) {
                let change = &mut self.change[place.0 as usize];
                grown -= usize::from(*change > 0);
                shrunk -= usize::from(*change < 0);
                *change += plus;
                grown += usize::from(*change > 0);
                shrunk += usize::from(*change < 0);
                self.changed.push(*place);
                cost += 1;
            }
            if shrunk == 0 && grown > 0 {
                let sequence: Vec<TransitionId> =
                    self.path.iter().filter_map(|step| step.by).collect();
                let (prefix, cycle) = sequence.split_at(index - 1);
                let pump = Pump { prefix: prefix.to_vec(), cycle: cycle.to_vec() };
                // If not, an inhibitor arc is in the way, and most likely of earlier ones too.
                cost += 10 * sequence.len();
                found = Some(pump).filter(|pump| pump.is_valid(self.game.net()));
                break;
            }
        }
        for place in self.changed.drain(..) {
            self.change[place.0 as usize] = 0;
        }
        self.spend(cost);
        found
    }

    /// Searches up to a depth.
    pub(super) fn depth_first(&mut self, depth: usize, preference: Preference) -> Option<Pump> {
        self.restart(preference);
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        seen.insert(self.game.sum());
        while self.is_allowed() {
            let is_deepest = self.path.len() > depth;
            let step = self.path.last_mut()?;
            let Some(transition) = step.untried.pop().filter(|_| !is_deepest) else {
                self.pop();
                continue;
            };
            let outcome = self.advance(transition, preference, |sum| !seen.insert(sum));
            if let Err(found) = outcome {
                return Some(found);
            }
        }
        None
    }

    /// Walks at random.
    pub(super) fn walk(&mut self, seed: u64, preference: Preference) -> Option<Pump> {
        self.restart(preference);
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        while self.is_allowed() && self.path.len() <= WALK {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let step = self.path.last().expect("the first step stays");
            let count = step.untried.len();
            if count == 0 {
                break;
            }
            // Every other time one that is preferred: of two, or of those that are most recent.
            let below = |bits: u32, count: usize| ((random >> bits) % count as u64) as usize;
            let choice = match (random & 1, preference) {
                (0, _) => below(8, count),
                (_, Preference::Growth) => below(8, count).max(below(32, count)),
                (_, Preference::Recent) => count - 1 - below(8, step.recent),
            };
            let transition = step.untried[choice];
            match self.advance(transition, preference, |_| false) {
                Ok(true) => {}
                Ok(false) => break,
                Err(found) => return Some(found),
            }
        }
        self.spend(1);
        None
    }
}
