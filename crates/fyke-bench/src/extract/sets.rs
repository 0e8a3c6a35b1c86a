//! Sets of pages with their known text, as their makers publish them; each in a folder of its own.
//!
//! The texts of CleanPortalEval are taken as they stand but for the first line and the marks of
//! paragraphs, headings and items: the figures that its users publish count character references in
//! them as words. The same texts with the references decoded are a set of their own.

use anyhow::Context as _;
use fyke_formats::parse;
use fyke_web::{Capture, REFINERS, Url, charset};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page and its text.
pub(crate) struct GoldPage {
    pub name: String,
    /// What the page is for, as its set says; empty where it does not.
    pub kind: String,
    pub page: Capture,
    /// Its text; empty where the set knows only parts of it.
    pub gold: String,
    /// Parts that the text must hold, and parts that it must not.
    pub with: Vec<String>,
    pub without: Vec<String>,
}

impl GoldPage {
    /// A page whose whole text is known.
    fn whole(name: String, page: Capture, gold: String) -> GoldPage {
        GoldPage { name, kind: String::new(), page, gold, with: Vec::new(), without: Vec::new() }
    }
}

pub(crate) struct ExtractSet {
    pub name: &'static str,
    pub cases: Vec<GoldPage>,
}

/// How a set is read from its folder.
type SetReader = fn(&Path) -> anyhow::Result<Vec<GoldPage>>;

const SETS: &[(&str, &str, SetReader)] = &[
    ("zyte", "extraction-zyte", zyte),
    ("cleanportal", "extraction-cleanportal", portal_as_it_stands),
    ("cleanportal decoded", "extraction-cleanportal", portal_decoded),
    ("readability", "extraction-readability/test/test-pages", readability),
    ("chunks", "extraction-chunks", keyed),
    ("kinds", "extraction-kinds", keyed),
];

/// The sets that are there.
pub(crate) fn read(data: &Path) -> anyhow::Result<Vec<ExtractSet>> {
    let mut sets = Vec::new();
    for (name, folder, reader) in SETS {
        let folder = data.join(folder);
        if folder.is_dir() {
            let cases =
                reader(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
            sets.push(ExtractSet { name, cases });
        }
    }
    Ok(sets)
}

/// Writes all cases as lines of JSON (set, kind, name, html, gold, with, without), for peers and for training.
pub(crate) fn write(sets: &[ExtractSet], path: &Path) -> anyhow::Result<()> {
    let file =
        fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut file = std::io::BufWriter::new(file);
    for set in sets {
        for case in &set.cases {
            let html = charset::decode(&case.page.payload, None);
            let line = json!({
                "set": set.name, "kind": case.kind, "name": case.name, "html": html,
                "gold": case.gold, "with": case.with, "without": case.without,
            });
            writeln!(file, "{line}")?;
        }
    }
    file.flush()?;
    Ok(())
}

fn zyte(folder: &Path) -> anyhow::Result<Vec<GoldPage>> {
    let truth: Value = serde_json::from_slice(&fs::read(folder.join("ground-truth.json"))?)?;
    let truth = truth.as_object().context("ground-truth.json is no object")?;
    let case = |(key, value): (&String, &Value)| {
        let page = unpacked(&folder.join(format!("html/{key}.html.gz")))?;
        let gold = value["articleBody"].as_str().unwrap_or_default();
        let url = value["url"].as_str().unwrap_or_default();
        Ok(GoldPage::whole(key.clone(), capture(url, page), gold.to_owned()))
    };
    truth.iter().map(case).collect()
}

fn portal_as_it_stands(folder: &Path) -> anyhow::Result<Vec<GoldPage>> {
    portal(folder, str::to_owned)
}

fn portal_decoded(folder: &Path) -> anyhow::Result<Vec<GoldPage>> {
    portal(folder, |text| whole(text.as_bytes().to_vec()))
}

fn portal(folder: &Path, gold: fn(&str) -> String) -> anyhow::Result<Vec<GoldPage>> {
    let mut cases = Vec::new();
    for path in inside(&folder.join("GoldStandard"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        let (address, text) = text.trim_start().split_once('\n').unwrap_or_default();
        let text = text.replace("<p>", " ").replace("<h>", " ").replace("<l>", " ");
        let page = fs::read(folder.join("input").join(format!("{name}.html")))?;
        let page = capture(address.trim_start_matches("URL:").trim(), page);
        cases.push(GoldPage::whole(name, page, gold(&text)));
    }
    Ok(cases)
}

fn readability(folder: &Path) -> anyhow::Result<Vec<GoldPage>> {
    let mut cases = Vec::new();
    for path in inside(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let gold = whole(unpacked(&path.join("expected.html.gz"))?);
        let page = capture("", unpacked(&path.join("source.html.gz"))?);
        cases.push(GoldPage::whole(name, page, gold));
    }
    Ok(cases)
}

/// Pages under keys, packed, beside what is known of each: its text, or parts of it. A page goes by its host, so that
/// pages of one site stay together.
fn keyed(folder: &Path) -> anyhow::Result<Vec<GoldPage>> {
    let unpacked = tempfile::tempdir()?;
    run(
        "tar",
        &[
            "-xJf".as_ref(),
            folder.join("html.tar.xz").as_os_str(),
            "-C".as_ref(),
            unpacked.path().as_os_str(),
        ],
    )?;
    let plain = folder.join("gold.json");
    let truth = match plain.is_file() {
        true => fs::read(&plain)?,
        false => run("xz", &["-dc".as_ref(), folder.join("gold.json.xz").as_os_str()])?,
    };
    let truth: Value = serde_json::from_slice(&truth)?;
    let truth = truth.as_object().context("gold.json is no object")?;
    let case = |(key, value): (&String, &Value)| {
        let member = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let list = |name: &str| -> Vec<String> {
            let list = value[name].as_array().into_iter().flatten();
            list.filter_map(|part| part.as_str().map(str::to_owned)).collect()
        };
        let page = fs::read(unpacked.path().join(format!("html/{key}.html")))?;
        let host =
            member("url").trim_start_matches("https://").trim_start_matches("http://").to_owned();
        Ok(GoldPage {
            name: host.split('/').next().unwrap_or_default().trim_start_matches("www.").to_owned(),
            // A blog's page is an article.
            kind: member("type").replace("blog", "article"),
            page: capture(&member("url"), page),
            gold: member("text"),
            with: list("with"),
            without: list("without"),
        })
    };
    truth.iter().map(case).collect()
}

/// What a program writes to its standard output.
fn run(program: &str, arguments: &[&OsStr]) -> anyhow::Result<Vec<u8>> {
    let made = Command::new(program).args(arguments).output();
    let made = made.with_context(|| format!("cannot run {program}, which unpacks the pages"))?;
    anyhow::ensure!(made.status.success(), "{program}: {}", String::from_utf8_lossy(&made.stderr));
    Ok(made.stdout)
}

/// All text of a page.
fn whole(html: Vec<u8>) -> String {
    let way = REFINERS.iter().find(|row| row.name == "whole").unwrap_or(&REFINERS[0]);
    let capture = capture("", html);
    fyke_web::document::content(&capture, &parse(&capture), way).text
}

/// A capture of a page; where the URL is missing or none, one of our own stands for it.
fn capture(url: &str, payload: Vec<u8>) -> Capture {
    let own = || Url::parse("http://fakehost.test/test/page.html").expect("a URL");
    Capture {
        url: Url::parse(url).unwrap_or_else(|_| own()),
        time: 0,
        status: 200,
        headers: vec![("Content-Type".into(), "text/html".into())],
        payload,
        truncated: None,
    }
}

fn unpacked(path: &Path) -> anyhow::Result<Vec<u8>> {
    let file = fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(file), &mut bytes)?;
    Ok(bytes)
}

/// What is in a folder, by name.
fn inside(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut paths: Vec<PathBuf> = entries.map(|e| Ok(e?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}
