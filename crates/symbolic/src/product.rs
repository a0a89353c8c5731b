//! The product of a system with an automaton: for each state of the automaton, a set of states of
//! the system.
//!
//! That is a diagram with the automaton's variable at the top, whose root is kept as a list. The
//! automaton reads valuations (TGBA) or their changes (TGTA). With saturation, what a loop of the
//! automaton lets happen is closed at once, inside the set of states in which it may be taken: for
//! TGTA, whose states all have a loop for stuttering, these are the steps that change no
//! proposition.

use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, Edge, Label, StateId};
use sempre_diagrams::{EventId, Group, Set, Strategy};
use sempre_models::proposition::Propositions;
use sempre_models::{Fault, System};
use sempre_testing::ChangeGraph;

use crate::space::Space;

/// For each state of the automaton, states of the system.
pub(crate) type Parts<'s> = Vec<Set<'s>>;

/// What the edges of an automaton read.
enum Reading<'s> {
    /// Valuations: the states that satisfy each label.
    Valuations(FxHashMap<Label, Set<'s>>),
    /// Changes: the valuations that occur, with their states.
    Changes(Vec<(u64, Set<'s>)>),
}

/// A product whose states are reachable in the system.
pub(crate) struct Product<'a, 's> {
    automaton: &'a Automaton,
    events: Group<'s>,
    reached: Set<'s>,
    /// States that are their own successors, since they have no other.
    stuttering: Set<'s>,
    reading: Reading<'s>,
    saturate: bool,
    pub(crate) initial: Parts<'s>,
}

/// The valuations that occur, with their states.
fn valuations<'s, S: System>(
    space: &Space<'s, S>,
    propositions: &Propositions,
) -> Result<Vec<(u64, Set<'s>)>, Fault> {
    let mut classes = vec![(0, space.reached.clone())];
    for number in 0..propositions.len() {
        let holding = space.satisfying(propositions, number)?;
        classes = (classes.into_iter())
            .flat_map(|(valuation, states)| {
                let with = (valuation | 1 << number, &states & &holding);
                [(valuation, states - &holding), with]
            })
            .filter(|(_, states)| !states.is_empty())
            .collect();
    }
    Ok(classes)
}

impl<'a, 's> Product<'a, 's> {
    /// The product with an automaton over valuations. The last state of a run that ends repeats if
    /// `stutter`, and has no successor otherwise.
    ///
    /// # Errors
    /// If a proposition has no meaning in a state.
    pub(crate) fn new<S: System>(
        space: &Space<'s, S>,
        automaton: &'a Automaton,
        propositions: &Propositions,
        stutter: bool,
        saturate: bool,
    ) -> Result<Self, Fault> {
        let classes = valuations(space, propositions)?;
        let alphabet = automaton.alphabet();
        let mut labelled = FxHashMap::default();
        for edge in automaton.edges() {
            labelled.entry(edge.label).or_insert_with(|| {
                let able = classes.iter().filter(|(one, _)| alphabet.satisfied(edge.label, *one));
                able.fold(space.none(), |sum, (_, states)| sum | states)
            });
        }
        let mut initial = vec![space.none(); automaton.state_count()];
        for state in automaton.initial() {
            initial[state.index()] = space.encoding.initial.clone();
        }
        Ok(Self::with(space, automaton, Reading::Valuations(labelled), stutter, saturate, initial))
    }

    /// The product with an automaton over changes.
    ///
    /// # Errors
    /// If a proposition has no meaning in a state.
    pub(crate) fn of_changes<S: System>(
        space: &Space<'s, S>,
        graph: &'a ChangeGraph,
        propositions: &Propositions,
        stutter: bool,
        saturate: bool,
    ) -> Result<Self, Fault> {
        let classes = valuations(space, propositions)?;
        let automaton = graph.automaton();
        let mut initial = vec![space.none(); automaton.state_count()];
        for &state in automaton.initial() {
            let first = graph.first(state);
            for (valuation, states) in &classes {
                if automaton.alphabet().satisfied(first, *valuation) {
                    initial[state.index()] |= &space.encoding.initial & states;
                }
            }
        }
        Ok(Self::with(space, automaton, Reading::Changes(classes), stutter, saturate, initial))
    }

    fn with<S: System>(
        space: &Space<'s, S>,
        automaton: &'a Automaton,
        reading: Reading<'s>,
        stutter: bool,
        saturate: bool,
        initial: Parts<'s>,
    ) -> Self {
        Product {
            automaton,
            events: space.encoding.events.clone(),
            reached: space.reached.clone(),
            stuttering: if stutter { space.dead().clone() } else { space.none() },
            reading,
            saturate,
            initial,
        }
    }

    pub(crate) fn none(&self) -> Parts<'s> {
        let empty = self.reached.manager().empty(self.reached.arity());
        vec![empty; self.automaton.state_count()]
    }

    /// All states of the system, whatever the state of the automaton.
    pub(crate) fn everything(&self) -> Parts<'s> {
        vec![self.reached.clone(); self.automaton.state_count()]
    }

    /// The successors in the system, a repeated last state included.
    fn image(&self, states: &Set<'s>) -> Set<'s> {
        self.events.image(states) | (states & &self.stuttering)
    }

    /// The predecessors in the system among `within`.
    fn preimage(&self, target: &Set<'s>, within: &Set<'s>) -> Set<'s> {
        self.events.preimage(target, within) | (&(target & within) & &self.stuttering)
    }

    /// The edges that leave a state and are chosen.
    fn edges<'e>(
        &'e self,
        state: StateId,
        chosen: &'e impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = &'a Edge> + 'e {
        let edges = self.automaton.edge_range(state).filter(|number| chosen(*number));
        edges.map(|number| &self.automaton.edges()[number])
    }

    /// The successors of states by edges that are `chosen`.
    pub(crate) fn post(&self, from: &Parts<'s>, chosen: impl Fn(usize) -> bool) -> Parts<'s> {
        let mut parts = self.none();
        let alphabet = self.automaton.alphabet();
        for state in self.automaton.states() {
            let here = &from[state.index()];
            if here.is_empty() {
                continue;
            }
            match &self.reading {
                Reading::Valuations(labelled) => {
                    // Edges with the same label have the same successors in the system.
                    let mut images: Vec<(Label, Set<'s>)> = Vec::new();
                    for edge in self.edges(state, &chosen) {
                        let known = images.iter().position(|(label, _)| *label == edge.label);
                        let known = known.unwrap_or_else(|| {
                            let image = self.image(&(here & &labelled[&edge.label]));
                            images.push((edge.label, image));
                            images.len() - 1
                        });
                        parts[edge.target.index()] |= &images[known].1;
                    }
                }
                Reading::Changes(classes) => {
                    let edges: Vec<&Edge> = self.edges(state, &chosen).collect();
                    if edges.is_empty() {
                        continue;
                    }
                    for (before, states) in classes {
                        let able = here & states;
                        if able.is_empty() {
                            continue;
                        }
                        let image = self.image(&able);
                        for (after, states) in classes {
                            let moved = &image & states;
                            if moved.is_empty() {
                                continue;
                            }
                            for edge in &edges {
                                if alphabet.satisfied(edge.label, before ^ after) {
                                    parts[edge.target.index()] |= &moved;
                                }
                            }
                        }
                    }
                }
            }
        }
        parts
    }

    /// The predecessors in `within` of states by edges that are `chosen`.
    pub(crate) fn pre(
        &self,
        to: &Parts<'s>,
        within: &Parts<'s>,
        chosen: impl Fn(usize) -> bool,
    ) -> Parts<'s> {
        let mut parts = self.none();
        for state in self.automaton.states() {
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
                    Reading::Changes(classes) => {
                        self.changes(classes, edge.label, target, here, preimage)
                    }
                };
            }
        }
        parts
    }

    /// The states of `within` that one event, or the repetition of a last state, leads to by an
    /// edge of the automaton.
    pub(crate) fn successors(
        &self,
        event: Option<usize>,
        edge: usize,
        from: &Set<'s>,
        within: &Set<'s>,
    ) -> Set<'s> {
        let image = |states: &Set<'s>| match event {
            Some(event) => self.events.events()[event].image(states),
            None => states & &self.stuttering,
        };
        let label = self.automaton.edges()[edge].label;
        match &self.reading {
            Reading::Valuations(labelled) => image(&(from & &labelled[&label])) & within,
            Reading::Changes(classes) => {
                self.changes(classes, label, from, within, |from, to| image(from) & to)
            }
        }
    }

    /// The states of `within` from which one event, or the repetition of a last state, leads into
    /// `target` by an edge of the automaton.
    pub(crate) fn predecessors(
        &self,
        event: Option<usize>,
        edge: usize,
        target: &Set<'s>,
        within: &Set<'s>,
    ) -> Set<'s> {
        let preimage = |target: &Set<'s>, within: &Set<'s>| match event {
            Some(event) => self.events.events()[event].preimage(target, within),
            None => &(target & within) & &self.stuttering,
        };
        let label = self.automaton.edges()[edge].label;
        match &self.reading {
            Reading::Valuations(labelled) => preimage(target, &(within & &labelled[&label])),
            Reading::Changes(classes) => self.changes(classes, label, target, within, preimage),
        }
    }

    /// The sum over all pairs of valuations whose difference satisfies a label.
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
            let from = from & states;
            if from.is_empty() {
                continue;
            }
            for (other, states) in classes {
                if self.automaton.alphabet().satisfied(label, one ^ other) {
                    sum |= between(&from, &(to & states));
                }
            }
        }
        sum
    }

    /// Adds what loops of a state that are chosen lead to, as far as that can be said without the
    /// automaton.
    fn close(&self, state: StateId, states: Set<'s>, chosen: &impl Fn(usize) -> bool) -> Set<'s> {
        let mut closed = states;
        if !self.saturate || closed.is_empty() {
            return closed;
        }
        let all = self.automaton.alphabet().tt();
        for edge in self.edges(state, chosen).filter(|edge| edge.target == state) {
            if edge.label == all {
                return self.events.reach(&closed, Strategy::Saturation);
            }
            match &self.reading {
                Reading::Valuations(labelled) => {
                    let within = &labelled[&edge.label];
                    let inside = self.events.reach_within(&closed, within, Strategy::Saturation);
                    closed |= self.events.image(&inside) | inside;
                }
                Reading::Changes(classes) => {
                    if self.automaton.alphabet().satisfied(edge.label, 0) {
                        for (_, class) in classes {
                            closed |=
                                self.events.reach_within(&closed, class, Strategy::Saturation);
                        }
                    }
                }
            }
        }
        closed
    }

    /// All that can be reached from some states by edges that are `chosen`, those included.
    pub(crate) fn reach(&self, from: &Parts<'s>, chosen: impl Fn(usize) -> bool) -> Parts<'s> {
        let close = |parts: Parts<'s>| -> Parts<'s> {
            let states = self.automaton.states().zip(parts);
            states.map(|(state, part)| self.close(state, part, &chosen)).collect()
        };
        let mut found = close(from.clone());
        let mut new = found.clone();
        while !is_empty(&new) {
            new = minus(close(minus(self.post(&new, &chosen), &found)), &found);
            add(&mut found, &new);
        }
        found
    }

    pub(crate) fn events(&self) -> &[EventId<'s>] {
        self.events.events()
    }

    pub(crate) fn automaton(&self) -> &'a Automaton {
        self.automaton
    }

    /// The part of one state of the product.
    pub(crate) fn single(&self, state: &Node) -> Parts<'s> {
        let mut parts = self.none();
        parts[state.0.index()] = self.reached.manager().tuple(&state.1);
        parts
    }
}

/// A state of the product.
pub(crate) type Node = (StateId, Vec<u32>);

pub(crate) fn is_empty(parts: &Parts<'_>) -> bool {
    parts.iter().all(Set::is_empty)
}

pub(crate) fn add<'s>(parts: &mut Parts<'s>, more: &Parts<'s>) {
    for (part, more) in parts.iter_mut().zip(more) {
        *part |= more;
    }
}

pub(crate) fn minus<'s>(parts: Parts<'s>, less: &Parts<'s>) -> Parts<'s> {
    parts.into_iter().zip(less).map(|(part, less)| part - less).collect()
}

pub(crate) fn both<'s>(left: &Parts<'s>, right: &Parts<'s>) -> Parts<'s> {
    left.iter().zip(right).map(|(left, right)| left & right).collect()
}

/// A state of the product, if there is one.
pub(crate) fn pick(parts: &Parts<'_>) -> Option<Node> {
    let mut found = parts.iter().enumerate();
    found.find_map(|(state, part)| Some((StateId::new(state), part.pick()?)))
}
