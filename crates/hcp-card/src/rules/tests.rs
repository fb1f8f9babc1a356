use super::*;
use crate::view::ViewKind;

const VIEWS: &str = include_str!("../../rules/views.json");

#[test]
fn the_built_in_rules_are_read_whole_and_keep_their_examples() {
    let node = parse(VIEWS, Limits::default()).unwrap();
    let mut faults = Vec::new();
    let rules = list(&node, &mut faults);
    let source = hcp_core::diagnostic::Source::new("views.json", VIEWS);
    let all: Vec<String> = faults
        .iter()
        .map(|f| source.locate(f).to_string())
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
    assert_eq!(rules, *DEFAULT_VIEW_RULES);
    for rule in &rules {
        assert!(!rule.examples.matches.is_empty() && !rule.examples.not.is_empty());
    }
}

#[test]
fn the_built_in_rules_stand_in_order_of_gravity() {
    let kinds: Vec<ViewKind> = DEFAULT_VIEW_RULES.iter().map(|rule| rule.kind).collect();
    let order = [
        ViewKind::Removal,
        ViewKind::Payment,
        ViewKind::Publish,
        ViewKind::Share,
        ViewKind::Event,
        ViewKind::Run,
        ViewKind::File,
        ViewKind::Change,
        ViewKind::Message,
    ];
    let mut seen: Vec<ViewKind> = kinds.clone();
    seen.dedup();
    assert_eq!(seen, order);
}

#[test]
fn a_rule_goes_back_to_its_json() {
    for rule in DEFAULT_VIEW_RULES.iter() {
        let text = rule.to_value().to_string();
        let node = parse(&text, Limits::default()).unwrap();
        assert_eq!(
            ViewRule::parse(&node, &mut Vec::new()).as_ref(),
            Some(rule),
            "{text}"
        );
    }
}

#[test]
fn faults_are_told_with_a_way_out() {
    for (text, message, help) in [
        (
            r#"{"rules":[{"kind":"paymnt","when":{"command":["x"]}}]}"#,
            r#""paymnt" is no kind of view"#,
            r#"did you mean "payment"?"#,
        ),
        (
            r#"{"rules":[{"kind":"message","whn":{"command":["x"]}}]}"#,
            r#"a view rule has no "when""#,
            r#"add "when""#,
        ),
        (
            r#"{"rules":[{"kind":"message","when":{}}]}"#,
            "a view rule without a condition",
            r#"add "command" or "args""#,
        ),
        (
            r#"{"rules":[{"kind":"message","when":{"comand":["x"],"args":["a"]}}]}"#,
            r#"has no key "comand""#,
            r#"did you mean "command"?"#,
        ),
        (
            r#"{"rules":[{"kind":"message","when":{"command":["x"]},"fields":{"amount":["a"]}}]}"#,
            r#"a view of kind message has no field "amount""#,
            "it has: to, cc",
        ),
        (
            r#"{"rules":[{"kind":"payment","when":{"command":["x"]},"fields":{"amuont":["a"]}}]}"#,
            r#"no field "amuont""#,
            r#"did you mean "amount"?"#,
        ),
        (
            r#"{"rules":[{"kind":"command","when":{"command":["x"]},"fields":{"what":["a"]}}]}"#,
            r#"no field "what""#,
            "leave the fields out",
        ),
        (r#"{"rules":{}}"#, "must be an array", ""),
        (r#"{"rules":[1]}"#, "a view rule must be an object", ""),
        (
            r#"{"rules":[{"kind":1,"when":{"command":["x"]}}]}"#,
            "must be a string",
            "",
        ),
        (
            r#"{"rules":[{"kind":"run","when":{"command":"x"}}]}"#,
            "must be an array",
            "",
        ),
        (
            r#"{"rules":[{"kind":"run","when":{"command":["-"]}}]}"#,
            "a name must hold a letter",
            "",
        ),
        (
            r#"{"rules":[{"kind":"run","when":{"command":["x"]},"title":1}]}"#,
            "must be a string",
            "",
        ),
        (
            r#"{"rules":[{"kind":"run","when":{"command":["x"]},"fields":[]}]}"#,
            "the fields must be an object",
            "",
        ),
        (
            r#"{"rules":[{"kind":"run","when":{"command":["x"]},"examples":{"match":["a.b"]}}]}"#,
            r#"the rule does not fit its example "a.b""#,
            "",
        ),
        (
            r#"{"rules":[{"kind":"run","when":{"command":["x"]},"examples":{"not":["a.x"]}}]}"#,
            r#"the rule fits its example "a.x""#,
            "",
        ),
        (
            r#"{"ruls":[]}"#,
            r#"the views has no key "ruls""#,
            r#"did you mean "rules"?"#,
        ),
        (r#"[]"#, "the views must be an object", ""),
    ] {
        let mut faults = Vec::new();
        let rules = Rules::parse(&parse(text, Limits::default()).unwrap(), &mut faults);
        let first = faults.first().unwrap_or_else(|| panic!("{text}"));
        assert!(first.message.contains(message), "{text}: {first:?}");
        assert!(
            first.help.clone().unwrap_or_default().contains(help),
            "{text}: {first:?}"
        );
        assert_eq!(rules, Rules::builtin(), "{text}");
    }
}

#[test]
fn own_rules_stand_ahead_the_latest_first() {
    let read = |text: &str| Rules::parse(&parse(text, Limits::default()).unwrap(), &mut Vec::new());
    let first = read(r#"{"rules":[{"kind":"run","when":{"command":["delete"]}}]}"#);
    let second = read(r#"{"rules":[{"kind":"share","when":{"command":["rm"]}}]}"#);
    let both = first.with_own(second);
    let kinds: Vec<ViewKind> = both.views().take(3).map(|rule| rule.kind).collect();
    assert_eq!(kinds, [ViewKind::Share, ViewKind::Run, ViewKind::Removal]);
    assert_eq!(Rules::builtin().views().count(), DEFAULT_VIEW_RULES.len());
}
