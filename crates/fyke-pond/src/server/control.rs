//! What people and tests ask of the pond itself, under `/__pond/` on any host; never counted.

use super::{ServerState, wire};
use crate::{Answer, AnswerKind, Body};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use tokio::net::TcpStream;

/// What can be asked here, for people.
const INDEX: &str = "\
GET  /__pond/stats       what the judge has counted, by host and in sum (JSON)
GET  /__pond/truth       topics, copies, languages, queries with judgements (JSON)
GET  /__pond/hosts       the address of every host (JSON)
GET  /__pond/hosts?toml  the same as a line for [fetch] in fyke.toml
POST /__pond/reset       counts from zero
";

/// Answers what [`INDEX`] lists; the index itself at the bare prefix.
pub async fn answer(
    shore: &ServerState,
    socket: &mut TcpStream,
    method: &str,
    path: &str,
) -> io::Result<bool> {
    let answer = match (method, path) {
        ("GET" | "HEAD", "") => text(PLAIN, INDEX.into()),
        ("GET" | "HEAD", "stats") => text(JSON, json!(shore.judge.stats()).to_string()),
        ("GET" | "HEAD", "truth") => {
            let pond = Arc::clone(&shore.pond);
            let truth = tokio::task::spawn_blocking(move || json!(pond.truth()).to_string());
            text(JSON, truth.await.map_err(io::Error::other)?)
        }
        ("GET" | "HEAD", "hosts") => text(JSON, json!(hosts(shore)).to_string()),
        ("GET" | "HEAD", "hosts?toml") => text(PLAIN, toml(shore)),
        ("POST", "reset") => {
            shore.judge.reset();
            text(JSON, "{}".into())
        }
        (_, "reset") => not_allowed(),
        _ => Answer::missing(),
    };
    wire::send(socket, answer, method == "HEAD", &mut 0).await
}

const JSON: &str = "application/json";
const PLAIN: &str = "text/plain; charset=utf-8";

fn text(content_type: &str, body: String) -> Answer {
    Answer {
        status: 200,
        headers: vec![("content-type", content_type.into())],
        body: Body::Bytes(body.into_bytes()),
        kind: AnswerKind::Other,
    }
}

fn not_allowed() -> Answer {
    let mut answer = text(JSON, "{\"error\":\"use POST\"}".into());
    answer.status = 405;
    answer.headers.push(("allow", "POST".into()));
    answer
}

fn hosts(shore: &ServerState) -> BTreeMap<&str, String> {
    shore.hosts.iter().map(|(name, place)| (name.as_str(), place.address.to_string())).collect()
}

/// The line for `[fetch]` in fyke.toml.
fn toml(shore: &ServerState) -> String {
    let mut line = String::from("hosts = {");
    for (nth, (name, address)) in hosts(shore).iter().enumerate() {
        let comma = if nth == 0 { "" } else { "," };
        let _ = write!(line, "{comma} \"{name}\" = \"{address}\"");
    }
    line + " }\n"
}
