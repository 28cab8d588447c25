//! `tabiya match`: lets two engines play.

use clap::Args;
use tabiya_arena::TournamentFormat;

use crate::arena::{Settings, Test, contestant};
use crate::examples;
use crate::screen::{CommandOutput, Screen};

/// Let two engines play a match
///
/// Every opening is played twice, with colours changed. An engine is a command that speaks UCI; words like Hash=64
/// behind it set its options, and an underscore stands for a space in their names. A name of your own may stand before
/// it, as in "new: tabiya uci". The result is the difference in Elo points with the error that 95 of 100 matches stay
/// within.
///
/// An engine that crashes, hangs or makes a move that is not legal loses that game and is started anew. With --pgn every
/// game is on the disk when it ends: whatever stops the match, the same command goes on, and with more --games it is
/// made longer.
///
/// The exit code is 0 when the match is over, and 130 when it was interrupted.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya match \"tabiya uci\" \"tabiya uci Hash=1\" --games 4 --depth 3"
    "tabiya match \"tabiya uci\" \"stockfish UCI_LimitStrength=true UCI_Elo=2400\" --clock 2s+0.02"
    "tabiya match \"new: ./new uci\" \"old: ./old uci\" --games 20000 --sprt 0,5 --pgn games.pgn"
))]
pub(crate) struct Arguments {
    /// The first engine
    first: String,

    /// The second engine
    second: String,

    /// How many games to play; an odd number is made even
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    test: Test,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let contestants = vec![
        contestant(&arguments.first)?,
        contestant(&arguments.second)?,
    ];
    arguments.settings.play(
        contestants,
        TournamentFormat::RoundRobin,
        arguments.games,
        arguments.test.sprt(),
        screen,
    )
}
