//! Properties and languages by their definitions, letter by letter and node by node.
//!
//! This oracle uses no algorithm of the library: an automaton is a list of edges, and reachability
//! is a search from each node.

use sempre_automata::transform::Property;
use sempre_automata::{Acceptance, Automaton, Condition, Mark, Marks, StateId};

/// A graph with marks: the number of nodes, and edges between nodes.
pub(crate) struct Plain<'a> {
    nodes: usize,
    edges: Vec<(usize, &'a Marks, usize)>,
}

impl<'a> Plain<'a> {
    fn of(automaton: &'a Automaton) -> Self {
        let edges = automaton.transitions();
        let edges = edges.map(|(source, edge)| (source.index(), &edge.marks, edge.target.index()));
        Plain { nodes: automaton.state_count(), edges: edges.collect() }
    }

    /// The runs on a lasso: node `position * states + state` is a state before a position. Letters
    /// are sets of propositions of `over`.
    fn of_runs(automaton: &'a Automaton, over: &Automaton, lasso: &Lasso) -> Self {
        let states = automaton.state_count();
        let mut edges = vec![];
        for (position, &letter) in lasso.letters.iter().enumerate() {
            let next =
                if position + 1 == lasso.letters.len() { lasso.prefix } else { position + 1 };
            let valuation = valuation(automaton, over, letter);
            for (source, edge) in automaton.transitions() {
                if automaton.alphabet().satisfied(edge.label, valuation) {
                    let source = position * states + source.index();
                    edges.push((source, &edge.marks, next * states + edge.target.index()));
                }
            }
        }
        Plain { nodes: lasso.letters.len() * states, edges }
    }

    /// Returns the nodes reachable from these, including themselves.
    fn reached(&self, from: &[usize]) -> Vec<bool> {
        let mut successors = vec![vec![]; self.nodes];
        self.edges.iter().for_each(|(source, _, target)| successors[*source].push(*target));
        let mut reached = vec![false; self.nodes];
        let mut todo = from.to_vec();
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                todo.extend(&successors[node]);
            }
        }
        reached
    }

    /// Returns the edges on cycles, by component.
    fn components(&self, among: &[bool]) -> Vec<Vec<(usize, &'a Marks, usize)>> {
        let reach: Vec<Vec<bool>> = (0..self.nodes)
            .map(|node| if among[node] { self.reached(&[node]) } else { vec![] })
            .collect();
        let mut components: Vec<Vec<(usize, &'a Marks, usize)>> = vec![];
        for &(source, marks, target) in &self.edges {
            if !among[source] || !reach[target][source] {
                continue;
            }
            let together = |edges: &&mut Vec<(usize, &Marks, usize)>| {
                reach[source][edges[0].0] && reach[edges[0].0][source]
            };
            match components.iter_mut().find(together) {
                Some(edges) => edges.push((source, marks, target)),
                None => components.push(vec![(source, marks, target)]),
            }
        }
        components
    }

    /// Returns the nodes of `among` on cycles that the condition accepts. Tries all sets of marks
    /// to avoid.
    fn on_accepted_cycles(&self, among: &[bool], condition: &Condition) -> Vec<usize> {
        let avoided: Vec<Mark> = condition.inf_and_fin().1.iter().collect();
        let mut found = vec![];
        for set in 0..1u32 << avoided.len() {
            let avoids = |marks: &Marks| {
                let mut chosen = avoided.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
                chosen.all(|(_, mark)| !marks.contains(*mark))
            };
            let edges = self.edges.iter().filter(|(_, marks, _)| avoids(marks)).copied();
            let part = Plain { nodes: self.nodes, edges: edges.collect() };
            for component in part.components(among) {
                let mut all = Marks::EMPTY;
                component.iter().for_each(|(_, marks, _)| all |= marks);
                if condition.accepts(&all) {
                    found.extend(component.iter().map(|(source, ..)| *source));
                }
            }
        }
        found
    }
}

/// A lasso: sets of propositions, and the length of the prefix.
pub(crate) struct Lasso {
    pub(crate) letters: Vec<u64>,
    pub(crate) prefix: usize,
}

/// Converts a letter over the propositions of one automaton to a valuation of those of another one.
fn valuation(automaton: &Automaton, over: &Automaton, letter: u64) -> u64 {
    let props = automaton.alphabet().props().iter().enumerate();
    props.fold(0, |valuation, (place, prop)| {
        let value = over.alphabet().index_of(prop).map_or(0, |index| letter >> index & 1);
        valuation | value << place
    })
}

/// True if the automaton accepts the lasso.
pub(crate) fn accepts(automaton: &Automaton, over: &Automaton, lasso: &Lasso) -> bool {
    let runs = Plain::of_runs(automaton, over, lasso);
    let initial: Vec<usize> = automaton.initial().iter().map(|state| state.index()).collect();
    let reached = runs.reached(&initial);
    !runs.on_accepted_cycles(&reached, automaton.acceptance().condition()).is_empty()
}

/// True if the automaton has several accepting runs on a lasso.
fn has_two_runs(automaton: &Automaton, over: &Automaton, lasso: &Lasso) -> bool {
    let runs = Plain::of_runs(automaton, over, lasso);
    let initial: Vec<usize> = automaton.initial().iter().map(|state| state.index()).collect();
    let reached = runs.reached(&initial);
    let accepting = runs.on_accepted_cycles(&reached, automaton.acceptance().condition());
    let useful = |node: usize| {
        let from_here = runs.reached(&[node]);
        reached[node] && accepting.iter().any(|node| from_here[*node])
    };
    let useful: Vec<bool> = (0..runs.nodes).map(useful).collect();
    let mut steps: Vec<(usize, usize)> = runs.edges.iter().map(|(s, _, t)| (*s, *t)).collect();
    steps.retain(|(source, target)| useful[*source] && useful[*target]);
    steps.sort_unstable();
    steps.dedup();
    let branches = steps.windows(2).any(|pair| pair[0].0 == pair[1].0);
    branches || initial.iter().filter(|node| useful[**node]).count() > 1
}

/// True if the automaton has the property by its definition, as far as these lassos show.
pub(crate) fn has(automaton: &Automaton, property: Property, lassos: &[Lasso]) -> bool {
    let plain = Plain::of(automaton);
    let initial: Vec<usize> = automaton.initial().iter().map(|state| state.index()).collect();
    let reached = plain.reached(&initial);
    let condition = automaton.acceptance().condition();
    let letters = || 0..1u64 << automaton.alphabet().props().len();
    let targets = |state: usize, letter: u64| {
        let edges = automaton.edges_from(StateId::new(state)).iter();
        let reads = edges.filter(move |edge| automaton.alphabet().satisfied(edge.label, letter));
        reads.map(|edge| edge.target.index()).collect::<Vec<_>>()
    };
    let all_letters = |state: usize, holds: &dyn Fn(Vec<usize>) -> bool| {
        letters().all(|l| holds(targets(state, l)))
    };
    let mut states = 0..plain.nodes;
    let weak = || {
        let components = plain.components(&reached);
        components.iter().all(|edges| edges.iter().all(|(_, marks, _)| *marks == edges[0].1))
    };
    let accepting = || plain.on_accepted_cycles(&reached, condition);
    let rejecting = || plain.on_accepted_cycles(&reached, &condition.dual());
    match property {
        Property::Deterministic => {
            initial.len() <= 1 && states.all(|state| all_letters(state, &|t| t.len() <= 1))
        }
        Property::Complete => {
            !initial.is_empty() && states.all(|state| all_letters(state, &|t| !t.is_empty()))
        }
        Property::Unambiguous => {
            !lassos.iter().any(|lasso| has_two_runs(automaton, automaton, lasso))
        }
        Property::SemiDeterministic => {
            let second = plain.reached(&accepting());
            states.all(|state| !second[state] || all_letters(state, &|t| t.len() <= 1))
        }
        Property::CutDeterministic => {
            // The largest second part leaves the fewest edges to the first.
            let can_be = |state: usize| {
                let from_here = plain.reached(&[state]);
                (0..plain.nodes).all(|s| !from_here[s] || all_letters(s, &|t| t.len() <= 1))
            };
            let second: Vec<bool> = (0..plain.nodes).map(can_be).collect();
            let first = |state: usize| reached[state] && !second[state];
            initial.len() <= 1
                && accepting().iter().all(|state| second[*state])
                && states.all(|state| {
                    let few = |t: Vec<usize>| t.into_iter().filter(|s| first(*s)).count() <= 1;
                    !first(state) || all_letters(state, &few)
                })
        }
        Property::StateBased => plain.edges.iter().all(|(source, marks, _)| {
            plain.edges.iter().all(|(other, beside, _)| source != other || marks == beside)
        }),
        Property::Colored => plain.edges.iter().all(|(_, marks, _)| marks.iter().count() == 1),
        Property::Weak => weak(),
        Property::VeryWeak => {
            weak() && plain.components(&reached).iter().flatten().all(|(s, _, t)| s == t)
        }
        Property::InherentlyWeak => {
            let rejecting = rejecting();
            accepting().iter().all(|state| {
                let from_here = plain.reached(&[*state]);
                rejecting
                    .iter()
                    .all(|other| !from_here[*other] || !plain.reached(&[*other])[*state])
            })
        }
        Property::Terminal => {
            let (accepting, rejecting) = (accepting(), rejecting());
            let from_accepting = plain.reached(&accepting);
            let stays = |state: usize| {
                let component =
                    |other: usize| plain.reached(&[state])[other] && plain.reached(&[other])[state];
                let on_cycles = accepting.iter().any(|other| component(*other));
                !on_cycles || all_letters(state, &|t| t.into_iter().any(component))
            };
            weak()
                && !rejecting.iter().any(|state| from_accepting[*state])
                && accepting.iter().all(|state| stays(*state))
        }
        _ => has_condition(automaton.acceptance(), property),
    }
}

/// True if the condition has the property, by its text or by all sets of marks.
fn has_condition(acceptance: &Acceptance, property: Property) -> bool {
    let marks = acceptance.marks();
    let text = acceptance.condition().to_string();
    let join = |name: &str, with: &str| {
        (0..marks).map(|mark| format!("{name}({mark})")).collect::<Vec<_>>().join(with)
    };
    let sets = || (0..1u64 << marks).map(|set| (0..marks).filter(move |i| set >> i & 1 == 1));
    let same = |accepts: &dyn Fn(&[Mark]) -> bool| {
        sets().all(|set| {
            let set: Vec<Mark> = set.collect();
            acceptance.accepts(&set.iter().copied().collect()) == accepts(&set)
        })
    };
    let in_pairs = |from: &[Mark]| -> Vec<(bool, bool)> {
        let has = |mark| from.contains(&mark);
        (0..marks / 2).map(|pair| (has(2 * pair), has(2 * pair + 1))).collect()
    };
    match property {
        Property::AllAccepting => marks == 0 && text == "t",
        Property::Buchi => marks == 1 && text == "Inf(0)",
        Property::CoBuchi => marks == 1 && text == "Fin(0)",
        Property::GeneralizedBuchi => {
            if marks == 0 {
                text == "t"
            } else {
                text == join("Inf", " & ")
            }
        }
        Property::GeneralizedCoBuchi => {
            if marks == 0 {
                text == "f"
            } else {
                text == join("Fin", " | ")
            }
        }
        Property::Rabin => {
            marks.is_multiple_of(2)
                && same(&|set| in_pairs(set).iter().any(|(fin, inf)| !fin && *inf))
        }
        Property::Streett => {
            marks.is_multiple_of(2)
                && same(&|set| in_pairs(set).iter().all(|(fin, inf)| !fin || *inf))
        }
        Property::NoFin => !text.contains("Fin"),
        Property::Parity => [false, true].into_iter().any(|min| {
            [0, 1].into_iter().any(|parity| {
                sets().all(|set| {
                    let set: Vec<Mark> = set.collect();
                    let decides = if min { set.first() } else { set.last() };
                    // A parity condition may give runs without marks either verdict.
                    let accepted = acceptance.accepts(&set.iter().copied().collect());
                    decides.is_none_or(|mark| (mark % 2 == parity) == accepted)
                })
            })
        }),
        // The only claim is that the condition does not change.
        Property::GeneralizedRabin => true,
        property => panic!("{property} is not about acceptance"),
    }
}
