//! Facts about the order in which a variable takes its values, by the projection to the variable.

use super::projection::Projection;
use super::{Detector, Fact, FactKind};
use crate::system::VariableId;
use sempre_ltl::Formula;

/// Finds propositions about one variable that never change back, and their order.
pub(super) fn find(
    detector: &Detector<'_>,
    variable: VariableId,
    places: &[usize],
    projection: &Projection,
) -> Vec<Fact> {
    let name = detector.system.names().variable_name(variable);
    let Some(field) = detector.field(variable) else { return Vec::new() };
    let holds: Option<Vec<Vec<bool>>> = (places.iter())
        .map(|place| {
            let value = |values: &Vec<u32>| {
                detector.observed[*place].holds(&detector.analysis.state(&[field], values))
            };
            projection.nodes.iter().map(value).collect()
        })
        .collect();
    let Some(holds) = holds else { return Vec::new() };
    let props: Vec<Formula> =
        places.iter().map(|place| Formula::prop(detector.prop(*place))).collect();
    let not = |number: usize| Formula::not(props[number].clone());
    let globally = |formula: Formula| Formula::globally(formula);
    let mut facts = Vec::new();
    let mut add = |kind, formula, reason: String| facts.push(Fact { kind, formula, reason });
    for (number, values) in holds.iter().enumerate() {
        if !values.contains(&true) || !values.contains(&false) {
            continue; // It is constant.
        }
        let changes =
            |from: bool| projection.edges().any(|(s, t)| values[s] == from && values[t] != from);
        if !changes(true) {
            let stays = Formula::implies(props[number].clone(), globally(props[number].clone()));
            add(FactKind::Monotone, globally(stays), format!("{name} keeps such values for ever"));
        }
        if !changes(false) {
            let stays = Formula::implies(not(number), globally(not(number)));
            add(
                FactKind::Monotone,
                globally(stays),
                format!("{name} never gets such a value back"),
            );
        }
    }
    for first in 0..holds.len() {
        let reached = projection.reach(|node| holds[first][node], |_| true);
        for second in 0..holds.len() {
            let (one, other) = (&holds[first], &holds[second]);
            if first == second || !one.contains(&true) || !other.contains(&true) {
                continue;
            }
            if !(0..reached.len()).any(|node| reached[node] && other[node]) {
                let never = Formula::implies(props[first].clone(), globally(not(second)));
                add(
                    FactKind::Order,
                    globally(never),
                    format!("by the order of the values of {name}"),
                );
            }
            // The second one is reached only through a value of the first one.
            let without =
                projection.reach(|node| node < projection.initial && !one[node], |node| !one[node]);
            let is_needed = !(0..without.len()).any(|node| without[node] && other[node]);
            let is_new = (0..projection.initial).all(|node| !one[node] && !other[node]);
            if is_needed && is_new && !implies(other, one) {
                let before = Formula::weak_until(not(second), props[first].clone());
                add(FactKind::Order, before, format!("by the order of the values of {name}"));
            }
        }
    }
    facts
}

fn implies(left: &[bool], right: &[bool]) -> bool {
    left.iter().zip(right).all(|(left, right)| !left || *right)
}

impl Projection {
    /// Iterates over all steps.
    fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.successors
            .iter()
            .enumerate()
            .flat_map(|(source, targets)| targets.iter().map(move |target| (source, *target)))
    }

    /// Returns the nodes that are reachable from the `start` nodes, through `through` nodes only.
    fn reach(&self, start: impl Fn(usize) -> bool, through: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut seen: Vec<bool> = (0..self.nodes.len()).map(&start).collect();
        let mut stack: Vec<usize> = (0..self.nodes.len()).filter(|node| seen[*node]).collect();
        while let Some(node) = stack.pop() {
            for target in &self.successors[node] {
                if !seen[*target] && through(*target) {
                    seen[*target] = true;
                    stack.push(*target);
                }
            }
        }
        seen
    }
}
