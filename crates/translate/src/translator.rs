//! Translation from end to end: simplification, construction, post-processing.

use crate::choices::{Effort, Kind, Method, Preference};
use crate::postprocess::{self, Language};
use crate::{alternating, classic, containment, deterministic, form, kinds, recurrence, tableau};
use sempre_automata::reduce::{self, Level};
use sempre_automata::{Automaton, complete, prune};
use sempre_ltl::rewrite::simplify::{self, Simplifier};
use sempre_ltl::{Formula, Traits};

/// The automaton of the negation may have that many times the states, and that many more.
const LARGEST_COMPLEMENT: (usize, usize) = (4, 100);

/// From this many states on, it pays to make the automaton of the negation small.
const LARGE_COMPLEMENT: usize = 12;

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
    unambiguous: bool,
    names: bool,
    complete: bool,
    state_based: bool,
    colored: bool,
    simplifier: Simplifier,
    /// Leaves formulas almost as they are.
    plain: Simplifier,
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
            unambiguous: false,
            names: false,
            complete: false,
            state_based: false,
            colored: false,
            simplifier: Simplifier::new(simplify::Level::default()),
            plain: Simplifier::new(simplify::Level::Basic),
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

    /// Whether every word is to have at most one accepting run. Such automata are made by the
    /// tableau, whatever the method, and little can be done to make them smaller.
    pub fn unambiguous(mut self, on: bool) -> Self {
        self.unambiguous = on;
        self
    }

    /// Whether states are to be named by formulas for the words that they accept. That is what the
    /// states of the constructions are: their automata are left as they are, but for states that
    /// accept nothing, and have generalised Büchi acceptance, whatever the kind.
    pub fn names(mut self, on: bool) -> Self {
        self.names = on;
        self
    }

    /// Whether all states are to read all letters.
    pub fn complete(mut self, on: bool) -> Self {
        self.complete = on;
        self
    }

    /// Whether deterministic kinds are to have their marks on states.
    pub fn state_based(mut self, on: bool) -> Self {
        self.state_based = on;
        self
    }

    /// Whether all edges of deterministic parity automata are to have a mark.
    pub fn colored(mut self, on: bool) -> Self {
        self.colored = on;
        self
    }

    /// The automaton of a formula.
    pub fn translate(&mut self, formula: &Formula) -> Automaton {
        if let Some(wanted) = self.kind.deterministic()
            && !self.names
        {
            let request = deterministic::Request {
                wanted,
                complete: self.complete,
                state_based: self.state_based,
                colored: self.colored,
            };
            let automaton = deterministic::translate(formula, &request);
            return automaton.unwrap_or_else(|| unreachable!("every formula has one"));
        }
        let simple = self.simplified(formula);
        let automaton = if self.names {
            self.as_constructed(&simple)
        } else if self.unambiguous {
            let automaton = self.as_constructed(&simple);
            let most = largest_complement(&automaton);
            let mut complement = || complement(&simple, &mut self.simplifier, most);
            let mut language = Language::new(simple.is(Traits::OBLIGATION), &mut complement);
            kinds::unambiguous_of_kind(automaton, self.kind, &mut language)
        } else {
            self.made_small(&simple, formula)
        };
        if self.complete { complete(&automaton) } else { automaton }
    }

    fn simplified(&mut self, formula: &Formula) -> Formula {
        let mut simple = self.simplifier.simplify(formula);
        // Obligations have minimal automata that do not depend on the formula.
        if self.effort == Effort::High && !simple.is(Traits::OBLIGATION) {
            simple = containment::strip(&simple, &mut self.simplifier);
        }
        form::translatable(&simple, &mut self.simplifier)
    }

    /// The result of the construction, where reductions would go too far.
    fn as_constructed(&self, formula: &Formula) -> Automaton {
        let options = tableau::Options {
            unambiguous: self.unambiguous,
            names: self.names,
            ..tableau::Options::default()
        };
        let automaton = match self.method {
            Method::Alternating if !self.unambiguous => {
                alternating::Options::default().names(true).translate(formula)
            }
            Method::Classic if !self.unambiguous => classic::translate_with_names(formula),
            _ => tableau::translate_with(formula, options),
        };
        if self.names {
            return prune::trim(&automaton);
        }
        // Bisimilar states have the same language, so that no word leads to two of them.
        reduce::reduce(&automaton, Level::Low)
    }

    /// The automaton of the construction. Simple formulas have smaller automata as a rule, and larger
    /// ones at times, so that at high effort the tableau gets the original as well; it gives up as
    /// soon as the automaton is as large.
    fn constructed(&mut self, formula: &Formula, original: &Formula) -> Automaton {
        let automaton = match self.method {
            Method::Tableau => tableau::translate(formula),
            Method::Alternating => return alternating::translate(formula),
            Method::Classic => return classic::translate(formula),
        };
        // Obligations have minimal automata that do not depend on the formula.
        let settled = formula.is(Traits::OBLIGATION) || automaton.state_count() == 1;
        if settled || self.effort != Effort::High {
            return automaton;
        }
        let plain = self.plain.simplify(original);
        if plain == *formula {
            return automaton;
        }
        let most = automaton.state_count() - 1;
        tableau::translate_up_to(&plain, tableau::Options::default(), most).unwrap_or(automaton)
    }

    /// An automaton with few states, given the formula as it has been simplified and as it was.
    fn made_small(&mut self, formula: &Formula, original: &Formula) -> Automaton {
        let automaton = self.constructed(formula, original);
        let most = largest_complement(&automaton);
        let simplifier = &mut self.simplifier;
        let mut complement = || complement(formula, simplifier, most);
        let mut language = Language::new(formula.is(Traits::OBLIGATION), &mut complement);
        let mut best = postprocess::reduced(&automaton, self.effort, &mut language);
        if self.preference == Preference::Deterministic && !best.is_deterministic() {
            let options = tableau::Options { postpone: true, ..tableau::Options::default() };
            let other = || tableau::translate_up_to(formula, options, most);
            best = postprocess::deterministic(&best, other, &mut language)
                .or_else(|| deterministic_buchi(formula))
                .unwrap_or(best);
        }
        // There is nothing smaller than one state.
        let settled = self.effort == Effort::Low || best.state_count() == 1;
        let best = kinds::of_kind(best, self.kind, self.effort, &mut language);
        if settled {
            return best;
        }
        let Some(other) = recurrence::translate_up_to(formula, most) else { return best };
        let other = postprocess::reduced(&other, self.effort, &mut language);
        let other = kinds::of_kind(other, self.kind, self.effort, &mut language);
        let better = self.preference == Preference::Deterministic && !best.is_deterministic();
        if better || other.state_count() <= best.state_count() { other } else { best }
    }
}

/// A deterministic generalised Büchi automaton, if some route finds one.
fn deterministic_buchi(formula: &Formula) -> Option<Automaton> {
    let wanted = deterministic::Wanted::GeneralizedBuchi;
    let request = deterministic::Request { wanted, ..deterministic::Request::default() };
    deterministic::translate(formula, &request)
}

/// How many states the automaton of the negation may have: what costs more than the automaton
/// itself is not worth its price.
fn largest_complement(automaton: &Automaton) -> usize {
    LARGEST_COMPLEMENT.0 * automaton.state_count() + LARGEST_COMPLEMENT.1
}

/// An automaton of the negation, if it does not have more states than that.
fn complement(formula: &Formula, simplifier: &mut Simplifier, most: usize) -> Option<Automaton> {
    let negation = simplifier.simplify(&Formula::not(formula));
    let negation = form::translatable(&negation, simplifier);
    let complement = tableau::translate_up_to(&negation, tableau::Options::default(), most)?;
    Some(if complement.state_count() > LARGE_COMPLEMENT {
        postprocess::by_relations(&complement)
    } else {
        reduce::reduce(&complement, Level::Low)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sempre_automata::membership;
    use sempre_ltl::arbitrary;
    use sempre_ltl::semantics::Evaluator;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn whatever_is_chosen_the_language_is_right(
            f in arbitrary::formula(14),
            method in prop::sample::select(Method::ALL.to_vec()),
            kind in prop::sample::select(Kind::ALL.into_iter().filter(|&kind| kind != Kind::Monitor).collect::<Vec<_>>()),
            preference in prop::sample::select(Preference::ALL.to_vec()),
            effort in prop::sample::select(Effort::ALL.to_vec()),
            (unambiguous, names, complete) in any::<(bool, bool, bool)>(),
            words in prop::collection::vec(arbitrary::word(4), 20),
        ) {
            // The classic tableau is exponential in the size of the formula.
            prop_assume!(method != Method::Classic || f.size() < 12);
            let mut translator = Translator::new()
                .method(method)
                .kind(kind)
                .prefer(preference)
                .effort(effort)
                .unambiguous(unambiguous)
                .names(names)
                .complete(complete);
            let automaton = translator.translate(&f);
            let evaluator = Evaluator::new(&f);
            for word in words {
                prop_assert_eq!(membership::accepts(&automaton, &word), evaluator.holds(&word));
            }
            prop_assert!(!complete || automaton.is_complete());
            prop_assert!(!unambiguous || automaton.is_unambiguous());
        }
    }

    #[test]
    fn the_original_formula_may_have_the_smaller_automaton() {
        let formula: Formula = "FXF(Xa -> FGb) xor XFG!b".parse().unwrap();
        assert_eq!(Translator::new().translate(&formula).state_count(), 6);
        // The simplified formula alone has one state more.
        let simple = sempre_ltl::simplify(&formula);
        assert_eq!(Translator::new().translate(&simple).state_count(), 7);
    }

    #[test]
    fn the_second_degeneralisation_may_be_the_smaller_one() {
        let automaton =
            Translator::new().kind(Kind::Ba).translate(&"XXX(XFa R Fb)".parse().unwrap());
        assert_eq!(automaton.state_count(), 8);
    }

    #[test]
    fn determinism_on_request() {
        let mut small = Translator::new();
        let mut deterministic = Translator::new().prefer(Preference::Deterministic);
        let f = "F(a & Xb)".parse().unwrap();
        assert_eq!(small.translate(&f).state_count(), 3);
        for text in ["a U (b & X(c U d))", "Ga | Fb", "G(a -> Fb)", "GFa & GFb"] {
            let automaton = deterministic.translate(&text.parse().unwrap());
            assert!(automaton.is_deterministic(), "{text}");
        }
    }
}
