//! Do checks agree with and without refinement by facts of the model?
//!
//! A random model of two processes is checked against a random formula about locations and values.
//! Each way of refinement must give the same verdict as no refinement, for three kinds of automata.
//! The refined automaton must not be larger than the original one, and shortened labels not longer
//! than before. Each fact is proved by a check of its own.

use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::{Result, anyhow};
use sempre::checker::Checker;
use sempre::engines::Settings;
use sempre_automata::reduce::Level;
use sempre_automata::{Automaton, constraint};
use sempre_check::{Control, Refine, Verdict};
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::{Formula, Prop};
use sempre_models::generate::{PROCESS_PROPOSITIONS, random_processes};
use sempre_models::{Model, dve, facts};
use sempre_testing::AutomatonKind;
use sempre_translate::{Kind, Translator};

/// Models and formulas, with and without refinement.
pub const REFINEMENTS_AGREE: Subject = Subject {
    name: "refinement",
    summary: "checks with and without refinement by facts of the model",
    counted: "pairs of a model and a formula",
    count: 5_000,
    run: agreement,
};

const KINDS: [AutomatonKind; 3] = [AutomatonKind::Tgba, AutomatonKind::Ba, AutomatonKind::Det];

fn verdict(
    model: &Model,
    formula: &Formula,
    refine: Refine,
    kind: AutomatonKind,
) -> Result<Verdict> {
    let settings = Settings { engine: "explicit", refine, automaton: kind, ..Settings::default() };
    let checker = Checker::new(model.clone()).with(settings);
    let mut checker = checker.map_err(|error| anyhow!("{error}"))?;
    Ok(checker.check_formula(formula, &Control::default())?.verdict)
}

/// The kinds of automata that are refined by themselves.
const REFINED: [Kind; 3] = [Kind::Tgba, Kind::Ba, Kind::Det];

/// Refines an automaton by a constraint. Returns the lengths of its labels before and after they
/// are shortened, or why the result is wrong.
fn lengths(automaton: &Automaton, always: &Formula) -> Result<(usize, usize), String> {
    let plain = |error: sempre_automata::Error| error.to_string();
    let refined = constraint::refine(automaton, always, Level::High).map_err(plain)?;
    if constraint::size(&refined) > constraint::size(automaton) {
        return Err("refinement enlarges the automaton".to_owned());
    }
    let shorter = constraint::simplify_labels(&refined, always).map_err(plain)?;
    let lengths = [&refined, &shorter].map(constraint::label_length);
    match lengths[1] <= lengths[0] {
        true => Ok((lengths[0], lengths[1])),
        false => Err("labels become longer".to_owned()),
    }
}

fn agreement(seed: u64, count: u64, meter: &mut Meter) -> Result<Agreement> {
    let mut rng = Rng::new(seed);
    let (mut checks, mut proved, mut violated) = (0u64, 0u64, 0u64);
    let (mut refined, mut before, mut after) = (0u64, 0, 0);
    let mut disagreements = Vec::new();
    for number in 0..count {
        let of_model = rng.bits();
        let model = Model::from(dve::parse(&random_processes(of_model))?);
        let mut names: Vec<&str> = PROCESS_PROPOSITIONS.to_vec();
        while names.len() > 5 {
            names.remove(rng.index(names.len()));
        }
        let props: Vec<Prop> = names.iter().map(Prop::new).collect();
        let mut formulas =
            RandomFormulas::over(props.clone()).sizes(4..=16).seed(rng.bits()).generate()?;
        let Some(formula) = formulas.next() else { break };
        let formula = formula?;
        let expected = verdict(&model, &formula, Refine::Off, AutomatonKind::Tgba)?;
        violated += u64::from(expected == Verdict::Violated);
        for kind in KINDS {
            for refine in [Refine::Auto, Refine::Formula, Refine::Automaton] {
                checks += 1;
                let found = verdict(&model, &formula, refine, kind)?;
                if found != expected {
                    let (way, kind) = (refine.name(), kind.name());
                    disagreements.push(format!(
                        "model {of_model}, {formula}: {} by {way} ({kind})",
                        found.name()
                    ));
                }
            }
        }
        let facts = facts::find(&model, &*model.system(), &props, facts::STEPS);
        let always = facts::constraint(&facts);
        for kind in REFINED {
            let negation = Formula::not(formula.clone());
            let automaton = Translator::new().kind(kind).translate(&negation);
            refined += 1;
            match lengths(&automaton, &always) {
                Ok(lengths) => {
                    before += lengths.0;
                    after += lengths.1;
                }
                Err(reason) => {
                    disagreements.push(format!("{always}, {negation} ({}): {reason}", kind.name()));
                }
            }
        }
        for fact in facts {
            proved += 1;
            let holds = verdict(&model, &fact.assumption(), Refine::Off, AutomatonKind::Tgba)?;
            if holds != Verdict::Holds {
                disagreements.push(format!("model {of_model}: {fact:?} does not hold"));
            }
        }
        meter.show(|time| format!("{number} of {count}, {:.0} s", time.as_secs_f64()));
    }
    let summary = format!(
        "{count} pairs, {violated} violated, {checks} checks, {proved} facts; {refined} refined \
         automata, their labels {before} long and then {after}"
    );
    Ok(Agreement { summary, disagreements })
}
