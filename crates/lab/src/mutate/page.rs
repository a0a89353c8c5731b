//! The results of mutations, and the page made from them.

use super::Outcome;
use super::list::Mutation;
use crate::page::table;
use crate::table::{Table, line};
use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The folder of the results, in the workspace.
pub const FOLDER: &str = "docs/mutations";

const ROWS: &str = "rows.csv";
const PAGE: &str = "README.md";
const COLUMNS: [&str; 4] = ["crate", "mutation", "outcome", "test"];

/// The last result of each mutation.
pub struct Rows<'a> {
    all: &'a [Mutation],
    /// By crate and name.
    outcomes: FxHashMap<(String, String), Outcome>,
}

impl<'a> Rows<'a> {
    /// Reads the results of the mutations that are still in the list.
    ///
    /// # Errors
    /// If the file exists and cannot be read.
    pub fn read(workspace: &Path, all: &'a [Mutation]) -> Result<Self> {
        let path = workspace.join(FOLDER).join(ROWS);
        let mut outcomes = FxHashMap::default();
        if path.exists() {
            for row in Table::read(&path)?.rows() {
                let outcome = match row.text("outcome") {
                    "noticed" => Outcome::Noticed(row.text("test").to_owned()),
                    _ => Outcome::Survived,
                };
                let key = (row.text("crate").to_owned(), row.text("mutation").to_owned());
                outcomes.insert(key, outcome);
            }
        }
        Ok(Rows { all, outcomes })
    }

    /// Records a result.
    pub fn set(&mut self, mutation: &Mutation, outcome: &Outcome) {
        let key = (mutation.package.clone(), mutation.name.clone());
        self.outcomes.insert(key, outcome.clone());
    }

    fn of(&self, mutation: &Mutation) -> Option<&Outcome> {
        self.outcomes.get(&(mutation.package.clone(), mutation.name.clone()))
    }

    /// Writes the results, in the order of the list, and the page.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, workspace: &Path) -> Result<()> {
        let folder = workspace.join(FOLDER);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let mut text = line(COLUMNS);
        for mutation in self.all {
            let (outcome, test) = match self.of(mutation) {
                Some(Outcome::Noticed(test)) => ("noticed", test.as_str()),
                Some(Outcome::Survived) => ("survived", ""),
                None => continue,
            };
            text += &line([&mutation.package, &mutation.name, outcome, test]);
        }
        fs::write(folder.join(ROWS), text)?;
        fs::write(folder.join(PAGE), self.page())?;
        Ok(())
    }

    /// Returns the page.
    pub fn page(&self) -> String {
        let mut out = String::from(HEAD);
        let mut packages: Vec<&str> = self.all.iter().map(|one| one.package.as_str()).collect();
        packages.dedup();
        let mut rows = Vec::new();
        let mut sum = [0; 5];
        for package in packages {
            let mutations = || self.all.iter().filter(|one| one.package == package);
            let count =
                |fits: &dyn Fn(&Mutation) -> bool| mutations().filter(|one| fits(one)).count();
            let is_noticed = |one: &Mutation| matches!(self.of(one), Some(Outcome::Noticed(_)));
            let survived = |one: &Mutation| self.of(one) == Some(&Outcome::Survived);
            let counts = [
                count(&|_| true),
                count(&|one| self.of(one).is_some()),
                count(&is_noticed),
                count(&|one| survived(one) && one.harmless.is_none()),
                count(&|one| survived(one) && one.harmless.is_some()),
            ];
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            let numbers = counts.iter().map(usize::to_string);
            rows.push([package.to_owned()].into_iter().chain(numbers).collect());
        }
        rows.push(["all".to_owned()].into_iter().chain(sum.iter().map(usize::to_string)).collect());
        out +=
            &table(&["crate", ">mutations", ">run", ">noticed", ">survived", ">harmless"], &rows);
        let survivors = |is_harmless: bool| {
            let fits = move |one: &&Mutation| {
                self.of(one) == Some(&Outcome::Survived) && one.harmless.is_some() == is_harmless
            };
            self.all.iter().filter(fits)
        };
        out += "\n## Survivors\n\n";
        if survivors(false).next().is_none() {
            out += "None.\n";
        }
        for one in survivors(false) {
            let _ = writeln!(out, "- `{}`, {}: `{}`", one.package, one.name, one.file);
        }
        out += "\n## Harmless\n\nThese changes survive for a reason.\n\n";
        for one in survivors(true) {
            let reason = one.harmless.as_deref().unwrap_or_default();
            let _ = writeln!(out, "- `{}`, {}: {reason}.", one.package, one.name);
        }
        out
    }
}

/// True if the page of a workspace is that of its rows.
///
/// # Errors
/// If a file cannot be read.
pub fn is_current(workspace: &Path, all: &[Mutation]) -> Result<bool> {
    let page = fs::read_to_string(workspace.join(FOLDER).join(PAGE))?;
    Ok(page == Rows::read(workspace, all)?.page())
}

const HEAD: &str = "# Mutations

Conditions of the sources, changed one at a time: does a test notice? The list is in
`crates/lab/mutations`, one file for each crate; [rows.csv](rows.csv) has the results, and this page
is generated from them.

    cargo run -p sempre-lab -- mutate                       # all of them
    cargo run -p sempre-lab -- mutate --crate explicit      # those of one crate
    cargo run -p sempre-lab -- mutate --sample 20 --seed 1  # some of them

A test fails if a text of the list does not occur once in its file.

";
