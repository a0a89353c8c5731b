//! The checker: accepts or rejects a certificate by sets for a net.

use crate::condition::Conditions;
use crate::space::{Event, Space, States};
use crate::{Layer, SetCertificate};
use oxidd::BooleanFunction;
use oxidd::util::{AllocResult, OutOfMemory};
use rustc_hash::FxHashMap;
use sempre_certificate::obligations::{Bits, Obligations};
use sempre_certificate::{Condition, Deadlocks, Fair, NONE, Rejection};
use sempre_ltl::interrupt;
use sempre_models::petri::{Net, TransitionId};
use sempre_models::plain::Plain;
use sempre_models::proposition::PlainPropositions;
use std::panic;
use std::thread;

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A condition fails.
    #[error("{0}")]
    Rejected(Rejection),
    /// The diagrams need more memory.
    #[error("its diagrams need more memory")]
    Memory,
}

impl From<OutOfMemory> for Failure {
    fn from(_: OutOfMemory) -> Self {
        Failure::Memory
    }
}

/// The stack of the checker: operations on diagrams recurse once for each bit of a state.
const STACK: usize = 16 << 20;

/// The stack for each bit.
const STACK_PER_BIT: usize = 4 << 10;

/// Checks a certificate against a net, with at most `capacity` nodes of diagrams.
///
/// Does not compare the fingerprint: the conditions are about the given net. The limits of this
/// thread apply; work that reaches them unwinds.
///
/// # Errors
/// If the certificate is rejected, or the diagrams need more nodes.
pub fn check(certificate: &SetCertificate, net: &Net, capacity: usize) -> Result<(), Failure> {
    let bits: u32 = certificate.variables.iter().map(|(_, width)| width + 1).sum();
    let limits = interrupt::limits();
    let work = || limits.run(|| Checker::run(certificate, net, capacity));
    let outcome = thread::scope(|scope| {
        let stack = STACK + bits as usize * STACK_PER_BIT;
        let worker = thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
        let worker = worker.map_err(|_| Failure::Memory)?;
        Ok::<_, Failure>(worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })?;
    outcome.unwrap_or_else(|interrupted| panic::resume_unwind(Box::new(interrupted)))
}

/// An alternative: the number of the next set, if the certificate has it, and the postponed untils.
type Known = (Option<u32>, Bits);

struct Checker<'a> {
    certificate: &'a SetCertificate,
    net: &'a Net,
    obligations: &'a Obligations,
    space: &'a Space,
    events: &'a [Event],
    /// The states of each layer.
    layers: Vec<States>,
    /// The deadlocks among them.
    dead: States,
    /// For each proposition the states where it holds.
    holding: Vec<States>,
    sets: FxHashMap<&'a [u32], u32>,
}

fn rejected(condition: Condition, message: impl Into<String>) -> Failure {
    Failure::Rejected(Rejection { condition, message: message.into() })
}

impl<'a> Checker<'a> {
    fn run(certificate: &SetCertificate, net: &Net, capacity: usize) -> Result<(), Failure> {
        let (count, known) = (net.place_count(), certificate.variables.len());
        if count != known {
            let message = format!("the model has {count} variables, the certificate {known}");
            return Err(rejected(Condition::Meaning, message));
        }
        if certificate.claim.fair != Fair::All {
            let message = "fairness is not covered by sets";
            return Err(rejected(Condition::Meaning, message));
        }
        let space = Space::new(&certificate.variables, capacity);
        let obligations = certificate.claim.obligations();
        let events = |transition: TransitionId| {
            space.tidy();
            space.event(net, transition)
        };
        let events: Vec<Event> = net.transitions().map(events).collect::<AllocResult<_>>()?;
        let checker = Checker::new(certificate, net, (&obligations, &space, &events))?;
        checker.initial()?;
        checker.deadlocks()?;
        certificate.layers.iter().enumerate().try_for_each(|(number, _)| checker.layer(number))
    }

    fn new(
        certificate: &'a SetCertificate,
        net: &'a Net,
        (obligations, space, events): (&'a Obligations, &'a Space, &'a [Event]),
    ) -> Result<Self, Failure> {
        let roots = space.roots(&certificate.levels)?;
        let layers: Vec<States> =
            certificate.layers.iter().map(|layer| roots[layer.root as usize].clone()).collect();
        let mut dead = space.none();
        for states in &layers {
            dead = dead.or(states)?;
        }
        for event in events {
            space.tidy();
            dead = event.enabled.imp_strict(&dead)?;
        }
        let plain: &dyn Plain = &net;
        let texts = obligations.propositions().iter().map(|prop| prop.name());
        let meaning = |reason: String| {
            let message = format!("the property has no meaning by sets: {reason}");
            rejected(Condition::Meaning, message)
        };
        let propositions = PlainPropositions::new(plain, texts);
        let propositions = propositions.map_err(|error| meaning(error.to_string()))?;
        let mut holding = Vec::new();
        for number in 0..obligations.propositions().len() {
            let mut conditions = Conditions { space, events, dead: &dead };
            let states = propositions.on_sets(number, &mut conditions);
            holding.push(states.map_err(|undefined| meaning(undefined.to_string()))??);
        }
        let sets = (0..).zip(&certificate.sets).map(|(number, set)| (&**set, number)).collect();
        Ok(Checker { certificate, net, obligations, space, events, layers, dead, holding, sets })
    }

    /// Checks that layers with the negated property have the initial states.
    fn initial(&self) -> Result<(), Failure> {
        let set = self.sets.get(&*self.obligations.initial()).copied();
        for state in Plain::initial(&self.net) {
            let has = |(layer, states): (&Layer, &States)| {
                Some(layer.set) == set && self.space.contains(states, &state)
            };
            if !self.certificate.layers.iter().zip(&self.layers).any(has) {
                let state = self.state(&state);
                let message = format!("the initial state {state} is in no layer");
                return Err(rejected(Condition::Initial, message));
            }
        }
        Ok(())
    }

    /// Checks that the layers have no deadlock, if deadlocks are violations.
    fn deadlocks(&self) -> Result<(), Failure> {
        match self.space.pick(&self.dead) {
            Some(state) if self.certificate.claim.deadlocks == Deadlocks::Report => {
                let message = format!("the state {} is a deadlock", self.state(&state));
                Err(rejected(Condition::Deadlock, message))
            }
            _ => Ok(()),
        }
    }

    /// Checks the nodes of a layer.
    fn layer(&self, number: usize) -> Result<(), Failure> {
        // The states by valuation.
        let mut classes = vec![(0, self.layers[number].clone())];
        for (bit, holding) in self.holding.iter().enumerate() {
            let mut split = Vec::new();
            for (valuation, states) in classes {
                interrupt::poll();
                self.space.tidy();
                split.push((valuation, holding.imp_strict(&states)?));
                split.push((valuation | 1 << bit, states.and(holding)?));
            }
            split.retain(|(_, states)| states.satisfiable());
            classes = split;
        }
        // The states by alternatives.
        let layer = self.certificate.layers[number];
        let set = &self.certificate.sets[layer.set as usize];
        let mut by_alternatives: Vec<(Vec<Known>, States)> = Vec::new();
        for (valuation, states) in classes {
            interrupt::poll();
            let all = self.obligations.expand(set, valuation);
            let all = all.map_err(|error| rejected(Condition::Meaning, error.to_string()))?;
            let known = |next: &[u32]| self.sets.get(next).copied();
            let all: Vec<Known> =
                all.into_iter().map(|one| (known(&one.next), one.postponed)).collect();
            match by_alternatives.iter_mut().find(|(other, _)| *other == all) {
                Some((_, sum)) => *sum = sum.or(&states)?,
                None => by_alternatives.push((all, states)),
            }
        }
        by_alternatives.retain(|(alternatives, _)| !alternatives.is_empty());
        by_alternatives.iter().try_for_each(|(all, states)| self.steps(number, all, states))
    }

    /// Checks the steps from states of a layer that have these alternatives.
    fn steps(&self, number: usize, all: &[Known], states: &States) -> Result<(), Failure> {
        let target = self.target(all, |other, postponed| self.admits(number, other, postponed))?;
        for (event, transition) in self.events.iter().zip(self.net.transitions()) {
            self.space.tidy();
            let able = states.and(&event.enabled)?;
            let leaving = |target: &States| self.space.leaving(event, target);
            if able.satisfiable() && able.and(&leaving(&target)?)?.satisfiable() {
                let name = format!("by `{}`", self.net.transition_name(transition));
                return Err(self.why(number, all, &able, &leaving, &name)?);
            }
        }
        let dead = states.and(&self.dead)?;
        if self.certificate.claim.deadlocks == Deadlocks::Stutter
            && target.imp_strict(&dead)?.satisfiable()
        {
            return Err(self.why(number, all, &dead, &|target| target.not(), "that repeats it")?);
        }
        Ok(())
    }

    /// True if a step from a layer may lead to another one, given the untils that it postpones.
    fn admits(&self, number: usize, other: &Layer, postponed: &Bits) -> bool {
        let rank = self.certificate.layers[number].rank;
        let promise = self.certificate.promises[rank as usize];
        let is_postponed = promise != NONE
            && (promise as usize) < self.obligations.until_count()
            && postponed[promise as usize / 64] >> (promise % 64) & 1 == 1;
        other.rank < rank || other.rank == rank && is_postponed
    }

    /// Returns the states that are, for each alternative, in a layer with its set that is admitted.
    fn target(&self, all: &[Known], admits: impl Fn(&Layer, &Bits) -> bool) -> AllocResult<States> {
        let mut target = self.space.all();
        for (set, postponed) in all {
            let mut some = self.space.none();
            for (layer, states) in self.certificate.layers.iter().zip(&self.layers) {
                if Some(layer.set) == *set && admits(layer, postponed) {
                    some = some.or(states)?;
                }
            }
            target = target.and(&some)?;
        }
        Ok(target)
    }

    /// Returns the first condition that steps from a layer violate.
    fn why(
        &self,
        number: usize,
        all: &[Known],
        able: &States,
        leaving: &dyn Fn(&States) -> AllocResult<States>,
        step: &str,
    ) -> Result<Failure, Failure> {
        let rank = self.certificate.layers[number].rank;
        let somewhere = self.target(all, |_, _| true)?;
        let lower = self.target(all, |other, _| other.rank <= rank)?;
        let kept = self.target(all, |other, postponed| self.admits(number, other, postponed))?;
        let reasons = [
            (Condition::Successor, somewhere, "is in no layer"),
            (Condition::Rank, lower, "has a higher rank"),
            (Condition::Promise, kept, "stays in the rank and keeps its promise"),
        ];
        for (condition, target, reason) in reasons {
            if let Some(state) = self.space.pick(&able.and(&leaving(&target)?)?) {
                let state = self.state(&state);
                let message = format!(
                    "layer {number}, of rank {rank}, in the state {state}: a successor {step} {reason}"
                );
                return Ok(rejected(condition, message));
            }
        }
        Ok(rejected(Condition::Successor, format!("layer {number}: a successor {step}")))
    }

    /// Returns a state in words: the places that are not empty.
    fn state(&self, state: &[i64]) -> String {
        let places = self.net.places().zip(state).filter(|(_, tokens)| **tokens != 0);
        let mut pairs: Vec<String> = places
            .take(20)
            .map(|(place, tokens)| format!("{} = {tokens}", self.net.place_name(place)))
            .collect();
        if pairs.len() == 20 {
            pairs.push("…".to_owned());
        }
        format!("({})", pairs.join(", "))
    }
}
