//! Runs parts of the tests in processes of their own: the test binary starts itself with a job.

use std::path::Path;
use std::process::{Child, Command, Stdio};

const JOB: &str = "HCP_TEST_JOB";
const HOME: &str = "HCP_TEST_HOME";
const ARGUMENT: &str = "HCP_TEST_ARGUMENT";

/// Starts a job in a process of its own.
pub(crate) fn start(job: &str, home: &Path, argument: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["child::job", "--exact", "--nocapture", "--test-threads=1"])
        .env(JOB, job)
        .env(HOME, home)
        .env(ARGUMENT, argument)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// Waits for a job and gives back the lines that it reported.
pub(crate) fn reports(child: Child) -> Vec<String> {
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            line.split_once("REPORT ")
                .map(|(_, report)| report.to_owned())
        })
        .collect()
}

/// Reports one line to the parent.
pub(crate) fn report(line: &str) {
    println!("\nREPORT {line}");
}

/// The place where a started process begins. It does nothing in the parent.
#[test]
fn job() {
    let Ok(job) = std::env::var(JOB) else { return };
    let home = std::env::var_os(HOME).unwrap();
    let home = Path::new(&home);
    let argument = std::env::var(ARGUMENT).unwrap();
    match job.as_str() {
        "take" => crate::store::take_one(home, &argument),
        "churn" => crate::store::churn(home, &argument),
        "append" => crate::audit::append_many(home, &argument),
        "append-limited" => crate::audit::append_until_full(home, &argument),
        other => panic!("no job {other}"),
    }
}
