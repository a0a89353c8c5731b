//! Automata that are known to be generalized Büchi, for the algorithms that need it.

use crate::acceptance::{Acceptance, Condition, Named};
use crate::automaton::Automaton;
use crate::convert::to_generalized_buchi;
use crate::error::Error;
use crate::marks::Marks;
use std::borrow::Cow;
use std::ops::Deref;

/// An automaton with a generalized Büchi condition: a conjunction of acceptance sets, each of which is
/// visited infinitely often.
///
/// An acceptance set is one mark, or the union of several. [`convert::to_generalized_buchi`] makes one
/// of any automaton.
///
/// [`convert::to_generalized_buchi`]: crate::convert::to_generalized_buchi
///
/// ```
/// use sempre_automata::{Alphabet, Automaton, GeneralizedBuchi, Named};
/// let with = |condition: Named| {
///     let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
///     builder.acceptance(condition.acceptance());
///     builder.build()
/// };
/// assert_eq!(GeneralizedBuchi::of(&with(Named::GeneralizedBuchi(2)))?.sets().len(), 2);
/// assert!(GeneralizedBuchi::of(&with(Named::CoBuchi)).is_err());
/// # Ok::<(), sempre_automata::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GeneralizedBuchi<'a> {
    automaton: Cow<'a, Automaton>,
    sets: Vec<Marks>,
}

impl<'a> GeneralizedBuchi<'a> {
    /// Checks the acceptance condition. O(size of the condition).
    ///
    /// # Errors
    /// If a conjunct is neither an `Inf` term nor a disjunction of these.
    pub fn of(automaton: &'a Automaton) -> Result<Self, Error> {
        let sets = sets(automaton.acceptance())?;
        Ok(GeneralizedBuchi { automaton: Cow::Borrowed(automaton), sets })
    }

    /// Returns the automaton if its condition is that each mark is visited infinitely often.
    pub(crate) fn with_each_mark(automaton: Cow<'a, Automaton>) -> Option<Self> {
        let marks = automaton.acceptance().generalized_buchi()?;
        let sets = (0..marks).map(|mark| Marks::from_iter([mark])).collect();
        Some(GeneralizedBuchi { automaton, sets })
    }

    /// The acceptance sets, each as the marks that belong to it. A set without marks is never
    /// visited.
    pub fn sets(&self) -> &[Marks] {
        &self.sets
    }

    /// Returns the automaton; it is cloned if it was borrowed.
    pub fn into_automaton(self) -> Automaton {
        self.automaton.into_owned()
    }
}

/// The automaton if its condition is generalized Büchi, or else a converted one.
impl<'a> From<&'a Automaton> for GeneralizedBuchi<'a> {
    fn from(automaton: &'a Automaton) -> Self {
        GeneralizedBuchi::of(automaton).unwrap_or_else(|_| to_generalized_buchi(automaton))
    }
}

impl Deref for GeneralizedBuchi<'_> {
    type Target = Automaton;

    fn deref(&self) -> &Automaton {
        &self.automaton
    }
}

impl Acceptance {
    /// Returns the number of marks if the condition is that each of them is visited infinitely often:
    /// generalized Büchi, with any number of marks.
    pub fn generalized_buchi(&self) -> Option<u32> {
        match Named::of(self)? {
            Named::All => Some(0),
            Named::Buchi => Some(1),
            Named::GeneralizedBuchi(marks) => Some(marks),
            _ => None,
        }
    }
}

/// The marks of each conjunct. A conjunct that nothing satisfies has none.
fn sets(acceptance: &Acceptance) -> Result<Vec<Marks>, Error> {
    let set = |condition: &Condition| match condition {
        Condition::Inf(mark) => Some(Marks::from_iter([*mark])),
        Condition::False => Some(Marks::EMPTY),
        Condition::Or(terms) => terms
            .iter()
            .map(|term| match term {
                Condition::Inf(mark) => Some(*mark),
                _ => None,
            })
            .collect(),
        _ => None,
    };
    let sets = match acceptance.condition() {
        Condition::True => Some(vec![]),
        Condition::And(conjuncts) => conjuncts.iter().map(set).collect(),
        other => set(other).map(|set| vec![set]),
    };
    sets.ok_or_else(|| {
        let condition = acceptance.condition();
        Error::new(format!("the acceptance condition {condition} is not generalized Büchi"))
            .expected("a conjunction of Inf terms, or of disjunctions of these")
    })
}
