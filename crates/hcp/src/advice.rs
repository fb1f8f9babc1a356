//! What a person should know about their rules: names that do not exist, rules that never apply, and
//! what happens beyond a limit. Advice refuses nothing.

use crate::overview::Overview;
use hcp_core::mode::Decision;
use hcp_core::names::{CommandName, PackId, did_you_mean};
use hcp_core::policy::Confirm;
use hcp_core::rule::{Conditions, Match, Rule};
use hcp_core::settings::{Layers, Sourced};
use hcp_core::text::quoted;
use hcp_pack::Pack;
use jiff::Timestamp;

/// Advice on one rule of the user's or a project's file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Advice {
    /// The file.
    pub file: String,
    /// The rule's index in that file, from 0.
    pub index: usize,
    /// What to know.
    pub text: String,
}

/// Advice on every rule of every file.
#[must_use]
pub fn all(layers: &Layers, packs: &[&Pack], now: Timestamp) -> Vec<Advice> {
    let files = layers
        .operator
        .iter()
        .chain(layers.user.iter())
        .chain(layers.project.iter());
    files
        .flat_map(|Sourced { file, body }| {
            body.rules
                .iter()
                .enumerate()
                .flat_map(move |(index, rule)| {
                    let earlier = body.rules.get(..index).unwrap_or_default();
                    rule_advice(rule, earlier, &body.rules, packs, now)
                        .into_iter()
                        .map(move |text| Advice {
                            file: file.clone(),
                            index,
                            text,
                        })
                })
        })
        .collect()
}

/// Names of a rule that nothing installed has, in words.
#[must_use]
pub fn unknown_names(rule: &Rule, packs: &[&Pack]) -> Vec<String> {
    match &rule.matches {
        Match::Everything => Vec::new(),
        Match::Pack(id) => match find(packs, id) {
            Some(pack) => pack_arguments(rule, pack),
            None => unknown_pack(id, packs).into_iter().collect(),
        },
        Match::Command(verb) => match find(packs, &verb.pack) {
            None => unknown_pack(&verb.pack, packs).into_iter().collect(),
            Some(pack) => match pack.commands.get(&verb.command) {
                None => vec![unknown(
                    &format!("command of {}", pack.id),
                    verb.command.as_str(),
                    did_you_mean(
                        verb.command.as_str(),
                        pack.commands.keys().map(CommandName::as_str),
                    ),
                )],
                Some(command) => {
                    let names: Vec<&str> =
                        command.arguments.iter().map(|a| a.name.as_str()).collect();
                    missing(rule, &names, &format!("argument of {verb}"))
                }
            },
        },
    }
}

fn find<'p>(packs: &[&'p Pack], id: &PackId) -> Option<&'p Pack> {
    packs.iter().copied().find(|p| p.id == *id)
}

/// That no pack of this name is installed, in words; `None` where one is.
#[must_use]
pub fn unknown_pack(id: &PackId, packs: &[&Pack]) -> Option<String> {
    let ids = packs.iter().map(|p| p.id.as_str());
    match find(packs, id) {
        Some(_) => None,
        None => Some(unknown("pack", id.as_str(), did_you_mean(id.as_str(), ids))),
    }
}

fn unknown(what: &str, name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!(
            "there is no {what} named {}; did you mean {near}?",
            quoted(name)
        ),
        None => format!("there is no {what} named {}", quoted(name)),
    }
}

fn pack_arguments(rule: &Rule, pack: &Pack) -> Vec<String> {
    let names: Vec<&str> = pack
        .commands
        .values()
        .flat_map(|c| &c.arguments)
        .map(|a| a.name.as_str())
        .collect();
    missing(rule, &names, &format!("argument in the pack {}", pack.id))
}

fn missing(rule: &Rule, known: &[&str], what: &str) -> Vec<String> {
    let mut names: Vec<String> = std::iter::once(&rule.when)
        .chain(&rule.except)
        .flat_map(Conditions::names)
        .filter(|name| !known.contains(name))
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
        .iter()
        .map(|name| unknown(what, name, did_you_mean(name, known.iter().copied())))
        .collect()
}

/// What to know about one rule, given the rules of its file.
#[must_use]
pub fn rule_advice(
    rule: &Rule,
    earlier: &[Rule],
    file: &[Rule],
    packs: &[&Pack],
    now: Timestamp,
) -> Vec<String> {
    let mut advice = unknown_names(rule, packs);
    if rule.until.is_some_and(|until| now >= until) {
        advice.push("the rule is over".to_owned());
    }
    advice.extend(never_holds(&rule.when));
    if let Some(op) = rule.when.op {
        let fitting = commands(rule, packs);
        if !fitting.is_empty() && fitting.iter().all(|(_, operation, _)| *operation != op) {
            advice.push(format!(
                "it never applies: no command that it matches is a {op}"
            ));
        }
    }
    if earlier.iter().any(|e| {
        e.matches == rule.matches
            && e.decision == rule.decision
            && e.when == rule.when
            && e.except == rule.except
            && e.until.is_none()
            && e.by_human == rule.by_human
    }) {
        advice.push("it says the same as a rule before it".to_owned());
    }
    if rule.decision == Decision::Allow {
        advice.extend(allow_advice(rule, file, packs, now));
    }
    advice
}

fn never_holds(when: &Conditions) -> Option<String> {
    let (name, ..) = when.max.iter().find_map(|(name, max)| {
        let (_, min) = when.min.iter().find(|(n, _)| n == name)?;
        (min.decimal() > max.decimal()).then_some((name, ()))
    })?;
    Some(format!(
        "it never applies: the lower limit of {name} is above the upper one"
    ))
}

fn commands<'p>(
    rule: &Rule,
    packs: &[&'p Pack],
) -> Vec<(&'p Pack, hcp_core::policy::Operation, &'p hcp_pack::Command)> {
    packs
        .iter()
        .flat_map(|pack| {
            pack.commands
                .values()
                .map(move |c| (*pack, c.policy.operation, c))
        })
        .filter(|(pack, _, command)| match &rule.matches {
            Match::Everything => true,
            Match::Pack(id) => *id == pack.id,
            Match::Command(verb) => verb.pack == pack.id && verb.command == command.name,
        })
        .collect()
}

fn allow_advice(rule: &Rule, file: &[Rule], packs: &[&Pack], now: Timestamp) -> Vec<String> {
    let mut advice = Vec::new();
    let denied = file.iter().any(|other| {
        other.decision == Decision::Deny
            && other.when == Conditions::default()
            && other.except.is_empty()
            && (other.matches == rule.matches || covers(&other.matches, &rule.matches))
    });
    if denied {
        advice.push("it never decides: a deny rule without conditions covers it".to_owned());
    }
    let fitting = commands(rule, packs);
    let exact = matches!(rule.matches, Match::Command(_));
    if !exact
        && !fitting.is_empty()
        && fitting
            .iter()
            .all(|(_, _, c)| c.policy.confirm == Confirm::Always)
    {
        advice.push(
            "it never decides: confirm \"always\" wants a rule that names the command exactly"
                .to_owned(),
        );
    }
    if let (Some((name, limit)), [(pack, _, command)]) = (rule.when.max.first(), fitting.as_slice())
    {
        let rest: Vec<Rule> = file.iter().filter(|r| *r != rule).cloned().collect();
        let layers = Layers {
            user: Some(Sourced {
                file: String::new(),
                body: hcp_core::settings::AccessFile {
                    rules: rest,
                    ..Default::default()
                },
            }),
            ..Layers::default()
        };
        let beyond = Overview::new(&layers, now).command(pack, command);
        if beyond.decision == Decision::Allow {
            advice.push(format!(
                "{name} above {limit} still runs, in mode auto; to have it ask: hcpx ask {}.{}",
                pack.id, command.name
            ));
        }
    }
    advice
}

fn covers(wide: &Match, narrow: &Match) -> bool {
    match (wide, narrow) {
        (Match::Everything, _) => true,
        (Match::Pack(pack), Match::Command(verb)) => *pack == verb.pack,
        (
            Match::Pack(_) | Match::Command(_),
            Match::Everything | Match::Pack(_) | Match::Command(_),
        ) => false,
    }
}
