//! Sets of changes as labels. A change is the set of propositions whose values differ between two
//! adjacent valuations. So a change is a letter over these propositions, and a set of changes is a
//! label of the same alphabet.

use sempre_automata::{Alphabet, Label};

/// The maximal number of changes to list; larger sets are written as a formula.
const MAX_LISTED: u128 = 4;

/// Returns the set with only the empty change.
pub fn stuttering(alphabet: &Alphabet) -> Label {
    let cube: Vec<(usize, bool)> = (0..alphabet.props().len()).map(|prop| (prop, false)).collect();
    alphabet.from_cube(&cube)
}

/// True if the set contains the empty change.
pub fn can_stutter(alphabet: &Alphabet, changes: Label) -> bool {
    alphabet.satisfied(changes, 0)
}

/// Returns the cube of all letters with these values of the propositions in the mask.
pub(crate) fn letters(alphabet: &Alphabet, values: u64, mask: u64) -> Label {
    let props = (0..alphabet.props().len()).filter(|prop| *prop < 64 && mask >> prop & 1 == 1);
    let cube: Vec<(usize, bool)> = props.map(|prop| (prop, values >> prop & 1 == 1)).collect();
    alphabet.from_cube(&cube)
}

/// Formats a set of changes: a list such as `∅`, `{a}`, `{a b}` if there are few, otherwise a
/// formula over the propositions that change, `Δ(a | !b)`.
///
/// ```
/// use sempre_automata::Alphabet;
/// use sempre_testing::changes::{stuttering, text};
/// let alphabet = Alphabet::new(["a", "b", "c"]).unwrap();
/// assert_eq!(text(&alphabet, stuttering(&alphabet)), "∅");
/// assert_eq!(text(&alphabet, alphabet.and(alphabet.prop(0), alphabet.prop(1))), "{a b} {a b c}");
/// assert_eq!(text(&alphabet, alphabet.or(alphabet.prop(0), alphabet.prop(1))), "Δ(a | b)");
/// assert_eq!(text(&alphabet, alphabet.tt()), "Δ(1)");
/// ```
pub fn text(alphabet: &Alphabet, changes: Label) -> String {
    if alphabet.count(changes) > MAX_LISTED {
        return format!("Δ({})", alphabet.to_formula(changes));
    }
    let mut rest = changes;
    let mut sets = vec![];
    while let Some(props) = alphabet.some_valuation(rest) {
        let cube: Vec<(usize, bool)> =
            (0..alphabet.props().len()).map(|prop| (prop, props.contains(&prop))).collect();
        rest = alphabet.minus(rest, alphabet.from_cube(&cube));
        sets.push(props);
    }
    sets.sort_by_key(|props| (props.len(), props.clone()));
    let set = |props: &Vec<usize>| match props.is_empty() {
        true => "∅".to_owned(),
        false => {
            let names: Vec<&str> = props.iter().map(|p| alphabet.props()[*p].name()).collect();
            format!("{{{}}}", names.join(" "))
        }
    };
    sets.iter().map(set).collect::<Vec<_>>().join(" ")
}
