//! Emptiness checks: does the graph have an accepting run?
//!
//! They are iterative, work on any [`SearchGraph`], and return a [`Lasso`]. The automaton of the
//! property determines which ones apply: [`Check::objection`] returns why one does not.
//!
//! | check | acceptance | from |
//! |---|---|---|
//! | [`Check::Couvreur`] | generalized Büchi | Couvreur 1999; compressed roots: Renault et al. 2013; heuristic: Couvreur, Duret-Lutz, Poitrenaud 2005 |
//! | [`Check::Tarjan`] | generalized Büchi | Geldenhuys and Valmari 2005, with marks as in Renault et al. 2013 |
//! | [`Check::SchwoonEsparza`] | Büchi on states | Schwoon and Esparza 2005 |
//! | [`Check::Spin`] | Büchi on states | the same, as Spin has it |
//! | [`Check::Hpy`] | Büchi on states | Holzmann, Peled, Yannakakis 1996 |
//! | [`Check::Restricted`] | Büchi on states | Edelkamp, Leue, Lluch Lafuente 2004 |
//! | [`Check::Weak`] | weak automata | Černá and Pelánek 2003 |
//! | [`Check::Terminal`] | terminal automata | the same; breadth-first, so the prefix is shortest |
//! | [`Check::Generic`] | any | Baier et al. 2019, SCC by SCC |

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

use crate::graph::{Effort, Lasso, SearchGraph};
use sempre_automata::strength::{Strength, Strengths};
use sempre_automata::{Acceptance, Automaton, Condition, Marks};

pub use couvreur::Roots;
pub(crate) use reachability::extend_to_cycle;

/// An emptiness check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// A search for SCCs that stops at the first accepting one.
    Couvreur {
        /// The representation of the stack of roots.
        roots: Roots,
        /// Follow edges to visited nodes first: they may close a cycle.
        known_first: bool,
    },
    /// The same with Tarjan's algorithm.
    Tarjan,
    /// Nested depth-first search with early detection.
    SchwoonEsparza,
    /// Nested depth-first search as in Spin: with early detection, and an inner search from each
    /// accepting node.
    Spin,
    /// Nested depth-first search without early detection: the inner search stops at the DFS stack of
    /// the outer one.
    Hpy,
    /// As [`Check::SchwoonEsparza`], with inner searches only within strong SCCs of the automaton:
    /// in weak ones the outer search finds every accepting cycle.
    Restricted,
    /// One depth-first search for a cycle within an accepting SCC of a weak automaton.
    Weak,
    /// A breadth-first search for an accepting SCC of a terminal automaton. Every node must have a
    /// successor.
    Terminal,
    /// Maximal SCCs one by one, for any acceptance condition.
    Generic,
}

impl Check {
    /// All checks with their names.
    pub const ALL: [(&'static str, Check); 12] = [
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
        ("hpy", Check::Hpy),
        ("ell", Check::Restricted),
        ("weak", Check::Weak),
        ("terminal", Check::Terminal),
        ("generic", Check::Generic),
    ];

    /// Returns the name of the check, with its options in parentheses.
    pub fn name(self) -> &'static str {
        Check::ALL.iter().find(|(_, other)| *other == self).map_or("", |(name, _)| name)
    }

    /// Returns the name of the algorithm in output.
    pub fn algorithm(self) -> &'static str {
        match self {
            Check::Weak => "weak DFS",
            Check::Terminal => "terminal BFS",
            check => check.name(),
        }
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
            Check::Spin => "the same as in Spin, with more inner searches",
            Check::Hpy => "nested depth-first search of 1996, without early detection",
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
            Check::SchwoonEsparza | Check::Spin | Check::Hpy | Check::Restricted
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

    /// Returns the best check for the strength of an automaton. `total` is true if every state of
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

    /// Searches the graph, a product with the automaton of this property, for an accepting run.
    /// `effort` receives the cost, also in case of an error.
    ///
    /// # Errors
    /// If the graph cannot be generated further.
    ///
    /// # Panics
    /// If the check does not [apply](Check::objection).
    pub fn run<G: SearchGraph>(
        self,
        graph: &mut G,
        property: &Property,
        effort: &mut Effort,
    ) -> Result<Option<Lasso>, G::Error> {
        if let Some(reason) = self.objection(property) {
            panic!("{self:?} is not applicable: {reason}");
        }
        if property.is_unsatisfiable() {
            return Ok(None);
        }
        let accepting = property.accepting.as_deref().unwrap_or_default();
        // Each loop is a separate function, so that it gets its own registers.
        match self {
            Check::Couvreur { roots, known_first } => {
                couvreur::search(graph, property, roots, known_first, effort)
            }
            Check::Tarjan => tarjan::search(graph, property, effort),
            Check::SchwoonEsparza => nested::schwoon_esparza(graph, accepting, None, effort),
            Check::Spin => nested::spin(graph, accepting, effort),
            Check::Hpy => nested::holzmann_peled_yannakakis(graph, accepting, effort),
            Check::Restricted => nested::schwoon_esparza(graph, accepting, Some(property), effort),
            Check::Weak => weak::search(graph, property, effort),
            Check::Terminal => reachability::search(graph, property, effort),
            Check::Generic => generic::search(graph, property, effort),
        }
    }
}

/// The properties of an automaton that emptiness checks use.
#[derive(Clone, Debug)]
pub struct Property {
    acceptance: Acceptance,
    /// All marks as bits, if acceptance is generalized Büchi.
    all: Option<u32>,
    /// Whether each state is accepting, if acceptance is Büchi on states.
    accepting: Option<Vec<bool>>,
    /// The SCC of each state.
    component: Vec<u32>,
    /// The strength of each SCC.
    strength: Vec<Strength>,
}

impl Property {
    /// Computes the properties of an automaton.
    pub fn new(automaton: &Automaton) -> Self {
        let acceptance = automaton.acceptance().clone();
        let all = generalized(&acceptance);
        let accepting = (all == Some(1) && automaton.is_state_based()).then(|| {
            let accepts = |state| automaton.edges_from(state).iter().any(|e| e.marks.contains(0));
            automaton.states().map(accepts).collect()
        });
        let strengths = Strengths::of(automaton);
        let sccs = strengths.sccs();
        // Unreachable states are in no SCC, and do not occur in products.
        let component = |state| sccs.component(state).map_or(u32::MAX, |scc| scc.index() as u32);
        let component = automaton.states().map(component).collect();
        let strength = sccs.iter().map(|scc| strengths.of_component(scc)).collect();
        Property { acceptance, all, accepting, component, strength }
    }

    /// The properties of a testing automaton that is built during the product. Nothing but the
    /// [class](sempre_testing::OnDemand::class) of a state is known.
    pub fn of_classes(acceptance: Acceptance) -> Self {
        let all = generalized(&acceptance);
        let strength = vec![Strength::Transient, Strength::Strong];
        Property { acceptance, all, accepting: None, component: vec![0, 1], strength }
    }

    /// The same, with another acceptance condition on the edges of products.
    pub(crate) fn with_acceptance(self, acceptance: Acceptance) -> Self {
        let all = generalized(&acceptance);
        Property { acceptance, all, accepting: None, ..self }
    }

    /// True if no accepting SCC is stronger than `most`.
    fn is_at_most(&self, most: Strength) -> bool {
        self.strength.iter().all(|strength| *strength <= most)
    }

    /// Returns the SCC of a state of the automaton.
    pub(crate) fn component(&self, location: usize) -> u32 {
        self.component[location]
    }

    /// True if the state is in an accepting SCC.
    pub(crate) fn is_accepting(&self, location: usize) -> bool {
        // Unreachable states are in no SCC.
        let strength = self.strength.get(self.component[location] as usize);
        strength.is_some_and(|strength| strength.is_accepting())
    }

    /// True if a search visits each state of the system with one state of the automaton only, until
    /// it reaches a terminal SCC, where it soon ends.
    pub(crate) fn visits_states_once(&self) -> bool {
        let others = (0..self.component.len()).filter(|location| !self.is_accepting(*location));
        others.count() <= 1 && self.is_at_most(Strength::Terminal)
    }

    /// True if the automaton accepts no run of any graph.
    pub(crate) fn is_unsatisfiable(&self) -> bool {
        *self.acceptance.condition() == Condition::False
    }

    /// Returns the strength of the SCC of a state.
    fn strength(&self, location: usize) -> Strength {
        self.strength[self.component[location] as usize]
    }
}

/// Returns all marks as bits, if the condition is generalized Büchi.
fn generalized(acceptance: &Acceptance) -> Option<u32> {
    Marks::all(acceptance.generalized_buchi()?).as_bits()?.try_into().ok()
}
