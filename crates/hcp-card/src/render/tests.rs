//! Laws of the renderer: rows cannot be forged, lines fit, and the command line can be pasted.

use super::cli::{cli_lines, shell_words};
use super::*;
use crate::view::{Row, View};
use hcp_core::json::{Object, Value};
use proptest::prelude::*;

fn card(title: &str, rest: Vec<(String, Value)>, cli: &str) -> Card {
    let mut view = View::plain(&Object::new());
    view.title = title.to_owned();
    view.rest = rest
        .into_iter()
        .map(|(name, value)| Row {
            name,
            value,
            display: None,
        })
        .collect();
    Card {
        pack_name: "Demo".to_owned(),
        summary: "Does something.".to_owned(),
        view,
        account: None,
        cwd: None,
        files: Vec::new(),
        stdin: None,
        cli: cli.to_owned(),
    }
}

/// Lines that read as rows: two blanks, then a label.
fn row_lines(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|l| {
            l.strip_prefix("  ")
                .is_some_and(|rest| !rest.starts_with([' ', '›', '»', '│', '$']))
        })
        .collect()
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\r\n  to  alice".to_owned()),
        Just("  amount    1.00".to_owned()),
        Just("\u{2028}  to  bob".to_owned()),
        Just("· Harmless".to_owned()),
        Just("│ ".to_owned()),
        Just("› ".to_owned()),
        Just("» ".to_owned()),
        Just("'".to_owned()),
        Just("\\".to_owned()),
        Just("日本語のメモ".to_owned()),
        Just("👩‍👩‍👧‍👦".to_owned()),
        Just("\u{1b}[2J".to_owned()),
        Just("\u{202e}".to_owned()),
        " {1,60}".prop_map(|s| s),
        "[a-z]{1,120}".prop_map(|s| s),
        "\\PC{0,40}".prop_map(|s| s),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        hostile().prop_map(|s| Value::from(s.as_str())),
        prop::collection::vec(hostile(), 0..4).prop_map(|items| Value::Array(
            items.iter().map(|s| Value::from(s.as_str())).collect()
        )),
        hostile().prop_map(|s| Value::Object(Object::new().with("k", s.as_str()))),
        Just(Value::Bool(true)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_value_forges_a_row(
        title in hostile(),
        values in prop::collection::vec(value(), 0..5),
        word in hostile(),
        columns in 20_usize..120,
    ) {
        let rest: Vec<(String, Value)> = values
            .into_iter()
            .enumerate()
            .map(|(i, v)| (format!("arg{i}"), v))
            .collect();
        let count = rest.len();
        let cli = format!("tool {}", quote(&word));
        let drawn = render(&card(&format!("Do {title}"), rest, &cli), columns);
        let rows = row_lines(drawn.as_str());
        prop_assert_eq!(rows.len(), count, "{}", drawn);
        for (i, row) in rows.iter().enumerate() {
            let label = format!("  arg{i}");
            prop_assert!(row.starts_with(&label), "{}", drawn);
        }
        let signals = drawn.as_str().lines().filter(|l| l.starts_with('·')).count();
        prop_assert_eq!(signals, 0, "{}", drawn);
        for line in drawn.as_str().lines() {
            prop_assert!(width(line) <= columns, "{} > {columns}: {line}", width(line));
        }
    }

    #[test]
    fn no_name_forges_a_row(name in hostile(), columns in 20_usize..120) {
        let rest = vec![(name, Value::from("x")), ("b".to_owned(), Value::from("y"))];
        let drawn = render(&card("Do it", rest, "tool"), columns);
        prop_assert_eq!(row_lines(drawn.as_str()).len(), 2, "{}", drawn);
    }

    #[test]
    fn a_broken_command_line_pastes_as_the_same_words(
        words in prop::collection::vec("[ -~]{0,30}", 1..8),
        columns in 60_usize..100,
    ) {
        let cli = words.iter().map(|w| quote(w)).collect::<Vec<_>>().join(" ");
        let split = shell_words(&cli);
        prop_assert_eq!(split.join(" "), cli.as_str());
        prop_assert_eq!(split.len(), words.len());
        let lines = cli_lines(&cli, columns);
        if !lines.iter().any(|l| l.starts_with("  › ")) {
            let last = lines.len() - 1;
            let joined = lines
                .iter()
                .enumerate()
                .map(|(i, l)| {
                    let word = l.get(4..).unwrap_or_default();
                    if i < last { word.strip_suffix(" \\").unwrap_or_default() } else { word }
                })
                .collect::<Vec<_>>()
                .join(" ");
            prop_assert_eq!(joined, cli);
        }
    }
}

fn quote(word: &str) -> String {
    hcp_pack::shell_line(&[word.to_owned()])
}

#[test]
fn a_command_line_that_fits_stands_on_one_line() {
    assert_eq!(cli_lines("ledger balance", 40), ["  $ ledger balance"]);
    assert_eq!(
        cli_lines("ledger transfer 2.80 --to demo-transit --confirm", 40),
        [
            "  $ ledger transfer 2.80 --to \\",
            "    demo-transit --confirm"
        ]
    );
}

#[test]
fn an_escape_of_the_shell_is_never_broken() {
    let cli = format!("pay {}", quote(&"\u{202e}\u{200d}".repeat(20)));
    for columns in 30..50 {
        for line in cli_lines(&cli, columns).iter().skip(1) {
            let text = line.trim_start().trim_start_matches("› ");
            assert!(text.starts_with(['\\', '$', '\'']), "{line}");
        }
    }
}

#[test]
fn a_huge_value_shows_its_two_ends_and_its_length() {
    let body = "x".repeat(100_000);
    let drawn = render(
        &card(
            "Send it",
            vec![("body".to_owned(), Value::from(body.as_str()))],
            &format!("mail send '{body}'"),
        ),
        80,
    );
    assert!(drawn.as_str().len() < 4_000, "{}", drawn.as_str().len());
    assert!(
        drawn
            .as_str()
            .contains("of 100000 characters not shown here")
    );
    assert!(
        drawn
            .as_str()
            .contains("of 100002 characters not shown here")
    );
}

#[test]
fn wide_letters_keep_their_column() {
    let rest = vec![
        (
            "to".to_owned(),
            Value::from("日本語のとても長い受取人の名前です、本当に長いです"),
        ),
        ("memo".to_owned(), Value::from("🎉 party")),
    ];
    let drawn = render(&card("Pay", rest, "pay"), 40);
    assert_eq!(
        drawn.as_str(),
        "Demo · Does something.\n\nPay\n  to    日本語のとても長い受取人の名前\n        » です、本当に長いです\n  memo  🎉 party\n\n  $ pay"
    );
}

#[test]
fn a_break_at_a_blank_looks_different_from_one_inside_a_word() {
    let drawn = |value: &str| {
        let rest = vec![("to".to_owned(), Value::from(value))];
        render(&card("Pay", rest, "pay"), 40).to_string()
    };
    let full = "x".repeat(32);
    let forms = [
        format!("{full}yy"),
        format!("{full} yy"),
        format!("{full}  yy"),
        format!("xx  {full}"),
        format!("xx {full}"),
    ];
    let cards: std::collections::BTreeSet<String> = forms.iter().map(|form| drawn(form)).collect();
    assert_eq!(cards.len(), forms.len(), "{cards:#?}");
}

#[test]
fn a_text_of_many_lines_says_how_much_of_it_is_not_shown() {
    let drawn = |value: &str| {
        let rest = vec![("body".to_owned(), Value::from(value))];
        render(&card("Send", rest, "send"), 80).to_string()
    };
    let long = drawn(&"line\n".repeat(20_000));
    assert!(
        long.contains("[99906 of 100000 characters not shown here; --json has them all]"),
        "{long}"
    );
    let many = drawn(&"a\n".repeat(100));
    assert!(many.contains("of 200 characters not shown here"), "{many}");
    assert!(many.lines().count() < 30, "{many}");
    assert!(!drawn(&"a\n".repeat(23)).contains("not shown"));
}

#[test]
fn each_of_several_files_has_its_number_and_many_have_one_row() {
    let mut card = card("Send", Vec::new(), "send");
    card.files = (1..=900)
        .map(|n| crate::call::FileRow {
            argument: "files".to_owned(),
            path: format!("f{n}"),
            size: None,
            words: format!("{n} bytes"),
        })
        .collect();
    let drawn = render(&card, 80).to_string();
    assert!(
        drawn.contains("  files is  1. 1 bytes\n            2. 2 bytes\n"),
        "{drawn}"
    );
    assert!(drawn.contains("900. 900 bytes"), "{drawn}");
    assert!(
        drawn.contains("[880 of 900 items not shown here"),
        "{drawn}"
    );
    assert!(drawn.lines().count() < 30, "{drawn}");
}

#[test]
fn every_line_has_its_role() {
    let mut card = card("Pay", vec![("to".to_owned(), Value::from("x"))], "pay");
    card.view.signals = vec![crate::signal::Signal {
        code: "moves_money".to_owned(),
        level: Level::Danger,
        text: "Moves money ".repeat(10),
    }];
    let lines = lines(&card, 40);
    let roles: Vec<Role> = lines.iter().map(|line| line.role).collect();
    let danger = Role::Signal(Level::Danger);
    assert_eq!(
        roles[..4],
        [Role::Heading, Role::Blank, Role::Title, danger]
    );
    assert_eq!(roles[6..], [danger, Role::Row, Role::Blank, Role::Command]);
    let joined: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(joined.join("\n"), render(&card, 40).as_str());
}
