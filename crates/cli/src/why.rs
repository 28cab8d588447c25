//! `tabiya why`: says what a move does, or which rule forbids it.

use anstyle::{AnsiColor, Style};
use anyhow::bail;
use clap::Args;
use serde::Serialize;
use tabiya_board::{Bitboard, Board, Move, Outcome, Rank, Refusal, Role, Square, Wing};
use tabiya_notation::{Dialect, San, SanError, SanParts, uci};

use crate::diagram::{Diagram, Look, Marks};
use crate::examples;
use crate::moves::captured;
use crate::position::FenOption;
use crate::screen::{Answer, Screen};

/// The exit code for a move that is not legal.
const NOT_LEGAL: u8 = 1;

const YES: Style = AnsiColor::Green.on_default().bold();
const NO: Style = AnsiColor::Red.on_default().bold();

/// Say why a move is not legal, or what it does
///
/// The exit code is 0 for a legal move, 1 for another one, and 2 for what cannot be read.
#[derive(Args)]
#[command(override_usage = "tabiya why [OPTIONS] [FEN] <MOVE>", after_help = examples!(
    "tabiya why e2e5"
    "tabiya why Bc4"
    "tabiya why \"r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1\" O-O"
    "tabiya why \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\" a7a8q"
))]
pub(crate) struct Arguments {
    /// The move: Nf3, exd5 or e8=Q, e2e4 or e2-e4, O-O or O-O-O to castle
    #[arg(value_name = "MOVE")]
    asked: String,

    /// The second square, if it comes as a word of its own: `e2 e4`
    #[arg(hide = true)]
    to: Option<String>,

    #[command(flatten)]
    fen: FenOption,

    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let to = arguments.to.as_deref().unwrap_or_default();
    let board = arguments.fen.board()?;
    let asked = Asked::read(&format!("{}{to}", arguments.asked))?;
    let verdict = asked.judge(&board)?;
    let code = if verdict.is_ok() { 0 } else { NOT_LEGAL };
    if arguments.json {
        let text = screen.json(&Judged::of(&board, asked, verdict))?;
        return Ok(Answer { text, code });
    }
    let (style, word, sentence) = match verdict {
        Ok(mv) => (YES, "legal:", describe(&board, mv)),
        Err(no) => (NO, "not legal:", asked.explain(no)),
    };
    let wrapped = screen.wrap(&format!("{word} {sentence}"), 0);
    let mut text = format!("{style}{word}{style:#}{}", &wrapped[word.len()..]);
    if screen.color {
        let diagram = Diagram {
            position: &board,
            look: Look::suiting(screen),
            flipped: false,
            marks: asked.marks(&board, verdict),
        };
        text = format!("{diagram}\n{text}");
    }
    Ok(Answer { text, code })
}

/// What there is to say about a move in one line, whether it is legal or not.
pub(crate) fn sentence(board: &Board, text: &str) -> anyhow::Result<String> {
    let asked = Asked::read(text)?;
    Ok(match asked.judge(board)? {
        Ok(mv) => format!("legal: {}", describe(board, mv)),
        Err(no) => format!("not legal: {}", asked.explain(no)),
    })
}

/// A move as it was typed, possible or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Squares {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    Castle(Wing),
    /// `Nf3`, `exd5`.
    San(San),
}

/// Why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum No {
    Refused(Refusal),
    /// No piece of the kind goes to the square.
    Nobody {
        role: Role,
        to: Square,
    },
}

impl No {
    /// The squares to blame.
    fn squares(self) -> Bitboard {
        match self {
            Self::Refused(refusal) => refusal.squares(),
            Self::Nobody { .. } => Bitboard::EMPTY,
        }
    }
}

impl Asked {
    fn read(text: &str) -> anyhow::Result<Self> {
        let text = text.trim();
        match text.to_ascii_uppercase().replace('0', "O").as_str() {
            "O-O" => return Ok(Self::Castle(Wing::King)),
            "O-O-O" => return Ok(Self::Castle(Wing::Queen)),
            _ => {}
        }
        if let Some(squares) = Self::squares(text) {
            return Ok(squares);
        }
        let advice = "write it as in Nf3, exd5 or e8=Q, or with its two squares, as in e2e4 or e2-e4, \
                      with a letter for a promotion, as in e7e8q, or O-O or O-O-O to castle";
        match San::read(text, Dialect::Import) {
            Ok(San::NULL) => bail!("the move {text:?} is none: {}", SanError::NullMove),
            Ok(san) => Ok(Self::San(san)),
            Err(error @ SanError::UnknownPiece { .. }) => {
                bail!("the move {text:?} cannot be read: {error}; {advice}")
            }
            Err(_) => bail!("the move {text:?} cannot be read: {advice}"),
        }
    }

    /// Reads two squares, and perhaps what a pawn becomes.
    fn squares(text: &str) -> Option<Self> {
        let letters: Vec<char> = text
            .chars()
            .filter(|c| !matches!(c, '-' | '=' | 'x'))
            .collect();
        let (&[a, b, c, d], promotion) = letters.split_first_chunk()?;
        // B1d2 is a bishop.
        if a.is_ascii_uppercase() != c.is_ascii_uppercase() {
            return None;
        }
        let square = |file: char, rank: char| format!("{file}{rank}").parse::<Square>().ok();
        Some(Self::Squares {
            from: square(a, b)?,
            to: square(c, d)?,
            promotion: match promotion {
                [] => None,
                &[role] => Some(Role::from_char(role)?),
                _ => return None,
            },
        })
    }

    /// Whether the move is legal; an error if nobody can tell which move is meant.
    fn judge(self, board: &Board) -> anyhow::Result<Result<Move, No>> {
        let verdict = match self {
            Self::Squares {
                from,
                to,
                promotion,
            } => board.why_not(from, to, promotion),
            Self::Castle(wing) => board.why_not_castle(wing),
            Self::San(san) => match san.find(board, Dialect::Import) {
                Ok(mv) => Ok(mv),
                Err(SanError::Illegal { reason }) => Err(reason),
                Err(SanError::NoSuchPiece { role, to }) => return Ok(Err(No::Nobody { role, to })),
                Err(error @ SanError::Ambiguous { .. }) => {
                    bail!("{error}; say which, as in Nbd2 or b1d2")
                }
                Err(error) => bail!("{error}"),
            },
        };
        Ok(verdict.map_err(No::Refused))
    }

    /// The refusal as a sentence, with what to type instead where that helps.
    fn explain(self, no: No) -> String {
        match (no, self) {
            (
                No::Refused(refusal @ Refusal::PromotionMissing { .. }),
                Self::Squares { from, to, .. },
            ) => {
                format!("{refusal}, as in {from}{to}q")
            }
            (No::Refused(refusal @ Refusal::PromotionMissing { .. }), Self::San(san)) => {
                match san.parts() {
                    SanParts::Piece(piece) => format!("{refusal}, as in {}=Q", piece.to),
                    _ => refusal.to_string(),
                }
            }
            (No::Refused(refusal), _) => refusal.to_string(),
            (No::Nobody { role, to }, _) => SanError::NoSuchPiece { role, to }.to_string(),
        }
    }

    fn marks(self, board: &Board, verdict: Result<Move, No>) -> Marks {
        let way = match (verdict, self) {
            (Ok(mv), _) => Bitboard::from(mv.from()) | Bitboard::from(mv.to()),
            (Err(_), Self::Squares { from, to, .. }) => Bitboard::from(from) | Bitboard::from(to),
            (Err(_), Self::San(san)) => match san.parts() {
                SanParts::Piece(piece) => Bitboard::from(piece.to),
                _ => Bitboard::EMPTY,
            },
            (Err(_), Self::Castle(wing)) => {
                let us = board.turn();
                let to = Square::new(wing.king_file(), us.rank(Rank::First));
                Bitboard::from(board.king(us)) | Bitboard::from(to)
            }
        };
        Marks {
            way,
            trouble: verdict.err().map_or(Bitboard::EMPTY, No::squares),
        }
    }
}

/// What a legal move does.
fn describe(board: &Board, mv: Move) -> String {
    let (from, to, role) = (mv.from(), mv.to(), mv.role());
    let mut text = if let Some(wing) = mv.wing() {
        describe_castling(board, mv, wing)
    } else if mv.is_en_passant() {
        let pawn = Square::new(to.file(), from.rank());
        format!("the pawn on {from} captures the pawn on {pawn} en passant and lands on {to}")
    } else if let Some(victim) = captured(board, mv) {
        format!("the {role} on {from} captures the {victim} on {to}")
    } else {
        format!("the {role} goes from {from} to {to}")
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

fn describe_castling(board: &Board, mv: Move, wing: Wing) -> String {
    let turn = board.turn();
    let goes = |piece: &str, from: Square, to: Square| {
        if from == to {
            format!("the {piece} stays on {to}")
        } else {
            format!("the {piece} goes from {from} to {to}")
        }
    };
    let king = goes("king", mv.from(), mv.to());
    let rook = board
        .castling_rook(turn, wing)
        .map_or_else(String::new, |rook| {
            let to = Square::new(wing.rook_file(), rook.rank());
            format!(" and {}", goes("rook", rook, to))
        });
    format!("{turn} castles on the {wing} side: {king}{rook}")
}

/// The answer for programs.
#[derive(Serialize)]
struct Judged {
    fen: String,
    /// As UCI writes it, if it is legal.
    uci: Option<String>,
    legal: bool,
    sentence: String,
    /// The squares to blame.
    squares: Vec<String>,
}

impl Judged {
    fn of(board: &Board, asked: Asked, verdict: Result<Move, No>) -> Self {
        let squares = verdict.err().map_or(Bitboard::EMPTY, No::squares);
        Self {
            fen: board.to_string(),
            uci: verdict.ok().map(|mv| uci::write(board, mv).to_string()),
            legal: verdict.is_ok(),
            sentence: match verdict {
                Ok(mv) => describe(board, mv),
                Err(no) => asked.explain(no),
            },
            squares: squares
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_all_their_forms() {
        let squares = |from, to, promotion| Asked::Squares {
            from,
            to,
            promotion,
        };
        for (text, asked) in [
            ("e2e4", squares(Square::E2, Square::E4, None)),
            ("E2-E4", squares(Square::E2, Square::E4, None)),
            ("e4xd5", squares(Square::E4, Square::D5, None)),
            ("b7b8b", squares(Square::B7, Square::B8, Some(Role::Bishop))),
            (
                "e7-e8=Q",
                squares(Square::E7, Square::E8, Some(Role::Queen)),
            ),
            (
                "e7xd8n",
                squares(Square::E7, Square::D8, Some(Role::Knight)),
            ),
            ("O-O", Asked::Castle(Wing::King)),
            ("0-0", Asked::Castle(Wing::King)),
            ("o-o-o", Asked::Castle(Wing::Queen)),
            ("0-0-0", Asked::Castle(Wing::Queen)),
        ] {
            assert_eq!(Asked::read(text).unwrap(), asked, "{text}");
        }
        for text in ["Nf3", "exd5", "e8=Q", "♘f3", "B1d2", "Nbxd2+", "e4!?"] {
            let asked = Asked::read(text).unwrap();
            assert!(matches!(asked, Asked::San(_)), "{text}: {asked:?}");
        }
        for text in [
            "", "e9e4", "e2e4e5", "e7e8z", "O-O-O-O", "------", "--", "Cf3", "Nf9",
        ] {
            assert!(Asked::read(text).is_err(), "{text}");
        }
    }
}
