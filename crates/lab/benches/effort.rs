//! Guards the time of translations at high effort. Compares it with the bare tableau in the same
//! run, so that the machine and other load matter little. Fails if a limit is exceeded.
//!
//! `cargo bench -p sempre-lab --bench effort`

use sempre_lab::stopwatch::Stopwatch;
use sempre_ltl::generate::patterns::PatternSet;
use sempre_ltl::generate::random::Generator;
use sempre_ltl::generate::{Priorities, Rng};
use sempre_ltl::{Formula, simplify};
use sempre_translate::{Kind, Translator, tableau};
use std::process::ExitCode;
use std::time::Duration;

/// The maximal time of each kind as a multiple of the bare tableau: a third more than the measured
/// maximum, 10.7 and 18.0 times, on the literature. On random formulas it is 6 and 9 times.
const MOST: [(Kind, f64); 2] = [(Kind::Tgba, 14.0), (Kind::Ba, 24.0)];

/// The number of rounds, of which the least time counts.
const ROUNDS: usize = 5;

fn time(formulas: &[Formula], mut translate: impl FnMut(&Formula)) -> Duration {
    let clock = Stopwatch::start();
    formulas.iter().for_each(&mut translate);
    clock.elapsed()
}

/// Prints the times of some formulas; true if they are within the limits.
fn check(name: &str, formulas: &[Formula]) -> bool {
    let mut least = [Duration::MAX; 1 + MOST.len()];
    for _ in 0..ROUNDS {
        let bare = time(formulas, |formula| drop(tableau::translate(&simplify(formula))));
        least[0] = least[0].min(bare);
        for (place, (kind, _)) in MOST.into_iter().enumerate() {
            let mut translator = Translator::new().kind(kind);
            let whole = time(formulas, |formula| drop(translator.translate(formula)));
            least[1 + place] = least[1 + place].min(whole);
        }
    }
    let each = |time: Duration| time / formulas.len().max(1) as u32;
    let (count, what) = (formulas.len(), Stopwatch::start().name());
    println!("{name}: {count} formulas, {what} of the tableau alone {:.1?} each", each(least[0]));
    MOST.iter().zip(&least[1..]).fold(true, |good, ((kind, most), &time)| {
        let ratio = time.as_secs_f64() / least[0].as_secs_f64();
        println!("  {kind}: {:.1?} each, {ratio:.1} times as long (at most {most})", each(time));
        good && ratio <= *most
    })
}

fn main() -> ExitCode {
    // Tests of all targets run this as well, without measuring times.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let literature = PatternSet::by_name("literature").expect("a set of patterns").formulas();
    let props = ["a", "b", "c", "d"];
    let generator = Generator::new(props, &Priorities::equal(props.len())).expect("priorities");
    let mut rng = Rng::new(1);
    let random = (0..200).map(|_| generator.formula(14, &mut rng).expect("a formula"));
    let (patterns, random): (Vec<Formula>, Vec<Formula>) = (literature.collect(), random.collect());
    let good = [("literature", patterns), ("random", random)]
        .map(|(name, formulas)| check(name, &formulas));
    if good.iter().all(|&good| good) { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
