//! Findings in words.

use std::fmt;

use super::finding::{Finding, Mistake, Verdict};
use crate::checks::Test;
use crate::subject::Subject;

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.headline(out)?;
        self.circumstances(out)?;
        self.others(out)?;
        let Some(witness) = &self.witness else { return Ok(()) };
        let verb = if witness.holds { "satisfies" } else { "does not satisfy" };
        writeln!(out, "  Why {} {verb} {}:", witness.word, self.formula)?;
        for line in witness.proof.to_string().lines() {
            match line {
                "" => writeln!(out)?,
                line => writeln!(out, "    {line}")?,
            }
        }
        Ok(())
    }
}

impl Finding {
    /// Who is wrong about what, on one line.
    fn headline(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let culprit = match &self.verdict {
            Verdict::Contradiction(reason) => {
                return writeln!(out, "the {} test is wrong itself: {reason}", self.test);
            }
            Verdict::Wrong { culprit, .. } => *culprit,
        };
        let (name, formula) = (self.name(culprit), culprit.polarity.of(&self.formula));
        match (self.verdict.mistake(), &self.witness) {
            (Some(Mistake::NotAsClaimed(claim)), _) => {
                let (property, reason) = (&claim.property, &claim.reason);
                writeln!(out, "{name}: the automaton of {formula} is not {property}: {reason}")
            }
            (mistake, Some(witness)) => {
                let (verb, does) = match mistake {
                    Some(Mistake::WronglyAccepts) => ("wrongly accepts", "does not satisfy"),
                    _ => ("wrongly rejects", "satisfies"),
                };
                let word = &witness.word;
                writeln!(out, "{name}: the automaton of {formula} {verb} {word}, which {does} it")
            }
            (_, None) => writeln!(out, "{name}: the automaton of {formula} is wrong"),
        }
    }

    /// How that was found.
    fn circumstances(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, right] = self.subjects;
        let Some([accepts_left, accepts_right]) = self.accepted else { return Ok(()) };
        let shown = |subject: Subject| format!("{} ({})", self.name(subject), subject.polarity);
        let verb = |accepts: bool| if accepts { "accepts" } else { "rejects" };
        let (one, other, test) = (shown(left), shown(right), self.test);
        if accepts_left == accepts_right {
            let verb = if accepts_left { "accept" } else { "reject" };
            write!(out, "  The {test} test failed: {one} and {other} both {verb} it")?;
        } else {
            let verbs = [verb(accepts_left), verb(accepts_right)];
            write!(
                out,
                "  The {test} test failed: {one} {} it, {other} {} it",
                verbs[0], verbs[1]
            )?;
        }
        if let Some(place) = &self.place {
            let (state, states) = (place.state, place.states);
            write!(out, ", from state {state} of the structure")?;
            if states > 1 {
                write!(out, " and {} more", states - 1)?;
            }
            write!(out, ", {} locally", if place.local { "also" } else { "not" })?;
        }
        writeln!(out, ".")
    }

    /// The other failed tests, and the participants that agree.
    fn others(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for test in Test::ALL {
            let failed = self.also.iter().filter(|(other, _)| *other == test).count();
            match failed {
                0 => {}
                1 => writeln!(out, "  So did another {test} test.")?,
                _ => writeln!(out, "  So did {failed} more {test} tests.")?,
            }
        }
        if self.believed {
            writeln!(out, "  The participant was to be taken for a reference.")?;
        }
        if !self.agreeing.is_empty() {
            let names: Vec<&str> = self.agreeing.iter().map(|&p| self.names[p].as_str()).collect();
            writeln!(out, "  The others agree with each other: {}.", names.join(", "))?;
        }
        Ok(())
    }
}
