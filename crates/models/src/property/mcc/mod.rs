//! The property files of the Model Checking Contest: XML with formulas over cardinalities of places
//! (`tokens-count`, `integer-le`) and over transitions (`is-fireable`).
//!
//! A formula is read if it is one of linear time: `all-paths` around everything, or none. Places
//! of a sum are added up, several transitions mean that one of them is fireable. Propositions are
//! texts in one form, so that equal ones are the same: the terms of a sum and the transitions are
//! sorted. Formulas may be nested as deep as they like, and files may be large: the cost is linear
//! in the file, apart from that sorting.

#[cfg(test)]
mod tests;

use super::Property;
use crate::proposition::quoted;
use crate::xml::{Xml, local_name};
use quick_xml::events::Event;
use sempre_ltl::{Error, Formula};
use std::fmt::Write;
use std::ops::Range;

/// Reads the properties of a file, in the order of the file.
///
/// ```
/// use sempre_models::property::mcc;
/// let text = "<property-set><property><id>two</id><description>always</description><formula>
///   <all-paths><globally><integer-le>
///     <tokens-count><place>p</place><place>a place</place></tokens-count>
///     <integer-constant>2</integer-constant>
///   </integer-le></globally></all-paths>
/// </formula></property></property-set>";
/// let properties = mcc::read(text)?;
/// assert_eq!(properties[0].name, "two");
/// assert_eq!(properties[0].formula.to_string(), r#"G"'a place' + p <= 2""#);
/// # Ok::<(), sempre_models::Error>(())
/// ```
///
/// # Errors
/// If the XML is broken or there is something in a formula that has no meaning in linear time:
/// with the bytes of the text that are to blame.
pub fn read(text: &str) -> Result<Vec<Property>, Error> {
    let mut reader = Reader::default();
    let mut xml = Xml::new(text.as_bytes());
    loop {
        let (span, event) = xml.next()?;
        match event {
            Event::Start(start) => match Tag::of(local_name(&start)) {
                Some(tag) => reader.start(tag, span, &mut xml)?,
                None if !reader.is_in_formula() => {}
                None => {
                    let name = local_name(&start);
                    let message = format!("`{name}` is not known in formulas of linear time");
                    return Err(Error::at(span, message));
                }
            },
            Event::End(end) => {
                if let Some(tag) = Tag::of(end.local_name().into_inner()) {
                    reader.end(tag, span)?;
                }
            }
            Event::Eof => break,
            Event::Text(_) if reader.is_in_formula() && !text[span.clone()].trim().is_empty() => {
                let start = span.end - text[span.clone()].trim_start().len();
                let end = start + text[span].trim().len();
                return Err(Error::at(start..end, "a text between the parts of a formula"));
            }
            _ => {}
        }
    }
    match reader.frames.last() {
        Some(frame) => Err(Error::at(frame.span.clone(), "the element is not closed")),
        None if !reader.is_a_set => {
            let first = text.chars().next().map_or(0, char::len_utf8);
            let nothing = Error::at(0..first, "no properties");
            Err(nothing.expected("the element `property-set`"))
        }
        None => Ok(reader.properties),
    }
}

/// The elements that mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    PropertySet,
    Property,
    Id,
    Description,
    Formula,
    AllPaths,
    ExistsPath,
    Globally,
    Finally,
    Next,
    Until,
    Before,
    Reach,
    Negation,
    Conjunction,
    Disjunction,
    True,
    False,
    Deadlock,
    IsFireable,
    Transition,
    IntegerLe,
    IntegerConstant,
    TokensCount,
    Place,
}

impl Tag {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "property-set" => Tag::PropertySet,
            "property" => Tag::Property,
            "id" => Tag::Id,
            "description" => Tag::Description,
            "formula" => Tag::Formula,
            "all-paths" => Tag::AllPaths,
            "exists-path" => Tag::ExistsPath,
            "globally" => Tag::Globally,
            "finally" => Tag::Finally,
            "next" => Tag::Next,
            "until" => Tag::Until,
            "before" => Tag::Before,
            "reach" => Tag::Reach,
            "negation" => Tag::Negation,
            "conjunction" => Tag::Conjunction,
            "disjunction" => Tag::Disjunction,
            "true" => Tag::True,
            "false" => Tag::False,
            "deadlock" => Tag::Deadlock,
            "is-fireable" => Tag::IsFireable,
            "transition" => Tag::Transition,
            "integer-le" => Tag::IntegerLe,
            "integer-constant" => Tag::IntegerConstant,
            "tokens-count" => Tag::TokensCount,
            "place" => Tag::Place,
            _ => return None,
        })
    }

    /// True if the element is one around which others belong to no formula.
    fn is_outside(self) -> bool {
        matches!(self, Tag::PropertySet | Tag::Property | Tag::Id | Tag::Description)
    }
}

/// An element that is not closed yet.
struct Frame {
    tag: Tag,
    span: Range<usize>,
    /// How many formulas, integers and names had been read before.
    formulas: usize,
    integers: usize,
    names: usize,
}

/// A side of an inequality.
enum Integer {
    Constant(u64),
    Tokens(String),
}

#[derive(Default)]
struct Reader {
    frames: Vec<Frame>,
    properties: Vec<Property>,
    is_a_set: bool,
    /// The name of the property that is being read.
    name: Option<String>,
    // The operands of the open elements so far.
    formulas: Vec<Formula>,
    integers: Vec<Integer>,
    names: Vec<String>,
}

impl Reader {
    fn is_in_formula(&self) -> bool {
        self.frames.last().is_some_and(|frame| !frame.tag.is_outside())
    }

    fn start(&mut self, tag: Tag, span: Range<usize>, xml: &mut Xml<&[u8]>) -> Result<(), Error> {
        let parent = self.frames.last().map(|frame| frame.tag);
        let operands = self.formulas.len() - self.frames.last().map_or(0, |frame| frame.formulas);
        let fits = match tag {
            Tag::PropertySet => parent.is_none(),
            Tag::Property => parent == Some(Tag::PropertySet),
            Tag::Id | Tag::Description | Tag::Formula => parent == Some(Tag::Property),
            Tag::AllPaths => parent == Some(Tag::Formula),
            Tag::ExistsPath => false,
            Tag::Before => parent == Some(Tag::Until) && operands == 0,
            Tag::Reach => parent == Some(Tag::Until) && operands == 1,
            Tag::Transition => parent == Some(Tag::IsFireable),
            Tag::Place => parent == Some(Tag::TokensCount),
            Tag::IntegerConstant | Tag::TokensCount => parent == Some(Tag::IntegerLe),
            _ => matches!(
                parent,
                Some(
                    Tag::Formula
                        | Tag::AllPaths
                        | Tag::Globally
                        | Tag::Finally
                        | Tag::Next
                        | Tag::Before
                        | Tag::Reach
                        | Tag::Negation
                        | Tag::Conjunction
                        | Tag::Disjunction
                )
            ),
        };
        if !fits {
            return Err(Error::at(span, misplaced(tag)));
        }
        match tag {
            Tag::PropertySet => self.is_a_set = true,
            Tag::Property => self.name = None,
            // Texts end here, and get no frame.
            Tag::Id => {
                self.name = Some(xml.element_text()?.0);
                return Ok(());
            }
            Tag::Description => return xml.skip_element(),
            Tag::Transition | Tag::Place => {
                let (name, _) = xml.element_text()?;
                if name.is_empty() {
                    return Err(Error::at(span, "an empty name"));
                }
                self.names.push(name);
                return Ok(());
            }
            Tag::IntegerConstant => {
                let (text, place) = xml.element_text()?;
                let Ok(number) = text.parse() else {
                    let message = format!("`{text}` is not a number of tokens");
                    return Err(Error::at(place, message));
                };
                self.integers.push(Integer::Constant(number));
                return Ok(());
            }
            _ => {}
        }
        self.frames.push(Frame {
            tag,
            span,
            formulas: self.formulas.len(),
            integers: self.integers.len(),
            names: self.names.len(),
        });
        Ok(())
    }

    fn end(&mut self, tag: Tag, end: Range<usize>) -> Result<(), Error> {
        let Some(frame) = self.frames.pop() else {
            return Err(Error::at(end, "an end without a start"));
        };
        let wrong = |message: &str| Err(Error::at(frame.span.clone(), message));
        let operands = self.formulas.len() - frame.formulas;
        let formula = match tag {
            Tag::PropertySet => return Ok(()),
            Tag::Property => {
                let Some(formula) = self.formulas.pop() else {
                    return wrong("the property has no formula");
                };
                if operands > 1 {
                    return wrong("the property has several formulas");
                }
                let Some(name) = self.name.take() else {
                    return wrong("the property has no `id`");
                };
                self.properties.push(Property { name, formula });
                return Ok(());
            }
            // A conjunction within a conjunction is one: its operands are left to the outer one.
            Tag::Conjunction | Tag::Disjunction
                if self.frames.last().is_some_and(|outer| outer.tag == tag) && operands > 0 =>
            {
                return Ok(());
            }
            Tag::Conjunction => Formula::and(self.formulas.drain(frame.formulas..)),
            Tag::Disjunction => Formula::or(self.formulas.drain(frame.formulas..)),
            Tag::Until => {
                if operands != 2 {
                    return wrong("`until` takes `before` and `reach`");
                }
                match (self.formulas.pop(), self.formulas.pop()) {
                    (Some(reach), Some(before)) => Formula::until(before, reach),
                    _ => return wrong("`until` takes `before` and `reach`"),
                }
            }
            Tag::True | Tag::False => Formula::constant(tag == Tag::True),
            Tag::Deadlock => Formula::prop("deadlock"),
            Tag::IsFireable => fireable(self.names.drain(frame.names..).collect()),
            Tag::TokensCount => {
                let text = tokens(self.names.drain(frame.names..).collect());
                self.integers.push(Integer::Tokens(text));
                return Ok(());
            }
            Tag::IntegerLe => {
                if self.integers.len() - frame.integers != 2 {
                    return wrong("`integer-le` takes two integers");
                }
                match (self.integers.pop(), self.integers.pop()) {
                    (Some(right), Some(left)) => at_most(left, right),
                    _ => return wrong("`integer-le` takes two integers"),
                }
            }
            _ => {
                if operands != 1 {
                    return wrong("the element takes one formula");
                }
                let Some(operand) = self.formulas.pop() else {
                    return wrong("the element takes one formula");
                };
                match tag {
                    Tag::Globally => Formula::globally(operand),
                    Tag::Finally => Formula::finally(operand),
                    Tag::Next => Formula::next(operand),
                    Tag::Negation => Formula::not(operand),
                    _ => operand,
                }
            }
        };
        self.formulas.push(formula);
        Ok(())
    }
}

fn misplaced(tag: Tag) -> &'static str {
    match tag {
        Tag::AllPaths | Tag::ExistsPath => {
            "a formula of linear time speaks of all paths, once and around everything else"
        }
        Tag::Before | Tag::Reach => "`before` and then `reach` are the parts of `until`",
        Tag::Transition => "a transition is part of `is-fireable`",
        Tag::Place => "a place is part of `tokens-count`",
        Tag::IntegerConstant | Tag::TokensCount => "an integer is part of `integer-le`",
        _ => "the element is not expected here",
    }
}

/// One of the transitions is fireable.
fn fireable(mut names: Vec<String>) -> Formula {
    if names.is_empty() {
        return Formula::ff();
    }
    names.sort_unstable();
    names.dedup();
    let mut text = String::from("fireable(");
    for (position, name) in names.iter().enumerate() {
        if position > 0 {
            text.push_str(", ");
        }
        text.push_str(&quoted(name));
    }
    text.push(')');
    Formula::prop(text)
}

/// The tokens of all these places together; a place that is named twice counts twice.
fn tokens(mut names: Vec<String>) -> String {
    names.sort_unstable();
    let mut text = String::new();
    for name in &names {
        if !text.is_empty() {
            text.push_str(" + ");
        }
        text.push_str(&quoted(name));
    }
    if text.is_empty() { String::from("0") } else { text }
}

fn at_most(left: Integer, right: Integer) -> Formula {
    let mut text = String::new();
    match (&left, &right) {
        (Integer::Constant(left), Integer::Constant(right)) => {
            return Formula::constant(left <= right);
        }
        (Integer::Tokens(left), Integer::Tokens(right)) if left == right => return Formula::tt(),
        _ => {}
    }
    for (position, side) in [left, right].into_iter().enumerate() {
        if position > 0 {
            text.push_str(" <= ");
        }
        match side {
            Integer::Constant(number) => write!(text, "{number}").unwrap_or_default(),
            Integer::Tokens(tokens) => text.push_str(&tokens),
        }
    }
    Formula::prop(text)
}
