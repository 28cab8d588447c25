//! A game as text: the PGN for others, and the record that it can be resumed from.

use tabiya_board::{Board, CastlingSide, Color};
use tabiya_notation::pgn;
use tabiya_notation::{GameResult, write_san};

use super::{Game, MoveTime};
use crate::clock::format_clock;
use crate::event::GameEvent;
use crate::player::Player;
use crate::record::GameRecord;
use crate::termination::Termination;

/// The tags of a record that name the players.
pub(crate) const PLAYER_TAGS: [&str; 2] = ["WhiteSeat", "BlackSeat"];
/// The tag that identifies a game, so that it is added to a collection only once.
pub(crate) const ID_TAG: &str = "GameId";

impl Game {
    /// The game as PGN, with clock times and the reason it ended.
    pub fn pgn(&self) -> pgn::Game {
        let mut game = pgn::Game::new(*self.history.start());
        let mut place = pgn::Game::ROOT;
        for (mv, turn) in self.history.moves().zip(&self.move_times) {
            place = game.add_unchecked(place, Some(mv));
            game.node_mut(place).comments.extend(turn.comment());
        }
        let start_tags = std::mem::take(&mut game.tags);
        let result = self
            .termination
            .map_or(GameResult::Unknown, Termination::result);
        game.result = Some(result);
        let [white, black] = &self.players;
        for (name, value) in [
            ("Event", "Casual game"),
            ("Site", "?"),
            ("Date", &self.started_at.pgn_date()),
            ("Round", "-"),
            ("White", &white.to_string()),
            ("Black", &black.to_string()),
            ("Result", result.as_str()),
            ("UTCDate", &self.started_at.pgn_date()),
            ("UTCTime", &self.started_at.pgn_time()),
            ("WhiteType", kind(white)),
            ("BlackType", kind(black)),
            ("TimeControl", &self.clock.control().to_tag()),
        ] {
            game.set_tag(name, value);
        }
        game.tags.extend(start_tags);
        if let Some(opening) = self.opening() {
            game.set_tag("ECO", opening.eco);
            game.set_tag("Opening", opening.name);
        }
        if let Some(ending) = self.termination {
            game.set_tag("Termination", ending.pgn_tag());
            let comments = &mut game.node_mut(place).comments;
            match comments.last_mut() {
                Some(comment) => *comment = format!("{ending} {comment}"),
                None => comments.push(ending.to_string()),
            }
        }
        if let Some(id) = self.record.as_ref().and_then(GameRecord::id) {
            game.set_tag(ID_TAG, id);
        }
        game
    }

    /// The complete record, with the game's ID.
    pub(crate) fn record_text(&self, id: Option<&str>) -> String {
        let mut going_on = self.clone();
        going_on.termination = None;
        let mut game = going_on.pgn();
        if let Some(id) = id {
            game.set_tag(ID_TAG, id);
        }
        for (tag, player) in PLAYER_TAGS.into_iter().zip(&self.players) {
            game.set_tag(tag, &player.code());
        }
        let text = game.to_string();
        // A result would end the game, but more moves may follow.
        let text = text.trim_end();
        let text = text.strip_suffix('*').unwrap_or(text).trim_end();
        // An empty line separates the tags from the moves.
        let end = if self.move_times.is_empty() {
            "\n\n"
        } else {
            "\n"
        };
        let mut text = format!("{text}{end}");
        let used = self.clock.stopped_after();
        let state = [
            self.draw_offer.map(GameEvent::DrawOffered),
            used.map(|used| GameEvent::Paused { used }),
            self.termination.map(GameEvent::Ended),
        ];
        for event in state.iter().flatten() {
            text.extend(self.event_text(event));
        }
        text
    }

    /// The line that records an event; `None` if the whole record has to be rewritten.
    pub(crate) fn event_text(&self, event: &GameEvent) -> Option<String> {
        Some(match event {
            GameEvent::Moved { mv, .. } => {
                let (board, _) = self.history.played().last()?;
                let dots = if board.turn().is_white() { "." } else { "..." };
                let comment = self.move_times.last().and_then(MoveTime::comment);
                format!(
                    "{}{dots} {} {{ {} }}\n",
                    board.fullmove_number(),
                    write_san(board, *mv),
                    comment.unwrap_or_default()
                )
            }
            GameEvent::DrawOffered(color) => {
                format!("{{ {color} offers a draw [%offer {color}] }}\n")
            }
            GameEvent::DrawDeclined(color) => {
                format!("{{ {color} declines the draw [%declined {color}] }}\n")
            }
            GameEvent::Paused { used } => format!("{{ [%paused {}] }}\n", format_clock(*used)),
            GameEvent::Ended(ending) => format!(
                "{{ {ending} [%end {}] }} {}\n",
                ending.code(),
                ending.result().as_str()
            ),
            GameEvent::TakenBack { .. }
            | GameEvent::Redone { .. }
            | GameEvent::PlayerChanged { .. } => return None,
        })
    }
}

impl MoveTime {
    /// The PGN comment with the clock times.
    fn comment(&self) -> Option<String> {
        let command = |name: &str, time| format!("[%{name} {}]", format_clock(time));
        let spent = self.spent.map(|spent| command("emt", spent));
        let left = self.left.map(|left| command("clk", left));
        match (left, spent) {
            (Some(left), Some(spent)) => Some(format!("{left} {spent}")),
            (left, spent) => left.or(spent),
        }
    }
}

/// The value of the PGN tags `WhiteType` and `BlackType`.
const fn kind(player: &Player) -> &'static str {
    match player {
        Player::Person(_) => "human",
        Player::Computer(_) | Player::Limited { .. } | Player::Engine(_) => "program",
    }
}

/// Whether kings and rooks castle from other squares than in standard chess.
pub(crate) fn is_chess960(board: &Board) -> bool {
    let mut rights = Color::ALL.into_iter().flat_map(|color| {
        let rook = move |wing| Some((wing, board.king(color), board.castling_rook(color, wing)?));
        [CastlingSide::KingSide, CastlingSide::QueenSide]
            .into_iter()
            .filter_map(rook)
    });
    rights.any(|(wing, king, rook)| !wing.is_standard(king, rook))
}
