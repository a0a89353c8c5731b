//! The registry of rules: laws, and functions.

use super::Level;
use super::dual::Side;
use super::implication::Implications;
use super::laws::GROUPS;
use super::operands;
use super::pattern::{Equation, dual};
use crate::{Formula, Op};
use std::sync::LazyLock;

/// A rule of the simplifier.
#[derive(Debug)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// The level it belongs to.
    pub level: Level,
    /// Why it is sound, in a few words.
    pub why: &'static str,
    /// The equivalences that it applies, from left to right.
    pub laws: Vec<Law>,
}

/// An equivalence between formulas over metavariables: `f`, `g`, `h` match any formula, `e` pure
/// eventualities, `u` pure universalities, `q` formulas that are both.
#[derive(Debug)]
pub struct Law {
    /// The left-hand side.
    pub left: Formula,
    /// The right-hand side.
    pub right: Formula,
    /// The law holds if the first of these implies the second.
    pub premise: Option<(Formula, Formula)>,
}

type Function = fn(Side, &Formula, &mut Implications) -> Option<Formula>;

/// A rule that is a function on formulas with one of these roots. Like rows, functions are written
/// once for both sides; the laws document them.
struct FunctionRule {
    name: &'static str,
    level: Level,
    why: &'static str,
    roots: &'static [Op],
    function: Function,
    laws: &'static [(&'static str, &'static str, &'static str)],
}

const FUNCTIONS: &[FunctionRule] = &[
    FunctionRule {
        name: "units-and-duplicates",
        level: Level::Basic,
        why: "one constant is neutral, the other absorbs, repetitions add nothing",
        roots: &[Op::And],
        function: operands::units_and_duplicates,
        laws: &[("f & 1", "f", ""), ("f & 0", "0", ""), ("f & f", "f", "")],
    },
    FunctionRule {
        name: "propagate-literals",
        level: Level::Basic,
        why: "a literal that must hold now has its value in all that is said about now",
        roots: &[Op::And],
        function: operands::propagate_literals,
        laws: &[],
    },
    FunctionRule {
        name: "tautology",
        level: Level::Basic,
        why: "the truth table over the operands' atoms is constant",
        roots: &[Op::And, Op::Iff],
        function: operands::tautology,
        laws: &[("f & !f", "0", ""), ("f & (g | !f) & !g", "0", "")],
    },
    FunctionRule {
        name: "join-unary",
        level: Level::Basic,
        why: "X distributes over & and |, G and FG over &, F and GF over |",
        roots: &[Op::And],
        function: operands::join_unary,
        laws: &[
            ("X f & X g", "X(f & g)", ""),
            ("G f & G g", "G(f & g)", ""),
            ("F G f & F G g", "F G(f & g)", ""),
        ],
    },
    FunctionRule {
        name: "join-binary",
        level: Level::Basic,
        why: "U and W distribute over & on the left and over | on the right, R and M the other way",
        roots: &[Op::And],
        function: operands::join_binary,
        laws: &[
            ("(f U g) & (h U g)", "(f & h) U g", ""),
            ("(f U g) & (h W g)", "(f & h) U g", ""),
            ("(f W g) & (h W g)", "(f & h) W g", ""),
            ("(f R g) & (f R h)", "f R (g & h)", ""),
            ("(f R g) & (f M h)", "f M (g & h)", ""),
            ("(f M g) & (f M h)", "f M (g & h)", ""),
        ],
    },
    FunctionRule {
        name: "propagate-invariants",
        level: Level::Pure,
        why: "what holds at every position can be replaced by true at every position",
        roots: &[Op::And],
        function: operands::propagate_invariants,
        laws: &[
            ("G f & F(f & g)", "G f & F(1 & g)", ""),
            ("G f & (!f U g)", "G f & (0 U g)", ""),
            ("u & F(g & X u)", "u & F(g & X 1)", ""),
        ],
    },
    FunctionRule {
        name: "propagate-in-body",
        level: Level::Pure,
        why: "what holds at every position can be replaced by true at every position",
        roots: &[Op::Globally],
        function: operands::propagate_in_body,
        laws: &[
            ("G(f & X(f | g))", "G(f & X(1 | g))", ""),
            ("G(f & (g U !f))", "G(f & (g U 0))", ""),
        ],
    },
    FunctionRule {
        name: "split-pure",
        level: Level::Pure,
        why: "pure universalities that will hold will hold together",
        roots: &[Op::Finally],
        function: operands::split_pure,
        laws: &[("F(G f & X G g)", "F G f & F X G g", "")],
    },
    FunctionRule {
        name: "absorb",
        level: Level::Implication,
        why: "an operand that another one implies adds nothing; two that exclude each other cannot \
              both hold",
        roots: &[Op::And],
        function: operands::absorb,
        laws: &[("f & g", "f", "f => g"), ("f & g", "0", "f => !g")],
    },
    FunctionRule {
        name: "smaller-cover",
        level: Level::Implication,
        why: "the truth table over the operands' atoms stays the same",
        roots: &[Op::And],
        function: operands::smaller_cover,
        laws: &[("(f | g) & (f | !g)", "f", "")],
    },
    FunctionRule {
        name: "drop-implied",
        level: Level::Implication,
        why: "what implies the right operand ends the until where it holds",
        roots: &[Op::Until, Op::WeakUntil],
        function: operands::drop_implied,
        laws: &[("(f | h) U g", "f U g", "h => g"), ("(f | h) W g", "f W g", "h => g")],
    },
];

/// A rule at one root operator.
pub(super) struct Use {
    rule: usize,
    level: Level,
    action: Action,
}

enum Action {
    Equation(Box<Equation>),
    Function(Side, Function),
}

struct Registry {
    rules: Vec<Rule>,
    /// By root operator: lower levels first, and within a level in the order of the tables.
    uses: Vec<Vec<Use>>,
}

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let mut registry = Registry { rules: vec![], uses: Op::ALL.iter().map(|_| vec![]).collect() };
    for function in FUNCTIONS {
        let rule = registry.add(function.name, function.level, function.why, function.laws);
        for side in Side::BOTH {
            for root in function.roots {
                let action = Action::Function(side, function.function);
                registry.uses[side.op(*root) as usize].push(Use {
                    rule,
                    level: function.level,
                    action,
                });
            }
        }
    }
    for group in GROUPS {
        let rule = registry.add(group.name, group.level, group.why, group.rows);
        for law in 0..registry.rules[rule].laws.len() {
            let Law { left, right, premise } = &registry.rules[rule].laws[law];
            let equation = Equation::new(left, right, premise.as_ref());
            let root = equation.root() as usize;
            let action = Action::Equation(Box::new(equation));
            registry.uses[root].push(Use { rule, level: group.level, action });
        }
    }
    for uses in &mut registry.uses {
        uses.sort_by_key(|used| used.level);
    }
    registry
});

impl Registry {
    /// Registers a rule with its laws and their duals; returns its number.
    fn add(
        &mut self,
        name: &'static str,
        level: Level,
        why: &'static str,
        rows: &[(&str, &str, &str)],
    ) -> usize {
        let mut laws: Vec<Law> = vec![];
        for (left, right, premise) in rows {
            let (left, right) = (read(left), read(right));
            let premise = premise.split_once("=>").map(|(l, r)| (read(l), read(r)));
            let dual = Law {
                left: dual(&left),
                right: dual(&right),
                premise: premise.as_ref().map(|(l, r)| (dual(r), dual(l))),
            };
            let self_dual = dual.left == left;
            laws.push(Law { left, right, premise });
            if !self_dual {
                laws.push(dual);
            }
        }
        self.rules.push(Rule { name, level, why, laws });
        self.rules.len() - 1
    }
}

fn read(text: &str) -> Formula {
    text.parse().unwrap_or_else(|error| unreachable!("law {text}: {error}"))
}

/// All rules, in the order in which they are tried within a level.
pub fn rules() -> &'static [Rule] {
    &REGISTRY.rules
}

/// The rules that may apply to formulas with this root.
pub(super) fn for_root(op: Op) -> &'static [Use] {
    &REGISTRY.uses[op as usize]
}

impl Use {
    pub(super) fn level(&self) -> Level {
        self.level
    }

    pub(super) fn rule(&self) -> &'static Rule {
        &REGISTRY.rules[self.rule]
    }

    pub(super) fn apply(
        &self,
        formula: &Formula,
        implications: &mut Implications,
    ) -> Option<Formula> {
        match &self.action {
            Action::Equation(equation) => equation.apply(formula, implications),
            Action::Function(side, function) => function(*side, formula, implications),
        }
    }
}
