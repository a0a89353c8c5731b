//! From which states of a structure an automaton accepts an execution, in one search.
//!
//! H. Tauriainen (HUT-TCS-A66, 2000), appendix A: the product with all states of the structure as
//! roots is searched once for its strongly connected components, and the search is continued, not
//! restarted, from root to root. Components are found after those that they reach, so that the
//! answers need no second search backwards. The product is numbered by a table and its edges are
//! not stored. Linear in its edges; where the condition has `Fin` terms, components are searched
//! further by [`sempre_automata::emptiness`].

use sempre_automata::{Automaton, Condition, Kripke, Marks, StateId, product};
use sempre_ltl::interrupt;

use crate::structures::Scope;

/// How large the product of a structure with an automaton is, as far as it can be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProductSizes {
    /// Pairs of states.
    pub states: usize,
    /// Edges between them, once for each edge of the automaton.
    pub transitions: usize,
    /// Strongly connected components.
    pub sccs: usize,
}

/// From which states of a structure an automaton accepts an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalAnswer {
    /// For each state of the structure; in local scope for the initial one only, the others being
    /// false.
    pub accepting: Vec<bool>,
    /// How large the product was.
    pub sizes: ProductSizes,
}

/// From which states the automaton accepts an execution.
pub fn global_answer(kripke: &Kripke, automaton: &Automaton, scope: Scope) -> GlobalAnswer {
    let condition = Simple::of(automaton);
    let mut search = Search::new(kripke, automaton, &condition);
    let roots: Vec<StateId> = match scope {
        Scope::Global => kripke.states().collect(),
        Scope::Local => vec![kripke.initial()],
    };
    let mut accepting = vec![false; kripke.state_count()];
    for root in roots {
        for initial in automaton.initial() {
            let node = search.node(root.index(), initial.index());
            accepting[root.index()] |= search.from(node);
        }
    }
    if condition.is_none() {
        accepting = match scope {
            Scope::Global => product::global_check(kripke, automaton),
            Scope::Local => {
                let initial = product::with_kripke(kripke, automaton).accepts_some();
                kripke.states().map(|state| state == kripke.initial() && initial).collect()
            }
        };
    }
    GlobalAnswer { accepting, sizes: search.sizes }
}

/// A condition that is monotone in the marks of a component, which fit in a machine word.
enum Simple<'a> {
    /// Each of these marks.
    All(u64),
    Monotone(&'a Condition),
}

impl<'a> Simple<'a> {
    /// The condition of an automaton, if it is that simple.
    fn of(automaton: &'a Automaton) -> Option<Self> {
        let condition = automaton.acceptance().condition();
        let (inf, fin) = condition.inf_and_fin();
        if !fin.is_empty() || automaton.acceptance().marks() > 64 {
            return None;
        }
        let conjunction = match condition {
            Condition::True | Condition::Inf(_) => true,
            Condition::And(operands) => operands.iter().all(|o| matches!(o, Condition::Inf(_))),
            _ => false,
        };
        match inf.as_bits() {
            Some(bits) if conjunction => Some(Simple::All(bits)),
            _ => Some(Simple::Monotone(condition)),
        }
    }

    fn accepts(&self, marks: u64) -> bool {
        match self {
            Simple::All(needed) => needed & !marks == 0,
            Simple::Monotone(condition) => {
                let marks = (0..64).filter(|mark| marks >> mark & 1 == 1);
                condition.accepts(&marks.collect::<Marks>())
            }
        }
    }
}

/// A node that the search has not met.
const UNSEEN: u32 = u32::MAX;
/// Nodes of components that are complete: without and with an accepting path.
const REJECTING: u32 = u32::MAX - 1;
const ACCEPTING: u32 = u32::MAX - 2;

/// The search for components, by path (Gabow; Couvreur with marks).
struct Search<'a> {
    kripke: &'a Kripke,
    condition: &'a Option<Simple<'a>>,
    states: usize,
    /// For each state of the structure the place of its letter's row in `offsets`.
    rows: Vec<usize>,
    /// For each letter and state of the automaton, where its edges begin in `edges`.
    offsets: Vec<u32>,
    /// The target and the marks of edges that read the letter.
    edges: Vec<(u32, u64)>,
    /// For each node its place on the path of open nodes, or what is known of it.
    places: Vec<u32>,
    open: Vec<u32>,
    roots: Vec<Root>,
    visits: Vec<Visit>,
    sizes: ProductSizes,
}

/// The data of an open component.
struct Root {
    /// The place of its first node.
    place: u32,
    /// The marks of the edge that leads to it.
    entry: u64,
    /// The marks inside.
    marks: u64,
    cyclic: bool,
    /// Whether an accepting component can be reached from it.
    promising: bool,
}

/// A node whose edges are being followed.
struct Visit {
    state: u32,
    /// Its place on the path.
    place: u32,
    /// Which edge is next, and the place of its next target among the successors in the structure.
    edge: u32,
    successor: u32,
    /// Where its edges end.
    end: u32,
}

impl<'a> Search<'a> {
    fn new(kripke: &'a Kripke, automaton: &Automaton, condition: &'a Option<Simple<'a>>) -> Self {
        let alphabet = automaton.alphabet();
        let bits: Vec<Option<usize>> =
            alphabet.props().iter().map(|prop| kripke.alphabet().index_of(prop)).collect();
        let read: u64 = bits.iter().flatten().fold(0, |read, bit| read | 1 << bit);
        let mut letters: Vec<u64> = vec![];
        let (mut rows, mut offsets, mut edges) = (vec![], vec![], vec![]);
        for state in kripke.states() {
            let label = kripke.label(state) & read;
            let known = letters.iter().position(|known| *known == label);
            let row = known.unwrap_or_else(|| {
                let value = |prop: usize| bits[prop].is_some_and(|bit| label >> bit & 1 == 1);
                letters.push(label);
                for source in automaton.states() {
                    offsets.push(edges.len() as u32);
                    let own = automaton.edges_from(source).iter();
                    let reading = own.filter(|edge| alphabet.satisfied_by(edge.label, value));
                    edges.extend(reading.map(|edge| {
                        (edge.target.index() as u32, edge.marks.as_bits().unwrap_or(0))
                    }));
                }
                letters.len() - 1
            });
            rows.push(row * automaton.state_count());
        }
        offsets.push(edges.len() as u32);
        let states = automaton.state_count();
        Search {
            kripke,
            condition,
            states,
            rows,
            offsets,
            edges,
            places: vec![UNSEEN; kripke.state_count() * states],
            open: vec![],
            roots: vec![],
            visits: vec![],
            sizes: ProductSizes::default(),
        }
    }

    /// The number of a pair.
    fn node(&self, structure: usize, automaton: usize) -> u32 {
        (structure * self.states + automaton) as u32
    }

    /// Whether an accepting path starts in the node.
    fn from(&mut self, start: u32) -> bool {
        if self.places[start as usize] == UNSEEN {
            self.enter(start, 0);
            while let Some(visit) = self.visits.last_mut() {
                interrupt::poll();
                let successors = self.kripke.successors(StateId::new(visit.state as usize));
                if visit.edge == visit.end {
                    self.leave();
                    continue;
                }
                let (target, marks) = self.edges[visit.edge as usize];
                let successor = successors[visit.successor as usize].index();
                visit.successor += 1;
                if visit.successor as usize == successors.len() {
                    (visit.edge, visit.successor) = (visit.edge + 1, 0);
                }
                self.sizes.transitions += 1;
                let node = self.node(successor, target as usize);
                self.follow(node, marks);
            }
        }
        self.places[start as usize] == ACCEPTING
    }

    /// Follows an edge to a node.
    fn follow(&mut self, node: u32, marks: u64) {
        match self.places[node as usize] {
            UNSEEN => self.enter(node, marks),
            REJECTING => {}
            ACCEPTING => {
                if let Some(root) = self.roots.last_mut() {
                    root.promising = true;
                }
            }
            place => self.merge(place, marks),
        }
    }

    fn enter(&mut self, node: u32, entry: u64) {
        self.sizes.states += 1;
        let place = self.open.len() as u32;
        self.places[node as usize] = place;
        self.open.push(node);
        self.roots.push(Root { place, entry, marks: 0, cyclic: false, promising: false });
        let (state, source) = (node as usize / self.states, node as usize % self.states);
        let row = self.rows[state] + source;
        let (edge, end) = (self.offsets[row], self.offsets[row + 1]);
        self.visits.push(Visit { state: state as u32, place, edge, successor: 0, end });
    }

    /// An edge back to an open node: all components from there on are one.
    fn merge(&mut self, place: u32, mut marks: u64) {
        let mut promising = false;
        while let Some(root) = self.roots.last_mut() {
            marks |= root.marks;
            promising |= root.promising;
            if root.place <= place {
                (root.marks, root.promising, root.cyclic) = (marks, promising, true);
                break;
            }
            marks |= root.entry;
            self.roots.pop();
        }
    }

    /// Leaves a node all of whose edges were followed, and its component if it was the first.
    fn leave(&mut self) {
        let left = self.visits.pop();
        let Some(root) = self.roots.pop_if(|root| left.is_some_and(|v| v.place == root.place))
        else {
            return;
        };
        self.sizes.sccs += 1;
        let accepting =
            root.cyclic && self.condition.as_ref().is_some_and(|c| c.accepts(root.marks));
        let known = if accepting || root.promising { ACCEPTING } else { REJECTING };
        for node in self.open.drain(root.place as usize..) {
            self.places[node as usize] = known;
        }
        if known == ACCEPTING
            && let Some(root) = self.roots.last_mut()
        {
            root.promising = true;
        }
    }
}
