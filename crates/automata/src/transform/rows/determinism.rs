//! Rows for deterministic and complete automata.

use crate::determinize::Method;
use crate::reduce::deterministic::sat::{self, Limits};
use crate::reduce::deterministic::solved;
use crate::semi_determinize::{Cut, Reset, Route, SemiDeterminizer};
use crate::transform::{Claims, Language, Property, Run, Transformation};
use crate::{Automaton, Error, complete, determinize, wdba};
use sempre_ltl::options::{Choice, Flag, Number, Settings};

/// The maximal number of states of a deterministic automaton.
const MAX_STATES: usize = 1 << 20;
/// The maximal number of steps of a determinization.
const MAX_STEPS: usize = 1 << 24;

/// The determinization method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Simple,
    By(Method),
}

static METHOD: Choice<Way> = Choice {
    name: "method",
    help: "how it is made deterministic",
    default: Some("best"),
    values: &[
        ("best", Way::By(Method::Best), "by the method below that gives the smallest result"),
        (
            "simple",
            Way::Simple,
            "with a co-Büchi condition if it is inherently weak, and else a parity condition",
        ),
        ("scc", Way::By(Method::Components), "component by component"),
        ("safra", Way::By(Method::Safra), "by ordered trees"),
        ("ldba", Way::By(Method::RunColouring), "by run colouring, if it is semi-deterministic"),
        ("dual", Way::By(Method::Dual), "by the complement"),
    ],
};

pub(super) static DETERMINIZE: Transformation = Transformation {
    name: "determinize",
    help: "Determinize the automaton",
    value: Some(&METHOD),
    options: &[],
    claims: |_| Claims::new(Language::Same).yields(&[Property::Deterministic]),
    run: Run::Unary(|automaton, settings| match settings.get(&METHOD) {
        Way::Simple => simply(automaton),
        Way::By(Method::RunColouring) if !automaton.is_semi_deterministic() => {
            Err(Error::new("the automaton is not semi-deterministic"))
        }
        Way::By(Method::Best) => match determinize::by(automaton, Method::Best, MAX_STEPS) {
            Some(smallest) => Ok(solved::with_any_condition(&smallest).unwrap_or(smallest)),
            None => simply(automaton),
        },
        Way::By(method) => determinize::by(automaton, method, MAX_STEPS)
            .ok_or_else(|| Error::new(format!("it takes more than {MAX_STEPS} steps"))),
    }),
    keeping: &[],
};

fn simply(automaton: &Automaton) -> Result<Automaton, Error> {
    if automaton.is_deterministic() {
        return Ok(automaton.clone());
    }
    if let Ok(deterministic) = determinize::weak(automaton) {
        return Ok(deterministic);
    }
    determinize::parity_up_to(automaton, MAX_STATES)
        .ok_or_else(|| Error::new(format!("the result would have more than {MAX_STATES} states")))
}

static ROUTE: Choice<Route> = Choice {
    name: "route",
    help: "the input of the construction",
    default: Some("best"),
    values: &[
        ("best", Route::Best, "the smallest result of the others"),
        ("tgba", Route::Tgba, "generalized Büchi acceptance"),
        ("tba", Route::Tba, "Büchi acceptance on transitions"),
        ("sba", Route::Sba, "Büchi acceptance on states"),
    ],
};

static RESET: Choice<Option<Reset>> = Choice {
    name: "reset",
    help: "the runs that count after a breakpoint",
    default: Some("either"),
    values: &[
        ("either", None, "the smaller result of both"),
        ("track", Some(Reset::Track), "runs that see the next mark on the same edge"),
        ("empty", Some(Reset::Empty), "none"),
    ],
};

static CUT: Choice<Option<Cut>> = Choice {
    name: "cut",
    help: "which edges lead to components that need breakpoints",
    default: Some("best"),
    values: &[
        ("best", None, "whatever gives the smallest result"),
        ("mark", Some(Cut::Mark), "those with the cut mark"),
        ("entry", Some(Cut::Entry), "those, and all that enter the component"),
        ("always", Some(Cut::Always), "all"),
    ],
};

static CUT_MARK: Number = Number {
    name: "cut-mark",
    help: "the mark whose edges lead to the deterministic part",
    range: (0, 63),
};

static NO_SCC: Flag =
    Flag { name: "no-scc", help: "follow all components together in the deterministic part" };

pub(super) static SEMI_DETERMINIZE: Transformation = Transformation {
    name: "semi-determinize",
    help: "Make it deterministic from the accepting components on",
    value: Some(&ROUTE),
    options: &[&RESET, &CUT, &CUT_MARK, &NO_SCC],
    claims: |_| {
        let yields = [Property::SemiDeterministic, Property::GeneralizedBuchi];
        Claims::new(Language::Same).yields(&yields)
    },
    run: Run::Unary(|automaton, settings| semi_determinizer(settings).run(automaton)),
    keeping: &[],
};

pub(super) static CUT_DETERMINIZE: Transformation = Transformation {
    name: "cut-determinize",
    help: "Make it deterministic but for edges that lead to the accepting components",
    value: Some(&ROUTE),
    options: &[&RESET, &CUT, &CUT_MARK, &NO_SCC],
    claims: |_| {
        let yields = [Property::CutDeterministic, Property::GeneralizedBuchi];
        Claims::new(Language::Same).yields(&yields)
    },
    run: Run::Unary(|automaton, settings| {
        semi_determinizer(settings).cut_deterministic(true).run(automaton)
    }),
    keeping: &[],
};

fn semi_determinizer(settings: &Settings) -> SemiDeterminizer {
    let mut way = SemiDeterminizer::new().route(settings.get(&ROUTE));
    if let Some(reset) = settings.get(&RESET) {
        way = way.reset(reset);
    }
    if let Some(cut) = settings.get(&CUT) {
        way = way.cut(cut);
    }
    if let Some(mark) = settings.get(&CUT_MARK).and_then(|mark| u32::try_from(mark).ok()) {
        way = way.cut_mark(mark);
    }
    way.by_component(!settings.get(&NO_SCC))
}

pub(super) static MINIMIZE: Transformation = Transformation {
    name: "minimize",
    help: "Compute the minimal deterministic weak automaton, if the language is an obligation",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Same).keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::InherentlyWeak,
        ])
    },
    run: Run::Unary(|automaton, _| {
        Ok(wdba::minimize(automaton).unwrap_or_else(|| automaton.clone()))
    }),
    keeping: &[],
};

/// The limit of conflicts if none is given.
const CONFLICTS: u64 = 20_000;

static MAX_CONFLICTS: Number = Number {
    name: "conflicts",
    help: "the conflicts of the solver for each number of states",
    range: (1, 1 << 40),
};

pub(super) static MINIMIZE_SAT: Transformation = Transformation {
    name: "minimize-sat",
    help: "Find the fewest states for the acceptance condition by a SAT solver, if the automaton is \
           deterministic and small",
    value: None,
    options: &[&MAX_CONFLICTS],
    claims: |_| Claims::new(Language::Same).keeps_acceptance().keeps(&[Property::Deterministic]),
    run: Run::Unary(|automaton, settings| {
        let conflicts = settings.get(&MAX_CONFLICTS).unwrap_or(CONFLICTS);
        let limits = Limits { conflicts, ..Limits::default() };
        Ok(sat::minimize(automaton, limits).automaton)
    }),
    keeping: &[],
};

pub(super) static TO_COMPLETE: Transformation = Transformation {
    name: "to-complete",
    help: "Complete the automaton, with a rejecting sink if necessary",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Same).yields(&[Property::Complete]).keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::InherentlyWeak,
            Property::Buchi,
            Property::GeneralizedBuchi,
            Property::NoFin,
        ])
    },
    run: Run::Unary(|automaton, _| Ok(complete(automaton))),
    keeping: &[],
};
