//! Syntactic implication: sufficient conditions for `f` implies `g`, by structural induction.
//!
//! After Somenzi and Bloem (CAV 2000), with pure formulas and the operators `W` and `M`. Boolean
//! formulas over few propositions are compared exactly. Results are cached, so the cost is at most
//! [`MAX_DEPTH`] times the product of the numbers of distinct subformulas.

use super::boolean;
use crate::rewrite::nnf::{Equivalences, Negations};
use crate::{Formula, Op, Traits};
use rustc_hash::FxHashMap;

/// The maximal depth of a comparison; deeper formulas are not shown to imply each other. It bounds
/// the recursion.
const MAX_DEPTH: usize = 40;

/// The cached result for a pair of formulas.
#[derive(Clone, Copy)]
enum CachedResult {
    Implied,
    /// The search failed at this depth, so it also fails at smaller ones.
    NotShownAt(usize),
}

/// The cache of implications, and of negations.
pub(super) struct Implications {
    known: FxHashMap<(Formula, Formula), CachedResult>,
    negations: Negations,
}

impl Default for Implications {
    fn default() -> Self {
        let negations = Negations::new(Equivalences::Keep);
        Implications { known: FxHashMap::default(), negations }
    }
}

impl Implications {
    /// True only if every word that satisfies `f` satisfies `g`.
    pub(super) fn implies(&mut self, f: &Formula, g: &Formula) -> bool {
        let in_nnf = |this: &mut Self, f: &Formula| match (f.op(), f.children()) {
            (Op::Not, [child]) if child.op() != Op::Prop => this.negation(child),
            _ => f.clone(),
        };
        let (f, g) = (in_nnf(self, f), in_nnf(self, g));
        self.shown(&f, &g, MAX_DEPTH)
    }

    /// The negation normal form, in which `<->` and `xor` stay.
    pub(super) fn normal_form(&mut self, formula: &Formula) -> Formula {
        self.negations.of(formula, false)
    }

    /// The negation normal form of the negation.
    pub(super) fn negation(&mut self, formula: &Formula) -> Formula {
        self.negations.of(formula, true)
    }

    /// Returns the size of the cache.
    pub(super) fn len(&self) -> usize {
        self.known.len() + self.negations.len()
    }

    fn shown(&mut self, f: &Formula, g: &Formula, depth: usize) -> bool {
        if f == g || f.is_false() || g.is_true() {
            return true;
        }
        if f.is_true() || g.is_false() || depth == 0 {
            return false;
        }
        if f.is_literal() && g.is_literal() {
            return false;
        }
        let key = (f.clone(), g.clone());
        match self.known.get(&key) {
            Some(CachedResult::Implied) => return true,
            Some(CachedResult::NotShownAt(tried)) if depth <= *tried => return false,
            _ => {}
        }
        let result = match boolean::implies(f, g, self) {
            Some(exact) => exact,
            None => self.by_left(f, g, depth - 1) || self.by_right(f, g, depth - 1),
        };
        // Only a result that the depth limit did not affect is valid for all depths.
        let complete = f.depth() as usize + (g.depth() as usize) < depth;
        let known = match result {
            true => CachedResult::Implied,
            false => CachedResult::NotShownAt(if complete { usize::MAX } else { depth }),
        };
        self.known.insert(key, known);
        result
    }

    /// Rules that decompose the left formula, some of them both.
    fn by_left(&mut self, f: &Formula, g: &Formula, d: usize) -> bool {
        let eventual = g.is(Traits::EVENTUAL);
        match (f.op(), f.children()) {
            (Op::And, operands) => operands.iter().any(|f| self.shown(f, g, d)),
            (Op::Or, operands) => operands.iter().all(|f| self.shown(f, g, d)),
            // A premise of a pure eventuality is also one at later positions.
            (Op::Finally | Op::StrictFinally, [f1]) => eventual && self.shown(f1, g, d),
            (Op::Next, [f1]) => {
                (eventual && self.shown(f1, g, d))
                    || matches!((g.op(), g.children()), (Op::Next, [g1]) if self.shown(f1, g1, d))
            }
            (Op::Globally, [f1]) => self.shown(f1, g, d),
            // One of the operands holds now.
            (Op::Until | Op::WeakUntil, [f1, f2]) => {
                (self.shown(f2, g, d)
                    && ((eventual && f.op() == Op::Until) || self.shown(f1, g, d)))
                    || self.between_untils((f.op(), f1, [f2, f2]), g, d)
            }
            (Op::Release | Op::StrongRelease, [f1, f2]) => {
                let until = if f.op() == Op::Release { Op::WeakUntil } else { Op::Until };
                self.shown(f2, g, d)
                    || (eventual && f.op() == Op::StrongRelease && self.shown(f1, g, d))
                    || self.between_untils((until, f2, [f1, f2]), g, d)
            }
            _ => false,
        }
    }

    /// `l U r` and `l W r` are monotonous in both operands, and `f R g` is `g W (f & g)`, `f M g`
    /// is `g U (f & g)`. The right operand of the left formula is the conjunction of `both`.
    fn between_untils(
        &mut self,
        (op, left, both): (Op, &Formula, [&Formula; 2]),
        g: &Formula,
        d: usize,
    ) -> bool {
        let right_implies = |this: &mut Self, g: &Formula| both.iter().any(|r| this.shown(r, g, d));
        match (g.op(), g.children()) {
            (Op::Until, [g1, g2]) if op == Op::Until => {
                self.shown(left, g1, d) && right_implies(self, g2)
            }
            (Op::WeakUntil, [g1, g2]) => self.shown(left, g1, d) && right_implies(self, g2),
            (Op::StrongRelease, [g1, g2]) if op == Op::Until => {
                self.shown(left, g2, d) && right_implies(self, g1) && right_implies(self, g2)
            }
            (Op::Release, [g1, g2]) => {
                self.shown(left, g2, d) && right_implies(self, g1) && right_implies(self, g2)
            }
            _ => false,
        }
    }

    /// Rules that decompose the right formula.
    fn by_right(&mut self, f: &Formula, g: &Formula, d: usize) -> bool {
        let universal = f.is(Traits::UNIVERSAL);
        match (g.op(), g.children()) {
            (Op::And, operands) => operands.iter().all(|g| self.shown(f, g, d)),
            (Op::Or, operands) => operands.iter().any(|g| self.shown(f, g, d)),
            (Op::Finally, [g1]) => self.shown(f, g1, d),
            // A consequence of a pure universality also follows at later positions.
            (Op::Globally | Op::Next | Op::StrictFinally | Op::StrictGlobally, [g1]) => {
                universal && self.shown(f, g1, d)
            }
            (Op::Until, [_, g2]) => self.shown(f, g2, d),
            (Op::WeakUntil, [g1, g2]) => {
                self.shown(f, g2, d) || (universal && self.shown(f, g1, d))
            }
            (Op::Release, [g1, g2]) => self.shown(f, g2, d) && (universal || self.shown(f, g1, d)),
            (Op::StrongRelease, [g1, g2]) => self.shown(f, g2, d) && self.shown(f, g1, d),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::nnf;
    use crate::{arbitrary, semantics};
    use proptest::prelude::*;

    /// A comparison that failed for lack of depth says nothing about one with more.
    #[test]
    fn failures_hold_up_to_their_depth() {
        let below = |nexts: usize, f: &str| {
            (0..nexts).fold(f.parse::<Formula>().unwrap(), |f, _| Formula::next(f))
        };
        let mut implications = Implications::default();
        for nexts in [MAX_DEPTH + 5, MAX_DEPTH / 2] {
            let shown = implications.implies(&below(nexts, "a & Fb"), &below(nexts, "Fb"));
            assert_eq!(shown, nexts < MAX_DEPTH);
        }
    }

    #[test]
    fn known_implications() {
        for (f, g) in [
            ("a & b", "a"),
            ("a", "a | Xb"),
            ("a & (b | c)", "(a & b) | c"),
            ("Ga", "Fa"),
            ("Ga", "GXa"),
            ("GFa", "Fa"),
            ("Ga", "b W a"),
            ("a U b", "Fb"),
            ("a U b", "a W b"),
            ("a U b", "a | b"),
            ("a U (b & c)", "(a | c) W b"),
            ("a R b", "b W a"),
            ("a M b", "Fa"),
            ("a M b", "b U a"),
            ("a W (b & a)", "b R a"),
            ("G(a & b)", "c R b"),
            ("XFa", "Fa"),
            ("Ga", "X(a | b)"),
        ] {
            let (f, g): (Formula, Formula) = (f.parse().unwrap(), g.parse().unwrap());
            assert!(Implications::default().implies(&f, &g), "{f} implies {g}");
            assert!(!Implications::default().implies(&g, &f), "{g} does not imply {f}");
        }
    }

    #[test]
    fn deep_formulas_are_given_up() {
        let deep = |name: &str| (0..50_000).fold(Formula::prop(name), |f, _| Formula::next(f));
        assert!(!Implications::default().implies(&deep("a"), &deep("b")));
    }

    /// Each step can decompose either formula. Without a cache of failures, exponentially many
    /// sequences would be tried.
    #[test]
    fn what_failed_is_remembered() {
        let (mut f, mut g) = (Formula::prop("a"), Formula::prop("b"));
        for i in 0..100 {
            let prop = |name: &str| Formula::prop(format!("{name}{i}"));
            f = Formula::release(prop("c"), prop("d") | f);
            g = Formula::until(prop("e"), prop("f") & g);
        }
        assert!(!Implications::default().implies(&f, &g));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// The right formula holds on words that satisfy the left one.
        #[test]
        fn what_is_shown_is_true(
            f in arbitrary::formula(8),
            g in arbitrary::formula(8),
            words in proptest::collection::vec(arbitrary::word(4), 8),
        ) {
            let (f, g) = (nnf(&f), nnf(&g));
            let mut implications = Implications::default();
            for (f, g) in [(&f, &g), (&f, &(&f | &g)), (&(&f & &g), &g)] {
                if implications.implies(f, g) {
                    for word in &words {
                        prop_assert!(
                            !semantics::holds(f, word) || semantics::holds(g, word),
                            "{} does not imply {} on {}", f, g, word
                        );
                    }
                }
            }
        }
    }
}
