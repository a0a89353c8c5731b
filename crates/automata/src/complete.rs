//! Completion: every state reads every letter.

use crate::acceptance::Named;
use crate::automaton::{Automaton, AutomatonBuilder};
use crate::index::StateId;
use crate::marks::Marks;

/// Completes an automaton without changing its language. Missing letters lead to a rejecting sink,
/// an existing one if possible. Linear, except for finding marks that the condition rejects; see
/// [`rejected_marks`](crate::Acceptance::rejected_marks).
///
/// A condition that accepts all runs becomes Büchi, and all old edges get the mark. State-based
/// acceptance is preserved, and so is the property that each edge has one mark.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, complete};
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// let (state, a) = (builder.add_state(), builder.alphabet().prop(0));
/// builder.initial(state).edge(state, a, Marks::EMPTY, state);
/// let complete = complete(&builder.build());
/// assert!(complete.is_complete() && complete.state_count() == 2);
/// assert_eq!(complete.acceptance().condition().to_string(), "Inf(0)");
/// ```
pub fn complete(automaton: &Automaton) -> Automaton {
    if automaton.is_complete() {
        return automaton.clone();
    }
    let mut builder = automaton.edit();
    let (sink_marks, edge_marks) = match rejected(automaton) {
        Some(marks) => (marks, None),
        None => {
            let accepting = Marks::from_iter([0]);
            builder.acceptance(Named::Buchi.acceptance());
            builder.retain_edges(|_, edge| {
                edge.marks = accepting.clone();
                true
            });
            (Marks::EMPTY, Some(accepting))
        }
    };
    let sink = existing_sink(automaton).unwrap_or_else(|| add_sink(&mut builder, &sink_marks));
    if automaton.initial().is_empty() {
        builder.initial(sink);
    }
    let alphabet = automaton.alphabet();
    for state in automaton.states() {
        let edges = automaton.edges_from(state);
        let read = edges.iter().fold(alphabet.ff(), |read, edge| alphabet.or(read, edge.label));
        // The edge is on no cycle, so its marks are irrelevant. The marks of the other edges keep
        // acceptance state-based.
        let marks = match (edges.first(), &edge_marks) {
            (Some(_), Some(marks)) => marks.clone(),
            (Some(edge), None) => edge.marks.clone(),
            (None, _) => sink_marks.clone(),
        };
        builder.edge(state, alphabet.not(read), marks, sink);
    }
    builder.build()
}

fn add_sink(builder: &mut AutomatonBuilder, marks: &Marks) -> StateId {
    let (sink, tt) = (builder.add_state(), builder.alphabet().tt());
    builder.edge(sink, tt, marks.clone(), sink);
    sink
}

/// Returns marks for the edge of a sink: a single one if all other edges have a single one.
fn rejected(automaton: &Automaton) -> Option<Marks> {
    let acceptance = automaton.acceptance();
    let single = automaton
        .is_colored()
        .then(|| (0..acceptance.marks()).map(|mark| Marks::from_iter([mark])))
        .into_iter()
        .flatten()
        .find(|marks| !acceptance.accepts(marks));
    single.or_else(|| acceptance.rejected_marks())
}

/// Returns a state with one edge, a rejecting self-loop on every letter.
fn existing_sink(automaton: &Automaton) -> Option<StateId> {
    automaton.states().find(|&state| match automaton.edges_from(state) {
        [edge] => {
            edge.target == state
                && edge.label == automaton.alphabet().tt()
                && !automaton.acceptance().accepts(&edge.marks)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{RandomAcceptance, RandomAutomata};
    use crate::test_language::same_language;
    use crate::{Parity, ParityKind, arbitrary};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn completion_keeps_the_language(automaton in arbitrary::automaton()) {
            let complete = complete(&automaton);
            prop_assert!(complete.is_complete());
            prop_assert!(same_language(&automaton, &complete));
            prop_assert!(complete.state_count() <= automaton.state_count() + 1);
            prop_assert!(!automaton.is_deterministic() || complete.is_deterministic());
            prop_assert!(!automaton.is_state_based() || complete.is_state_based());
            prop_assert!(super::complete(&complete) == complete);
        }
    }

    #[test]
    fn state_based_and_coloured_automata_stay_so() {
        for marks in 0..4 {
            let random = RandomAutomata::over(["a"]).unwrap().states(4).state_based(true);
            let random = random.acceptance(RandomAcceptance::Condition(marks));
            for automaton in random.seed(9).generate().take(40) {
                assert!(automaton.is_state_based() && complete(&automaton).is_state_based());
            }
        }
        for kind in [ParityKind::Min, ParityKind::Max] {
            let parity = Named::Parity(Parity { kind, odd: false, marks: 4 });
            let random = RandomAutomata::over(["a"]).unwrap().states(4).acceptance(parity);
            for automaton in random.generate().take(20) {
                let mut builder = automaton.edit();
                let mut mark = 0;
                builder.retain_edges(|_, edge| {
                    mark = (mark + 3) % 4;
                    edge.marks = Marks::from_iter([mark]);
                    true
                });
                let automaton = builder.build();
                assert!(automaton.is_colored() && complete(&automaton).is_colored());
            }
        }
    }

    #[test]
    fn an_existing_sink_serves() {
        let random = RandomAutomata::over(["a", "b"]).unwrap().states(4).density(0.3);
        let partial = random.generate().find(|automaton| !automaton.is_complete()).unwrap();
        let completed = complete(&partial);
        let mut builder = completed.edit();
        builder.retain_edges(|source, edge| {
            edge.target == source || completed.edges_from(edge.target).len() > 1
        });
        let again = complete(&builder.build());
        assert_eq!(again.state_count(), completed.state_count());
    }
}
