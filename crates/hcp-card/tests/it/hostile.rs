//! Values that try to deceive, through every face of a card: nothing invisible comes out, no row is forged,
//! the rows stand in line, and no line is wider than the terminal.

use hcp_card::{Card, CardCall, FileRow, Past, Rules, View, render, view};
use hcp_core::gate::Reading;
use hcp_core::json::{Limits, Object, Value, parse};
use hcp_core::text::{is_unsafe, width};
use hcp_pack::{Command, Pack, PackFiles, shell_line};

const SURFACE: &str = r#"{"commands":{"pay":{
    "description":"Pay somebody.",
    "cli":["demo","pay","--amount={{amount}}","--to={{to}}","--memo={{memo}}","--list={{list}}","--object={{object}}","--plain={{plain}}","--count={{count}}"],
    "args":{"type":"object","properties":{
        "amount":{"type":"string"},"to":{"type":"string"},"memo":{"type":"string"},
        "list":{"type":"array"},"object":{"type":"object"},"plain":{},"count":{"type":"integer","default":1}}},
    "preview":{"kind":"payment","title":"Pay {{to}}: {{memo}}",
        "fields":{"amount":"{{amount}}","to":"{{to}}","from":"Account of {{to}}","memo":"{{memo}}"}}}}}"#;

/// Whole sequences of the texts in the table that are meant to stand as they are.
const WHOLE: &[&str] = &[
    "می\u{200c}خ",
    "क्\u{200d}ष",
    "র\u{200d}্য",
    "ශ්\u{200d}ර",
    "ꦥ꧀\u{200d}ꦥ",
    "👩\u{200d}👩\u{200d}👧\u{200d}👦",
    "👩\u{200d}💻",
    "❤\u{fe0f}",
    "1\u{fe0f}\u{20e3}",
    "🏳\u{fe0f}\u{200d}🌈",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
];

/// Values that are too long for the table.
fn long_values() -> Vec<String> {
    vec![
        "x".repeat(100_000),
        "\u{202e}".repeat(10_000),
        "line\n".repeat(20_000),
        "\n".repeat(400),
        " ".repeat(100_000),
        "\u{a0} ".repeat(5_000),
        format!("a{}", "\u{301}".repeat(5_000)),
        "👩\u{200d}👩\u{200d}👧\u{200d}👦".repeat(800),
        "日本語".repeat(3_000),
        format!("{}\n  to  alice\n{}", "w ".repeat(600), "v ".repeat(600)),
    ]
}

/// The values of the table.
fn values() -> Vec<String> {
    include_str!("../data/hostile.txt")
        .lines()
        .filter(|line| !line.starts_with("# "))
        .map(unescaped)
        .collect()
}

fn unescaped(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let (c, tail) = if let Some((digits, tail)) =
            after.strip_prefix("u{").and_then(|a| a.split_once('}'))
        {
            (
                char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap(),
                tail,
            )
        } else {
            let c = match after.chars().next().unwrap() {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '\\' => '\\',
                c => panic!("no escape: {c} in {line}"),
            };
            (c, &after[1..])
        };
        out.push(c);
        rest = tail;
    }
    out + rest
}

fn pack() -> Pack {
    let bytes = |text: &str| text.as_bytes().to_vec();
    Pack::read(&PackFiles {
        folder: "demo".to_owned(),
        pack: bytes(r#"{"id":"demo","name":"Demo","version":"1.0.0","summary":"Demo."}"#),
        surface: bytes(SURFACE),
        policy: bytes(r#"{"commands":{"pay":{"operation":"write"}}}"#),
        skill: None,
    })
    .unwrap()
}

/// A card as the library makes it, before a hostile value is put in.
struct Maker {
    pack: Pack,
    command: Command,
    rules: Rules,
    /// The card of the call without any hostile value.
    plain: Option<Card>,
}

impl Maker {
    fn new() -> Self {
        let pack = pack();
        let command = pack.commands.values().next().unwrap().clone();
        let mut maker = Self {
            pack,
            command,
            rules: Rules::builtin(),
            plain: None,
        };
        maker.plain = Some(maker.card(&args("plain", "p")));
        maker
    }

    fn view(&self, args: &Object) -> View {
        let call = CardCall {
            pack: &self.pack.id,
            command: &self.command,
            args,
            policy: self.command.policy.for_call(args, &Reading::default()),
            reading: &Reading::default(),
            unread: &[],
            files: &[],
            rules: &self.rules,
        };
        view(&call, &Past::default())
    }

    fn card(&self, args: &Object) -> Card {
        Card {
            pack_name: "Demo".to_owned(),
            summary: "Pay somebody.".to_owned(),
            view: self.view(args),
            account: Some("ana".to_owned()),
            cwd: Some("/work".to_owned()),
            files: vec![FileRow {
                argument: "plain".to_owned(),
                path: "x".to_owned(),
                size: None,
                words: "absent".to_owned(),
            }],
            stdin: Some("1 byte".to_owned()),
            cli: "demo pay".to_owned(),
        }
    }
}

/// A place of the card where a value of somebody else's can stand.
struct Face {
    name: &'static str,
    put: fn(&Maker, &str) -> Card,
}

macro_rules! faces {
    ($($name:literal: |$maker:ident, $value:ident| $card:expr;)*) => {
        &[$(Face { name: $name, put: |$maker: &Maker, $value: &str| $card }),*]
    };
}

fn args(name: &str, value: impl Into<Value>) -> Object {
    let mut args = Object::new()
        .with("amount", "2.80")
        .with("to", "demo")
        .with("memo", "hi")
        .with("list", vec![Value::from("a")])
        .with("object", Object::new().with("k", "v"))
        .with("plain", "p");
    args.insert(name, value);
    args
}

fn with(maker: &Maker, change: impl FnOnce(&mut Card)) -> Card {
    let mut card = maker.plain.clone().unwrap();
    change(&mut card);
    card
}

const FACES: &[Face] = faces! {
    "field": |maker, value| maker.card(&args("to", value));
    "text field": |maker, value| maker.card(&args("memo", value));
    "row": |maker, value| maker.card(&args("plain", value));
    "item": |maker, value| maker.card(&args("list", vec![Value::from("a"), Value::from(value), Value::from("c")]));
    "nested item": |maker, value| maker.card(&args("list", vec![Value::Array(vec![Value::from(value)])]));
    "object": |maker, value| maker.card(&args("object", Object::new().with("k", value)));
    "key": |maker, value| maker.card(&args("object", Object::new().with(value, "v")));
    "key that hides": |maker, value| maker.card(&args("plain", Object::new().with("a", Object::new().with(value, value))));
    "pack name": |maker, value| with(maker, |card| card.pack_name = value.to_owned());
    "summary": |maker, value| with(maker, |card| card.summary = value.to_owned());
    "title": |maker, value| with(maker, |card| card.view.title = format!("Pay {value}"));
    "account": |maker, value| with(maker, |card| card.account = Some(value.to_owned()));
    "folder": |maker, value| with(maker, |card| card.cwd = Some(value.to_owned()));
    "file": |maker, value| with(maker, |card| card.files[0].words = value.to_owned());
    "input": |maker, value| with(maker, |card| card.stdin = Some(value.to_owned()));
    "command line": |maker, value| with(maker, |card| card.cli = shell_line(&["demo".to_owned(), value.to_owned()]));
    "raw command line": |maker, value| with(maker, |card| card.cli = format!("demo {value}"));
};

/// Characters that are not plainly visible, whole sequences apart.
fn invisible(text: &str) -> Vec<char> {
    let unseen = |c: char| c != '\n' && is_unsafe(c);
    if !text.contains(unseen) {
        return Vec::new();
    }
    let mut text = text.to_owned();
    for whole in WHOLE {
        text = text.replace(whole, "");
    }
    text.chars().filter(|c| unseen(*c)).collect()
}

/// The labels of the lines that read as rows.
fn labels(drawn: &str) -> Vec<String> {
    drawn
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with([' ', '›', '»', '│', '$']))
        .map(|line| line.split("  ").next().unwrap().to_owned())
        .collect()
}

fn check(drawn: &str, card: &Card, rows: &[String], columns: usize) -> Result<(), String> {
    let left = invisible(drawn);
    if !left.is_empty() {
        return Err(format!("invisible: {left:?}"));
    }
    if labels(drawn) != rows {
        return Err(format!("rows {:?}, not {rows:?}", labels(drawn)));
    }
    let signals = drawn.lines().filter(|line| line.starts_with('·')).count();
    if signals != card.view.signals.len() {
        return Err(format!("{signals} signals"));
    }
    let commands = drawn
        .lines()
        .filter(|line| line.starts_with("  $ "))
        .count();
    if commands != 1 {
        return Err(format!("{commands} command lines"));
    }
    for line in drawn.lines().skip(1) {
        if width(line) > columns {
            return Err(format!("{} columns: {line}", width(line)));
        }
    }
    if drawn.lines().count() > 120 {
        return Err(format!("{} lines", drawn.lines().count()));
    }
    in_line(drawn)
}

/// The values of rows begin at one column, and what goes on below them never stands further left.
fn in_line(drawn: &str) -> Result<(), String> {
    let rows: Vec<&str> = drawn
        .lines()
        .filter(|line| line.starts_with("  "))
        .take_while(|line| !line.starts_with("  $ "))
        .collect();
    let first = rows.iter().find(|line| line.starts_with("  as ")).unwrap();
    let column = first.len() - first[4..].trim_start().len();
    for line in rows {
        let own = line.strip_prefix("  ").unwrap();
        let mut at = 0;
        let mut seen = String::new();
        for c in line.chars() {
            if at >= column {
                break;
            }
            seen.push(c);
            at = width(&seen);
        }
        let label = seen.trim_end();
        if label == line {
            continue;
        }
        let goes_on = own.starts_with(' ') && !label.is_empty();
        if at != column || goes_on || (!own.starts_with(['›', '»', '│']) && !seen.ends_with("  "))
        {
            return Err(format!("out of line at column {column}: {line}"));
        }
    }
    Ok(())
}

#[test]
fn there_are_enough_values_and_each_is_there_once() {
    let mut values = values();
    assert!(values.len() >= 200, "{}", values.len());
    let count = values.len();
    values.sort();
    let again: Vec<_> = values.windows(2).filter(|w| w[0] == w[1]).collect();
    assert!(again.is_empty(), "{again:?} of {count}");
}

/// Draws each value through each face.
fn draw_all(faces: &[&Face], columns: usize, values: &[String]) {
    let maker = Maker::new();
    let mut failures = Vec::new();
    for face in faces {
        let rows = labels(render(&(face.put)(&maker, "x"), columns).as_str());
        for value in values {
            let card = (face.put)(&maker, value);
            let drawn = render(&card, columns).to_string();
            if let Err(fault) = check(&drawn, &card, &rows, columns) {
                let value: String = value.escape_default().take(80).collect();
                failures.push(format!("{} at {columns}: {value}: {fault}", face.name));
            }
        }
    }
    let count = failures.len();
    assert!(failures.is_empty(), "{count}\n{}", failures.join("\n"));
}

#[test]
fn no_value_deceives_on_a_wide_card() {
    draw_all(&FACES.iter().collect::<Vec<_>>(), 80, &values());
}

#[test]
fn no_value_deceives_on_a_narrow_card() {
    draw_all(&FACES.iter().collect::<Vec<_>>(), 40, &values());
}

#[test]
fn no_value_deceives_on_the_narrowest_cards() {
    // Where the columns of rows are so narrow, a name may stand above its value.
    let maker = Maker::new();
    for face in FACES {
        for (value, columns) in values().iter().zip([20, 24].into_iter().cycle()) {
            let card = (face.put)(&maker, value);
            let drawn = render(&card, columns).to_string();
            let wide = drawn.lines().find(|line| width(line) > columns);
            assert_eq!(wide, None, "{}: {drawn}", face.name);
            assert_eq!(invisible(&drawn), [], "{}: {drawn}", face.name);
            let signals = drawn.lines().filter(|l| l.starts_with('·')).count();
            assert_eq!(signals, card.view.signals.len(), "{}: {drawn}", face.name);
        }
    }
}

#[test]
fn no_long_value_deceives() {
    let texts = ["text field", "item", "title", "command line"];
    let faces: Vec<&Face> = FACES.iter().filter(|f| texts.contains(&f.name)).collect();
    draw_all(&faces, 80, &long_values());
}

#[test]
fn a_name_that_deceives_is_a_label_still() {
    let maker = Maker::new();
    for value in values() {
        for columns in [80, 40] {
            let mut args = args("plain", "p");
            if args.contains_key(&value) {
                continue;
            }
            args.insert(value.as_str(), "v");
            let plain = labels(render(&maker.card(&self::args("plain", "p")), columns).as_str());
            let drawn = render(&maker.card(&args), columns).to_string();
            assert_eq!(labels(&drawn).len(), plain.len() + 1, "{drawn}");
            assert_eq!(invisible(&drawn), []);
            assert!(
                drawn.lines().skip(1).all(|line| width(line) <= columns),
                "{drawn}"
            );
        }
    }
}

/// Every text of the view's JSON that is shown: titles, signals and display forms.
fn shown_texts(view: &Value, out: &mut Vec<String>) {
    match view {
        Value::Object(members) => {
            for (key, member) in members.iter() {
                match (key, member) {
                    ("title" | "text", Value::String(text)) => out.push(text.clone()),
                    ("display", Value::String(text)) => out.push(text.clone()),
                    ("display", Value::Object(forms)) => {
                        out.extend(
                            forms
                                .iter()
                                .filter_map(|(_, v)| Some(v.as_str()?.to_owned())),
                        );
                    }
                    ("fields" | "value", _) => {}
                    _ => shown_texts(member, out),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| shown_texts(item, out)),
        _ => {}
    }
}

#[test]
fn the_json_keeps_the_value_and_a_display_form_beside_it() {
    let maker = Maker::new();
    for value in values() {
        for face in FACES.iter().take(8) {
            let view = (face.put)(&maker, &value).view;
            let json = serde_json::to_string(&view).unwrap();
            let limits = Limits {
                bytes: usize::MAX,
                ..Limits::default()
            };
            let json = parse(&json, limits).unwrap().to_value();
            let mut texts = Vec::new();
            shown_texts(&json, &mut texts);
            for text in &texts {
                assert_eq!(invisible(text), [], "{}: {text}", face.name);
                assert!(!text.contains('\n'));
            }
            let hidden = value
                .chars()
                .any(|c| is_unsafe(c) && !matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0f}'))
                && !WHOLE.iter().any(|whole| value.contains(whole));
            let forms = view.display.iter().count()
                + view.rest.iter().filter(|r| r.display.is_some()).count();
            // One is the argument that is not given.
            assert!(!hidden || forms > 1, "{}: {value:?}", face.name);
            assert!(
                view.fields
                    .iter()
                    .any(|(_, v)| *v == Value::from(value.as_str()))
                    || view.rest.iter().any(|row| row
                        .value
                        .to_string()
                        .contains(Value::from(value.as_str()).to_string().as_str()))
                    || face.name.starts_with("key"),
                "{}: {value:?}",
                face.name
            );
        }
    }
}

#[test]
fn nine_hundred_recipients_are_counted_and_never_cut_silently() {
    let maker = Maker::new();
    let everybody: Vec<Value> = (1..=900)
        .map(|n| Value::from(format!("r{n}@example.org").as_str()))
        .collect();
    for columns in [80, 40] {
        let drawn = render(&maker.card(&args("list", everybody.clone())), columns).to_string();
        assert!(drawn.lines().count() < 60, "{drawn}");
        for part in [
            "1. r1@example.org",
            "12. r12@example.org",
            "893. r893@example.org",
            "900. r900@example.org",
        ] {
            assert!(drawn.contains(part), "{part}: {drawn}");
        }
        let flat = drawn
            .split_whitespace()
            .filter(|w| !matches!(*w, "›" | "»"))
            .collect::<Vec<_>>()
            .join(" ");
        assert!(
            flat.contains("[880 of 900 items not shown here; --json has them all]"),
            "{drawn}"
        );
        assert!(drawn.lines().all(|line| width(line) <= columns));
    }
}

#[test]
fn two_values_never_give_the_same_card() {
    let maker = Maker::new();
    let short: Vec<String> = values().into_iter().filter(|v| v.len() < 500).collect();
    for name in ["to", "memo", "plain"] {
        let mut drawn: Vec<String> = short
            .iter()
            .map(|value| render(&maker.card(&args(name, value.as_str())), 80).to_string())
            .collect();
        let count = drawn.len();
        drawn.sort();
        drawn.dedup();
        assert_eq!(drawn.len(), count, "{name}");
    }
}
