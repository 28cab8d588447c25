//! The lines of the classic chessmoves.

use tabiya_classics::chessmoves::{BOARD_SIZE, ChessmovesError, NotationLine, run};

/// Checks that each board is one move away from the one before, and that an error names an existing line.
pub fn check_chessmoves(bytes: &[u8]) {
    let mut printed = Vec::new();
    let stopped = run(bytes, &mut printed);
    let boards: Vec<&[u8]> = printed.chunks(BOARD_SIZE).collect();
    let words = String::from_utf8_lossy(bytes).split_whitespace().count();
    assert!(boards.len() <= words + 1);
    for pair in boards.windows(2) {
        assert_eq!(pair[1].len(), BOARD_SIZE);
        let changes = pair[0].iter().zip(pair[1]).filter(|(a, b)| a != b);
        assert!((2..=4).contains(&changes.count()));
    }
    match stopped {
        Ok(()) => {}
        Err(error @ ChessmovesError::Line { line, .. }) => {
            let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            assert!((1..=lines).contains(&line), "{error}");
            assert!(!error.to_string().chars().any(char::is_control));
        }
        Err(error) => panic!("buffers never fail: {error}"),
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for text in text.lines() {
        if let Ok(line) = NotationLine::parse(text) {
            let words = line.moves().into_iter().flatten().chain(line.result);
            assert!(
                words
                    .clone()
                    .all(|word| text.contains(word) && !word.is_empty())
            );
            assert_eq!(line.is_empty(), text.trim().is_empty(), "{text:?}");
        }
    }
}
