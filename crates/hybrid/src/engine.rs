//! The hybrid engines: questions about a system, answered on graphs of aggregates.

use std::cmp::Reverse;
use std::rc::Rc;
use std::sync::Arc;

use sempre_automata::decompose::Part;
use sempre_check::{
    AutomatonSize, CheckError, Control, Counterexample, Deadlock, Engine, Evidence, Outcome,
    Question, Reason, Unknown, Unsupported, Verdict,
};
use sempre_diagrams::{EventId, Exhausted, Manager};
use sempre_ltl::{Prop, interrupt};
use sempre_models::proposition::Propositions;
use sempre_models::{ActionId, Fault, System, VariableId};
use sempre_symbolic::{Encoding, MEMORY, Order, race};
use sempre_testing::{AutomatonKind, Negation};

use crate::check::{Method, Options, Search, Size, with_a_mark};
use crate::observation::Observation;
use crate::sog::{By, Sog};

/// Checks on a graph of aggregates.
///
/// ```
/// use sempre_check::{Control, Deadlock, Engine, Question, Verdict};
/// use sempre_hybrid::{HybridEngine, Method, Options};
/// use sempre_models::{Model, generate};
/// let system = Model::from(generate::family("philosophers")?.net(20)?).system();
/// let mut engine = HybridEngine::new(Options { method: Method::Sog, ..Options::default() });
/// let question = Question::new(system, &"G(eats_1 -> F idle_1)".parse()?, Deadlock::Ignore)?;
/// let outcome = engine.check(&question, &Control::default())?;
/// assert_eq!(outcome.verdict, Verdict::Violated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HybridEngine {
    options: Options,
    known: Option<Known>,
}

/// The system of the last question, with its diagrams.
struct Known {
    system: Arc<dyn System>,
    manager: Manager<'static>,
    encoding: Option<Rc<Encoding<'static>>>,
    graph: Option<Graph>,
}

/// An observation graph that may serve for further formulas.
struct Graph {
    names: Vec<Prop>,
    deadlock: Deadlock,
    /// The events that are external by choice.
    external: Vec<usize>,
    sog: Sog<'static>,
}

/// The steps after which a known order of variables is given up for the first aggregates of another
/// formula.
const PATIENCE: u64 = 5_000_000;

/// The word for external transitions that are chosen by a heuristic.
const AUTO: &str = "auto";

/// The steps within which the first aggregates are to be found if external transitions are chosen by a
/// heuristic.
const FEW_STEPS: u64 = 200_000;

/// The result of the work that may be interrupted.
type Found = (Option<Counterexample>, Vec<&'static str>);

impl HybridEngine {
    /// Makes an engine that keeps the order of variables, and observation graphs, from one question to
    /// the next.
    pub fn new(options: Options) -> Self {
        HybridEngine { options, known: None }
    }

    /// Says whether symbolic methods can answer the question: the system needs events.
    ///
    /// # Errors
    /// With the reason if they cannot.
    pub fn supports(question: &Question) -> Result<(), Unsupported> {
        question.require_states("the hybrid engine")?;
        match question.system().events() {
            Some(_) => Ok(()),
            None => Err(Unsupported("hybrid engines need a system with events".to_owned())),
        }
    }

    /// The kind of automaton.
    fn kind(&self) -> Result<AutomatonKind, Unsupported> {
        let refuse = |kind: AutomatonKind, reason: &str| {
            let name = kind.name();
            Err(Unsupported(format!("hybrid engines do not take `{name}`: {reason}")))
        };
        match self.options.automaton {
            AutomatonKind::Auto | AutomatonKind::Tgba => Ok(AutomatonKind::Tgba),
            AutomatonKind::Tgta => Ok(AutomatonKind::Tgta),
            kind @ AutomatonKind::Ba => {
                refuse(kind, "they need marks on edges, and `tgba` has fewer states")
            }
            kind @ AutomatonKind::Det => refuse(kind, "they need generalized Büchi acceptance"),
            kind @ (AutomatonKind::Ta | AutomatonKind::Sta) => {
                refuse(kind, "livelock acceptance needs single states, not aggregates; use `tgta`")
            }
            kind @ AutomatonKind::PartlyTgta => {
                refuse(kind, "aggregates need a loop of stuttering at each state; use `tgba`")
            }
        }
    }

    /// Refuses formulas that are not stutter-invariant where aggregates stutter.
    fn require_invariance(&self, question: &Question) -> Result<(), Unsupported> {
        if self.options.method == Method::Slap {
            return Ok(());
        }
        question.property().require_invariance().map_err(|error| {
            let method = self.options.method.name();
            Unsupported(format!("{error}; `{method}` needs that, `slap` does not"))
        })
    }

    /// The names of the propositions that are observed.
    fn observed(&self, question: &Question) -> Vec<Prop> {
        let mut names = question.props().to_vec();
        if self.options.method == Method::Sog {
            for name in &self.options.observe {
                let name = Prop::from(&**name);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// True if external transitions are chosen by a heuristic.
    fn chooses_external(&self) -> bool {
        self.options.external.iter().any(|name| name == AUTO)
    }

    /// The events of the transitions that are external by choice.
    fn external(&self, system: &dyn System) -> Result<Vec<usize>, Unsupported> {
        let names = &self.options.external;
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let events = system.events();
        let count = events.map_or(0, |events| events.event_count());
        let is_net = events.is_some_and(|events| (0..count).all(|e| events.demands(e).is_some()));
        if !is_net {
            return Err(Unsupported("only nets have transitions that can be external".to_owned()));
        }
        let event = |name: &String| {
            let found =
                (0..count).find(|e| system.names().action_name(ActionId(*e as u32)) == *name);
            found.ok_or_else(|| Unsupported(format!("the net has no transition `{name}`")))
        };
        names.iter().filter(|name| *name != AUTO).map(event).collect()
    }

    /// Answers a question, without limits but for those that this runs under.
    fn answer(
        &mut self,
        question: &Question,
        negation: &Negation,
        control: &Control<'_>,
        size: &mut Size,
    ) -> Result<Found, CheckError> {
        let is_sog = self.options.method == Method::Sog;
        let parts = match (self.options.decompose, self.options.method) {
            (None, _) => vec![(None, negation.clone())],
            (Some(way), Method::Slap) => {
                let parts = negation.parts(way).map_err(|error| Unsupported(error.to_string()))?;
                parts.into_iter().map(|(part, negation)| (Some(part), negation)).collect()
            }
            (Some(_), _) => {
                let text = "the parts of an automaton need not be stutter-invariant: only `slap` \
                            can be decomposed";
                return Err(Unsupported(text.to_owned()).into());
            }
        };
        let names = match is_sog {
            true => self.observed(question),
            false => negation.automaton().alphabet().props().to_vec(),
        };
        let mut external = self.external(&**question.system())?;
        let chooses = self.chooses_external();
        let is_plain = external.is_empty() && !chooses;
        let by = if is_plain { self.options.by } else { By::Transition };
        let options = Options { by, ..self.options.clone() };
        let known = self.known.as_mut().expect("what is known about the system");
        let graph = known.graph.take().filter(|graph| chooses || graph.external == external);
        let graph = graph.filter(|graph| {
            let covers = |name: &Prop| graph.names.contains(name);
            let is_of_use = graph.names == names
                || graph.sog.is_complete() && question.props().iter().all(covers);
            is_sog && graph.deadlock == question.deadlock() && is_of_use
        });
        let names = graph.as_ref().map_or(names, |graph| graph.names.clone());
        // A graph is of use with the order of variables that it was made with only.
        let encoding = match (&graph, &known.encoding) {
            (Some(_), Some(encoding)) => encoding.clone(),
            _ => known.encoding(&names, question.deadlock(), &options.order)?,
        };
        let observation = observe(&encoding, &names, question.deadlock())?;
        if let Some(graph) = &graph {
            external.clone_from(&graph.external);
        } else if chooses {
            external = limited_expansion(&observation, external)?;
        }
        let observation = observation.with_external(&external);
        let search = Search { question, options: &options, control, observation: &observation };
        let mut algorithms = Vec::new();
        let mut found = None;
        let mut sog = match (graph, is_sog) {
            (Some(graph), _) => Some(graph.sog),
            (None, true) => {
                Some(Sog::new(&observation, by, question.deadlock() == Deadlock::Report)?)
            }
            (None, false) => None,
        };
        for (strength, part) in &parts {
            let part = with_a_mark(part)?;
            // The chosen emptiness check is that of the strong part.
            let emptiness =
                options.emptiness.filter(|_| strength.is_none_or(|s| s == Part::Strong));
            let options = Options { emptiness, ..options.clone() };
            let search = Search { options: &options, ..search };
            let part_names = part.automaton().alphabet().props();
            let place = |name: &Prop| names.iter().position(|other| other == name);
            let places: Vec<usize> = part_names.iter().filter_map(place).collect();
            let own;
            let (run, algorithm) = match &mut sog {
                Some(sog) => search.run(&part, Some((sog, places)), size)?,
                None if *part_names == *names => search.run(&part, None, size)?,
                None => {
                    own = observe(&encoding, part_names, question.deadlock())?;
                    let search = Search { observation: &own, ..search };
                    search.run(&part, None, size)?
                }
            };
            algorithms.push(algorithm);
            found = run;
            if found.is_some() {
                break;
            }
        }
        if found.is_none() && question.deadlock() == Deadlock::Report {
            // Aggregates by transition may stand for others with the same deadlocks elsewhere.
            let mut own = match &sog {
                Some(sog) if sog.by() == By::Label => None,
                _ => Some(Sog::new(&observation, By::Label, true)?),
            };
            if let Some(sog) = own.as_mut().or(sog.as_mut()) {
                found = search.deadlock(sog)?;
            }
        }
        if let Some(sog) = sog {
            let deadlock = question.deadlock();
            known.graph = Some(Graph { names, deadlock, external, sog });
        }
        Ok((found, algorithms))
    }

    /// Forgets what is known about another system.
    fn about(&mut self, question: &Question, control: &Control<'_>) {
        let system = question.system();
        let is_known = |known: &Known| Arc::ptr_eq(&known.system, system);
        if self.known.as_ref().is_some_and(is_known) {
            return;
        }
        let memory = control.limits.bytes.unwrap_or(MEMORY);
        let poll = Rc::new(|_: &sempre_diagrams::Usage| interrupt::poll_now());
        let manager = Manager::new(sempre_diagrams::Options { memory, poll: Some(poll) });
        let system = system.clone();
        self.known = Some(Known { system, manager, encoding: None, graph: None });
    }
}

/// Observes these propositions of a system.
fn observe<'e>(
    encoding: &'e Encoding<'static>,
    names: &[Prop],
    deadlock: Deadlock,
) -> Result<Observation<'e, 'static>, CheckError> {
    let propositions = compile(&**encoding.system(), names)?;
    Ok(Observation::new(encoding, propositions, deadlock))
}

fn compile(system: &dyn System, names: &[Prop]) -> Result<Propositions, CheckError> {
    let mut propositions = Propositions::default();
    for name in names {
        let pushed = propositions.push(system.names(), name.name());
        let name = || name.name().to_owned();
        pushed.map_err(|error| CheckError::Proposition { name: name(), error })?;
    }
    Ok(propositions)
}

/// Chooses transitions that end aggregates, so that the first ones are found within a few steps: more
/// and more of those that change the highest variables, since saturation fires them last and most.
fn limited_expansion(
    observation: &Observation<'_, 'static>,
    given: Vec<usize>,
) -> Result<Vec<usize>, Fault> {
    let encoding = observation.encoding();
    let events = encoding.events.events().iter().zip(encoding.origins());
    let top = |event: &EventId<'_>| event.changed().first().copied().unwrap_or_default();
    let mut ranks: Vec<(u32, usize)> =
        events.map(|(event, origin)| (top(event), *origin)).collect();
    ranks.sort_by_key(|(level, origin)| (Reverse(*level), *origin));
    let mut rest = ranks.into_iter().map(|(_, origin)| origin);
    let mut external = given;
    let more = 1 + rest.len() / 8;
    loop {
        let first = || -> Result<(), Fault> {
            let deadlock = observation.deadlock();
            let tried = Observation::new(encoding, observation.propositions().clone(), deadlock);
            first_aggregates(&tried.with_external(&external), By::Transition)
        };
        let known = external.len();
        if let Some(done) = encoding.initial.manager().within(FEW_STEPS, first) {
            return done.map(|()| external);
        }
        external.extend(rest.by_ref().take(more));
        if external.len() == known {
            return Ok(external);
        }
    }
}

/// Generates the initial aggregates and their successors.
fn first_aggregates(observation: &Observation<'_, 'static>, by: By) -> Result<(), Fault> {
    let mut sog = Sog::new(observation, by, false)?;
    for aggregate in sog.initial().to_vec() {
        sog.edges(observation, aggregate)?;
    }
    Ok(())
}

impl Known {
    /// The encoding of the system. The order of variables is that with which the first aggregates are
    /// found first; it is kept for other formulas as long as it serves well.
    fn encoding(
        &mut self,
        names: &[Prop],
        deadlock: Deadlock,
        order: &Order,
    ) -> Result<Rc<Encoding<'static>>, CheckError> {
        let propositions = compile(&*self.system, names)?;
        if let Some(encoding) = &self.encoding {
            let work = || {
                let observation = Observation::new(encoding, propositions.clone(), deadlock);
                Sog::new(&observation, By::Label, true).map(|_| ())
            };
            if *order != Order::Best {
                return Ok(encoding.clone());
            }
            if let Some(done) = self.manager.within(PATIENCE, work) {
                done?;
                return Ok(encoding.clone());
            }
            (self.encoding, self.graph) = (None, None);
            self.manager.collect();
        }
        let encoding = match order {
            Order::Best => {
                let observed = observed_variables(&*self.system, &propositions);
                let work = |encoding: &Encoding<'static>| {
                    let seen = Observation::new(encoding, propositions.clone(), deadlock);
                    first_aggregates(&seen, By::Label)
                };
                race(&self.manager, &self.system, &observed, work)?.0
            }
            order => Encoding::new(&self.manager, &self.system, order)?,
        };
        let encoding = Rc::new(encoding);
        self.encoding = Some(encoding.clone());
        Ok(encoding)
    }
}

/// The variables that propositions read.
fn observed_variables(system: &dyn System, propositions: &Propositions) -> Vec<VariableId> {
    let Some(events) = system.events() else { return Vec::new() };
    let variables = (0..system.names().variable_count() as u32).map(VariableId);
    let is_read = |variable: &VariableId| {
        let field = events.field(*variable);
        let reads = |number| field.is_some_and(|f| propositions.footprint(number).touches(f));
        (0..propositions.len()).any(reads)
    };
    variables.filter(is_read).collect()
}

impl Engine for HybridEngine {
    fn name(&self) -> &'static str {
        self.options.method.name()
    }

    fn supports(&self, question: &Question) -> Result<(), Unsupported> {
        HybridEngine::supports(question)?;
        self.kind().map(|_| ())
    }

    fn check(&mut self, question: &Question, control: &Control<'_>) -> Result<Outcome, CheckError> {
        HybridEngine::supports(question)?;
        let kind = self.kind()?;
        self.about(question, control);
        let limits = &control.limits;
        let stopped = |reason| Verdict::Unknown(Unknown::Limit(reason));
        let mut outcome = Outcome::unknown(question, self.name(), Unknown::Limit(Reason::Time));
        match limits.run(|| self.require_invariance(question)) {
            Ok(invariance) => invariance?,
            Err(reason) => {
                outcome.verdict = stopped(reason);
                return Ok(outcome);
            }
        }
        let negation = match question.negation(kind.to_split(self.options.decompose), control) {
            Ok(negation) => negation,
            Err(error) => return error.or_unknown(question, self.name()),
        };
        let states = negation.automaton().state_count();
        outcome.provenance.automaton = Some(AutomatonSize { kind: kind.name(), states });
        let mut size = Size::default();
        let manager = self.known.as_ref().map(|known| known.manager.clone());
        let manager = manager.expect("what is known about the system");
        manager.tidy();
        let work = || self.answer(question, &negation, control, &mut size);
        let found = limits.run(|| manager.attempt(work));
        outcome.verdict = match found {
            Ok(Ok(found)) => {
                let (run, algorithms) = found?;
                outcome.provenance.algorithms = algorithms;
                let verdict = if run.is_some() { Verdict::Violated } else { Verdict::Holds };
                outcome.evidence = run.map(Evidence::Run);
                verdict
            }
            Ok(Err(Exhausted)) => stopped(Reason::Memory),
            Err(reason) => stopped(reason),
        };
        outcome.provenance.threads = 1;
        let usage = manager.usage();
        outcome.cost.bytes = usage.peak_bytes;
        outcome.cost.peak_nodes = Some(usage.peak_nodes);
        outcome.cost.stored = Some(size.nodes);
        outcome.cost.visited = Some(size.followed);
        outcome.cost.aggregates = Some(size.aggregates);
        outcome.cost.aggregate_edges = Some(size.edges);
        Ok(outcome)
    }
}
