//! The table of all lints: one file each, with record, check and examples together.

mod m000;
mod m001;
mod m002;
mod m003;
mod m004;
mod m005;
mod m006;
mod m007;
mod m008;
mod m009;
mod m010;
mod m011;
mod m012;
mod m013;
mod m014;
mod m015;
mod m016;
mod m017;
mod m018;
mod m019;
mod m020;
mod m021;
mod m024;
mod m025;
mod p001;
mod p002;
mod p003;
mod p004;
mod p005;
mod p006;
mod p007;
mod p008;
mod p009;
mod p010;
mod p011;
mod shells;

use crate::lint::Lint;
use hcp_core::names::did_you_mean;

/// All lints, by code. A code is never given again.
pub static ALL: &[&Lint] = &[
    &m000::LINT,
    &m001::LINT,
    &m002::LINT,
    &m003::LINT,
    &m004::LINT,
    &m005::LINT,
    &m006::LINT,
    &m007::LINT,
    &m008::LINT,
    &m009::LINT,
    &m010::LINT,
    &m011::LINT,
    &m012::LINT,
    &m013::LINT,
    &m014::LINT,
    &m015::LINT,
    &m016::LINT,
    &m017::LINT,
    &m018::LINT,
    &m019::LINT,
    &m020::LINT,
    &m021::LINT,
    &m024::LINT,
    &m025::LINT,
    &p001::LINT,
    &p002::LINT,
    &p003::LINT,
    &p004::LINT,
    &p005::LINT,
    &p006::LINT,
    &p007::LINT,
    &p008::LINT,
    &p009::LINT,
    &p010::LINT,
    &p011::LINT,
];

/// The lint of a code; case does not matter.
///
/// ```
/// assert_eq!(hcp_lint::find("p007").map(|lint| lint.code), Some("P007"));
/// assert!(hcp_lint::find("P999").is_none());
/// ```
#[must_use]
pub fn find(code: &str) -> Option<&'static Lint> {
    ALL.iter()
        .copied()
        .find(|lint| lint.code.eq_ignore_ascii_case(code))
}

/// The code that a mistyped one most likely meant.
#[must_use]
pub fn near(typed: &str) -> Option<&'static str> {
    did_you_mean(typed, ALL.iter().map(|lint| lint.code))
}

/// The lint that a fault of the loader belongs to.
pub(crate) fn claiming(message: &str) -> &'static Lint {
    let claimed = ALL.iter().copied().find(|lint| (lint.claims)(message));
    claimed.unwrap_or(&m000::LINT)
}

#[cfg(test)]
mod tests;
