//! Bindings in one small file of the store.
//!
//! It says as whom a person let packs act, so it is read strictly and fails closed, and nobody else may write it.

use super::memory::{put, take};
use super::{Bindings, BindingsError, PackBinding, Whose};
use crate::fsutil::{
    self, Lock, PATIENCE, loosely_writable, make_private_folder, owned_by_reader_or_root,
};
use hcp_core::diagnostic::{Fault, Source};
use hcp_core::fields::{self, Fields};
use hcp_core::json::{self, Kind, Limits, Node, Object, Value};
use hcp_core::names::PackId;
use hcp_core::text::safe;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The name of the file in the store.
const FILE_NAME: &str = "bindings.json";
/// The longest file that is read; one byte more is, so that the reader can say so.
const LARGEST: u64 = 4 << 20;

/// Bindings in a file. Without it there are none.
#[derive(Debug, Clone)]
pub struct FileBindings {
    path: PathBuf,
}

impl FileBindings {
    /// The bindings of the store at `home`.
    #[must_use]
    pub fn new(home: &Path) -> Self {
        Self {
            path: home.join(FILE_NAME),
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every binding, of every Principal.
    ///
    /// # Errors
    /// The file cannot be read, or is not what was written there.
    pub fn all(&self) -> Result<Vec<PackBinding>, BindingsError> {
        let Some(bytes) = self.bytes()? else {
            return Ok(Vec::new());
        };
        let mut faults = Vec::new();
        let read = match json::parse_bytes(&bytes, Limits::default()) {
            Ok(node) => read_all(&node, &mut faults),
            Err(fault) => {
                faults.push(fault);
                None
            }
        };
        match read {
            Some(read) if faults.is_empty() => Ok(read),
            Some(_) | None => {
                let text = String::from_utf8_lossy(&bytes);
                let source = Source::new(safe(&self.path.to_string_lossy()).to_string(), &text);
                let found = faults.iter().map(|fault| source.locate(fault)).collect();
                Err(BindingsError::Invalid(found))
            }
        }
    }

    /// Takes every Principal's binding of a pack away; they come back.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn forget_pack(&self, pack: &PackId) -> Result<Vec<PackBinding>, BindingsError> {
        if self.bytes()?.is_none() {
            return Ok(Vec::new());
        }
        self.change(|all| {
            let (gone, kept) = std::mem::take(all)
                .into_iter()
                .partition(|b| b.pack == *pack);
            *all = kept;
            gone
        })
    }

    fn bytes(&self) -> Result<Option<Vec<u8>>, BindingsError> {
        // Neither a link nor a pipe in its place is followed or waited for.
        let flags = nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK | nix::libc::O_CLOEXEC;
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(flags)
            .open(&self.path);
        let file = match opened {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) if e.raw_os_error() == Some(nix::libc::ELOOP) => {
                return Err(self.unavailable("it may not be a link"));
            }
            Err(e) => return Err(self.unavailable(e)),
        };
        let meta = file.metadata().map_err(|e| self.unavailable(e))?;
        if !meta.is_file() {
            return Err(self.unavailable("it is no regular file"));
        }
        if !owned_by_reader_or_root(&meta) {
            return Err(self.unavailable("it belongs to another user"));
        }
        if loosely_writable(&meta) {
            return Err(self.unavailable("others may write it (chmod go-w mends that)"));
        }
        let mut bytes = Vec::new();
        let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
        read.map_err(|e| self.unavailable(e))?;
        if bytes.len() as u64 > LARGEST {
            return Err(self.unavailable("it is over 4 MiB"));
        }
        Ok(Some(bytes))
    }

    /// Changes the file under its lock; it stands as it was, or whole as it is now.
    fn change<T>(&self, edit: impl FnOnce(&mut Vec<PackBinding>) -> T) -> Result<T, BindingsError> {
        let _held = self.lock()?;
        if let Some(folder) = self.path.parent() {
            // What cannot be cleared away changes nothing about the bindings.
            let _ = fsutil::remove_left_over(folder);
        }
        let mut all = self.all()?;
        let given = edit(&mut all);
        all.sort_by(|a, b| {
            (&a.tenant, &a.principal, &a.pack).cmp(&(&b.tenant, &b.principal, &b.pack))
        });
        let list: Vec<Value> = all.iter().map(|binding| written(binding).into()).collect();
        let mut bytes = serde_json::to_vec_pretty(&Object::new().with("bindings", list))
            .map_err(|e| self.unavailable(e))?;
        bytes.push(b'\n');
        fsutil::write_atomically(&self.path, &bytes).map_err(|e| self.unavailable(e))?;
        Ok(given)
    }

    fn lock(&self) -> Result<Lock, BindingsError> {
        if let Some(folder) = self.path.parent() {
            make_private_folder(folder).map_err(|e| self.unavailable(e))?;
        }
        let path = self.path.with_extension("lock");
        fsutil::lock(&path, PATIENCE).map_err(|e| self.unavailable(e))
    }

    fn unavailable(&self, reason: impl ToString) -> BindingsError {
        BindingsError::Unavailable {
            path: self.path.clone(),
            reason: reason.to_string(),
        }
    }
}

impl Bindings for FileBindings {
    fn get(&self, whose: &Whose<'_>) -> Result<Option<PackBinding>, BindingsError> {
        Ok(self.all()?.into_iter().find(|b| b.is_of(whose)))
    }

    fn set(&self, binding: &PackBinding) -> Result<Option<PackBinding>, BindingsError> {
        self.change(|all| put(all, binding))
    }

    fn forget(&self, whose: &Whose<'_>) -> Result<Option<PackBinding>, BindingsError> {
        if self.get(whose)?.is_none() {
            return Ok(None);
        }
        self.change(|all| take(all, whose))
    }
}

fn written(binding: &PackBinding) -> Object {
    Object::new()
        .with("tenant", binding.tenant.as_str())
        .with("principal", binding.principal.as_str())
        .with("pack", binding.pack.as_str())
        .with("identity", binding.identity.as_str())
        .with("told_by", binding.told_by.clone())
        .with("told_from", binding.told_from.clone())
        .with("connected_at", binding.connected_at.to_string())
}

fn read_all(node: &Node, faults: &mut Vec<Fault>) -> Option<Vec<PackBinding>> {
    let mut object = Fields::open(node, "the file of bindings", faults)?;
    let list = object.required("bindings", faults);
    object.finish(faults);
    let mut all: Vec<PackBinding> = Vec::new();
    for item in fields::array(list?, faults)? {
        let Some(binding) = read_one(item, faults) else {
            continue;
        };
        // Of two the reader would have to choose one.
        let twin = all.iter().any(|b| {
            (&b.tenant, &b.principal, &b.pack)
                == (&binding.tenant, &binding.principal, &binding.pack)
        });
        if twin {
            faults.push(Fault::at(
                item.span,
                "this Principal's binding of this pack stands twice",
            ));
        }
        all.push(binding);
    }
    Some(all)
}

fn read_one(node: &Node, faults: &mut Vec<Fault>) -> Option<PackBinding> {
    let mut object = Fields::open(node, "a binding", faults)?;
    let mut texts = ["tenant", "principal", "pack", "identity", "connected_at"].map(|key| {
        let node = object.required(key, faults)?;
        Some((node, fields::string(node, faults)?.to_owned()))
    });
    let told_by = object.required("told_by", faults);
    let told_from = object.required("told_from", faults);
    object.finish(faults);
    let mut words = Vec::new();
    for word in fields::array(told_by?, faults)? {
        words.push(fields::string(word, faults)?.to_owned());
    }
    let told_from = match told_from? {
        node if matches!(node.kind, Kind::Null) => None,
        node => Some(fields::string(node, faults)?.to_owned()),
    };
    let [tenant, principal, pack, identity, connected_at] = texts.each_mut().map(Option::take);
    let (pack_node, pack) = pack?;
    let id = PackId::new(&pack);
    if id.is_none() {
        faults.push(Fault::at(pack_node.span, "this is no pack id"));
    }
    let (identity_node, identity) = identity?;
    if identity.is_empty() {
        faults.push(Fault::at(identity_node.span, "this identity is empty"));
    }
    let (time_node, time) = connected_at?;
    let time = time.parse().ok();
    if time.is_none() {
        let message = "this must be a time such as 2026-01-31T12:00:00Z";
        faults.push(Fault::at(time_node.span, message));
    }
    Some(PackBinding {
        tenant: tenant?.1,
        principal: principal?.1,
        pack: id?,
        identity,
        told_by: words,
        told_from,
        connected_at: time?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn binding(principal: &str, pack: &str, identity: &str) -> PackBinding {
        PackBinding {
            tenant: "t".to_owned(),
            principal: principal.to_owned(),
            pack: PackId::new(pack).unwrap(),
            identity: identity.to_owned(),
            told_by: vec!["box-who".to_owned()],
            told_from: (pack == "box").then(|| "/usr/bin/box-who".to_owned()),
            connected_at: "2026-12-01T12:00:00Z".parse().unwrap(),
        }
    }

    fn identity(
        bindings: &dyn Bindings,
        tenant: &str,
        principal: &str,
        pack: &str,
    ) -> Option<String> {
        let pack = PackId::new(pack).unwrap();
        let project = None;
        let whose = Whose {
            tenant,
            principal,
            project,
            pack: &pack,
        };
        bindings.get(&whose).unwrap().map(|b| b.identity)
    }

    #[test]
    fn a_binding_is_one_principals_in_one_tenant_for_one_pack() {
        let folder = tempfile::tempdir().unwrap();
        let file = FileBindings::new(folder.path());
        let memory = super::super::MemoryBindings::new();
        for bindings in [&file as &dyn Bindings, &memory] {
            assert_eq!(identity(bindings, "t", "u1", "box"), None);
            assert_eq!(bindings.set(&binding("u1", "box", "ana")).unwrap(), None);
            bindings.set(&binding("u2", "box", "ops")).unwrap();
            bindings
                .set(&binding("u1", "mail", "ana@example.org"))
                .unwrap();
            for (tenant, principal, pack, expected) in [
                ("t", "u1", "box", Some("ana")),
                ("t", "u2", "box", Some("ops")),
                ("t", "u1", "mail", Some("ana@example.org")),
                ("t", "u2", "mail", None),
                ("other", "u1", "box", None),
                ("t", "u3", "box", None),
            ] {
                let found = identity(bindings, tenant, principal, pack);
                assert_eq!(found.as_deref(), expected, "{tenant} {principal} {pack}");
            }
            let before = bindings.set(&binding("u1", "box", "ops")).unwrap();
            assert_eq!(before.unwrap().identity, "ana");
            assert_eq!(identity(bindings, "t", "u1", "box").as_deref(), Some("ops"));
            let pack = PackId::new("box").unwrap();
            let (tenant, principal, project) = ("t", "u1", None);
            let own = Whose {
                tenant,
                principal,
                project,
                pack: &pack,
            };
            assert!(bindings.forget(&own).unwrap().is_some());
            assert!(bindings.forget(&own).unwrap().is_none());
            assert_eq!(identity(bindings, "t", "u1", "box"), None);
            assert_eq!(identity(bindings, "t", "u2", "box").as_deref(), Some("ops"));
        }
        let mode = std::fs::metadata(file.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_pack_that_goes_takes_the_bindings_of_all_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = FileBindings::new(folder.path());
        let pack = PackId::new("box").unwrap();
        assert!(file.forget_pack(&pack).unwrap().is_empty());
        // Nothing is made where there is nothing to forget.
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        for (principal, pack) in [("u1", "box"), ("u2", "box"), ("u1", "mail")] {
            file.set(&binding(principal, pack, "ana")).unwrap();
        }
        assert_eq!(file.forget_pack(&pack).unwrap().len(), 2);
        assert_eq!(file.all().unwrap(), [binding("u1", "mail", "ana")]);
    }

    #[test]
    fn a_file_that_is_not_what_was_written_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = FileBindings::new(folder.path());
        file.set(&binding("u1", "box", "ana")).unwrap();
        let sound = std::fs::read_to_string(file.path()).unwrap();
        let item = sound.split_once('[').unwrap().1.rsplit_once(']').unwrap().0;
        let twice = format!(r#"{{"bindings": [{item},{item}]}}"#);
        for broken in [
            "",
            "{}",
            "[]",
            r#"{"bindings": {}}"#,
            r#"{"bindings": [{}]}"#,
            r#"{"bindings": [], "more": 1}"#,
            &twice,
            &sound.replace("\"ana\"", "\"\""),
            &sound.replace("\"ana\"", "7"),
            &sound.replace("\"box\"", "\"Box.x\""),
            &sound.replace("2026-12", "noon"),
            &sound.replace("\"/usr/bin/box-who\"", "7"),
            &sound.replace("\"told_from\"", "\"told_form\""),
            &sound.replace("\"tenant\"", "\"tenants\""),
            &sound.replace("\"identity\"", "\"identity\": \"ops\", \"identity\""),
        ] {
            std::fs::write(file.path(), broken).unwrap();
            assert!(file.all().is_err(), "{broken}");
            assert!(file.set(&binding("u2", "box", "ops")).is_err(), "{broken}");
            assert_eq!(std::fs::read_to_string(file.path()).unwrap(), broken);
        }
        std::fs::write(file.path(), &sound).unwrap();
        assert_eq!(file.all().unwrap().len(), 1);
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o666)).unwrap();
        assert!(
            file.all()
                .unwrap_err()
                .to_string()
                .contains("others may write")
        );
        std::fs::rename(file.path(), folder.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("elsewhere"), file.path()).unwrap();
        assert!(file.all().unwrap_err().to_string().contains("link"));
    }

    #[test]
    fn many_that_connect_at_once_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = FileBindings::new(folder.path());
        std::thread::scope(|scope| {
            for n in 0..16 {
                let file = &file;
                scope.spawn(move || file.set(&binding(&format!("u{n}"), "box", "ana")).unwrap());
            }
        });
        assert_eq!(file.all().unwrap().len(), 16);
    }
}
