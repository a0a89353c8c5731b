//! What is said of the results of a transformation, and is tested.

use super::{Properties, Property};

/// Which words a result accepts, given what the input accepts and what the operand accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Those of the input.
    Kept,
    /// Those that the input rejects.
    Complemented,
    /// Those of the input and, perhaps, others.
    Extended,
    /// Some of those of the input, or all.
    Restricted,
    /// Those that input and operand both accept.
    Intersection,
    /// Those that one of them accepts.
    Union,
    /// Those of the input that the operand rejects.
    Difference,
    /// Any.
    Other,
}

impl Language {
    /// True if a result may accept a word (`result`) that the input accepts or not, and the
    /// operand; without operand, there is none that accepts it.
    pub fn allows(self, input: bool, operand: bool, result: bool) -> bool {
        match self {
            Language::Kept => result == input,
            Language::Complemented => result != input,
            Language::Extended => result || !input,
            Language::Restricted => !result || input,
            Language::Intersection => result == (input && operand),
            Language::Union => result == (input || operand),
            Language::Difference => result == (input && !operand),
            Language::Other => true,
        }
    }

    /// Returns the language after another transformation, as far as it can be said of the input
    /// and one operand.
    #[must_use]
    pub fn then(self, next: Language) -> Language {
        use Language::{Complemented, Extended, Kept, Restricted};
        match (self, next) {
            (Kept, language) | (language, Kept) => language,
            (Complemented, Complemented) => Kept,
            (Extended, Extended) => Extended,
            (Restricted, Restricted) => Restricted,
            _ => Language::Other,
        }
    }
}

/// What is true of every result of a transformation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claims {
    /// Which words it accepts.
    pub language: Language,
    /// The properties that it has, whatever the input was.
    pub yields: Properties,
    /// The properties that it has if the input has them.
    pub keeps: Properties,
}

impl Claims {
    /// Claims this about the language, and nothing else.
    pub fn new(language: Language) -> Self {
        Claims { language, yields: Properties::NONE, keeps: Properties::NONE }
    }

    /// Adds properties that every result has, and what follows from them.
    #[must_use]
    pub fn yields(mut self, properties: &[Property]) -> Self {
        self.yields = self.yields.union(Properties::of(properties));
        self
    }

    /// Adds properties that results have if the input has them: exactly these.
    #[must_use]
    pub fn keeps(mut self, properties: &[Property]) -> Self {
        self.keeps = self.keeps.union(Properties::exactly(properties));
        self
    }

    /// Says that the acceptance condition stays as it is.
    #[must_use]
    pub fn keeps_acceptance(self) -> Self {
        let acceptance =
            Property::ALL.into_iter().filter(|property| property.is_about_acceptance());
        self.keeps(&acceptance.collect::<Vec<_>>())
    }

    /// Returns the properties of a result if the input has these.
    pub fn properties(&self, input: Properties) -> Properties {
        let known: Vec<Property> =
            self.yields.union(self.keeps.intersection(input)).iter().collect();
        Properties::of(&known)
    }

    /// Returns what can be claimed if another transformation follows.
    #[must_use]
    pub fn then(self, next: Claims) -> Claims {
        Claims {
            language: self.language.then(next.language),
            yields: next.properties(self.yields),
            keeps: self.keeps.intersection(next.keeps),
        }
    }
}

/// What is claimed of an automaton to which nothing is done.
impl Default for Claims {
    fn default() -> Self {
        Claims { language: Language::Kept, yields: Properties::NONE, keeps: Properties::ALL }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_steps_follow_from_each_other() {
        let deterministic = Claims::new(Language::Kept).yields(&[Property::Deterministic]);
        let complete = Claims::new(Language::Kept)
            .yields(&[Property::Complete])
            .keeps(&[Property::Deterministic]);
        let dual = Claims::new(Language::Complemented).keeps(&[Property::Complete]);
        let both = Claims::default().then(deterministic).then(complete);
        assert_eq!(both.language, Language::Kept);
        assert!(both.yields.contains(Property::Unambiguous));
        assert!(both.yields.contains(Property::Complete));
        let all = both.then(dual);
        assert_eq!(all.language, Language::Complemented);
        assert_eq!(all.then(dual).language, Language::Kept);
        assert!(!all.yields.contains(Property::Deterministic));
        assert!(all.yields.contains(Property::Complete));
    }

    /// Two transformations one after the other do what the combined claim says, for all that the
    /// two may do with a word.
    #[test]
    fn combined_languages_allow_all_that_two_steps_do() {
        use Language::*;
        let all =
            [Kept, Complemented, Extended, Restricted, Intersection, Union, Difference, Other];
        for (first, second) in all.iter().flat_map(|l| all.iter().map(move |r| (*l, *r))) {
            let combined = first.then(second);
            for case in 0..16u8 {
                let [input, operand, middle, result] = [0, 1, 2, 3].map(|bit| case >> bit & 1 == 1);
                if first.allows(input, operand, middle) && second.allows(middle, operand, result) {
                    assert!(combined.allows(input, operand, result), "{first:?} {second:?}");
                }
            }
        }
    }
}
