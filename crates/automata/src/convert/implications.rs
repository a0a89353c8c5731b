//! Implications between terms of an acceptance condition, from the edges that carry each mark.

use crate::automaton::Automaton;
use crate::marks::{Mark, Marks};
use crate::scc::Sccs;
use crate::{Condition, SccId};

/// The implications between terms on cycles. One mark's edges may contain those of another. Two
/// marks may together cover all edges, or never share a component.
pub(super) struct Implications {
    /// By mark, a bit for each edge inside a component.
    places: Vec<Vec<u64>>,
    /// A bit for each edge inside a component.
    everywhere: Vec<u64>,
    /// By mark, the marks that share a component with it.
    together: Vec<Marks>,
}

impl Implications {
    pub(super) fn of(automaton: &Automaton, sccs: &Sccs) -> Self {
        let marks = automaton.acceptance().marks() as usize;
        let inner: Vec<SccId> = sccs.iter().filter(|&scc| !sccs.is_trivial(scc)).collect();
        let count: usize = inner.iter().map(|&scc| sccs.inner_edges(automaton, scc).count()).sum();
        let mut everywhere = vec![u64::MAX; count / 64];
        if !count.is_multiple_of(64) {
            everywhere.push((1 << (count % 64)) - 1);
        }
        let mut places = vec![vec![0; everywhere.len()]; marks];
        let mut together = vec![Marks::EMPTY; marks];
        let mut place = 0;
        for &scc in &inner {
            for edge in sccs.inner_edges(automaton, scc) {
                for mark in edge.marks.iter() {
                    places[mark as usize][place / 64] |= 1 << (place % 64);
                }
                place += 1;
            }
            for mark in sccs.marks(scc).iter() {
                together[mark as usize] |= sccs.marks(scc);
            }
        }
        Implications { places, everywhere, together }
    }

    /// True if every cycle that satisfies `left` satisfies `right`; both are `Inf` or `Fin` terms.
    fn implies(&self, left: &Condition, right: &Condition) -> bool {
        match (left, right) {
            (Condition::Inf(l), Condition::Inf(r)) => self.is_within(*l, *r),
            (Condition::Fin(l), Condition::Fin(r)) => self.is_within(*r, *l),
            (Condition::Inf(l), Condition::Fin(r)) => !self.together[*l as usize].contains(*r),
            (Condition::Fin(l), Condition::Inf(r)) => {
                let (l, r) = (&self.places[*l as usize], &self.places[*r as usize]);
                let both = l.iter().zip(r).map(|(l, r)| l | r);
                both.zip(&self.everywhere).all(|(both, all)| both == *all)
            }
            _ => false,
        }
    }

    /// True if every edge with mark `left` has mark `right`.
    fn is_within(&self, left: Mark, right: Mark) -> bool {
        let (l, r) = (&self.places[left as usize], &self.places[right as usize]);
        l.iter().zip(r).all(|(l, r)| l & !r == 0)
    }

    /// Replaces terms by constants, where the known terms determine the value or where it does not
    /// matter.
    pub(super) fn simplify(&self, condition: &Condition, known: &[Condition]) -> Condition {
        match condition {
            Condition::True | Condition::False => condition.clone(),
            Condition::Inf(_) | Condition::Fin(_) => {
                let opposite = condition.dual();
                let implied = |term: &Condition, opposite: &Condition| {
                    self.implies(opposite, term) || known.iter().any(|k| self.implies(k, term))
                };
                if implied(condition, &opposite) {
                    Condition::True
                } else if implied(&opposite, condition) {
                    Condition::False
                } else {
                    condition.clone()
                }
            }
            Condition::And(operands) => self.junction(operands, known, true),
            Condition::Or(operands) => self.junction(operands, known, false),
        }
    }

    /// In a conjunction, an operand matters only if the other operands hold; in a disjunction, only
    /// if they do not.
    fn junction(
        &self,
        operands: &[Condition],
        known: &[Condition],
        conjunction: bool,
    ) -> Condition {
        let join = |operands: Vec<Condition>| match conjunction {
            true => Condition::and(operands),
            false => Condition::or(operands),
        };
        let mut operands: Vec<Condition> = operands.to_vec();
        let mut place = 0;
        let mut unchanged = 0;
        while unchanged < operands.len() {
            let operand = operands[place].clone();
            let mut assumed = known.to_vec();
            for (other, term) in operands.iter().enumerate() {
                if other != place && matches!(term, Condition::Inf(_) | Condition::Fin(_)) {
                    assumed.push(if conjunction { term.clone() } else { term.dual() });
                }
            }
            let repeated = operands.iter().take(place).any(|earlier| *earlier == operand);
            let simple = match repeated {
                true => join(vec![]),
                false => self.simplify(&operand, &assumed),
            };
            unchanged = if simple == operand { unchanged + 1 } else { 0 };
            operands[place] = simple;
            if unchanged == 0 {
                // Joining drops constants and flattens junctions, so positions change.
                operands = match (join(operands), conjunction) {
                    (Condition::And(operands), true) | (Condition::Or(operands), false) => operands,
                    (single, _) => return self.simplify(&single, known),
                };
            }
            place = (place + 1) % operands.len().max(1);
        }
        join(operands)
    }
}
