//! The formulas of the paper. They are random; their negation has an automaton with accepting SCCs
//! of different strengths, and a product with more than 2000 nodes. As many of them hold as are
//! violated.

use crate::bench::Bench;
use crate::cells;
use crate::collections::Place;
use crate::experiment::{Parameter, parameter};
use anyhow::{Result, bail};
use rustc_hash::FxHashSet;
use sempre_automata::decompose::{Part, part};
use sempre_automata::strength::Strengths;
use sempre_automata::{Automaton, reduce};
use sempre_check::{Control, Deadlock, Limits, Question, Verdict};
use sempre_explicit::emptiness::Check;
use sempre_explicit::store::Arena;
use sempre_explicit::{Effort, Graph, Options, Product, StateSpace, Stop, check};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_ltl::{Formula, Prop};
use sempre_models::dve::Dve;
use sempre_models::proposition::Propositions;
use sempre_models::{Meaning, System};
use sempre_translate::Translator;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) const PARAMETERS: &[Parameter] = &[
    parameter(
        "models",
        "names in the BEEM collection",
        "at.4 bopdp.3 elevator2.3 elevator.4 production_cell.3",
        "shipped:peterson",
    ),
    parameter("cases", "formulas of each verdict for each model", "10", "2"),
    parameter("least", "minimal nodes of a product", "2001", "20"),
    parameter("drawn", "maximal formulas drawn for each model", "20000", "600"),
    parameter("timeout", "seconds for a translation or a check", "60", "5"),
    parameter("seed", "of formulas", "0", "0"),
];

pub(super) const UNIT: &[&str] = &["model", "drawn"];

/// The verdicts by which formulas are counted.
pub(super) const VERDICTS: [&str; 2] = ["hold", "are violated"];

/// The number of formulas that decides a conclusion.
pub(super) const LEAST: usize = 20;

/// The parts, the strongest first.
pub(super) const PARTS: [(&str, Part); 3] =
    [("strong", Part::Strong), ("weak", Part::Weak), ("terminal", Part::Terminal)];

/// Returns a part, reduced once more.
pub(super) fn reduced(automaton: &Automaton, strength: Part) -> Automaton {
    reduce::reduce(&part(automaton, strength), reduce::Level::Medium)
}

/// A model, its explored states, and limits.
pub(super) struct Subject<'a> {
    system: Arc<dyn System>,
    pub(super) space: StateSpace<'a, Arena>,
    pub(super) timeout: Duration,
}

impl Subject<'_> {
    fn limits(&self) -> Limits {
        Limits { deadline: Some(Instant::now() + self.timeout), ..Limits::default() }
    }

    /// Returns whether the product has an accepting run, and the effort; `None` at the time limit.
    pub(super) fn check(
        &mut self,
        automaton: &Automaton,
        emptiness: Option<Check>,
    ) -> Result<Option<(bool, Effort)>> {
        let options = Options { emptiness, ..Options::default() };
        let control = Control::new(self.limits());
        // The automaton is that of the negation; the formula only names its propositions.
        let props = automaton.alphabet().props().iter();
        let formula = Formula::and(props.map(|prop| Formula::prop(prop.clone())));
        let question = Question::new(self.system.clone(), &formula, Deadlock::Stutter)?;
        let negation = automaton.clone().into();
        let outcome = check(&mut self.space, &question, &negation, &options, &control)?;
        let effort = Effort {
            nodes: outcome.cost.stored.unwrap_or_default(),
            edges: outcome.cost.visited.unwrap_or_default(),
            depth: 0,
        };
        Ok(match outcome.verdict {
            Verdict::Holds => Some((false, effort)),
            Verdict::Violated => Some((true, effort)),
            Verdict::Unknown(_) => None,
        })
    }

    /// True if the product has enough nodes; `None` at the time limit.
    fn is_large(&mut self, automaton: &Automaton, least: usize) -> Result<Option<bool>> {
        let limits = self.limits();
        let names = automaton.alphabet().props().iter().map(Prop::name);
        let propositions = Propositions::compile(self.space.system().names(), names)?;
        let space = &mut self.space;
        let mut product =
            Product::new(space, automaton, &propositions, Deadlock::Stutter, &limits, &|_| ());
        let walk = |product: &mut Product<'_, '_, Arena>| -> Result<bool, Stop> {
            let (mut nodes, mut edges) = (Vec::new(), Vec::new());
            product.initial(&mut nodes)?;
            let mut seen: FxHashSet<u32> = nodes.iter().copied().collect();
            while let Some(node) = nodes.pop() {
                edges.clear();
                product.successors(node, |_| true, &mut edges)?;
                nodes.extend(edges.iter().map(|e| e.target).filter(|target| seen.insert(*target)));
                if seen.len() >= least {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        Ok(walk(&mut product).ok())
    }
}

/// Draws formulas for all models, and measures the suitable ones. `measure` returns the verdict
/// (violated or not) and the rows of the automaton of the negation, or a reason to skip it. Its
/// last argument says which verdicts have enough formulas.
pub(super) fn run(
    bench: &mut Bench<'_>,
    columns: usize,
    mut measure: impl FnMut(&mut Subject<'_>, &Automaton, [bool; 2]) -> Result<Measured>,
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
        let (space, timeout) = (StateSpace::new(&*system), settings.seconds("timeout")?);
        let mut subject = Subject { system: system.clone(), space, timeout };
        let mut counts = [0; VERDICTS.len()];
        for (drawn, formula) in formulas.generate()?.take(settings.number("drawn")?).enumerate() {
            let full = counts.map(|count| count >= cases);
            if full == [true; 2] {
                break;
            }
            let formula = formula?;
            let key = [name, &drawn.to_string()];
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
                    match measure(&mut subject, &negation, full)? {
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
     formulas that take too long are skipped, with a row";
