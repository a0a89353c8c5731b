//! Redundant operands of acceptance conditions.
//!
//! A disjunct is redundant if every run that satisfies it satisfies another one. A conjunct is
//! redundant if every run that satisfies all others satisfies it. Each check is an emptiness check
//! of the automaton under another condition. Constructions that guess have many redundant
//! disjuncts, and the copies for them become redundant too.

use sempre_automata::{Acceptance, Automaton, Condition, Sccs};
use sempre_ltl::interrupt;

/// The maximal numbers of states, marks and operands.
const MAX_STATES: usize = 256;
const MAX_MARKS: u32 = 12;
const MAX_OPERANDS: usize = 24;

/// Removes some redundant operands of the condition; `None` if there are none, or if the automaton
/// is too large.
pub(super) fn without(automaton: &Automaton) -> Option<Automaton> {
    let acceptance = automaton.acceptance();
    if automaton.state_count() > MAX_STATES || acceptance.marks() > MAX_MARKS {
        return None;
    }
    let condition = simplified(automaton, acceptance.condition(), &|c| c)?;
    let mut builder = automaton.edit();
    builder.acceptance(Acceptance::new(acceptance.marks(), condition));
    Some(builder.build())
}

/// Removes the first redundant operand, at the top or one level below; `around` restores the
/// context of the condition.
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
    if operands.len() > MAX_OPERANDS {
        return None;
    }
    let whole = around(condition.clone());
    let join = |operands: Vec<Condition>| match conjunction {
        true => Condition::and(operands),
        false => Condition::or(operands),
    };
    // Operands with many marks come first, because they cost most. Among others the last comes
    // first, because constructions put less useful operands at the end.
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
