//! Where models come from: a file or standard input, in any format.

use crate::report::{self, Located, Place};
use anyhow::{Context, Error, Result, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::ltl;
use sempre::models::languages::{self, LANGUAGES};
use sempre::models::{Language, Languages, Model};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The options that name a model.
#[derive(clap::Args, Debug)]
pub(crate) struct ModelInput {
    /// The file of the model (`-` is standard input).
    ///
    /// The format is told by the ending of the name: .pnml and .net for Petri nets, .dve for the
    /// DVE language, .etf for LTSmin's tables, .kripke and .hoa for Kripke structures.
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// The format of the model, if its name does not tell.
    #[arg(long, value_name = "FORMAT", value_parser = languages(|_| true), help_heading = "Input")]
    model_format: Option<&'static Language>,

    /// Print no notes on standard error, only errors.
    #[arg(short, long, help_heading = "Input")]
    quiet: bool,
}

/// Takes the names of the languages that fit a purpose.
pub(crate) fn languages(
    fits: fn(&Language) -> bool,
) -> impl TypedValueParser<Value = &'static Language> {
    let names = LANGUAGES.iter().filter(|language| fits(language)).map(|language| language.name);
    PossibleValuesParser::new(names)
        .try_map(|name| languages::named(&name).ok_or("no language of models has this name"))
}

impl ModelInput {
    /// True if the model comes from standard input.
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

    /// True if only errors are to be told.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
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

    /// The error with the part of the file that is to blame.
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
