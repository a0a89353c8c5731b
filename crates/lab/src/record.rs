//! The files of a run: `rows.csv`, written row by row, `setup.csv` with the settings, and tables
//! that were recorded before raw rows were stored.

use crate::experiment::About;
use crate::settings::Settings;
use crate::table::{self, Row, Table};
use anyhow::{Context, Result, bail};
use rustc_hash::FxHashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The raw rows of an experiment, and their settings.
#[derive(Debug)]
pub struct Record {
    about: About,
    rows: Table,
    /// The rows of each unit.
    units: FxHashMap<Vec<String>, Vec<usize>>,
    settings: Settings,
    command: String,
    note: String,
    /// The builds that made rows, and whether all cases were run, if recorded.
    build: String,
    is_complete: Option<bool>,
    recorded: Vec<Recorded>,
    /// The file to which rows are added, if any.
    file: Option<File>,
}

/// A table of figures from documentation that is older than the raw rows.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Its title.
    pub title: String,
    /// The command that made it, or its known origin.
    pub origin: String,
    /// The figures.
    pub table: Table,
}

const ROWS: &str = "rows.csv";
const SETUP: &str = "setup.csv";
const RECORDED: &str = "recorded.csv";

/// The build profile of this program: times of development builds are not comparable.
const BUILD: &str = if cfg!(debug_assertions) { "development" } else { "release" };

impl Record {
    /// Makes an empty record in memory.
    pub fn new(about: About, settings: Settings) -> Self {
        let command = settings.command(&about);
        Record {
            about,
            rows: Table::new(about.columns()),
            units: FxHashMap::default(),
            settings,
            command,
            note: String::new(),
            build: String::new(),
            is_complete: None,
            recorded: vec![],
            file: None,
        }
    }

    /// Opens the record in a folder to add to it, or creates it.
    ///
    /// # Errors
    /// If files cannot be read or written, or the rows in the folder have other settings.
    pub fn open(about: About, settings: Settings, folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let path = folder.join(ROWS);
        let mut record = match path.exists() && folder.join(SETUP).exists() {
            true => Self::load(about, folder)?,
            false => Record { recorded: recorded(folder)?, ..Record::new(about, settings.clone()) },
        };
        if record.settings.values() != settings.values() || record.settings.quick != settings.quick
        {
            bail!(
                "{} has rows of another run ({}); choose another folder with -o, or remove them",
                folder.display(),
                record.command
            );
        }
        record.command = settings.command(&about);
        record.settings = settings;
        record.build = match record.build.as_str() {
            "" => BUILD.to_owned(),
            known if known.split(", ").any(|build| build == BUILD) => record.build,
            known => format!("{known}, {BUILD}"),
        };
        // A run may be stopped at any time, so only its end records that all cases were run.
        record.is_complete = Some(false);
        record.write_setup(folder)?;
        // An incomplete last line of an interrupted run is removed.
        let mut text = table::line(record.rows.columns());
        record.rows.rows().for_each(|row| text.push_str(&table::line(row.cells())));
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        record.file = Some(OpenOptions::new().append(true).open(&path)?);
        Ok(record)
    }

    /// Reads the record in a folder.
    ///
    /// # Errors
    /// If files cannot be read, or do not belong to the experiment.
    pub fn load(about: About, folder: &Path) -> Result<Self> {
        let setup = Table::read(&folder.join(SETUP))?;
        let value =
            |name: &str| setup.find(&[("name", name)]).map(|row| row.text("value").to_owned());
        let belongs = value("experiment");
        if belongs.as_deref() != Some(about.name) {
            bail!("{} is not of {}", folder.display(), about.name);
        }
        let parameters = about.parameters.iter().map(|parameter| {
            let name = parameter.name.to_owned();
            let recorded = value(&format!("set {name}"));
            Ok((name, recorded.with_context(|| format!("{SETUP}: no `set {}`", parameter.name))?))
        });
        let is_quick = value("quick").as_deref() == Some("yes");
        let settings = Settings::recorded(parameters.collect::<Result<_>>()?, is_quick);
        let mut record = Record::new(about, settings);
        record.command = value("command").unwrap_or_default();
        record.note = value("note").unwrap_or_default();
        record.build = value("build").unwrap_or_default();
        record.is_complete = value("complete").map(|text| text == "yes");
        record.recorded = recorded(folder)?;
        let rows = Table::read(&folder.join(ROWS))?;
        if !rows.columns().iter().eq(record.rows.columns()) {
            bail!("{}: the columns are not those of {}", folder.join(ROWS).display(), about.name);
        }
        rows.rows().for_each(|row| record.add(row.cells().to_vec()));
        Ok(record)
    }

    fn write_setup(&self, folder: &Path) -> Result<()> {
        let quick = if self.settings.quick { "yes" } else { "no" };
        let mut text = table::line(["name", "value"]);
        text += &table::line(["experiment", self.about.name]);
        text += &table::line(["command", &self.command]);
        text += &table::line(["quick", quick]);
        for (name, value) in self.settings.values() {
            text += &table::line([&format!("set {name}"), value]);
        }
        if !self.build.is_empty() {
            text += &table::line(["build", &self.build]);
        }
        if let Some(is_complete) = self.is_complete {
            text += &table::line(["complete", if is_complete { "yes" } else { "no" }]);
        }
        if !self.note.is_empty() {
            text += &table::line(["note", &self.note]);
        }
        let path = folder.join(SETUP);
        fs::write(&path, text).with_context(|| path.display().to_string())
    }

    /// Returns the experiment.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Returns all rows.
    pub fn rows(&self) -> &Table {
        &self.rows
    }

    /// Returns the rows of a unit, if it is computed.
    pub fn unit(&self, key: &[String]) -> Option<Vec<Row<'_>>> {
        let places = self.units.get(key)?;
        Some(places.iter().filter_map(|&place| self.rows.row(place)).collect())
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the command that makes such rows.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Records at the end of a run whether all cases were run.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(&mut self, is_complete: bool, folder: &Path) -> Result<()> {
        self.is_complete = Some(is_complete);
        self.write_setup(folder)
    }

    /// Describes the run: the build, and whether the budget sufficed.
    pub fn run_text(&self) -> Option<String> {
        let end = match self.is_complete? {
            true => "all cases of the sample were run",
            false => "stopped before all cases of the sample were run, in the order of rows",
        };
        Some(format!("build for {}; {end}", self.build))
    }

    /// Returns a remark about the rows.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Returns the figures that are older than the raw rows.
    pub fn recorded(&self) -> &[Recorded] {
        &self.recorded
    }

    /// Adds the rows of a unit, also to the file, in one write.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_unit(&mut self, rows: Vec<Vec<String>>) -> Result<()> {
        if let Some(file) = &mut self.file {
            let text: String = rows.iter().map(table::line).collect();
            file.write_all(text.as_bytes())?;
            file.flush()?;
        }
        rows.into_iter().for_each(|row| self.add(row));
        Ok(())
    }

    fn add(&mut self, row: Vec<String>) {
        let key = row[..self.about.unit.len()].to_vec();
        self.units.entry(key).or_default().push(self.rows.len());
        self.rows.push(row);
    }
}

/// Reads the tables that `recorded.csv` lists, each in its own file.
fn recorded(folder: &Path) -> Result<Vec<Recorded>> {
    let path = folder.join(RECORDED);
    if !path.exists() {
        return Ok(vec![]);
    }
    let tables = Table::read(&path)?;
    let tables = tables.rows().map(|row| {
        let table = Table::read(&folder.join(row.text("file")))?;
        Ok(Recorded { title: row.text("title").into(), origin: row.text("origin").into(), table })
    });
    tables.collect()
}

/// Returns the folder of an experiment.
pub fn folder(out: &Path, about: &About) -> PathBuf {
    out.join(about.name)
}
