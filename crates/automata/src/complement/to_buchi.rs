//! Any automaton as a Büchi automaton, for constructions that read nothing else.
//!
//! The condition becomes a disjunction of conjunctions. For each disjunct there is a copy of the
//! automaton without the edges that must be seen finitely often, with a counter of the marks that
//! must be seen infinitely often; runs guess when to enter it, unless there is one disjunct and no
//! such edge. A disjunct with k marks makes k copies of each state, of which only those on
//! accepting runs are kept.

use crate::{Automaton, Condition, Marks, Named, StateId, prune};
use std::borrow::Cow;

/// The automaton itself if its condition is Büchi, or one with the same language.
pub(crate) fn to_buchi(automaton: &Automaton) -> Cow<'_, Automaton> {
    if *automaton.acceptance() == Named::Buchi.acceptance() {
        return Cow::Borrowed(automaton);
    }
    let disjuncts = disjuncts(automaton.acceptance().condition());
    let direct = matches!(&disjuncts[..], [disjunct] if disjunct.fin.is_empty());
    let states = automaton.state_count();
    let mut builder = Automaton::builder(automaton.alphabet().clone());
    builder.acceptance(Named::Buchi.acceptance());
    if !direct {
        builder.add_states(states);
        for state in automaton.initial() {
            builder.initial(*state);
        }
        for (source, edge) in automaton.transitions() {
            builder.edge(source, edge.label, Marks::EMPTY, edge.target);
        }
    }
    for disjunct in disjuncts {
        let levels = disjunct.inf.len().max(1);
        let first = builder.add_states(states * levels).index();
        let copy =
            |state: StateId, level: usize| StateId::new(first + level * states + state.index());
        for state in automaton.initial() {
            builder.initial(copy(*state, 0));
        }
        if !direct {
            for (source, edge) in automaton.transitions() {
                builder.edge(source, edge.label, Marks::EMPTY, copy(edge.target, 0));
            }
        }
        for (source, edge) in automaton.transitions() {
            if !edge.marks.is_disjoint(&disjunct.fin) {
                continue;
            }
            for level in 0..levels {
                let mut next = level;
                while next < disjunct.inf.len() && edge.marks.contains(disjunct.inf[next]) {
                    next += 1;
                }
                let full = next == disjunct.inf.len();
                let marks = if full { Marks::from_iter([0]) } else { Marks::EMPTY };
                let target = copy(edge.target, if full { 0 } else { next });
                builder.edge(copy(source, level), edge.label, marks, target);
            }
        }
    }
    Cow::Owned(prune::trim(&builder.build()))
}

/// A conjunction: no mark of `fin` infinitely often, each of `inf` infinitely often.
struct Disjunct {
    fin: Marks,
    inf: Vec<u32>,
}

/// The condition as a disjunction.
fn disjuncts(condition: &Condition) -> Vec<Disjunct> {
    let mut sets: Vec<(Marks, Marks)> = vec![];
    for (fin, inf) in expand(condition) {
        if fin.is_disjoint(&inf)
            && !sets.iter().any(|(f, i)| f.is_subset(&fin) && i.is_subset(&inf))
        {
            sets.retain(|(f, i)| !(fin.is_subset(f) && inf.is_subset(i)));
            sets.push((fin, inf));
        }
    }
    sets.into_iter().map(|(fin, inf)| Disjunct { fin, inf: inf.iter().collect() }).collect()
}

/// Pairs of `Fin` and `Inf` marks; recursion is as deep as the condition, as elsewhere.
fn expand(condition: &Condition) -> Vec<(Marks, Marks)> {
    let single = |mark: u32| Marks::from_iter([mark]);
    match condition {
        Condition::True => vec![(Marks::EMPTY, Marks::EMPTY)],
        Condition::False => vec![],
        Condition::Inf(mark) => vec![(Marks::EMPTY, single(*mark))],
        Condition::Fin(mark) => vec![(single(*mark), Marks::EMPTY)],
        Condition::Or(operands) => operands.iter().flat_map(expand).collect(),
        Condition::And(operands) => {
            let mut product = vec![(Marks::EMPTY, Marks::EMPTY)];
            for operand in operands {
                let choices = expand(operand);
                product = product
                    .iter()
                    .flat_map(|(f, i)| choices.iter().map(move |(fin, inf)| (f | fin, i | inf)))
                    .collect();
                product.sort();
                product.dedup();
            }
            product
        }
    }
}
