//! The default translation: a tableau whose states are formulas, with edges from their one-step
//! decompositions (J.-M. Couvreur, FM 1999; A. Duret-Lutz, LTL translation improvements in Spot
//! 1.0, IJCCBS 2014).
//!
//! A formula is decomposed into a Boolean function of the letter, of the obligations from the next
//! position on, and of promises. For each letter, the prime implicants of the remaining function
//! are the edges. An edge leads to the conjunction of its obligations, with a mark for each promise
//! that is *not* made. A run keeps its promises if it sees every mark infinitely often: a promise
//! that is always repeated is never kept.
//!
//! A state is the diagram of its decomposition, so formulas with the same successors, such as `GFa`
//! and `GFa & Fa`, are one state. The numbers of states and of prime implicants per state are at
//! most exponential in the number of temporal subformulas.

mod closure;
mod decomposition;
mod successors;
#[cfg(test)]
mod tests;

use closure::Closure;
use decomposition::Decomposition;
use sempre_automata::Automaton;
use sempre_ltl::{Formula, Op};

/// Options of the translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Every word has at most one accepting run.
    pub unambiguous: bool,
    /// States are named by their formulas.
    pub names: bool,
    /// Edges with the same letters and marks are joined, with the disjunction of their targets.
    /// Makes automata more deterministic, and sometimes exponentially larger.
    pub postpone: bool,
    /// The translation is given up if the letters of all states, in classes that the decompositions
    /// distinguish, are more than this. None for no limit.
    pub letters: Option<usize>,
    /// The translation is given up if its decision diagrams have more nodes than this. None for no
    /// limit.
    pub nodes: Option<usize>,
}

/// Translates a formula: generalized Büchi acceptance on transitions, one initial state, and only
/// reachable states.
///
/// The formula may have any operators; simplified formulas have smaller automata.
///
/// ```
/// use sempre_translate::tableau;
/// let automaton = tableau::translate(&"GFa & GFb".parse()?);
/// assert_eq!((automaton.state_count(), automaton.edge_count()), (1, 4));
/// assert_eq!(automaton.acceptance().marks(), 2);
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
pub fn translate(formula: &Formula) -> Automaton {
    translate_with(formula, Options::default())
}

/// Translates a formula with these options.
pub fn translate_with(formula: &Formula, options: Options) -> Automaton {
    translate_up_to(formula, options, usize::MAX)
        .unwrap_or_else(|| unreachable!("the number of states is not limited"))
}

/// Translates a formula; `None` if the automaton has more than `most` states, or very many edges.
pub fn translate_up_to(formula: &Formula, options: Options, most: usize) -> Option<Automaton> {
    let closure = Closure::new(formula).unwrap_or_else(|| {
        let strict = [Op::StrictFinally, Op::StrictGlobally];
        let plain = sempre_ltl::rewrite::unabbreviate(formula, &strict)
            .unwrap_or_else(|_| unreachable!("strict operators can always be replaced"));
        Closure::new(&plain).unwrap_or_else(|| unreachable!("no strict operators are left"))
    });
    let decomposition = Decomposition::new(closure, options.unambiguous, options.nodes)?;
    successors::explore(decomposition, options, most)
}
