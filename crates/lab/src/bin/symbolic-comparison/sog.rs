//! The table of the paper on symbolic observation graphs: random formulas of size 8 on nets of four
//! families, the time for all of them together.
//!
//! Sets of states are found once for all formulas, and so are states one by one as far as they are
//! kept; that is part of the time.

use super::Settings;
use sempre_diagrams::{Manager, Options as Memory, Strategy};
use sempre_explicit::explore::Limits;
use sempre_explicit::store::Arena;
use sempre_explicit::{StateSpace, Verdict};
use sempre_ltl::Formula;
use sempre_ltl::generate::Priorities;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::{Meaning, Model, System, generate};
use sempre_symbolic::{Order, Space};
use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

/// A row of the table: NuSMV's seconds, those of MC-SOG and of its explicit checker.
struct Row(&'static str, u32, f64, Option<f64>, Option<f64>);

const PUBLISHED: [Row; 18] = [
    Row("fms", 2, 4.0, Some(0.9), Some(0.2)),
    Row("fms", 3, 9.2, Some(6.8), Some(1.8)),
    Row("fms", 4, 25.7, Some(93.2), Some(15.2)),
    Row("fms", 5, 48.6, Some(677.7), Some(98.5)),
    Row("fms", 6, 147.6, Some(182.2), None),
    Row("kanban", 2, 2.9, Some(0.4), Some(0.4)),
    Row("kanban", 3, 6.3, Some(0.7), Some(5.8)),
    Row("kanban", 4, 19.1, Some(2.9), Some(328.0)),
    Row("kanban", 5, 47.0, Some(7.5), None),
    Row("kanban", 6, 124.4, Some(18.9), None),
    Row("philosophers", 4, 4.2, Some(0.5), Some(0.1)),
    Row("philosophers", 6, 11.6, Some(1.1), Some(2.1)),
    Row("philosophers", 8, 32.3, Some(2.2), None),
    Row("philosophers", 10, 98.7, Some(4.0), None),
    Row("philosophers", 20, 2585.5, Some(41.5), None),
    Row("ring", 3, 10.8, Some(1.3), Some(0.2)),
    Row("ring", 4, 66.6, Some(15.2), Some(1.5)),
    Row("ring", 5, 438.0, Some(612.8), Some(181.2)),
];

pub(super) fn report(settings: &Settings) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "seconds for {} formulas of size 8 on each net", settings.formulas)?;
    writeln!(
        out,
        "{:<16}{:>16}  NuSMV  MC-SOG  explicit | ours: explicit (unsolved)  symbolic (unsolved)",
        "net", "markings"
    )?;
    for Row(family, number, nusmv, sog, explicit) in PUBLISHED {
        if !settings.wants(family) {
            continue;
        }
        let net = generate::family(family)?.net(number)?;
        let system = Model::from(net).system();
        let scope = system.names();
        let is_place = |name: &String| matches!(scope.resolve(name), Some(Meaning::Value(_)));
        let names: Vec<String> = scope.value_names().into_iter().filter(is_place).collect();
        let without_next = Priorities::equal(names.len()).adjusted("X=0")?;
        let formulas = RandomFormulas::over(names).size(8).priorities(without_next);
        let formulas = formulas.seed(settings.seed).generate()?.take(settings.formulas);
        let formulas: Vec<Formula> = formulas.collect::<Result<_, _>>()?;
        let (markings, sets, unknown_sets, verdicts) = symbolic(&system, &formulas, settings)?;
        let (states, unknown) = one_by_one(&system, &formulas, &verdicts, settings)?;
        let cell = |seconds: Option<f64>| seconds.map_or("–".to_owned(), |s| format!("{s:.1}"));
        writeln!(
            out,
            "{:<16}{markings:>16}  {nusmv:>6.1} {:>6} {:>9} | {states:>14.2} ({unknown:>3}) \
             {sets:>14.2} ({unknown_sets:>3})",
            format!("{family} {number}"),
            cell(sog),
            cell(explicit)
        )?;
        out.flush()?;
    }
    Ok(())
}

/// Whether each formula is violated, if that is known.
type Verdicts = Vec<Option<bool>>;

/// The number of markings, the seconds, how many formulas were not decided, and the verdicts.
fn symbolic(
    system: &Arc<dyn System>,
    formulas: &[Formula],
    settings: &Settings,
) -> Result<(String, f64, usize, Verdicts), Box<dyn Error>> {
    let start = Instant::now();
    let manager = Manager::new(Memory { memory: 6 << 30, poll: Some(|_| interrupt::poll_now()) });
    let space = Space::find(&manager, system, &Order::Best, Strategy::Saturation)?;
    let mut verdicts = Vec::new();
    for formula in formulas {
        let deadline = Instant::now().checked_add(settings.timeout);
        let verdict = interrupt::run(&Interrupt::default(), deadline, || {
            manager.attempt(|| space.verify(formula, &Default::default()))
        });
        verdicts.push(match verdict {
            Ok(Ok(verdict)) => is_violated(&verdict?.0),
            _ => None,
        });
    }
    let seconds = start.elapsed().as_secs_f64();
    let unknown = verdicts.iter().filter(|verdict| verdict.is_none()).count();
    Ok((space.count().to_string(), seconds, unknown, verdicts))
}

/// The seconds, and how many formulas were not decided.
fn one_by_one(
    system: &Arc<dyn System>,
    formulas: &[Formula],
    others: &Verdicts,
    settings: &Settings,
) -> Result<(f64, usize), Box<dyn Error>> {
    let start = Instant::now();
    let mut space = StateSpace::<Arena>::new(&**system);
    let mut unknown = 0;
    for (formula, other) in formulas.iter().zip(others) {
        let deadline = Instant::now().checked_add(settings.timeout);
        let limits = Limits { deadline, bytes: Some(6 << 30), ..Limits::default() };
        let options = sempre_explicit::Options::default();
        let outcome = sempre_explicit::verify(&mut space, formula, &options, &limits, &|_| ())?;
        let verdict = is_violated(&outcome.verdict);
        unknown += usize::from(verdict.is_none());
        if let (Some(one), Some(other)) = (verdict, other) {
            assert_eq!(one, *other, "{formula} has two verdicts");
        }
    }
    Ok((start.elapsed().as_secs_f64(), unknown))
}

fn is_violated(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Holds => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Unknown(_) => None,
    }
}
