//! The words above a drawing: the acceptance condition and its name.

use crate::{Acceptance, Condition, Mark, Named, ParityKind};

/// A piece of a condition; each drawing shows marks in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Mark(Mark),
}

/// Returns the condition, and its name if it has one: `Inf(⓿) & Inf(❶), generalized Büchi`.
pub(super) fn acceptance(acceptance: &Acceptance) -> Vec<Piece> {
    let mut pieces = vec![];
    push_condition(acceptance.condition(), &mut pieces);
    if let Some(name) = Named::of(acceptance) {
        push_text(&format!(", {}", words(&name)), &mut pieces);
    }
    pieces
}

/// Joins the pieces to one text.
pub(super) fn join(pieces: &[Piece], mark: impl Fn(Mark) -> String) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Mark(number) => mark(*number),
        })
        .collect()
}

fn words(name: &Named) -> String {
    match name {
        Named::All => "all runs accepting".into(),
        Named::None => "no run accepting".into(),
        Named::Buchi => "Büchi".into(),
        Named::CoBuchi => "co-Büchi".into(),
        Named::GeneralizedBuchi(_) => "generalized Büchi".into(),
        Named::GeneralizedCoBuchi(_) => "generalized co-Büchi".into(),
        Named::Rabin(1) => "Rabin, 1 pair".into(),
        Named::Rabin(pairs) => format!("Rabin, {pairs} pairs"),
        Named::Streett(1) => "Streett, 1 pair".into(),
        Named::Streett(pairs) => format!("Streett, {pairs} pairs"),
        Named::GeneralizedRabin(_) => "generalized Rabin".into(),
        Named::Parity(parity) => {
            let kind = match parity.kind {
                ParityKind::Min => "min",
                ParityKind::Max => "max",
            };
            format!("parity {kind} {}", if parity.odd { "odd" } else { "even" })
        }
    }
}

/// Writes a condition as its `Display` does. The recursion is as deep as the condition, whose depth
/// readers limit.
fn push_condition(condition: &Condition, pieces: &mut Vec<Piece>) {
    let mut joined = |operands: &[Condition], sign: &str| {
        for (place, operand) in operands.iter().enumerate() {
            if place > 0 {
                push_text(sign, pieces);
            }
            let nested = matches!(operand, Condition::And(_) | Condition::Or(_));
            push_text(if nested { "(" } else { "" }, pieces);
            push_condition(operand, pieces);
            push_text(if nested { ")" } else { "" }, pieces);
        }
    };
    let (word, mark) = match condition {
        Condition::And(operands) => return joined(operands, " & "),
        Condition::Or(operands) => return joined(operands, " | "),
        Condition::True => return push_text("t", pieces),
        Condition::False => return push_text("f", pieces),
        Condition::Inf(mark) => ("Inf(", *mark),
        Condition::Fin(mark) => ("Fin(", *mark),
    };
    push_text(word, pieces);
    pieces.push(Piece::Mark(mark));
    push_text(")", pieces);
}

fn push_text(text: &str, pieces: &mut Vec<Piece>) {
    match pieces.last_mut() {
        Some(Piece::Text(last)) => last.push_str(text),
        _ if text.is_empty() => {}
        _ => pieces.push(Piece::Text(text.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_to_the_condition() {
        let rabin = Named::Rabin(2).acceptance();
        let text = join(&acceptance(&rabin), |mark| mark.to_string());
        assert_eq!(text, format!("{}, Rabin, 2 pairs", rabin.condition()));
    }
}
