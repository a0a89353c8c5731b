//! Claims about the results of a transformation, checked by tests.

use super::{Properties, Property};

/// The language of a result, by the languages of the input and the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The language of the input.
    Same,
    /// The complement of the input's language.
    Complement,
    /// A superset of the input's language.
    Superset,
    /// A subset of the input's language.
    Subset,
    /// The intersection of the languages of input and operand.
    Intersection,
    /// The union of the languages of input and operand.
    Union,
    /// The words that the input accepts and the operand rejects.
    Difference,
    /// A subset of the input's language, with all words that the operand accepts as well.
    UnderAssumption,
    /// Any language.
    Other,
}

impl Language {
    /// True if a result may accept (`result`) a word on which input and operand have these
    /// verdicts; without an operand, `operand` is false.
    pub fn allows(self, input: bool, operand: bool, result: bool) -> bool {
        match self {
            Language::Same => result == input,
            Language::Complement => result != input,
            Language::Superset => result || !input,
            Language::Subset => !result || input,
            Language::Intersection => result == (input && operand),
            Language::Union => result == (input || operand),
            Language::Difference => result == (input && !operand),
            Language::UnderAssumption => (result || !(input && operand)) && (input || !result),
            Language::Other => true,
        }
    }

    /// Returns the language after another transformation, as far as the input and one operand
    /// determine it.
    #[must_use]
    pub fn then(self, next: Language) -> Language {
        use Language::{Complement, Same, Subset, Superset};
        match (self, next) {
            (Same, language) | (language, Same) => language,
            (Complement, Complement) => Same,
            (Superset, Superset) => Superset,
            (Subset, Subset) => Subset,
            _ => Language::Other,
        }
    }
}

/// Claims that hold for every result of a transformation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claims {
    /// The language of the result.
    pub language: Language,
    /// The properties of the result for any input.
    pub yields: Properties,
    /// The properties of the result if the input has them.
    pub keeps: Properties,
}

impl Claims {
    /// Creates a claim about the language only.
    pub fn new(language: Language) -> Self {
        Claims { language, yields: Properties::NONE, keeps: Properties::NONE }
    }

    /// Adds properties of every result, and all that they imply.
    #[must_use]
    pub fn yields(mut self, properties: &[Property]) -> Self {
        self.yields = self.yields.union(Properties::of(properties));
        self
    }

    /// Adds properties that are preserved: exactly these.
    #[must_use]
    pub fn keeps(mut self, properties: &[Property]) -> Self {
        self.keeps = self.keeps.union(Properties::exactly(properties));
        self
    }

    /// Claims that the acceptance condition does not change.
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

    /// Returns the claims for this transformation followed by another.
    #[must_use]
    pub fn then(self, next: Claims) -> Claims {
        Claims {
            language: self.language.then(next.language),
            yields: next.properties(self.yields),
            keeps: self.keeps.intersection(next.keeps),
        }
    }
}

/// The claims for the identity.
impl Default for Claims {
    fn default() -> Self {
        Claims { language: Language::Same, yields: Properties::NONE, keeps: Properties::ALL }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_steps_follow_from_each_other() {
        let deterministic = Claims::new(Language::Same).yields(&[Property::Deterministic]);
        let complete = Claims::new(Language::Same)
            .yields(&[Property::Complete])
            .keeps(&[Property::Deterministic]);
        let dual = Claims::new(Language::Complement).keeps(&[Property::Complete]);
        let both = Claims::default().then(deterministic).then(complete);
        assert_eq!(both.language, Language::Same);
        assert!(both.yields.contains(Property::Unambiguous));
        assert!(both.yields.contains(Property::Complete));
        let all = both.then(dual);
        assert_eq!(all.language, Language::Complement);
        assert_eq!(all.then(dual).language, Language::Same);
        assert!(!all.yields.contains(Property::Deterministic));
        assert!(all.yields.contains(Property::Complete));
    }

    /// The combined claim allows all verdicts that two transformations in sequence can produce.
    #[test]
    fn combined_languages_allow_all_that_two_steps_do() {
        use Language::*;
        let all = [Same, Complement, Superset, Subset, Intersection, Union, Difference, Other];
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
