//! Complementation of Büchi automata by ranks.
//!
//! A word is rejected exactly if the vertices of its run graph have ranks that never increase along
//! an edge, are even behind a marked edge, and become odd on each path (O. Kupferman and M. Y. Vardi,
//! "Weak alternating automata are not that weak", 2001). A macrostate is a ranking of the states
//! reached, and the set of those that still have to reach an odd rank. There are three forms:
//!
//! - *plain*: all rankings below the bound of each state follow each other;
//! - *tight* (E. Friedgut, O. Kupferman and M. Y. Vardi, 2006): the states reached are followed
//!   first; then a ranking is guessed whose highest rank is odd and which uses all odd ranks below;
//!   that stays so;
//! - *Schewe's* ("Büchi complementation made tight", STACS 2009): even ranks take turns, and
//!   rankings are as high as can be but for the states whose turn it is.
//!
//! The bounds of ranks come from the components (V. Havlena, O. Lengál and B. Šmahlíková, "Sky is
//! not the limit", TACAS 2022). There are 2^O(n log n) macrostates for n states.

use super::macrostates::Construction;
use super::modular::{and, insert_all, minus};
use crate::scc::ComponentKind;
use crate::subset::{self, Class, StateSet};
use crate::{Alphabet, Automaton, Label, Named, Sccs, StateId, prune};
use std::sync::Arc;

/// A macrostate with more successors for one letter is given up.
const MAX_SUCCESSORS: usize = 1 << 13;

/// Which rankings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ranking {
    /// All.
    Plain,
    /// Tight ones.
    Tight,
    /// Tight ones, as high as can be, where even ranks take turns.
    Turns,
}

/// The complement of a Büchi automaton.
pub(crate) struct Rank<'a> {
    automaton: &'a Automaton,
    ranking: Ranking,
    /// The highest rank of each state.
    bounds: Vec<u8>,
    /// The states with an infinite path without mark.
    last: StateSet,
    given_up: bool,
    width: usize,
}

/// The rank of a state that is not reached.
const NO_RANK: u8 = 255;

/// Before the guess a macrostate is a zero and the states reached; then a one plus the turn, a byte
/// for the rank of each state, and the states that have to reach an odd rank.
struct Ranked {
    turn: u8,
    ranks: Vec<u8>,
    open: StateSet,
}

impl Ranked {
    fn read(state: &[u64], states: usize, width: usize) -> Option<Self> {
        let turn = state[0].checked_sub(1)? as u8;
        let words = &state[1..state.len() - width];
        let ranks = words.iter().flat_map(|word| word.to_le_bytes()).take(states).collect();
        Some(Ranked { turn, ranks, open: StateSet::from_slice(&state[state.len() - width..]) })
    }

    fn write(&self) -> Vec<u64> {
        let mut state = vec![u64::from(self.turn) + 1];
        for chunk in self.ranks.chunks(8) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            state.push(u64::from_le_bytes(bytes));
        }
        state.extend_from_slice(&self.open);
        state
    }

    fn with_rank(&self, wanted: impl Fn(u8) -> bool) -> StateSet {
        let places = self.ranks.iter().enumerate();
        let places = places.filter(|(_, rank)| **rank != NO_RANK && wanted(**rank));
        subset::set(self.open.len(), places.map(|(place, _)| StateId::new(place)))
    }

    fn reached(&self) -> StateSet {
        self.with_rank(|_| true)
    }

    fn highest(&self) -> u8 {
        self.ranks.iter().copied().filter(|rank| *rank != NO_RANK).max().unwrap_or(0)
    }

    /// True if the highest rank is odd and all odd ranks below are in use.
    fn is_tight(&self) -> bool {
        let highest = self.highest();
        highest % 2 == 1 && (1..highest).step_by(2).all(|odd| self.ranks.contains(&odd))
    }

    /// Gives the turn to the next even rank in use.
    fn pass(&mut self) {
        let evens = self.highest() / 2 + 1;
        for step in 1..=evens {
            let rank = (self.turn / 2 + step) % evens * 2;
            if self.ranks.contains(&rank) {
                self.turn = rank;
                break;
            }
        }
        let turn = self.turn;
        self.open = self.with_rank(|rank| rank == turn);
    }
}

impl<'a> Rank<'a> {
    /// The automaton must be a trimmed Büchi automaton with marks on accepting cycles only; `None` if
    /// it has too many states.
    pub(crate) fn new(automaton: &'a Automaton, ranking: Ranking) -> Option<Self> {
        let mut builder = automaton.edit();
        builder.acceptance(Named::All.acceptance());
        builder.retain_edges(|_, edge| std::mem::take(&mut edge.marks).is_empty());
        let width = subset::width(automaton.state_count());
        let unmarked = builder.build();
        let mut builder = unmarked.edit();
        unmarked.states().for_each(|state| {
            builder.initial(state);
        });
        let last = subset::set(width, prune::useful_states(&builder.build()));
        let bounds = bounds(automaton, &last)?;
        Some(Rank { automaton, ranking, bounds, last, given_up: false, width })
    }

    /// The highest rank of each state.
    #[cfg(test)]
    pub(super) fn bounds(&self) -> &[u8] {
        &self.bounds
    }

    /// The highest ranks that states may have after a step, and whether each one of O leads to them.
    fn step(&self, before: &Ranked, class: &Class) -> Ranked {
        let mut next = Ranked {
            turn: before.turn,
            ranks: vec![NO_RANK; before.ranks.len()],
            open: subset::empty(self.width),
        };
        for &(source, edge) in &class.edges {
            let edge = self.automaton.edge(edge);
            let mut rank = before.ranks[source.index()];
            if rank % 2 == 1 && !edge.marks.is_empty() {
                rank -= 1;
            }
            let place = &mut next.ranks[edge.target.index()];
            *place = (*place).min(self.lowered(rank, edge.target));
            if subset::contains(&before.open, source) {
                subset::insert(&mut next.open, edge.target);
            }
        }
        next
    }

    /// The highest rank of a state that is not above this one.
    fn lowered(&self, rank: u8, state: StateId) -> u8 {
        let rank = rank.min(self.bounds[state.index()]);
        let odd = rank % 2 == 1 && !subset::contains(&self.last, state);
        if odd { rank - 1 } else { rank }
    }

    /// All rankings below the given one; none if there are too many.
    fn below(&mut self, highest: &[u8]) -> Vec<Vec<u8>> {
        let mut rankings = vec![highest.to_vec()];
        for (place, &most) in highest.iter().enumerate().filter(|(_, rank)| **rank != NO_RANK) {
            let lasts = subset::contains(&self.last, StateId::new(place));
            let lower: Vec<u8> = (0..most).filter(|rank| rank % 2 == 0 || lasts).collect();
            for old in 0..rankings.len() {
                for rank in &lower {
                    let mut ranking = rankings[old].clone();
                    ranking[place] = *rank;
                    rankings.push(ranking);
                }
            }
            if rankings.len() > MAX_SUCCESSORS {
                self.given_up = true;
                return vec![];
            }
        }
        rankings
    }

    /// All tight rankings of a set with which the guess may be made.
    fn guesses(&mut self, reached: &StateSet, found: &mut dyn FnMut(Vec<u64>)) {
        let width =
            (reached.iter().zip(&self.last)).map(|(r, l)| (r & l).count_ones()).sum::<u32>();
        let most = (2 * width).saturating_sub(1).min(250) as u8;
        let highest = |(place, bound): (usize, &u8)| {
            let state = StateId::new(place);
            if !subset::contains(reached, state) {
                return NO_RANK;
            }
            self.lowered((*bound).min(most), state)
        };
        let highest: Vec<u8> = self.bounds.iter().enumerate().map(highest).collect();
        for ranks in self.below(&highest) {
            let mut guess = Ranked { turn: 0, ranks, open: subset::empty(self.width) };
            if !guess.is_tight() {
                continue;
            }
            if self.ranking == Ranking::Turns {
                guess.turn = guess.highest() - 1;
                guess.pass();
            } else {
                guess.open = guess.with_rank(|rank| rank % 2 == 0);
            }
            found(guess.write());
        }
    }

    /// The successors of a ranking.
    fn ranked(&mut self, before: &Ranked, class: &Class, next: &mut dyn FnMut(bool, Vec<u64>)) {
        let highest = before.highest();
        let step = self.step(before, class);
        if self.ranking == Ranking::Turns {
            let mut step = step;
            if !step.is_tight() || step.highest() != highest {
                return;
            }
            let turn = step.turn;
            step.open = and(&step.open, &step.with_rank(|rank| rank == turn));
            if subset::is_empty(&step.open) {
                step.pass();
                next(true, step.write());
                return;
            }
            next(false, step.write());
            if turn > 0 && subset::is_empty(&minus(&step.open, &self.last)) {
                for state in subset::states(&step.open) {
                    sempre_ltl::interrupt::poll();
                    step.ranks[state.index()] -= 1;
                }
                step.pass();
                next(true, step.write());
            }
            return;
        }
        let done = subset::is_empty(&before.open);
        let tight = self.ranking == Ranking::Tight;
        for ranks in self.below(&step.ranks) {
            let mut lower = Ranked { turn: 0, ranks, open: step.open.clone() };
            if tight && (!lower.is_tight() || lower.highest() != highest) {
                continue;
            }
            let even = lower.with_rank(|rank| rank % 2 == 0);
            lower.open = if done { even } else { and(&lower.open, &even) };
            next(done, lower.write());
        }
    }
}

/// The highest rank that each state may need, from the bottom up; `None` if one is too high.
fn bounds(automaton: &Automaton, last: &StateSet) -> Option<Vec<u8>> {
    let sccs = Sccs::of_all(automaton);
    let kinds = sccs.kinds(automaton);
    let mut of_component: Vec<usize> = vec![];
    for scc in sccs.iter() {
        let below = sccs.successors(scc).iter().map(|next| of_component[next.index()]).max();
        let below = below.unwrap_or(0);
        let odd = below % 2 == 1;
        let lasting = sccs.states(scc).iter().filter(|q| subset::contains(last, **q)).count();
        of_component.push(match kinds[scc.index()] {
            ComponentKind::Trivial => below,
            ComponentKind::Rejecting => below + usize::from(!odd),
            ComponentKind::Accepting => below + usize::from(odd),
            ComponentKind::Deterministic => below + 2 - usize::from(odd),
            ComponentKind::Nondeterministic => below + 2 * lasting - usize::from(odd),
        });
    }
    let bound = |state: StateId| {
        let bound = sccs.component(state).map_or(0, |scc| of_component[scc.index()]);
        u8::try_from(bound).ok().filter(|bound| *bound < NO_RANK)
    };
    automaton.states().map(bound).collect()
}

impl Construction for Rank<'_> {
    fn alphabet(&self) -> &Arc<Alphabet> {
        self.automaton.alphabet()
    }

    fn initial(&mut self) -> Vec<Vec<u64>> {
        let reached = subset::set(self.width, self.automaton.initial().iter().copied());
        if self.ranking != Ranking::Plain {
            return vec![[&[0][..], &reached].concat()];
        }
        let highest = |(place, bound): (usize, &u8)| match StateId::new(place) {
            state if subset::contains(&reached, state) => self.lowered(*bound, state),
            _ => NO_RANK,
        };
        let highest: Vec<u8> = self.bounds.iter().enumerate().map(highest).collect();
        let open = subset::empty(self.width);
        let start = |ranks| Ranked { turn: 0, ranks, open: open.clone() }.write();
        self.below(&highest).into_iter().map(start).collect()
    }

    fn successors(&mut self, state: &[u64], edge: &mut dyn FnMut(Label, u32, &[u64])) {
        let before = Ranked::read(state, self.automaton.state_count(), self.width);
        let reached = match &before {
            Some(before) => before.reached(),
            None => StateSet::from_slice(&state[1..]),
        };
        for class in subset::classes(self.automaton, &reached) {
            sempre_ltl::interrupt::poll();
            let mut add = |marked: bool, target: Vec<u64>| {
                edge(class.label, u32::from(marked), &target);
            };
            if let Some(before) = &before {
                self.ranked(before, &class, &mut add);
                continue;
            }
            let mut to = subset::empty(self.width);
            for &(_, edge) in &class.edges {
                insert_all(&mut to, &subset::set(self.width, [self.automaton.edge(edge).target]));
            }
            add(subset::is_empty(&to), [&[0][..], &to].concat());
            self.guesses(&to, &mut |target| add(false, target));
        }
    }

    fn is_given_up(&self) -> bool {
        self.given_up
    }
}
