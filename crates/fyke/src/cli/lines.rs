//! Lines in, lines out: what the small filters share. A line is read with a bound, an answer is on
//! its way before the next line is waited for, and a reader that went away ends the work quietly.

use super::Failure;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Longest line that is read; what follows is passed over up to the line's end.
const MOST_BYTES: usize = 65_536;
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One line without its end.
#[derive(Debug)]
pub(super) struct InputLine {
    bytes: Vec<u8>,
    /// False when the line went on after [`MOST_BYTES`].
    pub whole: bool,
}

impl InputLine {
    /// The line as text; octets that are no UTF-8 become `%XX`, which is what they mean in a URL.
    #[must_use]
    pub(super) fn text(&self) -> Cow<'_, str> {
        if let Ok(text) = std::str::from_utf8(&self.bytes) {
            return Cow::Borrowed(text);
        }
        let mut text = String::with_capacity(self.bytes.len() + 16);
        for chunk in self.bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            for octet in chunk.invalid() {
                text.push_str(&format!("%{octet:02X}"));
            }
        }
        Cow::Owned(text)
    }

    /// The line as it came.
    #[must_use]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Editors on Windows put a byte order mark before the first line of a file.
    fn strip_bom(&mut self) {
        if self.bytes.starts_with(BOM) {
            self.bytes.drain(..BOM.len());
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }
}

/// Where lines come from: those given as arguments, then files (`-` is standard input). With none of
/// both it is standard input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources<'a> {
    pub given: &'a [String],
    pub files: &'a [PathBuf],
}

/// Writes the answer to every line that is not blank.
///
/// # Errors
/// When a file cannot be read or the answers cannot be written.
pub(super) fn each(
    sources: Sources<'_>,
    answer: impl FnMut(&InputLine) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let mut out = BufWriter::with_capacity(MOST_BYTES, io::stdout().lock());
    let done = answer_all(sources, answer, &mut out).and_then(|()| Ok(out.flush()?));
    match done {
        Err(error) if is_broken_pipe(&error) => Ok(()),
        done => done,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn answer_all(
    Sources { given, files }: Sources<'_>,
    mut answer: impl FnMut(&InputLine) -> anyhow::Result<String>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    for text in given {
        let line = InputLine { bytes: text.clone().into_bytes(), whole: true };
        writeln!(out, "{}", answer(&line)?)?;
    }
    let standard = [PathBuf::from("-")];
    let none = given.is_empty() && files.is_empty();
    for file in if none { &standard } else { files } {
        let mut input = open(file)?;
        for number in 0_u64.. {
            if input.buffer().is_empty() {
                out.flush()?;
            }
            let mut line = read_line(&mut input)
                .map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
            if let Some(first) = line.as_mut().filter(|_| number == 0) {
                first.strip_bom();
            }
            match line {
                None => break,
                Some(line) if line.is_blank() => {}
                Some(line) => writeln!(out, "{}", answer(&line)?)?,
            }
        }
    }
    Ok(())
}

/// Opens a file, or standard input for `-`.
///
/// # Errors
/// When it cannot be opened (exit 2).
pub(super) fn open(path: &Path) -> anyhow::Result<BufReader<Box<dyn Read>>> {
    let input: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(
            File::open(path)
                .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?,
        ),
    };
    Ok(BufReader::with_capacity(MOST_BYTES, input))
}

pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(MOST_BYTES as u64).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    let mut whole = true;
    if bytes.ends_with(b"\n") {
        bytes.pop();
        bytes.pop_if(|last| *last == b'\r');
    } else if read == MOST_BYTES {
        whole = input.skip_until(b'\n')? == 0;
    }
    Ok(Some(InputLine { bytes, whole }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Vec<(String, bool)> {
        let mut input = BufReader::with_capacity(7, input);
        std::iter::from_fn(|| read_line(&mut input).unwrap())
            .map(|line| (line.text().into_owned(), line.whole))
            .collect()
    }

    #[test]
    fn lines_lose_their_ends_and_nothing_else() {
        let line = |text: &str| (text.to_owned(), true);
        assert_eq!(read(b""), []);
        assert_eq!(read(b" a \r\n\nb"), [line(" a "), line(""), line("b")]);
        assert_eq!(read(b"\xe9t\xc3\xa9\n"), [line("%E9té")]);
    }

    #[test]
    fn a_huge_line_is_cut_and_the_next_one_still_comes() {
        let mut input = vec![b'a'; 3 * MOST_BYTES];
        input.extend(b"\nnext\n");
        let lines = read(&input);
        assert_eq!((lines[0].0.len(), lines[0].1), (MOST_BYTES, false));
        assert_eq!(lines[1..], [("next".to_owned(), true)]);
        input.truncate(MOST_BYTES);
        assert_eq!(read(&input).len(), 1);
        assert!(read(&input)[0].1, "a last line of just that length is whole");
    }
}
