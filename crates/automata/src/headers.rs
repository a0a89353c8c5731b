//! What the header of a HOA file says besides the automaton itself.

/// Information that came with an automaton and goes with it when it is written.
///
/// None of it changes the language. Properties that can be checked are checked by the reader and
/// computed anew by the writer; those here are the others, as they were declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// The tool that made the automaton, with its version if that was given.
    pub tool: Option<(String, Option<String>)>,
    /// Declared properties that are taken on trust, such as `stutter-invariant`.
    pub properties: Vec<String>,
    /// Other headers, in their order: the name without its colon, and its values as written.
    pub others: Vec<(String, String)>,
}
