//! The laws of the simplifier, one row each.
//!
//! Every row is an equivalence, used from left to right; its dual (see [`super::dual`]) is also
//! used. The metavariables `e`, `u` and `q` match pure eventualities, pure universalities and
//! formulas that are both; the others match any formula. The third column is a condition `l => r`
//! that the simplifier must show.
//!
//! Sources: the laws for constants and for nested operators are folklore; those for pure formulas
//! go back to Etessami and Holzmann (CONCUR 2000), those with conditions to Somenzi and Bloem
//! (CAV 2000); Duret-Lutz (Spot) and Babiak et al. (LTL3BA) extended them to `W`, `M` and to
//! `GF`/`FG` subformulas.

use super::Level;

/// A named group of equivalences of one level.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) level: Level,
    pub(super) why: &'static str,
    pub(super) rows: &'static [Row],
}

/// Left side, right side, condition (or nothing).
pub(super) type Row = (&'static str, &'static str, &'static str);

pub(super) const GROUPS: &[Group] = &[
    Group {
        name: "constants",
        level: Level::Basic,
        why: "a constant does not change over time",
        rows: &[
            ("X 1", "1", ""),
            ("F 1", "1", ""),
            ("F 0", "0", ""),
            ("f U 1", "1", ""),
            ("f U 0", "0", ""),
            ("1 U f", "F f", ""),
            ("0 U f", "f", ""),
            ("f W 1", "1", ""),
            ("f W 0", "G f", ""),
            ("1 W f", "1", ""),
            ("0 W f", "f", ""),
            ("f <-> 1", "f", ""),
            ("f <-> 0", "!f", ""),
        ],
    },
    Group {
        name: "strict",
        level: Level::Basic,
        why: "the definition of the strict operators",
        rows: &[("Fs f", "X F f", "")],
    },
    Group {
        name: "equivalence",
        level: Level::Basic,
        why: "an equivalence sees only whether its operands differ",
        rows: &[
            ("f <-> f", "1", ""),
            ("!f <-> g", "f xor g", ""),
            ("X f <-> X g", "X(f <-> g)", ""),
        ],
    },
    Group {
        name: "next",
        level: Level::Basic,
        why: "time shifts all operators alike; X outermost is seen by more rules",
        rows: &[
            ("F X f", "X F f", ""),
            ("X f U X g", "X(f U g)", ""),
            ("X f W X g", "X(f W g)", ""),
        ],
    },
    Group {
        name: "idempotence",
        level: Level::Basic,
        why: "a nested operator that waits for the same adds nothing",
        rows: &[
            ("f U f", "f", ""),
            ("f W f", "f", ""),
            ("F F f", "F f", ""),
            ("f U (f U g)", "f U g", ""),
            ("f U (g U f)", "g U f", ""),
            ("f U (f W g)", "f W g", ""),
            ("f W (f W g)", "f W g", ""),
            ("f W (f U g)", "f W g", ""),
            ("(f U g) U g", "f U g", ""),
            ("(f U g) W g", "f U g", ""),
            ("(f W g) U g", "f U g", ""),
            ("(f W g) W g", "f W g", ""),
            ("F(f U g)", "F g", ""),
            ("F(f M g)", "F(f & g)", ""),
            ("F(f | F g)", "F(f | g)", ""),
            ("f U (g | (f U h))", "f U (g | h)", ""),
            ("f W (g | (f W h))", "f W (g | h)", ""),
            ("f W (g | (f U h))", "f W (g | h)", ""),
        ],
    },
    Group {
        name: "operand-in-operand",
        level: Level::Basic,
        why: "one operand of U, R, W, M repeated inside the other selects another of the four",
        rows: &[
            ("f U (f & g)", "g M f", ""),
            ("f U (f | g)", "f | g", ""),
            ("f U (g | G f)", "f W g", ""),
            ("f U G f", "G f", ""),
            ("f W (f & g)", "g R f", ""),
            ("f W (f | g)", "f | g", ""),
            ("f W (g | G f)", "f W g", ""),
            ("f W G f", "G f", ""),
            ("(f | g) U g", "f U g", ""),
            ("(f | g) W g", "f W g", ""),
        ],
    },
    Group {
        name: "expansion",
        level: Level::Basic,
        why: "the expansion laws, read from right to left",
        rows: &[
            ("f | X F f", "F f", ""),
            ("g | (f & X(f U g))", "f U g", ""),
            ("g | (f & X(f W g))", "f W g", ""),
        ],
    },
    Group {
        name: "weak-and-finally",
        level: Level::Basic,
        why: "the definitions of U by W and of M by R, read from right to left",
        rows: &[("(f W g) & F g", "f U g", ""), ("(f R g) & F f", "f M g", "")],
    },
    Group {
        name: "pure",
        level: Level::Pure,
        why: "a pure eventuality that holds somewhere holds everywhere before, \
              a pure universality everywhere after",
        rows: &[
            ("F e", "e", ""),
            ("f U e", "e", ""),
            ("X q", "q", ""),
            ("u W f", "u | f", ""),
            ("f W u", "G(f | u)", ""),
        ],
    },
    Group {
        name: "pure-operand",
        level: Level::Pure,
        why: "a pure operand can wait outside",
        rows: &[
            ("F(f & q)", "F f & q", ""),
            ("F(f | e)", "F f | e", ""),
            ("X(f & q)", "X f & q", ""),
            ("f U (g | e)", "(f U g) | e", ""),
            ("f U (g & q)", "(f U g) & q", ""),
            ("f W (g | e)", "(f W g) | e", ""),
            ("(f | q) W g", "(f W g) | q", ""),
        ],
    },
    Group {
        name: "infinitely-often",
        level: Level::Pure,
        why: "under GF and FG only what happens again and again, or from some time on, matters",
        rows: &[
            ("G F(f | X g)", "G F(f | g)", ""),
            ("G(f & X e)", "G(f & e)", ""),
            ("G F(f & e)", "G(F f & e)", ""),
            ("G F(f & u)", "G F f & F u", ""),
            ("G(h & F(f | X g))", "G(h & F(f | g))", ""),
            ("G(h & F(f & e))", "G(h & F f & e)", ""),
        ],
    },
    Group {
        name: "implied-operand",
        level: Level::Implication,
        why: "if one operand implies another, one of them can be spared",
        rows: &[
            ("f U g", "g", "f => g"),
            ("f U g", "F g", "!f => g"),
            ("f W g", "g", "f => g"),
            ("f W g", "1", "!f => g"),
            ("f U (g U h)", "g U h", "f => g"),
            ("f U (g U h)", "f U h", "g => f"),
            ("f U (g W h)", "g W h", "f => g"),
            ("f W (g W h)", "g W h", "f => g"),
            ("f W (g W h)", "f W h", "g => f"),
            ("f W (g U h)", "f W h", "g => f"),
            ("f U (g R h)", "g R h", "f => h"),
            ("f U (g M h)", "g M h", "f => h"),
            ("f W (g R h)", "g R h", "f => h"),
            ("(f U g) U h", "(f U g) | h", "g => h"),
            ("(f U g) W h", "(f U g) | h", "g => h"),
            ("(f W g) W h", "(f W g) | h", "g => h"),
            ("(f U g) U h", "g U h", "f => h"),
            ("(f U g) W h", "g W h", "f => h"),
            ("(f W g) U h", "g U h", "f => h"),
            ("(f W g) W h", "g W h", "f => h"),
        ],
    },
];
