//! Reductions of small automata by trial, checked by comparing languages.
//!
//! Merging states can only add words to a language, and removing states or edges can only remove
//! words. So a merge is correct if the result shares no word with the complement of the automaton.
//! That complement is generated once for all merges, on demand. A removal is correct if the
//! automaton shares no word with the complement of the result. Words that refuted an attempt are
//! stored, because most other wrong attempts fail on one of them. This subsumes reductions by finer
//! relations between states.
//!
//! Complementation is exponential, so these reductions are limited to small automata, and to a
//! number of macrostates. An attempt that cannot be decided within the limit is dropped.

use super::graph::headers;
use super::size;
use crate::automaton::Automaton;
use crate::index::StateId;
use crate::language::{Complement, complementable};
use crate::{membership, prune, wdba};
use sempre_ltl::{Word, interrupt};

/// The maximal number of states of an automaton to reduce.
const MAX_STATES: usize = 64;
/// The limit of macrostates of the complement that all merges share, and of the comparison with a
/// minimal automaton.
const MAX_MACROSTATES: usize = 20_000;
/// The limit of macrostates of the complement of one attempt.
const MAX_MACROSTATES_OF_ATTEMPT: usize = 5000;
/// The maximal number of stored words, the most recent refutations.
const MAX_WORDS: usize = 24;

/// Makes a reduced automaton smaller; applies `reduced` after each step.
pub(super) fn reduce(automaton: Automaton, reduced: impl Fn(&Automaton) -> Automaton) -> Automaton {
    let mut best = automaton;
    loop {
        let next = attempt(&best, &reduced);
        if size(&next) >= size(&best) {
            return best;
        }
        // The complement of the smaller automaton may be smaller, so that more can be decided.
        best = next;
    }
}

/// Applies each reduction once.
fn attempt(automaton: &Automaton, reduced: impl Fn(&Automaton) -> Automaton) -> Automaton {
    let mut best = automaton.clone();
    if let Some(minimal) = minimal_weak(&best) {
        best = minimal;
        let next = reduced(&best);
        if size(&next) < size(&best) {
            best = next;
        }
    }
    if best.state_count() > MAX_STATES || best.state_count() <= 1 {
        return best;
    }
    let trimmed = prune::trim(&best);
    let base = complementable(&trimmed);
    let complement = Complement::of(&base, MAX_MACROSTATES);
    let mut search = Search {
        complement: &complement,
        accepted: vec![],
        rejected: vec![],
        best: trimmed.clone(),
    };
    loop {
        let next = search.merge().or_else(|| search.remove());
        let Some(next) = next else { return search.best };
        let next = reduced(&next);
        if size(&next) >= size(&search.best) {
            return search.best;
        }
        search.best = next;
    }
}

/// Returns the minimal deterministic weak automaton, if the language has one and it is smaller.
fn minimal_weak(automaton: &Automaton) -> Option<Automaton> {
    let limit = 4 * automaton.state_count() + 64;
    let minimizer = wdba::Minimizer::new().powerset_limit(limit);
    let minimal = minimizer.minimize_obligation(automaton).minimal()?;
    let smaller = size(&minimal) < size(automaton)
        && is_included(automaton, &minimal)
        && is_included(&minimal, automaton);
    smaller.then(|| {
        let mut builder = minimal.edit();
        builder.headers(headers(automaton));
        if let Some(name) = automaton.name() {
            builder.name(name);
        }
        builder.build()
    })
}

/// True if the inclusion is proved within the limit.
fn is_included(left: &Automaton, right: &Automaton) -> bool {
    let trimmed = prune::trim(right);
    let base = complementable(&trimmed);
    let complement = Complement::of(&base, MAX_MACROSTATES);
    complement.common_word(left).is_none() && !complement.is_partial()
}

struct Search<'a, 'b> {
    complement: &'a Complement<'b>,
    /// Words of the language that some automata tried do not accept.
    accepted: Vec<Word>,
    /// Words outside of the language that some attempts accepted.
    rejected: Vec<Word>,
    best: Automaton,
}

impl Search<'_, '_> {
    fn merge(&mut self) -> Option<Automaton> {
        let states: Vec<StateId> = self.best.states().collect();
        for (place, &kept) in states.iter().enumerate() {
            for &merged in &states[place + 1..] {
                interrupt::poll();
                let candidate = merge(&self.best, kept, merged);
                if refutes(&mut self.rejected, |word| membership::accepts(&candidate, word)) {
                    continue;
                }
                match self.complement.common_word(&candidate) {
                    Some(word) => remember(&mut self.rejected, word),
                    None if self.complement.is_partial() => return None,
                    None => return Some(candidate),
                }
            }
        }
        None
    }

    fn remove(&mut self) -> Option<Automaton> {
        for removed in self.best.states() {
            interrupt::poll();
            let mut builder = self.best.edit();
            builder.retain_edges(|source, edge| source != removed && edge.target != removed);
            let candidate = prune::trim(&builder.build());
            if candidate.initial().is_empty()
                || refutes(&mut self.accepted, |word| !membership::accepts(&candidate, word))
            {
                continue;
            }
            let (word, partial) = {
                let base = complementable(&candidate);
                let complement = Complement::of(&base, MAX_MACROSTATES_OF_ATTEMPT);
                (complement.common_word(&self.best), complement.is_partial())
            };
            match word {
                Some(word) => remember(&mut self.accepted, word),
                None if partial => {}
                None => return Some(candidate),
            }
        }
        None
    }
}

/// Stores a word at the front.
fn remember(words: &mut Vec<Word>, word: Word) {
    words.insert(0, word);
    words.truncate(MAX_WORDS);
}

/// True if one of the words satisfies the predicate. That word moves to the front, because it often
/// does so again.
fn refutes(words: &mut [Word], does: impl Fn(&Word) -> bool) -> bool {
    let found = words.iter().position(does);
    if let Some(place) = found {
        words[..=place].rotate_right(1);
    }
    found.is_some()
}

/// Merges two states into one, with the edges and initial states of both.
fn merge(automaton: &Automaton, kept: StateId, merged: StateId) -> Automaton {
    let place = |state: StateId| if state == merged { kept } else { state };
    let mut builder = automaton.edit();
    builder.retain_edges(|_, _| false).clear_initial();
    for &state in automaton.initial() {
        builder.initial(place(state));
    }
    for (source, edge) in automaton.transitions() {
        builder.edge(place(source), edge.label, edge.marks.clone(), place(edge.target));
    }
    builder.build()
}
