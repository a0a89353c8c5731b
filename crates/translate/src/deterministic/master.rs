//! Deterministic automata of all formulas by the Master Theorem, in its symmetric form.
//!
//! A word satisfies φ exactly if there are a set X of least fixpoints and a set Y of greatest ones
//! with three properties. (1) Some after-formula ξ of φ, turned into a safety formula by X, holds
//! for the suffix. (2) Each fixpoint of X, turned into a guarantee by Y, holds infinitely often.
//! (3) Each one of Y, turned into a safety formula by X, holds from some position on. See J.
//! Esparza, J. Křetínský and S. Sickert, A unified translation of linear temporal logic to
//! ω-automata (JACM 2020). (2) and (3) are limit formulas with separate automata. For (1) a copy of
//! the safety formula is followed until it fails, and restarted from the current ξ.
//!
//! States are after-formulas up to unfolding, which changes them between steps. This is sound,
//! because only their language matters and the sets range over all their fixpoints. Guesses are
//! local to a component of the graph of after-formulas: only fixpoints on which its formulas depend
//! are guessed, and copies and watches exist only inside. Unsatisfiable and dominated guesses are
//! dropped; equal copies and watches are shared.
//!
//! The cost is doubly exponential, and limited: by states, and by fixpoints in a component.

#[cfg(test)]
use super::Fault;
use super::Workshop;
use super::explore::{Explored, explore};
use super::limit::{Combination, Watch};
use super::weak;
use crate::after::fixpoints::{self, Fixpoints};
use crate::after::{Class, MAX_STEPS, Rest, Space, limits};
use rustc_hash::FxHashMap;
use sempre_automata::{Acceptance, Automaton, Condition, Label, Mark, Marks, SccId, Sccs, StateId};
use sempre_ltl::{Formula, Op, interrupt};
use smallvec::SmallVec;

/// The maximal number of fixpoints of a component.
const MAX_FIXPOINTS: usize = 12;

/// The condition for one or several guesses in a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    /// The copy that must fail only finitely often.
    copy: Option<usize>,
    /// The condition on the watches: a conjunction.
    limits: Vec<Combination>,
}

impl Pair {
    /// True if every run that satisfies `other` satisfies this pair.
    fn asks_for_less(&self, other: &Pair) -> bool {
        (self.copy.is_none() || self.copy == other.copy)
            && self.limits.iter().all(|limit| other.limits.contains(limit))
    }
}

/// The copies and watches of a component.
struct Local {
    /// By copy, the safety formula of each state of the component, by number of the state.
    copies: Vec<FxHashMap<u32, Class>>,
    watches: Vec<Watch>,
    /// The first mark of the copies; those of the watches follow.
    first_mark: Mark,
    condition: Condition,
    /// Marks that make the condition false, for other components.
    rejecting: Marks,
}

/// A state: an after-formula, then the copies and the watches of its component.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    xi: u32,
    copies: SmallVec<[Class; 4]>,
    watches: SmallVec<[u32; 4]>,
}

/// Translates a formula in normal form, within the bounds of the workshop.
pub(crate) fn automaton(workshop: &mut Workshop, formula: &Formula) -> Option<Automaton> {
    let mut space = Space::new(workshop.alphabet.clone(), workshop.bounds.nodes);
    let Explored { automaton: graph, states: classes } =
        weak::classes(&mut space, formula, workshop.bounds)?;
    let rests = rests(&mut space, formula, &classes);
    let sccs = Sccs::of(&graph);
    let mut locals = vec![];
    for scc in sccs.iter() {
        let local = match sccs.is_trivial(scc) {
            true => None,
            false => Some(local(workshop, &mut space, &classes, &rests, sccs.states(scc))?),
        };
        locals.push(local);
    }
    let acceptance = joint_acceptance(&mut locals);
    let construction = Construction { workshop, graph: &graph, sccs: &sccs, locals: &locals };
    let start = construction.entered(StateId::new(0));
    let alphabet = graph.alphabet();
    let explored = explore(alphabet, acceptance, start, workshop.bounds, |state, found| {
        construction.steps(&mut space, state, found)?;
        (!space.is_exhausted()).then_some(())
    })?;
    Some(explored.automaton)
}

/// A rest for each class: that by which it is first reached.
fn rests(space: &mut Space, formula: &Formula, classes: &[Class]) -> Vec<Rest> {
    let mut known: FxHashMap<Class, Rest> = FxHashMap::default();
    known.insert(classes[0], space.rest(formula));
    for class in classes {
        interrupt::poll();
        for (_, rest) in space.steps(*class).iter() {
            let after = space.after(*rest);
            known.entry(after).or_insert(*rest);
        }
    }
    classes.iter().map(|class| known[class]).collect()
}

/// Determines the copies and watches of a component.
fn local(
    workshop: &mut Workshop,
    space: &mut Space,
    classes: &[Class],
    rests: &[Rest],
    states: &[StateId],
) -> Option<Local> {
    let (mut least, mut greatest): (Vec<Formula>, Vec<Formula>) = (vec![], vec![]);
    for state in states {
        let mut atoms = space.atoms(classes[state.index()]);
        atoms.extend(space.atoms_of_rest(rests[state.index()]));
        for atom in atoms {
            let (l, g) = fixpoints::of(&atom);
            least.extend(l);
            greatest.extend(g);
        }
    }
    for fixpoints in [&mut least, &mut greatest] {
        fixpoints.sort();
        fixpoints.dedup();
    }
    if least.len() + greatest.len() > MAX_FIXPOINTS {
        return None;
    }
    let mut conditions = Conditions::default();
    let mut copies: Vec<Vec<Class>> = vec![];
    let mut pairs: Vec<Pair> = vec![];
    for often in subsets(&least) {
        interrupt::poll();
        // (1) may be asked of any formula with the language of ξ: of the rest by which it was reached
        // as well as of the unfolded one, which is weaker, as `Ga | FGa` is for `FGa`.
        let mut with = |atom: &Formula| fixpoints::as_safety(atom, &often);
        let of_rests: Vec<Class> =
            states.iter().map(|state| space.replaced(rests[state.index()], &mut with)).collect();
        let unfolded =
            space.replaced_next_in(states.iter().map(|state| classes[state.index()]), &mut with);
        if space.is_exhausted() {
            return None;
        }
        let all = |vector: &[Class], value: Class| vector.iter().all(|class| *class == value);
        if all(&of_rests, Class::FALSE) || all(&unfolded, Class::FALSE) {
            continue;
        }
        let copy = if all(&of_rests, Class::TRUE) || all(&unfolded, Class::TRUE) {
            None
        } else {
            let vector = unfolded;
            let known = copies.iter().position(|known| *known == vector);
            Some(known.unwrap_or_else(|| {
                copies.push(vector);
                copies.len() - 1
            }))
        };
        for always in subsets(&greatest) {
            interrupt::poll();
            let parts = least
                .iter()
                .filter(|f| often.contains(*f))
                .map(|f| (f, &always))
                .chain(greatest.iter().filter(|f| always.contains(*f)).map(|f| (f, &often)));
            let mut limits = vec![];
            for (fixpoint, given) in parts {
                limits.push(conditions.of(workshop, fixpoint, given)?);
            }
            let pair = match Combination::junction(true, limits) {
                Combination::Constant(false) => continue,
                Combination::Constant(true) => Pair { copy, limits: vec![] },
                Combination::And(limits) => Pair { copy, limits },
                single => Pair { copy, limits: vec![single] },
            };
            if pairs.iter().any(|known| known.asks_for_less(&pair)) {
                continue;
            }
            pairs.retain(|known| !pair.asks_for_less(known));
            pairs.push(pair);
        }
    }
    pairs.sort();
    let used: Vec<usize> = (0..copies.len())
        .filter(|copy| pairs.iter().any(|pair| pair.copy == Some(*copy)))
        .collect();
    let mut watches = vec![];
    pairs.iter().flat_map(|pair| &pair.limits).for_each(|limit| limit.collect(&mut watches));
    watches.sort();
    watches.dedup();
    let mark_of_copy = |copy: usize| used.iter().position(|u| *u == copy).unwrap_or(0) as Mark;
    let mark_of_watch =
        |watch: Watch| (used.len() + watches.iter().position(|w| *w == watch).unwrap_or(0)) as Mark;
    let condition = Condition::or(pairs.iter().map(|pair| {
        let copy = pair.copy.map(|copy| Condition::Fin(mark_of_copy(copy)));
        let limits = pair.limits.iter().map(|limit| condition(limit, &mark_of_watch));
        Condition::and(copy.into_iter().chain(limits))
    }));
    let numbers = || states.iter().map(|state| state.index() as u32);
    let copies = used.iter().map(|&copy| numbers().zip(copies[copy].iter().copied()).collect());
    let copies = copies.collect();
    Some(Local { copies, watches, first_mark: 0, condition, rejecting: Marks::EMPTY })
}

/// Returns all subsets; smaller ones come before their supersets.
fn subsets(formulas: &[Formula]) -> impl Iterator<Item = Fixpoints> + '_ {
    (0u32..1 << formulas.len()).map(|bits| {
        let chosen = formulas.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
        chosen.map(|(_, formula)| formula.clone()).collect()
    })
}

/// The conditions (2) and (3) of fixpoints, given the guesses for the fixpoints inside.
#[derive(Default)]
struct Conditions {
    inside: FxHashMap<Formula, Vec<Formula>>,
    known: FxHashMap<(Formula, Vec<Formula>), Option<Combination>>,
}

impl Conditions {
    fn of(
        &mut self,
        workshop: &mut Workshop,
        fixpoint: &Formula,
        given: &Fixpoints,
    ) -> Option<Combination> {
        let is_least = fixpoints::is_least(fixpoint.op());
        let inside = self.inside.entry(fixpoint.clone()).or_insert_with(|| {
            let (least, greatest) = fixpoints::of(fixpoint);
            if is_least { greatest } else { least }
        });
        let relevant: Vec<Formula> =
            inside.iter().filter(|f| given.contains(*f)).cloned().collect();
        let key = (fixpoint.clone(), relevant);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let limit = limit_formula(fixpoint, given);
        let separated = limits::separated(&limit, &mut workshop.simplifier);
        let combination = workshop.combination(&separated).or_else(|| workshop.combination(&limit));
        self.known.insert(key, combination.clone());
        combination
    }
}

/// Returns `GF ψ` with ψ as a guarantee, or `FG ψ` with ψ as a safety formula.
fn limit_formula(fixpoint: &Formula, given: &Fixpoints) -> Formula {
    let body = match (fixpoint.op(), fixpoint.children()) {
        (Op::Finally | Op::Globally, [f]) => f.clone(),
        (Op::Until | Op::Release, [_, g]) => g.clone(),
        (Op::StrongRelease, [f, g]) => Formula::and([f.clone(), g.clone()]),
        (Op::WeakUntil, [f, g]) => Formula::or([f.clone(), g.clone()]),
        _ => unreachable!("{fixpoint} is not a fixpoint"),
    };
    if fixpoints::is_least(fixpoint.op()) {
        let body = fixpoints::as_guarantee(&body, given);
        if body.is_true() || body.is_false() {
            return body;
        }
        Formula::globally(Formula::finally(body))
    } else {
        let body = fixpoints::as_safety(&body, given);
        if body.is_true() || body.is_false() {
            return body;
        }
        Formula::finally(Formula::globally(body))
    }
}

/// Converts the combination to a condition on marks.
pub(super) fn condition(combination: &Combination, mark: &impl Fn(Watch) -> Mark) -> Condition {
    match combination {
        Combination::Constant(true) => Condition::True,
        Combination::Constant(false) => Condition::False,
        Combination::Watch(watch, true) => Condition::Inf(mark(*watch)),
        Combination::Watch(watch, false) => Condition::Fin(mark(*watch)),
        Combination::And(operands) => {
            Condition::and(operands.iter().map(|operand| condition(operand, mark)))
        }
        Combination::Or(operands) => {
            Condition::or(operands.iter().map(|operand| condition(operand, mark)))
        }
    }
}

/// Assigns disjoint marks to the components, and returns the disjunction of their conditions. Also
/// determines the marks that make each condition false in other components.
fn joint_acceptance(locals: &mut [Option<Local>]) -> Acceptance {
    // Mark 0 is for components in which every run is accepting.
    let mut next = 1;
    let mut conditions = vec![];
    for local in locals.iter_mut().flatten() {
        if local.condition == Condition::False {
            continue;
        }
        let own = local.condition.map_marks(&|mark| mark + next);
        let Some(rejecting) = own.dual().satisfying_marks() else {
            // Every run is accepting, as with `GFa | FG!a`, so no copies or watches are needed.
            local.condition = Condition::True;
            local.copies.clear();
            local.watches.clear();
            conditions.push(Condition::Inf(0));
            continue;
        };
        local.first_mark = next;
        local.rejecting = rejecting;
        next += (local.copies.len() + local.watches.len()) as Mark;
        conditions.push(own);
    }
    Acceptance::new(next, Condition::or(conditions))
}

struct Construction<'a> {
    workshop: &'a Workshop,
    graph: &'a Automaton,
    sccs: &'a Sccs,
    locals: &'a [Option<Local>],
}

impl Construction<'_> {
    fn local(&self, scc: Option<SccId>) -> Option<&Local> {
        self.locals[scc?.index()].as_ref()
    }

    /// Returns the state in which runs enter an after-formula: with copies and watches at their
    /// start.
    fn entered(&self, xi: StateId) -> State {
        let number = xi.index() as u32;
        let local = self.local(self.sccs.component(xi));
        let copies = local.iter().flat_map(|local| &local.copies);
        let watches = local.iter().flat_map(|local| &local.watches);
        State {
            xi: number,
            copies: copies.map(|copy| copy[&number]).collect(),
            watches: watches.map(|watch| self.start_of(*watch)).collect(),
        }
    }

    fn start_of(&self, watch: Watch) -> u32 {
        self.workshop.watch(watch).initial()[0].index() as u32
    }

    /// Adds the steps of a state; `None` if there are too many.
    fn steps(
        &self,
        space: &mut Space,
        state: &State,
        found: &mut Vec<(Label, Marks, State)>,
    ) -> Option<()> {
        let source = StateId::new(state.xi as usize);
        let scc = self.sccs.component(source);
        for edge in self.graph.edges_from(source) {
            match self.local(scc).filter(|_| self.sccs.is_inside(source, edge.target)) {
                None => found.push((edge.label, Marks::EMPTY, self.entered(edge.target))),
                Some(local) => self.inside(space, state, local, edge.label, edge.target, found)?,
            }
        }
        Some(())
    }

    /// Returns the marks that all edges inside a component have.
    fn constant_marks(&self, local: &Local) -> Marks {
        let others = self.locals.iter().flatten().filter(|other| !std::ptr::eq(*other, local));
        let mut marks = Marks::EMPTY;
        others.for_each(|other| marks |= &other.rejecting);
        if local.condition == Condition::True {
            marks.insert(0);
        }
        marks
    }

    fn inside(
        &self,
        space: &mut Space,
        state: &State,
        local: &Local,
        label: Label,
        target: StateId,
        found: &mut Vec<(Label, Marks, State)>,
    ) -> Option<()> {
        let alphabet = self.graph.alphabet();
        let xi = target.index() as u32;
        let empty = State { xi, copies: SmallVec::new(), watches: SmallVec::new() };
        let mut open = vec![(label, self.constant_marks(local), empty)];
        let mut next = vec![];
        let mut mark = local.first_mark;
        for (copy, class) in local.copies.iter().zip(&state.copies) {
            let steps = space.steps(*class);
            for (label, marks, partial) in open.drain(..) {
                for (other, rest) in steps.iter() {
                    let both = alphabet.and(label, *other);
                    if both == alphabet.ff() {
                        continue;
                    }
                    let (mut marks, mut partial) = (marks.clone(), partial.clone());
                    let mut after = space.after(*rest);
                    if after == Class::FALSE {
                        // The copy restarts with the current formula at the next letter.
                        marks.insert(mark);
                        after = copy[&xi];
                        #[cfg(test)]
                        match self.workshop.fault {
                            Some(Fault::EarlyRestart) => after = copy[&state.xi],
                            Some(Fault::SilentRestart) => {
                                marks = &marks - &Marks::from_iter([mark])
                            }
                            _ => {}
                        }
                    }
                    partial.copies.push(after);
                    next.push((both, marks, partial));
                }
            }
            std::mem::swap(&mut open, &mut next);
            mark += 1;
            if open.len() > MAX_STEPS {
                return None;
            }
        }
        for (watch, watching) in local.watches.iter().zip(&state.watches) {
            let automaton = self.workshop.watch(*watch);
            for (label, marks, partial) in open.drain(..) {
                for edge in automaton.edges_from(StateId::new(*watching as usize)) {
                    let both = alphabet.and(label, edge.label);
                    if both == alphabet.ff() {
                        continue;
                    }
                    let (mut marks, mut partial) = (marks.clone(), partial.clone());
                    if !edge.marks.is_empty() {
                        marks.insert(mark);
                    }
                    partial.watches.push(edge.target.index() as u32);
                    next.push((both, marks, partial));
                }
            }
            std::mem::swap(&mut open, &mut next);
            mark += 1;
            if open.len() > MAX_STEPS {
                return None;
            }
        }
        found.append(&mut open);
        Some(())
    }
}
