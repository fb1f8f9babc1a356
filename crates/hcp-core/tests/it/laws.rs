//! The laws of the decision, each as its own property.

use crate::world::{Owned, call, file, layers, mode, now, raise, rule, rule_of};
use hcp_core::gate::{Answer, ReasonCode};
use hcp_core::json::{Number, Object, Value};
use hcp_core::mode::{Approvals, Decision, Mode};
use hcp_core::names::PackId;
use hcp_core::policy::{Confirm, Policy};
use hcp_core::rule::{Match, Rule};
use hcp_core::settings::{AccessFile, Effective, Layers, Sourced};
use proptest::prelude::*;
use proptest::sample::Index;

fn decide(layers: &Layers, owned: &Owned) -> Answer {
    Effective::merge(layers.clone()).decide(&owned.call(), now())
}

fn empty_file() -> Sourced<AccessFile> {
    Sourced {
        file: "a file".to_owned(),
        body: AccessFile::default(),
    }
}

/// Adds a rule somewhere in a file or the session.
fn add(layers: &mut Layers, place: usize, at: Index, rule: Rule) {
    let rules = match place {
        0 => &mut layers.operator.get_or_insert_with(empty_file).body.rules,
        1 => &mut layers.user.get_or_insert_with(empty_file).body.rules,
        2 => &mut layers.session,
        _ => {
            if layers.project.is_empty() {
                layers.project.push(empty_file());
            }
            &mut layers.project[0].body.rules
        }
    };
    let at = at.index(rules.len() + 1);
    rules.insert(at, rule);
}

fn set_user_mode(layers: &mut Layers, mode: Mode) {
    let user = layers.user.get_or_insert_with(empty_file);
    user.body.mode = Some(mode);
    user.body.packs.clear();
}

fn raised(owned: &Owned, policy: Policy) -> Owned {
    Owned {
        policy,
        ..owned.clone()
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?(e[+-]?[0-9]{1,6})?"
            .prop_map(|t| Value::Number(Number::new(&t).unwrap())),
        any::<String>().prop_map(Value::String),
        "[0-9,. /*a]{0,12}".prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec(("[a-p]", inner), 0..4)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn adding_a_deny_rule_makes_no_call_looser(
        layers in layers(), owned in call(), rule in rule_of(Just(Decision::Deny)), place in 0usize..4, at: Index,
    ) {
        let mut more = layers.clone();
        add(&mut more, place, at, rule);
        prop_assert!(decide(&more, &owned).decision >= decide(&layers, &owned).decision);
    }

    #[test]
    fn adding_an_ask_rule_turns_no_deny_or_ask_into_a_run(
        layers in layers(), owned in call(), rule in rule_of(Just(Decision::Ask)), place in 0usize..4, at: Index,
    ) {
        let mut more = layers.clone();
        add(&mut more, place, at, rule);
        let before = decide(&layers, &owned).decision;
        let after = decide(&more, &owned).decision;
        prop_assert!(before == Decision::Allow || after != Decision::Allow);
    }

    #[test]
    fn a_wildcard_allow_rule_never_lets_an_always_command_run(layers in layers(), owned in call()) {
        let mut layers = layers;
        let wide = |rule: &Rule| rule.decision != Decision::Allow || !matches!(rule.matches, Match::Command(_));
        for file in layers.user.iter_mut() {
            file.body.rules.retain(wide);
        }
        layers.session.retain(wide);
        let owned = raised(&owned, Policy { confirm: Confirm::Always, ..owned.policy.clone() });
        prop_assert!(decide(&layers, &owned).decision != Decision::Allow);
    }

    #[test]
    fn the_order_of_rules_changes_no_decision(layers in layers(), owned in call(), turn in 0usize..6) {
        let mut other = layers.clone();
        for file in other.user.iter_mut().chain(&mut other.operator).chain(&mut other.project) {
            let len = file.body.rules.len().max(1);
            file.body.rules.rotate_left(turn % len);
            if turn > 2 {
                file.body.rules.reverse();
            }
        }
        other.session.reverse();
        let (one, two) = (decide(&layers, &owned), decide(&other, &owned));
        prop_assert_eq!((one.decision, one.reason_code, one.approvals), (two.decision, two.reason_code, two.approvals));
    }

    #[test]
    fn no_call_is_looser_with_a_project_file_than_without(layers in layers(), owned in call(), file in file(3)) {
        let mut more = layers.clone();
        more.project.push(file);
        let (before, after) = (decide(&layers, &owned), decide(&more, &owned));
        prop_assert!(after.decision >= before.decision);
        prop_assert!(after.mode >= before.mode);
        if before.decision == Decision::Ask && after.decision == Decision::Ask {
            prop_assert!(after.approvals >= before.approvals);
        }
    }

    #[test]
    fn nor_after_a_rule_or_mode_is_added_to_one(
        layers in layers(), owned in call(), rule in rule(), mode in mode(), pack in any::<bool>(), at: Index,
    ) {
        let mut more = layers.clone();
        add(&mut more, 3, at, rule);
        prop_assert!(decide(&more, &owned).decision >= decide(&layers, &owned).decision);
        let mut more = layers.clone();
        if more.project.is_empty() {
            more.project.push(empty_file());
        }
        let body = &mut more.project[0].body;
        match pack {
            true => body.packs.push((PackId::new("gh").unwrap(), mode)),
            false if body.mode.is_none() => body.mode = Some(mode),
            false => {}
        }
        prop_assert!(decide(&more, &owned).decision >= decide(&layers, &owned).decision);
    }

    #[test]
    fn no_call_is_looser_under_a_stricter_mode(layers in layers(), owned in call(), process in any::<bool>()) {
        let under = |mode| {
            let mut layers = layers.clone();
            match process {
                true => layers.process_mode = Some(mode),
                false => set_user_mode(&mut layers, mode),
            }
            decide(&layers, &owned).decision
        };
        prop_assert!(under(Mode::Manual) >= under(Mode::Auto));
        prop_assert!(under(Mode::Auto) >= under(Mode::Run));
    }

    #[test]
    fn with_an_operators_file_no_call_is_looser_than_without(layers in layers(), owned in call()) {
        let without = Layers { operator: None, ..layers.clone() };
        let (before, after) = (decide(&without, &owned), decide(&layers, &owned));
        prop_assert!(after.decision >= before.decision);
        if before.decision == Decision::Ask && after.decision == Decision::Ask {
            prop_assert!(after.approvals >= before.approvals);
        }
    }

    #[test]
    fn a_graver_confirm_or_a_raise_makes_no_call_looser(layers in layers(), owned in call(), raise in raise()) {
        let before = decide(&layers, &owned).decision;
        let mut policy = owned.policy.clone();
        policy.raise.push(raise);
        prop_assert!(decide(&layers, &raised(&owned, policy)).decision >= before);
        let with = |confirm| {
            let policy = Policy { confirm, ..owned.policy.clone() };
            decide(&layers, &raised(&owned, policy)).decision
        };
        prop_assert!(with(Confirm::Always) >= with(Confirm::Ask));
        prop_assert!(with(Confirm::Ask) >= with(Confirm::Never));
    }

    #[test]
    fn a_rule_tried_in_the_session_decides_as_one_that_stands_there(
        layers in layers(), rule in rule(), call in call(),
    ) {
        let settings = Effective::merge(layers.clone());
        let mut with = layers;
        with.session.push(rule.clone());
        let merged = Effective::merge(with).decide(&call.call(), now());
        prop_assert_eq!(settings.decision_with(&rule, &call.call(), now()), merged.decision);
        for settings in [settings.clone(), settings.indexed()] {
            let kept = settings.with_session([rule.clone()]);
            prop_assert_eq!(&kept.decide(&call.call(), now()), &merged);
        }
    }

    #[test]
    fn a_call_that_no_session_rule_may_decide_is_decided_as_without_them(
        layers in layers(), call in call(),
    ) {
        let (answer, _) = Effective::merge(layers.clone()).explain_without_session(&call.call(), now());
        let mut without = layers;
        without.session.clear();
        if let Some(user) = &mut without.user {
            user.body.rules.retain(|r| r.decision != Decision::Allow || r.note.as_deref() != Some("session"));
        }
        prop_assert_eq!(answer.decision, decide(&without, &call).decision);
    }

    #[test]
    fn a_session_rule_changes_only_calls_that_asked_for_the_mode_or_the_policys_ask(
        layers in layers(), owned in call(), rule in rule(), in_user_file in any::<bool>(), at: Index,
    ) {
        let mut more = layers.clone();
        match in_user_file {
            true => {
                let note = Some("session".to_owned());
                add(&mut more, 1, at, Rule { decision: Decision::Allow, by_human: false, note, ..rule });
            }
            false => add(&mut more, 2, at, rule),
        }
        let (before, after) = (decide(&layers, &owned), decide(&more, &owned));
        if (before.decision, before.reason_code) != (after.decision, after.reason_code) {
            prop_assert!(matches!(before.reason_code, ReasonCode::ModeManual | ReasonCode::Confirm));
            prop_assert_eq!(before.decision, Decision::Ask);
        }
    }

    #[test]
    fn inside_an_agent_the_process_layer_only_tightens(layers in layers(), owned in call()) {
        let inside = Layers { agent: true, ..layers };
        let without = Layers { process_mode: None, process_approvals: None, ..inside.clone() };
        let (with, without) = (decide(&inside, &owned), decide(&without, &owned));
        prop_assert!(with.decision >= without.decision);
        prop_assert!(with.approvals >= without.approvals || with.decision > without.decision);
    }

    #[test]
    fn a_rule_that_wants_a_person_is_heard_wherever_it_stands(
        layers in layers(), owned in call(), place in 0usize..4, at: Index,
    ) {
        prop_assume!(place != 2);
        let mut more = layers;
        let rule = Rule { by_human: true, ..Rule::new(Match::Everything, Decision::Ask) };
        add(&mut more, place, at, rule);
        let answer = decide(&more, &owned);
        prop_assert!(answer.decision != Decision::Ask || answer.approvals == Approvals::Human);
    }

    #[test]
    fn what_is_read_less_is_never_decided_more_loosely(layers in layers(), owned in call(), name in "[anp]") {
        let before = decide(&layers, &owned).decision;
        let mut less = owned.clone();
        less.reading.untold.insert(name);
        prop_assert!(decide(&layers, &less).decision >= before);
        let mut less = owned.clone();
        less.reading.fully_read = false;
        prop_assert!(decide(&layers, &less).decision >= before);
    }

    #[test]
    fn any_json_gets_an_answer(layers in layers(), owned in call(), members in prop::collection::vec(("[anp_]", any_json()), 0..4)) {
        let args: Object = members.into_iter().collect();
        let owned = Owned { args, ..owned };
        let effective = Effective::merge(layers);
        let (answer, trace) = effective.explain(&owned.call(), now());
        prop_assert_eq!(&answer, &effective.decide(&owned.call(), now()));
        prop_assert!(!answer.reason.is_empty());
        prop_assert!(trace.iter().all(|entry| !entry.why.is_empty()));
    }
}
