//! Options of algorithms: typed values with names.
//!
//! An algorithm that users select by name has a list of [`Parameter`]s: a [`Choice`] among named
//! values, a [`Number`], a [`List`] of small numbers, or a [`Flag`]. Texts become [`Settings`], which store only the given
//! values; the algorithm gets the typed value of a parameter from them. Help texts, possible values
//! and errors come from the parameters, so each parameter is described in one place.
//!
//! [`Call`] reads and writes names with their options: `couvreur(shy,compressed)`,
//! `semi-determinize(tba,reset=empty)`.
//!
//! ```
//! use sempre_ltl::options::{Choice, Flag, Parameter, Settings};
//!
//! static ORDER: Choice<bool> = Choice {
//!     name: "order",
//!     help: "which successors come first",
//!     default: Some("given"),
//!     values: &[("given", false, "as they are"), ("reverse", true, "the last one first")],
//! };
//! static SHY: Flag = Flag { name: "shy", help: "look at all successors first" };
//! const PARAMETERS: &[&dyn Parameter] = &[&ORDER, &SHY];
//!
//! let settings = Settings::read(PARAMETERS, "shy,order=reverse")?;
//! assert!(settings.get(&ORDER) && settings.get(&SHY));
//! assert!(!Settings::default().get(&ORDER));
//! let error = Settings::read(PARAMETERS, "order=revers").unwrap_err();
//! assert_eq!(error.to_string(), "`revers` is no value of order, expected `reverse`");
//! # Ok::<(), sempre_ltl::Error>(())
//! ```

mod call;

pub use call::Call;

use crate::{Error, nearest};
use std::fmt;

/// An option: its name, its values, and its default.
pub trait Parameter: fmt::Debug + Send + Sync {
    /// Returns the name in options and output.
    fn name(&self) -> &'static str;

    /// Returns a short description.
    fn help(&self) -> &'static str;

    /// Returns the allowed texts.
    fn takes(&self) -> Takes;

    /// Returns the name of the default value; `None` if a value is mandatory, or if the parameter
    /// may be unset.
    fn default(&self) -> Option<&'static str> {
        None
    }

    /// Parses a value for [`Settings`].
    ///
    /// # Errors
    /// If the text is not a value; the error lists similar ones, or all.
    fn read(&self, text: &str) -> Result<u64, Error>;

    /// Writes a value that was [read](Self::read).
    fn write(&self, value: u64) -> String;
}

/// The allowed texts of a [`Parameter`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// One of these names, each with a short description.
    Names(Vec<(&'static str, &'static str)>),
    /// A number.
    Number,
    /// Numbers, separated by colons.
    List,
    /// No value: the name alone sets it.
    Nothing,
}

/// A [`Parameter`] whose values have a type.
pub trait Typed: Parameter {
    /// The type of values.
    type Value;

    /// Returns the typed value; the default without `value`.
    fn value(&self, value: Option<u64>) -> Self::Value;
}

/// A choice among values with names.
#[derive(Debug)]
pub struct Choice<T: 'static> {
    /// The name of the parameter.
    pub name: &'static str,
    /// A short description of the choice.
    pub help: &'static str,
    /// The name of the default value; `None` if a value is mandatory.
    pub default: Option<&'static str>,
    /// The values: their names, and a short description of each, which may be empty.
    pub values: &'static [(&'static str, T, &'static str)],
}

impl<T> Choice<T> {
    fn place(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|(known, ..)| *known == name)
    }
}

impl<T: fmt::Debug + Send + Sync> Parameter for Choice<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn takes(&self) -> Takes {
        Takes::Names(self.values.iter().map(|(name, _, help)| (*name, *help)).collect())
    }

    fn default(&self) -> Option<&'static str> {
        self.default
    }

    fn read(&self, text: &str) -> Result<u64, Error> {
        let names = self.values.iter().map(|(name, ..)| *name);
        let place = self.place(text).map(|place| place as u64);
        place.ok_or_else(|| {
            let error = Error::new(format!("`{text}` is no value of {}", self.name));
            let near = nearest::expectation(text, names.clone());
            error.expected(near.unwrap_or_else(|| names.collect::<Vec<_>>().join(", ")))
        })
    }

    fn write(&self, value: u64) -> String {
        let value = usize::try_from(value).ok().and_then(|place| self.values.get(place));
        value.map_or_else(String::new, |(name, ..)| (*name).to_owned())
    }
}

impl<T: fmt::Debug + Copy + Send + Sync> Typed for Choice<T> {
    type Value = T;

    /// A missing mandatory value counts as the first one; [`Settings::missing`] lets readers detect
    /// that.
    fn value(&self, value: Option<u64>) -> T {
        let given = value.and_then(|value| usize::try_from(value).ok());
        let place = given.or_else(|| self.place(self.default?)).unwrap_or(0);
        self.values[place.min(self.values.len() - 1)].1
    }
}

/// An optional number within bounds.
#[derive(Debug)]
pub struct Number {
    /// The name of the parameter.
    pub name: &'static str,
    /// A short description of the counted quantity.
    pub help: &'static str,
    /// The smallest number and the largest one.
    pub range: (u64, u64),
}

impl Parameter for Number {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn takes(&self) -> Takes {
        Takes::Number
    }

    fn read(&self, text: &str) -> Result<u64, Error> {
        let (least, most) = self.range;
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            Error::new(format!("`{text}` is no value of {}", self.name))
                .expected(format!("a number from {least} to {most}"))
        })
    }

    fn write(&self, value: u64) -> String {
        value.to_string()
    }
}

impl Typed for Number {
    type Value = Option<u64>;

    fn value(&self, value: Option<u64>) -> Option<u64> {
        value
    }
}

/// An optional list of numbers from 0 to 15, at most 15 of them.
#[derive(Debug)]
pub struct List {
    /// The name of the parameter.
    pub name: &'static str,
    /// A short description of the numbers.
    pub help: &'static str,
}

impl List {
    /// The number of bits for each number, and for the number of numbers.
    const BITS: u32 = 4;

    fn unpacked(value: u64) -> Vec<u32> {
        let part = |place: u64| (value >> (Self::BITS as u64 * place) & 0xf) as u32;
        (1..=u64::from(part(0))).map(part).collect()
    }
}

impl Parameter for List {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn takes(&self) -> Takes {
        Takes::List
    }

    fn read(&self, text: &str) -> Result<u64, Error> {
        let number = |text: &str| text.trim().parse::<u64>().ok().filter(|number| *number < 16);
        let numbers: Option<Vec<u64>> = text.split(':').map(number).collect();
        let numbers = numbers.filter(|numbers| numbers.len() < 16);
        let numbers = numbers.ok_or_else(|| {
            Error::new(format!("`{text}` is no value of {}", self.name))
                .expected("numbers below 16 with colons between them")
        })?;
        let parts = std::iter::once(numbers.len() as u64).chain(numbers);
        let place = |(place, part): (usize, u64)| part << (Self::BITS as usize * place);
        Ok(parts.enumerate().map(place).sum())
    }

    fn write(&self, value: u64) -> String {
        let numbers = Self::unpacked(value);
        numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(":")
    }
}

impl Typed for List {
    type Value = Option<Vec<u32>>;

    fn value(&self, value: Option<u64>) -> Option<Vec<u32>> {
        value.map(Self::unpacked)
    }
}

/// A flag, by default false.
#[derive(Debug)]
pub struct Flag {
    /// The name of the parameter.
    pub name: &'static str,
    /// A short description of the effect.
    pub help: &'static str,
}

impl Parameter for Flag {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn takes(&self) -> Takes {
        Takes::Nothing
    }

    fn read(&self, text: &str) -> Result<u64, Error> {
        match text {
            "" => Ok(1),
            _ => Err(Error::new(format!("{} takes no value", self.name))),
        }
    }

    fn write(&self, _: u64) -> String {
        String::new()
    }
}

impl Typed for Flag {
    type Value = bool;

    fn value(&self, value: Option<u64>) -> bool {
        value.is_some()
    }
}

/// The values of parameters that were set, by the parameters' names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Sorted by name, so that equal settings have equal representations.
    given: Vec<(&'static str, u64)>,
}

impl Settings {
    /// Sets a parameter to the value with this text; the last value counts.
    ///
    /// # Errors
    /// If the text is not a value of the parameter.
    pub fn set(&mut self, parameter: &dyn Parameter, text: &str) -> Result<(), Error> {
        self.insert(parameter.name(), parameter.read(text)?);
        Ok(())
    }

    fn insert(&mut self, name: &'static str, value: u64) {
        match self.given.binary_search_by_key(&name, |(name, _)| name) {
            Ok(place) => self.given[place].1 = value,
            Err(place) => self.given.insert(place, (name, value)),
        }
    }

    /// Returns the value of a parameter, or its default.
    pub fn get<P: Typed>(&self, parameter: &P) -> P::Value {
        parameter.value(self.given(parameter.name()))
    }

    /// Formats the value of a parameter, if it was set.
    pub fn text(&self, parameter: &dyn Parameter) -> Option<String> {
        Some(parameter.write(self.given(parameter.name())?))
    }

    /// True if no parameter was set.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Returns the first missing mandatory choice.
    pub fn missing<'p>(&self, parameters: &[&'p dyn Parameter]) -> Option<&'p dyn Parameter> {
        let must = |parameter: &&&dyn Parameter| {
            matches!(parameter.takes(), Takes::Names(_)) && parameter.default().is_none()
        };
        let mut required = parameters.iter().filter(must);
        required.find(|parameter| self.given(parameter.name()).is_none()).copied()
    }

    fn given(&self, name: &str) -> Option<u64> {
        let place = self.given.binary_search_by_key(&name, |(name, _)| name).ok()?;
        Some(self.given[place].1)
    }
}

/// Returns all settings of the choices and flags among the parameters: each value of each choice
/// and each flag, with the others at their defaults. For exhaustive tests.
pub fn variations(parameters: &[&dyn Parameter]) -> Vec<Settings> {
    let mut all = vec![];
    let mut required = Settings::default();
    for parameter in parameters {
        if let (Takes::Names(names), None) = (parameter.takes(), parameter.default())
            && let Some(Ok(value)) = names.first().map(|(name, _)| parameter.read(name))
        {
            required.insert(parameter.name(), value);
        }
    }
    all.push(required.clone());
    for parameter in parameters {
        let texts = match parameter.takes() {
            Takes::Names(names) => names.into_iter().map(|(name, _)| name).collect(),
            Takes::Nothing => vec![""],
            Takes::Number | Takes::List => vec![],
        };
        for text in texts {
            let mut settings = required.clone();
            let is_default = parameter.default() == Some(text);
            if !is_default && settings.set(*parameter, text).is_ok() && !all.contains(&settings) {
                all.push(settings);
            }
        }
    }
    all
}
