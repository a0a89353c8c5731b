//! Limit-deterministic automata of formulas, from guesses about their fixpoints.
//!
//! The first part follows the after-formula ξ of the formula, deterministically and without marks.
//! At any position a run may guess which least fixpoints hold infinitely often (X) and which
//! greatest ones hold for ever (Y), and go to the second part, which is deterministic and checks the
//! guess. There are two forms (J. Esparza, J. Křetínský and S. Sickert, JACM 2020; S. Sickert,
//! J. Esparza, S. Jaax and J. Křetínský, CAV 2016):
//!
//! - *symmetric*: a safety formula, made of ξ, X and Y, must never fail, and a watch for each
//!   fixpoint of X must find it infinitely often. Each watch has a mark, or they take turns and
//!   share one.
//! - *asymmetric*: only Y is guessed. The guarantee that is left of ξ, and of the bodies of Y at all
//!   later positions, must come true again and again: a breakpoint construction with one mark.
//!
//! Only fixpoints on which the component of ξ depends are guessed. A guess that never lags behind ξ
//! is offered on entry into the component, any other one on each edge. The cost is doubly
//! exponential, and bounded: by states, by edges, and by fixpoints in a component.

use crate::after::fixpoints::{self, Fixpoints};
use crate::after::{Class, MAX_STEPS, Space, joint_steps, limits};
use crate::deterministic::{Combination, Explored, Watch, Workshop, classes};
use rustc_hash::FxHashMap;
use sempre_automata::{Automaton, Label, Mark, Marks, Named, SccId, Sccs, StateId};
use sempre_ltl::{Formula, Op, interrupt};
use smallvec::SmallVec;
use std::cell::Cell;

/// Components that depend on more fixpoints are given up.
const MAX_FIXPOINTS: usize = 10;

/// A form of the construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Least and greatest fixpoints are guessed; each watch has a mark.
    Symmetric,
    /// The same with one mark: watches take turns.
    Turns,
    /// Greatest fixpoints are guessed.
    Asymmetric,
}

impl Form {
    pub(crate) const ALL: [Form; 3] = [Form::Symmetric, Form::Turns, Form::Asymmetric];
}

/// A guess in one component, and what must hold then.
struct Guess {
    /// For each state of the component the formula to check if the run leaves the first part there.
    check: FxHashMap<u32, Class>,
    duty: Duty,
    /// Whether the formula to check follows from that of the state before.
    on_entry: bool,
}

/// A further obligation of a run of the second part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Duty {
    /// Find with each of these infinitely often.
    Find(Vec<Watch>),
    /// Satisfy this formula at each position.
    Always(Class),
}

/// A state of the automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    First(u32),
    /// The safety formula that must not fail, the number of the duty, the states of its watches (of
    /// the one whose turn it is, if they take turns), and the turn.
    Watching {
        safety: Class,
        duty: u32,
        watches: SmallVec<[u32; 4]>,
        turn: u32,
    },
    /// The number of the duty, the guarantee that must come true, and the one after it.
    Waiting {
        duty: u32,
        current: Class,
        next: Class,
    },
}

/// The automaton of a formula in normal form, within the bounds of the workshop. It is
/// cut-deterministic, with generalized Büchi acceptance.
pub(crate) fn automaton(
    workshop: &mut Workshop,
    formula: &Formula,
    form: Form,
) -> Option<Automaton> {
    let mut space = Space::new(workshop.alphabet.clone(), workshop.bounds.nodes);
    let Explored { automaton: graph, states: formulas } =
        classes(&mut space, formula, workshop.bounds)?;
    let sccs = Sccs::of(&graph);
    let mut guesses: Vec<Vec<Guess>> = vec![];
    for scc in sccs.iter() {
        let mut own = match sccs.is_trivial(scc) {
            true => vec![],
            false => guesses_in(workshop, &mut space, &formulas, sccs.states(scc), form)?,
        };
        settle(&mut space, &graph, &sccs, scc, &mut own);
        guesses.push(own);
    }
    let mut duties: Vec<Duty> = vec![];
    for guess in guesses.iter().flatten() {
        if !duties.contains(&guess.duty) {
            duties.push(guess.duty.clone());
        }
    }
    // A watch waits for its turn, and then begins anew.
    let may_pause = |duty: &Duty| match duty {
        Duty::Find(watches) if watches.len() > 1 => {
            watches.iter().all(|watch| workshop.may_pause(*watch))
        }
        _ => true,
    };
    if form == Form::Turns && !duties.iter().all(may_pause) {
        return None;
    }
    let watches = |duty: &Duty| match duty {
        Duty::Find(watches) => watches.len() as u32,
        Duty::Always(_) => 1,
    };
    let marks = match form {
        Form::Symmetric => duties.iter().map(watches).max().unwrap_or(0).max(1),
        Form::Turns | Form::Asymmetric => 1,
    };
    let building = Building {
        workshop,
        graph: &graph,
        sccs: &sccs,
        guesses: &guesses,
        duties: &duties,
        form,
        marks,
        pairs: Cell::new(workshop.bounds.pairs()),
    };
    building.explored(&mut space)
}

/// The fixpoints on which formulas depend.
fn fixpoints_of(space: &Space, formulas: &[Class], states: &[StateId]) -> [Vec<Formula>; 2] {
    let mut found = [vec![], vec![]];
    for state in states {
        for atom in space.atoms(formulas[state.index()]) {
            let (least, greatest) = fixpoints::of(&atom);
            found[0].extend(least);
            found[1].extend(greatest);
        }
    }
    for fixpoints in &mut found {
        fixpoints.sort();
        fixpoints.dedup();
    }
    found
}

/// The guesses for a component that may come true, without those that ask for more than others.
fn guesses_in(
    workshop: &mut Workshop,
    space: &mut Space,
    formulas: &[Class],
    states: &[StateId],
    form: Form,
) -> Option<Vec<Guess>> {
    let [least, greatest] = fixpoints_of(space, formulas, states);
    let guessed = greatest.len() + if form == Form::Asymmetric { 0 } else { least.len() };
    if guessed > MAX_FIXPOINTS {
        return None;
    }
    let mut found: Vec<Guess> = vec![];
    for always in subsets(&greatest) {
        interrupt::poll();
        let held: Vec<&Formula> = greatest.iter().filter(|f| always.contains(*f)).collect();
        if form == Form::Asymmetric {
            let bodies = held.iter().map(|f| fixpoints::as_guarantee(&body(f), &always));
            let duty = space.class(&Formula::and(bodies));
            let mut with = |atom: &Formula| fixpoints::as_guarantee(atom, &always);
            let check = checks(space, formulas, states, Class::TRUE, &mut with);
            if duty != Class::FALSE {
                keep(space, &mut found, check, Duty::Always(duty));
            }
        } else {
            for often in subsets(&least) {
                let again: Vec<&Formula> = least.iter().filter(|f| often.contains(*f)).collect();
                interrupt::poll();
                let bodies = held.iter().map(|f| fixpoints::as_safety(&body(f), &often));
                let bodies: Vec<Formula> = bodies.map(Formula::globally).collect();
                let safety = space.class(&Formula::and(bodies));
                if safety == Class::FALSE {
                    continue;
                }
                let Some(watches) = watches_for(workshop, &again, &always)? else { continue };
                let mut with = |atom: &Formula| fixpoints::as_safety(atom, &often);
                let check = checks(space, formulas, states, safety, &mut with);
                keep(space, &mut found, check, Duty::Find(watches));
            }
        }
        if space.is_exhausted() {
            return None;
        }
    }
    Some(found)
}

/// For each state its formula with fixpoints decided, and another one that must hold as well.
fn checks(
    space: &mut Space,
    formulas: &[Class],
    states: &[StateId],
    besides: Class,
    with: &mut dyn FnMut(&Formula) -> Formula,
) -> FxHashMap<u32, Class> {
    let classes = states.iter().map(|state| formulas[state.index()]);
    let decided = space.replaced_next_in(classes, with);
    let both =
        |(state, decided): (&StateId, Class)| (state.index() as u32, space.and(decided, besides));
    states.iter().zip(decided).map(both).collect()
}

/// Adds a guess unless another one asks for less, in place of those that ask for more.
fn keep(space: &mut Space, found: &mut Vec<Guess>, check: FxHashMap<u32, Class>, duty: Duty) {
    if check.values().all(|class| *class == Class::FALSE) {
        return;
    }
    let guess = Guess { check, duty, on_entry: false };
    if found.iter().any(|known| asks_for_less(space, known, &guess)) {
        return;
    }
    found.retain(|known| !asks_for_less(space, &guess, known));
    found.push(guess);
}

/// True if runs that do what the second guess asks for do what the first one does.
fn asks_for_less(space: &mut Space, less: &Guess, more: &Guess) -> bool {
    let duty = match (&less.duty, &more.duty) {
        (Duty::Find(less), Duty::Find(more)) => less.iter().all(|watch| more.contains(watch)),
        (Duty::Always(less), Duty::Always(more)) => space.implies(*more, *less),
        _ => false,
    };
    duty && more.check.iter().all(|(state, class)| space.implies(*class, less.check[state]))
}

/// Watches that find exactly if each fixpoint holds infinitely often; `Some(None)` if that cannot
/// be, and `None` beyond the bounds.
#[expect(clippy::option_option, reason = "whether it is within bounds, and then whether it can be")]
fn watches_for(
    workshop: &mut Workshop,
    often: &[&Formula],
    always: &Fixpoints,
) -> Option<Option<Vec<Watch>>> {
    let mut watches = vec![];
    for fixpoint in often {
        let guarantee = fixpoints::as_guarantee(&body(fixpoint), always);
        if guarantee.is_true() {
            continue;
        }
        if guarantee.is_false() {
            return Some(None);
        }
        let limit = Formula::globally(Formula::finally(guarantee));
        let separated = limits::separated(&limit, &mut workshop.simplifier);
        let own = match workshop.combination(&separated).and_then(conjunction) {
            Some(own) => own,
            None => conjunction(workshop.combination(&limit)?)?,
        };
        match own {
            Some(own) => watches.extend(own),
            None => return Some(None),
        }
    }
    watches.sort();
    watches.dedup();
    Some(Some(watches))
}

/// The watches of a conjunction, `Some(None)` if it is false, and `None` if it is another formula.
#[expect(
    clippy::option_option,
    reason = "whether it is a conjunction, and then whether it is false"
)]
fn conjunction(combination: Combination) -> Option<Option<Vec<Watch>>> {
    let operands = match combination {
        Combination::Constant(false) => return Some(None),
        Combination::Constant(true) => vec![],
        Combination::And(operands) => operands,
        single => vec![single],
    };
    let watch = |operand| match operand {
        Combination::Watch(watch, true) => Some(watch),
        _ => None,
    };
    operands.into_iter().map(watch).collect::<Option<Vec<Watch>>>().map(Some)
}

/// The part of a least fixpoint that must hold infinitely often, or of a greatest one that must hold
/// for ever.
fn body(fixpoint: &Formula) -> Formula {
    match (fixpoint.op(), fixpoint.children()) {
        (Op::Finally | Op::Globally, [f]) => f.clone(),
        (Op::Until | Op::Release, [_, g]) => g.clone(),
        (Op::StrongRelease, [f, g]) => Formula::and([f.clone(), g.clone()]),
        (Op::WeakUntil, [f, g]) => Formula::or([f.clone(), g.clone()]),
        _ => unreachable!("{fixpoint} is no fixpoint"),
    }
}

/// All subsets, the smaller ones before those that include them.
fn subsets(formulas: &[Formula]) -> impl Iterator<Item = Fixpoints> + '_ {
    (0u32..1 << formulas.len()).map(|bits| {
        let chosen = formulas.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
        chosen.map(|(_, formula)| formula.clone()).collect()
    })
}

/// Finds the guesses of a component that need to be offered on entry only: if inside of it the
/// formula to check is always what the one of the state before leaves.
fn settle(space: &mut Space, graph: &Automaton, sccs: &Sccs, scc: SccId, guesses: &mut [Guess]) {
    let starts = |state: &StateId| sccs.component(*state) == Some(scc);
    if graph.initial().iter().any(starts) {
        // Runs that start inside do not enter.
        return;
    }
    for guess in guesses {
        guess.on_entry = sccs.states(scc).iter().all(|&source| {
            let steps = space.steps(guess.check[&(source.index() as u32)]);
            let inside = graph.edges_from(source).iter();
            inside.filter(|edge| sccs.is_inside(source, edge.target)).all(|edge| {
                let wanted = guess.check[&(edge.target.index() as u32)];
                let read = |label| !graph.alphabet().disjoint(edge.label, label);
                let mut rests = steps.iter().filter(|(label, _)| read(*label));
                matches!(guess.duty, Duty::Find(_))
                    && rests.all(|(_, rest)| space.after(*rest) == wanted)
            })
        });
    }
}

/// The input of the exploration.
struct Building<'a> {
    workshop: &'a Workshop,
    graph: &'a Automaton,
    sccs: &'a Sccs,
    guesses: &'a [Vec<Guess>],
    duties: &'a [Duty],
    form: Form,
    marks: u32,
    /// The pairs of steps that may still be combined.
    pairs: Cell<usize>,
}

impl Building<'_> {
    /// The automaton, breadth first; `None` beyond the bounds.
    fn explored(&self, space: &mut Space) -> Option<Automaton> {
        let bounds = self.workshop.bounds;
        let mut builder = Automaton::builder(self.graph.alphabet().clone());
        builder.acceptance(match self.marks {
            1 => Named::Buchi.acceptance(),
            marks => Named::GeneralizedBuchi(marks).acceptance(),
        });
        let mut numbers: FxHashMap<State, StateId> = FxHashMap::default();
        let mut states = vec![State::First(0)];
        let first = builder.add_state();
        builder.initial(first);
        numbers.insert(State::First(0), first);
        let (mut next, mut taken) = (0, 0);
        let mut found = vec![];
        while next < states.len() {
            interrupt::poll();
            let state = states[next].clone();
            self.steps(space, &state, &mut found)?;
            taken += found.len();
            if space.is_exhausted() || taken > bounds.steps || states.len() > bounds.states {
                return None;
            }
            for (label, marks, target) in found.drain(..) {
                let target = *numbers.entry(target).or_insert_with_key(|target| {
                    states.push(target.clone());
                    builder.add_state()
                });
                builder.edge(StateId::new(next), label, marks, target);
            }
            next += 1;
        }
        Some(builder.build())
    }

    /// Adds the edges that leave a state; `None` if there are too many.
    fn steps(
        &self,
        space: &mut Space,
        state: &State,
        found: &mut Vec<(Label, Marks, State)>,
    ) -> Option<()> {
        match state {
            State::First(number) => self.first(*number, found),
            State::Watching { safety, duty, watches, turn } => {
                self.watching(space, *safety, *duty, watches, *turn, found)?;
            }
            State::Waiting { duty, current, next } => {
                self.waiting(space, *duty, [*current, *next], found)?;
            }
        }
        Some(())
    }

    /// The edges of the first part, and those that leave it with a guess.
    fn first(&self, number: u32, found: &mut Vec<(Label, Marks, State)>) {
        let source = StateId::new(number as usize);
        for edge in self.graph.edges_from(source) {
            let target = edge.target.index() as u32;
            found.push((edge.label, Marks::EMPTY, State::First(target)));
            let Some(scc) = self.sccs.component(edge.target) else { continue };
            let inside = self.sccs.is_inside(source, edge.target);
            for guess in self.guesses[scc.index()].iter().filter(|g| !inside || !g.on_entry) {
                if let Some(start) = self.start(guess, guess.check[&target]) {
                    found.push((edge.label, Marks::EMPTY, start));
                }
            }
        }
    }

    /// The state in which a guess begins to be checked.
    fn start(&self, guess: &Guess, check: Class) -> Option<State> {
        if check == Class::FALSE {
            return None;
        }
        let duty = self.duties.iter().position(|duty| *duty == guess.duty)? as u32;
        Some(match &guess.duty {
            Duty::Find(watches) => {
                let watched = match self.form {
                    Form::Turns => watches.iter().take(1).map(|w| self.start_of(*w)).collect(),
                    _ => watches.iter().map(|watch| self.start_of(*watch)).collect(),
                };
                State::Watching { safety: check, duty, watches: watched, turn: 0 }
            }
            Duty::Always(_) => State::Waiting { duty, current: check, next: Class::TRUE },
        })
    }

    fn start_of(&self, watch: Watch) -> u32 {
        self.workshop.watch(watch).initial()[0].index() as u32
    }

    /// The edges of a state that follows a safety formula and watches.
    fn watching(
        &self,
        space: &mut Space,
        safety: Class,
        duty: u32,
        watches: &[u32],
        turn: u32,
        found: &mut Vec<(Label, Marks, State)>,
    ) -> Option<()> {
        let alphabet = self.graph.alphabet().clone();
        let Duty::Find(watched) = &self.duties[duty as usize] else { return Some(()) };
        let turns = self.form == Form::Turns;
        // Marks that no watch has are on each edge.
        let first = if watched.is_empty() || !turns { watched.len() as Mark } else { 1 };
        let free: Marks = (first..self.marks).collect();
        for (label, rest) in space.steps(safety).iter() {
            let after = space.after(*rest);
            if after == Class::FALSE {
                continue;
            }
            let mut open = vec![(*label, free.clone(), SmallVec::<[u32; 4]>::new(), turn)];
            for (place, state) in watches.iter().enumerate() {
                let place = if turns { turn as usize } else { place };
                let automaton = self.workshop.watch(watched[place]);
                let mut finer = vec![];
                for (label, marks, done, turn) in open.drain(..) {
                    for edge in automaton.edges_from(StateId::new(*state as usize)) {
                        let both = alphabet.and(label, edge.label);
                        if both == alphabet.ff() {
                            continue;
                        }
                        let (mut marks, mut done) = (marks.clone(), done.clone());
                        let (mut turn, mut target) = (turn, edge.target.index() as u32);
                        if !edge.marks.is_empty() && turns {
                            turn = (turn + 1) % watched.len() as u32;
                            if turn == 0 {
                                marks.insert(0);
                            }
                            target = match watched.len() {
                                1 => target,
                                _ => self.start_of(watched[turn as usize]),
                            };
                        } else if !edge.marks.is_empty() {
                            marks.insert(place as Mark);
                        }
                        done.push(target);
                        finer.push((both, marks, done, turn));
                    }
                }
                open = finer;
                if open.len() > MAX_STEPS {
                    return None;
                }
            }
            found.extend(open.into_iter().map(|(label, marks, watches, turn)| {
                (label, marks, State::Watching { safety: after, duty, watches, turn })
            }));
        }
        Some(())
    }

    /// The edges of a state that waits for a guarantee to come true.
    fn waiting(
        &self,
        space: &mut Space,
        duty: u32,
        [current, next]: [Class; 2],
        found: &mut Vec<(Label, Marks, State)>,
    ) -> Option<()> {
        let Duty::Always(always) = self.duties[duty as usize] else { return Some(()) };
        let demanded = space.and(next, always);
        let steps = [space.steps(current), space.steps(demanded)];
        let mut pairs = self.pairs.get();
        let joint = joint_steps(self.graph.alphabet(), &steps, &mut pairs)?;
        self.pairs.set(pairs);
        for (label, rests) in joint {
            let (current, next) = (space.after(rests[0]), space.after(rests[1]));
            if current == Class::FALSE || next == Class::FALSE {
                continue;
            }
            let (marks, current, next) = match current {
                Class::TRUE => (Marks::from_iter([0]), next, Class::TRUE),
                _ => (Marks::EMPTY, current, next),
            };
            found.push((label, marks, State::Waiting { duty, current, next }));
        }
        Some(())
    }
}
