//! E5: generalized Büchi automata compared with generalized testing automata in the symbolic
//! engine, with and without saturation (Tables 6.3 and 6.4, Figure 6.2).
//!
//! The states of a model are computed once, by saturation. The time of a check includes the
//! product, the fixpoint (forward OWCTY for all), the verdict and the counterexample. Formulas are
//! random, without X, over states of processes. Those with a product of fewer than 2,000 states are
//! left out. The stutter ratio is that of a part of the state space, found breadth-first.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::statistics::{grouped, mean, percent, shown};
use crate::table::{Row, Table};
use anyhow::{Result, anyhow, bail};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_check::{CheckError, Control, Deadlock, Question};
use sempre_diagrams::{Manager, Options as Memory, Strategy};
use sempre_explicit::store::Arena;
use sempre_explicit::{Product, SearchGraph, StateSpace};
use sempre_ltl::generate::Priorities;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Prop};
use sempre_models::dve::Dve;
use sempre_models::proposition::Propositions;
use sempre_models::{Meaning, Successors, System};
use sempre_symbolic::{Fixpoint, Kind, Options, Order, Space, Steps};
use sempre_testing::AutomatonKind;
use sempre_translate::{Translator, require_invariance};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Repeats E5.
#[derive(Debug)]
pub struct E5;

/// The variants of the thesis: A is the generalized Büchi automaton, D the testing automaton with
/// split-off stuttering. B and C are other encodings of the latter, without published figures. Then
/// ours: the Büchi automaton with split-off self-loops.
const WAYS: [(&str, Kind, Steps, bool); 9] = [
    ("A nosat", Kind::Tgba, Steps::Edges, false),
    ("A sat", Kind::Tgba, Steps::Edges, true),
    ("D nosat", Kind::Tgta, Steps::Split, false),
    ("D sat", Kind::Tgta, Steps::Split, true),
    ("B nosat", Kind::Tgta, Steps::Edges, false),
    ("B sat", Kind::Tgta, Steps::Edges, true),
    ("C nosat", Kind::Tgta, Steps::Changes, false),
    ("C sat", Kind::Tgta, Steps::Changes, true),
    ("A split", Kind::Tgba, Steps::Split, true),
];

/// The number of variants with published figures.
const OF_THESIS: usize = 4;

/// The states of a model from which the stutter ratio is taken.
const SAMPLE: usize = 10_000;

/// The number of cases that decides a conclusion.
const LEAST: usize = 30;

const VERDICTS: [&str; 2] = ["hold", "are violated"];

/// The maximal number of drawn formulas.
const MAX_DRAWN: usize = 2000;

/// The note of formulas with a small product.
const SMALL: &str = "the product has too few states";

/// The row with the number of states, and the row that marks a complete model.
const STATES: &str = "states";
const END: &str = "end";

const ABOUT: About = About {
    name: "testing-automata/e5",
    summary: "TGBA and TGTA on sets of states, with and without saturation, on BEEM models",
    source: Source { document: DOCUMENT, place: "Section 6.4.4, Tables 6.3 and 6.4, Figure 6.2" },
    parameters: &[
        parameter(
            "models",
            "names in the BEEM collection",
            "at.5 bakery.4 bakery.7 bopdp.3 brp2.3 elevator.4 fischer.5 iprotocol.7 \
             lamport_nonatomic.5 lamport.7 lann.6 lann.7 lifts.7 lifts.8 mcs.5 peterson.5 \
             pgm_protocol.8 phils.7 production_cell.6 reader_writer.3",
            "shipped:peterson shipped:counters",
        ),
        parameter("formulas", "of each verdict for each model", "10", "2"),
        parameter("timeout", "seconds for a check", "60", "2"),
        parameter("states", "seconds to compute the states of a model", "300", "5"),
        parameter("model", "seconds for all checks of a model", "3000", "10"),
        parameter("memory", "MiB for a model", "6144", "512"),
        parameter("least", "states of a product", "2000", "2"),
        parameter("seed", "of formulas", "0", "0"),
    ],
    unit: &["model", "drawn"],
    values: &[
        "verdict",
        "formula",
        "note",
        "stuttering",
        "A nosat",
        "A sat",
        "D nosat",
        "D sat",
        "B nosat",
        "B sat",
        "C nosat",
        "C sat",
        "A split",
        "A nosat nodes",
        "A sat nodes",
        "D nosat nodes",
        "D sat nodes",
        "B nosat nodes",
        "B sat nodes",
        "C nosat nodes",
        "C sat nodes",
        "A split nodes",
    ],
};

impl Experiment for E5 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let limits = Limits {
            formulas: settings.number("formulas")?,
            check: settings.seconds("timeout")?,
            states: settings.seconds("states")?,
            model: settings.seconds("model")?,
            memory: settings.bytes("memory")?,
            least: settings.number("least")?,
            seed: settings.number("seed")?,
        };
        for name in settings.words("models") {
            if bench.has(&[name, END]) {
                continue;
            }
            // The states of a model take long to compute, and are no unit.
            bench.require_budget()?;
            let model = Place::named(name, &settings)?.open()?;
            if model.get::<Dve>().is_none() {
                bail!("{name} is no DVE model");
            }
            measure(bench, name, &model.system(), &limits)?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

struct Limits {
    formulas: usize,
    check: Duration,
    states: Duration,
    model: Duration,
    memory: usize,
    least: usize,
    seed: u64,
}

/// Makes a row without times.
fn remark(note: impl ToString) -> Vec<String> {
    let mut cells = cells!["", "", note];
    cells.resize(ABOUT.values.len(), String::new());
    cells
}

fn measure(
    bench: &mut Bench<'_>,
    name: &str,
    system: &Arc<dyn System>,
    limits: &Limits,
) -> Result<()> {
    let poll = Rc::new(|_: &_| interrupt::poll_now());
    let manager = Manager::new(Memory { memory: limits.memory, poll: Some(poll) });
    let found = limited(limits.states, &manager, || {
        Space::find(&manager, system, &Order::Best, Strategy::Saturation)
    });
    let Some(space) = found else {
        return bench.row(&[name, END], || Ok(remark("the states were not found in time")));
    };
    let space = space.map_err(|fault| anyhow!("{name}: {fault}"))?;
    bench.row(&[name, STATES], || Ok(remark(space.count())))?;
    let sample = Transitions::of(&**system)?;
    let scope = system.names();
    let is_process_state = |name: &String| {
        name.contains('.') && matches!(scope.resolve(name), Some(Meaning::Value(_)))
    };
    let names: Vec<String> = scope.value_names().into_iter().filter(is_process_state).collect();
    let without_next = Priorities::equal(names.len()).adjusted("X=0")?;
    let formulas =
        RandomFormulas::over(names).sizes(6..=15).priorities(without_next).seed(limits.seed);
    let mut counts = [0; VERDICTS.len()];
    let begin = Instant::now();
    for (drawn, formula) in formulas.unique().generate()?.take(MAX_DRAWN).enumerate() {
        let is_enough = counts.iter().all(|count| *count >= limits.formulas);
        if is_enough || begin.elapsed() > limits.model {
            break;
        }
        let formula = formula?;
        if formula.props().is_empty() || require_invariance(&formula).is_err() {
            continue;
        }
        let rows = bench.unit(&[name, &drawn.to_string()], || {
            let is_full = |violated: bool| counts[usize::from(violated)] >= limits.formulas;
            Ok(vec![case(&space, &manager, &sample, &formula, limits, is_full)?])
        })?;
        let verdict = rows.first().map_or("", |row| row.text("verdict"));
        if let Some(verdict) = VERDICTS.iter().position(|known| *known == verdict) {
            counts[verdict] += 1;
        }
    }
    bench.row(&[name, END], || Ok(remark("done")))
}

/// Runs work that is aborted at a limit of time or memory.
fn limited<T>(timeout: Duration, manager: &Manager<'_>, work: impl FnOnce() -> T) -> Option<T> {
    let deadline = Instant::now().checked_add(timeout);
    let done = interrupt::run(&Interrupt::default(), deadline, || manager.attempt(work).ok());
    done.ok().flatten()
}

/// Checks a formula with all variants, the probably fastest first: it shows whether the formula is
/// needed.
fn case(
    space: &Space<'_>,
    manager: &Manager<'_>,
    sample: &Transitions,
    formula: &Formula,
    limits: &Limits,
    is_full: impl Fn(bool) -> bool,
) -> Result<Vec<String>> {
    if has_small_product(space.encoding.system(), formula, limits.least)? {
        return Ok(remark(SMALL));
    }
    let (mut seconds, mut nodes) = ([None; WAYS.len()], [None; WAYS.len()]);
    let mut violated = None;
    for (way, (_, kind, steps, saturate)) in WAYS.into_iter().enumerate().rev() {
        // Caches of one variant must not help the next.
        manager.forget();
        manager.restart_peak();
        let fixpoint = Some(Fixpoint::Owcty);
        let options = Options { kind, steps, saturate, fixpoint, ..Options::default() };
        let start = Instant::now();
        let found = limited(limits.check, manager, || -> Result<bool, CheckError> {
            let system = space.encoding.system().clone();
            let question = Question::new(system, formula, Deadlock::Stutter)?;
            let kind = match kind {
                Kind::Tgba => AutomatonKind::Tgba,
                Kind::Tgta => AutomatonKind::Tgta,
            };
            let negation = question.negation(kind, &Control::default())?;
            Ok(space.violation(&question, &negation, &options)?.0.is_some())
        });
        let Some(found) = found else { continue };
        let is_violated = found.map_err(|error| anyhow!("{formula}: {error}"))?;
        if violated.is_some_and(|known| known != is_violated) {
            bail!("{formula} has two verdicts");
        }
        violated = Some(is_violated);
        seconds[way] = Some(start.elapsed().as_secs_f64());
        nodes[way] = Some(manager.usage().peak_nodes as f64);
        if is_full(is_violated) {
            return Ok(remark("enough with this verdict"));
        }
    }
    let Some(violated) = violated else { return Ok(remark("solved in no way")) };
    let cell = |value, decimals| shown(value, decimals).replace('–', "");
    let stuttering = sample.stuttering(&**space.encoding.system(), formula)?;
    let head = cells![VERDICTS[usize::from(violated)], formula, "", cell(stuttering, 4)];
    let figures = seconds.map(|seconds| cell(seconds, 6)).into_iter();
    Ok(head.into_iter().chain(figures).chain(nodes.map(|nodes| cell(nodes, 0))).collect())
}

/// True if the product with the generalized Büchi automaton has fewer states than demanded; the
/// thesis demands 2,000.
fn has_small_product(system: &Arc<dyn System>, formula: &Formula, least: usize) -> Result<bool> {
    let automaton = Translator::new().translate(&Formula::not(formula.clone()));
    let names = automaton.alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(system.names(), names)?;
    let (limits, progress) = (sempre_check::Limits::default(), |_: &_| ());
    let mut explored = StateSpace::<Arena>::new(&**system);
    let deadlock = Deadlock::Stutter;
    let mut product =
        Product::new(&mut explored, &automaton, &propositions, deadlock, &limits, &progress);
    let (mut queue, mut seen, mut edges) = (vec![], FxHashSet::default(), vec![]);
    let stopped = |stop| anyhow!("{formula}: {stop:?}");
    product.initial(&mut queue).map_err(stopped)?;
    queue.retain(|node| seen.insert(*node));
    while let Some(node) = queue.pop()
        && seen.len() < least
    {
        edges.clear();
        product.successors(node, |_| true, &mut edges).map_err(stopped)?;
        queue.extend(edges.iter().map(|edge| edge.target).filter(|node| seen.insert(*node)));
    }
    Ok(seen.len() < least)
}

/// The transitions between the first states of a model.
struct Transitions {
    states: Vec<Box<[u32]>>,
    steps: Vec<(usize, usize)>,
}

impl Transitions {
    /// Explores breadth-first.
    fn of(system: &dyn System) -> Result<Self> {
        let fault = |fault| anyhow!("{fault}");
        let mut states: Vec<Box<[u32]>> = vec![];
        let mut numbers: FxHashMap<Box<[u32]>, usize> = FxHashMap::default();
        let mut number = |state: &[u32], states: &mut Vec<Box<[u32]>>| {
            *numbers.entry(state.into()).or_insert_with(|| {
                states.push(state.into());
                states.len() - 1
            })
        };
        for state in system.initial().map_err(fault)? {
            number(&state, &mut states);
        }
        let mut expander = system.expander();
        let mut successors = Successors::new(system.words());
        let (mut steps, mut done) = (vec![], 0);
        while done < states.len() && states.len() < SAMPLE {
            let state = states[done].clone();
            successors.clear();
            expander.expand(&state, &mut successors).map_err(fault)?;
            for (_, next) in successors.iter() {
                steps.push((done, number(next, &mut states)));
            }
            done += 1;
        }
        Ok(Transitions { states, steps })
    }

    /// Returns the share of transitions that change no proposition of a formula.
    fn stuttering(&self, system: &dyn System, formula: &Formula) -> Result<Option<f64>> {
        let props = formula.props();
        let propositions = Propositions::compile(system.names(), props.iter().map(Prop::name))?;
        let value = |state: &[u32]| propositions.holding(state, false).map_err(|f| anyhow!("{f}"));
        let values = self.states.iter().map(|state| value(state)).collect::<Result<Vec<_>>>()?;
        let same = self.steps.iter().filter(|(from, to)| values[*from] == values[*to]).count();
        Ok((!self.steps.is_empty()).then(|| same as f64 / self.steps.len() as f64))
    }
}

/// Returns the seconds of a variant in a row, if it solved the case.
fn seconds(row: &Row<'_>, way: usize) -> Option<f64> {
    row.number(WAYS[way].0)
}

/// Returns cases with a verdict: 0 if they hold, 1 if they are violated.
fn cases<'a>(record: &'a Record, verdict: Option<usize>) -> impl Iterator<Item = Row<'a>> {
    record.rows().rows().filter(move |row| match verdict {
        Some(verdict) => row.text("verdict") == VERDICTS[verdict],
        None => VERDICTS.contains(&row.text("verdict")),
    })
}

/// Returns the mean seconds of each variant over the cases that all have solved, and their number.
fn means<'a>(rows: impl Iterator<Item = Row<'a>>) -> (usize, [Option<f64>; WAYS.len()]) {
    let solved: Vec<Row<'_>> =
        rows.filter(|row| (0..WAYS.len()).all(|way| seconds(row, way).is_some())).collect();
    let means = std::array::from_fn(|way| mean(solved.iter().filter_map(|row| seconds(row, way))));
    (solved.len(), means)
}

/// Counts how often a variant was first, was last or failed, and failed. Variants of the thesis are
/// ranked among themselves; ours is first if it is faster than all of them.
fn ranks<'a>(rows: impl Iterator<Item = Row<'a>>) -> [[usize; 3]; WAYS.len()] {
    let mut ranks = [[0; 3]; WAYS.len()];
    for row in rows {
        let all: [Option<f64>; WAYS.len()] = std::array::from_fn(|way| seconds(&row, way));
        let known = || all[..OF_THESIS].iter().flatten().copied();
        let (first, last) = (known().fold(f64::MAX, f64::min), known().fold(0.0, f64::max));
        let all_solved = known().count() == OF_THESIS;
        for (way, (ranks, seconds)) in ranks.iter_mut().zip(&all).enumerate() {
            let is_first =
                |seconds: f64| if way < OF_THESIS { seconds == first } else { seconds < first };
            let is_last =
                |seconds: f64| if way < OF_THESIS { seconds == last } else { seconds > last };
            ranks[0] += usize::from(seconds.is_some_and(is_first));
            ranks[1] += usize::from(seconds.is_none_or(|seconds| all_solved && is_last(seconds)));
            ranks[2] += usize::from(seconds.is_none());
        }
    }
    ranks
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("table-6-3.csv"), ',').unwrap_or_default();
    let published_ranks = Table::parse(include_str!("table-6-4.csv"), ',').unwrap_or_default();
    let models = record.rows().distinct("model");
    let pair = |model: &str, way: usize, ours: Option<f64>| {
        let theirs = published.find(&[("model", model)]).and_then(|row| row.number(WAYS[way].0));
        match way < OF_THESIS {
            true => format!("{} / {}", shown(theirs, 2), shown(ours, 3)),
            false => shown(ours, 3),
        }
    };
    page.heading("Table 6.3: seconds");
    page.paragraph(
        "Mean seconds of the cases that all variants have solved: published / ours. The stutter ratio is \
         the mean share of transitions that change no proposition of a formula, among those of the first \
         10,000 states.",
    );
    let mut lines = vec![];
    for model in models.iter().copied().chain(["all"]) {
        let of = cases(record, None).filter(|row| model == "all" || row.text("model") == model);
        let (solved, means) = means(of);
        let note = |drawn| record.rows().find(&[("model", model), ("drawn", drawn)]);
        let note = |drawn| note(drawn).map_or("", |row| row.text("note"));
        let states = match (note(STATES), note(END)) {
            ("", end) => end.to_owned(),
            (states, _) => grouped(states),
        };
        let means = means.iter().enumerate().map(|(way, ours)| pair(model, way, *ours));
        let of = cases(record, None).filter(|row| model == "all" || row.text("model") == model);
        let ratio = mean(of.filter_map(|row| row.number("stuttering")));
        let theirs =
            published.find(&[("model", model)]).map_or("", |row| row.text("stutter_percent"));
        let ratio = match (theirs, ratio) {
            ("", ratio) => shown(ratio.map(|ratio| 100.0 * ratio), 0),
            (theirs, ratio) => format!("{theirs} / {}", shown(ratio.map(|ratio| 100.0 * ratio), 0)),
        };
        let small = |row: &Row<'_>| {
            row.text("note") == SMALL && (model == "all" || row.text("model") == model)
        };
        let small = record.rows().rows().filter(small).count();
        let head = cells![model, states, ratio, small, solved];
        lines.push(head.into_iter().chain(means).collect());
    }
    let ways = WAYS.map(|(name, ..)| format!(">{name}"));
    let titles: Vec<&str> = ["model", ">states", ">stutter %", ">small products", ">cases"]
        .into_iter()
        .chain(ways.iter().map(String::as_str))
        .collect();
    page.table(&titles, &lines);
    page.heading("Memory");
    page.paragraph(
        "Mean peak of diagram nodes, in thousands, of the cases that all variants have solved. The thesis \
         has megabytes of the process instead.",
    );
    let mut lines = vec![];
    for model in models.iter().copied().chain(["all"]) {
        let of = || cases(record, None).filter(|row| model == "all" || row.text("model") == model);
        let solved: Vec<Row<'_>> =
            of().filter(|row| (0..WAYS.len()).all(|way| seconds(row, way).is_some())).collect();
        if solved.is_empty() {
            continue;
        }
        let peak = |way: usize| {
            let column = format!("{} nodes", WAYS[way].0);
            shown(mean(solved.iter().filter_map(|row| row.number(&column))).map(|n| n / 1000.0), 0)
        };
        lines.push(cells![model].into_iter().chain((0..WAYS.len()).map(peak)).collect());
    }
    let titles: Vec<&str> = ["model"].into_iter().chain(ways.iter().map(String::as_str)).collect();
    page.table(&titles, &lines);
    page.heading("Table 6.4: fastest and slowest variants");
    page.paragraph(
        "Percent: published / ours. The variants with published figures are ranked among themselves; each \
         other one wins if it is faster than all of them.",
    );
    let mut lines = vec![];
    for (verdict, text) in VERDICTS.iter().enumerate() {
        let count = cases(record, Some(verdict)).count();
        for (way, ranks) in ranks(cases(record, Some(verdict))).into_iter().enumerate() {
            let published = published_ranks.find(&[("verdict", text), ("way", WAYS[way].0)]);
            let columns = ["win_percent", "lose_percent", "fail_percent"];
            let cells = columns.iter().zip(ranks).map(|(column, rank)| match published {
                Some(row) => format!("{} / {}", row.text(column), percent(rank, count)),
                None => percent(rank, count),
            });
            let head = cells![format!("{count} that {text}"), WAYS[way].0];
            lines.push(head.into_iter().chain(cells).collect());
        }
    }
    let titles = ["cases", "way", ">fastest", ">slowest or failed", ">failed"];
    page.table(&titles, &lines);
    let series = [0, 1].map(|verdict| {
        let points = cases(record, Some(verdict));
        let points = points.filter_map(|row| Some((seconds(&row, 1)?, seconds(&row, 3)?)));
        Series { name: VERDICTS[verdict].to_owned(), points: points.collect() }
    });
    page.heading("Figure 6.2");
    let caption =
        "Seconds of each case that both have solved: A with saturation and D with saturation";
    page.figure("figure-6-2.svg", caption, scatter(("A sat, seconds", "D sat, seconds"), &series));
    conclusions(&mut page, record);
    let with_cases =
        models.iter().filter(|model| cases(record, None).any(|row| row.text("model") == **model));
    page.coverage(
        format!(
            "{} pairs of a model and a formula on {} models, of the thesis's 4,000 on 20",
            cases(record, None).count(),
            with_cases.count()
        ),
        "random stutter-invariant formulas over states of processes, until enough hold and enough are \
         violated; models whose states are not found in time are named in the table, and so is the number \
         of formulas with a product of too few states, which are left out",
    );
    page
}

fn conclusions(page: &mut Page, record: &Record) {
    let (solved, all) = means(cases(record, None));
    let sample = Sample { cases: solved, least: LEAST };
    let ratio = |left: usize, right: usize| Some(all[left]? / all[right]?);
    for (verdict, text) in VERDICTS.iter().enumerate() {
        let count = cases(record, Some(verdict)).count();
        let ranks = ranks(cases(record, Some(verdict)));
        let wins = [0, 1, 2, 3].map(|way: usize| ranks[way][0]);
        let is_first = (count > 0).then(|| wins[3] > wins[..3].iter().copied().max().unwrap_or(0));
        let shares = WAYS[..OF_THESIS].iter().zip(wins);
        let shares = shares.map(|((name, ..), wins)| format!("{name} {} %", percent(wins, count)));
        page.conclude(
            format!("TGTA with saturation are the fastest most often on formulas that {text}"),
            is_first,
            Sample { cases: count, least: LEAST },
            format!("{} of {count}", shares.collect::<Vec<_>>().join(", ")),
        );
    }
    page.conclude(
        "With saturation, TGTA take less time than TGBA on the average (3.36 times less)",
        ratio(1, 3).map(|ratio| ratio > 1.0),
        sample,
        format!("A sat ÷ D sat is {} over {solved} cases", shown(ratio(1, 3), 2)),
    );
    page.conclude(
        "Neither saturation alone nor TGTA alone wins: A sat and D nosat are slower than A nosat",
        ratio(1, 0).zip(ratio(2, 0)).map(|(sat, tgta)| sat > 1.0 && tgta > 1.0),
        sample,
        format!(
            "A sat ÷ A nosat is {} (published 1.09), D nosat ÷ A nosat {} (1.26)",
            shown(ratio(1, 0), 2),
            shown(ratio(2, 0), 2)
        ),
    );
}
