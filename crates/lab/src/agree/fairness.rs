//! Do checks about steps and of fair runs agree with their definitions?
//!
//! A random system is checked against a random formula about states and steps, among all runs or
//! the fair ones. Its actions are steps of one or two processes, and it may have deadlocks. The
//! oracle unfolds both. The system becomes an automaton whose letters say which actions are enabled
//! and which are taken; fairness becomes a formula over these letters. Then the whole product with
//! the negation is built.

use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::Result;
use sempre_automata::strength::Way;
use sempre_automata::{Alphabet, Automaton, Marks, StateId, emptiness, product};
use sempre_check::{
    CheckError, Components, Control, Deadlock, Engine, Fairness, FairnessKind, Question, Verdict,
};
use sempre_explicit::emptiness::Check;
use sempre_explicit::{ExplicitEngine, Options};
use sempre_ltl::Formula;
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_models::expression::Expr;
use sempre_models::layout::{Field, Layout};
use sempre_models::{
    ActionId, Actions, Expander, Fault, Meaning, Names, Scope, Successors, System, VariableId,
};
use sempre_translate::Translator;
use std::sync::Arc;

/// Systems and formulas about steps, with and without fairness.
pub const FAIRNESS_AGREES: Subject = Subject {
    name: "fairness",
    summary: "checks about steps and of fair runs, with fairness unfolded as a formula",
    counted: "pairs of a system and a formula",
    count: 20_000,
    run: agreement,
};

/// The propositions about states.
const STATES: [&str; 2] = ["a", "b"];

/// The number of actions, and of processes.
const ACTIONS: u32 = 3;
const PROCESSES: u32 = 2;

/// A system with few states.
#[derive(Clone, Debug)]
struct Labelled {
    /// For each state the action and the target of its steps.
    steps: Vec<Vec<(u32, u32)>>,
    labels: Vec<u8>,
    /// For each action the processes that make it, as bits.
    processes: [u8; ACTIONS as usize],
}

impl Labelled {
    fn random(rng: &mut Rng) -> Self {
        let states = 1 + rng.index(6);
        let steps = (0..states).map(|_| {
            let count = rng.index(4);
            let step = |rng: &mut Rng| (rng.below(ACTIONS.into()) as u32, rng.index(states) as u32);
            (0..count).map(|_| step(rng)).collect()
        });
        let steps: Vec<Vec<(u32, u32)>> = steps.collect();
        let labels = (0..states).map(|_| rng.below(4) as u8).collect();
        let mut processes = [0; ACTIONS as usize];
        for bits in &mut processes {
            *bits = 1 + rng.below((1 << PROCESSES) - 1) as u8;
        }
        Labelled { steps, labels, processes }
    }

    fn field(&self) -> Field {
        Layout::default().field(0, self.steps.len() as i64)
    }

    /// The actions with this name: `t1` is an action, `p1` a process.
    fn named(&self, name: &str) -> Option<Vec<ActionId>> {
        let number: u32 = name.get(1..)?.parse().ok()?;
        let all = 0..ACTIONS;
        match name.as_bytes()[0] {
            b't' if number < ACTIONS => Some(vec![ActionId(number)]),
            b'p' if number < PROCESSES => {
                let makes = |action: &u32| self.processes[*action as usize] >> number & 1 == 1;
                Some(all.filter(makes).map(ActionId).collect())
            }
            _ => None,
        }
    }

    fn is_enabled(&self, state: usize, name: &str) -> bool {
        let named = self.named(name).unwrap_or_default();
        self.steps[state].iter().any(|(action, _)| named.contains(&ActionId(*action)))
    }

    fn table(&self, holds: impl Fn(usize) -> bool) -> Expr {
        let mut table: Vec<i64> = (0..self.steps.len()).map(|s| i64::from(holds(s))).collect();
        table.resize(self.field().greatest() as usize + 1, 0);
        Expr::Table(self.field(), Arc::from(table))
    }
}

impl Scope for Labelled {
    fn resolve(&self, name: &str) -> Option<Meaning> {
        let bit = STATES.iter().position(|known| *known == name)?;
        Some(Meaning::Value(self.table(|state| self.labels[state] >> bit & 1 == 1)))
    }

    fn fireable(&self, name: &str) -> Option<Expr> {
        self.named(name)?;
        Some(self.table(|state| self.is_enabled(state, name)))
    }

    fn fired(&self, name: &str) -> Option<Actions> {
        Some(self.named(name)?.into_iter().collect())
    }

    fn value_names(&self) -> Vec<String> {
        STATES.map(str::to_owned).into()
    }

    fn action_names(&self) -> Vec<String> {
        (0..ACTIONS).map(|action| format!("t{action}")).collect()
    }
}

impl System for Labelled {
    fn words(&self) -> usize {
        1
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        Ok(vec![Box::from([0])])
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(self)
    }

    fn names(&self) -> &dyn Names {
        self
    }
}

impl Expander for &Labelled {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        for (action, target) in &self.steps[state[0] as usize] {
            successors.push(ActionId(*action), &[*target]);
        }
        Ok(())
    }
}

impl Names for Labelled {
    fn action_name(&self, action: ActionId) -> String {
        format!("t{}", action.0)
    }

    fn variable_count(&self) -> usize {
        1
    }

    fn variable_name(&self, _: VariableId) -> String {
        "state".into()
    }

    fn value(&self, state: &[u32], _: VariableId) -> i64 {
        i64::from(state[0])
    }

    fn processes(&self) -> Vec<String> {
        (0..PROCESSES).map(|process| format!("p{process}")).collect()
    }

    fn processes_of(&self, action: ActionId) -> Vec<u32> {
        let bits = self.processes[action.0 as usize];
        (0..PROCESSES).filter(|process| bits >> process & 1 == 1).collect()
    }
}

fn fairness(rng: &mut Rng) -> Option<Fairness> {
    let kind = [FairnessKind::Weak, FairnessKind::Strong][rng.index(2)];
    let components = [Components::Processes, Components::Transitions][rng.index(2)];
    // One in five is about all runs.
    (rng.index(5) > 0).then_some(Fairness { kind, components })
}

/// The formula that holds on fair runs.
fn unfolded(fairness: Fairness) -> Formula {
    let names: Vec<String> = match fairness.components {
        Components::Processes => (0..PROCESSES).map(|number| format!("p{number}")).collect(),
        Components::Transitions => (0..ACTIONS).map(|number| format!("t{number}")).collect(),
    };
    let fair = |name: &String| {
        let enabled = Formula::prop(format!("fireable({name})"));
        let steps = Formula::prop(format!("fired({name})"));
        let often = |formula| Formula::globally(Formula::finally(formula));
        let enabled = match fairness.kind {
            FairnessKind::Weak => Formula::finally(Formula::globally(enabled)),
            FairnessKind::Strong => often(enabled),
        };
        Formula::implies(enabled, often(steps))
    };
    Formula::and(names.iter().map(fair).collect::<Vec<_>>())
}

/// True if a run violates the formula, by an automaton of all runs.
fn is_violated(system: &Labelled, formula: &Formula, deadlock: Deadlock) -> Result<bool> {
    let props: Vec<String> = formula.props().iter().map(|prop| prop.name().to_owned()).collect();
    let alphabet = Arc::new(Alphabet::new(props.iter().map(String::as_str))?);
    let mut builder = Automaton::builder(alphabet.clone());
    builder.add_states(system.steps.len());
    builder.initial(StateId::new(0));
    let argument = |prop: &str, function: &str| -> Option<String> {
        Some(prop.strip_prefix(function)?.strip_prefix('(')?.strip_suffix(')')?.to_owned())
    };
    for (state, steps) in system.steps.iter().enumerate() {
        let mut letters: Vec<(Option<u32>, usize)> =
            steps.iter().map(|(action, target)| (Some(*action), *target as usize)).collect();
        if letters.is_empty() && deadlock == Deadlock::Stutter {
            letters.push((None, state));
        }
        for (action, target) in letters {
            let holds = |prop: &str| {
                if let Some(name) = argument(prop, "fired") {
                    let named = system.named(&name).unwrap_or_default();
                    return action.is_some_and(|action| named.contains(&ActionId(action)));
                }
                match argument(prop, "fireable") {
                    Some(name) => system.is_enabled(state, &name),
                    None => {
                        let bit = STATES.iter().position(|known| *known == prop);
                        bit.is_some_and(|bit| system.labels[state] >> bit & 1 == 1)
                    }
                }
            };
            let cube: Vec<(usize, bool)> =
                props.iter().enumerate().map(|(number, prop)| (number, holds(prop))).collect();
            let label = alphabet.from_cube(&cube);
            builder.edge(StateId::new(state), label, Marks::EMPTY, StateId::new(target));
        }
    }
    let negation = Translator::new().translate(&Formula::not(formula.clone()));
    Ok(!emptiness::is_empty(&product::intersection(&builder.build(), &negation)))
}

/// The search of its own, all emptiness checks, and other options that find runs in their own way.
fn variants() -> Vec<(&'static str, Options)> {
    let own = [
        ("steps", Options::default()),
        ("--shortest", Options { shortest: true, ..Options::default() }),
        ("--decompose", Options { decompose: Some(Way::Inherent), ..Options::default() }),
    ];
    let check = |(name, check)| (name, Options { emptiness: Some(check), ..Options::default() });
    own.into_iter().chain(Check::ALL.map(check)).collect()
}

/// True if the emptiness check need not apply: to fairness, which asks for acceptance conditions of
/// its own, or to automata that are not weak or terminal.
fn may_refuse(check: Option<Check>, fairness: Option<Fairness>) -> bool {
    let Some(check) = check else { return false };
    match fairness.map(|fairness| fairness.kind) {
        None => matches!(check, Check::Weak | Check::Terminal),
        Some(FairnessKind::Weak) => {
            !matches!(check, Check::Couvreur { .. } | Check::Tarjan | Check::Generic)
        }
        Some(FairnessKind::Strong) => check != Check::Generic,
    }
}

fn agreement(seed: u64, count: u64, meter: &mut Meter) -> Result<Agreement> {
    let mut rng = Rng::new(seed);
    let props = ["a", "b", "fired(t0)", "fired(p1)", "fireable(t1)"];
    let formulas = RandomFormulas::over(props).sizes(1..=9).seed(rng.bits()).generate()?;
    let (mut fair, mut violated, mut checks, mut refusals) = (0u64, 0u64, 0u64, 0u64);
    let mut disagreements = Vec::new();
    for (number, formula) in (0..count).zip(formulas) {
        let formula = formula?;
        let system = Labelled::random(&mut rng);
        let deadlock = [Deadlock::Stutter, Deadlock::Ignore][rng.index(2)];
        let fairness = fairness(&mut rng);
        fair += u64::from(fairness.is_some());
        let full = match fairness {
            Some(fairness) => Formula::implies(unfolded(fairness), formula.clone()),
            None => formula.clone(),
        };
        let expected = match is_violated(&system, &full, deadlock)? {
            true => Verdict::Violated,
            false => Verdict::Holds,
        };
        violated += u64::from(expected == Verdict::Violated);
        let question = Question::new(Arc::new(system.clone()), &formula, deadlock)?;
        let question = match fairness {
            Some(fairness) => question.fair(fairness)?,
            None => question,
        };
        for (name, options) in variants() {
            // The engine lets the judge check each run, including its fairness.
            let mut engine = ExplicitEngine::new(options);
            let found = engine.check(&question, &Control::default()).map(|outcome| outcome.verdict);
            checks += 1;
            let agrees = match &found {
                Err(CheckError::Unsupported(_)) => may_refuse(options.emptiness, fairness),
                found => found.as_ref().is_ok_and(|found| *found == expected),
            };
            refusals += u64::from(found.is_err());
            if !agrees {
                disagreements.push(format!(
                    "{formula}, {name}, fairness {fairness:?}, deadlocks {}: {found:?} instead of {expected:?}, on {system:?}",
                    deadlock.name()
                ));
            }
        }
        meter.show(|time| format!("{} pairs, {:.0} s", number + 1, time.as_secs_f64()));
    }
    let summary = format!(
        "{count} pairs, {fair} of fair runs only, {violated} violated; {checks} checks, {refusals} refused"
    );
    Ok(Agreement { summary, disagreements })
}
