//! The experiments, by the document that they repeat; those of `sempre` compare with other tools.

pub mod decomposition;
pub mod observation_graphs;
pub mod property_automata;
pub mod sempre;
pub mod testing_automata;
pub mod translator_testing;
