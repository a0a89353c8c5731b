//! The product of a system with an automaton: for each state of the automaton, a set of states of
//! the system.
//!
//! This is a diagram with the automaton's variable at the top, whose root is a vector. The
//! automaton reads valuations (TGBA) or their changes (TGTA).

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};
use sempre_automata::{Automaton, Edge, Label, Sccs, StateId};
use sempre_check::Deadlock;
use sempre_diagrams::{EventId, Group, Set};
use sempre_models::Fault;
use sempre_models::proposition::Propositions;
use sempre_testing::ChangeGraph;

use crate::check::Options;
use crate::space::Space;
use crate::steps::Steps;

/// For each state of the automaton, a set of states of the system.
pub(crate) type Parts<'s> = Vec<Set<'s>>;

/// The letters of an automaton.
pub(crate) enum Reading<'s> {
    /// Valuations: the states that satisfy each label.
    Valuations(FxHashMap<Label, Set<'s>>),
    /// Changes of valuations.
    Changes(Changes<'s>),
}

/// The changes of the steps of the system: K⊕ of the thesis.
pub(crate) struct Changes<'s> {
    /// The valuations that occur, with their states.
    pub(crate) classes: Vec<(u64, Set<'s>)>,
    /// The events that never change a proposition.
    pub(crate) silent: Group<'s>,
    /// The other events.
    pub(crate) loud: Group<'s>,
}

/// A product over the reachable states of the system.
pub(crate) struct Product<'a, 's> {
    automaton: &'a Automaton,
    /// The states of the automaton, from the initial ones on.
    pub(crate) order: Vec<StateId>,
    pub(crate) events: Group<'s>,
    pub(crate) reached: Set<'s>,
    /// Deadlocks that stutter.
    pub(crate) stuttering: Set<'s>,
    pub(crate) reading: Reading<'s>,
    pub(crate) steps: Steps,
    pub(crate) saturate: bool,
    pub(crate) initial: Parts<'s>,
}

/// Returns the valuations that occur, with their states.
fn valuations<'s>(
    space: &Space<'s>,
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

impl<'s> Changes<'s> {
    fn of(space: &Space<'s>, propositions: &Propositions) -> Result<Self, Fault> {
        let classes = valuations(space, propositions)?;
        let footprints = (0..propositions.len()).map(|number| propositions.footprint(number));
        let read: FxHashSet<u32> = footprints
            .flat_map(|footprint| space.encoding.touched(footprint))
            .map(|place| place.level)
            .collect();
        let is_silent = |event: &&EventId<'s>| {
            // Every event may lead to a deadlock.
            !propositions.is_about_deadlocks()
                && event.changed().iter().all(|level| !read.contains(level))
        };
        let (silent, loud): (Vec<_>, Vec<_>) =
            space.encoding.events.events().iter().partition(is_silent);
        let manager = space.reached.manager();
        Ok(Changes { classes, silent: manager.group(silent), loud: manager.group(loud) })
    }
}

impl<'a, 's> Product<'a, 's> {
    /// Makes the product with an automaton over valuations.
    ///
    /// # Errors
    /// If a proposition is undefined in a state.
    pub(crate) fn new(
        space: &Space<'s>,
        automaton: &'a Automaton,
        propositions: &Propositions,
        deadlock: Deadlock,
        options: &Options,
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
        Ok(Self::with(
            space,
            automaton,
            Reading::Valuations(labelled),
            initial,
            (deadlock, options),
        ))
    }

    /// Makes the product with an automaton over changes.
    ///
    /// # Errors
    /// If a proposition is undefined in a state.
    pub(crate) fn of_changes(
        space: &Space<'s>,
        graph: &'a ChangeGraph,
        propositions: &Propositions,
        deadlock: Deadlock,
        options: &Options,
    ) -> Result<Self, Fault> {
        let changes = Changes::of(space, propositions)?;
        let automaton = graph.automaton();
        let mut initial = vec![space.none(); automaton.state_count()];
        for &state in automaton.initial() {
            let first = graph.first(state);
            for (valuation, states) in &changes.classes {
                sempre_ltl::interrupt::poll();
                if automaton.alphabet().satisfied(first, *valuation) {
                    initial[state.index()] |= &space.encoding.initial & states;
                }
            }
        }
        Ok(Self::with(space, automaton, Reading::Changes(changes), initial, (deadlock, options)))
    }

    fn with(
        space: &Space<'s>,
        automaton: &'a Automaton,
        reading: Reading<'s>,
        initial: Parts<'s>,
        (deadlock, options): (Deadlock, &Options),
    ) -> Self {
        let sccs = Sccs::of(automaton);
        let mut order: Vec<StateId> = automaton.states().collect();
        // SCCs are numbered from the last ones on.
        order.sort_by_key(|state| Reverse(sccs.component(*state)));
        let stuttering = match deadlock {
            Deadlock::Stutter => space.deadlocks().clone(),
            Deadlock::Ignore | Deadlock::Report => space.none(),
        };
        Product {
            automaton,
            order,
            events: space.encoding.events.clone(),
            reached: space.reached.clone(),
            stuttering,
            reading,
            steps: options.steps,
            saturate: options.saturate,
            initial,
        }
    }

    pub(crate) fn none(&self) -> Parts<'s> {
        let empty = self.reached.manager().empty(self.reached.arity());
        vec![empty; self.automaton.state_count()]
    }

    /// Returns all states of the system with each state of the automaton.
    pub(crate) fn all_nodes(&self) -> Parts<'s> {
        vec![self.reached.clone(); self.automaton.state_count()]
    }

    /// Returns the successors in the system, with stuttering deadlocks.
    pub(crate) fn image(&self, states: &Set<'s>) -> Set<'s> {
        self.events.image(states) | (states & &self.stuttering)
    }

    /// Returns the predecessors in the system among `within`.
    pub(crate) fn preimage(&self, target: &Set<'s>, within: &Set<'s>) -> Set<'s> {
        self.events.preimage(target, within) | (&(target & within) & &self.stuttering)
    }

    /// Returns the `chosen` edges of a state.
    pub(crate) fn edges<'e>(
        &'e self,
        state: StateId,
        chosen: &'e impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = &'a Edge> + 'e {
        let edges = self.automaton.edge_range(state).filter(|number| chosen(*number));
        edges.map(|number| &self.automaton.edges()[number])
    }

    pub(crate) fn events(&self) -> &[EventId<'s>] {
        self.events.events()
    }

    pub(crate) fn automaton(&self) -> &'a Automaton {
        self.automaton
    }

    /// Returns the set of one state of the product.
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

/// Returns a state of the product, if there is one.
pub(crate) fn pick(parts: &Parts<'_>) -> Option<Node> {
    let mut found = parts.iter().enumerate();
    found.find_map(|(state, part)| Some((StateId::new(state), part.pick()?)))
}
