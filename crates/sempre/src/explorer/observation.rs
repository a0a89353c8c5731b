//! Observation graphs: the behaviour of a model between its observable events.

use super::{Explored, Goal, Job, manager};
use crate::check::{CheckError, Deadlock, Unsupported};
use crate::hybrid::{By, Observation, Sog};
use crate::models::kripke::Kripke;
use crate::models::proposition::Propositions;
use crate::models::{ActionId, Fault, System};
use crate::symbolic::{attempt, race};
use num_bigint::BigUint;

/// An observation graph.
#[derive(Clone, Debug)]
pub struct ObservationGraph {
    /// The observed propositions; bit i of a label is the value of the i-th.
    pub propositions: Vec<String>,
    /// The aggregates, the initial ones first.
    pub aggregates: Vec<Aggregate>,
    /// The number of initial aggregates.
    pub initial: usize,
    /// The edges: source, the name of the transition if edges have one, target.
    pub edges: Vec<(usize, Option<String>, usize)>,
    /// The peak number of nodes.
    pub peak_nodes: usize,
    /// A Kripke structure that satisfies the same formulas without X over the observed
    /// propositions, if it was asked for.
    pub structure: Option<Kripke>,
}

/// A set of states with the same observed propositions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregate {
    /// The propositions that hold.
    pub label: u64,
    /// The number of states.
    pub states: BigUint,
    /// True if a run may end there.
    pub is_dead: bool,
    /// True if a run may stay there for ever.
    pub is_live: bool,
}

/// Splits the texts to observe into propositions and names of transitions, `fired(NAME)`.
fn split(observed: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut names, mut fired) = (Vec::new(), Vec::new());
    for text in observed {
        let text = text.trim();
        match text.strip_prefix("fired(").and_then(|rest| rest.strip_suffix(')')) {
            Some(name) => fired.push(name.trim().to_owned()),
            None => names.push(text.to_owned()),
        }
    }
    (names, fired)
}

/// The event of a transition of a net.
fn event(system: &dyn System, name: &str) -> Result<usize, CheckError> {
    let events =
        system.events().ok_or_else(|| Unsupported("the model has no events".to_owned()))?;
    let mut nets = (0..events.event_count()).filter(|event| events.demands(*event).is_some());
    let found = nets.find(|event| system.names().action_name(ActionId(*event as u32)) == name);
    Ok(found.ok_or_else(|| Unsupported(format!("the model has no transition `{name}`")))?)
}

/// An observation graph is all that there is to count or to draw.
pub(super) fn goal(other: &Goal) -> Option<Goal> {
    let counts = Goal::Count { components: false, bounds: false, unreached: false };
    let is_whole = *other == counts || *other == Goal::Graph;
    is_whole.then(|| Goal::Observe { observed: Vec::new(), as_structure: false })
}

pub(super) fn explore(job: &Job<'_>) -> Result<Explored, CheckError> {
    let Goal::Observe { observed, as_structure } = job.goal else {
        return Err(
            Unsupported("an observation graph has only observed propositions".to_owned()).into()
        );
    };
    let system = job.system;
    let (names, fired) = split(observed);
    let mut propositions = Propositions::default();
    for name in &names {
        propositions
            .push(system.names(), name)
            .map_err(|error| CheckError::Proposition { name: name.clone(), error })?;
    }
    let external = fired.iter().map(|name| event(&**system, name));
    let external = external.collect::<Result<Vec<usize>, CheckError>>()?;
    let by = if external.is_empty() { By::Label } else { By::Transition };
    let manager = manager(job.control);
    let graph = attempt(&manager, &job.control.limits, || -> Result<_, Fault> {
        let first = |encoding: &_| {
            let observation = Observation::new(encoding, propositions.clone(), Deadlock::Stutter);
            let observation = observation.with_external(&external);
            Sog::new(&observation, by, false).map(|_| ())
        };
        let (encoding, ()) = race(&manager, system, &[], first)?;
        let observation = Observation::new(&encoding, propositions.clone(), Deadlock::Stutter);
        let observation = observation.with_external(&external);
        let mut sog = Sog::new(&observation, by, false)?;
        sog.complete(&observation)?;
        graph(&mut sog, &observation, names.clone(), *as_structure)
    })?;
    Ok(Explored { observation: Some(graph), ..Explored::of(system) })
}

fn graph<'s>(
    sog: &mut Sog<'s>,
    observation: &Observation<'_, 's>,
    propositions: Vec<String>,
    as_structure: bool,
) -> Result<ObservationGraph, Fault> {
    let system = observation.encoding().system();
    let origins = observation.encoding().origins();
    let (mut aggregates, mut edges) = (Vec::new(), Vec::new());
    for number in 0..sog.aggregates().len() as u32 {
        let (is_dead, is_live) =
            (sog.is_dead(observation, number), sog.is_live(observation, number));
        let one = &sog.aggregates()[number as usize];
        aggregates.push(Aggregate {
            label: one.label,
            states: one.count.clone(),
            is_dead,
            is_live,
        });
        for edge in sog.edges(observation, number)?.iter() {
            let action =
                edge.event.map(|event| system.names().action_name(ActionId(origins[event] as u32)));
            edges.push((number as usize, action, edge.target as usize));
        }
    }
    let structure = match as_structure {
        true => Some(
            sog.extended(observation, &propositions)?
                .map_err(|error| Fault::Undefined { action: None, message: error.to_string() })?,
        ),
        false => None,
    };
    let initial = sog.initial().len();
    let peak_nodes = observation.none().manager().usage().peak_nodes;
    Ok(ObservationGraph { propositions, aggregates, initial, edges, peak_nodes, structure })
}
