//! Complementation by a selected method, within a limit.
//!
//! Each method returns a Büchi automaton with marks on edges. [`Method::Auto`] tries those that fit
//! the input and returns the smallest reduced result. The cost is that of the methods.

use super::{
    Breakpoint, Construction, Division, Guess, Macrostates, Ncsb, POWERSET_LIMIT, Slices, dual,
    tidy, to_buchi,
};
use crate::reduce::{Level, reduce};
use crate::semi_determinize::SemiDeterminizer;
use crate::{Automaton, Error, determinize, mark_cleanup, prune};

/// A complementation method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// The smallest result of all methods that fit the automaton.
    Auto,
    /// NCSB, after semi-determinization if necessary.
    Ncsb(Guess),
    /// Slices and ranks.
    Slices,
    /// The dual of a deterministic automaton.
    Determinize,
}

/// The limit of macrostates for each attempt of [`Method::Auto`].
const ATTEMPT: usize = 1 << 14;

/// Computes a Büchi automaton for the complement by a method, and reduces it. `division` selects
/// the deterministic part for NCSB.
///
/// ```
/// use sempre_automata::complement::{self, Division, Guess, Method};
/// use sempre_automata::{hoa, product};
/// let text = r#"HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
///     State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--"#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let method = Method::Ncsb(Guess::Lazy);
/// let complement = complement::by(&automaton, method, Division::Smallest, 1000)?;
/// assert!(product::common_word(&automaton, &complement).is_none());
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
        return smallest(automaton, division, macrostates);
    }
    Ok(tidy(&attempt(&reduce(automaton, Level::Medium), method, division, macrostates)?))
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
    if *automaton.acceptance() != crate::Named::Buchi.acceptance() {
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

fn attempt(
    automaton: &Automaton,
    method: Method,
    division: Division,
    macrostates: usize,
) -> Result<Automaton, Error> {
    match method {
        Method::Ncsb(guess) => {
            let buchi = to_buchi(automaton);
            let buchi = prune::trim(&buchi);
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
        Method::Slices => {
            let buchi = to_buchi(automaton);
            build(Slices::guided(&buchi, POWERSET_LIMIT.min(macrostates)), macrostates)
        }
        Method::Determinize => {
            let deterministic = match automaton.is_deterministic() {
                true => Some(automaton.clone()),
                false => determinize::parity_up_to(automaton, macrostates),
            };
            let deterministic = deterministic.ok_or_else(|| too_many(macrostates))?;
            Ok(to_buchi(&dual(&deterministic)).into_owned())
        }
        Method::Auto => smallest(automaton, division, macrostates),
    }
}

/// Returns the smallest result of the methods that fit, within a limit; otherwise the first result.
fn smallest(
    automaton: &Automaton,
    division: Division,
    macrostates: usize,
) -> Result<Automaton, Error> {
    let automaton = &reduce(automaton, Level::Medium);
    let mut results: Vec<Automaton> = vec![];
    if automaton.is_inherently_weak() {
        let construction = Breakpoint::new(automaton);
        results.extend(build(construction, ATTEMPT.min(macrostates)).ok());
    }
    let mut methods = vec![];
    if automaton.is_semi_deterministic() {
        methods.extend([Guess::Lazy, Guess::Original, Guess::Delayed].map(Method::Ncsb));
    }
    methods.extend([Method::Slices, Method::Determinize]);
    for method in &methods {
        let limit = results.iter().map(Automaton::state_count).min();
        let limit = limit.map_or(ATTEMPT, |best| (4 * best).clamp(64, ATTEMPT)).min(macrostates);
        results.extend(attempt(automaton, *method, division, limit).ok());
    }
    let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
    if let Some(best) = results.iter().map(tidy).min_by_key(size) {
        return Ok(best);
    }
    let delayed = Method::Ncsb(Guess::Delayed);
    let last = if methods.contains(&delayed) { delayed } else { Method::Slices };
    attempt(automaton, last, division, macrostates).map(|result| tidy(&result))
}

fn build<C: Construction>(construction: C, macrostates: usize) -> Result<Automaton, Error> {
    let complement = Macrostates::new(construction).limit(macrostates).finished();
    complement.ok_or_else(|| too_many(macrostates))
}

fn too_many(macrostates: usize) -> Error {
    Error::new(format!("it takes more than {macrostates} macrostates"))
}
