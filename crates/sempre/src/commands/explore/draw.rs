//! State spaces as pictures: drawn as automata whose letters are the actions.

use crate::trace;
use anyhow::Result;
use rustc_hash::FxHashMap;
use sempre::automata::draw::{self, DotOptions, SvgOptions, TextOptions};
use sempre::automata::{Alphabet, Automaton, Marks, StateId};
use sempre::explicit::explore::Graph;
use sempre::models::System;

/// What a state space is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Drawing {
    /// The language of Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A drawing for terminals.
    Text,
}

/// How many characters of the text of a state are shown.
const LONGEST: usize = 60;

/// Draws the graph.
pub(super) fn draw<S: System>(system: &S, graph: &Graph, drawing: Drawing) -> Result<String> {
    let automaton = automaton(system, graph)?;
    // There is nothing to say about acceptance.
    let caption = false;
    Ok(match drawing {
        Drawing::Dot => draw::dot(&automaton, &DotOptions { caption, ..DotOptions::default() }),
        Drawing::Svg => draw::svg(&automaton, &SvgOptions { caption, ..SvgOptions::default() })?,
        Drawing::Text => draw::text(&automaton, &TextOptions { caption, ..TextOptions::default() }),
    })
}

fn automaton<S: System>(system: &S, graph: &Graph) -> Result<Automaton> {
    let mut letters: FxHashMap<String, usize> = FxHashMap::default();
    let mut names = Vec::new();
    let mut letter = |name: String| {
        *letters.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            names.len() - 1
        })
    };
    let edges: Vec<(usize, usize, usize)> = graph
        .edges
        .iter()
        .map(|edge| {
            let letter = letter(system.action_name(edge.action));
            (edge.source.index(), letter, edge.target.index())
        })
        .collect();
    let mut builder = Automaton::builder(Alphabet::new(names)?);
    let alphabet = builder.alphabet().clone();
    builder.add_states(graph.states.len());
    for (number, state) in graph.states.iter().enumerate() {
        builder.state_name(StateId::new(number), state_text(system, state));
    }
    for number in 0..graph.initial {
        builder.initial(StateId::new(number));
    }
    for (source, letter, target) in edges {
        let (source, target) = (StateId::new(source), StateId::new(target));
        builder.edge(source, alphabet.prop(letter), Marks::EMPTY, target);
    }
    Ok(builder.build())
}

/// The values that are not 0; a value of 1 by its name alone.
fn state_text<S: System>(system: &S, state: &[u32]) -> String {
    let values = trace::values(system, state).into_iter().map(|(name, value)| match &*value {
        "1" => name,
        _ => format!("{name}={value}"),
    });
    let text = values.collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
