//! Determinization by one method, or by all with the smallest result.

use super::explore;
use super::regions::{Options, Regions};
use crate::automaton::Automaton;
use crate::complement::{self, Macrostates, Slices, to_buchi};
use crate::convert::to_generalized_buchi;
use crate::prune;
use crate::reduce::{self, Level, deterministic};
use rustc_hash::FxHashSet;

/// A determinization method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// The smallest result of the others.
    #[default]
    Best,
    /// Breakpoints, lists and trees for the components, each as simple as its component allows (Li,
    /// Turrini, Feng, Vardi, Zhang, CAV 2022). The condition is a disjunction over components.
    Components,
    /// Ordered trees for the whole automaton (Safra 1988, Schewe and Varghese 2012). The condition
    /// is a parity condition.
    Safra,
    /// An ordered list for the deterministic part of a semi-deterministic automaton (Esparza,
    /// Křetínský, Raskin, Sickert, TACAS 2017). The condition is a parity condition.
    RunColouring,
    /// The dual of a deterministic automaton for the complement.
    Dual,
}

/// The maximal number of macrostates of a complement to determinize.
const MAX_COMPLEMENT: usize = 2000;
/// The maximal number of states of a complement for reduction by simulation, which is quadratic.
const MAX_SIMULATED: usize = 500;
/// The maximal number of states of an automaton that [`Method::Best`] complements.
const MAX_COMPLEMENTED: usize = 16;

/// Returns a deterministic automaton for the same language; `None` if the method takes more than
/// `steps` steps. A step is an edge visited for a successor of a macrostate. States on no accepting
/// run are removed.
///
/// Also `None` if the method does not apply: run colouring needs a semi-deterministic automaton.
/// Uses stutter-invariance if the headers of the automaton declare it.
///
/// ```
/// use sempre_automata::determinize::{self, Method};
/// use sempre_automata::random::RandomBlocks;
/// let automaton = RandomBlocks::over(["a"]).unwrap().generate().next().unwrap();
/// let deterministic = determinize::by(&automaton, Method::Best, 1 << 20).unwrap();
/// assert!(deterministic.is_deterministic());
/// ```
pub fn by(automaton: &Automaton, method: Method, steps: usize) -> Option<Automaton> {
    let stutters = automaton.declared_stutter_invariant() == Some(true);
    if method == Method::Best {
        return best(automaton, stutters, steps);
    }
    let result = raw(automaton, method, stutters, steps)?;
    Some(deterministic::reduce(&result, Level::Low))
}

fn raw(automaton: &Automaton, method: Method, stutters: bool, steps: usize) -> Option<Automaton> {
    let generalized = prune::trim(&to_generalized_buchi(automaton));
    let options = Options::default();
    let regions = match method {
        Method::Best | Method::Components => Regions::components(&generalized, options),
        Method::Safra => Regions::whole(&generalized, options),
        Method::RunColouring => Regions::deterministic_part(&generalized, options)?,
        Method::Dual => return dual(&generalized, stutters, steps),
    };
    explore::automaton(&regions, stutters, steps)
}

fn dual(generalized: &Automaton, stutters: bool, steps: usize) -> Option<Automaton> {
    let buchi = to_buchi(generalized);
    let most = MAX_COMPLEMENT.min(steps);
    let mut macrostates = Macrostates::new(Slices::guided(&buchi, most)).limit(most);
    let mut waiting: Vec<u32> = macrostates.initial().to_vec();
    let mut seen: FxHashSet<u32> = waiting.iter().copied().collect();
    while let Some(number) = waiting.pop() {
        sempre_ltl::interrupt::poll();
        for edge in macrostates.edges(number) {
            sempre_ltl::interrupt::poll();
            let target = macrostates.edge(edge).target;
            if seen.insert(target) {
                waiting.push(target);
            }
        }
        if macrostates.is_exhausted() {
            return None;
        }
    }
    let complement = prune::trim(&macrostates.automaton());
    let level = match complement.state_count() <= MAX_SIMULATED {
        true => Level::Medium,
        false => Level::Low,
    };
    let complement = reduce::reduce(&complement, level);
    let determined = raw(&complement, Method::Components, stutters, steps)?;
    let determined = deterministic::reduce(&determined, Level::Low);
    complement::deterministic(&determined).ok()
}

fn best(automaton: &Automaton, stutters: bool, steps: usize) -> Option<Automaton> {
    if automaton.is_deterministic() {
        return Some(deterministic::reduce(automaton, Level::High));
    }
    let small = reduce::reduce(automaton, Level::Medium);
    let mut methods = vec![(Method::Components, false), (Method::RunColouring, false)];
    methods.push((Method::Safra, false));
    if small.state_count() <= MAX_COMPLEMENTED {
        methods.push((Method::Dual, false));
    }
    if stutters {
        methods.extend(methods.clone().into_iter().map(|(method, _)| (method, true)));
    }
    let share = (steps / methods.len()).max(1);
    let mut results: Vec<Automaton> = vec![];
    if small.is_deterministic() {
        results.push(small.clone());
    }
    for (method, stutters) in methods {
        let result = raw(&small, method, stutters, share);
        results.extend(result.map(|result| deterministic::reduce(&result, Level::Medium)));
    }
    if results.is_empty() {
        // The method with the lowest demand gets all the steps.
        results.extend(raw(&small, Method::Components, stutters, steps));
    }
    results.sort_by_key(size);
    let finished = results.iter().take(2).map(|result| deterministic::reduce(result, Level::High));
    let mut winner = finished.min_by_key(size)?;
    if let (None, Some(name)) = (winner.name(), automaton.name()) {
        let mut builder = winner.edit();
        builder.name(name);
        winner = builder.build();
    }
    Some(winner)
}

fn size(automaton: &Automaton) -> (usize, u32, usize) {
    (automaton.state_count(), automaton.acceptance().marks(), automaton.edge_count())
}
