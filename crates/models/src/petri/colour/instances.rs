//! The results of an unfolding so far: reachable colours of places, and enabled bindings.

use super::{ColouredNet, Limits};
use rustc_hash::{FxBuildHasher, FxHashMap};
use sempre_ltl::Error;
use std::hash::BuildHasher;

/// The colours that places can have, numbered in the order in which they were found, over all
/// places.
pub(super) struct Marked {
    /// The place and the colour of each number.
    found: Vec<(u32, u32)>,
    /// The colours of each place with their numbers, in the order in which they were found.
    of_place: Vec<Vec<(u32, u32)>>,
    numbers: Vec<Numbers>,
    most: usize,
}

/// From the colours of a place to numbers.
enum Numbers {
    /// For sorts with few colours; `u32::MAX` stands for a colour that was not found.
    Dense(Vec<u32>),
    Sparse(FxHashMap<u32, u32>),
}

/// Sorts with more colours than that get a hash table.
const MAX_DENSE: u32 = 1 << 16;

impl Marked {
    pub(super) fn new(net: &ColouredNet, limits: &Limits) -> Self {
        let numbers = net.places.iter().map(|place| match net.sorts.size(place.sort) {
            size if size <= MAX_DENSE => Numbers::Dense(vec![]),
            _ => Numbers::Sparse(FxHashMap::default()),
        });
        Marked {
            found: vec![],
            of_place: vec![vec![]; net.places.len()],
            numbers: numbers.collect(),
            most: limits.places,
        }
    }

    /// The place and the colour of a number, if it is in range.
    pub(super) fn get(&self, number: u32) -> Option<(u32, u32)> {
        self.found.get(number as usize).copied()
    }

    /// The number of instances.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// The number of a colour of a place, if it was found.
    #[inline]
    pub(super) fn number(&self, place: u32, colour: u32) -> Option<u32> {
        match &self.numbers[place as usize] {
            Numbers::Dense(numbers) => {
                numbers.get(colour as usize).copied().filter(|number| *number != u32::MAX)
            }
            Numbers::Sparse(numbers) => numbers.get(&colour).copied(),
        }
    }

    /// The colours of a place and their numbers, in ascending order of these.
    #[inline]
    pub(super) fn of_place(&self, place: u32) -> &[(u32, u32)] {
        &self.of_place[place as usize]
    }

    /// The number of a colour of a place, which is a new one if it had not been found before.
    pub(super) fn add(&mut self, place: u32, colour: u32) -> Result<u32, Error> {
        if let Some(number) = self.number(place, colour) {
            return Ok(number);
        }
        let number = self.found.len() as u32;
        if self.found.len() >= self.most || number == u32::MAX {
            let message = format!("the net unfolds to more than {} places", self.most);
            return Err(Error::new(message));
        }
        match &mut self.numbers[place as usize] {
            Numbers::Dense(numbers) => {
                let room = colour as usize + 1;
                if numbers.len() < room {
                    numbers.resize(room, u32::MAX);
                }
                numbers[colour as usize] = number;
            }
            Numbers::Sparse(numbers) => {
                numbers.insert(colour, number);
            }
        }
        self.of_place[place as usize].push((colour, number));
        self.found.push((place, colour));
        Ok(number)
    }
}

/// The transitions of an unfolding, all their parts one after the other.
#[derive(Default)]
pub(super) struct Instances {
    heads: Vec<Head>,
    values: Vec<u32>,
    arcs: Vec<(u32, u32)>,
    /// The last instance with a hash, of those that may have equals.
    by_hash: FxHashMap<u64, u32>,
}

struct Head {
    transition: u32,
    /// Where the values, the outputs and the next instance's inputs begin.
    values: u32,
    inputs: u32,
    outputs: u32,
    end: u32,
    /// The instance before this one with the same hash; itself if there is none.
    before: u32,
}

impl Head {
    fn inputs<'a>(&self, arcs: &'a [(u32, u32)]) -> &'a [(u32, u32)] {
        &arcs[self.inputs as usize..self.outputs as usize]
    }

    fn outputs<'a>(&self, arcs: &'a [(u32, u32)]) -> &'a [(u32, u32)] {
        &arcs[self.outputs as usize..self.end as usize]
    }
}

/// A transition of an unfolding.
pub(super) struct Instance<'a> {
    pub(super) transition: u32,
    /// The values of the variables.
    pub(super) values: &'a [u32],
    /// Numbers of colours of places, with weights.
    pub(super) inputs: &'a [(u32, u32)],
    pub(super) outputs: &'a [(u32, u32)],
}

impl Instances {
    /// Adds an instance. If the instances of the transition may have equals, and one that moves the
    /// same tokens is there already, that one stays, with the lesser values of the two.
    pub(super) fn add(
        &mut self,
        instance: &Instance<'_>,
        may_have_equals: bool,
        limits: &Limits,
    ) -> Result<(), Error> {
        let index = self.heads.len() as u32;
        let mut before = index;
        if may_have_equals {
            let key = (instance.transition, instance.inputs, instance.outputs);
            let last = self.by_hash.entry(FxBuildHasher.hash_one(key)).or_insert(index);
            before = std::mem::replace(last, index);
            let mut other = before;
            while other != index {
                let head = &self.heads[other as usize];
                if (head.transition, head.inputs(&self.arcs), head.outputs(&self.arcs)) == key {
                    *last = before;
                    let values = head.values as usize..head.values as usize + instance.values.len();
                    let values = &mut self.values[values];
                    if instance.values < &*values {
                        values.copy_from_slice(instance.values);
                    }
                    return Ok(());
                }
                other = if head.before == other { index } else { head.before };
            }
        }
        let more = |what: &str, most: usize| {
            Err(Error::new(format!("the net unfolds to more than {most} {what}")))
        };
        if self.heads.len() >= limits.transitions {
            return more("transitions", limits.transitions);
        }
        let (inputs, outputs) = (self.arcs.len(), self.arcs.len() + instance.inputs.len());
        let end = outputs + instance.outputs.len();
        let values = self.values.len();
        if end > limits.arcs {
            return more("arcs", limits.arcs);
        }
        let (Ok(end), Ok(values)) = (u32::try_from(end), u32::try_from(values)) else {
            return more("arcs", u32::MAX as usize);
        };
        let (inputs, outputs) = (inputs as u32, outputs as u32);
        let transition = instance.transition;
        self.heads.push(Head { transition, values, inputs, outputs, end, before });
        self.values.extend_from_slice(instance.values);
        self.arcs.extend_from_slice(instance.inputs);
        self.arcs.extend_from_slice(instance.outputs);
        Ok(())
    }

    /// All instances, by transition and the values of the variables.
    pub(super) fn sorted(&self, net: &ColouredNet) -> impl Iterator<Item = Instance<'_>> {
        let view = |head: &Head| {
            let count = net.transitions[head.transition as usize].variables.len();
            Instance {
                transition: head.transition,
                values: &self.values[head.values as usize..head.values as usize + count],
                inputs: head.inputs(&self.arcs),
                outputs: head.outputs(&self.arcs),
            }
        };
        let mut order: Vec<u32> = (0..self.heads.len() as u32).collect();
        order.sort_unstable_by_key(|index| {
            let instance = view(&self.heads[*index as usize]);
            (instance.transition, instance.values)
        });
        order.into_iter().map(move |index| view(&self.heads[index as usize]))
    }
}
