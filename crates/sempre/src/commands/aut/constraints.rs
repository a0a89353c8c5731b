//! Constraints on the letters of automata: refinement before all steps, shorter labels after them.

use anyhow::{Context, Result, bail};
use sempre::automata::{Automaton, constraint};
use sempre::ltl::rewrite::{ExclusiveSet, conjunction};
use sempre::ltl::{Formula, Prop, Traits};
use sempre::translate::Translator;
use sempre::translate::satisfiability::satisfying_word;
use std::fs;
use std::path::PathBuf;

/// The options for constraints.
#[derive(clap::Args, Debug)]
pub(super) struct ConstraintOptions {
    /// Before all steps: drop the letters in which two of these propositions hold, and the edges and
    /// states that need them; may be repeated.
    #[arg(long, value_name = "NAMES", help_heading = "Constraints")]
    exclusive_ap: Vec<ExclusiveSet>,

    /// The same for the propositions `Process@location` of each process.
    #[arg(long, help_heading = "Constraints")]
    exclusive_locations: bool,

    /// Before all steps: drop the letters that violate a Boolean formula; of another formula, drop
    /// the letters that no accepting run needs on words that satisfy it. May be repeated.
    #[arg(long, value_name = "FORMULA", value_parser = formula, help_heading = "Constraints")]
    constraint: Vec<Formula>,

    /// As --constraint for each line of FILE; lines `exclusive: NAMES` are as --exclusive-ap, lines
    /// that begin with `#` are comments.
    #[arg(long, value_name = "FILE", help_heading = "Constraints")]
    constraints: Vec<PathBuf>,

    /// After all steps: replace labels by the shortest ones found that have the same letters among
    /// those that satisfy the constraints.
    #[arg(long, alias = "simplify-exclusive-ap", help_heading = "Constraints")]
    simplify_labels: bool,
}

/// Parses a formula; without this, clap would take the text as the name of a proposition.
fn formula(text: &str) -> Result<Formula, sempre::ltl::Error> {
    text.parse()
}

/// Constraints that do not contradict each other.
pub(super) struct Constraints {
    /// The Boolean constraint of each letter.
    always: Formula,
    /// Propositions `Process@location` exclude each other.
    locations: bool,
    /// The automata of other formulas.
    assumptions: Vec<Automaton>,
    /// The propositions that they name.
    props: Vec<Prop>,
    simplify_labels: bool,
}

impl ConstraintOptions {
    /// Reads all constraints; `None` if there are none.
    pub(super) fn compile(&self) -> Result<Option<Constraints>> {
        let (mut sets, mut formulas) = (self.exclusive_ap.clone(), self.constraint.clone());
        for path in &self.constraints {
            let text = fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            for (number, line) in text.lines().enumerate() {
                let line = line.trim();
                let place = || format!("{}, line {}", path.display(), number + 1);
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                match line.strip_prefix("exclusive:") {
                    Some(names) => sets.push(names.parse().with_context(place)?),
                    None => formulas.push(formula(line).with_context(place)?),
                }
            }
        }
        if sets.is_empty() && formulas.is_empty() && !self.exclusive_locations {
            if self.simplify_labels {
                bail!("--simplify-labels needs --exclusive-ap or --constraint");
            }
            return Ok(None);
        }
        let is_boolean = |formula: &Formula| formula.is(Traits::BOOLEAN);
        let (boolean, other): (Vec<Formula>, Vec<Formula>) =
            formulas.into_iter().partition(is_boolean);
        let always = conjunction(sets.iter().map(ExclusiveSet::constraint).chain(boolean));
        let letters = (!always.is_true()).then(|| Formula::globally(always.clone()));
        let all = conjunction(letters.into_iter().chain(other.iter().cloned()));
        if satisfying_word(&all).is_none() {
            bail!("the constraints contradict each other: no word satisfies {all}");
        }
        let props = all.props();
        let named = sets.iter().flat_map(|set| set.props().iter().cloned()).chain(props).collect();
        let assumptions = other.iter().map(|formula| Translator::new().translate(formula));
        Ok(Some(Constraints {
            always,
            locations: self.exclusive_locations,
            assumptions: assumptions.collect(),
            props: named,
            simplify_labels: self.simplify_labels,
        }))
    }
}

impl Constraints {
    /// Returns the propositions that the constraints name.
    pub(super) fn props(&self) -> &[Prop] {
        &self.props
    }

    /// The Boolean constraint on the letters of an automaton.
    fn of(&self, automaton: &Automaton) -> Formula {
        let sets = match self.locations {
            true => ExclusiveSet::of_locations(automaton.alphabet().props()),
            false => Vec::new(),
        };
        let own = std::iter::once(self.always.clone());
        conjunction(own.chain(sets.iter().map(ExclusiveSet::constraint)))
    }

    /// Drops the letters, edges and states that no word needs under the constraints.
    pub(super) fn refine(&self, automaton: &Automaton) -> Result<Automaton> {
        let refined = constraint::restrict(automaton, &self.of(automaton))?;
        let assume = |automaton: Automaton, assumption| constraint::assume(&automaton, assumption);
        Ok(self.assumptions.iter().fold(refined, assume))
    }

    /// Shortens labels, if that is asked for.
    pub(super) fn simplify(&self, automaton: Automaton) -> Result<Automaton> {
        Ok(match self.simplify_labels {
            true => constraint::simplify_labels(&automaton, &self.of(&automaton))?,
            false => automaton,
        })
    }
}
