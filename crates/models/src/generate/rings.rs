//! Processes in a ring.

use super::draft::Draft;
use crate::petri::Net;
use sempre_ltl::Error;

/// A slot between two nodes is free or used; a node that gets a free slot lets it go on or writes
/// to it, and one that gets a used slot passes it on, or frees it if it is its own.
pub(super) fn slotted(nodes: u32) -> Result<Net, Error> {
    let mut net = Draft::new("ring", nodes);
    let got_used = net.places("got_used", nodes, 0);
    let got_free = net.places("got_free", nodes, 0);
    let ready = net.places("ready", nodes, 1);
    let written = net.places("written", nodes, 0);
    let offers_free = net.places("offers_free", nodes, 1);
    let answered = net.places("answered", nodes, 0);
    let offers_used = net.places("offers_used", nodes, 0);
    let passed = net.places("passed", nodes, 0);
    for i in 0..nodes as usize {
        let next = (i + 1) % nodes as usize;
        net.step(format!("owner_{i}"), &[got_used[i]], &[got_free[i]])?;
        net.step(format!("other_{i}"), &[got_used[i]], &[written[i]])?;
        net.step(format!("write_{i}"), &[got_free[i]], &[written[i]])?;
        net.step(format!("go_{i}"), &[got_free[i]], &[passed[i]])?;
        net.step(format!("give_{i}"), &[passed[i], answered[i]], &[ready[i], offers_free[i]])?;
        net.step(format!("put_{i}"), &[written[i], answered[i]], &[ready[i], offers_used[i]])?;
        // A node that is ready gets the slot that its neighbour offers.
        let (free, used) = (offers_free[next], offers_used[next]);
        net.step(format!("free_{i}"), &[ready[i], free], &[got_free[i], answered[next]])?;
        net.step(format!("used_{i}"), &[ready[i], used], &[got_used[i], answered[next]])?;
    }
    net.finish()
}

/// The process whose turn it is takes the resource, which fills its buffer and is free again. The
/// buffer is emptied either before the turn goes to the next process or after that; then the
/// process waits for its next turn.
pub(super) fn round_robin(processes: u32) -> Result<Net, Error> {
    let mut net = Draft::new("round-robin", processes);
    let resource = net.place("resource", 1);
    let waits: Vec<_> =
        (0..processes).map(|i| net.place(&format!("waits_{i}"), u32::from(i > 0))).collect();
    let turn: Vec<_> =
        (0..processes).map(|i| net.place(&format!("turn_{i}"), u32::from(i == 0))).collect();
    let holds = net.places("holds", processes, 0);
    let sends = net.places("sends", processes, 0);
    let emptied = net.places("emptied", processes, 0);
    let loads = net.places("loads", processes, 0);
    let empty = net.places("empty", processes, 1);
    let full = net.places("full", processes, 0);
    for i in 0..processes as usize {
        let next = (i + 1) % processes as usize;
        net.step(format!("take_{i}"), &[resource, turn[i]], &[loads[i], holds[i]])?;
        net.step(format!("load_{i}"), &[loads[i], empty[i]], &[resource, full[i]])?;
        net.step(format!("send_before_{i}"), &[full[i], holds[i]], &[empty[i], emptied[i]])?;
        net.step(format!("send_after_{i}"), &[full[i], sends[i]], &[empty[i], waits[i]])?;
        net.step(format!("pass_full_{i}"), &[holds[i], waits[next]], &[sends[i], turn[next]])?;
        net.step(format!("pass_empty_{i}"), &[emptied[i], waits[next]], &[waits[i], turn[next]])?;
    }
    net.finish()
}

/// Machines with values below their number. The first machine has the privilege if its value is
/// that of the last one, and adds one to it; another has it if its value is not that of the one
/// before it, which it then takes on (Dijkstra 1974).
pub(super) fn self_stabilizing(machines: u32) -> Result<Net, Error> {
    let mut net = Draft::new("token-ring", machines);
    let mut value = Vec::with_capacity(machines as usize);
    for i in 0..machines {
        let place = |v| net.place(&format!("machine_{i}_is_{v}"), u32::from(i == v));
        value.push((0..machines).map(place).collect::<Vec<_>>());
    }
    let count = machines as usize;
    let (first, last) = (&value[0], &value[count - 1]);
    for v in 0..count {
        let next = first[(v + 1) % count];
        net.step(format!("add_{v}"), &[first[v], last[v]], &[next, last[v]])?;
    }
    for i in 1..count {
        for (old, own) in value[i].iter().enumerate() {
            for (new, before) in value[i - 1].iter().enumerate().filter(|(new, _)| *new != old) {
                let name = format!("copy_{i}_{old}_{new}");
                net.step(name, &[*own, *before], &[value[i][new], *before])?;
            }
        }
    }
    net.finish()
}

#[cfg(test)]
mod tests {
    use super::super::token_game::markings;

    /// The published numbers.
    #[test]
    fn slotted_rings() {
        assert_eq!(markings("ring", 3..=5), [504, 5136, 53856]);
    }

    /// The published numbers follow 9n·2^(n-2): 15 processes have 1105920 markings.
    #[test]
    fn round_robin() {
        let formula: Vec<usize> = (2..=9).map(|n| (9 * n) << (n - 2)).collect();
        assert_eq!(markings("round-robin", 2..=9), formula);
    }

    /// The number that the Model Checking Contest gives for its TokenRing-PT-005.
    #[test]
    fn self_stabilizing_rings() {
        assert_eq!(markings("token-ring", [6]), [166]);
    }
}
