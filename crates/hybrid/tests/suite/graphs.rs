//! Observation graphs: the definition, literally, and exact sizes.

use crate::nets::{net, reachable, structure, successors};
use proptest::prelude::*;
use sempre_check::Deadlock;
use sempre_diagrams::Manager;
use sempre_hybrid::{By, Edge, Observation, Sog};
use sempre_models::kripke::Kripke;
use sempre_models::proposition::Propositions;
use sempre_models::{Extent, Model, Successors, System, generate, languages};
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
    /// For each aggregate its edges, with the transition in graphs by transition.
    edges: Vec<Vec<(Option<u32>, usize)>>,
    initial: Vec<usize>,
    valuation: &'a dyn Fn(&[u32]) -> u64,
    deadlock: Deadlock,
}

impl Plain<'_> {
    fn next(&self, states: &States) -> States {
        states.iter().flat_map(|state| successors(self.system, state)).collect()
    }

    fn initial_states(&self) -> States {
        self.system.initial().unwrap().into_iter().map(|state| state.to_vec()).collect()
    }

    fn inside(&self, set: &States, from: &States) -> States {
        reachable(self.system, from.iter().cloned(), |_, next| set.contains(next))
    }

    fn is_dead(&self, states: &States) -> bool {
        states.iter().any(|state| successors(self.system, state).is_empty())
    }

    /// The states on which circuits in a set end: from each, one can go back for ever.
    fn circuits(&self, states: &States, inside: &States) -> States {
        let mut rest: States = states.intersection(inside).cloned().collect();
        loop {
            let next = self.next(&rest);
            let left: States = rest.intersection(&next).cloned().collect();
            if left == rest {
                return rest;
            }
            rest = left;
        }
    }

    fn has_circuit(&self, states: &States, inside: &States) -> bool {
        !self.circuits(states, inside).is_empty()
    }

    /// The states of an aggregate with a successor outside, and those successors.
    fn out(&self, set: &States) -> (States, States) {
        let leaves =
            |state: &Vec<u32>| successors(self.system, state).iter().any(|s| !set.contains(s));
        let out: States = set.iter().filter(|state| leaves(state)).cloned().collect();
        let ext = self.next(&out).difference(set).cloned().collect();
        (out, ext)
    }

    /// An aggregate is compatible with a subset: what matters in it is reachable inside from there.
    fn is_compatible(&self, set: &States, from: &States) -> bool {
        let reached = self.inside(set, from);
        let (out, _) = self.out(set);
        out.is_subset(&reached)
            && (!self.is_dead(set) || self.is_dead(&reached))
            && (!self.has_circuit(set, set) || self.has_circuit(&reached, set))
    }

    /// Checks what each aggregate says about itself.
    fn check_aggregates(&self) {
        for (aggregate, set) in self.sets.iter().enumerate() {
            assert!(!set.is_empty());
            assert!(set.iter().all(|state| (self.valuation)(state) == self.labels[aggregate]));
            assert_eq!(self.dead[aggregate], self.is_dead(set));
            assert_eq!(self.live[aggregate], self.has_circuit(set, set));
        }
    }

    /// Checks the definition on a graph by label.
    fn check_by_label(&self) {
        self.check_aggregates();
        for (set, edges) in self.sets.iter().zip(&self.edges) {
            let (_, ext) = self.out(set);
            let mut covered = States::new();
            for &(_, target) in edges {
                let target = &self.sets[target];
                assert_ne!(target, set, "no loops by label");
                let entered: States = self.next(set).intersection(target).cloned().collect();
                assert!(!entered.is_empty(), "an edge is a step");
                assert!(self.is_compatible(target, &entered));
                covered.extend(entered);
            }
            assert!(ext.is_subset(&covered), "successors are covered");
        }
        let initial = self.initial_states();
        let mut met = States::new();
        for &aggregate in &self.initial {
            let own: States = self.sets[aggregate].intersection(&initial).cloned().collect();
            assert!(self.is_compatible(&self.sets[aggregate], &own));
            met.extend(own);
        }
        assert_eq!(met, initial);
        let all = reachable(self.system, initial, |_, _| true);
        let together: States = self.sets.iter().flatten().cloned().collect();
        assert_eq!(together, all);
    }

    /// The steps from a set by a transition.
    fn fire(&self, set: &States, transition: u32) -> States {
        let mut buffer = Successors::new(self.system.words());
        let mut found = States::new();
        for state in set {
            buffer.clear();
            self.system.expander().expand(state, &mut buffer).unwrap();
            let steps = buffer.iter().filter(|(action, _)| action.0 == transition);
            found.extend(steps.map(|(_, next)| next.to_vec()));
        }
        found
    }

    /// The closure under transitions that are not external.
    fn close(&self, from: &States, transitions: &[u32], external: &[u32]) -> States {
        let mut found = from.clone();
        loop {
            let before = found.len();
            for &transition in transitions.iter().filter(|t| !external.contains(t)) {
                let more = self.fire(&found, transition);
                found.extend(more);
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// Checks that a node has the identity of an aggregate: the label, the states with an external
    /// transition, deadlocks and circuits.
    fn check_identity(&self, node: usize, set: &States, external: &[u32]) {
        let out = |set: &States| -> States {
            let has_external = |state: &&Vec<u32>| {
                let one = States::from([(*state).clone()]);
                external.iter().any(|t| !self.fire(&one, *t).is_empty())
            };
            set.iter().filter(has_external).cloned().collect()
        };
        assert!(set.iter().all(|state| (self.valuation)(state) == self.labels[node]));
        assert_eq!(out(set), out(&self.sets[node]), "the states with external transitions");
        assert_eq!(self.is_dead(set), self.dead[node], "deadlocks");
        assert_eq!(self.has_circuit(set, set), self.live[node], "circuits");
    }

    /// Checks the definition on the graph of a net by transition. Aggregates of one identity are one
    /// node, so that each edge is judged with the aggregate that it leads to before it was merged.
    fn check_by_transition(&self, external: &[u32], transitions: &[u32]) {
        self.check_aggregates();
        let initial = self.initial_states();
        let all = reachable(self.system, initial.clone(), |_, _| true);
        for state in &all {
            let one = States::from([state.clone()]);
            for &transition in transitions.iter().filter(|t| !external.contains(t)) {
                let next = self.fire(&one, transition);
                let label = (self.valuation)(state);
                assert!(next.iter().all(|next| (self.valuation)(next) == label), "local steps");
            }
        }
        for (node, (set, edges)) in self.sets.iter().zip(&self.edges).enumerate() {
            assert_eq!(*set, self.close(set, transitions, external));
            assert!(set.is_subset(&all));
            let (_, ext) = self.out(set);
            let mut covered = States::new();
            let mut found = Vec::new();
            for &transition in external {
                let entered = self.fire(set, transition);
                let labels: BTreeSet<u64> = entered.iter().map(|s| (self.valuation)(s)).collect();
                for label in labels {
                    let here = entered.iter().filter(|s| (self.valuation)(s) == label);
                    let here: States = here.cloned().collect();
                    let aggregate = self.close(&here, transitions, external);
                    assert!(self.is_compatible(&aggregate, &here));
                    let edge = edges.iter().find(|(by, target)| {
                        *by == Some(transition) && self.labels[*target] == label
                    });
                    let &(_, target) = edge.expect("an edge for each label that is entered");
                    self.check_identity(target, &aggregate, external);
                    if target == node {
                        // The documents ask for one circuit; two that the same transition closes may
                        // lead to different states, but all of them together lead everywhere.
                        let reached = self.inside(&aggregate, &here);
                        let circuits = self.circuits(&reached, &aggregate);
                        assert!(!circuits.is_empty(), "a loop is a circuit");
                        assert!(self.is_compatible(&aggregate, &circuits), "from circuits");
                    }
                    found.push((Some(transition), target));
                    covered.extend(here);
                }
            }
            assert!(ext.is_subset(&covered), "successors are covered");
            let sorted = |edges: &[(Option<u32>, usize)]| edges.iter().copied().collect();
            let (found, edges): (BTreeSet<_>, BTreeSet<_>) = (sorted(&found), sorted(edges));
            assert_eq!(found, edges, "an edge is a step");
        }
        let label = |state: &Vec<u32>| (self.valuation)(state);
        let labels: BTreeSet<u64> = initial.iter().map(label).collect();
        let known: BTreeSet<u64> = self.initial.iter().map(|first| self.labels[*first]).collect();
        assert_eq!(labels, known);
        for &first in &self.initial {
            let own = initial.iter().filter(|state| label(state) == self.labels[first]);
            let own: States = own.cloned().collect();
            let aggregate = self.close(&own, transitions, external);
            assert!(self.is_compatible(&aggregate, &own));
            self.check_identity(first, &aggregate, external);
        }
    }

    /// Compares the runs of the system, up to stuttering, with those of the extended graph.
    fn check_stuttering(&self, extended: &Kripke) {
        let initial = self.initial_states();
        let all: Vec<Vec<u32>> =
            reachable(self.system, initial.clone(), |_, _| true).into_iter().collect();
        let number: BTreeMap<&Vec<u32>, usize> = all.iter().zip(0..).collect();
        let offset = all.len();
        let mut labels: Vec<u64> = all.iter().map(|state| (self.valuation)(state)).collect();
        let mut edges: Vec<Vec<usize>> = Vec::new();
        for state in &all {
            let next = successors(self.system, state);
            edges.push(match next.is_empty() && self.deadlock == Deadlock::Stutter {
                true => vec![number[state]],
                false => next.iter().map(|next| number[next]).collect(),
            });
        }
        let names = 0..extended.propositions().len();
        for state in extended.states() {
            let holding = names.clone().filter(|name| extended.holds(state, *name));
            labels.push(holding.fold(0, |label, name| label | 1 << name));
            edges.push(extended.edges_from(state).map(|next| offset + next.0 as usize).collect());
        }
        // For both graphs, sets of states that the same words lead to, in which words have no
        // repetitions, and whether a run may stay there for ever.
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
        let right: Vec<usize> =
            extended.initial_states().map(|state| offset + state.0 as usize).collect();
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

/// Makes the whole graph, and checks it. In nets, transitions are what leads from one aggregate to the
/// next in graphs by transition.
fn check(
    system: &Arc<dyn System>,
    texts: &[&str],
    by: By,
    chosen: Option<&[usize]>,
    deadlock: Deadlock,
) {
    let manager = Manager::new(sempre_diagrams::Options::default());
    let encoding = Encoding::new(&manager, system, &Order::Best).unwrap();
    let propositions = Propositions::compile(system.names(), texts.iter().copied()).unwrap();
    let observation = Observation::new(&encoding, propositions.clone(), deadlock);
    let observation = observation.with_external(chosen.unwrap_or_default());
    let mut sog = Sog::new(&observation, by, true).unwrap();
    let names: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let extended = sog.extended(&observation, &names).unwrap().unwrap();
    let count = sog.aggregates().len() as u32;
    let origins = encoding.origins();
    let edge = |edge: &Edge| (edge.event.map(|event| origins[event] as u32), edge.target as usize);
    let edges = (0..count).map(|a| sog.edges(&observation, a).unwrap());
    let edges = edges.map(|edges| edges.iter().map(edge).collect()).collect();
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
        deadlock,
    };
    match (by, chosen) {
        (By::Label, _) => plain.check_by_label(),
        (By::Transition, None) => plain.check_aggregates(),
        (By::Transition, Some(_)) => {
            let loud = observation.loud_events();
            let external: BTreeSet<u32> = loud.iter().map(|e| origins[*e] as u32).collect();
            let external: Vec<u32> = external.into_iter().collect();
            let transitions = 0..system.events().unwrap().event_count() as u32;
            plain.check_by_transition(&external, &transitions.collect::<Vec<_>>());
        }
    }
    plain.check_stuttering(&extended);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn observation_graphs_of_nets_keep_the_definition(
        net in net(),
        external in 0..3_usize,
        ignore: bool,
    ) {
        let deadlock = if ignore { Deadlock::Ignore } else { Deadlock::Stutter };
        let model = Model::from(net);
        let compare = |system: &Arc<dyn System>| {
            for texts in [&["p0", "p1 + p2 < p3"][..], &["p2 >= 2", "deadlock"], &[]] {
                check(system, texts, By::Label, None, deadlock);
                check(system, texts, By::Transition, Some(&[]), deadlock);
                check(system, texts, By::Transition, Some(&[external]), deadlock);
            }
            Ok(())
        };
        model.run(Extent::Whole, compare).unwrap();
    }

    #[test]
    fn observation_graphs_of_structures_keep_the_definition(structure in structure()) {
        let system: Arc<dyn System> = Arc::new(structure);
        for by in [By::Label, By::Transition] {
            check(&system, &["a", "b"], by, None, Deadlock::Stutter);
        }
    }
}

/// The definition asks a loop of an aggregate for one circuit from which all that leaves the aggregate
/// can be reached. Here the same transition closes two, and neither leads to the other.
#[test]
fn a_loop_may_stand_for_several_circuits() {
    let net = languages::named("net").unwrap();
    let model: Model = net.read("pl p (1)  tr t p -> q a  tr u p -> q b  tr v q -> q").unwrap();
    let system = model.system();
    check(&system, &[], By::Transition, Some(&[2]), Deadlock::Stutter);
    let manager = Manager::new(sempre_diagrams::Options::default());
    let encoding = Encoding::new(&manager, &system, &Order::Best).unwrap();
    let observation = Observation::new(&encoding, Propositions::default(), Deadlock::Stutter);
    let observation = observation.with_external(&[2]);
    let mut sog = Sog::new(&observation, By::Transition, true).unwrap();
    sog.complete(&observation).unwrap();
    let loops = sog.edges(&observation, 0).unwrap();
    assert_eq!(loops.iter().map(|edge| edge.target).collect::<Vec<_>>(), [0]);
    let states = sog.states(0).unwrap();
    for state in states.iter() {
        let one = manager.tuple(&state);
        let next = encoding.events.image(&one);
        assert!(next == one || next.count() == 2u32.into(), "circuits are single states");
    }
}

/// Checks the graphs of both kinds, and those in which the first event is external.
fn check_all(system: &Arc<dyn System>, texts: &[&str]) {
    let is_net = system.events().is_some_and(|events| events.demands(0).is_some());
    for deadlock in [Deadlock::Stutter, Deadlock::Ignore] {
        check(system, texts, By::Label, None, deadlock);
        for chosen in [&[][..], &[0]] {
            check(system, texts, By::Transition, is_net.then_some(chosen), deadlock);
        }
    }
}

/// The graphs whose sizes are known from the documents, and those of their traps.
#[test]
fn graphs_of_the_documents_keep_the_definition() {
    let philosophers = Model::from(generate::family("philosophers").unwrap().net(2).unwrap());
    check_all(&philosophers.system(), &["wants_left_0", "wants_right_0", "eats_0"]);
    let net = languages::named("net").unwrap();
    let dead_ends: Model = net.read("pl p (1)  tr t p -> q  tr u p -> r").unwrap();
    check_all(&dead_ends.system(), &["q", "r"]);
    let example = "init s0; propositions a b;
        state s0: a -> s1 s4; state s1: a -> s2; state s2: a -> s3; state s3: a -> s1;
        state s4: a b -> s5; state s5 -> s6; state s6: b -> s7; state s7: a -> s4;";
    let example: Arc<dyn System> = Arc::new(sempre_models::kripke::text::parse(example).unwrap());
    check_all(&example, &["a", "b"]);
    check_all(&example, &["b"]);
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
