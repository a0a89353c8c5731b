//! Alternating automata as SVG and Mermaid: an edge to several states forks at a disc.

use super::style::{Outline, Style};
use super::{MermaidOptions, SvgOptions, mermaid_in, svg_in};
use crate::{AlternatingAutomaton, Automaton, Conjunction, Error, Label, Marks, StateId};

/// The alternating automaton as an SVG document.
///
/// # Errors
/// If it would be too large.
pub fn svg_alternating(
    automaton: &AlternatingAutomaton,
    options: &SvgOptions,
) -> Result<String, Error> {
    styled(automaton, |style, graph| svg_in(style, graph, options))
}

/// The alternating automaton as a Mermaid flowchart.
pub fn mermaid_alternating(automaton: &AlternatingAutomaton, options: &MermaidOptions) -> String {
    styled(automaton, |style, graph| mermaid_in(style, graph, options))
}

fn styled<T>(
    automaton: &AlternatingAutomaton,
    write: impl FnOnce(&Style<'_>, &Automaton) -> T,
) -> T {
    let states = automaton.state_count();
    let is_fork = |state: StateId| state.index() >= states;
    let label = |state: StateId, label: Label| match is_fork(state) {
        true => String::new(),
        false => automaton.alphabet().to_formula(label).to_string(),
    };
    let outline = |state: StateId| if is_fork(state) { Outline::Point } else { Outline::Single };
    let style = Style {
        label: &label,
        outline: &outline,
        caption: None,
        marks: true,
        hides: &|_, _| false,
    };
    write(&style, &with_forks(automaton))
}

/// The graph with a further state for each conjunction that an edge or a run leads to.
fn with_forks(automaton: &AlternatingAutomaton) -> Automaton {
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(automaton.acceptance().clone());
    builder.add_states(automaton.state_count());
    let tt = automaton.alphabet().tt();
    let mut edges = vec![];
    let mut forks: Vec<Conjunction> = vec![];
    let mut place = |targets: &Conjunction| {
        if let [target] = targets[..] {
            return target;
        }
        forks.push(targets.clone());
        StateId::new(automaton.state_count() + forks.len() - 1)
    };
    for start in automaton.initial() {
        builder.initial(place(start));
    }
    for state in automaton.states() {
        for edge in automaton.edges_from(state) {
            edges.push((state, edge.label, edge.marks.clone(), place(&edge.targets)));
        }
        if let Some(name) = automaton.state_name(state) {
            builder.state_name(state, name);
        }
    }
    if let Some(name) = automaton.name() {
        builder.name(name);
    }
    let first = builder.add_states(forks.len());
    for (number, fork) in forks.iter().enumerate() {
        for target in fork {
            edges.push((StateId::new(first.index() + number), tt, Marks::EMPTY, *target));
        }
    }
    for (source, label, marks, target) in edges {
        builder.edge(source, label, marks, target);
    }
    builder.build()
}
