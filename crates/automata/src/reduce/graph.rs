//! The working representation of automata for reductions: packed edges, with labels and marks as
//! machine words.

use super::letters::Letters;
use crate::acceptance::{Acceptance, Condition, Named};
use crate::automaton::{Automaton, Edge};
use crate::graph::{FunctionGraph, Identity};
use crate::headers::Headers;
use crate::index::StateId;
use crate::marks::Marks;
use crate::scc::{Search, satisfiable};
use rustc_hash::FxHashMap;
use std::ops::{ControlFlow, Range};

/// An edge: its label is a number of [`Letters`], its marks are bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) source: u32,
    pub(super) target: u32,
    pub(super) label: u64,
    pub(super) marks: u64,
}

/// States, initial states and edges, which are contiguous by source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) initial: Vec<u32>,
    arcs: Vec<Arc>,
    offsets: Vec<u32>,
}

/// The acceptance condition and the labels of a graph.
pub(super) struct Context<'a> {
    pub(super) letters: Letters<'a>,
    pub(super) acceptance: Acceptance,
    pub(super) order: MarkOrder,
    /// The marks of a condition that is a conjunction of `Inf` terms.
    pub(super) generalized: Option<u64>,
    /// The sets of marks, if there are too many marks for a machine word. Edges then have numbers
    /// of sets instead of bits, and only equality can be compared.
    wide: Vec<Marks>,
}

/// The order of marks by merit. A better edge has more marks of `Inf` terms and fewer of `Fin`
/// terms, and agrees on marks that occur in both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MarkOrder {
    fin: u64,
    both: u64,
    /// All marks of the condition.
    all: u64,
}

impl MarkOrder {
    /// The order in which only equal marks are comparable.
    const EQUALITY: MarkOrder = MarkOrder { fin: 0, both: u64::MAX, all: u64::MAX };

    fn of(condition: &Condition) -> Self {
        let (inf, fin) = condition.inf_and_fin();
        let (inf, fin) = (inf.as_bits().unwrap_or(0), fin.as_bits().unwrap_or(0));
        MarkOrder { fin: fin & !inf, both: inf & fin, all: inf | fin }
    }

    #[inline]
    pub(super) fn below(&self, left: u64, right: u64) -> bool {
        ((left ^ self.fin) & !(right ^ self.fin)) | ((left ^ right) & self.both) == 0
    }

    /// Returns the minimum of the order among marks that agree on those used in both ways.
    pub(super) fn worst(&self) -> u64 {
        self.fin
    }

    /// True if the condition has a `Fin` term, or if marks are not bits.
    pub(super) fn has_fin(&self) -> bool {
        (self.fin | self.both) != 0
    }
}

impl<'a> Context<'a> {
    /// Converts the automaton to a graph.
    pub(super) fn of(automaton: &'a Automaton) -> (Self, Graph) {
        let (letters, labels) = Letters::of(automaton);
        let acceptance = automaton.acceptance().clone();
        let mut wide = vec![];
        let (order, generalized, marks);
        if acceptance.marks() <= u64::BITS {
            let condition = acceptance.condition();
            (order, generalized) = (MarkOrder::of(condition), self::generalized(condition));
            let bits = |edge: &Edge| edge.marks.as_bits().unwrap_or(0) & order.all;
            marks = automaton.edges().iter().map(bits).collect::<Vec<u64>>();
        } else {
            (order, generalized) = (MarkOrder::EQUALITY, None);
            let mut numbers: FxHashMap<&Marks, u64> = FxHashMap::default();
            let number = |edge: &'a Edge| {
                *numbers.entry(&edge.marks).or_insert_with(|| {
                    wide.push(edge.marks.clone());
                    wide.len() as u64 - 1
                })
            };
            marks = automaton.edges().iter().map(number).collect();
        }
        let arcs = automaton.transitions().zip(labels).zip(marks);
        let arcs = arcs.map(|(((source, edge), label), marks)| Arc {
            source: source.index() as u32,
            target: edge.target.index() as u32,
            label,
            marks,
        });
        let initial = automaton.initial().iter().map(|state| state.index() as u32).collect();
        let graph = Graph::new(automaton.state_count(), initial, arcs.collect(), &letters);
        (Context { letters, acceptance, order, generalized, wide }, graph)
    }

    /// True if the marks of edges are bits.
    pub(super) fn has_bits(&self) -> bool {
        self.wide.is_empty()
    }

    /// Converts the graph to an automaton, with the name and the headers of another of its
    /// language.
    pub(super) fn automaton(&self, graph: &Graph, origin: &Automaton) -> Automaton {
        let mut builder = Automaton::builder(origin.alphabet().clone());
        builder.acceptance(self.acceptance.clone());
        if let Some(name) = origin.name() {
            builder.name(name);
        }
        builder.headers(headers(origin));
        builder.add_states(graph.states());
        for &state in &graph.initial {
            builder.initial(StateId::new(state as usize));
        }
        for arc in &graph.arcs {
            let (source, target) = (arc.source as usize, arc.target as usize);
            let label = self.letters.label(arc.label);
            let marks = match self.wide.get(arc.marks as usize) {
                Some(marks) => marks.clone(),
                None => Marks::from_bits(arc.marks),
            };
            builder.edge(StateId::new(source), label, marks, StateId::new(target));
        }
        builder.build()
    }

    /// Sets the condition to generalized Büchi with this number of marks.
    pub(super) fn generalize(&mut self, marks: u32) {
        self.acceptance = Named::GeneralizedBuchi(marks).acceptance();
        self.order = MarkOrder::of(self.acceptance.condition());
        self.generalized = generalized(self.acceptance.condition());
    }

    /// True if a component with these marks is accepting; with `Fin` terms, if it may be.
    pub(super) fn accepts(&self, marks: u64) -> bool {
        match self.generalized {
            Some(all) => marks & all == all,
            None if !self.has_bits() => true,
            None => satisfiable(self.acceptance.condition(), &Marks::from_bits(marks)),
        }
    }
}

/// Returns the headers that remain valid for other automata with the same language.
pub(super) fn headers(origin: &Automaton) -> Headers {
    let of_the_language =
        |property: &&String| matches!(property.as_str(), "stutter-invariant" | "stutter-sensitive");
    let properties = origin.headers().properties.iter().filter(of_the_language).cloned().collect();
    Headers { properties, ..origin.headers().clone() }
}

fn generalized(condition: &Condition) -> Option<u64> {
    let inf = |condition: &Condition| match condition {
        Condition::Inf(mark) => Some(1u64 << mark),
        _ => None,
    };
    match condition {
        Condition::True => Some(0),
        Condition::And(terms) => terms.iter().try_fold(0, |all, term| Some(all | inf(term)?)),
        other => inf(other),
    }
}

impl Graph {
    /// Creates the graph with these edges, in any order. Merges parallel edges with the same marks,
    /// and drops those with an empty label.
    pub(super) fn new(
        states: usize,
        initial: Vec<u32>,
        mut arcs: Vec<Arc>,
        letters: &Letters<'_>,
    ) -> Self {
        let key = |arc: &Arc| (arc.source, arc.target, arc.marks);
        if !arcs.is_sorted_by_key(key) {
            arcs.sort_unstable_by_key(key);
        }
        let mut kept = 0;
        for place in 0..arcs.len() {
            let arc = arcs[place];
            if arc.label == 0 {
                continue;
            }
            if kept > 0 && key(&arcs[kept - 1]) == key(&arc) {
                arcs[kept - 1].label = letters.or(arcs[kept - 1].label, arc.label);
            } else {
                arcs[kept] = arc;
                kept += 1;
            }
        }
        arcs.truncate(kept);
        let mut offsets = vec![0u32; states + 1];
        arcs.iter().for_each(|arc| offsets[arc.source as usize + 1] += 1);
        (0..states).for_each(|state| offsets[state + 1] += offsets[state]);
        Graph { initial, arcs, offsets }
    }

    pub(super) fn states(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(super) fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    pub(super) fn range(&self, state: usize) -> Range<usize> {
        self.offsets[state] as usize..self.offsets[state + 1] as usize
    }

    pub(super) fn from(&self, state: usize) -> &[Arc] {
        &self.arcs[self.range(state)]
    }

    /// Replaces the edges.
    pub(super) fn with_arcs(&self, arcs: Vec<Arc>, letters: &Letters<'_>) -> Graph {
        Graph::new(self.states(), self.initial.clone(), arcs, letters)
    }

    /// Reverses all edges.
    pub(super) fn reversed(&self, letters: &Letters<'_>) -> Graph {
        let turned = |arc: &Arc| Arc { source: arc.target, target: arc.source, ..*arc };
        self.with_arcs(self.arcs.iter().map(turned).collect(), letters)
    }

    /// Returns the incoming edges of each state: those of `s` are at
    /// `places[ends[s]..ends[s + 1]]`.
    pub(super) fn incoming(&self) -> (Vec<u32>, Vec<u32>) {
        let mut ends = vec![0u32; self.states() + 1];
        self.arcs.iter().for_each(|arc| ends[arc.target as usize + 1] += 1);
        (0..self.states()).for_each(|state| ends[state + 1] += ends[state]);
        let (mut next, mut places) = (ends.clone(), vec![0u32; self.arcs.len()]);
        for (place, arc) in self.arcs.iter().enumerate() {
            let slot = &mut next[arc.target as usize];
            places[*slot as usize] = place as u32;
            *slot += 1;
        }
        (ends, places)
    }

    /// Returns the reachable strongly connected components.
    pub(super) fn components(&self, context: &Context<'_>) -> Components {
        let mut found = Components {
            of: vec![Components::UNREACHABLE; self.states()],
            trivial: vec![],
            marks: vec![],
            accepting: vec![],
            useful: vec![],
        };
        let arcs = |state: u32| self.from(state as usize).iter();
        let whole = FunctionGraph::new(self.states(), |state| arcs(state).map(|arc| arc.target));
        let mut search = Search::new(Identity);
        for &root in &self.initial {
            let ControlFlow::Continue(()) = search.each(&whole, root, |states| {
                let id = found.trivial.len() as u32;
                states.iter().for_each(|&state| found.of[state as usize] = id);
                let (mut trivial, mut marks, mut useful) = (true, 0, false);
                for arc in states.iter().flat_map(|&state| self.from(state as usize)) {
                    match found.of[arc.target as usize] {
                        target if target == id => {
                            trivial = false;
                            marks |= arc.marks;
                        }
                        target => useful |= found.useful[target as usize],
                    }
                }
                let accepting = !trivial && context.accepts(marks);
                found.trivial.push(trivial);
                found.marks.push(marks);
                found.accepting.push(accepting);
                found.useful.push(accepting || useful);
                ControlFlow::<std::convert::Infallible>::Continue(())
            });
        }
        found
    }

    /// Removes unreachable states and those that reach no accepting component, and returns the
    /// components. States keep their order.
    pub(super) fn trimmed(self, context: &Context<'_>) -> (Graph, Components) {
        let components = self.components(context);
        if components.useful.iter().all(|&useful| useful)
            && !components.of.contains(&Components::UNREACHABLE)
        {
            return (self, components);
        }
        let kept = self.keep(context, |state| {
            let component = components.of[state];
            component != Components::UNREACHABLE && components.useful[component as usize]
        });
        let components = kept.components(context);
        (kept, components)
    }

    /// Restricts the graph to the wanted states.
    pub(super) fn keep(&self, context: &Context<'_>, wanted: impl Fn(usize) -> bool) -> Graph {
        let mut count = 0;
        let mut number = vec![u32::MAX; self.states()];
        for (state, number) in number.iter_mut().enumerate() {
            if wanted(state) {
                *number = count;
                count += 1;
            }
        }
        self.mapped(context, count as usize, |state| {
            let new = number[state as usize];
            (new != u32::MAX).then_some(new)
        })
    }

    /// Renumbers states; those without a number are dropped.
    pub(super) fn mapped(
        &self,
        context: &Context<'_>,
        states: usize,
        number: impl Fn(u32) -> Option<u32>,
    ) -> Graph {
        let mut initial: Vec<u32> = vec![];
        for new in self.initial.iter().filter_map(|&state| number(state)) {
            if !initial.contains(&new) {
                initial.push(new);
            }
        }
        let arcs = self.arcs.iter().filter_map(|arc| {
            Some(Arc { source: number(arc.source)?, target: number(arc.target)?, ..*arc })
        });
        Graph::new(states, initial, arcs.collect(), &context.letters)
    }
}

/// The strongly connected components of a graph, in reverse topological order.
pub(super) struct Components {
    /// By state, its component, or [`Components::UNREACHABLE`].
    pub(super) of: Vec<u32>,
    pub(super) trivial: Vec<bool>,
    /// The marks of the edges inside.
    pub(super) marks: Vec<u64>,
    /// By component, whether it has an accepting cycle; with `Fin` terms, whether it may have one.
    pub(super) accepting: Vec<bool>,
    /// By component, whether it reaches an accepting one.
    useful: Vec<bool>,
}

impl Components {
    pub(super) const UNREACHABLE: u32 = u32::MAX;

    /// True if the edge is on a cycle.
    pub(super) fn inside(&self, arc: &Arc) -> bool {
        self.of[arc.source as usize] == self.of[arc.target as usize]
    }
}
