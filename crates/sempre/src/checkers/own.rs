//! The engines of this library as participants, with all their variants, and with deliberate
//! faults.

use super::{Answer, Pair, Participant};
use crate::automata::strength::Way;
use crate::automata::{Marks, Named};
use crate::check::combine::Reduce;
use crate::check::{
    AutomatonProperty, Behaviours, CheckError, Control, Deadlock, Property, Unsupported, Verdict,
};
use crate::checker::Checker;
use crate::engines::Settings;
use crate::explicit::emptiness::Check;
use crate::explicit::{Options, SearchOrder, StoreKind};
use crate::hybrid::{self, By};
use crate::ltl::{Formula, Op, transform};
use crate::models::Model;
use crate::symbolic::{self, Fixpoint, Steps};
use crate::testing::AutomatonKind;
use crate::translate::Translator;

/// A deliberate fault of an engine.
#[derive(Clone, Copy)]
pub enum Fault {
    /// It gets a different pair from the one in question.
    Question(fn(&Pair) -> Pair),
    /// A state that is its only successor ends a run, and such runs do not count.
    Ends,
    /// It searches with an automaton of the negation that has lost its acceptance marks.
    Marks,
    /// It overlooks cycles of a single step.
    SelfLoops,
}

/// Deliberate faults, by name: each makes an engine wrong in its own way.
pub const FAULTS: [(&str, Fault); 7] = [
    ("last-successor-missed", Fault::Question(last_successor_missed)),
    ("next-ignored", Fault::Question(next_ignored)),
    ("until-weak", Fault::Question(until_weak)),
    ("globally-once", Fault::Question(globally_once)),
    ("ends-ignored", Fault::Ends),
    ("marks-lost", Fault::Marks),
    ("self-loops-missed", Fault::SelfLoops),
];

/// Leaves out the last successor of each state that has several.
fn last_successor_missed(pair: &Pair) -> Pair {
    let of = &pair.structure;
    let labels = of.states().map(|state| of.label(state)).collect();
    let edges = of.states().flat_map(|state| {
        let targets = of.successors(state);
        let visited = targets.len().saturating_sub(1).max(1);
        targets[..visited].iter().map(move |target| (state.index(), target.index()))
    });
    let edges: Vec<_> = edges.collect();
    let initial = of.initial().index();
    let structure = crate::automata::Kripke::new(of.alphabet().clone(), labels, edges, initial);
    Pair { structure: structure.unwrap_or_else(|_| of.clone()), formula: pair.formula.clone() }
}

fn next_ignored(pair: &Pair) -> Pair {
    with_formula(pair, |f| match (f.op(), f.children()) {
        (Op::Next, [operand]) => operand.clone(),
        _ => f,
    })
}

fn until_weak(pair: &Pair) -> Pair {
    with_formula(pair, |f| match (f.op(), f.children()) {
        (Op::Until, operands) => Formula::new(Op::WeakUntil, operands.iter().cloned()),
        (Op::Finally, _) => Formula::tt(),
        _ => f,
    })
}

fn globally_once(pair: &Pair) -> Pair {
    with_formula(pair, |f| match (f.op(), f.children()) {
        (Op::Globally, [operand]) => operand.clone(),
        _ => f,
    })
}

fn with_formula(pair: &Pair, change: impl FnMut(Formula) -> Formula) -> Pair {
    Pair { structure: pair.structure.clone(), formula: transform(&pair.formula, change) }
}

/// An engine with settings.
pub struct OwnEngine {
    name: String,
    settings: Settings,
    fault: Option<Fault>,
}

impl OwnEngine {
    /// Makes a participant of an engine with these settings.
    pub fn new(name: impl Into<String>, settings: Settings) -> Self {
        OwnEngine { name: name.into(), settings, fault: None }
    }

    /// Gives the engine a deliberate fault, by name; `None` if there is no such fault.
    pub fn with_fault(mut self, fault: &str) -> Option<Self> {
        let (name, change) = FAULTS.into_iter().find(|(name, _)| *name == fault)?;
        self.name = format!("{} fault:{name}", self.name);
        self.fault = Some(change);
        Some(self)
    }
}

impl Participant for OwnEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&self, pair: &Pair) -> Result<Answer, String> {
        let changed = match self.fault {
            Some(Fault::Question(change)) => Some(change(pair)),
            _ => None,
        };
        let pair = changed.as_ref().unwrap_or(pair);
        let mut settings = self.settings.clone();
        let model = match self.fault {
            Some(Fault::Ends) => {
                settings.deadlock = Deadlock::Ignore;
                let structure = &pair.structure;
                pair.model_with(|state, target| {
                    state != target || structure.successors(state).len() > 1
                })
            }
            _ => pair.model(),
        };
        let model = Model::from(model.map_err(|error| error.to_string())?);
        let property = match self.fault {
            Some(Fault::Marks) => without_marks(&pair.formula),
            _ => pair.formula.clone().into(),
        };
        let unsupported = |Unsupported(reason): Unsupported| {
            Ok(Answer::Unsupported(reason.lines().next().unwrap_or_default().to_owned()))
        };
        let deadlock = settings.deadlock;
        let mut checker = match Checker::new(model).with(settings) {
            Ok(checker) => checker,
            Err(reason) => return unsupported(reason),
        };
        let outcome = match checker.check_property(&property, &Control::default()) {
            Ok(outcome) => outcome,
            Err(CheckError::Unsupported(reason)) => return unsupported(reason),
            Err(error) => return Err(error.to_string()),
        };
        match outcome.verdict {
            Verdict::Holds => Ok(Answer::Holds),
            Verdict::Violated => {
                let run = outcome.counterexample().ok_or("there is no counterexample")?;
                if matches!(self.fault, Some(Fault::SelfLoops)) && run.cycle.len() == 1 {
                    return Ok(Answer::Holds);
                }
                run.judge(&*outcome.system, &pair.formula, deadlock).map_err(|e| e.to_string())?;
                Ok(Answer::Violated)
            }
            Verdict::Unknown(reason) => Err(reason.to_string()),
        }
    }
}

/// Returns the formula as an automaton of its negation that accepts all infinite runs.
fn without_marks(formula: &Formula) -> Property {
    let automaton = Translator::new().translate(&Formula::not(formula));
    let mut changed = automaton.edit();
    changed.acceptance(Named::All.acceptance()).retain_edges(|_, edge| {
        edge.marks = Marks::EMPTY;
        true
    });
    AutomatonProperty::new(changed.build(), Behaviours::Erroneous).into()
}

/// Returns the settings to test with an engine, each with a name; the first are the default ones.
pub fn variants(engine: &'static str) -> Vec<(String, Settings)> {
    let plain = Settings { engine, ..Settings::default() };
    let mut all = vec![(engine.to_owned(), plain.clone())];
    let mut add =
        |name: String, settings: Settings| all.push((format!("{engine} {name}"), settings));
    if engine == "explicit" {
        for kind in AutomatonKind::ALL {
            for (name, check) in Check::ALL {
                let explicit = Options { emptiness: Some(check), ..Options::default() };
                let name = format!("{name} {}", kind.name());
                add(name, Settings { automaton: kind, explicit, ..plain.clone() });
            }
            add(kind.name().to_owned(), Settings { automaton: kind, ..plain.clone() });
        }
        let with = |explicit| Settings { explicit, ..plain.clone() };
        add("shortest".into(), with(Options { shortest: true, ..Options::default() }));
        for threads in [1, 2, 3] {
            let order = SearchOrder::LevelByLevel { threads };
            add(format!("{threads} by levels"), with(Options { order, ..Options::default() }));
        }
        add("tree".into(), Settings { store: StoreKind::Tree, ..plain.clone() });
    }
    if engine == "symbolic" {
        let kinds = [AutomatonKind::Tgba, AutomatonKind::Tgta];
        for (automaton, (steps_name, steps)) in
            kinds.into_iter().flat_map(|kind| Steps::ALL.map(|steps| (kind, steps)))
        {
            for saturate in [true, false] {
                let fixpoints = Fixpoint::ALL.map(|(name, fixpoint)| (name, Some(fixpoint)));
                for (name, fixpoint) in fixpoints.into_iter().chain([("auto", None)]) {
                    let default = symbolic::Options::default();
                    let symbolic = symbolic::Options { fixpoint, steps, saturate, ..default };
                    let order = if saturate { "saturation" } else { "layers" };
                    let name = format!("{name} {steps_name} {order} {}", automaton.name());
                    add(name, Settings { symbolic, automaton, ..plain.clone() });
                }
            }
        }
    }
    if ["sog", "sop", "slap"].contains(&engine) {
        for automaton in [AutomatonKind::Tgba, AutomatonKind::Tgta] {
            for (name, check) in Check::ALL {
                let explicit = Options { emptiness: Some(check), ..Options::default() };
                let name = format!("{name} {}", automaton.name());
                add(name, Settings { automaton, explicit, ..plain.clone() });
            }
        }
        add("both".into(), Settings { both_automata: true, ..plain.clone() });
    }
    if engine == "sog" {
        let by = By::Transition;
        let hybrid = hybrid::Options { by, ..hybrid::Options::default() };
        add("by transition".into(), Settings { hybrid, ..plain.clone() });
    }
    for reduce in [Reduce::On, Reduce::Off] {
        add(format!("reduce {}", reduce.name()), Settings { reduce, ..plain.clone() });
    }
    add("decompose".into(), Settings { decompose: Some(Way::Inherent), ..plain });
    all
}
