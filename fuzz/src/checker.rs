//! The lines of the classic checker.

use tabiya_classics::checker::{check, check_line, explain};

/// Checks that every line gets the same answer, however it is read.
pub fn check_checker(bytes: &[u8]) {
    let mut answers = Vec::new();
    let summary = check(bytes, &mut answers, 1, || {}).expect("buffers never fail");
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    // Text after the last line break is a line, unless it is empty.
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let expected: String = lines
        .iter()
        .map(|line| format!("{}\n", check_line(line)))
        .collect();
    assert_eq!(answers, expected.as_bytes());
    assert_eq!(summary.lines, lines.len() as u64);
    assert_eq!(expected.lines().count(), lines.len());

    let (mut explained, mut explanation) = (Vec::new(), Vec::new());
    let again = explain(bytes, &mut explained, &mut explanation);
    assert_eq!(again.expect("buffers never fail"), summary);
    assert_eq!(explained, answers);
    assert!(String::from_utf8(explanation).is_ok());

    // More space between words changes only the columns in errors.
    for line in lines {
        let spaced: Vec<u8> = line
            .iter()
            .flat_map(|&byte| match byte {
                b' ' => vec![b'\t', b' '],
                b':' => vec![b' ', b':'],
                _ => vec![byte],
            })
            .collect();
        let kind = |line| std::mem::discriminant(&check_line(line));
        assert_eq!(kind(line), kind(&spaced));
    }
}
