//! The fuzz targets: the same checks as in `fuzz/fuzz_targets`.

use sempre_automata::formats::Format;

/// A reader under test.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name, which is that of its corpus.
    pub name: &'static str,
    /// The dictionary in the folder `fuzz`, if there is one.
    pub dictionary: Option<&'static str>,
    /// Panics if the reader makes a mistake on the input.
    pub check: fn(&[u8]),
}

macro_rules! check {
    ($name:ident, $file:literal) => {
        #[path = $file]
        #[allow(dead_code, reason = "each target needs a part")]
        mod $name;
    };
}

check!(certificate_check, "../../../../fuzz/fuzz_targets/certificate_check.rs");
check!(coloured_nets, "../../../../fuzz/fuzz_targets/coloured_nets.rs");
check!(dve_states, "../../../../fuzz/fuzz_targets/dve_states.rs");
check!(etf_round_trip, "../../../../fuzz/fuzz_targets/etf_round_trip.rs");
check!(formats, "../../../../fuzz/fuzz_targets/formats.rs");
check!(hoa_round_trip, "../../../../fuzz/fuzz_targets/hoa_round_trip.rs");
check!(kripke_round_trip, "../../../../fuzz/fuzz_targets/kripke_round_trip.rs");
check!(mcc_properties, "../../../../fuzz/fuzz_targets/mcc_properties.rs");
check!(nets, "../../../../fuzz/fuzz_targets/nets.rs");
check!(proposition_check, "../../../../fuzz/fuzz_targets/proposition_check.rs");
check!(round_trip, "../../../../fuzz/fuzz_targets/round_trip.rs");
check!(word_check, "../../../../fuzz/fuzz_targets/word_check.rs");

/// Calls a check of texts, unless the bytes are none.
fn text(bytes: &[u8], check: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text);
    }
}

/// All targets.
pub const ALL: [Target; 16] = [
    Target { name: "ats", dictionary: None, check: |bytes| formats::check(bytes, Format::Ats) },
    Target { name: "certificate", dictionary: None, check: certificate_check::check },
    Target { name: "coloured", dictionary: Some("coloured.dict"), check: coloured_nets::check },
    Target { name: "dstar", dictionary: None, check: |bytes| formats::check(bytes, Format::Dstar) },
    Target { name: "dve", dictionary: Some("dve.dict"), check: dve_states::check },
    Target {
        name: "etf",
        dictionary: Some("etf.dict"),
        check: |bytes| text(bytes, etf_round_trip::check),
    },
    Target { name: "hoa", dictionary: Some("hoa.dict"), check: hoa_round_trip::check },
    Target {
        name: "kripke",
        dictionary: None,
        check: |bytes| text(bytes, kripke_round_trip::check),
    },
    Target { name: "lbtt", dictionary: None, check: |bytes| formats::check(bytes, Format::Lbtt) },
    Target {
        name: "mcc",
        dictionary: Some("mcc.dict"),
        check: |bytes| text(bytes, mcc_properties::check),
    },
    Target {
        name: "net",
        dictionary: Some("net.dict"),
        check: |bytes| text(bytes, nets::check_text),
    },
    Target { name: "never", dictionary: None, check: |bytes| formats::check(bytes, Format::Never) },
    Target {
        name: "parse",
        dictionary: Some("parse.dict"),
        check: |bytes| text(bytes, round_trip::check),
    },
    Target { name: "pnml", dictionary: Some("pnml.dict"), check: nets::check_pnml },
    Target {
        name: "proposition",
        dictionary: None,
        check: |bytes| text(bytes, proposition_check::check),
    },
    Target { name: "word", dictionary: None, check: |bytes| text(bytes, word_check::check) },
];
