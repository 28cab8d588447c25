//! Reading moves.

use tabiya_board::Board;
use tabiya_notation::{
    Dialect, PieceLetters, San, SanError, SanParts, parse_san_with, uci, write_san,
};

const DIALECTS: [Dialect; 4] = [
    Dialect::Strict,
    Dialect::Import,
    Dialect::Lenient,
    Dialect::PseudoLegal,
];

/// Positions with castling, en passant, promotions, pins, checks and ambiguous moves.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "3nk3/4P1P1/8/3pP3/2P5/8/8/4K3 w - d6 0 1",
    "4k3/8/1p6/2b5/R6R/8/8/R3K1N1 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k2r/8/8/1q6/8/8/8/R1R1K2r w H - 0 1",
    "1Q4Q1/8/8/8/1Q4Q1/8/k7/4K3 w - - 0 1",
    "1r2k3/1p6/8/8/8/8/8/RK5R w HAb - 0 1",
];

/// The first two bytes choose a position and a language. Checks that the rest is a move in each dialect, or an error
/// with a valid place, and that a move survives a round trip.
///
/// # Panics
///
/// If a check fails.
pub fn check_san(bytes: &[u8]) {
    let [position, language, bytes @ ..] = bytes else {
        return;
    };
    let position = POSITIONS[usize::from(*position) % POSITIONS.len()];
    let Ok(board) = position.parse::<Board>() else {
        return;
    };
    let languages = PieceLetters::all().count();
    let letters = PieceLetters::all().nth(usize::from(*language) % languages);
    let letters = letters.unwrap_or(PieceLetters::ENGLISH);
    let text = String::from_utf8_lossy(bytes);
    for dialect in DIALECTS {
        check_reading(&text, dialect, &letters);
        let read = parse_san_with(&text, &board, dialect, &letters);
        let Ok(mv) = read else {
            continue;
        };
        assert!(board.is_legal(mv), "{text:?} is {mv} on {board}");
        let written = letters.localize(&write_san(&board, mv));
        assert_eq!(
            parse_san_with(&written, &board, Dialect::Strict, &letters),
            Ok(mv),
            "{text:?} on {board}"
        );
        if dialect == Dialect::Strict {
            assert_eq!(written, text);
        }
    }
    if let Ok(mv) = uci::parse(&text, &board) {
        assert!(board.is_legal(mv), "{text:?} is {mv} on {board}");
        let written = uci::write_chess960(&board, mv).to_string();
        assert_eq!(uci::parse(&written, &board), Ok(mv), "{text:?} on {board}");
    }
}

fn check_reading(text: &str, dialect: Dialect, letters: &PieceLetters) {
    match San::parse_with(text, dialect, letters) {
        Ok(san) => {
            if let SanParts::Piece(piece) = san.parts() {
                assert_eq!(San::from(piece), san, "{text:?}");
            }
            // After a move number, the reader takes its slow path.
            let is_numbered = text.starts_with(|letter: char| letter.is_ascii_digit());
            if dialect == Dialect::Import && !is_numbered {
                let numbered = format!("7... {text}");
                assert_eq!(San::parse_with(&numbered, dialect, letters), Ok(san));
            }
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            match error {
                SanError::Unexpected { at, found } => assert!(text[at..].starts_with(found)),
                SanError::Incomplete { at } => assert_eq!(at, text.len(), "{text:?}"),
                SanError::UnknownPiece { found, .. } => assert!(text.contains(found)),
                error => panic!("{text:?} cannot be read: {error:?}"),
            }
        }
    }
}
