//! Steps of a product, in the encodings of A. E. Ben Salem, *Improving the model checking of
//! stutter-invariant LTL properties* (2014), Table 6.1.

use sempre_automata::{Edge, Label, StateId};
use sempre_diagrams::{Set, Strategy};

use crate::product::{Changes, Parts, Product, Reading, add, is_empty, minus};

/// How to compute the steps of a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Steps {
    /// Edge by edge of the automaton: the states that its label admits, then their successors. This
    /// is encoding A, and B for automata over changes: each edge compares the valuations before and
    /// after.
    Edges,
    /// Change by change: the changes of each step of the system are computed once for all edges,
    /// encoding C. For automata over changes only.
    Changes,
    /// As the other two, with self-loops of the automaton split off. Saturation closes the states
    /// where a self-loop is enabled, without the automaton. For automata over changes, which can
    /// always stutter, this covers the steps without change: encoding D.
    #[default]
    Split,
}

impl Steps {
    /// All values with their names.
    pub const ALL: [(&'static str, Steps); 3] =
        [("edges", Steps::Edges), ("changes", Steps::Changes), ("split", Steps::Split)];
}

impl<'s> Product<'_, 's> {
    /// Returns the successors of states by `chosen` edges.
    pub(crate) fn post(&self, from: &Parts<'s>, chosen: impl Fn(usize) -> bool) -> Parts<'s> {
        let mut parts = self.none();
        for state in self.automaton().states() {
            self.post_of(state, &from[state.index()], &chosen, &mut parts);
        }
        parts
    }

    /// Adds to `parts` the successors of states with one state of the automaton.
    fn post_of(
        &self,
        state: StateId,
        here: &Set<'s>,
        chosen: &impl Fn(usize) -> bool,
        parts: &mut Parts<'s>,
    ) {
        if here.is_empty() || self.edges(state, chosen).next().is_none() {
            return;
        }
        let alphabet = self.automaton().alphabet();
        match &self.reading {
            Reading::Valuations(labelled) => {
                // Edges with the same label have the same successors in the system.
                let mut images: Vec<(Label, Set<'s>)> = Vec::new();
                for edge in self.edges(state, chosen) {
                    let known = images.iter().position(|(label, _)| *label == edge.label);
                    let known = known.unwrap_or_else(|| {
                        images.push((edge.label, self.image(&(here & &labelled[&edge.label]))));
                        images.len() - 1
                    });
                    parts[edge.target.index()] |= &images[known].1;
                }
            }
            Reading::Changes(Changes { classes, .. }) if self.steps == Steps::Edges => {
                for edge in self.edges(state, chosen) {
                    let into = |from: &Set<'s>, to: &Set<'s>| self.image(from) & to;
                    parts[edge.target.index()] |=
                        self.changes(classes, edge.label, here, &self.reached, into);
                }
            }
            Reading::Changes(changes) => {
                for (change, moved) in self.images(changes, here) {
                    for edge in self.edges(state, chosen) {
                        if alphabet.satisfied(edge.label, change) {
                            parts[edge.target.index()] |= &moved;
                        }
                    }
                }
            }
        }
    }

    /// Returns the successors of states in the system, by change.
    fn images(&self, changes: &Changes<'s>, states: &Set<'s>) -> Vec<(u64, Set<'s>)> {
        let Changes { classes, silent, loud } = changes;
        // Events that never change a proposition need no test.
        let unchanged = silent.image(states) | (states & &self.stuttering);
        let mut images = vec![(0, unchanged)];
        for (before, class) in classes {
            sempre_ltl::interrupt::poll();
            let able = states & class;
            if able.is_empty() {
                continue;
            }
            let image = loud.image(&able);
            for (after, class) in classes {
                sempre_ltl::interrupt::poll();
                let moved = &image & class;
                if moved.is_empty() {
                    continue;
                }
                match images.iter_mut().find(|(change, _)| *change == before ^ after) {
                    Some((_, known)) => *known |= moved,
                    None => images.push((before ^ after, moved)),
                }
            }
        }
        images
    }

    /// Returns the predecessors in `within` of states by `chosen` edges.
    pub(crate) fn pre(
        &self,
        to: &Parts<'s>,
        within: &Parts<'s>,
        chosen: impl Fn(usize) -> bool,
    ) -> Parts<'s> {
        let mut parts = self.none();
        for state in self.automaton().states() {
            let here = &within[state.index()];
            if here.is_empty() {
                continue;
            }
            for edge in self.edges(state, &chosen) {
                let target = &to[edge.target.index()];
                if target.is_empty() {
                    continue;
                }
                let preimage = |target: &Set<'s>, within: &Set<'s>| self.preimage(target, within);
                parts[state.index()] |= match &self.reading {
                    Reading::Valuations(labelled) => {
                        preimage(target, &(here & &labelled[&edge.label]))
                    }
                    Reading::Changes(Changes { classes, .. }) => {
                        self.changes(classes, edge.label, target, here, preimage)
                    }
                };
            }
        }
        parts
    }

    /// Returns the states of `within` reached by one event, or a stuttering deadlock, with an edge
    /// of the automaton.
    pub(crate) fn successors(
        &self,
        event: Option<usize>,
        edge: usize,
        from: &Set<'s>,
        within: &Set<'s>,
    ) -> Set<'s> {
        let image = |states: &Set<'s>| match event {
            Some(event) => self.events()[event].image(states),
            None => states & &self.stuttering,
        };
        let label = self.automaton().edges()[edge].label;
        match &self.reading {
            Reading::Valuations(labelled) => image(&(from & &labelled[&label])) & within,
            Reading::Changes(Changes { classes, .. }) => {
                self.changes(classes, label, from, within, |from, to| image(from) & to)
            }
        }
    }

    /// Returns the states of `within` from which one event, or a stuttering deadlock, leads into
    /// `target` with an edge of the automaton.
    pub(crate) fn predecessors(
        &self,
        event: Option<usize>,
        edge: usize,
        target: &Set<'s>,
        within: &Set<'s>,
    ) -> Set<'s> {
        let preimage = |target: &Set<'s>, within: &Set<'s>| match event {
            Some(event) => self.events()[event].preimage(target, within),
            None => &(target & within) & &self.stuttering,
        };
        let label = self.automaton().edges()[edge].label;
        match &self.reading {
            Reading::Valuations(labelled) => preimage(target, &(within & &labelled[&label])),
            Reading::Changes(Changes { classes, .. }) => {
                self.changes(classes, label, target, within, preimage)
            }
        }
    }

    /// Returns the sum over all pairs of valuations whose difference satisfies a label.
    fn changes(
        &self,
        classes: &[(u64, Set<'s>)],
        label: Label,
        from: &Set<'s>,
        to: &Set<'s>,
        between: impl Fn(&Set<'s>, &Set<'s>) -> Set<'s>,
    ) -> Set<'s> {
        let mut sum = from.manager().empty(from.arity());
        for (one, states) in classes {
            sempre_ltl::interrupt::poll();
            let from = from & states;
            if from.is_empty() {
                continue;
            }
            for (other, states) in classes {
                sempre_ltl::interrupt::poll();
                if self.automaton().alphabet().satisfied(label, one ^ other) {
                    sum |= between(&from, &(to & states));
                }
            }
        }
        sum
    }

    /// Adds the states reached by `chosen` self-loops of a state that saturation can follow.
    fn close(&self, state: StateId, states: Set<'s>, chosen: &impl Fn(usize) -> bool) -> Set<'s> {
        let alphabet = self.automaton().alphabet();
        let loops = || self.edges(state, chosen).filter(|edge| edge.target == state);
        if states.is_empty() || loops().next().is_none() {
            return states;
        }
        let mut closed = states;
        match &self.reading {
            Reading::Valuations(_) if loops().any(|edge| edge.label == alphabet.tt()) => {
                self.events.reach(&closed, Strategy::Saturation)
            }
            Reading::Valuations(labelled) => {
                let allowed = |edge: &Edge| &labelled[&edge.label];
                let within = loops()
                    .map(allowed)
                    .fold(closed.manager().empty(closed.arity()), |sum, more| sum | more);
                let inside = self.events.reach_within(&closed, &within, Strategy::Saturation);
                closed |= self.events.image(&inside) | inside;
                closed
            }
            Reading::Changes(Changes { classes, .. }) => {
                if loops().any(|edge| alphabet.satisfied(edge.label, 0)) {
                    for (_, class) in classes {
                        sempre_ltl::interrupt::poll();
                        closed |= self.events.reach_within(&closed, class, Strategy::Saturation);
                    }
                }
                closed
            }
        }
    }

    /// Returns all states reachable from some states by `chosen` edges, inclusive.
    pub(crate) fn reach(&self, from: &Parts<'s>, chosen: impl Fn(usize) -> bool) -> Parts<'s> {
        if !self.saturate {
            let mut found = from.clone();
            let mut new = found.clone();
            while !is_empty(&new) {
                new = minus(self.post(&new, &chosen), &found);
                add(&mut found, &new);
            }
            return found;
        }
        // New states are passed on immediately, from one state of the automaton to the next.
        let mut found = self.none();
        let mut met = from.clone();
        loop {
            let mut is_done = true;
            for &state in &self.order {
                let here = state.index();
                let mut new = &met[here] - &found[here];
                if new.is_empty() {
                    continue;
                }
                is_done = false;
                if self.steps == Steps::Split {
                    new = self.close(state, new, &chosen) - &found[here];
                }
                found[here] |= &new;
                self.post_of(state, &new, &chosen, &mut met);
            }
            if is_done {
                return found;
            }
        }
    }
}
