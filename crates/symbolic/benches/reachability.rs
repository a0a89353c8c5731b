//! Compares saturation with chaining on binary decision diagrams, and measures how saturation
//! scales with the number of philosophers.
//!
//! `cargo bench -p sempre-symbolic --features oxidd --bench reachability -- [--limit SECONDS]`
//! prints two tables. Times are those of the search alone: for saturation the least of several
//! runs, for binary diagrams the processor time, where the system reports it. A search with binary
//! diagrams is aborted after the limit (60 s by the clock); the ratio is then a lower bound.

use sempre_diagrams::{Manager, Options, Strategy, Usage};
use sempre_ltl::interrupt::{self, Interrupt};
use sempre_models::{Model, System, generate};
use sempre_symbolic::bdd::BddEncoding;
use sempre_symbolic::{Encoding, Images, Order, Space, States};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The maximal number of nodes of oxidd.
const NODES: usize = 1 << 22;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // Without it, this only tests that the code runs.
    let is_bench = arguments.iter().any(|argument| argument == "--bench");
    let limit = arguments.iter().position(|argument| argument == "--limit");
    let limit = limit.and_then(|place| arguments.get(place + 1)?.parse().ok()).unwrap_or(60.0);
    let compared: &[(&str, u32)] = match is_bench {
        true => &[
            ("kanban", 3),
            ("kanban", 6),
            ("kanban", 10),
            ("kanban", 30),
            ("philosophers", 10),
            ("philosophers", 20),
            ("philosophers", 50),
            ("philosophers", 200),
        ],
        false => &[("kanban", 1), ("philosophers", 5)],
    };
    println!("net\tstates\tsaturation s\tnodes\tpeak\toxidd chaining s\tnodes\tpeak\tratio");
    for (family, number) in compared {
        compare(family, *number, Duration::from_secs_f64(limit));
    }
    println!("\nphilosophers\tstates\tencoding s\tsaturation s\tnodes\tpeak");
    let numbers: &[u32] = match is_bench {
        true => &[5, 10, 20, 50, 100, 200, 500, 1000],
        false => &[5],
    };
    for number in numbers {
        let Saturated { states, encoding, search, nodes, usage } =
            by_best_order(&net("philosophers", *number));
        let (encoding, search) = (encoding.as_secs_f64(), search.as_secs_f64());
        let (digits, peak) = (short(&states), usage.peak_nodes);
        println!("{number}\t{digits}\t{encoding:.6}\t{search:.6}\t{nodes}\t{peak}");
    }
}

/// Returns the processor time of this thread, or else the time since `begin`.
fn now(begin: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

fn net(family: &str, number: u32) -> Arc<dyn System> {
    let net = generate::family(family).and_then(|family| family.net(number));
    Model::from(net.expect("a net of the family")).system()
}

/// Returns a number of at most twelve digits, or its number of digits.
fn short(states: &str) -> String {
    match states.len() {
        0..=12 => states.to_owned(),
        length => format!("{}.{}e{}", &states[..1], &states[1..3], length - 1),
    }
}

struct Saturated {
    states: String,
    encoding: Duration,
    search: Duration,
    nodes: usize,
    usage: Usage,
}

/// Returns the best order of several trials, for both kinds of diagrams.
fn best_order(net: &Arc<dyn System>) -> Order {
    let manager = Manager::new(Options::default());
    let space = Space::find(&manager, net, &Order::Best, Strategy::Saturation);
    Order::Given(space.expect("a net has no faults").encoding.order().collect())
}

fn by_best_order(net: &Arc<dyn System>) -> Saturated {
    saturate(net, &best_order(net))
}

/// Saturates several times from scratch, and returns the least times.
fn saturate(net: &Arc<dyn System>, order: &Order) -> Saturated {
    let mut best: Option<Saturated> = None;
    let begin = Instant::now();
    for _ in 0..20 {
        let start = Instant::now();
        let manager = Manager::new(Options::default());
        let encoded = Encoding::new(&manager, net, order).expect("a net has no faults");
        let encoding = start.elapsed();
        let start = Instant::now();
        let reached = encoded.events.reach(&encoded.initial, Strategy::Saturation);
        let search = start.elapsed();
        let this = Saturated {
            states: reached.count().to_string(),
            encoding: best.as_ref().map_or(encoding, |best| best.encoding.min(encoding)),
            search: best.as_ref().map_or(search, |best| best.search.min(search)),
            nodes: reached.nodes(),
            usage: manager.usage(),
        };
        best = Some(this);
        if begin.elapsed() > Duration::from_secs(2) {
            break;
        }
    }
    best.expect("it was saturated once")
}

fn compare(family: &str, number: u32, limit: Duration) {
    let net = net(family, number);
    let order = best_order(&net);
    let Saturated { states, search, nodes, usage, .. } = saturate(&net, &order);
    let peak = usage.peak_nodes;
    let ours = search.as_secs_f64();
    let name = format!("{family} {number}");
    print!("{name}\t{}\t{ours:.6}\t{nodes}\t{peak}\t", short(&states));

    let manager = Manager::new(Options::default());
    let encoding = Encoding::new(&manager, &net, &order).expect("a net has no faults");
    let binary = BddEncoding::new(&encoding, NODES).expect("a net has no faults");
    let begin = Instant::now();
    let start = now(begin);
    let reached = interrupt::run(&Interrupt::default(), begin.checked_add(limit), || {
        manager.attempt(|| binary.by_chaining())
    });
    let theirs = (now(begin) - start).as_secs_f64();
    let ratio = theirs / ours;
    match reached {
        Ok(Ok(reached)) => {
            assert_eq!(reached.count().to_string(), states, "{name}");
            let (nodes, peak) = (reached.nodes(), binary.peak_nodes());
            println!("{theirs:.3}\t{nodes}\t{peak}\t{ratio:.0}");
        }
        Ok(Err(exhausted)) => println!("{exhausted} after {theirs:.3}\t\t\t"),
        Err(_) => {
            println!("more than {theirs:.3}\t\t{}\tat least {ratio:.0}", binary.peak_nodes());
        }
    }
}
