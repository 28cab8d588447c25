//! How the engine's answers are written.

use std::fmt::Write;

use tabiya_board::{Board, File, Move, Piece, Rank, Square};
use tabiya_engine::{Certainty, Info, News, Score};
use tabiya_notation::uci;

use crate::options::Options;

/// A move as the other program wants it.
pub(crate) fn spell(board: &Board, mv: Move, options: &Options) -> String {
    if options.chess960 {
        uci::chess960(board, mv).to_string()
    } else {
        mv.to_string()
    }
}

/// News from the search as a line of `info`.
pub(crate) fn news(news: &News, board: &Board, options: &Options) -> String {
    match news {
        News::Line(found) => info(found, board, options),
        News::Trying { depth, mv, number } => {
            let mv = spell(board, *mv, options);
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
    }
}

fn info(info: &Info, board: &Board, options: &Options) -> String {
    let mut line = format!(
        "info depth {} seldepth {} multipv {}",
        info.depth, info.deepest, info.rank
    );
    // Writing to a string does not fail.
    let _ = match info.score {
        Score::Centipawns(points) => write!(line, " score cp {points}"),
        Score::Mate(moves) => write!(line, " score mate {moves}"),
    };
    line.push_str(match info.certainty {
        Certainty::Exact => "",
        Certainty::AtLeast => " lowerbound",
        Certainty::AtMost => " upperbound",
    });
    if options.show_wdl {
        let (win, draw, loss) = info.score.win_draw_loss();
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    let per_second = (info.nodes as f64 / info.time.as_secs_f64().max(1e-6)) as u64;
    let _ = write!(
        line,
        " nodes {} nps {per_second} hashfull {} time {} pv",
        info.nodes,
        info.fullness,
        info.time.as_millis()
    );
    let mut board = *board;
    for &mv in &info.pv {
        line.push(' ');
        line.push_str(&spell(&board, mv, options));
        board.play_unchecked(mv);
    }
    line
}

/// The board as a picture, with its FEN and key.
pub(crate) fn picture(board: &Board) -> String {
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
