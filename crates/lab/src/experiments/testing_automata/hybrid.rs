//! E6 to E8: observation graphs, observation products and self-loop aggregation with generalized Büchi
//! automata against the same with generalized testing automata (Tables 7.1 to 7.3).
//!
//! Each way has an engine of its own for a model; the order of variables is found for the first
//! formula, and is part of its time. Pairs are left out whose explicit product is small. `both` runs
//! the two ways side by side.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{About, Experiment, Parameter, Source, parameter};
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::statistics::{percent, shown};
use crate::table::Row;
use anyhow::{Result, anyhow, bail};
use sempre_check::combine::{AnyEngine, Race};
use sempre_check::{
    AutomatonKind, Control, Deadlock, Engine, Limits, Question, Reason, Unknown, Verdict,
};
use sempre_explicit::ExplicitEngine;
use sempre_hybrid::{HybridEngine, Method, Options};
use sempre_ltl::Formula;
use sempre_ltl::generate::Priorities;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_models::{Meaning, System};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One of the experiments.
#[derive(Debug)]
pub struct Hybrid {
    method: Method,
    about: About,
    /// The wins of both ways in the thesis, for formulas that hold and that are violated.
    published: [&'static str; 2],
}

const WAYS: [&str; 3] = ["tgba", "tgta", "both"];
const VERDICTS: [&str; 2] = ["hold", "are violated"];

/// The number of jointly solved pairs that it takes to decide a conclusion.
const LEAST: usize = 100;

/// The product states below which a pair is left out.
const SMALL: u64 = 2000;

/// The formulas that are drawn at most for a model.
const MOST_DRAWN: usize = 2000;

/// The row that says that a model is done.
const END: &str = "end";

const PARAMETERS: &[Parameter] = &[
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
    parameter("model", "seconds for all checks of a model", "3000", "10"),
    parameter("memory", "MiB for a check", "4096", "512"),
    parameter("seed", "of formulas", "0", "0"),
];

const VALUES: &[&str] =
    &["verdict", "formula", "note", "tgba", "tgta", "both", "tgba_nodes", "tgta_nodes"];

const fn about(name: &'static str, summary: &'static str, place: &'static str) -> About {
    let source = Source { document: DOCUMENT, place };
    About {
        name,
        summary,
        source,
        parameters: PARAMETERS,
        unit: &["model", "drawn"],
        values: VALUES,
    }
}

/// Repeats E6.
pub static E6: Hybrid = Hybrid {
    method: Method::Sog,
    about: about(
        "testing-automata/e6",
        "observation graphs with TGBA and TGTA on BEEM models",
        "Section 7.5, Table 7.1",
    ),
    published: ["315 / about 792", "1441 / about 577"],
};

/// Repeats E7.
pub static E7: Hybrid = Hybrid {
    method: Method::Sop,
    about: about(
        "testing-automata/e7",
        "observation products with TGBA and TGTA on BEEM models",
        "Section 7.5, Table 7.2",
    ),
    published: ["915 / 593", "957 / 1061"],
};

/// Repeats E8.
pub static E8: Hybrid = Hybrid {
    method: Method::Slap,
    about: about(
        "testing-automata/e8",
        "self-loop aggregation with TGBA and TGTA on BEEM models",
        "Section 7.5, Table 7.3",
    ),
    published: ["981 / 964", "644 / 1374"],
};

impl Experiment for Hybrid {
    fn about(&self) -> About {
        self.about
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let limits = PairLimits {
            formulas: settings.number("formulas")?,
            check: settings.seconds("timeout")?,
            model: settings.seconds("model")?,
            memory: settings.bytes("memory")?,
            seed: settings.number("seed")?,
        };
        for name in settings.words("models") {
            if bench.has(&[name, END]) {
                continue;
            }
            bench.require_budget()?;
            let model = Place::named(name, &settings)?.open()?;
            self.measure(bench, name, &model.system(), &limits)?;
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        self.write(record)
    }
}

struct PairLimits {
    formulas: usize,
    check: Duration,
    model: Duration,
    memory: usize,
    seed: u64,
}

impl PairLimits {
    fn control(&self) -> Control<'static> {
        let deadline = Instant::now().checked_add(self.check);
        Control::new(Limits { deadline, bytes: Some(self.memory), ..Limits::default() })
    }
}

/// A row without times.
fn remark(note: &str) -> Vec<String> {
    cells!["", "", note, "", "", "", "", ""]
}

impl Hybrid {
    /// The engine of each way.
    fn engines(&self) -> [AnyEngine; 3] {
        let engine = |automaton| -> AnyEngine {
            let method = self.method;
            Box::new(HybridEngine::new(Options { method, automaton, ..Options::default() }))
        };
        let method = self.method;
        let second = move || -> AnyEngine {
            let automaton = AutomatonKind::Tgta;
            Box::new(HybridEngine::new(Options { method, automaton, ..Options::default() }))
        };
        let first = engine(AutomatonKind::Tgba);
        let race = Race::new(first, "tgta", HybridEngine::supports, second).without_head_start();
        [engine(AutomatonKind::Tgba), engine(AutomatonKind::Tgta), Box::new(race)]
    }

    fn measure(
        &self,
        bench: &mut Bench<'_>,
        name: &str,
        system: &Arc<dyn System>,
        limits: &PairLimits,
    ) -> Result<()> {
        let mut engines = self.engines();
        let mut counts = [0; VERDICTS.len()];
        let begin = Instant::now();
        for (drawn, formula) in formulas(&**system, limits.seed)?.into_iter().enumerate() {
            let is_enough = counts.iter().all(|count| *count >= limits.formulas);
            if is_enough || begin.elapsed() > limits.model {
                break;
            }
            let rows = bench.unit(&[name, &drawn.to_string()], || {
                let is_full = |violated: bool| counts[usize::from(violated)] >= limits.formulas;
                Ok(vec![case(&mut engines, system, &formula, limits, is_full)?])
            })?;
            let verdict = rows.first().map_or("", |row| row.text("verdict"));
            if let Some(verdict) = VERDICTS.iter().position(|known| *known == verdict) {
                counts[verdict] += 1;
            }
        }
        bench.row(&[name, END], || Ok(remark("done")))
    }
}

/// Random formulas over states of processes, without X.
fn formulas(system: &dyn System, seed: u64) -> Result<Vec<Formula>> {
    let scope = system.names();
    let is_process_state = |name: &String| {
        name.contains('.') && matches!(scope.resolve(name), Some(Meaning::Value(_)))
    };
    let names: Vec<String> = scope.value_names().into_iter().filter(is_process_state).collect();
    let without_next = Priorities::equal(names.len()).adjusted("X=0")?;
    let formulas = RandomFormulas::over(names).sizes(6..=15).priorities(without_next).seed(seed);
    let formulas: Vec<Formula> =
        formulas.unique().generate()?.take(MOST_DRAWN).collect::<Result<_, _>>()?;
    Ok(formulas.into_iter().filter(|formula| !formula.props().is_empty()).collect())
}

/// Checks a formula in all ways, unless its product is small or there are enough with its verdict.
fn case(
    engines: &mut [AnyEngine; 3],
    system: &Arc<dyn System>,
    formula: &Formula,
    limits: &PairLimits,
    is_full: impl Fn(bool) -> bool,
) -> Result<Vec<String>> {
    let question = Question::new(system.clone(), formula, Deadlock::Stutter)?;
    let few = Limits { states: Some(SMALL), ..limits.control().limits };
    let explicit = ExplicitEngine::new(Default::default()).check(&question, &Control::new(few))?;
    let is_large = explicit.verdict == Verdict::Unknown(Unknown::Limit(Reason::States))
        || explicit.cost.product_states.is_some_and(|states| states >= SMALL);
    if !is_large {
        return Ok(remark("small"));
    }
    let mut seconds = [None; WAYS.len()];
    let mut nodes = [None; WAYS.len()];
    let mut violated = None;
    for (way, engine) in engines.iter_mut().enumerate() {
        let start = Instant::now();
        let outcome = engine.check(&question, &limits.control());
        let outcome = outcome.map_err(|error| anyhow!("{formula}: {error}"))?;
        if !outcome.verdict.is_decided() {
            continue;
        }
        let is_violated = outcome.verdict == Verdict::Violated;
        if violated.is_some_and(|known| known != is_violated) {
            bail!("{formula} has two verdicts");
        }
        violated = Some(is_violated);
        seconds[way] = Some(start.elapsed().as_secs_f64());
        nodes[way] = outcome.cost.peak_nodes.map(|nodes| nodes as f64);
        if is_full(is_violated) {
            return Ok(remark("enough with this verdict"));
        }
    }
    let Some(violated) = violated else { return Ok(remark("solved in no way")) };
    let times = seconds.map(|seconds| shown(seconds, 6).replace('–', ""));
    let nodes = [0, 1].map(|way| shown(nodes[way], 0).replace('–', ""));
    let head = cells![VERDICTS[usize::from(violated)], formula, ""];
    Ok(head.into_iter().chain(times).chain(nodes).collect())
}

/// Cases with a verdict.
fn cases<'a>(record: &'a Record, verdict: Option<usize>) -> impl Iterator<Item = Row<'a>> {
    record.rows().rows().filter(move |row| match verdict {
        Some(verdict) => row.text("verdict") == VERDICTS[verdict],
        None => VERDICTS.contains(&row.text("verdict")),
    })
}

fn notes(record: &Record, note: &str) -> usize {
    record.rows().rows().filter(|row| row.text("note") == note).count()
}

impl Hybrid {
    fn write(&self, record: &Record) -> Page {
        let mut page = Page::default();
        page.heading("Wins and failures");
        page.paragraph(
            "A way wins if it is faster than the other or the only one that solves a pair. Wins are TGBA \
             / TGTA; the thesis had 4,000 pairs.",
        );
        let mut lines = Vec::new();
        for (verdict, text) in VERDICTS.iter().enumerate() {
            let (mut wins, mut failed) = ([0, 0], [0, 0]);
            let mut ahead = 0;
            for row in cases(record, Some(verdict)) {
                let [tgba, tgta, both] = WAYS.map(|way| row.number(way));
                let is_first = tgba.unwrap_or(f64::MAX) <= tgta.unwrap_or(f64::MAX);
                wins[usize::from(!is_first)] += 1;
                failed[0] += usize::from(tgba.is_none());
                failed[1] += usize::from(tgta.is_none());
                let best = tgba.unwrap_or(f64::MAX).min(tgta.unwrap_or(f64::MAX));
                ahead += usize::from(both.is_some_and(|both| both <= 2.0 * best + 0.01));
            }
            let count = cases(record, Some(verdict)).count();
            lines.push(cells![
                format!("{count} that {text}"),
                self.published[verdict],
                format!("{} / {}", wins[0], wins[1]),
                format!("{} / {}", failed[0], failed[1]),
                format!("{} %", percent(ahead, count))
            ]);
        }
        let titles = [
            "pairs",
            ">wins, published",
            ">wins, ours",
            ">failed, ours",
            ">`both` within twice the best",
        ];
        page.table(&titles, &lines);
        let joint: Vec<(f64, f64)> = cases(record, None)
            .filter_map(|row| Some((row.number("tgba")?, row.number("tgta")?)))
            .collect();
        page.heading("Factors");
        let at_least = |factor: f64, flip: bool| {
            let faster = |pair: &&(f64, f64)| match flip {
                false => pair.0 >= factor * pair.1,
                true => pair.1 >= factor * pair.0,
            };
            joint.iter().filter(faster).count()
        };
        let factors = [2.0, 10.0, 100.0];
        let line = |name: &str, flip: bool| -> Vec<String> {
            let counts = factors.map(|factor| at_least(factor, flip).to_string());
            cells![name].into_iter().chain(counts).collect()
        };
        page.table(
            &["faster", ">2 times", ">10 times", ">100 times"],
            &[line("TGTA", false), line("TGBA", true)],
        );
        let unsolved = notes(record, "solved in no way");
        page.paragraph(&format!(
            "Solved by both: {} pairs; by neither: {unsolved}; left out since the explicit product has \
             fewer than {SMALL} states: {}.",
            joint.len(),
            notes(record, "small")
        ));
        let plot = |left: &str, right: &str| {
            [0, 1].map(|verdict| {
                let rows = cases(record, Some(verdict));
                let points = rows.filter_map(|row| Some((row.number(left)?, row.number(right)?)));
                Series { name: VERDICTS[verdict].to_owned(), points: points.collect() }
            })
        };
        page.figure(
            "time.svg",
            "Seconds of each pair that both have solved",
            scatter(("TGBA, seconds", "TGTA, seconds"), &plot("tgba", "tgta")),
        );
        page.figure(
            "memory.svg",
            "Peak nodes of diagrams so far, for each pair that both have solved",
            scatter(("TGBA, nodes", "TGTA, nodes"), &plot("tgba_nodes", "tgta_nodes")),
        );
        let tgta = joint.iter().filter(|(tgba, tgta)| tgta < tgba).count();
        page.conclude(
            "Neither form is the best on all pairs: both side by side are advised",
            (!joint.is_empty())
                .then_some(10 * tgta > joint.len() && 10 * (joint.len() - tgta) > joint.len()),
            Sample { cases: joint.len(), least: LEAST },
            format!("the TGTA form is faster on {tgta} of {} pairs", joint.len()),
        );
        let models = record.rows().distinct("model");
        let with_cases = models
            .iter()
            .filter(|model| cases(record, None).any(|row| row.text("model") == **model));
        page.coverage(
            format!(
                "{} pairs of a model and a formula on {} models, of the thesis's 4,000 on 20",
                cases(record, None).count(),
                with_cases.count()
            ),
            "random formulas without X over states of processes, until enough hold and enough are \
             violated",
        );
        page
    }
}
