//! `cargo bench-fyke encodings`: files whose encoding is known by the name of their folder (chardet's test
//! files), decoded as found, and again by detection alone.

use super::report::BenchReport;
use super::{Args, Benchmark, data};
use anyhow::Context as _;
use fyke_web::charset;
use std::path::{Path, PathBuf};

pub(crate) const ROW: Benchmark = Benchmark {
    name: "encodings",
    what: "character encodings: files decoded to the right text, with and without their labels",
    options: &["data", "pin"],
    run,
};

/// Encodings of the set that are not read.
const OUTSIDE: [&str; 3] = ["euc-tw", "iso-2022-kr", "johab"];

fn run(args: &Args) -> anyhow::Result<BenchReport> {
    let folder = data(args)?.join("encodings/chardet/tests");
    let (mut files, mut outside, mut right, mut detected) = (0_u32, 0_u32, 0_u32, 0_u32);
    for kind in entries(&folder)?.into_iter().filter(|path| path.is_dir()) {
        let name = kind.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        for file in entries(&kind)? {
            files += 1;
            let bytes = std::fs::read(&file).with_context(|| format!("{}", file.display()))?;
            let Some(expected) = expected(&bytes, &name) else {
                outside += 1;
                continue;
            };
            right += u32::from(same(&charset::decode(&bytes, None), &expected));
            detected += u32::from(same(&by_detection(&bytes), &expected));
        }
    }
    let mut report = BenchReport::default();
    let share = |count: u32, of: u32| f64::from(count) / f64::from(of.max(1));
    report.add("files", f64::from(files), "");
    report.add("of_encodings_not_read", f64::from(outside), "counted as wrong");
    report.add("right", f64::from(right), "");
    report.add("share_right", share(right, files), "of all");
    report.add("share_right_of_read", share(right, files - outside), "of those the web has");
    report.add("share_right_without_labels", share(detected, files - outside), "of the same");
    Ok(report)
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// The text in the encoding that the folder names: `encoding` or `encoding-language`.
fn expected(bytes: &[u8], folder: &str) -> Option<String> {
    let names = [folder, folder.rsplit_once('-').map_or(folder, |(name, _)| name)];
    if names.iter().any(|name| OUTSIDE.contains(name)) {
        return None;
    }
    if folder.starts_with("utf-16") || folder.starts_with("utf-32") || folder == "utf-8-sig" {
        return Some(charset::decode(bytes, None)).filter(|text| !text.contains('\u{FFFD}'));
    }
    let label = match folder {
        "macroman" => "macintosh",
        "maccyrillic" => "x-mac-cyrillic",
        "cp932" => "shift_jis",
        "cp949" => "euc-kr",
        other => names.into_iter().find(|name| charset::is_known(name)).unwrap_or(other),
    };
    charset::is_known(label).then(|| charset::decode_as(bytes, label))
}

/// What detection makes of bytes, as if they said nothing of their encoding.
fn by_detection(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') && !text.contains('\x1B') => text.to_owned(),
        _ if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0, 0, 0xFE, 0xFF]) => {
            charset::decode(bytes, None)
        }
        _ => charset::detect(bytes).decode(bytes).0.into_owned(),
    }
}

fn same(one: &str, other: &str) -> bool {
    one.trim_start_matches('\u{FEFF}') == other.trim_start_matches('\u{FEFF}')
}
