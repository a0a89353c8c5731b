//! Transition-based generalized testing automata: generalized Büchi automata over changes with a
//! stuttering self-loop at each state, with all marks or none.
//!
//! The input is a generalized Büchi automaton with a stutter-invariant language. The construction
//! goes through an automaton over changes with arbitrary stuttering edges (Properties 8 and 9 of
//! Ben Salem's thesis). A self-loop with all marks accepts words that end in stuttering; edges link
//! directly to such loops. Products are searched like those of any generalized Büchi automaton.
//! Linear in the unfolded automaton and the links, besides merging states.

use crate::changes;
use crate::error::Error;
use crate::graph::ChangeGraph;
use crate::recurrence::Recurrence;
use crate::ta::accepting_stuttering;
use crate::unfold::{Observed, unfold};
use sempre_automata::{Automaton, AutomatonBuilder, Marks, Named, Sccs, StateId, parallel};
use sempre_ltl::interrupt;

/// The links from edges to self-loops that accept stuttering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Links {
    /// A link to a state of each component of accepting stuttering (Property 9).
    All,
    /// One link for each state with outgoing stuttering.
    One,
    /// As `One`, but states get an accepting self-loop themselves if all their cycles of changes
    /// are accepting.
    Loops,
    /// As `Loops`, but all links lead to one state with only an accepting self-loop.
    Sink,
    /// The smaller result of `Loops` and `Sink`.
    #[default]
    Smaller,
}

/// The maximal number of states for simulation, which is quadratic.
const MAX_SIMULATED: usize = 512;

/// Optional reductions in the construction of a TGTA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TgtaOptions {
    /// The propositions that states store.
    pub observed: Observed,
    /// The links to self-loops that accept stuttering.
    pub links: Links,
    /// All edges of a state with an accepting self-loop get all marks: a run may stutter there, so
    /// cycles through it are accepting.
    pub saturate: bool,
    /// Unifies marks that no run distinguishes, so that more states are bisimilar.
    pub normalize: bool,
    /// Merge bisimilar states.
    pub bisimulation: bool,
    /// Merge states that simulate each other, and remove edges if a better one exists.
    pub simulation: bool,
}

impl TgtaOptions {
    /// The reductions of the thesis: merging bisimilar states.
    pub const THESIS: TgtaOptions = TgtaOptions {
        observed: Observed::All,
        links: Links::All,
        saturate: false,
        normalize: false,
        bisimulation: true,
        simulation: false,
    };
}

/// All reductions.
impl Default for TgtaOptions {
    fn default() -> Self {
        TgtaOptions {
            observed: Observed::Reachable,
            links: Links::Smaller,
            saturate: true,
            normalize: true,
            bisimulation: true,
            simulation: true,
        }
    }
}

/// A generalized Büchi automaton over changes with explicit stuttering (∅-TGTA). It can express any
/// property. It has at least one mark, so that stuttering can be rejecting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitTgta(pub(crate) ChangeGraph);

impl ExplicitTgta {
    /// Converts a generalized Büchi automaton. If that has no marks, all edges get one.
    ///
    /// # Errors
    /// If acceptance is not generalized Büchi, or there would be too many states.
    pub fn new(automaton: &Automaton, observed: Observed) -> Result<Self, Error> {
        match automaton.acceptance().generalized_buchi() {
            None => Err(Error::Acceptance("generalized Büchi")),
            Some(0) => unfold(&with_a_mark(automaton), observed).map(ExplicitTgta),
            Some(_) => unfold(automaton, observed).map(ExplicitTgta),
        }
    }

    /// Returns the graph: states, edges over changes, initial valuations.
    pub fn graph(&self) -> &ChangeGraph {
        &self.0
    }

    /// Converts an automaton over [differences](ChangeGraph::differences) back.
    ///
    /// # Errors
    /// If acceptance is not generalized Büchi, or the automaton does not start with valuations.
    pub fn of_differences(differences: &Automaton) -> Result<Self, Error> {
        match differences.acceptance().generalized_buchi() {
            Some(1..) => ChangeGraph::of_differences(differences).map(ExplicitTgta),
            _ => Err(Error::Acceptance("generalized Büchi")),
        }
    }

    /// Removes the states that accept no word.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        ExplicitTgta(self.0.trimmed())
    }

    /// Replaces stuttering by a self-loop at each state. Preserves a stutter-invariant language if
    /// every state accepts some word.
    ///
    /// It suffices to read words of such a language without repetitions, up to the position from
    /// which they stutter forever. So a linked state needs only its stuttering loop: links replace
    /// stuttering, and every continuation can be read without them.
    pub fn normalized(&self, links: Links) -> Tgta {
        if links == Links::Smaller {
            let made = [Links::Loops, Links::Sink].map(|links| self.normalized(links).trimmed());
            let size = |tgta: &Tgta| tgta.merged().size();
            return made.into_iter().min_by_key(size).unwrap_or_else(|| unreachable!("two"));
        }
        let automaton = self.0.automaton();
        let all = Marks::all(automaton.acceptance().marks());
        let accepting = accepting_stuttering(automaton, &all);
        let mut target = Targets::new(automaton, &accepting, links == Links::All);
        let mut loops = accepting.clone();
        if matches!(links, Links::Loops | Links::Sink) {
            // A state can have the loop itself if all its cycles of changes, links included, are
            // accepting, or there are none.
            let recurrence = Recurrence::new(&self.linked(&target.of).build());
            for state in automaton.states() {
                let targets = &mut target.of[state.index()];
                if !targets.is_empty() && recurrence.is_recurring(state) {
                    loops[state.index()] = true;
                    targets.clear();
                }
            }
        }
        if links == Links::Sink {
            let sink = StateId::new(automaton.state_count());
            let linked = target.of.iter_mut().filter(|targets| !targets.is_empty());
            linked.for_each(|targets| *targets = vec![sink]);
            target.of.push(vec![]);
            loops.push(true);
        }
        let mut builder = self.linked(&target.of);
        let stuttering = changes::stuttering(automaton.alphabet());
        for state in (0..loops.len()).map(StateId::new) {
            let marks = if loops[state.index()] { all.clone() } else { Marks::EMPTY };
            builder.edge(state, stuttering, marks, state);
        }
        let mut first: Vec<_> = automaton.states().map(|state| self.0.first(state)).collect();
        first.resize(loops.len(), automaton.alphabet().ff());
        for &state in automaton.initial() {
            for &target in &target.of[state.index()] {
                let place = &mut first[target.index()];
                *place = automaton.alphabet().or(*place, self.0.first(state));
            }
        }
        Tgta(ChangeGraph::new(parallel::merge(&builder.build()), first))
    }

    /// Returns the edges with changes, and the links to accepting stuttering.
    fn linked(&self, targets: &[Vec<StateId>]) -> AutomatonBuilder {
        let automaton = self.0.automaton();
        let alphabet = automaton.alphabet();
        let stuttering = changes::stuttering(alphabet);
        let mut builder = automaton.edit();
        builder.retain_edges(|_, _| false);
        builder.add_states(targets.len() - automaton.state_count());
        for (source, edge) in automaton.transitions() {
            interrupt::poll();
            let label = alphabet.minus(edge.label, stuttering);
            builder.edge(source, label, edge.marks.clone(), edge.target);
            for &target in &targets[edge.target.index()] {
                builder.edge(source, label, edge.marks.clone(), target);
            }
        }
        builder
    }
}

/// Adds a mark to all edges of an automaton in which all runs are accepting.
pub(crate) fn with_a_mark(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    builder.acceptance(Named::Buchi.acceptance());
    builder.retain_edges(|_, edge| {
        edge.marks = Marks::all(1);
        true
    });
    builder.build()
}

/// By state without an accepting self-loop, the targets of its links.
struct Targets {
    of: Vec<Vec<StateId>>,
}

impl Targets {
    /// Finds the components of accepting stuttering that stuttering reaches, and one state of each,
    /// or only of a nearest component.
    fn new(automaton: &Automaton, accepting: &[bool], all: bool) -> Self {
        let mut builder = automaton.edit();
        builder.retain_edges(|_, edge| changes::can_stutter(automaton.alphabet(), edge.label));
        let graph = builder.build();
        let sccs = Sccs::of_all(&graph);
        let component = |state: StateId| sccs.component(state).expect("all states have one");
        let mut sources = vec![vec![]; graph.state_count()];
        for (source, edge) in graph.transitions() {
            sources[edge.target.index()].push(source);
        }
        let mut of = vec![vec![]; graph.state_count()];
        // With one link for each state, one search finds all goals; otherwise each component needs
        // one.
        let mut goals: Vec<Vec<StateId>> = match all {
            true => sccs.iter().map(|scc| sccs.states(scc).to_vec()).collect(),
            false => vec![graph.states().collect()],
        };
        goals.iter_mut().for_each(|goals| goals.retain(|state| accepting[state.index()]));
        for goals in goals.into_iter().filter(|goals| !goals.is_empty()) {
            let mut seen = vec![false; graph.state_count()];
            goals.iter().for_each(|goal| seen[goal.index()] = true);
            let mut queue: Vec<(StateId, StateId)> =
                goals.iter().map(|goal| (*goal, *goal)).collect();
            queue.sort_unstable();
            let mut done = 0;
            while let Some(&(state, goal)) = queue.get(done) {
                interrupt::poll();
                done += 1;
                if component(state) != component(goal) && !accepting[state.index()] {
                    of[state.index()].push(goal);
                }
                for &source in &sources[state.index()] {
                    if !std::mem::replace(&mut seen[source.index()], true) {
                        queue.push((source, goal));
                    }
                }
            }
        }
        Targets { of }
    }
}

/// A transition-based generalized testing automaton (TGTA).
///
/// Every state has one stuttering edge: a self-loop, with all marks or none. A word is accepted if
/// a run on it sees all marks infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tgta(pub(crate) ChangeGraph);

impl Tgta {
    /// Converts a generalized Büchi automaton with a stutter-invariant language.
    ///
    /// # Errors
    /// If acceptance is not generalized Büchi, or there would be too many states.
    pub fn new(automaton: &Automaton, options: &TgtaOptions) -> Result<Self, Error> {
        let explicit = ExplicitTgta::new(automaton, options.observed)?.trimmed();
        let links = match options.links {
            Links::Smaller => vec![Links::Loops, Links::Sink],
            links => vec![links],
        };
        let mut smallest: Option<Tgta> = None;
        for links in links {
            let mut tgta = explicit.normalized(links);
            if options.saturate {
                tgta = tgta.saturated();
            }
            tgta = tgta.trimmed();
            let made = match options.normalize {
                true => [false, true].map(|early| tgta.with_irrelevant_marks_alike(early)).to_vec(),
                false => vec![tgta],
            };
            for tgta in made {
                let tgta = if options.bisimulation { tgta.merged() } else { tgta };
                if smallest.as_ref().is_none_or(|smallest| tgta.size() < smallest.size()) {
                    smallest = Some(tgta);
                }
            }
        }
        let mut tgta = smallest.unwrap_or_else(|| unreachable!("there is a way at least"));
        if options.simulation && tgta.state_count() <= MAX_SIMULATED {
            tgta = tgta.simulated();
        }
        debug_assert!(tgta.is_normalized());
        Ok(tgta)
    }

    /// Returns the measure for comparisons: states and transitions.
    pub(crate) fn size(&self) -> (usize, u128) {
        (self.state_count(), self.transition_count())
    }

    /// Converts an automaton over [differences](ChangeGraph::differences) back.
    ///
    /// # Errors
    /// If it does not have this form.
    pub fn of_differences(differences: &Automaton) -> Result<Self, Error> {
        let tgta = Tgta(ChangeGraph::of_differences(differences)?);
        if differences.acceptance().generalized_buchi().is_none_or(|marks| marks == 0) {
            return Err(Error::Acceptance("generalized Büchi"));
        }
        if !tgta.is_normalized() {
            let text = "a state has not one edge for stuttering, a loop with all marks or none";
            return Err(Error::Malformed(text.into()));
        }
        Ok(tgta)
    }

    /// Returns the graph: states, edges over changes, initial valuations.
    pub fn graph(&self) -> &ChangeGraph {
        &self.0
    }

    /// Returns the number of states.
    pub fn state_count(&self) -> usize {
        self.0.state_count()
    }

    /// Returns the number of transitions, one for each change on an edge, including the empty one.
    pub fn transition_count(&self) -> u128 {
        let edges = self.0.automaton().edges().iter();
        edges.map(|edge| self.0.alphabet().count(edge.label)).sum()
    }

    /// True if this state accepts stuttering.
    pub fn accepts_stuttering(&self, state: StateId) -> bool {
        let automaton = self.0.automaton();
        let mut edges = automaton.edges_from(state).iter();
        edges.any(|edge| {
            changes::can_stutter(automaton.alphabet(), edge.label) && !edge.marks.is_empty()
        })
    }

    /// True if each state has one stuttering edge: a self-loop, with all marks or none.
    pub fn is_normalized(&self) -> bool {
        let automaton = self.0.automaton();
        let alphabet = automaton.alphabet();
        let all = Marks::all(automaton.acceptance().marks());
        automaton.states().all(|state| {
            let edges = automaton.edges_from(state).iter();
            let stutter: Vec<_> =
                edges.filter(|edge| changes::can_stutter(alphabet, edge.label)).collect();
            matches!(&stutter[..], [edge] if edge.target == state
                && (edge.marks.is_empty() || edge.marks == all))
        })
    }
}
