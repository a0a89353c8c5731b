//! The parts of a model, for people: what `sempre info` shows.

use crate::system::Origin;

/// The parts of a model. Lists that a language does not have are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The kind of the model: a Petri net, processes, and so on.
    pub kind: &'static str,
    /// The processes.
    pub processes: Vec<Process>,
    /// The places, variables, slots or propositions.
    pub variables: Vec<Variable>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// The transitions, with the names that `fireable` and `fired` take.
    pub transitions: Vec<Transition>,
    /// Other names, which stand for variables or transitions.
    pub others: Vec<OtherName>,
    /// Examples of the propositions that can be written.
    pub propositions: Vec<String>,
}

/// A process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// The name.
    pub name: String,
    /// The names of its states.
    pub states: Vec<String>,
    /// The name of its initial state.
    pub initial: String,
}

/// A variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// The name, as propositions have it.
    pub name: String,
    /// The kind: `place`, `variable`, `constant`, `slot`, `label`, `proposition` or `state`.
    pub kind: &'static str,
    /// The number of elements, if it is an array.
    pub length: Option<usize>,
    /// The least value.
    pub least: Option<i64>,
    /// The greatest value; none if it is not known.
    pub greatest: Option<i64>,
    /// The names of its values, if they have names.
    pub values: Vec<String>,
    /// The initial value, or those of all elements or initial states.
    pub initial: Vec<String>,
}

/// A channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    /// The name.
    pub name: String,
    /// The number of messages that it keeps; 0 if processes meet there.
    pub capacity: usize,
    /// The number of parts of a message, if it is declared.
    pub parts: Option<usize>,
}

/// Another name of a variable or a transition, or one for several of them together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherName {
    /// The name.
    pub name: String,
    /// True if it is a name of transitions.
    pub is_transition: bool,
    /// The names of the variables or transitions.
    pub stands_for: Vec<String>,
}

/// A transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transition {
    /// The name.
    pub name: String,
    /// Where it is defined, and how.
    pub origin: Origin,
}

#[cfg(test)]
mod tests {
    use crate::proposition::Propositions;
    use crate::{Model, generate, languages};

    /// All examples of propositions can be written, and all names of transitions.
    fn check(model: &Model) {
        let (description, system) = (model.describe(), model.system());
        assert!(!description.kind.is_empty() && !description.propositions.is_empty());
        for proposition in &description.propositions {
            let compiled = Propositions::compile(system.names(), [proposition.as_str()]);
            assert!(compiled.is_ok(), "{proposition}: {compiled:?}");
        }
        for transition in &description.transitions {
            assert!(system.names().fired(&transition.name).is_some(), "{}", transition.name);
            assert!(system.names().fireable(&transition.name).is_some(), "{}", transition.name);
        }
        for other in &description.others {
            let known = match other.is_transition {
                true => system.names().fired(&other.name).is_some(),
                false => system.names().resolve(&other.name).is_some(),
            };
            assert!(known && !other.stands_for.is_empty(), "{}", other.name);
        }
        for variable in description.variables.iter().filter(|variable| variable.length.is_none()) {
            assert!(system.names().resolve(&variable.name).is_some(), "{}", variable.name);
        }
    }

    #[test]
    fn the_propositions_of_a_description_can_be_written() {
        for family in generate::families() {
            check(&Model::from(family.net(*family.range().start() + 1).unwrap()));
        }
        for (language, text) in [
            ("net", "pl {my place} (1)  tr {go on} {my place} -> q  tr t q?-1 -> q"),
            ("kripke", "init 'a b'; state 'a b': 'p q' r -> c; state c;"),
            ("kripke", "init state; state state -> 0; state 0: p;"),
            (
                "dve",
                "byte x; int a[2]; const byte n = 3; channel {byte, byte} c[2]; channel d;
                 process P { byte y; state s, t; init s;
                   trans s -> s { guard x < n; effect x = x + 1; },
                         s -> t { sync c!{x, y}; }, t -> s { sync d?; }; }
                 process Q { state s; init s; trans s -> s { sync c?{x, x}; }, s -> s { sync d!; }; }
                 system async;",
            ),
            ("dve", "process P { state s, t; init s; trans s -> t {}, t -> s {}; } system sync;"),
        ] {
            check(&languages::named(language).unwrap().read(text).unwrap());
        }
    }

    #[test]
    fn transitions_say_where_they_are() {
        let text = "byte x;\nprocess P { state s; init s;\n trans s -> s { guard x < 2;\n \
                    effect x = x +\n 1; },\n s -> s { guard x == 2; effect x = 0; };\n}\nsystem async;";
        let description = languages::named("dve").unwrap().read(text).unwrap().describe();
        let shown: Vec<_> = (description.transitions.iter())
            .map(|t| (t.name.as_str(), t.origin.line, &*t.origin.guard, &*t.origin.effect))
            .collect();
        assert_eq!(
            shown,
            [
                ("P: s -> s", Some(3), "x < 2", "x = x + 1"),
                ("P: s -> s", Some(6), "x == 2", "x = 0")
            ]
        );
        let net = languages::named("net").unwrap().read("pl p (2)\ntr t p*2 -> q p").unwrap();
        let origin = &net.describe().transitions[0].origin;
        assert_eq!(
            (origin.line, &*origin.guard, &*origin.effect),
            (Some(2), "p >= 2", "p -= 1, q += 1")
        );
    }
}
