//! The values of an experiment's parameters, and the folder of its models.

use crate::experiment::About;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The settings of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    values: Vec<(String, String)>,
    /// True for a quick run.
    pub quick: bool,
    /// The folder of the collections of models.
    pub data: Option<PathBuf>,
}

impl Settings {
    /// Makes the default settings, or those of quick runs, with changes `NAME=VALUE`.
    ///
    /// # Errors
    /// If no parameter has a name.
    pub fn new(about: &About, quick: bool, given: &[String]) -> Result<Self> {
        let default = about.parameters.iter().map(|parameter| {
            let value = if quick { parameter.quick } else { parameter.full };
            (parameter.name.to_owned(), value.to_owned())
        });
        let mut settings = Settings { values: default.collect(), quick, data: None };
        for text in given {
            let (name, value) = text.split_once('=').context("expected NAME=VALUE")?;
            let Some((_, place)) = settings.values.iter_mut().find(|(known, _)| known == name)
            else {
                let known: Vec<&str> = about.parameters.iter().map(|known| known.name).collect();
                bail!(
                    "{} has no parameter `{name}`; its parameters are {}",
                    about.name,
                    known.join(", ")
                );
            };
            value.clone_into(place);
        }
        Ok(settings)
    }

    /// Makes settings from a record.
    pub fn recorded(values: Vec<(String, String)>, quick: bool) -> Self {
        Settings { values, quick, data: None }
    }

    /// Returns the names and values of the parameters.
    pub fn values(&self) -> &[(String, String)] {
        &self.values
    }

    /// Returns the value of a parameter; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Returns the value of a parameter as a number.
    ///
    /// # Errors
    /// If it is no number of this type.
    pub fn number<T: FromStr>(&self, name: &str) -> Result<T> {
        let text = self.text(name);
        text.parse().ok().with_context(|| format!("{name}: `{text}` is not a valid number"))
    }

    /// Returns the value of a parameter as a time in seconds.
    ///
    /// # Errors
    /// If it is no number.
    pub fn seconds(&self, name: &str) -> Result<Duration> {
        Ok(Duration::try_from_secs_f64(self.number(name)?)?)
    }

    /// Returns the value of a parameter in mebibytes, as bytes.
    ///
    /// # Errors
    /// If it is no number.
    pub fn bytes(&self, name: &str) -> Result<usize> {
        Ok(self.number::<usize>(name)?.saturating_mul(1 << 20))
    }

    /// Returns the words of a parameter.
    pub fn words(&self, name: &str) -> impl Iterator<Item = &str> {
        self.text(name).split_whitespace()
    }

    /// True if a parameter is empty, or a name contains one of its words.
    pub fn wants(&self, name: &str, text: &str) -> bool {
        self.words(name).next().is_none() || self.words(name).any(|word| text.contains(word))
    }

    /// Returns the folder of a collection: the data folder itself if it has this name, or a folder
    /// of this name in it or in one of its folders.
    ///
    /// # Errors
    /// If there is none.
    pub fn collection(&self, name: &str) -> Result<PathBuf> {
        let Some(data) = &self.data else {
            bail!("models are missing: give a folder with `{name}` as --data, or use --quick");
        };
        if data.canonicalize().is_ok_and(|path| path.ends_with(name)) {
            return Ok(data.clone());
        }
        let mut candidates = vec![data.join(name)];
        let entries = std::fs::read_dir(data).with_context(|| data.display().to_string())?;
        let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        folders.sort();
        candidates.extend(folders.iter().map(|folder| folder.join(name)));
        let found = candidates.into_iter().find(|path| path.is_dir());
        found.with_context(|| format!("{} has no folder `{name}`", data.display()))
    }

    /// Returns the command for such a run, without paths of this machine.
    pub fn command(&self, about: &About) -> String {
        let mut command = format!("cargo run --release -p sempre-lab -- run {}", about.name);
        if self.quick {
            command.push_str(" --quick");
        }
        for parameter in about.parameters {
            let default = if self.quick { parameter.quick } else { parameter.full };
            let value = self.text(parameter.name);
            if value != default {
                let is_plain =
                    value.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
                let quote = if is_plain && !value.is_empty() { "" } else { "'" };
                let _ = write!(command, " --set {}={quote}{value}{quote}", parameter.name);
            }
        }
        if self.data.is_some() {
            command.push_str(" --data DIR");
        }
        command
    }
}

/// Parses a time such as `90s`, `10m`, `2h` or a number of seconds.
///
/// # Errors
/// If the text is no time.
pub fn duration(text: &str) -> Result<Duration> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "s"),
    };
    let factor = match unit {
        "h" => 3600.0,
        "m" => 60.0,
        _ => 1.0,
    };
    let number: f64 = number
        .trim()
        .parse()
        .with_context(|| format!("expected a time such as 90s, 10m or 2h, not `{text}`"))?;
    Duration::try_from_secs_f64(number * factor)
        .with_context(|| format!("expected a time such as 90s, 10m or 2h, not `{text}`"))
}

/// Returns the file in a folder.
///
/// # Errors
/// If there is no such file.
pub fn existing(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    if !path.exists() {
        bail!("{} does not exist", path.display());
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{About, Source, parameter};

    const ABOUT: About = About {
        name: "some/e1",
        summary: "",
        source: Source { document: "", place: "" },
        parameters: &[parameter("formulas", "", "100", "2"), parameter("models", "", "a b", "c")],
        unit: &[],
        values: &[],
    };

    #[test]
    fn the_command_says_what_differs() {
        let given = ["models=x y".to_owned()];
        let mut settings = Settings::new(&ABOUT, true, &given).unwrap();
        assert_eq!(settings.number::<u32>("formulas").unwrap(), 2);
        let command = "cargo run --release -p sempre-lab -- run some/e1";
        assert_eq!(settings.command(&ABOUT), format!("{command} --quick --set models='x y'"));
        settings = Settings::new(&ABOUT, false, &[]).unwrap();
        assert_eq!(settings.command(&ABOUT), command);
        assert!(settings.wants("models", "xay") && !settings.wants("models", "x"));
    }

    #[test]
    fn unknown_parameters_are_refused() {
        let error = Settings::new(&ABOUT, true, &["cases=3".to_owned()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "some/e1 has no parameter `cases`; its parameters are formulas, models"
        );
        assert!(Settings::new(&ABOUT, true, &["cases".to_owned()]).is_err());
    }

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("90", 90), ("90s", 90), ("10m", 600), ("2h", 7200)] {
            assert_eq!(duration(text).unwrap(), Duration::from_secs(seconds));
        }
        for text in ["", "m", "-1s", "ten", "1e400h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
