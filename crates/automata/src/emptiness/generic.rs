//! Emptiness of one component under any condition.
//!
//! Baier, Blahoudek, Duret-Lutz, Klein, Müller, Strejček, "Generic emptiness check for fun and
//! profit", ATVA 2019. A component whose set of marks is rejected can still have an accepting cycle
//! if the condition has `Fin` terms. Where `Fin(m)` is a conjunct, the edges with `m` are cut.
//! Where it is not, there are two cases: cut the edges with `m`, or drop `Fin(m)`. Each case is
//! linear in the component. The number of cases is polynomial for Rabin, Streett and parity
//! conditions, and at worst exponential in the number of `Fin` terms (the problem is NP-complete).
//! An explicit stack holds the cases.

use super::components::{Exploration, Explored, Judge};
use super::part::Part;
use crate::graph::Graph;
use crate::{Condition, Marks};
use std::fmt::Debug;
use std::rc::Rc;

/// Nodes that are strongly connected by edges with all of `marks` and no others, which the
/// condition accepts.
pub(super) struct Accepting {
    pub(super) nodes: Vec<u32>,
    pub(super) marks: Marks,
}

/// Finds an accepting part of a component whose set of marks the condition rejects. The search is
/// about to close the component.
pub(super) fn accepting_part<G: Graph>(
    explored: Explored<'_, G>,
    nodes: &[u32],
    condition: &Condition,
    marks: &Marks,
) -> Option<Accepting> {
    if condition.inf_and_fin().1.is_empty() {
        return None;
    }
    let everything: Rc<[u32]> = (0..nodes.len() as u32).collect();
    let mut cases = vec![];
    push_cases(&mut cases, &everything, &Marks::EMPTY, condition, marks);
    if cases.is_empty() {
        return None;
    }
    let mut part = Part::new(explored, nodes, |node| explored.place_after(nodes[0], node));
    while let Some(case) = cases.pop() {
        sempre_ltl::interrupt::poll();
        part.restrict(&case.nodes, case.cut.clone());
        let mut cutting = CutJudge { case: &case, cases: &mut cases, found: None };
        let mut search = Exploration::new(&part);
        case.nodes.iter().any(|node| search.search(*node, &mut cutting));
        if let Some(mut found) = cutting.found {
            for node in &mut found.nodes {
                let local = search.explored().node(*node);
                *node = nodes[local as usize];
            }
            return Some(found);
        }
    }
    None
}

/// A task: find an accepting cycle through these nodes without these marks.
struct Case {
    nodes: Rc<[u32]>,
    cut: Marks,
    condition: Condition,
}

/// Adds the cases of a component with these rejected marks.
fn push_cases(
    cases: &mut Vec<Case>,
    nodes: &Rc<[u32]>,
    cut: &Marks,
    condition: &Condition,
    marks: &Marks,
) {
    let mut open = vec![condition.replace(&|term| match term {
        Condition::Inf(m) if !marks.contains(*m) => Condition::False,
        Condition::Fin(m) if !marks.contains(*m) => Condition::True,
        other => other.clone(),
    })];
    while let Some(condition) = open.pop() {
        sempre_ltl::interrupt::poll();
        if let Condition::Or(disjuncts) = condition {
            open.extend(disjuncts.into_iter().rev());
            continue;
        }
        let required = required_fin(&condition);
        let further = if required.is_empty() {
            // Without `Fin` terms acceptance is monotone, and even all marks were rejected.
            let Some(mark) = condition.inf_and_fin().1.iter().next() else { continue };
            open.push(condition.replace(&|term| match term {
                Condition::Fin(m) if *m == mark => Condition::False,
                other => other.clone(),
            }));
            Marks::from_iter([mark])
        } else {
            required
        };
        let condition = condition.without(&further);
        if condition != Condition::False {
            cases.push(Case { nodes: nodes.clone(), cut: cut | &further, condition });
        }
    }
}

/// Returns the marks whose `Fin` is a conjunct.
fn required_fin(condition: &Condition) -> Marks {
    let conjuncts = match condition {
        Condition::And(conjuncts) => conjuncts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let fin = |term: &Condition| match term {
        Condition::Fin(mark) => Some(*mark),
        _ => None,
    };
    conjuncts.iter().filter_map(fin).collect()
}

/// Judges the components that remain after cutting marks.
struct CutJudge<'a> {
    case: &'a Case,
    cases: &'a mut Vec<Case>,
    found: Option<Accepting>,
}

impl<E: Copy + Debug> Judge<Part<E>> for CutJudge<'_> {
    fn grown(&mut self, nodes: &[u32], marks: &Marks) -> bool {
        let accepted = self.case.condition.accepts(marks);
        if accepted {
            self.found = Some(Accepting { nodes: nodes.to_vec(), marks: marks.clone() });
        }
        accepted
    }

    fn complete(&mut self, explored: Explored<'_, Part<E>>, nodes: &[u32], marks: &Marks) -> bool {
        let nodes: Rc<[u32]> = nodes.iter().map(|node| explored.nodes[*node as usize]).collect();
        push_cases(self.cases, &nodes, &self.case.cut, &self.case.condition, marks);
        false
    }

    fn ends_at_first(&self) -> bool {
        true
    }
}
