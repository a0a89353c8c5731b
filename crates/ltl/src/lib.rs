//! Linear-time temporal logic: formulas and all operations on them that need no automata.
//!
//! This crate reads and writes LTL formulas in the syntaxes of the field's tools. It simplifies and
//! classifies them, evaluates them on infinite words (optionally with a proof), and generates
//! formulas for tests of other programs. It is the foundation of Sempre, and useful on its own.
//!
//! # A first example
//!
//! Simplifies a specification, classifies it in the hierarchy of Manna and Pnueli, and explains why
//! a word violates it:
//!
//! ```
//! use sempre_ltl::{Formula, Traits, Word, semantics::proof, simplify};
//!
//! // Every request is granted eventually, and there is some grant.
//! let spec: Formula = "!F(request & !F grant) & F(F grant | G grant)".parse()?;
//! assert_eq!(spec.size(), 14);
//!
//! let simple = simplify(&spec);
//! assert_eq!(simple.to_string(), "Fgrant & G(!request | Fgrant)");
//!
//! assert!(simple.is(Traits::RECURRENCE | Traits::NEXT_FREE));
//! assert!(!simple.is(Traits::SAFETY));
//!
//! // A word is a prefix of letters and a cycle that repeats forever.
//! let word: Word = "request; grant; cycle{request; !request}".parse()?;
//! let proof = proof::explain(&simple, &word);
//! assert!(!proof.holds());
//! assert_eq!(
//!     proof.to_string(),
//!     "\
//! position 0: !grant & request
//! position 1: grant & !request
//! position 2: !grant & request    the cycle starts here
//! position 3: !grant & !request   2 comes next
//!
//! [1] Fgrant & G(!request | Fgrant) fails at 0: G(!request | Fgrant) fails at 0 [2]
//! [2] G(!request | Fgrant) fails at 0: !request | Fgrant fails at 2 [3]
//! [3] !request | Fgrant fails at 2: !request fails at 2, and Fgrant fails at 2 [4]
//! [4] Fgrant fails at 2: grant fails for ever, at 2 and 3
//! "
//! );
//! // An independent checker accepts the proof.
//! proof::check(&proof, &simple, &word)?;
//! # Ok::<(), sempre_ltl::Error>(())
//! ```
//!
//! # The modules
//!
//! **Formulas** ([`Formula`], [`Op`], [`Prop`], [`Traits`]) are built by constructors and
//! operators, and inspected by [`Formula::op`] and [`Formula::children`]. Size, depth and traits
//! are computed at construction, so accessing them is free.
//!
//! ```
//! use sempre_ltl::{Formula, Op, Traits};
//! let f = Formula::until("a", Formula::prop("b") & !Formula::next("c"));
//! assert_eq!((f.op(), f.size(), f.temporal_depth()), (Op::Until, 7, 2));
//! assert!(f.is(Traits::GUARANTEE));
//! ```
//!
//! **[`syntax`]** reads the infix syntaxes of Spot and Spin and the prefix syntax of lbt, and
//! writes these, LaTeX and Unicode. Writing and reading a formula gives the same formula. Errors
//! have a position and the expected input.
//!
//! ```
//! use sempre_ltl::{Notation, Syntax, syntax};
//! let f = syntax::parse("[](p -> <>q)", Syntax::Spin)?;
//! assert_eq!(f.display(Notation::Lbt).to_string(), "G i p F q");
//! let error = "G(p -> ".parse::<sempre_ltl::Formula>().unwrap_err();
//! assert_eq!((error.span(), error.expectation()), (Some(7..7), Some("a formula")));
//! # Ok::<(), sempre_ltl::Error>(())
//! ```
//!
//! **[`word`]** has the words of the form `prefix; cycle{…}`, made from text, letters or a function.
//!
//! ```
//! use sempre_ltl::Word;
//! let word: Word = "a; cycle{b; a; b; a}".parse()?;
//! assert_eq!(word.reduced().to_string(), "cycle{a&!b; !a&b}");
//! # Ok::<(), sempre_ltl::Error>(())
//! ```
//!
//! **[`semantics`]** decides whether a word satisfies a formula, at which positions, and why. It
//! has an evaluator on bit vectors, a simple model checker as its oracle, and proofs.
//!
//! ```
//! use sempre_ltl::{Word, semantics::Evaluator};
//! let evaluator = Evaluator::new(&"G(a -> X b)".parse()?);
//! let words = ["cycle{a; b}", "b; cycle{a}"].map(str::parse::<Word>);
//! assert_eq!(words.map(|word| word.map(|word| evaluator.holds(&word))), [Ok(true), Ok(false)]);
//! # Ok::<(), sempre_ltl::Error>(())
//! ```
//!
//! **[`rewrite`]** changes formulas: negation normal form, removal of operators, substitution, new
//! names, and simplification by levels of rules. The rules are listed in a
//! [table](rewrite::simplify::rules) and named by
//! [explanations](rewrite::simplify::Simplifier::explain).
//!
//! ```
//! use sempre_ltl::{Formula, Op, rewrite::{self, simplify::{Level, Simplifier}}};
//! let f: Formula = "!(a W b)".parse()?;
//! assert_eq!(rewrite::nnf(&f).to_string(), "!a M !b");
//! assert_eq!(rewrite::unabbreviate(&f, &[Op::WeakUntil])?.to_string(), "!(b R (a | b))");
//! let (g, steps) = Simplifier::new(Level::Pure).explain(&"F(a & G F b)".parse()?);
//! assert_eq!((g.to_string().as_str(), steps[0].rule.name), ("Fa & GFb", "pure-operand"));
//! # Ok::<(), sempre_ltl::Error>(())
//! ```
//!
//! **[`generate`]** creates formulas for tests: random ones, reproducible from a seed on every
//! machine; scalable families; the pattern sets of the literature.
//!
//! ```
//! use sempre_ltl::generate::{family::Family, patterns::PatternSet, random::RandomFormulas};
//! let mut random = RandomFormulas::over(["a", "b"]).sizes(5..=10).seed(1).generate()?;
//! assert!((5..=10).contains(&random.next().unwrap()?.size()));
//! assert_eq!(Family::by_name("gh-e").unwrap().formula(2)?.to_string(), "Fa1 & Fa2");
//! assert_eq!(PatternSet::by_name("dac").unwrap().formulas().count(), 55);
//! # Ok::<(), sempre_ltl::Error>(())
//! ```
//!
//! # Sharing, memory and threads
//!
//! Formulas are hash-consed: equal formulas of a process are one object. Copying one increments a
//! reference count, and comparing two compares pointers. A formula with many equal subformulas
//! takes the memory of the distinct ones. A map from formulas is as cheap as a map from numbers.
//! The table behind this holds formulas weakly: the memory of a formula is freed with its last
//! copy, without any setup. Formulas, words and evaluators are `Send` and `Sync`. The table is
//! split into shards with a lock each, which threads hold briefly when they build formulas.
//!
//! The order of formulas, such as the operands of `&`, depends only on their structure, never on
//! addresses or on earlier formulas: the same input gives the same output.
//!
//! # Deep formulas
//!
//! The recursion depth never depends on the nesting of a formula: a formula of 100,000 nested
//! operators is parsed, printed, rewritten, evaluated and dropped on any stack. Algorithms that
//! would be slow on huge formulas do less there, and document the limit.
//!
//! # Features
//!
//! - `proptest` (off by default) adds the module `arbitrary`: strategies for formulas and words,
//!   with shrinking, for the property tests of other crates.

#[cfg(any(test, feature = "proptest"))]
pub mod arbitrary;
mod error;
mod formula;
pub mod generate;
pub mod interrupt;
pub mod nearest;
mod op;
pub mod options;
mod prop;
pub mod rewrite;
pub mod semantics;
pub mod syntax;
pub mod word;

pub use error::Error;
pub use formula::{Formula, Subformulas, Traits, transform};
pub use op::{Arity, Op};
pub use prop::Prop;
pub use rewrite::simplify;
pub use syntax::{Notation, Syntax};
pub use word::Word;
