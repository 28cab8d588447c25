//! The two colours as types, so that one function compiles into a version for each.

use crate::piece::Color;

/// The side to move, known at compile time.
pub(crate) trait Side {
    type Other: Side;
    const COLOR: Color;
    /// The index of this side in arrays of two.
    const US: usize = Self::COLOR.index();
    /// The index of the other side in arrays of two.
    const THEM: usize = 1 - Self::US;
    /// The right shift that brings this side's back rank to the lowest byte.
    const BACK_RANK: u32 = 56 * Self::US as u32;
    const WHITE: bool = Self::COLOR.is_white();

    /// Moves all squares of a set one rank ahead.
    #[inline(always)]
    fn ahead(set: u64) -> u64 {
        if Self::WHITE { set << 8 } else { set >> 8 }
    }
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
}

/// Evaluates an expression with the type of a colour: `by_side!(color, S => expression with S)`.
macro_rules! by_side {
    ($color:expr, $side:ident => $body:expr) => {
        match $color {
            $crate::piece::Color::White => {
                type $side = $crate::side::White;
                $body
            }
            $crate::piece::Color::Black => {
                type $side = $crate::side::Black;
                $body
            }
        }
    };
}
pub(crate) use by_side;
