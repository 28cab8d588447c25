//! Text measured in columns: Chinese letters take two, combining accents none. Lists, capitals and large numbers too.

pub use tabiya_notation::printable;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Returns the number of columns that text takes.
pub fn columns(text: &str) -> usize {
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// Pads text with spaces on the right to a width in columns.
pub fn padded(text: &str, width: usize) -> String {
    let spaces = width.saturating_sub(columns(text));
    // A width in a format string panics above 65,535.
    format!("{text}{}", " ".repeat(spaces))
}

/// Splits text after as many letters as fit `most` columns.
pub fn split(text: &str, most: usize) -> (&str, &str) {
    let mut taken = 0;
    let mut letters = text.grapheme_indices(true);
    let end = letters.find(|(_, letter)| {
        taken += letter.width();
        taken > most
    });
    text.split_at(end.map_or(text.len(), |(at, _)| at))
}

/// Cuts text to `most` columns, with two dots at the end if anything is missing.
pub fn clipped(text: &str, most: u16) -> String {
    let most = usize::from(most);
    let text = printable(text);
    if columns(&text) <= most {
        return text;
    }
    if most < 4 {
        return split(&text, most).0.to_owned();
    }
    dotted(&text, most)
}

/// The beginning of a text, followed by two dots.
fn dotted(text: &str, most: usize) -> String {
    let (kept, _) = split(text, most.saturating_sub(2));
    format!("{}..", kept.trim_end_matches([' ', ',']))
}

/// Cuts a name to `most` columns, at a comma if possible: `Tabiya, level 4, Casual player` becomes `Tabiya, level 4`.
pub fn shortened(name: &str, most: u16) -> String {
    let name = printable(name);
    let mut short = name.as_str();
    while columns(short) > usize::from(most) {
        match short.rsplit_once(", ") {
            Some((rest, _)) => short = rest,
            None => return clipped(short, most),
        }
    }
    short.to_owned()
}

/// Breaks text between words into at most `rows` lines. If it does not fit, the last line ends in two dots.
pub fn wrapped(text: &str, width: u16, rows: u16) -> Vec<String> {
    let width = usize::from(width.max(2));
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in printable(paragraph).split(' ') {
            let length = columns(&line);
            if length > 0 && length + 1 + columns(word) > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            // A word that is too long for a line is cut.
            while columns(&line) > width {
                let (first, rest) = split(&line, width);
                if first.is_empty() {
                    break;
                }
                let rest = rest.to_owned();
                lines.push(first.to_owned());
                line = rest;
            }
        }
        lines.push(line);
    }
    let rows = usize::from(rows);
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            *last = dotted(last, width);
        }
    }
    lines
}

/// Joins things as in a sentence: `a, b and c`.
pub fn list<T: ToString>(things: impl IntoIterator<Item = T>) -> String {
    let mut things: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    let Some(last) = things.pop() else {
        return String::new();
    };
    if things.is_empty() {
        return last;
    }
    format!("{} and {last}", things.join(", "))
}

/// Makes the first letter a capital. Our sentences begin with ASCII letters.
pub fn capitalized(sentence: &str) -> String {
    let mut sentence = sentence.to_owned();
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence
}

/// Writes a number in groups of three digits: `119,060,324`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Breaks a line between words to fit a width, without a limit of lines. All lines but the first are indented. A word
/// that is too long for a line stays whole.
pub fn wrapped_with_indent(line: &str, width: usize, indent: usize) -> String {
    let mut wrapped = String::with_capacity(line.len() + 1);
    let mut column = 0;
    for (i, word) in line.split(' ').enumerate() {
        let word_width = columns(word);
        if i > 0 && column + 1 + word_width > width {
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if i > 0 {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += word_width;
    }
    wrapped.push('\n');
    wrapped
}

/// Formats a duration in seconds: `42 s`, `3 min 5 s`, `2 h 46 min`.
pub fn format_duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_text_ends_in_dots() {
        assert_eq!(clipped("Sicilian", 8), "Sicilian");
        assert_eq!(clipped("Sicilian", 7), "Sicil..");
        assert_eq!(clipped("Sicilian", 2), "Si");
        let name = "Tabiya, level 4, Casual player";
        assert_eq!(shortened(name, 40), name);
        assert_eq!(shortened(name, 20), "Tabiya, level 4");
        assert_eq!(shortened(name, 5), "Tab..");
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three", 7, 9), ["one two", "three"]);
        assert_eq!(wrapped("one two three four", 7, 2), ["one two", "three.."]);
        assert_eq!(wrapped("checkmate", 5, 9), ["check", "mate"]);
        assert_eq!(wrapped("", 5, 2), Vec::<String>::new());
        assert_eq!(wrapped("a\nb", 5, 2), ["a", "b"]);
    }

    #[test]
    fn wide_letters_and_accents_are_measured() {
        // Wide letters, a combining accent, and an emoji of three characters.
        let (wide, accent, family) = ("王皓", "Ade\u{301}le", "👩\u{200d}👧");
        assert_eq!([wide, accent, family].map(columns), [4, 5, 2]);
        assert_eq!(padded(wide, 6), "王皓  ");
        assert_eq!(split(wide, 3), ("王", "皓"));
        assert_eq!(split(accent, 3), ("Ade\u{301}", "le"));
        assert_eq!(clipped("王皓王皓", 7), "王皓..");
        assert_eq!(clipped("王皓", 3), "王");
        assert_eq!(wrapped("王皓 王皓王", 5, 9), ["王皓", "王皓", "王"]);
        // A wide letter never fits one column: no endless loop.
        assert_eq!(wrapped("王皓", 1, 9), ["王", "皓"]);
        for text in [
            wide,
            accent,
            family,
            "王皓 beats Ade\u{301}le, Comtesse de 👩\u{200d}👧",
        ] {
            for width in 2..40_u16 {
                assert!(columns(&clipped(text, width)) <= width.into());
                assert!(columns(&shortened(text, width)) <= width.into());
                for line in wrapped(text, width, 3) {
                    assert!(columns(&line) <= width.into(), "{line}");
                }
            }
        }
    }

    #[test]
    fn lists_read_like_english() {
        assert_eq!(list::<&str>([]), "");
        assert_eq!(list(["a1"]), "a1");
        assert_eq!(list(["a1", "b2"]), "a1 and b2");
        assert_eq!(list(["a1", "b2", "c3"]), "a1, b2 and c3");
    }

    #[test]
    fn digits_are_grouped_by_three() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (119_060_324, "119,060,324"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn later_lines_are_indented() {
        let wrap = |width, indent| wrapped_with_indent("Ng1: f3 h3 xe2", width, indent);
        assert_eq!(wrap(80, 2), "Ng1: f3 h3 xe2\n");
        assert_eq!(wrap(10, 2), "Ng1: f3 h3\n  xe2\n");
        assert_eq!(wrap(9, 5), "Ng1: f3\n     h3\n     xe2\n");
        assert_eq!(wrapped_with_indent("a checkmate", 2, 0), "a\ncheckmate\n");
    }

    #[test]
    fn control_characters_are_removed() {
        assert_eq!(printable("a\tb\r\nc\u{1b}[2J\u{9b}"), "a b  c [2J ");
        assert_eq!(printable("x\u{202e}y\u{2066}z\u{2028}"), "xyz ");
        assert_eq!(clipped("a\u{7}b", 3), "a b");
    }
}
