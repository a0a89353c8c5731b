//! Rows that change the language: complements, products, sums, closures.

use crate::complement::{Division, Guess, Method, Ranking};
use crate::formats::ats;
use crate::transform::{Claims, Language, Property, Run, Transformation};
use crate::{complement, constraint, language, product, stutter, sum};
use sempre_ltl::options::Choice;

/// The maximal number of macrostates of a complement.
const MAX_MACROSTATES: usize = 1 << 20;

/// The limit of constructions that branch widely.
const MAX_OF_RIVALS: usize = 1 << 12;

/// The complementation method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Native,
    By(Method),
}

static METHOD: Choice<Way> = Choice {
    name: "method",
    help: "how it is complemented",
    default: Some("auto"),
    values: &[
        ("auto", Way::By(Method::Auto), "with a generalized Büchi condition, as small as possible"),
        ("native", Way::Native, "with any acceptance condition, as small as possible"),
        ("ncsb", Way::By(Method::Ncsb(Guess::Original)), "after semi-determinization, by NCSB"),
        ("ncsb-states", Way::By(Method::Ncsb(Guess::StateBased)), "with accepting macrostates"),
        ("ncsb-otf", Way::By(Method::Ncsb(Guess::OnTheFly)), "on the fly"),
        ("ncsb-lazy", Way::By(Method::Ncsb(Guess::Lazy)), "with lazy guesses"),
        ("ncsb-delayed", Way::By(Method::Ncsb(Guess::Delayed)), "with delayed guesses"),
        ("rank", Way::By(Method::Rank(Ranking::Turns)), "by tight ranks that take turns"),
        ("rank-tight", Way::By(Method::Rank(Ranking::Tight)), "by tight ranks"),
        ("rank-plain", Way::By(Method::Rank(Ranking::Plain)), "by ranks"),
        ("ramsey", Way::By(Method::Ramsey), "by transition profiles"),
        ("slices", Way::By(Method::Slices), "by slices and ranks"),
        ("determinize", Way::By(Method::Determinize), "by the dual of a deterministic automaton"),
        ("modular", Way::By(Method::Modular), "component by component, with a mark for each"),
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
        Way::Native => Claims::new(Language::Complement),
        Way::By(Method::Auto | Method::Modular) => {
            Claims::new(Language::Complement).yields(&[Property::GeneralizedBuchi])
        }
        Way::By(_) => Claims::new(Language::Complement).yields(&[Property::Buchi]),
    },
    run: Run::Unary(|automaton, settings| {
        let complement = match settings.get(&METHOD) {
            Way::Native => complement::native(automaton, MAX_MACROSTATES),
            Way::By(method) => {
                let most = match method {
                    Method::Rank(Ranking::Plain | Ranking::Tight) | Method::Ramsey => MAX_OF_RIVALS,
                    _ => MAX_MACROSTATES,
                };
                complement::by(automaton, method, settings.get(&DIVISION), most)
            }
        };
        // Words over no letters are no words.
        complement.map(|complement| ats::restricted(complement, automaton))
    }),
    keeping: &[],
};

pub(super) static PRODUCT: Transformation = Transformation {
    name: "product",
    help: "Intersect the language with that of the automaton in FILE",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Intersection),
    run: Run::Binary(|automaton, other, _| Ok(product::intersection(automaton, other))),
    keeping: &[],
};

pub(super) static SUM: Transformation = Transformation {
    name: "sum",
    help: "Unite the language with that of the automaton in FILE",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Union),
    run: Run::Binary(|automaton, other, _| Ok(sum::union(automaton, other))),
    keeping: &[],
};

pub(super) static DIFFERENCE: Transformation = Transformation {
    name: "difference",
    help: "Accept what the automaton in FILE does not accept as well",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Difference),
    run: Run::Binary(|automaton, other, _| {
        let difference = language::subtract(automaton, other, MAX_MACROSTATES)?;
        Ok(ats::restricted(difference, automaton))
    }),
    keeping: &[],
};

pub(super) static ASSUME: Transformation = Transformation {
    name: "assume",
    help: "Drop letters, edges and states that no accepting run needs on words of the automaton in \
           FILE",
    value: None,
    options: &[],
    claims: |_| {
        Claims::new(Language::UnderAssumption).keeps_acceptance().keeps(&[
            Property::Deterministic,
            Property::Unambiguous,
            Property::SemiDeterministic,
            Property::CutDeterministic,
            Property::StateBased,
            Property::Colored,
            Property::Weak,
            Property::VeryWeak,
            Property::InherentlyWeak,
        ])
    },
    run: Run::Binary(|automaton, other, _| Ok(constraint::assume(automaton, other))),
    keeping: &[],
};

pub(super) static STUTTER_CLOSURE: Transformation = Transformation {
    name: "stutter-closure",
    help: "Add the words that become accepted by repeating letters",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Superset).keeps(&[Property::NoFin]),
    run: Run::Unary(|automaton, _| Ok(stutter::closure(automaton))),
    keeping: &[],
};

pub(super) static SELF_LOOPIZE: Transformation = Transformation {
    name: "self-loopize",
    help: "Add the words that repeat letters of accepted words",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Superset).keeps(&[Property::NoFin]),
    run: Run::Unary(|automaton, _| Ok(stutter::self_loopize(automaton))),
    keeping: &[],
};
