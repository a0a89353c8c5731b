//! Observation graphs: the definition, literally, and exact sizes.

use crate::nets::{net, reachable, structure, successors};
use proptest::prelude::*;
use sempre_check::Deadlock;
use sempre_diagrams::Manager;
use sempre_hybrid::{By, Observation, Sog};
use sempre_models::proposition::Propositions;
use sempre_models::{Extent, Model, System, generate};
use sempre_symbolic::{Encoding, Order};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type States = BTreeSet<Vec<u32>>;

/// An observation graph with single states.
struct Plain<'a> {
    system: &'a dyn System,
    sets: Vec<States>,
    labels: Vec<u64>,
    dead: Vec<bool>,
    live: Vec<bool>,
    edges: Vec<Vec<usize>>,
    initial: Vec<usize>,
    valuation: &'a dyn Fn(&[u32]) -> u64,
}

impl Plain<'_> {
    fn next(&self, states: &States) -> States {
        states.iter().flat_map(|state| successors(self.system, state)).collect()
    }

    fn inside(&self, aggregate: usize, from: &States) -> States {
        let set = &self.sets[aggregate];
        reachable(self.system, from.iter().cloned(), |_, next| set.contains(next))
    }

    fn is_dead(&self, states: &States) -> bool {
        states.iter().any(|state| successors(self.system, state).is_empty())
    }

    /// True if the states have a circuit inside a set.
    fn has_circuit(&self, states: &States, inside: &States) -> bool {
        let mut rest: States = states.intersection(inside).cloned().collect();
        loop {
            let next = self.next(&rest);
            let left: States = rest.intersection(&next).cloned().collect();
            if left == rest {
                return !rest.is_empty();
            }
            rest = left;
        }
    }

    /// The states of an aggregate with a successor outside, and those successors.
    fn out(&self, aggregate: usize) -> (States, States) {
        let set = &self.sets[aggregate];
        let leaves =
            |state: &Vec<u32>| successors(self.system, state).iter().any(|s| !set.contains(s));
        let out: States = set.iter().filter(|state| leaves(state)).cloned().collect();
        let ext = self.next(&out).difference(set).cloned().collect();
        (out, ext)
    }

    /// An aggregate is compatible with a subset: what matters in it is reachable inside from there.
    fn is_compatible(&self, aggregate: usize, from: &States) -> bool {
        let reached = self.inside(aggregate, from);
        let (out, _) = self.out(aggregate);
        let set = &self.sets[aggregate];
        out.is_subset(&reached)
            && (!self.is_dead(set) || self.is_dead(&reached))
            && (!self.has_circuit(set, set) || self.has_circuit(&reached, set))
    }

    /// Checks the definition. Aggregates that were merged by their identity stand for each other, so
    /// that with `merged` the states of successors are compared by what leaves them.
    fn check(&self, by: By) {
        for (aggregate, set) in self.sets.iter().enumerate() {
            assert!(!set.is_empty());
            assert!(set.iter().all(|state| (self.valuation)(state) == self.labels[aggregate]));
            assert_eq!(self.dead[aggregate], self.is_dead(set));
            assert_eq!(self.live[aggregate], self.has_circuit(set, set));
            let (_, ext) = self.out(aggregate);
            let mut covered = States::new();
            for &target in &self.edges[aggregate] {
                let entered: States = match target == aggregate {
                    // Circuits through the aggregate are the reason for a loop.
                    true => self.next(set).intersection(set).cloned().collect(),
                    false => self.next(set).intersection(&self.sets[target]).cloned().collect(),
                };
                if by == By::Label {
                    assert_ne!(target, aggregate, "no loops by label");
                    assert!(!entered.is_empty(), "an edge is a step");
                    assert!(self.is_compatible(target, &entered));
                }
                if target == aggregate {
                    assert!(self.has_circuit(set, set), "a loop is a circuit");
                }
                covered.extend(entered);
            }
            if by == By::Label {
                assert!(ext.is_subset(&covered), "successors are covered");
            }
        }
        let initial = self.system.initial().unwrap().into_iter().map(|state| state.to_vec());
        let initial: States = initial.collect();
        let mut met = States::new();
        for &aggregate in &self.initial {
            let own: States = self.sets[aggregate].intersection(&initial).cloned().collect();
            assert!(self.is_compatible(aggregate, &own));
            met.extend(own);
        }
        assert_eq!(met, initial);
        // By label, or as long as nothing is merged, aggregates have all states together.
        let all = reachable(self.system, initial, |_, _| true);
        let together: States = self.sets.iter().flatten().cloned().collect();
        assert!(together.is_subset(&all));
        if by == By::Label {
            assert_eq!(together, all);
        }
    }

    /// The classes of stuttering bisimulation that is sensitive to divergence, on the graph of the
    /// system beside the extended observation graph: initial states must be in the same classes.
    fn check_stuttering(&self) {
        let initial = self.system.initial().unwrap().into_iter().map(|state| state.to_vec());
        let initial: States = initial.collect();
        let all: Vec<Vec<u32>> =
            reachable(self.system, initial.clone(), |_, _| true).into_iter().collect();
        let number: BTreeMap<&Vec<u32>, usize> = all.iter().zip(0..).collect();
        let offset = all.len();
        let mut labels: Vec<u64> = all.iter().map(|state| (self.valuation)(state)).collect();
        let mut edges: Vec<Vec<usize>> = Vec::new();
        for state in &all {
            let next = successors(self.system, state);
            edges.push(match next.is_empty() {
                true => vec![number[state]],
                false => next.iter().map(|next| number[next]).collect(),
            });
        }
        labels.extend(&self.labels);
        let divergent: BTreeSet<u64> = (0..self.sets.len())
            .filter(|a| self.dead[*a] || self.live[*a])
            .map(|a| self.labels[a])
            .collect();
        let artificial: BTreeMap<u64, usize> =
            divergent.iter().copied().zip(offset + self.sets.len()..).collect();
        for aggregate in 0..self.sets.len() {
            let mut next: Vec<usize> =
                self.edges[aggregate].iter().map(|target| offset + target).collect();
            if self.dead[aggregate] || self.live[aggregate] {
                next.push(artificial[&self.labels[aggregate]]);
            }
            edges.push(next);
        }
        for (label, number) in &artificial {
            labels.push(*label);
            edges.push(vec![*number]);
        }
        // Traces up to stuttering: for both graphs, sets of states that the same words lead to, in
        // which words have no repetitions, and whether a run may stay there for ever.
        let from = |start: Vec<usize>| start.into_iter().collect::<BTreeSet<usize>>();
        let close = |states: &BTreeSet<usize>, label: u64| {
            let mut found = states.clone();
            let mut queue: Vec<usize> = found.iter().copied().collect();
            while let Some(state) = queue.pop() {
                for &next in &edges[state] {
                    if labels[next] == label && found.insert(next) {
                        queue.push(next);
                    }
                }
            }
            found
        };
        let stays = |states: &BTreeSet<usize>| {
            let mut rest = states.clone();
            loop {
                let kept: BTreeSet<usize> = rest
                    .iter()
                    .filter(|state| edges[**state].iter().any(|next| rest.contains(next)))
                    .copied()
                    .collect();
                if kept == rest {
                    return !rest.is_empty();
                }
                rest = kept;
            }
        };
        let mut queue = Vec::new();
        let values: BTreeSet<u64> = labels.iter().copied().collect();
        let left: Vec<usize> = initial.iter().map(|state| number[state]).collect();
        let right: Vec<usize> = self.initial.iter().map(|a| offset + a).collect();
        let start = |states: &[usize], label: u64| {
            close(&from(states.iter().copied().filter(|s| labels[*s] == label).collect()), label)
        };
        for &label in &values {
            queue.push((label, start(&left, label), start(&right, label)));
        }
        let mut known = BTreeSet::new();
        while let Some((label, left, right)) = queue.pop() {
            assert_eq!(left.is_empty(), right.is_empty(), "the same words up to stuttering");
            assert_eq!(stays(&left), stays(&right), "the same words that stay for ever");
            if left.is_empty() || !known.insert((left.clone(), right.clone())) {
                continue;
            }
            for &next in values.iter().filter(|next| **next != label) {
                let step = |states: &BTreeSet<usize>| {
                    let all = states.iter().flat_map(|state| edges[*state].iter().copied());
                    close(&all.filter(|state| labels[*state] == next).collect(), next)
                };
                queue.push((next, step(&left), step(&right)));
            }
        }
    }
}

fn check(system: &Arc<dyn System>, texts: &[&str], by: By, external: &[usize]) {
    let manager = Manager::new(sempre_diagrams::Options::default());
    let encoding = Encoding::new(&manager, system, &Order::Best).unwrap();
    let propositions = Propositions::compile(system.names(), texts.iter().copied()).unwrap();
    let observation = Observation::new(&encoding, propositions.clone(), Deadlock::Stutter);
    let observation = observation.with_external(external);
    let mut sog = Sog::new(&observation, by, true).unwrap();
    sog.complete(&observation).unwrap();
    let count = sog.aggregates().len() as u32;
    let edges = (0..count).map(|a| sog.edges(&observation, a).unwrap());
    let edges: Vec<Vec<usize>> =
        edges.map(|edges| edges.iter().map(|edge| edge.target as usize).collect()).collect();
    let states = |a| sog.states(a).unwrap().iter().map(|t| encoding.state(&t).to_vec()).collect();
    let sets: Vec<States> = (0..count).map(states).collect();
    let plain = Plain {
        system: &**system,
        labels: sog.aggregates().iter().map(|aggregate| aggregate.label).collect(),
        initial: sog.initial().iter().map(|a| *a as usize).collect(),
        dead: (0..count).map(|a| sog.is_dead(&observation, a)).collect(),
        live: (0..count).map(|a| sog.is_live(&observation, a)).collect(),
        valuation: &|state| propositions.valuation(&mut *system.expander(), state).unwrap(),
        sets,
        edges,
    };
    plain.check(by);
    plain.check_stuttering();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn observation_graphs_of_nets_keep_the_definition(net in net(), external in 0..3_usize) {
        let model = Model::from(net);
        let compare = |system: &Arc<dyn System>| {
            for texts in [&["p0", "p1 + p2 < p3"][..], &["p2 >= 2", "deadlock"], &[]] {
                check(system, texts, By::Label, &[]);
                check(system, texts, By::Transition, &[]);
                check(system, texts, By::Transition, &[external]);
            }
            Ok(())
        };
        model.run(Extent::Whole, compare).unwrap();
    }

    #[test]
    fn observation_graphs_of_structures_keep_the_definition(structure in structure()) {
        let system: Arc<dyn System> = Arc::new(structure);
        for by in [By::Label, By::Transition] {
            check(&system, &["a", "b"], by, &[]);
        }
    }
}

/// The graph of two philosophers, of whom the first is observed.
#[test]
fn two_philosophers_have_six_aggregates() {
    let model = Model::from(generate::family("philosophers").unwrap().net(2).unwrap());
    let system = model.system();
    let manager = Manager::new(sempre_diagrams::Options::default());
    let encoding = Encoding::new(&manager, &system, &Order::Best).unwrap();
    let names = ["wants_left_0", "wants_right_0", "eats_0"];
    let propositions = Propositions::compile(system.names(), names).unwrap();
    let observation = Observation::new(&encoding, propositions, Deadlock::Stutter);
    let mut sog = Sog::new(&observation, By::Transition, false).unwrap();
    sog.complete(&observation).unwrap();
    let mut sizes: Vec<String> = sog.aggregates().iter().map(|a| a.count.to_string()).collect();
    sizes.sort();
    assert_eq!(sizes, ["2", "2", "3", "3", "6", "6"]);
    assert_eq!(sog.edge_count(), 7);
    let [first] = *sog.initial() else { panic!("one initial aggregate") };
    assert!(!sog.is_dead(&observation, first) && sog.is_live(&observation, first));
    assert_eq!(sog.edges(&observation, first).unwrap().len(), 1);
    let dead: Vec<u32> = (0..6).filter(|a| sog.is_dead(&observation, *a)).collect();
    let dead: BTreeSet<u64> = dead.iter().map(|a| sog.aggregates()[*a as usize].label).collect();
    // One hand is empty: it wants the right fork only, or the left one only.
    assert_eq!(dead, BTreeSet::from([0b10, 0b01]));
}
