//! The formulas of a comparison: given, from the literature, saved, or random.

use super::Cross;
use super::replay::Case;
use crate::input::{BadLines, InputOptions, Reading, Visit};
use crate::output::Output;
use crate::range::Range;
use anyhow::{Context, Result, anyhow};
use sempre::cross::config::Propositions;
use sempre::cross::{Config, RandomRounds};
use sempre::ltl::generate::family::Family;
use sempre::ltl::generate::patterns::PatternSet;
use sempre::ltl::nearest::nearest;
use sempre::ltl::{Formula, Op};
use std::ops::ControlFlow;

/// The default number of rounds with random formulas.
const ROUNDS: usize = 100;

/// The options for the formulas.
#[derive(clap::Args, Debug)]
pub(super) struct FormulaOptions {
    /// A formula; may be repeated. Without formulas, -F, --family and --patterns, formulas are
    /// random.
    #[arg(short, long = "formula", value_name = "FORMULA", help_heading = "Formulas")]
    formulas: Vec<String>,

    /// The formulas of a family, such as `and-fg 1..3`; `sempre ltl family --list` lists them.
    #[arg(long = "family", value_name = "NAME RANGE", help_heading = "Formulas")]
    families: Vec<String>,

    /// A set of formulas from the literature; `sempre ltl patterns --list` lists them.
    #[arg(long, value_name = "SET", value_delimiter = ',', help_heading = "Formulas")]
    patterns: Vec<String>,

    /// The number of rounds [default: all formulas, or 100 random ones].
    #[arg(short = 'n', long, value_name = "N", help_heading = "Formulas")]
    rounds: Option<usize>,

    /// Skip the first N rounds.
    #[arg(long, value_name = "N", help_heading = "Formulas")]
    skip: Option<usize>,

    /// Run only this round; overrides --rounds and --skip.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Formulas")]
    round: Option<u64>,

    /// The size of random formulas, or a range of sizes [default: 12].
    #[arg(long, value_name = "RANGE", help_heading = "Formulas")]
    size: Option<String>,

    /// The propositions of random formulas: names (a,b,c), or their number [default: 3].
    #[arg(long, value_name = "PROPS", value_parser = propositions, help_heading = "Formulas")]
    props: Option<Propositions>,

    /// Use the operators and priorities of a report on such tests: op1 or op2, for --size 5..12.
    #[arg(long, value_name = "PRESET", help_heading = "Formulas")]
    preset: Option<String>,

    /// Change the priorities of operators, such as X=0,xor=2; 0 excludes an operator.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, help_heading = "Formulas")]
    priorities: Option<String>,

    /// The seed of random formulas [default: 0].
    #[arg(long, value_name = "SEED", help_heading = "Formulas")]
    seed: Option<u64>,
}

fn propositions(text: &str) -> Result<Propositions, String> {
    let propositions = match text.trim().parse() {
        Ok(number) => Propositions::Number(number),
        Err(_) => Propositions::Names(text.split(',').map(|name| name.trim().to_owned()).collect()),
    };
    propositions.props().map(|_| propositions)
}

impl FormulaOptions {
    /// Applies the options to the configuration.
    pub(super) fn apply(&self, config: &mut Config) {
        config.rounds = self.rounds.or(config.rounds);
        config.skip = self.skip.unwrap_or(config.skip);
        if let Some(round) = self.round.and_then(|round| usize::try_from(round).ok()) {
            config.rounds = Some(round);
            config.skip = round - 1;
        }
        let formulas = &mut config.formulas;
        let has_others =
            !self.formulas.is_empty() || !self.families.is_empty() || !self.patterns.is_empty();
        if has_others {
            formulas.formulas.clone_from(&self.formulas);
            formulas.families.clone_from(&self.families);
            formulas.patterns.clone_from(&self.patterns);
            formulas.files.clear();
        }
        if let Some(size) = &self.size {
            formulas.size.clone_from(size);
        }
        if let Some(props) = &self.props {
            formulas.propositions = props.clone();
        }
        formulas.preset = self.preset.clone().or(formulas.preset.take());
        formulas.priorities = self.priorities.clone().or(formulas.priorities.take());
        formulas.seed = self.seed.unwrap_or(formulas.seed);
    }
}

/// The source of the formulas.
pub(super) struct Source<'a> {
    kind: Kind<'a>,
    skip: usize,
    rounds: Option<usize>,
    total: Option<usize>,
}

enum Kind<'a> {
    Given { texts: &'a [String], input: InputOptions, others: Vec<Formula> },
    Random(RandomRounds),
    Saved(&'a [Case]),
}

impl<'a> Source<'a> {
    pub(super) fn new(
        command: &Cross,
        config: &'a Config,
        saved: Option<&'a [Case]>,
    ) -> Result<Self> {
        let (skip, rounds) = (config.skip, config.rounds);
        let formulas = &config.formulas;
        let others = others(config)?;
        let from_files = command.input.has_files();
        let input = match from_files {
            true => command.input.clone(),
            false => command.input.with_files(&formulas.files),
        };
        let is_random = formulas.formulas.is_empty() && !input.has_files() && others.is_empty();
        let (kind, total) = if let Some(saved) = saved {
            (Kind::Saved(saved), Some(saved.len()))
        } else if is_random {
            let rounds = rounds.unwrap_or_else(|| ROUNDS.saturating_add(skip));
            (Kind::Random(RandomRounds::new(formulas)?), Some(rounds.saturating_sub(skip)))
        } else {
            let known = formulas.formulas.len() + others.len();
            let known = (!input.has_files()).then_some(known);
            let total = known.map(|known| rounds.unwrap_or(known).min(known).saturating_sub(skip));
            (Kind::Given { texts: &formulas.formulas, input, others }, total)
        };
        Ok(Source { kind, skip, rounds, total })
    }

    /// Returns the expected number of each operator in a random formula.
    pub(super) fn expected(&self) -> &[(Op, f64)] {
        match &self.kind {
            Kind::Random(random) => random.expected(),
            Kind::Given { .. } | Kind::Saved(_) => &[],
        }
    }

    /// Returns the number of rounds, if it is known.
    pub(super) fn total(&self) -> Option<usize> {
        self.total
    }

    /// Passes each formula, with the number of its round, to `visit` until that breaks. Returns the
    /// number of bad lines, and whether `visit` broke.
    pub(super) fn for_each(
        &self,
        out: &mut Output,
        mut visit: impl FnMut(usize, Formula, &mut Output) -> Visit,
    ) -> Result<(BadLines, bool)> {
        let mut number = 0;
        let mut stopped = false;
        let last = self.rounds.unwrap_or(usize::MAX);
        let mut next = |formula: Formula, out: &mut Output| -> Visit {
            number += 1;
            if number > last {
                return Ok(ControlFlow::Break(()));
            }
            if number <= self.skip {
                return Ok(ControlFlow::Continue(()));
            }
            let flow = visit(number, formula, out)?;
            stopped |= flow.is_break();
            Ok(flow)
        };
        let mut bad = BadLines::default();
        match &self.kind {
            Kind::Given { texts, input, others } => {
                if !texts.is_empty() || input.has_files() {
                    let visit = |formula, _: &crate::input::Source<'_>, out: &mut Output| {
                        next(formula, out)
                    };
                    bad = input.for_each_with_source(texts, Reading::any(true), out, visit)?;
                }
                for formula in others {
                    if next(formula.clone(), out)?.is_break() {
                        break;
                    }
                }
            }
            Kind::Random(random) => {
                let rounds = self.skip.saturating_add(self.total.unwrap_or(0));
                for number in self.skip + 1..=rounds {
                    let formula = random.formula(number)?;
                    if visit(number, formula, out)?.is_break() {
                        stopped = true;
                        break;
                    }
                }
            }
            Kind::Saved(cases) => {
                for case in *cases {
                    if visit(case.round, case.formula()?, out)?.is_break() {
                        stopped = true;
                        break;
                    }
                }
            }
        }
        Ok((bad, stopped))
    }
}

/// Returns the formulas of families and sets.
fn others(config: &Config) -> Result<Vec<Formula>> {
    let mut formulas = vec![];
    for text in &config.formulas.families {
        let (name, range) = text.trim().split_once(char::is_whitespace).with_context(|| {
            format!("expected a family and a range, such as and-fg 1..3, not `{text}`")
        })?;
        let family = Family::by_name(name).with_context(|| {
            format!("unknown family `{name}`; sempre ltl family --list lists them")
        })?;
        let range: Range = range.trim().parse().map_err(|error| anyhow!("{text}: {error}"))?;
        let (from, to) = range.bounded().map_err(|error| anyhow!("{text}: {error}"))?;
        for number in from..=to {
            formulas.push(family.formula(number)?);
        }
    }
    for name in &config.formulas.patterns {
        let set = PatternSet::by_name(name).with_context(|| {
            let names = PatternSet::all().iter().map(|set| set.name);
            unknown("set", name, names, "sempre ltl patterns --list")
        })?;
        formulas.extend(set.formulas());
    }
    Ok(formulas)
}

/// Returns the error for an unknown name, with similar names.
fn unknown<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str>, list: &str) -> String {
    match &*nearest(name, names) {
        [] => format!("unknown {what} `{name}`; {list} lists all"),
        similar => format!("unknown {what} `{name}`; did you mean {}?", similar.join(" or ")),
    }
}
