use super::*;
use crate::after::limits;
use crate::normal_form::normal_form;
use proptest::prelude::*;
use sempre_automata::{membership, product};
use sempre_ltl::semantics::Evaluator;
use sempre_ltl::{Word, arbitrary};

const BOUNDS: Bounds = Bounds { states: 2000, steps: 50_000, nodes: 1 << 16 };

fn workshop(formula: &Formula) -> Workshop {
    Workshop::new(Alphabet::new(formula.props()).unwrap(), BOUNDS)
}

/// True if there is one initial state, and no state reads a letter twice: letter by letter.
fn is_deterministic(automaton: &Automaton) -> bool {
    let alphabet = automaton.alphabet();
    let letters = 1u64 << alphabet.props().len();
    let reads = |state, letter| {
        let edges = automaton.edges_from(state).iter();
        edges.filter(|edge| alphabet.satisfied(edge.label, letter)).count()
    };
    automaton.initial().len() == 1
        && automaton.states().all(|state| (0..letters).all(|letter| reads(state, letter) <= 1))
}

/// A word that the automaton accepts and the formula excludes, or the other way round, by the
/// tableaux of the formula and of its negation.
fn difference(automaton: &Automaton, formula: &Formula) -> Option<String> {
    let [tableau, negation] =
        [formula.clone(), Formula::not(formula)].map(|f| crate::tableau::translate(&f));
    let dual = complement::deterministic(automaton).unwrap();
    let wrong = product::common_word(automaton, &negation);
    wrong.or_else(|| product::common_word(&dual, &tableau)).map(|word| word.to_string())
}

/// Returns the word on which an automaton is wrong, or why it is not deterministic.
fn fault(automaton: &Automaton, formula: &Formula, words: &[Word]) -> Option<String> {
    if !is_deterministic(automaton) {
        return Some("nondeterministic".to_owned());
    }
    let evaluator = Evaluator::new(formula);
    let wrong = |word: &&Word| membership::accepts(automaton, word) != evaluator.holds(word);
    words.iter().find(wrong).map(Word::to_string)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn obligations_are_right(
        f in arbitrary::formula(14),
        words in prop::collection::vec(arbitrary::word(4), 20),
    ) {
        prop_assume!(f.is(Traits::OBLIGATION));
        if let Some(automaton) = weak::minimal_in(&mut Space::of(&f, BOUNDS.nodes), &f, BOUNDS) {
            prop_assert_eq!(fault(&automaton, &f, &words), None);
        }
    }

    #[test]
    fn recurrences_are_right(
        f in arbitrary::formula(12),
        words in prop::collection::vec(arbitrary::word(4), 20),
    ) {
        for f in [normal_form(&f), normal_form(&Formula::not(&f))] {
            let Some(normal) = breakpoint::normal(&f) else { continue };
            for pending in [Pending::Rest, Pending::Unfolded] {
                let mut space = Space::of(&f, BOUNDS.nodes);
                if let Some(automaton) = breakpoint::automaton(&mut space, &normal, pending, BOUNDS) {
                    prop_assert_eq!(fault(&automaton, &f, &words), None);
                }
            }
        }
    }

    #[test]
    fn the_master_theorem_is_right(
        f in arbitrary::formula(11),
        words in prop::collection::vec(arbitrary::word(4), 20),
    ) {
        let f = normal_form(&f);
        let mut workshop = workshop(&f);
        if let Some(automaton) = master::automaton(&mut workshop, &f) {
            prop_assert_eq!(fault(&automaton, &f, &words), None);
            let reduced = workshop.reduced(&automaton, Level::Low);
            prop_assert_eq!(fault(&reduced, &f, &words), None);
        }
    }
}

/// `GFa | FG!a` always holds in one component, which must not affect others.
#[test]
fn conditions_that_always_hold_stay_in_their_component() {
    let f = normal_form(&"F(b <-> GFa)".parse().unwrap());
    let automaton = master::automaton(&mut workshop(&f), &f).unwrap();
    let words = ["cycle{a & !b}", "cycle{!a & b}", "b; cycle{a}"].map(|word| word.parse().unwrap());
    assert_eq!(fault(&automaton, &f, &words), None);
}

#[test]
fn no_route_is_wrong() {
    let mut rng = sempre_ltl::generate::Rng::new(27);
    for (number, formula) in random_formulas(400).into_iter().enumerate() {
        let words = random_words(&formula, 30, &mut rng);
        for route in Route::ALL {
            for dual in [false, true] {
                if let Some(automaton) = route.automaton(&formula, dual) {
                    let fault = fault(&automaton, &formula, &words);
                    assert_eq!(fault, None, "{route} {dual} {formula}");
                    // Words that are drawn miss rare differences; products do not.
                    if number % 4 == 0 {
                        let difference = difference(&automaton, &formula);
                        assert_eq!(difference, None, "{route} {dual} {formula}");
                    }
                }
            }
        }
    }
}

fn random_formulas(count: usize) -> Vec<Formula> {
    let random = sempre_ltl::generate::random::RandomFormulas::over(["a", "b", "c"]);
    let formulas = random.sizes(3..=12).seed(27).generate().unwrap();
    formulas.take(count).map(Result::unwrap).collect()
}

fn random_words(formula: &Formula, count: usize, rng: &mut sempre_ltl::generate::Rng) -> Vec<Word> {
    (0..count)
        .map(|_| {
            let (prefix, cycle) = (rng.index(4), 1 + rng.index(4));
            Word::from_fn(formula.props(), prefix, cycle, |_, _| rng.chance(0.5)).unwrap()
        })
        .collect()
}

/// Pending guarantees of one representative for its whole class are wrong; the words detect that.
#[test]
fn one_representative_for_what_is_pending_is_wrong() {
    let mut rng = sempre_ltl::generate::Rng::new(28);
    let mut found = 0;
    for formula in random_formulas(600) {
        let formula = normal_form(&formula);
        let Some(normal) = breakpoint::normal(&formula) else { continue };
        let mut space = Space::of(&formula, BOUNDS.nodes);
        let wrong = breakpoint::automaton(&mut space, &normal, Pending::Representative, BOUNDS);
        let words = random_words(&formula, 30, &mut rng);
        found += usize::from(wrong.is_some_and(|wrong| fault(&wrong, &formula, &words).is_some()));
    }
    assert!(found > 0, "the suite does not notice");
}

/// Representatives belong to one construction. Those of another one may hide guarantees, even in
/// formulas that are no recurrences, though the formulas of a class are equal.
#[test]
fn representatives_for_several_constructions_are_wrong() {
    let alphabet = Arc::new(Alphabet::new(["a", "b", "c"]).unwrap());
    let breakpoint = |space: &mut Space, formula: &Formula, pending: Pending| {
        let normal = breakpoint::normal(&normal_form(formula))?;
        breakpoint::automaton(space, &normal, pending, BOUNDS)
    };
    let mut rng = sempre_ltl::generate::Rng::new(32);
    let mut wrong = |pending: Pending, formulas: &[Formula], first: Option<&Formula>| {
        breakpoint::GLOBAL.take();
        let mut space = Space::new(alphabet.clone(), 1 << 20);
        if let Some(first) = first {
            let (rest, class) = (space.rest(first), space.class(first));
            breakpoint::GLOBAL.with_borrow_mut(|known| known.insert(class, rest));
        }
        let mut count = 0;
        for formula in formulas {
            let words = random_words(formula, 30, &mut rng);
            let automaton = breakpoint(&mut space, formula, pending);
            count += automaton.is_some_and(|it| fault(&it, formula, &words).is_some()) as usize;
        }
        count
    };
    let formulas = random_formulas(600);
    for pending in [Pending::Rest, Pending::Unfolded] {
        assert_eq!(wrong(pending, &formulas, None), 0);
    }
    assert!(wrong(Pending::Global, &formulas, None) > 0, "the suite does not notice");
    // A formula outside of the class of recurrences, equal to one inside.
    let outside: Formula = "Gb & GFc & (a U (Gb & Fc))".parse().unwrap();
    let inside: Formula = "Gb & GFc".parse().unwrap();
    assert!(breakpoint::normal(&outside).is_none());
    let mut space = Space::new(alphabet.clone(), BOUNDS.nodes);
    assert_eq!(space.class(&outside), space.class(&inside));
    assert_eq!(wrong(Pending::Rest, std::slice::from_ref(&inside), Some(&outside)), 0);
    assert_eq!(wrong(Pending::Global, std::slice::from_ref(&inside), Some(&outside)), 1);
}

/// Formulas of random obligations, conjunctions and disjunctions with limit formulas inside.
fn mixed_formulas(count: usize) -> Vec<Formula> {
    let limits = ["GFa", "FGb", "GF(a & Xb)", "FG(a | Fb)", "G(a | Fb)", "Fc", "Gb", "a U b"];
    let mut rng = sempre_ltl::generate::Rng::new(30);
    random_formulas(count)
        .into_iter()
        .map(|formula| {
            let limit: Formula = limits[rng.index(limits.len())].parse().unwrap();
            match rng.index(3) {
                0 => Formula::and([formula, limit]),
                1 => Formula::or([formula, limit]),
                _ => Formula::until(formula, limit),
            }
        })
        .collect()
}

/// Counts the formulas with a wrong automaton, if this fault is made.
fn wrong(
    made: Option<Fault>,
    count: usize,
    build: impl Fn(&mut Workshop, &Formula) -> Option<Automaton>,
) -> usize {
    let mut rng = sempre_ltl::generate::Rng::new(31);
    let formulas = mixed_formulas(count).into_iter().filter(|formula| {
        let formula = normal_form(formula);
        let mut workshop = workshop(&formula);
        workshop.fault = made;
        let words = random_words(&formula, 30, &mut rng);
        let automaton = build(&mut workshop, &formula);
        automaton.is_some_and(|automaton| fault(&automaton, &formula, &words).is_some())
    });
    formulas.count()
}

#[test]
fn wrong_constructions_are_found() {
    let by_decomposition = |workshop: &mut Workshop, formula: &Formula| {
        decomposition::automaton(workshop, formula, decomposition::Cut::Classes)
    };
    assert_eq!(wrong(None, 150, Workshop::master), 0);
    assert!(wrong(Some(Fault::EarlyRestart), 150, Workshop::master) > 0);
    assert!(wrong(Some(Fault::SilentRestart), 150, Workshop::master) > 0);
    assert_eq!(wrong(None, 150, by_decomposition), 0);
    assert!(wrong(Some(Fault::OccurringMarks), 150, by_decomposition) > 0);
    let by_fixpoints = |workshop: &mut Workshop, formula: &Formula| {
        let mut space = Space::new(workshop.alphabet.clone(), BOUNDS.nodes);
        let is_obligation = formula.is(Traits::OBLIGATION);
        is_obligation.then(|| weak::minimal_by_fixpoints(&mut space, formula, BOUNDS)).flatten()
    };
    assert!(wrong(None, 300, by_fixpoints) > 0);
}

/// All acceptance conditions with all requirements, on the same formulas.
#[test]
fn requests_are_fulfilled() {
    let mut rng = sempre_ltl::generate::Rng::new(29);
    let wanted = [
        TargetAcceptance::Any,
        TargetAcceptance::Parity,
        TargetAcceptance::Rabin,
        TargetAcceptance::GeneralizedRabin,
        TargetAcceptance::GeneralizedBuchi,
    ];
    for (number, formula) in random_formulas(120).into_iter().enumerate() {
        let words = random_words(&formula, 30, &mut rng);
        // Routes are run once: requests differ in what is made of their results.
        let found = candidates(&formula);
        for wanted in wanted {
            // All requests for each fourth formula, none and all together for the others.
            for flags in (0..8).filter(|flags| number % 4 == 0 || [0, 7].contains(flags)) {
                let [complete, state_based, colored] = [1, 2, 4].map(|bit| flags & bit != 0);
                let request = Request { wanted, complete, state_based, colored };
                let Some(automaton) = portfolio::chosen(&found, &formula, &request) else {
                    assert_eq!(wanted, TargetAcceptance::GeneralizedBuchi);
                    continue;
                };
                let text = format!("{formula} {request:?}");
                assert_eq!(fault(&automaton, &formula, &words), None, "{text}");
                assert!(wanted.includes(&automaton), "{text}");
                assert!(!complete || automaton.is_complete(), "{text}");
                assert!(!state_based || automaton.is_state_based(), "{text}");
                if colored && wanted == TargetAcceptance::Parity {
                    assert!(automaton.is_colored(), "{text}");
                }
            }
        }
    }
}

fn states(text: &str, wanted: TargetAcceptance) -> usize {
    let request = Request { wanted, ..Request::default() };
    translate(&text.parse().unwrap(), &request).map_or(0, |automaton| automaton.state_count())
}

/// Formulas of the literature, with the smallest known sizes.
#[test]
fn sizes() {
    for (text, any, parity) in [
        ("FG(Fa U (Fb R c))", 1, 3),
        ("GF((a & Gb) R c)", 1, 2),
        ("F(Ga | Gb | Gc)", 1, 3),
        ("(GFa -> GFb) & (GFc -> GFd)", 1, 2),
        ("G(a | (b U (Gc | Gd)))", 5, 6),
        ("F(Ga R b)", 2, 3),
        ("XF(Ga R b)", 3, 4),
        ("F((a U b) & G(a | c | G!c))", 3, 4),
    ] {
        assert!(states(text, TargetAcceptance::Any) <= any, "{text}");
        assert!(states(text, TargetAcceptance::Parity) <= parity, "{text}");
    }
    // No kind has more states than one that is more special.
    let text = "FG((a <-> Xa) & (b <-> Xb))";
    let kinds =
        [TargetAcceptance::Rabin, TargetAcceptance::GeneralizedRabin, TargetAcceptance::Any];
    assert_eq!(kinds.map(|wanted| states(text, wanted)), [1, 1, 1]);
    // Regression: formulas for which no deterministic Büchi automaton was found.
    let text = "G(a | (!b U (b U (!b U (b U (b & c))))))";
    assert!((1..=5).contains(&states(text, TargetAcceptance::GeneralizedBuchi)));
}

/// Watches that remember the last letters make small products.
/// The condition of one state for it has too many disjuncts to compare.
#[test]
fn conditions_with_many_disjuncts_become_rabin() {
    let text = "F((a & Gb) | (c & Gd) | (e & Gf) | (g & Gh))";
    assert_eq!(states(text, TargetAcceptance::GeneralizedRabin), 16);
}

#[test]
fn windows_are_shared() {
    for (n, most) in [(2, 4), (3, 8), (4, 16)] {
        let family = sempre_ltl::generate::family::Family::by_name("ms-phi-h").unwrap();
        let formula = family.formula(n).unwrap();
        let automaton = translate(&formula, &Request::default()).unwrap();
        assert!(automaton.state_count() <= most, "{formula}: {}", automaton.state_count());
        assert_eq!(difference(&automaton, &formula), None);
    }
}

/// `FG` of neither is no mark of its own beside infinitely often the one, and the other.
#[test]
fn unions_of_marks_are_no_marks() {
    let automaton = translate(&"F(G(!a & !b) | G(Fa & Fb))".parse().unwrap(), &Request::default());
    let automaton = automaton.unwrap();
    assert_eq!((automaton.state_count(), automaton.acceptance().marks()), (1, 2));
}

fn master(text: &str) -> usize {
    let f = normal_form(&text.parse().unwrap());
    let mut workshop = workshop(&f);
    let f = limits::separated(&f, &mut workshop.simplifier);
    workshop.master(&f).unwrap().state_count()
}

#[test]
fn sizes_by_the_master_theorem() {
    assert_eq!(master("FGa | FGb | FGc"), 1);
    assert_eq!(master("FG(Fa U (Fb R c))"), 1);
    assert_eq!(master("GF((a&Gb) R c)"), 1);
    assert_eq!(master("(GFa->GFb)&(GFc->GFd)"), 1);
}
