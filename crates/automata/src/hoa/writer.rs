//! Writes automata.

use crate::acceptance::{Acceptance, Named};
use crate::alternating::{AlternatingAutomaton, AnyAutomaton};
use crate::automaton::Automaton;
use crate::headers::Headers;
use crate::index::StateId;
use crate::label::{Alphabet, Label};
use crate::marks::Marks;
use rustc_hash::FxHashMap;
use std::io::{self, Write};

/// Options for writing automata.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// The position of acceptance sets.
    pub marks: MarksOn,
    /// Omits labels and writes an edge for each letter, if the automaton is deterministic and
    /// complete and has at most 16 propositions.
    pub implicit_labels: bool,
    /// Writes the names of states.
    pub state_names: bool,
    /// Writes the tool that created the automaton, declared properties and unknown headers.
    pub headers: bool,
    /// Computes and writes what else is true of the automaton: `semi-deterministic`,
    /// `cut-deterministic`, `unambiguous`, `very-weak`, and the strongest of `terminal`, `weak` and
    /// `inherently-weak`. Automata with more than 10,000 states keep what their headers declare;
    /// ambiguity is left out beyond 100.
    pub computed: bool,
}

/// The position of acceptance sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarksOn {
    /// On states if all edges of each state have the same sets, otherwise on edges.
    StatesIfPossible,
    /// On edges.
    Edges,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            marks: MarksOn::StatesIfPossible,
            implicit_labels: false,
            state_names: true,
            headers: true,
            computed: false,
        }
    }
}

/// Properties that are computed on request.
const COMPUTED: [&str; 7] = [
    "semi-deterministic",
    "cut-deterministic",
    "unambiguous",
    "very-weak",
    "terminal",
    "weak",
    "inherently-weak",
];

/// Larger automata are not looked into.
const MAX_COMPUTED: usize = 10_000;

/// Ambiguity is decided on pairs of states, up to this many states.
const MAX_PAIRED: usize = 100;

/// The maximal number of propositions for an edge per letter.
const MAX_IMPLICIT: usize = 16;

/// The size at which buffered text is written.
const CHUNK: usize = 1 << 16;

/// Returns the automaton as text.
///
/// ```
/// use sempre_automata::hoa;
/// let text = "HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0)
/// --BODY-- State: [0] 0 {0} 0 1 State: [!0] 1 0 1 --END--";
/// let automaton = hoa::parse(text).unwrap();
/// assert_eq!(hoa::to_string(&automaton, &Default::default()), "\
/// HOA: v1
/// States: 2
/// Start: 0
/// AP: 1 \"a\"
/// acc-name: Buchi
/// Acceptance: 1 Inf(0)
/// properties: trans-labels explicit-labels state-acc
/// --BODY--
/// State: 0 {0}
/// [0] 0
/// [0] 1
/// State: 1
/// [!0] 0
/// [!0] 1
/// --END--
/// ");
/// ```
pub fn to_string(automaton: &impl Writable, options: &WriteOptions) -> String {
    let mut text = vec![];
    if write(&mut text, automaton, options).is_err() {
        unreachable!("writing to memory does not fail");
    }
    String::from_utf8(text).unwrap_or_else(|_| unreachable!("names are UTF-8"))
}

/// Writes an automaton; [`Reader`](super::Reader) reads the same one back.
pub fn write<A: Writable>(
    out: &mut impl Write,
    automaton: &A,
    options: &WriteOptions,
) -> io::Result<()> {
    match automaton.view() {
        View::Nondeterministic(automaton) => write_view(out, automaton, options),
        View::Alternating(automaton) => write_view(out, automaton, options),
    }
}

/// Automata that can be written: [`Automaton`], [`AlternatingAutomaton`], [`AnyAutomaton`].
pub trait Writable: sealed::Sealed {
    #[doc(hidden)]
    fn view(&self) -> View<'_>;
}

/// The automaton to write.
#[doc(hidden)]
#[derive(Debug)]
pub enum View<'a> {
    Nondeterministic(&'a Automaton),
    Alternating(&'a AlternatingAutomaton),
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Automaton {}
    impl Sealed for super::AlternatingAutomaton {}
    impl Sealed for super::AnyAutomaton {}
}

impl Writable for Automaton {
    fn view(&self) -> View<'_> {
        View::Nondeterministic(self)
    }
}

impl Writable for AlternatingAutomaton {
    fn view(&self) -> View<'_> {
        View::Alternating(self)
    }
}

impl Writable for AnyAutomaton {
    fn view(&self) -> View<'_> {
        match self {
            AnyAutomaton::Nondeterministic(automaton) => automaton.view(),
            AnyAutomaton::Alternating(automaton) => automaton.view(),
        }
    }
}

/// The common interface of both kinds of automata for the writer.
trait Described {
    fn alphabet(&self) -> &Alphabet;
    fn acceptance(&self) -> &Acceptance;
    fn state_count(&self) -> usize;
    fn starts(&self) -> impl Iterator<Item = &[StateId]>;
    fn edges(&self, state: StateId) -> impl Iterator<Item = (&[StateId], Label, &Marks)>;
    fn name(&self) -> Option<&str>;
    fn state_name(&self, state: StateId) -> Option<&str>;
    fn headers(&self) -> &Headers;
    fn is_state_based(&self) -> bool;
    fn is_deterministic(&self) -> bool;
    fn is_complete(&self) -> bool;
    /// Whether there is universal branching, if the file should declare it.
    fn branching(&self) -> Option<bool>;
    /// Those of the computed properties that hold.
    fn computed(&self) -> Vec<&'static str>;
}

macro_rules! described {
    ($type:ty, $starts:expr, $edge:expr, $branching:expr, $computed:expr) => {
        impl Described for $type {
            fn alphabet(&self) -> &Alphabet {
                <$type>::alphabet(self)
            }
            fn acceptance(&self) -> &Acceptance {
                <$type>::acceptance(self)
            }
            fn state_count(&self) -> usize {
                <$type>::state_count(self)
            }
            fn starts(&self) -> impl Iterator<Item = &[StateId]> {
                self.initial().iter().map($starts)
            }
            fn edges(&self, state: StateId) -> impl Iterator<Item = (&[StateId], Label, &Marks)> {
                self.edges_from(state).iter().map($edge)
            }
            fn name(&self) -> Option<&str> {
                <$type>::name(self)
            }
            fn state_name(&self, state: StateId) -> Option<&str> {
                <$type>::state_name(self, state)
            }
            fn headers(&self) -> &Headers {
                <$type>::headers(self)
            }
            fn is_state_based(&self) -> bool {
                <$type>::is_state_based(self)
            }
            fn is_deterministic(&self) -> bool {
                <$type>::is_deterministic(self)
            }
            fn is_complete(&self) -> bool {
                <$type>::is_complete(self)
            }
            fn branching(&self) -> Option<bool> {
                $branching(self)
            }
            fn computed(&self) -> Vec<&'static str> {
                $computed(self)
            }
        }
    };
}

described!(
    Automaton,
    std::slice::from_ref,
    |edge| (std::slice::from_ref(&edge.target), edge.label, &edge.marks),
    |_| None,
    |automaton: &Automaton| {
        let ambiguity = !automaton.is_deterministic() && automaton.state_count() <= MAX_PAIRED;
        let terminal = automaton.is_terminal();
        let weak = terminal || automaton.is_weak();
        let holds = [
            !automaton.is_deterministic() && automaton.is_semi_deterministic(),
            !automaton.is_deterministic() && automaton.is_cut_deterministic(),
            ambiguity && automaton.is_unambiguous(),
            automaton.is_very_weak(),
            terminal,
            weak && !terminal,
            !weak && automaton.is_inherently_weak(),
        ];
        let names = COMPUTED.into_iter().zip(holds);
        names.filter_map(|(name, holds)| holds.then_some(name)).collect()
    }
);
described!(
    AlternatingAutomaton,
    |start| &start[..],
    |edge| (&edge.targets[..], edge.label, &edge.marks),
    |automaton: &AlternatingAutomaton| Some(automaton.has_universal_branching()),
    |automaton: &AlternatingAutomaton| {
        let very_weak = automaton.is_very_weak();
        if very_weak { vec!["very-weak", "weak"] } else { vec![] }
    }
);

/// The buffered text.
struct Text(Vec<u8>);

impl Text {
    fn push(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, mut number: usize) {
        let mut digits = [0u8; 20];
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.0.extend_from_slice(&digits[first..]);
    }

    fn string(&mut self, contents: &str) {
        self.0.push(b'"');
        for byte in contents.bytes() {
            if byte == b'"' || byte == b'\\' {
                self.0.push(b'\\');
            }
            self.0.push(byte);
        }
        self.0.push(b'"');
    }

    fn marks(&mut self, marks: &Marks) {
        if marks.is_empty() {
            return;
        }
        self.push(" {");
        for (place, mark) in marks.iter().enumerate() {
            if place > 0 {
                self.0.push(b' ');
            }
            self.number(mark as usize);
        }
        self.0.push(b'}');
    }

    fn conjunction(&mut self, states: &[StateId]) {
        for (place, state) in states.iter().enumerate() {
            if place > 0 {
                self.0.push(b'&');
            }
            self.number(state.index());
        }
    }

    fn label(&mut self, alphabet: &Alphabet, label: Label) {
        self.0.push(b'[');
        let cubes = alphabet.cubes(label);
        if cubes.is_empty() {
            self.0.push(b'f');
        }
        for (place, cube) in cubes.iter().enumerate() {
            sempre_ltl::interrupt::poll();
            if place > 0 {
                self.push(" | ");
            }
            if cube.is_empty() {
                self.0.push(b't');
            }
            for (place, &(prop, positive)) in cube.iter().enumerate() {
                if place > 0 {
                    self.0.push(b'&');
                }
                if !positive {
                    self.0.push(b'!');
                }
                self.number(prop);
            }
        }
        self.push("] ");
    }

    fn hand_on(&mut self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.0)?;
        self.0.clear();
        Ok(())
    }
}

fn write_view(
    out: &mut impl Write,
    automaton: &impl Described,
    options: &WriteOptions,
) -> io::Result<()> {
    let mut text = Text(Vec::with_capacity(1024));
    let state_based = options.marks == MarksOn::StatesIfPossible && automaton.is_state_based();
    let implicit = options.implicit_labels
        && automaton.alphabet().props().len() <= MAX_IMPLICIT
        && automaton.is_deterministic()
        && automaton.is_complete();
    write_header(&mut text, automaton, options, state_based, implicit);
    text.push("--BODY--\n");
    let alphabet = automaton.alphabet();
    // A cache of the texts of labels.
    let mut labels: FxHashMap<Label, (usize, usize)> = FxHashMap::default();
    let mut texts = Text(vec![]);
    for state in (0..automaton.state_count()).map(StateId::new) {
        if text.0.len() > CHUNK {
            text.hand_on(out)?;
        }
        text.push("State: ");
        text.number(state.index());
        if let Some(name) = automaton.state_name(state).filter(|_| options.state_names) {
            text.0.push(b' ');
            text.string(name);
        }
        if let (true, Some((_, _, marks))) = (state_based, automaton.edges(state).next()) {
            text.marks(marks);
        }
        text.0.push(b'\n');
        let end_edge = |text: &mut Text, targets: &[StateId], marks: &Marks| {
            text.conjunction(targets);
            if !state_based {
                text.marks(marks);
            }
            text.0.push(b'\n');
        };
        if implicit {
            for letter in 0..1u64 << alphabet.props().len() {
                sempre_ltl::interrupt::poll();
                let mut edges = automaton.edges(state);
                let edge = edges.find(|(_, label, _)| alphabet.satisfied(*label, letter));
                let (targets, _, marks) = edge.unwrap_or_else(|| unreachable!("it is complete"));
                end_edge(&mut text, targets, marks);
            }
            continue;
        }
        for (targets, label, marks) in automaton.edges(state) {
            let (start, end) = *labels.entry(label).or_insert_with(|| {
                let start = texts.0.len();
                texts.label(alphabet, label);
                (start, texts.0.len())
            });
            text.0.extend_from_slice(&texts.0[start..end]);
            end_edge(&mut text, targets, marks);
        }
    }
    text.push("--END--\n");
    text.hand_on(out)
}

fn write_header(
    text: &mut Text,
    automaton: &impl Described,
    options: &WriteOptions,
    state_based: bool,
    implicit: bool,
) {
    text.push("HOA: v1\n");
    if let Some(name) = automaton.name() {
        text.push("name: ");
        text.string(name);
        text.0.push(b'\n');
    }
    if let Some((tool, version)) = automaton.headers().tool.as_ref().filter(|_| options.headers) {
        text.push("tool: ");
        text.string(tool);
        if let Some(version) = version {
            text.0.push(b' ');
            text.string(version);
        }
        text.0.push(b'\n');
    }
    text.push("States: ");
    text.number(automaton.state_count());
    for start in automaton.starts() {
        text.push("\nStart: ");
        text.conjunction(start);
    }
    text.push("\nAP: ");
    text.number(automaton.alphabet().props().len());
    for prop in automaton.alphabet().props() {
        text.0.push(b' ');
        text.string(prop.name());
    }
    text.0.push(b'\n');
    let acceptance = automaton.acceptance();
    if let Some(name) = Named::of(acceptance) {
        text.push("acc-name: ");
        text.push(&name.to_string());
        text.0.push(b'\n');
    }
    text.push("Acceptance: ");
    text.number(acceptance.marks() as usize);
    text.0.push(b' ');
    text.push(&acceptance.condition().to_string());
    text.push("\nproperties: trans-labels ");
    text.push(if implicit { "implicit-labels" } else { "explicit-labels" });
    text.push(if state_based { " state-acc" } else { " trans-acc" });
    match automaton.branching() {
        Some(true) => text.push(" univ-branch"),
        Some(false) => text.push(" no-univ-branch"),
        None => {}
    }
    if automaton.is_deterministic() {
        text.push(" deterministic");
    }
    if automaton.is_complete() {
        text.push(" complete");
    }
    let computes = options.computed && automaton.state_count() <= MAX_COMPUTED;
    let computed = if computes { automaton.computed() } else { vec![] };
    for property in computed {
        text.0.push(b' ');
        text.push(property);
    }
    if options.headers {
        for property in &automaton.headers().properties {
            if computes && COMPUTED.contains(&property.as_str()) {
                continue;
            }
            text.0.push(b' ');
            text.push(property);
        }
    }
    text.0.push(b'\n');
    for (name, values) in automaton.headers().others.iter().filter(|_| options.headers) {
        text.push(name);
        text.push(": ");
        text.push(values);
        text.0.push(b'\n');
    }
}
