//! Do graphs of aggregates give the verdicts of the explicit and the symbolic engine?
//!
//! A random net, program or structure is checked against a random formula, with one of the meanings
//! of deadlocks. The explicit engine, the symbolic one and all graphs of aggregates take part;
//! their emptiness checks take turns. The engines judge the runs that they find.

use super::testing::{formula, structure};
use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::{Context, Result, anyhow};
use sempre_automata::strength::Way;
use sempre_check::combine::{AnyEngine, Widening};
use sempre_check::{CheckError, Control, Deadlock, Engine, Question, Verdict};
use sempre_explicit::ExplicitEngine;
use sempre_explicit::emptiness::Check;
use sempre_hybrid::{By, HybridEngine, Method, Options};
use sempre_ltl::generate::Rng;
use sempre_ltl::{Formula, rewrite};
use sempre_models::petri::{Net, NetBuilder};
use sempre_models::{Error, Model, languages};
use sempre_symbolic::SymbolicEngine;
use sempre_testing::AutomatonKind;
use sempre_translate::require_invariance;
use std::fmt::Write;

/// All graphs of aggregates on pairs of a random model and a random formula.
pub const HYBRIDS_AGREE: Subject = Subject {
    name: "hybrid",
    summary: "checks on graphs of aggregates of all kinds, explicit and symbolic, runs judged",
    counted: "pairs of a model (net, program, structure) and a formula",
    count: 20_000,
    run: agreement,
};

fn agreement(seed: u64, count: u64, meter: &mut Meter) -> Result<Agreement> {
    let mut rng = Rng::new(seed);
    let (mut checks, mut violated, mut counts) = (0, 0, [0; 3]);
    let mut disagreements = Vec::new();
    for pair in 0..count {
        let formula = formula(&mut rng);
        let kind = rng.index(3);
        let (model, formula, text) = match kind {
            0 => net(&mut rng, &formula)?,
            1 => program(&mut rng, &formula)?,
            _ => {
                let structure = structure(&mut rng)?;
                let text = sempre_models::kripke::text::write(&structure);
                (Model::from(structure), formula, text)
            }
        };
        counts[kind] += 1;
        let deadlock = Deadlock::ALL[rng.index(3)];
        let turn = rng.index(Check::ALL.len());
        let expected =
            verdict(&model, &formula, deadlock, engine(ExplicitEngine::new(Default::default())))?;
        let Some(expected) = expected else { continue };
        violated += u64::from(expected == Verdict::Violated);
        for (name, engine) in engines(turn, require_invariance(&formula).is_ok()) {
            let found = match verdict(&model, &formula, deadlock, engine) {
                Ok(Some(found)) => found,
                // The emptiness check does not fit the automaton.
                Ok(None) => continue,
                Err(error) => {
                    disagreements.push(format!("{formula} by {name}: {error:#}, on\n{text}"));
                    continue;
                }
            };
            checks += 1;
            if found != expected {
                let (found, expected) = (found.name(), expected.name());
                let deadlock = deadlock.name();
                disagreements.push(format!(
                    "{formula} by {name}: {found}, not {expected} (deadlocks: {deadlock}), on\n{text}"
                ));
            }
        }
        meter.show(|time| format!("{pair} pairs, {:.0} s", time.as_secs_f64()));
    }
    let [nets, programs, structures] = counts;
    let summary = format!(
        "{count} pairs of {nets} nets, {programs} programs and {structures} structures, {violated} violated, \
         {checks} checks besides the explicit ones"
    );
    Ok(Agreement { summary, disagreements })
}

fn engine(engine: impl Engine + 'static) -> AnyEngine {
    Box::new(engine)
}

/// The engines that are compared with the explicit one, by name.
fn engines(turn: usize, is_invariant: bool) -> Vec<(String, AnyEngine)> {
    let (tgba, tgta) = (AutomatonKind::Tgba, AutomatonKind::Tgta);
    let mut all = vec![("symbolic".to_owned(), engine(SymbolicEngine::default()))];
    for (number, (method, by, automaton)) in [
        (Method::Slap, By::Label, tgba),
        (Method::Slap, By::Label, tgta),
        (Method::Sog, By::Label, tgba),
        (Method::Sog, By::Label, tgta),
        (Method::Sog, By::Transition, tgba),
        (Method::Sog, By::Transition, tgta),
        (Method::Sop, By::Label, tgba),
        (Method::Sop, By::Label, tgta),
    ]
    .into_iter()
    .enumerate()
    {
        if number > 0 && !is_invariant {
            break;
        }
        let (name, check) = Check::ALL[(turn + number) % Check::ALL.len()];
        let is_literal = (turn + number).is_multiple_of(3);
        let plain = Options { method, by, automaton, ..Options::default() };
        let label = format!("{} {by:?} {}", method.name(), automaton.name());
        all.push((label.clone(), engine(HybridEngine::new(plain.clone()))));
        let is_split = method == Method::Slap && turn.is_multiple_of(2);
        let decompose = is_split.then_some(Way::Inherent);
        let (shortcuts, inclusion) = (!is_literal, !is_literal);
        let options = Options { emptiness: Some(check), decompose, shortcuts, inclusion, ..plain };
        all.push((format!("{label} {name}"), engine(HybridEngine::new(options))));
    }
    all
}

/// The verdict of an engine; none if it does not support the question, or the model has a fault.
fn verdict(
    model: &Model,
    formula: &Formula,
    deadlock: Deadlock,
    engine: AnyEngine,
) -> Result<Option<Verdict>> {
    let question = Question::new(model.system(), formula, deadlock)?;
    let outcome = Widening::new(model, engine)?.check(&question, &Control::default());
    match outcome {
        Ok(outcome) => Ok(Some(outcome.verdict)),
        Err(CheckError::Unsupported(_) | CheckError::Fault(_)) => Ok(None),
        Err(error) => Err(anyhow!(error)),
    }
}

/// Gives the propositions of a formula a meaning.
fn about(formula: &Formula, texts: [&str; 3]) -> Formula {
    rewrite::substitute(formula, |prop| {
        let number = ["a", "b", "c"].iter().position(|name| *name == prop.name());
        Formula::prop(texts[number.unwrap_or_default()])
    })
}

/// A bounded net of five places, with inhibitors.
fn net(rng: &mut Rng, formula: &Formula) -> Result<(Model, Formula, String)> {
    let net = random_net(rng)?;
    let texts = [
        ["p0", "p1 >= 2", "p2 + p3 < p4"],
        ["p0 >= 1 || deadlock", "fireable(t0)", "p3"],
        ["p0 = p1", "fireable(t1)", "p2"],
    ];
    let text = sempre_models::petri::text::write(&net);
    Ok((Model::from(net), about(formula, texts[rng.index(3)]), text))
}

fn random_net(rng: &mut Rng) -> Result<Net, Error> {
    let mut builder = NetBuilder::default();
    let places: Vec<_> =
        (0..5).map(|number| builder.place(format!("p{number}"), rng.below(3) as u32)).collect();
    for number in 0..2 + rng.index(5) {
        let transition = builder.transition(format!("t{number}"));
        for _ in 0..1 + rng.index(2) {
            // A transition consumes as many tokens as it produces, so the net is bounded.
            builder.input(transition, places[rng.index(5)], 1)?;
            builder.output(transition, places[rng.index(5)], 1)?;
        }
        if rng.below(4) == 0 {
            builder.inhibitor(transition, places[rng.index(5)], 1 + rng.below(2) as u32);
        }
    }
    builder.build()
}

/// Two processes that share a variable.
fn program(rng: &mut Rng, formula: &Formula) -> Result<(Model, Formula, String)> {
    let mut text = String::from("byte x = 0;\nbyte y = 1;\n");
    for name in ["P", "Q"] {
        let states = 2 + rng.index(2);
        let list: Vec<String> = (0..states).map(|number| format!("s{number}")).collect();
        writeln!(text, "process {name} {{\nstate {};\ninit s0;\ntrans", list.join(", "))?;
        let transitions = 2 + rng.index(3);
        for number in 0..transitions {
            let (from, to) = (rng.index(states), rng.index(states));
            let guard = ["x < 2", "x > 0", "y == 1", "x != y", "x <= 2"][rng.index(5)];
            let effect =
                ["x = (x + 1) % 3", "y = 1 - y", "x = 0", "x = x", "y = x % 2"][rng.index(5)];
            let end = if number + 1 == transitions { ";" } else { "," };
            writeln!(text, "s{from} -> s{to} {{ guard {guard}; effect {effect}; }}{end}")?;
        }
        text.push_str("}\n");
    }
    text.push_str("system async;\n");
    let language = languages::named("dve").context("the language")?;
    let model = language.read(&text)?;
    let texts = [["P.s0", "x >= 1", "y == 1"], ["Q.s1", "x == y", "P.s1"]];
    Ok((model, about(formula, texts[rng.index(2)]), text))
}
