//! A model with its states, on which automata are checked under limits.

use crate::settings::Settings;
use crate::stopwatch::Stopwatch;
use anyhow::{Context, Result, anyhow};
use rustc_hash::FxHashSet;
use sempre_automata::Automaton;
use sempre_check::{CheckError, Deadlock, Limits, Question, Verdict};
use sempre_diagrams::{Manager, Options as Memory, Strategy};
use sempre_explicit::emptiness::Check;
use sempre_explicit::store::Arena;
use sempre_explicit::{Effort, Options, Product, SearchGraph, StateSpace, Stop, check};
use sempre_ltl::{Formula, Prop, interrupt};
use sempre_models::System;
use sempre_models::proposition::Propositions;
use sempre_symbolic::{Fixpoint, Options as SymbolicOptions, Order, Space, attempt};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A model with its states, and limits.
pub(super) struct Subject<'a> {
    system: &'a Arc<dyn System>,
    space: StateSpace<'a, Arena>,
    sets: Option<Option<(Manager<'static>, Space<'static>)>>,
    /// True if each check begins with an empty state space.
    is_fresh: bool,
    pub(super) timeout: Duration,
    bytes: usize,
}

/// A check that ended within the limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    pub(super) violated: bool,
    /// Visited nodes and followed edges; none if sets were searched.
    pub(super) effort: Option<Effort>,
    pub(super) seconds: f64,
    /// The memory besides the states of the model.
    pub(super) megabytes: f64,
    /// The length of the counterexample, prefix and cycle.
    pub(super) length: Option<usize>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(system: &'a Arc<dyn System>, settings: &Settings) -> Result<Self> {
        Ok(Subject {
            system,
            space: StateSpace::new(&**system),
            sets: None,
            is_fresh: settings.text("states") == "fresh",
            timeout: settings.seconds("timeout")?,
            bytes: settings.bytes("memory")?,
        })
    }

    /// Checks the automaton, which is the negation of the formula or a part of it; a counterexample
    /// is judged. `None` at a limit.
    pub(super) fn check(
        &mut self,
        formula: &Formula,
        automaton: &Automaton,
        emptiness: Option<Check>,
    ) -> Result<Option<Checked>> {
        if self.is_fresh {
            self.space.clear();
        }
        let options = Options { emptiness, ..Options::default() };
        let question = Question::new(self.system.clone(), formula, Deadlock::Stutter)?;
        let negation = automaton.clone().into();
        let watch = Stopwatch::start();
        let outcome = watch.limited(self.timeout, self.bytes, |control| {
            check(&mut self.space, &question, &negation, &options, control)
        })?;
        let seconds = watch.elapsed().as_secs_f64();
        let violated = match outcome.verdict {
            Verdict::Holds => false,
            Verdict::Violated => true,
            Verdict::Unknown(_) => return Ok(None),
        };
        let run = outcome.counterexample();
        if let Some(run) = run {
            question
                .judge(run)
                .with_context(|| format!("{formula}: the run is no counterexample"))?;
        }
        let effort = Effort {
            nodes: outcome.cost.stored.unwrap_or_default(),
            edges: outcome.cost.visited.unwrap_or_default(),
            depth: 0,
        };
        Ok(Some(Checked {
            violated,
            effort: Some(effort),
            seconds,
            megabytes: megabytes(outcome.cost.bytes.saturating_sub(self.space.bytes())),
            length: run.map(|run| run.prefix.len() + run.cycle.len()),
        }))
    }

    /// Checks the automaton on sets of states; `None` at a limit, or if the states were not found.
    pub(super) fn check_symbolically(
        &mut self,
        formula: &Formula,
        automaton: &Automaton,
        fixpoint: Option<Fixpoint>,
    ) -> Result<Option<Checked>> {
        let (timeout, bytes) = (self.timeout, self.bytes);
        let Some((manager, space)) = self.sets() else { return Ok(None) };
        // Caches of one check must not help the next.
        manager.forget();
        let before = manager.usage().bytes;
        let question = Question::new(space.encoding.system().clone(), formula, Deadlock::Stutter)?;
        let negation = automaton.clone().into();
        let options = SymbolicOptions { fixpoint, ..SymbolicOptions::default() };
        let watch = Stopwatch::start();
        let found = watch.limited(timeout, bytes, |control| {
            let work = || space.violation(&question, &negation, &options);
            attempt(manager, &control.limits, work)
        });
        let run = match found {
            Ok((run, _)) => run,
            Err(CheckError::Limit(_)) => return Ok(None),
            Err(error) => return Err(anyhow!("{formula}: {error}")),
        };
        Ok(Some(Checked {
            violated: run.is_some(),
            effort: None,
            seconds: watch.elapsed().as_secs_f64(),
            megabytes: megabytes(manager.usage().bytes.saturating_sub(before)),
            length: run.map(|run| run.prefix.len() + run.cycle.len()),
        }))
    }

    /// The states as a set, computed once with ten times the limit of a check.
    fn sets(&mut self) -> Option<&(Manager<'static>, Space<'static>)> {
        let (system, bytes, timeout) = (self.system, self.bytes, self.timeout);
        let found = self.sets.get_or_insert_with(|| {
            let poll = Rc::new(|_: &_| interrupt::poll_now());
            let manager = Manager::new(Memory { memory: bytes, poll: Some(poll) });
            let space = Stopwatch::start().limited(timeout * 10, bytes, |control| {
                let find = || Space::find(&manager, system, &Order::Best, Strategy::Saturation);
                attempt(&manager, &control.limits, find).ok()
            });
            space.map(|space| (manager, space))
        });
        found.as_ref()
    }

    /// True if the product has enough nodes; `None` at the time limit.
    pub(super) fn is_large(&mut self, automaton: &Automaton, least: usize) -> Result<Option<bool>> {
        let deadline = Instant::now().checked_add(self.timeout);
        let limits = Limits { deadline, ..Limits::default() };
        let names = automaton.alphabet().props().iter().map(Prop::name);
        let propositions = Propositions::compile(self.space.system().names(), names)?;
        let space = &mut self.space;
        let mut product =
            Product::new(space, automaton, &propositions, Deadlock::Stutter, &limits, &|_| ());
        let walk = |product: &mut Product<'_, '_, Arena>| -> Result<bool, Stop> {
            let (mut nodes, mut edges) = (Vec::new(), Vec::new());
            product.initial(&mut nodes)?;
            let mut seen: FxHashSet<u32> = nodes.iter().copied().collect();
            while let Some(node) = nodes.pop() {
                edges.clear();
                product.successors(node, |_| true, &mut edges)?;
                nodes.extend(edges.iter().map(|e| e.target).filter(|target| seen.insert(*target)));
                if seen.len() >= least {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        Ok(walk(&mut product).ok())
    }
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
