//! `fyke tokens`: what the index makes of a text (003 §4.3.2).

use super::{Exit, Failure, Global, lines};
use fyke_text::Token;
use fyke_text::segment::Segmenter;
use serde_json::json;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Most bytes of a file that are read.
const MOST_BYTES: u64 = 64 << 20;

/// Print the tokens of texts as they are indexed
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  echo \"O'Neil's C++ in the U.S.A.\" | fyke tokens     oneils, c++, in, the, usa
  fyke tokens --language en letter.txt                with stems; stop words are marked
  fyke tokens --words dictionary.txt zh.txt           split Chinese into words instead of pairs
  fyke tokens --json letter.txt | jq -r .form | sort | uniq -c | sort -rn | head

Each output line is a token in its indexed form. With --language, its stem follows after a tab, and
\"stop\" if it is a stop word. With --json the line also has the position in bytes. The file of
--words has one Chinese word per line; the frequencies are estimated from the text. At most 64 MiB
of a file are read.")]
pub(super) struct Args {
    /// Text files; - is standard input [default: -]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Show stems and stop words of this language
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Split Chinese text into the words of this list
    #[arg(long, value_name = "FILE")]
    words: Option<PathBuf>,
}

/// Rounds in which the use of words is learnt.
const ROUNDS: usize = 3;

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let standard = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard[..] } else { &args.files };
    let words = args.words.as_deref().map(read).transpose()?;
    let mut out = BufWriter::new(io::stdout().lock());
    for path in files {
        let text = read(path)?;
        let tokens = match &words {
            Some(words) => segmented(&text, words),
            None => fyke_text::tokens(&text).collect(),
        };
        let done = write(&tokens, args.language.as_deref(), global.json, &mut out);
        match done.and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Exit::Done),
            done => done?,
        }
    }
    Ok(Exit::Done)
}

fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let read = lines::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The tokens of a text with Chinese in words of a list.
fn segmented<'t>(text: &'t str, words: &str) -> Vec<Token<'t>> {
    let mut segmenter = Segmenter::new(words.lines());
    segmenter.learn(&text.lines().collect::<Vec<_>>(), ROUNDS);
    let mut found = Vec::new();
    // What is not Chinese is taken together: the segmenter knows nothing of its letters.
    let (mut start, mut other) = (0, 0);
    for part in text.split_inclusive('\n').flat_map(|line| segmenter.segment(line)) {
        if part.contains(is_han) {
            found.extend(tokens_of(text, other, start));
            found.push(Token { text: part, start });
            other = start + part.len();
        }
        start += part.len();
    }
    found.extend(tokens_of(text, other, start));
    found
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}')
}

/// The tokens between two places of a text.
fn tokens_of(text: &str, from: usize, to: usize) -> impl Iterator<Item = Token<'_>> {
    let found = fyke_text::tokens(&text[from..to]);
    found.map(move |token| Token { start: from + token.start, ..token })
}

fn write(
    tokens: &[Token<'_>],
    language: Option<&str>,
    is_json: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    for token in tokens {
        let form = fyke_text::fold(token.text);
        let known =
            language.map(|code| (fyke_text::stem(code, &form), fyke_text::is_stop(code, &form)));
        match (is_json, known) {
            (false, None) => writeln!(out, "{form}")?,
            (false, Some((stem, false))) => writeln!(out, "{form}\t{stem}")?,
            (false, Some((stem, true))) => writeln!(out, "{form}\t{stem}\tstop")?,
            (true, known) => {
                let mut row = json!({ "form": form, "text": token.text, "start": token.start });
                if let Some((stem, is_stop)) = known {
                    (row["stem"], row["stop"]) = (json!(stem), json!(is_stop));
                }
                writeln!(out, "{row}")?;
            }
        }
    }
    Ok(())
}
