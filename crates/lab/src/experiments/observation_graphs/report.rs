//! The page of Tables 1 and 2: our figures beside the published ones, and the verdicts on the
//! conclusions.

use super::t1_t2::{ENGINES, LIMITED, SLAP, TABLES};
use crate::cells;
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::statistics::{grouped, shown};
use crate::table::{Row, Table};

/// The number of nets that decides a conclusion about all, about one family, and about Table 2.
const LEAST: usize = 6;
const LEAST_OF_FAMILY: usize = 3;
const LEAST_LIMITED: usize = 2;

/// The rows of the paper and ours.
struct Figures<'a> {
    record: &'a Record,
    published: Table,
}

impl<'a> Figures<'a> {
    fn nets(&self, table: &str) -> Vec<&'a str> {
        let mut nets = Vec::new();
        for row in self.record.rows().rows().filter(|row| row.text("table") == table) {
            if !nets.contains(&row.text("net")) {
                nets.push(row.text("net"));
            }
        }
        nets
    }

    fn ours(&self, table: &str, net: &str, engine: &str) -> Option<Row<'a>> {
        self.record.rows().find(&[("table", table), ("net", net), ("engine", engine)])
    }

    fn theirs(&self, table: &str, net: &str, column: &str) -> &str {
        let row = self.published.find(&[("table", table), ("net", net)]);
        row.map_or("", |row| row.text(column))
    }

    /// A number of ours, if all formulas of the net were decided: others would look cheap.
    fn complete(&self, table: &str, net: &str, engine: &str, column: &str) -> Option<f64> {
        let row = self.ours(table, net, engine)?;
        (row.text("undecided") == "0").then(|| row.number(column))?
    }

    /// A number of ours divided by that of another engine, for the same net.
    fn ratio(&self, table: &str, net: &str, engines: (&str, &str), column: &str) -> Option<f64> {
        let [one, other] =
            [engines.0, engines.1].map(|name| self.complete(table, net, name, column));
        Some(one? / other.filter(|other| *other > 0.0)?)
    }

    fn seconds(&self, table: &str, net: &str, engine: &str) -> String {
        let Some(row) = self.ours(table, net, engine) else { return String::new() };
        let seconds = shown(row.number("seconds"), 2);
        match row.text("undecided") {
            "0" | "" => seconds,
            undecided => format!("{seconds}, {undecided} undecided"),
        }
    }

    fn count(&self, table: &str, net: &str, engine: &str, column: &str) -> String {
        self.ours(table, net, engine).map_or_else(String::new, |row| grouped(row.text(column)))
    }

    /// A published figure beside ours; ours alone where the paper has none.
    fn pair(&self, table: &str, net: &str, column: &str, ours: &str) -> String {
        match self.theirs(table, net, column) {
            "" => ours.to_owned(),
            theirs => format!("{} / {ours}", grouped(theirs)),
        }
    }
}

pub(super) fn page(record: &Record) -> Page {
    let mut page = Page::default();
    let published = Table::parse(include_str!("tables.csv"), ',').unwrap_or_default();
    let figures = Figures { record, published };
    compare_verdicts(&mut page, &figures);
    for table in TABLES {
        add_table(&mut page, &figures, table);
    }
    conclusions(&mut page, &figures);
    let settings = record.settings();
    page.coverage(
        format!(
            "{} nets of Table 1 (17 published) and {} of Table 2 (3 published), with {} formulas each \
             (100 published); {} nets of the Contest",
            figures.nets("1").len(),
            figures.nets("2").len(),
            settings.text("formulas"),
            figures.nets("contest").len(),
        ),
        "random formulas from the seed: those of the paper are unknown, so only trends are comparable; \
         in Table 2 one of N transitions of the net is external, since the paper's choice is \
         unknown; nets of the Contest in the order of the seed: bounded place/transition nets with \
         formulas without X, of which all are checked",
    );
    page
}

/// Adds a fault for each net on which engines disagree with each other, or with the Contest.
fn compare_verdicts(page: &mut Page, figures: &Figures<'_>) {
    for table in TABLES {
        for net in figures.nets(table) {
            let engines = ENGINES.into_iter().chain([LIMITED, SLAP]);
            let rows: Vec<Row<'_>> =
                engines.filter_map(|engine| figures.ours(table, net, engine)).collect();
            let known = rows.iter().map(|row| row.text("known"));
            let texts: Vec<&str> =
                rows.iter().map(|row| row.text("verdicts")).chain(known).collect();
            let count = texts.iter().map(|text| text.len()).max().unwrap_or(0);
            let is_disputed = |place: &usize| {
                let letters = || texts.iter().filter_map(|text| text.chars().nth(*place));
                letters().any(|letter| letter == '+') && letters().any(|letter| letter == '-')
            };
            let wrong = (0..count).filter(is_disputed).count();
            if wrong > 0 {
                page.fault(format!("{net}: {wrong} formulas have two verdicts"));
            }
        }
    }
}

fn add_table(page: &mut Page, figures: &Figures<'_>, table: &str) {
    let line = |net: &str| {
        let count = |engine: &str, column: &str| figures.count(table, net, engine, column);
        let seconds = |engine: &str| figures.seconds(table, net, engine);
        let pair = |column: &str, ours: &str| figures.pair(table, net, column, ours);
        // Table 2 compares with the graph that has limited expansion.
        let sog = if table == "2" { LIMITED } else { "sog" };
        let verified = match count("symbolic", "undecided").as_str() {
            "0" => count("symbolic", "verified"),
            _ => count(sog, "verified"),
        };
        let mut cells = cells![
            net.replace(':', " "),
            pair("markings", &count("symbolic", "markings")),
            pair("verified", &verified),
            pair("nusmv_nodes", &count("symbolic", "peak_nodes")),
            pair("nusmv_seconds", &seconds("symbolic")),
            pair("sog_nodes", &count(sog, "peak_nodes")),
            pair("sog_states", &count(sog, "states")),
            pair("sog_transitions", &count(sog, "transitions")),
            pair("sog_seconds", &seconds(sog)),
            pair("explicit_states", &count("explicit", "states")),
            pair("explicit_transitions", &count("explicit", "transitions")),
            pair("explicit_seconds", &seconds("explicit")),
        ];
        if table == "2" {
            cells.extend(cells![count("sog", "states"), seconds("sog")]);
        }
        if table == "contest" {
            cells.insert(1, count("sog", "formulas"));
            cells.extend(cells![count(SLAP, "peak_nodes"), seconds(SLAP)]);
        }
        cells
    };
    let lines: Vec<Vec<String>> = figures.nets(table).into_iter().map(line).collect();
    if lines.is_empty() {
        return;
    }
    page.heading(match table {
        "1" => "Table 1",
        "2" => "Table 2: limited expansion",
        _ => "Nets of the Contest",
    });
    page.paragraph(match table {
        "contest" => "Ours alone. All formulas of the instance without X; seconds are for all of them.",
        _ => {
            "Published / ours; ours alone where the paper has no figure. Symbolic is NuSMV there, SOG is \
             MC-SOG, explicit is CheckPN. Seconds are for all formulas of a net, those of the paper from \
             a machine of its time. Nodes are the peak; states and transitions are those of the product \
             that were visited, for all formulas together."
        }
    });
    let mut titles = vec![
        "net",
        ">markings",
        ">verified",
        ">symbolic, nodes",
        ">symbolic, s",
        ">SOG, nodes",
        ">SOG, states",
        ">SOG, transitions",
        ">SOG, s",
        ">explicit, states",
        ">explicit, transitions",
        ">explicit, s",
    ];
    if table == "2" {
        titles.extend([">unlimited SOG, states", ">unlimited SOG, s"]);
    }
    if table == "contest" {
        titles.insert(1, ">formulas");
        titles.extend([">SLAP, nodes", ">SLAP, s"]);
    }
    page.table(&titles, &lines);
}

fn conclusions(page: &mut Page, figures: &Figures<'_>) {
    no_winner(page, figures);
    let nets = figures.nets("1");
    let ratios = |engines: (&str, &str), column: &str| -> Vec<(String, f64)> {
        let found = nets.iter().filter_map(|net| {
            Some((net.replace(':', " "), figures.ratio("1", net, engines, column)?))
        });
        found.collect()
    };
    let visited = ratios(("sog", "explicit"), "states");
    let most = visited.iter().max_by(|one, other| one.1.total_cmp(&other.1));
    page.conclude(
        "The observation graph visits far fewer product states than the explicit check (published: at \
         most 21 % of them, 0.15 % on fms 5)",
        most.map(|(_, most)| *most < 0.25),
        Sample { cases: visited.len(), least: LEAST },
        most.map_or_else(String::new, |(net, most)| {
            let least = visited.iter().map(|(_, ratio)| *ratio).fold(f64::MAX, f64::min);
            format!("{:.2} % to {:.1} % of the states, the most on {net}", 100.0 * least, 100.0 * most)
        }),
    );
    philosophers(page, figures);
    let nodes = ratios(("sog", "symbolic"), "peak_nodes");
    let fewer = nodes.iter().filter(|(_, ratio)| *ratio < 1.0).count();
    page.conclude(
        "The observation graph needs fewer diagram nodes than the symbolic check (published: on all nets)",
        (!nodes.is_empty()).then_some(fewer == nodes.len()),
        Sample { cases: nodes.len(), least: LEAST },
        format!("fewer on {fewer} of {} nets", nodes.len()),
    );
    limited(page, figures);
    only_hybrid(page, figures);
}

/// Whether aggregates decide formulas that the other engines do not.
fn only_hybrid(page: &mut Page, figures: &Figures<'_>) {
    let (mut all, mut decided, mut only) = (0, [0; 2], 0);
    for net in figures.nets("contest") {
        let verdicts = |engine: &str| {
            let row = figures.ours("contest", net, engine);
            row.map_or("", |row| row.text("verdicts")).as_bytes()
        };
        let is_known = |engine: &str, place: usize| {
            verdicts(engine).get(place).is_some_and(|letter| *letter != b'?')
        };
        for place in 0..verdicts("explicit").len() {
            let others = is_known("explicit", place) || is_known("symbolic", place);
            let hybrids = is_known("sog", place) || is_known(SLAP, place);
            all += 1;
            decided[0] += usize::from(others);
            decided[1] += usize::from(hybrids);
            only += usize::from(hybrids && !others);
        }
    }
    page.conclude(
        "Aggregates decide formulas of Contest nets that neither the explicit nor the symbolic engine \
         decides within the limits (ours, not of the paper)",
        (all > 0).then_some(only > 0),
        Sample { cases: figures.nets("contest").len(), least: LEAST },
        format!(
            "of {all} formulas, explicit or symbolic decide {}, SOG or SLAP {}; {only} only these",
            decided[0], decided[1]
        ),
    );
}

fn no_winner(page: &mut Page, figures: &Figures<'_>) {
    let mut wins = [0; ENGINES.len()];
    let mut compared = 0;
    for table in ["1", "contest"] {
        for net in figures.nets(table) {
            let times = ENGINES.map(|engine| figures.complete(table, net, engine, "seconds"));
            if let [Some(a), Some(b), Some(c)] = times {
                compared += 1;
                let best = a.min(b).min(c);
                let first = [a, b, c].iter().position(|time| *time == best);
                wins[first.unwrap_or_default()] += 1;
            }
        }
    }
    let shares = ENGINES.iter().zip(wins).map(|(engine, wins)| format!("{engine} {wins}"));
    let shares: Vec<String> = shares.collect();
    page.conclude(
        "No method has the advantage on all nets",
        (compared > 0).then(|| wins.iter().filter(|wins| **wins > 0).count() > 1),
        Sample { cases: compared, least: LEAST },
        format!(
            "fastest, of {compared} nets on which all three decide all formulas: {}",
            shares.join(", ")
        ),
    );
}

fn philosophers(page: &mut Page, figures: &Figures<'_>) {
    let nets = figures.nets("1");
    let is_complete = |net: &&&str| figures.complete("1", net, "sog", "states").is_some();
    let count = nets.iter().filter(|net| net.starts_with("philosophers:")).filter(is_complete);
    let sample = Sample { cases: count.count(), least: LEAST_OF_FAMILY };
    let [small, large] = ["philosophers:4", "philosophers:20"]
        .map(|net| figures.complete("1", net, "sog", "states"));
    let growth = small.zip(large).map(|(small, large)| large / small);
    page.conclude(
        "With philosophers, visited states are nearly constant from 4 to 20 (published: 527 and 587)",
        growth.map(|growth| (0.5..2.0).contains(&growth)),
        sample,
        format!("{} and {} states, {} times", shown(small, 0), shown(large, 0), shown(growth, 2)),
    );
    let time = figures.complete("1", "philosophers:20", "sog", "seconds");
    page.conclude(
        "Philosophers 20 take an observation graph less time than a symbolic check (published: 41.5 and \
         2585.5 s)",
        figures.ratio("1", "philosophers:20", ("sog", "symbolic"), "seconds").map(|r| r < 1.0),
        sample,
        format!(
            "{} and {} s; our goal of 2 s is {}",
            shown(time, 2),
            shown(figures.complete("1", "philosophers:20", "symbolic", "seconds"), 2),
            match time {
                Some(time) if time < 2.0 => "met",
                Some(_) => "missed",
                None => "open",
            }
        ),
    );
}

fn limited(page: &mut Page, figures: &Figures<'_>) {
    let ratio = |net: &&str, column: &str| figures.ratio("2", net, (LIMITED, "sog"), column);
    let nets = figures.nets("2");
    let compared = nets.iter().filter_map(|net| {
        Some((net.replace(':', " "), ratio(net, "states")?, ratio(net, "seconds")?))
    });
    let compared: Vec<(String, f64, f64)> = compared.collect();
    let texts = compared.iter().map(|(net, states, seconds)| {
        format!("{net}: {states:.1} times the states, {seconds:.2} times the seconds")
    });
    let figure = texts.collect::<Vec<_>>().join("; ");
    let sample = Sample { cases: compared.len(), least: LEAST_LIMITED };
    page.conclude(
        "Limited expansion visits more states (published: 2.2 times on fms 5, 5.8 times on ring 5)",
        (!compared.is_empty()).then(|| compared.iter().all(|(_, states, _)| *states > 1.0)),
        sample,
        figure.clone(),
    );
    page.conclude(
        "Limited expansion takes less time (published: 0.08 times on fms 5, 0.39 times on ring 5)",
        (!compared.is_empty()).then(|| compared.iter().all(|(_, _, seconds)| *seconds < 1.0)),
        sample,
        figure,
    );
}
