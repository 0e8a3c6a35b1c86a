//! What a collecting run begins with: words, files, or a stop list.

use super::Args;
use crate::cli::Failure;
use fyke_derive::document_of;
use fyke_stages::config::{Config, ScopeMode};
use fyke_text::stop;
use fyke_web::{Capture, Url};
use std::path::Path;

/// Words of another language, where nobody names any: 004 has English ones.
const OTHER: &str = "en";

/// Texts in the language.
pub(super) fn texts(args: &Args, config: &Config, lang: &str) -> anyhow::Result<Vec<String>> {
    let mut texts = files(&args.documents)?;
    let words = args.words.join(" ");
    let given: Vec<&str> = words.split_whitespace().filter(|word| !word.starts_with('-')).collect();
    if !words.trim().is_empty() && given.is_empty() {
        let what = "--words: all of them are excluded (-word); give some that stand in the texts";
        return Err(Failure::usage(what).into());
    }
    texts.extend((!given.is_empty()).then(|| given.join(" ")));
    if texts.is_empty() {
        let list: Vec<&str> = stop::words(lang).collect();
        texts.extend((!list.is_empty()).then(|| list.join(" ")));
    }
    let has_letters = |text: &String| text.chars().any(char::is_alphabetic);
    if !texts.iter().any(has_letters) {
        let what = format!(
            "there is nothing to begin with: no list of common words of {lang:?} is built in; give ten \
             words with --words, or a text with --documents"
        );
        return Err(Failure::usage(what).into());
    }
    // Queries for a subject begin with its words.
    let is_focused = config.scope.mode == ScopeMode::Focused;
    texts.extend(is_focused.then(|| config.focus.keywords.join(" ")));
    Ok(texts)
}

/// Texts in other languages.
pub(super) fn others(args: &Args, lang: &str) -> anyhow::Result<Vec<String>> {
    let mut texts = files(&args.others)?;
    let words = args.words.iter().flat_map(|words| words.split_whitespace());
    let excluded: Vec<&str> = words.filter_map(|word| word.strip_prefix('-')).collect();
    texts.extend((!excluded.is_empty()).then(|| excluded.join(" ")));
    if texts.is_empty() && lang != OTHER {
        let list: Vec<&str> = stop::words(OTHER).collect();
        texts.push(list.join(" "));
    }
    Ok(texts)
}

fn files(paths: &[std::path::PathBuf]) -> anyhow::Result<Vec<String>> {
    paths.iter().map(|path| text(path)).collect()
}

/// The text of a file of any format that can be read.
fn text(path: &Path) -> anyhow::Result<String> {
    let wrong = |what: String| Failure::usage(format!("{}: {what}", path.display()));
    let payload = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let url = Url::parse("http://example.invalid/").and_then(|base| base.join(&name));
    let url = url.map_err(|error| wrong(error.to_string()))?;
    let (headers, truncated) = (Vec::new(), None);
    let capture = Capture { url, time: 0, status: 200, headers, payload, truncated };
    let document = document_of(&capture).map_err(|_| wrong("it cannot be read".to_owned()))?;
    match document.text.trim().is_empty() {
        true => Err(wrong("no text can be taken from it".to_owned()).into()),
        false => Ok(document.text),
    }
}
