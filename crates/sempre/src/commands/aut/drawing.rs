//! The formats that automata are written in: those to be read again, and drawings.

use crate::output::Output;
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::automata::degeneralize::Degeneralizer;
use sempre::automata::draw::{self, DotOptions, MermaidOptions, SvgOptions, TextOptions};
use sempre::automata::formats::{self, Format};
use sempre::automata::{
    AlternatingAutomaton, AnyAutomaton, Automaton, Label, Named, convert, hoa, single_initial,
    state_based,
};
use sempre::testing::Testing;
use std::io::Write;

/// What is written for an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum OutputFormat {
    /// A text that can be read again, or JSON.
    Data(Format),
    /// The language of Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// The language of Mermaid.
    Mermaid,
    /// A drawing for terminals.
    Text,
}

/// HOA with the properties that can be computed.
const HOA: hoa::WriteOptions = hoa::WriteOptions {
    marks: hoa::MarksOn::StatesIfPossible,
    implicit_labels: false,
    state_names: true,
    headers: true,
    computed: true,
};

const DRAWINGS: [(&str, OutputFormat); 4] = [
    ("dot", OutputFormat::Dot),
    ("svg", OutputFormat::Svg),
    ("mermaid", OutputFormat::Mermaid),
    ("text", OutputFormat::Text),
];

/// The option that says what is written for an automaton.
#[derive(clap::Args, Debug)]
pub(in crate::commands) struct FormatOption {
    /// The format in which automata are written.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "hoa",
        value_parser = output_formats(),
        help_heading = "Output"
    )]
    pub(in crate::commands) format: OutputFormat,
}

impl FormatOption {
    /// Refuses to draw components in a format that has no drawings of them.
    pub(in crate::commands) fn check_components(&self, components: bool) -> Result<()> {
        if components && !matches!(self.format, OutputFormat::Dot | OutputFormat::Svg) {
            bail!("--scc is for --format dot and --format svg");
        }
        Ok(())
    }
}

fn all() -> impl Iterator<Item = (&'static str, OutputFormat)> {
    let data = Format::ALL.into_iter().filter(|format| format.is_writable());
    data.map(|format| (format.name(), OutputFormat::Data(format))).chain(DRAWINGS)
}

fn output_formats() -> impl TypedValueParser<Value = OutputFormat> {
    PossibleValuesParser::new(all().map(|(name, _)| name)).map(|name| {
        let format = all().find(|(known, _)| *known == name).map(|(_, format)| format);
        format.unwrap_or(OutputFormat::Text)
    })
}

impl OutputFormat {
    pub(in crate::commands) fn write(
        self,
        automaton: &AnyAutomaton,
        components: bool,
        out: &mut Output,
    ) -> Result<()> {
        check_labels(automaton)?;
        let dot_options = DotOptions { components, ..DotOptions::default() };
        let automaton = match automaton {
            AnyAutomaton::Nondeterministic(automaton) => automaton,
            AnyAutomaton::Alternating(automaton) => {
                return self.write_alternating(automaton, &dot_options, out);
            }
        };
        let drawing = match self {
            OutputFormat::Data(Format::Hoa) => return Ok(hoa::write(out, automaton, &HOA)?),
            OutputFormat::Data(Format::Never) => {
                return Ok(formats::write(&for_never_claim(automaton)?, Format::Never, out)?);
            }
            OutputFormat::Data(format) => {
                return Ok(formats::write(automaton, format, out)?);
            }
            OutputFormat::Dot => draw::dot(automaton, &dot_options),
            OutputFormat::Svg => {
                draw::svg(automaton, &SvgOptions { components, ..SvgOptions::default() })?
            }
            OutputFormat::Mermaid => draw::mermaid(automaton, &MermaidOptions::default()),
            OutputFormat::Text => draw::text(automaton, &TextOptions::default()),
        };
        write_drawing(&drawing, out)
    }

    fn write_alternating(
        self,
        automaton: &AlternatingAutomaton,
        dot_options: &DotOptions,
        out: &mut Output,
    ) -> Result<()> {
        let drawing = match self {
            OutputFormat::Data(Format::Hoa) => {
                return Ok(hoa::write(out, automaton, &HOA)?);
            }
            OutputFormat::Data(format) => {
                bail!("{} has no alternating automata; use hoa or a drawing", format.name())
            }
            OutputFormat::Dot => draw::dot_alternating(automaton, dot_options),
            OutputFormat::Svg => draw::svg_alternating(automaton, &SvgOptions::default())?,
            OutputFormat::Mermaid => {
                draw::mermaid_alternating(automaton, &MermaidOptions::default())
            }
            OutputFormat::Text => draw::text_alternating(automaton, &TextOptions::default()),
        };
        write_drawing(&drawing, out)
    }
}

fn write_drawing(drawing: &str, out: &mut Output) -> Result<()> {
    out.write_all(drawing.as_bytes())?;
    if !drawing.ends_with('\n') {
        out.end_line()?;
    }
    Ok(())
}

impl OutputFormat {
    /// Writes a testing automaton: in HOA as one that reads differences, or a drawing.
    pub(in crate::commands) fn write_testing(
        self,
        automaton: &Testing,
        components: bool,
        out: &mut Output,
    ) -> Result<()> {
        let differences = AnyAutomaton::Nondeterministic(automaton.to_differences());
        check_labels(&differences)?;
        let drawing = automaton.drawing();
        let drawing = match self {
            OutputFormat::Data(Format::Hoa) => {
                return Ok(hoa::write(out, &differences, &hoa::WriteOptions::default())?);
            }
            OutputFormat::Data(format) => {
                bail!("{} has no testing automata; use hoa or a drawing", format.name())
            }
            OutputFormat::Dot => drawing.dot(&DotOptions { components, ..DotOptions::default() }),
            OutputFormat::Svg => {
                drawing.svg(&SvgOptions { components, ..SvgOptions::default() })?
            }
            OutputFormat::Mermaid => drawing.mermaid(&MermaidOptions::default()),
            OutputFormat::Text => drawing.text(&TextOptions::default()),
        };
        write_drawing(&drawing, out)
    }
}

/// A Büchi automaton with acceptance on states and one initial state, as never claims have it; that
/// may take more states.
fn for_never_claim(automaton: &Automaton) -> Result<Automaton> {
    let automaton = single_initial(&convert::to_generalized_buchi(automaton));
    Ok(match Named::of(automaton.acceptance()) {
        Some(Named::All | Named::Buchi) => state_based(&automaton),
        _ => Degeneralizer::default().state_based(&automaton)?,
    })
}

/// The largest number of cubes that a label is written with. A label over 16 propositions has at
/// most half as many.
const MOST_CUBES: usize = 1 << 16;

/// Refuses automata with labels that are small as decision diagrams, but not as text.
pub(super) fn check_labels(automaton: &AnyAutomaton) -> Result<()> {
    let (alphabet, labels): (_, Vec<Label>) = match automaton {
        AnyAutomaton::Nondeterministic(automaton) => {
            (automaton.alphabet(), automaton.edges().iter().map(|edge| edge.label).collect())
        }
        AnyAutomaton::Alternating(automaton) => {
            (automaton.alphabet(), automaton.edges().iter().map(|edge| edge.label).collect())
        }
    };
    let is_large = |label: Label| alphabet.cubes_up_to(label, MOST_CUBES).is_none();
    if alphabet.props().len() > 16 && labels.into_iter().any(is_large) {
        bail!("the automaton has a label of more than {MOST_CUBES} cubes: it is not written");
    }
    Ok(())
}
