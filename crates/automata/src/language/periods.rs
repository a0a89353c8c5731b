//! Inclusion of Büchi languages without a complement: by stems and periods.
//!
//! K. Doveri, P. Ganty, F. Parolini and F. Ranzato, "Inclusion testing of Büchi automata based on
//! well-quasiorders" (CONCUR 2021). A word of the difference has a *stem*, which leads to a state p
//! of the left automaton and to a set X of states of the right one, and a *period*, which leads from
//! p back to it through a mark, and from X into X. The context of a period is the set of pairs of X
//! that it connects, with or without a mark. The right automaton rejects if the graph of the context
//! has no cycle with a mark. Smaller contexts have fewer such cycles, so that only minimal ones are
//! kept. Of stems all sets X are kept: minimal ones alone miss words.
//!
//! This wins over a complement if the left automaton is small and the right one is large and
//! nondeterministic. There are up to 2^n sets and 3^(n²) contexts for n states; both are limited.

use crate::automaton::Automaton;
use crate::index::StateId;
use crate::label::Label;
use crate::scc::Sccs;
use rustc_hash::FxHashSet;
use sempre_ltl::{Word, interrupt};

/// More states or classes of letters are refused.
const MAX_STATES: usize = 64;
const MAX_LETTERS: usize = 256;

/// A stem by its end, a state and a set of states, with the stem before and the last letter.
type Stem = (u32, u64, Option<(usize, usize)>);

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// There is no word of the difference.
    Nothing,
    Word(Word),
    /// The limit was reached, or an automaton is too large.
    Unknown,
}

/// A Büchi automaton by letters.
struct Moves {
    /// By letter and state, the targets and whether the edge is marked.
    edges: Vec<Vec<Vec<(u32, bool)>>>,
}

impl Moves {
    fn new(automaton: &Automaton, letters: &[Label]) -> Self {
        let row = |letter: &Label| {
            let targets = |state: StateId| {
                let edges = automaton.edges_from(state).iter();
                let read = edges.filter(|edge| !automaton.alphabet().disjoint(edge.label, *letter));
                read.map(|edge| (edge.target.index() as u32, !edge.marks.is_empty())).collect()
            };
            automaton.states().map(targets).collect()
        };
        Moves { edges: letters.iter().map(row).collect() }
    }

    /// The targets of a set of states.
    fn image(&self, letter: usize, set: u64) -> u64 {
        bits(set).fold(0, |image, state| {
            self.edges[letter][state].iter().fold(image, |image, (target, _)| image | 1 << target)
        })
    }
}

fn bits(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| set >> bit & 1 == 1)
}

/// The pairs of states that a word connects, by source: all targets, and those over a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Context(Vec<(u64, u64)>);

impl Context {
    fn is_within(&self, other: &Context) -> bool {
        let within = |(own, other): (&(u64, u64), &(u64, u64))| {
            own.0 & !other.0 == 0 && own.1 & !other.1 == 0
        };
        self.0.iter().zip(&other.0).all(within)
    }

    fn extended(&self, moves: &Moves, letter: usize) -> Self {
        let step = |&(all, marked): &(u64, u64)| {
            let mut next = (0, 0);
            for state in bits(all) {
                for &(target, mark) in &moves.edges[letter][state] {
                    next.0 |= 1 << target;
                    if mark || marked >> state & 1 == 1 {
                        next.1 |= 1 << target;
                    }
                }
            }
            next
        };
        Context(self.0.iter().map(step).collect())
    }

    /// Whether the graph over the sources has a cycle with a mark, if it stays among them; `None` if
    /// it does not.
    fn has_marked_cycle(&self, sources: &[usize]) -> Option<bool> {
        let set = sources.iter().fold(0u64, |set, state| set | 1 << state);
        if self.0.iter().any(|(all, _)| all & !set != 0) {
            return None;
        }
        let mut reached: Vec<u64> = vec![0; 64];
        for (&source, (all, _)) in sources.iter().zip(&self.0) {
            reached[source] = *all;
        }
        for &middle in sources {
            for &source in sources {
                if reached[source] >> middle & 1 == 1 {
                    reached[source] |= reached[middle];
                }
            }
        }
        let closes = |(source, (_, marked)): (&usize, &(u64, u64))| {
            bits(*marked).any(|target| target == *source || reached[target] >> source & 1 == 1)
        };
        Some(sources.iter().zip(&self.0).any(closes))
    }
}

/// Searches for a word of the difference of two trimmed Büchi automata over the same propositions,
/// with at most that many stems and contexts.
pub(super) fn search(left: &Automaton, right: &Automaton, most: usize) -> Found {
    search_without(left, right, most, |_, _, _| false)
}

/// The same search with a fault, which tests must find: of the stems to a state only those with
/// minimal sets are kept.
#[cfg(test)]
pub(super) fn search_minimal(left: &Automaton, right: &Automaton, most: usize) -> Found {
    search_without(left, right, most, |stems, state, set| {
        stems.iter().any(|(known, smaller, _)| *known == state && smaller & !set == 0)
    })
}

fn search_without(
    left: &Automaton,
    right: &Automaton,
    most: usize,
    superfluous: impl Fn(&[Stem], u32, u64) -> bool,
) -> Found {
    let alphabet = left.alphabet();
    let labels = left.edges().iter().chain(right.edges()).map(|edge| edge.label);
    if right.state_count() > MAX_STATES || left.state_count() > MAX_STATES {
        return Found::Unknown;
    }
    let letters = alphabet.classes(labels);
    if letters.len() > MAX_LETTERS {
        return Found::Unknown;
    }
    let own = [left, right].map(|automaton| Moves::new(automaton, &letters));
    let sccs = Sccs::of(left);
    let mut search = Search { own, left: most, sccs: &sccs };
    let initial = right.initial().iter().fold(0u64, |set, state| set | 1 << state.index());
    let mut stems: Vec<Stem> = vec![];
    let mut known: FxHashSet<(u32, u64)> = FxHashSet::default();
    for state in left.initial() {
        if known.insert((state.index() as u32, initial)) {
            stems.push((state.index() as u32, initial, None));
        }
    }
    let mut place = 0;
    while place < stems.len() {
        interrupt::poll();
        let (state, set, _) = stems[place];
        match search.period(state, set) {
            None => return Found::Unknown,
            Some(None) => {}
            Some(Some(period)) => {
                let mut stem = vec![];
                let mut here = place;
                while let Some((before, letter)) = stems[here].2 {
                    stem.push(letter);
                    here = before;
                }
                stem.reverse();
                let word: Vec<Vec<usize>> = stem
                    .iter()
                    .chain(&period)
                    .map(|letter| alphabet.some_valuation(letters[*letter]).unwrap_or_default())
                    .collect();
                let holds = |position: usize, prop: usize| word[position].contains(&prop);
                let props = alphabet.props().iter().cloned();
                let word = Word::from_fn(props, stem.len(), period.len(), holds);
                return Found::Word(word.unwrap_or_else(|_| unreachable!("periods have letters")));
            }
        }
        for letter in 0..letters.len() {
            interrupt::poll();
            let image = search.own[1].image(letter, set);
            for &(target, _) in &search.own[0].edges[letter][state as usize] {
                if known.insert((target, image)) && !superfluous(&stems, target, image) {
                    stems.push((target, image, Some((place, letter))));
                }
            }
        }
        if stems.len() > most {
            return Found::Unknown;
        }
        place += 1;
    }
    Found::Nothing
}

struct Search<'a> {
    own: [Moves; 2],
    /// How many contexts may still be made.
    left: usize,
    sccs: &'a Sccs,
}

/// A word from the state of a stem: its end, whether it has seen a mark, its context, and the word
/// before with the last letter.
struct Step {
    state: u32,
    marked: bool,
    context: Context,
    before: Option<(usize, usize)>,
}

impl Search<'_> {
    /// Returns the letters of a period that leads back to a state through a mark, and on which no
    /// run from the set is accepting; `None` beyond the limit.
    #[expect(clippy::option_option, reason = "outside: whether it is known; inside: the period")]
    fn period(&mut self, state: u32, set: u64) -> Option<Option<Vec<usize>>> {
        let sources: Vec<usize> = bits(set).collect();
        let inside = |target: u32| {
            self.sccs.is_inside(StateId::new(state as usize), StateId::new(target as usize))
        };
        let identity = Context(sources.iter().map(|source| (1 << source, 0)).collect());
        let mut steps = vec![Step { state, marked: false, context: identity, before: None }];
        // Words that others make superfluous are not extended any more.
        let mut superfluous = vec![false];
        let mut place = 0;
        while place < steps.len() {
            if superfluous[place] {
                place += 1;
                continue;
            }
            interrupt::poll();
            for letter in 0..self.own[0].edges.len() {
                let from = steps[place].state as usize;
                if self.own[0].edges[letter][from].iter().all(|(target, _)| !inside(*target)) {
                    continue;
                }
                let context = steps[place].context.extended(&self.own[1], letter);
                for &(target, mark) in &self.own[0].edges[letter][from] {
                    if !inside(target) {
                        continue;
                    }
                    let marked = steps[place].marked || mark;
                    let before = Some((place, letter));
                    let step = Step { state: target, marked, context: context.clone(), before };
                    if target == state
                        && marked
                        && step.context.has_marked_cycle(&sources) == Some(false)
                    {
                        let mut period = vec![];
                        let mut here = step.before;
                        while let Some((place, letter)) = here {
                            period.push(letter);
                            here = steps[place].before;
                        }
                        period.reverse();
                        return Some(Some(period));
                    }
                    let is_better = |one: &Step, other: &Step| {
                        one.state == other.state
                            && (one.marked || !other.marked)
                            && one.context.is_within(&other.context)
                    };
                    // The empty word is no period.
                    if steps[1..].iter().any(|known| is_better(known, &step)) {
                        continue;
                    }
                    for (known, superfluous) in steps.iter().zip(&mut superfluous).skip(1) {
                        *superfluous |= is_better(&step, known);
                    }
                    steps.push(step);
                    superfluous.push(false);
                    self.left = self.left.checked_sub(1)?;
                }
            }
            place += 1;
        }
        Some(None)
    }
}
