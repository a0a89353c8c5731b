//! Transition-based generalized testing automata: generalized Büchi automata over changes in which
//! stuttering is a loop at each state, with all marks or none.
//!
//! From a generalized Büchi automaton, whose language must be stutter-invariant, through one over
//! changes in which stuttering may lead anywhere (Properties 8 and 9 of Ben Salem's thesis). A word
//! that ends in stuttering is accepted by a loop with all marks; where stuttering led to such a
//! loop, edges now lead there directly. Products are searched like those of any generalized Büchi
//! automaton. Linear in the unfolded automaton and the links, but for merging states.

use crate::changes;
use crate::error::Error;
use crate::graph::ChangeGraph;
use crate::recurrence::Recurrence;
use crate::ta::accepting_stuttering;
use crate::unfold::{Observed, unfold};
use sempre_automata::{Automaton, AutomatonBuilder, Marks, Named, Sccs, StateId, parallel};
use sempre_ltl::interrupt;

/// How edges lead to loops that accept stuttering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Links {
    /// To a state of each component of accepting stuttering (Property 9).
    All,
    /// To one state for each that stuttering leads away from.
    One,
    /// Likewise, but states get an accepting loop themselves if all their cycles of changes are
    /// accepting.
    Loops,
    /// Likewise, but all links lead to one state, which has nothing but an accepting loop.
    Sink,
    /// As the last or the one before it, whichever gives the smaller automaton.
    #[default]
    Smaller,
}

/// Simulations, which are quadratic, are not computed for more states.
const MOST_SIMULATED: usize = 512;

/// Optional reductions in the construction of a TGTA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TgtaOptions {
    /// Which propositions states remember.
    pub observed: Observed,
    /// How edges lead to loops that accept stuttering.
    pub links: Links,
    /// All edges that leave a state with an accepting loop get all marks: a cycle through it is
    /// accepting, as one may stutter there.
    pub saturate: bool,
    /// Unifies marks that no run distinguishes, so that more states are bisimilar.
    pub normalize: bool,
    /// Merge bisimilar states.
    pub bisimulation: bool,
    /// Merge states that simulate each other, and remove edges beside better ones.
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

/// Everything.
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

/// A generalized Büchi automaton over changes in which stuttering is explicit (∅-TGTA). It can
/// express any property, stutter-invariant or not. It has at least one mark, so that stuttering can
/// be rejecting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitTgta(ChangeGraph);

impl ExplicitTgta {
    /// The automaton with the language of a generalized Büchi automaton. If that has no marks, all
    /// edges get one.
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

    /// States, edges over changes, initial valuations.
    pub fn graph(&self) -> &ChangeGraph {
        &self.0
    }

    /// Without the states from which no word is accepted.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        ExplicitTgta(self.0.trimmed())
    }

    /// Makes a loop of stuttering at each state. The language stays the same if it is
    /// stutter-invariant and there are no states from which no word is accepted.
    ///
    /// A word of such a language need only be read without repetitions, up to where it stutters for
    /// ever. So what a state that is linked to does besides that stuttering is of no use: what links
    /// stand for was stuttering, and whatever follows could have been read without.
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
            // A state can have the loop itself if it is on no cycle of changes, links included, or
            // on accepting ones only.
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

    /// The edges that change something, with those that link to accepting stuttering.
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

/// The automaton, in which all runs are accepting, with a mark on all edges.
pub(crate) fn with_a_mark(automaton: &Automaton) -> Automaton {
    let mut builder = automaton.edit();
    builder.acceptance(Named::Buchi.acceptance());
    builder.retain_edges(|_, edge| {
        edge.marks = Marks::all(1);
        true
    });
    builder.build()
}

/// For each state without a loop of its own where stuttering leads to one.
struct Targets {
    of: Vec<Vec<StateId>>,
}

impl Targets {
    /// One state of each component of accepting stuttering that can be reached by stuttering, or one
    /// of a nearest component only.
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
        // With one link for each state, one search finds all goals; otherwise those of each
        // component.
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
/// Every state has one edge for stuttering: a loop, with all marks or none. A word is accepted if
/// it can be read so that all marks are seen infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tgta(pub(crate) ChangeGraph);

impl Tgta {
    /// The TGTA of a generalized Büchi automaton with a stutter-invariant language.
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
        if options.simulation && tgta.state_count() <= MOST_SIMULATED {
            tgta = tgta.simulated();
        }
        debug_assert!(tgta.is_normalized());
        Ok(tgta)
    }

    /// States and transitions, by which automata are compared.
    pub(crate) fn size(&self) -> (usize, u128) {
        (self.state_count(), self.transition_count())
    }

    /// The automaton that reads the [differences](ChangeGraph::differences) of words as this one.
    ///
    /// # Errors
    /// If none does.
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

    /// States, edges over changes, initial valuations.
    pub fn graph(&self) -> &ChangeGraph {
        &self.0
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.0.state_count()
    }

    /// How many transitions there are: one for each change on an edge, the empty one included.
    pub fn transition_count(&self) -> u128 {
        let edges = self.0.automaton().edges().iter();
        edges.map(|edge| self.0.alphabet().count(edge.label)).sum()
    }

    /// True if stuttering in this state is accepted.
    pub fn accepts_stuttering(&self, state: StateId) -> bool {
        let automaton = self.0.automaton();
        let mut edges = automaton.edges_from(state).iter();
        edges.any(|edge| {
            changes::can_stutter(automaton.alphabet(), edge.label) && !edge.marks.is_empty()
        })
    }

    /// True if each state has one edge for stuttering: a loop, with all marks or none.
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
