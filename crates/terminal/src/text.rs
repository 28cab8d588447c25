//! Text that fits. Letters may take two columns, as Chinese ones do, or none, as accents that stand apart.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A text from a file, which may hold anything, so that it stays on its line and stands as it was read.
pub fn printable(text: &str) -> String {
    let letters = text.chars().filter(|letter| !turns(*letter));
    letters
        .map(|letter| match letter {
            // These end a line, too.
            '\u{2028}' | '\u{2029}' => ' ',
            letter if letter.is_control() => ' ',
            letter => letter,
        })
        .collect()
}

/// Whether a letter is none, but makes others run from the right to the left or back: one without its counterpart would
/// turn around what stands behind it.
const fn turns(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The columns that a text takes.
pub fn columns(text: &str) -> usize {
    // Letter by letter, as they are drawn.
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// A text with spaces behind it up to so many columns.
pub fn padded(text: &str, width: usize) -> String {
    let spaces = width.saturating_sub(columns(text));
    format!("{text}{:spaces$}", "")
}

/// A text in two: as many letters as fit in so many columns, and the rest.
pub(crate) fn split(text: &str, most: usize) -> (&str, &str) {
    let mut taken = 0;
    let mut letters = text.grapheme_indices(true);
    let end = letters.find(|(_, letter)| {
        taken += letter.width();
        taken > most
    });
    text.split_at(end.map_or(text.len(), |(at, _)| at))
}

/// A text cut to so many columns, with dots where something is missing.
pub(crate) fn clipped(text: &str, most: u16) -> String {
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

/// The beginning of a text, with two dots behind it.
fn dotted(text: &str, most: usize) -> String {
    let (kept, _) = split(text, most.saturating_sub(2));
    format!("{}..", kept.trim_end_matches([' ', ',']))
}

/// A name cut to so many columns, at a comma if that is enough: `Tabiya, level 4, Casual player` becomes `Tabiya, level 4`.
pub(crate) fn shortened(name: &str, most: u16) -> String {
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

/// A text broken between words into at most so many lines. What does not fit ends in dots.
pub(crate) fn wrapped(text: &str, width: u16, rows: u16) -> Vec<String> {
    // A letter of two columns needs them.
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
            // A word that is too long for any line is cut where it must be.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_with_dots() {
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
    fn letters_take_the_columns_that_they_are_drawn_in() {
        // Two columns each, an accent that stands apart, and a family that is one letter.
        let (wide, accent, family) = ("王皓", "Ade\u{301}le", "👩\u{200d}👧");
        assert_eq!([wide, accent, family].map(columns), [4, 5, 2]);
        assert_eq!(padded(wide, 6), "王皓  ");
        assert_eq!(split(wide, 3), ("王", "皓"));
        assert_eq!(split(accent, 3), ("Ade\u{301}", "le"));
        assert_eq!(clipped("王皓王皓", 7), "王皓..");
        assert_eq!(clipped("王皓", 3), "王");
        assert_eq!(wrapped("王皓 王皓王", 5, 9), ["王皓", "王皓", "王"]);
        // Nothing fits into one column, and that is not waited for.
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
    fn nothing_moves_what_stands_beside_it() {
        assert_eq!(printable("a\tb\r\nc\u{1b}[2J\u{9b}"), "a b  c [2J ");
        assert_eq!(printable("x\u{202e}y\u{2066}z\u{2028}"), "xyz ");
        assert_eq!(clipped("a\u{7}b", 3), "a b");
    }
}
