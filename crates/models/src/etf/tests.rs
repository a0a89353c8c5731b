use super::{Etf, EtfSystem, parse, write};
use crate::plain::tests::compare;
use crate::proposition::Propositions;
use crate::{ActionId, Events, Names, Successors, System, VariableId};
use proptest::prelude::*;
use std::collections::BTreeSet;

const LIGHT: &str = include_str!("../../../../models/crossing.etf");

fn reached(system: &dyn System) -> Vec<Box<[u32]>> {
    let mut states = system.initial().unwrap();
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        next += 1;
        for (_, after) in system.successors(&state).unwrap().iter() {
            if !states.iter().any(|other| **other == *after) {
                states.push(after.into());
            }
        }
    }
    states
}

#[test]
fn a_model_is_what_its_file_says() {
    let etf = parse(LIGHT).unwrap();
    assert_eq!((etf.slots.len(), etf.labels.len(), etf.maps.len()), (2, 1, 1));
    assert_eq!(
        etf.tables.iter().map(|table| &table.columns[..]).collect::<Vec<_>>(),
        [&[0][..], &[1][..], &[0, 1][..]]
    );
    let system = EtfSystem::new(etf.clone());
    let states = reached(&system);
    assert_eq!(states.len(), 4);
    let initial = &states[0];
    assert_eq!(system.value_text(initial, VariableId(0)), "red");
    assert_eq!(system.value_text(initial, VariableId(1)), "0");
    let successors = (&system as &dyn System).successors(initial).unwrap();
    let steps: Vec<_> = successors.actions().iter().map(|a| system.action_name(*a)).collect();
    assert_eq!(steps, ["change", "come"]);
}

#[test]
fn slots_with_indices_in_their_names_are_found() {
    let text = LIGHT.replace("light:", "in\\[0\\]:").replace("waiting:", "in\\[1\\]:");
    let etf = parse(&text).unwrap();
    let texts = ["in[0] = red", "green != in[0]", "in[1]", "in[1] + 1 > in[ 1 ]", "'in[0]' = red"];
    assert_eq!(compare(&crate::Model::from(etf.clone()), &texts, 10), 4);
    let system = EtfSystem::new(etf);
    let propositions = Propositions::compile(&system, texts).unwrap();
    let mut expander = system.expander();
    for state in reached(&system) {
        let (red, waits) =
            (system.value(&state, VariableId(0)) == 0, system.value(&state, VariableId(1)) == 1);
        let found = propositions.valuation(&mut *expander, &state).unwrap();
        for (number, expected) in [red, red, waits, true, red].into_iter().enumerate() {
            assert_eq!(found >> number & 1 == 1, expected, "{} in {state:?}", texts[number]);
        }
    }
    let error = Propositions::compile(&system, ["in[2] = 1"]).unwrap_err();
    assert_eq!(error.to_string(), "the model has nothing named `in`, expected `in[0]` or `in[1]`");
}

#[test]
fn propositions_know_values_by_their_names() {
    let etf = parse(LIGHT).unwrap();
    let texts = ["light = red", "green != light", "jam = 'false'", "fireable(go)", "jam = true"];
    assert_eq!(compare(&crate::Model::from(etf.clone()), &texts, 10), 4);
    let system = EtfSystem::new(etf.clone());
    let texts = [
        "light = red",
        "green != light",
        "jam",
        "jam = true",
        "jam = 'false'",
        "fireable(go)",
        "waiting >= 1",
        "deadlock",
    ];
    let propositions = Propositions::compile(&system, texts).unwrap();
    let mut expander = system.expander();
    for state in reached(&system) {
        let (light, waiting) =
            (system.value(&state, VariableId(0)), system.value(&state, VariableId(1)));
        let red = light == 0;
        let jam = red && waiting == 1;
        let expected = [red, red, jam, jam, !jam, !red && waiting == 1, waiting >= 1, false];
        let found = propositions.valuation(&mut *expander, &state).unwrap();
        for (number, expected) in expected.into_iter().enumerate() {
            assert_eq!(found >> number & 1 == 1, expected, "{} in {state:?}", texts[number]);
        }
    }
    let error = Propositions::compile(&system, ["light = gren"]).unwrap_err();
    assert_eq!(error.to_string(), "`light` has no value `gren`, expected `green` or `red`");
    assert_eq!(error.span(), Some(8..12));
    let error = Propositions::compile(&system, ["lihgt = red"]).unwrap_err();
    assert_eq!(error.to_string(), "the model has nothing named `lihgt`, expected `light`");
    let error = Propositions::compile(&system, ["fireable(goo)"]).unwrap_err();
    assert_eq!(error.to_string(), "the model has no action named `goo`, expected `go`");
}

/// The head of a file with two slots and a label, and then something.
fn with_head(rest: &str) -> String {
    format!(
        "begin state x:s y:_ end state begin edge a:act b:_ end edge begin init 0 0 end init\n{rest}"
    )
}

#[test]
fn labels_may_stand_in_rows_before_their_sorts() {
    let text = with_head(
        "begin trans\n0/1 * \"b c\" 7\n1/0 * #61# 7\n1/1 * new 8\nend trans
         begin map m:act\n0 * \"late\"\n1 * 1\nend map
         begin sort act \"a\" \"b c\" end sort",
    );
    let etf = parse(&text).unwrap();
    assert_eq!(etf.tables[0].rows, [0, 1, 1, 7, 1, 0, 0, 7, 1, 1, 2, 8]);
    assert_eq!(etf.maps[0].rows, [0, 3, 1, 1]);
    let values: Vec<&[u8]> = etf.sorts[1].values.iter().map(|value| &**value).collect();
    assert_eq!(values, [&b"a"[..], b"b c", b"new", b"late"]);
    let system = EtfSystem::new(etf.clone());
    assert_eq!(system.action_name(ActionId(0)), "b c, 7");
}

#[test]
fn sorts_keep_their_order_when_written() {
    let text =
        with_head("begin sort d end sort begin map m:l\n0 * 1\nend map begin sort c end sort");
    let etf = parse(&text).unwrap();
    let names: Vec<&str> = etf.sorts.iter().map(|sort| &*sort.name).collect();
    assert_eq!(names, ["s", "act", "d", "l", "c"]);
    assert_eq!(parse(&write(&etf)), Ok(etf));
}

#[test]
fn what_reads_nothing_is_always_possible() {
    let text = "begin state x:_ end state begin edge end edge begin init 3 end init
        begin trans\n*\nend trans\nbegin trans\n3/2\n9/9\nend trans\nbegin trans\nend trans";
    let etf = parse(text).unwrap();
    assert_eq!(etf.tables.len(), 2);
    let system = EtfSystem::new(etf.clone());
    assert_eq!(reached(&system).len(), 2);
    assert_eq!(system.demands(0), Some(Vec::new()));
    assert_eq!(system.demands(1), None);
    let propositions =
        Propositions::compile(&system, ["fireable('trans 1')", "fireable('trans 2')"]).unwrap();
    let initial = &system.initial().unwrap()[0];
    assert_eq!(propositions.valuation(&mut *system.expander(), initial), Ok(3));
    assert_eq!(parse(&write(&etf)).unwrap(), etf);
}

#[test]
fn labels_over_large_numbers_are_found_by_comparing() {
    let text = "begin state x:_ y:_ end state begin edge end edge begin init 100000 0 end init
        begin trans\n100000/7 0/90000\nend trans
        begin map m:_\n100000 0 5\n7 90000 6\n7 0 9\nend map";
    let etf = parse(text).unwrap();
    let system = EtfSystem::new(etf.clone());
    let propositions = Propositions::compile(&system, ["m = 5", "m = 6"]).unwrap();
    let valuations: Vec<_> = (reached(&system).iter())
        .map(|state| propositions.valuation(&mut *system.expander(), state).unwrap())
        .collect();
    assert_eq!(valuations, [1, 2]);
}

#[test]
fn errors_have_places() {
    let check = |text: &str, place: &str, message: &str| {
        let error = parse(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(error.span().map(|span| &text[span]), Some(place), "{text}");
    };
    check("", "", "unexpected end of the file, expected `begin`");
    check("begin edge", "edge", "unexpected `edge`, expected `state`");
    let none = "begin state end state";
    check(none, "end", "a state has at least one slot, expected `NAME:SORT`");
    check("begin state x:_ x:_", "x", "two slots have the name `x`");
    check("begin state x end", "end", "unexpected `end`, expected `:` and a sort");
    check(
        "begin state x:é",
        "é",
        "unexpected `é`, expected a name, a number or a value; in names a backslash stands before other characters than letters, digits, `_` and `'`",
    );
    let no_init = "begin state x:_ end state begin edge end edge";
    check(no_init, "", "there is no initial state, expected a section `begin init`");
    let few = "begin state x:_ y:_ end state begin edge end edge begin init 1 end init";
    check(few, "end", "unexpected `end`, expected a number for the slot `y`");
    let large = "begin state x:_ end state begin edge end edge begin init 4294967296";
    check(large, "4294967296", "the number is too large, expected a number of at most 4294967295");
    for (rest, place, message) in [
        ("begin init", "init", "this is the second section `init`"),
        (
            "begin trans\n0/1\nend trans",
            "\n",
            "unexpected end of the line, expected `BEFORE/AFTER` or `*` for each slot",
        ),
        (
            "begin trans\n0/1 * 0\n",
            "\n",
            "unexpected end of the line, expected a value for the label `b`",
        ),
        ("begin trans\n0/1 * 0 \"v\"\n", "\"v\"", "the label `b` has no sort, expected a number"),
        (
            "begin trans\n0/1 * 0 0 0\n",
            "0",
            "unexpected `0`, expected the end of the line: the row is complete",
        ),
        (
            "begin trans\n0/1 * 0 0\n* * 0 0\n",
            "*",
            "the first row of the section has a number for the slot `x`, expected a number",
        ),
        (
            "begin trans\n0/1 * 0 0\n0/1 0/0 0 0\n",
            "0",
            "the first row of the section has a star for the slot `y`, expected a star",
        ),
        ("begin trans\n0 * 0 0\n", "*", "unexpected `*`, expected `/` and a number"),
        ("begin trans\n", "", "unexpected end of the file, expected a row, or `end`"),
        ("begin map m:_\n0 * 1\n0 * 2\n", "0 * 2", "a row before is for the same states"),
        ("begin map m:_\nend map begin map m:_", "m", "two state labels have the name `m`"),
        ("begin sort s end sort begin sort s", "s", "the sort `s` has a section already"),
        ("begin sort s \"a\" \"a\"", "\"a\"", "the value `a` is there already"),
        ("begin sort s \"a", "\"", "the quoted value does not end, expected `\"`"),
        ("begin sort s #6#", "#6", "a byte has two hexadecimal digits"),
        ("begin sort s #61", "#61", "the value does not end, expected hexadecimal digits and `#`"),
        (
            "begin trans\n0/2 * 0 0\nend trans begin sort s a b end sort",
            "2",
            "the sort `s` has no value 2, expected a number from 0 to 1",
        ),
        ("begin thing", "thing", "unexpected `thing`, expected `init`, `trans`, `map` or `sort`"),
        ("end", "end", "unexpected `end`, expected `begin`"),
    ] {
        check(&with_head(rest), place, message);
    }
}

/// A small model: three slots, tables and a map over some of them.
fn models() -> impl Strategy<Value = Etf> {
    let numbers = || prop::collection::vec(0u32..3, 3);
    let row = (numbers(), numbers(), 0u32..2);
    let table = (prop::collection::btree_set(0usize..3, 0..4), prop::collection::vec(row, 1..6));
    let names = prop::collection::btree_set("[a-z_0-9' é%:]{1,4}|begin|_", 3);
    let tables = prop::collection::vec(table, 0..4);
    let map =
        (prop::collection::btree_set(0usize..3, 0..3), prop::collection::vec(numbers(), 0..5));
    (names, numbers(), tables, map).prop_map(|(names, initial, tables, (columns, rows))| {
        let mut etf = parse(
            "begin state a:s b:_ c:s end state begin edge l:act end edge begin init 0 0 0 end init
             begin sort s \"x\\\"\\\\\" #00FF# third end sort",
        )
        .unwrap();
        etf.initial = initial;
        for (slot, name) in etf.slots.iter_mut().zip(names) {
            slot.name = name;
        }
        etf.tables = (tables.into_iter())
            .map(|(columns, rows)| {
                let columns: Vec<usize> = columns.into_iter().collect();
                let pick =
                    |numbers: &[u32]| columns.iter().map(|c| numbers[*c]).collect::<Vec<_>>();
                let rows = rows.iter().flat_map(|(before, after, label)| {
                    [pick(before), pick(after), vec![*label]].concat()
                });
                super::Table { rows: rows.collect(), columns: columns.clone() }
            })
            .collect();
        // A map without rows has no columns.
        let columns: Vec<usize> = columns.into_iter().filter(|_| !rows.is_empty()).collect();
        let keys: BTreeSet<Vec<u32>> =
            rows.iter().map(|row| columns.iter().map(|c| row[*c]).collect()).collect();
        let rows = keys.into_iter().flat_map(|key| {
            let value = key.iter().sum();
            [key, vec![value]].concat()
        });
        let label = super::Declaration { name: "m p".to_owned(), sort: None };
        etf.maps.push(super::Map { label, rows: rows.collect(), columns });
        etf
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(etf in models()) {
        let text = write(&etf);
        prop_assert_eq!(parse(&text), Ok(etf), "{}", text);
    }

    /// The plain interpreter has the same steps and propositions.
    #[test]
    fn plain_rows_are_the_same_relation(etf in models()) {
        let known = ["'m p' = 2", "fireable('0')", "deadlock", "fireable('trans 1')"];
        let system = EtfSystem::new(etf.clone());
        let is_known = |text: &&&str| Propositions::compile(&system, [**text]).is_ok();
        let texts: Vec<&str> = known.iter().filter(is_known).copied().collect();
        compare(&crate::Model::from(etf), &texts, 100);
    }

    /// Against rows that are tried one after the other on vectors of numbers.
    #[test]
    fn tables_are_relations(etf in models()) {
        let system = EtfSystem::new(etf.clone());
        let numbers = |state: &[u32]| -> Vec<u32> {
            (0..3).map(|slot| system.value(state, VariableId(slot)) as u32).collect()
        };
        let propositions = Propositions::compile(&system, ["'m p' = 2", "fireable('0')"]).ok();
        for state in reached(&system) {
            let before = numbers(&state);
            let mut expected = Vec::new();
            for table in &etf.tables {
                for (from, to, label) in etf.rows(table) {
                    if table.columns.iter().zip(from).all(|(column, number)| before[*column] == *number) {
                        let mut after = before.clone();
                        for (column, number) in table.columns.iter().zip(to) {
                            after[*column] = *number;
                        }
                        expected.push((label[0].to_string(), after));
                    }
                }
            }
            expected.sort();
            let mut successors = Successors::new(system.words());
            let mut expander = system.expander();
            expander.expand(&state, &mut successors).unwrap();
            let mut found: Vec<_> = (successors.iter())
                .map(|(action, after)| (system.action_name(action), numbers(after)))
                .collect();
            found.sort();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(expander.is_deadlock(&state), Ok(expected.is_empty()));
            if let Some(propositions) = &propositions {
                let map = &etf.maps[0];
                let row = map.rows().find(|(key, _)| {
                    map.columns.iter().zip(*key).all(|(column, number)| before[*column] == *number)
                });
                let label = u64::from(row.is_some_and(|(_, value)| value == 2));
                let fireable = u64::from(expected.iter().any(|(label, _)| label == "0"));
                let valuation = propositions.valuation(&mut *expander, &state);
                prop_assert_eq!(valuation, Ok(label | fireable << 1));
            }
        }
    }
}

#[test]
fn what_has_no_name_stays_without() {
    let text =
        "begin state\n_:_ x:int\nend state\nbegin edge\n_:_\nend edge\nbegin init\n0 7\nend init\n";
    let etf = parse(text).unwrap();
    assert_eq!(etf.labels[0].name, "");
    assert_eq!(parse(&write(&etf)).unwrap(), etf);
}
