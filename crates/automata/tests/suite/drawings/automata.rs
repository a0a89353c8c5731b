//! The automata that the tests draw; the pictures are shown in the documentation.

use sempre_automata::{
    Alphabet, AlternatingAutomaton, Automaton, AutomatonBuilder, Marks, Named, Parity, ParityKind,
    StateId,
};

/// An automaton from its edges: source, label, marks, target.
fn automaton(
    name: &str,
    props: &[&str],
    acceptance: Named,
    edges: &[(usize, &str, &[u32], usize)],
) -> AutomatonBuilder {
    let mut builder = Automaton::builder(Alphabet::new(props.iter().copied()).unwrap());
    builder.acceptance(acceptance.acceptance()).name(name);
    let states = edges.iter().map(|edge| edge.0.max(edge.3) + 1).max().unwrap();
    builder.add_states(states);
    builder.initial(StateId::new(0));
    for &(source, label, marks, target) in edges {
        let label = builder.alphabet().from_formula(&label.parse().unwrap()).unwrap();
        let marks = marks.iter().copied().collect::<Marks>();
        builder.edge(StateId::new(source), label, marks, StateId::new(target));
    }
    builder
}

/// Infinitely often a, with one state.
fn recurrence() -> Automaton {
    let edges: [(usize, &str, &[u32], usize); 2] = [(0, "a", &[0], 0), (0, "!a", &[], 0)];
    automaton("GFa", &["a"], Named::Buchi, &edges).build()
}

/// State-based Büchi acceptance: some a, and b from then on; with a sink.
fn persistence() -> Automaton {
    let edges: [(usize, &str, &[u32], usize); 6] = [
        (0, "1", &[], 0),
        (0, "a & b", &[], 1),
        (1, "b", &[0], 1),
        (1, "!b", &[0], 2),
        (2, "1", &[], 2),
        (0, "!a & !b", &[], 2),
    ];
    let mut builder = automaton("F(a & Gb)", &["a", "b"], Named::Buchi, &edges);
    builder.state_name(StateId::new(0), "F(a & Gb)");
    builder.state_name(StateId::new(1), "Gb");
    builder.build()
}

/// Two marks: 0 on the letters with a, 1 on those with b. The state records whether b held last.
fn two_recurrences() -> Automaton {
    let edges: [(usize, &str, &[u32], usize); 8] = [
        (0, "a & b", &[0, 1], 0),
        (0, "!a & b", &[1], 0),
        (0, "a & !b", &[0], 1),
        (0, "!a & !b", &[], 1),
        (1, "a & b", &[0, 1], 0),
        (1, "!a & b", &[1], 0),
        (1, "a & !b", &[0], 1),
        (1, "!a & !b", &[], 1),
    ];
    let name = "GFa & GFb";
    automaton(name, &["a", "b"], Named::GeneralizedBuchi(2), &edges).build()
}

/// Five colours: requests have priorities.
fn parity() -> Automaton {
    let parity = Parity { kind: ParityKind::Max, odd: false, marks: 5 };
    let edges: [(usize, &str, &[u32], usize); 12] = [
        (0, "!low & !high", &[0], 0),
        (0, "low & !high", &[1], 1),
        (0, "high", &[3], 2),
        (1, "grant", &[2], 0),
        (1, "!grant & !high", &[1], 1),
        (1, "!grant & high", &[3], 3),
        (2, "grant", &[4], 0),
        (2, "!grant & !low", &[3], 2),
        (2, "!grant & low", &[3], 3),
        (3, "grant & !low", &[4], 1),
        (3, "grant & low", &[4, 2], 0),
        (3, "!grant", &[3], 3),
    ];
    let props = ["low", "high", "grant"];
    automaton("requests with priorities", &props, Named::Parity(parity), &edges).build()
}

/// Ten states, long labels, components of all strengths.
fn protocol() -> Automaton {
    let edges: [(usize, &str, &[u32], usize); 21] = [
        (0, "!request", &[], 0),
        (0, "request & !busy", &[], 1),
        (0, "request & busy", &[], 2),
        (1, "accepted & !timeout", &[], 3),
        (1, "timeout", &[], 2),
        (2, "!busy & retry | busy & reset & retry", &[], 1),
        (2, "busy & !reset", &[], 2),
        (2, "reset & !retry", &[], 9),
        (3, "1", &[], 4),
        (4, "data & !accepted", &[], 5),
        (5, "accepted", &[1], 6),
        (6, "data", &[], 4),
        (5, "!accepted & !timeout", &[], 5),
        (6, "!data & request & !busy | !data & retry & !timeout", &[0], 6),
        (6, "!data & timeout", &[], 7),
        (4, "timeout & !data", &[], 7),
        (7, "reset", &[], 8),
        (8, "!reset", &[0, 1], 7),
        (8, "reset & request", &[], 9),
        (9, "1", &[], 9),
        (7, "!reset & !retry", &[], 7),
    ];
    let props = ["request", "busy", "accepted", "timeout", "retry", "reset", "data"];
    let name = "a session, its retries and its end";
    let mut builder = automaton(name, &props, Named::Rabin(1), &edges);
    for (state, name) in ["idle", "open", "wait", "agreed", "send", "await ack", "sent", "stop"]
        .into_iter()
        .enumerate()
    {
        builder.state_name(StateId::new(state), name);
    }
    builder.build()
}

/// Two obligations at every letter, and at the start.
pub(crate) fn alternating() -> AlternatingAutomaton {
    let mut builder = AlternatingAutomaton::builder(Alphabet::new(["a", "b"]).unwrap());
    builder.acceptance(Named::CoBuchi.acceptance()).name("G(Fa & Fb)");
    let states: Vec<StateId> = (0..4).map(|_| builder.add_state()).collect();
    let alphabet = builder.alphabet().clone();
    builder.initial([states[0], states[1]]).initial([states[0]]);
    builder.edge(states[0], alphabet.tt(), Marks::EMPTY, [states[0], states[1], states[2]]);
    for prop in 0..2 {
        let (wait, prop) = (states[prop + 1], alphabet.prop(prop));
        builder.edge(wait, prop, Marks::EMPTY, [states[3]]);
        builder.edge(wait, alphabet.not(prop), Marks::from_iter([0]), [wait]);
    }
    builder.edge(states[3], alphabet.tt(), Marks::EMPTY, [states[3]]);
    builder.build()
}

/// The nondeterministic ones, with the names of their pictures and whether components are shown.
pub(crate) fn all() -> [(&'static str, Automaton, bool); 5] {
    [
        ("recurrence", recurrence(), false),
        ("persistence", persistence(), true),
        ("two-recurrences", two_recurrences(), false),
        ("parity", parity(), false),
        ("protocol", protocol(), true),
    ]
}
