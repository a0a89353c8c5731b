//! The steps that automata go through, in the order in which the command line has them.

mod step;

use crate::automata::read_one;
use anyhow::{Context, Result, anyhow};
use clap::builder::{PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use sempre::automata::{Automaton, reduce};
use std::ffi::OsString;
use std::path::Path;
use step::{STEPS, Step, Value};

/// The steps as the command line has them: options and their values, in order.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Pipeline {
    steps: Vec<(&'static Step, OsString)>,
}

/// The steps with their files read.
pub(in crate::commands) struct Steps {
    steps: Vec<(&'static Step, OsString, Option<Automaton>)>,
}

impl Pipeline {
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The files that steps name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let takes_file = |step: &Step| matches!(step.value, Value::File);
        self.steps.iter().filter(move |(step, _)| takes_file(step)).map(|(_, file)| Path::new(file))
    }

    /// Reads steps as the command line has them, and the files that they name.
    pub(in crate::commands) fn read(text: &str) -> Result<Steps> {
        let command = Self::augment_args(Command::new("steps").no_binary_name(true));
        let command = command.disable_help_flag(true).color(clap::ColorChoice::Never);
        let words = text.split_whitespace();
        let matches = command.try_get_matches_from(words).map_err(|error| {
            // The rest of the text is about how the command is called.
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            match text.lines().find_map(|line| line.trim().strip_prefix("tip: ")) {
                Some(tip) => anyhow!("{first}; {tip}"),
                None => anyhow!("{first}"),
            }
        })?;
        Self::from_arg_matches(&matches)?.compile()
    }

    /// Reads the files that steps name.
    pub(super) fn compile(&self) -> Result<Steps> {
        let mut steps = vec![];
        for (step, value) in &self.steps {
            let operand = match step.value {
                Value::File => Some(read_one(Path::new(value))?),
                _ => None,
            };
            steps.push((*step, value.clone(), operand));
        }
        Ok(Steps { steps })
    }
}

impl Steps {
    /// The names of the steps.
    pub(in crate::commands) fn names(&self) -> Vec<&'static str> {
        self.steps.iter().map(|(step, ..)| step.name).collect()
    }

    /// The automaton after all steps.
    pub(in crate::commands) fn run(&self, automaton: &Automaton) -> Result<Automaton> {
        let mut current = automaton.clone();
        let mut stays_deterministic = false;
        for (step, value, operand) in &self.steps {
            let value = value.to_str().unwrap_or_default();
            stays_deterministic |= step.name == "determinize";
            current = match step.name {
                "reduce" if stays_deterministic && current.is_deterministic() => {
                    reduce::deterministic::reduce(&current, step::level(value))
                }
                _ => (step.run)(&current, value, operand.as_ref())
                    .with_context(|| format!("--{} is not possible", step.name))?,
            };
            if !step.keeps_language && current.name().is_some() {
                let mut builder = current.edit();
                builder.clear_name();
                current = builder.build();
            }
        }
        Ok(current)
    }
}

impl Args for Pipeline {
    fn augment_args(mut command: Command) -> Command {
        for step in STEPS {
            let arg = Arg::new(step.name)
                .long(step.name)
                .help(step.help)
                .help_heading("Steps, in the order given")
                .action(ArgAction::Append);
            let names = || ValueParser::from(PossibleValuesParser::new(step.value.names()));
            command = command.arg(match step.value {
                Value::None => arg.num_args(0).default_missing_value(""),
                Value::Optional { name, default, .. } => arg
                    .value_name(name)
                    .num_args(0..=1)
                    .require_equals(true)
                    .default_missing_value(default)
                    .value_parser(names()),
                Value::Required { name, .. } => arg.value_name(name).value_parser(names()),
                Value::File => arg
                    .value_name("FILE")
                    .value_parser(clap::value_parser!(std::path::PathBuf))
                    .value_hint(clap::ValueHint::FilePath),
            });
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Pipeline {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut steps = vec![];
        for step in STEPS {
            let (Some(places), Some(values)) =
                (matches.indices_of(step.name), matches.get_raw(step.name))
            else {
                continue;
            };
            let found = places.zip(values).map(|(place, value)| (place, step, value.to_owned()));
            steps.extend(found);
        }
        steps.sort_by_key(|(place, ..)| *place);
        Ok(Pipeline { steps: steps.into_iter().map(|(_, step, value)| (step, value)).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
