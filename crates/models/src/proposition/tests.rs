//! Propositions against the direct evaluation of what they were printed from.

use super::*;
use crate::expression::{Binary, Expr};
use crate::layout::{Array, Field, Layout};
use crate::system::{ActionId, Actions, Meaning};
use proptest::prelude::*;

/// Variables `x` and `y`, an array `a` of 4, a process in state `P.wait` if `x` is 1, and an action
/// `go-on` that can happen if `y` is at least 2.
struct Toy {
    x: Field,
    y: Field,
    a: Array,
}

impl Toy {
    fn new() -> Self {
        let mut layout = Layout::default();
        Toy { x: layout.field(0, 7), y: layout.field(-5, 10), a: layout.array(0, 3, 4) }
    }
}

impl Scope for Toy {
    fn resolve(&self, name: &str) -> Option<Meaning> {
        Some(match name {
            "x" => Meaning::Value(Expr::Value(self.x)),
            "y" => Meaning::Value(Expr::Value(self.y)),
            "x and y" => Meaning::Value(Expr::Sum(0, Box::new([(1, self.x), (1, self.y)]))),
            "a" => Meaning::Array(self.a),
            "P" => Meaning::Named(Expr::Value(self.x)),
            "x[2]" => Meaning::Value(Expr::Value(self.y)),
            "P.wait" => {
                Meaning::Value(Expr::binary(Binary::Equal, Expr::Value(self.x), Expr::Constant(1)))
            }
            _ => return None,
        })
    }

    fn fireable(&self, name: &str) -> Option<Expr> {
        let two = Expr::Constant(2);
        (name == "go-on").then(|| Expr::binary(Binary::LessOrEqual, two, Expr::Value(self.y)))
    }

    fn fired(&self, name: &str) -> Option<Actions> {
        (name == "go-on").then(|| [ActionId(3)].into_iter().collect())
    }

    fn constant(&self, name: &str, value: &str) -> Option<i64> {
        let number = ["idle", "wait", "0"].iter().position(|state| *state == value)?;
        (name == "P").then_some(number as i64)
    }

    fn constants(&self, name: &str) -> Vec<String> {
        if name == "P" { ["idle", "wait", "0"].map(String::from).to_vec() } else { vec![] }
    }

    fn value_names(&self) -> Vec<String> {
        ["x", "y", "x and y", "a", "P.wait", "P"].map(String::from).to_vec()
    }

    fn action_names(&self) -> Vec<String> {
        vec!["go-on".to_owned()]
    }
}

/// Trees to print. Operators are printed with as few parentheses as the grammar needs.
#[derive(Clone, Debug)]
enum Sample {
    Number(i64),
    X,
    Y,
    Both,
    Element(Box<Sample>),
    Negative(Box<Sample>),
    Arithmetic(char, Box<Sample>, Box<Sample>),
    Compare(&'static str, Box<Sample>, Box<Sample>),
    Truth(bool),
    Deadlock,
    Wait,
    Fireable,
    Not(Box<Sample>),
    Logic(&'static str, Vec<Sample>),
}

/// The values of everything in a state.
struct State {
    x: i64,
    y: i64,
    a: [i64; 4],
    deadlock: bool,
}

impl Sample {
    /// The value by the definition; nothing where there is none.
    fn value(&self, state: &State) -> Option<i64> {
        let truth = |truth| Some(i64::from(truth));
        match self {
            Sample::Number(number) => Some(*number),
            Sample::X => Some(state.x),
            Sample::Y => Some(state.y),
            Sample::Both => Some(state.x + state.y),
            Sample::Element(index) => {
                state.a.get(usize::try_from(index.value(state)?).ok()?).copied()
            }
            Sample::Negative(operand) => operand.value(state)?.checked_neg(),
            Sample::Arithmetic(op, left, right) => {
                let (left, right) = (left.value(state)?, right.value(state)?);
                match op {
                    '+' => left.checked_add(right),
                    '-' => left.checked_sub(right),
                    '*' => left.checked_mul(right),
                    '/' => left.checked_div(right),
                    _ => (right != 0).then(|| left.wrapping_rem(right)),
                }
            }
            Sample::Compare(op, left, right) => {
                let (left, right) = (left.value(state)?, right.value(state)?);
                truth(match *op {
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    ">=" => left >= right,
                    "!=" => left != right,
                    _ => left == right,
                })
            }
            Sample::Truth(value) => truth(*value),
            Sample::Deadlock => truth(state.deadlock),
            Sample::Wait => truth(state.x == 1),
            Sample::Fireable => truth(state.y >= 2),
            Sample::Not(operand) => truth(operand.value(state)? == 0),
            Sample::Logic(op, operands) => {
                let (last, others) = operands.split_last().unwrap();
                let stop = i64::from(matches!(*op, "||" | "or"));
                for operand in others {
                    let value = i64::from(operand.value(state)? != 0);
                    if *op == "->" {
                        if value == 0 {
                            return Some(1);
                        }
                    } else if value == stop {
                        return Some(stop);
                    }
                }
                truth(last.value(state)? != 0)
            }
        }
    }

    /// The text, in parentheses if it binds weaker than `strength`.
    fn print(&self, strength: u8, out: &mut String) {
        let own = match self {
            Sample::Logic("->", _) => 0,
            Sample::Logic("||" | "or", _) => 1,
            Sample::Logic(..) => 2,
            Sample::Compare(..) => 3,
            Sample::Arithmetic('+' | '-', ..) => 4,
            Sample::Arithmetic(..) => 5,
            Sample::Negative(_) | Sample::Not(_) => 6,
            _ => 7,
        };
        if own < strength {
            out.push('(');
            self.print(0, out);
            out.push(')');
            return;
        }
        match self {
            Sample::Number(number) => out.push_str(&number.to_string()),
            Sample::X => out.push('x'),
            Sample::Y => out.push('y'),
            Sample::Both => out.push_str("'x and y'"),
            Sample::Element(index) => {
                out.push_str("a[");
                index.print(0, out);
                out.push(']');
            }
            Sample::Negative(operand) => {
                out.push('-');
                operand.print(own, out);
            }
            Sample::Not(operand) => {
                out.push('!');
                operand.print(own, out);
            }
            Sample::Arithmetic(op, left, right) => {
                left.print(own, out);
                out.push(*op);
                right.print(own + 1, out);
            }
            Sample::Compare(op, left, right) => {
                // A negation on the left of a comparison needs parentheses of its own.
                left.print(if matches!(**left, Sample::Not(_)) { 7 } else { 4 }, out);
                out.push_str(op);
                right.print(4, out);
            }
            Sample::Truth(value) => out.push_str(if *value { "true" } else { "false" }),
            Sample::Deadlock => out.push_str("deadlock"),
            Sample::Wait => out.push_str("P.wait"),
            Sample::Fireable => out.push_str("fireable('go-on')"),
            Sample::Logic(op, operands) => {
                for (i, operand) in operands.iter().enumerate() {
                    if i > 0 {
                        out.push_str(&format!(" {op} "));
                    }
                    operand.print(own + 1, out);
                }
            }
        }
    }
}

fn samples() -> impl Strategy<Value = Sample> {
    let number = prop_oneof![
        (0i64..6).prop_map(Sample::Number),
        Just(Sample::X),
        Just(Sample::Y),
        Just(Sample::Both),
    ];
    let number = number.prop_recursive(4, 20, 3, |inner| {
        let op = prop::sample::select(vec!['+', '-', '*', '/', '%', '+', '-', '+']);
        prop_oneof![
            inner.clone().prop_map(|operand| Sample::Element(Box::new(operand))),
            inner.clone().prop_map(|operand| Sample::Negative(Box::new(operand))),
            (op, inner.clone(), inner).prop_map(|(op, left, right)| {
                Sample::Arithmetic(op, Box::new(left), Box::new(right))
            }),
        ]
    });
    let op = prop::sample::select(vec!["<", "<=", ">", ">=", "=", "==", "!="]);
    let compare = (op, number.clone(), number)
        .prop_map(|(op, left, right)| Sample::Compare(op, Box::new(left), Box::new(right)));
    let truth = prop_oneof![
        4 => compare,
        1 => any::<bool>().prop_map(Sample::Truth),
        1 => Just(Sample::Deadlock),
        1 => Just(Sample::Wait),
        1 => Just(Sample::Fireable),
    ];
    truth.prop_recursive(4, 20, 3, |inner| {
        let op = prop::sample::select(vec!["&&", "and", "||", "or", "->"]);
        let equal = prop::sample::select(vec!["=", "!="]);
        prop_oneof![
            inner.clone().prop_map(|operand| Sample::Not(Box::new(operand))),
            (op, prop::collection::vec(inner.clone(), 2..4))
                .prop_map(|(op, operands)| Sample::Logic(op, operands)),
            (equal, inner.clone(), inner).prop_map(|(op, left, right)| {
                Sample::Compare(op, Box::new(left), Box::new(right))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn propositions_mean_what_they_were_printed_from(
        sample in samples(),
        x in 0i64..8,
        y in -5i64..11,
        a in [0i64..4, 0i64..4, 0i64..4, 0i64..4],
        deadlock: bool,
    ) {
        let toy = Toy::new();
        let mut words = vec![0; 2];
        toy.x.set(&mut words, x);
        toy.y.set(&mut words, y);
        for (i, value) in a.iter().enumerate() {
            toy.a.element(i).set(&mut words, *value);
        }
        let mut text = String::new();
        sample.print(0, &mut text);
        let expected = sample.value(&State { x, y, a, deadlock });
        match Propositions::compile(&toy, [text.as_str()]) {
            Ok(propositions) => {
                let value = propositions.holding(&words, deadlock);
                // Where the definition has no value, an operand before it may still decide.
                if let Some(expected) = expected {
                    prop_assert_eq!(value, Ok(expected as u64), "{}", text);
                } else {
                    prop_assert!(value.is_err(), "{}", text);
                }
            }
            // A constant index that is out of range and a constant division by zero are refused.
            Err(error) => {
                let message = error.message();
                let is_constant = message.contains("no element") || message.contains("by zero");
                prop_assert!(is_constant, "{}: {}", text, error);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[xya.0-9'()\\[\\]<=!&|+*/% -]{0,40}|.{0,30}") {
        if let Err(error) = Propositions::compile(&Toy::new(), [text.as_str()])
            && let Some(span) = error.span()
        {
            prop_assert!(text.get(span).is_some());
        }
    }

    #[test]
    fn quoted_names_are_read_as_they_were(name in ".{1,12}") {
        let text = quoted(&name).into_owned();
        let error = Propositions::compile(&Toy::new(), [text.as_str()]);
        if !["x", "y", "a", "x and y", "P.wait", "P"].contains(&name.as_str()) {
            let message = format!("the model has nothing named `{name}`");
            prop_assert_eq!(error.unwrap_err().message().to_owned(), message);
        }
    }
}

/// The message of a proposition that is wrong, and what it is about.
fn refused(text: &str) -> (String, String) {
    let error = Propositions::compile(&Toy::new(), [text]).unwrap_err();
    let place = error.span().map_or("", |span| &text[span]);
    (error.to_string(), place.to_owned())
}

#[test]
fn a_name_with_blanks_is_a_proposition_as_a_whole() {
    let net = crate::languages::named("net").unwrap().read("pl {in use} (1)  pl p").unwrap();
    let system = net.system();
    let expression = |text: &str| {
        let compiled = Propositions::compile(system.names(), [text]).unwrap();
        compiled.expression(0, false).clone()
    };
    assert_eq!(expression("in use"), expression("'in use'"));
    assert!(Propositions::compile(system.names(), ["in or"]).is_err());
}

#[test]
fn wrong_propositions_are_refused_with_a_reason() {
    insta::assert_debug_snapshot!(
        [
            "",
            "x <",
            "x < z",
            "p.wait",
            "'x und y' > 2",
            "fireable(go-on)",
            "fireable('go on')",
            "go_on",
            "a > 1",
            "a[4] > 1",
            "x[0] > 1",
            "x + 1",
            "(x < 1) + 2 > 3",
            "x < y < 2",
            "!x < 2",
            "x & & y",
            "x / (1 - 1) > 2",
            "99999999999999999999 > x",
            "'x",
            "(x < 2",
            "(x < 2) == 1",
            "x ? y",
            "fireable()",
        ]
        .map(refused)
    );
}

#[test]
fn long_chains_are_flat_and_deep_nesting_is_refused() {
    let toy = Toy::new();
    let read = |text: &str| Propositions::compile(&toy, [text]).map(|_| ());
    for (chain, last) in [
        ("x + ", "y > 2"),
        ("x < 2 && ", "true"),
        ("x < 2 -> ", "true"),
        ("a[x] - ", "y > 2"),
        ("x < 2 || ", "deadlock"),
    ] {
        assert_eq!(read(&format!("{}{last}", chain.repeat(20_000))), Ok(()));
    }
    for (open, middle, close, end) in [
        ("(", "x", ")", ""),
        ("!", "x", "", ""),
        ("a[", "x", "]", ""),
        ("-", "1", "", " > 2"),
        ("x * ", "x", "", " > 1"),
    ] {
        let text = format!("{}{middle}{}{end}", open.repeat(100_000), close.repeat(100_000));
        let error = read(&text).unwrap_err();
        assert!(error.message().contains("nests more than"), "{error}");
    }
}

#[test]
fn at_most_64_are_observed() {
    let toy = Toy::new();
    assert_eq!(Propositions::compile(&toy, ["x"; 64]).unwrap().len(), 64);
    let error = Propositions::compile(&toy, ["x"; 65]).unwrap_err();
    assert!(error.message().contains("more than 64"));
}

/// Sums become one instruction.
#[test]
fn linear_sums_are_gathered() {
    let toy = Toy::new();
    let term = syntax::parse("2 * (x + 3) - y + x - 1 >= 0").unwrap();
    let sum = Expr::Sum(5, Box::new([(3, toy.x), (-1, toy.y)]));
    let expected = Expr::binary(Binary::LessOrEqual, Expr::Constant(0), sum);
    assert_eq!(bind::proposition(&toy, &term, false), Ok(expected));
}

/// Names as values, operators of formulas, and Spin's way to write locations.
#[test]
fn what_is_printed_can_be_typed() {
    let toy = Toy::new();
    let mut state = vec![0; 2];
    toy.x.set(&mut state, 1);
    toy.y.set(&mut state, 7);
    for (text, holds) in [
        ("P = wait", true),
        ("wait == P & x = 1", true),
        ("P != idle | false", true),
        ("P = 'idle'", false),
        ("P = 0", false),
        ("P@wait", true),
        ("x[2] = 7", true),
        ("x <-> y", true),
        ("x xor y", false),
        ("(x ^ y) ^ x", true),
        ("x <=> y < 2", false),
        ("x => y < 2", false),
        ("x /\\ y \\/ false", true),
    ] {
        let compiled =
            Propositions::compile(&toy, [text]).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(compiled.holding(&state, false), Ok(u64::from(holds)), "{text}");
    }
    for (text, message) in [
        ("P", "`P` has names as values"),
        ("P + 1 > 2", "`P` has names as values"),
        ("P < wait", "`P` has names as values"),
        ("P = P", "`P` has no value `P`"),
        ("P = waits", "`P` has no value `waits`"),
        ("P = 7", "`P` has no value `7`"),
        ("x <-> y -> x", "unexpected `->`"),
    ] {
        assert_eq!(refused(text).0.split(", expected").next(), Some(message), "{text}");
    }
    assert!(is_about_names(&Propositions::compile(&toy, ["P = waits"]).unwrap_err()));
    assert!(is_about_names(&Propositions::compile(&toy, ["fired(stop)"]).unwrap_err()));
    assert!(!is_about_names(&Propositions::compile(&toy, ["P"]).unwrap_err()));
}

#[test]
fn propositions_about_steps_stand_alone() {
    let toy = Toy::new();
    let compiled = Propositions::compile(&toy, ["x < 9", "fired('go-on')"]).unwrap();
    assert!(compiled.is_about_steps() && !compiled.select([0]).is_about_steps());
    assert_eq!(compiled.holding(&[0, 0], false), Ok(1));
    assert_eq!((compiled.fired(ActionId(3)), compiled.fired(ActionId(0))), (2, 0));
    assert_eq!(compiled.select([1]).fired(ActionId(3)), 1);
    assert_eq!(refused("fired('go-on') & x").0, refused("!fired('go-on')").0);
}
