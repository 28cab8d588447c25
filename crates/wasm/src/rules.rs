//! Answers about positions and games.

mod game;
mod json;
mod position;
mod review;
mod setup;

use std::collections::BTreeMap;

use serde::Serialize;
use tabiya_board::{Board, Square};

use crate::line::Line;
use crate::problem::Problem;
use json::Json;

/// Answers a request: one line of JSON, and after it any bytes (a PGN).
///
/// The answer is `{"ok": true, "value": …}` or `{"ok": false, "error": {"message": …, "squares": […]}}`.
pub fn answer(request: &[u8]) -> Vec<u8> {
    let (head, body) = match request.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&request[..end], &request[end + 1..]),
        None => (request, &[][..]),
    };
    let result = Json::parse(head).and_then(|request| {
        let op = request.text("op")?.unwrap_or_default();
        respond(op, &request, body)
    });
    let (before, value) = match result {
        Ok(value) => (&br#"{"ok":true,"value":"#[..], value),
        Err(problem) => (&br#"{"ok":false,"error":"#[..], json(&problem)),
    };
    [before, &value, b"}"].concat()
}

/// Answers an operation by its name, for the server: the same requests without the envelope.
pub fn call(op: &str, request: &[u8], body: &[u8]) -> Result<Vec<u8>, Problem> {
    respond(op, &Json::parse(request)?, body)
}

fn json<T: Serialize>(value: &T) -> Vec<u8> {
    // Strings as keys and numbers cannot fail.
    serde_json::to_vec(value).unwrap_or_default()
}

fn respond(op: &str, request: &Json, body: &[u8]) -> Result<Vec<u8>, Problem> {
    let line = Line {
        fen: request.text("fen")?.map(str::to_owned),
        moves: request.texts("moves")?,
    };
    match op {
        "position" => Ok(json(&position::PositionAnswer::of(&line.history()?))),
        "play" => {
            let written = request.text("move")?.unwrap_or_default();
            Ok(json(&position::play(line.history()?, written)?))
        }
        "why" => {
            let written = request.text("move")?.unwrap_or_default();
            Ok(json(&position::why(line.history()?.board(), written)?))
        }
        "why_no_moves" => {
            let square = square(request.text("square")?.unwrap_or_default())?;
            Ok(json(&position::why_no_moves(
                line.history()?.board(),
                square,
            )))
        }
        "line" => Ok(json(&position::line(&line)?)),
        "null_move" => Ok(json(&Fen {
            fen: line
                .history()?
                .board()
                .null_move()
                .map(|board| board.to_string()),
        })),
        "opening" => Ok(json(&position::opening(&line.history()?))),
        "chess960" => match request.whole("number")?.unwrap_or(0) {
            number @ 0..960 => Ok(json(&Fen {
                fen: Some(Board::chess960_start(number).to_string()),
            })),
            _ => Err(Problem::new(
                "Chess960 positions have numbers from 0 to 959",
            )),
        },
        "setup" => {
            let fields = setup::Fields {
                pieces: &pieces(request)?,
                turn: request.text("turn")?.unwrap_or_default(),
                castling: request.text("castling")?.unwrap_or_default(),
                en_passant: request.text("en_passant")?,
                halfmove_clock: request.whole("halfmove_clock")?.unwrap_or(0),
                fullmove_number: request.whole("fullmove_number")?.unwrap_or(1),
            };
            Ok(json(&setup::check(&fields)?))
        }
        "lone_moves" => {
            let square = square(request.text("square")?.unwrap_or_default())?;
            Ok(json(&setup::lone_moves(&pieces(request)?, square)?))
        }
        "games" => Ok(json(&game::list(body))),
        "read_game" => Ok(json(&game::read(body))),
        "write_game" => Ok(json(&game::write(&game::GameInput::read(
            request.get("game"),
        )?)?)),
        "review" => {
            let evals = request.list("evals")?.iter().map(review::EvalInput::read);
            let evals = evals.collect::<Result<Vec<_>, _>>()?;
            Ok(json(&review::review(body, &evals)?))
        }
        op => Err(Problem::new(&format!("there is no operation {op:?}"))),
    }
}

#[derive(Serialize)]
struct Fen {
    fen: Option<String>,
}

/// Reads pieces by their squares: `{"e1": "K"}`.
fn pieces(request: &Json) -> Result<BTreeMap<String, char>, Problem> {
    let is_piece = |value: &Json| {
        let Json::Text(text) = value else { return None };
        let mut letters = text.chars();
        letters.next().filter(|_| letters.next().is_none())
    };
    let pieces = request.fields("pieces")?.iter().map(|(square, value)| {
        let letter = is_piece(value).ok_or_else(|| Problem::new("a piece is one letter"))?;
        Ok((square.clone(), letter))
    });
    pieces.collect()
}

fn square(name: &str) -> Result<Square, Problem> {
    let shown: String = name.chars().take(10).collect();
    name.parse()
        .map_err(|_| Problem::new(&format!("{shown:?} is not a square")))
}
