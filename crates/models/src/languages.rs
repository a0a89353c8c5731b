//! The registry of model languages: one row for each.
//!
//! A row says how files of the language are recognized, read and written. Help texts, error messages
//! and the formats of the command line are made from the rows. A program that adds a language of its
//! own hands its rows to [`Languages`].

use crate::model::Model;
use crate::{dve, etf, kripke, petri};
use sempre_ltl::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

/// Reads a model from a file, piece by piece.
pub type ReadStream = fn(BufReader<File>) -> Result<Model, Error>;

/// A language in which models are written.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// The name, as options and messages have it.
    pub name: &'static str,
    /// The extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// One line about the language.
    pub description: &'static str,
    /// True if a text begins like one of this language and of no other.
    pub recognize: fn(&str) -> bool,
    /// Reads a text, which has no byte order mark.
    pub parse: fn(&str) -> Result<Model, Error>,
    /// Reads a stream, for languages whose files may be larger than memory allows as text.
    pub stream: Option<ReadStream>,
    /// Writes a model, if it is of a kind that the language can express.
    pub write: Option<fn(&Model) -> Option<String>>,
}

/// The languages of this library.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "pnml",
        extensions: &["pnml"],
        description: "Petri nets in XML, place/transition or coloured (unfolded when read)",
        recognize: |text| text.starts_with('<'),
        parse: |text| petri::pnml::read(text.as_bytes()).map(Model::from),
        stream: Some(|file| petri::pnml::read(file).map(Model::from)),
        write: Some(|model| model.net().map(petri::pnml::write)),
    },
    Language {
        name: "net",
        extensions: &["net"],
        description: "Petri nets as people write them, in the format of Tina",
        recognize: |_| false,
        parse: |text| petri::text::parse(text).map(Model::from),
        stream: None,
        write: Some(|model| model.net().map(petri::text::write)),
    },
    Language {
        name: "dve",
        extensions: &["dve"],
        description: "processes with variables and channels, the language of the BEEM collection",
        recognize: |_| false,
        parse: |text| dve::parse(text).map(Model::from),
        stream: None,
        write: None,
    },
    Language {
        name: "etf",
        extensions: &["etf"],
        description: "tables of transitions, the enumerated table format of LTSmin",
        recognize: |_| false,
        parse: |text| etf::parse(text).map(Model::from),
        stream: None,
        write: Some(|model| model.get().map(etf::write)),
    },
    Language {
        name: "kripke",
        extensions: &["kripke"],
        description: "Kripke structures, state by state",
        recognize: |_| false,
        parse: |text| kripke::text::parse(text).map(Model::from),
        stream: None,
        write: Some(|model| model.get().map(kripke::text::write)),
    },
    Language {
        name: "hoa",
        extensions: &["hoa"],
        description: "Kripke structures as automata with labels on states",
        recognize: |text| text.starts_with("HOA:"),
        parse: |text| kripke::hoa::parse(text).map(Model::from),
        stream: None,
        write: None,
    },
];

/// Returns the row of a language of this library.
pub fn named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

/// The mark with which some editors begin every UTF-8 file.
const MARK: char = '\u{feff}';

impl Language {
    /// Reads a model from a text.
    ///
    /// # Errors
    /// If the text is no model in this language; with the place in the text.
    pub fn read(&self, text: &str) -> Result<Model, Error> {
        match text.strip_prefix(MARK) {
            Some(rest) => (self.parse)(rest).map_err(|error| error.shifted(MARK.len_utf8())),
            None => (self.parse)(text),
        }
    }
}

/// The languages that files are opened with: those of this library, and added ones.
#[derive(Clone, Debug, Default)]
pub struct Languages {
    added: Vec<Language>,
}

impl Languages {
    /// Adds a language; it is asked before those of the library.
    #[must_use]
    pub fn with(mut self, language: Language) -> Self {
        self.added.push(language);
        self
    }

    /// Iterates over all rows.
    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.added.iter().chain(LANGUAGES)
    }

    /// Returns the language of that name.
    ///
    /// # Errors
    /// If there is none; with the names that there are.
    pub fn named(&self, name: &str) -> Result<&Language, Error> {
        self.iter().find(|language| language.name == name).ok_or_else(|| {
            let names: Vec<_> = self.iter().map(|language| language.name).collect();
            Error::new(format!("there is no model language `{name}`")).expected(names.join(", "))
        })
    }

    /// Returns the language of files with that name.
    pub fn of_path(&self, path: &Path) -> Option<&Language> {
        let extension = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
        self.iter().find(|language| language.extensions.contains(&&*extension))
    }

    /// Returns the language of a text, if its beginning shows it.
    pub fn of_text(&self, text: &str) -> Option<&Language> {
        let text = text.trim_start_matches(MARK).trim_start();
        self.iter().find(|language| (language.recognize)(text))
    }

    /// Reads a model from a file, in the given language or in that which its name or its beginning
    /// shows.
    ///
    /// # Errors
    /// If the file cannot be read, its language is unknown, or it is no model in that language; then
    /// with the place in the file, in bytes.
    pub fn open(
        &self,
        path: impl AsRef<Path>,
        language: Option<&Language>,
    ) -> Result<Model, Error> {
        let path = path.as_ref();
        let failed =
            |error: std::io::Error| Error::new(format!("cannot read {}: {error}", path.display()));
        let mut file = File::open(path).map_err(failed)?;
        let language = language.or_else(|| self.of_path(path));
        if let Some(stream) = language.and_then(|language| language.stream)
            && file.stream_position().is_ok()
        {
            return stream(BufReader::with_capacity(1 << 16, file));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        match language.or_else(|| self.of_text(&text)) {
            Some(language) => language.read(&text),
            None => {
                let names: Vec<_> = self.iter().flat_map(|language| language.extensions).collect();
                let names: Vec<_> = names.into_iter().map(|name| format!(".{name}")).collect();
                let message = format!("the name of {} does not show its language", path.display());
                let expected = format!("a name that ends with {}", names.join(", "));
                Err(Error::new(message).expected(expected))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::petri::Net;

    #[test]
    fn languages_are_recognized_by_names_and_beginnings() {
        let languages = Languages::default();
        let of = |path: &str| languages.of_path(Path::new(path)).map(|language| language.name);
        assert_eq!(of("a/b.PNML"), Some("pnml"));
        assert_eq!(of("x.y.kripke"), Some("kripke"));
        assert_eq!(of("dve"), None);
        assert_eq!(languages.of_text("\n <?xml").map(|language| language.name), Some("pnml"));
        assert_eq!(
            languages.named("prism").unwrap_err().expectation(),
            Some("pnml, net, dve, etf, kripke, hoa")
        );
    }

    /// Generated nets are the same in both formats.
    #[test]
    fn nets_are_read_as_they_were_written() {
        for family in generate::families() {
            let net = family.net(*family.range().start() + 1).unwrap();
            let model = Model::from(net.clone());
            for language in ["pnml", "net"].map(|name| named(name).unwrap()) {
                let text = language.write.unwrap()(&model).unwrap();
                let read = language.read(&text).unwrap();
                let read: &Net = read.net().unwrap();
                assert_eq!(petri::text::write(read), petri::text::write(&net));
            }
        }
    }

    #[test]
    fn every_language_refuses_what_is_not_its_own() {
        let dve = "process P { state s; init s; trans s -> s { }; } system async;";
        assert!(named("dve").unwrap().read(dve).unwrap().get::<dve::Dve>().is_some());
        for language in LANGUAGES.iter().filter(|language| language.name != "dve") {
            assert!(language.read(dve).is_err(), "{}", language.name);
        }
    }

    /// A language costs one type and one row.
    #[test]
    fn a_language_can_be_added() {
        let toy = Language {
            name: "toy",
            extensions: &["toy"],
            description: "the number of states of a ring",
            recognize: |text| text.starts_with("ring "),
            parse: |text| {
                let count = text.strip_prefix("ring ").and_then(|rest| rest.trim().parse().ok());
                let count: u32 = count.ok_or_else(|| Error::new("not a ring"))?;
                let mut builder = kripke::KripkeBuilder::default();
                let states: Vec<_> = (0..count).map(|n| builder.state(format!("s{n}"))).collect();
                for (number, state) in states.iter().enumerate() {
                    builder.edge(*state, states[(number + 1) % states.len()]);
                }
                builder.initial(states[0]);
                builder.build().map(Model::from)
            },
            stream: None,
            write: None,
        };
        let languages = Languages::default().with(toy);
        let ring = languages.of_text("ring 3").unwrap().read("ring 3").unwrap();
        let system = ring.system();
        assert_eq!(system.successors(&[2]).unwrap().words(), [0]);
    }
}
