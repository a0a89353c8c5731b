//! The parts of a model, for people.

use super::model::{Declaration, Etf};
use super::system::EtfSystem;
use crate::description::{Description, Transition, Variable};
use crate::proposition::{quoted, written, written_value};
use crate::system::Origin;

impl EtfSystem {
    /// Describes the model.
    pub(super) fn describe(&self) -> Description {
        let etf: &Etf = &self.etf;
        let variable = |declaration: &Declaration, kind, greatest, initial: Vec<String>| Variable {
            name: declaration.name.clone(),
            kind,
            least: Some(0),
            greatest,
            values: (declaration.sort.map(|sort| &etf.sorts[sort].values))
                .map_or_else(Vec::new, |values| {
                    values.iter().map(|v| String::from_utf8_lossy(v).into_owned()).collect()
                }),
            initial,
            ..Variable::default()
        };
        let slots = etf.slots.iter().enumerate().map(|(place, slot)| {
            let initial = etf.value_text(slot.sort, etf.initial[place]).into_owned();
            variable(slot, "slot", Some(self.fields[place].greatest()), vec![initial])
        });
        let label = |map: &super::Map| {
            let greatest = map.rows().map(|(_, value)| i64::from(value)).max();
            variable(&map.label, "label", greatest, Vec::new())
        };
        let variables: Vec<Variable> = slots.chain(etf.maps.iter().map(label)).collect();
        let transition =
            |name: &String| Transition { name: name.clone(), origin: Origin::default() };
        let mut propositions = Vec::new();
        if let Some(slot) = variables.first() {
            let value = slot.initial.first().map_or("0", String::as_str);
            propositions.push(format!("{} = {}", written(&slot.name), written_value(value)));
        }
        propositions.extend(etf.maps.first().map(|map| written(&map.label.name).into_owned()));
        if let Some(action) = self.actions.first() {
            propositions.push(format!("fireable({})", quoted(action)));
            propositions.push(format!("fired({})", quoted(action)));
        }
        propositions.push("deadlock".to_owned());
        Description {
            kind: "tables of transitions",
            variables,
            transitions: self.actions.iter().map(transition).collect(),
            propositions,
            ..Description::default()
        }
    }
}
