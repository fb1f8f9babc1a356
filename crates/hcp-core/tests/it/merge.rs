//! The merge of the layers: what is in force, where it comes from, and what is listed as ignored.

use crate::trace::file;
use crate::world::now;
use hcp_core::json::{Limits, parse};
use hcp_core::mode::{Approvals, Mode};
use hcp_core::names::{PackId, VerbKey};
use hcp_core::rule::Rule;
use hcp_core::settings::{Effective, Layer, Layers};

fn user(text: &str) -> Layers {
    Layers {
        user: Some(file("U", text)),
        ..Layers::default()
    }
}

fn pack(id: &str) -> PackId {
    PackId::new(id).unwrap()
}

/// The mode for everything, for `a` and for `b`, each with its layer.
fn modes(layers: &Layers) -> String {
    let e = Effective::merge(layers.clone());
    let show =
        |(mode, origin): (Mode, hcp_core::settings::Origin)| format!("{mode}/{}", origin.layer);
    format!(
        "{} {} {}",
        show(e.mode()),
        show(e.mode_for(&pack("a"))),
        show(e.mode_for(&pack("b")))
    )
}

fn ignored(layers: &Layers) -> Vec<String> {
    let e = Effective::merge(layers.clone());
    e.ignored()
        .iter()
        .map(|i| format!("{}: {}: {}", i.file, i.what, i.reason))
        .collect()
}

#[test]
fn modes_of_each_layer() {
    assert_eq!(
        modes(&Layers::default()),
        "auto/default auto/default auto/default"
    );
    let base = user(r#"{"mode":"manual","packs":{"a":{"mode":"run"}}}"#);
    assert_eq!(modes(&base), "manual/user run/user manual/user");
    let process = Layers {
        process_mode: Some(Mode::Auto),
        ..base.clone()
    };
    assert_eq!(modes(&process), "auto/process auto/process auto/process");
    let agent = Layers {
        agent: true,
        ..process
    };
    assert_eq!(modes(&agent), "manual/user auto/process manual/user");
    assert_eq!(
        ignored(&agent),
        [
            "HCP_MODE: mode auto: inside an agent HCP_MODE only tightens, and mode manual is stricter (set by the user in U)"
        ]
    );
}

#[test]
fn projects_only_tighten() {
    let mut layers = user(r#"{"mode":"auto","packs":{"a":{"mode":"run"},"b":{"mode":"manual"}}}"#);
    layers.project = vec![
        file(
            "P1",
            r#"{"mode":"run","packs":{"a":{"mode":"auto"},"b":{"mode":"auto"}}}"#,
        ),
        file("P2", r#"{"mode":"auto"}"#),
    ];
    assert_eq!(modes(&layers), "auto/user auto/project manual/user");
    assert_eq!(
        ignored(&layers),
        [
            "P1: mode run: a project only tightens, and mode auto is stricter (set by the user in U)",
            "P1: mode auto for b: a project only tightens, and mode manual is stricter (set by the user in U)",
        ]
    );
    layers.project.push(file(
        "P3",
        r#"{"mode":"manual","packs":{"a":{"mode":"run"}}}"#,
    ));
    assert_eq!(modes(&layers), "manual/project manual/project manual/user");
}

#[test]
fn the_operators_mode_is_a_floor_and_no_default() {
    let operator = |text: &str, user_text: &str| Layers {
        operator: Some(file("O", text)),
        ..user(user_text)
    };
    assert_eq!(
        modes(&operator(r#"{"mode":"run"}"#, "{}")),
        "auto/default auto/default auto/default"
    );
    assert_eq!(
        modes(&operator(r#"{"mode":"auto"}"#, r#"{"mode":"run"}"#)),
        "auto/operator auto/operator auto/operator"
    );
    assert_eq!(
        modes(&operator(
            r#"{"mode":"manual","packs":{"a":{"mode":"run"}}}"#,
            r#"{"mode":"run"}"#
        )),
        "manual/operator run/user manual/operator"
    );
}

#[test]
fn packs_with_a_mode_of_their_own() {
    let mut layers = user(r#"{"packs":{"b":{"mode":"run"},"a":{"mode":"auto"}}}"#);
    layers.operator = Some(file("O", r#"{"packs":{"c":{"mode":"manual"}}}"#));
    let listed = |layers: &Layers| -> Vec<String> {
        let modes = Effective::merge(layers.clone()).pack_modes();
        modes
            .iter()
            .map(|(p, m, o)| format!("{p} {m} {}", o.layer))
            .collect()
    };
    assert_eq!(
        listed(&layers),
        ["a auto user", "b run user", "c manual operator"]
    );
    layers.process_mode = Some(Mode::Run);
    assert_eq!(listed(&layers), ["c manual operator"]);
}

#[test]
fn approvals_and_minutes() {
    let approvals = |layers: &Layers| {
        let (word, origin) = Effective::merge(layers.clone()).approvals();
        format!("{word}/{}", origin.layer)
    };
    let mut layers = user(r#"{"approvals":"human"}"#);
    assert_eq!(approvals(&Layers::default()), "agent/default");
    assert_eq!(approvals(&layers), "human/user");
    layers.process_approvals = Some(Approvals::Agent);
    assert_eq!(approvals(&layers), "agent/process");
    layers.agent = true;
    assert_eq!(approvals(&layers), "human/user");
    assert_eq!(ignored(&layers).len(), 1);
    let mut layers = user(r#"{"approvals":"agent"}"#);
    layers.project = vec![
        file("P", r#"{"approvals":"human"}"#),
        file("Q", r#"{"approvals":"agent"}"#),
    ];
    assert_eq!(approvals(&layers), "human/project");
    assert_eq!(
        ignored(&layers),
        ["Q: approvals agent: a project only tightens"]
    );
    layers.project.clear();
    layers.operator = Some(file("O", r#"{"approvals":"human"}"#));
    layers.process_approvals = Some(Approvals::Agent);
    assert_eq!(approvals(&layers), "human/operator");
}

#[test]
fn minutes_are_lowered_by_projects_and_capped_by_the_operator() {
    let minutes = |layers: &Layers| {
        let (n, origin) = Effective::merge(layers.clone()).approval_minutes();
        format!("{n}/{}", origin.layer)
    };
    assert_eq!(minutes(&Layers::default()), "15/default");
    let mut layers = user(r#"{"approval_minutes":60}"#);
    assert_eq!(minutes(&layers), "60/user");
    layers.project = vec![
        file("P", r#"{"approval_minutes":90}"#),
        file("Q", r#"{"approval_minutes":30}"#),
    ];
    assert_eq!(minutes(&layers), "30/project");
    assert_eq!(
        ignored(&layers),
        [
            "P: approval_minutes 90: a project only lowers them, and they are 60 (set by the user in U)"
        ]
    );
    layers.operator = Some(file("O", r#"{"approval_minutes":10}"#));
    assert_eq!(minutes(&layers), "10/operator");
    layers.operator = Some(file("O", r#"{"approval_minutes":100}"#));
    assert_eq!(minutes(&layers), "30/project");
}

#[test]
fn whatever_does_not_count_is_listed() {
    let mut layers =
        user(r#"{"rules":[{"match":"*","decision":"allow","note":"session"}],"views":{}}"#);
    layers.project = vec![
        file(
            "P",
            r#"{"views":{},"rules":[{"match":"gh.*","decision":"ask"},{"match":"*","decision":"allow"}]}"#,
        ),
        file(
            "Q",
            r#"{"rules":[{"match":"*","decision":"allow","note":"session"}]}"#,
        ),
    ];
    layers.operator = Some(file(
        "O",
        r#"{"views":{},"approvals":"agent","rules":[{"match":"*","decision":"allow","note":"session"},{"match":"*","decision":"allow"}]}"#,
    ));
    let node = parse(r#"{"match":"*","decision":"deny"}"#, Limits::default()).unwrap();
    layers.session = vec![Rule::parse(&node, &mut Vec::new()).unwrap()];
    assert_eq!(
        ignored(&layers),
        [
            "O: approvals agent: the operator's file is a floor: it loosens nothing",
            "P: \"views\": only the user's own file may change what a card shows",
            "O: \"views\": only the user's own file may change what a card shows",
            "P: rule 1: allow *: a project only tightens",
            "Q: rule 2: allow * (session): a project only tightens",
            "the session: rule 0: deny *: a session keeps allow rules only",
            "O: rule 0: allow * (session): a session rule stands in the user's file or with the host",
        ]
    );
    let e = Effective::merge(layers);
    let listed: Vec<String> = e
        .rules()
        .map(|r| format!("{}:{} {}", r.layer, r.index, r.counts(now())))
        .collect();
    assert_eq!(
        listed,
        [
            "user:0 true",
            "project:0 true",
            "project:1 false",
            "project:2 false",
            "session:0 false",
            "operator:0 false",
            "operator:1 true",
        ]
    );
    assert_eq!(e.rules().next().unwrap().origin().layer, Layer::User);
}

#[test]
fn the_views_in_force_are_the_users_own() {
    let mut layers = Layers {
        project: vec![file("P", r#"{"views":{"rules":[1]}}"#)],
        operator: Some(file("O", r#"{"views":{"rules":[2]}}"#)),
        ..Layers::default()
    };
    assert!(Effective::merge(layers.clone()).views().is_none());
    layers.user = Some(file("U", r#"{"views":{"rules":[3]}}"#));
    let e = Effective::merge(layers);
    assert_eq!(e.views().unwrap().to_string(), r#"{"rules":[3]}"#);
}

#[test]
fn the_rules_for_a_command_are_those_of_every_layer_that_fit_it_and_count() {
    let mut layers = user(
        r#"{"rules":[{"match":"a.b","decision":"ask"},{"match":"a.c","decision":"ask"},
            {"match":"*","decision":"deny","until":"2000-01-01T00:00:00Z"}]}"#,
    );
    layers.project = vec![file(
        "P",
        r#"{"rules":[{"match":"a.*","decision":"deny"},{"match":"a.b","decision":"allow"}]}"#,
    )];
    layers.operator = Some(file(
        "O",
        r#"{"rules":[{"match":"a.b","decision":"allow"}]}"#,
    ));
    let e = Effective::merge(layers);
    let verb = VerbKey::parse("a.b").unwrap();
    let mut found: Vec<String> = e.rules_for(&verb).map(Rule::in_words).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "allow a.b",
            "ask a.b",
            "deny *, until 2000-01-01T00:00:00Z",
            "deny a.*"
        ]
    );
}
