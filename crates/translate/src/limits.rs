//! Boolean combinations of limits, `GF b` and `FG b` for Boolean b.
//!
//! Such a formula is a disjunction of terms `FG s & GF c1 & … & GF cn`. The automaton waits in its
//! first state, and guesses the position from which on s holds for a term; a state for each term
//! checks it, with a mark for each ci. So there are at most as many states as terms, and one more,
//! while a tableau has a state for each set of operands that may still hold. Facts keep the terms
//! few: `GF b | GF c` is `GF(b | c)`, below `FG s` only letters of s matter, and a term that implies
//! another one is left out. Terms may still be exponentially many, and are limited.

use crate::after::limits;
use crate::normal_form::label;
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Automaton, Label, Marks, Named};
use sempre_ltl::interrupt::poll;
use sempre_ltl::rewrite::simplify::Simplifier;
use sempre_ltl::{Formula, Op, Traits};

/// The maximal number of terms.
const MAX_TERMS: usize = 1 << 8;
/// The maximal number of limits `GF c` of a term, as many as there are bits of marks.
const MAX_RECURRING: usize = 64;
/// The maximal number of limits `GF c` of a term that is the disjunction of two.
const MAX_JOINED: usize = 32;
/// The maximal number of edges of a state that read different letters. With more, there is one for
/// each mark, and one without.
const MAX_DISJOINT: usize = 1 << 10;

/// Translates a Boolean combination of limits; `None` for other formulas, and if there are too many
/// terms. For Büchi acceptance, terms are joined only if that saves marks.
pub fn translate(formula: &Formula, buchi: bool, simplifier: &mut Simplifier) -> Option<Automaton> {
    let formula = separated(formula, simplifier)?;
    let mut props: Vec<_> = formula.subformulas().filter_map(|f| f.as_prop().cloned()).collect();
    props.sort();
    let alphabet =
        Alphabet::new(props).unwrap_or_else(|_| unreachable!("subformulas are distinct"));
    let of = |joined| Terms { alphabet: &alphabet, joined }.of(&formula);
    let copies =
        |terms: &[Term]| terms.iter().map(|term| term.recurring.len().max(1)).sum::<usize>();
    let terms = match (of(true), buchi) {
        (Some(joined), true) => match of(false) {
            Some(apart) if copies(&apart) < copies(&joined) => apart,
            _ => joined,
        },
        (joined, _) => joined?,
    };
    Some(automaton(alphabet, &terms))
}

/// The number of limits of a Boolean combination of limits; `None` for other formulas.
pub fn count(formula: &Formula, simplifier: &mut Simplifier) -> Option<usize> {
    let formula = separated(formula, simplifier)?;
    let limits = formula.subformulas().filter(|f| limit(f).is_some());
    Some(limits.count())
}

/// Returns an equivalent combination by `And` and `Or` of `GF b` and `FG b`.
fn separated(formula: &Formula, simplifier: &mut Simplifier) -> Option<Formula> {
    if !formula.is(Traits::EVENTUAL | Traits::UNIVERSAL) || formula.is(Traits::BOOLEAN) {
        return None;
    }
    let separated = limits::separated(formula, simplifier);
    let mut known: FxHashMap<Formula, [Option<Formula>; 3]> = FxHashMap::default();
    for f in separated.subformulas() {
        poll();
        let all = |place: usize| {
            let operands = f.children().iter().map(|child| known[child][place].clone());
            Some(Formula::new(f.op(), operands.collect::<Option<Vec<_>>>()?))
        };
        let operand = |place: usize| f.children().first().and_then(|f| known[f][place].clone());
        let boolean = |below: fn(&Formula) -> Formula| {
            f.children().first().filter(|body| body.is(Traits::BOOLEAN)).map(below)
        };
        // The meanings of the formula by itself, below G, and below F.
        let meanings = match f.op() {
            Op::And | Op::Or => [all(0), all(1), all(2)],
            Op::Finally => {
                let itself = operand(2);
                let often = boolean(|body| Formula::globally(Formula::finally(body)));
                [itself.clone(), often.or_else(|| itself.clone()), itself]
            }
            Op::Globally => {
                let itself = operand(1);
                let always = boolean(|body| Formula::finally(Formula::globally(body)));
                [itself.clone(), itself.clone(), always.or(itself)]
            }
            Op::Next => [operand(0), operand(0), operand(0)],
            _ => [None, None, None],
        };
        known.insert(f, meanings);
    }
    known.remove(&separated)?.into_iter().next()?
}

/// The body of a limit, and whether it is `FG`.
fn limit(formula: &Formula) -> Option<(&Formula, bool)> {
    let [inner] = formula.children() else { return None };
    let [body] = inner.children() else { return None };
    match (formula.op(), inner.op()) {
        (Op::Finally, Op::Globally) => Some((body, true)),
        (Op::Globally, Op::Finally) => Some((body, false)),
        _ => None,
    }
}

/// `FG stays`, and `GF c` for each recurring c, which imply `stays`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    stays: Label,
    recurring: Vec<Label>,
}

struct Terms<'a> {
    alphabet: &'a Alphabet,
    /// Terms that stay in the same letters are joined.
    joined: bool,
}

impl Terms<'_> {
    /// Returns the terms of a combination of limits; `None` if there are too many.
    fn of(&self, formula: &Formula) -> Option<Vec<Term>> {
        let tt = self.alphabet.tt();
        let mut known: FxHashMap<Formula, Vec<Term>> = FxHashMap::default();
        // Limits have Boolean bodies, so this is as deep as the combination.
        for f in formula.subformulas() {
            let operands = || f.children().iter().map(|child| &known[child]);
            let terms = match (limit(&f), f.op()) {
                (Some((body, true)), _) => self
                    .plus(vec![], Term { stays: label(body, self.alphabet), recurring: vec![] })?,
                (Some((body, false)), _) => {
                    let recurring = vec![label(body, self.alphabet)];
                    self.plus(vec![], Term { stays: tt, recurring })?
                }
                (None, Op::Or) if is_combination(&f) => {
                    let terms = operands().flatten().cloned();
                    terms.into_iter().try_fold(vec![], |terms, term| self.plus(terms, term))?
                }
                (None, Op::And) if is_combination(&f) => {
                    let all = vec![Term { stays: tt, recurring: vec![] }];
                    operands().try_fold(all, |terms, operand| self.times(&terms, operand))?
                }
                _ => continue,
            };
            known.insert(f, terms);
        }
        known.remove(formula)
    }

    /// The conjunction of disjunctions of terms.
    fn times(&self, left: &[Term], right: &[Term]) -> Option<Vec<Term>> {
        let mut product = vec![];
        for l in left {
            for r in right {
                let recurring = l.recurring.iter().chain(&r.recurring).copied().collect();
                let stays = self.alphabet.and(l.stays, r.stays);
                product = self.plus(product, Term { stays, recurring })?;
            }
        }
        Some(product)
    }

    /// The disjunction of terms and another one.
    fn plus(&self, mut terms: Vec<Term>, term: Term) -> Option<Vec<Term>> {
        poll();
        let Some(mut term) = self.simple(term) else { return Some(terms) };
        if self.joined
            && let Some(place) = terms.iter().position(|other| other.stays == term.stays)
            && terms[place].recurring.len() * term.recurring.len() <= MAX_JOINED
        {
            let other = terms.remove(place);
            let mut recurring = vec![];
            for l in &other.recurring {
                recurring.extend(term.recurring.iter().map(|r| self.alphabet.or(*l, *r)));
            }
            term = self.simple(Term { stays: other.stays, recurring })?;
        }
        if terms.iter().any(|other| self.implies(&term, other)) {
            return Some(terms);
        }
        terms.retain(|other| !self.implies(other, &term));
        terms.push(term);
        let few = terms.len() <= MAX_TERMS
            && terms.iter().all(|term| term.recurring.len() <= MAX_RECURRING);
        few.then_some(terms)
    }

    /// Returns an equivalent term whose recurring labels do not imply each other; `None` for false.
    fn simple(&self, term: Term) -> Option<Term> {
        let Term { stays, recurring } = term;
        if stays == self.alphabet.ff() {
            return None;
        }
        let mut fewest: Vec<Label> = vec![];
        for label in recurring {
            poll();
            let label = self.alphabet.and(label, stays);
            if label == self.alphabet.ff() {
                return None;
            }
            if label == stays || fewest.iter().any(|other| self.alphabet.implies(*other, label)) {
                continue;
            }
            fewest.retain(|other| !self.alphabet.implies(label, *other));
            fewest.push(label);
        }
        Some(Term { stays, recurring: fewest })
    }

    /// True if a term is seen to imply another one.
    fn implies(&self, term: &Term, other: &Term) -> bool {
        let often = |label: Label| {
            self.alphabet.implies(term.stays, label)
                || term.recurring.iter().any(|r| self.alphabet.implies(*r, label))
        };
        self.alphabet.implies(term.stays, other.stays) && other.recurring.iter().all(|c| often(*c))
    }
}

/// True if a formula is a combination of limits by `And` and `Or`, not part of a Boolean one.
fn is_combination(formula: &Formula) -> bool {
    !formula.is(Traits::BOOLEAN)
}

/// Builds the automaton of a disjunction of terms.
fn automaton(alphabet: Alphabet, terms: &[Term]) -> Automaton {
    let tt = alphabet.tt();
    // A term that allows all letters is checked in the first state.
    let first = terms.iter().position(|term| term.stays == tt);
    let waits = first.is_none();
    let most = terms.iter().map(|term| term.recurring.len()).max().unwrap_or(0);
    let marks = if waits { most.max(1) } else { most };
    let mut builder = Automaton::builder(alphabet);
    builder.acceptance(Named::GeneralizedBuchi(marks as u32).acceptance());
    let start = builder.add_state();
    builder.initial(start);
    if waits {
        builder.edge(start, tt, Marks::EMPTY, start);
    }
    for (place, term) in terms.iter().enumerate() {
        let state = if Some(place) == first { start } else { builder.add_state() };
        if state != start {
            builder.edge(start, term.stays, Marks::EMPTY, state);
        }
        for (label, seen) in loops(builder.alphabet(), term) {
            // Missing marks are on all edges.
            let all = seen.into_iter().chain(term.recurring.len() as u32..marks as u32);
            builder.edge(state, label, Marks::from_iter(all), state);
        }
    }
    builder.build()
}

/// The labels of the loops of a term, each with the numbers of recurring labels that it implies:
/// disjoint ones, unless there are very many.
fn loops(alphabet: &Alphabet, term: &Term) -> Vec<(Label, Vec<u32>)> {
    let ff = alphabet.ff();
    let mut disjoint: Vec<(Label, Vec<u32>)> = vec![(term.stays, vec![])];
    for (mark, recurring) in (0u32..).zip(&term.recurring) {
        for place in 0..disjoint.len() {
            poll();
            let (label, seen) = &mut disjoint[place];
            let both = alphabet.and(*label, *recurring);
            if both == ff {
                continue;
            }
            let rest = alphabet.minus(*label, both);
            let mut more = seen.clone();
            more.push(mark);
            if rest == ff {
                *seen = more;
            } else {
                *label = rest;
                disjoint.push((both, more));
            }
        }
        if disjoint.len() > MAX_DISJOINT {
            let each = (0u32..).zip(&term.recurring).map(|(mark, label)| (*label, vec![mark]));
            return [(term.stays, vec![])].into_iter().chain(each).collect();
        }
    }
    disjoint
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_automata::membership;
    use sempre_ltl::arbitrary;
    use sempre_ltl::rewrite::simplify::Level;
    use sempre_ltl::semantics::Evaluator;

    fn of(text: &str, buchi: bool) -> Option<Automaton> {
        let mut simplifier = Simplifier::new(Level::default());
        translate(&text.parse().unwrap(), buchi, &mut simplifier)
    }

    #[test]
    fn sizes() {
        let size = |text: &str| of(text, false).map(|automaton| automaton.state_count());
        assert_eq!(size("GFa & GFb & GFc"), Some(1));
        assert_eq!(size("(GFa & GFb) | (GFc & GFd)"), Some(1));
        assert_eq!(size("G(Fa & Fb) | FGc"), Some(2));
        assert_eq!(size("FG(a & Fb) | GF(c & FGd)"), Some(3));
        assert_eq!(size("(GFa | FGb) & (GFb | FGc) & (GFc | FGd)"), Some(5));
        // The second term implies the first one, and no word satisfies the third one.
        assert_eq!(size("FGa | (FG(a & b) & GFc) | (FGc & GF!c)"), Some(2));
        assert_eq!(size("GFa & Fb"), None);
        assert_eq!(size("GF(a & Xb)"), None);
        assert_eq!(size("a | !a"), None);
    }

    #[test]
    fn buchi_automata_keep_terms_apart() {
        let text = "(GFa & GFb & GFc) | (GFd & GFe & GFf)";
        let marks = |buchi| of(text, buchi).map(|automaton| automaton.acceptance().marks());
        assert_eq!((marks(false), marks(true)), (Some(9), Some(3)));
    }

    #[test]
    fn many_marks_take_an_edge_each() {
        let all = (0..40).map(|i| format!("GFa{i}")).collect::<Vec<_>>().join(" & ");
        let automaton = of(&all, false).unwrap();
        assert_eq!((automaton.state_count(), automaton.edge_count()), (1, 41));
    }

    fn combination() -> impl Strategy<Value = Formula> {
        let limit =
            (arbitrary::formula_with(4, &[Op::Prop, Op::And, Op::Or, Op::Not]), any::<bool>())
                .prop_map(|(body, always)| match always {
                    true => Formula::finally(Formula::globally(body)),
                    false => Formula::globally(Formula::finally(body)),
                });
        limit.prop_recursive(4, 12, 3, |inner| {
            let operands = prop::collection::vec(inner, 2..4);
            (operands, 0..4).prop_map(|(operands, shape)| match shape {
                0 => Formula::and(operands),
                1 => Formula::or(operands),
                2 => Formula::not(Formula::and(operands)),
                _ => Formula::globally(Formula::or(operands)),
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn automata_are_right(
            f in combination(),
            buchi in any::<bool>(),
            words in prop::collection::vec(arbitrary::word(4), 20),
        ) {
            let mut simplifier = Simplifier::new(Level::default());
            let automaton = translate(&f, buchi, &mut simplifier);
            let evaluator = Evaluator::new(&f);
            if let Some(automaton) = automaton {
                for word in &words {
                    prop_assert_eq!(membership::accepts(&automaton, word), evaluator.holds(word));
                }
            }
        }
    }
}
