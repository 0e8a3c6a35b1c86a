//! HTTP/1.1 as bytes: reading the head of a request, writing an answer, sound or not.

use crate::{Answer, Body};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Longest head of a request, and longest body that is skipped.
const MOST: usize = 64 * 1024;
/// Bodies up to this size leave in one write with their head.
const ONE_WRITE: usize = 256 * 1024;

/// The head of a request.
#[derive(Debug)]
pub struct PondRequestHead<'a> {
    pub method: &'a str,
    /// Path and query.
    pub path: &'a str,
    /// In lower case, without port.
    pub host: String,
    pub headers: Vec<(&'a str, &'a str)>,
    /// The client wants the connection closed afterwards.
    pub is_last: bool,
    pub body_length: usize,
}

impl<'a> PondRequestHead<'a> {
    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }
}

/// Reads until a whole head is in the buffer and gives its length; none when the client is gone.
pub async fn read_head(socket: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
    let mut searched: usize = 0;
    loop {
        let from = searched.saturating_sub(3);
        if let Some(at) = buffer[from..].windows(4).position(|window| window == b"\r\n\r\n") {
            return Ok(Some(from + at + 4));
        }
        searched = buffer.len();
        if searched > MOST || socket.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
}

/// Reads a head. None where it is no HTTP/1 request of the kind the pond answers.
pub fn parse(head: &[u8]) -> Option<PondRequestHead<'_>> {
    let text = std::str::from_utf8(head).ok()?;
    let mut lines = text.split("\r\n");
    let mut request = lines.next()?.split(' ');
    let (method, path, version) = (request.next()?, request.next()?, request.next()?);
    if !path.starts_with('/') || !version.starts_with("HTTP/1.") {
        return None;
    }
    let headers: Vec<(&str, &str)> = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name, value.trim()))
        .collect();
    let mut head = PondRequestHead {
        method,
        path,
        host: String::new(),
        headers,
        is_last: false,
        body_length: 0,
    };
    let host = head.header("host").unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    head.host = name.trim_end_matches('.').to_ascii_lowercase();
    head.is_last = match head.header("connection") {
        Some(value) => value.eq_ignore_ascii_case("close"),
        None => version == "HTTP/1.0",
    };
    head.body_length = match head.header("content-length") {
        Some(length) => length.parse().ok().filter(|&length| length <= MOST)?,
        None => 0,
    };
    (head.header("transfer-encoding").is_none()).then_some(head)
}

/// Reads until so many bytes are in the buffer.
pub async fn fill(socket: &mut TcpStream, buffer: &mut Vec<u8>, length: usize) -> io::Result<()> {
    while buffer.len() < length {
        if socket.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}

/// Drops the first `length` bytes that came or are still to come.
pub async fn skip(socket: &mut TcpStream, buffer: &mut Vec<u8>, length: usize) -> io::Result<()> {
    fill(socket, buffer, length).await?;
    buffer.drain(..length);
    Ok(())
}

/// Answers what is no request and closes.
pub async fn refuse(socket: &mut TcpStream) -> io::Result<()> {
    socket.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await?;
    socket.shutdown().await
}

/// Sends an answer, counting bytes as they leave. Whether the connection can be used again.
pub async fn send(
    socket: &mut TcpStream,
    answer: Answer,
    is_head: bool,
    sent: &mut u64,
) -> io::Result<bool> {
    let mut head = start(&answer);
    let has_body = !is_head && answer.status != 304;
    match answer.body {
        Body::Bytes(bytes) => {
            framed(&mut head, "content-length", bytes.len());
            let body: &[u8] = if has_body { &bytes } else { &[] };
            if body.len() <= ONE_WRITE {
                head.extend_from_slice(body);
                write(socket, &head, sent).await?;
            } else {
                write(socket, &head, sent).await?;
                write_slowly(socket, body, sent).await?;
            }
            Ok(true)
        }
        Body::Drip { bytes, every_ms } => {
            framed(&mut head, "content-length", bytes.len());
            write(socket, &head, sent).await?;
            if has_body {
                drip(socket, &bytes, Duration::from_millis(every_ms), sent).await?;
            }
            Ok(true)
        }
        Body::Endless { chunk } => {
            framed(&mut head, "transfer-encoding", "chunked");
            write(socket, &head, sent).await?;
            let mut framed = format!("{:x}\r\n", chunk.len()).into_bytes();
            framed.extend_from_slice(&chunk);
            framed.extend_from_slice(b"\r\n");
            if !has_body {
                return Ok(true);
            }
            loop {
                write_slowly(socket, &framed, sent).await?;
            }
        }
        Body::ShortOf { bytes, claimed } => {
            framed(&mut head, "content-length", claimed);
            head.extend_from_slice(if has_body { &bytes } else { &[] });
            write(socket, &head, sent).await?;
            socket.shutdown().await?;
            Ok(false)
        }
        Body::Raw(bytes) => {
            write(socket, &bytes, sent).await?;
            socket.shutdown().await?;
            Ok(false)
        }
    }
}

/// Status line and headers, but for the one that frames the body.
fn start(answer: &Answer) -> Vec<u8> {
    let reason = match answer.status {
        200 => "OK",
        304 => "Not Modified",
        301 | 302 | 307 => "Moved",
        404 => "Not Found",
        405 => "Method Not Allowed",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Answer",
    };
    let mut head = format!("HTTP/1.1 {} {reason}\r\n", answer.status).into_bytes();
    for (name, value) in &answer.headers {
        for part in [name, ": ", value, "\r\n"] {
            head.extend_from_slice(part.as_bytes());
        }
    }
    head
}

fn framed(head: &mut Vec<u8>, name: &str, value: impl std::fmt::Display) {
    head.extend_from_slice(format!("{name}: {value}\r\n\r\n").as_bytes());
}

async fn write(socket: &mut TcpStream, bytes: &[u8], sent: &mut u64) -> io::Result<()> {
    socket.write_all(bytes).await?;
    *sent += bytes.len() as u64;
    Ok(())
}

/// In pieces, so that `sent` is right when the client leaves in the middle.
async fn write_slowly(socket: &mut TcpStream, bytes: &[u8], sent: &mut u64) -> io::Result<()> {
    for piece in bytes.chunks(ONE_WRITE) {
        write(socket, piece, sent).await?;
    }
    Ok(())
}

/// A byte at a time, until the client leaves: that is noticed at once, not at the next byte.
async fn drip(
    socket: &mut TcpStream,
    bytes: &[u8],
    every: Duration,
    sent: &mut u64,
) -> io::Result<()> {
    let (mut reader, mut writer) = socket.split();
    let mut unexpected = [0; 64];
    for byte in bytes {
        writer.write_all(&[*byte]).await?;
        *sent += 1;
        tokio::select! {
            () = tokio::time::sleep(every) => {}
            read = reader.read(&mut unexpected) => {
                // A client that talks while it waits is cut off like one that leaves.
                read?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MOST, parse};
    use proptest::prelude::*;

    #[test]
    fn a_head_gives_host_path_and_whether_it_is_the_last() {
        let check = |head: &str, expected: Option<(&str, &str, bool)>| {
            let parsed = parse(head.as_bytes());
            let found = parsed.as_ref().map(|h| (h.host.as_str(), h.path, h.is_last));
            assert_eq!(found, expected, "{head:?}");
        };
        check("GET /a?b HTTP/1.1\r\nHost: A.test:80\r\n\r\n", Some(("a.test", "/a?b", false)));
        check(
            "GET / HTTP/1.1\r\nhost:a.test\r\nConnection: Close\r\n\r\n",
            Some(("a.test", "/", true)),
        );
        check("GET / HTTP/1.0\r\n\r\n", Some(("", "/", true)));
        check("GET / HTTP/2\r\n\r\n", None);
        check("GET\r\n\r\n", None);
        check("GET http://a.test/ HTTP/1.1\r\n\r\n", None);
        check("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", None);
        check("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", None);
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_parser(start in 0..4_usize, bytes: Vec<u8>, text in "\\PC{0,60}") {
            let start =
                ["", "GET /", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nContent-Length: "][start];
            for rest in [&bytes[..], text.as_bytes()] {
                let head = [start.as_bytes(), rest, b"\r\n\r\n"].concat();
                if let Some(head) = parse(&head) {
                    prop_assert!(head.path.starts_with('/') && head.body_length <= MOST);
                }
            }
        }
    }
}
