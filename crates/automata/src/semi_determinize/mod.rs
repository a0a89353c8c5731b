//! Semi-determinization and cut-determinization: moves nondeterminism before the accepting
//! components, or into the edges that lead to them.
//!
//! F. Blahoudek, A. Duret-Lutz, M. Klokočka, M. Křetínský and J. Strejček, "Seminator: a tool for
//! semi-determinization of omega-automata" (LPAR 2017). The constructions are in `construct`. A
//! [`SemiDeterminizer`] runs them on the automaton itself, and on its degeneralizations with marks
//! on edges and on states. It returns the smallest result after reductions that preserve the kind.
//! A result has at most n + k·3^n states for n states and k marks, and 2^n + k·3^n if it is
//! cut-deterministic.

mod construct;
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
    cut_mark: Option<u32>,
    by_component: bool,
    cut_deterministic: bool,
    steps: usize,
}

impl Default for SemiDeterminizer {
    fn default() -> Self {
        SemiDeterminizer {
            route: Route::Best,
            reset: None,
            cut_mark: None,
            by_component: true,
            cut_deterministic: false,
            steps: 1 << 20,
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

    /// Sets the runs that count after a breakpoint; by default both values are tried.
    #[must_use]
    pub fn reset(mut self, reset: Reset) -> Self {
        self.reset = Some(reset);
        self
    }

    /// Sets the mark whose edges lead to the second part, modulo the number of marks. By default
    /// each mark is tried if there are at most four, and otherwise the last one.
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
        let mut best: Option<Automaton> = None;
        if self.cut_deterministic && automaton.is_semi_deterministic() {
            keep_smaller(&mut best, construct::cut_determinize(automaton, self.steps), self);
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
                keep_smaller(&mut best, Some(start.clone()), self);
            }
            for options in self.attempts(&start) {
                keep_smaller(&mut best, construct::construct(&start, options), self);
            }
        }
        best.ok_or_else(|| Error::new(format!("it takes more than {} edges", self.steps)))
    }

    /// Returns the options of each attempt.
    fn attempts(&self, automaton: &Automaton) -> Vec<construct::Options> {
        let marks = automaton.acceptance().marks().max(1);
        let cut_marks: Vec<u32> = match self.cut_mark {
            Some(mark) => vec![mark % marks],
            None if marks <= 4 => (0..marks).rev().collect(),
            None => vec![marks - 1],
        };
        let both = [Reset::Track, Reset::Empty];
        let resets = self.reset.as_ref().map_or(&both[..], std::slice::from_ref);
        let options = |cut_mark: u32| {
            resets.iter().map(move |&reset| construct::Options {
                reset,
                cut_mark,
                by_component: self.by_component,
                cut_deterministic: self.cut_deterministic,
                steps: self.steps,
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

/// Reduces a result while its kind is preserved, and stores it if it is smaller.
fn keep_smaller(
    best: &mut Option<Automaton>,
    result: Option<Automaton>,
    options: &SemiDeterminizer,
) {
    let Some(result) = result else { return };
    let trimmed = prune::trim(&result);
    let no_fin = |automaton: &Automaton| convert::to_generalized_buchi(automaton).into_automaton();
    let mut reduced = [Level::Medium, Level::Low].into_iter().map(|l| no_fin(&reduce(&trimmed, l)));
    let reduced = reduced.find(|automaton| options.fits(automaton)).unwrap_or(trimmed);
    let size = |a: &Automaton| (a.state_count(), a.acceptance().marks(), a.edge_count());
    if best.as_ref().is_none_or(|best| size(&reduced) < size(best)) {
        *best = Some(reduced);
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
