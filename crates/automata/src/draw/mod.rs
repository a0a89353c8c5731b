//! Drawings of automata: DOT for Graphviz, Mermaid, SVG with its own layout, and text for
//! terminals.
//!
//! State-based Büchi automata have double circles for accepting states. All other automata have
//! their marks as numbered discs on edges. Above `max_states` the states farthest from the initial
//! ones are omitted, and the caption shows how many.
//!
//! ```
//! use sempre_automata::{Alphabet, Automaton, Marks, Named, draw};
//!
//! let mut builder = Automaton::builder(Alphabet::new(["a"]).unwrap());
//! builder.acceptance(Named::Buchi.acceptance()).name("GFa");
//! let state = builder.add_state();
//! builder.initial(state);
//! let a = builder.alphabet().prop(0);
//! let not_a = builder.alphabet().not(a);
//! builder.edge(state, a, Marks::from_iter([0]), state).edge(state, not_a, Marks::EMPTY, state);
//! let drawing = draw::text(&builder.build(), &draw::TextOptions::default());
//! assert_eq!(drawing, "\
//! GFa
//! Inf(⓿), Büchi
//!
//! ▶ ○ 0 ─┬─ a  ⓿ ─↺
//!        ╰─ !a   ─↺
//! ");
//! ```

mod alternating;
mod alternating_text;
mod caption;
mod dot;
mod forks;
mod marks;
mod mermaid;
mod strength;
mod style;
mod svg;
mod text;
mod view;

pub use alternating::dot_alternating;
pub use alternating_text::{text_alternating, text_of_run};
pub use dot::{Direction, DotOptions, dot, dot_in};
pub use forks::{mermaid_alternating, svg_alternating};
pub use mermaid::{MermaidOptions, mermaid, mermaid_in};
pub use style::{Outline, Style};
pub use svg::{SvgOptions, svg, svg_in};
pub use text::{TextOptions, text, text_in};
