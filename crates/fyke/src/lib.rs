//! fyke as a library: a collection's folder is opened, and then crawled on, searched, read, explained and
//! exported, as the commands of the same names do it. The command line is [`cli`]; what is more special than
//! this facade stands in the rooms below (`fyke_crawl`, `fyke_store`, `fyke_index` …).
//!
//! ```
//! # fn main() -> anyhow::Result<()> {
//! # use std::io::{BufRead, BufReader, Write};
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(folder.path())?;
//! # let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
//! # let at = listener.local_addr()?;
//! # std::thread::spawn(move || {
//! #     for stream in listener.incoming().map_while(Result::ok) {
//! #         let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
//! #         let first = lines.next().unwrap_or_default();
//! #         let _ = lines.take_while(|line| !line.is_empty()).count();
//! #         let (status, body) = match first.split(' ').nth(1) {
//! #             Some("/") => ("200 OK", "<title>Tides</title><p>Turbines. <a href=/about>About</a>"),
//! #             Some("/about") => ("200 OK", "<title>About</title><p>Who builds a tidal turbine here."),
//! #             _ => ("404 Not Found", ""),
//! #         };
//! #         let length = body.len();
//! #         let head = format!("HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {length}");
//! #         let _ = write!(&stream, "{head}\r\nconnection: close\r\n\r\n{body}");
//! #     }
//! # });
//! # std::fs::create_dir("tides")?;
//! # let settings = "[seeds]\nurls = ['http://tides.example/']\n[politeness]\nfloor = '0s'\nfactor = 0.0\n[corpus]\nmin_words = 0\n";
//! # std::fs::write("tides/fyke.toml", format!("{settings}[fetch.hosts]\n'tides.example' = '{at}'\n"))?;
//! let tides = fyke::open("tides")?; // a folder with a fyke.toml, as `fyke new` makes it
//! tides.crawl()?; // continues where it stopped, within the budget of fyke.toml
//! for hit in tides.search("\"tidal turbine\" -jobs")?.hits {
//!     println!("{} {}", hit.title, hit.url);
//! }
//! if let Some(document) = tides.document("tides.example/about")? {
//!     println!("{}", document.text);
//! }
//! println!("{:?}", tides.why("tides.example/about")?.map(|life| life.reason));
//! tides.export("jsonl", "tides.jsonl")?;
//! # assert_eq!(tides.search("\"tidal turbine\" -jobs")?.hits[0].title, "About");
//! # assert!(tides.document("tides.example/about")?.is_some_and(|found| found.text.contains("builds")));
//! # assert_eq!(tides.why("tides.example/about")?.map(|life| life.reason), Some("kept"));
//! # assert_eq!(std::fs::read_to_string("tides.jsonl")?.lines().count(), 2);
//! # Ok(())
//! # }
//! ```
#![warn(unreachable_pub)]

pub mod cli;
pub mod cpu;
pub mod demo;
mod facade;
mod ghostscript;
mod memory;

pub use facade::{OpenCollection, open};
pub use fyke_crawl::Summary;
pub use fyke_index::{Hit, Results};
pub use fyke_stages::config::Config;
pub use fyke_stages::export::Card;
pub use fyke_stages::life::Life;
pub use fyke_web::Document;
