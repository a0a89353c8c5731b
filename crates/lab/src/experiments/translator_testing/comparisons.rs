//! Compares translators on random formulas as the report does: failed translations, Tests 1, 3, 4.
//!
//! The translators of the report are of the year 2000. Constructions of this library, with their
//! usual reductions, play ÅSA+, LTL2AUT and PROD; constructions with deliberate faults play the three versions of Spin; and the
//! installed Spin takes part as it is. Each formula is also translated negated. One random structure
//! of 50 states serves for each formula, as in the report.

use crate::bench::Bench;
use crate::cells;
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::table::{Row, Table};
use anyhow::{Result, anyhow};
use sempre_automata::Automaton;
use sempre_cross::faults::Fault;
use sempre_cross::{
    Failure, FailureKind, Limits, Participant, Polarity, Session, Statistics, Structures, Test,
    Tests, Tool,
};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};
use sempre_ltl::{Formula, Op};
use std::time::Duration;

/// The name of the unit of all comparisons for a size.
const PART: &str = "comparisons";

/// The values of a row.
pub(super) const VALUES: [&str; 11] = [
    "test1",
    "test1_failed",
    "test3",
    "test3_failed",
    "local",
    "wrong",
    "test4",
    "test4_failed",
    "translations",
    "failures",
    "memory",
];

/// The constructions that are right, by their names in `sempre cross`; `atoms` stands for PROD,
/// which has no part in E2.
const RIGHT: [&str; 4] = ["classic", "gpvw+", "ltl2aut", "atoms"];

/// The largest formulas for automata of atoms.
const LARGEST_ATOMS: usize = 8;

/// The parts of the three versions of Spin.
const EARLY: &str = "early";
const MIDDLE: &str = "middle";
const LATE: &str = "late";

/// The installed program.
const SPIN: &str = "spin";

/// Limits as in the report, and a time limit, which it lacks.
const LIMITS: Limits = Limits { time: Some(Duration::from_secs(5)), memory: Some(128 << 20) };

/// The number of formulas of each size that decides a conclusion; with their negations, as many
/// comparisons as in E3 and E4.
const LEAST: usize = 200;

/// A translator that fails on some formulas, and has a fault that depends on the operators.
struct Role {
    fails: fn(&Formula) -> Option<FailureKind>,
    /// The faults for formulas of OP1, and with another operator.
    faults: [Participant; 2],
}

impl Tool for Role {
    fn translate(&self, formula: &Formula, limits: &Limits) -> Result<Automaton, Failure> {
        if let Some(kind) = (self.fails)(formula) {
            return Err(Failure::new(kind, "a deliberate failure"));
        }
        let others = [Op::Next, Op::Iff, Op::Release];
        let has_others = formula.subformulas().any(|f| others.contains(&f.op()));
        self.faults[usize::from(has_others)].tool.translate(formula, limits)
    }
}

/// Spin 3.3.3 accepted too much, and crashed, violated assertions or wrote wrong claims with `X`,
/// `<->` or `R`.
fn early() -> Participant {
    let fails = |formula: &Formula| {
        let has_iff = |f: &Formula| f.subformulas().any(|f| f.op() == Op::Iff);
        let is_hard = |f: Formula| f.op() == Op::Next && has_iff(&f);
        let kinds = [FailureKind::Crash, FailureKind::Assertion, FailureKind::Format];
        formula.subformulas().any(is_hard).then(|| kinds[formula.size() as usize % 3])
    };
    let fault = || Fault::ReleaseWithoutB.participant();
    Participant::new(EARLY, Role { fails, faults: [fault(), fault()] })
}

/// Spin 3.3.9 was rarely wrong: it accepted too little with OP1, and too much with OP2.
fn middle() -> Participant {
    let faults = [Fault::TrueUnrecorded, Fault::MergedNodes].map(Fault::participant);
    Participant::new(MIDDLE, Role { fails: |_| None, faults })
}

/// Returns the participants for formulas of a size.
fn participants(operators: OperatorSet, size: usize) -> Result<Vec<Participant>> {
    let mut all = vec![];
    for name in RIGHT {
        if name != "atoms" || (size <= LARGEST_ATOMS && operators == OperatorSet::Op1) {
            all.push(named(name)?);
        }
    }
    all.extend([early(), middle()]);
    all.push(Participant { name: LATE.to_owned(), ..Fault::RedundantUntil.participant() });
    let spin = named(SPIN)?;
    if spin.tool.ready().is_ok() {
        all.push(spin);
    }
    Ok(all)
}

fn named(name: &str) -> Result<Participant> {
    sempre_cross::participant(name, false).map_err(|error| anyhow!(error.message))
}

/// Returns a row for each participant, and one for each pair.
fn measure(
    operators: OperatorSet,
    size: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<Vec<String>>> {
    let priorities = Priorities::report(operators, size)?;
    let formulas = RandomFormulas::over_numbered(5).size(size).priorities(priorities).seed(seed);
    let tests = Tests { intersection: true, comparison: true, consistency: true, ..Tests::none() };
    let session = Session::new(participants(operators, size)?)
        .tests(tests)
        .limits(LIMITS)
        .structures(Structures { seed, ..Structures::default() });
    let mut statistics = Statistics::new(&session);
    for (number, formula) in (1..=count).zip(formulas.generate()?) {
        statistics.add(&session.round(number, &formula?));
    }
    let names = session.names();
    let mut rows = vec![];
    for right in 0..session.participants().len() {
        let of = Polarity::ALL.map(|polarity| statistics.translations(right, polarity));
        let failures = |kinds: &dyn Fn(FailureKind) -> bool| -> usize {
            let all = of.iter().flatten().flat_map(|of| &of.failures);
            all.filter(|(kind, _)| kinds(**kind)).map(|(_, count)| count).sum()
        };
        let attempted: usize = of.iter().flatten().map(|of| of.attempted).sum();
        let unsupported = failures(&|kind| kind == FailureKind::Unsupported);
        let failed = failures(&|kind| kind != FailureKind::Unsupported);
        let memory = failures(&|kind| matches!(kind, FailureKind::Memory | FailureKind::Time));
        for left in 0..=right {
            let pair = statistics.pair(left, right);
            let [one, three] = [Test::Intersection, Test::Comparison].map(|test| pair.tests(test));
            let mut row = match left == right {
                true => cells![names[left], one.performed, one.failed, "", "", "", pair.wrong],
                false => cells![
                    format!("{} × {}", names[left], names[right]),
                    one.performed,
                    one.failed,
                    three.performed,
                    three.failed,
                    pair.local,
                    pair.wrong
                ],
            };
            let four = statistics.consistency(right);
            row.extend(match left == right {
                true => {
                    cells![four.performed, four.failed, attempted - unsupported, failed, memory]
                }
                false => vec![String::new(); 5],
            });
            rows.push(row);
        }
    }
    Ok(rows)
}

pub(super) fn run(bench: &mut Bench<'_>, operators: OperatorSet) -> Result<()> {
    let settings = bench.settings().clone();
    let (count, seed) = (settings.number("compared")?, settings.number("seed")?);
    for text in settings.words("sizes") {
        let size = text.parse()?;
        bench.unit(&[text, PART], || {
            let rows = measure(operators, size, count, seed)?.into_iter();
            // The columns of sizes stay empty.
            Ok(rows
                .map(|mut row| {
                    let rest = row.split_off(1);
                    row.extend(vec![String::new(); 5]);
                    row.extend(rest);
                    row
                })
                .collect())
        })?;
    }
    Ok(())
}

/// The published tables of failed translations, of Tests 1 and 3, and of Test 4.
pub(super) struct Published {
    pub(super) operators: &'static str,
    pub(super) failures: (&'static str, &'static str),
    pub(super) pairs: (&'static str, &'static str),
    pub(super) consistency: &'static str,
}

/// The rows of comparisons of a record.
struct Rows<'a> {
    record: &'a Record,
    sizes: Vec<&'a str>,
}

impl<'a> Rows<'a> {
    fn row(&self, size: &str, subject: &str) -> Option<Row<'a>> {
        self.record.rows().find(&[("size", size), ("part", PART), ("subject", subject)])
    }

    /// Returns the subject of a pair, whatever the order of its members.
    fn pair(&self, size: &str, one: &str, other: &str) -> Option<Row<'a>> {
        let text = |left: &str, right: &str| format!("{left} × {right}");
        self.row(size, &text(one, other)).or_else(|| self.row(size, &text(other, one)))
    }

    fn has(&self, name: &str) -> bool {
        self.sizes.iter().any(|size| self.row(size, name).is_some())
    }

    /// Returns the sum of a column over all sizes for a group of pairs, or for a participant.
    fn sum(&self, pairs: &[(&str, &str)], column: &str) -> usize {
        let all = self.sizes.iter().flat_map(|size| {
            pairs.iter().filter_map(move |(one, other)| match one == other {
                true => self.row(size, one),
                false => self.pair(size, one, other),
            })
        });
        all.filter_map(|row| row.number(column)).sum::<f64>() as usize
    }

    /// Returns the row of a constructions that is right with another participant, whose figures are
    /// the smallest, as the report has it.
    fn least(&self, size: &str, other: &str) -> Option<Row<'a>> {
        let rows = RIGHT.iter().filter_map(|right| self.pair(size, right, other));
        let failed = |row: &Row<'_>| {
            ["test1_failed", "test3_failed"].map(|column| row.number(column).unwrap_or(0.0) as u64)
        };
        rows.min_by_key(|row| failed(row).iter().sum::<u64>())
    }
}

/// Formats the failures of Test 1, those of Test 3 (at the initial state), and the wrong automata.
fn cell(row: Option<&Row<'_>>, columns: [&str; 4]) -> String {
    let Some(row) = row else { return "–".to_owned() };
    let [one, three, local, wrong] = columns.map(|column| row.text(column));
    match three {
        "" => one.to_owned(),
        _ => format!("{one} / {three} ({local}) / {wrong}"),
    }
}

const OURS: [&str; 4] = ["test1_failed", "test3_failed", "local", "wrong"];
const THEIRS: [&str; 4] = ["test1", "test3", "local", "wrong"];

/// Adds the tables and the conclusions.
pub(super) fn page(page: &mut Page, record: &Record, published: &Published) {
    let rows = Rows { record, sizes: record.rows().distinct("size") };
    let (title, text) = published.failures;
    page.heading(title);
    page.paragraph(
        "Translations without an automaton, of them for lack of memory (ours: or of 5 seconds), for \
         all formulas and their negations. `early`, `middle` and `late` are constructions with \
         deliberate faults in the parts of Spin 3.3.3, 3.3.9 and 3.4.1; `spin` is the installed \
         program, where formulas with `X` are not counted, as packaged binaries lack it.",
    );
    failures(page, &rows, &Table::parse(text, ',').unwrap_or_default());
    let (title, text) = published.pairs;
    let theirs = Table::parse(text, ',').unwrap_or_default();
    page.heading(title);
    page.paragraph(
        "Failures of Test 1 / failures of Test 3 at any state (at the initial state) / automata shown \
         to be wrong; a translator with itself has Test 1 only. A/L/P are the translators that are \
         right; their figures are the smallest. First the published figures:",
    );
    pairs(page, &rows, &theirs);
    page.heading("Table 6.7");
    page.paragraph(&format!(
        "Failures of Test 4 with {}; all other translators of the report have none.",
        published.operators
    ));
    consistency(page, &rows, published);
    conclusions(page, &rows, published.operators);
}

fn failures(page: &mut Page, rows: &Rows<'_>, theirs: &Table) {
    let ours: Vec<&str> = RIGHT
        .into_iter()
        .chain([EARLY, MIDDLE, LATE, SPIN])
        .filter(|name| rows.has(name))
        .collect();
    let translators = theirs.distinct("translator");
    let lines = rows.sizes.iter().map(|size| {
        let published = translators.iter().map(|translator| {
            let row = theirs.find(&[("size", size), ("translator", translator)]);
            row.map_or("–".to_owned(), |r| {
                format!("{} ({})", r.text("failures"), r.text("memory"))
            })
        });
        let ours = ours.iter().map(|name| {
            let row = rows.row(size, name);
            row.map_or("–".to_owned(), |row| {
                let [failures, memory, all] =
                    ["failures", "memory", "translations"].map(|column| row.text(column));
                format!("{failures} ({memory}) of {all}")
            })
        });
        cells![size].into_iter().chain(published).chain(ours).collect()
    });
    let lines: Vec<Vec<String>> = lines.collect();
    let titles = translators.iter().copied().chain(ours.iter().copied());
    let titles: Vec<String> =
        [">size".to_owned()].into_iter().chain(titles.map(|name| format!(">{name}"))).collect();
    page.table(&titles.iter().map(String::as_str).collect::<Vec<_>>(), &lines);
}

fn pairs(page: &mut Page, rows: &Rows<'_>, theirs: &Table) {
    let titles = |names: &[String]| -> Vec<String> {
        [">size".to_owned()].into_iter().chain(names.iter().map(|n| format!(">{n}"))).collect()
    };
    let known: Vec<String> = theirs.distinct("pair").iter().map(|&p| p.to_owned()).collect();
    let lines: Vec<Vec<String>> = rows
        .sizes
        .iter()
        .map(|size| {
            let row = |pair: &String| theirs.find(&[("size", size), ("pair", pair)]);
            let cells = known.iter().map(|pair| cell(row(pair).as_ref(), THEIRS));
            cells![size].into_iter().chain(cells).collect()
        })
        .collect();
    page.table(&titles(&known).iter().map(String::as_str).collect::<Vec<_>>(), &lines);
    page.paragraph("Ours:");
    let others: Vec<&str> =
        [EARLY, MIDDLE, LATE, SPIN].into_iter().filter(|name| rows.has(name)).collect();
    let mut names = vec!["A/L/P".to_owned()];
    names.extend(others.iter().map(|name| format!("A/L/P × {name}")));
    names.extend(others.iter().map(|name| (*name).to_owned()));
    names.push(format!("{EARLY} × {MIDDLE}"));
    let lines: Vec<Vec<String>> = rows
        .sizes
        .iter()
        .map(|size| {
            let among = right_pairs();
            let one = Rows { record: rows.record, sizes: vec![size] };
            let [first, third, local, wrong] = OURS.map(|column| one.sum(&among, column));
            let mut cells = cells![size, format!("{first} / {third} ({local}) / {wrong}")];
            cells.extend(others.iter().map(|name| cell(rows.least(size, name).as_ref(), OURS)));
            cells.extend(others.iter().map(|name| cell(rows.row(size, name).as_ref(), OURS)));
            cells.push(cell(rows.pair(size, EARLY, MIDDLE).as_ref(), OURS));
            cells
        })
        .collect();
    page.table(&titles(&names).iter().map(String::as_str).collect::<Vec<_>>(), &lines);
}

/// All pairs of translators that are right, each also with itself.
fn right_pairs() -> Vec<(&'static str, &'static str)> {
    let pairs = RIGHT
        .iter()
        .enumerate()
        .flat_map(|(place, one)| RIGHT[..=place].iter().map(move |other| (*other, *one)));
    pairs.collect()
}

fn consistency(page: &mut Page, rows: &Rows<'_>, published: &Published) {
    let theirs = Table::parse(published.consistency, ',').unwrap_or_default();
    let known = ["3.3.3", "3.3.9"];
    let ours: Vec<&str> = RIGHT
        .into_iter()
        .chain([EARLY, MIDDLE, LATE, SPIN])
        .filter(|name| rows.has(name))
        .collect();
    let lines: Vec<Vec<String>> = rows
        .sizes
        .iter()
        .map(|size| {
            let published = known.iter().map(|translator| {
                let key = [
                    ("operators", published.operators),
                    ("size", size),
                    ("translator", translator),
                ];
                theirs.find(&key).map_or("–".to_owned(), |row| row.text("failed").to_owned())
            });
            let ours = ours.iter().map(|name| {
                let row = rows.row(size, name);
                row.map_or("–".to_owned(), |row| row.text("test4_failed").to_owned())
            });
            cells![size].into_iter().chain(published).chain(ours).collect()
        })
        .collect();
    let titles: Vec<String> = ["size"]
        .into_iter()
        .chain(known)
        .chain(ours.iter().copied())
        .map(|name| format!(">{name}"))
        .collect();
    page.table(&titles.iter().map(String::as_str).collect::<Vec<_>>(), &lines);
}

fn conclusions(page: &mut Page, rows: &Rows<'_>, operators: &str) {
    let sample = |name: &str| {
        let counts = rows.sizes.iter().map(|size| {
            let tests = rows.row(size, name).and_then(|row| row.number("test1"));
            tests.unwrap_or(0.0) as usize
        });
        Sample::smallest(counts, LEAST)
    };
    let among = right_pairs();
    let failed = OURS[..2].iter().map(|column| rows.sum(&among, column)).sum::<usize>();
    let performed = ["test1", "test3"].map(|column| rows.sum(&among, column));
    let four: usize = RIGHT.iter().map(|name| rows.sum(&[(name, name)], "test4_failed")).sum();
    page.conclude(
        "ÅSA+, all of LTL2AUT and PROD agree everywhere",
        (performed[0] > 0).then_some(failed + four == 0),
        sample("classic"),
        format!(
            "{failed} failures of {} tests 1 and {} tests 3 among our constructions in these parts, \
             {four} of Test 4",
            performed[0], performed[1]
        ),
    );
    let with = |name: &'static str| RIGHT.map(|right| (right, name));
    let figures = |name: &'static str| {
        let [one, three, local] =
            ["test1_failed", "test3_failed", "local"].map(|column| rows.sum(&with(name), column));
        (one, three, local, rows.sum(&[(name, name)], "test4_failed"))
    };
    let (one, three, _, four) = figures(SPIN);
    page.conclude(
        "Spin converges to the others with newer versions",
        rows.has(SPIN).then_some(one + three + four == 0),
        sample(SPIN),
        format!(
            "installed Spin against the others: {one} failures of {} tests 1, {three} of {} tests 3, \
             {four} of Test 4; 3.4.1 has 1 (OP1) and 0 (OP2)",
            rows.sum(&with(SPIN), "test1"),
            rows.sum(&with(SPIN), "test3")
        ),
    );
    let roles = [EARLY, MIDDLE];
    let [all, initial] = ["test3_failed", "local"]
        .map(|column| roles.iter().map(|name| rows.sum(&with(name), column)).sum::<usize>());
    page.conclude(
        "Comparing results at all states finds more than at initial states",
        (all > 0).then_some(all > initial),
        sample(EARLY),
        format!(
            "{all} at all states, {initial} at initial ones; a factor of {:.1} (published: 1.6 and \
             1.4 with OP1, 2.9 and 1.9 with OP2)",
            all as f64 / initial.max(1) as f64
        ),
    );
    if operators == "OP2" {
        let (one, three, ..) = figures(EARLY);
        let share = three as f64 / one.max(1) as f64;
        page.conclude(
            "Test 3 is about as effective as Test 1 (within a factor of two)",
            (one > 0).then_some((0.5..=2.0).contains(&share)),
            sample(EARLY),
            format!("{EARLY}: {one} failures of Test 1, {three} of Test 3 (published: 2820, 2953)"),
        );
    }
    let found: Vec<(usize, usize, usize)> = roles
        .iter()
        .map(|name| {
            let (one, three, _, four) = figures(name);
            (one, three, four)
        })
        .collect();
    let alone = |pick: fn(&(usize, usize, usize)) -> usize| found.iter().any(|f| pick(f) == 0);
    let some = found.iter().any(|f| f.0 + f.1 + f.2 > 0);
    page.conclude(
        "Tests 1, 3 and 4 complement each other: one finds faults that another does not",
        some.then_some(alone(|f| f.0) || alone(|f| f.1) || alone(|f| f.2)),
        sample(MIDDLE),
        roles
            .iter()
            .zip(&found)
            .map(|(name, (one, three, four))| format!("{name}: {one}, {three}, {four}"))
            .collect::<Vec<_>>()
            .join("; "),
    );
    let (one, three, _, four) = figures(LATE);
    let translations = rows.sum(&[(LATE, LATE)], "translations");
    page.conclude(
        "Random tests rarely find errors in an almost correct translator",
        (translations > 0).then_some((one + three + four) * 1000 <= translations),
        sample(LATE),
        format!(
            "the error of Spin 3.4.1 in {translations} translations: {one} failures of Test 1, \
             {three} of Test 3, {four} of Test 4 (published: 1 of Test 3 in 15,964 comparisons)"
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_fail_and_err_as_described() {
        let rows = measure(OperatorSet::Op2, 8, 40, 1).unwrap();
        let row = |subject: &str| rows.iter().find(|row| row[0] == subject).expect(subject);
        let number = |row: &[String], column: &str| -> usize {
            let place = VALUES.iter().position(|known| *known == column).expect(column);
            row[place + 1].parse().unwrap()
        };
        // The right ones agree, and every pair has its tests.
        let pair = row("classic × ltl2aut");
        assert_eq!((number(pair, "test1"), number(pair, "test1_failed")), (80, 0));
        assert_eq!((number(pair, "test3"), number(pair, "test3_failed")), (80, 0));
        let early = row("classic × early");
        assert!(number(early, "test1_failed") > 0 && number(early, "test1") <= 80);
        let failures = number(row(EARLY), "failures");
        assert!(failures > 0 && failures < 20, "{failures}");
        assert_eq!(number(row("classic"), "failures"), 0);
        assert_eq!(number(row("classic"), "test4"), 40);
    }
}
