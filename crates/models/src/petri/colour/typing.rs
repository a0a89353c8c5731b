//! From elements to a coloured net: sorts are resolved, terms are checked and brought into the form
//! of [`term`](super::term).

use super::document::{Document, Node, NodeId, Tag};
use super::sort::{SortId, Sorts, TooLarge};
use super::term::{Atom, Comparison, Component, Instruction, Summand, conjuncts, shifted};
use super::{Arc, ColouredNet, Place, Transition, Variable};
use crate::nearest::suggestion;
use rustc_hash::FxHashMap;
use sempre_ltl::Error;
use std::ops::Range;

/// Checks a net.
pub(super) fn check(document: &Document) -> Result<ColouredNet, Error> {
    let mut typing = Typing::new(document)?;
    let places = typing.places()?;
    let mut transitions = typing.transitions()?;
    typing.arcs(&places, &mut transitions)?;
    let mut net = ColouredNet {
        name: document.name.clone(),
        sorts: typing.sorts,
        places,
        transitions: Vec::with_capacity(transitions.len()),
    };
    net.transitions.extend(transitions.into_iter().map(|(transition, _)| transition));
    Ok(net)
}

/// The meaning of a name in a term.
enum Operator {
    Constant(SortId, u32),
    Subset(SortId, std::sync::Arc<[u32]>),
}

struct Typing<'a> {
    document: &'a Document,
    sorts: Sorts,
    named_sorts: FxHashMap<&'a str, SortId>,
    operators: FxHashMap<&'a str, Operator>,
    variables: FxHashMap<&'a str, Variable>,
}

/// The variables of a transition, and their positions.
#[derive(Default)]
struct Locals<'a> {
    positions: FxHashMap<&'a str, u32>,
    variables: Vec<Variable>,
}

/// The meaning of an element of a term.
enum Value {
    Number(u32),
    Sort(SortId),
    Multiset(SortId, Vec<Summand>),
    /// A truth value; how to compute it has been appended to the instructions.
    Truth,
}

/// Sums with more summands than that are refused: a tuple of sums is a sum of tuples, of which
/// there may be exponentially many.
const MAX_SUMMANDS: usize = 1 << 20;

impl<'a> Typing<'a> {
    fn new(document: &'a Document) -> Result<Self, Error> {
        let mut typing = Typing {
            document,
            sorts: Sorts::default(),
            named_sorts: FxHashMap::default(),
            operators: FxHashMap::default(),
            variables: FxHashMap::default(),
        };
        typing.named_sorts()?;
        for declaration in &document.declarations {
            let node = document.node(*declaration);
            match node.tag {
                Tag::NamedSort => {}
                Tag::VariableDeclaration => typing.variable(*declaration)?,
                Tag::Partition => typing.partition(*declaration)?,
                _ => return Err(Error::at(node.span.clone(), "this is no declaration")),
            }
        }
        Ok(typing)
    }

    /// Resolves the sorts, which may be used before they are declared.
    fn named_sorts(&mut self) -> Result<(), Error> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            Unknown,
            Begun,
        }
        let document = self.document;
        let mut declared: FxHashMap<&str, (NodeId, State)> = FxHashMap::default();
        for declaration in &document.declarations {
            let node = document.node(*declaration);
            if node.tag == Tag::NamedSort
                && declared.insert(&node.key, (*declaration, State::Unknown)).is_some()
            {
                return Err(twice(node));
            }
        }
        let sorts =
            document.declarations.iter().filter(|id| document.node(**id).tag == Tag::NamedSort);
        let mut pending: Vec<NodeId> = sorts.rev().copied().collect();
        while let Some(&last) = pending.last() {
            let node = document.node(last);
            if self.named_sorts.contains_key(node.key.as_str()) {
                pending.pop();
                continue;
            }
            declared.insert(&node.key, (last, State::Begun));
            let before = pending.len();
            for user in document.below(last).iter().filter(|node| node.tag == Tag::UserSort) {
                match declared.get(user.key.as_str()) {
                    Some((_, State::Begun))
                        if !self.named_sorts.contains_key(user.key.as_str()) =>
                    {
                        let message = format!("the sort `{}` is part of itself", user.key);
                        return Err(Error::at(user.span.clone(), message));
                    }
                    Some((other, State::Unknown)) => pending.push(*other),
                    _ => {}
                }
            }
            if pending.len() == before {
                let sort = self.sort(document.below(last), &node.span)?;
                self.named_sorts.insert(&node.key, sort);
            }
        }
        Ok(())
    }

    /// The sort that these elements describe.
    fn sort(&mut self, nodes: &'a [Node], span: &Range<usize>) -> Result<SortId, Error> {
        let mut values = vec![];
        for (position, node) in nodes.iter().enumerate() {
            if node.tag != Tag::EnumerationConstant {
                self.sort_node(node, &nodes[..position], &mut values)?;
            }
        }
        match values[..] {
            [sort] => Ok(sort),
            _ => Err(Error::at(span.clone(), format!("{} sorts where there is one", values.len()))),
        }
    }

    /// Takes the sorts of the element's components from the stack, and puts its own there.
    fn sort_node(
        &mut self,
        node: &'a Node,
        before: &'a [Node],
        values: &mut Vec<SortId>,
    ) -> Result<(), Error> {
        let too_large = |error: TooLarge| Error::at(node.span.clone(), error.message());
        let sort = match node.tag {
            Tag::Dot => self.sorts.dot(),
            Tag::IntegerRange => {
                let (start, end) = (number(&node.key, node)?, number(&node.other, node)?);
                if end < start {
                    return Err(Error::at(node.span.clone(), "the range is empty"));
                }
                self.sorts.range(start, end).map_err(too_large)?
            }
            Tag::ProductSort => {
                let from = values.len().checked_sub(node.arity as usize);
                let components = values.split_off(from.ok_or_else(|| no_sort(node))?);
                if components.is_empty() {
                    return Err(Error::at(node.span.clone(), "a product of nothing"));
                }
                self.sorts.product(components).map_err(too_large)?
            }
            Tag::UserSort => match self.named_sorts.get(node.key.as_str()) {
                Some(sort) => *sort,
                None if node.key == "dot" => self.sorts.dot(),
                None => {
                    let near = suggestion(&node.key, self.named_sorts.keys().copied());
                    let message = format!("there is no sort `{}`{near}", node.key);
                    return Err(Error::at(node.span.clone(), message));
                }
            },
            Tag::Enumeration => self.enumeration(node, before)?,
            _ => return Err(no_sort(node)),
        };
        values.push(sort);
        Ok(())
    }

    /// An enumeration, whose constants are the last elements before it.
    fn enumeration(&mut self, node: &'a Node, before: &'a [Node]) -> Result<SortId, Error> {
        let from = before.len().checked_sub(node.arity as usize).ok_or_else(|| no_sort(node))?;
        let constants = &before[from..];
        if let Some(other) = constants.iter().find(|node| node.tag != Tag::EnumerationConstant) {
            return Err(Error::at(other.span.clone(), "this is no constant of an enumeration"));
        }
        if constants.is_empty() {
            return Err(Error::at(node.span.clone(), "the enumeration has no constants"));
        }
        // Constants are displayed by their names, if these are unique.
        let mut names: Vec<&str> = constants.iter().map(|node| node.other.as_str()).collect();
        names.sort_unstable();
        let by_name = !names[0].is_empty() && names.windows(2).all(|pair| pair[0] != pair[1]);
        let name = |node: &Node| if by_name { node.other.clone() } else { node.key.clone() };
        let sort = self.sorts.enumeration(constants.iter().map(name).collect());
        for (colour, constant) in constants.iter().enumerate() {
            let operator = Operator::Constant(sort, colour as u32);
            if self.operators.insert(&constant.key, operator).is_some() {
                return Err(twice(constant));
            }
        }
        Ok(sort)
    }

    fn variable(&mut self, declaration: NodeId) -> Result<(), Error> {
        let node = self.document.node(declaration);
        let sort = self.sort(self.document.below(declaration), &node.span)?;
        let name = if node.other.is_empty() { &node.key } else { &node.other };
        let variable = Variable { name: name.clone(), sort };
        match self.variables.insert(&node.key, variable) {
            None => Ok(()),
            Some(_) => Err(twice(node)),
        }
    }

    /// A partition: its elements are sets of constants of one sort.
    fn partition(&mut self, declaration: NodeId) -> Result<(), Error> {
        let mut constants: Vec<&'a Node> = vec![];
        let mut sort = None;
        for node in self.document.below(declaration) {
            match node.tag {
                Tag::UserOperator => constants.push(node),
                Tag::PartitionElement => {
                    let mut colours = vec![];
                    for constant in constants.drain(..) {
                        match self.operator(constant)? {
                            Operator::Constant(of, colour) if *sort.get_or_insert(*of) == *of => {
                                colours.push(*colour);
                            }
                            _ => {
                                let message = "this is no constant of the sort of the partition";
                                return Err(Error::at(constant.span.clone(), message));
                            }
                        }
                    }
                    colours.sort_unstable();
                    colours.dedup();
                    let Some(sort) = sort.filter(|_| !colours.is_empty()) else {
                        return Err(Error::at(node.span.clone(), "the element has no constants"));
                    };
                    let subset = Operator::Subset(sort, colours.into());
                    if self.operators.insert(&node.key, subset).is_some() {
                        return Err(twice(node));
                    }
                }
                Tag::UserSort => {
                    let mut values = vec![];
                    self.sort_node(node, &[], &mut values)?;
                    sort = values.pop();
                }
                _ => return Err(Error::at(node.span.clone(), "this is no part of a partition")),
            }
        }
        Ok(())
    }

    fn operator(&self, node: &Node) -> Result<&Operator, Error> {
        self.operators.get(node.key.as_str()).ok_or_else(|| {
            let near = suggestion(&node.key, self.operators.keys().copied());
            Error::at(node.span.clone(), format!("there is no constant `{}`{near}", node.key))
        })
    }

    fn places(&mut self) -> Result<Vec<Place>, Error> {
        let mut places = Vec::with_capacity(self.document.places.len());
        for place in &self.document.places {
            let Some(root) = place.sort else {
                let message = format!("the place `{}` has no sort", place.id);
                return Err(Error::at(place.span.clone(), message).expected("`type`"));
            };
            let span = &self.document.node(root).span;
            let sort = self.sort(self.document.subtree(root), span)?;
            let initial = match place.term {
                None => vec![],
                Some(root) => {
                    let mut locals = Locals::default();
                    let sum = self.multiset(root, sort, &mut locals)?;
                    if let Some(variable) = locals.variables.first() {
                        let message =
                            format!("an initial marking with a variable, `{}`", variable.name);
                        return Err(Error::at(self.document.node(root).span.clone(), message));
                    }
                    sum
                }
            };
            let span = match place.term {
                Some(root) => self.document.node(root).span.clone(),
                None => place.span.clone(),
            };
            places.push(Place { name: place.id.clone(), sort, initial, span });
        }
        Ok(places)
    }

    fn transitions(&mut self) -> Result<Vec<(Transition, Locals<'a>)>, Error> {
        let mut transitions = Vec::with_capacity(self.document.transitions.len());
        for transition in &self.document.transitions {
            let mut locals = Locals::default();
            let guards = match transition.term {
                None => vec![],
                Some(root) => {
                    let mut code = vec![];
                    match self.term(root, &mut locals, &mut code)? {
                        Value::Truth => conjuncts(code),
                        _ => {
                            let span = self.document.node(root).span.clone();
                            return Err(Error::at(span, "this is no condition"));
                        }
                    }
                }
            };
            let transition = Transition {
                name: transition.id.clone(),
                variables: vec![],
                guards,
                inputs: vec![],
                outputs: vec![],
            };
            transitions.push((transition, locals));
        }
        Ok(transitions)
    }

    fn arcs(
        &mut self,
        places: &[Place],
        transitions: &mut [(Transition, Locals<'a>)],
    ) -> Result<(), Error> {
        #[derive(Clone, Copy)]
        enum Vertex<'b> {
            Place(u32),
            Transition(u32),
            Reference(&'b str),
        }
        let document = self.document;
        let mut vertices: FxHashMap<&str, Vertex<'_>> = FxHashMap::default();
        let named = (document.places.iter().enumerate())
            .map(|(index, place)| (&place.id, &place.span, Vertex::Place(index as u32)))
            .chain(document.transitions.iter().enumerate().map(|(index, transition)| {
                (&transition.id, &transition.span, Vertex::Transition(index as u32))
            }))
            .chain(document.references.iter().map(|reference| {
                (&reference.id, &reference.span, Vertex::Reference(&reference.target))
            }));
        for (id, span, vertex) in named {
            if vertices.insert(id, vertex).is_some() {
                return Err(Error::at(span.clone(), format!("a second node `{id}`")));
            }
        }
        let find = |id: &str, span: &Range<usize>| {
            let mut id = id;
            for _ in 0..=document.references.len() {
                match vertices.get(id) {
                    Some(Vertex::Reference(target)) => id = target,
                    Some(vertex) => return Ok(*vertex),
                    None => {
                        let near = suggestion(id, vertices.keys().copied());
                        let message = format!("there is no node `{id}`{near}");
                        return Err(Error::at(span.clone(), message));
                    }
                }
            }
            Err(Error::at(span.clone(), format!("the reference `{id}` leads in a circle")))
        };
        for arc in &document.arcs {
            sempre_ltl::interrupt::poll();
            let source = find(&arc.source, &arc.span)?;
            let target = find(&arc.target, &arc.span)?;
            let (place, transition, is_input) = match (source, target) {
                (Vertex::Place(place), Vertex::Transition(transition)) => (place, transition, true),
                (Vertex::Transition(transition), Vertex::Place(place)) => {
                    (place, transition, false)
                }
                _ => {
                    let message = "an arc leads from a place to a transition, or back";
                    return Err(Error::at(arc.span.clone(), message));
                }
            };
            let (transition, locals) = &mut transitions[transition as usize];
            let sort = places[place as usize].sort;
            let (sum, span) = match arc.inscription {
                Some(root) => {
                    (self.multiset(root, sort, locals)?, document.node(root).span.clone())
                }
                None if self.sorts.size(sort) == 1 => {
                    (vec![Summand { coefficient: 1, tuple: vec![] }], arc.span.clone())
                }
                None => return Err(Error::at(arc.span.clone(), "the arc has no inscription")),
            };
            let arcs = if is_input { &mut transition.inputs } else { &mut transition.outputs };
            arcs.push(Arc { place, sum, span });
        }
        for (transition, locals) in transitions {
            transition.variables.append(&mut locals.variables);
        }
        Ok(())
    }

    /// The multiset of a sort that a term describes.
    fn multiset(
        &mut self,
        root: NodeId,
        expected: SortId,
        locals: &mut Locals<'a>,
    ) -> Result<Vec<Summand>, Error> {
        let span = || self.document.node(root).span.clone();
        match self.term(root, locals, &mut vec![])? {
            Value::Multiset(sort, sum) if sort == expected => Ok(sum),
            Value::Multiset(sort, _) => {
                let message = format!("a term of the sort {}", self.sorts.describe(sort));
                Err(Error::at(span(), message).expected(self.sorts.describe(expected)))
            }
            _ => Err(Error::at(span(), "this is no multiset of colours")),
        }
    }

    /// The meaning of a term. Conditions are appended to the instructions.
    fn term(
        &mut self,
        root: NodeId,
        locals: &mut Locals<'a>,
        code: &mut Vec<Instruction>,
    ) -> Result<Value, Error> {
        let nodes = self.document.subtree(root);
        let mut values: Vec<Value> = vec![];
        for node in nodes {
            sempre_ltl::interrupt::poll();
            let operands = values.split_off(values.len() - node.arity as usize);
            let value = self.operation(node, operands, locals, code)?;
            values.push(value);
        }
        match values.pop() {
            Some(value) => Ok(value),
            None => Err(Error::new("an empty term")),
        }
    }

    fn operation(
        &mut self,
        node: &'a Node,
        operands: Vec<Value>,
        locals: &mut Locals<'a>,
        code: &mut Vec<Instruction>,
    ) -> Result<Value, Error> {
        let wrong = |message: &str| Error::at(node.span.clone(), message);
        Ok(match node.tag {
            Tag::NumberConstant => {
                let value = u32::try_from(number(&node.key, node)?);
                Value::Number(value.map_err(|_| wrong("the number is negative or too large"))?)
            }
            Tag::Dot | Tag::IntegerRange | Tag::ProductSort | Tag::UserSort => {
                let components = operands.iter().map(|value| match value {
                    Value::Sort(sort) => Ok(*sort),
                    _ => Err(wrong("a product of something else than sorts")),
                });
                let mut sorts = components.collect::<Result<Vec<SortId>, Error>>()?;
                self.sort_node(node, &[], &mut sorts)?;
                Value::Sort(sorts.pop().ok_or_else(|| no_sort(node))?)
            }
            Tag::All => match operands[..] {
                [Value::Sort(sort)] => self.single(sort, Atom::All),
                _ => return Err(wrong("this takes one sort")),
            },
            Tag::Empty => match operands[..] {
                [Value::Sort(sort)] => Value::Multiset(sort, vec![]),
                _ => return Err(wrong("this takes one sort")),
            },
            Tag::DotConstant => {
                let dot = self.sorts.dot();
                self.single(dot, Atom::Constant(0))
            }
            Tag::IntegerRangeConstant => {
                let [Value::Sort(sort)] = operands[..] else {
                    return Err(wrong("the constant has no range"));
                };
                let value = number(&node.key, node)?;
                match self.sorts.bounds(sort) {
                    Some((start, end)) if (start..=end).contains(&value) => {
                        self.single(sort, Atom::Constant((value - start) as u32))
                    }
                    _ => return Err(wrong("the constant is not in its range")),
                }
            }
            Tag::UserOperator => match self.operator(node)? {
                Operator::Constant(sort, colour) => self.single(*sort, Atom::Constant(*colour)),
                Operator::Subset(sort, colours) => {
                    self.single(*sort, Atom::Subset(colours.clone()))
                }
            },
            Tag::Variable => self.use_variable(node, locals)?,
            Tag::Successor | Tag::Predecessor => match <[Value; 1]>::try_from(operands) {
                Ok([Value::Multiset(sort, sum)]) => {
                    let size = self.sorts.size(sort);
                    if self.sorts.is_product(sort) {
                        return Err(wrong("tuples have no successors"));
                    }
                    let steps = if node.tag == Tag::Successor { 1 } else { size - 1 };
                    Value::Multiset(sort, moved(sum, if size == 1 { 0 } else { steps }))
                }
                _ => return Err(wrong("this takes one colour")),
            },
            Tag::NumberOf => {
                let mut operands = operands.into_iter();
                match (operands.next(), operands.next(), operands.next()) {
                    (Some(Value::Number(times)), Some(Value::Multiset(sort, sum)), None) => {
                        Value::Multiset(sort, multiplied(sum, times, node)?)
                    }
                    (Some(Value::Multiset(sort, sum)), None, None) => Value::Multiset(sort, sum),
                    _ => return Err(wrong("this takes a number and a multiset of colours")),
                }
            }
            Tag::Add | Tag::Subtract => self.sum(node, operands)?,
            Tag::Tuple => self.tuple(node, operands)?,
            Tag::BooleanConstant => {
                code.push(Instruction::Constant(match node.key.as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(wrong("a truth value is `true` or `false`")),
                }));
                Value::Truth
            }
            Tag::And | Tag::Or | Tag::Not | Tag::Imply => {
                if !operands.iter().all(|value| matches!(value, Value::Truth)) {
                    return Err(wrong("this takes conditions"));
                }
                code.push(match (node.tag, node.arity) {
                    (Tag::And, count) => Instruction::And(count),
                    (Tag::Or, count) => Instruction::Or(count),
                    (Tag::Not, 1) => Instruction::Not,
                    (Tag::Imply, 2) => Instruction::Imply,
                    _ => return Err(wrong("this takes another number of conditions")),
                });
                Value::Truth
            }
            Tag::Equality
            | Tag::Inequality
            | Tag::LessThan
            | Tag::LessThanOrEqual
            | Tag::GreaterThan
            | Tag::GreaterThanOrEqual => {
                code.push(self.comparison(node, operands)?);
                Value::Truth
            }
            Tag::NamedSort
            | Tag::VariableDeclaration
            | Tag::Partition
            | Tag::PartitionElement
            | Tag::EnumerationConstant
            | Tag::Enumeration => return Err(wrong("a declaration within a term")),
        })
    }

    fn use_variable(&self, node: &'a Node, locals: &mut Locals<'a>) -> Result<Value, Error> {
        let Some((name, variable)) = self.variables.get_key_value(node.key.as_str()) else {
            let near = suggestion(&node.key, self.variables.keys().copied());
            let message = format!("there is no variable `{}`{near}", node.key);
            return Err(Error::at(node.span.clone(), message));
        };
        let index = *locals.positions.entry(name).or_insert_with(|| {
            locals.variables.push(variable.clone());
            locals.variables.len() as u32 - 1
        });
        Ok(self.single(variable.sort, Atom::Variable { index, shift: 0 }))
    }

    fn single(&self, sort: SortId, atom: Atom) -> Value {
        let size = self.sorts.size(sort);
        // A component with one value only is zero and adds nothing.
        let tuple = if size == 1 { vec![] } else { vec![Component { stride: 1, size, atom }] };
        Value::Multiset(sort, vec![Summand { coefficient: 1, tuple }])
    }

    /// The sum of the operands, or the first without the others.
    fn sum(&self, node: &Node, operands: Vec<Value>) -> Result<Value, Error> {
        let mut result: Option<(SortId, Vec<Summand>)> = None;
        for (position, value) in operands.into_iter().enumerate() {
            let Value::Multiset(sort, mut sum) = value else {
                return Err(Error::at(node.span.clone(), "this takes multisets of colours"));
            };
            if node.tag == Tag::Subtract && position > 0 {
                for summand in &mut sum {
                    summand.coefficient = -summand.coefficient;
                }
            }
            match &mut result {
                None => result = Some((sort, sum)),
                Some((first, _)) if *first != sort => {
                    let message = format!("a term of the sort {}", self.sorts.describe(sort));
                    let error = Error::at(node.span.clone(), message);
                    return Err(error.expected(self.sorts.describe(*first)));
                }
                Some((_, total)) => {
                    // Sums within sums must not cost their depth times their length.
                    if sum.len() > total.len() {
                        std::mem::swap(total, &mut sum);
                    }
                    total.append(&mut sum);
                }
            }
        }
        match result {
            Some((sort, sum)) => Ok(Value::Multiset(sort, sum)),
            None => Err(Error::at(node.span.clone(), "a sum of nothing")),
        }
    }

    /// Tuples of sums are sums of tuples.
    fn tuple(&mut self, node: &Node, operands: Vec<Value>) -> Result<Value, Error> {
        let mut sorts = Vec::with_capacity(operands.len());
        let mut sums = Vec::with_capacity(operands.len());
        for value in operands {
            let Value::Multiset(sort, sum) = value else {
                return Err(Error::at(node.span.clone(), "a tuple of something else than colours"));
            };
            sorts.push(sort);
            sums.push(sum);
        }
        if sorts.is_empty() {
            return Err(Error::at(node.span.clone(), "an empty tuple"));
        }
        let sort = self.sorts.product(sorts.iter().copied());
        let sort = sort.map_err(|error| Error::at(node.span.clone(), error.message()))?;
        let mut stride = self.sorts.size(sort);
        let mut total = vec![Summand { coefficient: 1, tuple: vec![] }];
        for (sort, sum) in sorts.into_iter().zip(sums) {
            stride /= self.sorts.size(sort);
            if total.len() * sum.len() > MAX_SUMMANDS {
                return Err(Error::at(node.span.clone(), "a tuple of too long sums"));
            }
            let mut product = Vec::with_capacity(total.len() * sum.len());
            for left in &total {
                for right in &sum {
                    let coefficient = left.coefficient.checked_mul(right.coefficient);
                    let coefficient = coefficient.ok_or_else(|| too_many(node))?;
                    let mut tuple = left.tuple.clone();
                    tuple.extend(right.tuple.iter().cloned().map(|component| Component {
                        stride: component.stride * stride,
                        ..component
                    }));
                    product.push(Summand { coefficient, tuple });
                }
            }
            total = product;
        }
        Ok(Value::Multiset(sort, total))
    }

    fn comparison(&self, node: &Node, operands: Vec<Value>) -> Result<Instruction, Error> {
        let wrong = |message: &str| Error::at(node.span.clone(), message);
        let comparison = match node.tag {
            Tag::Equality => Comparison::Equal,
            Tag::Inequality => Comparison::Unequal,
            Tag::LessThan => Comparison::Less,
            Tag::LessThanOrEqual => Comparison::LessOrEqual,
            Tag::GreaterThan => Comparison::Greater,
            _ => Comparison::GreaterOrEqual,
        };
        let Ok([Value::Multiset(left, first), Value::Multiset(right, second)]) =
            <[Value; 2]>::try_from(operands)
        else {
            return Err(wrong("this compares two colours"));
        };
        if left != right {
            let message = format!("a comparison with the sort {}", self.sorts.describe(right));
            return Err(wrong(&message).expected(self.sorts.describe(left)));
        }
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
        if is_order && self.sorts.is_product(left) {
            return Err(wrong("tuples have no order"));
        }
        let single = |mut sum: Vec<Summand>| {
            let only = if sum.len() == 1 { sum.pop() } else { None };
            only.filter(|summand| {
                summand.coefficient == 1 && !summand.tuple.iter().any(Component::is_set)
            })
        };
        match (single(first), single(second)) {
            (Some(first), Some(second)) => {
                Ok(Instruction::Compare(comparison, first.tuple, second.tuple))
            }
            _ => Err(wrong("this compares two colours, not multisets")),
        }
    }
}

/// The same colours, each moved on by some steps.
fn moved(mut sum: Vec<Summand>, steps: u32) -> Vec<Summand> {
    for component in sum.iter_mut().flat_map(|summand| &mut summand.tuple) {
        let size = component.size;
        match &mut component.atom {
            Atom::Constant(colour) => *colour = shifted(*colour, steps, size),
            Atom::Variable { shift, .. } => *shift = shifted(*shift, steps, size),
            Atom::All => {}
            Atom::Subset(colours) => {
                let mut moved: Vec<u32> =
                    colours.iter().map(|colour| shifted(*colour, steps, size)).collect();
                moved.sort_unstable();
                *colours = moved.into();
            }
        }
    }
    sum
}

fn multiplied(mut sum: Vec<Summand>, times: u32, node: &Node) -> Result<Vec<Summand>, Error> {
    for summand in &mut sum {
        let coefficient = summand.coefficient.checked_mul(i64::from(times));
        summand.coefficient = coefficient.ok_or_else(|| too_many(node))?;
    }
    sum.retain(|summand| summand.coefficient != 0);
    Ok(sum)
}

fn too_many(node: &Node) -> Error {
    Error::at(node.span.clone(), "the number of tokens is too large")
}

fn no_sort(node: &Node) -> Error {
    Error::at(node.span.clone(), "this is no sort")
}

fn twice(node: &Node) -> Error {
    Error::at(node.span.clone(), format!("a second declaration of `{}`", node.key))
}

fn number(text: &str, node: &Node) -> Result<i64, Error> {
    text.trim().parse().map_err(|_| {
        Error::at(node.span.clone(), format!("`{text}` is not a number, or too large"))
    })
}
