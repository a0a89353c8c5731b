//! Algorithms for mutual exclusion by shared variables: a place for each value of a variable.

use super::draft::Draft;
use crate::petri::Net;
use sempre_ltl::Error;

/// Each process has a flag. It raises it, enters if no other is up, and otherwise may lower it.
pub(super) fn dekker(processes: u32) -> Result<Net, Error> {
    let mut net = Draft::new("dekker", processes);
    let idle = net.places("idle", processes, 1);
    let tries = net.places("tries", processes, 0);
    let critical = net.places("critical", processes, 0);
    let down = net.places("down", processes, 1);
    let up = net.places("up", processes, 0);
    for i in 0..processes as usize {
        let others = || (0..processes as usize).filter(|other| *other != i);
        net.step(format!("try_{i}"), &[idle[i], down[i]], &[tries[i], up[i]])?;
        for other in others() {
            let name = format!("withdraw_{i}_{other}");
            net.step(name, &[tries[i], up[i], up[other]], &[idle[i], down[i], up[other]])?;
        }
        let mut from = vec![tries[i]];
        from.extend(others().map(|other| down[other]));
        let mut to = vec![critical[i]];
        to.extend(&from[1..]);
        net.step(format!("enter_{i}"), &from, &to)?;
        net.step(format!("exit_{i}"), &[critical[i], up[i]], &[idle[i], down[i]])?;
    }
    net.finish()
}

/// Peterson's filter: levels, one less than processes. On each level a process makes itself the
/// last one to have come, and waits until another has come later or no other wants to enter. It
/// looks at the others one by one, which is a loop with a place for each step and value of the
/// loop variable.
pub(super) fn peterson(processes: u32) -> Result<Net, Error> {
    let mut net = Draft::new("peterson", processes);
    let (count, levels) = (processes as usize, processes - 1);
    let [idle, content] = [net.places("idle", processes, 1), net.places("content", processes, 1)];
    let [wants, critical] =
        [net.places("wants", processes, 0), net.places("critical", processes, 0)];
    let mut last = Vec::with_capacity(levels as usize);
    for level in 0..levels {
        let place = |i| net.place(&format!("last_{level}_is_{i}"), u32::from(i == 0));
        last.push((0..processes).map(place).collect::<Vec<_>>());
    }
    for i in 0..count {
        let comes = net.places(&format!("comes_{i}"), levels, 0);
        let passes = net.places(&format!("passes_{i}"), levels, 0);
        net.step(format!("ask_{i}"), &[idle[i], content[i]], &[comes[0], wants[i]])?;
        net.step(format!("exit_{i}"), &[critical[i], wants[i]], &[idle[i], content[i]])?;
        for level in 0..levels as usize {
            let id = format!("{i}_{level}");
            let checks = net.place(&format!("checks_{id}"), 0);
            for (other, later) in last[level].iter().enumerate() {
                let own = last[level][i];
                net.step(format!("come_{id}_{other}"), &[comes[level], *later], &[checks, own])?;
                if other != i {
                    let name = format!("overtaken_{id}_{other}");
                    net.step(name, &[checks, *later], &[passes[level], *later])?;
                }
            }
            let begins = net.places(&format!("begins_{id}"), processes, 0);
            let compares = net.places(&format!("compares_{id}"), processes, 0);
            let ends = net.places(&format!("ends_{id}"), processes, 0);
            let own = last[level][i];
            net.step(format!("scan_{id}"), &[checks, own], &[begins[0], own])?;
            for other in 0..count {
                let name = |what: &str| format!("{what}_{id}_{other}");
                net.step(name("compare"), &[begins[other]], &[compares[other]])?;
                if other == i {
                    net.step(name("skip"), &[compares[other]], &[ends[other]])?;
                } else {
                    let looks = net.place(&name("looks"), 0);
                    let (yes, no) = (wants[other], content[other]);
                    net.step(name("look"), &[compares[other]], &[looks])?;
                    net.step(name("content"), &[looks, no], &[ends[other], no])?;
                    net.step(name("wanting"), &[looks, yes], &[checks, yes])?;
                }
                let next = begins.get(other + 1).copied().unwrap_or(passes[level]);
                net.step(name("next"), &[ends[other]], &[next])?;
            }
            let next = comes.get(level + 1).copied().unwrap_or(critical[i]);
            net.step(format!("pass_{id}"), &[passes[level]], &[next])?;
        }
    }
    net.finish()
}

#[cfg(test)]
mod tests {
    use super::super::token_game::{markings, play};
    use super::*;

    /// The numbers that the Model Checking Contest gives for 10 and 15 follow a formula.
    #[test]
    fn dekker_has_the_published_markings() {
        let formula: Vec<usize> = (2..=10).map(|n| (n + 2) << (n - 1)).collect();
        assert_eq!(markings("dekker", 2..=10), formula);
        assert_eq!(formula.last(), Some(&6144));
    }

    /// The number that the Model Checking Contest gives for its Peterson-PT-2; for 4 processes it
    /// is 3407946.
    #[test]
    fn peterson_has_the_published_markings() {
        let net = peterson(3).unwrap();
        assert_eq!((net.place_count(), net.transition_count()), (102, 126));
        let graph = play(&net);
        assert_eq!((graph.markings, graph.deadlocks), (20754, 0));
    }
}
