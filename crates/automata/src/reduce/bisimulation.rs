//! Bisimulation: merges states with the same signature.
//!
//! The signature of a state is the set of its edges, with classes of states as targets. Edges to
//! the same class with the same marks count as one with both labels. Refinement by signatures ends
//! when no class splits. Sound for every acceptance condition.
//!
//! Each round visits only classes with an edge into a class that was split in the previous round.
//! The largest part of a split class keeps its number. A round is linear besides sorting the edges
//! of each state; there are at most as many rounds as states.

use super::graph::{Arc, Context, Graph};
use crate::automaton::Automaton;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use sempre_ltl::interrupt;

/// Merges bisimilar states, for any acceptance condition. Preserves the language and determinism.
/// Unreachable states are also merged.
///
/// ```
/// use sempre_automata::{hoa, reduce};
/// let text = r#"HOA: v1
/// States: 3
/// Start: 0
/// AP: 1 "a"
/// Acceptance: 1 Inf(0)
/// --BODY--
/// State: 0 [0] 1 {0} [!0] 2
/// State: 1 [0] 2 {0} [!0] 1
/// State: 2 [0] 1 {0} [!0] 2
/// --END--
/// "#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// assert_eq!(reduce::bisimulation::quotient(&automaton).state_count(), 1);
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn quotient(automaton: &Automaton) -> Automaton {
    let (context, graph) = Context::of(automaton);
    let partition = Partition::coarsest(graph.states()).refined(&graph, &context);
    context.automaton(&merged(graph, &context, &partition), automaton)
}

/// Classes of states, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    pub(super) class: Vec<u32>,
    pub(super) classes: usize,
}

/// One edge of a signature: marks, class of the target, letters.
type Entry = (u64, u32, u64);

impl Partition {
    /// The partition with one class.
    pub(super) fn coarsest(states: usize) -> Self {
        Partition { class: vec![0; states], classes: usize::from(states > 0) }
    }

    /// Refines the partition to the coarsest bisimulation.
    pub(super) fn refined(mut self, graph: &Graph, context: &Context<'_>) -> Self {
        let (ends, places) = graph.incoming();
        // The states to visit: first all, then those with edges to states that have a new class.
        // The signatures of all other states are unchanged.
        let mut touched: Vec<u32> = (0..graph.states() as u32).collect();
        let mut is_touched = vec![false; graph.states()];
        while !touched.is_empty() {
            interrupt::poll();
            let moved = self.split(graph, context, &touched);
            touched.clear();
            for state in moved {
                let (start, end) = (ends[state as usize], ends[state as usize + 1]);
                for &place in &places[start as usize..end as usize] {
                    let source = graph.arcs()[place as usize].source;
                    if !std::mem::replace(&mut is_touched[source as usize], true) {
                        touched.push(source);
                    }
                }
            }
            touched.sort_unstable();
            touched.iter().for_each(|&state| is_touched[state as usize] = false);
        }
        self
    }

    /// Splits classes by the signatures of the `touched` states, which differ from those of the
    /// untouched ones. Returns the states with a new class.
    pub(super) fn split(
        &mut self,
        graph: &Graph,
        context: &Context<'_>,
        touched: &[u32],
    ) -> Vec<u32> {
        let mut size = vec![0u32; self.classes];
        self.class.iter().for_each(|&class| size[class as usize] += 1);
        // By class and signature, a group: its class, and its number of states.
        let mut groups: Vec<(u32, u32)> = vec![];
        let mut group_of: HashMap<(u32, Box<[Entry]>), u32, FxBuildHasher> = HashMap::default();
        let mut members: Vec<(u32, u32)> = vec![];
        let mut entries = vec![];
        let mut untouched = size.clone();
        for &state in touched {
            let class = self.class[state as usize];
            if size[class as usize] == 1 {
                continue;
            }
            untouched[class as usize] -= 1;
            self.signature(graph, context, state as usize, &mut entries);
            let group = *group_of.entry((class, entries.as_slice().into())).or_insert_with(|| {
                groups.push((class, 0));
                groups.len() as u32 - 1
            });
            groups[group as usize].1 += 1;
            members.push((group, state));
        }
        // Untouched states keep the number of their class; if there are none, the largest group
        // does.
        let mut keeper = vec![u32::MAX; self.classes];
        for (group, &(class, count)) in groups.iter().enumerate() {
            let best = &mut keeper[class as usize];
            if untouched[class as usize] == 0
                && (*best == u32::MAX || groups[*best as usize].1 < count)
            {
                *best = group as u32;
            }
        }
        let mut number = vec![0; groups.len()];
        for (group, &(class, _)) in groups.iter().enumerate() {
            number[group] = if keeper[class as usize] == group as u32 {
                class
            } else {
                self.classes += 1;
                self.classes as u32 - 1
            };
        }
        let mut moved = vec![];
        for (group, state) in members {
            let new = number[group as usize];
            if std::mem::replace(&mut self.class[state as usize], new) != new {
                moved.push(state);
            }
        }
        moved
    }

    fn signature(&self, graph: &Graph, context: &Context<'_>, state: usize, out: &mut Vec<Entry>) {
        out.clear();
        let entry = |arc: &Arc| (arc.marks, self.class[arc.target as usize], arc.label);
        out.extend(graph.from(state).iter().map(entry));
        out.sort_unstable();
        out.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 = context.letters.or(kept.2, next.2);
            }
            same
        });
    }
}

/// Merges each class into one state. Classes are numbered by their first states.
pub(super) fn merged(graph: Graph, context: &Context<'_>, partition: &Partition) -> Graph {
    if partition.classes == graph.states() {
        return graph;
    }
    let mut number = vec![u32::MAX; partition.classes];
    let mut representatives = vec![];
    for (state, &class) in partition.class.iter().enumerate() {
        if number[class as usize] == u32::MAX {
            number[class as usize] = representatives.len() as u32;
            representatives.push(state);
        }
    }
    let class = |state: u32| number[partition.class[state as usize] as usize];
    let mut initial: Vec<u32> = vec![];
    for &state in &graph.initial {
        if !initial.contains(&class(state)) {
            initial.push(class(state));
        }
    }
    let arcs = representatives.iter().flat_map(|&state| graph.from(state)).map(|arc| Arc {
        source: class(arc.source),
        target: class(arc.target),
        ..*arc
    });
    Graph::new(representatives.len(), initial, arcs.collect(), &context.letters)
}
