//! Selects automata.

use super::nondeterministic;
use crate::range::Range;
use crate::report::{Located, Place};
use anyhow::{Result, bail};
use sempre::automata::{
    AlternatingAutomaton, AnyAutomaton, Automaton, EdgeId, Sccs, StateId, complement, membership,
};
use sempre::ltl::Word;

/// The criteria of the selection.
#[derive(clap::Args, Debug)]
pub(super) struct Criteria {
    /// The number of states is in this range, such as 5, 3..8, 3.. or ..8.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    states: Option<Range>,

    /// The number of edges is in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    edges: Option<Range>,

    /// The number of marks (acceptance sets) is in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    marks: Option<Range>,

    /// The number of propositions is in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    props: Option<Range>,

    /// The number of reachable SCCs is in this range.
    #[arg(long, value_name = "RANGE", help_heading = "Properties")]
    sccs: Option<Range>,

    /// Deterministic: at most one run for each word.
    #[arg(long, help_heading = "Properties")]
    deterministic: bool,

    /// Complete: every state reads every letter.
    #[arg(long, help_heading = "Properties")]
    complete: bool,

    /// All edges of a state have the same marks.
    #[arg(long, help_heading = "Properties")]
    state_based: bool,

    /// Weak: in each SCC, all cycles are accepting or all are rejecting.
    #[arg(long, help_heading = "Properties")]
    weak: bool,

    /// Terminal: weak, and accepting SCCs are complete and never left.
    #[arg(long, help_heading = "Properties")]
    terminal: bool,

    /// Every cycle is a self-loop.
    #[arg(long, help_heading = "Properties")]
    very_weak: bool,

    /// Unambiguous: at most one accepting run for each word.
    #[arg(long, help_heading = "Properties")]
    unambiguous: bool,

    /// Deterministic from the accepting SCCs on.
    #[arg(long, help_heading = "Properties")]
    semi_deterministic: bool,

    /// Semi-deterministic, and deterministic but for edges to the deterministic part.
    #[arg(long, help_heading = "Properties")]
    cut_deterministic: bool,

    /// This word is accepted; may be repeated.
    #[arg(long, value_name = "WORD", help_heading = "Properties")]
    accepts: Vec<String>,

    /// It rejects this word; may be repeated.
    #[arg(long, value_name = "WORD", help_heading = "Properties")]
    rejects: Vec<String>,

    /// Show for each word of --rejects the accepting run of the complement, instead of the
    /// automaton.
    #[arg(long, requires = "rejects", conflicts_with = "invert", help_heading = "Properties")]
    explain: bool,

    /// Pass on the automata that lack one of the properties.
    #[arg(short = 'v', long, help_heading = "Selection")]
    invert: bool,

    /// Stop after N automata.
    #[arg(long, value_name = "N", help_heading = "Selection")]
    max_count: Option<u64>,
}

/// The criteria, with their words parsed.
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
        let asks_for_words = !self.accepts.is_empty() || !self.rejects.is_empty();
        let asks = asks_for_sizes || asks_for_kinds || asks_for_words || self.ask_for_runs();
        !(asks || self.invert)
    }

    /// True if something is asked that only a nondeterministic automaton can answer.
    fn ask_for_runs(&self) -> bool {
        self.sccs.is_some()
            || self.weak
            || self.terminal
            || self.very_weak
            || self.unambiguous
            || self.semi_deterministic
            || self.cut_deterministic
    }
}

fn read(text: &str) -> Result<Word> {
    Word::parse(text).map_err(|error| Located::new(&Place::Named("word"), text, error).into())
}

fn within(range: Option<Range>, number: usize) -> bool {
    range.is_none_or(|range| range.contains(number as u64))
}

/// The number of the words that an alternating automaton accepts.
fn accepted(automaton: &AlternatingAutomaton, words: &[Word]) -> Result<usize> {
    let mut count = 0;
    for word in words {
        count += usize::from(automaton.accepts(word)?);
    }
    Ok(count)
}
/// Complements with more macrostates are not built for explanations.
const MAX_MACROSTATES: usize = 1 << 20;

impl Compiled<'_> {
    /// True if rejected words are explained, and automata not written.
    pub(super) fn explains(&self) -> bool {
        self.criteria.explain
    }

    /// For each rejected word an accepting run of the complement, which has been checked.
    pub(super) fn explanations(&self, automaton: &Automaton) -> Result<String> {
        let complement = complement::native(automaton, MAX_MACROSTATES)?;
        let alphabet = complement.alphabet();
        let mut text = String::new();
        for word in &self.rejects {
            let Some(run) = membership::accepting_run(&complement, word) else {
                bail!("the complement does not accept {word}");
            };
            let step = |edge: &EdgeId, from: StateId| {
                let edge = complement.edge(*edge);
                let marks: Vec<String> = edge.marks.iter().map(|mark| mark.to_string()).collect();
                let marks = match marks.is_empty() {
                    true => String::new(),
                    false => format!(" {{{}}}", marks.join(" ")),
                };
                let label = alphabet.to_formula(edge.label);
                format!("{} [{label}]{marks}", from.index())
            };
            let states: Vec<StateId> = run.states(&complement).collect();
            let steps = run.edges().zip(states).map(|(edge, from)| step(&edge, from));
            let steps: Vec<String> = steps.collect();
            let (prefix, cycle) = steps.split_at(run.prefix().len());
            text += &format!("rejects: {word}\n");
            text += &format!(
                "complement: {} states, {}\n",
                complement.state_count(),
                complement.acceptance().condition()
            );
            let prefix: String = prefix.iter().map(|step| format!("{step}; ")).collect();
            text += &format!("run: {prefix}cycle{{{}}}\n", cycle.join("; "));
        }
        Ok(text)
    }

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
                    && accepted(alternating, &self.accepts)? == self.accepts.len()
                    && accepted(alternating, &self.rejects)? == 0
            }
        };
        Ok(has_all != criteria.invert)
    }

    /// Checks cheap criteria first.
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
            && (!criteria.cut_deterministic || automaton.is_cut_deterministic())
            && (!criteria.unambiguous || automaton.is_unambiguous())
            && self.accepts.iter().all(|word| membership::accepts(automaton, word))
            && !self.rejects.iter().any(|word| membership::accepts(automaton, word))
    }
}
