//! The models of experiments: generated families, models shipped with the project, and collections
//! in folders, with their known results.
//!
//! | folder | holds |
//! |---|---|
//! | `beem` | models `NAME.dve`; `counts.tsv` with the columns `model`, `states`, `transitions` |
//! | `mcc` | nets `INSTANCE/model.pnml` with `LTLCardinality.xml`, `LTLFireability.xml` and `verdicts.tsv` (name and `TRUE`, `FALSE` or `?`); `index.tsv` with the columns `instance` and `reachable_markings`, which is `+inf` for unbounded nets |
//! | `promela` | models in folders, such as `beem/NAME.pm`; `properties.tsv` with the columns `model`, `name`, `origin`, `verdict` and `formula`, in the syntax of Spin |
//! | `beem-ltl` | pairs of `NAME.dve` and `NAME.tsv`, whose columns are `holds` or `violated` and a formula |

use crate::settings::{Settings, existing};
use crate::table::Table;
use anyhow::{Context, Result, bail};
use rustc_hash::FxHashMap;
use sempre_ltl::Formula;
use sempre_ltl::generate::Rng;
use sempre_ltl::generate::random::RandomFormulas;
use sempre_ltl::syntax::{self, Syntax};
use sempre_models::property::{Property, mcc};
use sempre_models::{Languages, Model, dve, generate};
use std::fs;
use std::path::{Path, PathBuf};

/// The source of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A member of a family of nets.
    Family(String, u32),
    /// A model in DVE that the project ships.
    Shipped(&'static str),
    /// A file.
    File(PathBuf),
}

/// The DVE models shipped with the project.
const SHIPPED: [(&str, &str); 2] = [
    ("peterson", include_str!("../../../models/peterson.dve")),
    ("counters", include_str!("../../../models/counters.dve")),
];

impl Place {
    /// Parses a name: `FAMILY:NUMBER`, `shipped:NAME`, or a model of the BEEM collection.
    ///
    /// # Errors
    /// If no such model exists.
    pub fn named(name: &str, settings: &Settings) -> Result<Self> {
        match name.split_once(':') {
            Some(("shipped", name)) => {
                let found = SHIPPED.iter().find(|(known, _)| *known == name);
                Ok(Place::Shipped(
                    found.with_context(|| format!("no shipped model is named `{name}`"))?.1,
                ))
            }
            Some((family, number)) => Ok(Place::Family(family.to_owned(), number.parse()?)),
            None => {
                let folder = settings.collection("beem")?;
                Ok(Place::File(existing(&folder, &format!("{name}.dve"))?))
            }
        }
    }

    /// Reads or generates the model.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(&self) -> Result<Model> {
        Ok(match self {
            Place::Family(family, number) => Model::from(generate::family(family)?.net(*number)?),
            Place::Shipped(text) => Model::from(dve::parse(text)?),
            Place::File(path) => {
                let opened = Languages::default().open(path, None);
                opened.with_context(|| path.display().to_string())?
            }
        })
    }
}

/// The expected number of states of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// As counted by other tools.
    Count(String),
    /// Infinite.
    Unbounded,
    /// Unknown.
    Unknown,
}

impl Expected {
    fn of(text: &str) -> Self {
        match text {
            "+inf" => Expected::Unbounded,
            text if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Expected::Count(text.to_owned())
            }
            _ => Expected::Unknown,
        }
    }
}

/// A model for counting states.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The collection.
    pub collection: &'static str,
    /// The name.
    pub name: String,
    /// Its source.
    pub place: Place,
    /// The expected number of states.
    pub states: Expected,
    /// The expected number of transitions, if known.
    pub transitions: Option<String>,
}

/// Families of nets with published numbers of markings (Klai and Poitrenaud, MC-SOG, 2008, Table
/// 1).
const GENERATED: [(&str, u32, u32); 7] = [
    ("fms", 2, 3444),
    ("kanban", 2, 4600),
    ("kanban", 3, 58_400),
    ("philosophers", 4, 466),
    ("philosophers", 6, 10_054),
    ("ring", 3, 504),
    ("ring", 4, 5136),
];

/// Returns the models of a collection: `beem`, `mcc`, or `generated`.
///
/// # Errors
/// If no collection has this name, or it cannot be read.
pub fn counted(collection: &str, settings: &Settings) -> Result<Vec<Counted>> {
    let (collection, table, name, states) = match collection {
        "beem" => ("beem", "counts.tsv", "model", "states"),
        "mcc" => ("mcc", "index.tsv", "instance", "reachable_markings"),
        "generated" => {
            let models = GENERATED.iter().map(|&(family, number, states)| Counted {
                collection: "generated",
                name: format!("{family} {number}"),
                place: Place::Family(family.to_owned(), number),
                states: Expected::Count(states.to_string()),
                transitions: None,
            });
            return Ok(models.collect());
        }
        _ => {
            bail!("unknown collection `{collection}`; the collections are beem, mcc and generated")
        }
    };
    let folder = settings.collection(collection)?;
    let table = Table::read(&existing(&folder, table)?)?;
    let models = table.rows().map(|row| {
        let name = row.text(name).to_owned();
        let file = match collection {
            "beem" => folder.join(format!("{name}.dve")),
            _ => folder.join(&name).join("model.pnml"),
        };
        let transitions = row.text("transitions");
        let transitions = (!transitions.is_empty()).then(|| transitions.to_owned());
        let states = Expected::of(row.text(states));
        Counted { collection, name, place: Place::File(file), states, transitions }
    });
    Ok(models.collect())
}

/// Shuffles items by a seed, so that the first of them are a sample.
pub fn shuffled<T>(mut things: Vec<T>, seed: u64) -> Vec<T> {
    let mut rng = Rng::new(seed);
    for place in (1..things.len()).rev() {
        things.swap(place, rng.index(place + 1));
    }
    things
}

/// A model with properties.
#[derive(Clone, Debug)]
pub struct Specified {
    /// The name.
    pub name: String,
    /// Its source.
    pub place: Place,
    /// The source of its properties.
    properties: Properties,
}

#[derive(Clone, Debug)]
enum Properties {
    /// In the folder of an instance of the Contest.
    Instance(PathBuf),
    /// In a table of verdicts and formulas.
    Table(PathBuf),
    /// Random ones: the propositions, the seed and the number.
    Random(&'static [&'static str], u64, usize),
}

/// A property, with its verdict if known.
#[derive(Clone, Debug)]
pub struct Known {
    /// The property.
    pub property: Property,
    /// True if it holds; `None` if unknown.
    pub holds: Option<bool>,
}

impl Specified {
    /// Returns the properties of the model, with known verdicts.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn properties(&self) -> Result<Vec<Known>> {
        match &self.properties {
            Properties::Instance(folder) => of_instance(folder),
            Properties::Table(path) => of_table(path),
            Properties::Random(names, seed, count) => {
                let formulas = RandomFormulas::over(*names).sizes(4..=10).seed(*seed).generate()?;
                let properties = formulas.take(*count).enumerate().map(|(number, formula)| {
                    let name = format!("{}-{}", self.name, number + 1);
                    Ok(Known { property: Property { name, formula: formula? }, holds: None })
                });
                properties.collect()
            }
        }
    }
}

/// Returns the instances of the Model Checking Contest.
///
/// # Errors
/// If the folder cannot be read.
pub fn instances(settings: &Settings) -> Result<Vec<Specified>> {
    let entries = entries(&settings.collection("mcc")?)?;
    let nets = entries.into_iter().filter(|path| path.join("model.pnml").exists());
    let nets = nets.map(|folder| Specified {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        place: Place::File(folder.join("model.pnml")),
        properties: Properties::Instance(folder),
    });
    Ok(nets.collect())
}

/// Returns the models of BEEM with formulas.
///
/// # Errors
/// If the folder cannot be read.
pub fn specified_beem(settings: &Settings) -> Result<Vec<Specified>> {
    let entries = entries(&settings.collection("beem-ltl")?)?;
    let models = entries.into_iter().filter(|path| path.extension().is_some_and(|e| e == "dve"));
    let models = models.map(|path| Specified {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        properties: Properties::Table(path.with_extension("tsv")),
        place: Place::File(path),
    });
    Ok(models.collect())
}

/// A property of a model in Promela.
pub struct PromelaTask {
    /// The file of the model in its collection, such as `beem/at.1.pm`.
    pub model: String,
    /// The name of the property.
    pub name: String,
    /// The property.
    pub formula: Formula,
    /// The verdict of Spin.
    pub is_violated: bool,
}

/// Returns the properties of the models in Promela from BEEM whose verdicts are known; those that
/// are not part of the files. The folder of the models comes with them.
///
/// # Errors
/// If the collection cannot be read.
pub fn promela_beem(settings: &Settings) -> Result<(PathBuf, Vec<PromelaTask>)> {
    let folder = settings.collection("promela")?;
    let text = fs::read_to_string(existing(&folder, "properties.tsv")?)?;
    let mut tasks = Vec::new();
    for row in Table::parse(&text, '\t')?.rows() {
        let model = row.text("model");
        let is_violated = match row.text("verdict") {
            "violated" => true,
            "holds" => false,
            _ => continue,
        };
        if !model.starts_with("beem/") || row.text("origin") != "added" {
            continue;
        }
        let formula = syntax::parse(row.text("formula"), Syntax::Spin)
            .with_context(|| format!("{model}: {}", row.text("formula")))?;
        let (model, name) = (model.to_owned(), row.text("name").to_owned());
        tasks.push(PromelaTask { model, name, formula, is_violated });
    }
    Ok((folder, tasks))
}

/// Returns small nets with random properties, with unknown verdicts.
pub fn generated_nets(count: usize) -> Vec<Specified> {
    let net = |family: &str, number, names| Specified {
        name: format!("{family}-{number}"),
        place: Place::Family(family.to_owned(), number),
        properties: Properties::Random(names, 1, count),
    };
    vec![
        net("philosophers", 3, &["eats_0", "wants_left_1", "fork_2"]),
        net("kanban", 1, &["work_1", "done_2", "cards_3"]),
    ]
}

/// Returns a small program with random properties, with unknown verdicts.
pub fn shipped_programs(count: usize) -> Vec<Specified> {
    vec![Specified {
        name: "peterson".to_owned(),
        place: Place::Shipped(SHIPPED[0].1),
        properties: Properties::Random(&["P0.critical", "P1.critical", "P0.waits"], 1, count),
    }]
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn of_instance(folder: &Path) -> Result<Vec<Known>> {
    let verdicts = fs::read_to_string(existing(folder, "verdicts.tsv")?)?;
    let verdicts: FxHashMap<&str, Option<bool>> = verdicts
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, verdict)| {
            let holds = match verdict.trim() {
                "TRUE" => Some(true),
                "FALSE" => Some(false),
                _ => None,
            };
            (name, holds)
        })
        .collect();
    let mut properties = Vec::new();
    for name in ["LTLCardinality.xml", "LTLFireability.xml"] {
        // Some instances lack one.
        if let Ok(text) = fs::read_to_string(folder.join(name)) {
            properties.extend(mcc::read(&text)?.into_iter().map(|property| {
                let holds = verdicts.get(property.name.as_str()).copied().flatten();
                Known { property, holds }
            }));
        }
    }
    Ok(properties)
}

fn of_table(path: &Path) -> Result<Vec<Known>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let lines = text.lines().enumerate().skip(1);
    let lines = lines.filter_map(|(number, line)| Some((number, line.split_once('\t')?)));
    let properties = lines.map(|(number, (verdict, formula))| {
        let property =
            Property { name: format!("{stem}:{}", number + 1), formula: formula.parse()? };
        Ok(Known { property, holds: Some(verdict == "holds") })
    });
    properties.collect()
}
