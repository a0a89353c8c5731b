//! Compares the verdicts of all kinds of automata.
//!
//! Checks a random structure, which may have deadlocks, against a random stutter-invariant formula:
//! with automata over valuations, and with testing automata of all kinds, constructions and
//! searches. Checks other formulas with the kinds for partly stutter-invariant properties. Replays
//! each counterexample and evaluates the formula on its word.

use super::{Agreement, Subject};
use crate::bench::Meter;
use sempre_automata::strength::Way;
use sempre_check::{Control, Deadlock, Question, Verdict};
use sempre_explicit::store::Arena;
use sempre_explicit::{Options, StateSpace, check};
use sempre_ltl::generate::Rng;
use sempre_ltl::{Formula, Op};
use sempre_models::Error;
use sempre_models::kripke::{Kripke, KripkeBuilder};
use sempre_testing::{
    AutomatonKind, Handover, Kind as TestingKind, Links, Negation, OnDemand, Passes, SinglePassTa,
    TaOptions, TestingAutomaton, Tgta, TgtaOptions,
};
use sempre_translate::{Effort, Kind, Translator, require_invariance};
use std::fmt;
use std::sync::Arc;

/// All kinds on pairs of a random structure and a random formula, stutter-invariant or not.
pub const KINDS_AGREE: Subject = Subject {
    name: "testing-automata",
    summary: "checks with testing automata of all kinds and with Büchi automata, runs replayed",
    counted: "pairs of a structure and a stutter-invariant formula",
    count: 50_000,
    run: |seed, count, meter| agreement(seed, count, meter),
};

fn agreement(seed: u64, count: u64, meter: &mut Meter) -> anyhow::Result<Agreement> {
    let (tally, found) = compare(seed, count, |tally| {
        meter.show(|time| format!("{} pairs, {:.0} s", tally.pairs, time.as_secs_f64()));
    })?;
    let summary = format!(
        "{} pairs, {} with other formulas, of which {} hold, {} checks",
        tally.pairs, tally.others, tally.holding, tally.checks
    );
    let disagreements = found.iter().map(ToString::to_string).collect();
    Ok(Agreement { summary, disagreements })
}

/// The counts of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs of a structure and a stutter-invariant formula.
    pub pairs: u64,
    /// Pairs of a structure and another formula.
    pub others: u64,
    /// Pairs in which the formula holds.
    pub holding: u64,
    /// Checks with all kinds together.
    pub checks: u64,
}

/// A check with another verdict than the others, or with a run that is no counterexample.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The kind of automaton.
    pub kind: &'static str,
    /// The formula.
    pub formula: Formula,
    /// The structure.
    pub structure: Kripke,
    /// The error.
    pub what: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { kind, formula, structure, what } = self;
        let structure = sempre_models::kripke::text::write(structure);
        write!(out, "{formula} with {kind}: {what}, on\n{structure}")
    }
}

/// Compares all kinds on `count` pairs from a seed, and on the pairs with other formulas drawn
/// meanwhile. Returns the first disagreement.
///
/// # Errors
/// If a structure or a proposition is rejected, which is an error of this code.
pub fn compare(
    seed: u64,
    pairs: u64,
    mut progress: impl FnMut(&Tally),
) -> Result<(Tally, Option<Disagreement>), Error> {
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.pairs < pairs {
        let formula = formula(&mut rng);
        let is_invariant = require_invariance(&formula).is_ok();
        let kinds = if is_invariant { kinds(&formula) } else { kinds_for_any(&formula) };
        let kinds = kinds.map_err(|error| Error::new(error.to_string()))?;
        for _ in 0..STRUCTURES.min(pairs - tally.pairs) {
            let structure = structure(&mut rng)?;
            let deadlock = [Deadlock::Stutter, Deadlock::Ignore][rng.index(2)];
            let found = disagreement(&structure, &formula, &kinds, deadlock, &mut tally)?;
            match is_invariant {
                true => tally.pairs += 1,
                false => tally.others += 1,
            }
            if found.is_some() {
                return Ok((tally, found));
            }
        }
        progress(&tally);
    }
    Ok((tally, None))
}

/// The number of structures for each formula.
const STRUCTURES: u64 = 4;

/// A formula over up to three propositions; one in eight may have X.
pub(super) fn formula(rng: &mut Rng) -> Formula {
    const OPERATORS: [Op; 12] = [
        Op::Not,
        Op::And,
        Op::Or,
        Op::Implies,
        Op::Finally,
        Op::Globally,
        Op::Until,
        Op::Release,
        Op::WeakUntil,
        Op::StrongRelease,
        Op::Finally,
        Op::Globally,
    ];
    let with_next = rng.below(8) == 0;
    let props = 1 + rng.index(3);
    let leaves = 1 + rng.index(5);
    let mut parts: Vec<Formula> =
        (0..leaves).map(|_| Formula::prop(["a", "b", "c"][rng.index(props)])).collect();
    let mut unary = rng.index(6);
    while parts.len() > 1 || unary > 0 {
        let place = rng.index(parts.len());
        let left = parts.swap_remove(place);
        let op = OPERATORS[rng.index(OPERATORS.len())];
        let is_unary = matches!(op, Op::Not | Op::Finally | Op::Globally);
        if is_unary || parts.is_empty() {
            unary = unary.saturating_sub(1);
            parts.push(match (with_next && rng.below(2) == 0, is_unary) {
                (true, _) => Formula::next(left),
                (_, true) => Formula::new(op, [left]),
                _ => Formula::not(left),
            });
        } else {
            let place = rng.index(parts.len());
            let right = parts.swap_remove(place);
            parts.push(Formula::new(op, [left, right]));
        }
    }
    parts.swap_remove(0)
}

/// A structure of up to ten states in which neighbours often agree.
pub(crate) fn structure(rng: &mut Rng) -> Result<Kripke, Error> {
    let mut builder = KripkeBuilder::default();
    let props = ["a", "b", "c"].map(|name| builder.proposition(name));
    let count = 1 + rng.index(10);
    let states: Vec<_> = (0..count).map(|number| builder.state(format!("s{number}"))).collect();
    let mut label = rng.below(8);
    for &state in &states {
        if rng.below(2) == 0 {
            label = rng.below(8);
        }
        for (bit, prop) in props.iter().enumerate() {
            if label >> bit & 1 == 1 {
                builder.label(state, *prop);
            }
        }
        // One state in twelve is a deadlock.
        let degree = if rng.below(12) == 0 { 0 } else { 1 + rng.index(3) };
        for _ in 0..degree {
            builder.edge(state, states[rng.index(count)]);
        }
    }
    for _ in 0..1 + rng.index(2) {
        builder.initial(states[rng.index(count)]);
    }
    builder.build()
}

/// Returns the automata for all properties.
fn kinds_for_any(
    formula: &Formula,
) -> Result<Vec<(&'static str, Negation, bool)>, sempre_testing::Error> {
    let partly = Negation::of(formula, AutomatonKind::PartlyTgta)?;
    Ok(vec![
        ("tgba", Negation::of(formula, AutomatonKind::Tgba)?, false),
        ("partly tgta", partly.clone(), false),
        ("partly tgta in parts", partly, true),
    ])
}

/// Returns the automata to compare, by name; the first is the reference.
fn kinds(formula: &Formula) -> Result<Vec<(&'static str, Negation, bool)>, sempre_testing::Error> {
    let negation = Formula::not(formula.clone());
    let tgba = Translator::new().translate(&negation);
    let plain_tgba = Translator::new().effort(Effort::Low).translate(&negation);
    let ba = Translator::new().kind(Kind::Ba).translate(&negation);
    let plain_ba = Translator::new().kind(Kind::Ba).effort(Effort::Low).translate(&negation);
    let ta = TestingAutomaton::new(&ba, &TaOptions::default())?;
    let plain_ta = TestingAutomaton::new(&plain_ba, &TaOptions::THESIS)?;
    let livelocks =
        |ta: &TestingAutomaton, passes| Negation::Livelocks(Box::new(ta.clone()), passes);
    let sta = |ta: &TestingAutomaton, handover| {
        livelocks(SinglePassTa::new(ta, handover).as_ta(), Passes::ONE)
    };
    let tgta = |tgba, options: TgtaOptions| -> Result<Negation, sempre_testing::Error> {
        Ok(Negation::Changes(Tgta::new(tgba, &options)?.graph().clone()))
    };
    let direct = |postpone| -> Result<Negation, sempre_testing::Error> {
        let tgta = Tgta::of_tableau(&negation, postpone, &TgtaOptions::default())?;
        Ok(match tgta {
            Some(tgta) => Negation::Changes(tgta.graph().clone()),
            // The automaton is too large.
            None => tgba.clone().into(),
        })
    };
    let links = |links| TgtaOptions { links, ..TgtaOptions::THESIS };
    let built = |tgba, kind| -> Result<Negation, sempre_testing::Error> {
        Ok(Negation::OnDemand(Box::new(OnDemand::new(tgba, kind)?)))
    };
    let no_heuristic = Passes { heuristic: false, ..Passes::TWO };
    Ok(vec![
        ("tgba", tgba.clone().into(), false),
        ("plain tgba", plain_tgba.clone().into(), false),
        ("ba", ba.into(), false),
        ("plain ba", plain_ba.into(), false),
        ("ta, two passes", livelocks(&ta, Passes::TWO), false),
        ("ta, two passes without heuristic", livelocks(&ta, no_heuristic), false),
        ("ta, avoiding a second pass", livelocks(&ta, Passes::AVOIDING), false),
        ("ta", livelocks(&ta, Passes::BEST), false),
        ("plain ta, two passes", livelocks(&plain_ta, Passes::TWO), false),
        ("plain ta, two passes without heuristic", livelocks(&plain_ta, no_heuristic), false),
        ("plain ta, avoiding a second pass", livelocks(&plain_ta, Passes::AVOIDING), false),
        ("plain ta", livelocks(&plain_ta, Passes::BEST), false),
        ("strict sta", sta(&ta, Handover::All), false),
        ("optimized sta", sta(&ta, Handover::NotBuchi), false),
        ("sta", sta(&ta, Handover::OnCycles), false),
        ("strict sta of plain ta", sta(&plain_ta, Handover::All), false),
        ("optimized sta of plain ta", sta(&plain_ta, Handover::NotBuchi), false),
        ("sta of plain ta", sta(&plain_ta, Handover::OnCycles), false),
        ("tgta", tgta(&tgba, TgtaOptions::default())?, false),
        ("tgta in parts", tgta(&tgba, TgtaOptions::default())?, true),
        ("tgta of the formula", Negation::of(formula, AutomatonKind::Tgta)?, false),
        ("tgta of the tableau", direct(false)?, false),
        ("tgta of the tableau, postponing", direct(true)?, false),
        ("tgta of plain tgba", tgta(&plain_tgba, TgtaOptions::default())?, false),
        ("tgta of the thesis", tgta(&plain_tgba, TgtaOptions::THESIS)?, false),
        ("tgta with one link", tgta(&plain_tgba, links(Links::One))?, false),
        ("tgta with loops", tgta(&plain_tgba, links(Links::Loops))?, false),
        ("ta on demand", built(&tgba, TestingKind::Ta)?, false),
        ("sta on demand", built(&tgba, TestingKind::Sta)?, false),
        ("tgta on demand", built(&tgba, TestingKind::Tgta)?, false),
        ("ta of plain tgba on demand", built(&plain_tgba, TestingKind::Ta)?, false),
        ("sta of plain tgba on demand", built(&plain_tgba, TestingKind::Sta)?, false),
        ("tgta of plain tgba on demand", built(&plain_tgba, TestingKind::Tgta)?, false),
        ("tgta with a sink", tgta(&plain_tgba, links(Links::Sink))?, false),
    ])
}

/// Checks a structure against a formula with all these automata.
fn disagreement(
    structure: &Kripke,
    formula: &Formula,
    kinds: &[(&'static str, Negation, bool)],
    deadlock: Deadlock,
    tally: &mut Tally,
) -> Result<Option<Disagreement>, Error> {
    let question = Question::new(Arc::new(structure.clone()), formula, deadlock);
    let question = question.map_err(|error| Error::new(error.to_string()))?;
    let mut expected = None;
    for (kind, negation, decompose) in kinds {
        let decompose = decompose.then_some(Way::Inherent);
        let options = Options { decompose, ..Options::default() };
        let mut space = StateSpace::<Arena>::for_one_property(structure);
        let outcome = check(&mut space, &question, negation, &options, &Control::default());
        tally.checks += 1;
        let wrong = |what: String| {
            let (formula, structure) = (formula.clone(), structure.clone());
            Ok(Some(Disagreement { kind, formula, structure, what }))
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return wrong(error.to_string()),
        };
        let holds = match (&outcome.verdict, outcome.counterexample()) {
            (Verdict::Holds, None) => true,
            (Verdict::Violated, Some(run)) => match run.judge(structure, formula, deadlock) {
                Ok(_) => false,
                Err(rejected) => return wrong(rejected.to_string()),
            },
            (verdict, _) => return wrong(format!("{verdict:?}")),
        };
        if *expected.get_or_insert(holds) != holds {
            let what = if holds { "holds" } else { "is violated" };
            return wrong(format!("it {what}, but not with {}", kinds[0].0));
        }
    }
    tally.holding += u64::from(expected == Some(true));
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_agree() {
        let (tally, found) = compare(1, 400, |_| ()).unwrap();
        if let Some(found) = found {
            panic!("{found}");
        }
        assert_eq!(tally.pairs, 400);
        assert!(tally.others > 10, "{tally:?}");
        // Both verdicts occur often.
        assert!((100..300).contains(&tally.holding), "{tally:?}");
    }
}
