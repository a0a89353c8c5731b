//! Graphs of states and actions as pictures: drawn as automata whose letters are the actions.

use crate::trace::Values;
use anyhow::Result;
use rustc_hash::FxHashMap;
use sempre::automata::draw::{self, DotOptions, SvgOptions, TextOptions};
use sempre::automata::{Alphabet, Automaton, Marks, StateId};

/// What a graph is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Drawing {
    /// The language of Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A drawing for terminals.
    Text,
}

/// States with actions between them.
#[derive(Debug, Default)]
pub(crate) struct Picture {
    /// What it shows.
    pub(crate) name: &'static str,
    /// What is written at each state; the initial ones come first.
    pub(crate) states: Vec<String>,
    /// How many states are initial.
    pub(crate) initial: usize,
    /// The source, the action and the target.
    pub(crate) edges: Vec<(usize, String, usize)>,
}

impl Picture {
    /// Draws the graph.
    pub(crate) fn draw(self, drawing: Drawing) -> Result<String> {
        let automaton = self.automaton()?;
        // There is nothing to say about acceptance.
        let caption = false;
        Ok(match drawing {
            Drawing::Dot => draw::dot(&automaton, &DotOptions { caption, ..DotOptions::default() }),
            Drawing::Svg => {
                draw::svg(&automaton, &SvgOptions { caption, ..SvgOptions::default() })?
            }
            Drawing::Text => {
                draw::text(&automaton, &TextOptions { caption, ..TextOptions::default() })
            }
        })
    }

    fn automaton(self) -> Result<Automaton> {
        let mut letters: FxHashMap<String, usize> = FxHashMap::default();
        let mut names = Vec::new();
        let mut letter = |name: String| {
            *letters.entry(name).or_insert_with_key(|name| {
                names.push(name.clone());
                names.len() - 1
            })
        };
        let edges: Vec<(usize, usize, usize)> = self
            .edges
            .into_iter()
            .map(|(source, action, target)| (source, letter(action), target))
            .collect();
        let mut builder = Automaton::builder(Alphabet::new(names)?);
        let alphabet = builder.alphabet().clone();
        builder.name(self.name);
        builder.add_states(self.states.len());
        for (number, text) in self.states.into_iter().enumerate() {
            builder.state_name(StateId::new(number), text);
        }
        for number in 0..self.initial {
            builder.initial(StateId::new(number));
        }
        for (source, letter, target) in edges {
            let (source, target) = (StateId::new(source), StateId::new(target));
            builder.edge(source, alphabet.prop(letter), Marks::EMPTY, target);
        }
        Ok(builder.build())
    }
}

/// How many characters of the text of a state are shown.
const LONGEST: usize = 60;

/// The text of the state that has these values, as long as it may be: those that are not 0, a value
/// of 1 by its name alone.
pub(crate) fn values_text(values: &Values) -> String {
    let values = values.0.iter().map(|(name, value)| match &**value {
        "1" => name.clone(),
        _ => format!("{name}={value}"),
    });
    shorten(values.collect::<Vec<_>>().join(" "))
}

/// As much of the text as is shown at a state.
pub(crate) fn shorten(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
