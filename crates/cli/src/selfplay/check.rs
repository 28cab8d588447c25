//! `tabiya selfplay check`: proves a file.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use tabiya_selfplay::{Kind, check_block, replay};

use super::counted;
use super::file::{Piece, read};
use crate::examples;
use crate::input::name;
use crate::remark;
use crate::screen::{Answer, Screen};

/// More faults than these are only counted.
const SHOWN: u64 = 20;

/// Prove that a file is whole and its games are legal
///
/// Checksums are compared, every game is played again by the rules, its end and its result have to be those of the last
/// position or of the scores, and each record has to hold the position of the game. Bare records have no checksums and
/// no games: each has to be a position in which its move is legal.
///
/// The exit code is 1 if something is wrong with a game, and 2 if the file cannot be read to its end.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya selfplay check games.records"
    "tabiya selfplay check sample.games"
))]
pub(crate) struct Arguments {
    /// The file
    file: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
    let shown = name(&arguments.file);
    let (mut games, mut positions, mut faults) = (0_u64, 0_u64, 0_u64);
    let mut numbers = HashSet::new();
    let mut complain = |place: String, fault: String| {
        faults += 1;
        if faults <= SHOWN {
            remark(format_args!("{shown}: {place}: {fault}"));
        }
    };
    let kind = read(&arguments.file, &mut |piece| match piece {
        Piece::Block(block, settings) => {
            games += 1;
            positions += block.records.len() as u64;
            let place = format!("game {}", block.number);
            if let Err(fault) = check_block(&block, settings.adjudication) {
                complain(place.clone(), fault.to_string());
            }
            if !numbers.insert(block.number) {
                complain(place, "it is there twice".to_owned());
            }
        }
        Piece::Game(game) => {
            games += 1;
            positions += game.searched.len() as u64;
            if let Err(fault) = replay(&game, None) {
                complain(format!("game {games}"), fault.to_string());
            }
        }
        Piece::Record(record) => {
            positions += 1;
            if let Err(error) = record.check() {
                complain(format!("record {positions}"), error.to_string());
            }
        }
    })?;
    if faults > SHOWN {
        remark(format_args!("{shown}: … and {} more", faults - SHOWN));
    }
    let mut text = String::new();
    let verdict = match faults {
        0 => "all right".to_owned(),
        _ => counted(screen, faults, "fault"),
    };
    if kind != Kind::Records {
        write!(text, "{}, ", counted(screen, games, "game"))?;
    }
    let positions = counted(screen, positions, "position");
    writeln!(text, "{positions}: {verdict}")?;
    Ok(Answer {
        text,
        code: u8::from(faults > 0),
    })
}
