//! Writing the engine's answers.

use std::fmt::Write;

use tabiya_board::{Board, File, Move, Piece, Rank, Square};
use tabiya_engine::SearchEvent;
use tabiya_notation::uci::{self, SearchInfo};

use super::options::UciOptions;

/// Writes a move as the other program wants it.
pub(crate) fn write_move(board: &Board, mv: Move, options: &UciOptions) -> String {
    if options.chess960 {
        uci::write_chess960(board, mv).to_string()
    } else {
        mv.to_string()
    }
}

/// Writes a report of the search as an `info` line.
pub(crate) fn write_event(event: &SearchEvent, board: &Board, options: &UciOptions) -> String {
    match event {
        SearchEvent::Info(found) => info(found, board, options),
        SearchEvent::CurrentMove { depth, mv, number } => {
            let mv = write_move(board, *mv, options);
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        SearchEvent::FewerThreads { running, wanted } => {
            format!("info string {running} of {wanted} threads could be started")
        }
        other => format!("info string {other:?}"),
    }
}

fn info(info: &SearchInfo, board: &Board, options: &UciOptions) -> String {
    let mut info = info.clone();
    if !options.show_wdl {
        info.wdl = None;
    }
    info.to_uci(board, options.chess960)
}

/// Draws the board, with its FEN and key.
pub(crate) fn diagram(board: &Board) -> String {
    let mut text = String::from("\n");
    for rank in Rank::ALL.into_iter().rev() {
        text.push(' ');
        text.push(rank.char());
        text.push(' ');
        for file in File::ALL {
            let piece = board.piece_at(Square::new(file, rank));
            text.push(' ');
            text.push(piece.map_or('.', Piece::char));
        }
        text.push('\n');
    }
    let _ = write!(
        text,
        "    a b c d e f g h\n\nFen: {board}\nKey: {:016X}",
        board.key()
    );
    text
}
