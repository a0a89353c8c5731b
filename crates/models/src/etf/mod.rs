//! Models in the enumerated table format of LTSmin: transitions as tables over few variables.
//!
//! A state is a vector of numbers, one for each *slot*. A `trans` section is a part of the
//! transition relation that touches few slots: its rows give the numbers before and after in
//! these, and a `*` in all others, which stay as they are and are not looked at. A `map` section
//! gives every state a number, from few slots as well: a *state label*. A `sort` section names
//! what the numbers of slots and labels mean.
//!
//! ```text
//! begin state
//! light:colour waiting:int
//! end state
//! begin edge
//! action:action
//! end edge
//! begin init
//! 0 0
//! end init
//! begin trans            % the light changes
//! 0/1 * 0
//! 1/0 * 0
//! end trans
//! begin trans            % cars come, and go when the light is green
//! * 0/1 "come"
//! end trans
//! begin trans
//! 1/1 1/0 "go"
//! end trans
//! begin map jam:bool
//! 0 1 1
//! end map
//! begin sort colour
//! "red"
//! "green"
//! end sort
//! begin sort action
//! "change"
//! end sort
//! ```
//!
//! # Grammar
//!
//! ```text
//! file        = state edge { init | trans | map | sort }      with exactly one init
//! state       = "begin" "state" declaration { declaration } "end" "state"
//! edge        = "begin" "edge" { declaration } "end" "edge"
//! init        = "begin" "init" { number } "end" "init"        one for each slot
//! trans       = "begin" "trans" { step { step } { label } newline } "end" "trans"
//! map         = "begin" "map" declaration { cell { cell } label newline } "end" "map"
//! sort        = "begin" "sort" name { value } "end" "sort"
//! declaration = ( name | "_" ) ":" ( name | "_" )             the second is a sort
//! step        = number "/" number | "*"                       one for each slot
//! cell        = number | "*"                                  one for each slot
//! label       = number | value
//! name        = { "_" } letter { letter | digit | "_" | "'" }
//! value       = '"' { character } '"' | "#" { hex hex } "#" | name
//! ```
//!
//! A letter is one of ASCII; in names a backslash before any other character makes it one. In
//! quotes a backslash stands before quotes and backslashes. Comments reach from `%` to the end
//! of the line. Rows of tables and maps are lines of their own, and all rows of a section have
//! their stars in the same slots. A number is one of 32 bits.
//!
//! A value that stands in a row and not in its sort is added to the sort. A slot without a name
//! is called `_` and its number, from 0. Where no row of a map applies, its label is 0. Equal rows
//! are different transitions.
//!
//! # Propositions
//!
//! Slots and state labels are numbers: `waiting >= 1`, `jam`. Compared with a name, they are
//! compared with the number of that value of their sort: `light = red`; a value that is no name
//! stands between single quotes. Actions are the different labels of edges, `fireable(go)`;
//! without labels, sections by their numbers from 1: `fireable('trans 2')`.

mod changes;
mod describe;
mod lexer;
mod model;
mod parse;
mod plain;
mod scope;
mod system;
#[cfg(test)]
mod tests;
mod write;

pub use changes::{Change, RowChanges, changesets};
pub use model::{Declaration, Etf, Map, Sort, Table};
pub use parse::parse;
pub use plain::PlainEtf;
pub use system::EtfSystem;
pub use write::write;
