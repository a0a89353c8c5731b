//! The text format of nets that people write, as the tool TINA reads it (files `.net`).
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
//!   transition while there are two tokens or more. Label, interval and arcs may be left out.
//! - `pl NAME : LABEL (TOKENS) INPUTS -> OUTPUTS` says how many tokens a place has, and adds arcs
//!   from transitions to the place and from the place to transitions in the same way.
//! - `lb NAME LABEL` is another way to give a label. A label is an alias if no other node of the
//!   kind has it. `nt NAME 0 TEXT` is a note, which is skipped.
//! - Names consist of letters, digits, `_`, `'` and `.`; others are written between braces, where
//!   `\` goes before `{`, `}` and `\`. Numbers may end in `K` (thousands) or `M` (millions).
//! - What follows `#` up to the end of the line is a comment.
//!
//! The format also describes time Petri nets, which this is not about: intervals other than `[0,w[`,
//! priorities (`pr`) and stopwatch arcs (`!`) are refused.

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
