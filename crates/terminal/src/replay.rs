//! The replay and analysis screen: a game with variations and the engine's lines.

mod keys;
mod mistakes;
mod question;
mod view;

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::Rect;
use tabiya_board::{Board, GameHistory, Move, Role};
use tabiya_notation::PieceLetters;
use tabiya_notation::pgn::{Game, NodeId};

use crate::analysis_thread::{AnalysisRequest, AnalysisThread};
use crate::app::{Screen, Transition, UserInput};
use crate::appearance::Appearance;
use crate::context::SaveGame;
use crate::explorer::ExplorerPanel;
use crate::game_view::{Message, ViewAreas};
use crate::move_input::{InputResult, MoveSelection};
use crate::move_list::MoveListWord;
use crate::prompt::Prompt;
use crate::tree::MoveTree;
use mistakes::Mistakes;
use question::Question;

/// The number of engine lines.
const LINES: usize = 3;

/// A game from a file.
pub struct LoadedGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The game, up to its first error.
    pub game: Game,
    /// The error and its place.
    pub problem: Option<String>,
}

/// A source of numbered games.
pub trait GameSource {
    /// The game with this number, from 1; `None` after the last.
    fn get(&mut self, number: usize) -> Result<Option<LoadedGame>, Box<dyn std::error::Error>>;

    /// The number of games, if known.
    fn total(&self) -> Option<usize>;

    /// The piece letters used in the games.
    fn letters(&self) -> PieceLetters {
        PieceLetters::ENGLISH
    }
}

/// The replay screen.
pub(crate) struct ReplayScreen {
    source: Option<Box<dyn GameSource>>,
    save: Rc<SaveGame>,
    loaded: LoadedGame,
    letters: PieceLetters,
    tree: MoveTree,
    words: Vec<MoveListWord>,
    at: NodeId,
    flipped: bool,
    move_input: MoveSelection,
    prompt: Prompt,
    message: Message,
    engine: Option<AnalysisThread>,
    explorer: Option<ExplorerPanel>,
    mistakes: Option<Mistakes>,
    title: String,
    help: Option<(u16, u16)>,
    /// Whether moves were added since the game was loaded or saved.
    is_unsaved: bool,
    question: Option<Question>,
    areas: ViewAreas,
    /// The area of the promotion window.
    promotions: Rect,
    keys: Rect,
}

impl ReplayScreen {
    /// Replays a source of games, starting with one of them.
    pub(crate) fn new(
        source: Option<Box<dyn GameSource>>,
        first: LoadedGame,
        letters: PieceLetters,
        save: Rc<SaveGame>,
    ) -> Self {
        let mut replay = Self {
            source,
            save,
            tree: MoveTree::of(&first.game, letters),
            loaded: first,
            letters,
            words: Vec::new(),
            at: Game::ROOT,
            flipped: false,
            move_input: MoveSelection::default(),
            prompt: Prompt::new("Move", "type a move to start a variation"),
            message: Message::default(),
            engine: None,
            explorer: None,
            mistakes: None,
            title: String::new(),
            help: None,
            is_unsaved: false,
            question: None,
            areas: ViewAreas::default(),
            promotions: Rect::default(),
            keys: Rect::default(),
        };
        replay.entitle();
        replay.rebuild();
        replay.arrive();
        replay
    }

    /// Analyses a game with the engine.
    pub(crate) fn analysis(game: Game, save: Rc<SaveGame>) -> Self {
        let loaded = LoadedGame {
            number: 1,
            game,
            problem: None,
        };
        let mut replay = Self::new(None, loaded, PieceLetters::ENGLISH, save);
        "Analysis".clone_into(&mut replay.title);
        replay.set_engine(true);
        replay
    }

    /// Shows what was played in each position, if an archive is open.
    pub(crate) fn with_explorer(mut self, explorer: Option<ExplorerPanel>) -> Self {
        self.explorer = explorer;
        self.ask_explorer();
        self
    }

    /// Sets the engine's lines and scores, for screenshots.
    #[cfg(test)]
    pub(crate) fn pretend(&mut self, lines: &[(i32, &str)]) {
        let infos = lines.iter().enumerate().map(|(i, (score, moves))| {
            let mut board = self.board();
            let moves = moves.split(' ').map(|uci| {
                let mv = tabiya_notation::uci::parse(uci, &board).unwrap();
                board.play(mv);
                mv
            });
            tabiya_notation::uci::SearchInfo {
                depth: 18,
                seldepth: 18,
                multipv: i + 1,
                score: tabiya_notation::Score::Cp(*score),
                nodes: 1,
                pv: moves.collect(),
                ..Default::default()
            }
        });
        let request = AnalysisRequest {
            history: self.history(),
            lines: LINES,
            nodes: None,
        };
        self.engine = AnalysisThread::with_lines(request, infos.collect()).ok();
    }

    /// Goes to the position after this many half-moves of the main line.
    pub(crate) fn go_to_ply(&mut self, plies: usize) {
        self.at = Game::ROOT;
        self.walk(plies, true);
    }

    pub(crate) fn set_flipped(&mut self, flipped: bool) {
        self.flipped = flipped;
    }

    /// Goes to the end of the main line.
    pub(crate) fn go_to_end(&mut self) {
        self.walk(usize::MAX, true);
    }

    fn entitle(&mut self) {
        let mut title = format!("Game {}", self.loaded.number);
        if let Some(total) = self.source.as_ref().and_then(|source| source.total()) {
            title.extend([" of ", &total.to_string()]);
        }
        if self.letters != PieceLetters::ENGLISH {
            let roles = [
                Role::King,
                Role::Queen,
                Role::Rook,
                Role::Bishop,
                Role::Knight,
            ];
            let letters = roles.map(|role| self.letters.letter(role));
            title.extend([", pieces ", &letters.join(" ")]);
        }
        if let Some(event) = crate::caption::event(&self.loaded.game) {
            title.push_str(": ");
            title.push_str(&event);
        }
        self.title = title;
    }

    /// Rebuilds the move list after a change.
    fn rebuild(&mut self) {
        self.tree = MoveTree::of(&self.loaded.game, self.letters);
        let words = self.tree.words.iter().map(|word| MoveListWord {
            text: word.text.clone(),
            depth: word.depth,
            tone: mistakes::tone(&self.loaded.game, word.place),
        });
        self.words = words.collect();
        let result = crate::caption::result(&self.loaded.game);
        if result != "*" {
            self.words.push(MoveListWord {
                text: result,
                depth: 0,
                tone: None,
            });
        }
    }

    fn board(&self) -> Board {
        self.tree.board(self.at)
    }

    /// The moves up to the current node. A history cannot contain a null move, so it starts after the last one.
    fn history(&self) -> GameHistory {
        self.loaded.game.history(self.at)
    }

    /// Updates the screen after going to another node.
    fn arrive(&mut self) {
        self.move_input.drop_all();
        self.message = self.remarks();
        self.ask_engine();
        self.ask_explorer();
    }

    fn ask_explorer(&mut self) {
        let board = self.board();
        if let Some(explorer) = &mut self.explorer {
            explorer.ask(board);
        }
    }

    fn ask_engine(&mut self) {
        let history = self.history();
        let is_over = history.outcome().is_some();
        if let Some(engine) = &mut self.engine {
            if is_over {
                engine.stop();
            } else {
                engine.analyse(AnalysisRequest {
                    history,
                    lines: LINES,
                    nodes: None,
                });
            }
        }
    }

    fn set_engine(&mut self, is_on: bool) {
        self.engine = None;
        if is_on {
            match AnalysisThread::new() {
                Ok(engine) => self.engine = Some(engine),
                Err(error) => {
                    self.message = Message::refusal(format!("could not start the engine: {error}"));
                }
            }
        }
        self.ask_engine();
    }

    /// Goes forward or back along the line.
    fn walk(&mut self, count: usize, on: bool) {
        let game = &self.loaded.game;
        let next = |at: &NodeId| {
            if on {
                game.children(*at).next()
            } else {
                game.parent(*at)
            }
        };
        let places = std::iter::successors(Some(self.at), next);
        self.at = places
            .take(count.saturating_add(1))
            .last()
            .unwrap_or(self.at);
        self.arrive();
    }

    /// Goes to a clicked word of the move list. The last word may be the result.
    fn go_to_word(&mut self, word: usize) {
        if let Some(word) = self.tree.words.get(word) {
            self.at = word.place;
            self.arrive();
        }
    }

    /// Goes to the next alternative to the last move; if there is none, to the first alternative to the next
    /// move.
    fn vary(&mut self) {
        let game = &self.loaded.game;
        let mut next = None;
        if let Some(parent) = game.parent(self.at) {
            let siblings: Vec<NodeId> = game.children(parent).collect();
            if siblings.len() > 1 {
                let index = siblings.iter().position(|&id| id == self.at).unwrap_or(0);
                next = Some(siblings[(index + 1) % siblings.len()]);
            }
        }
        self.at = next
            .or_else(|| game.children(self.at).nth(1))
            .unwrap_or(self.at);
        self.arrive();
    }

    /// Plays a move: an existing one, or a new variation.
    fn play(&mut self, mv: Move) {
        match self.loaded.game.play(self.at, mv) {
            Ok(node) => {
                self.at = node;
                let before = self.tree.words.len();
                self.rebuild();
                self.is_unsaved |= self.tree.words.len() > before;
                self.arrive();
            }
            Err(refusal) => self.message = Message::refusal(refusal.to_string()),
        }
    }

    fn handle_move_input(&mut self, result: InputResult) {
        match result {
            InputResult::Nothing => {}
            InputResult::Play(mv) => self.play(mv),
            InputResult::Refused(why) => self.message = Message::refusal(why),
        }
    }

    /// Opens another game of the file.
    fn open(&mut self, by: isize) {
        let number = self.loaded.number.saturating_add_signed(by);
        let Some(source) = self.source.as_mut().filter(|_| number > 0) else {
            return;
        };
        match source.get(number) {
            Ok(Some(loaded)) => {
                self.loaded = loaded;
                self.at = Game::ROOT;
                self.mistakes = None;
                self.entitle();
                self.rebuild();
                self.arrive();
            }
            Ok(None) => self.message = Message::note("This is the last game."),
            Err(error) => self.message = Message::refusal(error.to_string()),
        }
        // The total is known once the end of the file is read.
        self.entitle();
    }

    pub(crate) fn next_mistake(&mut self) {
        let mut search = Mistakes::new(&self.loaded.game, self.at);
        if let Some((id, said)) = search.annotated(&self.loaded.game) {
            self.at = id;
            self.arrive();
            self.message = Message::note(said);
            return;
        }
        match search.start() {
            Ok(()) => {
                self.message = Message::note("Looking for the next mistake ...");
                self.mistakes = Some(search);
            }
            Err(why) => self.message = Message::refusal(why),
        }
    }

    /// Runs a typed command.
    fn run_command(&mut self, text: &str, appearance: &mut Appearance) -> Transition {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "" => {}
            "flip" => self.flipped = !self.flipped,
            "eval" | "engine" => self.set_engine(self.engine.is_none()),
            "theme" => appearance.theme = appearance.theme.next(),
            "help" => self.help = Some((0, 0)),
            "quit" | "menu" | "exit" => return Transition::Back,
            "save" if rest.is_empty() => {
                self.message =
                    Message::refusal("save needs a file name, for example: save game.pgn");
            }
            "save" => self.save(Path::new(rest)),
            _ if is_fen(text) => self.ask_position(text),
            _ => match tabiya_play::parse_move(text, &self.board()) {
                Ok(mv) => self.play(mv),
                Err(error) => self.message = Message::refusal(error.to_string()),
            },
        }
        Transition::Stay
    }

    /// Asks before another position is analysed.
    fn ask_position(&mut self, fen: &str) {
        match fen.trim().parse::<Board>() {
            Ok(board) => self.ask(Question::Position(board)),
            Err(error) => self.message = Message::refusal(format!("invalid FEN: {error}")),
        }
    }

    /// Analyses another position.
    fn set_position(&mut self, board: Board) {
        self.loaded = LoadedGame {
            number: 1,
            game: Game::new(board),
            problem: None,
        };
        self.source = None;
        "Analysis".clone_into(&mut self.title);
        self.at = Game::ROOT;
        self.mistakes = None;
        self.rebuild();
        self.arrive();
        self.message = Message::note(format!("{} to move.", board.turn()));
    }

    fn save(&mut self, path: &Path) {
        self.message = match (self.save)(path, &self.loaded.game) {
            Ok(saved) => {
                self.is_unsaved = false;
                Message::good(format!("{saved} {}.", path.display()))
            }
            Err(error) => Message::refusal(error.to_string()),
        };
    }
}

/// Whether a text is meant as a FEN: it starts with the ranks of a board.
pub(crate) fn is_fen(text: &str) -> bool {
    let board = text.split_whitespace().next().unwrap_or_default();
    // A path has other letters.
    let is_part = |letter: char| "pnbrqkPNBRQK12345678/".contains(letter);
    board.matches('/').count() >= 3 && board.chars().all(is_part)
}

impl Screen for ReplayScreen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance) {
        self.draw_all(frame, appearance);
    }

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition {
        match input {
            UserInput::Key(key) => return self.handle_key(key, appearance),
            // Only keys answer a question.
            _ if self.question.is_some() => {}
            UserInput::Press(point) => return self.handle_press(point, appearance),
            UserInput::Release(point) => {
                if let Some(square) = self.areas.square_at(point) {
                    let board = self.board();
                    let result = self.move_input.release(square, &board);
                    self.handle_move_input(result);
                }
            }
            UserInput::Wheel { down } => self.walk(1, down),
            UserInput::Paste(text) if self.prompt.is_empty() && is_fen(&text) => {
                self.ask_position(&text);
            }
            UserInput::Paste(text) => self.prompt.insert(&text),
        }
        Transition::Stay
    }

    fn tick(&mut self, _now: Instant) -> (bool, Transition) {
        let mut has_changed = self.engine.as_mut().is_some_and(AnalysisThread::poll);
        has_changed |= self.explorer.as_mut().is_some_and(ExplorerPanel::poll);
        if let Some(search) = &mut self.mistakes
            && let Some(found) = search.listen(&self.loaded.game)
        {
            has_changed = true;
            match found {
                mistakes::ReviewUpdate::At(said) => self.message = Message::note(said),
                mistakes::ReviewUpdate::Found(id, said) => {
                    self.at = id;
                    self.arrive();
                    self.message = Message::note(said);
                    self.mistakes = None;
                }
                mistakes::ReviewUpdate::None => {
                    self.message = Message::note("No more mistakes in this line.");
                    self.mistakes = None;
                }
            }
        }
        (has_changed, Transition::Stay)
    }

    fn is_busy(&self) -> bool {
        self.mistakes.is_some()
            || self.engine.as_ref().is_some_and(|engine| !engine.is_done())
            || self
                .explorer
                .as_ref()
                .is_some_and(ExplorerPanel::is_waiting)
    }
}
