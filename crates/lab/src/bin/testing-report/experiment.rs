//! Random formulas about models, checked in several ways.

use crate::approach::{Approach, Made};
use sempre_explicit::emptiness::{Check, Property, Roots, testing};
use sempre_explicit::explore::Limits;
use sempre_explicit::store::Arena;
use sempre_explicit::{Deadlock, Edge, Effort, Graph, Negation, Product, StateSpace, Stop};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{Priorities, Rng};
use sempre_ltl::{Formula, Op, Prop};
use sempre_models::proposition::Propositions;
use sempre_models::{Extent, Model as Loaded, System, generate};
use std::error::Error;
use std::time::{Duration, Instant};

/// The families of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    Peterson,
    Ring,
    Fms,
    Kanban,
    Philosophers,
    RoundRobin,
    Mapk,
}

impl Model {
    pub(crate) const ALL: [Model; 7] = [
        Model::Peterson,
        Model::Ring,
        Model::Fms,
        Model::Kanban,
        Model::Philosophers,
        Model::RoundRobin,
        Model::Mapk,
    ];

    /// The family's name, and the parameters of a small and of a large instance.
    fn instance(self) -> (&'static str, u32, u32) {
        match self {
            Model::Peterson => ("peterson", 3, 3),
            Model::Ring => ("ring", 4, 5),
            Model::Fms => ("fms", 2, 3),
            Model::Kanban => ("kanban", 2, 3),
            Model::Philosophers => ("philosophers", 6, 7),
            Model::RoundRobin => ("round-robin", 8, 10),
            Model::Mapk => ("mapk", 1, 1),
        }
    }

    pub(crate) fn name(self, large: bool) -> String {
        let (family, small, larger) = self.instance();
        format!("{family} {}", if large { larger } else { small })
    }

    fn load(self, large: bool) -> Result<Loaded, Box<dyn Error>> {
        let (family, small, larger) = self.instance();
        let net = generate::family(family)?.net(if large { larger } else { small })?;
        Ok(Loaded::from(net))
    }
}

/// The sets of formulas: random ones and fairness assumptions with a random conclusion, each of
/// those that hold and of those that do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    RandomHolds,
    RandomViolated,
    FairHolds,
    FairViolated,
}

impl Class {
    pub(crate) const ALL: [Class; 4] =
        [Class::RandomHolds, Class::RandomViolated, Class::FairHolds, Class::FairViolated];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Class::RandomHolds => "RND, verified",
            Class::RandomViolated => "RND, violated",
            Class::FairHolds => "WFair, verified",
            Class::FairViolated => "WFair, violated",
        }
    }

    fn new(is_fair: bool, holds: bool) -> Self {
        match (is_fair, holds) {
            (false, true) => Class::RandomHolds,
            (false, false) => Class::RandomViolated,
            (true, true) => Class::FairHolds,
            (true, false) => Class::FairViolated,
        }
    }
}

/// What is measured.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) approaches: Vec<Approach>,
    /// Whether generalized Büchi automata are made as small as we can.
    pub(crate) reduced: bool,
    /// How many formulas of each class for each model.
    pub(crate) formulas: usize,
    /// Formulas with fewer explored transitions in any approach are left out.
    pub(crate) least: u64,
    /// In how many orders of successors violations are sought.
    pub(crate) orders: u64,
    pub(crate) seed: u64,
    pub(crate) large: bool,
}

/// Sums over formulas, for one model, class and approach.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) formulas: u64,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) explored_states: u64,
    pub(crate) explored_transitions: u64,
    pub(crate) time: Duration,
}

/// The sums of a model: by class, then by approach.
pub(crate) type Results = [Vec<Sums>; 4];

/// Measures a model.
pub(crate) fn run(model: Model, settings: &Settings) -> Result<Results, Box<dyn Error>> {
    let loaded = model.load(settings.large)?;
    let places = match loaded.net() {
        Some(net) => net.places().map(|place| net.place_name(place).to_owned()).collect(),
        None => vec![],
    };
    let experiment = Experiment { settings, places, number: model as u64 };
    let results = loaded.run(Extent::Whole, |system| Ok(experiment.measure(&**system)));
    results.map_err(|fault| fault.to_string())?
}

struct Experiment<'a> {
    settings: &'a Settings,
    places: Vec<String>,
    number: u64,
}

/// After so many formulas in a row that fit nowhere, a model has no more of them.
const PATIENCE: usize = 2_000;

impl Experiment<'_> {
    fn measure(&self, system: &dyn System) -> Result<Results, Box<dyn Error>> {
        let Settings { approaches, formulas, .. } = self.settings;
        let mut space = StateSpace::<Arena>::new(system);
        let mut results: Results = std::array::from_fn(|_| vec![Sums::default(); approaches.len()]);
        let mut rng = Rng::new(self.settings.seed ^ self.number << 32);
        let mut patience = PATIENCE;
        let is_full = |results: &Results, fair: bool, holds: bool| {
            results[Class::new(fair, holds) as usize][0].formulas as usize >= *formulas
        };
        loop {
            let wants = |fair| !is_full(&results, fair, true) || !is_full(&results, fair, false);
            let is_fair = match (wants(false), wants(true)) {
                (false, false) => break,
                (true, true) => rng.below(2) == 1,
                (_, fair) => fair,
            };
            patience -= 1;
            if patience == 0 {
                break;
            }
            let formula = self.formula(is_fair, &mut rng)?;
            let negated = Formula::not(formula);
            // What is not of use is seen with the first approach, which is the cheapest.
            let (mut made, mut found): (Vec<Made>, Vec<Found>) = (vec![], vec![]);
            for approach in approaches {
                let Ok(next) = approach.negation(&negated, self.settings.reduced) else { break };
                let outcome = search(&mut space, &next.negation, 0)?;
                let too_little = outcome.effort.edges < self.settings.least;
                if too_little || is_full(&results, is_fair, outcome.holds) {
                    break;
                }
                made.push(next);
                found.push(outcome);
            }
            if found.len() < approaches.len() {
                continue;
            }
            if found.iter().any(|other| other.holds != found[0].holds) {
                return Err("the approaches disagree".into());
            }
            let class = Class::new(is_fair, found[0].holds);
            patience = PATIENCE;
            let mut all = vec![found];
            if !all[0][0].holds {
                for order in 1..self.settings.orders {
                    let runs = made.iter().map(|made| search(&mut space, &made.negation, order));
                    all.push(runs.collect::<Result<_, _>>()?);
                }
            }
            let count = all.len() as u64;
            for (place, sums) in results[class as usize].iter_mut().enumerate() {
                let runs = all.iter().map(|found| &found[place]);
                sums.formulas += 1;
                sums.states += made[place].states;
                sums.transitions += made[place].transitions;
                sums.explored_states +=
                    runs.clone().map(|run| run.effort.nodes).sum::<u64>() / count;
                sums.explored_transitions +=
                    runs.clone().map(|run| run.effort.edges).sum::<u64>() / count;
                sums.time += runs.map(|run| run.time).sum::<Duration>() / count as u32;
            }
        }
        Ok(results)
    }

    /// A random formula about marked places, under assumptions of fairness if so wanted.
    fn formula(&self, is_fair: bool, rng: &mut Rng) -> Result<Formula, Box<dyn Error>> {
        let (props, sizes) = if is_fair { (2, 5..=9) } else { (4, 10..=16) };
        let mut names: Vec<Prop> = vec![];
        while names.len() < props {
            let name = Prop::new(&self.places[rng.index(self.places.len())]);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut priorities = Priorities::equal(names.len());
        for op in [Op::Next, Op::StrictFinally, Op::StrictGlobally, Op::True, Op::False, Op::Xor] {
            priorities.set(op, 0);
        }
        let formulas = RandomFormulas::over(names).sizes(sizes).priorities(priorities);
        let mut formulas = formulas.seed(rng.bits()).generate()?;
        let formula = formulas.next().ok_or("there is no formula")??;
        if !is_fair {
            return Ok(formula);
        }
        // 3.5 on average, as in the thesis.
        let assumptions = 2 + rng.index(4);
        let fair = Formula::and((0..assumptions).map(|_| {
            let place = Formula::prop(self.places[rng.index(self.places.len())].as_str());
            Formula::globally(Formula::finally(place))
        }));
        Ok(Formula::implies(fair, formula))
    }
}

/// What a check has found, and its cost.
struct Found {
    holds: bool,
    effort: Effort,
    time: Duration,
}

/// One check: the algorithms of the thesis, without what we have for special automata.
fn search(
    space: &mut StateSpace<'_, Arena>,
    negation: &Negation,
    order: u64,
) -> Result<Found, Box<dyn Error>> {
    let start = Instant::now();
    let mut effort = Effort::default();
    let (limits, progress) = (Limits::default(), |_: &_| ());
    let names = negation.automaton().alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(space.system().names(), names)?;
    let deadlock = Deadlock::Ignore;
    let check = Check::Couvreur { roots: Roots::Plain, known_first: false };
    let lasso = match negation {
        Negation::Valuations(automaton) => {
            let product =
                Product::new(space, automaton, &propositions, deadlock, &limits, &progress);
            let mut product = Shuffled { graph: product, order };
            check.run(&mut product, &Property::new(automaton), &mut effort)
        }
        Negation::Changes(graph) | Negation::PartlyChanges(graph) => {
            let product =
                Product::of_changes(space, graph, &propositions, deadlock, &limits, &progress);
            let mut product = Shuffled { graph: product, order };
            check.run(&mut product, &Property::new(graph.automaton()), &mut effort)
        }
        Negation::Livelocks(livelocks, passes) => {
            let graph = livelocks.graph();
            let product =
                Product::of_changes(space, graph, &propositions, deadlock, &limits, &progress);
            let mut product = Shuffled { graph: product, order };
            testing::search(&mut product, livelocks, *passes, &mut effort)
        }
    };
    let holds = lasso.map_err(|stop: Stop| format!("{stop:?}"))?.is_none();
    Ok(Found { holds, effort, time: start.elapsed() })
}

/// A graph with the successors of nodes in another order, which depends on a number; 0 is the order
/// of the graph.
struct Shuffled<G> {
    graph: G,
    order: u64,
}

impl<G: Graph> Graph for Shuffled<G> {
    type Error = G::Error;

    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), G::Error> {
        self.graph.initial(nodes)
    }

    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, G::Error> {
        let first = edges.len();
        self.graph.successors(node, |_| true, edges)?;
        if self.order > 0 {
            let mut rng = Rng::new(self.order << 32 | u64::from(node));
            let edges = &mut edges[first..];
            for place in (1..edges.len()).rev() {
                edges.swap(place, rng.index(place + 1));
            }
        }
        let count = edges.len() - first;
        let mut number = 0;
        edges.retain(|edge| {
            number += 1;
            number <= first || is_wanted(edge.target)
        });
        Ok(count)
    }

    fn location(&self, node: u32) -> usize {
        self.graph.location(node)
    }

    fn note_bytes(&mut self, bytes: usize) {
        self.graph.note_bytes(bytes);
    }
}
