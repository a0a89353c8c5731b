//! Partition refinement over labels: the quotient of a powerset by equivalence of its sets.
//!
//! Blocks are split by signatures, which tell for each block that a set leads to with which letters
//! (Moore's algorithm). As labels are exact functions, equal signatures are equal words of numbers,
//! and no letter is looked at by itself.

use crate::determinize::Powerset;
use crate::{Automaton, Label, Marks, Named, StateId, prune};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// The minimal automaton that accepts as the powerset does, given which sets are accepting, without
/// states from which nothing is accepted. With an empty language there is one state without edges.
pub(super) fn quotient(
    automaton: &Automaton,
    powerset: &Powerset,
    accepting: &[bool],
) -> Automaton {
    let alphabet = automaton.alphabet();
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(Named::Buchi.acceptance());
    if powerset.len() == 0 {
        let state = builder.add_state();
        builder.initial(state);
        return builder.build();
    }
    let mut refinement = Refinement::new(automaton, powerset, accepting);
    while refinement.refine() {
        interrupt::poll();
    }
    builder.add_states(refinement.count);
    builder.initial(StateId::new(refinement.blocks[0] as usize));
    let mut done = 0;
    for (set, block) in refinement.blocks.clone().into_iter().enumerate() {
        // Blocks are numbered in the order of their first sets.
        if block < done {
            continue;
        }
        done += 1;
        let marks = if accepting[set] { Marks::from_iter([0]) } else { Marks::EMPTY };
        refinement.sign(set);
        for (target, label) in &refinement.signature {
            let (source, target) = (StateId::new(block as usize), StateId::new(*target as usize));
            builder.edge(source, *label, marks.clone(), target);
        }
    }
    let quotient = builder.build();
    let trimmed = prune::trim(&quotient);
    if !trimmed.initial().is_empty() {
        return trimmed;
    }
    let mut builder = trimmed.edit();
    let state = builder.add_state();
    builder.initial(state);
    builder.build()
}

struct Refinement<'a> {
    automaton: &'a Automaton,
    powerset: &'a Powerset,
    /// For each set its block; blocks are numbered in the order in which they are met.
    blocks: Vec<u32>,
    count: usize,
    /// Of the set looked at, the blocks that it leads to, ascending, with the letters.
    signature: Vec<(u32, Label)>,
}

impl<'a> Refinement<'a> {
    fn new(automaton: &'a Automaton, powerset: &'a Powerset, accepting: &[bool]) -> Self {
        let blocks: Vec<u32> = accepting.iter().map(|a| u32::from(*a != accepting[0])).collect();
        let count = 1 + usize::from(blocks.contains(&1));
        Refinement { automaton, powerset, blocks, count, signature: vec![] }
    }

    /// Splits all blocks once; true if that made more of them.
    fn refine(&mut self) -> bool {
        let mut numbers: FxHashMap<(u32, Vec<(u32, Label)>), u32> = FxHashMap::default();
        let mut refined = Vec::with_capacity(self.blocks.len());
        for set in 0..self.blocks.len() {
            self.sign(set);
            let fresh = numbers.len() as u32;
            let key = (self.blocks[set], self.signature.clone());
            refined.push(*numbers.entry(key).or_insert(fresh));
        }
        let grown = numbers.len() > self.count;
        (self.blocks, self.count) = (refined, numbers.len());
        grown
    }

    fn sign(&mut self, set: usize) {
        let alphabet = self.automaton.alphabet();
        self.signature.clear();
        let edges = self.powerset.edges(set).iter();
        self.signature.extend(edges.map(|(label, target)| (self.blocks[*target as usize], *label)));
        self.signature.sort_unstable();
        self.signature.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = alphabet.or(kept.1, later.1);
            }
            same
        });
    }
}
