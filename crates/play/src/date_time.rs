//! Date and time in UTC.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A date and time in UTC, to the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UtcDateTime {
    /// Seconds since 1970-01-01.
    seconds: u64,
}

impl UtcDateTime {
    /// Converts a system time. Times before 1970 become 1970.
    pub fn of(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            seconds: since.as_secs(),
        }
    }

    /// Parses the PGN tags `UTCDate` and `UTCTime`: `2026.11.15` and `19:30:12`.
    pub(crate) fn from_pgn(date: &str, time: &str) -> Option<Self> {
        let numbers = |text: &str, separator| {
            let mut parts = text.split(separator).map(|part| part.parse::<u64>().ok());
            match (parts.next()??, parts.next()??, parts.next()??, parts.next()) {
                (first, second, third, None) => Some((first, second, third)),
                _ => None,
            }
        };
        let (year, month, day) = numbers(date, '.')?;
        let (hours, minutes, seconds) = numbers(time, ':')?;
        let possible = (1970..=9999).contains(&year) && (1..=12).contains(&month);
        if !possible || !(1..=31).contains(&day) || hours > 23 || minutes > 59 || seconds > 59 {
            return None;
        }
        // Years start in March, as in `date`.
        let (march_year, march_month) = if month > 2 {
            (year, month - 3)
        } else {
            (year - 1, month + 9)
        };
        let leap_days = march_year / 4 - march_year / 100 + march_year / 400;
        let days = march_year * 365 + leap_days + (153 * march_month + 2) / 5 + day - 1;
        Some(Self {
            seconds: (days.checked_sub(719_468)?) * 86_400 + hours * 3_600 + minutes * 60 + seconds,
        })
    }

    /// The date as in PGN: `2026.11.15`.
    pub fn pgn_date(self) -> String {
        let (year, month, day) = self.date();
        format!("{year:04}.{month:02}.{day:02}")
    }

    /// The time of day as in PGN: `19:30:12`.
    pub fn pgn_time(self) -> String {
        let (hours, minutes, seconds) = self.time();
        format!("{hours:02}:{minutes:02}:{seconds:02}")
    }

    /// Year, month and day.
    const fn date(self) -> (u64, u64, u64) {
        // Years that start in March end with the leap day, and every era of 400 years has the same length.
        let days = self.seconds / 86_400 + 719_468;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
        (year, month, day)
    }

    const fn time(self) -> (u64, u64, u64) {
        let seconds = self.seconds % 86_400;
        (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }

    /// A name for files: `20261115-193012`.
    pub fn file_stem(self) -> String {
        let (year, month, day) = self.date();
        let (hours, minutes, seconds) = self.time();
        format!("{year:04}{month:02}{day:02}-{hours:02}{minutes:02}{seconds:02}")
    }
}

/// Formats as `2026-11-15 19:30:12 UTC`.
impl fmt::Display for UtcDateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        let (hours, minutes, seconds) = self.time();
        write!(
            f,
            "{year:04}-{month:02}-{day:02} {hours:02}:{minutes:02}:{seconds:02} UTC"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn known_dates_are_converted() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_827_696, "2000-02-29 12:34:56 UTC"),
            (1_000_000_000, "2001-09-09 01:46:40 UTC"),
            (1_709_164_799, "2024-02-28 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            let moment = UtcDateTime::of(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(moment.to_string(), text);
            let read = UtcDateTime::from_pgn(&moment.pgn_date(), &moment.pgn_time());
            assert_eq!(read, Some(moment));
        }
        let before = UtcDateTime::of(UNIX_EPOCH - Duration::from_secs(5));
        assert_eq!(before.to_string(), "1970-01-01 00:00:00 UTC");
        assert_eq!(before.file_stem(), "19700101-000000");
    }

    #[test]
    fn each_day_follows_the_one_before_for_two_centuries() {
        let mut last = (1969, 12, 31);
        for day in 0..73_000 {
            let moment = UtcDateTime {
                seconds: day * 86_400,
            };
            let read = UtcDateTime::from_pgn(&moment.pgn_date(), "00:00:00");
            assert_eq!(read, Some(moment));
            let (year, month, day) = moment.date();
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let next = match last {
                (y, 12, 31) => (y + 1, 1, 1),
                (y, 2, 28) if leap => (y, 2, 29),
                (y, 2, 28 | 29) => (y, 3, 1),
                (y, m @ (4 | 6 | 9 | 11), 30) | (y, m, 31) => (y, m + 1, 1),
                (y, m, d) => (y, m, d + 1),
            };
            assert_eq!((year, month, day), next);
            last = next;
        }
    }
}
