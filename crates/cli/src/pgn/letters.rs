//! The letters of the pieces in other languages.

use clap::Args;
use tabiya_notation::pgn::{Event, GameErrorKind, Reader, SanToken, decode};
use tabiya_notation::{PieceLetters, SanError};

use super::printable;
use crate::spelling::list;

/// The option that says which letters are read.
#[derive(Args)]
pub(crate) struct Read {
    /// The language of the letters that are read, as in de for K D T L S
    #[arg(
        long,
        value_name = "LANG",
        default_value = "en",
        hide_default_value = true
    )]
    pub(crate) letters: PieceLetters,
}

/// What is wrong with a game, in a sentence that stays on its line and, where only the letters of the pieces are wrong,
/// names the remedy.
pub(crate) fn sentence(problem: &GameErrorKind) -> String {
    let mut sentence = problem.to_string();
    if let GameErrorKind::Move {
        reason: SanError::UnknownPiece { found, .. },
        ..
    } = problem
    {
        let knows = |letters: &PieceLetters| letters.role(found.encode_utf8(&mut [0; 4])).is_some();
        let languages: Vec<_> = PieceLetters::all().filter(knows).collect();
        if !languages.is_empty() {
            let languages = list(languages.iter().map(PieceLetters::language));
            sentence.push_str("; it is one in ");
            sentence.push_str(&languages);
            sentence.push_str(": name the language with --letters");
        }
    }
    printable(&sentence)
}

/// Movetext in the English letters, in those of a language. Lines stay as they are.
pub(crate) fn from_english(movetext: &[u8], letters: &PieceLetters) -> Vec<u8> {
    let mut localised = Vec::with_capacity(movetext.len() + movetext.len() / 8);
    let mut done = 0;
    let mut reader = Reader::new(movetext);
    while let Some(event) = reader.next() {
        let Event::Move(SanToken { text: word, .. }) = event else {
            continue;
        };
        let offset = reader.event_offset();
        localised.extend_from_slice(&movetext[done..offset]);
        localised.extend_from_slice(letters.localize(&decode(word)).as_bytes());
        done = offset + word.len();
    }
    localised.extend_from_slice(&movetext[done..]);
    localised
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_notation::pgn::Game;

    #[test]
    fn there_and_back() {
        let german: PieceLetters = "de".parse().unwrap();
        let english = "1. e4 e5 { Nf3 next } 2. Nf3 Nc6 3. Bb5 (3. Bc4 Nd4) *\n";
        let localised = from_english(english.as_bytes(), &german);
        assert_eq!(
            decode(&localised),
            "1. e4 e5 { Nf3 next } 2. Sf3 Sc6 3. Lb5 (3. Lc4 Sd4) *\n"
        );
        let game = Game::read_with(&mut Reader::new(&localised), &german);
        assert_eq!(game.unwrap().unwrap().to_string(), english);
    }

    #[test]
    fn the_remedy_is_named_where_there_is_one() {
        let problem = |text: &str| {
            let game = Game::read(&mut Reader::new(text.as_bytes())).unwrap();
            sentence(&game.unwrap_err().kind)
        };
        assert_eq!(
            problem("1. e4 e5 2. Sf3 *"),
            "2. Sf3: 'S' is no piece: the pieces are P N B R Q K; \
             it is one in cs, da, de, no, pl and sv: name the language with --letters"
        );
        let unknown = problem("1. e4 e5 2. Xf3 *");
        assert!(!unknown.contains("--letters"), "{unknown}");
    }
}
