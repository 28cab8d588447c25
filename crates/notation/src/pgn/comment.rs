//! Commands in comments, such as `[%clk 0:05:00]` and `[%eval -0.25]`.

use std::time::Duration;

use crate::Score;
use crate::decimal::decimal;

/// A command in a comment, such as `[%clk 0:05:00]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommentCommand<'a> {
    /// Its name, without the percent sign.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
}

/// Returns the commands in a comment, in order.
///
/// ```
/// use tabiya_notation::Score;
/// use tabiya_notation::pgn::{clock, commands, eval};
///
/// let comment = "A novelty. [%eval 0.17] [%clk 1:05:00]";
/// assert_eq!(commands(comment).count(), 2);
/// assert_eq!(eval(comment), Some(Score::Cp(17)));
/// assert_eq!(clock(comment).unwrap().as_secs(), 3900);
/// ```
pub fn commands(comment: &str) -> impl Iterator<Item = CommentCommand<'_>> {
    comment.split("[%").skip(1).filter_map(|rest| {
        let inside = &rest[..rest.find(']')?];
        let (name, value) = inside
            .split_once(char::is_whitespace)
            .unwrap_or((inside, ""));
        Some(CommentCommand {
            name,
            value: value.trim(),
        })
    })
}

/// Returns the time left to the player who has just moved, from `[%clk H:MM:SS]`.
pub fn clock(comment: &str) -> Option<Duration> {
    duration(
        commands(comment)
            .find(|command| command.name == "clk")?
            .value,
    )
}

/// Returns the time spent on the move, from `[%emt H:MM:SS]`.
pub fn elapsed(comment: &str) -> Option<Duration> {
    duration(
        commands(comment)
            .find(|command| command.name == "emt")?
            .value,
    )
}

/// The evaluation of an engine, from `[%eval 0.25]` or `[%eval #-3]`. A depth after a comma is ignored.
pub fn eval(comment: &str) -> Option<Score> {
    let value = commands(comment)
        .find(|command| command.name == "eval")?
        .value;
    value.split(',').next()?.trim().parse().ok()
}

/// Reads `1:02:03`, `2:03`, `3` or `3.5`: hours, minutes and seconds.
fn duration(text: &str) -> Option<Duration> {
    let mut nanoseconds = 0_u64;
    for part in text.split(':') {
        let part = u64::try_from(decimal(part, 9)?).ok()?;
        nanoseconds = nanoseconds.checked_mul(60)?.checked_add(part)?;
    }
    Some(Duration::from_nanos(nanoseconds))
}
