//! Operands of acceptance conditions that no run needs.
//!
//! A disjunct is redundant if no run satisfies it and no other one, a conjunct if no run satisfies all
//! others and not this one. Each question is one search for an accepting cycle of the automaton under
//! another condition. Constructions that guess give many such disjuncts: with them go the copies
//! that were followed for them.

use sempre_automata::{Acceptance, Automaton, Condition, Sccs};
use sempre_ltl::interrupt;

/// Automata with more states, marks or operands are left alone.
const MOST_STATES: usize = 256;
const MOST_MARKS: u32 = 12;
const MOST_OPERANDS: usize = 24;

/// The automaton without some operands of its condition that no run needs; `None` if there are
/// none, or if it is too large to look for them.
pub(super) fn without(automaton: &Automaton) -> Option<Automaton> {
    let acceptance = automaton.acceptance();
    if automaton.state_count() > MOST_STATES || acceptance.marks() > MOST_MARKS {
        return None;
    }
    let condition = simplified(automaton, acceptance.condition(), &|c| c)?;
    let mut builder = automaton.edit();
    builder.acceptance(Acceptance::new(acceptance.marks(), condition));
    Some(builder.build())
}

/// The condition without the first operand that is redundant, at the top or one level below;
/// `around` puts the condition back where it is from.
fn simplified(
    automaton: &Automaton,
    condition: &Condition,
    around: &dyn Fn(Condition) -> Condition,
) -> Option<Condition> {
    let (operands, conjunction) = match condition {
        Condition::And(operands) => (operands, true),
        Condition::Or(operands) => (operands, false),
        _ => return None,
    };
    if operands.len() > MOST_OPERANDS {
        return None;
    }
    let whole = around(condition.clone());
    let join = |operands: Vec<Condition>| match conjunction {
        true => Condition::and(operands),
        false => Condition::or(operands),
    };
    // Operands with many marks first, as they cost the most; of others the last one first, as
    // constructions put what they would rather do without at the end.
    let mut order: Vec<usize> = (0..operands.len()).collect();
    order.sort_by_key(|&place| std::cmp::Reverse((operands[place].marks().len(), place)));
    for place in order {
        interrupt::poll();
        let mut rest = operands.clone();
        rest.remove(place);
        let fewer = around(join(rest));
        let differs = match conjunction {
            true => Condition::and([fewer.clone(), whole.dual()]),
            false => Condition::and([whole.clone(), fewer.dual()]),
        };
        if !has_run(automaton, &differs) {
            return Some(fewer);
        }
    }
    (0..operands.len()).find_map(|place| {
        simplified(automaton, &operands[place], &|inner| {
            let mut all = operands.clone();
            all[place] = inner;
            around(join(all))
        })
    })
}

/// True if the automaton has an accepting run under the condition.
fn has_run(automaton: &Automaton, condition: &Condition) -> bool {
    let mut builder = automaton.edit();
    builder.acceptance(Acceptance::new(automaton.acceptance().marks(), condition.clone()));
    let changed = builder.build();
    Sccs::of(&changed).accepting(&changed).contains(&true)
}
