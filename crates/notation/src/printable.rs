//! Text from outside, made safe to print.

/// Makes text from a file or an engine safe to print on one line of a terminal: no control characters, no line breaks,
/// no reversed order.
///
/// ```
/// use tabiya_notation::printable;
/// assert_eq!(printable("e2\u{1b}[2Je4\n"), "e2 [2Je4 ");
/// assert_eq!(printable("left\u{202e}right"), "leftright");
/// ```
pub fn printable(text: &str) -> String {
    text.chars()
        .filter(|letter| !changes_direction(*letter))
        .map(|letter| match letter {
            '\u{2028}' | '\u{2029}' => ' ',
            letter if letter.is_control() => ' ',
            letter => letter,
        })
        .collect()
}

/// Whether a character switches between left-to-right and right-to-left. Unpaired, it would reverse the rest of the
/// line.
const fn changes_direction(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The same for a text of several lines: its line breaks stay.
///
/// ```
/// use tabiya_notation::printable_lines;
/// assert_eq!(printable_lines("1. e4 {\u{9b}2J}\n1-0\n"), "1. e4 { 2J}\n1-0\n");
/// ```
pub fn printable_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(printable).collect();
    lines.join("\n")
}
