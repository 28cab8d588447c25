//! Asking in the background.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use tabiya_board::Board;

use crate::{Explored, Explorer, ExplorerError};

/// An answer, with the number of its question.
type Answer = (u64, Result<Explored, ExplorerError>);

/// An explorer in the background. Nothing here waits for it.
#[derive(Debug)]
pub struct ExplorerThread {
    questions: Sender<(u64, Board)>,
    answers: Receiver<Answer>,
    /// The number of the last question.
    last: u64,
    is_waiting: bool,
}

impl ExplorerThread {
    /// Starts the thread, which ends when this value is dropped.
    pub fn spawn(mut explorer: Explorer) -> io::Result<Self> {
        let (questions, asked) = mpsc::channel::<(u64, Board)>();
        let (answer, answers) = mpsc::channel();
        thread::Builder::new()
            .name("explorer".to_owned())
            .spawn(move || {
                while let Ok(question) = asked.recv() {
                    // Only the last question counts.
                    let (number, board) = asked.try_iter().last().unwrap_or(question);
                    if answer.send((number, explorer.explore(&board))).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self {
            questions,
            answers,
            last: 0,
            is_waiting: false,
        })
    }

    /// Asks for a position. An earlier question is forgotten.
    pub fn ask(&mut self, board: Board) {
        self.last += 1;
        // The thread lives as long as this value.
        self.is_waiting = self.questions.send((self.last, board)).is_ok();
    }

    /// Returns the answer to the last question, once, when it is there.
    pub fn poll(&mut self) -> Option<Result<Explored, ExplorerError>> {
        let answer = self
            .answers
            .try_iter()
            .find(|&(number, _)| number == self.last)?;
        self.is_waiting = false;
        Some(answer.1)
    }

    /// Whether the answer to the last question is still to come.
    pub fn is_waiting(&self) -> bool {
        self.is_waiting
    }
}
