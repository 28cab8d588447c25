//! `Serialize` and `Deserialize`: most types as the text that they print as and are read from.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::{CastlingSide, Position};
use crate::setup::Setup;
use crate::square::{File, Rank, Square};

/// Implements both traits for a type that becomes a text. `$write` gives what to print, `$read` a result.
macro_rules! as_text {
    ($type:ty, $expected:literal, $write:expr, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&$write(self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;

                impl Visitor<'_> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$type, E> {
                        $read(text).map_err(E::custom)
                    }
                }

                deserializer.deserialize_str(Text)
            }
        }
    };
}

as_text!(
    Square,
    "a square such as \"e4\"",
    Square::clone,
    str::parse::<Square>
);
as_text!(
    File,
    "a file from \"a\" to \"h\"",
    File::clone,
    str::parse::<File>
);
as_text!(
    Rank,
    "a rank from \"1\" to \"8\"",
    Rank::clone,
    str::parse::<Rank>
);
as_text!(
    Color,
    "\"white\" or \"black\"",
    |color: &Color| color.name(),
    str::parse::<Color>
);
as_text!(
    Role,
    "a role such as \"knight\"",
    Role::clone,
    str::parse::<Role>
);
as_text!(
    Piece,
    "a piece such as \"N\" or \"n\"",
    |piece: &Piece| piece.char(),
    str::parse::<Piece>
);
as_text!(
    CastlingSide,
    "\"kingside\" or \"queenside\"",
    CastlingSide::clone,
    str::parse::<CastlingSide>
);
as_text!(Setup, "a FEN", Setup::clone, Setup::from_fen);
// Any board that was written can be read again, even one that no game leads to.
as_text!(Board, "a FEN", Board::clone, |fen| {
    Board::from_fen_forgiving(fen, |_| true)
});
as_text!(Position, "a FEN", Position::clone, |fen| {
    Board::from_fen_forgiving(fen, |_| true).map(|board| *board.position())
});

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.to_bits())
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u16::deserialize(deserializer).map(Self::from_bits)
    }
}

impl Serialize for Bitboard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer).map(Self)
    }
}
