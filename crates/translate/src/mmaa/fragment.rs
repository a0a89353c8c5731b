//! The fragments LTL(Fs,Gs) and LTL∖G(U,X), for which the constructions of this module apply.
//!
//! F. Blahoudek, Automata for formal methods (2018), Chapter 5. Formulas are in normal form, where
//! `Fs` and `Gs` are `X` before `F` and `G`. Linear in the number of distinct subformulas.

use rustc_hash::FxHashSet;
use sempre_ltl::{Formula, Op, Traits};

/// The smallest fragment of a formula, by its syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fragment {
    /// Boolean operators, `F`, `G`, and `X` directly before these two.
    StrictFuture,
    /// The same inside of `G`; outside of it also `X` and `U`.
    NoUntilUnderGlobally,
    /// All other formulas.
    Outside,
}

impl Fragment {
    /// Returns the fragment of a formula, which need not be in normal form.
    ///
    /// ```
    /// use sempre_translate::mmaa::Fragment;
    /// let of = |text: &str| Fragment::of(&text.parse().unwrap());
    /// assert_eq!(of("G(a -> XFb)"), Fragment::StrictFuture);
    /// assert_eq!(of("a U Xb | GFc"), Fragment::NoUntilUnderGlobally);
    /// assert_eq!(of("G(a U b)"), Fragment::Outside);
    /// ```
    pub fn of(formula: &Formula) -> Fragment {
        of_normal_form(&super::linear::normal_form(formula))
    }
}

/// The fragment of a formula in normal form.
pub(super) fn of_normal_form(formula: &Formula) -> Fragment {
    let mut inner: FxHashSet<Formula> = FxHashSet::default();
    let mut outer: FxHashSet<Formula> = FxHashSet::default();
    for f in formula.subformulas() {
        let children = f.children();
        let is_inner = f.is(Traits::BOOLEAN)
            || match f.op() {
                Op::And | Op::Or | Op::Finally | Op::Globally => {
                    children.iter().all(|child| inner.contains(child))
                }
                Op::Next => {
                    matches!(children[0].op(), Op::Finally | Op::Globally)
                        && inner.contains(&children[0])
                }
                _ => false,
            };
        let allowed = matches!(f.op(), Op::And | Op::Or | Op::Finally | Op::Next | Op::Until);
        if is_inner {
            inner.insert(f.clone());
        }
        if is_inner || allowed && children.iter().all(|child| outer.contains(child)) {
            outer.insert(f);
        }
    }
    match (inner.contains(formula), outer.contains(formula)) {
        (true, _) => Fragment::StrictFuture,
        (_, true) => Fragment::NoUntilUnderGlobally,
        _ => Fragment::Outside,
    }
}
