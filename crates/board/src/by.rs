//! A value for each colour or role, indexed by it.

use core::ops::{Index, IndexMut};

use crate::piece::{Color, Role};

/// Defines a struct with one field for each variant of an enum.
macro_rules! by {
    (
        $(#[$meta:meta])*
        $name:ident[$key:ident; $count:literal] { $($field:ident: $variant:ident, $doc:literal;)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
        pub struct $name<T> {
            $(#[doc = $doc] pub $field: T,)*
        }

        impl<T> $name<T> {
            /// Calls a function for each key.
            pub fn from_fn(mut value: impl FnMut($key) -> T) -> Self {
                Self { $($field: value($key::$variant),)* }
            }

            /// Returns the value of a key, in constants too.
            #[inline]
            pub const fn get(&self, key: $key) -> &T {
                match key {
                    $($key::$variant => &self.$field,)*
                }
            }

            /// Returns the value of a key to change it, in constants too.
            #[inline]
            pub const fn get_mut(&mut self, key: $key) -> &mut T {
                match key {
                    $($key::$variant => &mut self.$field,)*
                }
            }

            /// Applies a function to each value.
            pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> $name<U> {
                $name { $($field: f(self.$field),)* }
            }

            /// Combines each value with that of the same key.
            pub fn zip<U>(self, other: $name<U>) -> $name<(T, U)> {
                $name { $($field: (self.$field, other.$field),)* }
            }

            /// Returns references to the values.
            pub const fn as_ref(&self) -> $name<&T> {
                $name { $($field: &self.$field,)* }
            }

            /// Returns the values in the order of the keys.
            pub fn iter(&self) -> core::array::IntoIter<&T, $count> {
                self.as_ref().into_iter()
            }

            /// Returns the values to change them, in the order of the keys.
            pub fn iter_mut(&mut self) -> core::array::IntoIter<&mut T, $count> {
                [$(&mut self.$field,)*].into_iter()
            }

            /// Returns each key with its value.
            pub fn entries(&self) -> core::array::IntoIter<($key, &T), $count> {
                [$(($key::$variant, &self.$field),)*].into_iter()
            }
        }

        impl<T> Index<$key> for $name<T> {
            type Output = T;

            #[inline]
            fn index(&self, key: $key) -> &T {
                self.get(key)
            }
        }

        impl<T> IndexMut<$key> for $name<T> {
            #[inline]
            fn index_mut(&mut self, key: $key) -> &mut T {
                self.get_mut(key)
            }
        }

        impl<T> IntoIterator for $name<T> {
            type Item = T;
            type IntoIter = core::array::IntoIter<T, $count>;

            fn into_iter(self) -> Self::IntoIter {
                [$(self.$field,)*].into_iter()
            }
        }

        impl<'a, T> IntoIterator for &'a mut $name<T> {
            type Item = &'a mut T;
            type IntoIter = core::array::IntoIter<&'a mut T, $count>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter_mut()
            }
        }

        impl<'a, T> IntoIterator for &'a $name<T> {
            type Item = &'a T;
            type IntoIter = core::array::IntoIter<&'a T, $count>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }
    };
}

by! {
    /// A value for each side.
    ///
    /// ```
    /// use tabiya_board::{ByColor, Color};
    ///
    /// let mut seconds = ByColor { white: 300, black: 300 };
    /// seconds[Color::Black] -= 7;
    /// assert_eq!(seconds.map(|left| left / 60), ByColor { white: 5, black: 4 });
    /// assert_eq!(seconds.entries().last(), Some((Color::Black, &293)));
    /// ```
    ByColor[Color; 2] {
        white: White, "White's value.";
        black: Black, "Black's value.";
    }
}

by! {
    /// A value for each kind of piece.
    ///
    /// ```
    /// use tabiya_board::{Board, ByRole, Color, Role};
    ///
    /// let worth = ByRole { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };
    /// let white = Board::start().material().white;
    /// assert_eq!(white[Role::Pawn], 8);
    /// let sum: u32 = white.zip(worth).into_iter().map(|(count, worth)| u32::from(count) * worth).sum();
    /// assert_eq!(sum, 39);
    /// ```
    ByRole[Role; 6] {
        pawn: Pawn, "The pawn's value.";
        knight: Knight, "The knight's value.";
        bishop: Bishop, "The bishop's value.";
        rook: Rook, "The rook's value.";
        queen: Queen, "The queen's value.";
        king: King, "The king's value.";
    }
}
