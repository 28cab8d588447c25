//! The reason given for an illegal move is the best there is, for every piece and square of many positions.

use std::collections::BTreeMap;

use tabiya_board::{Bitboard, Board, Refusal, Role, Square, attacks};
use tabiya_notation::{Dialect, SanError, parse_san};

/// Positions of games in which the moves are drawn by a fixed rule.
fn positions() -> Vec<Board> {
    let mut seed = 18u64;
    let mut positions = Vec::new();
    for _ in 0..20 {
        let mut board = Board::start();
        for _ in 0..60 {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            positions.push(board);
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            board.play(legal[(seed >> 33) as usize % legal.len()]);
        }
    }
    positions
}

/// Whether a piece could make the move on an empty board.
fn fits(board: &Board, role: Role, from: Square, to: Square) -> bool {
    let color = board.turn();
    let pushes = attacks::pawn_pushes(color, from, Bitboard::EMPTY);
    attacks::of(role, color, from, Bitboard::EMPTY).contains(to) && role != Role::Pawn
        || role == Role::Pawn && pushes.contains(to)
}

#[test]
fn the_reason_names_the_piece_that_is_meant() {
    let mut kinds: BTreeMap<String, String> = BTreeMap::new();
    for board in positions() {
        for role in Role::ALL {
            let own = board.pieces(board.turn(), role);
            for to in Square::all() {
                let text = match role {
                    Role::Pawn => to.to_string(),
                    _ => format!("{}{to}", role.upper_char()),
                };
                let Err(error) = parse_san(&text, &board, Dialect::Import) else {
                    continue;
                };
                let close = own.into_iter().filter(|&from| fits(&board, role, from, to));
                let close: Vec<Square> = close.collect();
                let is_own = board.color_at(to) == Some(board.turn());
                let sentence = format!("{text} on {board}: {error}");
                match &error {
                    SanError::NoSuchPiece { .. } => {
                        assert!(close.is_empty() && own.len() > 1, "{sentence}");
                    }
                    SanError::NoPieceThere { .. } => {
                        let file = Bitboard::file(to.file());
                        let own = if role == Role::Pawn { own & file } else { own };
                        assert!(own.is_empty(), "{sentence}");
                    }
                    SanError::PawnCaptureSpelling { from, .. } => {
                        let (_, written) = sentence.rsplit_once(' ').unwrap();
                        let mv = parse_san(written, &board, Dialect::Import);
                        assert!(mv.is_ok_and(|mv| mv.from() == *from), "{sentence}");
                    }
                    SanError::CastlingSpelling { .. } => assert_eq!(role, Role::King),
                    SanError::Ambiguous { from, .. } => assert!(from.len() > 1, "{sentence}"),
                    SanError::Illegal { reason } => {
                        // The reason is that of a piece of this kind.
                        let reasons = own
                            .into_iter()
                            .filter_map(|from| board.legal_move(from, to, None).err());
                        let is_own_reason = reasons.into_iter().any(|own| own == *reason);
                        let blocks_itself = matches!(reason, Refusal::OwnPiece { .. });
                        assert!(is_own_reason || blocks_itself, "{sentence}");
                        assert!(!matches!(reason, Refusal::SameSquare { .. }), "{sentence}");
                        assert!(!(is_own && sentence.contains("castle")), "{sentence}");
                        // Nothing in the way is hidden behind how pieces move, and nobody is told to capture a man of
                        // their own.
                        if matches!(reason, Refusal::NotHowItMoves { .. }) {
                            assert!(close.is_empty(), "{sentence}");
                        }
                        if let Refusal::OwnPiece { square, .. } = reason {
                            assert!(is_own && *square == to, "{sentence}");
                        }
                    }
                    other => panic!("{text} on {board}: {other:?}"),
                }
                let kind = match &error {
                    SanError::Illegal { reason } => format!("{reason:?}"),
                    other => format!("{other:?}"),
                };
                let kind = kind.split(' ').next().unwrap_or_default().to_owned();
                kinds.entry(kind).or_insert(sentence);
            }
        }
    }
    // To read: cargo test -p tabiya-notation --test reasons -- --nocapture
    for sentence in kinds.values() {
        println!("{sentence}");
    }
    assert!(kinds.len() > 12, "{kinds:?}");
}

#[test]
fn a_knight_is_told_about_the_pawn_on_its_square() {
    let error = parse_san("Nd2", &Board::start(), Dialect::Import).unwrap_err();
    assert_eq!(error.to_string(), "your own pawn is on d2");
}
