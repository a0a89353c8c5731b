//! Sets of states of a net as binary decision diagrams.
//!
//! A variable of the certificate becomes the bits of its values, the highest at the top.

use crate::Level;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OptBool};
use oxidd::{BooleanFunction, FunctionSubst, Manager, ManagerRef, Subst};
use sempre_ltl::interrupt;
use sempre_models::petri::{Net, TransitionId};

/// A set of states.
pub(crate) type States = BDDFunction;

/// The bits of a variable.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl Span {
    /// The greatest value.
    pub(crate) fn greatest(self) -> i64 {
        (1 << self.count) - 1
    }
}

/// The sets of states of a net.
pub(crate) struct Space {
    manager: BDDManagerRef,
    capacity: usize,
    /// For each variable its bits.
    spans: Vec<Span>,
    /// The variables from the top.
    order: Vec<usize>,
    yes: States,
    no: States,
}

/// The steps by a transition.
pub(crate) struct Event {
    /// The states in which it is enabled.
    pub(crate) enabled: States,
    /// The states from which it leads to values that have enough bits, for its places that change.
    fits: States,
    /// Each bit that it may change, as a function of the bits before.
    effect: Option<Subst<States>>,
}

impl Space {
    /// Makes the sets for variables, from the top: their numbers and numbers of bits. There is room
    /// for `capacity` nodes.
    pub(crate) fn new(variables: &[(u32, u32)], capacity: usize) -> Space {
        let mut spans = vec![Span { first: 0, count: 0 }; variables.len()];
        let mut first = 0;
        for (variable, count) in variables {
            spans[*variable as usize] = Span { first, count: *count };
            first += count;
        }
        let manager = new_manager(capacity, (capacity / 4).clamp(1 << 10, 1 << 22), 1);
        let (yes, no) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(first);
            (States::t(manager), States::f(manager))
        });
        let order = variables.iter().map(|(variable, _)| *variable as usize).collect();
        Space { manager, capacity, spans, order, yes, no }
    }

    /// Removes nodes that are not in use, if there are many.
    pub(crate) fn tidy(&self) {
        interrupt::poll_now();
        self.manager.with_manager_shared(|manager| {
            if manager.num_inner_nodes() > self.capacity / 2 {
                manager.gc();
            }
        });
    }

    pub(crate) fn span(&self, variable: usize) -> Span {
        self.spans[variable]
    }

    /// Returns the variables from the top.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    pub(crate) fn all(&self) -> States {
        self.yes.clone()
    }

    pub(crate) fn none(&self) -> States {
        self.no.clone()
    }

    fn bit(&self, bit: u32) -> AllocResult<States> {
        self.manager.with_manager_shared(|manager| States::var(manager, bit))
    }

    /// Returns the states in which a variable has one of some values, and the rest is in the set of
    /// that value. Values ascend.
    pub(crate) fn choose(&self, variable: usize, cases: &[(u32, States)]) -> AllocResult<States> {
        let Span { first, count } = self.spans[variable];
        self.choose_bits(first, count, cases)
    }

    /// Recurses as deep as a variable has bits.
    fn choose_bits(&self, bit: u32, left: u32, cases: &[(u32, States)]) -> AllocResult<States> {
        let Some((_, first)) = cases.first() else { return Ok(self.none()) };
        let Some(left) = left.checked_sub(1) else { return Ok(first.clone()) };
        let middle = cases.partition_point(|(value, _)| value >> left & 1 == 0);
        let low = self.choose_bits(bit + 1, left, &cases[..middle])?;
        let high = self.choose_bits(bit + 1, left, &cases[middle..])?;
        if low == high { Ok(low) } else { self.bit(bit)?.ite(&high, &low) }
    }

    /// Returns the states in which the value of a variable has a property.
    pub(crate) fn where_value(
        &self,
        variable: usize,
        has: impl Fn(i64) -> bool,
    ) -> AllocResult<States> {
        interrupt::poll();
        let values = 0..=self.spans[variable].greatest();
        let cases: Vec<(u32, States)> =
            values.filter(|value| has(*value)).map(|value| (value as u32, self.all())).collect();
        self.choose(variable, &cases)
    }

    /// Returns the sets of the nodes of the topmost level of diagrams.
    pub(crate) fn roots(&self, levels: &[Level]) -> AllocResult<Vec<States>> {
        let mut below = vec![self.all()];
        for (level, variable) in levels.iter().zip(self.order.iter().rev()) {
            let node = |edges: &[(u32, u32)]| {
                interrupt::poll();
                let cases: Vec<(u32, States)> = edges
                    .iter()
                    .map(|(value, node)| (*value, below[*node as usize].clone()))
                    .collect();
                self.choose(*variable, &cases)
            };
            below = level.nodes().map(node).collect::<AllocResult<_>>()?;
        }
        Ok(below)
    }

    /// Returns the steps by a transition of the net, by the rule of the token game: inputs have
    /// enough tokens and inhibitors few, inputs are taken and outputs added.
    pub(crate) fn event(&self, net: &Net, transition: TransitionId) -> AllocResult<Event> {
        let mut enabled = self.all();
        for (place, weight) in net.inputs(transition) {
            let enough = |tokens| tokens >= i64::from(*weight);
            enabled = enabled.and(&self.where_value(place.0 as usize, enough)?)?;
        }
        for (place, least) in net.inhibitors(transition) {
            let few = |tokens| tokens < i64::from(*least);
            enabled = enabled.and(&self.where_value(place.0 as usize, few)?)?;
        }
        let taken =
            net.inputs(transition).iter().map(|(place, weight)| (place, -i64::from(*weight)));
        let given =
            net.outputs(transition).iter().map(|(place, weight)| (place, i64::from(*weight)));
        let mut changes: Vec<(usize, i64)> = Vec::new();
        for (place, change) in taken.chain(given) {
            match changes.iter_mut().find(|(other, _)| *other == place.0 as usize) {
                Some((_, sum)) => *sum += change,
                None => changes.push((place.0 as usize, change)),
            }
        }
        changes.retain(|(_, change)| *change != 0);
        let mut fits = self.all();
        let (mut bits, mut values) = (Vec::new(), Vec::new());
        for (place, change) in changes {
            let Span { first, count } = self.spans[place];
            let greatest = self.spans[place].greatest();
            let after = |tokens: i64| tokens + change;
            let is_fit =
                self.where_value(place, |tokens| (0..=greatest).contains(&after(tokens)))?;
            fits = fits.and(&is_fit)?;
            for bit in 0..count {
                // Values that do not fit are excluded above.
                let after = |tokens: i64| after(tokens).clamp(0, greatest);
                let is_set = |tokens: i64| after(tokens) >> (count - 1 - bit) & 1 == 1;
                bits.push(first + bit);
                values.push(self.where_value(place, is_set)?);
            }
        }
        let effect = (!bits.is_empty()).then(|| Subst::new(bits, values));
        Ok(Event { enabled, fits, effect })
    }

    /// Returns the states of which an event leads out of `target`, among those where it is enabled.
    pub(crate) fn leaving(&self, event: &Event, target: &States) -> AllocResult<States> {
        let inside = match &event.effect {
            Some(effect) => target.substitute(effect)?,
            None => target.clone(),
        };
        inside.and(&event.fits)?.not()
    }

    /// True if the set has a state.
    pub(crate) fn contains(&self, states: &States, state: &[i64]) -> bool {
        let bits = self.spans.iter().zip(state).flat_map(|(span, value)| {
            let Span { first, count } = *span;
            (0..count).map(move |bit| (first + bit, value >> (count - 1 - bit) & 1 == 1))
        });
        let fits = |(span, value): (&Span, &i64)| (0..=span.greatest()).contains(value);
        self.spans.iter().zip(state).all(fits) && states.eval(bits)
    }

    /// Returns a state of a set; `None` if it is empty.
    pub(crate) fn pick(&self, states: &States) -> Option<Vec<i64>> {
        let cube = states.pick_cube(|_, _, _| false)?;
        let is_set = |bit: u32| cube.get(bit as usize) == Some(&OptBool::True);
        let value = |span: &Span| {
            (span.first..span.first + span.count)
                .fold(0, |value, bit| value << 1 | i64::from(is_set(bit)))
        };
        Some(self.spans.iter().map(value).collect())
    }
}
