//! Deterministic automata for formulas that require guarantees infinitely often.
//!
//! A finite prefix decides `F g` for a guarantee g. Its minimal deterministic automaton has one
//! accepting state, in which all accepting runs end. For `GF g` the automaton restarts instead,
//! with a mark on the edge. It restarts with the letter just read, because that may be the first
//! one of the next g (after D. Müller and S. Sickert, LTL to deterministic Emerson-Lei automata,
//! GandALF 2017). All states have the same language, so a run may begin in a bottom component.
//!
//! A conjunction of such formulas is translated to the product, with a mark for each. Sizes are at
//! most those of the minimal automata of the guarantees. These may be exponential in the tableau
//! automata, and are limited.

use crate::tableau;
use sempre_automata::product::Product;
use sempre_automata::wdba::Minimizer;
use sempre_automata::{Automaton, Edge, Marks, Named, Sccs, StateId, prune};
use sempre_ltl::{Formula, Op, Traits};

/// Translates a formula that requires one or more guarantees infinitely often; `None` for other
/// formulas, and if an automaton has more than `most` states.
pub fn translate_up_to(formula: &Formula, most: usize) -> Option<Automaton> {
    let wanted: Option<Vec<&Formula>> = match formula.op() {
        Op::And => formula.children().iter().map(recurring_guarantee).collect(),
        _ => recurring_guarantee(formula).map(|finally| vec![finally]),
    };
    let mut automata = vec![];
    for finally in wanted? {
        automata.push(restarting(&minimal(finally, most)?, Restart::WithTheLetter)?);
    }
    let mut automata = automata.into_iter();
    let first = automata.next()?;
    automata.try_fold(first, |product, automaton| {
        if product.state_count() * automaton.state_count() > most {
            return None;
        }
        Some(Product::intersection(&product, &automaton).automaton())
    })
}

/// Returns `F g` if the formula is `GF g` for a guarantee g.
fn recurring_guarantee(formula: &Formula) -> Option<&Formula> {
    match (formula.op(), formula.children()) {
        (Op::Globally, [finally])
            if finally.op() == Op::Finally && finally.is(Traits::GUARANTEE) =>
        {
            Some(finally)
        }
        _ => None,
    }
}

/// The minimal deterministic automaton of a guarantee.
fn minimal(guarantee: &Formula, most: usize) -> Option<Automaton> {
    let automaton = tableau::translate_up_to(guarantee, tableau::Options::default(), most)?;
    Minimizer::new().powerset_limit(most).minimize_obligation(&automaton).minimal()
}

/// The first letter after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restart {
    /// The letter just read.
    WithTheLetter,
    /// The next letter.
    WithTheNext,
}

/// Makes a deterministic terminal automaton restart after each success, so that it requires
/// infinitely many; `None` if it accepts immediately.
pub(crate) fn restarting(waiting: &Automaton, restart: Restart) -> Option<Automaton> {
    let &[start] = waiting.initial() else { return None };
    let sccs = Sccs::of(waiting);
    let accepting = sccs.accepting(waiting);
    let done = |state: StateId| sccs.component(state).is_some_and(|scc| accepting[scc.index()]);
    if done(start) {
        return None;
    }
    let alphabet = waiting.alphabet();
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(Named::Buchi.acceptance());
    builder.add_states(waiting.state_count());
    builder.initial(start);
    for (source, edge) in waiting.transitions().filter(|(source, _)| !done(*source)) {
        sempre_ltl::interrupt::poll();
        if !done(edge.target) {
            builder.edge(source, edge.label, Marks::EMPTY, edge.target);
            continue;
        }
        if restart == Restart::WithTheNext {
            builder.edge(source, edge.label, Marks::from_iter([0]), start);
            continue;
        }
        for Edge { label, target, .. } in waiting.edges_from(start) {
            sempre_ltl::interrupt::poll();
            let label = alphabet.and(edge.label, *label);
            if label != alphabet.ff() {
                let target = if done(*target) { start } else { *target };
                builder.edge(source, label, Marks::from_iter([0]), target);
            }
        }
    }
    Some(from_the_end(&prune::unreachable(&builder.build())))
}

/// Starts the automaton in a bottom component.
fn from_the_end(automaton: &Automaton) -> Automaton {
    let sccs = Sccs::of(automaton);
    let leaves = |state: StateId| {
        let edges = automaton.edges_from(state).iter();
        edges.into_iter().any(|edge| sccs.component(edge.target) != sccs.component(state))
    };
    let mut stays = vec![true; sccs.len()];
    for state in automaton.states().filter(|&state| leaves(state)) {
        if let Some(scc) = sccs.component(state) {
            stays[scc.index()] = false;
        }
    }
    let end = |&state: &StateId| sccs.component(state).is_some_and(|scc| stays[scc.index()]);
    let Some(start) = automaton.states().find(end) else { return automaton.clone() };
    let mut builder = automaton.edit();
    builder.clear_initial().initial(start);
    prune::unreachable(&builder.build())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_automata::membership;
    use sempre_ltl::arbitrary;
    use sempre_ltl::semantics::Evaluator;

    fn states(text: &str) -> Option<usize> {
        let formula: Formula = text.parse().unwrap();
        translate_up_to(&formula, 1000).map(|automaton| {
            assert!(automaton.is_deterministic());
            automaton.state_count()
        })
    }

    #[test]
    fn sizes() {
        assert_eq!(states("GF((!a & Xb) | (a & X!b))"), Some(2));
        assert_eq!(states("GFa & GFb"), Some(1));
        assert_eq!(states("GF(a & Xa)"), Some(2));
        assert_eq!(states("GF(a & XXa)"), Some(4));
        assert_eq!(states("GF(a & Gb)"), None);
        assert_eq!(states("F(a & Xb)"), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn automata_are_right(
            f in arbitrary::formula(8),
            g in arbitrary::formula(5),
            words in prop::collection::vec(arbitrary::word(4), 20),
        ) {
            let again = |f: &Formula| Formula::globally(Formula::finally(f));
            for formula in [again(&f), Formula::and([again(&f), again(&g)])] {
                let Some(automaton) = translate_up_to(&formula, 100) else { continue };
                prop_assert!(automaton.is_deterministic());
                let evaluator = Evaluator::new(&formula);
                for word in &words {
                    prop_assert_eq!(membership::accepts(&automaton, word), evaluator.holds(word));
                }
            }
        }
    }
}
