//! Which automata pass.

use super::nondeterministic;
use crate::range::Range;
use crate::report::{Located, Place};
use anyhow::Result;
use sempre::automata::{AnyAutomaton, Automaton, Sccs, membership};
use sempre::ltl::Word;

/// The properties an automaton must have to pass.
#[derive(clap::Args, Debug)]
pub(super) struct Criteria {
    /// The number of states lies in this range, such as 5, 3..8, 3.. or ..8.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    states: Option<Range>,

    /// The number of edges lies in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    edges: Option<Range>,

    /// The number of marks (acceptance sets) lies in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    marks: Option<Range>,

    /// The number of propositions lies in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    props: Option<Range>,

    /// The number of reachable strongly connected components lies in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    sccs: Option<Range>,

    /// At most one run for each word.
    #[arg(long, help_heading = "Properties")]
    deterministic: bool,

    /// Every state reads every letter.
    #[arg(long, help_heading = "Properties")]
    complete: bool,

    /// All edges that leave a state have the same marks.
    #[arg(long, help_heading = "Properties")]
    state_based: bool,

    /// In each component all cycles are accepting, or none, by their marks.
    #[arg(long, help_heading = "Properties")]
    weak: bool,

    /// Weak, and accepting components are complete and never left.
    #[arg(long, help_heading = "Properties")]
    terminal: bool,

    /// Every cycle is a self-loop.
    #[arg(long, help_heading = "Properties")]
    very_weak: bool,

    /// At most one accepting run for each word.
    #[arg(long, help_heading = "Properties")]
    unambiguous: bool,

    /// Deterministic from the accepting components on.
    #[arg(long, help_heading = "Properties")]
    semi_deterministic: bool,

    /// This word is accepted; may be repeated.
    #[arg(long, value_name = "WORD", help_heading = "Properties")]
    accepts: Vec<String>,

    /// This word is not accepted; may be repeated.
    #[arg(long, value_name = "WORD", help_heading = "Properties")]
    rejects: Vec<String>,

    /// Pass on the automata that lack one of the properties.
    #[arg(short = 'v', long, help_heading = "Selection")]
    invert: bool,

    /// Stop after N automata.
    #[arg(long, value_name = "N", help_heading = "Selection")]
    max_count: Option<u64>,
}

/// The criteria with their words read.
pub(super) struct Compiled<'a> {
    criteria: &'a Criteria,
    accepts: Vec<Word>,
    rejects: Vec<Word>,
}

impl Criteria {
    pub(super) fn compile(&self) -> Result<Compiled<'_>> {
        let words = |texts: &[String]| texts.iter().map(|text| read(text)).collect::<Result<_>>();
        Ok(Compiled {
            criteria: self,
            accepts: words(&self.accepts)?,
            rejects: words(&self.rejects)?,
        })
    }

    /// True if all automata pass.
    pub(super) fn is_empty(&self) -> bool {
        let ranges = [self.states, self.edges, self.marks, self.props];
        let asks_for_sizes = ranges.iter().any(Option::is_some);
        let asks_for_kinds = self.deterministic || self.complete || self.state_based;
        !(asks_for_sizes || asks_for_kinds || self.ask_for_runs() || self.invert)
    }

    /// True if something is asked that only a nondeterministic automaton can answer.
    fn ask_for_runs(&self) -> bool {
        self.sccs.is_some()
            || self.weak
            || self.terminal
            || self.very_weak
            || self.unambiguous
            || self.semi_deterministic
            || !self.accepts.is_empty()
            || !self.rejects.is_empty()
    }
}

fn read(text: &str) -> Result<Word> {
    Word::parse(text).map_err(|error| Located::new(&Place::Named("word"), text, error).into())
}

fn within(range: Option<Range>, number: usize) -> bool {
    range.is_none_or(|range| range.contains(number as u64))
}

impl Compiled<'_> {
    /// True if no more automata are wanted.
    pub(super) fn is_done(&self, passed: u64) -> bool {
        self.criteria.max_count.is_some_and(|most| passed >= most)
    }

    pub(super) fn admit(&self, automaton: &AnyAutomaton) -> Result<bool> {
        let criteria = self.criteria;
        let has_all = match automaton {
            AnyAutomaton::Nondeterministic(automaton) => self.has_all(automaton),
            AnyAutomaton::Alternating(alternating) => {
                if criteria.ask_for_runs() {
                    nondeterministic(automaton)?;
                }
                within(criteria.states, alternating.state_count())
                    && within(criteria.edges, alternating.edge_count())
                    && within(criteria.marks, alternating.acceptance().marks() as usize)
                    && within(criteria.props, alternating.alphabet().props().len())
                    && (!criteria.deterministic || alternating.is_deterministic())
                    && (!criteria.complete || alternating.is_complete())
                    && (!criteria.state_based || alternating.is_state_based())
            }
        };
        Ok(has_all != criteria.invert)
    }

    /// The cheap questions first.
    fn has_all(&self, automaton: &Automaton) -> bool {
        let criteria = self.criteria;
        within(criteria.states, automaton.state_count())
            && within(criteria.edges, automaton.edge_count())
            && within(criteria.marks, automaton.acceptance().marks() as usize)
            && within(criteria.props, automaton.alphabet().props().len())
            && (!criteria.state_based || automaton.is_state_based())
            && (!criteria.deterministic || automaton.is_deterministic())
            && (!criteria.complete || automaton.is_complete())
            && criteria.sccs.is_none_or(|range| range.contains(Sccs::of(automaton).len() as u64))
            && (!criteria.very_weak || automaton.is_very_weak())
            && (!criteria.weak || automaton.is_weak())
            && (!criteria.terminal || automaton.is_terminal())
            && (!criteria.semi_deterministic || automaton.is_semi_deterministic())
            && (!criteria.unambiguous || automaton.is_unambiguous())
            && self.accepts.iter().all(|word| membership::accepts(automaton, word))
            && !self.rejects.iter().any(|word| membership::accepts(automaton, word))
    }
}
