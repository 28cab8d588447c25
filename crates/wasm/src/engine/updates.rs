//! Reports of a search, about ten times a second.

use std::time::Duration;

use super::message::EngineResponse;

/// The least time between two reports.
pub const INTERVAL: Duration = Duration::from_millis(100);

/// Limits reports to the latest of each line, about ten times a second. The last answer of a request sends the waiting
/// reports first.
#[derive(Debug, Default)]
pub struct Updates {
    /// The latest report of each line.
    waiting: Vec<EngineResponse>,
    last: Option<Duration>,
}

impl Updates {
    /// Adds an answer at a given time, and returns what to send now.
    pub fn add(&mut self, answer: EngineResponse, now: Duration) -> Vec<EngineResponse> {
        let EngineResponse::Info { info, .. } = &answer else {
            let mut all = std::mem::take(&mut self.waiting);
            all.push(answer);
            // The first report of the next search goes out at once.
            self.last = None;
            return all;
        };
        let rank = info.multipv;
        let same = |waiting: &EngineResponse| matches!(waiting, EngineResponse::Info { info, .. } if info.multipv == rank);
        match self.waiting.iter_mut().find(|waiting| same(waiting)) {
            Some(old) => *old = answer,
            None => self.waiting.push(answer),
        }
        self.due(now)
    }

    /// Returns what to send now, if it is time.
    pub fn due(&mut self, now: Duration) -> Vec<EngineResponse> {
        if self.waiting.is_empty() || self.last.is_some_and(|last| now < last + INTERVAL) {
            return Vec::new();
        }
        self.last = Some(now);
        std::mem::take(&mut self.waiting)
    }
}
