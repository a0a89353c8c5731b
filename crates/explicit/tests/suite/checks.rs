//! Compares all checks on random systems and formulas with an explicitly built product.

use proptest::prelude::*;
use sempre_automata::arbitrary::{Size, automaton_with};
use sempre_automata::scc::Sccs;
use sempre_automata::strength::Way;
use sempre_automata::{Alphabet, Automaton, Marks, Named, StateId, emptiness, product};
use sempre_check::{
    AutomatonProperty, Behaviours, Control, Cost, Deadlock, Limits, Question, Reason, Unknown,
    Verdict,
};
use sempre_explicit::emptiness::Check;
use sempre_explicit::store::{Arena, Store, Tree};
use sempre_explicit::{Options, SearchOrder, StateSpace, check, verify};
use sempre_ltl::Formula;
use sempre_ltl::rewrite::substitute;
use sempre_models::expression::Expr;
use sempre_models::layout::{Field, Layout};
use sempre_models::{
    ActionId, Expander, Fault, Meaning, Names, Scope, Successors, System, VariableId,
};
use sempre_translate::Translator;
use std::sync::Arc;

/// A small system; the bits of labels are the propositions `a`, `b` and `c`.
#[derive(Clone, Debug)]
pub(crate) struct Digraph {
    pub(crate) edges: Vec<Vec<u32>>,
    pub(crate) labels: Vec<u8>,
    pub(crate) initial: Vec<u32>,
}

impl Digraph {
    fn field(&self) -> Field {
        Layout::default().field(0, self.edges.len() as i64)
    }

    /// Makes `c` true exactly in deadlocks.
    fn label_deadlocks(&mut self) {
        for (label, targets) in self.labels.iter_mut().zip(&self.edges) {
            *label = *label & 3 | u8::from(targets.is_empty()) << 2;
        }
    }
}

impl Scope for Digraph {
    fn resolve(&self, name: &str) -> Option<Meaning> {
        let bit = ["a", "b", "c"].iter().position(|known| *known == name)?;
        let mut table: Vec<i64> = self.labels.iter().map(|l| i64::from(l >> bit & 1)).collect();
        table.resize(self.field().greatest() as usize + 1, 0);
        Some(Meaning::Value(Expr::Table(self.field(), Arc::from(table))))
    }

    fn fireable(&self, _: &str) -> Option<Expr> {
        None
    }

    fn value_names(&self) -> Vec<String> {
        ["a", "b", "c"].map(str::to_owned).into()
    }

    fn action_names(&self) -> Vec<String> {
        vec![]
    }
}

impl System for Digraph {
    fn words(&self) -> usize {
        1
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        Ok(self.initial.iter().map(|state| Box::from([*state])).collect())
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(self)
    }

    fn names(&self) -> &dyn Names {
        self
    }
}

impl Expander for &Digraph {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        for (number, target) in self.edges[state[0] as usize].iter().enumerate() {
            successors.push(ActionId(number as u32), &[*target]);
        }
        Ok(())
    }
}

impl Names for Digraph {
    fn action_name(&self, action: ActionId) -> String {
        format!("e{}", action.0)
    }

    fn variable_count(&self) -> usize {
        1
    }

    fn variable_name(&self, _: VariableId) -> String {
        "state".into()
    }

    fn value(&self, state: &[u32], _: VariableId) -> i64 {
        i64::from(state[0])
    }
}

pub(crate) fn digraphs() -> impl Strategy<Value = Digraph> {
    (1usize..8).prop_flat_map(|states| {
        let node = 0..states as u32;
        (
            prop::collection::vec(prop::collection::vec(node.clone(), 0..3), states),
            prop::collection::vec(0u8..8, states),
            prop::collection::vec(node, 1..3),
        )
            .prop_map(|(edges, labels, initial)| Digraph { edges, labels, initial })
    })
}

/// Weak automata with several states in most SCCs.
fn weak_automata() -> impl Strategy<Value = Automaton> {
    let size = Size { states: 5, props: 2, marks: 1, degree: 3 };
    let alphabet = Alphabet::new(["a", "b"]).unwrap();
    automaton_with(alphabet, Just(Named::Buchi.acceptance()), size).prop_map(|automaton| {
        let sccs = Sccs::of(&automaton);
        let mut builder = automaton.edit();
        builder.retain_edges(|source, edge| {
            let marked = sccs.component(source).is_some_and(|scc| scc.index() % 2 == 0);
            edge.marks = if marked { Marks::all(1) } else { Marks::EMPTY };
            true
        });
        builder.build()
    })
}

/// True if some run violates the formula, by the product of two automata.
pub(crate) fn is_violated(system: &Digraph, formula: &Formula, deadlock: Deadlock) -> bool {
    let negation = Translator::new().translate(&Formula::not(formula.clone()));
    meets(system, &negation, deadlock)
}

/// True if the automaton accepts the word of some run.
pub(crate) fn meets(system: &Digraph, automaton: &Automaton, deadlock: Deadlock) -> bool {
    let alphabet = Arc::new(Alphabet::new(["a", "b", "c"]).unwrap());
    let mut builder = Automaton::builder(alphabet.clone());
    builder.add_states(system.edges.len());
    for state in &system.initial {
        builder.initial(StateId::new(*state as usize));
    }
    for (state, targets) in system.edges.iter().enumerate() {
        let label = system.labels[state];
        let cube: Vec<(usize, bool)> = (0..3).map(|bit| (bit, label >> bit & 1 == 1)).collect();
        let label = alphabet.from_cube(&cube);
        let mut targets: Vec<usize> = targets.iter().map(|target| *target as usize).collect();
        if targets.is_empty() && deadlock == Deadlock::Stutter {
            targets.push(state);
        }
        for target in targets {
            builder.edge(StateId::new(state), label, Marks::EMPTY, StateId::new(target));
        }
    }
    !emptiness::is_empty(&product::intersection(&builder.build(), automaton))
}

fn ask(system: &Digraph, formula: &Formula, deadlock: Deadlock) -> Question {
    Question::new(Arc::new(system.clone()), formula, deadlock).unwrap()
}

fn negation(formula: &Formula) -> sempre_testing::Negation {
    Translator::new().translate(&Formula::not(formula.clone())).into()
}

/// Checks, judges the counterexample, and returns whether the property is violated; `None` if the
/// check is not applicable.
fn checked<T: Store>(
    system: &Digraph,
    formula: &Formula,
    deadlock: Deadlock,
    options: &Options,
) -> Option<bool> {
    let outcome = match check(
        &mut StateSpace::<T>::for_one_property(system),
        &ask(system, formula, deadlock),
        &negation(formula),
        options,
        &Control::default(),
    ) {
        Ok(outcome) => outcome,
        Err(refusal) => {
            assert!(options.emptiness.is_some(), "{refusal}");
            return None;
        }
    };
    match &outcome.verdict {
        Verdict::Holds => Some(false),
        Verdict::Violated => {
            outcome.counterexample().unwrap().judge(system, formula, deadlock).unwrap();
            Some(true)
        }
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_checks_agree(
        system in digraphs(),
        formula in sempre_ltl::arbitrary::formula(12),
        ignore in any::<bool>(),
    ) {
        let deadlock = if ignore { Deadlock::Ignore } else { Deadlock::Stutter };
        let expected = is_violated(&system, &formula, deadlock);
        let mut fitting = 0;
        let checks = Check::ALL.iter().map(|(_, check)| Some(*check)).chain([None]);
        for (emptiness, decompose) in checks.flat_map(|check| [(check, None), (check, Some(Way::Inherent))]) {
            let options = Options { emptiness, decompose, ..Options::default() };
            if let Some(violated) = checked::<Arena>(&system, &formula, deadlock, &options) {
                prop_assert_eq!(violated, expected, "{:?}", options);
                fitting += 1;
            }
        }
        prop_assert!(fitting >= 18, "{fitting}");
        let options = Options { shortest: true, ..Options::default() };
        prop_assert_eq!(checked::<Tree>(&system, &formula, deadlock, &options), Some(expected));
        // Shortened runs are judged as well, and are not longer.
        let (negation, question) = (negation(&formula), ask(&system, &formula, deadlock));
        let control = Control::default();
        let mut space = StateSpace::<Arena>::new(&system);
        let whole = check(&mut space, &question, &negation, &options, &control).unwrap();
        let folded = verify(&mut space, &question, &options, &control).unwrap();
        let length = |outcome: &sempre_check::Outcome| {
            outcome.counterexample().map(|run| run.prefix.len() + run.cycle.len())
        };
        prop_assert_eq!(length(&whole).is_some(), length(&folded).is_some());
        prop_assert!(length(&folded) <= length(&whole));
    }

    #[test]
    fn properties_share_a_state_space(
        system in digraphs(),
        formulas in prop::collection::vec(sempre_ltl::arbitrary::formula(10), 2..5),
        ignore in any::<bool>(),
        states in prop::option::of(1u64..9),
        about_deadlocks in any::<bool>(),
    ) {
        let mut system = system;
        if about_deadlocks {
            system.label_deadlocks();
        }
        let deadlock = if ignore { Deadlock::Ignore } else { Deadlock::Stutter };
        let control = Control::new(Limits { states, ..Limits::default() });
        let mut shared = StateSpace::<Arena>::new(&system);
        for (original, (_, emptiness)) in formulas.iter().zip(Check::ALL.iter().cycle()) {
            let formula = &match about_deadlocks {
                true => substitute(original, |name| match name.name() {
                    "c" => r#""deadlock""#.parse().unwrap(),
                    _ => Formula::prop(name.clone()),
                }),
                false => original.clone(),
            };
            let (negation, question) = (negation(formula), ask(&system, formula, deadlock));
            let options = Options { emptiness: Some(*emptiness), ..Options::default() };
            let fresh = &mut StateSpace::<Tree>::for_one_property(&system);
            let alone = check(fresh, &question, &negation, &options, &control);
            let together = check(&mut shared, &question, &negation, &options, &control);
            let (Ok(alone), Ok(together)) = (alone, together) else { continue };
            let violated = match &together.verdict {
                Verdict::Unknown(_) => {
                    let too_many = Verdict::Unknown(Unknown::Limit(Reason::States));
                    prop_assert_eq!(&together.verdict, &too_many);
                    prop_assert_eq!(&alone.verdict, &too_many);
                    continue;
                }
                Verdict::Holds => false,
                Verdict::Violated => {
                    together.counterexample().unwrap().judge(&system, formula, deadlock).unwrap();
                    true
                }
            };
            prop_assert_eq!(violated, is_violated(&system, original, deadlock));
            // The result does not depend on earlier properties.
            if alone.verdict.is_decided() {
                let cost = |cost: Cost| Cost { bytes: 0, ..cost };
                prop_assert_eq!(cost(together.cost), cost(alone.cost));
            }
            prop_assert!(states.is_none_or(|most| shared.states() as u64 <= most));
        }
    }

    /// Random weak automata reach many states of the system with several accepting states, unlike
    /// those of most formulas.
    #[test]
    fn threads_agree_on_weak_automata(system in digraphs(), erroneous in weak_automata()) {
        for deadlock in [Deadlock::Stutter, Deadlock::Ignore] {
            let expected = meets(&system, &erroneous, deadlock);
            let property = AutomatonProperty::new(erroneous.clone(), Behaviours::Erroneous);
            let question = Question::of(Arc::new(system.clone()), property.into(), deadlock);
            let question = question.unwrap();
            let negation = erroneous.clone().into();
            for (threads, emptiness) in [(1, None), (1, Some(Check::Weak)), (2, None), (3, None)] {
                let order = match threads {
                    1 => SearchOrder::default(),
                    _ => SearchOrder::on_threads(threads),
                };
                let options = Options { order, emptiness, ..Options::default() };
                let mut space = StateSpace::<Arena>::new(&system);
                let control = Control::default();
                let outcome = check(&mut space, &question, &negation, &options, &control).unwrap();
                prop_assert_eq!(outcome.verdict == Verdict::Violated, expected, "{:?}", options);
                if let Some(run) = outcome.counterexample() {
                    question.judge(run).unwrap();
                }
            }
        }
    }

    #[test]
    fn threads_agree(
        system in digraphs(),
        formula in sempre_ltl::arbitrary::formula(12),
        ignore in any::<bool>(),
        decompose in any::<bool>(),
        shortest in any::<bool>(),
    ) {
        let deadlock = if ignore { Deadlock::Ignore } else { Deadlock::Stutter };
        let expected = is_violated(&system, &formula, deadlock);
        for threads in [2, 3] {
            let order = SearchOrder::on_threads(threads);
            let decompose = decompose.then_some(Way::Inherent);
            let options = Options { order, decompose, shortest, ..Options::default() };
            let violated = checked::<Arena>(&system, &formula, deadlock, &options);
            prop_assert_eq!(violated, Some(expected));
            let violated = checked::<Tree>(&system, &formula, deadlock, &options);
            prop_assert_eq!(violated, Some(expected));
        }
    }
}

/// The parts of a result that must not depend on threads: the verdict, the run and the counts.
fn result_on_threads(system: &Digraph, text: &str, threads: usize) -> String {
    let formula: Formula = text.parse().unwrap();
    let order = SearchOrder::LevelByLevel { threads };
    let options = Options { order, ..Options::default() };
    let question = ask(system, &formula, Deadlock::Stutter);
    let negation = negation(&formula);
    let mut space = StateSpace::<Arena>::new(system);
    let found = check(&mut space, &question, &negation, &options, &Control::default()).unwrap();
    if let Some(run) = found.counterexample() {
        run.judge(system, &formula, Deadlock::Stutter).unwrap();
    }
    let cost = Cost { bytes: 0, ..found.cost.clone() };
    format!("{:?} {:?} {cost:?}", found.verdict, found.counterexample())
}

/// Terminal and weak properties with many counterexamples on the same level.
#[test]
fn results_do_not_depend_on_threads() {
    let grid = grid(0);
    // From each of 64 states three others, so that paths and cycles abound.
    let edges: Vec<Vec<u32>> =
        (0..64u32).map(|s| vec![(s * 5 + 1) % 64, (s * 7 + 3) % 64, (s + 9) % 64]).collect();
    let labels = (0..64u8).map(|s| u8::from(s % 7 == 3) | u8::from(s % 5 == 0) << 1).collect();
    let dense = Digraph { edges, labels, initial: vec![0, 31] };
    for text in ["G !a", "G(b -> X !a)", "F(a & b)", "G F a -> G b", "F G !b", "F(b & X a)"] {
        for system in [&grid, &dense] {
            let one = result_on_threads(system, text, 1);
            for threads in [2, 2, 3, 2, 3] {
                assert_eq!(result_on_threads(system, text, threads), one, "{text}");
            }
        }
    }
}

#[test]
fn deadlocks_are_reported_whatever_the_formula() {
    let edges = vec![vec![1], vec![0, 2], vec![]];
    let system = Digraph { edges, labels: vec![0; 3], initial: vec![0] };
    for formula in ["1", "G !a", "a"] {
        let formula: Formula = formula.parse().unwrap();
        let found = checked::<Arena>(&system, &formula, Deadlock::Report, &Options::default());
        assert_eq!(found, Some(true), "{formula}");
    }
}

/// A grid of 60 × 60 states with two edges from each towards the last corner, where `a` holds and
/// an edge leads to `back`.
fn grid(back: u32) -> Digraph {
    let side = 60;
    let edges = (0..side * side).map(|state| {
        let (row, column) = (state / side, state % side);
        let mut targets = Vec::new();
        targets.extend((row + 1 < side).then_some(state + side));
        targets.extend((column + 1 < side).then_some(state + 1));
        if targets.is_empty() { vec![back] } else { targets }
    });
    let edges: Vec<Vec<u32>> = edges.collect();
    let mut labels = vec![0; edges.len()];
    *labels.last_mut().unwrap() = 1;
    Digraph { edges, labels, initial: vec![0] }
}

#[test]
fn many_marks_are_too_many_for_an_edge() {
    let system = grid(0);
    for count in [32, 33, 70] {
        let mut builder = Automaton::builder(Arc::new(Alphabet::new(["a"]).unwrap()));
        builder.acceptance(sempre_automata::Named::GeneralizedBuchi(count).acceptance());
        let only = builder.add_state();
        builder.initial(only);
        let tt = builder.alphabet().tt();
        builder.edge(only, tt, Marks::all(count), only);
        let negation = builder.build().into();
        let question = ask(&system, &"G a".parse().unwrap(), Deadlock::Stutter);
        for (name, emptiness) in Check::ALL {
            let options = Options { emptiness: Some(emptiness), ..Options::default() };
            let mut space = StateSpace::<Arena>::new(&system);
            let outcome = check(&mut space, &question, &negation, &options, &Control::default());
            let is_violated = outcome.is_ok_and(|outcome| outcome.verdict == Verdict::Violated);
            assert!(is_violated, "{name} with {count} marks");
        }
    }
}

#[test]
fn successors_are_stored_for_repeated_visits() {
    let system = grid(0);
    // With one state of the automaton; with several.
    for (text, is_kept) in [("G !(a & b)", false), ("G (a -> X !a)", true), ("F G !(a & b)", true)]
    {
        let formula: Formula = text.parse().unwrap();
        let question = ask(&system, &formula, Deadlock::Stutter);
        let holds = |mut space: StateSpace<'_, Arena>| {
            let (options, control) = (Options::default(), Control::default());
            let outcome = check(&mut space, &question, &negation(&formula), &options, &control);
            let outcome = outcome.unwrap();
            assert_eq!(outcome.verdict, Verdict::Holds, "{text}");
            outcome.cost
        };
        let shared = holds(StateSpace::new(&system));
        let alone = holds(StateSpace::for_one_property(&system));
        assert_eq!((alone.states, alone.transitions), (shared.states, shared.transitions));
        assert_eq!(alone.bytes == shared.bytes, is_kept, "{text}");
        assert!(alone.bytes <= shared.bytes, "{text}");
    }
}

#[test]
fn threads_agree_with_one_thread() {
    // (formula, algorithm, whether it is violated)
    let cases = [
        ("G !a", "terminal BFS", true),
        ("G (a -> X !a)", "terminal BFS", false),
        ("F a", "weak DFS", false),
    ]
    .into_iter()
    .chain([("F G !a", "couvreur(shy,compressed)", true), ("F (b | X b)", "weak DFS", true)]);
    let system = grid(0);
    for (text, algorithm, is_violated) in cases {
        let formula: Formula = text.parse().unwrap();
        let question = ask(&system, &formula, Deadlock::Stutter);
        let run = |threads| {
            let order = SearchOrder::on_threads(threads);
            let options = Options { order, ..Options::default() };
            check(
                &mut StateSpace::<Arena>::new(&system),
                &question,
                &negation(&formula),
                &options,
                &Control::default(),
            )
            .unwrap()
        };
        let (one, two) = (run(1), run(2));
        assert_eq!(one.provenance.algorithms, [algorithm], "{text}");
        let threads = if algorithm.starts_with("couvreur") { 1 } else { 2 };
        assert_eq!(two.provenance.threads, threads, "{text}");
        if let Some(run) = two.counterexample() {
            run.judge(&system, &formula, Deadlock::Stutter).unwrap();
        }
        assert_eq!(two.verdict == Verdict::Violated, is_violated, "{text}");
        if !is_violated {
            assert_eq!(two.verdict, Verdict::Holds, "{text}");
            let (one, two) = (one.cost, two.cost);
            assert_eq!(one.states, two.states, "{text}");
            // One thread does not expand states where the automaton has no enabled edge.
            assert!(one.transitions <= two.transitions, "{text}");
            assert_eq!(one.stored, two.stored, "{text}");
        }
    }
}

#[test]
fn threads_end_at_limits() {
    let system = grid(0);
    for text in ["G !c", "F a"] {
        let formula: Formula = text.parse().unwrap();
        let question = ask(&system, &formula, Deadlock::Stutter);
        let options = Options { order: SearchOrder::on_threads(2), ..Options::default() };
        let cases = [
            (Limits { states: Some(100), ..Limits::default() }, Reason::States),
            (Limits { bytes: Some(10_000), ..Limits::default() }, Reason::Memory),
        ];
        for (limits, expected) in cases {
            let outcome = check(
                &mut StateSpace::<Arena>::new(&system),
                &question,
                &negation(&formula),
                &options,
                &Control::new(limits),
            )
            .unwrap();
            assert_eq!(outcome.verdict, Verdict::Unknown(Unknown::Limit(expected)), "{text}");
        }
    }
}

#[test]
fn a_violation_remains_if_a_shorter_one_is_beyond_the_limit() {
    // A cycle of three states beside a chain that is too long for the limit.
    let mut edges: Vec<Vec<u32>> = (0..100u32).map(|state| vec![(state + 1).min(99)]).collect();
    edges[0] = vec![1, 98];
    edges[98] = vec![0];
    let labels = (0..100).map(|state| u8::from(state == 98)).collect();
    let system = Digraph { edges, labels, initial: vec![0] };
    let formula: Formula = "F G a".parse().unwrap();
    let control = Control::new(Limits { states: Some(10), ..Limits::default() });
    let options = Options { shortest: true, ..Options::default() };
    let mut space = StateSpace::<Arena>::new(&system);
    let question = ask(&system, &formula, Deadlock::Stutter);
    let outcome = check(&mut space, &question, &negation(&formula), &options, &control).unwrap();
    let run = outcome.counterexample().expect("a violation");
    run.judge(&system, &formula, Deadlock::Stutter).unwrap();
}

#[test]
fn shortest_runs_are_shortened() {
    // One process that stays for ever, or goes to `b` and then to `c`.
    let edges = vec![vec![0, 1], vec![2], vec![]];
    let waiting = Digraph { edges, labels: vec![1, 2, 4], initial: vec![0] };
    // One process that waits for another, which runs in a circle.
    let edges = vec![vec![1, 2], vec![2], vec![3], vec![4], vec![2]];
    let round = Digraph { edges, labels: vec![0, 2, 1, 1, 1], initial: vec![0] };
    let cases = [
        (&waiting, "G(a -> X b) | G F c", (0, 1)),
        (&waiting, "G !c", (2, 1)),
        (&round, "G(a -> F b)", (1, 3)),
        (&round, "G F b", (1, 3)),
    ];
    for (system, formula, expected) in cases {
        let formula: Formula = formula.parse().unwrap();
        let mut space = StateSpace::<Arena>::for_one_property(system);
        let options = Options { shortest: true, ..Options::default() };
        let question = ask(system, &formula, Deadlock::Stutter);
        let outcome = verify(&mut space, &question, &options, &Control::default()).unwrap();
        let run = outcome.counterexample().expect("a violation");
        run.judge(system, &formula, Deadlock::Stutter).unwrap();
        assert_eq!((run.prefix.len(), run.cycle.len()), expected, "{formula}");
    }
}
