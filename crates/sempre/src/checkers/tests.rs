use super::*;
use crate::automata::random::RandomKripke;
use crate::engines::{ENGINES, Settings};
use crate::ltl::generate::random::RandomFormulas;

/// Pairs of random structures with six states and random formulas, after some pairs in which
/// formulas hold, though there are long executions without what they promise.
fn pairs(count: usize) -> Vec<Pair> {
    let random = RandomKripke::over(["p0", "p1"]).unwrap().states(6).density(0.3).seed(3);
    let promises = ["GFp0", "G(p1 | Fp0)", "Gp0 | Gp1", "FGp0"].map(|text| text.parse().unwrap());
    let likely = random.clone().truth(0.8).generate().zip(promises.into_iter().cycle()).take(24);
    let formulas = RandomFormulas::over_numbered(2).sizes(3..=7).seed(5).generate().unwrap();
    let pairs = random.generate().zip(formulas.map(Result::unwrap)).take(count);
    likely.chain(pairs).map(|(structure, formula)| Pair { structure, formula }).collect()
}

#[test]
fn engines_are_right_and_faults_are_found_and_shrunk() {
    let pairs = pairs(60);
    for row in ENGINES {
        let settings = Settings { engine: row.name, ..Settings::default() };
        let right = OwnEngine::new(row.name, settings.clone());
        let mut answers = 0;
        for pair in &pairs {
            let answer =
                pair.test(&right).unwrap_or_else(|mistake| panic!("{}: {mistake}", row.name));
            answers += usize::from(!matches!(answer, Answer::Unsupported(_)));
        }
        assert!(answers > 20, "{}: {answers}", row.name);
        for (fault, _) in FAULTS {
            let wrong = OwnEngine::new(row.name, settings.clone()).with_fault(fault).unwrap();
            let found = pairs.iter().find_map(|pair| Some((pair, pair.test(&wrong).err()?)));
            // Engines for stutter-invariant formulas refuse those with `X`.
            if ["sog", "sop"].contains(&row.name) && fault == "next-ignored" && found.is_none() {
                continue;
            }
            let (pair, mistake) =
                found.unwrap_or_else(|| panic!("{}: {fault} is not noticed", row.name));
            let (small, like) = shrink(pair, &mistake, &wrong, 2000);
            assert!(like.is_like(&mistake) && small.test(&wrong).is_err());
            let (states, size) = (small.structure.state_count(), small.formula.size());
            let name = row.name;
            assert!(states <= 4 && size <= 5, "{name} {fault}: {states}, {}", small.formula);
        }
    }
}

#[test]
fn structures_become_promela() {
    let alphabet = crate::automata::Alphabet::new(["p"]).unwrap();
    let structure = Kripke::new(alphabet, vec![0, 1], [(0, 1), (1, 0), (1, 1)], 0).unwrap();
    let pair = Pair { structure, formula: "G F p & q".parse().unwrap() };
    let text = promela(&pair.structure, &[&pair.formula, &"p U q".parse().unwrap()]);
    assert!(text.starts_with("#define q0 (s == 1)\n#define q1 (false)\nint s = 0;\n"), "{text}");
    assert_eq!(text.matches("d_step").count(), 3);
    assert!(text.ends_with("ltl f1 { q0 U q1 }\n"), "{text}");
}
