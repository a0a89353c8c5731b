//! PNML and the text format: what is written is read as the same net, what is wrong is explained.

use super::super::{Net, NetBuilder, pnml, text};
use super::nets;
use proptest::prelude::*;

/// Everything that there is in a net, with its names.
fn contents(net: &Net) -> String {
    let mut out = format!("{:?}\n", net.name());
    for place in net.places() {
        out += &format!("{:?} {}\n", net.place_name(place), net.initial(place));
    }
    for transition in net.transitions() {
        let arcs = (net.inputs(transition), net.outputs(transition), net.inhibitors(transition));
        out += &format!("{:?} {arcs:?}\n", net.transition_name(transition));
    }
    for alias in net.place_alias_names() {
        out += &format!("{alias:?} {:?}\n", net.place_alias(alias));
    }
    for alias in net.transition_alias_names() {
        out += &format!("{alias:?} {:?}\n", net.transition_alias(alias));
    }
    out
}

/// The net with other names, at most one of which stands for a node of each kind.
fn renamed(net: &Net, names: &[String]) -> Option<Net> {
    let mut builder = NetBuilder::default();
    builder.name(names.last()?);
    let mut names = names.iter();
    for place in net.places() {
        builder.place(names.next()?, net.initial(place));
    }
    for transition in net.transitions() {
        let new = builder.transition(names.next()?);
        net.inputs(transition).iter().for_each(|(p, w)| builder.input(new, *p, *w).unwrap());
        net.outputs(transition).iter().for_each(|(p, w)| builder.output(new, *p, *w).unwrap());
        net.inhibitors(transition).iter().for_each(|(p, w)| builder.inhibitor(new, *p, *w));
    }
    if let Some(transition) = net.transitions().next() {
        builder.transition_alias(names.next()?, transition);
    }
    builder.place_alias(names.next()?, net.places().next()?);
    builder.build().ok()
}

proptest! {
    #[test]
    fn nets_survive_both_formats(
        net in nets(2),
        names in prop::collection::vec("[a-z{}\\\\&<>\"'*?#\\[ \t\n\r.é-]{1,6}|tr|pl|net|p|[0-9]", 30),
    ) {
        // Surrounding space does not belong to the name of a net or to an alias in PNML.
        let trimmed = names.iter().map(|name| name.trim().to_owned());
        let mut names: Vec<String> = trimmed.filter(|name| !name.is_empty()).collect();
        names.sort();
        names.dedup();
        let Some(net) = renamed(&net, &names) else { return Ok(()) };
        let written = text::write(&net);
        let again = text::parse(&written).unwrap();
        prop_assert_eq!(contents(&again), contents(&net), "{}", written);
        prop_assert_eq!(text::write(&again), written);
        let written = pnml::write(&net);
        let again = pnml::read(written.as_bytes()).unwrap();
        prop_assert_eq!(contents(&again), contents(&net), "{}", written);
        prop_assert_eq!(pnml::write(&again), written);
    }

    #[test]
    fn any_text_is_read_or_refused(
        words in prop::collection::vec("tr|pl|net|lb|nt|pr|t|p|->|\\*|\\?|\\?-|!|[0-9]{1,10}|[:()\\[\\],{}#\n\\\\é]", 0..30),
        space in "[ ]?",
    ) {
        let text = words.join(&space);
        match text::parse(&text) {
            Ok(net) => {
                let again = text::parse(&text::write(&net)).unwrap();
                prop_assert_eq!(contents(&again), contents(&net));
            }
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                prop_assert!(text.get(span).is_some(), "{:?} {:?}", text, error);
            }
        }
    }
}

/// The message of an error, what was expected, and the text it points at.
fn complaint(text: &str, read: Result<Net, sempre_ltl::Error>) -> String {
    let error = read.unwrap_err();
    let place = error.span().map(|span| text[span].to_owned());
    place.map_or(error.to_string(), |place| format!("{error} at `{place}`"))
}

#[test]
fn wrong_texts() {
    let wrong = |text: &str| complaint(text, text::parse(text));
    let cases = [
        ("", "a net has at least one place"),
        (
            "tr t [1,4] p -> q",
            "time intervals are not supported, expected [0,w[, or none at `[1,4]`",
        ),
        ("tr t ]0,w[ p ->", "time intervals are not supported, expected [0,w[, or none at `]0,w[`"),
        ("pl p (1) pr t > u", "nets with priorities between transitions are not supported at `pr`"),
        ("tr t p!2 -> q", "stopwatch arcs are not supported at `!`"),
        ("tr t p*0 -> q", "the weight of an arc is 0 at `0`"),
        ("tr t p*x -> q", "unexpected `x`, expected a weight at `x`"),
        ("tr t p*5000M -> q", "5000M is more than 4294967295 at `5000M`"),
        ("tr t p q", "unexpected the end of the file, expected `->` at ``"),
        ("tr t -> q?1", "test and inhibitor arcs lead from a place to a transition at `q?1`"),
        ("pl p (-1)", "unexpected character `-` at `-`"),
        ("pl p (1) pl q pl p (2)", "the marking of `p` is given twice at `p (2`"),
        ("pl {p", "this brace is not closed, expected } at `{`"),
        ("place p", "unexpected `place`, expected `tr`, `pl` or `net` at `place`"),
        (
            "pl clock lb colck x",
            "there is no place or transition `colck` (did you mean `clock`?) at `colck`",
        ),
        ("tr t p*4294967295 p -> ", "weights of arcs add up to 2^32 or more at `p`"),
    ];
    for (text, message) in cases {
        assert_eq!(wrong(text), message, "{text}");
    }
}

#[test]
fn declarations_of_the_text_format_add_up() {
    let net = text::parse(
        "# a comment\nnet {a net}\npl p : start (2K) t*2 -> u?3 v?-2\ntr t [0,w[ p -> q tr t q ->\n\
         lb q end # another\nnt n 1 {a note}\n",
    )
    .unwrap();
    assert_eq!(
        text::write(&net),
        "net {a net}\npl p : start (2000)\npl q : end\ntr t p q -> p*2 q\ntr u p?3 ->\ntr v p?-2 ->\n"
            .replace("p q -> p*2 q", "p q?1 -> p*2"),
    );
}

/// A file with that content of its page.
fn file(page: &str) -> String {
    format!(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'>\
         <page id='g'>{page}</page></net></pnml>"
    )
}

#[test]
fn wrong_files() {
    let wrong = |text: &str| complaint(text, pnml::read(text.as_bytes()));
    let nodes = "<place id='clock'/><place id='p1'/><transition id='tick'/>";
    let arc = |source: &str, target: &str, rest: &str| {
        let arc = format!("<arc id='a' source='{source}' target='{target}'>{rest}</arc>");
        wrong(&file(&format!("{nodes}{arc}")))
    };
    let at = |message: &str, source: &str, target: &str, rest: &str| {
        format!("{message} at `<arc id='a' source='{source}' target='{target}'>{rest}</arc>`")
    };
    let missing = "there is no node `colck` (did you mean `clock`?)";
    assert_eq!(arc("colck", "tick", ""), at(missing, "colck", "tick", ""));
    let places = "an arc leads from a place to a place";
    assert_eq!(arc("clock", "p1", ""), at(places, "clock", "p1", ""));
    let zero = "<inscription><text>0</text></inscription>";
    let message = at("the weight of an arc is 0", "clock", "tick", zero);
    assert_eq!(arc("clock", "tick", zero), message);
    let negative = "<inscription><text>-2</text></inscription>";
    assert_eq!(arc("clock", "tick", negative), "a weight is negative: -2 at `-2`");
    let other = "<type value='reset'/>";
    assert!(
        arc("clock", "tick", other).starts_with("unknown type of arc `reset`, expected normal")
    );

    let marking = |text: &str| {
        let marking = format!("<initialMarking><text>{text}</text></initialMarking>");
        wrong(&file(&format!("<place id='p'>{marking}</place>")))
    };
    assert_eq!(marking("-1"), "an initial marking is negative: -1 at `-1`");
    assert_eq!(marking(" many "), "an initial marking is no number: `many` at ` many `");
    let range = "an initial marking is out of range: 4294967296 is more than 4294967295";
    assert_eq!(marking("4294967296"), format!("{range} at `4294967296`"));

    let whole = [
        ("", "there is no net in the file, expected <pnml><net …> at ``"),
        ("<pnml></pnml>", "there is no net in the file, expected <pnml><net …> at ``"),
        ("<pnml><net id='n'>", "the file ends while 2 elements are open at ``"),
        (
            "<html></html>",
            "this is no PNML file: the outermost element is `html`, expected <pnml> at `<html>`",
        ),
        ("<pnml><net id='n'><place/></net></pnml>", "`place` has no attribute `id` at `<place/>`"),
        ("<pnml><net id='n'></net></pnml>", "a net has at least one place"),
    ];
    for (text, message) in whole {
        assert_eq!(wrong(text), message, "{text}");
    }
    assert!(wrong("<pnml><net id='n'></pnml>").starts_with("broken XML: "));
    let coloured = wrong("<pnml><net id='n' type='x/symmetricnet'/></pnml>");
    assert_eq!(coloured, "a net has at least one place");
    let twice = wrong(&file("<place id='p'/><transition id='p'/>"));
    assert_eq!(twice, "there are two nodes with the id `p` at `<transition id='p'/>`");
    let itself = wrong(&file("<referencePlace id='p' ref='q'/><referencePlace id='q' ref='p'/>"));
    assert_eq!(itself, "this reference stands for itself at `<referencePlace id='p' ref='q'/>`");
}

#[test]
fn pages_references_and_names_are_resolved() {
    let read = pnml::read(
        file(
            "<name><text>ignored</text></name><toolspecific tool='x' version='1'><place id='z'/></toolspecific>\
             <place id='p'><name><text>A &lt;b&gt; &#67;</text><graphics/></name>\
               <initialMarking><text> 2\n</text></initialMarking></place>\
             <page id='inner'><referencePlace id='r' ref='s'/><referencePlace id='s' ref='p'/>\
               <transition id='t'><name><text><![CDATA[x & y]]></text></name></transition>\
               <referenceTransition id='u' ref='t'/>\
               <arc id='a' source='r' target='u'><inscription><text>2</text></inscription></arc>\
               <arc id='b' source='t' target='p'/>\
               <arc id='c' source='p' target='t' type='inhibitor'><inscription><text>5</text></inscription></arc>\
             </page>",
        )
        .as_bytes(),
    );
    assert_eq!(
        text::write(&read.unwrap()),
        "net n\npl p : {A <b> C} (2)\ntr t : {x & y} p*2 p?-5 -> p\n"
    );
}
