//! Removal of propositions that no label depends on.

use crate::automaton::Automaton;
use crate::label::Alphabet;

/// The same automaton over the propositions that its labels depend on, in the order they had. Words
/// over fewer propositions are accepted exactly if some, or all, of their extensions were.
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
    // Where each proposition goes; those that are not read go nowhere, and are in no cube.
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
