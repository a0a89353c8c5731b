//! The choice among routes: all applicable routes run within limits on steps, and their best
//! results are reduced further. The smallest by states, marks, edges and order of routes wins, so
//! the choice is deterministic.

use super::acceptance::TargetAcceptance;
use super::routes::{self, Route};
use super::{Workshop, nothing, size, unions};
use crate::tableau;
use sempre_automata::convert::{ParityForm, to_parity};
use sempre_automata::reduce::deterministic::solved;
use sempre_automata::reduce::{self, Level};
use sempre_automata::{Alphabet, Automaton, complete, determinize, state_based};
use sempre_ltl::Formula;
use std::sync::Arc;

/// The result of a route.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The automaton.
    pub automaton: Automaton,
    /// The route that found it.
    pub route: Route,
    /// True if it is the dual of the automaton of the negation.
    pub dual: bool,
}

/// The requirements on a deterministic automaton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The acceptance condition.
    pub wanted: TargetAcceptance,
    /// True if all states read all letters.
    pub complete: bool,
    /// True if acceptance is on states.
    pub state_based: bool,
    /// True if each edge of a parity automaton has a mark.
    pub colored: bool,
}

/// Results with more states than this multiple of the smallest, plus this constant, are not reduced
/// further.
const PROMISING: (usize, usize) = (2, 4);

/// The maximal number of results for quadratic reductions, and for all reductions.
const MAX_COMPARED: usize = 5;
const MAX_IMPROVED: usize = 2;

/// The largest results for which other conditions than the wanted one are tried.
const MAX_TRIED: usize = 64;

/// While routes run, automata with more states than this multiple of the smallest one, plus this
/// constant, are abandoned.
const GIVEN_UP: (usize, usize) = (16, 256);

/// Safra trees run beside other routes only if these found more states.
const LARGE: usize = 6;

/// Returns the results of the routes, the smallest first; only one if none can be smaller.
pub fn candidates(formula: &Formula) -> Vec<Candidate> {
    let mut workshop = routes::workshop_of(formula, routes::BOUNDS);
    let simple = routes::simplified(&mut workshop, formula);
    let mut found = rough(&mut workshop, &simple);
    found.sort_by_key(|candidate| size(&candidate.automaton));
    improve(&workshop, &mut found, Level::Medium, MAX_COMPARED);
    improve(&workshop, &mut found, Level::High, MAX_IMPROVED);
    found
}

/// Returns the results of all routes.
fn rough(workshop: &mut Workshop, simple: &Formula) -> Vec<Candidate> {
    if let Some(automaton) = Route::Weak.build(workshop, simple, false) {
        return vec![Candidate { automaton, route: Route::Weak, dual: false }];
    }
    let mut found: Vec<Candidate> = vec![];
    let bounds = workshop.bounds;
    for route in Route::ALL {
        for dual in [false, true] {
            let fewest = found.iter().map(|known| known.automaton.state_count()).min();
            // No automaton is smaller than one state, but it may have fewer marks.
            if let Some(fewest) = fewest {
                let (factor, offset) = GIVEN_UP;
                workshop.bounds.states = bounds.states.min(factor * fewest + offset);
                // One state is the least; the first routes give it the fewest marks.
                if fewest == 1 && route >= Route::Normalization
                    || route == Route::Safra && fewest <= LARGE
                {
                    continue;
                }
            }
            if let Some(automaton) = route.build(workshop, simple, dual)
                && !found.iter().any(|known| known.automaton == automaton)
            {
                found.push(Candidate { automaton, route, dual });
            }
        }
    }
    workshop.bounds = bounds;
    found
}

/// The most states with which a result is worth more effort, given the smallest one.
fn promising(smallest: &Automaton) -> usize {
    let (factor, offset) = PROMISING;
    factor * smallest.state_count() + offset
}

/// Reduces the smallest candidates further.
fn improve(workshop: &Workshop, found: &mut [Candidate], level: Level, most: usize) {
    let Some(first) = found.first() else { return };
    let promising = promising(&first.automaton);
    for candidate in found.iter_mut().take(most) {
        if (2..=promising).contains(&candidate.automaton.state_count()) {
            candidate.automaton = workshop.reduced(&candidate.automaton, level);
        }
    }
    found.sort_by_key(|candidate| size(&candidate.automaton));
}

/// Returns a small deterministic automaton of a formula. The last resort is unlimited, so there
/// always is one, given enough time and memory. `None` only if a generalized Büchi condition is
/// requested and not found.
pub fn translate(formula: &Formula, request: &Request) -> Option<Automaton> {
    chosen(&candidates(formula), formula, request)
}

/// The smallest of the candidates of a formula that fulfils a request.
pub(super) fn chosen(
    found: &[Candidate],
    formula: &Formula,
    request: &Request,
) -> Option<Automaton> {
    let wanted = request.wanted;
    let mut rough: Vec<(TargetAcceptance, Automaton)> = vec![];
    for &(condition, most) in tried(wanted) {
        let converted = found.iter().take(most).map(|candidate| &candidate.automaton);
        // Other conditions are for fewer states.
        let worth = |automaton: &&Automaton| {
            condition == wanted || (2..=MAX_TRIED).contains(&automaton.state_count())
        };
        let converted = converted.filter(worth).filter_map(|automaton| condition.once(automaton));
        rough.extend(converted.map(|automaton| (condition, automaton)));
    }
    rough.sort_by_key(|(_, automaton)| size(automaton));
    // Conversions copy states: results that are far larger than others are not worth more effort.
    let promising = rough.first().map_or(0, |(_, automaton)| promising(automaton));
    let mut improved: Vec<Automaton> = rough
        .into_iter()
        .filter(|(_, automaton)| automaton.state_count() <= promising)
        .map(|(condition, automaton)| condition.improved(automaton))
        .collect();
    let smallest = improved.iter().min_by_key(|automaton| size(automaton));
    improved.extend(smallest.and_then(|smallest| match wanted {
        TargetAcceptance::Any => solved::with_any_condition(smallest),
        _ => solved::with_same_condition(smallest),
    }));
    let best = improved.into_iter().map(|automaton| finished(automaton, request)).min_by_key(size);
    if best.is_some() || request.wanted == TargetAcceptance::GeneralizedBuchi {
        return best;
    }
    let parity = last_resort(formula);
    let automaton = request.wanted.converted(&parity).unwrap_or(parity);
    Some(finished(automaton, request))
}

/// Returns the conditions to try for a wanted one, and for how many candidates. Marks of Rabin pairs
/// may distinguish edges that states would have to: `FG(a <-> Xa)` has one state as `FGa | FG!a`.
fn tried(wanted: TargetAcceptance) -> &'static [(TargetAcceptance, usize)] {
    use TargetAcceptance::{Any, GeneralizedBuchi, GeneralizedRabin, Parity, Rabin};
    match wanted {
        Any => &[(Any, 1), (Rabin, 2)],
        GeneralizedRabin => &[(GeneralizedRabin, MAX_COMPARED), (Rabin, MAX_COMPARED)],
        Rabin => &[(Rabin, MAX_COMPARED)],
        Parity => &[(Parity, MAX_COMPARED)],
        GeneralizedBuchi => &[(GeneralizedBuchi, MAX_COMPARED)],
    }
}

/// Adapts the automaton to the other requirements.
pub(super) fn finished(automaton: Automaton, request: &Request) -> Automaton {
    let mut automaton = routes::started(automaton);
    if request.wanted == TargetAcceptance::Any {
        while let Some(fewer) = unions::without(&automaton) {
            automaton = fewer;
        }
    }
    if request.complete {
        let completed = complete(&automaton);
        // Completion may add a condition to an automaton without one.
        automaton = request.wanted.converted_as_is(completed);
    }
    if request.state_based {
        automaton = state_based(&automaton);
    }
    if request.wanted == TargetAcceptance::Parity && request.colored {
        let colored = to_parity(&automaton, ParityForm::any().colored(true));
        automaton = colored.unwrap_or(automaton);
    }
    automaton
}

/// Returns a deterministic parity automaton by Safra trees, without limits.
fn last_resort(formula: &Formula) -> Automaton {
    let automaton = tableau::translate(&crate::normal_form::normal_form(formula));
    let automaton = reduce::reduce(&automaton, Level::Low);
    if automaton.initial().is_empty() {
        let alphabet: Arc<Alphabet> = automaton.alphabet().clone();
        return nothing(&alphabet);
    }
    determinize::parity(&automaton)
}
