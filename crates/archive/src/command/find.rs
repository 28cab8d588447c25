//! `tabiya archive find`: finds games by their tags and positions.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use tabiya_archive::Archive;

use super::Output;
use super::explore::line;
use super::filter::FilterArguments;
use super::position::PositionArguments;

/// Find games by player, event, date, opening, rating, result, position, material, pawns, pieces or ending
///
/// If the archive has a game more than once, only the first copy is found.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tabiya archive find games --player carlsen --result 1-0
  tabiya archive find games e4 c5 Nf3 d6 --rating 2500- --pgn
  tabiya archive find games --material KRPPkrp --for 10
  tabiya archive find games --ending \"opposite-coloured bishops\" --opening french
  tabiya archive find games --pattern \"white: king g1 rook h1\" --pawns isolani
  tabiya archive find games --broken")]
pub(crate) struct Arguments {
    /// The folder of the archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,

    #[command(flatten)]
    position: PositionArguments,

    #[command(flatten)]
    filter: FilterArguments,

    /// Only games with an error, with its reason
    #[arg(long)]
    broken: bool,

    /// How many games to print
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    limit: usize,

    /// Print whole games as PGN
    #[arg(long, conflicts_with = "json")]
    pgn: bool,

    /// Print whole games as JSON, one per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Output> {
    let archive = Archive::open(&arguments.archive)?;
    let board = arguments.position.board()?;
    let mut filter = arguments.filter.filter();
    filter.broken = arguments.broken;
    let ids = archive.find(&filter, board.as_ref(), arguments.limit)?;
    let mut text = String::new();
    if arguments.pgn {
        let games = archive.games(&ids)?;
        let games: Vec<String> = games.iter().map(tabiya_archive::GameRow::to_pgn).collect();
        text = games.join("\n");
    } else if arguments.json {
        for game in archive.games(&ids)? {
            text += &serde_json::to_string(&game)?;
            text.push('\n');
        }
    } else if arguments.broken {
        for game in archive.games(&ids)? {
            text += &line(game.game_id, |name| game.tag(name));
            writeln!(text, "\n          {}", game.error.unwrap_or_default())?;
        }
    } else {
        for game in archive.list(&ids)? {
            text += &line(game.game_id, |name| game.tag(name));
            text.push('\n');
        }
    }
    if ids.is_empty() && !arguments.json {
        text.push_str("No game found.\n");
    }
    Ok((text, 0))
}
