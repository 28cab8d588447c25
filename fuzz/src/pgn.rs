//! Reading PGN.

use tabiya_notation::GameResult;
use tabiya_notation::pgn::{Batches, Event, Game, Reader, clock, commands, decode, eval};

/// An event and its offset.
type Seen<'a> = (usize, Event<'a>);

/// Returns the events of a text, read in one piece.
fn events(text: &[u8]) -> Vec<Seen<'_>> {
    let mut reader = Reader::new(text);
    let mut events = Vec::new();
    let mut last = 0;
    while let Some(event) = reader.next() {
        let offset = reader.event_offset();
        // Unclosed comments and variations are reported at the end; everything else comes in order.
        assert!(last <= offset && offset <= reader.offset(), "{text:?}");
        last = offset;
        events.push((offset, event));
        // This many events take linear time: nothing is read twice.
        assert!(events.len() <= text.len() + 2, "{text:?}");
    }
    assert_eq!(reader.offset(), text.len(), "{text:?}");
    events
}

/// Checks that batches of any size give the same events, with the same lines.
fn check_batches(text: &[u8], size: usize) {
    let whole = Reader::new(text);
    let mut expected = events(text).into_iter();
    let mut bytes = 0;
    for batch in Batches::new(text, size) {
        let batch = batch.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(batch.bytes_before, bytes as u64);
        assert_eq!(batch.text, text[bytes..bytes + batch.text.len()]);
        for (offset, event) in events(&batch.text) {
            let wanted = expected.next();
            assert_eq!(Some((bytes + offset, event)), wanted, "{size} of {text:?}");
            if let Event::End(_) = event {
                let (line, _) = batch.line_and_column(offset);
                assert_eq!(line, whole.line_and_column(bytes + offset).0, "{text:?}");
            }
        }
        bytes += batch.text.len();
    }
    assert_eq!(expected.next(), None, "{size} of {text:?}");
    assert_eq!(bytes, text.len());
}

/// Checks that games survive a round trip.
fn check_games(text: &[u8]) {
    let mut reader = Reader::new(text);
    while let Some(game) = Game::read(&mut reader) {
        match game {
            Ok(mut game) => {
                let written = game.to_string();
                // The writer adds what is missing.
                if game.tags.is_empty() {
                    game.result = game.result.or(Some(GameResult::Unknown));
                } else {
                    game.standardize();
                }
                let mut reader = Reader::new(written.as_bytes());
                let again = Game::read(&mut reader);
                assert_eq!(again, Some(Ok(game)), "{written:?} of {text:?}");
                assert_eq!(reader.next(), None, "{written:?} of {text:?}");
            }
            Err(error) => {
                assert!(error.offset <= text.len());
                assert!(!error.kind.to_string().is_empty());
            }
        }
    }
}

/// Checks that a game after any text is read.
fn check_next_game(text: &[u8]) {
    let next: &[u8] = b"\n\n[Event \"Next\"]\n\n1. d4 d5 2. c4 1-0\n";
    let text = [text, next].concat();
    let mut reader = Reader::new(&text);
    let games = std::iter::from_fn(|| Game::read(&mut reader));
    let Some(Ok(last)) = games.last() else {
        panic!("the game after {text:?} is not read");
    };
    assert_eq!(last.tag("Event"), Some("Next"), "{text:?}");
    assert_eq!(last.main_line().count(), 3, "{text:?}");
}

fn check_skipping(text: &[u8]) {
    let (mut reader, mut skipping) = (Reader::new(text), Reader::new(text));
    while let Some(first) = reader.next() {
        assert_eq!(skipping.next(), Some(first));
        let mut last = first;
        while !matches!(last, Event::End(_)) {
            last = reader
                .next()
                .unwrap_or_else(|| panic!("no end of {text:?}"));
        }
        if last != first {
            skipping.skip_game();
            assert_eq!(skipping.next(), Some(last), "{text:?}");
        }
    }
    assert_eq!(skipping.next(), None);
}

/// Checks that any bytes are read in linear time and without a panic. The first byte is the size of the batches.
///
/// # Panics
///
/// If a check fails.
pub fn check_pgn(bytes: &[u8]) {
    let [size, bytes @ ..] = bytes else {
        return;
    };
    for (_, event) in events(bytes) {
        if let Event::Comment(comment) = event {
            let comment = decode(comment);
            let _ = (clock(&comment), eval(&comment), commands(&comment).count());
        }
    }
    check_batches(bytes, usize::from(*size));
    if bytes.len() < 512 {
        // Long enough for the reader to find the ends of games.
        check_batches(
            &bytes.repeat(1 + 1024 / bytes.len().max(1)),
            usize::from(*size),
        );
    }
    check_games(bytes);
    check_next_game(bytes);
    check_skipping(bytes);
}
