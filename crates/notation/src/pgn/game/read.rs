//! Reading games.

use tabiya_board::{Board, Move};

use super::error::{GameError, GameProblem};
use super::{Game, NodeId};
use crate::pgn::reader::{Event, GameResult, Problem, Reader};
use crate::pgn::text::{in_one_line, tag_value, text};
use crate::san::Dialect;

impl Game {
    /// Reads the next game; nothing at the end of the text. After an error, the next call reads the next game.
    pub fn read(reader: &mut Reader<'_>) -> Option<Result<Self, GameError>> {
        let mut builder = Builder::default();
        let mut failure = None;
        while let Some(event) = reader.next() {
            let result = match event {
                Event::End(result) => Some(result),
                _ => None,
            };
            if failure.is_none() {
                let offset = reader.event_offset();
                failure = builder.event(event, offset).err();
            }
            if let Some(result) = result {
                return Some(builder.finish(failure, result));
            }
        }
        None
    }
}

/// Where a line of moves is while a game is read.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    before: Board,
    board: Board,
    /// The number of bytes before the parenthesis that opened it.
    opened: usize,
}

#[derive(Default)]
struct Builder {
    game: Option<Game>,
    tags: Vec<(String, String)>,
    /// The number of bytes before the FEN tag.
    fen_at: usize,
    /// The places of the open variations and, last, of the current line.
    lines: Vec<Place>,
    /// What stands before the first move of a variation.
    waiting: Waiting,
    at_line_start: bool,
}

#[derive(Default)]
struct Waiting {
    nags: Vec<u8>,
    comments: Vec<String>,
}

impl Builder {
    fn finish(
        self,
        failure: Option<GameError>,
        result: Option<GameResult>,
    ) -> Result<Game, GameError> {
        if let Some(failure) = failure {
            return Err(failure);
        }
        let mut game = self.game.unwrap_or_else(|| Game::new(Board::start()));
        game.result = result;
        Ok(game)
    }

    /// The game, which begins with the first thing behind its tags.
    fn begin(&mut self) -> Result<(), GameError> {
        if self.game.is_some() {
            return Ok(());
        }
        let tags = std::mem::take(&mut self.tags);
        let fen = tags.iter().find(|(name, _)| name == "FEN");
        let start = match fen {
            Some((_, fen)) => fen.parse().map_err(|error| GameError {
                offset: self.fen_at,
                problem: GameProblem::Start(error),
            })?,
            None => Board::start(),
        };
        let mut game = Game::new(start);
        game.tags = tags;
        self.game = Some(game);
        self.lines.push(Place {
            node: Game::ROOT,
            before: start,
            board: start,
            opened: 0,
        });
        Ok(())
    }

    fn event(&mut self, event: Event<'_>, offset: usize) -> Result<(), GameError> {
        if let Event::Tag { name, value } = event {
            let name = text(name).into_owned();
            if name == "FEN" && self.tags.iter().all(|(tag, _)| *tag != name) {
                self.fen_at = offset;
            }
            self.tags.push((name, in_one_line(&tag_value(value))));
            return Ok(());
        }
        self.begin()?;
        let failure = |problem| GameError { offset, problem };
        let (Some(game), Some(place)) = (&mut self.game, self.lines.last_mut()) else {
            return Ok(());
        };
        let node = &mut game.nodes[place.node.0];
        match event {
            Event::Tag { .. } | Event::End(_) => {}
            Event::Move(token) => {
                let found = token.san.find(&place.board, Dialect::Import);
                let mv = found.map_err(|reason| {
                    failure(GameProblem::Move {
                        number: place.board.fullmove_number(),
                        white: place.board.turn().is_white(),
                        text: text(token.text).into_owned(),
                        reason,
                    })
                })?;
                let next = place.board.after_unchecked(mv);
                self.advance(Some(mv), next);
            }
            Event::NullMove => {
                let next = place.board.pass();
                let next = next.ok_or_else(|| failure(GameProblem::NullMoveInCheck))?;
                self.advance(None, next);
            }
            Event::Nag(nag) if self.at_line_start => self.waiting.nags.push(nag),
            Event::Nag(nag) => node.nags.push(nag),
            Event::Comment(comment) => {
                let comment = in_one_line(&text(comment)).trim().to_owned();
                if self.at_line_start {
                    self.waiting.comments.push(comment);
                } else {
                    node.comments.push(comment);
                }
            }
            Event::VariationStart => {
                let parent = node.parent.filter(|_| !self.at_line_start);
                let parent = parent.ok_or_else(|| failure(GameProblem::EarlyVariation))?;
                let before = place.before;
                self.lines.push(Place {
                    node: NodeId(parent),
                    before,
                    board: before,
                    opened: offset,
                });
                self.at_line_start = true;
            }
            Event::VariationEnd => self.close(),
            Event::Problem(problem) => {
                // What is never closed is best sought where it was opened.
                let is_unclosed = problem == Problem::UnclosedVariation;
                return Err(GameError {
                    offset: if is_unclosed { place.opened } else { offset },
                    problem: problem.into(),
                });
            }
        }
        Ok(())
    }

    /// Ends a variation. What stands in one without moves is said about the move before it.
    fn close(&mut self) {
        if self.lines.len() > 1 {
            self.lines.pop();
        }
        self.at_line_start = false;
        let waiting = std::mem::take(&mut self.waiting);
        if let (Some(game), Some(place)) = (&mut self.game, self.lines.last()) {
            let node = &mut game.nodes[place.node.0];
            node.nags.extend(waiting.nags);
            node.comments.extend(waiting.comments);
        }
    }

    fn advance(&mut self, mv: Option<Move>, next: Board) {
        let (Some(game), Some(place)) = (&mut self.game, self.lines.last_mut()) else {
            return;
        };
        place.node = game.add(place.node, mv);
        place.before = place.board;
        place.board = next;
        let waiting = std::mem::take(&mut self.waiting);
        let node = &mut game.nodes[place.node.0];
        node.nags = waiting.nags;
        node.comments_before = waiting.comments;
        self.at_line_start = false;
    }
}
