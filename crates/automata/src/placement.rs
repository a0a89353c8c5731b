//! Büchi automata for a nested depth-first search: where accepting states are, and which letters
//! lead to them (Blahoudek, *Automata for Formal Methods*, 2018, section 3.3).
//!
//! If no accepting cycle is expected, accepting components should be hard to enter, and accepting
//! states far away. Each accepting state of the product starts an inner search, and each way into a
//! component adds product states. If a cycle is expected, the search finds it soon if accepting
//! states are near the initial ones and cycles are short.
//!
//! Entering edges are restricted letter by letter: a letter is removed if the automaton without it
//! still accepts the whole language. A complement decides this, up to a limit on its size. Then all
//! choices of levels in [degeneralization](crate::degeneralize) are tried within a limit of steps,
//! and the best result by the measures above is taken.

use crate::automaton::Automaton;
use crate::degeneralize::{Degeneralizer, EntryLevel, InitialLevel, Jump, MarkOrder, Placement};
use crate::generalized::GeneralizedBuchi;
use crate::index::StateId;
use crate::label::Label;
use crate::language::{Inclusion, inclusion_up_to};
use crate::scc::Sccs;
use crate::strength::weaken;
use crate::{membership, parallel, prune};
use sempre_ltl::{Word, interrupt};
use std::cmp::Reverse;

/// The expected result of a check with the automaton of the erroneous behaviours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expectation {
    /// No accepting cycle.
    Holds,
    /// An accepting cycle.
    Violated,
}

impl Expectation {
    /// All expectations.
    pub const ALL: [Expectation; 2] = [Expectation::Holds, Expectation::Violated];

    /// Returns the name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Expectation::Holds => "holds",
            Expectation::Violated => "violated",
        }
    }
}

/// The maximal number of states of an automaton whose entering edges are restricted.
const MAX_RESTRICTED: usize = 24;

/// The limit of attempts to remove a letter.
const MAX_ATTEMPTS: usize = 64;

/// The limit of macrostates of the complement for one attempt.
const MAX_MACROSTATES: usize = 600;

/// The limit of steps between levels for all candidates.
const MAX_STEPS: usize = 1 << 16;

/// The number of edges above which only the default degeneralization is used.
const MAX_EDGES: usize = 1 << 10;

/// The maximal number of orders of marks that are tried.
const MAX_ORDERS: usize = 6;

/// Returns a Büchi automaton with marks on states for the same language, with its accepting states
/// placed for the expected result.
///
/// ```
/// use sempre_automata::placement::{Expectation, place};
/// use sempre_automata::{GeneralizedBuchi, hoa};
/// // Infinitely often a, and finally never b.
/// let text = r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0) --BODY--
///     State: 0 [t] 0 [!1] 1 State: 1 [!0&!1] 1 [0&!1] 1 {0} --END--"#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let placed = place(&GeneralizedBuchi::of(&automaton).unwrap(), Expectation::Holds);
/// assert_eq!(placed.state_count(), 3);
/// // The accepting component is entered with a & !b only.
/// assert_eq!(placed.edges_from(placed.initial()[0]).len(), 2);
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn place(automaton: &GeneralizedBuchi<'_>, expectation: Expectation) -> Automaton {
    let small = Degeneralizer::default().state_based(automaton);
    if automaton.edge_count() > MAX_EDGES {
        return small;
    }
    let restricted = match expectation {
        Expectation::Holds => Some(restrict_entries(automaton)),
        Expectation::Violated => None,
    };
    let start = restricted.as_ref().map(GeneralizedBuchi::from);
    let start = start.as_ref().unwrap_or(automaton);
    let candidates = candidates(start).into_iter().map(|way| way.state_based(start));
    let all = std::iter::once(small).chain(candidates).map(|candidate| weaken(&candidate));
    choose(all, expectation).unwrap_or_else(|| unreachable!("there is the default"))
}

/// Returns the best of several Büchi automata with marks on states, for the expected result.
pub fn choose(
    automata: impl IntoIterator<Item = Automaton>,
    expectation: Expectation,
) -> Option<Automaton> {
    match expectation {
        Expectation::Holds => automata.into_iter().min_by_key(effort_without_cycle),
        Expectation::Violated => automata.into_iter().min_by_key(effort_to_cycle),
    }
}

/// The degeneralizations to try, within the limit of steps.
fn candidates(automaton: &GeneralizedBuchi<'_>) -> Vec<Degeneralizer> {
    let marks = automaton.sets().len() as u32;
    let natural: Vec<u32> = (0..marks).collect();
    let turned = |turn: u32| -> Vec<u32> {
        natural.iter().map(|mark| (mark + turn) % marks.max(1)).collect()
    };
    let mut orders: Vec<Vec<u32>> = (0..marks.max(1)).map(turned).collect();
    orders.extend(orders.clone().into_iter().map(|order| order.into_iter().rev().collect()));
    orders.dedup();
    orders.truncate(MAX_ORDERS);
    let mut ways = Vec::new();
    for order in orders {
        for jump in [Jump::Always, Jump::ToWaiting, Jump::NotFromAccepting, Jump::Never] {
            for entry in [EntryLevel::First, EntryLevel::Last, EntryLevel::Marks] {
                for initial in [InitialLevel::First, InitialLevel::Last] {
                    for placement in [Placement::ExtraLevel, Placement::Copies] {
                        let way = Degeneralizer::default()
                            .order(MarkOrder::Listed(order.clone()))
                            .jump(jump)
                            .entry(entry)
                            .initial(initial)
                            .placement(placement);
                        ways.push(way);
                    }
                }
            }
        }
    }
    let steps = automaton.edge_count().max(1) * (marks as usize + 1);
    ways.truncate(MAX_STEPS / steps);
    ways
}

/// Removes letters of edges that enter accepting components, as far as the language allows.
fn restrict_entries(automaton: &Automaton) -> Automaton {
    let trimmed = prune::trim(automaton);
    if trimmed.state_count() > MAX_RESTRICTED {
        return trimmed;
    }
    let mut search = Restriction { best: trimmed, attempts: MAX_ATTEMPTS, words: Vec::new() };
    while search.step() {}
    parallel::merge(&search.best)
}

struct Restriction {
    best: Automaton,
    /// The number of attempts that are left.
    attempts: usize,
    /// Words of the language that failed attempts do not accept.
    words: Vec<Word>,
}

impl Restriction {
    /// Removes some letters of an edge; false if none can be removed.
    fn step(&mut self) -> bool {
        for (number, letters) in self.removals() {
            interrupt::poll();
            let candidate = without(&self.best, number, letters);
            if candidate.initial().is_empty()
                || self.words.iter().any(|word| !membership::accepts(&candidate, word))
            {
                continue;
            }
            let Some(attempts) = self.attempts.checked_sub(1) else { return false };
            self.attempts = attempts;
            match inclusion_up_to(&self.best, &candidate, MAX_MACROSTATES) {
                Inclusion::Included => {
                    self.best = candidate;
                    return true;
                }
                Inclusion::Excludes(word) => self.words.push(word),
                Inclusion::Unknown => {}
            }
        }
        false
    }

    /// The edges that enter accepting components, with the letters that may be removed.
    fn removals(&self) -> Vec<(usize, Label)> {
        let automaton = &self.best;
        let (alphabet, sccs) = (automaton.alphabet(), Sccs::of(automaton));
        let accepting = sccs.accepting(automaton);
        let mut removals = Vec::new();
        for state in automaton.states() {
            for number in automaton.edge_range(state) {
                let edge = &automaton.edges()[number];
                let Some(scc) = sccs.component(edge.target) else { continue };
                if sccs.is_inside(state, edge.target) || !accepting[scc.index()] {
                    continue;
                }
                let inside = sccs.states(scc).iter().flat_map(|state| automaton.edges_from(*state));
                let classes = alphabet.classes(inside.map(|edge| edge.label));
                removals.push((number, edge.label));
                for class in classes {
                    interrupt::poll();
                    let letters = alphabet.and(class, edge.label);
                    if letters != alphabet.ff() && letters != edge.label {
                        removals.push((number, letters));
                    }
                }
            }
        }
        removals
    }
}

/// The automaton without some letters of an edge.
fn without(automaton: &Automaton, number: usize, letters: Label) -> Automaton {
    let alphabet = automaton.alphabet().clone();
    let mut builder = automaton.edit();
    let mut next = 0;
    builder.retain_edges(|_, edge| {
        next += 1;
        if next == number + 1 {
            edge.label = alphabet.minus(edge.label, letters);
        }
        edge.label != alphabet.ff()
    });
    prune::trim(&builder.build())
}

/// The measure of a search that finds no cycle, where less is better: the letters by which
/// accepting components are entered, the pairs of a letter and a state that it leads to, the
/// nearness of accepting states, the size.
fn effort_without_cycle(automaton: &Automaton) -> (u128, u128, Reverse<usize>, usize, usize) {
    let (alphabet, sccs) = (automaton.alphabet(), Sccs::of(automaton));
    let accepting = sccs.accepting(automaton);
    let mut entering = 0;
    let mut reading = vec![alphabet.ff(); automaton.state_count()];
    for (source, edge) in automaton.transitions() {
        let read = &mut reading[edge.target.index()];
        *read = alphabet.or(*read, edge.label);
        let is_accepting = sccs.component(edge.target).is_some_and(|scc| accepting[scc.index()]);
        if is_accepting && !sccs.is_inside(source, edge.target) {
            entering += alphabet.count(edge.label);
        }
    }
    let pairs = reading.into_iter().map(|label| alphabet.count(label)).sum();
    let far = Reverse(distance(automaton, automaton.initial(), |state| accepts(automaton, state)));
    (entering, pairs, far, automaton.state_count(), automaton.edge_count())
}

/// The measure of a search that finds a cycle, where less is better: the distance of accepting
/// states, the length of their cycles, the size.
fn effort_to_cycle(automaton: &Automaton) -> (usize, usize, usize, usize) {
    let sccs = Sccs::of(automaton);
    let on_cycle = |state: StateId| {
        accepts(automaton, state) && sccs.component(state).is_some_and(|scc| !sccs.is_trivial(scc))
    };
    let near = distance(automaton, automaton.initial(), on_cycle);
    let cycle = |state: StateId| {
        let next: Vec<StateId> = automaton.edges_from(state).iter().map(|e| e.target).collect();
        distance(automaton, &next, |other| other == state)
    };
    let cycles = automaton.states().filter(|state| on_cycle(*state)).map(cycle);
    let shortest = cycles.min().unwrap_or(usize::MAX);
    (near, shortest, automaton.state_count(), automaton.edge_count())
}

fn accepts(automaton: &Automaton, state: StateId) -> bool {
    automaton.edges_from(state).iter().any(|edge| edge.marks.contains(0))
}

/// Returns the number of steps to a goal; the largest number if there is none.
fn distance(automaton: &Automaton, from: &[StateId], goal: impl Fn(StateId) -> bool) -> usize {
    let mut seen = vec![false; automaton.state_count()];
    let mut level = from.to_vec();
    for steps in 0..=automaton.state_count() {
        if level.iter().any(|state| goal(*state)) {
            return steps;
        }
        let mut next = Vec::new();
        for state in level {
            for edge in automaton.edges_from(state) {
                if !std::mem::replace(&mut seen[edge.target.index()], true) {
                    next.push(edge.target);
                }
            }
        }
        level = next;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{Size, automaton_with};
    use crate::{Alphabet, Named, hoa, language};
    use proptest::prelude::*;

    /// Infinitely often a, and finally never b: the automaton named D6 in the thesis, except for
    /// the numbering of its states.
    #[test]
    fn the_best_automaton_of_the_case_study_is_found() {
        let text = r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0) --BODY--
            State: 0 [t] 0 [!1] 1 State: 1 [!0&!1] 1 [0&!1] 1 {0} --END--"#;
        let automaton = hoa::parse(text).unwrap().nondeterministic().unwrap();
        let placed = place(&GeneralizedBuchi::of(&automaton).unwrap(), Expectation::Holds);
        let letters = placed.edges().iter().map(|edge| placed.alphabet().count(edge.label));
        assert_eq!((placed.state_count(), placed.edge_count(), letters.sum()), (3, 6, 9));
        let far = distance(&placed, placed.initial(), |state| accepts(&placed, state));
        assert_eq!(far, 1);
    }

    /// The initial state is accepting only if a cycle is expected.
    #[test]
    fn the_initial_level_follows_the_expectation() {
        let text = r#"HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" Acceptance: 2 Inf(0) & Inf(1)
            --BODY-- State: 0 [!0&!1] 0 [0&!1] 0 {0} [!0&1] 0 {1} [0&1] 0 {0 1} --END--"#;
        let automaton = hoa::parse(text).unwrap().nondeterministic().unwrap();
        let automaton = GeneralizedBuchi::of(&automaton).unwrap();
        for (expectation, accepting) in [(Expectation::Holds, false), (Expectation::Violated, true)]
        {
            let placed = place(&automaton, expectation);
            assert_eq!(accepts(&placed, placed.initial()[0]), accepting, "{expectation:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn the_language_stays(
            automaton in (0..3u32).prop_flat_map(|marks| {
                let acceptance = match marks {
                    0 => Named::All.acceptance(),
                    marks => Named::GeneralizedBuchi(marks).acceptance(),
                };
                let alphabet = Alphabet::new(["a", "b"]).unwrap();
                let size = Size { states: 4, props: 2, marks, degree: 3 };
                automaton_with(alphabet, Just(acceptance), size)
            })
        ) {
            let generalized = GeneralizedBuchi::of(&automaton).unwrap();
            for expectation in Expectation::ALL {
                let placed = place(&generalized, expectation);
                prop_assert!(placed.is_state_based());
                prop_assert!(language::equivalent(&automaton, &placed));
            }
        }
    }
}
