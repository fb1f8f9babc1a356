//! What the settings say of each command, without a call at hand: for `hcpx commands`, and for telling
//! what a change of the settings changes.

use hcp_core::gate::{Call, Reading};
use hcp_core::json::Object;
use hcp_core::mode::Decision;
use hcp_core::names::VerbKey;
use hcp_core::policy::{CallPolicy, Raise};
use hcp_core::rule::{Conditions, Match, Rule};
use hcp_core::settings::{Effective, Layers};
use hcp_pack::{Command, Pack};
use jiff::Timestamp;
use std::cell::OnceCell;

/// With more rules on one command than this, those that change nothing are not told apart.
const MOST_TRIED: usize = 200;

/// A command's access under some settings.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandAccess {
    /// The command.
    pub verb: VerbKey,
    /// What it does, as its pack says.
    pub description: String,
    /// The command's Policy, without what single calls raise.
    pub policy: CallPolicy,
    /// What a call gets that meets none of the conditions.
    pub decision: Decision,
    /// Why, in words.
    pub reason: String,
    /// What changes it: "runs when payee=demo-transit, amount ≤ 5".
    pub conditions: Vec<String>,
}

impl CommandAccess {
    /// The access in one line: `ask · runs when payee=demo-transit, amount ≤ 5`.
    #[must_use]
    pub fn in_words(&self) -> String {
        std::iter::once(self.decision.as_str().to_owned())
            .chain(self.conditions.iter().cloned())
            .collect::<Vec<_>>()
            .join(" · ")
    }
}

/// Judges commands under one set of layers.
#[derive(Debug)]
pub struct Overview {
    layers: Layers,
    unconditional: Effective,
    now: Timestamp,
}

impl Overview {
    /// An overview of what these layers say.
    #[must_use]
    pub fn new(layers: &Layers, now: Timestamp) -> Self {
        Self {
            layers: layers.clone(),
            unconditional: Effective::merge(without_conditions(layers)),
            now,
        }
    }

    /// The access of every command of a pack.
    #[must_use]
    pub fn pack(&self, pack: &Pack) -> Vec<CommandAccess> {
        pack.commands
            .values()
            .map(|command| self.command(pack, command))
            .collect()
    }

    /// The access of one command.
    #[must_use]
    pub fn command(&self, pack: &Pack, command: &Command) -> CommandAccess {
        let verb = VerbKey {
            pack: pack.id.clone(),
            command: command.name.clone(),
        };
        let plain = &command.policy;
        let policy = CallPolicy {
            operation: plain.operation,
            confirm: plain.confirm,
            land: plain.land,
            undo: plain.undo,
            scope: plain.scope,
        };
        let (args, reading) = (Object::new(), Reading::default());
        let call = Call {
            verb: &verb,
            args: &args,
            policy,
            reading: &reading,
        };
        let answer = self.unconditional.decide(&call, self.now);
        let concerned = OnceCell::new();
        let mut conditions: Vec<String> = self
            .rules()
            .filter(|(rule, counts)| {
                *counts && fits(&rule.matches, &verb) && rule.until.is_none_or(|u| self.now < u)
            })
            .filter(|(rule, _)| rule.when.op.is_none_or(|op| op == policy.operation))
            .filter(|(rule, _)| {
                let layers = concerned.get_or_init(|| fitting(&self.layers, &call));
                self.matters(rule, layers, &call, answer.decision)
            })
            .filter_map(|(rule, _)| condition_words(rule, answer.decision))
            .collect();
        conditions.extend(plain.raise.iter().filter_map(raise_words));
        CommandAccess {
            verb,
            description: command.description.clone(),
            policy,
            decision: answer.decision,
            reason: answer.reason,
            conditions,
        }
    }

    /// Whether a rule with conditions changes the decision of a call that meets them: a wildcard does not for an
    /// `always` command, nor does a rule that a more specific one overrules.
    fn matters(&self, rule: &Rule, layers: &Layers, call: &Call<'_>, base: Decision) -> bool {
        if !rests_on_arguments(&rule.when) || count(layers) > MOST_TRIED {
            return true;
        }
        let met = without_conditions_but(layers, rule, call);
        Effective::merge(met).decide(call, self.now).decision != base
    }

    /// Every rule, and whether its layer lets it count.
    fn rules(&self) -> impl Iterator<Item = (&Rule, bool)> {
        let user = self
            .layers
            .user
            .iter()
            .flat_map(|s| &s.body.rules)
            .map(|r| (r, true));
        let operator = self
            .layers
            .operator
            .iter()
            .flat_map(|s| &s.body.rules)
            .map(|r| (r, r.decision != Decision::Allow));
        let project = self
            .layers
            .project
            .iter()
            .flat_map(|s| &s.body.rules)
            .map(|r| (r, r.decision != Decision::Allow));
        user.chain(operator).chain(project)
    }
}

fn fits(matches: &Match, verb: &VerbKey) -> bool {
    match matches {
        Match::Everything => true,
        Match::Pack(pack) => *pack == verb.pack,
        Match::Command(command) => command == verb,
    }
}

/// Whether a rule rests on a call's arguments. Its `op` is known without a call.
fn rests_on_arguments(when: &Conditions) -> bool {
    Conditions {
        op: None,
        ..when.clone()
    } != Conditions::default()
}

/// The layers with the rules alone that fit a call's command.
fn fitting(layers: &Layers, call: &Call<'_>) -> Layers {
    let mut layers = layers.clone();
    each_list(&mut layers, |rules| {
        rules.retain(|rule| fits(&rule.matches, call.verb));
    });
    layers
}

fn count(layers: &Layers) -> usize {
    let files = layers.user.iter().chain(&layers.project);
    files.map(|file| file.body.rules.len()).sum()
}

/// The layers without rules that rest on arguments but for one, whose conditions
/// are taken as met.
fn without_conditions_but(layers: &Layers, met: &Rule, call: &Call<'_>) -> Layers {
    strip(layers, |rule| {
        if rule == met {
            // A condition that holds, so that the rule keeps its rank.
            rule.when = Conditions {
                op: Some(call.policy.operation),
                ..Conditions::default()
            };
        }
        !rests_on_arguments(&rule.when)
    })
}

fn without_conditions(layers: &Layers) -> Layers {
    strip(layers, |rule| !rests_on_arguments(&rule.when))
}

/// The layers with the rules that are kept, without their exceptions.
fn strip(layers: &Layers, mut keep: impl FnMut(&mut Rule) -> bool) -> Layers {
    let mut layers = layers.clone();
    each_list(&mut layers, |rules| {
        rules.retain_mut(|rule| {
            let stays = keep(rule);
            rule.except.clear();
            stays
        });
    });
    layers
}

fn each_list(layers: &mut Layers, mut change: impl FnMut(&mut Vec<Rule>)) {
    change(&mut layers.session);
    let files = layers.operator.iter_mut().chain(layers.user.iter_mut());
    for file in files.chain(layers.project.iter_mut()) {
        change(&mut file.body.rules);
    }
}

/// How a rule with conditions changes a command's access, in words.
fn condition_words(rule: &Rule, base: Decision) -> Option<String> {
    let verb = match rule.decision {
        Decision::Allow => "runs",
        Decision::Ask => "asks",
        Decision::Deny => "refused",
    };
    if rests_on_arguments(&rule.when) {
        if base == Decision::Deny && rule.decision != Decision::Deny {
            return None;
        }
        let when = Conditions {
            op: None,
            ..rule.when.clone()
        };
        return Some(format!("{verb} when {}", when.in_words()));
    }
    if rule.except.is_empty() {
        return None;
    }
    let except: Vec<String> = rule.except.iter().map(Conditions::in_words).collect();
    Some(format!("{verb} except when {}", except.join(" or ")))
}

fn raise_words(raise: &Raise) -> Option<String> {
    let confirm = raise.confirm?;
    let word = match confirm {
        hcp_core::policy::Confirm::Never => return None,
        hcp_core::policy::Confirm::Ask => "confirm \"ask\"",
        hcp_core::policy::Confirm::Always => "confirm \"always\"",
    };
    Some(format!("{word} when {}", raise.when.in_words()))
}

/// What changed between two overviews of the same packs, as lines for people: "3 commands of gh now ask".
#[must_use]
pub fn changes(before: &[CommandAccess], after: &[CommandAccess]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut counted: Vec<(String, Decision, Vec<String>)> = Vec::new();
    for new in after {
        let Some(old) = before.iter().find(|old| old.verb == new.verb) else {
            continue;
        };
        if old.decision != new.decision {
            let pack = new.verb.pack.to_string();
            match counted
                .iter_mut()
                .find(|(p, d, _)| *p == pack && *d == new.decision)
            {
                Some((_, _, verbs)) => verbs.push(new.verb.to_string()),
                None => counted.push((pack, new.decision, vec![new.verb.to_string()])),
            }
        } else if old.conditions != new.conditions {
            let gained = new
                .conditions
                .iter()
                .filter(|c| !old.conditions.contains(c));
            lines.extend(gained.map(|c| format!("{} now {c}", new.verb)));
            let lost = old
                .conditions
                .iter()
                .filter(|c| !new.conditions.contains(c));
            lines.extend(lost.map(|c| format!("{} no longer {c}", new.verb)));
        }
    }
    let mut grouped: Vec<String> = counted
        .into_iter()
        .map(|(pack, decision, verbs)| {
            let (one, many) = match decision {
                Decision::Allow => ("now runs", "now run"),
                Decision::Ask => ("now asks", "now ask"),
                Decision::Deny => ("is refused now", "are refused now"),
            };
            match verbs.as_slice() {
                [verb] => format!("{verb} {one}"),
                _ => format!("{} commands of {pack} {many}", verbs.len()),
            }
        })
        .collect();
    grouped.append(&mut lines);
    grouped
}
