//! Do all engines give the verdicts of the reference, and of Spin?
//!
//! Random structures and formulas, as `sempre cross --checkers` has them. Every engine answers every
//! pair with its default settings, and with some of its variants in turn. Spin answers, too, where it
//! is installed.

use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::Result;
use sempre::checkers::{Answer, OwnEngine, Pair, Participant, Spin, shrink, variants};
use sempre::engines::ENGINES;
use sempre_automata::random::RandomKripke;
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::random::RandomFormulas;

/// All engines and Spin on pairs of a random structure and a random formula.
pub const CHECKERS_AGREE: Subject = Subject {
    name: "checkers",
    summary: "all engines and Spin on random structures, runs judged, wrong answers shrunk",
    counted: "pairs of a structure and a formula",
    count: 5000,
    run: agreement,
};

/// The number of variants that join for each pair.
const VARIANTS: usize = 8;

/// The maximal number of smaller pairs that are tried for a wrong answer.
const TRIES: usize = 5000;

fn agreement(seed: u64, count: u64, meter: &mut Meter) -> Result<Agreement> {
    let own = ENGINES.iter().flat_map(|row| variants(row.name));
    let own = own.map(|(name, settings)| OwnEngine::new(name, settings));
    let (plain, others): (Vec<_>, Vec<_>) = own.partition(|engine| !engine.name().contains(' '));
    let mut rng = Rng::new(seed);
    let mut formulas =
        RandomFormulas::over_numbered(3).sizes(3..=12).seed(rng.bits()).generate()?;
    let (mut checks, mut unsupported, mut violated, mut by_spin) = (0, 0, 0, 0);
    let mut disagreements = vec![];
    for number in 0..count {
        let Some(formula) = formulas.next() else { break };
        let structures = RandomKripke::over(["p0", "p1", "p2"])?
            .states(2 + rng.index(20))
            .density(0.15)
            .seed(rng.bits());
        let Some(structure) = structures.generate().next() else { break };
        let pair = Pair { structure, formula: formula? };
        let violation = pair.violation();
        violated += u64::from(violation.is_some());
        let first = number as usize * VARIANTS;
        let turn = (first..first + VARIANTS).map(|place| &others[place % others.len()]);
        let mut participants: Vec<&dyn Participant> = vec![];
        participants.extend(plain.iter().chain(turn).map(|engine| engine as &dyn Participant));
        if Spin::is_installed() {
            by_spin += 1;
            participants.push(&Spin);
        }
        for participant in participants {
            match pair.judge(participant, violation.as_ref()) {
                Ok(Answer::Unsupported(_)) => unsupported += 1,
                Ok(_) => checks += 1,
                Err(mistake) => {
                    let (pair, mistake) = shrink(&pair, &mistake, participant, TRIES);
                    let text =
                        pair.model().map(|model| sempre_models::kripke::text::write(&model))?;
                    let (name, formula) = (participant.name(), &pair.formula);
                    disagreements.push(format!("{formula} by {name}: {mistake}, on\n{text}"));
                }
            }
        }
        meter.show(|time| format!("{number} pairs, {:.0} s", time.as_secs_f64()));
    }
    let summary = format!(
        "{count} pairs, {violated} violated, {checks} answers of {} engines and {} variants, \
         {unsupported} unsupported, {by_spin} pairs also by Spin",
        plain.len(),
        others.len()
    );
    Ok(Agreement { summary, disagreements })
}
