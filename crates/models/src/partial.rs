//! Partially known states.
//!
//! The relation of an event is computed by firing it on an unknown state: it stops at the
//! first variable that it reads, and is tried again for each value of that one. So a table of the
//! event has no row for variables that it does not read, and these need not be known in advance.

use crate::layout::Field;
use crate::system::Fault;
use std::cell::Cell;

/// The target of expressions and effects: the words of a state, or a [`PartialState`].
pub(crate) trait Memory {
    /// The value of a field.
    ///
    /// # Errors
    /// If that is not known.
    fn raw(&self, field: Field) -> Result<u32, Box<Fault>>;

    /// Replaces bits of a word: the ones that are kept, and the new ones.
    fn replace(&mut self, word: usize, keep: u32, bits: u32);

    /// The value of a variable.
    ///
    /// # Errors
    /// If it is not known.
    #[inline]
    fn get(&self, field: Field) -> Result<i64, Box<Fault>> {
        Ok(i64::from(self.raw(field)?) + field.least())
    }

    /// Gives a variable another value; one that it cannot have wraps around.
    #[inline]
    fn set_wrapping(&mut self, field: Field, value: i64) {
        let raw = value.wrapping_sub(field.least()) as u32 & field.mask();
        self.replace(field.word(), !(field.mask() << field.shift()), raw << field.shift());
    }
}

impl Memory for [u32] {
    #[inline]
    fn raw(&self, field: Field) -> Result<u32, Box<Fault>> {
        Ok((self[field.word()] >> field.shift()) & field.mask())
    }

    #[inline]
    fn replace(&mut self, word: usize, keep: u32, bits: u32) {
        let word = &mut self[word];
        *word = *word & keep | bits;
    }
}

/// The outcome of an event in a [`PartialState`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The system cannot decide, however much of the state is known.
    Unsupported,
    /// This variable must be known.
    Needs(Field),
    /// The event cannot happen.
    Disabled,
    /// It happens, and the state is the one after it.
    Done,
    /// It does something that has no meaning.
    Fault,
}

/// A state of which some variables are known, and some were written.
#[derive(Clone, Debug)]
pub struct PartialState {
    words: Vec<u32>,
    known: Vec<u32>,
    written: Vec<u32>,
    needed: Cell<Option<Field>>,
}

impl PartialState {
    /// A state of `words` words of which nothing is known.
    pub fn new(words: usize) -> Self {
        PartialState {
            words: vec![0; words],
            known: vec![0; words],
            written: vec![0; words],
            needed: Cell::new(None),
        }
    }

    /// Clears all values.
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.known.fill(0);
        self.written.fill(0);
        self.needed.set(None);
    }

    /// Lets a field hold a number, which must fit.
    pub fn know(&mut self, field: Field, raw: u32) {
        let mask = field.mask() << field.shift();
        let word = &mut self.words[field.word()];
        *word = *word & !mask | raw << field.shift();
        self.known[field.word()] |= mask;
    }

    /// The written value of a field.
    pub fn written(&self, field: Field) -> Option<u32> {
        let mask = field.mask() << field.shift();
        let raw = (self.words[field.word()] >> field.shift()) & field.mask();
        (self.written[field.word()] & mask == mask).then_some(raw)
    }

    /// The outcome of a computation on this state that returned whether the event is enabled.
    pub(crate) fn attempt(&self, tried: Result<bool, Box<Fault>>) -> Attempt {
        match (self.needed.get(), tried) {
            (Some(field), _) => Attempt::Needs(field),
            (None, Ok(true)) => Attempt::Done,
            (None, Ok(false)) => Attempt::Disabled,
            (None, Err(_)) => Attempt::Fault,
        }
    }
}

impl Memory for PartialState {
    fn raw(&self, field: Field) -> Result<u32, Box<Fault>> {
        let mask = field.mask() << field.shift();
        if self.known[field.word()] & mask != mask {
            self.needed.set(Some(field));
            let message = "a value is not known".to_owned();
            return Err(Box::new(Fault::Undefined { action: None, message }));
        }
        Ok((self.words[field.word()] >> field.shift()) & field.mask())
    }

    fn replace(&mut self, word: usize, keep: u32, bits: u32) {
        self.words[word] = self.words[word] & keep | bits;
        self.known[word] |= !keep;
        self.written[word] |= !keep;
    }
}
