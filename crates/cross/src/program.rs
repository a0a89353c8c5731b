//! Participants that are programs: their input written, their end judged, their output read.

use crate::process::{End, Folder, Job, LARGEST_OUTPUT, Outcome};
use crate::template::{Piece, Template, Word};
use crate::{Failure, FailureKind, Input, Limits, Tool, Transformer};
use sempre_automata::formats::{self, Reader};
use sempre_automata::{Alphabet, AnyAutomaton, Automaton};
use sempre_ltl::{Formula, Op, Prop};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A program that is run once for each formula, or for each automaton.
#[derive(Clone, Debug)]
pub struct Program {
    template: Template,
    /// Operators that the program refuses, and that cannot be expressed by others.
    unsupported: Vec<Op>,
}

impl Program {
    /// The program of a command.
    ///
    /// # Errors
    /// If the command has no place for the input, or sends the output to a place of its own.
    pub fn new(template: Template, input: Input) -> Result<Self, String> {
        if template.words.is_empty() {
            return Err("there is no command".to_owned());
        }
        if !template.has_input() {
            let places = match input {
                Input::Formulas => "the formula: %f %s %l %w, or %F %S %L %W for a file",
                Input::Automata => "the automaton: %H %S %L",
            };
            return Err(format!("the command has no place for {places}"));
        }
        if template.stdout.as_ref().is_some_and(|word| *word != [Piece::Output]) {
            return Err("standard output can go to %O only".to_owned());
        }
        Ok(Program { template, unsupported: vec![] })
    }

    /// A program as lbtt calls it: parameters, a file with the formula in lbt's syntax, and the
    /// file to write to.
    ///
    /// # Errors
    /// If the text of the parameters cannot be split into words.
    pub fn lbtt(path: &str, parameters: &str) -> Result<Self, String> {
        // The parameters are text: percent signs have no meaning.
        let text = format!("{} %L %O", parameters.replace('%', "%%"));
        let mut template =
            Template::read(&text, Input::Formulas, false).map_err(|error| error.message)?;
        template.words.insert(0, vec![Piece::Text(path.to_owned())]);
        Program::new(template, Input::Formulas)
    }

    /// The program is not given formulas with these operators.
    #[must_use]
    pub fn unsupported(mut self, ops: &[Op]) -> Self {
        self.unsupported = ops.to_vec();
        self
    }

    /// The name that the command gives itself.
    pub fn name(&self) -> Option<&str> {
        self.template.name.as_deref()
    }

    /// The formula with names that all places allow, and the old name of each new one.
    fn renamed(&self, formula: &Formula) -> (Formula, Vec<(Prop, Prop)>) {
        let renamed = self.template.pieces().find_map(|piece| match piece {
            Piece::Formula { spelling, .. } => spelling.renamed(formula),
            _ => None,
        });
        renamed.unwrap_or_else(|| {
            let same = formula.props().into_iter().map(|prop| (prop.clone(), prop));
            (formula.clone(), same.collect())
        })
    }

    /// Runs the program on the input that `input` gives for each place, and reads its answer.
    fn run(
        &self,
        limits: &Limits,
        input: &mut dyn FnMut(&Piece) -> Result<Vec<u8>, Failure>,
    ) -> Result<Automaton, Failure> {
        let folder = Folder::new().map_err(|error| not_started(&error))?;
        let mut expansion = Expansion { folder: folder.path(), files: 0, input, shell: false };
        let output = folder.path().join("output");
        // A file that output is only redirected to needs none.
        let reads_file = {
            let words = self.template.words.iter().chain(&self.template.stdin);
            words.flatten().any(|piece| *piece == Piece::Output)
        };
        let words = if self.template.shell {
            expansion.shell = true;
            let text = expansion.word(&self.template.words[0])?;
            vec!["sh".into(), "-c".into(), text]
        } else {
            self.template.words.iter().map(|word| expansion.word(word)).collect::<Result<_, _>>()?
        };
        let stdin = self.template.stdin.as_ref().map(|word| expansion.word(word)).transpose()?;
        let redirected = self.template.stdout.is_some() && reads_file;
        let job = Job {
            words,
            stdin: stdin.map(PathBuf::from),
            stdout: redirected.then(|| output.clone()),
            output: output.clone(),
        };
        let outcome = job.run(limits).map_err(|error| not_started(&error))?;
        let describe = |failure: Failure| describe(failure, &outcome, folder.path());
        // A large file may have been written between two looks at it.
        let too_large = |data: fs::Metadata| data.len() >= LARGEST_OUTPUT;
        if fs::metadata(&output).is_ok_and(too_large) {
            return Err(describe(too_much()));
        }
        if let Some(failure) = judge(&outcome, limits, self.template.shell) {
            return Err(describe(failure));
        }
        if !reads_file {
            return read(&outcome.output).map_err(describe);
        }
        match fs::read(&output) {
            Ok(text) => read(&text).map_err(describe),
            Err(_) => Err(describe(Failure::new(FailureKind::Missing, "there is no output file"))),
        }
    }
}

impl Program {
    /// Says why the program cannot be run, if that is known before.
    fn installed(&self) -> Result<(), String> {
        let Some(program) = self.template.program().filter(|_| !self.template.shell) else {
            return Ok(());
        };
        let is_file = |path: PathBuf| path.is_file();
        let found = match program.contains('/') {
            true => is_file(program.into()),
            false => std::env::var_os("PATH").is_none_or(|path| {
                std::env::split_paths(&path).any(|folder| is_file(folder.join(program)))
            }),
        };
        if found { Ok(()) } else { Err(format!("the program `{program}` is not installed")) }
    }
}

impl Tool for Program {
    fn ready(&self) -> Result<(), String> {
        self.installed()
    }

    fn translate(&self, formula: &Formula, limits: &Limits) -> Result<Automaton, Failure> {
        let (renamed, names) = self.renamed(formula);
        let automaton = self.run(limits, &mut |piece| match piece {
            Piece::Formula { spelling, without, .. } => match spelling.rewritten(&renamed, without)
            {
                Ok(formula) => Ok(spelling.text(&formula).into_bytes()),
                Err(error) => Err(Failure::new(FailureKind::Unsupported, error.to_string())),
            },
            _ => Ok(vec![]),
        })?;
        with_names(&automaton, &names)
    }

    fn supports(&self, formula: &Formula) -> bool {
        self.template.pieces().all(|piece| match piece {
            Piece::Formula { spelling, without, .. } => {
                spelling.rewritten(formula, without).is_ok_and(|formula| {
                    formula.subformulas().all(|part| !self.unsupported.contains(&part.op()))
                })
            }
            _ => true,
        })
    }
}

impl Transformer for Program {
    fn transform(&self, automaton: &Automaton, limits: &Limits) -> Result<Automaton, Failure> {
        let answer = self.run(limits, &mut |piece| {
            let Piece::Automaton(format) = piece else { return Ok(vec![]) };
            let mut text = vec![];
            match formats::write(automaton, *format, &mut text) {
                Ok(()) => Ok(text),
                Err(error) => Err(Failure::new(FailureKind::Unsupported, error.to_string())),
            }
        })?;
        let props = automaton.alphabet().props().iter();
        let same: Vec<(Prop, Prop)> = props.map(|prop| (prop.clone(), prop.clone())).collect();
        with_names(&answer, &same)
    }
}

/// Words with their places filled.
struct Expansion<'a> {
    folder: &'a Path,
    files: usize,
    input: &'a mut dyn FnMut(&Piece) -> Result<Vec<u8>, Failure>,
    /// Inserted text has to be quoted.
    shell: bool,
}

impl Expansion<'_> {
    fn word(&mut self, word: &Word) -> Result<OsString, Failure> {
        let mut text = OsString::new();
        for piece in word {
            let filled: OsString = match piece {
                Piece::Text(part) => {
                    text.push(part);
                    continue;
                }
                Piece::Output => self.folder.join("output").into(),
                Piece::Formula { file: false, .. } => {
                    let formula = (self.input)(piece)?;
                    String::from_utf8_lossy(&formula).into_owned().into()
                }
                Piece::Formula { file: true, .. } | Piece::Automaton(_) => {
                    let mut content = (self.input)(piece)?;
                    if !content.ends_with(b"\n") {
                        content.push(b'\n');
                    }
                    self.files += 1;
                    let path = self.folder.join(format!("input{}", self.files));
                    fs::write(&path, content).map_err(|error| not_started(&error))?;
                    path.into()
                }
            };
            if self.shell {
                let quoted = filled.to_string_lossy().replace('\'', "'\\''");
                text.push(format!("'{quoted}'"));
            } else {
                text.push(filled);
            }
        }
        Ok(text)
    }
}

fn not_started(error: &io::Error) -> Failure {
    Failure::new(FailureKind::NotStarted, error.to_string())
}

fn too_much() -> Failure {
    let limit = LARGEST_OUTPUT >> 20;
    Failure::new(FailureKind::Format, format!("there is more output than {limit} MiB"))
}

/// The messages of programs that run out of memory.
const OUT_OF_MEMORY: [&str; 8] = [
    "out of memory",
    "out of space",
    "memory exhausted",
    "cannot allocate",
    "bad_alloc",
    "outofmemory",
    "memory allocation of",
    "not enough memory",
];

/// Why the way in which a program has ended is a failure, if it is.
fn judge(outcome: &Outcome, limits: &Limits, shell: bool) -> Option<Failure> {
    let errors = String::from_utf8_lossy(&outcome.errors).to_lowercase();
    // A program that came close to the limit and failed then has most probably failed for it.
    let out_of_memory = OUT_OF_MEMORY.iter().any(|text| errors.contains(text))
        || limits.memory.is_some_and(|limit| outcome.memory > limit / 10 * 9);
    let signalled = |signal: i32| match signal {
        _ if out_of_memory => memory(limits),
        SIGABRT if errors.contains("assert") => {
            Failure::new(FailureKind::Assertion, "an assertion was violated")
        }
        signal => {
            Failure::new(FailureKind::Crash, format!("ended by signal {}", signal_name(signal)))
        }
    };
    Some(match outcome.end {
        End::Exit(0) => return None,
        End::Time => {
            let limit = limits.time.unwrap_or_default().as_secs_f64();
            Failure::new(FailureKind::Time, format!("took more than {limit} s"))
        }
        End::Output => too_much(),
        End::Signal(signal) => signalled(signal),
        // A shell reports missing commands and signals by its own exit code.
        End::Exit(code @ (126 | 127)) if shell => {
            Failure::new(FailureKind::NotStarted, format!("the shell ended with code {code}"))
        }
        End::Exit(code) if shell && code > 128 => signalled(code - 128),
        End::Exit(_) if out_of_memory => memory(limits),
        End::Exit(code) if errors.contains("assert") => {
            let message = format!("an assertion was violated, exit code {code}");
            Failure::new(FailureKind::Assertion, message)
        }
        End::Exit(code) => Failure::new(FailureKind::ExitCode, code.to_string()),
    })
}

fn memory(limits: &Limits) -> Failure {
    let message = match limits.memory {
        Some(limit) => format!("more than {} MiB were asked for", limit >> 20),
        None => "it got no more memory".to_owned(),
    };
    Failure::new(FailureKind::Memory, message)
}

const SIGABRT: i32 = 6;

/// The name of a signal that programs die of; the numbers are the same on all systems.
fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        SIGABRT => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return signal.to_string(),
    };
    format!("{signal} ({name})")
}

/// Returns the failure with the last output of the program.
fn describe(mut failure: Failure, outcome: &Outcome, folder: &Path) -> Failure {
    // Names of temporary files differ from run to run.
    let folder = folder.display().to_string();
    let legible = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).replace(&folder, "…");
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines = lines.map(|line| line.chars().filter(|c| !c.is_control()).collect::<String>());
        lines.collect::<Vec<String>>()
    };
    let mut said = legible(&outcome.errors);
    if said.is_empty() && failure.kind != FailureKind::Format {
        // Some programs complain on standard output; its end is enough.
        let end = outcome.output.len().saturating_sub(LONGEST_REMARK);
        said = legible(&outcome.output[end..]);
    }
    if let Some(last) = said.last() {
        let shown: String = last.chars().take(LONGEST_REMARK).collect();
        failure.message = format!("{}: {shown}", failure.message);
    }
    let first = said.len().saturating_sub(LOGGED_LINES);
    failure.log = said.split_off(first).join("\n");
    failure
}

/// The maximal number of shown characters of a program's last line.
const LONGEST_REMARK: usize = 200;

/// The maximal number of stored lines of standard error.
const LOGGED_LINES: usize = 20;

/// The automaton in the output of a program.
fn read(text: &[u8]) -> Result<Automaton, Failure> {
    match Reader::new(text).next() {
        None => Err(Failure::new(FailureKind::Missing, "there is no output")),
        Some(Err(error)) => {
            let message = match error.place() {
                Some(place) => {
                    let expected = error.expectation().map(|what| format!(", expected {what}"));
                    format!(
                        "line {}, column {}: {}{}",
                        place.line,
                        place.column,
                        error.message(),
                        expected.unwrap_or_default()
                    )
                }
                None => error.to_string(),
            };
            Err(Failure::new(FailureKind::Format, message))
        }
        Some(Ok(formats::StreamItem { automaton: AnyAutomaton::Alternating(_), .. })) => {
            Err(Failure::new(FailureKind::Format, "the automaton is alternating"))
        }
        Some(Ok(formats::StreamItem {
            automaton: AnyAutomaton::Nondeterministic(automaton),
            ..
        })) => Ok(automaton),
    }
}

/// The automaton over old names instead of the new ones that it was asked for with.
fn with_names(automaton: &Automaton, names: &[(Prop, Prop)]) -> Result<Automaton, Failure> {
    let alphabet = automaton.alphabet();
    let mut props = vec![];
    let mut unknown = vec![];
    for (i, prop) in alphabet.props().iter().enumerate() {
        match names.iter().find(|(new, _)| new == prop) {
            Some((_, old)) => props.push(old.clone()),
            None => {
                unknown.push(i);
                props.push(prop.clone());
            }
        }
    }
    // Propositions that are declared and not read do no harm, but may have an old name.
    if let Some(&i) = unknown
        .iter()
        .find(|&&i| automaton.edges().iter().any(|edge| alphabet.support(edge.label).contains(&i)))
    {
        let name = alphabet.props()[i].name();
        let message = format!("the automaton reads `{name}`, which is not in the input");
        return Err(Failure::new(FailureKind::Format, message));
    }
    if props == alphabet.props() {
        return Ok(automaton.clone());
    }
    let known: Vec<usize> = (0..props.len()).filter(|i| !unknown.contains(i)).collect();
    let mut places = vec![0; props.len()];
    for (place, &i) in known.iter().enumerate() {
        places[i] = place;
    }
    let renamed = Alphabet::new(known.iter().map(|&i| props[i].clone()))
        .map_err(|error| Failure::new(FailureKind::Format, error.to_string()))?;
    let mut builder = automaton.edit();
    builder.translate(renamed, &places);
    Ok(builder.build())
}
