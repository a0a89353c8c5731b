//! Formulas of the literature, by the name of their collection.
//!
//! The five pattern sets by which translators are compared, and the two benchmark sets of
//! F. Blahoudek (Automata for Formal Methods: Little Steps Towards Perfection, PhD thesis, Masaryk
//! University, 2018) made from them and from random formulas. The formulas are kept as text, one
//! per line, in the files of the directory `patterns`.

use crate::{Error, Formula, Syntax, syntax};

/// A collection of formulas.
///
/// ```
/// use sempre_ltl::generate::patterns::PatternSet;
/// let set = PatternSet::by_name("eh").unwrap();
/// assert_eq!(set.formulas().count(), 12);
/// assert_eq!(set.formulas().next(), "a U (b & Gc)".parse().ok());
/// ```
#[derive(Debug)]
pub struct PatternSet {
    /// The name, as on the command line.
    pub name: &'static str,
    /// The kind of formulas, and their source.
    pub about: &'static str,
    /// The texts of the files.
    files: &'static [&'static str],
}

impl PatternSet {
    /// All sets, in alphabetical order.
    pub fn all() -> &'static [PatternSet] {
        SETS
    }

    /// The set with this name.
    pub fn by_name(name: &str) -> Option<&'static PatternSet> {
        SETS.iter().find(|set| set.name == name)
    }

    /// The formulas of the set, in its order.
    pub fn formulas(&self) -> impl Iterator<Item = Formula> + use<> {
        // The files are part of the program, and tests parse each line.
        self.parsed().filter_map(Result::ok)
    }

    fn parsed(&self) -> impl Iterator<Item = Result<Formula, Error>> + use<> {
        let lines = self.files.iter().flat_map(|file| file.lines());
        lines.filter(|line| !line.starts_with('#')).map(|line| syntax::parse(line, Syntax::Spot))
    }
}

macro_rules! files {
    ($($name:literal),*) => {
        &[$(include_str!(concat!("patterns/", $name, ".ltl"))),*]
    };
}

static SETS: &[PatternSet] = &[
    PatternSet {
        name: "beem",
        about: "Pelánek: BEEM, benchmarks for explicit model checkers, 2007",
        files: files!("beem"),
    },
    PatternSet {
        name: "dac",
        about: "Dwyer, Avrunin, Corbett: Property specification patterns for finite-state \
                verification, 1998",
        files: files!("dac"),
    },
    PatternSet {
        name: "eh",
        about: "Etessami, Holzmann: Optimizing Büchi automata, 2000",
        files: files!("eh"),
    },
    PatternSet {
        name: "hkrss",
        about: "Holeček, Kratochvíla, Řehák, Šafránek, Šimeček: Verification results in \
                Liberouter project, 2004",
        files: files!("hkrss"),
    },
    PatternSet {
        name: "literature",
        about: "the sets beem, dac, eh, hkrss and sb with their negations, simplified and without \
                duplicates (Blahoudek 2018)",
        files: files!("literature-det", "literature-cd", "literature-sd", "literature-nd"),
    },
    PatternSet {
        name: "literature-cd",
        about: "the formulas of `literature` for which ltl2tgba -D gives a cut-deterministic \
                automaton that is not deterministic",
        files: files!("literature-cd"),
    },
    PatternSet {
        name: "literature-det",
        about: "the formulas of `literature` for which ltl2tgba -D gives a deterministic automaton",
        files: files!("literature-det"),
    },
    PatternSet {
        name: "literature-nd",
        about: "the formulas of `literature` for which ltl2tgba -D gives an automaton that is not \
                semi-deterministic",
        files: files!("literature-nd"),
    },
    PatternSet {
        name: "literature-sd",
        about: "the formulas of `literature` for which ltl2tgba -D gives a semi-deterministic \
                automaton that is not cut-deterministic",
        files: files!("literature-sd"),
    },
    PatternSet {
        name: "random",
        about: "400 random formulas, 100 for each kind of automaton (Blahoudek 2018)",
        files: files!("random-det", "random-cd", "random-sd", "random-nd"),
    },
    PatternSet {
        name: "random-cd",
        about: "the formulas of `random` for which ltl2tgba -D gives a cut-deterministic automaton",
        files: files!("random-cd"),
    },
    PatternSet {
        name: "random-det",
        about: "the formulas of `random` for which ltl2tgba -D gives a deterministic automaton",
        files: files!("random-det"),
    },
    PatternSet {
        name: "random-nd",
        about: "the formulas of `random` for which ltl2tgba -D gives an automaton that is not \
                semi-deterministic",
        files: files!("random-nd"),
    },
    PatternSet {
        name: "random-sd",
        about: "the formulas of `random` for which ltl2tgba -D gives a semi-deterministic automaton",
        files: files!("random-sd"),
    },
    PatternSet {
        name: "sb",
        about: "Somenzi, Bloem: Efficient Büchi automata from LTL formulae, 2000",
        files: files!("sb"),
    },
    PatternSet {
        name: "special",
        about: "12 unsatisfiable and 12 valid formulas, on which simplifications take shortcuts",
        files: files!("special"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, Traits, Word, semantics};

    fn set(name: &str) -> Vec<Formula> {
        PatternSet::by_name(name).unwrap().formulas().collect()
    }

    #[test]
    fn every_line_is_a_formula() {
        for set in PatternSet::all() {
            for (number, formula) in set.parsed().enumerate() {
                assert!(formula.is_ok(), "{} {}: {formula:?}", set.name, number + 1);
            }
        }
    }

    #[test]
    fn sets_have_the_published_sizes() {
        let sizes: Vec<(&str, usize)> =
            PatternSet::all().iter().map(|set| (set.name, set.formulas().count())).collect();
        let published = [
            ("beem", 20),
            ("dac", 55),
            ("eh", 12),
            ("hkrss", 55),
            ("literature", 221),
            ("literature-cd", 46),
            ("literature-det", 149),
            ("literature-nd", 23),
            ("literature-sd", 3),
            ("random", 400),
            ("random-cd", 100),
            ("random-det", 100),
            ("random-nd", 100),
            ("random-sd", 100),
            ("sb", 27),
            ("special", 24),
        ];
        assert_eq!(sizes, published);
    }

    #[test]
    fn special_formulas_have_the_same_value_on_all_words() {
        let words =
            ["cycle{p}", "cycle{q}", "p; cycle{!p & q}", "q; cycle{p; !p}", "cycle{p&q; !q}"];
        for (place, formula) in set("special").iter().enumerate() {
            for word in words {
                let word: Word = word.parse().unwrap();
                assert_eq!(semantics::holds(formula, &word), place >= 12, "{formula} on {word}");
            }
        }
    }

    /// Table 6.3 of the thesis.
    #[test]
    fn the_literature_splits_into_the_published_fragments() {
        let literature = set("literature");
        let count = |traits| literature.iter().filter(|formula| formula.is(traits)).count();
        assert_eq!(count(Traits::FRAGMENT_NO_GUX), 92);
        assert_eq!(count(Traits::FRAGMENT_F_G), 42);
        assert_eq!(count(Traits::FRAGMENT_F_G | Traits::FRAGMENT_NO_GUX), 42);
    }

    #[test]
    fn the_literature_has_no_duplicates_and_neither_w_nor_m() {
        let mut literature = set("literature");
        for formula in &literature {
            assert!(
                formula
                    .subformulas()
                    .all(|part| !matches!(part.op(), Op::WeakUntil | Op::StrongRelease))
            );
        }
        literature.sort();
        literature.dedup();
        assert_eq!(literature.len(), 221);
    }
}
