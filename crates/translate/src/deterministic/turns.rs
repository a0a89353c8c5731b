//! Deterministic automata of many limits: `GF b0 & … & GF bn` with a state for each limit, and one
//! mark.
//!
//! One state with a mark for each limit has 2^n edges. Here a state waits for the letters of one
//! limit, and ignores the others until it has seen them. Then it is the turn of the next one; the
//! edge from the last one is marked.

use super::Workshop;
use super::limit::{Combination, Watch};
use sempre_automata::{Automaton, Label, Marks, Named, StateId};

/// The automaton of a conjunction of limits, if all are `GF b` for Boolean b.
pub(super) fn automaton(workshop: &Workshop, limits: &[Combination]) -> Option<Automaton> {
    let labels = limits.iter().map(|limit| match limit {
        Combination::Watch(watch, true) => marked(workshop, *watch),
        _ => None,
    });
    let labels: Vec<Label> = labels.collect::<Option<_>>()?;
    let alphabet = workshop.alphabet.clone();
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(Named::Buchi.acceptance());
    builder.add_states(labels.len());
    builder.initial(StateId::new(0));
    for (turn, label) in labels.iter().enumerate() {
        let is_last = turn + 1 == labels.len();
        let (state, next) = (StateId::new(turn), StateId::new((turn + 1) % labels.len()));
        let marks = if is_last { Marks::from_iter([0]) } else { Marks::EMPTY };
        builder.edge(state, *label, marks, next);
        builder.edge(state, alphabet.not(*label), Marks::EMPTY, state);
    }
    Some(builder.build())
}

/// The letters with which a watch of one state succeeds. A larger one may have marks before its
/// first success, so that it cannot be started again.
fn marked(workshop: &Workshop, watch: Watch) -> Option<Label> {
    let automaton = workshop.watch(watch);
    let marked = automaton.edges().iter().filter(|edge| !edge.marks.is_empty());
    (automaton.state_count() == 1)
        .then(|| automaton.alphabet().any_of(marked.map(|edge| edge.label)))
}

#[cfg(test)]
mod tests {
    use crate::deterministic::limit::Combination;
    use crate::deterministic::{Request, TargetAcceptance, routes, translate};
    use crate::tableau;
    use sempre_automata::{Automaton, complement, emptiness, product};
    use sempre_ltl::Formula;

    /// The automaton of a formula by turns alone.
    fn by_turns(formula: &Formula) -> Option<Automaton> {
        let mut workshop = routes::workshop_of(formula, routes::BOUNDS);
        let simple = routes::simplified(&mut workshop, formula);
        match workshop.combination(&simple)? {
            Combination::And(limits) => super::automaton(&workshop, &limits),
            _ => None,
        }
    }

    #[test]
    fn turns_are_right() {
        for text in ["GFa & GFb & GF(a & !b)", "GFa & GF!a", "GFa & GFb & GFc", "GF(a | b) & GFc"] {
            let formula: Formula = text.parse().unwrap();
            let automaton = by_turns(&formula).unwrap();
            let [positive, negative] =
                [formula.clone(), Formula::not(&formula)].map(|f| tableau::translate(&f));
            let dual = complement::deterministic(&automaton).unwrap();
            assert!(automaton.is_deterministic());
            assert!(product::common_word(&automaton, &negative).is_none(), "{text}");
            assert!(product::common_word(&dual, &positive).is_none(), "{text}");
        }
        for text in ["GFa & FGb", "GF(a & Xa) & GFb", "GFa | GFb", "GFa & Fb"] {
            assert!(by_turns(&text.parse().unwrap()).is_none(), "{text}");
        }
    }

    /// A few limits have one state, many have a state each; disjunctions of `FG` are dual.
    #[test]
    fn many_limits_have_a_state_each() {
        for (limit, operator) in [("GF", " & "), ("FG", " | ")] {
            let limits = |count: usize| -> Formula {
                let limits: Vec<String> = (0..count).map(|n| format!("{limit}p{n}")).collect();
                limits.join(operator).parse().unwrap()
            };
            let small = translate(&limits(5), &Request::default()).unwrap();
            assert_eq!((small.state_count(), small.edge_count()), (1, 32));
            for wanted in [TargetAcceptance::Any, TargetAcceptance::Parity] {
                let request = Request { wanted, ..Request::default() };
                let large = translate(&limits(60), &request).unwrap();
                assert!(large.is_deterministic());
                assert_eq!((large.state_count(), large.edge_count()), (60, 120));
                // Each limit matters.
                let dual = complement::deterministic(&large).unwrap();
                for number in 0..60 {
                    let (automaton, text) = match limit {
                        "GF" => (&large, format!("FG!p{number}")),
                        _ => (&dual, format!("FGp{number}")),
                    };
                    let one = tableau::translate(&text.parse().unwrap());
                    assert!(product::common_word(automaton, &one).is_none(), "{text}");
                }
                let some = if limit == "GF" { &large } else { &dual };
                assert!(!emptiness::is_empty(some));
            }
        }
    }
}
