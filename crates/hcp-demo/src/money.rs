//! Amounts in whole cents. No binary float, no rounding, no overflow.

use std::fmt;

/// An amount of money in cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cents(u64);

impl Cents {
    /// An amount from text such as `2.80`, `2.8` or `3`: digits, at most two of them behind a point,
    /// no sign, no leading zero, nothing else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = match text.split_once('.') {
            Some((_, "")) => return None,
            Some((whole, fraction)) => (whole, fraction),
            None => (text, ""),
        };
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || leading_zero || fraction.len() > 2 {
            return None;
        }
        if !digits(whole) || !digits(fraction) {
            return None;
        }
        let cents: u64 = format!("{fraction:0<2}").parse().ok()?;
        let whole: u64 = whole.parse().ok()?;
        whole.checked_mul(100)?.checked_add(cents).map(Self)
    }

    /// Whether it is nothing.
    pub(crate) fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// What is left of it, unless the other is more.
    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:02}", self.0 / 100, self.0 % 100))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_exact_amounts_and_nothing_else() {
        for (text, cents) in [
            ("2.80", 280),
            ("2.8", 280),
            ("3", 300),
            ("0.01", 1),
            ("0", 0),
        ] {
            assert_eq!(Cents::parse(text), Some(Cents(cents)), "{text}");
        }
        let no = [
            "",
            ".",
            "2.",
            ".5",
            "-1",
            "+1",
            "1e3",
            "1,000",
            "007",
            "2.801",
            " 2",
            "2 EUR",
            "٥",
            "NaN",
            "0x5",
            "1.-1",
            "99999999999999999999",
            "184467440737095517",
        ];
        for text in no {
            assert_eq!(Cents::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn shows_what_it_reads_back(cents in 0u64..u64::MAX / 2) {
            let amount = Cents(cents);
            prop_assert_eq!(Cents::parse(&amount.to_string()), Some(amount));
        }

        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = Cents::parse(&text);
        }
    }
}
