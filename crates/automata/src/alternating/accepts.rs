//! Membership of lasso words in linear alternating automata.
//!
//! Decides states bottom-up, each for all positions of the word: a branch leaves the state, or
//! stays if its marks allow that. O(word × edges × disjuncts of the condition).

use super::{AlternatingAutomaton, UniversalEdge};
use crate::error::Error;
use crate::index::StateId;
use crate::letters::Letters;
use sempre_ltl::{Word, interrupt};

impl AlternatingAutomaton {
    /// True if the automaton accepts the word. Propositions that the word does not have are false.
    ///
    /// # Errors
    /// If the automaton is not linear.
    pub fn accepts(&self, word: &Word) -> Result<bool, Error> {
        let accepting = self.accepting_positions(word)?;
        let holds = |state: &StateId| accepting[state.index()][0];
        Ok(self.initial.iter().any(|start| start.iter().all(holds)))
    }

    /// By state, whether it accepts the suffix of the word from each position on.
    pub(super) fn accepting_positions(&self, word: &Word) -> Result<Vec<Vec<bool>>, Error> {
        let order = self.bottom_up().ok_or_else(|| {
            Error::new("the alternating automaton has a cycle through several states")
        })?;
        let letters = Letters::of_word(&self.alphabet, word);
        let disjuncts = self.acceptance.condition().disjuncts();
        let after =
            |position| if position + 1 == word.len() { word.prefix_len() } else { position + 1 };
        let mut accepting = vec![vec![]; self.state_count()];
        for state in order {
            interrupt::poll();
            // The edges whose other targets accept.
            let possible: Vec<Vec<&UniversalEdge>> = (0..word.len())
                .map(|position| {
                    let next = after(position);
                    let others = |edge: &UniversalEdge| {
                        edge.targets.iter().all(|t| *t == state || accepting[t.index()][next])
                    };
                    let edges = self.edges_from(state).iter();
                    let reads = |edge: &&UniversalEdge| {
                        letters.satisfy(position, &self.alphabet, edge.label) && others(edge)
                    };
                    edges.filter(reads).collect()
                })
                .collect();
            let loops = |edge: &&&UniversalEdge| edge.targets.contains(&state);
            let stays = disjuncts.iter().any(|disjunct| {
                let good =
                    |edge: &&&UniversalEdge| loops(edge) && edge.marks.is_disjoint(&disjunct.fin);
                let cycle = &possible[word.prefix_len()..];
                cycle.iter().all(|edges| edges.iter().any(|edge| good(&edge)))
                    && disjunct.inf.iter().all(|mark| {
                        let seen = |edge: &&UniversalEdge| good(&edge) && edge.marks.contains(mark);
                        cycle.iter().flatten().any(seen)
                    })
            });
            let mut holds = vec![stays; word.len()];
            // Two passes, because results at the start of the cycle affect its end.
            for position in (0..word.len()).rev().chain((0..word.len()).rev()) {
                let next = holds[after(position)];
                holds[position] = possible[position].iter().any(|edge| next || !loops(&edge));
            }
            accepting[state.index()] = holds;
        }
        Ok(accepting)
    }
}
