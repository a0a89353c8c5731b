//! Checks random formulas on nets with several approaches.
//!
//! RND are formulas over four places; WFair are formulas over two places under two to five
//! assumptions that places are marked infinitely often. A formula is selected if every approach
//! explores enough transitions; the thesis requires a second of processor time instead. For
//! violated formulas, figures are means over several successor orders, since the thesis reports
//! that the order has much influence.

use super::approach::{Approach, Made};
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{Parameter, parameter};
use anyhow::{Context, Result, anyhow, bail};
use sempre_check::{Deadlock, Limits};
use sempre_explicit::emptiness::testing::{self, Livelocks};
use sempre_explicit::emptiness::{Check, Property, Roots};
use sempre_explicit::store::Arena;
use sempre_explicit::{Edge, Effort, Graph, Product, StateSpace, Stop};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{Priorities, Rng};
use sempre_ltl::{Formula, Op, Prop};
use sempre_models::proposition::Propositions;
use sempre_models::{Extent, System};
use sempre_testing::Negation;
use std::time::{Duration, Instant};

pub(super) const PARAMETERS: &[Parameter] = &[
    parameter(
        "models",
        "nets, as FAMILY:NUMBER",
        "peterson:3 ring:4 fms:2 kanban:2 philosophers:6 round-robin:8 mapk:1",
        "philosophers:3 ring:3",
    ),
    parameter("formulas", "of each class for each net", "20", "1"),
    parameter("least", "minimal transitions of every approach", "2000", "20"),
    parameter("orders", "of successors in which violations are sought", "5", "2"),
    parameter("patience", "unsuitable formulas in a row after which a net ends", "2000", "60"),
    parameter("seed", "of formulas", "0", "0"),
];

pub(super) const UNIT: &[&str] = &["model", "drawn"];

pub(super) const VALUES: &[&str] = &[
    "class",
    "formula",
    "approach",
    "states",
    "transitions",
    "explored_states",
    "explored_transitions",
    "seconds",
];

/// The families of nets, with the instances in the tables of the thesis. The order determines the
/// drawn formulas.
pub(super) const FAMILIES: [(&str, &str); 7] = [
    ("peterson", "Peterson5"),
    ("ring", "Ring6"),
    ("fms", "FMS5"),
    ("kanban", "Kanban5"),
    ("philosophers", "Philo10"),
    ("round-robin", "Robin15"),
    ("mapk", "MAPK8"),
];

/// The sets of formulas.
pub(super) const CLASSES: [&str; 4] =
    ["RND, verified", "RND, violated", "WFair, verified", "WFair, violated"];

fn class(is_fair: bool, holds: bool) -> usize {
    2 * usize::from(is_fair) + usize::from(!holds)
}

/// Measures all nets with these approaches, of which the first is the cheapest. If `reduced`,
/// generalized Büchi automata get all reductions.
pub(super) fn run(bench: &mut Bench<'_>, approaches: &[Approach], reduced: bool) -> Result<()> {
    let settings = bench.settings().clone();
    for name in settings.words("models") {
        let (family, _) = name.split_once(':').context("a net is given as FAMILY:NUMBER")?;
        let number = FAMILIES.iter().position(|(known, _)| *known == family);
        let number = number.with_context(|| format!("the thesis has no `{family}`"))?;
        let model = Place::named(name, &settings)?.open()?;
        let Some(net) = model.net() else { bail!("{name} is no net") };
        let places = net.places().map(|place| net.place_name(place).to_owned()).collect();
        let mut task = Measurement {
            name,
            approaches,
            reduced,
            places,
            formulas: settings.number("formulas")?,
            least: settings.number("least")?,
            orders: settings.number("orders")?,
            patience: settings.number("patience")?,
            rng: Rng::new(settings.number::<u64>("seed")? ^ (number as u64) << 32),
            bench,
        };
        let measured = model.run(Extent::Whole, |system| Ok(task.measure(&**system)));
        measured.map_err(|fault| anyhow!("{name}: {fault}"))??;
    }
    Ok(())
}

struct Measurement<'a, 'b> {
    name: &'a str,
    approaches: &'a [Approach],
    reduced: bool,
    places: Vec<String>,
    formulas: u64,
    least: u64,
    orders: u64,
    patience: usize,
    rng: Rng,
    bench: &'a mut Bench<'b>,
}

impl Measurement<'_, '_> {
    fn measure(&mut self, system: &dyn System) -> Result<()> {
        let mut space = StateSpace::<Arena>::new(system);
        let mut counts = [0; CLASSES.len()];
        let mut patience = self.patience;
        for drawn in 0u64.. {
            let wants =
                |fair| [true, false].map(|h| counts[class(fair, h)] < self.formulas) != [false; 2];
            let is_fair = match (wants(false), wants(true)) {
                (false, false) => break,
                (true, true) => self.rng.below(2) == 1,
                (_, fair) => fair,
            };
            if patience == 0 {
                break;
            }
            patience -= 1;
            let formula = self.formula(is_fair)?;
            let full = [true, false].map(|h| counts[class(is_fair, h)] >= self.formulas);
            let Self { approaches, reduced, least, orders, .. } = *self;
            let rows = self.bench.unit(&[self.name, &drawn.to_string()], || {
                let limits = Selection { least, orders, is_fair, full };
                case(&mut space, &formula, approaches, reduced, &limits)
            })?;
            let kept = rows.first().map_or("", |row| row.text("class"));
            if let Some(class) = CLASSES.iter().position(|known| *known == kept) {
                counts[class] += 1;
                patience = self.patience;
            }
        }
        Ok(())
    }

    /// Returns a random formula over marked places, with fairness assumptions on request.
    fn formula(&mut self, is_fair: bool) -> Result<Formula> {
        let (props, sizes) = if is_fair { (2, 5..=9) } else { (4, 10..=16) };
        let Self { places, rng, .. } = self;
        let mut names: Vec<Prop> = vec![];
        while names.len() < props {
            let name = Prop::new(&places[rng.index(places.len())]);
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
        let formula = formulas.next().context("no formula was drawn")??;
        if !is_fair {
            return Ok(formula);
        }
        // 3.5 on average, as in the thesis.
        let assumptions = 2 + rng.index(4);
        let fair = Formula::and((0..assumptions).map(|_| {
            let place = Formula::prop(places[rng.index(places.len())].as_str());
            Formula::globally(Formula::finally(place))
        }));
        Ok(Formula::implies(fair, formula))
    }
}

/// The criteria of the selection.
struct Selection {
    least: u64,
    orders: u64,
    is_fair: bool,
    /// Whether enough formulas hold, and enough are violated.
    full: [bool; 2],
}

/// Returns the rows of a formula: one for each approach, or one with the reason to skip it.
fn case(
    space: &mut StateSpace<'_, Arena>,
    formula: &Formula,
    approaches: &[Approach],
    reduced: bool,
    selection: &Selection,
) -> Result<Vec<Vec<String>>> {
    let left_out = |reason: &str| Ok(vec![cells![reason, "", "", "", "", "", "", ""]]);
    let negated = Formula::not(formula);
    // The first approach, which is the cheapest, shows whether the formula is suitable.
    let (mut made, mut found): (Vec<Made>, Vec<Found>) = (vec![], vec![]);
    for approach in approaches {
        let Ok(next) = approach.negation(&negated, reduced) else {
            return left_out("the automaton is too large");
        };
        let outcome = search(space, &next.negation, 0)?;
        if outcome.effort.edges < selection.least {
            return left_out("too few transitions");
        }
        if selection.full[usize::from(!outcome.holds)] {
            return left_out("the class is full");
        }
        made.push(next);
        found.push(outcome);
    }
    let holds = found[0].holds;
    if found.iter().any(|other| other.holds != holds) {
        bail!("the approaches disagree about {formula}");
    }
    let mut all = vec![found];
    if !holds {
        for order in 1..selection.orders {
            let runs = made.iter().map(|made| search(space, &made.negation, order));
            all.push(runs.collect::<Result<_>>()?);
        }
    }
    let count = all.len() as u64;
    let class = CLASSES[class(selection.is_fair, holds)];
    let rows = approaches.iter().zip(&made).enumerate().map(|(place, (approach, made))| {
        let runs = || all.iter().map(|found| &found[place]);
        let time: Duration = runs().map(|run| run.time).sum();
        cells![
            class,
            formula,
            approach.name(),
            made.states,
            made.transitions,
            runs().map(|run| run.effort.nodes).sum::<u64>() / count,
            runs().map(|run| run.effort.edges).sum::<u64>() / count,
            format!("{:.6}", time.as_secs_f64() / count as f64),
        ]
    });
    Ok(rows.collect())
}

/// The result of a check, and its cost.
struct Found {
    holds: bool,
    effort: Effort,
    time: Duration,
}

/// Runs one check: the algorithms of the thesis, without our special cases for automata.
fn search(space: &mut StateSpace<'_, Arena>, negation: &Negation, order: u64) -> Result<Found> {
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
        Negation::Livelocks(automaton, passes) => {
            let livelocks = Livelocks::new(automaton);
            let graph = livelocks.graph();
            let product =
                Product::of_changes(space, graph, &propositions, deadlock, &limits, &progress);
            let mut product = Shuffled { graph: product, order };
            testing::search(&mut product, &livelocks, *passes, &mut effort)
        }
    };
    let holds = lasso.map_err(|stop: Stop| anyhow!("{stop:?}"))?.is_none();
    Ok(Found { holds, effort, time: start.elapsed() })
}

/// A graph with permuted successors, by a number; 0 is the order of the graph.
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

    fn report_bytes(&mut self, bytes: usize) {
        self.graph.report_bytes(bytes);
    }
}
