//! The engine behind a WebSocket, for the page.
//!
//! A socket has one request at a time: a new one stops the one before. The engine's thread leaves its reports in an
//! outbox, where a later report of a line replaces an earlier one; the socket takes them out about ten times a second,
//! as fast as the page reads them. So a slow page gets fewer reports, and nothing piles up.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use tabiya_wasm::engine::{EngineRequest, EngineResponse, INTERVAL, Updates};
use tokio::sync::Notify;
use tokio::time::{interval, timeout};

use crate::app::{App, ended};
use crate::engines::StopOnDrop;

/// The largest message of a page: a long game.
const MAX_MESSAGE: usize = 128 << 10;
/// How often a silent page is asked whether it is still there, and how long it may be silent.
const PING: Duration = Duration::from_secs(20);
const IDLE_TIMEOUT: Duration = Duration::from_secs(70);
/// How long a page may take to read a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) async fn engine(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .on_upgrade(move |socket| async move {
            // A socket that fails is gone: there is nobody to tell.
            let _ = Connection::new(app, socket).serve().await;
        })
}

/// What is to be sent.
#[derive(Default)]
struct Outbox {
    updates: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Default)]
struct Waiting {
    /// The request that runs. Answers to others are stale.
    id: u32,
    updates: Updates,
    ready: Vec<EngineResponse>,
}

impl Outbox {
    fn change(&self, change: impl FnOnce(&mut Waiting)) {
        change(&mut self.updates.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Adds an answer, unless it is stale.
    fn add(&self, id: u32, answer: EngineResponse, now: Duration) {
        self.change(|waiting| {
            if waiting.id == id {
                let due = waiting.updates.add(answer, now);
                waiting.ready.extend(due);
                // The reader is slow: only the latest reports count.
                if waiting.ready.len() > 64 {
                    waiting.ready.drain(..32);
                }
            }
        });
        self.changed.notify_one();
    }

    fn begin(&self, id: u32) {
        self.change(|waiting| {
            *waiting = Waiting {
                id,
                ..Waiting::default()
            };
        });
    }

    fn take(&self, now: Duration) -> Vec<EngineResponse> {
        let mut all = Vec::new();
        self.change(|waiting| {
            let due = waiting.updates.due(now);
            waiting.ready.extend(due);
            all = std::mem::take(&mut waiting.ready);
        });
        all
    }
}

struct Connection {
    app: Arc<App>,
    socket: WebSocket,
    number: u64,
    start: Instant,
    outbox: Arc<Outbox>,
    /// Stops the request that runs.
    running: Option<(u32, StopOnDrop)>,
}

/// The page is gone.
struct Gone;

impl Connection {
    fn new(app: Arc<App>, socket: WebSocket) -> Self {
        Self {
            number: app.connection(),
            app,
            socket,
            start: Instant::now(),
            outbox: Arc::default(),
            running: None,
        }
    }

    async fn serve(mut self) -> Result<(), Gone> {
        let engine = self.app.engines.description();
        self.send(&EngineResponse::Ready { engine }).await?;
        let mut ending = self.app.ending();
        let mut ticks = interval(INTERVAL);
        let mut pings = interval(PING);
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => self.receive(&text).await?,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
                        Some(Ok(_)) => {}
                    }
                }
                () = self.outbox.changed.notified() => {}
                _ = ticks.tick() => {}
                _ = pings.tick() => {
                    if heard.elapsed() > IDLE_TIMEOUT {
                        return Err(Gone);
                    }
                    self.send_message(Message::Ping(Bytes::new())).await?;
                }
                () = ended(&mut ending) => {
                    let _ = self.send_message(Message::Close(None)).await;
                    return Ok(());
                }
            }
            for answer in self.outbox.take(self.start.elapsed()) {
                self.send(&answer).await?;
            }
        }
    }

    async fn receive(&mut self, text: &str) -> Result<(), Gone> {
        let request: EngineRequest = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let message = format!("This is not a request: {error}.");
                return self
                    .send(&EngineResponse::Error { id: None, message })
                    .await;
            }
        };
        let id = request.id();
        match request {
            EngineRequest::Stop { .. } => {
                if let Some((running, stop)) = &self.running
                    && *running == id
                {
                    stop.0.stop();
                }
            }
            request => self.start(id, request),
        }
        Ok(())
    }

    /// Starts a request, and stops the one before.
    fn start(&mut self, id: u32, request: EngineRequest) {
        let stop = StopOnDrop::default();
        let signal = stop.0.clone();
        self.running = Some((id, stop));
        self.outbox.begin(id);
        let engines = Arc::clone(&self.app.engines);
        let outbox = Arc::clone(&self.outbox);
        let (owner, start) = (self.number, self.start);
        tokio::spawn(async move {
            let emitted = Arc::clone(&outbox);
            let emit = move |answer| emitted.add(id, answer, start.elapsed());
            if let Err(busy) = engines.run(owner, request, signal, emit).await {
                let problem = tabiya_wasm::Problem::new(busy.0);
                let answer = EngineResponse::Error {
                    id: Some(id),
                    message: problem.message,
                };
                outbox.add(id, answer, start.elapsed());
            }
        });
    }

    async fn send(&mut self, answer: &EngineResponse) -> Result<(), Gone> {
        let text = serde_json::to_string(answer).unwrap_or_default();
        self.send_message(Message::Text(text.into())).await
    }

    async fn send_message(&mut self, message: Message) -> Result<(), Gone> {
        match timeout(SEND_TIMEOUT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }
}
