//! The PNML elements of a coloured net, before sorts and terms are checked.
//!
//! Terms may be nested as deep as they like: they are kept in one vector, operands before
//! operators, and never as a tree of pointers.

use crate::xml::{Xml, attribute, local_name, required_attribute};
use quick_xml::events::{BytesStart, Event};
use sempre_ltl::Error;
use std::io::BufRead;
use std::ops::Range;

/// The number of an element of a declaration or a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeId(u32);

/// An element of a declaration or a term.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) tag: Tag,
    /// The attribute that says what the element is about (`declaration`, `value`, `id`, `start`…).
    pub(super) key: String,
    /// A second attribute (`name`, `end`).
    pub(super) other: String,
    pub(super) span: Range<usize>,
    /// The number of child elements.
    pub(super) arity: u32,
    /// The first of the elements below it, at any depth.
    first: u32,
}

/// The elements that say something; those that only group others are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    NamedSort,
    VariableDeclaration,
    Partition,
    PartitionElement,
    EnumerationConstant,
    Dot,
    Enumeration,
    IntegerRange,
    ProductSort,
    UserSort,
    NumberConstant,
    NumberOf,
    All,
    Empty,
    Add,
    Subtract,
    Tuple,
    Variable,
    UserOperator,
    Successor,
    Predecessor,
    DotConstant,
    IntegerRangeConstant,
    BooleanConstant,
    And,
    Or,
    Not,
    Imply,
    Equality,
    Inequality,
    LessThan,
    LessThanOrEqual,
    GreaterThan,
    GreaterThanOrEqual,
}

impl Tag {
    /// The tag of an element, and the names of the attributes that are needed of it; `None` for
    /// elements that only group others or repeat what is known.
    fn of(name: &str) -> Result<Option<(Tag, &'static str, &'static str)>, ()> {
        Ok(Some(match name {
            "structure" | "subterm" | "declarations" | "positive" | "natural" | "integer"
            | "bool" => return Ok(None),
            "namedsort" => (Tag::NamedSort, "id", ""),
            "variabledecl" => (Tag::VariableDeclaration, "id", "name"),
            "partition" => (Tag::Partition, "id", ""),
            "partitionelement" => (Tag::PartitionElement, "id", ""),
            "feconstant" => (Tag::EnumerationConstant, "id", "name"),
            "dot" => (Tag::Dot, "", ""),
            "cyclicenumeration" | "finiteenumeration" => (Tag::Enumeration, "", ""),
            "finiteintrange" => (Tag::IntegerRange, "start", "end"),
            "productsort" => (Tag::ProductSort, "", ""),
            "usersort" => (Tag::UserSort, "declaration", ""),
            "numberconstant" => (Tag::NumberConstant, "value", ""),
            "numberof" | "scalarproduct" => (Tag::NumberOf, "", ""),
            "all" => (Tag::All, "", ""),
            "empty" => (Tag::Empty, "", ""),
            "add" => (Tag::Add, "", ""),
            "subtract" => (Tag::Subtract, "", ""),
            "tuple" => (Tag::Tuple, "", ""),
            "variable" => (Tag::Variable, "refvariable", ""),
            "useroperator" => (Tag::UserOperator, "declaration", ""),
            "successor" => (Tag::Successor, "", ""),
            "predecessor" => (Tag::Predecessor, "", ""),
            "dotconstant" => (Tag::DotConstant, "", ""),
            "finiteintrangeconstant" => (Tag::IntegerRangeConstant, "value", ""),
            "booleanconstant" => (Tag::BooleanConstant, "value", ""),
            "and" => (Tag::And, "", ""),
            "or" => (Tag::Or, "", ""),
            "not" => (Tag::Not, "", ""),
            "imply" => (Tag::Imply, "", ""),
            "equality" => (Tag::Equality, "", ""),
            "inequality" => (Tag::Inequality, "", ""),
            "lessthan" => (Tag::LessThan, "", ""),
            "lessthanorequal" => (Tag::LessThanOrEqual, "", ""),
            "greaterthan" => (Tag::GreaterThan, "", ""),
            "greaterthanorequal" => (Tag::GreaterThanOrEqual, "", ""),
            _ => return Err(()),
        }))
    }
}

/// A parsed place or transition.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub(super) id: String,
    pub(super) span: Range<usize>,
    /// The sort of a place.
    pub(super) sort: Option<NodeId>,
    /// The initial marking of a place, or the condition of a transition.
    pub(super) term: Option<NodeId>,
}

/// A parsed arc.
#[derive(Clone, Debug)]
pub(super) struct Arc {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) span: Range<usize>,
    pub(super) inscription: Option<NodeId>,
}

/// A place or a transition on one page that stands for one on another.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) id: String,
    pub(super) target: String,
    pub(super) span: Range<usize>,
}

/// A parsed coloured net.
#[derive(Clone, Debug, Default)]
pub(super) struct Document {
    pub(super) name: Option<String>,
    nodes: Vec<Node>,
    pub(super) declarations: Vec<NodeId>,
    pub(super) places: Vec<Vertex>,
    pub(super) transitions: Vec<Vertex>,
    pub(super) arcs: Vec<Arc>,
    pub(super) references: Vec<Reference>,
}

/// The owner of the current labels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Net,
    Page,
    Place,
    Transition,
    Arc,
    Reference,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Declaration,
    Type,
    Term,
    Name,
}

impl Document {
    /// Reads to the end of a net whose start was the last event.
    pub(super) fn read<R: BufRead>(xml: &mut Xml<R>) -> Result<Self, Error> {
        let begun = xml.span();
        let mut document = Document::default();
        let mut owners = vec![Owner::Net];
        let mut label = None;
        loop {
            // The treatment of the element that the event starts.
            enum Todo {
                Open(Owner),
                Begin(Label),
                Structure(Label),
                Name,
                Skip,
            }
            let owner = owners.last().copied().unwrap_or(Owner::Net);
            let (span, event) = xml.next()?;
            let todo = match event {
                Event::Start(start) => {
                    let name = local_name(&start);
                    match (name, owner) {
                        ("page", _) => Todo::Open(Owner::Page),
                        ("place", _) => {
                            document.places.push(vertex(&start, &span)?);
                            Todo::Open(Owner::Place)
                        }
                        ("transition", _) => {
                            document.transitions.push(vertex(&start, &span)?);
                            Todo::Open(Owner::Transition)
                        }
                        ("arc", _) => {
                            document.arcs.push(Arc {
                                source: required_attribute(&start, &span, "source")?,
                                target: required_attribute(&start, &span, "target")?,
                                span: span.clone(),
                                inscription: None,
                            });
                            Todo::Open(Owner::Arc)
                        }
                        ("referencePlace" | "referenceTransition", _) => {
                            document.references.push(Reference {
                                id: required_attribute(&start, &span, "id")?,
                                target: required_attribute(&start, &span, "ref")?,
                                span: span.clone(),
                            });
                            Todo::Open(Owner::Reference)
                        }
                        ("initialMarking" | "inscription", _) => {
                            return Err(Error::at(
                                span,
                                format!("a coloured net has `hl{name}` instead of `{name}`"),
                            ));
                        }
                        ("type", Owner::Arc)
                            if attribute(&start, &span, "value")?
                                .is_some_and(|value| value != "normal") =>
                        {
                            return Err(Error::at(span, "an arc of a coloured net is normal"));
                        }
                        ("declaration", _) => Todo::Begin(Label::Declaration),
                        ("type", Owner::Place) => Todo::Begin(Label::Type),
                        ("hlinitialMarking", Owner::Place)
                        | ("hlinscription", Owner::Arc)
                        | ("condition", Owner::Transition) => Todo::Begin(Label::Term),
                        ("name", Owner::Net) => Todo::Begin(Label::Name),
                        ("text", _) if label == Some(Label::Name) => Todo::Name,
                        ("structure", _) => label.map_or(Todo::Skip, Todo::Structure),
                        _ => Todo::Skip,
                    }
                }
                Event::End(_) => {
                    // Labels end before what they belong to.
                    if label.take().is_none() {
                        owners.pop();
                        if owners.is_empty() {
                            return Ok(document);
                        }
                    }
                    continue;
                }
                Event::Eof => return Err(Error::at(begun, "the net is not closed")),
                _ => continue,
            };
            match todo {
                Todo::Skip => xml.skip_element()?,
                // Nothing that has parts of its own is part of a label.
                Todo::Open(_) | Todo::Begin(_) if label.is_some() => xml.skip_element()?,
                Todo::Open(owner) => owners.push(owner),
                Todo::Begin(begun) => label = Some(begun),
                Todo::Name => document.name = Some(xml.element_text()?.0),
                Todo::Structure(label) => document.structure(xml, owner, label, span)?,
            }
        }
    }

    /// Reads the structure of a label, whose start was the last event.
    fn structure<R: BufRead>(
        &mut self,
        xml: &mut Xml<R>,
        owner: Owner,
        label: Label,
        span: Range<usize>,
    ) -> Result<(), Error> {
        let roots = self.nodes(xml)?;
        if label == Label::Declaration {
            self.declarations.extend(roots);
            return Ok(());
        }
        if label == Label::Term && roots.is_empty() {
            return Ok(());
        }
        let [root] = roots[..] else {
            let message = format!("{} terms or sorts where there is one", roots.len());
            return Err(Error::at(span, message));
        };
        let slot = match (owner, label) {
            (Owner::Place, Label::Type) => self.places.last_mut().map(|place| &mut place.sort),
            (Owner::Place, _) => self.places.last_mut().map(|place| &mut place.term),
            (Owner::Transition, _) => self.transitions.last_mut().map(|node| &mut node.term),
            (Owner::Arc, _) => self.arcs.last_mut().map(|arc| &mut arc.inscription),
            _ => None,
        };
        if let Some(slot) = slot
            && slot.replace(root).is_some()
        {
            return Err(Error::at(span, "a second label of the same kind"));
        }
        Ok(())
    }

    /// Reads the elements up to the end of the one whose start was the last event.
    fn nodes<R: BufRead>(&mut self, xml: &mut Xml<R>) -> Result<Vec<NodeId>, Error> {
        struct Open {
            node: Option<Node>,
            roots: usize,
        }
        let begun = xml.span();
        let mut roots: Vec<NodeId> = vec![];
        let mut open = vec![Open { node: None, roots: 0 }];
        while let Some(top) = open.last() {
            let (span, event) = xml.next()?;
            match event {
                Event::Start(start) => {
                    let name = local_name(&start);
                    if name == "text" || name == "toolspecific" {
                        xml.skip_element()?;
                        continue;
                    }
                    let tag = Tag::of(name).map_err(|()| {
                        let message = format!("`{name}` is not known in symmetric nets");
                        Error::at(span.clone(), message)
                    })?;
                    let get = |name: &str| match name {
                        "" => Ok(String::new()),
                        "name" => attribute(&start, &span, name).map(Option::unwrap_or_default),
                        _ => required_attribute(&start, &span, name),
                    };
                    let node = match tag {
                        None => None,
                        Some((tag, key, other)) => Some(Node {
                            tag,
                            key: get(key)?,
                            other: get(other)?,
                            span: span.clone(),
                            arity: 0,
                            first: self.nodes.len() as u32,
                        }),
                    };
                    open.push(Open { node, roots: roots.len() });
                }
                Event::End(_) => {
                    let below = top.roots;
                    if let Some(Open { node: Some(mut node), .. }) = open.pop() {
                        node.arity = (roots.len() - below) as u32;
                        roots.truncate(below);
                        roots.push(NodeId(self.nodes.len() as u32));
                        self.nodes.push(node);
                    }
                }
                Event::Eof => return Err(Error::at(begun, "the element is not closed")),
                _ => {}
            }
        }
        Ok(roots)
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// An element and all below it, operands before operators.
    pub(super) fn subtree(&self, root: NodeId) -> &[Node] {
        &self.nodes[self.node(root).first as usize..=root.0 as usize]
    }

    /// An element and all below it without the element itself.
    pub(super) fn below(&self, root: NodeId) -> &[Node] {
        &self.nodes[self.node(root).first as usize..root.0 as usize]
    }
}

fn vertex(start: &BytesStart<'_>, span: &Range<usize>) -> Result<Vertex, Error> {
    let id = required_attribute(start, span, "id")?;
    Ok(Vertex { id, span: span.clone(), sort: None, term: None })
}
