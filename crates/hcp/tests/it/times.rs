//! A place under a clock that the test moves: how long requests and approvals count.

use hcp::agent::AgentStatus;
use hcp::clock::FixedClock;
use hcp::event::Via;
use hcp::home::Home;
use hcp::local::Place;
use hcp::packs::{Replace, Source};
use hcp::pipeline::{Approval, CallArgs, CallRequest, CallResult, ExecOptions};
use hcp::platform::Environment;
use hcp::store::{Answered, Verdict};
use hcp_core::approval::AnsweredBy;
use hcp_core::code::Code;
use hcp_core::json::Object;
use hcp_core::moment::Moment;
use std::sync::Arc;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);

struct World {
    root: tempfile::TempDir,
    clock: Arc<FixedClock>,
    place: Place,
}

impl World {
    /// A store with one pack, whose one command counts its runs and always asks.
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "till/pack.json",
            r#"{ "id": "till", "name": "Till", "version": "1.0.0", "summary": "A till." }"#,
        );
        write(
            "till/policy.json",
            r#"{ "commands": { "pay": { "operation": "write", "confirm": "always" } } }"#,
        );
        let script = root.path().join("bin/till");
        write(
            "bin/till",
            "#!/bin/sh\necho \"$1\" >> \"$(dirname \"$0\")/../runs\"\n",
        );
        std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        write(
            "till/surface.json",
            r#"{ "commands": { "pay": { "description": "Pay.", "cli": ["till", "{{amount}}"],
                 "args": { "type": "object", "properties": { "amount": { "type": "string" } }, "required": ["amount"] } } } }"#,
        );
        std::fs::create_dir(root.path().join("work")).unwrap();
        let clock = Arc::new(FixedClock::new("2026-12-01T12:00:00Z".parse().unwrap()));
        let mut place = Place::find(Via::Cli).unwrap();
        place.home = Home::at(root.path().join("store"));
        place.agent = AgentStatus::outside().within("the test");
        let path = format!(
            "{}:{}",
            root.path().join("bin").display(),
            std::env::var("PATH").unwrap()
        );
        place.environment = Environment::from_pairs([("PATH", path)]);
        let place = place
            .at(root.path().join("work"))
            .with_clock(Arc::clone(&clock) as Arc<_>);
        place.home.ensure().unwrap();
        let source = Source::Path(root.path().join("till"));
        let program = std::env::current_exe().unwrap();
        place
            .packs()
            .install(&source, Replace::No, place.now(), &program)
            .unwrap();
        Self { root, clock, place }
    }

    fn exec(&self, amount: &str, approval: Option<Approval>) -> CallResult {
        let request = CallRequest {
            pack: "till".into(),
            command: "pay".into(),
            args: CallArgs::Object(Object::new().with("amount", amount)),
            options: ExecOptions {
                approval,
                ..ExecOptions::default()
            },
        };
        pollster::block_on(self.place.hcp().unwrap().exec(&request))
    }

    /// The call alone.
    fn plain(&self, amount: &str) -> CallResult {
        self.exec(amount, None)
    }

    /// The call with an id.
    fn with(&self, amount: &str, id: &str) -> CallResult {
        self.exec(amount, Some(Approval::id(id)))
    }

    /// The call asks; the id of its request.
    fn asked(&self, amount: &str) -> String {
        id_of(&self.plain(amount))
    }

    /// A person's answer to a request.
    fn answer(&self, id: &str, verdict: &Verdict) -> Answered {
        let store = self.place.store().unwrap();
        store
            .answer(id, verdict, AnsweredBy::Human, self.place.clock())
            .unwrap()
    }

    fn yes(&self, id: &str) {
        let yes = Verdict::Yes { card_digest: None };
        assert!(matches!(self.answer(id, &yes), Answered::Done(_)));
    }

    fn no(&self, id: &str) {
        let no = Verdict::No { note: None };
        assert!(matches!(self.answer(id, &no), Answered::Done(_)));
    }

    /// What really ran.
    fn runs(&self) -> Vec<String> {
        std::fs::read_to_string(self.root.path().join("runs"))
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }
}

fn id_of(asked: &CallResult) -> String {
    let request = asked.approval.as_ref().unwrap();
    request.approval_id.clone().unwrap()
}

#[test]
fn a_request_waits_for_fifteen_minutes_and_not_a_moment_longer() {
    let world = World::new();
    let id = world.asked("1");
    world.clock.advance(15 * MINUTE - SECOND);
    assert_eq!(world.asked("1"), id, "the same request, with its old end");
    world.clock.advance(SECOND);
    let yes = Verdict::Yes { card_digest: None };
    assert!(matches!(world.answer(&id, &yes), Answered::Over(_)));
    let late = world.with("1", &id);
    assert_eq!(late.code, Code::ApprovalExpired);
    assert_ne!(id_of(&late), id, "a fresh request");
    assert_eq!(world.runs().len(), 0);
}

#[test]
fn a_yes_counts_for_fifteen_minutes_from_the_yes() {
    let world = World::new();
    let id = world.asked("1");
    world.clock.advance(14 * MINUTE);
    world.yes(&id);
    world.clock.advance(15 * MINUTE - SECOND);
    assert_eq!(world.plain("1").code, Code::Ok);
    assert_eq!(world.runs(), ["1"]);

    let id = world.asked("1");
    world.yes(&id);
    world.clock.advance(15 * MINUTE);
    let late = world.with("1", &id);
    assert_eq!(late.code, Code::ApprovalExpired);
    let fresh = id_of(&late);
    assert_ne!(fresh, id);
    let plain = world.plain("1");
    assert_eq!(plain.code, Code::ConfirmRequired);
    assert_eq!(id_of(&plain), fresh);
    assert_eq!(world.runs(), ["1"]);
}

#[test]
fn a_no_stands_for_fifteen_minutes() {
    let world = World::new();
    let id = world.asked("1");
    world.no(&id);
    world.clock.advance(15 * MINUTE - SECOND);
    assert_eq!(world.plain("1").code, Code::Rejected);
    assert_eq!(world.with("1", &id).code, Code::Rejected);
    world.clock.advance(SECOND);
    assert_ne!(world.asked("1"), id);
}

#[test]
fn either_clock_ends_an_approval() {
    // The wall clock is set back, and the machine's own goes on.
    let world = World::new();
    let made = world.place.moment();
    let id = world.asked("1");
    world.yes(&id);
    world.clock.set(Moment {
        boot_ms: made.boot_ms + 900_000,
        ..made.clone()
    });
    assert_eq!(world.plain("1").code, Code::ConfirmRequired);

    // The wall clock stands before the moment the record was made.
    let world = World::new();
    let made = world.place.moment();
    let id = world.asked("1");
    world.yes(&id);
    world.clock.set(Moment {
        wall: made.wall - jiff::SignedDuration::from_secs(3),
        ..made.clone()
    });
    assert_eq!(world.with("1", &id).code, Code::ApprovalExpired);

    // The machine was started anew: the time since then says nothing, so the yes is over.
    let world = World::new();
    let made = world.place.moment();
    let id = world.asked("1");
    world.yes(&id);
    world.clock.set(Moment {
        wall: made.wall + jiff::SignedDuration::from_secs(60),
        boot_id: "another".into(),
        boot_ms: 1_000,
    });
    assert_eq!(world.with("1", &id).code, Code::ApprovalExpired);
    assert_eq!(world.runs().len(), 0);
}

#[test]
fn the_settings_may_shorten_the_time() {
    let world = World::new();
    let project = world.root.path().join("work/.hcp");
    std::fs::create_dir(&project).unwrap();
    std::fs::write(project.join("access.json"), r#"{ "approval_minutes": 2 }"#).unwrap();
    let id = world.asked("1");
    world.yes(&id);
    world.clock.advance(2 * MINUTE);
    assert_eq!(world.with("1", &id).code, Code::ApprovalExpired);
}

#[test]
fn noes_make_the_next_request_wait_longer_and_longer() {
    let world = World::new();
    let amounts = |n: usize| format!("{n}");
    for n in 0..3 {
        world.no(&world.asked(&amounts(n)));
    }
    for (n, minutes) in [(3, 1), (4, 2), (5, 4)] {
        assert_eq!(world.plain(&amounts(n)).code, Code::TooManyRequests);
        world.clock.advance(minutes * MINUTE - SECOND);
        assert_eq!(world.plain(&amounts(n)).code, Code::TooManyRequests, "{n}");
        world.clock.advance(SECOND);
        world.no(&world.asked(&amounts(n)));
    }
    // An hour later all is forgotten.
    world.clock.advance(61 * MINUTE);
    world.asked("99");
}
