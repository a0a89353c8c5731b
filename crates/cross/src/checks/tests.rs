use super::product::global_answer;
use super::*;
use crate::faults::Fault;
use crate::participant::{Claims, Failure, Limits, Participant, Tool};
use crate::structures::{Scope, Structures};
use crate::subject::Polarity;
use crate::{Mistake, Session, Tests};
use proptest::prelude::*;
use sempre_automata::arbitrary::{Size, automaton_of};
use sempre_automata::random::{KripkeKind, RandomKripke};
use sempre_automata::transform::Property;
use sempre_automata::{Alphabet, Automaton, Kripke, Marks, Named, language, product};
use sempre_ltl::{Formula, arbitrary};
use sempre_translate::{Kind, Translator};

fn kripke(seed: u64, kind: KripkeKind, density: f64) -> Kripke {
    let random = RandomKripke::over(["a", "b", "c"]).unwrap().states(8).kind(kind);
    random.density(density).seed(seed).generate().next().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// One search for all states gives the answers of a search from each state, whatever the
    /// initial state of the structure.
    #[test]
    fn global_answers_are_local_ones(
        automaton in automaton_of(Size::default()),
        seed: u64,
        density in 0.0..0.6,
        kind in prop::sample::select(vec![KripkeKind::Graph, KripkeKind::Connected, KripkeKind::Sequential]),
    ) {
        let kripke = kripke(seed, kind, density);
        let global = global_answer(&kripke, &automaton, Scope::Global);
        for state in kripke.states() {
            let from = kripke.clone().starting_in(state);
            let alone = product::with_kripke(&from, &automaton).accepts_some();
            prop_assert_eq!(global.accepting[state.index()], alone);
            let local = global_answer(&from, &automaton, Scope::Local);
            prop_assert_eq!(local.accepting[state.index()], alone);
            prop_assert_eq!(&global_answer(&from, &automaton, Scope::Global), &global);
        }
    }

    /// The sizes are those of the product as an automaton with an initial state for each root.
    #[test]
    fn products_are_measured(automaton in automaton_of(Size::default()), seed: u64) {
        let kripke = kripke(seed, KripkeKind::Connected, 0.2);
        let local = global_answer(&kripke, &automaton, Scope::Local).sizes;
        let built = product::intersection(&kripke.to_automaton(), &automaton);
        prop_assert_eq!((local.states, local.transitions), (built.state_count(), built.edge_count()));
        prop_assert_eq!(local.sccs, sempre_automata::Sccs::of(&built).len());
    }

    /// Footnote 4 of the report: after Tests 3 and 4 between two participants, Test 4 across them
    /// cannot fail.
    #[test]
    fn consistency_across_participants_is_redundant(
        positive in prop::collection::vec(prop::bool::weighted(0.8), 10),
        negative in prop::collection::vec(prop::bool::weighted(0.8), 10),
        changes in prop::collection::vec(prop::bool::weighted(0.02), 40),
    ) {
        // The answers of the second participant are those of the first but for a few changes.
        let changed = |answers: &[bool], changes: &[bool]| -> Vec<bool> {
            answers.iter().zip(changes).map(|(answer, change)| answer ^ change).collect()
        };
        let vectors = [
            [changed(&positive, &changes[..10]), changed(&negative, &changes[10..20])],
            [changed(&positive, &changes[20..30]), changed(&negative, &changes[30..])],
        ];
        let agree = |polarity: usize| vectors[0][polarity] == vectors[1][polarity];
        let consistent = |left: usize, right: usize| {
            vectors[left][0].iter().zip(&vectors[right][1]).all(|(one, other)| *one || *other)
        };
        if agree(0) && agree(1) && consistent(0, 0) && consistent(1, 1) {
            prop_assert!(consistent(0, 1) && consistent(1, 0));
        }
        // And without Test 3 it would not be: see the case below.
    }

    /// The eight tests of two participants prove their languages equal and complementary, and four
    /// of them suffice.
    #[test]
    fn four_of_eight_tests_suffice(
        automata in prop::collection::vec(automaton_of(Size { states: 2, ..Size::default() }), 2),
        complements in prop::collection::vec(any::<bool>(), 2),
    ) {
        // Random automata are hardly ever complementary: some are made to be.
        let negation = |i: usize| match complements[i] {
            true => sempre_automata::complement::complement(&automata[0]),
            false => automata[1].clone(),
        };
        let pairs = [[automata[0].clone(), negation(0)], [automata[0].clone(), negation(1)]];
        let disjoint = |i: usize, j: usize| product::common_word(&pairs[i][0], &pairs[j][1]).is_none();
        let together = |i: usize, j: usize| {
            language::is_universal(&sempre_automata::sum::union(&pairs[i][0], &pairs[j][1]))
        };
        if disjoint(0, 1) && disjoint(1, 0) && together(0, 0) && together(1, 1) {
            prop_assert!(disjoint(0, 0) && disjoint(1, 1) && together(0, 1) && together(1, 0));
            prop_assert!(language::equivalent(&pairs[0][0], &pairs[1][0]));
            prop_assert!(language::equivalent(&pairs[0][1], &pairs[1][1]));
        }
    }
}

#[test]
fn consistency_across_participants_is_not_redundant_without_comparison() {
    let (left, right) = ([[true], [false]], [[false], [true]]);
    let consistent = |positive: [bool; 1], negative: [bool; 1]| positive[0] || negative[0];
    assert!(consistent(left[0], left[1]) && consistent(right[0], right[1]));
    assert!(!consistent(right[0], left[1]));
}

#[test]
fn the_global_example_of_the_report() {
    // Example 1 with GF p2.
    let edges = [(0, 1), (0, 2), (1, 2), (1, 3), (1, 4), (2, 2), (3, 0), (4, 4)];
    let alphabet = Alphabet::new(["p1", "p2"]).unwrap();
    let kripke = Kripke::new(alphabet, vec![1, 1, 0, 3, 2], edges, 0).unwrap();
    let automaton = sempre_translate::classic::translate(&"GF p2".parse().unwrap());
    let answer = global_answer(&kripke, &automaton, Scope::Global);
    assert_eq!(answer.accepting, [true, true, false, true, true]);
}

/// The only mark of the cycle is on the edge by which the search enters its second node.
#[test]
fn marks_of_entering_edges_count() {
    let kripke = Kripke::new(Alphabet::new(["p"]).unwrap(), vec![0], [(0, 0)], 0).unwrap();
    for marked in [0, 1] {
        let mut builder = Automaton::builder(Alphabet::new(["p"]).unwrap());
        let (states, tt) = ([builder.add_state(), builder.add_state()], builder.alphabet().tt());
        builder.acceptance(Named::Buchi.acceptance()).initial(states[0]);
        for place in 0..2 {
            let marks = if place == marked { Marks::all(1) } else { Marks::EMPTY };
            builder.edge(states[place], tt, marks, states[1 - place]);
        }
        for scope in [Scope::Global, Scope::Local] {
            assert_eq!(global_answer(&kripke, &builder.clone().build(), scope).accepting, [true]);
        }
    }
}

/// A structure in which a state has no successor would make the consistency test fail for
/// translators that are right: there is no such structure.
#[test]
fn structures_that_are_not_total_are_refused() {
    let edges = [(0, 1), (0, 2), (1, 1)];
    let error = Kripke::new(Alphabet::new(["p"]).unwrap(), vec![0, 1, 0], edges, 0).unwrap_err();
    assert_eq!(error.to_string(), "state 2 has no successor");
}

type Translation = fn(&Formula) -> Automaton;

struct Method(Translation);

impl Tool for Method {
    fn translate(&self, formula: &Formula, _: &Limits) -> Result<Automaton, Failure> {
        Ok(self.0(formula))
    }
}

fn claiming(claims: Claims, method: Translation) -> Session {
    let mut participant = Participant::new("it", Method(method));
    participant.claims = claims;
    Session::new(vec![participant]).tests(Tests::none().only(Test::Claims))
}

fn broken(session: &Session, formula: &str) -> Vec<(Polarity, String)> {
    let round = session.round(1, &formula.parse().unwrap());
    let findings = round.findings.iter();
    findings
        .map(|finding| match finding.verdict.mistake() {
            Some(Mistake::NotAsClaimed(claim)) => {
                let text = format!("{}: {}", claim.property, claim.reason);
                (finding.culprit().unwrap().polarity, text)
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn claims_are_tested_one_by_one() {
    use Polarity::Positive;
    let none = Claims::default();
    let plain: Translation = |f| Translator::new().translate(f);
    let several = "state 0 has several edges for some letter";
    let cases: [(Claims, &str, Option<&str>); 6] = [
        (Claims::of(&[Property::Deterministic]), "FGa", Some(several)),
        (Claims::of(&[Property::Complete]), "Ga", Some("state 0 does not read every letter")),
        (Claims::of(&[Property::Unambiguous]), "FGa", Some("a word has several accepting runs")),
        (
            Claims::of(&[Property::StateBased]),
            "GFa",
            Some("edges of a state differ in their marks"),
        ),
        (
            Claims::of(&[Property::Buchi]),
            "GFa & GFb",
            Some("its acceptance condition is Inf(0) & Inf(1)"),
        ),
        (Claims { stutter_invariant: true, ..none }, "Fa & Gb", None),
    ];
    for (claims, formula, expected) in cases {
        let session = claiming(claims, plain);
        let found = broken(&session, formula);
        let positive = found.iter().find(|(polarity, _)| *polarity == Positive);
        let ending = positive.map(|(_, text)| text.split_once(": ").unwrap().1);
        assert_eq!(ending, expected, "{claims:?}");
    }
    // Claims that are true.
    let ba: Translation =
        |f| Translator::new().kind(Kind::Ba).unambiguous(true).complete(true).translate(f);
    let all = Claims::of(&[
        Property::Complete,
        Property::StateBased,
        Property::Buchi,
        Property::Unambiguous,
    ]);
    assert_eq!(broken(&claiming(all, ba), "G(a -> Fb)"), []);
    // An automaton that sees how often letters repeat, for a formula without X.
    let stuttering: Translation = |f| {
        let wrong =
            sempre_ltl::transform(f, |g| if g.as_prop().is_some() { Formula::next(g) } else { g });
        Translator::new().translate(&wrong)
    };
    let invariant = Claims { stutter_invariant: true, ..none };
    let found = broken(&claiming(invariant, stuttering), "a U b");
    // Only one of the two is wrong about these words.
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.starts_with("stutter-invariant: it accepts "), "{}", found[0].1);
    assert_eq!(broken(&claiming(invariant, stuttering), "Xa"), []);
}

#[test]
fn declared_properties_are_tested() {
    let declare: Translation = |f| {
        let automaton = Translator::new().translate(f);
        let mut headers = automaton.headers().clone();
        let declared = ["weak", "terminal", "very-weak", "unambiguous", "no-such-property"];
        headers.properties = declared.map(String::from).to_vec();
        let mut builder = automaton.edit();
        builder.headers(headers);
        builder.build()
    };
    let session = claiming(Claims::default(), declare);
    assert_eq!(broken(&session, "a U b").len(), 1, "the negation is not terminal");
    let found = broken(&session, "GFa");
    assert!(found[0].1.starts_with("weak: "), "{found:?}");
}

#[test]
fn references_are_not_tested_against_each_other() {
    let mut participants = vec![
        Fault::None.participant(),
        Participant::new("tableau", Method(sempre_translate::tableau::translate)),
        Fault::NoAcceptance.participant(),
    ];
    participants[0].reference = true;
    participants[1].reference = true;
    let session = Session::new(participants);
    let round = session.round(1, &"Fa".parse().unwrap());
    assert_eq!(round.performed[Test::Intersection].scheduled(), 5);
    assert_eq!(round.performed[Test::Comparison].scheduled(), 4);
    assert_eq!(round.performed[Test::Consistency].scheduled(), 1);
    assert!(!round.findings.is_empty());
    assert!(round.findings.iter().all(|finding| finding.culprit().unwrap().participant == 2));
    assert_eq!(round.findings[0].agreeing, [0, 1]);
    assert!(round.findings[0].to_string().contains("agree with each other: fault:none, tableau."));
}

/// Tests that could not be run are counted, not reported as failures.
#[test]
fn missing_automata_and_budgets_make_tests_not_applicable() {
    struct Broken;
    impl Tool for Broken {
        fn translate(&self, _: &Formula, _: &Limits) -> Result<Automaton, Failure> {
            Err(Failure::new(crate::FailureKind::Crash, "it fell over"))
        }
    }
    let participants = vec![Fault::None.participant(), Participant::new("broken", Broken)];
    let session = Session::new(participants);
    let round = session.round(1, &"GFa & FGb".parse().unwrap());
    let tally = |test| (round.performed[test].performed, round.performed[test].not_applicable);
    assert_eq!(tally(Test::Intersection), (1, 3));
    assert_eq!(tally(Test::Universality), (1, 3));
    assert_eq!(tally(Test::Comparison), (0, 2));
    assert_eq!(tally(Test::Consistency), (1, 1));
    assert!(round.findings.is_empty());
    assert_eq!(round.groups, [vec![vec![0]], vec![vec![0]]]);

    let narrow = Tests { macrostates: 1, ..Tests::default() };
    let session = Session::new(vec![Fault::None.participant()]).tests(narrow);
    let round = session.round(1, &"G(a -> F(b & XFc)) | FGa".parse().unwrap());
    assert_eq!(round.performed[Test::Universality].not_applicable, 1);
    let no_time = Tests { time: Some(std::time::Duration::ZERO), ..Tests::default() };
    let session = Session::new(vec![Fault::None.participant()]).tests(no_time);
    let round = session.round(1, &"G(a -> F(b & XFc)) | FGa".parse().unwrap());
    assert_eq!(round.performed[Test::Consistency].not_applicable, 1);
    assert!(round.findings.is_empty());
}

#[test]
fn the_structures_of_a_round_depend_on_its_number_alone() {
    let formula: Formula = "a U b".parse().unwrap();
    let structures = Structures { count: 2, ..Structures::default() };
    let of = |structures: &Structures, round| structures.of_round(round, &formula).unwrap();
    assert_eq!(of(&structures, 7), of(&structures, 7));
    assert_ne!(of(&structures, 7), of(&structures, 8));
    let other = Structures { seed: 1, ..structures.clone() };
    assert_ne!(of(&structures, 7), of(&other, 7));
    let every_third = Structures { interval: 3, ..structures.clone() };
    assert_eq!(of(&every_third, 4), of(&every_third, 6));
    assert_ne!(of(&every_third, 3), of(&every_third, 4));
    let fixed = Structures { interval: 0, ..structures.clone() };
    assert_eq!(of(&fixed, 1), of(&fixed, 1000));
    let paths = Structures {
        kind: crate::StructureKind::Enumerated,
        states: 2,
        propositions: Some(vec!["a".into()]),
        ..structures
    };
    let all: Vec<Kripke> = (1..=4).flat_map(|round| of(&paths, round)).collect();
    let expected: Vec<Kripke> =
        sempre_automata::random::enumerate_paths(["a"], 2).unwrap().collect();
    assert_eq!(all, expected);
    assert_eq!(of(&paths, 5), of(&paths, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Whatever a correct construction is tested with, nothing is found.
    #[test]
    fn correct_constructions_pass(formula in arbitrary::formula(9), seed: u64) {
        let methods: [(&str, Translation); 3] = [
            ("tableau", |f| Translator::new().translate(f)),
            ("alternating", sempre_translate::alternating::translate),
            ("classic", sempre_translate::classic::translate),
        ];
        let participants = methods.map(|(name, method)| Participant::new(name, Method(method)));
        let session = Session::new(participants.into()).structures(Structures { states: 10, seed, ..Structures::default() });
        let round = session.round(1, &formula);
        prop_assert!(round.findings.is_empty(), "{}", round.findings[0]);
    }
}
