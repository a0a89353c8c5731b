//! The output formats of automata: machine-readable ones and drawings.

use crate::output::{Output, OutputOptions};
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sempre::automata::degeneralize::Degeneralizer;
use sempre::automata::draw::{self, DotOptions, MermaidOptions, SvgOptions, TextOptions};
use sempre::automata::formats::{self, Format};
use sempre::automata::{
    AlternatingAutomaton, AnyAutomaton, Automaton, GeneralizedBuchi, Label, Named, convert, hoa,
    single_initial, state_based,
};
use sempre::testing::Testing;
use std::io::Write;

/// The output format of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum OutputFormat {
    /// A machine-readable text format or JSON.
    Data(Format),
    /// Graphviz.
    Dot,
    /// SVG.
    Svg,
    /// Mermaid.
    Mermaid,
    /// Characters, for terminals.
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

/// The option for the output format.
#[derive(clap::Args, Debug)]
pub(in crate::commands) struct FormatOption {
    /// The format in which automata are written; without it, the ending of the name of the file
    /// that is written decides (.hoa, .never, .lbtt, .json, .dot, .svg, .mermaid), and otherwise it
    /// is hoa. An SVG file has one automaton.
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = output_formats(),
        help_heading = "Output"
    )]
    format: Option<OutputFormat>,
}

impl FormatOption {
    /// The format that was asked for, or that the name of the output shows.
    pub(in crate::commands) fn of(&self, output: &OutputOptions) -> OutputFormat {
        let by_name = || OutputFormat::of_extension(&output.extension()?);
        self.format.or_else(by_name).unwrap_or(OutputFormat::Data(Format::Hoa))
    }
}

impl OutputFormat {
    /// The format of files with this ending.
    fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "gv" => Some(OutputFormat::Dot),
            "mmd" => Some(OutputFormat::Mermaid),
            // A text may be anything.
            "text" => None,
            name => all().find(|(known, _)| *known == name).map(|(_, format)| format),
        }
    }

    /// Refuses to draw boxes in a format that has no drawings of them.
    pub(in crate::commands) fn check_boxes(self, boxes: Boxes) -> Result<()> {
        let option = if boxes.components { "--scc" } else { "--parts" };
        let wanted = boxes.components || boxes.parts;
        if wanted && !matches!(self, OutputFormat::Dot | OutputFormat::Svg) {
            bail!("{option} is for --format dot and --format svg");
        }
        Ok(())
    }

    /// Refuses a second automaton where there is room for one: `number` were written before.
    pub(in crate::commands) fn check_count(self, number: u64) -> Result<()> {
        match self {
            OutputFormat::Svg if number > 0 => {
                bail!(
                    "an SVG file has one automaton, and there are several; --format dot takes all"
                )
            }
            _ => Ok(()),
        }
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

/// The groups of states that drawings show as boxes.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::commands) struct Boxes {
    /// Strongly connected components.
    pub(in crate::commands) components: bool,
    /// The parts of a semi-deterministic automaton.
    pub(in crate::commands) parts: bool,
}

impl Boxes {
    /// Boxes for components, or none.
    pub(in crate::commands) fn of_components(components: bool) -> Self {
        Boxes { components, parts: false }
    }
}

impl OutputFormat {
    pub(in crate::commands) fn write(
        self,
        automaton: &AnyAutomaton,
        boxes: Boxes,
        out: &mut Output,
    ) -> Result<()> {
        check_labels(automaton)?;
        let Boxes { components, parts } = boxes;
        let dot_options = DotOptions { components, parts, ..DotOptions::default() };
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
            OutputFormat::Data(Format::Ats) => {
                return Ok(formats::write(&for_script(automaton)?, Format::Ats, out)?);
            }
            OutputFormat::Data(format) => {
                return Ok(formats::write(automaton, format, out)?);
            }
            OutputFormat::Dot => draw::dot(automaton, &dot_options),
            OutputFormat::Svg => {
                draw::svg(automaton, &SvgOptions { components, parts, ..SvgOptions::default() })?
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
    /// Writes a testing automaton: in HOA as an automaton over changes, or as a drawing.
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
                bail!("{} cannot represent testing automata; use hoa or a drawing", format.name())
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

/// Returns an equivalent Büchi automaton with acceptance on states and one initial state, as never
/// claims need. It may have more states.
fn for_never_claim(automaton: &Automaton) -> Result<Automaton> {
    let automaton = single_initial(&convert::to_generalized_buchi(automaton));
    Ok(match Named::of(automaton.acceptance()) {
        Some(Named::All | Named::Buchi) => state_based(&automaton),
        _ => Degeneralizer::default().state_based(&GeneralizedBuchi::from(&automaton)),
    })
}

/// The automaton as automata scripts have it: a Büchi automaton with marks on states.
fn for_script(automaton: &Automaton) -> Result<Automaton> {
    let generalized = convert::to_generalized_buchi(automaton);
    let result = match Named::of(generalized.acceptance()) {
        Some(Named::Buchi) => state_based(&generalized),
        _ => Degeneralizer::default().state_based(&generalized),
    };
    Ok(formats::ats::restricted(result, automaton))
}

/// The largest number of cubes that a label is written with. A label over 16 propositions has at
/// most half as many.
const MAX_CUBES: usize = 1 << 16;

/// Checks that no label is small as a decision diagram but large as text.
pub(super) fn check_labels(automaton: &AnyAutomaton) -> Result<()> {
    let (alphabet, labels): (_, Vec<Label>) = match automaton {
        AnyAutomaton::Nondeterministic(automaton) => {
            (automaton.alphabet(), automaton.edges().iter().map(|edge| edge.label).collect())
        }
        AnyAutomaton::Alternating(automaton) => {
            (automaton.alphabet(), automaton.edges().iter().map(|edge| edge.label).collect())
        }
    };
    let is_large = |label: Label| alphabet.cubes_up_to(label, MAX_CUBES).is_none();
    if alphabet.props().len() > 16 && labels.into_iter().any(is_large) {
        bail!("the automaton has a label of more than {MAX_CUBES} cubes, too many to write");
    }
    Ok(())
}
