//! Very weak alternating automata to generalized Büchi automata.
//!
//! P. Gastin and D. Oddoux, Fast LTL to Büchi automata translation (CAV 2001), Section 4. States
//! are configurations. A step has the mark of a promise if the promise is not pending after it, or
//! could be fulfilled by it. Redundant steps are dropped during the expansion of a configuration.
//! Configurations with the same steps are merged.

use super::states::States;
use super::step::{Configuration, Redundancy, Step, product};
use super::suspension::Suspension;
use super::very_weak::VeryWeak;
use rustc_hash::FxHashMap;
use sempre_automata::{Alphabet, Automaton, Label, Marks, Named, StateId};
use sempre_ltl::{Formula, interrupt};

/// The optional improvements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    pub(super) spare: Redundancy,
    pub(super) suspend: bool,
    pub(super) merge: bool,
    pub(super) names: bool,
}

/// The edges of a configuration under construction; targets are configurations by number.
type Row = Vec<(u32, Marks, Label)>;

pub(super) struct Generalization<'a> {
    automaton: &'a VeryWeak,
    options: Options,
    suspension: Suspension<'a>,
    promises: Vec<u32>,
    numbers: FxHashMap<Configuration, u32>,
    /// By number; `None` is the choice between several initial ones.
    configurations: Vec<Option<Configuration>>,
    rows: Vec<Row>,
}

impl<'a> Generalization<'a> {
    pub(super) fn new(automaton: &'a VeryWeak, options: Options) -> Self {
        Generalization {
            automaton,
            options,
            suspension: Suspension::new(automaton),
            promises: automaton.promises().collect(),
            numbers: FxHashMap::default(),
            configurations: vec![],
            rows: vec![],
        }
    }

    pub(super) fn build(mut self) -> Automaton {
        match &self.automaton.initial[..] {
            [one] => {
                self.number(one.clone());
            }
            several => {
                self.configurations.push(None);
                let steps = several.iter().flat_map(|configuration| {
                    let mut configuration = configuration.clone();
                    self.automaton.tidy(&mut configuration);
                    self.steps_of(&configuration)
                });
                let steps = steps.collect();
                let steps = self.options.spare.steps(steps, self.alphabet());
                self.add_row(steps);
            }
        }
        while let Some(configuration) = self.configurations.get(self.rows.len()).cloned() {
            interrupt::poll();
            let steps = configuration.map(|c| self.steps_of(&c)).unwrap_or_default();
            self.add_row(steps);
        }
        self.finish()
    }

    fn alphabet(&self) -> &'a Alphabet {
        &self.automaton.alphabet
    }

    /// Returns the number of a configuration; assigns one on the first call.
    fn number(&mut self, mut configuration: Configuration) -> u32 {
        self.automaton.tidy(&mut configuration);
        let next = self.configurations.len() as u32;
        *self.numbers.entry(configuration).or_insert_with_key(|configuration| {
            self.configurations.push(Some(configuration.clone()));
            next
        })
    }

    /// Adds the edges of the next configuration.
    fn add_row(&mut self, steps: Vec<Step>) {
        let promises = std::mem::take(&mut self.promises);
        let marks = |step: &Step| {
            let fulfilled = |promise: &u32| step.fulfilled.contains(*promise);
            promises.iter().zip(0..).filter(|(p, _)| fulfilled(p)).map(|(_, mark)| mark).collect()
        };
        let row = steps
            .iter()
            .map(|step| (self.number(step.target.clone()), marks(step), step.label))
            .collect();
        self.promises = promises;
        self.rows.push(sorted(row, self.alphabet()));
    }

    /// Returns the steps of a configuration, with all promises that they fulfil.
    fn steps_of(&mut self, configuration: &Configuration) -> Vec<Step> {
        let alphabet = self.alphabet();
        let suspended = match self.options.suspend {
            true => self.suspension.suspended(&configuration.states),
            false => States::default(),
        };
        let start = Configuration { guard: alphabet.tt(), states: suspended.clone() };
        let mut steps =
            vec![Step { label: configuration.guard, target: start, fulfilled: States::default() }];
        for state in configuration.states.iter().filter(|&state| !suspended.contains(state)) {
            let more = product(&steps, &self.automaton.state(state).steps, alphabet).collect();
            steps = self.options.spare.steps(more, alphabet);
        }
        for step in &mut steps {
            interrupt::poll();
            let fulfilled = |&promise: &u32| self.fulfils(configuration, step, promise);
            let fulfilled: States = self.promises.iter().copied().filter(fulfilled).collect();
            step.fulfilled = fulfilled;
            self.automaton.tidy(&mut step.target);
        }
        self.options.spare.steps(steps, alphabet)
    }

    /// True if a step from a configuration has the mark of a promise.
    fn fulfils(&self, source: &Configuration, step: &Step, promise: u32) -> bool {
        if !step.target.contains(promise) || step.fulfilled.contains(promise) {
            return true;
        }
        let pending = source
            .states
            .iter()
            .any(|state| state == promise || self.automaton.state(state).body == Some(promise));
        // The promise was not pending before, so the language does not depend on the mark. It is
        // set if the promise could have been fulfilled, so that configurations with and without the
        // promise may be merged.
        !pending
            && self.automaton.state(promise).steps.iter().any(|own| {
                !own.target.contains(promise)
                    && own.target.states.is_subset(&step.target.states)
                    && self.alphabet().implies(step.target.guard, own.target.guard)
                    && self.alphabet().implies(step.label, own.label)
            })
    }

    /// Returns, for each configuration, the first one with the same edges, up to such merging of
    /// the targets.
    fn representatives(&mut self) -> Vec<u32> {
        let mut representatives: Vec<u32> = (0..self.rows.len() as u32).collect();
        loop {
            interrupt::poll();
            let mut first: FxHashMap<&Row, u32> = FxHashMap::default();
            let mut changed = false;
            for (row, number) in self.rows.iter().zip(0..) {
                if representatives[number as usize] == number {
                    let representative = *first.entry(row).or_insert(number);
                    representatives[number as usize] = representative;
                    changed |= representative != number;
                }
            }
            if !changed {
                return representatives;
            }
            let alphabet = &self.automaton.alphabet;
            for row in &mut self.rows {
                let renamed = std::mem::take(row)
                    .into_iter()
                    .map(|(target, marks, label)| (representatives[target as usize], marks, label));
                *row = sorted(renamed.collect(), alphabet);
            }
        }
    }

    /// Builds the automaton of the reachable configurations, in the order of their numbers.
    fn finish(mut self) -> Automaton {
        let representatives = match self.options.merge {
            true => self.representatives(),
            false => (0..self.rows.len() as u32).collect(),
        };
        let mut builder = Automaton::builder(self.automaton.alphabet.clone());
        builder.acceptance(match self.promises.len() as u32 {
            0 => Named::All.acceptance(),
            count => Named::GeneralizedBuchi(count).acceptance(),
        });
        let states: Vec<Option<StateId>> = representatives
            .iter()
            .zip(0..)
            .map(|(&representative, number)| {
                (representative == number).then(|| builder.add_state())
            })
            .collect();
        let state = |number: u32| {
            states[representatives[number as usize] as usize]
                .unwrap_or_else(|| unreachable!("representatives are states"))
        };
        builder.initial(state(0));
        for (number, row) in (0..).zip(std::mem::take(&mut self.rows)) {
            interrupt::poll();
            if representatives[number as usize] != number {
                continue;
            }
            if self.options.names {
                builder.state_name(state(number), self.formula(number).to_string());
            }
            for (target, marks, label) in row {
                builder.edge(state(number), label, marks, state(target));
            }
        }
        builder.build()
    }

    /// Returns the formula of a configuration.
    fn formula(&self, number: u32) -> Formula {
        let formula = |configuration: &Configuration| {
            let guard = self.alphabet().to_formula(configuration.guard);
            let states = configuration.states.iter();
            let states = states.map(|state| self.automaton.state(state).formula.clone());
            Formula::and(states.chain((!guard.is_true()).then_some(guard)))
        };
        match &self.configurations[number as usize] {
            Some(configuration) => formula(configuration),
            None => Formula::or(self.automaton.initial.iter().map(formula)),
        }
    }
}

/// Sorts the edges, and merges those that differ only in their labels.
fn sorted(mut row: Row, alphabet: &Alphabet) -> Row {
    row.sort();
    row.dedup_by(|later, earlier| {
        let same = (later.0, &later.1) == (earlier.0, &earlier.1);
        if same {
            earlier.2 = alphabet.or(earlier.2, later.2);
        }
        same
    });
    row
}
