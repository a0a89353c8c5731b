//! Set-ups that are kept in files: who takes part, which formulas and structures there are, which
//! tests are performed, and what they may cost.
//!
//! A set-up is written in TOML; the files of lbtt, with their `Algorithm` blocks, are read as well.
//! Unknown keys are errors, as a misspelt one would change a run without a word.

mod lbtt;

use crate::shorthand;
use crate::{Participant, Program, Scope, StructureKind, Structures, TemplateError, Tests};
use sempre_automata::random::KripkeKind;
use sempre_automata::transform::{Properties, Property};
use sempre_ltl::Prop;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::time::Duration;

/// A set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// The number of rounds; by default the number of formulas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<usize>,
    /// The number of skipped rounds at the beginning.
    pub skip: usize,
    /// Seconds that a translation may take; 60 if that is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// Mebibytes of memory that a program may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Rounds that are performed at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// Whether the first failure ends the run.
    pub stop_on_error: bool,
    /// Whether a translation that takes too long is an error.
    pub fail_on_timeout: bool,
    /// Whether commands are run by a shell.
    pub shell: bool,
    /// Where formulas come from.
    pub formulas: FormulaConfig,
    /// The structures that results are compared on.
    pub structures: StructureConfig,
    /// The tests that are performed.
    pub tests: TestConfig,
    /// Who takes part.
    #[serde(rename = "tool", skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolConfig>,
}

/// Seconds that a translation may take if nothing else is said: translations are exponential, and
/// some programs would rather run for days than give up.
const TIMEOUT: f64 = 60.0;

impl Default for Config {
    fn default() -> Self {
        Config {
            rounds: None,
            skip: 0,
            timeout: Some(TIMEOUT),
            memory: None,
            threads: None,
            stop_on_error: false,
            fail_on_timeout: false,
            shell: false,
            formulas: FormulaConfig::default(),
            structures: StructureConfig::default(),
            tests: TestConfig::default(),
            tools: vec![],
        }
    }
}

/// Where formulas come from. Those that are given come first; there are random ones if none are
/// given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct FormulaConfig {
    /// Formulas.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formulas: Vec<String>,
    /// Files of formulas.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Families and their numbers, such as `and-fg 1..3`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<String>,
    /// Sets of formulas from the literature.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    /// The size of random formulas, or a range: `5..12`.
    pub size: String,
    /// The propositions of random formulas, by name, or their number.
    pub propositions: Propositions,
    /// The operators and priorities of the report: `op1` or `op2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Changes of priorities, such as `X=0, xor=2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priorities: Option<String>,
    /// The parameters of random formulas.
    pub seed: u64,
}

impl Default for FormulaConfig {
    fn default() -> Self {
        FormulaConfig {
            formulas: vec![],
            files: vec![],
            families: vec![],
            patterns: vec![],
            size: "12".to_owned(),
            propositions: Propositions::Number(3),
            preset: None,
            priorities: None,
            seed: 0,
        }
    }
}

/// Propositions by number or by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Propositions {
    /// `p0`, `p1` and so on.
    Number(usize),
    /// These.
    Names(Vec<String>),
}

/// The most propositions that formulas may be generated over.
const MAX_PROPOSITIONS: usize = 1000;

impl Propositions {
    /// All of them.
    ///
    /// # Errors
    /// If there are too many, or one is given twice.
    pub fn props(&self) -> Result<Vec<Prop>, String> {
        match self {
            Propositions::Number(count) if *count > MAX_PROPOSITIONS => {
                Err(format!("there can be {MAX_PROPOSITIONS} propositions at most"))
            }
            Propositions::Number(count) => {
                Ok((0..*count).map(|i| Prop::new(format!("p{i}"))).collect())
            }
            Propositions::Names(names) => {
                let mut props: Vec<Prop> = names.iter().map(Prop::new).collect();
                props.sort();
                match props.windows(2).find(|pair| pair[0] == pair[1]) {
                    Some(pair) => {
                        Err(format!("the proposition `{}` is given twice", pair[0].name()))
                    }
                    None => Ok(props),
                }
            }
        }
    }
}

/// The structures that results are compared on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct StructureConfig {
    /// The kind of the structures.
    pub kind: GraphKind,
    /// The number of states.
    pub states: usize,
    /// The probability of an edge.
    pub density: f64,
    /// The probability that a proposition holds in a state.
    pub truth: f64,
    /// The number of structures per round.
    pub count: usize,
    /// The number of rounds between new structures; 0 for never.
    pub interval: usize,
    /// Where results are compared.
    pub scope: ScopeConfig,
    /// The propositions; those of each formula if they are not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub propositions: Option<Propositions>,
    /// Their parameters.
    pub seed: u64,
}

/// The kinds of structures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphKind {
    /// Random graphs, all states of which can be reached.
    #[default]
    Connected,
    /// Random graphs.
    Random,
    /// A single path that leads back to one of its states.
    Sequential,
    /// All such paths, one after the other.
    Enumerated,
}

/// Where in structures results are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeConfig {
    /// At all states.
    #[default]
    Global,
    /// At the initial state.
    Local,
}

impl Default for StructureConfig {
    fn default() -> Self {
        let Structures { states, density, truth, count, interval, seed, .. } =
            Structures::default();
        StructureConfig {
            kind: GraphKind::default(),
            states,
            density,
            truth,
            count,
            interval,
            scope: ScopeConfig::default(),
            propositions: None,
            seed,
        }
    }
}

/// The most states that a structure may have.
const MAX_STATES: usize = 10_000;

impl StructureConfig {
    /// How structures are made.
    ///
    /// # Errors
    /// If a number makes no sense.
    pub fn structures(&self) -> Result<Structures, String> {
        for (name, value) in [("density", self.density), ("truth", self.truth)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("the {name} of structures is {value}, not between 0 and 1"));
            }
        }
        if self.states == 0 || self.states > MAX_STATES {
            return Err(format!("structures have from 1 to {MAX_STATES} states"));
        }
        let propositions = self.propositions.as_ref().map(Propositions::props).transpose()?;
        Ok(Structures {
            kind: match self.kind {
                GraphKind::Connected => StructureKind::Random(KripkeKind::Connected),
                GraphKind::Random => StructureKind::Random(KripkeKind::Graph),
                GraphKind::Sequential => StructureKind::Random(KripkeKind::Sequential),
                GraphKind::Enumerated => StructureKind::Enumerated,
            },
            states: self.states,
            density: self.density,
            truth: self.truth,
            propositions,
            seed: self.seed,
            count: self.count,
            interval: self.interval,
            scope: match self.scope {
                ScopeConfig::Global => Scope::Global,
                ScopeConfig::Local => Scope::Local,
            },
        })
    }
}

/// The tests that are performed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct TestConfig {
    /// Test 1.
    pub intersection: bool,
    /// Test 2.
    pub universality: bool,
    /// Test 3.
    pub comparison: bool,
    /// Test 4.
    pub consistency: bool,
    /// The complements of deterministic automata.
    pub complement: bool,
    /// The claimed properties of automata.
    pub claims: bool,
    /// The maximal number of macrostates of a complement per test.
    pub macrostates: usize,
    /// Seconds that a test may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
}

impl Default for TestConfig {
    fn default() -> Self {
        let tests = Tests::default();
        TestConfig {
            intersection: tests.intersection,
            universality: tests.universality,
            comparison: tests.comparison,
            consistency: tests.consistency,
            complement: tests.complement,
            claims: tests.claims,
            macrostates: tests.macrostates,
            timeout: None,
        }
    }
}

impl TestConfig {
    /// The tests and their budgets.
    ///
    /// # Errors
    /// If the time makes no sense.
    pub fn tests(&self) -> Result<Tests, String> {
        Ok(Tests {
            intersection: self.intersection,
            universality: self.universality,
            comparison: self.comparison,
            consistency: self.consistency,
            complement: self.complement,
            claims: self.claims,
            macrostates: self.macrostates,
            time: self.timeout.map(duration).transpose()?,
        })
    }

    /// The setting of a test by its name, to be changed.
    pub fn by_name(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "intersection" => &mut self.intersection,
            "universality" => &mut self.universality,
            "comparison" => &mut self.comparison,
            "consistency" => &mut self.consistency,
            "complement" => &mut self.complement,
            "claims" => &mut self.claims,
            _ => return None,
        })
    }
}

/// A number of seconds as a time.
///
/// # Errors
/// If it is no positive number, or too large.
pub fn duration(seconds: f64) -> Result<Duration, String> {
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("{seconds} is no time in seconds"))
}

/// A participant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ToolConfig {
    /// How reports call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The command, as on the command line.
    pub command: String,
    /// Parameters, if the program is to be called as lbtt calls programs; `command` is its path
    /// then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lbtt_parameters: Option<String>,
    /// Whether it takes part.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
    /// Whether its automata are taken to be right.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reference: bool,
    /// The claimed properties of its automata, as in HOA's `properties:`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

/// A claimed property of automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// Deterministic.
    Deterministic,
    /// Complete.
    Complete,
    /// Unambiguous.
    Unambiguous,
    /// With acceptance on states.
    StateAcc,
    /// With Büchi acceptance.
    Buchi,
    /// Stutter-invariant where the formula has no `X`.
    StutterInvariant,
}

impl Claim {
    /// The property of automata, if it is not one of their languages.
    fn property(self) -> Option<Property> {
        match self {
            Claim::Deterministic => Some(Property::Deterministic),
            Claim::Complete => Some(Property::Complete),
            Claim::Unambiguous => Some(Property::Unambiguous),
            Claim::StateAcc => Some(Property::StateBased),
            Claim::Buchi => Some(Property::Buchi),
            Claim::StutterInvariant => None,
        }
    }
}

impl ToolConfig {
    /// A participant by its command alone.
    pub fn new(command: impl Into<String>) -> Self {
        ToolConfig {
            name: None,
            command: command.into(),
            lbtt_parameters: None,
            enabled: true,
            reference: false,
            claims: vec![],
        }
    }

    /// The participant, as `read` makes it from its command.
    ///
    /// # Errors
    /// If the command makes no sense.
    pub fn participant(
        &self,
        read: impl FnOnce(&str) -> Result<Participant, TemplateError>,
    ) -> Result<Participant, TemplateError> {
        let mut participant = match &self.lbtt_parameters {
            None => read(&self.command)?,
            Some(parameters) => {
                let place = 0..parameters.len();
                let program = Program::lbtt(&self.command, parameters)
                    .map_err(|message| TemplateError { message, place })?;
                // lbtt knows nothing of what a program cannot read, but we may.
                let tool = shorthand::Shorthand::of(&self.command);
                let program = program.unsupported(tool.map_or(&[], |tool| tool.unsupported));
                Participant::new(format!("{} {parameters}", self.command).trim_end(), program)
            }
        };
        if let Some(name) = &self.name {
            participant.name.clone_from(name);
        }
        participant.reference |= self.reference;
        for claim in &self.claims {
            let claims = &mut participant.claims;
            match claim.property() {
                Some(property) => {
                    claims.properties = claims.properties.union(Properties::only(property));
                }
                None => claims.stutter_invariant = true,
            }
        }
        Ok(participant)
    }
}

/// An error in a set-up, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// The error message.
    pub message: String,
    /// The bytes of the text that are to blame, if some are.
    pub place: Option<Range<usize>>,
}

impl Config {
    /// Reads a set-up, in TOML or in lbtt's format.
    ///
    /// ```
    /// use sempre_cross::Config;
    /// let toml = Config::read("rounds = 5\n[[tool]]\ncommand = 'spin'\n")?;
    /// assert_eq!((toml.rounds, &*toml.tools[0].command), (Some(5), "spin"));
    /// let lbtt = Config::read("Algorithm { Name = \"A\" Path = \"/bin/lbt\" Enabled = No }")?;
    /// assert!(!lbtt.tools[0].enabled);
    /// let error = Config::read("round = 5").unwrap_err();
    /// assert_eq!(error.place, Some(0..5));
    /// # Ok::<(), sempre_cross::ConfigError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is neither, or has a key or a value that is unknown.
    pub fn read(text: &str) -> Result<Config, ConfigError> {
        if lbtt::looks_like(text) {
            return lbtt::read(text);
        }
        toml::from_str(text).map_err(|error| ConfigError {
            message: error.message().to_owned(),
            place: error.span(),
        })
    }

    /// The set-up as TOML.
    ///
    /// # Errors
    /// Says what TOML cannot express: numbers beyond 64 bits with a sign.
    pub fn to_toml(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests;
