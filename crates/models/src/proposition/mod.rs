//! Propositions about the states of a model, as text: `"Place >= 2"`, `"P.x + 1 < Q.y"`,
//! `"fireable(t)"`.
//!
//! The grammar, from the weakest operators to the strongest:
//!
//! ```text
//! proposition = disjunction { "->" disjunction }          to the right
//!             | disjunction "<->" disjunction
//! disjunction = parity { ("|" | "||" | "or") parity }
//! parity      = conjunction { ("^" | "xor") conjunction }
//! conjunction = comparison { ("&" | "&&" | "and") comparison }
//! comparison  = sum [ ("<" | "<=" | ">" | ">=" | "=" | "==" | "!=") sum ]
//! sum         = product { ("+" | "-") product }
//! product     = prefixed { ("*" | "/" | "%") prefixed }   to the left
//! prefixed    = { "-" | "!" | "not" } primary
//! primary     = number | name | name "[" proposition "]" | "(" proposition ")"
//!             | ("fireable" | "fired") "(" name { "," name } ")"
//!             | "deadlock" | "true" | "false"
//! ```
//!
//! `fireable(t)` holds in states that t can leave, `fired(t)` at steps by t: a proposition is either
//! about states or one `fired`. `P@s` is `P.s`, as in Spin.
//!
//! A name consists of letters, digits, `_`, `.` and `@`, and does not begin with a digit or a dot; any
//! other name stands between single quotes, in which a backslash takes away the meaning of the
//! letter after it. A name by itself holds where its value is not 0: where a place is marked, where
//! a process is in a state. Arithmetic is that of integers, division rounds towards zero; what does not fit in 64 bits is an error.

mod bind;
mod lexer;
mod linear;
mod plain;
mod quotes;
mod sets;
mod syntax;

#[cfg(test)]
mod tests;

pub use bind::is_about_names;
pub use plain::PlainPropositions;
pub use quotes::{missing_quotes, quoted, written, written_value};
pub use sets::{Algebra, LinearSum};

use crate::expression::{Expr, Program};
use crate::layout::Footprint;
use crate::system::{ActionId, Actions, Expander, Fault, Scope};
use sempre_ltl::Error;

/// The limit on propositions that are observed together: they are the bits of a word.
pub const MOST: usize = 64;

/// Propositions that have been compiled for a system.
///
/// ```
/// use sempre_models::expression::Expr;
/// use sempre_models::layout::{Field, Layout};
/// use sempre_models::proposition::Propositions;
/// use sempre_models::{Meaning, Scope};
/// # struct Pair(Field, Field);
/// # impl Scope for Pair {
/// #     fn resolve(&self, name: &str) -> Option<Meaning> {
/// #         let field = match name { "x" => self.0, "y" => self.1, _ => return None };
/// #         Some(Meaning::Value(Expr::Value(field)))
/// #     }
/// #     fn fireable(&self, _: &str) -> Option<Expr> { None }
/// #     fn value_names(&self) -> Vec<String> { vec!["x".into(), "y".into()] }
/// #     fn action_names(&self) -> Vec<String> { Vec::new() }
/// # }
/// # let mut layout = Layout::default();
/// # let scope = Pair(layout.field(0, 7), layout.field(0, 7));
/// let propositions = Propositions::compile(&scope, ["x + 2 * y <= 9", "!x"])?;
/// assert_eq!(propositions.len(), 2);
/// let error = Propositions::compile(&scope, ["x < z"]).unwrap_err();
/// assert_eq!(error.to_string(), "the model has nothing named `z`, expected `x` or `y`");
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Propositions {
    compiled: Vec<Compiled>,
    /// The propositions that depend on whether the state is a deadlock, as bits.
    about_deadlocks: u64,
    /// The propositions about steps, as bits.
    about_steps: u64,
}

#[derive(Clone, Debug)]
struct Compiled {
    expression: Expr,
    program: Program,
    /// The expression to evaluate in deadlocks, if it differs.
    in_deadlocks: Option<(Expr, Program)>,
    footprint: Footprint,
    /// The actions of which one happens, if it is about steps. The expression is false then.
    fired: Option<Vec<Actions>>,
}

impl Propositions {
    /// Reads propositions about a system; the i-th is bit i of [valuations](Self::valuation).
    ///
    /// # Errors
    /// If one of them is wrong (the place in the error is that in its own text), or there are more
    /// than [`MOST`]. To know which one is wrong, [`push`](Self::push) them one by one.
    pub fn compile<'a>(
        scope: &dyn Scope,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Error> {
        let mut propositions = Propositions::default();
        for text in texts {
            propositions.push(scope, text)?;
        }
        Ok(propositions)
    }

    /// Adds a proposition and returns its number.
    ///
    /// # Errors
    /// If it is wrong, or there are [`MOST`] already.
    pub fn push(&mut self, scope: &dyn Scope, text: &str) -> Result<usize, Error> {
        let number = self.compiled.len();
        if number == MOST {
            return Err(Error::new(format!(
                "there are more than {MOST} propositions, which is as many as can be observed"
            )));
        }
        let is_name = |name: &str| scope.resolve(name).is_some();
        let mut term = syntax::parse_or_name(text, is_name)?;
        term.name_elements(&is_name);
        if let Some(fired) = bind::event(scope, &term)? {
            self.about_steps |= 1 << number;
            let (expression, footprint) = (Expr::Constant(0), Footprint::default());
            let (program, fired) = (Program::new(&expression), Some(fired));
            self.compiled.push(Compiled {
                expression,
                program,
                in_deadlocks: None,
                footprint,
                fired,
            });
            return Ok(number);
        }
        let alive = bind::proposition(scope, &term, false)?;
        let dead = bind::proposition(scope, &term, true)?;
        let mut footprint = Footprint::default();
        alive.read(&mut footprint);
        dead.read(&mut footprint);
        let in_deadlocks = (dead != alive).then(|| {
            let program = Program::new(&dead);
            (dead, program)
        });
        self.about_deadlocks |= u64::from(in_deadlocks.is_some()) << number;
        let program = Program::new(&alive);
        self.compiled.push(Compiled {
            expression: alive,
            program,
            in_deadlocks,
            footprint,
            fired: None,
        });
        Ok(number)
    }

    /// The expression of a proposition, in deadlocks or in other states.
    pub fn expression(&self, number: usize, deadlock: bool) -> &Expr {
        let compiled = &self.compiled[number];
        match &compiled.in_deadlocks {
            Some((expression, _)) if deadlock => expression,
            _ => &compiled.expression,
        }
    }

    /// The bits that a proposition reads, besides whether the state is a deadlock.
    pub fn footprint(&self, number: usize) -> &Footprint {
        &self.compiled[number].footprint
    }

    /// Returns some of the propositions, in the order of the numbers.
    ///
    /// # Panics
    /// If there is no proposition of a number.
    pub fn select(&self, numbers: impl IntoIterator<Item = usize>) -> Self {
        let mut selected = Propositions::default();
        for number in numbers {
            let compiled = self.compiled[number].clone();
            let place = selected.compiled.len();
            selected.about_deadlocks |= u64::from(compiled.in_deadlocks.is_some()) << place;
            selected.about_steps |= u64::from(compiled.fired.is_some()) << place;
            selected.compiled.push(compiled);
        }
        selected
    }

    /// Adds a proposition about single states.
    ///
    /// # Errors
    /// As for [`push`](Self::push), and if it is about steps.
    pub fn push_about_states(&mut self, scope: &dyn Scope, text: &str) -> Result<usize, Error> {
        let number = self.push(scope, text)?;
        if self.about_steps >> number & 1 == 1 {
            return Err(Error::at(0..text.len(), "`fired` is about steps, not about states")
                .expected("`fireable`, or a formula for `sempre check`"));
        }
        Ok(number)
    }

    /// Returns their number.
    pub fn len(&self) -> usize {
        self.compiled.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.compiled.is_empty()
    }

    /// True if one of them depends on whether the state is a deadlock.
    pub fn is_about_deadlocks(&self) -> bool {
        self.about_deadlocks != 0
    }

    /// True if one of them is about steps: `fired(t)`.
    pub fn is_about_steps(&self) -> bool {
        self.about_steps != 0
    }

    /// The propositions about steps that hold at a step by this action: bit i is that of the i-th.
    /// None of them holds where the state of a deadlock repeats.
    pub fn fired(&self, action: ActionId) -> u64 {
        let mut valuation = 0;
        for (number, compiled) in self.compiled.iter().enumerate() {
            let is_one = |actions: &Actions| actions.contains(action);
            let holds = compiled.fired.as_ref().is_some_and(|any| any.iter().any(is_one));
            valuation |= u64::from(holds) << number;
        }
        valuation
    }

    /// The propositions that hold in a state: bit i is that of the i-th; those about steps do not.
    ///
    /// # Errors
    /// If a proposition divides by zero or has an index out of range in this state.
    pub fn valuation(&self, expander: &mut dyn Expander, state: &[u32]) -> Result<u64, Fault> {
        let deadlock = self.about_deadlocks != 0 && expander.is_deadlock(state)?;
        self.holding(state, deadlock)
    }

    /// As [`valuation`](Self::valuation), for a state of which it is known whether it is a deadlock.
    ///
    /// # Errors
    /// As for [`valuation`](Self::valuation).
    #[inline]
    pub fn holding(&self, state: &[u32], deadlock: bool) -> Result<u64, Fault> {
        let mut valuation = 0;
        for (number, compiled) in self.compiled.iter().enumerate() {
            let program = match &compiled.in_deadlocks {
                Some((_, program)) if deadlock => program,
                _ => &compiled.program,
            };
            valuation |= u64::from(program.holds(state)?) << number;
        }
        Ok(valuation)
    }
}
