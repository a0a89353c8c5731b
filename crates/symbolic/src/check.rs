//! Model checking on sets of states, from end to end.

use num_bigint::BigUint;
use sempre_automata::Automaton;
use sempre_automata::strength::{Strength, Strengths};
use sempre_diagrams::{Exhausted, Manager, Strategy, Usage};
use sempre_explicit::explore::{Failure, Limits, Path, Reason};
use sempre_explicit::{
    AutomatonKind, Counterexample, Deadlock, Move, Negation, Refusal, Rejected, Verdict,
};
use sempre_ltl::interrupt;
use sempre_ltl::{Formula, Prop};
use sempre_models::proposition::Propositions;
use sempre_models::{Fault, System};

use crate::emptiness::Fixpoint;
use crate::encoding::Order;
use crate::product::{Product, is_empty};
use crate::space::Space;

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
    /// Find reachable states, and what loops of the automaton allow, by saturation; otherwise all
    /// events are applied to the newest states.
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
    /// The fixpoints that were used, one for each part of the automaton.
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

fn refuse(fault: Fault) -> Refusal {
    Refusal::Fault(Failure { fault, path: None })
}

/// Checks a system against a formula: the counterexample, if there is one, was replayed on the
/// system and evaluated.
///
/// # Errors
/// If the model has a fault, a proposition has no meaning in it, or the fixpoint that is asked for
/// does not fit the automaton.
pub fn verify<S: System>(
    system: &S,
    formula: &Formula,
    options: &Options,
    limits: &Limits,
) -> Result<Outcome, Refusal> {
    let manager = Manager::new(sempre_diagrams::Options {
        memory: limits.bytes.unwrap_or(MEMORY),
        poll: Some(|_| interrupt::poll_now()),
    });
    let raised = limits.interrupt.clone().unwrap_or_default();
    let answer = interrupt::run(&raised, limits.deadline, || {
        manager.attempt(|| solve(&manager, system, formula, options))
    });
    let unknown = |reason| Outcome {
        verdict: Verdict::Unknown(reason),
        engine: "symbolic".to_owned(),
        states: None,
        usage: manager.usage(),
    };
    match answer {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(Exhausted)) => Ok(unknown(Reason::Memory)),
        Err(_) if raised.is_raised() => Ok(unknown(Reason::Interrupt)),
        Err(_) => Ok(unknown(Reason::Time)),
    }
}

/// How many bytes diagrams may take if no limit is given.
pub const MEMORY: usize = 4 << 30;

fn solve<'s, S: System>(
    manager: &Manager<'s>,
    system: &'s S,
    formula: &Formula,
    options: &Options,
) -> Result<Outcome, Refusal> {
    // What is wrong with the formula is to be told before anything takes long.
    Propositions::compile(system, formula.props().iter().map(Prop::name))?;
    let strategy = match options.saturate {
        true => Strategy::Saturation,
        false => Strategy::BreadthFirst,
    };
    let space = Space::find(manager, system, &options.order, strategy).map_err(refuse)?;
    let (verdict, engine) = space.verify(formula, options)?;
    Ok(Outcome { verdict, engine, states: Some(space.count()), usage: manager.usage() })
}

impl<S: System> Space<'_, S> {
    /// Checks the system against a formula; also tells the fixpoints that were used. This knows
    /// no limits but those that it runs under.
    ///
    /// # Errors
    /// As [`verify`].
    pub fn verify(
        &self,
        formula: &Formula,
        options: &Options,
    ) -> Result<(Verdict, String), Refusal> {
        let system = self.encoding.system();
        // Unknown names are errors even if simplification would drop them.
        Propositions::compile(system, formula.props().iter().map(Prop::name))?;
        let kind = match options.kind {
            Kind::Tgba => AutomatonKind::Tgba,
            Kind::Tgta => AutomatonKind::Tgta,
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
                run.judge(system, formula, options.deadlock)?;
                return Ok((Verdict::Violated(run), engines.join("+")));
            }
        }
        if options.deadlock == Deadlock::Report
            && let Some(Path { initial, steps }) = self.path(self.dead()).map_err(refuse)?
        {
            let moves = steps.into_iter();
            let moves = moves.map(|step| Move { action: Some(step.action), state: step.state });
            let run = Counterexample { initial, prefix: moves.collect(), cycle: Vec::new() };
            run.judge(system, formula, options.deadlock)?;
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
fn violation<'s, S: System>(
    space: &Space<'s, S>,
    negation: &Negation,
    fixpoint: Fixpoint,
    options: &Options,
) -> Result<Option<Counterexample>, Refusal> {
    let automaton = negation.automaton();
    let names = automaton.alphabet().props().iter().map(Prop::name);
    let propositions = Propositions::compile(space.encoding.system(), names)?;
    let stutter = options.deadlock == Deadlock::Stutter;
    let product = match negation.changes() {
        None => Product::new(space, automaton, &propositions, stutter, options.saturate),
        Some(graph) => Product::of_changes(space, graph, &propositions, stutter, options.saturate),
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
    let run = Counterexample::through(system, &states(&run.prefix), &states(&run.cycle))?;
    Ok(Some(run))
}
