//! The oracle: the token game of coloured nets by definition, on multisets of colours and with
//! every binding, compared with the token game of the unfolded net.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Sorts by name; the products are of the first two.
const SORTS: [(&str, &[&str]); 5] =
    [("A", &["A"]), ("B", &["B"]), ("AB", &["A", "B"]), ("AA", &["A", "A"]), ("dot", &["dot"])];
const CONSTANTS: [(&str, &[&str]); 3] =
    [("A", &["a0", "a1", "a2"]), ("B", &["b0", "b1"]), ("dot", &["dot"])];
const VARIABLES: [(&str, &str); 5] = [("x", "A"), ("y", "A"), ("z", "A"), ("v", "B"), ("w", "B")];

fn constants(sort: &str) -> &'static [&'static str] {
    CONSTANTS.iter().find(|(name, _)| *name == sort).expect("a simple sort").1
}

/// A colour: the constants of its components.
type Colour = Vec<&'static str>;
type Multiset = BTreeMap<Colour, i64>;
type Binding = BTreeMap<&'static str, &'static str>;

/// A term over a simple sort or a product.
#[derive(Clone, Debug)]
enum Term {
    Constant(&'static str, &'static str),
    Variable(&'static str),
    Move(&'static str, Box<Term>),
    All(&'static str),
    Tuple(Vec<Term>),
    Times(u32, Box<Term>),
    Add(Vec<Term>),
    Subtract(Vec<Term>),
}

impl Term {
    fn xml(&self) -> String {
        let list = |terms: &[Term]| terms.iter().map(Term::xml).collect::<Vec<String>>();
        match self {
            Term::Constant("dot", _) => "<dotconstant/>".to_owned(),
            Term::Constant(_, name) => constant(name),
            Term::Variable(name) => value_of(name),
            Term::Move(direction, term) => apply(direction, &[term.xml()]),
            Term::All(sort) => format!("<all><usersort declaration=\"{sort}\"/></all>"),
            Term::Tuple(terms) => apply("tuple", &list(terms)),
            Term::Times(times, term) => {
                let times = format!("<numberconstant value=\"{times}\"/>");
                apply("numberof", &[times, term.xml()])
            }
            Term::Add(terms) => apply("add", &list(terms)),
            Term::Subtract(terms) => apply("subtract", &list(terms)),
        }
    }

    fn variables(&self, found: &mut BTreeSet<&'static str>) {
        match self {
            Term::Variable(name) => {
                found.insert(name);
            }
            Term::Move(_, term) | Term::Times(_, term) => term.variables(found),
            Term::Tuple(terms) | Term::Add(terms) | Term::Subtract(terms) => {
                terms.iter().for_each(|term| term.variables(found));
            }
            Term::Constant(..) | Term::All(_) => {}
        }
    }

    fn value(&self, binding: &Binding) -> Multiset {
        match self {
            Term::Constant(_, name) => Multiset::from([(vec![*name], 1)]),
            Term::Variable(name) => Multiset::from([(vec![binding[name]], 1)]),
            Term::Move(direction, term) => {
                let mut sum = Multiset::new();
                for (colour, count) in term.value(binding) {
                    let all = CONSTANTS.iter().find(|(_, all)| all.contains(&colour[0]));
                    let all = all.expect("its sort").1;
                    let at = all.iter().position(|name| *name == colour[0]).expect("a constant");
                    let step = if *direction == "successor" { 1 } else { all.len() - 1 };
                    *sum.entry(vec![all[(at + step) % all.len()]]).or_default() += count;
                }
                sum
            }
            Term::All(sort) => {
                let parts = SORTS.iter().find(|(name, _)| name == sort).expect("a sort").1;
                Term::Tuple(
                    parts
                        .iter()
                        .map(|part| {
                            let each = constants(part).iter();
                            Term::Add(each.map(|name| Term::Constant(part, name)).collect())
                        })
                        .collect(),
                )
                .value(binding)
            }
            Term::Tuple(terms) => {
                let mut product = Multiset::from([(vec![], 1)]);
                for term in terms {
                    let mut longer = Multiset::new();
                    for (colour, count) in &product {
                        for (more, times) in term.value(binding) {
                            let colour = [&colour[..], &more[..]].concat();
                            *longer.entry(colour).or_default() += count * times;
                        }
                    }
                    product = longer;
                }
                product
            }
            Term::Times(times, term) => {
                let value = term.value(binding).into_iter();
                value.map(|(colour, count)| (colour, count * i64::from(*times))).collect()
            }
            Term::Add(terms) | Term::Subtract(terms) => {
                let mut sum = Multiset::new();
                for (position, term) in terms.iter().enumerate() {
                    let takes = matches!(self, Term::Subtract(_)) && position > 0;
                    for (colour, count) in term.value(binding) {
                        *sum.entry(colour).or_default() += if takes { -count } else { count };
                    }
                }
                sum
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Condition {
    Compare(&'static str, Term, Term),
    Join(&'static str, Vec<Condition>),
}

impl Condition {
    fn xml(&self) -> String {
        match self {
            Condition::Compare(operator, left, right) => {
                apply(operator, &[left.xml(), right.xml()])
            }
            Condition::Join(operator, parts) => {
                apply(operator, &parts.iter().map(Condition::xml).collect::<Vec<String>>())
            }
        }
    }

    fn variables(&self, found: &mut BTreeSet<&'static str>) {
        match self {
            Condition::Compare(_, left, right) => {
                left.variables(found);
                right.variables(found);
            }
            Condition::Join(_, parts) => parts.iter().for_each(|part| part.variables(found)),
        }
    }

    fn holds(&self, binding: &Binding) -> bool {
        match self {
            Condition::Compare(operator, left, right) => {
                let only = |term: &Term| {
                    let (colour, _) = term.value(binding).pop_first().expect("a colour");
                    // The constants of a sort are in the order of their names.
                    colour
                };
                let (left, right) = (only(left), only(right));
                match *operator {
                    "equality" => left == right,
                    "inequality" => left != right,
                    "lessthan" => left < right,
                    "lessthanorequal" => left <= right,
                    "greaterthan" => left > right,
                    _ => left >= right,
                }
            }
            Condition::Join(operator, parts) => {
                let mut values = parts.iter().map(|part| part.holds(binding));
                match *operator {
                    "and" => values.all(|value| value),
                    "or" => values.any(|value| value),
                    "not" => !values.next().expect("an operand"),
                    _ => !values.next().expect("an operand") || values.next().expect("another"),
                }
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Coloured {
    places: Vec<(&'static str, Option<Term>)>,
    /// Conditions, inputs and outputs.
    transitions: Vec<(Option<Condition>, Arcs, Arcs)>,
}

/// Terms with their places.
type Arcs = Vec<(usize, Term)>;

/// Tokens by place and colour, none of them zero; written as the unfolded net names places.
type Marking = BTreeMap<String, i64>;

fn place_text(place: usize, sort: &str, colour: &[&str]) -> String {
    if sort == "dot" { format!("p{place}") } else { format!("p{place}({})", colour.join(",")) }
}

impl Coloured {
    fn xml(&self) -> String {
        let mut declarations = "<namedsort id=\"dot\"><dot/></namedsort>".to_owned();
        for (name, all) in CONSTANTS.iter().filter(|(name, _)| *name != "dot") {
            declarations += &enumeration(name, all);
        }
        for (name, components) in SORTS.iter().filter(|(_, components)| components.len() > 1) {
            declarations += &product(name, components);
        }
        for (name, sort) in VARIABLES {
            declarations += &variable(name, sort);
        }
        let mut page = String::new();
        for (index, (sort, initial)) in self.places.iter().enumerate() {
            let initial = initial.as_ref().map(Term::xml).unwrap_or_default();
            page += &place(&format!("p{index}"), sort, &initial);
        }
        for (index, (condition, inputs, outputs)) in self.transitions.iter().enumerate() {
            let name = format!("t{index}");
            page += &transition(&name, &condition.as_ref().map(Condition::xml).unwrap_or_default());
            for (place, term) in inputs {
                page += &arc(&format!("p{place}"), &name, &term.xml());
            }
            for (place, term) in outputs {
                page += &arc(&name, &format!("p{place}"), &term.xml());
            }
        }
        file(&declarations, &page)
    }

    fn tokens(&self, arcs: &[(usize, Term)], binding: &Binding) -> Option<Marking> {
        let mut tokens = Marking::new();
        for (place, term) in arcs {
            for (colour, count) in term.value(binding) {
                if count < 0 {
                    return None;
                }
                let name = place_text(*place, self.places[*place].0, &colour);
                *tokens.entry(name).or_default() += count;
            }
        }
        Some(tokens)
    }

    fn initial(&self) -> Option<Marking> {
        let terms = self.places.iter().enumerate();
        let terms = terms.filter_map(|(place, (_, term))| Some((place, term.clone()?)));
        let mut marking = self.tokens(&terms.collect::<Vec<_>>(), &Binding::new())?;
        marking.retain(|_, count| *count > 0);
        Some(marking)
    }

    /// All possible firings: the transition, its inputs and its outputs, for every binding
    /// that satisfies the condition; `None` if a term takes too much away.
    fn instances(&self) -> Vec<(usize, Option<(Marking, Marking)>)> {
        let mut instances = vec![];
        for (index, (condition, inputs, outputs)) in self.transitions.iter().enumerate() {
            let mut variables = BTreeSet::new();
            condition.iter().for_each(|condition| condition.variables(&mut variables));
            inputs.iter().chain(outputs).for_each(|(_, term)| term.variables(&mut variables));
            let mut bindings = vec![Binding::new()];
            for (name, sort) in VARIABLES.iter().filter(|(name, _)| variables.contains(name)) {
                let extended = bindings.into_iter().flat_map(|binding| {
                    constants(sort).iter().map(move |value| {
                        let mut binding = binding.clone();
                        binding.insert(name, value);
                        binding
                    })
                });
                bindings = extended.collect();
            }
            bindings.retain(|binding| condition.as_ref().is_none_or(|it| it.holds(binding)));
            for binding in bindings {
                let moved = self.tokens(inputs, &binding).zip(self.tokens(outputs, &binding));
                instances.push((index, moved));
            }
        }
        instances
    }
}

/// Returns the markings reachable in a few steps, each with its enabled transitions.
type Reached = BTreeMap<Marking, BTreeSet<usize>>;

const STEPS: usize = 4;
const MAX_MARKINGS: usize = 60;

fn play(initial: Marking, instances: &[(usize, Marking, Marking)]) -> Reached {
    let mut reached = Reached::new();
    let mut front = BTreeSet::from([initial]);
    for _ in 0..STEPS {
        let mut next = BTreeSet::new();
        for marking in front {
            let mut enabled = BTreeSet::new();
            for (index, takes, puts) in instances {
                let has = |(place, count): (&String, &i64)| {
                    marking.get(place).copied().unwrap_or(0) >= *count
                };
                if takes.iter().all(has) {
                    enabled.insert(*index);
                    let mut after = marking.clone();
                    for (place, count) in takes {
                        *after.entry(place.clone()).or_default() -= count;
                    }
                    for (place, count) in puts {
                        *after.entry(place.clone()).or_default() += count;
                    }
                    after.retain(|_, count| *count != 0);
                    next.insert(after);
                }
            }
            reached.insert(marking, enabled);
        }
        next.retain(|marking| !reached.contains_key(marking));
        front = next;
        if reached.len() > MAX_MARKINGS {
            break;
        }
    }
    reached
}

/// The instances of an unfolded net.
fn unfolded_instances(net: &Net, transitions: usize) -> Vec<(usize, Marking, Marking)> {
    let tokens = |arcs: &[(crate::petri::PlaceId, u32)]| {
        let each = arcs.iter();
        each.map(|(place, count)| (net.place_name(*place).to_owned(), i64::from(*count))).collect()
    };
    let mut instances = vec![];
    for index in 0..transitions {
        for transition in net.transition_group(&format!("t{index}")).expect("a group") {
            instances.push((
                index,
                tokens(net.inputs(*transition)),
                tokens(net.outputs(*transition)),
            ));
        }
    }
    assert_eq!(instances.len(), net.transition_count());
    instances
}

/// Turns bytes into choices.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % bound
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A term for one colour of a simple sort.
    fn colour(&mut self, sort: &'static str, with_variables: bool) -> Term {
        let variables: Vec<&str> =
            VARIABLES.iter().filter(|(_, of)| *of == sort).map(|(name, _)| *name).collect();
        let simple = match self.below(4) {
            0..=2 if with_variables && !variables.is_empty() => Term::Variable(self.of(&variables)),
            _ => Term::Constant(sort, self.of(constants(sort))),
        };
        match self.below(6) {
            0 if sort != "dot" => Term::Move("successor", Box::new(simple)),
            1 if sort != "dot" => Term::Move("predecessor", Box::new(simple)),
            _ => simple,
        }
    }

    /// A tuple, or its single component for a simple sort; components may be sets.
    fn tuple(&mut self, parts: &[&'static str], with_variables: bool) -> Term {
        let mut components = vec![];
        for part in parts {
            components.push(match self.below(8) {
                0 => Term::All(part),
                1 => Term::Add(vec![
                    self.colour(part, with_variables),
                    self.colour(part, with_variables),
                ]),
                _ => self.colour(part, with_variables),
            });
        }
        if components.len() == 1 { components.remove(0) } else { Term::Tuple(components) }
    }

    fn multiset(&mut self, sort: &'static str, with_variables: bool) -> Term {
        let parts = SORTS.iter().find(|(name, _)| *name == sort).expect("a sort").1;
        let one = self.tuple(parts, with_variables);
        match self.below(10) {
            0 => Term::Times(2, Box::new(one)),
            1 | 2 => Term::Add(vec![one, self.tuple(parts, with_variables)]),
            3 => Term::Subtract(vec![Term::All(sort), self.tuple(parts, with_variables)]),
            4 => Term::Subtract(vec![
                Term::Times(2, Box::new(Term::All(sort))),
                one,
                self.tuple(parts, with_variables),
            ]),
            _ => one,
        }
    }

    fn condition(&mut self) -> Condition {
        let compare = |choices: &mut Self| {
            let sort = choices.of(&["A", "B"]);
            let operators = [
                "equality",
                "inequality",
                "lessthan",
                "lessthanorequal",
                "greaterthan",
                "greaterthanorequal",
            ];
            let operator = choices.of(&operators);
            Condition::Compare(operator, choices.colour(sort, true), choices.colour(sort, true))
        };
        match self.below(6) {
            0 => Condition::Join("and", vec![compare(self), compare(self)]),
            1 => Condition::Join("or", vec![compare(self), compare(self)]),
            2 => Condition::Join("not", vec![compare(self)]),
            3 => Condition::Join("imply", vec![compare(self), compare(self)]),
            _ => compare(self),
        }
    }

    fn net(&mut self) -> Coloured {
        let mut net = Coloured::default();
        for _ in 0..2 + self.below(3) {
            let sort = self.of(&SORTS).0;
            let initial = (self.below(3) > 0).then(|| self.multiset(sort, false));
            net.places.push((sort, initial));
        }
        for _ in 0..1 + self.below(3) {
            let condition = (self.below(3) == 0).then(|| self.condition());
            let arcs = |choices: &mut Self, count: usize| -> Arcs {
                let each = (0..count).map(|_| {
                    let place = choices.below(net.places.len());
                    (place, choices.multiset(net.places[place].0, true))
                });
                each.collect()
            };
            let inputs = self.below(4);
            let inputs = arcs(self, inputs);
            let outputs = self.below(3);
            let outputs = arcs(self, outputs);
            net.transitions.push((condition, inputs, outputs));
        }
        net
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unfolding_keeps_the_token_game(bytes in proptest::collection::vec(any::<u8>(), 10..160)) {
        let coloured = Choices(bytes.iter()).net();
        let text = coloured.xml();
        let instances = coloured.instances();
        let unfolded = unfold(&text);
        let Some(initial) = coloured.initial() else {
            prop_assert!(unfolded.is_err());
            return Ok(());
        };
        let net = match unfolded {
            Ok(net) => net,
            Err(error) => {
                prop_assert_eq!(error.message(), "the term takes more of a colour away than there is");
                prop_assert!(instances.iter().any(|(_, moved)| moved.is_none()));
                return Ok(());
            }
        };
        let instances: Vec<_> = instances
            .into_iter()
            .filter_map(|(index, moved)| moved.map(|(takes, puts)| (index, takes, puts)))
            .collect();
        let marking: Marking = net
            .places()
            .map(|place| (net.place_name(place).to_owned(), i64::from(net.initial(place))))
            .filter(|(_, count)| *count > 0)
            .collect();
        prop_assert_eq!(&marking, &initial);
        let unfolded = unfolded_instances(&net, coloured.transitions.len());
        prop_assert_eq!(play(initial, &instances), play(marking, &unfolded), "{}", text);
    }
}
