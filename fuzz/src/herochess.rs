//! The console of the classic herochess, and its records.

use tabiya_classics::herochess::{AiLevel, HerochessRecord, HerochessSession, Options};

/// Checks that the console runs until the input ends, and that a record survives a round trip.
pub fn check_herochess(bytes: &[u8]) {
    let options = Options {
        seed: Some(1),
        level: AiLevel::new(1).expect("level 1 exists"),
        // An unusable folder, so that nothing is saved.
        folder: "/dev/null/nowhere".into(),
        explain: true,
        ..Options::default()
    };
    let mut printed = Vec::new();
    let ended = HerochessSession::new(bytes, &mut printed, options).run();
    ended.expect("buffers never fail");
    let printed = String::from_utf8(printed).expect("the output is UTF-8");
    assert!(printed.starts_with("Welcome"));

    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match HerochessRecord::parse(text) {
        Ok(record) => assert!(text.lines().eq(record.to_string().lines())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
