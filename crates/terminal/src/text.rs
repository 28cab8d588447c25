//! Text that fits.

/// A text cut to so many columns, with dots where something is missing.
pub(crate) fn clipped(text: &str, columns: u16) -> String {
    let columns = usize::from(columns);
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    if columns < 4 {
        return text.chars().take(columns).collect();
    }
    let kept: String = text.chars().take(columns - 2).collect();
    format!("{}..", kept.trim_end_matches([' ', ',']))
}

/// A name cut to so many columns, at a comma if that is enough: `Tabiya, level 4, Casual player` becomes `Tabiya, level 4`.
pub(crate) fn shortened(name: &str, columns: u16) -> String {
    let mut short = name;
    while short.chars().count() > usize::from(columns) {
        match short.rsplit_once(", ") {
            Some((rest, _)) => short = rest,
            None => return clipped(short, columns),
        }
    }
    short.to_owned()
}

/// A text broken between words into at most so many lines. What does not fit ends in dots.
pub(crate) fn wrapped(text: &str, columns: u16, rows: u16) -> Vec<String> {
    let columns = usize::from(columns.max(1));
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            let length = line.chars().count();
            if length > 0 && length + 1 + word.chars().count() > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            // A word that is too long for any line is cut where it must be.
            while line.chars().count() > columns {
                let rest: String = line.chars().skip(columns).collect();
                line = line.chars().take(columns).collect();
                lines.push(std::mem::replace(&mut line, rest));
            }
        }
        lines.push(line);
    }
    let rows = usize::from(rows);
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            let kept: String = last.chars().take(columns.saturating_sub(2)).collect();
            *last = format!("{}..", kept.trim_end_matches([' ', ',']));
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
}
