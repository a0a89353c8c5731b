//! Translation from end to end: simplification, construction, post-processing.

use crate::choices::{Effort, Kind, Method, Preference};
use crate::{alternating, classic, containment, form, kinds, postprocess, tableau};
use sempre_automata::{Automaton, reduce};
use sempre_ltl::rewrite::simplify::{Level, Simplifier};
use sempre_ltl::{Formula, Traits};

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
        let method = self.method;
        let construct = |formula: &Formula| match method {
            Method::Tableau => tableau::translate(formula),
            Method::Alternating => alternating::translate(formula),
            Method::Classic => classic::translate(formula),
        };
        let automaton = construct(&simple);
        let mut complement = || {
            let negation = self.simplifier.simplify(&Formula::not(&simple));
            let negation = form::translatable(&negation, &mut self.simplifier);
            reduce::reduce(&construct(&negation), reduce::Level::Medium)
        };
        let mut language = postprocess::Language {
            obligation: simple.is(Traits::OBLIGATION),
            complement: &mut complement,
        };
        let small = postprocess::small(&automaton, &mut language);
        kinds::of_kind(small, self.kind, complement)
    }
}
