//! The lines played board by board, with the reason where a move is not legal.

use std::io::{self, BufRead, Write};

use tabiya_board::{Color, File, Placement, Rank, Refusal, Square};

use super::line::{LineReader, Step, Verdict, Watcher, verdict};
use super::{BYTE_ORDER_MARK, Failure, Summary};

/// Checks all lines of an input as [`check`](super::check) does, and shows how: every board, and why a move is not legal.
///
/// Memory is bounded by the longest line.
pub fn explain(
    mut input: impl BufRead,
    output: &mut impl Write,
    explanation: &mut impl Write,
) -> Result<Summary, Failure> {
    let mut summary = Summary::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        read.map_err(Failure::Read)?;
        if summary.lines == 0 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        if line.is_empty() {
            return Ok(summary);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let verdict = verdict(text);
        summary.count(&verdict);
        writeln!(output, "{verdict}").map_err(Failure::Write)?;
        show(text, summary.lines, &verdict, explanation).map_err(Failure::Explain)?;
    }
}

/// Shows a line, whose verdict is known.
fn show(line: &[u8], number: u64, verdict: &Verdict, out: &mut impl Write) -> io::Result<()> {
    if let Verdict::Error(problem) = verdict {
        return writeln!(out, "Line {number}: {problem}.\n");
    }
    writeln!(out, "Line {number}:")?;
    let mut reader = LineReader::new(Painter {
        out: &mut *out,
        side: Color::White,
        written: Ok(()),
    });
    reader.feed(line);
    reader.into_watcher().written?;
    match verdict {
        Verdict::Legal => writeln!(out, "Legal\n"),
        _ => writeln!(out),
    }
}

/// Draws the boards of one line.
struct Painter<'a, O> {
    out: &'a mut O,
    side: Color,
    /// What went wrong when it was written.
    written: io::Result<()>,
}

impl<O: Write> Painter<'_, O> {
    fn paint(&mut self, paint: impl FnOnce(&mut O) -> io::Result<()>) {
        if self.written.is_ok() {
            self.written = paint(self.out);
        }
    }
}

impl<O: Write> Watcher for Painter<'_, O> {
    fn start(&mut self, pieces: &Placement) {
        self.paint(|out| draw(pieces, out));
    }

    fn played(&mut self, step: Step, pieces: &Placement) {
        let side = self.side;
        self.side = !side;
        self.paint(|out| {
            writeln!(out, "{side}: {step}")?;
            draw(pieces, out)
        });
    }

    fn refused(&mut self, step: Step, refusal: Refusal) {
        let side = self.side;
        self.paint(|out| writeln!(out, "{side}: {step} illegal: {refusal}"));
    }
}

/// Draws a board with the letters of the format, the rows and columns by numbers, and the columns also by the letters that
/// reasons name squares with.
fn draw(pieces: &Placement, out: &mut impl Write) -> io::Result<()> {
    for rank in Rank::ALL.into_iter().rev() {
        write!(out, "{rank} ")?;
        for file in File::ALL {
            let piece = pieces.piece_at(Square::new(file, rank));
            let letter = piece.map_or('.', |piece| match piece.color {
                Color::White => piece.role.char(),
                Color::Black => piece.role.upper_char(),
            });
            write!(out, " {letter}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "   1 2 3 4 5 6 7 8\n   a b c d e f g h")
}
