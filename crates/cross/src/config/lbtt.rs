//! The configuration files of lbtt 1.x.
//!
//! A file has blocks of settings, `Block { Key = Value … }`, with comments from `#` to the end of
//! the line. Names are case-insensitive; values with blanks are quoted. The supported blocks are
//! `Algorithm` (or `Translator`, or `Implementation`), `GlobalOptions`, `FormulaOptions` and
//! `StateSpaceOptions`; settings of lbtt's own display are skipped.

use super::{Config, ConfigError, GraphKind, Propositions, ScopeConfig, ToolConfig};
use crate::method::suggestion;
use std::ops::Range;

/// The names of blocks.
const BLOCKS: [&str; 6] = [
    "algorithm",
    "translator",
    "implementation",
    "globaloptions",
    "formulaoptions",
    "statespaceoptions",
];

/// True if the text begins with a block.
pub(super) fn looks_like(text: &str) -> bool {
    let mut lexer = Lexer { text, at: 0 };
    let Ok(Some((name, _))) = lexer.word() else { return false };
    let is_block = BLOCKS.contains(&&*name.to_ascii_lowercase());
    is_block && matches!(lexer.word(), Ok(Some((brace, _))) if brace == "{")
}

/// Reads a file of lbtt.
pub(super) fn read(text: &str) -> Result<Config, ConfigError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut config = Config {
        // The defaults of lbtt.
        rounds: Some(10),
        ..Config::default()
    };
    "5".clone_into(&mut config.formulas.size);
    config.formulas.propositions = Propositions::Number(5);
    config.structures.states = 20;
    config.structures.density = 0.2;
    config.formulas.seed = 1;
    config.structures.seed = 1;
    let mut priorities = Priorities::default();
    while let Some((block, place)) = lexer.word()? {
        let block = block.to_ascii_lowercase();
        if !BLOCKS.contains(&&*block) {
            let similar = suggestion(&block, BLOCKS);
            return Err(at(place, format!("there is no block `{block}`{similar}")));
        }
        lexer.expect("{")?;
        let mut tool = ToolConfig { lbtt_parameters: Some(String::new()), ..ToolConfig::new("") };
        while let Some(setting) = lexer.setting()? {
            let known = match &*block {
                "globaloptions" => global(&mut config, &setting)?,
                "formulaoptions" => formulas(&mut config, &mut priorities, &setting)?,
                "statespaceoptions" => structures(&mut config, &setting)?,
                _ => algorithm(&mut tool, &setting)?,
            };
            if !known {
                let Setting { key, key_place, .. } = setting;
                return Err(at(key_place, format!("there is no key `{key}` in this block")));
            }
        }
        if !matches!(&*block, "globaloptions" | "formulaoptions" | "statespaceoptions") {
            if tool.command.is_empty() {
                return Err(at(place, "the block has no Path"));
            }
            config.tools.push(without_wrapper(tool));
        }
    }
    config.formulas.priorities = priorities.text();
    Ok(config)
}

/// Replaces a call of `lbtt-translate`, which wraps a translator for lbtt, by the translator.
fn without_wrapper(mut tool: ToolConfig) -> ToolConfig {
    let program = tool.command.rsplit('/').next();
    let wrapped = tool.lbtt_parameters.as_deref().unwrap_or_default().trim_start();
    let options = ["--spin", "--lbt", "--spot"].into_iter();
    let command = options.filter_map(|option| wrapped.strip_prefix(option)).find_map(|rest| {
        let rest = rest.strip_prefix('=').unwrap_or(rest).trim();
        let quoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        Some(quoted.unwrap_or(rest)).filter(|command| !command.is_empty())
    });
    if let (Some("lbtt-translate"), Some(command)) = (program, command) {
        tool.command = command.to_owned();
        tool.lbtt_parameters = None;
    }
    tool
}

fn at(place: Range<usize>, message: impl Into<String>) -> ConfigError {
    ConfigError { message: message.into(), place: Some(place) }
}

struct Setting {
    /// In lower case.
    key: String,
    key_place: Range<usize>,
    value: String,
    place: Range<usize>,
}

impl Setting {
    fn number<T: std::str::FromStr>(&self) -> Result<T, ConfigError> {
        let number = self.value.parse();
        number.map_err(|_| at(self.place.clone(), format!("`{}` is no number", self.value)))
    }

    fn flag(&self) -> Result<bool, ConfigError> {
        match &*self.value.to_ascii_lowercase() {
            "yes" | "true" => Ok(true),
            "no" | "false" => Ok(false),
            _ => Err(at(self.place.clone(), "this is neither yes nor no")),
        }
    }

    /// Parses a range `5-15`, or a number.
    fn range(&self) -> Result<String, ConfigError> {
        let (low, high) = self.value.split_once(['-', '.']).unwrap_or((&self.value, &self.value));
        let high = high.trim_start_matches('.');
        match (low.trim().parse::<usize>(), high.trim().parse::<usize>()) {
            (Ok(low), Ok(high)) if low == high => Ok(low.to_string()),
            (Ok(low), Ok(high)) if low < high => Ok(format!("{low}..{high}")),
            _ => Err(at(self.place.clone(), format!("`{}` is no range", self.value))),
        }
    }

    /// Parses a time such as `1h30min` or `10s`.
    fn time(&self) -> Result<f64, ConfigError> {
        let wrong = || at(self.place.clone(), format!("`{}` is no time", self.value));
        let mut rest = &*self.value;
        let mut seconds = 0.0;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let number: f64 = rest[..digits].parse().map_err(|_| wrong())?;
            rest = &rest[digits..];
            let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            seconds += number
                * match &rest[..letters] {
                    "h" | "hour" | "hours" => 3600.0,
                    "min" | "minute" | "minutes" => 60.0,
                    "" | "s" | "sec" | "second" | "seconds" => 1.0,
                    _ => return Err(wrong()),
                };
            rest = &rest[letters..];
        }
        Ok(seconds)
    }
}

fn algorithm(tool: &mut ToolConfig, setting: &Setting) -> Result<bool, ConfigError> {
    match &*setting.key {
        "name" => tool.name = Some(setting.value.clone()),
        "path" | "programpath" => tool.command.clone_from(&setting.value),
        "parameters" => tool.lbtt_parameters = Some(setting.value.clone()),
        "enabled" => tool.enabled = setting.flag()?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn global(config: &mut Config, setting: &Setting) -> Result<bool, ConfigError> {
    match &*setting.key {
        "rounds" => config.rounds = Some(setting.number()?),
        "intersectiontest" => config.tests.intersection = setting.flag()?,
        "comparisontest" => config.tests.comparison = setting.flag()?,
        "consistencytest" => config.tests.consistency = setting.flag()?,
        "comparisoncheck" => config.tests.comparison = setting.flag()?,
        "consistencycheck" => config.tests.consistency = setting.flag()?,
        "modelcheck" | "modelcheckingmode" => {
            config.structures.scope = match &*setting.value.to_ascii_lowercase() {
                "global" => ScopeConfig::Global,
                "local" => ScopeConfig::Local,
                _ => return Err(at(setting.place.clone(), "this is neither Global nor Local")),
            }
        }
        "translatortimeout" => config.timeout = Some(setting.time()?),
        // There is no interactive mode to configure.
        "interactive" | "verbosity" => {}
        _ => return Ok(false),
    }
    Ok(true)
}

fn formulas(
    config: &mut Config,
    priorities: &mut Priorities,
    setting: &Setting,
) -> Result<bool, ConfigError> {
    let formulas = &mut config.formulas;
    match &*setting.key {
        "size" => formulas.size = setting.range()?,
        "propositions" => formulas.propositions = Propositions::Number(setting.number()?),
        "randomseed" => formulas.seed = setting.number()?,
        "defaultoperatorpriority" => priorities.default = Some(setting.number()?),
        // Formulas change in every round, and are not simplified.
        "changeinterval" | "generatemode" | "outputmode" | "abbreviatedoperators" => {}
        key => {
            let named = key.strip_suffix("priority").and_then(|name| {
                OPERATORS.iter().find(|(names, _)| names.contains(&name)).map(|(_, op)| *op)
            });
            let Some(op) = named else { return Ok(false) };
            priorities.given.push((op, setting.number()?));
        }
    }
    Ok(true)
}

/// lbtt's names of operators, and ours.
const OPERATORS: &[(&[&str], &str)] = &[
    (&["proposition"], "ap"),
    (&["true"], "true"),
    (&["false"], "false"),
    (&["not"], "!"),
    (&["next"], "X"),
    (&["finally"], "F"),
    (&["globally"], "G"),
    (&["and"], "&"),
    (&["or"], "|"),
    (&["implication"], "->"),
    (&["equivalence"], "<->"),
    (&["xor"], "xor"),
    (&["until"], "U"),
    (&["release"], "R"),
    (&["weakuntil"], "W"),
    (&["strongrelease"], "M"),
];

/// The priorities of lbtt.
#[derive(Default)]
struct Priorities {
    default: Option<u32>,
    given: Vec<(&'static str, u32)>,
}

impl Priorities {
    /// Returns our list of priorities; the defaults if there are no settings.
    fn text(&self) -> Option<String> {
        if self.default.is_none() && self.given.is_empty() {
            return None;
        }
        let entries = OPERATORS.iter().map(|(_, op)| {
            let given = self.given.iter().rev().find(|(known, _)| known == op);
            let priority = match (given, *op) {
                (Some((_, priority)), _) => *priority,
                (None, "ap") => 50,
                (None, "true" | "false") => 1,
                (None, _) => self.default.unwrap_or(0),
            };
            format!("{op}={priority}")
        });
        Some(entries.collect::<Vec<_>>().join(","))
    }
}

fn structures(config: &mut Config, setting: &Setting) -> Result<bool, ConfigError> {
    let structures = &mut config.structures;
    match &*setting.key {
        "generatemode" => {
            structures.kind = match &*setting.value.to_ascii_lowercase() {
                "randomconnectedgraph" => GraphKind::Connected,
                "randomgraph" => GraphKind::Random,
                "randompath" => GraphKind::Sequential,
                "enumeratedpath" => GraphKind::Enumerated,
                _ => {
                    let modes = "RandomConnectedGraph, RandomGraph, RandomPath, EnumeratedPath";
                    return Err(at(setting.place.clone(), format!("there are {modes}")));
                }
            }
        }
        "size" => {
            // Structures have one size here: the largest that lbtt would draw.
            let range = setting.range()?;
            let high = range.rsplit('.').next().unwrap_or(&range);
            structures.states = high.parse().unwrap_or(structures.states);
        }
        "edgeprobability" => structures.density = setting.number()?,
        "truthprobability" => structures.truth = setting.number()?,
        "propositions" => structures.propositions = Some(Propositions::Number(setting.number()?)),
        "changeinterval" => structures.interval = setting.number()?,
        "randomseed" => structures.seed = setting.number()?,
        _ => return Ok(false),
    }
    Ok(true)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            let rest = &self.text[self.at..];
            if !rest.starts_with('#') {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// A brace, an equals sign, a text in quotes, or a word.
    fn word(&mut self) -> Result<Option<(String, Range<usize>)>, ConfigError> {
        self.skip();
        let start = self.at;
        let Some(first) = self.text[start..].chars().next() else { return Ok(None) };
        let mut text = String::new();
        match first {
            '{' | '}' | '=' => {
                self.at += 1;
                text.push(first);
            }
            '"' | '\'' => {
                let mut escaped = false;
                let mut closed = false;
                for (i, c) in self.text[start + 1..].char_indices() {
                    self.at = start + 1 + i + c.len_utf8();
                    match c {
                        _ if escaped => {
                            text.push(c);
                            escaped = false;
                        }
                        '\\' if first == '"' => escaped = true,
                        c if c == first => {
                            closed = true;
                            break;
                        }
                        c => text.push(c),
                    }
                }
                if !closed {
                    return Err(at(start..start + 1, "the quote is not closed"));
                }
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}=#\"".contains(c);
                let rest = &self.text[start..];
                self.at += rest.find(ends).unwrap_or(rest.len());
                text.push_str(&self.text[start..self.at]);
            }
        }
        Ok(Some((text, start..self.at)))
    }

    fn expect(&mut self, what: &str) -> Result<(), ConfigError> {
        match self.word()? {
            Some((word, _)) if word == what => Ok(()),
            Some((_, place)) => Err(at(place, format!("`{what}` is expected here"))),
            None => {
                let end = self.text.len();
                Err(at(end..end, format!("`{what}` is expected at the end")))
            }
        }
    }

    /// Returns the next setting of a block; `None` at its end.
    fn setting(&mut self) -> Result<Option<Setting>, ConfigError> {
        let end = self.text.len();
        let Some((key, key_place)) = self.word()? else {
            return Err(at(end..end, "the block is not closed: `}` is expected at the end"));
        };
        if key == "}" {
            return Ok(None);
        }
        self.expect("=")?;
        match self.word()? {
            Some((value, place)) if !matches!(&*value, "{" | "}" | "=") => {
                Ok(Some(Setting { key: key.to_ascii_lowercase(), key_place, value, place }))
            }
            Some((_, place)) => Err(at(place, "a value is expected here")),
            None => Err(at(end..end, "a value is expected at the end")),
        }
    }
}
