//! Formulas whose deterministic automata are doubly exponentially larger.
//!
//! O. Kupferman, A. Rosenberg, The blow-up in translating LTL to deterministic automata (MoChArt
//! 2010). A word of the language has blocks of n letters between `c`s, then `d` and one more block,
//! and then `c` forever. The last block is one of those before `d`. A deterministic automaton has
//! to store the set of blocks that it has read.

use super::numbered;
use crate::Formula;
use Formula as F;

/// X^count f
fn next(count: u64, f: Formula) -> Formula {
    (0..count).fold(f, |f, _| F::next(f))
}

/// The propositions a1, …, an, b1, …, bn, c, d: the i-th letter of a block is ai or bi.
pub(super) fn linear(n: u64) -> Formula {
    let (c, d) = (&F::prop("c"), &F::prop("d"));
    let a: Vec<Formula> = numbered("a", 1..=n).collect();
    let b: Vec<Formula> = numbered("b", 1..=n).collect();
    let letter: Vec<Formula> = a.iter().zip(&b).map(|(a, b)| a | b).collect();
    let (first, last) = (&letter[0], &letter[letter.len() - 1]);
    let start = || first.clone() | d;
    let for_ever = F::globally(c);

    let mut all = vec![c.clone(), F::next(start())];
    if n > 1 {
        let steps = letter.windows(2).map(|pair| F::implies(&pair[0], F::next(&pair[1])));
        all.push(F::globally(F::and(steps)));
    }
    let end_of_block = F::next(c & F::next(start() | &for_ever));
    all.push(F::globally(F::implies(last, end_of_block)));
    let last_block = F::next(first & next(n, for_ever));
    all.push(F::until(!d, d & last_block));
    let repeated = |p: &Formula| p & F::finally(d & F::finally(p));
    let matches = F::or(a.iter().zip(&b).flat_map(|(a, b)| [repeated(a), repeated(b)]));
    all.push(F::finally(c & F::next(!c & F::until(matches, c))));
    all.push(F::globally(F::implies(c | d, F::not(F::or(letter.iter().cloned())))));
    all.push(F::globally(F::implies(c, !d)));
    all.push(F::globally(F::and(a.iter().zip(&b).map(|(a, b)| F::implies(a, !b)))));
    F::and(all)
}

/// The propositions a, b, c, d, y, z, of which at most one holds at a time: the i-th letter of a
/// block, a or b, comes after the number i - 1 in binary, least significant digit first, with the
/// digits y (0) and z (1).
pub(super) fn of_fixed_alphabet(n: u64) -> Formula {
    let [a, b, c, d, y, z] = &["a", "b", "c", "d", "y", "z"].map(F::prop);
    let digits = u64::from(u64::BITS - (n - 1).leading_zeros()).max(1);
    let number = |i: u64| {
        let digit = |place: u64| if i >> place & 1 == 0 { y.clone() } else { z.clone() };
        let high_first = (0..digits).rev().map(digit);
        high_first.reduce(|rest, digit| digit & F::next(rest)).unwrap_or_else(F::tt)
    };
    let letter = a | b;
    let start = || number(0) | d;
    let for_ever = F::globally(c);

    let mut all = vec![c.clone(), F::next(start())];
    if n > 1 {
        let step = |i: u64| F::implies(number(i), next(digits, &letter & F::next(number(i + 1))));
        all.push(F::globally(F::and((0..n - 1).map(step))));
    }
    let end_of_block = F::next(c & F::next(start() | &for_ever));
    all.push(F::globally(F::implies(number(n - 1), next(digits, &letter & end_of_block))));
    let last_block = F::next(number(0) & next(n * (digits + 1), for_ever));
    all.push(F::until(!d, d & last_block));
    let repeated =
        |p: &Formula, i: u64| p & F::finally(d & F::finally(number(i) & next(digits, p.clone())));
    let matches = F::and(
        (0..n).map(|i| F::implies(number(i), next(digits, repeated(a, i) | repeated(b, i)))),
    );
    all.push(F::finally(c & F::next(!c & F::until(matches, c))));
    // With one letter per block the digit z does not occur.
    let alphabet = &[a, b, c, d, y, z][..if n == 1 { 5 } else { 6 }];
    let exclusive =
        alphabet.iter().enumerate().flat_map(|(i, &p)| alphabet[..i].iter().map(move |&q| !q | !p));
    all.push(F::globally(F::and(exclusive)));
    F::and(all)
}
