//! `tabiya moves`: lists the legal moves, or says why a piece has none.

use std::fmt::Write;
use std::ops::ControlFlow;

use anstyle::Style;
use clap::Args;
use serde::Serialize;
use tabiya_board::{Bitboard, Board, Move, Outcome, PieceMoves, Refusal, Role, Square};
use tabiya_notation::{uci, write_move};

use crate::diagram::{Diagram, Look, Marks};
use crate::examples;
use crate::position::FenOption;
use crate::screen::{Answer, Screen};
use crate::spelling::{capitalized, castling, list};

/// List the legal moves
///
/// The moves are grouped by piece and written as in SAN, the standard algebraic notation: `Ng1: Nf3 Nh3` are the moves
/// of the knight on g1, `e2: e3 e4` those of a pawn.
#[derive(Args)]
#[command(override_usage = "tabiya moves [OPTIONS] [FEN] [SQUARE]", after_help = examples!(
    "tabiya moves"
    "tabiya moves g1"
    "tabiya moves --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\""
    "tabiya moves --uci | wc -l"
))]
pub(crate) struct Arguments {
    /// Only the moves of the piece on this square; if it has none, the reason
    #[arg(value_name = "SQUARE")]
    square: Option<Square>,

    #[command(flatten)]
    fen: FenOption,

    /// Print one move a line as UCI writes it, like e2e4 or e7e8q
    #[arg(long, conflicts_with = "json")]
    uci: bool,

    /// Print the moves as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let board = arguments.fen.board()?;
    let pieces = pieces(&board, arguments.square);
    if arguments.json {
        return Ok(screen
            .json(&Listing::of(&board, &pieces, arguments.square))?
            .into());
    }
    if arguments.uci {
        let mut lines: Vec<String> = moves(&pieces)
            .map(|mv| format!("{}\n", uci::write(&board, mv)))
            .collect();
        lines.sort();
        return Ok(lines.concat().into());
    }
    let mut text = String::new();
    if let Some(square) = arguments.square {
        if screen.color {
            text.push_str(&picture(&board, &pieces, square, screen));
        }
        if pieces.is_empty() {
            let sentence = capitalized(&why_none(&board, square));
            text.push_str(&screen.wrap(&sentence, 0));
            return Ok(text.into());
        }
    }
    for moves in &pieces {
        write_group(&mut text, &board, moves, screen)?;
    }
    if arguments.square.is_none() {
        let summary = summary(&board, moves(&pieces).count());
        text.push_str(&screen.wrap(&summary, 0));
    }
    Ok(text.into())
}

/// The pieces that can move and where to, the king first and the pawns last; of one square only if it is given.
fn pieces(board: &Board, square: Option<Square>) -> Vec<PieceMoves> {
    let mut pieces = Vec::new();
    let _ = board.for_each_piece(|moves| {
        if square.is_none_or(|square| square == moves.from()) {
            pieces.push(moves);
        }
        ControlFlow::<()>::Continue(())
    });
    pieces.sort_by_key(|moves| (std::cmp::Reverse(moves.role()), moves.from()));
    pieces
}

fn moves(pieces: &[PieceMoves]) -> impl Iterator<Item = Move> {
    pieces.iter().copied().flatten()
}

fn summary(board: &Board, count: usize) -> String {
    let turn = board.turn();
    match (board.outcome(), count) {
        (Some(Outcome::Checkmate { winner }), _) => {
            format!("{turn} has no legal move and is in check: {winner} has won.")
        }
        (Some(Outcome::Stalemate), _) => {
            format!("{turn} has no legal move and is not in check: stalemate, a draw.")
        }
        (_, 1) => format!("{turn} has 1 legal move."),
        _ => format!("{turn} has {count} legal moves."),
    }
}

/// The line of one piece: `Ng1: Nf3 Nh3`.
fn write_group(
    text: &mut String,
    board: &Board,
    moves: &PieceMoves,
    screen: Screen,
) -> std::fmt::Result {
    let name = match moves.role() {
        Role::Pawn => moves.from().to_string(),
        role => format!("{}{}", role.upper_char(), moves.from()),
    };
    let mut line = format!("{name}:");
    for mv in *moves {
        line.push(' ');
        line.push_str(&write_move(board, mv));
    }
    let wrapped = screen.wrap(&line, name.len() + 2);
    let bold = Style::new().bold();
    write!(text, "{bold}{name}{bold:#}{}", &wrapped[name.len()..])
}

/// What a move takes.
pub(crate) fn captured(board: &Board, mv: Move) -> Option<Role> {
    if mv.is_castle() {
        None
    } else if mv.is_en_passant() {
        Some(Role::Pawn)
    } else {
        board.role_at(mv.to())
    }
}

/// The board with the squares to which the piece can go.
fn picture(board: &Board, pieces: &[PieceMoves], square: Square, screen: Screen) -> String {
    let targets = pieces
        .iter()
        .fold(Bitboard::EMPTY, |all, moves| all | moves.to());
    let diagram = Diagram {
        position: board,
        look: Look::suiting(screen),
        flipped: false,
        marks: Marks {
            way: targets | Bitboard::from(square),
            trouble: Bitboard::EMPTY,
        },
    };
    format!("{diagram}\n")
}

/// Why the piece on a square has no legal move.
fn why_none(board: &Board, from: Square) -> String {
    let refusals: Vec<Refusal> = Square::all()
        .filter_map(|to| board.why_not(from, to, None).err())
        .collect();
    // What is wrong with the starting square is wrong with all moves.
    if let Some(refusal @ (Refusal::NothingThere { .. } | Refusal::NotYourPiece { .. })) =
        refusals.first()
    {
        return format!("{refusal}.");
    }
    let role = board.role_at(from).unwrap_or(Role::King);
    let mut reasons = Vec::new();
    let mut own = Bitboard::EMPTY;
    for refusal in refusals {
        let reason = match refusal {
            // For a pawn, only what stands straight ahead is in its way.
            Refusal::OwnPiece { square, .. }
                if role != Role::Pawn || square.file() == from.file() =>
            {
                own.insert(square);
                continue;
            }
            Refusal::PawnBlocked { .. } | Refusal::IntoCheck { .. } | Refusal::Pinned { .. } => {
                refusal.to_string()
            }
            Refusal::StillInCheck { king, .. } if board.checkers().more_than_one() => {
                format!("two pieces give check to the king on {king}, and only the king can move")
            }
            Refusal::StillInCheck { king, by, attacker } => format!(
                "the king on {king} is in check from the {attacker} on {by}, \
                 and the {role} can neither capture it nor step between"
            ),
            // Beyond its way of moving, or beyond a piece that is named already.
            _ => continue,
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    // A piece that is pinned, or of no help against a check, would not be freed by making room for it.
    if !own.is_empty() && (role == Role::King || reasons.is_empty()) {
        reasons.insert(0, blocked_by_own(board, own));
    }
    let mate = match board.outcome() {
        Some(Outcome::Checkmate { winner }) => format!(" It is checkmate: {winner} has won."),
        Some(Outcome::Stalemate) => " It is stalemate, a draw.".to_owned(),
        _ => String::new(),
    };
    format!(
        "the {role} on {from} cannot move: {}.{mate}",
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

/// The moves for programs.
#[derive(Serialize)]
struct Listing {
    fen: String,
    count: usize,
    moves: Vec<Listed>,
    /// Why the piece on the square asked about has no move.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct Listed {
    san: String,
    uci: String,
    role: &'static str,
    from: String,
    to: String,
    captures: Option<&'static str>,
    promotion: Option<&'static str>,
    castling: Option<&'static str>,
    en_passant: bool,
}

impl Listing {
    fn of(board: &Board, pieces: &[PieceMoves], square: Option<Square>) -> Self {
        let moves: Vec<Listed> = moves(pieces)
            .map(|mv| Listed {
                san: write_move(board, mv).to_string(),
                uci: uci::write(board, mv).to_string(),
                role: mv.role().name(),
                from: mv.from().to_string(),
                to: mv.to().to_string(),
                captures: captured(board, mv).map(Role::name),
                promotion: mv.promotion().map(Role::name),
                castling: mv.wing().map(castling),
                en_passant: mv.is_en_passant(),
            })
            .collect();
        Self {
            fen: board.to_string(),
            count: moves.len(),
            reason: square
                .filter(|_| moves.is_empty())
                .map(|square| why_none(board, square)),
            moves,
        }
    }
}
