//! Tables 1 and 2: 100 random formulas of size 8 on nets of four families, and formulas without X of
//! nets of the Model Checking Contest. The paper's observation graph is compared with the explicit and
//! the symbolic engine.
//!
//! An engine checks all formulas of a net, one after the other, and keeps whatever serves the next.
//! Times include everything but reading the net; they are processor time where the system reports it.
//! Table 2 makes some transitions external.

use super::report;
use crate::bench::Bench;
use crate::cells;
use crate::collections::{self, Expected, Place, Specified, shuffled};
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::settings::Settings;
use crate::stopwatch::Stopwatch;
use anyhow::{Result, anyhow, bail};
use rustc_hash::FxHashSet;
use sempre_check::combine::{AnyEngine, Widening};
use sempre_check::{CheckError, Control, Deadlock, Engine, Question, Verdict};
use sempre_explicit::ExplicitEngine;
use sempre_hybrid::{By, HybridEngine, Method, Options};
use sempre_ltl::generate::Priorities;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Traits};
use sempre_models::{Meaning, Model, System};
use sempre_symbolic::SymbolicEngine;
use std::time::{Duration, Instant};

/// Repeats Tables 1 and 2.
#[derive(Debug)]
pub struct T1T2;

/// The names of the tables in rows: those of the paper, and that of the Contest.
pub(super) const TABLES: [&str; 3] = ["1", "2", "contest"];

/// The engines of Table 1; Table 2 has [`LIMITED`] as well, the Contest [`SLAP`].
pub(super) const ENGINES: [&str; 3] = ["explicit", "symbolic", "sog"];

/// The observation graph with limited expansion.
pub(super) const LIMITED: &str = "limited sog";

/// The self-loop aggregation product.
pub(super) const SLAP: &str = "slap";

const ABOUT: About = About {
    name: "observation-graphs/t1-t2",
    summary: "observation graphs by transition, explicit and symbolic checks: 100 random formulas on \
              nets of four families, and nets of the Contest",
    source: Source {
        document: "K. Klai, D. Poitrenaud, *MC-SOG: an LTL model checker based on symbolic observation \
                   graphs*, 2008",
        place: "Section 5, Tables 1 and 2",
    },
    parameters: &[
        parameter(
            "nets",
            "of Table 1, as FAMILY:NUMBER",
            "fms:2 fms:3 fms:4 fms:5 kanban:2 kanban:3 kanban:4 kanban:5 kanban:6 philosophers:4 \
             philosophers:6 philosophers:8 philosophers:10 philosophers:20 ring:3 ring:4 ring:5",
            "fms:1 kanban:1 philosophers:4 ring:3",
        ),
        parameter("limited", "nets of Table 2, as FAMILY:NUMBER", "fms:5 fms:6 ring:5", "ring:3"),
        parameter("external", "one of N transitions is external in Table 2", "3", "3"),
        parameter("contest", "number of nets of the Contest", "20", "0"),
        parameter("formulas", "for each net", "100", "5"),
        parameter("size", "of random formulas", "8", "8"),
        parameter("timeout", "seconds for a check, of processor time", "60", "2"),
        parameter("net", "seconds for all formulas of a net by one engine", "600", "10"),
        parameter("contest-net", "the same for nets of the Contest", "60", "10"),
        parameter("memory", "MiB for a net", "6144", "512"),
        parameter("seed", "of formulas and of the order of Contest nets", "0", "0"),
    ],
    unit: &["table", "net", "engine"],
    values: &[
        "formulas",
        "markings",
        "verified",
        "undecided",
        "states",
        "transitions",
        "aggregates",
        "peak_nodes",
        "seconds",
        "verdicts",
        "known",
    ],
};

impl Experiment for T1T2 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let limits = Bounds {
            check: settings.seconds("timeout")?,
            net: settings.seconds("net")?,
            bytes: settings.bytes("memory")?,
            external: settings.number("external")?,
        };
        for (table, parameter) in [("1", "nets"), ("2", "limited")] {
            for name in settings.words(parameter) {
                if !name.contains(':') {
                    bail!("a net is given as FAMILY:NUMBER, not as `{name}`");
                }
                let model = Place::named(name, &settings)?.open()?;
                let formulas = random_formulas(&*model.system(), &settings)?;
                let further = (table == "2").then_some(LIMITED);
                for engine in ENGINES.into_iter().chain(further) {
                    bench.row(&[table, name, engine], || {
                        measure(&model, &formulas, engine, &limits)
                    })?;
                }
            }
        }
        let limits = Bounds { net: settings.seconds("contest-net")?, ..limits };
        let count = settings.number("contest")?;
        if count == 0 {
            return Ok(());
        }
        for net in contest(&settings, count)? {
            let engines = ENGINES.into_iter().chain([SLAP]);
            if engines.clone().all(|engine| bench.has(&["contest", &net.name, engine])) {
                continue;
            }
            bench.require_budget()?;
            let formulas = next_free(&net, settings.number("formulas")?)?;
            let deadline = Instant::now().checked_add(limits.net);
            let model = interrupt::run(&Interrupt::default(), deadline, || net.place.open());
            for engine in engines {
                bench.row(&["contest", &net.name, engine], || match &model {
                    Ok(Ok(model)) => measure(model, &formulas, engine, &limits),
                    _ => Ok(Measured::default().row(&formulas, Duration::ZERO)),
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        report::page(record)
    }
}

/// The bounds of a measurement.
struct Bounds {
    check: Duration,
    net: Duration,
    bytes: usize,
    /// One of this many transitions is external.
    external: usize,
}

/// A formula with its verdict, if it is known.
type Asked = (Formula, Option<bool>);

/// Returns random formulas over places, without X.
fn random_formulas(system: &dyn System, settings: &Settings) -> Result<Vec<Asked>> {
    let scope = system.names();
    let is_place = |name: &String| matches!(scope.resolve(name), Some(Meaning::Value(_)));
    let names: Vec<String> = scope.value_names().into_iter().filter(is_place).collect();
    let without_next = Priorities::equal(names.len()).adjusted("X=0")?;
    let formulas = RandomFormulas::over(names).size(settings.number("size")?);
    let formulas = formulas.priorities(without_next).seed(settings.number("seed")?).generate()?;
    let formulas = formulas.take(settings.number("formulas")?);
    formulas.map(|formula| Ok((formula?, None))).collect()
}

/// Returns the formulas of an instance without X.
fn next_free(net: &Specified, count: usize) -> Result<Vec<Asked>> {
    let all = net.properties()?.into_iter();
    let all = all.filter(|known| known.property.formula.is(Traits::NEXT_FREE));
    Ok(all.map(|known| (known.property.formula, known.holds)).take(count).collect())
}

/// Returns bounded place/transition nets of the Contest with formulas without X.
fn contest(settings: &Settings, count: usize) -> Result<Vec<Specified>> {
    let known = collections::counted("mcc", settings)?.into_iter();
    let unbounded = known.filter(|net| net.states == Expected::Unbounded).map(|net| net.name);
    let unbounded: FxHashSet<String> = unbounded.collect();
    let mut chosen = Vec::new();
    for net in shuffled(collections::instances(settings)?, settings.number("seed")?) {
        if chosen.len() == count {
            break;
        }
        let is_plain = net.name.contains("-PT-") && !unbounded.contains(&net.name);
        if is_plain && !next_free(&net, 1)?.is_empty() {
            chosen.push(net);
        }
    }
    Ok(chosen)
}

/// Makes an engine by its name here.
fn engine(name: &str, model: &Model, bounds: &Bounds) -> Result<AnyEngine> {
    let sog = |external| {
        let (method, by) = (Method::Sog, By::Transition);
        HybridEngine::new(Options { method, by, external, ..Options::default() })
    };
    let inner: AnyEngine = match name {
        "explicit" => Box::new(ExplicitEngine::new(Default::default())),
        "symbolic" => Box::new(SymbolicEngine::default()),
        "sog" => Box::new(sog(Vec::new())),
        SLAP => Box::new(HybridEngine::new(Options::default())),
        _ => {
            let net = model.net().ok_or_else(|| anyhow!("only nets have limited expansion"))?;
            let names = net.transitions().map(|transition| net.transition_name(transition));
            Box::new(sog(names.step_by(bounds.external.max(1)).map(str::to_owned).collect()))
        }
    };
    Ok(Box::new(Widening::new(model, inner).map_err(|fault| anyhow!("{fault}"))?))
}

/// The sums over the formulas of a net.
#[derive(Default)]
struct Measured {
    verdicts: String,
    markings: String,
    states: Option<u64>,
    transitions: Option<u64>,
    aggregates: Option<u64>,
    peak_nodes: Option<usize>,
}

/// Returns a verdict as a character: `+` holds, `-` violated, `?` unknown.
fn letter(holds: Option<bool>) -> char {
    match holds {
        Some(true) => '+',
        Some(false) => '-',
        None => '?',
    }
}

impl Measured {
    /// The cells of a row. Formulas without a verdict are undecided.
    fn row(mut self, formulas: &[Asked], time: Duration) -> Vec<String> {
        let missing = formulas.len() - self.verdicts.len();
        self.verdicts.extend(std::iter::repeat_n('?', missing));
        let known: String = formulas.iter().map(|(_, holds)| letter(*holds)).collect();
        let text = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
        cells![
            formulas.len(),
            self.markings,
            self.verdicts.matches('+').count(),
            self.verdicts.matches('?').count(),
            text(self.states),
            text(self.transitions),
            text(self.aggregates),
            text(self.peak_nodes.map(|nodes| nodes as u64)),
            format!("{:.3}", time.as_secs_f64()),
            self.verdicts,
            known,
        ]
    }
}

/// Checks all formulas of a net with one engine.
fn measure(model: &Model, formulas: &[Asked], name: &str, bounds: &Bounds) -> Result<Vec<String>> {
    if formulas.is_empty() {
        bail!("the net has no formulas");
    }
    let start = Stopwatch::start();
    let mut engine = engine(name, model, bounds)?;
    let system = model.system();
    let mut measured = Measured::default();
    for (formula, _) in formulas {
        let rest = bounds.net.saturating_sub(start.elapsed()).min(bounds.check);
        if rest.is_zero() {
            break;
        }
        let question = Question::new(system.clone(), formula, Deadlock::Stutter)?;
        let work = |control: &Control<'_>| engine.check(&question, control);
        let outcome = match Stopwatch::start().limited(rest, bounds.bytes, work) {
            Ok(outcome) => outcome,
            Err(CheckError::Unsupported(_) | CheckError::Fault(_) | CheckError::Limit(_)) => {
                measured.verdicts.push('?');
                continue;
            }
            Err(error) => return Err(anyhow!(error)),
        };
        let cost = outcome.cost;
        measured.verdicts.push(letter(match outcome.verdict {
            Verdict::Holds => Some(true),
            Verdict::Violated => Some(false),
            Verdict::Unknown(_) => None,
        }));
        let add = |sum: &mut Option<u64>, more: Option<u64>| {
            if let Some(more) = more {
                *sum.get_or_insert(0) += more;
            }
        };
        add(&mut measured.states, cost.stored);
        add(&mut measured.transitions, cost.visited);
        add(&mut measured.aggregates, cost.aggregates);
        measured.peak_nodes = measured.peak_nodes.max(cost.peak_nodes);
        if let Some(states) = cost.states.filter(|_| name == "symbolic") {
            measured.markings = states.to_string();
        }
    }
    Ok(measured.row(formulas, start.elapsed()))
}
