//! Spin as a participant: the structure as a Promela model, formulas as Spin's own claims.

use super::{Answer, Pair, Participant};
use crate::automata::Kripke;
use crate::cross::{Limits, ProgramEnd, run_program};
use crate::ltl::rewrite::rename::rename;
use crate::ltl::rewrite::unabbreviate;
use crate::ltl::syntax::Notation;
use crate::ltl::{Formula, Op, Prop};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::time::Duration;

/// The time limit for Spin, the compiler and the searches together.
const TIME: Duration = Duration::from_secs(60);

/// The commands before the searches, run in a folder with the model.
const COMMANDS: &str = "spin -a model && cc -w -O0 -DNOREDUCE -o pan pan.c";

/// The line before the output of a search; the number of the formula follows.
const SEARCH: &str = "== search ";

/// The `spin` program.
#[derive(Clone, Copy, Debug)]
pub struct Spin;

impl Spin {
    /// True if the program and a C compiler are installed.
    pub fn is_installed() -> bool {
        let found = |program: &str| {
            let paths = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
        };
        found("spin") && found("cc")
    }

    /// Checks several formulas on one structure. They share a program, since the compiler takes most
    /// of the time; each formula is a claim of its own.
    pub fn answers(structure: &Kripke, formulas: &[Formula]) -> Vec<Result<Answer, String>> {
        // Packaged binaries of Spin are built without `X`.
        let next = [Op::Next, Op::StrictFinally, Op::StrictGlobally];
        let has_next = |formula: &Formula| formula.subformulas().any(|f| next.contains(&f.op()));
        let suitable: Vec<&Formula> = formulas.iter().filter(|f| !has_next(f)).collect();
        let mut answers = searched(structure, &suitable).into_iter();
        let answer = |formula| match has_next(formula) {
            true => Ok(Answer::Unsupported("Spin is built without X".to_owned())),
            false => answers.next().unwrap_or_else(|| Err("no output".to_owned())),
        };
        formulas.iter().map(answer).collect()
    }
}

/// Returns the name of a proposition in the Promela model.
fn macro_name(place: usize) -> String {
    format!("q{place}")
}

/// Returns the propositions of the formulas, in the order of their names.
fn props(formulas: &[&Formula]) -> Vec<Prop> {
    let props: BTreeSet<Prop> = formulas.iter().flat_map(|formula| formula.props()).collect();
    props.into_iter().collect()
}

/// Writes a structure as a Promela model: one process, whose steps are the edges. The propositions
/// of the formulas become macros `q0`, `q1`, … in the order of their names; the formulas become
/// claims `f0`, `f1`, …
pub fn promela(structure: &Kripke, formulas: &[&Formula]) -> String {
    let (mut text, props) = (String::new(), props(formulas));
    for (place, prop) in props.iter().enumerate() {
        let bit = structure.alphabet().index_of(prop);
        let states = structure
            .states()
            .filter(|state| bit.is_some_and(|bit| structure.label(*state) >> bit & 1 == 1));
        let tests: Vec<String> = states.map(|state| format!("s == {}", state.index())).collect();
        let condition = if tests.is_empty() { "false".to_owned() } else { tests.join(" || ") };
        let _ = writeln!(text, "#define {} ({condition})", macro_name(place));
    }
    let _ = writeln!(text, "int s = {};", structure.initial().index());
    let _ = writeln!(text, "active proctype structure() {{\n  do");
    for source in structure.states() {
        for target in structure.successors(source) {
            let (source, target) = (source.index(), target.index());
            let _ = writeln!(text, "  :: d_step {{ s == {source} -> s = {target} }}");
        }
    }
    text.push_str("  od\n}\n");
    for (number, formula) in formulas.iter().enumerate() {
        let _ = writeln!(text, "ltl f{number} {{ {} }}", claim(formula, &props));
    }
    text
}

/// Returns a formula as Spin reads it, over the macros.
fn claim(formula: &Formula, props: &[Prop]) -> String {
    let place = |prop: &Prop| props.iter().position(|known| known == prop).unwrap_or_default();
    let renamed = rename(formula, |prop| Prop::new(macro_name(place(prop))));
    let plain = unabbreviate(&renamed, &[Op::WeakUntil, Op::StrongRelease]).unwrap_or(renamed);
    plain.display(Notation::Spin).to_string()
}

/// Returns the results of the searches for these formulas.
fn searched(structure: &Kripke, formulas: &[&Formula]) -> Vec<Result<Answer, String>> {
    let (end, output) = match run(structure, formulas) {
        Ok(run) => run,
        Err(error) => return vec![Err(error); formulas.len()],
    };
    let mut results = vec![None; formulas.len()];
    for part in output.split(SEARCH).skip(1) {
        let (number, text) = part.split_once('\n').unwrap_or((part, ""));
        let result = match (text.contains("errors: 0"), text.contains("errors: 1")) {
            (true, false) => Some(Ok(Answer::Holds)),
            (false, true) => Some(Ok(Answer::Violated)),
            _ => None,
        };
        if let Some(place) = number.parse().ok().and_then(|n: usize| results.get_mut(n)) {
            *place = result;
        }
    }
    let [.., _, _] = formulas else {
        let reason = match end {
            ProgramEnd::Time => Ok(Answer::Unsupported("no answer in a minute".to_owned())),
            // A claim without any step cannot be compiled.
            _ if output.contains("ana_stmnt") => {
                Ok(Answer::Unsupported("Spin refuses its own claim without steps".to_owned()))
            }
            _ => Err(output.lines().last().unwrap_or("no output").to_owned()),
        };
        return results
            .into_iter()
            .map(|result| result.unwrap_or_else(|| reason.clone()))
            .collect();
    };
    // One formula may be the reason why others have no answer.
    let alone = |formula: &Formula| searched(structure, &[formula]).remove(0);
    let all = results.into_iter().zip(formulas);
    all.map(|(result, formula)| result.unwrap_or_else(|| alone(formula))).collect()
}

/// Compiles the model with its claims, and searches it for each of them.
fn run(structure: &Kripke, formulas: &[&Formula]) -> Result<(ProgramEnd, String), String> {
    if formulas.is_empty() {
        return Ok((ProgramEnd::Exit(0), String::new()));
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    fs::write(folder.path().join("model"), promela(structure, formulas))
        .map_err(|error| error.to_string())?;
    let mut script = format!("cd '{}' && {COMMANDS} && {{", folder.path().display());
    for number in 0..formulas.len() {
        let _ = write!(script, " echo '{SEARCH}{number}'; ./pan -a -w16 -m100000 -N f{number};");
    }
    script.push_str(" }");
    let limits = Limits { time: Some(TIME), memory: None };
    let (end, output) = run_program(["sh", "-c", &script], &limits)
        .map_err(|error| format!("cannot run spin: {error}"))?;
    Ok((end, String::from_utf8_lossy(&output).into_owned()))
}

impl Participant for Spin {
    fn name(&self) -> &str {
        "spin"
    }

    fn answer(&self, pair: &Pair) -> Result<Answer, String> {
        let mut answers = Spin::answers(&pair.structure, std::slice::from_ref(&pair.formula));
        answers.pop().unwrap_or_else(|| Err("no output".to_owned()))
    }
}
