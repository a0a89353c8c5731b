//! The part of an encoding that does not depend on the variable order, and the candidate orders.

use std::borrow::Cow;

use sempre_diagrams::order;
use sempre_ltl::interrupt;
use sempre_models::layout::{Field, Footprint};
use sempre_models::{Events, Fault, Names, System, VariableId};

use crate::encoding::Order;
use crate::relations::{Part, Relations};

/// The form of events that are not rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// Relations, computed before the search.
    Relations,
    /// Tables, filled as values appear.
    Tables,
}

/// The part of an encoding that does not depend on the variable order.
pub(crate) struct Structure {
    /// The state variables.
    pub(crate) fields: Vec<(VariableId, Field)>,
    pub(crate) initial: Vec<Box<[u32]>>,
    pub(crate) relations: Option<Relations>,
    /// For each event of the system, the indices of the variables that it touches.
    pub(crate) supports: Vec<Vec<usize>>,
    /// Indices of variables that orders keep together.
    together: Vec<usize>,
}

impl Structure {
    /// Computes the structure of a system.
    ///
    /// # Errors
    /// If an initial value of the system is undefined, or the system has no events.
    pub(crate) fn new(system: &dyn System) -> Result<Self, Fault> {
        let Some(events) = system.events() else {
            let message = "symbolic methods need a system that has events".to_owned();
            return Err(Fault::Undefined { action: None, message });
        };
        let fields = fields(system.names(), events);
        let initial = system.initial()?;
        let supports = supports(events, &fields);
        let relations = Relations::new((system.words(), events), &fields, &supports, &initial);
        Ok(Structure { fields, initial, relations, supports, together: Vec::new() })
    }

    /// Returns this structure with orders that keep these variables together, as if one event
    /// touched them.
    pub(crate) fn keeping_together(mut self, variables: &[VariableId]) -> Self {
        let place = |variable| self.fields.iter().position(|(other, _)| other == variable);
        self.together = variables.iter().filter_map(place).collect();
        self
    }

    /// Returns the candidates: orders with relations or tables, and the total number of variables
    /// that events touch.
    ///
    /// Orders by whole events group variables that are read in different cases; orders by parts do
    /// not. Parts touch fewer variables, but whole events are fewer. Either may be better.
    pub(crate) fn candidates(&self) -> (Vec<(Order, Form)>, usize) {
        let touched = |supports: &[Vec<usize>]| supports.iter().map(Vec::len).sum();
        let mut candidates = self.orders(&self.supports);
        let mut most: usize = touched(&self.supports);
        if let Some(Relations { parts, .. }) = &self.relations {
            let supports: Vec<Vec<usize>> = parts.iter().map(Part::support).collect();
            most = most.max(touched(&supports));
            let mut others = self.orders(&supports);
            others.truncate(2);
            others.retain(|other| !candidates.contains(other));
            let first = candidates.first().map(|(order, _)| (order.clone(), Form::Tables));
            candidates.splice(1..1, first.into_iter().chain(others));
        }
        (candidates, most)
    }

    /// Returns further candidates for long searches: orders that group the variables of an
    /// [invariant](Events::invariants), as well as those of an event.
    pub(crate) fn later_candidates(&self, events: &dyn Events) -> Vec<(Order, Form)> {
        let mut invariants = events.invariants();
        if invariants.is_empty() {
            return Vec::new();
        }
        // There may be many invariants; the shortest are most useful.
        invariants.sort_by_key(Vec::len);
        invariants.truncate(self.fields.len());
        let mut supports = self.supports.clone();
        for invariant in &invariants {
            interrupt::poll();
            let place = |variable| self.fields.iter().position(|(other, _)| other == variable);
            supports.push(invariant.iter().filter_map(place).collect());
        }
        let mut candidates = self.orders(&supports);
        candidates.truncate(2);
        candidates
    }

    /// Returns orders that group the variables of each set.
    fn orders(&self, supports: &[Vec<usize>]) -> Vec<(Order, Form)> {
        let given = |order: Vec<usize>| order.iter().map(|place| self.fields[*place].0).collect();
        let mut supports = Cow::Borrowed(supports);
        if self.together.len() > 1 {
            supports.to_mut().push(self.together.clone());
        }
        let orders = order::candidates(self.fields.len(), &supports, &interrupt::poll).into_iter();
        orders.map(|order| (Order::Given(given(order)), Form::Relations)).collect()
    }
}

/// Returns the state variables.
fn fields(names: &dyn Names, events: &dyn Events) -> Vec<(VariableId, Field)> {
    let variables = (0..names.variable_count() as u32).map(VariableId);
    variables.filter_map(|variable| Some((variable, events.field(variable)?))).collect()
}

/// Returns, for each event, the indices of the variables that it touches.
fn supports(events: &dyn Events, fields: &[(VariableId, Field)]) -> Vec<Vec<usize>> {
    let touched = |footprint: &Footprint| -> Vec<usize> {
        interrupt::poll();
        let all = fields.iter().enumerate();
        all.filter(|(_, (_, field))| footprint.touches(*field)).map(|(i, _)| i).collect()
    };
    (0..events.event_count()).map(|event| touched(&events.footprint(event))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre_models::generate;
    use sempre_models::petri::NetSystem;

    /// Each order has every variable once, and no order occurs twice.
    #[test]
    fn candidates_are_orders() {
        for (family, number) in [("philosophers", 5), ("kanban", 3), ("ring", 4)] {
            let net = generate::family(family).and_then(|family| family.net(number)).unwrap();
            let system = NetSystem::new(net.clone(), net.bounds(), 4);
            let structure = Structure::new(&system).unwrap();
            let later = structure.later_candidates(&system);
            assert!(!later.is_empty(), "{family} has invariants");
            for candidates in [structure.candidates().0, later] {
                for (place, candidate) in candidates.iter().enumerate() {
                    assert!(!candidates[..place].contains(candidate), "{candidate:?} twice");
                    let Order::Given(mut variables) = candidate.0.clone() else {
                        panic!("an order by variables")
                    };
                    variables.sort_unstable();
                    let all = (0..system.variable_count() as u32).map(VariableId);
                    assert!(variables.into_iter().eq(all), "{candidate:?}");
                }
            }
        }
    }
}
