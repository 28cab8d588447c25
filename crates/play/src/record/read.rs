//! Reading a record.

use std::fs::TryLockError;
use std::path::Path;

use tabiya_board::{Board, GameHistory};
use tabiya_notation::pgn::{self, Event, Reader, commands, decode_tag};

use super::repair::{Item, ItemKind, Repair, describe, find_repair};
use super::{GameRecord, RecordError, RecordFormatError, damaged_copy};
use crate::date_time::UtcDateTime;
use crate::game::{Game, PLAYER_TAGS};
use crate::player::Player;
use crate::termination::{Termination, read_color};
use tabiya_notation::TimeControl;

/// A record with more damaged places than this is not repaired further.
const MAX_MENDED: usize = 8;

/// The warning about a line without its newline.
const LAST_LINE: &str = "its last line is incomplete; it continues from the last good move";

impl Game {
    /// Resumes a game from its record. The clock stands still until [`start`](Self::start).
    ///
    /// An incomplete last line is dropped, with a warning in [`take_warning`](Self::take_warning). The moves after
    /// another damaged line are kept if they fit in exactly one way; otherwise the warning lists them.
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

    /// Reads a game from the text of a record, up to an error that cannot be repaired, which [`take_warning`](Self::take_warning)
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
    let (tags, items) = parse(&bytes[..sound]);
    let mut game = game_of_tags(&tags)?;
    let mut problems = Vec::new();
    let mut rest = &items[..];
    while let Some((item, behind)) = rest.split_first() {
        rest = behind;
        if let ItemKind::Comment(comment) = &item.kind {
            restore_comment(&mut game, comment);
            continue;
        }
        if let Some(mv) = item.legal_move(game.board()) {
            game.restore_move(mv);
            continue;
        }
        let here = &items[items.len() - rest.len() - 1..];
        let way = if problems.len() < MAX_MENDED {
            find_repair(game.board(), here)
        } else {
            Repair::Impossible
        };
        problems.push(describe(game.board(), here, &way));
        match way {
            Repair::Skip => {}
            Repair::Replace(mv) => game.restore_move(mv),
            Repair::Insert(mv) => {
                game.restore_move(mv);
                rest = here;
                continue;
            }
            Repair::Impossible => break,
        }
        let is_damage = |item: &Item| matches!(item.kind, ItemKind::Damage);
        let next = rest.iter().position(|item| !is_damage(item));
        rest = &rest[next.unwrap_or(rest.len())..];
    }
    if let Some(outcome) = game.history().outcome() {
        game.restore_termination(Termination::Outcome(outcome));
    }
    if sound < bytes.len() && rest.is_empty() {
        problems.push(LAST_LINE.to_owned());
    }
    if !problems.is_empty() {
        let problems = problems.join("; ");
        game.set_warning(format!("the saved game was damaged: {problems}"));
    }
    Ok(game)
}

/// The tags of a record, and what follows them.
fn parse(bytes: &[u8]) -> (Vec<(String, String)>, Vec<Item>) {
    let mut reader = Reader::new(bytes);
    let (mut tags, mut items) = (Vec::new(), Vec::new());
    // Counting lines from the start each time would take long in a long file.
    let (mut line, mut counted) = (1, 0);
    while let Some(event) = reader.next() {
        let kind = match event {
            Event::Tag { name, value } if items.is_empty() => {
                tags.push((
                    pgn::decode(name).into_owned(),
                    decode_tag(value).into_owned(),
                ));
                continue;
            }
            Event::End(_) => break,
            Event::Move(written) => ItemKind::Move {
                san: written.san,
                text: pgn::decode(written.text).into_owned(),
            },
            Event::Comment(comment) => ItemKind::Comment(pgn::decode(comment).into_owned()),
            Event::Error(_) | Event::NullMove => ItemKind::Damage,
            _ => continue,
        };
        let at = reader.event_offset().max(counted);
        let is_newline = |byte: &&u8| **byte == b'\n';
        line += bytes[counted..at].iter().filter(is_newline).count();
        counted = at;
        items.push(Item { line, kind });
    }
    (tags, items)
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
