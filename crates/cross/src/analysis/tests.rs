use super::*;
use crate::checks::Test;
use crate::faults::Fault;
use crate::structures::Structures;
use crate::subject::Polarity::{Negative, Positive};
use crate::{Polarity, Session};
use proptest::prelude::*;
use sempre_ltl::{arbitrary, semantics};

/// The table of decision rules of section 5.2, line by line.
#[test]
fn the_decision_rules_of_the_report() {
    let [i, j] = [0, 1];
    let positive = |p| Subject::new(p, Positive);
    let negative = |p| Subject::new(p, Negative);
    // For each test: the automata, what they say about the word, and who is wrong if the word
    // satisfies the formula, and if not.
    let rules = [
        ([positive(i), negative(j)], [true, true], negative(j), positive(i)),
        ([positive(i), negative(j)], [false, false], positive(i), negative(j)),
        ([positive(i), positive(j)], [true, false], positive(j), positive(i)),
        ([positive(i), positive(j)], [false, true], positive(i), positive(j)),
        ([negative(i), negative(j)], [true, false], negative(i), negative(j)),
        ([positive(i), negative(i)], [false, false], positive(i), negative(i)),
    ];
    for (subjects, accepted, if_holds, if_not) in rules {
        assert_eq!(wrong(subjects, accepted, true).unwrap().0, if_holds);
        assert_eq!(wrong(subjects, accepted, false).unwrap().0, if_not);
    }
    // Nobody is wrong about what cannot be objected to.
    assert_eq!(wrong([positive(i), negative(j)], [true, false], true), None);
}

/// The names of all faults that are wrong often.
const FREQUENT: [Fault; 7] = [
    Fault::NoAcceptance,
    Fault::ReleaseWithoutB,
    Fault::FulfilledOnly,
    Fault::ReleaseNever,
    Fault::NextAsIdentity,
    Fault::Negated,
    Fault::P1IsP0,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Reports about a word are true, and the blamed automaton is wrong about it.
    #[test]
    fn verdicts_are_right(
        formula in arbitrary::formula(8),
        fault in prop::sample::select(FREQUENT.to_vec()),
        other in prop::sample::select(FREQUENT.to_vec()),
        seed: u64,
    ) {
        let structures = Structures { states: 8, seed, ..Structures::default() };
        let participants = vec![fault.participant(), Fault::None.participant(), other.participant()];
        let session = Session::new(participants).structures(structures);
        let round = session.round(1, &formula);
        for finding in &round.findings {
            let culprit = finding.culprit().expect("all tests are right");
            prop_assert!(culprit.participant != 1, "{}", finding);
            let witness = finding.witness.as_ref().expect("nothing is claimed");
            let accepts = |subject: Subject| {
                let automaton = round.entry(subject).unwrap().automaton().unwrap();
                membership::accepts(automaton, &witness.word)
            };
            prop_assert_eq!(finding.accepted, Some(finding.subjects.map(accepts)));
            prop_assert_eq!(semantics::holds(&formula, &witness.word), witness.holds);
            prop_assert!(proof::check(&witness.proof, &formula, &witness.word).is_ok());
            let should = semantics::holds(&culprit.polarity.of(&formula), &witness.word);
            prop_assert_ne!(accepts(culprit), should);
            let mistake =
                if should { Mistake::WronglyRejects } else { Mistake::WronglyAccepts };
            prop_assert_eq!(finding.verdict.mistake(), Some(&mistake));
        }
        // Every failed test is explained by one finding.
        let failed = round.performed.iter().map(|(_, tally)| tally.failed).sum::<usize>();
        let explained = round.findings.iter().map(|finding| 1 + finding.also.len()).sum::<usize>();
        prop_assert_eq!(failed, explained);
    }
}

#[test]
fn findings_explain_themselves() {
    let session = Session::new(vec![Fault::None.participant(), Fault::NoAcceptance.participant()]);
    let round = session.round(3, &"G(p0 -> F p1)".parse().unwrap());
    let finding = &round.findings[0];
    assert_eq!(finding.test, Test::Intersection);
    assert_eq!(finding.culprit(), Some(Subject::new(1, Polarity::Negative)));
    insta::assert_snapshot!(finding, @r"
    fault:no-acceptance: the automaton of !G(p0 -> Fp1) wrongly accepts cycle{!p0&!p1}, which does not satisfy it
      The intersection test failed: fault:none (+) and fault:no-acceptance (-) both accept it.
      So did another intersection test.
      Why cycle{!p0&!p1} satisfies G(p0 -> Fp1):
        position 0: !p0 & !p1   for ever

        [1] G(p0 -> Fp1) holds at 0: p0 -> Fp1 holds for ever, at 0 [2]
        [2] p0 -> Fp1 holds at 0: p0 fails at 0
    ");
}

#[test]
fn tests_that_are_wrong_are_found_out() {
    // The word is accepted by the automaton of the formula, and not by that of its negation.
    let formula: Formula = "Fa".parse().unwrap();
    let automata = Polarity::ALL
        .map(|polarity| Some(sempre_translate::classic::translate(&polarity.of(&formula))));
    let material = Material {
        formula: &formula,
        automata: vec![automata],
        claims: vec![Default::default()],
        references: vec![false],
        structures: &[],
        scope: Default::default(),
        tests: &Default::default(),
    };
    let word: Word = "cycle{a}".parse().unwrap();
    let subjects = Polarity::ALL.map(|polarity| Subject::new(0, polarity));
    let evidence =
        |accepted| Evidence::Word(WordEvidence { word: word.clone(), accepted, place: None });
    let outcome = |accepted| Outcome {
        test: Test::Intersection,
        subjects,
        answer: Answer::Failed(evidence(accepted)),
    };
    let names: Arc<[String]> = ["it".to_owned(), "semantics".to_owned()].into();
    for accepted in [[true, true], [true, false]] {
        let findings = findings(&material, &[outcome(accepted)], &names, 1);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].culprit(), None);
        let text = findings[0].to_string();
        assert!(text.starts_with("the intersection test is wrong itself: "), "{text}");
    }
}
