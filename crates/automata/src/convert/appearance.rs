//! Rabin pairs to parity by index appearance records.
//!
//! Each copy of a state has an order of the pairs: those whose `Fin` mark was seen last come first.
//! A pair that no longer moves stays behind all moving pairs, so the last pair with an event
//! decides. See Safra (1992), Löding (1999), and Křetínský, Meggendorfer, Waldmann and Weininger
//! (TACAS 2017). In a component only pairs count whose `Inf` mark occurs. The order restarts
//! when a run enters another component. At most n · k! states for k pairs.

use super::rabin::disjuncts;
use super::simplify_acceptance;
use crate::acceptance::{Disjunct, Named, Parity, ParityKind};
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::marks::{Mark, Marks};
use crate::scc::Sccs;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// Converts to a parity automaton for the same language. The condition must be a disjunction of
/// conjunctions of `Fin` terms and at most one `Inf` term, as in Rabin conditions. `None`
/// otherwise, or if it takes more than `steps` steps: edges times pairs. Preserves determinism.
///
/// ```
/// use sempre_automata::{Named, Parity, convert, random::RandomAutomata};
/// let random = RandomAutomata::over(["a"]).unwrap().states(3).acceptance(Named::Rabin(2));
/// let automaton = random.generate().next().unwrap();
/// let parity = convert::index_appearance(&automaton, 1 << 20).unwrap();
/// assert!(Parity::of(parity.acceptance()).is_some());
/// ```
pub fn index_appearance(automaton: &Automaton, steps: usize) -> Option<Automaton> {
    let automaton = &simplify_acceptance(automaton);
    let pairs = disjuncts(automaton)?;
    if pairs.iter().any(|pair| pair.inf.len() > 1) {
        return None;
    }
    let sccs = Sccs::of(automaton);
    let mut record = Record { automaton, sccs: &sccs, pairs: &pairs };
    record.build(steps)
}

struct Record<'a> {
    automaton: &'a Automaton,
    sccs: &'a Sccs,
    pairs: &'a [Disjunct],
}

/// A state with the order of the pairs.
type Copy = (StateId, Vec<u32>);

impl Record<'_> {
    fn build(&mut self, mut steps: usize) -> Option<Automaton> {
        let mut builder = Automaton::builder(self.automaton.alphabet().clone());
        if let Some(name) = self.automaton.name() {
            builder.name(name);
        }
        let marks = 2 * self.pairs.len() as Mark + 2;
        let parity = Parity { kind: ParityKind::Max, odd: false, marks };
        builder.acceptance(Named::Parity(parity).acceptance());
        let mut numbers: FxHashMap<Copy, StateId> = FxHashMap::default();
        let mut copies: Vec<Copy> = vec![];
        let mut number =
            |copy: Copy, builder: &mut crate::AutomatonBuilder, copies: &mut Vec<Copy>| {
                *numbers.entry(copy).or_insert_with_key(|copy| {
                    copies.push(copy.clone());
                    builder.add_state()
                })
            };
        for &state in self.automaton.initial() {
            let start = number(self.entry(state), &mut builder, &mut copies);
            builder.initial(start);
        }
        let mut visited = 0;
        while visited < copies.len() {
            interrupt::poll();
            let (state, order) = copies[visited].clone();
            for edge in self.automaton.edges_from(state) {
                interrupt::poll();
                steps = steps.checked_sub(1 + order.len())?;
                let (next, mark) = match self.sccs.is_inside(state, edge.target) {
                    true => {
                        let (order, mark) = self.step(&order, &edge.marks);
                        ((edge.target, order), mark)
                    }
                    false => (self.entry(edge.target), 1),
                };
                let target = number(next, &mut builder, &mut copies);
                let source = StateId::new(visited);
                builder.edge(source, edge.label, Marks::from_iter([mark]), target);
            }
            visited += 1;
        }
        Some(builder.build())
    }

    /// Returns the copy of a state with which runs enter its component.
    fn entry(&self, state: StateId) -> Copy {
        let marks = self.sccs.component(state).map(|scc| self.sccs.marks(scc).clone());
        let marks = marks.unwrap_or_default();
        let possible = |pair: &u32| self.pairs[*pair as usize].inf.is_subset(&marks);
        (state, (0..self.pairs.len() as u32).filter(possible).collect())
    }

    /// Returns the order after an edge with these marks, and the mark of the new edge.
    fn step(&self, order: &[u32], marks: &Marks) -> (Vec<u32>, Mark) {
        let mut mark = 1;
        let (mut moved, mut others) = (vec![], vec![]);
        for (place, &number) in (1..).zip(order) {
            let pair = &self.pairs[number as usize];
            if !pair.fin.is_disjoint(marks) {
                mark = mark.max(2 * place + 1);
                moved.push(number);
                continue;
            }
            if pair.inf.is_subset(marks) {
                mark = mark.max(2 * place);
            }
            others.push(number);
        }
        moved.extend(others);
        (moved, mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acd::Decomposition;
    use crate::random::RandomAutomata;
    use crate::test_language::{is_deterministic_letter_by_letter, same_language};
    use crate::{language, prune};

    #[test]
    fn records_keep_the_language() {
        let mut sizes = [0, 0];
        for pairs in 1..4 {
            let random = RandomAutomata::over(["a", "b"]).unwrap().states(4).density(0.4);
            let random = random.acceptance(Named::Rabin(pairs)).mark_probability(0.3);
            for automaton in random.deterministic(true).seed(u64::from(pairs)).generate().take(60) {
                let parity = index_appearance(&automaton, 1 << 20).unwrap();
                assert!(is_deterministic_letter_by_letter(&parity));
                assert!(same_language(&automaton, &parity));
                assert!(language::equivalent(&automaton, &parity));
                let trees = Decomposition::of(&automaton, 1 << 20).unwrap().to_parity();
                sizes[0] += prune::unreachable(&parity).state_count();
                sizes[1] += trees.state_count();
            }
        }
        assert!(sizes[1] <= sizes[0], "{sizes:?}");
    }

    #[test]
    fn steps_are_a_limit() {
        let random = RandomAutomata::over(["a"]).unwrap().states(6).acceptance(Named::Rabin(3));
        let automaton = random.mark_probability(0.4).generate().next().unwrap();
        assert!(index_appearance(&automaton, 3).is_none());
    }
}
