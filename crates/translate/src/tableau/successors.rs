//! The reachable states, and the edges between them.

use super::Options;
use super::closure::{Shape, Term};
use super::decomposition::{Decomposition, Variable};
use crate::diagrams::{Diagram, Letters};
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Automaton, Label, Marks, Named, StateId};
use sempre_ltl::interrupt::poll;
use sempre_ltl::{Formula, Prop};
use smallvec::SmallVec;

/// The target and the marks of an edge; numbered for fast lookup.
type Successor = (StateId, Marks);

/// The target of an edge, before the state is known.
struct Target {
    diagram: Diagram,
    marks: Marks,
    /// A formula for the state: a disjunction of conjunctions.
    name: Vec<Vec<Term>>,
}

/// The maximal number of edges per state, if the number of states is limited.
const EDGES_PER_STATE: usize = 32;

/// The maximal number of edges for a letter for pairwise comparison.
const MAX_COMPARED: usize = 64;

struct Exploration {
    decomposition: Decomposition,
    options: Options,
    alphabet: Alphabet,
    all_marks: Marks,
    states: FxHashMap<Diagram, StateId>,
    /// The decomposition of each state.
    diagrams: Vec<Diagram>,
    /// A formula for each state, if requested: a disjunction of conjunctions.
    names: Vec<Vec<Vec<Term>>>,
    successors: Vec<Successor>,
    numbers: FxHashMap<Successor, u32>,
    /// By remaining function of a decomposition for a letter, the range of its successors in
    /// `lists`.
    known: FxHashMap<Diagram, (u32, u32)>,
    lists: Vec<u32>,
    /// A cache of the decompositions of conjunctions.
    conjunctions: FxHashMap<Vec<Term>, Diagram>,
}

/// Builds the automaton of the root; `None` if it has more than `most` states.
pub(super) fn explore(
    decomposition: Decomposition,
    options: Options,
    most: usize,
) -> Option<Automaton> {
    let alphabet = Alphabet::new(decomposition.closure.props().iter().cloned())
        .unwrap_or_else(|_| unreachable!("the propositions are distinct"));
    let exploration = Exploration {
        all_marks: Marks::all(decomposition.promise_count()),
        decomposition,
        options,
        alphabet,
        states: FxHashMap::default(),
        diagrams: vec![],
        names: vec![],
        successors: vec![],
        numbers: FxHashMap::default(),
        known: FxHashMap::default(),
        lists: vec![],
        conjunctions: FxHashMap::default(),
    };
    exploration.run(most)
}

impl Exploration {
    fn run(mut self, most: usize) -> Option<Automaton> {
        let root = self.decomposition.closure.root();
        self.state(self.decomposition.of(root), || vec![vec![root]]);
        // All edges: the source, the number of the successor, and the label.
        let mut edges: Vec<(StateId, u32, Label)> = vec![];
        // By number of the successor, the index among the edges of the state.
        let mut places: Vec<u32> = vec![];
        let mut letters = Letters::default();
        let (mut states_done, mut letters_done) = (0, 0);
        while let Some(&diagram) = self.diagrams.get(states_done) {
            poll();
            if self.diagrams.len() > most {
                return None;
            }
            let source = StateId::new(states_done);
            states_done += 1;
            let first = edges.len();
            let left = self.options.letters.map_or(usize::MAX, |most| most - letters_done);
            letters.split(&self.decomposition.diagrams, &self.alphabet, diagram, left)?;
            letters_done += letters.parts().len();
            for &(rest, label) in letters.parts().iter().filter(|(rest, _)| *rest != Diagram::FALSE)
            {
                poll();
                let (start, end) = self.successors_of(rest);
                if self.decomposition.diagrams.is_exhausted() {
                    return None;
                }
                places.resize(self.successors.len(), u32::MAX);
                for &successor in &self.lists[start as usize..end as usize] {
                    let place = &mut places[successor as usize];
                    if *place != u32::MAX && *place as usize >= first {
                        let known = &mut edges[*place as usize].2;
                        *known = self.alphabet.or(*known, label);
                    } else {
                        if edges.len() > most.saturating_mul(EDGES_PER_STATE) {
                            return None;
                        }
                        *place = edges.len() as u32;
                        edges.push((source, successor, label));
                    }
                }
            }
        }
        Some(self.build(&edges))
    }

    fn build(self, edges: &[(StateId, u32, Label)]) -> Automaton {
        let Exploration { alphabet, decomposition, .. } = &self;
        let mut props: Vec<Prop> = decomposition.closure.props().to_vec();
        props.sort();
        let sorted =
            Alphabet::new(props).unwrap_or_else(|_| unreachable!("the propositions are distinct"));
        let place = |prop| {
            let place = sorted.index_of(prop);
            place.unwrap_or_else(|| unreachable!("the alphabets have the same propositions"))
        };
        let places: Vec<usize> = alphabet.props().iter().map(place).collect();
        let mut labels: FxHashMap<Label, Label> = FxHashMap::default();
        let mut translated = |label| {
            *labels.entry(label).or_insert_with(|| alphabet.translate(label, &sorted, &places))
        };
        let edges: Vec<(StateId, u32, Label)> = edges
            .iter()
            .map(|(source, successor, label)| (*source, *successor, translated(*label)))
            .collect();
        let mut builder = Automaton::builder(sorted);
        builder.acceptance(Named::GeneralizedBuchi(self.all_marks.len() as u32).acceptance());
        builder.add_states(self.diagrams.len());
        builder.initial(StateId::new(0));
        for (source, successor, label) in edges {
            let (target, marks) = &self.successors[successor as usize];
            builder.edge(source, label, marks.clone(), *target);
        }
        for (state, name) in self.names.iter().enumerate() {
            let name = Formula::or(name.iter().map(|terms| {
                Formula::and(terms.iter().map(|&term| self.decomposition.closure.formula(term)))
            }));
            builder.state_name(StateId::new(state), name.to_string());
        }
        builder.build()
    }

    /// Returns the state with this decomposition.
    fn state(&mut self, diagram: Diagram, name: impl FnOnce() -> Vec<Vec<Term>>) -> StateId {
        let next = StateId::new(self.diagrams.len());
        let state = *self.states.entry(diagram).or_insert(next);
        if state == next {
            self.diagrams.push(diagram);
            if self.options.names {
                self.names.push(name());
            }
        }
        state
    }

    fn successor(&mut self, target: StateId, marks: Marks) -> u32 {
        *self.numbers.entry((target, marks)).or_insert_with_key(|successor| {
            self.successors.push(successor.clone());
            self.successors.len() as u32 - 1
        })
    }

    /// Returns the successors for a remaining function of a decomposition, as a range of `lists`.
    fn successors_of(&mut self, rest: Diagram) -> (u32, u32) {
        if let Some(&range) = self.known.get(&rest) {
            return range;
        }
        let mut targets: Vec<Target> = vec![];
        let mut primes: Vec<Vec<u32>> = vec![];
        self.decomposition.diagrams.each_prime(rest, |prime| primes.push(prime.to_vec()));
        for prime in primes {
            let mut promised = Marks::EMPTY;
            let mut terms = vec![];
            for variable in prime {
                match self.decomposition.variable(variable) {
                    Some(Variable::Next(term)) => terms.push(term),
                    Some(Variable::Promise(promise)) => promised.insert(promise),
                    None => unreachable!("the letter is known"),
                }
            }
            let diagram = self.conjunction(&terms);
            if diagram != Diagram::FALSE {
                let marks = &self.all_marks - &promised;
                targets.push(Target { diagram, marks, name: vec![terms] });
            }
        }
        if self.options.postpone {
            targets = self.postpone(targets);
        }
        if !self.options.unambiguous {
            self.drop_dominated(&mut targets);
        }
        let start = self.lists.len() as u32;
        for Target { diagram, marks, name } in targets {
            let target = self.state(diagram, || name);
            let successor = self.successor(target, marks);
            if !self.lists[start as usize..].contains(&successor) {
                self.lists.push(successor);
            }
        }
        let range = (start, self.lists.len() as u32);
        self.known.insert(rest, range);
        range
    }

    /// Returns the decomposition of the conjunction of some terms.
    fn conjunction(&mut self, terms: &[Term]) -> Diagram {
        if let [term] = *terms {
            return self.decomposition.of(term);
        }
        if let Some(&known) = self.conjunctions.get(terms) {
            return known;
        }
        // The obligations of `G f` include those of f. Without f, all edges of `G(Fa & Fb & …)`
        // have the same conjunction, and not one for each set of operands that did not hold.
        let Decomposition { closure, .. } = &self.decomposition;
        let mut implied: SmallVec<[Term; 8]> = SmallVec::new();
        for &term in terms.iter().filter(|term| closure.shape(**term) == Shape::Globally) {
            let always = closure.operand(term, 0);
            implied.push(always);
            if closure.shape(always) == Shape::And {
                implied.extend((0..closure.arity(always)).map(|i| closure.operand(always, i)));
            }
        }
        let rest: SmallVec<[Term; 8]> =
            terms.iter().copied().filter(|term| !implied.contains(term)).collect();
        let conjunction = if rest.len() < terms.len() {
            self.conjunction(&rest)
        } else {
            rest.iter().fold(Diagram::TRUE, |all, &term| {
                let next = self.decomposition.of(term);
                self.decomposition.diagrams.and(all, next)
            })
        };
        self.conjunctions.insert(terms.to_vec(), conjunction);
        conjunction
    }

    /// Removes edges if another one has at least their marks and leads to a state whose
    /// decomposition is implied by theirs. Such a state simulates the other.
    fn drop_dominated(&mut self, targets: &mut Vec<Target>) {
        if !(2..=MAX_COMPARED).contains(&targets.len()) {
            return;
        }
        let diagrams = &mut self.decomposition.diagrams;
        let mut place = 0;
        while place < targets.len() {
            let target = &targets[place];
            let dominated = targets.iter().enumerate().any(|(other, better)| {
                other != place
                    && target.marks.is_subset(&better.marks)
                    && diagrams.and(target.diagram, better.diagram) == target.diagram
                    // Of two equal ones, the first stays.
                    && (other < place
                        || target.diagram != better.diagram
                        || target.marks != better.marks)
            });
            if dominated {
                targets.remove(place);
            } else {
                place += 1;
            }
        }
    }

    /// Joins the targets with equal marks.
    fn postpone(&mut self, targets: Vec<Target>) -> Vec<Target> {
        let mut joined: Vec<Target> = vec![];
        for target in targets {
            match joined.iter_mut().find(|other| other.marks == target.marks) {
                Some(sum) => {
                    sum.diagram = self.decomposition.diagrams.or(sum.diagram, target.diagram);
                    sum.name.extend(target.name);
                }
                None => joined.push(target),
            }
        }
        joined
    }
}
