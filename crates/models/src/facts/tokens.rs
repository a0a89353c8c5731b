//! Facts by invariants of nets: a weighted number of tokens never changes. So places are never
//! marked together if that would need more tokens. 1-safe state machines are the usual case.

use super::clauses::{cliques, exclusive};
use super::{Detector, Fact, FactKind, Observed};
use crate::petri::{Net, PlaceId, bounds};

/// The largest net whose invariants are computed, in places and transitions.
const MAX_NET: usize = 4000;

/// The largest number of tokens that a proposition is evaluated for.
const MAX_TOKENS: u32 = 64;

/// Finds propositions about single places that exclude each other.
pub(super) fn find(net: &Net, detector: &Detector<'_>) -> Vec<Fact> {
    let observed = detector.observed.iter();
    let single: Vec<(usize, PlaceId, u32)> =
        observed.filter_map(|observed| demand(detector, observed)).collect();
    if single.len() < 2 || net.place_count() + net.transition_count() > MAX_NET {
        return Vec::new();
    }
    let invariants = bounds::invariants(net);
    let mut facts: Vec<Fact> = Vec::new();
    let mut known: Vec<(usize, usize)> = Vec::new();
    for weights in &invariants {
        let total: u128 = (weights.iter())
            .map(|(place, weight)| u128::from(net.initial(*place)) * weight.unsigned_abs() as u128)
            .sum();
        let weight = |place: PlaceId| {
            let own = weights.iter().find(|(other, _)| *other == place)?;
            u128::try_from(own.1).ok()
        };
        let mut pairs = Vec::new();
        for (place, (number, left, least)) in single.iter().enumerate() {
            for (other, right, more) in &single[place + 1..] {
                let (Some(first), Some(second)) = (weight(*left), weight(*right)) else { continue };
                let needed = first * u128::from(*least) + second * u128::from(*more);
                if left != right && needed > total {
                    pairs.push((*number.min(other), *number.max(other)));
                }
            }
        }
        pairs.retain(|pair| !known.contains(pair));
        known.extend(&pairs);
        let terms = weights.iter().map(|(place, weight)| match weight {
            1 => net.place_name(*place).to_owned(),
            weight => format!("{weight}*{}", net.place_name(*place)),
        });
        let terms: Vec<String> = terms.collect();
        let sum = match terms.len() {
            0..=8 => terms.join(" + "),
            count => format!("{} + … ({count} places)", terms[..4].join(" + ")),
        };
        for clique in cliques(&pairs) {
            let formula = exclusive(detector.props, &clique).constraint();
            let reason = format!("{sum} = {total}");
            facts.push(Fact { kind: FactKind::Invariant, formula, reason });
        }
    }
    facts
}

/// Returns the number of a proposition about a single place, the place, and the least number of
/// tokens with which it holds; `None` if it is about something else or holds without tokens.
fn demand(detector: &Detector<'_>, observed: &Observed) -> Option<(usize, PlaceId, u32)> {
    let [variable] = observed.variables[..] else { return None };
    let field = detector.field(variable)?;
    let least = (0..=MAX_TOKENS.min(field.mask())).find(|tokens| {
        observed.holds(&detector.analysis.state(&[field], &[*tokens])) != Some(false)
    })?;
    (least > 0).then_some((observed.number, PlaceId(variable.0), least))
}
