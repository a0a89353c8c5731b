//! Sources with all mutations of a file behind switches, so that one build serves all of them.

use super::list::Mutation;
use anyhow::{Result, bail};

/// The variable of the environment with the number of the mutation in force.
pub const SWITCH: &str = "SEMPRE_MUTATION";

/// The module that each crate with mutations gets.
pub const MODULE: &str = r#"
pub(crate) mod mutation {
    /// True if the mutation with this number is in force.
    pub(crate) fn is(number: u32) -> bool {
        static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
        let chosen = || std::env::var("SEMPRE_MUTATION").ok()?.parse().ok();
        *CHOSEN.get_or_init(|| chosen().unwrap_or(u32::MAX)) == number
    }
}
"#;

/// Returns a source with these mutations behind switches.
///
/// # Errors
/// If the text of a mutation does not occur once, or two of them overlap.
pub fn instrument(source: &str, mutations: &[&Mutation]) -> Result<String> {
    let mut places = Vec::new();
    for mutation in mutations {
        let mut found = source.match_indices(&mutation.before).map(|(place, _)| place);
        match (found.next(), found.next()) {
            (Some(place), None) => places.push((place, *mutation)),
            (None, _) => bail!("{}: its text does not occur in {}", mutation.name, mutation.file),
            _ => bail!("{}: its text occurs more than once in {}", mutation.name, mutation.file),
        }
    }
    places.sort_by_key(|(place, _)| *place);
    let (mut text, mut end) = (String::new(), 0);
    for group in
        places.chunk_by(|(left, one), (right, other)| left == right && one.before == other.before)
    {
        let (place, Mutation { name, before, .. }) = group[0];
        if place < end {
            bail!("{name} overlaps another mutation");
        }
        text.push_str(&source[end..place]);
        let mut chosen = String::new();
        for (_, mutation) in group {
            let (number, after) = (mutation.number(), &mutation.after);
            chosen += &format!("if crate::mutation::is({number}) {{ {after} }} else ");
        }
        chosen += &format!("{{ {before} }}");
        match before.ends_with(';') {
            true => text.push_str(&chosen),
            false => text.push_str(&format!("({chosen})")),
        }
        end = place + before.len();
    }
    text.push_str(&source[end..]);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutation(before: &str, after: &str) -> Mutation {
        Mutation {
            package: "p".into(),
            name: "n".into(),
            file: "f".into(),
            before: before.into(),
            after: after.into(),
            tests: vec![],
            harmless: None,
        }
    }

    #[test]
    fn mutations_are_behind_switches() {
        let (less, stop) = (mutation("a < b", "a <= b"), mutation("stop();", ""));
        // The CRC-32 of `p/n`, without its highest bit.
        let number = less.number();
        assert_eq!(number, 0x13a6_c570);
        let source = "fn f() { while a < b { stop(); } }";
        assert_eq!(
            instrument(source, &[&stop, &less]).unwrap(),
            format!(
                "fn f() {{ while (if crate::mutation::is({number}) {{ a <= b }} else {{ a < b }}) \
                 {{ if crate::mutation::is({number}) {{  }} else {{ stop(); }} }} }}"
            )
        );
        let twice = instrument("a < b, a < b", &[&less]).unwrap_err();
        assert!(twice.to_string().contains("more than once"), "{twice}");
        let over = mutation("b { stop", "");
        let more = Mutation { name: "m".into(), ..mutation("a < b", "a > b") };
        let both = instrument("(a < b)", &[&less, &more]).unwrap();
        assert_eq!(
            both,
            format!(
                "((if crate::mutation::is({number}) {{ a <= b }} \
                 else if crate::mutation::is({}) {{ a > b }} else {{ a < b }}))",
                more.number()
            )
        );
        let overlap = instrument(source, &[&less, &over]).unwrap_err();
        assert!(overlap.to_string().contains("overlaps"), "{overlap}");
        assert!(instrument("", &[&less]).is_err());
    }
}
