//! The checker: accepts or rejects a certificate for a model.

use crate::certificate::{Certificate, Deadlocks, Fair, NONE};
use crate::obligations::{Bits, Obligations, Set};
use crate::table::Index;
use rustc_hash::FxHashMap;
use sempre_ltl::interrupt::{self, Interrupted};
use sempre_models::plain::{Plain, Step};
use sempre_models::proposition::PlainPropositions;
use std::thread;

/// A condition of certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The claim has a meaning in the model.
    Meaning,
    /// Every initial state is in the table with the negated property.
    Initial,
    /// Every successor with every alternative is in the table.
    Successor,
    /// Ranks do not increase.
    Rank,
    /// Steps within a rank postpone its promise.
    Promise,
    /// If deadlocks are violations, the table has none.
    Deadlock,
}

/// Why a certificate is rejected: the first condition that fails, and the node where it does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Rejection {
    /// The condition.
    pub condition: Condition,
    /// The node and the reason, in words.
    pub message: String,
}

/// Checks a certificate against a model, on a number of threads. Takes one pass over the table.
///
/// Does not compare the fingerprint: the conditions are about the given model. The limits of this
/// thread apply to all threads; work that reaches them unwinds.
///
/// # Errors
/// If the certificate is rejected.
pub fn check(
    certificate: &Certificate,
    plain: &dyn Plain,
    threads: usize,
) -> Result<(), Rejection> {
    let obligations = certificate.claim.obligations();
    let index = Index::of(&certificate.rows);
    let checker = Checker::new(certificate, plain, &obligations, &index)?;
    checker.initial()?;
    let nodes = certificate.node_count();
    let threads = threads.clamp(1, nodes.max(1));
    let limits = interrupt::limits();
    let part = |number: usize| {
        let rows = nodes * number / threads..nodes * (number + 1) / threads;
        limits.run(|| checker.rows(rows))
    };
    let outcomes: Vec<Result<_, Interrupted>> = thread::scope(|scope| {
        let part = &part;
        let workers: Vec<_> =
            (0..threads).map(|number| scope.spawn(move || part(number))).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    });
    for outcome in outcomes {
        match outcome {
            Ok(checked) => checked?,
            Err(interrupted) => std::panic::resume_unwind(Box::new(interrupted)),
        }
    }
    Ok(())
}

/// An alternative: the number of the next set, if the table has it, and the postponed untils.
type Known = (Option<u32>, Bits);

struct Checker<'a> {
    certificate: &'a Certificate,
    plain: &'a dyn Plain,
    obligations: &'a Obligations,
    propositions: PlainPropositions<'a>,
    index: &'a Index,
    sets: FxHashMap<&'a [u32], u32>,
    names: Vec<String>,
}

/// The successors of a state, each with room for the number of a set, and the steps that lead
/// there.
#[derive(Default)]
struct Successors {
    steps: Vec<Step>,
    values: Vec<i64>,
    packed: Vec<u64>,
}

impl<'a> Checker<'a> {
    fn new(
        certificate: &'a Certificate,
        plain: &'a dyn Plain,
        obligations: &'a Obligations,
        index: &'a Index,
    ) -> Result<Self, Rejection> {
        let names = plain.variables();
        let known = certificate.rows.columns().len() - 1;
        if names.len() != known {
            let count = names.len();
            let message = format!("the model has {count} variables, the certificate {known}");
            return Err(Rejection { condition: Condition::Meaning, message });
        }
        if certificate.claim.fair == Fair::Processes && plain.process_count() == 0 {
            let message = "the model has no processes to be fair to".to_owned();
            return Err(Rejection { condition: Condition::Meaning, message });
        }
        let texts = obligations.propositions().iter().map(|prop| prop.name());
        let propositions = PlainPropositions::new(plain, texts).map_err(|error| {
            let message = format!("the property has no meaning in the model: {error}");
            Rejection { condition: Condition::Meaning, message }
        })?;
        let sets = certificate.sets.iter().enumerate();
        let sets = sets.map(|(number, set): (usize, &Set)| (&**set, number as u32)).collect();
        Ok(Checker { certificate, plain, obligations, propositions, index, sets, names })
    }

    /// Checks that the table has the initial states.
    fn initial(&self) -> Result<(), Rejection> {
        let set = self.sets.get(&*self.obligations.initial()).copied();
        for state in self.plain.initial() {
            let node = set.and_then(|set| {
                self.find(&[&state[..], &[i64::from(set)]].concat(), &mut Vec::new())
            });
            if node.is_none() {
                let state = self.state(&state);
                let message = format!("the initial state {state} is not in the table");
                return Err(Rejection { condition: Condition::Initial, message });
            }
        }
        Ok(())
    }

    /// Returns the node with these numbers: the values of a state, then the number of a set.
    fn find(&self, numbers: &[i64], packed: &mut Vec<u64>) -> Option<u32> {
        self.certificate.rows.pack(numbers, packed).ok()?;
        self.index.find(&self.certificate.rows, packed)
    }

    /// Checks some nodes.
    fn rows(&self, rows: std::ops::Range<usize>) -> Result<(), Rejection> {
        let mut alternatives: FxHashMap<(u32, u64), Vec<Known>> = FxHashMap::default();
        let mut numbers = Vec::new();
        let mut successors = Successors::default();
        for row in rows {
            interrupt::poll();
            self.certificate.rows.unpack(row, &mut numbers);
            let set = numbers.pop().unwrap_or_default() as u32;
            self.node(row, &numbers, set, &mut successors, &mut alternatives).map_err(
                |(condition, reason)| {
                    let state = self.state(&numbers);
                    let message = format!("node {row}, in the state {state}: {reason}");
                    Rejection { condition, message }
                },
            )?;
        }
        Ok(())
    }

    /// Checks a node.
    fn node(
        &self,
        row: usize,
        state: &[i64],
        set: u32,
        successors: &mut Successors,
        alternatives: &mut FxHashMap<(u32, u64), Vec<Known>>,
    ) -> Result<(), (Condition, String)> {
        let Certificate { claim, ranks, promises, .. } = self.certificate;
        let Successors { steps, values, packed } = successors;
        steps.clear();
        values.clear();
        let expanded = self.plain.successors(state, &mut |step, next| {
            steps.push(step.clone());
            values.extend_from_slice(next);
            values.push(0);
        });
        let meaning = |reason: String| (Condition::Meaning, reason);
        expanded.map_err(|undefined| meaning(undefined.to_string()))?;
        let valuation = self.propositions.holding(state, steps);
        let valuation = valuation.map_err(|undefined| meaning(undefined.to_string()))?;
        let known = match alternatives.get(&(set, valuation)) {
            Some(known) => known,
            None => {
                let all = self.obligations.expand(&self.certificate.sets[set as usize], valuation);
                let all = all.map_err(|error| meaning(error.to_string()))?;
                let number = |next: &Set| self.sets.get(&**next).copied();
                let known = all.into_iter().map(|one| (number(&one.next), one.postponed));
                alternatives.entry((set, valuation)).or_insert(known.collect())
            }
        };
        let mut enabled: Vec<u32> = Vec::new();
        steps.iter().for_each(|step| enabled.extend(claim.fair.stepping(step)));
        if steps.is_empty() {
            match claim.deadlocks {
                Deadlocks::Report => {
                    return Err((Condition::Deadlock, "it is a deadlock".to_owned()));
                }
                Deadlocks::Ignore => return Ok(()),
                Deadlocks::Stutter => {
                    steps.push(Step::default());
                    values.extend_from_slice(state);
                    values.push(0);
                }
            }
        }
        let (rank, untils) = (ranks[row], self.obligations.until_count() as u32);
        let promise = promises[rank as usize];
        for (number, step) in steps.iter().enumerate() {
            let width = state.len() + 1;
            let next = &mut values[number * width..][..width];
            let stepping = claim.fair.stepping(step);
            for (set, postponed) in known {
                next[width - 1] = i64::from(set.unwrap_or(NONE));
                let target = set.and_then(|_| self.find(next, packed)).ok_or_else(|| {
                    let next = self.state(next);
                    (Condition::Successor, format!("its successor {next} is not in the table"))
                })?;
                let next_rank = ranks[target as usize];
                if next_rank > rank {
                    let reason = format!("its rank is {rank}, that of node {target} {next_rank}");
                    return Err((Condition::Rank, reason));
                }
                let is_postponed = || match promise.checked_sub(untils) {
                    _ if promise == NONE => false,
                    None => postponed[promise as usize / 64] >> (promise % 64) & 1 == 1,
                    Some(component) => {
                        enabled.contains(&component) && !stepping.contains(&component)
                    }
                };
                if next_rank == rank && !is_postponed() {
                    let reason = format!("a step to node {target} stays in rank {rank}");
                    return Err((Condition::Promise, format!("{reason} and keeps its promise")));
                }
            }
        }
        Ok(())
    }

    /// Returns a state in words: the variables that are not 0.
    fn state(&self, state: &[i64]) -> String {
        let pairs = self.names.iter().zip(state).filter(|(_, value)| **value != 0);
        let mut pairs: Vec<String> =
            pairs.take(20).map(|(name, value)| format!("{name} = {value}")).collect();
        if pairs.len() == 20 {
            pairs.push("…".to_owned());
        }
        format!("({})", pairs.join(", "))
    }
}
