//! Runs in the Informal Trace Format of Apalache and Quint: a JSON object with all states and, for a
//! cycle, the state to which the last one leads back.

use super::answer::Answer;
use crate::output::Output;
use serde_json::{Map, Value, json};
use std::io;

/// The variable that has the action which led to a state, as in traces of Quint.
const ACTION: &str = "mbt::actionTaken";

/// Writes the run that violates the property; false if there is none.
pub(super) fn write(answer: &Answer, out: &mut Output) -> io::Result<bool> {
    let (Some(finding), Ok(outcome)) = (&answer.finding, &answer.outcome) else { return Ok(false) };
    let Some(run) = outcome.counterexample() else { return Ok(false) };
    let names = outcome.system.names();
    let variables: Vec<_> =
        (0..names.variable_count() as u32).map(sempre::models::VariableId).collect();
    let state = |index: usize, words: &[u32], action: Option<&str>| {
        let mut object = Map::new();
        object.insert("#meta".to_owned(), json!({ "index": index }));
        object.insert(ACTION.to_owned(), json!(action.unwrap_or("init")));
        for variable in &variables {
            let text = names.value_text(words, *variable);
            // Numbers are numbers; the names of locations are texts.
            let value = text.parse::<i64>().map_or_else(|_| json!(text), integer);
            object.insert(names.variable_name(*variable), value);
        }
        Value::Object(object)
    };
    let mut states = vec![state(0, &run.initial, None)];
    let moves = run.prefix.iter().chain(&run.cycle);
    for (index, (step, shown)) in moves.zip(finding.trace.steps()).enumerate() {
        states.push(state(index + 1, &step.state, Some(shown.name())));
    }
    if !run.cycle.is_empty() {
        // The last state is the one where the cycle began.
        states.pop();
    }
    let own = variables.iter().map(|variable| names.variable_name(*variable));
    let vars: Vec<String> = std::iter::once(ACTION.to_owned()).chain(own).collect();
    let mut object = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": format!("violates {}", answer.subject()),
            "source": "sempre check",
        },
        "vars": vars,
        "states": states,
    });
    if let (false, Some(last)) = (run.cycle.is_empty(), finding.trace.cycle.last()) {
        object["loop"] = json!(run.prefix.len());
        object["#meta"]["loop_action"] = json!(last.name());
    }
    serde_json::to_writer(&mut *out, &object)?;
    out.end_line()?;
    Ok(true)
}

/// An integer: as a JSON number if every reader of JSON has it, else as ITF writes large ones.
fn integer(value: i64) -> Value {
    const EXACT: u64 = 1 << 53;
    match value.unsigned_abs() < EXACT {
        true => json!(value),
        false => json!({ "#bigint": value.to_string() }),
    }
}
