//! Processes that share something: a buffer, a right, cabins and bags, bits.

use super::draft::Draft;
use crate::petri::Net;
use sempre_ltl::Error;

/// Producers produce an item and put it into the buffer; consumers get one and consume it.
pub(super) fn producer_consumer(count: u32) -> Result<Net, Error> {
    let mut net = Draft::new("producer-consumer", count);
    let [idle, produced] = [net.place("producers_idle", count), net.place("produced", 0)];
    let [slots, items] = [net.place("slots", count), net.place("items", 0)];
    let [waits, got] = [net.place("consumers_idle", count), net.place("got", 0)];
    net.step("produce", &[idle], &[produced])?;
    net.step("put", &[produced, slots], &[idle, items])?;
    net.step("get", &[items, waits], &[slots, got])?;
    net.step("consume", &[got], &[waits])?;
    net.finish()
}

/// A process reads with one permit and writes with all of them.
pub(super) fn readers_writers(count: u32) -> Result<Net, Error> {
    let mut net = Draft::new("readers-writers", count);
    let [idle, permits] = [net.place("idle", count), net.place("permits", count)];
    let [reads, writes] = [net.place("reading", 0), net.place("writing", 0)];
    let [to_read, to_write] = [net.place("wants_to_read", 0), net.place("wants_to_write", 0)];
    net.step("ask_to_read", &[idle], &[to_read])?;
    net.step("ask_to_write", &[idle], &[to_write])?;
    net.step("read", &[to_read, permits], &[reads])?;
    net.step("stop_reading", &[reads], &[idle, permits])?;
    net.weighted_step("write", &[(to_write, 1), (permits, count)], &[(writes, 1)])?;
    net.weighted_step("stop_writing", &[(writes, 1)], &[(idle, 1), (permits, count)])?;
    net.finish()
}

/// A bather enters, takes a cabin, takes a bag while there, leaves the cabin, bathes, takes a cabin
/// again, gives the bag back and leaves.
pub(super) fn swimming_pool(scores: u32) -> Result<Net, Error> {
    let mut net = Draft::new("swimming-pool", scores);
    let [outside, cabins] = [net.place("outside", 20 * scores), net.place("cabins", 10 * scores)];
    let [bags, entered] = [net.place("bags", 15 * scores), net.place("entered", 0)];
    let [undresses, undressed] = [net.place("undresses", 0), net.place("undressed", 0)];
    let [bathes, dresses] = [net.place("bathes", 0), net.place("dresses", 0)];
    let dressed = net.place("dressed", 0);
    net.step("enter", &[outside], &[entered])?;
    net.step("take_cabin", &[entered, cabins], &[undresses])?;
    net.step("take_bag", &[undresses, bags], &[undressed])?;
    net.step("leave_cabin", &[undressed], &[bathes, cabins])?;
    net.step("retake_cabin", &[bathes, cabins], &[dresses])?;
    net.step("return_bag", &[dresses], &[dressed, bags])?;
    net.step("leave", &[dressed], &[outside, cabins])?;
    net.finish()
}

/// For each bit a place that says it is 0, and one that says it is 1.
pub(super) fn counter(bits: u32) -> Result<Net, Error> {
    let mut net = Draft::new("counter", bits);
    let zero = net.places("zero", bits, 1);
    let one = net.places("one", bits, 0);
    for i in 0..bits as usize {
        let from: Vec<_> = one[..i].iter().chain([&zero[i]]).copied().collect();
        let to: Vec<_> = zero[..i].iter().chain([&one[i]]).copied().collect();
        net.step(format!("add_{i}"), &from, &to)?;
    }
    net.step("restart", &one, &zero)?;
    net.finish()
}

#[cfg(test)]
mod tests {
    use super::super::token_game::{markings, play};
    use super::*;

    #[test]
    fn producers_and_consumers_are_independent() {
        let cubes: Vec<usize> = (1..=8).map(|n: usize| (n + 1).pow(3)).collect();
        assert_eq!(markings("producer-consumer", 1..=8), cubes);
    }

    /// Without a writer, `n` processes are spread over four places; with one, the `n - 1` others
    /// over three.
    #[test]
    fn writers_exclude_readers() {
        let formula: Vec<usize> =
            (1..=9).map(|n: usize| (n + 1) * (n + 2) * (n + 3) / 6 + n * (n + 1) / 2).collect();
        assert_eq!(markings("readers-writers", 1..=9), formula);
    }

    #[test]
    fn counters_have_all_values() {
        for bits in 1..=8 {
            let graph = play(&counter(bits).unwrap());
            assert_eq!((graph.markings, graph.firings, graph.deadlocks), (1 << bits, 1 << bits, 0));
        }
    }

    /// The number that the Model Checking Contest gives for its SwimmingPool-PT-01.
    #[test]
    fn swimming_pools_keep_their_number_of_markings() {
        assert_eq!(markings("swimming-pool", [1]), [89621]);
    }
}
