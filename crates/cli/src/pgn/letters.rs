//! Movetext from the letters of one language into those of another.

use tabiya_notation::pgn::{Event, Problem, Reader, SanToken, text};
use tabiya_notation::{Dialect, Letters, San, SanError, SanParts};

/// A move that cannot be read with the letters of a language.
pub(crate) struct Unreadable {
    /// The number of bytes before it.
    pub(crate) offset: usize,
    pub(crate) word: String,
    pub(crate) error: SanError,
}

/// Movetext in the letters of a language, in the English ones. Lines stay as they are.
pub(crate) fn to_english(movetext: &[u8], letters: &Letters) -> Result<Vec<u8>, Unreadable> {
    rewritten(movetext, |word, is_move| {
        match San::read_with(&text(word), Dialect::Import, letters) {
            Ok(san) => Ok(Some(spelled(san))),
            // What is no move in English either is left to the reader of the game.
            Err(_) if !is_move => Ok(None),
            Err(error) => Err(error),
        }
    })
}

/// Movetext in the English letters, in those of a language.
pub(crate) fn from_english(movetext: &[u8], letters: &Letters) -> Vec<u8> {
    let localised = rewritten(movetext, |word, is_move| {
        Ok(is_move.then(|| letters.localise(&text(word))))
    });
    localised.unwrap_or_else(|_| movetext.to_vec())
}

/// Movetext with its moves, and what could be moves, changed.
fn rewritten(
    movetext: &[u8],
    change: impl Fn(&[u8], bool) -> Result<Option<String>, SanError>,
) -> Result<Vec<u8>, Unreadable> {
    let mut rewritten = Vec::with_capacity(movetext.len() + movetext.len() / 8);
    let mut done = 0;
    let mut reader = Reader::new(movetext);
    while let Some(event) = reader.next() {
        let (word, is_move) = match event {
            Event::Move(SanToken { text, .. }) => (text, true),
            Event::Problem(Problem::Word(word)) => (word, false),
            _ => continue,
        };
        let offset = reader.event_offset();
        let changed = change(word, is_move).map_err(|error| Unreadable {
            offset,
            word: text(word).into_owned(),
            error,
        })?;
        if let Some(changed) = changed {
            rewritten.extend_from_slice(&movetext[done..offset]);
            rewritten.extend_from_slice(changed.as_bytes());
            done = offset + word.len();
        }
    }
    rewritten.extend_from_slice(&movetext[done..]);
    Ok(rewritten)
}

/// A move in English, with all that was written of it.
fn spelled(san: San) -> String {
    let piece = match san.parts() {
        SanParts::Null => return "--".to_owned(),
        SanParts::Castle(wing) => return crate::spelling::castling(wing).to_owned(),
        SanParts::Piece(piece) => piece,
    };
    let mut text = String::new();
    if piece.role != tabiya_board::Role::Pawn {
        text.push(piece.role.upper_char());
    }
    text.extend(piece.file.map(tabiya_board::File::char));
    text.extend(piece.rank.map(tabiya_board::Rank::char));
    if piece.capture {
        text.push('x');
    }
    text.push_str(&piece.to.to_string());
    if let Some(role) = piece.promotion {
        text.push('=');
        text.push(role.upper_char());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let german: Letters = "de".parse().unwrap();
        let text = "1. e4 e5 {Sf3 folgt} 2. Sf3 Sc6 3. Lb5 (3. Lc4 Sd4) bxa8=D+ *";
        let english = to_english(text.as_bytes(), &german).ok().unwrap();
        let english = String::from_utf8(english).unwrap();
        assert_eq!(
            english,
            "1. e4 e5 {Sf3 folgt} 2. Nf3 Nc6 3. Bb5 (3. Bc4 Nd4) bxa8=Q *"
        );
        let back = from_english(english.as_bytes(), &german);
        assert_eq!(String::from_utf8(back).unwrap(), text.replace("D+", "D"));
    }

    #[test]
    fn what_is_another_piece_in_english_is_no_move() {
        let german: Letters = "de".parse().unwrap();
        let error = to_english(b"1. e4 e5 2. Nf3", &german).err().unwrap();
        assert_eq!((error.offset, error.word.as_str()), (12, "Nf3"));
    }
}
