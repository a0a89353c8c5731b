//! The commands of a simulation.

/// A command of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Fire the action with this number, from 1.
    Take(usize),
    /// Fire the action with this name.
    Name(String),
    /// An empty line.
    Nothing,
    /// Undo this many steps.
    Undo(usize),
    /// Fire this many random actions.
    Random(u64),
    /// Show the state.
    State,
    /// Show the steps so far.
    Trace,
    /// Show a formula's value from now on.
    Watch(String),
    /// Stop random steps where a predicate is true.
    Break(String),
    /// Remove all formulas and breakpoints.
    Clear,
    /// Write the walk to a file.
    Save(String),
    /// Begin again.
    Restart,
    /// Show the commands.
    Help,
    /// Quit.
    Quit,
}

/// The words that can be completed.
pub(super) const WORDS: [&str; 11] = [
    "undo", "random", "state", "trace", "watch ", "break ", "clear", "save ", "restart", "help",
    "quit",
];

pub(super) const HELP: &str = "\
NUMBER or NAME   fire this action
ENTER            fire the only action, or list the actions
undo [N]         undo the last step, or N steps
random [N]       fire one random action, or N
state            show the state
trace            show the steps so far
watch FORMULA    show whether the walk satisfies it: true, false or open
break PREDICATE  stop random steps where it is true
clear            remove all watched formulas and breakpoints
save FILE        write the walk, for `sempre simulate --replay`
restart          begin again
quit             end
Words may be shortened to their first letter.
";

/// Parses a line.
pub(super) fn parse(line: &str) -> Command {
    let line = line.trim();
    if let Ok(number) = line.parse() {
        return Command::Take(number);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let number = match rest.trim() {
        "" => Some(1),
        rest => rest.parse::<u64>().ok(),
    };
    match (word, number) {
        ("", _) => Command::Nothing,
        ("undo" | "u", Some(steps)) => Command::Undo(usize::try_from(steps).unwrap_or(usize::MAX)),
        ("random" | "r", Some(steps)) => Command::Random(steps),
        ("watch" | "w", _) if !rest.trim().is_empty() => Command::Watch(rest.trim().to_owned()),
        ("break" | "b", _) if !rest.trim().is_empty() => Command::Break(rest.trim().to_owned()),
        ("clear" | "c", _) if rest.is_empty() => Command::Clear,
        ("save", _) if !rest.trim().is_empty() => Command::Save(rest.trim().to_owned()),
        ("state" | "s", _) if rest.is_empty() => Command::State,
        ("trace" | "t", _) if rest.is_empty() => Command::Trace,
        ("restart", _) if rest.is_empty() => Command::Restart,
        ("help" | "h" | "?", _) if rest.is_empty() => Command::Help,
        ("quit" | "q" | "exit", _) if rest.is_empty() => Command::Quit,
        _ => Command::Name(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, say) in [
            ("", Command::Nothing),
            (" 12 ", Command::Take(12)),
            ("u", Command::Undo(1)),
            ("undo 3", Command::Undo(3)),
            ("r 10", Command::Random(10)),
            ("state", Command::State),
            ("?", Command::Help),
            ("take_left_0", Command::Name("take_left_0".into())),
            ("undo it", Command::Name("undo it".into())),
            ("quit", Command::Quit),
            ("watch F p", Command::Watch("F p".into())),
            ("b p & q", Command::Break("p & q".into())),
            ("save walk.json", Command::Save("walk.json".into())),
            ("clear", Command::Clear),
        ] {
            assert_eq!(parse(line), say);
        }
    }
}
