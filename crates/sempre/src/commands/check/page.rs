//! Counterexamples as one self-contained HTML page: the run step by step, a lane for each process,
//! the truth of each subformula at each step, and the automaton of the negation with its state lit.

use super::answer::Answer;
use super::chart::escaped;
use crate::lanes::Lanes;
use crate::trace::Change;
use sempre::automata::draw::{self, SvgOptions};
use sempre::automata::membership;
use sempre::ltl::semantics::{proof, restricted};
use sempre::ltl::{Formula, Word, interrupt};
use sempre::translate::Translator;
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("page.html");

/// How many subformulas are shown, the largest ones first.
const MAX_SUBFORMULAS: usize = 40;

/// How long the translation may take, in units of [`interrupt::within`].
const TRANSLATION: u64 = 1 << 12;

/// The largest automaton that is shown.
const MAX_STATES: usize = 60;

/// The counterexamples of a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    findings: Vec<Value>,
    title: String,
}

impl Page {
    /// Adds the counterexample of an answer, if it has one.
    pub(super) fn add(&mut self, answer: &Answer, formula: &Formula) {
        let Some(finding) = &answer.finding else { return };
        let word = finding.word.as_ref();
        let proof = word.map(|word| proof::explain(formula, word));
        let run = &match &proof {
            Some(proof) => finding.explained(proof),
            None => finding.trace.clone(),
        };
        let title = format!("{} is violated", answer.property);
        if self.findings.is_empty() {
            self.title.clone_from(&title);
        }
        let lanes = Lanes::new(run);
        let cells = |changes: &[Change]| {
            let mut cells: Vec<Vec<String>> = vec![Vec::new(); lanes.names.len()];
            for change in changes {
                let text = format!("{}={}", change.variable, change.after);
                cells[lanes.of(&change.variable)].push(text);
            }
            cells
        };
        let steps: Vec<Value> = run
            .shown()
            .map(|step| {
                let changes: Vec<_> =
                    step.changes.iter().map(|change| (&change.variable, &change.after)).collect();
                json!({ "action": step.name(), "changes": changes, "cells": cells(&step.changes) })
            })
            .collect();
        let mut first: Vec<Vec<String>> = vec![Vec::new(); lanes.names.len()];
        let mut seen: Vec<&str> = Vec::new();
        for change in run.shown().flat_map(|step| &step.changes) {
            if !seen.contains(&&*change.variable) {
                seen.push(&change.variable);
                let value = run.initial.get(&change.variable);
                first[lanes.of(&change.variable)].push(format!("{}={value}", change.variable));
            }
        }
        let used = |subformula: &Formula| -> Vec<usize> {
            let steps = proof.as_ref().map(|proof| proof.steps()).unwrap_or_default();
            steps.iter().filter(|s| s.formula == *subformula).map(|s| s.position).collect()
        };
        let matters: Vec<usize> =
            proof.as_ref().map(|proof| proof.observed().into_keys().collect()).unwrap_or_default();
        // Beyond its bad state, nothing of a run is shown.
        let length = word.map_or(steps.len() + 1, Word::len);
        let positions = if run.ending().is_some() { length.min(steps.len() + 1) } else { length };
        self.findings.push(json!({
            "name": answer.property,
            "title": title,
            "initial": run.initial,
            "lanes": lanes.names,
            "first": first,
            "steps": steps,
            "prefix": run.prefix.len(),
            "positions": positions,
            "loops": run.ending().is_none(),
            "ending": run.ending(),
            "matters": matters,
            "subformulas": word.map(|word| truth(formula, word, positions, used)).unwrap_or_default(),
            "automaton": word.and_then(|word| automaton(formula, word)),
            "why": proof.as_ref().map(|proof| proof.arguments()).unwrap_or_default(),
        }));
    }

    /// The page; none if nothing was added.
    pub(super) fn text(&self) -> Option<String> {
        if self.findings.is_empty() {
            return None;
        }
        // A script must not end before its end.
        let data = Value::from(self.findings.clone()).to_string().replace("</", "<\\/");
        Some(TEMPLATE.replace("@TITLE@", &escaped(&self.title)).replace("@DATA@", &data))
    }
}

/// The value of each subformula at the first positions, the formula itself first.
fn truth(
    formula: &Formula,
    word: &Word,
    positions: usize,
    used: impl Fn(&Formula) -> Vec<usize>,
) -> Vec<Value> {
    let results = restricted::results(formula, word);
    let shown = results.subformulas().iter().rev().take(MAX_SUBFORMULAS);
    let row = |subformula: &Formula| {
        let values: Vec<bool> = (0..positions)
            .map(|position| results.value(subformula, position) == Some(true))
            .collect();
        json!({ "text": subformula.to_string(), "values": values, "used": used(subformula) })
    };
    shown.map(row).collect()
}

/// The automaton of the negation, and the states of an accepting run on the word.
fn automaton(formula: &Formula, word: &Word) -> Option<Value> {
    let negation = Formula::not(formula.clone());
    let translated = interrupt::within(TRANSLATION, || Translator::new().translate(&negation));
    let automaton = translated.ok().filter(|made| made.state_count() <= MAX_STATES)?;
    let run = membership::accepting_run(&automaton, word)?;
    let states: Vec<usize> = run.states(&automaton).map(|state| state.index()).collect();
    let svg = draw::svg(&automaton, &SvgOptions::default()).ok()?;
    Some(json!({ "svg": svg, "states": states[..run.len()], "prefix": run.prefix().len() }))
}
