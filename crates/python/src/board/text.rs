//! Methods of `Board` that read and write text.

use super::*;

#[pymethods]
impl PyBoard {
    /// The FEN. `en_passant` says when the square is written: if a capture is `"legal"`, if a pawn stands ready
    /// (`"xfen"`), or after every double step (`"fen"`).
    #[pyo3(signature = (*, shredder=false, en_passant="legal"))]
    fn fen(&self, shredder: bool, en_passant: &str) -> PyResult<String> {
        fen(&self.history, shredder, en_passant)
    }

    /// The Shredder-FEN: castling rights are the files of the rooks.
    #[pyo3(signature = (*, en_passant="legal"))]
    fn shredder_fen(&self, en_passant: &str) -> PyResult<String> {
        fen(&self.history, true, en_passant)
    }

    /// The first field of the FEN, the pieces.
    fn board_fen(&self) -> String {
        self.board().placement().to_string()
    }

    /// The first four fields of the FEN.
    #[pyo3(signature = (*, shredder=false, en_passant="legal"))]
    fn epd(&self, shredder: bool, en_passant: &str) -> PyResult<String> {
        let text = fen(&self.history, shredder, en_passant)?;
        Ok(text.split(' ').take(4).collect::<Vec<_>>().join(" "))
    }

    /// Sets up a position and forgets all moves.
    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        *self = Self::of(read_fen(fen)?, self.chess960);
        Ok(())
    }

    /// Sets up the starting position and forgets all moves.
    fn reset(&mut self) {
        *self = Self::of(Board::start(), self.chess960);
    }

    /// The opening as its ECO code and name, if the position or an earlier one has a name.
    fn opening(&self) -> Option<(&'static str, &'static str)> {
        let played = self.history.played.iter().map(|(board, _)| board);
        let opening = tabiya_notation::opening_of_game(played.chain([self.board()]))?;
        Some((opening.eco, opening.name))
    }

    /// The reasons why no game can lead to the position, in sentences; usually none.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let setup: Setup = self.board().setup();
        let _ = Board::new_forgiving(&setup, |error| {
            remarks.push(error.to_string());
            true
        });
        remarks
    }

    /// Whether the position is legal. It always is.
    #[expect(clippy::unused_self, reason = "python-chess has it")]
    const fn is_valid(&self) -> bool {
        true
    }

    /// Counts the positions after a number of halfmoves.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        crate::position::perft(py, *self.board(), depth)
    }

    /// The board drawn with Unicode figures.
    #[pyo3(signature = (*, invert_color=false, borders=false, empty_square="⭘", orientation=ColorArg(Color::White)))]
    fn unicode(
        &self,
        invert_color: bool,
        borders: bool,
        empty_square: &str,
        orientation: ColorArg,
    ) -> String {
        crate::position::unicode(
            self.board(),
            invert_color,
            borders,
            empty_square,
            orientation.0,
        )
    }

    fn __str__(&self) -> String {
        lines(self.board())
    }

    fn __repr__(&self) -> PyResult<String> {
        let fen = fen(&self.history, false, "legal")?;
        Ok(if self.chess960 {
            format!("Board('{fen}', chess960=True)")
        } else {
            format!("Board('{fen}')")
        })
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf
            .py()
            .import("tabiya.svg")?
            .call_method1("board", (slf,))?
            .unbind())
    }
}
