//! Removal of propositions that no label depends on.

use crate::automaton::Automaton;
use crate::label::Alphabet;

/// Restricts the alphabet to the propositions that labels depend on, in their order. A word over
/// fewer propositions is accepted exactly if its extensions were; all of them have the same
/// verdict.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, unread_propositions};
/// let mut builder = Automaton::builder(Alphabet::new(["a", "b", "c"]).unwrap());
/// let (state, b) = (builder.add_state(), builder.alphabet().prop(1));
/// builder.initial(state);
/// builder.edge(state, b, Marks::EMPTY, state);
/// let automaton = unread_propositions::drop(&builder.build());
/// assert_eq!(automaton.alphabet().props().len(), 1);
/// ```
pub fn drop(automaton: &Automaton) -> Automaton {
    let alphabet = automaton.alphabet();
    let mut read = vec![false; alphabet.props().len()];
    for edge in automaton.edges() {
        alphabet.support(edge.label).into_iter().for_each(|prop| read[prop] = true);
    }
    if read.iter().all(|read| *read) {
        return automaton.clone();
    }
    let kept = alphabet.props().iter().zip(&read).filter(|(_, read)| **read);
    let narrow = Alphabet::new(kept.map(|(prop, _)| prop.clone()))
        .unwrap_or_else(|_| unreachable!("the propositions differ"));
    // The new number of each proposition; unread ones have none, and are in no cube.
    let places: Vec<usize> = read
        .iter()
        .scan(0, |next, &read| {
            let place = *next;
            *next += usize::from(read);
            Some(place)
        })
        .collect();
    let mut builder = automaton.edit();
    builder.translate(narrow, &places);
    builder.build()
}
