//! What it brings to take property automata apart by strength, in the set-up of Renault,
//! Duret-Lutz, Kordon, Poitrenaud: *Strength-based decomposition of the property Büchi automaton for
//! faster model checking* (TACAS 2013), next to the numbers in that paper.
//!
//! `decomposition-report [--cases N] [--seed N] [--timeout SECONDS] [--model NAME]… [--each] DIR`
//!
//! DIR has models `NAME.dve`. For each model, random formulas over the states of its processes are
//! drawn until N of them hold and N are violated, of those whose negation has an automaton with
//! accepting components of different strengths and a product with more than 2000 nodes. Formulas
//! for which a check needs more than the time limit are left out. Sizes of automata are averages
//! over all formulas, nodes and edges of products averages over the formulas of a model. Of the
//! parts, the one counts that is last to end if the formula holds, and the first to find a violation
//! otherwise, as told by the edges that they follow. With `--each`, those of each formula are told,
//! too.

use rustc_hash::FxHashSet;
use sempre_automata::decompose::{Part, part};
use sempre_automata::strength::Strengths;
use sempre_automata::{Automaton, reduce};
use sempre_explicit::emptiness::{Check, Roots};
use sempre_explicit::explore::Limits;
use sempre_explicit::store::Arena;
use sempre_explicit::{
    Deadlock, Effort, Graph, Options, Product, Refusal, StateSpace, Stop, Verdict, check,
};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Prop};
use sempre_models::dve::{self, DveSystem};
use sempre_models::proposition::Propositions;
use sempre_models::{Meaning, Scope};
use sempre_translate::Translator;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: decomposition-report [--cases N] [--seed N] [--timeout SECONDS] \
                     [--model NAME]… [--each] DIR";

/// Products with fewer nodes are of no interest.
const LEAST_NODES: u64 = 2001;

/// How many formulas are drawn for a model before it is given up.
const MOST_DRAWN: usize = 20_000;

/// The emptiness checks for the whole automaton and its strong part.
const CHECKS: [(&str, Check); 3] = [
    ("SE", Check::SchwoonEsparza),
    ("ELL", Check::Restricted),
    ("Cou", Check::Couvreur { roots: Roots::Compressed, known_first: true }),
];

/// Averages in the paper: nodes and edges that were visited, for the whole automaton and the parts.
struct Published {
    model: &'static str,
    holds: bool,
    check: &'static str,
    whole: (f64, f64),
    parts: (f64, f64),
}

/// Table 3.
const PUBLISHED: [Published; 30] = {
    const fn row(
        model: &'static str,
        holds: bool,
        check: &'static str,
        whole: (f64, f64),
        parts: (f64, f64),
    ) -> Published {
        Published { model, holds, check, whole, parts }
    }
    [
        row("at.4", true, "SE", (11_778_840., 55_765_492.), (7_620_732., 30_150_665.)),
        row("at.4", true, "ELL", (11_778_840., 55_748_407.), (7_620_732., 30_150_665.)),
        row("at.4", true, "Cou", (11_692_421., 54_326_243.), (7_542_343., 28_859_760.)),
        row("bopdp.3", true, "SE", (2_672_100., 14_245_549.), (1_430_033., 5_249_648.)),
        row("bopdp.3", true, "ELL", (2_672_100., 13_637_796.), (1_440_798., 5_250_679.)),
        row("bopdp.3", true, "Cou", (2_515_568., 10_389_823.), (1_414_104., 4_037_319.)),
        row("elevator2.3", true, "SE", (17_583_328., 208_607_370.), (12_709_300., 106_105_555.)),
        row("elevator2.3", true, "ELL", (17_583_328., 200_251_800.), (12_709_300., 106_105_555.)),
        row("elevator2.3", true, "Cou", (17_144_611., 171_043_227.), (12_479_194., 99_666_774.)),
        row("elevator.4", true, "SE", (2_928_295., 15_794_777.), (1_543_723., 4_728_263.)),
        row("elevator.4", true, "ELL", (2_928_295., 14_908_666.), (1_543_723., 4_728_263.)),
        row("elevator.4", true, "Cou", (2_849_219., 12_734_156.), (1_547_016., 4_430_731.)),
        row("production_cell.3", true, "SE", (3_488_725., 25_182_172.), (1_358_518., 5_065_228.)),
        row("production_cell.3", true, "ELL", (3_488_725., 23_975_933.), (1_358_849., 5_065_967.)),
        row("production_cell.3", true, "Cou", (3_194_579., 19_584_772.), (1_323_029., 4_391_328.)),
        row("at.4", false, "SE", (362_202., 2_384_803.), (138., 181.)),
        row("at.4", false, "ELL", (362_202., 2_100_874.), (146., 186.)),
        row("at.4", false, "Cou", (362_196., 2_095_924.), (172., 217.)),
        row("bopdp.3", false, "SE", (32_131., 90_859.), (1145., 2333.)),
        row("bopdp.3", false, "ELL", (31_989., 90_668.), (1134., 2310.)),
        row("bopdp.3", false, "Cou", (32_120., 80_027.), (1152., 2331.)),
        row("elevator2.3", false, "SE", (998_871., 14_729_965.), (7967., 50_455.)),
        row("elevator2.3", false, "ELL", (998_725., 13_980_443.), (7978., 50_466.)),
        row("elevator2.3", false, "Cou", (984_226., 9_916_942.), (7975., 50_464.)),
        row("elevator.4", false, "SE", (37_389., 141_012.), (54., 58.)),
        row("elevator.4", false, "ELL", (37_336., 137_843.), (44., 47.)),
        row("elevator.4", false, "Cou", (37_386., 118_119.), (41., 43.)),
        row("production_cell.3", false, "SE", (52_458., 313_946.), (497., 876.)),
        row("production_cell.3", false, "ELL", (52_375., 271_454.), (495., 862.)),
        row("production_cell.3", false, "Cou", (48_589., 199_349.), (491., 857.)),
    ]
};

/// Table 1: the sizes of the parts in percent of the whole, states and edges, as they are and after
/// reduction; the strongest part first.
const PUBLISHED_SIZES: [(&str, Part, [f64; 4]); 3] = [
    ("A_S", Part::Strong, [50.66, 37.87, 46.57, 34.85]),
    ("A_W", Part::Weak, [68.71, 51.47, 62.95, 44.77]),
    ("A_T", Part::Terminal, [75.27, 63.68, 64.70, 49.28]),
];

struct Arguments {
    cases: usize,
    seed: u64,
    timeout: Duration,
    models: Vec<String>,
    /// Whether each formula is told about.
    each: bool,
    directory: PathBuf,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let (mut cases, mut seed, mut timeout) = (10, 0, Duration::from_secs(60));
    let (mut models, mut each, mut rest) = (Vec::new(), false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(USAGE);
        match argument.as_str() {
            "--cases" => cases = value()?.parse()?,
            "--seed" => seed = value()?.parse()?,
            "--timeout" => timeout = Duration::try_from_secs_f64(value()?.parse()?)?,
            "--model" => models.push(value()?),
            "--each" => each = true,
            _ => rest.push(argument),
        }
    }
    let [directory] = &*rest else { return Err(USAGE.into()) };
    if models.is_empty() {
        let published = PUBLISHED.iter().filter(|row| row.holds);
        models = published.map(|row| row.model.to_owned()).collect();
        models.dedup();
    }
    Ok(Arguments { cases, seed, timeout, models, each, directory: directory.into() })
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| report(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// An average.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl AddAssign<f64> for Mean {
    fn add_assign(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }
}

impl Mean {
    fn value(self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }
}

/// What a formula has cost by each of the checks, nodes and edges: the whole automaton, the parts.
type Costs = [[Effort; 2]; CHECKS.len()];

/// Nodes and edges for the whole automaton and the parts, by check.
type Means = [[[Mean; 2]; 2]; CHECKS.len()];

/// By part: states and edges relative to the whole automaton, as it is and reduced.
type Sizes = [[Mean; 4]; PUBLISHED_SIZES.len()];

fn report(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let mut sizes = Sizes::default();
    writeln!(out, "nodes and edges visited, averages: paper / ours")?;
    for name in &arguments.models {
        let path = arguments.directory.join(format!("{name}.dve"));
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let system = DveSystem::new(&dve::parse(&text)?);
        let mut means = [Means::default(), Means::default()];
        let counts = measure(&system, arguments, &mut means, &mut sizes)?;
        for (violated, means) in means.iter().enumerate() {
            let verdict = if violated == 0 { "hold" } else { "are violated" };
            writeln!(out, "{name}, {} formulas that {verdict}", counts[violated])?;
            for ((check, _), [whole, parts]) in CHECKS.iter().zip(means) {
                let is_row = |row: &&Published| {
                    row.model == name && row.holds == (violated == 0) && row.check == *check
                };
                let published = PUBLISHED.iter().find(is_row);
                let cell = |published: Option<f64>, ours: f64| {
                    let published = published.map_or("—".to_owned(), |n| format!("{n:.0}"));
                    format!("{published} / {ours:.0}")
                };
                let ratio = |whole: f64, parts: f64| 100.0 * parts / whole;
                let published_ratio = published
                    .map_or("—".to_owned(), |p| format!("{:.1}", ratio(p.whole.1, p.parts.1)));
                writeln!(
                    out,
                    "  {check:<4} whole {:>22} nodes {:>24} edges; parts {:>22} nodes {:>24} edges; \
                     edges left {published_ratio} / {:.1} %",
                    cell(published.map(|p| p.whole.0), whole[0].value()),
                    cell(published.map(|p| p.whole.1), whole[1].value()),
                    cell(published.map(|p| p.parts.0), parts[0].value()),
                    cell(published.map(|p| p.parts.1), parts[1].value()),
                    ratio(whole[1].value(), parts[1].value()),
                )?;
            }
        }
        out.flush()?;
    }
    writeln!(out, "sizes of the parts in percent of the automaton: paper / ours")?;
    writeln!(out, "        states           edges            states, reduced  edges, reduced")?;
    for ((name, _, published), ours) in PUBLISHED_SIZES.iter().zip(&sizes) {
        write!(out, "  {name} ")?;
        for (published, ours) in published.iter().zip(ours) {
            write!(out, "  {published:>6.2} / {:>6.2}", ours.value())?;
        }
        writeln!(out, "  ({} automata)", ours[0].count)?;
    }
    Ok(())
}

/// Measures formulas for a model; how many hold and how many are violated.
fn measure(
    system: &DveSystem,
    arguments: &Arguments,
    means: &mut [Means; 2],
    sizes: &mut Sizes,
) -> Result<[usize; 2], Box<dyn Error>> {
    let is_process_state = |name: &String| {
        name.contains('.') && matches!(system.resolve(name), Some(Meaning::Value(_)))
    };
    let names: Vec<String> = system.value_names().into_iter().filter(is_process_state).collect();
    let formulas = RandomFormulas::over(names).sizes(8..=20).seed(arguments.seed).unique();
    let mut space = StateSpace::<Arena>::new(system);
    let mut counts = [0; 2];
    for formula in formulas.generate()?.take(MOST_DRAWN) {
        if counts.iter().all(|count| *count >= arguments.cases) {
            break;
        }
        let formula = formula?;
        let deadline = Instant::now() + arguments.timeout;
        let translated = interrupt::run(&Interrupt::default(), Some(deadline), || {
            Translator::new().translate(&Formula::not(formula))
        });
        let Ok(negation) = translated else { continue };
        if !is_mixed(&negation) {
            continue;
        }
        let deadline = Instant::now() + arguments.timeout;
        let limits = Limits { deadline: Some(deadline), ..Limits::default() };
        if !is_large(&mut space, &negation, &limits)? {
            continue;
        }
        let mut found = None;
        let Some(costs) = costs(&mut space, &negation, arguments, |violated| {
            found.get_or_insert(violated);
            counts[usize::from(violated)] < arguments.cases
        })?
        else {
            continue;
        };
        let violated = usize::from(found == Some(true));
        counts[violated] += 1;
        if arguments.each {
            let edges = |((name, _), [whole, parts]): ((&str, _), &[Effort; 2])| {
                format!("{name} {} / {}", whole.edges, parts.edges)
            };
            let edges: Vec<String> = CHECKS.into_iter().zip(&costs).map(edges).collect();
            println!(
                "  {}: {} states; edges, whole / parts: {}",
                if violated == 0 { "holds" } else { "violated" },
                negation.state_count(),
                edges.join(", ")
            );
        }
        for (means, costs) in means[violated].iter_mut().zip(&costs) {
            for (mean, cost) in means.iter_mut().zip(costs) {
                mean[0] += cost.nodes as f64;
                mean[1] += cost.edges as f64;
            }
        }
        add_sizes(&negation, sizes);
    }
    Ok(counts)
}

/// True if the accepting components have different strengths.
fn is_mixed(automaton: &Automaton) -> bool {
    let strengths = Strengths::of(automaton);
    let mut accepting: Vec<_> =
        strengths.sccs().iter().map(|scc| strengths.of_component(scc)).collect();
    accepting.retain(|strength| strength.is_accepting());
    accepting.sort_unstable();
    accepting.dedup();
    accepting.len() > 1
}

/// True if the product has enough nodes.
fn is_large(
    space: &mut StateSpace<'_, Arena>,
    automaton: &Automaton,
    limits: &Limits,
) -> Result<bool, Box<dyn Error>> {
    let names = automaton.alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(space.system().names(), names)?;
    let deadlock = Deadlock::Stutter;
    let mut product = Product::new(space, automaton, &propositions, deadlock, limits, &|_| ());
    let walk = |product: &mut Product<'_, '_, Arena>| -> Result<bool, Stop> {
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        product.initial(&mut nodes)?;
        let mut seen: FxHashSet<u32> = nodes.iter().copied().collect();
        while let Some(node) = nodes.pop() {
            edges.clear();
            product.successors(node, |_| true, &mut edges)?;
            nodes.extend(edges.iter().map(|e| e.target).filter(|target| seen.insert(*target)));
            if seen.len() as u64 >= LEAST_NODES {
                return Ok(true);
            }
        }
        Ok(false)
    };
    walk(&mut product).map_err(|stop| format!("{stop:?}").into())
}

/// The costs of all checks; none if one of them needs too much time, or the verdict, which is the
/// first thing to be found, is not wanted.
fn costs(
    space: &mut StateSpace<'_, Arena>,
    negation: &Automaton,
    arguments: &Arguments,
    mut is_wanted: impl FnMut(bool) -> bool,
) -> Result<Option<Costs>, Refusal> {
    let mut run = |automaton: &Automaton, emptiness| -> Result<_, Refusal> {
        let deadline = Some(Instant::now() + arguments.timeout);
        let limits = Limits { deadline, ..Limits::default() };
        let options = Options { emptiness, ..Options::default() };
        let outcome = check(space, automaton, &options, &limits, &|_| ())?;
        Ok(match outcome.verdict {
            Verdict::Holds => Some((false, outcome.effort)),
            Verdict::Violated(_) => Some((true, outcome.effort)),
            Verdict::Unknown(_) => None,
        })
    };
    let mut costs = Costs::default();
    let parts = [Part::Terminal, Part::Weak].map(|strength| reduced(negation, strength));
    let strong = reduced(negation, Part::Strong);
    // The last check is the fastest.
    for (number, (_, emptiness)) in CHECKS.iter().enumerate().rev() {
        let Some((violated, whole)) = run(negation, Some(*emptiness))? else { return Ok(None) };
        if !is_wanted(violated) {
            return Ok(None);
        }
        let mut efforts = Vec::new();
        for part in &parts {
            if part.state_count() > 0 {
                let Some(found) = run(part, None)? else { return Ok(None) };
                efforts.push(found);
            }
        }
        if strong.state_count() > 0 {
            let Some(found) = run(&strong, Some(*emptiness))? else { return Ok(None) };
            efforts.push(found);
        }
        let agrees = efforts.iter().any(|(part, _)| *part) == violated;
        assert!(agrees, "the parts and the whole do not agree");
        let finding =
            efforts.iter().filter(|(part, _)| *part == violated).map(|(_, effort)| *effort);
        let counted = match violated {
            true => finding.min_by_key(|effort| effort.edges),
            false => finding.max_by_key(|effort| effort.edges),
        };
        costs[number] = [whole, counted.unwrap_or_default()];
    }
    Ok(Some(costs))
}

/// A part, reduced once more.
fn reduced(automaton: &Automaton, strength: Part) -> Automaton {
    reduce::reduce(&part(automaton, strength), reduce::Level::Medium)
}

/// Adds the sizes of the parts that there are.
fn add_sizes(automaton: &Automaton, sizes: &mut Sizes) {
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    for ((_, strength, _), means) in PUBLISHED_SIZES.iter().zip(sizes) {
        let cut = part(automaton, *strength);
        if cut.state_count() == 0 {
            continue;
        }
        for (place, part) in [cut, reduced(automaton, *strength)].iter().enumerate() {
            means[2 * place] += percent(part.state_count(), automaton.state_count());
            means[2 * place + 1] += percent(part.edge_count(), automaton.edge_count());
        }
    }
}
