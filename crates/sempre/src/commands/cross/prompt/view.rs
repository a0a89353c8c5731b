//! The parts of a round as text: formulas, automata, structures, results, words, proofs and runs.

use super::input::take;
use anyhow::{Context, Result, anyhow, bail};
use sempre::automata::draw::{self, DotOptions, TextOptions};
use sempre::automata::language::{self, Inclusion};
use sempre::automata::{Automaton, Kripke, hoa, membership};
use sempre::checkers::Pair;
use sempre::cross::{Polarity, Round, Scope, Session, Subject, global_answer};
use sempre::ltl::rewrite::nnf;
use sempre::ltl::semantics::{holds, proof};
use sempre::ltl::{Formula, Word};
use sempre::models::kripke::text;
use std::fmt::Write;

/// The limit of macrostates for the comparison of two automata.
const MACROSTATES: usize = 1 << 16;

/// A round and its participants.
pub(super) struct View<'a> {
    session: &'a Session,
    round: &'a Round,
}

impl<'a> View<'a> {
    pub(super) fn new(session: &'a Session, round: &'a Round) -> Self {
        View { session, round }
    }

    /// Returns the text that a command shows.
    pub(super) fn show(&self, command: &str, rest: &str) -> Result<String> {
        let mut words: Vec<&str> = rest.split_whitespace().collect();
        match command {
            "findings" => self.findings(),
            "formula" => self.formula(&mut words),
            "tools" => self.tools(),
            "automaton" => self.automaton(&mut words),
            "structure" => self.structure(&mut words),
            "results" => self.results(),
            "word" => self.word(rest),
            "proof" => {
                let proof = proof::explain(&self.round.formula, &self.word_of(rest)?);
                Ok(format!("{proof}\n"))
            }
            "run" => self.run(rest),
            _ => self.compare(&mut words),
        }
    }

    fn findings(&self) -> Result<String> {
        let mut out = String::new();
        for finding in &self.round.findings {
            write!(out, "{finding}")?;
        }
        for (tool, pair) in self.round.entries.iter().enumerate() {
            for (polarity, entry) in Polarity::ALL.into_iter().zip(pair) {
                if let Err(failure) = &entry.translation.result {
                    writeln!(out, "{} ({polarity}) failed: {failure}", self.name(tool))?;
                }
            }
        }
        if out.is_empty() {
            out.push_str("there are no findings\n");
        }
        Ok(out)
    }

    fn formula(&self, words: &mut Vec<&str>) -> Result<String> {
        let formula = polarity(words).of(&self.round.formula);
        done(words)?;
        let size = formula.size();
        Ok(format!("{formula}\nsize: {size}\nnegation normal form: {}\n", nnf(&formula)))
    }

    fn tools(&self) -> Result<String> {
        let mut out = String::new();
        for (tool, pair) in self.round.entries.iter().enumerate() {
            let sizes = pair.each_ref().map(|entry| match &entry.sizes {
                None => "no automaton".to_owned(),
                Some(sizes) => {
                    format!("{} states, {} edges, {} marks", sizes.states, sizes.edges, sizes.marks)
                }
            });
            writeln!(out, "{}  {}: {}; -: {}", tool + 1, self.name(tool), sizes[0], sizes[1])?;
        }
        Ok(out)
    }

    fn automaton(&self, words: &mut Vec<&str>) -> Result<String> {
        let (polarity, format) = (polarity(words), take(words, &["hoa", "dot"]));
        let automaton = self.automaton_of(self.tool(&words.join(" "))?, polarity)?;
        Ok(match format {
            Some("hoa") => hoa::to_string(automaton, &hoa::WriteOptions::default()),
            Some(_) => draw::dot(automaton, &DotOptions::default()),
            None => draw::text(automaton, &TextOptions::default()),
        })
    }

    fn structure(&self, words: &mut Vec<&str>) -> Result<String> {
        let format = take(words, &["dot"]);
        let number = match words.as_slice() {
            [] => 1,
            [word] => word.parse().map_err(|_| anyhow!("`{word}` is no number"))?,
            [_, word, ..] => bail!("`{word}` is not expected here"),
        };
        let structures = &self.round.structures;
        let place = usize::checked_sub(number, 1).and_then(|place| structures.get(place));
        let structure = place.with_context(|| match structures.len() {
            0 => "the round has no structures".to_owned(),
            1 => "the round has one structure".to_owned(),
            count => format!("the round has {count} structures"),
        })?;
        if format.is_some() {
            return Ok(kripke_dot(structure));
        }
        let formula = self.round.formula.clone();
        Ok(text::write(&Pair { structure: structure.clone(), formula }.model()?))
    }

    fn results(&self) -> Result<String> {
        let mut out = String::new();
        for (number, structure) in self.round.structures.iter().enumerate() {
            if self.round.structures.len() > 1 {
                writeln!(out, "structure {}:", number + 1)?;
            }
            for polarity in Polarity::ALL {
                let mut vectors = vec![];
                for tool in 0..self.round.entries.len() {
                    let Ok(automaton) = self.automaton_of(tool, polarity) else { continue };
                    let answer = global_answer(structure, automaton, Scope::Global);
                    let states = ranges(&answer.accepting);
                    writeln!(out, "{} ({polarity}): {states}", self.name(tool))?;
                    vectors.push(answer.accepting);
                }
                let differ = |state: usize| vectors.iter().any(|v| v[state] != vectors[0][state]);
                let differing: Vec<bool> = (0..structure.state_count()).map(differ).collect();
                if differing.contains(&true) {
                    writeln!(out, "they differ ({polarity}) at: {}", ranges(&differing))?;
                }
            }
        }
        if out.is_empty() {
            out.push_str("the round has no structures\n");
        }
        Ok(out)
    }

    fn word(&self, text: &str) -> Result<String> {
        let (word, formula) = (self.word_of(text)?, &self.round.formula);
        let is_model = holds(formula, &word);
        let verb = if is_model { "satisfies" } else { "does not satisfy" };
        let mut out = format!("{word} {verb} {formula}\n");
        for tool in 0..self.round.entries.len() {
            for polarity in Polarity::ALL {
                let Ok(automaton) = self.automaton_of(tool, polarity) else { continue };
                let accepts = membership::accepts(automaton, &word);
                let verb = if accepts { "accepts" } else { "rejects" };
                let verdict =
                    if polarity.accepts_if(is_model) == accepts { "" } else { ", wrongly" };
                writeln!(out, "{} ({polarity}) {verb} it{verdict}", self.name(tool))?;
            }
        }
        Ok(out)
    }

    fn run(&self, text: &str) -> Result<String> {
        // A word begins at the first character after the name of the tool and the polarity.
        let (named, word) = match text.find([';', '{']) {
            None => (text.to_owned(), String::new()),
            Some(_) => {
                let mut words: Vec<&str> = text.split_whitespace().collect();
                let after = usize::from(matches!(words.get(1), Some(&("+" | "-"))));
                let word = words.split_off((1 + after).min(words.len()));
                (words.join(" "), word.join(" "))
            }
        };
        let mut words: Vec<&str> = named.split_whitespace().collect();
        let polarity = polarity(&mut words);
        let automaton = self.automaton_of(self.tool(&words.join(" "))?, polarity)?;
        let word = self.word_of(&word)?;
        let Some(run) = membership::accepting_run(automaton, &word) else {
            return Ok(format!("there is no accepting run on {word}\n"));
        };
        let alphabet = automaton.alphabet();
        let mut out = format!("state {}\n", run.start().index());
        for (place, edge) in run.edges().enumerate() {
            if place == run.prefix().len() {
                out.push_str("cycle:\n");
            }
            let edge = automaton.edge(edge);
            let label = alphabet.to_formula(edge.label);
            write!(out, "  [{label}] to state {}", edge.target.index())?;
            match edge.marks.is_empty() {
                true => out.push('\n'),
                false => writeln!(out, " {}", edge.marks)?,
            }
        }
        Ok(out)
    }

    fn compare(&self, words: &mut Vec<&str>) -> Result<String> {
        let polarity = polarity(words);
        let [left, right] = words.as_slice() else {
            bail!("expected two tools, by number or name")
        };
        let tools = [self.tool(left)?, self.tool(right)?];
        let mut out = String::new();
        for [one, other] in [tools, [tools[1], tools[0]]] {
            let [this, that] =
                [self.automaton_of(one, polarity)?, self.automaton_of(other, polarity)?];
            match language::inclusion_up_to(this, that, MACROSTATES) {
                Inclusion::Included => {}
                Inclusion::Excludes(word) => {
                    let (this, that) = (self.name(one), self.name(other));
                    writeln!(out, "{this} accepts {word}, and {that} does not")?;
                }
                Inclusion::Unknown => writeln!(out, "too many macrostates")?,
            }
        }
        if out.is_empty() {
            out.push_str("both accept the same words\n");
        }
        Ok(out)
    }

    fn name(&self, tool: usize) -> &str {
        &self.session.names()[tool]
    }

    /// Returns the tool of a number or a name.
    fn tool(&self, text: &str) -> Result<usize> {
        let count = self.round.entries.len();
        let by_number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let by_name = (0..count).find(|tool| self.name(*tool) == text);
        by_name.or(by_number.filter(|tool| *tool < count)).with_context(|| match text {
            "" => "name a tool; `tools` lists them".to_owned(),
            text => format!("there is no tool `{text}`; `tools` lists them"),
        })
    }

    fn automaton_of(&self, tool: usize, polarity: Polarity) -> Result<&'a Automaton> {
        let entry = self.round.entry(Subject::new(tool, polarity));
        let automaton = entry.and_then(|entry| entry.automaton());
        automaton.with_context(|| format!("{} ({polarity}) has no automaton", self.name(tool)))
    }

    /// Returns the given word, or that of the first finding with one.
    fn word_of(&self, text: &str) -> Result<Word> {
        if !text.is_empty() {
            return Word::parse(text).map_err(|error| anyhow!("{error}"));
        }
        let witness = self.round.findings.iter().find_map(|finding| finding.witness.as_ref());
        let witness = witness.context("no finding of this round has a word: give one")?;
        Ok(witness.word.clone())
    }
}

/// Takes the sign of an automaton from the words of an argument.
fn polarity(words: &mut Vec<&str>) -> Polarity {
    match take(words, &["+", "-"]) {
        Some("-") => Polarity::Negative,
        _ => Polarity::Positive,
    }
}

/// Checks that all words of an argument were used.
fn done(words: &[&str]) -> Result<()> {
    match words.first() {
        None => Ok(()),
        Some(word) => bail!("`{word}` is not expected here"),
    }
}

/// Returns the numbers of the true values, as ranges.
fn ranges(values: &[bool]) -> String {
    let mut texts = vec![];
    let mut place = 0;
    while place < values.len() {
        let length = values[place..].iter().take_while(|value| **value).count();
        match length {
            0 => {}
            1 => texts.push(place.to_string()),
            _ => texts.push(format!("{place}-{}", place + length - 1)),
        }
        place += length + 1;
    }
    match texts.is_empty() {
        true => "no state".to_owned(),
        false => texts.join(" "),
    }
}

/// Draws a structure for Graphviz.
fn kripke_dot(structure: &Kripke) -> String {
    let mut out = String::from("digraph {\n  start [shape=point];\n");
    let _ = writeln!(out, "  start -> s{};", structure.initial().index());
    for state in structure.states() {
        let label = structure.label(state);
        let props = structure.alphabet().props().iter().enumerate();
        let names: Vec<String> = props
            .filter(|(bit, _)| label >> bit & 1 == 1)
            .map(|(_, prop)| Formula::prop(prop.clone()).to_string())
            .collect();
        let text = names.join(" ").replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "  s{0} [label=\"s{0}\\n{text}\"];", state.index());
        for target in structure.successors(state) {
            let _ = writeln!(out, "  s{} -> s{};", state.index(), target.index());
        }
    }
    out.push_str("}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_shown_as_ranges() {
        assert_eq!(ranges(&[true, true, false, true, false]), "0-1 3");
        assert_eq!(ranges(&[false, true, true, true]), "1-3");
        assert_eq!(ranges(&[false]), "no state");
    }
}
