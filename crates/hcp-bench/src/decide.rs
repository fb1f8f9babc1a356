//! A decision among many rules, against Cedar with the same rules.

use crate::Result;
use crate::measure::per_call;
use crate::report::{Section, at_least, at_most, ratio, time};
use cedar_policy::{
    Authorizer, Context, Decision as CedarDecision, Entities, EntityUid, PolicySet, Request,
    get_sdk_version,
};
use hcp_core::gate::{Call, Reading};
use hcp_core::json::{Object, Value};
use hcp_core::mode::{Decision, Mode};
use hcp_core::names::VerbKey;
use hcp_core::policy::{CallPolicy, Confirm, Land, Operation, Scope, Undo};
use hcp_core::rule::{Conditions, Match, Rule};
use hcp_core::settings::{AccessFile, Effective, Layers, Sourced};
use std::cell::Cell;
use std::fmt::Write;
use std::str::FromStr;
use std::time::Duration;

/// How the rules are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Each rule names a command of its own.
    OnePerCommand,
    /// All rules name one command and are told apart by a value.
    OneCommand,
}

/// One rule and the call that it lets run.
struct Case {
    verb: String,
    payee: String,
}

impl Shape {
    fn case(self, index: usize) -> Case {
        match self {
            Self::OnePerCommand => Case {
                verb: format!("p{}.c{}", index / 100, index % 100),
                payee: "demo-transit".to_owned(),
            },
            Self::OneCommand => Case {
                verb: "bank.pay".to_owned(),
                payee: format!("payee-{index}"),
            },
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::OnePerCommand => "one rule per command",
            Self::OneCommand => "all rules on one command, told apart by a value",
        }
    }
}

/// The calls of one size, as each side takes them; every second one meets no rule.
const CALLS: usize = 64;
/// Enough that a busy moment of the machine does not move the median.
const SAMPLES: usize = 401;

pub fn measure(quick: bool) -> Result<Vec<Section>> {
    let sizes: &[usize] = if quick {
        &[10, 1_000]
    } else {
        &[10, 1_000, 10_000, 100_000]
    };
    let budget = Duration::from_secs(if quick { 1 } else { 5 });
    let mut sections = Vec::new();
    for shape in [Shape::OnePerCommand, Shape::OneCommand] {
        let mut rows = Vec::new();
        let mut smallest = None;
        for &size in sizes {
            let (ours, cedar) = one_size(shape, size, budget)?;
            let growth = ratio(ours, *smallest.get_or_insert(ours));
            rows.push(vec![
                size.to_string(),
                time(ours),
                time(cedar),
                at_least(ratio(cedar, ours), 10.0),
                at_most(growth, 2.0),
            ]);
        }
        sections.push(Section {
            title: format!("A decision, {}", shape.words()),
            text: format!(
                "The median of one decision over {CALLS} calls, half of which meet a rule; settings and \
                 policies are loaded, and ours indexed by value, before. Cedar {} gets the same rules as `permit` policies; both give \
                 the same answer to every call.",
                get_sdk_version()
            ),
            columns: vec!["rules", "hcpx", "Cedar", "Cedar ÷ hcpx", "hcpx ÷ fewest rules"],
            rows,
        });
    }
    Ok(sections)
}

fn one_size(shape: Shape, size: usize, budget: Duration) -> Result<(Duration, Duration)> {
    let effective = settings(shape, size)?;
    let policies = policies(shape, size)?;
    let asked = questions(shape, size)?;
    let (authorizer, entities) = (Authorizer::new(), Entities::empty());
    let reading = Reading::default();
    let now = jiff::Timestamp::now();

    let ours = |q: &Question| {
        let call = Call {
            verb: &q.verb,
            args: &q.args,
            policy: A_WRITE,
            reading: &reading,
        };
        effective.decide(&call, now).decision == Decision::Allow
    };
    let cedar = |q: &Question| {
        authorizer
            .is_authorized(&q.request, &policies, &entities)
            .decision()
            == CedarDecision::Allow
    };
    for (number, question) in asked.iter().enumerate() {
        let expected = number % 2 == 0;
        if ours(question) != expected || cedar(question) != expected {
            return Err(
                format!("{shape:?}, {size} rules: call {number} is answered wrongly").into(),
            );
        }
    }
    let turn = Cell::new(0);
    let next = || {
        turn.set((turn.get() + 1) % asked.len());
        asked.get(turn.get())
    };
    Ok((
        per_call(SAMPLES, budget, || next().map(&ours)),
        per_call(SAMPLES, budget, || next().map(&cedar)),
    ))
}

const A_WRITE: CallPolicy = CallPolicy {
    operation: Operation::Write,
    confirm: Confirm::Never,
    land: Land::Personal,
    undo: Undo::Unknown,
    scope: Scope::Args,
};

/// Our settings: mode `manual`, so that a write which meets no rule asks, and `size` allow rules.
fn settings(shape: Shape, size: usize) -> Result<Effective> {
    let mut rules = Vec::with_capacity(size);
    for case in (0..size).map(|index| shape.case(index)) {
        let verb = VerbKey::parse(&case.verb).ok_or("a verb key")?;
        rules.push(Rule {
            matches: Match::Command(verb),
            decision: Decision::Allow,
            when: Conditions {
                args: vec![("payee".to_owned(), Value::from(case.payee.as_str()))],
                ..Conditions::default()
            },
            except: Vec::new(),
            by_human: false,
            until: None,
            note: None,
        });
    }
    Ok(Effective::merge(Layers {
        user: Some(Sourced {
            file: "access.json".to_owned(),
            body: AccessFile {
                mode: Some(Mode::Manual),
                rules,
                ..AccessFile::default()
            },
        }),
        ..Layers::default()
    })
    .indexed())
}

/// Cedar's policies: what no policy permits is denied, as ours then asks.
fn policies(shape: Shape, size: usize) -> Result<PolicySet> {
    let mut text = String::new();
    for Case { verb, payee } in (0..size).map(|index| shape.case(index)) {
        writeln!(
            text,
            "permit(principal, action == Action::\"{verb}\", resource) when {{ context.payee == \"{payee}\" }};"
        )?;
    }
    Ok(PolicySet::from_str(&text)?)
}

/// One call, as each side takes it.
struct Question {
    verb: VerbKey,
    args: Object,
    request: Request,
}

fn questions(shape: Shape, size: usize) -> Result<Vec<Question>> {
    let mut all = Vec::with_capacity(CALLS);
    for number in 0..CALLS {
        // Spread over all rules, in an order that no cache foresees.
        let case = shape.case((number * 7919) % size);
        let payee = if number % 2 == 0 {
            case.payee
        } else {
            format!("stranger-{number}")
        };
        let context = serde_json::json!({ "payee": payee, "amount": "2.80" });
        let request = Request::new(
            EntityUid::from_str("User::\"ana\"")?,
            EntityUid::from_str(&format!("Action::\"{}\"", case.verb))?,
            EntityUid::from_str("Account::\"demo\"")?,
            Context::from_json_value(context, None)?,
            None,
        )?;
        all.push(Question {
            verb: VerbKey::parse(&case.verb).ok_or("a verb key")?,
            args: Object::new()
                .with("payee", payee.as_str())
                .with("amount", "2.80"),
            request,
        });
    }
    Ok(all)
}
