//! Asking a site on this machine, as plainly as possible.

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Sends a request; `head` is its first line and headers.
pub fn send(port: u16, head: &str, body: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let kind = "application/x-www-form-urlencoded";
    let length = body.len();
    write!(
        stream,
        "{head}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    BufReader::new(stream)
}

/// Status and body of an answer.
pub fn ask(port: u16, head: &str, body: &str) -> (u16, String) {
    let mut answer = String::new();
    send(port, head, body).read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or(0), body.to_owned())
}

/// A page that is there.
pub fn get(port: u16, path: &str) -> String {
    let (status, body) = ask(port, &format!("GET {path} HTTP/1.1\r\nHost: localhost"), "");
    assert_eq!(status, 200, "{path}: {body}");
    body
}

/// What stands in a text between two others.
pub fn between(text: &str, before: &str, after: &str) -> String {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}")).1;
    rest.split_once(after).unwrap().0.to_owned()
}
