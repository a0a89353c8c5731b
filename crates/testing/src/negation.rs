//! The automaton of the negated property, over valuations or over changes of valuations.

use crate::error::Error;
use crate::formula::{Kind as TestingKind, Testing};
use crate::graph::ChangeGraph;
use crate::on_demand::OnDemand;
use crate::partly::PartlyInvariant;
use crate::ta::TestingAutomaton;
use crate::tgta::TgtaOptions;
use sempre_automata::decompose::{Part, part_by, reduced_part};
use sempre_automata::strength::{Strengths, Way};
use sempre_automata::{Automaton, convert, determinize, reduce, to_ba};
use sempre_ltl::Formula;
use sempre_translate::{Kind, NegationKind, Translator, require_invariance};

/// The kind of automaton that a property is checked with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AutomatonKind {
    /// The kind with the best measurements for the property.
    #[default]
    Auto,
    /// Generalized Büchi acceptance on transitions.
    Tgba,
    /// Büchi acceptance on states.
    Ba,
    /// Deterministic, with any acceptance condition.
    Det,
    /// A [testing automaton](crate::TestingAutomaton).
    Ta,
    /// A [single-pass testing automaton](crate::SinglePassTa).
    Sta,
    /// A [transition-based generalized testing automaton](crate::Tgta).
    Tgta,
    /// As `Tgta` for stutter-invariant properties; otherwise an automaton that changes to a TGTA
    /// [where its language becomes stutter-invariant](crate::PartlyInvariant).
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

    /// Returns the name in options and output.
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

/// How to search the product with a testing automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passes {
    /// In the first pass, detect cycles without change by a heuristic. It finds most of those that
    /// SCCs miss.
    pub heuristic: bool,
    /// Accept any cycle through a state that is livelock-accepting and also Büchi-accepting or
    /// without successors.
    pub sure_cycles: bool,
    /// When to make a second pass.
    pub second: SecondPass,
}

/// When to make a second pass after a first one without result, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecondPass {
    /// Never; sufficient for single-pass automata.
    Never,
    /// Always, through the whole product.
    Always,
    /// If a livelock-accepting state was visited, through the whole product.
    IfLivelocks,
    /// If the first pass visited states that it cannot decide: among those states only.
    Undecided,
}

impl Passes {
    /// The best choice: a second pass through undecided states only.
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
    /// Over changes, without a stuttering self-loop at each state.
    PartlyChanges(ChangeGraph),
    /// Over changes, with Büchi and livelock acceptance, and the passes of its search.
    Livelocks(Box<TestingAutomaton>, Passes),
    /// A testing automaton that is built during the product.
    OnDemand(Box<OnDemand>),
}

impl From<Automaton> for Negation {
    fn from(automaton: Automaton) -> Self {
        Negation::Valuations(automaton)
    }
}

/// Uses as few passes as the testing automaton allows.
impl From<Testing> for Negation {
    fn from(automaton: Testing) -> Self {
        match automaton {
            Testing::Ta(ta) => Negation::Livelocks(Box::new(ta), Passes::BEST),
            Testing::Sta(sta) => Negation::Livelocks(Box::new(sta.as_ta().clone()), Passes::ONE),
            Testing::Tgta(tgta) => Negation::Changes(tgta.graph().clone()),
            Testing::ExplicitTa(ta) => Negation::PartlyChanges(ta.graph().clone()),
            Testing::ExplicitTgta(tgta) => Negation::PartlyChanges(tgta.graph().clone()),
        }
    }
}

impl NegationKind for AutomatonKind {
    type Negation = Negation;
    type Error = Error;

    fn of_formula(self, property: &Formula) -> Result<Negation, Error> {
        let negation = Formula::not(property.clone());
        let mut translator = Translator::new();
        let testing = match self {
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
            AutomatonKind::PartlyTgta => match require_invariance(property) {
                Ok(()) => TestingKind::Tgta,
                Err(_) => {
                    let automaton = translator.translate(&negation);
                    let partly = PartlyInvariant::new(&automaton, &TgtaOptions::default())?;
                    return Ok(Negation::PartlyChanges(partly.graph().clone()));
                }
            },
        };
        // A property is invariant iff its negation is. The error shows words of the property.
        if self.requires_invariance() {
            require_invariance(property)?;
        }
        Ok(Testing::of_invariant(&negation, testing, &mut translator)?.into())
    }

    /// Converts an automaton of the erroneous behaviours. `Auto` takes it unchanged.
    fn of_automaton(self, erroneous: &Automaton) -> Result<Negation, Error> {
        let generalized = || convert::to_generalized_buchi(erroneous).into_automaton();
        let testing = |kind| Testing::of_automaton(&generalized(), kind).map(Negation::from);
        Ok(match self {
            AutomatonKind::Auto => erroneous.clone().into(),
            AutomatonKind::Tgba => generalized().into(),
            AutomatonKind::Ba => to_ba::to_ba(erroneous).into(),
            AutomatonKind::Det if erroneous.is_deterministic() => erroneous.clone().into(),
            AutomatonKind::Det => determinize::parity(erroneous).into(),
            AutomatonKind::Ta => testing(TestingKind::Ta)?,
            AutomatonKind::Sta => testing(TestingKind::Sta)?,
            AutomatonKind::Tgta => testing(TestingKind::Tgta)?,
            AutomatonKind::PartlyTgta => {
                let partly = PartlyInvariant::new(&generalized(), &TgtaOptions::default())?;
                Negation::PartlyChanges(partly.graph().clone())
            }
        })
    }

    fn requires_invariance(self) -> bool {
        matches!(self, AutomatonKind::Ta | AutomatonKind::Sta | AutomatonKind::Tgta)
    }

    fn over_valuations(self) -> Option<Kind> {
        match self {
            AutomatonKind::Auto | AutomatonKind::Tgba => Some(Kind::Tgba),
            AutomatonKind::Ba => Some(Kind::Ba),
            AutomatonKind::Det => Some(Kind::Det),
            AutomatonKind::Ta
            | AutomatonKind::Sta
            | AutomatonKind::Tgta
            | AutomatonKind::PartlyTgta => None,
        }
    }

    fn valuations(negation: &Negation) -> Option<&Automaton> {
        match negation {
            Negation::Valuations(automaton) => Some(automaton),
            _ => None,
        }
    }
}

/// A kind of testing automata that are built during the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InProduct(TestingKind);

impl AutomatonKind {
    /// Returns the same kind, built during the product; `None` if that is impossible.
    pub fn in_product(self) -> Option<InProduct> {
        match self {
            AutomatonKind::Ta => Some(InProduct(TestingKind::Ta)),
            AutomatonKind::Sta => Some(InProduct(TestingKind::Sta)),
            AutomatonKind::Tgta => Some(InProduct(TestingKind::Tgta)),
            _ => None,
        }
    }
}

impl NegationKind for InProduct {
    type Negation = Negation;
    type Error = Error;

    fn of_formula(self, property: &Formula) -> Result<Negation, Error> {
        require_invariance(property)?;
        self.of_automaton(&Translator::new().translate(&Formula::not(property.clone())))
    }

    fn of_automaton(self, erroneous: &Automaton) -> Result<Negation, Error> {
        let generalized = convert::to_generalized_buchi(erroneous).into_automaton();
        Ok(Negation::OnDemand(Box::new(OnDemand::new(&generalized, self.0)?)))
    }

    fn requires_invariance(self) -> bool {
        true
    }

    fn over_valuations(self) -> Option<Kind> {
        None
    }

    fn valuations(_: &Negation) -> Option<&Automaton> {
        None
    }
}

/// A kind of automata that are to be split by their strengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SplitKind {
    kind: AutomatonKind,
    /// True if states must be named by formulas for their languages.
    has_names: bool,
}

impl AutomatonKind {
    /// Returns this kind, with states as a method needs them that finds their strengths.
    pub fn to_split(self, way: Option<Way>) -> SplitKind {
        SplitKind { kind: self, has_names: way == Some(Way::Syntactic) }
    }
}

impl NegationKind for SplitKind {
    type Negation = Negation;
    type Error = Error;

    fn of_formula(self, property: &Formula) -> Result<Negation, Error> {
        match (self.has_names, self.kind) {
            (false, kind) => kind.of_formula(property),
            (true, AutomatonKind::Auto | AutomatonKind::Tgba) => {
                let negation = Formula::not(property.clone());
                Ok(Translator::new().names(true).translate(&negation).into())
            }
            (true, kind) => Err(Error::Unnamed(kind.name())),
        }
    }

    fn of_automaton(self, erroneous: &Automaton) -> Result<Negation, Error> {
        match self.has_names {
            false => self.kind.of_automaton(erroneous),
            true => Err(Error::Unnamed("given")),
        }
    }

    fn requires_invariance(self) -> bool {
        self.kind.requires_invariance()
    }

    fn over_valuations(self) -> Option<Kind> {
        // Refined automata would lose the names.
        self.kind.over_valuations().filter(|_| !self.has_names)
    }

    fn valuations(negation: &Negation) -> Option<&Automaton> {
        AutomatonKind::valuations(negation)
    }
}

impl Negation {
    /// Makes an automaton of the negation of a formula.
    ///
    /// # Errors
    /// If a testing automaton is requested but none exists: the property is not stutter-invariant,
    /// or the automaton would have too many states.
    pub fn of(formula: &Formula, kind: AutomatonKind) -> Result<Self, Error> {
        kind.of_formula(formula)
    }

    /// Returns automata of the parts of different strength, the weakest first; their union has the
    /// same language. Strengths are found by a method; [`Way::Syntactic`] needs states with
    /// [names](AutomatonKind::to_split). The language of a part need not be stutter-invariant, so this
    /// splits the automaton over changes, not its source.
    ///
    /// # Errors
    /// If this is a testing automaton with livelock acceptance: it cannot be split.
    pub fn parts(&self, way: Way) -> Result<Vec<(Part, Negation)>, Error> {
        let of = |automaton: &Automaton, made: &dyn Fn(&Strengths, Part) -> Automaton| {
            let strengths = Strengths::by(automaton, way);
            let parts = Part::ALL.map(|part| (part, made(&strengths, part)));
            let is_needed = |automaton: &Automaton| {
                automaton.state_count() > 0 && !automaton.initial().is_empty()
            };
            parts.into_iter().filter(|(_, automaton)| is_needed(automaton)).collect::<Vec<_>>()
        };
        let of_changes = |graph: &ChangeGraph, wrap: fn(ChangeGraph) -> Negation| {
            let differences = graph.differences();
            // Deterministic automata may lack the loops of stuttering, so these are not minimized.
            let made = |strengths: &Strengths, part| {
                reduce::reduce(&part_by(&differences, strengths, part), reduce::Level::Medium)
            };
            let graphs = of(&differences, &made).into_iter().map(|(strength, automaton)| {
                match ChangeGraph::of_differences(&automaton) {
                    Ok(graph) => (strength, wrap(graph)),
                    Err(_) => unreachable!("a part has one initial state"),
                }
            });
            graphs.collect()
        };
        Ok(match self {
            Negation::Valuations(automaton) => {
                let made = |strengths: &Strengths, part| reduced_part(automaton, strengths, part);
                let parts = of(automaton, &made).into_iter();
                parts.map(|(strength, made)| (strength, made.into())).collect()
            }
            Negation::Changes(graph) => of_changes(graph, Negation::Changes),
            Negation::PartlyChanges(graph) => of_changes(graph, Negation::PartlyChanges),
            Negation::Livelocks(..) | Negation::OnDemand(_) => return Err(Error::Unsplit),
        })
    }

    /// Returns the automaton over valuations or changes; over valuations if it is built on demand.
    pub fn automaton(&self) -> &Automaton {
        match self {
            Negation::Valuations(automaton) => automaton,
            Negation::Changes(graph) | Negation::PartlyChanges(graph) => graph.automaton(),
            Negation::Livelocks(testing, _) => testing.graph().automaton(),
            Negation::OnDemand(testing) => testing.automaton(),
        }
    }

    /// Returns the graph over changes, if this is a whole automaton over changes.
    pub fn changes(&self) -> Option<&ChangeGraph> {
        match self {
            Negation::Valuations(_) | Negation::OnDemand(_) => None,
            Negation::Changes(graph) | Negation::PartlyChanges(graph) => Some(graph),
            Negation::Livelocks(testing, _) => Some(testing.graph()),
        }
    }
}
