//! The degeneralized automaton, built from the initial states.

use super::plan::Plan;
use super::{Degeneralizer, InitialLevel};
use crate::acceptance::Named;
use crate::automaton::{Automaton, AutomatonBuilder};
use crate::index::StateId;
use crate::marks::Marks;
use crate::parallel;

const UNASSIGNED: u32 = u32::MAX;

/// The copies created so far: states with levels.
struct Copies {
    builder: AutomatonBuilder,
    /// By node of the plan, its number or [`UNASSIGNED`].
    number: Vec<u32>,
    /// The states with their levels, in the order of their numbers.
    copies: Vec<(StateId, u32)>,
    /// By state, the level of its first copy or [`UNASSIGNED`].
    first_level: Vec<u32>,
}

/// Builds the Büchi automaton of a plan, with initial states at the given level.
pub(super) fn build(
    options: &Degeneralizer,
    automaton: &Automaton,
    plan: &Plan<'_>,
    initial: InitialLevel,
) -> Automaton {
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(Named::Buchi.acceptance());
    if let Some(name) = automaton.name() {
        builder.name(name);
    }
    let mut made = Copies {
        builder,
        number: vec![UNASSIGNED; plan.node_count()],
        copies: vec![],
        first_level: vec![UNASSIGNED; automaton.state_count()],
    };
    for &state in automaton.initial() {
        let (part, place) = plan.place(state);
        let level = plan.part(part).entry(place, initial.as_entry(), &Marks::EMPTY);
        let number = made.copy(automaton, plan, state, level);
        made.builder.initial(number);
    }
    let accepting = Marks::from_iter([0]);
    let mut visited = 0;
    while visited < made.copies.len() {
        sempre_ltl::interrupt::poll();
        let ((state, level), source) = (made.copies[visited], StateId::new(visited));
        visited += 1;
        let (part, place) = plan.place(state);
        let layers = &plan.part(part).layers;
        let marked = plan.on_states && layers.is_accepting(place, level);
        for number in automaton.edge_range(state) {
            let (edge, sets) = (&automaton.edges()[number], plan.sets.of_edge(number));
            let (next_part, next_place) = plan.place(edge.target);
            let (next_level, on_edge) = if next_part == part {
                layers.step(place, level, sets, next_place)
            } else {
                let cached = made.first_level[edge.target.index()];
                let entered = plan.part(next_part);
                match options.reuse_levels && cached != UNASSIGNED {
                    true => (cached, false),
                    false => (entered.entry(next_place, entered.entry, sets), false),
                }
            };
            let target = made.copy(automaton, plan, edge.target, next_level);
            let marks = match marked || (!plan.on_states && on_edge) {
                true => accepting.clone(),
                false => Marks::EMPTY,
            };
            made.builder.edge(source, edge.label, marks, target);
        }
    }
    parallel::merge(&made.builder.build())
}

impl Copies {
    /// Returns the copy of a state at a level, and creates it on the first call.
    fn copy(
        &mut self,
        automaton: &Automaton,
        plan: &Plan<'_>,
        state: StateId,
        level: u32,
    ) -> StateId {
        let (part, place) = plan.place(state);
        let part = plan.part(part);
        let node = part.first_node + place as usize * part.layers.levels() as usize;
        let number = &mut self.number[node + level as usize];
        if *number == UNASSIGNED {
            let copy = self.builder.add_state();
            if let Some(name) = automaton.state_name(state) {
                self.builder.state_name(copy, name);
            }
            *number = copy.index() as u32;
            self.copies.push((state, level));
            let first = &mut self.first_level[state.index()];
            if *first == UNASSIGNED {
                *first = level;
            }
        }
        StateId::new(*number as usize)
    }
}
