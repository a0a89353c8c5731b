//! Reductions of TGTA.

use crate::changes;
use crate::graph::ChangeGraph;
use crate::recurrence::Recurrence;
use crate::tgta::{Tgta, with_a_mark};
use sempre_automata::{Marks, Sccs, StateId, parallel, reduce};

impl Tgta {
    /// Removes unreachable states and those that accept no word.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        Tgta(self.0.trimmed())
    }

    /// Merges bisimilar states.
    #[must_use]
    pub fn merged(&self) -> Self {
        Tgta(self.0.merged())
    }

    /// Merges states that simulate each other, and removes edges if a better one exists. The only
    /// stuttering edge of a state stays. If the result lacks a stuttering self-loop for another
    /// reason, returns the automaton unchanged.
    #[must_use]
    pub fn simulated(&self) -> Self {
        let size = |tgta: &Tgta| (tgta.state_count(), tgta.transition_count());
        let mut reduced = reduce::reduce(&self.0.differences(), reduce::Level::Medium);
        if reduced.acceptance().marks() == 0 {
            reduced = with_a_mark(&reduced);
        }
        match Tgta::of_differences(&reduced) {
            Ok(tgta) if size(&tgta) < size(self) => tgta,
            _ => self.clone(),
        }
    }

    /// Adds all marks to the edges of states that accept stuttering.
    #[must_use]
    pub fn saturated(&self) -> Self {
        let automaton = self.0.automaton();
        let all = Marks::all(automaton.acceptance().marks());
        let accepts: Vec<bool> =
            automaton.states().map(|state| self.accepts_stuttering(state)).collect();
        self.with_marks(|source, _, marks| match accepts[source.index()] {
            true => all.clone(),
            false => marks.clone(),
        })
    }

    /// Unifies marks that no run distinguishes: all of them on edges whose cycles all have them,
    /// or, if `early`, none on edges to cycles without them. Also removes them inside components
    /// without accepting cycle.
    #[must_use]
    pub fn with_irrelevant_marks_alike(&self, early: bool) -> Self {
        let automaton = self.0.automaton();
        let sccs = Sccs::of_all(automaton);
        let accepting = sccs.accepting(automaton);
        let recurrence = Recurrence::new(automaton);
        self.with_marks(|source, target, marks| match sccs.component(source) {
            Some(scc) if sccs.is_inside(source, target) && !accepting[scc.index()] => Marks::EMPTY,
            _ if early => recurrence.early(source, marks, target),
            _ => recurrence.most(source, marks, target),
        })
    }

    /// Replaces the marks of edges with changes.
    fn with_marks(&self, marks: impl Fn(StateId, StateId, &Marks) -> Marks) -> Self {
        let automaton = self.0.automaton();
        let alphabet = automaton.alphabet();
        let mut builder = automaton.edit();
        builder.retain_edges(|_, _| false);
        let stuttering = changes::stuttering(alphabet);
        for (source, edge) in automaton.transitions() {
            let (stutter, change) =
                (alphabet.and(edge.label, stuttering), alphabet.minus(edge.label, stuttering));
            builder.edge(source, stutter, edge.marks.clone(), edge.target);
            builder.edge(source, change, marks(source, edge.target, &edge.marks), edge.target);
        }
        let first = automaton.states().map(|state| self.0.first(state)).collect();
        Tgta(ChangeGraph::new(parallel::merge(&builder.build()), first))
    }
}
