//! Runs the example of a system of your own, and compares its output with the front page.

#[path = "../../examples/own_system.rs"]
#[allow(dead_code)]
mod own_system;

/// Returns the lines that the front page shows below the example.
fn shown() -> Vec<&'static str> {
    let page = include_str!("../../src/lib.rs");
    let block = page.split("//! ```text\n").nth(1).and_then(|rest| rest.split("//! ```").next());
    let lines = block.expect("the front page has a block of text").lines();
    lines.map(|line| line.strip_prefix("//! ").unwrap_or("")).collect()
}

#[test]
fn the_front_page_shows_the_output_of_the_example() {
    let mut printed = Vec::new();
    own_system::run(&mut printed).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    assert_eq!(printed.lines().collect::<Vec<_>>(), shown());
    assert!(printed.contains("the first thread is done at last: violated"), "{printed}");
}
