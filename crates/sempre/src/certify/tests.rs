//! Certificates of random systems and formulas. The verdicts of the engines are the oracle. Each
//! property that holds has a certificate. The checker accepts none for a property that does not
//! hold, whatever was changed: bytes, nodes, ranks, promises, the claim, the model or the search.

mod sets;
mod shapes;

use super::rows::ordered;
use super::{Budget, Failure, build, write};
use crate::check::{Components, Control, Deadlock, FairnessKind, Question, Verdict};
use crate::checker::Checker;
use crate::engines::{FairRuns, Settings};
use crate::explicit::store::Arena;
use crate::explicit::{self, Options, StateSpace};
use sempre_automata::Marks;
use sempre_certificate::{
    Certificate, Claim, Condition, Deadlocks, Fair, NONE, Rejection, check, fingerprint, read,
};
use sempre_ltl::Formula;
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_models::plain::{self, Meaning, NamedSteps, Plain, Step, Undefined};
use sempre_models::{Model, languages};
use sempre_translate::Translator;

fn model(language: &str, text: &str) -> Model {
    let language = languages::named(language).unwrap();
    language.read(text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

fn claim(property: &str, deadlocks: Deadlocks, fair: Fair) -> Claim {
    Claim { model: 0, property: property.parse().unwrap(), deadlocks, fair }
}

/// The verdict of the explicit engine on a claim; `None` if it is unknown.
fn holds(model: &Model, claim: &Claim) -> Option<bool> {
    let deadlock = match claim.deadlocks {
        Deadlocks::Stutter => Deadlock::Stutter,
        Deadlocks::Ignore => Deadlock::Ignore,
        Deadlocks::Report => Deadlock::Report,
    };
    let components = match claim.fair {
        Fair::All => None,
        Fair::Processes => Some(Components::Processes),
        Fair::Transitions => Some(Components::Transitions),
    };
    let fair = FairRuns { kind: FairnessKind::Weak, components };
    let fairness = (claim.fair != Fair::All).then_some(fair);
    let settings = Settings { engine: "explicit", deadlock, fairness, ..Settings::default() };
    let mut checker = Checker::new(model.clone()).with(settings).unwrap();
    let outcome = checker.check_formula(&claim.property, &Control::default()).ok()?;
    match outcome.verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated => Some(false),
        Verdict::Unknown(_) => None,
    }
}

fn certified(model: &Model, claim: &Claim) -> Result<Certificate, Failure> {
    build(claim.clone(), &*plain::of(model).unwrap(), Budget::default())
}

fn checked(model: &Model, certificate: &Certificate) -> Result<(), Rejection> {
    check(certificate, &*plain::of(model).unwrap(), 1)
}

fn bytes(certificate: &Certificate) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(certificate, &mut bytes).unwrap();
    bytes
}

/// Asserts that the checker is sound: each claim that it accepts holds. True if it accepts.
fn assert_sound(model: &Model, text: &str, certificate: &Certificate) -> bool {
    let accepted = checked(model, certificate).is_ok();
    if accepted {
        let claim = &certificate.claim;
        // Changed names may have no meaning for the engines, which are stricter about types.
        assert_ne!(holds(model, claim), Some(false), "{claim:?} was accepted for\n{text}");
    }
    accepted
}

/// A Kripke structure as lists, to be changed.
#[derive(Clone, Debug)]
struct Structure {
    labels: Vec<u64>,
    edges: Vec<(usize, usize)>,
    initial: Vec<usize>,
}

impl Structure {
    fn random(rng: &mut Rng) -> Self {
        let count = 1 + rng.index(5);
        let labels = (0..count).map(|_| rng.below(8)).collect();
        let edges = (0..rng.index(2 * count + 1)).map(|_| (rng.index(count), rng.index(count)));
        let edges = edges.collect();
        let initial = (0..1 + rng.index(2)).map(|_| rng.index(count)).collect();
        Structure { labels, edges, initial }
    }

    fn text(&self) -> String {
        let mut text = String::from("init");
        self.initial.iter().for_each(|state| text += &format!(" s{state}"));
        text += ";\n";
        for (state, label) in self.labels.iter().enumerate() {
            text += &format!("state s{state}:");
            for (number, name) in ["a", "b", "c"].iter().enumerate() {
                if label >> number & 1 == 1 {
                    text += &format!(" {name}");
                }
            }
            let targets = self.edges.iter().filter(|(source, _)| *source == state);
            text += " ->";
            targets.for_each(|(_, target)| text += &format!(" s{target}"));
            text += ";\n";
        }
        text
    }

    fn model(&self) -> Model {
        let mut builder = sempre_models::kripke::KripkeBuilder::default();
        let propositions: Vec<usize> =
            ["a", "b", "c"].iter().map(|name| builder.proposition(*name)).collect();
        let states = (0..self.labels.len()).map(|number| builder.state(format!("s{number}")));
        let states: Vec<_> = states.collect();
        for (state, label) in states.iter().zip(&self.labels) {
            for number in &propositions {
                if label >> number & 1 == 1 {
                    builder.label(*state, *number);
                }
            }
        }
        for (source, target) in &self.edges {
            builder.edge(states[*source], states[*target]);
        }
        self.initial.iter().for_each(|state| builder.initial(states[*state]));
        Model::from(builder.build().unwrap())
    }

    /// A structure with one edge more or less, one label or one initial state changed.
    fn changed(&self, rng: &mut Rng) -> Self {
        let mut other = self.clone();
        let count = self.labels.len();
        match rng.index(4) {
            0 => other.edges.push((rng.index(count), rng.index(count))),
            1 if !other.edges.is_empty() => {
                let edge = rng.index(other.edges.len());
                other.edges.swap_remove(edge);
            }
            2 => other.labels[rng.index(count)] ^= 1 << rng.below(3),
            _ => other.initial[0] = rng.index(count),
        }
        other
    }
}

/// A DVE model of two processes that share a variable.
fn random_dve(rng: &mut Rng) -> String {
    let mut text = String::from("byte x; channel c;\n");
    for name in ["P", "Q"] {
        let mut transitions = Vec::new();
        for _ in 0..1 + rng.index(4) {
            let (from, to) = (rng.index(2), rng.index(2));
            let guard = ["", "guard x == 0;", "guard x > 0;", "guard x < 2;"][rng.index(4)];
            let sync = ["", "", "", "sync c!;", "sync c?;"][rng.index(5)];
            let effect = ["", "effect x = (x + 1) % 3;", "effect x = 0;"][rng.index(3)];
            transitions.push(format!("s{from} -> s{to} {{ {guard} {sync} {effect} }}"));
        }
        let transitions = transitions.join(", ");
        text += &format!("process {name} {{ state s0, s1; init s0; trans {transitions}; }}\n");
    }
    text + "system async;"
}

/// A net in which no transition changes the number of tokens.
fn random_net(rng: &mut Rng) -> String {
    let places = 2 + rng.index(3);
    let mut text = String::new();
    for place in 0..places {
        text += &format!("pl p{place} ({})\n", rng.index(3));
    }
    for transition in 0..1 + rng.index(4) {
        let arcs = |rng: &mut Rng| {
            let arcs = (0..2).map(|_| format!("p{}", rng.index(places)));
            arcs.collect::<Vec<_>>().join(" ")
        };
        let (inputs, outputs) = (arcs(rng), arcs(rng));
        text += &format!("tr t{transition} {inputs} -> {outputs}\n");
    }
    text
}

/// Formulas over `a`, `b` and `c`, with names replaced by propositions of a language.
fn formulas(seed: u64, names: [&str; 3]) -> impl Iterator<Item = Formula> {
    let stream = RandomFormulas::over(names).sizes(1..=12).seed(seed).generate().unwrap();
    stream.map(|formula| formula.unwrap())
}

/// Claims about random systems, with the texts of the models; the languages take turns.
fn subjects(seed: u64, count: usize) -> Vec<(Model, String, Claim)> {
    let mut rng = Rng::new(seed);
    let mut all = [
        formulas(seed, ["a", "b", "c"]),
        formulas(seed, ["P.s1", "x > 0", "Q = s1"]),
        formulas(seed, ["p0", "p1 > p0", "fireable(t0)"]),
    ];
    let subject = |number: usize| {
        let (model, text) = match number % 3 {
            0 => {
                let structure = Structure::random(&mut rng);
                (structure.model(), structure.text())
            }
            1 => {
                let text = random_dve(&mut rng);
                (model("dve", &text), text)
            }
            _ => {
                let text = random_net(&mut rng);
                (model("net", &text), text)
            }
        };
        let deadlocks = Deadlocks::NAMES[rng.index(3)].1;
        let fair = match (rng.index(4), number % 3) {
            (0, 1) => Fair::Processes,
            (1, _) => Fair::Transitions,
            _ => Fair::All,
        };
        let property = all[number % 3].next().unwrap();
        (model, text, Claim { model: 0, property, deadlocks, fair })
    };
    (0..count).map(subject).collect()
}

#[test]
fn everything_that_holds_has_a_certificate() {
    let (mut held, mut violated) = (0, 0);
    for (model, text, claim) in subjects(1, 400) {
        let verdict = holds(&model, &claim).unwrap();
        let context = || format!("{claim:?} of\n{text}");
        match certified(&model, &claim) {
            Ok(certificate) => {
                assert!(verdict, "{}", context());
                assert_eq!(checked(&model, &certificate), Ok(()), "{}", context());
                let again = read(&bytes(&certificate)).unwrap();
                assert_eq!(bytes(&again), bytes(&certificate), "{}", context());
                let plain = plain::of(&model).unwrap();
                assert_eq!(check(&again, &*plain, 3), Ok(()), "{}", context());
                held += 1;
            }
            Err(failure) => {
                assert_eq!((verdict, &failure), (false, &Failure::Violated), "{}", context());
                violated += 1;
            }
        }
    }
    assert!(held >= 100 && violated >= 100, "{held} hold, {violated} are violated");
}

#[test]
fn a_certificate_is_rejected_for_a_changed_system_that_violates_the_property() {
    let mut rng = Rng::new(2);
    let mut properties = formulas(2, ["a", "b", "c"]);
    let mut rejected = 0;
    for _ in 0..200 {
        let structure = Structure::random(&mut rng);
        let property = properties.next().unwrap();
        let deadlocks = Deadlocks::NAMES[rng.index(3)].1;
        let claim = Claim { model: 0, property, deadlocks, fair: Fair::All };
        let Ok(certificate) = certified(&structure.model(), &claim) else { continue };
        for _ in 0..6 {
            let other = structure.changed(&mut rng);
            let accepted = assert_sound(&other.model(), &other.text(), &certificate);
            rejected += usize::from(!accepted);
        }
    }
    assert!(rejected >= 60, "{rejected} were rejected");
}

#[test]
fn changed_bytes_prove_nothing_wrong() {
    let (mut malformed, mut rejected, mut accepted) = (0, 0, 0);
    for (model, text, claim) in subjects(3, 24) {
        let Ok(certificate) = certified(&model, &claim) else { continue };
        let file = bytes(&certificate);
        let mut rng = Rng::new(file.len() as u64);
        let mut show = |bytes: &[u8]| match read(bytes) {
            Err(_) => malformed += 1,
            Ok(changed) if assert_sound(&model, &text, &changed) => accepted += 1,
            Ok(_) => rejected += 1,
        };
        for place in 0..file.len() * 8 {
            // The header has many bits, and changing them has similar effects.
            let is_header = place / 8 + 1 < file.len().saturating_sub(60);
            if is_header && !rng.chance(0.05) {
                continue;
            }
            let mut changed = file.clone();
            changed[place / 8] ^= 1 << (place % 8);
            show(&changed);
        }
        (0..file.len()).step_by(7).for_each(|end| show(&file[..end]));
    }
    assert!(malformed >= 100 && rejected >= 40, "{malformed} malformed, {rejected} rejected");
    // Some bits do not matter: ranks with gaps, promises of ranks without steps, wide variables.
    assert!(accepted < (malformed + rejected) / 2, "{accepted} were accepted");
}

#[test]
fn changed_rows_prove_nothing_wrong() {
    let mut rng = Rng::new(4);
    let (mut rejected, mut accepted) = (0, 0);
    for (model, text, claim) in subjects(4, 120) {
        let Ok(certificate) = certified(&model, &claim) else { continue };
        let nodes = certificate.node_count();
        for _ in 0..8 {
            let mut changed = certificate.clone();
            let node = rng.index(nodes);
            match rng.index(5) {
                // Without a node.
                0 => {
                    let order: Vec<u32> =
                        (0..nodes as u32).filter(|row| *row != node as u32).collect();
                    changed.rows = ordered(&changed.rows, &order);
                    changed.ranks.remove(node);
                }
                1 => changed.ranks[node] = rng.index(certificate.rank_count()) as u32,
                2 => {
                    let rank = rng.index(certificate.rank_count());
                    changed.promises[rank] = [NONE, 0, 1, 2][rng.index(4)];
                }
                // Another state or set.
                3 => {
                    let order: Vec<u32> = (0..nodes as u32).collect();
                    let mut values = Vec::new();
                    changed.rows.unpack(node, &mut values);
                    let column = rng.index(values.len());
                    values[column] = if values[column] > 0 { 0 } else { 1 };
                    let mut packed = Vec::new();
                    if changed.rows.pack(&values, &mut packed).is_err()
                        || values[values.len() - 1] >= changed.sets.len() as i64
                    {
                        continue;
                    }
                    changed.rows = ordered(&changed.rows, &order[..node]);
                    changed.rows.push(&packed);
                    (node + 1..nodes).for_each(|row| {
                        let mut packed = Vec::new();
                        certificate.rows.unpack(row, &mut values);
                        certificate.rows.pack(&values, &mut packed).unwrap();
                        changed.rows.push(&packed);
                    });
                }
                _ => {
                    let set = rng.index(changed.sets.len());
                    changed.sets[set] = changed.sets[set].iter().skip(1).copied().collect();
                }
            }
            match assert_sound(&model, &text, &changed) {
                true => accepted += 1,
                false => rejected += 1,
            }
        }
    }
    assert!(rejected >= 100 && accepted < rejected, "{rejected} rejected, {accepted} accepted");
}

#[test]
fn a_certificate_of_another_claim_proves_nothing() {
    let mut rng = Rng::new(5);
    let mut rejected = 0;
    let subjects = subjects(5, 200);
    for (number, (model, text, claim)) in subjects.iter().enumerate() {
        let Ok(certificate) = certified(model, claim) else { continue };
        for _ in 0..4 {
            let mut changed = certificate.clone();
            // A wrong translation, another meaning of deadlocks, fairness that was not asked for.
            let fair = changed.claim.fair;
            match rng.index(3) {
                0 => {
                    changed.claim.property =
                        subjects[(number + 3) % subjects.len()].2.property.clone()
                }
                1 => changed.claim.deadlocks = Deadlocks::NAMES[rng.index(3)].1,
                _ => {
                    changed.claim.fair =
                        if fair == Fair::All { Fair::Transitions } else { Fair::All }
                }
            }
            let formulas = changed.claim.obligations().formula_count() as u32;
            if changed.sets.iter().any(|set| set.iter().any(|formula| *formula >= formulas)) {
                continue; // The reader refuses it.
            }
            rejected += usize::from(!assert_sound(model, text, &changed));
        }
    }
    assert!(rejected >= 40, "{rejected} were rejected");
}

/// A fault of a search or of a reduction.
#[derive(Clone, Copy)]
enum Fault {
    /// Some successors are lost; the seed says which.
    Loss(u64),
    /// The first step stands for all others, as if they commuted with it.
    FirstStepOnly,
}

/// A search with a fault.
struct Faulty<'a> {
    plain: &'a dyn Plain,
    fault: Fault,
}

impl Plain for Faulty<'_> {
    fn variables(&self) -> Vec<String> {
        self.plain.variables()
    }

    fn initial(&self) -> Vec<Vec<i64>> {
        self.plain.initial()
    }

    fn successors(
        &self,
        state: &[i64],
        visit: &mut dyn FnMut(&Step, &[i64]),
    ) -> Result<(), Undefined> {
        let lost = match self.fault {
            Fault::Loss(seed) => fingerprint(format!("{state:?}{seed}").as_bytes()) % 3,
            Fault::FirstStepOnly => 0,
        };
        let mut number = 0;
        self.plain.successors(state, &mut |step, next| {
            let is_first_only = matches!(self.fault, Fault::FirstStepOnly);
            if (number == lost) == is_first_only {
                visit(step, next);
            }
            number += 1;
        })
    }

    fn meaning(&self, name: &str) -> Option<Meaning> {
        self.plain.meaning(name)
    }

    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        self.plain.constant(name, value)
    }

    fn steps(&self, name: &str) -> Option<NamedSteps<'_>> {
        self.plain.steps(name)
    }

    fn process_count(&self) -> usize {
        self.plain.process_count()
    }

    fn transition_count(&self) -> usize {
        self.plain.transition_count()
    }
}

/// Searches with a fault find certificates of properties that do not hold; none is accepted.
fn assert_rejected(seed: u64, fault: impl Fn(u64) -> Fault) {
    let (mut wrong, mut rejected) = (0, 0);
    for (number, (model, text, claim)) in subjects(seed, 400).into_iter().enumerate() {
        let plain = plain::of(&model).unwrap();
        let faulty = Faulty { plain: &*plain, fault: fault(number as u64) };
        let Ok(certificate) = build(claim.clone(), &faulty, Budget::default()) else { continue };
        rejected += usize::from(!assert_sound(&model, &text, &certificate));
        wrong += usize::from(holds(&model, &claim) == Some(false));
    }
    assert!(wrong >= 10 && rejected >= wrong, "{wrong} wrong verdicts, {rejected} rejected");
}

#[test]
fn a_search_that_loses_successors_has_no_accepted_certificate() {
    assert_rejected(6, Fault::Loss);
}

#[test]
fn a_reduction_to_first_steps_has_no_accepted_certificate() {
    assert_rejected(8, |_| Fault::FirstStepOnly);
}

/// An engine whose automaton has lost marks calls properties true that are not: they have no
/// certificate.
#[test]
fn verdicts_of_automata_that_lost_marks_have_no_certificate() {
    let mut rng = Rng::new(7);
    let mut wrong = 0;
    for (model, text, claim) in subjects(7, 400) {
        let deadlock = match claim.deadlocks {
            Deadlocks::Stutter => Deadlock::Stutter,
            Deadlocks::Ignore => Deadlock::Ignore,
            Deadlocks::Report => continue,
        };
        let claim = Claim { fair: Fair::All, ..claim };
        let system = model.system();
        let question = Question::new(system.clone(), &claim.property, deadlock).unwrap();
        let negation = Translator::new().translate(&Formula::not(&claim.property));
        let mut builder = negation.edit();
        builder.retain_edges(|_, edge| {
            if rng.chance(0.5) {
                edge.marks = Marks::EMPTY;
            }
            true
        });
        let faulty = builder.build().into();
        let mut space = StateSpace::<Arena>::new(&*system);
        let (options, control) = (Options::default(), Control::default());
        let outcome = explicit::check(&mut space, &question, &faulty, &options, &control).unwrap();
        if outcome.verdict == Verdict::Holds && holds(&model, &claim) == Some(false) {
            wrong += 1;
            let failure = certified(&model, &claim).err();
            assert_eq!(failure, Some(Failure::Violated), "{claim:?} of\n{text}");
        }
    }
    assert!(wrong >= 10, "{wrong} wrong verdicts");
}

#[test]
fn each_condition_has_its_rejection() {
    let lamp = model("kripke", "init off; state off -> on; state on: lit -> off on;");
    let reason = |certificate: &Certificate, model: &Model| {
        checked(model, certificate).map_err(|rejection| rejection.condition)
    };
    let claim = |text: &str| claim(text, Deadlocks::Stutter, Fair::All);
    let certificate = certified(&lamp, &claim("G(on -> lit)")).unwrap();
    assert_eq!(reason(&certificate, &lamp), Ok(()));
    let other = model("kripke", "init off on; state off -> on; state on: lit -> off on;");
    let fewer = certified(&lamp, &claim("off")).unwrap();
    assert_eq!(reason(&fewer, &other), Err(Condition::Initial));
    let longer = certified(&lamp, &claim("X X (off | on)")).unwrap();
    let dead = model("kripke", "init off; state off -> on; state on: lit -> on;");
    assert_eq!(reason(&longer, &dead), Ok(()));
    let wider =
        model("kripke", "init off; state off -> on; state on: lit -> more; state more -> on;");
    assert_eq!(reason(&certificate, &wider), Err(Condition::Successor));
    let mut raised = certificate.clone();
    raised.ranks[0] += 1;
    raised.promises.push(0);
    assert_eq!(reason(&raised, &lamp), Err(Condition::Rank));
    let mut empty = certificate.clone();
    empty.promises[0] = NONE;
    assert_eq!(reason(&empty, &lamp), Err(Condition::Promise));
    let mut reported =
        certified(&lamp, &Claim { deadlocks: Deadlocks::Report, ..claim("G 1") }).unwrap();
    assert_eq!(reason(&reported, &lamp), Ok(()));
    let stuck = model("kripke", "init off; state off -> on; state on: lit;");
    assert_eq!(reason(&reported, &stuck), Err(Condition::Deadlock));
    reported.claim.property = "G unknown".parse().unwrap();
    assert_eq!(reason(&reported, &lamp), Err(Condition::Meaning));
}

#[test]
fn limits_end_the_search_cleanly() {
    let net = model("net", "pl p (2000)\ntr t p -> q\ntr u q -> p\n");
    let claim = claim("G p < 2001", Deadlocks::Stutter, Fair::All);
    let plain = plain::of(&net).unwrap();
    let budget = |nodes, bytes| Budget { nodes, bytes };
    let built = |budget| build(claim.clone(), &*plain, budget).map(|built| built.node_count());
    assert_eq!(built(budget(Some(2001), None)), Ok(2001));
    assert_eq!(built(budget(Some(2000), None)), Err(Failure::Nodes));
    assert_eq!(built(budget(None, Some(5000))), Err(Failure::Memory));
    let unbounded = model("net", "tr t -> q\n");
    let claim = Claim { property: "G q < 9".parse().unwrap(), ..claim.clone() };
    let limited = build(claim, &*plain::of(&unbounded).unwrap(), budget(Some(1000), None));
    assert_eq!(limited.err(), Some(Failure::Nodes));
}
