//! Further counterexamples, each different in kind from those before.
//!
//! A run differs in its actions if it never takes some action of an earlier run: it violates the
//! disjunction of the formula and of eventually taking that action. It differs in the subformula if
//! it violates another conjunct while the first one is satisfied. It differs in its word if this
//! word is not stutter-equivalent to the word of any earlier run. Every run is judged with the
//! formula itself. Costs one check for each action, each conjunct and each word that is tried.

mod classes;

use crate::automata::stutter::are_equivalent;
use crate::check::combine::Widening;
use crate::check::{
    CheckError, Control, Counterexample, Deadlock, Engine, Outcome, Question, Verdict,
};
use crate::checker::Checker;
use crate::ltl::rewrite::nnf;
use crate::ltl::semantics::holds;
use crate::ltl::{Formula, Op, Word};
use crate::models::System;
use crate::models::proposition::quoted;
use classes::OtherWords;

/// A further counterexample.
#[derive(Clone, Debug)]
pub struct Further {
    /// The run.
    pub run: Counterexample,
    /// The outcome that contains the run, with the system of the run.
    pub outcome: Outcome,
    /// How it differs from earlier runs.
    pub difference: Difference,
    /// True if the word of an earlier run is stutter-equivalent to its word: the propositions of
    /// the formula change in the same way.
    pub repeats_word: bool,
}

/// How a run differs from earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It does not take this action.
    Without(String),
    /// It violates this conjunct, and satisfies the one that the first run violates.
    Conjunct {
        /// The conjunct that it violates.
        violated: Formula,
        /// The conjunct that it satisfies.
        satisfied: Formula,
    },
    /// Its word is not stutter-equivalent to that of any earlier run.
    Word,
}

/// Looks for further counterexamples of a formula, up to a number; the shortest come first.
///
/// # Errors
/// As for [`Checker::check_formula`].
pub fn another(
    checker: &Checker,
    formula: &Formula,
    first: &Outcome,
    count: usize,
    control: &Control<'_>,
) -> Result<Vec<Further>, CheckError> {
    let Some(run) = first.counterexample() else { return Ok(Vec::new()) };
    let deadlock = checker.settings().deadlock;
    // A reported deadlock violates by itself. A formula states the same on runs that repeat the
    // deadlock.
    let (meaning, asked) = match deadlock {
        Deadlock::Report => {
            let alive = Formula::globally(Formula::not(Formula::prop("deadlock")));
            (Deadlock::Stutter, Formula::and([formula.clone(), alive]))
        }
        other => (other, formula.clone()),
    };
    let mut search = Search {
        checker: checker.explicit().meaning(meaning),
        formula,
        deadlock,
        control,
        runs: vec![labels(&*first.system, run)],
        words: Vec::from_iter(run.word(&*first.system, formula)?),
        found: Vec::new(),
    };
    for (satisfied, violated) in other_conjuncts(first, run, formula)? {
        if search.found.len() == count {
            break;
        }
        let question = Formula::or([violated.clone(), Formula::not(satisfied.clone())]);
        search.ask(&question, Difference::Conjunct { violated, satisfied })?;
    }
    let mut next = 0;
    while next < search.runs.len() && search.found.len() < count {
        for action in rarest_first(&search.runs[next]) {
            if search.found.len() == count {
                break;
            }
            let fired = Formula::prop(format!("fired({})", quoted(&action)));
            let question = Formula::or([asked.clone(), Formula::finally(fired)]);
            search.ask(&question, Difference::Without(action))?;
        }
        next += 1;
    }
    while search.found.len() < count && search.ask_for_other_word()? {}
    let mut found = search.found;
    found.sort_by_key(|further| further.run.prefix.len() + further.run.cycle.len());
    Ok(found)
}

struct Search<'a, 'c> {
    checker: Checker,
    formula: &'a Formula,
    deadlock: Deadlock,
    control: &'a Control<'c>,
    /// The names of the actions of each run so far.
    runs: Vec<Vec<String>>,
    /// The words of the infinite runs, one for each class of stutter-equivalent words.
    words: Vec<Word>,
    found: Vec<Further>,
}

impl Search<'_, '_> {
    /// Keeps the run that violates a formula, if there is one and it is new.
    fn ask(&mut self, question: &Formula, difference: Difference) -> Result<(), CheckError> {
        let outcome = self.checker.check_formula(question, self.control)?;
        if outcome.verdict != Verdict::Violated {
            return Ok(());
        }
        let Some(run) = outcome.counterexample() else { return Ok(()) };
        let run = match self.deadlock {
            Deadlock::Report => cut(run.clone()),
            _ => run.clone(),
        };
        let names = labels(&*outcome.system, &run);
        let is_kept = match &difference {
            Difference::Without(action) => !names.contains(action),
            Difference::Conjunct { .. } | Difference::Word => true,
        };
        if !is_kept || self.runs.contains(&names) {
            return Ok(());
        }
        run.judge(&*outcome.system, self.formula, self.deadlock)?;
        self.runs.push(names);
        self.keep(run, outcome, difference)
    }

    fn keep(
        &mut self,
        run: Counterexample,
        outcome: Outcome,
        difference: Difference,
    ) -> Result<(), CheckError> {
        let word = run.word(&*outcome.system, self.formula)?;
        let is_known = |word: &Word| self.words.iter().any(|known| are_equivalent(known, word));
        let repeats_word = word.as_ref().is_some_and(is_known);
        self.words.extend(word.filter(|_| !repeats_word));
        self.found.push(Further { run, outcome, difference, repeats_word });
        Ok(())
    }

    /// Keeps a run whose word differs from all so far by more than stuttering. False if there is no
    /// such run, or if words cannot be compared: finite runs have none, and `fired` and fairness
    /// are about steps.
    fn ask_for_other_word(&mut self) -> Result<bool, CheckError> {
        let settings = self.checker.settings();
        if self.deadlock == Deadlock::Report || settings.fairness.is_some() {
            return Ok(false);
        }
        let question = Question::new(self.checker.system().clone(), self.formula, self.deadlock)?;
        let engine = OtherWords { words: self.words.clone() };
        if engine.supports(&question).is_err() {
            return Ok(false);
        }
        let outcome =
            Widening::new(self.checker.model(), engine)?.check(&question, self.control)?;
        let Some(run) = outcome.counterexample().cloned() else { return Ok(false) };
        self.runs.push(labels(&*outcome.system, &run));
        self.keep(run, outcome, Difference::Word)?;
        Ok(true)
    }
}

/// The run up to the first deadlock, if there is one.
fn cut(mut run: Counterexample) -> Counterexample {
    let moves = run.prefix.iter().chain(&run.cycle);
    let Some(end) = moves.clone().position(|step| step.action.is_none()) else { return run };
    run.prefix = moves.take(end).cloned().collect();
    run.cycle.clear();
    run
}

/// The names of the actions of a run.
fn labels(system: &dyn System, run: &Counterexample) -> Vec<String> {
    let actions = run.prefix.iter().chain(&run.cycle).filter_map(|step| step.action);
    actions.map(|action| system.names().action_name(action)).collect()
}

/// The different names, those that occur least often first.
fn rarest_first(names: &[String]) -> Vec<String> {
    let mut different: Vec<String> = Vec::new();
    for name in names {
        if !different.contains(name) {
            different.push(name.clone());
        }
    }
    different.sort_by_key(|name| names.iter().filter(|other| *other == name).count());
    different
}

/// Pairs of a conjunct that the run violates and each other conjunct.
fn other_conjuncts(
    outcome: &Outcome,
    run: &Counterexample,
    formula: &Formula,
) -> Result<Vec<(Formula, Formula)>, CheckError> {
    let normal = nnf(formula);
    let Some(word) = run.word(&*outcome.system, formula)? else { return Ok(Vec::new()) };
    if normal.op() != Op::And {
        return Ok(Vec::new());
    }
    let Some(failing) = normal.children().iter().find(|conjunct| !holds(conjunct, &word)) else {
        return Ok(Vec::new());
    };
    let others = normal.children().iter().filter(|conjunct| *conjunct != failing);
    Ok(others.map(|conjunct| (failing.clone(), conjunct.clone())).collect())
}
