//! Moves and positions in words to be read aloud.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Board, CastlingSide, Color, File, Move, Outcome, Piece, Rank, Role, Square};

use crate::text::list;

/// Says a legal move: `knight from g1 to f3, check`.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_display::speech::say_move;
///
/// let board = Board::start();
/// let mv = board.legal_move(Square::G1, Square::F3, None).unwrap();
/// assert_eq!(say_move(&board, mv), "knight from g1 to f3");
/// ```
pub fn say_move(board: &Board, mv: Move) -> String {
    let (from, to, role) = (mv.from(), mv.to(), mv.role().name());
    let mut text = match (mv.castling_side(), board.captured(mv)) {
        (Some(CastlingSide::KingSide), _) => "castles kingside".to_owned(),
        (Some(CastlingSide::QueenSide), _) => "castles queenside".to_owned(),
        _ if mv.is_en_passant() => format!("pawn from {from} takes pawn en passant on {to}"),
        (None, Some(victim)) => format!("{role} from {from} takes {} on {to}", victim.name()),
        (None, None) => format!("{role} from {from} to {to}"),
    };
    if let Some(role) = mv.promotion() {
        text.push_str(", becomes a ");
        text.push_str(role.name());
    }
    let after = board.after(mv);
    text.push_str(match after.outcome() {
        Some(Outcome::Checkmate { .. }) => ", checkmate",
        Some(Outcome::Stalemate) => ", stalemate",
        _ if after.is_check() => ", check",
        _ => "",
    });
    text
}

/// Says what stands on a square: `e4: white pawn`, `e5: empty`.
pub fn say_square(position: &Position, square: Square) -> String {
    let piece = position.piece_at(square);
    format!(
        "{square}: {}",
        piece.map_or_else(|| "empty".to_owned(), name)
    )
}

/// Says what stands on a rank, from a to h: `rank 1: white rook a1, white king e1`.
pub fn say_rank(position: &Position, rank: Rank) -> String {
    let squares = File::ALL.map(|file| Square::new(file, rank));
    format!("rank {rank}: {}", say_squares(position, &squares))
}

/// Says what stands on a file, from 1 to 8: `file e: white king e1, black king e8`.
pub fn say_file(position: &Position, file: File) -> String {
    let squares = Rank::ALL.map(|rank| Square::new(file, rank));
    format!("file {file}: {}", say_squares(position, &squares))
}

/// Says the whole board, a line for each rank that is not empty, from 8 to 1.
pub fn say_board(position: &Position) -> String {
    let mut ranks = Rank::ALL;
    ranks.reverse();
    let is_occupied = |rank: &Rank| {
        let mut files = File::ALL.into_iter();
        files.any(|file| position.piece_at(Square::new(file, *rank)).is_some())
    };
    let lines: Vec<String> = ranks
        .into_iter()
        .filter(is_occupied)
        .map(|rank| say_rank(position, rank))
        .collect();
    lines.join("\n")
}

/// Says where the pieces of a kind are: `white knights: b1, g1; black knights: none`. Without a role, all pieces of the
/// colours.
pub fn say_pieces(position: &Position, color: Option<Color>, role: Option<Role>) -> String {
    let colors = color.map_or_else(|| Color::ALL.to_vec(), |color| vec![color]);
    let roles = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let roles = role.map_or_else(|| roles.to_vec(), |role| vec![role]);
    let mut parts = Vec::new();
    for color in colors {
        for &role in &roles {
            let piece = Piece::new(color, role);
            let squares = tabiya_board::Bitboard(u64::MAX)
                .into_iter()
                .filter(|&square| position.piece_at(square) == Some(piece));
            let squares: Vec<String> = squares.map(|square| square.to_string()).collect();
            let ending = if squares.len() == 1 { "" } else { "s" };
            // Of all pieces, only those that are there.
            if squares.is_empty() && roles.len() > 1 {
                continue;
            }
            let places = if squares.is_empty() {
                "none".to_owned()
            } else {
                squares.join(", ")
            };
            parts.push(format!("{}{ending}: {places}", name(piece)));
        }
    }
    parts.join("; ")
}

fn say_squares(position: &Position, squares: &[Square]) -> String {
    let pieces = squares.iter().filter_map(|&square| {
        let piece = position.piece_at(square)?;
        Some(format!("{} {square}", name(piece)))
    });
    let pieces: Vec<String> = pieces.collect();
    if pieces.is_empty() {
        return "empty".to_owned();
    }
    list(pieces)
}

fn name(piece: Piece) -> String {
    format!(
        "{} {}",
        piece.color.name().to_lowercase(),
        piece.role.name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(fen: &str, from: Square, to: Square, role: Option<Role>) -> String {
        let board: Board = fen.parse().unwrap();
        say_move(&board, board.legal_move(from, to, role).unwrap())
    }

    #[test]
    fn moves_are_said_in_full() {
        for (fen, from, to, role, expected) in [
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                Square::E1,
                Square::G1,
                None,
                "castles kingside",
            ),
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                Square::A1,
                Square::A8,
                None,
                "rook from a1 takes rook on a8, check",
            ),
            (
                "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                Square::E5,
                Square::D6,
                None,
                "pawn from e5 takes pawn en passant on d6",
            ),
            (
                "7k/P7/6K1/8/8/8/8/8 w - - 0 1",
                Square::A7,
                Square::A8,
                Some(Role::Queen),
                "pawn from a7 to a8, becomes a queen, checkmate",
            ),
        ] {
            assert_eq!(said(fen, from, to, role), expected);
        }
    }

    #[test]
    fn boards_are_said_by_rank_file_square_and_piece() {
        let board = Board::start();
        assert_eq!(
            say_rank(&board, Rank::First),
            "rank 1: white rook a1, white knight b1, white bishop c1, white queen d1, white king e1, white bishop \
             f1, white knight g1 and white rook h1"
        );
        assert_eq!(say_rank(&board, Rank::Fourth), "rank 4: empty");
        assert_eq!(
            say_file(&board, File::E),
            "file e: white king e1, white pawn e2, black pawn e7 and black king e8"
        );
        assert_eq!(say_square(&board, Square::E2), "e2: white pawn");
        assert_eq!(say_square(&board, Square::E4), "e4: empty");
        let knights = say_pieces(&board, None, Some(Role::Knight));
        assert_eq!(knights, "white knights: b1, g1; black knights: b8, g8");
        let bare: Board = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
        let black = say_pieces(&bare, Some(Color::Black), None);
        assert_eq!(black, "black king: e8");
        assert_eq!(
            say_pieces(&bare, Some(Color::White), Some(Role::Queen)),
            "white queens: none"
        );
        assert_eq!(
            say_board(&bare),
            "rank 8: black king e8\nrank 1: white king e1"
        );
    }
}
