//! A game with a friend on the network. The server keeps the board and the clock; both pages are views of it.

mod files;

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tabiya_board::Color;
use tabiya_notation::uci;
use tabiya_play::{ActionError, Game, Player};
use tabiya_wasm::{Line, Problem};
use tokio::sync::watch;
use tokio::task::block_in_place;
use tokio::time::{interval, timeout};

use crate::app::{App, ended};
use crate::error::ApiError;
use crate::games::{ClockMessage, ColorName, EndAnswer, Remaining, clocks, control, moves};
use crate::json::{Json, respond};
use crate::random_name;
use files::Seating;

pub(crate) use files::FriendFiles;

/// The most games at a time. A new one replaces the one that has been idle longest, if no page shows that.
const MAX_GAMES: usize = 50;
const MAX_MESSAGE: usize = 4 << 10;
/// How often the clocks are looked at, and how long a page may take to read a message.
const TICK: Duration = Duration::from_millis(100);
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(crate) struct Friends {
    /// The games that were opened since the server started.
    open: Mutex<HashMap<String, Arc<FriendGame>>>,
    files: FriendFiles,
}

impl Friends {
    pub(crate) fn new(files: FriendFiles) -> Self {
        Self {
            open: Mutex::default(),
            files,
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<FriendGame>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds a game, also one from before a restart.
    fn find(&self, id: &str) -> Option<Arc<FriendGame>> {
        let mut open = self.open();
        if let Some(game) = open.get(id) {
            return Some(Arc::clone(game));
        }
        let (seating, game) = self.files.read(id)?;
        make_room(&mut open)?;
        let game = Arc::new(FriendGame::new(id.to_owned(), game, seating.seats));
        open.insert(id.to_owned(), Arc::clone(&game));
        Some(game)
    }
}

/// Forgets the game that has been idle longest, if there are too many. It can be reopened from disk.
fn make_room(open: &mut HashMap<String, Arc<FriendGame>>) -> Option<()> {
    if open.len() >= MAX_GAMES {
        let quiet = open
            .iter()
            .filter(|(_, game)| game.table().present == [0; 2])
            .min_by_key(|(_, game)| game.table().last_change)
            .map(|(id, _)| id.clone())?;
        open.remove(&quiet);
    }
    Some(())
}

#[derive(Debug)]
struct FriendGame {
    id: String,
    table: Mutex<Table>,
    /// Counts changes, so that both pages are notified.
    changes: watch::Sender<u64>,
}

#[derive(Debug)]
struct Table {
    game: Game,
    /// The secrets of White and Black.
    seats: [String; 2],
    /// How many pages sit there.
    present: [usize; 2],
    takeback_offer: Option<Color>,
    rematch_offer: Option<Color>,
    /// Whether both players have connected, so that the clock may run.
    has_begun: bool,
    /// Whether the finished game is in the collection.
    is_saved: bool,
    last_change: Instant,
}

impl FriendGame {
    fn new(id: String, game: Game, seats: [String; 2]) -> Self {
        Self {
            id,
            table: Mutex::new(Table {
                game,
                seats,
                present: [0; 2],
                takeback_offer: None,
                rematch_offer: None,
                has_begun: false,
                is_saved: false,
                last_change: Instant::now(),
            }),
            changes: watch::Sender::new(0),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }
}

#[derive(Deserialize)]
pub(crate) struct InviteInput {
    color: SideInput,
    start: Option<String>,
    clock: Option<ClockMessage>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum SideInput {
    White,
    Black,
    Random,
}

#[derive(Serialize)]
struct Invitation {
    id: String,
    seat: String,
    link: Option<String>,
}

/// `POST /api/friends`: a table for two.
pub(crate) async fn invite(
    State(app): State<Arc<App>>,
    Json(input): Json<InviteInput>,
) -> Result<Response, ApiError> {
    let line = Line {
        fen: input.start,
        moves: Vec::new(),
    };
    let history = line.history()?;
    let players = [Player::person("White"), Player::person("Black")];
    let seats = [random_name(), random_name()];
    let own = match input.color {
        SideInput::White => Color::White,
        // As good as any coin.
        SideInput::Random if seats[0] < seats[1] => Color::White,
        SideInput::Black | SideInput::Random => Color::Black,
    };
    let id = random_name();
    let invitation = Invitation {
        seat: seats[own.index()].clone(),
        link: app.token.is_some().then(|| {
            let seat = &seats[(!own).index()];
            format!("{}#/play?game={id}&seat={seat}", app.url())
        }),
        id: id.clone(),
    };
    let mut game = Game::new(history, players, control(input.clock));
    if let Some(record) = app.friends.files.record(&id) {
        game.set_record(record);
    }
    let seating = Seating {
        seats,
        start: game.history().start().to_string(),
        clock: input.clock,
        token: app.token.clone(),
    };
    if make_room(&mut app.friends.open()).is_none() {
        return Err(ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many games are being played; try again later",
        ));
    }
    let written = block_in_place(|| {
        app.friends.files.write(&id, &seating)?;
        app.friends.files.tidy();
        Ok(())
    });
    written.map_err(|error: io::Error| {
        let phrase = format!("cannot save the game: {error}");
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, &phrase)
    })?;
    let game = FriendGame::new(id.clone(), game, seating.seats);
    app.friends.open().insert(id, Arc::new(game));
    Ok(respond(&invitation))
}

/// `GET /api/friends/{id}/socket?seat=…`: a seat at the table.
pub(crate) async fn join(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    uri: Uri,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let game = block_in_place(|| app.friends.find(&id));
    let seat = uri.query().and_then(|query| query.strip_prefix("seat="));
    let seat = seat.unwrap_or_default().to_owned();
    let is_seat = |game: &Arc<FriendGame>| game.table().seats.contains(&seat);
    let Some(game) = game.filter(is_seat) else {
        return Err(ApiError::new(
            StatusCode::NOT_FOUND,
            "this game is over or its link is wrong; ask for a new one",
        ));
    };
    Ok(upgrade
        .max_message_size(MAX_MESSAGE)
        .on_upgrade(move |socket| async move {
            let guest = Guest {
                app,
                game,
                seat,
                socket,
            };
            guest.serve().await;
        }))
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Action {
    Move { uci: String, ply: usize },
    Resign,
    Draw,
    Takeback,
    Decline,
    Rematch,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Answer {
    State(Box<TableState>),
    Error { message: String },
}

#[derive(Serialize)]
struct TableState {
    you: ColorName,
    start: String,
    moves: Vec<String>,
    turn: ColorName,
    present: Present,
    clock: Option<ClockMessage>,
    remaining: Option<Remaining>,
    running: Option<ColorName>,
    draw_offer: Option<ColorName>,
    takeback_offer: Option<ColorName>,
    rematch_offer: Option<ColorName>,
    end: Option<EndAnswer>,
}

#[derive(Serialize)]
struct Present {
    white: bool,
    black: bool,
}

impl Table {
    fn color(&self, seat: &str) -> Color {
        if self.seats[0] == seat {
            Color::White
        } else {
            Color::Black
        }
    }

    fn state(&self, seat: &str, now: Instant) -> TableState {
        let (clock, remaining) = clocks(&self.game, now);
        TableState {
            you: self.color(seat).into(),
            start: self.game.history().start().to_string(),
            moves: moves(self.game.history()),
            turn: self.game.turn().into(),
            present: Present {
                white: self.present[0] > 0,
                black: self.present[1] > 0,
            },
            clock,
            remaining,
            running: self.game.clock().running().map(ColorName::from),
            draw_offer: self.game.draw_offer().map(ColorName::from),
            takeback_offer: self.takeback_offer.map(ColorName::from),
            rematch_offer: self.rematch_offer.map(ColorName::from),
            end: self.game.termination().map(EndAnswer::of),
        }
    }

    fn act(&mut self, color: Color, action: Action, now: Instant) -> Result<(), Problem> {
        let refused = |error: ActionError| Problem::new(&error.to_string());
        self.last_change = now;
        match action {
            Action::Move { uci, ply } => {
                if self.game.turn() != color || self.game.history().moves().len() != ply {
                    return Err(Problem::new("it is not your turn"));
                }
                let mv = uci::parse(&uci, self.game.board())
                    .map_err(|error| Problem::new(&error.to_string()))?;
                self.takeback_offer = None;
                self.game.play(mv, now).map_err(refused)?;
            }
            Action::Resign => {
                self.game.resign(color, now).map_err(refused)?;
            }
            Action::Draw => {
                self.game.draw(color, now).map_err(refused)?;
            }
            Action::Takeback if self.takeback_offer == Some(!color) => {
                self.takeback_offer = None;
                // Back to where the one who asked is to move.
                self.game.take_back(now).map_err(refused)?;
                if self.game.turn() == color {
                    self.game.take_back(now).map_err(refused)?;
                }
            }
            Action::Takeback => {
                if self.game.history().moves().len() == 0 || self.game.termination().is_some() {
                    return Err(Problem::new("there is no move to take back"));
                }
                self.takeback_offer = Some(color);
            }
            Action::Decline if self.takeback_offer == Some(!color) => self.takeback_offer = None,
            Action::Decline if self.rematch_offer == Some(!color) => self.rematch_offer = None,
            Action::Decline => {
                self.game.decline_draw(color, now).map_err(refused)?;
            }
            Action::Rematch if self.game.termination().is_none() => {
                return Err(Problem::new("this game is not over yet"));
            }
            Action::Rematch if self.rematch_offer == Some(!color) => {
                let start = *self.game.history().start();
                let control = self.game.clock().control();
                self.game = Game::new(start.into(), self.game.players().clone(), control);
                // With colours swapped.
                self.seats.swap(0, 1);
                self.present.swap(0, 1);
                self.rematch_offer = None;
                self.is_saved = false;
                self.game.start(now);
            }
            Action::Rematch => self.rematch_offer = Some(color),
        }
        Ok(())
    }
}

/// A page at the table.
struct Guest {
    app: Arc<App>,
    game: Arc<FriendGame>,
    seat: String,
    socket: WebSocket,
}

impl Guest {
    async fn serve(mut self) {
        self.sit(1);
        let mut changes = self.game.changes.subscribe();
        changes.mark_changed();
        let mut ending = self.app.ending();
        let mut ticks = interval(TICK);
        loop {
            tokio::select! {
                message = self.socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => {
                        if !self.receive(&text).await {
                            break;
                        }
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                    Some(Ok(_)) => {}
                },
                _ = changes.changed() => {
                    let state = self.game.table().state(&self.seat, Instant::now());
                    if !self.send(&Answer::State(Box::new(state))).await {
                        break;
                    }
                }
                _ = ticks.tick() => self.check_flag(),
                () = ended(&mut ending) => break,
            }
        }
        self.sit(-1);
    }

    /// Takes the seat or leaves it.
    fn sit(&self, change: isize) {
        let mut table = self.game.table();
        let color = table.color(&self.seat);
        let present = &mut table.present[color.index()];
        *present = present.saturating_add_signed(change);
        if !table.has_begun && table.present.iter().all(|&present| present > 0) {
            table.has_begun = true;
            table.game.start(Instant::now());
        }
        drop(table);
        self.game.changed();
    }

    fn check_flag(&self) {
        let ended = self.game.table().game.check_flag(Instant::now());
        if ended.is_some() {
            self.finish();
            self.game.changed();
        }
    }

    async fn receive(&mut self, text: &str) -> bool {
        let acted = match serde_json::from_str::<Action>(text) {
            Ok(action) => {
                let is_rematch = matches!(action, Action::Rematch);
                let mut table = self.game.table();
                let color = table.color(&self.seat);
                // It waits for the disk.
                let acted = block_in_place(|| table.act(color, action, Instant::now()));
                if is_rematch && acted.is_ok() && table.game.termination().is_none() {
                    self.keep(&mut table);
                }
                acted
            }
            Err(error) => Err(Problem::new(&format!("this is not an action: {error}"))),
        };
        // Also after a refusal: the page may show something else.
        self.finish();
        self.game.changed();
        match acted {
            Ok(()) => true,
            Err(problem) => {
                self.send(&Answer::Error {
                    message: problem.message,
                })
                .await
            }
        }
    }

    /// Adds a finished game to the collection, once.
    fn finish(&self) {
        let mut table = self.game.table();
        if table.game.termination().is_some()
            && !std::mem::replace(&mut table.is_saved, true)
            && let Some(store) = self.app.games.store()
        {
            // The players still have the game on their screens.
            let _ = block_in_place(|| store.finish(&mut table.game));
            self.app.friends.files.remove(&self.game.id);
        }
    }

    /// Keeps a game that has just begun at this table.
    fn keep(&self, table: &mut Table) {
        let files = &self.app.friends.files;
        if let Some(record) = files.record(&self.game.id) {
            table.game.set_record(record);
        }
        let (clock, _) = clocks(&table.game, Instant::now());
        let seating = Seating {
            seats: table.seats.clone(),
            start: table.game.history().start().to_string(),
            clock,
            token: self.app.token.clone(),
        };
        // Without a disk the game goes on in memory.
        let _ = block_in_place(|| files.write(&self.game.id, &seating));
    }

    async fn send(&mut self, answer: &Answer) -> bool {
        let text = serde_json::to_string(answer).unwrap_or_default();
        let sent = timeout(SEND_TIMEOUT, self.socket.send(Message::Text(text.into()))).await;
        matches!(sent, Ok(Ok(())))
    }
}
