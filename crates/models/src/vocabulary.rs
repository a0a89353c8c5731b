//! Names for systems that are written in Rust: variables with ranges, packed into words, and actions.

use crate::expression::Expr;
use crate::layout::{Field, Layout};
use crate::system::{ActionId, Actions, Meaning, Names, Scope, VariableId};

/// The variables and actions of a system of one's own. It packs and unpacks states, and gives
/// propositions their meaning.
///
/// ```
/// use sempre_models::Vocabulary;
/// let names = Vocabulary::new([("x", 0..=3), ("y", -5..=5)], ["swap"]);
/// let state = names.pack(&[2, -1]);
/// assert_eq!(names.unpack(&state), [2, -1]);
/// ```
#[derive(Clone, Debug)]
pub struct Vocabulary {
    variables: Vec<(String, Field)>,
    actions: Vec<String>,
    words: usize,
}

impl Vocabulary {
    /// Makes a vocabulary of variables with the least and greatest values that they can have, and
    /// of actions.
    pub fn new<N: Into<String>, A: Into<String>>(
        variables: impl IntoIterator<Item = (N, std::ops::RangeInclusive<i32>)>,
        actions: impl IntoIterator<Item = A>,
    ) -> Self {
        let mut layout = Layout::default();
        let field = |(name, range): (N, std::ops::RangeInclusive<i32>)| {
            (name.into(), layout.field(*range.start(), i64::from(*range.end())))
        };
        let variables = variables.into_iter().map(field).collect();
        let actions = actions.into_iter().map(Into::into).collect();
        Vocabulary { variables, actions, words: layout.words() }
    }

    /// Returns the number of words of a state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Packs the values of all variables, which must lie in their ranges, into a state.
    pub fn pack(&self, values: &[i64]) -> Box<[u32]> {
        let mut state = vec![0; self.words].into_boxed_slice();
        for ((_, field), value) in self.variables.iter().zip(values) {
            field.set(&mut state, *value);
        }
        state
    }

    /// Returns the values of all variables.
    pub fn unpack(&self, state: &[u32]) -> Vec<i64> {
        self.variables.iter().map(|(_, field)| field.get(state)).collect()
    }
}

impl Scope for Vocabulary {
    fn resolve(&self, name: &str) -> Option<Meaning> {
        let (_, field) = self.variables.iter().find(|(known, _)| known == name)?;
        Some(Meaning::Value(Expr::Value(*field)))
    }

    fn fireable(&self, _: &str) -> Option<Expr> {
        None
    }

    fn fired(&self, name: &str) -> Option<Actions> {
        let number = self.actions.iter().position(|action| action == name)?;
        Some(std::iter::once(ActionId(number as u32)).collect())
    }

    fn value_names(&self) -> Vec<String> {
        self.variables.iter().map(|(name, _)| name.clone()).collect()
    }

    fn action_names(&self) -> Vec<String> {
        self.actions.clone()
    }
}

impl Names for Vocabulary {
    fn action_name(&self, action: ActionId) -> String {
        self.actions.get(action.0 as usize).cloned().unwrap_or_else(|| action.0.to_string())
    }

    fn variable_count(&self) -> usize {
        self.variables.len()
    }

    fn variable_name(&self, variable: VariableId) -> String {
        self.variables[variable.0 as usize].0.clone()
    }

    fn value(&self, state: &[u32], variable: VariableId) -> i64 {
        self.variables[variable.0 as usize].1.get(state)
    }
}
