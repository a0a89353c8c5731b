//! The default translation: a tableau whose states are formulas, and whose edges are read off
//! their one-step decompositions (J.-M. Couvreur, FM 1999; A. Duret-Lutz, LTL translation
//! improvements in Spot 1.0, IJCCBS 2014).
//!
//! A formula is decomposed into a Boolean function of the letter, of what has to
//! hold from the next position on, and of promises. For each letter, the prime implicants of what
//! is left of the function are the edges: to the conjunction of what has to hold, with a mark for
//! each promise that is *not* made. A run keeps its promises if it sees every mark infinitely
//! often: who promises something and does not stop promising never does it.
//!
//! A state is the diagram of its decomposition, so that formulas with the same successors are one
//! state: `GFa` and `GFa & Fa`, say. The number of states is at most exponential in the number of
//! temporal subformulas, as is the number of prime implicants per state.

mod closure;
mod decomposition;
mod successors;
#[cfg(test)]
mod tests;

use closure::Closure;
use decomposition::Decomposition;
use sempre_automata::Automaton;
use sempre_ltl::{Formula, Op};

/// How formulas are translated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Every word has at most one accepting run.
    pub unambiguous: bool,
    /// States are named by their formulas.
    pub names: bool,
    /// Edges with the same letters and marks are joined: they lead to the disjunction of their
    /// targets. Makes automata more deterministic, and sometimes exponentially larger.
    pub postpone: bool,
    /// The translation is given up if the letters of all states, in classes that the decompositions
    /// distinguish, are more than this. None for no limit.
    pub letters: Option<usize>,
}

/// The automaton of a formula: generalised Büchi acceptance on transitions, one initial state, and
/// every state can be reached.
///
/// The formula may have any operators; the more it has been simplified, the smaller the automaton
/// gets.
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

/// The automaton of a formula, made as the options say.
pub fn translate_with(formula: &Formula, options: Options) -> Automaton {
    translate_up_to(formula, options, usize::MAX)
        .unwrap_or_else(|| unreachable!("the number of states is not limited"))
}

/// The automaton of a formula, unless it has more states than that, or very many edges.
pub fn translate_up_to(formula: &Formula, options: Options, most: usize) -> Option<Automaton> {
    let closure = Closure::new(formula).unwrap_or_else(|| {
        let strict = [Op::StrictFinally, Op::StrictGlobally];
        let plain = sempre_ltl::rewrite::unabbreviate(formula, &strict)
            .unwrap_or_else(|_| unreachable!("strict operators can always be replaced"));
        Closure::new(&plain).unwrap_or_else(|| unreachable!("no strict operators are left"))
    });
    let decomposition = Decomposition::new(closure, options.unambiguous);
    successors::explore(decomposition, options, most)
}
