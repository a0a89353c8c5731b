//! Partition refinement over labels: the quotient of a powerset by equivalence of its sets.
//!
//! Moore's algorithm splits blocks by signatures: the letters that lead from a set to each block.
//! Labels are exact functions, so signatures are compared as numbers, without enumerating letters.

use crate::determinize::Powerset;
use crate::{Automaton, Label, Marks, Named, StateId, prune};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;

/// Returns the minimal automaton that is equivalent to the powerset with these accepting sets,
/// without states that accept no word. For an empty language it has one state without edges.
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
    refinement.run();
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
    /// By set, its block; finally, blocks are numbered in the order of their first sets.
    blocks: Vec<u32>,
    count: usize,
    /// The signature of the current set: target blocks, ascending, with the letters.
    signature: Vec<(u32, Label)>,
}

impl<'a> Refinement<'a> {
    fn new(automaton: &'a Automaton, powerset: &'a Powerset, accepting: &[bool]) -> Self {
        let blocks: Vec<u32> = accepting.iter().map(|a| u32::from(*a != accepting[0])).collect();
        let count = 1 + usize::from(blocks.contains(&1));
        Refinement { automaton, powerset, blocks, count, signature: vec![] }
    }

    /// Splits blocks until all sets of a block have the same signature.
    fn run(&mut self) {
        let sets = self.blocks.len();
        let mut sources: Vec<Vec<u32>> = vec![vec![]; sets];
        for set in 0..sets {
            for (_, target) in self.powerset.edges(set) {
                interrupt::poll();
                sources[*target as usize].push(set as u32);
            }
        }
        // The sets to visit: first all, then those that lead to sets with a new block. The
        // signatures of all other sets are unchanged.
        let mut touched: Vec<u32> = (0..sets as u32).collect();
        while !touched.is_empty() {
            interrupt::poll();
            let moved = self.split(&touched);
            touched.clear();
            touched.extend(moved.iter().flat_map(|&set| &sources[set as usize]));
            touched.sort_unstable();
            touched.dedup();
        }
        let mut numbers = vec![u32::MAX; self.count];
        let mut next = 0;
        for block in &mut self.blocks {
            let number = &mut numbers[*block as usize];
            if *number == u32::MAX {
                *number = next;
                next += 1;
            }
            *block = *number;
        }
    }

    /// Splits blocks by the signatures of the `touched` sets, which differ from those of the
    /// untouched ones. Returns the sets with a new block.
    fn split(&mut self, touched: &[u32]) -> Vec<u32> {
        let mut untouched = vec![0u32; self.count];
        self.blocks.iter().for_each(|&block| untouched[block as usize] += 1);
        touched.iter().for_each(|&set| untouched[self.blocks[set as usize] as usize] -= 1);
        // The first signature of a block keeps its number, unless untouched sets do.
        let mut numbers: FxHashMap<(u32, Vec<(u32, Label)>), u32> = FxHashMap::default();
        let mut kept: Vec<bool> = untouched.iter().map(|&count| count > 0).collect();
        let mut moved = vec![];
        for &set in touched {
            let block = self.blocks[set as usize];
            self.sign(set as usize);
            let key = (block, std::mem::take(&mut self.signature));
            let number = *numbers.entry(key).or_insert_with(|| {
                if !std::mem::replace(&mut kept[block as usize], true) {
                    return block;
                }
                self.count += 1;
                self.count as u32 - 1
            });
            if number != block {
                moved.push((set, number));
            }
        }
        // Signatures refer to the old blocks.
        moved.iter().for_each(|&(set, number)| self.blocks[set as usize] = number);
        moved.into_iter().map(|(set, _)| set).collect()
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
