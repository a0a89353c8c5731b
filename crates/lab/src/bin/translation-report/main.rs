//! Compares our automata with the sizes that another translator obtains.
//!
//! `translation-report [--list] [--kind tgba|ba] [--no-checks] [--timeout SECONDS]
//! [--slowest NUMBER] FILE.csv…`
//!
//! A file has a header and a line per formula, with the columns `formula`, `tgba_states`,
//! `tgba_edges`, `tgba_sets`, `ba_states` and `ba_edges`; others are ignored. Every automaton is
//! checked: it shares no word with the automaton of the negation, and it agrees with the semantics
//! on random words. Times are those of one thread at high effort, and of translation alone.

use sempre_automata::{Automaton, membership, product};
use sempre_lab::stopwatch::Stopwatch;
use sempre_ltl::generate::Rng;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Word};
use sempre_translate::{Kind, Translator, tableau};
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: translation-report [--list] [--kind tgba|ba] [--no-checks] \
                     [--timeout SECONDS] [--slowest NUMBER] FILE.csv…";

struct Options {
    list: bool,
    checks: bool,
    kinds: Vec<(Kind, &'static str)>,
    timeout: Duration,
    /// How many of the formulas that take longest are listed.
    slowest: usize,
    files: Vec<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        list: false,
        checks: true,
        kinds: vec![(Kind::Tgba, "tgba"), (Kind::Ba, "ba")],
        timeout: Duration::from_secs(20),
        slowest: 0,
        files: vec![],
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--list" => options.list = true,
            "--no-checks" => options.checks = false,
            "--kind" => {
                let wanted = arguments.next().ok_or(USAGE)?;
                options.kinds.retain(|(_, name)| *name == wanted);
            }
            "--timeout" => {
                let seconds: f64 = arguments.next().ok_or(USAGE)?.parse()?;
                options.timeout = Duration::try_from_secs_f64(seconds)?;
            }
            "--slowest" => options.slowest = arguments.next().ok_or(USAGE)?.parse()?,
            file if !file.starts_with('-') => options.files.push(argument),
            _ => return Err(USAGE.into()),
        }
    }
    if options.files.is_empty() || options.kinds.is_empty() {
        return Err(USAGE.into());
    }
    Ok(options)
}

/// The size of an automaton; the number of marks is not always known.
#[derive(Clone, Copy, Default)]
struct Size {
    states: usize,
    edges: usize,
    marks: usize,
}

impl Size {
    fn of(automaton: &Automaton) -> Self {
        let (states, edges) = (automaton.state_count(), automaton.edge_count());
        Size { states, edges, marks: automaton.acceptance().marks() as usize }
    }

    fn add(&mut self, other: Size) {
        self.states += other.states;
        self.edges += other.edges;
        self.marks += other.marks;
    }
}

struct Row {
    text: String,
    formula: Formula,
    reference: Size,
}

fn read(file: &str, kind: &str) -> Result<Vec<Row>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().ok_or("an empty file")?.split(',').collect();
    let column = |name: &str| header.iter().position(|column| *column == name);
    let [formula, states, edges] = ["formula", &format!("{kind}_states"), &format!("{kind}_edges")]
        .map(|name| column(name).ok_or_else(|| format!("{file}: no column {name}")));
    let (formula, states, edges) = (formula?, states?, edges?);
    let marks = column(&format!("{kind}_sets"));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |column: usize| -> Result<usize, Box<dyn Error>> {
                Ok(fields.get(column).ok_or_else(|| format!("{file}: {line}"))?.parse()?)
            };
            let text = fields[formula].to_string();
            let reference = Size {
                states: number(states)?,
                edges: number(edges)?,
                marks: marks.map_or(Ok(0), number)?,
            };
            Ok(Row { formula: text.parse()?, text, reference })
        })
        .collect()
}

/// What is wrong with an automaton, if anything.
fn fault(formula: &Formula, automaton: &Automaton, rng: &mut Rng) -> Option<String> {
    let evaluator = Evaluator::new(formula);
    let props = automaton.alphabet().props();
    for _ in 0..50 {
        let bound = 1u64 << formula.props().len().min(63);
        let (prefix, cycle) = (rng.index(5), 1 + rng.index(5));
        let mut letters = |length| (0..length).map(|_| rng.below(bound)).collect::<Vec<u64>>();
        let (prefix, cycle) = (letters(prefix), letters(cycle));
        let word = Word::from_valuations(formula.props(), &prefix, &cycle).ok()?;
        if membership::accepts(automaton, &word) != evaluator.holds(&word) {
            return Some(format!("wrong on {word}"));
        }
    }
    debug_assert!(props.len() <= formula.props().len());
    let negation = tableau::translate(&sempre_ltl::simplify(&Formula::not(formula)));
    product::common_word(automaton, &negation).map(|word| format!("accepts {word}"))
}

fn report(file: &str, kind: Kind, name: &str, options: &Options) -> Result<bool, Box<dyn Error>> {
    let mut out = io::stdout().lock();
    let rows = read(file, name)?;
    let mut translator = Translator::new().kind(kind);
    let mut rng = Rng::new(1);
    let (mut ours, mut theirs) = (Size::default(), Size::default());
    let (mut smaller, mut larger, mut most_above) = (0, 0, 0);
    let (mut deterministic, mut failures) = (0, vec![]);
    let mut times: Vec<(Duration, &str)> = vec![];
    for row in &rows {
        let deadline = Some(Instant::now() + options.timeout);
        let run = |work: &mut dyn FnMut() -> Automaton| {
            interrupt::run(&Interrupt::default(), deadline, work)
        };
        let clock = Stopwatch::start();
        let result = run(&mut || translator.translate(&row.formula));
        times.push((clock.elapsed(), &row.text));
        let Ok(automaton) = result else {
            translator = Translator::new().kind(kind);
            failures.push(format!("{}: takes longer than {:?}", row.text, options.timeout));
            continue;
        };
        let size = Size::of(&automaton);
        ours.add(size);
        theirs.add(row.reference);
        deterministic += usize::from(automaton.is_deterministic());
        smaller += usize::from(size.states < row.reference.states);
        if size.states > row.reference.states {
            larger += 1;
            most_above = most_above.max(size.states - row.reference.states);
            if options.list {
                writeln!(out, "  {} > {}: {}", size.states, row.reference.states, row.text)?;
            }
        }
        let (marks, most) = (size.marks, row.reference.marks);
        if options.list && name == "tgba" && size.states == row.reference.states && marks > most {
            writeln!(out, "  as many states, {marks} > {most} marks: {}", row.text)?;
        }
        if options.checks {
            let deadline = Some(Instant::now() + Duration::from_secs(20));
            let found = interrupt::run(&Interrupt::default(), deadline, || {
                fault(&row.formula, &automaton, &mut rng)
            });
            match found {
                Ok(None) => {}
                Ok(Some(fault)) => failures.push(format!("{}: {fault}", row.text)),
                Err(_) => writeln!(out, "  not checked: {}", row.text)?,
            }
        }
    }
    times.sort();
    let mean = times.iter().map(|(time, _)| time).sum::<Duration>() / times.len().max(1) as u32;
    let quantile = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).map_or(Duration::ZERO, |(time, _)| *time)
    };
    let [median, percentile, max] = [50, 99, 100].map(quantile);
    let set = std::path::Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    writeln!(
        out,
        "{set} {name}: {} formulas, {smaller} smaller, {} equal, {larger} larger (by {most_above} \
         at most), {} failures",
        rows.len(),
        times.len() - smaller - larger,
        failures.len(),
    )?;
    for (what, ours, theirs) in [
        ("states", ours.states, theirs.states),
        ("edges", ours.edges, theirs.edges),
        ("marks", ours.marks, theirs.marks),
    ] {
        if theirs > 0 {
            writeln!(out, "  {what}: {ours}, reference {theirs}")?;
        }
    }
    writeln!(out, "  deterministic: {deterministic}")?;
    writeln!(
        out,
        "  {}: mean {mean:.1?}, median {median:.1?}, p99 {percentile:.1?}, max {max:.1?}",
        Stopwatch::start().name(),
    )?;
    for (time, text) in times.iter().rev().take(options.slowest) {
        writeln!(out, "  {time:.1?}: {text}")?;
    }
    for failure in &failures {
        writeln!(out, "  FAILED {failure}")?;
    }
    Ok(failures.is_empty())
}

fn main() -> ExitCode {
    let outcome = options().and_then(|options| {
        let mut good = true;
        for file in &options.files {
            for (kind, name) in &options.kinds {
                good &= report(file, *kind, name, &options)?;
            }
        }
        Ok(good)
    });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // Whoever reads has read enough.
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe)
}
