//! Positions in words: whose turn it is, check, castling rights, how the game ended.

use tabiya_board::{Board, CastlingSide, Color, GameHistory, Outcome, Role};

use crate::text::list;

/// Describes a position in a few lines.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_display::describe::describe_position;
///
/// let lines = describe_position(&Board::start());
/// assert_eq!(lines, ["White to move", "Castling: White on both sides; Black on both sides"]);
/// ```
pub fn describe_position(board: &Board) -> Vec<String> {
    let turn = board.turn();
    let mut lines = Vec::new();
    match board.outcome() {
        Some(Outcome::Checkmate { winner }) => lines.push(format!("Checkmate: {winner} wins")),
        Some(Outcome::Stalemate) => lines.push(format!("Draw: {turn} is stalemated")),
        Some(Outcome::InsufficientMaterial) => {
            lines.push("Draw: neither side has enough pieces to give mate".to_owned());
        }
        Some(Outcome::SeventyFiveMoves) => {
            lines.push("Draw: 75 moves by each side without a capture or a pawn move".to_owned());
        }
        Some(end) => lines.push(end.to_string()),
        None => {
            lines.push(format!("{turn} to move"));
            if let Some(claim) = GameHistory::new(*board).claim() {
                lines.push(format!("{turn} can claim a {claim}"));
            }
        }
    }
    if board.is_check() {
        lines.push(format!("Check from {}", checkers(board)));
    }
    lines.push(format!("Castling: {}", castling(board)));
    if let Some(square) = board.en_passant() {
        lines.push(format!("En passant: on {square}"));
    }
    lines
}

fn checkers(board: &Board) -> String {
    list(board.checkers().into_iter().map(|square| {
        let role = board.role_at(square).map_or("piece", Role::name);
        format!("the {role} on {square}")
    }))
}

fn castling(board: &Board) -> String {
    let sides: Vec<String> = Color::ALL
        .into_iter()
        .filter_map(|color| castling_of(board, color))
        .collect();
    if sides.is_empty() {
        "neither side".to_owned()
    } else {
        sides.join("; ")
    }
}

fn castling_of(board: &Board, color: Color) -> Option<String> {
    let king = board.king(color);
    let rooks = CastlingSide::ALL.map(|side| board.castling_rook(color, side));
    let standard = |rook, side: CastlingSide| side.is_standard(king, rook);
    Some(match rooks {
        [None, None] => return None,
        [Some(h), Some(a)]
            if standard(h, CastlingSide::KingSide) && standard(a, CastlingSide::QueenSide) =>
        {
            format!("{color} on both sides")
        }
        [Some(h), Some(a)] => format!("{color} with the rooks on {a} and {h}"),
        [Some(rook), None] if standard(rook, CastlingSide::KingSide) => format!("{color} kingside"),
        [None, Some(rook)] if standard(rook, CastlingSide::QueenSide) => {
            format!("{color} queenside")
        }
        [Some(rook), None] | [None, Some(rook)] => format!("{color} with the rook on {rook}"),
    })
}
