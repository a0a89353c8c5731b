//! Alternating automata in DOT: an edge to a conjunction forks at a dot.

use super::caption;
use super::dot::{DotOptions, html_label, quoted, write_head};
use crate::{AlternatingAutomaton, Conjunction, Marks, Named, StateId, UniversalEdge};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::fmt::Write;

/// Draws an alternating automaton in DOT. Linear.
///
/// Components are not shown, because acceptance depends on all branches of a run.
pub fn dot_alternating(automaton: &AlternatingAutomaton, options: &DotOptions) -> String {
    let mut drawing = Drawing {
        automaton,
        shown: nearest(automaton, options.max_states.unwrap_or(usize::MAX)),
        double_circles: *automaton.acceptance() == Named::Buchi.acceptance()
            && automaton.states().all(|state| {
                automaton.edges_from(state).windows(2).all(|pair| pair[0].marks == pair[1].marks)
            }),
        forks: 0,
        out: String::new(),
    };
    // Writing to a string does not fail.
    let _ = drawing.write(options);
    drawing.out
}

/// Selects at most `max` states, those nearest to the initial ones first.
fn nearest(automaton: &AlternatingAutomaton, max: usize) -> FxHashSet<StateId> {
    let mut shown = FxHashSet::default();
    let mut queue = VecDeque::new();
    let mut roots = automaton.initial().iter().flatten().copied().chain(automaton.states());
    while shown.len() < max {
        let Some(state) = queue.pop_front().or_else(|| roots.next()) else { break };
        if shown.insert(state) {
            queue
                .extend(automaton.edges_from(state).iter().flat_map(|edge| &edge.targets).copied());
        }
    }
    shown
}

struct Drawing<'a> {
    automaton: &'a AlternatingAutomaton,
    shown: FxHashSet<StateId>,
    double_circles: bool,
    /// The number of forks written so far.
    forks: usize,
    out: String,
}

impl Drawing<'_> {
    fn write(&mut self, options: &DotOptions) -> std::fmt::Result {
        let automaton = self.automaton;
        let (shown, all) = (self.shown.len(), automaton.state_count());
        let cut = (shown < all).then(|| format!("{shown} of {all} states shown"));
        let acceptance = caption::acceptance(automaton.acceptance());
        write_head(automaton.name(), &acceptance, cut, options.direction, &mut self.out)?;
        for (place, start) in automaton.initial().iter().enumerate() {
            if self.shows(start) {
                let source = format!("I{place}");
                writeln!(self.out, "  {source} [label=\"\", style=invis, width=0]")?;
                self.arrow(&source, "", start)?;
            }
        }
        for state in
            automaton.states().filter(|state| self.shown.contains(state)).collect::<Vec<_>>()
        {
            self.state(state, options.state_names)?;
        }
        self.out.write_str("}\n")
    }

    fn shows(&self, states: &Conjunction) -> bool {
        states.iter().all(|state| self.shown.contains(state))
    }

    fn state(&mut self, state: StateId, names: bool) -> std::fmt::Result {
        let edges = self.automaton.edges_from(state);
        let accepting = self.double_circles && edges.iter().any(|edge| !edge.marks.is_empty());
        let double = if accepting { ", peripheries=2" } else { "" };
        let name = self.automaton.state_name(state).filter(|_| names);
        let text = name.map_or_else(|| state.to_string(), str::to_owned);
        writeln!(self.out, "  {state} [label={}{double}]", quoted(&text))?;
        let mut hidden = 0;
        for UniversalEdge { targets, label, marks } in edges {
            if !self.shows(targets) {
                hidden += 1;
                continue;
            }
            let marks = if self.double_circles { &Marks::EMPTY } else { marks };
            let label = self.automaton.alphabet().to_formula(*label).to_string();
            let label = format!("label=<{}>", html_label(&label, marks));
            self.arrow(&state.to_string(), &label, targets)?;
        }
        if hidden > 0 {
            let tooltip = quoted(&format!("edges to states that are not shown: {hidden}"));
            writeln!(self.out, "  H{state} [label=\"…\", shape=none, width=0, height=0]")?;
            writeln!(self.out, "  {state} -> H{state} [style=dashed, tooltip={tooltip}]")?;
        }
        Ok(())
    }

    /// Writes an arrow with one head, or one without a head to a dot from which others continue.
    fn arrow(&mut self, source: &str, label: &str, targets: &Conjunction) -> std::fmt::Result {
        if let [target] = targets[..] {
            return writeln!(self.out, "  {source} -> {target} [{label}]");
        }
        let fork = format!("U{}", self.forks);
        self.forks += 1;
        let comma = if label.is_empty() { "" } else { ", " };
        writeln!(self.out, "  {fork} [label=\"\", shape=point, width=0.06, fillcolor=black]")?;
        writeln!(self.out, "  {source} -> {fork} [{label}{comma}arrowhead=none]")?;
        targets.iter().try_for_each(|target| writeln!(self.out, "  {fork} -> {target}"))
    }
}
