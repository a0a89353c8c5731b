//! The operations of both representations, and derived operations.

use super::{Cube, Label};
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt;
use std::collections::BTreeSet;

/// A Boolean algebra of canonical functions over numbered variables.
pub(super) trait Algebra {
    fn constant(&self, value: bool) -> Label;
    fn variable(&mut self, index: usize) -> Label;
    fn and(&mut self, left: Label, right: Label) -> Label;
    fn or(&mut self, left: Label, right: Label) -> Label;
    fn not(&mut self, label: Label) -> Label;
    /// Returns the conjunction of literals, which may repeat and contradict each other.
    fn cube(&mut self, literals: &[(usize, bool)]) -> Label;
    /// Returns the smallest variable that the function depends on.
    fn top(&self, label: Label) -> Option<usize>;
    /// Returns the cofactors for the variable false and true; the function must not depend on a
    /// smaller variable.
    fn cofactors(&self, label: Label, variable: usize) -> (Label, Label);
}

pub(super) fn evaluate<A: Algebra>(
    algebra: &A,
    mut label: Label,
    value: impl Fn(usize) -> bool,
) -> bool {
    while let Some(variable) = algebra.top(label) {
        let (low, high) = algebra.cofactors(label, variable);
        label = if value(variable) { high } else { low };
    }
    label == algebra.constant(true)
}

/// Counts the satisfying valuations of `variables` variables.
pub(super) fn count<A: Algebra>(algebra: &A, label: Label, variables: usize) -> u128 {
    /// Counts valuations of the variables from `from` on; each skipped variable counts twice.
    fn below<A: Algebra>(
        algebra: &A,
        label: Label,
        variables: usize,
        known: &mut FxHashMap<Label, u128>,
    ) -> u128 {
        let Some(top) = algebra.top(label) else {
            return u128::from(label == algebra.constant(true));
        };
        if let Some(count) = known.get(&label) {
            return *count;
        }
        let (low, high) = algebra.cofactors(label, top);
        let mut branch = |label| {
            let next = algebra.top(label).unwrap_or(variables);
            times_two_to(below(algebra, label, variables, known), next - top - 1)
        };
        let sum = branch(low).saturating_add(branch(high));
        known.insert(label, sum);
        sum
    }
    let top = algebra.top(label).unwrap_or(variables);
    times_two_to(below(algebra, label, variables, &mut FxHashMap::default()), top)
}

fn times_two_to(count: u128, exponent: usize) -> u128 {
    match count {
        0 => 0,
        _ if exponent >= 128 || count.leading_zeros() < exponent as u32 => u128::MAX,
        _ => count << exponent,
    }
}

pub(super) fn support<A: Algebra>(algebra: &A, label: Label) -> Vec<usize> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut variables = BTreeSet::new();
    let mut stack = vec![label];
    while let Some(label) = stack.pop() {
        interrupt::poll();
        if let (true, Some(top)) = (seen.insert(label), algebra.top(label)) {
            variables.insert(top);
            let (low, high) = algebra.cofactors(label, top);
            stack.extend([low, high]);
        }
    }
    variables.into_iter().collect()
}

/// Returns the true variables of a satisfying valuation; prefers false at each variable.
pub(super) fn some_valuation<A: Algebra>(algebra: &A, mut label: Label) -> Option<Vec<usize>> {
    let ff = algebra.constant(false);
    if label == ff {
        return None;
    }
    let mut variables = vec![];
    while let Some(top) = algebra.top(label) {
        let (low, high) = algebra.cofactors(label, top);
        if low == ff {
            variables.push(top);
            label = high;
        } else {
            label = low;
        }
    }
    Some(variables)
}

pub(super) fn exists<A: Algebra>(algebra: &mut A, label: Label, variable: usize) -> Label {
    fn below<A: Algebra>(
        algebra: &mut A,
        label: Label,
        variable: usize,
        known: &mut FxHashMap<Label, Label>,
    ) -> Label {
        interrupt::poll();
        let Some(top) = algebra.top(label).filter(|top| *top <= variable) else { return label };
        if let Some(known) = known.get(&label) {
            return *known;
        }
        let (low, high) = algebra.cofactors(label, top);
        let result = if top == variable {
            algebra.or(low, high)
        } else {
            let low = below(algebra, low, variable, known);
            let high = below(algebra, high, variable, known);
            if_then_else(algebra, top, high, low)
        };
        known.insert(label, result);
        result
    }
    below(algebra, label, variable, &mut FxHashMap::default())
}

/// A node of a function in a list where operands come first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Constant(bool),
    /// The variable, and the places of the cofactors for false and true in the list.
    Choice(usize, usize, usize),
}

/// Returns the nodes of a function, its own last: its diagram without the algebra.
pub(super) fn nodes<A: Algebra>(algebra: &A, label: Label) -> Vec<Node> {
    let mut places: FxHashMap<Label, usize> = FxHashMap::default();
    let mut nodes = vec![];
    let mut stack = vec![label];
    while let Some(&label) = stack.last() {
        interrupt::poll();
        if places.contains_key(&label) {
            stack.pop();
            continue;
        }
        let node = match algebra.top(label) {
            None => Node::Constant(label == algebra.constant(true)),
            Some(top) => {
                let (low, high) = algebra.cofactors(label, top);
                match (places.get(&low), places.get(&high)) {
                    (Some(low), Some(high)) => Node::Choice(top, *low, *high),
                    _ => {
                        stack.extend([high, low]);
                        continue;
                    }
                }
            }
        };
        stack.pop();
        places.insert(label, nodes.len());
        nodes.push(node);
    }
    nodes
}

/// Builds the function of these nodes in another algebra, where variable `i` is `places[i]`.
pub(super) fn rebuild<A: Algebra>(algebra: &mut A, nodes: &[Node], places: &[usize]) -> Label {
    let mut labels: Vec<Label> = Vec::with_capacity(nodes.len());
    for node in nodes {
        interrupt::poll();
        let label = match *node {
            Node::Constant(value) => algebra.constant(value),
            Node::Choice(variable, low, high) => {
                if_then_else(algebra, places[variable], labels[high], labels[low])
            }
        };
        labels.push(label);
    }
    labels.pop().unwrap_or_else(|| unreachable!("a function has a node"))
}

fn if_then_else<A: Algebra>(algebra: &mut A, variable: usize, high: Label, low: Label) -> Label {
    let condition = algebra.variable(variable);
    let otherwise = algebra.not(condition);
    let (high, low) = (algebra.and(condition, high), algebra.and(otherwise, low));
    algebra.or(high, low)
}

/// Returns the literals of a function that is a single cube, the usual case.
fn single_cube<A: Algebra>(algebra: &A, mut label: Label) -> Option<Cube> {
    let ff = algebra.constant(false);
    let mut cube = vec![];
    while let Some(top) = algebra.top(label) {
        let (low, high) = algebra.cofactors(label, top);
        if low != ff && high != ff {
            return None;
        }
        cube.push((top, low == ff));
        label = if low == ff { high } else { low };
    }
    (label != ff).then_some(cube)
}

/// Returns an irredundant cover by cubes (Minato and Morreale); `None` if it has more than `most`.
pub(super) fn cover<A: Algebra>(algebra: &mut A, label: Label, most: usize) -> Option<Vec<Cube>> {
    if let Some(cube) = single_cube(algebra, label) {
        return Some(vec![cube]);
    }
    let mut cubes = vec![];
    irredundant(algebra, label, label, most, &mut cubes);
    for cube in &mut cubes {
        interrupt::poll();
        cube.reverse();
    }
    (cubes.len() <= most).then_some(cubes)
}

/// Returns the union of an irredundant set of cubes between two functions, the first of which implies
/// the second; `None` if there are more cubes than `most`.
pub(super) fn between<A: Algebra>(
    algebra: &mut A,
    lower: Label,
    upper: Label,
    most: usize,
) -> Option<Label> {
    let mut cubes = vec![];
    let union = irredundant(algebra, lower, upper, most, &mut cubes);
    (cubes.len() <= most).then_some(union)
}

/// Adds cubes (literals in descending order) whose union lies between `lower` and `upper`, and
/// returns that union. The recursion is as deep as the number of variables.
fn irredundant<A: Algebra>(
    algebra: &mut A,
    lower: Label,
    upper: Label,
    most: usize,
    cubes: &mut Vec<Cube>,
) -> Label {
    interrupt::poll();
    let (ff, tt) = (algebra.constant(false), algebra.constant(true));
    // With too many cubes the cover is abandoned.
    if lower == ff || cubes.len() > most {
        return ff;
    }
    if upper == tt {
        cubes.push(vec![]);
        return tt;
    }
    let top = [algebra.top(lower), algebra.top(upper)].into_iter().flatten().min();
    let top = top.unwrap_or_else(|| unreachable!("neither bound is constant"));
    let (l0, l1) = algebra.cofactors(lower, top);
    let (u0, u1) = algebra.cofactors(upper, top);
    let minus = |algebra: &mut A, l, r| {
        let r = algebra.not(r);
        algebra.and(l, r)
    };
    let mut half = |algebra: &mut A, lower, upper, value| {
        let start = cubes.len();
        let covered = irredundant(algebra, lower, upper, most, cubes);
        cubes[start..].iter_mut().for_each(|cube| cube.push((top, value)));
        covered
    };
    let needs_false = minus(algebra, l0, u1);
    let f0 = half(algebra, needs_false, u0, false);
    let needs_true = minus(algebra, l1, u0);
    let f1 = half(algebra, needs_true, u1, true);
    let (r0, r1) = (minus(algebra, l0, f0), minus(algebra, l1, f1));
    let (rest, both) = (algebra.or(r0, r1), algebra.and(u0, u1));
    let f = irredundant(algebra, rest, both, most, cubes);
    let split = if_then_else(algebra, top, f1, f0);
    algebra.or(split, f)
}
