//! Testing automata of formulas. The property is checked for stutter-invariance, translated to a
//! (generalized) Büchi automaton, and that to a testing automaton.

use crate::draw::Drawing;
use crate::error::Error;
use crate::graph::ChangeGraph;
use crate::sta::{Handover, SinglePassTa};
use crate::ta::{TaOptions, TestingAutomaton};
use crate::tgta::{Tgta, TgtaOptions};
use sempre_automata::degeneralize::{Degeneralizer, Jump, Placement};
use sempre_automata::stutter::{self, Invariance};
use sempre_automata::{Automaton, GeneralizedBuchi, Headers};
use sempre_ltl::{Formula, Traits};
use sempre_translate::Translator;
use std::fmt;

/// The kinds of testing automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// [`TestingAutomaton`].
    Ta,
    /// [`SinglePassTa`].
    Sta,
    /// [`Tgta`].
    Tgta,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Ta, Kind::Sta, Kind::Tgta];

    /// Returns the name in options and output.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Ta => "ta",
            Kind::Sta => "sta",
            Kind::Tgta => "tgta",
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

    /// Converts a generalized Büchi automaton, whose language must be stutter-invariant.
    ///
    /// # Errors
    /// If the acceptance condition is not generalized Büchi, or there would be too many states.
    pub fn of_automaton(automaton: &Automaton, kind: Kind) -> Result<Self, Error> {
        Ok(match kind {
            Kind::Ta => smallest(automaton, Testing::Ta)?,
            Kind::Sta => smallest(automaton, |ta| {
                Testing::Sta(SinglePassTa::new(&ta, Handover::default()).merged())
            })?,
            Kind::Tgta => Testing::Tgta(Tgta::new(automaton, &TgtaOptions::default())?),
        })
    }

    /// Sets the name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        match &mut self {
            Testing::Ta(ta) => ta.0.set_name(name),
            Testing::Sta(sta) => sta.0.0.set_name(name),
            Testing::Tgta(tgta) => tgta.0.set_name(name),
        }
        self
    }

    /// Returns the kind.
    pub fn kind(&self) -> Kind {
        match self {
            Testing::Ta(_) => Kind::Ta,
            Testing::Sta(_) => Kind::Sta,
            Testing::Tgta(_) => Kind::Tgta,
        }
    }

    /// Returns the graph: states, edges over changes, initial valuations.
    pub fn graph(&self) -> &ChangeGraph {
        match self {
            Testing::Ta(ta) => ta.graph(),
            Testing::Sta(sta) => sta.as_ta().graph(),
            Testing::Tgta(tgta) => tgta.graph(),
        }
    }

    /// Returns the number of edges, without the stuttering self-loops.
    pub fn edge_count(&self) -> usize {
        match self {
            Testing::Ta(ta) => ta.edges().count(),
            Testing::Sta(sta) => sta.as_ta().edges().count(),
            Testing::Tgta(tgta) => tgta.graph().automaton().edge_count(),
        }
    }

    /// Returns the number of transitions, one for each change on an edge.
    pub fn transition_count(&self) -> u128 {
        match self {
            Testing::Ta(ta) => ta.transition_count(),
            Testing::Sta(sta) => sta.transition_count(),
            Testing::Tgta(tgta) => tgta.transition_count(),
        }
    }

    /// Converts to an automaton over differences of words, for HOA, with a header for the kind. See
    /// `docs/testing-automata.md`.
    pub fn to_differences(&self) -> Automaton {
        let mut builder = self.graph().differences().edit();
        builder.headers(Headers {
            others: vec![(HEADER.into(), self.kind().name().into())],
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
        }
    }
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

/// Checks that a property is stutter-invariant. A formula without X is; otherwise the languages of
/// the formula and its negation decide.
///
/// ```
/// use sempre_testing::{Error, require_invariance};
/// assert!(require_invariance(&"F(a & X !a)".parse()?).is_ok());
/// let Err(Error::Sensitive(words)) = require_invariance(&"F(a & X a)".parse()?) else { panic!() };
/// assert_eq!(words.accepted.to_string(), "a; a; cycle{!a}");
/// assert_eq!(words.rejected.to_string(), "a; cycle{!a}");
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
///
/// # Errors
/// If it is not, with two words that differ only in repetitions and of which one satisfies the
/// formula.
pub fn require_invariance(formula: &Formula) -> Result<(), Error> {
    if formula.is(Traits::NEXT_FREE) {
        return Ok(());
    }
    let mut translator = Translator::new();
    let automaton = translator.translate(formula);
    let negation = translator.translate(&Formula::not(formula));
    match stutter::invariance_given_complement(&automaton, &negation) {
        Invariance::Invariant => Ok(()),
        Invariance::Sensitive(words) => Err(Error::Sensitive(Box::new(words))),
    }
}
