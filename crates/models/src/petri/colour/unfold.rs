//! Unfolding: a place for every possible colour of a place, a transition for every possible
//! binding.
//!
//! The possible colours of places are a least fixpoint from the initial marking. A binding that
//! satisfies the condition is possible once every colour that it takes is possible; then the
//! colours that it puts are possible, regardless of token counts. This overapproximates
//! reachability, so omitting the rest preserves the behaviour. Each colour is processed once, in
//! the order of discovery; only bindings of it with earlier colours are enumerated (semi-naive
//! evaluation, as in deductive databases), so each binding is found exactly once. The cost is that
//! of the joins, not of all bindings.

use super::instances::{Instance, Instances, Marked};
use super::join::{self, Need, Plan, Room};
use super::sort::Sorts;
use super::term;
use super::{Arc, ColouredNet, Limits, Transition};
use crate::petri::{Net, NetBuilder, PlaceId};
use rustc_hash::FxHashMap;
use sempre_ltl::Error;

impl ColouredNet {
    /// The place/transition net with the same behaviour.
    ///
    /// Places are named `place(colour)` and transitions `transition(x=colour,…)`, without
    /// parentheses where there is only one colour or no variable. The names of the coloured net are
    /// those of [groups](Net::place_group). Colours that no place can ever have, and bindings that
    /// can never happen, are left out where a look at single colours shows it. Bindings of one
    /// transition that take and put the same tokens are one transition, named after the first.
    ///
    /// # Errors
    /// If the net gets larger than the limits, if there are 2^32 tokens or more, or if a term takes
    /// more of a colour away than there is, for a binding that might happen.
    pub fn unfold(&self, limits: &Limits) -> Result<Net, Error> {
        let mut unfolding = Unfolding::new(self, limits);
        unfolding.initial()?;
        unfolding.close()?;
        unfolding.build()
    }
}

struct Unfolding<'a> {
    net: &'a ColouredNet,
    limits: &'a Limits,
    marked: Marked,
    initial: FxHashMap<u32, u32>,
    instances: Instances,
}

/// A colour of a place with a multiplicity.
type Tokens = (u32, u32, i64);

/// Room for the tokens that an instance moves.
#[derive(Default)]
struct Moved {
    arc: Vec<Tokens>,
    tokens: Vec<Tokens>,
    /// Numbers of colours of places, with weights.
    inputs: Vec<(u32, u32)>,
    outputs: Vec<(u32, u32)>,
}

/// A transition with the plans to find its bindings.
struct Planned {
    needs: Vec<Need>,
    /// One for each need.
    plans: Vec<Plan>,
    /// True if several bindings may move the same tokens.
    may_have_equals: bool,
}

impl Planned {
    fn new(transition: &Transition, sorts: &Sorts) -> Self {
        let needs = join::needs(transition);
        let plans = (0..needs.len()).map(|need| Plan::new(transition, sorts, &needs, Some(need)));
        // Where a place gets or loses the tokens of one tuple only, these determine the variables.
        let mut is_determined = vec![false; transition.variables.len()];
        for arcs in [&transition.inputs, &transition.outputs] {
            for arc in arcs {
                let same = arcs.iter().filter(|other| other.place == arc.place).count();
                if let (1, [only]) = (same, &arc.sum[..]) {
                    for variable in term::variables(&only.tuple) {
                        is_determined[variable as usize] = true;
                    }
                }
            }
        }
        let sizes = transition.variables.iter().map(|variable| sorts.size(variable.sort));
        let may_have_equals =
            is_determined.iter().zip(sizes).any(|(is_determined, size)| !is_determined && size > 1);
        Planned { plans: plans.collect(), needs, may_have_equals }
    }
}

impl<'a> Unfolding<'a> {
    fn new(net: &'a ColouredNet, limits: &'a Limits) -> Self {
        Unfolding {
            net,
            limits,
            marked: Marked::new(net, limits),
            initial: FxHashMap::default(),
            instances: Instances::default(),
        }
    }

    /// Puts the tokens of the initial marking.
    fn initial(&mut self) -> Result<(), Error> {
        let mut tokens = vec![];
        for (place, declared) in self.net.places.iter().enumerate() {
            let arc = Arc {
                place: place as u32,
                sum: declared.initial.clone(),
                span: declared.span.clone(),
            };
            tokens.clear();
            evaluate(&arc, &[], &mut tokens, self.limits)?;
            for (place, colour, count) in &tokens {
                let number = self.marked.add(*place, *colour)?;
                self.initial.insert(number, weight(*count)?);
            }
        }
        Ok(())
    }

    /// Finds all colours and all bindings.
    fn close(&mut self) -> Result<(), Error> {
        let net = self.net;
        let mut room = Room::default();
        let mut moved = Moved::default();
        let mut planned = Vec::with_capacity(net.transitions.len());
        let mut readers: Vec<Vec<(u32, usize)>> = vec![vec![]; net.places.len()];
        for (index, transition) in net.transitions.iter().enumerate() {
            let one = Planned::new(transition, &net.sorts);
            for (need, reads) in one.needs.iter().enumerate() {
                readers[reads.place as usize].push((index as u32, need));
            }
            // A transition without inputs is enabled initially.
            if !one.needs.iter().any(|need| need.is_certain) {
                let all = Plan::new(transition, &net.sorts, &one.needs, None);
                room.reset(transition.variables.len());
                let marked = &mut self.marked;
                all.run(transition, &one.needs, marked, None, &mut room, |marked, values| {
                    let binding = Binding { transition: index as u32, values, pivot: None };
                    self.instances.add_binding(net, self.limits, &one, &binding, marked, &mut moved)
                })?;
            }
            planned.push(one);
        }
        let mut newest = 0;
        while let Some((place, colour)) = self.marked.get(newest) {
            for (index, need) in &readers[place as usize] {
                let transition = &net.transitions[*index as usize];
                let one = &planned[*index as usize];
                room.reset(transition.variables.len());
                let tuple = &one.needs[*need].tuple;
                if !join::unify(tuple, colour, &mut room.values, |_| true, false) {
                    continue;
                }
                let pivot = Some((*need, newest));
                let (plan, marked) = (&one.plans[*need], &mut self.marked);
                plan.run(
                    transition,
                    &one.needs,
                    marked,
                    Some(newest),
                    &mut room,
                    |marked, values| {
                        let binding = Binding { transition: *index, values, pivot };
                        self.instances.add_binding(
                            net,
                            self.limits,
                            one,
                            &binding,
                            marked,
                            &mut moved,
                        )
                    },
                )?;
            }
            newest += 1;
        }
        Ok(())
    }

    /// Returns the net of the possible colours and bindings.
    fn build(self) -> Result<Net, Error> {
        let net = self.net;
        let mut builder = NetBuilder::default();
        if let Some(name) = &net.name {
            builder.name(name);
        }
        let mut ids = vec![PlaceId(0); self.marked.len()];
        for (place, declared) in net.places.iter().enumerate() {
            let mut colours = self.marked.of_place(place as u32).to_vec();
            colours.sort_unstable();
            let mut group = Vec::with_capacity(colours.len());
            for (colour, number) in colours {
                let mut name = declared.name.clone();
                if net.sorts.size(declared.sort) > 1 {
                    name.push('(');
                    net.sorts.write_colour(declared.sort, colour, &mut name);
                    name.push(')');
                }
                let initial = self.initial.get(&number).copied().unwrap_or(0);
                let id = builder.place(name, initial);
                ids[number as usize] = id;
                group.push(id);
            }
            builder.place_group(&declared.name, group);
        }
        if self.marked.len() == 0 {
            // A net has a place, even if no place ever has a token.
            let Some(first) = net.places.first() else {
                return Err(Error::new("a net has at least one place"));
            };
            let place = builder.place(&first.name, 0);
            builder.place_group(&first.name, vec![place]);
        }
        let mut groups = vec![vec![]; net.transitions.len()];
        for instance in self.instances.sorted(net) {
            sempre_ltl::interrupt::poll();
            let declared = &net.transitions[instance.transition as usize];
            let mut name = declared.name.clone();
            for (position, (variable, value)) in
                declared.variables.iter().zip(instance.values).enumerate()
            {
                name.push(if position == 0 { '(' } else { ',' });
                name.push_str(&variable.name);
                name.push('=');
                net.sorts.write_colour(variable.sort, *value, &mut name);
            }
            if !declared.variables.is_empty() {
                name.push(')');
            }
            let transition = builder.transition(name);
            for (number, weight) in instance.inputs {
                builder.input(transition, ids[*number as usize], *weight)?;
            }
            for (number, weight) in instance.outputs {
                builder.output(transition, ids[*number as usize], *weight)?;
            }
            groups[instance.transition as usize].push(transition);
        }
        for (declared, group) in net.transitions.iter().zip(groups) {
            builder.transition_group(&declared.name, group);
        }
        builder.build()
    }
}

/// Values for the variables of a transition.
struct Binding<'a> {
    transition: u32,
    values: &'a [u32],
    /// The need by which the binding was found, and the number of its colour.
    pivot: Option<(usize, u32)>,
}

impl Instances {
    /// Adds the instance of a transition for a binding, if the colours that it takes were found,
    /// the newest of them is that of the pivot, and no other pivot finds the same binding.
    fn add_binding(
        &mut self,
        net: &ColouredNet,
        limits: &Limits,
        planned: &Planned,
        binding: &Binding<'_>,
        marked: &mut Marked,
        moved: &mut Moved,
    ) -> Result<(), Error> {
        let values = binding.values;
        let transition = &net.transitions[binding.transition as usize];
        if let Some((pivot, newest)) = binding.pivot
            && let Some((place, colour)) = marked.get(newest)
        {
            let is_found =
                |need: &Need| need.place == place && term::includes(&need.tuple, values, colour);
            if planned.needs[..pivot].iter().any(is_found) {
                return Ok(());
            }
        }
        sum(&transition.inputs, values, &mut moved.tokens, &mut moved.arc, limits)?;
        moved.inputs.clear();
        for (place, colour, count) in &moved.tokens {
            let Some(number) = marked.number(*place, *colour) else { return Ok(()) };
            moved.inputs.push((number, weight(*count)?));
        }
        let newest = moved.inputs.iter().map(|(number, _)| *number).max();
        if newest != binding.pivot.map(|(_, newest)| newest) {
            return Ok(());
        }
        sum(&transition.outputs, values, &mut moved.tokens, &mut moved.arc, limits)?;
        moved.outputs.clear();
        for (place, colour, count) in &moved.tokens {
            moved.outputs.push((marked.add(*place, *colour)?, weight(*count)?));
        }
        let (inputs, outputs) = (&moved.inputs[..], &moved.outputs[..]);
        let instance = Instance { transition: binding.transition, values, inputs, outputs };
        self.add(&instance, planned.may_have_equals, limits)
    }
}

/// The tokens of several arcs together, by place and colour; `arc` is room.
fn sum(
    arcs: &[Arc],
    values: &[u32],
    total: &mut Vec<Tokens>,
    arc: &mut Vec<Tokens>,
    limits: &Limits,
) -> Result<(), Error> {
    total.clear();
    for one in arcs {
        arc.clear();
        evaluate(one, values, arc, limits)?;
        total.append(arc);
    }
    if arcs.len() > 1 {
        merge(total);
    }
    Ok(())
}

/// The tokens of one arc, by colour, none of them without a token.
fn evaluate(
    arc: &Arc,
    values: &[u32],
    tokens: &mut Vec<Tokens>,
    limits: &Limits,
) -> Result<(), Error> {
    let most = limits.arcs.max(limits.places);
    for summand in &arc.sum {
        let fits = term::colours(&summand.tuple, values, |colour| {
            tokens.push((arc.place, colour, summand.coefficient));
            tokens.len() <= most
        });
        if !fits {
            let message = format!("the net unfolds to more than {most} arcs");
            return Err(Error::at(arc.span.clone(), message));
        }
    }
    merge(tokens);
    if tokens.iter().any(|(_, _, count)| *count < 0) {
        let message = "the term takes more of a colour away than there is";
        return Err(Error::at(arc.span.clone(), message));
    }
    tokens.retain(|(_, _, count)| *count != 0);
    Ok(())
}

/// Adds up what concerns the same colour of the same place.
fn merge(tokens: &mut Vec<Tokens>) {
    if tokens.len() > 1 {
        tokens.sort_unstable_by_key(|(place, colour, _)| (*place, *colour));
        tokens.dedup_by(|other, kept| {
            let is_same = (other.0, other.1) == (kept.0, kept.1);
            if is_same {
                kept.2 = kept.2.saturating_add(other.2);
            }
            is_same
        });
    }
}

fn weight(count: i64) -> Result<u32, Error> {
    u32::try_from(count).map_err(|_| Error::new("there are 2^32 tokens of a colour or more"))
}
