//! PNML, the XML format in which tools exchange Petri nets (ISO/IEC 15909-2): place/transition nets,
//! and [coloured](super::colour) ones, which are unfolded.
//!
//! - The `id` of a node is its name in the [`Net`](super::Net), since properties refer to it; the
//!   text of its `<name>` is an alias if no other node has it.
//! - Pages are flattened, reference places and reference transitions are replaced by what they stand
//!   for; graphics and tool-specific parts are skipped.
//! - The standard has no inhibitor arcs. They are read where an arc has the attribute
//!   `type="inhibitor"` or the child `<type value="inhibitor"/>`, as several tools write them, and
//!   written in the second way.
//!
//! Files are read as a stream: the memory needed is that of the net.

mod read;
mod write;

pub use read::{NetType, net_type, read};
pub use write::write;
