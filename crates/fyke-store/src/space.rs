//! Room on the disk: a crawl stops before the last byte is gone, so that tables can still be put in
//! order, and it says so instead of failing half way.

use crate::StoreError;
use std::path::Path;

const MIB: u64 = 1024 * 1024;

/// Bytes that may still be written to the file system holding `path`; zero when it cannot be told.
pub(crate) fn free(path: &Path) -> u64 {
    statvfs(path).map_or(0, |(free, _)| free)
}

/// Free and total bytes of the file system holding `path`.
fn statvfs(path: &Path) -> Option<(u64, u64)> {
    let v = rustix::fs::statvfs(path).ok()?;
    Some((v.f_bavail.saturating_mul(v.f_frsize), v.f_blocks.saturating_mul(v.f_frsize)))
}

/// What is to stay free: 64 MiB, or a twentieth of a small file system, but never under 4 MiB.
fn reserve(total: u64) -> u64 {
    (total / 20).clamp(4 * MIB, 64 * MIB)
}

/// Refuses a write of about `bytes` that would eat into the reserve.
pub(crate) fn require(path: &Path, bytes: u64) -> Result<(), StoreError> {
    match statvfs(path) {
        Some((free, total)) if free < reserve(total).saturating_add(bytes) => {
            Err(StoreError::Full { path: path.into(), free })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserve_fits_the_file_system() {
        assert_eq!(reserve(48 * MIB), 4 * MIB);
        assert_eq!(reserve(1000 * MIB), 50 * MIB);
        assert_eq!(reserve(u64::MAX), 64 * MIB);
    }

    #[test]
    fn a_write_larger_than_the_disk_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(require(dir.path(), 0).is_ok());
        assert!(matches!(require(dir.path(), u64::MAX), Err(StoreError::Full { .. })));
    }
}
