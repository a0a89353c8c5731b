//! E2: Büchi automata of 178 formulas, and their products with random systems (Table 3.2).
//!
//! The formulas are the distinct negation normal forms of the pattern sets `eh`, `sb` and `dac` and of
//! their negations. Product sizes are medians over the same random systems for all translators.

use super::DOCUMENT;
use super::claims::{Shape, WAYS};
use crate::bench::Bench;
use crate::cells;
use crate::experiment::{About, Experiment, Source, parameter};
use crate::page::{Page, Sample};
use crate::record::Record;
use crate::statistics::{grouped, quantile};
use crate::table::{Row, Table};
use anyhow::{Context, Result};
use sempre_automata::random::RandomKripke;
use sempre_automata::{Automaton, Kripke, StateId};
use sempre_ltl::Formula;
use sempre_ltl::generate::patterns::PatternSet;
use sempre_ltl::rewrite::nnf;
use std::collections::BTreeSet;

/// Repeats Table 3.2.
#[derive(Debug)]
pub struct E2;

const ABOUT: About = About {
    name: "property-automata/e2",
    summary: "Büchi automata of 178 formulas by several translators, and their products with random \
              systems",
    source: Source { document: DOCUMENT, place: "Section 3.2, Table 3.2" },
    parameters: &[
        parameter("formulas", "how many at most", "178", "4"),
        parameter("systems", "number of random systems", "100", "3"),
        parameter("states", "number of states of a system", "200", "20"),
        parameter("density", "probability of a transition between two states", "0.1", "0.1"),
        parameter("timeout", "seconds for a translation by another program", "60", "2"),
    ],
    unit: &["translator", "number"],
    values: &[
        "formula",
        "states",
        "nondeterministic",
        "edges",
        "transitions",
        "product_states",
        "product_transitions",
    ],
};

/// The columns of sums.
const SUMS: [&str; 6] =
    ["states", "nondeterministic", "edges", "transitions", "product_states", "product_transitions"];

/// The formulas of Table 3.2.
fn formulas() -> Result<Vec<Formula>> {
    let mut seen = BTreeSet::new();
    let mut formulas = Vec::new();
    for name in ["eh", "sb", "dac"] {
        let set = PatternSet::by_name(name).with_context(|| name.to_owned())?;
        for formula in set.formulas() {
            for formula in [formula.clone(), Formula::not(formula)].map(|formula| nnf(&formula)) {
                if seen.insert(formula.to_string()) {
                    formulas.push(formula);
                }
            }
        }
    }
    Ok(formulas)
}

/// Counts the reachable states and transitions of the product of a system and an automaton.
fn product_size(kripke: &Kripke, automaton: &Automaton) -> (u64, u64) {
    let alphabet = automaton.alphabet();
    let bits: Vec<Option<usize>> =
        alphabet.props().iter().map(|prop| kripke.alphabet().index_of(prop)).collect();
    let valuation = |state: StateId| {
        let holds =
            |bit: &Option<usize>| bit.is_some_and(|bit| kripke.label(state) >> bit & 1 == 1);
        bits.iter().enumerate().map(|(place, bit)| u64::from(holds(bit)) << place).sum::<u64>()
    };
    let letters: Vec<u64> = kripke.states().map(valuation).collect();
    let width = automaton.state_count();
    let mut seen = vec![false; kripke.state_count() * width];
    let mut pending: Vec<(StateId, StateId)> =
        automaton.initial().iter().map(|state| (kripke.initial(), *state)).collect();
    pending.iter().for_each(|(left, right)| seen[left.index() * width + right.index()] = true);
    let (mut states, mut transitions) = (0, 0);
    while let Some((left, right)) = pending.pop() {
        states += 1;
        for edge in automaton.edges_from(right) {
            if !alphabet.satisfied(edge.label, letters[left.index()]) {
                continue;
            }
            for next in kripke.successors(left) {
                transitions += 1;
                let place = next.index() * width + edge.target.index();
                if !std::mem::replace(&mut seen[place], true) {
                    pending.push((*next, edge.target));
                }
            }
        }
    }
    (states, transitions)
}

impl Experiment for E2 {
    fn about(&self) -> About {
        ABOUT
    }

    fn run(&self, bench: &mut Bench<'_>) -> Result<()> {
        let settings = bench.settings();
        let most = settings.number("formulas")?;
        let (count, states) = (settings.number("systems")?, settings.number("states")?);
        let (density, limit) = (settings.number("density")?, settings.seconds("timeout")?);
        let props = ["a", "b", "c", "d", "e", "f", "g"];
        let systems = RandomKripke::over(props)?.states(states).density(density).seed(1);
        let systems: Vec<Kripke> = systems.generate().take(count).collect();
        // Three claims in place of one have no product of their own.
        for way in WAYS.iter().filter(|way| way.name != "parts") {
            for (number, formula) in formulas()?.iter().take(most).enumerate() {
                let unit = cells![way.name, number];
                bench.row(&unit, || {
                    let mut row = cells![formula];
                    match way.automata(formula, limit)?.as_deref() {
                        Some([automaton]) => {
                            let shape = Shape::of(automaton);
                            let products = systems.iter().map(|s| product_size(s, automaton));
                            let (states, edges): (Vec<u64>, Vec<u64>) = products.unzip();
                            let median = |sizes: Vec<u64>| {
                                quantile(sizes.into_iter().map(|size| size as f64), 0.5)
                                    .unwrap_or_default()
                            };
                            row.extend(cells![
                                shape.states,
                                shape.nondeterministic,
                                shape.edges,
                                shape.transitions,
                                median(states),
                                median(edges)
                            ]);
                        }
                        _ => row.extend(SUMS.map(|_| String::new())),
                    }
                    Ok(row)
                })?;
            }
        }
        Ok(())
    }

    fn page(&self, record: &Record) -> Page {
        let mut page = Page::default();
        let published = Table::parse(include_str!("table-3-2.csv"), ',');
        let published = published.unwrap_or_else(|error| unreachable!("{error}"));
        let rows = record.rows();
        let of = |way: &str| -> Vec<Row<'_>> {
            let own = rows.rows().filter(|row| row.text("translator") == way);
            own.filter(|row| row.number("states").is_some()).collect()
        };
        let sum = |way: &str, column: &str| -> f64 {
            of(way).iter().filter_map(|row| row.number(column)).sum()
        };
        page.heading("Automata and products (Table 3.2)");
        page.paragraph(
            "Sums over the formulas that a translator finished. Random systems differ from those of \
             the document, so product columns compare within their half only.",
        );
        let mut lines: Vec<Vec<String>> = Vec::new();
        for row in published.rows() {
            let mut line = cells![format!("{}, published", row.text("tool")), row.text("formulas")];
            line.extend(SUMS.map(|column| grouped(row.text(column))));
            lines.push(line);
        }
        let ways: Vec<&str> =
            WAYS.iter().map(|way| way.name).filter(|way| !of(way).is_empty()).collect();
        for way in &ways {
            let mut line = cells![way, of(way).len()];
            line.extend(SUMS.map(|column| grouped(&format!("{:.0}", sum(way, column)))));
            lines.push(line);
        }
        let titles = [
            "translator",
            ">formulas",
            ">states",
            ">nondeterministic",
            ">edges",
            ">transitions",
            ">product states",
            ">product transitions",
        ];
        page.table(&titles, &lines);
        page.heading("Bigger than");
        page.paragraph(
            "The number of formulas for which the row's product has more transitions than the \
             column's.",
        );
        let bigger = |left: &str, right: &str| {
            let right = of(right);
            let is_bigger = |row: &Row<'_>| {
                let other = right.iter().find(|other| other.text("number") == row.text("number"));
                let transitions = |row: &Row<'_>| row.number("product_transitions");
                other.is_some_and(|other| transitions(row) > transitions(other))
            };
            of(left).iter().filter(|row| is_bigger(row)).count()
        };
        let line = |left: &&str| -> Vec<String> {
            let mut line = cells![left];
            line.extend(ways.iter().map(|right| bigger(left, right).to_string()));
            line
        };
        let titles: Vec<String> = ways.iter().map(|way| format!(">{way}")).collect();
        let titles: Vec<&str> =
            std::iter::once("translator").chain(titles.iter().map(String::as_str)).collect();
        page.table(&titles, &ways.iter().map(line).collect::<Vec<_>>());
        let cases = of("small").len();
        let sample = Sample { cases, least: 178 };
        let bounds = [
            ("states", 657.0),
            ("nondeterministic", 94.0),
            ("edges", 1615.0),
            ("transitions", 10304.0),
        ];
        let fits = bounds.iter().all(|(column, most)| sum("small", column) <= *most);
        let figures = bounds.map(|(column, _)| format!("{:.0}", sum("small", column))).join(" / ");
        let claim = "Our small automata are at most as large as the best published ones in all four \
                     columns (657 / 94 / 1615 / 10304)";
        page.conclude(claim, Some(fits), sample, figures);
        let gain = |column: &str| sum("det", column) / sum("small", column).max(1.0);
        let (states, transitions) = (gain("product_states"), gain("product_transitions"));
        let claim = "Determinism helps the transitions of products more than their states";
        let figure = format!("factors {transitions:.3} and {states:.3}");
        page.conclude(claim, Some(transitions <= states), sample, figure);
        let best = ways.iter().find(|left| ways.iter().all(|right| bigger(left, right) == 0));
        page.conclude(
            "No translator is best for every formula",
            Some(best.is_none()),
            sample,
            best.map_or("none is".to_owned(), |way| format!("{way} is")),
        );
        page.coverage(format!("{cases} of 178"), "all formulas in the order of their sets");
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_formulas_as_in_the_document() {
        assert_eq!(formulas().unwrap().len(), 178);
    }

    /// The automata A1 and A2 of the document with cycles of three and two states.
    #[test]
    fn products_are_counted() {
        let automaton =
            |text: &str| sempre_automata::hoa::parse(text).unwrap().nondeterministic().unwrap();
        let large = automaton(
            r#"HOA: v1 States: 3 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
            State: 0 [!0] 0 [0] 1 State: 1 [t] 2 State: 2 {0} [t] 0 --END--"#,
        );
        let small = automaton(
            r#"HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
            State: 0 [!0] 0 [0] 1 State: 1 {0} [t] 0 --END--"#,
        );
        let cycle = |length: usize| {
            let edges = (0..length).map(|state| (state, (state + 1) % length));
            let alphabet = sempre_automata::Alphabet::new(["a"]).unwrap();
            Kripke::new(alphabet, vec![1; length], edges, 0).unwrap()
        };
        assert_eq!(product_size(&cycle(3), &large).0, 3);
        assert_eq!(product_size(&cycle(3), &small).0, 6);
        assert_eq!(product_size(&cycle(2), &large).0, 6);
        assert_eq!(product_size(&cycle(2), &small).0, 2);
    }
}
