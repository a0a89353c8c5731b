//! Parses the tools of command lines and configurations.

use crate::commands::aut::pipeline::{self, Pipeline};
use crate::report::{Located, Place};
use anyhow::{Result, bail};
use sempre::automata::transform::{Language, Registry, Step, Steps};
use sempre::cross::config::ToolConfig;
use sempre::cross::{self, Choices, Claims, Config, Construction, Participant, TemplateError};
use sempre::ltl;
use sempre::ltl::options::{self, Settings};
use sempre::translate::Method;

/// The default tools.
pub(super) const DEFAULT: [&str; 3] = ["tableau", "alternating", "classic"];

/// Our own constructions: each translation and each kind. [`own`] adds the other steps that
/// preserve the language.
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
    "tableau:det",
    "tableau:dpa:complete",
    "tableau:dra",
    "tableau:dgra",
    "tableau:sdtgba",
    "tableau:sdtba",
    "tableau:sdba",
    "tableau:cdtgba",
    "tableau:cdtba",
    "tableau:cdba:complete",
    "weak",
    "breakpoint",
    "breakpoint:dual",
    "breakpoint-unfolded",
    "breakpoint-unfolded:dual",
    "master",
    "master:dual",
    "decomposition",
    "decomposition:dual",
    "decomposition-obligations",
    "decomposition-classes",
    "decomposition-limits",
    "decomposition-windows",
    "normalization",
    "normalization:dual",
    "mmaa",
    "safra",
    "safra:dual",
    "alternating",
    "alternating:ba:low",
    "classic",
    "classic:low:ba",
    "gpvw+",
    "ltl2aut",
    "tableau:low | --reduce=high",
    "tableau:low | --minimize",
    "tableau:low | --degeneralize",
    "tableau | --determinize --to-complete",
    "alternating | --complement --complement",
    "tableau | --determinize --to-parity=colored-max-odd",
    "tableau | --determinize --remove-fin",
];

/// Returns the texts of all our own constructions.
fn own(registry: &Registry) -> Vec<String> {
    let mut texts: Vec<String> = OWN.iter().map(|text| (*text).to_owned()).collect();
    for row in registry.rows().iter().filter(|row| !row.takes_operand()) {
        let Ok(step) = Step::new(row, Settings::default(), None) else { continue };
        let option = format!("--{}", row.name);
        let is_there = |text: &String| text.split([' ', '=']).any(|word| word == option);
        if step.claims().language == Language::Same && !texts.iter().any(is_there) {
            texts.push(format!("tableau:low | {option}"));
        }
    }
    texts
}

/// Parses the tools that transform automata. `own` means all steps that preserve the language, or
/// complement it, each with all its options.
pub(super) fn expanded_steps(texts: &[String], language: Language) -> Vec<ToolConfig> {
    let mut tools = vec![];
    for text in texts {
        match text.trim() {
            "own" => tools.extend(own_steps(&Registry::built_in(), language)),
            _ => tools.push(ToolConfig::new(text)),
        }
    }
    tools
}

/// Returns the steps of a registry with this effect on the language.
fn own_steps(registry: &Registry, language: Language) -> Vec<ToolConfig> {
    let mut tools = vec![];
    for row in registry.rows().iter().filter(|row| !row.takes_operand()) {
        for settings in options::variations(&row.parameters()) {
            if (row.claims)(&settings).language == language {
                tools.push(ToolConfig::new(format!("aut {}", pipeline::text(row, &settings))));
            }
        }
    }
    tools
}

/// Parses the tools; `own` means several.
pub(super) fn expanded(texts: &[String]) -> Vec<ToolConfig> {
    let mut tools = vec![];
    for text in texts {
        match text.trim() {
            "own" => tools.extend(own(&Registry::built_in()).iter().map(ToolConfig::new)),
            _ => tools.push(ToolConfig::new(text)),
        }
    }
    tools
}

/// Returns all participants of a configuration.
pub(super) fn participants(config: &Config) -> Result<Vec<Participant>> {
    let mut participants: Vec<Participant> = vec![];
    for tool in config.tools.iter().filter(|tool| tool.enabled) {
        let read = tool.participant(|text| participant(text, config.shell));
        let mut participant = read.map_err(|error| located(&tool.command, error))?;
        if let Err(missing) = participant.tool.ready() {
            bail!("{} is not available: {missing}", participant.name);
        }
        // Reports identify participants by their names.
        let same = |name: &str| participants.iter().filter(|other| other.name == name).count();
        if same(&participant.name) > 0 {
            let again = (2..).map(|n| format!("{} ({n})", participant.name));
            let name = again.into_iter().find(|name| same(name) == 0);
            participant.name = name.unwrap_or_default();
        }
        participants.push(participant);
    }
    if participants.is_empty() {
        bail!("no tool is given");
    }
    Ok(participants)
}

/// Returns an error in a command, with its place.
fn located(command: &str, error: TemplateError) -> anyhow::Error {
    let place = Place::Named("tool");
    Located::new(&place, command, ltl::Error::at(error.place, error.message)).into()
}

/// Parses a participant.
fn participant(text: &str, shell: bool) -> Result<Participant, TemplateError> {
    let whole = |message: String| TemplateError { message, place: 0..text.len() };
    let Some((name, translation, steps_text)) = with_steps(text, shell) else {
        return cross::participant(text, shell);
    };
    let choices = match translation.strip_prefix("sempre") {
        Some(options) => Choices::options(options.split_whitespace()),
        None => Choices::read(translation).unwrap_or_else(|| {
            Err(format!("steps can follow only {}", Method::ALL.map(Method::name).join(", ")))
        }),
    };
    let choices = choices.map_err(whole)?;
    let steps = Pipeline::read(steps_text).map_err(|error| whole(format!("{error:#}")))?;
    let claims = claims(&choices, &steps);
    let construction = Construction::new(choices).then(Box::new(move |automaton| {
        pipeline::run(&steps, automaton).map_err(|error| format!("{error:#}"))
    }));
    Ok(Participant { claims, ..Participant::new(name, construction) })
}

/// Splits a text at the bar after one of our translations: the name, the translation, the steps.
fn with_steps(text: &str, shell: bool) -> Option<(&str, &str, &str)> {
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

/// Returns the properties of the automata after all steps.
fn claims(choices: &Choices, steps: &Steps) -> Claims {
    choices.claims().after(steps.claims())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre::automata::transform::{Property, Run, Transformation};
    use sempre::translate::deterministic::Route;

    #[test]
    fn all_our_constructions_can_take_part() {
        let config = Config { tools: expanded(&["own".to_owned()]), ..Config::default() };
        let participants = participants(&config).unwrap();
        // Every row that preserves the language takes part.
        let names: Vec<&str> = participants.iter().map(|tool| tool.name.as_str()).collect();
        for row in Registry::built_in().rows() {
            let option = format!("--{}", row.name);
            let mut words = names.iter().flat_map(|name| name.split([' ', '=']));
            let keeps = (row.claims)(&Settings::default()).language == Language::Same;
            assert!(!keeps || words.any(|word| word == option), "{option}");
        }
        // Automata of atoms are too large for formulas of the usual sizes.
        let mut methods = Method::ALL.into_iter().filter(|method| *method != Method::Atoms);
        assert!(methods.all(|method| OWN.contains(&method.name())));
        let kinds = sempre::translate::Kind::ALL
            .map(sempre::translate::Kind::name)
            .into_iter()
            .filter(|kind| *kind != "tgba");
        for route in Route::ALL {
            assert!(OWN.contains(&route.name()), "{route}");
        }
        for kind in kinds {
            assert!(OWN.iter().any(|text| text.split(':').any(|part| part == kind)), "{kind}");
        }
    }

    /// A row from outside the library.
    static TOY: Transformation = Transformation {
        name: "copy",
        help: "Do nothing",
        value: None,
        options: &[],
        claims: |_| Default::default(),
        run: Run::Unary(|automaton, _| Ok(automaton.clone())),
        keeping: &[],
    };

    #[test]
    fn a_row_takes_part_wherever_steps_do() {
        let registry = Registry::built_in().with(&TOY);
        assert!(own(&registry).contains(&"tableau:low | --copy".to_owned()));
        let texts = |language| {
            let tools = own_steps(&registry, language).into_iter();
            tools.map(|tool| tool.command).collect::<Vec<String>>()
        };
        let kept = texts(Language::Same);
        assert!(kept.contains(&"aut --copy".to_owned()));
        assert!(kept.contains(&"aut --degeneralize=tb".to_owned()));
        assert!(texts(Language::Complement).contains(&"aut --complement".to_owned()));
    }

    #[test]
    fn steps_follow_translations_only() {
        let named = participant("{mine} classic:ba | --determinize --to-complete", false).unwrap();
        assert_eq!(named.name, "mine");
        let claimed = [Property::Deterministic, Property::Complete, Property::Buchi]
            .map(|property| named.claims.properties.contains(property));
        assert_eq!(claimed, [true, true, false]);
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
