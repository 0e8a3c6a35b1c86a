//! How far the scanner agrees with html5ever on the links of real pages: the share of links that
//! both find, and those that one alone does.
//! `cargo run --release -p fyke-web --example link_agreement PAGE…` (.html or .html.gz)

#[path = "../tests/it/oracle.rs"]
mod oracle;

use fyke_formats::parse;
use fyke_web::{Capture, Url};
use std::collections::HashSet;
use std::io::{Read, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let (mut pages, mut both, mut ours, mut theirs) = (0, 0, 0, 0);
    for name in std::env::args().skip(1) {
        let mut payload = std::fs::read(&name)?;
        if name.ends_with(".gz") {
            let packed = std::mem::take(&mut payload);
            flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut payload)?;
        }
        let url = Url::parse("http://a.test/dir/page")?;
        let headers = vec![("Content-Type".into(), "text/html".into())];
        let capture = Capture { url, time: 0, status: 200, headers, payload, truncated: None };
        let page = parse(&capture);
        let found: HashSet<Url> = page.links.into_iter().map(|link| link.url).collect();
        let expected: HashSet<Url> =
            oracle::links(&page.content, &capture.url).into_iter().collect();
        pages += 1;
        both += found.intersection(&expected).count();
        ours += found.difference(&expected).count();
        theirs += expected.difference(&found).count();
        for link in found.symmetric_difference(&expected) {
            writeln!(out, "{name}: {link}")?;
        }
    }
    let share = 100.0 * f64::from(both as u32) / f64::from((both + ours + theirs) as u32);
    writeln!(out, "{pages} pages, {both} links of both, {ours} ours alone, {theirs} theirs alone")?;
    writeln!(out, "{share:.3} % agreement")?;
    Ok(())
}
