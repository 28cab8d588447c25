//! Requests, read from JSON.
//!
//! A reader of our own: requests hold texts, whole numbers, lists and objects, and a general reader brings tables for
//! floating-point numbers, a sixth of the module that every visitor of the page loads.

use crate::problem::Problem;

/// The deepest nesting. Requests have five levels.
const MAX_DEPTH: usize = 32;

/// A value of JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Json {
    Null,
    Bool,
    Whole(i64),
    /// A number that no request needs: with a fraction, or very large.
    OtherNumber,
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole text.
    pub(super) fn parse(text: &[u8]) -> Result<Self, Problem> {
        let text = std::str::from_utf8(text)
            .map_err(|_| Problem::new("this is not a request: it is not UTF-8"))?;
        let mut parser = Parser { text, at: 0 };
        parser
            .value(0)
            .and_then(|value| {
                parser.skip_blanks();
                (parser.at == text.len()).then_some(value)
            })
            .ok_or_else(|| {
                let byte = parser.at + 1;
                Problem::new(&format!("this is not a request: bad JSON at byte {byte}"))
            })
    }

    /// The field of an object; null if there is none.
    pub(super) fn get(&self, name: &str) -> &Self {
        let fields = match self {
            Self::Object(fields) => &fields[..],
            _ => &[],
        };
        let field = fields.iter().rev().find(|(field, _)| field == name);
        field.map_or(&Self::Null, |(_, value)| value)
    }

    /// A text in a field, if it is there.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, Problem> {
        match self.get(name) {
            Self::Null => Ok(None),
            Self::Text(text) => Ok(Some(text)),
            _ => Err(wrong(name, "a text")),
        }
    }

    /// A whole number in a field, if it is there.
    pub(super) fn whole<T: TryFrom<i64>>(&self, name: &str) -> Result<Option<T>, Problem> {
        match self.get(name) {
            Self::Null => Ok(None),
            Self::Whole(number) => match T::try_from(*number) {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(Problem::new(&format!(
                    "{number} is out of range for {name}"
                ))),
            },
            _ => Err(wrong(name, "a whole number")),
        }
    }

    /// A list in a field; empty if it is not there.
    pub(super) fn list(&self, name: &str) -> Result<&[Self], Problem> {
        match self.get(name) {
            Self::Null => Ok(&[]),
            Self::List(values) => Ok(values),
            _ => Err(wrong(name, "a list")),
        }
    }

    /// A list of texts in a field; empty if it is not there.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, Problem> {
        let texts = self.list(name)?.iter().map(|value| match value {
            Self::Text(text) => Ok(text.clone()),
            _ => Err(wrong(name, "a list of texts")),
        });
        texts.collect()
    }

    /// A list of whole numbers in a field; empty if it is not there.
    pub(super) fn wholes<T: TryFrom<i64>>(&self, name: &str) -> Result<Vec<T>, Problem> {
        let numbers = self.list(name)?.iter().map(|value| match value {
            Self::Whole(number) => {
                T::try_from(*number).map_err(|_| wrong(name, "a list of small numbers"))
            }
            _ => Err(wrong(name, "a list of whole numbers")),
        });
        numbers.collect()
    }

    /// The fields of an object in a field; none if it is not there.
    pub(super) fn fields(&self, name: &str) -> Result<&[(String, Self)], Problem> {
        match self.get(name) {
            Self::Null => Ok(&[]),
            Self::Object(fields) => Ok(fields),
            _ => Err(wrong(name, "an object")),
        }
    }
}

fn wrong(name: &str, wanted: &str) -> Problem {
    Problem::new(&format!("{name} must be {wanted}"))
}

/// Reads from left to right. After `None`, `at` is where the text is wrong.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        self.text[self.at..].starts_with(word).then(|| {
            self.at += word.len();
            value
        })
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.skip_blanks();
        match self.peek()? {
            b'n' => self.word("null", Json::Null),
            b't' => self.word("true", Json::Bool),
            b'f' => self.word("false", Json::Bool),
            b'"' => self.string().map(Json::Text),
            b'-' | b'0'..=b'9' => self.number(),
            b'[' if depth < MAX_DEPTH => {
                let mut values = Vec::new();
                self.items(b']', |parser| {
                    values.push(parser.value(depth + 1)?);
                    Some(())
                })?;
                Some(Json::List(values))
            }
            b'{' if depth < MAX_DEPTH => {
                let mut fields = Vec::new();
                self.items(b'}', |parser| {
                    let name = parser.string()?;
                    parser.skip_blanks();
                    parser.take(b':')?;
                    fields.push((name, parser.value(depth + 1)?));
                    Some(())
                })?;
                Some(Json::Object(fields))
            }
            _ => None,
        }
    }

    /// Reads what is between brackets, item by item.
    fn items(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.skip_blanks();
        if self.take(end).is_some() {
            return Some(());
        }
        loop {
            self.skip_blanks();
            item(self)?;
            self.skip_blanks();
            if self.take(end).is_some() {
                return Some(());
            }
            self.take(b',')?;
        }
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        let _ = self.take(b'-');
        let first = self.at;
        self.digits()?;
        if self.text[first..self.at].len() > 1 && self.text[first..].starts_with('0') {
            self.at = first;
            return None;
        }
        let whole = &self.text[start..self.at];
        let mut is_whole = true;
        if self.take(b'.').is_some() {
            is_whole = false;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            is_whole = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let number = whole.parse().ok().filter(|_| is_whole);
        Some(number.map_or(Json::OtherNumber, Json::Whole))
    }

    fn string(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let end = rest
                .bytes()
                .position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')?;
            text.push_str(&rest[..end]);
            self.at += end;
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(text);
                }
                b'\\' => text.push(self.escape()?),
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let letter = *self.text.as_bytes().get(self.at + 1)?;
        let plain = match letter {
            b'"' | b'\\' | b'/' => letter,
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'u' => return self.unicode(),
            _ => return None,
        };
        self.at += 2;
        Some(plain.into())
    }

    /// Reads `\uD83D\uDE00`: one number, or two halves of a large one. Half of one is an unknown character.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex()?;
        let before = self.at;
        let mut number = first;
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            let second = self.hex()?;
            if (0xDC00..0xE000).contains(&second) {
                number = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            } else {
                self.at = before;
            }
        }
        Some(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at + 2..self.at + 6)?;
        let number = digits
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit())
            .then(|| u32::from_str_radix(digits, 16).ok())??;
        self.at += 6;
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// The same value as another reader sees it.
    fn of(value: &Value) -> Json {
        match value {
            Value::Null => Json::Null,
            Value::Bool(_) => Json::Bool,
            Value::Number(number) => number.as_i64().map_or(Json::OtherNumber, Json::Whole),
            Value::String(text) => Json::Text(text.clone()),
            Value::Array(values) => Json::List(values.iter().map(of).collect()),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), of(value)));
                Json::Object(fields.collect())
            }
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-1e9..1e9).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_what_another_reader_reads(value in values(), pretty: bool) {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            prop_assert_eq!(Json::parse(text.as_bytes()), Ok(of(&value)));
        }

        #[test]
        fn accepts_no_text_that_another_reader_refuses(text in r#"[\[\]{}",:0-9a-f.eE+\-\\u ]{0,12}|null|tru|"[^"]{0,4}"#) {
            let other = serde_json::from_str::<Value>(&text).map(|value| of(&value)).ok();
            if let Ok(value) = Json::parse(text.as_bytes()) {
                prop_assert_eq!(Some(value), other, "{}", text);
            } else {
                prop_assert_eq!(other, None, "{}", text);
            }
        }

        #[test]
        fn any_bytes_get_an_answer(text: Vec<u8>) {
            let _ = Json::parse(&text);
        }
    }

    #[test]
    fn escapes_and_surrogates() {
        let read = |text: &str| Json::parse(text.as_bytes());
        assert_eq!(
            read(r#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#),
            Ok(Json::Text("\"\\/\u{8}\u{c}\n\r\té😀".to_owned()))
        );
        assert_eq!(read(r#""\uD83Dx""#), Ok(Json::Text("\u{fffd}x".to_owned())));
        assert_eq!(
            read(r#""\uD83D\u0041""#),
            Ok(Json::Text("\u{fffd}A".to_owned()))
        );
        assert_eq!(
            read(r#""\u00é1""#).unwrap_err().message,
            "This is not a request: bad JSON at byte 2."
        );
    }

    #[test]
    fn deep_nesting_is_refused_and_not_a_stack_overflow() {
        let deep = "[".repeat(1_000_000);
        assert!(Json::parse(deep.as_bytes()).is_err());
    }

    #[test]
    fn a_field_of_the_wrong_kind_has_a_sentence() {
        let request =
            Json::parse(br#"{"fen": 3, "moves": ["e2e4", 4], "number": 1.5, "large": 70000}"#)
                .unwrap();
        let message = |problem: Problem| problem.message;
        assert_eq!(
            request.text("fen").map_err(message).unwrap_err(),
            "Fen must be a text."
        );
        assert_eq!(
            request.texts("moves").map_err(message).unwrap_err(),
            "Moves must be a list of texts."
        );
        assert_eq!(
            request.whole::<u16>("number").map_err(message).unwrap_err(),
            "Number must be a whole number."
        );
        assert_eq!(
            request.whole::<u16>("large").map_err(message).unwrap_err(),
            "70000 is out of range for large."
        );
        assert_eq!(request.text("missing").unwrap(), None);
    }
}
