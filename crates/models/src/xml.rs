//! XML for the readers of nets and properties: a stream of events with their positions.

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
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

    /// Returns the next event and its bytes, with comments and declarations, which the caller
    /// skips.
    pub(crate) fn next(&mut self) -> Result<(Range<usize>, Event<'_>), Error> {
        sempre_ltl::interrupt::poll();
        self.buffer.clear();
        let start = self.reader.buffer_position() as usize;
        let event = self.reader.read_event_into(&mut self.buffer);
        let end = self.reader.buffer_position() as usize;
        // The end of an empty element has no bytes; its position is that of the start.
        if end > start || !matches!(event, Ok(Event::End(_))) {
            self.span = start..end;
        }
        match event {
            Ok(event) => Ok((self.span.clone(), event)),
            Err(quick_xml::Error::Io(error)) => {
                Err(Error::new(format!("the file cannot be read: {error}")))
            }
            Err(error) => {
                let place = self.reader.error_position() as usize;
                Err(Error::at(place..place, format!("broken XML: {error}")))
            }
        }
    }

    /// The bytes of the last event.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Skips the rest of the element whose start was the last event.
    pub(crate) fn skip_element(&mut self) -> Result<(), Error> {
        let begun = self.span();
        let mut depth = 1_u64;
        while depth > 0 {
            match self.next()?.1 {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(Error::at(begun, "the element is not closed")),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the trimmed text of the element whose start was the last event, with its bytes.
    pub(crate) fn element_text(&mut self) -> Result<(String, Range<usize>), Error> {
        let begun = self.span();
        let mut text = String::new();
        let mut span = begun.end..begun.end;
        loop {
            let (place, event) = self.next()?;
            match event {
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::CData(part) => text.push_str(&part.xml10_content()),
                Event::GeneralRef(reference) => text.push(resolve(&reference, &place)?),
                Event::Start(_) => return Err(Error::at(place, "an element within a text")),
                Event::End(_) => break,
                Event::Eof => return Err(Error::at(begun, "the element is not closed")),
                _ => {}
            }
            span.end = place.end;
        }
        let trimmed = text.trim();
        if trimmed.len() < text.len() {
            text = trimmed.to_owned();
        }
        Ok((text, span))
    }
}

/// Returns the character of a reference.
pub(crate) fn resolve(reference: &BytesRef<'_>, span: &Range<usize>) -> Result<char, Error> {
    let meaning = match reference.resolve_char_ref() {
        Ok(Some(character)) => Some(character),
        Ok(None) => resolve_predefined_entity(reference).and_then(|text| text.chars().next()),
        Err(_) => None,
    };
    meaning.ok_or_else(|| Error::at(span.clone(), format!("unknown entity `&{};`", &**reference)))
}

/// Returns the name of an element without its prefix.
pub(crate) fn local_name<'a>(tag: &'a BytesStart<'_>) -> &'a str {
    tag.local_name().into_inner()
}

/// Returns the value of an attribute, with any prefix, if the element has it.
pub(crate) fn attribute(
    tag: &BytesStart<'_>,
    span: &Range<usize>,
    name: &str,
) -> Result<Option<String>, Error> {
    let broken =
        |error: &dyn std::fmt::Display| Error::at(span.clone(), format!("broken XML: {error}"));
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| broken(&error))?;
        if attribute.key.local_name().as_ref() == name {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return Ok(Some(value.map_err(|error| broken(&error))?.into_owned()));
        }
    }
    Ok(None)
}

/// Returns the value of a required attribute.
pub(crate) fn required_attribute(
    tag: &BytesStart<'_>,
    span: &Range<usize>,
    name: &str,
) -> Result<String, Error> {
    attribute(tag, span, name)?.ok_or_else(|| {
        Error::at(span.clone(), format!("`{}` has no attribute `{name}`", local_name(tag)))
    })
}
