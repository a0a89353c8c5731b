//! Syntactic properties of a formula that imply properties of its language.
//!
//! Every trait of a formula follows from its operator and the traits of its operands, so traits
//! are computed once, when the formula is built. All of them are sufficient conditions: a formula
//! without the trait may be equivalent to one that has it.

use super::Formula;
use crate::op::Op;

bitflags::bitflags! {
    /// Syntactic properties of a formula, as a set.
    ///
    /// ```
    /// use sempre_ltl::{Formula, Traits};
    /// let f: Formula = "G(request -> F grant)".parse().unwrap();
    /// assert!(f.is(Traits::RECURRENCE | Traits::NEXT_FREE));
    /// assert!(!f.is(Traits::SAFETY));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Traits: u16 {
        /// No temporal operator.
        const BOOLEAN = 1 << 0;
        /// Neither `X` nor the strict operators `Fs`, `Gs`: the language is stutter-invariant.
        const NEXT_FREE = 1 << 1;
        /// Negation normal form: `!` only before propositions, and none of `->`, `<->`, `xor`.
        const NNF = 1 << 2;
        /// A pure eventuality (Etessami and Holzmann, CONCUR 2000): if a word satisfies the
        /// formula, so does every word that ends in it.
        const EVENTUAL = 1 << 3;
        /// A pure universality: if a word satisfies the formula, so does every suffix of it.
        const UNIVERSAL = 1 << 4;
        /// Safety (in the hierarchy of Manna and Pnueli): a finite prefix shows a violation.
        const SAFETY = 1 << 5;
        /// Guarantee: a finite prefix shows satisfaction.
        const GUARANTEE = 1 << 6;
        /// Obligation: a Boolean combination of safety and guarantee.
        const OBLIGATION = 1 << 7;
        /// Persistence: a condition holds from some position on.
        const PERSISTENCE = 1 << 8;
        /// Recurrence: a condition holds infinitely often.
        const RECURRENCE = 1 << 9;
        /// In LTL(F,G): no temporal operator but `F` and `G`.
        const FRAGMENT_F_G = 1 << 10;
        /// In LTL(Fs,Gs): no temporal operator but `F`, `G` and their strict forms, where `XF` and
        /// `XG` count as `Fs` and `Gs`.
        const FRAGMENT_FS_GS = 1 << 11;
        /// In LTL∖G(U,X): formulas of LTL(Fs,Gs) combined by `&`, `|`, `X`, `U` and `F`, in
        /// negation normal form (without `R`, `W` and `M`).
        const FRAGMENT_NO_GUX = 1 << 12;
        /// The negation is in LTL∖G(U,X).
        const NEGATION_NO_GUX = 1 << 13;
    }
}

impl Traits {
    /// Returns the traits of the negation of a formula with these traits.
    fn of_negation(self) -> Traits {
        let mut traits = self & (Traits::SELF_DUAL - Traits::NNF);
        for (one, other) in [
            (Traits::EVENTUAL, Traits::UNIVERSAL),
            (Traits::SAFETY, Traits::GUARANTEE),
            (Traits::PERSISTENCE, Traits::RECURRENCE),
            (Traits::FRAGMENT_NO_GUX, Traits::NEGATION_NO_GUX),
        ] {
            traits.set(one, self.contains(other));
            traits.set(other, self.contains(one));
        }
        traits
    }

    /// The traits that a formula shares with its negation (except that the negation itself is not
    /// in NNF).
    const SELF_DUAL: Traits = Traits::BOOLEAN
        .union(Traits::NEXT_FREE)
        .union(Traits::NNF)
        .union(Traits::OBLIGATION)
        .union(Traits::FRAGMENT_F_G)
        .union(Traits::FRAGMENT_FS_GS);

    /// Traits of a formula with this root.
    pub(super) fn of(op: Op, children: &[Formula]) -> Traits {
        use Traits as T;
        let all = children.iter().fold(T::all(), |traits, child| traits & child.traits());
        let one = |i: usize| children[i].traits();
        match op {
            Op::True | Op::False => T::all(),
            Op::Prop => T::all() - T::EVENTUAL - T::UNIVERSAL,
            Op::And | Op::Or => all,
            Op::Not => {
                let mut traits = one(0).of_negation();
                traits.set(T::NNF, children[0].op() == Op::Prop);
                traits
            }
            Op::Implies => (one(0).of_negation() & one(1)) - T::NNF,
            // f <-> g is (f & g) | (!f & !g): it needs the traits of both polarities.
            Op::Iff | Op::Xor => (all & all.of_negation()) - T::NNF,
            Op::Next => {
                let mut traits = all - T::BOOLEAN - T::NEXT_FREE - T::FRAGMENT_F_G;
                let strict =
                    matches!(below_negations(&children[0]).op(), Op::Finally | Op::Globally);
                traits.set(T::FRAGMENT_FS_GS, strict && all.contains(T::FRAGMENT_FS_GS));
                traits
            }
            Op::Finally => finally(one(0)),
            Op::Globally => finally(one(0).of_negation()).of_negation() | (one(0) & T::NNF),
            Op::StrictFinally => strict(finally(one(0))),
            Op::StrictGlobally => {
                strict(finally(one(0).of_negation()).of_negation()) | (one(0) & T::NNF)
            }
            Op::Until => until(&children[0], &children[1]),
            Op::Release => release(&children[0], &children[1]),
            Op::WeakUntil => weak_until(&children[0], &children[1]),
            Op::StrongRelease => strong_release(&children[0], &children[1]),
        }
    }
}

/// The formula under a chain of negations.
fn below_negations(mut formula: &Formula) -> &Formula {
    while let (Op::Not, [child]) = (formula.op(), formula.children()) {
        formula = child;
    }
    formula
}

fn finally(f: Traits) -> Traits {
    use Traits as T;
    let mut traits = f & (T::NEXT_FREE | T::NNF | T::FRAGMENT_F_G | T::FRAGMENT_FS_GS);
    traits |= T::EVENTUAL | (f & (T::UNIVERSAL | T::GUARANTEE | T::PERSISTENCE));
    traits.set(T::OBLIGATION, f.contains(T::GUARANTEE));
    traits.set(T::RECURRENCE, f.contains(T::GUARANTEE));
    traits.set(T::FRAGMENT_NO_GUX, f.contains(T::FRAGMENT_NO_GUX));
    traits.set(T::NEGATION_NO_GUX, f.contains(T::FRAGMENT_FS_GS));
    traits
}

/// `X f` for the strict operators, which LTL(Fs,Gs) allows wherever it allows `F` and `G`.
fn strict(f: Traits) -> Traits {
    f - Traits::NEXT_FREE - Traits::FRAGMENT_F_G
}

// The binary operators. The classes follow the grammars of Černá and Pelánek (MFCS 2003),
// extended to W and M; the pure formulas those of Etessami and Holzmann.

const OF_BOTH: Traits = Traits::NEXT_FREE.union(Traits::NNF);

fn until(f: &Formula, g: &Formula) -> Traits {
    use Traits as T;
    let (l, r) = (f.traits(), g.traits());
    let mut traits = l & r & (OF_BOTH | T::UNIVERSAL | T::GUARANTEE | T::PERSISTENCE);
    traits.set(T::EVENTUAL, f.is_true() || r.contains(T::EVENTUAL));
    traits.set(T::OBLIGATION, l.contains(T::OBLIGATION) && r.contains(T::GUARANTEE));
    traits.set(T::RECURRENCE, l.contains(T::RECURRENCE) && r.contains(T::GUARANTEE));
    traits.set(T::FRAGMENT_NO_GUX, (l & r).contains(T::FRAGMENT_NO_GUX));
    traits
}

fn release(f: &Formula, g: &Formula) -> Traits {
    use Traits as T;
    let (l, r) = (f.traits(), g.traits());
    let mut traits = l & r & (OF_BOTH | T::EVENTUAL | T::SAFETY | T::RECURRENCE);
    traits.set(T::UNIVERSAL, f.is_false() || r.contains(T::UNIVERSAL));
    traits.set(T::OBLIGATION, l.contains(T::OBLIGATION) && r.contains(T::SAFETY));
    traits.set(T::PERSISTENCE, l.contains(T::PERSISTENCE) && r.contains(T::SAFETY));
    traits.set(T::NEGATION_NO_GUX, (l & r).contains(T::NEGATION_NO_GUX));
    traits
}

fn weak_until(f: &Formula, g: &Formula) -> Traits {
    use Traits as T;
    let (l, r) = (f.traits(), g.traits());
    let mut traits = l & r & (OF_BOTH | T::EVENTUAL | T::UNIVERSAL | T::SAFETY | T::RECURRENCE);
    traits.set(T::UNIVERSAL, traits.contains(T::UNIVERSAL) || g.is_false());
    traits.set(T::OBLIGATION, l.contains(T::SAFETY) && r.contains(T::OBLIGATION));
    traits.set(T::PERSISTENCE, l.contains(T::SAFETY) && r.contains(T::PERSISTENCE));
    traits
}

fn strong_release(f: &Formula, g: &Formula) -> Traits {
    use Traits as T;
    let (l, r) = (f.traits(), g.traits());
    let mut traits = l & r & (OF_BOTH | T::EVENTUAL | T::UNIVERSAL | T::GUARANTEE | T::PERSISTENCE);
    traits.set(T::EVENTUAL, traits.contains(T::EVENTUAL) || g.is_true());
    traits.set(T::OBLIGATION, l.contains(T::GUARANTEE) && r.contains(T::OBLIGATION));
    traits.set(T::RECURRENCE, l.contains(T::GUARANTEE) && r.contains(T::RECURRENCE));
    traits
}
