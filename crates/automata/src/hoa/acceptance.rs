//! The `Acceptance:` and `acc-name:` headers.
//!
//! Conditions are recursive values, so their nesting is limited to [`MAX_DEPTH`] alternations of
//! conjunctions and disjunctions. This suffices for parity conditions of a thousand colours.

use super::lexer::{Fault, Lexer, Result};
use crate::acceptance::{Acceptance, Condition, Named, Parity, ParityKind};
use crate::marks::{Mark, Marks};

/// The maximal number of alternations of conjunctions and disjunctions in a condition.
const MAX_DEPTH: usize = 1024;

/// The maximal nesting of parentheses, including redundant ones.
const MAX_OPEN: usize = 4 * MAX_DEPTH;

/// The maximal number of marks: an edge stores all bits up to its largest mark.
const MAX_MARKS: u32 = 4096;

/// The maximal number of marks for a semantic comparison of condition and name; above, the
/// comparison is syntactic.
const MAX_COMPARED: u32 = 10;

/// An `Acceptance:` header. Terms over complements of marks have been replaced by terms over other
/// marks, which every edge without the original must get.
#[derive(Debug)]
pub(super) struct Conditions {
    pub(super) acceptance: Acceptance,
    /// The number of marks that the header declares and edges use.
    pub(super) declared: u32,
    /// Pairs of a mark and the mark for its complement. Both are equal if only the complement is
    /// used.
    pub(super) complements: Vec<(Mark, Mark)>,
}

impl Conditions {
    /// Returns the marks of an edge with these declared marks, including complements.
    pub(super) fn with_complements(&self, marks: &Marks) -> Marks {
        let flipped: Marks =
            self.complements.iter().filter(|(m, c)| m == c).map(|pair| pair.0).collect();
        let mut result = marks - &flipped;
        for (mark, complement) in &self.complements {
            if !marks.contains(*mark) {
                result.insert(*complement);
            }
        }
        result
    }
}

/// A term of a condition as written: `Fin(!0)` is `(false, 0, true)`.
type Term = (bool, Mark, bool);

/// Operators and parentheses that await their right side.
#[derive(Clone, Copy, PartialEq)]
enum Pending {
    Or,
    And,
    Open(usize),
}

/// Reads the value of `Acceptance:`.
pub(super) fn conditions(lexer: &mut Lexer<'_>) -> Result<Conditions> {
    lexer.peek()?;
    let at = lexer.pos;
    let declared = lexer.number("the number of acceptance sets")?;
    if declared > MAX_MARKS {
        let message = format!("{declared} acceptance sets are too many");
        return Err(lexer
            .fault(at, lexer.pos - at, message)
            .wants(&format!("at most {MAX_MARKS}")));
    }
    let mut terms: Vec<Term> = vec![];
    let condition = formula(lexer, declared, &mut terms)?;
    let (mut plain, mut negated) = (Marks::EMPTY, Marks::EMPTY);
    for (_, mark, complement) in &terms {
        if *complement { negated.insert(*mark) } else { plain.insert(*mark) }
    }
    // If only the complement of a mark is used, the mark itself can represent it.
    let mut marks = declared;
    let mut complements: Vec<(Mark, Mark)> = vec![];
    for mark in negated.iter() {
        if plain.contains(mark) {
            complements.push((mark, marks));
            marks += 1;
        } else {
            complements.push((mark, mark));
        }
    }
    if marks > MAX_MARKS {
        let message = "there are too many acceptance sets and complements of them";
        return Err(lexer.fault(at, 1, message).wants(&format!("at most {MAX_MARKS}")));
    }
    // The formula was built over the numbers of its terms.
    let condition = condition.replace(&|number| {
        let (Condition::Inf(number) | Condition::Fin(number)) = number else {
            unreachable!("a term")
        };
        let (inf, mark, complement) = terms[*number as usize];
        let place = complements.binary_search_by_key(&mark, |pair| pair.0);
        let mark = match place {
            Ok(place) if complement => complements[place].1,
            _ => mark,
        };
        if inf { Condition::Inf(mark) } else { Condition::Fin(mark) }
    });
    Ok(Conditions { acceptance: Acceptance::new(marks, condition), declared, complements })
}

/// Parses the formula; each term is represented by its index in `terms`.
fn formula(lexer: &mut Lexer<'_>, declared: u32, terms: &mut Vec<Term>) -> Result<Condition> {
    let mut pending: Vec<Pending> = vec![];
    // Values with their depths.
    let mut values: Vec<(Condition, usize)> = vec![];
    let mut open = 0;
    loop {
        // An operand.
        match lexer.peek()? {
            Some(b'(') => {
                open += 1;
                if open > MAX_OPEN {
                    return Err(too_deep(lexer));
                }
                pending.push(Pending::Open(lexer.pos));
                lexer.pos += 1;
                continue;
            }
            Some(b't' | b'f' | b'I' | b'F') => {
                values.push((term(lexer, declared, terms)?, 0));
            }
            _ => return Err(lexer.unexpected("`Inf`, `Fin`, `t`, `f` or `(`")),
        }
        // The operator after it.
        loop {
            let next = lexer.peek()?;
            let binds = |op: Pending| match next {
                Some(b'&') => op == Pending::And,
                _ => op == Pending::And || op == Pending::Or,
            };
            while let Some(op) = pending.pop_if(|op| binds(*op)) {
                let (right, left) = (values.pop(), values.pop());
                let (Some(left), Some(right)) = (left, right) else { unreachable!("two operands") };
                let conjunction = op == Pending::And;
                let depth = |(value, depth): &(Condition, usize)| match (value, conjunction) {
                    (Condition::And(_), true) | (Condition::Or(_), false) => *depth,
                    _ => depth + 1,
                };
                let depth = depth(&left).max(depth(&right));
                if depth > MAX_DEPTH {
                    return Err(too_deep(lexer));
                }
                values.push((join(conjunction, left.0, right.0), depth));
            }
            match (next, pending.last()) {
                (Some(op @ (b'&' | b'|')), _) => {
                    pending.push(if op == b'&' { Pending::And } else { Pending::Or });
                    lexer.pos += 1;
                    break;
                }
                (Some(b')'), Some(_)) => {
                    pending.pop();
                    open -= 1;
                    lexer.pos += 1;
                }
                (_, Some(Pending::Open(at))) => {
                    let fault = lexer.fault(*at, 1, "the parenthesis is not closed");
                    return Err(fault.wants("`)`"));
                }
                _ => {
                    let value = values.pop().map(|(condition, _)| condition);
                    return Ok(value.unwrap_or_else(|| unreachable!("one value is left")));
                }
            }
        }
    }
}

#[cold]
fn too_deep(lexer: &Lexer<'_>) -> Box<Fault> {
    let fault = lexer.fault(lexer.pos, 1, "the acceptance condition is nested too deeply");
    fault.wants(&format!("at most {MAX_DEPTH} alternations of `&` and `|`"))
}

/// Like [`Condition::and`] and [`Condition::or`] of two operands, but appends to a long list in
/// place.
fn join(conjunction: bool, left: Condition, right: Condition) -> Condition {
    match (conjunction, left, right) {
        (true, Condition::And(mut all), right @ (Condition::Inf(_) | Condition::Fin(_))) => {
            all.push(right);
            Condition::And(all)
        }
        (false, Condition::Or(mut all), right @ (Condition::Inf(_) | Condition::Fin(_))) => {
            all.push(right);
            Condition::Or(all)
        }
        (true, left, right) => Condition::and([left, right]),
        (false, left, right) => Condition::or([left, right]),
    }
}

fn term(lexer: &mut Lexer<'_>, declared: u32, terms: &mut Vec<Term>) -> Result<Condition> {
    let at = lexer.pos;
    let inf = match lexer.word() {
        "t" => return Ok(Condition::True),
        "f" => return Ok(Condition::False),
        "Inf" => true,
        "Fin" => false,
        _ => {
            lexer.pos = at;
            return Err(lexer.unexpected("`Inf`, `Fin`, `t`, `f` or `(`"));
        }
    };
    lexer.expect(b'(')?;
    let complement = lexer.eat(b'!')?;
    let mark = mark(lexer, declared)?;
    lexer.expect(b')')?;
    terms.push((inf, mark, complement));
    Ok(Condition::Inf(terms.len() as u32 - 1))
}

/// Reads the number of a declared mark.
pub(super) fn mark(lexer: &mut Lexer<'_>, declared: u32) -> Result<Mark> {
    lexer.peek()?;
    let at = lexer.pos;
    let mark = lexer.number("an acceptance set")?;
    if mark < declared { Ok(mark) } else { Err(no_such_mark(lexer, at, mark, declared)) }
}

#[cold]
fn no_such_mark(lexer: &Lexer<'_>, at: usize, mark: Mark, declared: u32) -> Box<Fault> {
    let fault = lexer.fault(at, lexer.pos - at, format!("acceptance set {mark} is not declared"));
    match declared {
        0 => fault,
        n => fault.wants(&format!("a number below {n}")),
    }
}

/// A name with its parameters, as in `acc-name:`.
pub(super) struct AccName<'t> {
    pub(super) at: usize,
    pub(super) width: usize,
    pub(super) name: &'t str,
    pub(super) words: Vec<&'t str>,
    pub(super) numbers: Vec<u32>,
}

impl AccName<'_> {
    /// Checks that the name does not contradict the condition. Unknown names are accepted.
    pub(super) fn check(&self, lexer: &Lexer<'_>, conditions: &Conditions) -> Result<()> {
        let fault = |message: &str| lexer.fault(self.at, self.width, message);
        let Some(named) = self.named() else {
            let message = format!("the parameters of {} are wrong", self.name);
            return Err(fault(&message));
        };
        let Some(named) = named else { return Ok(()) };
        let acceptance = &conditions.acceptance;
        // The size comes first, because the condition of a name may be huge.
        if needed(&named) != u64::from(conditions.declared) {
            let message = format!("{} needs {} acceptance sets", self.name, needed(&named));
            return Err(fault(&message).wants(&format!("a name for {}", conditions.declared)));
        }
        let meant = named.acceptance();
        // No name has complements of sets.
        if !conditions.complements.is_empty() {
            let fault = fault("the name contradicts a condition over complements of sets");
            return Err(fault.wants(&meant.condition().to_string()));
        }
        // Parity conditions differ in their verdict if no mark is seen infinitely often.
        let first = u64::from(matches!(named, Named::Parity(_)));
        let contradiction = meant != *acceptance
            && conditions.declared <= MAX_COMPARED
            && (first..1 << conditions.declared)
                .map(Marks::from_bits)
                .any(|seen| meant.accepts(&seen) != acceptance.accepts(&seen));
        if contradiction {
            let condition = acceptance.condition();
            let message = format!("the name contradicts the condition {condition}");
            return Err(fault(&message).wants(&meant.condition().to_string()));
        }
        Ok(())
    }

    /// Returns the condition with this name: `None` if the parameters are wrong, `Some(None)` if
    /// the name is unknown.
    fn named(&self) -> Option<Option<Named>> {
        let parity = |kind: &str, odd: &str, marks: u32| {
            let kind = match kind {
                "min" => ParityKind::Min,
                "max" => ParityKind::Max,
                _ => return None,
            };
            let odd = match odd {
                "odd" => true,
                "even" => false,
                _ => return None,
            };
            Some(Named::Parity(Parity { kind, odd, marks }))
        };
        let named = match (self.name, &self.words[..], &self.numbers[..]) {
            ("all", [], []) => Named::All,
            ("none", [], []) => Named::None,
            ("Buchi", [], []) => Named::Buchi,
            ("co-Buchi", [], []) => Named::CoBuchi,
            ("generalized-Buchi", [], [n]) => Named::GeneralizedBuchi(*n),
            ("generalized-co-Buchi", [], [n]) => Named::GeneralizedCoBuchi(*n),
            ("Rabin", [], [n]) => Named::Rabin(*n),
            ("Streett", [], [n]) => Named::Streett(*n),
            ("generalized-Rabin", [], [n, infs @ ..]) if *n as usize == infs.len() => {
                Named::GeneralizedRabin(infs.to_vec())
            }
            ("parity", [kind, odd], [n]) => parity(kind, odd, *n)?,
            (
                "all"
                | "none"
                | "Buchi"
                | "co-Buchi"
                | "generalized-Buchi"
                | "generalized-co-Buchi"
                | "Rabin"
                | "Streett"
                | "generalized-Rabin"
                | "parity",
                ..,
            ) => return None,
            _ => return Some(None),
        };
        Some(Some(named))
    }
}

/// Returns the number of marks of the condition with this name.
fn needed(named: &Named) -> u64 {
    match named {
        Named::All | Named::None => 0,
        Named::Buchi | Named::CoBuchi => 1,
        Named::GeneralizedBuchi(n) | Named::GeneralizedCoBuchi(n) => u64::from(*n),
        Named::Rabin(n) | Named::Streett(n) => 2 * u64::from(*n),
        Named::GeneralizedRabin(infs) => infs.iter().map(|n| u64::from(*n) + 1).sum(),
        Named::Parity(parity) => u64::from(parity.marks),
    }
}
