//! An engine that analyses the position on the screen.

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

use tabiya_board::GameHistory;
use tabiya_engine::{EngineThread, Limits, SearchEvent, StopSignal};
use tabiya_notation::uci::SearchInfo;

/// The time limit of an analysis. More would cost battery for little gain.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A position to analyse.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct AnalysisRequest {
    /// The position and the moves before it.
    pub(crate) history: GameHistory,
    /// The number of best lines.
    pub(crate) lines: usize,
    /// The node limit.
    pub(crate) nodes: Option<u64>,
}

/// An engine that analyses one position at a time. Nothing here waits for it.
pub(crate) struct AnalysisThread {
    thread: EngineThread<'static>,
    request: Option<AnalysisRequest>,
    /// Open while the engine is thinking.
    updates: Option<Receiver<SearchInfo>>,
    /// The lines found so far, the best first.
    lines: Vec<SearchInfo>,
}

impl AnalysisThread {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Self {
            thread: EngineThread::spawn(tabiya_engine::Engine::default)?,
            request: None,
            updates: None,
            lines: Vec::new(),
        })
    }

    /// A finished analysis, for screenshots.
    #[cfg(test)]
    pub(crate) fn with_lines(
        request: AnalysisRequest,
        lines: Vec<SearchInfo>,
    ) -> std::io::Result<Self> {
        let mut thread = Self::new()?;
        thread.request = Some(request);
        thread.lines = lines;
        Ok(thread)
    }

    /// Starts an analysis, unless it is already running or done.
    pub(crate) fn analyse(&mut self, request: AnalysisRequest) {
        if self.request.as_ref() == Some(&request) {
            return;
        }
        self.stop();
        self.request = Some(request.clone());
        let (sender, updates) = mpsc::channel();
        self.updates = Some(updates);
        self.thread
            .start(StopSignal::default(), move |engine, signal| {
                if signal.is_stopped() {
                    return;
                }
                engine.set_multipv(request.lines);
                let limits = Limits {
                    nodes: request.nodes,
                    time: Some(TIME_LIMIT),
                    ..Limits::default()
                };
                engine.think_until(&request.history, &limits, signal, &mut |event| {
                    if let SearchEvent::Info(info) = event {
                        // The request may have been replaced.
                        let _ = sender.send(info.clone());
                    }
                });
            });
    }

    /// Stops the analysis and forgets its lines.
    pub(crate) fn stop(&mut self) {
        self.thread.stop();
        self.request = None;
        self.updates = None;
        self.lines.clear();
    }

    /// Collects new lines. Returns whether anything has changed.
    pub(crate) fn poll(&mut self) -> bool {
        let mut has_changed = false;
        while let Some(updates) = &self.updates {
            match updates.try_recv() {
                Ok(info) => {
                    let at = info.multipv.saturating_sub(1);
                    match self.lines.get_mut(at) {
                        Some(line) => *line = info,
                        None => self.lines.push(info),
                    }
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.updates = None,
            }
            has_changed = true;
        }
        has_changed
    }

    /// Whether the analysis has ended.
    pub(crate) fn is_done(&self) -> bool {
        self.updates.is_none()
    }

    /// The lines found so far, the best first.
    pub(crate) fn lines(&self) -> &[SearchInfo] {
        &self.lines
    }
}
