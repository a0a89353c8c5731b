//! Testing automata of formulas. The property is checked for stutter-invariance, translated to a
//! (generalized) Büchi automaton, and that to a testing automaton.

use crate::draw::Drawing;
use crate::error::Error;
use crate::graph::ChangeGraph;
use crate::sta::{Handover, SinglePassTa};
use crate::ta::{ExplicitTa, TaOptions, TestingAutomaton};
use crate::tgta::{ExplicitTgta, Tgta, TgtaOptions};
use crate::unfold::Observed;
use sempre_automata::degeneralize::{Degeneralizer, Jump, Placement};
use sempre_automata::{Automaton, GeneralizedBuchi, Headers, Marks, Sccs};
use sempre_ltl::Formula;
use sempre_translate::{Translator, require_invariance};
use std::fmt;

/// The kinds of testing automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// [`TestingAutomaton`].
    Ta,
    /// [`SinglePassTa`].
    Sta,
    /// [`SinglePassTa`] in which no livelock-accepting state has successors.
    StrictSta,
    /// [`Tgta`].
    Tgta,
    /// [`ExplicitTa`], the step before a testing automaton.
    ExplicitTa,
    /// [`ExplicitTgta`], the step before a TGTA.
    ExplicitTgta,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::Ta, Kind::Sta, Kind::StrictSta, Kind::Tgta, Kind::ExplicitTa, Kind::ExplicitTgta];

    /// Returns the name in options and output.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Ta => "ta",
            Kind::Sta => "sta",
            Kind::StrictSta => "sta-strict",
            Kind::Tgta => "tgta",
            Kind::ExplicitTa => "0-ta",
            Kind::ExplicitTgta => "0-tgta",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The HOA header that names the kind of a testing automaton.
const HEADER: &str = "testing";

/// A testing automaton of some kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Testing {
    /// Büchi and livelock acceptance.
    Ta(TestingAutomaton),
    /// The same in a form for which one search suffices.
    Sta(SinglePassTa),
    /// Generalized Büchi acceptance on transitions.
    Tgta(Tgta),
    /// Büchi acceptance, with explicit stuttering.
    ExplicitTa(ExplicitTa),
    /// Generalized Büchi acceptance on transitions, with explicit stuttering.
    ExplicitTgta(ExplicitTgta),
}

/// A step of a construction: an automaton over valuations, or one over changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The automaton of the formula, with generalized Büchi or Büchi acceptance.
    Plain(Automaton),
    /// A later step.
    Testing(Testing),
}

/// The reductions of a construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reductions {
    /// All.
    #[default]
    All,
    /// Those of the thesis: merging bisimilar states.
    Thesis,
}

impl Reductions {
    fn ta(self) -> TaOptions {
        match self {
            Reductions::All => TaOptions::default(),
            Reductions::Thesis => TaOptions::THESIS,
        }
    }

    fn tgta(self) -> TgtaOptions {
        match self {
            Reductions::All => TgtaOptions::default(),
            Reductions::Thesis => TgtaOptions::THESIS,
        }
    }

    fn handover(self, kind: Kind) -> Handover {
        match (self, kind) {
            (_, Kind::StrictSta) => Handover::All,
            (Reductions::All, _) => Handover::default(),
            (Reductions::Thesis, _) => Handover::NotBuchi,
        }
    }
}

impl Testing {
    /// Translates a formula, with all reductions. The translator must produce generalized Büchi
    /// automata, its default.
    ///
    /// # Errors
    /// If the property is not stutter-invariant, or there would be too many states.
    pub fn new(formula: &Formula, kind: Kind, translator: &mut Translator) -> Result<Self, Error> {
        require_invariance(formula)?;
        Testing::of_invariant(formula, kind, translator)
    }

    /// As [`Testing::new`], for a formula that is known to be stutter-invariant.
    ///
    /// # Errors
    /// If there would be too many states.
    pub fn of_invariant(
        formula: &Formula,
        kind: Kind,
        translator: &mut Translator,
    ) -> Result<Self, Error> {
        match kind {
            Kind::Tgta => {
                Tgta::of_formula(formula, translator, &TgtaOptions::default()).map(Testing::Tgta)
            }
            _ => Testing::of_automaton(&translator.translate(formula), kind),
        }
    }

    /// Returns the steps of the construction, from the automaton over valuations to the result, each
    /// with its name.
    ///
    /// ```
    /// use sempre_testing::{Kind, Reductions, Testing};
    /// use sempre_translate::Translator;
    /// let formula = "a U G b".parse()?;
    /// let stages = Testing::stages(&formula, Kind::Ta, Reductions::Thesis, &mut Translator::new());
    /// let stages = stages.unwrap();
    /// let names: Vec<&str> = stages.iter().map(|(name, _)| *name).collect();
    /// assert_eq!(names, ["BA", "∅-TA", "TA", "TA, bisimilar states merged"]);
    /// # Ok::<(), sempre_ltl::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Testing::new`].
    pub fn stages(
        formula: &Formula,
        kind: Kind,
        reductions: Reductions,
        translator: &mut Translator,
    ) -> Result<Vec<(&'static str, Stage)>, Error> {
        require_invariance(formula)?;
        let mut automaton = translator.translate(formula);
        if reductions == Reductions::Thesis {
            automaton = marked_between_components(&automaton);
        }
        if matches!(kind, Kind::Tgta | Kind::ExplicitTgta) {
            let options = reductions.tgta();
            let explicit = ExplicitTgta::new(&automaton, options.observed)?.trimmed();
            let mut stages = vec![("TGBA", Stage::Plain(automaton.clone()))];
            stages.push(("∅-TGTA", Stage::Testing(Testing::ExplicitTgta(explicit.clone()))));
            if kind == Kind::Tgta {
                let unmerged = TgtaOptions { bisimulation: false, simulation: false, ..options };
                let tgta = Tgta::new(&automaton, &unmerged)?;
                stages.push(("TGTA", Stage::Testing(Testing::Tgta(tgta))));
                let merged = Testing::Tgta(Tgta::new(&automaton, &options)?);
                stages.push(("TGTA, bisimilar states merged", Stage::Testing(merged)));
            }
            return Ok(stages);
        }
        let generalized = GeneralizedBuchi::of(&automaton);
        let generalized = generalized.map_err(|_| Error::Acceptance("generalized Büchi"))?;
        // As published: the smaller result of two ways to a Büchi automaton.
        let degeneralizers = [Degeneralizer::default(), Degeneralizer::plain().jump(Jump::Always)];
        let options = reductions.ta();
        let mut smallest: Option<((usize, u128), Automaton)> = None;
        for degeneralizer in degeneralizers {
            let buchi = degeneralizer.state_based(&generalized);
            let ta = TestingAutomaton::new(&buchi, &options)?;
            let size = (ta.state_count(), ta.transition_count());
            if smallest.as_ref().is_none_or(|(least, _)| size < *least) {
                smallest = Some((size, buchi));
            }
        }
        let (_, buchi) = smallest.unwrap_or_else(|| unreachable!("there are two ways"));
        let explicit = ExplicitTa::new(&buchi, options.observed)?;
        let mut stages = vec![("BA", Stage::Plain(buchi))];
        stages.push(("∅-TA", Stage::Testing(Testing::ExplicitTa(explicit.clone()))));
        if kind != Kind::ExplicitTa {
            let ta = explicit.livelocks(&options).trimmed();
            stages.push(("TA", Stage::Testing(Testing::Ta(ta.clone()))));
            let merged = ta.merged();
            stages
                .push(("TA, bisimilar states merged", Stage::Testing(Testing::Ta(merged.clone()))));
            if matches!(kind, Kind::Sta | Kind::StrictSta) {
                let sta = SinglePassTa::new(&merged, reductions.handover(kind));
                let sta = if reductions == Reductions::All { sta.merged() } else { sta };
                stages.push(("STA", Stage::Testing(Testing::Sta(sta))));
            }
        }
        Ok(stages)
    }

    /// As [`Testing::new`], with the reductions of the thesis only: the automata have the published
    /// sizes.
    ///
    /// # Errors
    /// As for [`Testing::new`].
    pub fn thesis(
        formula: &Formula,
        kind: Kind,
        translator: &mut Translator,
    ) -> Result<Self, Error> {
        let stages = Testing::stages(formula, kind, Reductions::Thesis, translator)?;
        let last = stages.into_iter().next_back();
        match last {
            Some((_, Stage::Testing(testing))) => Ok(testing),
            _ => unreachable!("the last stage is a testing automaton"),
        }
    }

    /// Converts a generalized Büchi automaton, whose language must be stutter-invariant.
    ///
    /// # Errors
    /// If the acceptance condition is not generalized Büchi, or there would be too many states.
    pub fn of_automaton(automaton: &Automaton, kind: Kind) -> Result<Self, Error> {
        Ok(match kind {
            Kind::Ta => smallest(automaton, Testing::Ta)?,
            Kind::Sta | Kind::StrictSta => smallest(automaton, |ta| {
                let handover = Reductions::All.handover(kind);
                Testing::Sta(SinglePassTa::new(&ta, handover).merged())
            })?,
            Kind::Tgta => Testing::Tgta(Tgta::new(automaton, &TgtaOptions::default())?),
            Kind::ExplicitTgta => {
                let explicit = ExplicitTgta::new(automaton, Observed::Reachable)?;
                Testing::ExplicitTgta(explicit.trimmed())
            }
            Kind::ExplicitTa => {
                let generalized = GeneralizedBuchi::of(automaton);
                let generalized =
                    generalized.map_err(|_| Error::Acceptance("generalized Büchi"))?;
                let buchi = Degeneralizer::default().state_based(&generalized);
                Testing::ExplicitTa(ExplicitTa::new(&buchi, Observed::Reachable)?)
            }
        })
    }

    /// Sets the name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        match &mut self {
            Testing::Ta(ta) => ta.0.set_name(name),
            Testing::Sta(sta) => sta.0.0.set_name(name),
            Testing::Tgta(tgta) => tgta.0.set_name(name),
            Testing::ExplicitTa(ta) => ta.0.set_name(name),
            Testing::ExplicitTgta(tgta) => tgta.0.set_name(name),
        }
        self
    }

    /// Returns the kind; a strict STA is an STA.
    pub fn kind(&self) -> Kind {
        match self {
            Testing::Ta(_) => Kind::Ta,
            Testing::Sta(_) => Kind::Sta,
            Testing::Tgta(_) => Kind::Tgta,
            Testing::ExplicitTa(_) => Kind::ExplicitTa,
            Testing::ExplicitTgta(_) => Kind::ExplicitTgta,
        }
    }

    /// Returns the graph: states, edges over changes, initial valuations.
    pub fn graph(&self) -> &ChangeGraph {
        match self {
            Testing::Ta(ta) => ta.graph(),
            Testing::Sta(sta) => sta.as_ta().graph(),
            Testing::Tgta(tgta) => tgta.graph(),
            Testing::ExplicitTa(ta) => ta.graph(),
            Testing::ExplicitTgta(tgta) => tgta.graph(),
        }
    }

    /// Returns the number of edges, without the stuttering self-loops.
    pub fn edge_count(&self) -> usize {
        match self {
            Testing::Ta(ta) => ta.edges().count(),
            Testing::Sta(sta) => sta.as_ta().edges().count(),
            _ => self.graph().automaton().edge_count(),
        }
    }

    /// Returns the number of transitions, one for each change on an edge.
    pub fn transition_count(&self) -> u128 {
        match self {
            Testing::Ta(ta) => ta.transition_count(),
            Testing::Sta(sta) => sta.transition_count(),
            Testing::Tgta(tgta) => tgta.transition_count(),
            Testing::ExplicitTa(_) | Testing::ExplicitTgta(_) => {
                let graph = self.graph();
                graph
                    .automaton()
                    .edges()
                    .iter()
                    .map(|edge| graph.alphabet().count(edge.label))
                    .sum()
            }
        }
    }

    /// Returns the value of the header; names there begin with a letter.
    fn header(&self) -> &'static str {
        match self.kind() {
            Kind::ExplicitTa => "explicit-ta",
            Kind::ExplicitTgta => "explicit-tgta",
            kind => kind.name(),
        }
    }

    /// Converts to an automaton over differences of words, for HOA, with a header for the kind. See
    /// `docs/testing-automata.md`.
    pub fn to_differences(&self) -> Automaton {
        let mut builder = self.graph().differences().edit();
        builder.headers(Headers {
            others: vec![(HEADER.into(), self.header().into())],
            ..Headers::default()
        });
        builder.build()
    }

    /// Converts the automaton of [`Testing::to_differences`] back.
    ///
    /// # Errors
    /// If the header is missing, or the automaton does not have the kind in the header.
    pub fn of_differences(automaton: &Automaton) -> Result<Self, Error> {
        let headers = &automaton.headers().others;
        let header = headers.iter().find(|(name, _)| name == HEADER).map(|(_, value)| &**value);
        match header {
            Some("ta") => TestingAutomaton::of_differences(automaton).map(Testing::Ta),
            Some("sta") => SinglePassTa::of_differences(automaton).map(Testing::Sta),
            Some("tgta") => Tgta::of_differences(automaton).map(Testing::Tgta),
            Some("explicit-ta") => ExplicitTa::of_differences(automaton).map(Testing::ExplicitTa),
            Some("explicit-tgta") => {
                ExplicitTgta::of_differences(automaton).map(Testing::ExplicitTgta)
            }
            Some(other) => Err(Error::Malformed(format!("there is no kind {other:?}"))),
            None => Err(Error::Malformed(format!("the header `{HEADER}:` is missing"))),
        }
    }

    /// Returns the drawing of the automaton.
    pub fn drawing(&self) -> Drawing {
        match self {
            Testing::Ta(ta) => ta.drawing(),
            Testing::Sta(sta) => sta.as_ta().drawing(),
            Testing::Tgta(tgta) => tgta.drawing(),
            Testing::ExplicitTa(ta) => ta.drawing(),
            Testing::ExplicitTgta(tgta) => tgta.drawing(),
        }
    }
}

/// Gives edges between components all marks, as tableaux do where they fulfil a promise. No run
/// sees the difference, but the published sizes depend on it.
fn marked_between_components(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of_all(automaton);
    let all = Marks::all(automaton.acceptance().marks());
    let mut builder = automaton.edit();
    builder.retain_edges(|source, edge| {
        if sccs.component(source) != sccs.component(edge.target) {
            edge.marks = all.clone();
        }
        true
    });
    builder.build()
}

/// Returns the smaller of two testing automata: from the smallest Büchi automaton, and from one
/// whose edges climb all levels of their marks in one step.
fn smallest(
    automaton: &Automaton,
    make: impl Fn(TestingAutomaton) -> Testing,
) -> Result<Testing, Error> {
    let jumping = Degeneralizer::default().jump(Jump::Always).placement(Placement::ExtraLevel);
    let generalized = GeneralizedBuchi::of(automaton);
    let generalized = generalized.map_err(|_| Error::Acceptance("generalized Büchi"))?;
    let mut smallest: Option<Testing> = None;
    for degeneralizer in [Degeneralizer::default(), jumping] {
        let buchi = degeneralizer.state_based(&generalized);
        let size = |made: &Testing| (made.graph().state_count(), made.transition_count());
        let made = make(TestingAutomaton::new(&buchi, &TaOptions::default())?);
        if smallest.as_ref().is_none_or(|smallest| size(&made) < size(smallest)) {
            smallest = Some(made);
        }
    }
    Ok(smallest.unwrap_or_else(|| unreachable!("there are two ways")))
}
