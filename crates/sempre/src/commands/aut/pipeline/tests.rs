//! Adds a transformation from outside the library as a step, by its row alone.

use super::*;
use sempre::automata::transform::{Claims, Language, Run};
use sempre::automata::{Automaton, hoa};
use sempre::ltl::options::{Choice, Flag, Number};

static END: Choice<bool> = Choice {
    name: "end",
    help: "which states go",
    default: Some("last"),
    values: &[("first", false, "drops the first one"), ("last", true, "drops the last one")],
};
static HOW_MANY: Number = Number { name: "how-many", help: "how many edges go", range: (1, 9) };
static LOOPS: Flag = Flag { name: "loops", help: "count loops only" };

/// Drops edges.
static TOY: Transformation = Transformation {
    name: "drop-edges",
    help: "Drop edges",
    value: Some(&END),
    options: &[&HOW_MANY, &LOOPS],
    claims: |_| Claims::new(Language::Subset),
    run: Run::Unary(|automaton, settings| {
        let count = automaton.edge_count();
        let gone = usize::try_from(settings.get(&HOW_MANY).unwrap_or(1)).unwrap_or(count);
        let mut number = 0;
        let mut builder = automaton.edit();
        builder.retain_edges(|source, edge| {
            number += 1;
            let goes = match settings.get(&END) {
                true => number > count.saturating_sub(gone),
                false => number <= gone,
            };
            !goes || (settings.get(&LOOPS) && source != edge.target)
        });
        Ok(builder.build())
    }),
    keeping: &[],
};

fn automaton() -> Automaton {
    let text = "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
        State: 0 [0] 0 [!0] 1 State: 1 [t] 1 {0} [0] 0 --END--";
    hoa::parse(text).unwrap().nondeterministic().unwrap()
}

#[test]
fn a_row_is_a_step_of_the_command_line() {
    let registry = Registry::built_in().with(&TOY);
    let edges = |text: &str| {
        let steps = Pipeline::read_by(&registry, text).unwrap();
        steps.run(&automaton()).unwrap().edge_count()
    };
    assert_eq!(edges("--drop-edges"), 3);
    assert_eq!(edges("--drop-edges=first --how-many 2 --drop-edges=last"), 1);
    assert_eq!(edges("--drop-edges=last --how-many 2 --loops --to-state-based"), 3);
    let mut command = Pipeline::augment(&registry, Command::new("aut"));
    // Lines are wrapped at the width of the terminal.
    let help = command.render_help().to_string();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "--drop-edges[=<END>]",
        "Drop edges: first (drops the first one), last (drops the last one, default)",
        "--how-many <N>",
        "For --drop-edges: how many edges go",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
}

#[test]
fn errors_are_made_from_rows() {
    let registry = Registry::built_in().with(&TOY);
    let error = |text: &str| Pipeline::read_by(&registry, text).unwrap_err().to_string();
    assert!(error("--drop-egdes").contains("a similar argument exists: '--drop-edges'"));
    assert_eq!(
        error("--drop-edges=lsat"),
        "invalid value 'lsat' for '--drop-edges[=<END>]'; a similar value exists: 'last'"
    );
    assert_eq!(error("--trim --loops --drop-edges"), "--loops must follow --drop-edges");
    assert!(error("--drop-edges --how-many 10").contains("a number from 1 to 9"));
    assert!(Pipeline::read("--drop-edges").is_err());
}
