//! The registry of experiments and of agreement runs: one row each.

use crate::agree::{
    Subject, checkers, complements, deterministic, fairness, hybrid, refinement, testing,
    translation,
};
use crate::experiment::Experiment;
use crate::experiments::{
    decomposition, observation_graphs, property_automata, sempre, testing_automata,
    translator_testing,
};

/// The experiments by document.
static EXPERIMENTS: &[&dyn Experiment] = &[
    &testing_automata::e1::E1,
    &testing_automata::e2::E2,
    &testing_automata::e3::E3,
    &testing_automata::e4::E4,
    &testing_automata::e5::E5,
    &testing_automata::hybrid::E6,
    &testing_automata::hybrid::E7,
    &testing_automata::hybrid::E8,
    &testing_automata::shapes::Shapes,
    &decomposition::study::Study,
    &decomposition::t1::T1,
    &decomposition::t2::T2,
    &decomposition::t3::T3,
    &observation_graphs::t1_t2::T1T2,
    &property_automata::e1::E1,
    &property_automata::e2::E2,
    &property_automata::e3::E3,
    &property_automata::facts::Facts,
    &property_automata::mmaa::Mmaa,
    &property_automata::e4::E4,
    &translator_testing::e1::E1,
    &translator_testing::e2::E2,
    &translator_testing::e3::E3,
    &translator_testing::e4::E4,
    &translator_testing::e5::E5,
    &translator_testing::e6::E6,
    &property_automata::e5::E5,
    &property_automata::e6::E6,
    &sempre::exploration::Exploration,
    &sempre::counting::Counting,
    &sempre::orders::Orders,
    &sempre::contest::Contest,
    &sempre::beem::Beem,
    &sempre::translation::Translation,
    &sempre::tgta::TgtaSizes,
    &sempre::reduction::Reduction,
    &sempre::complements::Complements,
    &sempre::hybrid::Hybrids,
];

/// What is compared by seed.
static SUBJECTS: &[Subject] = &[
    translation::CONSTRUCTIONS_AGREE,
    translation::TRANSLATORS_AGREE,
    deterministic::ROUTES_AGREE,
    complements::METHODS_AGREE,
    checkers::CHECKERS_AGREE,
    checkers::SPIN_AGREES,
    hybrid::HYBRIDS_AGREE,
    testing::KINDS_AGREE,
    fairness::FAIRNESS_AGREES,
    refinement::REFINEMENTS_AGREE,
];

/// Returns all experiments.
pub fn experiments() -> &'static [&'static dyn Experiment] {
    EXPERIMENTS
}

/// Returns the experiment of a name.
pub fn experiment(name: &str) -> Option<&'static dyn Experiment> {
    EXPERIMENTS.iter().copied().find(|experiment| experiment.about().name == name)
}

/// Returns all subjects of agreement runs.
pub fn subjects() -> &'static [Subject] {
    SUBJECTS
}

/// Returns the subject of a name.
pub fn subject(name: &str) -> Option<&'static Subject> {
    SUBJECTS.iter().find(|subject| subject.name == name)
}
