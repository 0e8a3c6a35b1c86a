//! The memory this process holds, as the system tells it.

/// Memory held now, in bytes; 0 where the system does not tell.
#[must_use]
pub fn rss() -> u64 {
    status("VmRSS:")
}

/// The most memory this process ever held, in bytes; 0 where the system does not tell.
#[must_use]
pub fn peak_rss() -> u64 {
    status("VmHWM:")
}

/// Counts the most memory from now on, where the system allows it.
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
