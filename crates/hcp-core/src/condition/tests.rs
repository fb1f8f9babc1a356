use super::*;
use crate::json::{Limits, parse};

fn conditions(text: &str) -> Conditions {
    let mut faults = Vec::new();
    let node = parse(text, Limits::default()).unwrap();
    let set = Conditions::parse(&node, &mut faults).unwrap();
    assert_eq!(faults, [], "{text}");
    set
}

fn object(text: &str) -> Object {
    let node = parse(text, Limits::default()).unwrap();
    node.to_value().as_object().unwrap().clone()
}

/// How a set is judged: where holding would loosen, and where it would tighten.
fn both(set: &str, args: &str, reading: &Reading) -> (bool, bool) {
    let (set, args) = (conditions(set), object(args));
    let facts = Facts {
        operation: Operation::Write,
        args: &args,
        reading,
    };
    let truth = set.judge(&facts);
    (truth.is_certain(), truth.is_possible())
}

const HOLDS: (bool, bool) = (true, true);
const UNTOLD: (bool, bool) = (false, true);
const FAILS: (bool, bool) = (false, false);

fn table(rows: &[(&str, &str, (bool, bool))]) {
    let reading = Reading::default();
    for (set, args, wanted) in rows {
        assert_eq!(both(set, args, &reading), *wanted, "{set} on {args}");
    }
}

#[test]
fn a_limit_on_what_is_no_number() {
    table(&[
        (r#"{"max":{"n":5}}"#, r#"{"n":"5 EUR"}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":"1,000"}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":"1e3"}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":"007"}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":"٥"}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":"NaN"}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":"0x5"}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":""}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":" 5"}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":true}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":{"v":1}}"#, UNTOLD),
        (r#"{"min":{"n":5}}"#, r#"{"n":"many"}"#, UNTOLD),
        (r#"{"min":{"n":5}}"#, r#"{"n":false}"#, UNTOLD),
        (r#"{"min":{"n":5}}"#, r#"{"n":{}}"#, UNTOLD),
    ]);
}

#[test]
fn limits_are_exact() {
    table(&[
        (r#"{"max":{"n":5}}"#, r#"{"n":5}"#, HOLDS),
        (r#"{"max":{"n":5}}"#, r#"{"n":"5.00"}"#, HOLDS),
        (
            r#"{"max":{"n":5}}"#,
            r#"{"n":5.0000000000000000001}"#,
            FAILS,
        ),
        (
            r#"{"max":{"n":5}}"#,
            r#"{"n":"5.0000000000000000001"}"#,
            FAILS,
        ),
        (r#"{"max":{"n":5}}"#, r#"{"n":1e400}"#, FAILS),
        (r#"{"max":{"n":1e400}}"#, r#"{"n":9.9e399}"#, HOLDS),
        (r#"{"min":{"n":5}}"#, r#"{"n":4.99}"#, FAILS),
        (r#"{"min":{"n":5}}"#, r#"{"n":"5"}"#, HOLDS),
        (r#"{"min":{"n":0.1}}"#, r#"{"n":"0.10"}"#, HOLDS),
        (r#"{"max":{"n":5},"min":{"n":1}}"#, r#"{"n":0}"#, FAILS),
    ]);
}

#[test]
fn a_negative_number_under_max() {
    table(&[
        (r#"{"max":{"n":5}}"#, r#"{"n":-3}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":"-3"}"#, UNTOLD),
        (r#"{"max":{"n":-5}}"#, r#"{"n":-7}"#, UNTOLD),
        (r#"{"max":{"n":-5}}"#, r#"{"n":-3}"#, FAILS),
        (r#"{"max":{"n":5},"min":{"n":-9}}"#, r#"{"n":-3}"#, HOLDS),
        (
            r#"{"max":{"n":5},"min":{"m":-9}}"#,
            r#"{"n":-3,"m":1}"#,
            UNTOLD,
        ),
        (r#"{"max":{"n":5},"min":{"n":0}}"#, r#"{"n":-3}"#, FAILS),
        (r#"{"max":{"n":5}}"#, r#"{"n":-0}"#, HOLDS),
        (r#"{"min":{"n":-5}}"#, r#"{"n":-3}"#, HOLDS),
    ]);
}

#[test]
fn a_list_against_one_value_limit_or_glob() {
    table(&[
        (r#"{"args":{"to":"a"}}"#, r#"{"to":["a"]}"#, UNTOLD),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":["b","a"]}"#, UNTOLD),
        (
            r#"{"args":{"to":"a"}}"#,
            r#"{"to":["b",["c",["a"]]]}"#,
            UNTOLD,
        ),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":["b"]}"#, FAILS),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":[]}"#, FAILS),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":[{"x":"a"}]}"#, FAILS),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":["b","x a"]}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":[3]}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":[9,3]}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":[9,"x"]}"#, UNTOLD),
        (r#"{"max":{"n":5}}"#, r#"{"n":[9,10]}"#, FAILS),
        (r#"{"min":{"n":5}}"#, r#"{"n":[[7]]}"#, UNTOLD),
        (r#"{"min":{"n":5}}"#, r#"{"n":[1,2]}"#, FAILS),
        (r#"{"like":{"p":"docs/*"}}"#, r#"{"p":["docs/a"]}"#, UNTOLD),
        (r#"{"like":{"p":"docs/*"}}"#, r#"{"p":["src/a"]}"#, FAILS),
        (r#"{"like":{"p":"docs/*"}}"#, r#"{"p":["src/a",1]}"#, UNTOLD),
        (r#"{"one_of":{"to":["a","b"]}}"#, r#"{"to":["b"]}"#, UNTOLD),
        (r#"{"one_of":{"to":["a","b"]}}"#, r#"{"to":["c"]}"#, FAILS),
    ]);
}

#[test]
fn equality_of_a_number_with_a_string() {
    table(&[
        (r#"{"args":{"n":5}}"#, r#"{"n":"5.00"}"#, HOLDS),
        (r#"{"args":{"n":"5.00"}}"#, r#"{"n":5}"#, HOLDS),
        (r#"{"args":{"n":5}}"#, r#"{"n":"6"}"#, FAILS),
        (r#"{"args":{"n":5}}"#, r#"{"n":"five"}"#, UNTOLD),
        (r#"{"args":{"n":5}}"#, r#"{"n":"005"}"#, UNTOLD),
        (r#"{"args":{"n":5}}"#, r#"{"n":""}"#, UNTOLD),
        (r#"{"args":{"n":"five"}}"#, r#"{"n":5}"#, UNTOLD),
        (r#"{"args":{"n":5}}"#, r#"{"n":5e0}"#, HOLDS),
        (r#"{"args":{"n":1e400}}"#, r#"{"n":10e399}"#, HOLDS),
    ]);
}

#[test]
fn equality_of_two_plain_decimal_strings() {
    table(&[
        (r#"{"args":{"n":"5"}}"#, r#"{"n":"5"}"#, HOLDS),
        (r#"{"args":{"n":"5"}}"#, r#"{"n":"5.00"}"#, UNTOLD),
        (r#"{"args":{"n":"2.80"}}"#, r#"{"n":"2.8"}"#, UNTOLD),
        (r#"{"args":{"n":"-0"}}"#, r#"{"n":"0"}"#, UNTOLD),
        (r#"{"args":{"n":"5"}}"#, r#"{"n":"5.01"}"#, FAILS),
    ]);
}

#[test]
fn equality_with_a_string_that_holds_several() {
    table(&[
        (r#"{"args":{"to":"a"}}"#, r#"{"to":"a,b"}"#, UNTOLD),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":"b, a"}"#, UNTOLD),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":"b\u0000a"}"#, UNTOLD),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":"b\u200ba"}"#, UNTOLD),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":"a\n"}"#, UNTOLD),
        (r#"{"args":{"to":"a"}}"#, r#"{"to":"ab,c"}"#, FAILS),
        (r#"{"args":{"to":"a,b"}}"#, r#"{"to":"a,b"}"#, HOLDS),
        (r#"{"args":{"to":"a b"}}"#, r#"{"to":"c,a b,d"}"#, UNTOLD),
        (
            r#"{"args":{"to":"a b a b"}}"#,
            r#"{"to":"xa b a b a b"}"#,
            UNTOLD,
        ),
        (r#"{"args":{"to":"a b"}}"#, r#"{"to":"xa b"}"#, FAILS),
        (r#"{"args":{"n":"7"}}"#, r#"{"n":"x,007"}"#, UNTOLD),
        (r#"{"args":{"n":""}}"#, r#"{"n":"a,,b"}"#, UNTOLD),
        (r#"{"one_of":{"to":["x","a"]}}"#, r#"{"to":"b;a"}"#, FAILS),
        (r#"{"one_of":{"to":["x","a"]}}"#, r#"{"to":"b\ta"}"#, UNTOLD),
    ]);
}

#[test]
fn equality_with_another_spelling_of_a_number() {
    table(&[
        (r#"{"args":{"n":"7"}}"#, r#"{"n":"007"}"#, UNTOLD),
        (r#"{"args":{"n":"7"}}"#, r#"{"n":"+7"}"#, UNTOLD),
        (r#"{"args":{"n":"7"}}"#, r#"{"n":"7e0"}"#, UNTOLD),
        (r#"{"args":{"n":"007"}}"#, r#"{"n":"7"}"#, UNTOLD),
        (r#"{"args":{"n":"7"}}"#, r#"{"n":"0x7"}"#, UNTOLD),
        (r#"{"args":{"n":"7"}}"#, r#"{"n":"٧"}"#, UNTOLD),
        (r#"{"args":{"n":"7"}}"#, r#"{"n":"8e0"}"#, FAILS),
        (r#"{"args":{"n":"007"}}"#, r#"{"n":"007"}"#, HOLDS),
    ]);
}

#[test]
fn equality_of_a_boolean() {
    table(&[
        (r#"{"args":{"f":true}}"#, r#"{"f":true}"#, HOLDS),
        (r#"{"args":{"f":true}}"#, r#"{"f":"true"}"#, HOLDS),
        (r#"{"args":{"f":"false"}}"#, r#"{"f":false}"#, HOLDS),
        (r#"{"args":{"f":true}}"#, r#"{"f":false}"#, FAILS),
        (r#"{"args":{"f":true}}"#, r#"{"f":"false"}"#, FAILS),
        (r#"{"args":{"f":true}}"#, r#"{"f":"yes"}"#, UNTOLD),
        (r#"{"args":{"f":true}}"#, r#"{"f":1}"#, UNTOLD),
        (r#"{"args":{"f":true}}"#, r#"{"f":"True"}"#, UNTOLD),
        (r#"{"args":{"f":true}}"#, r#"{"f":{}}"#, UNTOLD),
        (r#"{"args":{"f":"on"}}"#, r#"{"f":true}"#, UNTOLD),
        (r#"{"args":{"f":1}}"#, r#"{"f":true}"#, UNTOLD),
        (r#"{"args":{"f":true}}"#, r#"{"f":[true]}"#, UNTOLD),
        (r#"{"args":{"f":true}}"#, r#"{"f":[false]}"#, FAILS),
        (r#"{"args":{"f":["a"]}}"#, r#"{"f":true}"#, UNTOLD),
    ]);
}

#[test]
fn a_list_in_the_rule() {
    table(&[
        (r#"{"args":{"to":["a","b"]}}"#, r#"{"to":["a","b"]}"#, HOLDS),
        (
            r#"{"args":{"to":["a","b"]}}"#,
            r#"{"to":["b","a"]}"#,
            UNTOLD,
        ),
        (
            r#"{"args":{"to":["a","b"]}}"#,
            r#"{"to":["a","c","b"]}"#,
            UNTOLD,
        ),
        (r#"{"args":{"to":["a","b"]}}"#, r#"{"to":["a"]}"#, FAILS),
        (r#"{"args":{"to":["a",5]}}"#, r#"{"to":["a","5.0"]}"#, HOLDS),
        (r#"{"args":{"to":["a"]}}"#, r#"{"to":"a"}"#, UNTOLD),
        (r#"{"args":{"to":["a","b"]}}"#, r#"{"to":"a"}"#, FAILS),
        (r#"{"args":{"to":["a","b"]}}"#, r#"{"to":"a,b"}"#, UNTOLD),
        (r#"{"args":{"to":[]}}"#, r#"{"to":[]}"#, HOLDS),
    ]);
}

#[test]
fn objects() {
    table(&[
        (
            r#"{"args":{"o":{"a":1,"b":"x"}}}"#,
            r#"{"o":{"b":"x","a":"1.0"}}"#,
            HOLDS,
        ),
        (r#"{"args":{"o":{"a":1}}}"#, r#"{"o":{"a":2}}"#, FAILS),
        (r#"{"args":{"o":{"a":1}}}"#, r#"{"o":{"a":1,"b":2}}"#, FAILS),
        (
            r#"{"args":{"o":{"a":1}}}"#,
            r#"{"o":{"a":1,"b":null}}"#,
            UNTOLD,
        ),
        (r#"{"args":{"o":{"a":1}}}"#, r#"{"o":"{\"a\":1}"}"#, UNTOLD),
        (
            r#"{"args":{"o":{"a":"7"}}}"#,
            r#"{"o":{"a":"007"}}"#,
            UNTOLD,
        ),
        (r#"{"args":{"o":"x"}}"#, r#"{"o":{"o":"x"}}"#, FAILS),
    ]);
}

#[test]
fn strings_are_equal_byte_for_byte() {
    table(&[
        (r#"{"args":{"s":"Ana"}}"#, r#"{"s":"Ana"}"#, HOLDS),
        (r#"{"args":{"s":"Ana"}}"#, r#"{"s":"ana"}"#, FAILS),
        (r#"{"args":{"s":"é"}}"#, r#"{"s":"e\u0301"}"#, FAILS),
        (r#"{"args":{"s":"Ana"}}"#, r#"{"s":" Ana"}"#, UNTOLD),
    ]);
}

#[test]
fn like_on_what_is_no_string() {
    table(&[
        (r#"{"like":{"p":"*"}}"#, r#"{"p":5}"#, UNTOLD),
        (r#"{"like":{"p":"*"}}"#, r#"{"p":true}"#, UNTOLD),
        (r#"{"like":{"p":"*"}}"#, r#"{"p":{"a":"b"}}"#, UNTOLD),
        (r#"{"like":{"p":"*"}}"#, r#"{"p":"x"}"#, HOLDS),
    ]);
}

#[test]
fn like_on_dots_and_double_slashes() {
    table(&[
        (
            r#"{"like":{"p":"docs/**"}}"#,
            r#"{"p":"docs/../x"}"#,
            UNTOLD,
        ),
        (r#"{"like":{"p":"docs/**"}}"#, r#"{"p":"./docs/x"}"#, UNTOLD),
        (r#"{"like":{"p":"docs/**"}}"#, r#"{"p":"docs/."}"#, UNTOLD),
        (r#"{"like":{"p":"docs/**"}}"#, r#"{"p":".."}"#, UNTOLD),
        (
            r#"{"like":{"p":"../docs/*"}}"#,
            r#"{"p":"../docs/x"}"#,
            UNTOLD,
        ),
        (r#"{"like":{"p":"docs/**"}}"#, r#"{"p":"docs//x"}"#, UNTOLD),
        (r#"{"like":{"p":"docs/**"}}"#, r#"{"p":"src//x"}"#, UNTOLD),
        (
            r#"{"like":{"p":"https://a.org/**"}}"#,
            r#"{"p":"https://a.org/x"}"#,
            HOLDS,
        ),
        (
            r#"{"like":{"p":"https://a.org/**"}}"#,
            r#"{"p":"https://b.org/x"}"#,
            FAILS,
        ),
        (
            r#"{"like":{"p":"docs/**"}}"#,
            r#"{"p":"docs/..x/.y"}"#,
            HOLDS,
        ),
        (r#"{"like":{"p":"docs/**"}}"#, r#"{"p":"src/a"}"#, FAILS),
    ]);
}

#[test]
fn like_on_a_string_that_holds_several() {
    table(&[
        (r#"{"like":{"p":"docs/*"}}"#, r#"{"p":"docs/a b"}"#, UNTOLD),
        (
            r#"{"like":{"p":"docs/*"}}"#,
            r#"{"p":"src/x,docs/a"}"#,
            UNTOLD,
        ),
        (
            r#"{"like":{"p":"docs/*"}}"#,
            r#"{"p":"src/x\ndocs/a"}"#,
            UNTOLD,
        ),
        (
            r#"{"like":{"p":"docs/*"}}"#,
            r#"{"p":"src/x\u00a0docs/a"}"#,
            UNTOLD,
        ),
        (
            r#"{"like":{"p":"docs/*"}}"#,
            r#"{"p":"src/x,src/a"}"#,
            FAILS,
        ),
        (r#"{"like":{"p":"docs/*"}}"#, r#"{"p":"a,..,b"}"#, UNTOLD),
        (
            r#"{"like":{"p":"docs/my *"}}"#,
            r#"{"p":"docs/my file"}"#,
            HOLDS,
        ),
        (
            r#"{"like":{"p":"docs/my *"}}"#,
            r#"{"p":"docs/my file,b"}"#,
            UNTOLD,
        ),
        (r#"{"like":{"p":"a,*"}}"#, r#"{"p":"a,b"}"#, HOLDS),
        (r#"{"like":{"p":""}}"#, r#"{"p":"a,,b"}"#, UNTOLD),
        (r#"{"like":{"p":"*"}}"#, r#"{"p":"a b"}"#, UNTOLD),
    ]);
}

#[test]
fn absence() {
    table(&[
        (r#"{"args":{"bcc":null}}"#, r#"{}"#, HOLDS),
        (r#"{"args":{"bcc":null}}"#, r#"{"bcc":null}"#, HOLDS),
        (r#"{"args":{"bcc":null}}"#, r#"{"bcc":"x"}"#, FAILS),
        (r#"{"args":{"bcc":null}}"#, r#"{"bcc":""}"#, FAILS),
        (r#"{"args":{"bcc":null}}"#, r#"{"bcc":false}"#, UNTOLD),
        (r#"{"args":{"bcc":null}}"#, r#"{"bcc":[]}"#, UNTOLD),
        (r#"{"args":{"bcc":null}}"#, r#"{"bcc":{}}"#, FAILS),
        (r#"{"args":{"a":"x"}}"#, r#"{}"#, FAILS),
        (r#"{"args":{"a":"x"}}"#, r#"{"a":null}"#, FAILS),
        (r#"{"max":{"a":5}}"#, r#"{}"#, FAILS),
        (r#"{"min":{"a":5}}"#, r#"{}"#, FAILS),
        (r#"{"one_of":{"a":["x"]}}"#, r#"{}"#, FAILS),
        (r#"{"like":{"a":"**"}}"#, r#"{}"#, FAILS),
    ]);
}

#[test]
fn only() {
    table(&[
        (r#"{"only":true}"#, r#"{}"#, HOLDS),
        (r#"{"only":true}"#, r#"{"a":1}"#, FAILS),
        (r#"{"only":true}"#, r#"{"a":null}"#, HOLDS),
        (r#"{"only":true}"#, r#"{"a":false}"#, UNTOLD),
        (r#"{"only":true}"#, r#"{"a":[]}"#, UNTOLD),
        (r#"{"only":true}"#, r#"{"a":[],"b":1}"#, FAILS),
        (r#"{"only":true,"args":{"a":1}}"#, r#"{"a":1}"#, HOLDS),
        (r#"{"only":true,"args":{"a":1}}"#, r#"{"a":1,"b":2}"#, FAILS),
        (
            r#"{"only":true,"max":{"a":1},"like":{"b":"*"},"one_of":{"c":[1]},"min":{"d":0}}"#,
            r#"{"a":1,"b":"x","c":1,"d":1}"#,
            HOLDS,
        ),
    ]);
}

#[test]
fn all_conditions_must_hold_and_a_sure_failure_wins() {
    table(&[
        (
            r#"{"args":{"a":1},"max":{"n":5}}"#,
            r#"{"a":1,"n":5}"#,
            HOLDS,
        ),
        (
            r#"{"args":{"a":1},"max":{"n":5}}"#,
            r#"{"a":1,"n":"x"}"#,
            UNTOLD,
        ),
        (
            r#"{"args":{"a":1},"max":{"n":5}}"#,
            r#"{"a":2,"n":"x"}"#,
            FAILS,
        ),
        (
            r#"{"max":{"n":5},"args":{"a":1}}"#,
            r#"{"n":"x","a":2}"#,
            FAILS,
        ),
        (r#"{"op":"write"}"#, r#"{}"#, HOLDS),
        (r#"{"op":"read"}"#, r#"{}"#, FAILS),
        (r#"{"op":"read","max":{"n":5}}"#, r#"{"n":"x"}"#, FAILS),
    ]);
}

#[test]
fn a_word_that_a_shell_would_still_expand() {
    let reading = Reading {
        fully_read: true,
        untold: ["x".to_owned()].into(),
    };
    for (set, args, wanted) in [
        (r#"{"args":{"x":"a"}}"#, r#"{"x":"a"}"#, UNTOLD),
        (r#"{"args":{"x":"a"}}"#, r#"{"x":"b"}"#, UNTOLD),
        (r#"{"args":{"x":null}}"#, r#"{"x":"b"}"#, UNTOLD),
        (r#"{"args":{"x":null}}"#, r#"{}"#, UNTOLD),
        (r#"{"max":{"x":5}}"#, r#"{"x":9}"#, UNTOLD),
        (r#"{"like":{"x":"a"}}"#, r#"{"x":"b"}"#, UNTOLD),
        (r#"{"one_of":{"x":["a"]}}"#, r#"{"x":"b"}"#, UNTOLD),
        (r#"{"only":true}"#, r#"{"x":"b"}"#, UNTOLD),
        (r#"{"only":true}"#, r#"{"x":"b","y":"c"}"#, FAILS),
        (r#"{"args":{"y":"a"}}"#, r#"{"x":"a","y":"a"}"#, HOLDS),
    ] {
        assert_eq!(both(set, args, &reading), wanted, "{set} on {args}");
    }
}

#[test]
fn a_call_that_was_not_fully_read() {
    let reading = Reading {
        fully_read: false,
        untold: ["x".to_owned()].into(),
    };
    for (set, args, wanted) in [
        (r#"{"args":{"a":"1"}}"#, r#"{}"#, UNTOLD),
        (r#"{"args":{"a":null}}"#, r#"{}"#, UNTOLD),
        (r#"{"args":{"a":null}}"#, r#"{"a":"v"}"#, FAILS),
        (r#"{"max":{"a":1}}"#, r#"{}"#, UNTOLD),
        (r#"{"like":{"a":"*"}}"#, r#"{}"#, UNTOLD),
        (r#"{"only":true}"#, r#"{}"#, UNTOLD),
        (r#"{"only":true}"#, r#"{"pay":true}"#, UNTOLD),
        (r#"{"args":{"a":"1"}}"#, r#"{"a":"2"}"#, FAILS),
        (r#"{"args":{"x":"1"}}"#, r#"{"x":"2"}"#, UNTOLD),
        (r#"{"op":"write"}"#, r#"{}"#, HOLDS),
    ] {
        assert_eq!(both(set, args, &reading), wanted, "{set} on {args}");
    }
}

#[test]
fn reasons_hold_no_value() {
    let set = conditions(r#"{"max":{"amount":5}}"#);
    let args = object(r#"{"amount":"secret-value"}"#);
    let facts = Facts {
        operation: Operation::Read,
        args: &args,
        reading: &Reading::default(),
    };
    let why = set.judge(&facts).why().unwrap().to_string();
    assert_eq!(why, "amount is no number that can be read exactly");
}
