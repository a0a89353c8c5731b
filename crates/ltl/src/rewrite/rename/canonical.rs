//! The canonical representative of all formulas that differ only in the names of propositions.
//!
//! Individualization and refinement, as for the canonical form of a graph (B. D. McKay, Practical
//! graph isomorphism, Congressus Numerantium 30, 1981). The colours of propositions depend on their
//! occurrences, but not on their names. If propositions share a colour, all orders are tried,
//! except those that symmetries of the formula make redundant. The least formula is the result. A
//! refinement is linear in the number of subformulas; the number of refinements depends on the
//! symmetry of the formula.

use super::{Style, relabel, rename};
use crate::{Formula, Op, Prop};
use rustc_hash::{FxHashMap, FxHashSet};

/// The work limit of the search, in visited subformulas. The search ends when it is reached and
/// each subformula has been visited a hundred times.
pub const CANONICAL_WORK_LIMIT: usize = 20_000_000;

/// Returns the canonical formula: equal for two formulas exactly if they are equal up to the names
/// of their propositions.
///
/// The result has the names of [`Style::Abc`]. If the search reaches [`CANONICAL_WORK_LIMIT`] on a
/// large symmetric formula, two variants may have different results. Formulas that differ in more
/// than names never have equal results.
///
/// ```
/// use sempre_ltl::{Formula, rewrite::rename::canonical};
/// let f: Formula = "(p U q) & F r".parse().unwrap();
/// let g: Formula = "(y U z) & F x".parse().unwrap();
/// let h: Formula = "(y U z) & F y".parse().unwrap();
/// assert_eq!(canonical(&f), canonical(&g));
/// assert_ne!(canonical(&f), canonical(&h));
/// ```
pub fn canonical(formula: &Formula) -> Formula {
    canonical_within(formula, CANONICAL_WORK_LIMIT)
}

fn canonical_within(formula: &Formula, limit: usize) -> Formula {
    let graph = Graph::new(formula);
    let limit = limit.max(100 * graph.work());
    let classes = (0..graph.props.len()).collect();
    let mut search = Search { graph, formula, classes, work: 0, limit };
    let least = search.least();
    relabel(&least, Style::Abc).0
}

/// The cost of renaming a formula relative to recolouring it.
const RENAMING: usize = 20;

/// The subformulas by number; each follows its operands.
struct Graph {
    ops: Vec<Op>,
    /// The operands of subformula `i` are `operands[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    operands: Vec<usize>,
    props: Vec<Prop>,
    /// By proposition, its subformula.
    prop_nodes: Vec<usize>,
}

impl Graph {
    fn new(root: &Formula) -> Self {
        let mut graph = Graph {
            ops: vec![],
            starts: vec![0],
            operands: vec![],
            props: vec![],
            prop_nodes: vec![],
        };
        let mut numbers: FxHashMap<Formula, usize> = FxHashMap::default();
        for formula in root.subformulas() {
            let number = graph.ops.len();
            if let Some(prop) = formula.as_prop() {
                graph.props.push(prop.clone());
                graph.prop_nodes.push(number);
            }
            graph.ops.push(formula.op());
            graph.operands.extend(formula.children().iter().map(|child| numbers[child]));
            graph.starts.push(graph.operands.len());
            numbers.insert(formula, number);
        }
        graph
    }

    fn operands(&self, node: usize) -> &[usize] {
        &self.operands[self.starts[node]..self.starts[node + 1]]
    }

    fn work(&self) -> usize {
        self.ops.len() + self.operands.len()
    }

    /// Returns a colour for each subformula, from those of its propositions. The order of operands
    /// counts only for operators that are not commutative, so names do not matter.
    fn inside(&self, colours: &[u64]) -> Vec<u64> {
        let mut inside = vec![0_u64; self.ops.len()];
        for (&node, &colour) in self.prop_nodes.iter().zip(colours) {
            inside[node] = colour;
        }
        for node in (0..self.ops.len()).filter(|&node| self.ops[node] != Op::Prop) {
            let operands = self.operands(node).iter().enumerate();
            let sum = operands.fold(0_u64, |sum, (place, &operand)| {
                sum.wrapping_add(mix(inside[operand], self.place(node, place)))
            });
            inside[node] = mix(sum, self.ops[node] as u64);
        }
        inside
    }

    /// Returns the position of an operand, if it matters.
    fn place(&self, node: usize, place: usize) -> u64 {
        if self.ops[node].is_commutative() { 0 } else { place as u64 + 1 }
    }

    /// Mixes the colour of each proposition with its context: the formulas beside and above it.
    fn recoloured(&self, colours: &[u64]) -> Vec<u64> {
        let inside = self.inside(colours);
        let mut outside = vec![0_u64; inside.len()];
        for node in (0..inside.len()).rev() {
            let here = mix(outside[node], inside[node]);
            for (place, &operand) in self.operands(node).iter().enumerate() {
                let seen = mix(here, self.place(node, place));
                outside[operand] = outside[operand].wrapping_add(seen);
            }
        }
        let nodes = self.prop_nodes.iter().zip(colours);
        nodes.map(|(&node, &colour)| mix(colour, outside[node])).collect()
    }
}

struct Search<'f> {
    graph: Graph,
    formula: &'f Formula,
    /// By proposition, the first one with which it is interchangeable.
    classes: Vec<usize>,
    work: usize,
    limit: usize,
}

/// A node of the search tree: propositions are coloured, but some have the same colour.
struct Choice {
    colours: Vec<u64>,
    /// Sets of interchangeable propositions of one colour; one of the sets comes first.
    sets: Vec<Vec<usize>>,
    tried: usize,
    /// The formulas at the leaves below (or equal ones, where a subtree was skipped).
    leaves: FxHashSet<Formula>,
}

impl Search<'_> {
    fn exhausted(&self) -> bool {
        self.work >= self.limit
    }

    /// The least formula among the leaves of the search tree.
    fn least(&mut self) -> Formula {
        let start = self.refined(vec![1; self.graph.props.len()]);
        self.find_interchangeable(&start);
        let mut least: Option<Formula> = None;
        let mut path: Vec<Choice> = vec![];
        let mut next = Some(start);
        loop {
            let finished: FxHashSet<Formula> = if let Some(colours) = next.take() {
                match self.choice(colours) {
                    Ok(choice) => {
                        path.push(choice);
                        FxHashSet::default()
                    }
                    Err(leaf) => {
                        if least.as_ref().is_none_or(|least| leaf < *least) {
                            least = Some(leaf.clone());
                        }
                        FxHashSet::from_iter([leaf])
                    }
                }
            } else {
                path.pop().map(|choice| choice.leaves).unwrap_or_default()
            };
            let Some(choice) = path.last_mut() else { break };
            choice.leaves.extend(finished);
            if self.exhausted() && least.is_some() {
                break;
            }
            next = self.next_branch(&mut path);
        }
        least.unwrap_or_else(|| self.formula.clone())
    }

    /// Returns the colours of the next branch of the last choice to explore.
    fn next_branch(&mut self, path: &mut [Choice]) -> Option<Vec<u64>> {
        let choice = path.last_mut()?;
        while choice.tried < choice.sets.len() {
            choice.tried += 1;
            let branch = self.individualized(&choice.colours, &choice.sets[choice.tried - 1]);
            if choice.tried == 1 {
                return Some(branch);
            }
            // If some leaf of this branch is known, a symmetry of the formula maps the branch to an
            // explored one. Then all its leaves are known.
            let leaf = self.some_leaf(branch.clone());
            if !choice.leaves.contains(&leaf) {
                return Some(branch);
            }
        }
        None
    }

    /// Returns the leaf of the leftmost path.
    fn some_leaf(&mut self, mut colours: Vec<u64>) -> Formula {
        loop {
            match self.choice(colours) {
                Ok(choice) => colours = self.individualized(&choice.colours, &choice.sets[0]),
                Err(leaf) => return leaf,
            }
        }
    }

    /// Returns the next choice if two propositions have the same colour, otherwise the formula with
    /// propositions numbered by colour. Beyond the work limit, propositions of the same colour are
    /// numbered in any order.
    fn choice(&mut self, colours: Vec<u64>) -> Result<Choice, Formula> {
        let order = by_colour(&colours);
        let tie = cells(&order, &colours).min_by_key(|cell| cell.len());
        match tie {
            Some(cell) if !self.exhausted() => {
                let mut cell = cell.to_vec();
                cell.sort_by_key(|&prop| self.classes[prop]);
                let sets = cell.chunk_by(|&one, &other| self.classes[one] == self.classes[other]);
                let sets = sets.map(<[usize]>::to_vec).collect();
                Ok(Choice { colours, sets, tried: 0, leaves: FxHashSet::default() })
            }
            _ => Err(self.numbered(&order)),
        }
    }

    fn numbered(&mut self, order: &[usize]) -> Formula {
        self.work += RENAMING * self.graph.work();
        let props = &self.graph.props;
        let names = order.iter().enumerate().map(|(i, &prop)| (&props[prop], Style::Pnn.prop(i)));
        let names: FxHashMap<&Prop, Prop> = names.collect();
        rename(self.formula, |prop| names[prop].clone())
    }

    /// Finds propositions that can be swapped without changing the formula. This is an equivalence,
    /// because such swaps compose, and all orders of a class give the same formula.
    fn find_interchangeable(&mut self, colours: &[u64]) {
        let order = by_colour(colours);
        // With a colour for each proposition, the root shows the effect of a swap.
        let mut distinct: Vec<u64> = (0..colours.len() as u64).map(|i| mix(i, i)).collect();
        let unswapped = self.graph.inside(&distinct).pop();
        for cell in cells(&order, colours) {
            let mut firsts: Vec<usize> = vec![];
            for &prop in cell {
                // The search gets the larger part of the work.
                if self.work > self.limit / 4 {
                    return;
                }
                let found = firsts.iter().copied().find(|&first| {
                    self.work += self.graph.work();
                    distinct.swap(first, prop);
                    let looks_equal = self.graph.inside(&distinct).pop() == unswapped;
                    distinct.swap(first, prop);
                    looks_equal && self.can_swap(first, prop)
                });
                match found {
                    Some(first) => self.classes[prop] = first,
                    None => firsts.push(prop),
                }
            }
        }
    }

    fn can_swap(&mut self, one: usize, other: usize) -> bool {
        self.work += RENAMING * self.graph.work();
        let (one, other) = (&self.graph.props[one], &self.graph.props[other]);
        let swapped = rename(self.formula, |prop| match prop {
            _ if prop == one => other.clone(),
            _ if prop == other => one.clone(),
            _ => prop.clone(),
        });
        swapped == *self.formula
    }

    /// Gives these propositions unique colours, and refines the others.
    fn individualized(&mut self, colours: &[u64], set: &[usize]) -> Vec<u64> {
        let mut colours = colours.to_vec();
        for (place, &prop) in set.iter().enumerate() {
            colours[prop] = mix(colours[prop], place as u64 + 2);
        }
        self.refined(colours)
    }

    /// Recolours until no more propositions are distinguished.
    fn refined(&mut self, mut colours: Vec<u64>) -> Vec<u64> {
        let mut distinct = count_distinct(&colours);
        loop {
            if distinct == colours.len() || self.exhausted() {
                return colours;
            }
            self.work += self.graph.work();
            let finer = self.graph.recoloured(&colours);
            let count = count_distinct(&finer);
            if count <= distinct {
                return colours;
            }
            (colours, distinct) = (finer, count);
        }
    }
}

fn by_colour(colours: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..colours.len()).collect();
    order.sort_by_key(|&prop| colours[prop]);
    order
}

/// Returns the sets of several propositions with the same colour.
fn cells<'o>(order: &'o [usize], colours: &[u64]) -> impl Iterator<Item = &'o [usize]> {
    order.chunk_by(|&one, &other| colours[one] == colours[other]).filter(|cell| cell.len() > 1)
}

fn count_distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// Folded multiplication, the same on every machine.
fn mix(colour: u64, value: u64) -> u64 {
    let product = u128::from(colour ^ 0x2d35_8dcc_aa6c_78a5)
        * u128::from(value.wrapping_add(0x8bb8_4b93_962e_acc9));
    (product as u64) ^ ((product >> 64) as u64) ^ colour.rotate_left(29)
}

#[cfg(test)]
mod tests;
