//! Days, counted.

/// The number of days from 0000-03-01 to 1970-01-01.
const TO_1970: i32 = 719_468;

/// Returns the number of days since 1970, as Parquet counts them, of a date as PGN writes it (`2025.05.01`). Dashes do
/// as well as dots. `None` if a part is missing or not possible.
pub(crate) fn parse(text: &str) -> Option<i32> {
    let mut parts = text.trim().split(['.', '-', '/']);
    let mut part = |length: usize| {
        let part = parts.next()?;
        let digits = part.len() <= length && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<i32>().ok()).flatten()
    };
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if parts.next().is_some() || year == 0 || !(1..=days).contains(&day) {
        return None;
    }
    // Years that begin in March have their leap day at the end.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(year * 365 + year / 4 - year / 100 + year / 400 + of_year - TO_1970)
}

/// Writes a day as PGN does.
pub(crate) fn format(days: i32) -> String {
    let days = days + TO_1970;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = era * 400 + year_of_era + i32::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

/// A day as a number above zero, so that zero can mean that it is not known.
pub(crate) fn to_positive(days: Option<i32>) -> u32 {
    days.map_or(0, |days| (days + TO_1970).max(1) as u32)
}

/// Undoes [`to_positive`].
pub(crate) fn from_positive(days: u32) -> Option<i32> {
    (days > 0).then_some(days as i32 - TO_1970)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_counted_as_parquet_does() {
        for (text, days) in [
            ("1970.01.01", 0),
            ("1969.12.31", -1),
            ("2000.03.01", 11_017),
            ("2000-02-29", 11_016),
            ("2025.05.01", 20_209),
            ("1851.06.21", -43_293),
        ] {
            assert_eq!(parse(text), Some(days), "{text}");
            assert_eq!(format(days), text.replace('-', "."));
            assert_eq!(from_positive(to_positive(Some(days))), Some(days));
        }
        assert_eq!(from_positive(to_positive(None)), None);
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let first = parse("0001.01.01").unwrap();
        let last = parse("9999.12.31").unwrap();
        for days in first..=last {
            assert_eq!(parse(&format(days)), Some(days));
        }
    }

    #[test]
    fn dates_that_are_not_whole_are_not_dates() {
        for text in [
            "",
            "?",
            "2025",
            "2025.05",
            "2025.??.??",
            "2025.02.29",
            "2025.13.01",
            "2025.00.01",
            "2025.01.00",
            "2025.01.01.01",
            "0000.01.01",
            "20250.1.1",
            "+1.1.1",
            "-1.1.1",
            "x.y.z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
