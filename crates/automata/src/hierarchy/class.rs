//! Classes, and what is known about a language's.

use std::fmt;

/// A class of the hierarchy of Manna and Pnueli.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Safety and guarantee at once: a bounded number of letters decides.
    Bottom,
    /// A violation shows after finitely many letters.
    Safety,
    /// Membership shows after finitely many letters.
    Guarantee,
    /// A Boolean combination of safety and guarantee; weak deterministic automata are enough.
    Obligation,
    /// Something holds from some position on; deterministic co-Büchi automata are enough.
    Persistence,
    /// Something holds again and again; deterministic Büchi automata are enough.
    Recurrence,
    /// A Boolean combination of persistence and recurrence: every ω-regular language is one.
    Reactivity,
}

impl Class {
    /// All classes; a class comes before those that include it.
    pub const ALL: [Class; 7] = [
        Class::Bottom,
        Class::Safety,
        Class::Guarantee,
        Class::Obligation,
        Class::Persistence,
        Class::Recurrence,
        Class::Reactivity,
    ];

    /// Its name.
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

    /// The class of the complements of its languages.
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

/// For each class, whether a language is in it, as far as that is known. What follows from what is
/// known is known, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    safety: Option<bool>,
    guarantee: Option<bool>,
    persistence: Option<bool>,
    recurrence: Option<bool>,
}

impl Classes {
    /// Nothing is known.
    pub(super) fn unknown() -> Self {
        Classes { safety: None, guarantee: None, persistence: None, recurrence: None }
    }

    /// Adds that the language is in a class or not, and what follows for the larger ones.
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

    /// What is known by one of the two.
    pub(super) fn and(self, other: Classes) -> Classes {
        Classes {
            safety: self.safety.or(other.safety),
            guarantee: self.guarantee.or(other.guarantee),
            persistence: self.persistence.or(other.persistence),
            recurrence: self.recurrence.or(other.recurrence),
        }
    }

    /// What is known of the complement.
    #[must_use]
    pub fn of_complement(self) -> Classes {
        Classes {
            safety: self.guarantee,
            guarantee: self.safety,
            persistence: self.recurrence,
            recurrence: self.persistence,
        }
    }

    /// Whether the language is in the class; `None` if it is not known.
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
            // A persistence that is a recurrence is an obligation.
            Class::Obligation => both(self.persistence, self.recurrence),
            Class::Persistence => self.persistence,
            Class::Recurrence => self.recurrence,
            Class::Reactivity => Some(true),
        }
    }

    /// The smallest class that the language is in; `None` if it is not known.
    pub fn smallest(&self) -> Option<Class> {
        let mut classes = Class::ALL.into_iter();
        let first = classes.find(|&class| self.contains(class) != Some(false))?;
        (self.contains(first) == Some(true)).then_some(first)
    }

    /// A class that the language is in, the smallest one of which that is known.
    pub fn at_most(&self) -> Class {
        let mut classes = Class::ALL.into_iter();
        classes.find(|&class| self.contains(class) == Some(true)).unwrap_or(Class::Reactivity)
    }
}
