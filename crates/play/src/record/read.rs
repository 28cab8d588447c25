//! Reading a record back.

use std::fs::{File, TryLockError};
use std::path::Path;

use tabiya_board::{Board, Line};
use tabiya_notation::Dialect;
use tabiya_notation::pgn::{self, Event, Reader, commands, tag_value};

use super::{NotARecord, Record, RecordError};
use crate::clock::TimeControl;
use crate::ending::{Ending, read_color};
use crate::game::{Game, SEATS};
use crate::moment::Moment;
use crate::player::Player;
use crate::whole_file;

impl Game {
    /// Goes on with a game from its record. Its clock does not run before [`start`](Self::start).
    ///
    /// A line at the end that was only half written is dropped; [`take_trouble`](Self::take_trouble) then says so.
    pub fn resume(path: &Path) -> Result<Self, RecordError> {
        let failed = |error| RecordError::Read {
            path: path.to_owned(),
            error,
        };
        let file = File::open(path).map_err(failed)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(RecordError::InUse(path.to_owned()));
        }
        let bytes = whole_file::read(&file).map_err(failed)?;
        let mut game = Self::of_record(&bytes).map_err(|problem| RecordError::Unreadable {
            path: path.to_owned(),
            problem,
        })?;
        game.keep(Record {
            path: path.to_owned(),
            // It stays locked until it is written anew.
            file: Some(file),
            stale: true,
            failing: false,
        });
        Ok(game)
    }

    /// The game of a record, as far as it is sound; what is wrong with it is told by
    /// [`take_trouble`](Self::take_trouble). It is not recorded any more.
    pub fn of_record(bytes: &[u8]) -> Result<Self, NotARecord> {
        read(bytes).map_err(NotARecord)
    }
}

fn read(bytes: &[u8]) -> Result<Game, String> {
    // A line counts from the moment when its end is there.
    let sound = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let mut broken = (sound < bytes.len()).then(|| "its last line broke off".to_owned());
    let mut reader = Reader::new(&bytes[..sound]);
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut game = None;
    while let Some(event) = reader.next() {
        if let Event::Tag { name, value } = event
            && game.is_none()
        {
            tags.push((pgn::text(name).into_owned(), tag_value(value).into_owned()));
            continue;
        }
        let game = match &mut game {
            Some(game) => game,
            none => none.insert(game_of_tags(&tags)?),
        };
        match event {
            Event::Move(written) => match written.san.find(game.board(), Dialect::Import) {
                Ok(mv) => game.restore_move(mv),
                Err(error) => {
                    let (line, _) = reader.line_and_column(reader.offset());
                    broken = Some(format!(
                        "line {line} has a move that cannot be played: {error}"
                    ));
                    break;
                }
            },
            Event::Comment(comment) => restore_comment(game, &pgn::text(comment)),
            Event::End(_) => break,
            Event::Problem(_) => {
                let (line, _) = reader.line_and_column(reader.offset());
                broken = Some(format!("line {line} cannot be read"));
                break;
            }
            _ => {}
        }
    }
    let mut game = match game {
        Some(game) => game,
        None => game_of_tags(&tags)?,
    };
    if let Some(outcome) = game.line().outcome() {
        game.restore_ending(Ending::Rules(outcome));
    }
    if let Some(broken) = broken {
        game.set_trouble(format!(
            "the record was damaged: {broken}; the game goes on from what came before"
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
            .map_err(|error| format!("its FEN is wrong: {error}"))?,
        None => Board::start(),
    };
    let mut players = Vec::new();
    for (seat, name) in SEATS.into_iter().zip(["White", "Black"]) {
        let code = tag(seat).ok_or_else(|| format!("it has no tag {seat}"))?;
        let player = Player::of_code(code, tag(name).unwrap_or("?"));
        players.push(player.ok_or_else(|| format!("{seat} {code:?} is no player"))?);
    }
    let players = players
        .try_into()
        .map_err(|_| "it has no two players".to_owned())?;
    let control = tag("TimeControl").and_then(TimeControl::of_tag);
    let mut game = Game::new(Line::new(start), players, control.unwrap_or_default());
    let date = tag("UTCDate").zip(tag("UTCTime"));
    if let Some(began) = date.and_then(|(date, time)| Moment::of_pgn(date, time)) {
        game.set_began(began);
    }
    Ok(game)
}

/// What a comment says to us.
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
                if let Some(ending) = Ending::of_code(command.value, game.line().outcome()) {
                    game.restore_ending(ending);
                }
            }
            _ => {}
        }
    }
}
