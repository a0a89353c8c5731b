//! Semantic classes, and partial knowledge about the class of a language.

use std::fmt;

/// A class of the hierarchy of Manna and Pnueli.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Both safety and guarantee: a bounded number of letters decides.
    Bottom,
    /// A finite prefix shows a violation.
    Safety,
    /// A finite prefix shows membership.
    Guarantee,
    /// A Boolean combination of safety and guarantee; deterministic weak automata suffice.
    Obligation,
    /// A condition holds from some position on; deterministic co-Büchi automata suffice.
    Persistence,
    /// A condition holds infinitely often; deterministic Büchi automata suffice.
    Recurrence,
    /// A Boolean combination of persistence and recurrence: all ω-regular languages.
    Reactivity,
}

impl Class {
    /// All classes; a class precedes those that include it.
    pub const ALL: [Class; 7] = [
        Class::Bottom,
        Class::Safety,
        Class::Guarantee,
        Class::Obligation,
        Class::Persistence,
        Class::Recurrence,
        Class::Reactivity,
    ];

    /// Returns the name of the class.
    pub fn name(self) -> &'static str {
        match self {
            Class::Bottom => "safety and guarantee",
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Persistence => "persistence",
            Class::Recurrence => "recurrence",
            Class::Reactivity => "reactivity",
        }
    }

    /// Returns the class of the complements.
    #[must_use]
    pub fn dual(self) -> Class {
        match self {
            Class::Safety => Class::Guarantee,
            Class::Guarantee => Class::Safety,
            Class::Persistence => Class::Recurrence,
            Class::Recurrence => Class::Persistence,
            Class::Bottom | Class::Obligation | Class::Reactivity => self,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// By class, whether a language is in it, if known; closed under implications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    safety: Option<bool>,
    guarantee: Option<bool>,
    persistence: Option<bool>,
    recurrence: Option<bool>,
}

impl Classes {
    /// No knowledge.
    pub(super) fn unknown() -> Self {
        Classes { safety: None, guarantee: None, persistence: None, recurrence: None }
    }

    /// Records whether the language is in a class, with the consequences for larger classes.
    pub(super) fn set(&mut self, class: Class, is_member: bool) {
        match class {
            Class::Safety => self.safety = Some(is_member),
            Class::Guarantee => self.guarantee = Some(is_member),
            Class::Persistence => self.persistence = Some(is_member),
            Class::Recurrence => self.recurrence = Some(is_member),
            Class::Bottom | Class::Obligation | Class::Reactivity => {}
        }
        if self.safety == Some(true) || self.guarantee == Some(true) {
            self.persistence = Some(true);
            self.recurrence = Some(true);
        }
        if self.persistence == Some(false) || self.recurrence == Some(false) {
            self.safety = Some(false);
            self.guarantee = Some(false);
        }
    }

    /// Combines the knowledge of both.
    pub(super) fn and(self, other: Classes) -> Classes {
        Classes {
            safety: self.safety.or(other.safety),
            guarantee: self.guarantee.or(other.guarantee),
            persistence: self.persistence.or(other.persistence),
            recurrence: self.recurrence.or(other.recurrence),
        }
    }

    /// Returns the knowledge about the complement.
    #[must_use]
    pub fn of_complement(self) -> Classes {
        Classes {
            safety: self.guarantee,
            guarantee: self.safety,
            persistence: self.recurrence,
            recurrence: self.persistence,
        }
    }

    /// Whether the language is in the class; `None` if unknown.
    pub fn contains(&self, class: Class) -> Option<bool> {
        let both = |left: Option<bool>, right: Option<bool>| match (left, right) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        match class {
            Class::Bottom => both(self.safety, self.guarantee),
            Class::Safety => self.safety,
            Class::Guarantee => self.guarantee,
            // A language that is both persistence and recurrence is an obligation.
            Class::Obligation => both(self.persistence, self.recurrence),
            Class::Persistence => self.persistence,
            Class::Recurrence => self.recurrence,
            Class::Reactivity => Some(true),
        }
    }

    /// Returns the smallest class of the language; `None` if unknown.
    pub fn smallest(&self) -> Option<Class> {
        let mut classes = Class::ALL.into_iter();
        let first = classes.find(|&class| self.contains(class) != Some(false))?;
        (self.contains(first) == Some(true)).then_some(first)
    }

    /// Returns the smallest class that is known to contain the language.
    pub fn at_most(&self) -> Class {
        let mut classes = Class::ALL.into_iter();
        classes.find(|&class| self.contains(class) == Some(true)).unwrap_or(Class::Reactivity)
    }
}
