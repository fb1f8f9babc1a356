//! The identifiers of a call: who gets something, what and where it acts on. A runtime remembers keyed digests of
//! them, so that a later call can be told from what was approved before.

use super::audience::addresses;
use super::facts::ArgFact;
use super::look_alike::skeleton;
use super::sets::TextSet;
use crate::call::CardCall;
use crate::names::of_role;
use crate::view::{View, ViewKind};
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// A longer text is no identifier.
const LONGEST: usize = 1000;

/// Roles of those who get something.
const AUDIENCE: &[&str] = &["to", "cc", "bcc", "channel", "who", "with", "payee"];
/// Roles of other identifiers, by the names of arguments.
const OTHERS: &[&str] = &["from", "place"];
/// Fields whose arguments are identifiers whatever their names.
const FIELDS: &[&str] = &["from", "what", "where", "path", "target", "calendar"];

/// One identifier of a call: a payee, recipient, host, package, account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identifier {
    /// The identifier: of a mail address in any form the bare address, its domain in lower case.
    pub value: String,
    /// What it looks like: equal for all texts that look alike.
    pub skeleton: String,
    /// Whether it is somebody who gets something: a payee, a recipient, one who is given access.
    pub audience: bool,
}

/// The identifiers of a call, each once, in the order of its arguments. Secrets and long texts are none.
#[must_use]
pub fn identifiers(call: &CardCall<'_>, view: &View) -> Vec<Identifier> {
    let args: Vec<ArgFact<'_>> = call
        .args
        .iter()
        .map(|(name, value)| {
            let secret = call.command.argument(name).is_some_and(|a| a.secret);
            ArgFact::named(name, value, secret)
        })
        .collect();
    of(&Named {
        args: &args,
        kind: view.kind,
        inferred: view.inferred,
        sources: &view.sources,
    })
}

/// What tells the identifiers of a call.
pub(crate) struct Named<'f> {
    pub(crate) args: &'f [ArgFact<'f>],
    pub(crate) kind: ViewKind,
    pub(crate) inferred: Option<ViewKind>,
    pub(crate) sources: &'f BTreeMap<String, Vec<String>>,
}

impl Named<'_> {
    fn is(&self, kind: ViewKind) -> bool {
        self.kind == kind || self.inferred == Some(kind)
    }
}

struct Names {
    audience: TextSet,
    others: TextSet,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let all = |roles: &[&str]| {
        let names = roles.iter().flat_map(|role| of_role(role));
        TextSet::names(names.cloned().collect())
    };
    Names {
        audience: all(AUDIENCE),
        others: all(OTHERS),
    }
});

pub(crate) fn of(named: &Named<'_>) -> Vec<Identifier> {
    let mut found: Vec<Identifier> = Vec::new();
    let mut at: HashMap<String, usize> = HashMap::new();
    for arg in named.args.iter().filter(|arg| !arg.secret) {
        let Some(audience) = part_of(named, arg) else {
            continue;
        };
        for value in addresses(arg.value) {
            if value.len() > LONGEST {
                continue;
            }
            if let Some(known) = at.get(&value).and_then(|i| found.get_mut(*i)) {
                known.audience |= audience;
                continue;
            }
            at.insert(value.clone(), found.len());
            found.push(Identifier {
                skeleton: skeleton(&value),
                value,
                audience,
            });
        }
    }
    found
}

/// Whether an argument holds identifiers, and whether of those who get something.
fn part_of(named: &Named<'_>, arg: &ArgFact<'_>) -> Option<bool> {
    let fields: Vec<&str> = named
        .sources
        .iter()
        .filter(|(_, names)| names.iter().any(|n| n == arg.name))
        .map(|(field, _)| field.as_str())
        .collect();
    let behind = |wanted: &[&str]| fields.iter().any(|field| wanted.contains(field));
    // `to` and `from` of a change are values, of a file places.
    let gives = named.is(ViewKind::Message) || named.is(ViewKind::Payment);
    let is_value = named.kind == ViewKind::Change && !gives;
    if is_value && behind(&["from", "to", "field"]) {
        return None;
    }
    let is_place = named.kind == ViewKind::File && !gives;
    if is_place && behind(&["to"]) {
        return Some(false);
    }
    if behind(AUDIENCE) || NAMES.audience.has(&arg.key) {
        return Some(true);
    }
    (behind(FIELDS) || NAMES.others.has(&arg.key)).then_some(false)
}
