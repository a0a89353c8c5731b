//! E1: the work of nested depth-first searches with automata of several translators (Sections 3.1 and
//! 3.3, Tables 3.3 and 3.4).
//!
//! Spin checks five Promela models, and those of BEEM, with never claims; our own search, with early
//! detection as in Spin, checks DVE models with the same automata. Formulas are the three of the
//! document and random ones without X, over p (process 0 is critical), q (it is idle) and r (two
//! processes are critical); models of BEEM have their own properties, with known verdicts. Visited
//! transitions are the measure: times depend on the machine. So our search keeps the states of the
//! system from one automaton to the next, which makes large models feasible and changes no count. The case studies C1 to C6 and D1 to D12 have the published automata.

use super::DOCUMENT;
use super::claims::{Shape, WAYS, cases, never, renamed};
use super::spin::{self, Cost};
use crate::bench::Bench;
use crate::cells;
use crate::collections::{Place, PromelaTask, promela_beem};
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::statistics::{grouped, quantile, shown};
use crate::table::{Row, Table};
use anyhow::{Context, Result, bail};
use sempre::check::combine::Reduce;
use sempre::check::{AutomatonProperty, Behaviours, Control, Limits, Verdict};
use sempre::engines::Settings as CheckSettings;
use sempre::explicit::Options;
use sempre::explicit::emptiness::Check;
use sempre::prelude::Checker;
use sempre_automata::Automaton;
use sempre_ltl::generate::Priorities;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::{Formula, Op};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, Instant};

/// Repeats E1 and the case studies.
#[derive(Debug)]
pub struct E1;

/// The Promela models.
const PROMELA: [(&str, &str); 5] = [
    ("peterson", include_str!("models/peterson.pml")),
    ("bakery", include_str!("models/bakery.pml")),
    ("anderson", include_str!("models/anderson.pml")),
    ("filter", include_str!("models/filter.pml")),
    ("leader", include_str!("models/leader.pml")),
];

/// The names of our shipped model, for p and q.
const SHIPPED: (&str, [&str; 2], [&str; 2]) =
    ("shipped:peterson", ["P0.critical", "P0.idle"], ["P1.critical", "P1.idle"]);

/// The same in Promela, for the case studies.
const NEVER: &str = "#define never1 (_nr_pr > 98)\n#define never2 (_nr_pr > 99)\n";

const ABOUT: About = About {
    name: "property-automata/e1",
    summary: "Work of Spin and of our nested search with Büchi automata of several translators",
    source: Source { document: DOCUMENT, place: "Sections 3.1 and 3.3, Tables 3.3 and 3.4" },
    parameters: &[
        parameter("spin", "Promela models", "peterson bakery anderson filter leader", "peterson"),
        parameter("beem", "number of Promela models of BEEM", "52", "0"),
        parameter(
            "own",
            "DVE models of our own search, with all formulas",
            "shipped:peterson peterson.4 bakery.3 anderson.4",
            "shipped:peterson",
        ),
        parameter(
            "instances",
            "DVE models of our own search, with the three formulas of the document",
            "anderson.1 anderson.2 anderson.3 anderson.5 bakery.1 bakery.2 bakery.4 bakery.5 \
             peterson.1 peterson.2 peterson.3 bakery.7 bakery.6",
            "",
        ),
        parameter("cases", "Promela model of the case studies", "filter", "peterson"),
        parameter(
            "studies",
            "DVE models of the case studies",
            "shipped:peterson peterson.4 bakery.7",
            "shipped:peterson",
        ),
        parameter("formulas", "number for each model", "20", "2"),
        parameter("timeout", "seconds for a search of Spin", "60", "10"),
        parameter("own-timeout", "seconds for a search of ours", "1800", "10"),
        parameter(
            "nodes",
            "states of a model that a search of ours may store",
            "100000000",
            "100000",
        ),
    ],
    unit: &["tool", "model", "number", "translator"],
    values: &[
        "formula",
        "states",
        "nondeterministic",
        "edges",
        "transitions",
        "known",
        "verdict",
        "stored",
        "visited",
        "seconds",
    ],
};

/// The families of the document's own formulas, with the number of their instances.
const INSTANCES: [(&str, usize); 3] = [("anderson", 8), ("bakery", 8), ("peterson", 7)];

/// The cases that differ in the initial level: with an accepting one the work doubles.
const DOUBLING: [&str; 2] = ["C4", "C5"];

/// The column `number` of case studies, and of those without partial-order reduction.
const CASE: &str = "case";
const UNREDUCED: &str = "case, unreduced";

/// True if the row is about a formula, not about a case study.
fn is_task(row: &Row<'_>) -> bool {
    ![CASE, UNREDUCED].contains(&row.text("number"))
}

/// The number of formulas of the document.
const PUBLISHED: usize = 3;

/// The negated properties: the three of the document, then random ones.
fn formulas(count: usize) -> Result<Vec<Formula>> {
    let mut formulas: Vec<Formula> = Vec::new();
    for text in ["!(GFp -> GFq)", "!(GFq -> GFp)", "!FG!r"] {
        formulas.push(text.parse()?);
    }
    let mut priorities = Priorities::equal(3);
    // Spin reduces by partial order, which X would forbid.
    priorities.set(Op::Next, 0);
    let random = RandomFormulas::over(["p", "q", "r"]).sizes(6..=12).seed(1);
    for formula in random.priorities(priorities).generate()? {
        if formulas.len() >= count {
            break;
        }
        let formula = formula?;
        if formula.props().len() > 1 && !formulas.contains(&formula) {
            formulas.push(formula);
        }
    }
    formulas.truncate(count);
    Ok(formulas)
}

/// Our own nested search on one model.
struct Search {
    checker: Checker,
    /// The propositions of the formulas, and their names in the model.
    names: Vec<(&'static str, String)>,
    nodes: u64,
    timeout: Duration,
}

impl Search {
    fn new(name: &str, bench: &Bench<'_>) -> Result<Self> {
        let settings = bench.settings();
        let model = Place::named(name, settings)?.open()?;
        let explicit = Options { emptiness: Some(Check::Spin), ..Options::default() };
        let own = CheckSettings {
            explicit,
            engine: "explicit",
            reduce: Reduce::Off,
            ..CheckSettings::default()
        };
        let processes = model.system().names().processes();
        Ok(Search {
            checker: Checker::new(model).with(own)?,
            names: propositions(name, &processes),
            nodes: settings.number("nodes")?,
            timeout: settings.seconds("own-timeout")?,
        })
    }

    /// Searches the product with an automaton; `None` if that reaches a limit.
    fn check(&mut self, automaton: &Automaton) -> Result<Option<Cost>> {
        let names: Vec<(&str, &str)> =
            self.names.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let automaton = renamed(automaton, &names)?;
        let property = AutomatonProperty::new(automaton, Behaviours::Erroneous).into();
        let start = Instant::now();
        let limits = Limits {
            states: Some(self.nodes),
            deadline: Some(start + self.timeout),
            ..Limits::default()
        };
        let outcome = self.checker.check_property(&property, &Control::new(limits))?;
        let is_violated = match outcome.verdict {
            Verdict::Violated => true,
            Verdict::Holds => false,
            Verdict::Unknown(_) => return Ok(None),
        };
        let (stored, visited) = (outcome.cost.stored, outcome.cost.visited);
        Ok(Some(Cost {
            is_violated,
            stored: stored.context("the number of stored states")?,
            visited: visited.context("the number of visited transitions")?,
            seconds: start.elapsed().as_secs_f64(),
        }))
    }
}

/// The propositions of a mutual exclusion algorithm: process 0 is critical (p), it is idle (q), two of
/// the first three processes are critical (r), and two that are never true.
fn propositions(model: &str, processes: &[String]) -> Vec<(&'static str, String)> {
    let (shipped, first, second) = SHIPPED;
    if model == shipped {
        let [[p, q], [other, idle]] = [first, second];
        return vec![
            ("p", p.to_owned()),
            ("q", q.to_owned()),
            ("r", format!("{p} && {other}")),
            ("never1", format!("{p} && {q}")),
            ("never2", format!("{other} && {idle}")),
        ];
    }
    let names = ["P_0", "P_1", "P_2"];
    let three: Vec<&str> =
        names.into_iter().filter(|name| processes.iter().any(|process| process == name)).collect();
    let pairs = three.iter().enumerate().flat_map(|(place, first)| {
        three[place + 1..].iter().map(move |second| format!("{first}.CS && {second}.CS"))
    });
    vec![
        ("p", "P_0.CS".to_owned()),
        ("q", "P_0.NCS".to_owned()),
        ("r", pairs.collect::<Vec<_>>().join(" || ")),
        ("never1", "P_0.CS && P_0.NCS".to_owned()),
        ("never2", "P_1.CS && P_1.NCS".to_owned()),
    ]
}

/// Runs all claims in place of one: costs add up, until one is violated.
fn all(
    claims: &[Automaton],
    mut check: impl FnMut(&Automaton) -> Result<Option<Cost>>,
) -> Result<Option<Cost>> {
    let mut sum = Cost::default();
    for claim in claims {
        let Some(cost) = check(claim)? else { return Ok(None) };
        sum.stored += cost.stored;
        sum.visited += cost.visited;
        sum.seconds += cost.seconds;
        if cost.is_violated {
            sum.is_violated = true;
            break;
        }
    }
    Ok(Some(sum))
}

/// The cells of a unit; `known` is the verdict of others, if there is one.
fn cells_of(
    formula: &str,
    claims: &[Automaton],
    known: &str,
    cost: Result<Option<Cost>, &str>,
) -> Vec<String> {
    let none = Shape { states: 0, nondeterministic: 0, edges: 0, transitions: 0 };
    let shape = claims.iter().map(Shape::of).fold(none, Shape::plus);
    let mut cells = cells![
        formula,
        shape.states,
        shape.nondeterministic,
        shape.edges,
        shape.transitions,
        known
    ];
    match cost {
        Ok(Some(cost)) => {
            let verdict = verdict(cost.is_violated);
            let seconds = format!("{:.3}", cost.seconds);
            cells.extend(cells![verdict, cost.stored, cost.visited, seconds]);
        }
        Ok(None) => cells.extend(cells!["too long", "", "", ""]),
        Err(reason) => cells.extend(cells![reason, "", "", ""]),
    }
    cells
}

fn verdict(is_violated: bool) -> &'static str {
    if is_violated { "violated" } else { "holds" }
}

/// The tasks of the Promela models of BEEM, with the texts of these models.
fn beem(bench: &Bench<'_>) -> Result<(BTreeMap<String, String>, Vec<PromelaTask>)> {
    let count = bench.settings().number("beem")?;
    let mut models = BTreeMap::new();
    if count == 0 {
        return Ok((models, Vec::new()));
    }
    let (folder, mut tasks) = promela_beem(bench.settings())?;
    // Models from all over the collection.
    let all: BTreeSet<String> = tasks.iter().map(|task| task.model.clone()).collect();
    let every = all.len().div_ceil(count).max(1);
    for model in all.into_iter().step_by(every) {
        let path = folder.join(&model);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        models.insert(model, text);
    }
    tasks.retain(|task| models.contains_key(&task.model));
    Ok((models, tasks))
}

impl Experiment for E1 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let limit = bench.settings().seconds("timeout")?;
        let formulas = formulas(bench.settings().number("formulas")?)?;
        let has_spin = spin::is_installed()?;
        let words = |name: &str, bench: &Bench<'_>| -> Vec<String> {
            bench.settings().words(name).map(str::to_owned).collect()
        };
        let promela = |name: &str| -> Result<String> {
            match PROMELA.iter().find(|(known, _)| *known == name) {
                Some((_, text)) => Ok(format!("{NEVER}{text}")),
                None => bail!("there is no Promela model `{name}`"),
            }
        };
        // Spin, and then our own search: case studies, and all translators.
        let studied = bench.settings().text("cases").to_owned();
        let in_spin = |model: &str, claims: &[Automaton]| -> Result<Option<Cost>> {
            let text = promela(model)?;
            all(claims, |claim| spin::check(&text, &never(claim)?, limit))
        };
        for (name, automaton) in cases()? {
            let unit = cells!["spin", studied, CASE, name];
            bench.row(&unit, || {
                let claims = [renamed(&automaton, &case_names(name))?];
                let cost = if has_spin { Ok(in_spin(&studied, &claims)?) } else { Err("skipped") };
                Ok(cells_of(case_formula(name), &claims, "", cost))
            })?;
        }
        for (name, automaton) in cases()?.into_iter().filter(|(name, _)| DOUBLING.contains(name)) {
            let unit = cells!["spin", studied, UNREDUCED, name];
            bench.row(&unit, || {
                let claim = renamed(&automaton, &case_names(name))?;
                let text = promela(&studied)?;
                let cost = match has_spin {
                    true => Ok(spin::check_unreduced(&text, &never(&claim)?, limit)?),
                    false => Err("skipped"),
                };
                Ok(cells_of(case_formula(name), &[claim], "", cost))
            })?;
        }
        for model in words("spin", bench) {
            for (number, formula) in formulas.iter().enumerate() {
                for way in &WAYS {
                    let unit = cells!["spin", model, number, way.name];
                    bench.row(&unit, || {
                        let Some(claims) = way.automata(formula, limit)? else {
                            return Ok(cells_of(&formula.to_string(), &[], "", Err("skipped")));
                        };
                        let cost =
                            if has_spin { Ok(in_spin(&model, &claims)?) } else { Err("skipped") };
                        Ok(cells_of(&formula.to_string(), &claims, "", cost))
                    })?;
                }
            }
        }
        let (models, tasks) = beem(bench)?;
        for task in tasks {
            let negation = Formula::not(&task.formula);
            let known = verdict(task.is_violated);
            for way in &WAYS {
                let unit = cells!["spin", task.model, task.name, way.name];
                bench.row(&unit, || {
                    let text = negation.to_string();
                    let Some(claims) = way.automata(&negation, limit)? else {
                        return Ok(cells_of(&text, &[], known, Err("skipped")));
                    };
                    if !has_spin {
                        return Ok(cells_of(&text, &claims, known, Err("skipped")));
                    }
                    let model = &models[&task.model];
                    let cost = all(&claims, |claim| spin::check(model, &never(claim)?, limit))?;
                    Ok(cells_of(&text, &claims, known, Ok(cost)))
                })?;
            }
        }
        for model in words("studies", bench) {
            let mut search = Search::new(&model, bench)?;
            for (name, automaton) in cases()? {
                let unit = cells!["own", model, CASE, name];
                bench.row(&unit, || {
                    let claim = renamed(&automaton, &case_names(name))?;
                    let cost = search.check(&claim)?;
                    Ok(cells_of(case_formula(name), &[claim], "", Ok(cost)))
                })?;
            }
        }
        let own = words("own", bench).into_iter().map(|model| (model, &formulas[..]));
        let three = &formulas[..formulas.len().min(PUBLISHED)];
        let instances = words("instances", bench).into_iter().map(|model| (model, three));
        for (model, formulas) in own.chain(instances).collect::<Vec<_>>() {
            let mut search = Search::new(&model, bench)?;
            for (number, formula) in formulas.iter().enumerate() {
                for way in &WAYS {
                    let unit = cells!["own", model, number, way.name];
                    bench.row(&unit, || {
                        let Some(claims) = way.automata(formula, limit)? else {
                            return Ok(cells_of(&formula.to_string(), &[], "", Err("skipped")));
                        };
                        let cost = all(&claims, |claim| search.check(claim))?;
                        Ok(cells_of(&formula.to_string(), &claims, "", Ok(cost)))
                    })?;
                }
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let rows = record.rows();
        case_studies(&mut page, rows);
        for (tool, title) in [("spin", "Translators in Spin"), ("own", "Translators in our search")]
        {
            let tasks = tasks(rows, tool);
            page.heading(title);
            translators(&mut page, tool, &tasks);
            ratios(&mut page, tool, &tasks);
        }
        for row in rows.rows() {
            let (known, verdict) = (row.text("known"), row.text("verdict"));
            if ["holds", "violated"].contains(&known)
                && ["holds", "violated"].contains(&verdict)
                && known != verdict
            {
                let task = format!("{} {}", row.text("model"), row.text("number"));
                let way = row.text("translator");
                page.fault(format!("{task} by {way}: {verdict}, but known as {known}"));
            }
        }
        coverage(&mut page, rows);
        page
    }
}

/// The number of tasks that ended, of those begun and of those published, and what was cut.
fn coverage(page: &mut Page, rows: &Table) {
    let of = |tool: &str| {
        let begun: BTreeSet<(&str, &str)> = rows
            .rows()
            .filter(|row| row.text("tool") == tool && is_task(row))
            .map(|row| (row.text("model"), row.text("number")))
            .collect();
        format!("{} of {}", tasks(rows, tool).len(), begun.len())
    };
    let count = |verdict: &str| rows.rows().filter(|row| row.text("verdict") == verdict).count();
    let own: BTreeSet<&str> =
        rows.rows().filter(|row| row.text("tool") == "own").map(|row| row.text("model")).collect();
    let instances = INSTANCES
        .iter()
        .flat_map(|(family, count)| (1..=*count).map(move |number| format!("{family}.{number}")));
    let (run, left): (Vec<String>, Vec<String>) =
        instances.partition(|name| own.contains(name.as_str()));
    page.coverage(
        format!("{} tasks in Spin and {} in our search, of 838 published", of("spin"), of("own")),
        format!(
            "all formulas on models of ours, and the properties of Promela models of BEEM; in our \
             search also {} of the 23 instances of the document, without the larger ones ({}); {} \
             searches reached a limit, {} runs were skipped since a program is missing or refuses \
             the formula",
            run.len(),
            left.join(", "),
            count("too long"),
            count("skipped")
        ),
    );
}

fn case_formula(name: &str) -> &'static str {
    if name.starts_with('C') { "GFa & GFb" } else { "!(GFa -> GFb)" }
}

/// The propositions of a case study: C never sees a or b, D is about process 0.
fn case_names(name: &str) -> [(&'static str, &'static str); 2] {
    if name.starts_with('C') {
        [("a", "never1"), ("b", "never2")]
    } else {
        [("a", "p"), ("b", "q")]
    }
}

/// The visited transitions of each translator, by task; tasks that all verdicts agree on.
struct Task<'t> {
    /// The model and its formula.
    name: String,
    is_violated: bool,
    visited: BTreeMap<&'t str, f64>,
    stored: BTreeMap<&'t str, f64>,
}

fn tasks<'t>(rows: &'t Table, tool: &str) -> Vec<Task<'t>> {
    let mut tasks: BTreeMap<(&str, &str), Vec<Row<'t>>> = BTreeMap::new();
    for row in rows.rows().filter(|row| row.text("tool") == tool && is_task(row)) {
        if row.number("visited").is_some() {
            tasks.entry((row.text("model"), row.text("number"))).or_default().push(row);
        }
    }
    let made = tasks.into_values().filter(|rows| rows.len() > 1).map(|rows| {
        let of = |column: &str| -> BTreeMap<&'t str, f64> {
            let cells = rows.iter().map(|row| (row.text("translator"), row.number(column)));
            cells.filter_map(|(name, number)| Some((name, number?))).collect()
        };
        Task {
            name: format!("{}, `{}`", rows[0].text("model"), rows[0].text("formula")),
            is_violated: rows[0].text("verdict") == "violated",
            visited: of("visited"),
            stored: of("stored"),
        }
    });
    made.collect()
}

/// Tables 3.3 and 3.4, ours beside theirs.
fn case_studies(page: &mut Page, rows: &Table) {
    let published = Table::parse(include_str!("tables-3-3-and-3-4.csv"), ',');
    let published = published.unwrap_or_else(|error| unreachable!("{error}"));
    page.heading("Case studies (Tables 3.3 and 3.4)");
    page.paragraph(
        "Counts of the automata, then stored states and visited transitions. Models differ from \
         those of the document.",
    );
    let cases = |tool: &str, name: &str| -> Vec<Row<'_>> {
        let own = rows.rows().filter(|row| row.text("tool") == tool && row.text("number") == CASE);
        own.filter(|row| row.text("translator") == name).collect()
    };
    let mut lines = Vec::new();
    let mut wrong = 0;
    for row in published.rows() {
        let name = row.text("case");
        let columns = ["states", "nondeterministic", "edges", "transitions"];
        for ours in ["spin", "own"].iter().flat_map(|tool| cases(tool, name)) {
            wrong += usize::from(columns.iter().any(|c| ours.text(c) != row.text(c)));
        }
        let mut line = cells![name, columns.map(|column| row.text(column)).join(" / ")];
        line.extend(["stored", "visited"].map(|column| grouped(row.text(column))));
        for tool in ["spin", "own"] {
            let ours = cases(tool, name);
            for column in ["stored", "visited"] {
                let cells: Vec<String> = ours.iter().map(|row| grouped(row.text(column))).collect();
                line.push(cells.join(", "));
            }
        }
        lines.push(line);
    }
    let titles = [
        "automaton",
        "states / nondeterministic / edges / transitions",
        ">published stored",
        ">published visited",
        ">Spin stored",
        ">Spin visited",
        ">our stored",
        ">our visited",
    ];
    page.table(&titles, &lines);
    // Groups are compared on one model: the last one on which all cases were solved.
    let model_of = |tool: &str| -> Option<&str> {
        let mut solved: BTreeMap<&str, usize> = BTreeMap::new();
        let own = rows.rows().filter(|row| row.text("tool") == tool && row.text("number") == CASE);
        for row in own.clone().filter(|row| row.number("visited").is_some()) {
            *solved.entry(row.text("model")).or_default() += 1;
        }
        let models = own.map(|row| row.text("model"));
        models.filter(|model| solved.get(model) == Some(&published.len())).last()
    };
    let models = ["spin", "own"].map(|tool| (tool, model_of(tool)));
    let cases_of = |tool: &str, name: &str| -> Option<f64> {
        let (_, model) = models.iter().find(|(known, _)| *known == tool)?;
        let row = cases(tool, name).into_iter().find(|row| Some(row.text("model")) == *model);
        row?.number("visited")
    };
    let all = ["spin", "own"].map(|tool| cases_of(tool, "D6").is_some());
    let sample = Sample { cases: all.iter().filter(|is_there| **is_there).count(), least: 2 };
    page.conclude(
        "The automata have the published counts",
        Some(wrong == 0),
        sample,
        format!("{wrong} differ"),
    );
    let groups: [&[&str]; 3] =
        [&["D6", "D7", "D8", "D9"], &["D1", "D2", "D10", "D11"], &["D4", "D5", "D12"]];
    for (tool, name) in [("spin", "Spin"), ("own", "our search")] {
        let range = |group: &[&str]| {
            let costs: Vec<f64> = group.iter().filter_map(|case| cases_of(tool, case)).collect();
            let least = costs.iter().copied().reduce(f64::min)?;
            Some((least, costs.iter().copied().reduce(f64::max)?))
        };
        let ranges: Option<Vec<(f64, f64)>> = groups.iter().map(|group| range(group)).collect();
        let ordered =
            ranges.as_ref().map(|ranges| ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0));
        let figure = ranges.unwrap_or_default();
        let figure: Vec<String> =
            figure.iter().map(|(least, most)| format!("{least:.0} to {most:.0}")).collect();
        let claim = format!("The groups of D automata cost more and more in {name}");
        page.conclude(claim, ordered, sample, figure.join(", "));
        let pair = |number: &str| -> Option<(f64, f64)> {
            let of = |name: &str| {
                let mut own = cases(tool, name).into_iter();
                let unreduced = rows.rows().filter(move |row| {
                    let key = [row.text("tool"), row.text("number"), row.text("translator")];
                    key == [tool, UNREDUCED, name]
                });
                match number {
                    CASE => own.rfind(|row| Some(row.text("model")) == model_of(tool)),
                    _ => unreduced.last(),
                }
            };
            let [four, five] = DOUBLING.map(|name| of(name)?.number("visited"));
            four.zip(five)
        };
        let shown = |pair: Option<(f64, f64)>| {
            pair.map(|(four, five)| format!("{five:.0} and {four:.0}")).unwrap_or_default()
        };
        let is_double =
            |pair: Option<(f64, f64)>| pair.map(|(four, five)| (five / four - 2.0).abs() < 0.02);
        let reduced = pair(CASE);
        let claim = format!("An accepting initial level doubles the work of C automata in {name}");
        page.conclude(claim, is_double(reduced), sample, shown(reduced));
        if tool == "spin" {
            let full = pair(UNREDUCED);
            let sample = Sample { cases: usize::from(full.is_some()), least: 1 };
            page.conclude(
                "The same in Spin without partial-order reduction, which saves more in one search \
                 than in the other",
                is_double(full),
                sample,
                shown(full),
            );
        }
    }
}

/// The sums of each translator on tasks that all solved.
fn translators(page: &mut Page, tool: &str, tasks: &[Task<'_>]) {
    let most = tasks.iter().map(|task| task.visited.len()).max().unwrap_or_default();
    let solved: Vec<&Task<'_>> = tasks.iter().filter(|task| task.visited.len() == most).collect();
    let names: Vec<&str> = WAYS.iter().map(|way| way.name).collect();
    let of = |name: &str, violated: bool, stored: bool| -> f64 {
        let own = solved.iter().filter(|task| task.is_violated == violated);
        let costs = own
            .filter_map(|task| if stored { task.stored.get(name) } else { task.visited.get(name) });
        costs.sum()
    };
    let mut lines = Vec::new();
    for name in names.iter().filter(|name| of(name, false, true) + of(name, true, true) > 0.0) {
        let sums = [(false, true), (false, false), (true, true), (true, false)];
        let mut line = cells![name];
        line.extend(sums.map(|(v, stored)| grouped(&format!("{:.0}", of(name, v, stored)))));
        lines.push(line);
    }
    page.paragraph(&format!(
        "Sums over the {} tasks that all translators solved, of which {} hold.",
        solved.len(),
        solved.iter().filter(|task| !task.is_violated).count()
    ));
    let titles = [
        "translator",
        ">stored, holds",
        ">visited, holds",
        ">stored, violated",
        ">visited, violated",
    ];
    page.table(&titles, &lines);
    let holding: Vec<&&Task<'_>> = solved.iter().filter(|task| !task.is_violated).collect();
    let rivals = ["spin -f", "lbt", "small", "det", "no jump", "violated"];
    let against = |task: &Task<'_>| {
        let ours = task.visited.get("holds")?;
        let least = rivals.iter().filter_map(|rival| task.visited.get(rival)).copied();
        Some(ours.max(1.0) / least.reduce(f64::min)?.max(1.0))
    };
    let above: Vec<String> = holding
        .iter()
        .filter_map(|task| Some((task, against(task)?)))
        .filter(|(_, ratio)| *ratio > 1.05)
        .map(|(task, ratio)| format!("{} ({ratio:.3})", task.name))
        .collect();
    if !above.is_empty() {
        page.paragraph(&format!(
            "Tasks that hold and cost more than 1.05 times the cheapest rival with --expect holds: {}. \
             Where each loop accepts, a rival may count steps and accept in some of them only. That \
             pays if all paths of the model to a state have the same length modulo the count, which \
             no translator knows; otherwise it multiplies the product.",
            above.join("; ")
        ));
    }
    let against: Vec<f64> = holding.iter().filter_map(|task| against(task)).collect();
    let worst = against.iter().copied().reduce(f64::max);
    let within = against.iter().filter(|ratio| **ratio <= 1.05).count();
    let sample = Sample { cases: holding.len(), least: 30 };
    page.conclude(
        format!(
            "With --expect holds each task ({tool}) costs at most 1.05 times the cheapest rival"
        ),
        worst.map(|worst| worst <= 1.05),
        sample,
        format!("{within} of {} do; at most {}", against.len(), shown(worst, 3)),
    );
    let ours = of("holds", false, false);
    let less = rivals
        .iter()
        .all(|rival| of(rival, false, false) == 0.0 || ours <= of(rival, false, false));
    page.conclude(
        format!("With --expect holds the sum ({tool}) is at most that of each rival"),
        (!holding.is_empty()).then_some(less),
        sample,
        format!("{ours:.0} visited transitions"),
    );
}

/// The ratios of the most to the least work.
fn ratios(page: &mut Page, tool: &str, tasks: &[Task<'_>]) {
    let ratio = |costs: &BTreeMap<&str, f64>| {
        let least = costs.values().copied().reduce(f64::min)?.max(1.0);
        Some(costs.values().copied().reduce(f64::max)?.max(1.0) / least)
    };
    let of = |violated: bool| -> Vec<f64> {
        let own = tasks.iter().filter(|task| task.is_violated == violated);
        own.filter_map(|task| ratio(&task.visited)).collect()
    };
    let (violated, holds) = (of(true), of(false));
    let same = violated.iter().chain(&holds).filter(|ratio| **ratio == 1.0).count();
    let stored = tasks.iter().filter(|task| ratio(&task.stored) == Some(1.0)).count();
    let medians = [&violated, &holds].map(|ratios| quantile(ratios.iter().copied(), 0.5));
    page.table(
        &["ratio of most to least work over translators", ">published", ">ours"],
        &[
            cells!["tasks solved by two translators or more", 823, tasks.len()],
            cells![
                "with a counterexample / without",
                "731 / 92",
                format!("{} / {}", violated.len(), holds.len())
            ],
            cells!["visited transitions equal", 35, same],
            cells!["stored states equal", 68, stored],
            cells!["median with a counterexample", "> 5.6", shown(medians[0], 2)],
            cells!["median without", "1.4", shown(medians[1], 2)],
        ],
    );
    let sample = Sample { cases: tasks.len(), least: 60 };
    page.conclude(
        format!("The automaton influences most tasks ({tool})"),
        (!tasks.is_empty()).then_some(same * 2 < tasks.len()),
        sample,
        format!("{same} of {} tasks cost the same", tasks.len()),
    );
    page.conclude(
        format!("The influence is larger where there is a counterexample ({tool})"),
        medians[0].zip(medians[1]).map(|(with, without)| with > without),
        Sample { cases: violated.len().min(holds.len()), least: 20 },
        format!("medians {} and {}", shown(medians[0], 2), shown(medians[1], 2)),
    );
}
