//! Who takes part: texts of the command line and of set-ups, as participants.

use crate::commands::aut::pipeline::Pipeline;
use crate::report::{Located, Place};
use anyhow::{Result, bail};
use sempre::cross::config::ToolConfig;
use sempre::cross::{self, Choices, Claims, Config, Construction, Participant, TemplateError};
use sempre::ltl;
use sempre::translate::{Kind, Method};

/// Who takes part if nobody is named.
pub(super) const DEFAULT: [&str; 3] = ["tableau", "alternating", "classic"];

/// All our own constructions: each translation, each kind, and all that keeps languages.
const OWN: &[&str] = &[
    "tableau",
    "tableau:low",
    "tableau:deterministic",
    "tableau:unambiguous",
    "tableau:ba",
    "tableau:tba:complete",
    "tableau:gba",
    "tableau:weak",
    "tableau:terminal",
    "tableau:cobuchi",
    "tableau:monitor",
    "alternating",
    "alternating:ba:low",
    "classic",
    "classic:low:ba",
    "tableau:low | --reduce=high",
    "tableau:low | --minimize",
    "tableau:low | --degeneralize",
    "tableau | --determinize --to-complete",
    "alternating | --complement --complement",
    "tableau | --determinize --to-parity=colored-max-odd",
    "tableau | --determinize --remove-fin",
];

/// The tools with these texts; `own` stands for several.
pub(super) fn expanded(texts: &[String]) -> Vec<ToolConfig> {
    let mut tools = vec![];
    for text in texts {
        match text.trim() {
            "own" => tools.extend(OWN.iter().copied().map(ToolConfig::new)),
            _ => tools.push(ToolConfig::new(text)),
        }
    }
    tools
}

/// All participants of a set-up.
pub(super) fn participants(config: &Config) -> Result<Vec<Participant>> {
    let mut participants: Vec<Participant> = vec![];
    for tool in config.tools.iter().filter(|tool| tool.enabled) {
        let read = tool.participant(|text| participant(text, config.shell));
        let mut participant = read.map_err(|error| located(&tool.command, error))?;
        if let Err(missing) = participant.tool.ready() {
            bail!("{} cannot take part: {missing}", participant.name);
        }
        // Reports tell participants apart by their names.
        let same = |name: &str| participants.iter().filter(|other| other.name == name).count();
        if same(&participant.name) > 0 {
            let again = (2..).map(|n| format!("{} ({n})", participant.name));
            let name = again.into_iter().find(|name| same(name) == 0);
            participant.name = name.unwrap_or_default();
        }
        participants.push(participant);
    }
    if participants.is_empty() {
        bail!("no tool takes part");
    }
    Ok(participants)
}

/// An error in a command, with its place.
fn located(command: &str, error: TemplateError) -> anyhow::Error {
    let place = Place::Named("tool");
    Located::new(&place, command, ltl::Error::at(error.place, error.message)).into()
}

/// The participant with this text.
fn participant(text: &str, shell: bool) -> Result<Participant, TemplateError> {
    let whole = |message: String| TemplateError { message, place: 0..text.len() };
    let Some((name, translation, steps_text)) = own_steps(text, shell) else {
        return cross::participant(text, shell);
    };
    let choices = match translation.strip_prefix("sempre") {
        Some(options) => Choices::options(options.split_whitespace()),
        None => Choices::read(translation).unwrap_or_else(|| {
            Err(format!("steps can follow {} only", Method::ALL.map(Method::name).join(", ")))
        }),
    };
    let choices = choices.map_err(whole)?;
    let steps = Pipeline::read(steps_text).map_err(|error| whole(format!("{error:#}")))?;
    let claims = claims(&choices, &steps.names());
    let construction = Construction::new(choices).then(Box::new(move |automaton| {
        steps.run(automaton).map_err(|error| format!("{error:#}"))
    }));
    Ok(Participant { claims, ..Participant::new(name, construction) })
}

/// The name, the translation and the steps, if the text has a bar after one of our translations.
fn own_steps(text: &str, shell: bool) -> Option<(&str, &str, &str)> {
    let text = text.trim();
    let (name, rest) = match text.strip_prefix('{') {
        Some(rest) => rest.split_once('}')?,
        None => (text, text),
    };
    let (translation, steps) = rest.split_once('|')?;
    let translation = translation.trim();
    let first = translation.split([' ', ':']).next()?;
    let is_own = first == "sempre" || Method::ALL.map(Method::name).contains(&first);
    (is_own && !shell).then_some((name.trim(), translation, steps.trim()))
}

/// What can be said of the automata after all steps.
fn claims(choices: &Choices, steps: &[&str]) -> Claims {
    let mut claims = Claims { stutter_invariant: true, ..Claims::default() };
    if steps.is_empty() {
        return choices.claims();
    }
    for step in steps {
        claims = match *step {
            "determinize" => Claims { deterministic: true, ..Claims::default() },
            "to-complete" => Claims { complete: true, state_based: false, ..claims },
            "to-state-based" => Claims { state_based: true, ..claims },
            "to-parity" => claims,
            _ => Claims::default(),
        };
        claims.stutter_invariant = choices.kind != Kind::Monitor;
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_our_constructions_can_take_part() {
        let config = Config { tools: expanded(&["own".to_owned()]), ..Config::default() };
        let participants = participants(&config).unwrap();
        assert_eq!(participants.len(), OWN.len());
        let methods = Method::ALL.map(Method::name);
        assert!(methods.iter().all(|method| OWN.contains(method)));
        let kinds = Kind::ALL.map(Kind::name).into_iter().filter(|kind| *kind != "tgba");
        for kind in kinds {
            assert!(OWN.iter().any(|text| text.split(':').any(|part| part == kind)), "{kind}");
        }
    }

    #[test]
    fn steps_follow_translations_only() {
        let named = participant("{mine} classic:ba | --determinize --to-complete", false).unwrap();
        assert_eq!(named.name, "mine");
        assert!(named.claims.deterministic && named.claims.complete && !named.claims.buchi);
        let options = participant("sempre --kind ba | --trim", false).unwrap();
        assert_eq!(options.name, "sempre --kind ba | --trim");
        assert!(participant("spin -f %s | --trim", false).is_err());
        assert!(participant("tableau | --nonsense", false).is_err());
        assert!(participant("tableau | --determinize --product x", false).is_err());
    }

    #[test]
    fn names_are_distinct() {
        let texts = ["tableau", "tableau", "{tableau} classic"].map(ToOwned::to_owned);
        let config = Config { tools: expanded(&texts), ..Config::default() };
        let names = participants(&config).unwrap().into_iter().map(|tool| tool.name);
        assert_eq!(names.collect::<Vec<_>>(), ["tableau", "tableau (2)", "tableau (3)"]);
    }
}
