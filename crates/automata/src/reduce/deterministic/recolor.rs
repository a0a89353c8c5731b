//! Fewer marks on the same edges, by a SAT solver.
//!
//! Only cycles matter: the new marks and the new condition, by its truth table, must give each cycle
//! its verdict. Whenever a solution and the automaton dispute a cycle, clauses give this cycle its
//! verdict, and the solver is asked again. Edges of a state with equal targets and marks need no
//! different ones. The cost is exponential at worst; conflicts and questions are limited.

use super::comparison::Comparison;
use super::sat::Limits;
use super::solver::{Conflicts, Marks};
use super::table::{NONE, Table};
use super::truth;
use crate::automaton::Automaton;
use crate::scc::Sccs;
use crate::{convert, parallel};
use batsat::{SolverInterface, lbool};
use sempre_ltl::interrupt;

/// The maximal number of edges inside components.
const MAX_EDGES: usize = 512;

/// Returns the automaton with fewer marks, if there are such within the limits; `None` otherwise.
/// States and edges do not change, but for marks.
///
/// ```
/// use sempre_automata::reduce::deterministic::{recolor, sat::Limits};
/// use sempre_automata::{hoa, language};
/// // Infinitely often a, and if so, infinitely often b.
/// let text = r#"HOA: v1 States: 1 Start: 0 AP: 2 "a" "b"
///     Acceptance: 3 Inf(0) & (Fin(1) | Inf(2)) --BODY-- State: 0
///     [0&1] 0 {0 1 2} [0&!1] 0 {0 1} [!0&1] 0 {2} [!0&!1] 0 --END--"#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let found = recolor::fewer_marks(&automaton, Limits::default()).expect("two marks suffice");
/// assert_eq!(found.acceptance().marks(), 2);
/// assert!(language::equivalent(&automaton, &found));
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn fewer_marks(automaton: &Automaton, limits: Limits) -> Option<Automaton> {
    let mut best: Option<Automaton> = None;
    let merged = parallel::merge(automaton);
    let marks = merged.acceptance().marks();
    // Truth tables are small.
    for count in (0..marks.min(truth::MAX_MARKS + 1)).rev() {
        match with_marks(&merged, count, limits) {
            Some(found) => best = Some(found),
            None => break,
        }
    }
    best
}

fn with_marks(automaton: &Automaton, count: u32, limits: Limits) -> Option<Automaton> {
    let (table, places) = cycles_of(automaton)?;
    let mut solver = Conflicts::solver(limits.conflicts);
    let marks = Marks::free(&mut solver, table.next.len(), count);
    for _ in 0..limits.questions {
        interrupt::poll();
        if solver.solve_limited(&[]) != lbool::TRUE {
            return None;
        }
        let mut candidate = table.clone();
        candidate.acceptance = marks.acceptance(&solver);
        for (cell, bits) in candidate.marks.iter_mut().enumerate() {
            *bits = if table.next[cell] == NONE { 0 } else { marks.of(&solver, cell) };
        }
        let comparison = Comparison::new(&candidate, &table)?;
        let cycles = comparison.disputed_cycles(|left, right| left == right);
        if cycles.is_empty() {
            return Some(recolored(automaton, &candidate, &places));
        }
        for cycle in &cycles {
            let cells = cycle.edges.iter().map(|edge| (edge.source, edge.letter));
            let cells = cells.map(|(source, letter)| table.row(source).start + letter as usize);
            let cells: Vec<usize> = cells.collect();
            marks.add_cycle(&mut solver, &[], &cells, cycle.is_accepted);
        }
    }
    None
}

/// Returns a table of the edges inside components, whose letters number the edges of a state, and
/// the cell of each edge, or [`usize::MAX`].
fn cycles_of(automaton: &Automaton) -> Option<(Table, Vec<usize>)> {
    let sccs = Sccs::of(automaton);
    let inside = |source, target| sccs.is_inside(source, target);
    let degree = |state| {
        let edges = automaton.edges_from(state).iter();
        edges.filter(|edge| inside(state, edge.target)).count()
    };
    let letters = automaton.states().map(degree).max()?.max(1);
    let states = automaton.state_count();
    if automaton.states().map(degree).sum::<usize>() > MAX_EDGES {
        return None;
    }
    let mut table = Table {
        states,
        letters,
        initial: 0,
        next: vec![NONE; states * letters],
        marks: vec![0; states * letters],
        acceptance: automaton.acceptance().clone(),
    };
    let mut places = vec![];
    for state in automaton.states() {
        let mut cell = state.index() * letters;
        for edge in automaton.edges_from(state) {
            if !inside(state, edge.target) {
                places.push(usize::MAX);
                continue;
            }
            table.next[cell] = edge.target.index() as u32;
            table.marks[cell] = edge.marks.as_bits()?;
            places.push(cell);
            cell += 1;
        }
    }
    Some((table, places))
}

fn recolored(automaton: &Automaton, candidate: &Table, places: &[usize]) -> Automaton {
    let mut builder = automaton.edit();
    builder.acceptance(candidate.acceptance.clone());
    let mut places = places.iter();
    builder.retain_edges(|_, edge| {
        let cell = places.next().and_then(|cell| candidate.marks.get(*cell));
        edge.marks = crate::Marks::from_bits(cell.copied().unwrap_or(0));
        true
    });
    convert::simplify_acceptance(&parallel::merge(&builder.build()))
}
