//! The pages of E6, E7 and E8.

use super::hybrid::{Comparison, END, FORMS, SMALL, VERDICTS};
use crate::cells;
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::statistics::{geometric_mean, mean, shown};
use crate::table::{Row, Table};

/// The number of pairs that decides a conclusion.
const LEAST: usize = 30;

/// The factors by which one form is faster.
const FACTORS: [f64; 3] = [2.0, 10.0, 100.0];

/// The counts of some pairs.
#[derive(Default)]
struct Counts {
    pairs: usize,
    joint: usize,
    /// For each form: pairs on which it is the faster one, or the only one that solves it.
    wins: [usize; 2],
    /// For each form: pairs that only the other one solves.
    failed: [usize; 2],
    /// For each form: pairs on which it is faster by each of the factors.
    faster: [[usize; 3]; 2],
    /// Pairs that both forms side by side solve.
    solved_by_both: usize,
    /// Pairs that at least one form solves alone.
    solved: usize,
}

fn counts<'a>(rows: impl Iterator<Item = Row<'a>>) -> Counts {
    let mut counts = Counts::default();
    for row in rows {
        counts.pairs += 1;
        let [tgba, tgta, both] = FORMS.map(|form| row.number(form));
        counts.solved_by_both += usize::from(both.is_some());
        let faster = match (tgba, tgta) {
            (None, None) => continue,
            (Some(_), None) => 0,
            (None, Some(_)) => 1,
            (Some(tgba), Some(tgta)) => {
                counts.joint += 1;
                let faster = usize::from(tgta < tgba);
                let ratio = if faster == 1 { tgba / tgta } else { tgta / tgba };
                for (number, factor) in FACTORS.into_iter().enumerate() {
                    counts.faster[faster][number] += usize::from(ratio >= factor);
                }
                faster
            }
        };
        counts.solved += 1;
        counts.wins[faster] += 1;
        counts.failed[1 - faster] += usize::from(tgba.is_none() || tgta.is_none());
    }
    counts
}

/// Returns the pairs with a verdict, or all pairs.
fn pairs<'a>(record: &'a Record, verdict: Option<usize>) -> impl Iterator<Item = Row<'a>> {
    record.rows().rows().filter(move |row| match verdict {
        Some(verdict) => row.text("verdict") == VERDICTS[verdict],
        None => VERDICTS.contains(&row.text("verdict")),
    })
}

pub(super) fn page(comparison: &Comparison, record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("tables-7.csv"), ',').unwrap_or_default();
    let published = |verdict: &str, column: &str| {
        let row = published.find(&[("method", comparison.engine), ("verdict", verdict)]);
        row.map_or("", |row| row.text(column)).to_owned()
    };
    let pair = |verdict: &str, column: &str, ours: usize| match published(verdict, column) {
        theirs if theirs.is_empty() => format!("– / {ours}"),
        theirs => format!("{theirs} / {ours}"),
    };
    let title = comparison.title;
    page.heading("Wins and failures");
    page.paragraph(&format!(
        "Published / ours, of 4,000 published pairs; a dash where the text of the thesis is lost. A form \
         wins a pair if it is faster, or alone in solving it; it fails if only the other one solves \
         it. TGBA stands for {title}, TGTA for {title}-TGTA."
    ));
    let mut lines = vec![];
    for (number, verdict) in VERDICTS.into_iter().take(2).enumerate() {
        let counts = counts(pairs(record, Some(number)));
        lines.push(cells![
            format!("that {verdict}"),
            counts.pairs,
            pair(verdict, "tgba_wins", counts.wins[0]),
            pair(verdict, "tgta_wins", counts.wins[1]),
            pair(verdict, "tgba_failed", counts.failed[0]),
            pair(verdict, "tgta_failed", counts.failed[1]),
            counts.solved_by_both,
        ]);
    }
    let titles = [
        "formulas",
        ">pairs",
        ">TGBA wins",
        ">TGTA wins",
        ">TGBA failed",
        ">TGTA failed",
        ">both: solved",
    ];
    page.table(&titles, &lines);
    let all = counts(pairs(record, None));
    page.heading("Ratios of time");
    page.paragraph(
        "Pairs that both forms solve, by how much faster one of them is: published / ours.",
    );
    let columns = [["tgba_2", "tgba_10", "tgba_100"], ["tgta_2", "tgta_10", "tgta_100"]];
    let lines = ["TGBA", "TGTA"].into_iter().zip(columns).zip(all.faster).map(
        |((form, columns), faster)| {
            let cells = columns.iter().zip(faster).map(|(column, ours)| pair("all", column, ours));
            cells![form].into_iter().chain(cells).collect()
        },
    );
    page.table(
        &["faster form", ">≥ 2 times", ">≥ 10 times", ">≥ 100 times"],
        &lines.collect::<Vec<_>>(),
    );
    let ratio = both_ratio(record);
    page.paragraph(&format!(
        "Unsolved by both forms: {}. Solved by both: {}. Both side by side take {} times the faster form \
         (geometric mean; elapsed against processor time).",
        pair("all", "unsolved", counts(pairs(record, Some(2))).pairs),
        all.joint,
        shown(ratio, 2),
    ));
    let automaton =
        |column: &str| shown(mean(pairs(record, None).filter_map(|row| row.number(column))), 3);
    page.paragraph(&format!(
        "All times leave the automaton out; it takes {} s (TGBA) and {} s (TGTA) in the mean.",
        automaton("tgba_automaton"),
        automaton("tgta_automaton")
    ));
    figures(&mut page, record);
    by_model(&mut page, record);
    conclusions(&mut page, comparison, record, &all);
    let small = record.rows().rows().filter(|row| row.text("note") == SMALL).count();
    let models = record.rows().distinct("model");
    let with_joint = models.iter().filter(|model| {
        counts(pairs(record, None).filter(|row| row.text("model") == **model)).joint > 0
    });
    page.coverage(
        format!(
            "{} pairs on {} models, {} solved by both forms on {} models, of the thesis's 4,000 on 20",
            all.pairs,
            models.len(),
            all.joint,
            with_joint.count()
        ),
        format!(
            "random stutter-invariant formulas over states of processes, until enough hold, enough are \
             violated or enough are unsolved; {small} pairs were left out whose explicit product has \
             fewer than {} states",
            record.settings().text("least")
        ),
    );
    page
}

/// The time of both forms side by side, divided by that of the faster form alone.
fn both_ratio(record: &Record) -> Option<f64> {
    let ratios = pairs(record, None).filter_map(|row| {
        let [tgba, tgta, both] = FORMS.map(|form| row.number(form));
        Some((both? / tgba?.min(tgta?)).max(f64::MIN_POSITIVE))
    });
    geometric_mean(ratios.filter(|ratio| ratio.is_finite()))
}

fn figures(page: &mut Page, record: &Record) {
    page.heading("Time and memory");
    for (file, columns, unit, caption) in [
        ("time.svg", ["tgba", "tgta"], 1.0, "seconds"),
        ("memory.svg", ["tgba_bytes", "tgta_bytes"], f64::from(1 << 20), "MiB of diagrams"),
    ] {
        let series = [0, 1].map(|verdict| {
            let points = pairs(record, Some(verdict)).filter_map(|row| {
                let [tgba, tgta] = columns.map(|column| row.number(column));
                Some((tgba? / unit, tgta? / unit))
            });
            Series { name: VERDICTS[verdict].to_owned(), points: points.collect() }
        });
        let names = (format!("TGBA, {caption}"), format!("TGTA, {caption}"));
        let caption = format!("Each pair that both forms solve: {caption}");
        page.figure(file, &caption, scatter((&names.0, &names.1), &series));
    }
}

fn by_model(page: &mut Page, record: &Record) {
    page.heading("Models");
    let line = |model: &&str| {
        let of = || record.rows().rows().filter(|row| row.text("model") == *model);
        let counts = counts(of().filter(|row| VERDICTS.contains(&row.text("verdict"))));
        let small = of().filter(|row| row.text("note") == SMALL).count();
        let is_done = of().any(|row| row.text("drawn") == END);
        let ratios = of().filter_map(|row| Some(row.number("tgba")? / row.number("tgta")?));
        cells![
            if is_done { (*model).to_owned() } else { format!("{model}, not finished") },
            small,
            counts.pairs,
            counts.joint,
            counts.wins[0],
            counts.wins[1],
            shown(geometric_mean(ratios.filter(|ratio| ratio.is_finite() && *ratio > 0.0)), 2),
        ]
    };
    let lines: Vec<Vec<String>> = record.rows().distinct("model").iter().map(line).collect();
    let titles = [
        "model",
        ">left out",
        ">pairs",
        ">solved by both",
        ">TGBA wins",
        ">TGTA wins",
        ">TGBA ÷ TGTA, seconds",
    ];
    page.table(&titles, &lines);
}

fn conclusions(page: &mut Page, comparison: &Comparison, record: &Record, all: &Counts) {
    let title = comparison.title;
    let [held, violated] = [0, 1].map(|verdict| counts(pairs(record, Some(verdict))));
    let sample = |counts: &Counts| Sample { cases: counts.solved, least: LEAST };
    let wins = |counts: &Counts| format!("wins: TGBA {}, TGTA {}", counts.wins[0], counts.wins[1]);
    let compare = |counts: &Counts, winner: usize| {
        (counts.solved > 0).then(|| counts.wins[winner] > counts.wins[1 - winner])
    };
    let failures =
        |counts: &Counts| format!("failed: TGBA {}, TGTA {}", counts.failed[0], counts.failed[1]);
    // Without failures, nothing is compared.
    let robust = |counts: &Counts, form: usize| {
        let [one, other] = [counts.failed[form], counts.failed[1 - form]];
        (one + other > 0).then_some(one < other)
    };
    match comparison.engine {
        "sog" => {
            let claim = format!("{title}-TGTA is the faster form on formulas that hold");
            page.conclude(claim, compare(&held, 1), sample(&held), wins(&held));
            let claim = format!("{title} is the faster form on formulas that are violated");
            page.conclude(claim, compare(&violated, 0), sample(&violated), wins(&violated));
            let claim = format!("{title}-TGTA fails less often");
            page.conclude(claim, robust(all, 1), sample(all), failures(all));
        }
        "sop" => {
            let share = all.wins[0] as f64 / all.solved.max(1) as f64;
            page.conclude(
                "Neither form of SOP is much faster: each wins at least a third of the pairs",
                (all.solved > 0).then(|| (1.0 / 3.0..=2.0 / 3.0).contains(&share)),
                sample(all),
                wins(all),
            );
            let claim = format!("{title} with TGBA fails less often");
            page.conclude(claim, robust(all, 0), sample(all), failures(all));
        }
        _ => {
            let claim = format!("{title}-TGTA is the faster form on formulas that are violated");
            page.conclude(claim, compare(&violated, 1), sample(&violated), wins(&violated));
            let claim = format!("{title} with TGBA fails less often on formulas that hold");
            page.conclude(claim, robust(&held, 0), sample(&held), failures(&held));
        }
    }
    let least_failed = all.failed[0].min(all.failed[1]);
    page.conclude(
        "Both forms side by side are advised: they solve more pairs than either form alone",
        (least_failed > 0).then(|| all.solved_by_both > all.solved - least_failed),
        sample(all),
        format!(
            "solved: TGBA {}, TGTA {}, side by side {}",
            all.solved - all.failed[0],
            all.solved - all.failed[1],
            all.solved_by_both
        ),
    );
}
