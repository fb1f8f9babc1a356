//! Random settings and calls, small enough that rules and calls meet, odd enough to reach every corner.

use hcp_core::gate::{Call, Reading};
use hcp_core::json::{Limits, Number, Object, Value, parse};
use hcp_core::mode::{Approvals, Decision, Mode};
use hcp_core::names::{PackId, VerbKey};
use hcp_core::policy::{CallPolicy, Confirm, Operation, Policy, Raise, Undo};
use hcp_core::rule::{Conditions, Match, Rule};
use hcp_core::settings::{AccessFile, Layers, Sourced};
use proptest::prelude::*;
use proptest::sample::select;

pub(crate) const NAMES: &[&str] = &["a", "n", "p"];

/// Values that meet each other in every row of the table.
const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "\"true\"",
    "\"false\"",
    "\"yes\"",
    "5",
    "5.0",
    "7",
    "-3",
    "0",
    "-0",
    "1e400",
    "5e0",
    "5.0000000000000000001",
    "\"5\"",
    "\"5.00\"",
    "\"7\"",
    "\"007\"",
    "\"+7\"",
    "\"7e0\"",
    "\"-3\"",
    "\"0x7\"",
    "\"٧\"",
    "\"1,000\"",
    "\"5 EUR\"",
    "\"\"",
    "\"x\"",
    "\"X\"",
    "\"x y\"",
    "\"x,y\"",
    "\"y, x\"",
    "\"y\\u0000x\"",
    "\"y\\u200bx\"",
    "\"z,x y\"",
    "\"docs/a\"",
    "\"docs/a/b\"",
    "\"docs/../a\"",
    "\"docs//a\"",
    "\".\"",
    "\"src/a,docs/a\"",
    "\"src/a docs/a\"",
    "\"docs/a b\"",
    "\"src/a\"",
    "\"a,..\"",
    "[]",
    "[\"x\"]",
    "[\"x\",\"y\"]",
    "[\"y\",\"x\"]",
    "[\"x\",\"y\",\"z\"]",
    "[5]",
    "[9,\"5\"]",
    "[\"y\",[\"x\"]]",
    "[[]]",
    "[null]",
    "[null,\"x\"]",
    "[true]",
    "[\"docs/a\",\"src/a\"]",
    "{}",
    "{\"k\":1}",
    "{\"k\":\"1.0\"}",
    "{\"k\":1,\"l\":null}",
    "\"{\\\"k\\\":1}\"",
    "[{\"k\":1}]",
];

const GLOBS: &[&str] = &[
    "", "*", "**", "docs/*", "docs/**", "x", "x*", "*x", "* *", "*,*", "docs//*", ".", "../**",
    "**/a",
];

const LIMITS: &[&str] = &["5", "0", "-3", "-5", "7.0", "1e400", "5.00"];

pub(crate) fn value(text: &str) -> Value {
    parse(text, Limits::default()).unwrap().to_value()
}

pub(crate) fn object(text: &str) -> Object {
    value(text).as_object().unwrap().clone()
}

pub(crate) fn now() -> jiff::Timestamp {
    "2026-12-01T12:00:00Z".parse().unwrap()
}

fn name() -> impl Strategy<Value = String> {
    select(NAMES).prop_map(str::to_owned)
}

fn any_value() -> impl Strategy<Value = Value> {
    select(VALUES).prop_map(value)
}

fn a_value() -> impl Strategy<Value = Value> {
    any_value().prop_filter("null is absence", |v| *v != Value::Null)
}

fn map<T: std::fmt::Debug + Clone>(
    value: impl Strategy<Value = T> + Clone + 'static,
) -> impl Strategy<Value = Vec<(String, T)>> {
    prop_oneof![
        3 => Just(Vec::new()),
        2 => (name(), value.clone()).prop_map(|pair| vec![pair]),
        1 => (value.clone(), value).prop_map(|(v, w)| vec![("a".to_owned(), v), ("n".to_owned(), w)]),
    ]
}

fn limit() -> impl Strategy<Value = Number> + Clone {
    select(LIMITS).prop_map(|text| Number::new(text).unwrap())
}

pub(crate) fn conditions() -> impl Strategy<Value = Conditions> {
    let op = prop_oneof![4 => Just(None), 1 => Just(Some(Operation::Read)), 1 => Just(Some(Operation::Write))];
    let values = select(VALUES).prop_map(value);
    let list = prop::collection::vec(
        select(VALUES)
            .prop_map(value)
            .prop_filter("", |v| *v != Value::Null),
        1..3,
    );
    let list = list.boxed();
    let globs = select(GLOBS).prop_map(str::to_owned);
    (
        op,
        map(values),
        map(limit()),
        map(limit()),
        map(list),
        map(globs),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(op, args, max, min, one_of, like, only)| Conditions {
            op,
            args,
            max,
            min,
            one_of,
            like,
            only,
        })
}

/// One condition or none: sets of many seldom hold.
fn small_conditions() -> impl Strategy<Value = Conditions> {
    let none = Conditions::default;
    prop_oneof![
        4 => Just(none()),
        4 => (name(), any_value()).prop_map(move |p| Conditions { args: vec![p], ..none() }),
        2 => (name(), limit()).prop_map(move |p| Conditions { max: vec![p], ..none() }),
        1 => (name(), limit()).prop_map(move |p| Conditions { min: vec![p], ..none() }),
        1 => (name(), a_value(), a_value()).prop_map(move |(k, v, w)| Conditions { one_of: vec![(k, vec![v, w])], ..none() }),
        2 => (name(), select(GLOBS)).prop_map(move |(k, g)| Conditions { like: vec![(k, g.to_owned())], ..none() }),
        1 => (name(), any_value()).prop_map(move |p| Conditions { args: vec![p], only: true, ..none() }),
        1 => Just(Conditions { only: true, ..none() }),
        2 => conditions(),
    ]
}

fn non_empty() -> impl Strategy<Value = Conditions> {
    small_conditions().prop_filter("an empty exception is refused", |set| !set.is_empty())
}

fn a_match() -> impl Strategy<Value = Match> {
    select(
        &[
            "*",
            "gh.*",
            "gh.merge",
            "gh.list",
            "mail.*",
            "mail.send",
            "gh.merge",
            "gh.*",
        ][..],
    )
    .prop_map(|text| Match::parse(text).unwrap())
}

pub(crate) fn rule_of(decision: impl Strategy<Value = Decision>) -> impl Strategy<Value = Rule> {
    let until = prop_oneof![
        8 => Just(None),
        1 => Just(Some(now())),
        1 => Just(Some("2026-12-01T12:00:00.001Z".parse().unwrap())),
        1 => Just(Some("2026-12-01T11:59:59Z".parse().unwrap())),
    ];
    let note = prop_oneof![5 => Just(None), 1 => Just(Some("session".to_owned())), 1 => Just(Some("why".to_owned()))];
    let except = prop_oneof![4 => Just(Vec::new()), 1 => prop::collection::vec(non_empty(), 1..3)];
    (
        a_match(),
        decision,
        small_conditions(),
        except,
        any::<bool>(),
        until,
        note,
    )
        .prop_map(
            |(matches, decision, when, except, by_human, until, note)| Rule {
                matches,
                decision,
                when,
                except,
                by_human: by_human && decision == Decision::Ask,
                until,
                note,
            },
        )
}

pub(crate) fn rule() -> impl Strategy<Value = Rule> {
    rule_of(
        prop_oneof![3 => Just(Decision::Allow), 2 => Just(Decision::Ask), 1 => Just(Decision::Deny)],
    )
}

pub(crate) fn mode() -> impl Strategy<Value = Mode> {
    select(&[Mode::Run, Mode::Auto, Mode::Manual][..])
}

fn approvals() -> impl Strategy<Value = Option<Approvals>> {
    select(&[None, Some(Approvals::Agent), Some(Approvals::Human)][..])
}

pub(crate) fn file(rules: usize) -> impl Strategy<Value = Sourced<AccessFile>> {
    let pack = select(&["gh", "mail"][..]).prop_map(|id| PackId::new(id).unwrap());
    (
        prop::option::of(mode()),
        prop::collection::vec((pack, mode()), 0..2),
        approvals(),
        prop::collection::vec(rule(), 0..=rules),
    )
        .prop_map(|(mode, packs, approvals, rules)| Sourced {
            file: "a file".to_owned(),
            body: AccessFile {
                mode,
                packs,
                approvals,
                rules,
                ..AccessFile::default()
            },
        })
}

pub(crate) fn layers() -> impl Strategy<Value = Layers> {
    (
        prop::option::of(file(3)),
        prop::option::weighted(0.8, file(5)),
        prop::option::weighted(0.3, mode()),
        approvals(),
        prop::collection::vec(rule(), 0..3),
        prop::collection::vec(file(2), 0..3),
        any::<bool>(),
    )
        .prop_map(
            |(operator, user, process_mode, process_approvals, session, project, agent)| Layers {
                operator,
                user,
                process_mode,
                process_approvals,
                session,
                project,
                agent,
            },
        )
}

/// A call that owns what the gate borrows.
#[derive(Debug, Clone)]
pub(crate) struct Owned {
    pub(crate) verb: VerbKey,
    pub(crate) args: Object,
    pub(crate) policy: Policy,
    pub(crate) reading: Reading,
}

impl Owned {
    pub(crate) fn call(&self) -> Call<'_> {
        self.call_with(self.policy.for_call(&self.args, &self.reading))
    }

    pub(crate) fn call_with(&self, policy: CallPolicy) -> Call<'_> {
        Call {
            verb: &self.verb,
            args: &self.args,
            policy,
            reading: &self.reading,
        }
    }
}

pub(crate) fn raise() -> impl Strategy<Value = Raise> {
    let set = non_empty()
        .prop_map(|set| Conditions { op: None, ..set })
        .prop_filter("", |set| !set.is_empty());
    let confirm = select(&[None, Some(Confirm::Ask), Some(Confirm::Always)][..]);
    (set, confirm).prop_map(|(when, confirm)| Raise {
        when,
        confirm,
        undo: Some(Undo::No),
    })
}

pub(crate) fn call() -> impl Strategy<Value = Owned> {
    let verb =
        select(&["gh.merge", "gh.list", "mail.send"][..]).prop_map(|v| VerbKey::parse(v).unwrap());
    let args =
        prop::collection::vec((name(), any_value()), 0..4).prop_map(|m| m.into_iter().collect());
    let reading = prop_oneof![
        5 => Just(Reading::default()),
        1 => Just(Reading { fully_read: false, ..Reading::default() }),
        1 => name().prop_map(|n| Reading { fully_read: true, untold: [n].into() }),
        1 => name().prop_map(|n| Reading { fully_read: false, untold: [n].into() }),
    ];
    let confirm = select(&[Confirm::Never, Confirm::Ask, Confirm::Always][..]);
    let raises = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(raise(), 1..2)];
    (verb, args, any::<bool>(), confirm, raises, reading).prop_map(
        |(verb, args, reads, confirm, raise, reading)| Owned {
            verb,
            args,
            policy: Policy {
                operation: if reads {
                    Operation::Read
                } else {
                    Operation::Write
                },
                confirm,
                raise,
                ..Policy::default()
            },
            reading,
        },
    )
}

/// So many rules with one match that they are worth looking up by value. Few decide alike, or the first
/// deny rule would hide all others.
pub(crate) fn many_rules() -> impl Strategy<Value = Vec<Rule>> {
    let condition = prop_oneof![
        6 => (name(), any_value()).prop_map(|p| Conditions { args: vec![p], ..Conditions::default() }),
        2 => (any_value(), any_value()).prop_map(|(v, w)| Conditions {
            args: vec![("a".to_owned(), v), ("n".to_owned(), w)],
            ..Conditions::default()
        }),
        1 => (name(), a_value(), a_value()).prop_map(|(k, v, w)| Conditions {
            one_of: vec![(k, vec![v, w])],
            ..Conditions::default()
        }),
    ];
    let verb = select(&["gh.merge", "gh.merge", "mail.send", "gh.*", "*"][..]);
    let decision = select(&[Decision::Allow, Decision::Ask, Decision::Deny][..]);
    (verb, decision).prop_flat_map(move |(verb, decision)| {
        let rule = (condition.clone(), any::<bool>()).prop_map(move |(when, by_human)| Rule {
            when,
            by_human: by_human && decision == Decision::Ask,
            ..Rule::new(Match::parse(verb).unwrap(), decision)
        });
        prop::collection::vec(rule, 20..40)
    })
}
