//! The forms of safe text: examples of each rule, and the laws.

use super::*;
use proptest::prelude::*;

#[test]
fn characters_that_escape_debug_lets_through_are_caught() {
    for c in [
        '\u{3164}',
        '\u{115f}',
        '\u{2800}',
        '\u{1d159}',
        '\u{13441}',
        '\u{13442}',
        '\u{fe0f}',
        '\u{200d}',
        '\u{e0041}',
        '\u{ad}',
        '\u{2028}',
        '\u{9b}',
        '\u{34f}',
    ] {
        assert!(is_unsafe(c), "U+{:04X}", u32::from(c));
    }
    for c in ['a', 'é', '你', '😀', '\u{3000}', '‰'] {
        assert!(!is_unsafe(c), "U+{:04X}", u32::from(c));
    }
}

#[test]
fn escapes_cannot_be_forged() {
    assert_ne!(safe("\u{202e}"), safe(r"\u{202e}"));
    assert_ne!(safe("a\nb"), safe(r"a\nb"));
}

fn prose(text: &str) -> String {
    safe_prose(text).to_string()
}

#[test]
fn a_backslash_before_what_is_escaped_is_no_escape() {
    assert_ne!(safe("\\\u{1}"), safe(r"\u{1}"));
    assert_ne!(safe("\\\n"), safe(r"\n"));
    assert_ne!(safe("\\   "), safe(r"\[3 spaces]"));
    assert_ne!(quoted_whole("\\\""), quoted_whole("\\\\\""));
}

#[test]
fn what_cannot_be_seen_is_found() {
    for text in [
        "a\u{200b}b",
        "a\u{202e}b",
        "a\u{2066}b",
        "a\u{fe0f}",
        "a\u{e0041}b",
        "a\u{ad}b",
        "a\u{200d}b",
        "\u{feff}a",
        "a\u{3164}b",
        "\u{1b}[31m",
        "a\0",
        "\u{61c}a",
        "a\u{fe00}",
        "👍\u{200d}a",
        "\u{e0067}\u{e007f}",
        "🏴\u{e0067}x",
        "\u{2028}",
        "\u{180e}",
        "a\u{e0100}",
    ] {
        assert!(has_invisible(text), "{text:?}");
    }
}

#[test]
fn what_spells_or_is_a_picture_stays() {
    for text in [
        "plain",
        "two\nlines\ttabbed",
        "نمی\u{200c}خواهم",
        "क्\u{200d}ष",
        "👩\u{200d}💻",
        "❤\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
        "👩\u{200d}❤\u{fe0f}\u{200d}👨",
        "naïve café 東京",
        "👨🏽\u{200d}🚀",
        "",
    ] {
        assert!(!has_invisible(text), "{text:?}");
    }
}

#[test]
fn joiners_stand_where_a_script_spells_with_them() {
    for text in [
        "می\u{200c}خواهم",
        "دانش\u{200c}آموز",
        "क्\u{200d}ष",
        "क्\u{200c}ष",
        "র\u{200d}্যাব",
        "ශ්\u{200d}රී",
        "👩‍👩‍👧‍👦 und ❤️",
        "山田\u{3000}太郎",
        "1️⃣ 🇩🇪 🏳️‍🌈",
    ] {
        assert_eq!(prose(text), text);
    }
    for (text, shown) in [
        ("pay\u{200d}pal", r"pay\u{200d}pal"),
        ("م\u{200c}a", r"م\u{200c}a"),
        ("\u{200c}می", r"\u{200c}می"),
        ("می\u{200c}", r"می\u{200c}"),
        ("می\u{200c}\u{200c}خ", r"می\u{200c}\u{200c}خ"),
        ("د\u{200c}ا", r"د\u{200c}ا"),
        ("😀\u{200d}😀", r"😀\u{200d}😀"),
        ("a\u{fe0f}", r"a\u{fe0f}"),
        ("a\u{3000}b", r"a\u{3000}b"),
        ("क\u{200d}ा", r"क\u{200d}\u{93e}"),
    ] {
        assert_eq!(prose(text), shown);
    }
    for text in ["می\u{200c}خواهم", "❤️", "👩‍💻", "山田\u{3000}太郎"] {
        assert_ne!(safe(text).as_str(), text, "an identifier");
    }
}

#[test]
fn marks_stand_on_what_carries_them_and_are_few() {
    for (text, shown) in [
        ("e\u{301}", "e\u{301}"),
        (
            "e\u{301}\u{301}\u{301}\u{301}\u{302}",
            "e\u{301}\u{301}\u{301}\u{301}\\u{302}",
        ),
        ("\u{301}a", r"\u{301}a"),
        ("a \u{301}", r"a \u{301}"),
        ("\u{202e}\u{301}", r"\u{202e}\u{301}"),
        ("a\u{336}", r"a\u{336}"),
        ("a\u{20dd}", r"a\u{20dd}"),
        ("a\u{488}", r"a\u{488}"),
        ("\u{fdfd}", r"\u{fdfd}"),
        ("\u{1f1e6}", r"\u{1f1e6}"),
        ("\u{1161}", r"\u{1161}"),
        ("\u{1100}\u{1161}", "\u{1100}\u{1161}"),
        ("สวัสดีชาวโลก", "สวัสดีชาวโลก"),
        ("हिन्दी", "हिन्दी"),
        ("Việt Nam", "Việt Nam"),
    ] {
        assert_eq!(safe(text).as_str(), shown);
    }
}

#[test]
fn blanks_are_told_apart_and_counted() {
    for (text, shown) in [
        ("a b", "a b"),
        ("a  b", "a  b"),
        ("a   b", "a[3 spaces]b"),
        (" a", r"\u{20}a"),
        ("  a", r"\u{20}\u{20}a"),
        ("a ", r"a\u{20}"),
        ("a  ", r"a\u{20}\u{20}"),
        (" ", r"\u{20}"),
        ("a\u{a0}b", r"a\u{a0}b"),
        ("a\u{a0}\u{a0}\u{a0}b", r"a[3 spaces]\u{a0}{3}b"),
        (
            "a \u{2003}\u{a0}\u{a0} b",
            r"a[5 spaces]\u{20}\u{2003}\u{a0}{2}\u{20}b",
        ),
        ("[3 spaces]", r"\[3 spaces]"),
        (r"\[3 spaces]", r"\\\[3 spaces]"),
        (
            "[12 of 90 characters not shown here]",
            r"\[12 of 90 characters not shown here]",
        ),
        ("[1] [a] [2]", "[1] [a] [2]"),
    ] {
        assert_eq!(safe(text).as_str(), shown);
    }
    assert_eq!(safe(&" ".repeat(400)).as_str(), "[400 spaces]");
    assert_eq!(safe_lines("  a\n    b").as_str(), "  a\n    b");
    assert_eq!(safe_message("    ").as_str(), "    ");
}

#[test]
fn widths_are_those_of_a_terminal() {
    for (text, columns) in [
        ("👩‍👩‍👧‍👦", 2),
        ("❤️", 2),
        ("1️⃣", 2),
        ("🇩🇪", 2),
        ("👍🏽", 2),
        ("你", 2),
        ("e\u{301}", 1),
    ] {
        assert_eq!(width(text), columns, "{text}");
    }
}

#[test]
fn units_are_never_parted() {
    let parts =
        |text: &str| -> Vec<String> { units(text).iter().map(|u| u.text.to_owned()).collect() };
    assert_eq!(
        parts(r"a\u{20}[3 spaces]\u{a0}{3}{2}"),
        ["a", r"\u{20}", "[3 spaces]", r"\u{a0}{3}", "{", "2", "}"]
    );
    assert_eq!(parts("👩‍💻e\u{301}x"), ["👩‍💻", "e\u{301}", "x"]);
    assert_eq!(shortened(r"abcdefgh\u{202e}", 12), "abcdefgh…");
}

/// What stands in shown text although it is not plainly visible: whole sequences apart, nothing.
fn left_over(shown: &SafeText) -> bool {
    SafeText::join(shown.as_str()) != *shown
}

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ \\\\\\[\"unrt{}0-9a-f]{1,6}",
        " {1,5}",
        "[\u{a0}\u{2003}\u{3000} ]{1,5}",
        "[\u{300}-\u{338}]{1,6}",
        Just("[3 spaces]".to_owned()),
        Just("می\u{200c}خ".to_owned()),
        Just("👩‍👩‍👧‍👦".to_owned()),
        Just("\u{200d}".to_owned()),
        Just("\u{fe0f}".to_owned()),
        Just("\u{202e}".to_owned()),
        Just("山".to_owned()),
        Just("\n".to_owned()),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// Reads shown text back, written from the description of the forms alone.
fn read_back(shown: &str, escapes: &[char]) -> String {
    let mut out = String::new();
    let mut rest = shown;
    while let Some(c) = rest.chars().next() {
        let escape = |text: &str| {
            let inside = text.strip_prefix("\\u{")?;
            let (digits, after) = inside.split_once('}')?;
            let c = u32::from_str_radix(digits, 16)
                .ok()
                .and_then(char::from_u32)?;
            Some((c, after.to_owned()))
        };
        let mut after: String = rest.chars().skip(1).collect();
        if let Some((c, tail)) = escape(rest) {
            out.push(c);
            after = tail;
        } else if c == '\\' && after.starts_with(escapes) {
            let c = after.remove(0);
            out.push(match c {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                c => c,
            });
        } else if let Some((count, tail)) = rest
            .strip_prefix('[')
            .and_then(|r| r.split_once(" spaces]"))
            .and_then(|(n, tail)| Some((n.parse::<usize>().ok()?, tail.to_owned())))
        {
            after = tail;
            let mut told = 0;
            while told < count {
                let Some((c, tail)) =
                    escape(&after).filter(|(c, _)| c.is_whitespace() && !c.is_control())
                else {
                    break;
                };
                after = tail;
                let mut times = 1;
                if told + 1 < count
                    && let Some((n, tail)) = after.strip_prefix('{').and_then(|r| r.split_once('}'))
                {
                    times = n.parse().unwrap();
                    after = tail.to_owned();
                }
                out.extend(std::iter::repeat_n(c, times));
                told += times;
            }
            out.extend(std::iter::repeat_n(' ', count - told));
        } else {
            out.push(c);
        }
        rest = shown.get(shown.len() - after.len()..).unwrap();
    }
    out
}

proptest! {
    #[test]
    fn nothing_unsafe_comes_out_and_nothing_is_lost(a in any_text(), b in any_text()) {
        prop_assert!(!safe(&a).as_str().chars().any(is_unsafe));
        type ToText = fn(&str) -> String;
        let forms: [ToText; 5] = [
            |t| safe(t).to_string(),
            |t| safe_prose(t).to_string(),
            |t| safe_lines(t).to_string(),
            |t| safe_message(t).to_string(),
            quoted_whole,
        ];
        for form in forms {
            prop_assert_eq!(form(&a) == form(&b), a == b);
            prop_assert!(!left_over(&SafeText(form(&a))), "{}", form(&a));
        }
    }

    #[test]
    fn what_is_shown_can_be_read_back(text in any_text()) {
        let escapes = ['n', 't', 'r', '\\', '[', '"'];
        let plain = &escapes[..5];
        prop_assert_eq!(&read_back(&prose(&text), plain), &text);
        prop_assert_eq!(&read_back(safe(&text).as_str(), plain), &text);
        let quoted = quoted_whole(&text);
        prop_assert_eq!(&read_back(quoted.get(1..quoted.len() - 1).unwrap(), &escapes), &text);
    }

    #[test]
    fn units_are_the_text_and_count_its_characters(text in any_text()) {
        let shown = prose(&text);
        let parts = units(&shown);
        prop_assert_eq!(parts.iter().map(|u| u.text).collect::<String>(), shown.as_str());
        if !text.contains("\\\"") {
            prop_assert_eq!(parts.iter().map(|u| u.stands_for).sum::<usize>(), text.chars().count());
        }
    }

    #[test]
    fn safe_text_is_its_own_safe_text(text in any_text()) {
        let shown = safe_prose(&text);
        prop_assert_eq!(&SafeText::line(shown.as_str()), &shown);
    }
}

/// A text of a megabyte is cut in one pass: each of these takes ages where every character looks at all that follow.
#[test]
fn long_texts_are_cut_in_one_pass() {
    for text in [
        "a",
        "f0",
        "\\",
        "\\u{",
        "[1",
        "[1 spaces",
        "\u{202e}",
        "e\u{301}",
        "1",
    ] {
        let long = text.repeat(1_000_000 / text.len() / 4);
        let shown = safe(&long);
        let parts = units(shown.as_str());
        let length: usize = parts.iter().map(|unit| unit.text.len()).sum();
        assert_eq!(length, shown.as_str().len(), "{text}");
    }
}
