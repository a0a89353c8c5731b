//! Other languages: complements, products, sums, closures.

use crate::transform::{Claims, Language, Property, Run, Transformation};
use crate::{complement, product, stutter, sum};

pub(super) static COMPLEMENT: Transformation = Transformation {
    name: "complement",
    help: "Accept what the automaton rejects, and the other way round",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Complemented),
    run: Run::Alone(|automaton, _| Ok(complement::complement(automaton))),
    keeping: &[],
};

pub(super) static PRODUCT: Transformation = Transformation {
    name: "product",
    help: "Accept what the automaton in FILE accepts as well",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Intersection),
    run: Run::With(|automaton, other, _| Ok(product::intersection(automaton, other))),
    keeping: &[],
};

pub(super) static SUM: Transformation = Transformation {
    name: "sum",
    help: "Accept what the automaton in FILE accepts, too",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Union),
    run: Run::With(|automaton, other, _| Ok(sum::union(automaton, other))),
    keeping: &[],
};

pub(super) static STUTTER_CLOSURE: Transformation = Transformation {
    name: "stutter-closure",
    help: "Accept words that become accepted ones by repeating letters",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Extended).keeps(&[Property::NoFin]),
    run: Run::Alone(|automaton, _| Ok(stutter::closure(automaton))),
    keeping: &[],
};

pub(super) static SELF_LOOPIZE: Transformation = Transformation {
    name: "self-loopize",
    help: "Accept words that come of accepted ones by repeating letters",
    value: None,
    options: &[],
    claims: |_| Claims::new(Language::Extended).keeps(&[Property::NoFin]),
    run: Run::Alone(|automaton, _| Ok(stutter::self_loopize(automaton))),
    keeping: &[],
};
