//! Hints, which are searched for in the background.

use std::sync::mpsc::{self, Receiver, TryRecvError};

use tabiya_board::Bitboard;
use tabiya_engine::{EngineThread, StopSignal};
use tabiya_play::Hint;

use super::GameScreen;
use crate::game_view::Message;

/// The search for a hint. Dropping it stops the search.
pub(super) struct HintSearch {
    found: Receiver<Option<Hint>>,
    _thread: EngineThread<'static, ()>,
}

impl GameScreen {
    pub(super) fn find_hint(&mut self) {
        if self.hint.is_some() || !self.is_persons_turn() {
            return;
        }
        let (sender, found) = mpsc::channel();
        let history = self.game().history().clone();
        let mut thread = match EngineThread::spawn(|| ()) {
            Ok(thread) => thread,
            Err(error) => {
                self.message = Message::refusal(format!("could not search for a hint: {error}"));
                return;
            }
        };
        thread.start(StopSignal::default(), move |(), signal| {
            // The receiver is gone if the position has changed.
            let _ = sender.send(Hint::find(&history, signal));
        });
        self.message = Message::note("Looking for a good move ...");
        self.hint = Some(HintSearch {
            found,
            _thread: thread,
        });
    }

    /// Shows the hint once it is found. Returns whether anything has changed.
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
                self.message = Message::refusal("no hint found");
            }
        }
        self.hint = None;
        true
    }
}
