//! The guards of an automaton without a declaration of propositions.
//!
//! Each distinct text is parsed once. Guards become labels when all propositions are known.

use super::MAX_PROPS;
use super::source::place_in;
use crate::{Alphabet, Error, Label, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::{Formula, Op, Prop, Syntax, Traits, syntax};
use std::sync::Arc;

/// The guards read so far.
pub(super) struct Guards {
    syntax: Syntax,
    known: FxHashMap<String, GuardId>,
    formulas: Vec<Formula>,
    props: FxHashSet<Prop>,
}

/// The number of a guard.
#[derive(Clone, Copy)]
pub(super) struct GuardId(u32);

impl Guards {
    pub(super) fn new(syntax: Syntax) -> Self {
        let (known, formulas, props) = Default::default();
        Guards { syntax, known, formulas, props }
    }

    /// Reads the guard with this text, which starts at `place`.
    pub(super) fn read(
        &mut self,
        text: &str,
        place: impl FnOnce() -> Place,
    ) -> Result<GuardId, Error> {
        if let Some(id) = self.known.get(text) {
            return Ok(*id);
        }
        let formula = match syntax::parse(text, self.syntax) {
            Ok(formula) => formula,
            Err(error) => {
                let span = error.span().unwrap_or(0..text.len());
                let own = Error::at(place_in(place(), text, span), error.message());
                return Err(match error.expectation() {
                    Some(expected) => own.expected(expected),
                    None => own,
                });
            }
        };
        if !formula.is(Traits::BOOLEAN) {
            let message = "the guard has temporal operators";
            let place = place_in(place(), text, 0..text.len());
            return Err(Error::at(place, message).expected("a Boolean formula"));
        }
        for f in formula.subformulas().filter(|f| f.op() == Op::Prop) {
            self.props.extend(f.as_prop().cloned());
        }
        if self.props.len() > MAX_PROPS {
            let message = format!("more than {MAX_PROPS} propositions");
            return Err(Error::at(place_in(place(), text, 0..text.len()), message));
        }
        let id = GuardId(self.formulas.len() as u32);
        self.formulas.push(formula);
        self.known.insert(text.to_owned(), id);
        Ok(id)
    }

    /// The formula of a guard.
    pub(super) fn formula(&self, id: GuardId) -> &Formula {
        &self.formulas[id.0 as usize]
    }

    /// Returns the alphabet of the propositions that occur, in their natural order, and the guards
    /// as labels. Errors refer to the start of the automaton.
    pub(super) fn finish(self, origin: Place) -> Result<(Arc<Alphabet>, Labels), Error> {
        let blamed = |error: Error| Error::at(origin, error.message());
        let mut props: Vec<Prop> = self.props.into_iter().collect();
        props.sort();
        let alphabet = Alphabet::new(props).map_err(blamed)?;
        let labels = self.formulas.iter().map(|formula| alphabet.from_formula(formula));
        let labels = labels.collect::<Result<Vec<Label>, Error>>().map_err(blamed)?;
        Ok((Arc::new(alphabet), Labels(labels)))
    }
}

/// The labels of guards.
pub(super) struct Labels(Vec<Label>);

impl Labels {
    pub(super) fn get(&self, id: GuardId) -> Label {
        self.0[id.0 as usize]
    }
}
