//! Formulas are shared between threads, and their memory is given back. One test, in a process of
//! its own: it counts all formulas that are alive.

use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::{Formula, simplify};
use std::sync::Barrier;

#[test]
fn threads_share_formulas_and_give_them_back() {
    // The laws of the simplifier are formulas themselves and stay.
    simplify(&Formula::until("a", "b"));
    let before = Formula::live_count();
    {
        let barrier = Barrier::new(8);
        let build = |seed: u64| {
            barrier.wait();
            let mut formulas = vec![];
            for round in 0..20 {
                let stream = RandomFormulas::over_numbered(3).sizes(1..=20).seed(seed + round);
                let stream = stream.generate().unwrap().take(200);
                let fresh: Vec<Formula> = stream.map(Result::unwrap).collect();
                // Dropping half of them makes threads take formulas out of the table while others
                // look them up.
                formulas.extend(fresh.into_iter().step_by(2));
            }
            formulas
        };
        let all: Vec<Vec<Formula>> = std::thread::scope(|scope| {
            let build = &build;
            let threads: Vec<_> = (0..8).map(|i| scope.spawn(move || build(i % 2))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for (i, formulas) in all.iter().enumerate() {
            assert_eq!(*formulas, all[i % 2], "same seed, same formulas, in whatever thread");
            for formula in formulas {
                assert_eq!(formula.to_string().parse::<Formula>().unwrap(), *formula);
            }
        }
        assert!(Formula::live_count() > before);
    }
    assert_eq!(Formula::live_count(), before, "all formulas of the test are gone");
}
