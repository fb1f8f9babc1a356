//! Secrets in a call, and values that look like a key or token.

use super::super::facts::Facts;
use super::super::texts::each;
use super::Found;
use crate::names::words;
use hcp_core::canonical;
use hcp_core::json::Value;

/// What known services begin their keys with, and the fewest characters of the whole.
const PREFIXES: &[(&str, usize)] = &[
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 22),
    ("glpat-", 20),
    ("gldt-", 20),
    ("sk-", 20),
    ("sk_live_", 20),
    ("sk_test_", 20),
    ("rk_live_", 20),
    ("rk_test_", 20),
    ("whsec_", 20),
    ("xoxb-", 15),
    ("xoxp-", 15),
    ("xoxa-", 15),
    ("xoxe-", 15),
    ("xoxr-", 15),
    ("xoxs-", 15),
    ("xapp-", 15),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 30),
    ("ya29.", 20),
    ("GOCSPX-", 20),
    ("npm_", 20),
    ("pypi-", 20),
    ("hvs.", 20),
    ("hvb.", 20),
    ("dop_v1_", 20),
    ("shpat_", 20),
    ("SG.", 30),
    ("hf_", 20),
    ("dckr_pat_", 20),
    ("lin_api_", 20),
    ("AGE-SECRET-KEY-", 20),
];

/// What looks random and is public: digests and public keys.
const PUBLIC: &[&str] = &[
    "AAAAB3NzaC1",
    "AAAAC3NzaC1",
    "AAAAE2VjZHNh",
    "sha256-",
    "sha384-",
    "sha512-",
];

/// Token-like texts of other lengths are data (a picture, a document).
const RANDOM: std::ops::RangeInclusive<usize> = 32..=256;

/// The lengths of the secrets of a call: secret arguments, and what is named like a secret or looks like one.
pub(super) fn secrets(facts: &Facts<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    let mut keep = |length: u64| {
        found.push(Found {
            count: length,
            values: Vec::new(),
        });
    };
    for arg in &facts.args {
        let named = names_a_secret(arg.name);
        each(arg.value, &mut |text| match displayed_secret(text) {
            Some(length) => keep(length),
            None if arg.secret || named && is_one_word(text) => {
                keep(u64::try_from(text.chars().count()).unwrap_or(u64::MAX))
            }
            None => lengths(text).into_iter().for_each(&mut keep),
        });
        if arg.secret && matches!(arg.value, Value::Number(_)) {
            keep(u64::try_from(canonical::encode(arg.value).len()).unwrap_or(u64::MAX));
        }
    }
    found
}

/// Whether a text is one word, and not too short for a secret.
fn is_one_word(text: &str) -> bool {
    const SHORTEST: usize = 6;
    text.len() >= SHORTEST && !text.contains(char::is_whitespace)
}

/// Whether an argument is named for a secret: `password`, `newPassword`, `api_key`. A token that leads from page to
/// page is none.
fn names_a_secret(name: &str) -> bool {
    const PAGES: &[&str] = &[
        "page",
        "pages",
        "next",
        "previous",
        "prev",
        "continuation",
        "sync",
        "cursor",
        "skip",
        "start",
        "pagination",
    ];
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [
            ..,
            "password" | "passwd" | "passphrase" | "apitoken" | "apikey" | "accesstoken",
        ] => true,
        ["token"] => true,
        [first, .., "token"] => !PAGES.contains(first),
        [_, .., "pass"] => true,
        [
            ..,
            "api" | "client" | "app" | "shared" | "consumer",
            "secret",
        ] => true,
        [
            ..,
            "api" | "secret" | "private" | "signing" | "encryption",
            "key",
        ] => true,
        [.., "secret", "access", "key"] => true,
        _ => false,
    }
}

/// The length in the display form of a secret: `[secret, 32 characters, #a1b2c3d4]`.
fn displayed_secret(text: &str) -> Option<u64> {
    let (number, rest) = text.strip_prefix("[secret, ")?.split_once(' ')?;
    if !rest.starts_with("character") || !text.ends_with(']') {
        return None;
    }
    number.parse().ok()
}

/// The lengths in characters of what looks like a key or token in a text, in order.
fn lengths(text: &str) -> Vec<u64> {
    if let Some(length) = private_key(text) {
        return vec![length];
    }
    let mut found = Vec::new();
    for run in text.split(|c: char| !is_token(c)) {
        // The shortest key is no shorter.
        if run.len() >= 15 {
            let parts = run.split(['=', ':']);
            found.extend(parts.filter(|part| is_secret(part)).map(length));
        }
    }
    found
}

/// Whether a text holds what a known service issues as a key: by how it begins, or as a web token or private key. What
/// is only random is none: an account may be named by a number that nobody can read.
///
/// ```
/// use hcp_card::signal::holds_issued_key;
/// assert!(holds_issued_key("token: ghp_0123456789abcdefghijABCDEFGHIJ012345"));
/// assert!(!holds_issued_key("ana@example.org") && !holds_issued_key("6f1ed002ab5595859014ebf0951522d9"));
/// ```
#[must_use]
pub fn holds_issued_key(text: &str) -> bool {
    let mut parts = text
        .split(|c: char| !is_token(c))
        .flat_map(|run| run.split(['=', ':']));
    private_key(text).is_some() || parts.any(is_issued)
}

fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

fn private_key(text: &str) -> Option<u64> {
    let (_, after) = text.split_once("-----BEGIN ")?;
    let (kind, _) = after.split_once("-----")?;
    (kind.len() <= 40 && kind.contains("PRIVATE KEY")).then(|| length(text.trim()))
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '.' | '=' | ':' | '~')
}

fn is_secret(part: &str) -> bool {
    if PUBLIC.iter().any(|prefix| part.starts_with(prefix)) {
        return false;
    }
    is_issued(part) || is_random(part)
}

fn is_issued(part: &str) -> bool {
    let known = |(prefix, least): &(&str, usize)| part.len() >= *least && part.starts_with(prefix);
    PREFIXES.iter().any(known) && has_digit_or_case(part) || is_web_token(part)
}

/// A word such as `sk-learn-contributions-and-more` is none: keys have digits or both cases.
fn has_digit_or_case(part: &str) -> bool {
    let (lower, upper, digit) = classes(part);
    digit || lower && upper
}

fn classes(part: &str) -> (bool, bool, bool) {
    (
        part.bytes().any(|b| b.is_ascii_lowercase()),
        part.bytes().any(|b| b.is_ascii_uppercase()),
        part.bytes().any(|b| b.is_ascii_digit()),
    )
}

/// A JSON Web Token (RFC 7519): three parts, the first two of which are JSON objects in base64url.
fn is_web_token(part: &str) -> bool {
    let mut parts = part.split('.');
    let (first, second, third) = (parts.next(), parts.next(), parts.next());
    first.is_some_and(|p| p.starts_with("eyJ"))
        && second.is_some_and(|p| p.starts_with("eyJ"))
        && third.is_some()
        && parts.next().is_none()
}

/// Letters of both cases and digits so mixed that no person wrote them. Hexadecimal digests, UUIDs, paths, names
/// of hosts and words in camel case are none.
fn is_random(part: &str) -> bool {
    if !RANDOM.contains(&part.len()) || part.contains(['.', '~']) || part.starts_with('/') {
        return false;
    }
    let (lower, upper, digit) = classes(part);
    let slashes = part.bytes().filter(|b| *b == b'/').count();
    if !(lower && upper && digit) || slashes * 16 > part.len() || part.bytes().all(is_hex) {
        return false;
    }
    // In random text every second or third character is of another class than the one before it. A capital at
    // the head of a word is no change, and a run of capitals is one.
    let (mut changes, mut before, mut run) = (0_usize, b'A', 0_usize);
    for byte in part.bytes() {
        run = if byte.is_ascii_uppercase() {
            run + 1
        } else {
            0
        };
        let changed = before.is_ascii_lowercase() && byte.is_ascii_uppercase()
            || before.is_ascii_digit() && byte.is_ascii_alphabetic()
            || before.is_ascii_alphabetic() && byte.is_ascii_digit();
        changes += usize::from(changed || run == 2);
        before = byte;
    }
    changes * 10 >= part.len() * 3
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_tokens_are_found() {
        for (text, expected) in [
            ("ghp_0123456789abcdefghijABCDEFGHIJ012345", vec![40]),
            ("use github_pat_11ABCDEFG0123456789_abc please", vec![34]),
            ("sk-proj-abcDEF0123456789abcdef", vec![30]),
            ("xoxb-123456789012-abcdef", vec![24]),
            ("AKIAIOSFODNN7EXAMPLE", vec![20]),
            ("AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", vec![20]),
            ("AIzaSyA1234567890abcdefghijklmnopqrstuv", vec![39]),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
                vec![66],
            ),
            ("-----BEGIN PRIVATE KEY-----", vec![27]),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", vec![41]),
            ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", vec![40]),
            ("token: q7Zp2LxV9mTb4KcR8wYs1NdF6hJg3QaE", vec![32]),
            ("a9F3kQ2+zL8pX1vB7nM4cT6yH0sD5gJ2wR9eU3iO=", vec![40]),
        ] {
            assert_eq!(lengths(text), expected, "{text}");
        }
    }

    #[test]
    fn digests_names_paths_and_prose_are_no_keys() {
        for text in [
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
            "123e4567-e89b-12d3-a456-426614174000",
            "https://example.org/Some/Path2/With4Numbers/AndCamelCase99/x1Y2z3A4b5C6d7E8f9G0",
            "/home/ana/Documents/VeryLongCamelCaseFileName2024Final.pdf",
            "Documents/VeryLongCamelCaseFileName2024FinalVersion",
            "theQuickBrownFoxJumpsOverTheLazyDog2024Again",
            "my-very-long-service-name-in-production-2024-eu-west-1",
            "sk-learn-contributions-and-more",
            "sha512-oRBaY0lT7c2LQj3Zx9vKp4Wm8Nd1Yt6Hf5Gs0Re==",
            "AAAAB3NzaC1yc2EAAAADAQABAAABgQC7y8Q2Lx9V",
            "-----BEGIN PUBLIC KEY-----",
            "the meeting is on Monday at ten, bring your notes and a pen",
            "parseHTTPRequestFromJSONBody2XMLAndMore",
            "MY_VERY_LONG_CONSTANT_NAME_IN_A_FILE_v2",
            "arn:aws:iam::123456789012:role/MyDeploymentRoleForProduction",
            "ghp_",
            "",
        ] {
            assert_eq!(lengths(text), Vec::<u64>::new(), "{text}");
        }
    }
}
