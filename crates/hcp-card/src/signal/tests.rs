//! Signals of whole calls, from the pack to the card; the laws; and what it costs.

use super::*;
use crate::rules::Rules;
use crate::view::{View, ViewKind, ViewOrigin};
use hcp_core::gate::Reading;
use hcp_core::json::{Limits, Object, Value};
use hcp_core::policy::CallPolicy;
use hcp_core::text::{is_unsafe, safe};
use hcp_pack::{Command, Pack, PackFiles};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;

fn signals(call: &CardCall<'_>, view: &View, past: &Past) -> Vec<Signal> {
    super::signals(call, view, past, &identifiers(call, view))
}

fn value(text: &str) -> Value {
    let limits = Limits {
        bytes: 1 << 26,
        depth: 64,
    };
    hcp_core::json::parse(text, limits).unwrap().to_value()
}

/// A pack of one command, `demo.act`, with this Surface entry.
fn pack(entry: &str) -> Pack {
    Pack::read(&PackFiles {
        folder: "demo".to_owned(),
        pack: br#"{ "id": "demo", "name": "Demo", "version": "1.0.0", "summary": "Demo." }"#
            .to_vec(),
        surface: format!(r#"{{ "commands": {{ "act": {entry} }} }}"#).into_bytes(),
        policy: br#"{ "commands": { "act": {} } }"#.to_vec(),
        skill: None,
    })
    .unwrap_or_else(|e| panic!("{e:?}"))
}

fn plain() -> Pack {
    pack(r#"{ "description": "Acts.", "cli": ["demo", "act"] }"#)
}

struct Case<'a> {
    command: &'a Command,
    pack: &'a Pack,
    args: Object,
    reading: Reading,
    unread: Vec<String>,
    rules: Rules,
}

impl<'a> Case<'a> {
    fn new(pack: &'a Pack, args: &str) -> Self {
        Self {
            command: pack.command("act").unwrap(),
            pack,
            args: value(args).as_object().unwrap().clone(),
            reading: Reading::default(),
            unread: Vec::new(),
            rules: Rules::builtin(),
        }
    }

    fn call(&self) -> CardCall<'_> {
        CardCall {
            pack: &self.pack.id,
            command: self.command,
            args: &self.args,
            policy: CallPolicy {
                ..self.command.policy.for_call(&self.args, &self.reading)
            },
            reading: &self.reading,
            unread: &self.unread,
            files: &[],
            rules: &self.rules,
        }
    }

    fn view(&self, kind: ViewKind) -> View {
        let mut view = View::plain(&self.args);
        view.kind = kind;
        if kind != ViewKind::Command {
            view.origin = ViewOrigin::Inferred;
        }
        view
    }

    fn signals(&self, kind: ViewKind, past: &Past) -> Vec<Signal> {
        signals(&self.call(), &self.view(kind), past)
    }

    fn texts(&self, kind: ViewKind) -> Vec<String> {
        let signals = self.signals(kind, &Past::default());
        signals.into_iter().map(|s| s.text).collect()
    }
}

#[test]
fn calls_have_the_signals_of_their_values() {
    let pack = plain();
    for (kind, args, expected) in [
        (
            ViewKind::Payment,
            r#"{"amount":"2.80","payee":"demo-transit"}"#,
            "Moves money",
        ),
        (
            ViewKind::Removal,
            r#"{"path":"*"}"#,
            "Cannot be undone; Everything matching *",
        ),
        (ViewKind::Message, r#"{"to":"a@x.org","body":"hi"}"#, ""),
        (
            ViewKind::Message,
            r#"{"to":["a@x.org","b@x.org"],"bcc":"c@x.org"}"#,
            "Goes to 3 people; Hidden copy to 1 person",
        ),
        (
            ViewKind::Share,
            r#"{"with":["a","b"],"role":"writer"}"#,
            "Gives 2 people access",
        ),
        (
            ViewKind::Share,
            r#"{"with":"everyone"}"#,
            "Anyone can see it; Gives 1 person access",
        ),
        (ViewKind::Publish, r#"{"version":"1.2.0"}"#, "Goes live"),
        (ViewKind::Run, r#"{"env":"prod"}"#, "On production"),
        (
            ViewKind::Event,
            r#"{"attendees":["a","b","c"],"when":"2026-05-03T10:00"}"#,
            "Invites 3 people",
        ),
        (
            ViewKind::Change,
            r#"{"ids":[1,2,3],"to":"closed"}"#,
            "Changes 3 items",
        ),
        (ViewKind::Command, r#"{"x":"y"}"#, "Not recognised"),
        // An address may be a URL, which is no link in a text.
        (
            ViewKind::Message,
            r#"{"to":"https://queue.test/q","body":"hi"}"#,
            "",
        ),
        (
            ViewKind::Change,
            r#"{"time":"every weekday at 9am"}"#,
            "Repeats without asking",
        ),
        (ViewKind::Change, r#"{"query":"every user"}"#, ""),
        (
            ViewKind::Removal,
            r#"{"eventId":"abc","sendUpdates":"all"}"#,
            "Cannot be undone",
        ),
        (
            ViewKind::Change,
            r#"{"newPassword":"hunter2hunter","next_page_token":"abcdefgh"}"#,
            "Passes a secret (13 characters)",
        ),
        (
            ViewKind::Run,
            r#"{"address":"0.0.0.0"}"#,
            "Anyone can reach it",
        ),
        (
            ViewKind::Message,
            r#"{"to":"a@x.org","body":"see https://a.test, https://b.test and https://A.test"}"#,
            "Contains a link to a.test; Contains a link to b.test",
        ),
    ] {
        assert_eq!(
            Case::new(&pack, args).texts(kind).join("; "),
            expected,
            "{args}"
        );
    }
}

#[test]
fn the_worst_stands_first_and_a_code_stands_once() {
    let pack = plain();
    let case = Case::new(
        &pack,
        r#"{"env":"prod","force":true,"id":"all","bcc":["a"],"text":"a    b"}"#,
    );
    let signals = case.signals(ViewKind::Removal, &Past::default());
    let levels: Vec<Level> = signals.iter().map(|s| s.level).collect();
    assert!(levels.is_sorted_by(|a, b| a >= b), "{signals:?}");
    let codes: Vec<&str> = signals.iter().map(|s| s.code.as_str()).collect();
    assert_eq!(
        codes.iter().collect::<BTreeSet<_>>().len(),
        codes.len(),
        "{codes:?}"
    );
    let check = signals.iter().find(|s| s.code == "safety_check").unwrap();
    assert_eq!(check.level, Level::Danger, "the graver of two rules holds");
}

#[test]
fn declared_secrets_literals_and_aliases_are_seen() {
    let pack = pack(
        r#"{ "description": "Acts.", "cli": ["demo", "act", "--no-verify", "--force", "{{f}}", "--name", "{{name}}"],
             "args": { "type": "object", "properties": {
               "f": { "type": "boolean", "description": "Even so." },
               "name": { "type": "string", "description": "Name." },
               "token": { "type": "string", "description": "Key.", "x-secret": true } } },
             "env": { "TOKEN": "{{token}}" } }"#,
    );
    let texts = |args: &str| Case::new(&pack, args).texts(ViewKind::Change).join("; ");
    assert_eq!(texts("{}"), "Goes around a safety check: --no-verify");
    assert_eq!(
        texts(r#"{"f":true}"#),
        "Goes around a safety check: -f, --no-verify"
    );
    assert_eq!(
        texts(r#"{"f":false}"#),
        "Goes around a safety check: --no-verify"
    );
    assert_eq!(
        texts(r#"{"token":"[secret, 32 characters, #a1b2c3d4]"}"#),
        "Goes around a safety check: --no-verify; Passes a secret (32 characters)"
    );
}

#[test]
fn a_line_that_is_not_fully_read_names_its_words() {
    let pack = plain();
    let mut case = Case::new(&pack, r#"{"note":true}"#);
    case.reading.fully_read = false;
    assert_eq!(
        case.texts(ViewKind::Change),
        ["Not all of it was understood"]
    );
    case.unread = vec!["--note".to_owned(), "a\u{202e}b".to_owned()];
    assert_eq!(
        case.texts(ViewKind::Change).first().unwrap(),
        r"Not all of it was understood: --note, a\u{202e}b"
    );
    // Arguments become uncertain beside a word: the word tells why.
    case.reading.untold.insert("note".to_owned());
    assert_eq!(
        case.texts(ViewKind::Change).first().unwrap(),
        r"Not all of it was understood: --note, a\u{202e}b"
    );
    let mut case = Case::new(&pack, r#"{"amount":"$X"}"#);
    case.reading.untold.insert("amount".to_owned());
    assert_eq!(
        case.texts(ViewKind::Change),
        ["Not all of it was understood: amount"]
    );
}

#[test]
fn what_is_known_from_earlier_is_told() {
    let pack = plain();
    let case = Case::new(&pack, r#"{"payee":"pаypal","memo":"x"}"#);
    let past = Past {
        approved_before: true,
        first_time: vec!["pаypal".to_owned(), "x".to_owned()],
        look_like_approved: vec!["pаypal".to_owned()],
        known: vec!["paypal".to_owned()],
        unanswered: 2,
    };
    let texts: Vec<String> = case
        .signals(ViewKind::Payment, &past)
        .into_iter()
        .map(|s| s.text)
        .collect();
    assert_eq!(
        texts,
        [
            "Moves money",
            "Looks like \"paypal\" but is spelled with other letters",
            "First time: pаypal",
            "Asked 2 times"
        ]
    );
    let only_approved = Past {
        known: Vec::new(),
        ..past
    };
    let case = Case::new(&pack, r#"{"payee":"paypa1"}"#);
    let signals = case.signals(ViewKind::Payment, &only_approved);
    assert!(
        signals
            .iter()
            .any(|s| s.text == "Looks like one approved before")
    );
}

#[test]
fn a_loop_is_told_by_the_caller() {
    let pack = plain();
    let case = Case::new(&pack, r#"{"x":"a   b"}"#);
    let mut view = case.view(ViewKind::Payment);
    view.signals = case.signals(ViewKind::Payment, &Past::default());
    in_a_loop(&mut view);
    in_a_loop(&mut view);
    let texts: Vec<&str> = view.signals.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(
        texts,
        ["Moves money", "May run many times", "Blank run: 3 spaces"]
    );
}

#[test]
fn identifiers_are_those_of_the_call_each_once() {
    let pack = plain();
    let names = |kind: ViewKind, args: &str, sources: &[(&str, &str)]| {
        let case = Case::new(&pack, args);
        let mut view = case.view(kind);
        for (field, argument) in sources {
            view.sources
                .insert((*field).to_owned(), vec![(*argument).to_owned()]);
        }
        let found = identifiers(&case.call(), &view);
        assert_eq!(found, identifiers(&case.call(), &view));
        let words = found
            .iter()
            .map(|i| format!("{}{}", i.value, if i.audience { "!" } else { "" }));
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        names(
            ViewKind::Payment,
            r#"{"payee":"demo","memo":"x","from_account":"A1"}"#,
            &[]
        ),
        "demo! A1"
    );
    assert_eq!(
        names(
            ViewKind::Message,
            r#"{"to":"Ana <a@X.org>, b@x.org","cc":"a@x.org","subject":"s"}"#,
            &[]
        ),
        "a@x.org! b@x.org!"
    );
    assert_eq!(
        names(ViewKind::Payment, r#"{"x":"demo"}"#, &[("to", "x")]),
        "demo!"
    );
    assert_eq!(
        names(ViewKind::Removal, r#"{"x":"a.txt"}"#, &[("what", "x")]),
        "a.txt"
    );
    assert_eq!(
        names(
            ViewKind::Change,
            r#"{"to":"closed","id":"12"}"#,
            &[("to", "to"), ("what", "id")]
        ),
        "12"
    );
    assert_eq!(
        names(ViewKind::Run, r#"{"host":"db1","account":5}"#, &[]),
        "db1 5"
    );
}

#[test]
fn many_findings_of_one_rule_are_counted() {
    let pack = plain();
    let links: String = (0..20).map(|i| format!("https://h{i}.test ")).collect();
    let args = Object::new().with("body", links.as_str());
    let case = Case {
        args,
        ..Case::new(&pack, "{}")
    };
    let texts = case.texts(ViewKind::Message);
    assert_eq!(texts.len(), MOST + 1);
    assert_eq!(texts.last().unwrap(), "12 more of these, in the rows below");
}

/// Values that detectors look into.
fn telling() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,30}",
        any::<String>(),
        "(https?:/{0,3}|www\\.)[a-z@:/\\\\.а-я]{0,20}",
        "[a-z,;@<>\" ]{0,30}",
        "(ghp_|sk-|eyJ)[A-Za-z0-9._-]{0,60}",
        "[\\*/~.%]{0,4}",
        Just("{count} \u{202e}".to_owned()),
        Just("paypa1".to_owned()),
        Just("all".to_owned()),
        Just("prod".to_owned()),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        telling().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((telling(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "to",
            "cc",
            "bcc",
            "payee",
            "path",
            "env",
            "force",
            "yes",
            "when",
            "body",
            "attendees",
            "with",
            "private",
            "cron",
            "ids",
            "_",
            "channel",
            "visibility",
            "all",
            "verify",
            "action",
            "attachments",
        ])
        .prop_map(str::to_owned),
        telling(),
    ]
}

fn any_args() -> impl Strategy<Value = Object> {
    prop::collection::vec((name(), any_value()), 0..6)
        .prop_map(|members| members.into_iter().collect())
}

fn any_kind() -> impl Strategy<Value = ViewKind> {
    prop::sample::select(vec![
        ViewKind::Message,
        ViewKind::Event,
        ViewKind::Payment,
        ViewKind::Removal,
        ViewKind::Publish,
        ViewKind::Share,
        ViewKind::Change,
        ViewKind::File,
        ViewKind::Run,
        ViewKind::Command,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever stands in a call, its signals are found, are safe to show, and come in their order.
    #[test]
    fn signals_are_total_and_safe(args in any_args(), kind in any_kind(), known in prop::collection::vec(telling(), 0..4)) {
        let pack = plain();
        let case = Case { args, ..Case::new(&pack, "{}") };
        let past = Past { first_time: known.clone(), look_like_approved: known.clone(), known, ..Past::default() };
        let found = case.signals(kind, &past);
        for signal in &found {
            prop_assert!(!signal.text.chars().any(is_unsafe), "{:?}", signal.text);
            prop_assert!(!signal.text.contains('\n'));
            prop_assert!(!safe(&signal.text).is_empty());
        }
        prop_assert!(found.is_sorted_by(|a, b| a.level >= b.level));
    }

    /// A kind's own danger stands whatever other arguments there are, and whichever way the kind was found.
    #[test]
    fn more_arguments_drop_no_danger(args in any_args(), more in any_args(), kind in any_kind(), declared in any_kind()) {
        let pack = plain();
        let of_kind = ["moves_money", "cannot_be_undone", "goes_live", "gives_access"];
        let dangers = |args: Object, declared: ViewKind| -> BTreeSet<String> {
            let case = Case { args, ..Case::new(&pack, "{}") };
            let mut view = case.view(declared);
            view.inferred = Some(kind);
            let found = signals(&case.call(), &view, &Past::default());
            found.into_iter().filter(|s| s.level == Level::Danger && of_kind.contains(&s.code.as_str())).map(|s| s.code).collect()
        };
        let few = dangers(args.clone(), kind);
        let mut all = args;
        for (name, value) in more {
            if !all.contains_key(&name) {
                all.insert(name, value);
            }
        }
        let many = dangers(all, declared);
        prop_assert!(few.is_subset(&many), "{few:?} {many:?}");
    }

    /// Letters of another script, upper case and characters that cannot be seen do not change what a text looks like.
    #[test]
    fn a_skeleton_is_one_for_what_looks_alike(text in "[a-z]{0,20}") {
        let disguised: String = text.chars().flat_map(|c| match c {
            'a' => vec!['а'],
            'o' => vec!['0'],
            'l' => vec!['1'],
            'e' => vec!['\u{200b}', 'е'],
            c => vec![c],
        }).collect();
        prop_assert_eq!(skeleton(&text), skeleton(&disguised));
        // A capital I looks like an l.
        let capitals = text.replace('i', "").to_uppercase();
        prop_assert_eq!(skeleton(&capitals), skeleton(&text.replace('i', "")));
    }
}

/// A debug build is slower by an order of magnitude: the bounds leave room for that and for a busy machine.
#[test]
#[expect(clippy::disallowed_types, reason = "a test of cost reads a clock")]
fn cost_is_small_and_grows_no_faster_than_the_call() {
    use std::time::Instant;
    let pack = plain();
    let case = Case::new(
        &pack,
        r#"{"amount":"2.80","payee":"demo-transit","memo":"lunch"}"#,
    );
    let view = case.view(ViewKind::Payment);
    let past = Past {
        known: (0..30).map(|i| format!("word{i}")).collect(),
        ..Past::default()
    };
    signals(&case.call(), &view, &past);
    let best = (0..20)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..10 {
                std::hint::black_box(signals(&case.call(), &view, &past));
            }
            start.elapsed() / 10
        })
        .min()
        .unwrap();
    println!("one call: {best:?}");
    assert!(best < Duration::from_millis(2), "{best:?}");

    for piece in [
        "a",
        "a,b@x.org ",
        "\u{200d}👩",
        "://",
        "https://a@",
        "www.",
        "aB3",
        "a\"<",
        "а.",
        "   ",
        "=:",
        "-----BEGIN ",
    ] {
        let time = |bytes: usize| {
            let text = piece.repeat(bytes / piece.len());
            let args = Object::new()
                .with("body", text.as_str())
                .with("to", text.as_str());
            let case = Case {
                args,
                ..Case::new(&pack, "{}")
            };
            let view = case.view(ViewKind::Message);
            let start = Instant::now();
            std::hint::black_box(signals(&case.call(), &view, &past));
            start.elapsed()
        };
        let (small, large) = (time(1 << 12), time(1 << 15));
        println!("{piece:?}: {small:?} {large:?}");
        assert!(
            large < small * 8 * 4 + Duration::from_millis(200),
            "{piece:?}: {small:?} {large:?}"
        );
    }
}
