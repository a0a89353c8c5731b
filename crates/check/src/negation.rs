//! What a system is checked against: an automaton of the negation of a property, over valuations or
//! over changes of valuations.

use sempre_automata::decompose::{Part, part};
use sempre_automata::{Automaton, reduce};
use sempre_ltl::Formula;
use sempre_testing::{
    ChangeGraph, Kind as TestingKind, PartlyInvariant, Testing, TestingAutomaton, TgtaOptions,
    require_invariance,
};
use sempre_translate::{Kind, Translator};

/// The kind of automaton that a property is checked with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AutomatonKind {
    /// What measurements say is best for the property.
    #[default]
    Auto,
    /// Generalized Büchi acceptance on transitions.
    Tgba,
    /// Büchi acceptance on states.
    Ba,
    /// Deterministic, with any acceptance condition.
    Det,
    /// A [testing automaton](sempre_testing::TestingAutomaton).
    Ta,
    /// A [single-pass testing automaton](sempre_testing::SinglePassTa).
    Sta,
    /// A [transition-based generalized testing automaton](sempre_testing::Tgta).
    Tgta,
    /// The same for properties that are stutter-invariant, and otherwise an automaton that is one
    /// [where the property does not count any more](sempre_testing::PartlyInvariant).
    PartlyTgta,
}

impl AutomatonKind {
    /// All kinds.
    pub const ALL: [AutomatonKind; 8] = [
        AutomatonKind::Auto,
        AutomatonKind::Tgba,
        AutomatonKind::Ba,
        AutomatonKind::Det,
        AutomatonKind::Ta,
        AutomatonKind::Sta,
        AutomatonKind::Tgta,
        AutomatonKind::PartlyTgta,
    ];

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            AutomatonKind::Auto => "auto",
            AutomatonKind::Tgba => "tgba",
            AutomatonKind::Ba => "ba",
            AutomatonKind::Det => "det",
            AutomatonKind::Ta => "ta",
            AutomatonKind::Sta => "sta",
            AutomatonKind::Tgta => "tgta",
            AutomatonKind::PartlyTgta => "partly-tgta",
        }
    }
}

/// How the product with a testing automaton is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passes {
    /// Look in the first pass for cycles without change by a heuristic, which finds most of those
    /// that the components do not show.
    pub heuristic: bool,
    /// Accept any cycle through a state that is livelock-accepting and also Büchi-accepting or
    /// without successors.
    pub sure_cycles: bool,
    /// When a second pass is made.
    pub second: SecondPass,
}

/// When a second pass is made, if the first has found nothing, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecondPass {
    /// Never: enough for single-pass automata.
    Never,
    /// Always, through the whole product.
    Always,
    /// If a livelock-accepting state was visited, through the whole product.
    IfLivelocks,
    /// If a state was visited on whose cycles the first pass cannot decide, among those states only.
    Undecided,
}

impl Passes {
    /// What is best: a second pass through undecided states only.
    pub const BEST: Passes =
        Passes { heuristic: true, sure_cycles: true, second: SecondPass::Undecided };
    /// The check of chapter 3 of the thesis.
    pub const TWO: Passes =
        Passes { heuristic: true, sure_cycles: false, second: SecondPass::Always };
    /// The check of chapter 4, which avoids some second passes.
    pub const AVOIDING: Passes =
        Passes { heuristic: true, sure_cycles: true, second: SecondPass::IfLivelocks };
    /// The check for single-pass automata.
    pub const ONE: Passes =
        Passes { heuristic: false, sure_cycles: true, second: SecondPass::Never };
}

/// An automaton of the negation of a property.
#[derive(Clone, Debug)]
pub enum Negation {
    /// Over valuations, with any acceptance condition.
    Valuations(Automaton),
    /// Over changes, with generalized Büchi acceptance.
    Changes(ChangeGraph),
    /// The same, where stuttering is not a loop at each state.
    PartlyChanges(ChangeGraph),
    /// Over changes, with Büchi and livelock acceptance, to be searched in these passes.
    Livelocks(Box<TestingAutomaton>, Passes),
}

impl From<Automaton> for Negation {
    fn from(automaton: Automaton) -> Self {
        Negation::Valuations(automaton)
    }
}

/// Testing automata are searched in as few passes as they allow.
impl From<Testing> for Negation {
    fn from(automaton: Testing) -> Self {
        match automaton {
            Testing::Ta(ta) => Negation::Livelocks(Box::new(ta), Passes::BEST),
            Testing::Sta(sta) => Negation::Livelocks(Box::new(sta.as_ta().clone()), Passes::ONE),
            Testing::Tgta(tgta) => Negation::Changes(tgta.graph().clone()),
        }
    }
}

impl Negation {
    /// An automaton for the negation of a formula.
    ///
    /// # Errors
    /// If a testing automaton is asked for and there is none: the property is not stutter-invariant,
    /// or there would be too many states.
    pub fn of(formula: &Formula, kind: AutomatonKind) -> Result<Self, sempre_testing::Error> {
        let negation = Formula::not(formula.clone());
        let mut translator = Translator::new();
        let testing = match kind {
            AutomatonKind::Auto | AutomatonKind::Tgba => {
                return Ok(translator.translate(&negation).into());
            }
            AutomatonKind::Ba => return Ok(translator.kind(Kind::Ba).translate(&negation).into()),
            AutomatonKind::Det => {
                return Ok(translator.kind(Kind::Det).translate(&negation).into());
            }
            AutomatonKind::Ta => TestingKind::Ta,
            AutomatonKind::Sta => TestingKind::Sta,
            AutomatonKind::Tgta => TestingKind::Tgta,
            AutomatonKind::PartlyTgta => match require_invariance(formula) {
                Ok(()) => TestingKind::Tgta,
                Err(_) => {
                    let automaton = translator.translate(&negation);
                    let partly = PartlyInvariant::new(&automaton, &TgtaOptions::default())?;
                    return Ok(Negation::PartlyChanges(partly.graph().clone()));
                }
            },
        };
        // A property is invariant if its negation is; the words that show it is not are about the
        // property.
        if kind != AutomatonKind::PartlyTgta {
            require_invariance(formula)?;
        }
        Ok(Testing::of_invariant(&negation, testing, &mut translator)?.into())
    }

    /// The automata of the parts of different strength, which together accept the same words. The
    /// language of a part need not be stutter-invariant, so that it is the automaton over changes
    /// that is taken apart, not the one that it was made of. Testing automata with livelock
    /// acceptance stay whole.
    pub fn parts(&self) -> Vec<Negation> {
        let of_automaton = |automaton: &Automaton| -> Vec<Automaton> {
            Part::ALL
                .iter()
                .map(|strength| reduce::reduce(&part(automaton, *strength), reduce::Level::Medium))
                .filter(|part| part.state_count() > 0 && !part.initial().is_empty())
                .collect()
        };
        let graphs = |graph: &ChangeGraph| {
            let of_part = |part: Automaton| match ChangeGraph::of_differences(&part) {
                Ok(graph) => graph,
                Err(_) => unreachable!("a part has one initial state"),
            };
            of_automaton(&graph.differences()).into_iter().map(of_part)
        };
        match self {
            Negation::Valuations(automaton) => {
                of_automaton(automaton).into_iter().map(Negation::Valuations).collect()
            }
            Negation::Changes(graph) => graphs(graph).map(Negation::Changes).collect(),
            Negation::PartlyChanges(graph) => graphs(graph).map(Negation::PartlyChanges).collect(),
            Negation::Livelocks(..) => vec![self.clone()],
        }
    }

    /// The automaton whose edges are taken, over valuations or changes.
    pub fn automaton(&self) -> &Automaton {
        match self {
            Negation::Valuations(automaton) => automaton,
            Negation::Changes(graph) | Negation::PartlyChanges(graph) => graph.automaton(),
            Negation::Livelocks(testing, _) => testing.graph().automaton(),
        }
    }

    /// The graph over changes, if it is one.
    pub fn changes(&self) -> Option<&ChangeGraph> {
        match self {
            Negation::Valuations(_) => None,
            Negation::Changes(graph) | Negation::PartlyChanges(graph) => Some(graph),
            Negation::Livelocks(testing, _) => Some(testing.graph()),
        }
    }
}
