//! Do all engines give the verdicts of the reference, and of Spin?
//!
//! Random structures and formulas, as `sempre cross --checkers` has them. Every engine answers every
//! pair with its default settings, and with some of its variants in turn. In a run of its own, for it
//! compiles a program for each pair, Spin answers the same pairs.

use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::{Result, bail};
use sempre::checkers::{Answer, OwnEngine, Pair, Participant, Spin, shrink, variants};
use sempre::engines::ENGINES;
use sempre_automata::random::RandomKripke;
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::random::RandomFormulas;

/// All engines on pairs of a random structure and a random formula.
pub const CHECKERS_AGREE: Subject = Subject {
    name: "checkers",
    summary: "all engines on random structures, runs judged, wrong answers shrunk",
    counted: "pairs of a structure and a formula",
    count: 5000,
    run: |seed, count, meter| agreement(seed, count, false, meter),
};

/// Spin on the same pairs.
pub const SPIN_AGREES: Subject = Subject {
    name: "spin",
    summary: "Spin on the structures and formulas of `checkers`",
    counted: "pairs of a structure and a formula",
    count: 5000,
    run: |seed, count, meter| match Spin::is_installed() {
        true => agreement(seed, count, true, meter),
        false => bail!("spin or a C compiler is not installed"),
    },
};

/// The number of variants that join for each pair.
const VARIANTS: usize = 8;

/// The maximal number of smaller pairs that are tried for a wrong answer.
const TRIES: usize = 5000;

fn agreement(seed: u64, count: u64, is_spin: bool, meter: &mut Meter) -> Result<Agreement> {
    let own = ENGINES.iter().flat_map(|row| variants(row.name));
    let own = own.map(|(name, settings)| OwnEngine::new(name, settings));
    let (plain, others): (Vec<_>, Vec<_>) = own.partition(|engine| !engine.name().contains(' '));
    let mut rng = Rng::new(seed);
    let mut formulas =
        RandomFormulas::over_numbered(3).sizes(3..=12).seed(rng.bits()).generate()?;
    let (mut checks, mut unsupported, mut violated) = (0, 0, 0);
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
        match is_spin {
            true => participants.push(&Spin),
            false => {
                let engines = plain.iter().chain(turn);
                participants.extend(engines.map(|engine| engine as &dyn Participant));
            }
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
        "{count} pairs, {violated} violated, {checks} answers of {}, {unsupported} unsupported",
        match is_spin {
            true => "Spin".to_owned(),
            false => format!("{} engines and {} variants", plain.len(), others.len()),
        }
    );
    Ok(Agreement { summary, disagreements })
}
