use super::*;
use crate::testing::{json, pack};
use hcp_pack::Command;

/// A command with this preview, whose argument `n` is a number and whose other arguments have no type.
fn command(preview: &str) -> Command {
    let surface = json(&format!(
        r#"{{"description":"Does it. And more.","cli":["tool","act","-a","{{{{a}}}}","-b","{{{{b}}}}","-t","{{{{to}}}}","-i","{{{{ids}}}}","-m","{{{{memo}}}}","-n","{{{{n}}}}"],"preview":{preview},
            "args":{{"type":"object","properties":{{"a":{{}},"b":{{}},"to":{{}},"ids":{{}},"memo":{{}},"n":{{"type":"number"}}}}}}}}"#
    ));
    let pack = pack("tool", "act", &surface, "{}");
    pack.command("act").unwrap().clone()
}

fn read_both(preview: &str, args: &str) -> Declared {
    read(&command(preview), json(args).as_object().unwrap()).unwrap()
}

#[test]
fn a_field_shows_an_argument_only_when_it_shows_it_whole() {
    let d = read_both(
        r#"{"kind":"payment","title":"Pay {{to}}","fields":{"amount":"{{a}} EUR","to":"{{to}} {{a}}","currency":"EUR","memo":"{{memo}}"}}"#,
        r#"{"a":"2.80","to":"x"}"#,
    );
    assert_eq!(d.title, "Pay x");
    assert_eq!(
        d.fields.to_string_lossy(),
        r#"{"amount":"2.80 EUR","currency":"EUR","to":"x 2.80"}"#
    );
    assert_eq!(d.sources.get("amount"), Some(&vec!["a".to_owned()]));
    assert_eq!(d.sources.get("to"), None);
    assert!(!d.fields.contains_key("memo"));
}

#[test]
fn a_field_keeps_the_json_value_of_its_argument() {
    let d = read_both(
        r#"{"kind":"removal","title":"x","fields":{"what":"{{ids}}"}}"#,
        r#"{"ids":[1,2]}"#,
    );
    assert_eq!(d.fields.get("what"), Some(&json("[1,2]")));
}

#[test]
fn a_title_value_is_one_short_safe_line() {
    let long = "x".repeat(200);
    let d = read_both(
        r#"{"kind":"removal","title":"Delete {{a}}{{b}}","fields":{}}"#,
        &format!(r#"{{"a":"l\u202e\n","b":"{long}"}}"#),
    );
    assert!(d.title.starts_with(r"Delete l\u{202e}\nxxx") && d.title.ends_with('…'));
    assert!(d.title.chars().count() < 100);
}

trait Lossy {
    fn to_string_lossy(&self) -> String;
}
impl Lossy for Object {
    fn to_string_lossy(&self) -> String {
        Value::Object(self.clone()).to_string()
    }
}

#[test]
fn fixed_text_around_a_value_leaves_only_the_text() {
    // Of an argument without a type, "1" and 1 would look the same: the number has its row as well.
    for (args, source) in [
        (r#"{"a":"1"}"#, Some("a")),
        (r#"{"a":1}"#, None),
        (r#"{"n":1}"#, Some("n")),
        (r#"{"n":"1"}"#, None),
    ] {
        let name = if args.contains('n') { "n" } else { "a" };
        let preview = format!(
            r#"{{"kind":"payment","title":"x","fields":{{"amount":"{{{{{name}}}}} EUR"}}}}"#
        );
        let d = read_both(&preview, args);
        assert_eq!(d.fields.to_string_lossy(), r#"{"amount":"1 EUR"}"#);
        let found = d.sources.get("amount").map(|s| s[0].as_str());
        assert_eq!(found, source, "{args}");
    }
}

#[test]
fn a_value_that_does_not_fit_gives_the_plain_title_and_no_field() {
    let preview =
        r#"{"kind":"payment","title":"Pay {{to}}","fields":{"amount":"{{a}}","to":"{{to}}"}}"#;
    for amount in ["{}", "[1,2]", "true"] {
        let d = read_both(preview, &format!(r#"{{"a":{amount},"to":"x"}}"#));
        assert_eq!((d.kind, d.title.as_str()), (ViewKind::Payment, "Does it"));
        assert!(d.fields.is_empty() && d.sources.is_empty());
    }
    for nothing in ["null", "[]", "false"] {
        let d = read_both(preview, &format!(r#"{{"a":{nothing},"to":"x"}}"#));
        assert_eq!(d.fields.to_string_lossy(), r#"{"to":"x"}"#);
        assert_eq!(d.title, "Pay x");
    }
}
