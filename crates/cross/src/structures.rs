//! The structures on which results are compared.

use sempre_automata::random::{KripkeKind, RandomKripke, enumerated_path};
use sempre_automata::{Error, Kripke};
use sempre_ltl::generate::Rng;
use sempre_ltl::{Formula, Prop};

/// Where in a structure results are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Scope {
    /// At every state, which shows more differences.
    #[default]
    Global,
    /// At the initial state.
    Local,
}

/// The kinds of structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureKind {
    /// Random ones.
    Random(KripkeKind),
    /// All lassos of a size, one after the other, and then again from the first.
    Enumerated,
}

impl Default for StructureKind {
    fn default() -> Self {
        StructureKind::Random(KripkeKind::default())
    }
}

/// How the structures of rounds are made.
///
/// The structures of a round depend on the seed, the number of the round and the propositions, so
/// that each round can be repeated by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Structures {
    /// The kind of the graphs.
    pub kind: StructureKind,
    /// The number of states of each.
    pub states: usize,
    /// The probability of an edge between two states.
    pub density: f64,
    /// The probability that a proposition holds in a state.
    pub truth: f64,
    /// Their propositions; those of the formula if there are none. Propositions of the formula that
    /// are not among them are false in all states.
    pub propositions: Option<Vec<Prop>>,
    /// The parameters of random ones.
    pub seed: u64,
    /// The number of structures per round.
    pub count: usize,
    /// The number of rounds between new structures; 0 for never.
    pub interval: usize,
    /// Where results are compared.
    pub scope: Scope,
}

impl Default for Structures {
    /// Those of the report's experiments: one connected graph per round, of 50 states, with a
    /// density of 0.1, in which propositions hold in half of the states.
    fn default() -> Self {
        Structures {
            kind: StructureKind::default(),
            states: 50,
            density: 0.1,
            truth: 0.5,
            propositions: None,
            seed: 0,
            count: 1,
            interval: 1,
            scope: Scope::default(),
        }
    }
}

impl Structures {
    /// The structures of a round, the first one being round 1.
    ///
    /// # Errors
    /// If there are more than 64 propositions, one of them is given twice, or the lassos are too
    /// many to be enumerated.
    pub fn of_round(&self, round: usize, formula: &Formula) -> Result<Vec<Kripke>, Error> {
        let props = self.propositions.clone().unwrap_or_else(|| formula.props());
        let period = match self.interval {
            0 => 0,
            interval => (round.max(1) - 1) / interval,
        };
        match self.kind {
            StructureKind::Random(kind) => {
                let random = RandomKripke::over(props)?.kind(kind).states(self.states);
                let random = random.density(self.density).truth(self.truth);
                let seed = sub_seed(self.seed, period as u64);
                Ok(random.seed(seed).generate().take(self.count).collect())
            }
            StructureKind::Enumerated => {
                let first = period as u64 * self.count as u64;
                let numbers = (0..self.count as u64).map(|number| first.wrapping_add(number));
                numbers.map(|number| enumerated_path(props.clone(), self.states, number)).collect()
            }
        }
    }
}

/// A seed for each round, which depends on nothing else.
pub(crate) fn sub_seed(seed: u64, round: u64) -> u64 {
    let round_bits = Rng::new(round).bits();
    Rng::new(seed ^ round_bits).bits()
}
