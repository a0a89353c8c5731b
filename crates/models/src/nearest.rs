//! Names that a user may have meant.

/// The nearest of the names, quoted, as an error tells what it expected; nothing if none is near.
///
/// A name is near if few letters are to be changed, inserted or dropped (a third of them), or if
/// only the case differs. At most three are named, the nearest first.
pub(crate) fn expectation<N: AsRef<str>>(
    name: &str,
    names: impl IntoIterator<Item = N>,
) -> Option<String> {
    let wanted: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
    let most = (wanted.len() / 3).max(1);
    let mut near: Vec<(usize, String)> = Vec::new();
    let mut row = Vec::new();
    for other in names {
        let other = other.as_ref();
        if other.len().abs_diff(name.len()) > 4 * (most + 1) {
            continue;
        }
        let letters: Vec<char> = other.to_lowercase().chars().take(LONGEST).collect();
        if letters.len().abs_diff(wanted.len()) <= most {
            let distance = distance(&wanted, &letters, &mut row);
            if distance <= most {
                near.push((distance, other.to_owned()));
            }
        }
    }
    near.sort_unstable();
    near.dedup();
    near.truncate(3);
    let quoted: Vec<String> = near.into_iter().map(|(_, name)| format!("`{name}`")).collect();
    (!quoted.is_empty()).then(|| quoted.join(" or "))
}

/// How many letters of a name are looked at.
const LONGEST: usize = 60;

/// How many letters have to be changed, inserted or dropped (Levenshtein), by the usual table of
/// which one row is kept.
fn distance(left: &[char], right: &[char], row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=right.len());
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in right.iter().enumerate() {
            let best = (diagonal + usize::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn near_names_are_found() {
        let names = ["Fork_1", "Fork_2", "Idle_1", "P.wait"];
        let near = |name| expectation(name, names);
        assert_eq!(near("fork_1").as_deref(), Some("`Fork_1` or `Fork_2`"));
        assert_eq!(near("Frk_2").as_deref(), Some("`Fork_2`"));
        assert_eq!(near("P.wat").as_deref(), Some("`P.wait`"));
        assert_eq!(near("something"), None);
    }

    /// The distance by its definition.
    fn slow(left: &[char], right: &[char]) -> usize {
        match (left, right) {
            ([], rest) | (rest, []) => rest.len(),
            ([a, l @ ..], [b, r @ ..]) => {
                (slow(l, r) + usize::from(a != b)).min(slow(l, right) + 1).min(slow(left, r) + 1)
            }
        }
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_definition(left in "[ab]{0,5}", right in "[abc]{0,5}") {
            let (left, right): (Vec<_>, Vec<_>) = (left.chars().collect(), right.chars().collect());
            prop_assert_eq!(distance(&left, &right, &mut Vec::new()), slow(&left, &right));
        }
    }
}
