//! Post-processing: reductions of the automata of constructions.

use crate::choices::Effort;
use crate::merging::{self, Acceptance};
use sempre_automata::degeneralize::{Degeneralizer, EntryLevel, InitialLevel, Jump, Placement};
use sempre_automata::product::Product;
use sempre_automata::reduce::{self, Level};
use sempre_automata::wdba::{Minimizer, Outcome};
use sempre_automata::{
    Automaton, Edge, GeneralizedBuchi, Marks, Named, Sccs, StateId, complement, emptiness,
    parallel, single_initial, state_based_by_guesses,
};
use std::borrow::Cow;

/// The limit of the powerset: a multiple of the number of states, plus a constant.
const POWERSET_LIMIT: (usize, usize) = (4, 32);

/// The maximal number of sets of states of a deterministic automaton.
const LARGEST_POWERSET: usize = 1 << 12;

/// The maximal numbers of states and edges for simulation, which is quadratic.
const MAX_SIMULATED: (usize, usize) = (1 << 9, 1 << 12);

/// The minimal number of edges for minimizing an obligation first, if that needs no more states.
const LARGE_OBLIGATION: usize = 1 << 10;

/// The maximal number of states for merging, which needs a product with the complement.
const MAX_MERGED: usize = 1 << 8;

/// True if the automaton is small enough for algorithms that are more than linear.
fn is_small(automaton: &Automaton) -> bool {
    let (states, edges) = MAX_SIMULATED;
    automaton.state_count() <= states && automaton.edge_count() <= edges
}

/// Reduces the automaton by relations between its states; by cheaper ones if it is large.
pub(crate) fn by_relations(automaton: &Automaton) -> Automaton {
    if is_small(automaton) {
        return reduce::reduce(automaton, Level::Medium);
    }
    let smaller = reduce::reduce(automaton, Level::Low);
    if is_small(&smaller) { reduce::reduce(&smaller, Level::Medium) } else { smaller }
}

/// The order of automata: by states, then edges, then marks.
fn size(automaton: &Automaton) -> (usize, usize, u32) {
    (automaton.state_count(), automaton.edge_count(), automaton.acceptance().marks())
}

/// The properties of a language, beyond an automaton.
pub struct Language<'a> {
    /// True if it is an obligation.
    pub obligation: bool,
    complement: &'a mut dyn FnMut() -> Option<Automaton>,
    known: Option<Option<Automaton>>,
}

impl<'a> Language<'a> {
    /// Creates the description: whether it is an obligation, and a function for an automaton of the
    /// complement.
    pub fn new(obligation: bool, complement: &'a mut dyn FnMut() -> Option<Automaton>) -> Self {
        Language { obligation, complement, known: None }
    }

    /// Returns an automaton of the complement, computed once; `None` if it is too large.
    pub fn complement(&mut self) -> Option<&Automaton> {
        self.known.get_or_insert_with(|| (self.complement)()).as_ref()
    }
}

/// Returns an automaton of the same language with few states.
pub fn reduced(automaton: &Automaton, effort: Effort, language: &mut Language<'_>) -> Automaton {
    if effort == Effort::Low {
        return reduce::reduce(automaton, Level::Low);
    }
    if language.obligation && automaton.edge_count() > LARGE_OBLIGATION {
        let bisimilar = reduce::reduce(automaton, Level::Low);
        if let Some(minimal) = obligation(&bisimilar, language) {
            return minimal;
        }
    }
    let small = by_relations(automaton);
    if effort == Effort::Medium {
        let minimal = language.obligation.then(|| obligation(&small, language)).flatten();
        return minimal.unwrap_or(small);
    }
    // Testing for an obligation takes the powerset, so it is only done for small automata.
    let tried = language.obligation || is_small(&small);
    let minimal = tried.then(|| obligation(&small, language)).flatten();
    let alone = minimal.is_some() && small.is_deterministic();
    let minimal = minimal.map(|minimal| merged(minimal, language));
    if alone {
        return minimal.unwrap_or(small);
    }
    let merged = merged(small, language);
    // Determinism takes precedence over fewer edges.
    match minimal {
        Some(minimal) if minimal.state_count() <= merged.state_count() => minimal,
        _ => merged,
    }
}

/// Converts to Büchi acceptance if that is not larger: a single mark allows better positions.
pub fn with_fewer_marks(automaton: Automaton, language: &mut Language<'_>) -> Automaton {
    if automaton.acceptance().marks() < 2 || automaton.state_count() == 1 {
        return automaton;
    }
    let other = on_edges(&automaton, language);
    if size(&other) < size(&automaton) { other } else { automaton }
}

/// Merges states until none can be merged.
fn merged(automaton: Automaton, language: &mut Language<'_>) -> Automaton {
    let mut best = automaton;
    while (2..=MAX_MERGED).contains(&best.state_count())
        && let Some(complement) = language.complement()
        && let Some(merged) = merging::merge(&best, complement, Acceptance::OnEdges)
    {
        best = by_relations(&merged);
    }
    best
}

/// Returns a deterministic automaton of the same language, if one is found: the minimal weak one,
/// or the given one if it is deterministic.
pub fn deterministic(
    automaton: &Automaton,
    other: impl FnOnce() -> Option<Automaton>,
    language: &mut Language<'_>,
) -> Option<Automaton> {
    let minimal = Minimizer::new()
        .powerset_limit(LARGEST_POWERSET)
        .minimize_obligation(automaton)
        .minimal()
        .filter(|minimal| language.obligation || is_same(automaton, minimal, language));
    minimal.map(unmarked).or_else(|| {
        let other = by_relations(&other()?);
        other.is_deterministic().then_some(other)
    })
}

/// Returns the minimal deterministic weak automaton, if the language is an obligation and it does
/// not have more states.
fn obligation(automaton: &Automaton, language: &mut Language<'_>) -> Option<Automaton> {
    let (factor, offset) = POWERSET_LIMIT;
    let minimizer = Minimizer::new().powerset_limit(factor * automaton.state_count() + offset);
    let Outcome::Minimal(minimal) = minimizer.minimize_obligation(automaton) else { return None };
    if minimal.state_count() > automaton.state_count() {
        return None;
    }
    (language.obligation || is_same(automaton, &minimal, language)).then(|| unmarked(minimal))
}

/// Removes the marks of a weak automaton if all its cycles are accepting: then its language is
/// safety.
fn unmarked(weak: Automaton) -> Automaton {
    let sccs = Sccs::of(&weak);
    let accepting = sccs.accepting(&weak);
    let rejects = |(source, edge): (StateId, &Edge)| {
        sccs.is_inside(source, edge.target)
            && !sccs.component(source).is_some_and(|scc| accepting[scc.index()])
    };
    if weak.transitions().any(rejects) {
        return weak;
    }
    let mut builder = weak.edit();
    builder.acceptance(Named::All.acceptance());
    builder.retain_edges(|_, edge| {
        edge.marks = Marks::EMPTY;
        true
    });
    builder.build()
}

/// True if the deterministic automaton has the language.
fn is_same(automaton: &Automaton, deterministic: &Automaton, language: &mut Language<'_>) -> bool {
    complement::deterministic(deterministic).is_ok_and(|rest| are_disjoint(automaton, &rest))
        && language.complement().is_some_and(|other| are_disjoint(deterministic, other))
}

fn are_disjoint(left: &Automaton, right: &Automaton) -> bool {
    let product = Product::intersection(left, right);
    !emptiness::has_accepting_lasso(&product, product.acceptance().condition())
}

/// Returns a Büchi automaton with marks on states and few states: the smallest of several. Some
/// have marks on states from the beginning, and others are converted at the end.
pub fn state_based(automaton: &Automaton, language: &mut Language<'_>) -> Automaton {
    let mut best = best_on_states(automaton, language);
    // Marks on states rarely need fewer states than marks on edges.
    if best.state_count() <= automaton.state_count() {
        return best;
    }
    let mut consider = |other: Automaton| {
        if size(&other) < size(&best) {
            best = other;
        }
    };
    let on_edges = match automaton.acceptance().marks() {
        0 | 1 => Cow::Borrowed(automaton),
        _ => {
            let on_edges = on_edges(automaton, language);
            consider(best_on_states(&on_edges, language));
            Cow::Owned(on_edges)
        }
    };
    if is_small(&on_edges) {
        let guessed = single_initial(&state_based_by_guesses(&on_edges));
        consider(merged_on_states(guessed, language));
    }
    best
}

/// Returns the smaller one of two Büchi automata with marks on states. The second has an accepting
/// copy of each target of marked edges. Such copies may be equivalent to other states, and can then
/// be merged.
fn best_on_states(automaton: &Automaton, language: &mut Language<'_>) -> Automaton {
    let first = on_states(&Degeneralizer::default(), automaton);
    if first.state_count() <= automaton.state_count() {
        return merged_on_states(first, language);
    }
    // More copies are equivalent if runs enter components at the accepting level, and edges climb
    // no higher than the target needs.
    let copies = Degeneralizer::default()
        .jump(Jump::ToWaiting)
        .initial(InitialLevel::Last)
        .entry(EntryLevel::Last)
        .placement(Placement::Copies);
    let second = on_states(&copies, automaton);
    let first = merged_on_states(first, language);
    let second = merged_as_is(second, language);
    if size(&second) < size(&first) { merged_on_states(second, language) } else { first }
}

/// Returns a Büchi automaton with marks on edges and few states.
fn on_edges(automaton: &Automaton, language: &mut Language<'_>) -> Automaton {
    let on_edges = Degeneralizer::default().transition_based(&GeneralizedBuchi::from(automaton));
    merged(by_relations(&on_edges), language)
}

fn on_states(degeneralizer: &Degeneralizer, automaton: &Automaton) -> Automaton {
    degeneralizer.state_based(&GeneralizedBuchi::from(automaton))
}

/// Returns a smaller Büchi automaton with marks on states.
fn merged_on_states(automaton: Automaton, language: &mut Language<'_>) -> Automaton {
    let mut best = automaton;
    loop {
        let reduced = by_relations(&best);
        let next = merged_as_is(on_states(&Degeneralizer::default(), &reduced), language);
        if size(&next) >= size(&best) {
            return best;
        }
        best = next;
    }
}

/// Merges states of a Büchi automaton with marks on states, until none can be merged.
fn merged_as_is(automaton: Automaton, language: &mut Language<'_>) -> Automaton {
    let mut best = automaton;
    while (2..=MAX_MERGED).contains(&best.state_count())
        && let Some(complement) = language.complement()
        && let Some(merged) = merging::merge(&best, complement, Acceptance::OnStates)
    {
        best = parallel::merge(&merged);
    }
    best
}
