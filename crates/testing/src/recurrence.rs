//! Cycles of changes that lack a mark.
//!
//! A run that changes infinitely often sees a mark infinitely often unless it stays in a component
//! of the edges without that mark. So the mark is irrelevant on other edges, as long as no new
//! component arises. Stuttering self-loops are ignored, because a run that leaves them takes
//! infinitely many other edges. Linear in the edges for each mark.

use crate::changes;
use sempre_automata::{Automaton, Marks, Sccs, StateId};
use sempre_ltl::interrupt;

/// By mark, the components of changes without it.
pub(crate) struct Recurrence {
    without: Vec<Sccs>,
}

impl Recurrence {
    /// Computes the components of a graph over changes.
    pub(crate) fn new(automaton: &Automaton) -> Self {
        let stuttering = changes::stuttering(automaton.alphabet());
        let without = |mark| {
            interrupt::poll();
            let mut builder = automaton.edit();
            builder.retain_edges(|_, edge| !edge.marks.contains(mark) && edge.label != stuttering);
            Sccs::of_all(&builder.build())
        };
        Recurrence { without: (0..automaton.acceptance().marks()).map(without).collect() }
    }

    /// True if every run that visits this state and changes infinitely often is accepting.
    pub(crate) fn is_recurring(&self, state: StateId) -> bool {
        self.without.iter().all(|sccs| !is_on_cycle(sccs, state))
    }

    /// Returns the maximal set of marks for an edge.
    pub(crate) fn most(&self, source: StateId, marks: &Marks, target: StateId) -> Marks {
        self.marks(|mark, sccs| marks.contains(mark) || !is_inside(sccs, source, target))
    }

    /// As [`Recurrence::most`], but without the mark on edges that enter a cycle without it from a
    /// state on no such cycle. Then it is irrelevant how runs enter those cycles. No new cycle
    /// arises, because all edges to the former states keep the mark.
    pub(crate) fn early(&self, source: StateId, marks: &Marks, target: StateId) -> Marks {
        self.marks(|mark, sccs| match is_inside(sccs, source, target) {
            true => marks.contains(mark),
            false => is_on_cycle(sccs, source) || !is_on_cycle(sccs, target),
        })
    }

    fn marks(&self, has: impl Fn(u32, &Sccs) -> bool) -> Marks {
        let mut marks = Marks::EMPTY;
        for (mark, sccs) in (0..).zip(&self.without) {
            if has(mark, sccs) {
                marks.insert(mark);
            }
        }
        marks
    }
}

fn is_inside(sccs: &Sccs, source: StateId, target: StateId) -> bool {
    is_on_cycle(sccs, source) && sccs.is_inside(source, target)
}

fn is_on_cycle(sccs: &Sccs, state: StateId) -> bool {
    sccs.component(state).is_some_and(|scc| !sccs.is_trivial(scc))
}
