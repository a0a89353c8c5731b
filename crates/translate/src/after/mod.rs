//! After-formulas: the obligation of a suffix after some letters of the word.
//!
//! A word satisfies f exactly if its suffix after the first letter v satisfies af(f, v). Literals
//! become constants, `X g` becomes g, `a U b` becomes af(b) | af(a) & (a U b), and so on (J.
//! Esparza, J. Křetínský and S. Sickert, A unified translation of linear temporal logic to
//! ω-automata, JACM 2020). A formula is stored *unfolded*: as a Boolean function of the
//! propositions and of variables "ψ holds from the next position on", for literals and temporal
//! formulas ψ. Formulas with equal functions form a [`Class`]: `GFa` and `Fa & GFa` are in the
//! same. A step evaluates the function on the letter, which leaves a [`Rest`], a function of the ψ
//! alone, and unfolds these.
//!
//! Functions are binary decision diagrams with the propositions on top, so letters with the same
//! successor are never distinguished. The number of nodes is limited.

pub mod delta;
pub mod fixpoints;
pub mod limits;
#[cfg(test)]
mod tests;

use crate::diagrams::{Diagram, Diagrams, Letters};
use crate::normal_form::normal_form;
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Label};
use sempre_ltl::{Formula, Op, interrupt};
use std::rc::Rc;
use std::sync::Arc;

/// An unfolded formula: it represents all formulas with the same one-step expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(Diagram);

impl Class {
    /// The class of true.
    pub const TRUE: Class = Class(Diagram::TRUE);
    /// The class of false.
    pub const FALSE: Class = Class(Diagram::FALSE);
}

/// The obligation after a letter: a positive Boolean combination of literals and temporal formulas,
/// up to propositional equivalence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rest(Diagram);

/// The steps of a class: disjoint labels that cover all letters, each with the rest.
pub type Steps = Rc<[(Label, Rest)]>;

/// The maximal number of steps of a class, and of edges of a state that are made of steps: twice the
/// number of states within the bounds of constructions.
pub const MAX_STEPS: usize = 1 << 12;

/// The maximal number of conjunctions of a rest written as a formula.
const MAX_CONJUNCTIONS: usize = 64;

/// The formulas of one construction, over one alphabet.
///
/// ```
/// use sempre_automata::Alphabet;
/// use sempre_translate::after::Space;
/// let mut space = Space::new(Alphabet::new(["a"]).unwrap(), 1 << 16);
/// let start = space.class(&"GFa".parse()?);
/// assert_eq!(space.class(&"Fa & GFa".parse()?), start);
/// for (_, rest) in space.steps(start).iter() {
///     assert_eq!(space.after(*rest), start);
/// }
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
pub struct Space {
    alphabet: Arc<Alphabet>,
    diagrams: Diagrams,
    letters: Letters,
    /// The formulas of the variables after the propositions.
    atoms: Vec<Formula>,
    variables: FxHashMap<Formula, Diagram>,
    /// The functions of formulas, and those of `X` before them.
    unfolded: FxHashMap<Formula, Diagram>,
    postponed: FxHashMap<Formula, Diagram>,
    steps: FxHashMap<Class, Steps>,
    after: FxHashMap<Diagram, Diagram>,
}

impl Space {
    /// Creates a space over these propositions, which must include those of all formulas, with at
    /// most `limit` diagram nodes.
    pub fn new(alphabet: impl Into<Arc<Alphabet>>, limit: usize) -> Self {
        Space {
            alphabet: alphabet.into(),
            diagrams: Diagrams::with_limit(limit),
            letters: Letters::default(),
            atoms: vec![],
            variables: FxHashMap::default(),
            unfolded: FxHashMap::default(),
            postponed: FxHashMap::default(),
            steps: FxHashMap::default(),
            after: FxHashMap::default(),
        }
    }

    /// Creates a space over the propositions of a formula.
    pub fn of(formula: &Formula, limit: usize) -> Self {
        let alphabet = Alphabet::new(formula.props())
            .unwrap_or_else(|_| unreachable!("the propositions are distinct"));
        Space::new(alphabet, limit)
    }

    /// The propositions.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// True if the limit on nodes, or [`MAX_STEPS`], has been reached; then results are invalid.
    pub fn is_exhausted(&self) -> bool {
        self.diagrams.is_exhausted()
    }

    /// Returns the class of a formula.
    ///
    /// # Panics
    /// If the space lacks a proposition of the formula.
    pub fn class(&mut self, formula: &Formula) -> Class {
        if let Some(&known) = self.unfolded.get(formula) {
            return Class(known);
        }
        let normal = normal_form(formula);
        self.unfold(&normal);
        let class = self.unfolded[&normal];
        self.unfolded.insert(formula.clone(), class);
        Class(class)
    }

    /// The formula itself as a rest: a Boolean combination of its literals and temporal formulas,
    /// whose class is that of the formula.
    pub fn rest(&mut self, formula: &Formula) -> Rest {
        let normal = normal_form(formula);
        self.unfold(&normal);
        Rest(self.postponed[&normal])
    }

    /// The class of the conjunction.
    pub fn and(&mut self, left: Class, right: Class) -> Class {
        Class(self.diagrams.and(left.0, right.0))
    }

    /// The class of the disjunction.
    pub fn or(&mut self, left: Class, right: Class) -> Class {
        Class(self.diagrams.or(left.0, right.0))
    }

    /// True if the functions show the implication.
    pub fn implies(&mut self, left: Class, right: Class) -> bool {
        self.diagrams.and(left.0, right.0) == left.0
    }

    /// Returns the rests of a class, by letter. With more than [`MAX_STEPS`] the space is exhausted.
    pub fn steps(&mut self, class: Class) -> Steps {
        if let Some(known) = self.steps.get(&class) {
            return known.clone();
        }
        if self.letters.split(&self.diagrams, &self.alphabet, class.0, MAX_STEPS).is_none() {
            self.diagrams.exhaust();
            return Steps::from([]);
        }
        let parts = self.letters.parts().iter();
        let steps: Steps = parts.map(|&(rest, label)| (label, Rest(rest))).collect();
        self.steps.insert(class, steps.clone());
        steps
    }

    /// Returns the class of a rest.
    pub fn after(&mut self, rest: Rest) -> Class {
        let mut memo = std::mem::take(&mut self.after);
        let result = self.compose(rest.0, &mut memo, &mut |space, atom| space.unfolded[atom]);
        self.after = memo;
        Class(result)
    }

    /// Returns the class of a rest with its literals and temporal formulas replaced.
    pub fn replaced(&mut self, rest: Rest, with: &mut dyn FnMut(&Formula) -> Formula) -> Class {
        let mut memo = FxHashMap::default();
        Class(self.compose(rest.0, &mut memo, &mut |space, atom| space.class(&with(atom)).0))
    }

    /// Returns the class of an unfolded formula in which the literals and temporal formulas of the
    /// next position are replaced.
    pub fn replaced_next(
        &mut self,
        class: Class,
        with: &mut dyn FnMut(&Formula) -> Formula,
    ) -> Class {
        self.replaced_next_in([class], with)[0]
    }

    /// Does the same for several classes; what they have in common is replaced once.
    pub fn replaced_next_in(
        &mut self,
        classes: impl IntoIterator<Item = Class>,
        with: &mut dyn FnMut(&Formula) -> Formula,
    ) -> Vec<Class> {
        let mut memo = FxHashMap::default();
        let mut values: FxHashMap<Formula, Diagram> = FxHashMap::default();
        let mut value = |space: &mut Self, atom: &Formula| {
            if let Some(known) = values.get(atom) {
                return *known;
            }
            let replacement = normal_form(&with(atom));
            space.unfold(&replacement);
            let value = space.postponed[&replacement];
            values.insert(atom.clone(), value);
            value
        };
        let classes = classes.into_iter();
        classes.map(|class| Class(self.compose(class.0, &mut memo, &mut value))).collect()
    }

    /// Returns the literals and temporal formulas whose next positions a class depends on.
    pub fn atoms(&self, class: Class) -> Vec<Formula> {
        self.support(class.0)
    }

    /// The literals and temporal formulas that a rest depends on.
    pub fn atoms_of_rest(&self, rest: Rest) -> Vec<Formula> {
        self.support(rest.0)
    }

    fn support(&self, diagram: Diagram) -> Vec<Formula> {
        let props = self.alphabet.props().len() as u32;
        let mut seen: FxHashMap<Diagram, ()> = FxHashMap::default();
        let mut found = vec![false; self.atoms.len()];
        let mut stack = vec![diagram];
        while let Some(diagram) = stack.pop() {
            if diagram.is_constant() || seen.insert(diagram, ()).is_some() {
                continue;
            }
            interrupt::poll();
            if let Some(atom) = self.diagrams.variable(diagram).checked_sub(props) {
                found[atom as usize] = true;
            }
            let (low, high) = self.diagrams.branches(diagram);
            stack.extend([low, high]);
        }
        let atoms = self.atoms.iter().zip(found);
        atoms.filter(|(_, found)| *found).map(|(atom, _)| atom.clone()).collect()
    }

    /// Returns a rest as a formula, the disjunction of its prime implicants; `None` if that is
    /// large.
    pub fn formula(&mut self, rest: Rest) -> Option<Formula> {
        let props = self.alphabet.props().len();
        let mut conjunctions = vec![];
        let mut count = 0;
        let atoms = &self.atoms;
        self.diagrams.each_prime(rest.0, |prime| {
            count += 1;
            if count <= MAX_CONJUNCTIONS {
                let atom = |variable: &u32| atoms[*variable as usize - props].clone();
                conjunctions.push(Formula::and(prime.iter().map(atom)));
            }
        });
        (count <= MAX_CONJUNCTIONS).then(|| Formula::or(conjunctions))
    }

    /// Returns the variable of the formula at the next position.
    fn variable(&mut self, atom: &Formula) -> Diagram {
        if let Some(&known) = self.variables.get(atom) {
            return known;
        }
        let number = (self.alphabet.props().len() + self.atoms.len()) as u32;
        let variable = self.diagrams.literal(number, true);
        self.atoms.push(atom.clone());
        self.variables.insert(atom.clone(), variable);
        variable
    }

    /// Unfolds all subformulas of a formula in normal form.
    fn unfold(&mut self, formula: &Formula) {
        if self.postponed.contains_key(formula) {
            return;
        }
        for f in formula.subformulas() {
            if self.postponed.contains_key(&f) {
                continue;
            }
            interrupt::poll();
            let (now, next) = self.unfolded_root(&f);
            self.unfolded.insert(f.clone(), now);
            self.postponed.insert(f, next);
        }
    }

    /// Returns the functions of a formula and of `X` before it, from those of its operands.
    fn unfolded_root(&mut self, f: &Formula) -> (Diagram, Diagram) {
        let operands: Vec<Diagram> =
            f.children().iter().map(|child| self.unfolded[child]).collect();
        let fold = |space: &mut Self, and: bool, operands: &[Diagram]| {
            operands.iter().fold(if and { Diagram::TRUE } else { Diagram::FALSE }, |l, &r| {
                if and { space.diagrams.and(l, r) } else { space.diagrams.or(l, r) }
            })
        };
        match f.op() {
            Op::True => (Diagram::TRUE, Diagram::TRUE),
            Op::False => (Diagram::FALSE, Diagram::FALSE),
            Op::Prop | Op::Not => (self.literal(f), self.variable(f)),
            Op::And | Op::Or => {
                let and = f.op() == Op::And;
                let next: Vec<Diagram> =
                    f.children().iter().map(|child| self.postponed[child]).collect();
                (fold(self, and, &operands), fold(self, and, &next))
            }
            Op::Next => (self.postponed[&f.children()[0]], self.variable(f)),
            op => {
                let next = self.variable(f);
                let (left, right) = match operands[..] {
                    [operand] => (None, operand),
                    [left, right] => (Some(left), right),
                    _ => unreachable!("temporal operators have one or two operands"),
                };
                let diagrams = &mut self.diagrams;
                let now = match (op, left) {
                    (Op::Finally, None) => diagrams.or(right, next),
                    (Op::Globally, None) => diagrams.and(right, next),
                    (Op::Until | Op::WeakUntil, Some(left)) => {
                        let waiting = diagrams.and(left, next);
                        diagrams.or(right, waiting)
                    }
                    (Op::Release | Op::StrongRelease, Some(left)) => {
                        let released = diagrams.or(left, next);
                        diagrams.and(right, released)
                    }
                    _ => unreachable!("{op:?} in normal form"),
                };
                (now, next)
            }
        }
    }

    fn literal(&mut self, f: &Formula) -> Diagram {
        let (prop, positive) = match f.op() {
            Op::Prop => (f.as_prop(), true),
            _ => (f.children()[0].as_prop(), false),
        };
        let index = prop.and_then(|prop| self.alphabet.index_of(prop));
        let index = index.unwrap_or_else(|| panic!("{f} has a proposition outside of the space"));
        self.diagrams.literal(index as u32, positive)
    }

    /// Replaces each variable that is not a proposition by another function. Functions are monotone
    /// in these variables.
    fn compose(
        &mut self,
        root: Diagram,
        memo: &mut FxHashMap<Diagram, Diagram>,
        value: &mut dyn FnMut(&mut Self, &Formula) -> Diagram,
    ) -> Diagram {
        let props = self.alphabet.props().len() as u32;
        let mut stack = vec![root];
        while let Some(&diagram) = stack.last() {
            interrupt::poll();
            if diagram.is_constant() || memo.contains_key(&diagram) {
                stack.pop();
                continue;
            }
            let (low, high) = self.diagrams.branches(diagram);
            let get = |memo: &FxHashMap<Diagram, Diagram>, part: Diagram| {
                if part.is_constant() { Some(part) } else { memo.get(&part).copied() }
            };
            let (Some(low_done), Some(high_done)) = (get(memo, low), get(memo, high)) else {
                stack.extend([low, high]);
                continue;
            };
            let variable = self.diagrams.variable(diagram);
            let result = match variable.checked_sub(props) {
                None => {
                    let positive = self.diagrams.literal(variable, true);
                    let negative = self.diagrams.literal(variable, false);
                    let with = self.diagrams.and(positive, high_done);
                    let without = self.diagrams.and(negative, low_done);
                    self.diagrams.or(with, without)
                }
                Some(atom) => {
                    let atom = self.atoms[atom as usize].clone();
                    let value = value(self, &atom);
                    let with = self.diagrams.and(value, high_done);
                    self.diagrams.or(with, low_done)
                }
            };
            memo.insert(diagram, result);
            stack.pop();
        }
        if root.is_constant() { root } else { memo[&root] }
    }
}

/// Returns the joint steps of several classes: disjoint labels that cover all letters, with the
/// rest of each class. Each pair of steps takes one from `left`; `None` if nothing is left.
pub fn joint_steps(
    alphabet: &Alphabet,
    steps: &[Steps],
    left: &mut usize,
) -> Option<Vec<(Label, Vec<Rest>)>> {
    let mut joint = vec![(alphabet.tt(), Vec::with_capacity(steps.len()))];
    for steps in steps {
        if let [(_, rest)] = steps[..] {
            joint.iter_mut().for_each(|(_, rests)| rests.push(rest));
            continue;
        }
        *left = left.checked_sub(joint.len() * steps.len())?;
        let mut finer = vec![];
        for (label, rests) in &joint {
            for (other, rest) in steps.iter() {
                let both = alphabet.and(*label, *other);
                if both != alphabet.ff() {
                    let mut rests = rests.clone();
                    rests.push(*rest);
                    finer.push((both, rests));
                }
            }
        }
        joint = finer;
    }
    Some(joint)
}
