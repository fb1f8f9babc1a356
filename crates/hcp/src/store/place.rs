//! Where the store may live: a folder and a file of one's own, on a disk of this machine.

use super::StoreError;
use nix::sys::statfs::{Statfs, statfs};
use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Files that SQLite keeps beside its own.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Checks the folder and the file, and makes both where they are missing (0700 and 0600).
pub(super) fn prepare(home: &Path, file: &Path) -> Result<(), StoreError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(home)
        .map_err(|e| {
            unavailable(
                home,
                format!("the folder cannot be made: {e}"),
                "set HCP_HOME to a folder of your own",
            )
        })?;
    check_file_system(home)?;
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(nix::libc::O_NOFOLLOW | nix::libc::O_CLOEXEC)
        .open(file);
    match made {
        Ok(_) => {}
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
        Err(e) => {
            return Err(unavailable(
                file,
                format!("it cannot be made: {e}"),
                "check the folder's permissions and the free space",
            ));
        }
    }
    check_file(file)?;
    for suffix in BESIDE {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        let beside = Path::new(&name);
        if beside.symlink_metadata().is_ok() {
            check_file(beside)?;
        }
    }
    Ok(())
}

fn check_file(path: &Path) -> Result<(), StoreError> {
    let meta = match path.symlink_metadata() {
        Ok(meta) => meta,
        // Another process closed the store between the look and this one.
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
        Err(e) => {
            return Err(unavailable(
                path,
                e.to_string(),
                "check the folder's permissions",
            ));
        }
    };
    if let Some(what) = not_regular(&meta) {
        return Err(unavailable(
            path,
            format!("it is {what}, not a regular file"),
            "move it away",
        ));
    }
    let me = nix::unistd::geteuid().as_raw();
    if meta.uid() != me {
        return Err(unavailable(
            path,
            format!("it belongs to user {}, and this is user {me}", meta.uid()),
            "move it away, or set HCP_HOME to a folder of your own",
        ));
    }
    if meta.mode() & 0o077 != 0 {
        return Err(unavailable(
            path,
            "others may read or write it".to_owned(),
            &format!("chmod 600 {}", path.display()),
        ));
    }
    Ok(())
}

/// What a path is instead of a regular file.
fn not_regular(meta: &Metadata) -> Option<&'static str> {
    let kind = meta.file_type();
    if kind.is_file() {
        None
    } else if kind.is_symlink() {
        Some("a symbolic link")
    } else if kind.is_dir() {
        Some("a folder")
    } else if kind.is_fifo() {
        Some("a pipe")
    } else {
        Some("a special file")
    }
}

fn check_file_system(home: &Path) -> Result<(), StoreError> {
    let stat = statfs(home)
        .map_err(|e| unavailable(home, e.to_string(), "check the folder's permissions"))?;
    match shared_file_system(&stat) {
        None => Ok(()),
        Some(name) => Err(unavailable(
            home,
            format!("it is on a network or shared file system ({name}), where locks do not hold"),
            "set HCP_HOME to a local folder",
        )),
    }
}

#[cfg(target_os = "linux")]
fn shared_file_system(stat: &Statfs) -> Option<&'static str> {
    // The kernel's magic numbers have 32 bits; the field is wider or signed on some machines.
    u32::try_from(i128::from(stat.filesystem_type().0) & 0xffff_ffff)
        .ok()
        .and_then(shared_magic)
}

#[cfg(not(target_os = "linux"))]
fn shared_file_system(stat: &Statfs) -> Option<&'static str> {
    const SHARED: [&str; 6] = ["nfs", "smbfs", "afpfs", "webdav", "macfuse", "osxfuse"];
    let name = stat.filesystem_type_name();
    SHARED.into_iter().find(|shared| *shared == name)
}

/// The file systems that more than one machine, or a machine and its guest, write to. All of FUSE is
/// among them, since the kernel does not tell sshfs from the rest.
#[cfg(target_os = "linux")]
fn shared_magic(magic: u32) -> Option<&'static str> {
    const SHARED: [(u32, &str); 22] = [
        (0x0000_6969, "NFS"),
        (0x0000_517b, "SMB"),
        (0xfe53_4d42, "SMB 2"),
        (0xff53_4d42, "CIFS"),
        (0x6573_5546, "FUSE"),
        (0x0102_1997, "9p"),
        (0x00c3_6400, "Ceph"),
        (0x0bd0_0bd0, "Lustre"),
        (0x786f_4256, "VirtualBox shared folder"),
        (0xbacb_acbc, "VMware shared folder"),
        (0x7c7c_6673, "Parallels shared folder"),
        (0x5346_414f, "AFS"),
        (0x6b41_4653, "AFS"),
        (0x7375_7245, "Coda"),
        (0x0000_564c, "NCP"),
        (0x0116_1970, "GFS2"),
        (0x7461_636f, "OCFS2"),
        (0x4750_4653, "GPFS"),
        (0x1983_0326, "BeeGFS"),
        (0x2003_0528, "OrangeFS"),
        (0xaad7_aaea, "PanFS"),
        (0x4753_4653, "GFS"),
    ];
    SHARED
        .into_iter()
        .find(|(known, _)| *known == magic)
        .map(|(_, name)| name)
}

pub(super) fn unavailable(path: &Path, reason: impl Into<String>, help: &str) -> StoreError {
    StoreError::Unavailable {
        path: path.to_owned(),
        reason: reason.into(),
        help: help.to_owned(),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn shared_file_systems_are_told_by_their_magic() {
        for (magic, shared) in [
            (0x6969, true),
            (0xff53_4d42, true),
            (0x6573_5546, true),
            (0x0102_1997, true),
            (0xef53, false),
            (0x0102_1994, false),
            (0x9123_683e, false),
            (0x5846_5342, false),
            (0x794c_7630, false),
        ] {
            assert_eq!(shared_magic(magic).is_some(), shared, "{magic:x}");
        }
    }
}
