//! khal on a calendar in a folder.

use super::{help, tool};
use crate::HCPX;
use hcp_testkit::World;
use std::path::Path;

/// Options that came with khal 0.11.
const NEWER: [&str; 2] = ["--json", "--mouse"];

/// A world in which khal has one calendar, and writes dates in one way.
fn world() -> World {
    let world = World::with_packs(HCPX, &["khal"]);
    let calendar = world.root().join("calendars/work");
    std::fs::create_dir_all(&calendar).unwrap();
    let settings = format!(
        "[calendars]\n[[work]]\npath = {}\n[locale]\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n\
         datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\nlocal_timezone = Europe/Berlin\n\
         default_timezone = Europe/Berlin\n[default]\ndefault_calendar = work\n",
        calendar.display()
    );
    world.write("user/.config/khal/config", &settings);
    world
}

/// The texts of all events in the calendar.
fn events(world: &World) -> Vec<String> {
    let files = std::fs::read_dir(world.root().join("calendars/work")).unwrap();
    files
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        // Some versions name the type of a time that has no other.
        .map(|text| text.replace(";VALUE=DATE-TIME", ""))
        .collect()
}

#[test]
fn khal_has_each_command_and_option_of_its_pack() {
    let Some(khal) = tool("khal") else { return };
    let lacks = help::lacks(&khal, "khal", |_| false, &NEWER);
    assert!(lacks.is_empty(), "{}", lacks.join("\n"));
}

#[test]
fn an_event_of_ones_own_is_added_and_found_without_a_question() {
    if tool("khal").is_none() {
        return;
    }
    let world = world();
    let new = [
        "exec",
        "khal",
        "new",
        "--",
        "start=2026-12-01 10:00",
        "end=11:30",
        "title=-5 degrees: who heats?",
        "text=Bring a pullover",
        "location=Kitchen",
    ];
    world.agent(&new).expect_code("ok");
    let written = events(&world);
    assert_eq!(written.len(), 1, "{written:?}");
    for line in [
        "SUMMARY:-5 degrees: who heats?",
        "DESCRIPTION:Bring a pullover",
        "LOCATION:Kitchen",
        "DTSTART;TZID=Europe/Berlin:20261201T100000",
        "DTEND;TZID=Europe/Berlin:20261201T113000",
    ] {
        assert!(
            written[0].lines().any(|l| l == line),
            "{line} in {written:?}"
        );
    }
    let listed = world.agent(&["exec", "khal", "list", "--", "range=2026-12-01", "range=1d"]);
    listed.expect_code("ok");
    assert!(
        listed
            .text("stdout")
            .contains("10:00-11:30 -5 degrees: who heats?"),
        "{}",
        listed.stdout
    );
    // What would put the line between title and text elsewhere than the card does is no call.
    let twofold = [
        "exec",
        "khal",
        "new",
        "--",
        "start=2026-12-01 10:00",
        "end=11:30",
        "title=One :: two",
    ];
    world.agent(&twofold).expect_code("invalid_args");
    assert_eq!(events(&world).len(), 1);
}

#[test]
fn events_from_a_file_come_in_after_a_yes() {
    if tool("khal").is_none() {
        return;
    }
    let world = world();
    let event = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\nBEGIN:VEVENT\r\nUID:one\r\nDTSTAMP:20261101T000000Z\r\n\
                 DTSTART:20261203T090000Z\r\nDTEND:20261203T100000Z\r\nSUMMARY:Review\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    world.write("work/review.ics", event);
    let import = [
        "exec",
        "khal",
        "import",
        "--",
        "files=review.ics",
        "batch=true",
        "calendar=work",
    ];
    let asked = world.agent(&import);
    asked.expect_code("confirm_required");
    assert_eq!(asked.text("approval.view.kind"), "event");
    assert!(events(&world).is_empty(), "nothing ran");
    let id = asked.text("approval_id");
    world.person(&["approve", &id, "--yes"]).expect_code("ok");
    // The yes was to this file as it stood.
    world.write("work/review.ics", &event.replace("Review", "Party"));
    world.agent(&import).expect_code("confirm_required");
    world.write("work/review.ics", event);
    world.agent(&import).expect_code("ok");
    let written = events(&world);
    assert_eq!(written.len(), 1, "{written:?}");
    assert!(written[0].contains("SUMMARY:Review"), "{written:?}");
    let gone = Path::new("khal.log");
    let logged = ["exec", "khal", "--", "--logfile", "khal.log", "list"];
    assert_ne!(world.agent(&logged).code(), "ok");
    assert!(
        !world.work().join(gone).exists(),
        "a read that writes a file asks"
    );
}
