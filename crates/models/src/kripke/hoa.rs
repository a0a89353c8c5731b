//! Automata in the HOA format as systems: each state has a label that is a full valuation.
//!
//! This is how Spot writes Kripke structures: `State: [0&!1] 3` and the successors below. Labels on
//! edges do as well if all edges of a state have the same one. The acceptance condition, which says
//! nothing about a system, is not looked at.

use super::structure::{Kripke, KripkeBuilder};
use sempre_automata::{Alphabet, AnyAutomaton, Automaton, Label, hoa};
use sempre_ltl::Error;

/// Reads a Kripke structure from the only automaton of a text.
///
/// # Errors
/// If the text is not in the format, the automaton has universal branching or no initial state, or
/// a state has no label that says for every proposition whether it holds.
pub fn parse(text: &str) -> Result<Kripke, Error> {
    let parsed = hoa::parse_with_state_labels(text);
    let (automaton, labels) = parsed.map_err(|error| located(text, &error))?;
    let AnyAutomaton::Nondeterministic(automaton) = automaton else {
        return Err(Error::new("an automaton with universal branching is no Kripke structure"));
    };
    let mut given = vec![None; automaton.state_count()];
    labels.into_iter().for_each(|(state, label)| given[state.index()] = Some(label));
    structure(&automaton, &given)
}

fn structure(automaton: &Automaton, given: &[Option<Label>]) -> Result<Kripke, Error> {
    let alphabet = automaton.alphabet();
    let mut builder = KripkeBuilder::default();
    for prop in alphabet.props() {
        builder.proposition(prop.name());
    }
    let states: Vec<_> = automaton
        .states()
        .map(|state| match automaton.state_name(state) {
            Some(name) => builder.state(name),
            None => builder.state(state.index().to_string()),
        })
        .collect();
    for state in automaton.states() {
        let source = states[state.index()];
        let edges = automaton.edges_from(state);
        let label = given[state.index()].or_else(|| edges.first().map(|edge| edge.label));
        let Some(label) = label else {
            return Err(Error::new(format!(
                "state {state} has neither a label nor successors: what holds there is unknown"
            )));
        };
        if edges.iter().any(|edge| edge.label != label) {
            return Err(Error::new(format!(
                "the edges of state {state} have different labels, those of a Kripke structure \
                 have the label of their state"
            )));
        }
        for proposition in valuation(alphabet, label).map_err(|reason| {
            Error::new(format!("the label of state {state} is no full valuation: {reason}"))
        })? {
            builder.label(source, proposition);
        }
        edges.iter().for_each(|edge| builder.edge(source, states[edge.target.index()]));
    }
    automaton.initial().iter().for_each(|state| builder.initial(states[state.index()]));
    builder.build()
}

/// The propositions that hold in the only valuation of the label, or why it has not exactly one.
fn valuation(alphabet: &Alphabet, label: Label) -> Result<Vec<usize>, String> {
    if label == alphabet.ff() {
        return Err("it holds nowhere".to_owned());
    }
    let cubes = alphabet.cubes_up_to(label, 1).filter(|cubes| cubes.len() == 1);
    let Some(cube) = cubes.and_then(|mut cubes| cubes.pop()) else {
        return Err("it allows several".to_owned());
    };
    let open = (0..alphabet.props().len()).find(|prop| cube.iter().all(|(p, _)| p != prop));
    match open {
        Some(prop) => Err(format!("it leaves `{}` open", alphabet.props()[prop].name())),
        None => Ok(cube.into_iter().filter(|(_, holds)| *holds).map(|(p, _)| p).collect()),
    }
}

/// The error with its place in bytes.
fn located(text: &str, error: &sempre_automata::Error) -> Error {
    let located = match error.place() {
        None => Error::new(error.message()),
        Some(place) => {
            let line = text.split_inclusive('\n').take(place.line.saturating_sub(1));
            let line_start: usize = line.map(str::len).sum();
            let rest = &text[line_start..];
            let byte = |column: usize| {
                rest.char_indices().nth(column).map_or(rest.len(), |(byte, _)| byte) + line_start
            };
            let column = place.column.saturating_sub(1);
            Error::at(byte(column)..byte(column + place.width), error.message())
        }
    };
    match error.expectation() {
        Some(what) => located.expected(what),
        None => located,
    }
}
