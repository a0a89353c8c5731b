//! Boolean expressions over the propositions: labels and the definitions of aliases.
//!
//! An explicit stack holds operators (Dijkstra's shunting yard), so nesting is unlimited. A table
//! stores the texts of labels, because automata repeat their labels.

use super::lexer::{Fault, Lexer, Result};
use crate::label::{Alphabet, Cube, Label, MAX_NODES};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximal length of a label text in the table.
const MAX_REMEMBERED: usize = 128;

/// The maximal total length of the table's texts; beyond, it is cleared.
const MAX_MEMORY: usize = 1 << 20;

/// A step of an expression in postfix order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'t> {
    Constant(bool),
    /// A proposition, with the position of its number.
    Prop(u32, usize),
    /// An alias, with the position of its name.
    Alias(&'t str, usize),
    Not,
    And,
    Or,
}

/// Reads an expression up to the first token that cannot continue it, and reports its steps in
/// postfix order.
pub(super) fn expression<'t>(
    lexer: &mut Lexer<'t>,
    pending: &mut Vec<(u8, usize)>,
    mut step: impl FnMut(Step<'t>) -> Result<()>,
) -> Result<()> {
    pending.clear();
    loop {
        operand(lexer, pending, &mut step)?;
        loop {
            while pending.last().is_some_and(|(op, _)| *op == b'!') {
                pending.pop();
                step(Step::Not)?;
            }
            let next = lexer.peek()?;
            let binds = |op: u8| match next {
                Some(b'&') => op == b'&',
                _ => op == b'&' || op == b'|',
            };
            while let Some(&(op, _)) = pending.last().filter(|(op, _)| binds(*op)) {
                pending.pop();
                step(if op == b'&' { Step::And } else { Step::Or })?;
            }
            match (next, pending.last()) {
                (Some(op @ (b'&' | b'|')), _) => {
                    pending.push((op, lexer.pos));
                    lexer.pos += 1;
                    break;
                }
                (Some(b')'), Some(_)) => {
                    pending.pop();
                    lexer.pos += 1;
                }
                (_, Some(&(_, open))) => {
                    let fault = lexer.fault(open, 1, "the parenthesis is not closed");
                    return Err(fault.wants("`)`"));
                }
                (_, None) => return Ok(()),
            }
        }
    }
}

fn operand<'t>(
    lexer: &mut Lexer<'t>,
    pending: &mut Vec<(u8, usize)>,
    step: &mut impl FnMut(Step<'t>) -> Result<()>,
) -> Result<()> {
    loop {
        let byte = lexer.peek()?;
        let at = lexer.pos;
        match byte {
            Some(op @ (b'!' | b'(')) => {
                pending.push((op, at));
                lexer.pos += 1;
            }
            Some(b'0'..=b'9') => return step(Step::Prop(lexer.number("a proposition")?, at)),
            Some(b'@') => return step(Step::Alias(lexer.alias()?, at)),
            Some(b't' | b'f') => {
                let word = lexer.word();
                if word.len() > 1 {
                    lexer.pos = at;
                    return Err(lexer.unexpected("a label"));
                }
                return step(Step::Constant(word == "t"));
            }
            _ => return Err(lexer.unexpected("a label")),
        }
    }
}

/// Labels over one alphabet, with a table of texts.
pub(super) struct Labels<'t> {
    alphabet: Arc<Alphabet>,
    aliases: FxHashMap<&'t str, Label>,
    values: Vec<Label>,
    pending: Vec<(u8, usize)>,
    cube: Cube,
    memory: Memory,
}

/// Labels by their texts. Automata over the same alphabet can share it.
#[derive(Default)]
pub(super) struct Memory {
    texts: Vec<u8>,
    table: HashTable<TextRange>,
}

struct TextRange {
    start: u32,
    len: u32,
    hash: u64,
    label: Label,
}

impl Memory {
    pub(super) fn clear(&mut self) {
        self.texts.clear();
        self.table.clear();
    }

    fn find(&self, text: &[u8], hash: u64) -> Option<Label> {
        let same = |known: &TextRange| {
            let start = known.start as usize;
            known.len as usize == text.len() && self.texts[start..start + text.len()] == *text
        };
        self.table.find(hash, same).map(|known| known.label)
    }

    fn insert(&mut self, text: &[u8], hash: u64, label: Label) {
        if self.texts.len() + text.len() > MAX_MEMORY {
            self.clear();
        }
        let start = self.texts.len() as u32;
        self.texts.extend_from_slice(text);
        let known = TextRange { start, len: text.len() as u32, hash, label };
        self.table.insert_unique(hash, known, |known| known.hash);
    }
}

fn hash(text: &[u8]) -> u64 {
    let mut hash = text.len() as u64;
    let mut mix = |word: u64| {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        hash = (product >> 64) as u64 ^ product as u64;
    };
    let mut chunks = text.chunks_exact(8);
    for chunk in &mut chunks {
        mix(u64::from_le_bytes(chunk.try_into().unwrap_or_else(|_| unreachable!("8 bytes"))));
    }
    mix(chunks.remainder().iter().fold(1, |word, byte| word << 8 | u64::from(*byte)));
    hash
}

impl<'t> Labels<'t> {
    pub(super) fn new(alphabet: Arc<Alphabet>, memory: Memory) -> Self {
        let (aliases, values, pending) = (FxHashMap::default(), vec![], vec![]);
        Labels { alphabet, aliases, values, pending, cube: vec![], memory }
    }

    /// Returns the table, for another automaton over the same alphabet.
    pub(super) fn into_memory(mut self) -> Memory {
        if !self.aliases.is_empty() {
            self.memory.clear();
        }
        self.memory
    }

    /// Defines an alias, which must be new.
    pub(super) fn define(
        &mut self,
        lexer: &Lexer<'_>,
        (name, at): (&'t str, usize),
        steps: &[Step<'t>],
    ) -> Result<()> {
        // Labels in the table may use the alias.
        if self.aliases.is_empty() {
            self.memory.clear();
        }
        self.values.clear();
        for step in steps {
            evaluate(lexer, &self.alphabet, &self.aliases, &mut self.values, *step)?;
        }
        let label = self.values.pop().unwrap_or_else(|| unreachable!("one value is left"));
        if self.aliases.insert(name, label).is_some() {
            let width = name.len() + 1;
            return Err(lexer.fault(at, width, format!("the alias @{name} is defined twice")));
        }
        Ok(())
    }

    /// Reads a label in brackets; the next token is `[`.
    pub(super) fn label(&mut self, lexer: &mut Lexer<'t>) -> Result<Label> {
        lexer.pos += 1;
        let start = lexer.pos;
        let ahead = &lexer.text[start..lexer.text.len().min(start + MAX_REMEMBERED)];
        let text = match ahead.iter().position(|byte| matches!(byte, b']' | b'/')) {
            Some(len) if ahead[len] == b']' => &ahead[..len],
            _ => return self.parse(lexer),
        };
        let hash = hash(text);
        if let Some(label) = self.memory.find(text, hash) {
            lexer.pos += text.len() + 1;
            return Ok(label);
        }
        let label = if literals(text, self.alphabet.props().len(), &mut self.cube) {
            lexer.pos += text.len() + 1;
            self.alphabet.from_cube(&self.cube)
        } else {
            self.parse(lexer)?
        };
        self.memory.insert(text, hash, label);
        Ok(label)
    }

    fn parse(&mut self, lexer: &mut Lexer<'t>) -> Result<Label> {
        let Labels { alphabet, aliases, values, pending, .. } = self;
        values.clear();
        // Only for error positions.
        let text = Lexer { text: lexer.text, pos: lexer.pos };
        expression(lexer, pending, |step| evaluate(&text, alphabet, aliases, values, step))?;
        if !lexer.eat(b']')? {
            return Err(lexer.unexpected("an operator or `]`"));
        }
        Ok(values.pop().unwrap_or_else(|| unreachable!("one value is left")))
    }
}

/// Reads the most common form of labels, `0&!1&2`; false for any other text.
fn literals(text: &[u8], props: usize, cube: &mut Cube) -> bool {
    cube.clear();
    let mut pos = 0;
    let skip = |pos: &mut usize| {
        while text.get(*pos) == Some(&b' ') {
            *pos += 1;
        }
    };
    loop {
        skip(&mut pos);
        let positive = text.get(pos) != Some(&b'!');
        pos += usize::from(!positive);
        let start = pos;
        let mut prop = 0usize;
        while let Some(digit @ b'0'..=b'9') = text.get(pos) {
            prop = (prop * 10 + usize::from(digit - b'0')).min(props);
            pos += 1;
        }
        let leading_zero = pos > start + 1 && text[start] == b'0';
        if pos == start || leading_zero || prop >= props {
            return false;
        }
        cube.push((prop, positive));
        skip(&mut pos);
        match text.get(pos) {
            None => return true,
            Some(b'&') => pos += 1,
            Some(_) => return false,
        }
    }
}

fn evaluate(
    lexer: &Lexer<'_>,
    alphabet: &Alphabet,
    aliases: &FxHashMap<&str, Label>,
    values: &mut Vec<Label>,
    step: Step<'_>,
) -> Result<()> {
    let mut pop = || values.pop().unwrap_or_else(|| unreachable!("operators follow operands"));
    let value = match step {
        Step::Constant(true) => alphabet.tt(),
        Step::Constant(false) => alphabet.ff(),
        Step::Prop(prop, _) if (prop as usize) < alphabet.props().len() => {
            alphabet.prop(prop as usize)
        }
        Step::Prop(prop, at) => return Err(no_such_prop(lexer, alphabet, prop, at)),
        Step::Alias(name, at) => *aliases.get(name).ok_or_else(|| {
            let message = format!("the alias @{name} is not defined before it is used");
            lexer.fault(at, name.len() + 1, message)
        })?,
        Step::Not => alphabet.not(pop()),
        Step::And => {
            let right = pop();
            alphabet.and(pop(), right)
        }
        Step::Or => {
            let right = pop();
            alphabet.or(pop(), right)
        }
    };
    values.push(value);
    if alphabet.diagram_nodes() > MAX_NODES {
        let message = format!("the labels need more than {MAX_NODES} nodes of decision diagrams");
        return Err(lexer.fault(lexer.pos, 1, message));
    }
    Ok(())
}

#[cold]
fn no_such_prop(lexer: &Lexer<'_>, alphabet: &Alphabet, prop: u32, at: usize) -> Box<Fault> {
    let width = prop.to_string().len();
    let fault = lexer.fault(at, width, format!("proposition {prop} is not declared"));
    match alphabet.props().len() {
        0 => fault.wants("`t` or `f`, as there are no propositions"),
        n => fault.wants(&format!("a number below {n}")),
    }
}
