//! Typed numbers of states, edges and components.

use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// Creates a typed index.
            ///
            /// # Panics
            /// If it does not fit in 32 bits; readers check sizes earlier.
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("more than 2^32 states or edges"))
            }

            /// Returns the number, for indexing vectors.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, "{}", self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, "{}", self.0)
            }
        }
    };
}

index! {
    /// A state of an automaton: a number below its number of states.
    StateId
}

index! {
    /// An edge of an automaton: its index among all edges.
    EdgeId
}

index! {
    /// A strongly connected component: a number below the number of components.
    SccId
}
