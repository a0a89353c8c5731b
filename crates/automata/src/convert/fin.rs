//! Removal of `Fin` terms: converts any condition to generalized Büchi.
//!
//! A run that sees a mark finitely often ends in a part of the automaton without it. So each
//! component gets a copy for each set of `Fin` marks of a disjunct, without the edges that have
//! these marks. Runs guess when to enter the copy, and cannot leave it. Several rules keep the
//! copies few (Duret-Lutz et al., From Spot 2.0 to Spot 2.10, CAV 2022, describe some):
//!
//! - The condition is first simplified by the marks of the component. Most components then have no
//!   `Fin` left. Components whose cycles are all accepting need no copy either.
//! - A copy contains only components that can be accepting.
//! - Runs enter a copy by back edges of a search, because every cycle has one. Fewer guesses mean
//!   less nondeterminism.
//! - Disjuncts without `Fin` need no copy. As a conjunction of clauses of `Inf` terms, the
//!   condition has a mark for each clause.
//!
//! With d disjuncts that differ in their `Fin` terms, an automaton of n states becomes one of at
//! most (d + 1) · n states. Streett conditions of k pairs have 2^k disjuncts.

use crate::automaton::{Automaton, AutomatonBuilder};
use crate::index::{SccId, StateId};
use crate::marks::{Mark, Marks};
use crate::scc::Sccs;
use crate::{Condition, GeneralizedBuchi, Named, parallel, prune, renumber};
use sempre_ltl::interrupt;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Returns an automaton for the same language whose condition has no `Fin` term. Without `Fin` the
/// automaton does not change; otherwise this is [`to_generalized_buchi`].
pub fn remove_fin(automaton: &Automaton) -> Automaton {
    let (_, fin) = automaton.acceptance().condition().inf_and_fin();
    match fin.is_empty() {
        true => automaton.clone(),
        false => convert(automaton),
    }
}

/// Converts to a generalized Büchi automaton for the same language. It has no mark if all runs are
/// accepting, and one (Büchi) if that is enough.
///
/// Generalized Büchi automata do not change; from others, useless states are removed. State-based
/// acceptance is preserved. Deterministic automata may become nondeterministic if their condition
/// has `Fin` terms.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, convert};
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::CoBuchi.acceptance());
/// let (state, a) = (builder.add_state(), builder.alphabet().prop(0));
/// let not_a = builder.alphabet().not(a);
/// builder.initial(state);
/// builder.edge(state, a, Marks::EMPTY, state);
/// builder.edge(state, not_a, Marks::from_iter([0]), state);
/// let automaton = builder.build();
/// let finally_always_a = convert::to_generalized_buchi(&automaton);
/// assert_eq!(finally_always_a.acceptance(), &Named::Buchi.acceptance());
/// assert_eq!(finally_always_a.state_count(), 2);
/// ```
pub fn to_generalized_buchi(automaton: &Automaton) -> GeneralizedBuchi<'_> {
    let given = GeneralizedBuchi::with_each_mark(Cow::Borrowed(automaton));
    let converted = || GeneralizedBuchi::with_each_mark(Cow::Owned(convert(automaton)));
    let generalized = given.or_else(converted);
    generalized.unwrap_or_else(|| unreachable!("the conversion makes such a condition"))
}

/// The maximal number of clauses; with more, disjuncts get copies instead.
const MAX_CLAUSES: usize = 64;

/// Sets of marks; an accepting run that stays in a part sees a mark of each infinitely often.
type Clauses = Vec<Marks>;

/// The conversion of a component.
struct Plan {
    /// The clauses for runs that stay in the original; `None` if none of them is accepting.
    original: Option<Clauses>,
    copies: Vec<Copy>,
}

/// An accepting part of a component, to be copied.
struct Copy {
    /// In the order of a depth-first search.
    states: Vec<StateId>,
    /// The marks of edges that do not belong to it.
    avoided: Marks,
    clauses: Clauses,
}

fn convert(automaton: &Automaton) -> Automaton {
    let automaton = &prune::trim(automaton);
    let sccs = Sccs::of(automaton);
    let plans: Vec<Plan> = sccs.iter().map(|scc| Plan::of(automaton, &sccs, scc)).collect();
    let mut marks = 0;
    for (scc, plan) in sccs.iter().zip(&plans) {
        let rejecting = plan.original.is_none() && !sccs.is_trivial(scc);
        let original = plan.original.as_ref().map_or(usize::from(rejecting), Clauses::len);
        let copies = plan.copies.iter().map(|copy| copy.clauses.len()).max().unwrap_or(0);
        marks = marks.max(original).max(copies);
    }
    let conversion = Conversion { automaton, sccs, marks: marks as u32 };
    conversion.build(&plans)
}

impl Plan {
    fn of(automaton: &Automaton, sccs: &Sccs, scc: SccId) -> Plan {
        if sccs.is_trivial(scc) {
            return Plan { original: None, copies: vec![] };
        }
        let condition = condition_inside(automaton, sccs, scc);
        if condition == Condition::True || !sccs.has_rejecting_cycle(automaton, scc) {
            return Plan { original: Some(vec![]), copies: vec![] };
        }
        let (_, fin) = condition.inf_and_fin();
        if fin.is_empty() && condition.dual().disjunct_count() <= MAX_CLAUSES {
            return Plan { original: Some(clauses(&condition)), copies: vec![] };
        }
        // The marks to see infinitely often, by those to see finitely often.
        let mut wishes: BTreeMap<Marks, Vec<Condition>> = BTreeMap::new();
        for disjunct in condition.disjuncts() {
            let inf = Condition::and(disjunct.inf.iter().map(Condition::Inf));
            wishes.entry(disjunct.fin).or_default().push(inf);
        }
        let mut plan = Plan { original: None, copies: vec![] };
        for (avoided, wishes) in wishes {
            let together = Condition::or(wishes.iter().cloned());
            let fits = together.dual().disjunct_count() <= MAX_CLAUSES;
            if avoided.is_empty() && fits {
                plan.original = Some(clauses(&together));
            } else if fits {
                plan.copy(automaton, sccs.states(scc), &avoided, &together);
            } else {
                wishes.iter().for_each(|wish| {
                    plan.copy(automaton, sccs.states(scc), &avoided, wish);
                });
            }
        }
        plan
    }

    /// Adds copies of the accepting parts that remain without the avoided edges.
    fn copy(
        &mut self,
        automaton: &Automaton,
        states: &[StateId],
        avoided: &Marks,
        wish: &Condition,
    ) {
        let mut part = renumber::select(automaton, states).edit();
        part.retain_edges(|_, edge| edge.marks.is_disjoint(avoided));
        let part = part.build();
        let parts = Sccs::of_all(&part);
        for scc in parts.iter() {
            interrupt::poll();
            if !parts.is_trivial(scc) && wish.accepts(parts.marks(scc)) {
                let inside = condition_of(wish, &part, &parts, scc);
                self.copies.push(Copy {
                    states: parts.states(scc).iter().map(|s| states[s.index()]).collect(),
                    avoided: avoided.clone(),
                    clauses: clauses(&inside),
                });
            }
        }
    }
}

/// The condition for runs that stay in a component.
fn condition_inside(automaton: &Automaton, sccs: &Sccs, scc: SccId) -> Condition {
    condition_of(automaton.acceptance().condition(), automaton, sccs, scc)
}

/// Simplifies a condition for runs that stay in a component: it replaces marks that are on none of
/// its edges, or on all of them, by constants.
fn condition_of(
    condition: &Condition,
    automaton: &Automaton,
    sccs: &Sccs,
    scc: SccId,
) -> Condition {
    let mut everywhere = sccs.marks(scc).clone();
    for edge in sccs.inner_edges(automaton, scc) {
        everywhere = &everywhere & &edge.marks;
    }
    condition.replace(&|term| match term {
        Condition::Inf(mark) if everywhere.contains(*mark) => Condition::True,
        Condition::Fin(mark) if everywhere.contains(*mark) => Condition::False,
        Condition::Inf(mark) if !sccs.marks(scc).contains(*mark) => Condition::False,
        Condition::Fin(mark) if !sccs.marks(scc).contains(*mark) => Condition::True,
        other => other.clone(),
    })
}

/// The clauses of a condition without `Fin` terms.
fn clauses(condition: &Condition) -> Clauses {
    condition.dual().disjuncts().into_iter().map(|clause| clause.fin).collect()
}

struct Conversion<'a> {
    automaton: &'a Automaton,
    sccs: Sccs,
    /// The number of marks of the result.
    marks: u32,
}

impl Conversion<'_> {
    fn build(&self, plans: &[Plan]) -> Automaton {
        let automaton = self.automaton;
        let mut builder = automaton.edit();
        builder.retain_edges(|_, _| false);
        builder.acceptance(match self.marks {
            0 => Named::All.acceptance(),
            1 => Named::Buchi.acceptance(),
            marks => Named::GeneralizedBuchi(marks).acceptance(),
        });
        let state_based = automaton.is_state_based();
        for (source, edge) in automaton.transitions() {
            let plan = self.sccs.component(source).map(|scc| &plans[scc.index()]);
            let clauses = plan.and_then(|plan| plan.original.as_ref());
            let counts = state_based || self.sccs.is_inside(source, edge.target);
            let marks = clauses
                .filter(|_| counts)
                .map_or(Marks::EMPTY, |clauses| self.seen(clauses, &edge.marks));
            builder.edge(source, edge.label, marks, edge.target);
        }
        let mut place = vec![None; automaton.state_count()];
        for plan in plans {
            for copy in &plan.copies {
                self.add(copy, plan.original.as_ref(), &mut place, &mut builder);
            }
        }
        // Edges may differ only in marks that were removed.
        parallel::merge(&builder.build())
    }

    /// Adds a copy, and the edges into it; `place` is all `None` before and after.
    fn add(
        &self,
        copy: &Copy,
        original: Option<&Clauses>,
        place: &mut [Option<StateId>],
        builder: &mut AutomatonBuilder,
    ) {
        let first = builder.add_states(copy.states.len());
        for (number, state) in copy.states.iter().enumerate() {
            let copied = StateId::new(first.index() + number);
            place[state.index()] = Some(copied);
            if let Some(name) = self.automaton.state_name(*state) {
                builder.state_name(copied, name);
            }
        }
        for &state in &copy.states {
            interrupt::poll();
            let Some(source) = place[state.index()] else { continue };
            for edge in self.automaton.edges_from(state) {
                let Some(target) = place[edge.target.index()] else { continue };
                if !edge.marks.is_disjoint(&copy.avoided) {
                    continue;
                }
                builder.edge(source, edge.label, self.seen(&copy.clauses, &edge.marks), target);
                if target <= source {
                    let marks = original
                        .filter(|_| self.automaton.is_state_based())
                        .map_or(Marks::EMPTY, |clauses| self.seen(clauses, &edge.marks));
                    builder.edge(state, edge.label, marks, target);
                }
            }
        }
        copy.states.iter().for_each(|state| place[state.index()] = None);
    }

    /// Returns the new marks of an edge: one for each clause it satisfies, and those of clauses
    /// that only other parts have.
    fn seen(&self, clauses: &[Marks], marks: &Marks) -> Marks {
        let missing = clauses.len() as Mark..self.marks;
        let seen = (0..).zip(clauses).filter(|(_, clause)| !clause.is_disjoint(marks));
        seen.map(|(mark, _)| mark).chain(missing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{self, Size, automaton_of, automaton_with};
    use crate::test_language::same_language;
    use crate::{Acceptance, Alphabet};
    use proptest::prelude::*;

    fn check(automaton: &Automaton) -> Result<(), TestCaseError> {
        let converted = to_generalized_buchi(automaton);
        let named = Named::of(converted.acceptance());
        prop_assert!(matches!(named, Some(Named::All | Named::Buchi | Named::GeneralizedBuchi(_))));
        prop_assert!(same_language(automaton, &converted));
        prop_assert!(!automaton.is_state_based() || converted.is_state_based());
        let disjuncts = automaton.acceptance().condition().disjuncts().len();
        prop_assert!(converted.state_count() <= (disjuncts + 1) * automaton.state_count());
        let without = remove_fin(automaton);
        prop_assert!(without.acceptance().condition().inf_and_fin().1.is_empty());
        prop_assert!(same_language(automaton, &without));
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn conversion_keeps_the_language(
            automaton in automaton_of(Size { degree: 4, props: 2, ..Size::default() }),
        ) {
            check(&automaton)?;
        }

        #[test]
        fn named_conditions_are_converted(
            (name, automaton) in prop_oneof![
                Just(Named::CoBuchi),
                Just(Named::GeneralizedCoBuchi(3)),
                Just(Named::Rabin(2)),
                Just(Named::Streett(2)),
                Just(Named::GeneralizedRabin(vec![2, 1])),
            ]
            .prop_flat_map(|name| {
                let acceptance: Acceptance = name.acceptance();
                let size = Size { states: 4, props: 1, marks: acceptance.marks(), degree: 4 };
                let automata =
                    automaton_with(Alphabet::new(["a"]).unwrap(), Just(acceptance), size);
                (Just(name), automata)
            }),
        ) {
            prop_assert!(Named::of(automaton.acceptance()) == Some(name));
            check(&automaton)?;
            check(&crate::state_based(&automaton))?;
        }

        /// Conditions without `Fin` need no copies.
        #[test]
        fn conditions_without_fin_need_no_copies(automaton in arbitrary::automaton()) {
            let mut builder = automaton.edit();
            let condition = automaton.acceptance().condition().replace(&|term| match term {
                Condition::Fin(mark) => Condition::Inf(*mark),
                other => other.clone(),
            });
            builder.acceptance(Acceptance::new(automaton.acceptance().marks(), condition));
            let positive = builder.build();
            let converted = to_generalized_buchi(&positive);
            prop_assert!(same_language(&positive, &converted));
            prop_assert!(converted.state_count() <= positive.state_count());
        }
    }

    #[test]
    fn parts_that_cannot_accept_are_not_copied() {
        // Without mark 0, each state is a part of its own; only the second sees mark 1.
        let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
        let condition = Condition::and([Condition::Fin(0), Condition::Inf(1)]);
        builder.acceptance(Acceptance::new(2, condition));
        let (first, second) = (builder.add_state(), builder.add_state());
        let (a, tt) = (builder.alphabet().prop(0), builder.alphabet().tt());
        builder.initial(first);
        builder.edge(first, a, Marks::EMPTY, first);
        builder.edge(first, tt, Marks::from_iter([0]), second);
        builder.edge(second, a, Marks::from_iter([1]), second);
        builder.edge(second, tt, Marks::from_iter([0]), first);
        let automaton = builder.build();
        let converted = to_generalized_buchi(&automaton);
        assert_eq!(converted.state_count(), 3);
        assert!(same_language(&automaton, &converted));
    }

    #[test]
    fn many_disjuncts_become_copies_rather_than_clauses() {
        // Eight disjuncts of three marks each have 3^8 clauses.
        let disjunct = |i: u32| Condition::and((3 * i..3 * i + 3).map(Condition::Inf));
        let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
        builder.acceptance(Acceptance::new(24, Condition::or((0..8).map(disjunct))));
        let (state, tt) = (builder.add_state(), builder.alphabet().tt());
        builder.initial(state);
        for mark in 0..24 {
            builder.edge(state, tt, Marks::from_iter([mark]), state);
        }
        let automaton = builder.build();
        let converted = to_generalized_buchi(&automaton);
        assert_eq!(converted.acceptance(), &Named::GeneralizedBuchi(3).acceptance());
        assert_eq!(converted.state_count(), 9);
        assert!(same_language(&automaton, &converted));
    }
}
