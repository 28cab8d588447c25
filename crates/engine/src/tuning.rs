//! The parameters of the search as variables, for tuning. Only with the feature `tuning`.
//!
//! The values belong to a thread, so that two engines with different values can play each other in one process: set
//! the values before each search. Helper threads of a search use the defaults, so tune with one thread.

use std::cell::Cell;

use crate::search::parameters::ALL;

/// A number that the search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: &'static str,
    /// The value in builds without the feature.
    pub value: i32,
    /// The least and the greatest sensible value.
    pub range: (i32, i32),
}

thread_local! {
    static VALUES: [Cell<i32>; ALL.len()] = const { defaults() };
}

const fn defaults() -> [Cell<i32>; ALL.len()] {
    let mut values = [const { Cell::new(0) }; ALL.len()];
    let mut index = 0;
    while index < ALL.len() {
        values[index] = Cell::new(ALL[index].value);
        index += 1;
    }
    values
}

/// Returns all parameters.
pub const fn parameters() -> &'static [Parameter] {
    ALL
}

/// Sets the parameters of this thread, in the order of [`parameters`]. Values that are missing keep their defaults.
pub fn set_values(values: &[i32]) {
    VALUES.with(|cells| {
        let given = values
            .iter()
            .copied()
            .map(Some)
            .chain(std::iter::repeat(None));
        for ((cell, parameter), value) in cells.iter().zip(ALL).zip(given) {
            cell.set(value.unwrap_or(parameter.value));
        }
    });
}

/// Returns the value of a parameter in this thread.
#[inline]
pub(crate) fn value(index: usize) -> i32 {
    VALUES.with(|values| values[index].get())
}
