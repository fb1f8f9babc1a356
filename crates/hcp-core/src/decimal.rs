//! Exact decimal numbers, compared on their digits.
//!
//! No binary float ever stands between a limit and an amount: a person who caps a payment at 5 means
//! five, and `5.0000000000000000001` is more. Exponents are compared without building their digits.

use std::cmp::Ordering;

/// The most digits that a plain decimal (a number inside a string) may have.
pub const PLAIN_MAX_DIGITS: usize = 64;

/// An exponent longer than this many digits is no number that a tool can mean.
const EXPONENT_MAX_DIGITS: usize = 15;

/// An exact number: `0.DIGITS × 10^exponent`, digits without zeros at either end.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads a number of JSON's grammar, exponents included.
    ///
    /// ```
    /// use hcp_core::decimal::Decimal;
    /// assert_eq!(Decimal::from_json("5"), Decimal::from_json("0.5e1"));
    /// assert!(Decimal::from_json("1e400") > Decimal::from_json("9e399"));
    /// assert!(Decimal::from_json("007").is_none());
    /// ```
    #[must_use]
    pub fn from_json(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            None => (text, 0),
            Some(at) => (text.get(..at)?, read_exponent(text.get(at + 1..)?)?),
        };
        let (negative, whole, fraction) = split_mantissa(mantissa)?;
        Some(Self::build(negative, whole, fraction, exponent))
    }

    /// Reads a plain decimal, `-?(0|[1-9][0-9]*)(\.[0-9]+)?` in ASCII with at most 64 digits: the only
    /// strings that count as numbers.
    ///
    /// ```
    /// use hcp_core::decimal::Decimal;
    /// assert!(Decimal::from_plain("2.80").is_some());
    /// for no in ["1,000", "1e3", "007", "5 EUR", "٥", "NaN", "0x5", "", "-", ".5", "5."] {
    ///     assert!(Decimal::from_plain(no).is_none(), "{no}");
    /// }
    /// ```
    #[must_use]
    pub fn from_plain(text: &str) -> Option<Self> {
        let (negative, whole, fraction) = split_mantissa(text)?;
        (whole.len() + fraction.len() <= PLAIN_MAX_DIGITS)
            .then(|| Self::build(negative, whole, fraction, 0))
    }

    /// Reads any usual spelling of a number that some tool might take for one: signs, leading zeros,
    /// blanks around it, exponents, digit groups by `_`, other scripts' digits, hexadecimal, octal and
    /// binary. Used only where taking it for a number tightens.
    ///
    /// ```
    /// use hcp_core::decimal::Decimal;
    /// for seven in ["007", "+7", "7e0", "7.", "0x7", " 7 ", "٧", "7_"] {
    ///     assert_eq!(Decimal::from_any_spelling(seven), Decimal::from_plain("7"), "{seven}");
    /// }
    /// ```
    #[must_use]
    pub fn from_any_spelling(text: &str) -> Option<Self> {
        let ascii: String = text
            .trim()
            .chars()
            .filter(|c| *c != '_')
            .map(ascii_digit)
            .collect();
        let lower = ascii.to_ascii_lowercase();
        let (negative, rest) = match lower.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, lower.strip_prefix('+').unwrap_or(&lower)),
        };
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
            if let Some(digits) = rest.strip_prefix(prefix) {
                let value = u128::from_str_radix(digits, radix).ok()?;
                return Some(Self::build(negative, &value.to_string(), "", 0));
            }
        }
        let (mantissa, exponent) = match rest.find('e') {
            None => (rest, 0),
            Some(at) => (rest.get(..at)?, read_exponent(rest.get(at + 1..)?)?),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction)
        {
            return None;
        }
        Some(Self::build(negative, whole, fraction, exponent))
    }

    fn build(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Self {
        let all = format!("{whole}{fraction}");
        let trimmed = all.trim_start_matches('0');
        let leading = (all.len() - trimmed.len()) as i64;
        let digits = trimmed.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Self::default();
        }
        Self {
            negative,
            digits,
            exponent: exponent + whole.len() as i64 - leading,
        }
    }

    /// Whether the number is below zero (`-0` is not).
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the number is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether the number is whole: `1.0` and `1e3` are.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.exponent >= self.digits.len() as i64 || self.is_zero()
    }

    /// Whether the number is a whole multiple of `step`, exactly. `None` when the step is not above
    /// zero, or the two lie so far apart that dividing would build more than 10,000 digits.
    #[must_use]
    pub fn is_multiple_of(&self, step: &Self) -> Option<bool> {
        if step.is_zero() || step.negative {
            return None;
        }
        if self.is_zero() {
            return Some(true);
        }
        // Value = digits × 10^(exponent − len); bring both to one power of ten and divide by schoolbook.
        let own_scale = self.exponent - self.digits.len() as i64;
        let step_scale = step.exponent - step.digits.len() as i64;
        let common = own_scale.min(step_scale);
        let own_zeros = usize::try_from(own_scale - common)
            .ok()
            .filter(|n| *n <= 10_000)?;
        let step_zeros = usize::try_from(step_scale - common)
            .ok()
            .filter(|n| *n <= 10_000)?;
        let dividend = format!("{}{}", self.digits, "0".repeat(own_zeros));
        let divisor = format!("{}{}", step.digits, "0".repeat(step_zeros));
        Some(remainder_is_zero(&dividend, &divisor))
    }
}

/// Long division on decimal digits, keeping only the remainder.
fn remainder_is_zero(dividend: &str, divisor: &str) -> bool {
    let divisor: Vec<u8> = divisor.bytes().map(|b| b - b'0').collect();
    let mut remainder: Vec<u8> = Vec::new();
    for digit in dividend.bytes().map(|b| b - b'0') {
        if !(remainder.is_empty() && digit == 0) {
            remainder.push(digit);
        }
        while at_least(&remainder, &divisor) {
            subtract(&mut remainder, &divisor);
        }
    }
    remainder.is_empty()
}

fn at_least(left: &[u8], right: &[u8]) -> bool {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right)) != Ordering::Less
}

fn subtract(left: &mut Vec<u8>, right: &[u8]) {
    let mut borrow = 0;
    let mut lower = right.iter().rev();
    for digit in left.iter_mut().rev() {
        let take = lower.next().copied().unwrap_or(0) + borrow;
        borrow = u8::from(*digit < take);
        *digit = *digit + 10 * borrow - take;
    }
    let zeros = left.iter().take_while(|d| **d == 0).count();
    left.drain(..zeros);
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |d: &Self| match (d.is_zero(), d.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        sign(self).cmp(&sign(other)).then_with(|| {
            // Digits have no leading zeros, so the exponent decides first, then the digits as text.
            let size = self
                .exponent
                .cmp(&other.exponent)
                .then_with(|| self.digits.cmp(&other.digits));
            if self.negative { size.reverse() } else { size }
        })
    }
}

fn split_mantissa(text: &str) -> Option<(bool, &str, &str)> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = match rest.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (rest, None),
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let well_formed =
        digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits);
    well_formed.then_some((negative, whole, fraction.unwrap_or_default()))
}

fn read_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let short = digits.trim_start_matches('0');
    if short.len() > EXPONENT_MAX_DIGITS {
        return None;
    }
    let value: i64 = if short.is_empty() {
        0
    } else {
        short.parse().ok()?
    };
    Some(if negative { -value } else { value })
}

/// The ASCII digit of any script's decimal digit; every other character stays.
fn ascii_digit(c: char) -> char {
    if c.is_ascii() || !crate::text::is_decimal_digit(c) {
        return c;
    }
    // Unicode gives each script's decimal digits ten code points in a row, from zero to nine.
    let mut below = 0;
    while char::from_u32(u32::from(c) - below - 1).is_some_and(crate::text::is_decimal_digit) {
        below += 1;
    }
    char::from_digit(below % 10, 10).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn d(text: &str) -> Decimal {
        Decimal::from_json(text).unwrap()
    }

    #[test]
    fn equal_numbers_are_equal_however_written() {
        for (a, b) in [
            ("5", "5.00"),
            ("-0", "0"),
            ("0.0e5", "0"),
            ("1e3", "1000"),
            ("12.5e-1", "1.25"),
        ] {
            assert_eq!(d(a), d(b), "{a} {b}");
        }
        assert!(!d("-0").is_negative());
    }

    #[test]
    fn order_is_exact_where_floats_are_not() {
        for (low, high) in [
            ("5", "5.0000000000000000001"),
            ("9007199254740992", "9007199254740993"),
            ("-5.1", "-5"),
            ("1e-400", "1e-399"),
            ("-1e400", "1e-400"),
            ("0", "1e-999999999999999"),
            ("9e399", "1e400"),
        ] {
            assert!(d(low) < d(high), "{low} < {high}");
        }
    }

    #[test]
    fn plain_decimals_have_at_most_64_digits() {
        assert!(Decimal::from_plain(&"9".repeat(64)).is_some());
        assert!(Decimal::from_plain(&"9".repeat(65)).is_none());
        assert!(Decimal::from_json("1e1000000000000000").is_none());
    }

    #[test]
    fn multiples() {
        assert_eq!(d("0.3").is_multiple_of(&d("0.1")), Some(true));
        assert_eq!(d("0.35").is_multiple_of(&d("0.1")), Some(false));
        assert_eq!(d("1e400").is_multiple_of(&d("7")), Some(false));
        assert_eq!(d("-21").is_multiple_of(&d("7")), Some(true));
        assert_eq!(d("1").is_multiple_of(&d("0")), None);
    }

    #[test]
    fn other_spellings() {
        for (text, plain) in [
            ("1_000", "1000"),
            ("٥", "5"),
            ("𝟙𝟚", "12"),
            ("0X1f", "31"),
            (".5", "0.5"),
            ("+1e1", "10"),
        ] {
            assert_eq!(
                Decimal::from_any_spelling(text),
                Decimal::from_plain(plain),
                "{text}"
            );
        }
        for text in ["", "abc", "1,000", "5 EUR", "0x", "--5", "."] {
            assert_eq!(Decimal::from_any_spelling(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_integers(a in any::<i64>(), b in any::<i64>(), scale in 0usize..5) {
            let write = |n: i64| format!("{n}e-{scale}");
            prop_assert_eq!(d(&write(a)).cmp(&d(&write(b))), a.cmp(&b));
            if b > 0 {
                prop_assert_eq!(d(&a.to_string()).is_multiple_of(&d(&b.to_string())), Some(a % b == 0));
            }
        }

        #[test]
        fn is_total(text in "\\PC*") {
            let _ = Decimal::from_json(&text);
            let _ = Decimal::from_plain(&text);
            let _ = Decimal::from_any_spelling(&text);
        }
    }
}
