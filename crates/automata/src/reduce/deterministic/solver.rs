//! The common part of questions to a SAT solver: the limit of conflicts, and marks on cells with a
//! condition that is given or free.

use super::comparison::disjuncts;
use super::truth;
use crate::acceptance::Acceptance;
use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};

/// Counts conflicts: each gives one learnt clause.
pub(super) struct Conflicts {
    seen: u64,
    most: u64,
}

impl Conflicts {
    /// Creates a solver with a limit of conflicts.
    pub(super) fn solver(most: u64) -> Solver<Conflicts> {
        Solver::new(SolverOpts::default(), Conflicts { seen: 0, most })
    }
}

impl Callbacks for Conflicts {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.seen += u64::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.seen >= self.most
    }
}

/// True if the literal is true in the solution.
pub(super) fn is_true(solver: &Solver<Conflicts>, literal: Lit) -> bool {
    solver.value_lit(literal) == lbool::TRUE
}

fn fresh(solver: &mut Solver<Conflicts>) -> Lit {
    Lit::new(solver.new_var_default(), true)
}

/// The literals about the marks of cells, and about the condition.
pub(super) struct Marks {
    count: u32,
    /// By cell and mark, whether the cell has it.
    literals: Vec<Lit>,
    condition: Condition,
}

enum Condition {
    Given {
        acceptance: Acceptance,
        /// By verdict, the marks to see finitely and infinitely often that give the other one.
        others: [Vec<(u64, u64)>; 2],
    },
    /// By set of marks, whether it is accepted.
    Free(Vec<Lit>),
}

impl Marks {
    /// The marks of this number of cells for a given condition; `None` if it has too many disjuncts.
    pub(super) fn given(
        solver: &mut Solver<Conflicts>,
        cells: usize,
        acceptance: &Acceptance,
    ) -> Option<Self> {
        let (yes, no) = (acceptance.condition(), acceptance.condition().dual());
        let others = [disjuncts(yes)?, disjuncts(&no)?];
        let condition = Condition::Given { acceptance: acceptance.clone(), others };
        Some(Marks::new(solver, cells, acceptance.marks(), condition))
    }

    /// The marks of this number of cells, and a truth table.
    pub(super) fn free(solver: &mut Solver<Conflicts>, cells: usize, count: u32) -> Self {
        let count = count.min(truth::MAX_MARKS);
        let verdicts = (0..1u32 << count).map(|_| fresh(solver)).collect();
        Marks::new(solver, cells, count, Condition::Free(verdicts))
    }

    fn new(solver: &mut Solver<Conflicts>, cells: usize, count: u32, condition: Condition) -> Self {
        let literals = (0..cells * count as usize).map(|_| fresh(solver)).collect();
        Marks { count, literals, condition }
    }

    fn literal(&self, cell: usize, mark: u32) -> Lit {
        self.literals[cell * self.count as usize + mark as usize]
    }

    /// Returns the chosen marks of a cell.
    pub(super) fn of(&self, solver: &Solver<Conflicts>, cell: usize) -> u64 {
        let chosen = (0..self.count).filter(|mark| is_true(solver, self.literal(cell, *mark)));
        chosen.fold(0, |marks, mark| marks | 1 << mark)
    }

    /// Returns the chosen condition.
    pub(super) fn acceptance(&self, solver: &Solver<Conflicts>) -> Acceptance {
        match &self.condition {
            Condition::Given { acceptance, .. } => acceptance.clone(),
            Condition::Free(verdicts) => {
                truth::acceptance(self.count, |set| is_true(solver, verdicts[set as usize]))
            }
        }
    }

    /// Gives a cycle on these cells its verdict, unless one of the literals is true.
    pub(super) fn add_cycle(
        &self,
        solver: &mut Solver<Conflicts>,
        unless: &[Lit],
        cells: &[usize],
        is_accepted: bool,
    ) {
        let seen: Vec<Lit> = (0..self.count).map(|mark| self.seen(solver, cells, mark)).collect();
        // A set of marks is not the one of the cycle, by a mark more or less.
        let differs = |fin: u64, inf: u64| {
            let more = (0..self.count).filter(move |mark| fin >> mark & 1 == 1);
            let less = (0..self.count).filter(move |mark| inf >> mark & 1 == 1);
            let more = more.map(|mark| seen[mark as usize]);
            more.chain(less.map(|mark| !seen[mark as usize])).collect::<Vec<Lit>>()
        };
        match &self.condition {
            Condition::Given { others, .. } => {
                for &(fin, inf) in &others[usize::from(is_accepted)] {
                    let mut clause = [unless, &differs(fin, inf)].concat();
                    solver.add_clause_reuse(&mut clause);
                }
            }
            Condition::Free(verdicts) => {
                for (set, &verdict) in (0u64..).zip(verdicts) {
                    let mut clause = [unless, &differs(!set, set)].concat();
                    clause.push(if is_accepted { verdict } else { !verdict });
                    solver.add_clause_reuse(&mut clause);
                }
            }
        }
    }

    /// Returns a literal for: one of the cells has the mark.
    fn seen(&self, solver: &mut Solver<Conflicts>, cells: &[usize], mark: u32) -> Lit {
        if let [cell] = cells {
            return self.literal(*cell, mark);
        }
        let seen = fresh(solver);
        let mut any = vec![!seen];
        for &cell in cells {
            let literal = self.literal(cell, mark);
            any.push(literal);
            solver.add_clause_reuse(&mut vec![!literal, seen]);
        }
        solver.add_clause_reuse(&mut any);
        seen
    }
}
