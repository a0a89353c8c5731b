//! Complete translation: simplification, construction, post-processing.

use crate::choices::{Effort, Kind, Method, Preference};
use crate::postprocess::{self, Language};
use crate::semi_deterministic;
use crate::{
    alternating, atoms, classic, containment, deterministic, form, kinds, limits, recurrence,
    tableau,
};
use sempre_automata::placement::{self, Expectation};
use sempre_automata::reduce::{self, Level};
use sempre_automata::strength::weaken;
use sempre_automata::{Automaton, GeneralizedBuchi, complete, prune};
use sempre_ltl::rewrite::simplify::{self, Simplifier};
use sempre_ltl::{Formula, Traits};

/// The limit of states of the automaton of the negation: a multiple of the automaton's, plus a
/// constant.
const LARGEST_COMPLEMENT: (usize, usize) = (4, 100);

/// The largest automaton of which a second Büchi automaton is made.
const LARGEST_ALTERNATIVE: usize = 1 << 6;

/// The maximal number of nodes of decision diagrams for the automaton of the negation.
const LARGEST_COMPLEMENT_NODES: usize = 1 << 18;

/// The minimal number of limits from which on other constructions than that of [`limits`] take too
/// long to be tried as well.
const MANY_LIMITS: usize = 6;

/// The minimal number of states for reducing the automaton of the negation.
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
    expectation: Option<Expectation>,
    simplifier: Simplifier,
    /// A simplifier that changes formulas very little.
    plain: Simplifier,
}

impl Default for Translator {
    fn default() -> Self {
        Self::new()
    }
}

impl Translator {
    /// Creates a translator to small generalized Büchi automata, with the highest effort.
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
            expectation: None,
            simplifier: Simplifier::new(simplify::Level::default()),
            plain: Simplifier::new(simplify::Level::Basic),
        }
    }

    /// Sets the construction.
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Sets the kind of the automaton.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the property to optimize.
    pub fn prefer(mut self, preference: Preference) -> Self {
        self.preference = preference;
        self
    }

    /// Sets the effort of post-processing.
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// Sets whether every word has at most one accepting run. The tableau translates such automata,
    /// whatever the method, and few reductions apply. Semi-deterministic kinds ignore it.
    pub fn unambiguous(mut self, on: bool) -> Self {
        self.unambiguous = on;
        self
    }

    /// Sets whether states are named by formulas for their languages, as in the constructions. Then
    /// only states with an empty language are removed, and acceptance is generalized Büchi,
    /// whatever the kind.
    pub fn names(mut self, on: bool) -> Self {
        self.names = on;
        self
    }

    /// Sets whether all states read all letters.
    pub fn complete(mut self, on: bool) -> Self {
        self.complete = on;
        self
    }

    /// Sets whether deterministic kinds have their marks on states.
    pub fn state_based(mut self, on: bool) -> Self {
        self.state_based = on;
        self
    }

    /// Sets whether all edges of deterministic parity automata have a mark.
    pub fn colored(mut self, on: bool) -> Self {
        self.colored = on;
        self
    }

    /// Sets the expected result of a check, for which Büchi automata with marks on states
    /// ([`Kind::Ba`]) are [placed](sempre_automata::placement) instead of made as small as possible.
    pub fn expect(mut self, expectation: Option<Expectation>) -> Self {
        self.expectation = expectation;
        self
    }

    /// Translates a formula.
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
        if let Some(wanted) = self.kind.semi_deterministic()
            && !self.names
        {
            let automaton = self.semi_deterministic(formula, wanted);
            return if self.complete { complete(&automaton) } else { automaton };
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
            match self.expectation.filter(|_| self.kind == Kind::Ba) {
                Some(expectation) => self.placed(&simple, formula, expectation),
                None => self.made_small(&simple, formula),
            }
        };
        if self.complete { complete(&automaton) } else { automaton }
    }

    /// Returns the best Büchi automaton for the expected result of a check.
    fn placed(
        &mut self,
        formula: &Formula,
        original: &Formula,
        expectation: Expectation,
    ) -> Automaton {
        let small = self.made_small(formula, original);
        self.kind = Kind::Tgba;
        let generalized = self.made_small(formula, original);
        self.kind = Kind::Ba;
        let placed = placement::place(&GeneralizedBuchi::from(&generalized), expectation);
        let best = placement::choose([weaken(&small), placed], expectation);
        best.unwrap_or_else(|| unreachable!("there are two"))
    }

    /// A semi-deterministic automaton, from a small one and one that is deterministic if possible.
    fn semi_deterministic(
        &mut self,
        formula: &Formula,
        wanted: semi_deterministic::SemiDeterministicKind,
    ) -> Automaton {
        let simple = self.simplified(formula);
        let (kind, preference) = (self.kind, self.preference);
        self.kind = Kind::Tgba;
        let given = [Preference::Small, Preference::Deterministic].map(|preference| {
            self.preference = preference;
            self.made_small(&simple, formula)
        });
        (self.kind, self.preference) = (kind, preference);
        semi_deterministic::translate(formula, wanted, &given)
    }

    fn simplified(&mut self, formula: &Formula) -> Formula {
        let mut simple = self.simplifier.simplify(formula);
        // Minimal automata of obligations do not depend on the formula.
        if self.effort == Effort::High && !simple.is(Traits::OBLIGATION) {
            simple = containment::strip(&simple, &mut self.simplifier);
        }
        form::translatable(&simple, &mut self.simplifier)
    }

    /// Returns the result of the construction, where reductions are not allowed.
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
            Method::Atoms if !self.unambiguous => atoms::translate(formula),
            method => match method.classic() {
                Some(variant) if !self.unambiguous => classic::translate_as(formula, variant, true),
                _ => tableau::translate_with(formula, options),
            },
        };
        if self.names {
            return prune::trim(&automaton);
        }
        // Bisimilar states have the same language, so in an unambiguous automaton no word leads to
        // two of them.
        reduce::reduce(&automaton, Level::Low)
    }

    /// Returns the automaton of the construction. Simplified formulas usually have smaller
    /// automata, but not always. So at high effort the tableau also translates the original
    /// formula, and gives up when that is not smaller.
    fn constructed(&mut self, formula: &Formula, original: &Formula) -> Automaton {
        if let Some(variant) = self.method.classic() {
            return classic::translate_as(formula, variant, false);
        }
        match self.method {
            Method::Alternating => return alternating::translate(formula),
            Method::Atoms => return atoms::translate(formula),
            _ => {}
        }
        let automaton = tableau::translate(formula);
        // Minimal automata of obligations do not depend on the formula.
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

    /// Returns an automaton with few states, given the simplified and the original formula.
    fn made_small(&mut self, formula: &Formula, original: &Formula) -> Automaton {
        let Some(limits) = self.combination_of_limits(formula) else {
            return self.made_small_of_any(formula, original);
        };
        if limits::count(formula, &mut self.simplifier) >= Some(MANY_LIMITS) {
            return limits;
        }
        let best = self.made_small_of_any(formula, original);
        if limits.state_count() < best.state_count() { limits } else { best }
    }

    /// Returns an automaton of a Boolean combination of `GF b` and `FG b`.
    fn combination_of_limits(&mut self, formula: &Formula) -> Option<Automaton> {
        let suits = self.method == Method::Tableau
            && self.preference == Preference::Small
            && self.effort != Effort::Low;
        if !suits {
            return None;
        }
        let buchi = matches!(self.kind, Kind::Ba | Kind::Tba);
        let automaton = limits::translate(formula, buchi, &mut self.simplifier)?;
        let negation = Formula::not(formula);
        let simplifier = &mut self.simplifier;
        let mut complement = || limits::translate(&negation, false, simplifier);
        let mut language = Language::new(formula.is(Traits::OBLIGATION), &mut complement);
        let reduced = postprocess::reduced(&automaton, self.effort, &mut language);
        Some(kinds::of_kind(reduced, self.kind, self.effort, &mut language))
    }

    /// As [`Translator::made_small`], of a formula of any form.
    fn made_small_of_any(&mut self, formula: &Formula, original: &Formula) -> Automaton {
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
        // No automaton is smaller than one state.
        let settled = self.effort == Effort::Low || best.state_count() == 1;
        let (kind, effort) = (self.kind, self.effort);
        let is_small = self.preference == Preference::Small && !settled;
        let plain = self.plain.simplify(original);
        let convert = |reduced: Automaton, language: &mut Language<'_>| match kind {
            Kind::Ba if is_small => on_states(&plain, &reduced, language),
            // Marks on states are marks on edges, and rarely need fewer states.
            Kind::Tgba if is_small && effort == Effort::High => {
                let on_states = on_states(&plain, &reduced, language);
                let best = kinds::of_kind(reduced, kind, effort, language);
                if on_states.state_count() < best.state_count() { on_states } else { best }
            }
            kind => kinds::of_kind(reduced, kind, effort, language),
        };
        let best = convert(best, &mut language);
        if settled {
            return best;
        }
        let Some(other) = recurrence::translate_up_to(formula, most) else { return best };
        let reduced = postprocess::reduced(&other, self.effort, &mut language);
        let other = convert(reduced, &mut language);
        let better = self.preference == Preference::Deterministic && !best.is_deterministic();
        if better || other.state_count() <= best.state_count() { other } else { best }
    }
}

/// Returns a Büchi automaton with marks on states, given the formula as it was and a reduced automaton.
/// Merged states may need more copies than the states they were made of. So if there are more states
/// than before, the automaton of the formula as it was is converted as well.
fn on_states(plain: &Formula, reduced: &Automaton, language: &mut Language<'_>) -> Automaton {
    let best = postprocess::state_based(reduced, language);
    if best.state_count() <= reduced.state_count() {
        return best;
    }
    let options = tableau::Options::default();
    let Some(other) = tableau::translate_up_to(plain, options, LARGEST_ALTERNATIVE) else {
        return best;
    };
    let other = postprocess::state_based(&reduce::reduce(&other, Level::Low), language);
    if other.state_count() < best.state_count() { other } else { best }
}

/// Returns a deterministic generalized Büchi automaton, if some route finds one.
fn deterministic_buchi(formula: &Formula) -> Option<Automaton> {
    let wanted = deterministic::TargetAcceptance::GeneralizedBuchi;
    let request = deterministic::Request { wanted, ..deterministic::Request::default() };
    deterministic::translate(formula, &request)
}

/// Returns the maximal number of states of the automaton of the negation, relative to the
/// automaton.
fn largest_complement(automaton: &Automaton) -> usize {
    LARGEST_COMPLEMENT.0 * automaton.state_count() + LARGEST_COMPLEMENT.1
}

/// Returns an automaton of the negation; `None` if it has more than `most` states.
fn complement(formula: &Formula, simplifier: &mut Simplifier, most: usize) -> Option<Automaton> {
    let negation = simplifier.simplify(&Formula::not(formula));
    let negation = form::translatable(&negation, simplifier);
    let options =
        tableau::Options { nodes: Some(LARGEST_COMPLEMENT_NODES), ..tableau::Options::default() };
    let complement = tableau::translate_up_to(&negation, options, most)?;
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
            // The others are exponential in the size of the formula.
            let most = match method {
                Method::Tableau | Method::Alternating => 14,
                Method::Classic | Method::GpvwPlus | Method::Ltl2aut => 11,
                Method::Atoms => 6,
            };
            prop_assume!(f.size() <= most);
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
            let semi = kind.semi_deterministic().is_some() && !names;
            prop_assert!(!unambiguous || semi || automaton.is_unambiguous());
        }
    }

    #[test]
    fn the_original_formula_may_have_the_smaller_automaton() {
        let formula: Formula = "FXF(Xa -> FGb) xor XFG!b".parse().unwrap();
        assert_eq!(Translator::new().translate(&formula).state_count(), 6);
        // The simplified formula alone gives one more state.
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
