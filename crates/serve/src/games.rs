//! Games that the page plays, kept on disk as records: the same that `tabiya play --resume` continues.
//!
//! The page sends a game as it stands, and this brings the record up to date: a request that is lost or arrives twice
//! does no harm. File names are made here; nothing in them comes from the page.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tabiya_board::{Board, Color, GameHistory};
use tabiya_engine::Level;
use tabiya_notation::{TimeControl, uci};
use tabiya_play::{Game, GameRecord, Player, Store, Termination};
use tabiya_wasm::{Line, Problem};
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::error::ApiError;
use crate::json::{Json, respond};
use crate::random_name;

/// The most games that are kept for pages.
const MAX_GAMES: usize = 100;
/// The beginning of the names of the page's records.
const PREFIX: &str = "web-";
/// The longest name of a player.
const MAX_NAME: usize = 60;
/// A day, in milliseconds.
const MAX_CLOCK: u64 = 86_400_000;

/// The games of the pages.
#[derive(Debug)]
pub(crate) struct Games {
    store: Option<Store>,
    open: Mutex<HashMap<String, OpenGame>>,
}

/// A game whose record is open.
#[derive(Debug)]
struct OpenGame {
    game: Game,
    /// The time on the game's clock, which advances by what the page says was used.
    now: Instant,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum PlayerMessage {
    Person { name: String },
    Computer { level: u8 },
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClockMessage {
    pub(crate) base: u64,
    pub(crate) increment: u64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Remaining {
    pub(crate) white: u64,
    pub(crate) black: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ColorName {
    White,
    Black,
}

impl From<Color> for ColorName {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::White => Self::White,
            ColorName::Black => Self::Black,
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct GameInput {
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    white: PlayerMessage,
    black: PlayerMessage,
    clock: Option<ClockMessage>,
    remaining: Option<Remaining>,
    end: Option<EndInput>,
}

#[derive(Deserialize)]
struct EndInput {
    kind: EndKind,
    loser: Option<ColorName>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum EndKind {
    Resigned,
    Timeout,
    Agreed,
    Claimed,
    Aborted,
}

#[derive(Serialize)]
pub(crate) struct GameAnswer {
    id: String,
    start: String,
    moves: Vec<String>,
    white: PlayerMessage,
    black: PlayerMessage,
    clock: Option<ClockMessage>,
    remaining: Option<Remaining>,
    end: Option<EndAnswer>,
}

#[derive(Serialize)]
pub(crate) struct EndAnswer {
    result: &'static str,
    message: String,
}

impl EndAnswer {
    pub(crate) fn of(end: Termination) -> Self {
        Self {
            result: end.result().as_str(),
            message: Problem::new(&end.to_string()).message,
        }
    }
}

/// The time control of a clock.
pub(crate) fn control(clock: Option<ClockMessage>) -> TimeControl {
    clock.map_or(TimeControl::None, |clock| TimeControl::Game {
        base: Duration::from_millis(clock.base.clamp(1, MAX_CLOCK)),
        increment: Duration::from_millis(clock.increment.min(MAX_CLOCK)),
    })
}

/// The clock of a game, and what is left of it.
pub(crate) fn clocks(game: &Game, now: Instant) -> (Option<ClockMessage>, Option<Remaining>) {
    let TimeControl::Game { base, increment } = game.clock().control() else {
        return (None, None);
    };
    let left = |color| {
        let left = game.clock().remaining(color, now);
        left.unwrap_or_default().as_millis() as u64
    };
    let clock = ClockMessage {
        base: base.as_millis() as u64,
        increment: increment.as_millis() as u64,
    };
    let remaining = Remaining {
        white: left(Color::White),
        black: left(Color::Black),
    };
    (Some(clock), Some(remaining))
}

/// The moves of a game in UCI notation.
pub(crate) fn moves(history: &GameHistory) -> Vec<String> {
    let played = history.played().iter();
    played
        .map(|(board, mv)| uci::write(board, *mv).to_string())
        .collect()
}

impl PlayerMessage {
    fn to_player(&self) -> Result<Player, Problem> {
        match self {
            Self::Person { name } => {
                let name: String = name
                    .chars()
                    .filter(|letter| !letter.is_control())
                    .take(MAX_NAME)
                    .collect();
                Ok(Player::Person(name))
            }
            Self::Computer { level } => Level::new(*level)
                .map(Player::Computer)
                .ok_or_else(|| Problem::new("levels are numbers from 1 to 10")),
        }
    }

    fn of(player: &Player) -> Self {
        match player {
            Player::Person(name) => Self::Person { name: name.clone() },
            Player::Computer(level) => Self::Computer {
                level: level.number(),
            },
            other => Self::Person {
                name: other.to_string(),
            },
        }
    }
}

impl GameAnswer {
    fn of(id: String, game: &Game, now: Instant) -> Self {
        let (clock, remaining) = clocks(game, now);
        Self {
            id,
            start: game.history().start().to_string(),
            moves: moves(game.history()),
            white: PlayerMessage::of(game.player(Color::White)),
            black: PlayerMessage::of(game.player(Color::Black)),
            clock,
            remaining,
            end: game.termination().map(EndAnswer::of),
        }
    }
}

impl OpenGame {
    fn new(game: Game) -> Self {
        Self {
            game,
            now: Instant::now(),
        }
    }

    /// Brings the game to where the page has it.
    fn follow(&mut self, input: &GameInput, history: &GameHistory) {
        let game = &mut self.game;
        let wanted: Vec<_> = history.moves().collect();
        let is_prefix = |game: &Game| {
            let played: Vec<_> = game.history().moves().collect();
            wanted.starts_with(&played)
        };
        while !is_prefix(game) && game.take_back(self.now).is_ok() {}
        let played = game.history().moves().len();
        let last = wanted.len();
        for (index, &mv) in wanted.iter().enumerate().skip(played) {
            game.start(self.now);
            if index + 1 == last {
                self.now += used(game, input, self.now);
            }
            if game.play(mv, self.now).is_err() {
                break;
            }
            game.pause(self.now);
        }
        if let Some(end) = &input.end {
            self.end(end);
        }
    }

    fn end(&mut self, end: &EndInput) {
        let game = &mut self.game;
        let loser = end.loser.map_or_else(|| game.turn(), Color::from);
        // An end that the rules do not allow leaves the game as it is.
        let _ = match end.kind {
            EndKind::Resigned => game.resign(loser, self.now),
            EndKind::Agreed => {
                let offered = game.offer_draw(loser, self.now);
                offered.and_then(|_| game.accept_draw(!loser, self.now))
            }
            EndKind::Claimed => game.claim_draw(self.now),
            EndKind::Aborted => game.abandon(self.now),
            EndKind::Timeout => {
                game.start(self.now);
                let left = game.clock().remaining(game.turn(), self.now);
                self.now += left.unwrap_or_default() + Duration::from_millis(1);
                game.check_flag(self.now);
                return;
            }
        };
    }
}

/// The time that the last move took, by what its player has left.
fn used(game: &Game, input: &GameInput, now: Instant) -> Duration {
    let TimeControl::Game { increment, .. } = game.clock().control() else {
        return Duration::ZERO;
    };
    let turn = game.turn();
    let before = game.clock().remaining(turn, now).unwrap_or_default();
    let Some(remaining) = &input.remaining else {
        return Duration::ZERO;
    };
    let after = Duration::from_millis(match turn {
        Color::White => remaining.white,
        Color::Black => remaining.black,
    });
    // Never so much that the flag falls: the page has decided that it has not.
    let most = before.saturating_sub(Duration::from_millis(1));
    (before + increment).saturating_sub(after).min(most)
}

impl Games {
    pub(crate) fn new(store: Option<Store>) -> Self {
        Self {
            store,
            open: Mutex::default(),
        }
    }

    pub(crate) const fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// The page's records on disk, by their names.
    fn files(&self) -> Vec<(String, PathBuf)> {
        let store = self.store.iter();
        let paths = store.flat_map(|store| store.unfinished().unwrap_or_default());
        paths
            .filter_map(|path| {
                let name = path.file_stem()?.to_str()?;
                name.starts_with(PREFIX)
                    .then(|| (name.to_owned(), path.clone()))
            })
            .collect()
    }

    /// The name of a game: that of its record, or made from what the page calls it.
    fn name(id: &str, files: &[(String, PathBuf)]) -> String {
        if files.iter().any(|(name, _)| name == id) {
            return id.to_owned();
        }
        // FNV-1a.
        let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{PREFIX}{hash:016x}")
    }

    /// All unfinished games, the most recent first. Records are only read, so that another program can go on with them.
    fn list(&self) -> Vec<GameAnswer> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if self.store.is_none() {
            let games = open.iter();
            return games
                .map(|(name, open)| GameAnswer::of(name.clone(), &open.game, open.now))
                .collect();
        }
        self.files()
            .into_iter()
            .filter_map(|(name, path)| {
                if let Some(open) = open.get(&name) {
                    return Some(GameAnswer::of(name, &open.game, open.now));
                }
                let game = Game::from_record(&std::fs::read(path).ok()?).ok()?;
                Some(GameAnswer::of(name, &game, Instant::now()))
            })
            .filter(|game| game.end.is_none())
            .collect()
    }

    fn save(&self, id: &str, input: &GameInput) -> Result<GameAnswer, ApiError> {
        let line = Line {
            fen: input.start.clone(),
            moves: input.moves.clone(),
        };
        let history = line.history()?;
        let players = [input.white.to_player()?, input.black.to_player()?];
        let control = control(input.clock);
        let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let files = self.files();
        let name = Self::name(id, &files);
        let known = files.iter().find(|(known, _)| *known == name);
        let mut open = match all.remove(&name) {
            Some(open) => open,
            None => match known {
                Some((_, path)) => OpenGame::new(resume(path)?),
                None if files.len().max(all.len()) >= MAX_GAMES => {
                    return Err(ApiError::new(
                        StatusCode::INSUFFICIENT_STORAGE,
                        "there are too many unfinished games; finish or delete one",
                    ));
                }
                None => self.start(&name, *history.start(), &players, control),
            },
        };
        let is_same = |game: &Game| {
            game.history().start() == history.start()
                && *game.players() == players
                && game.clock().control() == control
        };
        open.follow(input, &history);
        let is_reached = |game: &Game| game.history().moves().eq(history.moves());
        if !is_same(&open.game) || !is_reached(&open.game) {
            // It is another game by the same name.
            open.game.remove_record();
            open = self.start(&name, *history.start(), &players, control);
            open.follow(input, &history);
        }
        let answer = GameAnswer::of(id.to_owned(), &open.game, open.now);
        if open.game.termination().is_none() {
            all.insert(name, open);
        } else if let Some(store) = &self.store {
            store.finish(&mut open.game).map_err(|error| {
                ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string())
            })?;
        }
        Ok(answer)
    }

    fn start(
        &self,
        name: &str,
        start: Board,
        players: &[Player; 2],
        control: TimeControl,
    ) -> OpenGame {
        let mut game = Game::new(start.into(), players.clone(), control);
        if let Some(store) = &self.store {
            // Beside the records that the store names itself.
            let path = store
                .new_record()
                .path()
                .with_file_name(format!("{name}.pgn"));
            game.set_record(GameRecord::new(path));
        }
        OpenGame::new(game)
    }

    fn delete(&self, id: &str) -> Result<(), ApiError> {
        let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let files = self.files();
        let name = Self::name(id, &files);
        let game = match all.remove(&name) {
            Some(open) => Some(open.game),
            None => match files.iter().find(|(known, _)| *known == name) {
                Some((_, path)) => Some(resume(path)?),
                None => None,
            },
        };
        match game {
            Some(mut game) => {
                game.remove_record();
                Ok(())
            }
            None => Err(ApiError::new(
                StatusCode::NOT_FOUND,
                "there is no game with this name",
            )),
        }
    }
}

fn resume(path: &std::path::Path) -> Result<Game, ApiError> {
    Game::resume(path).map_err(|error| ApiError::new(StatusCode::CONFLICT, &error.to_string()))
}

/// Runs something that reads and writes files.
async fn blocking<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&Games) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let work = spawn_blocking(move || work(&app.games));
    work.await
        .map_err(|_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the request failed"))
}

/// `GET /api/games`: the unfinished games.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    #[derive(Serialize)]
    struct List {
        games: Vec<GameAnswer>,
    }
    let games = blocking(app, Games::list).await?;
    Ok(respond(&List { games }))
}

/// `POST /api/games`: a new game, with a name of the server's.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Json(input): Json<GameInput>,
) -> Result<Response, ApiError> {
    let answer = blocking(app, move |games| games.save(&random_name(), &input)).await??;
    Ok((StatusCode::CREATED, respond(&answer)).into_response())
}

/// `PUT /api/games/{id}`: a game as it stands.
pub(crate) async fn save(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Json(input): Json<GameInput>,
) -> Result<Response, ApiError> {
    let answer = blocking(app, move |games| games.save(&id, &input)).await??;
    Ok(respond(&answer))
}

/// `DELETE /api/games/{id}`: forgets an unfinished game.
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    blocking(app, move |games| games.delete(&id)).await??;
    Ok(StatusCode::NO_CONTENT)
}
