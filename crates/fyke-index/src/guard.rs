//! The engine trusts what it reads: over a damaged file it may panic. Here such a panic becomes an error that names the
//! index, and its message is not printed.

use crate::error::IndexError;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is caught here.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does some work with the index in `dir`; a panic is damage.
pub(crate) fn guarded<T>(
    dir: &Path,
    work: impl FnOnce() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    if IS_GUARDED.get() {
        return work();
    }
    quieten();
    IS_GUARDED.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(false);
    done.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a file");
        let what = format!("it cannot be read: {text}");
        Err(IndexError::Broken { dir: dir.to_owned(), what })
    })
}

/// Panics that are caught here say nothing; all others are told as before.
fn quieten() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                before(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_that_names_the_folder() {
        let panics = || -> Result<(), IndexError> { panic!("{} bytes", 7) };
        let error = guarded(Path::new("x/index"), panics).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("x/index") && said.contains("7 bytes"), "{said}");
        assert!(guarded(Path::new("x"), || Ok(3)).is_ok_and(|n| n == 3));
    }
}
