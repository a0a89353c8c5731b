//! Isomorphism: whether two automata are equal up to the numbers of their states.
//!
//! Colours distinguish states. They are refined until states of one colour have the same edges from
//! and to states of the same colours. If several states share a colour, one is selected and its
//! counterpart guessed. Each refinement takes O(edges × states) at worst. Wrong guesses are rare;
//! their number is limited, because no polynomial bound is known.

use crate::automaton::Automaton;
use crate::error::Error;
use crate::index::StateId;
use crate::label::Label;
use crate::marks::Marks;
use crate::parallel;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximal number of guesses.
pub const MAX_GUESSES: usize = 10_000;

/// Returns a bijection of the states if the automata are isomorphic: state `s` of the first is
/// state `result[s]` of the second. Unreachable states count.
///
/// The automata must have the same propositions in the same order and the same acceptance
/// condition. Edges with the same source, target and marks are merged. The order of edges and
/// initial states and all names are irrelevant.
///
/// # Errors
/// If the answer is unknown after [`MAX_GUESSES`] guesses.
///
/// ```
/// use sempre_automata::random::RandomAutomata;
/// use sempre_automata::{StateId, isomorphism, renumber};
/// let automaton = RandomAutomata::over(["a"]).unwrap().states(3).generate().next().unwrap();
/// let order = [2, 0, 1].map(StateId::new);
/// let shuffled = renumber::select(&automaton, &order);
/// assert_eq!(isomorphism::find(&shuffled, &automaton).unwrap(), Some(order.to_vec()));
/// ```
pub fn find(left: &Automaton, right: &Automaton) -> Result<Option<Vec<StateId>>, Error> {
    if left.alphabet().props() != right.alphabet().props()
        || left.acceptance() != right.acceptance()
        || left.state_count() != right.state_count()
        || left.initial().len() != right.initial().len()
    {
        return Ok(None);
    }
    let (left, right) = (parallel::merge(left), parallel::merge(right));
    if left.edge_count() != right.edge_count() {
        return Ok(None);
    }
    let pair = Pair::new(&left, &right);
    let mut guesses = 0;
    let mut branches = vec![pair.initial_colours(&left, &right)];
    while let Some(colours) = branches.pop() {
        sempre_ltl::interrupt::poll();
        let Some(classes) = pair.refine(colours) else { continue };
        let Some((ours, theirs)) = classes.ambiguous() else {
            return Ok(Some(classes.bijection(pair.states)));
        };
        for &counterpart in theirs {
            guesses += 1;
            if guesses > MAX_GUESSES {
                return Err(Error::new(format!(
                    "isomorphism could not be decided with {MAX_GUESSES} guesses"
                )));
            }
            let mut colours = classes.colours.clone();
            let fresh = classes.members.len() as u32;
            colours[ours[0] as usize] = fresh;
            colours[counterpart as usize] = fresh;
            branches.push(colours);
        }
    }
    Ok(None)
}

/// True if the automata are isomorphic, see [`find`].
///
/// # Errors
/// If the answer is unknown after [`MAX_GUESSES`] guesses.
pub fn are_isomorphic(left: &Automaton, right: &Automaton) -> Result<bool, Error> {
    find(left, right).map(|bijection| bijection.is_some())
}

/// Both automata as one graph: the states of the second follow those of the first.
struct Pair {
    states: usize,
    /// By state, its edges in both directions: a number for direction, label and marks, and the
    /// state at the other end.
    edges: Vec<Vec<(u32, u32)>>,
}

impl Pair {
    fn new(left: &Automaton, right: &Automaton) -> Self {
        let states = left.state_count();
        let mut kinds: FxHashMap<(Label, Marks), u32> = FxHashMap::default();
        let mut edges = vec![vec![]; 2 * states];
        let places: Vec<usize> = (0..left.alphabet().props().len()).collect();
        let shared = Arc::ptr_eq(left.alphabet(), right.alphabet());
        for (automaton, offset) in [(left, 0), (right, states)] {
            for (source, edge) in automaton.transitions() {
                // Labels are comparable only in one alphabet.
                let label = match offset == 0 || shared {
                    true => edge.label,
                    false => right.alphabet().translate(edge.label, left.alphabet(), &places),
                };
                let fresh = kinds.len() as u32;
                let kind = *kinds.entry((label, edge.marks.clone())).or_insert(fresh);
                let (source, target) = (source.index() + offset, edge.target.index() + offset);
                edges[source].push((2 * kind, target as u32));
                edges[target].push((2 * kind + 1, source as u32));
            }
        }
        Pair { states, edges }
    }

    fn initial_colours(&self, left: &Automaton, right: &Automaton) -> Vec<u32> {
        let mut colours = vec![0; 2 * self.states];
        left.initial().iter().for_each(|state| colours[state.index()] = 1);
        right.initial().iter().for_each(|state| colours[self.states + state.index()] = 1);
        colours
    }

    /// Refines the colours until they are stable; `None` if the automata differ.
    fn refine(&self, colours: Vec<u32>) -> Option<Classes> {
        let mut classes = Classes::of(colours, self.states)?;
        loop {
            let mut known: FxHashMap<(u32, Vec<(u32, u32)>), u32> = FxHashMap::default();
            let mut colours = Vec::with_capacity(2 * self.states);
            for (state, edges) in self.edges.iter().enumerate() {
                let mut seen: Vec<(u32, u32)> = edges
                    .iter()
                    .map(|&(kind, other)| (kind, classes.colours[other as usize]))
                    .collect();
                seen.sort_unstable();
                let fresh = known.len() as u32;
                colours.push(*known.entry((classes.colours[state], seen)).or_insert(fresh));
            }
            let refined = Classes::of(colours, self.states)?;
            if refined.members.len() == classes.members.len() {
                return Some(refined);
            }
            classes = refined;
        }
    }
}

/// A colouring in which each colour is equally frequent in both automata.
struct Classes {
    colours: Vec<u32>,
    /// By colour, its states in both automata.
    members: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Classes {
    fn of(colours: Vec<u32>, states: usize) -> Option<Self> {
        let count = colours.iter().max().map_or(0, |most| *most as usize + 1);
        let mut members = vec![(vec![], vec![]); count];
        for (state, &colour) in colours.iter().enumerate() {
            let (ours, theirs) = &mut members[colour as usize];
            (if state < states { ours } else { theirs }).push(state as u32);
        }
        let balanced = members.iter().all(|(ours, theirs)| ours.len() == theirs.len());
        balanced.then_some(Classes { colours, members })
    }

    /// Returns the smallest class with several states of each automaton.
    fn ambiguous(&self) -> Option<(&[u32], &[u32])> {
        let several = self.members.iter().filter(|(ours, _)| ours.len() > 1);
        several.min_by_key(|(ours, _)| ours.len()).map(|(l, r)| (l.as_slice(), r.as_slice()))
    }

    fn bijection(&self, states: usize) -> Vec<StateId> {
        let counterpart = |state: usize| {
            let (_, theirs) = &self.members[self.colours[state] as usize];
            StateId::new(theirs[0] as usize - states)
        };
        (0..states).map(counterpart).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{self, Size};
    use crate::{Alphabet, renumber};
    use proptest::prelude::*;
    use std::collections::HashSet;

    type Transition = (StateId, Label, Marks, StateId);

    /// Returns the initial states and the edges as sets, with parallel edges merged.
    fn normal(automaton: &Automaton) -> (HashSet<StateId>, HashSet<Transition>) {
        let merged = parallel::merge(automaton);
        let edges = merged.transitions().map(|(s, e)| (s, e.label, e.marks.clone(), e.target));
        (merged.initial().iter().copied().collect(), edges.collect())
    }

    fn permutations(count: usize) -> Vec<Vec<StateId>> {
        (0..count).fold(vec![vec![]], |shorter, next| {
            let insert = |order: Vec<StateId>| {
                (0..=order.len()).map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, StateId::new(next));
                    order
                })
            };
            shorter.into_iter().flat_map(insert).collect()
        })
    }

    fn automata() -> impl Strategy<Value = (Automaton, Automaton)> {
        let size = Size { states: 5, props: 1, marks: 1, degree: 1 };
        let alphabet = Arc::new(Alphabet::new(["a"]).unwrap());
        let one =
            move || arbitrary::automaton_with(alphabet.clone(), arbitrary::acceptance(1), size);
        (one(), one())
    }

    fn permuted() -> impl Strategy<Value = (Automaton, Vec<StateId>)> {
        arbitrary::automaton().prop_flat_map(|automaton| {
            let states: Vec<StateId> = automaton.states().collect();
            (Just(automaton), Just(states).prop_shuffle())
        })
    }

    proptest! {
        #[test]
        fn permuted_automata_are_isomorphic((automaton, order) in permuted()) {
            let permuted = renumber::select(&automaton, &order);
            let found = find(&permuted, &automaton).unwrap().expect("they are");
            prop_assert_eq!(normal(&renumber::select(&automaton, &found)), normal(&permuted));
        }

        #[test]
        fn the_answer_is_that_of_trying_all_permutations(
            (left, right) in automata(),
            change in any::<prop::sample::Index>(),
        ) {
            // A permutation with one reversed edge is almost isomorphic.
            let order = permutations(left.state_count()).pop().unwrap();
            let mut nearly = renumber::select(&left, &order).edit();
            if left.edge_count() > 0 {
                let changed = change.index(left.edge_count());
                let mut place = 0;
                nearly.retain_edges(|_, edge| {
                    if place == changed {
                        edge.target = StateId::new(0);
                    }
                    place += 1;
                    true
                });
            }
            for other in [right, nearly.build()] {
                let wanted = left.acceptance() == other.acceptance()
                    && left.state_count() == other.state_count()
                    && permutations(left.state_count())
                        .iter()
                        .any(|order| normal(&renumber::select(&other, order)) == normal(&left));
                prop_assert_eq!(are_isomorphic(&left, &other), Ok(wanted));
            }
        }
    }

    #[test]
    fn cycles_of_the_same_total_length_are_told_apart() {
        // Refinement alone does not distinguish one cycle of 6 from two of 3.
        let cycles = |lengths: &[usize]| {
            let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
            let tt = builder.alphabet().tt();
            for &length in lengths {
                let first = builder.add_states(length).index();
                for place in 0..length {
                    let (from, to) = (first + place, first + (place + 1) % length);
                    builder.edge(StateId::new(from), tt, Marks::EMPTY, StateId::new(to));
                }
            }
            builder.build()
        };
        assert_eq!(are_isomorphic(&cycles(&[6]), &cycles(&[3, 3])), Ok(false));
        assert_eq!(are_isomorphic(&cycles(&[4, 3]), &cycles(&[3, 4])), Ok(true));
    }
}
