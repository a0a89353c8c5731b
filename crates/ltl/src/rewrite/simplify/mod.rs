//! Simplification: smaller formulas with the same language.
//!
//! A formula is converted to negation normal form (which removes `->`, but may keep `<->` and
//! `xor`) and rewritten bottom-up until no rule applies. The rules have three levels; each includes
//! the previous one:
//!
//! 1. [`Level::Basic`]: identities that need no knowledge of the operands;
//! 2. [`Level::Pure`]: rules for pure eventualities and universalities;
//! 3. [`Level::Implication`]: rules with the condition that one operand syntactically implies
//!    another.
//!
//! [`rules`] lists the rules with their laws. Almost all of them make formulas smaller; the few
//! that may repeat an operator (`f W u ≡ G(f | u)`) enable others.

mod boolean;
mod dual;
mod implication;
mod laws;
mod operands;
mod pattern;
mod rules;
#[cfg(test)]
mod tests;

pub use rules::{Law, Rule, rules};

use crate::{Error, Formula, Op};
use implication::Implications;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::str::FromStr;

/// The set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// Identities that need no knowledge of the operands.
    Basic,
    /// Also the rules for pure eventualities and universalities.
    Pure,
    /// Also the rules whose conditions are syntactic implications.
    #[default]
    Implication,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Level; 3] = [Level::Basic, Level::Pure, Level::Implication];

    /// The name of the level in options.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Basic => "basic",
            Level::Pure => "pure",
            Level::Implication => "implication",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Reads a level's name, or its number from 1 to 3.
impl FromStr for Level {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let by_number = text.parse().ok().and_then(|n: usize| Level::ALL.get(n.wrapping_sub(1)));
        let by_name = || Level::ALL.iter().find(|level| level.name() == text);
        by_number.or_else(by_name).copied().ok_or_else(|| {
            Error::new(format!("there is no simplification level `{text}`"))
                .expected("1 (basic), 2 (pure) or 3 (implication)")
        })
    }
}

/// Simplifies a formula with all rules.
///
/// ```
/// use sempre_ltl::{Formula, simplify};
/// let f: Formula = "F(a U (b & G F c)) | G F (c & X 1)".parse().unwrap();
/// assert_eq!(simplify(&f).to_string(), "GFc");
/// ```
pub fn simplify(formula: &Formula) -> Formula {
    Simplifier::new(Level::default()).simplify(formula)
}

/// An application of a rule.
#[derive(Clone, Debug)]
pub struct Step {
    /// The rule.
    pub rule: &'static Rule,
    /// A subformula, its operands already simplified.
    pub before: Formula,
    /// Its replacement, not yet simplified itself.
    pub after: Formula,
}

/// Simplifies formulas, and caches results across calls.
pub struct Simplifier {
    level: Level,
    /// The cache of simplified formulas; grows across calls.
    done: FxHashMap<Formula, Formula>,
    implications: Implications,
    steps: Option<Vec<Step>>,
}

/// The cache is cleared when it grows beyond this size, so that a stream of formulas needs
/// constant memory.
const MAX_REMEMBERED: usize = 1 << 16;

enum Task {
    Visit(Formula),
    Rewrite(Formula),
    /// The first formula has the same result as the second one.
    Follow(Formula, Formula),
}

impl Simplifier {
    /// A simplifier that uses the rules of this level.
    pub fn new(level: Level) -> Self {
        Simplifier {
            level,
            done: FxHashMap::default(),
            implications: Implications::default(),
            steps: None,
        }
    }

    /// Returns an equivalent formula to which no rule applies.
    pub fn simplify(&mut self, formula: &Formula) -> Formula {
        if self.done.len() + self.implications.len() > MAX_REMEMBERED {
            self.done = FxHashMap::default();
            self.implications = Implications::default();
        }
        let formula = self.implications.normal_form(formula);
        self.run(formula)
    }

    /// Simplifies and returns the applied rules in order.
    pub fn explain(&mut self, formula: &Formula) -> (Formula, Vec<Step>) {
        self.done = FxHashMap::default();
        self.steps = Some(vec![]);
        let formula = self.implications.normal_form(formula);
        let result = self.run(formula);
        (result, self.steps.take().unwrap_or_default())
    }

    fn run(&mut self, formula: Formula) -> Formula {
        let mut under_way: FxHashSet<Formula> = FxHashSet::default();
        let mut tasks = vec![Task::Visit(formula.clone())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(f) => {
                    if self.done.contains_key(&f) {
                        continue;
                    }
                    tasks.push(Task::Rewrite(f.clone()));
                    tasks.extend(f.children().iter().cloned().map(Task::Visit));
                }
                Task::Rewrite(f) => {
                    if self.done.contains_key(&f) {
                        continue;
                    }
                    let rebuilt =
                        f.with_children(f.children().iter().map(|child| self.done[child].clone()));
                    if let Some(known) = self.done.get(&rebuilt) {
                        self.done.insert(f, known.clone());
                        continue;
                    }
                    let cyclic = !under_way.insert(rebuilt.clone());
                    debug_assert!(!cyclic, "the rules turn {rebuilt} into itself");
                    match self.rewrite(&rebuilt).filter(|_| !cyclic) {
                        Some(better) => {
                            tasks.push(Task::Follow(f, better.clone()));
                            tasks.push(Task::Follow(rebuilt, better.clone()));
                            tasks.push(Task::Visit(better));
                        }
                        None => {
                            self.done.insert(rebuilt.clone(), rebuilt.clone());
                            self.done.insert(f, rebuilt);
                        }
                    }
                }
                Task::Follow(f, better) => {
                    let result = self.done[&better].clone();
                    self.done.insert(f, result);
                }
            }
        }
        self.done[&formula].clone()
    }

    /// Applies the first rule that applies at the root.
    fn rewrite(&mut self, formula: &Formula) -> Option<Formula> {
        // A rule may put a negation before an operand.
        if let (Op::Not, [child]) = (formula.op(), formula.children()) {
            return (child.op() != Op::Prop).then(|| self.implications.negation(child));
        }
        for rule in rules::for_root(formula.op()) {
            if rule.level() > self.level {
                break;
            }
            if let Some(after) = rule.apply(formula, &mut self.implications) {
                if let Some(steps) = &mut self.steps {
                    let before = formula.clone();
                    steps.push(Step { rule: rule.rule(), before, after: after.clone() });
                }
                return Some(after);
            }
        }
        None
    }
}
