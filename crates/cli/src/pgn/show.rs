//! `tabiya pgn show`: games on a board, move by move.

use std::io::{self, Write};
use std::path::PathBuf;

use anstream::AutoStream;
use anstyle::Style;
use clap::Args;
use tabiya_display::boards::boards_of;
use tabiya_display::caption::{result, title};
use tabiya_display::diagram::DiagramStyle;
use tabiya_explorer::Explorer;
use tabiya_games::{GameFile, NumberedGame};
use tabiya_notation::PieceLetters;

use super::letters::{self, placed_sentence};
use super::note_encoding;
use crate::examples;
use crate::fullscreen;
use crate::screen::{CommandOutput, Screen};

const BOLD: Style = Style::new().bold();

/// Step through games on a board
///
/// On a terminal, use these keys: right and left for the next and the previous move, down and up for ten half-moves,
/// Home and End for the start and the end, v for the alternatives to a move, m for the next mistake, n and p for the
/// next and the previous game. Ctrl+E turns the engine on or off, Ctrl+F flips the board, ? lists all keys, q quits.
/// Type a move, or make it with the mouse, to start a variation. In a file or a pipe, and with --all, the boards are
/// printed.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya pgn show games.pgn"
    "tabiya pgn show games.pgn --game 3"
    "tabiya pgn show games.pgn --game 3 --all | less -R"
    "tabiya pgn show partien.pgn --letters de"
    "tabiya pgn show games.pgn --archive million"
))]
pub(crate) struct Arguments {
    /// File of games, compressed or not; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Number of the game to show
    #[arg(long, value_name = "N", value_parser = parse_number)]
    game: Option<usize>,

    #[command(flatten)]
    read: letters::Language,

    /// Show what was played in each position by the games of this archive
    #[arg(long, value_name = "FOLDER", conflicts_with = "all")]
    archive: Option<PathBuf>,

    /// Print the board after every move, of all games or of the one given by --game
    #[arg(long)]
    all: bool,
}

pub(crate) fn parse_number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "use a number from 1".to_owned())
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let games = GameFile::open(&arguments.file, arguments.read.letters)?;
    let mut games = games.with_max_game(arguments.read.max_game);
    let game = games.find(arguments.game.unwrap_or(1))?;
    note_encoding(&arguments.file, games.encoding());
    let code = if arguments.all || !screen.can_redraw() {
        print(arguments, &mut games, game, screen)?
    } else {
        let explorer = arguments.archive.as_deref().map(Explorer::open);
        let letters = arguments.read.letters;
        fullscreen::replay(games, game, letters, explorer.transpose()?, screen)?;
        0
    };
    Ok(CommandOutput {
        text: String::new(),
        code,
    })
}

/// Prints the boards of one game or of all, and says whether all of them could be read.
fn print(
    arguments: &Arguments,
    games: &mut GameFile,
    first: NumberedGame,
    screen: Screen,
) -> anyhow::Result<u8> {
    let mut out = AutoStream::auto(io::stdout().lock());
    let mut next = Some(first);
    let mut code = 0;
    while let Some(loaded) = next {
        out.write_all(boards(&loaded, arguments.read.letters, screen).as_bytes())?;
        if loaded.error.is_some() {
            code = 1;
        }
        next = match arguments.game {
            Some(_) => None,
            None => games.get(loaded.number + 1)?,
        };
    }
    out.flush()?;
    Ok(code)
}

/// The boards of a game, and the error that ends it or its result.
fn boards(loaded: &NumberedGame, letters: PieceLetters, screen: Screen) -> String {
    let style = DiagramStyle::for_screen(screen.color, screen.columns);
    let NumberedGame { number, game, .. } = loaded;
    let mut text = format!("{BOLD}Game {number}: {}{BOLD:#}\n", title(game));
    text.push_str(&boards_of(game, letters, style, screen.columns));
    let end = loaded.error.as_ref().map(placed_sentence);
    let end = end.unwrap_or_else(|| result(game));
    text.push_str(&screen.wrap(&end, 2));
    text.push('\n');
    text
}
