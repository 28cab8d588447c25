//! Reading a record.

use std::fs::TryLockError;
use std::path::Path;

use tabiya_board::{Board, GameHistory};
use tabiya_notation::Dialect;
use tabiya_notation::pgn::{self, Event, Reader, commands, decode_tag};

use super::{GameRecord, RecordError, RecordFormatError, damaged_copy};
use crate::date_time::UtcDateTime;
use crate::game::{Game, PLAYER_TAGS};
use crate::player::Player;
use crate::termination::{Termination, read_color};
use tabiya_notation::TimeControl;

impl Game {
    /// Resumes a game from its record. The clock stands still until [`start`](Self::start).
    ///
    /// An incomplete last line is dropped, with a warning in [`take_warning`](Self::take_warning).
    pub fn resume(path: &Path) -> Result<Self, RecordError> {
        let failed = |error| RecordError::Read {
            path: path.to_owned(),
            error,
        };
        let file = tabiya_files::open(path).map_err(failed)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(RecordError::Locked(path.to_owned()));
        }
        let bytes = tabiya_files::read(&file).map_err(failed)?;
        let mut game = Self::from_record(&bytes).map_err(|problem| RecordError::Format {
            path: path.to_owned(),
            problem,
        })?;
        let warning = game.take_warning();
        let damaged = warning.is_some();
        if let Some(warning) = warning {
            let copy = damaged_copy(path, 1);
            let copy = copy.file_name().unwrap_or_default().display();
            game.set_warning(format!(
                "{warning}; the damaged file is kept as {copy} when the game goes on"
            ));
        }
        game.set_record(GameRecord {
            path: path.to_owned(),
            // It stays locked until it is rewritten.
            file: Some(file),
            stale: true,
            failing: false,
            damaged,
        });
        Ok(game)
    }

    /// Reads a game from the text of a record, up to the first error, which [`take_warning`](Self::take_warning)
    /// describes. The game has no record itself.
    pub fn from_record(bytes: &[u8]) -> Result<Self, RecordFormatError> {
        read(bytes).map_err(RecordFormatError)
    }
}

fn read(bytes: &[u8]) -> Result<Game, String> {
    // A line without its newline was not written completely.
    let sound = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let mut broken = (sound < bytes.len()).then(|| "its last line is incomplete".to_owned());
    let mut reader = Reader::new(&bytes[..sound]);
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut game = None;
    // Moves that come after an error, and can no longer be trusted.
    let mut left_out = 0;
    while let Some(event) = reader.next() {
        if let Event::Tag { name, value } = event
            && game.is_none()
        {
            tags.push((
                pgn::decode(name).into_owned(),
                decode_tag(value).into_owned(),
            ));
            continue;
        }
        let game = match &mut game {
            Some(game) => game,
            none => none.insert(game_of_tags(&tags)?),
        };
        match event {
            Event::End(_) => break,
            Event::Move(_) if left_out > 0 => left_out += 1,
            _ if left_out > 0 => {}
            Event::Move(written) => match written.san.to_move(game.board(), Dialect::Import) {
                Ok(mv) => game.restore_move(mv),
                Err(error) => {
                    let (line, _) = reader.line_and_column(reader.offset());
                    broken = Some(format!("line {line} has an illegal move: {error}"));
                    left_out = 1;
                }
            },
            Event::Comment(comment) => restore_comment(game, &pgn::decode(comment)),
            Event::Error(_) => {
                let (line, _) = reader.line_and_column(reader.offset());
                broken = Some(format!("line {line} is not valid PGN"));
                left_out = 1;
            }
            _ => {}
        }
    }
    let mut game = match game {
        Some(game) => game,
        None => game_of_tags(&tags)?,
    };
    if let Some(outcome) = game.history().outcome() {
        game.restore_termination(Termination::Outcome(outcome));
    }
    if let Some(broken) = broken {
        let left_out = match left_out {
            0 | 1 => String::new(),
            2 => ", without the move after it".to_owned(),
            moves => format!(", without the {} moves after it", moves - 1),
        };
        game.set_warning(format!(
            "the saved game was damaged: {broken}; it continues from the last good move{left_out}"
        ));
    }
    Ok(game)
}

fn game_of_tags(tags: &[(String, String)]) -> Result<Game, String> {
    let tag = |name: &str| {
        let found = tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.as_str())
    };
    let start: Board = match tag("FEN") {
        Some(fen) => fen
            .parse()
            .map_err(|error| format!("its FEN is invalid: {error}"))?,
        None => Board::start(),
    };
    let mut players = Vec::new();
    for (seat, name) in PLAYER_TAGS.into_iter().zip(["White", "Black"]) {
        let code = tag(seat).ok_or_else(|| format!("it has no {seat} tag"))?;
        let player = Player::from_code(code, tag(name).unwrap_or("?"));
        players.push(player.ok_or_else(|| format!("unknown player {code:?} in the {seat} tag"))?);
    }
    let players = players
        .try_into()
        .map_err(|_| "it does not have two players".to_owned())?;
    let control = tag("TimeControl").and_then(TimeControl::from_tag);
    let mut game = Game::new(
        GameHistory::new(start),
        players,
        control.unwrap_or_default(),
    );
    let date = tag("UTCDate").zip(tag("UTCTime"));
    if let Some(began) = date.and_then(|(date, time)| UtcDateTime::from_pgn(date, time)) {
        game.set_started_at(began);
    }
    Ok(game)
}

/// Applies the commands in a comment.
fn restore_comment(game: &mut Game, comment: &str) {
    let (spent, left) = (pgn::elapsed(comment), pgn::clock(comment));
    if spent.is_some() || left.is_some() {
        game.restore_times(spent, left);
    }
    for command in commands(comment) {
        match command.name {
            "offer" => game.restore_offer(read_color(command.value)),
            "declined" => game.restore_offer(None),
            "paused" => {
                if let Some(used) = pgn::elapsed(&format!("[%emt {}]", command.value)) {
                    game.restore_pause(used);
                }
            }
            "end" => {
                if let Some(ending) =
                    Termination::from_code(command.value, game.history().outcome())
                {
                    game.restore_termination(ending);
                }
            }
            _ => {}
        }
    }
}
