//! Complementation of Büchi automata by transition profiles.
//!
//! The profile of a finite word has, for each pair of states, whether it leads from one to the
//! other, and whether over a mark. There are finitely many, and every word is u v v v … where v has
//! an idempotent profile (J. R. Büchi 1962; A. P. Sistla, M. Y. Vardi and P. Wolper 1987; the form
//! is that of S. Breuers, C. Löding and J. Olschewski, FoSSaCS 2012). A macrostate is the set of
//! states reached; once, an idempotent profile is guessed that keeps the set and has no marked
//! cycle on it, and the profile since the last breakpoint is followed until it is that one.
//!
//! There may be 2^O(n²) profiles for n states; they are limited.

use super::macrostates::Construction;
use crate::subset::{self, StateSet};
use crate::{Alphabet, Automaton, Label, StateId};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use std::sync::Arc;

/// For each pair of states: no path, a path, a path with a mark.
type Profile = Vec<u8>;

/// The complement of a Büchi automaton.
///
/// A macrostate is the set of states, one plus the number of the guessed profile (0 before the
/// guess), and one plus the number of the profile since the last breakpoint (0 for none).
pub(crate) struct Ramsey<'a> {
    automaton: &'a Automaton,
    /// The classes of letters, with their profiles.
    letters: Vec<(Label, u32)>,
    profiles: Vec<Profile>,
    /// For each profile and letter the profile of both.
    products: Vec<Vec<u32>>,
    /// The profiles that equal their square.
    idempotent: Vec<u32>,
    width: usize,
}

impl<'a> Ramsey<'a> {
    /// The automaton must be a Büchi automaton; `None` if it has more profiles than that.
    pub(crate) fn new(automaton: &'a Automaton, most: usize) -> Option<Self> {
        let states = automaton.state_count();
        let width = subset::width(states);
        let all = subset::set(width, automaton.states());
        let mut numbers: FxHashMap<Profile, u32> = FxHashMap::default();
        let mut profiles: Vec<Profile> = vec![];
        let mut number = |profile: Profile, profiles: &mut Vec<Profile>| {
            *numbers.entry(profile).or_insert_with_key(|profile| {
                profiles.push(profile.clone());
                profiles.len() as u32 - 1
            })
        };
        let mut letters: Vec<(Label, u32)> = vec![];
        for class in subset::classes(automaton, &all) {
            interrupt::poll();
            let mut profile = vec![0; states * states];
            for &(source, edge) in &class.edges {
                let edge = automaton.edge(edge);
                let place = &mut profile[source.index() * states + edge.target.index()];
                *place = (*place).max(1 + u8::from(!edge.marks.is_empty()));
            }
            let profile = number(profile, &mut profiles);
            match letters.iter_mut().find(|letter| letter.1 == profile) {
                Some(letter) => letter.0 = automaton.alphabet().or(letter.0, class.label),
                None => letters.push((class.label, profile)),
            }
        }
        let mut products: Vec<Vec<u32>> = vec![];
        while products.len() < profiles.len() {
            let mut row = vec![];
            for (_, letter) in &letters {
                interrupt::poll();
                let left = &profiles[products.len()];
                let product = concatenate(left, &profiles[*letter as usize], states);
                row.push(number(product, &mut profiles));
            }
            if profiles.len() > most {
                return None;
            }
            products.push(row);
        }
        let is_idempotent = |profile: &&Profile| concatenate(profile, profile, states) == **profile;
        let idempotent = (0u32..).zip(&profiles).filter(|(_, profile)| is_idempotent(profile));
        let idempotent = idempotent.map(|(number, _)| number).collect();
        Some(Ramsey { automaton, letters, profiles, products, idempotent, width })
    }

    /// The states to which a profile leads from a set.
    fn image(&self, set: &[u64], profile: u32) -> StateSet {
        let states = self.automaton.state_count();
        let profile = &self.profiles[profile as usize];
        let mut image = subset::empty(self.width);
        for source in subset::states(set) {
            interrupt::poll();
            let row = &profile[source.index() * states..][..states];
            let targets = row.iter().enumerate().filter(|(_, path)| **path > 0);
            targets.for_each(|(target, _)| subset::insert(&mut image, StateId::new(target)));
        }
        image
    }

    /// True if words that repeat the profile from the set for ever are rejected.
    fn rejects(&self, set: &[u64], profile: u32) -> bool {
        let states = self.automaton.state_count();
        let marked = |q: StateId| self.profiles[profile as usize][q.index() * (states + 1)] == 2;
        self.image(set, profile)[..] == *set && !subset::states(set).any(marked)
    }
}

fn concatenate(left: &Profile, right: &Profile, states: usize) -> Profile {
    let mut product = vec![0; left.len()];
    for source in 0..states {
        for middle in (0..states).filter(|middle| left[source * states + middle] > 0) {
            let first = left[source * states + middle];
            for target in 0..states {
                let second = right[middle * states + target];
                if second > 0 {
                    let place = &mut product[source * states + target];
                    *place = (*place).max(first.max(second));
                }
            }
        }
    }
    product
}

impl Construction for Ramsey<'_> {
    fn alphabet(&self) -> &Arc<Alphabet> {
        self.automaton.alphabet()
    }

    fn initial(&mut self) -> Vec<Vec<u64>> {
        let reached = subset::set(self.width, self.automaton.initial().iter().copied());
        vec![[&reached[..], &[0, 0]].concat()]
    }

    fn successors(&mut self, state: &[u64], edge: &mut dyn FnMut(Label, u32, &[u64])) {
        let (set, profiles) = state.split_at(self.width);
        for (place, &(label, letter)) in self.letters.iter().enumerate() {
            interrupt::poll();
            if let Some(guess) = profiles[0].checked_sub(1) {
                let next = match profiles[1].checked_sub(1) {
                    None => letter,
                    Some(before) => self.products[before as usize][place],
                };
                edge(label, 0, &[set, &[guess + 1, u64::from(next) + 1]].concat());
                if u64::from(next) == guess {
                    edge(label, 1, &[set, &[guess + 1, 0]].concat());
                }
                continue;
            }
            let to = self.image(set, letter);
            edge(label, 0, &[&to[..], &[0, 0]].concat());
            for &guess in &self.idempotent {
                if self.rejects(&to, guess) {
                    edge(label, 0, &[&to[..], &[u64::from(guess) + 1, 0]].concat());
                }
            }
        }
    }
}
