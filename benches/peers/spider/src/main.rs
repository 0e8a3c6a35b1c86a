//! A crawler of a few lines on the `spider` crate, for `benches/peers/run.py`: one site, robots.txt
//! obeyed, no delay; every page is taken over its channel and counted. Nothing is stored.

use spider::website::Website;
use std::process::ExitCode;
use tokio::sync::broadcast::error::RecvError;

const USAGE: &str = "usage: spider-peer URL PAGES CONCURRENCY";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, pages, concurrency] = &arguments[..] else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let (Ok(pages), Ok(concurrency)) = (pages.parse(), concurrency.parse()) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut website = Website::new(url);
    website
        .with_respect_robots_txt(true)
        .with_delay(0)
        .with_limit(pages)
        .with_concurrency_limit(Some(concurrency));
    let mut channel = website.subscribe(1024);
    let counting = tokio::spawn(async move {
        let (mut pages, mut bytes) = (0_u64, 0_u64);
        loop {
            match channel.recv().await {
                Ok(page) => {
                    pages += 1;
                    bytes += page.get_html_bytes_u8().len() as u64;
                }
                // Pages that came faster than they were taken.
                Err(RecvError::Lagged(missed)) => pages += missed,
                Err(RecvError::Closed) => break,
            }
        }
        (pages, bytes)
    });
    website.crawl().await;
    website.unsubscribe();
    drop(website);
    let (pages, bytes) = counting.await.unwrap_or_default();
    println!("{{\"pages\": {pages}, \"bytes\": {bytes}}}");
    ExitCode::SUCCESS
}
