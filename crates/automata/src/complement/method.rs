//! Complementation by a selected method, within a limit.
//!
//! Most methods give a Büchi automaton with marks on edges, [`Method::Modular`] a generalized one.
//! [`Method::Auto`] tries those that fit the input and keeps the smallest result, reduction
//! included. The cost is that of the methods.

use super::modular::{Dropping, Modular, Reached, Shape};
use super::ramsey::Ramsey;
use super::rank::{Rank, Ranking};
use super::{
    Breakpoint, Construction, Division, Guess, Macrostates, Ncsb, POWERSET_LIMIT, Slices, dual,
    to_buchi,
};
use crate::reduce::{Level, deterministic, reduce};
use crate::semi_determinize::SemiDeterminizer;
use crate::wdba::Minimizer;
use crate::{Automaton, Error, Named, convert, determinize, mark_cleanup, prune, to_ba};

/// A complementation method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The smallest result of all methods that fit the automaton.
    Auto,
    /// NCSB, after semi-determinization if necessary.
    Ncsb(Guess),
    /// By ranks.
    Rank(Ranking),
    /// By transition profiles.
    Ramsey,
    /// By slices and ranks.
    Slices,
    /// The dual of a deterministic automaton.
    Determinize,
    /// Component by component, without degeneralization.
    Modular,
}

/// The limit of macrostates for each attempt of [`Method::Auto`].
const ATTEMPT: usize = 1 << 14;

/// Further attempts are given up beyond that many times the states of the smallest result, and that
/// many more.
const FURTHER: (usize, usize) = (4, 256);

/// Results with that many times the states of the smallest, and that many more, are reduced further.
const PROMISING: (usize, usize) = (2, 20);

/// How many states a result may have that is to be reduced by simulation, which is quadratic: one
/// result of several, and the only one.
const SIMULATED: usize = 1 << 9;
const SIMULATED_ALONE: usize = 1 << 11;

/// Inputs and results of at most that many states are reduced by comparison of languages, and of the
/// results the smallest few.
const SMALL: usize = 32;
const MAX_COMPARED: usize = 3;

/// The limit of steps of a determinization for each macrostate.
const STEPS_PER_MACROSTATE: usize = 64;

/// How many profiles the method that follows them may have.
const MAX_PROFILES: usize = 10_000;

/// Returns an automaton with a (generalized) Büchi condition for the words that this one does not
/// accept, made by a method and reduced. NCSB takes the deterministic part of the input that
/// `division` says.
///
/// ```
/// use sempre_automata::complement::{self, Division, Guess, Method};
/// use sempre_automata::{hoa, product};
/// let text = r#"HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
///     State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--"#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// for method in [Method::Ncsb(Guess::Lazy), Method::Modular, Method::Auto] {
///     let complement = complement::by(&automaton, method, Division::Smallest, 1000)?;
///     assert!(product::common_word(&automaton, &complement).is_none());
/// }
/// # Ok::<(), sempre_automata::Error>(())
/// ```
///
/// # Errors
/// If the method, or for [`Method::Auto`] every method, needs more than `macrostates` macrostates.
pub fn by(
    automaton: &Automaton,
    method: Method,
    division: Division,
    macrostates: usize,
) -> Result<Automaton, Error> {
    if method == Method::Auto {
        let mut results = results(&small(automaton), division, macrostates)?;
        results.sort_by_key(Automaton::state_count);
        let mut best: Option<((usize, usize, u32, usize), Automaton)> = None;
        for result in results {
            let own = result.state_count();
            // Marks on states take at least as many states, as a rule.
            if best.as_ref().is_some_and(|(best, _)| own > best.0) {
                break;
            }
            let states =
                if own <= SIMULATED { to_ba::to_ba(&result).state_count() } else { 2 * own };
            let size = (states, own, result.acceptance().marks(), result.edge_count());
            if best.as_ref().is_none_or(|(best, _)| size < *best) {
                best = Some((size, result));
            }
        }
        return best.map(|(_, result)| result).ok_or_else(|| too_many(macrostates));
    }
    let reduced = reduce(automaton, Level::Medium);
    let result = tidy(&attempt(&reduced, method, division, macrostates)?, SIMULATED_ALONE);
    Ok(match method {
        Method::Modular => result,
        _ => to_buchi(&result).into_owned(),
    })
}

/// Returns an automaton for the words that this one does not accept, with any acceptance condition:
/// the smallest of all methods.
///
/// # Errors
/// If more macrostates are needed than that, by every method.
pub fn native(automaton: &Automaton, macrostates: usize) -> Result<Automaton, Error> {
    let reduced = small(automaton);
    let mut candidates = vec![];
    if let Some(deterministic) = determinized(&reduced, macrostates.min(ATTEMPT)) {
        let dual = deterministic::reduce(&dual(&deterministic), Level::Medium);
        if dual.state_count() <= SMALL {
            candidates.push(reduce(&dual, Level::High));
        }
        candidates.push(dual);
    }
    match results(&reduced, Division::Smallest, macrostates) {
        Ok(results) => candidates.extend(results),
        Err(error) if candidates.is_empty() => return Err(error),
        Err(_) => {}
    }
    let size = |result: &Automaton| {
        (result.state_count(), result.acceptance().marks(), result.edge_count())
    };
    candidates.into_iter().min_by_key(size).ok_or_else(|| too_many(macrostates))
}

/// Computes the complement by NCSB without reducing input or result.
///
/// # Errors
/// If the automaton is not Büchi or not semi-deterministic, or lacks acceptance on states that the
/// variant needs. Also if the result has more than `macrostates` macrostates.
pub fn ncsb(
    automaton: &Automaton,
    guess: Guess,
    division: Division,
    macrostates: usize,
) -> Result<Automaton, Error> {
    if *automaton.acceptance() != Named::Buchi.acceptance() {
        return Err(Error::new("NCSB needs a Büchi automaton"));
    }
    if guess == Guess::StateBased && !automaton.is_state_based() {
        return Err(Error::new("its marks are not on states"));
    }
    let clean = match guess {
        Guess::StateBased => automaton.clone(),
        _ => mark_cleanup::outside_components(automaton),
    };
    let construction = Ncsb::new(&clean, guess, division)
        .ok_or_else(|| Error::new("the automaton is not semi-deterministic"))?;
    build(construction, macrostates)
}

/// Returns the complement as a construction gives it: the result is not reduced.
///
/// # Errors
/// If the construction refuses the automaton or needs more macrostates than that.
pub fn raw(
    automaton: &Automaton,
    method: Method,
    division: Division,
    macrostates: usize,
) -> Result<Automaton, Error> {
    attempt(&prune::trim(automaton), method, division, macrostates)
}

fn attempt(
    automaton: &Automaton,
    method: Method,
    division: Division,
    macrostates: usize,
) -> Result<Automaton, Error> {
    let buchi = || mark_cleanup::outside_components(&prune::trim(&to_buchi(automaton)));
    match method {
        Method::Ncsb(guess) => {
            let buchi = buchi();
            let buchi = match buchi.is_semi_deterministic() {
                true => buchi,
                false => SemiDeterminizer::new().steps(macrostates).run(&buchi)?,
            };
            let buchi = to_buchi(&buchi);
            let buchi = match guess {
                Guess::StateBased => crate::state_based(&mark_cleanup::outside_components(&buchi)),
                _ => buchi.into_owned(),
            };
            ncsb(&buchi, guess, division, macrostates)
        }
        Method::Rank(ranking) => {
            let buchi = buchi();
            let rank =
                Rank::new(&buchi, ranking).ok_or_else(|| Error::new("ranks are too high"))?;
            build(rank, macrostates)
        }
        Method::Ramsey => {
            let buchi = buchi();
            let ramsey = Ramsey::new(&buchi, MAX_PROFILES).ok_or_else(|| {
                Error::new(format!("it has more than {MAX_PROFILES} transition profiles"))
            })?;
            build(ramsey, macrostates)
        }
        Method::Slices => {
            let buchi = to_buchi(automaton);
            build(Slices::guided(&buchi, POWERSET_LIMIT.min(macrostates)), macrostates)
        }
        Method::Determinize => {
            let deterministic = determinized(automaton, macrostates);
            let deterministic = deterministic.ok_or_else(|| too_many(macrostates))?;
            let dual = deterministic::reduce(&dual(&deterministic), Level::Medium);
            Ok(to_buchi(&dual).into_owned())
        }
        Method::Modular => modular(automaton, Shape::default(), macrostates),
        Method::Auto => by(automaton, method, division, macrostates),
    }
}

fn modular(automaton: &Automaton, shape: Shape, macrostates: usize) -> Result<Automaton, Error> {
    let clean = prune::trim(&mark_cleanup::outside_components(automaton));
    match Modular::new(&clean, shape) {
        Some(construction) if construction.reached() != shape.reached => {
            Err(Error::new("exactly the states reached count"))
        }
        Some(construction) => build(construction, macrostates),
        None => {
            let generalized = prune::trim(&convert::to_generalized_buchi(&clean));
            let refused = || Error::new("it has too many components");
            build(Modular::new(&generalized, shape).ok_or_else(refused)?, macrostates)
        }
    }
}

/// A deterministic automaton for the same language: the smallest of several methods, or by Safra's
/// trees alone if they meet their limits.
fn determinized(automaton: &Automaton, macrostates: usize) -> Option<Automaton> {
    let steps = macrostates.saturating_mul(STEPS_PER_MACROSTATE);
    determinize::by(automaton, determinize::Method::Best, steps)
        .or_else(|| determinize::parity_up_to(automaton, macrostates))
}

/// The input of all attempts: reduced, and by comparison of languages if it is small.
fn small(automaton: &Automaton) -> Automaton {
    let reduced = reduce(automaton, Level::Medium);
    match reduced.state_count() <= SMALL {
        true => reduce(&reduced, Level::High),
        false => reduced,
    }
}

/// One way to a complement that [`Method::Auto`] tries.
#[derive(Clone, Copy)]
enum Attempt {
    Minimal,
    Breakpoint,
    By(Method),
    Modular(Shape),
}

/// The attempts that fit a reduced automaton, the most promising first.
fn attempts(automaton: &Automaton) -> Vec<Attempt> {
    let mut attempts = vec![Attempt::Minimal];
    if automaton.is_inherently_weak() {
        attempts.push(Attempt::Breakpoint);
    }
    if automaton.is_semi_deterministic() {
        let guesses = [Guess::Lazy, Guess::Original, Guess::Delayed];
        attempts.extend(guesses.map(|guess| Attempt::By(Method::Ncsb(guess))));
    }
    for merged in [true, false] {
        let pruned = Reached::Pruned(Dropping::Sound);
        for reached in [Reached::Saturated, pruned, Reached::Exact] {
            attempts.push(Attempt::Modular(Shape { reached, merged }));
        }
    }
    attempts.extend([Attempt::By(Method::Slices), Attempt::By(Method::Determinize)]);
    attempts
}

/// The results of all attempts within their limits, reduced; if there is none, of the first one
/// that ends. The automaton must be reduced.
fn results(
    automaton: &Automaton,
    division: Division,
    macrostates: usize,
) -> Result<Vec<Automaton>, Error> {
    let attempts = attempts(automaton);
    let mut rough: Vec<Automaton> = vec![];
    for attempt in &attempts {
        let (factor, offset) = FURTHER;
        let fewest = rough.iter().map(Automaton::state_count).min();
        let limit = fewest.map_or(ATTEMPT, |fewest| (factor * fewest + offset).min(ATTEMPT));
        let limit = limit.min(macrostates);
        let Ok(result) = self::try_one(automaton, *attempt, division, limit) else { continue };
        let result = reduce(&prune::trim(&result), Level::Low);
        if !rough.contains(&result) {
            rough.push(result);
        }
        if rough.iter().any(|result| result.state_count() <= 1) {
            break;
        }
    }
    if rough.is_empty() {
        // The one that grows least goes on alone.
        let last = match automaton.is_semi_deterministic() {
            true => Method::Ncsb(Guess::Delayed),
            false => Method::Slices,
        };
        let result = attempt(automaton, last, division, macrostates)?;
        return Ok(vec![tidy(&result, SIMULATED_ALONE)]);
    }
    let fewest = rough.iter().map(Automaton::state_count).min().unwrap_or(0);
    let (factor, offset) = PROMISING;
    rough.retain(|result| result.state_count() <= factor * fewest + offset);
    rough.sort_by_key(Automaton::state_count);
    let alone = rough.len() == 1;
    let most = if alone { SIMULATED_ALONE } else { SIMULATED };
    let mut tidied: Vec<Automaton> = rough.iter().map(|result| tidy(result, most)).collect();
    tidied.sort_by_key(Automaton::state_count);
    for result in tidied.iter_mut().take(MAX_COMPARED) {
        if (2..=SMALL).contains(&result.state_count()) {
            let smaller = reduce(result, Level::High);
            *result = convert::to_generalized_buchi(&smaller).into_automaton();
        }
    }
    Ok(tidied)
}

fn try_one(
    automaton: &Automaton,
    attempt: Attempt,
    division: Division,
    limit: usize,
) -> Result<Automaton, Error> {
    match attempt {
        Attempt::Minimal => {
            let powersets = POWERSET_LIMIT.min(limit);
            let minimal = Minimizer::new().powerset_limit(powersets).minimize(automaton).minimal();
            minimal
                .map(|m| dual(&m))
                .map(|d| convert::to_generalized_buchi(&d).into_automaton())
                .ok_or_else(|| too_many(limit))
        }
        Attempt::Breakpoint => build(Breakpoint::new(automaton), limit),
        Attempt::By(method) => self::attempt(automaton, method, division, limit),
        Attempt::Modular(shape) => modular(automaton, shape, limit),
    }
}

fn build<C: Construction>(construction: C, macrostates: usize) -> Result<Automaton, Error> {
    let construction: Box<dyn Construction + '_> = Box::new(construction);
    let complement = Macrostates::new(construction).limit(macrostates).finished();
    complement.ok_or_else(|| too_many(macrostates))
}

/// Reduces a result: by simulation if it has at most that many states.
fn tidy(automaton: &Automaton, simulated: usize) -> Automaton {
    let mut reduced = reduce(&prune::trim(automaton), Level::Low);
    if reduced.state_count() <= simulated {
        reduced = reduce(&reduced, Level::Medium);
    }
    convert::to_generalized_buchi(&reduced).into_automaton()
}

fn too_many(macrostates: usize) -> Error {
    Error::new(format!("it takes more than {macrostates} macrostates"))
}
