//! The acceptance conditions that have names: construction and recognition.

use super::{Acceptance, Condition};
use crate::marks::Mark;

/// An acceptance condition with a name, as in HOA's `acc-name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// Every run is accepting; no marks.
    All,
    /// No run is accepting; no marks.
    None,
    /// `Inf(0)`
    Buchi,
    /// `Fin(0)`
    CoBuchi,
    /// `Inf(0) & Inf(1) & …`
    GeneralizedBuchi(u32),
    /// `Fin(0) | Fin(1) | …`
    GeneralizedCoBuchi(u32),
    /// `(Fin(0) & Inf(1)) | (Fin(2) & Inf(3)) | …`; the number of pairs.
    Rabin(u32),
    /// `(Fin(0) | Inf(1)) & (Fin(2) | Inf(3)) & …`; the number of pairs.
    Streett(u32),
    /// `(Fin(0) & Inf(1) & …) | (Fin(i) & Inf(i+1) & …) | …`; the number of `Inf` in each disjunct.
    GeneralizedRabin(Vec<u32>),
    /// A parity condition.
    Parity(Parity),
}

/// A parity condition: the smallest or largest mark seen infinitely often decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parity {
    /// Which mark decides.
    pub kind: ParityKind,
    /// True if odd marks are accepting, false if even ones are.
    pub odd: bool,
    /// The number of marks (colours).
    pub marks: u32,
}

/// Which mark of those seen infinitely often decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParityKind {
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

impl Named {
    /// Returns the condition with this name.
    pub fn acceptance(&self) -> Acceptance {
        use Condition::{Fin, Inf};
        let pairs = |count: u32| (0..count).map(|i| (2 * i, 2 * i + 1));
        let (marks, condition) = match self {
            Named::All => (0, Condition::True),
            Named::None => (0, Condition::False),
            Named::Buchi => (1, Inf(0)),
            Named::CoBuchi => (1, Fin(0)),
            Named::GeneralizedBuchi(count) => (*count, Condition::and((0..*count).map(Inf))),
            Named::GeneralizedCoBuchi(count) => (*count, Condition::or((0..*count).map(Fin))),
            Named::Rabin(count) => {
                let pair = |(fin, inf)| Condition::and([Fin(fin), Inf(inf)]);
                (2 * count, Condition::or(pairs(*count).map(pair)))
            }
            Named::Streett(count) => {
                let pair = |(fin, inf)| Condition::or([Fin(fin), Inf(inf)]);
                (2 * count, Condition::and(pairs(*count).map(pair)))
            }
            Named::GeneralizedRabin(counts) => {
                let mut next = 0;
                let mut disjuncts = vec![];
                for count in counts {
                    let infs = (next + 1..=next + count).map(Inf);
                    disjuncts.push(Condition::and([Fin(next)].into_iter().chain(infs)));
                    next += count + 1;
                }
                (next, Condition::or(disjuncts))
            }
            Named::Parity(parity) => (parity.marks, parity.condition()),
        };
        Acceptance::new(marks, condition)
    }

    /// Returns the simplest name of a condition. The comparison is syntactic: equivalent conditions
    /// in another form have no name.
    pub fn of(acceptance: &Acceptance) -> Option<Named> {
        let marks = acceptance.marks();
        let simple = match marks {
            0 => vec![Named::All, Named::None],
            1 => vec![Named::Buchi, Named::CoBuchi],
            _ => vec![Named::GeneralizedBuchi(marks), Named::GeneralizedCoBuchi(marks)],
        };
        let pairs = (marks > 0 && marks.is_multiple_of(2)).then_some(marks / 2);
        let paired = pairs.into_iter().flat_map(|n| [Named::Rabin(n), Named::Streett(n)]);
        let generalized = generalized_rabin(acceptance.condition()).into_iter();
        let parities = [ParityKind::Min, ParityKind::Max]
            .into_iter()
            .flat_map(|kind| [false, true].map(|odd| Named::Parity(Parity { kind, odd, marks })));
        let mut candidates = simple.into_iter().chain(paired).chain(generalized).chain(parities);
        candidates.find(|name| name.acceptance() == *acceptance)
    }
}

/// Returns the numbers of `Inf` terms if the condition has the form of generalized Rabin.
fn generalized_rabin(condition: &Condition) -> Option<Named> {
    let disjuncts = match condition {
        Condition::Or(disjuncts) => disjuncts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let counts = disjuncts.iter().map(|disjunct| match disjunct {
        Condition::Fin(_) => Some(0),
        Condition::And(terms) => Some(terms.len() as u32 - 1),
        _ => None,
    });
    counts.collect::<Option<Vec<u32>>>().map(Named::GeneralizedRabin)
}

impl Parity {
    /// Returns the parity condition if the condition is written as one, in any order of operands.
    /// Büchi and co-Büchi conditions, single pairs and constants count as parity conditions.
    pub fn of(acceptance: &Acceptance) -> Option<Parity> {
        let marks = acceptance.marks();
        let kinds = [ParityKind::Min, ParityKind::Max].into_iter();
        let mut parities =
            kinds.flat_map(|kind| [false, true].map(|odd| Parity { kind, odd, marks }));
        let given = acceptance.condition().sorted();
        parities.find(|parity| parity.condition().sorted() == given)
    }

    /// The mark at the root of the nested condition decides first: the smallest for `min`, the
    /// largest for `max`.
    fn condition(self) -> Condition {
        let in_order: Vec<Mark> = match self.kind {
            ParityKind::Min => (0..self.marks).collect(),
            ParityKind::Max => (0..self.marks).rev().collect(),
        };
        // The last mark stands alone, because no later mark can decide.
        let nothing = match in_order.last() {
            Some(mark) => constant((mark % 2 == 1) != self.odd),
            None => constant((self.kind == ParityKind::Min) != self.odd),
        };
        in_order.into_iter().rev().fold(nothing, |rest, mark| {
            if (mark % 2 == 1) == self.odd {
                Condition::or([Condition::Inf(mark), rest])
            } else {
                Condition::and([Condition::Fin(mark), rest])
            }
        })
    }
}

fn constant(value: bool) -> Condition {
    if value { Condition::True } else { Condition::False }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks::Marks;

    #[test]
    fn parity_is_decided_by_the_extreme_mark() {
        for marks in 0..6 {
            for kind in [ParityKind::Min, ParityKind::Max] {
                for odd in [false, true] {
                    let parity = Parity { kind, odd, marks };
                    let acceptance = Named::Parity(parity).acceptance();
                    for seen in 1..1u64 << marks {
                        let extreme = match kind {
                            ParityKind::Min => seen.trailing_zeros(),
                            ParityKind::Max => 63 - seen.leading_zeros(),
                        };
                        let wanted = (extreme % 2 == 1) == odd;
                        assert_eq!(
                            acceptance.accepts(&Marks::from_bits(seen)),
                            wanted,
                            "{parity:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_recognized() {
        for (name, text) in [
            (Named::All, "t"),
            (Named::None, "f"),
            (Named::Buchi, "Inf(0)"),
            (Named::CoBuchi, "Fin(0)"),
            (Named::GeneralizedBuchi(3), "Inf(0) & Inf(1) & Inf(2)"),
            (Named::GeneralizedCoBuchi(2), "Fin(0) | Fin(1)"),
            (Named::Rabin(1), "Fin(0) & Inf(1)"),
            (Named::Rabin(2), "(Fin(0) & Inf(1)) | (Fin(2) & Inf(3))"),
            (Named::Streett(2), "(Fin(0) | Inf(1)) & (Fin(2) | Inf(3))"),
            (
                Named::GeneralizedRabin(vec![2, 0, 1]),
                "(Fin(0) & Inf(1) & Inf(2)) | Fin(3) | (Fin(4) & Inf(5))",
            ),
            (
                Named::Parity(Parity { kind: ParityKind::Min, odd: false, marks: 3 }),
                "Inf(0) | (Fin(1) & Inf(2))",
            ),
            (
                Named::Parity(Parity { kind: ParityKind::Max, odd: true, marks: 4 }),
                "Inf(3) | (Fin(2) & (Inf(1) | Fin(0)))",
            ),
        ] {
            let acceptance = name.acceptance();
            assert_eq!(acceptance.condition().to_string(), text);
            assert_eq!(Named::of(&acceptance), Some(name));
        }
        let unnamed = Condition::and([Condition::Inf(1), Condition::Inf(0)]);
        assert_eq!(Named::of(&Acceptance::new(2, unnamed)), None);
    }
}
