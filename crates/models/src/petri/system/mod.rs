//! The markings of a net as packed states, and its token game on them.
//!
//! Each place has some bits of one word of the state. That a place has at least `w` tokens is seen
//! by one comparison, without shifting: `state[word] & mask >= w << shift`; places of one bit are
//! asked together. To fire a transition is to add a constant to each word that it touches, since no
//! place leaves its bits: places with a proven bound have enough of them, the others are looked at
//! before.
//!
//! Each transition is filed under one of its input places, so only transitions of marked places are
//! looked at: the cost of all successors of a marking depends on the number of its marked places,
//! not on the size of the net.

mod filing;
mod scope;

pub(super) use filing::effect;

use super::bounds::{Bounds, invariants};
use super::net::{Net, PlaceId, TransitionId};
use crate::layout::{Field, Footprint, Layout};
use crate::system::{
    ActionId, Demand, Events, Expander, Fault, Names, Origin, Successors, System, VariableId,
};
use std::ops::Range;
use std::sync::Arc;

/// If numbers of tokens do not fit in that many bits, they hardly fit in more.
const WIDE: u32 = 16;

/// The token game of a net: its actions are the transitions, its variables the places.
///
/// ```
/// use sempre_models::petri::{NetBuilder, NetSystem, bounds::Bounds};
/// use sempre_models::System;
/// let mut builder = NetBuilder::default();
/// let (idle, busy) = (builder.place("idle", 2), builder.place("busy", 0));
/// let work = builder.transition("work");
/// builder.input(work, idle, 1)?;
/// builder.output(work, busy, 1)?;
/// let net = builder.build()?;
/// let bounds = Bounds::of(&net);
/// let system = NetSystem::new(net, &bounds, 4);
/// let initial = &system.initial().unwrap()[0];
/// let next = (&system as &dyn System).successors(initial).unwrap();
/// assert_eq!(system.marking(next.state(0)), [1, 1]);
/// # Ok::<(), sempre_models::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetSystem {
    net: Arc<Net>,
    /// The number of bits of places without a proven bound.
    bits: u32,
    fields: Vec<Field>,
    /// For each place whether it has a proven bound.
    proven: Vec<bool>,
    words: usize,
    /// For each word the bits of places under which transitions are filed.
    filing: Vec<u32>,
    /// For each bit of the state the place that it belongs to.
    files: Vec<File>,
    /// Transitions without inputs, which are not filed; they come first.
    always: Range<u32>,
    rules: Vec<Rule>,
    checks: Vec<Check>,
    changes: Vec<Change>,
    limits: Vec<Limit>,
}

/// The transitions that are filed under a place.
#[derive(Clone, Debug, Default)]
struct File {
    /// The bits of the place in its word.
    mask: u32,
    first: u32,
    end: u32,
}

/// A transition: where its checks and changes begin; they end where those of the next one begin.
#[derive(Clone, Copy, Debug, Default)]
struct Rule {
    transition: u32,
    /// Checks that some bits are at least so much.
    at_least: u32,
    /// Checks that some bits are less.
    less: u32,
    changes: u32,
    limits: u32,
}

/// A comparison of some bits of a word.
#[derive(Clone, Copy, Debug)]
struct Check {
    word: u32,
    mask: u32,
    bits: u32,
}

/// The summand of a word.
#[derive(Clone, Copy, Debug)]
struct Change {
    word: u32,
    plus: u32,
}

/// If these bits are more, the tokens that come do not fit.
#[derive(Clone, Copy, Debug)]
struct Limit {
    check: Check,
    place: PlaceId,
}

impl NetSystem {
    /// Packs the places: those with a proven bound into as few bits as that needs, the others into
    /// `bits` bits, or more where the net itself mentions larger numbers.
    ///
    /// # Panics
    /// If `bits` is not between 1 and 32.
    pub fn new(net: impl Into<Arc<Net>>, bounds: &Bounds, bits: u32) -> Self {
        let net = net.into();
        assert!((1..=32).contains(&bits), "{bits} bits for a place");
        let mut greatest: Vec<u32> = vec![0; net.place_count()];
        for place in net.places() {
            greatest[place.0 as usize] = match bounds.of_place(place) {
                Some(bound) => bound,
                None => net.initial(place).max(u32::MAX >> (32 - bits)),
            };
        }
        for transition in net.transitions() {
            for (place, weight) in net.outputs(transition) {
                if bounds.of_place(*place).is_none() {
                    let greatest = &mut greatest[place.0 as usize];
                    *greatest = (*greatest).max(*weight);
                }
            }
        }
        let mut layout = Layout::default();
        let fields = greatest.iter().map(|most| layout.field(0, i64::from(*most))).collect();
        let words = layout.words();
        let mut system = NetSystem {
            bits,
            fields,
            proven: net.places().map(|place| bounds.of_place(place).is_some()).collect(),
            words,
            filing: vec![0; words],
            files: vec![File::default(); words * 32],
            always: 0..0,
            rules: Vec::with_capacity(net.transition_count() + 1),
            net,
            checks: Vec::new(),
            changes: Vec::new(),
            limits: Vec::new(),
        };
        system.compile(bounds);
        system
    }

    /// The net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Where a place lies in the state.
    pub fn field(&self, place: PlaceId) -> Field {
        self.fields[place.0 as usize]
    }

    /// Returns the number of tokens on each place.
    pub fn marking(&self, state: &[u32]) -> Vec<u32> {
        self.fields.iter().map(|field| field.get(state) as u32).collect()
    }

    #[inline]
    fn is_enabled(&self, rule: usize, state: &[u32]) -> bool {
        let (rule, next) = (self.rules[rule], self.rules[rule + 1]);
        let at_least = &self.checks[rule.at_least as usize..rule.less as usize];
        let less = &self.checks[rule.less as usize..next.at_least as usize];
        at_least.iter().all(|check| state[check.word as usize] & check.mask >= check.bits)
            && less.iter().all(|check| state[check.word as usize] & check.mask < check.bits)
    }

    /// Calls `visit` with the rule of each enabled transition until it returns an error.
    #[inline]
    fn enabled<E>(
        &self,
        state: &[u32],
        mut visit: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        for rule in self.always.clone() {
            if self.is_enabled(rule as usize, state) {
                visit(rule as usize)?;
            }
        }
        for (word, filing) in self.filing.iter().enumerate() {
            let mut bits = state[word] & filing;
            while bits != 0 {
                let file = &self.files[word * 32 + bits.trailing_zeros() as usize];
                bits &= !file.mask;
                for rule in file.first..file.end {
                    if self.is_enabled(rule as usize, state) {
                        visit(rule as usize)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl System for NetSystem {
    fn words(&self) -> usize {
        self.words
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        let mut state = vec![0; self.words].into_boxed_slice();
        for (place, field) in self.net.places().zip(&self.fields) {
            field.set(&mut state, i64::from(self.net.initial(place)));
        }
        Ok(vec![state])
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(self)
    }

    fn names(&self) -> &dyn Names {
        self
    }

    fn events(&self) -> Option<&dyn Events> {
        Some(self)
    }

    fn is_widest(&self) -> bool {
        self.bits >= WIDE
    }
}

/// The token game needs no buffers.
impl Expander for &NetSystem {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        let state = &state[..self.words];
        self.enabled(state, |rule| {
            let (rule, end) = (self.rules[rule], self.rules[rule + 1]);
            for Limit { check, place } in &self.limits[rule.limits as usize..end.limits as usize] {
                if state[check.word as usize] & check.mask > check.bits {
                    return Err(Fault::Overflow(VariableId(place.0)));
                }
            }
            let next = successors.push_copy(ActionId(rule.transition), state);
            for change in &self.changes[rule.changes as usize..end.changes as usize] {
                let word = &mut next[change.word as usize];
                *word = word.wrapping_add(change.plus);
            }
            Ok(())
        })
    }

    fn is_deadlock(&mut self, state: &[u32]) -> Result<bool, Fault> {
        Ok(self.enabled(state, |_| Err(())).is_ok())
    }
}

impl Events for NetSystem {
    fn event_count(&self) -> usize {
        self.net.transition_count()
    }

    fn footprint(&self, event: usize) -> Footprint {
        let mut footprint = Footprint::default();
        for demand in self.net.demands(TransitionId(event as u32)) {
            footprint.add(self.fields[demand.variable.0 as usize]);
        }
        footprint
    }

    fn fire(&self, event: usize, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        let demands = self.net.demands(TransitionId(event as u32));
        let tokens = |variable: VariableId| self.fields[variable.0 as usize].get(state);
        let is_met = |demand: &Demand| {
            let (least, greatest) = (i64::from(demand.least), i64::from(demand.greatest));
            (least..=greatest).contains(&tokens(demand.variable))
        };
        if !demands.iter().all(is_met) {
            return Ok(());
        }
        let next = successors.push_copy(ActionId(event as u32), state);
        for Demand { variable, added, .. } in demands {
            let (field, tokens) = (self.fields[variable.0 as usize], tokens(variable));
            if tokens + added > field.greatest() {
                return Err(Fault::Overflow(variable));
            }
            field.set(next, tokens + added);
        }
        Ok(())
    }

    fn demands(&self, event: usize) -> Option<Vec<Demand>> {
        let mut demands = self.net.demands(TransitionId(event as u32));
        for demand in &mut demands {
            demand.fits = self.proven[demand.variable.0 as usize];
        }
        Some(demands)
    }

    fn invariants(&self) -> Vec<Vec<VariableId>> {
        let variable = |(place, _): &(PlaceId, i64)| VariableId(place.0);
        invariants(&self.net).iter().map(|weights| weights.iter().map(variable).collect()).collect()
    }

    fn field(&self, variable: VariableId) -> Option<Field> {
        Some(self.fields[variable.0 as usize])
    }
}

impl Names for NetSystem {
    fn action_name(&self, action: ActionId) -> String {
        self.net.transition_name(TransitionId(action.0)).to_owned()
    }

    fn variable_count(&self) -> usize {
        self.fields.len()
    }

    fn variable_name(&self, variable: VariableId) -> String {
        self.net.place_name(PlaceId(variable.0)).to_owned()
    }

    fn value(&self, state: &[u32], variable: VariableId) -> i64 {
        self.fields[variable.0 as usize].get(state)
    }

    fn origins(&self, action: ActionId) -> Vec<Origin> {
        vec![self.net.origin(TransitionId(action.0))]
    }
}
