//! Parsing the commands of a chess program.

use tabiya_board::{Board, FenError, FenErrorKind, GameHistory, SetupError};
use tabiya_notation::uci::{self, UciError};
use thiserror::Error;

use crate::lines::shortened;

/// The greatest perft depth, far beyond what can be counted.
const MAX_PERFT_DEPTH: u32 = 30;

/// A command. Arguments that depend on the position are still text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UciCommand<'a> {
    Uci,
    Debug,
    IsReady,
    SetOption {
        name: String,
        value: String,
    },
    NewGame,
    Position(&'a str),
    Go(&'a str),
    Stop,
    PonderHit,
    Quit,
    /// Shows the board.
    Display,
    /// Shows the evaluation of the position.
    Eval,
    Bench(Option<u32>),
    Perft(u32),
    /// An empty line, or a command without effect.
    Nothing,
}

/// Why a line is not a valid command.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum CommandError {
    #[error(
        "unknown command \"{0}\": use uci, isready, ucinewgame, position, go, stop, ponderhit, setoption, d, eval, perft, bench or quit"
    )]
    Unknown(String),
    #[error("setoption needs a name, as in \"setoption name Hash value 64\"")]
    NoOptionName,
    #[error("perft needs a depth from 0 to {MAX_PERFT_DEPTH}, not \"{0}\"")]
    PerftDepth(String),
    #[error("bench needs a depth from 1 to 99, not \"{0}\"")]
    BenchDepth(String),
    #[error("position needs startpos or fen, not \"{0}\"")]
    NoPosition(String),
    #[error("the FEN is invalid: {0}")]
    Fen(FenError),
    #[error("move {number}, {text}, is illegal: {error}")]
    Move {
        number: usize,
        text: String,
        error: UciError,
    },
}

impl<'a> UciCommand<'a> {
    pub(crate) fn parse(line: &'a str) -> Result<Self, CommandError> {
        let (word, rest) = split_word(line);
        Ok(match word {
            "" | "register" => Self::Nothing,
            "uci" => Self::Uci,
            "debug" => Self::Debug,
            "isready" => Self::IsReady,
            "setoption" => Self::set_option(rest)?,
            "ucinewgame" => Self::NewGame,
            "position" => Self::Position(rest),
            "go" => Self::Go(rest),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "d" => Self::Display,
            "eval" => Self::Eval,
            "bench" if rest.is_empty() => Self::Bench(None),
            "bench" => match rest.parse() {
                Ok(depth @ 1..=99) => Self::Bench(Some(depth)),
                _ => return Err(CommandError::BenchDepth(shortened(rest))),
            },
            "perft" => Self::Perft(perft_depth(rest)?),
            _ => return Err(CommandError::Unknown(shortened(word))),
        })
    }

    fn set_option(rest: &str) -> Result<Self, CommandError> {
        // Names and values may contain spaces. A name ends at the word "value".
        let mut words = rest.split_whitespace();
        if words.next() != Some("name") {
            return Err(CommandError::NoOptionName);
        }
        let mut name = Vec::new();
        for word in words.by_ref().take_while(|&word| word != "value") {
            name.push(word);
        }
        if name.is_empty() {
            return Err(CommandError::NoOptionName);
        }
        let value: Vec<&str> = words.collect();
        Ok(Self::SetOption {
            name: name.join(" "),
            value: value.join(" "),
        })
    }
}

pub(crate) fn perft_depth(text: &str) -> Result<u32, CommandError> {
    let depth = text.parse().ok().filter(|&depth| depth <= MAX_PERFT_DEPTH);
    depth.ok_or_else(|| CommandError::PerftDepth(shortened(text)))
}

/// Parses the arguments of `position`: a starting position and moves. Rights to castle or to capture en passant that
/// the position cannot have are dropped, and positions that no game leads to are accepted; the text says so.
pub(crate) fn parse_position(text: &str) -> Result<(GameHistory, Option<String>), CommandError> {
    let (word, rest) = split_word(text);
    let (start, moves) = match rest.find("moves") {
        Some(at) => (rest[..at].trim(), &rest[at + "moves".len()..]),
        None => (rest, ""),
    };
    let (board, remark) = match word {
        "startpos" if start.is_empty() => (Board::start(), None),
        "fen" => parse_fen(start).map_err(CommandError::Fen)?,
        _ => return Err(CommandError::NoPosition(shortened(text))),
    };
    let mut line = GameHistory::new(board);
    for (index, text) in moves.split_whitespace().enumerate() {
        let mv = uci::parse(text, line.board()).map_err(|error| CommandError::Move {
            number: index + 1,
            text: shortened(text),
            error,
        })?;
        line.play(mv);
    }
    Ok((line, remark))
}

/// Parses a FEN. Chess programs in which people set up positions often leave rights that cannot be; without them the
/// position may be fine.
fn parse_fen(fen: &str) -> Result<(Board, Option<String>), FenError> {
    let (board, impossible) = parse_forgiving(fen);
    let error = match board {
        Ok(board) => return Ok((board, impossible)),
        Err(error) => error,
    };
    let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
    let [_, _, castling, en_passant, ..] = &mut fields[..] else {
        return Err(error);
    };
    let en_passant = std::mem::replace(en_passant, "-".to_owned());
    let mut dropped = Vec::new();
    let mut kept = String::new();
    for letter in std::mem::take(castling).chars() {
        fields[2] = format!("{kept}{letter}");
        match impossible_right(&fields) {
            Some(wrong) => dropped.push(wrong),
            None => kept.push(letter),
        }
    }
    fields[2] = if kept.is_empty() {
        "-".to_owned()
    } else {
        kept
    };
    fields[3] = en_passant;
    if let Some(wrong) = impossible_right(&fields) {
        dropped.push(wrong);
        "-".clone_into(&mut fields[3]);
    }
    let (board, impossible) = parse_forgiving(&fields.join(" "));
    let board = board.map_err(|_| error)?;
    let dropped: Vec<String> = dropped.iter().map(ToString::to_string).collect();
    let mut remark = format!(
        "ignoring impossible rights in the FEN: {}",
        dropped.join("; ")
    );
    if let Some(impossible) = impossible {
        remark = format!("{remark}; {impossible}");
    }
    Ok((board, Some(remark)))
}

/// Parses a FEN, also of a position that no game leads to, and says so.
fn parse_forgiving(fen: &str) -> (Result<Board, FenError>, Option<String>) {
    let mut impossible = Vec::new();
    let board = Board::from_fen_forgiving(fen, |error| {
        impossible.push(error.to_string());
        true
    });
    let remark = format!("no game leads to this position: {}", impossible.join("; "));
    (board, (!impossible.is_empty()).then_some(remark))
}

/// Returns the error of a FEN if it is a right to castle or to capture en passant that cannot be.
fn impossible_right(fields: &[String]) -> Option<SetupError> {
    match parse_forgiving(&fields.join(" ")).0.err()?.kind {
        FenErrorKind::Invalid(
            wrong @ (SetupError::CastlingKing(_)
            | SetupError::CastlingRook(..)
            | SetupError::NoCastlingRook(..)
            | SetupError::TwoCastlingRooks(..)
            | SetupError::EnPassant(_)),
        ) => Some(wrong),
        _ => None,
    }
}

/// Splits off the first word of a text.
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_names_and_values_may_contain_spaces() {
        let read = UciCommand::parse("setoption  name Move  Overhead value 1 2").unwrap();
        let expected = UciCommand::SetOption {
            name: "Move Overhead".to_owned(),
            value: "1 2".to_owned(),
        };
        assert_eq!(read, expected);
        assert_eq!(
            UciCommand::parse("setoption name Clear Hash").unwrap(),
            UciCommand::SetOption {
                name: "Clear Hash".to_owned(),
                value: String::new()
            }
        );
        for wrong in [
            "setoption",
            "setoption Hash",
            "setoption name",
            "setoption name value 3",
        ] {
            assert_eq!(UciCommand::parse(wrong), Err(CommandError::NoOptionName));
        }
    }

    #[test]
    fn positions_are_parsed() {
        let (line, _) = parse_position("startpos moves e2e4 e7e5").unwrap();
        assert_eq!(line.moves().len(), 2);
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7";
        let (line, dropped) = parse_position(&format!("fen {fen}  moves e1g1 a8a1")).unwrap();
        assert_eq!(dropped, None);
        assert_eq!(line.start().to_string(), fen);
        assert_eq!(line.moves().len(), 2);
        assert!(parse_position("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq -").is_ok());
        let message = |text| parse_position(text).unwrap_err().to_string();
        assert!(message("startpos moves e2e4 e2e4").contains("move 2, e2e4"));
        assert!(message("fen 8/8/8/8/8/8/8/8 w - - 0 1").contains("FEN is invalid"));
        assert!(message("").contains("needs startpos or fen"));
        assert!(message("startpos e2e4").contains("needs startpos or fen"));
    }

    #[test]
    fn impossible_rights_are_dropped() {
        let parsed = |fen: &str| {
            let (line, dropped) = parse_position(&format!("fen {fen}")).unwrap();
            (line.start().to_string(), dropped.unwrap_or_default())
        };
        for (fen, expected, reason) in [
            (
                "r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 3 7",
                "r3k2r/8/8/8/8/8/8/R3K3 w Qkq - 3 7",
                "no rook",
            ),
            (
                "r3k2r/8/8/8/8/4K3/8/R6R w KQkq - 0 1",
                "r3k2r/8/8/8/8/4K3/8/R6R w kq - 0 1",
                "not on its back rank",
            ),
            (
                "4k3/8/8/8/4p3/8/8/4K3 b - e3 0 1",
                "4k3/8/8/8/4p3/8/8/4K3 b - - 0 1",
                "en passant",
            ),
        ] {
            let (parsed, dropped) = parsed(fen);
            assert_eq!(parsed, expected);
            assert!(dropped.contains(reason), "{dropped}");
        }
        for wrong in [
            "4k3/8/8/8/4p3/8/8/8 b KQ e3 0 1",
            "4k3/4R3/8/8/8/8/8/4K3 w KQ - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w x - 0 1",
        ] {
            assert!(parse_position(&format!("fen {wrong}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn messages_stay_short() {
        let long = "x".repeat(100_000);
        let message = UciCommand::parse(&long).unwrap_err().to_string();
        assert!(message.len() < 300, "{}", message.len());
    }
}
