//! Runs out of sets of states.

use sempre_automata::{Alphabet, Automaton, Marks, Named};
use sempre_check::{AutomatonProperty, Behaviours, Control, Deadlock, Question, Verdict};
use sempre_models::languages;
use sempre_symbolic::{Fixpoint, Kind, Options, Order, Sets, Steps};

/// An automaton that counts steps modulo two, with as many marks.
fn parity(proposition: &str) -> Automaton {
    let mut builder = Automaton::builder(Alphabet::new([proposition]).unwrap());
    builder.acceptance(Named::GeneralizedBuchi(2).acceptance());
    let (states, tt) = ([builder.add_state(), builder.add_state()], builder.alphabet().tt());
    builder.initial(states[0]);
    for place in 0..2 {
        let mark = Marks::from_iter([place as u32]);
        builder.edge(states[place], tt, mark, states[1 - place]);
    }
    builder.build()
}

/// In a ring of an odd number of places, an accepting cycle goes round twice. A search backwards that
/// paused in a state with successors would find a shorter one.
#[test]
fn states_with_successors_do_not_pause() {
    for places in [3, 5, 7] {
        let mut text = "pl p0 (1)\n".to_owned();
        for place in 0..places {
            text += &format!("tr t{place} p{place} -> p{}\n", (place + 1) % places);
        }
        let system = languages::named("net").unwrap().read(&text).unwrap().system();
        let property = AutomatonProperty::new(parity("p0 > 0"), Behaviours::Erroneous);
        let question = Question::of(system.clone(), property.into(), Deadlock::Stutter).unwrap();
        let mut sets = Sets::new(&system, None);
        for fixpoint in [None, Some(Fixpoint::Owcty), Some(Fixpoint::EmersonLei)] {
            for (steps, saturate) in [(Steps::Edges, false), (Steps::Split, true)] {
                let (kind, order) = (Kind::Tgba, Order::default());
                let decompose = None;
                let options = Options { fixpoint, decompose, kind, steps, saturate, order };
                let outcome = sets.check(&question, &options, &Control::default()).unwrap();
                assert_eq!(outcome.verdict, Verdict::Violated);
                let run = outcome.counterexample().expect("a run");
                assert_eq!(question.judge(run), Ok(()), "{places} places, {options:?}");
                assert_eq!(run.cycle.len() % (2 * places), 0);
            }
        }
    }
}

/// The token may stay for ever, or go where the run ends. The deadlock follows accepting cycles, so it
/// is in forward hulls, but no run that ends there is accepting.
#[test]
fn runs_end_only_in_accepting_deadlocks() {
    let text = "pl s (1)\ntr stay s -> s\ntr go s -> d\n";
    let system = languages::named("net").unwrap().read(text).unwrap().system();
    let formula = "F G s < 1".parse().unwrap();
    let question = Question::new(system.clone(), &formula, Deadlock::Stutter).unwrap();
    let mut sets = Sets::new(&system, None);
    for fixpoint in [None, Some(Fixpoint::Owcty), Some(Fixpoint::EmersonLei)] {
        for steps in [Steps::Edges, Steps::Split] {
            let options = Options { fixpoint, steps, ..Options::default() };
            let outcome = sets.check(&question, &options, &Control::default()).unwrap();
            assert_eq!(outcome.verdict, Verdict::Violated, "{options:?}");
            let run = outcome.counterexample().expect("a run");
            assert_eq!(question.judge(run), Ok(()), "{options:?}");
        }
    }
}
