//! Facts about the propositions of a question, found in the model without exploring it.
//!
//! A model knows more about propositions than a formula does: a process is in one location at a
//! time, `x > 3` implies `x > 1`, places of a state machine share one token. Each [`Fact`] holds in
//! the model whatever the property is, so checks may restrict the automaton of a property to words
//! that satisfy it. Detectors overapproximate the model, and a number of fired events bounds their
//! work. They use
//!
//! - the values of one or two variables: all of them, or those that a data-flow pass reaches
//!   (`projection`);
//! - invariants of nets (`tokens`);
//! - the initial states, and the order in which a variable takes its values (`order`).

mod clauses;
mod order;
mod projection;
#[cfg(test)]
mod tests;
mod tokens;

use crate::layout::Field;
use crate::model::Model;
use crate::proposition::Propositions;
use crate::system::{System, VariableId};
use clauses::{Literal, Valuations, cliques, exclusion, exclusive};
use projection::{Analysis, Projection};
use sempre_ltl::rewrite::conjunction;
use sempre_ltl::{Formula, Prop};

/// The detector that found a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// A process is in one of its locations at a time.
    Locations,
    /// A variable has one value at a time.
    Values,
    /// Each value of a variable that satisfies one proposition also satisfies another one.
    Implied,
    /// No values of two variables satisfy the propositions together.
    Incompatible,
    /// The values that two variables reach together, such as those of a variable at a location.
    DataFlow,
    /// An invariant of a net: a weighted number of tokens never changes.
    Invariant,
    /// The valuation of the initial states.
    Initial,
    /// A proposition that stays true, or false, for ever.
    Monotone,
    /// The order in which propositions become true.
    Order,
}

impl FactKind {
    /// All kinds.
    pub const ALL: [FactKind; 9] = [
        FactKind::Locations,
        FactKind::Values,
        FactKind::Implied,
        FactKind::Incompatible,
        FactKind::DataFlow,
        FactKind::Invariant,
        FactKind::Initial,
        FactKind::Monotone,
        FactKind::Order,
    ];

    /// Returns the name in output.
    pub const fn name(self) -> &'static str {
        match self {
            FactKind::Locations => "locations",
            FactKind::Values => "values",
            FactKind::Implied => "implied",
            FactKind::Incompatible => "incompatible",
            FactKind::DataFlow => "data-flow",
            FactKind::Invariant => "invariant",
            FactKind::Initial => "initial",
            FactKind::Monotone => "monotone",
            FactKind::Order => "order",
        }
    }

    /// True if facts of this kind are Boolean formulas that each state satisfies. Facts of other
    /// kinds are formulas that each run satisfies.
    pub const fn is_constraint(self) -> bool {
        !matches!(self, FactKind::Initial | FactKind::Monotone | FactKind::Order)
    }
}

/// A fact about the propositions of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The detector.
    pub kind: FactKind,
    /// The formula. It holds in each state if the kind [is a constraint](FactKind::is_constraint),
    /// and on each run otherwise.
    pub formula: Formula,
    /// The reason, for human readers.
    pub reason: String,
}

impl Fact {
    /// Returns the formula that each run satisfies: `G` of a constraint.
    pub fn assumption(&self) -> Formula {
        match self.kind.is_constraint() {
            true => Formula::globally(self.formula.clone()),
            false => self.formula.clone(),
        }
    }
}

/// Returns the conjunction of the constraints among facts; true if there are none.
pub fn constraint(facts: &[Fact]) -> Formula {
    let constraints = facts.iter().filter(|fact| fact.kind.is_constraint());
    conjunction(constraints.map(|fact| fact.formula.clone()))
}

/// The default bound on fired events.
pub const STEPS: u64 = 50_000;

/// The maximal number of values of one or two variables that are enumerated.
const MAX_VALUES: u64 = 1 << 12;

/// The largest number of facts.
const MAX_FACTS: usize = 256;

/// If more propositions than this are about the same two variables, only pairs of them are
/// considered.
const MAX_TOGETHER: usize = 6;

/// Finds facts about propositions, within a bound on fired events. Propositions that are invalid,
/// or about steps, deadlocks or more than two variables, get only the facts by invariants. The
/// result depends on the model alone, and may be empty.
pub fn find(model: &Model, system: &dyn System, props: &[Prop], steps: u64) -> Vec<Fact> {
    let Some(mut detector) = Detector::new(system, props, steps) else { return Vec::new() };
    detector.one_variable();
    detector.two_variables();
    if let Some(net) = model.net() {
        let found = tokens::find(net, &detector);
        detector.facts.extend(found);
    }
    detector.initially();
    detector.facts.truncate(MAX_FACTS);
    detector.facts
}

/// A proposition about one or two variables.
struct Observed {
    /// Its number among all propositions.
    number: usize,
    /// The variables that it reads.
    variables: Vec<VariableId>,
    propositions: Propositions,
}

impl Observed {
    /// Returns the value in a state; `None` if the proposition has none there.
    fn holds(&self, state: &[u32]) -> Option<bool> {
        self.propositions.holding(state, false).ok().map(|bits| bits == 1)
    }
}

struct Detector<'a> {
    analysis: Analysis<'a>,
    system: &'a dyn System,
    props: &'a [Prop],
    observed: Vec<Observed>,
    /// The projections to single variables.
    single: Vec<(VariableId, Option<Projection>)>,
    facts: Vec<Fact>,
}

impl<'a> Detector<'a> {
    fn new(system: &'a dyn System, props: &'a [Prop], steps: u64) -> Option<Self> {
        let analysis = Analysis::new(system, steps)?;
        let events = system.events()?;
        let mut observed = Vec::new();
        for (number, prop) in props.iter().enumerate() {
            let mut propositions = Propositions::default();
            let is_read = propositions.push(system.names(), prop.name()).is_ok();
            if !is_read || propositions.is_about_steps() || propositions.is_about_deadlocks() {
                continue;
            }
            let all = (0..system.names().variable_count() as u32).map(VariableId);
            let footprint = propositions.footprint(0);
            let is_touched = |variable: &VariableId| {
                events.field(*variable).is_some_and(|field| footprint.touches(field))
            };
            let variables: Vec<VariableId> = all.filter(is_touched).take(3).collect();
            observed.push(Observed { number, variables, propositions });
        }
        let (single, facts) = (Vec::new(), Vec::new());
        Some(Detector { analysis, system, props, observed, single, facts })
    }

    fn field(&self, variable: VariableId) -> Option<Field> {
        self.system.events()?.field(variable)
    }

    fn is_location(&self, variable: VariableId) -> bool {
        let name = self.system.names().variable_name(variable);
        self.system.names().processes().contains(&name)
    }

    /// Returns the variables of propositions, each once.
    fn variables(&self) -> Vec<VariableId> {
        let about = self.observed.iter().filter(|observed| observed.variables.len() <= 2);
        let mut all: Vec<VariableId> =
            about.flat_map(|observed| observed.variables.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the propositions that read only these variables, by their places.
    fn about(&self, variables: &[VariableId]) -> Vec<usize> {
        let is_within = |observed: &Observed| {
            !observed.variables.is_empty()
                && observed.variables.iter().all(|variable| variables.contains(variable))
        };
        (0..self.observed.len()).filter(|place| is_within(&self.observed[*place])).collect()
    }

    /// Returns the valuations of some propositions for the given values of variables; `None` if one
    /// has no meaning there.
    fn valuations<'v>(
        &self,
        places: &[usize],
        fields: &[Field],
        values: impl Iterator<Item = &'v [u32]>,
    ) -> Option<Valuations> {
        let mut valuations = Valuations::default();
        for values in values {
            let state = self.analysis.state(fields, values);
            valuations.0.insert(self.valuation(places, &state)?);
        }
        Some(valuations)
    }

    fn valuation(&self, places: &[usize], state: &[u32]) -> Option<u64> {
        let mut bits = 0;
        for (bit, place) in places.iter().enumerate() {
            bits |= u64::from(self.observed[*place].holds(state)?) << bit;
        }
        Some(bits)
    }

    /// Returns the valuations for all values that the fields of the variables can hold; `None` if
    /// there are too many, or if a field might not hold all values of its variable.
    fn by_range(&self, places: &[usize], variables: &[VariableId]) -> Option<Valuations> {
        let fields: Vec<Field> =
            variables.iter().map(|variable| self.field(*variable)).collect::<Option<_>>()?;
        // Wider states hold more values.
        let is_bounded = |field: &Field| self.system.is_widest() || field.mask() == 1;
        let count = fields
            .iter()
            .try_fold(1u64, |product, field| product.checked_mul(u64::from(field.mask()) + 1))?;
        if count > MAX_VALUES || !fields.iter().all(is_bounded) {
            return None;
        }
        let tuples: Vec<Vec<u32>> = (0..count)
            .map(|number| {
                let mut rest = number;
                let digit = |field: &Field| {
                    let size = u64::from(field.mask()) + 1;
                    let digit = rest % size;
                    rest /= size;
                    digit as u32
                };
                fields.iter().map(digit).collect()
            })
            .collect();
        self.valuations(places, &fields, tuples.iter().map(Vec::as_slice))
    }

    fn push(&mut self, kind: FactKind, formula: Formula, reason: String) {
        self.facts.push(Fact { kind, formula, reason });
    }

    /// Finds facts about propositions of one variable.
    fn one_variable(&mut self) {
        for variable in self.variables() {
            let places = self.about(&[variable]);
            let Some(field) = self.field(variable).filter(|_| !places.is_empty()) else { continue };
            let projection = self.analysis.project(&[field]);
            let reached = projection.as_ref().and_then(|projection| {
                let nodes = projection.nodes.iter().map(Vec::as_slice);
                self.valuations(&places, &[field], nodes)
            });
            let valuations = reached.or_else(|| self.by_range(&places, &[variable]));
            if let Some(valuations) = valuations {
                self.at_a_time(variable, &places, &valuations);
            }
            if let Some(projection) = &projection {
                let found = order::find(self, variable, &places, projection);
                self.facts.extend(found);
            }
            self.single.push((variable, projection));
        }
    }

    /// Adds facts about the values of a variable.
    fn at_a_time(&mut self, variable: VariableId, places: &[usize], valuations: &Valuations) {
        let name = self.system.names().variable_name(variable);
        let (kind, has, implied) = match self.is_location(variable) {
            true => (FactKind::Locations, "is in one location", FactKind::Locations),
            false => (FactKind::Values, "has one value", FactKind::Implied),
        };
        let props: Vec<Prop> = places.iter().map(|place| self.prop(*place)).collect();
        let mut pairs = Vec::new();
        for literals in valuations.contradictions(props.len(), 2) {
            let formula = exclusion(&props, &literals);
            match literals[..] {
                [(_, value)] => {
                    let word = if value { "never" } else { "always" };
                    let reason = format!("{name} {word} has such a value");
                    self.push(kind, formula, reason);
                }
                [(left, true), (right, true)] => pairs.push((left, right)),
                [(_, false), (_, false)] => {
                    let reason = format!("{name} has no other value");
                    self.push(kind, formula, reason);
                }
                _ => self.push(implied, formula, format!("by the values of {name}")),
            }
        }
        for clique in cliques(&pairs) {
            let formula = exclusive(&props, &clique).constraint();
            self.push(kind, formula, format!("{name} {has} at a time"));
            let none: Vec<Literal> = clique.iter().map(|number| (*number, false)).collect();
            if none.len() > 2 && !valuations.satisfy(&none) {
                let formula = exclusion(&props, &none);
                self.push(kind, formula, format!("{name} has no other value"));
            }
        }
    }

    fn prop(&self, place: usize) -> Prop {
        self.props[self.observed[place].number].clone()
    }

    /// Finds facts about propositions of two variables together.
    fn two_variables(&mut self) {
        let variables = self.variables();
        for (number, left) in variables.iter().enumerate() {
            for right in &variables[number + 1..] {
                self.pair(*left, *right);
            }
        }
    }

    fn pair(&mut self, left: VariableId, right: VariableId) {
        let places = self.about(&[left, right]);
        let reads = |place: &usize, variable| self.observed[*place].variables.contains(&variable);
        let is_joint = places.iter().any(|place| reads(place, left))
            && places.iter().any(|place| reads(place, right));
        let fields = [self.field(left), self.field(right)];
        let ([Some(first), Some(second)], true) = (fields, is_joint && places.len() <= 64) else {
            return;
        };
        let by_range = self.by_range(&places, &[left, right]);
        let projection = self.analysis.project(&[first, second]);
        let reached = projection.as_ref().and_then(|projection| {
            let nodes = projection.nodes.iter().map(Vec::as_slice);
            self.valuations(&places, &[first, second], nodes)
        });
        let Some(valuations) = reached.as_ref().or(by_range.as_ref()) else { return };
        let props: Vec<Prop> = places.iter().map(|place| self.prop(*place)).collect();
        let most = if props.len() <= MAX_TOGETHER { 3 } else { 2 };
        let [one, other] =
            [left, right].map(|variable| self.system.names().variable_name(variable));
        for literals in valuations.contradictions(props.len(), most) {
            let mut read: Vec<VariableId> = literals
                .iter()
                .flat_map(|(number, _)| self.observed[places[*number]].variables.iter().copied())
                .collect();
            read.sort_unstable();
            read.dedup();
            if read.len() < 2 {
                continue; // It is about one variable.
            }
            let formula = exclusion(&props, &literals);
            let is_plain = by_range.as_ref().is_some_and(|all| !all.satisfy(&literals));
            match is_plain {
                true => self.push(
                    FactKind::Incompatible,
                    formula,
                    format!("by the values of {one} and {other}"),
                ),
                false => self.push(
                    FactKind::DataFlow,
                    formula,
                    format!("by the values that {one} and {other} reach together"),
                ),
            }
        }
    }

    /// Adds the valuation of the initial states, as far as they agree.
    fn initially(&mut self) {
        let mut literals = Vec::new();
        for observed in &self.observed {
            let values: Option<Vec<bool>> =
                self.analysis.initial().iter().map(|state| observed.holds(state)).collect();
            if let Some(values) = values
                && values.iter().all(|value| *value == values[0])
            {
                let prop = Formula::from(&self.props[observed.number]);
                literals.push(if values[0] { prop } else { Formula::not(prop) });
            }
        }
        if !literals.is_empty() {
            let reason = "so it is initially".to_owned();
            self.push(FactKind::Initial, conjunction(literals), reason);
        }
    }
}
