//! Alternating automata and their runs in text, for terminals.
//!
//! A block per state, a line per edge; an edge to several states names all of them, and the kind of
//! a state (may, must, loopless, mixed) stands after its number. A run is a block per position of
//! the word, with a line per state: the layers of a directed acyclic graph. Linear time.

use super::caption;
use super::text::{
    Row, Signs, TextOptions, WIDEST_LABEL, WIDEST_NAME, cut, laid_out, mark_text, one_line,
};
use crate::{AlternatingAutomaton, RunLayers, StateId};
use sempre_ltl::{Formula, Word};

/// The alternating automaton as text: `▶ ○ 0 must ─── 1 ─▶ 0 & 1`.
pub fn text_alternating(automaton: &AlternatingAutomaton, options: &TextOptions) -> String {
    let signs = Signs::of(options);
    let most = options.max_states.unwrap_or(usize::MAX);
    let (shown, all) = (automaton.state_count().min(most), automaton.state_count());
    let condition = caption::join(&caption::acceptance(automaton.acceptance()), signs.mark);
    let name = automaton.name().map(one_line);
    let caption = name.into_iter().chain([condition]).filter(|_| options.caption);
    let hidden = (shown < all).then(|| format!("{shown} of {all} states shown"));
    let states = || automaton.states().take(shown);
    let head = |state: StateId| {
        let starts = automaton.initial().iter().any(|start| start.contains(&state));
        let initial = if starts { signs.initial } else { " " };
        let kind = automaton.kind_of(state).name();
        let mut head = format!("{initial} {} {state} {kind}", signs.state);
        if let Some(name) = automaton.state_name(state).filter(|_| options.state_names) {
            head.push_str("  ");
            head.push_str(&cut(&one_line(name), WIDEST_NAME, signs));
        }
        head
    };
    let rows = |state: StateId| -> Vec<Row> {
        let edges = automaton.edges_from(state).iter();
        let rows = edges.map(|edge| Row {
            label: cut(
                &automaton.alphabet().to_formula(edge.label).to_string(),
                WIDEST_LABEL,
                signs,
            ),
            marks: mark_text(&edge.marks, signs),
            arrow: match edge.targets[..] == [state] {
                true => signs.self_loop.to_owned(),
                false => format!("{}{}", signs.arrow, joined(&edge.targets)),
            },
        });
        rows.collect()
    };
    let heads: Vec<String> = states().map(head).collect();
    let blocks: Vec<Vec<Row>> = states().map(rows).collect();
    // Runs that start in several states together are named, as the signs of states do not show it.
    let starts = automaton.initial().iter().filter(|start| start.len() > 1);
    let starts = starts.map(|start| format!("start: {}", joined(start)));
    laid_out(caption.chain(starts).chain(hidden), &heads, &blocks, signs)
}

/// A run as text: for each position of its layers the letter, and each state with the states that
/// follow it. Names of states are given by a function.
pub fn text_of_run(
    run: &RunLayers,
    word: &Word,
    name: impl Fn(StateId) -> Option<String>,
    options: &TextOptions,
) -> String {
    let signs = Signs::of(options);
    let (mut heads, mut blocks) = (vec![], vec![]);
    for (position, layer) in run.layers().iter().enumerate() {
        let cycle = if position == run.prefix_len() { " cycle" } else { "" };
        let rows = layer.iter().map(|node| {
            let name = name(node.state).filter(|_| options.state_names).unwrap_or_default();
            let name = cut(&one_line(&name), WIDEST_NAME, signs);
            Row {
                label: format!("{} {name}", node.state).trim_end().to_owned(),
                marks: mark_text(&node.marks, signs),
                arrow: format!("{}{}", signs.arrow, joined(&node.targets)),
            }
        });
        heads.push(format!("{position}{cycle}: {}", letter(word, position)));
        blocks.push(rows.collect());
    }
    laid_out(std::iter::empty(), &heads, &blocks, signs)
}

/// The letter at a position, which may lie in a later round of the cycle.
fn letter(word: &Word, position: usize) -> String {
    let position = word.position(position);
    let literals = word.props().iter().map(|prop| {
        let prop_holds = word.value(position, prop);
        let prop = Formula::prop(prop.clone());
        if prop_holds { prop } else { Formula::not(prop) }
    });
    // Printed as the labels of edges are.
    Formula::and(literals).to_string()
}

fn joined(states: &[StateId]) -> String {
    let names: Vec<String> = states.iter().map(ToString::to_string).collect();
    names.join(" & ")
}
