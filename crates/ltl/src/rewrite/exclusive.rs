//! Sets of mutually exclusive propositions, and formulas refined by constraints.

use crate::{Error, Formula, Prop};
use std::str::FromStr;

/// A set of propositions of which at most one holds at each position.
///
/// ```
/// use sempre_ltl::{Formula, rewrite::{ExclusiveSet, refine}};
/// let set: ExclusiveSet = "a, b, \"x = 1\"".parse()?;
/// let formula: Formula = "F(a & Gb)".parse()?;
/// // Only propositions of the formula matter.
/// let constraint = set.among(&formula.props()).constraint();
/// assert_eq!(refine(&formula, &constraint).to_string(), "F(a & Gb) & G!(a & b)");
/// # Ok::<(), sempre_ltl::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExclusiveSet(Vec<Prop>);

impl ExclusiveSet {
    /// Makes a set; repetitions count once.
    pub fn new(props: impl IntoIterator<Item = Prop>) -> Self {
        let mut set = Vec::new();
        for prop in props {
            if !set.contains(&prop) {
                set.push(prop);
            }
        }
        ExclusiveSet(set)
    }

    /// Groups propositions `Process@location` by process; returns the groups of two or more, since a
    /// process is in one location at a time.
    pub fn of_locations(props: &[Prop]) -> Vec<Self> {
        let process =
            |prop: &Prop| prop.name().split_once('@').map(|(process, _)| process.to_owned());
        let mut processes: Vec<String> = props.iter().filter_map(process).collect();
        processes.sort_unstable();
        processes.dedup();
        let group = |name: String| {
            let own = props.iter().filter(|prop| process(prop).as_ref() == Some(&name));
            ExclusiveSet::new(own.cloned())
        };
        processes.into_iter().map(group).filter(|set| set.0.len() > 1).collect()
    }

    /// Returns the propositions.
    pub fn props(&self) -> &[Prop] {
        &self.0
    }

    /// Returns those that are among some propositions.
    #[must_use]
    pub fn among(&self, props: &[Prop]) -> Self {
        ExclusiveSet(self.0.iter().filter(|prop| props.contains(prop)).cloned().collect())
    }

    /// Returns the Boolean constraint: for each two of them, not both. True for less than two.
    pub fn constraint(&self) -> Formula {
        let pairs = self.0.iter().enumerate().flat_map(|(place, left)| {
            self.0[..place].iter().map(move |right| {
                Formula::not(Formula::and([Formula::from(right), Formula::from(left)]))
            })
        });
        conjunction(pairs)
    }
}

/// Reads names separated by commas; a name with other characters stands in double quotes.
impl FromStr for ExclusiveSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut props: Vec<Prop> = Vec::new();
        let mut rest = text.trim_start();
        loop {
            let (name, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted
                    .split_once('"')
                    .ok_or_else(|| Error::at(text.len()..text.len(), "a quote is not closed"))?,
                None => rest.split_at(rest.find(',').unwrap_or(rest.len())),
            };
            let (name, after) = (name.trim(), after.trim_start());
            let place = text.len() - after.len();
            if name.is_empty() {
                return Err(Error::at(place..place, "a name is missing"));
            }
            let prop = Prop::new(name);
            if props.contains(&prop) {
                return Err(Error::at(place..place, format!("`{name}` occurs twice")));
            }
            props.push(prop);
            match after.strip_prefix(',') {
                Some(more) => rest = more.trim_start(),
                None if after.is_empty() => return Ok(ExclusiveSet(props)),
                None => return Err(Error::at(place..place, "expected a comma")),
            }
        }
    }
}

/// Returns the formula for the words that satisfy a formula, and a Boolean constraint at each
/// position: `f & G constraint`.
pub fn refine(formula: &Formula, constraint: &Formula) -> Formula {
    match constraint.is_true() {
        true => formula.clone(),
        false => Formula::and([formula.clone(), Formula::globally(constraint.clone())]),
    }
}

/// Returns the conjunction; true of nothing, and the operand itself of one.
pub fn conjunction(operands: impl IntoIterator<Item = Formula>) -> Formula {
    let mut operands: Vec<Formula> = operands.into_iter().collect();
    match operands.len() {
        0 => Formula::tt(),
        1 => operands.remove(0),
        _ => Formula::and(operands),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_sets() {
        let names = |text: &str| -> Vec<String> {
            let set: ExclusiveSet = text.parse().unwrap();
            set.props().iter().map(|prop| prop.name().to_owned()).collect()
        };
        assert_eq!(names("a,b"), ["a", "b"]);
        assert_eq!(names(" P0.idle , \"x < 2, really\",P@s "), ["P0.idle", "x < 2, really", "P@s"]);
        for (text, error) in [
            ("", "a name is missing"),
            ("a,,b", "a name is missing"),
            ("a,", "a name is missing"),
            ("a,b,a", "`a` occurs twice"),
            ("\"a", "a quote is not closed"),
            ("\"a\" b", "expected a comma"),
        ] {
            assert_eq!(text.parse::<ExclusiveSet>().unwrap_err().to_string(), error, "{text}");
        }
    }

    #[test]
    fn locations_are_grouped_by_process() {
        let props = ["P@a", "Q@a", "P@b", "x", "R@c"].map(Prop::new);
        let sets = ExclusiveSet::of_locations(&props);
        assert_eq!(sets, ["P@a,P@b".parse().unwrap()]);
    }

    #[test]
    fn sets_of_less_than_two_say_nothing() {
        let set: ExclusiveSet = "a,b".parse().unwrap();
        let formula: Formula = "Fa".parse().unwrap();
        let constraint = set.among(&formula.props()).constraint();
        assert!(constraint.is_true());
        assert_eq!(refine(&formula, &constraint), formula);
    }
}
