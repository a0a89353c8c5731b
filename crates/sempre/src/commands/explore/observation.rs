//! Observation graphs: the behaviour of a model between its observable events.

use super::report::{Observed, Told};
use super::{Explore, Work};
use crate::pictures::{Drawing, Picture, shorten};
use crate::report::{Located, Place};
use crate::symbolic::{manager, quiet};
use anyhow::{Error, Result, anyhow, bail};
use sempre::check::Deadlock;
use sempre::diagrams::Exhausted;
use sempre::explicit::explore::Reason;
use sempre::hybrid::{By, Observation, Sog};
use sempre::ltl::interrupt;
use sempre::models::proposition::Propositions;
use sempre::models::{ActionId, Fault, System, kripke};
use sempre::symbolic::race;
use std::sync::Arc;

impl Explore {
    /// An error if something is asked for that observation graphs cannot give.
    pub(super) fn refuse_for_observation(&self) -> Result<()> {
        let asked = [
            (self.sccs, "--sccs"),
            (self.bounds, "--bounds"),
            (self.find.is_some(), "--find"),
            (self.deadlock, "--deadlock"),
            (self.threads.is_some(), "--threads"),
            (self.limits.states.is_some(), "--states"),
            (self.search != super::Order::default(), "--search"),
            (self.store != super::Kept::default(), "--store"),
        ];
        match asked.iter().find(|(is_asked, _)| *is_asked) {
            Some((_, option)) => bail!("{option} does not go with --engine sog"),
            None => Ok(()),
        }
    }

    /// The observed propositions, and the transitions whose firing is observed.
    fn observed(&self) -> (Vec<String>, Vec<String>) {
        let mut fired = Vec::new();
        let mut names = Vec::new();
        for text in &self.observe {
            let text = text.trim();
            match text.strip_prefix("fired(").and_then(|rest| rest.strip_suffix(')')) {
                Some(name) => fired.push(name.trim().to_owned()),
                None => names.push(text.to_owned()),
            }
        }
        (names, fired)
    }
}

/// The event of a transition of a net.
fn event(system: &dyn System, name: &str) -> Result<usize> {
    let events = system.events().ok_or_else(|| anyhow!("the model has no events"))?;
    let mut nets = (0..events.event_count()).filter(|event| events.demands(*event).is_some());
    nets.find(|event| system.names().action_name(ActionId(*event as u32)) == name)
        .ok_or_else(|| anyhow!("--observe: the model has no transition `{name}`"))
}

impl Work<'_> {
    /// The observation graph: its size, a drawing, or a structure.
    pub(super) fn observe(&mut self, system: &Arc<dyn System>) -> Result<Result<Told>, Fault> {
        let (names, fired) = self.options.observed();
        let mut propositions = Propositions::default();
        for name in &names {
            if let Err(error) = propositions.push(system.names(), name) {
                let located = Located::new(&Place::Named("--observe"), name, error);
                return Ok(Err(Error::from(located)));
            }
        }
        let external: Result<Vec<usize>> =
            fired.iter().map(|name| event(&**system, name)).collect();
        let external = match external {
            Ok(external) => external,
            Err(error) => return Ok(Err(error)),
        };
        let by = if external.is_empty() { By::Label } else { By::Transition };
        let manager = manager(self.limits.bytes);
        let raised = self.limits.interrupt.clone().unwrap_or_default();
        let outcome = interrupt::run(&raised, self.limits.deadline, || {
            manager.attempt(|| {
                let first = |encoding: &_| {
                    let observation =
                        Observation::new(encoding, propositions.clone(), Deadlock::Stutter);
                    let observation = observation.with_external(&external);
                    Sog::new(&observation, by, false).map(|_| ())
                };
                let (encoding, ()) = race(&manager, system, &[], first)?;
                let observation =
                    Observation::new(&encoding, propositions.clone(), Deadlock::Stutter);
                let observation = observation.with_external(&external);
                let mut sog = Sog::new(&observation, by, false)?;
                sog.complete(&observation)?;
                self.show(&mut sog, &observation, &names)
            })
        });
        quiet();
        let reason = match outcome {
            Ok(Ok(outcome)) => return outcome,
            Ok(Err(Exhausted)) => Reason::Memory,
            Err(_) if raised.is_raised() => Reason::Interrupt,
            Err(_) => Reason::Time,
        };
        Ok(Ok(Told { incomplete: Some(reason), ..Told::default() }))
    }

    fn show<'s>(
        &self,
        sog: &mut Sog<'s>,
        observation: &Observation<'_, 's>,
        names: &[String],
    ) -> Result<Result<Told>, Fault> {
        let picture = match self.options.format {
            _ if self.options.kripke => {
                let structure = sog.extended(observation, names)?;
                structure.map(|structure| kripke::text::write(&structure)).map_err(Error::from)
            }
            Some(drawing) => draw(sog, observation, names, drawing)?,
            None => {
                let count = sog.aggregates().len() as u32;
                let dead = (0..count).filter(|a| sog.is_dead(observation, *a)).count();
                let live = (0..count).filter(|a| sog.is_live(observation, *a)).count();
                let peak_nodes = observation.none().manager().usage().peak_nodes;
                let edges = sog.edge_count();
                let observed = Observed { aggregates: count.into(), edges, dead, live, peak_nodes };
                return Ok(Ok(Told { observed: Some(observed), ..Told::default() }));
            }
        };
        Ok(picture.map(|picture| Told { picture: Some(picture), ..Told::default() }))
    }
}

/// Draws the graph: aggregates with what holds there, how many states they have, and whether a run may
/// end or stay there.
fn draw<'s>(
    sog: &mut Sog<'s>,
    observation: &Observation<'_, 's>,
    names: &[String],
    drawing: Drawing,
) -> Result<Result<String>, Fault> {
    let system = observation.encoding().system();
    let origins = observation.encoding().origins();
    let (mut states, mut edges) = (Vec::new(), Vec::new());
    for aggregate in 0..sog.aggregates().len() as u32 {
        let is_dead = sog.is_dead(observation, aggregate);
        let is_live = sog.is_live(observation, aggregate);
        let one = &sog.aggregates()[aggregate as usize];
        let holding = names.iter().enumerate().filter(|(number, _)| one.label >> number & 1 == 1);
        let mut holding = holding.map(|(_, name)| &**name).collect::<Vec<_>>().join(" ");
        if holding.is_empty() {
            holding.push('–');
        }
        let kind = match (is_dead, is_live) {
            (true, true) => ", dead, live",
            (true, false) => ", dead",
            (false, true) => ", live",
            (false, false) => "",
        };
        let noun = if one.count == 1_u32.into() { "state" } else { "states" };
        states.push(shorten(format!("{holding}: {} {noun}{kind}", one.count)));
        for edge in sog.edges(observation, aggregate)?.iter() {
            let action = edge.event.map_or_else(String::new, |event| {
                system.names().action_name(ActionId(origins[event] as u32))
            });
            let action = if action.is_empty() { "step".to_owned() } else { action };
            edges.push((aggregate as usize, action, edge.target as usize));
        }
    }
    let initial = sog.initial().len();
    Ok(Picture { name: "an observation graph", states, initial, edges }.draw(drawing))
}
