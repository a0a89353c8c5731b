//! The routes from formulas to deterministic automata, by name.

use super::Workshop;
use super::breakpoint::Pending;
use super::decomposition::{self, Cut};
use super::explore::Bounds;
use crate::after::{delta, limits};
use crate::normal_form::normal_form;
use crate::tableau;
use sempre_automata::reduce::{Level, reduce};
use sempre_automata::{Alphabet, Automaton, determinize};
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

const ROWS: [Row; 10] = [
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
            let pulled = limits::pulled_out(formula, &mut workshop.simplifier)?;
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
        route: Route::Safra,
        name: "safra",
        build: |workshop, formula| {
            let most = workshop.bounds.states;
            let automaton = tableau::translate_up_to(formula, tableau::Options::default(), most)?;
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
        self.build(&mut workshop, &simple, dual)
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

/// The limits of each route.
pub(super) const BOUNDS: Bounds = Bounds { states: 1 << 11, steps: 1 << 16, nodes: 1 << 17 };

pub(super) fn workshop_of(formula: &Formula, bounds: Bounds) -> Workshop {
    let alphabet = Alphabet::new(formula.props());
    Workshop::new(alphabet.unwrap_or_else(|_| unreachable!("they are distinct")), bounds)
}

pub(super) fn simplified(workshop: &mut Workshop, formula: &Formula) -> Formula {
    limits::separated(&normal_form(formula), &mut workshop.simplifier)
}

fn negated(workshop: &mut Workshop, simple: &Formula) -> Formula {
    let negation = nnf(&Formula::not(simple));
    limits::separated(&negation, &mut workshop.simplifier)
}
