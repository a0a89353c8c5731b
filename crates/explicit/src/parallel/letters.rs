//! The automaton in the form that threads use: sets of its states as bits of a word.

use crate::emptiness::Property;
use rustc_hash::FxHashMap;
use sempre_automata::Automaton;

/// The steps of an automaton for each valuation that has occurred on a thread.
pub(super) struct Letters<'a> {
    automaton: &'a Automaton,
    places: FxHashMap<u64, usize>,
    /// The last valuation and its index, since valuations often repeat.
    last: Option<(u64, usize)>,
    /// For each valuation and automaton state, the successors.
    targets: Vec<u32>,
    /// For each state of an accepting SCC, the states of this SCC; otherwise none.
    component: Vec<u32>,
}

impl<'a> Letters<'a> {
    pub(super) fn new(automaton: &'a Automaton, property: &Property) -> Self {
        let states = 0..automaton.state_count();
        let component = |state| {
            let others = states.clone().filter(|other| {
                property.is_accepting(state)
                    && property.component(*other) == property.component(state)
            });
            others.fold(0, |all, other| all | 1 << other)
        };
        let component = states.clone().map(component).collect();
        Letters {
            automaton,
            places: FxHashMap::default(),
            last: None,
            targets: Vec::new(),
            component,
        }
    }

    /// Returns the initial states.
    pub(super) fn initial(&self) -> u32 {
        self.automaton.initial().iter().fold(0, |all, state| all | 1 << state.index())
    }

    /// Returns the states of accepting SCCs.
    pub(super) fn accepting(&self) -> u32 {
        self.component.iter().fold(0, |all, component| all | component)
    }

    /// Returns the index of a valuation in the table of steps.
    #[inline]
    pub(super) fn place(&mut self, valuation: u64) -> usize {
        if let Some((last, place)) = self.last
            && last == valuation
        {
            return place;
        }
        let place = match self.places.get(&valuation) {
            Some(place) => *place,
            None => self.add(valuation),
        };
        self.last = Some((valuation, place));
        place
    }

    fn add(&mut self, valuation: u64) -> usize {
        let place = self.targets.len();
        self.places.insert(valuation, place);
        let alphabet = self.automaton.alphabet();
        for state in self.automaton.states() {
            let edges = self.automaton.edges_from(state).iter();
            let taken = edges.filter(|edge| alphabet.satisfied(edge.label, valuation));
            self.targets.push(taken.fold(0, |all, edge| all | 1 << edge.target.index()));
        }
        place
    }

    /// Returns the successors of an automaton state.
    #[inline]
    pub(super) fn targets(&self, place: usize, location: u32) -> u32 {
        self.targets[place + location as usize]
    }

    /// Returns the successors of a state within its accepting SCC.
    #[inline]
    pub(super) fn inside(&self, place: usize, location: u32) -> u32 {
        self.targets(place, location) & self.component[location as usize]
    }
}

/// Returns the members of a set, in ascending order.
#[inline]
pub(super) fn members(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let least = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        least
    })
}
