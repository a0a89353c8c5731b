//! Translators to Büchi automata, and the automata of the case studies of chapter 3.

use super::spin::{End, run};
use anyhow::{Context, Result, bail};
use sempre_automata::decompose::{Part, part};
use sempre_automata::degeneralize::{Degeneralizer, InitialLevel, Jump, MarkOrder, unroll};
use sempre_automata::formats::{self, Format};
use sempre_automata::placement::Expectation;
use sempre_automata::{Alphabet, AnyAutomaton, Automaton, GeneralizedBuchi, hoa, to_ba};
use sempre_ltl::rewrite::rename::rename;
use sempre_ltl::rewrite::unabbreviate;
use sempre_ltl::{Formula, Notation, Op, Prop};
use sempre_translate::{Kind, Preference, Translator};
use std::time::Duration;

/// A way from a formula to Büchi automata whose union has its language.
pub(super) struct Way {
    pub(super) name: &'static str,
    make: fn(&Formula, Duration) -> Result<Option<Vec<Automaton>>>,
}

/// All ways: other programs first, then ours.
pub(super) const WAYS: [Way; 8] = [
    Way { name: "spin -f", make: by_spin },
    Way { name: "lbt", make: by_lbt },
    Way { name: "small", make: |formula, _| ours(ba(), formula) },
    Way { name: "det", make: |formula, _| ours(ba().prefer(Preference::Deterministic), formula) },
    Way { name: "no jump", make: |formula, _| Ok(Some(vec![without_jumps(formula)])) },
    Way { name: "holds", make: |f, _| ours(ba().expect(Some(Expectation::Holds)), f) },
    Way { name: "violated", make: |f, _| ours(ba().expect(Some(Expectation::Violated)), f) },
    Way { name: "parts", make: |formula, _| Ok(Some(parts(formula))) },
];

impl Way {
    /// Makes the automata; `None` if the program is missing, fails or takes too long.
    pub(super) fn automata(
        &self,
        formula: &Formula,
        limit: Duration,
    ) -> Result<Option<Vec<Automaton>>> {
        (self.make)(formula, limit).with_context(|| format!("{} on {formula}", self.name))
    }
}

fn ba() -> Translator {
    Translator::new().kind(Kind::Ba)
}

fn ours(mut translator: Translator, formula: &Formula) -> Result<Option<Vec<Automaton>>> {
    Ok(Some(vec![translator.translate(formula)]))
}

fn without_jumps(formula: &Formula) -> Automaton {
    let generalized = Translator::new().translate(formula);
    Degeneralizer::default().jump(Jump::Never).state_based(&GeneralizedBuchi::from(&generalized))
}

/// The claims of the terminal, weak and strong parts.
fn parts(formula: &Formula) -> Vec<Automaton> {
    let whole = Translator::new().translate(formula);
    let parts = Part::ALL.iter().map(|strength| to_ba::to_ba(&part(&whole, *strength)));
    parts.filter(|part| !part.initial().is_empty()).collect()
}

/// The operators that neither `spin -f` nor lbt has.
const FOREIGN: [Op; 5] =
    [Op::StrictFinally, Op::StrictGlobally, Op::WeakUntil, Op::StrongRelease, Op::Xor];

fn by_spin(formula: &Formula, limit: Duration) -> Result<Option<Vec<Automaton>>> {
    by_program(formula, Notation::Spin, |text| run("spin", &["-f", text], "", limit))
}

fn by_lbt(formula: &Formula, limit: Duration) -> Result<Option<Vec<Automaton>>> {
    by_program(formula, Notation::Lbt, |text| run("lbt", &[], text, limit))
}

/// Runs another program, with propositions p0, p1 and so on.
fn by_program(
    formula: &Formula,
    notation: Notation,
    run: impl FnOnce(&str) -> Result<End>,
) -> Result<Option<Vec<Automaton>>> {
    let names: Vec<(Prop, String)> =
        (formula.props().into_iter().enumerate()).map(|(i, p)| (p, format!("p{i}"))).collect();
    let number = |prop: &Prop| {
        let found = names.iter().find(|(known, _)| known == prop);
        found.map_or_else(|| prop.clone(), |(_, new)| Prop::from(&**new))
    };
    let text = unabbreviate(&rename(formula, number), &FOREIGN)?.display(notation).to_string();
    let Some(automata) = read(run(&text)?)? else { return Ok(None) };
    let back: Vec<(&str, &str)> = names.iter().map(|(old, new)| (&**new, old.name())).collect();
    let degeneralized = |automaton: Automaton| -> Result<Automaton> {
        let automaton = renamed(&automaton, &back)?;
        if automaton.is_state_based() && automaton.acceptance().marks() == 1 {
            return Ok(automaton);
        }
        Ok(Degeneralizer::plain().state_based(&GeneralizedBuchi::from(&automaton)))
    };
    automata.into_iter().map(degeneralized).collect::<Result<_>>().map(Some)
}

/// Reads the automaton in the output of a program.
fn read(end: End) -> Result<Option<Vec<Automaton>>> {
    let text = match end {
        End::Output(text) => text,
        // `spin -f` rejects X unless it was built for that.
        End::TooLong | End::Missing | End::Failure(_) => return Ok(None),
    };
    let mut automata = Vec::new();
    for read in formats::read(text.as_bytes(), None)? {
        match read?.automaton {
            AnyAutomaton::Nondeterministic(automaton) => automata.push(automaton),
            AnyAutomaton::Alternating(_) => bail!("the automaton is alternating"),
        }
    }
    Ok(Some(automata))
}

/// An automaton as never claim.
pub(super) fn never(automaton: &Automaton) -> Result<String> {
    let mut text = Vec::new();
    formats::write(automaton, Format::Never, &mut text)?;
    Ok(String::from_utf8(text)?)
}

/// An automaton over other propositions: each of the given names becomes the other one.
pub(super) fn renamed(automaton: &Automaton, names: &[(&str, &str)]) -> Result<Automaton> {
    let new = |name: &str| {
        let found = names.iter().find(|(old, _)| *old == name);
        found.map_or(name, |(_, new)| *new).to_owned()
    };
    let props = automaton.alphabet().props();
    let places: Vec<usize> = (0..props.len()).collect();
    let alphabet = Alphabet::new(props.iter().map(|prop| new(prop.name())))?;
    let mut builder = automaton.edit();
    builder.translate(alphabet, &places);
    Ok(builder.build())
}

/// The counts of Tables 3.2 to 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) states: usize,
    pub(super) nondeterministic: usize,
    pub(super) edges: usize,
    pub(super) transitions: u128,
}

impl Shape {
    pub(super) fn of(automaton: &Automaton) -> Self {
        let alphabet = automaton.alphabet();
        let is_deterministic = |state| {
            let edges = automaton.edges_from(state);
            alphabet.pairwise_disjoint(edges.iter().map(|edge| edge.label))
        };
        Shape {
            states: automaton.state_count(),
            nondeterministic: automaton.states().filter(|state| !is_deterministic(*state)).count(),
            edges: automaton.edge_count(),
            transitions: automaton.edges().iter().map(|edge| alphabet.count(edge.label)).sum(),
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Shape {
            states: self.states + other.states,
            nondeterministic: self.nondeterministic + other.nondeterministic,
            edges: self.edges + other.edges,
            transitions: self.transitions + other.transitions,
        }
    }
}

/// The automata of the case studies, with the names of the document: C for `GFa & GFb`, D for
/// `!(GFa -> GFb)`. There is no D3: its text does not determine it.
pub(super) fn cases() -> Result<Vec<(&'static str, Automaton)>> {
    let deterministic = parsed(
        r#"HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" Acceptance: 2 Inf(0) & Inf(1) --BODY--
        State: 0 [!0&!1] 0 [0&!1] 0 {0} [!0&1] 0 {1} [0&1] 0 {0 1} --END--"#,
    )?;
    let nondeterministic = parsed(
        r#"HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" Acceptance: 2 Inf(0) & Inf(1) --BODY--
        State: 0 [t] 0 [0] 0 {0} [1] 0 {1} [0&1] 0 {0 1} --END--"#,
    )?;
    let by = |automaton: &Automaton, jump, initial, order: &[u32]| {
        Degeneralizer::plain()
            .jump(jump)
            .initial(initial)
            .order(MarkOrder::Listed(order.to_vec()))
            .state_based(&GeneralizedBuchi::from(automaton))
    };
    let (first, last) = (InitialLevel::First, InitialLevel::Last);
    let last_without_jump = by(&deterministic, Jump::Never, last, &[0, 1]);
    let mut cases = vec![
        ("C1", by(&nondeterministic, Jump::NotFromAccepting, first, &[0, 1])),
        ("C2", by(&nondeterministic, Jump::Always, first, &[0, 1])),
        ("C3", unroll(&last_without_jump)),
        ("C4", by(&deterministic, Jump::Always, first, &[1, 0])),
        ("C5", by(&deterministic, Jump::Always, last, &[0, 1])),
        ("C6", last_without_jump),
    ];
    const DET: &str = "[0&!1] 1 [!0&!1] 2";
    const NONDET: &str = "[!1] 2 [0&!1] 1";
    let rows = [
        ("D1", "[!1] 2 [0&!1] 1", "[!1] 2", NONDET),
        ("D2", "[!1] 2", NONDET, NONDET),
        ("D4", "[!1] 1", NONDET, NONDET),
        ("D5", "[!1] 1", DET, DET),
        ("D6", "[0&!1] 1", DET, DET),
        ("D7", "[0&!1] 1", "[!1] 2", DET),
        ("D8", "[0&!1] 2", DET, DET),
        ("D9", "[0&!1] 2", NONDET, NONDET),
        ("D10", "[!0&!1] 2 [0&!1] 1", DET, DET),
        ("D11", "[!1] 2", DET, DET),
        ("D12", "[!1] 1", DET, DET),
    ];
    for (name, initial, accepting, other) in rows {
        let (states, start, extra) = match name {
            "D5" => (4, 3, "State: 3 [t] 0"),
            _ => (3, 0, ""),
        };
        let text = format!(
            "HOA: v1 States: {states} Start: {start} AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0)
            --BODY-- State: 0 [t] 0 {initial} State: 1 {{0}} {accepting} State: 2 {other} {extra}
            --END--"
        );
        cases.push((name, parsed(&text)?));
    }
    Ok(cases)
}

fn parsed(text: &str) -> Result<Automaton> {
    hoa::parse(text)?.nondeterministic().context("no alternation")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use sempre_automata::language;

    #[test]
    fn the_case_studies_have_the_published_counts() {
        let published = Table::parse(include_str!("tables-3-3-and-3-4.csv"), ',').unwrap();
        let cases = cases().unwrap();
        assert_eq!(cases.len(), 17);
        for (name, automaton) in &cases {
            let row = published.rows().find(|row| row.text("case") == *name).unwrap();
            let number = |column: &str| row.number(column).unwrap();
            let shape = Shape {
                states: number("states") as usize,
                nondeterministic: number("nondeterministic") as usize,
                edges: number("edges") as usize,
                transitions: number("transitions") as u128,
            };
            assert_eq!(Shape::of(automaton), shape, "{name}");
            let formula = if name.starts_with('C') { "GFa & GFb" } else { "!(GFa -> GFb)" };
            let ours = Translator::new().translate(&formula.parse().unwrap());
            assert!(language::equivalent(automaton, &ours), "{name}");
        }
    }
}
