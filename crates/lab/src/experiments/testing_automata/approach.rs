//! The approaches that are compared.

use sempre_automata::Automaton;
use sempre_ltl::Formula;
use sempre_testing::{
    Error, Handover, Kind, Negation, OnDemand, Passes, SinglePassTa, TaOptions, Testing,
    TestingAutomaton, Tgta, TgtaOptions,
};
use sempre_translate::{Effort, Kind as Target, Translator};

/// An automaton and a search of its product. The first six are those of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Approach {
    /// Büchi automata.
    Ba,
    /// Generalized Büchi automata.
    Tgba,
    /// Testing automata, always in two passes.
    TwoPassTa,
    /// Testing automata, with the second pass only where it may be needed.
    Ta,
    /// Single-pass testing automata.
    Sta,
    /// TGTA.
    Tgta,
    /// Our testing automata, with a second pass through undecided nodes only.
    OurTa,
    /// Our single-pass testing automata.
    OurSta,
    /// Our TGTA.
    OurTgta,
    /// Our TGTA, built during the product.
    BuiltTgta,
}

/// The approaches of E1 to E4, the cheapest first: the same formulas are selected in E1 to E3.
pub(super) const ALL: [Approach; 10] = [
    Approach::Tgba,
    Approach::Ba,
    Approach::TwoPassTa,
    Approach::Ta,
    Approach::Sta,
    Approach::Tgta,
    Approach::OurTa,
    Approach::OurSta,
    Approach::OurTgta,
    Approach::BuiltTgta,
];

impl Approach {
    pub(super) fn name(self) -> &'static str {
        match self {
            Approach::Ba => "BA",
            Approach::Tgba => "TGBA",
            Approach::TwoPassTa => "TA two passes",
            Approach::Ta => "TA",
            Approach::Sta => "STA",
            Approach::Tgta => "TGTA",
            Approach::OurTa => "our TA",
            Approach::OurSta => "our STA",
            Approach::OurTgta => "our TGTA",
            Approach::BuiltTgta => "our TGTA on demand",
        }
    }

    /// Makes the automaton of a negated formula, with its states and transitions, one for each
    /// letter or change. If `reduced`, applies all reductions to the (generalized) Büchi automaton,
    /// else only those of the first experiments in the thesis.
    pub(super) fn negation(self, negated: &Formula, reduced: bool) -> Result<Made, Error> {
        let effort = if reduced { Effort::High } else { Effort::Low };
        let translator = || Translator::new().effort(effort);
        let ta = || {
            let ba = translator().kind(Target::Ba).translate(negated);
            TestingAutomaton::new(&ba, &TaOptions::THESIS)
        };
        let testing =
            |kind| Ok::<_, Error>(Made::testing(Testing::new(negated, kind, &mut translator())?));
        Ok(match self {
            Approach::Ba => Made::plain(translator().kind(Target::Ba).translate(negated)),
            Approach::Tgba => Made::plain(translator().translate(negated)),
            Approach::TwoPassTa => Made::livelocks(&ta()?, Passes::TWO),
            Approach::Ta => Made::livelocks(&ta()?, Passes::AVOIDING),
            Approach::Sta => {
                Made::livelocks(SinglePassTa::new(&ta()?, Handover::NotBuchi).as_ta(), Passes::ONE)
            }
            Approach::Tgta => {
                let tgta = Tgta::new(&translator().translate(negated), &TgtaOptions::THESIS)?;
                Made::testing(Testing::Tgta(tgta))
            }
            Approach::OurTa => testing(Kind::Ta)?,
            Approach::OurSta => testing(Kind::Sta)?,
            Approach::OurTgta => testing(Kind::Tgta)?,
            Approach::BuiltTgta => {
                let built = OnDemand::new(&translator().translate(negated), Kind::Tgta)?;
                let negation = Negation::OnDemand(Box::new(built));
                Made { negation, states: None, transitions: None }
            }
        })
    }
}

/// An automaton with its size.
pub(super) struct Made {
    pub(super) negation: Negation,
    /// The size, unless the automaton is built during the product.
    pub(super) states: Option<u64>,
    pub(super) transitions: Option<u64>,
}

impl Made {
    fn plain(automaton: Automaton) -> Self {
        let alphabet = automaton.alphabet();
        let transitions: u128 = automaton.edges().iter().map(|e| alphabet.count(e.label)).sum();
        let states = automaton.state_count() as u64;
        Made {
            states: Some(states),
            transitions: Some(transitions as u64),
            negation: automaton.into(),
        }
    }

    fn livelocks(automaton: &TestingAutomaton, passes: Passes) -> Self {
        Made {
            states: Some(automaton.state_count() as u64),
            transitions: Some(automaton.transition_count() as u64),
            negation: Negation::Livelocks(Box::new(automaton.clone()), passes),
        }
    }

    fn testing(automaton: Testing) -> Self {
        Made {
            states: Some(automaton.graph().state_count() as u64),
            transitions: Some(automaton.transition_count() as u64),
            negation: automaton.into(),
        }
    }
}
