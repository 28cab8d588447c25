//! Reading EPD.

use tabiya_notation::{Epd, EpdError};

/// Checks that any bytes are an EPD or an error, and that an EPD survives a round trip.
///
/// # Panics
///
/// If a check fails.
pub fn check_epd(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Epd>() {
        Ok(epd) => {
            let written = epd.to_string();
            let again: Epd = written
                .parse()
                .unwrap_or_else(|error| panic!("{error}: {written:?} of {text:?}"));
            assert_eq!(again.board, epd.board, "{text:?}");
            assert_eq!(again.to_string(), written, "{text:?}");
            // Only clock operations that disagree with the board are replaced.
            let others = |epd: &Epd| {
                let mut operations = epd.operations.clone();
                operations.retain(|one| !["hmvc", "fmvn"].contains(&one.opcode.as_str()));
                operations
            };
            assert_eq!(others(&again), others(&epd), "{text:?}");
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            match error {
                EpdError::Position(error) => assert!(text.is_char_boundary(error.at)),
                EpdError::UnclosedQuote { at } => assert!(text[at..].starts_with('"')),
                EpdError::InvalidOpcode { at, found } => assert!(text[at..].starts_with(found)),
                error => panic!("{error} is new"),
            }
        }
    }
}
