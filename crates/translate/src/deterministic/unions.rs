//! Marks that stand wherever one of several others does.
//!
//! A cycle sees such a mark exactly if it sees one of the others: `Inf` of it is a disjunction, `Fin`
//! of it a conjunction over them. With one mark less, the condition of `FG(!a & !b) | GFa & GFb` is
//! about a and b only. Quadratic in the number of marks, linear in the edges.

use sempre_automata::{Acceptance, Automaton, Condition, Mark, Marks, Sccs, mark_cleanup};

/// The automaton without marks that are unions of others, if it has one.
pub(super) fn without(automaton: &Automaton) -> Option<Automaton> {
    let count = automaton.acceptance().marks();
    let sccs = Sccs::of(automaton);
    // Other edges are seen finitely often.
    let mut inside: Vec<&Marks> = vec![];
    for source in automaton.states() {
        let edges = automaton.edges_from(source).iter();
        let edges = edges.filter(|edge| sccs.is_inside(source, edge.target));
        inside.extend(edges.map(|edge| &edge.marks));
    }
    let includes = |mark: Mark, other: Mark| {
        inside.iter().all(|marks| !marks.contains(other) || marks.contains(mark))
    };
    let occurs = |mark: Mark| inside.iter().any(|marks| marks.contains(mark));
    let (mark, others) = (0..count).find_map(|mark| {
        let others = (0..count).filter(|&n| n != mark && occurs(n) && includes(mark, n));
        let others: Vec<Mark> = others.collect();
        let covers = |marks: &Marks| others.iter().any(|other| marks.contains(*other));
        let covered = inside.iter().all(|marks| !marks.contains(mark) || covers(marks));
        (!others.is_empty() && covered).then_some((mark, others))
    })?;
    let condition = automaton.acceptance().condition().replace(&|term| match term {
        Condition::Inf(inf) if *inf == mark => {
            Condition::or(others.iter().map(|other| Condition::Inf(*other)))
        }
        Condition::Fin(fin) if *fin == mark => {
            Condition::and(others.iter().map(|other| Condition::Fin(*other)))
        }
        term => term.clone(),
    });
    let mut builder = automaton.edit();
    builder.acceptance(Acceptance::new(count, condition));
    builder.retain_edges(|_, edge| {
        edge.marks = edge.marks.iter().filter(|other| *other != mark).collect();
        true
    });
    Some(mark_cleanup::unused(&builder.build()))
}
