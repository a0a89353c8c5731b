//! What can be said in a simulation.

/// What is to be done next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Say {
    /// Take the action of that number, counted from 1.
    Take(usize),
    /// Take the action of that name.
    Name(String),
    /// Nothing was said.
    Nothing,
    /// Take back that many steps.
    Undo(usize),
    /// Do that many random steps.
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
    /// Show what can be said.
    Help,
    /// End.
    Quit,
}

/// The words that can be completed.
pub(super) const WORDS: [&str; 11] = [
    "undo", "random", "state", "trace", "watch ", "break ", "clear", "save ", "restart", "help",
    "quit",
];

pub(super) const HELP: &str = "\
NUMBER or NAME   take that action
ENTER            take the only action, or show them all
undo [N]         take back the last step, or N steps
random [N]       take a random action, or N of them
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

/// Understands a line.
pub(super) fn understand(line: &str) -> Say {
    let line = line.trim();
    if let Ok(number) = line.parse() {
        return Say::Take(number);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let number = match rest.trim() {
        "" => Some(1),
        rest => rest.parse::<u64>().ok(),
    };
    match (word, number) {
        ("", _) => Say::Nothing,
        ("undo" | "u", Some(steps)) => Say::Undo(usize::try_from(steps).unwrap_or(usize::MAX)),
        ("random" | "r", Some(steps)) => Say::Random(steps),
        ("watch" | "w", _) if !rest.trim().is_empty() => Say::Watch(rest.trim().to_owned()),
        ("break" | "b", _) if !rest.trim().is_empty() => Say::Break(rest.trim().to_owned()),
        ("clear" | "c", _) if rest.is_empty() => Say::Clear,
        ("save", _) if !rest.trim().is_empty() => Say::Save(rest.trim().to_owned()),
        ("state" | "s", _) if rest.is_empty() => Say::State,
        ("trace" | "t", _) if rest.is_empty() => Say::Trace,
        ("restart", _) if rest.is_empty() => Say::Restart,
        ("help" | "h" | "?", _) if rest.is_empty() => Say::Help,
        ("quit" | "q" | "exit", _) if rest.is_empty() => Say::Quit,
        _ => Say::Name(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        for (line, say) in [
            ("", Say::Nothing),
            (" 12 ", Say::Take(12)),
            ("u", Say::Undo(1)),
            ("undo 3", Say::Undo(3)),
            ("r 10", Say::Random(10)),
            ("state", Say::State),
            ("?", Say::Help),
            ("take_left_0", Say::Name("take_left_0".into())),
            ("undo it", Say::Name("undo it".into())),
            ("quit", Say::Quit),
            ("watch F p", Say::Watch("F p".into())),
            ("b p & q", Say::Break("p & q".into())),
            ("save walk.json", Say::Save("walk.json".into())),
            ("clear", Say::Clear),
        ] {
            assert_eq!(understand(line), say);
        }
    }
}
