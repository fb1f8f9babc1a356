//! Whoever answers a request of a connected pack: in a shell of their own, in a list, and at a watch whose tools hang.

use super::{PACK, Post};
use crate::terminal::Seat;
use hcp_testkit::{Answer, Who};
use std::time::{Duration, Instant};

#[test]
fn the_shell_of_whoever_answers_speaks_for_nobody_else() {
    let post = Post::new();
    let pack = PACK.replace("\"connect\"", "\"env\": [\"POST_AS\"], \"connect\"");
    post.world.write("packs/post/pack.json", &pack);
    let source = post.world.root().join("packs/post");
    post.person(&["install", "--replace", source.to_str().unwrap()])
        .expect_code("ok");
    post.connect("ana").expect_code("ok");
    post.says("if [ -n \"$POST_AS\" ]; then echo \"$POST_AS\"; else cat \"$here/who\"; fi");
    let person = |words: &[&str], account: &str, folders: &[&str]| {
        let mut command = post.command(Who::Person, words, folders);
        command.env("POST_AS", account);
        Answer::of(words, command.output().unwrap())
    };
    // A person whose own shell is signed in as somebody else sees and answers the agent's call.
    let id = post.asks();
    let list = person(&["approvals"], "ops", &["bin"]);
    assert_eq!(list.text("approvals.0.as"), "ana");
    assert!(list.value("approvals.0").get("not_connected").is_none());
    person(&["approve", &id], "ops", &["bin"]).expect_code("ok");
    // That yes is for ana all the same: the call asks where it runs, and in their shell it is another call.
    post.switch("ops");
    post.send().expect_code("not_connected");
    assert_eq!((post.state(&id), post.sent()), ("withdrawn".to_owned(), 0));
    post.switch("ana");
    let id = post.asks();
    person(&["approve", &id], "ops", &["bin"]).expect_code("ok");
    let other = person(&["exec", "--confirm", &id], "ops", &["bin"]);
    other.expect_code("not_connected");
    assert_eq!((post.state(&id), post.sent()), ("approved".to_owned(), 0));
    post.agent(&["exec", "--confirm", &id]).expect_code("ok");
    assert_eq!(post.sent(), 1);
    // The same variables are the same word, and a switch is seen before the yes.
    let id = post.asks();
    post.switch("ops");
    post.person(&["approve", &id]).expect_code("not_connected");
    assert_eq!(post.state(&id), "withdrawn");
    // So it is with a path that leads to another program, or to none.
    post.switch("ana");
    for folders in [&["evil", "bin"][..], &[]] {
        post.program(
            "evil/post-who",
            "#!/bin/sh\n: > \"${0%/*}/ran\"\necho ops\n",
        );
        let id = post.asks();
        post.run(Who::Person, &["approve", &id], folders)
            .expect_code("ok");
        assert!(!post.world.root().join("evil/ran").exists());
        post.agent(&["exec", "--confirm", &id]).expect_code("ok");
    }
    assert_eq!(post.sent(), 3);
}

#[test]
fn a_list_that_is_drawn_again_asks_once() {
    let post = Post::connected_as("ana");
    for to in ["bo", "cy", "di"] {
        let to = format!("to={to}");
        post.agent(&["exec", "post", "send", "--", &to])
            .expect_code("confirm_required");
    }
    let asked = post.count("asked", "asked");
    let list = post.person(&["approvals"]);
    assert_eq!(list.text("approvals.2.as"), "ana");
    assert_eq!(post.count("asked", "asked"), asked + 1);
}

/// Three connected packs, each with a request, whose tools no longer say who they are.
fn three_that_hang() -> Post {
    let post = Post::connected_as("ana");
    post.asks();
    for id in ["post-b", "post-c"] {
        post.also(id);
        post.person(&["connect", id]).expect_code("ok");
        post.agent(&["exec", id, "send", "--", "to=bo"])
            .expect_code("confirm_required");
    }
    post.says("echo hangs >> \"$here/hangs\"; exec sleep 60");
    post
}

#[test]
fn tools_that_hang_are_waited_for_at_the_same_time() {
    let post = three_that_hang();
    let begun = Instant::now();
    let list = post.person(&["approvals"]);
    let took = begun.elapsed();
    for n in 0..3 {
        let why = list.value(&format!("approvals.{n}.not_connected"));
        assert!(why.to_string().contains("2 s"), "{}", list.stdout);
    }
    assert!(took < Duration::from_millis(3_900), "{took:?}");
    assert_eq!(post.count("hangs", "hangs"), 3);
}

#[test]
fn a_watch_stands_still_for_no_tool() {
    let post = three_that_hang();
    let mut seat = Seat::of(
        post.command(Who::Person, &["approvals", "--watch"], &["bin"]),
        "",
    );
    let begun = Instant::now();
    seat.wait("Looking for what waits");
    assert!(begun.elapsed() < Duration::from_millis(1_500));
    let shown = seat.wait("2 more below");
    assert!(shown.contains("did not answer"), "{shown}");
    assert!(shown.contains("y asks it again, n rejects"), "{shown}");
    // What hung is asked again only after a while, and keys count at once.
    seat.key("x");
    seat.wait("that key answered nothing");
    let begun = Instant::now();
    seat.key("q");
    let (said, code) = seat.end();
    assert_eq!(code, 0, "{said}");
    assert!(begun.elapsed() < Duration::from_millis(3_500));
}
