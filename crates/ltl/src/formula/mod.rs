//! Formulas: immutable, shared, with their properties computed at construction.

mod order;
mod table;
#[cfg(test)]
mod tests;
mod traits;
mod traverse;

pub use traits::Traits;
pub(crate) use traverse::rebuild;
pub use traverse::{Subformulas, transform};

use crate::op::{Arity, Op};
use crate::prop::Prop;
use smallvec::{SmallVec, smallvec};
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitOr, Not};
use std::sync::Arc;

/// A formula of linear-time temporal logic.
///
/// Formulas are hash-consed: equal formulas are one object. So a copy increments a reference count,
/// and equality compares two pointers. The memory of a formula is freed with its last copy.
/// Formulas can be shared between threads.
///
/// Constructors do not simplify, but flatten and sort the operands of `&` and `|`, and sort those
/// of `<->` and `xor`. `a & a`, `!!a` and `X true` stay until they are
/// [simplified](crate::simplify()).
///
/// ```
/// use sempre_ltl::{Formula, Op};
///
/// let request = Formula::prop("request");
/// let f = Formula::globally(Formula::implies(&request, Formula::finally("grant")));
/// assert_eq!(f, "G(request -> F grant)".parse().unwrap());
/// assert_eq!(f.op(), Op::Globally);
/// assert_eq!(f.size(), 5);
///
/// // Formulas are inspected by their operator and operands.
/// let [body] = f.children() else { unreachable!("G has one operand") };
/// match (body.op(), body.children()) {
///     (Op::Implies, [left, _]) => assert_eq!(*left, request),
///     _ => unreachable!(),
/// }
/// ```
#[derive(Clone)]
pub struct Formula(Arc<Node>);

struct Node {
    hash: u64,
    id: u64,
    size: u64,
    depth: u32,
    temporal_depth: u32,
    traits: Traits,
    op: Op,
    prop: Option<Prop>,
    children: SmallVec<[Formula; 2]>,
}

impl Node {
    fn new(
        hash: u64,
        id: u64,
        op: Op,
        prop: Option<Prop>,
        children: SmallVec<[Formula; 2]>,
    ) -> Self {
        // An n-ary node counts as n - 1 binary ones.
        let own = match op.arity() {
            Arity::Nary => children.len() as u64 - 1,
            _ => 1,
        };
        let size = children.iter().fold(own, |sum, child| sum.saturating_add(child.size()));
        let depth = children.iter().map(|child| child.0.depth + 1).max().unwrap_or(0);
        let temporal_depth = children.iter().map(Formula::temporal_depth).max().unwrap_or(0)
            + u32::from(op.is_temporal());
        let traits = Traits::of(op, &children);
        Node { hash, id, size, depth, temporal_depth, traits, op, prop, children }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        table::forget(self.hash, self.id);
        // A node collects its operands' operands before they are dropped, so dropping never
        // recurses: formulas may be nested deeper than the stack.
        let mut orphans = std::mem::take(&mut self.children);
        while let Some(Formula(orphan)) = orphans.pop() {
            if let Some(mut node) = Arc::into_inner(orphan) {
                orphans.append(&mut node.children);
            }
        }
    }
}

/// # Construction
impl Formula {
    /// The formula that always holds.
    pub fn tt() -> Self {
        table::intern(Op::True, None, smallvec![])
    }

    /// The formula that never holds.
    pub fn ff() -> Self {
        table::intern(Op::False, None, smallvec![])
    }

    /// True or false.
    pub fn constant(value: bool) -> Self {
        if value { Self::tt() } else { Self::ff() }
    }

    /// An atomic proposition.
    pub fn prop(prop: impl Into<Prop>) -> Self {
        table::intern(Op::Prop, Some(prop.into()), smallvec![])
    }

    /// Creates the formula with this operator and these operands.
    ///
    /// `And` and `Or` take any number of operands: none gives the neutral constant, one gives that
    /// operand.
    ///
    /// # Panics
    /// If the operator is `Op::Prop` or has another number of operands.
    pub fn new(op: Op, operands: impl IntoIterator<Item = Formula>) -> Self {
        let mut children: SmallVec<[Formula; 2]> = operands.into_iter().collect();
        let fits = match op.arity() {
            Arity::Leaf => op != Op::Prop && children.is_empty(),
            Arity::Unary => children.len() == 1,
            Arity::Binary => children.len() == 2,
            Arity::Nary => true,
        };
        assert!(fits, "{op:?} does not take {} operands", children.len());
        if op.arity() == Arity::Nary {
            if children.iter().any(|child| child.op() == op) {
                let nested = children;
                children = SmallVec::with_capacity(nested.len() + 2);
                for child in nested {
                    if child.op() == op {
                        children.extend(child.children().iter().cloned());
                    } else {
                        children.push(child);
                    }
                }
            }
            match children.len() {
                0 => return Self::constant(op == Op::And),
                1 => return children.remove(0),
                _ => {}
            }
        }
        if op.is_commutative() {
            children.sort();
        }
        table::intern(op, None, children)
    }

    fn unary(op: Op, operand: impl Into<Formula>) -> Self {
        table::intern(op, None, smallvec![operand.into()])
    }

    fn binary(op: Op, left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        let mut children: SmallVec<[Formula; 2]> = smallvec![left.into(), right.into()];
        if op.is_commutative() {
            children.sort();
        }
        table::intern(op, None, children)
    }

    /// `!f`. The operator `!` on formulas does the same.
    pub fn not(operand: impl Into<Formula>) -> Self {
        Self::unary(Op::Not, operand)
    }

    /// `X f`
    pub fn next(operand: impl Into<Formula>) -> Self {
        Self::unary(Op::Next, operand)
    }

    /// `F f`
    pub fn finally(operand: impl Into<Formula>) -> Self {
        Self::unary(Op::Finally, operand)
    }

    /// `G f`
    pub fn globally(operand: impl Into<Formula>) -> Self {
        Self::unary(Op::Globally, operand)
    }

    /// `Fs f`, strict finally
    pub fn strict_finally(operand: impl Into<Formula>) -> Self {
        Self::unary(Op::StrictFinally, operand)
    }

    /// `Gs f`, strict globally
    pub fn strict_globally(operand: impl Into<Formula>) -> Self {
        Self::unary(Op::StrictGlobally, operand)
    }

    /// `f -> g`
    pub fn implies(left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        Self::binary(Op::Implies, left, right)
    }

    /// `f <-> g`
    pub fn iff(left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        Self::binary(Op::Iff, left, right)
    }

    /// `f xor g`
    pub fn xor(left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        Self::binary(Op::Xor, left, right)
    }

    /// `f U g`
    pub fn until(left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        Self::binary(Op::Until, left, right)
    }

    /// `f R g`
    pub fn release(left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        Self::binary(Op::Release, left, right)
    }

    /// `f W g`
    pub fn weak_until(left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        Self::binary(Op::WeakUntil, left, right)
    }

    /// `f M g`
    pub fn strong_release(left: impl Into<Formula>, right: impl Into<Formula>) -> Self {
        Self::binary(Op::StrongRelease, left, right)
    }

    /// The conjunction of any number of formulas.
    pub fn and(operands: impl IntoIterator<Item = Formula>) -> Self {
        Self::new(Op::And, operands)
    }

    /// The disjunction of any number of formulas.
    pub fn or(operands: impl IntoIterator<Item = Formula>) -> Self {
        Self::new(Op::Or, operands)
    }

    /// Replaces the operands; returns `self` if they are unchanged.
    pub fn with_children(&self, operands: impl IntoIterator<Item = Formula>) -> Self {
        let operands: SmallVec<[Formula; 2]> = operands.into_iter().collect();
        if operands[..] == *self.children() { self.clone() } else { Self::new(self.op(), operands) }
    }
}

/// # Inspection
impl Formula {
    /// The operator at the root.
    pub fn op(&self) -> Op {
        self.0.op
    }

    /// The operands; sorted if the operator is commutative.
    pub fn children(&self) -> &[Formula] {
        &self.0.children
    }

    /// The proposition, if the formula is one.
    pub fn as_prop(&self) -> Option<&Prop> {
        self.0.prop.as_ref()
    }

    /// True if the formula is the constant true.
    pub fn is_true(&self) -> bool {
        self.op() == Op::True
    }

    /// True if the formula is the constant false.
    pub fn is_false(&self) -> bool {
        self.op() == Op::False
    }

    /// True for a proposition and for a negated proposition.
    pub fn is_literal(&self) -> bool {
        match (self.op(), self.children()) {
            (Op::Prop, _) => true,
            (Op::Not, [child]) => child.op() == Op::Prop,
            _ => false,
        }
    }

    /// The number of nodes of the parse tree: operators, propositions and constants, where an
    /// n-ary `&` or `|` counts as n - 1 binary ones. Saturates at `u64::MAX`.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Returns the number of distinct subformulas, including the formula itself.
    pub fn dag_size(&self) -> usize {
        self.subformulas().count()
    }

    /// The height of the parse tree; 0 for constants and propositions.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// The largest number of temporal operators on a path from the root to a leaf.
    pub fn temporal_depth(&self) -> u32 {
        self.0.temporal_depth
    }

    /// The syntactic properties of the formula. O(1): they are computed at construction.
    pub fn traits(&self) -> Traits {
        self.0.traits
    }

    /// True if the formula has (syntactically) all of these traits.
    pub fn is(&self, traits: Traits) -> bool {
        self.traits().contains(traits)
    }

    /// Returns the distinct subformulas; each follows its own subformulas, and the formula itself
    /// is last.
    pub fn subformulas(&self) -> Subformulas {
        Subformulas::new(self)
    }

    /// The propositions of the formula, sorted.
    pub fn props(&self) -> Vec<Prop> {
        let mut props: Vec<Prop> =
            self.subformulas().filter_map(|f| f.as_prop().cloned()).collect();
        props.sort();
        props
    }

    /// Returns the number of distinct live formulas of this process.
    pub fn live_count() -> usize {
        table::live()
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Formula {}

impl Hash for Formula {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl From<&Formula> for Formula {
    fn from(formula: &Formula) -> Self {
        formula.clone()
    }
}

/// A string literal is the proposition with that name, for readable code.
impl From<&str> for Formula {
    fn from(name: &str) -> Self {
        Formula::prop(name)
    }
}

impl From<&Prop> for Formula {
    fn from(prop: &Prop) -> Self {
        Formula::prop(prop.clone())
    }
}

impl From<Prop> for Formula {
    fn from(prop: Prop) -> Self {
        Formula::prop(prop)
    }
}

impl Not for Formula {
    type Output = Formula;
    fn not(self) -> Formula {
        Formula::not(self)
    }
}

impl Not for &Formula {
    type Output = Formula;
    fn not(self) -> Formula {
        Formula::not(self)
    }
}

impl<F: Into<Formula>> BitAnd<F> for Formula {
    type Output = Formula;
    fn bitand(self, other: F) -> Formula {
        Formula::and([self, other.into()])
    }
}

impl<F: Into<Formula>> BitAnd<F> for &Formula {
    type Output = Formula;
    fn bitand(self, other: F) -> Formula {
        Formula::and([self.clone(), other.into()])
    }
}

impl<F: Into<Formula>> BitOr<F> for Formula {
    type Output = Formula;
    fn bitor(self, other: F) -> Formula {
        Formula::or([self, other.into()])
    }
}

impl<F: Into<Formula>> BitOr<F> for &Formula {
    type Output = Formula;
    fn bitor(self, other: F) -> Formula {
        Formula::or([self.clone(), other.into()])
    }
}
