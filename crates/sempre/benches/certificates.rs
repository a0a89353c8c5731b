//! The cost of certificates beside that of checks: time of the check, of the search for the
//! certificate and of the checker, and bytes of the file.
//!
//! `cargo bench -p sempre --bench certificates` measures ten pairs of a model and a property;
//! `-- kanban 6` measures one family of nets instead, `-- kanban 6 PROPERTY` with another property
//! than `G(deadlock -> X deadlock)`.

use sempre::certificate::{self, Claim, Deadlocks, Fair};
use sempre::certify::{self, Budget};
use sempre::models::{Model, generate, plain};
use sempre::prelude::{Checker, Verdict};
use std::thread;
use std::time::Instant;

/// Families of nets with sizes and properties that hold.
const PAIRS: [(&str, u32, &str); 10] = [
    ("philosophers", 6, "G !(eats_0 & eats_1)"),
    ("philosophers", 6, "(G F eats_0) -> (G F (eats_0 | idle_0))"),
    ("kanban", 2, "G \"work_1 + cards_1 + done_1 + bad_1 = 2\""),
    ("kanban", 3, "G(\"cards_1 = 0\" -> work_1 | bad_1 | done_1)"),
    ("producer-consumer", 20, "G \"slots + items = 20\""),
    ("producer-consumer", 20, "(F G !items) -> (F G !got | F G got)"),
    ("readers-writers", 15, "G !(reading & writing)"),
    ("readers-writers", 15, "G(writing -> !permits)"),
    ("round-robin", 5, "G F turn_0"),
    ("round-robin", 6, "G !(holds_0 & sends_0)"),
];

/// Measures a pair and prints a row.
fn measure(family: &str, size: u32, property: &str) {
    let net = generate::family(family).and_then(|family| family.net(size));
    let net = net.unwrap_or_else(|error| panic!("{error}"));
    let model = Model::from(net);
    let seconds = |start: Instant| start.elapsed().as_secs_f64();
    let start = Instant::now();
    let verdict = Checker::new(model.clone()).check(property).map(|outcome| outcome.verdict);
    let check = seconds(start);
    if !matches!(verdict, Ok(Verdict::Holds)) {
        return println!("| {family} {size} | {property} | {verdict:?} |");
    }
    let plain = plain::of(&model).expect("nets have a plain interpreter");
    let property_formula = property.parse().expect("a formula");
    let (deadlocks, fair) = (Deadlocks::Stutter, Fair::All);
    let claim = Claim { model: 0, property: property_formula, deadlocks, fair };
    let start = Instant::now();
    let built = certify::build(claim, &*plain, Budget::default());
    let built = built.unwrap_or_else(|failure| panic!("{family} {size}, {property}: {failure}"));
    let mut bytes = Vec::new();
    certify::write(&built, &mut bytes).expect("a vector takes everything");
    let build = seconds(start);
    let (nodes, ranks) = (built.node_count(), built.rank_count());
    drop(built);
    let start = Instant::now();
    let read = certificate::read(&bytes).expect("the file was written");
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let accepted = certificate::check(&read, &*plain, threads);
    let checker = seconds(start);
    assert_eq!(accepted, Ok(()), "{family} {size}, {property}");
    println!(
        "| {family} {size} | `{property}` | {nodes} | {ranks} | {check:.3} | {build:.3} | {:.1} | \
         {checker:.3} | {} | {:.2} |",
        build / check,
        bytes.len(),
        bytes.len() as f64 / nodes as f64
    );
}

fn main() {
    println!(
        "| net | property | nodes | ranks | check, s | certificate, s | ratio | checker, s | bytes | bytes per node |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let arguments: Vec<String> = std::env::args().skip(1).filter(|one| one != "--bench").collect();
    match &arguments[..] {
        [family, size, property @ ..] => {
            let property = property.first().map_or("G(deadlock -> X deadlock)", String::as_str);
            measure(family, size.parse().expect("a size"), property);
        }
        _ => PAIRS.iter().for_each(|(family, size, property)| measure(family, *size, property)),
    }
}
