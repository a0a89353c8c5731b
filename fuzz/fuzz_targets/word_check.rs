//! Invariants for every text that is given to the reader of words.

use sempre_ltl::Word;

/// Errors lie within the text, and a word that is read is the same after it was written and read
/// again. So is its shortest form, which has the same letters.
pub(crate) fn check(input: &str) {
    let word = match Word::parse(input) {
        Ok(word) => word,
        Err(error) => {
            let span = error.span();
            assert!(span.is_none_or(|span| input.get(span).is_some()), "{error:?}");
            return;
        }
    };
    assert!(word.prefix_len() < word.len(), "the cycle of {word} is empty");
    let written = word.to_string();
    let read = Word::parse(&written);
    let read = read.unwrap_or_else(|error| panic!("cannot read {written:?} again: {error:?}"));
    assert_eq!(read, word, "{written:?}");
    let shortest = word.reduced();
    assert!(shortest.len() <= word.len(), "{shortest} is longer than {word}");
    for position in 0..word.len() + shortest.len() {
        for prop in word.props() {
            let here = word.value(word.position(position), prop);
            let there = shortest.value(shortest.position(position), prop);
            assert_eq!(here, there, "{prop:?} at {position} of {word} and {shortest}");
        }
    }
}
