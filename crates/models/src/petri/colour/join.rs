//! Finding the bindings of a transition: a join of the colours that its input places can have.
//!
//! A plan says in which order the terms of the input arcs are looked at and the variables get their
//! values. Conditions and terms are checked as soon as all their variables have values. A term with
//! new variables is looked at in the way that promises less: either the colours found on its place
//! are matched against it, or its variables take all their values.

use super::Transition;
use super::instances::Marked;
use super::sort::Sorts;
use super::term::{self, Atom, Component, Tuple};

/// A term of an input arc with a positive coefficient: at least one token of each of its colours is
/// needed, unless the arc takes something away.
pub(super) struct Need {
    pub(super) place: u32,
    pub(super) tuple: Tuple,
    /// True if nothing is taken away.
    pub(super) is_certain: bool,
}

/// The terms of the input arcs of a transition.
pub(super) fn needs(transition: &Transition) -> Vec<Need> {
    let mut needs = vec![];
    for arc in &transition.inputs {
        let is_certain = arc.sum.iter().all(|summand| summand.coefficient >= 0);
        for summand in arc.sum.iter().filter(|summand| summand.coefficient > 0) {
            needs.push(Need { place: arc.place, tuple: summand.tuple.clone(), is_certain });
        }
    }
    needs
}

/// How the bindings of a transition are found.
pub(super) struct Plan {
    checks: Vec<Check>,
    steps: Vec<Step>,
}

enum Check {
    /// All colours of that term were found.
    Found(usize),
    Guard(usize),
}

struct Step {
    /// The term that is looked at, if there is one for these variables.
    need: Option<usize>,
    /// The variables that get values here, and how many each has.
    variables: Vec<(u32, u32)>,
    /// How many values they have together.
    values: u64,
    checks: Vec<Check>,
}

/// The place of a search within a step.
#[derive(Clone, Copy)]
struct Cursor {
    next: u64,
    end: u64,
    scans: bool,
}

/// Room for searches.
#[derive(Default)]
pub(super) struct Room {
    pub(super) values: Vec<u32>,
    cursors: Vec<Cursor>,
    truths: Vec<bool>,
}

impl Room {
    /// Makes room for that many variables.
    pub(super) fn reset(&mut self, variables: usize) {
        self.values.clear();
        self.values.resize(variables, 0);
    }
}

impl Plan {
    /// The plan for bindings that make a term have a given colour, or for all bindings.
    pub(super) fn new(
        transition: &Transition,
        sorts: &Sorts,
        needs: &[Need],
        pivot: Option<usize>,
    ) -> Self {
        let count = transition.variables.len();
        let mut bound = vec![false; count];
        let mut open_needs: Vec<usize> = (0..needs.len())
            .filter(|need| needs[*need].is_certain)
            .filter(|need| Some(*need) != pivot || needs[*need].tuple.iter().any(Component::is_set))
            .collect();
        let mut open_guards: Vec<usize> = (0..transition.guards.len()).collect();
        if let Some(pivot) = pivot {
            for variable in term::variables(&needs[pivot].tuple) {
                bound[variable as usize] = true;
            }
        }
        let mut checks = |bound: &[bool], open_needs: &mut Vec<usize>| {
            let is_bound = |variable: u32| bound[variable as usize];
            let mut checks = vec![];
            open_guards.retain(|guard| {
                let mut code = transition.guards[*guard].iter();
                let is_open = !code.all(|instruction| instruction.variables().all(is_bound));
                if !is_open {
                    checks.push(Check::Guard(*guard));
                }
                is_open
            });
            open_needs.retain(|need| {
                let is_open = !term::variables(&needs[*need].tuple).all(is_bound);
                if !is_open {
                    checks.push(Check::Found(*need));
                }
                is_open
            });
            checks
        };
        let first_checks = checks(&bound, &mut open_needs);
        let mut steps = vec![];
        let size = |variable: u32| sorts.size(transition.variables[variable as usize].sort);
        loop {
            let fresh = |need: usize, bound: &[bool]| {
                let mut variables: Vec<u32> = term::variables(&needs[need].tuple).collect();
                variables.retain(|variable| !bound[*variable as usize]);
                variables.sort_unstable();
                variables.dedup();
                variables
            };
            let product = |variables: &[u32]| {
                let sizes = variables.iter().map(|variable| u64::from(size(*variable)));
                sizes.fold(1_u64, u64::saturating_mul)
            };
            let best = open_needs.iter().copied().min_by_key(|need| product(&fresh(*need, &bound)));
            let variables = match best {
                Some(need) => fresh(need, &bound),
                None => match (0..count as u32).find(|variable| !bound[*variable as usize]) {
                    Some(variable) => vec![variable],
                    None => break,
                },
            };
            for variable in &variables {
                bound[*variable as usize] = true;
            }
            let values = product(&variables);
            steps.push(Step {
                need: best,
                variables: variables.iter().map(|variable| (*variable, size(*variable))).collect(),
                values,
                checks: checks(&bound, &mut open_needs),
            });
        }
        Plan { checks: first_checks, steps }
    }

    /// Calls `visit` with every binding that the plan finds among the colours numbered up to
    /// `newest`. With a pivot, the values of its variables have been [matched](unify).
    pub(super) fn run<E>(
        &self,
        transition: &Transition,
        needs: &[Need],
        marked: &mut Marked,
        newest: Option<u32>,
        room: &mut Room,
        mut visit: impl FnMut(&mut Marked, &[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let passes = |checks: &[Check], marked: &Marked, values: &[u32], truths: &mut Vec<bool>| {
            checks.iter().all(|check| match check {
                Check::Guard(guard) => term::holds(&transition.guards[*guard], values, truths),
                Check::Found(need) => {
                    let need = &needs[*need];
                    term::colours(&need.tuple, values, |colour| {
                        let number = marked.number(need.place, colour);
                        number.is_some_and(|number| Some(number) <= newest)
                    })
                }
            })
        };
        if !passes(&self.checks, marked, &room.values, &mut room.truths) {
            return Ok(());
        }
        room.cursors.clear();
        loop {
            sempre_ltl::interrupt::poll();
            // Enter the next step, or visit the binding if there is none.
            match self.steps.get(room.cursors.len()) {
                Some(step) => room.cursors.push(step.enter(needs, marked, newest)),
                None => visit(marked, &room.values)?,
            }
            // Go on with the innermost step that has something left.
            loop {
                let Some(cursor) = room.cursors.last_mut() else { return Ok(()) };
                if cursor.next == cursor.end {
                    room.cursors.pop();
                    continue;
                }
                sempre_ltl::interrupt::poll();
                let at = *cursor;
                cursor.next += 1;
                let step = &self.steps[room.cursors.len() - 1];
                if step.advance(at, needs, marked, &mut room.values)
                    && passes(&step.checks, marked, &room.values, &mut room.truths)
                {
                    break;
                }
            }
        }
    }
}

impl Step {
    fn enter(&self, needs: &[Need], marked: &Marked, newest: Option<u32>) -> Cursor {
        if let Some(need) = self.need {
            let found = marked.of_place(needs[need].place);
            let found = found.partition_point(|(_, number)| Some(*number) <= newest) as u64;
            if found < self.values {
                return Cursor { next: 0, end: found, scans: true };
            }
        }
        Cursor { next: 0, end: self.values, scans: false }
    }

    /// Gives the variables their values at a place of the search; false if there are none.
    fn advance(&self, at: Cursor, needs: &[Need], marked: &Marked, values: &mut [u32]) -> bool {
        if let (true, Some(need)) = (at.scans, self.need) {
            let (colour, _) = marked.of_place(needs[need].place)[at.next as usize];
            let is_fresh =
                |variable: u32| self.variables.iter().any(|(other, _)| *other == variable);
            return unify(&needs[need].tuple, colour, values, is_fresh, true);
        }
        let mut rest = at.next;
        for (variable, size) in &self.variables {
            values[*variable as usize] = (rest % u64::from(*size)) as u32;
            rest /= u64::from(*size);
        }
        true
    }
}

/// Gives variables the values that make a tuple have a colour, or returns false if that cannot be:
/// a variable that is not fresh, or occurs twice, has another value there. Of sets of colours only
/// the first member matches if `first` is true: a set is to match once.
pub(super) fn unify(
    tuple: &[Component],
    colour: u32,
    values: &mut [u32],
    is_fresh: impl Fn(u32) -> bool,
    first: bool,
) -> bool {
    for (position, component) in tuple.iter().enumerate() {
        let digit = component.digit_of(colour);
        let matches = match &component.atom {
            Atom::Constant(constant) => *constant == digit,
            Atom::All => !first || digit == 0,
            Atom::Subset(colours) if first => colours[0] == digit,
            Atom::Subset(colours) => colours.contains(&digit),
            Atom::Variable { index, shift } => {
                let back = if *shift == 0 { 0 } else { component.size - shift };
                let value = term::shifted(digit, back, component.size);
                let is_first = !term::variables(&tuple[..position]).any(|other| other == *index);
                if is_first && is_fresh(*index) {
                    values[*index as usize] = value;
                    true
                } else {
                    values[*index as usize] == value
                }
            }
        };
        if !matches {
            return false;
        }
    }
    true
}
