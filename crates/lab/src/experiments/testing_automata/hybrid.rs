//! E6, E7 and E8: graphs of aggregates with generalized Büchi automata compared with generalized
//! testing automata (Tables 7.1 to 7.3): SOG, SOP and SLAP.
//!
//! Formulas are random, without X, over states of processes. A pair of a model and a formula is left
//! out if its explicit product has few states. Each check begins from nothing but the automaton, whose
//! time is apart: that of the check includes the order of variables and the counterexample. It is
//! processor time of the thread where the system reports it; the two forms side by side (`both`) use
//! two threads, and elapsed time.

use super::{DOCUMENT, hybrid_report};
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{About, Experiment, Parameter, Source, parameter};
use crate::page::Page;
use crate::record::Record;
use crate::stopwatch::Stopwatch;
use anyhow::{Result, anyhow, bail};
use rustc_hash::FxHashSet;
use sempre::engines::{ENGINES, Settings as CheckSettings};
use sempre_check::{CheckError, Control, Deadlock, Limits, Outcome, Question, Verdict};
use sempre_explicit::store::Arena;
use sempre_explicit::{Product, SearchGraph, StateSpace};
use sempre_ltl::generate::Priorities;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::{Formula, Prop};
use sempre_models::proposition::Propositions;
use sempre_models::{Meaning, Model, System};
use sempre_testing::{AutomatonKind, Negation};
use sempre_translate::require_invariance;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A comparison of the two forms of a graph of aggregates.
#[derive(Debug)]
pub struct Comparison {
    /// The name of the engine.
    pub(super) engine: &'static str,
    /// The name of the graph in the thesis.
    pub(super) title: &'static str,
    name: &'static str,
    summary: &'static str,
    place: &'static str,
}

/// Repeats Table 7.1.
pub static E6: Comparison = Comparison {
    engine: "sog",
    title: "SOG",
    name: "testing-automata/e6",
    summary: "symbolic observation graphs with TGBA and with TGTA, on BEEM models",
    place: "Chapter 7, Table 7.1, Figure 7.3",
};

/// Repeats Table 7.2.
pub static E7: Comparison = Comparison {
    engine: "sop",
    title: "SOP",
    name: "testing-automata/e7",
    summary: "symbolic observation products with TGBA and with TGTA, on BEEM models",
    place: "Chapter 7, Table 7.2, Figure 7.4",
};

/// Repeats Table 7.3.
pub static E8: Comparison = Comparison {
    engine: "slap",
    title: "SLAP",
    name: "testing-automata/e8",
    summary: "self-loop aggregation products with TGBA and with TGTA, on BEEM models",
    place: "Chapter 7, Table 7.3, Figure 7.5",
};

const PARAMETERS: &[Parameter] = &[
    parameter(
        "models",
        "names in the BEEM collection",
        "at.5 bakery.4 bakery.7 bopdp.3 brp2.3 elevator.4 fischer.5 iprotocol.7 lamport_nonatomic.5 \
         lamport.7 lann.6 lann.7 lifts.7 lifts.8 mcs.5 peterson.5 pgm_protocol.8 phils.7 \
         production_cell.6 reader_writer.3",
        "shipped:peterson shipped:counters",
    ),
    parameter("formulas", "of each verdict for each model", "100", "2"),
    parameter("unsolved", "formulas that neither form solves, for each model", "100", "2"),
    parameter("least", "states of the explicit product", "2000", "10"),
    parameter("timeout", "seconds for a check, of processor time", "60", "2"),
    parameter("model", "seconds for all checks of a model, of processor time", "3000", "1"),
    parameter("memory", "MiB for a check", "6144", "512"),
    parameter("seed", "of formulas", "0", "0"),
];

/// The verdicts in rows; the last is for pairs that neither form has solved.
pub(super) const VERDICTS: [&str; 3] = ["hold", "are violated", "unsolved"];

/// The note of a pair whose explicit product is small.
pub(super) const SMALL: &str = "small product";

/// The columns of seconds: the two forms, and both side by side.
pub(super) const FORMS: [&str; 3] = ["tgba", "tgta", "both"];

/// The row that marks a complete model.
pub(super) const END: &str = "end";

/// The maximal number of drawn formulas.
const MAX_DRAWN: usize = 5000;

impl Experiment for Comparison {
    fn about(&self) -> About {
        About {
            name: self.name,
            summary: self.summary,
            source: Source { document: DOCUMENT, place: self.place },
            parameters: PARAMETERS,
            unit: &["model", "drawn"],
            values: &[
                "verdict",
                "formula",
                "note",
                "tgba",
                "tgta",
                "both",
                "tgba_bytes",
                "tgta_bytes",
                "tgba_automaton",
                "tgta_automaton",
            ],
        }
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let bounds = Bounds {
            formulas: settings.number("formulas")?,
            unsolved: settings.number("unsolved")?,
            least: settings.number("least")?,
            check: settings.seconds("timeout")?,
            model: settings.seconds("model")?,
            bytes: settings.bytes("memory")?,
            seed: settings.number("seed")?,
        };
        for name in settings.words("models") {
            if bench.has(&[name, END]) {
                continue;
            }
            bench.require_budget()?;
            let model = Place::named(name, &settings)?.open()?;
            self.measure(bench, name, &model, &bounds)?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        hybrid_report::page(self, record)
    }
}

struct Bounds {
    formulas: usize,
    unsolved: usize,
    least: usize,
    check: Duration,
    model: Duration,
    bytes: usize,
    seed: u64,
}

/// Makes a row without times.
fn remark(verdict: &str, formula: impl ToString, note: impl ToString) -> Vec<String> {
    cells![verdict, formula, note, "", "", "", "", "", "", ""]
}

impl Comparison {
    fn measure(
        &self,
        bench: &mut Bench<'_>,
        name: &str,
        model: &Model,
        bounds: &Bounds,
    ) -> Result<()> {
        let system = model.system();
        let formulas = formulas(&*system, bounds.seed)?;
        let mut space = StateSpace::<Arena>::new(&*system);
        let mut counts = [0; VERDICTS.len()];
        let clock = Stopwatch::start();
        for (drawn, formula) in formulas.enumerate() {
            let is_enough = counts[..2].iter().all(|count| *count >= bounds.formulas);
            if is_enough || clock.elapsed() > bounds.model {
                break;
            }
            let formula = formula?;
            if formula.props().is_empty() || require_invariance(&formula).is_err() {
                continue;
            }
            let rows = bench.unit(&[name, &drawn.to_string()], || {
                let negation = Negation::of(&formula, AutomatonKind::Tgba)?;
                if is_small(&mut space, &negation, bounds.least)? {
                    return Ok(vec![remark("", formula, SMALL)]);
                }
                let is_full = |verdict: usize| counts[verdict] >= bounds.formulas;
                Ok(vec![self.case(model, &system, &formula, bounds, is_full)?])
            })?;
            let verdict = rows.first().map_or("", |row| row.text("verdict"));
            if let Some(verdict) = VERDICTS.iter().position(|known| *known == verdict) {
                counts[verdict] += 1;
                // Further formulas of such a model would cost the time of others.
                if counts[2] >= bounds.unsolved {
                    break;
                }
            }
        }
        bench.row(&[name, END], || Ok(remark("", "", "done")))
    }

    /// Checks a formula with both forms, and with both side by side.
    fn case(
        &self,
        model: &Model,
        system: &Arc<dyn System>,
        formula: &Formula,
        bounds: &Bounds,
        is_full: impl Fn(usize) -> bool,
    ) -> Result<Vec<String>> {
        let [mut bytes, mut automaton] = [const { [const { String::new() }; 2] }; 2];
        let mut seconds = [const { String::new() }; 3];
        let (mut verdict, mut note) = (None, "");
        let question = Question::new(system.clone(), formula, Deadlock::Stutter)?;
        for (number, form) in FORMS.iter().enumerate() {
            // Side by side, the forms have the same limits as alone.
            if number == 2 && verdict.is_none() {
                break;
            }
            if let Some(cell) = automaton.get_mut(number) {
                let clock = Stopwatch::start();
                let made = clock.limited(bounds.check, bounds.bytes, |control| {
                    question.negation(kind(form), control)
                });
                match made {
                    Ok(_) => *cell = format!("{:.6}", clock.elapsed().as_secs_f64()),
                    Err(_) => {
                        note = "an automaton is too large";
                        continue;
                    }
                }
            }
            let (clock, start) = (Stopwatch::start(), Instant::now());
            let outcome = clock.limited(bounds.check, bounds.bytes, |control| {
                self.check(model, &question, form, control)
            });
            let time = if number < 2 { clock.elapsed() } else { start.elapsed() };
            let outcome = match outcome {
                Ok(outcome) => outcome,
                Err(CheckError::Fault(_)) => return Ok(remark("", formula, "fault of the model")),
                Err(error) => return Err(anyhow!("{formula}: {error}")),
            };
            let found = match outcome.verdict {
                Verdict::Holds => 0,
                Verdict::Violated => 1,
                Verdict::Unknown(_) => continue,
            };
            if verdict.is_some_and(|known| known != found) {
                bail!("{formula} has two verdicts");
            }
            verdict = Some(found);
            if is_full(found) {
                return Ok(remark("", formula, "enough with this verdict"));
            }
            seconds[number] = format!("{:.6}", time.as_secs_f64());
            if let Some(bytes) = bytes.get_mut(number) {
                *bytes = outcome.cost.bytes.to_string();
            }
        }
        let head = cells![VERDICTS[verdict.unwrap_or(2)], formula, note];
        Ok(head.into_iter().chain(seconds).chain(bytes).chain(automaton).collect())
    }

    /// Checks a formula with one form.
    fn check(
        &self,
        model: &Model,
        question: &Question,
        form: &str,
        control: &Control<'_>,
    ) -> Result<Outcome, CheckError> {
        let (engine, automaton, both_automata) = (self.engine, kind(form), form == "both");
        let settings = CheckSettings { engine, automaton, both_automata, ..Default::default() };
        let row = ENGINES.iter().find(|row| row.name == engine);
        let mut engine = (row.expect("a row of the registry").make)(model, &settings)?;
        engine.check(question, control)
    }
}

/// The automaton of a form.
fn kind(form: &str) -> AutomatonKind {
    if form == "tgta" { AutomatonKind::Tgta } else { AutomatonKind::Tgba }
}

/// Returns random formulas without X over states of processes.
fn formulas(
    system: &dyn System,
    seed: u64,
) -> Result<impl Iterator<Item = Result<Formula, sempre_ltl::Error>>> {
    let scope = system.names();
    let is_process_state = |name: &String| {
        name.contains('.') && matches!(scope.resolve(name), Some(Meaning::Value(_)))
    };
    let names: Vec<String> = scope.value_names().into_iter().filter(is_process_state).collect();
    if names.is_empty() {
        bail!("the model has no processes");
    }
    let without_next = Priorities::equal(names.len()).adjusted("X=0")?;
    let formulas = RandomFormulas::over(names).sizes(6..=15).priorities(without_next).seed(seed);
    Ok(formulas.unique().generate()?.take(MAX_DRAWN))
}

/// True if the explicit product has fewer states than `least`. A product that ends in a fault of the
/// model is not small.
fn is_small(space: &mut StateSpace<'_, Arena>, negation: &Negation, least: usize) -> Result<bool> {
    let Negation::Valuations(automaton) = negation else { bail!("expected a Büchi automaton") };
    let names = automaton.alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(space.system().names(), names)?;
    let (limits, progress) = (Limits::default(), |_: &_| ());
    let mut product =
        Product::new(space, automaton, &propositions, Deadlock::Stutter, &limits, &progress);
    let mut nodes = Vec::new();
    if product.initial(&mut nodes).is_err() {
        return Ok(false);
    }
    let mut known: FxHashSet<u32> = nodes.iter().copied().collect();
    let mut edges = Vec::new();
    while let Some(node) = nodes.pop() {
        if known.len() >= least {
            return Ok(false);
        }
        edges.clear();
        if product.successors(node, |_| true, &mut edges).is_err() {
            return Ok(false);
        }
        nodes.extend(edges.iter().map(|edge| edge.target).filter(|target| known.insert(*target)));
    }
    Ok(known.len() < least)
}
