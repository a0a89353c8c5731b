//! Sorts: finite sets whose elements, the colours, are numbered from zero.
//!
//! A product numbers its tuples in the order of a dictionary: the last component counts fastest.
//! Products within products are flat, and a product of one component is that component.

use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The number of a sort; sorts with the same structure have the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SortId(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Dot,
    Enumeration { constants: Vec<String> },
    Range { start: i64, end: i64 },
    Product { components: Vec<SortId> },
}

#[derive(Clone, Debug, Default)]
pub(super) struct Sorts {
    kinds: Vec<Kind>,
    sizes: Vec<u32>,
    interned: FxHashMap<Kind, SortId>,
}

/// Why there is no such sort.
#[derive(Clone, Copy, Debug)]
pub(super) enum TooLarge {
    Colours,
    Components,
}

impl TooLarge {
    pub(super) fn message(self) -> &'static str {
        match self {
            TooLarge::Colours => "the sort has 2^32 colours or more",
            TooLarge::Components => "the product has too many components",
        }
    }
}

/// More components than that are refused; those of one colour each would take room without end.
const MAX_COMPONENTS: usize = 1 << 12;

impl Sorts {
    pub(super) fn dot(&mut self) -> SortId {
        self.intern(Kind::Dot, 1)
    }

    /// A new enumeration, different from all others.
    pub(super) fn enumeration(&mut self, constants: Vec<String>) -> SortId {
        self.add(constants.len() as u32, Kind::Enumeration { constants })
    }

    /// The numbers from `start` to `end`, which is not below it.
    pub(super) fn range(&mut self, start: i64, end: i64) -> Result<SortId, TooLarge> {
        let size = end.checked_sub(start).and_then(|length| length.checked_add(1));
        let size = size.and_then(|size| u32::try_from(size).ok()).ok_or(TooLarge::Colours)?;
        Ok(self.intern(Kind::Range { start, end }, size))
    }

    pub(super) fn product(
        &mut self,
        components: impl IntoIterator<Item = SortId>,
    ) -> Result<SortId, TooLarge> {
        let mut flat = vec![];
        for sort in components {
            flat.extend_from_slice(self.components(&sort));
            if flat.len() > MAX_COMPONENTS {
                return Err(TooLarge::Components);
            }
        }
        if let [only] = flat[..] {
            return Ok(only);
        }
        let size = flat.iter().try_fold(1_u32, |size, sort| size.checked_mul(self.size(*sort)));
        let size = size.ok_or(TooLarge::Colours)?;
        Ok(self.intern(Kind::Product { components: flat }, size))
    }

    fn intern(&mut self, kind: Kind, size: u32) -> SortId {
        if let Some(sort) = self.interned.get(&kind) {
            return *sort;
        }
        let sort = self.add(size, kind.clone());
        self.interned.insert(kind, sort);
        sort
    }

    fn add(&mut self, size: u32, kind: Kind) -> SortId {
        self.kinds.push(kind);
        self.sizes.push(size);
        SortId(self.kinds.len() as u32 - 1)
    }

    /// Returns the number of colours.
    pub(super) fn size(&self, sort: SortId) -> u32 {
        self.sizes[sort.0 as usize]
    }

    /// The components of a product; any other sort is its only component.
    pub(super) fn components<'a>(&'a self, sort: &'a SortId) -> &'a [SortId] {
        match &self.kinds[sort.0 as usize] {
            Kind::Product { components } => components,
            _ => std::slice::from_ref(sort),
        }
    }

    pub(super) fn is_product(&self, sort: SortId) -> bool {
        matches!(self.kinds[sort.0 as usize], Kind::Product { .. })
    }

    /// The first and the last number, if the sort is a range of numbers.
    pub(super) fn bounds(&self, sort: SortId) -> Option<(i64, i64)> {
        match self.kinds[sort.0 as usize] {
            Kind::Range { start, end } => Some((start, end)),
            _ => None,
        }
    }

    /// The kind of the sort, for messages.
    pub(super) fn describe(&self, sort: SortId) -> String {
        let mut text = String::new();
        for (position, component) in self.components(&sort).iter().take(8).enumerate() {
            if position > 0 {
                text.push_str(" x ");
            }
            let _ = match &self.kinds[component.0 as usize] {
                Kind::Dot => write!(text, "dot"),
                Kind::Enumeration { constants } => match &constants[..] {
                    [] => write!(text, "{{}}"),
                    [one] => write!(text, "{{{one}}}"),
                    [first, .., last] => write!(text, "{{{first}, .., {last}}}"),
                },
                Kind::Range { start, end } => write!(text, "{{{start}, .., {end}}}"),
                Kind::Product { .. } => Ok(()),
            };
        }
        text
    }

    /// Writes a colour as people know it, the components of tuples with commas between them.
    pub(super) fn write_colour(&self, sort: SortId, colour: u32, text: &mut String) {
        let mut rest = self.size(sort);
        let mut colour = colour;
        for (position, component) in self.components(&sort).iter().enumerate() {
            if position > 0 {
                text.push(',');
            }
            rest /= self.size(*component);
            let digit = colour / rest;
            colour %= rest;
            match &self.kinds[component.0 as usize] {
                Kind::Dot | Kind::Product { .. } => text.push_str("dot"),
                Kind::Enumeration { constants } => text.push_str(&constants[digit as usize]),
                Kind::Range { start, .. } => {
                    let _ = write!(text, "{}", start + i64::from(digit));
                }
            }
        }
    }
}
