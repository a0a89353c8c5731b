//! Observation graphs as Kripke structures.

use sempre_ltl::Error;
use sempre_models::Fault;
use sempre_models::kripke::{Kripke, KripkeBuilder};
use std::collections::BTreeMap;

use crate::observation::Observation;
use crate::sog::Sog;

impl<'s> Sog<'s> {
    /// The extended graph as a structure, whole: for each label of aggregates in which a run may stay
    /// for ever, a further state with a loop, to which those lead. It satisfies the same formulas
    /// without X over the observed propositions, whose names are given.
    ///
    /// # Errors
    /// If the system has a fault; inside, if the structure is refused.
    pub fn extended(
        &mut self,
        observation: &Observation<'_, 's>,
        names: &[String],
    ) -> Result<Result<Kripke, Error>, Fault> {
        self.complete(observation)?;
        let mut builder = KripkeBuilder::default();
        for name in names {
            builder.proposition(name);
        }
        let count = self.aggregates().len() as u32;
        let states: Vec<_> =
            (0..count).map(|aggregate| builder.state(format!("a{aggregate}"))).collect();
        let mut endless = BTreeMap::new();
        for (aggregate, state) in states.iter().enumerate() {
            let label = self.aggregates()[aggregate].label;
            let holding = (0..names.len()).filter(|number| label >> number & 1 == 1);
            holding.clone().for_each(|number| builder.label(*state, number));
            let mut targets: Vec<u32> = Vec::new();
            for edge in self.edges(observation, aggregate as u32)?.iter() {
                // Several transitions may lead to the same aggregate.
                if !targets.contains(&edge.target) {
                    targets.push(edge.target);
                    builder.edge(*state, states[edge.target as usize]);
                }
            }
            if self.is_divergent(observation, aggregate as u32) {
                let number = endless.len();
                let last = *endless.entry(label).or_insert_with(|| {
                    let last = builder.state(format!("stay{number}"));
                    holding.for_each(|number| builder.label(last, number));
                    builder.edge(last, last);
                    last
                });
                builder.edge(*state, last);
            }
        }
        self.initial().iter().for_each(|first| builder.initial(states[*first as usize]));
        Ok(builder.build())
    }
}
