//! The search for certificates by sets.
//!
//! The expansion of obligations becomes an automaton whose marks are the untils that a step does not
//! postpone. Its product with the system is computed by decision diagrams, and divided into
//! [layers](Space::layers).

use crate::check::Deadlock;
use crate::symbolic::{NoLayers, Order, Space};
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Automaton, Label, Marks, Named, StateId};
use sempre_certificate::obligations::{Bits, Obligations, Set, TooMany};
use sempre_certificate::{Claim, Deadlocks, Fair, NONE};
use sempre_certificate_sets::{Layer, Level, SetCertificate, file};
use sempre_diagrams::{self as diagrams, Manager, Strategy};
use sempre_ltl::interrupt;
use sempre_models::proposition::Propositions;
use sempre_models::{Extent, Fault, Model, System};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The maximal number of layers.
const MAX_LAYERS: usize = 1000;

/// The maximal number of propositions: the search lists their valuations.
const MAX_PROPOSITIONS: usize = 10;

/// The maximal number of sets of obligations.
const MAX_SETS: usize = 1000;

/// The work on layers that is always allowed, in steps of diagrams; see [`diagrams::Usage`].
const STEPS: u64 = 20_000_000;

/// Further work on layers, as a multiple of that on reachable states.
const STEPS_FACTOR: u64 = 20;

/// Why there is no certificate by sets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetsFailure {
    /// Sets do not cover the model or the claim.
    #[error("{0}")]
    Uncovered(&'static str),
    /// The search stopped before its end.
    #[error("{0}")]
    Limit(&'static str),
    /// A set of obligations has too many alternatives.
    #[error("{0}")]
    Alternatives(#[from] TooMany),
    /// The model has a fault, or the property has no meaning.
    #[error("{0}")]
    Undefined(String),
    /// The product has an accepting run: the verdict was wrong.
    #[error("the search for it found a violation")]
    Violated,
}

impl From<Fault> for SetsFailure {
    fn from(fault: Fault) -> Self {
        SetsFailure::Undefined(fault.to_string())
    }
}

/// Searches for a certificate by sets, with at most that many bytes of diagrams. Work that reaches a
/// limit of this thread unwinds.
///
/// # Errors
/// If there is none, or it is not found within bounds that depend on the model alone.
pub fn build_sets(
    claim: &Claim,
    model: &Model,
    bytes: usize,
) -> Result<SetCertificate, SetsFailure> {
    if model.net().is_none() {
        return Err(SetsFailure::Uncovered("sets cover Petri nets only"));
    }
    if claim.fair != Fair::All {
        return Err(SetsFailure::Uncovered("sets do not cover fairness"));
    }
    let obligations = claim.obligations();
    if obligations.propositions().len() > MAX_PROPOSITIONS {
        return Err(SetsFailure::Limit("sets cover at most 10 propositions"));
    }
    let (automaton, sets) = automaton(&obligations)?;
    let search = Search { claim, obligations: &obligations, automaton: &automaton, sets: &sets };
    model.run(Extent::Whole, |system| match search.within(system, bytes) {
        Err(Stop::Fault(overflow @ Fault::Overflow(_))) => Err(overflow),
        Err(Stop::Fault(fault)) => Ok(Err(fault.into())),
        Err(Stop::Failure(failure)) => Ok(Err(failure)),
        Ok(certificate) => Ok(Ok(certificate)),
    })?
}

/// Returns the automaton of the obligations, and the set of obligations of each state.
fn automaton(obligations: &Obligations) -> Result<(Automaton, Vec<Set>), SetsFailure> {
    let alphabet = Alphabet::new(obligations.propositions().iter().cloned());
    let alphabet = alphabet.map_err(|error| SetsFailure::Undefined(error.to_string()))?;
    let untils = obligations.until_count();
    let count = alphabet.props().len();
    let letters: Vec<Label> = (0..1u64 << count)
        .map(|valuation| {
            interrupt::poll();
            let bit = |place: usize| (place, valuation >> place & 1 == 1);
            alphabet.from_cube(&(0..count).map(bit).collect::<Vec<_>>())
        })
        .collect();
    let alphabet = Arc::new(alphabet);
    let mut builder = Automaton::builder(Arc::clone(&alphabet));
    builder.acceptance(Named::GeneralizedBuchi(untils as u32).acceptance());
    let mut sets = vec![obligations.initial()];
    let mut numbers = FxHashMap::from_iter([(obligations.initial(), builder.add_state())]);
    builder.initial(numbers[&sets[0]]);
    let mut next = 0;
    while let Some(set) = sets.get(next).cloned() {
        let mut edges: BTreeMap<(Set, Bits), Label> = BTreeMap::new();
        for (valuation, letter) in letters.iter().enumerate() {
            interrupt::poll();
            for one in obligations.expand(&set, valuation as u64)? {
                let label = edges.entry((one.next, one.postponed)).or_insert(alphabet.ff());
                *label = alphabet.or(*label, *letter);
            }
        }
        for ((set, postponed), label) in edges {
            let target = *numbers.entry(set.clone()).or_insert_with(|| {
                sets.push(set);
                builder.add_state()
            });
            let is_kept = |until: &usize| postponed[until / 64] >> (until % 64) & 1 == 0;
            let marks = Marks::from_iter((0..untils).filter(is_kept).map(|until| until as u32));
            builder.edge(StateId::new(next), label, marks, target);
        }
        if sets.len() > MAX_SETS {
            return Err(SetsFailure::Limit("there are more than 1000 sets of obligations"));
        }
        next += 1;
    }
    Ok((builder.build(), sets))
}

/// Why a search with one width of states stops.
enum Stop {
    Fault(Fault),
    Failure(SetsFailure),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

impl From<SetsFailure> for Stop {
    fn from(failure: SetsFailure) -> Self {
        Stop::Failure(failure)
    }
}

struct Search<'a> {
    claim: &'a Claim,
    obligations: &'a Obligations,
    automaton: &'a Automaton,
    sets: &'a [Set],
}

impl Search<'_> {
    fn within(&self, system: &Arc<dyn System>, bytes: usize) -> Result<SetCertificate, Stop> {
        let poll = Rc::new(|_: &_| interrupt::poll_now());
        let manager = Manager::new(diagrams::Options { memory: bytes, poll: Some(poll) });
        let outcome = manager.attempt(|| self.on(&manager, system));
        outcome.map_err(|_| SetsFailure::Limit("the memory limit was reached"))?
    }

    fn on(&self, manager: &Manager<'_>, system: &Arc<dyn System>) -> Result<SetCertificate, Stop> {
        let space = Space::find(manager, system, &Order::Best, Strategy::Saturation)?;
        let texts = self.obligations.propositions().iter().map(|prop| prop.name());
        let propositions = Propositions::compile(system.names(), texts);
        let propositions =
            propositions.map_err(|error| SetsFailure::Undefined(error.to_string()))?;
        let deadlock = match self.claim.deadlocks {
            Deadlocks::Stutter => Deadlock::Stutter,
            Deadlocks::Ignore => Deadlock::Ignore,
            Deadlocks::Report => Deadlock::Report,
        };
        if deadlock == Deadlock::Report && !space.deadlocks().is_empty() {
            return Err(SetsFailure::Violated.into());
        }
        let steps = STEPS.saturating_add(manager.usage().steps.saturating_mul(STEPS_FACTOR));
        let layers = || space.layers(self.automaton, &propositions, deadlock, MAX_LAYERS);
        let layers = manager.within(steps, layers);
        let layers = layers.ok_or(SetsFailure::Limit("layers are too much work"))?;
        let layers = layers.map_err(|reason| match reason {
            NoLayers::TooMany => SetsFailure::Limit("there are more than 1000 layers").into(),
            NoLayers::Accepting => SetsFailure::Violated.into(),
            NoLayers::Fault(fault) => Stop::Fault(fault),
        })?;
        let mut roots: Vec<diagrams::Set<'_>> = Vec::new();
        let mut listed = Vec::new();
        let mut promises = Vec::new();
        for (rank, layer) in (0..).zip(&layers) {
            promises.push(layer.promise.unwrap_or(NONE));
            for (set, states) in (0..).zip(&layer.parts) {
                interrupt::poll();
                if states.is_empty() {
                    continue;
                }
                let known = roots.iter().position(|root| root == states);
                let root = known.unwrap_or_else(|| {
                    roots.push(states.clone());
                    roots.len() - 1
                });
                listed.push(Layer { rank, set, root: root as u32 });
            }
        }
        let (variables, levels) = exported(&space, system, roots)?;
        let (claim, sets) = (self.claim.clone(), self.sets.to_vec());
        Ok(SetCertificate { claim, variables, sets, levels, layers: listed, promises })
    }
}

/// The variables with their bits, from the top, and the levels of diagrams, from the bottom.
type Exported = (Vec<(u32, u32)>, Vec<Level>);

/// Returns the levels of diagrams with these roots.
#[expect(clippy::mutable_key_type, reason = "sets are equal by their nodes, which do not change")]
fn exported(
    space: &Space<'_>,
    system: &Arc<dyn System>,
    roots: Vec<diagrams::Set<'_>>,
) -> Result<Exported, Stop> {
    let narrow = |value: i64| {
        let bits = 64 - (value as u64).leading_zeros();
        let limit = SetsFailure::Limit("a place has more than 65535 tokens");
        if (0..=i64::from(u32::MAX)).contains(&value) && bits <= file::MAX_BITS {
            Ok(bits)
        } else {
            Err(limit)
        }
    };
    let mut variables = Vec::new();
    let mut levels = Vec::new();
    let raw = space.reached.ranges().unwrap_or_default();
    let mut tier = roots;
    for ((variable, (least, most)), (raw_least, _)) in space.ranges().into_iter().zip(raw) {
        variables.push((variable.0, narrow(most)?));
        let mut numbers: FxHashMap<diagrams::Set<'_>, u32> = FxHashMap::default();
        let mut below = Vec::new();
        let mut level = Level::default();
        for node in &tier {
            interrupt::poll();
            for value in node.first_values() {
                let child = node.below(value);
                let number = *numbers.entry(child.clone()).or_insert_with(|| {
                    below.push(child);
                    below.len() as u32 - 1
                });
                let value = i64::from(value) - i64::from(raw_least) + least;
                narrow(value)?;
                level.edges.push((value as u32, number));
            }
            level.ends.push(level.edges.len() as u32);
        }
        levels.push(level);
        tier = below;
    }
    // Variables that do not change are no part of diagrams.
    let names = system.names();
    let initial = system.initial()?;
    let known: Vec<u32> = variables.iter().map(|(variable, _)| *variable).collect();
    let missing = (0..names.variable_count() as u32).filter(|number| !known.contains(number));
    for number in missing.collect::<Vec<_>>() {
        interrupt::poll();
        let value = initial
            .first()
            .map_or(0, |state| names.value(state, sempre_models::VariableId(number)));
        let count = levels.first().map_or(1, |level| level.ends.len() as u32);
        variables.insert(0, (number, narrow(value)?));
        let edges = (0..count).map(|root| (value as u32, root)).collect();
        levels.insert(0, Level { ends: (1..=count).collect(), edges });
    }
    let depth: u32 = variables.iter().map(|(_, bits)| *bits).sum();
    if depth > file::MAX_DEPTH {
        return Err(SetsFailure::Limit("states have too many bits").into());
    }
    levels.reverse();
    Ok((variables, levels))
}
