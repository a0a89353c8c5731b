//! The pages of E1 to E4: our means beside those of the thesis, as ratios to the generalized Büchi
//! automaton.

use super::measure::{CLASSES, DEDICATED, END, FAMILIES};
use crate::cells;
use crate::page::{Page, Sample};
use crate::plot::{Series, scatter};
use crate::record::Record;
use crate::statistics::{geometric_mean, grouped, mean, shown};
use crate::table::{Row, Table};

/// The figures of an experiment beside those of the thesis.
pub(super) struct Report<'a> {
    rows: &'a Table,
    published: Table,
    approaches: Vec<&'a str>,
    models: Vec<&'a str>,
}

/// The number of formulas of a class that decides a conclusion.
const LEAST: usize = 20;

/// The columns of a class: means, with the greatest value in parentheses.
const TITLES: [&str; 12] = [
    "net",
    "approach",
    ">formulas",
    ">aut. states (max)",
    ">aut. transitions (max)",
    ">product states",
    ">product transitions",
    ">explored states",
    ">explored transitions (max)",
    ">seconds",
    ">÷ TGBA (thesis)",
    ">time ÷ TGBA (thesis)",
];

/// The measured quantity.
#[derive(Clone, Copy, Debug)]
pub(super) enum Measure {
    Transitions,
    Time,
}

impl<'a> Report<'a> {
    pub(super) fn new(record: &'a Record, published: &str) -> Self {
        let rows = record.rows();
        let approaches = rows.distinct("approach").into_iter().filter(|name| !name.is_empty());
        Report {
            rows,
            // The tables are part of the program; a test reads them.
            published: Table::parse(published, ',').unwrap_or_default(),
            approaches: approaches.collect(),
            models: rows.distinct("model"),
        }
    }

    fn of(&self, model: &str, class: &str, approach: &str) -> impl Iterator<Item = Row<'a>> {
        let (model, class, approach) = (model.to_owned(), class.to_owned(), approach.to_owned());
        self.rows.rows().filter(move |row| {
            row.text("model") == model
                && row.text("class") == class
                && row.text("approach") == approach
        })
    }

    /// Returns the mean of a column.
    fn mean(&self, model: &str, class: &str, approach: &str, column: &str) -> Option<f64> {
        mean(self.of(model, class, approach).filter_map(|row| row.number(column)))
    }

    /// Returns our ratio to the generalized Büchi automaton.
    fn ratio(&self, model: &str, class: &str, approach: &str, measure: Measure) -> Option<f64> {
        let column = match measure {
            Measure::Transitions => "explored_transitions",
            Measure::Time => "seconds",
        };
        let tgba = self.mean(model, class, "TGBA", column)?;
        Some(self.mean(model, class, approach, column)? / tgba)
    }

    /// Returns the ratio of the thesis.
    fn published(&self, model: &str, class: &str, approach: &str, measure: Measure) -> Option<f64> {
        let family = model.split(':').next()?;
        let (_, name) = FAMILIES.iter().find(|(known, _)| *known == family)?;
        let column = match measure {
            Measure::Transitions => "explored_transitions",
            Measure::Time => "centiseconds",
        };
        let of = |approach: &str| {
            let key = [("set", class), ("model", name), ("approach", approach)];
            self.published.find(&key)?.number(column)
        };
        Some(of(approach)? / of("TGBA")?)
    }

    /// Returns geometric means over nets: ours, and the thesis's over the same families.
    pub(super) fn means(
        &self,
        class: usize,
        approach: &str,
        measure: Measure,
    ) -> (Option<f64>, Option<f64>) {
        let class = CLASSES[class];
        let models = || self.models.iter().copied();
        (
            geometric_mean(models().filter_map(|m| self.ratio(m, class, approach, measure))),
            geometric_mean(models().filter_map(|m| self.published(m, class, approach, measure))),
        )
    }

    /// Returns our means of some classes, if all are available.
    pub(super) fn ours<const N: usize>(
        &self,
        classes: [usize; N],
        approach: &str,
        measure: Measure,
    ) -> Option<[f64; N]> {
        let means = classes.map(|class| self.means(class, approach, measure).0);
        means.iter().all(Option::is_some).then(|| means.map(Option::unwrap_or_default))
    }

    /// Returns the means of some classes as text: ours, with the thesis's in parentheses.
    pub(super) fn figure(&self, classes: &[usize], approach: &str, measure: Measure) -> String {
        let means = classes.iter().map(|&class| {
            let (ours, theirs) = self.means(class, approach, measure);
            format!("{} {}", CLASSES[class], pair(ours, theirs))
        });
        format!("{approach}: {}", means.collect::<Vec<_>>().join("; "))
    }

    /// Adds a conclusion that a comparison of our means over some classes decides.
    pub(super) fn conclude(
        &self,
        page: &mut Page,
        claim: &str,
        classes: &[usize],
        comparison: Option<bool>,
        figures: &[String],
    ) {
        let kept = self.kept();
        let sample = Sample::smallest(classes.iter().map(|&class| kept[class]), LEAST);
        page.conclude(claim, comparison, sample, figures.join(". "));
    }

    /// Returns the number of selected formulas of each class, on all nets.
    fn kept(&self) -> [usize; CLASSES.len()] {
        let approach = self.approaches.first().copied().unwrap_or_default();
        CLASSES.map(|class| {
            self.models.iter().map(|model| self.of(model, class, approach).count()).sum()
        })
    }

    /// Adds a conclusion about a race of the TGBA and another automaton on two threads: the sum of the
    /// shorter times, of the sum of those of the TGBA alone.
    pub(super) fn race(&self, page: &mut Page, other: &str) {
        let (mut alone, mut raced, mut wins, mut cases) = (0.0, 0.0, 0, 0);
        for class in CLASSES {
            for model in &self.models {
                let tgba = self.of(model, class, "TGBA");
                for (tgba, other) in tgba.zip(self.of(model, class, other)) {
                    let Some(times) = tgba.number("seconds").zip(other.number("seconds")) else {
                        continue;
                    };
                    alone += times.0;
                    raced += times.0.min(times.1);
                    wins += usize::from(times.1 < times.0);
                    cases += 1;
                }
            }
        }
        let ratio = (alone > 0.0).then(|| raced / alone);
        page.conclude(
            format!("A race of TGBA and {other} on two threads would halve the time of searches"),
            ratio.map(|ratio| ratio <= 0.5),
            Sample { cases, least: 40 },
            format!(
                "at best {} of the elapsed time with the TGBA alone, for {} of the processor time; {other} \
                 would win {wins} of {cases} races",
                shown(ratio, 2),
                shown(ratio.map(|ratio| 2.0 * ratio), 2)
            ),
        );
    }

    /// Adds the tables, the plots and the number of cases.
    pub(super) fn page(&self) -> Page {
        let mut page = Page::default();
        page.heading("Summary");
        page.paragraph(
            "Explored transitions as a ratio to those with the TGBA: geometric means over the nets, ours \
             and (in parentheses) the thesis's over the same families.",
        );
        let lines = self.approaches.iter().map(|approach| {
            let cells = (0..CLASSES.len()).map(|class| {
                let (ours, theirs) = self.means(class, approach, Measure::Transitions);
                pair(ours, theirs)
            });
            [(*approach).to_owned()].into_iter().chain(cells).collect()
        });
        let titles: Vec<&str> = [&["approach"], &CLASSES[..]].concat();
        page.table(&titles, &lines.collect::<Vec<_>>());
        for class in CLASSES {
            self.section(&mut page, class);
        }
        self.dedicated(&mut page);
        self.plots(&mut page);
        let kept = self.kept();
        let reasons =
            self.rows.distinct("class").into_iter().filter(|class| !CLASSES.contains(class));
        let reasons = reasons.filter(|class| ![DEDICATED, END].contains(class));
        let reasons = reasons.map(|reason| {
            let count = self.rows.rows().filter(|row| row.text("class") == reason).count();
            format!("{} because {reason}", grouped(&count.to_string()))
        });
        page.coverage(
            format!(
                "{} pairs of a net and a formula on {} nets, of the thesis's 5,600 on 14",
                grouped(&kept.iter().sum::<usize>().to_string()),
                self.models.len()
            ),
            format!(
                "random formulas are drawn for each net until each class has enough; left out were {}. \
                 The thesis keeps formulas that take every approach more than one second",
                reasons.collect::<Vec<_>>().join(", ")
            ),
        );
        page
    }

    fn section(&self, page: &mut Page, class: &str) {
        page.heading(class);
        let mut lines = vec![];
        for model in &self.models {
            for (place, approach) in self.approaches.iter().enumerate() {
                let count = self.of(model, class, approach).count();
                if count == 0 {
                    let mut line = cells![model, "no such formula was found"];
                    line.resize(TITLES.len(), String::new());
                    lines.push(line);
                    break;
                }
                let mean =
                    |column: &str| grouped(&shown(self.mean(model, class, approach, column), 0));
                let with_most = |column: &str| {
                    let rows = self.of(model, class, approach);
                    let most = rows.filter_map(|row| row.number(column)).fold(0.0, f64::max);
                    format!("{} ({})", mean(column), grouped(&format!("{most:.0}")))
                };
                let of = |measure| {
                    pair(
                        self.ratio(model, class, approach, measure),
                        self.published(model, class, approach, measure),
                    )
                };
                lines.push(cells![
                    if place == 0 { model } else { "" },
                    approach,
                    count,
                    with_most("states"),
                    with_most("transitions"),
                    mean("product_states"),
                    mean("product_transitions"),
                    mean("explored_states"),
                    with_most("explored_transitions"),
                    shown(self.mean(model, class, approach, "seconds"), 3),
                    of(Measure::Transitions),
                    of(Measure::Time),
                ]);
            }
        }
        page.table(&TITLES, &lines);
    }

    /// Adds the formulas that the thesis checks on one net each.
    fn dedicated(&self, page: &mut Page) {
        let rows = || self.rows.rows().filter(|row| row.text("class") == DEDICATED);
        if rows().next().is_none() {
            return;
        }
        page.heading("Dedicated formulas");
        page.paragraph(
            "Φ1 on PolyORB and Φ2 on MAPK, which hold; in parentheses, the figures of the thesis. The \
             marking of PolyORB is that of the Model Checking Contest, with 452,838 states: that of \
             the thesis, with 61,662 states, is not published.",
        );
        let lines = rows().map(|row| {
            let family = row.text("model").split(':').next().unwrap_or_default();
            let name = FAMILIES.iter().find(|(known, _)| *known == family);
            let key = [
                ("set", DEDICATED),
                ("model", name.map_or("", |(_, name)| name)),
                ("approach", row.text("approach")),
            ];
            let published = self.published.find(&key);
            let cell = |column: &str| {
                let theirs = published.map_or("", |row| row.text(column));
                match theirs {
                    "" => grouped(row.text(column)),
                    theirs => format!("{} ({})", grouped(row.text(column)), grouped(theirs)),
                }
            };
            let columns = [
                "states",
                "transitions",
                "product_states",
                "product_transitions",
                "explored_states",
                "explored_transitions",
            ];
            let head = cells![row.text("model"), row.text("approach")];
            head.into_iter().chain(columns.map(cell)).collect()
        });
        let titles = [
            "net",
            "approach",
            ">aut. states",
            ">aut. transitions",
            ">product states",
            ">product transitions",
            ">explored states",
            ">explored transitions",
        ];
        page.table(&titles, &lines.collect::<Vec<_>>());
    }

    /// Returns points for each formula, as in the thesis's scatter plots.
    fn plots(&self, page: &mut Page) {
        page.heading("Plots");
        for approach in self.approaches.iter().filter(|approach| **approach != "TGBA") {
            let series = CLASSES.map(|class| {
                let mut points = vec![];
                for model in &self.models {
                    let tgba = self.of(model, class, "TGBA");
                    points.extend(tgba.zip(self.of(model, class, approach)).filter_map(
                        |(x, y)| {
                            Some((
                                x.number("explored_transitions")?,
                                y.number("explored_transitions")?,
                            ))
                        },
                    ));
                }
                Series { name: class.to_owned(), points }
            });
            let file = format!("{}.svg", approach.to_lowercase().replace(' ', "-"));
            let caption = format!("Explored transitions of each formula: TGBA and {approach}");
            let names = ("TGBA, explored transitions", format!("{approach}, explored transitions"));
            page.figure(&file, &caption, scatter((names.0, &names.1), &series));
        }
    }
}

/// Returns our figure, with the thesis's in parentheses if there is one.
fn pair(ours: Option<f64>, theirs: Option<f64>) -> String {
    match theirs {
        Some(_) => format!("{} ({})", shown(ours, 2), shown(theirs, 2)),
        None => shown(ours, 2),
    }
}
