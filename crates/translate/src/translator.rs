//! Translation from end to end: simplification, construction, post-processing.

use crate::{containment, form, postprocess, tableau};
use sempre_automata::{Automaton, reduce};
use sempre_ltl::rewrite::simplify::{Level, Simplifier};
use sempre_ltl::{Formula, Traits};

/// The construction that makes automata from formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Couvreur's [tableau](mod@crate::tableau).
    #[default]
    Tableau,
}

/// What kind of automaton is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Generalised Büchi acceptance on transitions.
    #[default]
    Tgba,
    /// Büchi acceptance on states.
    Ba,
}

/// What matters most about the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Preference {
    /// Few states.
    #[default]
    Small,
    /// Determinism, where it can be had.
    Deterministic,
    /// Nothing: the construction's result is as good as any other.
    Any,
}

/// How much work is put into the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Effort {
    /// What costs next to nothing.
    Low,
    /// What pays off for most formulas.
    Medium,
    /// Everything.
    #[default]
    High,
}

/// The automaton of the negation may have that many times the states, and that many more.
const LARGEST_COMPLEMENT: (usize, usize) = (4, 100);

/// Translates formulas into automata.
///
/// ```
/// use sempre_translate::{Kind, Translator};
/// let automaton = Translator::new().kind(Kind::Tgba).translate(&"G(req -> F ack)".parse()?);
/// assert_eq!(automaton.state_count(), 2);
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
pub struct Translator {
    method: Method,
    kind: Kind,
    preference: Preference,
    effort: Effort,
    simplifier: Simplifier,
}

impl Default for Translator {
    fn default() -> Self {
        Self::new()
    }
}

impl Translator {
    /// A translator to small generalised Büchi automata that does its best.
    pub fn new() -> Self {
        Translator {
            method: Method::default(),
            kind: Kind::default(),
            preference: Preference::default(),
            effort: Effort::default(),
            simplifier: Simplifier::new(Level::default()),
        }
    }

    /// Sets the construction.
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Sets what kind of automaton is wanted.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets what matters most.
    pub fn prefer(mut self, preference: Preference) -> Self {
        self.preference = preference;
        self
    }

    /// Sets how much work is put into the automaton.
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// The automaton of a formula.
    pub fn translate(&mut self, formula: &Formula) -> Automaton {
        let mut simple = self.simplifier.simplify(formula);
        if self.effort == Effort::High {
            simple = containment::strip(&simple, &mut self.simplifier);
        }
        let simple = form::translatable(&simple, &mut self.simplifier);
        let automaton = match self.method {
            Method::Tableau => tableau::translate(&simple),
        };
        // What costs more than the automaton itself is not worth its price.
        let most = LARGEST_COMPLEMENT.0 * automaton.state_count() + LARGEST_COMPLEMENT.1;
        let mut complement = || {
            let negation = self.simplifier.simplify(&Formula::not(&simple));
            let negation = form::translatable(&negation, &mut self.simplifier);
            tableau::translate_up_to(&negation, tableau::Options::default(), most)
                .map(|complement| reduce::reduce(&complement, reduce::Level::Medium))
        };
        let mut language =
            postprocess::Language::new(simple.is(Traits::OBLIGATION), &mut complement);
        let small = postprocess::small(&automaton, &mut language);
        match self.kind {
            Kind::Tgba => small,
            Kind::Ba => postprocess::state_based(&small, &mut language),
        }
    }
}
