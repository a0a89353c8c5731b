//! Proofs as text.
//!
//! First the word, a position per line; then numbered claims, the conclusion first, each with what
//! it follows from and the numbers of the claims that show that. Claims about one formula at
//! several positions share a line if the same argument proves them. What a letter shows at
//! once (literals) gets no line.

use super::{Premise, Proof, Reason, Step};
use crate::syntax::Notation;
use crate::{Arity, Formula, Op, Word};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// Formulas with more nodes are shown by their outermost operator.
const LARGEST_SHOWN: u64 = 100;

impl fmt::Display for Proof {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(conclusion) = self.steps.first() else { return Ok(()) };
        letters(&self.word.with_props(conclusion.formula.props()), out)?;
        writeln!(out)?;
        self.arguments().iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

impl Proof {
    /// Returns the numbered lines of the proof, without the word.
    pub fn arguments(&self) -> Vec<String> {
        if self.steps.is_empty() {
            return Vec::new();
        }
        let mut text = Text::new(self);
        let mut lines = Vec::new();
        while let Some(&argument) = text.numbered.get(lines.len()) {
            let line = text.line(argument);
            lines.push(format!("[{}] {line}", lines.len() + 1));
        }
        lines
    }

    /// Returns the propositions that the proof reads off the word, by position: those on which the
    /// claim depends.
    pub fn observed(&self) -> BTreeMap<usize, Vec<(crate::Prop, bool)>> {
        let mut observed: BTreeMap<usize, Vec<(crate::Prop, bool)>> = BTreeMap::new();
        for step in &self.steps {
            if let Some(prop) = step.formula.as_prop() {
                observed.entry(step.position).or_default().push((prop.clone(), step.holds));
            }
        }
        observed.values_mut().for_each(|props| props.sort());
        observed
    }
}

/// The word, a position per line.
fn letters(word: &Word, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let digits = (word.len() - 1).to_string().len();
    let letters: Vec<String> = (0..word.len())
        .map(|position| {
            let literal = |prop| {
                let not = if word.value(position, prop) { "" } else { "!" };
                format!("{not}{}", Notation::Spot.prop(prop))
            };
            match word.props() {
                [] => "1".to_owned(),
                props => props.iter().map(literal).collect::<Vec<_>>().join(" & "),
            }
        })
        .collect();
    let width = letters.iter().map(|letter| letter.chars().count()).max().unwrap_or(0);
    for (position, letter) in letters.iter().enumerate() {
        let first = position == word.prefix_len();
        let last = position + 1 == word.len();
        let remark = match (first, last) {
            (true, true) => "for ever".to_owned(),
            (true, false) => "the cycle starts here".to_owned(),
            (false, true) => format!("{} comes next", word.prefix_len()),
            (false, false) => String::new(),
        };
        let line = format!("position {position:digits$}: {letter:width$}   {remark}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Why a group of claims is true, but for the positions.
#[derive(PartialEq, Eq, Hash)]
enum Kind {
    Letter,
    Operands(Vec<(Formula, bool)>),
    Next,
    /// The witness, and whether it comes only after the end of the cycle.
    Before(usize, bool),
    Through(usize, bool),
    Forever,
}

/// Claims about one formula that are proved in the same way.
struct Argument<'a> {
    formula: &'a Formula,
    holds: bool,
    steps: Vec<&'a Step>,
}

struct Text<'a> {
    word: &'a Word,
    arguments: Vec<Argument<'a>>,
    /// The argument for each claim.
    claims: FxHashMap<(&'a Formula, bool, usize), usize>,
    /// The arguments that have been mentioned, in that order; their numbers count from 1.
    numbered: Vec<usize>,
    numbers: FxHashMap<usize, usize>,
    names: FxHashMap<&'a Formula, String>,
}

impl<'a> Text<'a> {
    fn new(proof: &'a Proof) -> Self {
        let word = &proof.word;
        let mut arguments: Vec<Argument<'a>> = vec![];
        let mut kinds: FxHashMap<(&Formula, bool, Kind), usize> = FxHashMap::default();
        let mut claims = FxHashMap::default();
        for step in &proof.steps {
            let kind = (&step.formula, step.holds, kind(step, word));
            let argument = *kinds.entry(kind).or_insert(arguments.len());
            if argument == arguments.len() {
                let Step { formula, holds, .. } = step;
                arguments.push(Argument { formula, holds: *holds, steps: vec![] });
            }
            arguments[argument].steps.push(step);
            claims.insert((&step.formula, step.holds, step.position), argument);
        }
        Text {
            word,
            arguments,
            claims,
            numbered: vec![0],
            numbers: FxHashMap::from_iter([(0, 1)]),
            names: FxHashMap::default(),
        }
    }

    /// A formula as it is shown.
    fn name(&mut self, formula: &'a Formula) -> &str {
        self.names.entry(formula).or_insert_with(|| {
            let op = formula.op().name();
            match formula.op().arity() {
                _ if formula.size() <= LARGEST_SHOWN => formula.to_string(),
                Arity::Leaf => formula.to_string(),
                Arity::Unary => format!("{op} (...)"),
                Arity::Binary | Arity::Nary => format!("(...) {op} (...)"),
            }
        })
    }

    fn line(&mut self, argument: usize) -> String {
        let Argument { formula, holds, ref steps } = self.arguments[argument];
        let steps = steps.clone();
        let positions = runs(steps.iter().map(|step| step.position..step.position + 1));
        let claim = format!("{} {} {}", self.name(formula), verb(holds), at(&positions));
        let reason = match steps[0].reason {
            Reason::Letter if formula.as_prop().is_some() => "its letter says so".to_owned(),
            Reason::Letter => "it is a constant".to_owned(),
            _ => self.reason(&steps),
        };
        format!("{claim}: {reason}")
    }

    /// The premises of the steps of an argument.
    fn reason(&mut self, steps: &[&'a Step]) -> String {
        // The premises of each step are in the same order, but for those that speak of no
        // position, which are left out at the end.
        let count = steps.iter().map(|step| step.premises.len()).max().unwrap_or(0);
        let mut phrases = vec![];
        for i in 0..count {
            let premises: Vec<&'a Premise> =
                steps.iter().filter_map(|step| step.premises.get(i)).collect();
            let when = match (&kind(steps[0], self.word), i) {
                (Kind::Next, _) => " next,",
                (Kind::Before(_, true) | Kind::Through(_, true), 0) => " in the next round,",
                (Kind::Before(..), 1) => " before,",
                (Kind::Through(..), 1) => " up to there,",
                (Kind::Forever, _) => " for ever,",
                _ => "",
            };
            phrases.push((premises[0].holds, self.phrase(&premises, when)));
        }
        let opposed = matches!(phrases[..], [(one, _), (other, _)] if one != other);
        let phrases: Vec<String> = phrases.into_iter().map(|(_, phrase)| phrase).collect();
        enumerated(&phrases, if opposed { ", but" } else { ", and" })
    }

    /// The text of premises about one formula, with the numbers of the claims that prove it.
    fn phrase(&mut self, premises: &[&'a Premise], when: &str) -> String {
        let Premise { formula, holds, .. } = premises[0];
        let positions = runs(premises.iter().flat_map(|premise| {
            let (first, end) = (premise.first, premise.first + premise.count);
            let (len, loop_start) = (self.word.len(), self.word.prefix_len());
            [first..end.min(len), loop_start..loop_start + end.saturating_sub(len)]
        }));
        let places = if is_evident(formula) {
            at(&positions)
        } else {
            // The parts of the positions that different arguments are about.
            let mut parts: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
            for position in positions.into_iter().flatten() {
                if let Some(&argument) = self.claims.get(&(formula, *holds, position)) {
                    let number = self.number(argument);
                    parts.entry(number).or_default().push(position..position + 1);
                }
            }
            let places: Vec<String> = parts
                .into_iter()
                .map(|(number, positions)| format!("{} [{number}]", at(&runs(positions))))
                .collect();
            enumerated(&places, ", and")
        };
        format!("{} {}{when} {places}", self.name(formula), verb(*holds))
    }

    /// The number of an argument, which it gets when it is mentioned first.
    fn number(&mut self, argument: usize) -> usize {
        *self.numbers.entry(argument).or_insert_with(|| {
            self.numbered.push(argument);
            self.numbered.len()
        })
    }
}

fn kind(step: &Step, word: &Word) -> Kind {
    let strict = matches!(step.formula.op(), Op::StrictFinally | Op::StrictGlobally);
    let first_wraps = strict && step.position + 1 == word.len();
    let wraps = |witness: usize| first_wraps || witness < step.position + usize::from(strict);
    match step.reason {
        Reason::Letter => Kind::Letter,
        Reason::Operands => Kind::Operands(
            step.premises.iter().map(|premise| (premise.formula.clone(), premise.holds)).collect(),
        ),
        Reason::Next => Kind::Next,
        Reason::Before { witness } => Kind::Before(witness, wraps(witness)),
        Reason::Through { witness } => Kind::Through(witness, wraps(witness)),
        Reason::Forever => Kind::Forever,
    }
}

/// True if a look at the letter shows the value of the formula.
fn is_evident(formula: &Formula) -> bool {
    formula.is_literal() || formula.op().arity() == Arity::Leaf
}

fn verb(holds: bool) -> &'static str {
    if holds { "holds" } else { "fails" }
}

/// Sorts ranges and joins those that touch.
fn runs(ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> =
        ranges.into_iter().filter(|range| !range.is_empty()).collect();
    ranges.sort_by_key(|range| range.start);
    let mut runs: Vec<Range<usize>> = vec![];
    for range in ranges {
        match runs.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => runs.push(range),
        }
    }
    runs
}

/// `at 0, 2 to 5 and 7`
fn at(runs: &[Range<usize>]) -> String {
    let mut places = vec![];
    for run in runs {
        if run.len() <= 2 {
            places.extend(run.clone().map(|position| position.to_string()));
        } else {
            places.push(format!("{} to {}", run.start, run.end - 1));
        }
    }
    format!("at {}", enumerated(&places, " and"))
}

/// `x, y and z` if `and` is ` and`.
fn enumerated(items: &[String], and: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{}{and} {last}", first.join(", ")),
    }
}
