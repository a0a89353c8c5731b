//! Checks properties in the format of the Model Checking Contest, and answers in its format.

use super::json::CheckAnswer;
use super::{Check, Loaded, begin};
use crate::Exit;
use crate::input::Failure;
use crate::output::{Output, printable};
use crate::report;
use anyhow::{Context, Error, Result, anyhow, bail};
use sempre::models::property::{Property, mcc};
use sempre::models::proposition::Propositions;
use sempre::prelude::Checker;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

impl Check {
    /// Checks the properties of a file, and writes each answer as soon as it is known.
    pub(super) fn contest(
        &self,
        path: &PathBuf,
        loaded: &mut Option<Loaded>,
        out: &mut Output,
        exit: &mut Exit,
    ) -> Result<()> {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        if is_automaton(&text) {
            bail!("{name} has no properties in XML: give automata to --property");
        }
        let properties = mcc::read(&text).map_err(|error| {
            Error::from(report::Located::new(&report::Place::Line(&name, 1), &text, error))
        })?;
        if let Some(error) = foreign(&name, &properties, checker(loaded)) {
            if !self.input.keeps_going() {
                return Err(error);
            }
            out.flush()?;
            report::error(&error);
            *exit = Exit::Error;
            return Ok(());
        }
        if let Some((other, own)) = named_otherwise(&properties, checker(loaded))
            && !self.model.is_quiet()
        {
            report::note(&format!(
                "the properties of {name} are for the net {other}, but this net is {own}"
            ));
        }
        for property in &properties {
            let shown = printable(&property.formula)?.to_string();
            let start = begin(loaded);
            let formula = property.formula.clone().into();
            let answer =
                match self.answer(loaded, &property.name, &formula, Some(&shown), None, start) {
                    Ok(answer) => answer,
                    Err(Failure::Formula(error)) => {
                        let error = anyhow!(error).context(format!("{name}: {}", property.name));
                        if !self.input.keeps_going() {
                            return Err(error);
                        }
                        out.flush()?;
                        report::error(&error);
                        *exit = Exit::Error;
                        continue;
                    }
                    Err(Failure::Fatal(error)) => return Err(error),
                };
            *exit = (*exit).max(answer.exit());
            match self.json {
                true => CheckAnswer::new(&answer, self.witness, None).write(out)?,
                false => answer.write_contest(out)?,
            }
            out.flush()?;
            if *exit == Exit::Interrupted {
                break;
            }
        }
        Ok(())
    }
}

/// True for the beginning of an automaton in one of the formats of automata.
fn is_automaton(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("HOA")
        || text.starts_with("never")
        || text.starts_with(|c: char| c.is_ascii_digit())
}

fn checker(loaded: &Option<Loaded>) -> Option<&Checker> {
    loaded.as_ref().map(|loaded| &loaded.checker)
}

/// The name of the net that the properties are named after, as they are in the Contest, and the name
/// of the net, if that is another one.
fn named_otherwise<'a>(
    properties: &'a [Property],
    checker: Option<&'a Checker>,
) -> Option<(&'a str, &'a str)> {
    let (own, first) = (checker?.model().name()?, properties.first()?);
    let (other, _) = first.name.rsplit_once("-LTL")?;
    (other != own).then_some((other, own))
}

/// Returns the error that the properties belong to another model, if most of their propositions
/// have no meaning in this one.
fn foreign(file: &str, properties: &[Property], checker: Option<&Checker>) -> Option<Error> {
    let names = checker?.system().names();
    let formulas = properties.iter().map(|property| &property.formula);
    let all: BTreeSet<String> =
        formulas.flat_map(|formula| formula.props()).map(|prop| prop.name().to_owned()).collect();
    let has_meaning = |text: &&String| Propositions::compile(names, [text.as_str()]).is_ok();
    let known: BTreeSet<String> = all.iter().filter(has_meaning).cloned().collect();
    let unknown = all.len() - known.len();
    // A single unknown proposition may be a typing error.
    if unknown < 2 || unknown <= known.len() {
        return None;
    }
    let example = all.difference(&known).next().map(String::as_str).unwrap_or_default();
    Some(anyhow!(
        "{file} seems to be about another model: {unknown} of its {} propositions have no meaning \
         in this one, such as `{example}`",
        all.len()
    ))
}
