//! Determines the wrong automaton.
//!
//! H. Tauriainen (HUT-TCS-A66, 2000), section 5.2: a failed test comes with a word on which its
//! automata contradict each other. The semantics decides whether the word satisfies the formula,
//! and thus which automaton is wrong; it gives no information about the other. Before a report,
//! other algorithms recompute the answers of the automata, and two independent evaluations the
//! value of the formula. The word is then shortened while all this remains true.

mod explanation;
mod finding;
#[cfg(test)]
mod tests;
mod witness;

pub use finding::{Finding, Mistake, Verdict, Witness};

use std::sync::Arc;

use sempre_automata::membership;
use sempre_ltl::semantics::{Evaluator, proof, restricted};
use sempre_ltl::{Formula, Word};

use crate::checks::{Answer, Evidence, Material, Outcome, WordEvidence};
use crate::subject::Subject;

/// Returns the findings of the failed tests: one for each automaton and kind of error, by the first
/// test that shows it.
pub(crate) fn findings(
    material: &Material<'_>,
    outcomes: &[Outcome],
    names: &Arc<[String]>,
    round: usize,
) -> Vec<Finding> {
    let judge = Judge { material, evaluator: Evaluator::new(material.formula) };
    let mut findings: Vec<Finding> = vec![];
    for outcome in outcomes {
        let Answer::Failed(evidence) = &outcome.answer else { continue };
        let verdict = judge.verdict(outcome, evidence);
        if let Some(known) = findings.iter_mut().find(|known| known.verdict.is_same(&verdict)) {
            known.also.push((outcome.test, outcome.subjects));
            continue;
        }
        let (word, accepted, place) = match evidence {
            Evidence::Word(evidence) => {
                let word = judge.shortened(outcome.subjects, evidence, &verdict);
                (Some(word), Some(evidence.accepted), evidence.place.clone())
            }
            Evidence::Claim(_) => (None, None, None),
        };
        findings.push(Finding {
            round,
            formula: material.formula.clone(),
            test: outcome.test,
            subjects: outcome.subjects,
            accepted,
            place,
            witness: word.map(|word| judge.witness(word)),
            also: vec![],
            agreeing: agreeing(material, outcomes, &verdict),
            believed: verdict.culprit().is_some_and(|culprit| {
                material.both_believed(culprit.participant, culprit.participant)
            }),
            verdict,
            names: names.clone(),
        });
    }
    findings
}

/// Returns the other participants, if there are several and no test has distinguished them.
fn agreeing(material: &Material<'_>, outcomes: &[Outcome], verdict: &Verdict) -> Vec<usize> {
    let Some(culprit) = verdict.culprit() else { return vec![] };
    let others: Vec<usize> = material
        .participants()
        .filter(|&participant| participant != culprit.participant)
        .filter(|&participant| material.automata[participant].iter().all(Option::is_some))
        .collect();
    let among_others = |outcome: &&Outcome| {
        outcome.subjects.iter().all(|subject| subject.participant != culprit.participant)
    };
    let mut relevant = outcomes.iter().filter(among_others);
    let agree = !relevant.any(|outcome| matches!(outcome.answer, Answer::Failed(_)));
    if agree && others.len() > 1 { others } else { vec![] }
}

/// Caches the answers of automata and of the semantics on words.
struct Judge<'a> {
    material: &'a Material<'a>,
    evaluator: Evaluator,
}

impl Judge<'_> {
    fn accepts(&self, subject: Subject, word: &Word) -> bool {
        match self.material.automaton(subject) {
            Some(automaton) => membership::accepts(automaton, word),
            // The semantics.
            None => subject.polarity.accepts_if(self.evaluator.holds(word)),
        }
    }

    /// True if the automata give these answers on the word.
    fn is_fact(&self, subjects: [Subject; 2], accepted: [bool; 2], word: &Word) -> bool {
        subjects.into_iter().zip(accepted).all(|(s, accepted)| self.accepts(s, word) == accepted)
    }

    fn verdict(&self, outcome: &Outcome, evidence: &Evidence) -> Verdict {
        match evidence {
            Evidence::Claim(broken) => Verdict::Wrong {
                culprit: outcome.subjects[0],
                mistake: Mistake::NotAsClaimed(broken.clone()),
            },
            Evidence::Word(WordEvidence { word, accepted, .. }) => {
                if !self.is_fact(outcome.subjects, *accepted, word) {
                    let reason = "what the automata say about the word is found to be otherwise";
                    return Verdict::Contradiction(reason.to_owned());
                }
                let holds = self.evaluator.holds(word);
                if restricted::holds(self.material.formula, word) != holds {
                    let reason = "two evaluations of the formula on the word differ";
                    return Verdict::Contradiction(reason.to_owned());
                }
                match wrong(outcome.subjects, *accepted, holds) {
                    Some((culprit, mistake)) => Verdict::Wrong { culprit, mistake },
                    None => Verdict::Contradiction("all automata are right about the word".into()),
                }
            }
        }
    }

    /// Shortens the word while the verdict stays.
    fn shortened(
        &self,
        subjects: [Subject; 2],
        evidence: &WordEvidence,
        verdict: &Verdict,
    ) -> Word {
        let Verdict::Wrong { culprit, .. } = verdict else { return evidence.word.clone() };
        witness::shortened(&evidence.word, |word| {
            let holds = self.evaluator.holds(word);
            let same = wrong(subjects, evidence.accepted, holds).map(|(wrong, _)| wrong);
            same == Some(*culprit) && self.is_fact(subjects, evidence.accepted, word)
        })
    }

    fn witness(&self, word: Word) -> Witness {
        let formula: &Formula = self.material.formula;
        let proof = proof::explain(formula, &word);
        Witness { holds: proof.holds(), word, proof }
    }
}

/// The decision rule of all tests: which answer on a word is wrong, given whether the formula holds
/// on it.
fn wrong(subjects: [Subject; 2], accepted: [bool; 2], holds: bool) -> Option<(Subject, Mistake)> {
    subjects.into_iter().zip(accepted).find_map(|(subject, accepted)| {
        let mistake = if accepted { Mistake::WronglyAccepts } else { Mistake::WronglyRejects };
        (subject.polarity.accepts_if(holds) != accepted).then_some((subject, mistake))
    })
}
