//! The environment that a program gets: a fixed base, what its pack names, and the agent's mark.

use std::ffi::{OsStr, OsString};

/// Variables of the base, by name.
const NAMES: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TZ",
    "TERM",
    "TMPDIR",
    "SSH_AUTH_SOCK",
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "all_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "FTP_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
];

/// Variables of the base, by how their names begin.
const PREFIXES: &[&str] = &["LC_", "XDG_"];

/// Marks whatever runs inside an agent.
const MARK: &str = "HCP_AGENT";

/// The environment of a program: of `vars` what belongs to the base or is named in `pack_env`, and
/// inside an agent `HCP_AGENT=1`. Nothing else.
pub fn base_environment(
    vars: impl Iterator<Item = (OsString, OsString)>,
    pack_env: &[String],
    agent: bool,
) -> Vec<(OsString, OsString)> {
    let mut kept: Vec<(OsString, OsString)> = vars
        .filter(|(name, _)| {
            name != MARK && (is_base(name) || pack_env.iter().any(|p| name == p.as_str()))
        })
        .collect();
    if agent {
        kept.push((MARK.into(), "1".into()));
    }
    kept
}

fn is_base(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pack: &[&str], agent: bool) -> Vec<(String, String)> {
        let vars = [
            ("PATH", "/bin"),
            ("LC_TIME", "de"),
            ("XDG_RUNTIME_DIR", "/run"),
            ("https_proxy", "p"),
            ("LD_PRELOAD", "x.so"),
            ("GH_TOKEN", "t"),
            ("HCP_AGENT", "0"),
            ("HCP_HOME", "/s"),
            ("LCX", "x"),
            ("path", "x"),
        ];
        let pack: Vec<String> = pack.iter().map(|p| (*p).to_owned()).collect();
        let vars = vars.iter().map(|(n, v)| (n.into(), v.into()));
        base_environment(vars, &pack, agent)
            .into_iter()
            .map(|(n, v)| (n.into_string().unwrap(), v.into_string().unwrap()))
            .collect()
    }

    #[test]
    fn the_base_and_nothing_else() {
        let found: Vec<String> = names(&[], false).into_iter().map(|(n, _)| n).collect();
        assert_eq!(found, ["PATH", "LC_TIME", "XDG_RUNTIME_DIR", "https_proxy"]);
    }

    #[test]
    fn a_pack_adds_names_and_cannot_take_the_mark_away() {
        assert!(names(&["GH_TOKEN"], false).contains(&("GH_TOKEN".into(), "t".into())));
        let marked = names(&["HCP_AGENT"], true);
        let marks: Vec<_> = marked.iter().filter(|(n, _)| n == "HCP_AGENT").collect();
        assert_eq!(marks, [&("HCP_AGENT".to_owned(), "1".to_owned())]);
        assert!(
            !names(&["HCP_AGENT"], false)
                .iter()
                .any(|(n, _)| n == "HCP_AGENT")
        );
    }
}
