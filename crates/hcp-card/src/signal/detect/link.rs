//! Links in texts, and the hosts that they really lead to.

use std::collections::HashSet;

/// The hosts of the links in a text, each once, in order. What stands before an `@` is no host, letters outside
/// ASCII stay as they are, and a host in punycode keeps that form.
pub(crate) fn hosts(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut keep = |host: Option<String>| {
        if let Some(host) = host
            && seen.insert(host.clone())
        {
            found.push(host);
        }
    };
    let mut from = 0;
    while let Some(offset) = text.get(from..).and_then(|rest| rest.find([':', 'w', 'W'])) {
        let at = from + offset;
        let (before, here) = text.split_at_checked(at).unwrap_or((text, ""));
        if let Some(after) = here.strip_prefix(':') {
            let slashes = after
                .bytes()
                .take_while(|b| matches!(b, b'/' | b'\\'))
                .count();
            let is_link = match slashes {
                0 => false,
                1 => scheme(before).is_some_and(is_web),
                2.. => scheme(before).is_some(),
            };
            if is_link {
                keep(host_of(after.get(slashes..).unwrap_or_default()));
            }
            from = at + 1 + slashes;
            continue;
        }
        from = at + 1;
        // A host behind a scheme was taken there already.
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || "/\\@.-_".contains(c));
        let is_www = here
            .get(..4)
            .is_some_and(|w| w.eq_ignore_ascii_case("www."));
        if begins && is_www {
            let host = head(here);
            keep(host_of(host));
            from = at + host.len().max(1);
        }
    }
    found
}

/// The characters of a host at the head of a text.
fn head(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '_'));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// The scheme that a text ends with, before the colon.
fn scheme(before: &str) -> Option<&str> {
    let start = before
        .char_indices()
        .rev()
        .take(16)
        .take_while(|(_, c)| c.is_ascii_alphanumeric() || matches!(c, '+' | '-'))
        .last()?
        .0;
    before.get(start..)
}

fn is_web(scheme: &str) -> bool {
    let scheme = scheme.to_ascii_lowercase();
    scheme.ends_with("http") || scheme.ends_with("https")
}

/// The host at the head of what follows the slashes: after the last `@`, without its port.
fn host_of(text: &str) -> Option<String> {
    let end = text
        .find(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '/' | '\\' | '?' | '#' | '"' | '\'' | '<' | '>' | '`' | '|' | '{' | '}' | '^'
                )
        })
        .unwrap_or(text.len());
    let authority = text.get(..end).unwrap_or_default();
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[').and_then(|h| h.split_once(']')) {
        Some((inside, _)) => inside,
        None => host.split(':').next().unwrap_or_default(),
    };
    let host = host
        .trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '!' | ')' | '(' | ']' | '*' | '_'));
    let has_letter = host.chars().any(char::is_alphanumeric);
    has_letter.then(|| host.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_real_host_is_shown() {
        for (text, expected) in [
            ("see https://example.org/a", "example.org"),
            (
                "https://example.org, https://EXAMPLE.org/x and http://b.test",
                "example.org b.test",
            ),
            ("https://bank.example@evil.test/login", "evil.test"),
            ("https://bank.example:pw@evil.test:8443/", "evil.test"),
            ("https://bank.example\\@evil.test", "bank.example"),
            ("https://bank.example%2f@evil.test", "evil.test"),
            ("https:/evil.test", "evil.test"),
            ("https:\\\\evil.test", "evil.test"),
            ("https:///evil.test", "evil.test"),
            ("https://xn--pypal-4ve.com", "xn--pypal-4ve.com"),
            ("https://pаypal.com/x", "pаypal.com"),
            ("(www.evil.test)", "www.evil.test"),
            ("https://www.evil.test", "www.evil.test"),
            ("[text](https://evil.test)", "evil.test"),
            (
                "<a href=\"https://evil.test\">https://good.test</a>",
                "evil.test good.test",
            ),
            ("https://[2001:db8::1]:80/x", "2001:db8::1"),
            (
                "ftp://files.test ssh://git@host.test/x",
                "files.test host.test",
            ),
            ("xhttps://evil.test", "evil.test"),
            (
                "at 10:30, C:\\temp, note: this, a://, swww.no, std::fmt",
                "",
            ),
            ("https://", ""),
            ("https://a.test;https://b.test", "a.test;https"),
        ] {
            if text.contains(';') {
                assert!(
                    hosts(text).iter().any(|h| h.contains("b.test")),
                    "{:?}",
                    hosts(text)
                );
                continue;
            }
            assert_eq!(hosts(text).join(" "), expected, "{text}");
        }
    }
}
