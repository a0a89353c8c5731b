//! Errors in texts that are no models.

use crate::dve::{DveSystem, parse};
use crate::system::{Fault, Names, System};

/// The words to blame, and what is said.
fn refused(text: &str) -> (String, String) {
    let error = parse(text).unwrap_err();
    (text[error.span().unwrap()].to_string(), error.to_string())
}

#[test]
fn errors_say_where_and_what() {
    let process =
        |rest: &str| format!("process P {{ byte x; state a, b; init a; {rest} }} system async;");
    let cases = [
        (process("trans a -> c {};"), "c", "there is no state `c`, expected `a` or `b`"),
        (
            process("trans a -> b { guard xx > 1; };"),
            "xx",
            "there is no variable `xx`, expected `x`",
        ),
        (process("trans a -> b { sync c!; };"), "c", "there is no channel `c`"),
        (process("trans a -> b { guard Q.a; };"), "Q", "there is no process `Q`, expected `P`"),
        (process("trans a -> b { guard x > ; };"), ";", "unexpected `;`, expected an expression"),
        (process("trans a -> b { effect x + 1; };"), "+", "unexpected `+`, expected `=`"),
        (process("trans a -> b { effect x[1] = 1; };"), "x", "`x` is not an array"),
        (process("trans a -> b { guard x; guard x; };"), "guard", "a transition has one `guard`"),
        (process("trans a b;"), "b", "unexpected `b`, expected `->`"),
        (
            process("trans a -> state {};"),
            "state",
            "`state` is a word of the language, expected the state that the transition enters",
        ),
        (
            "byte x;".into(),
            "",
            "the model ends too early, expected a declaration, a process or `system`",
        ),
        ("byte x, x; system async;".into(), "", "the model has no process"),
        (
            "byte x[0]; process P { state a; init a; } system async;".into(),
            "x",
            "`x` cannot have 0 elements",
        ),
        (
            "byte x, x; process P { state a; init a; } system async;".into(),
            "x",
            "`x` is declared twice",
        ),
        (
            "byte x = 1 / 0; process P { state a; init a; } system async;".into(),
            "1 / 0",
            "1 is divided by zero",
        ),
        (
            "process P { state a; } system async;".into(),
            "P",
            "the process `P` has no initial state, expected `init`",
        ),
        (
            "byte x[1000000]; channel {byte, int} c[90000]; process P { state a; init a; }
             system async;"
                .into(),
            "c",
            "the arrays and channels are too large, expected at most 1048576 elements in all",
        ),
        (
            "process P { state a; init a; } system synchronous;".into(),
            "synchronous",
            "unexpected `synchronous`, expected `async` or `sync`",
        ),
        (
            "channel {byte} c[1]; process P { state a; init a; trans a -> a { sync c!1; }; }
             system sync;"
                .into(),
            "c",
            "a channel that keeps messages has no meaning in a synchronous system",
        ),
        (
            "process P { channel link; state a; init a; } process Q { state a; init a;
             trans a -> a { sync link!; }; } system async;"
                .into(),
            "link",
            "there is no channel `link`",
        ),
        (
            "process P { state a; init a; } system async property Q;".into(),
            "Q",
            "there is no process `Q`, expected `P`",
        ),
        (
            "byte x = 99999999999; process P".into(),
            "99999999999",
            "the number is too large, expected at most 2147483647",
        ),
        ("/* no end".into(), "/*", "the comment does not end, expected `*/`"),
        ("byte é;".into(), "é", "'é' has no meaning in a DVE model"),
        (
            "channel c; process P { state a; init a; trans a -> a { sync c!; }; }
             process Q { byte x; state a; init a; trans a -> a { sync c?x; }; } system async;"
                .into(),
            "c",
            "this has 1 values, but 0 are sent elsewhere",
        ),
        (
            "channel {byte, int} c[2]; process P { state a; init a; trans a -> a { sync c!1; }; }
             system async;"
                .into(),
            "c",
            "1 value for `c`, expected 2",
        ),
        (
            "const byte x = 1; process P { state a; init a; trans a -> a { effect x = 1; }; }
             system async;"
                .into(),
            "x",
            "`x` is a constant, expected a variable",
        ),
    ];
    for (text, blamed, message) in cases {
        assert_eq!(refused(&text), (blamed.to_string(), message.to_string()), "{text}");
    }
}

#[test]
fn deep_terms_are_refused() {
    let text = |term: String| {
        format!("process P {{ state a; init a; trans a -> a {{ guard {term}; }}; }} system async;")
    };
    let deep = [
        "(".repeat(100_000),
        "not ".repeat(100_000),
        "-".repeat(100_000),
        format!("1{}", " + 1".repeat(100_000)),
        format!("1{}", " imply 1".repeat(100_000)),
        "1 + (".repeat(100_000),
    ];
    for term in deep {
        assert!(refused(&text(term)).1.starts_with("the expression nests more than"));
    }
    // Long conjunctions are flat.
    assert!(parse(&text(format!("1{}", " and 1".repeat(100_000)))).is_ok());
}

#[test]
fn what_is_ignored_is_said() {
    let text = "byte x[1] = {1, 2}; property p { LTL \"G a\" }
        process P { state a; accept a; init a; }
        process Q { state a; init a; }
        system async property P;";
    let dve = parse(text).unwrap();
    assert_eq!(
        dve.notes(),
        [
            "the property section `p` is ignored",
            "accepting states are ignored",
            "the process `P` is a property and is ignored",
            "`x` has 1 elements; more values are ignored",
        ]
    );
}

#[test]
fn faults_name_what_is_wrong() {
    let fault = |text: &str| {
        let system = DveSystem::new(&parse(text).unwrap());
        let initial = system.initial().unwrap();
        match (&system as &dyn System).successors(&initial[0]) {
            Err(Fault::Undefined { action, message }) => {
                (action.map(|action| system.action_name(action)), message)
            }
            Err(Fault::Assertion { message }) => (None, message),
            other => panic!("{other:?}"),
        }
    };
    let index = fault(
        "byte a[2], i = 2; process P { state s, t; init s; trans s -> t { guard a[i] == 0; }; }
         system async;",
    );
    let said = "the index 2 is out of range: there are 2 elements".to_string();
    assert_eq!(index, (Some("P: s -> t".to_string()), said));
    let division = fault(
        "channel c; process P { byte x; state s, t; init s; trans s -> t { sync c?x; }; }
         process Q { byte y; state s, t; init s; trans s -> t { sync c!8 / y; }; } system async;",
    );
    let meeting = "Q: s -> t ! c ? P: s -> t".to_string();
    assert_eq!(division, (Some(meeting), "8 is divided by zero".to_string()));
    let conflict = fault(
        "byte x; process P { state s, t; init s; trans s -> t { effect x = 1; }; }
         process Q { state s, t; init s; trans s -> t { effect x = 1; }; } system sync;",
    );
    let said = "`P` and `Q` assign `x` in the same step".to_string();
    assert_eq!(conflict, (Some("P: s -> t, Q: s -> t".to_string()), said));
    let joint = fault(
        "byte x; process P { state s, t; init s; trans s -> t { effect x = 1; }; }
         process Q { byte y; state s, t; init s; trans s -> t { effect y = 1 / x; }; } system sync;",
    );
    assert_eq!(joint, (None, "`Q: s -> t`: 1 is divided by zero".to_string()));
    let assertion = fault("byte x; process P { state s; init s; assert s: x > 0; } system async;");
    let said = "the assertion `x > 0` of the state `s` of `P` fails".to_string();
    assert_eq!(assertion, (None, said));
}

#[test]
fn joint_steps_without_numbers_are_refused() {
    // 16 processes with 4 transitions between different states each: 2^32 joint steps.
    let process = |index: usize| {
        format!(
            "process P{index} {{ state a, b; init a;
             trans a -> b {{}}, b -> a {{}}, a -> a {{}}, b -> b {{}}; }}\n"
        )
    };
    let text = |count: usize| (0..count).map(process).collect::<String>() + "system sync;";
    assert!(parse(&text(15)).is_ok());
    let said = "the processes have too many joint steps, expected at most 4294967295";
    assert_eq!(parse(&text(16)).unwrap_err().to_string(), said);
}

#[test]
fn what_joint_steps_ignore_is_said() {
    let text = "channel c; process P { state a; init a; commit a; trans a -> a { sync c!; }; }
        system sync;";
    assert_eq!(
        parse(text).unwrap().notes(),
        [
            "channels are ignored: in a synchronous system all processes step together",
            "committed states are states like others in a synchronous system",
        ]
    );
}
