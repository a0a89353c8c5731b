//! Kripke structures as systems: the packed state is the number of the state.

use crate::description::{Description, Variable};
use crate::expression::{Binary, Expr};
use crate::layout::{Field, Footprint, Layout};
use crate::model::{Source, Width};
use crate::proposition::{quoted, written_value};
use crate::system::{
    ActionId, Actions, Events, Expander, Fault, Meaning, Names, Scope, Successors, System,
    VariableId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::Error;
use std::ops::Range;
use std::sync::Arc;

/// The number of a state of a Kripke structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KripkeStateId(pub u32);

/// A finite system with explicitly listed states.
///
/// As a [`System`] it has the propositions as truth values, and a name for each state, which holds
/// there and nowhere else unless a proposition has the same name. Its steps are called by where
/// they lead.
///
/// ```
/// use sempre_models::kripke;
/// let light = kripke::text::parse("init red; state red: stop -> green; state green -> red;")?;
/// assert_eq!((light.state_count(), light.edge_count()), (2, 2));
/// # Ok::<(), sempre_models::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kripke {
    propositions: Vec<String>,
    names: Vec<String>,
    /// For each state the propositions that hold, as bits of `label_words` words.
    labels: Vec<u64>,
    label_words: usize,
    initial: Vec<u32>,
    /// The successors of state `s` are those from `offsets[s]` to `offsets[s + 1]`.
    offsets: Vec<u32>,
    successors: Vec<u32>,
    /// The meaning of names.
    named: FxHashMap<String, Named>,
    field: Field,
}

#[derive(Clone, Copy, Debug)]
enum Named {
    Proposition(usize),
    State(u32),
}

impl Kripke {
    /// Returns the number of states.
    pub fn state_count(&self) -> usize {
        self.names.len()
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = KripkeStateId> + use<> {
        (0..self.names.len() as u32).map(KripkeStateId)
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.successors.len()
    }

    /// The propositions.
    pub fn propositions(&self) -> &[String] {
        &self.propositions
    }

    /// The name of a state.
    pub fn state_name(&self, state: KripkeStateId) -> &str {
        &self.names[state.0 as usize]
    }

    /// The states in which executions begin, in the order in which they were given.
    pub fn initial_states(&self) -> impl ExactSizeIterator<Item = KripkeStateId> {
        self.initial.iter().map(|state| KripkeStateId(*state))
    }

    /// The successors of a state, in the order in which they were given; there may be none.
    pub fn edges_from(&self, state: KripkeStateId) -> impl ExactSizeIterator<Item = KripkeStateId> {
        self.successors[self.range(state.0)].iter().map(|state| KripkeStateId(*state))
    }

    /// True if that proposition holds in that state.
    pub fn holds(&self, state: KripkeStateId, proposition: usize) -> bool {
        let word = state.0 as usize * self.label_words + proposition / 64;
        self.labels[word] >> (proposition % 64) & 1 == 1
    }

    fn range(&self, state: u32) -> Range<usize> {
        self.offsets[state as usize] as usize..self.offsets[state as usize + 1] as usize
    }

    /// The state that steps of that name lead to.
    fn target(&self, action: &str) -> Option<u32> {
        let name = action.strip_prefix("to ")?;
        self.names.iter().position(|state| state == name).map(|number| number as u32)
    }

    /// True exactly in the states for which the condition is.
    fn table(&self, holds: impl Fn(KripkeStateId) -> bool) -> Expr {
        let table: Arc<[i64]> = self.states().map(|state| i64::from(holds(state))).collect();
        Expr::Table(self.field, table)
    }
}

impl Scope for Kripke {
    fn resolve(&self, name: &str) -> Option<Meaning> {
        if name == STATE && !self.named.contains_key(STATE) {
            return Some(Meaning::Named(Expr::Value(self.field)));
        }
        Some(Meaning::Value(match *self.named.get(name)? {
            Named::Proposition(proposition) => self.table(|state| self.holds(state, proposition)),
            Named::State(state) => Expr::binary(
                Binary::Equal,
                Expr::Value(self.field),
                Expr::Constant(i64::from(state)),
            ),
        }))
    }

    fn fireable(&self, name: &str) -> Option<Expr> {
        let target = KripkeStateId(self.target(name)?);
        Some(self.table(|state| self.edges_from(state).any(|successor| successor == target)))
    }

    fn fired(&self, name: &str) -> Option<Actions> {
        Some(std::iter::once(ActionId(self.target(name)?)).collect())
    }

    fn value_names(&self) -> Vec<String> {
        let names = self.propositions.iter().chain(&self.names).cloned();
        let state = (!self.named.contains_key(STATE)).then(|| STATE.to_owned());
        names.chain(state).collect()
    }

    fn action_names(&self) -> Vec<String> {
        self.names.iter().map(|name| format!("to {name}")).collect()
    }

    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        let is_state = name == STATE && !self.named.contains_key(STATE);
        let number = self.names.iter().position(|state| is_state && state == value)?;
        Some(number as i64)
    }

    fn constants(&self, name: &str) -> Vec<String> {
        match name == STATE && !self.named.contains_key(STATE) {
            true => self.names.clone(),
            false => Vec::new(),
        }
    }
}

/// The name of the variable that is the state, unless something else has it.
const STATE: &str = "state";

impl System for Kripke {
    fn words(&self) -> usize {
        1
    }

    fn initial(&self) -> Result<Vec<Box<[u32]>>, Fault> {
        Ok(self.initial.iter().map(|state| Box::from([*state])).collect())
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(self)
    }

    fn names(&self) -> &dyn Names {
        self
    }

    fn events(&self) -> Option<&dyn Events> {
        Some(self)
    }
}

impl Expander for &Kripke {
    fn expand(&mut self, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        for successor in &self.successors[self.range(state[0])] {
            successors.push(ActionId(*successor), &[*successor]);
        }
        Ok(())
    }

    fn is_deadlock(&mut self, state: &[u32]) -> Result<bool, Fault> {
        Ok(self.range(state[0]).is_empty())
    }
}

/// One event: the whole relation.
impl Events for Kripke {
    fn event_count(&self) -> usize {
        1
    }

    fn footprint(&self, _: usize) -> Footprint {
        Footprint::all(1)
    }

    fn fire(&self, _: usize, state: &[u32], successors: &mut Successors) -> Result<(), Fault> {
        (&mut &*self).expand(state, successors)
    }

    fn field(&self, variable: VariableId) -> Option<Field> {
        (variable.0 == 0).then_some(self.field)
    }
}

impl Names for Kripke {
    fn action_name(&self, action: ActionId) -> String {
        format!("to {}", self.names[action.0 as usize])
    }

    fn variable_count(&self) -> usize {
        1 + self.propositions.len()
    }

    fn variable_name(&self, variable: VariableId) -> String {
        match (variable.0 as usize).checked_sub(1) {
            None => STATE.to_owned(),
            Some(proposition) => self.propositions[proposition].clone(),
        }
    }

    fn value(&self, state: &[u32], variable: VariableId) -> i64 {
        match (variable.0 as usize).checked_sub(1) {
            None => i64::from(state[0]),
            Some(proposition) => i64::from(self.holds(KripkeStateId(state[0]), proposition)),
        }
    }

    fn value_text(&self, state: &[u32], variable: VariableId) -> String {
        match variable.0 {
            0 => self.names[state[0] as usize].clone(),
            _ => self.value(state, variable).to_string(),
        }
    }
}

impl Source for Kripke {
    fn system(self: Arc<Self>, _: Width) -> Arc<dyn System> {
        self
    }

    fn describe(&self) -> Description {
        let initial = |state: &u32| self.names[*state as usize].clone();
        let state = Variable {
            name: STATE.to_owned(),
            kind: "state",
            values: self.names.clone(),
            initial: self.initial.iter().map(initial).collect(),
            ..Variable::default()
        };
        let proposition = |(number, name): (usize, &String)| {
            let value = |state: &u32| i64::from(self.holds(KripkeStateId(*state), number));
            Variable {
                name: name.clone(),
                kind: "proposition",
                least: Some(0),
                greatest: Some(1),
                initial: self.initial.iter().map(|state| value(state).to_string()).collect(),
                ..Variable::default()
            }
        };
        let propositions = self.propositions.iter().enumerate().map(proposition);
        let name = self.propositions.first().map(|name| quoted(name).into_owned());
        let state_name = written_value(&self.names[0]);
        let action = format!("to {}", self.names[0]);
        let is_hidden = self.named.contains_key(STATE);
        let comparison = (!is_hidden).then(|| format!("{STATE} = {state_name}"));
        let last = [format!("fired({})", quoted(&action)), "deadlock".to_owned()];
        Description {
            kind: "Kripke structure",
            variables: std::iter::once(state).chain(propositions).collect(),
            propositions: name.into_iter().chain(comparison).chain(last).collect(),
            ..Description::default()
        }
    }
}

/// Puts a [`Kripke`] structure together.
///
/// ```
/// use sempre_models::kripke::KripkeBuilder;
/// let mut builder = KripkeBuilder::default();
/// let p = builder.proposition("p");
/// let (first, last) = (builder.state("first"), builder.state("last"));
/// builder.label(first, p);
/// builder.edge(first, last);
/// builder.initial(first);
/// let kripke = builder.build()?;
/// assert!(kripke.holds(first, p) && !kripke.holds(last, p));
/// # Ok::<(), sempre_models::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct KripkeBuilder {
    propositions: Vec<String>,
    names: Vec<String>,
    labels: Vec<(u32, usize)>,
    edges: Vec<(u32, u32)>,
    initial: Vec<u32>,
}

impl KripkeBuilder {
    /// Adds a proposition and returns its number.
    pub fn proposition(&mut self, name: impl Into<String>) -> usize {
        self.propositions.push(name.into());
        self.propositions.len() - 1
    }

    /// Adds a state in which no proposition holds.
    pub fn state(&mut self, name: impl Into<String>) -> KripkeStateId {
        self.names.push(name.into());
        KripkeStateId(self.names.len() as u32 - 1)
    }

    /// Lets a proposition hold in a state.
    pub fn label(&mut self, state: KripkeStateId, proposition: usize) {
        self.labels.push((state.0, proposition));
    }

    /// Adds an edge; edges that are added twice count once.
    pub fn edge(&mut self, source: KripkeStateId, target: KripkeStateId) {
        self.edges.push((source.0, target.0));
    }

    /// Lets executions begin in that state.
    pub fn initial(&mut self, state: KripkeStateId) {
        self.initial.push(state.0);
    }

    /// The structure.
    ///
    /// # Errors
    /// If there is no initial state, two states or two propositions have the same name, or there
    /// are 2^32 edges or more.
    pub fn build(self) -> Result<Kripke, Error> {
        let KripkeBuilder { propositions, names, labels, edges, mut initial } = self;
        if initial.is_empty() {
            return Err(Error::new("a Kripke structure has at least one initial state"));
        }
        if u32::try_from(edges.len()).is_err() {
            return Err(Error::new("a Kripke structure has less than 2^32 edges"));
        }
        let mut seen = FxHashSet::default();
        initial.retain(|state| seen.insert(*state));

        let mut named = FxHashMap::default();
        for (state, name) in names.iter().enumerate() {
            if named.insert(name.clone(), Named::State(state as u32)).is_some() {
                return Err(Error::new(format!("two states have the name `{name}`")));
            }
        }
        for (number, name) in propositions.iter().enumerate() {
            let before = named.insert(name.clone(), Named::Proposition(number));
            if matches!(before, Some(Named::Proposition(_))) {
                return Err(Error::new(format!("two propositions have the name `{name}`")));
            }
        }

        let label_words = propositions.len().div_ceil(64);
        let mut bits = vec![0; names.len() * label_words];
        for (state, proposition) in labels {
            bits[state as usize * label_words + proposition / 64] |= 1 << (proposition % 64);
        }

        let mut seen = FxHashSet::default();
        let edges: Vec<(u32, u32)> = edges.into_iter().filter(|edge| seen.insert(*edge)).collect();
        let mut offsets = vec![0u32; names.len() + 1];
        edges.iter().for_each(|(source, _)| offsets[*source as usize + 1] += 1);
        for state in 0..names.len() {
            offsets[state + 1] += offsets[state];
        }
        let mut next = offsets.clone();
        let mut successors = vec![0; edges.len()];
        for (source, target) in edges {
            let place = &mut next[source as usize];
            successors[*place as usize] = target;
            *place += 1;
        }
        // The whole word is the number, whatever the bits that it needs.
        let field = Layout::default().field(0, i64::from(u32::MAX));
        Ok(Kripke {
            propositions,
            names,
            labels: bits,
            label_words,
            initial,
            offsets,
            successors,
            named,
            field,
        })
    }
}
