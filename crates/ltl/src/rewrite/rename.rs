//! Other names for the propositions of a formula.
//!
//! * [`rename`]: any change of names;
//! * [`relabel`]: short names, in the order of their first occurrence;
//! * [`canonical`]: the same formula for all formulas that differ only in names;
//! * [`relabel_boolean`]: one proposition for each Boolean part that is independent of the rest.
//!
//! Everything but [`canonical`] takes linear time, apart from sorting operands.

mod boolean;
mod canonical;

pub use boolean::relabel_boolean;
pub use canonical::{CANONICAL_WORK_LIMIT, canonical};

use super::substitute;
use crate::{Error, Formula, Prop};
use rustc_hash::FxHashMap;
use std::fmt;
use std::str::FromStr;

/// The names of new propositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `a`, `b`, …, `z`, then `a1`, …, `z1`, `a2`, …
    Abc,
    /// `p0`, `p1`, `p2`, …
    Pnn,
}

impl Style {
    /// The proposition with this number, counted from 0.
    ///
    /// ```
    /// use sempre_ltl::rewrite::rename::Style;
    /// assert_eq!([0, 1, 25, 26].map(|i| Style::Abc.prop(i)), ["a", "b", "z", "a1"].map(Into::into));
    /// assert_eq!(Style::Pnn.prop(12), "p12".into());
    /// ```
    pub fn prop(self, number: usize) -> Prop {
        match self {
            Style::Abc => {
                let letter = char::from(b'a' + (number % 26) as u8);
                match number / 26 {
                    0 => Prop::new(letter.encode_utf8(&mut [0; 4])),
                    round => Prop::new(format!("{letter}{round}")),
                }
            }
            Style::Pnn => Prop::new(format!("p{number}")),
        }
    }
}

impl FromStr for Style {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "abc" => Ok(Style::Abc),
            "pnn" => Ok(Style::Pnn),
            _ => Err(Error::at(0..text.len(), format!("unknown style of names `{text}`"))
                .expected("abc or pnn")),
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Style::Abc => "abc",
            Style::Pnn => "pnn",
        })
    }
}

/// Replaces all propositions simultaneously; `name` is called once for each.
///
/// ```
/// use sempre_ltl::{Formula, Prop, rewrite::rename::rename};
/// let f: Formula = "a U b".parse().unwrap();
/// let swapped = rename(&f, |p| Prop::new(if p.name() == "a" { "b" } else { "a" }));
/// assert_eq!(swapped, "b U a".parse().unwrap());
/// ```
pub fn rename(formula: &Formula, mut name: impl FnMut(&Prop) -> Prop) -> Formula {
    substitute(formula, |prop| Formula::prop(name(prop)))
}

/// Gives the propositions short names, in the order of their first occurrence in the printed
/// formula, and returns the new name and the old one of each.
///
/// ```
/// use sempre_ltl::{Formula, rewrite::rename::{Style, relabel}};
/// let f: Formula = "G(request -> F grant)".parse().unwrap();
/// let (g, names) = relabel(&f, Style::Abc);
/// assert_eq!(g, "G(a -> F b)".parse().unwrap());
/// assert_eq!(names[1], ("b".into(), "grant".into()));
/// ```
pub fn relabel(formula: &Formula, style: Style) -> (Formula, Vec<(Prop, Prop)>) {
    let mut names: Vec<(Prop, Prop)> = vec![];
    let mut new: FxHashMap<Prop, Prop> = FxHashMap::default();
    // Subformulas come after their operands and from left to right, so propositions come in the
    // order of their first occurrences.
    for part in formula.subformulas() {
        if let Some(prop) = part.as_prop() {
            let short = style.prop(names.len());
            names.push((short.clone(), prop.clone()));
            new.insert(prop.clone(), short);
        }
    }
    (rename(formula, |prop| new[prop].clone()), names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbitrary;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn relabelling_can_be_undone(f in arbitrary::formula(40)) {
            for style in [Style::Abc, Style::Pnn] {
                let (g, names) = relabel(&f, style);
                let old: FxHashMap<Prop, Prop> = names.into_iter().collect();
                prop_assert_eq!(g.props().len(), old.len());
                prop_assert_eq!(rename(&g, |p| old[p].clone()), f.clone());
            }
        }

        #[test]
        fn a_cycle_of_names_has_its_order(f in arbitrary::formula(40)) {
            let turn = |f: &Formula| rename(f, |p| Prop::new(match p.name() {
                "a" => "b",
                "b" => "c",
                _ => "a",
            }));
            prop_assert_eq!(turn(&turn(&turn(&f))), f);
        }
    }

    #[test]
    fn names_follow_the_first_occurrences() {
        let f = Formula::until(Formula::prop("z") | Formula::next("y"), Formula::prop("x") & "z");
        let (g, names) = relabel(&f, Style::Pnn);
        let old: Vec<&str> = names.iter().map(|(_, old)| old.name()).collect();
        assert_eq!(old, ["z", "y", "x"]);
        assert_eq!(
            g,
            Formula::until(Formula::prop("p0") | Formula::next("p1"), Formula::prop("p0") & "p2")
        );
    }

    #[test]
    fn styles_are_read_and_printed() {
        for style in [Style::Abc, Style::Pnn] {
            assert_eq!(style.to_string().parse(), Ok(style));
        }
        assert!("ABC".parse::<Style>().is_err());
        assert_eq!(Style::Abc.prop(26 * 3 + 2).name(), "c3");
    }

    #[test]
    fn deep_formulas_need_no_stack() {
        let deep = (0..100_000).fold(Formula::prop("a"), |f, i| {
            if i % 2 == 0 { Formula::next(f) } else { f & Formula::prop("b") }
        });
        let (renamed, names) = relabel(&deep, Style::Pnn);
        assert_eq!(names.len(), 2);
        assert_eq!(renamed.depth(), deep.depth());
        assert_eq!(canonical(&renamed), canonical(&deep));
        assert_eq!(relabel_boolean(&deep, Style::Pnn).0, renamed);
    }
}
