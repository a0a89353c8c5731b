use super::*;
use proptest::prelude::*;
use sempre_automata::membership;
use sempre_ltl::{arbitrary, semantics};

fn sizes(formula: &str) -> (usize, usize, bool) {
    let automaton = translate(&formula.parse().unwrap());
    (automaton.state_count(), automaton.edge_count(), automaton.is_deterministic())
}

#[test]
fn small_formulas_have_small_automata() {
    assert_eq!(sizes("1"), (1, 1, true));
    assert_eq!(sizes("0"), (1, 0, true));
    assert_eq!(sizes("a"), (2, 2, true));
    assert_eq!(sizes("a U b"), (2, 3, true));
    assert_eq!(sizes("G(a -> F b)"), (2, 4, true));
    assert_eq!(sizes("GFa"), (1, 2, true));
    assert_eq!(sizes("GFa & GFb & GFc"), (1, 8, true));
    assert_eq!(sizes("FGa"), (2, 3, false));
    assert_eq!(sizes("X X (a | b)"), (4, 4, true));
}

#[test]
fn what_no_prefix_decides_waits() {
    // While a U b is pending, GFc and FGd are suspended.
    let f = "(a U b) & GFc & FGd".parse().unwrap();
    let suspended = translate(&f);
    assert_eq!(suspended.edges_from(suspended.initial()[0]).len(), 2);
    let eager = Options::default().suspend(false).translate(&f);
    assert!(eager.edges_from(eager.initial()[0]).len() > 2);
    // A disjunction is suspended as a whole.
    assert_eq!(sizes("X X X (GFa | FGb)").0, 3 + sizes("GFa | FGb").0);
}

#[test]
fn names_are_the_formulas_of_states() {
    let automaton = Options::default().names(true).translate(&"a U X b".parse().unwrap());
    let names: Vec<_> = automaton.states().map(|s| automaton.state_name(s).unwrap()).collect();
    assert_eq!(names, ["a U Xb", "b", "1"]);
}

#[test]
fn deep_formulas_need_no_stack() {
    let deep = (0..20_000).fold(Formula::prop("a"), |f, _| Formula::next(f));
    assert_eq!(translate(&deep).state_count(), 20_002);
}

/// Returns the set of improvements with this number.
fn options(number: u8) -> Options {
    let bit = |place: u8| number >> place & 1 != 0;
    Options::none().dominated(bit(0)).disjoint_labels(bit(1)).suspend(bit(2)).merge(bit(3))
}

proptest! {
    #[test]
    fn the_language_is_that_of_the_formula_whatever_the_options(
        f in arbitrary::formula(12),
        number in 0..16u8,
        words in prop::collection::vec(arbitrary::word(4), 8),
    ) {
        for options in [options(number), Options::default()] {
            let automaton = options.translate(&f);
            for word in &words {
                prop_assert_eq!(
                    membership::accepts(&automaton, word),
                    semantics::holds(&f, word),
                    "{} on {}, {:?}", f, word, options
                );
            }
        }
    }
}

/// Shapes that random formulas seldom have: promises inside promises, below fulfilled or settled
/// ones. All sets of improvements are compared on all short words.
#[test]
fn shapes_of_promises_keep_their_language() {
    const SHAPES: [&str; 28] = [
        "G(c -> XF(a & XFd))",
        "GF(a & XFb) & G(c -> XFd)",
        "G(a -> XF(b & XXFc))",
        "GF(a & XGFb)",
        "GFa & GFb & G(c -> XFd)",
        "G(a -> F(b & F(c & Fd)))",
        "GF(a U (b & XFc))",
        "F(a & XGFb) & GFc",
        "G(Fa | XGb) & GFc",
        "(Fa U Gb) & GFc",
        "G(a -> (b U (c & XFd)))",
        "GF(a & X(b U c))",
        "FG(a | XFb)",
        "G((a U b) | (c U d))",
        "GFa -> GF(b & XFc)",
        "X(GFa & F(b & XGc))",
        "(GFa | FGb) & G(c -> XFd)",
        "G(XFa | XFb) & GFc",
        "F(Ga & XFb) | GF(c & XFd)",
        "G(a -> XXF(b & XFa))",
        "(a U (b & X(c U d))) & GFa",
        "G(Fa & XF(b & Fc))",
        "GF(a & X(!a & Fb))",
        "a W (b & XF(c & XGFd))",
        "(a U b) & GFc & GFd",
        "(a U b) & GFc & FGd",
        "(a U b) & Gb & GFc",
        "X(a U b) & (GFc | FGa) & GFd",
    ];
    for text in SHAPES {
        let formula: Formula = text.parse().unwrap();
        let props = formula.props();
        let automata: Vec<_> = (0..16).map(|number| options(number).translate(&formula)).collect();
        let mut rng = sempre_ltl::generate::Rng::new(1);
        for number in 0..400 {
            let letters = 1u64 << props.len();
            let (prefix, cycle) = (number % 3, 1 + number % 4);
            let mut part =
                |length: usize| -> Vec<u64> { (0..length).map(|_| rng.below(letters)).collect() };
            let (prefix, cycle) = (part(prefix), part(cycle));
            let word = sempre_ltl::Word::from_valuations(props.clone(), &prefix, &cycle).unwrap();
            let wanted = semantics::holds(&formula, &word);
            for (number, automaton) in automata.iter().enumerate() {
                let found = membership::accepts(automaton, &word);
                assert_eq!(found, wanted, "{text} on {word}, options {number}");
            }
        }
    }
}
