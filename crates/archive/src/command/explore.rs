//! `tabiya archive explore`: what was played in a position.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tabiya_archive::{Archive, Explored, ExploredMove, Filter};
use tabiya_board::Board;
use tabiya_display::text::grouped;
use tabiya_notation::{opening, printable};

use super::Output;
use super::filter::FilterArguments;
use super::position::{PositionArguments, parse_fen};

/// Show what was played in a position, with which results
///
/// A game that reaches the position several times counts once, with the first move played there.
///
/// With --stream, reads one FEN per line from standard input and answers each at once with one line of JSON: the output
/// of --json, or {"error": "…"}. The archive is opened only once, so other programs can ask as people step through games.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tabiya archive explore games
  tabiya archive explore games e4 c5 Nf3
  tabiya archive explore games e4 c5 --rating 2200- --since 2024.01.01
  tabiya archive explore games --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"")]
pub(crate) struct Arguments {
    /// The folder of the archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,

    #[command(flatten)]
    position: PositionArguments,

    #[command(flatten)]
    filter: FilterArguments,

    /// How many games to list, at most 8
    #[arg(long, value_name = "COUNT", default_value_t = 4)]
    games: usize,

    /// Print everything as JSON
    #[arg(long)]
    json: bool,

    /// Answer each line of standard input, a FEN, with a line of JSON
    #[arg(long, conflicts_with_all = ["json", "words", "fen"])]
    stream: bool,
}

/// The longest line that is read. No FEN is half as long.
const MAX_LINE: u64 = 1024;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Output> {
    let board = arguments.position.board()?.unwrap_or_else(Board::start);
    let archive = Archive::open(&arguments.archive)?;
    let filter = arguments.filter.filter();
    if arguments.stream {
        stream(&archive, &filter, io::stdin().lock(), io::stdout().lock())?;
        return Ok((String::new(), 0));
    }
    let explored = archive.explore(&board, &filter)?;
    let text = if arguments.json {
        serde_json::to_string_pretty(&explored)? + "\n"
    } else {
        report(&board, &explored, arguments.games)
    };
    Ok((text, 0))
}

/// Answers each line with a line, until there are no more.
fn stream(
    archive: &Archive,
    filter: &Filter,
    mut questions: impl BufRead,
    mut answers: impl Write,
) -> anyhow::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut questions)
            .take(MAX_LINE)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(());
        }
        let is_whole = line.ends_with(b"\n") || (line.len() as u64) < MAX_LINE;
        if !is_whole {
            // The rest of a long line is not another question.
            questions.skip_until(b'\n')?;
        }
        let answer = match explored(archive, filter, &String::from_utf8_lossy(&line)) {
            Ok(explored) => serde_json::to_string(&explored)?,
            Err(error) => json!({ "error": format!("{error:#}") }).to_string(),
        };
        writeln!(answers, "{answer}")?;
        // Whoever asks waits for the answer.
        answers.flush()?;
    }
}

fn explored(archive: &Archive, filter: &Filter, fen: &str) -> anyhow::Result<Explored> {
    let board = parse_fen(fen.trim())?;
    Ok(archive.explore(&board, filter)?)
}

fn report(board: &Board, explored: &Explored, games: usize) -> String {
    let mut text = String::new();
    if let Some(opening) = opening(board) {
        let _ = writeln!(text, "{} {}", opening.eco, opening.name);
    }
    if explored.moves.is_empty() {
        text.push_str("No game has this position.\n");
        return text;
    }
    let _ = writeln!(
        text,
        "move         games  share   white   draw  black  rating  last played"
    );
    for explored_move in &explored.moves {
        row(&mut text, explored_move, explored.games);
    }
    let total = |count: fn(&ExploredMove) -> u32| explored.moves.iter().map(count).sum();
    let all = ExploredMove {
        uci: None,
        san: Some("all".to_owned()),
        games: explored.games,
        white_wins: total(|one| one.white_wins),
        draws: total(|one| one.draws),
        black_wins: total(|one| one.black_wins),
        unknown: total(|one| one.unknown),
        average_rating: None,
        last_played: None,
    };
    row(&mut text, &all, explored.games);
    for (title, list) in [
        ("Top games", &explored.top),
        ("Recent games", &explored.recent),
    ] {
        if !list.is_empty() && games > 0 {
            let _ = writeln!(text, "\n{title}");
            for game in list.iter().take(games) {
                let _ = writeln!(text, "{}", line(game.game_id, |name| game.tag(name)));
            }
        }
    }
    text
}

fn row(text: &mut String, explored: &ExploredMove, all: u64) {
    let percent = |count: u64, of: u64| {
        if of == 0 {
            0.0
        } else {
            100.0 * count as f64 / of as f64
        }
    };
    let known = explored.games - u64::from(explored.unknown);
    let name = explored.name();
    let _ = write!(
        text,
        "{name:<8} {:>9} {:>5.1} %",
        grouped(explored.games),
        percent(explored.games, all)
    );
    for count in [explored.white_wins, explored.draws, explored.black_wins] {
        let _ = write!(text, " {:>4.0} %", percent(u64::from(count), known));
    }
    let rating = explored
        .average_rating
        .map(|rating| rating.to_string())
        .unwrap_or_default();
    let last = explored.last_played.as_deref().unwrap_or_default();
    let line = format!("  {rating:>6}  {last}");
    let _ = writeln!(text, "{}", line.trim_end());
}

/// A game in one line.
pub(crate) fn line<'a>(game_id: u32, tag: impl Fn(&str) -> Option<&'a str>) -> String {
    let player = |name: &str, elo: &str| {
        let name = printable(tag(name).unwrap_or("?"));
        match tag(elo) {
            Some(elo) => format!("{name} ({elo})"),
            None => name,
        }
    };
    let (white, black) = (player("White", "WhiteElo"), player("Black", "BlackElo"));
    let date = tag("UTCDate").unwrap_or("");
    let site = printable(tag("Site").unwrap_or(""));
    let line = format!(
        "{:>8}  {date:<10}  {white} - {black}  {}  {site}",
        game_id,
        tag("Result").unwrap_or("*"),
    );
    line.trim_end().to_owned()
}
