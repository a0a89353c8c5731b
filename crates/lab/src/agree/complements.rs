//! Are complements, semi-deterministic and cut-deterministic automata right, by every method?
//!
//! The inputs are random automata with 0 to 4 marks, some with two initial states, dead ends, and
//! components of several sorts. Each complement must have no word in common with its input, and no
//! word may be missing from both: that is decided with Safra's trees, or by random words if the
//! complement is large. Conditions and kinds are judged by their definitions.

use super::{Agreement, Subject};
use crate::bench::Meter;
use anyhow::Result;
use sempre_automata::complement::{self, Division, Guess, Method, Ranking};
use sempre_automata::random::{RandomAcceptance, RandomAutomata, RandomBlocks};
use sempre_automata::semi_determinize::{Cut, Reset, Route, SemiDeterminizer};
use sempre_automata::{
    Automaton, Error, Marks, Named, StateId, determinize, membership, product, prune,
};
use sempre_ltl::Word;
use sempre_ltl::generate::Rng;
use sempre_ltl::interrupt::{self, Interrupt};
use std::time::{Duration, Instant};

/// All methods of complementation, and all routes and options of semi-determinization.
pub const METHODS_AGREE: Subject = Subject {
    name: "complements",
    summary: "complements, semi- and cut-deterministic automata by every method, and Safra's trees",
    counted: "automata",
    count: 5_000,
    run: |seed, count, meter| compare(seed, count, meter),
};

/// The time for one automaton, which limits of size make unlikely to matter.
const PATIENCE: Duration = Duration::from_secs(300);

/// Complements with more macrostates are not made.
const MACROSTATES: usize = 500;

/// Automata with more states, or with more of Safra's trees, are judged by words.
const COMPARED: usize = 24;
const TREES: usize = 1_000;

/// Random words for each result.
const WORDS: usize = 12;

const METHODS: [Method; 13] = [
    Method::Auto,
    Method::Ncsb(Guess::Original),
    Method::Ncsb(Guess::OnTheFly),
    Method::Ncsb(Guess::Lazy),
    Method::Ncsb(Guess::Delayed),
    Method::Ncsb(Guess::StateBased),
    Method::Rank(Ranking::Plain),
    Method::Rank(Ranking::Tight),
    Method::Rank(Ranking::Turns),
    Method::Ramsey,
    Method::Slices,
    Method::Determinize,
    Method::Modular,
];

fn compare(seed: u64, count: u64, meter: &mut Meter) -> Result<Agreement> {
    let mut rng = Rng::new(seed);
    let (mut results, mut skipped, mut disagreements) = (0usize, 0u64, vec![]);
    for number in 0..count {
        let automaton = random(seed.wrapping_mul(1_000_003).wrapping_add(number), number)?;
        let deadline = Instant::now() + PATIENCE;
        let found =
            interrupt::run(&Interrupt::default(), Some(deadline), || faults(&automaton, &mut rng));
        match found {
            Ok((count, faults)) => {
                results += count;
                disagreements
                    .extend(faults.into_iter().map(|f| format!("automaton {number}: {f}")));
            }
            Err(_) => skipped += 1,
        }
        if (number + 1) % 100 == 0 {
            meter.show(|time| format!("{} automata, {:.0} s", number + 1, time.as_secs_f64()));
        }
    }
    let summary = format!("{count} automata, {results} results, {skipped} skipped for time");
    Ok(Agreement { summary, disagreements })
}

fn random(seed: u64, number: u64) -> Result<Automaton> {
    let marks = (number % 5) as u32;
    let props = ["a", "b"].into_iter().take(1 + (number % 7 == 3) as usize);
    if number % 3 == 2 {
        let blocks = RandomBlocks::over(props)?.marks(marks.max(1)).states(1..4).seed(seed);
        return Ok(blocks.generate().next().unwrap_or_else(|| unreachable!("it has no end")));
    }
    let acceptance: RandomAcceptance = match marks {
        0 => Named::All.into(),
        1 => Named::Buchi.into(),
        marks if number.is_multiple_of(11) => RandomAcceptance::Condition(marks.min(3)),
        marks => Named::GeneralizedBuchi(marks).into(),
    };
    let random = RandomAutomata::over(props)?.states(1 + (number % 4) as usize).seed(seed);
    let random = random.acceptance(acceptance).density([0.25, 0.4, 0.6][(number / 5 % 3) as usize]);
    let random = random.mark_probability(0.35).generate().next();
    let automaton = random.unwrap_or_else(|| unreachable!("it has no end"));
    let mut builder = automaton.edit();
    if number.is_multiple_of(4) {
        builder.initial(StateId::new(automaton.state_count() - 1));
    }
    Ok(builder.build())
}

/// How many results an automaton has, and a line about each that is wrong.
fn faults(automaton: &Automaton, rng: &mut Rng) -> (usize, Vec<String>) {
    let judge = Judge::new(automaton, rng);
    let (mut count, mut faults) = (0, vec![]);
    let mut judged = |name: String, result: Result<Automaton, Error>, fault: Fault<'_>| {
        if let Ok(result) = result {
            count += 1;
            faults.extend(fault(&result).map(|fault| format!("{name}: {fault}")));
        }
    };
    for method in METHODS {
        let most = match method {
            Method::Rank(Ranking::Plain | Ranking::Tight) | Method::Ramsey => MACROSTATES / 4,
            _ => MACROSTATES,
        };
        for division in [Division::Smallest, Division::Largest] {
            if division == Division::Largest && !matches!(method, Method::Ncsb(_)) {
                continue;
            }
            let result = complement::by(automaton, method, division, most);
            let several = matches!(method, Method::Auto | Method::Modular);
            let fault = |result: &Automaton| match is_generalized(result, several) {
                true => judge.complement(result),
                false => Some("the condition is another one".to_owned()),
            };
            judged(format!("{method:?} {division:?}"), result, &fault);
        }
    }
    judged("native".to_owned(), complement::native(automaton, MACROSTATES), &|result| {
        judge.complement(result)
    });
    for cut_deterministic in [false, true] {
        for way in ways() {
            let way = way.cut_deterministic(cut_deterministic).steps(1 << 12);
            let fault = |result: &Automaton| {
                let of_kind = is_generalized(result, true)
                    && is_semi_deterministic(result, cut_deterministic);
                if of_kind { judge.same(result) } else { Some("of another kind".to_owned()) }
            };
            judged(format!("{way:?}"), way.run(automaton), &fault);
        }
    }
    (count, faults)
}

type Fault<'a> = &'a dyn Fn(&Automaton) -> Option<String>;

/// All routes, and all options on one of them.
fn ways() -> Vec<SemiDeterminizer> {
    let routes = [Route::Best, Route::Tba, Route::Sba];
    let way = SemiDeterminizer::new().route(Route::Tgba);
    let resets = [Reset::Track, Reset::Empty].map(|reset| way.reset(reset));
    let cuts = [Cut::Mark, Cut::Entry, Cut::Always].map(|cut| way.cut(cut));
    let marks = [0, 1].map(|mark| way.cut_mark(mark).reductions(false));
    let mut ways = routes.map(|route| SemiDeterminizer::new().route(route)).to_vec();
    ways.extend([way, way.by_component(false)]);
    ways.extend(resets.into_iter().chain(cuts).chain(marks));
    ways
}

/// An automaton with what its results are compared with.
struct Judge<'a> {
    automaton: &'a Automaton,
    /// A deterministic automaton for the words that it rejects, if it is small.
    rejected: Option<Automaton>,
    words: Vec<(Word, bool)>,
}

impl<'a> Judge<'a> {
    fn new(automaton: &'a Automaton, rng: &mut Rng) -> Judge<'a> {
        let props = automaton.alphabet().props();
        let words = (0..WORDS).map(|_| {
            let (prefix, cycle) = (rng.index(4), 1 + rng.index(4));
            let word = Word::from_fn(props.iter().cloned(), prefix, cycle, |_, _| rng.chance(0.5));
            let word = word.unwrap_or_else(|_| unreachable!("the propositions are distinct"));
            let accepted = membership::accepts(automaton, &word);
            (word, accepted)
        });
        Judge { automaton, words: words.collect(), rejected: opposite(automaton) }
    }

    /// What is wrong with a complement.
    fn complement(&self, result: &Automaton) -> Option<String> {
        if let Some(word) = product::common_word(self.automaton, result) {
            return Some(format!("both accept {word}"));
        }
        let missing = match (&self.rejected, opposite(result)) {
            (Some(rejected), Some(opposite)) => product::common_word(rejected, &opposite),
            _ => None,
        };
        let wrong =
            |(word, accepted): &&(Word, bool)| membership::accepts(result, word) == *accepted;
        let missing =
            missing.or_else(|| self.words.iter().find(wrong).map(|(word, _)| word.clone()));
        missing.map(|word| format!("none accepts {word}"))
    }

    /// What is wrong with an automaton for the same language.
    fn same(&self, result: &Automaton) -> Option<String> {
        let rejected = self.rejected.as_ref();
        if let Some(word) = rejected.and_then(|rejected| product::common_word(rejected, result)) {
            return Some(format!("accepts {word}"));
        }
        let wrong =
            |(word, accepted): &&(Word, bool)| membership::accepts(result, word) != *accepted;
        let opposite = opposite(result);
        let missing = opposite.and_then(|opposite| product::common_word(self.automaton, &opposite));
        let missing =
            missing.or_else(|| self.words.iter().find(wrong).map(|(word, _)| word.clone()));
        missing.map(|word| format!("rejects {word}"))
    }
}

/// The dual of the automaton by Safra's trees, unless it is large.
fn opposite(automaton: &Automaton) -> Option<Automaton> {
    let trimmed = prune::trim(automaton);
    if trimmed.state_count() > COMPARED {
        return None;
    }
    let deterministic = determinize::parity_up_to(&trimmed, TREES)?;
    complement::deterministic(&deterministic).ok()
}

/// True if exactly the set of all marks is accepting, and there are not several if there is to be
/// one.
fn is_generalized(automaton: &Automaton, several: bool) -> bool {
    let marks = automaton.acceptance().marks();
    (several || marks == 1)
        && marks <= 12
        && (0u32..1 << marks).all(|set| {
            let seen: Marks = (0..marks).filter(|mark| set >> mark & 1 == 1).collect();
            automaton.acceptance().accepts(&seen) == (set == (1 << marks) - 1)
        })
}

/// True if no state reads a letter twice that is reachable from an accepting component; letter by
/// letter, with a table of which states reach which. For cut-determinism also if no other state has
/// two successors among these others by one letter, and there is one initial state.
fn is_semi_deterministic(automaton: &Automaton, cut: bool) -> bool {
    let states = automaton.state_count();
    let mut reaches = vec![vec![false; states]; states];
    for (source, edge) in automaton.transitions() {
        reaches[source.index()][edge.target.index()] = true;
    }
    for middle in 0..states {
        for source in 0..states {
            interrupt::poll();
            if reaches[source][middle] {
                let row = reaches[middle].clone();
                reaches[source].iter_mut().zip(row).for_each(|(to, more)| *to |= more);
            }
        }
    }
    let reachable = |state: usize| {
        let initial = automaton.initial().iter();
        { initial }.any(|start| start.index() == state || reaches[start.index()][state])
    };
    let accepting = |state: usize| {
        let inside = automaton.transitions().filter(|(source, edge)| {
            let [source, target] = [source.index(), edge.target.index()];
            let to = source == state || reaches[state][source];
            to && (target == state || reaches[target][state])
        });
        let seen = inside.fold(Marks::EMPTY, |seen, (_, edge)| &seen | &edge.marks);
        reaches[state][state] && automaton.acceptance().accepts(&seen)
    };
    let second: Vec<bool> = (0..states)
        .map(|state| {
            let from = |start: usize| start == state || reaches[start][state];
            (0..states).any(|start| reachable(start) && from(start) && accepting(start))
        })
        .collect();
    let alphabet = automaton.alphabet();
    let letters = 1u64 << alphabet.props().len();
    let reads_once = |state: usize, wanted: &dyn Fn(usize) -> bool| {
        (0..letters).all(|letter| {
            let edges = automaton.edges_from(StateId::new(state)).iter();
            let read = edges.filter(|edge| alphabet.satisfied(edge.label, letter));
            read.filter(|edge| wanted(edge.target.index())).count() <= 1
        })
    };
    let is_deterministic = |state: usize| reads_once(state, &|_| true);
    if !(0..states).all(|state| !second[state] || is_deterministic(state)) {
        return false;
    }
    // The second part may be larger: all that reach only deterministic states.
    let largest: Vec<bool> = (0..states)
        .map(|state| {
            is_deterministic(state)
                && (0..states).all(|to| !reaches[state][to] || is_deterministic(to))
        })
        .collect();
    let is_first = |state: usize| !second[state] && !largest[state];
    !cut || automaton.initial().len() <= 1
        && (0..states)
            .all(|state| !reachable(state) || !is_first(state) || reads_once(state, &is_first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre_automata::hoa;

    fn automaton(text: &str) -> Automaton {
        let parsed = hoa::parse(&format!("HOA: v1 Start: 0 AP: 1 \"a\" {text} --END--"));
        parsed.unwrap().nondeterministic().unwrap()
    }

    #[test]
    fn wrong_results_are_found() {
        let often = automaton("States: 1 Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0");
        let always = automaton("States: 1 Acceptance: 0 t --BODY-- State: 0 [0] 0");
        let judge = Judge::new(&often, &mut Rng::new(1));
        assert!(judge.same(&often).is_none() && judge.same(&always).is_some());
        assert!(judge.complement(&often).is_some() && judge.complement(&always).is_some());
        assert!(judge.complement(&complement::complement(&often)).is_none());
        assert!(is_generalized(&often, false) && !is_generalized(&always, false));
        let guess = automaton(
            "States: 2 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0}",
        );
        assert!(is_semi_deterministic(&guess, true));
        let twice = automaton(
            "States: 2 Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 {0} [0] 1 State: 1 [0] 1 {0}",
        );
        assert!(!is_semi_deterministic(&twice, false));
    }
}
