//! What a page costs: times skim, parse and refine on a page from standard input, or on a generated one
//! of 30 kB with 50 links when the input is empty.
//! `cargo run --release -p fyke-web --example page_cost < /dev/null`

use fyke_formats::{open, parse, skim, skim_seen, skim_with_fingerprint};
use fyke_web::document::content;
use fyke_web::{Capture, REFINERS, SkimEvent, Url, fingerprint, refine};
use std::hint::black_box;
use std::io::{Read, Write};
use std::time::Instant;

const ROUNDS: u32 = 2_000;

/// A page of about 30 kB with 50 links, with navigation, paragraphs and a footer.
fn generated() -> Vec<u8> {
    let mut page = "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Eels</title>\
                    <style>body { margin: 0 }</style></head><body><nav><ul>"
        .to_owned();
    for i in 0..40 {
        page += &format!(
            "<li class=\"item\"><a href=\"/section/page-{i}.html\">Section {i}</a></li>\n"
        );
    }
    page += "</ul></nav><main><h1>Eels</h1>\n";
    for i in 0..100 {
        page += "<p class=\"text\">The eel leaves the sea as a thin <em>glass needle</em> and goes \
                 up the river by night; reeds grow along the bank &amp; in their shade the small \
                 fish wait. ";
        page += "Many a fisher has stood here in the rain, and few have seen more than a ripple.";
        if i % 8 == 0 {
            page += &format!(" See <a href=\"http://b.test/fish/{i}?view=full\">more of it</a>.");
        }
        page += "</p>\n";
    }
    page += "</main><footer><p>Fishing club</p></footer></body></html>";
    page.into_bytes()
}

/// Microseconds of `work` in its quickest round, the one least disturbed by others.
fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut round = || {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut payload = Vec::new();
    std::io::stdin().read_to_end(&mut payload)?;
    if payload.is_empty() {
        payload = generated();
    }
    let capture = Capture {
        url: Url::parse("http://a.test/fish/")?,
        time: 0,
        status: 200,
        headers: vec![("Content-Type".into(), "text/html; charset=utf-8".into())],
        payload,
        truncated: None,
    };
    let page = parse(&capture);
    let mut out = std::io::stdout().lock();
    writeln!(out, "page {} B, {} links", capture.payload.len(), page.links.len())?;
    writeln!(out, "parse {:.1} µs", least(|| parse(&capture)))?;
    writeln!(out, "skim {:.1} µs", least(|| skim(&capture)))?;
    let cost = least(|| skim_with_fingerprint(&capture));
    writeln!(out, "skim with fingerprint {cost:.1} µs")?;
    let cost = least(|| skim_seen(&capture, &mut |seen: SkimEvent<'_>| _ = black_box(seen)));
    writeln!(out, "skim with all seen {cost:.1} µs")?;
    let cost = least(|| fingerprint(page.format, &page.content));
    writeln!(out, "fingerprint alone {cost:.1} µs")?;
    for refiner in REFINERS {
        let cost = least(|| content(&capture, &page, refiner));
        writeln!(out, "main text by {} {cost:.1} µs", refiner.name)?;
    }
    let cost = least(|| open(&capture).content(&REFINERS[0]));
    writeln!(out, "main text alone, read from the capture {cost:.1} µs")?;
    writeln!(
        out,
        "refine with language, checksum, sketch {:.1} µs",
        least(|| refine(&capture, &page))
    )?;
    Ok(())
}
