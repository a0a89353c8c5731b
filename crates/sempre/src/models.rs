//! Reads models from a file or standard input, in any language.

use crate::report::{self, Located, Place};
use crate::search::described;
use anyhow::{Context, Error, Result, anyhow};
use clap::builder::TypedValueParser;
use sempre::ltl;
use sempre::models::languages::LANGUAGES;
use sempre::models::proposition::{is_about_names, missing_quotes, written};
use sempre::models::{Extent, Fault, Language, Languages, Model, System};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The options that name a model.
#[derive(clap::Args, Debug)]
pub(crate) struct ModelInput {
    /// The file of the model (`-` is standard input).
    ///
    /// The end of its name shows the language, as --model-format lists them.
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// The format of the model, if its name does not determine it.
    #[arg(long, value_name = "FORMAT", value_parser = languages(|_| true), help_heading = "Input")]
    model_format: Option<&'static Language>,

    /// Print no notes on standard error, only errors.
    #[arg(short, long, help_heading = "Input")]
    quiet: bool,
}

/// Does work on the system of a model, again on wider ones as long as a value does not fit.
pub(crate) fn on_systems<T>(
    model: &Model,
    extent: Extent,
    mut work: impl FnMut(&dyn System) -> Result<T>,
) -> Result<T> {
    let mut systems = model.systems(extent)?;
    loop {
        let error = match work(&**systems.current()) {
            Err(error) => error,
            done => return done,
        };
        match error.downcast_ref::<Fault>() {
            Some(Fault::Overflow(variable)) => systems.widen(*variable)?,
            _ => return Err(error),
        }
    }
}

/// Takes the names of the languages that fit a purpose.
pub(crate) fn languages(
    fits: fn(&Language) -> bool,
) -> impl TypedValueParser<Value = &'static Language> {
    let rows = LANGUAGES.iter().filter(move |language| fits(language));
    described(rows.map(|language| (language.name, language.description, language)))
}

impl ModelInput {
    /// True if the model is read from standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.model.as_os_str() == "-"
    }

    /// The file of the model.
    pub(crate) fn path(&self) -> &Path {
        &self.model
    }

    /// The name of the format, if it was given.
    pub(crate) fn format(&self) -> Option<&'static str> {
        self.model_format.map(|language| language.name)
    }

    /// True if only errors are reported.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The error in a formula or a proposition about the model, with a hint: how to write a name that
    /// needs quotes, or, if a name is not known, where to find the names.
    pub(crate) fn explained(
        &self,
        system: &dyn System,
        text: &str,
        error: ltl::Error,
    ) -> ltl::Error {
        if let Some(name) = missing_quotes(system.names(), text, &error) {
            let help = format!("the name `{name}` needs quotes: {}", written(&name));
            return error.with_help(help);
        }
        match is_about_names(&error) {
            true => {
                let model = self.model.display();
                error.with_help(format!("`sempre info {model}` lists the names of the model"))
            }
            false => error,
        }
    }

    /// Reads the model.
    pub(crate) fn open(&self) -> Result<Model> {
        let model = if self.is_standard_input() {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text).context("cannot read standard input")?;
            let languages = Languages::default();
            let language = self.model_format.or_else(|| languages.of_text(&text));
            let language = language.context("the format of standard input needs --model-format")?;
            (language.read(&text))
                .map_err(|error| Located::new(&Place::Line("<stdin>", 1), &text, error))?
        } else {
            let model = Languages::default().open(&self.model, self.model_format);
            model.map_err(|error| self.located(error))?
        };
        if !self.quiet {
            model.notes().iter().for_each(|note| report::note(note));
        }
        Ok(model)
    }

    /// Returns the error with its place in the file.
    fn located(&self, error: ltl::Error) -> Error {
        if error.span().is_none() {
            return anyhow!(error);
        }
        let name = self.model.display().to_string();
        match fs::read(&self.model) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                Located::new(&Place::Line(&name, 1), &text, error).into()
            }
            Err(_) => anyhow!(error).context(name),
        }
    }
}
