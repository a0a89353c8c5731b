//! Deterministic Emerson–Lei automata by Boolean decomposition.
//!
//! A formula is split at its conjunctions and disjunctions into operands, each with a deterministic
//! automaton. The product of these combines the operands' conditions like the formula combines the
//! operands (D. Müller and S. Sickert, LTL to deterministic Emerson-Lei automata, GandALF 2017).
//! Decided and irrelevant operands are dropped. Limit formulas (`GF`, `FG`) do not depend on any
//! prefix. So they are tracked only in components of the product of the others where they matter,
//! and restart there.
//!
//! The size is at most the product of the sizes of the operands, and limited. Beyond the limit, limit
//! formulas alone may take [turns].

#[cfg(test)]
use super::Fault;
use super::Workshop;
use super::explore::{Explored, Step, explore};
use super::limit::{Combination, Watch};
use super::master::condition as watch_condition;
use super::turns;
use crate::after::MAX_STEPS;
use sempre_automata::{
    Acceptance, Alphabet, Automaton, Condition, Label, Mark, Marks, SccId, Sccs, StateId,
};
use sempre_ltl::{Formula, Op, Traits, rewrite};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;

/// The depth of the split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cut {
    /// Down to subformulas that are neither conjunctions nor disjunctions.
    Everything,
    /// Obligations are not split.
    Obligations,
    /// Obligations, recurrences and persistences are not split.
    Classes,
}

/// The maximal nesting of a formula to split.
const DEEPEST: u32 = 200;

/// The Boolean structure above operands.
#[derive(Clone, Debug)]
enum Skeleton {
    /// An operand by its number, and false if it is negated.
    Operand(usize, bool),
    /// Limit formulas.
    Limit(Combination),
    And(Vec<Skeleton>),
    Or(Vec<Skeleton>),
}

/// The state of an operand in a state of the product: a number, or one of the constants below.
type Part = u32;
/// It rejects every suffix.
const REJECTS: Part = u32::MAX;
/// It accepts every suffix.
const ACCEPTS: Part = u32::MAX - 1;
/// It is irrelevant.
const GONE: Part = u32::MAX - 2;

type Parts = SmallVec<[Part; 6]>;

struct Operand {
    formula: Formula,
    automaton: Rc<Automaton>,
    first_mark: Mark,
    /// The condition over the marks of the product.
    condition: Condition,
    /// Marks that satisfy the condition, and marks that violate it.
    accepting: Marks,
    rejecting: Marks,
}

/// Translates a formula in normal form that is split at some of its conjunctions and disjunctions;
/// `None` beyond the bounds, and if nothing is split.
pub(crate) fn automaton(workshop: &mut Workshop, formula: &Formula, cut: Cut) -> Option<Automaton> {
    if formula.depth() > DEEPEST {
        return None;
    }
    let mut builder = Builder { workshop, cut, operands: vec![] };
    let skeleton = builder.skeleton(formula, true)?;
    let mut operands = builder.operands;
    if matches!(skeleton, Skeleton::Operand(..)) {
        return None;
    }
    let mut watches = vec![];
    collect(&skeleton, &mut watches);
    watches.sort();
    watches.dedup();
    let marks = number_marks(&mut operands);
    let first_watch = marks;
    let acceptance = Acceptance::new(
        marks + watches.len() as Mark,
        condition(&skeleton, &operands, &|watch| {
            first_watch + watches.iter().position(|w| *w == watch).unwrap_or(0) as Mark
        }),
    );
    let product = Product { workshop, skeleton: &skeleton, operands: &operands };
    let Explored { automaton: rest, .. } = product.explore(acceptance)?;
    if watches.is_empty() {
        return Some(rest);
    }
    let product = TrackedProduct::new(workshop, &rest, &watches, first_watch);
    product.explore().or_else(|| match &skeleton {
        Skeleton::Limit(Combination::And(limits)) => turns::automaton(workshop, limits),
        _ => None,
    })
}

struct Builder<'a> {
    workshop: &'a mut Workshop,
    cut: Cut,
    operands: Vec<Operand>,
}

impl Builder<'_> {
    fn skeleton(&mut self, formula: &Formula, root: bool) -> Option<Skeleton> {
        if let Some(combination) = self.workshop.combination(formula) {
            return Some(Skeleton::Limit(combination));
        }
        let whole = match self.cut {
            Cut::Everything => false,
            Cut::Obligations => formula.is(Traits::OBLIGATION),
            Cut::Classes => [Traits::OBLIGATION, Traits::RECURRENCE, Traits::PERSISTENCE]
                .into_iter()
                .any(|class| formula.is(class)),
        };
        let operands = formula.children();
        let and = formula.op() == Op::And;
        if (whole && !root) || !matches!(formula.op(), Op::And | Op::Or) {
            return self.operand(formula);
        }
        let (together, apart): (Vec<Formula>, Vec<Formula>) = operands
            .iter()
            .cloned()
            .partition(|f| self.cut != Cut::Everything && f.is(Traits::OBLIGATION));
        let mut parts = vec![];
        if !together.is_empty() {
            parts.push(self.operand(&Formula::new(formula.op(), together))?);
        }
        for operand in apart {
            parts.push(self.skeleton(&operand, false)?);
        }
        Some(match parts.len() {
            1 => parts.remove(0),
            _ if and => Skeleton::And(parts),
            _ => Skeleton::Or(parts),
        })
    }

    fn operand(&mut self, formula: &Formula) -> Option<Skeleton> {
        let known = |operands: &[Operand], formula: &Formula| {
            operands.iter().position(|operand| operand.formula == *formula)
        };
        if let Some(known) = known(&self.operands, formula) {
            return Some(Skeleton::Operand(known, true));
        }
        let negation = rewrite::nnf(&Formula::not(formula));
        if let Some(known) = known(&self.operands, &negation) {
            return Some(Skeleton::Operand(known, false));
        }
        let automaton = self.workshop.direct(formula)?;
        self.operands.push(Operand {
            formula: formula.clone(),
            automaton,
            first_mark: 0,
            condition: Condition::True,
            accepting: Marks::EMPTY,
            rejecting: Marks::EMPTY,
        });
        Some(Skeleton::Operand(self.operands.len() - 1, true))
    }
}

fn collect(skeleton: &Skeleton, watches: &mut Vec<Watch>) {
    match skeleton {
        Skeleton::Operand(..) => {}
        Skeleton::Limit(combination) => combination.collect(watches),
        Skeleton::And(parts) | Skeleton::Or(parts) => {
            parts.iter().for_each(|part| collect(part, watches));
        }
    }
}

/// Assigns disjoint marks to the operands, and returns their number.
fn number_marks(operands: &mut [Operand]) -> Mark {
    let mut next = 0;
    for operand in operands {
        let acceptance = operand.automaton.acceptance();
        operand.first_mark = next;
        operand.condition = acceptance.condition().map_marks(&|mark| mark + next);
        next += acceptance.marks();
        let satisfying = operand.condition.satisfying_marks();
        match operand.condition.dual().satisfying_marks() {
            Some(rejecting) => operand.rejecting = rejecting,
            // All runs are accepting, so a separate mark shows that one has ended.
            None => {
                operand.condition = Condition::Fin(next);
                operand.rejecting = Marks::from_iter([next]);
                next += 1;
                continue;
            }
        }
        operand.accepting = satisfying.unwrap_or(Marks::EMPTY);
    }
    next
}

/// Returns the condition of the product.
fn condition(
    skeleton: &Skeleton,
    operands: &[Operand],
    mark: &impl Fn(Watch) -> Mark,
) -> Condition {
    match skeleton {
        Skeleton::Operand(number, true) => operands[*number].condition.clone(),
        Skeleton::Operand(number, false) => operands[*number].condition.dual(),
        Skeleton::Limit(combination) => watch_condition(combination, mark),
        Skeleton::And(parts) => {
            Condition::and(parts.iter().map(|part| condition(part, operands, mark)))
        }
        Skeleton::Or(parts) => {
            Condition::or(parts.iter().map(|part| condition(part, operands, mark)))
        }
    }
}

/// The product of all operands that are not limit formulas.
struct Product<'a> {
    workshop: &'a Workshop,
    skeleton: &'a Skeleton,
    operands: &'a [Operand],
}

impl Product<'_> {
    fn explore(&self, acceptance: Acceptance) -> Option<Explored<Parts>> {
        let mut start: Parts = self.operands.iter().map(|operand| operand.start()).collect();
        self.settle(&mut start);
        let alphabet = self.workshop.alphabet.clone();
        explore(&alphabet, acceptance, start, self.workshop.bounds, |parts, found| {
            self.steps(&alphabet, parts, found)
        })
    }

    fn steps(
        &self,
        alphabet: &Arc<Alphabet>,
        parts: &Parts,
        found: &mut Vec<Step<Parts>>,
    ) -> Option<()> {
        let mut open: Vec<(Label, Marks, Parts)> =
            vec![(alphabet.tt(), Marks::EMPTY, Parts::new())];
        for (operand, part) in self.operands.iter().zip(parts) {
            open = operand.step(alphabet, *part, open);
            if open.len() > MAX_STEPS {
                return None;
            }
        }
        for (label, marks, mut parts) in open {
            if self.settle(&mut parts) != Some(false) {
                found.push((label, marks, parts));
            }
        }
        Some(())
    }

    /// Drops irrelevant operands; returns the value of the whole formula if it is decided.
    fn settle(&self, parts: &mut Parts) -> Option<bool> {
        let value = value(self.skeleton, parts);
        let mut needed: SmallVec<[bool; 6]> = parts.iter().map(|_| false).collect();
        if value.is_none() {
            need(self.skeleton, parts, &mut needed);
        }
        for (part, needed) in parts.iter_mut().zip(needed) {
            if !needed {
                // Constants stay, because their marks show the decision.
                let constant = *part == REJECTS || *part == ACCEPTS;
                *part = if constant { *part } else { GONE };
            }
        }
        if value == Some(true) {
            // All states that accept every word become one, if marks are found that satisfy the
            // whole condition. Otherwise the deciding constants keep theirs.
            let accepting = satisfying(self.skeleton, true);
            for (number, part) in parts.iter_mut().enumerate().filter(|_| !accepting.is_empty()) {
                *part = match accepting.iter().find(|(operand, _)| *operand == number) {
                    Some((_, true)) => ACCEPTS,
                    Some((_, false)) => REJECTS,
                    None => GONE,
                };
            }
        }
        value
    }
}

/// Returns values of operands that make the skeleton true, or false: the first found without limit
/// formulas; none if there are none.
fn satisfying(skeleton: &Skeleton, wanted: bool) -> Vec<(usize, bool)> {
    match skeleton {
        Skeleton::Operand(number, positive) => vec![(*number, *positive == wanted)],
        Skeleton::Limit(_) => vec![],
        Skeleton::And(parts) | Skeleton::Or(parts) => {
            let all = matches!(skeleton, Skeleton::And(_)) == wanted;
            let mut values = parts.iter().map(|part| satisfying(part, wanted));
            if all {
                let values: Vec<Vec<(usize, bool)>> = values.collect();
                if values.iter().any(Vec::is_empty) {
                    return vec![];
                }
                let mut joint: Vec<(usize, bool)> = values.concat();
                joint.sort_unstable();
                joint.dedup();
                let contradicts = joint.windows(2).any(|pair| pair[0].0 == pair[1].0);
                if contradicts { vec![] } else { joint }
            } else {
                values.find(|values| !values.is_empty()).unwrap_or_default()
            }
        }
    }
}

/// Returns the value of the skeleton, if the operands decide it.
fn value(skeleton: &Skeleton, parts: &Parts) -> Option<bool> {
    match skeleton {
        Skeleton::Operand(number, positive) => match parts[*number] {
            ACCEPTS => Some(*positive),
            REJECTS => Some(!positive),
            _ => None,
        },
        Skeleton::Limit(Combination::Constant(value)) => Some(*value),
        Skeleton::Limit(_) => None,
        Skeleton::And(operands) | Skeleton::Or(operands) => {
            let neutral = matches!(skeleton, Skeleton::And(_));
            let mut all = Some(neutral);
            for operand in operands {
                match value(operand, parts) {
                    Some(value) if value != neutral => return Some(value),
                    Some(_) => {}
                    None => all = None,
                }
            }
            all
        }
    }
}

/// Marks the operands that the value of the skeleton depends on.
fn need(skeleton: &Skeleton, parts: &Parts, needed: &mut [bool]) {
    if value(skeleton, parts).is_some() {
        return;
    }
    match skeleton {
        Skeleton::Operand(number, _) => needed[*number] = true,
        Skeleton::Limit(_) => {}
        Skeleton::And(operands) | Skeleton::Or(operands) => {
            operands.iter().for_each(|operand| need(operand, parts, needed));
        }
    }
}

impl Operand {
    fn start(&self) -> Part {
        match self.automaton.initial() {
            [start] if !self.automaton.edges_from(*start).is_empty() => self.part(*start),
            _ => REJECTS,
        }
    }

    /// Converts a state to a part: a constant if it accepts every word.
    fn part(&self, state: StateId) -> Part {
        match self.automaton.edges_from(state) {
            [edge]
                if edge.target == state
                    && edge.label == self.automaton.alphabet().tt()
                    && self.automaton.acceptance().accepts(&edge.marks) =>
            {
                ACCEPTS
            }
            _ => state.index() as Part,
        }
    }

    /// Combines the steps of this operand with steps of others.
    fn step(
        &self,
        alphabet: &Alphabet,
        part: Part,
        mut open: Vec<(Label, Marks, Parts)>,
    ) -> Vec<(Label, Marks, Parts)> {
        let constant = match part {
            GONE => Some(&Marks::EMPTY),
            ACCEPTS => Some(&self.accepting),
            REJECTS => Some(&self.rejecting),
            _ => None,
        };
        if let Some(constant) = constant {
            for (_, marks, parts) in &mut open {
                *marks |= constant;
                parts.push(part);
            }
            return open;
        }
        let edges = self.automaton.edges_from(StateId::new(part as usize));
        let read = alphabet.any_of(edges.iter().map(|edge| edge.label));
        let mut next = vec![];
        for (label, marks, parts) in open {
            let mut add = |letters: Label, own: &Marks, part: Part| {
                let both = alphabet.and(label, letters);
                if both != alphabet.ff() {
                    let mut parts = parts.clone();
                    parts.push(part);
                    next.push((both, &marks | own, parts));
                }
            };
            for edge in edges {
                add(edge.label, &edge.marks.shifted(self.first_mark), self.part(edge.target));
            }
            add(alphabet.not(read), &self.rejecting, REJECTS);
        }
        next
    }
}

/// The product with the watches of limit formulas.
struct TrackedProduct<'a> {
    workshop: &'a Workshop,
    rest: &'a Automaton,
    sccs: Sccs,
    first_mark: Mark,
    /// By component, the relevant watches with their numbers.
    awake: Vec<Vec<(Mark, Watch)>>,
}

impl<'a> TrackedProduct<'a> {
    fn new(
        workshop: &'a Workshop,
        rest: &'a Automaton,
        watches: &[Watch],
        first_mark: Mark,
    ) -> Self {
        let sccs = Sccs::of(rest);
        let condition = rest.acceptance().condition();
        let awake = sccs.iter().map(|scc| {
            if sccs.is_trivial(scc) {
                return vec![];
            }
            let mentioned = inside(condition, rest, &sccs, scc, first_mark).marks();
            #[cfg(test)]
            let mentioned = match workshop.fault {
                Some(Fault::OccurringMarks) => {
                    seen_inside(condition, &sccs, scc, first_mark).marks()
                }
                _ => mentioned,
            };
            let numbered = (first_mark..).zip(watches.iter().copied());
            numbered.filter(|(mark, _)| mentioned.contains(*mark)).collect()
        });
        let awake = awake.collect();
        TrackedProduct { workshop, rest, sccs, first_mark, awake }
    }

    fn awake(&self, state: StateId) -> &[(Mark, Watch)] {
        self.sccs.component(state).map_or(&[], |scc| &self.awake[scc.index()])
    }

    fn entered(&self, state: StateId) -> (StateId, SmallVec<[u32; 4]>) {
        let start = |watch: Watch| self.workshop.watch(watch).initial()[0].index() as u32;
        (state, self.awake(state).iter().map(|(_, watch)| start(*watch)).collect())
    }

    fn explore(&self) -> Option<Automaton> {
        let alphabet = self.rest.alphabet();
        let start = self.entered(StateId::new(0));
        let acceptance = self.rest.acceptance().clone();
        debug_assert!(self.first_mark <= acceptance.marks());
        let bounds = self.workshop.bounds;
        let explored = explore(alphabet, acceptance, start, bounds, |(state, watching), found| {
            for edge in self.rest.edges_from(*state) {
                if !self.sccs.is_inside(*state, edge.target) {
                    found.push((edge.label, Marks::EMPTY, self.entered(edge.target)));
                    continue;
                }
                let mut open = vec![(edge.label, edge.marks.clone(), SmallVec::new())];
                for ((mark, watch), at) in self.awake(*state).iter().zip(watching) {
                    let edges = self.workshop.watch(*watch).edges_from(StateId::new(*at as usize));
                    let mut next = vec![];
                    for (label, marks, parts) in &open {
                        for edge in edges {
                            let both = alphabet.and(*label, edge.label);
                            if both == alphabet.ff() {
                                continue;
                            }
                            let mut parts: SmallVec<[u32; 4]> = SmallVec::clone(parts);
                            parts.push(edge.target.index() as u32);
                            let mut marks: Marks = marks.clone();
                            if !edge.marks.is_empty() {
                                marks.insert(*mark);
                            }
                            next.push((both, marks, parts));
                        }
                    }
                    open = next;
                    if open.len() > MAX_STEPS {
                        return None;
                    }
                }
                found.extend(
                    open.into_iter()
                        .map(|(label, marks, parts)| (label, marks, (edge.target, parts))),
                );
            }
            Some(())
        })?;
        Some(explored.automaton)
    }
}

/// Simplifies the condition for runs that stay in a component, by the marks below `first_watch`.
fn inside(
    condition: &Condition,
    automaton: &Automaton,
    sccs: &Sccs,
    scc: SccId,
    first_watch: Mark,
) -> Condition {
    let edges = || {
        sccs.states(scc).iter().flat_map(|state| {
            let inner = |edge: &&sempre_automata::Edge| sccs.is_inside(*state, edge.target);
            automaton.edges_from(*state).iter().filter(inner)
        })
    };
    let seen = sccs.marks(scc);
    let everywhere = edges().fold(seen.clone(), |all, edge| &all & &edge.marks);
    let constant = |value| if value { Condition::True } else { Condition::False };
    condition.replace(&|term| match term {
        Condition::Inf(m) | Condition::Fin(m) if *m < first_watch => {
            let inf = matches!(term, Condition::Inf(_));
            match (seen.contains(*m), everywhere.contains(*m)) {
                (false, _) => constant(!inf),
                (_, true) => constant(inf),
                _ => term.clone(),
            }
        }
        other => other.clone(),
    })
}

/// As [`inside`], but marks that occur count as seen by every cycle: wrong.
#[cfg(test)]
fn seen_inside(condition: &Condition, sccs: &Sccs, scc: SccId, first_watch: Mark) -> Condition {
    let constant = |value| if value { Condition::True } else { Condition::False };
    condition.replace(&|term| match term {
        Condition::Inf(m) if *m < first_watch => constant(sccs.marks(scc).contains(*m)),
        Condition::Fin(m) if *m < first_watch => constant(!sccs.marks(scc).contains(*m)),
        other => other.clone(),
    })
}
