//! Who gets something: the single addresses of a value, whatever way they are written together.

use hcp_core::canonical;
use hcp_core::json::Value;

/// The addresses of a value, in one form each: `Ana <ana@X.org>, bob@x.org` holds `ana@x.org` and `bob@x.org`.
/// Where two readings remain, the one with more addresses is taken.
pub(crate) fn addresses(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        // A switch names nobody.
        Value::Null | Value::Bool(_) => {}
        Value::Number(_) => found.push(canonical::encode(value)),
        Value::String(text) => split(text, found),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(object) => {
            let keys = ["email", "address", "mail", "emailAddress", "id", "name"];
            match keys.iter().find_map(|key| object.get(key)) {
                Some(inner) => collect(inner, found),
                None => found.push(canonical::encode(value)),
            }
        }
    }
}

/// Splits at commas, semicolons and line breaks outside double quotes and angle brackets.
fn split(text: &str, found: &mut Vec<String>) {
    if !text.contains(['"', '<', '>', ',', ';', '\n', '\r', '，', '；', '、']) {
        piece_into(text, found);
        return;
    }
    let mut piece = String::new();
    let (mut in_quotes, mut in_angle) = (false, false);
    // A quote or bracket that never closes hides no comma.
    let closes_quotes = text.matches('"').count().is_multiple_of(2);
    let closes_angle = text.matches('<').count() == text.matches('>').count();
    for c in text.chars() {
        match c {
            '"' if closes_quotes && !in_angle => in_quotes = !in_quotes,
            '<' if closes_angle && !in_quotes => in_angle = true,
            '>' if !in_quotes => in_angle = false,
            ',' | ';' | '\n' | '\r' | '，' | '；' | '、' if !in_quotes && !in_angle => {
                piece_into(&std::mem::take(&mut piece), found);
                continue;
            }
            _ => {}
        }
        piece.push(c);
    }
    piece_into(&piece, found);
}

/// One piece: what stands in the angle brackets, or every word of it when several of them are addresses.
fn piece_into(piece: &str, found: &mut Vec<String>) {
    let trimmed = piece.trim();
    if trimmed.matches('@').count() < 2 && !trimmed.contains('<') {
        found.extend(normal(trimmed));
        return;
    }
    let brackets: Vec<&str> = trimmed
        .split('<')
        .skip(1)
        .filter_map(|part| part.split_once('>').map(|(inside, _)| inside.trim()))
        .filter(|inside| inside.contains('@'))
        .collect();
    if !brackets.is_empty() {
        for inside in brackets {
            for one in inside.split([',', ';', ' ']) {
                found.extend(normal(one));
            }
        }
        return;
    }
    if trimmed.matches('@').count() > 1 && trimmed.contains(char::is_whitespace) {
        for word in trimmed.split_whitespace().filter(|w| w.contains('@')) {
            found.extend(normal(word));
        }
        return;
    }
    found.extend(normal(trimmed));
}

/// One address: without `mailto:`, its domain in lower case.
fn normal(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['"', '\'']);
    let text = text.strip_prefix("mailto:").unwrap_or(text).trim();
    if text.is_empty() {
        return None;
    }
    Some(match text.rsplit_once('@') {
        Some((local, domain)) if local.is_empty() || is_small(domain) => text.to_owned(),
        Some((local, domain)) => format!("{local}@{}", domain.to_lowercase()),
        None => text.to_owned(),
    })
}

/// Whether a domain is in lower case for certain.
fn is_small(domain: &str) -> bool {
    let bytes = domain.as_bytes();
    bytes.is_ascii() && !bytes.iter().any(u8::is_ascii_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_addresses_is_counted() {
        for (text, expected) in [
            ("a@x.org", "a@x.org"),
            ("a@x.org, b@x.org;c@x.org", "a@x.org|b@x.org|c@x.org"),
            ("Ana <a@X.ORG>", "a@x.org"),
            (
                "\"Lovelace, Ada\" <ada@x.org>, bob@x.org",
                "ada@x.org|bob@x.org",
            ),
            ("a@x.org b@x.org", "a@x.org|b@x.org"),
            ("a@x.org\nb@x.org", "a@x.org|b@x.org"),
            ("mailto:a@x.org", "a@x.org"),
            ("#general", "#general"),
            ("Ana Lovelace", "Ana Lovelace"),
            ("\"Ana, a@x.org, b@x.org", "Ana|a@x.org|b@x.org"),
            ("Ana <a@x.org, b@x.org", "Ana <a@x.org|b@x.org"),
            ("<a@x.org,b@x.org>", "a@x.org|b@x.org"),
            ("Ana <a@x.org> Bob <b@x.org>", "a@x.org|b@x.org"),
            (" , ;", ""),
        ] {
            assert_eq!(addresses(&Value::from(text)).join("|"), expected, "{text}");
        }
    }

    #[test]
    fn lists_and_objects_are_counted() {
        let list = Value::from(vec!["a@x.org, b@x.org", "c@x.org"]);
        assert_eq!(addresses(&list).len(), 3);
        let objects = Value::from(vec![Value::Object(
            hcp_core::json::Object::new()
                .with("name", "Ana")
                .with("email", "a@x.org"),
        )]);
        assert_eq!(addresses(&objects), ["a@x.org"]);
    }
}
