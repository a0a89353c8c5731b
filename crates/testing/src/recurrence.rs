//! Which cycles of changes lack a mark.
//!
//! A run that changes for ever sees a mark infinitely often unless it ends up in a component of the
//! edges without that mark. So other edges may have the mark or not, as long as no new component
//! comes into being. Loops for stuttering are no part of it: a run that does not stay in one takes
//! infinitely many other edges. Linear in the edges for each mark.

use crate::changes;
use sempre_automata::{Automaton, Marks, Sccs, StateId};
use sempre_ltl::interrupt;

/// For each mark the components of changes that do not have it.
pub(crate) struct Recurrence {
    without: Vec<Sccs>,
}

impl Recurrence {
    /// That of a graph over changes.
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

    /// True if a run that is infinitely often in this state, and changes for ever, is accepting.
    pub(crate) fn is_recurring(&self, state: StateId) -> bool {
        self.without.iter().all(|sccs| !is_on_cycle(sccs, state))
    }

    /// As many marks as an edge with these can have.
    pub(crate) fn most(&self, source: StateId, marks: &Marks, target: StateId) -> Marks {
        self.marks(|mark, sccs| marks.contains(mark) || !is_inside(sccs, source, target))
    }

    /// Likewise, but without a mark on the way from states on no cycle without it to such cycles:
    /// then it is no matter where they are entered from. No new cycle comes into being, as all edges
    /// to the former states keep the mark.
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
