//! `sempre ltl random`: generates random formulas.

use super::simplify::level;
use crate::Exit;
use crate::output::{FormulaOutput, Output};
use crate::range::Range;
use crate::report::{Located, Place};
use anyhow::{Context, Result, anyhow, bail};
use sempre::ltl::generate::observed::Observed;
use sempre::ltl::generate::random::RandomFormulas;
use sempre::ltl::generate::{OperatorSet, Priorities, distribution};
use sempre::ltl::rewrite::simplify::{Level, Simplifier};
use sempre::ltl::{Arity, Op, Prop};
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  $ sempre ltl random -n 3 --props a,b --size 5..9 --seed 1
  1 & Xa & Fb
  !(b U 0) M !0
  (a U G(1)) R b

  $ sempre ltl random -n 2 --priorities X=0,xor=0,W=0,M=0 --simplify 3
  0
  G(!p0 | p1) R (!p2 U !p1)

  $ sempre ltl random --preset op1 --size 5 --show-distribution -n 1000 | head -n 5
  operator  priority    expected    observed
  true             5    0.122727    0.128000
  false            5    0.122727    0.121000
  ap              90    2.209091    2.186000
  !             3667    0.363636    0.370000";

/// Generate random formulas.
///
/// A formula of the given size is drawn from the root down: an operator by its priority, then
/// operands whose sizes are split uniformly. The formulas depend only on the options: the same seed
/// (default 0) gives the same formulas on every machine.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Random {
    /// The number of formulas [default: 1].
    #[arg(short = 'n', long, value_name = "COUNT")]
    count: Option<u64>,

    /// The propositions: names (a,b,c), or their number (3 means p0,p1,p2).
    #[arg(long, value_name = "PROPS", default_value = "3", value_parser = propositions)]
    props: Propositions,

    /// The size of the formulas before simplification, or a range of sizes.
    #[arg(long, value_name = "RANGE", default_value = "15")]
    size: Range,

    /// The seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Print no duplicates.
    #[arg(long)]
    unique: bool,

    /// Simplify the formulas up to this level.
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    simplify: Option<Level>,

    /// Change the priorities of operators, such as X=0,xor=2,ap=5; 0 excludes an operator.
    ///
    /// The default priority is 1, for true, false and each proposition too (`ap` means all
    /// propositions); Fs and Gs have 0.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, help_heading = "Distribution")]
    priorities: Option<String>,

    /// Use the operators and priorities of a report on testing translators.
    ///
    /// H. Tauriainen, HUT-TCS-A66, 2000, Table C.1, for sizes 5 to 12: op1 has ! G F | & -> U; op2
    /// also has X <-> R. They make operators equally frequent. For other sizes, add --tune.
    #[arg(long, help_heading = "Distribution")]
    preset: Option<Preset>,

    /// Draw each formula of the given size with the same probability.
    ///
    /// Priorities only say which operators occur. Formulas that differ in the order of operands of
    /// &, |, <-> and xor are one.
    #[arg(long, conflicts_with_all = ["tune", "show_distribution"], help_heading = "Distribution")]
    uniform: bool,

    /// Search for priorities that make all operators equally frequent in formulas of this size.
    #[arg(long, help_heading = "Distribution")]
    tune: bool,

    /// Print the expected number of each operator in a formula, and no formulas; with -n N, also the
    /// mean number in N formulas.
    #[arg(long, help_heading = "Distribution")]
    show_distribution: bool,

    #[command(flatten)]
    output: FormulaOutput,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Preset {
    /// ! G F | & -> U
    Op1,
    /// ! X G F | & -> <-> U R
    Op2,
}

/// The propositions of the formulas.
#[derive(Clone, Debug)]
struct Propositions(Vec<Prop>);

fn propositions(text: &str) -> Result<Propositions, String> {
    if let Ok(count) = text.trim().parse::<u32>() {
        if count > 1_000_000 {
            return Err("expected at most 1,000,000 propositions".into());
        }
        return Ok(Propositions((0..count).map(|i| Prop::new(format!("p{i}"))).collect()));
    }
    let names = text.split(',').map(str::trim);
    if names.clone().any(str::is_empty) {
        return Err("expected the number of propositions or their names: a,b,c".into());
    }
    let mut props: Vec<Prop> = names.map(Prop::new).collect();
    props.sort();
    if let Some(pair) = props.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("the proposition `{}` is given twice", pair[0].name()));
    }
    Ok(Propositions(props))
}

impl Random {
    pub(crate) fn run(&self) -> Result<Exit> {
        let priorities = self.priorities()?;
        let mut out = self.output.open()?;
        if self.show_distribution {
            self.write_distribution(&priorities, &mut out)?;
        } else {
            let (least, most) = self.size.bounded().map_err(|error| anyhow!("--size: {error}"))?;
            let mut formulas = RandomFormulas::over(self.props.0.iter().cloned())
                .sizes(usize::try_from(least)?..=usize::try_from(most)?)
                .priorities(priorities)
                .seed(self.seed);
            if self.unique {
                formulas = formulas.unique();
            }
            if self.uniform {
                formulas = formulas.uniform();
            }
            if let Some(level) = self.simplify {
                let mut simplifier = Simplifier::new(level);
                formulas = formulas.rewritten_by(move |formula| simplifier.simplify(&formula));
            }
            let mut formulas = formulas.generate()?;
            for _ in 0..self.count.unwrap_or(1) {
                let Some(formula) = formulas.next() else { break };
                self.output.write(&mut out, &formula?)?;
            }
        }
        out.finish()?;
        Ok(Exit::Success)
    }

    /// Computes the priorities from the preset, the changes and the search, in this order.
    fn priorities(&self) -> Result<Priorities> {
        let mut priorities = match self.preset.map(Preset::operators) {
            None => Priorities::equal(self.props.0.len()),
            Some(set) if self.tune => Priorities::common(set.operators(), 1, 1),
            Some(set) => Priorities::report(set, self.exact_size("--preset")?)
                .context("--preset needs --tune here")?,
        };
        if let Some(list) = &self.priorities {
            priorities = priorities
                .adjusted(list)
                .map_err(|error| Located::new(&Place::Named("--priorities"), list, error))?;
        }
        if self.tune {
            let is_operator = |op: &Op| op.arity() != Arity::Leaf && priorities.weight(*op) > 0;
            let operators: Vec<Op> = Op::ALL.into_iter().filter(is_operator).collect();
            priorities = distribution::tuned(&operators, self.exact_size("--tune")?)?;
        }
        Ok(priorities)
    }

    /// Returns the size, or an error if it is a range.
    fn exact_size(&self, option: &str) -> Result<usize> {
        if self.size.high != Some(self.size.low) {
            bail!("{option} needs one size, not the range {}", self.size);
        }
        Ok(usize::try_from(self.size.low)?)
    }

    fn write_distribution(&self, priorities: &Priorities, out: &mut Output) -> Result<()> {
        let size = self.exact_size("--show-distribution")?;
        let observed = self.observed(priorities, size)?;
        write!(out, "{:<8}{:>10}{:>12}", "operator", "priority", "expected")?;
        if observed.is_some() {
            write!(out, "{:>12}", "observed")?;
        }
        out.end_line()?;
        for op in Op::ALL.into_iter().filter(|&op| priorities.weight(op) > 0) {
            let expected = distribution::expected(priorities, op, size)?;
            let (name, priority) = (op.name(), priorities.weight(op));
            write!(out, "{name:<8}{priority:>10}{expected:>12.6}")?;
            if let Some(observed) = &observed {
                write!(out, "{:>12.6}", observed.mean(op))?;
            }
            out.end_line()?;
        }
        Ok(())
    }

    /// Counts the operators of the formulas of this number, if one is given.
    fn observed(&self, priorities: &Priorities, size: usize) -> Result<Option<Observed>> {
        let Some(count) = self.count else { return Ok(None) };
        let formulas = RandomFormulas::over(self.props.0.iter().cloned()).size(size);
        let mut formulas = formulas.priorities(priorities.clone()).seed(self.seed).generate()?;
        let mut observed = Observed::default();
        for _ in 0..count {
            let Some(formula) = formulas.next() else { break };
            observed.add(&formula?);
        }
        Ok(Some(observed))
    }
}

impl Preset {
    fn operators(self) -> OperatorSet {
        match self {
            Preset::Op1 => OperatorSet::Op1,
            Preset::Op2 => OperatorSet::Op2,
        }
    }
}
