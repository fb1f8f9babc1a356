use super::*;

fn rule(text: &str) -> (Option<SignalRule>, Vec<Fault>) {
    let node = hcp_core::json::parse(
        text,
        Limits {
            bytes: 1 << 20,
            depth: 64,
        },
    )
    .unwrap();
    let mut faults = Vec::new();
    (SignalRule::parse(&node, &mut faults), faults)
}

#[test]
fn every_builtin_rule_reads_and_holds_to_its_examples() {
    let mut faults = Vec::new();
    let rules = read_builtin(&mut faults);
    let source = hcp_core::diagnostic::Source::new("signals.json", BUILTIN);
    let told: Vec<String> = faults
        .iter()
        .map(|f| source.locate(f).to_string())
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert_eq!(rules.len(), BUILTIN.matches("{ \"code\"").count());
    assert!(
        rules.iter().all(|rule| rule.examples.is_some()),
        "a rule without examples"
    );
}

const GOOD: &str = r#"{ "code": "big", "level": "care", "text": "Over the top: {value}",
    "when": { "command": ["pay bill"], "args": ["amount"], "values": ["100"] },
    "examples": { "match": [{ "command": "bank.bill_pay", "args": { "amount": 100 }, "text": "Over the top: 100" }],
                  "not": [{ "command": "bank.pay", "args": { "amount": 100 } }] } }"#;

#[test]
fn a_rule_reads_and_goes_back_to_json() {
    let (read, faults) = rule(GOOD);
    assert_eq!(faults, []);
    let read = read.unwrap();
    assert_eq!(read.text(), "Over the top: {value}");
    let (again, faults) = rule(&read.to_value().to_string());
    assert_eq!((again.as_ref(), faults), (Some(&read), Vec::new()));
    for builtin in DEFAULT_SIGNAL_RULES.iter() {
        let (again, faults) = rule(&builtin.to_value().to_string());
        assert_eq!((again.as_ref(), faults), (Some(builtin), Vec::new()));
    }
}

#[test]
fn faults_are_told_with_a_way_out() {
    for (from, to, message, help) in [
        (
            r#""level": "care""#,
            r#""level": "dangr""#,
            "\"dangr\" is no level",
            "danger",
        ),
        (r#""level": "care","#, "", "has no \"level\"", "level"),
        (
            r#""code": "big""#,
            r#""code": "Big!""#,
            "cannot be a signal's code",
            "small letters",
        ),
        (r#""args":"#, r#""arg":"#, "has no key \"arg\"", "args"),
        (r#"["amount"]"#, "[]", "list is empty", "leave the key out"),
        (r#"["amount"]"#, "[7]", "must be a string", ""),
        (r#"["amount"]"#, r#"[" "]"#, "names nothing", ""),
        ("{value}", "{vlaue}", "no placeholder \"vlaue\"", "{value}"),
        ("{value}", "{value", "never closed", ""),
        (
            r#""values": ["100"]"#,
            r#""found": "sekret""#,
            "\"sekret\" is no detector",
            "secret",
        ),
        (
            r#""values": ["100"]"#,
            r#""kind": ["paiment"]"#,
            "is no kind of view",
            "payment",
        ),
        (
            r#""values": ["100"]"#,
            r#""count": { "fields": ["too"], "at_least": 0 }"#,
            "is no field that can be counted",
            "to",
        ),
        (
            r#""amount": 100 }, "text""#,
            r#""amount": 99 }, "text""#,
            "does not hold for this example",
            "",
        ),
        (r#""bank.pay""#, r#""bank.bill_pay""#, "it should not", ""),
        ("top: 100", "top: 99", "text is another", "Over the top: 99"),
        (
            r#""command": "bank.pay""#,
            r#""comand": "bank.pay""#,
            "has no \"command\"",
            "",
        ),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let (read, faults) = rule(&GOOD.replacen(from, to, 1));
        assert_eq!(read, None, "{to}");
        let told = faults.iter().any(|f| {
            f.message.contains(message)
                && (help.is_empty() || f.help.as_ref().is_some_and(|h| h.contains(help)))
        });
        assert!(told, "{to}: {faults:?}");
    }
}

#[test]
fn a_rule_without_a_condition_or_with_nothing_for_its_text_is_refused() {
    for (text, message) in [
        (
            r#"{ "code": "a", "level": "note", "text": "A", "when": {} }"#,
            "without a condition",
        ),
        (
            r#"{ "code": "a", "level": "note", "text": "A {count}", "when": { "operation": "write" } }"#,
            "finds nothing",
        ),
        (
            r#"{ "code": "a", "level": "note", "text": "A {values}", "when": { "count": { "fields": ["to"], "at_least": 1 } } }"#,
            "finds nothing",
        ),
        (
            r#"{ "code": "a", "level": "note", "text": " ", "when": { "operation": "write" } }"#,
            "needs a text",
        ),
        (r#"[]"#, "must be an object"),
    ] {
        let (read, faults) = rule(text);
        assert_eq!(read, None);
        assert!(
            faults.iter().any(|f| f.message.contains(message)),
            "{faults:?}"
        );
    }
}
