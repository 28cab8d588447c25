//! The game that the arguments and the settings ask for.

use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::ValueEnum;
use tabiya_board::{Board, Color, Line};
use tabiya_notation::Letters;
use tabiya_play::{Game, Level, Player, Program, Settings, TimeControl};

use super::Arguments;
use crate::input::name;
use crate::pgn::show::games::Games;

/// The pieces that somebody wants to play with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Side {
    White,
    Black,
    /// Drawn by lot
    Random,
}

/// A start of Chess960.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Chess960 {
    Number(u16),
    Random,
}

impl FromStr for Chess960 {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        if text.eq_ignore_ascii_case("random") {
            return Ok(Self::Random);
        }
        let number = text.parse().ok().filter(|number| *number < 960);
        number
            .map(Self::Number)
            .ok_or("give a number from 0 to 959, or random")
    }
}

/// Who plays against the person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Opponent {
    Computer,
    Person,
    Engine(Program),
}

pub(crate) fn parse_opponent(text: &str) -> Result<Opponent, String> {
    match text.trim() {
        "computer" => Ok(Opponent::Computer),
        "person" | "human" => Ok(Opponent::Person),
        line => {
            let program = Program::read(line).map(Opponent::Engine);
            program
                .ok_or_else(|| "give computer, person, or the command line of an engine".to_owned())
        }
    }
}

/// Begins games: the first one, and others like it.
pub(crate) struct Starter {
    line: Line,
    chess960: Option<Chess960>,
    side: Side,
    level: Level,
    clock: TimeControl,
    person: String,
    opponent: Opponent,
    both: bool,
}

impl Starter {
    pub(super) fn new(arguments: &Arguments, settings: &Settings) -> anyhow::Result<Self> {
        let line = match &arguments.pgn {
            Some(file) => line_of_file(file, arguments.game, arguments.ply)?,
            None => arguments.fen.board()?.into(),
        };
        let side = match arguments.side {
            Some(side) => side,
            None => Side::from_str(&settings.get("side")?, true).unwrap_or(Side::White),
        };
        Ok(Self {
            line,
            chess960: arguments.chess960,
            side,
            level: arguments.level.map_or_else(|| settings.level(), Ok)?,
            clock: arguments.clock.map_or_else(|| settings.clock(), Ok)?,
            person: arguments
                .name
                .clone()
                .map_or_else(|| settings.get("name"), Ok)?,
            opponent: arguments.opponent.clone(),
            both: arguments.both,
        })
    }

    /// A game; what is left to chance is decided by the seed.
    pub(super) fn game(&self, seed: u64) -> anyhow::Result<Game> {
        let line = match self.chess960 {
            None => self.line.clone(),
            Some(Chess960::Number(number)) => Board::chess960_start(number).into(),
            Some(Chess960::Random) => Board::chess960_start((seed % 960) as u16).into(),
        };
        let computer = Player::Computer(self.level);
        let first = if self.both {
            computer.clone()
        } else {
            Player::person(&self.person)
        };
        let second = match &self.opponent {
            Opponent::Computer => computer,
            Opponent::Person if self.both => bail!("give either --both or --opponent person"),
            Opponent::Person => Player::person("Player 2"),
            Opponent::Engine(program) => Player::Engine(program.clone()),
        };
        let is_black = match self.side {
            Side::White => false,
            Side::Black => true,
            // Another bit than those that choose the position.
            Side::Random => seed >> 40 & 1 == 1,
        };
        let players = if is_black {
            [second, first]
        } else {
            [first, second]
        };
        Ok(Game::new(line, players, self.clock))
    }
}

/// The moves of a game in a file, all of them or so many.
fn line_of_file(file: &Path, number: usize, plies: Option<usize>) -> anyhow::Result<Line> {
    let mut games = Games::open(file, Letters::ENGLISH)?;
    let Some(loaded) = games.get(number)? else {
        bail!(
            "there is no game {number} in {}: it has {}",
            name(file),
            games.seen()
        );
    };
    let mut line = Line::new(*loaded.game.start());
    for place in loaded.game.main_line() {
        if plies.is_some_and(|plies| line.moves().len() >= plies) {
            break;
        }
        let mv = loaded.game.move_to(place);
        line.play(mv.with_context(|| format!("game {number} in {} has a null move", name(file)))?);
    }
    let played = line.moves().len();
    match (plies, loaded.problem) {
        (Some(plies), _) if plies == played => Ok(line),
        (_, Some(problem)) => bail!("{problem}"),
        (Some(plies), None) => bail!(
            "game {number} in {} has {played} plies and not {plies}",
            name(file)
        ),
        (None, None) => Ok(line),
    }
}

/// Whose eyes one looks with at the start of a game.
pub(super) fn viewpoint(game: &Game) -> Color {
    let is_person = |color| game.player(color).is_person();
    if is_person(Color::Black) && !is_person(Color::White) {
        Color::Black
    } else {
        Color::White
    }
}
