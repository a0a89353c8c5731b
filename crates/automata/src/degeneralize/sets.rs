//! The sets that a generalized Büchi condition asks for, on the edges of an automaton.

use crate::acceptance::{Acceptance, Condition};
use crate::automaton::Automaton;
use crate::error::Error;
use crate::marks::Marks;

/// For each conjunct of a generalized Büchi condition the marks that satisfy it. A conjunct that
/// nothing satisfies has none.
///
/// # Errors
/// If a conjunct is neither an `Inf` term nor a disjunction of these.
pub(super) fn clauses(acceptance: &Acceptance) -> Result<Vec<Marks>, Error> {
    let clause = |condition: &Condition| match condition {
        Condition::Inf(mark) => Some(Marks::from_iter([*mark])),
        Condition::False => Some(Marks::EMPTY),
        Condition::Or(terms) => terms
            .iter()
            .map(|term| match term {
                Condition::Inf(mark) => Some(*mark),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    let clauses = match acceptance.condition() {
        Condition::True => Some(vec![]),
        Condition::And(conjuncts) => conjuncts.iter().map(clause).collect(),
        other => clause(other).map(|clause| vec![clause]),
    };
    clauses.ok_or_else(|| {
        let condition = acceptance.condition();
        Error::new(format!("the acceptance condition {condition} is not generalized Büchi"))
            .expected("a conjunction of Inf terms, or of disjunctions of these")
    })
}

/// For each edge the sets that it is in.
pub(super) struct Sets {
    count: u32,
    of_edge: Vec<Marks>,
}

impl Sets {
    pub(super) fn new(automaton: &Automaton, clauses: &[Marks]) -> Self {
        let own = clauses.iter().enumerate().all(|(i, c)| *c == Marks::from_iter([i as u32]));
        let sets = |marks: &Marks| {
            let all = clauses.iter().enumerate();
            all.filter(|(_, c)| !c.is_disjoint(marks)).map(|(i, _)| i as u32).collect()
        };
        let all = Marks::all(clauses.len() as u32);
        let of_edge = automaton.edges().iter().map(|edge| match own {
            true => &edge.marks & &all,
            false => sets(&edge.marks),
        });
        Sets { count: clauses.len() as u32, of_edge: of_edge.collect() }
    }

    /// How many sets there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The sets that the edge with this number is in.
    pub(super) fn of_edge(&self, edge: usize) -> &Marks {
        &self.of_edge[edge]
    }
}
