//! Spin as a participant: the structure as a Promela model, the formula as Spin's own claim.

use super::{Answer, Pair, Participant};
use crate::cross::{Limits, ProgramEnd, run_program};
use crate::ltl::rewrite::rename::rename;
use crate::ltl::rewrite::unabbreviate;
use crate::ltl::syntax::Notation;
use crate::ltl::{Formula, Op, Prop};
use std::fmt::Write;
use std::fs;
use std::time::Duration;

/// The time limit for Spin, the compiler and the search together.
const TIME: Duration = Duration::from_secs(60);

/// The commands, run in a folder with the model and the formula.
const COMMANDS: &str = "spin -F formula > claim && cat model claim > both && spin -a both && \
                        cc -w -O0 -DNOREDUCE -o pan pan.c && ./pan -a -m100000";

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
}

/// Returns the name of a proposition in the Promela model.
fn macro_name(place: usize) -> String {
    format!("q{place}")
}

/// Writes a structure as a Promela model: one process, whose steps are the edges. The propositions
/// of the formula become macros `q0`, `q1`, … in the order of their names.
pub fn promela(pair: &Pair) -> String {
    let Pair { structure, formula } = pair;
    let mut text = String::new();
    for (place, prop) in formula.props().iter().enumerate() {
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
    text
}

/// Returns the negated formula as Spin reads it, over the macros.
fn claim(formula: &Formula) -> String {
    let props = formula.props();
    let place = |prop: &Prop| props.iter().position(|known| known == prop).unwrap_or_default();
    let renamed = rename(formula, |prop| Prop::new(macro_name(place(prop))));
    let negation = Formula::not(renamed);
    let plain = unabbreviate(&negation, &[Op::WeakUntil, Op::StrongRelease]).unwrap_or(negation);
    plain.display(Notation::Spin).to_string()
}

impl Participant for Spin {
    fn name(&self) -> &str {
        "spin"
    }

    fn answer(&self, pair: &Pair) -> Result<Answer, String> {
        // Packaged binaries of Spin are built without `X`.
        let next = [Op::Next, Op::StrictFinally, Op::StrictGlobally];
        if pair.formula.subformulas().any(|f| next.contains(&f.op())) {
            return Ok(Answer::Unsupported("Spin is built without X".to_owned()));
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).map_err(|error| error.to_string())
        };
        write("model", &promela(pair))?;
        write("formula", &claim(&pair.formula))?;
        let script = format!("cd '{}' && {COMMANDS}", folder.path().display());
        let limits = Limits { time: Some(TIME), memory: None };
        let (end, output) = run_program(["sh", "-c", &script], &limits)
            .map_err(|error| format!("cannot run spin: {error}"))?;
        let output = String::from_utf8_lossy(&output);
        match (end, output.contains("errors: 0"), output.contains("errors: 1")) {
            (ProgramEnd::Time, ..) => Ok(Answer::Unsupported("no answer in a minute".to_owned())),
            (_, true, false) => Ok(Answer::Holds),
            (_, false, true) => Ok(Answer::Violated),
            // A claim without any step cannot be compiled.
            _ if output.contains("ana_stmnt") => {
                Ok(Answer::Unsupported("Spin refuses its own claim without steps".to_owned()))
            }
            _ => Err(output.lines().last().unwrap_or("no output").to_owned()),
        }
    }
}
