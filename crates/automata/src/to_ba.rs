//! State-based Büchi automata, made and reduced in one step.
//!
//! An automaton with another condition is converted to a generalized Büchi automaton and
//! degeneralized; the result is reduced, and what reductions have changed about the place of marks
//! is made good again, until nothing becomes smaller. The cost is that of reduction: at its highest
//! level for small automata, at the lowest one for large ones.

use crate::degeneralize::{Degeneralizer, EntryLevel, InitialLevel, Jump, Placement};
use crate::reduce::{Level, reduce};
use crate::{Automaton, convert, prune};

/// Larger automata are not reduced by comparison of languages.
const COMPARED: usize = 1 << 5;

/// Larger automata are reduced by bisimulation only.
const SIMULATED: usize = 1 << 11;

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
    let reduced = reduced(&generalized);
    let starts = [&generalized, &reduced];
    let copies = Degeneralizer::default()
        .jump(Jump::ToWaiting)
        .initial(InitialLevel::Last)
        .entry(EntryLevel::Last)
        .placement(Placement::Copies);
    let ways = [Degeneralizer::default(), copies];
    let results = starts.iter().flat_map(|start| ways.iter().map(|way| on_states(way, start)));
    results.map(smaller).min_by_key(size).unwrap_or_else(|| unreachable!("there are four ways"))
}

fn on_states(way: &Degeneralizer, automaton: &Automaton) -> Automaton {
    way.state_based(&convert::to_generalized_buchi(automaton))
}

/// The automaton reduced for as long as it becomes smaller.
fn smaller(automaton: Automaton) -> Automaton {
    let mut best = automaton;
    loop {
        let next = on_states(&Degeneralizer::default(), &reduced(&best));
        if size(&next) >= size(&best) {
            return best;
        }
        best = next;
    }
}

fn reduced(automaton: &Automaton) -> Automaton {
    let reduced = reduce(automaton, Level::Low);
    match reduced.state_count() {
        states if states <= COMPARED => reduce(&reduced, Level::High),
        states if states <= SIMULATED => reduce(&reduced, Level::Medium),
        _ => reduced,
    }
}

fn size(automaton: &Automaton) -> (usize, usize) {
    (automaton.state_count(), automaton.edge_count())
}
