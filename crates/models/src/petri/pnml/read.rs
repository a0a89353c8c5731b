//! Reading place/transition nets from PNML.

use super::super::colour;
use super::super::net::{Net, NetBuilder, PlaceId, TransitionId};
use crate::nearest::suggestion;
use crate::xml::{self, Xml, attribute};
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;
use sempre_ltl::Error;
use std::io::BufRead;
use std::ops::Range;

/// The kind of net that a PNML file declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetType {
    /// A place/transition net.
    PlaceTransition,
    /// A symmetric or another high-level net.
    Coloured,
}

/// The type of the first net in a PNML file, of which no more is read than needed.
///
/// # Errors
/// If the file is no XML, or there is no net in it.
pub fn net_type(input: impl BufRead) -> Result<NetType, Error> {
    let mut xml = Xml::new(input);
    loop {
        match xml.next()? {
            (span, Event::Start(tag)) if tag.local_name().as_ref() == "net" => {
                return type_of(&tag, &span);
            }
            (span, Event::Eof) => return Err(no_net(span)),
            _ => {}
        }
    }
}

/// Reads a net from a PNML file. A coloured net is [unfolded](colour::ColouredNet::unfold), within the
/// usual [limits](colour::Limits).
///
/// ```
/// use sempre_models::petri::pnml;
/// let text = r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
///   <place id="idle"><initialMarking><text>2</text></initialMarking></place>
///   <transition id="start"/>
///   <arc id="a" source="idle" target="start"/>
/// </page></net></pnml>"#;
/// let net = pnml::read(text.as_bytes())?;
/// assert_eq!(net.initial(net.place("idle").unwrap()), 2);
/// let broken = pnml::read(text.replace("\"start\"/>\n</page>", "\"Start\"/>\n</page>").as_bytes());
/// assert_eq!(broken.unwrap_err().message(), "there is no node `Start` (did you mean `start`?)");
/// # Ok::<(), sempre_models::Error>(())
/// ```
///
/// # Errors
/// If the file is no XML or no such net; with the place in the file where that is seen.
pub fn read(input: impl BufRead) -> Result<Net, Error> {
    let mut xml = Xml::new(input);
    let mut reader = Reader::default();
    loop {
        let (span, event) = xml.next()?;
        match event {
            Event::Start(tag) => {
                if reader.start(&tag, &span)? == Some(NetType::Coloured) {
                    let net = colour::read_net(&mut xml, reader.net_id.take())?;
                    only_net(&mut xml)?;
                    return net.unfold(&colour::Limits::default());
                }
            }
            Event::End(_) => reader.end(&span)?,
            Event::Text(text) => reader.text(&text.xml10_content(), &span),
            Event::CData(text) => reader.text(&text.xml10_content(), &span),
            Event::GeneralRef(reference) => {
                let character = xml::resolve(&reference, &span)?;
                reader.text(character.encode_utf8(&mut [0; 4]), &span);
            }
            Event::Eof => return reader.finish(span),
            Event::Empty(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
    }
}

/// Reads the rest of a file after a net, to the end of `<pnml>`; there is no other net.
fn only_net<R: BufRead>(xml: &mut Xml<R>) -> Result<(), Error> {
    let mut depth = 1_u64;
    loop {
        match xml.next()? {
            (span, Event::Start(tag)) if tag.local_name().as_ref() == "net" => {
                return Err(second_net(&span));
            }
            (_, Event::Start(_)) => depth += 1,
            (_, Event::End(_)) => depth = depth.saturating_sub(1),
            (span, Event::Eof) if depth > 0 => {
                let message = format!("the file ends while {depth} elements are open");
                return Err(Error::at(span, message));
            }
            (_, Event::Eof) => return Ok(()),
            _ => {}
        }
    }
}

fn second_net(span: &Range<usize>) -> Error {
    Error::at(span.clone(), "there is more than one net in the file")
}

fn type_of(tag: &BytesStart<'_>, span: &Range<usize>) -> Result<NetType, Error> {
    let Some(name) = attribute(tag, span, "type")? else { return Ok(NetType::PlaceTransition) };
    let last = name.rsplit(['/', '#']).next().unwrap_or(&name).to_ascii_lowercase();
    match last.as_str() {
        "symmetricnet" | "highlevelnet" | "pt-hlpng" | "hlpng" | "hlnet" => Ok(NetType::Coloured),
        // Old files name the type in many ways, and most of them are place/transition nets.
        _ => Ok(NetType::PlaceTransition),
    }
}

fn no_net(span: Range<usize>) -> Error {
    Error::at(span, "there is no net in the file").expected("<pnml><net …>")
}

/// The elements that matter, each within the one that is meant by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Pnml,
    Net,
    Page,
    Place,
    Transition,
    Arc,
    Name,
    InitialMarking,
    Inscription,
    ArcType,
    Text,
    /// An element whose content does not matter.
    Other,
}

/// The number of an `id`.
type Symbol = usize;

#[derive(Clone, Debug)]
enum Node {
    /// So far there are only arcs and references to it.
    Unseen,
    Place(PlaceId),
    Transition(TransitionId),
    /// Stands for another node; is it a place?
    Reference(Symbol, bool, Range<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArcType {
    Normal,
    Inhibitor,
    /// Takes nothing: the tokens only have to be there.
    Test,
}

#[derive(Debug)]
struct Arc {
    source: Symbol,
    target: Symbol,
    weight: u32,
    kind: ArcType,
    span: Range<usize>,
}

#[derive(Default)]
struct Reader {
    builder: NetBuilder,
    open: Vec<Element>,
    /// How many open elements there are inside of one whose content does not matter.
    skipped: usize,
    symbols: FxHashMap<Box<str>, Symbol>,
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
    nets: usize,
    net_id: Option<String>,
    is_named: bool,
    /// The text of the innermost `<text>`, and where it is.
    text: String,
    text_span: Range<usize>,
    /// The data of the open place or transition so far.
    node: Option<Symbol>,
    name: Option<String>,
    tokens: u32,
    new_arc: Option<Arc>,
}

impl Reader {
    /// Opens an element; returns the type of the net if it is one.
    fn start(
        &mut self,
        tag: &BytesStart<'_>,
        span: &Range<usize>,
    ) -> Result<Option<NetType>, Error> {
        if self.skipped > 0 {
            self.skipped += 1;
            return Ok(None);
        }
        let element = match (self.open.last(), tag.local_name().as_ref()) {
            (None, "pnml") => Element::Pnml,
            (None, other) => {
                let message = format!("this is no PNML file: the outermost element is `{other}`");
                return Err(Error::at(span.clone(), message).expected("<pnml>"));
            }
            (Some(Element::Pnml), "net") => Element::Net,
            (Some(Element::Net | Element::Page), "page") => Element::Page,
            (
                Some(Element::Net | Element::Page),
                kind @ ("place" | "referencePlace" | "transition" | "referenceTransition"),
            ) => {
                return self.start_node(tag, span, kind).map(|()| None);
            }
            (Some(Element::Net | Element::Page), "arc") => {
                return self.start_arc(tag, span).map(|()| None);
            }
            (Some(Element::Net | Element::Place | Element::Transition), "name") => Element::Name,
            (Some(Element::Place), "initialMarking") => Element::InitialMarking,
            (Some(Element::Arc), "inscription") => Element::Inscription,
            (Some(Element::Arc), "type") => {
                if let Some(kind) = attribute(tag, span, "value")? {
                    self.arc_type(&kind, span)?;
                }
                Element::ArcType
            }
            (
                Some(
                    Element::Name
                    | Element::InitialMarking
                    | Element::Inscription
                    | Element::ArcType,
                ),
                "text",
            ) => {
                self.text.clear();
                self.text_span = span.end..span.end;
                Element::Text
            }
            (Some(Element::InitialMarking | Element::Inscription), "value") => {
                // Some old files have this in place of `<text>`.
                self.text.clear();
                self.text_span = span.end..span.end;
                Element::Text
            }
            _ => {
                self.skipped = 1;
                Element::Other
            }
        };
        if element == Element::Net {
            self.nets += 1;
            if self.nets > 1 {
                return Err(second_net(span));
            }
            self.net_id = attribute(tag, span, "id")?;
            self.open.push(element);
            return type_of(tag, span).map(Some);
        }
        self.open.push(element);
        Ok(None)
    }

    fn symbol(&mut self, id: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(id) {
            return *symbol;
        }
        let symbol = self.nodes.len();
        self.symbols.insert(id.into(), symbol);
        self.nodes.push(Node::Unseen);
        symbol
    }

    fn required(
        &mut self,
        tag: &BytesStart<'_>,
        span: &Range<usize>,
        name: &str,
    ) -> Result<String, Error> {
        attribute(tag, span, name)?.ok_or_else(|| {
            let element = tag.local_name().into_inner().to_owned();
            Error::at(span.clone(), format!("`{element}` has no attribute `{name}`"))
        })
    }

    fn start_node(
        &mut self,
        tag: &BytesStart<'_>,
        span: &Range<usize>,
        kind: &str,
    ) -> Result<(), Error> {
        let id = self.required(tag, span, "id")?;
        let symbol = self.symbol(&id);
        if !matches!(self.nodes[symbol], Node::Unseen) {
            let message = format!("there are two nodes with the id `{id}`");
            return Err(Error::at(span.clone(), message));
        }
        self.nodes[symbol] = match kind {
            "place" => Node::Place(self.builder.place(id, 0)),
            "transition" => Node::Transition(self.builder.transition(id)),
            _ => {
                let target = self.required(tag, span, "ref")?;
                Node::Reference(self.symbol(&target), kind == "referencePlace", span.clone())
            }
        };
        self.node = Some(symbol);
        self.name = None;
        self.tokens = 0;
        self.open.push(match kind {
            "place" => Element::Place,
            "transition" => Element::Transition,
            _ => {
                self.skipped = 1;
                Element::Other
            }
        });
        Ok(())
    }

    fn start_arc(&mut self, tag: &BytesStart<'_>, span: &Range<usize>) -> Result<(), Error> {
        let source = self.required(tag, span, "source")?;
        let target = self.required(tag, span, "target")?;
        let (source, target) = (self.symbol(&source), self.symbol(&target));
        let kind = ArcType::Normal;
        self.new_arc = Some(Arc { source, target, weight: 1, kind, span: span.clone() });
        self.open.push(Element::Arc);
        match attribute(tag, span, "type")? {
            Some(kind) => self.arc_type(&kind, span),
            None => Ok(()),
        }
    }

    fn arc_type(&mut self, name: &str, span: &Range<usize>) -> Result<(), Error> {
        let arc = self.new_arc.as_mut().expect("an arc is open");
        arc.kind = match name.trim() {
            "normal" | "" => ArcType::Normal,
            "inhibitor" => ArcType::Inhibitor,
            "test" | "read" => ArcType::Test,
            other => {
                let message = format!("unknown type of arc `{other}`");
                return Err(Error::at(span.clone(), message).expected("normal, inhibitor or test"));
            }
        };
        Ok(())
    }

    fn text(&mut self, text: &str, span: &Range<usize>) {
        if self.skipped == 0 && self.open.last() == Some(&Element::Text) {
            self.text.push_str(text);
            self.text_span.end = span.end;
        }
    }

    fn end(&mut self, span: &Range<usize>) -> Result<(), Error> {
        if self.skipped > 1 {
            self.skipped -= 1;
            return Ok(());
        }
        self.skipped = 0;
        let closed = self.open.pop();
        match closed {
            Some(Element::Text) => self.end_text()?,
            Some(Element::Place) => {
                if let Some(Node::Place(place)) = self.node.map(|node| &self.nodes[node]) {
                    self.builder.initial(*place, self.tokens);
                    if let Some(name) = self.name.take() {
                        self.builder.place_alias(name, *place);
                    }
                }
            }
            Some(Element::Transition) => {
                if let Some(Node::Transition(transition)) = self.node.map(|node| &self.nodes[node])
                    && let Some(name) = self.name.take()
                {
                    self.builder.transition_alias(name, *transition);
                }
            }
            Some(Element::Arc) => {
                let mut arc = self.new_arc.take().expect("an arc is open");
                arc.span.end = span.end;
                self.arcs.push(arc);
            }
            _ => {}
        }
        Ok(())
    }

    fn end_text(&mut self) -> Result<(), Error> {
        let text = self.text.trim();
        let parents = &self.open[self.open.len().saturating_sub(2)..];
        match parents {
            [Element::Net, Element::Name] if text.is_empty() => {}
            [Element::Net, Element::Name] => {
                self.builder.name(text);
                self.is_named = true;
            }
            [_, Element::Name] => self.name = Some(text.to_owned()).filter(|name| !name.is_empty()),
            [_, Element::InitialMarking] => {
                self.tokens = match text {
                    "" => 0,
                    _ => number(text, "an initial marking", &self.text_span)?,
                };
            }
            [_, Element::Inscription] => {
                let weight = match text {
                    "" => 1,
                    _ => number(text, "a weight", &self.text_span)?,
                };
                self.new_arc.as_mut().expect("an arc is open").weight = weight;
            }
            [_, Element::ArcType] => {
                let (text, span) = (text.to_owned(), self.text_span.clone());
                self.arc_type(&text, &span)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self, span: Range<usize>) -> Result<Net, Error> {
        if !self.open.is_empty() {
            let count = self.open.len() + self.skipped.saturating_sub(1);
            let message = format!("the file ends while {count} elements are open");
            return Err(Error::at(span, message));
        }
        if self.nets == 0 {
            return Err(no_net(span));
        }
        if let Some(id) = self.net_id.take().filter(|id| !self.is_named && !id.is_empty()) {
            self.builder.name(id);
        }
        self.shorten_references()?;
        for node in 0..self.nodes.len() {
            if let Node::Reference(_, is_place, span) = self.nodes[node].clone() {
                match (self.resolve(node, &span)?, is_place) {
                    (Node::Place(_), true) | (Node::Transition(_), false) => {}
                    _ => {
                        let message = "a reference stands for a node of the other kind";
                        return Err(Error::at(span, message));
                    }
                }
            }
        }
        for arc in std::mem::take(&mut self.arcs) {
            self.add_arc(&arc)?;
        }
        self.builder.build()
    }

    /// Resolves each reference to its final node.
    fn shorten_references(&mut self) -> Result<(), Error> {
        // For each symbol the last start of a chain of references that it was on.
        let mut seen = vec![Symbol::MAX; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut chain = Vec::new();
            let mut current = start;
            while let Node::Reference(next, _, span) = &self.nodes[current] {
                if seen[current] == start {
                    return Err(Error::at(span.clone(), "this reference stands for itself"));
                }
                seen[current] = start;
                chain.push(current);
                current = *next;
            }
            for symbol in chain {
                if let Node::Reference(next, ..) = &mut self.nodes[symbol] {
                    *next = current;
                }
            }
        }
        Ok(())
    }

    /// The place or transition that a symbol stands for.
    fn resolve(&self, symbol: Symbol, span: &Range<usize>) -> Result<&Node, Error> {
        let end = match self.nodes[symbol] {
            Node::Reference(end, ..) => end,
            _ => symbol,
        };
        if !matches!(self.nodes[end], Node::Unseen) {
            return Ok(&self.nodes[end]);
        }
        let known = |symbol: &Symbol| !matches!(self.nodes[*symbol], Node::Unseen);
        let name = self.symbols.iter().find(|(_, symbol)| **symbol == end);
        let name = name.map_or("", |(name, _)| &**name);
        let names = self.symbols.iter().filter(|(_, other)| known(other)).map(|(name, _)| &**name);
        let suggestion = suggestion(name, names);
        Err(Error::at(span.clone(), format!("there is no node `{name}`{suggestion}")))
    }

    fn add_arc(&mut self, arc: &Arc) -> Result<(), Error> {
        let source = self.resolve(arc.source, &arc.span)?.clone();
        let target = self.resolve(arc.target, &arc.span)?.clone();
        let wrong = |message: &str| Err(Error::at(arc.span.clone(), message));
        if arc.weight == 0 && arc.kind != ArcType::Inhibitor {
            return wrong("the weight of an arc is 0");
        }
        let added = match (source, target, arc.kind) {
            (Node::Place(place), Node::Transition(transition), ArcType::Normal) => {
                self.builder.input(transition, place, arc.weight)
            }
            (Node::Place(place), Node::Transition(transition), ArcType::Inhibitor) => {
                self.builder.inhibitor(transition, place, arc.weight);
                Ok(())
            }
            (Node::Transition(transition), Node::Place(place), ArcType::Normal) => {
                self.builder.output(transition, place, arc.weight)
            }
            (Node::Place(place), Node::Transition(transition), ArcType::Test)
            | (Node::Transition(transition), Node::Place(place), ArcType::Test) => {
                let input = self.builder.input(transition, place, arc.weight);
                input.and_then(|()| self.builder.output(transition, place, arc.weight))
            }
            (Node::Transition(_), Node::Place(_), ArcType::Inhibitor) => {
                return wrong("an inhibitor arc leads from a transition to a place");
            }
            (Node::Place(_), ..) => return wrong("an arc leads from a place to a place"),
            _ => return wrong("an arc leads from a transition to a transition"),
        };
        added.map_err(|error| Error::at(arc.span.clone(), error.message()))
    }
}

/// A number of tokens.
fn number(text: &str, what: &str, span: &Range<usize>) -> Result<u32, Error> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let message = if let Ok(number) = digits.parse() {
        return Ok(number);
    } else if is_number(digits) {
        format!("{what} is out of range: {digits} is more than {}", u32::MAX)
    } else if text.strip_prefix('-').is_some_and(is_number) {
        format!("{what} is negative: {text}")
    } else {
        format!("{what} is no number: `{text}`")
    };
    Err(Error::at(span.clone(), message))
}
