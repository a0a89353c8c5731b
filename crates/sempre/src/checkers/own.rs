//! The engines of this library as participants, with all their variants, and with deliberate
//! faults.

use super::{Answer, Pair, Participant};
use crate::check::combine::Reduce;
use crate::check::{CheckError, Control, Unsupported, Verdict};
use crate::checker::Checker;
use crate::engines::Settings;
use crate::explicit::emptiness::Check;
use crate::explicit::{Options, SearchOrder, StoreKind};
use crate::hybrid::{self, By};
use crate::ltl::{Formula, Op, transform};
use crate::models::Model;
use crate::symbolic::{self, Fixpoint, Steps};
use crate::testing::AutomatonKind;

/// A fault: the engine gets a different pair from the one in question.
type Fault = fn(&Pair) -> Pair;

/// Deliberate faults, by name: each makes an engine wrong in its own way.
pub const FAULTS: [(&str, Fault); 4] = [
    ("last-successor-missed", |pair| {
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
    }),
    ("next-ignored", |pair| {
        with_formula(pair, |f| match (f.op(), f.children()) {
            (Op::Next, [operand]) => operand.clone(),
            _ => f,
        })
    }),
    ("until-weak", |pair| {
        with_formula(pair, |f| match (f.op(), f.children()) {
            (Op::Until, operands) => Formula::new(Op::WeakUntil, operands.iter().cloned()),
            (Op::Finally, _) => Formula::tt(),
            _ => f,
        })
    }),
    ("globally-once", |pair| {
        with_formula(pair, |f| match (f.op(), f.children()) {
            (Op::Globally, [operand]) => operand.clone(),
            _ => f,
        })
    }),
];

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
        let changed = self.fault.map(|fault| fault(pair));
        let pair = changed.as_ref().unwrap_or(pair);
        let model = Model::from(pair.model().map_err(|error| error.to_string())?);
        let unsupported = |Unsupported(reason): Unsupported| {
            Ok(Answer::Unsupported(reason.lines().next().unwrap_or_default().to_owned()))
        };
        let mut checker = match Checker::new(model).with(self.settings.clone()) {
            Ok(checker) => checker,
            Err(reason) => return unsupported(reason),
        };
        let outcome = match checker.check_formula(&pair.formula, &Control::default()) {
            Ok(outcome) => outcome,
            Err(CheckError::Unsupported(reason)) => return unsupported(reason),
            Err(error) => return Err(error.to_string()),
        };
        match outcome.verdict {
            Verdict::Holds => Ok(Answer::Holds),
            Verdict::Violated => {
                let run = outcome.counterexample().ok_or("there is no counterexample")?;
                let deadlock = self.settings.deadlock;
                run.judge(&*outcome.system, &pair.formula, deadlock).map_err(|e| e.to_string())?;
                Ok(Answer::Violated)
            }
            Verdict::Unknown(reason) => Err(reason.to_string()),
        }
    }
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
    add("decompose".into(), Settings { decompose: true, ..plain });
    all
}
