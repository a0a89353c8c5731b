//! Do all engines give the verdicts of the reference, and of Spin?
//!
//! Random structures and formulas, as `sempre cross --checkers` has them. Every engine answers every
//! pair with its default settings, and with some of its variants in turn. In a run of its own, Spin
//! answers together with all engines; it gets formulas without `X`, and several of them for each
//! structure, since it compiles a program for each structure.

use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::{Result, bail};
use sempre::checkers::{Answer, Mistake, OwnEngine, Pair, Participant, Spin, shrink, variants};
use sempre::engines::ENGINES;
use sempre_automata::Kripke;
use sempre_automata::random::RandomKripke;
use sempre_ltl::Formula;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::generate::{Priorities, Rng};

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
    summary: "Spin and all engines, on formulas without X, 20 for each structure",
    counted: "pairs of a structure and a formula",
    count: 5000,
    run: |seed, count, meter| match Spin::is_installed() {
        true => agreement(seed, count, true, meter),
        false => bail!("spin or a C compiler is not installed"),
    },
};

/// The number of variants that join for each pair.
const VARIANTS: usize = 8;

/// The number of formulas for which Spin compiles one program.
const FORMULAS: u64 = 20;

/// The maximal number of smaller pairs that are tried for a wrong answer.
const TRIES: usize = 5000;

/// The engines with their default settings, and all their variants.
struct Engines {
    plain: Vec<OwnEngine>,
    others: Vec<OwnEngine>,
}

/// The numbers of answers so far, and the wrong ones.
#[derive(Default)]
struct Numbers {
    violated: usize,
    checks: usize,
    by_spin: usize,
    unsupported: usize,
    disagreements: Vec<String>,
}

fn agreement(seed: u64, count: u64, is_spin: bool, meter: &mut Meter) -> Result<Agreement> {
    let own = ENGINES.iter().flat_map(|row| variants(row.name));
    let own = own.map(|(name, settings)| OwnEngine::new(name, settings));
    let (plain, others) = own.partition(|engine: &OwnEngine| !engine.name().contains(' '));
    let engines = Engines { plain, others };
    let mut rng = Rng::new(seed);
    let mut formulas = RandomFormulas::over_numbered(3).sizes(3..=12).seed(rng.bits());
    if is_spin {
        // Spin's translation of some larger formulas takes hours.
        let without_next = Priorities::equal(3).adjusted("X=0")?;
        formulas = formulas.sizes(3..=8).priorities(without_next);
    }
    let mut formulas = formulas.generate()?;
    let mut numbers = Numbers::default();
    let each = if is_spin { FORMULAS } else { 1 };
    for first in (0..count).step_by(each as usize) {
        let structures = RandomKripke::over(["p0", "p1", "p2"])?
            .states(2 + rng.index(20))
            .density(0.15)
            .seed(rng.bits());
        let Some(structure) = structures.generate().next() else { break };
        let formulas: Vec<Formula> =
            formulas.by_ref().take(each.min(count - first) as usize).collect::<Result<_, _>>()?;
        let by_spin = match is_spin {
            true => Spin::answers(&structure, &formulas),
            false => vec![],
        };
        numbers.group(&engines, &structure, formulas, &by_spin, first as usize)?;
        meter.show(|time| format!("{first} pairs, {:.0} s", time.as_secs_f64()));
    }
    let Numbers { violated, checks, by_spin, unsupported, disagreements } = numbers;
    let spin = if is_spin { format!(" and {by_spin} of Spin") } else { String::new() };
    let (plain, others) = (engines.plain.len(), engines.others.len());
    let summary = format!(
        "{count} pairs, {violated} violated, {checks} answers of {plain} engines and {others} \
         variants{spin}, {unsupported} unsupported"
    );
    Ok(Agreement { summary, disagreements })
}

impl Numbers {
    /// Adds the answers for some formulas on one structure, the first of which has this number.
    fn group(
        &mut self,
        engines: &Engines,
        structure: &Kripke,
        formulas: Vec<Formula>,
        by_spin: &[Result<Answer, String>],
        first: usize,
    ) -> Result<()> {
        for (place, formula) in formulas.into_iter().enumerate() {
            let pair = Pair { structure: structure.clone(), formula };
            let violation = pair.violation();
            self.violated += usize::from(violation.is_some());
            if let Some(answer) = by_spin.get(place) {
                let judged = pair.verdict(answer.clone(), violation.as_ref());
                self.by_spin += usize::from(matches!(judged, Ok(Answer::Holds | Answer::Violated)));
                self.count(&pair, &Spin, judged)?;
            }
            let begin = (first + place) * VARIANTS;
            let others = &engines.others;
            let turn = (begin..begin + VARIANTS).map(|place| &others[place % others.len()]);
            for engine in engines.plain.iter().chain(turn) {
                let judged = pair.judge(engine, violation.as_ref());
                self.checks += usize::from(matches!(judged, Ok(Answer::Holds | Answer::Violated)));
                self.count(&pair, engine, judged)?;
            }
        }
        Ok(())
    }

    /// Notes what is wrong with an answer, or that there is none.
    fn count(
        &mut self,
        pair: &Pair,
        participant: &dyn Participant,
        judged: Result<Answer, Mistake>,
    ) -> Result<()> {
        match judged {
            Ok(Answer::Holds | Answer::Violated) => {}
            Ok(Answer::Unsupported(_)) => self.unsupported += 1,
            Err(mistake) => {
                let (pair, mistake) = shrink(pair, &mistake, participant, TRIES);
                let text = pair.model().map(|model| sempre_models::kripke::text::write(&model))?;
                let (name, formula) = (participant.name(), &pair.formula);
                self.disagreements.push(format!("{formula} by {name}: {mistake}, on\n{text}"));
            }
        }
        Ok(())
    }
}
