//! The `kubectl` pack against the real kubectl: its help, a kubeconfig, a folder of manifests, and a small API server on
//! this machine.

use super::clients::{Listed, Served, listed, says, told, with_yes};
use super::tool;
use crate::HCPX;
use hcp_testkit::World;
use std::collections::{BTreeMap, BTreeSet};

/// Options that not every kubectl from 1.27 on has, with the version that brought them.
const NEWER: &[(&str, &[&str], &str)] = &[
    ("apply", &["--subresource"], "1.31"),
    (
        "config set-credentials",
        &["--exec-interactive-mode", "--exec-provide-cluster-info"],
        "1.28",
    ),
    (
        "debug",
        &[
            "--custom",
            "--keep-annotations",
            "--keep-init-containers",
            "--keep-labels",
            "--keep-liveness",
            "--keep-readiness",
            "--keep-startup",
        ],
        "1.31",
    ),
    ("delete", &["--interactive", "-i"], "1.28"),
    ("diff", &["--concurrency"], "1.28"),
    (
        "kustomize",
        &["--helm-api-versions", "--helm-debug", "--helm-kube-version"],
        "1.31",
    ),
    ("logs", &["--all-pods"], "1.32"),
    ("", &["--kuberc"], "1.33"),
];

/// Whether a kubectl may be without an option of a command.
fn may_lack(own: &str, option: &str) -> bool {
    let mut newer = NEWER.iter();
    newer.any(|(command, options, _)| *command == own && options.contains(&option))
}

#[test]
fn every_command_and_option_is_known_to_kubectl() {
    let Some(kubectl) = tool("kubectl") else {
        return;
    };
    let world = World::new(HCPX);
    let (commands, globals) = listed("kubectl");
    let general = told(&says(&world, &kubectl, &["options"]));
    let unknown = globals.difference(&general).filter(|o| !may_lack("", o));
    let mut faults: Vec<String> = unknown.cloned().collect();
    let mut helps: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    let words = |command: &&Listed| !["help", "options"].contains(&command.name.as_str());
    for command in commands.iter().filter(words) {
        let own = command.own.join(" ");
        let known = helps.entry(command.own.clone()).or_insert_with(|| {
            let mut words: Vec<&str> = command.own.iter().map(String::as_str).collect();
            words.push("--help");
            let help = says(&world, &kubectl, &words);
            let parent = words.first().unwrap();
            let usage = help.contains(&format!("kubectl {parent}"));
            assert!(usage && !help.contains("unknown command"), "{own}: {help}");
            told(&help)
        });
        let unknown = command.options.difference(known);
        let unknown = unknown.filter(|option| !may_lack(&own, option));
        faults.extend(unknown.map(|option| format!("{}: {option}", command.name)));
    }
    assert!(faults.is_empty(), "not known to kubectl: {faults:?}");
}

fn api(method: &str, path: &str) -> Option<&'static str> {
    Some(match (method, path) {
        ("GET", "/version") => r#"{"major":"1","minor":"32","gitVersion":"v1.32.0"}"#,
        ("GET", "/api") => r#"{"kind":"APIVersions","versions":["v1"]}"#,
        ("GET", "/apis") => r#"{"kind":"APIGroupList","apiVersion":"v1","groups":[]}"#,
        ("GET", "/api/v1") => {
            r#"{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"namespaces","singularName":"namespace",
               "namespaced":false,"kind":"Namespace","verbs":["get","list","delete","create"],"shortNames":["ns"]}]}"#
        }
        ("GET", "/api/v1/namespaces") => {
            r#"{"kind":"NamespaceList","apiVersion":"v1","metadata":{},"items":[{"kind":"Namespace","apiVersion":"v1",
               "metadata":{"name":"staging","uid":"1"}}]}"#
        }
        ("POST", "/api/v1/namespaces") => {
            r#"{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"demo","uid":"2"}}"#
        }
        ("DELETE", "/api/v1/namespaces/staging") => {
            r#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#
        }
        _ => return None,
    })
}

#[test]
fn a_cluster_is_read_at_once_and_changed_after_a_yes() {
    let Some(kubectl) = tool("kubectl") else {
        return;
    };
    let world = World::with_packs(HCPX, &["kubectl"]);
    let served = Served::start(api);
    let server = format!("server=http://{}", served.address);
    let exec = |words: &[&'static str]| {
        let mut all = vec!["exec", "kubectl"];
        all.extend_from_slice(words);
        all
    };
    let mut cluster = exec(&["config_set_cluster", "--", "name=local"]);
    cluster.push(&server);
    let _set = with_yes(&world, &cluster, "Set the cluster local of the kubeconfig");
    let dev = [
        "config_set_context",
        "--",
        "context_name=dev",
        "kubeconfig_cluster=local",
    ];
    let _set = with_yes(&world, &exec(&dev), "Set the context dev");
    let switch = ["config_use_context", "--", "context_name=dev"];
    let _switched = with_yes(&world, &exec(&switch), "Switch to the context dev");
    assert_eq!(
        says(&world, &kubectl, &["config", "current-context"]),
        "dev\n"
    );
    let contexts = world.agent(&exec(&["config_get_contexts", "--", "output=name"]));
    assert_eq!(contexts.with_code("ok").text("stdout"), "dev\n");

    let shown = world.agent(&exec(&["get", "--", "kind=namespaces", "output=name"]));
    assert_eq!(shown.with_code("ok").text("stdout"), "namespace/staging\n");
    let tried = [
        "create_deployment_dry_run",
        "--",
        "name=web",
        "image=nginx",
        "output=yaml",
    ];
    let tried = world.agent(&exec(&tried)).with_code("ok").text("stdout");
    assert!(tried.contains("kind: Deployment"), "{tried}");
    assert_eq!(served.changes(), [""; 0]);

    let create = ["create_namespace", "--", "name=demo", "context=dev"];
    let _created = with_yes(&world, &exec(&create), "Create the namespace demo");
    let delete = [
        "delete",
        "--",
        "kind=namespace",
        "names=staging",
        "wait=false",
        "context=dev",
    ];
    let asked = world.agent(&exec(&delete)).with_code("confirm_required");
    assert_eq!(asked.text("approval.reason_code"), "confirm_always");
    let rest = asked.value("approval.view.rest").to_string();
    assert!(rest.contains("context") && rest.contains("dev"), "{rest}");
    assert_eq!(served.changes(), ["POST /api/v1/namespaces"]);
    let _deleted = with_yes(&world, &exec(&delete), "Delete namespace staging");
    let both = [
        "POST /api/v1/namespaces",
        "DELETE /api/v1/namespaces/staging",
    ];
    assert_eq!(served.changes(), both);

    let leave = ["config_delete_context", "--", "context_name=dev"];
    let _left = with_yes(&world, &exec(&leave), "Delete the context dev");
    assert_eq!(
        says(&world, &kubectl, &["config", "get-contexts", "-o", "name"]),
        ""
    );
}

#[test]
fn secrets_ask_and_a_folder_of_manifests_does_not() {
    if tool("kubectl").is_none() {
        return;
    }
    let world = World::with_packs(HCPX, &["kubectl"]);
    let secrets = [
        "exec",
        "kubectl",
        "get",
        "--",
        "kind=secret",
        "names=db",
        "output=yaml",
    ];
    let asked = world.agent(&secrets).with_code("confirm_required");
    assert_eq!(asked.text("approval.reason_code"), "confirm_always");
    world
        .agent(&["exec", "kubectl", "config_view", "--", "raw=true"])
        .expect_code("confirm_required");
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\n";
    world.write("work/base/map.yaml", map);
    world.write(
        "work/base/kustomization.yaml",
        "namePrefix: demo-\nresources: [map.yaml]\n",
    );
    let built = world.agent(&["exec", "kubectl", "kustomize", "--", "folder=base"]);
    let built = built.with_code("ok").text("stdout");
    assert!(built.contains("name: demo-app"), "{built}");
}
