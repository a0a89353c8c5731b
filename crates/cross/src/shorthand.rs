//! Participants by the text that users write: a known tool, a command with places, or one of our
//! own constructions, some of which are wrong on purpose (`fault:empty`).

use crate::faults::{Fault, UnknownFault};
use crate::method::suggestion;
use crate::{Choices, Claims, Construction, Input, Participant, Program, Template, TemplateError};
use sempre_automata::transform::Property;
use sempre_ltl::Op;
use sempre_translate::Method;

/// A tool that is known by name, so that its arguments need not be written.
#[derive(Clone, Copy, Debug)]
pub struct Shorthand {
    /// The names of the program.
    pub names: &'static [&'static str],
    /// The suffix of a command that has no places.
    pub arguments: &'static str,
    /// The operators that the tool refuses.
    pub unsupported: &'static [Op],
    /// The claims about its automata.
    pub claims: Claims,
}

const NOTHING: Claims = Claims::of(&[]);

const BUCHI_ON_STATES: Claims = Claims::of(&[Property::StateBased, Property::Buchi]);

const DETERMINISTIC: Claims = Claims::of(&[Property::Deterministic]);

/// The tools that are known by name.
pub const SHORTHANDS: &[Shorthand] = &[
    Shorthand {
        names: &["spin"],
        arguments: "-f %s",
        // Distributed binaries are built without it.
        unsupported: &[Op::Next],
        claims: BUCHI_ON_STATES,
    },
    Shorthand {
        names: &["lbt"],
        arguments: "<%[WM]L",
        unsupported: &[],
        claims: Claims::of(&[Property::StateBased]),
    },
    Shorthand { names: &["ltl2ba"], arguments: "-f %s", unsupported: &[], claims: BUCHI_ON_STATES },
    Shorthand {
        names: &["ltl3ba", "ltl3hoa"],
        arguments: "-f %s",
        unsupported: &[],
        claims: NOTHING,
    },
    Shorthand { names: &["ltl3dra"], arguments: "-f %s", unsupported: &[], claims: DETERMINISTIC },
    Shorthand { names: &["ltl3tela"], arguments: "-f %f", unsupported: &[], claims: NOTHING },
    Shorthand {
        names: &["ltl2dstar"],
        arguments: "--output-format=hoa %[WM]L %O",
        unsupported: &[],
        claims: DETERMINISTIC,
    },
    Shorthand {
        names: &["ltl2tgba", "ltl2tgta"],
        arguments: "-H %f",
        unsupported: &[],
        claims: NOTHING,
    },
    Shorthand {
        names: &["ltl2dpa", "ltl2dra", "ltl2dgra", "ltl2da", "ltl2dela"],
        arguments: "%f",
        unsupported: &[],
        claims: DETERMINISTIC,
    },
    Shorthand {
        names: &["ltl2ldba", "ltl2ldgba", "ltl2na", "ltl2nba", "ltl2ngba", "delag"],
        arguments: "%f",
        unsupported: &[],
        claims: NOTHING,
    },
    Shorthand { names: &["owl"], arguments: "-f %f", unsupported: &[], claims: NOTHING },
    Shorthand { names: &["modella"], arguments: "%[WMei^]L %O", unsupported: &[], claims: NOTHING },
];

impl Shorthand {
    /// The tool that a program's path names.
    pub fn of(program: &str) -> Option<&'static Shorthand> {
        let file = program.rsplit('/').next().unwrap_or(program);
        SHORTHANDS.iter().find(|tool| tool.names.contains(&file))
    }
}

/// The participant that a text describes, which translates formulas.
///
/// # Errors
/// If the text is neither a known tool nor a command with a place for the formula.
///
/// ```
/// use sempre_cross::participant;
/// assert_eq!(participant("tableau:ba", false).unwrap().name, "tableau:ba");
/// assert_eq!(participant("{mine} prog -x %f", false).unwrap().name, "mine");
/// assert_eq!(participant("/usr/bin/spin -x", false).unwrap().name, "/usr/bin/spin -x");
/// assert!(participant("prog", false).is_err());
/// ```
pub fn participant(text: &str, shell: bool) -> Result<Participant, TemplateError> {
    let whole = |message: String| TemplateError { message, place: 0..text.len() };
    let template = Template::read(text, Input::Formulas, shell)?;
    let name = template.name.clone().unwrap_or_else(|| text.trim().to_owned());
    let program = template.program().filter(|_| !template.shell).unwrap_or_default().to_owned();
    if let Some(fault) = program.strip_prefix("fault:") {
        let fault: Fault = fault.parse().map_err(|error: UnknownFault| whole(error.to_string()))?;
        return Ok(Participant { name, ..fault.participant() });
    }
    if let Some(construction) = own(&template) {
        let construction = construction.map_err(whole)?;
        let claims = construction.choices().claims();
        return Ok(Participant { claims, ..Participant::new(name, construction) });
    }
    match Shorthand::of(&program) {
        Some(tool) if !template.has_input() => {
            let text = format!("{text} {}", tool.arguments);
            let template = Template::read(&text, Input::Formulas, shell)?;
            let program = Program::new(template, Input::Formulas).map_err(whole)?;
            let program = program.unsupported(tool.unsupported);
            Ok(Participant { claims: tool.claims, ..Participant::new(name, program) })
        }
        tool => {
            let has_input = template.has_input();
            let program = Program::new(template, Input::Formulas).map_err(|mut message| {
                if !has_input {
                    let tools = SHORTHANDS.iter().flat_map(|tool| tool.names.iter().copied());
                    let names = tools.chain(Method::ALL.map(Method::name)).chain(["sempre"]);
                    let first = program.split(':').next().unwrap_or_default();
                    message.push_str(&suggestion(first, names));
                }
                whole(message)
            })?;
            let unsupported = tool.map_or(&[][..], |tool| tool.unsupported);
            let claims = tool.map_or(NOTHING, |tool| tool.claims);
            let program = program.unsupported(unsupported);
            Ok(Participant { claims, ..Participant::new(name, program) })
        }
    }
}

/// Our own construction, if the command names one.
fn own(template: &Template) -> Option<Result<Construction, String>> {
    if template.shell || template.has_input() || template.has_output() {
        return None;
    }
    let words: Vec<&str> = template
        .words
        .iter()
        .map(|word| match &**word {
            [crate::template::Piece::Text(text)] => Some(&**text),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let choices = match &*words {
        ["sempre", options @ ..] => Choices::options(options.iter().copied()),
        [short] => Choices::read(short)?,
        _ => return None,
    };
    Some(choices.map(Construction::new))
}
