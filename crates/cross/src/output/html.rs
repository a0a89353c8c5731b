//! A page about a run: findings, tables that can be sorted, plots of sizes and
//! times. It is one file that needs nothing else, in light and in dark.

use super::plot::{COLOURS, Point, Quantity, cactus, escaped, scatter};
use super::{Record, Row};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// The most pairs of participants that are plotted with all others; with more, each is compared
/// with the first only.
const MAX_PAIRS: usize = 10;

/// The most translations in the table of all.
const MAX_ROWS: usize = 1000;

/// Writes the page.
///
/// # Errors
/// Errors of `out`.
pub fn write(record: &Record, out: &mut impl Write) -> io::Result<()> {
    let page = Page::new(record);
    let title = format!("{} compared", record.tools.join(", "));
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>",
        escaped(&title)
    )?;
    out.write_all(include_str!("page.css").as_bytes())?;
    for tool in 0..COLOURS {
        let rule = "{ stroke: var(--t";
        writeln!(
            out,
            ".curve.tool{tool} {rule}{tool}); }} .swatch.tool{tool} {{ background: var(--t{tool}); }}"
        )?;
    }
    writeln!(out, "</style>\n<main>\n<h1>Translators compared</h1>")?;
    writeln!(out, "<p class=\"note\">{}</p>", escaped(&record.tools.join(", ")))?;
    page.cards(out)?;
    page.findings(out)?;
    page.summary(out)?;
    page.cactus(out)?;
    page.scatter(out, "States, pair by pair", Quantity::Count)?;
    if page.has_times {
        page.scatter(out, "Times, pair by pair", Quantity::Milliseconds)?;
    }
    page.operators(out)?;
    page.tests(out)?;
    page.results(out)?;
    writeln!(
        out,
        "<h2>Set-up</h2>\n<details class=\"setup\"><summary>The configuration of this run, as \
         TOML</summary><pre>{}</pre></details>",
        escaped(&record.configuration)
    )?;
    writeln!(out, "</main>\n<div id=\"tip\" role=\"status\"></div>\n<script>")?;
    out.write_all(include_str!("page.js").as_bytes())?;
    writeln!(out, "</script>\n</html>")
}

/// The record, with the rows of each participant at hand.
struct Page<'a> {
    record: &'a Record,
    /// For each participant its rows, in the order of the run.
    rows: Vec<Vec<&'a Row>>,
    /// False if times were left out.
    has_times: bool,
}

impl<'a> Page<'a> {
    fn new(record: &'a Record) -> Self {
        let places: HashMap<&str, usize> =
            record.tools.iter().enumerate().map(|(i, tool)| (&**tool, i)).collect();
        let mut rows = vec![vec![]; record.tools.len()];
        for row in &record.results {
            if let Some(&place) = places.get(&*row.tool) {
                rows[place].push(row);
            }
        }
        let has_times = record.results.iter().any(|row| row.seconds.is_some());
        Page { record, rows, has_times }
    }

    fn cards(&self, out: &mut impl Write) -> io::Result<()> {
        let wrong = self.record.findings.len();
        let failed = self.record.results.iter().filter(|row| is_failure(row)).count();
        let tests: usize = self.record.tests.iter().map(|test| test.performed).sum();
        let grade = |count| if count > 0 { " bad" } else { " good" };
        writeln!(out, "<div class=\"cards\">")?;
        for (class, number, what) in [
            ("", self.record.tools.len(), "translators"),
            ("", self.record.rounds, "formulas, and their negations"),
            ("", tests, "tests performed"),
            (grade(wrong), wrong, "wrong automata"),
            (grade(failed), failed, "translations that failed"),
        ] {
            writeln!(out, "<div class=\"card{class}\"><b>{number}</b><span>{what}</span></div>")?;
        }
        writeln!(out, "</div>")
    }

    fn findings(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<h2>Findings</h2>")?;
        if self.record.findings.is_empty() {
            return writeln!(out, "<p class=\"fine\">No automaton was found to be wrong.</p>");
        }
        // Findings that have become the same by making formulas smaller are one.
        let mut different: Vec<(&str, &str, Vec<String>)> = vec![];
        for finding in &self.record.findings {
            let (first, rest) =
                finding.explanation.split_once('\n').unwrap_or((&finding.explanation, ""));
            let round = finding.round.to_string();
            match different.iter_mut().find(|(other, ..)| *other == first) {
                Some((.., rounds)) => rounds.push(round),
                None => different.push((first, rest, vec![round])),
            }
        }
        for (first, rest, mut rounds) in different {
            rounds.dedup();
            let which = match &*rounds {
                [round] => format!("Round {round}"),
                rounds => format!("Rounds {}", rounds.join(", ")),
            };
            writeln!(
                out,
                "<details class=\"finding\"><summary>{}</summary><pre>{}</pre><p \
                 class=\"note\">{which}</p></details>",
                escaped(first),
                escaped(rest.trim_end())
            )?;
        }
        Ok(())
    }

    fn summary(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "<h2>Translators</h2>\n<p class=\"note\">Means over all automata; a click on a title \
             sorts.</p>\n<div class=\"panel\"><table class=\"sortable\"><thead><tr><th \
             class=\"text\">tool</th><th>automata</th><th>failed</th><th>wrong</th><th>states</th>\
             <th>edges</th><th>transitions</th><th>marks</th><th>deterministic</th>{}</tr></thead>\
             <tbody>",
            if self.has_times { "<th>mean ms</th><th>max ms</th>" } else { "" }
        )?;
        let all: Vec<Means> = self.rows.iter().map(|rows| Means::of(rows)).collect();
        // Means over fewer automata are of other formulas, and cannot be compared.
        let most = all.iter().map(|means| means.automata).max().unwrap_or(0);
        let least = |of: fn(&Means) -> f64| {
            let complete = all.iter().filter(|means| means.automata == most);
            complete.map(of).fold(f64::INFINITY, f64::min)
        };
        for (tool, (name, means)) in self.record.tools.iter().zip(&all).enumerate() {
            let bad = |count: usize| if count > 0 { " class=\"bad\"" } else { "" };
            let is_least = |value: f64, of: fn(&Means) -> f64| {
                let marked = all.len() > 1 && means.automata == most && value <= least(of);
                if marked { " class=\"least\"" } else { "" }
            };
            write!(
                out,
                "<tr><td><span class=\"swatch tool{}\"></span>{}</td><td>{}</td><td{}>{}</td>\
                 <td{}>{}</td><td{}>{:.2}</td><td{}>{:.2}</td><td{}>{:.1}</td><td{}>{:.2}</td>\
                 <td>{:.0}%</td>",
                tool % COLOURS,
                escaped(name),
                means.automata,
                bad(means.failed),
                means.failed,
                bad(means.wrong),
                means.wrong,
                is_least(means.states, |of| of.states),
                means.states,
                is_least(means.edges, |of| of.edges),
                means.edges,
                is_least(means.transitions, |of| of.transitions),
                means.transitions,
                is_least(means.marks, |of| of.marks),
                means.marks,
                means.deterministic * 100.0,
            )?;
            if self.has_times {
                let least = is_least(means.milliseconds, |of| of.milliseconds);
                let (mean, longest) = (means.milliseconds, means.longest);
                write!(out, "<td{least}>{mean:.3}</td><td>{longest:.2}</td>")?;
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</tbody></table></div>")
    }

    fn cactus(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "<h2>All translators together</h2>\n<p class=\"note\">Each curve has the values of a \
             translator in ascending order: the lower, and the farther to the right, the better. A \
             click on a name hides its curve.</p>\n<ul class=\"legend\">"
        )?;
        for (tool, name) in self.record.tools.iter().enumerate() {
            writeln!(
                out,
                "<li><button data-tool=\"{tool}\" aria-pressed=\"true\"><span class=\"swatch \
                 tool{}\"></span>{}</button></li>",
                tool % COLOURS,
                escaped(name)
            )?;
        }
        writeln!(out, "</ul>\n<div class=\"plots two\">")?;
        let plots = [(Quantity::Count, "Sizes"), (Quantity::Milliseconds, "Times")];
        for (quantity, caption) in &plots[..1 + usize::from(self.has_times)] {
            let quantity = *quantity;
            let values: Vec<Vec<f64>> = self
                .rows
                .iter()
                .map(|rows| rows.iter().filter_map(|row| value(row, quantity)).collect())
                .collect();
            let plot = cactus(&self.record.tools, quantity, &values);
            writeln!(out, "<figure>{plot}<figcaption>{caption}</figcaption></figure>")?;
        }
        writeln!(out, "</div>")
    }

    fn scatter(&self, out: &mut impl Write, title: &str, quantity: Quantity) -> io::Result<()> {
        let tools = self.record.tools.len();
        if tools < 2 {
            return Ok(());
        }
        let pairs: Vec<(usize, usize)> = match tools * (tools - 1) / 2 {
            0..=MAX_PAIRS => (0..tools).flat_map(|i| (i + 1..tools).map(move |j| (i, j))).collect(),
            _ => (1..tools).map(|j| (0, j)).collect(),
        };
        writeln!(
            out,
            "<h2>{title}</h2>\n<p class=\"note\">A circle for the formulas with these values, the \
             larger the more they are; on the dashed line, both are equal.</p>\n<div \
             class=\"plots\">"
        )?;
        for (left, right) in pairs {
            let both = self.rows[left].iter().zip(&self.rows[right]);
            let points: Vec<Point<'_>> = both
                .filter_map(|(a, b)| {
                    let (x, y) = (value(a, quantity)?, value(b, quantity)?);
                    Some(Point { x, y, formula: &a.formula })
                })
                .collect();
            let names = (&*self.record.tools[left], &*self.record.tools[right]);
            let plot = scatter(names, quantity, &points);
            let less = points.iter().filter(|point| point.x < point.y).count();
            let more = points.iter().filter(|point| point.x > point.y).count();
            let better = match quantity {
                Quantity::Count => "smaller",
                Quantity::Milliseconds => "faster",
            };
            let (left, right) = (escaped(names.0), escaped(names.1));
            write!(
                out,
                "<figure>{plot}<figcaption>{left} {better}: {less}, {right} {better}: {more}"
            )?;
            match points.len() - less - more {
                0 => {}
                equal => write!(out, ", equal: {equal}")?,
            }
            writeln!(out, "</figcaption></figure>")?;
        }
        writeln!(out, "</div>")
    }

    fn tests(&self, out: &mut impl Write) -> io::Result<()> {
        if self.record.tests.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "<h2>Tests</h2>\n<div class=\"panel\"><table class=\"sortable\"><thead><tr><th \
             class=\"text\">test</th><th>performed</th><th>failed</th><th>not \
             applicable</th></tr></thead><tbody>"
        )?;
        for test in &self.record.tests {
            let bad = if test.failed > 0 { " class=\"bad\"" } else { "" };
            writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td{bad}>{}</td><td>{}</td></tr>",
                test.test, test.performed, test.failed, test.not_applicable
            )?;
        }
        writeln!(out, "</tbody></table></div>")
    }

    fn operators(&self, out: &mut impl Write) -> io::Result<()> {
        if self.record.operators.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "<h2>Operators</h2>\n<p class=\"note\">The mean number in a formula.</p>\n<div \
             class=\"panel\"><table class=\"sortable\"><thead><tr><th \
             class=\"text\">operator</th><th>observed</th><th>expected</th></tr></thead><tbody>"
        )?;
        for row in &self.record.operators {
            let expected = row.expected.map(|mean| format!("{mean:.3}")).unwrap_or_default();
            let operator = escaped(row.operator);
            let observed = row.observed;
            writeln!(out, "<tr><td>{operator}</td><td>{observed:.3}</td><td>{expected}</td></tr>")?;
        }
        writeln!(out, "</tbody></table></div>")
    }

    fn results(&self, out: &mut impl Write) -> io::Result<()> {
        let mut formulas: BTreeMap<(usize, bool), Vec<&Row>> = BTreeMap::new();
        for row in &self.record.results {
            formulas.entry((row.round, row.polarity != "+")).or_default().push(row);
        }
        let shown = formulas.len().min(MAX_ROWS);
        write!(out, "<h2>Formulas</h2>\n<p class=\"note\">States of the automata")?;
        if shown < formulas.len() {
            write!(out, ", for the first {shown} of {} formulas", formulas.len())?;
        }
        writeln!(
            out,
            ".</p>\n<input type=\"search\" id=\"search\" placeholder=\"Search\" \
             aria-label=\"Search\">\n<div class=\"panel\"><table class=\"sortable\" \
             id=\"results\"><thead><tr><th>round</th><th class=\"text\">formula</th>"
        )?;
        for tool in &self.record.tools {
            write!(out, "<th>{}</th>", escaped(tool))?;
        }
        writeln!(out, "</tr></thead><tbody>")?;
        for ((round, _), rows) in formulas.iter().take(MAX_ROWS) {
            let formula = rows.first().map(|row| escaped(&row.formula)).unwrap_or_default();
            write!(out, "<tr><td>{round}</td><td class=\"formula\">{formula}</td>")?;
            let least = rows.iter().filter_map(|row| row.sizes.as_ref()).map(|of| of.states).min();
            let most = rows.iter().filter_map(|row| row.sizes.as_ref()).map(|of| of.states).max();
            for tool in &self.record.tools {
                let row = rows.iter().find(|row| row.tool == *tool);
                match row.map(|row| (row, &row.sizes)) {
                    Some((row, Some(sizes))) => {
                        let class = match row.wrong {
                            true => " class=\"bad\" title=\"wrong\"",
                            false if Some(sizes.states) == least && least != most => {
                                " class=\"least\""
                            }
                            false => "",
                        };
                        write!(out, "<td{class}>{}</td>", sizes.states)?;
                    }
                    Some((row, None)) => {
                        let message = escaped(row.message.as_deref().unwrap_or_default());
                        let class = if is_failure(row) { " class=\"bad\"" } else { "" };
                        write!(out, "<td{class} title=\"{message}\">{}</td>", row.status)?;
                    }
                    None => write!(out, "<td></td>")?,
                }
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</tbody></table></div>")
    }
}

/// The value of a quantity in a row, if there is an automaton.
fn value(row: &Row, quantity: Quantity) -> Option<f64> {
    let sizes = row.sizes.as_ref()?;
    Some(match quantity {
        Quantity::Count => sizes.states as f64,
        Quantity::Milliseconds => row.seconds? * 1000.0,
    })
}

/// Whether a translation failed that could have been expected to succeed.
fn is_failure(row: &Row) -> bool {
    !matches!(&*row.status, "ok" | "unsupported")
}

/// The properties of a participant's automata.
struct Means {
    automata: usize,
    failed: usize,
    wrong: usize,
    states: f64,
    edges: f64,
    transitions: f64,
    marks: f64,
    deterministic: f64,
    milliseconds: f64,
    longest: f64,
}

impl Means {
    fn of(rows: &[&Row]) -> Self {
        let sizes: Vec<_> = rows.iter().filter_map(|row| row.sizes.as_ref()).collect();
        let times = || rows.iter().filter_map(|row| Some(row.seconds? * 1000.0));
        let mean = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
        let sum = |of: fn(&super::RowSizes) -> f64| sizes.iter().map(|sizes| of(sizes)).sum();
        let mean_size = |of| mean(sum(of), sizes.len());
        Means {
            automata: sizes.len(),
            failed: rows.iter().filter(|row| is_failure(row)).count(),
            wrong: rows.iter().filter(|row| row.wrong).count(),
            states: mean_size(|of| of.states as f64),
            edges: mean_size(|of| of.edges as f64),
            transitions: mean_size(|of| of.transitions as f64),
            marks: mean_size(|of| f64::from(of.marks)),
            deterministic: mean_size(|of| f64::from(u8::from(of.deterministic))),
            milliseconds: mean(times().sum(), rows.len()),
            longest: times().fold(0.0, f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Fault;
    use crate::{Session, Statistics, participant};

    #[test]
    fn a_page_has_all_there_is_and_needs_nothing_else() {
        let tableau = participant("{<tableau>} tableau", false).unwrap();
        let session = Session::new(vec![tableau, Fault::Empty.participant()]);
        let names = session.participants().iter().map(|tool| tool.name.clone()).collect();
        let mut record = Record::new(names, "rounds = 2".to_owned());
        let mut statistics = Statistics::new(&session);
        for (number, formula) in ["G(a -> F b)", "a & b"].into_iter().enumerate() {
            let round = session.round(number + 1, &formula.parse().unwrap());
            statistics.add(&round);
            record.add(&round.findings, Row::of_round(&round, session.names()));
        }
        record.count(&statistics);
        let mut page = vec![];
        write(&record, &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert_eq!(page.matches("<svg").count(), 4);
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
        assert_eq!(page.matches("<table").count(), page.matches("</table>").count());
        assert!(page.contains("class=\"finding\"") && page.contains("wrongly rejects"));
        assert!(page.contains("G(a -&gt; Fb)") && page.contains("&lt;tableau&gt;"));
        assert!(!page.contains("<tableau>") && !page.contains("http"));
    }
}
