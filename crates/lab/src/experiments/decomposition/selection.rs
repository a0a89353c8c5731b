//! The formulas of the paper. They are random; their negation has an automaton with accepting SCCs
//! of different strengths, and a product with more than 2000 nodes. As many of them hold as are
//! violated.

use super::subject::Subject;
use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{Parameter, parameter};
use anyhow::{Result, bail};
use sempre_automata::Automaton;
use sempre_automata::strength::Strengths;
use sempre_ltl::Formula;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::Meaning;
use sempre_models::dve::Dve;
use sempre_translate::Translator;
use std::time::Instant;

/// The parameters of the selection.
pub(super) const MODELS: Parameter = parameter(
    "models",
    "names in the BEEM collection",
    "bopdp.3 production_cell.3 elevator.4 at.4 elevator2.3",
    "shipped:peterson",
);
pub(super) const LEAST_NODES: Parameter =
    parameter("least", "minimal nodes of a product", "2001", "20");
pub(super) const DRAWN: Parameter =
    parameter("drawn", "maximal formulas drawn for each model", "20000", "600");
pub(super) const SHARE: Parameter =
    parameter("model", "seconds after which a model gets no more formulas", "900", "10");
pub(super) const MEMORY: Parameter = parameter("memory", "MiB for a check", "4096", "512");
pub(super) const SEED: Parameter = parameter("seed", "of formulas", "0", "0");

pub(super) const UNIT: &[&str] = &["model", "drawn"];

/// The verdicts by which formulas are counted.
pub(super) const VERDICTS: [&str; 2] = ["hold", "are violated"];

/// The number of formulas that decides a conclusion.
pub(super) const LEAST: usize = 20;

/// A formula with the automaton of its negation, and which verdicts have enough formulas.
pub(super) struct Case<'a> {
    pub(super) formula: &'a Formula,
    pub(super) negation: &'a Automaton,
    pub(super) counts: [usize; 2],
    pub(super) is_full: [bool; 2],
}

/// Draws formulas for all models, and measures the suitable ones. `measure` returns the verdict
/// (violated or not) and the rows, each with this number of columns, or a reason to skip the formula.
pub(super) fn run(
    bench: &mut Bench<'_>,
    columns: usize,
    mut measure: impl FnMut(&mut Subject<'_>, &Case<'_>) -> Result<Measured>,
) -> Result<()> {
    let settings = bench.settings().clone();
    let (cases, least) = (settings.number::<usize>("cases")?, settings.number("least")?);
    for name in settings.words("models") {
        let model = Place::named(name, &settings)?.open()?;
        if model.get::<Dve>().is_none() {
            bail!("{name} is no DVE model");
        }
        let system = model.system();
        let scope = system.names();
        let is_process_state = |name: &String| {
            name.contains('.') && matches!(scope.resolve(name), Some(Meaning::Value(_)))
        };
        let names: Vec<String> = scope.value_names().into_iter().filter(is_process_state).collect();
        let formulas =
            RandomFormulas::over(names).sizes(8..=20).seed(settings.number("seed")?).unique();
        let mut subject = Subject::new(&system, &settings)?;
        let (share, begin) = (settings.seconds("model")?, Instant::now());
        let mut counts = [0; VERDICTS.len()];
        for (drawn, formula) in formulas.generate()?.take(settings.number("drawn")?).enumerate() {
            let is_full = counts.map(|count| count >= cases);
            let key = [name, &drawn.to_string()];
            if is_full == [true; 2] || (begin.elapsed() > share && !bench.has(&key)) {
                break;
            }
            let formula = formula?;
            if !bench.has(&key) {
                // Translations of unsuitable formulas are not units, so check the budget here.
                bench.require_budget()?;
                let deadline = Instant::now() + subject.timeout;
                let negated = Formula::not(&formula);
                let negation = interrupt::run(&Interrupt::default(), Some(deadline), || {
                    Translator::new().translate(&negated)
                });
                // Formulas with unsuitable automata leave no row, since testing them is fast.
                let Ok(negation) = negation else { continue };
                if !is_mixed(&negation) {
                    continue;
                }
                bench.unit(&key, || {
                    let remark = |note: &str| {
                        let rest = vec![String::new(); columns];
                        Ok(vec![[cells![note, formula], rest].concat()])
                    };
                    match subject.is_large(&negation, least)? {
                        Some(true) => {}
                        Some(false) => return remark("the product is small"),
                        None => return remark("takes too long"),
                    }
                    let (formula, negation) = (&formula, &negation);
                    match measure(&mut subject, &Case { formula, negation, counts, is_full })? {
                        Measured::LeftOut(reason) => remark(reason),
                        Measured::Case { violated, rows } => {
                            let head = cells![VERDICTS[usize::from(violated)], formula];
                            Ok(rows.into_iter().map(|row| [head.clone(), row].concat()).collect())
                        }
                    }
                })?;
            }
            let rows = bench.unit(&key, || Ok(vec![]))?;
            let verdict = rows.first().map_or("", |row| row.text("verdict"));
            if let Some(verdict) = VERDICTS.iter().position(|known| *known == verdict) {
                counts[verdict] += 1;
            }
        }
    }
    Ok(())
}

/// The result for a formula.
pub(super) enum Measured {
    LeftOut(&'static str),
    Case { violated: bool, rows: Vec<Vec<String>> },
}

/// True if the accepting SCCs have different strengths.
fn is_mixed(automaton: &Automaton) -> bool {
    let strengths = Strengths::of(automaton);
    let mut accepting: Vec<_> =
        strengths.sccs().iter().map(|scc| strengths.of_component(scc)).collect();
    accepting.retain(|strength| strength.is_accepting());
    accepting.sort_unstable();
    accepting.dedup();
    accepting.len() > 1
}

/// The rule of the selection, for pages.
pub(super) const RULE: &str = "random formulas over states of processes whose negation has an automaton with accepting SCCs of \
     different strengths and a product with enough nodes, until there are enough of each verdict; \
     formulas that take too long are skipped, with a row; a model gets no more formulas after its \
     share of time";
