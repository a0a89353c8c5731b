//! Decomposition of an automaton by the strength of its components: three automata, each as weak as
//! possible, whose union has the same language.
//!
//! `T`, `W` and `S` are the edges inside terminal, weak and strong components. The terminal part
//! has the states that reach `T`, and accepts the runs that visit `T` infinitely often. The weak
//! and the strong part are built in the same way. Each part drops the states, marks and
//! propositions that it does not need. So it can be reduced further, and checked by a cheaper
//! algorithm; [`reduced_part`] does the former. Source: Renault, Duret-Lutz, Kordon and Poitrenaud, Strength-based decomposition of
//! the property Büchi automaton for faster model checking (TACAS 2013). Linear, besides computing
//! the strengths.
//!
//! ```
//! use sempre_automata::decompose::{Part, part};
//! use sempre_automata::{hoa, sum};
//!
//! // G a | F b: weak or terminal.
//! let text = r#"HOA: v1 States: 4 Start: 0 AP: 2 "a" "b" Acceptance: 1 Inf(0) --BODY--
//!     State: 0 [0] 1 [!1] 2 [1] 3 State: 1 [0] 1 {0}
//!     State: 2 [!1] 2 [1] 3 State: 3 [t] 3 {0} --END--"#;
//! let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
//! let (terminal, weak) = (part(&automaton, Part::Terminal), part(&automaton, Part::Weak));
//! assert_eq!((terminal.state_count(), terminal.alphabet().props().len()), (3, 1));
//! assert_eq!((weak.state_count(), weak.alphabet().props().len()), (2, 1));
//! assert_eq!(part(&automaton, Part::Strong).state_count(), 0);
//! # Ok::<(), sempre_automata::Error>(())
//! ```

#[cfg(test)]
mod tests;

use crate::acceptance::Named;
use crate::automaton::Automaton;
use crate::marks::Marks;
use crate::strength::{Strength, Strengths};
use crate::{prune, reduce, unread_propositions, wdba};
use sempre_ltl::interrupt;

/// A part of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Runs that stay in terminal components.
    Terminal,
    /// Runs that stay in weak components that are not terminal.
    Weak,
    /// Runs that stay in strong components.
    Strong,
}

impl Part {
    /// All parts, the weakest first.
    pub const ALL: [Part; 3] = [Part::Terminal, Part::Weak, Part::Strong];

    /// Returns the name in options and output.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Terminal => "terminal",
            Part::Weak => "weak",
            Part::Strong => "strong",
        }
    }

    fn strength(self) -> Strength {
        match self {
            Part::Terminal => Strength::Terminal,
            Part::Weak => Strength::Weak,
            Part::Strong => Strength::Strong,
        }
    }
}

/// Computes a part of the automaton, by the exact strengths of its components; see [`part_by`].
pub fn part(automaton: &Automaton, part: Part) -> Automaton {
    part_by(automaton, &Strengths::of(automaton), part)
}

/// Computes a part of the automaton for given strengths. It has no states if no component has this
/// strength.
///
/// The terminal and the weak part are terminal and weak automata with Büchi acceptance, for any
/// input. The strong part keeps the acceptance condition. Outside of strong components its edges
/// have a rejected set of marks: the empty set, for generalized Büchi acceptance. State-based
/// acceptance is preserved. The terminal part has no edges out of terminal components, because runs
/// need not leave them.
///
/// If strengths are overestimated, the union of the parts still has the same language.
pub fn part_by(automaton: &Automaton, strengths: &Strengths, part: Part) -> Automaton {
    let wanted = |scc| strengths.of_component(scc) == part.strength();
    let sccs = strengths.sccs();
    let keep_state_based = automaton.is_state_based();
    // With exact strengths, a condition that accepts every run has no strong components.
    let rejected = match part {
        Part::Strong => automaton.acceptance().rejected_marks(),
        Part::Terminal | Part::Weak => None,
    };
    let mut builder = automaton.edit();
    if rejected.is_none() {
        builder.acceptance(Named::Buchi.acceptance());
    }
    builder.retain_edges(|source, edge| {
        let Some(scc) = sccs.component(source) else { return false };
        let inside = sccs.is_inside(source, edge.target);
        if part == Part::Terminal && wanted(scc) && !inside {
            return false;
        }
        match (wanted(scc) && (inside || keep_state_based), &rejected) {
            (true, Some(_)) => {}
            (true, None) => edge.marks = Marks::from_iter([0]),
            (false, Some(rejected)) => edge.marks = rejected.clone(),
            (false, None) => edge.marks = Marks::EMPTY,
        }
        true
    });
    unread_propositions::drop(&prune::trim(&builder.build()))
}

/// The most sets of the powerset from which a part is minimized.
const MAX_SETS: usize = 512;

/// The work of one minimization, in units of [`interrupt::within`].
const BUDGET: u64 = 1 << 9;

/// Computes a part for given strengths, and reduces it once more: with fewer marks, more states are
/// equivalent. A terminal or weak part becomes the minimal deterministic weak automaton if that
/// exists and is smaller. Neither its size nor the time spent on it depends on the clock.
pub fn reduced_part(automaton: &Automaton, strengths: &Strengths, wanted: Part) -> Automaton {
    let reduced = reduce::reduce(&part_by(automaton, strengths, wanted), reduce::Level::Medium);
    if wanted == Part::Strong || reduced.state_count() == 0 {
        return reduced;
    }
    let minimizer = wdba::Minimizer::new().powerset_limit(MAX_SETS);
    let minimal = interrupt::within(BUDGET, || {
        // The language of a terminal automaton is a guarantee, so no comparison is needed.
        match Strengths::of(&reduced).strongest() <= Some(Strength::Terminal) {
            true => minimizer.minimize_obligation(&reduced),
            false => minimizer.minimize(&reduced),
        }
    });
    let size = |automaton: &Automaton| (automaton.state_count(), automaton.edge_count());
    match minimal.ok().and_then(wdba::Outcome::minimal) {
        Some(minimal) if size(&minimal) < size(&reduced) => {
            unread_propositions::drop(&prune::trim(&minimal))
        }
        _ => reduced,
    }
}
