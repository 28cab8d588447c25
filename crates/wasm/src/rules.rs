//! Answers about positions and games.

mod game;
mod position;
mod review;
mod setup;

use serde::{Deserialize, Serialize};
use tabiya_board::{Board, Square};

use crate::line::Line;
use crate::problem::Problem;

/// A request. Each operation reads the fields that it needs.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Request {
    op: String,
    fen: Option<String>,
    moves: Vec<String>,
    r#move: String,
    square: String,
    number: u16,
    pieces: std::collections::BTreeMap<String, char>,
    turn: String,
    castling: String,
    en_passant: Option<String>,
    halfmove_clock: u32,
    fullmove_number: Option<u32>,
    game: game::GameInput,
    evals: Vec<review::EvalInput>,
}

/// Answers a request: one line of JSON, and after it any bytes (a PGN).
///
/// The answer is `{"ok": true, "value": …}` or `{"ok": false, "error": {"message": …, "squares": […]}}`.
pub fn answer(request: &[u8]) -> Vec<u8> {
    let (head, body) = match request.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&request[..end], &request[end + 1..]),
        None => (request, &[][..]),
    };
    let result = serde_json::from_slice(head)
        .map_err(|error| Problem::new(&format!("this is not a request: {error}")))
        .and_then(|request| respond(request, body));
    let (before, value) = match result {
        Ok(value) => (&br#"{"ok":true,"value":"#[..], value),
        Err(problem) => (&br#"{"ok":false,"error":"#[..], json(&problem)),
    };
    [before, &value, b"}"].concat()
}

/// Answers an operation by its name, for the server: the same requests without the envelope.
pub fn call(op: &str, request: serde_json::Value, body: &[u8]) -> Result<Vec<u8>, Problem> {
    let mut request: Request = serde_json::from_value(request)
        .map_err(|error| Problem::new(&format!("this is not a request: {error}")))?;
    op.clone_into(&mut request.op);
    respond(request, body)
}

fn json<T: Serialize>(value: &T) -> Vec<u8> {
    // Strings as keys and numbers cannot fail.
    serde_json::to_vec(value).unwrap_or_default()
}

fn respond(request: Request, body: &[u8]) -> Result<Vec<u8>, Problem> {
    #[derive(Serialize)]
    struct Fen {
        fen: Option<String>,
    }
    let line = Line {
        fen: request.fen,
        moves: request.moves,
    };
    match request.op.as_str() {
        "position" => Ok(json(&position::PositionAnswer::of(&line.history()?))),
        "play" => Ok(json(&position::play(line.history()?, &request.r#move)?)),
        "why" => Ok(json(&position::why(
            line.history()?.board(),
            &request.r#move,
        )?)),
        "why_no_moves" => {
            let square = square(&request.square)?;
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
        "chess960" if request.number < 960 => Ok(json(&Fen {
            fen: Some(Board::chess960_start(request.number).to_string()),
        })),
        "chess960" => Err(Problem::new(
            "Chess960 positions have numbers from 0 to 959",
        )),
        "setup" => {
            let fields = setup::Fields {
                pieces: &request.pieces,
                turn: &request.turn,
                castling: &request.castling,
                en_passant: request.en_passant.as_deref(),
                halfmove_clock: request.halfmove_clock,
                fullmove_number: request.fullmove_number.unwrap_or(1),
            };
            Ok(json(&setup::check(&fields)?))
        }
        "lone_moves" => {
            let square = square(&request.square)?;
            Ok(json(&setup::lone_moves(&request.pieces, square)?))
        }
        "games" => Ok(json(&game::list(body))),
        "read_game" => Ok(json(&game::read(body))),
        "write_game" => Ok(json(&game::write(&request.game)?)),
        "review" => Ok(json(&review::review(body, &request.evals)?)),
        op => Err(Problem::new(&format!("there is no operation {op:?}"))),
    }
}

fn square(name: &str) -> Result<Square, Problem> {
    let shown: String = name.chars().take(10).collect();
    name.parse()
        .map_err(|_| Problem::new(&format!("{shown:?} is not a square")))
}
