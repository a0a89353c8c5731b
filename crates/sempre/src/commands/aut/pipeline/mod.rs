//! The steps of `sempre aut`, in the order of the command line.
//!
//! Options, values and help come from the rows of a registry. An option of a step (`--reset`)
//! applies to the last step before it that takes it. It may also follow the value of the step, after a
//! comma: `--degeneralize=sb,jump=never`.

#[cfg(test)]
mod tests;

use crate::automata::read_one;
use anyhow::{Result, anyhow};
use clap::builder::{
    PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser, ValueParser,
};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use sempre::automata::Automaton;
use sempre::automata::transform::{Registry, Step, Steps, Transformation};
use sempre::ltl::options::{Parameter, Settings, Takes};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

/// The steps of the command line: rows with options and files, in order.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Pipeline {
    steps: Vec<PendingStep>,
}

/// A step whose file is not read yet.
#[derive(Clone, Debug)]
struct PendingStep {
    row: &'static Transformation,
    settings: Settings,
    file: Option<OsString>,
}

impl Pipeline {
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the files of the steps.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.steps.iter().filter_map(|step| step.file.as_deref().map(Path::new))
    }

    /// Parses steps in the syntax of the command line, and reads their files.
    pub(in crate::commands) fn read(text: &str) -> Result<Steps> {
        Self::read_by(&Registry::built_in(), text)
    }

    /// Parses steps with the rows of a registry.
    fn read_by(registry: &Registry, text: &str) -> Result<Steps> {
        let command = Self::augment(registry, Command::new("steps").no_binary_name(true));
        let command = command.disable_help_flag(true).color(clap::ColorChoice::Never);
        let words = text.split_whitespace();
        // The rest of the error describes the usage of the command.
        let shorten = |error: clap::Error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            match text.lines().find_map(|line| line.trim().strip_prefix("tip: ")) {
                Some(tip) => anyhow!("{first}; {tip}"),
                None => anyhow!("{first}"),
            }
        };
        let matches = command.try_get_matches_from(words).map_err(shorten)?;
        Self::from_matches(registry, &matches).map_err(shorten)?.compile()
    }

    /// Reads the files of the steps.
    pub(super) fn compile(&self) -> Result<Steps> {
        let mut steps = vec![];
        for PendingStep { row, settings, file } in &self.steps {
            let operand = file.as_deref().map(|file| read_one(Path::new(file))).transpose()?;
            steps.push(Step::new(row, settings.clone(), operand.map(Arc::new))?);
        }
        Ok(Steps(steps))
    }

    /// Adds an option for each row, and one for each further option of rows.
    fn augment(registry: &Registry, mut command: Command) -> Command {
        for row in registry.rows() {
            let arg = Arg::new(row.name)
                .long(row.name)
                .help(row.description())
                .help_heading("Steps, in the order given")
                .action(ArgAction::Append);
            command = command.arg(match row.value {
                _ if row.takes_operand() => arg
                    .value_name("FILE")
                    .value_parser(clap::value_parser!(std::path::PathBuf))
                    .value_hint(clap::ValueHint::FilePath),
                None => arg.num_args(0).default_missing_value(""),
                Some(value) => with_value(arg, row, value),
            });
        }
        for parameter in options(registry) {
            let takers = takers(registry, parameter);
            let help = format!("For {}: {}", takers.join(", "), parameter.help());
            let arg = Arg::new(parameter.name())
                .long(parameter.name())
                .help(help)
                .help_heading("Options of steps, after the step")
                .action(ArgAction::Append);
            let arg = match parameter.takes() {
                Takes::Nothing => arg.num_args(0).default_missing_value(""),
                _ => arg.value_name(place_holder(parameter)).value_parser(values(parameter)),
            };
            command = command.arg(arg);
        }
        command
    }

    /// Collects the steps in order.
    fn from_matches(registry: &Registry, matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found: Vec<(usize, StepArgument, OsString)> = vec![];
        let mut collect = |name: &str, given: StepArgument| {
            if let (Some(places), Some(values)) = (matches.indices_of(name), matches.get_raw(name))
            {
                let values = places.zip(values);
                found.extend(values.map(|(place, value)| (place, given, value.to_owned())));
            }
        };
        registry.rows().iter().for_each(|row| collect(row.name, StepArgument::Step(row)));
        options(registry)
            .into_iter()
            .for_each(|parameter| collect(parameter.name(), StepArgument::Option(parameter)));
        found.sort_by_key(|(place, ..)| *place);
        let mut steps: Vec<PendingStep> = vec![];
        for (_, given, value) in found {
            match given {
                StepArgument::Step(row) => {
                    let file = row.takes_operand().then(|| value.clone());
                    let mut settings = Settings::default();
                    if row.value.is_some() && file.is_none() {
                        settings = read(row, &value)?;
                    }
                    steps.push(PendingStep { row, settings, file });
                }
                StepArgument::Option(parameter) => {
                    let takes = |step: &&mut PendingStep| takes(step.row, parameter);
                    let Some(step) = steps.iter_mut().rev().find(takes) else {
                        let takers = takers(registry, parameter).join(" or ");
                        let message = format!("--{} must follow {takers}\n", parameter.name());
                        return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message));
                    };
                    set(&mut step.settings, parameter, &value)?;
                }
            }
        }
        Ok(Pipeline { steps })
    }
}

/// Runs all steps; an error names the option.
pub(in crate::commands) fn run(steps: &Steps, automaton: &Automaton) -> Result<Automaton> {
    steps.try_run(automaton).map_err(|(step, error)| {
        anyhow::Error::new(error).context(format!("--{} failed", step.row().name))
    })
}

/// A step in the syntax of the command line, without its file: `--reduce=low`.
pub(in crate::commands) fn text(row: &Transformation, settings: &Settings) -> String {
    let mut text = format!("--{}", row.name);
    for (number, parameter) in row.parameters().into_iter().enumerate() {
        match settings.text(parameter) {
            Some(value) if number == 0 && row.value.is_some() => text += &format!("={value}"),
            Some(value) => text += format!(" --{} {value}", parameter.name()).trim_end(),
            None => {}
        }
    }
    text
}

/// The value of an option.
#[derive(Clone, Copy)]
enum StepArgument {
    Step(&'static Transformation),
    Option(&'static dyn Parameter),
}

/// Returns the further options of rows, each once.
fn options(registry: &Registry) -> Vec<&'static dyn Parameter> {
    let mut options: Vec<&'static dyn Parameter> = vec![];
    for parameter in registry.rows().iter().flat_map(|row| row.options) {
        if options.iter().all(|known| known.name() != parameter.name()) {
            options.push(*parameter);
        }
    }
    options
}

fn takes(row: &Transformation, parameter: &dyn Parameter) -> bool {
    row.options.iter().any(|option| option.name() == parameter.name())
}

/// Returns the steps that take an option.
fn takers(registry: &Registry, parameter: &dyn Parameter) -> Vec<String> {
    let rows = registry.rows().iter().filter(|row| takes(row, parameter));
    rows.map(|row| format!("--{}", row.name)).collect()
}

/// Reads the value of a step, with further options after commas.
fn read(row: &Transformation, value: &OsStr) -> Result<Settings, clap::Error> {
    Settings::read(&row.parameters(), value.to_str().unwrap_or_default())
        .map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, format!("{error}\n")))
}

fn set(
    settings: &mut Settings,
    parameter: &dyn Parameter,
    value: &OsStr,
) -> Result<(), clap::Error> {
    settings
        .set(parameter, value.to_str().unwrap_or_default())
        .map_err(|error| clap::Error::raw(ErrorKind::InvalidValue, format!("{error}\n")))
}

/// An option whose value may be omitted if it has a default.
fn with_value(arg: Arg, row: &'static Transformation, value: &'static dyn Parameter) -> Arg {
    let arg = arg.value_name(place_holder(value)).value_parser(StepValueParser { row, value });
    match value.default() {
        Some(default) => arg.num_args(0..=1).require_equals(true).default_missing_value(default),
        None => arg,
    }
}

fn place_holder(parameter: &dyn Parameter) -> String {
    match parameter.takes() {
        Takes::Number => "N".to_owned(),
        Takes::List => "N:…".to_owned(),
        _ => parameter.name().to_uppercase(),
    }
}

/// Checks the value of a step. Errors in a value alone list similar ones.
#[derive(Clone)]
struct StepValueParser {
    row: &'static Transformation,
    value: &'static dyn Parameter,
}

impl TypedValueParser for StepValueParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let text = value.to_str().unwrap_or_default();
        if text.contains([',', '=']) {
            return read(self.row, value).map(|_| text.to_owned());
        }
        match self.value.takes() {
            Takes::Names(names) => {
                let names = names.into_iter().map(|(name, _)| name);
                PossibleValuesParser::new(names).parse_ref(command, arg, value)
            }
            _ => {
                let read = |text: String| self.value.read(&text).map(|_| text);
                StringValueParser::new().try_map(read).parse_ref(command, arg, value)
            }
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let Takes::Names(names) = self.value.takes() else { return None };
        Some(Box::new(names.into_iter().map(|(name, _)| PossibleValue::new(name))))
    }
}

/// Returns the parser of the values of an option.
fn values(parameter: &'static dyn Parameter) -> ValueParser {
    match parameter.takes() {
        Takes::Names(names) => {
            PossibleValuesParser::new(names.into_iter().map(|(name, _)| name)).into()
        }
        _ => {
            let read = |text: String| parameter.read(&text).map(|_| text);
            ValueParser::from(StringValueParser::new().try_map(read))
        }
    }
}

impl Args for Pipeline {
    fn augment_args(command: Command) -> Command {
        Self::augment(&Registry::built_in(), command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Pipeline {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Self::from_matches(&Registry::built_in(), matches)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
