//! Properties of automata by name, and sets of them.

use crate::{Automaton, Named, Parity};
use std::fmt;

/// A property of automata, with its name in HOA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Property {
    /// Each word has at most one run.
    Deterministic,
    /// Every state reads every letter, and there is an initial state.
    Complete,
    /// Each word has at most one accepting run.
    Unambiguous,
    /// The automaton is deterministic from accepting components on.
    SemiDeterministic,
    /// Semi-deterministic, and all nondeterminism is in the edges between the two parts.
    CutDeterministic,
    /// All edges of a state have the same marks.
    StateBased,
    /// Every edge has exactly one mark.
    Colored,
    /// All edges of a component have the same marks.
    Weak,
    /// Weak, and each component has one state.
    VeryWeak,
    /// No component has both accepting and rejecting cycles.
    InherentlyWeak,
    /// Weak, and a run can stay in an accepting component on every word.
    Terminal,
    /// Every run is accepting: the condition is true.
    AllAccepting,
    /// `Inf(0)`.
    Buchi,
    /// `Fin(0)`.
    CoBuchi,
    /// A conjunction of `Inf` terms, possibly of one or none; no other marks.
    GeneralizedBuchi,
    /// A disjunction of `Fin` terms, possibly of one or none; no other marks.
    GeneralizedCoBuchi,
    /// A Rabin condition.
    Rabin,
    /// A Streett condition.
    Streett,
    /// A generalized Rabin condition.
    GeneralizedRabin,
    /// A parity condition, including Büchi and co-Büchi.
    Parity,
    /// A condition without `Fin`.
    NoFin,
}

impl Property {
    /// All properties.
    pub const ALL: [Property; 21] = [
        Property::Deterministic,
        Property::Complete,
        Property::Unambiguous,
        Property::SemiDeterministic,
        Property::CutDeterministic,
        Property::StateBased,
        Property::Colored,
        Property::Weak,
        Property::VeryWeak,
        Property::InherentlyWeak,
        Property::Terminal,
        Property::AllAccepting,
        Property::Buchi,
        Property::CoBuchi,
        Property::GeneralizedBuchi,
        Property::GeneralizedCoBuchi,
        Property::Rabin,
        Property::Streett,
        Property::GeneralizedRabin,
        Property::Parity,
        Property::NoFin,
    ];

    /// Returns the name: that of HOA's `properties` or `acc-name` where it exists.
    pub const fn name(self) -> &'static str {
        match self {
            Property::Deterministic => "deterministic",
            Property::Complete => "complete",
            Property::Unambiguous => "unambiguous",
            Property::SemiDeterministic => "semi-deterministic",
            Property::CutDeterministic => "cut-deterministic",
            Property::StateBased => "state-acc",
            Property::Colored => "colored",
            Property::Weak => "weak",
            Property::VeryWeak => "very-weak",
            Property::InherentlyWeak => "inherently-weak",
            Property::Terminal => "terminal",
            Property::AllAccepting => "all",
            Property::Buchi => "Buchi",
            Property::CoBuchi => "co-Buchi",
            Property::GeneralizedBuchi => "generalized-Buchi",
            Property::GeneralizedCoBuchi => "generalized-co-Buchi",
            Property::Rabin => "Rabin",
            Property::Streett => "Streett",
            Property::GeneralizedRabin => "generalized-Rabin",
            Property::Parity => "parity",
            Property::NoFin => "no-Fin",
        }
    }

    /// Returns the property with this name.
    pub fn by_name(name: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|property| property.name() == name)
    }

    /// True if the property concerns only the acceptance condition.
    pub fn is_about_acceptance(self) -> bool {
        self >= Property::AllAccepting
    }

    /// True if the automaton has the property.
    pub fn holds(self, automaton: &Automaton) -> bool {
        self.objection(automaton).is_none()
    }

    /// Describes why the automaton lacks the property; `None` if it has it.
    pub fn objection(self, automaton: &Automaton) -> Option<String> {
        let unless = |holds: bool, reason: &str| (!holds).then(|| reason.to_owned());
        match self {
            Property::Deterministic => {
                let state = automaton.states().find(|&state| !automaton.is_deterministic_in(state));
                if let Some(state) = state {
                    return Some(format!("state {state} has several edges for some letter"));
                }
                unless(automaton.is_deterministic(), "there are several initial states")
            }
            Property::Complete => {
                let alphabet = automaton.alphabet();
                let gap = automaton.states().find(|&state| {
                    let labels = automaton.edges_from(state).iter().map(|edge| edge.label);
                    alphabet.any_of(labels) != alphabet.tt()
                });
                if let Some(state) = gap {
                    return Some(format!("state {state} does not read every letter"));
                }
                unless(automaton.is_complete(), "there is no initial state")
            }
            Property::Unambiguous => {
                unless(automaton.is_unambiguous(), "a word has several accepting runs")
            }
            Property::SemiDeterministic => {
                let reason = "an accepting component reaches nondeterminism";
                unless(automaton.is_semi_deterministic(), reason)
            }
            Property::CutDeterministic => {
                let reason = "one of the two parts is nondeterministic";
                unless(automaton.is_cut_deterministic(), reason)
            }
            Property::StateBased => {
                unless(automaton.is_state_based(), "edges of a state differ in their marks")
            }
            Property::Colored => unless(automaton.is_colored(), "an edge has no mark, or several"),
            Property::Weak => {
                unless(automaton.is_weak(), "a component has edges with different marks")
            }
            Property::VeryWeak => {
                unless(automaton.is_very_weak(), "a component has several states")
            }
            Property::InherentlyWeak => {
                let reason = "a component has accepting and rejecting cycles";
                unless(automaton.is_inherently_weak(), reason)
            }
            Property::Terminal => {
                let reason = "a run may have to leave an accepting component";
                unless(automaton.is_terminal(), reason)
            }
            Property::AllAccepting
            | Property::Buchi
            | Property::CoBuchi
            | Property::GeneralizedBuchi
            | Property::GeneralizedCoBuchi
            | Property::Rabin
            | Property::Streett
            | Property::GeneralizedRabin
            | Property::Parity
            | Property::NoFin => {
                let acceptance = automaton.acceptance();
                let fits = self.fits(automaton);
                (!fits).then(|| format!("its acceptance condition is {}", acceptance.condition()))
            }
        }
    }

    /// True if the acceptance condition is the one of the property.
    fn fits(self, automaton: &Automaton) -> bool {
        let acceptance = automaton.acceptance();
        let is = |named: Named| *acceptance == named.acceptance();
        let (marks, condition) = (acceptance.marks(), acceptance.condition());
        match self {
            Property::AllAccepting => is(Named::All),
            Property::Buchi => is(Named::Buchi),
            Property::CoBuchi => is(Named::CoBuchi),
            Property::GeneralizedBuchi => {
                is(Named::All) || is(Named::Buchi) || is(Named::GeneralizedBuchi(marks))
            }
            Property::GeneralizedCoBuchi => {
                is(Named::None) || is(Named::CoBuchi) || is(Named::GeneralizedCoBuchi(marks))
            }
            Property::Rabin => marks % 2 == 0 && is(Named::Rabin(marks / 2)),
            Property::Streett => marks % 2 == 0 && is(Named::Streett(marks / 2)),
            Property::GeneralizedRabin => {
                is(Named::None)
                    || matches!(
                        Named::of(acceptance),
                        Some(Named::GeneralizedRabin(_) | Named::Rabin(_))
                    )
            }
            Property::Parity => Parity::of(acceptance).is_some(),
            Property::NoFin => condition.inf_and_fin().1.is_empty(),
            _ => false,
        }
    }

    /// Returns the properties that this one implies directly.
    fn implied(self) -> &'static [Property] {
        match self {
            Property::Deterministic => &[Property::Unambiguous, Property::CutDeterministic],
            Property::CutDeterministic => &[Property::SemiDeterministic],
            Property::VeryWeak | Property::Terminal => &[Property::Weak],
            Property::Weak => &[Property::InherentlyWeak],
            Property::AllAccepting => &[Property::GeneralizedBuchi],
            Property::Buchi => &[Property::GeneralizedBuchi, Property::Parity],
            Property::CoBuchi => &[Property::GeneralizedCoBuchi, Property::Parity],
            Property::GeneralizedBuchi => &[Property::NoFin],
            Property::Rabin => &[Property::GeneralizedRabin],
            _ => &[],
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A set of properties.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Properties(u32);

impl Properties {
    /// No property.
    pub const NONE: Properties = Properties(0);

    /// All properties.
    pub const ALL: Properties = Properties((1 << Property::ALL.len()) - 1);

    /// Returns the set of these properties and all that they imply.
    pub fn of(properties: &[Property]) -> Self {
        let mut set = Properties::NONE;
        let mut todo = properties.to_vec();
        while let Some(property) = todo.pop() {
            if !set.contains(property) {
                set = set.union(Properties::only(property));
                todo.extend(property.implied());
            }
        }
        set
    }

    /// Returns the set of this property alone, without implied ones.
    pub const fn only(property: Property) -> Self {
        Properties(1 << property as u8)
    }

    /// Returns the set of these properties alone, without implied ones.
    pub const fn exactly(properties: &[Property]) -> Self {
        let mut set = Properties::NONE;
        let mut place = 0;
        while place < properties.len() {
            set = set.union(Properties::only(properties[place]));
            place += 1;
        }
        set
    }

    /// Returns the properties that an automaton has.
    pub fn of_automaton(automaton: &Automaton) -> Self {
        let held = Property::ALL.into_iter().filter(|property| property.holds(automaton));
        held.fold(Properties::NONE, |set, property| set.union(Properties::only(property)))
    }

    /// True if the property is in the set.
    pub const fn contains(self, property: Property) -> bool {
        self.0 >> property as u8 & 1 == 1
    }

    /// Returns the union.
    #[must_use]
    pub const fn union(self, other: Properties) -> Properties {
        Properties(self.0 | other.0)
    }

    /// Returns the intersection.
    #[must_use]
    pub const fn intersection(self, other: Properties) -> Properties {
        Properties(self.0 & other.0)
    }

    /// Returns the difference.
    #[must_use]
    pub const fn without(self, other: Properties) -> Properties {
        Properties(self.0 & !other.0)
    }

    /// True if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the properties, in their order.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |property| self.contains(*property))
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for Properties {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Property::name).collect();
        out.write_str(&names.join(" "))
    }
}
