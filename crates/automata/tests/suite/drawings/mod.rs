//! Five automata of different kinds, in every drawing. The SVG files are part of the documentation.

mod automata;

use insta::{Settings, assert_binary_snapshot, assert_snapshot};
use sempre_automata::draw::{
    DotOptions, MermaidOptions, SvgOptions, TextOptions, dot, dot_alternating, mermaid, svg, text,
};

/// Snapshots under the names of the automata.
fn settings() -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn as_svg() {
    let mut settings = settings();
    settings.set_snapshot_path("../../../../../docs/drawings");
    settings.bind(|| {
        for (name, automaton, components) in automata::all() {
            let options = SvgOptions { components, ..SvgOptions::default() };
            let document = svg(&automaton, &options).unwrap();
            assert_binary_snapshot!(&format!("{name}.svg"), document.into_bytes());
        }
    });
}

#[test]
fn as_dot() {
    settings().bind(|| {
        for (name, automaton, components) in automata::all() {
            let options = DotOptions { components, ..DotOptions::default() };
            assert_snapshot!(format!("{name}-dot"), dot(&automaton, &options));
        }
    });
}

#[test]
fn alternating_as_dot() {
    let automaton = automata::alternating();
    settings().bind(|| {
        assert_snapshot!("alternating-dot", dot_alternating(&automaton, &DotOptions::default()));
        let options = DotOptions { max_states: Some(2), ..DotOptions::default() };
        assert_snapshot!("alternating-cut-dot", dot_alternating(&automaton, &options));
    });
}

#[test]
fn as_mermaid() {
    settings().bind(|| {
        for (name, automaton, _) in automata::all() {
            let options = MermaidOptions::default();
            assert_snapshot!(format!("{name}-mermaid"), mermaid(&automaton, &options));
        }
    });
}

#[test]
fn as_text() {
    settings().bind(|| {
        for (name, automaton, _) in automata::all() {
            let in_ascii = TextOptions { ascii: true, ..TextOptions::default() };
            let both = [TextOptions::default(), in_ascii].map(|o| text(&automaton, &o));
            assert_snapshot!(format!("{name}-text"), both.join("\n"));
        }
    });
}

#[test]
fn cuts_are_stated() {
    let [.., (_, protocol, _)] = automata::all();
    settings().bind(|| {
        let cut = Some(4);
        let options = DotOptions { max_states: cut, components: true, ..DotOptions::default() };
        assert_snapshot!("cut-dot", dot(&protocol, &options));
        let options = MermaidOptions { max_states: cut, state_names: false };
        assert_snapshot!("cut-mermaid", mermaid(&protocol, &options));
        let options = TextOptions { max_states: cut, ..TextOptions::default() };
        assert_snapshot!("cut-text", text(&protocol, &options));
    });
}
