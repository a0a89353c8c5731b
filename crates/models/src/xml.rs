//! XML as the readers of nets and properties see it: a stream of events with their positions.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use sempre_ltl::Error;
use std::io::BufRead;
use std::ops::Range;

/// A stream of XML events. Empty elements are a start and an end; names are without their prefix.
pub(crate) struct Xml<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
    span: Range<usize>,
}

impl<R: BufRead> Xml<R> {
    pub(crate) fn new(input: R) -> Self {
        let mut reader = Reader::from_reader(input);
        reader.config_mut().expand_empty_elements = true;
        Xml { reader, buffer: vec![], span: 0..0 }
    }

    /// The next event; comments and declarations are among them, for the caller to pass over.
    pub(crate) fn next(&mut self) -> Result<Event<'_>, Error> {
        sempre_ltl::interrupt::poll();
        self.buffer.clear();
        let start = self.reader.buffer_position() as usize;
        let event = self.reader.read_event_into(&mut self.buffer);
        let end = self.reader.buffer_position() as usize;
        // The end of an empty element takes no bytes: it is where its start is.
        if end > start {
            self.span = start..end;
        }
        match event {
            Ok(event) => Ok(event),
            Err(error) => {
                let start = (self.reader.error_position() as usize).min(end);
                Err(Error::at(start..end, format!("broken XML: {error}")))
            }
        }
    }

    /// The bytes of the last event.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Passes over the rest of the element whose start was the last event.
    pub(crate) fn skip_element(&mut self) -> Result<(), Error> {
        let begun = self.span();
        let mut depth = 1_u64;
        while depth > 0 {
            match self.next()? {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(Error::at(begun, "the element is not closed")),
                _ => {}
            }
        }
        Ok(())
    }

    /// The text of the element whose start was the last event, without spaces around it, and the
    /// bytes it takes.
    pub(crate) fn element_text(&mut self) -> Result<(String, Range<usize>), Error> {
        let begun = self.span();
        let mut text = String::new();
        let mut span = begun.end..begun.end;
        loop {
            let event = self.next()?;
            match event {
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::CData(part) => text.push_str(&part.xml10_content()),
                Event::GeneralRef(reference) => match resolve(&reference) {
                    Some(character) => text.push(character),
                    None => {
                        let message = format!("unknown entity `&{};`", &*reference);
                        return Err(Error::at(self.span(), message));
                    }
                },
                Event::Start(_) => {
                    return Err(Error::at(self.span(), "an element within a text"));
                }
                Event::End(_) => break,
                Event::Eof => return Err(Error::at(begun, "the element is not closed")),
                _ => {}
            }
            span.end = self.span.end;
        }
        let trimmed = text.trim();
        if trimmed.len() < text.len() {
            text = trimmed.to_owned();
        }
        Ok((text, span))
    }
}

fn resolve(reference: &BytesRef<'_>) -> Option<char> {
    if reference.is_char_ref() {
        return reference.resolve_char_ref().ok().flatten();
    }
    match &**reference {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    }
}

/// The name of an element without its prefix.
pub(crate) fn local_name<'a>(start: &'a BytesStart<'_>) -> &'a str {
    start.local_name().into_inner()
}

/// The value of an attribute, if the element has it.
pub(crate) fn attribute(
    start: &BytesStart<'_>,
    name: &str,
    span: &Range<usize>,
) -> Result<Option<String>, Error> {
    let broken = |error: &dyn std::fmt::Display| {
        Error::at(span.clone(), format!("a broken attribute: {error}"))
    };
    match start.try_get_attribute(name).map_err(|error| broken(&error))? {
        None => Ok(None),
        Some(attribute) => attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map(|value| Some(value.into_owned()))
            .map_err(|error| broken(&error)),
    }
}

/// The value of an attribute that the element must have.
pub(crate) fn required_attribute(
    start: &BytesStart<'_>,
    name: &str,
    span: &Range<usize>,
) -> Result<String, Error> {
    attribute(start, name, span)?.ok_or_else(|| {
        Error::at(span.clone(), format!("`{}` has no attribute `{name}`", local_name(start)))
    })
}
