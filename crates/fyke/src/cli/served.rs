//! `fyke pond --folder DIR`: the files of a folder as sites on loopback.

use super::pond::taken;
use super::{Exit, Failure, Global, output, plain, stop};
use fyke_pond::folder::{self, Folder};
use serde_json::json;
use std::net::SocketAddr;
use std::path::Path;
use tokio::net::TcpListener;

pub(super) fn run(
    global: &Global,
    path: &Path,
    port: u16,
    until_eof: bool,
) -> anyhow::Result<Exit> {
    let wrong = |what: String| Failure::usage(format!("--folder {}: {what}", path.display()));
    let folder = Folder::read(path).map_err(|error| wrong(error.to_string()))?;
    let (seeds, pages) = (folder.seeds(), folder.pages());
    if seeds.is_empty() {
        return Err(wrong("there is no .html file in it".to_owned()).into());
    }
    // One thread: handing a small page from thread to thread costs more than reading it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        let bind = SocketAddr::from(([127, 0, 0, 1], port));
        let listener = TcpListener::bind(bind).await.map_err(|error| taken(bind, &error))?;
        announce(global, &seeds, pages, listener.local_addr()?.port())?;
        tokio::select! {
            asked = stop::asked() => asked?,
            () = plain::end_of_input(), if until_eof => {}
            () = folder::serve(folder, listener) => {}
        }
        Ok(Exit::Done)
    });
    // The thread that reads standard input may wait for ever.
    runtime.shutdown_background();
    done
}

fn announce(global: &Global, seeds: &[String], pages: usize, port: u16) -> anyhow::Result<()> {
    let (at, stats) = (format!("127.0.0.1:{port}"), "__pond/stats");
    if global.json {
        return output::say_json(&json!({
            "port": port, "seeds": seeds, "pages": pages, "hosts": { "*.test": at },
            "stats": format!("http://{at}/{stats}"),
        }));
    }
    output::say(&format!(
        "# a fyke.toml for these {pages} pages; what the server saw: http://{at}/{stats}\n\
         [seeds]\nurls = {seeds:?}\n\n[politeness]\nfloor = \"0s\"\nfactor = 0.0\nper_address = 0\n\n\
         [fetch]\nhosts = {{ \"*.test\" = {at:?} }}"
    ));
    output::note(global.quiet, "serving until Ctrl-C");
    Ok(())
}
