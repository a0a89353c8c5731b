//! Random automata made of blocks: a sequence of strongly connected components of given kinds.
//!
//! Plain random automata usually have one large component, and do not expose errors of
//! constructions that depend on the kinds of components. Here each block has its own kind, and runs
//! move from block to block.

use crate::acceptance::Named;
use crate::automaton::{Automaton, AutomatonBuilder};
use crate::error::Error;
use crate::index::StateId;
use crate::label::{Alphabet, Label};
use crate::marks::Marks;
use crate::scc::ComponentKind;
use sempre_ltl::Prop;
use sempre_ltl::generate::Rng;
use std::ops::Range;
use std::sync::Arc;

/// The parameters of random automata of blocks.
#[derive(Clone, Debug)]
pub struct RandomBlocks {
    alphabet: Arc<Alphabet>,
    kinds: Vec<ComponentKind>,
    blocks: Range<usize>,
    states: Range<usize>,
    marks: u32,
    forward: f64,
    seed: u64,
}

impl RandomBlocks {
    /// Creates a generator over these propositions, which must be distinct and at most 6. Defaults:
    /// two or three blocks of one to three states, of all kinds, with a Büchi condition. For each
    /// letter, a fifth of the pairs of states of different blocks have an edge. The seed is 0.
    pub fn over<P: Into<Prop>>(props: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        let alphabet = Arc::new(Alphabet::new(props)?);
        if alphabet.props().len() > 6 {
            return Err(Error::new("blocks are made letter by letter, of at most 6 propositions"));
        }
        Ok(RandomBlocks {
            alphabet,
            kinds: vec![
                ComponentKind::Rejecting,
                ComponentKind::Accepting,
                ComponentKind::Deterministic,
                ComponentKind::Nondeterministic,
            ],
            blocks: 2..4,
            states: 1..4,
            marks: 1,
            forward: 0.2,
            seed: 0,
        })
    }

    /// Sets the kinds of blocks to choose from; a trivial block is rejecting.
    #[must_use]
    pub fn kinds(mut self, kinds: Vec<ComponentKind>) -> Self {
        self.kinds = kinds;
        self
    }

    /// Sets the number of blocks.
    #[must_use]
    pub fn blocks(mut self, blocks: Range<usize>) -> Self {
        self.blocks = blocks;
        self
    }

    /// Sets the number of states of a block.
    #[must_use]
    pub fn states(mut self, states: Range<usize>) -> Self {
        self.states = states;
        self
    }

    /// Sets the number of marks of the generalized Büchi condition, at least one.
    #[must_use]
    pub fn marks(mut self, marks: u32) -> Self {
        self.marks = marks.max(1);
        self
    }

    /// Sets the probability of an edge to a state of a later block, for each letter.
    #[must_use]
    pub fn forward(mut self, probability: f64) -> Self {
        self.forward = probability;
        self
    }

    /// Sets the seed, which determines the sequence of automata.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Returns an infinite sequence of automata over one alphabet.
    pub fn generate(self) -> impl Iterator<Item = Automaton> {
        let mut rng = Rng::new(self.seed);
        std::iter::repeat_with(move || self.automaton(&mut rng))
    }

    fn automaton(&self, rng: &mut Rng) -> Automaton {
        let mut builder = Automaton::builder(self.alphabet.clone());
        let acceptance = match self.marks {
            1 => Named::Buchi,
            marks => Named::GeneralizedBuchi(marks),
        };
        builder.acceptance(acceptance.acceptance());
        let count = within(rng, &self.blocks);
        let mut blocks: Vec<(ComponentKind, Range<usize>)> = vec![];
        for _ in 0..count {
            let kind = match self.kinds.len() {
                0 => ComponentKind::Rejecting,
                kinds => self.kinds[rng.index(kinds)],
            };
            let start = builder.state_count();
            builder.add_states(within(rng, &self.states).max(1));
            blocks.push((kind, start..builder.state_count()));
        }
        if count > 0 {
            builder.initial(StateId::new(0));
        }
        let all = builder.state_count();
        for (place, (kind, states)) in blocks.iter().enumerate() {
            self.inside(&mut builder, rng, *kind, states.clone());
            self.onwards(&mut builder, rng, states.clone(), states.end..all);
            if place + 1 < blocks.len() {
                // Every block is reachable.
                let (source, letter) = (states.start + rng.index(states.len()), self.letter(rng));
                let target = StateId::new(states.end);
                builder.edge(StateId::new(source), letter, Marks::EMPTY, target);
            }
        }
        crate::parallel::merge(&builder.build())
    }

    /// Adds a ring of the states, and further edges between them.
    fn inside(
        &self,
        builder: &mut AutomatonBuilder,
        rng: &mut Rng,
        kind: ComponentKind,
        states: Range<usize>,
    ) {
        let all = Marks::all(self.marks);
        // In a block with both kinds of cycles, the first edge has all marks, the second none.
        let mut edges = 0;
        let mut marks = |rng: &mut Rng| {
            edges += 1;
            match kind {
                ComponentKind::Trivial | ComponentKind::Rejecting => Marks::EMPTY,
                ComponentKind::Accepting => all.clone(),
                _ if edges == 1 => all.clone(),
                _ => (0..self.marks).filter(|_| rng.chance(0.3)).collect(),
            }
        };
        for source in states.clone() {
            let next = if source + 1 < states.end { source + 1 } else { states.start };
            let ring = rng.below(1 << self.alphabet.props().len());
            for letter in 0..1u64 << self.alphabet.props().len() {
                let targets: Vec<usize> = match kind {
                    ComponentKind::Deterministic if letter == ring => vec![next],
                    ComponentKind::Deterministic => {
                        let target = states.start + rng.index(states.len());
                        rng.chance(0.8).then_some(target).into_iter().collect()
                    }
                    _ => states
                        .clone()
                        .filter(|&t| rng.chance(0.4) || letter == ring && t == next)
                        .collect(),
                };
                for target in targets {
                    let (source, target) = (StateId::new(source), StateId::new(target));
                    let marks = marks(rng);
                    builder.edge(source, self.valuation(letter), marks, target);
                }
            }
        }
    }

    fn onwards(
        &self,
        builder: &mut AutomatonBuilder,
        rng: &mut Rng,
        states: Range<usize>,
        later: Range<usize>,
    ) {
        for source in states {
            for target in later.clone() {
                for letter in 0..1u64 << self.alphabet.props().len() {
                    if rng.chance(self.forward) {
                        let (source, target) = (StateId::new(source), StateId::new(target));
                        builder.edge(source, self.valuation(letter), Marks::EMPTY, target);
                    }
                }
            }
        }
    }

    fn letter(&self, rng: &mut Rng) -> Label {
        self.valuation(rng.below(1 << self.alphabet.props().len()))
    }

    fn valuation(&self, letter: u64) -> Label {
        let props = self.alphabet.props().len();
        let cube: Vec<(usize, bool)> = (0..props).map(|i| (i, letter >> i & 1 == 1)).collect();
        self.alphabet.from_cube(&cube)
    }
}

/// Returns a random number of the range, or its start if it is empty.
fn within(rng: &mut Rng, range: &Range<usize>) -> usize {
    match range.len() {
        0 => range.start,
        len => range.start + rng.index(len),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scc::Sccs;

    #[test]
    fn blocks_have_their_kinds() {
        let kinds = [
            ComponentKind::Rejecting,
            ComponentKind::Accepting,
            ComponentKind::Deterministic,
            ComponentKind::Nondeterministic,
        ];
        for marks in 1..3 {
            for wanted in kinds {
                let random = RandomBlocks::over(["a", "b"]).unwrap().kinds(vec![wanted]);
                let random = random.marks(marks).seed(3).states(2..4);
                let (mut as_wanted, mut all) = (0, 0);
                for automaton in random.generate().take(50) {
                    let sccs = Sccs::of(&automaton);
                    assert!(automaton.states().all(|state| sccs.is_reachable(state)));
                    assert!(matches!(sccs.len(), 2 | 3));
                    let found = sccs.kinds(&automaton);
                    as_wanted += found.iter().filter(|kind| **kind == wanted).count();
                    all += found.len();
                }
                // Blocks with random marks or edges may have a simpler kind by chance.
                match wanted {
                    ComponentKind::Rejecting | ComponentKind::Accepting => {
                        assert_eq!(as_wanted, all);
                    }
                    _ => assert!(2 * as_wanted > all, "{wanted:?}: {as_wanted} of {all}"),
                }
            }
        }
    }

    #[test]
    fn the_seed_decides() {
        let random = |seed| RandomBlocks::over(["a"]).unwrap().seed(seed).generate().take(3);
        assert!(random(1).eq(random(1)));
        assert!(!random(1).eq(random(2)));
    }
}
