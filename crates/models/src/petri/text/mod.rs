//! The text format of nets of the tool TINA (files `.net`).
//!
//! ```text
//! # A resource that two workers share; `alarm` stops them.
//! net workers
//! pl idle (2)
//! pl free (1)
//! tr start idle free -> busy
//! tr {the end} busy alarm?-1 -> idle free
//! tr ring free?1 -> alarm*2
//! ```
//!
//! - `net NAME` names the net.
//! - `tr NAME : LABEL INTERVAL INPUTS -> OUTPUTS` adds arcs to a transition. An input is a place
//!   `p`, with a weight `p*2`; `p?2` asks for two tokens without taking them; `p?-2` inhibits the
//!   transition while there are two tokens or more. Inputs from one place add up: `p p?2` asks for
//!   three tokens and takes one. Label, interval and arcs may be left out.
//! - `pl NAME : LABEL (TOKENS) INPUTS -> OUTPUTS` sets the tokens of a place, and adds arcs from
//!   transitions to the place and from the place to transitions in the same way.
//! - `lb NAME LABEL` is another way to give a label. A label is an alias if no other node of the
//!   kind has it. `nt NAME 0 TEXT` is a note, which is skipped.
//! - Names consist of letters, digits, `_`, `'` and `.`; others are written between braces, where
//!   `\` goes before `{`, `}` and `\`. Numbers may end in `K` (thousands) or `M` (millions).
//! - `#` begins a comment, up to the end of the line.
//!
//! The format also describes time Petri nets, which are not supported: intervals other than
//! `[0,w[`, priorities (`pr`) and stopwatch arcs (`!`) are rejected.

mod lexer;
mod parse;
mod write;

pub use parse::parse;
pub use write::write;

/// Words that begin a declaration; as names they are written between braces.
const KEYWORDS: [&str; 6] = ["net", "tr", "pl", "lb", "nt", "pr"];

/// True for characters of which names without braces consist.
fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '\'' | '.')
}
