//! Pages in Markdown, made from the rows of a record alone: our figures beside the published ones,
//! plots, and a verdict on each conclusion of a document.

use crate::record::{Record, Recorded};
use crate::statistics::grouped;
use std::fmt::{self, Write};

/// The verdict on a conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Our figures agree.
    Confirmed,
    /// Our figures contradict it.
    Refuted,
    /// Our figures do not decide it.
    Open,
}

impl Finding {
    /// Returns the verdict of a comparison; open if nothing was compared, or if the sample is too
    /// small.
    pub fn of(comparison: Option<bool>, sample: Sample) -> Self {
        match comparison {
            Some(_) if !sample.is_enough() => Finding::Open,
            Some(true) => Finding::Confirmed,
            Some(false) => Finding::Refuted,
            None => Finding::Open,
        }
    }
}

/// The number of cases of a comparison, and the number that decides a conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of compared cases; of several groups, the smallest.
    pub cases: usize,
    /// With fewer cases, the conclusion stays open.
    pub least: usize,
}

impl Sample {
    /// Returns the smallest of several groups of cases.
    pub fn smallest(groups: impl IntoIterator<Item = usize>, least: usize) -> Self {
        Sample { cases: groups.into_iter().min().unwrap_or(0), least }
    }

    /// True if there are enough cases.
    pub fn is_enough(self) -> bool {
        self.cases >= self.least
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Finding::Confirmed => "confirmed",
            Finding::Refuted => "refuted",
            Finding::Open => "open",
        })
    }
}

/// A conclusion of a document, and our verdict.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// The conclusion.
    pub claim: String,
    /// The verdict.
    pub finding: Finding,
    /// The cases behind it; `None` if nothing was compared.
    pub sample: Option<Sample>,
    /// The figure behind it.
    pub figure: String,
}

/// A page under construction.
#[derive(Clone, Debug, Default)]
pub struct Page {
    body: String,
    /// The number of cases out of the published ones, and the rule of their selection.
    coverage: Option<(String, String)>,
    conclusions: Vec<Conclusion>,
    /// Files with their contents.
    figures: Vec<(String, String)>,
    /// Errors: wrong counts, wrong verdicts.
    faults: Vec<String>,
}

impl Page {
    /// Sets the number of cases, the published number, and the rule of selection.
    pub fn coverage(&mut self, cases: impl Into<String>, rule: impl Into<String>) {
        self.coverage = Some((cases.into(), rule.into()));
    }

    /// Begins a section.
    pub fn heading(&mut self, title: &str) {
        let _ = writeln!(self.body, "\n## {title}");
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.body, "\n{text}");
    }

    /// Adds a table; columns whose title begins with `>` are aligned to the right.
    pub fn table(&mut self, titles: &[&str], rows: &[Vec<String>]) {
        self.body.push('\n');
        self.body.push_str(&table(titles, rows));
    }

    /// Adds a plot, which becomes a file beside the page.
    pub fn figure(&mut self, file: &str, caption: &str, svg: String) {
        let _ = writeln!(self.body, "\n![{caption}]({file})\n\n*{caption}*");
        self.figures.push((file.to_owned(), svg));
    }

    /// Adds a conclusion that a comparison decides, if the sample is large enough.
    pub fn conclude(
        &mut self,
        claim: impl Into<String>,
        comparison: Option<bool>,
        sample: Sample,
        figure: impl Into<String>,
    ) {
        let finding = Finding::of(comparison, sample);
        let (claim, figure) = (claim.into(), figure.into());
        self.conclusions.push(Conclusion { claim, finding, sample: Some(sample), figure });
    }

    /// Adds a conclusion without measurement, with the reason.
    pub fn leave_open(&mut self, claim: impl Into<String>, reason: impl Into<String>) {
        let (claim, figure) = (claim.into(), reason.into());
        let finding = Finding::Open;
        self.conclusions.push(Conclusion { claim, finding, sample: None, figure });
    }

    /// Adds an error.
    pub fn fault(&mut self, text: String) {
        self.faults.push(text);
    }

    /// Returns the errors.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Returns the conclusions.
    pub fn conclusions(&self) -> &[Conclusion] {
        &self.conclusions
    }

    /// Returns the numbers of cases.
    pub fn cases(&self) -> &str {
        self.coverage.as_ref().map_or("", |(cases, _)| cases)
    }

    /// Returns the plots: file names with contents.
    pub fn figures(&self) -> &[(String, String)] {
        &self.figures
    }

    /// Returns the text of the page.
    pub fn text(&self, record: &Record) -> String {
        let about = record.about();
        let mut out = format!("# {}\n\n{}\n\n", about.name, about.summary);
        let _ = writeln!(out, "- **Source**: {}; {}.", about.source.document, about.source.place);
        let _ = writeln!(out, "- **Command**: `{}`", record.command());
        let values = record.settings().values();
        let values = values.iter().filter(|(_, value)| !value.is_empty());
        let values: Vec<String> = values.map(|(name, value)| format!("{name} {value}")).collect();
        if !values.is_empty() {
            let _ = writeln!(out, "- **Sample and limits**: {}.", values.join("; "));
        }
        if let Some((cases, rule)) = &self.coverage {
            let _ = writeln!(out, "- **Cases**: {cases}.");
            let _ = writeln!(out, "- **Rule**: {rule}.");
        }
        if let Some(run) = record.run_text() {
            let _ = writeln!(out, "- **Run**: {run}.");
        }
        let count = grouped(&record.rows().len().to_string());
        let _ = writeln!(out, "- **Rows**: [{count}](rows.csv); this page is generated from them.");
        if !record.note().is_empty() {
            let _ = writeln!(out, "- **Note**: {}", record.note());
        }
        if !self.faults.is_empty() {
            let _ = writeln!(out, "\n## Faults\n");
            for fault in &self.faults {
                let _ = writeln!(out, "- {fault}");
            }
        }
        out += &self.body;
        if !self.conclusions.is_empty() {
            out += "\n## Conclusions\n\n";
            let rows: Vec<Vec<String>> = self.conclusions.iter().map(conclusion).collect();
            out += &table(&["conclusion", "our data", ">cases (least)", "figure"], &rows);
            out += "\nA conclusion is open if it has fewer cases than the least number; of several groups, the smallest counts.\n";
        }
        if !record.recorded().is_empty() {
            out += "\n## Recorded earlier\n\nFigures recorded before raw rows were stored; their date is unknown.\n";
            record.recorded().iter().for_each(|table| out += &recorded(table));
        }
        out
    }
}

fn conclusion(Conclusion { claim, finding, sample, figure }: &Conclusion) -> Vec<String> {
    let sample = sample.map_or_else(
        || "–".to_owned(),
        |Sample { cases, least }| format!("{} ({least})", grouped(&cases.to_string())),
    );
    vec![claim.clone(), format!("**{finding}**"), sample, figure.clone()]
}

fn recorded(Recorded { title, origin, table: figures }: &Recorded) -> String {
    let rows: Vec<Vec<String>> = figures.rows().map(|row| row.cells().to_vec()).collect();
    let titles: Vec<&str> = figures.columns().iter().map(String::as_str).collect();
    format!("\n### {title}\n\n{origin}\n\n{}", table(&titles, &rows))
}

/// Returns a table in Markdown.
pub fn table(titles: &[&str], rows: &[Vec<String>]) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let mut out = String::new();
    let line = |out: &mut String, cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    line(&mut out, &mut titles.iter().map(|title| cell(title.trim_start_matches('>'))));
    let rule: Vec<&str> =
        titles.iter().map(|title| if title.starts_with('>') { "--:" } else { "---" }).collect();
    let _ = writeln!(out, "|{}|", rule.join("|"));
    for row in rows {
        line(&mut out, &mut row.iter().map(|text| cell(text)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_markdown() {
        let rows = [vec!["a | b".to_owned(), "1".to_owned()]];
        assert_eq!(
            table(&["formula", ">size"], &rows),
            "| formula | size |\n|---|--:|\n| a \\| b | 1 |\n"
        );
    }

    #[test]
    fn comparisons_are_findings_if_there_are_enough_cases() {
        let findings = |cases| {
            let sample = Sample { cases, least: 20 };
            [Some(true), Some(false), None].map(|found| Finding::of(found, sample).to_string())
        };
        assert_eq!(findings(20), ["confirmed", "refuted", "open"]);
        assert_eq!(findings(19), ["open"; 3]);
        assert_eq!(findings(0), ["open"; 3]);
    }

    #[test]
    fn the_smallest_group_counts() {
        assert_eq!(Sample::smallest([30, 4, 25], 20), Sample { cases: 4, least: 20 });
        // Nothing was compared.
        assert!(!Sample::smallest([], 1).is_enough());
    }

    #[test]
    fn a_small_sample_leaves_a_conclusion_open_with_its_figure() {
        let mut page = Page::default();
        page.conclude("A beats B", Some(false), Sample { cases: 3, least: 20 }, "A 4, B 3");
        page.leave_open("C is small", "not measured");
        let rows: Vec<Vec<String>> = page.conclusions().iter().map(conclusion).collect();
        assert_eq!(rows[0], ["A beats B", "**open**", "3 (20)", "A 4, B 3"]);
        assert_eq!(rows[1], ["C is small", "**open**", "–", "not measured"]);
    }
}
