//! Ghostscript, where it is installed: the text of PostScript that draws its letters by program.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long one file may take.
const LONGEST: Duration = Duration::from_secs(20);
/// How often we look whether it has ended.
const LOOK: Duration = Duration::from_millis(5);
/// Most bytes of text that are taken.
const MOST_BYTES: u64 = 16 << 20;

/// Why there is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The program is not there.
    Program,
    /// It failed, or took too long.
    Text,
}

/// The text of a PostScript file, pages apart by form feeds.
///
/// # Errors
/// When the program is missing, fails or takes too long.
pub(crate) fn text(postscript: &[u8]) -> Result<String, Missing> {
    let mut child = Command::new("gs")
        .args(["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=txtwrite", "-sOutputFile=-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|_| Missing::Program)?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(postscript)));
        let reader = scope.spawn(move || {
            let mut text = Vec::new();
            let read = stdout.map(|stdout| stdout.take(MOST_BYTES).read_to_end(&mut text));
            read.is_some_and(|read| read.is_ok()).then_some(text)
        });
        let is_done = wait(&mut child);
        let text = reader.join().ok().flatten().filter(|_| is_done).ok_or(Missing::Text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    })
}

/// Waits for the program's end; ends it when it takes too long. True when all went well.
fn wait(child: &mut Child) -> bool {
    let end = Instant::now() + LONGEST;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < end => std::thread::sleep(LOOK),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}
