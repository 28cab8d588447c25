//! Scores for the middlegame and the endgame side by side.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A score for the middlegame and one for the endgame. What counts lies between, by how many pieces are left.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tapered {
    pub(crate) middle: i32,
    pub(crate) end: i32,
}

impl Tapered {
    pub(crate) const fn new(middle: i32, end: i32) -> Self {
        Self { middle, end }
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self::new(self.middle + other.middle, self.end + other.end)
    }

    /// Sixteenths of it, so many times.
    pub(crate) const fn of_16(self, times: i32) -> Self {
        Self::new(self.middle * times / 16, self.end * times / 16)
    }

    pub(crate) const fn negated(self) -> Self {
        Self::new(-self.middle, -self.end)
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.plus(other.negated())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        Self::new(self.middle * times, self.end * times)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
