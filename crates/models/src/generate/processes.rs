//! Random DVE models: two processes with shared and local variables, by seed. For comparisons of
//! engines and detectors.

use sempre_ltl::generate::Rng;
use std::fmt::Write;

/// Propositions that have a meaning in each model of [`random_processes`].
pub const PROCESS_PROPOSITIONS: [&str; 14] = [
    "P.s0",
    "P.s1",
    "P@s3",
    "P = s2",
    "Q.s1",
    "Q.s2",
    "x = 0",
    "x > 1",
    "x > 2",
    "y < 3",
    "x < y",
    "P.z = 1",
    "Q.z > 0",
    "x + y = 4",
];

/// Returns the text of a random model with at most 4096 states; equal seeds give equal models.
///
/// ```
/// use sempre_models::generate::random_processes;
/// assert!(random_processes(1).ends_with("system async;\n"));
/// ```
pub fn random_processes(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut pick = |count: u64| rng.below(count);
    let name = |number: u64| ["x", "y", "z"][number as usize];
    let mut text = String::from("byte x = 0;\nbyte y = 1;\n");
    for process in ["P", "Q"] {
        let mut steps = Vec::new();
        for _ in 0..2 + pick(5) {
            let (source, target) = (pick(4), pick(4));
            let (read, changed) = (name(pick(3)), name(pick(3)));
            let guard = match pick(4) {
                0 => format!("guard {read} == {}; ", pick(4)),
                1 => format!("guard {read} < {}; ", 1 + pick(4)),
                2 => format!("guard x != {}; ", name(1 + pick(2))),
                _ => String::new(),
            };
            let effect = match pick(5) {
                0 => format!("effect {changed} = {}; ", pick(4)),
                1 => format!("effect {changed} = ({changed} + 1) % 4; "),
                2 => format!("effect {changed} = {changed} | 2; "),
                3 => format!("effect {changed} = {read}; "),
                _ => String::new(),
            };
            steps.push(format!("    s{source} -> s{target} {{ {guard}{effect}}}"));
        }
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "process {process} {{\n  byte z = 0;\n  state s0, s1, s2, s3;\n  init s0;\n  trans\n{};\n}}\n",
            steps.join(",\n")
        );
    }
    text + "system async;\n"
}
