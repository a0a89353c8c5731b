//! One proposition for each Boolean part of a formula that is independent of the rest.
//!
//! The truth values of a subformula whose propositions occur nowhere else are independent of the
//! rest of the formula. If it is Boolean, a proposition can replace it (and may take both values,
//! unlike `a | !a`). Such parts are the modules of a fault tree in reliability engineering. Two
//! traversals of the subformulas find them in linear time (Y. Dutuit, A. Rauzy, A linear-time
//! algorithm to find modules of fault trees, IEEE Transactions on Reliability 45(3), 1996).

use super::Style;
use crate::{Arity, Formula, Op, Prop, Traits};
use rustc_hash::FxHashMap;

/// Replaces each maximal Boolean subformula that shares no proposition with the rest of the
/// formula by a proposition. Returns the meaning of each proposition of the result;
/// [substituting](crate::rewrite::substitute()) that gives the original formula back.
///
/// The Boolean operands of a `&` or `|` form one subformula. If that shares a proposition with the
/// rest, those of its operands that share none still form one.
///
/// ```
/// use sempre_ltl::{Formula, rewrite::rename::{Style, relabel_boolean}};
/// let f: Formula = "G((a & !b) -> F(c | d | X a))".parse().unwrap();
/// let (g, parts) = relabel_boolean(&f, Style::Pnn);
/// assert_eq!(g, "G((p0 & p1) -> F(p2 | X p0))".parse().unwrap());
/// assert_eq!(parts[2], ("p2".into(), "c | d".parse().unwrap()));
/// ```
pub fn relabel_boolean(formula: &Formula, style: Style) -> (Formula, Vec<(Prop, Formula)>) {
    let mut graph = Graph::new(formula);
    graph.find_modules();
    graph.relabelled(style)
}

/// The subformulas as a graph, where the Boolean operands of an n-ary node are one operand.
struct Graph {
    /// The parts; each follows its operands.
    parts: Vec<Part>,
}

struct Part {
    formula: Formula,
    /// Operands by their positions in the graph.
    operands: Vec<usize>,
    /// The times at which the traversal first entered this part, left it, and last met it as an
    /// operand of another part.
    entered: usize,
    left: usize,
    met: usize,
    /// The number of its uses as an operand.
    uses: usize,
    has_props: bool,
    /// True if a proposition replaces it.
    module: bool,
}

/// A part whose operands are being visited.
struct Visit {
    formula: Formula,
    operands: Vec<Formula>,
    positions: Vec<usize>,
    entered: usize,
}

impl Graph {
    fn new(root: &Formula) -> Self {
        let mut parts: Vec<Part> = vec![];
        let mut positions: FxHashMap<Formula, usize> = FxHashMap::default();
        let mut time = 0;
        let mut visits = vec![Visit::new(root.clone(), time)];
        while let Some(visit) = visits.last_mut() {
            time += 1;
            if let Some(operand) = visit.operands.get(visit.positions.len()) {
                match positions.get(operand) {
                    Some(&position) => {
                        visit.positions.push(position);
                        parts[position].met = time;
                        parts[position].uses += 1;
                    }
                    None => {
                        let new = Visit::new(operand.clone(), time);
                        visits.push(new);
                    }
                }
            } else if let Some(Visit { formula, positions: operands, entered, .. }) = visits.pop() {
                // The traversal meets the part again, as an operand, when it returns to its user.
                positions.insert(formula.clone(), parts.len());
                let has_props =
                    formula.op() == Op::Prop || operands.iter().any(|&i| parts[i].has_props);
                parts.push(Part {
                    formula,
                    operands,
                    entered,
                    left: time,
                    met: time,
                    uses: 0,
                    has_props,
                    module: false,
                });
            }
        }
        Graph { parts }
    }

    /// Marks the modules: the Boolean parts whose subformulas (but constants) the traversal met
    /// only between entering and leaving the part. Operands of a `&` or `|` that are modules used
    /// nowhere else become one part.
    fn find_modules(&mut self) {
        // The earliest and the latest meeting of a subformula of a part.
        let mut meetings: Vec<(usize, usize)> = Vec::with_capacity(self.parts.len());
        for i in 0..self.parts.len() {
            let part = &self.parts[i];
            let mut span = (part.entered, 0);
            for &operand in part.operands.iter().filter(|&&o| self.parts[o].has_props) {
                let (earliest, latest) = meetings[operand];
                span.0 = span.0.min(earliest);
                span.1 = span.1.max(latest).max(self.parts[operand].met);
            }
            meetings.push(span);
            let closed = span.0 >= part.entered && span.1 <= part.left;
            self.parts[i].module = closed && part.has_props && part.formula.is(Traits::BOOLEAN);
            if !closed && self.parts[i].formula.op().arity() == Arity::Nary {
                self.join_modules(i);
            }
        }
    }

    /// Joins all operands of this part that are modules used nowhere else.
    fn join_modules(&mut self, i: usize) {
        let joins = |&&operand: &&usize| {
            let operand = &self.parts[operand];
            operand.module && operand.uses == 1
        };
        let joined: Vec<usize> = self.parts[i].operands.iter().filter(joins).copied().collect();
        if joined.len() < 2 {
            return;
        }
        // The first of them represents all: nothing else uses it.
        let first = joined[0];
        let operands = self.parts[i].operands.iter().filter(|&o| *o == first || !joins(&o));
        let operands = operands.copied().collect();
        let formulas = joined.iter().map(|&operand| self.parts[operand].formula.clone());
        let together = Formula::new(self.parts[i].formula.op(), formulas);
        self.parts[first].formula = together;
        self.parts[i].operands = operands;
    }

    /// Builds the formula with a proposition for each module, named from left to right.
    fn relabelled(self, style: Style) -> (Formula, Vec<(Prop, Formula)>) {
        let mut modules: Vec<(Prop, Formula)> = vec![];
        let mut results: Vec<Option<Formula>> = vec![None; self.parts.len()];
        let root = self.parts.len() - 1;
        // A part, and whether its operands have been visited.
        let mut stack = vec![(root, false)];
        while let Some((i, ready)) = stack.pop() {
            let part = &self.parts[i];
            if results[i].is_some() {
                continue;
            }
            if part.module {
                let prop = style.prop(modules.len());
                modules.push((prop.clone(), part.formula.clone()));
                results[i] = Some(Formula::prop(prop));
            } else if ready {
                let operands = part.operands.iter().filter_map(|&o| results[o].clone());
                results[i] = Some(Formula::new(part.formula.op(), operands));
            } else {
                stack.push((i, true));
                stack.extend(part.operands.iter().rev().map(|&operand| (operand, false)));
            }
        }
        let result = results[root].take().unwrap_or_else(|| self.parts[root].formula.clone());
        (result, modules)
    }
}

impl Visit {
    fn new(formula: Formula, entered: usize) -> Self {
        let operands = operands(&formula);
        Visit { formula, operands, positions: vec![], entered }
    }
}

/// Returns the operands of a formula; the Boolean ones of a temporal `&` or `|` are joined.
fn operands(formula: &Formula) -> Vec<Formula> {
    let children = formula.children();
    if formula.op().arity() != Arity::Nary || formula.is(Traits::BOOLEAN) {
        return children.to_vec();
    }
    let (boolean, temporal): (Vec<Formula>, Vec<Formula>) =
        children.iter().cloned().partition(|child| child.is(Traits::BOOLEAN));
    if boolean.is_empty() {
        return temporal;
    }
    let mut operands = vec![Formula::new(formula.op(), boolean)];
    operands.extend(temporal);
    operands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use crate::rewrite::substitute;
    use proptest::prelude::*;

    fn relabelled(text: &str) -> String {
        let (formula, parts) = relabel_boolean(&text.parse().unwrap(), Style::Abc);
        let parts: Vec<String> =
            parts.iter().map(|(prop, part)| format!("{}: {part}", prop.name())).collect();
        format!("{formula} with {}", parts.join(", "))
    }

    #[test]
    fn independent_parts_become_propositions() {
        let formulas = [
            "(x & !y) | z",
            "(x & y) U (z | X(x & y))",
            "x & y & z & X x",
            "(x & y & z & X v) U (x & y & z & X w)",
            "(x <-> y) U (x <-> !y)",
            "G(x & 1 & F(0 | y | (1 & z)))",
            "G(1 & F 0) | x",
            "((x | y) & (x | z) & v & (u -> t)) W x",
        ];
        insta::assert_snapshot!(formulas.map(relabelled).join("\n"), @r"
        a with a: z | (x & !y)
        a U (b | Xa) with a: x & y, b: z
        a & b & Xa with a: x, b: y & z
        (a & Xb) U (a & Xc) with a: x & y & z, b: v, c: w
        (a <-> b) U (a <-> !b) with a: x, b: y
        G(a & Fb) with a: x & 1, b: y | 0 | (z & 1)
        a | G(1 & F(0)) with a: x
        (a & (b | c) & (b | d)) W b with a: v & (u -> t), b: x, c: y, d: z
        ");
    }

    proptest! {
        #[test]
        fn substituting_back_gives_the_formula(f in arbitrary::formula(30)) {
            let (g, parts) = relabel_boolean(&f, Style::Pnn);
            let old: FxHashMap<Prop, Formula> = parts.iter().cloned().collect();
            prop_assert_eq!(substitute(&g, |p| old[p].clone()), f);
            // The parts are independent of each other, and each still occurs.
            prop_assert_eq!(g.props().len(), parts.len());
            let mut props: Vec<Prop> = parts.iter().flat_map(|(_, part)| part.props()).collect();
            let all = props.len();
            props.sort();
            props.dedup();
            prop_assert_eq!(props.len(), all);
        }

        #[test]
        fn nothing_is_left_to_replace(f in arbitrary::formula(30)) {
            // Without n-ary nodes, maximality can be checked by brute force.
            let (g, _) = relabel_boolean(&f, Style::Pnn);
            for part in g.subformulas() {
                let plain = part.op().arity() == Arity::Nary || part.op() == Op::Prop;
                if plain || !part.is(Traits::BOOLEAN) || part.props().is_empty() {
                    continue;
                }
                // If a proposition of the part occurs elsewhere, it is not a module.
                let hidden = crate::transform(&g, |h| if h == part { Formula::tt() } else { h });
                let outside = hidden.props();
                prop_assert!(part.props().iter().any(|p| outside.contains(p)), "{part} in {g}");
            }
        }
    }
}
