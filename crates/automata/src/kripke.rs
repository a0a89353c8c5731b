//! Kripke structures: finite systems whose states are labelled with propositions.

use crate::error::Error;
use crate::index::StateId;
use crate::label::Alphabet;
use std::sync::Arc;

/// A Kripke structure: states labelled with valuations, a total successor relation, and an
/// initial state. Finite behaviours end in a state that is its own successor.
///
/// ```
/// use sempre_automata::{Alphabet, Kripke, StateId};
/// // p1 p1 ∅ {p1, p2} p2: the executions are (0 1 3)^ω and those that stay in 2 or 4 forever.
/// let alphabet = Alphabet::new(["p1", "p2"]).unwrap();
/// let edges = [(0, 1), (0, 2), (1, 2), (1, 3), (1, 4), (2, 2), (3, 0), (4, 4)];
/// let kripke = Kripke::new(alphabet, vec![1, 1, 0, 3, 2], edges, 0).unwrap();
/// assert_eq!((kripke.state_count(), kripke.edge_count()), (5, 8));
/// assert_eq!(kripke.successors(StateId::new(1)).len(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Kripke {
    alphabet: Arc<Alphabet>,
    /// By state, the propositions that hold, as bits.
    labels: Vec<u64>,
    initial: StateId,
    /// The successors of state `s` are at `offsets[s]` to `offsets[s + 1]`.
    offsets: Vec<u32>,
    successors: Vec<StateId>,
}

impl Kripke {
    /// Creates the structure in which bit `p` of `labels[s]` is the value of proposition `p` in
    /// state `s`. Repeated edges count once; successors are in ascending order.
    ///
    /// # Errors
    /// If there is no state, an edge or the initial state is unknown, or a state has no successor.
    /// Also if a label has a bit without proposition, or there are more than 64 propositions.
    pub fn new(
        alphabet: impl Into<Arc<Alphabet>>,
        labels: Vec<u64>,
        edges: impl IntoIterator<Item = (usize, usize)>,
        initial: usize,
    ) -> Result<Self, Error> {
        let (alphabet, count) = (alphabet.into(), labels.len());
        let props = alphabet.props().len();
        if props > 64 {
            return Err(Error::new("a Kripke structure has at most 64 propositions"));
        }
        if initial >= count {
            return Err(Error::new(format!("the initial state {initial} is none of {count}")));
        }
        if u32::try_from(count).is_err() {
            return Err(Error::new("a Kripke structure has less than 2^32 states"));
        }
        if let Some(state) = labels.iter().position(|label| props < 64 && label >> props != 0) {
            return Err(Error::new(format!(
                "the label of state {state} has a bit that belongs to no proposition"
            )));
        }
        let mut edges: Vec<(usize, usize)> = edges.into_iter().collect();
        edges.sort_unstable();
        edges.dedup();
        if let Some((source, target)) = edges.iter().find(|(s, t)| *s >= count || *t >= count) {
            return Err(Error::new(format!(
                "the edge from {source} to {target} is not between the {count} states"
            )));
        }
        if u32::try_from(edges.len()).is_err() {
            return Err(Error::new("a Kripke structure has less than 2^32 edges"));
        }
        let mut offsets = vec![0u32; count + 1];
        edges.iter().for_each(|(source, _)| offsets[source + 1] += 1);
        if let Some(state) = offsets[1..].iter().position(|&successors| successors == 0) {
            return Err(Error::new(format!("state {state} has no successor")));
        }
        for state in 0..count {
            offsets[state + 1] += offsets[state];
        }
        Ok(Kripke {
            alphabet,
            labels,
            initial: StateId::new(initial),
            offsets,
            successors: edges.into_iter().map(|(_, target)| StateId::new(target)).collect(),
        })
    }

    /// The propositions.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.labels.len()
    }

    /// All states.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + use<> {
        (0..self.state_count()).map(StateId::new)
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.successors.len()
    }

    /// Returns the initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// Changes the initial state.
    ///
    /// # Panics
    /// If there is no such state.
    #[must_use]
    pub fn starting_in(mut self, state: StateId) -> Self {
        assert!(state.index() < self.state_count(), "no such state");
        self.initial = state;
        self
    }

    /// The propositions that hold in a state, as bits; see [`Alphabet::satisfied`].
    pub fn label(&self, state: StateId) -> u64 {
        self.labels[state.index()]
    }

    /// Returns the successors of a state, at least one, in ascending order.
    pub fn successors(&self, state: StateId) -> &[StateId] {
        let range = self.offsets[state.index()] as usize..self.offsets[state.index() + 1] as usize;
        &self.successors[range]
    }

    /// True if every state is reachable and has one successor: there is only one execution.
    pub fn is_sequential(&self) -> bool {
        self.edge_count() == self.state_count() && self.reachable_count() == self.state_count()
    }

    /// Returns the number of reachable states.
    pub fn reachable_count(&self) -> usize {
        let mut reached = vec![false; self.state_count()];
        reached[self.initial.index()] = true;
        let (mut count, mut todo) = (0, vec![self.initial]);
        while let Some(state) = todo.pop() {
            count += 1;
            for successor in self.successors(state) {
                if !std::mem::replace(&mut reached[successor.index()], true) {
                    todo.push(*successor);
                }
            }
        }
        count
    }
}

/// Structures are equal if they have the same propositions, labels, successors and initial state.
impl PartialEq for Kripke {
    fn eq(&self, other: &Self) -> bool {
        *self.alphabet == *other.alphabet
            && self.labels == other.labels
            && self.initial == other.initial
            && self.offsets == other.offsets
            && self.successors == other.successors
    }
}

impl Eq for Kripke {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_kripke_structure_is_refused() {
        let new = |labels: &[u64], edges: &[(usize, usize)], initial| {
            let alphabet = Alphabet::new(["p", "q"]).unwrap();
            let kripke = Kripke::new(alphabet, labels.to_vec(), edges.iter().copied(), initial);
            kripke.map_err(|error| error.to_string())
        };
        assert!(new(&[3], &[(0, 0), (0, 0)], 0).is_ok_and(|kripke| kripke.edge_count() == 1));
        assert_eq!(new(&[], &[], 0).unwrap_err(), "the initial state 0 is none of 0");
        assert_eq!(new(&[0, 0], &[(0, 1)], 0).unwrap_err(), "state 1 has no successor");
        assert_eq!(new(&[0, 0], &[(1, 1)], 0).unwrap_err(), "state 0 has no successor");
        assert!(new(&[0], &[(0, 1)], 0).is_err());
        assert!(new(&[0], &[(0, 0)], 1).is_err());
        assert!(new(&[4], &[(0, 0)], 0).is_err());
        let many = Alphabet::new((0..65).map(|i| format!("p{i}"))).unwrap();
        assert!(Kripke::new(many, vec![0], [(0, 0)], 0).is_err());
        let most = Alphabet::new((0..64).map(|i| format!("p{i}"))).unwrap();
        assert!(Kripke::new(most, vec![u64::MAX], [(0, 0)], 0).is_ok());
    }
}
