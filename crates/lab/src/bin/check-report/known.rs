//! Models with properties whose verdicts are known.

use rustc_hash::FxHashMap;
use sempre_models::petri::pnml;
use sempre_models::property::{Property, mcc};
use sempre_models::{Model, dve as language};
use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

/// A property whose verdict is known, or not.
pub(crate) struct Known {
    pub(crate) property: Property,
    pub(crate) holds: Option<bool>,
}

/// The properties of an instance of the Contest.
pub(crate) fn of_instance(directory: &Path) -> Result<Vec<Known>, Box<dyn Error>> {
    let verdicts = fs::read_to_string(directory.join("verdicts.tsv"))?;
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
        if let Ok(text) = fs::read_to_string(directory.join(name)) {
            properties.extend(mcc::read(&text)?.into_iter().map(|property| {
                let holds = verdicts.get(property.name.as_str()).copied().flatten();
                Known { property, holds }
            }));
        }
    }
    Ok(properties)
}

/// The net of an instance of the Contest.
pub(crate) fn instance(directory: &Path) -> Result<Model, Box<dyn Error>> {
    let file = File::open(directory.join("model.pnml"))?;
    Ok(Model::from(pnml::read(BufReader::new(file))?))
}

/// The formulas in the table beside a model in the DVE language.
pub(crate) fn of_dve(path: &Path) -> Result<Vec<Known>, Box<dyn Error>> {
    let table = fs::read_to_string(path.with_extension("tsv"))?;
    let mut properties = Vec::new();
    for (number, line) in table.lines().enumerate().skip(1) {
        let Some((verdict, formula)) = line.split_once('\t') else { continue };
        let name = format!("{}:{}", path.with_extension("tsv").display(), number + 1);
        let property = Property { name, formula: formula.parse()? };
        properties.push(Known { property, holds: Some(verdict == "holds") });
    }
    Ok(properties)
}

/// A model in the DVE language.
pub(crate) fn dve(path: &Path) -> Result<Model, Box<dyn Error>> {
    Ok(Model::from(language::parse(&fs::read_to_string(path)?)?))
}
