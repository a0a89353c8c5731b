//! Results that a SAT solver finds at little cost: fewer states, then fewer marks. Limits count
//! conflicts and questions, so that equal automata give equal results.

use super::sat::{Limits, Wanted, minimize_for};
use super::{recolor, size};
use crate::automaton::Automaton;

/// The largest automata for which a SAT solver looks for fewer states.
const MAX_SOLVED: usize = 8;

const SAME: Limits = Limits { conflicts: 200, questions: 40 };
const FREE: Limits = Limits { conflicts: 400, questions: 60 };
const MARKS: Limits = Limits { conflicts: 2000, questions: 200 };

/// The marks of conditions that the solver chooses, to reduce states.
const FREE_MARKS: u32 = 2;

/// Returns an equivalent deterministic automaton with fewer states and the same condition, if one is
/// found.
pub fn with_same_condition(automaton: &Automaton) -> Option<Automaton> {
    smaller(automaton, Wanted::Same, SAME)
}

/// Returns an equivalent deterministic automaton with fewer states, or as many states and fewer
/// marks, if one is found; with any condition.
///
/// ```
/// use sempre_automata::reduce::deterministic::solved;
/// use sempre_automata::{hoa, language};
/// // Finitely often a, or infinitely often both letters: two marks instead of three.
/// let text = r#"HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 3 Fin(0) | (Inf(1) & Inf(2))
///     --BODY-- State: 0 [0] 0 {0 1} [!0] 0 {2} --END--"#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let found = solved::with_any_condition(&automaton).expect("fewer marks suffice");
/// assert!(found.acceptance().marks() < 3);
/// assert!(language::equivalent(&automaton, &found));
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn with_any_condition(automaton: &Automaton) -> Option<Automaton> {
    let mut best = with_same_condition(automaton);
    let free = smaller(automaton, Wanted::Marks(FREE_MARKS), FREE);
    if let Some(free) = free
        && best.as_ref().is_none_or(|best| size(&free) < size(best))
    {
        best = Some(free);
    }
    if let Some(fewer) = recolor::fewer_marks(best.as_ref().unwrap_or(automaton), MARKS) {
        best = Some(fewer);
    }
    // On other edges.
    loop {
        let smallest = best.as_ref().unwrap_or(automaton);
        let marks = smallest.acceptance().marks();
        match marks.checked_sub(1).filter(|fewer| *fewer > 0) {
            Some(fewer) => match smaller(smallest, Wanted::Marks(fewer), FREE) {
                Some(found) => best = Some(found),
                None => return best,
            },
            None => return best,
        }
    }
}

fn smaller(automaton: &Automaton, wanted: Wanted, limits: Limits) -> Option<Automaton> {
    if !(2..=MAX_SOLVED).contains(&automaton.state_count()) {
        return None;
    }
    let found = minimize_for(automaton, wanted, limits).automaton;
    let states = |automaton: &Automaton| (automaton.state_count(), automaton.acceptance().marks());
    (states(&found) < states(automaton)).then_some(found)
}
