//! Standard Algebraic Notation: one reader for all its dialects, one writer.

use std::fmt;

use tabiya_board::{Bitboard, File, Found, Move, Position, Rank, Refusal, Role, Square, Wing};
use thiserror::Error;

use crate::letters::Letters;
use crate::scan::{scan, scan_castle};

/// How strictly moves are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Exactly what the PGN standard writes, `+`, `#` and all.
    Strict,
    /// What real files contain: missing or needless `x + # =`, zeros for castling, `e.p.`, `!?`, long algebraic
    /// notation, figurines, move numbers stuck to moves.
    #[default]
    Import,
    /// The notation of the classic program chessmoves.
    Chessmoves,
    /// The notation of the classic program analysis, in which a pinned piece still makes a move ambiguous.
    Analysis,
}

/// A move as it is written, before a position says which move that is, in four bytes.
///
/// [`parts`](Self::parts) takes it apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct San(u32);

/// What a [`San`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SanParts {
    /// A piece goes to a square.
    Piece(PieceMove),
    /// Castling.
    Castle(Wing),
    /// `--`: nobody moves.
    Null,
}

/// What notation tells of an ordinary move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMove {
    /// What moves.
    pub role: Role,
    /// The file it comes from, if written.
    pub file: Option<File>,
    /// The rank it comes from, if written.
    pub rank: Option<Rank>,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
    /// Whether a capture is written.
    pub capture: bool,
    /// Whether the capture is marked as en passant.
    pub en_passant: bool,
}

/// Where the parts of a move stand in its 32 bits. A file, a rank or a promotion that is not written has the value 8,
/// the role of castling and of a null move are 6 and 7, with the wing in place of the square.
mod field {
    pub(super) const TO: u32 = 0;
    pub(super) const ROLE: u32 = 6;
    pub(super) const FILE: u32 = 9;
    pub(super) const RANK: u32 = 13;
    pub(super) const PROMOTION: u32 = 17;
    pub(super) const CAPTURE: u32 = 21;
    pub(super) const EN_PASSANT: u32 = 22;

    pub(super) const CASTLE: u32 = 6;
    pub(super) const NULL: u32 = 7;
    pub(super) const ABSENT: u32 = 8;
}

impl San {
    /// Nobody moves.
    pub const NULL: Self = Self(field::NULL << field::ROLE);

    /// Castling.
    pub const fn castle(wing: Wing) -> Self {
        Self(field::CASTLE << field::ROLE | wing as u32)
    }

    /// An ordinary move. Files and ranks are given by their number, 8 if they are not written.
    #[inline(always)]
    pub(crate) const fn packed(
        role: u32,
        file: u32,
        rank: u32,
        to: u32,
        promotion: u32,
        capture: u32,
    ) -> Self {
        Self(
            to << field::TO
                | role << field::ROLE
                | file << field::FILE
                | rank << field::RANK
                | promotion << field::PROMOTION
                | capture << field::CAPTURE,
        )
    }

    #[inline(always)]
    const fn get(self, at: u32, bits: u32) -> u32 {
        self.0 >> at & ((1 << bits) - 1)
    }

    /// Its parts.
    pub fn parts(self) -> SanParts {
        let role = self.get(field::ROLE, 3);
        match Role::ALL.get(role as usize) {
            None if role == field::NULL => SanParts::Null,
            None => SanParts::Castle(Wing::ALL[self.get(field::TO, 1) as usize]),
            Some(&role) => SanParts::Piece(PieceMove {
                role,
                file: File::ALL.get(self.get(field::FILE, 4) as usize).copied(),
                rank: Rank::ALL.get(self.get(field::RANK, 4) as usize).copied(),
                to: self.to(),
                promotion: self.promotion(),
                capture: self.get(field::CAPTURE, 1) != 0,
                en_passant: self.get(field::EN_PASSANT, 1) != 0,
            }),
        }
    }

    #[inline(always)]
    fn to(self) -> Square {
        // Six bits are always a square.
        Square::from_index(self.get(field::TO, 6) as usize).unwrap_or(Square::A1)
    }

    #[inline(always)]
    fn promotion(self) -> Option<Role> {
        match self.get(field::PROMOTION, 4) {
            field::ABSENT => None,
            role => Role::ALL.get(role as usize).copied(),
        }
    }

    /// Whether a pawn reaches the end of the board and nothing is written of what it becomes.
    pub(crate) fn lacks_promotion(self) -> bool {
        match self.parts() {
            SanParts::Piece(piece) => {
                piece.role == Role::Pawn
                    && piece.promotion.is_none()
                    && matches!(piece.to.rank(), Rank::First | Rank::Eighth)
            }
            _ => false,
        }
    }

    /// The squares the piece can come from.
    #[inline(always)]
    fn origins(self) -> Bitboard {
        const FILES: [Bitboard; 16] = {
            let mut sets = [Bitboard::FULL; 16];
            let mut i = 0;
            while i < 8 {
                sets[i] = Bitboard::file(File::ALL[i]);
                i += 1;
            }
            sets
        };
        const RANKS: [Bitboard; 16] = {
            let mut sets = [Bitboard::FULL; 16];
            let mut i = 0;
            while i < 8 {
                sets[i] = Bitboard::rank(Rank::ALL[i]);
                i += 1;
            }
            sets
        };
        FILES[self.get(field::FILE, 4) as usize] & RANKS[self.get(field::RANK, 4) as usize]
    }
}

impl From<PieceMove> for San {
    fn from(piece: PieceMove) -> Self {
        let packed = Self::packed(
            piece.role as u32,
            piece.file.map_or(field::ABSENT, |file| file as u32),
            piece.rank.map_or(field::ABSENT, |rank| rank as u32),
            piece.to.index() as u32,
            piece.promotion.map_or(field::ABSENT, |role| role as u32),
            piece.capture as u32,
        );
        Self(packed.0 | (piece.en_passant as u32) << field::EN_PASSANT)
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.parts(), f)
    }
}

/// Why a text is no move, or no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text ends too early.
    #[error("the move breaks off after {at} characters")]
    Incomplete {
        /// The number of bytes read.
        at: usize,
    },
    /// A character that cannot stand there.
    #[error("{found:?} cannot stand in a move there (character {})", at + 1)]
    Unexpected {
        /// The number of bytes before it.
        at: usize,
        /// The character.
        found: char,
    },
    /// A letter at the start that is no piece.
    #[error(
        "{found:?} is no piece: the pieces are {}",
        Letters::of_language(language)
    )]
    UnknownPiece {
        /// The letter.
        found: char,
        /// The two-letter code of the language whose letters were wanted.
        language: &'static str,
    },
    /// It can be read, but no legal move is like that.
    #[error("{reason}")]
    Illegal {
        /// The rule that forbids it.
        reason: Refusal,
    },
    /// It can be read, but no piece of that kind moves there.
    #[error("no {role} of the side to move goes to {to}")]
    NoSuchPiece {
        /// The kind of piece.
        role: Role,
        /// Where it should go.
        to: Square,
    },
    /// Several pieces can make the move.
    #[error("more than one {role} can go to {to}: from {}", squares(*from))]
    Ambiguous {
        /// The kind of piece.
        role: Role,
        /// Where they can go.
        to: Square,
        /// Where they stand.
        from: Bitboard,
    },
    /// A capture is written where nothing is captured, or is not written where something is.
    #[error("{}", if *written { "nothing is captured there" } else { "a capture is written with an x" })]
    Capture {
        /// Whether one is written.
        written: bool,
    },
    /// `e.p.` stands behind another move than a capture en passant.
    #[error("this move is no capture en passant")]
    NotEnPassant,
    /// The move is clear, but the standard writes it otherwise.
    #[error("the standard writes this move {standard}")]
    NotStandard {
        /// How it is written.
        standard: String,
    },
    /// A null move, which is no move of the rules.
    #[error("a null move is no legal move")]
    NullMove,
}

fn squares(set: Bitboard) -> String {
    let names: Vec<_> = set.into_iter().map(|square| square.to_string()).collect();
    names.join(" and ")
}

impl San {
    /// Reads a move in a dialect with the English letters.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// use tabiya_notation::{Dialect, San};
    ///
    /// let mut board = Board::start();
    /// for text in ["e4", "1...e5", "Ng1-f3", "♞c6", "Bc4", "Nf6", "0-0!?"] {
    ///     let san = San::read(text, Dialect::Import).unwrap();
    ///     board.play(san.find(&board, Dialect::Import).unwrap());
    /// }
    /// assert!(San::read("Cf3", Dialect::Import).is_err());
    /// ```
    pub fn read(text: &str, dialect: Dialect) -> Result<Self, SanError> {
        Self::read_with(text, dialect, &Letters::ENGLISH)
    }

    /// Reads a move in a dialect with the letters of a language.
    #[inline]
    pub fn read_with(text: &str, dialect: Dialect, letters: &Letters) -> Result<Self, SanError> {
        if matches!(dialect, Dialect::Import | Dialect::Strict) && letters.is_english() {
            let bytes = text.as_bytes();
            if let Some((san, length)) = scan(bytes).or_else(|| scan_castle(bytes))
                && length == text.len()
            {
                return Ok(san);
            }
        }
        Self::read_slowly(text, dialect, letters)
    }

    /// Reads any spelling, and finds the place and the reason where it cannot be read.
    #[cold]
    fn read_slowly(text: &str, dialect: Dialect, letters: &Letters) -> Result<Self, SanError> {
        let mut reader = Reader {
            text,
            at: 0,
            dialect,
            letters,
        };
        let san = reader.san()?;
        match reader.peek() {
            None => Ok(san),
            Some(found) => Err(SanError::Unexpected {
                at: reader.at,
                found,
            }),
        }
    }

    /// The move of a position that is meant.
    ///
    /// [`Dialect::Strict`] cannot tell from here how the move was written: [`read_move`] can.
    #[inline]
    pub fn find(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        if dialect != Dialect::Import {
            return self.find_strictly(position, dialect);
        }
        let Some(&role) = Role::ALL.get(self.get(field::ROLE, 3) as usize) else {
            return self.find_strictly(position, dialect);
        };
        let to = self.to();
        let mut from = self.origins();
        if role == Role::Pawn
            && self.get(field::FILE, 4) == field::ABSENT
            && self.get(field::CAPTURE, 1) == 0
        {
            // A pawn capture names its file: `d5` is a step, even where a pawn could capture on d5.
            from &= Bitboard::file(to.file());
        }
        match position.find(role, from, to, self.promotion()) {
            Found::One(mv) if self.get(field::EN_PASSANT, 1) == 0 || mv.is_en_passant() => Ok(mv),
            _ => self.find_strictly(position, dialect),
        }
    }

    /// The same, step by step, with the reason if there is no such move.
    #[cold]
    #[inline(never)]
    fn find_strictly(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        match self.parts() {
            SanParts::Null => Err(SanError::NullMove),
            SanParts::Castle(wing) => position
                .why_not_castle(wing)
                .map_err(|reason| SanError::Illegal { reason }),
            SanParts::Piece(piece) => piece.find(position, dialect),
        }
    }
}

impl PieceMove {
    fn find(self, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
        let mut from = San::from(self).origins();
        let leaves_file_out = self.role == Role::Pawn && self.file.is_none();
        if leaves_file_out && !self.capture {
            from &= Bitboard::file(self.to.file());
        }
        if dialect == Dialect::Analysis {
            return self.find_by_movement(position, from);
        }
        match position.find(self.role, from, self.to, self.promotion) {
            Found::One(mv) => {
                if self.en_passant && !mv.is_en_passant() {
                    return Err(SanError::NotEnPassant);
                }
                self.check_capture(position, mv, dialect)?;
                Ok(mv)
            }
            Found::Several(from) => Err(SanError::Ambiguous {
                role: self.role,
                to: self.to,
                from,
            }),
            Found::Nothing => Err(self.explain(position, from)),
        }
    }

    /// Whether an `x` is where the dialect wants one.
    fn check_capture(
        self,
        position: &Position,
        mv: Move,
        dialect: Dialect,
    ) -> Result<(), SanError> {
        let fits = match dialect {
            Dialect::Import => true,
            // It may be missing, but it may not be wrong.
            Dialect::Chessmoves => !self.capture || is_capture(position, mv),
            Dialect::Strict | Dialect::Analysis => self.capture == is_capture(position, mv),
        };
        if fits {
            Ok(())
        } else {
            Err(SanError::Capture {
                written: self.capture,
            })
        }
    }

    /// The classic's rule: which piece is meant is told by movement alone, and only then is the law asked.
    fn find_by_movement(self, position: &Position, from: Bitboard) -> Result<Move, SanError> {
        let mut candidates = position.origins(self.role, self.to) & from;
        if self.role == Role::Pawn {
            // A pawn captures where an x is written, and nowhere else.
            let file = Bitboard::file(self.to.file());
            candidates = if self.capture {
                candidates - file
            } else {
                candidates & file
            };
        } else if self.capture != position.color_at(self.to).is_some() {
            candidates = Bitboard::EMPTY;
        }
        let (role, to) = (self.role, self.to);
        match candidates.first() {
            None => Err(SanError::NoSuchPiece { role, to }),
            Some(_) if candidates.more_than_one() => Err(SanError::Ambiguous {
                role,
                to,
                from: candidates,
            }),
            Some(from) => position
                .why_not(from, to, self.promotion)
                .map_err(|reason| SanError::Illegal { reason }),
        }
    }

    /// Why there is no such move.
    #[cold]
    fn explain(self, position: &Position, from: Bitboard) -> SanError {
        let own = position.pieces(position.turn(), self.role) & from;
        let close = position.origins(self.role, self.to) & from;
        let legal = position.legal_origins(self.role, self.to) & from;
        // The one pawn that may move there but does not say what it becomes; one piece that moves there but may not; or
        // the only one of its kind; otherwise nobody in particular.
        let candidate = match (legal.first().or(close.first()), own.first()) {
            (Some(square), _) => Some(square),
            (None, Some(square)) if !own.more_than_one() => Some(square),
            _ => None,
        };
        let refusal =
            candidate.and_then(|from| position.why_not(from, self.to, self.promotion).err());
        match refusal {
            Some(reason) => SanError::Illegal { reason },
            None => SanError::NoSuchPiece {
                role: self.role,
                to: self.to,
            },
        }
    }
}

/// Reads a move of a position in a dialect with the English letters.
///
/// ```
/// use tabiya_board::Board;
/// use tabiya_notation::{Dialect, read_move};
///
/// let board = Board::start();
/// assert!(read_move("Ng1f3", &board, Dialect::Import).is_ok());
/// let error = read_move("Ng1f3", &board, Dialect::Strict).unwrap_err();
/// assert_eq!(error.to_string(), "the standard writes this move Nf3");
/// let error = read_move("Bc4", &board, Dialect::Import).unwrap_err();
/// assert_eq!(error.to_string(), "no bishop of the side to move goes to c4");
/// ```
pub fn read_move(text: &str, position: &Position, dialect: Dialect) -> Result<Move, SanError> {
    read_move_with(text, position, dialect, &Letters::ENGLISH)
}

/// Reads a move of a position in a dialect with the letters of a language.
pub fn read_move_with(
    text: &str,
    position: &Position,
    dialect: Dialect,
    letters: &Letters,
) -> Result<Move, SanError> {
    let read = |dialect| San::read_with(text, dialect, letters)?.find(position, dialect);
    if dialect != Dialect::Strict {
        return read(dialect);
    }
    // Where generosity understands what strictness does not, the error can say how it should be written.
    let mv = read(Dialect::Strict).or_else(|error| read(Dialect::Import).map_err(|_| error))?;
    let standard = letters.localise(&write_move(position, mv));
    if standard == text {
        Ok(mv)
    } else {
        Err(SanError::NotStandard { standard })
    }
}

/// Whether a move captures something.
#[inline]
fn is_capture(position: &Position, mv: Move) -> bool {
    mv.is_en_passant() || (!mv.is_castle() && position.by_color(!position.turn()).contains(mv.to()))
}

/// A move written in SAN, without an allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SanText {
    len: u8,
    /// The longest is `Qa1xb2#` or `axb8=Q#`: seven characters; `O-O-O+` has six.
    text: [u8; 7],
}

impl SanText {
    const EMPTY: Self = Self {
        len: 0,
        text: [0; 7],
    };

    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.text[self.len as usize] = byte;
        self.len += 1;
    }

    #[inline(always)]
    fn square(&mut self, square: Square) {
        self.push(square.file().char() as u8);
        self.push(square.rank().char() as u8);
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        // Only ASCII is ever pushed.
        std::str::from_utf8(&self.text[..self.len as usize]).unwrap_or_default()
    }
}

impl std::ops::Deref for SanText {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for SanText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Writes a legal move of a position as the PGN standard wants it.
///
/// ```
/// use tabiya_board::{Board, Square};
/// use tabiya_notation::write_move;
///
/// let board: Board = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2".parse().unwrap();
/// let mv = board.why_not(Square::D8, Square::H4, None).unwrap();
/// assert_eq!(write_move(&board, mv).as_str(), "Qh4#");
/// ```
pub fn write_move(position: &Position, mv: Move) -> SanText {
    let mut san = SanText::EMPTY;
    let (from, to) = (mv.from(), mv.to());
    if mv.is_castle() {
        for byte in castle_text(mv).bytes() {
            san.push(byte);
        }
    } else {
        let capture = is_capture(position, mv);
        match mv.role() {
            Role::Pawn => {
                if capture {
                    san.push(from.file().char() as u8);
                }
            }
            role => {
                san.push(role.upper_char() as u8);
                disambiguate(&mut san, position, role, from, to);
            }
        }
        if capture {
            san.push(b'x');
        }
        san.square(to);
        if let Some(role) = mv.promotion() {
            san.push(b'=');
            san.push(role.upper_char() as u8);
        }
    }
    let mut after = *position;
    after.play_unchecked(mv);
    if after.is_check() {
        san.push(if after.has_legal_move() { b'+' } else { b'#' });
    }
    san
}

/// How castling is written.
pub(crate) fn castle_text(mv: Move) -> &'static str {
    if mv.to().file() == Wing::King.king_file() {
        "O-O"
    } else {
        "O-O-O"
    }
}

/// Writes the file, the rank or both where another piece of the same kind could legally make the move.
#[inline]
fn disambiguate(san: &mut SanText, position: &Position, role: Role, from: Square, to: Square) {
    // Nearly always nobody else even moves there: only then is the law worth asking.
    let rivals = position.origins(role, to) - Bitboard::from(from);
    if rivals.is_empty() {
        return;
    }
    let rivals = position.legal_origins(role, to) - Bitboard::from(from);
    if rivals.is_empty() {
        return;
    }
    let same_file = rivals.intersects(Bitboard::file(from.file()));
    let same_rank = rivals.intersects(Bitboard::rank(from.rank()));
    if !same_file || same_rank {
        san.push(from.file().char() as u8);
    }
    if same_file {
        san.push(from.rank().char() as u8);
    }
}

/// Reads one move, character by character.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    letters: &'a Letters,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Takes the next character if it fulfils a condition.
    fn take_if<T>(&mut self, condition: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let next = self.peek()?;
        let value = condition(next)?;
        self.at += next.len_utf8();
        Some(value)
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len();
        }
        found
    }

    fn unexpected(&self) -> SanError {
        match self.peek() {
            None => SanError::Incomplete { at: self.at },
            Some(found) => SanError::Unexpected { at: self.at, found },
        }
    }

    /// Whether the dialect reads what real files contain.
    fn is_generous(&self) -> bool {
        self.dialect == Dialect::Import
    }

    fn san(&mut self) -> Result<San, SanError> {
        if self.is_generous() {
            self.move_number();
            if self.take("--") || self.take("Z0") || self.take("@@@@") {
                return Ok(San::NULL);
            }
        }
        if let Some(wing) = self.castle()? {
            self.suffixes();
            return Ok(San::castle(wing));
        }
        let mut piece = self.piece_move()?;
        self.suffixes();
        if piece.role == Role::Pawn && !piece.en_passant {
            // As in `exd6+ e.p.`
            self.en_passant(&mut piece);
            self.suffixes();
        }
        Ok(piece.into())
    }

    /// `12.`, `12...`, `12. ...` and `12…`
    fn move_number(&mut self) {
        let rest = self
            .text
            .trim_start_matches(|next: char| next.is_ascii_digit());
        let after = rest.trim_start_matches(['.', '…', ' ', '\t']);
        if rest.starts_with(['.', '…']) {
            self.at = self.text.len() - after.len();
        }
    }

    fn castle(&mut self) -> Result<Option<Wing>, SanError> {
        let letter = match self.peek() {
            Some('O') => 'O',
            Some('0') if self.dialect != Dialect::Strict => '0',
            Some('o') if self.is_generous() => 'o',
            _ => return Ok(None),
        };
        // In Dutch, an O is a pawn too.
        if letter == 'O' && !self.text[self.at..].starts_with("O-") && self.names_piece() {
            return Ok(None);
        }
        let mut length = 0;
        loop {
            if self
                .take_if(|next| (next == letter).then_some(()))
                .is_none()
            {
                return Err(self.unexpected());
            }
            length += 1;
            if length == 3 || !self.take("-") {
                break;
            }
        }
        match length {
            2 => Ok(Some(Wing::King)),
            3 => Ok(Some(Wing::Queen)),
            _ => Err(self.unexpected()),
        }
    }

    fn piece_move(&mut self) -> Result<PieceMove, SanError> {
        let role = self.role()?;
        let mut piece = PieceMove {
            role,
            file: None,
            rank: None,
            to: Square::A1,
            promotion: None,
            capture: false,
            en_passant: false,
        };
        self.squares(&mut piece)?;
        if role == Role::Pawn {
            self.promotion(&mut piece)?;
            self.en_passant(&mut piece);
        }
        Ok(piece)
    }

    /// Whether the letter of a piece comes next.
    fn names_piece(&self) -> bool {
        self.letters.role(&self.text[self.at..]).is_some()
    }

    /// What moves.
    fn role(&mut self) -> Result<Role, SanError> {
        if self.is_generous()
            && let Some(role) = self.take_if(figurine)
        {
            return Ok(role);
        }
        let pawn_letter = matches!(self.dialect, Dialect::Import | Dialect::Chessmoves);
        let Some(next) = self.peek() else {
            return Err(self.unexpected());
        };
        if let Some((role, length)) = self.letters.role(&self.text[self.at..])
            && (role != Role::Pawn || pawn_letter)
        {
            self.at += length;
            return Ok(role);
        }
        if matches!(next, 'a'..='h' | 'x') || !next.is_alphabetic() {
            return Ok(Role::Pawn);
        }
        if self.dialect == Dialect::Analysis || self.names_piece() {
            return Err(self.unexpected());
        }
        Err(SanError::UnknownPiece {
            found: next,
            language: self.letters.language(),
        })
    }

    /// `e4`, `xe4`, `dxe4`, `1xe4`, `d3e4`, `d3-e4`, `d3:e4` and so on.
    fn squares(&mut self, piece: &mut PieceMove) -> Result<(), SanError> {
        let is_pawn = piece.role == Role::Pawn;
        // Only these know pawn moves other than `e4` and `exd5`.
        let any_pawn = matches!(self.dialect, Dialect::Import | Dialect::Chessmoves);
        let first_file = self.take_if(lower_file);
        let rank_alone = !is_pawn || self.dialect == Dialect::Chessmoves;
        let first_rank = if first_file.is_some() || rank_alone {
            self.take_if(Rank::from_char)
        } else {
            None
        };
        let marked = self.take("x") || (self.is_generous() && (self.take(":") || self.take("×")));
        piece.capture = marked;
        if !marked && first_file.is_some() && first_rank.is_some() {
            let dash = self.is_generous() && (self.take("-") || self.take("–"));
            let long = self.dialect != Dialect::Strict || !is_pawn;
            let continues = long
                && self.peek().is_some_and(|next| lower_file(next).is_some())
                && !(is_pawn && self.is_small_bishop());
            if !continues && !dash {
                // There was only one square, and it is where the piece goes.
                piece.to = square(first_file, first_rank).ok_or_else(|| self.unexpected())?;
                return Ok(());
            }
        }
        if is_pawn && marked && !any_pawn && (first_file.is_none() || first_rank.is_some()) {
            self.at -= "x".len();
            return Err(self.unexpected());
        }
        let from_nowhere = first_file.is_none() && first_rank.is_none();
        if is_pawn && !marked && (!any_pawn || from_nowhere) {
            return Err(self.unexpected());
        }
        piece.file = first_file;
        piece.rank = first_rank;
        let file = self.take_if(lower_file).ok_or_else(|| self.unexpected())?;
        let rank = self
            .take_if(Rank::from_char)
            .ok_or_else(|| self.unexpected())?;
        piece.to = Square::new(file, rank);
        Ok(())
    }

    /// Whether a small `b` comes next that is no file, as in `a7a8b`.
    fn is_small_bishop(&self) -> bool {
        let mut next = self.text[self.at..].chars();
        self.is_generous()
            && next.next() == Some('b')
            && next.next().and_then(Rank::from_char).is_none()
    }

    fn promotion(&mut self, piece: &mut PieceMove) -> Result<(), SanError> {
        let start = self.at;
        let must;
        let mut in_brackets = false;
        match self.dialect {
            Dialect::Strict | Dialect::Analysis => {
                must = self.take("=");
                if !must {
                    return Ok(());
                }
            }
            Dialect::Chessmoves => must = self.take("="),
            Dialect::Import => {
                // Without a promotion after it, a space is the end, and `=` an opinion or the offer of a draw.
                while self.take(" ") {}
                in_brackets = self.take("(");
                let _ = self.take("=") || self.take("/");
                must = in_brackets;
            }
        }
        piece.promotion = self.promotion_role();
        if piece.promotion.is_none() {
            if must {
                return Err(self.unexpected());
            }
            self.at = start;
        }
        if in_brackets && !self.take(")") {
            return Err(self.unexpected());
        }
        Ok(())
    }

    /// What a pawn becomes, by a letter or, in real files, a small letter or a figurine.
    fn promotion_role(&mut self) -> Option<Role> {
        let letter = self.letters.role(&self.text[self.at..]);
        if let Some((role, length)) = letter.filter(|(role, _)| Role::PROMOTIONS.contains(role)) {
            self.at += length;
            return Some(role);
        }
        if !self.is_generous() {
            return None;
        }
        // In another language, a small letter may be another piece.
        let is_english = *self.letters == Letters::ENGLISH;
        self.take_if(|next| {
            let small = Role::from_char(next).filter(|_| is_english && next.is_ascii_lowercase());
            small
                .or_else(|| figurine(next))
                .filter(|role| Role::PROMOTIONS.contains(role))
        })
    }

    fn en_passant(&mut self, piece: &mut PieceMove) {
        if !matches!(self.dialect, Dialect::Import | Dialect::Chessmoves) {
            return;
        }
        let start = self.at;
        while self.take(" ") {}
        piece.en_passant = self.take("e.p.") || self.take("e.p") || self.take("ep");
        if !piece.en_passant {
            self.at = start;
        }
    }

    /// Checks and opinions, which are not looked at.
    fn suffixes(&mut self) {
        let allowed: &[char] = match self.dialect {
            Dialect::Strict => {
                let _ = self.take_if(|next| matches!(next, '+' | '#').then_some(()));
                return;
            }
            Dialect::Analysis => return,
            Dialect::Chessmoves => &['+', '#', '!', '?'],
            Dialect::Import => &['+', '#', '!', '?', '†', '‡', '=', '±', '∓', '∞', '⩲', '⩱'],
        };
        loop {
            if self.is_generous() && self.take("mate") {
                continue;
            }
            if self.is_generous() && self.peek() == Some('$') {
                self.at += 1;
                while self
                    .take_if(|next| next.is_ascii_digit().then_some(()))
                    .is_some()
                {}
                continue;
            }
            if self
                .take_if(|next| allowed.contains(&next).then_some(()))
                .is_none()
            {
                return;
            }
        }
    }
}

fn lower_file(letter: char) -> Option<File> {
    if letter.is_ascii_lowercase() {
        File::from_char(letter)
    } else {
        None
    }
}

fn square(file: Option<File>, rank: Option<Rank>) -> Option<Square> {
    Some(Square::new(file?, rank?))
}

/// The role of a chess piece of Unicode, of either colour.
fn figurine(letter: char) -> Option<Role> {
    Some(match letter {
        '♔' | '♚' => Role::King,
        '♕' | '♛' => Role::Queen,
        '♖' | '♜' => Role::Rook,
        '♗' | '♝' => Role::Bishop,
        '♘' | '♞' => Role::Knight,
        '♙' | '♟' => Role::Pawn,
        _ => return None,
    })
}
