//! The operators of LTL on bit vectors over the positions of a lasso word.
//!
//! The vectors are reversed: bit 0 is the last position, so the bit of a position's successor is
//! the next lower one. The successor of bit 0 is the first position of the cycle. `f U g` solves
//! R\[i\] = g\[i\] | (f\[i\] & R\[i+1\]), like the carry in an addition: in (f | g) + g, the carry
//! out of a bit is g | (f & carry in). So one addition over the whole vector evaluates `U`; the
//! carry into bit 0 is the value at the start of the cycle. A carry in of 0 gives the least
//! fixpoint, 1 the greatest. If the result differs from the assumed carry, the addition is repeated
//! with the right carry, as far as that changes anything. Every operator takes O(positions / 64).

/// The shape of the vectors over one word. Bits beyond the first position are zero in every vector.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The number of positions.
    pub(super) len: usize,
    /// The bit of the first position of the cycle.
    pub(super) target: usize,
}

impl Shape {
    /// Clears the bits beyond all positions.
    fn trim(self, out: &mut [u64]) {
        if let Some(last) = out.last_mut() {
            *last &= self.last_mask();
        }
    }

    fn last_mask(self) -> u64 {
        u64::MAX >> (self.len.wrapping_neg() % 64)
    }

    fn target_value(self, vector: &[u64]) -> bool {
        vector[self.target / 64] >> (self.target % 64) & 1 != 0
    }

    pub(super) fn constant(self, out: &mut [u64], value: bool) {
        out.fill(if value { u64::MAX } else { 0 });
        self.trim(out);
    }

    /// Any Boolean operator on one operand.
    pub(super) fn pointwise1(self, out: &mut [u64], f: &[u64], op: impl Fn(u64) -> u64) {
        for (out, &f) in out.iter_mut().zip(f) {
            *out = op(f);
        }
        self.trim(out);
    }

    /// Any Boolean operator on two operands.
    pub(super) fn pointwise2(
        self,
        out: &mut [u64],
        f: &[u64],
        g: &[u64],
        op: impl Fn(u64, u64) -> u64,
    ) {
        for ((out, &f), &g) in out.iter_mut().zip(f).zip(g) {
            *out = op(f, g);
        }
        self.trim(out);
    }

    /// `X f`, in place.
    pub(super) fn next(self, out: &mut [u64]) {
        let mut low = u64::from(self.target_value(out));
        for word in out.iter_mut() {
            let high = *word >> 63;
            *word = *word << 1 | low;
            low = high;
        }
        self.trim(out);
    }

    /// `F f`: true up to the last position with `f`, everywhere if that is on the cycle.
    pub(super) fn finally(self, out: &mut [u64], f: &[u64]) {
        let Some(word) = f.iter().position(|&word| word != 0) else { return out.fill(0) };
        let bit = f[word].trailing_zeros();
        if word * 64 + bit as usize <= self.target {
            return self.constant(out, true);
        }
        out[..word].fill(0);
        out[word] = u64::MAX << bit;
        out[word + 1..].fill(u64::MAX);
        self.trim(out);
    }

    /// `G f`: true after the last position without `f`, nowhere if that is on the cycle.
    pub(super) fn globally(self, out: &mut [u64], f: &[u64]) {
        let last = f.len() - 1;
        let full = |word: usize| if word == last { self.last_mask() } else { u64::MAX };
        let Some(word) = (0..f.len()).find(|&word| f[word] != full(word)) else {
            return out.copy_from_slice(f);
        };
        let bit = f[word].trailing_ones();
        out.fill(0);
        if word * 64 + bit as usize > self.target {
            out[..word].fill(u64::MAX);
            out[word] = (1 << bit) - 1;
        }
    }

    /// `keep U goal`, or `keep W goal` if `for_ever` will do; word `i` of the operands is given by
    /// the functions.
    pub(super) fn until(
        self,
        out: &mut [u64],
        keep: impl Fn(usize) -> u64,
        goal: impl Fn(usize) -> u64,
        for_ever: bool,
    ) {
        let step = |i: usize, carry: bool| {
            let (keep, goal) = (keep(i), goal(i));
            let (sum, first) = (keep | goal).overflowing_add(goal);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            // Where exactly one of the two addends is set, the sum is the complement of the carry.
            (goal | keep & !sum, first | second)
        };
        let mut carry = for_ever;
        for (i, out) in out.iter_mut().enumerate() {
            (*out, carry) = step(i, carry);
        }
        if self.target_value(out) != for_ever {
            let mut carry = !for_ever;
            for (i, out) in out.iter_mut().enumerate() {
                let before = *out;
                (*out, carry) = step(i, carry);
                if (before ^ *out) >> 63 == 0 {
                    break;
                }
            }
        }
    }
}
