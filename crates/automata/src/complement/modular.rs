//! Complementation component by component, of any acceptance condition, without degeneralization.
//!
//! V. Havlena, O. Lengál, Y. Li, B. Šmahlíková and A. Turrini, "Modular mix-and-match
//! complementation of Büchi automata" (TACAS 2023). For each disjunct of the condition, the edges
//! with a `Fin` mark are left out; the accepting components of the rest are *blocks*. The language
//! is that of all words with a run that stays in a block and sees its `Inf` marks again and again.
//! A macrostate has the set R of all states reached, and a part for each block, which shows that no
//! such run exists:
//!
//! - all cycles of the block are accepting: a breakpoint set, whose runs have not left yet;
//! - it is deterministic inside: for each mark a set of runs that are guessed not to see it again,
//!   and a breakpoint set of others, for all of which the guess is made together;
//! - others: ranks, guessed once (S. Schewe, "Büchi complementation made tight", STACS 2009), where
//!   an odd rank has one of the marks. Runs may arrive in the block at any time, so that the highest
//!   rank is even.
//!
//! The complement has a mark for each block. If no block needs ranks, R may be saturated: by states
//! whose language is included in that of another one. Or R is pruned: see [`Dropping`]. There are at most 2^r 3^w (k+3)^d macrostates
//! for r, w and d states outside of blocks and in blocks of the first two sorts, and k marks.

use super::macrostates::Construction;
use crate::reduce::simulation;
use crate::subset::{self, Class, StateSet};
use crate::{Acceptance, Alphabet, Automaton, Label, Mark, Marks, Named, Sccs, StateId, prune};
use std::sync::Arc;

/// More disjuncts, or more blocks, are refused.
const MAX_DISJUNCTS: usize = 32;
const MAX_BLOCKS: usize = 16;

/// A macrostate with more successors for one letter is given up.
const MAX_SUCCESSORS: usize = 1 << 12;

/// Options of the construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// Which states are added or dropped, where no block needs ranks.
    pub(crate) reached: Reached,
    /// Whether components of the same sort are one block.
    pub(crate) merged: bool,
}

/// How the set of states reached is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Reached {
    /// Not at all.
    #[default]
    Exact,
    /// States that others simulate are added.
    Saturated,
    /// States that others simulate are dropped.
    Pruned(Dropping),
}

/// Which states are dropped for others that simulate them directly.
///
/// A state has level 0 outside of breakpoint sets, 1 in one, and higher ones in sets that are
/// guessed not to see a mark again. The state that stands for those of an accepting run must change
/// its component finitely often and never lose its level. Otherwise a breakpoint set becomes empty
/// although the run stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dropping {
    /// For one in a lower component, or in the same component with at least the same level.
    Sound,
    /// For any other: wrong.
    #[cfg(test)]
    Any,
    /// For one in a lower component or in the same one: wrong.
    #[cfg(test)]
    WithoutLevels,
    /// For one with at least the same level, in any component: wrong.
    #[cfg(test)]
    WithoutComponents,
}

/// The complement of an automaton.
pub(crate) struct Modular<'a> {
    automaton: &'a Automaton,
    blocks: Vec<Block>,
    /// For each state those that it makes superfluous.
    simulated: Option<Vec<StateSet>>,
    reached: Reached,
    /// For each state the number of its component; edges never lead to higher ones.
    component: Vec<usize>,
    given_up: bool,
    width: usize,
}

/// How the runs that stay in a block are refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Weak,
    Deterministic,
    Ranks,
}

/// Components of the automaton without the `Fin` marks of a disjunct.
struct Block {
    sort: Sort,
    states: StateSet,
    /// For each edge whether it is inside.
    inside: Vec<bool>,
    /// The marks that an accepting run sees infinitely often.
    marks: Vec<Mark>,
    /// The states that have an infinite path inside that misses a mark.
    last: StateSet,
    /// The states in ascending order: ranks are listed in this order.
    members: Vec<StateId>,
    /// A fault, which tests must find: the highest rank is odd.
    #[cfg(test)]
    odd_top: bool,
}

/// The successors of a part: whether the block has reached a breakpoint, and the next part.
type Options = Vec<(bool, Vec<u64>)>;

impl<'a> Modular<'a> {
    /// The automaton must be trimmed; `None` if it has too many blocks. Without blocks it accepts
    /// nothing.
    pub(crate) fn new(automaton: &'a Automaton, shape: Shape) -> Option<Self> {
        let condition = automaton.acceptance().condition();
        if condition.disjunct_count() > MAX_DISJUNCTS {
            return None;
        }
        let mut blocks = vec![];
        for disjunct in condition.disjuncts() {
            blocks.extend(blocks_of(automaton, &disjunct.fin, &disjunct.inf, shape.merged));
        }
        if blocks.len() > MAX_BLOCKS {
            return None;
        }
        let simple = blocks.iter().all(|block| block.sort != Sort::Ranks);
        let width = subset::width(automaton.state_count());
        // With several disjuncts, a run that is better in one block may be worse in another.
        let disjuncts = condition.disjuncts();
        let is_simple = disjuncts.len() == 1 && disjuncts[0].fin.is_empty();
        let reached = match shape.reached {
            Reached::Pruned(_) if !is_simple => Reached::Exact,
            reached if simple => reached,
            _ => Reached::Exact,
        };
        let simulated = (reached != Reached::Exact).then(|| {
            let simulation = simulation::direct(automaton);
            let worse = |state: StateId| {
                subset::set(width, automaton.states().filter(|q| simulation.holds(*q, state)))
            };
            automaton.states().map(worse).collect()
        });
        let sccs = Sccs::of_all(automaton);
        let component =
            automaton.states().map(|state| sccs.component(state).map_or(0, |c| c.index()));
        let component = component.collect();
        Some(Modular { automaton, blocks, simulated, reached, component, given_up: false, width })
    }

    /// How the set of states reached is changed: perhaps not as it was to be.
    pub(crate) fn reached(&self) -> Reached {
        self.reached
    }

    /// With odd highest ranks, as in constructions in which all runs have the same start: wrong,
    /// because runs may arrive in a block again and again.
    #[cfg(test)]
    pub(crate) fn with_odd_top(mut self) -> Self {
        self.blocks.iter_mut().for_each(|block| block.odd_top = true);
        self
    }

    /// Where states are added or dropped, the relation is this one, not direct simulation: under
    /// the conditions of [`Dropping::Sound`], larger relations are wrong.
    #[cfg(test)]
    pub(crate) fn with_order(mut self, below: impl Fn(StateId, StateId) -> bool) -> Self {
        let states = self.automaton.states();
        let worse = |state| {
            let worse = self.automaton.states().filter(|other| below(*other, state));
            subset::set(self.width, worse)
        };
        let larger: Vec<StateSet> = states.map(worse).collect();
        self.simulated = self.simulated.map(|_| larger);
        self
    }

    /// True if the blocks need no ranks.
    #[cfg(test)]
    pub(crate) fn is_elevator(&self) -> bool {
        self.blocks.iter().all(|block| block.sort != Sort::Ranks)
    }

    /// Adds the states that those of the set make superfluous.
    fn saturated(&self, set: StateSet) -> StateSet {
        let Some(simulated) = &self.simulated else { return set };
        if self.reached != Reached::Saturated {
            return set;
        }
        let mut result = set.clone();
        for state in subset::states(&set) {
            sempre_ltl::interrupt::poll();
            insert_all(&mut result, &simulated[state.index()]);
        }
        result
    }
}

impl Modular<'_> {
    /// Drops states from a macrostate.
    fn prune(&self, state: &mut [u64]) {
        let (Reached::Pruned(dropping), Some(simulated)) = (self.reached, &self.simulated) else {
            return;
        };
        let reached = StateSet::from_slice(&state[..self.width]);
        for worse in subset::states(&reached) {
            sempre_ltl::interrupt::poll();
            let allowed = |better: StateId| {
                let [low, high] = [better, worse].map(|state| self.component[state.index()]);
                let keeps_level = || self.level(state, better) >= self.level(state, worse);
                match dropping {
                    Dropping::Sound => low < high || low == high && keeps_level(),
                    #[cfg(test)]
                    Dropping::Any => true,
                    #[cfg(test)]
                    Dropping::WithoutLevels => low <= high,
                    #[cfg(test)]
                    Dropping::WithoutComponents => keeps_level(),
                }
            };
            let here = StateSet::from_slice(&state[..self.width]);
            let dropped = subset::states(&here).any(|better| {
                better != worse
                    && subset::contains(&simulated[better.index()], worse)
                    && allowed(better)
            });
            if dropped {
                // All sets of a macrostate without ranks are equally wide.
                state.chunks_mut(self.width).for_each(|set| remove(set, worse));
            }
        }
    }

    /// The level of a state in a macrostate: the highest of all blocks.
    fn level(&self, state: &[u64], of: StateId) -> usize {
        let mut parts = &state[self.width..];
        let mut level = 0;
        for block in &self.blocks {
            let (part, rest) = parts.split_at(block.length(self.width));
            parts = rest;
            let sets = part.chunks(self.width).rev().enumerate();
            let inside = sets.filter(|(_, set)| subset::contains(set, of));
            level = level.max(inside.map(|(place, _)| place + 1).max().unwrap_or(0));
        }
        level
    }
}

fn remove(set: &mut [u64], state: StateId) {
    set[state.index() / 64] &= !(1 << (state.index() % 64));
}

/// The blocks of a disjunct.
fn blocks_of(automaton: &Automaton, fin: &Marks, inf: &Marks, merged: bool) -> Vec<Block> {
    let mut builder = automaton.edit();
    let kept: Vec<bool> =
        automaton.edges().iter().map(|edge| edge.marks.is_disjoint(fin)).collect();
    let mut number = 0;
    builder.retain_edges(|_, _| {
        number += 1;
        kept[number - 1]
    });
    let rest = builder.build();
    let sccs = Sccs::of_all(&rest);
    let mut blocks: Vec<Block> = vec![];
    for scc in sccs.iter().filter(|scc| !sccs.is_trivial(*scc)) {
        if !inf.is_subset(sccs.marks(scc)) {
            continue;
        }
        let is_inside = |source: StateId, target: StateId| {
            sccs.component(source) == Some(scc) && sccs.component(target) == Some(scc)
        };
        let edges = automaton.transitions().zip(&kept);
        let inside: Vec<bool> =
            edges.map(|((source, edge), kept)| *kept && is_inside(source, edge.target)).collect();
        let block = Block::new(automaton, sccs.states(scc), inside, inf);
        let same = |other: &&mut Block| merged && other.sort == block.sort;
        match blocks.iter_mut().find(same) {
            Some(other) if block.sort != Sort::Ranks => other.join(&block),
            _ => blocks.push(block),
        }
    }
    blocks
}

impl Block {
    fn new(automaton: &Automaton, states: &[StateId], inside: Vec<bool>, inf: &Marks) -> Self {
        let width = subset::width(automaton.state_count());
        let mut last = subset::empty(width);
        for mark in inf.iter() {
            insert_all(&mut last, &lasting(automaton, &inside, mark));
        }
        let inner = |state: StateId| automaton.edge_range(state).filter(|edge| inside[*edge]);
        let deterministic = states.iter().all(|&state| {
            let labels = inner(state).map(|edge| automaton.edges()[edge].label);
            automaton.alphabet().pairwise_disjoint(labels)
        });
        let sort = match subset::is_empty(&last) {
            true => Sort::Weak,
            false if deterministic => Sort::Deterministic,
            false => Sort::Ranks,
        };
        let mut members = states.to_vec();
        members.sort();
        let states = subset::set(width, members.iter().copied());
        Block {
            sort,
            states,
            inside,
            marks: inf.iter().collect(),
            last,
            members,
            #[cfg(test)]
            odd_top: false,
        }
    }

    /// Adds another block of the same disjunct.
    fn join(&mut self, other: &Block) {
        insert_all(&mut self.states, &other.states);
        insert_all(&mut self.last, &other.last);
        self.inside.iter_mut().zip(&other.inside).for_each(|(own, other)| *own |= other);
        self.members.extend(&other.members);
        self.members.sort();
    }

    /// How many words its part of a macrostate takes.
    fn length(&self, width: usize) -> usize {
        match self.sort {
            Sort::Weak => width,
            Sort::Deterministic => (self.marks.len() + 1) * width,
            Sort::Ranks => 2 + self.members.len().div_ceil(8) + width,
        }
    }

    fn initial(&self, reached: &StateSet) -> Vec<u64> {
        let here = and(reached, &self.states);
        let mut part = vec![0; self.length(reached.len())];
        match self.sort {
            Sort::Weak => part.copy_from_slice(&here),
            Sort::Deterministic => part[self.marks.len() * reached.len()..].copy_from_slice(&here),
            // No ranks have been guessed.
            Sort::Ranks => {}
        }
        part
    }

    /// Returns the successors of a part for a class of letters, given the states reached then.
    fn next(&self, automaton: &Automaton, part: &[u64], class: &Class, to: &StateSet) -> Options {
        match self.sort {
            Sort::Weak => {
                let still = self.targets(automaton, part, class, None);
                let done = subset::is_empty(&still);
                let part = if done { and(to, &self.states) } else { still };
                vec![(done, part.to_vec())]
            }
            Sort::Deterministic => self.next_safe(automaton, part, class, to),
            Sort::Ranks => self.next_ranks(automaton, part, class, to),
        }
    }

    /// The targets of the edges inside that leave states of a set, all or those with a mark.
    fn targets(
        &self,
        automaton: &Automaton,
        set: &[u64],
        class: &Class,
        mark: Option<Mark>,
    ) -> StateSet {
        let mut targets = subset::empty(set.len());
        for &(source, edge) in &class.edges {
            let inside = self.inside[edge.index()] && subset::contains(set, source);
            let edge = automaton.edge(edge);
            if inside && mark.is_none_or(|mark| edge.marks.contains(mark)) {
                subset::insert(&mut targets, edge.target);
            }
        }
        targets
    }

    /// The successors of sets of runs that see a mark never again, and of a breakpoint set.
    fn next_safe(
        &self,
        automaton: &Automaton,
        part: &[u64],
        class: &Class,
        to: &StateSet,
    ) -> Options {
        let width = to.len();
        let mut sets: Vec<StateSet> = vec![];
        let mut safe = subset::empty(width);
        for (set, &mark) in part.chunks(width).zip(&self.marks) {
            if !subset::is_empty(&self.targets(automaton, set, class, Some(mark))) {
                return vec![];
            }
            let next = minus(&self.targets(automaton, set, class, None), &safe);
            insert_all(&mut safe, &next);
            sets.push(next);
        }
        let breaking = &part[self.marks.len() * width..];
        let still = minus(&self.targets(automaton, breaking, class, None), &safe);
        let finished = |sets: &[StateSet], safe: &StateSet| {
            let rest = minus(&and(to, &self.states), safe);
            (true, [&sets.concat()[..], &rest].concat())
        };
        if subset::is_empty(&still) {
            return vec![finished(&sets, &safe)];
        }
        let mut options = vec![(false, [&sets.concat()[..], &still].concat())];
        // A guess can wait until the mark has been seen for the last time.
        let over = |mark: &Mark| self.targets(automaton, breaking, class, Some(*mark));
        let over: Vec<StateSet> = self.marks.iter().map(over).collect();
        let waiting: Vec<StateId> = subset::states(&still).collect();
        let mut choices: Vec<Vec<usize>> = vec![vec![]];
        for state in &waiting {
            sempre_ltl::interrupt::poll();
            let free = (0..self.marks.len()).filter(|c| !subset::contains(&over[*c], *state));
            let free: Vec<usize> = free.collect();
            let longer = |choice: &Vec<usize>| {
                let more = free.iter().map(|c| [&choice[..], &[*c]].concat());
                more.collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(longer).collect();
            if choices.len() > MAX_SUCCESSORS {
                return vec![(true, vec![])];
            }
        }
        for choice in choices {
            let mut sets = sets.clone();
            for (state, c) in waiting.iter().zip(choice) {
                sempre_ltl::interrupt::poll();
                subset::insert(&mut sets[c], *state);
            }
            let mut safe = safe.clone();
            insert_all(&mut safe, &still);
            options.push(finished(&sets, &safe));
        }
        options
    }
}

/// The states with an infinite path inside a block that misses a mark.
fn lasting(automaton: &Automaton, inside: &[bool], mark: Mark) -> StateSet {
    let mut builder = automaton.edit();
    builder.acceptance(Named::All.acceptance());
    let mut number = 0;
    builder.retain_edges(|_, edge| {
        number += 1;
        let kept = inside[number - 1] && !edge.marks.contains(mark);
        edge.marks = Marks::EMPTY;
        kept
    });
    let width = subset::width(automaton.state_count());
    let all = builder.build();
    let mut builder = all.edit();
    all.states().for_each(|state| {
        builder.initial(state);
    });
    subset::set(width, prune::useful_states(&builder.build()))
}

impl Construction for Modular<'_> {
    fn alphabet(&self) -> &Arc<Alphabet> {
        self.automaton.alphabet()
    }

    fn acceptance(&self) -> Acceptance {
        match self.blocks.len() as u32 {
            0 => Named::All.acceptance(),
            1 => Named::Buchi.acceptance(),
            marks => Named::GeneralizedBuchi(marks).acceptance(),
        }
    }

    fn initial(&mut self) -> Vec<Vec<u64>> {
        let reached = subset::set(self.width, self.automaton.initial().iter().copied());
        let reached = self.saturated(reached);
        let mut state = reached.to_vec();
        for block in &self.blocks {
            state.extend(block.initial(&reached));
        }
        vec![state]
    }

    fn successors(&mut self, state: &[u64], edge: &mut dyn FnMut(Label, u32, &[u64])) {
        let (reached, parts) = state.split_at(self.width);
        let alphabet = self.automaton.alphabet().clone();
        let mut steps: Vec<(Label, u32, Vec<u64>)> = vec![];
        for class in subset::classes(self.automaton, reached) {
            sempre_ltl::interrupt::poll();
            let mut to = subset::empty(self.width);
            for &(_, edge) in &class.edges {
                subset::insert(&mut to, self.automaton.edge(edge).target);
            }
            let to = self.saturated(to);
            let mut found: Vec<(u32, Vec<u64>)> = vec![(0, to.to_vec())];
            let mut parts = parts;
            for (number, block) in self.blocks.iter().enumerate() {
                let (part, rest) = parts.split_at(block.length(self.width));
                parts = rest;
                let options = block.next(self.automaton, part, &class, &to);
                let mut longer = vec![];
                for (marks, state) in &found {
                    for (done, part) in &options {
                        let marks = marks | u32::from(*done) << number;
                        longer.push((marks, [&state[..], part].concat()));
                    }
                }
                let too_many = longer.len() > MAX_SUCCESSORS;
                if too_many || options.iter().any(|(_, part)| part.is_empty()) {
                    self.given_up = true;
                    return;
                }
                found = longer;
            }
            for (marks, mut target) in found {
                self.prune(&mut target);
                match steps.iter_mut().find(|step| step.1 == marks && step.2 == target) {
                    Some(step) => step.0 = alphabet.or(step.0, class.label),
                    None => steps.push((class.label, marks, target)),
                }
            }
        }
        for (label, marks, target) in steps {
            edge(label, marks, &target);
        }
    }

    fn is_given_up(&self) -> bool {
        self.given_up
    }
}

pub(super) fn insert_all(set: &mut [u64], more: &[u64]) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

pub(super) fn and(left: &[u64], right: &[u64]) -> StateSet {
    left.iter().zip(right).map(|(l, r)| l & r).collect()
}

pub(super) fn minus(left: &[u64], right: &[u64]) -> StateSet {
    left.iter().zip(right).map(|(l, r)| l & !r).collect()
}

/// Ranks in a block: the part is the number of odd ranks plus one (0 before the guess) and the turn,
/// the marks of the odd ranks, a byte with the rank of each member (255 for none), and the runs of
/// the turn's rank that have not ended.
struct Ranks {
    odd: u64,
    turn: u64,
    colours: u64,
    ranks: Vec<u8>,
    open: StateSet,
}

const NO_RANK: u8 = 255;

impl Ranks {
    fn read(part: &[u64], members: usize, width: usize) -> Option<Self> {
        let odd = (part[0] & 0xff).checked_sub(1)?;
        let words = &part[2..part.len() - width];
        let ranks = words.iter().flat_map(|word| word.to_le_bytes()).take(members).collect();
        let open = StateSet::from_slice(&part[part.len() - width..]);
        Some(Ranks { odd, turn: part[0] >> 8, colours: part[1], ranks, open })
    }

    fn write(&self) -> Vec<u64> {
        let mut part = vec![(self.odd + 1) | self.turn << 8, self.colours];
        for chunk in self.ranks.chunks(8) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            part.push(u64::from_le_bytes(bytes));
        }
        part.extend_from_slice(&self.open);
        part
    }

    /// The mark of an odd rank, as a number among those of the block.
    fn colour(&self, rank: u8) -> usize {
        (self.colours >> (4 * (rank / 2)) & 0xf) as usize
    }

    /// Gives the turn to the next even rank in use.
    fn pass(&mut self, block: &Block) {
        let top = 2 * self.odd;
        for step in 1..=self.odd + 1 {
            let rank = (self.turn + 2 * step) % (top + 2);
            if self.ranks.contains(&(rank as u8)) {
                self.turn = rank;
                break;
            }
        }
        let held = block.members.iter().zip(&self.ranks);
        let held = held.filter(|(_, rank)| u64::from(**rank) == self.turn).map(|(state, _)| *state);
        self.open = subset::set(self.open.len(), held);
    }

    /// True if each odd rank is in use.
    fn is_full(&self) -> bool {
        (0..self.odd).all(|j| self.ranks.contains(&(2 * j as u8 + 1)))
    }
}

impl Block {
    /// The successors of ranks, or of a part that has none yet.
    fn next_ranks(
        &self,
        automaton: &Automaton,
        part: &[u64],
        class: &Class,
        to: &StateSet,
    ) -> Options {
        let Some(before) = Ranks::read(part, self.members.len(), to.len()) else {
            let mut options = vec![(false, part.to_vec())];
            if !self.guesses(to, &mut options) {
                return vec![(true, vec![])];
            }
            return options;
        };
        let place = |state: StateId| self.members.binary_search(&state).ok();
        let highest = |state: &StateId| match subset::contains(to, *state) {
            true => self.top(before.odd, *state),
            false => NO_RANK,
        };
        let ranks = self.members.iter().map(highest);
        let mut ranks: Vec<u8> = ranks.collect();
        let mut open = subset::empty(to.len());
        for &(source, edge) in class.edges.iter().filter(|(_, edge)| self.inside[edge.index()]) {
            let edge = automaton.edge(edge);
            let (Some(from), Some(target)) = (place(source), place(edge.target)) else { continue };
            let mut rank = before.ranks[from];
            if rank % 2 == 1 && edge.marks.contains(self.marks[before.colour(rank)]) {
                rank -= 1;
            }
            // Only states that can miss a mark for ever have an odd rank.
            if rank % 2 == 1 && !subset::contains(&self.last, edge.target) {
                rank -= 1;
            }
            ranks[target] = ranks[target].min(rank);
            if subset::contains(&before.open, source) {
                subset::insert(&mut open, edge.target);
            }
        }
        let mut next = Ranks { ranks, open, ..before };
        if !next.is_full() {
            return vec![];
        }
        let turn = next.turn as u8;
        let of_turn = self.members.iter().zip(&next.ranks).filter(|(_, rank)| **rank == turn);
        let of_turn = subset::set(to.len(), of_turn.map(|(state, _)| *state));
        next.open = and(&next.open, &of_turn);
        if subset::is_empty(&next.open) {
            next.pass(self);
            return vec![(true, next.write())];
        }
        let mut options = vec![(false, next.write())];
        if turn > 0 && subset::is_empty(&minus(&next.open, &self.last)) {
            for (state, rank) in self.members.iter().zip(&mut next.ranks) {
                if subset::contains(&next.open, *state) {
                    *rank -= 1;
                }
            }
            next.pass(self);
            options.push((true, next.write()));
        }
        options
    }

    /// The rank of a state at which a run arrives.
    fn top(&self, odd: u64, _state: StateId) -> u8 {
        #[cfg(test)]
        if self.odd_top && odd > 0 && subset::contains(&self.last, _state) {
            return 2 * odd as u8 - 1;
        } else if self.odd_top && odd > 0 {
            return 2 * odd as u8 - 2;
        }
        2 * odd as u8
    }

    /// Adds all ranks that may be guessed for the states reached; false if there are too many.
    fn guesses(&self, to: &StateSet, options: &mut Options) -> bool {
        let here: Vec<usize> =
            (0..self.members.len()).filter(|i| subset::contains(to, self.members[*i])).collect();
        let lasting = here.iter().filter(|i| subset::contains(&self.last, self.members[**i]));
        let most = lasting.count().min(12);
        for odd in 0..=most as u64 {
            let colourings = (self.marks.len() as u64).checked_pow(odd as u32);
            let Some(colourings) = colourings.filter(|n| *n <= MAX_SUCCESSORS as u64) else {
                return false;
            };
            let mut rankings = vec![vec![NO_RANK; self.members.len()]];
            for &place in &here {
                let lasts = subset::contains(&self.last, self.members[place]);
                let top = self.top(odd, self.members[place]);
                let allowed = (0..=top).filter(|rank| rank % 2 == 0 || lasts);
                let allowed: Vec<u8> = allowed.collect();
                let with = |ranking: &Vec<u8>| {
                    let set = |rank: &u8| {
                        let mut ranking = ranking.clone();
                        ranking[place] = *rank;
                        ranking
                    };
                    allowed.iter().map(set).collect::<Vec<_>>()
                };
                rankings = rankings.iter().flat_map(with).collect();
                if rankings.len() > 8 * MAX_SUCCESSORS {
                    return false;
                }
            }
            for code in 0..colourings {
                let mut colours = 0;
                let mut rest = code;
                for j in 0..odd {
                    colours |= (rest % self.marks.len() as u64) << (4 * j);
                    rest /= self.marks.len() as u64;
                }
                for ranks in &rankings {
                    let open = subset::empty(to.len());
                    let turn = 2 * odd;
                    let mut guess = Ranks { odd, turn, colours, ranks: ranks.clone(), open };
                    if guess.is_full() {
                        guess.pass(self);
                        options.push((false, guess.write()));
                    }
                }
                if options.len() > MAX_SUCCESSORS {
                    return false;
                }
            }
        }
        true
    }
}
