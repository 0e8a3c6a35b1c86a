//! How the system's allocator deals memory out to threads.

/// Lets threads share arenas, one for each core and two at least, where the system has this choice.
///
/// The C library of GNU gives every thread an arena of its own, up to eight for each core, and what a thread frees stays
/// in its arena: a crawl of hostile pages held 390 MB by that, and holds 250 MB without (`cargo bench-fyke attack
/// --pages 100 --size 300000`). Call it before there are threads.
pub(crate) fn share_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
        let most = i32::try_from(cores).unwrap_or(i32::MAX);
        #[expect(unsafe_code, reason = "no safe crate offers this call")]
        // SAFETY: mallopt takes two numbers by value and is safe to call at any time; a value it refuses changes nothing.
        let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, most) };
    }
}
