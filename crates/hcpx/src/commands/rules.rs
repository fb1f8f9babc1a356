//! `hcpx allow`, `ask`, `deny`, `rules` and `rules rm`.

use super::rule_words;
use super::settings::{self, Target};
use crate::cli::{self, RuleWords, RulesCommand};
use crate::error::CliError;
use crate::output::{Joined, Look, Reply, Text, table};
use hcp::advice;
use hcp::local::Place;
use hcp_core::json::{Object, Value};
use hcp_core::mode::Decision;
use hcp_core::rule::Rule;
use hcp_core::settings::Layer;
use hcp_core::text::quoted;
use hcp_pack::Pack;

/// How many of the last events count as "lately".
const LATELY: usize = 1_000;

pub(crate) fn allow(place: &Place, words: &RuleWords) -> Result<Reply, CliError> {
    if words.project {
        return Err(CliError::usage(
            "a project's file only tightens: an allow rule in it would be ignored",
        )
        .hint("leave --project out to write it into your own settings"));
    }
    add(place, Decision::Allow, words, false, true)
}

pub(crate) fn ask(place: &Place, words: &cli::AskWords) -> Result<Reply, CliError> {
    add(place, Decision::Ask, &words.rule, words.human, true)
}

pub(crate) fn deny(place: &Place, words: &cli::DenyWords) -> Result<Reply, CliError> {
    add(place, Decision::Deny, &words.rule, false, words.anyway)
}

fn add(
    place: &Place,
    decision: Decision,
    words: &RuleWords,
    by_human: bool,
    anyway: bool,
) -> Result<Reply, CliError> {
    let installed = place.installed();
    let packs: Vec<&Pack> = installed.iter().map(|i| &i.pack).collect();
    let rule = rule_words::rule(decision, words, by_human, &packs, place.now())?;
    let unknown = advice::unknown_names(&rule, &packs);
    if let (false, Some(first)) = (anyway, unknown.first()) {
        // A deny rule with a slip in its name would protect nothing, and look as if it did.
        return Err(
            CliError::usage(format!("the rule would refuse nothing: {first}")).hint(format!(
                "{} --anyway writes it all the same",
                command_line(&rule, Target::new(words.project))
            )),
        );
    }
    let target = Target::new(words.project);
    let mut index = 0;
    let what = format!("{decision} {} added", rule.matches);
    let change = settings::change(place, target, &what, |doc| {
        let mut rules = doc
            .get("rules")
            .and_then(Value::as_array)
            .unwrap_or_default()
            .to_vec();
        index = rules.len();
        rules.push(Value::Object(rule.to_object()));
        doc.insert("rules", rules);
        Ok(())
    })?;
    let layers = place.layers()?;
    let rules_of_file = match target {
        Target::User => layers.user.map(|s| s.body.rules).unwrap_or_default(),
        Target::Project => layers
            .project
            .into_iter()
            .next()
            .map(|s| s.body.rules)
            .unwrap_or_default(),
    };
    let earlier = rules_of_file.get(..index).unwrap_or_default();
    let notes = advice::rule_advice(&rule, earlier, &rules_of_file, &packs, place.now());
    let scope = if words.project { "project" } else { "user" };
    let place_word = if words.project {
        format!("project:{index}")
    } else {
        index.to_string()
    };
    let said = format!("rule {place_word}: {}", rule.in_words());
    let json = Object::new()
        .with("rule", listed(index, scope, &rule))
        .with("words", rule.in_words())
        .with("advice", notes.clone());
    let mut reply = change.reply(json, &said, &format!("hcpx rules rm {place_word}"));
    for note in notes {
        reply.human = reply.human.piece(Look::Care, "note: ").line(note);
    }
    Ok(reply)
}

/// A rule as `rules` lists it: its place, then its own keys.
fn listed(index: usize, scope: &str, rule: &Rule) -> Object {
    Object::new()
        .with("index", u64::try_from(index).unwrap_or(u64::MAX))
        .with("scope", scope)
        .joined(rule.to_object())
}

pub(crate) fn rules(place: &Place, words: &cli::Rules, columns: usize) -> Result<Reply, CliError> {
    match &words.command {
        None => list(place, columns),
        Some(RulesCommand::Rm { index }) => remove(place, index),
    }
}

fn list(place: &Place, columns: usize) -> Result<Reply, CliError> {
    let access = place.effective()?;
    let lately = place.rule_counts(LATELY);
    let now = place.now();
    let mut json = Vec::new();
    let mut rows = Vec::new();
    for entry in access.rules() {
        let over = entry.rule.until.is_some_and(|until| now >= until);
        let count = lately
            .get(&(entry.layer.to_string(), entry.index))
            .copied()
            .unwrap_or(0);
        let object = listed(entry.index, entry.layer.as_str(), entry.rule)
            .with("file", entry.file.map(str::to_owned))
            .with("counts", entry.counts(now))
            .with("over", over)
            .with("decided", count);
        json.push(Value::Object(object));
        let look = if !entry.counts(now) {
            Look::Faint
        } else {
            look_of(entry.rule.decision)
        };
        let mut words = entry.rule.in_words();
        if over {
            words.push_str(" · over");
        } else if let Some(why) = entry.void {
            words.push_str(&format!(" · ignored: {why}"));
        }
        let decided = if count == 0 {
            String::new()
        } else {
            count.to_string()
        };
        rows.push(vec![
            (Look::Plain, place_word(entry.layer, entry.index)),
            (Look::Faint, decided),
            (look, words),
        ]);
    }
    let text = if rows.is_empty() {
        Text::new()
            .line("No rules. The mode decides (hcpx mode).")
            .line("Add one: hcpx allow | ask | deny MATCH, for example hcpx deny notes.delete")
    } else {
        table(&["rule", "decided", "what it says"], &rows, columns)
    };
    Ok(Reply::ok(Object::new().with("rules", json), text).list("rules"))
}

pub(crate) fn look_of(decision: Decision) -> Look {
    match decision {
        Decision::Allow => Look::Good,
        Decision::Ask => Look::Care,
        Decision::Deny => Look::Danger,
    }
}

fn place_word(layer: Layer, index: usize) -> String {
    match layer {
        Layer::User => index.to_string(),
        Layer::Operator | Layer::Process | Layer::Session | Layer::Project | Layer::Default => {
            format!("{layer}:{index}")
        }
    }
}

fn remove(place: &Place, word: &str) -> Result<Reply, CliError> {
    let (target, index) = parse_index(word)?;
    let mut removed = None;
    let change = settings::change(place, target, "rule removed", |doc| {
        let mut rules = doc
            .get("rules")
            .and_then(Value::as_array)
            .unwrap_or_default()
            .to_vec();
        if index >= rules.len() {
            return Err(
                CliError::usage(format!("there is no rule {}", quoted(word)))
                    .hint("hcpx rules lists them with their places"),
            );
        }
        removed = Some(rules.remove(index));
        if rules.is_empty() {
            doc.remove("rules");
        } else {
            doc.insert("rules", rules);
        }
        Ok(())
    })?;
    let rule = removed
        .as_ref()
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    let read = rule_words::read(&rule)?;
    let back = command_line(&read, target);
    let said = format!("removed: {}", read.in_words());
    Ok(change.reply(Object::new().with("removed", rule), &said, &back))
}

fn parse_index(word: &str) -> Result<(Target, usize), CliError> {
    let bad = || {
        CliError::usage(format!("{} is no place of a rule", quoted(word)))
            .hint("write it as hcpx rules lists it: 0, project:0")
    };
    let (target, number) = match word.split_once(':') {
        None => (Target::User, word),
        Some(("user", n)) => (Target::User, n),
        Some(("project", n)) => (Target::Project, n),
        Some(("operator", _)) => {
            return Err(
                CliError::usage("the operator's rules are not changed by hcpx")
                    .hint("whoever runs this machine edits /etc/hcp/access.json"),
            );
        }
        Some(_) => return Err(bad()),
    };
    number.parse().map(|n| (target, n)).map_err(|_| bad())
}

/// The command line that writes a rule again, or the rule itself where no command line can say it.
fn command_line(rule: &Rule, target: Target) -> String {
    if rule.except.iter().any(|set| rule_words::count(set) > 1) {
        return format!(
            "put this back into the rules of the file: {}",
            Value::Object(rule.to_object())
        );
    }
    let mut words = vec![
        "hcpx".to_owned(),
        rule.decision.to_string(),
        rule.matches.to_string(),
    ];
    words.extend(rule_words::options(rule));
    if target == Target::Project {
        words.push("--project".to_owned());
    }
    hcp_pack::template::shell_line(&words)
}
