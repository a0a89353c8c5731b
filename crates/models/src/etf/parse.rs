//! Reading the enumerated table format. The time is linear in the length of the text.

use super::lexer::{Lexer, Token};
use super::model::{Declaration, Etf, Map, Sort, Table};
use rustc_hash::{FxHashMap, FxHashSet};
use sempre_ltl::{Error, interrupt};
use std::collections::hash_map::Entry;
use std::ops::Range;

/// Reads a model in the enumerated table format.
///
/// ```
/// let text = "begin state x:_ end state begin edge end edge
///     begin init 0 end init
///     begin trans
///     0/1
///     1/0
///     end trans";
/// let etf = sempre_models::etf::parse(text)?;
/// assert_eq!(etf.tables[0].rows, [0, 1, 1, 0]);
/// # Ok::<(), sempre_models::Error>(())
/// ```
///
/// # Errors
/// If the text is no such model; with the place that is to blame.
pub fn parse(text: &str) -> Result<Etf, Error> {
    let mut reader = Reader {
        lexer: Lexer::new(text),
        token: Token::End,
        span: 0..0,
        has_lines: false,
        etf: Etf::default(),
        sorts: FxHashMap::default(),
        has_section: Vec::new(),
        has_initial: false,
        greatest: Vec::new(),
        inline: Vec::new(),
        map_names: FxHashSet::default(),
    };
    reader.advance()?;
    reader.file()?;
    reader.finish()
}

/// A value that stands in a row, where its number is to be.
struct Inline {
    /// Whether in a map, and in which one, or in which table.
    is_map: bool,
    section: usize,
    /// The place among the numbers of all rows.
    place: usize,
    sort: usize,
    value: Box<[u8]>,
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    token: Token,
    span: Range<usize>,
    /// Whether ends of lines matter.
    has_lines: bool,
    etf: Etf,
    sorts: FxHashMap<String, usize>,
    /// For each sort, whether there is a section for it.
    has_section: Vec<bool>,
    has_initial: bool,
    /// For each sort, the greatest of its numbers, and where it is.
    greatest: Vec<Option<(u32, Range<usize>)>>,
    inline: Vec<Inline>,
    map_names: FxHashSet<String>,
}

impl Reader<'_> {
    fn advance(&mut self) -> Result<(), Error> {
        loop {
            (self.token, self.span) = self.lexer.next()?;
            if self.has_lines || self.token != Token::Newline {
                return Ok(());
            }
        }
    }

    fn unexpected(&self, expectation: impl Into<String>) -> Error {
        let message = format!("unexpected {}", self.token.shown());
        Error::at(self.span.clone(), message).expected(expectation)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Name { name, is_plain: true } if name == word)
    }

    fn word(&mut self, word: &str) -> Result<(), Error> {
        if !self.is_word(word) {
            return Err(self.unexpected(format!("`{word}`")));
        }
        self.advance()
    }

    fn file(&mut self) -> Result<(), Error> {
        self.word("begin")?;
        self.word("state")?;
        self.slots()?;
        self.word("begin")?;
        self.word("edge")?;
        while !self.is_word("end") {
            let (label, _) = self.declaration()?;
            self.etf.labels.push(label);
        }
        self.end("edge")?;
        while self.token != Token::End {
            self.word("begin")?;
            if self.is_word("init") {
                self.initial()?;
            } else if self.is_word("trans") {
                self.table()?;
            } else if self.is_word("map") {
                self.map()?;
            } else if self.is_word("sort") {
                self.sort()?;
            } else {
                return Err(self.unexpected("`init`, `trans`, `map` or `sort`"));
            }
        }
        Ok(())
    }

    /// The end of a section.
    fn end(&mut self, section: &str) -> Result<(), Error> {
        self.has_lines = false;
        self.word("end")?;
        self.word(section)
    }

    fn slots(&mut self) -> Result<(), Error> {
        let mut seen = FxHashSet::default();
        while !self.is_word("end") {
            let (mut slot, span) = self.declaration()?;
            if slot.name.is_empty() {
                slot.name = format!("_{}", self.etf.slots.len());
            }
            if !seen.insert(slot.name.clone()) {
                let message = format!("two slots have the name `{}`", slot.name);
                return Err(Error::at(span, message));
            }
            self.etf.slots.push(slot);
        }
        if self.etf.slots.is_empty() {
            return Err(Error::at(self.span.clone(), "a state has at least one slot")
                .expected("`NAME:SORT`"));
        }
        self.end("state")
    }

    /// A name and a sort, and where the name is.
    fn declaration(&mut self) -> Result<(Declaration, Range<usize>), Error> {
        interrupt::poll();
        let (name, span) = self.name("a name, or `end`")?;
        if self.token != Token::Colon {
            return Err(self.unexpected("`:` and a sort"));
        }
        self.advance()?;
        let (sort, _) = self.name("the name of a sort, or `_`")?;
        let sort = (!sort.is_empty()).then(|| self.sort_named(sort));
        Ok((Declaration { name, sort }, span))
    }

    /// A name, which is empty for `_`.
    fn name(&mut self, expectation: &str) -> Result<(String, Range<usize>), Error> {
        let name = match &mut self.token {
            Token::Name { name, .. } => std::mem::take(name),
            Token::Nothing => String::new(),
            _ => return Err(self.unexpected(expectation)),
        };
        let span = self.span.clone();
        self.advance()?;
        Ok((name, span))
    }

    fn sort_named(&mut self, name: String) -> usize {
        match self.sorts.entry(name) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let name = entry.key().clone();
                self.etf.sorts.push(Sort { name, values: Vec::new() });
                self.has_section.push(false);
                self.greatest.push(None);
                *entry.insert(self.etf.sorts.len() - 1)
            }
        }
    }

    /// Notes that a sort has a number.
    fn note(&mut self, sort: Option<usize>, number: u32, span: &Range<usize>) {
        let Some(sort) = sort else { return };
        let greatest = &mut self.greatest[sort];
        if greatest.as_ref().is_none_or(|(other, _)| *other < number) {
            *greatest = Some((number, span.clone()));
        }
    }

    /// A number for a slot.
    fn number(&mut self, slot: usize, expectation: &str) -> Result<u32, Error> {
        let Token::Number(number) = self.token else {
            return Err(self.unexpected(expectation));
        };
        let span = self.span.clone();
        self.note(self.etf.slots[slot].sort, number, &span);
        self.advance()?;
        Ok(number)
    }

    fn initial(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.has_initial, true) {
            return Err(Error::at(self.span.clone(), "this is the second section `init`"));
        }
        self.advance()?;
        for slot in 0..self.etf.slots.len() {
            let name = &self.etf.slots[slot].name;
            let expectation = format!("a number for the slot `{name}`");
            let number = self.number(slot, &expectation)?;
            self.etf.initial.push(number);
        }
        if !self.is_word("end") {
            let message = format!("there are {} slots, and more numbers", self.etf.slots.len());
            return Err(Error::at(self.span.clone(), message).expected("`end init`"));
        }
        self.end("init")
    }

    /// True if the section goes on with a row, after empty lines.
    fn has_row(&mut self) -> Result<bool, Error> {
        interrupt::poll();
        while self.token == Token::Newline {
            self.advance()?;
        }
        match self.is_word("end") {
            true => Ok(false),
            false if self.token == Token::End => Err(self.unexpected("a row, or `end`")),
            false => Ok(true),
        }
    }

    /// A star, or nothing if there is something else, which the other rows of the section have to
    /// agree with.
    fn star(&mut self, slot: usize, columns: Option<&[usize]>) -> Result<bool, Error> {
        let is_star = self.token == Token::Star;
        if let Some(columns) = columns
            && is_star == columns.contains(&slot)
            && matches!(self.token, Token::Star | Token::Number(_))
        {
            let name = &self.etf.slots[slot].name;
            let what = if is_star { "a number" } else { "a star" };
            let message = format!("the first row of the section has {what} for the slot `{name}`");
            return Err(Error::at(self.span.clone(), message).expected(what));
        }
        if is_star {
            self.advance()?;
        }
        Ok(is_star)
    }

    fn table(&mut self) -> Result<(), Error> {
        self.has_lines = true;
        self.advance()?;
        let section = self.etf.tables.len();
        let mut table = Table::default();
        let mut columns: Option<Vec<usize>> = None;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        while self.has_row()? {
            before.clear();
            after.clear();
            let mut touched = Vec::new();
            for slot in 0..self.etf.slots.len() {
                if self.star(slot, columns.as_deref())? {
                    continue;
                }
                before.push(self.number(slot, "`BEFORE/AFTER` or `*` for each slot")?);
                if self.token != Token::Slash {
                    return Err(self.unexpected("`/` and a number"));
                }
                self.advance()?;
                after.push(self.number(slot, "a number after `/`")?);
                touched.push(slot);
            }
            columns.get_or_insert(touched);
            table.rows.extend(before.iter().chain(&after));
            for label in 0..self.etf.labels.len() {
                let label = self.etf.labels[label].clone();
                let number = self.label(&label, false, section, table.rows.len())?;
                table.rows.push(number);
            }
            self.end_of_row()?;
        }
        self.end("trans")?;
        if let Some(columns) = columns {
            self.etf.tables.push(Table { columns, ..table });
        }
        Ok(())
    }

    fn end_of_row(&mut self) -> Result<(), Error> {
        match self.token {
            Token::Newline => self.advance(),
            _ => Err(self.unexpected("the end of the line: the row is complete")),
        }
    }

    /// The number of a label, which goes to that place of the rows of a section.
    fn label(
        &mut self,
        label: &Declaration,
        is_map: bool,
        section: usize,
        place: usize,
    ) -> Result<u32, Error> {
        let Declaration { name, sort } = label;
        let value = match &mut self.token {
            Token::Number(number) => {
                let (number, span) = (*number, self.span.clone());
                self.note(*sort, number, &span);
                self.advance()?;
                return Ok(number);
            }
            Token::Value(value) => std::mem::take(value),
            Token::Name { name, .. } => std::mem::take(name).into_bytes().into(),
            _ => return Err(self.unexpected(format!("a value for the label `{name}`"))),
        };
        let Some(sort) = *sort else {
            return Err(Error::at(self.span.clone(), format!("the label `{name}` has no sort"))
                .expected("a number"));
        };
        self.inline.push(Inline { is_map, section, place, sort, value });
        self.advance()?;
        Ok(0)
    }

    fn map(&mut self) -> Result<(), Error> {
        self.advance()?;
        self.has_lines = true;
        let (label, span) = self.declaration()?;
        if label.name.is_empty() {
            return Err(Error::at(span, "a state label needs a name"));
        }
        if !self.map_names.insert(label.name.clone()) {
            let message = format!("two state labels have the name `{}`", label.name);
            return Err(Error::at(span, message));
        }
        let section = self.etf.maps.len();
        let mut columns: Option<Vec<usize>> = None;
        let mut rows = Vec::new();
        let mut seen = FxHashSet::default();
        while self.has_row()? {
            let start = self.span.start;
            let mut touched = Vec::new();
            let mut key = Vec::new();
            for slot in 0..self.etf.slots.len() {
                if self.star(slot, columns.as_deref())? {
                    continue;
                }
                key.push(self.number(slot, "a number or `*` for each slot")?);
                touched.push(slot);
            }
            columns.get_or_insert(touched);
            rows.extend(&key);
            let number = self.label(&label, true, section, rows.len())?;
            rows.push(number);
            if !seen.insert(key) {
                return Err(Error::at(
                    start..self.span.start,
                    "a row before is for the same states",
                ));
            }
            self.end_of_row()?;
        }
        self.end("map")?;
        self.etf.maps.push(Map { label, columns: columns.unwrap_or_default(), rows });
        Ok(())
    }

    fn sort(&mut self) -> Result<(), Error> {
        self.advance()?;
        let (name, span) = self.name("the name of a sort")?;
        if name.is_empty() {
            return Err(Error::at(span, "a sort needs a name"));
        }
        let message = format!("the sort `{name}` has a section already");
        let sort = self.sort_named(name);
        if std::mem::replace(&mut self.has_section[sort], true) {
            return Err(Error::at(span, message));
        }
        let mut seen = FxHashSet::default();
        while !self.is_word("end") {
            interrupt::poll();
            let value: Box<[u8]> = match &mut self.token {
                Token::Value(value) => std::mem::take(value),
                Token::Name { name, .. } => std::mem::take(name).into_bytes().into(),
                _ => return Err(self.unexpected("a value, such as `\"red\"`, or `end`")),
            };
            if !seen.insert(value.clone()) {
                let message = format!("the {} is there already", Token::Value(value).shown());
                return Err(Error::at(self.span.clone(), message));
            }
            self.etf.sorts[sort].values.push(value);
            self.advance()?;
        }
        self.end("sort")
    }

    /// Gives the values in rows their numbers, and looks for numbers without values.
    fn finish(mut self) -> Result<Etf, Error> {
        if !self.has_initial {
            return Err(Error::at(self.span, "there is no initial state")
                .expected("a section `begin init`"));
        }
        let mut numbers: Vec<FxHashMap<Box<[u8]>, u32>> = (self.etf.sorts.iter())
            .map(|sort| sort.values.iter().cloned().zip(0..).collect())
            .collect();
        for Inline { is_map, section, place, sort, value } in self.inline {
            let values = &mut self.etf.sorts[sort].values;
            let number = *numbers[sort].entry(value).or_insert_with_key(|value| {
                values.push(value.clone());
                (values.len() - 1) as u32
            });
            match is_map {
                true => self.etf.maps[section].rows[place] = number,
                false => self.etf.tables[section].rows[place] = number,
            }
        }
        for (sort, greatest) in self.etf.sorts.iter().zip(self.greatest) {
            let count = sort.values.len();
            if let Some((number, span)) = greatest
                && count > 0
                && number as usize >= count
            {
                let message = format!("the sort `{}` has no value {number}", sort.name);
                return Err(
                    Error::at(span, message).expected(format!("a number from 0 to {}", count - 1))
                );
            }
        }
        Ok(self.etf)
    }
}
