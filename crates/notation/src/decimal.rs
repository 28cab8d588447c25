//! Decimal numbers as whole numbers of small units: no rounding surprises, and none of the tables that floating-point
//! numbers need, which would be a tenth of the rules that a browser loads.

/// Reads a number such as `-0.31` or `3.5`, times ten to the power of `digits`. The rest is rounded, halves away from
/// zero.
pub(crate) fn decimal(text: &str, digits: usize) -> Option<i64> {
    let (sign, number) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digit_of = |byte: u8| byte.is_ascii_digit().then(|| i64::from(byte - b'0'));
    if whole.is_empty() && fraction.is_empty()
        || !fraction.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let zeros = std::iter::repeat(b'0');
    let mut value = 0_i64;
    for byte in whole
        .bytes()
        .chain(fraction.bytes().chain(zeros).take(digits))
    {
        value = value.checked_mul(10)?.checked_add(digit_of(byte)?)?;
    }
    if fraction
        .as_bytes()
        .get(digits)
        .is_some_and(|&next| next >= b'5')
    {
        value = value.checked_add(1)?;
    }
    Some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_and_rounded() {
        for (text, digits, value) in [
            ("0", 2, Some(0)),
            ("0.31", 2, Some(31)),
            ("-0.31", 2, Some(-31)),
            ("+1.5", 2, Some(150)),
            (".5", 2, Some(50)),
            ("5.", 2, Some(500)),
            ("0.125", 2, Some(13)),
            ("-0.125", 2, Some(-13)),
            ("0.1249", 2, Some(12)),
            ("3.25", 9, Some(3_250_000_000)),
            ("7", 0, Some(7)),
            ("7.5", 0, Some(8)),
            ("", 2, None),
            (".", 2, None),
            ("-", 2, None),
            ("1.2.3", 2, None),
            ("--1", 2, None),
            ("1.-2", 2, None),
            ("1,5", 2, None),
            ("1.2345x", 2, None),
            ("\u{663}", 2, None),
            ("99999999999999999999", 2, None),
        ] {
            assert_eq!(decimal(text, digits), value, "{text:?}");
        }
    }
}
