//! Reductions of automata whose language is stutter-invariant.
//!
//! In these automata, an edge that reads a letter once where a path reads it several times does not
//! change the language ([`stutter::closure`]). With such edges more states simulate others, and the
//! paths may become redundant.

use super::{Level, reduce, size};
use crate::automaton::Automaton;
use crate::stutter;

/// As [`reduce`], for an automaton with a stutter-invariant language; see [`stutter::invariance`]
/// and [`declared_stutter_invariant`](Automaton::declared_stutter_invariant). For other languages
/// the result may accept more words.
///
/// The closure may have 2^k times as many edges for k marks.
///
/// ```
/// use sempre_automata::{hoa, reduce::{self, Level}};
///
/// // Some a, and then never again.
/// let text = r#"HOA: v1
/// States: 5
/// Start: 0
/// AP: 1 "a"
/// Acceptance: 0 t
/// --BODY--
/// State: 0 [0] 1 [0] 3
/// State: 1 [0] 2
/// State: 2 [0] 2 [!0] 4
/// State: 3 [!0] 4
/// State: 4 [!0] 4
/// --END--
/// "#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let reduced = reduce::stutter_invariant(&automaton, Level::Medium);
/// assert_eq!(reduced.state_count(), 3);
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn stutter_invariant(automaton: &Automaton, level: Level) -> Automaton {
    let mut best = reduce(automaton, level);
    loop {
        let next = reduce(&stutter::closure(&best), level);
        if size(&next) >= size(&best) {
            return best;
        }
        best = next;
    }
}
