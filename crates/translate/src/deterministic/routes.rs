//! The routes from formulas to deterministic automata, by name.

use super::acceptance::TargetAcceptance;
use super::breakpoint::Pending;
use super::decomposition::{self, Cut};
use super::explore::Bounds;
use super::portfolio::{Request, finished};
use super::{Workshop, window};
use crate::after::{delta, limits};
use crate::mmaa;
use crate::normal_form::normal_form;
use crate::tableau;
use sempre_automata::reduce::{Level, reduce};
use sempre_automata::{Alphabet, Automaton, determinize, prune};
use sempre_ltl::rewrite::nnf;
use sempre_ltl::{Error, Formula, Traits};
use std::fmt;
use std::str::FromStr;

/// A construction of deterministic automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// Minimal weak automata, for obligations.
    Weak,
    /// After-formulas with one breakpoint, for recurrences; pending guarantees from the rest of a
    /// step.
    Breakpoint,
    /// As `Breakpoint`, with pending guarantees from the unfolded formula.
    BreakpointUnfolded,
    /// The Master Theorem.
    Master,
    /// A product of automata for the operands of all conjunctions and disjunctions.
    Decomposition,
    /// As `Decomposition`, but obligations are not split.
    DecompositionObligations,
    /// As `Decomposition`, but obligations, recurrences and persistences are not split.
    DecompositionClasses,
    /// As `Decomposition`, after moving limit formulas out of other operators.
    DecompositionLimits,
    /// As `Decomposition`, after conversion of the formula to the class Δ2.
    Normalization,
    /// A product with watches of limit formulas that remember the last letters.
    DecompositionWindows,
    /// May/must alternating automata, for LTL without U and X under G.
    Mmaa,
    /// Safra trees for the tableau automaton.
    Safra,
}

/// A row of the table of routes: its name, a predicate for applicable formulas, and the
/// construction from a simplified formula in normal form.
struct Row {
    route: Route,
    name: &'static str,
    build: fn(&mut Workshop, &Formula) -> Option<Automaton>,
}

const ROWS: [Row; 12] = [
    Row {
        route: Route::Weak,
        name: "weak",
        build: |workshop, formula| {
            formula.is(Traits::OBLIGATION).then(|| workshop.weak(formula)).flatten()
        },
    },
    Row {
        route: Route::Breakpoint,
        name: "breakpoint",
        build: |workshop, formula| workshop.breakpoint(formula, Pending::Rest),
    },
    Row {
        route: Route::BreakpointUnfolded,
        name: "breakpoint-unfolded",
        build: |workshop, formula| workshop.breakpoint(formula, Pending::Unfolded),
    },
    Row { route: Route::Master, name: "master", build: Workshop::master },
    Row {
        route: Route::Decomposition,
        name: "decomposition",
        build: |workshop, formula| decomposed(workshop, formula, Cut::Everything),
    },
    Row {
        route: Route::DecompositionObligations,
        name: "decomposition-obligations",
        build: |workshop, formula| decomposed(workshop, formula, Cut::Obligations),
    },
    Row {
        route: Route::DecompositionClasses,
        name: "decomposition-classes",
        build: |workshop, formula| decomposed(workshop, formula, Cut::Classes),
    },
    Row {
        route: Route::DecompositionLimits,
        name: "decomposition-limits",
        build: |workshop, formula| {
            let split = limits::distributed(&limits::split(formula));
            let pulled = limits::pulled_out(&split, &mut workshop.simplifier);
            let pulled = pulled.or_else(|| (split != *formula).then_some(split))?;
            decomposed(workshop, &pulled, Cut::Classes)
        },
    },
    Row {
        route: Route::Normalization,
        name: "normalization",
        build: |workshop, formula| {
            let normal = delta::normalized(formula, &mut workshop.simplifier)?;
            decomposed(workshop, &normal, Cut::Classes)
        },
    },
    Row {
        route: Route::DecompositionWindows,
        name: "decomposition-windows",
        build: |workshop, formula| {
            let build = |workshop: &mut Workshop| decomposed(workshop, formula, Cut::Classes);
            window::pays(formula).then(|| workshop.with_windows(build)).flatten()
        },
    },
    Row {
        route: Route::Mmaa,
        name: "mmaa",
        build: |workshop, formula| {
            let options = mmaa::Options::default().most_states(workshop.bounds.states);
            let automaton = options.generalized_rabin_over(formula, &workshop.alphabet).ok()?;
            Some(workshop.reduced(&automaton, Level::Low))
        },
    },
    Row {
        route: Route::Safra,
        name: "safra",
        build: |workshop, formula| {
            let most = workshop.bounds.states;
            let letters = Some(workshop.bounds.steps);
            let nodes = Some(workshop.bounds.nodes);
            let options = tableau::Options { letters, nodes, ..tableau::Options::default() };
            let automaton = tableau::translate_up_to(formula, options, most)?;
            let automaton = reduce(&automaton, Level::Medium);
            let parity = determinize::parity_up_to(&automaton, most)?;
            Some(workshop.reduced(&parity, Level::Low))
        },
    },
];

fn decomposed(workshop: &mut Workshop, formula: &Formula, cut: Cut) -> Option<Automaton> {
    let automaton = decomposition::automaton(workshop, formula, cut)?;
    Some(workshop.reduced(&automaton, Level::Low))
}

impl Route {
    /// All routes.
    pub const ALL: [Route; ROWS.len()] = {
        let mut all = [Route::Weak; ROWS.len()];
        let mut place = 0;
        while place < ROWS.len() {
            all[place] = ROWS[place].route;
            place += 1;
        }
        all
    };

    fn row(self) -> &'static Row {
        let row = ROWS.iter().find(|row| row.route == self);
        row.unwrap_or_else(|| unreachable!("every route has a row"))
    }

    /// Returns the name in options and output.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Translates a formula by this route alone, directly or by the dual of its negation; `None` if
    /// the route does not apply or exceeds its limits.
    pub fn automaton(self, formula: &Formula, dual: bool) -> Option<Automaton> {
        let mut workshop = workshop_of(formula, BOUNDS);
        let simple = simplified(&mut workshop, formula);
        self.build(&mut workshop, &simple, dual).map(started)
    }

    /// The automaton of a formula by this route alone, as it is requested. The results of
    /// [`Route::Mmaa`] with Rabin acceptance on states, or generalized Rabin acceptance, are those of
    /// the published constructions.
    ///
    /// # Errors
    /// If the route is not for such formulas, meets its bounds, or does not give the acceptance.
    pub fn requested(self, formula: &Formula, request: &Request) -> Result<Automaton, Error> {
        let automaton = match (self, request.wanted) {
            (Route::Mmaa, TargetAcceptance::Rabin) if request.state_based => {
                Some(published(mmaa::Options::default().state_based_rabin(formula))?)
            }
            (Route::Mmaa, TargetAcceptance::GeneralizedRabin) => {
                Some(published(mmaa::Options::default().generalized_rabin(formula))?)
            }
            (Route::Mmaa, wanted) => {
                let plain = published(mmaa::Options::default().generalized_rabin(formula))?;
                wanted.converted(&self.automaton(formula, false).unwrap_or(plain))
            }
            (_, wanted) => {
                self.automaton(formula, false).and_then(|automaton| wanted.converted(&automaton))
            }
        };
        let automaton = automaton.ok_or_else(|| {
            Error::new(format!("the method {self} is not for this formula, or meets its bounds"))
        })?;
        Ok(finished(automaton, request))
    }

    pub(super) fn build(
        self,
        workshop: &mut Workshop,
        simple: &Formula,
        dual: bool,
    ) -> Option<Automaton> {
        if !dual {
            return (self.row().build)(workshop, simple);
        }
        let negation = negated(workshop, simple);
        let automaton = (self.row().build)(workshop, &negation)?;
        Some(workshop.dual(&automaton))
    }
}

impl fmt::Display for Route {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Route {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Route::ALL.into_iter().find(|route| route.name() == name);
        known.ok_or_else(|| {
            let names: Vec<&str> = Route::ALL.into_iter().map(Route::name).collect();
            Error::new(format!("unknown route `{name}`, expected one of {}", names.join(", ")))
        })
    }
}

/// The automaton with a state in which runs start: one without edges if there is none.
pub(super) fn started(automaton: Automaton) -> Automaton {
    if !automaton.initial().is_empty() {
        return automaton;
    }
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    let state = builder.add_state();
    builder.initial(state);
    builder.build()
}

/// The automaton of the published construction without its rejecting sink.
fn published(result: Result<Automaton, mmaa::Refusal>) -> Result<Automaton, Error> {
    let automaton = result.map_err(|refusal| Error::new(refusal.to_string()))?;
    Ok(started(prune::trim(&automaton)))
}

/// The limits of each route.
pub(crate) const BOUNDS: Bounds = Bounds { states: 1 << 11, steps: 1 << 16, nodes: 1 << 17 };

pub(crate) fn workshop_of(formula: &Formula, bounds: Bounds) -> Workshop {
    let alphabet = Alphabet::new(formula.props());
    Workshop::new(alphabet.unwrap_or_else(|_| unreachable!("they are distinct")), bounds)
}

pub(crate) fn simplified(workshop: &mut Workshop, formula: &Formula) -> Formula {
    limits::separated(&normal_form(formula), &mut workshop.simplifier)
}

fn negated(workshop: &mut Workshop, simple: &Formula) -> Formula {
    let negation = nnf(&Formula::not(simple));
    limits::separated(&negation, &mut workshop.simplifier)
}
