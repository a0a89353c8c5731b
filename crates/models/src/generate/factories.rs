//! Manufacturing: the Kanban system and the flexible manufacturing system.

use super::draft::Draft;
use crate::petri::{Net, PlaceId};
use sempre_ltl::Error;

/// Four cells. A part enters a cell against a card, is worked on, possibly again after it was
/// found to be bad, and waits for the next cell; leaving, it gives the card back. Parts that leave
/// the first cell enter the second and the third together, and leave both together for the fourth.
pub(super) fn kanban(cards: u32) -> Result<Net, Error> {
    let mut net = Draft::new("kanban", cards);
    struct Cell {
        cards: PlaceId,
        work: PlaceId,
        done: PlaceId,
    }
    let mut cells = Vec::with_capacity(4);
    for i in 1..=4 {
        let cell = Cell {
            work: net.place(&format!("work_{i}"), 0),
            cards: net.place(&format!("cards_{i}"), cards),
            done: net.place(&format!("done_{i}"), 0),
        };
        let bad = net.place(&format!("bad_{i}"), 0);
        net.step(format!("finish_{i}"), &[cell.work], &[cell.done])?;
        net.step(format!("reject_{i}"), &[cell.work], &[bad])?;
        net.step(format!("repair_{i}"), &[bad], &[cell.work])?;
        cells.push(cell);
    }
    let [a, b, c, d] = &cells[..] else { unreachable!("four cells were made") };
    net.step("enter", &[a.cards], &[a.work])?;
    net.step("split", &[a.done, b.cards, c.cards], &[a.cards, b.work, c.work])?;
    net.step("join", &[b.done, c.done, d.cards], &[b.cards, c.cards, d.work])?;
    net.step("leave", &[d.done], &[d.cards])?;
    net.finish()
}

/// Three kinds of parts on pallets. Parts of kinds 1 and 2 need machines 1 and 2, and are either
/// shipped or wait for each other to be assembled by machine 3; parts of kind 3 need machine 2
/// when nobody else does. There are three machines 1, one machine 2 and two machines 3.
pub(super) fn fms(parts: u32) -> Result<Net, Error> {
    let mut net = Draft::new("fms", parts);
    let machines = [("machine_1", 3), ("machine_2", 1), ("machine_3", 2)];
    let [m1, m2, m3] = machines.map(|(name, count)| net.place(name, count));
    let mut pallets = Vec::with_capacity(2);
    let mut halves = Vec::with_capacity(2);
    for (kind, machine) in [(1, m1), (2, m2)] {
        let mut place = |what: &str, tokens| net.place(&format!("{what}_{kind}"), tokens);
        let [raw, waits] = [place("raw", parts), place("waits", 0)];
        let [works, done] = [place("works", 0), place("done", 0)];
        let [shipped, half] = [place("shipped", 0), place("half", 0)];
        net.step(format!("arrive_{kind}"), &[raw], &[waits])?;
        net.step(format!("start_{kind}"), &[waits, machine], &[works])?;
        net.step(format!("stop_{kind}"), &[works], &[machine, done])?;
        net.step(format!("ship_{kind}"), &[done], &[shipped])?;
        net.step(format!("keep_{kind}"), &[done], &[half])?;
        net.step(format!("renew_{kind}"), &[shipped], &[raw])?;
        pallets.push(raw);
        halves.push(half);
    }
    let [raw, waits] = [net.place("raw_12", 0), net.place("waits_12", 0)];
    let [works, shipped] = [net.place("works_12", 0), net.place("shipped_12", 0)];
    net.step("assemble", &halves, &[raw])?;
    net.step("arrive_12", &[raw], &[waits])?;
    net.step("start_12", &[waits, m3], &[works])?;
    net.step("stop_12", &[works], &[m3, shipped])?;
    net.step("renew_12", &[shipped], &pallets)?;
    let raw = net.place("raw_3", parts);
    let [works, shipped] = [net.place("works_3", 0), net.place("shipped_3", 0)];
    net.step("arrive_3", &[raw], &[works])?;
    net.step("stop_3", &[works, m2], &[m2, shipped])?;
    net.step("renew_3", &[shipped], &[raw])?;
    net.finish()
}

#[cfg(test)]
mod tests {
    use super::super::token_game::markings;
    use super::*;

    /// The published numbers, and the formula behind them: 5 cards have 2546432 markings.
    #[test]
    fn kanban_has_the_published_markings() {
        assert_eq!(markings("kanban", 1..=3), [160, 4600, 58400]);
        for n in 1..=3u64 {
            let outer = (n + 1) * (n + 2) * (n + 3) / 6;
            let inner = 3 * n.pow(5) + 30 * n.pow(4) + 115 * n.pow(3) + 210 * n.pow(2) + 182 * n;
            assert_eq!(markings("kanban", [n as u32])[0] as u64, outer * outer * (inner + 60) / 60);
        }
    }

    #[test]
    fn fms_has_the_published_markings() {
        assert_eq!(markings("fms", 2..=3), [3444, 48590]);
        let net = fms(7).unwrap();
        assert_eq!((net.place_count(), net.transition_count()), (22, 20));
    }
}
