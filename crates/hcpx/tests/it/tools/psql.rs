//! The pack `psql` on a server of this machine: its own folder, reached by a socket there and by nothing else.

use super::tool;
use crate::HCPX;
use hcp_testkit::{Answer, Who, World};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Options that the programs have only since a later version than the oldest tested one: 16, and of these `--filter`
/// and `--builtin-locale` since 17.
const NEWER: &[&str] = &[
    "--icu-rules",
    "--builtin-locale",
    "--bypassrls",
    "--no-bypassrls",
    "--with-member",
    "--with-admin",
    "--member-of",
    "--valid-until",
    "--table-and-children",
    "--filter",
    "--large-objects",
    "--no-large-objects",
    "--buffer-usage-limit",
    "--no-process-main",
    "--restrict-key",
];

/// Newer options of vacuumdb alone, since 16.
const NEWER_FOR_VACUUM: &[&str] = &["--schema", "--exclude-schema"];

/// Spellings that no help names and every version takes.
const UNTOLD: &[&str] = &["--no-acl", "--attribute-inserts"];

/// The account that runs the server where the tests are root's, whom the server refuses.
const ACCOUNT: &str = "postgres";

/// A program of the server, beside the other programs or in the folder of a version.
fn server_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    folders.extend(versions.flatten().map(|version| version.path().join("bin")));
    folders
        .into_iter()
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

struct Server {
    folder: PathBuf,
    control: PathBuf,
}

impl Server {
    /// A new server, where the machine has what that takes.
    fn start() -> Option<Self> {
        let (init, control) = (server_program("initdb")?, server_program("pg_ctl")?);
        // A socket's path is short.
        let folder = PathBuf::from(format!("/tmp/hcpx-pg-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let server = Self { folder, control };
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&server.folder, open).unwrap();
        if is_root() {
            let mut chown = Command::new("chown");
            if !quiet(chown.arg(ACCOUNT).arg(&server.folder))
                .status
                .success()
            {
                println!("passed over: there is no account {ACCOUNT}");
                return None;
            }
        }
        let data = server.folder.join("data");
        let made = quiet(
            as_account(&init)
                .args([
                    "--no-sync",
                    "-A",
                    "trust",
                    "-U",
                    ACCOUNT,
                    "-E",
                    "UTF8",
                    "-D",
                ])
                .arg(&data),
        );
        assert!(made.status.success(), "{made:?}");
        let options = format!(
            "-c listen_addresses= -c fsync=off -c unix_socket_directories={}",
            server.folder.display()
        );
        let mut start = as_account(&server.control);
        start
            .arg("-D")
            .arg(&data)
            .arg("-l")
            .arg(server.folder.join("log"));
        let started = quiet(start.args(["-w", "-o", &options, "start"]));
        assert!(started.status.success(), "{started:?}");
        Some(server)
    }

    fn host(&self) -> String {
        format!("host={}", self.folder.display())
    }

    /// What the real program answers, without hcpx.
    fn ask(&self, sql: &str) -> String {
        let mut command = Command::new("psql");
        command.args(["-X", "-At", "-U", ACCOUNT, "-c", sql, "-h"]);
        let output = quiet(command.arg(&self.folder));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut stop = as_account(&self.control);
        stop.arg("-D").arg(self.folder.join("data"));
        quiet(stop.args(["-m", "immediate", "-w", "stop"]));
        // A folder that stays is no fault of what was tested.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout == b"0\n"
}

fn as_account(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", ACCOUNT, "--"]).arg(program);
    command
}

/// Runs a program in a folder that everybody may enter, with nothing of it on the screen. The server keeps what it
/// is given open, so that pipes would never end.
fn quiet(command: &mut Command) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    command.stdin(Stdio::null()).current_dir("/");
    command.stdout(std::fs::File::create(&out).unwrap());
    command.stderr(std::fs::File::create(&err).unwrap());
    let status = command.status().unwrap();
    Output {
        status,
        stdout: std::fs::read(out).unwrap(),
        stderr: std::fs::read(err).unwrap(),
    }
}

struct Desk {
    world: World,
    server: Server,
}

impl Desk {
    fn new() -> Option<Self> {
        tool("psql")?;
        let server = Server::start()?;
        let world = World::with_packs(HCPX, &["psql"]);
        Some(Self { world, server })
    }

    fn run(&self, who: Who, mode: &str, command: &str, args: &[&str]) -> Answer {
        let host = self.server.host();
        let at = ["exec", "psql", command, "--", &host, "username=postgres"];
        let words = [&at, args].concat();
        let mut process = self.world.command(who);
        process.env("HCP_MODE", mode).args(&words);
        Answer::of(&words, process.output().unwrap())
    }

    fn exec(&self, command: &str, args: &[&str]) -> Answer {
        self.run(Who::Agent, "auto", command, args)
    }

    /// As in CI: a person's process in the mode `run`.
    fn unattended(&self, command: &str, args: &[&str]) -> Answer {
        self.run(Who::Person, "run", command, args)
    }

    /// Why a call asks where nobody watches, without a request for it.
    fn unattended_reason(&self, command: &str, args: &[&str]) -> String {
        let words = [&["preview", "psql", command, "--"], args].concat();
        let mut process = self.world.command(Who::Person);
        process.env("HCP_MODE", "run").args(&words);
        let preview = Answer::of(&words, process.output().unwrap()).with_code("ok");
        preview.text("reason_code")
    }

    /// Asks, gets a person's yes, and runs.
    fn approved(&self, command: &str, args: &[&str]) {
        let asked = self.exec(command, args).with_code("confirm_required");
        let id = asked.text("approval_id");
        self.world.person(&["approve", &id]).expect_code("ok");
        self.exec(command, args).expect_code("ok");
    }
}

#[test]
fn reads_run_and_writes_wait_for_a_yes() {
    let Some(desk) = Desk::new() else { return };
    let list = desk.exec("list", &[]).with_code("ok").text("stdout");
    assert!(list.contains("template1"), "{list}");
    let create = &["command=create table notes (id int, dropped_at date)"];
    let preview = desk
        .world
        .person(&["preview", "psql", "run", "--", create[0]]);
    assert_eq!(preview.text("reason_code"), "confirm_always");
    desk.approved("run", create);
    let insert = &["command=insert into notes values (1)"];
    desk.exec("run", insert).expect_code("confirm_required");
    assert_eq!(desk.server.ask("select count(*) from notes"), "0");
    desk.approved("run", insert);
    assert_eq!(desk.server.ask("select count(*) from notes"), "1");
    desk.exec("run", insert).expect_code("confirm_required");

    let count = &[
        "sql=select count(*), max(dropped_at) from notes",
        "csv=true",
    ];
    let answer = desk.exec("query", count).with_code("ok").text("stdout");
    assert_eq!(answer, "count,max\n1,\n");
    let table = desk.exec("describe", &["name=notes"]).with_code("ok");
    assert!(table.text("stdout").contains("dropped_at"));
    let tables = desk.exec("show_tables", &[]).with_code("ok");
    assert!(tables.text("stdout").contains("notes"));
    desk.exec("dump_schema", &["dbname=postgres"])
        .expect_code("ok");
    desk.exec("dump", &["dbname=postgres"])
        .expect_code("confirm_required");
    desk.exec("isready", &[]).expect_code("ok");
    goes_no_further(&desk);
    always_asks(&desk);
}

/// What `query` refuses before it runs, and what the server refuses then.
fn goes_no_further(desk: &Desk) {
    for sql in [
        "drop table notes",
        "select 1; drop table notes",
        "select pg_read_file('/etc/passwd')",
        "select set_config('a.b', 'c', false)",
        "select pg_terminate_backend/**/(1)",
        "select \"pg_sleep\"(1)",
        "select public.count(1)",
        "select * from pg_authid",
        "select * from U&\"pg_\\0061uthid\"",
        "select * from information_schema.user_mapping_options",
        "select \u{1f600}abs(1)",
        "copy notes to program 'id'",
        "\\! id",
        "commit",
    ] {
        let sql = format!("sql={sql}");
        desk.exec("query", &[&sql]).expect_code("invalid_args");
    }
    for sql in [
        "with gone as (delete from notes returning *) select * from gone",
        "select * into other from notes",
        "explain analyze delete from notes",
        "select * from notes for update",
    ] {
        let sql = format!("sql={sql}");
        desk.exec("query", &[&sql]).expect_code("command_failed");
    }
    // Of a name, nothing is a program for psql to run.
    let name = "name=`id`";
    desk.exec("describe", &[name]).expect_code("invalid_args");
    assert_eq!(desk.server.ask("select count(*) from notes"), "1");
}

/// No pattern sees what SQL does, so all of it asks, also where nobody watches; reads go through `query`.
fn always_asks(desk: &Desk) {
    for sql in [
        "insert into notes values (2)",
        "drop table notes",
        "DrOp/**/TaBlE notes",
        "do $$ begin execute 'dr' || 'op table notes'; end $$",
        "select pg_terminate_backend(0)",
        "DELETE FROM notes",
        "begin;TRUNCATE notes;commit",
    ] {
        let command = format!("command={sql}");
        let input = format!("input={sql}");
        for how in [&command, &input] {
            let reason = desk.unattended_reason("run", &[how]);
            assert_eq!(reason, "confirm_always");
        }
    }
    desk.unattended("run", &["command=drop table notes"])
        .expect_code("confirm_required");
    assert_eq!(desk.server.ask("select count(*) from notes"), "1");
    desk.approved("run", &["input=drop table notes;"]);
    assert_eq!(desk.server.ask("select to_regclass('notes') is null"), "t");
    desk.approved("createdb", &["name=shop"]);
    desk.unattended("dropdb", &["name=shop"])
        .expect_code("confirm_required");
    let there = "select count(*) from pg_database where datname = 'shop'";
    assert_eq!(desk.server.ask(there), "1");
    desk.approved("dropdb", &["name=shop"]);
    assert_eq!(desk.server.ask(there), "0");
}

#[test]
fn the_programs_know_every_option_that_the_pack_writes() {
    if tool("psql").is_none() {
        return;
    }
    let pack = hcp::bundled_pack("psql").unwrap();
    let mut helps: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for command in pack.commands.values() {
        let program = command.own_words[0].as_str();
        if tool(program).is_none() {
            continue;
        }
        let known = helps.entry(program).or_insert_with(|| told(program));
        let written = command.cli().iter().map(|word| match word.option() {
            Some(_) => word.spellings().map(str::to_owned).collect(),
            None => vec![word.prefix().split('=').next().unwrap().to_owned()],
        });
        let written = written
            .take_while(|spellings| *spellings != ["--"])
            .flatten();
        let newer = |option: &str| {
            NEWER.contains(&option) || program == "vacuumdb" && NEWER_FOR_VACUUM.contains(&option)
        };
        for option in written.filter(|word| word.starts_with('-')) {
            let may_miss = newer(&option) || UNTOLD.contains(&option.as_str());
            assert!(may_miss || known.contains(&option), "{program} {option}");
        }
    }
}

/// The options that a program's help names.
fn told(program: &str) -> BTreeSet<String> {
    let output = Command::new(program).arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text.split(|c: char| c.is_whitespace() || ",=[(".contains(c));
    words
        .filter(|word| word.starts_with('-'))
        .map(str::to_owned)
        .collect()
}
