//! Conversion of any condition to parity, and between parity conditions: min or max, odd or even,
//! exactly one mark on each edge or at most one.
//!
//! Marks become levels; the highest level seen infinitely often decides, and edges without marks
//! have the lowest. Unused levels are removed. Neighbouring levels with the same verdict become
//! one. The remaining levels alternate, and receive the marks of the requested form from one end.
//! Linear in the edges.
//!
//! Conditions that are not written as parity use the alternating cycle decomposition. If that takes
//! too many steps, they use index appearance records.

use super::appearance::index_appearance;
use crate::acd::Decomposition;
use crate::automaton::Automaton;
use crate::marks::{Mark, Marks};
use crate::{Error, Named, Parity, ParityKind};

/// The limit of steps of a conversion.
const STEPS: usize = 1 << 24;

/// The form of a parity condition; parts that are not set keep their value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParityForm {
    kind: Option<ParityKind>,
    odd: Option<bool>,
    colored: bool,
}

impl ParityForm {
    /// Any form.
    pub const fn any() -> Self {
        ParityForm { kind: None, odd: None, colored: false }
    }

    /// The smallest or the largest mark decides.
    #[must_use]
    pub const fn kind(self, kind: ParityKind) -> Self {
        ParityForm { kind: Some(kind), ..self }
    }

    /// Odd marks are accepting if `odd`, even ones otherwise.
    #[must_use]
    pub const fn odd(self, odd: bool) -> Self {
        ParityForm { odd: Some(odd), ..self }
    }

    /// Every edge has exactly one mark if `colored`, else at most one.
    #[must_use]
    pub const fn colored(self, colored: bool) -> Self {
        ParityForm { colored, ..self }
    }

    /// True if every edge must have exactly one mark.
    pub const fn is_colored(self) -> bool {
        self.colored
    }
}

/// Converts to a parity condition in this form, with as few marks as the levels of the edges
/// require. If the condition is written as parity, states and edges do not change, and state-based
/// acceptance is preserved. Otherwise states are copied, as few as possible for the graph
/// ([`Decomposition::to_parity`]). Determinism and completeness are preserved.
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, Marks, Named, ParityKind, convert};
/// let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
/// builder.acceptance(Named::Buchi.acceptance());
/// let (state, a) = (builder.add_state(), builder.alphabet().prop(0));
/// let not_a = builder.alphabet().not(a);
/// builder.initial(state);
/// builder.edge(state, a, Marks::from_iter([0]), state);
/// builder.edge(state, not_a, Marks::EMPTY, state);
/// let form = convert::ParityForm::any().kind(ParityKind::Max).odd(true).colored(true);
/// let automaton = convert::to_parity(&builder.build(), form).unwrap();
/// assert_eq!(automaton.acceptance().condition().to_string(), "Inf(1) | Fin(0)");
/// assert_eq!(automaton.edges()[0].marks, Marks::from_iter([1]));
/// ```
///
/// # Errors
/// If the condition is not written as parity (see [`Parity::of`]) and the conversion takes too many
/// steps.
pub fn to_parity(automaton: &Automaton, form: ParityForm) -> Result<Automaton, Error> {
    let Some(parity) = Parity::of(automaton.acceptance()) else {
        let decomposed = Decomposition::of(automaton, STEPS).map(|trees| trees.to_parity());
        let converted = decomposed.or_else(|| index_appearance(automaton, STEPS));
        let converted = converted.ok_or_else(|| {
            Error::new(format!("a parity condition takes more than {STEPS} steps"))
        })?;
        let wanted = ParityForm {
            kind: Some(form.kind.unwrap_or(ParityKind::Min)),
            odd: Some(form.odd.unwrap_or(false)),
            ..form
        };
        return to_parity(&converted, wanted);
    };
    let kind = form.kind.unwrap_or(parity.kind);
    let odd = form.odd.unwrap_or(parity.odd);
    let levels = Levels::of(automaton, parity);
    let given = levels.marks(kind, odd, form.colored);
    let marks = given.iter().flatten().max().map_or(0, |mark| mark + 1);
    let mut builder = automaton.edit();
    builder.acceptance(Named::Parity(Parity { kind, odd, marks }).acceptance());
    builder.retain_edges(|_, edge| {
        let level = levels.new_level[level(parity, &edge.marks)];
        edge.marks = given[level].into_iter().collect();
        true
    });
    Ok(builder.build())
}

/// Returns the level of an edge: 0 without marks; higher levels take precedence.
fn level(parity: Parity, marks: &Marks) -> usize {
    match parity.kind {
        ParityKind::Max => marks.last().map_or(0, |mark| mark as usize + 1),
        ParityKind::Min => marks.iter().next().map_or(0, |mark| (parity.marks - mark) as usize),
    }
}

/// Levels that alternate between accepting and rejecting.
struct Levels {
    /// By old level, the new one.
    new_level: Vec<usize>,
    /// True if the lowest level is accepting.
    lowest_accepts: bool,
    count: usize,
}

impl Levels {
    fn of(automaton: &Automaton, parity: Parity) -> Self {
        let mut used = vec![false; parity.marks as usize + 1];
        automaton.edges().iter().for_each(|edge| used[level(parity, &edge.marks)] = true);
        let accepts = |level: usize| {
            let mark = match (level, parity.kind) {
                (0, _) => return automaton.acceptance().accepts(&Marks::EMPTY),
                (level, ParityKind::Max) => level as Mark - 1,
                (level, ParityKind::Min) => parity.marks - level as Mark,
            };
            (mark % 2 == 1) == parity.odd
        };
        let mut levels = Levels { new_level: vec![0; used.len()], lowest_accepts: true, count: 0 };
        for level in (0..used.len()).filter(|&level| used[level]) {
            if levels.count == 0 {
                levels.lowest_accepts = accepts(level);
                levels.count = 1;
            } else if accepts(level) != levels.accepts(levels.count - 1) {
                levels.count += 1;
            }
            levels.new_level[level] = levels.count - 1;
        }
        levels
    }

    fn accepts(&self, level: usize) -> bool {
        level.is_multiple_of(2) == self.lowest_accepts
    }

    /// Returns the mark for each level, if it needs one.
    fn marks(&self, kind: ParityKind, odd: bool, colored: bool) -> Vec<Option<Mark>> {
        let mut marks: Vec<Option<Mark>> = match kind {
            // The lowest level is 0 or 1, depending on its verdict.
            ParityKind::Max => {
                let lowest = Mark::from(self.lowest_accepts == odd);
                (0..self.count).map(|level| Some(lowest + level as Mark)).collect()
            }
            ParityKind::Min => {
                let highest_accepts = self.count > 0 && self.accepts(self.count - 1);
                let highest = Mark::from(highest_accepts == odd);
                (0..self.count).rev().map(|level| Some(highest + level as Mark)).collect()
            }
        };
        if !colored && self.count > 0 {
            match kind {
                // A run without marks has the opposite verdict of mark 0.
                ParityKind::Max if marks[0] == Some(1) => {
                    marks[0] = None;
                    marks.iter_mut().flatten().for_each(|mark| *mark -= 2);
                }
                ParityKind::Max => {}
                // A run without marks has the opposite verdict of the last mark, and that of even
                // marks if there is none.
                ParityKind::Min if self.count > 1 || marks[0] == Some(0) => marks[0] = None,
                ParityKind::Min => {}
            }
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary::{Size, automaton_with};
    use crate::test_language::same_language;
    use crate::{Acceptance, Alphabet, Condition, state_based};
    use proptest::prelude::*;

    fn parity() -> impl Strategy<Value = Parity> {
        (any::<bool>(), any::<bool>(), 0u32..6).prop_map(|(max, odd, marks)| {
            let kind = if max { ParityKind::Max } else { ParityKind::Min };
            Parity { kind, odd, marks }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn forms_of_parity_have_the_same_language(
            (parity, automaton) in parity().prop_flat_map(|parity| {
                let size = Size { states: 4, props: 1, marks: parity.marks, degree: 4 };
                let acceptance = Just(Named::Parity(parity).acceptance());
                let alphabet = Alphabet::new(["a"]).unwrap();
                (Just(parity), automaton_with(alphabet, acceptance, size))
            }),
            wanted in parity(),
            colored in any::<bool>(),
        ) {
            for automaton in [state_based(&automaton), automaton] {
                let form = ParityForm::any().kind(wanted.kind).odd(wanted.odd).colored(colored);
                let changed = to_parity(&automaton, form).unwrap();
                prop_assert!(same_language(&automaton, &changed));
                prop_assert!(!colored || changed.is_colored());
                prop_assert!(!automaton.is_state_based() || changed.is_state_based());
                prop_assert!(changed.edges().iter().all(|edge| edge.marks.len() <= 1));
                let marks = changed.acceptance().marks();
                let parity_wanted = Parity { marks, ..wanted };
                prop_assert_eq!(
                    changed.acceptance(),
                    &Named::Parity(parity_wanted).acceptance()
                );
                prop_assert!(marks <= parity.marks + 2);
                let back = to_parity(&changed, ParityForm::any()).unwrap();
                prop_assert!(same_language(&automaton, &back));
            }
        }
    }

    /// A condition is parity in any order of its operands.
    #[test]
    fn the_order_of_operands_does_not_matter() {
        let text = |condition: &str| {
            format!(
                r#"HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 3 {condition}
                --BODY-- State: 0 [0] 0 {{0 2}} [!0] 0 {{1}} --END--"#
            )
        };
        let read = |condition: &str| {
            let automaton = crate::hoa::parse(&text(condition)).unwrap();
            to_parity(&automaton.nondeterministic().unwrap(), ParityForm::any()).unwrap()
        };
        let usual = read("Fin(0) & (Inf(1) | Fin(2))");
        for other in ["(Inf(1) | Fin(2)) & Fin(0)", "(Fin(2) | Inf(1)) & Fin(0)"] {
            let found = read(other);
            let hoa = |a: &Automaton| crate::hoa::to_string(a, &Default::default());
            assert_eq!(hoa(&found), hoa(&usual), "{other}");
        }
    }

    #[test]
    fn every_condition_becomes_parity() {
        let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
        let (state, a) = (builder.add_state(), builder.alphabet().prop(0));
        let not_a = builder.alphabet().not(a);
        builder.initial(state);
        builder.edge(state, a, Marks::from_iter([0]), state);
        builder.edge(state, not_a, Marks::from_iter([1]), state);
        for condition in [
            Condition::or([Condition::Fin(0), Condition::Inf(1)]),
            Condition::and([Condition::Inf(0), Condition::Inf(1)]),
        ] {
            let mut builder = builder.clone();
            builder.acceptance(Acceptance::new(2, condition));
            let automaton = builder.build();
            for odd in [false, true] {
                let form = ParityForm::any().kind(ParityKind::Max).odd(odd).colored(true);
                let parity = to_parity(&automaton, form).unwrap();
                assert!(same_language(&automaton, &parity) && parity.is_colored());
                let found = Parity::of(parity.acceptance()).unwrap();
                assert_eq!((found.kind, found.odd), (ParityKind::Max, odd));
            }
        }
    }

    #[test]
    fn what_takes_too_long_is_refused() {
        let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
        let (state, tt) = (builder.add_state(), builder.alphabet().tt());
        builder.initial(state);
        builder.acceptance(Named::Streett(500).acceptance());
        for mark in 0..1000 {
            builder.edge(state, tt, Marks::from_iter([mark]), state);
        }
        assert!(to_parity(&builder.build(), ParityForm::any()).is_err());
    }
}
