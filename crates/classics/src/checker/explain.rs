//! Explaining verdicts: every board, and why a move is illegal.

use std::io::{self, BufRead, Write};

use tabiya_board::{Color, File, Placement, Rank, Refusal, Square};

use super::line::{FromTo, LineChecker, LineVerdict, Observer, check_line};
use super::{BYTE_ORDER_MARK, CheckSummary, CheckerError};

/// Checks all lines of an input as [`check`](super::check) does. Also writes every board and, for an illegal move, the
/// reason.
///
/// Holds one line in memory at a time. If the reader of the explanation closes its pipe, the answers are still written.
pub fn explain(
    mut input: impl BufRead,
    output: &mut impl Write,
    explanation: &mut impl Write,
) -> Result<CheckSummary, CheckerError> {
    let mut summary = CheckSummary::default();
    let mut line = Vec::new();
    let mut is_read = true;
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        read.map_err(CheckerError::Read)?;
        if summary.lines == 0 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        if line.is_empty() {
            if is_read {
                unless_closed(explanation.flush())?;
            }
            return Ok(summary);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let verdict = check_line(text);
        summary.count(&verdict);
        writeln!(output, "{verdict}").map_err(CheckerError::Write)?;
        if is_read {
            is_read = unless_closed(explain_line(text, summary.lines, &verdict, explanation))?;
        }
    }
}

/// Whether the explanation was written. A closed pipe is not an error.
fn unless_closed(written: io::Result<()>) -> Result<bool, CheckerError> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true).map_err(CheckerError::Explain),
    }
}

/// Writes the boards of a line and, if there is one, its error.
fn explain_line(
    line: &[u8],
    number: u64,
    verdict: &LineVerdict,
    out: &mut impl Write,
) -> io::Result<()> {
    if let LineVerdict::Error(error) = verdict {
        return writeln!(out, "Line {number}: {error}.\n");
    }
    writeln!(out, "Line {number}:")?;
    let mut reader = LineChecker::new(BoardPrinter {
        out: &mut *out,
        side: Color::White,
        written: Ok(()),
    });
    reader.feed(line);
    reader.into_observer().written?;
    match verdict {
        LineVerdict::Legal => writeln!(out, "Legal\n"),
        _ => writeln!(out),
    }
}

/// Draws the boards of one line.
struct BoardPrinter<'a, O> {
    out: &'a mut O,
    side: Color,
    /// The first write error. [`Observer`] has no way to return it.
    written: io::Result<()>,
}

impl<O: Write> BoardPrinter<'_, O> {
    fn write(&mut self, write: impl FnOnce(&mut O) -> io::Result<()>) {
        if self.written.is_ok() {
            self.written = write(self.out);
        }
    }
}

impl<O: Write> Observer for BoardPrinter<'_, O> {
    fn start(&mut self, pieces: &Placement) {
        self.write(|out| draw(pieces, out));
    }

    fn played(&mut self, mv: FromTo, pieces: &Placement) {
        let side = self.side;
        self.side = !side;
        self.write(|out| {
            writeln!(out, "{side}: {mv}")?;
            draw(pieces, out)
        });
    }

    fn illegal(&mut self, mv: FromTo, refusal: Refusal) {
        let side = self.side;
        self.write(|out| writeln!(out, "{side}: {mv} illegal: {refusal}"));
    }
}

/// Draws a board with the letters of the format. Below it stand the column numbers and, because refusals name squares
/// in the usual way, the column letters.
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
