//! What the card's own view rules make of a command: the view of a call in which each argument is its placeholder.
//!
//! So a suggested preview is the view that a person would see without one, and a declared one is held to it.

use hcp_card::{CardCall, Past, Rules, View, ViewOrigin, view};
use hcp_core::gate::Reading;
use hcp_core::json::Object;
use hcp_pack::{Argument, Command, Pack};

/// The view that the rules infer, with placeholders for values; `None` where no rule knows the names.
pub(crate) fn inferred(pack: &Pack, command: &Command) -> Option<View> {
    infer(pack, command, |argument| !argument.global)
}

/// The title of that view, with only the arguments that every call gives: an absent one would leave a hole. `None`
/// where those alone do not make a view of the kind.
pub(crate) fn title(pack: &Pack, command: &Command, all: &View) -> Option<String> {
    let given = infer(pack, command, |argument| {
        argument.required && !argument.global
    })?;
    (given.kind == all.kind).then_some(given.title)
}

fn infer(pack: &Pack, command: &Command, stands: impl Fn(&Argument) -> bool) -> Option<View> {
    let mut bare = command.clone();
    bare.preview = None;
    let args: Object = command
        .arguments
        .iter()
        .filter(|argument| stands(argument) && is_shown(argument))
        .map(|argument| {
            let placeholder = format!("{{{{{}}}}}", argument.name);
            (argument.name.clone(), placeholder.into())
        })
        .collect();
    let call = CardCall {
        pack: &pack.id,
        command: &bare,
        args: &args,
        policy: command.policy.for_call(&args, &Reading::default()),
        reading: &Reading::default(),
        unread: &[],
        files: &[],
        rules: &Rules::builtin(),
    };
    let view = view(&call, &Past::default());
    (view.origin == ViewOrigin::Inferred).then_some(view)
}

/// Whether an argument can stand behind a field: flags and objects have rows of their own, and so have secrets.
fn is_shown(argument: &Argument) -> bool {
    !argument.secret && !matches!(argument.kind.as_deref(), Some("boolean" | "object"))
}
