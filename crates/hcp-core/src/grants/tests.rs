use super::*;
use crate::json::{Limits, parse};
use crate::principal::PrincipalKind;
use proptest::prelude::*;

fn principal(id: &str, kind: PrincipalKind) -> Principal {
    Principal {
        id: id.to_owned(),
        kind,
    }
}

fn file(text: &str) -> GrantFile {
    GrantFile::parse(&parse(text, Limits::default()).unwrap()).unwrap()
}

fn ask(
    grants: &[Grant],
    verb: Option<&str>,
    operation: Operation,
    land: Land,
    kind: ActKind,
    project: Option<&str>,
) -> Authorization {
    let who = principal("u1", PrincipalKind::Human);
    let index = GrantIndex::new(grants);
    let actor = Actor {
        principal: &who,
        tenant_id: "t1",
        project_id: project,
        grants: &index,
    };
    let verb = verb.map(|v| VerbKey::parse(v).unwrap());
    let mail = PackId::new("mail").unwrap();
    let act = Act {
        pack_id: &mail,
        verb_key: verb.as_ref(),
        operation,
        land,
        kind,
    };
    default_authorize(&actor, &act)
}

fn grant(capability: Capability, pack: Option<&str>, verbs: Option<&[&str]>) -> Grant {
    Grant {
        capability,
        pack_id: pack.map(|p| PackId::new(p).unwrap()),
        verb_keys: verbs.map(|v| v.iter().map(|t| VerbKey::parse(t).unwrap()).collect()),
    }
}

#[test]
fn table() {
    use ActKind::{Connect, Exec, Install, Sense};
    use Capability::*;
    use Operation::{Read, Write};
    let send = Some("mail.send");
    for (grants, verb, operation, kind, wanted) in [
        (vec![], send, Write, Exec, false),
        (
            vec![grant(VerbExecWrite, None, None)],
            send,
            Write,
            Exec,
            true,
        ),
        (
            vec![grant(VerbExecWrite, None, None)],
            send,
            Read,
            Exec,
            false,
        ),
        (
            vec![grant(VerbExecRead, None, None)],
            send,
            Write,
            Exec,
            false,
        ),
        (
            vec![grant(VerbExecWrite, Some("mail"), None)],
            send,
            Write,
            Exec,
            true,
        ),
        (
            vec![grant(VerbExecWrite, Some("chat"), None)],
            send,
            Write,
            Exec,
            false,
        ),
        (
            vec![grant(VerbExecWrite, Some("mail"), Some(&["mail.send"]))],
            send,
            Write,
            Exec,
            true,
        ),
        (
            vec![grant(VerbExecWrite, Some("mail"), Some(&["mail.list"]))],
            send,
            Write,
            Exec,
            false,
        ),
        (
            vec![grant(VerbExecWrite, Some("mail"), Some(&[]))],
            send,
            Write,
            Exec,
            false,
        ),
        (
            vec![grant(VerbExecWrite, None, Some(&["mail.send"]))],
            send,
            Write,
            Exec,
            true,
        ),
        (
            vec![grant(VerbExecWrite, Some("chat"), Some(&["mail.send"]))],
            send,
            Write,
            Exec,
            false,
        ),
        (
            vec![grant(PackConnect, Some("mail"), None)],
            None,
            Write,
            Connect,
            true,
        ),
        (
            vec![grant(PackConnect, Some("mail"), Some(&["mail.send"]))],
            None,
            Write,
            Connect,
            false,
        ),
        (
            vec![grant(VerbExecWrite, None, None)],
            None,
            Write,
            Connect,
            false,
        ),
        (
            vec![grant(PackInstall, None, None)],
            None,
            Write,
            Install,
            true,
        ),
        (
            vec![grant(PackInstall, None, None)],
            None,
            Write,
            Sense,
            false,
        ),
        (
            vec![grant(SenseEnable, None, None)],
            None,
            Read,
            Sense,
            true,
        ),
    ] {
        let answer = ask(&grants, verb, operation, Land::Personal, kind, None);
        assert_eq!(answer.allow, wanted, "{grants:?} {kind}");
        assert_eq!(answer.code, (!wanted).then_some(DenialCode::NoGrant));
    }
}

#[test]
fn reasons_name_capability_pack_and_verb() {
    let answer = ask(
        &[],
        Some("mail.send"),
        Operation::Write,
        Land::Personal,
        ActKind::Exec,
        None,
    );
    assert_eq!(
        serde_json::to_string(&answer).unwrap(),
        r#"{"allow":false,"reason":"missing verb.exec.write for mail.mail.send","code":"no_grant"}"#
    );
    let answer = ask(
        &[],
        None,
        Operation::Write,
        Land::Personal,
        ActKind::Connect,
        None,
    );
    assert_eq!(
        answer.reason.as_deref(),
        Some("missing pack.connect for mail")
    );
    let all = permissive_grants();
    let answer = ask(
        &all,
        Some("mail.send"),
        Operation::Write,
        Land::Personal,
        ActKind::Exec,
        None,
    );
    assert_eq!(serde_json::to_string(&answer).unwrap(), r#"{"allow":true}"#);
    assert_eq!(all.len(), 5);
}

#[test]
fn a_projects_act_needs_a_project() {
    let all = permissive_grants();
    let act = |project| {
        ask(
            &all,
            Some("mail.send"),
            Operation::Write,
            Land::Brain,
            ActKind::Exec,
            project,
        )
    };
    assert_eq!(act(None).code, Some(DenialCode::ProjectRequired));
    assert!(act(Some("p1")).allow);
}

#[test]
fn filters_of_the_file() {
    let file = file(
        r#"{ "grants": [
            { "capability": "verb.exec.read", "kind": "agent" },
            { "capability": "verb.exec.write", "principal": "ana" },
            { "capability": "pack.connect", "tenant": "t2" },
            { "capability": "pack.install", "project": "p1" } ] }"#,
    );
    let has = |who: &Principal, tenant: &str, project: Option<&str>| -> Vec<Capability> {
        file.of(who, tenant, project)
            .iter()
            .map(|g| g.capability)
            .collect()
    };
    use Capability::*;
    assert_eq!(
        has(&principal("bob", PrincipalKind::Agent), "t1", None),
        [VerbExecRead]
    );
    assert_eq!(
        has(&principal("ana", PrincipalKind::Human), "t1", Some("p2")),
        [VerbExecWrite]
    );
    assert_eq!(
        has(&principal("bob", PrincipalKind::Human), "t2", Some("p1")),
        [PackConnect, PackInstall]
    );
    assert_eq!(has(&principal("bob", PrincipalKind::Human), "t1", None), []);
}

#[test]
fn what_the_file_refuses() {
    for (text, wanted) in [
        ("[]", "must be an object"),
        ("{}", "has no \"grants\""),
        (r#"{"grants":{}}"#, "must be an array"),
        (r#"{"grants":[],"grant":[]}"#, "has no key \"grant\""),
        (r#"{"grants":[{}]}"#, "has no \"capability\""),
        (
            r#"{"grants":[{"capability":"verb.exec"}]}"#,
            "is no capability",
        ),
        (
            r#"{"grants":[{"capability":"verb.exec.read","pack":"mail"}]}"#,
            "has no key \"pack\"",
        ),
        (
            r#"{"grants":[{"capability":"verb.exec.read","pack_id":"Mail"}]}"#,
            "is no pack id",
        ),
        (
            r#"{"grants":[{"capability":"verb.exec.read","verb_keys":"mail.send"}]}"#,
            "must be an array",
        ),
        (
            r#"{"grants":[{"capability":"verb.exec.read","verb_keys":["send"]}]}"#,
            "is no verb key",
        ),
        (
            r#"{"grants":[{"capability":"verb.exec.read","verb_keys":["mail.*"]}]}"#,
            "is no verb key",
        ),
        (
            r#"{"grants":[{"capability":"verb.exec.read","pack_id":"chat","verb_keys":["mail.send"]}]}"#,
            "is no command of",
        ),
        (
            r#"{"grants":[{"capability":"verb.exec.read","kind":"robot"}]}"#,
            "is no kind of Principal",
        ),
        (
            r#"{"grants":[{"capability":"verb.exec.read","principal":5}]}"#,
            "must be a string",
        ),
    ] {
        let faults = GrantFile::parse(&parse(text, Limits::default()).unwrap()).unwrap_err();
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        assert!(
            faults[0].message.contains(wanted),
            "{text}: {}",
            faults[0].message
        );
    }
}

fn any_grant() -> impl Strategy<Value = Grant> {
    let capability = prop::sample::select(Capability::WORDS).prop_map(|(_, c)| c);
    let pack = prop::option::of(prop::sample::select(&["mail", "chat"][..]));
    let verbs = prop::sample::subsequence(&["mail.send", "mail.list", "chat.send"][..], 0..3);
    (capability, pack, prop::option::of(verbs))
        .prop_map(|(c, pack, verbs)| grant(c, pack, verbs.as_deref()))
}

proptest! {
    #[test]
    fn the_index_agrees_with_looking_at_each_grant(
        grants in prop::collection::vec(any_grant(), 0..6),
        verb in prop::option::of(prop::sample::select(&["mail.send", "mail.list"][..])),
        capability in prop::sample::select(Capability::WORDS),
    ) {
        let verb = verb.map(|v| VerbKey::parse(v).unwrap());
        let mail = PackId::new("mail").unwrap();
        let each = grants.iter().any(|g| {
            g.capability == capability.1
                && g.pack_id.as_ref().is_none_or(|p| *p == mail)
                && g.verb_keys.as_ref().is_none_or(|keys| verb.as_ref().is_some_and(|v| keys.contains(v)))
        });
        prop_assert_eq!(GrantIndex::new(&grants).covers(capability.1, &mail, verb.as_ref()), each);
    }
}

#[test]
fn whose_binding_serves_whom() {
    let who = principal("u1", PrincipalKind::Agent);
    let mail = PackId::new("mail").unwrap();
    for operation in [Operation::Read, Operation::Write] {
        for project_id in [None, Some("p1")] {
            for (land, tenant_id, principal_id, wanted) in [
                (Land::Personal, "t1", "u1", None),
                (Land::Personal, "t1", "u2", Some(DenialCode::NotOwnBinding)),
                (Land::Personal, "t2", "u1", Some(DenialCode::WrongTenant)),
                (Land::Personal, "t2", "u2", Some(DenialCode::WrongTenant)),
                (Land::Brain, "t1", "u1", None),
                (Land::Brain, "t1", "u2", None),
                (Land::Brain, "t2", "u1", Some(DenialCode::WrongTenant)),
                // Names are compared as they are written.
                (Land::Personal, "t1", "U1", Some(DenialCode::NotOwnBinding)),
                (Land::Personal, "", "u1", Some(DenialCode::WrongTenant)),
            ] {
                // No grant makes another's binding one's own.
                let index = GrantIndex::new(&permissive_grants());
                let actor = Actor {
                    principal: &who,
                    tenant_id: "t1",
                    project_id,
                    grants: &index,
                };
                let act = Act {
                    pack_id: &mail,
                    verb_key: None,
                    operation,
                    land,
                    kind: ActKind::Exec,
                };
                let owner = BindingOwner {
                    tenant_id,
                    principal_id,
                };
                let answer = authorize_binding(&actor, &act, owner);
                assert_eq!(answer.code, wanted, "{land:?} {tenant_id} {principal_id}");
                assert_eq!(answer.allow, wanted.is_none());
                let reason = answer.reason.unwrap_or_default();
                assert_eq!(reason.contains("mail"), wanted.is_some(), "{reason}");
            }
        }
    }
}
