//! Formulas as other tools read them: the syntax, the operators it has, the names it allows.

use sempre_ltl::rewrite::{rename, unabbreviate};
use sempre_ltl::{Arity, Error, Formula, Notation, Op, Prop};

/// A syntax that tools read formulas in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// That of Spot, which is ours: `G(a -> F b)`.
    Spot,
    /// That of `spin -f`: `[](a -> <>b)`.
    Spin,
    /// The prefix syntax of lbt: `G i p0 F p1`.
    Lbt,
    /// That of Wring: `G((a=1) -> (F(b=1)))`.
    Wring,
}

impl Spelling {
    /// The operators that the syntax lacks, for which others are written.
    fn lacks(self) -> &'static [Op] {
        use Op::{Iff, StrictFinally, StrictGlobally, StrongRelease, WeakUntil, Xor};
        match self {
            Spelling::Spot => &[StrictFinally, StrictGlobally],
            Spelling::Spin => &[StrictFinally, StrictGlobally, WeakUntil, StrongRelease, Xor],
            Spelling::Lbt => &[StrictFinally, StrictGlobally],
            Spelling::Wring => &[StrictFinally, StrictGlobally, WeakUntil, StrongRelease, Iff],
        }
    }

    /// The formula with the operators that the syntax has, and without these.
    ///
    /// # Errors
    /// If one of them cannot be expressed by others.
    pub(crate) fn rewritten(self, formula: &Formula, without: &[Op]) -> Result<Formula, Error> {
        let lacks: Vec<Op> = without.iter().chain(self.lacks()).copied().collect();
        if formula.subformulas().any(|part| lacks.contains(&part.op())) {
            unabbreviate(formula, &lacks)
        } else {
            Ok(formula.clone())
        }
    }

    /// True if all tools that read this syntax take the proposition for one.
    fn allows(self, prop: &Prop) -> bool {
        let name = prop.name();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
        if name.strip_prefix('p').is_some_and(is_number) {
            return true;
        }
        let mut bytes = name.bytes();
        let is_word = bytes.next().is_some_and(|c| c.is_ascii_lowercase())
            && bytes.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_');
        // In prefix syntax, t, f, i and e are operators, and lbt has no other names at all.
        self != Spelling::Lbt && is_word && !RESERVED.contains(&name)
    }

    /// The formula with names that the syntax allows, and the old name of each new one; nothing
    /// if the names can stay.
    pub(crate) fn renamed(self, formula: &Formula) -> Option<(Formula, Vec<(Prop, Prop)>)> {
        let is_fine = formula.props().iter().all(|prop| self.allows(prop));
        (!is_fine).then(|| rename::relabel(formula, rename::Style::Pnn))
    }

    /// The formula as text; it should have been [rewritten](Self::rewritten).
    pub(crate) fn text(self, formula: &Formula) -> String {
        match self {
            Spelling::Spot => formula.to_string(),
            Spelling::Spin => formula.display(Notation::Spin).to_string(),
            Spelling::Lbt => formula.display(Notation::Lbt).to_string(),
            Spelling::Wring => wring(formula),
        }
    }
}

/// Words that some tool takes for an operator or a constant.
const RESERVED: &[&str] = &[
    "true",
    "false",
    "always",
    "eventually",
    "until",
    "stronguntil",
    "weakuntil",
    "release",
    "next",
    "not",
    "and",
    "or",
    "xor",
    "implies",
    "equivalent",
    "skip",
    "len",
    "full",
    "empty",
    "nfull",
    "nempty",
    "timeout",
];

/// A formula in the syntax of Wring, with all parentheses.
fn wring(formula: &Formula) -> String {
    enum Part<'a> {
        Formula(&'a Formula),
        Text(&'static str),
    }
    let mut text = String::new();
    let mut todo = vec![Part::Formula(formula)];
    while let Some(part) = todo.pop() {
        let formula = match part {
            Part::Text(part) => {
                text.push_str(part);
                continue;
            }
            Part::Formula(formula) => formula,
        };
        let operator = match formula.op() {
            Op::True => "TRUE",
            Op::False => "FALSE",
            Op::Not => "!",
            Op::Next => "X",
            Op::Finally => "F",
            Op::Globally => "G",
            Op::Implies => " -> ",
            Op::Iff => " <-> ",
            Op::Xor => " ^ ",
            Op::Until => " U ",
            Op::Release => " R ",
            Op::And => " * ",
            Op::Or => " + ",
            // Not a name of the syntax: such operators have been replaced.
            op => op.name(),
        };
        match (formula.op().arity(), formula.as_prop()) {
            (_, Some(prop)) => {
                text.push_str(prop.name());
                text.push_str("=1");
            }
            (Arity::Leaf, None) => text.push_str(operator),
            (Arity::Unary, _) => {
                text.push_str(operator);
                text.push('(');
                todo.push(Part::Text(")"));
                todo.extend(formula.children().iter().map(Part::Formula));
            }
            (Arity::Binary | Arity::Nary, _) => {
                for (i, child) in formula.children().iter().enumerate().rev() {
                    todo.push(Part::Text(")"));
                    todo.push(Part::Formula(child));
                    todo.push(Part::Text("("));
                    if i > 0 {
                        todo.push(Part::Text(operator));
                    }
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(spelling: Spelling, text: &str, without: &[Op]) -> String {
        let formula = spelling.rewritten(&text.parse().unwrap(), without).unwrap();
        spelling.text(&formula)
    }

    #[test]
    fn each_tool_gets_its_syntax() {
        let text = "(c xor X d) U G(a -> F b)";
        assert_eq!(written(Spelling::Spot, text, &[]), "(c xor Xd) U G(a -> Fb)");
        assert_eq!(written(Spelling::Spin, text, &[]), "!(c <-> X d) U ([](a -> <>b))");
        assert_eq!(written(Spelling::Lbt, text, &[]), "U ^ c X d G i a F b");
        assert_eq!(
            written(Spelling::Wring, text, &[]),
            "((c=1) ^ (X(d=1))) U (G((a=1) -> (F(b=1))))"
        );
    }

    #[test]
    fn operators_are_removed_on_request() {
        assert_eq!(written(Spelling::Spin, "a W b", &[]), "b V (a || b)");
        assert_eq!(written(Spelling::Lbt, "F a", &[Op::Finally]), "U t a");
        assert_eq!(written(Spelling::Spot, "Fs a", &[]), "XFa");
        assert!(Spelling::Spot.rewritten(&"X a".parse().unwrap(), &[Op::Next]).is_err());
    }

    #[test]
    fn only_names_that_everybody_reads_stay() {
        let renamed = |spelling: Spelling, text: &str| {
            spelling.renamed(&text.parse().unwrap()).map(|(formula, _)| formula.to_string())
        };
        assert_eq!(renamed(Spelling::Spin, "req U p7"), None);
        assert_eq!(renamed(Spelling::Lbt, "p3 U p7"), None);
        assert_eq!(renamed(Spelling::Lbt, "req U p7").as_deref(), Some("p0 U p1"));
        assert_eq!(renamed(Spelling::Spin, "\"x > 3\" U Ack").as_deref(), Some("p0 U p1"));
        assert_eq!(renamed(Spelling::Spot, "\"true\" U a").as_deref(), Some("p0 U p1"));
    }
}
