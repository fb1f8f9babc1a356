//! `NAME=text` and `NAME:=JSON`.

use crate::support::{command, object};
use hcp_pack::Command;

fn shop() -> Command {
    command(
        r##""cli": ["go", "--n={{n}}", "--i={{i}}", "--s={{s}}", "--b={{b}}", "--l={{l}}", "--ln={{ln}}",
                   "--o={{o}}", "--any={{any}}", "--sn={{sn}}", "--r={{r}}"],
           "args": {"$defs": {"num": {"type": "number"}}, "properties": {
             "n": {"type": "number"}, "i": {"type": ["integer", "null"]}, "s": {"type": "string"},
             "b": {"type": "boolean"}, "l": {"type": "array", "items": {"type": "string"}},
             "ln": {"type": "array", "items": {"$ref": "#/$defs/num"}}, "o": {"type": "object"},
             "any": {}, "sn": {"type": ["string", "number"]}, "r": {"$ref": "#/$defs/num"}}}"##,
    )
}

fn read(words: &[&str]) -> Result<String, hcp_pack::ArgFault> {
    let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
    shop()
        .read_named(&words)
        .map(|args| hcp_core::json::Value::Object(args).to_string())
}

#[test]
fn text_is_typed_by_declaration() {
    for (words, wanted) in [
        (&["n=2.80"][..], r#"{"n":2.80}"#),
        (&["n=-5"], r#"{"n":-5}"#),
        (&["n=1e3"], r#"{"n":"1e3"}"#),
        (&["n=007"], r#"{"n":"007"}"#),
        (&["n=1,000"], r#"{"n":"1,000"}"#),
        (&["i=2.5"], r#"{"i":2.5}"#),
        (&["r=5"], r#"{"r":5}"#),
        (&["s=5"], r#"{"s":"5"}"#),
        (&["s="], r#"{"s":""}"#),
        (&["s=a=b"], r#"{"s":"a=b"}"#),
        (&["s=@file"], r#"{"s":"@file"}"#),
        (&["s=true"], r#"{"s":"true"}"#),
        (&["sn=5"], r#"{"sn":"5"}"#),
        (&["b=true"], r#"{"b":true}"#),
        (&["b=false"], r#"{"b":false}"#),
        (&["b=yes"], r#"{"b":"yes"}"#),
        (&["l=x"], r#"{"l":["x"]}"#),
        (&["l=1", "s=a", "l=2"], r#"{"l":["1","2"],"s":"a"}"#),
        (&["ln=1", "ln=x"], r#"{"ln":[1,"x"]}"#),
        (&["any=5"], r#"{"any":"5"}"#),
        (&["any=a", "any=b"], r#"{"any":["a","b"]}"#),
        (&["o:={\"a\": 1.0}"], r#"{"o":{"a":1.0}}"#),
        (&["l:=[\"a\"]", "n:=5"], r#"{"l":["a"],"n":5}"#),
        (&["n:=null"], r#"{"n":null}"#),
        (&[], "{}"),
    ] {
        assert_eq!(read(words).unwrap(), wanted, "{words:?}");
    }
}

#[test]
fn refusals_name_the_word_and_the_way() {
    for (words, message, help) in [
        (
            &["hello"][..],
            "word 1 is not NAME=text",
            "write each argument as NAME=text, or as NAME:=JSON",
        ),
        (
            &["s=a", "hello"],
            "word 2 is not NAME=text",
            "write all arguments as NAME=text or NAME:=JSON, or all in the tool's own spelling",
        ),
        (
            &["s=a", "--to=hunter2"],
            "word 2 (\"--to\") is not NAME=text",
            "write all arguments as NAME=text or NAME:=JSON, or all in the tool's own spelling",
        ),
        (
            &["s=a", "bb=hunter2"],
            "the command has no argument \"bb\"",
            "did you mean \"b\"?",
        ),
        (
            &["s=a", "s=b"],
            "s: is given twice, and takes one value",
            "keep one of the two",
        ),
        (
            &["l=a", "l:=[]"],
            "l: is given twice, and takes one value",
            "keep one of the two",
        ),
        (
            &["l:=[]", "l=a"],
            "l: is given twice, and takes one value",
            "keep one of the two",
        ),
        (
            &["o:={\"a\": hunter2}"],
            "o: what follows \":=\" is not JSON (at byte 7)",
            "write JSON like o:='[\"a\", 2]', or plain text like o=text",
        ),
        (
            &["o:={\"a\": 1, \"a\": 2}"],
            "o: what follows \":=\" is not JSON (at byte 10)",
            "write JSON like o:='[\"a\", 2]', or plain text like o=text",
        ),
    ] {
        let fault = read(words).unwrap_err();
        assert_eq!(fault.message, message, "{words:?}");
        assert_eq!(fault.help.as_deref(), Some(help), "{words:?}");
        assert!(!format!("{fault:?}").contains("hunter2"));
    }
}

#[test]
fn the_first_word_tells_the_form() {
    let is = |word: &str| shop().is_named(&[word.to_owned()]);
    assert!(is("s=x") && is("o:={}") && is("s="));
    assert!(!is("x=1") && !is("--s=x") && !is("s") && !is("2.80") && !is("=x"));
    assert!(!shop().is_named(&[]));
}

#[test]
fn what_was_read_passes_the_check() {
    let words = ["n=2.80", "l=a", "b=true"].map(str::to_owned);
    let args = shop().read_named(&words).unwrap();
    assert_eq!(
        shop().check_args(args).unwrap(),
        object(r#"{"n": 2.80, "l": ["a"], "b": true}"#)
    );
}
