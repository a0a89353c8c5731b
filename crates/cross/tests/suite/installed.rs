//! Translators that the distribution has, against ours. `./test` installs them if it can, and says
//! so if it cannot; elsewhere: `cargo test -p sempre-cross --test suite installed -- --ignored`.

use sempre_cross::config::{FormulaConfig, Propositions};
use sempre_cross::{Limits, Polarity, RandomRounds, Session, Statistics, participant};
use std::time::Duration;

#[test]
#[ignore = "needs the programs spin and lbt"]
fn spin_and_lbt_agree_with_us_about_200_formulas() {
    let participants = ["tableau", "spin", "lbt"].map(|tool| participant(tool, false).unwrap());
    for participant in &participants {
        participant.tool.ready().unwrap();
    }
    let limits = Limits { time: Some(Duration::from_secs(20)), memory: None };
    let session = Session::new(participants.into()).limits(limits);
    let formulas = RandomRounds::new(&FormulaConfig {
        size: "5..8".to_owned(),
        propositions: Propositions::Number(3),
        // The operators that Spin supports in its default build.
        preset: Some("op1".to_owned()),
        ..FormulaConfig::default()
    });
    let formulas = formulas.unwrap();
    let mut statistics = Statistics::new(&session);
    for number in 1..=200 {
        let round = session.round(number, &formulas.formula(number).unwrap());
        let findings = round.findings.iter().map(ToString::to_string);
        assert_eq!(findings.collect::<Vec<_>>(), Vec::<String>::new());
        statistics.add(&round);
    }
    for participant in 0..3 {
        for polarity in Polarity::ALL {
            let of = statistics.translations(participant, polarity).unwrap();
            // Spin has been seen to need more than any patience for some formulas.
            assert!(of.generated >= 195, "{statistics}");
        }
    }
}
