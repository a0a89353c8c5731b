//! Labels: exact Boolean functions over the propositions of an alphabet, in two representations.
//!
//! Over at most six propositions a label is its truth table, one machine word, and every operation
//! is one instruction. Over more propositions labels are decision diagrams of the alphabet. The
//! interface is the same for both.

mod algebra;
mod diagrams;
mod tables;
#[cfg(test)]
mod tests;

use crate::Error;
use algebra::Algebra;
use diagrams::Diagrams;
use sempre_ltl::{Formula, Op, Prop, Traits, interrupt};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tables::Tables;

/// A Boolean function over the propositions of one [`Alphabet`].
///
/// Labels of one alphabet are equal exactly if they are the same function. Do not mix labels of
/// different alphabets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u64);

impl Label {
    /// Returns a number that identifies the label within its alphabet; 0 is false.
    pub(crate) const fn code(self) -> u64 {
        self.0
    }

    /// Returns the label with this [code](Label::code).
    pub(crate) const fn from_code(code: u64) -> Self {
        Label(code)
    }
}

/// The propositions that an automaton reads, and the Boolean functions over them.
///
/// ```
/// use sempre_automata::Alphabet;
/// let alphabet = Alphabet::new(["a", "b"]).unwrap();
/// let (a, b) = (alphabet.prop(0), alphabet.prop(1));
/// let either = alphabet.or(a, b);
/// assert!(alphabet.implies(a, either));
/// assert_eq!(alphabet.and(a, alphabet.not(either)), alphabet.ff());
/// assert_eq!(alphabet.to_formula(either).to_string(), "a | b");
/// assert_eq!(alphabet.count(either), 3);
/// ```
pub struct Alphabet {
    props: Vec<Prop>,
    tier: Tier,
}

/// The maximal number of diagram nodes for creating further labels from texts.
pub(crate) const MAX_NODES: usize = 1 << 23;

enum Tier {
    Tables,
    Diagrams(Mutex<Diagrams>),
}

/// A conjunction of literals in ascending order: the number of each proposition, and whether it is
/// positive.
pub type Cube = Vec<(usize, bool)>;

/// Runs an operation on the representation of the alphabet.
macro_rules! on_tier {
    ($alphabet:expr, $algebra:ident => $operation:expr) => {
        match &$alphabet.tier {
            Tier::Tables => {
                let $algebra = &mut Tables;
                $operation
            }
            Tier::Diagrams(diagrams) => {
                let $algebra = &mut *lock(diagrams);
                $operation
            }
        }
    };
}

fn lock(diagrams: &Mutex<Diagrams>) -> MutexGuard<'_, Diagrams> {
    // Diagrams only grow, and nodes are complete when added, so they remain usable after a panic.
    diagrams.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Alphabet {
    /// The alphabet over these propositions, which must be distinct.
    pub fn new<P: Into<Prop>>(props: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        let props: Vec<Prop> = props.into_iter().map(Into::into).collect();
        let mut sorted: Vec<&Prop> = props.iter().collect();
        sorted.sort();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::new(format!("the proposition {:?} occurs twice", pair[0])));
        }
        let tier = if props.len() <= tables::MAX_PROPS {
            Tier::Tables
        } else {
            Tier::Diagrams(Mutex::new(Diagrams::new()))
        };
        Ok(Alphabet { props, tier })
    }

    /// Forces decision diagrams for any number of propositions, to compare both representations.
    #[cfg(test)]
    fn with_diagrams(props: usize) -> Self {
        let props = (0..props).map(|i| Prop::new(format!("p{i}"))).collect();
        Alphabet { props, tier: Tier::Diagrams(Mutex::new(Diagrams::new())) }
    }

    /// True if codes of labels are truth tables; then `&`, `|` and `!` apply to codes directly.
    pub(crate) fn has_tables(&self) -> bool {
        matches!(self.tier, Tier::Tables)
    }

    /// The propositions, in the order of their numbers.
    pub fn props(&self) -> &[Prop] {
        &self.props
    }

    /// The number of a proposition.
    pub fn index_of(&self, prop: &Prop) -> Option<usize> {
        self.props.iter().position(|p| p == prop)
    }

    /// The label that every valuation satisfies.
    pub fn tt(&self) -> Label {
        on_tier!(self, algebra => algebra.constant(true))
    }

    /// The label that no valuation satisfies.
    pub fn ff(&self) -> Label {
        on_tier!(self, algebra => algebra.constant(false))
    }

    /// Returns the label of the proposition with this number.
    ///
    /// # Panics
    /// If there is no such proposition.
    pub fn prop(&self, index: usize) -> Label {
        assert!(index < self.props.len(), "no proposition has the number {index}");
        on_tier!(self, algebra => algebra.variable(index))
    }

    /// `l & r`
    pub fn and(&self, left: Label, right: Label) -> Label {
        on_tier!(self, algebra => algebra.and(left, right))
    }

    /// `l | r`
    pub fn or(&self, left: Label, right: Label) -> Label {
        on_tier!(self, algebra => algebra.or(left, right))
    }

    /// `!l`
    pub fn not(&self, label: Label) -> Label {
        on_tier!(self, algebra => algebra.not(label))
    }

    /// `l & !r`
    pub fn minus(&self, left: Label, right: Label) -> Label {
        on_tier!(self, algebra => { let right = algebra.not(right); algebra.and(left, right) })
    }

    /// True if every valuation that satisfies `left` satisfies `right`.
    pub fn implies(&self, left: Label, right: Label) -> bool {
        self.minus(left, right) == self.ff()
    }

    /// True if no valuation satisfies both.
    pub fn disjoint(&self, left: Label, right: Label) -> bool {
        self.and(left, right) == self.ff()
    }

    /// The disjunction of all.
    pub fn any_of(&self, labels: impl IntoIterator<Item = Label>) -> Label {
        labels.into_iter().fold(self.ff(), |l, r| self.or(l, r))
    }

    /// True if no valuation satisfies two of them.
    pub fn pairwise_disjoint(&self, labels: impl IntoIterator<Item = Label>) -> bool {
        let mut seen = self.ff();
        labels.into_iter().all(|label| {
            let disjoint = self.disjoint(seen, label);
            seen = self.or(seen, label);
            disjoint
        })
    }

    /// Returns the finest classes of letters that the labels distinguish: each label is a
    /// disjunction of some of them. There may be 2^n classes for n labels.
    pub fn classes(&self, labels: impl IntoIterator<Item = Label>) -> Vec<Label> {
        let classes = self.classes_up_to(labels, usize::MAX);
        classes.unwrap_or_else(|| unreachable!("there is no limit"))
    }

    /// Returns the [classes](Alphabet::classes) of letters; `None` if there are more than `most`.
    pub fn classes_up_to(
        &self,
        labels: impl IntoIterator<Item = Label>,
        most: usize,
    ) -> Option<Vec<Label>> {
        let mut labels: Vec<Label> = labels.into_iter().collect();
        labels.sort_unstable();
        labels.dedup();
        let mut classes = vec![self.tt()];
        for label in labels {
            let mut finer = Vec::with_capacity(classes.len() + 1);
            for class in classes {
                interrupt::poll();
                let parts = [self.and(class, label), self.minus(class, label)];
                finer.extend(parts.into_iter().filter(|part| *part != self.ff()));
                if finer.len() > most {
                    return None;
                }
            }
            classes = finer;
        }
        Some(classes)
    }

    /// Visits the letters that satisfy the label, each as the label of one valuation of all
    /// propositions, in ascending order from proposition 0 on, false first. There may be 2^n of
    /// them for n propositions.
    pub fn for_each_letter(&self, label: Label, mut visit: impl FnMut(Label)) {
        let ff = self.ff();
        let mut parts = vec![(label, 0)];
        while let Some((part, prop)) = parts.pop() {
            interrupt::poll();
            if part == ff {
                continue;
            }
            if prop == self.props.len() {
                visit(part);
                continue;
            }
            let holds = self.prop(prop);
            parts.push((self.and(part, holds), prop + 1));
            parts.push((self.minus(part, holds), prop + 1));
        }
    }

    /// True if the label is the same function as `theirs` of an equal alphabet.
    pub(crate) fn same_function(&self, label: Label, other: &Alphabet, theirs: Label) -> bool {
        if std::ptr::eq(self, other) || matches!(self.tier, Tier::Tables) {
            return label == theirs;
        }
        let places: Vec<usize> = (0..self.props.len()).collect();
        self.translate(label, other, &places) == theirs
    }

    /// Returns the number of diagram nodes of this alphabet; 0 for truth tables.
    pub(crate) fn diagram_nodes(&self) -> usize {
        match &self.tier {
            Tier::Tables => 0,
            Tier::Diagrams(diagrams) => lock(diagrams).len(),
        }
    }

    /// True if the valuation with these bits (proposition 0 in bit 0) satisfies the label;
    /// propositions from 64 on are false.
    pub fn satisfied(&self, label: Label, valuation: u64) -> bool {
        match &self.tier {
            Tier::Tables => label.0 >> (valuation & 63) & 1 == 1,
            Tier::Diagrams(_) => self.satisfied_by(label, |i| i < 64 && valuation >> i & 1 == 1),
        }
    }

    /// Returns which of at most 64 valuations, given as for [`Alphabet::satisfied`], satisfy the
    /// label.
    pub(crate) fn satisfied_among(&self, label: Label, valuations: &[u64]) -> u64 {
        on_tier!(self, algebra => valuations.iter().enumerate().fold(0, |bits, (place, valuation)| {
            let value = |i: usize| i < 64 && valuation >> i & 1 == 1;
            bits | u64::from(algebra::evaluate(algebra, label, value)) << place
        }))
    }

    /// True if the valuation given by the function satisfies the label.
    pub fn satisfied_by(&self, label: Label, value: impl Fn(usize) -> bool) -> bool {
        on_tier!(self, algebra => algebra::evaluate(algebra, label, value))
    }

    /// Returns the number of valuations of all propositions that satisfy the label; saturates.
    pub fn count(&self, label: Label) -> u128 {
        on_tier!(self, algebra => algebra::count(algebra, label, self.props.len()))
    }

    /// Returns the numbers of the propositions that the label depends on, ascending.
    pub fn support(&self, label: Label) -> Vec<usize> {
        on_tier!(self, algebra => algebra::support(algebra, label))
    }

    /// Returns an irredundant set of cubes whose disjunction is the label; equal labels have equal
    /// cubes. There may be exponentially many: see [`Alphabet::cubes_up_to`].
    pub fn cubes(&self, label: Label) -> Vec<Cube> {
        self.cubes_up_to(label, usize::MAX).unwrap_or_else(|| unreachable!("there is no limit"))
    }

    /// Returns the [cubes](Alphabet::cubes) of the label; `None` if there are more than `most`.
    pub fn cubes_up_to(&self, label: Label, most: usize) -> Option<Vec<Cube>> {
        on_tier!(self, algebra => algebra::cover(algebra, label, most))
    }

    /// Returns a label between two labels, the first of which implies the second, that has few cubes;
    /// `None` if there are more than `most`.
    pub(crate) fn between(&self, lower: Label, upper: Label, most: usize) -> Option<Label> {
        on_tier!(self, algebra => algebra::between(algebra, lower, upper, most))
    }

    /// Returns the label of a cube.
    ///
    /// # Panics
    /// If the alphabet lacks one of its propositions.
    pub fn from_cube(&self, cube: &[(usize, bool)]) -> Label {
        let known = cube.iter().all(|(index, _)| *index < self.props.len());
        assert!(known, "no such proposition in {cube:?}");
        on_tier!(self, algebra => algebra.cube(cube))
    }

    /// Returns the true propositions of a satisfying valuation with few of them; equal labels have
    /// equal results. `None` for false.
    pub fn some_valuation(&self, label: Label) -> Option<Vec<usize>> {
        on_tier!(self, algebra => algebra::some_valuation(algebra, label))
    }

    /// Quantifies proposition `index` existentially.
    pub fn exists(&self, label: Label, index: usize) -> Label {
        on_tier!(self, algebra => algebra::exists(algebra, label, index))
    }

    /// Converts the label to a Boolean formula.
    pub fn to_formula(&self, label: Label) -> Formula {
        Formula::or(self.cubes(label).into_iter().map(|cube| {
            Formula::and(cube.into_iter().map(|(index, positive)| {
                let prop = Formula::from(&self.props[index]);
                if positive { prop } else { Formula::not(prop) }
            }))
        }))
    }

    /// Converts a Boolean formula to a label.
    ///
    /// # Errors
    /// If the formula is temporal or has unknown propositions, or if the labels of this alphabet
    /// would need too many diagram nodes.
    pub fn from_formula(&self, formula: &Formula) -> Result<Label, Error> {
        if !formula.is(Traits::BOOLEAN) {
            return Err(Error::new(format!("the label {formula} has temporal operators")));
        }
        let bounded = |label: Label| {
            if self.diagram_nodes() <= MAX_NODES {
                return Ok(label);
            }
            Err(Error::new(format!("labels need more than {MAX_NODES} nodes of decision diagrams")))
        };
        let mut labels: rustc_hash::FxHashMap<Formula, Label> = Default::default();
        let mut last = self.tt();
        for f in formula.subformulas() {
            let mut operands = f.children().iter().map(|child| labels[child]);
            let mut next = || operands.next().unwrap_or_else(|| unreachable!("arity"));
            last = match f.op() {
                Op::Prop => {
                    let prop = f.as_prop().unwrap_or_else(|| unreachable!("a proposition"));
                    let index = self.index_of(prop);
                    self.prop(index.ok_or_else(|| {
                        Error::new(format!("the proposition {prop:?} is not declared"))
                    })?)
                }
                Op::True => self.tt(),
                Op::False => self.ff(),
                Op::Not => self.not(next()),
                Op::And => operands.try_fold(self.tt(), |l, r| bounded(self.and(l, r)))?,
                Op::Or => operands.try_fold(self.ff(), |l, r| bounded(self.or(l, r)))?,
                Op::Implies => {
                    let (l, r) = (next(), next());
                    self.or(self.not(l), r)
                }
                Op::Xor | Op::Iff => {
                    let (l, r) = (next(), next());
                    let xor = self.or(self.minus(l, r), self.minus(r, l));
                    if f.op() == Op::Xor { xor } else { self.not(xor) }
                }
                _ => unreachable!("the formula is Boolean"),
            };
            labels.insert(f, bounded(last)?);
        }
        Ok(last)
    }

    /// Translates the label to another alphabet, where proposition `i` has the number `places[i]`.
    /// Linear in the nodes of the diagram if the propositions keep their order; otherwise as many
    /// operations on labels of the target as there are nodes.
    pub fn translate(&self, label: Label, target: &Alphabet, places: &[usize]) -> Label {
        let identity = places.iter().enumerate().all(|(i, place)| i == *place);
        if let (Tier::Tables, Tier::Tables, true) = (&self.tier, &target.tier, identity) {
            return label;
        }
        let nodes = on_tier!(self, algebra => algebra::nodes(algebra, label));
        on_tier!(target, algebra => algebra::rebuild(algebra, &nodes, places))
    }

    /// Returns the union of both alphabets, and the positions of each one's propositions in it.
    /// Those of `self` keep their numbers.
    pub fn union(&self, other: &Alphabet) -> (Alphabet, Vec<usize>, Vec<usize>) {
        let mut props = self.props.clone();
        let places = other
            .props
            .iter()
            .map(|prop| {
                self.index_of(prop).unwrap_or_else(|| {
                    props.push(prop.clone());
                    props.len() - 1
                })
            })
            .collect();
        let own = (0..self.props.len()).collect();
        let union = Alphabet::new(props).unwrap_or_else(|_| unreachable!("no duplicates"));
        (union, own, places)
    }
}

/// Alphabets are equal if they have the same propositions in the same order.
impl PartialEq for Alphabet {
    fn eq(&self, other: &Self) -> bool {
        self.props == other.props
    }
}

impl Eq for Alphabet {}

impl fmt::Debug for Alphabet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.props)
    }
}
