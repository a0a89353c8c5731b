//! Simplification of acceptance conditions by the positions of marks.
//!
//! Only cycles matter. Implications between terms (see [`Implications`]) make operands of
//! conjunctions and disjunctions redundant. Casares, Duret-Lutz, Meyer, Renkin and Sickert describe
//! such a `simplify_acceptance` (Practical applications of the alternating cycle decomposition,
//! TACAS 2022). Exchangeable marks are fused: `Inf(0) | Inf(1)` is "infinitely often 0 or 1".
//! Quadratic in the number of marks, and linear in the edges.

use super::implications::Implications;
use crate::automaton::Automaton;
use crate::marks::{Mark, Marks};
use crate::scc::Sccs;
use crate::{Acceptance, Condition, mark_cleanup};

/// Simplifies the condition and the marks at little cost; states, edges and language do not change.
/// Preserves state-based acceptance.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, convert};
/// // Each edge has one of the two marks: seeing the first finitely often is enough.
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Rabin(1).acceptance());
/// let (state, a) = (builder.add_state(), builder.alphabet().prop(0));
/// let not_a = builder.alphabet().not(a);
/// builder.initial(state);
/// builder.edge(state, a, Marks::from_iter([0]), state);
/// builder.edge(state, not_a, Marks::from_iter([1]), state);
/// let automaton = convert::simplify_acceptance(&builder.build());
/// assert_eq!(automaton.acceptance(), &Named::CoBuchi.acceptance());
/// ```
pub fn simplify_acceptance(automaton: &Automaton) -> Automaton {
    let mut automaton = without_idle_marks(automaton);
    loop {
        let sccs = Sccs::of(&automaton);
        let implications = Implications::of(&automaton, &sccs);
        let condition = implications.simplify(automaton.acceptance().condition(), &[]);
        let simpler = fuse(&mark_cleanup::renumber(&automaton, &condition));
        if simpler.acceptance() == automaton.acceptance() {
            return simpler;
        }
        automaton = simpler;
    }
}

/// Removes marks from edges on no cycle or on no accepting cycle, because they would hide
/// implications. Edges of a state keep the same marks if they had.
fn without_idle_marks(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of(automaton);
    let mut counts = sccs.accepting(automaton);
    if automaton.acceptance().accepts(&Marks::EMPTY) {
        sccs.iter().for_each(|scc| counts[scc.index()] = !sccs.is_trivial(scc));
    }
    let state_based = automaton.is_state_based();
    let mut builder = automaton.edit();
    builder.retain_edges(|source, edge| {
        let counts = sccs.component(source).is_some_and(|scc| counts[scc.index()]);
        if !counts || !(state_based || sccs.is_inside(source, edge.target)) {
            edge.marks = Marks::EMPTY;
        }
        true
    });
    builder.build()
}

/// Replaces `Inf(m) | Inf(n)` and `Fin(m) & Fin(n)` by a term of one mark on the edges of both, if
/// neither is used elsewhere.
fn fuse(automaton: &Automaton) -> Automaton {
    let count = automaton.acceptance().marks() as usize;
    let mut uses = vec![0u32; count];
    automaton.acceptance().condition().each_term(&mut |term| {
        if let Condition::Inf(mark) | Condition::Fin(mark) = term {
            uses[*mark as usize] += 1;
        }
    });
    let mut fused: Vec<Mark> = (0..count as Mark).collect();
    let condition = fuse_in(automaton.acceptance().condition(), &uses, &mut fused);
    let mut builder = automaton.edit();
    builder.acceptance(Acceptance::new(count as u32, condition.clone()));
    builder.retain_edges(|_, edge| {
        edge.marks = edge.marks.iter().map(|mark| fused[mark as usize]).collect();
        true
    });
    mark_cleanup::renumber(&builder.build(), &condition)
}

fn fuse_in(condition: &Condition, uses: &[u32], fused: &mut [Mark]) -> Condition {
    let (Condition::And(operands) | Condition::Or(operands)) = condition else {
        return condition.clone();
    };
    let conjunction = matches!(condition, Condition::And(_));
    let mut first = None;
    #[cfg(test)]
    let mut last = None;
    let mut kept = vec![];
    for operand in operands {
        match (operand, conjunction) {
            (Condition::Inf(mark), false) | (Condition::Fin(mark), true)
                if uses[*mark as usize] == 1 =>
            {
                match first {
                    Some(first) => {
                        fused[*mark as usize] = first;
                        #[cfg(test)]
                        tests::unclose(fused, *mark, &mut last);
                    }
                    None => {
                        #[cfg(test)]
                        last.replace(*mark);
                        first = Some(*mark);
                        kept.push(operand.clone());
                    }
                }
            }
            _ => kept.push(fuse_in(operand, uses, fused)),
        }
    }
    match conjunction {
        true => Condition::and(kept),
        false => Condition::or(kept),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{self, Size, automaton_of};
    use crate::random::RandomBlocks;
    use crate::test_language::same_language;
    use crate::{Alphabet, state_based};
    use proptest::prelude::*;
    use std::cell::Cell;

    thread_local! {
        /// A fault: each mark is renamed to the one before, which is renamed as well.
        static UNCLOSED: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn unclose(fused: &mut [Mark], mark: Mark, last: &mut Option<Mark>) {
        let before = last.replace(mark);
        if let Some(before) = before.filter(|_| UNCLOSED.get()) {
            fused[mark as usize] = before;
        }
    }

    /// Renamings of marks must be closed, which only three exchangeable marks show.
    #[test]
    fn renamings_that_are_not_closed_are_found() {
        use Condition::{Fin, Inf};
        let wrong = |unclosed: bool, condition: &Condition| {
            UNCLOSED.set(unclosed);
            let marks = condition.marks().len() as u32;
            let blocks = RandomBlocks::over(["a"]).unwrap().marks(marks).seed(4).generate();
            let automata = blocks.take(60).filter(|blocks| {
                let mut builder = blocks.edit();
                builder.acceptance(Acceptance::new(marks, condition.clone()));
                let automaton = builder.build();
                !same_language(&automaton, &simplify_acceptance(&automaton))
            });
            let count = automata.count();
            UNCLOSED.set(false);
            count
        };
        let two = Condition::or((0..2).map(Inf));
        let (some, none) = (Condition::or((0..3).map(Inf)), Condition::and((0..3).map(Fin)));
        for condition in [&two, &some, &none] {
            assert_eq!(wrong(false, condition), 0);
        }
        assert_eq!(wrong(true, &two), 0);
        assert!(wrong(true, &some) > 0 && wrong(true, &none) > 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn simplification_keeps_the_language(
            automaton in automaton_of(Size { props: 2, degree: 4, ..Size::default() }),
        ) {
            let simple = simplify_acceptance(&automaton);
            prop_assert!(same_language(&automaton, &simple));
            prop_assert!(simple.acceptance().marks() <= automaton.acceptance().marks());
            prop_assert_eq!(
                simple.acceptance().condition().marks(),
                Marks::all(simple.acceptance().marks())
            );
            prop_assert!(simplify_acceptance(&simple) == simple);
            let cleaned = mark_cleanup::clean(&automaton).acceptance().marks();
            prop_assert!(simple.acceptance().marks() <= cleaned);
        }

        #[test]
        fn acceptance_stays_on_states(automaton in arbitrary::automaton()) {
            let automaton = state_based(&automaton);
            let simple = simplify_acceptance(&automaton);
            prop_assert!(simple.is_state_based());
            prop_assert!(same_language(&automaton, &simple));
        }
    }

    /// Builds one state with a loop for each of these sets of marks.
    fn loops(condition: Condition, marks: &[&[Mark]]) -> Automaton {
        let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
        builder.acceptance(Acceptance::new(condition.marks().last().unwrap() + 1, condition));
        let (state, tt) = (builder.add_state(), builder.alphabet().tt());
        builder.initial(state);
        for set in marks {
            builder.edge(state, tt, set.iter().copied().collect(), state);
        }
        builder.build()
    }

    #[test]
    fn conditions_become_what_they_say() {
        use Condition::{Fin, Inf};
        let simplified = |condition: Condition, marks: &[&[Mark]]| {
            let simple = simplify_acceptance(&loops(condition, marks));
            simple.acceptance().condition().to_string()
        };
        let and = |l: Condition, r: Condition| Condition::and([l, r]);
        let or = |l: Condition, r: Condition| Condition::or([l, r]);
        // One mark within another.
        assert_eq!(simplified(and(Inf(0), Inf(1)), &[&[0, 1], &[1], &[]]), "Inf(0)");
        assert_eq!(simplified(or(Fin(0), Inf(1)), &[&[0, 1], &[1], &[]]), "t");
        // Complementary marks.
        assert_eq!(simplified(and(Fin(0), Inf(1)), &[&[0], &[1]]), "Fin(0)");
        assert_eq!(simplified(or(Inf(0), Inf(1)), &[&[0], &[1]]), "t");
        assert_eq!(simplified(and(Fin(0), Fin(1)), &[&[0], &[1]]), "f");
        // Fused marks.
        assert_eq!(simplified(or(Inf(0), Inf(1)), &[&[0], &[1], &[]]), "Inf(0)");
        assert_eq!(simplified(and(Fin(0), Fin(1)), &[&[0], &[1], &[]]), "Fin(0)");
        // A nested term, by its neighbours.
        let nested = and(Inf(0), or(Inf(1), and(Fin(0), Inf(2))));
        assert_eq!(simplified(nested, &[&[0], &[1], &[2], &[]]), "Inf(0) & Inf(1)");
    }
}
