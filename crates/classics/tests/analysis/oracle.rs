//! A second implementation of analysis, on top of shakmaty and a list of all possible move texts.

use std::collections::HashSet;

use shakmaty::{
    CastlingSide, Chess, Color, EnPassantMode, File, Move, Position, Rank, Role, Square,
};

/// All move texts of the notation, and all their prefixes.
pub(crate) struct Notation {
    moves: HashSet<String>,
    beginnings: HashSet<String>,
}

impl Notation {
    pub(crate) fn new() -> Self {
        let mut moves: HashSet<String> = ["O-O", "O-O-O", "0-0", "0-0-0"].map(String::from).into();
        for to in Square::ALL {
            for promotion in ["", "=Q", "=R", "=B", "=N"] {
                moves.insert(format!("{to}{promotion}"));
                for file in File::ALL {
                    moves.insert(format!("{}x{to}{promotion}", file.char()));
                }
            }
            let files: Vec<String> = File::ALL.map(|file| file.char().to_string()).into();
            let ranks: Vec<String> = Rank::ALL.map(|rank| rank.char().to_string()).into();
            for file in files.iter().map(String::as_str).chain([""]) {
                for rank in ranks.iter().map(String::as_str).chain([""]) {
                    for piece in ["K", "Q", "R", "B", "N"] {
                        for capture in ["", "x"] {
                            moves.insert(format!("{piece}{file}{rank}{capture}{to}"));
                        }
                    }
                }
            }
        }
        let beginnings = moves
            .iter()
            .flat_map(|text| (1..=text.len()).map(|end| text[..end].to_owned()))
            .collect();
        Self { moves, beginnings }
    }

    /// Returns the first character that cannot continue a move, if the word is not a move.
    fn wrong_character(&self, word: &str, end: char) -> Option<char> {
        let mut beginning = String::new();
        for letter in word.chars() {
            beginning.push(letter);
            if !self.beginnings.contains(&beginning) {
                return Some(letter);
            }
        }
        (!self.moves.contains(word)).then_some(end)
    }

    /// Returns the output for an input.
    pub(crate) fn judge(&self, input: &str) -> String {
        let mut position = Chess::default();
        let mut rest = input;
        loop {
            let end = rest.find([' ', '\n', '\r']);
            let word = &rest[..end.unwrap_or(rest.len())];
            let mark = end.map_or('\n', |end| char::from(rest.as_bytes()[end]));
            if !word.is_empty() {
                if let Some(letter) = self.wrong_character(word, mark) {
                    return format!("parse error at character '{letter}'");
                }
                match Written::of(word).find(&position) {
                    Ok(mv) => position.play_unchecked(mv),
                    Err(answer) => return answer,
                }
            }
            if mark != ' ' {
                break;
            }
            rest = &rest[word.len() + 1..];
        }
        if position.is_checkmate() {
            format!("{} wins by checkmate", word_for(!position.turn()))
        } else if position.is_stalemate() {
            "draw by stalemate".to_owned()
        } else {
            "game incomplete".to_owned()
        }
    }
}

fn word_for(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

fn name_of(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// A well-formed move.
enum Written {
    Castle(CastlingSide),
    Other {
        role: Role,
        file: Option<char>,
        rank: Option<char>,
        captures: bool,
        to: Square,
        promotion: Option<Role>,
    },
}

impl Written {
    fn of(word: &str) -> Self {
        match word {
            "O-O" | "0-0" => return Self::Castle(CastlingSide::KingSide),
            "O-O-O" | "0-0-0" => return Self::Castle(CastlingSide::QueenSide),
            _ => {}
        }
        let (word, promotion) = match word.split_once('=') {
            Some((word, letter)) => (word, letter.chars().next().and_then(Role::from_char)),
            None => (word, None),
        };
        let (before, to) = word.split_at(word.len() - 2);
        let before_mark = before.trim_end_matches('x');
        let role = before_mark
            .chars()
            .next()
            .filter(char::is_ascii_uppercase)
            .and_then(Role::from_char);
        Self::Other {
            role: role.unwrap_or(Role::Pawn),
            file: before_mark.chars().find(char::is_ascii_lowercase),
            rank: before_mark.chars().find(char::is_ascii_digit),
            captures: before.ends_with('x'),
            to: Square::from_ascii(to.as_bytes()).expect("the end of a move is a square"),
            promotion,
        }
    }

    /// Returns the legal move that this means, or the error.
    fn find(&self, position: &Chess) -> Result<Move, String> {
        let player = word_for(position.turn());
        let legal = position.legal_moves();
        match *self {
            Self::Castle(side) => legal
                .into_iter()
                .find(|mv| mv.castling_side() == Some(side))
                .ok_or_else(|| {
                    let rank = position.turn().fold_wb('1', '8');
                    let file = match side {
                        CastlingSide::KingSide => 'g',
                        CastlingSide::QueenSide => 'c',
                    };
                    format!("illegal move: {player} king from e{rank} to {file}{rank}")
                }),
            Self::Other {
                role,
                file,
                rank,
                captures,
                to,
                promotion,
            } => {
                let piece = name_of(role);
                let could = position.our(role).into_iter().filter(|&from| {
                    file.is_none_or(|file| from.file().char() == file)
                        && rank.is_none_or(|rank| from.rank().char() == rank)
                        && could_move(position, role, from, to, captures)
                });
                let could: Vec<Square> = could.collect();
                let [from] = could[..] else {
                    return Err(format!("move completion error: {player} {piece} to {to}"));
                };
                legal
                    .into_iter()
                    .find(|mv| {
                        !mv.is_castle()
                            && mv.from() == Some(from)
                            && mv.to() == to
                            && mv.promotion() == promotion
                    })
                    .ok_or_else(|| format!("illegal move: {player} {piece} from {from} to {to}"))
            }
        }
    }
}

/// Returns whether a piece can reach a square, ignoring checks to its own king.
fn could_move(position: &Chess, role: Role, from: Square, to: Square, captures: bool) -> bool {
    let board = position.board();
    let enemy = position.them().contains(to);
    if position.us().contains(to) {
        return false;
    }
    if role != Role::Pawn {
        return captures == enemy && board.attacks_from(from).contains(to);
    }
    if captures {
        let en_passant = position.ep_square(EnPassantMode::Always) == Some(to);
        return board.attacks_from(from).contains(to) && (enemy || en_passant);
    }
    let ahead = position.turn().fold_wb(8, -8);
    let empty =
        |square: Option<Square>| square.is_some_and(|square| !board.occupied().contains(square));
    let one = from.offset(ahead);
    let two = from.offset(2 * ahead);
    let home = position.turn().fold_wb(Rank::Second, Rank::Seventh);
    empty(one) && (one == Some(to) || from.rank() == home && two == Some(to) && empty(two))
}
