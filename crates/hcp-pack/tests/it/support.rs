//! Packs for tests.

use hcp_core::json::{Limits, Object, Value, parse};
use hcp_pack::{ArgFault, Command, Pack, PackFiles};

pub(crate) const MANIFEST: &str =
    r#"{"id": "shop", "name": "Shop", "version": "1.0.0", "summary": "A shop."}"#;

pub(crate) fn files(surface: &str, policy: &str) -> PackFiles {
    PackFiles {
        folder: "shop".to_owned(),
        pack: MANIFEST.into(),
        surface: surface.into(),
        policy: policy.into(),
        skill: None,
    }
}

/// A command `go` from the members of its entry, beside a Policy that says nothing.
pub(crate) fn command(entry: &str) -> Command {
    let surface = format!("{{\"commands\": {{\"go\": {{{entry}}}}}}}");
    only(&surface)
}

/// The only command of a Surface.
pub(crate) fn only(surface: &str) -> Command {
    let pack = Pack::read(&files(surface, r#"{"commands": {"go": {}}}"#));
    let pack = pack.unwrap_or_else(|all| {
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        panic!("{}\n{surface}", all.join("\n"))
    });
    pack.commands.values().next().unwrap().clone()
}

/// A command with one argument `a` of this schema.
pub(crate) fn with_schema(schema: &str) -> Command {
    command(&format!(
        r#""cli": ["go", "--a={{{{a}}}}"], "args": {{"properties": {{"a": {schema}}}}}"#
    ))
}

pub(crate) fn value(text: &str) -> Value {
    parse(text, Limits::default()).unwrap().to_value()
}

pub(crate) fn object(text: &str) -> Object {
    value(text).as_object().unwrap().clone()
}

pub(crate) fn words(command: &Command, args: &str) -> Result<Vec<String>, ArgFault> {
    let args = command.check_args(object(args))?;
    let rendered = command.render(&args)?;
    Ok(rendered.words.into_iter().map(|w| w.text).collect())
}
