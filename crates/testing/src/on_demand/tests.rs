//! Automata built on demand, explored for all valuations, and compared with the semantics of
//! formulas by the definitions of acceptance.

use super::{OnDemand, Step};
use crate::changes::letters;
use crate::graph::ChangeGraph;
use crate::membership::{accepts, tgta_accepts};
use crate::{Error, Kind, TestingAutomaton, Tgta, TgtaOptions};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, Marks, StateId};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Formula, Op, arbitrary};
use sempre_translate::{Effort, Translator};

/// Explores an automaton for all valuations, and makes the whole graph.
fn whole(mut automaton: OnDemand) -> ChangeGraph {
    let alphabet = automaton.automaton().alphabet().clone();
    let all = (1u64 << alphabet.props().len()) - 1;
    let mut first = vec![];
    let mut queue = vec![];
    for valuation in 0..=all {
        for state in automaton.initial(valuation) {
            first.push((state, letters(&alphabet, valuation, all)));
            queue.push((state, valuation));
        }
    }
    let mut edges: FxHashMap<(u32, u64), Vec<Step>> = FxHashMap::default();
    let mut done = 0;
    while let Some(&(state, from)) = queue.get(done) {
        done += 1;
        for to in 0..=all {
            let mut steps = vec![];
            automaton.steps(state, from, to, &mut steps);
            let next = steps.iter().map(|step| (step.target, to));
            let next: Vec<_> = next.filter(|next| !queue.contains(next)).collect();
            queue.extend(next);
            // The edges depend on the change alone.
            let known = edges.entry((state, from ^ to)).or_insert_with(|| steps.clone());
            assert_eq!(*known, steps, "state {state}, {from} to {to}");
        }
    }
    let mut builder = Automaton::builder(alphabet.clone());
    builder.acceptance(automaton.acceptance());
    builder.add_states(automaton.state_count());
    for ((source, change), steps) in &edges {
        for step in steps {
            let marks = Marks::from_bits(step.marks.into());
            let [source, target] = [*source, step.target].map(|state| StateId::new(state as usize));
            builder.edge(source, letters(&alphabet, *change, all), marks, target);
        }
    }
    let mut starts = vec![alphabet.ff(); automaton.state_count()];
    for (state, letter) in first {
        let place = &mut starts[state as usize];
        *place = alphabet.or(*place, letter);
    }
    ChangeGraph::new(builder.build(), starts)
}

fn invariant_formula() -> impl Strategy<Value = Formula> {
    use Op::*;
    arbitrary::formula_with(9, &[Prop, Not, And, Or, Finally, Globally, Until, Release])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn automata_built_on_demand_accept_what_satisfies_the_formula(
        f in invariant_formula(),
        words in prop::collection::vec(arbitrary::word(4), 8),
        effort in prop::sample::select(Effort::ALL.to_vec()),
    ) {
        let tgba = Translator::new().effort(effort).translate(&f);
        let evaluator = Evaluator::new(&f);
        for kind in [Kind::Ta, Kind::Sta, Kind::Tgta] {
            let graph = whole(OnDemand::new(&tgba, kind).unwrap());
            for word in &words {
                let accepted = match kind {
                    Kind::Tgta => tgta_accepts(&Tgta(graph.clone()), word),
                    _ => accepts(&TestingAutomaton(graph.clone()), word),
                };
                prop_assert_eq!(accepted, evaluator.holds(word), "{:?} {}", kind, word);
            }
        }
    }
}

/// Only the states for the valuations of one word are built.
#[test]
fn propositions_do_not_matter() {
    let response = |i: usize| format!("G(p{} -> F p{})", 2 * i, 2 * i + 1);
    let text = (0..10).map(response).collect::<Vec<_>>().join(" & ");
    let formula = Formula::not(text.parse::<Formula>().unwrap());
    let tgba = Translator::new().translate(&formula);
    let refused = Tgta::new(&tgba, &TgtaOptions::default()).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { .. }), "{refused}");
    for kind in [Kind::Ta, Kind::Sta, Kind::Tgta] {
        let mut automaton = OnDemand::new(&tgba, kind).unwrap();
        let mut states = automaton.initial(0);
        let mut valuation = 0;
        for next in [1, 3, 2, 0, 1] {
            let mut steps = vec![];
            states.iter().for_each(|state| automaton.steps(*state, valuation, next, &mut steps));
            states = steps.iter().map(|step| step.target).collect();
            states.sort_unstable();
            states.dedup();
            valuation = next;
        }
        assert!(!states.is_empty());
        assert!(automaton.state_count() < 100, "{kind:?}: {}", automaton.state_count());
    }
}
