//! This test program started anew, to play a part in a test of its own processes.

use std::path::Path;
use std::process::Command;

/// The variable that says which part to play.
const PART: &str = "HCP_TEST_PART";

/// A command that starts this program in a part. The part is a `#[test] #[ignore]` function.
pub(super) fn part(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            test,
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(PART, test);
    command
}

/// The same as a line for a shell.
pub(super) fn line(test: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!(
        "{PART}={test} '{}' --exact {test} --ignored --nocapture --test-threads=1",
        program.display()
    )
}

/// Whether this process was started to play a part.
pub(super) fn plays(test: &str) -> bool {
    std::env::var_os(PART).is_some_and(|part| part == test)
}

/// A variable that a part was given.
pub(super) fn given(name: &str) -> String {
    std::env::var(name).unwrap()
}

/// Waits until a file is there.
pub(super) fn wait_for(path: &Path) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !path.exists() {
        assert!(
            std::time::Instant::now() < end,
            "{} never came",
            path.display()
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
