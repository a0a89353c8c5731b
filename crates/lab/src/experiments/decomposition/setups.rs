//! The four set-ups of the paper, each on the whole automaton and on its parts.
//!
//! If the formula holds, the part with the most work counts, since all run at the same time and the
//! last one decides; otherwise the part that finds a violation with the least work. Work is the number
//! of followed edges, and time for sets; the shown time is the longest or shortest one.

use super::selection::{Case, Measured};
use super::subject::{Checked, Subject};
use crate::cells;
use crate::statistics::shown;
use anyhow::{Result, bail};
use sempre_automata::Automaton;
use sempre_automata::decompose::{Part, reduced_part};
use sempre_automata::strength::Strengths;
use sempre_explicit::emptiness::{Check, Roots};
use sempre_symbolic::Fixpoint;

/// The general check of a set-up.
#[derive(Clone, Copy)]
enum Setup {
    Explicit(Check),
    Symbolic(Fixpoint),
}

/// The set-ups; the last explicit one is the fastest.
const SETUPS: [(&str, Setup); 4] = [
    ("SE", Setup::Explicit(Check::SchwoonEsparza)),
    ("ELL", Setup::Explicit(Check::Restricted)),
    ("Cou", Setup::Explicit(Check::Couvreur { roots: Roots::Compressed, known_first: true })),
    ("OWCTY", Setup::Symbolic(Fixpoint::Owcty)),
];

/// Their names.
pub(super) const NAMES: [&str; 4] = ["SE", "ELL", "Cou", "OWCTY"];

/// The columns of a row.
pub(super) const COLUMNS: &[&str] = &[
    "verdict",
    "formula",
    "setup",
    "automaton_states",
    "whole_nodes",
    "whole_edges",
    "whole_seconds",
    "whole_megabytes",
    "whole_length",
    "parts_nodes",
    "parts_edges",
    "parts_seconds",
    "parts_megabytes",
    "parts_length",
];

/// Measures a formula with each set-up; the symbolic one only if there are fewer than `symbolic`
/// formulas with this verdict so far. Cells of what did not end within the limits are empty.
pub(super) fn measure(
    subject: &mut Subject<'_>,
    case: &Case<'_>,
    symbolic: usize,
) -> Result<Measured> {
    let Case { formula, negation, .. } = *case;
    let strengths = Strengths::of(negation);
    let parts = Part::ALL.map(|part| (part, reduced_part(negation, &strengths, part)));
    let parts: Vec<&(Part, Automaton)> =
        parts.iter().filter(|(_, part)| part.state_count() > 0).collect();
    let mut verdict = None;
    let mut rows = Vec::new();
    // The parts that are not strong have the same check in each explicit set-up.
    let mut weaker: Option<Vec<Option<Checked>>> = None;
    for place in [2, 1, 0, 3] {
        let (name, setup) = SETUPS[place];
        if let (Setup::Symbolic(_), Some(violated)) = (setup, verdict)
            && case.counts[usize::from(violated)] >= symbolic
        {
            continue;
        }
        let mut check = |automaton: &Automaton, is_general: bool| match setup {
            Setup::Explicit(check) => {
                subject.check(formula, automaton, is_general.then_some(check))
            }
            Setup::Symbolic(fixpoint) => {
                subject.check_symbolically(formula, automaton, is_general.then_some(fixpoint))
            }
        };
        let whole = check(negation, true)?;
        if let Some(Checked { violated, .. }) = whole {
            verdict.get_or_insert(violated);
        }
        if verdict.is_some_and(|violated| case.is_full[usize::from(violated)]) {
            return Ok(Measured::LeftOut("enough with this verdict"));
        }
        let mut checked = Vec::new();
        for (number, (part, automaton)) in parts.iter().enumerate() {
            let known = weaker.as_ref().filter(|_| matches!(setup, Setup::Explicit(_)));
            let known = known.and_then(|known| known.get(number));
            checked.push(match known {
                Some(known) if *part != Part::Strong => *known,
                _ => check(automaton, *part == Part::Strong)?,
            });
        }
        if weaker.is_none() {
            weaker = Some(checked.clone());
        }
        let found = together(&checked);
        let differs = |found: &Checked| verdict.is_some_and(|violated| violated != found.violated);
        if whole.as_ref().is_some_and(differs) || found.as_ref().is_some_and(differs) {
            bail!("{formula}: the parts and the whole do not agree ({name})");
        }
        if let Some(found) = found {
            verdict.get_or_insert(found.violated);
        }
        // The fastest check decides whether a formula is suitable.
        if verdict.is_none() {
            return Ok(Measured::LeftOut("takes too long"));
        }
        let states = negation.state_count();
        let row = [cells![name, states], cells_of(whole), cells_of(found)].concat();
        rows.push((place, row));
    }
    rows.sort_by_key(|(place, _)| *place);
    match verdict {
        None => Ok(Measured::LeftOut("takes too long")),
        Some(violated) => {
            let rows = rows.into_iter().map(|(_, row)| row).collect();
            Ok(Measured::Case { violated, rows })
        }
    }
}

/// Combines the checks of the parts; `None` if they do not decide.
fn together(checked: &[Option<Checked>]) -> Option<Checked> {
    let work = |checked: &Checked| checked.effort.map_or(0, |effort| effort.edges);
    let order = |left: &&Checked, right: &&Checked| {
        (work(left).cmp(&work(right))).then(left.seconds.total_cmp(&right.seconds))
    };
    let violations: Vec<&Checked> =
        checked.iter().flatten().filter(|checked| checked.violated).collect();
    if let Some(first) = violations.iter().copied().min_by(order) {
        let seconds = violations.iter().map(|checked| checked.seconds).fold(f64::MAX, f64::min);
        return Some(Checked { seconds, ..*first });
    }
    let all: Option<Vec<&Checked>> = checked.iter().map(Option::as_ref).collect();
    let all = all?;
    let last = all.iter().copied().max_by(order)?;
    let seconds = all.iter().map(|checked| checked.seconds).fold(0.0, f64::max);
    Some(Checked { seconds, ..*last })
}

/// The cells of a check, empty if it did not end.
fn cells_of(checked: Option<Checked>) -> Vec<String> {
    let Some(Checked { effort, seconds, megabytes, length, .. }) = checked else {
        return vec![String::new(); 5];
    };
    let count = |count: Option<u64>| count.map(|count| count.to_string()).unwrap_or_default();
    vec![
        count(effort.map(|effort| effort.nodes)),
        count(effort.map(|effort| effort.edges)),
        shown(Some(seconds), 6),
        shown(Some(megabytes), 2),
        length.map(|length| length.to_string()).unwrap_or_default(),
    ]
}
