//! Semi-determinization and cut-determinization: moves nondeterminism before the accepting
//! components, or into the edges that lead to them.
//!
//! F. Blahoudek, A. Duret-Lutz, M. Klokočka, M. Křetínský and J. Strejček, "Seminator: a tool for
//! semi-determinization of omega-automata" (LPAR 2017). The constructions are in `construct`; a
//! [`SemiDeterminizer`] runs them on the automaton itself, on its degeneralization with marks on
//! edges, and on that with marks on states. It returns the smallest result after reductions that
//! keep the kind. Unless a reset is chosen, all of these are run with the refinements of `refined`
//! as well. A result has at most n + k·3^n states for n states and k marks, and 2^n + k·3^n
//! if it is cut-deterministic.

mod construct;
mod refined;
#[cfg(test)]
mod tests;

use crate::degeneralize::Degeneralizer;
use crate::reduce::{Level, reduce};
use crate::{Automaton, Error, Marks, Named, convert, mark_cleanup, prune};

/// The input of the construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Route {
    /// Each of the others; returns the smallest result.
    #[default]
    Best,
    /// A generalized Büchi automaton.
    Tgba,
    /// A Büchi automaton with marks on edges.
    Tba,
    /// A Büchi automaton with marks on states.
    Sba,
}

/// The runs that count for the next level after a breakpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reset {
    /// Runs that see the mark of that level on the same edge.
    #[default]
    Track,
    /// None.
    Empty,
}

/// Which edges lead from the first part to components with breakpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cut {
    /// Those with the cut mark.
    #[default]
    Mark,
    /// Those, and all that enter the component.
    Entry,
    /// All that lead to a state of the component.
    Always,
}

/// Makes automata semi-deterministic or cut-deterministic.
///
/// ```
/// use sempre_automata::semi_determinize::SemiDeterminizer;
/// use sempre_automata::{hoa, language};
/// let text = r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Acceptance: 2 Inf(0) & Inf(1) --BODY--
///     State: 0 [1] 1 {1} State: 1 [!1] 0 [1] 0 {1} [1] 1 {0} --END--"#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let result = SemiDeterminizer::new().run(&automaton)?;
/// assert!(!automaton.is_semi_deterministic() && result.is_semi_deterministic());
/// assert!(language::equivalent(&automaton, &result));
/// # Ok::<(), sempre_automata::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SemiDeterminizer {
    route: Route,
    reset: Option<Reset>,
    cut: Option<Cut>,
    cut_mark: Option<u32>,
    by_component: bool,
    cut_deterministic: bool,
    steps: usize,
    effort: usize,
    reductions: bool,
}

impl Default for SemiDeterminizer {
    fn default() -> Self {
        SemiDeterminizer {
            route: Route::Best,
            reset: None,
            cut: None,
            cut_mark: None,
            by_component: true,
            cut_deterministic: false,
            steps: 1 << 20,
            effort: EFFORT,
            reductions: true,
        }
    }
}

impl SemiDeterminizer {
    /// Creates a semi-determinizer with the best route.
    pub fn new() -> Self {
        SemiDeterminizer::default()
    }

    /// Sets the input of the construction.
    #[must_use]
    pub fn route(mut self, route: Route) -> Self {
        self.route = route;
        self
    }

    /// How breakpoints go on, in the construction without refinements; otherwise both ways are
    /// tried, and the refined construction.
    #[must_use]
    pub fn reset(mut self, reset: Reset) -> Self {
        self.reset = Some(reset);
        self
    }

    /// Which edges are cut in the refined construction; otherwise each way is tried.
    #[must_use]
    pub fn cut(mut self, cut: Cut) -> Self {
        self.cut = Some(cut);
        self
    }

    /// The mark whose edges lead to the second part, modulo the number of marks; otherwise each of
    /// them is tried if there are at most four, and else the last one.
    #[must_use]
    pub fn cut_mark(mut self, mark: u32) -> Self {
        self.cut_mark = Some(mark);
        self
    }

    /// Sets whether the second part follows each component separately.
    #[must_use]
    pub fn by_component(mut self, on: bool) -> Self {
        self.by_component = on;
        self
    }

    /// Sets whether results are cut-deterministic.
    #[must_use]
    pub fn cut_deterministic(mut self, on: bool) -> Self {
        self.cut_deterministic = on;
        self
    }

    /// Sets the maximal number of edges of an attempt.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// Limits the search for smaller results once there is one: by the pairs of states of all
    /// results that are reduced by simulation, and by edges.
    #[must_use]
    pub fn effort(mut self, effort: usize) -> Self {
        self.effort = effort;
        self
    }

    /// Sets whether results are reduced; otherwise useless states are removed only.
    #[must_use]
    pub fn reductions(mut self, on: bool) -> Self {
        self.reductions = on;
        self
    }

    /// Returns a semi-deterministic or cut-deterministic automaton for the same language, with a
    /// (generalized) Büchi condition. An automaton of this kind is only trimmed.
    ///
    /// # Errors
    /// If every attempt exceeds the limit of edges.
    pub fn run(&self, automaton: &Automaton) -> Result<Automaton, Error> {
        let automaton = &prune::trim(&convert::to_generalized_buchi(automaton));
        if self.fits(automaton) {
            return Ok(automaton.clone());
        }
        let mut best = Best { automaton: None, effort: self.effort };
        if self.cut_deterministic && automaton.is_semi_deterministic() {
            best.offer(construct::cut_determinize(automaton, self.steps), self);
        }
        let routes: &[Route] = match self.route {
            Route::Best => &[Route::Tgba, Route::Tba, Route::Sba],
            Route::Tgba => &[Route::Tgba],
            Route::Tba => &[Route::Tba],
            Route::Sba => &[Route::Sba],
        };
        let generalized = convert::to_generalized_buchi(automaton);
        for route in routes {
            let start = match route {
                Route::Best | Route::Tgba => automaton.clone(),
                Route::Tba => Degeneralizer::default().transition_based(&generalized),
                Route::Sba => Degeneralizer::default().state_based(&generalized),
            };
            if self.fits(&start) {
                best.offer(Some(start.clone()), self);
            }
            for options in self.attempts(&start) {
                if best.is_final() {
                    break;
                }
                let options = self.bounded(options, best.automaton.as_ref());
                best.offer(construct::construct(&start, options), self);
            }
            for mut options in self.refined_attempts(&start) {
                if best.is_final() {
                    break;
                }
                options.steps = self.bound(best.automaton.as_ref());
                best.offer(refined::construct(&start, options), self);
            }
        }
        let best = best.automaton;
        best.ok_or_else(|| Error::new(format!("it takes more than {} edges", self.steps)))
    }

    /// Reduces an automaton of the kind that is wanted, as far as it stays one.
    pub fn reduce(&self, automaton: &Automaton) -> Automaton {
        let quotient = self.reduced_at(&prune::trim(automaton), Level::Low);
        match quotient.state_count() <= SIMULATED {
            true => self.reduced_at(&quotient, Level::Medium),
            false => quotient,
        }
    }

    /// The automaton reduced at a level, if that is smaller and stays of the kind.
    fn reduced_at(&self, automaton: &Automaton, level: Level) -> Automaton {
        let reduced = convert::to_generalized_buchi(&reduce(automaton, level)).into_automaton();
        match self.fits(&reduced) && size(&reduced) < size(automaton) {
            true => reduced,
            false => automaton.clone(),
        }
    }

    /// How many edges a further attempt may make.
    fn bound(&self, best: Option<&Automaton>) -> usize {
        let (factor, offset) = FURTHER;
        best.map_or(self.steps, |best| self.steps.min(factor * best.edge_count() + offset))
    }

    fn bounded(&self, options: construct::Options, best: Option<&Automaton>) -> construct::Options {
        construct::Options { steps: self.bound(best), ..options }
    }

    /// The marks whose edges may be cut.
    fn cut_marks(&self, automaton: &Automaton) -> Vec<u32> {
        let marks = automaton.acceptance().marks().max(1);
        match self.cut_mark {
            Some(mark) => vec![mark % marks],
            None if marks <= 4 => (0..marks).rev().collect(),
            None => vec![marks - 1],
        }
    }

    /// The options of each attempt with refinements.
    fn refined_attempts(&self, automaton: &Automaton) -> Vec<refined::Options> {
        if self.reset.is_some() || !self.by_component {
            return vec![];
        }
        let all = [Cut::Mark, Cut::Entry, Cut::Always];
        let cuts = self.cut.as_ref().map_or(&all[..], std::slice::from_ref);
        let mut attempts = vec![];
        for &cut in cuts {
            // The mark does not matter where all edges are cut.
            let most = if cut == Cut::Always { 1 } else { usize::MAX };
            for cut_mark in self.cut_marks(automaton).into_iter().take(most) {
                for pruning in [refined::Pruning::Aware, refined::Pruning::Off] {
                    attempts.push(refined::Options {
                        cut,
                        cut_mark,
                        cut_deterministic: self.cut_deterministic,
                        steps: self.steps,
                        pruning,
                        #[cfg(test)]
                        fault: None,
                    });
                }
            }
        }
        attempts
    }

    /// The options of each attempt without refinements.
    fn attempts(&self, automaton: &Automaton) -> Vec<construct::Options> {
        if self.cut.is_some() {
            return vec![];
        }
        let cut_marks = self.cut_marks(automaton);
        let both = [Reset::Track, Reset::Empty];
        let resets = self.reset.as_ref().map_or(&both[..], std::slice::from_ref);
        let options = |cut_mark: u32| {
            resets.iter().map(move |&reset| construct::Options {
                reset,
                cut_mark,
                by_component: self.by_component,
                cut_deterministic: self.cut_deterministic,
                steps: self.steps,
                #[cfg(test)]
                literal: false,
            })
        };
        cut_marks.into_iter().flat_map(options).collect()
    }

    /// True if the automaton has the requested kind.
    fn fits(&self, automaton: &Automaton) -> bool {
        match self.cut_deterministic {
            true => automaton.is_cut_deterministic(),
            false => automaton.is_semi_deterministic(),
        }
    }
}

/// The effort if none is chosen.
const EFFORT: usize = 1 << 24;

/// Larger results are not reduced by simulation, which is quadratic.
const SIMULATED: usize = 1 << 10;

/// Results with more states than that many times the best, and that many more, are not reduced by
/// simulation.
const PROMISING: (usize, usize) = (2, 16);

/// The edges that a further attempt may make: that many times those of the best result, and that
/// many more.
const FURTHER: (usize, usize) = (4, 64);

/// The size of an automaton: states, then marks, then edges.
fn size(automaton: &Automaton) -> (usize, u32, usize) {
    (automaton.state_count(), automaton.acceptance().marks(), automaton.edge_count())
}

/// The smallest result so far, and how much may be done for a smaller one.
struct Best {
    automaton: Option<Automaton>,
    effort: usize,
}

impl Best {
    /// Whether no more attempts are to be made: one state is the least.
    fn is_final(&self) -> bool {
        let is_least = |best: &Automaton| best.state_count() <= 1;
        self.automaton.as_ref().is_some_and(|best| self.effort == 0 || is_least(best))
    }

    /// Reduces a result as far as it stays of the kind, and keeps it if it is smaller.
    fn offer(&mut self, result: Option<Automaton>, options: &SemiDeterminizer) {
        let Some(result) = result else {
            // An attempt that was given up has made as many edges as it may.
            self.effort = self.effort.saturating_sub(options.bound(self.automaton.as_ref()));
            return;
        };
        self.effort = self.effort.saturating_sub(result.edge_count());
        let mut reduced = prune::trim(&result);
        if options.reductions {
            reduced = options.reduced_at(&reduced, Level::Low);
        }
        let states = reduced.state_count();
        let (factor, offset) = PROMISING;
        let promises = |best: &Automaton| states <= factor * best.state_count() + offset;
        if options.reductions && states <= SIMULATED && self.automaton.as_ref().is_none_or(promises)
        {
            self.effort = self.effort.saturating_sub(states * states);
            reduced = options.reduced_at(&reduced, Level::Medium);
        }
        if self.automaton.as_ref().is_none_or(|best| size(&reduced) < size(best)) {
            self.automaton = Some(reduced);
        }
    }
}

/// Adds a mark if there is none, and removes marks outside of accepting components.
fn with_marks(automaton: &Automaton) -> Automaton {
    if automaton.acceptance().marks() > 0 {
        return mark_cleanup::outside_components(automaton);
    }
    let mut builder = automaton.edit();
    builder.acceptance(Named::Buchi.acceptance());
    builder.retain_edges(|_, edge| {
        edge.marks = Marks::from_iter([0]);
        true
    });
    mark_cleanup::outside_components(&builder.build())
}
