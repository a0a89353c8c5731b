//! Checks random formulas on nets with several approaches.
//!
//! RND are formulas over four places; WFair are formulas over two places under two to five
//! assumptions that places are marked infinitely often. A formula is selected if every approach
//! explores enough transitions; the thesis requires a second of processor time instead. Formulas
//! for which one explores too many are left out. For violated formulas, figures are means over
//! several successor orders, since the thesis reports that the order has much influence. The whole
//! product is generated as well, up to the same limit.

use super::approach::{Approach, Made};
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{Parameter, parameter};
use crate::settings::existing;
use anyhow::{Context, Result, anyhow, bail};
use rustc_hash::FxHashSet;
use sempre_check::{Deadlock, Limits, Reason};
use sempre_explicit::emptiness::testing::{self, Livelocks};
use sempre_explicit::emptiness::{Check, Property, Roots};
use sempre_explicit::store::Arena;
use sempre_explicit::{Edge, Effort, Product, SearchGraph, StateSpace, Stop};
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
        "peterson:4 peterson:5 ring:5 ring:6 fms:4 fms:5 kanban:4 kanban:5 philosophers:9 \
         philosophers:10 round-robin:14 round-robin:15 polyorb mapk:2",
        "philosophers:3 ring:3",
    ),
    parameter("formulas", "of each class for each net", "20", "1"),
    parameter("least", "minimal transitions of every approach", "2000", "20"),
    parameter("most", "maximal transitions of every approach", "3000000", "100000"),
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
    "product_states",
    "product_transitions",
    "explored_states",
    "explored_transitions",
    "seconds",
];

/// The families of nets, with the instances in the tables of the thesis. The order determines the
/// drawn formulas.
pub(super) const FAMILIES: [(&str, &str); 8] = [
    ("peterson", "Peterson5"),
    ("ring", "Ring6"),
    ("fms", "FMS5"),
    ("kanban", "Kanban5"),
    ("philosophers", "Philo10"),
    ("round-robin", "Robin15"),
    ("mapk", "MAPK8"),
    ("polyorb", POLYORB),
];

const POLYORB: &str = "PolyORB";

/// The file of the PolyORB net in the folder of models.
const POLYORB_FILE: &str = "PolyORBLF-S03J03T02.pnml";

/// The class of the formulas that the thesis checks on one net each.
pub(super) const DEDICATED: &str = "dedicated";

/// The class of the row that ends a net.
pub(super) const END: &str = "end";

/// Returns the formula that the thesis checks on a family besides random ones: Φ1 or Φ2.
fn dedicated(family: &str) -> Option<&'static str> {
    match family {
        "polyorb" => Some(
            "G(\"ModifiedSrc(1)\" -> F \"DataOnSrc(1)\") & G(\"ModifiedSrc(2)\" -> F \"DataOnSrc(2)\") & \
             G(\"ModifiedSrc(3)\" -> F \"DataOnSrc(3)\")",
        ),
        "mapk" => Some("!(!RafP U MEKP) & !(!MEKP U MEKPP) & !(!MEKPP U ERKP) & !(!ERKP U ERKPP)"),
        _ => None,
    }
}

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
        if bench.has(&[name, END]) {
            continue;
        }
        let family = name.split(':').next().unwrap_or(name);
        let number = FAMILIES.iter().position(|(known, _)| *known == family);
        let number = number.with_context(|| format!("the thesis has no `{family}`"))?;
        let place = match family {
            "polyorb" if settings.data.is_none() => {
                bench.row(&[name, END], || Ok(remark("the net is not shipped")))?;
                continue;
            }
            "polyorb" => Place::File(existing(&settings.collection("polyorb")?, POLYORB_FILE)?),
            _ => Place::named(name, &settings)?,
        };
        let model = place.open()?;
        let Some(net) = model.net() else { bail!("{name} is no net") };
        let places = net.places().map(|place| net.place_name(place).to_owned()).collect();
        let mut task = Measurement {
            name,
            approaches,
            reduced,
            places,
            dedicated: dedicated(family),
            formulas: settings.number("formulas")?,
            least: settings.number("least")?,
            most: settings.number("most")?,
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

/// Makes a row without figures.
fn remark(class: &str) -> Vec<String> {
    cells![class, "", "", "", "", "", "", "", "", ""]
}

struct Measurement<'a, 'b> {
    name: &'a str,
    approaches: &'a [Approach],
    reduced: bool,
    places: Vec<String>,
    dedicated: Option<&'static str>,
    formulas: u64,
    least: u64,
    most: u64,
    orders: u64,
    patience: usize,
    rng: Rng,
    bench: &'a mut Bench<'b>,
}

impl Measurement<'_, '_> {
    fn measure(&mut self, system: &dyn System) -> Result<()> {
        let mut space = StateSpace::<Arena>::new(system);
        if let Some(text) = self.dedicated {
            let Self { approaches, reduced, .. } = *self;
            self.bench.unit(&[self.name, DEDICATED], || {
                let class = Class::Dedicated;
                let selection = Selection { least: 0, most: u64::MAX, orders: 1, class };
                case(&mut space, &text.parse()?, approaches, reduced, &selection)
            })?;
        }
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
            let Self { approaches, reduced, least, most, orders, .. } = *self;
            let rows = self.bench.unit(&[self.name, &drawn.to_string()], || {
                let selection =
                    Selection { least, most, orders, class: Class::Random { is_fair, full } };
                case(&mut space, &formula, approaches, reduced, &selection)
            })?;
            let kept = rows.first().map_or("", |row| row.text("class"));
            if let Some(class) = CLASSES.iter().position(|known| *known == kept) {
                counts[class] += 1;
                patience = self.patience;
            }
        }
        self.bench.row(&[self.name, END], || Ok(remark(END)))
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
    most: u64,
    orders: u64,
    class: Class,
}

#[derive(Clone, Copy)]
enum Class {
    Dedicated,
    /// `full` says whether enough formulas hold, and enough are violated.
    Random {
        is_fair: bool,
        full: [bool; 2],
    },
}

/// Returns the rows of a formula: one for each approach, or one with the reason to skip it.
fn case(
    space: &mut StateSpace<'_, Arena>,
    formula: &Formula,
    approaches: &[Approach],
    reduced: bool,
    selection: &Selection,
) -> Result<Vec<Vec<String>>> {
    let left_out = |reason: &str| Ok(vec![remark(reason)]);
    let negated = Formula::not(formula);
    let Selection { least, most, orders, class } = *selection;
    // The first approach, which is the cheapest, shows whether the formula is suitable.
    let (mut made, mut found): (Vec<Made>, Vec<Found>) = (vec![], vec![]);
    for approach in approaches {
        let Ok(next) = approach.negation(&negated, reduced) else {
            return left_out("the automaton is too large");
        };
        let Some(outcome) = search(space, &next.negation, 0, most)? else {
            return left_out("too many transitions");
        };
        if outcome.effort.edges < least {
            return left_out("too few transitions");
        }
        if let Class::Random { full, .. } = class
            && full[usize::from(!outcome.holds)]
        {
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
        for order in 1..orders {
            let runs = made.iter().map(|made| search(space, &made.negation, order, most));
            let Some(runs) = runs.collect::<Result<Option<_>>>()? else {
                return left_out("too many transitions");
            };
            all.push(runs);
        }
    }
    let count = all.len() as u64;
    let class = match class {
        Class::Dedicated => DEDICATED,
        Class::Random { is_fair, .. } => CLASSES[self::class(is_fair, holds)],
    };
    let mut rows = vec![];
    for (place, (approach, made)) in approaches.iter().zip(&made).enumerate() {
        let runs = || all.iter().map(|found| &found[place]);
        let time: Duration = runs().map(|run| run.time).sum();
        let whole = whole(space, &made.negation, Deadlock::Ignore, most)?;
        let cell = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        rows.push(cells![
            class,
            formula,
            approach.name(),
            cell(made.states),
            cell(made.transitions),
            cell(whole.as_ref().map(|whole| whole.nodes)),
            cell(whole.as_ref().map(|whole| whole.edges)),
            runs().map(|run| run.effort.nodes).sum::<u64>() / count,
            runs().map(|run| run.effort.edges).sum::<u64>() / count,
            format!("{:.6}", time.as_secs_f64() / count as f64),
        ]);
    }
    Ok(rows)
}

/// The result of a check, and its cost.
struct Found {
    holds: bool,
    effort: Effort,
    time: Duration,
}

/// Runs one check: the algorithms of the thesis, without our special cases for automata. `None` if it
/// explores more transitions than `most`.
fn search(
    space: &mut StateSpace<'_, Arena>,
    negation: &Negation,
    order: u64,
    most: u64,
) -> Result<Option<Found>> {
    let start = Instant::now();
    let mut effort = Effort::default();
    let check = Check::Couvreur { roots: Roots::Plain, known_first: false };
    let livelocks = livelocks(negation);
    let property = match negation {
        Negation::Livelocks(..) => None,
        Negation::OnDemand(testing) => Some(Property::of_classes(testing.acceptance())),
        _ => Some(Property::new(negation.automaton())),
    };
    let deadlock = Deadlock::Ignore;
    let found = in_product(space, negation, livelocks.as_ref(), deadlock, |product| {
        let mut product = Shuffled { graph: product, order, rest: most };
        match (&livelocks, &property, negation) {
            (Some(livelocks), _, Negation::Livelocks(_, passes)) => {
                testing::search(&mut product, livelocks.locations(), *passes, &mut effort)
            }
            (_, Some(property), _) => check.run(&mut product, property, &mut effort),
            _ => unreachable!("an automaton has livelocks or a property"),
        }
    })?;
    match found {
        Ok(lasso) => Ok(Some(Found { holds: lasso.is_none(), effort, time: start.elapsed() })),
        Err(Stop::Limit(_)) => Ok(None),
        Err(stop) => bail!("{stop:?}"),
    }
}

/// Generates the whole product, if it has at most that many transitions.
pub(super) fn whole(
    space: &mut StateSpace<'_, Arena>,
    negation: &Negation,
    deadlock: Deadlock,
    most: u64,
) -> Result<Option<Effort>> {
    let livelocks = livelocks(negation);
    let generated = in_product(space, negation, livelocks.as_ref(), deadlock, |product| {
        let mut product = Shuffled { graph: product, order: 0, rest: most };
        let (mut queue, mut seen) = (vec![], FxHashSet::default());
        let (mut effort, mut edges) = (Effort::default(), vec![]);
        product.initial(&mut queue)?;
        queue.retain(|node| seen.insert(*node));
        while let Some(node) = queue.pop() {
            effort.nodes += 1;
            edges.clear();
            effort.edges += product.successors(node, |_| true, &mut edges)? as u64;
            queue.extend(edges.iter().map(|edge| edge.target).filter(|node| seen.insert(*node)));
        }
        Ok(effort)
    })?;
    match generated {
        Ok(effort) => Ok(Some(effort)),
        Err(Stop::Limit(_)) => Ok(None),
        Err(stop) => bail!("{stop:?}"),
    }
}

fn livelocks(negation: &Negation) -> Option<Livelocks> {
    match negation {
        Negation::Livelocks(automaton, _) => Some(Livelocks::new(automaton)),
        _ => None,
    }
}

/// Works on the product of the system with an automaton.
fn in_product<R>(
    space: &mut StateSpace<'_, Arena>,
    negation: &Negation,
    livelocks: Option<&Livelocks>,
    deadlock: Deadlock,
    work: impl FnOnce(Product<'_, '_, Arena>) -> R,
) -> Result<R> {
    let (limits, progress) = (Limits::default(), |_: &_| ());
    let names = negation.automaton().alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(space.system().names(), names)?;
    let (limits, progress) = (&limits, &progress);
    let graph = livelocks.map(Livelocks::graph).or(negation.changes());
    Ok(work(match (graph, negation) {
        (Some(graph), _) => {
            Product::of_changes(space, graph, &propositions, deadlock, limits, progress)
        }
        (None, Negation::OnDemand(testing)) => {
            Product::on_demand(space, testing, &propositions, deadlock, limits, progress)
        }
        (None, _) => {
            let automaton = negation.automaton();
            Product::new(space, automaton, &propositions, deadlock, limits, progress)
        }
    }))
}

/// A graph with permuted successors, by a number; 0 is the order of the graph. It ends after a number
/// of transitions.
struct Shuffled<G> {
    graph: G,
    order: u64,
    rest: u64,
}

impl<G: SearchGraph<Error = Stop>> SearchGraph for Shuffled<G> {
    type Error = Stop;

    fn initial(&mut self, nodes: &mut Vec<u32>) -> Result<(), Stop> {
        self.graph.initial(nodes)
    }

    fn successors(
        &mut self,
        node: u32,
        is_wanted: impl Fn(u32) -> bool,
        edges: &mut Vec<Edge>,
    ) -> Result<usize, Stop> {
        let first = edges.len();
        self.graph.successors(node, |_| true, edges)?;
        let rest = self.rest.checked_sub((edges.len() - first) as u64);
        self.rest = rest.ok_or(Stop::Limit(Reason::States))?;
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
