//! Converts the options of a check to settings of the library.

use super::Check;
use crate::search::{described, named};
use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::automata::strength::Way;
use sempre::check::combine::Reduce;
use sempre::check::{Components, Deadlock, FairnessKind, Refine};
use sempre::engines::{ENGINES, FairRuns, Settings};
use sempre::explicit::emptiness::Check as Emptiness;
use sempre::explicit::emptiness::testing::{Passes, SecondPass, TWO_PASSES};
use sempre::explicit::{Options as ExplicitOptions, SearchOrder};
use sempre::hybrid::{self, By};
use sempre::models::System;
use sempre::symbolic::{self, Fixpoint, Steps};
use sempre::testing::AutomatonKind;

/// Options of products on sets of states.
#[derive(clap::Args, Debug)]
pub(super) struct ProductOptions {
    /// The fixpoint that is computed on sets of states; `auto` chooses by the strength of the
    /// property's automaton.
    #[arg(long, value_name = "FIXPOINT", default_value = "auto", value_parser = or_auto(&Fixpoint::ALL), help_heading = "Symbolic")]
    fixpoint: OrAuto<Fixpoint>,

    /// How steps of the property's automaton and the model together are computed on sets of states:
    /// `edges` one by one, `changes` of propositions first (for testing automata), or `split`, so
    /// that saturation closes what loops of the automaton allow.
    #[arg(long, value_name = "STEPS", default_value = "split", value_parser = named(Steps::ALL.to_vec()), help_heading = "Symbolic")]
    steps: Steps,
}

/// Options of the hybrid engines.
#[derive(clap::Args, Debug)]
pub(super) struct HybridOptions {
    /// Make the successors of aggregates one for each `label`, or one for each external `transition`
    /// (--engine sog).
    #[arg(long, value_name = "WAY", default_value = "label", value_parser = named(vec![("label", By::Label), ("transition", By::Transition)]), help_heading = "Check")]
    sog_by: By,

    /// Let these transitions of a net end aggregates, though they change nothing observed: aggregates
    /// become smaller and more; `auto` chooses some if aggregates are expensive (--engine sog).
    #[arg(long, value_name = "TRANSITIONS", value_delimiter = ',', help_heading = "Check")]
    external: Vec<String>,

    /// Observe these propositions as well as those of the first formula, so that formulas about them
    /// are checked on the same graph (--engine sog).
    #[arg(long, value_name = "PROPOSITIONS", value_delimiter = ',', help_heading = "Check")]
    observe: Vec<String>,

    /// Keep nodes whose states are among those of a node that was searched without success
    /// (--engine sop, slap).
    #[arg(long, help_heading = "Check")]
    no_inclusion: bool,
}

/// The kind of automaton, or two side by side.
#[derive(Clone, Copy, Debug)]
pub(super) enum AutomatonChoice {
    One(AutomatonKind),
    Both,
}

/// A value of a registry, or none for `auto`.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrAuto<T>(Option<T>);

/// Parses a name of a registry, or `auto`.
pub(super) fn or_auto<T: Copy + Send + Sync + 'static>(
    rows: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = OrAuto<T>> {
    let names = std::iter::once("auto").chain(rows.iter().map(|(name, _)| *name));
    PossibleValuesParser::new(names)
        .map(|name| OrAuto(rows.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)))
}

/// The emptiness check, chosen or not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EmptinessChoice {
    check: Option<Emptiness>,
    /// For testing automata that need two passes.
    passes: Option<Passes>,
}

pub(super) fn checks() -> impl TypedValueParser<Value = EmptinessChoice> {
    let auto = ("auto", "by the strength of the automaton", EmptinessChoice::default());
    let chosen = |check| EmptinessChoice { check: Some(check), passes: None };
    let rows = Emptiness::ALL.map(|(name, check)| (name, check.description(), chosen(check)));
    let passes = TWO_PASSES.map(|(name, passes)| {
        let choice = EmptinessChoice { check: None, passes: Some(passes) };
        (name, described_passes(passes), choice)
    });
    described([auto].into_iter().chain(rows).chain(passes))
}

/// Returns a line about a variant of the two-pass check, for help texts.
fn described_passes(passes: Passes) -> &'static str {
    match (passes.heuristic, passes.sure_cycles, passes.second) {
        (false, false, SecondPass::Always) => {
            "two searches of the product, for --automaton ta; with improvements in parentheses:"
        }
        (true, false, SecondPass::Always) => {
            "heuristic: the first pass finds most cycles without change"
        }
        (false, true, SecondPass::Always) => {
            "sure: the first pass accepts each cycle whose automaton state decides it"
        }
        (false, false, SecondPass::IfLivelocks) => {
            "avoid: no second pass if no livelock-accepting state was visited"
        }
        (false, true, SecondPass::Undecided) => {
            "undecided: sure, and a second pass through undecided states only"
        }
        (true, true, SecondPass::Undecided) => "the default of --automaton ta",
        _ => "several of them",
    }
}

pub(super) fn engines() -> impl TypedValueParser<Value = &'static str> {
    described(ENGINES.iter().map(|row| (row.name, row.description, row.name)))
}

pub(super) fn automata() -> impl TypedValueParser<Value = AutomatonChoice> {
    let kinds = AutomatonKind::ALL.map(|kind| (kind.name(), AutomatonChoice::One(kind)));
    named(kinds.into_iter().chain([("both", AutomatonChoice::Both)]).collect())
}

pub(super) fn deadlocks() -> impl TypedValueParser<Value = Deadlock> {
    named(Deadlock::ALL.map(|deadlock| (deadlock.name(), deadlock)).to_vec())
}

/// Parses `weak` or `strong`, with `:process` or `:transition`.
pub(super) fn fairness() -> impl TypedValueParser<Value = FairRuns> {
    let kinds = [("weak", FairnessKind::Weak), ("strong", FairnessKind::Strong)];
    let components = [
        ("", None),
        (":process", Some(Components::Processes)),
        (":transition", Some(Components::Transitions)),
    ];
    let rows = kinds.iter().flat_map(|(kind, of)| {
        components.iter().map(move |(suffix, components)| {
            let name: &'static str = match (*kind, *suffix) {
                ("weak", "") => "weak",
                ("weak", ":process") => "weak:process",
                ("weak", _) => "weak:transition",
                (_, "") => "strong",
                (_, ":process") => "strong:process",
                _ => "strong:transition",
            };
            (name, FairRuns { kind: *of, components: *components })
        })
    });
    named(rows.collect())
}

pub(super) fn refinements() -> impl TypedValueParser<Value = Refine> {
    named(Refine::ALL.map(|refine| (refine.name(), refine)).to_vec())
}

pub(super) fn strengths() -> impl TypedValueParser<Value = Way> {
    described(Way::ALL.iter().map(|way| (way.name(), way.description(), *way)))
}

pub(super) fn reductions() -> impl TypedValueParser<Value = Reduce> {
    named(Reduce::ALL.map(|reduce| (reduce.name(), reduce)).to_vec())
}

impl Check {
    /// Returns the settings for a system.
    pub(super) fn settings(&self, system: &dyn System) -> Result<Settings> {
        Ok(Settings {
            engine: self.engine,
            deadlock: self.deadlock,
            fairness: self.fair,
            automaton: match self.automaton {
                AutomatonChoice::One(kind) => kind,
                AutomatonChoice::Both => AutomatonKind::Auto,
            },
            both_automata: matches!(self.automaton, AutomatonChoice::Both),
            hybrid: hybrid::Options {
                by: self.hybrid.sog_by,
                external: self.hybrid.external.clone(),
                observe: self.hybrid.observe.clone(),
                inclusion: !self.hybrid.no_inclusion,
                ..hybrid::Options::default()
            },
            decompose: self.decompose.then_some(self.strength),
            reduce: self.reduce,
            refine: self.refine,
            explicit: ExplicitOptions {
                emptiness: self.emptiness.check,
                passes: self.emptiness.passes,
                shortest: self.shortest,
                order: SearchOrder::on_threads(self.search.threads()),
                ..ExplicitOptions::default()
            },
            store: self.search.store,
            states: self.limits.states,
            symbolic: symbolic::Options {
                fixpoint: self.product.fixpoint.0,
                steps: self.product.steps,
                ..self.symbolic.resolve(system)?
            },
            is_single: self.has_one_formula(),
        })
    }
}
