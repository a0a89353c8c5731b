//! The headers of a HOA file beyond the automaton itself.

/// Information from the file of an automaton, preserved when it is written.
///
/// It does not affect the language. The reader checks all properties that can be checked, and the
/// writer recomputes them. The properties here are the others, as declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// The tool that created the automaton, with its version if known.
    pub tool: Option<(String, Option<String>)>,
    /// Declared properties that are not checked, such as `stutter-invariant`.
    pub properties: Vec<String>,
    /// Other headers in their order: the name without its colon, and its values as written.
    pub others: Vec<(String, String)>,
}
