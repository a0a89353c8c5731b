//! The faults that each test detects, and those that it cannot.
//!
//! The pattern is that of the faults of H. Tauriainen's kinds: what accepts too much fails the
//! intersection test, alone and with others, and never the consistency test; what accepts too
//! little never fails the intersection test; and what is systematically wrong fails only with
//! others.

use super::*;
use crate::{
    Entry, Limits, Mistake, Polarity, Session, Statistics, Structures, Subject, Test, Tests,
};
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{OperatorSet, Priorities};

/// A tool that always gives the same two automata.
struct Fixed(Automaton, Automaton);

impl Tool for Fixed {
    fn translate(&self, formula: &Formula, _: &Limits) -> Result<Automaton, Failure> {
        let negated = formula.op() == Op::Not;
        Ok(if negated { self.1.clone() } else { self.0.clone() })
    }
}

struct Classic;

impl Tool for Classic {
    fn translate(&self, formula: &Formula, _: &Limits) -> Result<Automaton, Failure> {
        Ok(sempre_translate::classic::translate(formula))
    }
}

fn with_classic(fault: Fault) -> Session {
    Session::new(vec![Participant::new("classic", Classic), fault.participant()])
}

fn formulas(size: usize, seed: u64) -> impl Iterator<Item = Formula> {
    let priorities = Priorities::report(OperatorSet::Op2, size).unwrap();
    let random = RandomFormulas::over_numbered(5).size(size).priorities(priorities).seed(seed);
    random.generate().unwrap().map(Result::unwrap)
}

/// The failures of a fault: Test 1 alone and with the classic tableau, Test 2 alone, Test 3, the
/// local ones, and Test 4.
#[derive(Debug, PartialEq)]
struct Failures {
    alone: usize,
    crossed: usize,
    gap: usize,
    global: usize,
    local: usize,
    inconsistent: usize,
}

fn failures(session: &Session, formulas: impl Iterator<Item = Formula>) -> Failures {
    let mut statistics = Statistics::new(session);
    for (number, formula) in (1..).zip(formulas) {
        let round = session.round(number, &formula);
        for finding in &round.findings {
            assert_eq!(finding.culprit().map(|it| it.participant), Some(1), "{finding}");
        }
        statistics.add(&round);
    }
    assert_eq!(statistics.pair(0, 0).tests(Test::Intersection).failed, 0);
    assert_eq!(statistics.consistency(0).failed, 0);
    let crossed = statistics.pair(0, 1);
    Failures {
        alone: statistics.pair(1, 1).tests(Test::Intersection).failed,
        crossed: crossed.tests(Test::Intersection).failed,
        gap: statistics.pair(1, 1).tests(Test::Universality).failed,
        global: crossed.tests(Test::Comparison).failed,
        local: crossed.local,
        inconsistent: statistics.consistency(1).failed,
    }
}

fn on_random_formulas(fault: Fault, size: usize, count: usize) -> Failures {
    failures(&with_classic(fault), formulas(size, 1).take(count))
}

#[test]
fn without_a_fault_nothing_is_found() {
    let none = on_random_formulas(Fault::None, 8, 60);
    let nothing = Failures { alone: 0, crossed: 0, gap: 0, global: 0, local: 0, inconsistent: 0 };
    assert_eq!(none, nothing);
}

#[test]
fn what_accepts_too_much_shares_words_with_its_negation() {
    for fault in [Fault::NoAcceptance, Fault::OneAcceptanceSet, Fault::ReleaseWithoutB] {
        let found = on_random_formulas(fault, 8, 40);
        assert!(found.alone > 0 && found.crossed >= found.alone, "{fault}: {found:?}");
        assert!(found.global > 0 && found.local <= found.global, "{fault}: {found:?}");
        assert_eq!((found.gap, found.inconsistent), (0, 0), "{fault}");
    }
}

#[test]
fn what_accepts_too_little_leaves_gaps() {
    for fault in [Fault::FulfilledOnly, Fault::ReleaseNever] {
        let found = on_random_formulas(fault, 8, 40);
        assert_eq!((found.alone, found.crossed), (0, 0), "{fault}");
        assert!(found.gap > 0 && found.inconsistent > 0, "{fault}: {found:?}");
        assert!(found.global > 0 && found.local <= found.global, "{fault}: {found:?}");
    }
}

#[test]
fn what_is_systematically_wrong_is_found_by_others_only() {
    for fault in [Fault::NextAsIdentity, Fault::P1IsP0, Fault::Negated] {
        let found = on_random_formulas(fault, 8, 40);
        assert_eq!((found.alone, found.gap, found.inconsistent), (0, 0, 0), "{fault}");
        assert!(found.crossed > 0 && found.global > 0, "{fault}: {found:?}");
    }
}

#[test]
fn constant_answers_are_found_by_the_test_that_can() {
    let empty = on_random_formulas(Fault::Empty, 6, 20);
    assert_eq!((empty.alone, empty.crossed), (0, 0));
    assert_eq!((empty.gap, empty.inconsistent), (20, 20));
    assert!(empty.global > 0 && empty.local > 0);
    let universal = on_random_formulas(Fault::Universal, 6, 20);
    assert_eq!((universal.alone, universal.gap, universal.inconsistent), (20, 0, 0));
    assert!(universal.crossed > 0 && universal.global > 0);
}

#[test]
fn rare_faults_are_found_where_they_show() {
    let formulas = |texts: &'static [&str]| texts.iter().map(|text| text.parse().unwrap());
    let session = with_classic(Fault::TrueUnrecorded);
    let found = failures(&session, formulas(&["G F true", "G F p0", "p0 U true", "F G true"]));
    assert_eq!((found.alone, found.crossed, found.gap), (0, 0, 1));
    assert_eq!((found.global, found.inconsistent), (1, 1));
    let found = on_random_formulas(Fault::MergedNodes, 10, 150);
    assert!(found.crossed >= found.alone && found.crossed > 0, "{found:?}");
    assert_eq!(found.inconsistent, 0);
}

#[test]
fn each_test_can_fail_by_itself() {
    let cases = [
        (Test::Intersection, Fault::ReleaseWithoutB, "p0 R p1", Mistake::WronglyAccepts),
        (Test::Universality, Fault::ReleaseNever, "p0 R p1", Mistake::WronglyRejects),
        (Test::Comparison, Fault::FulfilledOnly, "p0 U p1", Mistake::WronglyRejects),
        (Test::Consistency, Fault::FulfilledOnly, "Fp0", Mistake::WronglyRejects),
        (Test::Complement, Fault::P1IsP0, "p1", Mistake::WronglyAccepts),
    ];
    for (test, fault, formula, mistake) in cases {
        let session = with_classic(fault).tests(Tests::default().only(test));
        let round = session.round(1, &formula.parse().unwrap());
        for (other, tally) in round.performed.iter() {
            assert_eq!(tally.scheduled() > 0, other == test);
        }
        assert!(round.performed[test].failed > 0, "{test}");
        for finding in &round.findings {
            assert_eq!(finding.culprit().map(|it| it.participant), Some(1), "{finding}");
        }
        let found = round.findings.iter().any(|it| it.verdict.mistake() == Some(&mistake));
        assert!(found, "{test}");
    }
}

/// Two participants that are wrong in the same way, and systematically: each other's automata
/// cannot show it, a third one's can.
#[test]
fn equal_mistakes_are_missed_without_a_third_participant() {
    let formula: Formula = "G(p0 -> Fp1)".parse().unwrap();
    let negated = || Fault::Negated.participant();
    let alone = Session::new(vec![negated(), negated()]).round(1, &formula);
    assert!(alone.findings.is_empty());
    assert_eq!(alone.groups, [vec![vec![0, 1]], vec![vec![0, 1]]]);
    let third = Session::new(vec![negated(), Fault::None.participant(), negated()]);
    let round = third.round(1, &formula);
    let culprits: Vec<_> = round.findings.iter().map(|it| it.culprit().unwrap()).collect();
    assert!(culprits.iter().all(|culprit| culprit.participant != 1));
    assert!([0, 2].iter().all(|wrong| culprits.iter().any(|it| it.participant == *wrong)));
    // All other participants agree, which is no proof: they are wrong.
    assert!(round.findings.iter().all(|finding| finding.agreeing.is_empty()));
}

/// The comparison at the initial state agrees there with the global one.
#[test]
fn local_comparison_finds_the_local_differences() {
    let global = with_classic(Fault::FulfilledOnly);
    let local = with_classic(Fault::FulfilledOnly)
        .structures(Structures { scope: crate::Scope::Local, ..Structures::default() });
    let tally = |session: &Session| {
        let mut statistics = Statistics::new(session);
        for (number, formula) in (1..).zip(formulas(7, 5).take(25)) {
            statistics.add(&session.round(number, &formula));
        }
        let pair = statistics.pair(0, 1);
        (pair.tests(Test::Comparison).failed, pair.local)
    };
    let (found, at_initial) = tally(&global);
    assert!(found > at_initial && at_initial > 0);
    assert_eq!(tally(&local), (at_initial, at_initial));
}

#[test]
fn a_single_participant_is_judged_by_the_semantics() {
    // On structures with one path only, no other participant is needed.
    let structures = Structures {
        kind: crate::StructureKind::Random(sempre_automata::random::KripkeKind::Sequential),
        states: 20,
        ..Structures::default()
    };
    for fault in [Fault::Negated, Fault::FulfilledOnly, Fault::NoAcceptance] {
        let session = Session::new(vec![fault.participant()])
            .structures(structures.clone())
            .tests(Tests { comparison: true, ..Tests::none() });
        let mut statistics = Statistics::new(&session);
        for (number, formula) in (1..).zip(formulas(8, 3).take(30)) {
            let round = session.round(number, &formula);
            assert!(round.findings.iter().all(|finding| finding.test == Test::Comparison));
            statistics.add(&round);
        }
        assert!(statistics.pair(0, 1).tests(Test::Comparison).failed > 0, "{fault}");
        assert!(statistics.to_string().contains("semantics"));
    }
}

/// The formula of appendix D, and what a translator made of it: the initial state is not accepting
/// and has a loop for p4; p2 leads on to a state that accepts everything.
fn appendix_d() -> (Formula, Automaton) {
    let formula: Formula = "G G (p4 & (p2 U (!!p3 & F p4)))".parse().unwrap();
    let text = r#"HOA: v1 States: 2 Start: 0 AP: 2 "p2" "p4" acc-name: Buchi
        Acceptance: 1 Inf(0) --BODY--
        State: 0 [1] 0 [0&1] 1 State: 1 {0} [t] 1 --END--"#;
    let automaton = sempre_automata::hoa::parse(text).unwrap().nondeterministic().unwrap();
    (formula, automaton)
}

#[test]
fn the_case_of_appendix_d() {
    let (formula, automaton) = appendix_d();
    let witness: sempre_ltl::Word = "cycle{p3&p4}".parse().unwrap();
    assert!(sempre_ltl::semantics::restricted::holds(&formula, &witness));
    for fault in [Fault::None, Fault::RedundantUntil] {
        let accepts = sempre_automata::membership::accepts(&fault.translate(&formula), &witness);
        assert_eq!(accepts, fault == Fault::None);
    }
    // The automaton of the negation is right.
    let negation = sempre_translate::classic::translate(&Formula::not(&formula));
    let session = Session::new(vec![
        Participant::new("classic", Classic),
        Participant::new("old", Fixed(automaton, negation)),
    ]);
    let tests = Tests { comparison: true, ..Tests::none() };
    // A random structure shows it if all its labels on some cycle have p3 and p4, but not p2.
    let structures = Structures { states: 50, truth: 0.8, ..Structures::default() };
    let session = session.tests(tests).structures(structures);
    let rejects = |finding: &&crate::Finding| {
        finding.verdict.mistake() == Some(&Mistake::WronglyRejects)
            && finding.culprit() == Some(Subject::new(1, Polarity::Positive))
    };
    let rounds: Vec<_> = (1..30).map(|number| session.round(number, &formula)).collect();
    let finding = rounds.iter().flat_map(|round| &round.findings).find(rejects).unwrap();
    assert_eq!(finding.test, Test::Comparison);
    let word = &finding.witness.as_ref().unwrap().word;
    assert!(word.denotes_same(&witness), "{word}");
    let text = finding.to_string();
    assert!(
        text.starts_with(
            "old: the automaton of GG(p4 & (p2 U (!!p3 & Fp4))) wrongly rejects cycle{"
        ),
        "{text}"
    );
}

#[test]
fn the_formula_of_appendix_d_is_simplified() {
    let (formula, _) = appendix_d();
    let session = with_classic(Fault::RedundantUntil);
    let round = session.round(1, &formula);
    assert_eq!(round.findings.len(), 1);
    let simple: Formula = "G(p4 & (p2 U (p3 & F p4)))".parse().unwrap();
    for (test, structures) in
        [(Test::Universality, None), (Test::Comparison, Some(0.8)), (Test::Consistency, Some(0.8))]
    {
        let tests = Tests::default().only(test);
        let truth = structures.unwrap_or(0.5);
        let session = with_classic(Fault::RedundantUntil)
            .tests(tests)
            .structures(Structures { truth, ..Structures::default() });
        let mut rounds = (1..100).map(|number| session.round(number, &formula));
        let round = rounds.find(|round| !round.findings.is_empty()).unwrap();
        let shrunk = session.shrink(&round, &round.findings[0], 1000);
        assert!(shrunk.minimal, "{test}");
        assert_eq!(shrunk.finding.formula, simple, "{test}");
        assert_eq!(shrunk.finding.test, test);
        assert_eq!(shrunk.finding.culprit(), Some(Subject::new(1, Polarity::Positive)));
    }
}

#[test]
fn formulas_are_shrunk_to_what_matters() {
    let formula: Formula = "G(p0 -> X(p1 & F(p2 | Xp3))) & (p4 U (p1 & p0))".parse().unwrap();
    let expectations = [
        // Any until that need not be fulfilled, any next, any two propositions.
        (Fault::NoAcceptance, "Fp0"),
        (Fault::NextAsIdentity, "Xp0"),
        (Fault::P1IsP0, "p1"),
        (Fault::Empty, "1"),
        (Fault::Universal, "0"),
    ];
    for (fault, smallest) in expectations {
        let session = with_classic(fault);
        let round = session.round(1, &formula);
        let shrunk = session.shrink(&round, &round.findings[0], 1000);
        let smallest: Formula = smallest.parse().unwrap();
        let found = &shrunk.finding.formula;
        assert!(shrunk.minimal && found.size() == smallest.size(), "{fault}: {found}");
        let first = &round.findings[0];
        assert_eq!(shrunk.finding.test, first.test);
        assert_eq!(shrunk.finding.verdict.mistake(), first.verdict.mistake());
        // Nothing is kept that was not tried.
        assert_eq!(session.shrink(&round, first, 0).finding.formula, formula);
    }
}

#[test]
fn names_are_read_again() {
    for fault in Fault::ALL {
        assert_eq!(fault.to_string().parse(), Ok(fault));
        assert_eq!(fault.participant().name, format!("fault:{fault}"));
    }
    assert!("unknown".parse::<Fault>().unwrap_err().to_string().contains("p1-is-p0"));
}

#[test]
fn measured_are_all_automata() {
    let session = with_classic(Fault::None);
    let round = session.round(1, &"p0 U p1".parse().unwrap());
    let sizes = |entry: &Entry| {
        let sizes = entry.sizes.clone().unwrap();
        (sizes.states, sizes.edges, sizes.transitions, sizes.marks)
    };
    assert_eq!(sizes(&round.entries[0][0]), (4, 6, 16, 1));
    assert_eq!(sizes(&round.entries[1][0]), sizes(&round.entries[0][0]));
    assert!(round.entries[0][1].sizes.as_ref().unwrap().products[0].states > 0);
}
