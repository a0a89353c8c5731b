//! A simulation of a system.

use super::input::{Command, HELP, WORDS, parse};
use super::watch::Watch;
use crate::Exit;
use crate::editor::Editor;
use crate::models::ModelInput;
use crate::origin::{Source, sources};
use crate::output::Output;
use crate::report::{self, Located};
use crate::schema::VERSION;
use crate::trace::{Trace, TraceStep, changes, values, write_changes, write_values};
use anyhow::{Result, anyhow, bail};
use sempre::ltl::Error;
use sempre::ltl::generate::Rng;
use sempre::ltl::interrupt;
use sempre::models::{ActionId, Expander, Fault, Successors, System};
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximal number of listed actions.
const LISTED: usize = 40;

/// The state of a simulation.
///
/// On an overflow, the simulation restarts on a system with wider states and repeats the recorded
/// choices without output.
pub(super) struct Walk {
    rng: Rng,
    /// The number of remaining random steps, in a random simulation.
    random: Option<u64>,
    out: Output,
    /// The numbers of the choices so far: the initial state, then the steps.
    choices: Vec<usize>,
    /// True if the enabled actions are to be shown.
    show: bool,
    editor: Editor,
    /// The texts of watched formulas and of breakpoints.
    watched: Vec<String>,
    breakpoints: Vec<String>,
    /// The file that the walk is written to at its end.
    save: Option<PathBuf>,
}

/// A successor and its action; `None` for an initial state.
type Move = (Option<ActionId>, Box<[u32]>);

/// The current path.
struct Place<'a> {
    model: &'a ModelInput,
    system: &'a dyn System,
    expander: Box<dyn Expander + 'a>,
    /// The states of the path, with the actions that led to them.
    path: Vec<Move>,
    moves: Vec<Move>,
    watched: Vec<Watch>,
    breakpoints: Vec<Watch>,
}

impl<'a> Place<'a> {
    fn new(model: &'a ModelInput, system: &'a dyn System) -> Result<Self, Fault> {
        let mut place = Place {
            model,
            system,
            expander: system.expander(),
            path: vec![],
            moves: vec![],
            watched: vec![],
            breakpoints: vec![],
        };
        place.look()?;
        Ok(place)
    }

    /// Computes the successors of the current state.
    fn look(&mut self) -> Result<(), Fault> {
        self.moves.clear();
        match self.path.last() {
            None => {
                let initial = self.system.initial()?;
                self.moves.extend(initial.into_iter().map(|state| (None, state)));
                Ok(())
            }
            Some((_, state)) => {
                let mut successors = Successors::new(self.system.words());
                self.expander.expand(state, &mut successors)?;
                let moves = successors.iter().map(|(action, state)| (Some(action), state.into()));
                self.moves.extend(moves);
                Ok(())
            }
        }
    }

    /// Moves to a successor. Call [`Place::look`] next.
    fn go(&mut self, choice: usize) {
        self.path.push(self.moves[choice].clone());
        self.moves.clear();
    }

    fn state(&self) -> Option<&[u32]> {
        self.path.last().map(|(_, state)| &**state)
    }

    /// Where the action is written in the model, in parentheses, if the name does not say it all.
    fn origin(&self, choice: usize) -> String {
        let sources = self.moves[choice].0.map(|action| sources(self.system, action));
        let texts: Vec<String> =
            sources.unwrap_or_default().iter().filter_map(Source::text).collect();
        match texts.is_empty() {
            true => String::new(),
            false => format!("  ({})", texts.join("; ")),
        }
    }

    /// The lines of watched formulas.
    fn watched(&mut self) -> Result<Vec<String>, Fault> {
        let states: Vec<&[u32]> = self.path.iter().map(|(_, state)| &**state).collect();
        let mut lines = Vec::new();
        for watch in &mut self.watched {
            let value = match watch.value(self.system, &states)? {
                Some(true) => "true",
                Some(false) => "false",
                None => "open",
            };
            lines.push(format!("{}: {value}", watch.text()));
        }
        Ok(lines)
    }

    /// The first breakpoint that is true here.
    fn breakpoint(&mut self) -> Result<Option<String>, Fault> {
        let states: Vec<&[u32]> = self.path.iter().map(|(_, state)| &**state).collect();
        for watch in &mut self.breakpoints {
            if watch.value(self.system, &states)? == Some(true) {
                return Ok(Some(watch.text()));
            }
        }
        Ok(None)
    }

    /// The walk as it is saved.
    fn trace(&self) -> Option<Trace> {
        let (_, initial) = self.path.first()?;
        let step = |(before, (action, after)): (&Move, &Move)| TraceStep {
            action: action.map(|action| self.system.names().action_name(action)),
            source: action.map_or_else(Vec::new, |action| sources(self.system, action)),
            changes: changes(self.system, &before.1, after),
        };
        let steps = self.path.iter().zip(&self.path[1..]).map(step).collect();
        Some(Trace { initial: values(self.system, initial), steps })
    }

    fn name(&self, choice: usize) -> String {
        match &self.moves[choice] {
            (Some(action), _) => self.system.names().action_name(*action),
            (None, state) => {
                let values = values(self.system, state);
                let texts = values.0.iter().map(|(name, value)| format!("{name}={value}"));
                texts.collect::<Vec<_>>().join(" ")
            }
        }
    }
}

impl Walk {
    pub(super) fn new(rng: Rng, random: Option<u64>, out: Output) -> Self {
        Walk {
            rng,
            random,
            out,
            choices: Vec::new(),
            show: true,
            editor: Editor::default(),
            watched: Vec::new(),
            breakpoints: Vec::new(),
            save: None,
        }
    }

    /// Watches these formulas, stops at these breakpoints, and saves the walk to that file.
    pub(super) fn with(
        mut self,
        watched: &[String],
        breakpoints: &[String],
        save: Option<&PathBuf>,
    ) -> Self {
        self.watched = watched.to_vec();
        self.breakpoints = breakpoints.to_vec();
        self.save = save.cloned();
        self
    }

    /// Walks through the system of a model, from where the walk is so far.
    pub(super) fn run(&mut self, model: &ModelInput, system: &dyn System) -> Result<Exit> {
        let mut place = Place::new(model, system)?;
        for text in &self.watched {
            let watch = Watch::new(text, system, model);
            let located = |error| Located::new(&report::Place::Named("--watch"), text, error);
            place.watched.push(watch.map_err(located)?);
        }
        for text in &self.breakpoints {
            let watch = Watch::predicate(text, system, model);
            let located = |error| Located::new(&report::Place::Named("--break"), text, error);
            place.breakpoints.push(watch.map_err(located)?);
        }
        for choice in self.choices.clone() {
            place.go(choice);
            place.look()?;
        }
        if place.path.is_empty() && place.moves.len() == 1 {
            self.choose(&mut place, 0)?;
        }
        loop {
            interrupt::poll_now();
            // A fault other than a value that does not fit is a dead end that can be left by going
            // back.
            let fault = match place.look() {
                Err(fault @ Fault::Overflow(_)) => return Err(fault.into()),
                outcome => outcome.err(),
            };
            if self.random.is_some()
                && let Some(fault) = fault
            {
                return Err(fault.into());
            }
            if let Some(end) = self.step(&mut place, fault.as_ref())? {
                if let Some(path) = self.save.clone() {
                    save(&place, &path)?;
                }
                return Ok(end);
            }
        }
    }

    /// Flushes the output.
    pub(super) fn finish(self) -> Result<()> {
        self.out.finish()
    }

    /// Goes to a successor and shows what changes.
    fn choose(&mut self, place: &mut Place<'_>, choice: usize) -> Result<()> {
        let name = place.name(choice);
        self.choices.push(choice);
        self.show = true;
        let before = place.state().map(Box::<[u32]>::from);
        place.go(choice);
        let after = place.state().unwrap_or_default();
        match before {
            None => {
                writeln!(self.out, "initial state")?;
                write_values(&values(place.system, after), &mut self.out)?;
            }
            Some(before) => {
                writeln!(self.out, "{}. {name}", place.path.len() - 1)?;
                write_changes(&changes(place.system, &before, after), &mut self.out)?;
            }
        }
        self.write_watched(place)
    }

    /// Writes an error of a command, and where to find out more.
    fn write_error(&mut self, error: &Error) -> io::Result<()> {
        writeln!(self.out, "{error}")?;
        error.help().map_or(Ok(()), |help| writeln!(self.out, "{help}"))
    }

    /// Writes the values of watched formulas.
    fn write_watched(&mut self, place: &mut Place<'_>) -> Result<()> {
        for line in place.watched().map_err(|fault| anyhow!("{fault}"))? {
            writeln!(self.out, "   {line}")?;
        }
        Ok(())
    }

    /// Writes which breakpoint is true here, if one is.
    fn stops(&mut self, place: &mut Place<'_>) -> Result<bool> {
        let breakpoint = place.breakpoint().map_err(|fault| anyhow!("{fault}"))?;
        if let Some(text) = &breakpoint {
            writeln!(self.out, "breakpoint: {text}")?;
        }
        Ok(breakpoint.is_some())
    }

    /// Executes the next command; returns the exit code at the end of the simulation.
    fn step(&mut self, place: &mut Place<'_>, fault: Option<&Fault>) -> Result<Option<Exit>> {
        let choices = place.moves.len();
        if let Some(left) = &mut self.random {
            if *left == 0 {
                return Ok(Some(Exit::Success));
            }
            if choices == 0 {
                writeln!(self.out, "deadlock")?;
                return Ok(Some(Exit::Success));
            }
            // The choice of an initial state is no step.
            *left -= u64::from(!place.path.is_empty());
            let choice = self.rng.index(choices);
            self.choose(place, choice)?;
            let ends = self.stops(place)?;
            return Ok(ends.then_some(Exit::Success));
        }
        if std::mem::take(&mut self.show) {
            self.list(place, fault)?;
        }
        let Some(line) = self.ask(place)? else { return Ok(Some(Exit::Success)) };
        match parse(&line) {
            Command::Take(number) if (1..=choices).contains(&number) => {
                self.choose(place, number - 1)?;
            }
            Command::Take(number) => writeln!(self.out, "there is no action {number}")?,
            Command::Nothing if choices == 1 => self.choose(place, 0)?,
            Command::Nothing => self.show = true,
            Command::Name(name) => match (0..choices).find(|choice| place.name(*choice) == name) {
                Some(choice) => self.choose(place, choice)?,
                None => writeln!(self.out, "`{name}` is not enabled; `help` lists the commands")?,
            },
            Command::Undo(steps) => self.undo(place, steps)?,
            Command::Random(steps) => self.wander(place, steps)?,
            Command::State => {
                if let Some(state) = place.state() {
                    write_values(&values(place.system, state), &mut self.out)?;
                }
            }
            Command::Trace => {
                for (number, (action, _)) in place.path.iter().enumerate().skip(1) {
                    let name = action.map(|action| place.system.names().action_name(action));
                    writeln!(self.out, "{number}. {}", name.unwrap_or_default())?;
                }
            }
            Command::Watch(text) => match Watch::new(&text, place.system, place.model) {
                Ok(watch) => {
                    place.watched.push(watch);
                    self.watched.push(text);
                    self.write_watched(place)?;
                }
                Err(error) => self.write_error(&error)?,
            },
            Command::Break(text) => match Watch::predicate(&text, place.system, place.model) {
                Ok(watch) => {
                    place.breakpoints.push(watch);
                    self.breakpoints.push(text);
                }
                Err(error) => self.write_error(&error)?,
            },
            Command::Clear => {
                (place.watched, place.breakpoints) = (vec![], vec![]);
                (self.watched, self.breakpoints) = (vec![], vec![]);
            }
            Command::Save(path) => match save(place, Path::new(&path)) {
                Ok(()) => writeln!(self.out, "saved to {path}")?,
                Err(error) => writeln!(self.out, "{error:#}")?,
            },
            Command::Restart => self.undo(place, usize::MAX)?,
            Command::Help => self.out.write_all(HELP.as_bytes())?,
            Command::Quit => return Ok(Some(Exit::Success)),
        }
        Ok(None)
    }

    /// Lists the enabled actions.
    fn list(&mut self, place: &Place<'_>, fault: Option<&Fault>) -> io::Result<()> {
        if let Some(fault) = fault {
            return writeln!(self.out, "fault: {fault}");
        }
        if place.moves.is_empty() {
            return writeln!(self.out, "deadlock: no action is enabled");
        }
        let width = place.moves.len().min(LISTED).to_string().len();
        for choice in 0..place.moves.len().min(LISTED) {
            let (name, origin) = (place.name(choice), place.origin(choice));
            writeln!(self.out, "{:>width$}) {name}{origin}", choice + 1)?;
        }
        if let more @ 1.. = place.moves.len().saturating_sub(LISTED) {
            writeln!(self.out, "… and {more} more")?;
        }
        Ok(())
    }

    /// The next line that the user says; none at the end.
    fn ask(&mut self, place: &Place<'_>) -> io::Result<Option<String>> {
        let mut words: Vec<String> = WORDS.iter().map(|word| (*word).to_owned()).collect();
        if Editor::is_interactive() {
            words.extend((0..place.moves.len().min(LISTED)).map(|choice| place.name(choice)));
        }
        self.editor.read(&mut self.out, &words)
    }

    /// Undoes steps; the choice of the initial state comes last.
    fn undo(&mut self, place: &mut Place<'_>, steps: usize) -> io::Result<()> {
        let several = place.system.initial().is_ok_and(|initial| initial.len() > 1);
        let least = usize::from(!several);
        let left = place.path.len().saturating_sub(steps).max(least);
        if left == place.path.len() {
            return writeln!(self.out, "already at the initial state");
        }
        let before = place.state().map(Box::<[u32]>::from).unwrap_or_default();
        place.path.truncate(left);
        place.watched.iter_mut().for_each(|watch| watch.truncate(left));
        self.choices.truncate(left);
        self.show = true;
        match place.state() {
            Some(after) => {
                writeln!(self.out, "back to step {}", left - 1)?;
                write_changes(&changes(place.system, &before, after), &mut self.out)
            }
            None => Ok(()),
        }
    }

    /// Fires random actions, as long as some are enabled.
    fn wander(&mut self, place: &mut Place<'_>, steps: u64) -> Result<()> {
        for step in 0..steps {
            interrupt::poll_now();
            // The next display of the state shows why there is no step.
            if (step > 0 && place.look().is_err()) || place.moves.is_empty() {
                break;
            }
            let choice = self.rng.index(place.moves.len());
            self.choose(place, choice)?;
            if self.stops(place)? {
                break;
            }
        }
        Ok(())
    }
}

/// Writes the walk to a file.
fn save(place: &Place<'_>, path: &Path) -> Result<()> {
    let Some(trace) = place.trace() else { bail!("there is no step to save") };
    let mut object = serde_json::to_value(&trace)?;
    object["version"] = json!(VERSION);
    Output::write(path, format!("{object}\n").as_bytes())
}
