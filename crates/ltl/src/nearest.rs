//! Names that resemble a name that is not known, for error messages.

use std::cmp::Reverse;

/// The names that resemble `name` most, best first: at most three, none if all are quite different.
///
/// A common beginning counts first, then the distance of Damerau and Levenshtein (insertions,
/// deletions, substitutions, exchanges of neighbours); letters that differ in case count as half a
/// substitution. The cost is the product of the lengths for names of about the same length, nothing
/// for others.
///
/// ```
/// use sempre_ltl::nearest::nearest;
/// assert_eq!(nearest("colck", ["cuckoo", "clock", "p0"]), ["clock"]);
/// assert_eq!(nearest("P0.crit", ["P1.crit", "P0.critical"]), ["P0.critical", "P1.crit"]);
/// assert!(nearest("colck", ["p0", "p1"]).is_empty());
/// ```
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name: Vec<char> = name.chars().collect();
    let most = name.len().div_ceil(3).max(1) * SUBSTITUTION;
    let mut best: Vec<(Reverse<usize>, usize, &str)> = Vec::new();
    for other in names {
        let letters: Vec<char> = other.chars().take(LONGEST + 1).collect();
        if letters.len() > LONGEST {
            continue;
        }
        let common = common_beginning(&name, &letters);
        let begins_alike =
            common >= 2 && common == name.len() || common >= 3 && 3 * common >= 2 * name.len();
        let is_as_long = letters.len().abs_diff(name.len()) * SUBSTITUTION <= most;
        if !is_as_long && !begins_alike {
            continue;
        }
        let distance = distance(&name, &letters);
        if distance <= most || begins_alike {
            best.push((Reverse(common), distance, other));
            best.sort();
            best.dedup();
            best.truncate(3);
        }
    }
    best.into_iter().map(|(_, _, name)| name).collect()
}

/// The number of letters at the beginning that agree but for their case.
fn common_beginning(left: &[char], right: &[char]) -> usize {
    let agree = |(a, b): &(&char, &char)| a == b || a.to_lowercase().eq(b.to_lowercase());
    left.iter().zip(right).take_while(agree).count()
}

/// Returns the suggestion of the nearest names for an error message: empty, or
/// ` (did you mean …?)`.
pub fn suggestion<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = nearest(name, names).iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => format!(" (did you mean {last}?)"),
        Some((last, others)) => format!(" (did you mean {} or {last}?)", others.join(", ")),
    }
}

/// Returns the same as the expectation of an error; `None` if no name is near.
pub fn expectation<N: AsRef<str>>(
    name: &str,
    names: impl IntoIterator<Item = N>,
) -> Option<String> {
    let names: Vec<N> = names.into_iter().collect();
    let near = nearest(name, names.iter().map(AsRef::as_ref));
    let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    (!quoted.is_empty()).then(|| quoted.join(" or "))
}

const SUBSTITUTION: usize = 2;

/// The maximal length of a name to compare.
const LONGEST: usize = 200;

fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).map(|n| n * SUBSTITUTION).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![(i + 1) * SUBSTITUTION];
        for (j, b) in right.iter().enumerate() {
            let substitution = if a == b {
                0
            } else if a.to_lowercase().eq(b.to_lowercase()) {
                SUBSTITUTION / 2
            } else {
                SUBSTITUTION
            };
            let mut least = (last[j] + substitution).min(last[j + 1].min(row[j]) + SUBSTITUTION);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                least = least.min(before[j - 1] + SUBSTITUTION);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let of = |left: &str, right: &str| {
            distance(&left.chars().collect::<Vec<_>>(), &right.chars().collect::<Vec<_>>())
        };
        assert_eq!(of("", "abc"), 6);
        assert_eq!(of("abc", "abc"), 0);
        assert_eq!(of("abc", "aBc"), 1);
        assert_eq!(of("abcd", "acbd"), 2);
        assert_eq!(of("kitten", "sitting"), 6);
    }

    #[test]
    fn suggestions() {
        let names = ["place_1", "place_2", "place_10", "other"];
        assert_eq!(
            suggestion("plcae_1", names),
            " (did you mean `place_1`, `place_10` or `place_2`?)"
        );
        assert_eq!(suggestion("othr", names), " (did you mean `other`?)");
        assert_eq!(suggestion("x", names), "");
        let states = ["P0.critical", "P1.crit", "P0.critical_section", "P1.critical"];
        assert_eq!(nearest("p0.crit", states)[..2], ["P0.critical", "P0.critical_section"]);
        assert_eq!(nearest("P0.crtiical", states)[0], "P0.critical");
    }
}
