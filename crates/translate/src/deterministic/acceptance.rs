//! Deterministic automata with a requested acceptance condition.
//!
//! Parity conditions come from the alternating cycle decomposition, which may copy states. Rabin
//! conditions do too, if the graph allows them; otherwise a parity condition is converted to Rabin.
//! Generalized Rabin conditions are the disjunctive normal form of any condition.

use super::size;
use sempre_automata::acd::Decomposition;
use sempre_automata::convert::{ParityForm, to_parity};
use sempre_automata::reduce::{Level, deterministic};
use sempre_automata::{
    Acceptance, Automaton, Condition, Mark, Marks, Named, Parity, ParityKind, parallel,
};

/// The acceptance condition of a deterministic automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TargetAcceptance {
    /// Any.
    #[default]
    Any,
    /// Parity.
    Parity,
    /// Rabin.
    Rabin,
    /// Generalized Rabin.
    GeneralizedRabin,
    /// Büchi or generalized Büchi, which do not exist for every language.
    GeneralizedBuchi,
}

/// The limit of steps of a decomposition.
const CYCLE_STEPS: usize = 1 << 20;

/// Conditions that would have more disjuncts or marks are not written in disjunctive normal form.
const MAX_DISJUNCTS: usize = 64;
/// The limit of the number of disjuncts before those that imply others are dropped, which takes
/// quadratic time.
const MAX_RAW_DISJUNCTS: usize = 1 << 12;
const MAX_MARKS: u32 = 32;

impl TargetAcceptance {
    /// True if the automaton has this condition.
    pub fn includes(self, automaton: &Automaton) -> bool {
        let acceptance = automaton.acceptance();
        let marks = acceptance.marks();
        match self {
            TargetAcceptance::Any => true,
            TargetAcceptance::Parity => Parity::of(acceptance).is_some(),
            TargetAcceptance::Rabin => {
                marks.is_multiple_of(2) && *acceptance == Named::Rabin(marks / 2).acceptance()
            }
            TargetAcceptance::GeneralizedRabin => {
                marks == 0
                    || is_generalized_rabin(acceptance)
                    || TargetAcceptance::Rabin.includes(automaton)
            }
            TargetAcceptance::GeneralizedBuchi => {
                *acceptance == Named::GeneralizedBuchi(marks).acceptance()
            }
        }
    }

    /// Converts to this condition, with as few states as possible; `None` if that takes too many
    /// steps, or if it does not exist.
    pub(crate) fn converted(self, automaton: &Automaton) -> Option<Automaton> {
        Some(self.improved(self.once(automaton)?))
    }

    /// An automaton with such a condition, made smaller.
    pub(super) fn improved(self, automaton: Automaton) -> Automaton {
        let mut best = automaton;
        // Copies of states may turn out to be equivalent.
        loop {
            let reduced = deterministic::reduce(&best, Level::Medium);
            let next = if self.includes(&reduced) { Some(reduced) } else { self.once(&reduced) };
            match next.filter(|next| size(next) < size(&best)) {
                Some(next) => best = next,
                None => return best,
            }
        }
    }

    /// Converts to this condition on the same states, if possible; otherwise returns the automaton
    /// unchanged.
    pub(crate) fn converted_as_is(self, automaton: Automaton) -> Automaton {
        let converted = self.once(&automaton);
        let same = |converted: &Automaton| converted.state_count() == automaton.state_count();
        converted.filter(same).unwrap_or(automaton)
    }

    /// The same without effort.
    pub(super) fn once(self, automaton: &Automaton) -> Option<Automaton> {
        if self.includes(automaton) {
            return Some(automaton.clone());
        }
        match self {
            TargetAcceptance::Any => Some(automaton.clone()),
            TargetAcceptance::Parity => {
                Some(Decomposition::of(automaton, CYCLE_STEPS)?.to_parity())
            }
            TargetAcceptance::Rabin => {
                let decomposition = Decomposition::of(automaton, CYCLE_STEPS)?;
                let rabin = decomposition.to_rabin();
                Some(rabin.unwrap_or_else(|| parity_as_rabin(&decomposition.to_parity())))
            }
            TargetAcceptance::GeneralizedRabin => {
                generalized_rabin(automaton).or_else(|| TargetAcceptance::Rabin.once(automaton))
            }
            TargetAcceptance::GeneralizedBuchi => {
                let decomposition = Decomposition::of(automaton, CYCLE_STEPS)?;
                let recurs = decomposition.typeness().is_buchi_language;
                recurs.then(|| parity_as_buchi(&decomposition.to_parity())).flatten()
            }
        }
    }
}

fn is_generalized_rabin(acceptance: &Acceptance) -> bool {
    let disjuncts = match acceptance.condition() {
        Condition::Or(disjuncts) => disjuncts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let counts: Option<Vec<u32>> = disjuncts
        .iter()
        .map(|disjunct| match disjunct {
            Condition::Fin(_) => Some(0),
            Condition::And(terms) => Some(terms.len() as u32 - 1),
            _ => None,
        })
        .collect();
    counts.is_some_and(|counts| Named::GeneralizedRabin(counts).acceptance() == *acceptance)
}

/// Converts to the disjunctive normal form of the condition, with one `Fin` for each disjunct.
fn generalized_rabin(automaton: &Automaton) -> Option<Automaton> {
    let condition = automaton.acceptance().condition();
    if condition.disjunct_count() > MAX_RAW_DISJUNCTS {
        return None;
    }
    let disjuncts = condition.disjuncts();
    if disjuncts.len() > MAX_DISJUNCTS {
        return None;
    }
    let counts: Vec<u32> = disjuncts.iter().map(|disjunct| disjunct.inf.len() as u32).collect();
    if counts.iter().sum::<u32>() + counts.len() as u32 > MAX_MARKS {
        return None;
    }
    let mut builder = automaton.edit();
    builder.acceptance(Named::GeneralizedRabin(counts).acceptance());
    builder.retain_edges(|_, edge| {
        let mut marks = Marks::EMPTY;
        let mut next: Mark = 0;
        for disjunct in &disjuncts {
            if !disjunct.fin.is_disjoint(&edge.marks) {
                marks.insert(next);
            }
            for (mark, place) in disjunct.inf.iter().zip(next + 1..) {
                if edge.marks.contains(mark) {
                    marks.insert(place);
                }
            }
            next += disjunct.inf.len() as Mark + 1;
        }
        edge.marks = marks;
        true
    });
    Some(parallel::merge(&builder.build()))
}

/// Converts a max odd parity automaton to Rabin: for each accepting mark a pair, which requires
/// that it occurs and none above it does.
fn parity_as_rabin(automaton: &Automaton) -> Automaton {
    let form = ParityForm::any().kind(ParityKind::Max).odd(true).colored(true);
    let automaton = to_parity(automaton, form)
        .unwrap_or_else(|_| unreachable!("decompositions give parity automata"));
    let pairs = automaton.acceptance().marks() / 2;
    let mut builder = automaton.edit();
    builder.acceptance(Named::Rabin(pairs).acceptance());
    builder.retain_edges(|_, edge| {
        let colour = edge.marks.last().unwrap_or(0);
        // Pair i is that of mark 2i + 1.
        let ruled_out = (0..pairs).filter(|pair| colour > 2 * pair + 1).map(|pair| 2 * pair);
        let seen = (colour % 2 == 1).then_some(colour);
        edge.marks = ruled_out.chain(seen).collect();
        true
    });
    parallel::merge(&builder.build())
}

/// Converts a parity automaton of a Büchi language to Büchi: the smallest mark decides, and only
/// the smallest of all accepts.
fn parity_as_buchi(automaton: &Automaton) -> Option<Automaton> {
    let form = ParityForm::any().kind(ParityKind::Min).odd(false).colored(false);
    let automaton = to_parity(automaton, form).ok()?;
    let named = [Named::All.acceptance(), Named::Buchi.acceptance()];
    named.contains(automaton.acceptance()).then_some(automaton)
}
