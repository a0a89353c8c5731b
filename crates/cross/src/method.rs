//! Participants that are constructions of this library, in this process.
//!
//! Their names give the options: `tableau`, `classic:ba:low`, `alternating:tgba:complete`, or
//! as options of `sempre translate`: `sempre --method classic --kind ba`. Further steps may follow
//! the translation: any transformation that preserves the language can be tested.

use crate::guard::guarded;
use crate::{Claims, Failure, FailureKind, Limits, Tool};
use sempre_automata::Automaton;
use sempre_automata::transform::{Properties, Property};
use sempre_ltl::nearest::nearest;
use sempre_ltl::{Formula, Traits};
use sempre_translate::deterministic::Route;
use sempre_translate::{Effort, Kind, Method, Preference, Translator};
use std::sync::{Mutex, PoisonError};

/// The options of a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The construction.
    pub method: Method,
    /// The kind of automata.
    pub kind: Kind,
    /// The preference.
    pub preference: Preference,
    /// How much work is put into small automata.
    pub effort: Effort,
    /// Whether states are to read all letters.
    pub complete: bool,
    /// Whether words are to have at most one accepting run.
    pub unambiguous: bool,
    /// One route to deterministic automata, in place of all the above, and whether it is to go by
    /// the negation.
    pub route: Option<(Route, bool)>,
}

impl Choices {
    /// Reads choices separated by colons, the method first: `tableau:ba:low`; or a route to
    /// deterministic automata alone, `master`, which goes by the negation as `master:dual`. Nothing
    /// if the text does not begin with a method or a route.
    ///
    /// # Errors
    /// If one of the others is unknown.
    pub fn read(text: &str) -> Option<Result<Choices, String>> {
        let mut parts = text.split(':');
        let first = parts.next()?;
        if let Ok(route) = first.parse::<Route>() {
            let dual = match (parts.next(), parts.next()) {
                (None, _) => false,
                (Some("dual"), None) => true,
                _ => return Some(Err(format!("after the route {route} only `dual` can follow"))),
            };
            return Some(Ok(Choices { route: Some((route, dual)), ..Choices::default() }));
        }
        let method = first.parse().ok()?;
        let mut choices = Choices { method, ..Choices::default() };
        let read = parts.try_for_each(|part| choices.choose(part));
        Some(read.map(|()| choices))
    }

    /// Reads the options of `sempre translate`, which may come first.
    ///
    /// # Errors
    /// If an option or its value is unknown.
    pub fn options<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Choices, String> {
        let mut choices = Choices::default();
        let mut words = words.into_iter().peekable();
        words.next_if_eq(&"translate");
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (word, None),
            };
            let known = ["--method", "--kind", "--prefer", "--effort"];
            match option {
                "--complete" => choices.complete = true,
                "--unambiguous" => choices.unambiguous = true,
                _ if !known.contains(&option) => {
                    let flags = ["--complete", "--unambiguous"];
                    let similar = suggestion(option, known.into_iter().chain(flags));
                    return Err(format!("`{option}` is no option of a translation{similar}"));
                }
                _ => {
                    let Some(value) = value.or_else(|| words.next()) else {
                        return Err(format!("`{option}` has no value"));
                    };
                    let set = match option {
                        "--method" => value.parse().map(|method| choices.method = method),
                        "--kind" => value.parse().map(|kind| choices.kind = kind),
                        "--prefer" => value.parse().map(|what| choices.preference = what),
                        _ => value.parse().map(|effort| choices.effort = effort),
                    };
                    set.map_err(|error| error.to_string())?;
                }
            }
        }
        choices.check()?;
        Ok(choices)
    }

    /// Adds a choice by its name alone.
    fn choose(&mut self, name: &str) -> Result<(), String> {
        if let Ok(kind) = name.parse() {
            self.kind = kind;
        } else if let Ok(effort) = name.parse() {
            self.effort = effort;
        } else if let Ok(preference) = name.parse() {
            self.preference = preference;
        } else if name == "complete" {
            self.complete = true;
        } else if name == "unambiguous" {
            self.unambiguous = true;
        } else {
            let names = Kind::ALL.map(Kind::name).into_iter();
            let names = names.chain(Effort::ALL.map(Effort::name));
            let names = names.chain(Preference::ALL.map(Preference::name));
            let names: Vec<&str> = names.chain(["complete", "unambiguous"]).collect();
            let similar = suggestion(name, names.iter().copied());
            let known = names.join(", ");
            return Err(format!("`{name}` cannot be chosen{similar}; there are {known}"));
        }
        self.check()
    }

    fn check(&self) -> Result<(), String> {
        if self.unambiguous && self.method != Method::Tableau {
            return Err(format!("unambiguous is for tableau, not for {}", self.method));
        }
        Ok(())
    }

    /// The claims about all resulting automata.
    pub fn claims(&self) -> Claims {
        if self.route.is_some() {
            let properties = Properties::exactly(&[Property::Deterministic]);
            return Claims { properties, stutter_invariant: true };
        }
        let deterministic = self.kind == Kind::Monitor || self.kind.deterministic().is_some();
        let claimed = [
            (Property::Deterministic, deterministic),
            (Property::Complete, self.complete),
            (Property::Unambiguous, self.unambiguous),
            (Property::StateBased, matches!(self.kind, Kind::Ba | Kind::Gba)),
            (Property::Buchi, matches!(self.kind, Kind::Ba | Kind::Tba)),
        ];
        let claimed = claimed.into_iter().filter_map(|(property, holds)| holds.then_some(property));
        let properties = Properties::exactly(&claimed.collect::<Vec<_>>());
        Claims { properties, stutter_invariant: true }
    }

    fn translator(&self) -> Translator {
        Translator::new()
            .method(self.method)
            .kind(self.kind)
            .prefer(self.preference)
            .effort(self.effort)
            .complete(self.complete)
            .unambiguous(self.unambiguous)
    }
}

/// A transformation that preserves the language.
pub type Step = Box<dyn Fn(&Automaton) -> Result<Automaton, String> + Send + Sync>;

/// A translation of this library, and steps that follow it.
pub struct Construction {
    choices: Choices,
    /// Remembers simplifications; taken out while it works, as nobody knows in which state a
    /// panic leaves it.
    translator: Mutex<Option<Translator>>,
    steps: Vec<Step>,
}

impl Construction {
    /// The translation with these choices.
    pub fn new(choices: Choices) -> Self {
        Construction { choices, translator: Mutex::new(None), steps: vec![] }
    }

    /// Lets a step follow.
    #[must_use]
    pub fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The options of the translation.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Translator>> {
        self.translator.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tool for Construction {
    fn translate(&self, formula: &Formula, limits: &Limits) -> Result<Automaton, Failure> {
        let taken = self.slot().take();
        let mut translator = taken.unwrap_or_else(|| self.choices.translator());
        let automaton = guarded(limits, || {
            let mut automaton = match self.choices.route {
                None => translator.translate(formula),
                Some((route, dual)) => route.automaton(formula, dual).ok_or_else(|| {
                    let message = format!("the route {route} found no automaton");
                    Failure::new(FailureKind::Unsupported, message)
                })?,
            };
            if self.choices.route.is_none() && !self.choices.kind.includes(&automaton) {
                let message = format!("no {} automaton was found", self.choices.kind);
                return Err(Failure::new(FailureKind::Unsupported, message));
            }
            for step in &self.steps {
                automaton = step(&automaton)
                    .map_err(|message| Failure::new(FailureKind::Unsupported, message))?;
            }
            Ok(automaton)
        })??;
        *self.slot() = Some(translator);
        Ok(automaton)
    }

    fn supports(&self, formula: &Formula) -> bool {
        // A monitor accepts unless a finite prefix is bad.
        self.choices.kind != Kind::Monitor || formula.is(Traits::SAFETY)
    }
}

/// The part of an error message that suggests names.
pub(crate) fn suggestion<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    match &*nearest(name, names) {
        [] => String::new(),
        names => format!(" (did you mean `{}`?)", names.join("` or `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Choices {
        Choices::read(text).unwrap().unwrap()
    }

    #[test]
    fn choices_have_short_names_and_options() {
        let choices = read("classic:ba:low:complete");
        assert_eq!(choices.method, Method::Classic);
        assert_eq!((choices.kind, choices.effort), (Kind::Ba, Effort::Low));
        let words = "translate --method classic --kind=ba --effort low --complete";
        assert_eq!(Choices::options(words.split(' ')), Ok(choices));
        assert_eq!(read("tableau"), Choices::default());
        assert!(Choices::read("spin").is_none());
        assert_eq!(read("master").route, Some((Route::Master, false)));
        assert_eq!(read("weak:dual").route, Some((Route::Weak, true)));
        assert!(Choices::read("master:ba").unwrap().is_err());
        assert!(read("master").claims().properties.contains(Property::Deterministic));
    }

    #[test]
    fn unknown_choices_are_refused_with_a_suggestion() {
        let error = Choices::read("tableau:bba").unwrap().unwrap_err();
        assert!(error.contains("did you mean `ba` or `gba` or `tba`?"), "{error}");
        let error = Choices::options(["--mehtod", "classic"]).unwrap_err();
        assert!(error.contains("did you mean `--method`?"), "{error}");
        assert!(Choices::options(["--kind"]).is_err());
        assert!(Choices::read("classic:unambiguous").unwrap().is_err());
    }

    #[test]
    fn failures_are_reported_as_such() {
        let none = Limits::default();
        let formula = "G F a".parse().unwrap();
        let weak = Construction::new(read("tableau:weak"));
        assert_eq!(weak.translate(&formula, &none).unwrap_err().kind, FailureKind::Unsupported);
        assert!(!Construction::new(read("tableau:monitor")).supports(&formula));
        let broken = Construction::new(Choices::default()).then(Box::new(|_| panic!("broken")));
        assert_eq!(broken.translate(&formula, &none).unwrap_err().kind, FailureKind::Crash);
        let fine = Construction::new(read("tableau:ba"));
        assert!(fine.translate(&formula, &none).unwrap().is_state_based());
    }
}
