//! `tabiya match`: a match between two engines.

use clap::Args;
use tabiya_arena::TournamentFormat;

use crate::arena::{GameArguments, SprtArguments, parse_engine};
use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// Play a match between two engines
///
/// Every opening is played twice, with colours reversed. An engine is a command that speaks UCI. Words such as Hash=64
/// after the command set its options; write an underscore for a space in their names. You can name an engine, as in
/// "new: tabiya uci". The result is the Elo difference, with its 95 % confidence interval.
///
/// An engine that crashes, hangs or makes an illegal move loses that game and is restarted. With --pgn, every game is
/// on disk as soon as it ends: whatever stops the match, repeat the command to continue it. To extend it, give a larger
/// --games.
///
/// The exit code is 0 if the match is complete, and 130 if it was interrupted.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya match \"tabiya uci\" \"tabiya uci Hash=1\" --games 4 --depth 3"
    "tabiya match \"tabiya uci\" \"stockfish UCI_LimitStrength=true UCI_Elo=2400\" --clock 2s+0.02"
    "tabiya match \"new: ./new uci\" \"old: ./old uci\" --games 20000 --sprt 0,5 --pgn games.pgn"
))]
pub(crate) struct Arguments {
    /// First engine
    first: String,

    /// Second engine
    second: String,

    /// Number of games, rounded up to an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    #[command(flatten)]
    settings: GameArguments,

    #[command(flatten)]
    sprt: SprtArguments,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let engines = vec![
        parse_engine(&arguments.first)?,
        parse_engine(&arguments.second)?,
    ];
    arguments.settings.play(
        engines,
        TournamentFormat::RoundRobin,
        arguments.games,
        arguments.sprt.sprt(),
        screen,
    )
}
