//! State-based Büchi automata, made and reduced in one step.
//!
//! An automaton with another condition is converted to a generalized Büchi automaton and
//! degeneralized; the result is reduced, and what reductions have changed about the place of marks
//! is made good again, until nothing becomes smaller. The cost is that of reduction: at its highest
//! level for small automata, at the lowest one for large ones.

use crate::degeneralize::{Degeneralizer, EntryLevel, InitialLevel, Jump, Placement};
use crate::language::{Inclusion, inclusion_up_to};
use crate::reduce::{Level, reduce};
use crate::{Automaton, Marks, StateId, convert, isomorphism, membership, prune};
use sempre_ltl::{Word, interrupt};

/// Larger automata are not reduced by comparison of languages.
const COMPARED: usize = 1 << 5;

/// Larger automata are reduced by bisimulation only.
const SIMULATED: usize = 1 << 11;

/// In automata with that many states at most, pairs of states are merged by trial.
const TRIED: usize = 12;

/// The limit of macrostates for each comparison of a trial.
const MACROSTATES: usize = 600;

/// Returns a Büchi automaton with marks on states for the same language, with few states.
///
/// ```
/// use sempre_automata::{hoa, to_ba::to_ba};
/// let text = r#"HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" Acceptance: 2 Inf(0) & Inf(1) --BODY--
///     State: 0 [!0&!1] 0 [0&!1] 0 {0} [!0&1] 0 {1} [0&1] 0 {0 1} --END--"#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let result = to_ba(&automaton);
/// assert!(result.is_state_based());
/// assert_eq!(result.state_count(), 3);
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn to_ba(automaton: &Automaton) -> Automaton {
    let generalized = prune::trim(&convert::to_generalized_buchi(automaton));
    let reduced = reduced(&generalized, Level::High);
    let starts = [&generalized, &reduced];
    let copies = Degeneralizer::default()
        .jump(Jump::ToWaiting)
        .initial(InitialLevel::Last)
        .entry(EntryLevel::Last)
        .placement(Placement::Copies);
    let ways = [Degeneralizer::default(), copies];
    let mut results: Vec<Automaton> = vec![];
    for (start, way) in starts.iter().flat_map(|start| ways.iter().map(move |way| (start, way))) {
        let result = smaller(on_states(way, start), Level::Medium);
        // Most ways meet, and the highest level is slow.
        let same = |known| isomorphism::are_isomorphic(known, &result) == Ok(true);
        if !results.iter().any(same) {
            results.push(result);
        }
    }
    let best = results.into_iter().map(|result| smaller(result, Level::High)).min_by_key(size);
    let best = best.unwrap_or_else(|| unreachable!("there are four ways"));
    // With as many states as without marks on states, hardly any can be merged.
    match best.state_count() > reduced.state_count() && best.state_count() <= TRIED {
        true => by_trial(best),
        false => best,
    }
}

/// Redirects the edges to one state to another for as long as the language stays the same.
fn by_trial(automaton: Automaton) -> Automaton {
    let mut best = automaton;
    // Words that refuted a trial, and whether they are in the language.
    let mut words: Vec<(Word, bool)> = vec![];
    'smaller: loop {
        for (kept, gone) in pairs(&best) {
            for candidate in candidates(&best, kept, gone) {
                interrupt::poll();
                if !refuted(&best, &candidate, &mut words) {
                    best = candidate;
                    continue 'smaller;
                }
            }
        }
        return best;
    }
}

fn pairs(automaton: &Automaton) -> Vec<(StateId, StateId)> {
    let states = || automaton.states();
    let pairs = states().flat_map(|kept| states().map(move |gone| (kept, gone)));
    pairs.filter(|(kept, gone)| kept != gone).collect()
}

/// The automata in which edges to `gone` lead to `kept`. If only one of these states is accepting,
/// the other one may be the right one.
fn candidates(automaton: &Automaton, kept: StateId, gone: StateId) -> Vec<Automaton> {
    let marks = |state| automaton.edges_from(state).first().map(|edge| edge.marks.clone());
    let mut ways = vec![None];
    if let (Some(own), Some(other)) = (marks(kept), marks(gone))
        && own != other
    {
        ways.push(Some(other));
    }
    let place = |state: StateId| if state == gone { kept } else { state };
    let redirected = |marks: Option<Marks>| {
        let mut builder = automaton.edit();
        builder.clear_initial().retain_edges(|source, edge| {
            edge.target = place(edge.target);
            if let Some(marks) = marks.as_ref().filter(|_| source == kept) {
                edge.marks = marks.clone();
            }
            true
        });
        automaton.initial().iter().for_each(|state| {
            builder.initial(place(*state));
        });
        prune::trim(&builder.build())
    };
    ways.into_iter().map(redirected).collect()
}

/// True unless both automata are proved to have the same language.
fn refuted(best: &Automaton, other: &Automaton, words: &mut Vec<(Word, bool)>) -> bool {
    let differs = |(word, accepted): &(Word, bool)| membership::accepts(other, word) != *accepted;
    if let Some(place) = words.iter().position(differs) {
        words[..=place].rotate_right(1);
        return true;
    }
    for (left, right, in_best) in [(other, best, false), (best, other, true)] {
        match inclusion_up_to(left, right, MACROSTATES) {
            Inclusion::Included => {}
            Inclusion::Excludes(word) => {
                words.insert(0, (word, in_best));
                return true;
            }
            Inclusion::Unknown => return true,
        }
    }
    false
}

fn on_states(way: &Degeneralizer, automaton: &Automaton) -> Automaton {
    way.state_based(&convert::to_generalized_buchi(automaton))
}

/// The automaton reduced for as long as it becomes smaller.
fn smaller(automaton: Automaton, level: Level) -> Automaton {
    let mut best = automaton;
    loop {
        let next = on_states(&Degeneralizer::default(), &reduced(&best, level));
        if size(&next) >= size(&best) {
            return best;
        }
        best = next;
    }
}

fn reduced(automaton: &Automaton, level: Level) -> Automaton {
    let reduced = reduce(automaton, Level::Low);
    match reduced.state_count() {
        states if states <= COMPARED => reduce(&reduced, level),
        states if states <= SIMULATED => reduce(&reduced, Level::Medium),
        _ => reduced,
    }
}

fn size(automaton: &Automaton) -> (usize, usize) {
    (automaton.state_count(), automaton.edge_count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::RandomAutomata;
    use crate::test_language::same_language;
    use crate::{Named, hoa};

    fn automaton(text: &str) -> Automaton {
        hoa::parse(text).unwrap().nondeterministic().unwrap()
    }

    /// Two marks make ten states, of which three are superfluous; reductions that move marks to
    /// edges do not see it.
    #[test]
    fn states_with_the_same_language_are_merged_by_trial() {
        let example = automaton(
            "HOA: v1 States: 6 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 2 Inf(0) & Inf(1) --BODY-- \
             State: 0 {0 1} [0] 0 [!0] 1 State: 1 {0 1} [!0] 1 [0&!1] 2 [0&1] 3 \
             State: 2 {1} [0&1] 0 [!0&1] 1 [0&!1] 2 [!0&!1] 4 \
             State: 3 {0} [0&!1] 2 [0&1] 3 [!0&!1] 4 [!0&1] 5 \
             State: 4 {1} [!0&1] 1 [0&1] 3 [!0&!1] 4 State: 5 {0} [!0&!1] 4 [!0&1] 5 --END--",
        );
        let result = to_ba(&example);
        assert!(same_language(&example, &result) && result.is_state_based());
        assert_eq!(result.state_count(), 7);
    }

    #[test]
    fn trials_keep_the_language_and_marks_on_states() {
        let (mut before, mut after) = (0, 0);
        for seed in 0..40 {
            let random = RandomAutomata::over(["a"]).unwrap().states(3).density(0.5).seed(seed);
            let random = random.acceptance(Named::GeneralizedBuchi(2)).mark_probability(0.4);
            for automaton in random.generate().take(2) {
                let generalized = convert::to_generalized_buchi(&automaton);
                let start = prune::trim(&Degeneralizer::default().state_based(&generalized));
                if start.state_count() > TRIED {
                    continue;
                }
                let result = by_trial(start.clone());
                assert!(same_language(&automaton, &result) && result.is_state_based());
                before += start.state_count();
                after += result.state_count();
            }
        }
        assert!(after < before, "{after} of {before}");
    }
}
