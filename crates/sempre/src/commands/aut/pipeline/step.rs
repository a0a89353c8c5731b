//! What the steps do: one row for each.

use anyhow::{Result, bail};
use sempre::automata::convert::{self, ParityForm};
use sempre::automata::decompose::{self, Part};
use sempre::automata::degeneralize::Degeneralizer;
use sempre::automata::reduce::{self, Level};
use sempre::automata::{
    Automaton, ParityKind, complement, complete, determinize, product, prune, state_based,
    strength, stutter, sum, wdba,
};

/// A step, and the option that asks for it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) value: Value,
    /// The language stays the same, so that a name that tells it still does.
    pub(super) keeps_language: bool,
    /// The automaton after the step, with the option's value, or the automaton in its file.
    pub(super) run: fn(&Automaton, &str, Option<&Automaton>) -> Result<Automaton>,
}

/// What an option takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    None,
    Optional { name: &'static str, default: &'static str, values: &'static [&'static str] },
    Required { name: &'static str, values: &'static [&'static str] },
    File,
}

impl Value {
    /// The values that are possible.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Value::Optional { values, .. } | Value::Required { values, .. } => values,
            Value::None | Value::File => &[],
        }
    }
}

/// Deterministic automata of more states are not built.
const MOST_STATES: usize = 1 << 20;

/// Every step, in the order of the help.
pub(super) const STEPS: &[Step] = &[
    Step {
        name: "trim",
        help: "Drop the states that are on no accepting run",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(prune::trim(automaton)),
    },
    Step {
        name: "reduce",
        help: "Make the automaton smaller: low merges bisimilar states, medium uses simulations, \
               high [default] everything there is; after --determinize it stays deterministic",
        value: Value::Optional {
            name: "LEVEL",
            default: "high",
            values: &["low", "medium", "high"],
        },
        keeps_language: true,
        run: |automaton, value, _| Ok(reduce::reduce(automaton, level(value))),
    },
    Step {
        name: "degeneralize",
        help: "Make it a Büchi automaton, with acceptance on states (sb) [default] or on \
               transitions (tb)",
        value: Value::Optional { name: "WHERE", default: "sb", values: &["sb", "tb"] },
        keeps_language: true,
        run: |automaton, place, _| {
            let automaton = &convert::to_generalized_buchi(automaton);
            Ok(match place {
                "tb" => Degeneralizer::default().transition_based(automaton)?,
                _ => Degeneralizer::default().state_based(automaton)?,
            })
        },
    },
    Step {
        name: "decompose",
        help: "Keep the part of terminal (t), weak (w) or strong (s) components; the three parts \
               together accept what the automaton accepts",
        value: Value::Required { name: "PART", values: &["t", "w", "s"] },
        keeps_language: false,
        run: |automaton, part, _| {
            let part = match part {
                "t" => Part::Terminal,
                "w" => Part::Weak,
                _ => Part::Strong,
            };
            Ok(decompose::part(automaton, part))
        },
    },
    Step {
        name: "weaken",
        help: "Give edges the same marks where all cycles are accepting, or all rejecting",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(strength::weaken(automaton)),
    },
    Step {
        name: "complement",
        help: "Accept what the automaton rejects, and the other way round",
        value: Value::None,
        keeps_language: false,
        run: |automaton, _, _| Ok(complement::complement(automaton)),
    },
    Step {
        name: "product",
        help: "Accept what the automaton in FILE accepts as well",
        value: Value::File,
        keeps_language: false,
        run: |automaton, _, operand| with(operand, |other| product::intersection(automaton, other)),
    },
    Step {
        name: "sum",
        help: "Accept what the automaton in FILE accepts, too",
        value: Value::File,
        keeps_language: false,
        run: |automaton, _, operand| with(operand, |other| sum::union(automaton, other)),
    },
    Step {
        name: "determinize",
        help: "Make it deterministic: with a co-Büchi condition if it is inherently weak, and else \
               a parity condition",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| {
            if automaton.is_deterministic() {
                return Ok(automaton.clone());
            }
            if let Ok(deterministic) = determinize::weak(automaton) {
                return Ok(deterministic);
            }
            match determinize::parity_up_to(automaton, MOST_STATES) {
                Some(deterministic) => Ok(deterministic),
                None => bail!("the result would have more than {MOST_STATES} states"),
            }
        },
    },
    Step {
        name: "minimize",
        help: "Make it the smallest deterministic weak automaton, if the language is an obligation",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(wdba::minimize(automaton).unwrap_or_else(|| automaton.clone())),
    },
    Step {
        name: "to-complete",
        help: "Let every state read every letter, with a rejecting sink if need be",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(complete(automaton)),
    },
    Step {
        name: "to-state-based",
        help: "Put the same marks on all edges that leave a state",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(state_based(automaton)),
    },
    Step {
        name: "to-transition-based",
        help: "Put marks that edges from a state share on those that lead to it",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(convert::transition_based(automaton)),
    },
    Step {
        name: "to-generalized-buchi",
        help: "Make the acceptance a conjunction of Inf terms",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(convert::to_generalized_buchi(automaton)),
    },
    Step {
        name: "remove-fin",
        help: "Make the acceptance generalized Büchi if it has Fin terms",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(convert::remove_fin(automaton)),
    },
    Step {
        name: "to-parity",
        help: "Change a parity condition; colored means one mark on every edge",
        value: Value::Optional {
            name: "FORM",
            default: "any",
            values: &[
                "any",
                "min-even",
                "min-odd",
                "max-even",
                "max-odd",
                "colored",
                "colored-min-even",
                "colored-min-odd",
                "colored-max-even",
                "colored-max-odd",
            ],
        },
        keeps_language: true,
        run: |automaton, form, _| Ok(convert::to_parity(automaton, parity_form(form))?),
    },
    Step {
        name: "simplify-acceptance",
        help: "Make the acceptance condition smaller where the marks' places allow it",
        value: Value::None,
        keeps_language: true,
        run: |automaton, _, _| Ok(convert::simplify_acceptance(automaton)),
    },
    Step {
        name: "stutter-closure",
        help: "Accept words that become accepted ones by repeating letters",
        value: Value::None,
        keeps_language: false,
        run: |automaton, _, _| Ok(stutter::closure(automaton)),
    },
    Step {
        name: "self-loopize",
        help: "Accept words that come of accepted ones by repeating letters",
        value: Value::None,
        keeps_language: false,
        run: |automaton, _, _| Ok(stutter::self_loopize(automaton)),
    },
];

/// Steps with files get what is in them.
fn with(
    operand: Option<&Automaton>,
    run: impl FnOnce(&Automaton) -> Automaton,
) -> Result<Automaton> {
    match operand {
        Some(operand) => Ok(run(operand)),
        None => bail!("the file has no automaton"),
    }
}

/// The level of a reduction by its name.
pub(super) fn level(name: &str) -> Level {
    match name {
        "low" => Level::Low,
        "medium" => Level::Medium,
        _ => Level::High,
    }
}

fn parity_form(text: &str) -> ParityForm {
    text.split('-').fold(ParityForm::any(), |form, word| match word {
        "colored" => form.colored(true),
        "min" => form.kind(ParityKind::Min),
        "max" => form.kind(ParityKind::Max),
        "even" => form.odd(false),
        "odd" => form.odd(true),
        _ => form,
    })
}
