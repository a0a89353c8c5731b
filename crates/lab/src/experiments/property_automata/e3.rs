//! E3: refinement under exclusive sets (Chapter 4).
//!
//! A task is a model with a random formula about locations of its processes. The Büchi automaton of
//! the negated formula is refined by the exclusive sets that our detectors find, as a formula and as
//! an automaton. All three are searched by Spin's nested search (`se`), which counts visited
//! transitions of the product: t1 with the original automaton, t2 with a refined one.

use super::DOCUMENT;
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::plot;
use crate::record::Record;
use crate::statistics::{mean, percent, shown};
use crate::table::{Row, Table};
use anyhow::{Context, Result};
use sempre_automata::reduce::Level;
use sempre_automata::to_ba::to_ba;
use sempre_automata::{Automaton, constraint};
use sempre_check::{Control, Deadlock, Limits, Question, Verdict};
use sempre_explicit::emptiness::Check;
use sempre_explicit::store::Arena;
use sempre_explicit::{Options, StateSpace};
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::rewrite::refine;
use sempre_ltl::{Formula, Prop};
use sempre_models::facts::{self, FactKind};
use sempre_models::{Model, Scope, System};
use sempre_testing::Negation;
use sempre_translate::{Kind, Method, Translator};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Refines automata of random formulas by exclusive sets.
#[derive(Debug)]
pub struct E3;

const ABOUT: About = About {
    name: "property-automata/e3",
    summary: "Visited transitions with automata that are refined by exclusive sets",
    source: Source {
        document: DOCUMENT,
        place: "Chapter 4, Tables 4.2 to 4.13, Figures 4.5 and 4.7",
    },
    parameters: &[
        parameter(
            "models",
            "models of BEEM, or shipped:NAME",
            "anderson.2 at.1 bakery.1 bopdp.1 bridge.1 brp.1 collision.1 cyclic_scheduler.1 \
             driving_phils.1 elevator2.1 elevator.2 peterson.1",
            "shipped:peterson",
        ),
        parameter("tasks", "of each model", "30", "4"),
        parameter("drawn", "formulas drawn for each model, at most", "400", "60"),
        parameter("size", "of formulas, least and greatest", "30 50", "12 20"),
        parameter("least", "minimal t1", "1000", "20"),
        parameter("states", "limit of stored states of a search", "1000000", "100000"),
        parameter("timeout", "seconds for one translation or search", "10", "5"),
        parameter("seed", "of formulas", "1", "1"),
    ],
    unit: &["model", "drawn"],
    values: &[
        "formula",
        "translator",
        "way",
        "states",
        "edges",
        "letters",
        "labels",
        "short",
        "verdict",
        "visited",
        "stored",
    ],
};

/// Our translators.
const TRANSLATORS: [(&str, Method); 2] =
    [("tableau", Method::Tableau), ("alternating", Method::Alternating)];

const OFF: &str = "off";
const FORMULA: &str = "formula";
const AUTOMATON: &str = "automaton";

impl Experiment for E3 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings().clone();
        let sizes: Vec<usize> =
            settings.words("size").map(str::parse).collect::<Result<_, _>>().context("size")?;
        let [least, greatest] = sizes[..] else { anyhow::bail!("size needs two numbers") };
        let limits = TaskLimits {
            least: settings.number("least")?,
            states: settings.number("states")?,
            timeout: settings.seconds("timeout")?,
        };
        for (number, name) in settings.words("models").enumerate() {
            let model = Place::named(name, &settings)?.open()?;
            let system = model.system();
            let groups = locations(&*system);
            let mut rng = Rng::new(settings.number::<u64>("seed")? ^ (number as u64) << 32);
            let mut kept = 0;
            for drawn in 0..settings.number::<u64>("drawn")? {
                if kept == settings.number::<u64>("tasks")? || groups.is_empty() {
                    break;
                }
                let props = propositions(&groups, &mut rng);
                let formulas = RandomFormulas::over(props).sizes(least..=greatest);
                let mut formulas = formulas.seed(rng.bits()).generate()?;
                let formula = formulas.next().context("no formula was drawn")??;
                let rows = bench.unit(&[name, &drawn.to_string()], || {
                    Ok(task(&model, &formula, &limits).unwrap_or_else(|| {
                        vec![cells![formula, "", "", "", "", "", "", "", "", "", ""]]
                    }))
                })?;
                kept += u64::from(rows.first().is_some_and(|row| !row.text("way").is_empty()));
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let tasks = Tasks::of(record.rows());
        for fault in &tasks.faults {
            page.fault(fault.clone());
        }
        tasks.solved(&mut page);
        for way in [FORMULA, AUTOMATON] {
            tasks.effects(&mut page, way);
            tasks.ratios(&mut page, way);
        }
        tasks.comparison(&mut page);
        tasks.labels(&mut page);
        tasks.conclude(&mut page);
        page.coverage(
            format!("{} tasks", tasks.count()),
            "random formulas in the order of drawing; a task is kept if the search with the original \
             automaton visits enough transitions and ends within the limits",
        );
        page
    }
}

/// The names of locations, by process; processes with at least two.
fn locations(system: &dyn System) -> Vec<Vec<String>> {
    let names = Scope::value_names(system.names());
    let of_process = |process: String| -> Vec<String> {
        let prefix = format!("{process}.");
        let constants = system.names().constants(&process);
        let is_location = |name: &&String| {
            name.strip_prefix(&prefix).is_some_and(|rest| constants.iter().any(|c| c == rest))
        };
        names.iter().filter(is_location).cloned().collect()
    };
    let groups = system.names().processes().into_iter().map(of_process);
    groups.filter(|group| group.len() > 1).collect()
}

/// Draws three locations of one process and two of another, as far as there are.
fn propositions(groups: &[Vec<String>], rng: &mut Rng) -> Vec<Prop> {
    let mut props: Vec<Prop> = Vec::new();
    for count in [3, 2] {
        let mut group = groups[rng.index(groups.len())].clone();
        for _ in 0..count {
            if !group.is_empty() {
                let prop = Prop::new(group.remove(rng.index(group.len())));
                if !props.contains(&prop) {
                    props.push(prop);
                }
            }
        }
    }
    props
}

struct TaskLimits {
    least: u64,
    states: u64,
    timeout: Duration,
}

impl TaskLimits {
    /// Runs some work until the timeout.
    fn run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let deadline = Some(Instant::now() + self.timeout);
        interrupt::run(&Interrupt::default(), deadline, work).ok()
    }
}

/// The rows of a task; `None` if it is not suitable.
fn task(model: &Model, formula: &Formula, limits: &TaskLimits) -> Option<Vec<Vec<String>>> {
    let system = model.system();
    let question = Question::new(system.clone(), formula, Deadlock::Stutter).ok()?;
    let mut found = facts::find(model, &*system, &formula.props(), facts::STEPS);
    found.retain(|fact| fact.kind == FactKind::Locations);
    let exclusive = facts::constraint(&found);
    if exclusive.is_true() {
        return None;
    }
    let negation = Formula::not(formula.clone());
    let refined = refine(&negation, &exclusive);
    let mut rows = Vec::new();
    for (translator, method) in TRANSLATORS {
        let translate = |formula: &Formula| {
            limits.run(|| Translator::new().method(method).kind(Kind::Ba).translate(formula))
        };
        let original = translate(&negation)?;
        let restricted = limits.run(|| {
            let small = constraint::refine(&original, &exclusive, Level::High).ok()?;
            Some(match small.is_state_based() || small.state_count() == 0 {
                true => small,
                // Never larger: the restricted automaton is a Büchi automaton, too.
                false => {
                    let plain = constraint::restrict(&original, &exclusive).ok()?;
                    let small = to_ba(&small);
                    if constraint::size(&small) <= constraint::size(&plain) { small } else { plain }
                }
            })
        });
        let automata = [
            (OFF, Some(original)),
            (FORMULA, translate(&refined)),
            (AUTOMATON, restricted.flatten()),
        ];
        for (way, automaton) in automata {
            let Some(automaton) = automaton else { continue };
            let searched = search(&question, &automaton, limits);
            if way == OFF && searched.as_ref().is_none_or(|search| search.1 < limits.least) {
                return None;
            }
            let (verdict, visited, stored) = match &searched {
                Some((verdict, visited, stored)) => {
                    (verdict.name(), visited.to_string(), stored.to_string())
                }
                None => ("", String::new(), String::new()),
            };
            let (states, edges, letters) = constraint::size(&automaton);
            let short = constraint::simplify_labels(&automaton, &exclusive).ok()?;
            rows.push(cells![
                formula,
                translator,
                way,
                states,
                edges,
                letters,
                constraint::label_length(&automaton),
                constraint::label_length(&short),
                verdict,
                visited,
                stored
            ]);
        }
    }
    Some(rows)
}

/// Searches the product: the verdict, visited transitions and stored states.
fn search(
    question: &Question,
    automaton: &Automaton,
    limits: &TaskLimits,
) -> Option<(Verdict, u64, u64)> {
    let emptiness = Check::ALL.iter().find(|(name, _)| *name == "se").map(|(_, check)| *check);
    let mut space = StateSpace::<Arena>::new(&**question.system());
    if automaton.state_count() == 0 || automaton.initial().is_empty() {
        return Some((Verdict::Holds, 0, 0));
    }
    let options = Options { emptiness, ..Options::default() };
    let control = Control::new(Limits {
        states: Some(limits.states),
        deadline: Some(Instant::now() + limits.timeout),
        ..Limits::default()
    });
    let negation = Negation::from(automaton.clone());
    let outcome =
        sempre_explicit::check(&mut space, question, &negation, &options, &control).ok()?;
    if !outcome.verdict.is_decided() {
        return None;
    }
    if let Some(run) = outcome.counterexample() {
        question.judge(run).ok()?;
    }
    let visited = outcome.cost.visited?;
    Some((outcome.verdict, visited, outcome.cost.stored?))
}

/// The classes of t2/t1.
const CLASSES: [&str; 4] = ["false", "< 0.95", "0.95–1.05", "> 1.05"];

/// The effects on the automaton, as in Table 4.3.
const EFFECTS: [&str; 7] = [
    "+states",
    "−states",
    "=states +edges",
    "=states −edges",
    "=states =edges +letters",
    "=states =edges −letters",
    "no change",
];

/// One automaton of a task.
#[derive(Clone, Debug)]
struct Measured {
    size: (u64, u64, u64),
    labels: f64,
    short: f64,
    holds: Option<bool>,
    visited: Option<f64>,
    stored: Option<f64>,
}

impl Measured {
    fn of(row: &Row<'_>) -> Self {
        let number = |column: &str| row.number(column).unwrap_or(0.0);
        let per_edge = |column: &str| number(column) / number("edges").max(1.0);
        Measured {
            size: (number("states") as u64, number("edges") as u64, number("letters") as u64),
            labels: per_edge("labels"),
            short: per_edge("short"),
            holds: match row.text("verdict") {
                "" => None,
                verdict => Some(verdict == "holds"),
            },
            visited: row.number("visited"),
            stored: row.number("stored"),
        }
    }

    /// The place in [`EFFECTS`] of the change from another automaton.
    fn effect(&self, before: &Measured) -> usize {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let (after, before) = (self.size, before.size);
        let changes = [after.0.cmp(&before.0), after.1.cmp(&before.1), after.2.cmp(&before.2)];
        match changes {
            [Greater, ..] => 0,
            [Less, ..] => 1,
            [Equal, Greater, _] => 2,
            [Equal, Less, _] => 3,
            [Equal, Equal, Greater] => 4,
            [Equal, Equal, Less] => 5,
            [Equal, Equal, Equal] => 6,
        }
    }

    fn ratio(&self, before: &Measured) -> Option<f64> {
        Some(self.visited? / before.visited?.max(1.0))
    }

    /// The place in [`CLASSES`].
    fn class(&self, before: &Measured) -> Option<usize> {
        let ratio = self.ratio(before)?;
        Some(match ratio {
            _ if self.size.0 == 0 || self.size.1 == 0 => 0,
            ratio if ratio < 0.95 => 1,
            ratio if ratio <= 1.05 => 2,
            _ => 3,
        })
    }
}

/// Measurements by the way of refinement.
type Variants = BTreeMap<String, Measured>;

/// The measurements by translator, task and way.
struct Tasks {
    by: BTreeMap<String, BTreeMap<(String, String), Variants>>,
    faults: Vec<String>,
}

impl Tasks {
    fn of(rows: &Table) -> Self {
        let mut tasks = Tasks { by: BTreeMap::new(), faults: Vec::new() };
        for row in rows.rows().filter(|row| !row.text("way").is_empty()) {
            let key = (row.text("model").to_owned(), row.text("formula").to_owned());
            let of_task = tasks.by.entry(row.text("translator").to_owned()).or_default();
            let ways = of_task.entry(key).or_default();
            ways.insert(row.text("way").to_owned(), Measured::of(&row));
        }
        for of_translator in tasks.by.values() {
            for ((model, formula), ways) in of_translator {
                let verdicts: Vec<bool> = ways.values().filter_map(|way| way.holds).collect();
                if verdicts.windows(2).any(|pair| pair[0] != pair[1]) {
                    tasks.faults.push(format!("{model}, `{formula}`: verdicts differ"));
                }
            }
        }
        tasks
    }

    fn count(&self) -> usize {
        self.by.values().map(BTreeMap::len).max().unwrap_or(0)
    }

    /// Pairs of automata of a task: by two ways, with the verdict. For all translators, or one.
    fn pairs<'a>(
        &'a self,
        translator: Option<&'a str>,
        before: &'a str,
        after: &'a str,
    ) -> impl Iterator<Item = (&'a Measured, &'a Measured)> {
        let wanted = move |name: &str| translator.is_none_or(|wanted| wanted == name);
        let tasks = self.by.iter().filter(move |(name, _)| wanted(name.as_str()));
        tasks
            .flat_map(|(_, tasks)| tasks.values())
            .filter_map(move |ways| Some((ways.get(before)?, ways.get(after)?)))
    }

    fn translators(&self) -> Vec<Option<&str>> {
        self.by.keys().map(|name| Some(name.as_str())).chain([None]).collect()
    }

    /// Table 4.2: solved tasks.
    fn solved(&self, page: &mut Page) {
        page.heading("Solved tasks (Tables 4.2, 4.6)");
        let mut lines = Vec::new();
        for (translator, tasks) in &self.by {
            let solved = |way: &str| {
                let done = tasks.values().filter_map(|ways| ways.get(way)?.holds);
                done.count().to_string()
            };
            lines.push(cells![
                translator,
                tasks.len(),
                solved(OFF),
                solved(FORMULA),
                solved(AUTOMATON)
            ]);
        }
        page.table(&["translator", ">tasks", ">original", ">formula", ">automaton"], &lines);
        let mut models: BTreeMap<&str, usize> = BTreeMap::new();
        for (model, _) in self.by.values().next().into_iter().flat_map(BTreeMap::keys) {
            *models.entry(model).or_default() += 1;
        }
        let models: Vec<String> =
            models.iter().map(|(model, count)| format!("{model} ({count})")).collect();
        page.paragraph(&format!("Models, with their tasks: {}.", models.join(", ")));
    }

    /// Tables 4.3 and 4.7.
    fn effects(&self, page: &mut Page, way: &str) {
        let table = if way == FORMULA { "4.3" } else { "4.7" };
        page.heading(&format!("Effect of refinement by {way} on the automaton (Table {table})"));
        let mut titles = vec!["effect".to_owned()];
        let mut columns: Vec<Vec<usize>> = Vec::new();
        for translator in self.translators() {
            titles.push(format!(">{}", translator.unwrap_or("all")));
            let mut counts = vec![0; EFFECTS.len()];
            for (before, after) in self.pairs(translator, OFF, way) {
                counts[after.effect(before)] += 1;
            }
            columns.push(counts);
        }
        titles.push(">published".to_owned());
        let published: [&str; 7] = match way {
            FORMULA => ["748", "8494", "73", "1688", "1380", "5455", "353"],
            _ => ["0", "4955", "0", "1013", "0", "2400", "670"],
        };
        let lines: Vec<Vec<String>> = (0..EFFECTS.len())
            .map(|place| {
                let mut line = vec![EFFECTS[place].to_owned()];
                line.extend(columns.iter().map(|counts| counts[place].to_string()));
                line.push(published[place].to_owned());
                line
            })
            .collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        page.table(&titles, &lines);
    }

    /// The number of tasks in each class of t2/t1, by verdict.
    fn classes(
        &self,
        translator: Option<&str>,
        (before, after): (&str, &str),
        holds: bool,
    ) -> [usize; 4] {
        let mut counts = [0; 4];
        for (before, after) in self.pairs(translator, before, after) {
            if before.holds == Some(holds)
                && let Some(class) = after.class(before)
            {
                counts[class] += 1;
            }
        }
        counts
    }

    /// Why formula refinement changes the cost of tasks of one class: the number of them, of those
    /// with fewer states of the automaton, and of those that store no more states of the product.
    fn causes(&self, class: usize, holds: bool) -> String {
        let of_class = |(before, after): &(&Measured, &Measured)| {
            before.holds == Some(holds) && after.class(before) == Some(class)
        };
        let pairs: Vec<_> = self.pairs(None, OFF, FORMULA).filter(of_class).collect();
        let fewer = pairs.iter().filter(|(before, after)| after.size.0 < before.size.0).count();
        let stored = |measured: &Measured| measured.stored.unwrap_or_default();
        let within =
            |(before, after): &&(&Measured, &Measured)| stored(after) <= 1.05 * stored(before);
        let within = pairs.iter().filter(within).count();
        format!(
            "of the {} that cost {}, {fewer} have smaller automata and {within} store at most 1.05 \
             times as many states",
            pairs.len(),
            if class == 1 { "less" } else { "more" }
        )
    }

    /// Tables 4.4 and 4.8, with box plots.
    fn ratios(&self, page: &mut Page, way: &str) {
        let table = if way == FORMULA { "4.4" } else { "4.8" };
        page.heading(&format!("t2/t1, refinement by {way} (Table {table})"));
        let mut lines = Vec::new();
        for translator in self.translators() {
            for holds in [true, false] {
                let counts = self.classes(translator, (OFF, way), holds);
                let mut line =
                    cells![translator.unwrap_or("all"), if holds { "holds" } else { "violated" }];
                line.extend(counts.iter().map(ToString::to_string));
                line.push(counts.iter().sum::<usize>().to_string());
                lines.push(line);
            }
        }
        let published: [[&str; 7]; 2] = match way {
            FORMULA => [
                ["published, all", "holds", "1586", "1754", "7223", "155", "10718"],
                ["published, all", "violated", "0", "1187", "5050", "1236", "7473"],
            ],
            _ => [
                ["published", "holds", "906", "853", "3251", "5", "5015"],
                ["published", "violated", "0", "735", "2743", "545", "4023"],
            ],
        };
        lines.extend(published.map(|line| line.map(str::to_owned).to_vec()));
        let titles =
            ["translator", "verdict", ">false", ">below 0.95", ">0.95–1.05", ">above 1.05", ">all"];
        page.table(&titles, &lines);
        let mut groups = Vec::new();
        for translator in self.translators().into_iter().flatten() {
            for holds in [true, false] {
                let ratios = self
                    .pairs(Some(translator), OFF, way)
                    .filter(|(before, after)| {
                        before.holds == Some(holds) && after.class(before) != Some(0)
                    })
                    .filter_map(|(before, after)| after.ratio(before));
                let verdict = if holds { "holds" } else { "violated" };
                groups.push((format!("{translator}, {verdict}"), ratios.collect::<Vec<f64>>()));
            }
        }
        page.figure(
            &format!("ratios-{way}.svg"),
            &format!(
                "t2/t1 with refinement by {way}: median, quartiles, least and greatest; false \
                      is left out"
            ),
            plot::boxes("t2/t1", &groups),
        );
    }

    /// Tables 4.10 and 4.11.
    fn comparison(&self, page: &mut Page) {
        page.heading("Refinement by automaton against refinement by formula (Tables 4.10, 4.11)");
        let mut lines = Vec::new();
        for holds in [true, false] {
            let counts = self.classes(Some("tableau"), (FORMULA, AUTOMATON), holds);
            let mut line = cells!["tableau", if holds { "holds" } else { "violated" }];
            line.extend(counts.iter().map(ToString::to_string));
            lines.push(line);
        }
        lines.push(["published", "holds", "380", "44", "1399", "71"].map(str::to_owned).to_vec());
        lines.push(["published", "violated", "0", "133", "970", "259"].map(str::to_owned).to_vec());
        let mut titles = vec!["translator", "verdict"];
        titles.extend([">false", ">below 0.95", ">0.95–1.05", ">above 1.05"]);
        page.table(&titles, &lines);
        debug_assert_eq!(CLASSES.len() + 2, titles.len());
        let mut counts = [0; EFFECTS.len()];
        for (before, after) in self.pairs(Some("tableau"), FORMULA, AUTOMATON) {
            counts[after.effect(before)] += 1;
        }
        let published = ["315", "82", "52", "51", "26", "428", "1922"];
        let lines: Vec<Vec<String>> = (0..EFFECTS.len())
            .map(|place| cells![EFFECTS[place], counts[place], published[place]])
            .collect();
        page.table(&["automaton, compared with formula", ">tableau", ">published"], &lines);
    }

    /// The mean length of labels, in occurrences of propositions for each edge.
    fn lengths(&self) -> [Option<f64>; 3] {
        let of = |way: &'static str, length: fn(&Measured) -> f64| {
            let automata = self.pairs(Some("tableau"), way, way).map(|(_, after)| after);
            mean(automata.filter(|after| after.size.1 > 0).map(length))
        };
        [of(OFF, |one| one.labels), of(FORMULA, |one| one.labels), of(FORMULA, |one| one.short)]
    }

    fn labels(&self, page: &mut Page) {
        page.heading("Length of labels (Section 4.4)");
        let [original, refined, short] = self.lengths().map(|length| shown(length, 2));
        page.table(
            &["", ">original", ">refined by formula", ">simplified"],
            &[
                cells!["ours, per edge", original, refined, short],
                cells!["published", "4.20", "6.58", "3.19"],
            ],
        );
    }

    fn conclude(&self, page: &mut Page) {
        let sample = |cases: usize| Sample { cases, least: 300 };
        let pairs: Vec<_> = self.pairs(None, OFF, AUTOMATON).collect();
        let grown = pairs.iter().filter(|(before, after)| after.size > before.size).count();
        page.conclude(
            "refinement by automaton never enlarges it",
            (!pairs.is_empty()).then_some(grown == 0),
            sample(pairs.len()),
            format!("{grown} of {} grew", pairs.len()),
        );
        let pairs: Vec<_> = self.pairs(Some("tableau"), OFF, FORMULA).collect();
        let effect = |place: usize| {
            pairs.iter().filter(|(before, after)| after.effect(before) == place).count()
        };
        page.conclude(
            "refinement by formula removes states in about half of the tasks, and rarely adds any",
            (!pairs.is_empty())
                .then_some(3 * effect(1) >= pairs.len() && 10 * effect(0) <= effect(1)),
            sample(pairs.len()),
            format!(
                "{} % fewer, {} % more",
                percent(effect(1), pairs.len()),
                percent(effect(0), pairs.len())
            ),
        );
        for (way, claim) in [
            (FORMULA, "without errors, refinement by formula helps often and hurts rarely"),
            (AUTOMATON, "without errors, refinement by automaton helps often and hurts rarely"),
        ] {
            let [none, less, equal, more] = self.classes(None, (OFF, way), true);
            let all = none + less + equal + more;
            let causes = match way {
                FORMULA => format!("; {} (there, inner searches grow)", self.causes(3, true)),
                _ => String::new(),
            };
            page.conclude(
                claim,
                (all > 0).then_some(5 * (none + less) >= all && 20 * more <= all),
                Sample { cases: all, least: 100 },
                format!(
                    "{} % fewer or false, {} % more{causes}",
                    percent(none + less, all),
                    percent(more, all)
                ),
            );
        }
        let [_, less, equal, more] = self.classes(None, (OFF, FORMULA), false);
        let all = less + equal + more;
        page.conclude(
            "with errors, refinement by formula helps about as often as it hurts",
            (all > 0).then_some(less <= 2 * more && more <= 2 * less),
            Sample { cases: all, least: 100 },
            format!(
                "{} % fewer, {} % more; {}",
                percent(less, all),
                percent(more, all),
                self.causes(1, false)
            ),
        );
        let classes =
            [true, false].map(|holds| self.classes(Some("tableau"), (FORMULA, AUTOMATON), holds));
        let (mid, all) = classes.iter().fold((0, 0), |(mid, all), counts| {
            (mid + counts[0] + counts[2], all + counts.iter().sum::<usize>())
        });
        page.conclude(
            "both ways cost the same in most tasks",
            (all > 0).then_some(2 * mid > all),
            sample(all),
            format!("within 5 % in {} %", percent(mid, all)),
        );
        let lengths = self.lengths();
        page.conclude(
            "refinement lengthens labels, simplification makes them shorter than the original ones",
            match lengths {
                [Some(original), Some(refined), Some(short)] => {
                    Some(short < original && original < refined)
                }
                _ => None,
            },
            sample(self.count()),
            lengths.map(|length| shown(length, 2)).join(" → "),
        );
    }
}
