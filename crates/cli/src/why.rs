//! `tabiya why`: says what a move does, or which rule forbids it.

use std::str::FromStr;

use anstyle::{AnsiColor, Style};
use anyhow::bail;
use clap::Args;
use serde::Serialize;
use tabiya_board::{Bitboard, Board, Move, Outcome, Rank, Refusal, Role, Square, Wing};

use crate::diagram::{Diagram, Look, Marks};
use crate::examples;
use crate::moves::captured;
use crate::position::FenOption;
use crate::screen::{Answer, Screen};
use crate::spelling::{uci, wing};

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
    "tabiya why \"r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1\" O-O"
    "tabiya why \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\" a7a8q"
))]
pub(crate) struct Arguments {
    /// The move: e2e4, e2-e4, e7e8q to promote, O-O or O-O-O to castle
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
    let asked: Asked = format!("{}{to}", arguments.asked).parse()?;
    let board = arguments.fen.board()?;
    let verdict = asked.judge(&board);
    let code = if verdict.is_ok() { 0 } else { NOT_LEGAL };
    if arguments.json {
        let text = screen.json(&Judged::of(&board, asked, verdict))?;
        return Ok(Answer { text, code });
    }
    let (style, word, sentence) = match verdict {
        Ok(mv) => (YES, "legal:", describe(&board, mv)),
        Err(refusal) => (NO, "not legal:", asked.explain(refusal)),
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

/// A move as it was typed, possible or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Squares {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    Castle(Wing),
}

impl FromStr for Asked {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        match text.to_ascii_uppercase().replace('0', "O").as_str() {
            "O-O" => return Ok(Self::Castle(Wing::King)),
            "O-O-O" => return Ok(Self::Castle(Wing::Queen)),
            _ => {}
        }
        let letters: Vec<char> = text
            .trim()
            .chars()
            .filter(|c| !matches!(c, '-' | '=' | 'x'))
            .collect();
        let square = |file: char, rank: char| format!("{file}{rank}").parse::<Square>().ok();
        let read = match letters[..] {
            [a, b, c, d] => square(a, b).zip(square(c, d)).map(|pair| (pair, None)),
            [a, b, c, d, role] => square(a, b)
                .zip(square(c, d))
                .zip(Role::from_char(role).map(Some)),
            _ => None,
        };
        let Some(((from, to), promotion)) = read else {
            bail!(
                "the move {text:?} cannot be read: write the two squares, as in e2e4 or e2-e4, \
                 with a letter for a promotion, as in e7e8q, or O-O or O-O-O to castle"
            );
        };
        Ok(Self::Squares {
            from,
            to,
            promotion,
        })
    }
}

impl Asked {
    fn judge(self, board: &Board) -> Result<Move, Refusal> {
        match self {
            Self::Squares {
                from,
                to,
                promotion,
            } => board.why_not(from, to, promotion),
            Self::Castle(wing) => board.why_not_castle(wing),
        }
    }

    /// The refusal as a sentence, with what to type instead where that helps.
    fn explain(self, refusal: Refusal) -> String {
        match (refusal, self) {
            (Refusal::PromotionMissing { .. }, Self::Squares { from, to, .. }) => {
                format!("{refusal}, as in {from}{to}q")
            }
            _ => refusal.to_string(),
        }
    }

    fn marks(self, board: &Board, verdict: Result<Move, Refusal>) -> Marks {
        let way = match (verdict, self) {
            (Ok(mv), _) => Bitboard::from(mv.from()) | Bitboard::from(mv.to()),
            (Err(_), Self::Squares { from, to, .. }) => Bitboard::from(from) | Bitboard::from(to),
            (Err(_), Self::Castle(wing)) => {
                let us = board.turn();
                let to = Square::new(wing.king_file(), us.rank(Rank::First));
                Bitboard::from(board.king(us)) | Bitboard::from(to)
            }
        };
        Marks {
            way,
            trouble: verdict
                .err()
                .map_or(Bitboard::EMPTY, |refusal| refusal.squares()),
        }
    }
}

/// What a legal move does.
fn describe(board: &Board, mv: Move) -> String {
    let (from, to, role) = (mv.from(), mv.to(), mv.role());
    let mut text = if mv.is_castle() {
        describe_castling(board, mv)
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

fn describe_castling(board: &Board, mv: Move) -> String {
    let (turn, wing) = (board.turn(), wing(mv));
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
    fn of(board: &Board, asked: Asked, verdict: Result<Move, Refusal>) -> Self {
        let squares = verdict
            .err()
            .map_or(Bitboard::EMPTY, |refusal| refusal.squares());
        Self {
            fen: board.to_string(),
            uci: verdict.ok().map(|mv| uci(board, mv)),
            legal: verdict.is_ok(),
            sentence: match verdict {
                Ok(mv) => describe(board, mv),
                Err(refusal) => asked.explain(refusal),
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
            assert_eq!(text.parse::<Asked>().unwrap(), asked, "{text}");
        }
        for text in [
            "", "e2", "e9e4", "Nf3", "e2e4e5", "e7e8z", "O-O-O-O", "♘f3", "------",
        ] {
            assert!(text.parse::<Asked>().is_err(), "{text}");
        }
    }
}
