//! Random formulas of a given tree size.
//!
//! The generator of H. Tauriainen, Automated testing of Büchi automata translators for linear
//! temporal logic (HUT-TCS-A66, 2000), Figure 6.1: draws an operator by its priority, splits the
//! remaining nodes uniformly among its operands, and continues with these. Spot's `randltl` draws
//! in the same way, but selects a new size from a range for each formula; [`RandomFormulas`]
//! supports both. Linear in the tree size, besides sorting the operands of `&` and `|`. It can also
//! draw all formulas of a size with the same probability ([`RandomFormulas::uniform`]).

mod uniform;

use super::priorities::Priorities;
use super::rng::Rng;
use crate::{Arity, Error, Formula, Op, Prop};
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;
use uniform::Uniform;

/// The maximal tree size.
pub const MAX_SIZE: usize = 10_000_000;

/// The maximal number of consecutive duplicates before the search for another formula ends.
pub const MAX_DUPLICATES: usize = 100_000;

/// Draws formulas over some propositions, by checked priorities.
#[derive(Clone, Debug)]
pub struct Generator {
    props: Vec<Formula>,
    leaves: Choice,
    unary: Choice,
    any: Choice,
}

/// Operators and their weights.
#[derive(Clone, Debug)]
struct Choice {
    ops: Vec<Op>,
    weights: Vec<u32>,
}

impl Choice {
    fn new(priorities: &Priorities, ops: impl Iterator<Item = Op>) -> Self {
        let ops: Vec<Op> = ops.collect();
        let weights = ops.iter().map(|&op| priorities.weight(op)).collect();
        Choice { ops, weights }
    }

    fn draw(&self, rng: &mut Rng) -> Option<Op> {
        rng.weighted(&self.weights).map(|drawn| self.ops[drawn])
    }
}

impl Generator {
    /// Creates a generator with these propositions and priorities. Without propositions, constants
    /// are the only leaves; it is an error if no kind of leaf remains.
    pub fn new(
        props: impl IntoIterator<Item = impl Into<Prop>>,
        priorities: &Priorities,
    ) -> Result<Self, Error> {
        let props: Vec<Formula> = props.into_iter().map(Formula::prop).collect();
        let leaves = priorities.leaves().filter(|&op| op != Op::Prop || !props.is_empty());
        let leaves = Choice::new(priorities, leaves);
        if leaves.ops.is_empty() {
            return Err(Error::new(
                "random formulas need a leaf of positive priority: a proposition, true or false",
            ));
        }
        let unary = Choice::new(priorities, priorities.unary());
        let any = Choice::new(priorities, priorities.unary().chain(priorities.binary()));
        Ok(Generator { props, leaves, unary, any })
    }

    /// Checks that there are formulas of this tree size: from size 2 on an operator is needed, and
    /// without unary ones the size is odd.
    fn check(&self, size: usize) -> Result<(), Error> {
        if size == 0 {
            Err(Error::new("a formula has at least size 1"))
        } else if size > MAX_SIZE {
            Err(Error::new(format!("formula size {size} is over the limit of {MAX_SIZE}")))
        } else if size > 1 && self.any.ops.is_empty() {
            Err(Error::new(format!(
                "a formula of size {size} needs an operator of positive priority"
            )))
        } else if size.is_multiple_of(2) && self.unary.ops.is_empty() {
            Err(Error::new(format!(
                "without unary operators all formulas have odd sizes, so none has size {size}"
            )))
        } else {
            Ok(())
        }
    }

    /// A random formula of exactly this tree size.
    pub fn formula(&self, size: usize, rng: &mut Rng) -> Result<Formula, Error> {
        self.check(size)?;
        let tree = self.tree(size, rng);
        // Read from right to left, operands of prefix notation are on the stack.
        let mut operands: Vec<Formula> = vec![];
        for node in tree.into_iter().rev() {
            let formula = match node {
                Node::Leaf(leaf) => leaf,
                Node::Operator(op) => {
                    let count = if op.arity() == Arity::Unary { 1 } else { 2 };
                    let rest = operands.len() - count;
                    Formula::new(op, operands.drain(rest..).rev())
                }
            };
            operands.push(formula);
        }
        Ok(operands.swap_remove(0))
    }

    /// The nodes of a random tree in prefix order.
    fn tree(&self, size: usize, rng: &mut Rng) -> Vec<Node> {
        let mut tree = Vec::with_capacity(size);
        let mut sizes = vec![size];
        while let Some(size) = sizes.pop() {
            let drawn = match size {
                1 => None,
                2 => self.unary.draw(rng),
                _ => self.any.draw(rng),
            };
            let Some(op) = drawn else {
                tree.push(Node::Leaf(self.leaf(rng)));
                continue;
            };
            tree.push(Node::Operator(op));
            if op.arity() == Arity::Unary {
                sizes.push(size - 1);
            } else {
                let left = self.split(size, rng);
                sizes.push(size - 1 - left);
                sizes.push(left);
            }
        }
        tree
    }

    /// The size of the left operand under a binary operator: uniform from 1 to `size - 2`, among
    /// the odd numbers only if there are no unary operators.
    fn split(&self, size: usize, rng: &mut Rng) -> usize {
        if self.unary.ops.is_empty() {
            1 + 2 * rng.index((size - 1) / 2)
        } else {
            1 + rng.index(size - 2)
        }
    }

    /// Counts the formulas of up to this size.
    fn uniform(&self, size: usize) -> Result<Uniform, Error> {
        let leaves = self.leaves.ops.iter().zip(&self.leaves.weights);
        let leaves = leaves.filter(|(_, weight)| **weight > 0).flat_map(|(op, _)| match op {
            Op::Prop => self.props.clone(),
            op => vec![Formula::new(*op, [])],
        });
        let ops = self.any.ops.iter().zip(&self.any.weights);
        let ops = ops.filter(|(_, weight)| **weight > 0).map(|(op, _)| *op);
        Uniform::new(leaves.collect(), ops.collect(), size)
    }

    fn leaf(&self, rng: &mut Rng) -> Formula {
        match self.leaves.draw(rng) {
            Some(Op::Prop) => self.props[rng.index(self.props.len())].clone(),
            Some(Op::False) => Formula::ff(),
            _ => Formula::tt(),
        }
    }
}

enum Node {
    Operator(Op),
    Leaf(Formula),
}

type Rewrite = Box<dyn FnMut(Formula) -> Formula + Send>;

/// The parameters of a stream of random formulas.
///
/// ```
/// use sempre_ltl::generate::{Priorities, random::RandomFormulas};
///
/// let no_next = Priorities::equal(3).adjusted("X=0").unwrap();
/// let formulas = RandomFormulas::over(["a", "b", "c"])
///     .sizes(5..=15)
///     .priorities(no_next)
///     .seed(7)
///     .unique()
///     .generate()
///     .unwrap();
/// for formula in formulas.take(10) {
///     let formula = formula.unwrap();
///     assert!((5..=15).contains(&formula.size()));
/// }
/// ```
pub struct RandomFormulas {
    props: Vec<Prop>,
    sizes: RangeInclusive<usize>,
    priorities: Option<Priorities>,
    seed: u64,
    unique: bool,
    uniform: bool,
    rewrite: Option<Rewrite>,
}

impl RandomFormulas {
    /// Formulas over these propositions, of tree size 15, with
    /// [equal priorities](Priorities::equal), from seed 0.
    pub fn over(props: impl IntoIterator<Item = impl Into<Prop>>) -> Self {
        RandomFormulas {
            props: props.into_iter().map(Into::into).collect(),
            sizes: 15..=15,
            priorities: None,
            seed: 0,
            unique: false,
            uniform: false,
            rewrite: None,
        }
    }

    /// Formulas over `count` propositions `p0`, `p1`, …; otherwise as [`RandomFormulas::over`].
    pub fn over_numbered(count: usize) -> Self {
        Self::over((0..count).map(|number| format!("p{number}")))
    }

    /// All formulas have this tree size.
    #[must_use]
    pub fn size(self, size: usize) -> Self {
        self.sizes(size..=size)
    }

    /// Draws the tree size of each formula from this range uniformly (without unary operators: only
    /// odd sizes).
    #[must_use]
    pub fn sizes(mut self, sizes: RangeInclusive<usize>) -> Self {
        self.sizes = sizes;
        self
    }

    /// Operators and leaves are drawn with these priorities.
    #[must_use]
    pub fn priorities(mut self, priorities: Priorities) -> Self {
        self.priorities = Some(priorities);
        self
    }

    /// Sets the seed; equal seeds give equal formulas.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Removes duplicates (after rewriting, if there is any).
    #[must_use]
    pub fn unique(mut self) -> Self {
        self.unique = true;
        self
    }

    /// Draws each formula of a size with the same probability: priorities only say which operators
    /// and leaves occur. Formulas that differ in the order of operands of `&`, `|`, `<->` and `xor`
    /// are one.
    #[must_use]
    pub fn uniform(mut self) -> Self {
        self.uniform = true;
        self
    }

    /// Applies this function to each formula, such as a simplification.
    #[must_use]
    pub fn rewritten_by(
        mut self,
        rewrite: impl FnMut(Formula) -> Formula + Send + 'static,
    ) -> Self {
        self.rewrite = Some(Box::new(rewrite));
        self
    }

    /// Starts the stream. It is infinite, except with [`RandomFormulas::unique`]. An error if sizes
    /// and priorities contradict each other.
    pub fn generate(self) -> Result<Stream, Error> {
        let priorities = self.priorities.unwrap_or_else(|| Priorities::equal(self.props.len()));
        let generator = Generator::new(self.props, &priorities)?;
        let (least, most) = self.sizes.into_inner();
        if least > most {
            return Err(Error::new(format!(
                "no formula size is at least {least} and at most {most}"
            )));
        }
        let step = if generator.unary.ops.is_empty() { 2 } else { 1 };
        let mut first = least;
        if step == 2 && least.is_multiple_of(2) && least < most {
            first += 1;
        }
        generator.check(first)?;
        let last = first + (most - first) / step * step;
        generator.check(last)?;
        let uniform = self.uniform.then(|| generator.uniform(last)).transpose()?;
        Ok(Stream {
            generator,
            uniform,
            first,
            step,
            count: (most - first) / step + 1,
            rng: Rng::new(self.seed),
            seen: self.unique.then(FxHashSet::default),
            rewrite: self.rewrite,
            ended: false,
        })
    }
}

/// An infinite stream of random formulas, see [`RandomFormulas::generate`].
///
/// With unique formulas, the stream ends with one error after [`MAX_DUPLICATES`] consecutive
/// duplicates.
pub struct Stream {
    generator: Generator,
    uniform: Option<Uniform>,
    /// The sizes are `first`, `first + step`, …, `count` of them.
    first: usize,
    step: usize,
    count: usize,
    rng: Rng,
    seen: Option<FxHashSet<Formula>>,
    rewrite: Option<Rewrite>,
    ended: bool,
}

impl Stream {
    fn draw(&mut self) -> Result<Formula, Error> {
        let size = match self.count {
            1 => self.first,
            count => self.first + self.step * self.rng.index(count),
        };
        let formula = match &self.uniform {
            Some(uniform) => uniform.draw(size, &mut self.rng),
            None => self.generator.formula(size, &mut self.rng)?,
        };
        Ok(match &mut self.rewrite {
            Some(rewrite) => rewrite(formula),
            None => formula,
        })
    }

    fn draw_new(&mut self) -> Result<Formula, Error> {
        for _ in 0..MAX_DUPLICATES {
            let formula = self.draw()?;
            if self.seen.as_mut().is_none_or(|seen| seen.insert(formula.clone())) {
                return Ok(formula);
            }
        }
        let found = self.seen.as_ref().map_or(0, FxHashSet::len);
        Err(Error::new(format!(
            "no new formula among the last {MAX_DUPLICATES} after {found} different ones; \
             larger sizes or more propositions give more"
        )))
    }
}

impl Iterator for Stream {
    type Item = Result<Formula, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let drawn = self.draw_new();
        self.ended = drawn.is_err();
        Some(drawn)
    }
}

#[cfg(test)]
mod tests;
