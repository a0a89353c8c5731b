//! The check of one automaton on a graph of aggregates.

use sempre_automata::Automaton;
use sempre_automata::strength::Way;
use sempre_check::{
    CheckError, Control, Counterexample, Deadlock, Question, Rejected, Unsupported,
};
use sempre_diagrams::Set;
use sempre_explicit::Effort;
use sempre_explicit::emptiness::{self, Check};
use sempre_symbolic::Order;
use sempre_testing::{AutomatonKind, ChangeGraph, Negation};

use crate::graph::{Definition, Lazy, Property, missing_mark};
use crate::observation::Observation;
use crate::product::SogProduct;
use crate::run::{End, Layer, run};
use crate::slap::Slap;
use crate::sog::{By, Sog};
use crate::sop::Sop;
use crate::steps::Steps;

/// The graph of aggregates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The symbolic observation graph, and its product with the automaton.
    Sog,
    /// The symbolic observation product.
    Sop,
    /// The self-loop aggregation product.
    #[default]
    Slap,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 3] = [Method::Sog, Method::Sop, Method::Slap];

    /// The name of the method.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Sog => "sog",
            Method::Sop => "sop",
            Method::Slap => "slap",
        }
    }
}

/// How a check is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The graph.
    pub method: Method,
    /// The kind of automaton, `tgba` or `tgta`.
    pub automaton: AutomatonKind,
    /// The emptiness check; chosen by the strength of the automaton if there is none.
    pub emptiness: Option<Check>,
    /// Take the automaton apart by the strengths of its components, which this method finds; for
    /// self-loop aggregation only. The emptiness check is that of the strong part.
    pub decompose: Option<Way>,
    /// How the successors of aggregates are made in observation graphs.
    pub by: By,
    /// Transitions of a net that are external though they change nothing observed; `auto` chooses
    /// some by a heuristic if aggregates are expensive.
    pub external: Vec<String>,
    /// Further propositions that observation graphs observe.
    pub observe: Vec<String>,
    /// Drop nodes whose states are among those of a node that was searched without success.
    pub inclusion: bool,
    /// Decide in terminal and weak states by a look at one aggregate, as the definitions do not.
    pub shortcuts: bool,
    /// The order of the variables; the best one is that with which the first aggregates are found
    /// first.
    pub order: Order,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::default(),
            automaton: AutomatonKind::Auto,
            emptiness: None,
            decompose: None,
            by: By::default(),
            external: Vec::new(),
            observe: Vec::new(),
            inclusion: true,
            shortcuts: true,
            order: Order::Best,
        }
    }
}

/// The costs of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) aggregates: u64,
    pub(crate) edges: u64,
    pub(crate) nodes: u64,
    pub(crate) followed: u64,
}

/// The automaton of a negation with a mark at least.
pub(crate) fn with_a_mark(negation: &Negation) -> Result<Negation, Unsupported> {
    let refuse = || Unsupported("hybrid engines need generalized Büchi acceptance".to_owned());
    match negation {
        Negation::Valuations(automaton) => Ok(match missing_mark(automaton.acceptance()) {
            None => negation.clone(),
            Some((acceptance, marks)) => {
                let mut builder = automaton.edit();
                builder.acceptance(acceptance);
                builder.retain_edges(|_, edge| {
                    edge.marks = marks.clone();
                    true
                });
                Negation::Valuations(builder.build())
            }
        }),
        Negation::Changes(graph) => Ok(match missing_mark(graph.automaton().acceptance()) {
            None => negation.clone(),
            Some((acceptance, marks)) => {
                Negation::Changes(graph.with_marks(acceptance, |_, _| marks.clone()))
            }
        }),
        Negation::PartlyChanges(_) | Negation::Livelocks(..) | Negation::OnDemand(_) => {
            Err(refuse())
        }
    }
}

/// The search of one graph.
pub(crate) struct Search<'a, 'e, 's> {
    pub(crate) question: &'a Question,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control<'a>,
    pub(crate) observation: &'a Observation<'e, 's>,
}

impl<'s> Search<'_, '_, 's> {
    /// Looks for a run that the automaton of a negation accepts, on an observation graph or by
    /// products; returns the emptiness check as well. The run is judged.
    pub(crate) fn run(
        &self,
        negation: &Negation,
        sog: Option<(&mut Sog<'s>, Vec<usize>)>,
        size: &mut Size,
    ) -> Result<(Option<Counterexample>, &'static str), CheckError> {
        let (automaton, changes) = (negation.automaton(), negation.changes());
        let deadlock = self.question.deadlock();
        let property = Property::new(automaton, deadlock, self.options.shortcuts)?;
        let check = self.emptiness(automaton)?;
        let observation = self.observation;
        let found = match sog {
            Some((sog, places)) => {
                let property = &property;
                let mut product = SogProduct { observation, sog, property, changes, places };
                self.search(&mut product, property, check, size)?
            }
            None => self.by_products(&property, changes, check, size)?,
        };
        Ok((found, check.name()))
    }

    fn by_products(
        &self,
        property: &Property<'_>,
        changes: Option<&ChangeGraph>,
        check: Check,
        size: &mut Size,
    ) -> Result<Option<Counterexample>, CheckError> {
        match self.options.method {
            Method::Sop => {
                let mut product = Sop::new(self.observation, property, changes);
                self.search(&mut product, property, check, size)
            }
            _ => {
                let mut product = Slap::new(self.observation, property, changes);
                self.search(&mut product, property, check, size)
            }
        }
    }

    /// The emptiness check that is asked for, or the best one.
    fn emptiness(&self, automaton: &Automaton) -> Result<Check, Unsupported> {
        let property = emptiness::Property::new(automaton);
        let is_total = self.question.deadlock() == Deadlock::Stutter;
        let Some(check) = self.options.emptiness else {
            return Ok(Check::best_for(&property, is_total));
        };
        let reason = match check {
            Check::Terminal if !is_total => Some("deadlocks must stutter"),
            check => check.objection(&property),
        };
        match reason {
            None => Ok(check),
            Some(reason) => {
                Err(Unsupported(format!("this emptiness check does not fit: {reason}")))
            }
        }
    }

    fn search(
        &self,
        definition: &mut dyn Definition<'s>,
        property: &Property<'_>,
        check: Check,
        size: &mut Size,
    ) -> Result<Option<Counterexample>, CheckError> {
        let drops = self.options.inclusion
            && self.options.method != Method::Sog
            && matches!(check, Check::Couvreur { .. });
        let mut effort = Effort::default();
        let facts = emptiness::Property::new(property.automaton);
        let found = {
            let mut graph = Lazy::new(&mut *definition, property, drops, self.control.progress);
            match check.run(&mut graph, &facts, &mut effort)? {
                Some(lasso) => Some(graph.layers(&lasso)?),
                None => None,
            }
        };
        let (aggregates, edges) = definition.size();
        size.aggregates = aggregates;
        size.edges = edges;
        size.nodes += effort.nodes;
        size.followed += effort.edges;
        match found {
            None => Ok(None),
            Some((entry, layers, end)) => self.counterexample(&entry, &layers, &end).map(Some),
        }
    }

    /// The run through these layers, judged.
    fn counterexample(
        &self,
        initial: &Set<'s>,
        layers: &[Layer<'s>],
        end: &End<'s>,
    ) -> Result<Counterexample, CheckError> {
        let lost = || Rejected("there is no run through the aggregates of a lasso".to_owned());
        let found = run(self.observation, initial, layers, end);
        let found = found.ok_or_else(lost)?;
        let encoding = self.observation.encoding();
        let states = |tuples: &[Vec<u32>]| -> Vec<Box<[u32]>> {
            tuples.iter().map(|tuple| encoding.state(tuple)).collect()
        };
        let system = &**encoding.system();
        let run = Counterexample::through(system, &states(&found.prefix), &states(&found.cycle))?;
        run.judge(system, self.question.property(), self.question.deadlock())?;
        Ok(run)
    }

    /// Looks for a state without successors among all states, as aggregates of an observation graph.
    pub(crate) fn deadlock(&self, sog: &mut Sog<'s>) -> Result<Option<Counterexample>, CheckError> {
        let observation = self.observation;
        // For each aggregate the one from which it was met first.
        let mut parents: Vec<Option<u32>> = vec![None; sog.aggregates().len()];
        let mut next = 0;
        let mut queue: Vec<u32> = sog.initial().to_vec();
        let mut known: Vec<bool> = vec![false; sog.aggregates().len()];
        queue.iter().for_each(|aggregate| known[*aggregate as usize] = true);
        while next < queue.len() {
            sempre_ltl::interrupt::poll();
            let here = queue[next];
            next += 1;
            if sog.is_dead(observation, here) {
                return self.run_to_deadlock(sog, &parents, here).map(Some);
            }
            for edge in sog.edges(observation, here)?.iter() {
                let target = edge.target as usize;
                parents.resize(sog.aggregates().len(), None);
                known.resize(sog.aggregates().len(), false);
                if !std::mem::replace(&mut known[target], true) {
                    parents[target] = Some(here);
                    queue.push(edge.target);
                }
            }
        }
        Ok(None)
    }

    fn run_to_deadlock(
        &self,
        sog: &Sog<'s>,
        parents: &[Option<u32>],
        last: u32,
    ) -> Result<Counterexample, CheckError> {
        let mut path = vec![last];
        while let Some(Some(parent)) = parents.get(path[path.len() - 1] as usize) {
            path.push(*parent);
        }
        path.reverse();
        let states = |number: u32| {
            sog.states(number)
                .cloned()
                .ok_or_else(|| Rejected("the states of aggregates were not kept".to_owned()))
        };
        let sets: Vec<Set<'s>> = path.into_iter().map(states).collect::<Result<_, _>>()?;
        let layer = |(number, set): (usize, &Set<'s>)| Layer {
            states: set.clone(),
            stay: Steps::between(set, set),
            cross: sets.get(number + 1).map(|next| Steps::between(set, next)),
            pause: self.observation.none(),
        };
        let layers: Vec<Layer<'s>> = sets.iter().enumerate().map(layer).collect();
        let dead = sets.last().map(|set| self.observation.dead(set));
        let end = End::At(dead.unwrap_or_else(|| self.observation.none()));
        self.counterexample(self.observation.initial(), &layers, &end)
    }
}
