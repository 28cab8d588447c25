//! Counting what a file holds.

use std::path::Path;

use tabiya_board::GameHistory;

use crate::FileKind;
use crate::error::SelfplayFileError;
use crate::file::{FileItem, read_file};
use crate::game::{SelfplayGame, Wdl};
use crate::moves::PackedMove;
use crate::player::SelfplaySettings;
use crate::record::{TrainingRecord, TrainingRecordError};
use crate::summary::FileSummary;

/// A position of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedPosition {
    /// The position as FEN.
    pub fen: String,
    /// The move that the search found.
    pub mv: PackedMove,
    /// Its score for the side to move, in centipawns.
    pub score: i16,
    /// White's result of the game.
    pub result: Wdl,
}

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The kind of the file.
    pub kind: FileKind,
    /// How the games were played, if the file says so.
    pub settings: Option<SelfplaySettings>,
    /// What was counted.
    pub summary: FileSummary,
    /// The first positions.
    pub first: Vec<SearchedPosition>,
    /// Why no more positions could be shown.
    pub error: Option<TrainingRecordError>,
}

/// Counts what a file holds, and keeps its first positions. Nothing is checked.
pub fn inspect_file(path: &Path, first: usize) -> Result<Inspection, SelfplayFileError> {
    let mut inspector = Inspector {
        wanted: first,
        last_ply: None,
        inspection: Inspection {
            kind: FileKind::Records,
            settings: None,
            summary: FileSummary::default(),
            first: Vec::new(),
            error: None,
        },
    };
    inspector.inspection.kind = read_file(path, &mut |item| inspector.item(item))?;
    Ok(inspector.inspection)
}

struct Inspector {
    wanted: usize,
    last_ply: Option<u16>,
    inspection: Inspection,
}

impl Inspector {
    fn wants_more(&self) -> bool {
        self.inspection.first.len() < self.wanted && self.inspection.error.is_none()
    }

    fn item(&mut self, item: FileItem) {
        match item {
            FileItem::Block(block, settings) => {
                self.inspection.settings = Some(settings);
                let summary = &mut self.inspection.summary;
                summary.add_game(block.result, Some(block.termination));
                for record in &block.records {
                    self.record(record);
                }
            }
            FileItem::Game(game) => self.game(&game),
            FileItem::Record(record) => {
                // The plies of one game follow each other.
                let same_game = self
                    .last_ply
                    .is_some_and(|ply| record.ply == ply.wrapping_add(1));
                if !same_game && let Ok(result) = record.result() {
                    self.inspection.summary.add_game(result, None);
                }
                self.last_ply = Some(record.ply);
                self.record(&record);
            }
        }
    }

    fn record(&mut self, record: &TrainingRecord) {
        self.inspection.summary.add_score(record.score);
        if self.wants_more() {
            match (record.board(), record.result()) {
                (Ok(board), Ok(result)) => self.inspection.first.push(SearchedPosition {
                    fen: board.to_string(),
                    mv: record.best_move(),
                    score: record.score,
                    result,
                }),
                (Err(error), _) | (_, Err(error)) => self.inspection.error = Some(error),
            }
        }
    }

    fn game(&mut self, game: &SelfplayGame) {
        let summary = &mut self.inspection.summary;
        summary.add_game(game.result, Some(game.termination));
        for &(_, score) in &game.searched {
            summary.add_score(score);
        }
        let mut history = GameHistory::default();
        let opening = game.opening.iter().map(|&mv| (mv, None));
        let searched = game.searched.iter().map(|&(mv, score)| (mv, Some(score)));
        for (mv, score) in opening.chain(searched) {
            if !self.wants_more() {
                return;
            }
            if let Some(score) = score {
                self.inspection.first.push(SearchedPosition {
                    fen: history.board().to_string(),
                    mv,
                    score,
                    result: game.result,
                });
            }
            match mv.on(history.board()) {
                Ok(mv) => history.play(mv),
                Err(_) => return,
            }
        }
    }
}
