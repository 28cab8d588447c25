//! Hints, which are looked for in a thread of their own.

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use tabiya_board::Bitboard;
use tabiya_engine::StopSignal;
use tabiya_play::Hint;

use super::GameScreen;
use crate::game_view::Message;

/// A hint that is being looked for.
pub(super) struct HintSearch {
    found: Receiver<Option<Hint>>,
    signal: StopSignal,
}

impl Drop for HintSearch {
    /// Nobody waits for it any more.
    fn drop(&mut self) {
        self.signal.stop();
    }
}

impl GameScreen {
    pub(super) fn find_hint(&mut self) {
        if self.hint.is_some() || !self.is_persons_turn() {
            return;
        }
        let (sender, found) = mpsc::channel();
        let signal = StopSignal::default();
        let line = self.game().history().clone();
        let ours = signal.clone();
        let spawned = thread::Builder::new()
            .name("hint".to_owned())
            .spawn(move || {
                // Nobody listens any more when the position has changed.
                let _ = sender.send(Hint::find(&line, &ours));
            });
        self.message = match spawned {
            Ok(_) => Message::note("Looking for a good move ..."),
            Err(error) => Message::refusal(format!("no hint can be found: {error}")),
        };
        self.hint = Some(HintSearch { found, signal });
    }

    /// Hears of the hint; whether there is news.
    pub(super) fn poll_hint(&mut self) -> bool {
        let Some(search) = &self.hint else {
            return false;
        };
        match search.found.try_recv() {
            Err(TryRecvError::Empty) => return false,
            Ok(Some(hint)) => {
                self.hinted = Bitboard::from(hint.mv.from()) | Bitboard::from(hint.mv.to());
                self.message = Message::good(format!("Hint: {hint}"));
            }
            Ok(None) | Err(TryRecvError::Disconnected) => {
                self.message = Message::refusal("no hint could be found");
            }
        }
        self.hint = None;
        true
    }
}
