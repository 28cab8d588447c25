//! A game as text: as PGN for others to read, and as the record that it can be resumed from.

use tabiya_board::{Board, Color, Wing};
use tabiya_notation::pgn;
use tabiya_notation::write_move;

use super::{Game, Turn};
use crate::clock::clock_text;
use crate::ending::Ending;
use crate::event::Event;
use crate::player::Player;
use crate::record::Record;

/// Tags of a record that say who plays which colour.
pub(crate) const SEATS: [&str; 2] = ["WhiteSeat", "BlackSeat"];
/// The tag by which a game is known to be in a collection already.
pub(crate) const ID: &str = "GameId";

impl Game {
    /// The game as PGN, with what the clocks showed, and how it ended.
    pub fn pgn(&self) -> pgn::Game {
        let mut game = pgn::Game::new(*self.line.start());
        let mut place = pgn::Game::ROOT;
        for (mv, turn) in self.line.moves().zip(&self.turns) {
            place = game.add(place, Some(mv));
            game.node_mut(place).comments.extend(turn.comment());
        }
        let start_tags = std::mem::take(&mut game.tags);
        let result = self.ending.map_or(pgn::GameResult::Unknown, Ending::result);
        game.result = Some(result);
        let [white, black] = &self.players;
        for (name, value) in [
            ("Event", "Casual game"),
            ("Site", "?"),
            ("Date", &self.began.pgn_date()),
            ("Round", "-"),
            ("White", &white.to_string()),
            ("Black", &black.to_string()),
            ("Result", result.as_str()),
            ("UTCDate", &self.began.pgn_date()),
            ("UTCTime", &self.began.pgn_time()),
            ("WhiteType", kind(white)),
            ("BlackType", kind(black)),
            ("TimeControl", &self.clock.control().tag()),
        ] {
            game.set_tag(name, value);
        }
        if is_chess960(self.line.start()) {
            game.set_tag("Variant", "Chess960");
        }
        game.tags.extend(start_tags);
        if let Some(opening) = self.opening() {
            game.set_tag("ECO", opening.eco);
            game.set_tag("Opening", opening.name);
        }
        if let Some(ending) = self.ending {
            game.set_tag("Termination", ending.termination());
            let comments = &mut game.node_mut(place).comments;
            match comments.last_mut() {
                Some(comment) => *comment = format!("{ending} {comment}"),
                None => comments.push(ending.to_string()),
            }
        }
        if let Some(id) = self.record.as_ref().and_then(Record::id) {
            game.set_tag(ID, id);
        }
        game
    }

    /// The whole record up to now, with what tells the game from all others.
    pub(crate) fn record_text(&self, id: Option<&str>) -> String {
        let mut going_on = self.clone();
        going_on.ending = None;
        let mut game = going_on.pgn();
        if let Some(id) = id {
            game.set_tag(ID, id);
        }
        for (tag, player) in SEATS.into_iter().zip(&self.players) {
            game.set_tag(tag, &player.code());
        }
        let text = game.to_string();
        // The result would end the game, which may still go on.
        let text = text.trim_end();
        let text = text.strip_suffix('*').unwrap_or(text).trim_end();
        // Behind the tags there is an empty line.
        let end = if self.turns.is_empty() { "\n\n" } else { "\n" };
        let mut text = format!("{text}{end}");
        let used = self.clock.stopped_after();
        let state = [
            self.offer.map(Event::Offered),
            used.map(|used| Event::Paused { used }),
            self.ending.map(Event::Ended),
        ];
        for event in state.iter().flatten() {
            text.extend(self.event_text(event));
        }
        text
    }

    /// The line that tells of an event that has just happened; nothing where the record has to be written anew.
    pub(crate) fn event_text(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::Moved { mv, .. } => {
                let (board, _) = self.line.played().last()?;
                let dots = if board.turn().is_white() { "." } else { "..." };
                let comment = self.turns.last().and_then(Turn::comment);
                format!(
                    "{}{dots} {} {{ {} }}\n",
                    board.fullmove_number(),
                    write_move(board, *mv),
                    comment.unwrap_or_default()
                )
            }
            Event::Offered(color) => format!("{{ {color} offers a draw [%offer {color}] }}\n"),
            Event::Declined(color) => {
                format!("{{ {color} declines the draw [%declined {color}] }}\n")
            }
            Event::Paused { used } => format!("{{ [%paused {}] }}\n", clock_text(*used)),
            Event::Ended(ending) => format!(
                "{{ {ending} [%end {}] }} {}\n",
                ending.code(),
                ending.result().as_str()
            ),
            Event::TookBack { .. } | Event::Seated { .. } => return None,
        })
    }
}

impl Turn {
    /// What is said about the move, for programs.
    fn comment(&self) -> Option<String> {
        let command = |name: &str, time| format!("[%{name} {}]", clock_text(time));
        let spent = self.spent.map(|spent| command("emt", spent));
        let left = self.left.map(|left| command("clk", left));
        match (left, spent) {
            (Some(left), Some(spent)) => Some(format!("{left} {spent}")),
            (left, spent) => left.or(spent),
        }
    }
}

/// What plays, in the words of the standard.
const fn kind(player: &Player) -> &'static str {
    match player {
        Player::Person(_) => "human",
        Player::Computer(_) | Player::Bounded { .. } | Player::Engine(_) => "program",
    }
}

/// Whether castling in this position is not that of usual chess.
pub(crate) fn is_chess960(board: &Board) -> bool {
    let mut rights = Color::ALL.into_iter().flat_map(|color| {
        let rook = move |wing| Some((wing, board.king(color), board.castling_rook(color, wing)?));
        [Wing::King, Wing::Queen].into_iter().filter_map(rook)
    });
    rights.any(|(wing, king, rook)| !wing.is_usual(king, rook))
}
