//! Material: which pieces each side has.

use tabiya_board::unkeyed::Position;
use tabiya_board::{Color, Role};

use super::{Conditions, Pattern, PatternError};

/// All pieces but the kings, in the order in which they are written.
const ROLES: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// Returns the material of a position, such as `KRPkrp`: pieces in the order K, Q, R, B, N, P, White's in capitals.
pub fn material(position: &Position) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for role in [Role::King].into_iter().chain(ROLES) {
            let letter = if color.is_white() {
                role.upper_char()
            } else {
                role.char()
            };
            let count = position.pieces(color, role).len();
            text.extend(std::iter::repeat_n(letter, count));
        }
    }
    text
}

/// A least and a largest number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) min: u8,
    pub(super) max: u8,
}

impl Range {
    pub(super) const NONE: Self = Self { min: 0, max: 0 };
    pub(super) const ANY: Self = Self {
        min: 0,
        max: u8::MAX,
    };
    pub(super) const SOME: Self = Self {
        min: 1,
        max: u8::MAX,
    };

    pub(super) const fn exactly(count: u8) -> Self {
        Self {
            min: count,
            max: count,
        }
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    const fn has(self, count: usize) -> bool {
        self.min as usize <= count && count <= self.max as usize
    }
}

/// How many pieces a side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count {
    roles: [Range; Role::ALL.len()],
    /// Knights and bishops together.
    minors: Range,
}

impl Count {
    /// The king alone.
    pub(super) const BARE: Self = Self {
        roles: [Range::NONE; Role::ALL.len()],
        minors: Range::ANY,
    };

    pub(super) const fn get(&self, role: Role) -> Range {
        self.roles[role.index()]
    }

    pub(super) const fn set(&mut self, role: Role, range: Range) {
        self.roles[role.index()] = range;
    }

    /// Knights or bishops, this many in all.
    pub(super) const fn set_minors(&mut self, range: Range) {
        self.set(Role::Knight, Range::ANY);
        self.set(Role::Bishop, Range::ANY);
        self.minors = range;
    }

    pub(super) fn allows(&self, position: &Position, color: Color) -> bool {
        let count = |role| position.pieces(color, role).len();
        ROLES
            .into_iter()
            .all(|role| self.get(role).has(count(role)))
            && self.minors.has(count(Role::Knight) + count(Role::Bishop))
    }
}

pub(super) fn parse(text: &str) -> Result<Pattern, PatternError> {
    let text: String = text.split_whitespace().collect();
    let error = || {
        PatternError::new(format!(
            "{text:?} is not material: write KRPkrp, with White in capitals, or KRPvKR for either colour"
        ))
    };
    if text.is_empty() {
        return Err(error());
    }
    let capitals = text.to_uppercase();
    // The second king begins the second side in names such as KRPKR.
    let second_king = capitals
        .match_indices('K')
        .nth(1)
        .filter(|_| text == capitals)
        .map(|(at, _)| capitals.split_at(at));
    let sides = capitals
        .split_once("VS")
        .or_else(|| capitals.split_once('V'))
        .or(second_king);
    if let Some((first, second)) = sides {
        let counts = [side(first), side(second)];
        let [Some(first), Some(second)] = counts else {
            return Err(error());
        };
        return Ok(Pattern::of_either(Conditions {
            counts: Some([first, second]),
            ..Conditions::default()
        }));
    }
    let of_color = |is_white: bool| {
        let mut is_mine = false;
        let letters = text.chars().filter(|letter| {
            if letter.is_ascii_alphabetic() {
                is_mine = letter.is_ascii_uppercase() == is_white;
            }
            // What follows a piece belongs to it.
            is_mine
        });
        side(&letters.collect::<String>().to_uppercase())
    };
    let is_piece_first = text.starts_with(|letter: char| letter.is_ascii_alphabetic());
    match (of_color(true), of_color(false)) {
        (Some(white), Some(black)) if is_piece_first => Ok(Pattern::of(Conditions {
            counts: Some([white, black]),
            ..Conditions::default()
        })),
        _ => Err(error()),
    }
}

/// The pieces of a side, in capitals; the king need not be among them.
fn side(letters: &str) -> Option<Count> {
    let mut count = Count::BARE;
    let mut letters = letters.chars().peekable();
    let mut kings = 0;
    while let Some(letter) = letters.next() {
        let role = Role::from_char(letter.to_ascii_lowercase())?;
        let range = match letters.peek() {
            Some('*') => Range::ANY,
            Some('+') => Range::SOME,
            Some('?') => Range { min: 0, max: 1 },
            _ => Range::exactly(1),
        };
        if range != Range::exactly(1) {
            letters.next();
        }
        if role == Role::King {
            kings += 1;
            if kings > 1 || range != Range::exactly(1) {
                return None;
            }
        } else {
            count.set(role, count.get(role).plus(range));
        }
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use tabiya_board::Board;

    use super::*;

    fn matches(text: &str, pieces: &str) -> bool {
        // Any squares will do, if the kings are apart.
        let fen = match pieces {
            "KRPkr" => "4k3/r7/8/8/8/8/P7/R3K3 w - - 0 1",
            "KRkrp" => "4k3/r7/p7/8/8/8/8/R3K3 w - - 0 1",
            "KRPPPkr" => "4k3/r7/8/8/8/8/PPP5/R3K3 w - - 0 1",
            "Kk" => "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            _ => panic!("{pieces}"),
        };
        let board: Board = fen.parse().unwrap();
        assert_eq!(material(&board), pieces);
        Pattern::material(text).unwrap().matches(&board)
    }

    #[test]
    fn material_is_exact_unless_it_says_otherwise() {
        for (text, expected) in [
            ("KRPkr", [true, false, false, false]),
            ("RPr", [true, false, false, false]),
            ("krKRP", [true, false, false, false]),
            ("KRPvKR", [true, true, false, false]),
            ("krpvkr", [true, true, false, false]),
            ("KR vs KRP", [true, true, false, false]),
            ("KRPKR", [true, true, false, false]),
            ("KRP+kr", [true, false, true, false]),
            ("KRPP+kr", [false, false, true, false]),
            ("KRP*krp*", [true, true, true, false]),
            ("KRP?kr", [true, false, false, false]),
            ("KRPPP?kr", [false, false, true, false]),
            ("Kk", [false, false, false, true]),
            ("KKR*", [false, false, false, true]),
            ("KR*P*kr*p*", [true, true, true, true]),
        ] {
            let found = ["KRPkr", "KRkrp", "KRPPPkr", "Kk"].map(|pieces| matches(text, pieces));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_material_is_refused() {
        for text in [
            "", "  ", "KXk", "KKk", "K*k", "*Kk", "KRPv", "vKR", "KvKvK", "KR**k", "♔", "KR2",
            "K/k",
        ] {
            let refused = Pattern::material(text);
            // A side that is not written is a bare king.
            let is_fine = matches!(text, "KRPv" | "vKR");
            assert_eq!(refused.is_ok(), is_fine, "{text}");
        }
    }
}
