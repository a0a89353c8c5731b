//! The row of degeneralization, with the choices of levels.

use crate::convert;
use crate::degeneralize::{Degeneralizer, EntryLevel, InitialLevel, Jump, MarkOrder, unroll};
use crate::error::Error;
use crate::transform::{Claims, Language, Property, Run, Transformation};
use sempre_ltl::options::{Choice, Flag, List, Parameter, Settings};

/// The position of marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    States,
    Transitions,
}

static WHERE: Choice<Place> = Choice {
    name: "where",
    help: "the position of marks",
    default: Some("sb"),
    values: &[
        ("sb", Place::States, "marks on states"),
        ("tb", Place::Transitions, "marks on transitions"),
    ],
};

static JUMP: Choice<Jump> = Choice {
    name: "jump",
    help: "the levels that an edge with several marks climbs",
    default: Some("smallest"),
    values: &[
        ("never", Jump::Never, "one"),
        ("not-from-accepting", Jump::NotFromAccepting, "all, but not from the accepting level"),
        ("always", Jump::Always, "all"),
        ("to-waiting", Jump::ToWaiting, "all but those that the target waits for"),
        ("smallest", Jump::Smallest, "as gives the smallest automaton"),
    ],
};

static INITIAL: Choice<InitialLevel> = Choice {
    name: "initial",
    help: "the level of initial states",
    default: Some("smaller"),
    values: &[
        ("first", InitialLevel::First, "the first one"),
        ("last", InitialLevel::Last, "the last one, which is accepting"),
        ("smaller", InitialLevel::Smaller, "as gives the smaller automaton"),
    ],
};

static ENTRY: Choice<EntryLevel> = Choice {
    name: "entry",
    help: "the level at which runs enter a component; each component has its own levels",
    default: Some("smaller"),
    values: &[
        ("first", EntryLevel::First, "the first one"),
        ("last", EntryLevel::Last, "the last one, which is accepting"),
        ("marks", EntryLevel::Marks, "by the marks of the entering edge"),
        ("smaller", EntryLevel::Smaller, "as gives the smaller automaton"),
    ],
};

static ORDER: List =
    List { name: "order", help: "the order in which marks are waited for, such as 1:0" };

static UNROLL: Flag =
    Flag { name: "unroll", help: "add initial states that no cycle passes through" };

pub(super) static DEGENERALIZE: Transformation = Transformation {
    name: "degeneralize",
    help: "Convert generalized Büchi to Büchi acceptance",
    value: Some(&WHERE),
    options: &[&JUMP, &INITIAL, &ENTRY, &ORDER, &UNROLL],
    claims: |settings| {
        let claims = Claims::new(Language::Same).yields(&[Property::Buchi]);
        match settings.get(&WHERE) {
            Place::States => claims.yields(&[Property::StateBased]),
            Place::Transitions => claims,
        }
    },
    run: Run::Unary(|automaton, settings| {
        let automaton = &convert::to_generalized_buchi(automaton);
        let marks = automaton.acceptance().marks();
        let order = settings.get(&ORDER).unwrap_or_default();
        if let Some(mark) = order.iter().find(|mark| **mark >= marks) {
            let text = format!("the order has mark {mark}, but the automaton has {marks} marks");
            return Err(Error::new(text));
        }
        let repeated = (1..order.len()).find(|place| order[..*place].contains(&order[*place]));
        if let Some(place) = repeated {
            return Err(Error::new(format!("the order has mark {} twice", order[place])));
        }
        let degeneralizer = degeneralizer(settings);
        let result = match settings.get(&WHERE) {
            Place::States => degeneralizer.state_based(automaton),
            Place::Transitions => degeneralizer.transition_based(automaton),
        };
        Ok(if settings.get(&UNROLL) { unroll(&result) } else { result })
    }),
    keeping: &[],
};

/// The default options, or the textbook construction with the given choices of levels.
fn degeneralizer(settings: &Settings) -> Degeneralizer {
    let choices: [&dyn Parameter; 4] = [&JUMP, &INITIAL, &ENTRY, &ORDER];
    if choices.iter().all(|choice| settings.text(*choice).is_none()) {
        return Degeneralizer::default();
    }
    let order = settings.get(&ORDER);
    Degeneralizer::plain()
        .jump(settings.get(&JUMP))
        .initial(settings.get(&INITIAL))
        .per_component(settings.text(&ENTRY).is_some())
        .entry(settings.get(&ENTRY))
        .order(order.map_or(MarkOrder::PerComponent, MarkOrder::Listed))
}
