//! Files as inputs of filters: named, below folders, listed, or from standard input; PostScript goes through
//! Ghostscript where it is installed.

use crate::ghostscript::{self, Missing};
use fyke_stages::files::{self, Input};
use fyke_web::{Capture, Url};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// All inputs, found as they are asked for; standard input where none is named.
pub(super) fn inputs(
    files: &[PathBuf],
    list0: bool,
) -> Box<dyn Iterator<Item = Input> + Send + '_> {
    if list0 {
        return Box::new(files::listed(io::stdin()).flat_map(|path| files::walk(&path)));
    }
    if files.is_empty() {
        return Box::new(std::iter::once(Ok(PathBuf::from("-"))));
    }
    Box::new(files.iter().flat_map(|path| files::walk(path)))
}

/// An input that was read.
pub(super) struct ReadInput {
    pub capture: Capture,
    /// It is longer than is read.
    pub is_cut: bool,
}

/// Reads an input, or says why it cannot be read. `lacks_gs` becomes true when a file asks for gs, which is not there.
pub(super) fn read(
    path: &Path,
    url: Option<&Url>,
    lacks_gs: &AtomicBool,
) -> Result<ReadInput, String> {
    let read = match path == Path::new("-") {
        true => {
            let mut bytes = Vec::new();
            let read = io::stdin().take(files::MOST_BYTES).read_to_end(&mut bytes);
            read.map(|_| bytes)
        }
        false => files::read(path),
    };
    let bytes = read.map_err(|error| format!("{}: {error}", path.display()))?;
    let is_cut = bytes.len() as u64 >= files::MOST_BYTES;
    let capture = files::capture(path, url, bytes);
    let capture = if is_postscript(&capture.payload) { by_gs(capture, lacks_gs) } else { capture };
    Ok(ReadInput { capture, is_cut })
}

/// What is said of an input that is longer than is read.
pub(super) fn cut_note() -> String {
    format!("cut at {} MiB", files::MOST_BYTES >> 20)
}

fn is_postscript(bytes: &[u8]) -> bool {
    fyke_formats::detect(bytes, None, "").is_some_and(|row| row.name == "postscript")
}

/// The capture with the text that gs finds in it; as it is where gs gives none.
fn by_gs(capture: Capture, lacks_gs: &AtomicBool) -> Capture {
    match ghostscript::text(&capture.payload) {
        Ok(text) if !text.trim().is_empty() => {
            let headers = vec![("Content-Type".to_owned(), "text/plain; charset=utf-8".to_owned())];
            Capture { payload: text.into_bytes(), headers, ..capture }
        }
        Err(Missing::Program) => {
            lacks_gs.store(true, Ordering::Relaxed);
            capture
        }
        _ => capture,
    }
}
