//! Piece letters of other languages.

use clap::Args;
use tabiya_display::text::{list, printable};
use tabiya_games::{PlacedError, parse_size};
use tabiya_notation::pgn::GameErrorKind;
use tabiya_notation::{PieceLetters, SanError};

/// The option for the language of the moves.
#[derive(Args)]
pub(crate) struct Language {
    /// Language of the piece letters in the input, such as de for K D T L S
    #[arg(
        long,
        value_name = "LANG",
        default_value = "en",
        hide_default_value = true
    )]
    pub(crate) letters: PieceLetters,

    /// Largest game, or line, to read; a larger one is reported [default: 32MB]
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "32MB",
        hide_default_value = true,
        value_parser = parse_size
    )]
    pub(crate) max_game: usize,
}

/// Describes the error in a game, on one line. If only the piece letters are wrong, it suggests the option to use.
pub(crate) fn sentence(error: &GameErrorKind) -> String {
    let mut sentence = error.to_string();
    if let GameErrorKind::Move {
        reason: SanError::UnknownPiece { found, .. },
        ..
    } = error
    {
        let languages = PieceLetters::languages_with(*found);
        if !languages.is_empty() {
            sentence.push_str(". For a game in ");
            sentence.push_str(&list(languages).replace(" and ", " or "));
            sentence.push_str(", use --letters");
        }
    } else if let GameErrorKind::TooLarge { .. } = error {
        sentence.push_str(", which --max-game can raise");
    }
    printable(&sentence)
}

/// The same for a game of a file, with its place.
pub(crate) fn placed_sentence(error: &PlacedError) -> String {
    let PlacedError {
        file,
        line,
        column,
        kind,
    } = error;
    format!("{file}:{line}:{column}: {}", sentence(kind))
}
