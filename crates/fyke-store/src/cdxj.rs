//! CDXJ: the sorted index beside a WARC file by which pywb and other archive tools find a capture.
//! Made by reading the WARC, so it can be thrown away and made again.

use crate::StoreError;
use crate::captures::CapturesView;
use crate::surt::surt;
use crate::tail::sync_dir;
use crate::warc::reader::Found;
use crate::warc::{date, digest, http};
use fyke_web::Url;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes the index of every file whose index is missing or older than it.
pub(crate) fn write(captures: &CapturesView) -> Result<(), StoreError> {
    for file in 0..=captures.end().0 {
        let warc = captures.path(file);
        let index = warc.with_extension("").with_extension("cdxj");
        if warc.exists() && !is_newer(&index, &warc) {
            let lines = lines(captures, file)?;
            write_atomically(&index, &lines).map_err(|e| StoreError::io(&index, e))?;
        }
    }
    Ok(())
}

fn is_newer(index: &Path, warc: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|m| m.modified());
    matches!((modified(index), modified(warc)), (Ok(index), Ok(warc)) if index > warc)
}

/// The index's lines in byte order, as tools that search them by halving expect.
fn lines(captures: &CapturesView, file: u32) -> Result<Vec<String>, StoreError> {
    let name = format!("{file:05}.warc.gz");
    let mut lines: Vec<String> =
        captures.records(file, 0)?.filter_map(|found| line(found, &name)).collect();
    lines.sort_unstable();
    Ok(lines)
}

/// `surt timestamp {json}` of a response record.
fn line(found: Found, file: &str) -> Option<String> {
    let record = found.record.ok().filter(crate::Record::is_response)?;
    let url = Url::stored(record.header("WARC-Target-URI")?).ok()?;
    let time = crate::warc::milliseconds(record.header("WARC-Date")?)?;
    let http::Head { status, headers, length } = http::parse(&record.block)?;
    let digest = match record.header("WARC-Payload-Digest") {
        Some(digest) => digest.to_owned(),
        None => digest(&record.block[length..]),
    };
    let mime = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let mime = mime.and_then(|(_, value)| value.split([';', ',', ' ']).next()).unwrap_or("unk");
    let mime = if mime.is_empty() { "unk" } else { mime };
    let json = serde_json::json!({
        "url": url.as_str(),
        "mime": mime,
        "status": status.to_string(),
        "digest": digest.trim_start_matches("sha1:"),
        "length": found.length.to_string(),
        "offset": found.offset.to_string(),
        "filename": file,
    });
    let timestamp: String = date(time).chars().filter(char::is_ascii_digit).take(14).collect();
    Some(format!("{} {timestamp} {json}\n", surt(&url)))
}

/// A reader sees the old index or the new one, never half of one.
fn write_atomically(path: &Path, lines: &[String]) -> io::Result<()> {
    let new = path.with_extension("cdxj.new");
    let write = || {
        let mut file = io::BufWriter::new(File::create(&new)?);
        for line in lines {
            file.write_all(line.as_bytes())?;
        }
        file.into_inner()?.sync_all()?;
        fs::rename(&new, path)
    };
    let result = write();
    if result.is_err() {
        let _ = fs::remove_file(&new);
    }
    result?;
    path.parent().map_or(Ok(()), |dir| sync_dir(dir).map_err(io::Error::other))
}
