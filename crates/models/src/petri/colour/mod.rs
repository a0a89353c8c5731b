//! Coloured nets: the symmetric nets of ISO/IEC 15909-2 in PNML, as the Model Checking Contest
//! uses them, and their unfolding into place/transition nets.
//!
//! A place of a coloured net holds tokens of many colours, the elements of its sort; a transition
//! happens for a binding of its variables to colours that satisfies its condition, and its arcs
//! carry terms that say which colours move. [`ColouredNet::unfold`] makes a place of every colour
//! that a place can have, and a transition of every binding that can happen: tokens, markings and
//! steps correspond one to one, except that bindings of a transition that move the same tokens are
//! one transition.
//!
//! ```
//! use sempre_models::petri::colour;
//! let text = r#"<pnml><net id="relay" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
//!   <declaration><structure><declarations>
//!     <namedsort id="Runner" name="Runner"><cyclicenumeration>
//!       <feconstant id="ann" name="ann"/><feconstant id="bob" name="bob"/>
//!     </cyclicenumeration></namedsort>
//!     <variabledecl id="x" name="x"><usersort declaration="Runner"/></variabledecl>
//!   </declarations></structure></declaration>
//!   <page id="page">
//!     <place id="runs">
//!       <type><structure><usersort declaration="Runner"/></structure></type>
//!       <hlinitialMarking><structure><useroperator declaration="ann"/></structure></hlinitialMarking>
//!     </place>
//!     <transition id="pass"/>
//!     <arc id="a" source="runs" target="pass">
//!       <hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
//!     <arc id="b" source="pass" target="runs">
//!       <hlinscription><structure><successor><subterm><variable refvariable="x"/></subterm></successor>
//!       </structure></hlinscription></arc>
//!   </page>
//! </net></pnml>"#;
//! let net = colour::read(text.as_bytes())?.unfold(&colour::Limits::default())?;
//! let places: Vec<&str> = net.places().map(|place| net.place_name(place)).collect();
//! assert_eq!(places, ["runs(ann)", "runs(bob)"]);
//! assert_eq!(net.transition_name(net.transitions().last().unwrap()), "pass(x=bob)");
//! assert_eq!(net.transition_group("pass").map(<[_]>::len), Some(2));
//! # Ok::<(), sempre_models::Error>(())
//! ```

mod document;
mod instances;
mod join;
mod sort;
mod term;
#[cfg(test)]
mod tests;
mod typing;
mod unfold;

use crate::xml::{Xml, attribute, local_name};
use document::Document;
use quick_xml::events::Event;
use sempre_ltl::Error;
use sort::{SortId, Sorts};
use std::io::BufRead;
use std::ops::Range;
use term::{Instruction, Summand};

/// A coloured net whose sorts and terms have been checked.
#[derive(Clone, Debug)]
pub struct ColouredNet {
    name: Option<String>,
    sorts: Sorts,
    places: Vec<Place>,
    transitions: Vec<Transition>,
}

#[derive(Clone, Debug)]
struct Place {
    name: String,
    sort: SortId,
    initial: Vec<Summand>,
    span: Range<usize>,
}

#[derive(Clone, Debug)]
struct Transition {
    name: String,
    /// The variables of its condition and its arcs; terms refer to them by their positions here.
    variables: Vec<Variable>,
    /// The conditions that must hold all.
    guards: Vec<Vec<Instruction>>,
    inputs: Vec<Arc>,
    outputs: Vec<Arc>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    sort: SortId,
}

#[derive(Clone, Debug)]
struct Arc {
    place: u32,
    sum: Vec<Summand>,
    span: Range<usize>,
}

/// How large an unfolding may get; there is an error when it gets larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most places.
    pub places: usize,
    /// The most transitions.
    pub transitions: usize,
    /// The most arcs.
    pub arcs: usize,
}

impl Default for Limits {
    /// The limits of about 2 GiB of memory.
    fn default() -> Self {
        Limits { places: 4_000_000, transitions: 4_000_000, arcs: 40_000_000 }
    }
}

/// Reads the first net of a PNML file as a coloured net.
///
/// # Errors
/// If the XML is broken, there is no net in it, or it is not a coloured net as it should be: with
/// the bytes of the file that are to blame.
pub fn read(input: impl BufRead) -> Result<ColouredNet, Error> {
    let mut xml = Xml::new(input);
    let id = loop {
        match xml.next()? {
            (span, Event::Start(start)) if local_name(&start) == "net" => {
                break attribute(&start, &span, "id")?;
            }
            (span, Event::Eof) => return Err(Error::at(span, "there is no net in the file")),
            _ => {}
        }
    };
    read_net(&mut xml, id)
}

/// Reads the net whose start was the last event; its `id` is its name if it has no other.
pub(super) fn read_net<R: BufRead>(
    xml: &mut Xml<R>,
    id: Option<String>,
) -> Result<ColouredNet, Error> {
    let mut net = typing::check(&Document::read(xml)?)?;
    net.name = net.name.or(id).filter(|name| !name.is_empty());
    Ok(net)
}

impl ColouredNet {
    /// The name of the net, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the number of places, before unfolding.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of transitions, before unfolding.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }
}
