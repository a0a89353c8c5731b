//! The page of all tables and figures of the documents: what repeats each, and with which result.
//!
//! `documents/NAME.csv` lists the items of a document. An experiment `NAME/…` repeats those that its
//! [place](crate::experiment::Source::place) names, so that new experiments appear by themselves.

use crate::experiment::About;
use crate::page::{self, Finding, Page};
use crate::run::PAGE;
use crate::table::Table;
use std::collections::BTreeSet;

/// The file of the page below the folder of experiments.
pub const TABLES: &str = "tables.md";

/// The lists of items by the first part of names of experiments.
const LISTS: [(&str, &str); 5] = [
    ("property-automata", include_str!("documents/property-automata.csv")),
    ("testing-automata", include_str!("documents/testing-automata.csv")),
    ("decomposition", include_str!("documents/decomposition.csv")),
    ("observation-graphs", include_str!("documents/observation-graphs.csv")),
    ("translator-testing", include_str!("documents/translator-testing.csv")),
];

/// The kind of items with published figures; others define or illustrate.
const MEASUREMENT: &str = "measurement";

/// A list of the tables and figures of a document.
#[derive(Clone, Debug)]
pub struct Document {
    /// The first part of the names of its experiments.
    pub name: &'static str,
    /// The items.
    pub items: Vec<Item>,
}

/// A table or figure of a document; a measurement without either is named by its section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The name, such as `Table 6.3`.
    pub name: String,
    /// Measurement, definition, example or repetition.
    pub kind: String,
    /// The content.
    pub content: String,
}

/// Returns the lists of all documents.
///
/// # Errors
/// If a list is not a table.
pub fn documents() -> anyhow::Result<Vec<Document>> {
    let document = |(name, text): (&'static str, &str)| {
        let table = Table::parse(text, ',')?;
        let items = table.rows().map(|row| {
            let cell = |column: &str| row.text(column).to_owned();
            Item { name: cell("item"), kind: cell("kind"), content: cell("content") }
        });
        Ok(Document { name, items: items.collect() })
    };
    LISTS.into_iter().map(document).collect()
}

impl Document {
    /// Returns the items that an experiment on this document repeats, in the order of its place.
    pub fn repeated<'a>(&'a self, about: &About) -> Vec<&'a Item> {
        let wanted = named(about.source.place);
        let found = |name: &String| self.items.iter().find(|item| item.name == *name);
        // A section names the whole document part; it counts if it is in the list.
        wanted.iter().filter_map(found).collect()
    }

    /// True if the experiment is on this document.
    pub fn is_source_of(&self, about: &About) -> bool {
        about.name.split_once('/').is_some_and(|(document, _)| document == self.name)
    }
}

/// Returns the items that a place names: `Tables 3.1 to 3.3 and Figure 2` are four.
pub fn named(place: &str) -> Vec<String> {
    let (mut kind, mut names, mut range) = (None, Vec::<String>::new(), false);
    for word in place.split_whitespace() {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        match word {
            "Table" | "Tables" => (kind, range) = (Some("Table"), false),
            "Figure" | "Figures" => (kind, range) = (Some("Figure"), false),
            "Section" | "Sections" => (kind, range) = (Some("Section"), false),
            "to" => range = true,
            "and" | "" => {}
            number if is_number(number) => {
                let Some(kind) = kind else { continue };
                if std::mem::take(&mut range)
                    && let Some(last) = names.last().cloned()
                {
                    names.extend(between(&last, number).map(|number| format!("{kind} {number}")));
                }
                names.push(format!("{kind} {number}"));
            }
            _ => (kind, range) = (None, false),
        }
    }
    names
}

/// True for numbers of tables: digits, or digits and letters with points between them.
fn is_number(word: &str) -> bool {
    let is_part = |part: &str| {
        let is_letter = part.len() == 1 && part.bytes().all(|b| b.is_ascii_uppercase());
        is_letter || !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
    };
    word.split('.').all(is_part) && word.bytes().any(|b| b.is_ascii_digit())
}

/// The numbers strictly between that of an item and another one of the same chapter.
fn between(first: &str, last: &str) -> impl Iterator<Item = String> + use<> {
    let first = first.rsplit(' ').next().unwrap_or_default();
    let split = |number: &str| -> (String, u32) {
        let (chapter, place) = number.rsplit_once('.').unwrap_or(("", number));
        (chapter.to_owned(), place.parse().unwrap_or(0))
    };
    let ((chapter, from), (other, to)) = (split(first), split(last));
    let numbers = if chapter == other { from + 1..to } else { 0..0 };
    numbers.map(move |place| match &*chapter {
        "" => place.to_string(),
        chapter => format!("{chapter}.{place}"),
    })
}

/// Returns the page: the items of each document with the experiments that repeat them. An experiment
/// has a page if it has rows.
///
/// # Errors
/// If a list is not a table.
pub fn text(experiments: &[(About, Option<Page>)]) -> anyhow::Result<String> {
    let mut out = "# Tables and figures of the documents\n\nEach table and figure of the five \
                   documents, and the experiment that repeats it. Figures that define or illustrate \
                   something have nothing to repeat. This page is generated like the \
                   [others](README.md); an experiment repeats what its source names. Cases and \
                   conclusions are those of the whole experiment: confirmed, refuted and open. An \
                   experiment without rows has not been run.\n"
        .to_owned();
    let mut summary = Vec::new();
    let mut sections = String::new();
    for document in documents()? {
        let own: Vec<_> =
            experiments.iter().filter(|(about, _)| document.is_source_of(about)).collect();
        let repeating = |item: &Item| {
            let repeats = |about: &About| document.repeated(about).contains(&item);
            own.iter().filter(|(about, _)| repeats(about)).collect::<Vec<_>>()
        };
        let measured: Vec<_> =
            document.items.iter().filter(|item| item.kind == MEASUREMENT).collect();
        let has_rows = |item: &&&Item| repeating(item).iter().any(|(_, page)| page.is_some());
        let with_rows = measured.iter().filter(has_rows).count();
        let count = |wanted| {
            let pages = own.iter().filter_map(|(_, page)| page.as_ref());
            let findings = pages.flat_map(|page| page.conclusions().iter().map(|c| c.finding));
            findings.filter(|finding| *finding == wanted).count().to_string()
        };
        let [confirmed, refuted, open] =
            [Finding::Confirmed, Finding::Refuted, Finding::Open].map(count);
        summary.push(vec![
            document.name.to_owned(),
            document.items.len().to_string(),
            measured.len().to_string(),
            with_rows.to_string(),
            confirmed,
            refuted,
            open,
        ]);
        let source = own.first().map_or("", |(about, _)| about.source.document);
        sections += &format!("\n## {}\n\n{source}.\n\n", document.name);
        let rows = document.items.iter().map(|item| row(item, &repeating(item)));
        let titles = ["item", "content", "experiment", "cases", "conclusions"];
        sections += &page::table(&titles, &rows.collect::<Vec<_>>());
    }
    out.push('\n');
    let titles = [
        "document",
        ">tables and figures",
        ">with measurements",
        ">repeated, with rows",
        ">confirmed",
        ">refuted",
        ">open",
    ];
    out += &page::table(&titles, &summary);
    Ok(out + &sections)
}

/// The row of an item.
fn row(item: &Item, repeating: &[&&(About, Option<Page>)]) -> Vec<String> {
    let (mut names, mut cases, mut conclusions) = (vec![], vec![], vec![]);
    for (about, page) in repeating {
        let Some(page) = page else {
            names.push(format!("{} (not run)", about.name));
            continue;
        };
        names.push(format!("[{}]({}/{PAGE})", about.name, about.name));
        cases.push(page.cases().to_owned());
        let count = |wanted: Finding| {
            let count = page.conclusions().iter().filter(|c| c.finding == wanted).count();
            (count > 0).then(|| format!("{count} {wanted}"))
        };
        let counts = [Finding::Confirmed, Finding::Refuted, Finding::Open].map(count);
        conclusions.push(counts.into_iter().flatten().collect::<Vec<_>>().join(", "));
    }
    if names.is_empty() {
        names.push(match &*item.kind {
            MEASUREMENT => "**not repeated**".to_owned(),
            kind => format!("– ({kind})"),
        });
    }
    let join = |texts: Vec<String>| texts.join("; ");
    vec![item.name.clone(), item.content.clone(), join(names), join(cases), join(conclusions)]
}

/// Returns the items that places of experiments name but lists lack.
///
/// # Errors
/// If a list is not a table.
pub fn unlisted(experiments: &[About]) -> anyhow::Result<BTreeSet<String>> {
    let documents = documents()?;
    let mut missing = BTreeSet::new();
    for about in experiments {
        let Some(document) = documents.iter().find(|document| document.is_source_of(about)) else {
            continue;
        };
        let is_listed = |name: &String| document.items.iter().any(|item| item.name == *name);
        let names = named(about.source.place).into_iter();
        let names = names.filter(|name| !name.starts_with("Section") && !is_listed(name));
        missing.extend(names.map(|name| format!("{}: {name}", about.name)));
    }
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_tables_and_figures() {
        let names = |place| named(place).join(", ");
        assert_eq!(names("Section 5, Tables 1 and 2"), "Section 5, Table 1, Table 2");
        assert_eq!(
            names("Appendix A, pages 174 and following, Tables A.1 to A.3, Figure A.2"),
            "Table A.1, Table A.2, Table A.3, Figure A.2"
        );
        assert_eq!(
            names("Chapter 5; Tables 6.6 and 6.12 to 6.14"),
            "Table 6.6, Table 6.12, Table 6.13, Table 6.14"
        );
        assert_eq!(names("Section 6.3, “Sizes”, Table 6.10"), "Section 6.3, Table 6.10");
        assert_eq!(names("Figures 6.8 and 6.9, points seq."), "Figure 6.8, Figure 6.9");
        assert_eq!(names("counts.tsv, index.tsv"), "");
    }
}
