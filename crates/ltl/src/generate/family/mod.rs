//! Parametric families of formulas: one formula for each number n.
//!
//! The families by which translations from LTL to automata are compared, as collected by
//! F. Blahoudek (Automata for Formal Methods: Little Steps Towards Perfection, PhD thesis, Masaryk
//! University, 2018, section 6.2). Names are those of Spot's `genltl`, where it has the family.
//! Subformulas are shared, so time and memory are at most n log n, for any tree size.

mod kupferman_rosenberg;

use crate::{Error, Formula};

/// A family of formulas.
///
/// ```
/// use sempre_ltl::generate::family::Family;
/// let family = Family::by_name("gh-r").unwrap();
/// assert_eq!(family.formula(1).unwrap(), "GFa1 | FGa2".parse().unwrap());
/// ```
#[derive(Debug)]
pub struct Family {
    /// The name, as on the command line.
    pub name: &'static str,
    /// Other names of the same family.
    pub aliases: &'static [&'static str],
    /// The formula in mathematical notation, and its source.
    pub about: &'static str,
    /// The least number that has a formula.
    pub min: u64,
    /// The maximal number, so that a typing error does not exhaust the memory.
    pub max: u64,
    build: fn(u64) -> Formula,
}

impl Family {
    /// All families, in alphabetical order.
    pub fn all() -> &'static [Family] {
        FAMILIES
    }

    /// The family with this name or alias.
    pub fn by_name(name: &str) -> Option<&'static Family> {
        FAMILIES.iter().find(|family| family.name == name || family.aliases.contains(&name))
    }

    /// The formula for the number `n`, which must be from [`min`](Self::min) to
    /// [`max`](Self::max).
    pub fn formula(&self, n: u64) -> Result<Formula, Error> {
        if (self.min..=self.max).contains(&n) {
            Ok((self.build)(n))
        } else {
            let Family { name, min, max, .. } = self;
            Err(Error::new(format!("the family {name} has formulas for {min} to {max}, not {n}")))
        }
    }
}

const MANY: u64 = 100_000;

static FAMILIES: &[Family] = &[
    Family {
        name: "and-fg",
        aliases: &[],
        about: "FG a1 & … & FG an",
        min: 1,
        max: MANY,
        build: |n| Formula::and(numbered("a", 1..=n).map(eventually_always)),
    },
    Family {
        name: "ccj-alpha",
        aliases: &[],
        about: "F(a1 & F(a2 & … F an)) & F(b1 & F(b2 & … F bn)) \
                (Cichoń, Czubak, Jasiński: Minimal Büchi automata for certain classes of LTL \
                formulas, 2009)",
        min: 1,
        max: MANY,
        build: |n| eventually_in_turn("a", n) & eventually_in_turn("b", n),
    },
    Family {
        name: "gh-c1",
        aliases: &["or-gf"],
        about: "GF a1 | … | GF an (Geldenhuys, Hansen: Larger automata and less work for LTL model \
                checking, 2006)",
        min: 1,
        max: MANY,
        build: |n| Formula::or(numbered("a", 1..=n).map(always_eventually)),
    },
    Family {
        name: "gh-c2",
        aliases: &["and-gf"],
        about: "GF a1 & … & GF an (Geldenhuys, Hansen 2006)",
        min: 1,
        max: MANY,
        build: |n| Formula::and(numbered("a", 1..=n).map(always_eventually)),
    },
    Family {
        name: "gh-e",
        aliases: &["and-f"],
        about: "F a1 & … & F an (Geldenhuys, Hansen 2006)",
        min: 1,
        max: MANY,
        build: |n| Formula::and(numbered("a", 1..=n).map(Formula::finally)),
    },
    Family {
        name: "gh-q",
        aliases: &[],
        about: "(F a1 | G a2) & (F a2 | G a3) & … & (F an | G an+1) (Geldenhuys, Hansen 2006)",
        min: 1,
        max: MANY,
        build: |n| neighbours(n, |a, b| Formula::finally(a) | Formula::globally(b)),
    },
    Family {
        name: "gh-r",
        aliases: &[],
        about: "(GF a1 | FG a2) & (GF a2 | FG a3) & … & (GF an | FG an+1) \
                (Geldenhuys, Hansen 2006)",
        min: 1,
        max: MANY,
        build: |n| neighbours(n, |a, b| always_eventually(a) | eventually_always(b)),
    },
    Family {
        name: "gh-s",
        aliases: &["or-g"],
        about: "G a1 | … | G an (Geldenhuys, Hansen 2006)",
        min: 1,
        max: MANY,
        build: |n| Formula::or(numbered("a", 1..=n).map(Formula::globally)),
    },
    Family {
        name: "gh-u",
        aliases: &["u-left"],
        about: "(…((a1 U a2) U a3)…) U an (Geldenhuys, Hansen 2006)",
        min: 1,
        max: MANY,
        build: |n| to_the_left(n, Formula::until),
    },
    Family {
        name: "gh-u2",
        aliases: &["u-right"],
        about: "a1 U (a2 U (… U an)…) (Geldenhuys, Hansen 2006)",
        min: 1,
        max: MANY,
        build: |n| to_the_right(n, Formula::until),
    },
    Family {
        name: "go-theta",
        aliases: &[],
        about: "!((GF a1 & … & GF an) -> G(b -> F c)): fair response \
                (Gastin, Oddoux: Fast LTL to Büchi automata translation, 2001)",
        min: 1,
        max: MANY,
        build: |n| {
            let fair = Formula::and(numbered("a", 1..=n).map(always_eventually));
            let response = Formula::globally(Formula::implies("b", Formula::finally("c")));
            Formula::not(Formula::implies(fair, response))
        },
    },
    Family {
        name: "kr-n",
        aliases: &[],
        about: "a formula of size O(n) whose deterministic automata have 2^2^Ω(n) states \
                (Kupferman, Rosenberg: The blow-up in translating LTL to deterministic automata, \
                2010)",
        min: 1,
        max: MANY,
        build: kupferman_rosenberg::linear,
    },
    Family {
        name: "kr-nlogn",
        aliases: &[],
        about: "as kr-n, but of size O(n log n) with 6 propositions (Kupferman, Rosenberg 2010)",
        min: 1,
        max: MANY / 10,
        build: kupferman_rosenberg::of_fixed_alphabet,
    },
    Family {
        name: "ms-phi-h",
        aliases: &[],
        about: "FG(a | b) | FG(!a | X b) | FG(a | XX b) | FG(!a | XXX b) | …, n + 1 disjuncts \
                (Müller, Sickert: LTL to deterministic Emerson-Lei automata, 2017)",
        min: 0,
        max: MANY,
        build: shifted_persistence,
    },
    Family {
        name: "ms-phi-r",
        aliases: &[],
        about: "r(n) = (FG an & GF bn) | s(n-1), s(n) = (FG an | GF bn) & r(n-1), \
                r(0) = FG a0 & GF b0 (Müller, Sickert 2017)",
        min: 0,
        max: MANY,
        build: |n| alternating(n, false),
    },
    Family {
        name: "ms-phi-s",
        aliases: &[],
        about: "s(n) = (FG an | GF bn) & r(n-1), r(n) = (FG an & GF bn) | s(n-1), \
                s(0) = FG a0 | GF b0 (Müller, Sickert 2017)",
        min: 0,
        max: MANY,
        build: |n| alternating(n, true),
    },
    Family {
        name: "or-fg",
        aliases: &[],
        about: "FG a1 | … | FG an",
        min: 1,
        max: MANY,
        build: |n| Formula::or(numbered("a", 1..=n).map(eventually_always)),
    },
    Family {
        name: "r-left",
        aliases: &[],
        about: "(…((a1 R a2) R a3)…) R an",
        min: 1,
        max: MANY,
        build: |n| to_the_left(n, Formula::release),
    },
    Family {
        name: "r-right",
        aliases: &[],
        about: "a1 R (a2 R (… R an)…)",
        min: 1,
        max: MANY,
        build: |n| to_the_right(n, Formula::release),
    },
];

/// Returns the propositions with this name and these numbers.
fn numbered(
    name: &str,
    numbers: impl DoubleEndedIterator<Item = u64>,
) -> impl DoubleEndedIterator<Item = Formula> {
    numbers.map(move |number| Formula::prop(format!("{name}{number}")))
}

fn always_eventually(f: Formula) -> Formula {
    Formula::globally(Formula::finally(f))
}

fn eventually_always(f: Formula) -> Formula {
    Formula::finally(Formula::globally(f))
}

/// Returns the conjunction of `pair` of a1 and a2, a2 and a3, …, an and an+1.
fn neighbours(n: u64, pair: fn(Formula, Formula) -> Formula) -> Formula {
    let (left, right) = (numbered("a", 1..=n), numbered("a", 2..=n + 1));
    Formula::and(left.zip(right).map(|(a, b)| pair(a, b)))
}

type Binary = fn(Formula, Formula) -> Formula;

/// (…((a1 op a2) op a3)…) op an
fn to_the_left(n: u64, op: Binary) -> Formula {
    numbered("a", 1..=n).reduce(op).unwrap_or_else(Formula::tt)
}

/// a1 op (a2 op (… op an)…)
fn to_the_right(n: u64, op: Binary) -> Formula {
    let innermost_first = numbered("a", 1..=n).rev();
    innermost_first.reduce(|inner, a| op(a, inner)).unwrap_or_else(Formula::tt)
}

/// F(a1 & F(a2 & … F an))
fn eventually_in_turn(name: &str, n: u64) -> Formula {
    let innermost_first = numbered(name, 1..=n).rev();
    Formula::finally(
        innermost_first.reduce(|inner, a| a & Formula::finally(inner)).unwrap_or_else(Formula::tt),
    )
}

fn shifted_persistence(n: u64) -> Formula {
    let a = Formula::prop("a");
    let mut shifted = Formula::prop("b");
    let mut disjuncts = vec![];
    for i in 0..=n {
        let literal = if i % 2 == 0 { a.clone() } else { !&a };
        disjuncts.push(eventually_always(literal | &shifted));
        shifted = Formula::next(shifted);
    }
    Formula::or(disjuncts)
}

/// The families phi-r and phi-s, which refer to each other; `strong` is the one that ends (at n)
/// in a conjunction, phi-s.
fn alternating(n: u64, strong: bool) -> Formula {
    let mut inner: Option<Formula> = None;
    for (i, (a, b)) in numbered("a", 0..=n).zip(numbered("b", 0..=n)).enumerate() {
        let (fg, gf) = (eventually_always(a), always_eventually(b));
        // Each step down changes the kind, and so does each step up.
        let strong_here = strong == (n - i as u64).is_multiple_of(2);
        let own = if strong_here { fg | gf } else { fg & gf };
        inner = Some(match inner {
            None => own,
            Some(inner) if strong_here => own & inner,
            Some(inner) => own | inner,
        });
    }
    inner.unwrap_or_else(Formula::tt)
}

#[cfg(test)]
mod tests;
