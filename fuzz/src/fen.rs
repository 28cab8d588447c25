//! Reading FEN.

use tabiya_board::{Board, FenErrorKind, Setup};

use crate::board::{check_children, check_round_trips, legal_moves};

/// Checks that any bytes are a valid board or an error.
///
/// # Panics
///
/// If a check fails.
pub fn check_fen(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Board>() {
        Ok(board) => {
            assert!(Setup::from_fen(&text).is_ok());
            check_round_trips(&board);
            let moves = legal_moves(&board);
            check_children(&board, &moves);
            let _ = (board.outcome(), board.repetition_key());
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.at), "{text:?}: {error:?}");
            assert!(!error.to_string().is_empty());
            // A readable FEN of an invalid position is still a setup, unless a castling letter has no rook.
            if let FenErrorKind::Invalid(invalid) = error.kind
                && let Ok(setup) = Setup::from_fen(&text)
            {
                assert_eq!(Board::new(&setup), Err(invalid));
            }
        }
    }
}
