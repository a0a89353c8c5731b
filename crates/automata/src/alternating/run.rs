//! Runs as layers of states: one for each position of a lasso word.
//!
//! A run of an alternating automaton is a directed acyclic graph whose nodes are states at
//! positions. Linear automata have runs without memory: the same state at the same position takes
//! the same edge in every round of the cycle, so the graph folds into finitely many layers. A state
//! is left as soon as it can be. O(word × edges).

use super::AlternatingAutomaton;
use crate::automaton::Automaton;
use crate::error::Error;
use crate::index::StateId;
use crate::marks::Marks;
use crate::run::Run;
use sempre_ltl::{Word, interrupt};

/// A state at a position, with the states that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunNode {
    /// The state.
    pub state: StateId,
    /// The states at the next position, all of which must accept the rest of the word.
    pub targets: Vec<StateId>,
    /// The marks of the edge.
    pub marks: Marks,
}

/// An accepting run on a lasso word, folded: layers of a prefix, then those of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLayers {
    layers: Vec<Vec<RunNode>>,
    prefix_len: usize,
}

impl RunLayers {
    /// The layers, each by ascending states; the cycle follows the prefix.
    pub fn layers(&self) -> &[Vec<RunNode>] {
        &self.layers
    }

    /// The number of layers before the cycle.
    pub fn prefix_len(&self) -> usize {
        self.prefix_len
    }

    /// The layers of a run of a nondeterministic automaton: one state each.
    pub fn of_run(run: &Run, automaton: &Automaton) -> RunLayers {
        let mut state = run.start();
        let layers = run.edges().map(|edge| {
            let edge = automaton.edge(edge);
            let node = RunNode { state, targets: vec![edge.target], marks: edge.marks.clone() };
            state = edge.target;
            vec![node]
        });
        RunLayers { layers: layers.collect(), prefix_len: run.prefix().len() }
    }
}

impl AlternatingAutomaton {
    /// An accepting run on a word; `None` if the word is rejected. Propositions that the word does
    /// not have are false.
    ///
    /// # Errors
    /// If the automaton is not linear, or looping edges of a state have different marks.
    pub fn accepting_run(&self, word: &Word) -> Result<Option<RunLayers>, Error> {
        let accepting = self.accepting_positions(word)?;
        if self.states().any(|state| self.may_stay(state).is_none()) {
            return Err(Error::new(
                "looping edges of a state have different marks: no run is drawn",
            ));
        }
        let holds = |state: &StateId| accepting[state.index()][0];
        let Some(start) = self.initial.iter().find(|start| start.iter().all(holds)) else {
            return Ok(None);
        };
        let letters = crate::letters::Letters::of_word(&self.alphabet, word);
        let after =
            |position| if position + 1 == word.len() { word.prefix_len() } else { position + 1 };
        let mut chosen: Vec<Vec<Option<RunNode>>> =
            vec![vec![None; self.state_count()]; word.len()];
        let mut open: Vec<(StateId, usize)> = start.iter().map(|state| (*state, 0)).collect();
        while let Some((state, position)) = open.pop() {
            interrupt::poll();
            if chosen[position][state.index()].is_some() {
                continue;
            }
            let next = after(position);
            let possible = self.edges_from(state).iter().filter(|edge| {
                letters.satisfy(position, &self.alphabet, edge.label)
                    && edge.targets.iter().all(|target| accepting[target.index()][next])
            });
            // An edge that leaves the state is as good as any, and the only way out.
            let edge = possible.min_by_key(|edge| edge.targets.contains(&state));
            let edge = edge.unwrap_or_else(|| unreachable!("the state accepts from here"));
            open.extend(edge.targets.iter().map(|target| (*target, next)));
            let targets = edge.targets.to_vec();
            chosen[position][state.index()] =
                Some(RunNode { state, targets, marks: edge.marks.clone() });
        }
        let layers = chosen.into_iter().map(|layer| layer.into_iter().flatten().collect());
        Ok(Some(RunLayers { layers: layers.collect(), prefix_len: word.prefix_len() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alphabet, Named};

    /// Always (eventually a, and eventually b).
    fn automaton() -> AlternatingAutomaton {
        let mut builder = AlternatingAutomaton::builder(Alphabet::new(["a", "b"]).unwrap());
        builder.acceptance(Named::CoBuchi.acceptance());
        let first = builder.add_states(4);
        let [always, wait_a, wait_b, done] = [0, 1, 2, 3].map(|n| StateId::new(first.index() + n));
        let alphabet = builder.alphabet().clone();
        builder.initial([always]);
        builder.edge(always, alphabet.tt(), Marks::EMPTY, [always, wait_a, wait_b]);
        for (prop, wait) in [wait_a, wait_b].into_iter().enumerate() {
            builder.edge(wait, alphabet.prop(prop), Marks::EMPTY, [done]);
            builder.edge(wait, alphabet.tt(), Marks::from_iter([0]), [wait]);
        }
        builder.edge(done, alphabet.tt(), Marks::EMPTY, [done]);
        builder.build()
    }

    /// True if the layers are a run on the word by definition: edges of the automaton on the letters
    /// of the word, to states of the next layer, and no branch that stays where it must not.
    fn is_run(run: &RunLayers, automaton: &AlternatingAutomaton, word: &Word) -> bool {
        let layers = run.layers();
        let after = |i: usize| if i + 1 == layers.len() { run.prefix_len() } else { i + 1 };
        let letters = crate::letters::Letters::of_word(automaton.alphabet(), word);
        let has = |i: usize, state: StateId| layers[i].iter().any(|node| node.state == state);
        let starts = automaton.initial().iter().any(|start| start.iter().all(|s| has(0, *s)));
        let steps = (0..layers.len()).all(|i| {
            layers[i].iter().all(|node| {
                let edges = automaton.edges_from(node.state).iter();
                let mut read = edges.filter(|e| {
                    letters.satisfy(i, automaton.alphabet(), e.label)
                        && e.targets[..] == node.targets[..]
                        && e.marks == node.marks
                });
                read.next().is_some() && node.targets.iter().all(|t| has(after(i), *t))
            })
        });
        let stays = automaton.states().all(|state| {
            let cycle = &layers[run.prefix_len()..];
            let node = |layer: &Vec<RunNode>| layer.iter().find(|n| n.state == state).cloned();
            let nodes: Option<Vec<RunNode>> = cycle.iter().map(node).collect();
            nodes.is_none_or(|nodes| {
                let mut marks = Marks::EMPTY;
                nodes.iter().for_each(|node| marks |= &node.marks);
                !nodes.iter().all(|node| node.targets.contains(&state))
                    || automaton.acceptance().accepts(&marks)
            })
        });
        starts && steps && stays
    }

    #[test]
    fn runs_are_runs_and_exist_exactly_for_accepted_words() {
        let automaton = automaton();
        for text in
            ["cycle{a; b}", "a; cycle{a & b}", "cycle{a; a; b; !a}", "b; b; cycle{a; !b; b}"]
        {
            let word: Word = text.parse().unwrap();
            let run = automaton.accepting_run(&word).unwrap().unwrap();
            assert!(is_run(&run, &automaton, &word), "{text}: {run:?}");
        }
        for text in ["cycle{a}", "b; cycle{a & !b}", "cycle{!a}"] {
            let word: Word = text.parse().unwrap();
            assert!(automaton.accepting_run(&word).unwrap().is_none(), "{text}");
        }
    }
}
