//! The deterministic automaton of the macrostates of regions.
//!
//! For stutter-invariant languages a letter leads to where its repetitions end: the least
//! macrostate of their cycle, with the events on the way. There it loops with the events of the
//! whole cycle (Klein and Baier, CIAA 2007).

use super::regions::{Events, Macrostate, Regions, Repetitions};
use crate::acceptance::{Acceptance, Condition, Named, Parity, ParityKind};
use crate::automaton::Automaton;
use crate::index::{EdgeId, StateId};
use crate::label::Label;
use crate::marks::Marks;
use crate::parallel;
use crate::subset::{self, Class};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// The maximal number of letter classes of a macrostate.
const MAX_CLASSES: usize = 1 << 16;
/// The maximal number of letter classes of the whole automaton for stutter compression.
const MAX_COMMON_CLASSES: usize = 64;

/// Builds the automaton of macrostates; `None` if it takes more than `steps` steps. Each successor
/// of a macrostate costs as many steps as it has states. `stutters` means that the language is
/// stutter-invariant.
pub(super) fn automaton(regions: &Regions<'_>, stutters: bool, steps: usize) -> Option<Automaton> {
    let mut exploration = Exploration { regions, steps, common: None };
    if stutters {
        exploration.common = exploration.common_classes();
    }
    let mut states: Vec<Macrostate> = vec![];
    let mut numbers: FxHashMap<Macrostate, u32> = FxHashMap::default();
    let mut edges: Vec<(u32, Label, Events, u32)> = vec![];
    if let Some(initial) = regions.initial() {
        numbers.insert(initial.clone(), 0);
        states.push(initial);
    }
    let mut visited = 0;
    while visited < states.len() {
        interrupt::poll();
        for (label, events, target) in exploration.successors(&states[visited])? {
            let number = *numbers.entry(target).or_insert_with_key(|target| {
                states.push(target.clone());
                states.len() as u32 - 1
            });
            edges.push((visited as u32, label, events, number));
        }
        visited += 1;
    }
    Some(built(regions, states.len(), edges))
}

struct Exploration<'a> {
    regions: &'a Regions<'a>,
    steps: usize,
    /// The letter classes of all edges, for stutter compression.
    common: Option<Vec<Label>>,
}

impl Exploration<'_> {
    fn successors(&mut self, state: &Macrostate) -> Option<Vec<(Label, Events, Macrostate)>> {
        let Some(common) = self.common.take() else {
            let automaton = self.regions.automaton();
            let classes =
                subset::classes_up_to(automaton, self.regions.present(state), MAX_CLASSES)?;
            let mut successors = vec![];
            for class in &classes {
                interrupt::poll();
                if let Some((target, events)) = self.step(state, class)? {
                    successors.push((class.label, events, target));
                }
            }
            return Some(successors);
        };
        let mut successors = vec![];
        for &label in &common {
            if let Some((target, events)) = self.repeated(state, label)? {
                successors.push((label, events, target));
            }
        }
        self.common = Some(common);
        Some(successors)
    }

    #[expect(clippy::option_option, reason = "outside: whether the steps suffice")]
    fn step(&mut self, state: &Macrostate, class: &Class) -> Option<Option<(Macrostate, Events)>> {
        interrupt::poll();
        self.steps = self.steps.checked_sub(1 + class.edges.len())?;
        Some(self.regions.step(state, class))
    }

    /// Returns the end of the repetitions of a letter.
    #[expect(clippy::option_option, reason = "outside: whether the steps suffice")]
    fn repeated(
        &mut self,
        state: &Macrostate,
        letter: Label,
    ) -> Option<Option<(Macrostate, Events)>> {
        let mut way: Vec<(Macrostate, Events)> = vec![];
        let mut current = state.clone();
        let start = loop {
            if let Some(start) = way.iter().position(|(earlier, _)| *earlier == current) {
                break start;
            }
            let class = self.class(&current, letter);
            let Some((next, events)) = self.step(&current, &class)? else { return Some(None) };
            way.push((current, events));
            current = next;
        };
        let cycle = start..way.len();
        let least = cycle.clone().min_by(|l, r| way[*l].0.cmp(&way[*r].0)).unwrap_or(start);
        // From the least macrostate the letter loops around the cycle, and from others it leads
        // there.
        let passed: Vec<usize> = match least {
            0 => cycle.collect(),
            _ => (0..least).collect(),
        };
        let passed = match self.regions.repetitions() {
            Repetitions::All => passed,
            #[cfg(test)]
            Repetitions::First => vec![passed[0]],
        };
        let mut events = way[passed[0]].1.clone();
        passed.iter().for_each(|&place| events.add(&way[place].1));
        Some(Some((way.swap_remove(least).0, events)))
    }

    /// Returns the edges of a macrostate that read a letter.
    fn class(&self, state: &Macrostate, letter: Label) -> Class {
        let automaton = self.regions.automaton();
        let alphabet = automaton.alphabet();
        let mut edges = vec![];
        for source in subset::states(self.regions.present(state)) {
            interrupt::poll();
            for edge in automaton.edge_range(source) {
                if alphabet.implies(letter, automaton.edges()[edge].label) {
                    edges.push((source, EdgeId::new(edge)));
                }
            }
        }
        Class { label: letter, edges }
    }

    fn common_classes(&self) -> Option<Vec<Label>> {
        let automaton = self.regions.automaton();
        let all = subset::set(subset::width(automaton.state_count()), automaton.states());
        let classes = subset::classes_up_to(automaton, &all, MAX_COMMON_CLASSES)?;
        Some(classes.into_iter().map(|class| class.label).collect())
    }
}

fn built(regions: &Regions<'_>, states: usize, edges: Vec<(u32, Label, Events, u32)>) -> Automaton {
    let automaton = regions.automaton();
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    if let Some(name) = automaton.name() {
        builder.name(name);
    }
    builder.add_states(states);
    if states > 0 {
        builder.initial(StateId::new(0));
    }
    let mut marks = u32::from(regions.has_breakpoint());
    let mut condition = vec![];
    condition.extend(regions.has_breakpoint().then_some(Condition::Fin(0)));
    let mut offsets = vec![];
    for region in 0..regions.len() {
        let events = edges.iter().filter_map(|(_, _, events, _)| events.regions[region]);
        // The last mark is a successful one, so that runs without events are rejecting.
        let count = events.max().map_or(0, |event| (event | 1) + 1);
        let parity = Parity { kind: ParityKind::Min, odd: true, marks: count };
        let offset = marks;
        if count > 0 {
            let own = Named::Parity(parity).acceptance();
            condition.push(own.condition().map_marks(&|mark| mark + offset));
        }
        offsets.push(offset);
        marks += count;
    }
    builder.acceptance(Acceptance::new(marks, Condition::or(condition)));
    for (source, label, events, target) in edges {
        let breakpoint = events.breakpoint.then_some(0);
        let own = events.regions.iter().zip(&offsets);
        let own = own.filter_map(|(event, offset)| event.map(|event| event + offset));
        let marks: Marks = breakpoint.into_iter().chain(own).collect();
        let (source, target) = (StateId::new(source as usize), StateId::new(target as usize));
        builder.edge(source, label, marks, target);
    }
    parallel::merge(&builder.build())
}
