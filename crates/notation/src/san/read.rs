//! Reading SAN in any dialect.

use tabiya_board::{CastlingSide, File, Rank, Role, Square};

use super::Dialect;
use super::error::SanError;
use super::parts::{PieceMove, San};
use crate::letters::PieceLetters;
use crate::scan::{scan, scan_castle};

impl San {
    /// Reads a move, with English piece letters.
    ///
    /// ```
    /// use tabiya_board::Board;
    /// use tabiya_notation::{Dialect, San};
    ///
    /// let mut board = Board::start();
    /// for text in ["e4", "1...e5", "Ng1-f3", "♞c6", "Bc4", "Nf6", "0-0!?"] {
    ///     let san = San::parse(text, Dialect::Import).unwrap();
    ///     board.play(san.to_move(&board, Dialect::Import).unwrap());
    /// }
    /// assert!(San::parse("Cf3", Dialect::Import).is_err());
    /// ```
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, SanError> {
        Self::parse_with(text, dialect, &PieceLetters::ENGLISH)
    }

    /// Reads a move, with the piece letters of a language.
    #[inline]
    pub fn parse_with(
        text: &str,
        dialect: Dialect,
        letters: &PieceLetters,
    ) -> Result<Self, SanError> {
        if matches!(dialect, Dialect::Import | Dialect::Strict) && letters.is_english() {
            let bytes = text.as_bytes();
            if let Some((san, length)) = scan(bytes).or_else(|| scan_castle(bytes))
                && length == text.len()
            {
                return Ok(san);
            }
        }
        Self::parse_any(text, dialect, letters)
    }

    /// Reads any spelling, or finds where and why it cannot be read.
    #[cold]
    fn parse_any(text: &str, dialect: Dialect, letters: &PieceLetters) -> Result<Self, SanError> {
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
}

/// Reads one move, character by character.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    letters: &'a PieceLetters,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Takes the next character if a condition accepts it.
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

    /// Whether the dialect accepts everything that real files contain.
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

    fn castle(&mut self) -> Result<Option<CastlingSide>, SanError> {
        let letter = match self.peek() {
            Some('O') => 'O',
            Some('0') if self.dialect != Dialect::Strict => '0',
            Some('o') if self.is_generous() => 'o',
            _ => return Ok(None),
        };
        // In Dutch, O is also the pawn.
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
            2 => Ok(Some(CastlingSide::KingSide)),
            3 => Ok(Some(CastlingSide::QueenSide)),
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

    /// Whether a piece letter comes next.
    fn names_piece(&self) -> bool {
        self.letters.role(&self.text[self.at..]).is_some()
    }

    /// Reads the piece letter; without one it is a pawn.
    fn role(&mut self) -> Result<Role, SanError> {
        if self.is_generous()
            && let Some(role) = self.take_if(figurine)
        {
            return Ok(role);
        }
        let pawn_letter = matches!(self.dialect, Dialect::Import | Dialect::Lenient);
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
        if self.dialect == Dialect::PseudoLegal || self.names_piece() {
            return Err(self.unexpected());
        }
        Err(SanError::UnknownPiece {
            found: next,
            language: self.letters.language(),
        })
    }

    /// Reads `e4`, `xe4`, `dxe4`, `1xe4`, `d3e4`, `d3-e4`, `d3:e4` and so on.
    fn squares(&mut self, piece: &mut PieceMove) -> Result<(), SanError> {
        let is_pawn = piece.role == Role::Pawn;
        // Only these allow pawn moves other than `e4` and `exd5`.
        let any_pawn = matches!(self.dialect, Dialect::Import | Dialect::Lenient);
        let first_file = self.take_if(lower_file);
        let rank_alone = !is_pawn || self.dialect == Dialect::Lenient;
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
                // There is only one square: the target.
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

    /// Whether a lower-case `b` comes next that means a bishop, as in `a7a8b`.
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
            Dialect::Strict | Dialect::PseudoLegal => {
                must = self.take("=");
                if !must {
                    return Ok(());
                }
            }
            Dialect::Lenient => must = self.take("="),
            Dialect::Import => {
                // Without a promotion after it, a space ends the move, and `=` is an assessment or a draw offer.
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

    /// Reads the promotion: a piece letter or, in real files, a lower-case letter or a figurine.
    fn promotion_role(&mut self) -> Option<Role> {
        let letter = self.letters.role(&self.text[self.at..]);
        if let Some((role, length)) = letter.filter(|(role, _)| Role::PROMOTIONS.contains(role)) {
            self.at += length;
            return Some(role);
        }
        if !self.is_generous() {
            return None;
        }
        // In other languages, a lower-case letter may mean another piece.
        let is_english = *self.letters == PieceLetters::ENGLISH;
        self.take_if(|next| {
            let small = Role::from_char(next).filter(|_| is_english && next.is_ascii_lowercase());
            small
                .or_else(|| figurine(next))
                .filter(|role| Role::PROMOTIONS.contains(role))
        })
    }

    fn en_passant(&mut self, piece: &mut PieceMove) {
        if !matches!(self.dialect, Dialect::Import | Dialect::Lenient) {
            return;
        }
        let start = self.at;
        while self.take(" ") {}
        piece.en_passant = self.take("e.p.") || self.take("e.p") || self.take("ep");
        if !piece.en_passant {
            self.at = start;
        }
    }

    /// Skips signs for check and for assessments.
    fn suffixes(&mut self) {
        let allowed: &[char] = match self.dialect {
            Dialect::Strict => {
                let _ = self.take_if(|next| matches!(next, '+' | '#').then_some(()));
                return;
            }
            Dialect::PseudoLegal => return,
            Dialect::Lenient => &['+', '#', '!', '?'],
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

/// Returns the role of a Unicode chess symbol of either colour.
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
