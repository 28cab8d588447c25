//! Training records: a position with its searched move, score and result, in 32 bytes.

use tabiya_board::{
    Bitboard, Board, CastlingSide, Color, File, Move, Piece, Rank, Role, Setup, SetupError, Square,
};
use thiserror::Error;

use crate::error::bytes_at;
use crate::game::Wdl;
use crate::moves::PackedMove;

const BLACK_TO_MOVE: u8 = 1;
const IN_CHECK: u8 = 2;
const NOISY: u8 = 4;
/// Castling rights: the side to move's, then the opponent's.
const CASTLING: [(u8, bool, CastlingSide); 4] = [
    (16, true, CastlingSide::KingSide),
    (32, true, CastlingSide::QueenSide),
    (64, false, CastlingSide::KingSide),
    (128, false, CastlingSide::QueenSide),
];
/// Marks an opponent's piece.
const THEIRS: u8 = 8;

/// A position with its searched move, its score, and the result of the game, all from the side to move's point of view:
/// if Black is to move, the board is flipped.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_selfplay::{TrainingRecord, Wdl};
///
/// let board = Board::start();
/// let best = board.legal_move(Square::E2, Square::E4, None).unwrap();
/// let record = TrainingRecord::new(&board, best, 31, 0, Wdl::Draw);
/// assert_eq!(TrainingRecord::from_bytes(&record.to_bytes()), record);
/// assert_eq!(record.board(), Ok(board));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingRecord {
    /// The occupied squares.
    pub occupied: Bitboard,
    /// Four bits for each occupied square, in order: the role from 0 to 5, plus 8 for an opponent's piece.
    pub pieces: [u8; 16],
    /// The score in centipawns. Mate in n plies is 30,000 - n.
    pub score: i16,
    /// The searched move, on the flipped board if Black is to move.
    pub best: PackedMove,
    /// Plies since the start of the game.
    pub ply: u16,
    /// The result: 0 lost, 1 drawn, 2 won.
    pub result: u8,
    /// Bits: Black to move, check, the move captures or promotes, castling rights.
    pub flags: u8,
}

/// Why a record is invalid.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrainingRecordError {
    /// Too many squares are occupied.
    #[error("{0} squares are occupied, more than 32")]
    TooMany(usize),
    /// A number that is not a piece.
    #[error("the number {number} on {square} is not a piece")]
    NoPiece {
        /// The square.
        square: Square,
        /// The number.
        number: u8,
    },
    /// There are pieces after the last occupied square.
    #[error("there are more pieces than occupied squares")]
    PiecesLeft,
    /// An invalid result.
    #[error("the result is {0} instead of 0, 1 or 2")]
    NoResult(u8),
    /// The position is invalid.
    #[error("{0}")]
    Invalid(SetupError),
    /// Castling rights of a king that has moved.
    #[error("{0} has castling rights, but its king is not on the e-file")]
    Castling(Color),
    /// The check flag is wrong.
    #[error("the check flag is wrong")]
    Check,
    /// The move is illegal.
    #[error("{0} is illegal")]
    Illegal(PackedMove),
    /// The flag for captures and promotions is wrong.
    #[error("the flag for captures and promotions is wrong for {0}")]
    Noisy(PackedMove),
    /// The side to move does not fit the ply.
    #[error("the side to move is wrong for ply {0}")]
    Turn(u16),
}

impl TrainingRecord {
    /// The size of a record in bytes.
    pub const BYTES: usize = 32;

    /// Makes a record of a board and a legal move.
    pub fn new(board: &Board, best: Move, score: i16, ply: u16, result: Wdl) -> Self {
        let us = board.turn();
        let occupied = turned(board.occupied(), us);
        let mut pieces = [0; 16];
        for (i, square) in occupied.into_iter().enumerate() {
            let Some(piece) = board.piece_at(seen_by(square, us)) else {
                continue;
            };
            let theirs = if piece.color == us { 0 } else { THEIRS };
            pieces[i / 2] |= (piece.role.index() as u8 | theirs) << (4 * (i % 2));
        }
        let noisy = board.captured(best).is_some() || best.promotion().is_some();
        let mut flags = if us == Color::Black { BLACK_TO_MOVE } else { 0 }
            | if board.is_check() { IN_CHECK } else { 0 }
            | if noisy { NOISY } else { 0 };
        for (flag, own, wing) in CASTLING {
            let side = if own { us } else { !us };
            if board.castling_rook(side, wing).is_some() {
                flags |= flag;
            }
        }
        let packed = PackedMove::new(best);
        Self {
            occupied,
            pieces,
            score,
            best: if us == Color::White {
                packed
            } else {
                packed.flip()
            },
            ply,
            result: result.for_side(us) as u8,
            flags,
        }
    }

    /// The record of 32 bytes. Whether it makes sense is for [`board`](Self::board) and [`check`](Self::check) to say.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let number = |at| u16::from_le_bytes(bytes_at(bytes, at));
        Self {
            occupied: Bitboard(u64::from_le_bytes(bytes_at(bytes, 0))),
            pieces: bytes_at(bytes, 8),
            score: number(24) as i16,
            best: PackedMove(number(26)),
            ply: number(28),
            result: bytes[30],
            flags: bytes[31],
        }
    }

    /// Writes the record.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.occupied.0.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26..28].copy_from_slice(&self.best.0.to_le_bytes());
        bytes[28..30].copy_from_slice(&self.ply.to_le_bytes());
        bytes[30] = self.result;
        bytes[31] = self.flags;
        bytes
    }

    /// Returns the side to move.
    pub const fn turn(&self) -> Color {
        if self.flags & BLACK_TO_MOVE == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Returns the searched move on the real board.
    pub fn best_move(&self) -> PackedMove {
        match self.turn() {
            Color::White => self.best,
            Color::Black => self.best.flip(),
        }
    }

    /// Returns White's result.
    pub fn result(&self) -> Result<Wdl, TrainingRecordError> {
        Wdl::from_number(self.result)
            .map(|result| result.for_side(self.turn()))
            .ok_or(TrainingRecordError::NoResult(self.result))
    }

    /// Returns the board. A record has no halfmove clock, and it knows about en passant only if that is the searched
    /// move.
    pub fn board(&self) -> Result<Board, TrainingRecordError> {
        let us = self.turn();
        let count = self.occupied.len();
        if count > 32 {
            return Err(TrainingRecordError::TooMany(count));
        }
        let mut setup = Setup {
            turn: us,
            fullmove_number: u32::from(self.ply) / 2 + 1,
            ..Setup::default()
        };
        let mut numbers = self.pieces.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        for (square, number) in self.occupied.into_iter().zip(numbers.by_ref()) {
            let square = seen_by(square, us);
            let role = Role::ALL.get(usize::from(number & !THEIRS));
            let role = *role.ok_or(TrainingRecordError::NoPiece { square, number })?;
            let color = if number & THEIRS == 0 { us } else { !us };
            setup.pieces.put(square, Piece::new(color, role));
        }
        if numbers.any(|number| number != 0) {
            return Err(TrainingRecordError::PiecesLeft);
        }
        for (flag, own, wing) in CASTLING {
            if self.flags & flag != 0 {
                let side = if own { us } else { !us };
                let corner = match wing {
                    CastlingSide::KingSide => Square::H1,
                    CastlingSide::QueenSide => Square::A1,
                };
                setup.castling_rooks.insert(seen_by(corner, side));
            }
        }
        let [from, to] = self.best_move().squares();
        if setup.pieces.piece_at(from) == Some(Piece::new(us, Role::Pawn))
            && from.file() != to.file()
            && to.rank() == us.relative_rank(Rank::Sixth)
            && setup.pieces.piece_at(to).is_none()
        {
            setup.en_passant = Some(to);
        }
        let board = Board::new(&setup).map_err(TrainingRecordError::Invalid)?;
        // A board would read this as Chess960.
        let moved = |&side: &Color| {
            let may_castle = CastlingSide::ALL
                .into_iter()
                .any(|wing| board.castling_rook(side, wing).is_some());
            may_castle && board.king(side).file() != File::E
        };
        match Color::ALL.iter().find(|side| moved(side)) {
            Some(&side) => Err(TrainingRecordError::Castling(side)),
            None => Ok(board),
        }
    }

    /// Checks that the record is consistent.
    pub fn check(&self) -> Result<Board, TrainingRecordError> {
        self.result()?;
        let board = self.board()?;
        if (self.turn() == Color::Black) != (self.ply % 2 == 1) {
            return Err(TrainingRecordError::Turn(self.ply));
        }
        if board.is_check() != (self.flags & IN_CHECK != 0) {
            return Err(TrainingRecordError::Check);
        }
        let packed = self.best_move();
        let mv = packed
            .on(&board)
            .map_err(|_| TrainingRecordError::Illegal(packed))?;
        let noisy = board.captured(mv).is_some() || mv.promotion().is_some();
        if noisy != (self.flags & NOISY != 0) {
            return Err(TrainingRecordError::Noisy(packed));
        }
        Ok(board)
    }
}

/// Flips a square for Black.
fn seen_by(square: Square, side: Color) -> Square {
    match side {
        Color::White => square,
        Color::Black => square.flip(),
    }
}

/// Flips squares for Black.
fn turned(squares: Bitboard, side: Color) -> Bitboard {
    match side {
        Color::White => squares,
        Color::Black => Bitboard(squares.0.swap_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fen: &str, mv: &str) -> TrainingRecord {
        let board: Board = fen.parse().unwrap();
        let legal = board.legal_moves();
        let best = *legal.iter().find(|legal| legal.to_string() == mv).unwrap();
        let ply = 2 * (board.fullmove_number() - 1) + u16::from(board.turn() == Color::Black);
        TrainingRecord::new(&board, best, -7, ply, Wdl::Win)
    }

    #[test]
    fn the_starting_position_byte_by_byte() {
        let bytes = record(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "e2e4",
        )
        .to_bytes();
        assert_eq!(bytes[..8], [0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff]);
        // Rook and knight, bishop and queen, king and bishop, knight and rook; pawns; the other side's.
        assert_eq!(bytes[8..12], [0x13, 0x42, 0x25, 0x31]);
        assert_eq!(bytes[12..16], [0; 4]);
        assert_eq!(bytes[16..20], [0x88; 4]);
        assert_eq!(bytes[20..24], [0x9b, 0xca, 0xad, 0xb9]);
        assert_eq!(bytes[24..26], (-7_i16).to_le_bytes());
        assert_eq!(bytes[26..28], (0o14_u16 | 0o34 << 6).to_le_bytes());
        assert_eq!(bytes[28..], [0, 0, 2, 0xf0]);
    }

    #[test]
    fn the_board_is_flipped_for_black() {
        let record = record("4k3/8/8/8/3Pp3/8/r7/4K3 b - d3 0 9", "e4d3");
        assert_eq!(record.result, 0);
        assert_eq!(record.flags, BLACK_TO_MOVE | NOISY);
        assert_eq!(record.best.to_string(), "e5d6");
        assert_eq!(record.best_move().to_string(), "e4d3");
        // The en passant square follows from the move.
        assert_eq!(
            record.board().unwrap().to_string(),
            "4k3/8/8/8/3Pp3/8/r7/4K3 b - d3 0 9"
        );
    }

    #[test]
    fn invalid_records_are_errors() {
        let good = record("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1", "e1g1");
        assert!(good.check().is_ok());
        let error = |change: fn(&mut TrainingRecord)| {
            let mut bad = good;
            change(&mut bad);
            bad.check().unwrap_err()
        };
        // The king on f1.
        let king_moved = |r: &mut TrainingRecord| r.occupied.0 ^= 0x30;
        assert_eq!(
            error(king_moved),
            TrainingRecordError::Castling(Color::White)
        );
        assert_eq!(error(|r| r.result = 3), TrainingRecordError::NoResult(3));
        assert_eq!(error(|r| r.ply = 1), TrainingRecordError::Turn(1));
        assert_eq!(error(|r| r.flags |= IN_CHECK), TrainingRecordError::Check);
        assert!(matches!(
            error(|r| r.flags |= NOISY),
            TrainingRecordError::Noisy(_)
        ));
        assert!(matches!(
            error(|r| r.flags |= 32),
            TrainingRecordError::Invalid(_)
        ));
        assert!(matches!(
            error(|r| r.best.0 ^= 1),
            TrainingRecordError::Illegal(_)
        ));
        assert_eq!(error(|r| r.pieces[15] = 1), TrainingRecordError::PiecesLeft);
        assert_eq!(
            error(|r| r.occupied = Bitboard::FULL),
            TrainingRecordError::TooMany(64)
        );
        assert!(matches!(
            error(|r| r.pieces[0] = 6),
            TrainingRecordError::NoPiece { number: 6, .. }
        ));
    }
}
