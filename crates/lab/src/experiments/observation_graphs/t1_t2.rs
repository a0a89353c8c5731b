//! Tables 1 and 2: 100 random formulas of size 8 on nets of four families, the time for all of them
//! together, with states one by one and with sets of states.
//!
//! The times include the computation of the states, once for all formulas.

use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::settings::Settings;
use crate::statistics::{grouped, shown};
use crate::table::Table;
use anyhow::{Context, Result, anyhow, bail};
use sempre_check::{AutomatonKind, Control, Deadlock, Engine, Limits, Question, Verdict};
use sempre_diagrams::{Manager, Options as Memory, Strategy};
use sempre_explicit::ExplicitEngine;
use sempre_ltl::Formula;
use sempre_ltl::generate::Priorities;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::{Meaning, Model, System, generate};
use sempre_symbolic::{Order, Space};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Repeats Tables 1 and 2.
#[derive(Debug)]
pub struct T1T2;

const ENGINES: [&str; 2] = ["explicit", "symbolic"];

const ABOUT: About = About {
    name: "observation-graphs/t1-t2",
    summary: "100 random formulas of size 8 on nets of four families: explicit and symbolic checks",
    source: Source {
        document: "K. Klai, D. Poitrenaud, *MC-SOG: an LTL model checker based on symbolic observation \
                   graphs*, 2008",
        place: "Section 5, Tables 1 and 2",
    },
    parameters: &[
        parameter(
            "nets",
            "as FAMILY:NUMBER",
            "fms:2 fms:3 fms:4 fms:5 fms:6 kanban:2 kanban:3 kanban:4 kanban:5 kanban:6 philosophers:4 \
             philosophers:6 philosophers:8 philosophers:10 philosophers:20 ring:3 ring:4 ring:5",
            "fms:1 kanban:1 philosophers:4 ring:3",
        ),
        parameter("formulas", "for each net", "100", "5"),
        parameter("size", "of formulas", "8", "8"),
        parameter("timeout", "seconds for a check", "60", "2"),
        parameter("memory", "MiB for a net", "6144", "512"),
        parameter("seed", "of formulas", "0", "0"),
    ],
    unit: &["net", "engine"],
    values: &[
        "formulas",
        "markings",
        "verified",
        "undecided",
        "states",
        "transitions",
        "peak_nodes",
        "seconds",
        "verdicts",
    ],
};

impl Experiment for T1T2 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let limits = (settings.seconds("timeout")?, settings.bytes("memory")?);
        for name in settings.words("nets") {
            let (family, number) =
                name.split_once(':').context("a net is given as FAMILY:NUMBER")?;
            let net = generate::family(family)?.net(number.parse()?)?;
            let system = Model::from(net).system();
            let formulas = formulas(&*system, &settings)?;
            for engine in ENGINES {
                bench.row(&[name, engine], || match engine {
                    "symbolic" => symbolic(&system, &formulas, limits),
                    _ => one_by_one(&system, &formulas, limits),
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        page(record)
    }
}

/// Returns random formulas over places, without X.
fn formulas(system: &dyn System, settings: &Settings) -> Result<Vec<Formula>> {
    let scope = system.names();
    let is_place = |name: &String| matches!(scope.resolve(name), Some(Meaning::Value(_)));
    let names: Vec<String> = scope.value_names().into_iter().filter(is_place).collect();
    let without_next = Priorities::equal(names.len()).adjusted("X=0")?;
    let formulas = RandomFormulas::over(names).size(settings.number("size")?);
    let formulas = formulas.priorities(without_next).seed(settings.number("seed")?).generate()?;
    Ok(formulas.take(settings.number("formulas")?).collect::<Result<_, _>>()?)
}

/// Returns a verdict as a character: `+` holds, `-` violated, `?` unknown.
fn letter(verdict: &Verdict) -> char {
    match verdict {
        Verdict::Holds => '+',
        Verdict::Violated => '-',
        Verdict::Unknown(_) => '?',
    }
}

fn count(verdicts: &str, letter: char) -> usize {
    verdicts.chars().filter(|one| *one == letter).count()
}

fn symbolic(
    system: &Arc<dyn System>,
    formulas: &[Formula],
    (timeout, bytes): (Duration, usize),
) -> Result<Vec<String>> {
    let start = Instant::now();
    let manager =
        Manager::new(Memory { memory: bytes, poll: Some(Rc::new(|_| interrupt::poll_now())) });
    let space = Space::find(&manager, system, &Order::Best, Strategy::Saturation);
    let space = space.map_err(|fault| anyhow!("{fault}"))?;
    let mut verdicts = String::new();
    for formula in formulas {
        let deadline = Instant::now().checked_add(timeout);
        let question = Question::new(system.clone(), formula, Deadlock::Stutter)?;
        let found = interrupt::run(&Interrupt::default(), deadline, || {
            let negation = question.negation(AutomatonKind::Tgba, &Control::default())?;
            let check = || space.violation(&question, &negation, &Default::default());
            match manager.attempt(check) {
                Ok(found) => found.map(|(run, _)| Some(run.is_some())),
                Err(_) => Ok(None),
            }
        });
        verdicts.push(match found {
            Ok(found) => match found? {
                Some(false) => '+',
                Some(true) => '-',
                None => '?',
            },
            Err(_) => '?',
        });
    }
    let seconds = format!("{:.3}", start.elapsed().as_secs_f64());
    let (holding, unknown) = (count(&verdicts, '+'), count(&verdicts, '?'));
    let peak = manager.usage().peak_nodes;
    Ok(cells![formulas.len(), space.count(), holding, unknown, "", "", peak, seconds, verdicts])
}

fn one_by_one(
    system: &Arc<dyn System>,
    formulas: &[Formula],
    (timeout, bytes): (Duration, usize),
) -> Result<Vec<String>> {
    let start = Instant::now();
    let mut engine = ExplicitEngine::new(Default::default());
    let (mut verdicts, mut nodes, mut edges) = (String::new(), 0, 0);
    for formula in formulas {
        let deadline = Instant::now().checked_add(timeout);
        let limits = Limits { deadline, bytes: Some(bytes), ..Limits::default() };
        let question = Question::new(system.clone(), formula, Deadlock::Stutter)?;
        let outcome = engine.check(&question, &Control::new(limits))?;
        verdicts.push(letter(&outcome.verdict));
        nodes += outcome.cost.stored.unwrap_or_default();
        edges += outcome.cost.visited.unwrap_or_default();
    }
    let seconds = format!("{:.3}", start.elapsed().as_secs_f64());
    let (holding, unknown) = (count(&verdicts, '+'), count(&verdicts, '?'));
    if verdicts.is_empty() {
        bail!("the net has no formulas");
    }
    Ok(cells![formulas.len(), "", holding, unknown, nodes, edges, "", seconds, verdicts])
}

fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("tables.csv"), ',').unwrap_or_default();
    let nets = record.rows().distinct("net");
    let ours = |net: &str, engine: &str| record.rows().find(&[("net", net), ("engine", engine)]);
    for net in &nets {
        if let (Some(one), Some(other)) = (ours(net, "explicit"), ours(net, "symbolic")) {
            let pairs = one.text("verdicts").chars().zip(other.text("verdicts").chars());
            let wrong = pairs.filter(|(one, other)| one != other && *one != '?' && *other != '?');
            let wrong = wrong.count();
            if wrong > 0 {
                page.fault(format!("{net}: {wrong} formulas have two verdicts"));
            }
        }
    }
    for table in ["1", "2"] {
        let of_table = |net: &&&str| {
            let is_in = |table: &str| published.find(&[("table", table), ("net", net)]).is_some();
            if table == "1" { is_in("1") || !is_in("2") } else { is_in("2") }
        };
        let lines = nets.iter().filter(of_table).map(|net| {
            let theirs = published.find(&[("table", table), ("net", net)]);
            let theirs = |column: &str| theirs.map_or("", |row| row.text(column));
            let (one, sets) = (ours(net, "explicit"), ours(net, "symbolic"));
            let cell = |row: Option<crate::table::Row<'_>>, column: &str| {
                row.map_or_else(String::new, |row| grouped(row.text(column)))
            };
            let seconds = |row: Option<crate::table::Row<'_>>| {
                let Some(row) = row else { return String::new() };
                let seconds = shown(row.number("seconds"), 2);
                match row.text("undecided") {
                    "0" | "" => seconds,
                    undecided => format!("{seconds}, {undecided} undecided"),
                }
            };
            cells![
                net.replace(':', " "),
                format!("{} / {}", theirs("markings"), cell(sets, "markings")),
                format!("{} / {}", theirs("verified"), cell(sets, "verified")),
                theirs("nusmv_seconds"),
                theirs("sog_seconds"),
                theirs("explicit_seconds"),
                seconds(one),
                seconds(sets),
                format!("{} / {}", grouped(theirs("explicit_states")), cell(one, "states")),
                format!(
                    "{} / {}",
                    grouped(theirs("explicit_transitions")),
                    cell(one, "transitions")
                ),
                format!("{} / {}", grouped(theirs("nusmv_nodes")), cell(sets, "peak_nodes")),
            ]
        });
        let lines: Vec<Vec<String>> = lines.collect();
        if lines.is_empty() {
            continue;
        }
        page.heading(&match table {
            "1" => "Table 1".to_owned(),
            _ => "Table 2: aggregates with limited expansion".to_owned(),
        });
        page.paragraph(
            "Published / ours. Seconds are for all formulas of a net, those of the paper from a machine \
             of its time; theirs are NuSMV, MC-SOG and CheckPN (explicit). Their states, transitions and \
             nodes are those of CheckPN and NuSMV.",
        );
        page.table(
            &[
                "net",
                ">markings",
                ">verified",
                ">NuSMV, s",
                ">MC-SOG, s",
                ">CheckPN, s",
                ">ours explicit, s",
                ">ours symbolic, s",
                ">explicit states",
                ">explicit transitions",
                ">peak nodes",
            ],
            &lines,
        );
    }
    conclusions(&mut page, record);
    let settings = record.settings();
    page.coverage(
        format!(
            "{} nets, of the 18 of both tables, with {} formulas each (100 published)",
            nets.len(),
            settings.text("formulas")
        ),
        "random formulas from the seed; those of the paper are unknown, so only trends are comparable",
    );
    page
}

/// The number of nets that decides a conclusion about all, and one about philosophers.
const LEAST: usize = 6;
const PHILOSOPHERS: usize = 3;

fn conclusions(page: &mut Page, record: &Record) {
    // Undecided formulas would make a net look cheap, so only nets without them are compared.
    let seconds = |net: &str, engine: &str| {
        let row = record.rows().find(&[("net", net), ("engine", engine)])?;
        (row.text("undecided") == "0").then(|| row.number("seconds"))?
    };
    let nets = record.rows().distinct("net");
    let wins =
        nets.iter().filter_map(|net| Some(seconds(net, "explicit")? < seconds(net, "symbolic")?));
    let wins: Vec<bool> = wins.collect();
    let explicit = wins.iter().filter(|wins| **wins).count();
    page.conclude(
        "No model checker has the advantage on all nets",
        (!wins.is_empty()).then_some(explicit > 0 && explicit < wins.len()),
        Sample { cases: wins.len(), least: LEAST },
        format!(
            "of the nets on which both decide all formulas, our explicit engine is faster on {explicit}, the \
             symbolic one on {}",
            wins.len() - explicit
        ),
    );
    let philosophers = nets.iter().filter(|net| net.starts_with("philosophers:"));
    let philosophers = philosophers.filter(|net| seconds(net, "symbolic").is_some()).count();
    let [small, large] = ["philosophers:4", "philosophers:20"].map(|net| seconds(net, "symbolic"));
    page.conclude(
        "With philosophers, symbolic sets grow little while explicit states explode",
        small.and(large.zip(seconds("philosophers:20", "explicit"))).map(|(sets, one)| sets < one),
        Sample { cases: philosophers, least: PHILOSOPHERS },
        format!(
            "philosophers 20, if all formulas are decided: symbolic {} s, explicit {} s",
            shown(large, 2),
            shown(seconds("philosophers:20", "explicit"), 2)
        ),
    );
    page.leave_open(
        "MC-SOG visits far fewer states than the explicit check, and its time goes into aggregates",
        "observation graphs are not part of this experiment yet",
    );
}
