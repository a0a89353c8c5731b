//! Names of propositions in LaTeX's math mode, without packages.

/// A letter is set as it stands, a longer name in italics, and a number at the end as an index; any
/// other text is set as text.
pub(super) fn name(name: &str) -> String {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[letters.len()..];
    if letters.is_empty() || !letters.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return format!("\\mbox{{{}}}", escape(name));
    }
    let mut text = match letters.len() {
        1 if letters != "_" => letters.to_owned(),
        _ => format!("\\mathit{{{}}}", escape(letters)),
    };
    if !digits.is_empty() {
        text.push_str(&format!("_{{{digits}}}"));
    }
    text
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => escaped.extend(['\\', char]),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '"' => escaped.push_str("''"),
            _ if char.is_whitespace() => escaped.push(' '),
            _ => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (prop, text) in [
            ("a", "a"),
            ("p12", "p_{12}"),
            ("request", "\\mathit{request}"),
            ("cs_0", "\\mathit{cs\\_}_{0}"),
            ("x > 3", "\\mbox{x \\textgreater{} 3}"),
            ("P0@CS", "\\mbox{P0@CS}"),
            ("42", "\\mbox{42}"),
            ("", "\\mbox{}"),
            ("a\n\\b", "\\mbox{a \\textbackslash{}b}"),
        ] {
            assert_eq!(name(prop), text);
        }
    }
}
