//! Checks one formula on the states of a system.

use sempre_automata::Automaton;
use sempre_automata::strength::{Strength, Strengths, Way};
use sempre_check::{
    CheckError, Counterexample, Deadlock, Move, Path, Question, Rejected, Unsupported,
};
use sempre_diagrams::Strategy;
use sempre_testing::{AutomatonKind, Negation};

use crate::emptiness::Fixpoint;
use crate::encoding::Order;
use crate::product::{Product, is_empty};
use crate::space::Space;
use crate::steps::Steps;

/// The options of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The fixpoint; by default chosen by the strength of the automaton.
    pub fixpoint: Option<Fixpoint>,
    /// Split the automaton by the strength of its SCCs, which this method finds, and check the parts
    /// concurrently. The fixpoint is that of the strong part.
    pub decompose: Option<Way>,
    /// The kind of automaton for the negated property.
    pub kind: Kind,
    /// How to compute the steps of the product.
    pub steps: Steps,
    /// Compute reachable states, and closures under split-off self-loops of the automaton, by
    /// saturation; otherwise breadth-first.
    pub saturate: bool,
    /// The variable order.
    pub order: Order,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            fixpoint: None,
            decompose: None,
            kind: Kind::default(),
            steps: Steps::default(),
            saturate: true,
            order: Order::default(),
        }
    }
}

/// The kinds of automata for products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Generalized Büchi automata.
    #[default]
    Tgba,
    /// Generalized testing automata, for stutter-invariant properties only.
    Tgta,
}

impl Options {
    /// Returns how reachable states are found.
    pub fn strategy(&self) -> Strategy {
        match self.saturate {
            true => Strategy::Saturation,
            false => Strategy::BreadthFirst,
        }
    }

    /// Returns the kind of the automaton of the negation.
    ///
    /// # Errors
    /// If none suits these steps.
    pub fn automaton(&self) -> Result<AutomatonKind, Unsupported> {
        match (self.kind, self.steps) {
            (Kind::Tgba, Steps::Changes) => {
                Err(Unsupported("only testing automata read changes".to_owned()))
            }
            (Kind::Tgba, _) => Ok(AutomatonKind::Tgba),
            (Kind::Tgta, _) => Ok(AutomatonKind::Tgta),
        }
    }
}

/// The default limit of the memory of diagrams, in bytes.
pub const MEMORY: usize = 4 << 30;

impl Space<'_> {
    /// Searches for a run of the system that the negation in a question accepts, whether split or
    /// not; also returns the fixpoint used. The run is judged. Obeys only the limits of the caller.
    ///
    /// # Errors
    /// If the model has a fault, or the requested fixpoint does not suit the automaton.
    pub fn violation(
        &self,
        question: &Question,
        negation: &Negation,
        options: &Options,
    ) -> Result<(Option<Counterexample>, &'static str), CheckError> {
        let fixpoint = choose(negation.automaton(), question.deadlock(), options)?;
        let found = violation(self, question, negation, fixpoint, options)?;
        self.judged(question, found).map(|run| (run, fixpoint.name()))
    }

    /// Searches for a run to a deadlock, if the question reports deadlocks.
    ///
    /// # Errors
    /// If the model has a fault.
    pub(crate) fn run_to_deadlock(
        &self,
        question: &Question,
    ) -> Result<Option<Counterexample>, CheckError> {
        let path = match question.deadlock() {
            Deadlock::Report => self.path(self.deadlocks())?,
            Deadlock::Stutter | Deadlock::Ignore => None,
        };
        let run = path.map(|Path { initial, steps }| {
            let moves = steps.into_iter();
            let moves = moves.map(|step| Move { action: Some(step.action), state: step.state });
            Counterexample { initial, prefix: moves.collect(), cycle: Vec::new() }
        });
        self.judged(question, run)
    }

    fn judged(
        &self,
        question: &Question,
        run: Option<Counterexample>,
    ) -> Result<Option<Counterexample>, CheckError> {
        if let Some(run) = &run {
            run.judge(&**self.encoding.system(), question.property(), question.deadlock())?;
        }
        Ok(run)
    }
}

/// Returns the fixpoint for an automaton.
fn choose(
    automaton: &Automaton,
    deadlock: Deadlock,
    options: &Options,
) -> Result<Fixpoint, Unsupported> {
    let strongest = Strengths::of(automaton).strongest();
    let is_total = deadlock == Deadlock::Stutter;
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
        Some(_) => Err(Unsupported(
            "this fixpoint is not applicable: the automaton of the negation is stronger, or deadlocks \
             do not stutter"
                .to_owned(),
        )),
    }
}

/// Returns a run of the system that the automaton accepts.
fn violation(
    space: &Space<'_>,
    question: &Question,
    negation: &Negation,
    fixpoint: Fixpoint,
    options: &Options,
) -> Result<Option<Counterexample>, CheckError> {
    let automaton = negation.automaton();
    let propositions = question.propositions(automaton.alphabet().props());
    let deadlock = question.deadlock();
    let product = match negation.changes() {
        None => Product::new(space, automaton, &propositions, deadlock, options)?,
        Some(graph) => Product::of_changes(space, graph, &propositions, deadlock, options)?,
    };
    let hull = product.hull(fixpoint);
    if is_empty(hull.parts()) {
        return Ok(None);
    }
    let lost = || Rejected("the hull of the product has no run".to_owned());
    let run = product.run(&hull, fixpoint).ok_or_else(lost)?;
    let states = |tuples: &[Vec<u32>]| -> Vec<Box<[u32]>> {
        tuples.iter().map(|tuple| space.encoding.state(tuple)).collect()
    };
    let system = space.encoding.system();
    let run = Counterexample::through(&**system, &states(&run.prefix), &states(&run.cycle))?;
    Ok(Some(run))
}
