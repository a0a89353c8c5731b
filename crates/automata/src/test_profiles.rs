//! An oracle for tests: inclusion of Büchi languages by transition profiles, exactly.
//!
//! The profile of a finite word records between which states it leads, and whether through a mark.
//! There are finitely many profiles, and words with equal profiles are interchangeable. The
//! profiles of prefix and cycle decide whether a lasso is accepted (Büchi 1962; Sistla, Vardi and
//! Wolper 1987). The method uses no sets of states, slices or ranks.

use crate::{Automaton, Named, StateId};
use std::collections::HashSet;

/// By pair of states: no path, a path, or a path with a mark.
type Profile = Vec<u8>;

/// Returns the profile of each letter, over all automata together.
fn letters(automata: &[&Automaton]) -> Vec<Profile> {
    let total: usize = automata.iter().map(|automaton| automaton.state_count()).sum();
    let alphabet = automata[0].alphabet();
    let mut profiles = vec![];
    for letter in 0..1u64 << alphabet.props().len() {
        let mut profile = vec![0; total * total];
        let mut first = 0;
        for automaton in automata {
            assert_eq!(**automaton.alphabet(), **alphabet);
            assert_eq!(*automaton.acceptance(), Named::Buchi.acceptance());
            for (source, edge) in automaton.transitions() {
                if automaton.alphabet().satisfied(edge.label, letter) {
                    let place = (first + source.index()) * total + first + edge.target.index();
                    profile[place] = profile[place].max(1 + u8::from(edge.marks.contains(0)));
                }
            }
            first += automaton.state_count();
        }
        profiles.push(profile);
    }
    profiles
}

fn concatenate(left: &Profile, right: &Profile) -> Profile {
    let total = left.len().isqrt();
    let mut product = vec![0; left.len()];
    for source in 0..total {
        for middle in 0..total {
            let first = left[source * total + middle];
            if first == 0 {
                continue;
            }
            for target in 0..total {
                let second = right[middle * total + target];
                if second != 0 {
                    let place = &mut product[source * total + target];
                    *place = (*place).max(first.max(second));
                }
            }
        }
    }
    product
}

/// Returns the profiles of all nonempty words; `None` if there are more than `most`.
fn profiles(automata: &[&Automaton], most: usize) -> Option<Vec<Profile>> {
    let letters = letters(automata);
    let mut found: Vec<Profile> = vec![];
    let mut known: HashSet<Profile> = HashSet::new();
    for letter in &letters {
        if known.insert(letter.clone()) {
            found.push(letter.clone());
        }
    }
    let mut next = 0;
    while next < found.len() {
        for letter in &letters {
            let longer = concatenate(&found[next], letter);
            if known.insert(longer.clone()) {
                found.push(longer);
            }
        }
        if found.len() > most {
            return None;
        }
        next += 1;
    }
    Some(found)
}

/// Returns the states from which an automaton accepts the word that repeats a profile.
fn accepting_states(profile: &Profile) -> Vec<bool> {
    let total = profile.len().isqrt();
    // The union of all powers: the effect of repetitions of the cycle.
    let mut powers = profile.clone();
    loop {
        let longer = concatenate(&powers, profile);
        let joined: Profile = powers.iter().zip(&longer).map(|(l, r)| *l.max(r)).collect();
        if joined == powers {
            break;
        }
        powers = joined;
    }
    let recurs = |state: usize| powers[state * total + state] == 2;
    let reaches = |state: usize| (0..total).any(|s| powers[state * total + s] != 0 && recurs(s));
    (0..total).map(|state| recurs(state) || reaches(state)).collect()
}

/// Returns the verdicts of the automata on all lassos, up to profiles; `None` if there are more
/// than `most` profiles. The automata must be Büchi automata over the same propositions.
pub(crate) fn acceptances(automata: &[&Automaton], most: usize) -> Option<HashSet<Vec<bool>>> {
    let profiles = profiles(automata, most)?;
    let total: usize = automata.iter().map(|automaton| automaton.state_count()).sum();
    let identity = (0..total * total).map(|i| u8::from(i / total == i % total)).collect();
    let prefixes: Vec<&Profile> = [&identity].into_iter().chain(&profiles).collect();
    // Prefixes matter only by their targets from the initial states.
    let reached: HashSet<Vec<bool>> = prefixes
        .into_iter()
        .map(|prefix| {
            let mut reached = vec![false; total];
            let mut first = 0;
            for automaton in automata {
                for start in automaton.initial().iter().map(|state: &StateId| first + state.index())
                {
                    (0..total).for_each(|s| reached[s] |= prefix[start * total + s] != 0);
                }
                first += automaton.state_count();
            }
            reached
        })
        .collect();
    let cycles: HashSet<Vec<bool>> = profiles.iter().map(accepting_states).collect();
    let mut outcomes = HashSet::new();
    for reached in &reached {
        for accepting in &cycles {
            let mut first = 0;
            let outcome = automata.iter().map(|automaton| {
                let states = first..first + automaton.state_count();
                first = states.end;
                states.into_iter().any(|s| reached[s] && accepting[s])
            });
            outcomes.insert(outcome.collect());
        }
    }
    Some(outcomes)
}

/// True if a deterministic weak automaton exists for the language of the Büchi automaton; `None` if
/// there are more than `most` profiles.
///
/// Words act on profiles from the right. With the acceptance of cycles, this is a deterministic
/// automaton with the same language on lassos. The language is an obligation exactly if in each of
/// its components all cycles are accepting or all are rejecting.
pub(crate) fn is_obligation(automaton: &Automaton, most: usize) -> Option<bool> {
    let words = profiles(&[automaton], most)?;
    let letters = letters(&[automaton]);
    let total = automaton.state_count();
    let identity: Profile = (0..total * total).map(|i| u8::from(i / total == i % total)).collect();
    let graph = Actions { identity, letters };
    let mut homogeneous = true;
    let repeated: Vec<Vec<bool>> = words.iter().map(accepting_states).collect();
    let _ = crate::scc::components(&graph, |component| {
        let mut seen = [false; 2];
        for prefix in component {
            for (cycle, accepting) in words.iter().zip(&repeated) {
                if concatenate(prefix, cycle) == *prefix {
                    let start = automaton.initial().iter();
                    let accepted = start.flat_map(|i| (0..total).map(move |s| (i.index(), s)));
                    let accepted =
                        { accepted }.any(|(i, s)| prefix[i * total + s] != 0 && accepting[s]);
                    seen[usize::from(accepted)] = true;
                }
            }
        }
        homogeneous &= seen != [true; 2];
        std::ops::ControlFlow::<()>::Continue(())
    });
    Some(homogeneous)
}

/// The action of words on profiles.
struct Actions {
    identity: Profile,
    letters: Vec<Profile>,
}

impl crate::scc::Graph for Actions {
    type Node = Profile;
    type Edge = ();
    type Numbering = crate::graph::Sparse<Profile>;

    fn numbering(&self) -> Self::Numbering {
        Default::default()
    }

    fn initial(&self) -> impl Iterator<Item = Profile> + '_ {
        std::iter::once(self.identity.clone())
    }

    fn successors(&self, node: Profile) -> impl Iterator<Item = ((), Profile)> + '_ {
        self.letters.iter().map(move |letter| ((), concatenate(&node, letter)))
    }
}
