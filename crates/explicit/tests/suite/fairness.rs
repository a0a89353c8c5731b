//! Searches for fair runs on small nets and processes, whose verdicts follow from the definition.

use sempre_check::{
    Components, Control, Deadlock, Engine, Fairness, FairnessKind, Question, Verdict,
};
use sempre_explicit::emptiness::Check;
use sempre_explicit::{ExplicitEngine, Options};
use sempre_models::languages;

/// True if some fair run violates the formula, by each search.
fn is_violated(language: &str, text: &str, formula: &str, fairness: Fairness) -> bool {
    let system = languages::named(language).unwrap().read(text).unwrap().system();
    let question = Question::new(system, &formula.parse().unwrap(), Deadlock::Stutter).unwrap();
    let question = question.fair(fairness).unwrap();
    let [own, generic] = [None, Some(Check::Generic)].map(|emptiness| {
        let mut engine = ExplicitEngine::new(Options { emptiness, ..Options::default() });
        engine.check(&question, &Control::default()).unwrap().verdict
    });
    assert_eq!(own, generic, "{formula} among {fairness:?} runs of\n{text}");
    own == Verdict::Violated
}

const WEAK: FairnessKind = FairnessKind::Weak;
const STRONG: FairnessKind = FairnessKind::Strong;

/// The token goes back and forth, and can leave one of the two places.
#[test]
fn what_is_enabled_now_and_then_steps_under_strong_fairness_only() {
    let net = "pl a (1)\ntr t a -> b\ntr u b -> a\ntr v a -> d\n";
    // The place that can be left comes first, last, or between others.
    let last = "pl b (1)\ntr u b -> a\ntr t a -> b\ntr v a -> d\n";
    let between = "pl b (1)\ntr u b -> a\ntr t a -> c\ntr w c -> b\ntr v a -> d\n";
    for text in [net, last, between] {
        let violated = |kind| {
            let fairness = Fairness { kind, components: Components::Transitions };
            is_violated("net", text, "F d > 0", fairness)
        };
        assert!(violated(WEAK), "{text}");
        assert!(!violated(STRONG), "{text}");
    }
}

/// In the component of all its states, P gives Q the chance to step. A fair run that never does
/// stays where Q has none, which a second look finds.
#[test]
fn a_part_of_an_unfair_component_may_be_fair() {
    let process = |moves: &str| {
        format!(
            "process P {{ state s0, s1, s2; init s0; trans {moves}; }}
             process Q {{ state q0, q1; init q0; trans q0 -> q1 {{ guard P.s1; }}; }}
             system async;"
        )
    };
    let violated = |moves: &str, kind| {
        let fairness = Fairness { kind, components: Components::Processes };
        is_violated("dve", &process(moves), "F Q.q1", fairness)
    };
    let with_loop = "s0 -> s0 {}, s0 -> s1 {}, s1 -> s0 {}";
    let with_circle = "s0 -> s1 {}, s1 -> s0 {}, s0 -> s2 {}, s2 -> s0 {}";
    let without = "s0 -> s1 {}, s1 -> s0 {}";
    for kind in [WEAK, STRONG] {
        assert!(violated(with_loop, kind));
        assert!(violated(with_circle, kind));
    }
    assert!(violated(without, WEAK));
    assert!(!violated(without, STRONG));
}
