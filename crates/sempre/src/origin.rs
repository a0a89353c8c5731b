//! Where actions come from: the parts of the model's text that define them.

use crate::pictures::shorten;
use crate::schema::described;
use sempre::models::{ActionId, Origin, System};
use serde::Deserialize;
use std::io::{self, Write};

described! {
    /// A transition that takes part in an action, as it is written in the model.
    #[derive(Deserialize, PartialEq, Eq)]
    pub(crate) struct Source {
        /// The process; null if the model has none.
        pub(crate) process: Option<String>,
        /// The line in the file of the model; null if it is not known.
        pub(crate) line: Option<usize>,
        /// The guard; empty if there is none.
        pub(crate) guard: String,
        /// The communication; empty if there is none.
        pub(crate) sync: String,
        /// The effect; empty if there is none.
        pub(crate) effect: String,
    }
}

/// The transitions that take part in an action.
pub(crate) fn sources(system: &dyn System, action: ActionId) -> Vec<Source> {
    let source = |origin: Origin| {
        let Origin { process, line, guard, sync, effect } = origin;
        Source { process, line, guard, sync, effect }
    };
    system.names().origins(action).into_iter().map(source).collect()
}

impl Source {
    /// One line for people; nothing if the name of the action says it all, as in a net.
    pub(crate) fn text(&self) -> Option<String> {
        self.process.as_ref()?;
        let part =
            |keyword: &str, text: &str| (!text.is_empty()).then(|| format!("{keyword} {text}"));
        let parts =
            [part("guard", &self.guard), part("sync", &self.sync), part("effect", &self.effect)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let line = self.line.map_or(String::new(), |line| format!("line {line}"));
        Some(match parts.is_empty() {
            true => line,
            false => format!("{line}: {}", parts.join("; ")),
        })
    }
}

/// Writes where an action comes from, a line for each transition.
pub(crate) fn write_sources(sources: &[Source], out: &mut impl Write) -> io::Result<()> {
    for text in sources.iter().filter_map(Source::text) {
        writeln!(out, "   {text}")?;
    }
    Ok(())
}

/// The name of an action in a picture, with the places in a file where it comes from; the name alone if
/// it says it all.
pub(crate) fn with_sources(name: &str, sources: &[Source], file: &str) -> String {
    let texts: Vec<String> = sources.iter().filter_map(Source::text).collect();
    match texts.is_empty() {
        true => name.to_owned(),
        false => shorten(format!("{name} ({file}, {})", texts.join(" | "))),
    }
}
