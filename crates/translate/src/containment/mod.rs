//! Simplification of formulas by their languages: removes redundant subformulas.
//!
//! A subformula is replaced by a constant or by one of its operands, or a strong operator by the
//! weak one, if that does not change the language of the whole formula. Sample words reject almost
//! all wrong changes cheaply. For the others, an automaton for the words on which the two formulas
//! differ decides. Syntactic rules find most of these changes, but not those that depend on the
//! context: in `a & F(a | b)` the second operand is always true.

mod samples;

use crate::tableau;
use rustc_hash::FxHashMap;
use samples::Samples;
use sempre_automata::emptiness;
use sempre_ltl::generate::Rng;
use sempre_ltl::rewrite::simplify::Simplifier;
use sempre_ltl::{Formula, Op, Traits};

/// The maximal number of distinct subformulas.
const MAX_SUBFORMULAS: usize = 80;
/// The maximal number of states of the automaton of a difference; beyond, formulas count as
/// different.
const MAX_STATES: usize = 40;
/// The maximal number of letters of such an automaton, summed over its states: with many
/// propositions, a few states may have very many, and samples are wrong more often.
const MAX_LETTERS: usize = 1 << 13;
/// The maximal number of nodes of decision diagrams for such an automaton: the labels of a few
/// states may need very many.
const MAX_NODES: usize = 1 << 16;
/// The maximal number of wrong changes that pass the samples.
const MAX_MISTAKES: usize = 1;

/// A change of one node.
#[derive(Clone, Copy)]
enum Change {
    /// The operand with this index becomes a constant.
    Constant(usize, bool),
    /// The node becomes its operand with this index.
    Operand(usize),
    /// The operator of the node changes.
    Operator(Op),
}

/// Removes redundant subformulas. The formula must have been simplified.
pub fn strip(formula: &Formula, simplifier: &mut Simplifier) -> Formula {
    let mut best = formula.clone();
    let mut mistakes = vec![];
    while let Some(smaller) = step(&best, simplifier, &mut mistakes) {
        best = smaller;
    }
    best
}

/// The measure to minimize.
fn measure(formula: &Formula) -> (u64, usize) {
    let strong = |f: &Formula| matches!(f.op(), Op::Until | Op::StrongRelease);
    (formula.size(), formula.subformulas().filter(strong).count())
}

fn step(
    formula: &Formula,
    simplifier: &mut Simplifier,
    mistakes: &mut Vec<Formula>,
) -> Option<Formula> {
    let nodes = Nodes::new(formula)?;
    let mut scratch = nodes.samples.clone();
    // Starts at the root, where a change removes most.
    for node in (0..nodes.formulas.len()).rev() {
        for change in nodes.changes(node) {
            if !nodes.seems_right(node, change, &mut scratch) {
                continue;
            }
            let changed = simplifier.simplify(&nodes.changed(node, change));
            if measure(&changed) >= measure(formula) || mistakes.contains(&changed) {
                continue;
            }
            if nodes.equivalent(change, &changed) {
                return Some(changed);
            }
            mistakes.push(changed);
            if mistakes.len() > MAX_MISTAKES {
                return None;
            }
        }
    }
    None
}

/// The distinct subformulas, operands first.
struct Nodes {
    formulas: Vec<Formula>,
    operands: Vec<Vec<usize>>,
    samples: Vec<Samples>,
}

impl Nodes {
    fn new(formula: &Formula) -> Option<Self> {
        let mut nodes = Nodes { formulas: vec![], operands: vec![], samples: vec![] };
        let mut numbers: FxHashMap<Formula, usize> = FxHashMap::default();
        let mut rng = Rng::new(1);
        for f in formula.subformulas() {
            if nodes.formulas.len() == MAX_SUBFORMULAS {
                return None;
            }
            let operands: Vec<usize> = f.children().iter().map(|child| numbers[child]).collect();
            let samples = match f.op() {
                Op::Prop => Samples::random(&mut rng),
                op => nodes.evaluate(op, &operands, &nodes.samples),
            };
            numbers.insert(f.clone(), nodes.formulas.len());
            nodes.formulas.push(f);
            nodes.operands.push(operands);
            nodes.samples.push(samples);
        }
        Some(nodes)
    }

    fn evaluate(&self, op: Op, operands: &[usize], samples: &[Samples]) -> Samples {
        match *operands {
            [f] => Samples::of(op, &[samples[f]]),
            [f, g] => Samples::of(op, &[samples[f], samples[g]]),
            _ => {
                let operands: Vec<Samples> = operands.iter().map(|&f| samples[f]).collect();
                Samples::of(op, &operands)
            }
        }
    }

    fn changes(&self, node: usize) -> Vec<Change> {
        let mut changes = vec![];
        let places = 0..self.operands[node].len();
        let op = self.formulas[node].op();
        match op {
            Op::Not => return changes,
            Op::And | Op::Or => {
                // The neutral constant; the other one makes the whole node constant.
                changes.extend(places.map(|place| Change::Constant(place, op == Op::And)));
            }
            _ => {
                for place in places {
                    changes.push(Change::Constant(place, true));
                    changes.push(Change::Constant(place, false));
                    changes.push(Change::Operand(place));
                }
            }
        }
        match op {
            Op::Until => changes.push(Change::Operator(Op::WeakUntil)),
            Op::StrongRelease => changes.push(Change::Operator(Op::Release)),
            _ => {}
        }
        changes
    }

    /// False if the samples distinguish the changed formula from the original one.
    fn seems_right(&self, node: usize, change: Change, scratch: &mut [Samples]) -> bool {
        let op = self.formulas[node].op();
        scratch[node] = match change {
            Change::Constant(place, value) => {
                let operands: Vec<Samples> = self.operands[node]
                    .iter()
                    .enumerate()
                    .map(
                        |(i, &f)| {
                            if i == place { Samples::constant(value) } else { self.samples[f] }
                        },
                    )
                    .collect();
                Samples::of(op, &operands)
            }
            Change::Operand(place) => self.samples[self.operands[node][place]],
            Change::Operator(op) => self.evaluate(op, &self.operands[node], &self.samples),
        };
        let root = self.formulas.len() - 1;
        // Subformulas before the node are unchanged, so scratch agrees with the samples there.
        for later in node + 1..=root {
            scratch[later] = match self.formulas[later].op() {
                Op::Prop => self.samples[later],
                op => self.evaluate(op, &self.operands[later], scratch),
            };
        }
        let right = scratch[root] == self.samples[root];
        scratch[node..].copy_from_slice(&self.samples[node..]);
        right
    }

    fn changed(&self, node: usize, change: Change) -> Formula {
        let mut formulas = self.formulas.clone();
        let op = self.formulas[node].op();
        let operand = |place: usize| self.formulas[self.operands[node][place]].clone();
        let arity = self.operands[node].len();
        formulas[node] = match change {
            Change::Constant(place, value) => Formula::new(
                op,
                (0..arity).map(|i| if i == place { Formula::constant(value) } else { operand(i) }),
            ),
            Change::Operand(place) => operand(place),
            Change::Operator(op) => Formula::new(op, (0..arity).map(operand)),
        };
        for later in node + 1..formulas.len() {
            if !self.operands[later].is_empty() {
                let operands: Vec<Formula> =
                    self.operands[later].iter().map(|&f| formulas[f].clone()).collect();
                formulas[later] = self.formulas[later].with_children(operands);
            }
        }
        formulas.pop().unwrap_or_else(|| unreachable!("there is a root"))
    }

    /// True if the change preserves the language.
    fn equivalent(&self, change: Change, changed: &Formula) -> bool {
        let root = &self.formulas[self.formulas.len() - 1];
        // In negation normal form, a weaker subformula makes the formula weaker.
        let (weaker, stronger) = match change {
            _ if !root.is(Traits::NNF) => (false, false),
            Change::Constant(_, value) => (value, !value),
            Change::Operand(_) => (false, false),
            Change::Operator(_) => (true, false),
        };
        (stronger || included(changed, root)) && (weaker || included(root, changed))
    }
}

/// True if the left formula implies the right one; false if not, or if the decision takes too long.
fn included(left: &Formula, right: &Formula) -> bool {
    let difference = Formula::and([left.clone(), Formula::not(right)]);
    let options = tableau::Options {
        letters: Some(MAX_LETTERS),
        nodes: Some(MAX_NODES),
        ..tableau::Options::default()
    };
    tableau::translate_up_to(&difference, options, MAX_STATES)
        .is_some_and(|automaton| emptiness::is_empty(&automaton))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_ltl::arbitrary;
    use sempre_ltl::rewrite::simplify::Level;
    use sempre_ltl::semantics::holds;

    fn stripped(text: &str) -> String {
        let mut simplifier = Simplifier::new(Level::default());
        let formula = simplifier.simplify(&text.parse().unwrap());
        strip(&formula, &mut simplifier).to_string()
    }

    #[test]
    fn what_the_context_implies_goes() {
        assert_eq!(stripped("X(!a & (b | F(a <-> Fa)))"), "X!a");
        assert_eq!(stripped("Ga & ((X(b | !c) R c) W b)"), "Ga & (c W b)");
        assert_eq!(stripped("G!a | (b U a)"), "G!a | (b W a)");
        assert_eq!(stripped("(a R (b R c)) & (b R (c R a)) & (c R (a R b))"), "a & b & c");
        assert_eq!(stripped("a U b"), "a U b");
    }

    fn formula(text: &str) -> Formula {
        text.parse().unwrap()
    }

    /// Below a negation or an equivalence, a weaker subformula can make the formula stronger.
    #[test]
    fn polarity_counts_in_normal_form_only() {
        let weakly = |root: &str, changed: &str| {
            let nodes = Nodes::new(&formula(root)).unwrap();
            nodes.equivalent(Change::Operator(Op::WeakUntil), &formula(changed))
        };
        assert!(!weakly("!(a U b)", "!(a W b)"));
        assert!(!weakly("(a U b) <-> 0", "(a W b) <-> 0"));
        assert!(!weakly("c & ((a U b) <-> 0)", "c & ((a W b) <-> 0)"));
        assert!(!weakly("a U b", "a W b"));
        assert!(weakly("G!a | (b U a)", "G!a | (b W a)"));
        let constant = |root: &str, value: bool, changed: &str| {
            let nodes = Nodes::new(&formula(root)).unwrap();
            nodes.equivalent(Change::Constant(0, value), &formula(changed))
        };
        assert!(!constant("X a", true, "1"));
        assert!(!constant("X a", false, "0"));
        assert!(!constant("!X a", true, "0"));
        assert!(!constant("!X a", false, "1"));
    }

    /// Differences that are too large to decide count as differences.
    #[test]
    fn inclusions_beyond_the_bounds_are_not_assumed() {
        let next = |count: usize, f: Formula| (0..count).fold(f, |f, _| Formula::next(f));
        let far = |count| next(count, formula("a"));
        assert!(included(&far(MAX_STATES / 2), &far(MAX_STATES / 2)));
        assert!(!included(&Formula::tt(), &far(2 * MAX_STATES)));
        let wide = (0..MAX_LETTERS.ilog2() + 3).map(|n| Formula::prop(format!("p{n}").as_str()));
        let wide = Formula::or(wide.map(|prop| Formula::globally(Formula::finally(prop))));
        assert!(!included(&Formula::tt(), &wide));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn what_is_left_is_equivalent(f in arbitrary::formula(14), word in arbitrary::word(5)) {
            let mut simplifier = Simplifier::new(Level::default());
            let simple = simplifier.simplify(&f);
            prop_assert_eq!(holds(&strip(&simple, &mut simplifier), &word), holds(&f, &word));
        }
    }
}
