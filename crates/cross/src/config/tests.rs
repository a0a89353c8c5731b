use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_text_gets_an_answer(
        start in prop::sample::select(vec!["", "Algorithm {", "GlobalOptions{", "FormulaOptions {"]),
        text in "[a-zA-Z0-9 ={}#\"'\\\\\n.é-]{0,40}",
    ) {
        let text = format!("{start}{text}");
        if let Err(ConfigError { place: Some(place), .. }) = Config::read(&text) {
            prop_assert!(place.start <= place.end && place.end <= text.len());
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    let text = r#"
        rounds = 100
        timeout = 2.5
        stop-on-error = true

        [formulas]
        size = "5..12"
        propositions = ["a", "b"]
        preset = "op1"

        [structures]
        kind = "sequential"
        scope = "local"

        [tests]
        universality = false

        [[tool]]
        name = "mine"
        command = "prog %f"
        claims = ["deterministic", "state-acc"]
        reference = true
    "#;
    let config = Config::read(text).unwrap();
    assert_eq!(config.structures.kind, GraphKind::Sequential);
    assert!(!config.tests.tests().unwrap().universality);
    let participant = config.tools[0].participant(|text| crate::participant(text, false)).unwrap();
    assert_eq!(participant.name, "mine");
    assert!(
        participant.reference && participant.claims.properties.contains(Property::Deterministic)
    );
    assert!(
        participant.claims.properties.contains(Property::StateBased)
            && !participant.claims.properties.contains(Property::Complete)
    );
    assert_eq!(Config::read(&config.to_toml().unwrap()), Ok(config));
    assert_eq!(Config::read(&Config::default().to_toml().unwrap()), Ok(Config::default()));
}

#[test]
fn mistakes_have_places() {
    let place = |text: &str| Config::read(text).unwrap_err().place.map(|place| place.start);
    assert_eq!(place("rounds = 1\nround = 2\n"), Some(11));
    assert_eq!(place("rounds = 'many'"), Some(9));
    assert_eq!(place("[structures]\nkind = 'round'"), Some(20));
    assert_eq!(place("Algorithm { Name = x Paht = y }"), Some(21));
    assert_eq!(place("Algorithm { Name = x }"), Some(0));
    assert_eq!(place("GlobalOptions { Rounds = many }"), Some(25));
    assert_eq!(place("GlobalOptions { Rounds 3 }"), Some(23));
    assert_eq!(place("Algorithm { Name = \"x }"), Some(19));
    assert_eq!(place("Algorithm { Path = x } Algorithms { }"), Some(23));
    let error = Config::read("Algorithm { Path = x } Algorithms { }").unwrap_err();
    assert!(error.message.contains("did you mean `algorithm`?"), "{error}");
}

#[test]
fn files_of_lbtt_are_understood() {
    let text = r#"
        # Two translators.
        Algorithm
        {
          Name = "Spin \"4\""
          Path = "/usr/bin/lbtt-translate"
          Parameters = "--spin /usr/bin/spin"
          Enabled = Yes
        }
        Translator { Name=lbt Path=lbt Enabled=no }
        GlobalOptions {
          Rounds = 50  Interactive = OnError  Verbosity = 3
          ComparisonTest = No  ModelCheck = Local  TranslatorTimeout = 1h30min
        }
        FormulaOptions {
          Size = 5-15  Propositions = 3  RandomSeed = 7
          DefaultOperatorPriority = 4  NextPriority = 0  TruePriority = 2
        }
        StateSpaceOptions {
          GenerateMode = RandomPath  Size = 10-40  EdgeProbability = 0.3  TruthProbability = 0.4
          ChangeInterval = 2
        }
    "#;
    let config = Config::read(text).unwrap();
    assert_eq!(config.rounds, Some(50));
    assert_eq!(config.timeout, Some(5400.0));
    assert!(!config.tests.comparison && config.tests.consistency);
    assert_eq!(config.structures.scope, ScopeConfig::Local);
    assert_eq!((&*config.formulas.size, config.formulas.seed), ("5..15", 7));
    let priorities = config.formulas.priorities.as_deref().unwrap();
    assert!(priorities.starts_with("ap=50,true=2,false=1,!=4,X=0,F=4,"), "{priorities}");
    let structures = config.structures.structures().unwrap();
    assert_eq!((structures.states, structures.density, structures.interval), (40, 0.3, 2));
    let [spin, lbt] = &*config.tools else { panic!("there are two") };
    assert_eq!(spin.name.as_deref(), Some("Spin \"4\""));
    // The wrapper of lbtt is not needed.
    assert_eq!((&*spin.command, &spin.lbtt_parameters), ("/usr/bin/spin", &None));
    assert!(spin.enabled && !lbt.enabled);
    assert_eq!(lbt.lbtt_parameters.as_deref(), Some(""));
    assert!(lbt.participant(|_| unreachable!("lbtt calls it")).is_ok());
}

#[test]
fn numbers_without_sense_are_refused() {
    let structures = |text: &str| {
        Config::read(&format!("[structures]\n{text}")).unwrap().structures.structures()
    };
    assert!(structures("density = 1.5").is_err());
    assert!(structures("states = 0").is_err());
    assert!(structures("propositions = ['a', 'a']").is_err());
    assert!(structures("states = 7").is_ok());
    assert!(duration(-1.0).is_err() && duration(f64::NAN).is_err());
}
