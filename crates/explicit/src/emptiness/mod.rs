//! Emptiness checks: is there a run of the graph that the acceptance condition accepts?
//!
//! They are iterative, work on any [`Graph`], and return a [`Lasso`]. Which of them may be used
//! depends on the automaton of the property: [`Check::objection`] says why one does not fit.
//!
//! | check | acceptance | from |
//! |---|---|---|
//! | [`Check::Couvreur`] | generalized Büchi | Couvreur 1999; compressed roots: Renault et al. 2013; heuristic: Couvreur, Duret-Lutz, Poitrenaud 2005 |
//! | [`Check::Tarjan`] | generalized Büchi | Geldenhuys and Valmari 2005, with marks as in Renault et al. 2013 |
//! | [`Check::SchwoonEsparza`] | Büchi on states | Schwoon and Esparza 2005 |
//! | [`Check::Spin`] | Büchi on states | Holzmann, Peled, Yannakakis 1996 |
//! | [`Check::Restricted`] | Büchi on states | Edelkamp, Leue, Lluch Lafuente 2004 |
//! | [`Check::Weak`] | weak automata | Černá and Pelánek 2003 |
//! | [`Check::Terminal`] | terminal automata | the same; breadth-first, so the prefix is shortest |
//! | [`Check::Generic`] | any | Baier et al. 2019, on the components one by one |

mod couvreur;
mod generic;
mod lasso;
mod live;
mod nested;
mod reachability;
mod tarjan;
pub mod testing;
#[cfg(test)]
mod tests;
mod walk;
mod weak;

use crate::graph::{Effort, Graph, Lasso};
use sempre_automata::strength::{Strength, Strengths};
use sempre_automata::{Acceptance, Automaton, Condition, Marks};

pub use couvreur::Roots;
pub(crate) use reachability::go_on;

/// An emptiness check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// A search for strongly connected components that ends as soon as one is accepted.
    Couvreur {
        /// How the stack of roots is kept.
        roots: Roots,
        /// Look at edges to nodes that are already known first: they may close a cycle.
        known_first: bool,
    },
    /// The same with Tarjan's algorithm.
    Tarjan,
    /// Nested depth-first search with early detection.
    SchwoonEsparza,
    /// Nested depth-first search as in Spin: the inner search ends at the stack of the outer one.
    Spin,
    /// As [`Check::SchwoonEsparza`], with inner searches only within strong components of the
    /// automaton.
    Restricted,
    /// One depth-first search for a cycle within an accepting component of a weak automaton.
    Weak,
    /// A breadth-first search for an accepting component of a terminal automaton. Every node must
    /// have a successor.
    Terminal,
    /// Maximal components one by one, for any acceptance condition.
    Generic,
}

impl Check {
    /// All checks, with a name for each.
    pub const ALL: [(&'static str, Check); 11] = [
        ("couvreur", Check::Couvreur { roots: Roots::Plain, known_first: false }),
        ("couvreur(compressed)", Check::Couvreur { roots: Roots::Compressed, known_first: false }),
        ("couvreur(shy)", Check::Couvreur { roots: Roots::Plain, known_first: true }),
        (
            "couvreur(shy,compressed)",
            Check::Couvreur { roots: Roots::Compressed, known_first: true },
        ),
        ("tarjan", Check::Tarjan),
        ("se", Check::SchwoonEsparza),
        ("spin", Check::Spin),
        ("ell", Check::Restricted),
        ("weak", Check::Weak),
        ("terminal", Check::Terminal),
        ("generic", Check::Generic),
    ];

    /// Returns the name of the check, with its options in parentheses.
    pub fn name(self) -> &'static str {
        Check::ALL.iter().find(|(_, other)| *other == self).map_or("", |(name, _)| name)
    }

    /// Returns a line about the check, for help texts.
    pub fn description(self) -> &'static str {
        match self {
            Check::Couvreur { roots: Roots::Plain, known_first: false } => {
                "SCCs, until one is accepting; for generalized Büchi conditions"
            }
            Check::Couvreur { roots: Roots::Compressed, known_first: false } => {
                "the same, with a smaller stack of roots"
            }
            Check::Couvreur { roots: Roots::Plain, known_first: true } => {
                "the same, with edges to visited nodes first"
            }
            Check::Couvreur { roots: Roots::Compressed, known_first: true } => {
                "the same, with a smaller stack and edges to visited nodes first"
            }
            Check::Tarjan => "the same, by Tarjan's algorithm",
            Check::SchwoonEsparza => "nested depth-first search with early detection",
            Check::Spin => "nested depth-first search as in Spin",
            Check::Restricted => {
                "nested depth-first search, inner searches only in strong components"
            }
            Check::Weak => "one depth-first search, for weak automata",
            Check::Terminal => "reachability, for terminal automata",
            Check::Generic => "SCCs, for any acceptance condition",
        }
    }

    /// Why the check cannot be used for products with an automaton; none if it can.
    pub fn objection(self, property: &Property) -> Option<&'static str> {
        match self {
            Check::Couvreur { .. } | Check::Tarjan if property.all.is_none() => {
                Some("it needs generalized Büchi acceptance")
            }
            Check::SchwoonEsparza | Check::Spin | Check::Restricted
                if property.accepting.is_none() =>
            {
                Some("it needs Büchi acceptance on states")
            }
            Check::Weak if !property.is_at_most(Strength::Weak) => {
                Some("it needs a weak automaton")
            }
            Check::Terminal if !property.is_at_most(Strength::Terminal) => {
                Some("it needs a terminal automaton")
            }
            _ => None,
        }
    }

    /// The check that fits the strength of an automaton best. `total` tells whether every state of
    /// the system has a successor.
    pub fn best_for(property: &Property, total: bool) -> Check {
        if total && Check::Terminal.objection(property).is_none() {
            Check::Terminal
        } else if Check::Weak.objection(property).is_none() {
            Check::Weak
        } else if property.all.is_some() {
            Check::Couvreur { roots: Roots::Compressed, known_first: true }
        } else {
            Check::Generic
        }
    }

    /// Searches the graph, which is a product with the automaton of that property, for an accepting
    /// run. `effort` tells what it has cost, also if the search ends with an error.
    ///
    /// # Errors
    /// If the graph cannot be generated further.
    ///
    /// # Panics
    /// If the check does not [fit](Check::objection).
    pub fn run<G: Graph>(
        self,
        graph: &mut G,
        property: &Property,
        effort: &mut Effort,
    ) -> Result<Option<Lasso>, G::Error> {
        if let Some(reason) = self.objection(property) {
            panic!("{self:?} does not fit: {reason}");
        }
        if property.is_unsatisfiable() {
            return Ok(None);
        }
        let accepting = property.accepting.as_deref().unwrap_or_default();
        // Each of them has a function of its own, so that registers are given to one loop.
        match self {
            Check::Couvreur { roots, known_first } => {
                couvreur::search(graph, property, roots, known_first, effort)
            }
            Check::Tarjan => tarjan::search(graph, property, effort),
            Check::SchwoonEsparza => nested::schwoon_esparza(graph, accepting, None, effort),
            Check::Spin => nested::spin(graph, accepting, effort),
            Check::Restricted => nested::schwoon_esparza(graph, accepting, Some(property), effort),
            Check::Weak => weak::search(graph, property, effort),
            Check::Terminal => reachability::search(graph, property, effort),
            Check::Generic => generic::search(graph, property, effort),
        }
    }
}

/// What emptiness checks know about the automaton of a property.
#[derive(Clone, Debug)]
pub struct Property {
    acceptance: Acceptance,
    /// All marks as bits, if the condition is that each is seen infinitely often.
    all: Option<u32>,
    /// For each state whether it is accepting, if acceptance is Büchi and on states.
    accepting: Option<Vec<bool>>,
    /// The component of each state.
    component: Vec<u32>,
    /// The strength of each component.
    strength: Vec<Strength>,
}

impl Property {
    /// What is to be known about an automaton.
    pub fn new(automaton: &Automaton) -> Self {
        let acceptance = automaton.acceptance().clone();
        let all = generalized(&acceptance);
        let accepting = (all == Some(1) && automaton.is_state_based()).then(|| {
            let accepts = |state| automaton.edges_from(state).iter().any(|e| e.marks.contains(0));
            automaton.states().map(accepts).collect()
        });
        let strengths = Strengths::of(automaton);
        let sccs = strengths.sccs();
        // States that cannot be reached are in no component; no product has them.
        let component = |state| sccs.component(state).map_or(u32::MAX, |scc| scc.index() as u32);
        let component = automaton.states().map(component).collect();
        let strength = sccs.iter().map(|scc| strengths.of_component(scc)).collect();
        Property { acceptance, all, accepting, component, strength }
    }

    /// True if no accepting component is stronger than that.
    fn is_at_most(&self, most: Strength) -> bool {
        self.strength.iter().all(|strength| *strength <= most)
    }

    /// The component of the automaton to which a state belongs.
    pub(crate) fn component(&self, location: usize) -> u32 {
        self.component[location]
    }

    /// True if a state belongs to an accepting component.
    pub(crate) fn is_accepting(&self, location: usize) -> bool {
        // States that cannot be reached belong to none.
        let strength = self.strength.get(self.component[location] as usize);
        strength.is_some_and(|strength| strength.is_accepting())
    }

    /// True if a search meets states of a system with one state of the automaton only, until it is
    /// in a terminal component, where it ends soon.
    pub(crate) fn meets_states_once(&self) -> bool {
        let others = (0..self.component.len()).filter(|location| !self.is_accepting(*location));
        others.count() <= 1 && self.is_at_most(Strength::Terminal)
    }

    /// True if no run is accepting, whatever the graph.
    pub(crate) fn is_unsatisfiable(&self) -> bool {
        *self.acceptance.condition() == Condition::False
    }

    /// The strength of the component to which a state belongs.
    fn strength(&self, location: usize) -> Strength {
        self.strength[self.component[location] as usize]
    }
}

/// All marks as bits, if the condition is that each is seen infinitely often.
fn generalized(acceptance: &Acceptance) -> Option<u32> {
    Marks::all(acceptance.generalized_buchi()?).as_bits()?.try_into().ok()
}
