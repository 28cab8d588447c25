//! Methods of `Board` that say what the position is.

use super::*;

#[pymethods]
impl PyBoard {
    /// The side to move: `WHITE` or `BLACK`.
    #[getter]
    fn turn(&self) -> bool {
        self.board().turn().is_white()
    }

    /// The number of the next move, counted from 1.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.board().fullmove_number()
    }

    /// Halfmoves since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.board().halfmove_clock()
    }

    /// Whether castling is spelled as the king taking its rook.
    #[getter]
    const fn chess960(&self) -> bool {
        self.chess960
    }

    #[setter]
    fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960 || needs_chess960(self.board());
    }

    /// The square that a pawn has just passed over, or `None`.
    #[getter]
    fn ep_square(&self) -> Option<usize> {
        crate::position::skipped_square(&self.history).map(Square::index)
    }

    /// Whether an en passant capture is legal.
    fn has_legal_en_passant(&self) -> bool {
        crate::position::has_legal_en_passant(self.board())
    }

    /// The squares of the rooks that may still castle, as a number.
    #[getter]
    fn castling_rights(&self) -> u64 {
        self.board().castling_rooks().0
    }

    /// The squares of the rooks that may still castle, as a number.
    fn clean_castling_rights(&self) -> u64 {
        self.board().castling_rooks().0
    }

    /// Whether a side may still castle.
    fn has_castling_rights(&self, color: ColorArg) -> bool {
        CastlingSide::ALL
            .into_iter()
            .any(|side| self.board().castling_rook(color.0, side).is_some())
    }

    /// Whether a side may still castle kingside.
    fn has_kingside_castling_rights(&self, color: ColorArg) -> bool {
        self.board()
            .castling_rook(color.0, CastlingSide::KingSide)
            .is_some()
    }

    /// Whether a side may still castle queenside.
    fn has_queenside_castling_rights(&self, color: ColorArg) -> bool {
        self.board()
            .castling_rook(color.0, CastlingSide::QueenSide)
            .is_some()
    }

    /// The castling rights as in FEN.
    fn castling_xfen(&self) -> String {
        castling_text(&self.board().to_string())
    }

    /// The castling rights by the files of the rooks.
    fn castling_shredder_fen(&self) -> String {
        castling_text(&self.board().shredder_fen().to_string())
    }

    /// The Zobrist key with Polyglot's numbers.
    #[getter]
    fn key(&self) -> u64 {
        self.board().key()
    }

    /// The squares of all pieces of a kind, as a number: see `pieces` for a set.
    #[getter]
    fn pawns(&self) -> u64 {
        self.board().by_role(Role::Pawn).0
    }

    /// The squares of all knights, as a number.
    #[getter]
    fn knights(&self) -> u64 {
        self.board().by_role(Role::Knight).0
    }

    /// The squares of all bishops, as a number.
    #[getter]
    fn bishops(&self) -> u64 {
        self.board().by_role(Role::Bishop).0
    }

    /// The squares of all rooks, as a number.
    #[getter]
    fn rooks(&self) -> u64 {
        self.board().by_role(Role::Rook).0
    }

    /// The squares of all queens, as a number.
    #[getter]
    fn queens(&self) -> u64 {
        self.board().by_role(Role::Queen).0
    }

    /// The squares of both kings, as a number.
    #[getter]
    fn kings(&self) -> u64 {
        self.board().by_role(Role::King).0
    }

    /// The squares of all pieces, as a number.
    #[getter]
    fn occupied(&self) -> u64 {
        self.board().occupied().0
    }

    /// The squares of Black's and of White's pieces: `occupied_co[WHITE]`.
    #[getter]
    fn occupied_co(&self) -> (u64, u64) {
        (
            self.board().by_color(Color::Black).0,
            self.board().by_color(Color::White).0,
        )
    }

    /// The piece on a square, or `None`.
    fn piece_at<'py>(
        &self,
        py: Python<'py>,
        square: SquareArg,
    ) -> PyResult<Option<Bound<'py, PyPiece>>> {
        let piece = self.board().piece_at(square.0);
        piece.map(|piece| PyPiece::get(py, piece)).transpose()
    }

    /// The kind of the piece on a square, or `None`.
    fn piece_type_at(&self, square: SquareArg) -> Option<u8> {
        self.board().role_at(square.0).map(role_number)
    }

    /// The colour of the piece on a square, or `None`.
    fn color_at(&self, square: SquareArg) -> Option<bool> {
        self.board().color_at(square.0).map(Color::is_white)
    }

    /// The square of a king.
    fn king(&self, color: ColorArg) -> usize {
        self.board().king(color.0).index()
    }

    /// The squares of the pieces of a kind and colour.
    fn pieces(&self, piece_type: RoleArg, color: ColorArg) -> PySquareSet {
        self.board().pieces(color.0, piece_type.0).into()
    }

    /// The squares of the pieces of a kind and colour, as a number.
    fn pieces_mask(&self, piece_type: RoleArg, color: ColorArg) -> u64 {
        self.board().pieces(color.0, piece_type.0).0
    }

    /// The pieces by their squares.
    #[pyo3(signature = (*, mask=SquaresArg(Bitboard::FULL)))]
    fn piece_map<'py>(&self, py: Python<'py>, mask: SquaresArg) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for square in self.board().occupied() & mask.0 {
            if let Some(piece) = self.board().piece_at(square) {
                map.set_item(square.index(), PyPiece::get(py, piece)?)?;
            }
        }
        Ok(map)
    }

    /// The pieces of a colour that attack a square.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers(
        &self,
        color: ColorArg,
        square: SquareArg,
        occupied: Option<SquaresArg>,
    ) -> PySquareSet {
        let occupied = occupied.map_or_else(|| self.board().occupied(), |set| set.0);
        self.board().attackers(square.0, color.0, occupied).into()
    }

    /// The pieces of a colour that attack a square, as a number.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers_mask(
        &self,
        color: ColorArg,
        square: SquareArg,
        occupied: Option<SquaresArg>,
    ) -> u64 {
        self.attackers(color, square, occupied).mask
    }

    /// The squares that the piece on a square attacks.
    fn attacks(&self, square: SquareArg) -> PySquareSet {
        let piece = self.board().piece_at(square.0);
        let attacked = piece.map_or(Bitboard::EMPTY, |piece| {
            tabiya_board::attacks::of(piece.role, piece.color, square.0, self.board().occupied())
        });
        attacked.into()
    }

    /// The squares that the piece on a square attacks, as a number.
    fn attacks_mask(&self, square: SquareArg) -> u64 {
        self.attacks(square).mask
    }

    /// Whether a side attacks a square.
    #[pyo3(signature = (color, square, occupied=None))]
    fn is_attacked_by(
        &self,
        color: ColorArg,
        square: SquareArg,
        occupied: Option<SquaresArg>,
    ) -> bool {
        self.attackers_mask(color, square, occupied) != 0
    }

    /// The line that a pinned piece of a colour must stay on; all squares if it is not pinned.
    fn pin(&self, color: ColorArg, square: SquareArg) -> PySquareSet {
        pin(self.board(), color.0, square.0)
            .unwrap_or(Bitboard::FULL)
            .into()
    }

    /// The same as `pin`, as a number.
    fn pin_mask(&self, color: ColorArg, square: SquareArg) -> u64 {
        self.pin(color, square).mask
    }

    /// Whether a piece of a colour on a square is pinned to its king.
    fn is_pinned(&self, color: ColorArg, square: SquareArg) -> bool {
        pin(self.board(), color.0, square.0).is_some()
    }

    /// All pinned pieces of a colour, with the lines that they must stay on.
    fn pins<'py>(&self, py: Python<'py>, color: ColorArg) -> PyResult<Bound<'py, PyDict>> {
        let pins = PyDict::new(py);
        for square in self.board().by_color(color.0) {
            if let Some(line) = pin(self.board(), color.0, square) {
                pins.set_item(square.index(), Py::new(py, PySquareSet::from(line))?)?;
            }
        }
        Ok(pins)
    }

    /// The pieces that give check.
    fn checkers(&self) -> PySquareSet {
        self.board().checkers().into()
    }

    /// The pieces that give check, as a number.
    fn checkers_mask(&self) -> u64 {
        self.board().checkers().0
    }
}
