//! Experiment E5: two kinds of automata, with and without saturation.
//!
//! The states of a model are found once, by saturation; the time of a check is that of the product
//! and of the fixpoint, which is forward OWCTY for all, up to the verdict with its counterexample.
//! Formulas are random, without X, over states of processes.

use super::Settings;
use sempre_diagrams::{Exhausted, Manager, Options as Memory, Strategy};
use sempre_explicit::{Refusal, Verdict};
use sempre_ltl::Formula;
use sempre_ltl::generate::Priorities;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::dve::{self, DveSystem};
use sempre_models::{Meaning, System};
use sempre_symbolic::{Fixpoint, Kind, Options, Order, Space, Steps};
use sempre_testing::require_invariance;
use std::error::Error;
use std::io::{StdoutLock, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The four ways of the thesis: A is the generalized Büchi automaton, D the testing automaton with
/// stuttering split off. Then ours: the Büchi automaton with its loops split off.
const WAYS: [(&str, Kind, Steps, bool); 5] = [
    ("A nosat", Kind::Tgba, Steps::Edges, false),
    ("A sat", Kind::Tgba, Steps::Edges, true),
    ("D nosat", Kind::Tgta, Steps::Split, false),
    ("D sat", Kind::Tgta, Steps::Split, true),
    ("A split", Kind::Tgba, Steps::Split, true),
];

/// How many of them the thesis has.
const OF_THESIS: usize = 4;

/// The mean times of Table 6.3 in seconds, for the same ways.
const PUBLISHED: [(&str, [f64; 4]); 20] = [
    ("at.5", [391.86, 446.56, 590.44, 182.95]),
    ("bakery.4", [14.07, 14.74, 17.90, 7.43]),
    ("bakery.7", [634.79, 632.04, 593.24, 168.80]),
    ("bopdp.3", [18.89, 19.36, 28.65, 9.44]),
    ("brp2.3", [5.05, 5.20, 6.31, 2.65]),
    ("elevator.4", [154.02, 169.32, 204.15, 81.40]),
    ("fischer.5", [300.82, 372.75, 418.96, 187.41]),
    ("iprotocol.7", [1790.41, 1776.72, 1987.39, 290.30]),
    ("lamport_nonatomic.5", [111.24, 147.24, 191.97, 17.00]),
    ("lamport.7", [479.56, 570.71, 696.13, 63.61]),
    ("lann.6", [504.95, 576.05, 793.42, 148.53]),
    ("lann.7", [161.05, 208.84, 379.38, 99.07]),
    ("lifts.7", [541.09, 579.36, 643.38, 152.58]),
    ("lifts.8", [1804.29, 1858.65, 1910.90, 283.42]),
    ("mcs.5", [1659.96, 1889.17, 2208.65, 460.33]),
    ("peterson.5", [196.12, 283.39, 309.68, 55.40]),
    ("pgm_protocol.8", [935.45, 982.70, 1118.97, 658.58]),
    ("phils.7", [6.79, 12.33, 15.58, 1.64]),
    ("production_cell.6", [663.13, 702.71, 862.59, 375.44]),
    ("reader_writer.3", [0.67, 0.71, 1.12, 0.63]),
];

/// Table 6.4: how often each way was the fastest, the slowest or failed, and failed, in percent,
/// for formulas that hold and formulas that are violated.
const PUBLISHED_RANKS: [[[f64; 3]; 4]; 2] = [
    [[14., 10., 1.5], [11., 23., 1.5], [0., 68., 2.2], [81., 3., 0.1]],
    [[7., 5., 0.6], [4., 14., 1.6], [0., 79., 4.4], [89., 1., 0.4]],
];

/// How many times as long the states of a model may take as a check.
const FOR_STATES: u32 = 5;

/// How many times as long all formulas of a model may take as a check, and how many are drawn.
const FOR_MODEL: u32 = 50;
const MOST_DRAWN: usize = 2000;

/// What became of formulas.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// By verdict: formulas, and how often each way was first, last and failed. Ways of the thesis
    /// are ranked among themselves; ours is first if it is ahead of them all.
    cases: [usize; 2],
    ranks: [[[usize; 3]; WAYS.len()]; 2],
    /// The seconds of the cases that all ways have solved, and how many these are.
    sums: [f64; WAYS.len()],
    solved: usize,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.solved += other.solved;
        for (sum, other) in self.sums.iter_mut().zip(&other.sums) {
            *sum += other;
        }
        for verdict in 0..2 {
            self.cases[verdict] += other.cases[verdict];
            for way in 0..WAYS.len() {
                for rank in 0..3 {
                    self.ranks[verdict][way][rank] += other.ranks[verdict][way][rank];
                }
            }
        }
    }

    /// Takes note of the times that a formula took.
    fn note(&mut self, verdict: usize, seconds: &[Option<f64>; WAYS.len()]) {
        self.cases[verdict] += 1;
        let theirs = &seconds[..OF_THESIS];
        let known = || theirs.iter().flatten().copied();
        let (first, last) = (known().fold(f64::MAX, f64::min), known().fold(0.0, f64::max));
        let all_solved = known().count() == OF_THESIS;
        for (way, (ranks, seconds)) in self.ranks[verdict].iter_mut().zip(seconds).enumerate() {
            ranks[0] += usize::from(match way < OF_THESIS {
                true => *seconds == Some(first),
                false => seconds.is_some_and(|seconds| seconds < first),
            });
            ranks[1] += usize::from(match way < OF_THESIS {
                true => seconds.is_none_or(|seconds| all_solved && seconds == last),
                false => seconds.is_none_or(|seconds| all_solved && seconds > last),
            });
            ranks[2] += usize::from(seconds.is_none());
        }
        if seconds.iter().all(Option::is_some) {
            self.solved += 1;
            for (sum, seconds) in self.sums.iter_mut().zip(seconds) {
                *sum += seconds.unwrap_or_default();
            }
        }
    }
}

pub(super) fn report(directory: &Path, settings: &Settings) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let names = WAYS.map(|(name, ..)| name).join(", ");
    writeln!(out, "mean seconds where all have an answer: published / ours, for {names}")?;
    let mut all = Tally::default();
    for (name, published) in &PUBLISHED {
        if !settings.wants(name) {
            continue;
        }
        let path = directory.join(format!("{name}.dve"));
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let system: Arc<dyn System> = Arc::new(DveSystem::new(&dve::parse(&text)?));
        write!(out, "{name}: ")?;
        out.flush()?;
        if let Some(tally) = model(&system, settings, &mut out)? {
            means(&mut out, published, &tally)?;
            for (verdict, (cases, ranks)) in
                VERDICTS.iter().zip(tally.cases.iter().zip(&tally.ranks))
            {
                let failed = ranks.map(|ranks| ranks[2].to_string()).join(", ");
                writeln!(out, "  of {cases} formulas that {verdict}, failed: {failed}")?;
            }
            all.add(&tally);
        }
        out.flush()?;
    }
    writeln!(out, "all")?;
    means(&mut out, &[487.65, 530.94, 612.79, 158.04], &all)?;
    for (verdict, published) in PUBLISHED_RANKS.iter().enumerate() {
        let cases = all.cases[verdict];
        writeln!(out, "{cases} formulas that {}, percent: published / ours", VERDICTS[verdict])?;
        writeln!(out, "           fastest      slowest or failed  failed")?;
        for (way, (name, ..)) in WAYS.iter().enumerate() {
            write!(out, "  {name:<8}")?;
            for rank in 0..3 {
                let published = published.get(way).map(|ranks| ranks[rank].to_string());
                let published = published.as_deref().unwrap_or("-");
                let percent = 100.0 * all.ranks[verdict][way][rank] as f64 / cases.max(1) as f64;
                write!(out, " {published:>5} / {percent:<6.1}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

const VERDICTS: [&str; 2] = ["hold", "are violated"];

/// A line with the mean times.
fn means(out: &mut impl Write, published: &[f64], tally: &Tally) -> std::io::Result<()> {
    if tally.solved == 0 {
        return writeln!(out, "  none was solved by all");
    }
    write!(out, "  {} solved by all:", tally.solved)?;
    let ours = tally.sums.map(|sum| sum / tally.solved as f64);
    for (way, ours) in ours.iter().enumerate() {
        match published.get(way) {
            Some(published) => write!(out, "  {published:.2} / {ours:.3}")?,
            None => write!(out, "  - / {ours:.3}")?,
        }
    }
    let ratio = |times: &[f64]| times[1] / times[3];
    writeln!(out, "; A sat/D sat {:.2} / {:.2}", ratio(published), ratio(&ours))
}

/// Measures formulas of a model; none if its states are not found.
fn model(
    system: &Arc<dyn System>,
    settings: &Settings,
    out: &mut StdoutLock<'_>,
) -> Result<Option<Tally>, Box<dyn Error>> {
    let manager = Manager::new(Memory { memory: 6 << 30, poll: Some(|_| interrupt::poll_now()) });
    let start = Instant::now();
    let found = limited(settings.timeout * FOR_STATES, &manager, || {
        Space::find(&manager, system, &Order::Best, Strategy::Saturation)
    });
    let Some(space) = found else {
        writeln!(out, "its states were not found in time")?;
        return Ok(None);
    };
    let space = space?;
    writeln!(out, "{} states in {:.2} s", space.count(), start.elapsed().as_secs_f64())?;
    out.flush()?;
    let scope = system.names();
    let is_process_state = |name: &String| {
        name.contains('.') && matches!(scope.resolve(name), Some(Meaning::Value(_)))
    };
    let names: Vec<String> = scope.value_names().into_iter().filter(is_process_state).collect();
    let without_next = Priorities::equal(names.len()).adjusted("X=0")?;
    let formulas =
        RandomFormulas::over(names).sizes(6..=15).priorities(without_next).seed(settings.seed);
    let mut tally = Tally::default();
    let begin = Instant::now();
    for formula in formulas.unique().generate()?.take(MOST_DRAWN) {
        let is_enough = tally.cases.iter().all(|cases| *cases >= settings.formulas);
        if is_enough || begin.elapsed() > settings.timeout * FOR_MODEL {
            break;
        }
        let formula = formula?;
        if formula.props().is_empty() || require_invariance(&formula).is_err() {
            continue;
        }
        case(&space, &manager, &formula, settings, &mut tally)?;
    }
    Ok(Some(tally))
}

/// Runs something that is given up when the time is over, or the memory.
fn limited<T>(timeout: Duration, manager: &Manager<'_>, work: impl FnOnce() -> T) -> Option<T> {
    let deadline = Instant::now().checked_add(timeout);
    let done = interrupt::run(&Interrupt::default(), deadline, || manager.attempt(work));
    match done {
        Ok(Ok(done)) => Some(done),
        Ok(Err(Exhausted)) | Err(_) => None,
    }
}

/// Checks a formula in all ways, the one first that is likely to be the fastest: it tells whether
/// the formula is needed.
fn case(
    space: &Space<'_>,
    manager: &Manager<'_>,
    formula: &Formula,
    settings: &Settings,
    tally: &mut Tally,
) -> Result<(), Refusal> {
    let mut seconds = [None; WAYS.len()];
    let mut violated = None;
    for (way, (_, kind, steps, saturate)) in WAYS.into_iter().enumerate().rev() {
        // What one way has left in the caches must not help the next.
        manager.forget();
        let fixpoint = Some(Fixpoint::Owcty);
        let options = Options { kind, steps, saturate, fixpoint, ..Options::default() };
        let start = Instant::now();
        let verdict = limited(settings.timeout, manager, || space.verify(formula, &options));
        let Some(verdict) = verdict else { continue };
        let is_violated = match verdict?.0 {
            Verdict::Holds => false,
            Verdict::Violated(_) => true,
            Verdict::Unknown(_) => continue,
        };
        assert!(violated.is_none_or(|known| known == is_violated), "{formula} has two verdicts");
        violated = Some(is_violated);
        seconds[way] = Some(start.elapsed().as_secs_f64());
        if tally.cases[usize::from(is_violated)] >= settings.formulas {
            return Ok(());
        }
    }
    if let Some(violated) = violated {
        tally.note(violated.into(), &seconds);
    }
    Ok(())
}
