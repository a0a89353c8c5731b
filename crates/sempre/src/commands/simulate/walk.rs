//! A simulation of a system.

use super::input::{Command, HELP, parse};
use crate::Exit;
use crate::output::Output;
use crate::trace::{changes, values, write_changes, write_values};
use anyhow::{Result, anyhow};
use sempre::ltl::generate::Rng;
use sempre::models::{ActionId, Expander, Fault, Successors, System};
use std::io::{self, BufRead, IsTerminal, Write};

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
}

/// A successor and its action; `None` for an initial state.
type Move = (Option<ActionId>, Box<[u32]>);

/// The current path.
struct Place<'a> {
    system: &'a dyn System,
    expander: Box<dyn Expander + 'a>,
    /// The states of the path, with the actions that led to them.
    path: Vec<Move>,
    moves: Vec<Move>,
}

impl<'a> Place<'a> {
    fn new(system: &'a dyn System) -> Result<Self, Fault> {
        let mut place = Place { system, expander: system.expander(), path: vec![], moves: vec![] };
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

    fn name(&self, choice: usize) -> String {
        match &self.moves[choice] {
            (Some(action), _) => self.system.names().action_name(*action),
            (None, state) => {
                let values = values(self.system, state);
                let texts = values.iter().map(|(name, value)| format!("{name}={value}"));
                texts.collect::<Vec<_>>().join(" ")
            }
        }
    }
}

impl Walk {
    pub(super) fn new(rng: Rng, random: Option<u64>, out: Output) -> Self {
        Walk { rng, random, out, choices: Vec::new(), show: true }
    }

    /// Simulates a system, from the recorded choices on.
    pub(super) fn run(&mut self, system: &dyn System) -> Result<Result<Exit>, Fault> {
        let mut place = Place::new(system)?;
        for choice in self.choices.clone() {
            place.go(choice);
            place.look()?;
        }
        if place.path.is_empty()
            && place.moves.len() == 1
            && let Err(error) = self.choose(&mut place, 0)
        {
            return Ok(Err(error.into()));
        }
        loop {
            // A fault other than an overflow is a dead end; the user can undo the step.
            let fault = match place.look() {
                Err(fault @ Fault::Overflow(_)) => return Err(fault),
                outcome => outcome.err(),
            };
            if let Some(fault) = &fault
                && self.random.is_some()
            {
                place.moves.clear();
                return Ok(Err(anyhow!("{fault}")));
            }
            if let Some(ended) = self.step(&mut place, fault.as_ref()).transpose() {
                return Ok(ended);
            }
        }
    }

    /// Flushes the output.
    pub(super) fn finish(self) -> Result<()> {
        self.out.finish()
    }

    /// Moves to a successor and shows the changes.
    fn choose(&mut self, place: &mut Place<'_>, choice: usize) -> io::Result<()> {
        let name = place.name(choice);
        self.choices.push(choice);
        self.show = true;
        let before = place.state().map(Box::<[u32]>::from);
        place.go(choice);
        let after = place.state().unwrap_or_default();
        match before {
            None => {
                writeln!(self.out, "initial state")?;
                write_values(&values(place.system, after), &mut self.out)
            }
            Some(before) => {
                writeln!(self.out, "{}. {name}", place.path.len() - 1)?;
                write_changes(&changes(place.system, &before, after), &mut self.out)
            }
        }
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
            return Ok(None);
        }
        if std::mem::take(&mut self.show) {
            self.list(place, fault)?;
        }
        let Some(line) = self.ask()? else { return Ok(Some(Exit::Success)) };
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
            writeln!(self.out, "{:>width$}) {}", choice + 1, place.name(choice))?;
        }
        if let more @ 1.. = place.moves.len().saturating_sub(LISTED) {
            writeln!(self.out, "… and {more} more")?;
        }
        Ok(())
    }

    /// Reads the next line of the user; `None` at the end.
    fn ask(&mut self) -> io::Result<Option<String>> {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            write!(self.out, "> ")?;
        }
        self.out.flush()?;
        let mut line = String::new();
        Ok((stdin.lock().read_line(&mut line)? > 0).then_some(line))
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
            // The next list of actions shows why the simulation cannot continue.
            if (step > 0 && place.look().is_err()) || place.moves.is_empty() {
                break;
            }
            let choice = self.rng.index(place.moves.len());
            self.choose(place, choice)?;
        }
        Ok(())
    }
}
