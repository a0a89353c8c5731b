//! Refinement by an assumption that is itself an automaton.

use crate::emptiness::Graph;
use crate::product::Product;
use crate::{Automaton, Sccs, prune};

/// Restricts an automaton to the letters that it reads on words of an assumption: an edge keeps a
/// letter if an accepting run of the product with the assumption reads it there.
///
/// The result accepts a subset of the language, which has all of its words that the assumption
/// accepts. No states or edges are added. Works for any acceptance conditions; linear in the
/// product.
///
/// Propositions that only the assumption reads are quantified.
pub fn assume(automaton: &Automaton, assumption: &Automaton) -> Automaton {
    let product = Product::intersection(automaton, assumption);
    let alphabet = product.alphabet();
    let (pairs, states) = product.build();
    let sccs = Sccs::of(&pairs);
    let mut useful = sccs.accepting(&pairs);
    for scc in sccs.iter() {
        // Successors come first, so their results are known.
        useful[scc.index()] |= sccs.successors(scc).iter().any(|next| useful[next.index()]);
    }
    let mut kept = vec![alphabet.ff(); automaton.edge_count()];
    for (state, pair) in pairs.states().zip(states) {
        for (edge, ((left, _), _)) in pairs.edges_from(state).iter().zip(product.successors(pair)) {
            if sccs.component(edge.target).is_some_and(|scc| useful[scc.index()]) {
                let label = &mut kept[left.index()];
                *label = alphabet.or(*label, edge.label);
            }
        }
    }
    let own = automaton.alphabet();
    let count = own.props().len();
    let places: Vec<usize> = (0..alphabet.props().len()).map(|i| i % count.max(1)).collect();
    let mut labels = kept.into_iter().map(|label| {
        let further = count..alphabet.props().len();
        let label = further.fold(label, |label, prop| alphabet.exists(label, prop));
        alphabet.translate(label, own, &places)
    });
    let mut builder = automaton.edit();
    builder.clear_name().retain_edges(|_, edge| {
        edge.label = labels.next().unwrap_or(own.ff());
        edge.label != own.ff()
    });
    drop(labels);
    prune::trim(&builder.build())
}
