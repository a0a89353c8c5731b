//! The search that fills a table, after a property was found to hold.
//!
//! Explores the product of the plain model with the expansions of obligations depth-first. Ranks
//! are the order in which strongly connected components are closed; the promise of a rank is an
//! until that all steps within its component postpone. A component without such an until has a run
//! that violates the property. The components are found as in Couvreur's emptiness check.
//!
//! Takes time linear in the product, with up to two expansions of each node.

use super::rows::{ordered, widened};
use rustc_hash::FxHashMap;
use sempre_certificate::obligations::{Alternative, Bits, Obligations, Set, TooMany};
use sempre_certificate::table::{Index, Rows};
use sempre_certificate::{Certificate, Claim, Deadlocks, Fair, NONE};
use sempre_ltl::{Error, interrupt};
use sempre_models::plain::{Plain, Step, Undefined};
use sempre_models::proposition::PlainPropositions;
use smallvec::smallvec;
use std::rc::Rc;

/// The limits of the search, besides those of the thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// The maximal number of nodes.
    pub nodes: Option<u64>,
    /// The maximal memory, in bytes.
    pub bytes: Option<usize>,
}

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The limit of nodes was reached.
    #[error("the state limit was reached")]
    Nodes,
    /// The limit of memory was reached.
    #[error("the memory limit was reached")]
    Memory,
    /// A set of obligations has too many alternatives.
    #[error("{0}")]
    Alternatives(#[from] TooMany),
    /// A state has no successors, or a proposition no value.
    #[error("{0}")]
    Undefined(#[from] Undefined),
    /// The property is not about the states of the model.
    #[error("{0}")]
    Property(Error),
    /// The table shows a run that violates the property: the verdict was wrong.
    #[error("the search for it found a violation")]
    Violated,
}

impl Failure {
    /// True if a certificate may exist beyond a limit.
    pub fn is_limit(&self) -> bool {
        matches!(self, Failure::Nodes | Failure::Memory | Failure::Alternatives(_))
    }
}

/// The number of topmost frames that keep their successors; frames below compute them again.
const KEPT: usize = 4096;

/// Searches for a certificate of a claim. Work that reaches a limit of this thread unwinds.
///
/// # Errors
/// If there is none, or it is not found within the budget.
pub fn build(claim: Claim, plain: &dyn Plain, budget: Budget) -> Result<Certificate, Failure> {
    if claim.property.to_string().contains('\n') {
        let message = "the text of the property has a line break, which the file cannot hold";
        return Err(Failure::Property(Error::new(message)));
    }
    let obligations = claim.obligations();
    let texts = obligations.propositions().iter().map(|prop| prop.name());
    let propositions = PlainPropositions::new(plain, texts).map_err(Failure::Property)?;
    let components = match claim.fair {
        Fair::All => 0,
        Fair::Processes => plain.process_count(),
        Fair::Transitions => plain.transition_count(),
    };
    let marks = obligations.until_count() + components;
    let columns = std::iter::repeat_n((0, 0), plain.variables().len() + 1);
    let mut search = Search {
        claim: &claim.clone(),
        plain,
        obligations: &obligations,
        propositions,
        budget,
        marks: marks.div_ceil(64),
        sets: Vec::new(),
        set_numbers: FxHashMap::default(),
        known: FxHashMap::default(),
        rows: Rows::new(columns),
        index: Index::default(),
        frames: Vec::new(),
        open: Vec::new(),
        roots: Vec::new(),
        closed: Vec::new(),
        order: Vec::new(),
        ranks: Vec::new(),
        promises: Vec::new(),
        numbers: Vec::new(),
        packed: Vec::new(),
    };
    let first = search.set(obligations.initial());
    for state in plain.initial() {
        if let (node, true) = search.visit(&state, first)? {
            search.enter(node, search.no_marks());
            search.run()?;
        }
    }
    let Search { sets, rows, index, order, ranks, promises, .. } = search;
    drop(index);
    let rows = ordered(&rows, &order);
    Ok(Certificate { claim, sets, rows, ranks, promises })
}

/// The successors of a node: each step, with its target state, combined with each alternative.
struct Expansion {
    steps: Vec<Step>,
    values: Vec<i64>,
    alternatives: Rc<[(u32, Bits)]>,
    /// The components of fairness that can step, as marks.
    enabled: Bits,
}

/// A node on the path, and the number of its edges that were followed.
struct Frame {
    node: u32,
    next: usize,
    expansion: Option<Box<Expansion>>,
}

/// A component that is not closed.
struct Root {
    node: u32,
    /// The marks that all steps within it postpone; `None` if there is no such step.
    common: Option<Bits>,
    /// The marks that the step into it postpones.
    arc: Bits,
}

/// The alternatives of an obligation set: the number of the next set, and the postponed marks.
type Ways = Rc<[(u32, Bits)]>;

struct Search<'a> {
    claim: &'a Claim,
    plain: &'a dyn Plain,
    obligations: &'a Obligations,
    propositions: PlainPropositions<'a>,
    budget: Budget,
    /// The number of words of a set of marks.
    marks: usize,
    sets: Vec<Set>,
    set_numbers: FxHashMap<Set, u32>,
    known: FxHashMap<(u32, u64), Ways>,
    rows: Rows,
    index: Index,
    frames: Vec<Frame>,
    /// The nodes of components that are not closed.
    open: Vec<u32>,
    roots: Vec<Root>,
    closed: Vec<bool>,
    /// The nodes in the order in which they were closed, and their ranks.
    order: Vec<u32>,
    ranks: Vec<u32>,
    promises: Vec<u32>,
    /// Buffers of [`Search::visit`].
    numbers: Vec<i64>,
    packed: Vec<u64>,
}

impl Search<'_> {
    fn no_marks(&self) -> Bits {
        smallvec![0; self.marks]
    }

    fn set(&mut self, set: Set) -> u32 {
        let next = self.sets.len() as u32;
        let number = *self.set_numbers.entry(set.clone()).or_insert(next);
        if number == next {
            self.sets.push(set);
        }
        number
    }

    /// Returns the node of a state and a set, and whether it is new.
    fn visit(&mut self, state: &[i64], set: u32) -> Result<(u32, bool), Failure> {
        self.numbers.clear();
        self.numbers.extend_from_slice(state);
        self.numbers.push(i64::from(set));
        while let Err(column) = self.rows.pack(&self.numbers, &mut self.packed) {
            self.rows = widened(&self.rows, column, self.numbers[column]);
            self.index = Index::of(&self.rows);
        }
        if let Some(node) = self.index.find(&self.rows, &self.packed) {
            return Ok((node, false));
        }
        let node = self.rows.count();
        // The largest number is reserved: it means none.
        if self.budget.nodes.is_some_and(|most| node as u64 >= most) || node >= NONE as usize - 1 {
            return Err(Failure::Nodes);
        }
        if node.is_multiple_of(1024) && self.budget.bytes.is_some_and(|most| self.bytes() > most) {
            return Err(Failure::Memory);
        }
        self.rows.push(&self.packed);
        self.index.insert(&self.rows, node as u32);
        self.closed.push(false);
        Ok((node as u32, true))
    }

    /// Returns the memory in use, plus the memory that the end of the search will need.
    fn bytes(&self) -> usize {
        let lists = self.open.capacity() + self.order.capacity() + self.ranks.capacity();
        let lists = 4 * (lists + self.promises.capacity()) + self.closed.capacity();
        let path =
            self.frames.capacity() * size_of::<Frame>() + self.roots.capacity() * size_of::<Root>();
        2 * self.rows.bytes() + self.index.bytes() + lists + path
    }

    /// Enters a new node by a step that postpones these marks.
    fn enter(&mut self, node: u32, arc: Bits) {
        self.open.push(node);
        self.roots.push(Root { node, common: None, arc });
        self.frames.push(Frame { node, next: 0, expansion: None });
        if let Some(below) = self.frames.len().checked_sub(KEPT) {
            self.frames[below].expansion = None;
        }
    }

    fn run(&mut self) -> Result<(), Failure> {
        while let Some(mut frame) = self.frames.pop() {
            interrupt::poll();
            let expansion = match frame.expansion.take() {
                Some(expansion) => expansion,
                None => Box::new(self.expand(frame.node)?),
            };
            let edges = expansion.steps.len() * expansion.alternatives.len();
            if frame.next == edges {
                self.leave(frame.node);
                continue;
            }
            let (step, alternative) = (
                frame.next / expansion.alternatives.len(),
                frame.next % expansion.alternatives.len(),
            );
            frame.next += 1;
            let width = expansion.values.len() / expansion.steps.len();
            let state = &expansion.values[step * width..][..width];
            let (set, postponed) = &expansion.alternatives[alternative];
            let mut marks = postponed.clone();
            self.add_unfair(&mut marks, &expansion, step);
            let (target, is_new) = self.visit(state, *set)?;
            self.frames.push(Frame { expansion: Some(expansion), ..frame });
            if is_new {
                self.enter(target, marks);
            } else if !self.closed[target as usize] {
                self.merge(target, marks)?;
            }
        }
        Ok(())
    }

    /// Adds the components that can step in the state but take no part in the step.
    fn add_unfair(&self, marks: &mut Bits, expansion: &Expansion, step: usize) {
        if self.claim.fair == Fair::All {
            return;
        }
        let mut unfair = expansion.enabled.clone();
        for component in self.claim.fair.stepping(&expansion.steps[step]) {
            let mark = self.obligations.until_count() + *component as usize;
            unfair[mark / 64] &= !(1 << (mark % 64));
        }
        marks.iter_mut().zip(&unfair).for_each(|(word, other)| *word |= other);
    }

    /// Computes the successors of a node.
    fn expand(&mut self, node: u32) -> Result<Expansion, Failure> {
        let mut state = Vec::new();
        self.rows.unpack(node as usize, &mut state);
        let set = state.pop().unwrap_or_default() as u32;
        let (mut steps, mut values) = (Vec::new(), Vec::new());
        self.plain.successors(&state, &mut |step, next| {
            steps.push(step.clone());
            values.extend_from_slice(next);
        })?;
        let valuation = self.propositions.holding(&state, &steps)?;
        let mut enabled = self.no_marks();
        for step in &steps {
            for component in self.claim.fair.stepping(step) {
                let mark = self.obligations.until_count() + *component as usize;
                enabled[mark / 64] |= 1 << (mark % 64);
            }
        }
        if steps.is_empty() {
            match self.claim.deadlocks {
                Deadlocks::Report => return Err(Failure::Violated),
                Deadlocks::Ignore => {}
                Deadlocks::Stutter => {
                    steps.push(Step::default());
                    values.extend_from_slice(&state);
                }
            }
        }
        let alternatives = match self.known.get(&(set, valuation)) {
            Some(known) => known.clone(),
            None => {
                let all = self.obligations.expand(&self.sets[set as usize], valuation)?;
                let mut known = Vec::new();
                for Alternative { next, mut postponed } in all {
                    postponed.resize(self.marks, 0);
                    known.push((self.set(next), postponed));
                }
                self.known.entry((set, valuation)).or_insert(known.into()).clone()
            }
        };
        Ok(Expansion { steps, values, alternatives, enabled })
    }

    /// Merges the components on the path from an open node to its end, after a step back to that
    /// node.
    fn merge(&mut self, target: u32, mut marks: Bits) -> Result<(), Failure> {
        let keep = |marks: &mut Bits, other: &Bits| {
            marks.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
        };
        while let Some(root) = self.roots.pop() {
            if let Some(common) = &root.common {
                keep(&mut marks, common);
            }
            // Nodes have numbers in the order of discovery.
            if root.node <= target {
                if marks.iter().all(|word| *word == 0) {
                    return Err(Failure::Violated);
                }
                self.roots.push(Root { common: Some(marks), ..root });
                return Ok(());
            }
            keep(&mut marks, &root.arc);
        }
        Ok(())
    }

    /// Closes the component of a node if the node is its root.
    fn leave(&mut self, node: u32) {
        let Some(root) = self.roots.pop_if(|root| root.node == node) else { return };
        let first = |marks: Bits| {
            let word = marks.iter().position(|word| *word != 0)?;
            Some((word * 64) as u32 + marks[word].trailing_zeros())
        };
        let rank = self.promises.len() as u32;
        self.promises.push(root.common.and_then(first).unwrap_or(NONE));
        let start = self.open.partition_point(|open| *open < node);
        for open in self.open.drain(start..) {
            self.closed[open as usize] = true;
            self.order.push(open);
            self.ranks.push(rank);
        }
    }
}
