//! Opening models: which format a file has, and what reads it.

use crate::dve;
use crate::etf;
use crate::kripke;
use crate::model::Model;
use crate::petri;
use sempre_ltl::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use std::str::FromStr;

/// A format of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelFormat {
    /// Petri nets in XML, `.pnml`: place/transition nets, and coloured ones, which are unfolded.
    Pnml,
    /// Petri nets as people write them, `.net`.
    Net,
    /// The language of the BEEM collection, `.dve`.
    Dve,
    /// The enumerated table format of LTSmin, `.etf`.
    Etf,
    /// Kripke structures, `.kripke`.
    Kripke,
    /// Kripke structures as automata with labels on states, `.hoa`.
    Hoa,
}

impl ModelFormat {
    /// All formats.
    pub const ALL: [ModelFormat; 6] = [
        ModelFormat::Pnml,
        ModelFormat::Net,
        ModelFormat::Dve,
        ModelFormat::Etf,
        ModelFormat::Kripke,
        ModelFormat::Hoa,
    ];

    /// The name of the format, which is also how the names of its files end.
    pub fn name(self) -> &'static str {
        match self {
            ModelFormat::Pnml => "pnml",
            ModelFormat::Net => "net",
            ModelFormat::Dve => "dve",
            ModelFormat::Etf => "etf",
            ModelFormat::Kripke => "kripke",
            ModelFormat::Hoa => "hoa",
        }
    }

    /// The format of a file of that name.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
        extension.parse().ok()
    }

    /// The format of a text, if its beginning tells.
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.trim_start();
        if text.starts_with('<') {
            Some(ModelFormat::Pnml)
        } else if text.starts_with("HOA:") {
            Some(ModelFormat::Hoa)
        } else {
            None
        }
    }
}

impl FromStr for ModelFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        ModelFormat::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = ModelFormat::ALL.map(ModelFormat::name).join(", ");
            Error::new(format!("there is no format of models `{name}`")).expected(names)
        })
    }
}

/// The mark with which some files begin.
const MARK: char = '\u{feff}';

impl Model {
    /// Reads a model from a text.
    ///
    /// ```
    /// use sempre_models::{Model, ModelFormat};
    /// let text = "init on; state on: bright -> off; state off -> on;";
    /// let lamp = Model::parse(text, ModelFormat::Kripke)?;
    /// assert!(matches!(lamp, Model::Kripke(_)));
    /// # Ok::<(), sempre_models::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no model in that format; with the place in the text.
    pub fn parse(text: &str, format: ModelFormat) -> Result<Model, Error> {
        // Some editors begin every UTF-8 file with this mark.
        if let Some(rest) = text.strip_prefix(MARK) {
            return Self::parse(rest, format).map_err(|error| error.shifted(MARK.len_utf8()));
        }
        match format {
            ModelFormat::Pnml => petri::pnml::read(text.as_bytes()).map(Model::Net),
            ModelFormat::Net => petri::text::parse(text).map(Model::Net),
            ModelFormat::Dve => dve::parse(text).map(Model::Dve),
            ModelFormat::Etf => etf::parse(text).map(Model::Etf),
            ModelFormat::Kripke => kripke::text::parse(text).map(Model::Kripke),
            ModelFormat::Hoa => kripke::hoa::parse(text).map(Model::Kripke),
        }
    }

    /// Reads a model from a file, in the given format or in that which its name tells.
    ///
    /// # Errors
    /// If the file cannot be read, its format is unknown, or it is no model in that format; then
    /// with the place in the file, in bytes.
    pub fn open(path: impl AsRef<Path>, format: Option<ModelFormat>) -> Result<Model, Error> {
        let path = path.as_ref();
        let failed =
            |error: std::io::Error| Error::new(format!("cannot read {}: {error}", path.display()));
        let mut file = File::open(path).map_err(failed)?;
        let format = format.or_else(|| ModelFormat::of_path(path));
        if format == Some(ModelFormat::Pnml) && file.stream_position().is_ok() {
            // Nets may be large; they are not held as text.
            return petri::pnml::read(BufReader::with_capacity(1 << 16, file)).map(Model::Net);
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        match format.or_else(|| ModelFormat::of_text(&text)) {
            Some(format) => Model::parse(&text, format),
            None => {
                let names = ModelFormat::ALL.map(ModelFormat::name).join(", .");
                let message = format!("the name of {} does not tell its format", path.display());
                Err(Error::new(message).expected(format!("a name that ends with .{names}")))
            }
        }
    }

    /// What the file of the model says that has no influence on its behaviour here, in sentences.
    pub fn notes(&self) -> &[String] {
        match self {
            Model::Dve(dve) => dve.notes(),
            Model::Etf(_) | Model::Kripke(_) | Model::Net(_) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn formats_are_told_by_names_and_beginnings() {
        let of = |path: &str| ModelFormat::of_path(Path::new(path));
        assert_eq!(of("a/b.PNML"), Some(ModelFormat::Pnml));
        assert_eq!(of("x.y.kripke"), Some(ModelFormat::Kripke));
        assert_eq!(of("dve"), None);
        assert_eq!(ModelFormat::of_text("\n <?xml"), Some(ModelFormat::Pnml));
        assert_eq!(
            "prism".parse::<ModelFormat>().unwrap_err().expectation(),
            Some("pnml, net, dve, etf, kripke, hoa")
        );
    }

    /// Generated nets are the same in both formats.
    #[test]
    fn every_format_is_read() {
        for family in generate::families() {
            let net = family.net(*family.range().start() + 1).unwrap();
            let (pnml, text) = (petri::pnml::write(&net), petri::text::write(&net));
            for (text, format) in [(pnml, ModelFormat::Pnml), (text, ModelFormat::Net)] {
                let Ok(Model::Net(read)) = Model::parse(&text, format) else { panic!("{text}") };
                assert_eq!(petri::text::write(&read), petri::text::write(&net));
            }
        }
        let dve = "process P { state s; init s; trans s -> s { }; } system async;";
        assert!(matches!(Model::parse(dve, ModelFormat::Dve), Ok(Model::Dve(_))));
        assert!(Model::parse("state;", ModelFormat::Kripke).is_err());
        assert!(Model::parse("HOA: v1", ModelFormat::Hoa).is_err());
    }
}
