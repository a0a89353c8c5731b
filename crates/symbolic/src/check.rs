//! The check of one formula on the states of a system.

use num_bigint::BigUint;
use sempre_automata::Automaton;
use sempre_automata::strength::{Strength, Strengths};
use sempre_diagrams::Usage;
use sempre_explicit::explore::{Failure, Path};
use sempre_explicit::{
    AutomatonKind, Counterexample, Deadlock, Move, Negation, Refusal, Rejected, Verdict,
};
use sempre_ltl::{Formula, Prop};
use sempre_models::Fault;
use sempre_models::proposition::Propositions;

use crate::emptiness::Fixpoint;
use crate::encoding::Order;
use crate::product::{Product, is_empty};
use crate::space::Space;
use crate::steps::Steps;

/// How a check is done.
#[derive(Clone, Debug)]
pub struct Options {
    /// The fixpoint; chosen by the strength of the automaton if there is none.
    pub fixpoint: Option<Fixpoint>,
    /// Take the automaton apart by the strengths of its components, and check one part after the
    /// other.
    pub decompose: bool,
    /// What states without successors mean.
    pub deadlock: Deadlock,
    /// The automaton of the negation that the product is made with.
    pub kind: Kind,
    /// How the steps of the product are computed.
    pub steps: Steps,
    /// Find reachable states, and what loops of the automaton allow if they are split off, by
    /// saturation; otherwise all events are applied to the newest states.
    pub saturate: bool,
    /// The order of the variables.
    pub order: Order,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fixpoint: None,
            decompose: false,
            deadlock: Deadlock::default(),
            kind: Kind::default(),
            steps: Steps::default(),
            saturate: true,
            order: Order::default(),
        }
    }
}

/// The automata that products are made with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Generalized Büchi automata.
    #[default]
    Tgba,
    /// Generalized testing automata, for stutter-invariant properties only.
    Tgta,
}

/// The answer, and what it has cost.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The fixpoints that were used, one for each part of the automaton; or else what was being
    /// computed when a limit was reached.
    pub engine: String,
    /// How many states the system has, if that was found out.
    pub states: Option<BigUint>,
    /// What the diagrams have taken.
    pub usage: Usage,
}

/// Why there is no testing automaton.
fn testing(error: sempre_testing::Error) -> Refusal {
    Refusal::Error(sempre_models::Error::new(error.to_string()))
}

/// A fault that was met on an unknown way.
pub(crate) fn refuse(fault: Fault) -> Refusal {
    Refusal::Fault(Failure { fault, path: None })
}

/// How many bytes diagrams may take if no limit is given.
pub const MEMORY: usize = 4 << 30;

impl Space<'_> {
    /// Checks the system against a formula; also tells the fixpoints that were used. This knows
    /// no limits but those that it runs under.
    ///
    /// # Errors
    /// As [`verify`](crate::verify).
    pub fn verify(
        &self,
        formula: &Formula,
        options: &Options,
    ) -> Result<(Verdict, String), Refusal> {
        let system = self.encoding.system();
        // Unknown names are errors even if simplification would drop them.
        Propositions::compile(system.names(), formula.props().iter().map(Prop::name))?;
        let kind = match (options.kind, options.steps) {
            (Kind::Tgba, Steps::Changes) => {
                return Err(Refusal::Error(sempre_models::Error::new(
                    "only testing automata read changes",
                )));
            }
            (Kind::Tgba, _) => AutomatonKind::Tgba,
            (Kind::Tgta, _) => AutomatonKind::Tgta,
        };
        let negation = Negation::of(formula, kind).map_err(testing)?;
        let parts = match options.decompose {
            true => negation.parts(),
            false => vec![negation],
        };
        let mut engines: Vec<&str> = Vec::new();
        for part in &parts {
            let fixpoint = choose(part.automaton(), options)?;
            engines.push(fixpoint.name());
            if let Some(run) = violation(self, part, fixpoint, options)? {
                run.judge(&**system, formula, options.deadlock)?;
                return Ok((Verdict::Violated(run), engines.join("+")));
            }
        }
        if options.deadlock == Deadlock::Report
            && let Some(Path { initial, steps }) = self.path(self.dead()).map_err(refuse)?
        {
            let moves = steps.into_iter();
            let moves = moves.map(|step| Move { action: Some(step.action), state: step.state });
            let run = Counterexample { initial, prefix: moves.collect(), cycle: Vec::new() };
            run.judge(&**system, formula, options.deadlock)?;
            return Ok((Verdict::Violated(run), engines.join("+")));
        }
        Ok((Verdict::Holds, engines.join("+")))
    }
}

/// The fixpoint for an automaton.
fn choose(automaton: &Automaton, options: &Options) -> Result<Fixpoint, Refusal> {
    let strongest = Strengths::of(automaton).strongest();
    let is_total = options.deadlock == Deadlock::Stutter;
    let fits = |fixpoint: Fixpoint| match fixpoint {
        Fixpoint::Terminal => is_total && strongest <= Some(Strength::Terminal),
        Fixpoint::Weak => strongest <= Some(Strength::Weak),
        Fixpoint::Owcty | Fixpoint::EmersonLei => true,
    };
    match options.fixpoint {
        None if fits(Fixpoint::Terminal) => Ok(Fixpoint::Terminal),
        None if fits(Fixpoint::Weak) => Ok(Fixpoint::Weak),
        None => Ok(Fixpoint::Owcty),
        Some(fixpoint) if fits(fixpoint) => Ok(fixpoint),
        Some(_) => Err(Refusal::Error(sempre_models::Error::new(
            "this fixpoint does not fit: the automaton of the negation is stronger, or deadlocks \
             do not repeat",
        ))),
    }
}

/// A run of the system that the automaton accepts.
fn violation<'s>(
    space: &Space<'s>,
    negation: &Negation,
    fixpoint: Fixpoint,
    options: &Options,
) -> Result<Option<Counterexample>, Refusal> {
    let automaton = negation.automaton();
    let names = automaton.alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(space.encoding.system().names(), names)?;
    let product = match negation.changes() {
        None => Product::new(space, automaton, &propositions, options),
        Some(graph) => Product::of_changes(space, graph, &propositions, options),
    };
    let product = product.map_err(refuse)?;
    let hull = product.hull(fixpoint);
    if is_empty(hull.parts()) {
        return Ok(None);
    }
    let lost = || Rejected("there is no run through what is left of the product".to_owned());
    let run = product.run(&hull, fixpoint).ok_or_else(lost)?;
    let states = |tuples: &[Vec<u32>]| -> Vec<Box<[u32]>> {
        tuples.iter().map(|tuple| space.encoding.state(tuple)).collect()
    };
    let system = space.encoding.system();
    let run = Counterexample::through(&**system, &states(&run.prefix), &states(&run.cycle))?;
    Ok(Some(run))
}
