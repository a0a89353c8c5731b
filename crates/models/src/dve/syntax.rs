//! The syntax tree of models, before name resolution.

use crate::expression::Binary;
use std::ops::Range;

/// A name, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Term<'a> {
    Number(i64),
    Variable(Place<'a>),
    /// `Process.state`
    Location(Name<'a>, Name<'a>),
    Not(Box<Term<'a>>),
    Negate(Box<Term<'a>>),
    Complement(Box<Term<'a>>),
    Binary(Binary, Box<Term<'a>>, Box<Term<'a>>),
    And(Vec<Term<'a>>),
    Or(Vec<Term<'a>>),
}

/// `variable`, `array[index]`, `Process->variable`, `Process->array[index]`
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    pub(super) process: Option<Name<'a>>,
    pub(super) name: Name<'a>,
    pub(super) index: Option<Box<Term<'a>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// From 0 to 255.
    Byte,
    /// From -32768 to 32767.
    Int,
}

#[derive(Clone, Debug)]
pub(super) struct Variable<'a> {
    pub(super) constant: bool,
    pub(super) kind: Type,
    pub(super) name: Name<'a>,
    /// The number of elements, for an array.
    pub(super) length: Option<Term<'a>>,
    pub(super) initial: Option<Initial<'a>>,
}

#[derive(Clone, Debug)]
pub(super) struct Initial<'a> {
    /// In braces.
    pub(super) many: bool,
    pub(super) values: Vec<Term<'a>>,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Channel<'a> {
    pub(super) name: Name<'a>,
    pub(super) types: Option<Vec<Type>>,
    pub(super) capacity: Option<Term<'a>>,
}

#[derive(Clone, Debug)]
pub(super) struct Process<'a> {
    pub(super) name: Name<'a>,
    pub(super) variables: Vec<Variable<'a>>,
    pub(super) channels: Vec<Channel<'a>>,
    pub(super) states: Vec<Name<'a>>,
    pub(super) initial: Name<'a>,
    pub(super) committed: Vec<Name<'a>>,
    /// Accepting and urgent states: looked up, and of no other use.
    pub(super) mentioned: Vec<Name<'a>>,
    pub(super) assertions: Vec<Assertion<'a>>,
    pub(super) transitions: Vec<Transition<'a>>,
}

#[derive(Clone, Debug)]
pub(super) struct Assertion<'a> {
    pub(super) state: Name<'a>,
    pub(super) condition: Term<'a>,
    /// The text of the condition.
    pub(super) text: &'a str,
}

#[derive(Clone, Debug)]
pub(super) struct Transition<'a> {
    pub(super) from: Name<'a>,
    pub(super) to: Name<'a>,
    pub(super) guard: Vec<Term<'a>>,
    pub(super) sync: Option<Sync<'a>>,
    pub(super) effects: Vec<(Place<'a>, Term<'a>)>,
    pub(super) source: Source<'a>,
}

/// A transition as it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Source<'a> {
    /// The line, from 1.
    pub(super) line: usize,
    /// Its parts without their keywords.
    pub(super) guard: &'a str,
    pub(super) sync: &'a str,
    pub(super) effect: &'a str,
}

#[derive(Clone, Debug)]
pub(super) struct Sync<'a> {
    pub(super) channel: Name<'a>,
    pub(super) values: Passed<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum Passed<'a> {
    Sent(Vec<Term<'a>>),
    Received(Vec<Place<'a>>),
}

#[derive(Clone, Debug)]
pub(super) struct File<'a> {
    pub(super) variables: Vec<Variable<'a>>,
    pub(super) channels: Vec<Channel<'a>>,
    pub(super) processes: Vec<Process<'a>>,
    /// True if all processes step simultaneously.
    pub(super) synchronous: bool,
    /// The process that is not part of the system but a property of it.
    pub(super) property: Option<Name<'a>>,
    pub(super) notes: Vec<String>,
}
