//! Deterministic automata with the fewest states for their acceptance condition, by a SAT solver.
//!
//! R. Ehlers, "Minimising deterministic Büchi automata precisely using SAT solving" (SAT 2010);
//! S. Baarir and A. Duret-Lutz, "SAT-based minimization of deterministic ω-automata" (LPAR 2015).
//! A solver chooses targets and marks for n states. Every state has one of the languages of the
//! given automaton's states, and each language has a state: so n starts at the number of languages,
//! and most targets are known. Unlike in these papers, no paths are encoded. If the chosen automaton
//! and the given one dispute a cycle, clauses give this cycle its verdict, and the solver is asked
//! again. So the condition can be chosen as well, by its truth table.
//!
//! The cost is exponential at worst. Conflicts of the solver and questions are limited.

use super::comparison::Comparison;
use super::cycles::DisputedCycle;
use super::solver::{Conflicts, Marks, is_true};
use super::table::{Classes, NONE, Table};
use super::{named, residuals};
use crate::automaton::Automaton;
use crate::{parallel, prune};
use batsat::{Lit, Solver, SolverInterface, lbool};
use sempre_ltl::interrupt;

/// The maximal sizes of an automaton: states, classes of letters, marks.
const MAX_STATES: usize = 16;
const MAX_LETTERS: usize = 64;
const MAX_MARKS: u32 = 6;

/// The limit of steps for the languages of states, and for the final comparison.
const STEPS: usize = 1 << 20;

/// The limits of the search for one number of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The conflicts of the solver.
    pub conflicts: u64,
    /// The questions to the solver.
    pub questions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { conflicts: 20_000, questions: 2_000 }
    }
}

/// The result of a minimization.
#[derive(Clone, Debug)]
pub struct Minimized {
    /// The automaton.
    pub automaton: Automaton,
    /// True if no automaton with fewer states has the same language and acceptance condition.
    /// Rejecting sinks do not count.
    pub is_minimal: bool,
}

/// The acceptance condition of the automata that are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The condition of the given automaton.
    Same,
    /// Any condition over this number of marks; at most four count.
    Marks(u32),
}

/// Returns a deterministic automaton with the same language and acceptance condition that has the
/// fewest states, if that is found within the limits. Otherwise, and for a nondeterministic or a
/// large automaton, the result is only trimmed.
///
/// ```
/// use sempre_automata::reduce::deterministic::sat::{self, Limits};
/// use sempre_automata::{hoa, language};
/// // Infinitely often a, with a state that remembers the last letter.
/// let text = r#"HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
///     State: 0 [!0] 0 [0] 1 State: 1 {0} [!0] 0 [0] 1 --END--"#;
/// let automaton = hoa::parse(text)?.nondeterministic().expect("no universal branching");
/// let found = sat::minimize(&automaton, Limits::default());
/// assert!(found.is_minimal && found.automaton.state_count() == 1);
/// assert!(language::equivalent(&automaton, &found.automaton));
/// # Ok::<(), sempre_automata::Error>(())
/// ```
pub fn minimize(automaton: &Automaton, limits: Limits) -> Minimized {
    minimize_for(automaton, Wanted::Same, limits)
}

/// As [`minimize`], with this condition. If fewer marks than those of the automaton are wanted, the
/// result may have as many states; it is the given automaton if there is none.
pub fn minimize_for(automaton: &Automaton, wanted: Wanted, limits: Limits) -> Minimized {
    if !automaton.is_deterministic() {
        return Minimized { automaton: automaton.clone(), is_minimal: false };
    }
    let trimmed = parallel::merge(&prune::trim(automaton));
    if trimmed.initial().is_empty() {
        return Minimized { automaton: trimmed, is_minimal: true };
    }
    match smallest(&trimmed, wanted, limits) {
        Some((Some(smaller), is_minimal)) => {
            Minimized { automaton: named(&smaller, automaton), is_minimal }
        }
        Some((None, is_minimal)) => Minimized { automaton: trimmed, is_minimal },
        None => Minimized { automaton: trimmed, is_minimal: false },
    }
}

/// Returns a smaller automaton, if there is one, and whether none is smaller still; `None` beyond
/// the limits of sizes.
fn smallest(
    trimmed: &Automaton,
    wanted: Wanted,
    limits: Limits,
) -> Option<(Option<Automaton>, bool)> {
    if trimmed.state_count() > MAX_STATES || trimmed.acceptance().marks() > MAX_MARKS {
        return None;
    }
    let classes = Classes::of(trimmed)?;
    let table = classes.table(trimmed)?;
    let class = residuals::classes(&table, &mut { STEPS })?;
    let count = class.iter().max().map_or(0, |last| *last as usize + 1);
    let end = match wanted {
        Wanted::Marks(marks) if marks < trimmed.acceptance().marks() => table.states + 1,
        _ => table.states,
    };
    if count == end {
        return Some((None, true));
    }
    if table.letters > MAX_LETTERS {
        return None;
    }
    let languages = Languages::new(&table, class, count);
    let mut proven = true;
    for states in count..end {
        match languages.ask(&table, wanted, states, limits) {
            Answer::Yes(found) => {
                let same = Comparison::new(&found, &table)?.equivalent(&mut { STEPS })?;
                debug_assert!(same, "a disputed cycle was not excluded");
                return same.then(|| (Some(prune::trim(&classes.automaton(&found))), proven));
            }
            Answer::No => {}
            Answer::Unknown => proven = false,
        }
    }
    Some((None, proven))
}

enum Answer {
    Yes(Table),
    No,
    Unknown,
}

/// The languages of the states of a table, and those that remain after a letter.
struct Languages {
    /// By state, its language.
    class: Vec<u32>,
    count: usize,
    /// By language and letter, the language that remains, or [`NONE`].
    next: Vec<u32>,
}

impl Languages {
    fn new(table: &Table, class: Vec<u32>, count: usize) -> Self {
        let mut next = vec![NONE; count * table.letters];
        for state in 0..table.states {
            let from = class[state] as usize * table.letters;
            for (letter, cell) in table.row(state as u32).enumerate() {
                if table.next[cell] != NONE {
                    next[from + letter] = class[table.next[cell] as usize];
                }
            }
        }
        Languages { class, count, next }
    }

    /// Searches for an automaton with that many states.
    fn ask(&self, table: &Table, wanted: Wanted, states: usize, limits: Limits) -> Answer {
        let Some(mut question) = Question::new(self, table, wanted, states, limits.conflicts)
        else {
            return Answer::Unknown;
        };
        question.add_targets();
        for _ in 0..limits.questions {
            interrupt::poll();
            let answer = question.solver.solve_limited(&[]);
            if answer == lbool::FALSE {
                return Answer::No;
            } else if answer != lbool::TRUE {
                return Answer::Unknown;
            }
            let (candidate, of) = question.chosen();
            let Some(comparison) = Comparison::new(&candidate, table) else {
                return Answer::Unknown;
            };
            let same = |left: u32, right: u32| of[left as usize] == self.class[right as usize];
            let cycles = comparison.disputed_cycles(same);
            if cycles.is_empty() {
                return Answer::Yes(candidate);
            }
            for cycle in &cycles {
                question.add_cycle(cycle, &of);
            }
        }
        Answer::Unknown
    }
}

/// The clauses about an automaton with a number of states. State i below the number of languages
/// has language i.
struct Question<'a> {
    languages: &'a Languages,
    table: &'a Table,
    states: usize,
    marks: Marks,
    solver: Solver<Conflicts>,
}

impl<'a> Question<'a> {
    /// `None` if the condition has too many disjuncts.
    fn new(
        languages: &'a Languages,
        table: &'a Table,
        wanted: Wanted,
        states: usize,
        conflicts: u64,
    ) -> Option<Self> {
        let mut solver = Conflicts::solver(conflicts);
        let cells = states * table.letters;
        for _ in 0..states * languages.count + cells * states {
            solver.new_var_default();
        }
        let marks = match wanted {
            Wanted::Same => Marks::given(&mut solver, cells, &table.acceptance)?,
            Wanted::Marks(count) => Marks::free(&mut solver, cells, count),
        };
        Some(Question { languages, table, states, marks, solver })
    }

    /// The state has this language.
    fn language(&mut self, state: usize, class: usize) -> Lit {
        let number = state * self.languages.count + class;
        Lit::new(self.solver.var_of_int(number as u32), true)
    }

    /// The edge of a state with a letter leads to this target.
    fn target(&mut self, state: usize, letter: usize, target: usize) -> Lit {
        let before = self.states * self.languages.count;
        let number = before + (state * self.table.letters + letter) * self.states + target;
        Lit::new(self.solver.var_of_int(number as u32), true)
    }

    fn add(&mut self, mut clause: Vec<Lit>) {
        self.solver.add_clause_reuse(&mut clause);
    }

    /// Adds clauses about languages and targets.
    fn add_targets(&mut self) {
        let (count, letters) = (self.languages.count, self.table.letters);
        for state in 0..self.states {
            let all: Vec<Lit> = (0..count).map(|class| self.language(state, class)).collect();
            if state < count {
                self.add(vec![all[state]]);
            }
            self.add(all.clone());
            self.add_at_most_one(&all);
            // Further states are ordered by language.
            if state > count {
                for (class, &literal) in all.iter().enumerate() {
                    for before in class + 1..count {
                        let other = self.language(state - 1, before);
                        self.add(vec![!literal, !other]);
                    }
                }
            }
            for letter in 0..letters {
                interrupt::poll();
                let targets: Vec<Lit> =
                    (0..self.states).map(|target| self.target(state, letter, target)).collect();
                self.add_at_most_one(&targets);
                for (class, &literal) in all.iter().enumerate() {
                    let next = self.languages.next[class * letters + letter];
                    let unless = !literal;
                    if next != NONE {
                        self.add([&[unless], &targets[..]].concat());
                    }
                    for (target, &literal) in targets.iter().enumerate() {
                        let mut clause = vec![unless, !literal];
                        if next != NONE {
                            clause.push(self.language(target, next as usize));
                        }
                        self.add(clause);
                    }
                }
            }
        }
    }

    fn add_at_most_one(&mut self, literals: &[Lit]) {
        for (place, &literal) in literals.iter().enumerate() {
            for &other in &literals[..place] {
                self.add(vec![!literal, !other]);
            }
        }
    }

    fn is_true(&self, literal: Lit) -> bool {
        is_true(&self.solver, literal)
    }

    /// Returns the chosen automaton, and the languages of its states.
    fn chosen(&mut self) -> (Table, Vec<u32>) {
        let letters = self.table.letters;
        let mut table = Table {
            states: self.states,
            letters,
            initial: self.languages.class[self.table.initial as usize],
            next: vec![NONE; self.states * letters],
            marks: vec![0; self.states * letters],
            acceptance: self.marks.acceptance(&self.solver),
        };
        let mut class = vec![NONE; self.states];
        for (state, class) in class.iter_mut().enumerate() {
            for language in 0..self.languages.count {
                let literal = self.language(state, language);
                if self.is_true(literal) {
                    *class = language as u32;
                }
            }
            for letter in 0..letters {
                interrupt::poll();
                let cell = state * letters + letter;
                for target in 0..self.states {
                    let literal = self.target(state, letter, target);
                    if self.is_true(literal) {
                        table.next[cell] = target as u32;
                    }
                }
                if table.next[cell] != NONE {
                    table.marks[cell] = self.marks.of(&self.solver, cell);
                }
            }
        }
        (table, class)
    }

    /// Gives a disputed cycle its verdict, in all automata that have it.
    fn add_cycle(&mut self, cycle: &DisputedCycle, class: &[u32]) {
        let mut unless = vec![];
        let is_fixed = |state: u32| (state as usize) < self.languages.count;
        if !cycle.edges.iter().any(|edge| is_fixed(edge.source)) {
            let first = cycle.edges[0].source as usize;
            unless.push(!self.language(first, class[first] as usize));
        }
        let mut cells = vec![];
        for edge in &cycle.edges {
            let (source, letter) = (edge.source as usize, edge.letter as usize);
            unless.push(!self.target(source, letter, edge.target as usize));
            cells.push(source * self.table.letters + letter);
        }
        self.marks.add_cycle(&mut self.solver, &unless, &cells, cycle.is_accepted);
    }
}
