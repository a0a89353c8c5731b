//! Rows for deterministic and complete automata.

use crate::determinize::Method;
use crate::semi_determinize::{Reset, Route, SemiDeterminizer};
use crate::transform::{Claims, Language, Property, Run, Transformation};
use crate::{Automaton, Error, complete, determinize, wdba};
use sempre_ltl::options::{Choice, Flag, Number, Settings};

/// The maximal number of states of a deterministic automaton.
const MOST_STATES: usize = 1 << 20;
/// The maximal number of steps of a determinization.
const MOST_STEPS: usize = 1 << 24;

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
    help: "Make it deterministic",
    value: Some(&METHOD),
    options: &[],
    claims: |_| Claims::new(Language::Kept).yields(&[Property::Deterministic]),
    run: Run::Alone(|automaton, settings| match settings.get(&METHOD) {
        Way::Simple => simply(automaton),
        Way::By(Method::RunColouring) if !automaton.is_semi_deterministic() => {
            Err(Error::new("the automaton is not semi-deterministic"))
        }
        Way::By(Method::Best) => match determinize::by(automaton, Method::Best, MOST_STEPS) {
            Some(smallest) => Ok(smallest),
            None => simply(automaton),
        },
        Way::By(method) => determinize::by(automaton, method, MOST_STEPS)
            .ok_or_else(|| Error::new(format!("it takes more than {MOST_STEPS} steps"))),
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
    determinize::parity_up_to(automaton, MOST_STATES)
        .ok_or_else(|| Error::new(format!("the result would have more than {MOST_STATES} states")))
}

static ROUTE: Choice<Route> = Choice {
    name: "route",
    help: "where the construction starts",
    default: Some("best"),
    values: &[
        ("best", Route::Best, "with each of the others, for the smallest result"),
        ("tgba", Route::Tgba, "with generalized acceptance"),
        ("tba", Route::Tba, "with a Büchi automaton"),
        ("sba", Route::Sba, "with a Büchi automaton that has marks on states"),
    ],
};

static RESET: Choice<Option<Reset>> = Choice {
    name: "reset",
    help: "which runs count after a breakpoint",
    default: Some("either"),
    values: &[
        ("either", None, "whatever gives the smaller result"),
        ("track", Some(Reset::Track), "those that see the next mark on the same edge"),
        ("empty", Some(Reset::Empty), "none"),
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
    options: &[&RESET, &CUT_MARK, &NO_SCC],
    claims: |_| {
        let yields = [Property::SemiDeterministic, Property::GeneralizedBuchi];
        Claims::new(Language::Kept).yields(&yields)
    },
    run: Run::Alone(|automaton, settings| semi_determinizer(settings).run(automaton)),
    keeping: &[],
};

pub(super) static CUT_DETERMINIZE: Transformation = Transformation {
    name: "cut-determinize",
    help: "Make it deterministic but for edges that lead to the accepting components",
    value: Some(&ROUTE),
    options: &[&RESET, &CUT_MARK, &NO_SCC],
    claims: |_| {
        let yields = [Property::CutDeterministic, Property::GeneralizedBuchi];
        Claims::new(Language::Kept).yields(&yields)
    },
    run: Run::Alone(|automaton, settings| {
        semi_determinizer(settings).cut_deterministic(true).run(automaton)
    }),
    keeping: &[],
};

fn semi_determinizer(settings: &Settings) -> SemiDeterminizer {
    let mut way = SemiDeterminizer::new().route(settings.get(&ROUTE));
    if let Some(reset) = settings.get(&RESET) {
        way = way.reset(reset);
    }
    if let Some(mark) = settings.get(&CUT_MARK).and_then(|mark| u32::try_from(mark).ok()) {
        way = way.cut_mark(mark);
    }
    way.by_component(!settings.get(&NO_SCC))
}

pub(super) static MINIMIZE: Transformation = Transformation {
    name: "minimize",
    help: "Make it the smallest deterministic weak automaton, if the language is an obligation",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Kept).keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::InherentlyWeak,
        ])
    },
    run: Run::Alone(|automaton, _| {
        Ok(wdba::minimize(automaton).unwrap_or_else(|| automaton.clone()))
    }),
    keeping: &[],
};

pub(super) static TO_COMPLETE: Transformation = Transformation {
    name: "to-complete",
    help: "Let every state read every letter, with a rejecting sink if need be",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::Kept).yields(&[Property::Complete]).keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::InherentlyWeak,
            Property::Buchi,
            Property::GeneralizedBuchi,
            Property::NoFin,
        ])
    },
    run: Run::Alone(|automaton, _| Ok(complete(automaton))),
    keeping: &[],
};
