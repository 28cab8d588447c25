//! Moves in words: what a legal move does, or which rule an illegal one breaks.

use tabiya_board::{Bitboard, Board, CastlingSide, Move, Outcome, Refusal, Role, Square};
use tabiya_notation::{MoveInput, SanError};

use crate::diagram::Highlights;
use crate::text::{capitalized, list};

/// An explanation of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The move, if it is legal.
    pub legal: Option<Move>,
    /// What a legal move does, or which rule an illegal one breaks: a sentence without a capital and a full stop.
    pub sentence: String,
    /// The squares to highlight.
    pub highlights: Highlights,
}

/// Explains a move. The error is for moves that name several pieces, or that do not fit the position at all.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_display::explain::explain;
/// use tabiya_notation::MoveInput;
///
/// let board = Board::start();
/// let bishop = explain(&board, MoveInput::parse("f1c4")?)?;
/// assert_eq!(bishop.legal, None);
/// assert_eq!(bishop.sentence, "the pawn on e2 is in the way");
/// # Ok::<(), tabiya_notation::SanError>(())
/// ```
pub fn explain(board: &Board, input: MoveInput) -> Result<Explanation, SanError> {
    let illegal = |sentence, culprits| Explanation {
        legal: None,
        sentence,
        highlights: Highlights {
            moves: input.squares(board),
            culprits,
        },
    };
    match input.to_move(board) {
        Ok(mv) => Ok(Explanation {
            legal: Some(mv),
            sentence: describe(board, mv),
            highlights: Highlights::of_move(Some(mv)),
        }),
        Err(SanError::Illegal { reason }) => {
            let sentence = match reason {
                Refusal::MissingPromotion { .. } => {
                    format!("{reason}, as in {}", input.with_queen())
                }
                _ => reason.to_string(),
            };
            Ok(illegal(sentence, reason.squares()))
        }
        Err(
            error @ (SanError::NoSuchPiece { .. }
            | SanError::NoPieceThere { .. }
            | SanError::PawnCaptureSpelling { .. }
            | SanError::CastlingSpelling { .. }),
        ) => Ok(illegal(error.to_string(), Bitboard::EMPTY)),
        Err(error) => Err(error),
    }
}

/// Says what a legal move does: `the knight on g1 captures the pawn on e2, with check`.
pub fn describe(board: &Board, mv: Move) -> String {
    let (from, to, role) = (mv.from(), mv.to(), mv.role());
    let mut text = if let Some(side) = mv.castling_side() {
        describe_castling(board, mv, side)
    } else if mv.is_en_passant() {
        let pawn = Square::new(to.file(), from.rank());
        format!("the pawn on {from} captures the pawn on {pawn} en passant and lands on {to}")
    } else if let Some(victim) = board.captured(mv) {
        format!("the {role} on {from} captures the {victim} on {to}")
    } else {
        format!("the {role} moves from {from} to {to}")
    };
    if let Some(role) = mv.promotion() {
        text.push_str(" and becomes a ");
        text.push_str(role.name());
    }
    let after = board.after_unchecked(mv);
    text.push_str(match after.outcome() {
        Some(Outcome::Checkmate { .. }) => ": checkmate",
        Some(Outcome::Stalemate) => ": stalemate",
        _ if after.is_check() => ", with check",
        _ => "",
    });
    text
}

fn describe_castling(board: &Board, mv: Move, side: CastlingSide) -> String {
    let turn = board.turn();
    let moves = |piece: &str, from: Square, to: Square| {
        if from == to {
            format!("the {piece} stays on {to}")
        } else {
            format!("the {piece} moves from {from} to {to}")
        }
    };
    let king = moves("king", mv.from(), mv.to());
    let rook = board
        .castling_rook(turn, side)
        .map_or_else(String::new, |rook| {
            let to = Square::new(side.rook_file(), rook.rank());
            format!(" and {}", moves("rook", rook, to))
        });
    format!("{turn} castles {side}: {king}{rook}")
}

/// Says how many legal moves there are; if there are none, whether it is checkmate or stalemate.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_display::explain::count_moves;
///
/// assert_eq!(count_moves(&Board::start()), "White has 20 legal moves.");
/// ```
pub fn count_moves(board: &Board) -> String {
    let turn = board.turn();
    match (board.outcome(), board.count_legal()) {
        (Some(Outcome::Checkmate { winner }), _) => {
            format!("{turn} is in check and has no legal moves: checkmate, {winner} wins.")
        }
        (Some(Outcome::Stalemate), _) => {
            format!("{turn} has no legal moves and is not in check: stalemate, a draw.")
        }
        (_, 1) => format!("{turn} has 1 legal move."),
        (_, count) => format!("{turn} has {count} legal moves."),
    }
}

/// Says why the piece on a square has no legal move, in sentences.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_display::explain::explain_no_moves;
///
/// let reason = explain_no_moves(&Board::start(), Square::A1);
/// assert_eq!(reason, "The rook on a1 can't move: your own knight on b1 and pawn on a2 are in the way.");
/// ```
pub fn explain_no_moves(board: &Board, from: Square) -> String {
    let refusals: Vec<Refusal> = Square::all()
        .filter_map(|to| board.legal_move(from, to, None).err())
        .collect();
    // If the starting square is at fault, all moves are refused for the same reason.
    if let Some(refusal @ (Refusal::NoPiece { .. } | Refusal::NotYourPiece { .. })) =
        refusals.first()
    {
        return format!("{}.", capitalized(&refusal.to_string()));
    }
    let role = board.role_at(from).unwrap_or(Role::King);
    let mut reasons = Vec::new();
    let mut own = Bitboard::EMPTY;
    for refusal in refusals {
        let reason = match refusal {
            // A pawn is only blocked by what is straight ahead.
            Refusal::OwnPiece { square, .. }
                if role != Role::Pawn || square.file() == from.file() =>
            {
                own.insert(square);
                continue;
            }
            Refusal::PawnBlocked { .. }
            | Refusal::IntoCheck { .. }
            | Refusal::Pinned { .. }
            | Refusal::EnPassantExposesKing { .. } => refusal.to_string(),
            Refusal::StillInCheck { king, .. } if board.checkers().more_than_one() => {
                format!("the king on {king} is in double check, so only the king can move")
            }
            Refusal::StillInCheck { king, by, attacker } => format!(
                "the king on {king} is in check from the {attacker} on {by}, \
                 and the {role} can neither capture it nor block the check"
            ),
            // The piece does not move like that, or a piece that is already named blocks it.
            _ => continue,
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    // Removing the blockers would not help a pinned piece, or one that cannot stop a check.
    if !own.is_empty() && (role == Role::King || reasons.is_empty()) {
        reasons.insert(0, blocked_by_own(board, own));
    }
    let end = match board.outcome() {
        Some(Outcome::Checkmate { winner }) => format!(" It's checkmate: {winner} wins."),
        Some(Outcome::Stalemate) => " It's stalemate: a draw.".to_owned(),
        _ => String::new(),
    };
    format!(
        "The {role} on {from} can't move: {}.{end}",
        reasons.join("; ")
    )
}

fn blocked_by_own(board: &Board, squares: Bitboard) -> String {
    let pieces = list(squares.into_iter().map(|square| {
        let role = board.role_at(square).map_or("piece", Role::name);
        format!("{role} on {square}")
    }));
    let verb = if squares.more_than_one() { "are" } else { "is" };
    format!("your own {pieces} {verb} in the way")
}
