//! Real texts to measure on: lines of JSON as `fyke export jsonl` writes them, and collections of others that have
//! a title and a text on a line.

use anyhow::Context as _;
use flate2::read::MultiGzDecoder;
use fyke::cli::Failure;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A document of a collection.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RealText {
    pub url: String,
    pub title: String,
    pub text: String,
    #[serde(alias = "lang")]
    pub language: String,
}

/// The texts of all files of JSON lines under a folder, packed or not, by the names of the files; at most so many.
pub(crate) fn real_texts(folder: &Path, most: Option<u64>) -> anyhow::Result<Vec<RealText>> {
    let mut files = Vec::new();
    find(folder, &mut files)?;
    files.sort();
    let most = most.map_or(usize::MAX, |most| most as usize);
    let mut texts = Vec::new();
    for file in files {
        let place = || format!("{}", file.display());
        let opened = File::open(&file).with_context(place)?;
        let plain: Box<dyn Read> = match file.extension().is_some_and(|end| end == "gz") {
            true => Box::new(MultiGzDecoder::new(opened)),
            false => Box::new(opened),
        };
        for line in BufReader::new(plain).lines() {
            if texts.len() == most {
                return Ok(texts);
            }
            texts.push(serde_json::from_str(&line.with_context(place)?).with_context(place)?);
        }
    }
    if texts.is_empty() {
        let message = format!("no .jsonl or .jsonl.gz file under {}", folder.display());
        return Err(Failure::usage(message).into());
    }
    Ok(texts)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            find(&path, files)?;
        } else if name.ends_with(".jsonl") || name.ends_with(".jsonl.gz") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn texts_are_read_from_files_in_order_packed_or_not() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("b");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(inner.join("x.jsonl"), "{\"text\": \"second\", \"words\": 1}\n").unwrap();
        std::fs::write(dir.path().join("notes.txt"), "no JSON").unwrap();
        let packed = File::create(dir.path().join("a.jsonl.gz")).unwrap();
        let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::fast());
        packed.write_all(b"{\"id\": \"1\", \"title\": \"first\", \"text\": \"\"}\n").unwrap();
        packed.finish().unwrap();
        let texts = real_texts(dir.path(), None).unwrap();
        let read: Vec<_> = texts.iter().map(|text| (&*text.title, &*text.text)).collect();
        assert_eq!(read, [("first", ""), ("", "second")]);
        assert_eq!(real_texts(dir.path(), Some(1)).unwrap().len(), 1);
        assert!(real_texts(&inner.join("none"), None).is_err());
    }
}
