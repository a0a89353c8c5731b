//! The format of runs by the name of the file that they are written to.

use super::Check;
use super::run::Format;

impl Check {
    /// Chooses the format by the ending of the name after `-o`, unless an option asks for another.
    pub(crate) fn choose_format(&mut self) {
        let is_free = self.format == Format::default() && !self.json && !self.brief;
        let Some(extension) = self.output.extension().filter(|_| is_free) else { return };
        let is_trace = extension == "itf" || self.output.ends_with(".itf.json");
        match &*extension {
            _ if !self.properties.is_empty() => {}
            "svg" => self.format = Format::Svg,
            "dot" | "gv" => self.format = Format::Dot,
            _ if is_trace => self.format = Format::Itf,
            "json" => self.json = true,
            _ => {}
        }
    }

    /// True if the name after `-o` asks for a picture of a run, and no run is shown.
    pub(super) fn draws_nothing(&self) -> bool {
        let extension = self.output.extension();
        self.brief && extension.is_some_and(|kind| matches!(&*kind, "svg" | "dot" | "gv"))
    }
}
