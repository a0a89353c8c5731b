//! Rows that change the language: complements, products, sums, closures.

use crate::complement::{Division, Guess, Method};
use crate::transform::{Claims, Language, Property, Run, Transformation};
use crate::{complement, product, stutter, sum};
use sempre_ltl::options::Choice;

/// The maximal number of macrostates of a complement.
const MOST_MACROSTATES: usize = 1 << 20;

/// The complementation method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Native,
    By(Method),
}

static METHOD: Choice<Way> = Choice {
    name: "method",
    help: "how it is complemented",
    default: Some("native"),
    values: &[
        ("native", Way::Native, "with any acceptance condition"),
        ("auto", Way::By(Method::Auto), "by the method below that gives the smallest result"),
        ("ncsb", Way::By(Method::Ncsb(Guess::Original)), "after semi-determinization, by NCSB"),
        ("ncsb-states", Way::By(Method::Ncsb(Guess::StateBased)), "with accepting macrostates"),
        ("ncsb-otf", Way::By(Method::Ncsb(Guess::OnTheFly)), "on the fly"),
        ("ncsb-lazy", Way::By(Method::Ncsb(Guess::Lazy)), "with lazy guesses"),
        ("ncsb-delayed", Way::By(Method::Ncsb(Guess::Delayed)), "with delayed guesses"),
        ("slices", Way::By(Method::Slices), "by slices and ranks"),
        ("determinize", Way::By(Method::Determinize), "by the dual of a deterministic automaton"),
    ],
};

static DIVISION: Choice<Division> = Choice {
    name: "qd",
    help: "the deterministic part for NCSB",
    default: Some("min"),
    values: &[
        ("min", Division::Smallest, "the smallest"),
        ("max", Division::Largest, "the largest"),
    ],
};

pub(super) static COMPLEMENT: Transformation = Transformation {
    name: "complement",
    help: "Complement the language",
    value: Some(&METHOD),
    options: &[&DIVISION],
    claims: |settings| match settings.get(&METHOD) {
        Way::Native => Claims::new(Language::Complemented),
        Way::By(_) => Claims::new(Language::Complemented).yields(&[Property::Buchi]),
    },
    run: Run::Alone(|automaton, settings| match settings.get(&METHOD) {
        Way::Native => Ok(complement::complement(automaton)),
        Way::By(method) => {
            complement::by(automaton, method, settings.get(&DIVISION), MOST_MACROSTATES)
        }
    }),
    keeping: &[],
};

pub(super) static PRODUCT: Transformation = Transformation {
    name: "product",
    help: "Intersect the language with that of the automaton in FILE",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Intersection),
    run: Run::With(|automaton, other, _| Ok(product::intersection(automaton, other))),
    keeping: &[],
};

pub(super) static SUM: Transformation = Transformation {
    name: "sum",
    help: "Unite the language with that of the automaton in FILE",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Union),
    run: Run::With(|automaton, other, _| Ok(sum::union(automaton, other))),
    keeping: &[],
};

pub(super) static STUTTER_CLOSURE: Transformation = Transformation {
    name: "stutter-closure",
    help: "Add the words that become accepted by repeating letters",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Extended).keeps(&[Property::NoFin]),
    run: Run::Alone(|automaton, _| Ok(stutter::closure(automaton))),
    keeping: &[],
};

pub(super) static SELF_LOOPIZE: Transformation = Transformation {
    name: "self-loopize",
    help: "Add the words that repeat letters of accepted words",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Extended).keeps(&[Property::NoFin]),
    run: Run::Alone(|automaton, _| Ok(stutter::self_loopize(automaton))),
    keeping: &[],
};
