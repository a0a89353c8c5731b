//! Search of a product with merged states for cycles with all marks.

use super::Classes;
use super::product::Product;

/// Tarjan's algorithm, with buffers that searches share.
pub(super) struct Search<'a> {
    product: &'a Product,
    /// The number of a pair in the order of discovery; at most `before` if this search has not
    /// visited it.
    number: Vec<u32>,
    /// The smallest number known to be reachable; `DONE` for pairs of complete components.
    low: Vec<u32>,
    /// True if an accepting cycle is reachable; valid for complete components.
    live: Vec<bool>,
    found: u32,
    before: u32,
    /// True if the search ends with the first accepting cycle.
    first_only: bool,
    /// The number of edges visited by all searches.
    pub(super) steps: usize,
    open: Vec<u32>,
    frames: Vec<Frame>,
}

struct Frame {
    pair: u32,
    /// The class member whose edges are being visited.
    member: u32,
    next: u32,
    live: bool,
    /// The marks of the known edges inside the component.
    marks: u64,
    cyclic: bool,
}

const DONE: u32 = u32::MAX;

impl<'a> Search<'a> {
    pub(super) fn new(product: &'a Product) -> Self {
        let pairs = product.states * product.others;
        Search {
            product,
            number: vec![0; pairs],
            low: vec![0; pairs],
            live: vec![false; pairs],
            found: 0,
            before: 0,
            first_only: false,
            steps: 0,
            open: vec![],
            frames: vec![],
        }
    }

    /// True if the current search has visited the pair.
    pub(super) fn has_found(&self, pair: usize) -> bool {
        self.number[pair] > self.before
    }

    /// True if an accepting cycle is reachable from one of the pairs. Starts a new search, which
    /// ends with the first cycle.
    pub(super) fn any_live(
        &mut self,
        classes: &Classes,
        mut pairs: impl Iterator<Item = usize>,
    ) -> bool {
        self.before = self.found;
        self.first_only = true;
        self.open.clear();
        self.frames.clear();
        pairs.any(|pair| self.is_live(classes, pair))
    }

    /// True if an accepting cycle is reachable from the pair, whose state represents its class.
    pub(super) fn is_live(&mut self, classes: &Classes, pair: usize) -> bool {
        if !self.has_found(pair) {
            self.enter(pair as u32);
            if self.finish(classes) {
                return true;
            }
        }
        self.live[pair]
    }

    fn enter(&mut self, pair: u32) {
        self.found += 1;
        self.number[pair as usize] = self.found;
        self.low[pair as usize] = self.found;
        self.open.push(pair);
        let member = pair / self.product.others as u32;
        let next = self.product.offsets[pair as usize];
        self.frames.push(Frame { pair, member, next, live: false, marks: 0, cyclic: false });
    }

    /// Continues the search; true if a cycle has been found and one is enough.
    fn finish(&mut self, classes: &Classes) -> bool {
        let others = self.product.others as u32;
        while let Some(frame) = self.frames.last_mut() {
            let other = frame.pair % others;
            let place = (frame.member * others + other) as usize;
            if frame.next < self.product.offsets[place + 1] {
                let (target, marks) = self.product.edges[frame.next as usize];
                self.steps += 1;
                frame.next += 1;
                let target = classes.class[(target / others) as usize] * others + target % others;
                let number = self.number[target as usize];
                if number <= self.before {
                    // The edge counts if the target turns out to be in the same component; then it
                    // is visited again.
                    frame.next -= 1;
                    self.enter(target);
                } else if self.low[target as usize] == DONE {
                    frame.live |= self.live[target as usize];
                } else {
                    let low = self.low[target as usize].min(number);
                    let own = &mut self.low[frame.pair as usize];
                    *own = (*own).min(low);
                    frame.marks |= marks | classes.marks[(frame.pair / others) as usize];
                    frame.cyclic = true;
                }
                continue;
            }
            let following = classes.next[frame.member as usize];
            if following != frame.member {
                frame.member = following;
                frame.next = self.product.offsets[(following * others + other) as usize];
                continue;
            }
            let Some(Frame { pair, live, marks, cyclic, .. }) = self.frames.pop() else { break };
            if self.low[pair as usize] == self.number[pair as usize] {
                let live = live || (cyclic && marks == self.product.all_marks);
                if live && self.first_only {
                    return true;
                }
                while let Some(member) = self.open.pop() {
                    self.low[member as usize] = DONE;
                    self.live[member as usize] = live;
                    if member == pair {
                        break;
                    }
                }
            } else if let Some(parent) = self.frames.last_mut() {
                // It is in the same component as its parent.
                parent.live |= live;
                parent.marks |= marks;
                parent.cyclic |= cyclic;
            }
        }
        false
    }
}
