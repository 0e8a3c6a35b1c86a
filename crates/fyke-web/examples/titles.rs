//! Prints the titles of the pages of one site, by each page alone and by what the host's titles share, to be
//! judged by eye.
//!
//! ```text
//! cargo run -p fyke-web --example titles -- host.test FOLDER [FILES] > titles.tsv
//! ```

#![allow(clippy::print_stdout, reason = "its lines are its result")]

use fyke_formats::parse;
use fyke_web::{
    Capture, Document, HostSample, HostTitles, OtherName, TitleCounts, Url, UrlId, is_spelled,
    refine,
};
use std::path::{Path, PathBuf};

const HOST: UrlId = UrlId(1);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let host = arguments.next().ok_or("give the host")?;
    let folder = arguments.next().ok_or("give the folder")?;
    let most: usize = arguments.next().map_or(Ok(usize::MAX), |most| most.parse())?;
    let mut files = Vec::new();
    walk(Path::new(&folder), &mut files)?;
    files.sort();
    let step = files.len().div_ceil(most).max(1);
    let mut pages = Vec::new();
    for file in files.iter().step_by(step) {
        let path = file.strip_prefix(&folder)?.to_string_lossy().into_owned();
        let url = Url::parse(&format!("http://{host}/{path}"))?;
        let headers = vec![("Content-Type".to_owned(), "text/html".to_owned())];
        let payload = std::fs::read(file)?;
        let capture = Capture { url, time: 0, status: 200, headers, payload, truncated: None };
        let page = parse(&capture);
        if page.refresh.is_none() {
            pages.push(refine(&capture, &page));
        }
    }
    let mut sample = HostSample::default();
    for page in &pages {
        if !sample.is_full() {
            sample.add(&page.names);
        }
    }
    let titles = sample.finish();
    print(&titles, &pages, &host);
    Ok(())
}

fn print(titles: &HostTitles, pages: &[Document], host: &str) {
    let title = |page: &Document| titles.title(&page.names, &page.site, host);
    let others =
        |page: &Document, title: &str| -> Vec<OtherName> { titles.others(&page.names, title) };
    let mut counts = TitleCounts::default();
    for page in pages {
        counts.add(HOST, &title(page));
    }
    for page in pages {
        let title = title(page);
        if counts.is_shared(HOST, &title) {
            counts.add_others(HOST, &others(page, &title));
        }
    }
    for page in pages {
        let title = title(page);
        let own = Url::parse(&page.url).is_ok_and(|url| is_spelled(&title, url.path()));
        let chosen = match !own && counts.is_shared(HOST, &title) {
            true => counts.choose(HOST, &title, others(page, &title)).unwrap_or(title),
            false => title,
        };
        println!("{}\t{}\t{}\t{}", page.url, page.names.element, page.title, chosen);
    }
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "html" || end == "htm")
            && !path.is_symlink()
        {
            files.push(path);
        }
    }
    Ok(())
}
